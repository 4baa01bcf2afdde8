//! Reader of memory images in the format of `$readmemh` and `$readmemb`: hexadecimal or binary words, `@address`, `_` in numbers,
//! comments of both kinds.
//!
//! Source: IEEE 1364-2005, section 17.2.9. Differs: missing words, digits `x` and `z`, and words that are too wide are errors.

use sluice_ir::bits::Bits;

use super::{MAX_ERRORS, Misfit, Wanted};

/// The number base of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Hexadecimal,
    Binary,
}

/// Reads the words of an image.
///
/// # Errors
/// Entries that do not fit.
pub(super) fn words(text: &str, base: Base, wanted: &Wanted) -> Result<Vec<Bits>, Vec<Misfit>> {
    let n_words = wanted.n_words();
    let mut found: Vec<Option<Bits>> = vec![None; n_words];
    let mut errors = Vec::new();
    let mut address = 0;
    for token in Tokens::new(text) {
        if errors.len() == MAX_ERRORS {
            break;
        }
        let (place, token) = match token {
            Ok(token) => token,
            Err(misfit) => {
                errors.push(misfit);
                continue;
            }
        };
        let digits = token.trim_start_matches('@').replace('_', "");
        if token.starts_with('@') {
            match usize::from_str_radix(&digits, 16) {
                Ok(to) if to < n_words => address = to,
                Ok(_) => {
                    let message = format!("address `{token}` is beyond the {n_words} words");
                    errors.push(Misfit::at(place, message));
                    break;
                }
                Err(_) => {
                    let message = format!("`{token}` is no address: `@` and hexadecimal digits");
                    errors.push(Misfit::at(place, message));
                    break;
                }
            }
            continue;
        }
        let Some(cell) = found.get_mut(address) else {
            let message = format!("`{token}` is beyond the {n_words} words");
            errors.push(Misfit::at(place, message));
            break;
        };
        address += 1;
        match word(token, &digits, base, wanted.width_bits) {
            Ok(word) => *cell = Some(word),
            Err(message) => errors.push(Misfit::at(place, message)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let given = found.iter().flatten().count();
    let missing = found.iter().position(Option::is_none);
    let fill = wanted.fill.as_ref();
    let all: Option<Vec<Bits>> = found
        .into_iter()
        .map(|word| word.or(fill.cloned()))
        .collect();
    all.ok_or_else(|| {
        vec![Misfit::whole(format!(
            "{given} of {n_words} words are given, none at address {:x}; `fill: 0` gives the others a value",
            missing.unwrap_or(0)
        ))]
    })
}

fn word(token: &str, digits: &str, base: Base, width_bits: u32) -> Result<Bits, String> {
    let is_digit = |c: char| match base {
        Base::Hexadecimal => c.is_ascii_hexdigit(),
        Base::Binary => matches!(c, '0' | '1'),
    };
    let is_undefined = |c: char| matches!(c, 'x' | 'X' | 'z' | 'Z' | '?');
    if !digits.is_empty() && digits.chars().all(|c| is_undefined(c) || is_digit(c)) {
        if digits.contains(is_undefined) {
            return Err(format!(
                "`{token}` has undefined digits; a memory holds zeros and ones"
            ));
        }
        let word = match base {
            Base::Hexadecimal => Bits::parse_hex(digits, width_bits),
            Base::Binary => Bits::parse_hex(&in_hexadecimal(digits), width_bits),
        };
        return word.ok_or_else(|| format!("`{token}` does not fit {width_bits} bits"));
    }
    let name = match base {
        Base::Hexadecimal => "hexadecimal",
        Base::Binary => "binary",
    };
    Err(format!("`{token}` is no {name} number"))
}

/// Converts binary digits to hexadecimal ones.
fn in_hexadecimal(digits: &str) -> String {
    let digits = digits.as_bytes();
    let first = digits.len() % 4;
    let parts = std::iter::once(&digits[..first]).chain(digits[first..].chunks(4));
    let value = |part: &[u8]| part.iter().fold(0, |n, bit| 2 * n + u32::from(bit - b'0'));
    parts
        .filter_map(|part| char::from_digit(value(part), 16))
        .collect()
}

/// Iterator over the tokens between white space and comments, with line and column.
struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            line: 1,
            column: 1,
        }
    }

    fn skip(&mut self, n_bytes: usize) {
        let (gone, rest) = self.rest.split_at(n_bytes);
        for c in gone.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<((usize, usize), &'a str), Misfit>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.skip(self.rest.len() - self.rest.trim_start().len());
            let place = (self.line, self.column);
            if self.rest.is_empty() {
                return None;
            }
            if self.rest.starts_with("//") {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest[2..].find("*/") else {
                    self.skip(self.rest.len());
                    return Some(Err(Misfit::at(place, "this comment has no end")));
                };
                self.skip(end + 4);
            } else {
                let is_end = |(at, c): &(usize, char)| {
                    c.is_whitespace()
                        || self.rest[*at..].starts_with("//")
                        || self.rest[*at..].starts_with("/*")
                };
                let end = self.rest.char_indices().find(is_end);
                let token = &self.rest[..end.map_or(self.rest.len(), |(at, _)| at)];
                self.skip(token.len());
                return Some(Ok((place, token)));
            }
        }
    }
}

#[cfg(test)]
#[path = "readmemh_tests.rs"]
mod tests;
