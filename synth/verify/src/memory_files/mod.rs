//! Readers of files with the words of a memory: NPY arrays, `$readmemh` images, JSON lists. Every word must fit, and none may be
//! missing.

mod json;
mod npy;
mod readmemh;

use sluice_ir::algebra::FloatFormat;
use sluice_ir::bits::Bits;
use sluice_ir::exact::Exact;

use readmemh::Base;

/// Maximum number of errors that are reported for one file.
const MAX_ERRORS: usize = 10;

/// Format of a memory file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A NumPy array, format 1.0, 2.0 or 3.0.
    Npy,
    /// Hexadecimal words in the format of `$readmemh`, IEEE 1364-2005 section 17.2.9.
    Readmemh,
    /// Binary words in the format of `$readmemb`.
    Readmemb,
    /// Lists of numbers.
    Json,
}

/// Names of formats in data files, with the file extensions that imply them.
pub(crate) const FORMATS: [(&str, &[&str], Format); 3] = [
    ("npy", &["npy"], Format::Npy),
    ("hex", &["hex", "mem", "memh"], Format::Readmemh),
    ("json", &["json"], Format::Json),
];

/// The expected memory or scalar.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Extents, outermost first; empty for a scalar.
    pub shape: Vec<usize>,
    /// Bits of a word.
    pub width_bits: u32,
    /// The format, if words are floats.
    pub format: Option<FloatFormat>,
    /// Value of words that the file omits.
    pub fill: Option<Bits>,
}

impl Wanted {
    /// Returns the number of words.
    pub fn n_words(&self) -> usize {
        // It fits, because the kernel was compiled.
        Exact::product(&self.shape).to_usize().unwrap_or(usize::MAX)
    }
}

/// An error in a memory file, with its position if the file is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Line and column, from one.
    pub place: Option<(usize, usize)>,
    /// The error message.
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

/// Reads the words of a file, in row-major order.
///
/// # Errors
/// Entries that do not fit.
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

/// Formats a shape as in `memref<2x3xi8>`.
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
