//! Diagnostics: collected, never printed here.

use crate::context::Context;
use crate::ids::Location;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is wrong.
    Error,
    /// The input is suspicious.
    Warning,
    /// Something worth knowing.
    Remark,
}

/// One message with a place and notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub location: Location,
    /// What: lower case, no full stop, names in backquotes (or as upstream words it).
    pub message: String,
    /// More places.
    pub notes: Vec<(Location, String)>,
    /// What would fit, where Sluice says more than others.
    pub hints: Vec<String>,
}

/// Collected messages, in the order in which they were found.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    /// The messages.
    pub all: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No messages.
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

    /// Whether an error is among the messages.
    pub fn has_errors(&self) -> bool {
        self.all.iter().any(|d| d.severity == Severity::Error)
    }

    /// Moves all messages of `other` to the end.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.all.append(&mut other.all);
    }

    /// One line a message: `file:line:column: error: message`, notes below.
    pub fn to_text(&self, context: &Context) -> String {
        self.render(context, &[])
    }

    /// The same with an excerpt of the source below each place that lies in one of `sources` (file name, text), and the
    /// number of errors at the end if there are several.
    pub fn render(&self, context: &Context, sources: &[(&str, &str)]) -> String {
        let mut text = String::new();
        for diagnostic in &self.all {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Remark => "remark",
            };
            render_one(
                &mut text,
                context,
                sources,
                diagnostic.location,
                severity,
                &diagnostic.message,
            );
            for (location, note) in &diagnostic.notes {
                render_one(&mut text, context, sources, *location, "note", note);
            }
            for hint in &diagnostic.hints {
                text += &format!("    help: {hint}\n");
            }
        }
        let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
        let n_errors = self.all.iter().filter(is_error).count();
        if n_errors > 1 && !sources.is_empty() {
            text += &format!("{n_errors} errors\n");
        }
        text
    }
}

/// Longest piece of a line that an excerpt shows, in characters.
const EXCERPT_LENGTH: usize = 120;

fn render_one(
    text: &mut String,
    context: &Context,
    sources: &[(&str, &str)],
    location: Location,
    severity: &str,
    message: &str,
) {
    let Some((file, line, column)) = location.file_line_column(context) else {
        *text += &match (location.name(context), sources) {
            (Some(name), [(file, _), ..]) => {
                format!("{file}: {severity}: at `{name}`: {message}\n")
            }
            (Some(name), []) => format!("{severity}: at `{name}`: {message}\n"),
            (None, _) => format!("{severity}: {message}\n"),
        };
        return;
    };
    if line == 0 {
        // The file as a whole.
        *text += &format!("{file}: {severity}: {message}\n");
        return;
    }
    *text += &format!("{file}:{line}:{column}: {severity}: {message}\n");
    let source = sources.iter().find(|(name, _)| *name == file);
    let excerpt = source.and_then(|(_, source)| source.lines().nth(line.checked_sub(1)? as usize));
    if let Some(excerpt) = excerpt {
        // Columns count bytes; the caret counts characters and keeps tabs.
        let column = (column as usize).saturating_sub(1).min(excerpt.len());
        let before = excerpt
            .get(..column)
            .map_or(column, |before| before.chars().count());
        let start = (before + 1).saturating_sub(EXCERPT_LENGTH * 2 / 3);
        let (left, right) = (
            if start > 0 { "..." } else { "" },
            if excerpt.chars().count() > start + EXCERPT_LENGTH {
                "..."
            } else {
                ""
            },
        );
        let shown: String = excerpt.chars().skip(start).take(EXCERPT_LENGTH).collect();
        let pad: String = excerpt
            .chars()
            .skip(start)
            .take(before - start)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let indent = " ".repeat(left.len());
        *text += &format!("    {left}{shown}{right}\n    {indent}{pad}^\n");
    }
}

impl Diagnostic {
    /// Adds a note.
    pub fn note(&mut self, location: Location, message: impl Into<String>) -> &mut Self {
        self.notes.push((location, message.into()));
        self
    }

    /// Adds what would fit.
    pub fn hint(&mut self, message: impl Into<String>) -> &mut Self {
        self.hints.push(message.into());
        self
    }
}
