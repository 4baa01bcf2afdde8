//! Diagnostics: collected here, never printed.

use crate::context::Context;
use crate::ids::Location;
use crate::limits::{Limit, shortened};
use crate::printable::{printable, printable_lines};

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is invalid.
    Error,
    /// The input is suspicious.
    Warning,
    /// Useful information.
    Remark,
}

/// One message with its location and notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its location.
    pub location: Location,
    /// The text: lower case, no full stop, names in backquotes (or as upstream words it).
    pub message: String,
    /// Further locations with text.
    pub notes: Vec<(Location, String)>,
    /// Valid alternatives, where Sluice reports more than other tools.
    pub hints: Vec<String>,
}

/// Collected messages, in the order in which they were found.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    /// The messages.
    pub all: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an error and returns it, so that notes can be added.
    pub fn error(&mut self, location: Location, message: impl Into<String>) -> &mut Diagnostic {
        self.emit(Severity::Error, location, message.into())
    }

    /// Adds a warning.
    pub fn warning(&mut self, location: Location, message: impl Into<String>) -> &mut Diagnostic {
        self.emit(Severity::Warning, location, message.into())
    }

    /// Adds a remark.
    pub fn remark(&mut self, location: Location, message: impl Into<String>) -> &mut Diagnostic {
        self.emit(Severity::Remark, location, message.into())
    }

    fn emit(&mut self, severity: Severity, location: Location, message: String) -> &mut Diagnostic {
        self.all.push(Diagnostic {
            severity,
            location,
            message,
            notes: Vec::new(),
            hints: Vec::new(),
        });
        self.all.last_mut().expect("just pushed")
    }

    /// Returns true if an error is among the messages.
    pub fn has_errors(&self) -> bool {
        self.all.iter().any(|d| d.severity == Severity::Error)
    }

    /// Moves all messages of `other` to the end.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.all.append(&mut other.all);
    }

    /// Returns one line per message: `file:line:column: error: message`, notes below.
    pub fn to_text(&self, context: &Context) -> String {
        self.render(context, &[])
    }

    /// Returns the text as `to_text` does, with an excerpt of the source below each location in one of `sources` (file name,
    /// text), and the number of errors at the end if there are several. Errors beyond the limit `errors` are only counted, with
    /// their notes. Control characters become escapes.
    pub fn render(&self, context: &Context, sources: &[(&str, &str)]) -> String {
        let mut rendering = Rendering {
            context,
            sources: sources.iter().map(|(n, t)| Source::new(n, t)).collect(),
            max_chars: context.limits.size(Limit::MessageChars),
            text: String::new(),
        };
        let max_errors = context.limits.size(Limit::Errors);
        let mut n_errors = 0usize;
        for diagnostic in &self.all {
            n_errors += usize::from(diagnostic.severity == Severity::Error);
            if n_errors <= max_errors {
                rendering.diagnostic(diagnostic);
            }
        }
        let mut text = rendering.text;
        if n_errors > max_errors {
            let excess = context.limits.check(Limit::Errors, n_errors as u128);
            let hint = excess.map_or_else(|excess| excess.hint(), |()| String::new());
            text += &format!("{n_errors} errors, {max_errors} of them shown; {hint}\n");
        } else if n_errors > 1 && !sources.is_empty() {
            text += &format!("{n_errors} errors\n");
        }
        text
    }
}

/// Greatest length of an excerpt of a line, in characters.
const EXCERPT_LENGTH: usize = 120;

/// A source with the offsets of its lines, computed at the first query.
struct Source<'a> {
    name: &'a str,
    text: &'a str,
    line_starts: Vec<usize>,
}

impl<'a> Source<'a> {
    fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            text,
            line_starts: Vec::new(),
        }
    }

    /// Returns line `number`, counted from 1.
    fn line(&mut self, number: u32) -> Option<&'a str> {
        if self.line_starts.is_empty() {
            let newlines = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            self.line_starts.push(0);
            self.line_starts.extend(newlines.map(|(at, _)| at + 1));
        }
        let start = *self.line_starts.get((number as usize).checked_sub(1)?)?;
        self.text[start..].lines().next()
    }
}

/// A report under construction.
struct Rendering<'a> {
    context: &'a Context,
    sources: Vec<Source<'a>>,
    max_chars: usize,
    text: String,
}

impl Rendering<'_> {
    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        };
        self.message(diagnostic.location, severity, &diagnostic.message);
        for (location, note) in &diagnostic.notes {
            self.message(*location, "note", note);
        }
        for hint in &diagnostic.hints {
            self.text += &format!("    help: {}\n", printable(hint));
        }
    }

    fn message(&mut self, location: Location, severity: &str, message: &str) {
        let message = shortened(message, self.max_chars);
        let message = printable(&message);
        let Some((file, line, column)) = location.file_line_column(self.context) else {
            self.text += &match (location.name(self.context), &self.sources[..]) {
                (Some(name), [Source { name: file, .. }, ..]) => {
                    let (file, name) = (printable(file), printable(name));
                    format!("{file}: {severity}: at `{name}`: {message}\n")
                }
                (Some(name), []) => {
                    format!("{severity}: at `{}`: {message}\n", printable(name))
                }
                (None, _) => format!("{severity}: {message}\n"),
            };
            return;
        };
        let shown = printable(file);
        if line == 0 {
            // The location is the whole file.
            self.text += &format!("{shown}: {severity}: {message}\n");
            return;
        }
        self.text += &format!("{shown}:{line}:{column}: {severity}: {message}\n");
        let source = self.sources.iter_mut().find(|source| source.name == file);
        if let Some(line) = source.and_then(|source| source.line(line)) {
            // Columns count bytes; the caret counts characters.
            let column = (column as usize).saturating_sub(1).min(line.len());
            let before = line.get(..column);
            let before = before.map_or(column, |before| before.chars().count());
            self.text += &excerpt(line, before);
        }
    }
}

/// Returns the part of a line around a character, and a caret below that character; tabs are kept.
pub fn excerpt(line: &str, before: usize) -> String {
    let start = (before + 1).saturating_sub(EXCERPT_LENGTH * 2 / 3);
    let left = if start > 0 { "..." } else { "" };
    let mut rest = line.chars().skip(start);
    let shown: String = rest.by_ref().take(EXCERPT_LENGTH).collect();
    let right = if rest.next().is_some() { "..." } else { "" };
    let ahead: String = shown.chars().take(before - start).collect();
    let pad = printable_lines(&ahead);
    let pad: String = pad
        .chars()
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let shown = printable_lines(&shown);
    let indent = " ".repeat(left.len());
    format!("    {left}{shown}{right}\n    {indent}{pad}^\n")
}

impl Diagnostic {
    /// Adds a note.
    pub fn note(&mut self, location: Location, message: impl Into<String>) -> &mut Self {
        self.notes.push((location, message.into()));
        self
    }

    /// Adds a valid alternative.
    pub fn hint(&mut self, message: impl Into<String>) -> &mut Self {
        self.hints.push(message.into());
        self
    }
}
