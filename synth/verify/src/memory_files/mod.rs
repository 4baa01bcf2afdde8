//! Files with the words of a memory: NPY arrays, `$readmemh` images, JSON lists. Every word must fit and none may be missing.

mod json;
mod npy;
mod readmemh;

use sluice_ir::bits::Bits;
use sluice_ir::exact::Exact;

use readmemh::Base;

/// Most complaints about one file: more would say the same.
const MOST_ERRORS: usize = 10;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An array of NumPy, format 1.0, 2.0 or 3.0.
    Npy,
    /// Hexadecimal words as `$readmemh` reads them, IEEE 1364-2005 section 17.2.9.
    Readmemh,
    /// Binary ones as `$readmemb` does.
    Readmemb,
    /// Whole numbers in lists.
    Json,
}

/// Names of formats in data files, and endings of files that have it.
pub(crate) const FORMATS: [(&str, &[&str], Format); 3] = [
    ("npy", &["npy"], Format::Npy),
    ("hex", &["hex", "mem", "memh"], Format::Readmemh),
    ("json", &["json"], Format::Json),
];

/// The memory, or scalar, whose words are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Extents, outermost first; none for a scalar.
    pub shape: Vec<usize>,
    /// Bits of a word.
    pub width_bits: u32,
    /// What a word holds that the file does not speak of.
    pub fill: Option<Bits>,
}

impl Wanted {
    /// How many words that are.
    pub fn n_words(&self) -> usize {
        // Of a kernel that was compiled, and so of few enough.
        Exact::product(&self.shape).to_usize().unwrap_or(usize::MAX)
    }
}

/// What does not fit, and where in the file if it is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Line and column, from one.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl Misfit {
    fn whole(message: impl Into<String>) -> Self {
        Self {
            place: None,
            message: message.into(),
        }
    }

    fn at(place: (usize, usize), message: impl Into<String>) -> Self {
        Self {
            place: Some(place),
            message: message.into(),
        }
    }
}

/// The words of a file, row-major.
///
/// # Errors
/// What does not fit.
pub fn words(data: &[u8], format: Format, wanted: &Wanted) -> Result<Vec<Bits>, Vec<Misfit>> {
    if format == Format::Npy {
        return npy::words(data, wanted).map_err(|misfit| vec![misfit]);
    }
    let text = std::str::from_utf8(data).map_err(|why| {
        let at = why.valid_up_to();
        vec![Misfit::whole(format!(
            "expected UTF-8 text, byte {at} is not"
        ))]
    })?;
    match format {
        Format::Json => json::words(text, wanted),
        Format::Readmemb => readmemh::words(text, Base::Binary, wanted),
        Format::Readmemh | Format::Npy => readmemh::words(text, Base::Hexadecimal, wanted),
    }
}

/// A shape as in `memref<2x3xi8>`.
fn extents(shape: &[usize]) -> String {
    match shape {
        [] => "a scalar".to_owned(),
        [n] => format!("{n} words"),
        _ => {
            let all: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!("{} words", all.join(" x "))
        }
    }
}
