//! Reader of NumPy arrays: the header, then integers or floats of one size, in C or Fortran order.
//!
//! Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays", with versions 2.0 and 3.0.

use sluice_ir::algebra::{Algebra, Concrete, FloatFormat, FloatOp};
use sluice_ir::bits::Bits;
use sluice_ir::exact::Exact;

use super::{Misfit, Wanted, extents};

const MAGIC: &[u8] = b"\x93NUMPY";

/// The header of the file.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    element: Element,
    is_fortran: bool,
    shape: Vec<usize>,
}

/// Encoding of an element in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    n_bytes: usize,
    is_signed: bool,
    is_float: bool,
    is_big_endian: bool,
}

/// Reads the words of an array of exactly the wanted shape.
///
/// # Errors
/// An array that does not fit.
pub(super) fn words(data: &[u8], wanted: &Wanted) -> Result<Vec<Bits>, Misfit> {
    let (header, elements) = header(data).map_err(Misfit::whole)?;
    if header.shape != wanted.shape {
        return Err(Misfit::whole(format!(
            "the array is {}, {} are wanted",
            extents(&header.shape),
            extents(&wanted.shape)
        )));
    }
    let element = header.element;
    let n_bytes = wanted.n_words() * element.n_bytes;
    if elements.len() != n_bytes {
        return Err(Misfit::whole(format!(
            "{n_bytes} bytes of elements are expected, there are {}",
            elements.len()
        )));
    }
    let mut words = Vec::with_capacity(wanted.n_words());
    for word in 0..wanted.n_words() {
        let at = if header.is_fortran {
            fortran_position(&wanted.shape, word)
        } else {
            word
        };
        let bytes = &elements[at * element.n_bytes..(at + 1) * element.n_bytes];
        let found = match wanted.format {
            Some(format) => element.float(bytes, format),
            None => element.value(bytes, wanted.width_bits),
        };
        let found = found.map_err(|value| {
            let signed: Vec<i64> = wanted.shape.iter().map(|n| extent(*n)).collect();
            let at = crate::check::subscripts(&signed, word);
            Misfit::whole(format!(
                "element [{at}] is {value}, which does not fit {} bits",
                wanted.width_bits
            ))
        })?;
        words.push(found);
    }
    Ok(words)
}

fn extent(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Converts an element's index in row-major order (`word`) to its index in column-major order.
fn fortran_position(shape: &[usize], word: usize) -> usize {
    let (mut left, mut position) = (word, 0);
    let mut n_before = Exact::product(shape).to_usize().unwrap_or(usize::MAX);
    for extent in shape.iter().rev() {
        n_before /= extent;
        position += left % extent * n_before;
        left /= extent;
    }
    position
}

impl Element {
    /// Returns the bits of an element.
    fn raw(self, bytes: &[u8]) -> u64 {
        let mut whole = [0; 8];
        for (to, from) in whole.iter_mut().zip(bytes) {
            *to = *from;
        }
        if self.is_big_endian {
            whole[..self.n_bytes].reverse();
        }
        u64::from_le_bytes(whole)
    }

    /// Returns the element as a float of a format, rounded to the nearest, ties to even.
    fn float(self, bytes: &[u8], format: FloatFormat) -> Result<Bits, String> {
        let width_bits = 8 * u32::try_from(self.n_bytes).expect("at most eight bytes");
        let word = Bits::from_u64(width_bits, self.raw(bytes));
        let (op, from) = match (self.is_float, self.n_bytes) {
            (true, 2) => (FloatOp::Convert(format), FloatFormat::F16),
            (true, 4) => (FloatOp::Convert(format), FloatFormat::F32),
            (true, _) => (FloatOp::Convert(format), FloatFormat::F64),
            (false, _) if self.is_signed => (FloatOp::FromSigned, format),
            (false, _) => (FloatOp::FromUnsigned, format),
        };
        if self.is_float && from == format {
            return Ok(word);
        }
        Ok(Concrete::new().float(op, from, &[word]))
    }

    /// Returns the element as a word, or in decimal if it does not fit.
    fn value(self, bytes: &[u8], width_bits: u32) -> Result<Bits, String> {
        let raw = self.raw(bytes);
        if self.is_float {
            return Err(format!("the float 0x{raw:x}"));
        }
        let unused = 64 - 8 * u32::try_from(self.n_bytes).expect("at most eight bytes");
        let signed = (raw << unused).cast_signed() >> unused;
        if self.is_signed && signed < 0 {
            let fits = Bits::from_i64(64, signed).min_signed_bits() <= width_bits;
            return fits
                .then(|| Bits::from_i64(width_bits, signed))
                .ok_or_else(|| signed.to_string());
        }
        let fits = Bits::from_u64(64, raw).active_bits() <= width_bits;
        fits.then(|| Bits::from_u64(width_bits, raw))
            .ok_or_else(|| raw.to_string())
    }

    /// Reads a `descr`.
    fn of(descr: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "elements of type `{descr}` are not read; integers are: `|b1`, `|i1`, `|u1`, `<i2`, `<u2`, `<i4`, `<u4`, `<i8`, `<u8`, floats `<f2`, `<f4`, `<f8`"
            )
        };
        let mut letters = descr.chars();
        let (order, kind) = (letters.next(), letters.next());
        let n_bytes = match letters.as_str() {
            "1" => 1,
            "2" => 2,
            "4" => 4,
            "8" => 8,
            _ => return Err(wrong()),
        };
        let is_known = match kind {
            Some('i' | 'u') => {
                matches!(order, Some('<' | '>')) || (order == Some('|') && n_bytes == 1)
            }
            Some('f') => matches!(order, Some('<' | '>')) && n_bytes > 1,
            Some('b') => n_bytes == 1,
            _ => false,
        };
        if !is_known {
            return Err(wrong());
        }
        Ok(Self {
            n_bytes,
            is_signed: kind == Some('i'),
            is_float: kind == Some('f'),
            is_big_endian: order == Some('>'),
        })
    }
}

/// Splits the data into the header and the bytes of the elements.
fn header(data: &[u8]) -> Result<(Header, &[u8]), String> {
    let early = || "the file ends in its header".to_owned();
    let rest = data
        .strip_prefix(MAGIC)
        .ok_or("this is no NPY file: it does not begin with `\\x93NUMPY`")?;
    let [major, minor, rest @ ..] = rest else {
        return Err(early());
    };
    let (length, rest) = match (major, minor, rest) {
        (1, 0, [a, b, rest @ ..]) => (u32::from(u16::from_le_bytes([*a, *b])), rest),
        (2 | 3, 0, [a, b, c, d, rest @ ..]) => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        (1..=3, 0, _) => return Err(early()),
        _ => {
            return Err(format!(
                "format {major}.{minor} is not read; 1.0, 2.0 and 3.0 are"
            ));
        }
    };
    let length = usize::try_from(length).expect("32 bits are an index");
    let (text, elements) = rest.split_at_checked(length).ok_or_else(early)?;
    let text = std::str::from_utf8(text).map_err(|_| "the header is no text".to_owned())?;
    Ok((dictionary(text)?, elements))
}

/// Parses the dictionary of the header, a Python literal.
fn dictionary(text: &str) -> Result<Header, String> {
    let wrong = |what: &str| format!("the header `{}` {what}", text.trim());
    let mut rest = text
        .trim()
        .strip_prefix('{')
        .and_then(|inside| inside.strip_suffix('}'))
        .ok_or_else(|| wrong("is no dictionary"))?
        .trim();
    let (mut element, mut is_fortran, mut shape) = (None, None, None);
    while !rest.is_empty() {
        let (key, after) = quoted(rest).ok_or_else(|| wrong("is no dictionary"))?;
        let value = after
            .trim_start()
            .strip_prefix(':')
            .ok_or_else(|| wrong("is no dictionary"))?
            .trim_start();
        rest = match key {
            "descr" => {
                let (descr, after) = quoted(value)
                    .ok_or_else(|| wrong("has elements of several parts, which are not read"))?;
                element = Some(Element::of(descr)?);
                after
            }
            "fortran_order" => {
                let (order, after) = if let Some(after) = value.strip_prefix("True") {
                    (true, after)
                } else if let Some(after) = value.strip_prefix("False") {
                    (false, after)
                } else {
                    return Err(wrong(
                        "has a `fortran_order` that is neither True nor False",
                    ));
                };
                is_fortran = Some(order);
                after
            }
            "shape" => {
                let (list, after) = value
                    .strip_prefix('(')
                    .and_then(|list| list.split_once(')'))
                    .ok_or_else(|| wrong("has a `shape` that is no tuple"))?;
                let extents = list.trim().trim_end_matches(',').split(',');
                let extents = extents.map(str::trim).filter(|extent| !extent.is_empty());
                let extents: Result<Vec<usize>, _> = extents.map(str::parse).collect();
                shape = Some(extents.map_err(|_| wrong("has a `shape` that is no tuple"))?);
                after
            }
            _ => return Err(wrong(&format!("has an unknown key `{key}`"))),
        };
        rest = rest.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if rest.is_empty() => rest,
            None => return Err(wrong("is no dictionary")),
        };
    }
    match (element, is_fortran, shape) {
        (Some(element), Some(is_fortran), Some(shape)) => Ok(Header {
            element,
            is_fortran,
            shape,
        }),
        _ => Err(wrong("needs `descr`, `fortran_order` and `shape`")),
    }
}

/// Splits off a quoted text, and returns it with the rest.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
#[path = "npy_tests.rs"]
mod tests;
