//! The parser of pass pipelines. Each error has a column and suggests a valid input.

use sluice_ir::suggestion::did_you_mean;

use super::options::{Options, read_options};
use super::{Anchor, Element, PassCall, Pipeline, ROOT};

/// Maximum nesting depth of pipelines. A file has fewer levels of isolated operations.
const MAX_LEVELS: usize = 64;

/// Number of characters of a pipeline that are shown on each side of an error.
const SHOWN: usize = 60;

/// An error at a column, counted in characters from 1.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) column: usize,
    pub(super) message: String,
}

/// The names of all passes that a pipeline may contain.
pub(super) type Names<'a> = &'a [&'static str];

pub(super) type Parsed<T> = Result<T, Fault>;

/// Parses a whole pipeline.
pub(super) fn pipeline(text: &str, names: Names<'_>) -> Result<Pipeline, String> {
    whole(text, names).map_err(|fault| {
        let excerpt = excerpt(text, fault.column);
        format!(
            "pass pipeline:1:{}: error: {}\n{excerpt}",
            fault.column, fault.message
        )
    })
}

/// Parses one pass or one nested pipeline.
pub(super) fn element(text: &str, names: Names<'_>) -> Result<Element, String> {
    let mut reader = Reader::new(text, names);
    let read = reader.element(0).and_then(|element| {
        reader.end()?;
        Ok(element)
    });
    read.map_err(|fault| match fault.column {
        1 => format!("error: {}\n", fault.message),
        column => format!("error: {}\n{}", fault.message, excerpt(text, column)),
    })
}

/// Returns the text around an error with a mark below the column.
fn excerpt(text: &str, column: usize) -> String {
    let first = column.saturating_sub(SHOWN + 1);
    let line: String = text.chars().skip(first).take(2 * SHOWN).collect();
    let line = line.replace(char::is_control, " ");
    let cut = if first > 0 { "..." } else { "" };
    let spaces = " ".repeat(cut.len() + column - 1 - first);
    format!("  {cut}{line}\n  {spaces}^\n")
}

/// Parses a whole pipeline. The error is not rendered yet.
pub(super) fn whole(text: &str, names: Names<'_>) -> Parsed<Pipeline> {
    let mut reader = Reader::new(text, names);
    let (column, word) = reader.word();
    if word.is_empty() || reader.peek() != Some('(') {
        let message = format!(
            "expected a pipeline inside of the name of the operation that it runs on, as `{ROOT}(...)`"
        );
        return Err(Fault { column, message });
    }
    reader.advance();
    reader.skip_spaces();
    let elements = match reader.peek() {
        Some(')') => Vec::new(),
        _ => reader.elements(0)?,
    };
    reader.close(column, &word)?;
    reader.end()?;
    Ok(Pipeline {
        anchor: anchor(&word),
        column,
        elements,
    })
}

fn anchor(word: &str) -> Anchor {
    match word {
        "any" => Anchor::Any,
        name => Anchor::Named(name.to_owned()),
    }
}

struct Reader<'a> {
    text: Vec<char>,
    at: usize,
    names: Names<'a>,
}

impl<'a> Reader<'a> {
    fn new(text: &str, names: Names<'a>) -> Self {
        Self {
            text: text.chars().collect(),
            at: 0,
            names,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    fn column(&self) -> usize {
        self.at + 1
    }

    fn fault<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Fault {
            column: self.column(),
            message: message.into(),
        })
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.advance();
        }
    }

    /// Reads the characters up to the next delimiter, without surrounding spaces, and returns them with their column.
    fn word(&mut self) -> (usize, String) {
        self.skip_spaces();
        let (start, column) = (self.at, self.column());
        while self
            .peek()
            .is_some_and(|c| !matches!(c, ',' | '(' | ')' | '{' | '}'))
        {
            self.advance();
        }
        let word: String = self.text[start..self.at].iter().collect();
        (column, word.trim_end().to_owned())
    }

    fn end(&mut self) -> Parsed<()> {
        self.skip_spaces();
        match self.peek() {
            None => Ok(()),
            Some(')') => self.fault("`)` without `(`"),
            Some(_) => self.fault("expected the end of the pipeline"),
        }
    }

    /// Reads the `)` that closes the pipeline of `word` at `column`.
    fn close(&mut self, column: usize, word: &str) -> Parsed<()> {
        match self.peek() {
            Some(')') => {
                self.advance();
                Ok(())
            }
            Some('}') => self.fault("`}` without `{`"),
            Some(_) => self.fault("expected `,` or `)`"),
            None => self.fault(format!(
                "expected `)`: `{word}(` in column {column} is open"
            )),
        }
    }

    fn elements(&mut self, level: usize) -> Parsed<Vec<Element>> {
        let mut all = vec![self.element(level)?];
        while self.peek() == Some(',') {
            self.advance();
            all.push(self.element(level)?);
        }
        Ok(all)
    }

    fn element(&mut self, level: usize) -> Parsed<Element> {
        let (column, word) = self.word();
        if word.is_empty() {
            return match self.peek() {
                Some('(') => self.fault("expected the name of an operation before `(`"),
                Some('{') => self.fault("expected the name of a pass before `{`"),
                _ => self.fault("expected the name of a pass"),
            };
        }
        let element = if self.peek() == Some('(') {
            if level >= MAX_LEVELS {
                return self.fault(format!(
                    "more than {MAX_LEVELS} pipelines inside of each other"
                ));
            }
            self.advance();
            let elements = self.elements(level + 1)?;
            self.close(column, &word)?;
            Element::Nested(Pipeline {
                anchor: anchor(&word),
                column,
                elements,
            })
        } else {
            let Some(name) = self.names.iter().copied().find(|name| *name == word) else {
                let hint = did_you_mean(&word, self.names);
                let message = format!("unknown pass `{word}`; {hint}");
                return Err(Fault { column, message });
            };
            let options = match self.peek() {
                Some('{') => self.options(name)?,
                _ => Options::default(),
            };
            Element::Pass(PassCall {
                name,
                options,
                column,
            })
        };
        self.skip_spaces();
        Ok(element)
    }

    /// Parses the options `{name=value name=value}` of a pass.
    fn options(&mut self, pass: &'static str) -> Parsed<Options> {
        let open = self.column();
        self.advance();
        let start = self.at;
        let mut depth = 0usize;
        let mut quote = None;
        while let Some(c) = self.peek() {
            match (quote, c) {
                (Some(end), _) if end == c => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '{') => depth += 1,
                (None, '}') if depth == 0 => {
                    let end = self.at;
                    self.advance();
                    return read_options(pass, &self.text[start..end], start + 1, self.names);
                }
                (None, '}') => depth -= 1,
                (None, _) => {}
            }
            self.advance();
        }
        Err(Fault {
            column: open,
            message: "`{` without `}`".to_owned(),
        })
    }
}
