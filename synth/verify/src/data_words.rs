//! Reader of the words of one argument or output in a data file: a number, lists of numbers, or a file.

use serde_yaml::{Mapping, Value};
use sluice_config::Reader;
use sluice_ir::algebra::FloatFormat;
use sluice_ir::bits::Bits;
use sluice_ir::exact::Exact;
use sluice_ir::suggestion::did_you_mean;

use crate::float_words;
use crate::memory_files::{FORMATS, Format, Wanted, words as file_words};
use crate::smaller_arrays::padded;

/// Returns the contents of a file by its path, or an error.
pub type Files<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

const FILE_KEYS: &[&str] = &["file", "format", "fill"];

/// The shape of a named value in a data file.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Bits of a word.
    pub width_bits: u32,
    /// The format, if words are floats.
    pub format: Option<FloatFormat>,
    /// Extents of a memory; `None` for a scalar.
    pub extents: Option<Vec<usize>>,
    /// Whether the extents are the largest ones, so that lists may have fewer words.
    pub is_largest: bool,
}

impl Shape {
    fn n_words(&self) -> usize {
        let n_words = Exact::product(self.extents.iter().flatten());
        n_words.to_usize().unwrap_or(usize::MAX)
    }

    /// Reads the word of one number.
    fn word(&self, value: &Value) -> Result<Bits, String> {
        let Some(format) = self.format else {
            return word(value, self.width_bits);
        };
        match value {
            Value::Number(number) => float_words::parse(&number.to_string(), format),
            Value::String(text) => float_words::parse(text, format),
            _ => Err("expected a number".to_owned()),
        }
    }

    /// Returns words that are all 0.
    pub fn zeros(&self) -> Vec<Bits> {
        vec![Bits::zero(self.width_bits); self.n_words()]
    }
}

/// Reads the words of a value: one for a scalar; for a memory one for every cell, or one for all of them, or rows in lists; or
/// those of a file.
pub fn words(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    name: &str,
    value: &Value,
    shape: &Shape,
) -> Option<Vec<Bits>> {
    if let Some(mapping) = value.as_mapping() {
        return words_of_file(reader, files, name, mapping, shape);
    }
    if let (true, Some(extents), true) = (shape.is_largest, &shape.extents, value.is_sequence())
        && n_numbers(value) < shape.n_words()
    {
        let zero = Bits::zero(shape.width_bits);
        let words = padded(value, extents, &zero, &|value| shape.word(value));
        let words = words.map_err(|why| reader.error(name, format!("`{name}`: {why}")));
        return words.ok();
    }
    let mut found = Vec::new();
    if let Err(why) = collect(value, shape, &mut found) {
        reader.error(name, format!("`{name}`: {why}"));
        return None;
    }
    let wanted = shape.n_words();
    if !value.is_sequence() && found.len() == 1 {
        return Some(vec![found[0].clone(); wanted]);
    }
    if value.is_sequence() && shape.extents.is_none() {
        reader.error(name, format!("`{name}` is a scalar: one number, no list"));
        return None;
    }
    if found.len() != wanted {
        let message = format!("`{name}` has {wanted} words, not {}", found.len());
        reader.error(name, message);
        return None;
    }
    Some(found)
}

/// Returns how many numbers a list of lists has.
fn n_numbers(value: &Value) -> usize {
    match value {
        Value::Sequence(all) => all.iter().map(n_numbers).sum(),
        _ => 1,
    }
}

fn collect(value: &Value, shape: &Shape, found: &mut Vec<Bits>) -> Result<(), String> {
    match value {
        Value::Sequence(all) => all.iter().try_for_each(|one| collect(one, shape, found)),
        one => {
            found.push(shape.word(one)?);
            Ok(())
        }
    }
}

/// Reads the word of one number.
///
/// # Errors
/// A value that is not a number, or has more bits.
pub fn word(value: &Value, width_bits: u32) -> Result<Bits, String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Bool(bit) => u8::from(*bit).to_string(),
        _ => return Err("expected a whole number".to_owned()),
    };
    parse(&text, width_bits).map_err(|why| match value {
        Value::Number(number) if number.is_f64() => {
            format!("{why}; write numbers of more than 64 bits in quotes")
        }
        _ => why,
    })
}

/// Parses a whole number: decimal, or hexadecimal with `0x`, with or without a sign.
///
/// # Errors
/// A text that is not a number, or has more bits.
pub fn parse(text: &str, width_bits: u32) -> Result<Bits, String> {
    let no_number = || format!("`{text}` is no whole number");
    let misfit = || format!("`{text}` does not fit {width_bits} bits");
    if let Some(digits) = text.strip_prefix("0x") {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(no_number());
        }
        return Bits::parse_hex(digits, width_bits).ok_or_else(misfit);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(no_number());
    }
    Bits::parse_decimal(digits, negative, width_bits).ok_or_else(misfit)
}

/// Reads `{file: F}`, with the format if the file extension does not imply it, and the value of words that the file omits.
fn words_of_file(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    name: &str,
    mapping: &Mapping,
    shape: &Shape,
) -> Option<Vec<Bits>> {
    reader.unknown_keys(mapping, FILE_KEYS);
    let Some(file) = mapping.get("file").and_then(Value::as_str) else {
        let message = format!("`{name}` is a number, lists of numbers, or `{{file: ...}}`");
        reader.error(name, message);
        return None;
    };
    let format = format(reader, name, file, mapping.get("format"))?;
    let fill = match mapping.get("fill") {
        None => None,
        Some(_) if format != Format::Readmemh => {
            let message = format!("`{name}`: `fill` is for hex files, others have every word");
            reader.error(name, message);
            return None;
        }
        Some(value) => match shape.word(value) {
            Ok(word) => Some(word),
            Err(why) => {
                reader.error(name, format!("`{name}`: `fill`: {why}"));
                return None;
            }
        },
    };
    let path = reader.beside(file);
    let data = match files(&path) {
        Ok(data) => data,
        Err(why) => {
            reader.error(name, format!("`{name}`: {path}: {why}"));
            return None;
        }
    };
    let wanted = Wanted {
        shape: shape.extents.clone().unwrap_or_default(),
        width_bits: shape.width_bits,
        format: shape.format,
        fill,
    };
    match file_words(&data, format, &wanted) {
        Ok(words) => Some(words),
        Err(misfits) => {
            for misfit in misfits {
                match misfit.place {
                    Some((line, column)) => {
                        let text = String::from_utf8_lossy(&data);
                        let excerpt = text.lines().nth(line - 1).unwrap_or_default();
                        let message = format!("`{name}`: {}", misfit.message);
                        reader.error_in(&path, (line, column), message, excerpt);
                    }
                    None => reader.error(name, format!("`{name}`: {path}: {}", misfit.message)),
                }
            }
            None
        }
    }
}

fn format(reader: &mut Reader<'_>, name: &str, file: &str, said: Option<&Value>) -> Option<Format> {
    let known: Vec<&str> = FORMATS.iter().map(|(format, _, _)| *format).collect();
    if let Some(said) = said {
        let said = said.as_str().unwrap_or_default();
        let found = FORMATS.iter().find(|(format, _, _)| *format == said);
        if found.is_none() {
            let hint = did_you_mean(said, &known);
            reader.error(name, format!("`{name}`: unknown format `{said}`; {hint}"));
        }
        return found.map(|(_, _, format)| *format);
    }
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let found = FORMATS
        .iter()
        .find(|(_, endings, _)| endings.iter().any(|e| e.eq_ignore_ascii_case(ending)));
    if found.is_none() {
        let endings: Vec<String> = FORMATS
            .iter()
            .flat_map(|(_, endings, _)| endings.iter().map(|ending| format!("`.{ending}`")))
            .collect();
        reader.error(
            name,
            format!(
                "`{name}`: the file extension of `{file}` gives no format; use one of {}, or add `format: {}`",
                endings.join(", "),
                known.join("|")
            ),
        );
    }
    found.map(|(_, _, format)| *format)
}
