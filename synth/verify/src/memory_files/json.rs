//! Reader of JSON lists of whole numbers of any width, with the position of each. Rows may be lists of their own.

use sluice_ir::bits::Bits;

use super::{MAX_ERRORS, Misfit, Wanted, extents};

/// Maximum nesting depth of lists: memories have fewer dimensions.
const MAX_DEPTH: usize = 32;

/// Reads the words of a list, or of lists in the wanted shape.
///
/// # Errors
/// Entries that do not fit.
pub(super) fn words(text: &str, wanted: &Wanted) -> Result<Vec<Bits>, Vec<Misfit>> {
    let mut reader = Reader {
        text,
        at: 0,
        wanted,
        words: Vec::new(),
        errors: Vec::new(),
    };
    let found = reader.value(0).and_then(|shape| {
        reader.white();
        match reader.rest().chars().next() {
            None => Ok(shape),
            Some(c) => Err(reader.misfit(format!("`{c}` follows the list"))),
        }
    });
    let shape = match found {
        Ok(shape) => shape,
        Err(misfit) => {
            reader.errors.push(misfit);
            return Err(reader.errors);
        }
    };
    if !reader.errors.is_empty() {
        return Err(reader.errors);
    }
    let is_flat = shape.len() == 1 && shape[0] == wanted.n_words();
    if shape != wanted.shape && !is_flat {
        return Err(vec![Misfit::whole(format!(
            "the file has {}, {} are wanted",
            extents(&shape),
            extents(&wanted.shape)
        ))]);
    }
    Ok(reader.words)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    wanted: &'a Wanted,
    words: Vec<Bits>,
    errors: Vec<Misfit>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn white(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Skips a letter, and returns whether it was next.
    fn skip(&mut self, letter: char) -> bool {
        self.white();
        let is_there = self.rest().starts_with(letter);
        self.at += if is_there { letter.len_utf8() } else { 0 };
        is_there
    }

    fn misfit(&self, message: impl Into<String>) -> Misfit {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        Misfit::at((line, before[line_start..].chars().count() + 1), message)
    }

    /// Reads a number or a list, and returns its shape.
    fn value(&mut self, depth: usize) -> Result<Vec<usize>, Misfit> {
        if depth > MAX_DEPTH {
            return Err(self.misfit(format!("lists are nested more than {MAX_DEPTH} deep")));
        }
        if !self.skip('[') {
            self.number()?;
            return Ok(Vec::new());
        }
        let mut inner: Option<Vec<usize>> = None;
        let mut n = 0;
        if self.skip(']') {
            return Ok(vec![0]);
        }
        loop {
            self.white();
            let begin = self.at;
            let found = self.value(depth + 1)?;
            n += 1;
            match &inner {
                Some(first) if *first != found => {
                    self.at = begin;
                    let (found, first) = (extents(&found), extents(first));
                    return Err(self.misfit(format!(
                        "this entry is {found}, the first of its list is {first}"
                    )));
                }
                Some(_) => {}
                None => inner = Some(found),
            }
            if self.skip(']') {
                let mut shape = vec![n];
                shape.extend(inner.unwrap_or_default());
                return Ok(shape);
            }
            if !self.skip(',') {
                return Err(self.misfit("expected `,` or `]`"));
            }
        }
    }

    /// Reads a whole number, which may be in quotes.
    fn number(&mut self) -> Result<(), Misfit> {
        self.white();
        let rest = self.rest();
        let (text, n_bytes) = match rest.strip_prefix('"') {
            Some(inside) => match inside.split_once('"') {
                Some((text, _)) => (text, text.len() + 2),
                None => return Err(self.misfit("this text has no end")),
            },
            None => {
                let is_end = |c: char| {
                    c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}' | ':' | '"')
                };
                let end = rest.find(is_end).unwrap_or(rest.len());
                (&rest[..end], end)
            }
        };
        if text.is_empty() {
            return Err(self.misfit("expected a whole number or a list of them"));
        }
        let word = match self.wanted.format {
            Some(format) => crate::float_words::parse(text, format),
            None => crate::data_words::parse(text, self.wanted.width_bits),
        };
        match word {
            Ok(word) => self.words.push(word),
            Err(why) => {
                let misfit = self.misfit(why);
                if self.errors.len() + 1 == MAX_ERRORS {
                    return Err(misfit);
                }
                self.errors.push(misfit);
            }
        }
        self.at += n_bytes;
        Ok(())
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
