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
        let place = |location: Location| match location.file_line_column(context) {
            Some((file, line, column)) => format!("{file}:{line}:{column}: "),
            None => String::new(),
        };
        let mut text = String::new();
        for diagnostic in &self.all {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Remark => "remark",
            };
            text += &format!(
                "{}{severity}: {}\n",
                place(diagnostic.location),
                diagnostic.message
            );
            for (location, note) in &diagnostic.notes {
                text += &format!("{}note: {note}\n", place(*location));
            }
        }
        text
    }
}

impl Diagnostic {
    /// Adds a note.
    pub fn note(&mut self, location: Location, message: impl Into<String>) -> &mut Self {
        self.notes.push((location, message.into()));
        self
    }
}
