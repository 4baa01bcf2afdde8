//! The faults of a configuration, as `compile` reports them.

use lsp_types::{Diagnostic, DiagnosticSeverity, Range};
use sluice_config::{Config, ConfigError};

use crate::document::Snapshot;

/// The answer to a configuration that names a file. The check of that file belongs to the compilation.
const UNREAD: &str = "not read by the editor";

/// Returns the faults of a text.
pub(crate) fn diagnostics(snapshot: &Snapshot, file: &str) -> Vec<Diagnostic> {
    let read = Config::with_files(&snapshot.text, file, &mut |_| Err(UNREAD.to_owned()));
    let errors = read.err().unwrap_or_default().into_iter();
    let errors = errors.filter(|error| !error.message.ends_with(UNREAD));
    errors.map(|error| converted(snapshot, &error)).collect()
}

fn converted(snapshot: &Snapshot, error: &ConfigError) -> Diagnostic {
    Diagnostic {
        range: range(snapshot, error.line, error.column),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("sluice".to_owned()),
        message: error.message.clone(),
        ..Diagnostic::default()
    }
}

/// Returns the range of the word at a line and a column in characters, both from one.
fn range(snapshot: &Snapshot, line: usize, column: usize) -> Range {
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    let start = snapshot.lines.parser_byte(&snapshot.text, line, 1);
    let rest = snapshot.part(start, snapshot.text.len());
    // A byte order mark is not part of the text.
    let mark = if rest.starts_with('\u{feff}') { 1 } else { 0 };
    let rest = rest.split(['\n', '\r']).next().unwrap_or_default();
    let mut chars = rest.char_indices().skip(mark + column.saturating_sub(1));
    let at = chars.next().map_or(rest.len(), |(at, _)| at);
    let word = rest.get(at..).unwrap_or_default();
    let length = word.find([':', ',', '{', '}', '[', ']', ' ', '\t', '#']);
    let length = length.unwrap_or(word.len());
    let first = word.chars().next().map_or(0, char::len_utf8);
    snapshot.range(start + at, start + at + length.max(first))
}
