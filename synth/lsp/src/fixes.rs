//! Corrections that messages suggest: "did you mean `x`?".

use lsp_types::{Diagnostic, Range};

use crate::document::Snapshot;

/// A correction of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fix {
    pub(crate) range: Range,
    pub(crate) wrong: String,
    pub(crate) right: String,
    pub(crate) diagnostic: Diagnostic,
}

/// The words before a suggestion.
const SUGGESTION: &str = "did you mean `";

/// Returns the correction that a diagnostic suggests: the first word in quotes is replaced by the suggested one.
pub(crate) fn fix_of(snapshot: &Snapshot, diagnostic: &Diagnostic) -> Option<Fix> {
    let message = &diagnostic.message;
    let (_, rest) = message.split_once(SUGGESTION)?;
    let (right, _) = rest.split_once('`')?;
    let wrong = first_quoted(message).filter(|wrong| *wrong != right)?;
    let start = snapshot.offset(diagnostic.range.start);
    let rest = snapshot.part(start, snapshot.text.len());
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut places = line.match_indices(wrong).map(|(at, _)| at);
    let at = places.find(|at| {
        let before = line.get(..*at).unwrap_or_default();
        let after = line.get(at + wrong.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })?;
    Some(Fix {
        range: snapshot.range(start + at, start + at + wrong.len()),
        wrong: wrong.to_owned(),
        right: right.to_owned(),
        diagnostic: diagnostic.clone(),
    })
}

/// Returns the first word in quotes or back quotes.
fn first_quoted(message: &str) -> Option<&str> {
    let start = message.find(['\'', '`'])?;
    let quote = message.get(start..=start)?;
    let rest = message.get(start + 1..)?;
    rest.split(quote).next().filter(|word| !word.is_empty())
}
