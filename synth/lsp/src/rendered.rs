//! Diagnostics from messages as the compiler prints them: `file:line:column: error: text`, an excerpt, notes and help.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, Uri,
};

use crate::document::Snapshot;

/// The source of these diagnostics.
pub(crate) const SOURCE: &str = "sluice compile";

/// Maximum number of diagnostics.
const MAX_DIAGNOSTICS: usize = 100;

/// Line and column in bytes, both from one.
type Place = (u32, u32);

/// A message, before its place is looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Message {
    pub(crate) kind: Kind,
    /// The place in the file, if the message is about one.
    pub(crate) place: Option<Place>,
    pub(crate) text: String,
    notes: Vec<(Place, String)>,
}

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Error,
    Warning,
    Remark,
    Note,
}

const KINDS: [(&str, Kind); 4] = [
    ("error: ", Kind::Error),
    ("warning: ", Kind::Warning),
    ("remark: ", Kind::Remark),
    ("note: ", Kind::Note),
];

/// The start of a line that adds a hint to a message.
const HELP: &str = "    help: ";

/// The start of lines of excerpts.
const EXCERPT: &str = "    ";

/// Returns the messages in a text. `file` is the name of the file in it.
pub(crate) fn messages(text: &str, file: &str) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix(HELP) {
            if let Some(last) = found.last_mut() {
                last.text += &format!("\n{help}");
            }
            continue;
        }
        let is_count = line.split_once(' ').is_some_and(|(number, rest)| {
            number.bytes().all(|byte| byte.is_ascii_digit()) && rest.starts_with("errors")
        });
        if line.starts_with(EXCERPT) || is_count {
            continue;
        }
        match header(line, file) {
            Some((Kind::Note, place, text)) if !found.is_empty() => {
                let last = found.last_mut();
                if let (Some(last), Some(place)) = (last, place) {
                    last.notes.push((place, text));
                }
            }
            Some((kind, place, text)) => found.push(Message {
                kind,
                place,
                text,
                notes: Vec::new(),
            }),
            None => match found.last_mut() {
                Some(last) => last.text += &format!("\n{line}"),
                None => found.push(Message {
                    kind: Kind::Error,
                    place: None,
                    text: line.to_owned(),
                    notes: Vec::new(),
                }),
            },
        }
    }
    found.truncate(MAX_DIAGNOSTICS);
    found
}

/// Splits the first line of a message. The place of another file stays in the text.
fn header(line: &str, file: &str) -> Option<(Kind, Option<Place>, String)> {
    if let Some(rest) = line
        .strip_prefix(file)
        .and_then(|rest| rest.strip_prefix(':'))
    {
        if let Some((kind, text)) = kind_of(rest.trim_start()) {
            return Some((kind, None, text.to_owned()));
        }
        let mut parts = rest.splitn(3, ':');
        let line = parts.next()?.parse().ok()?;
        let column = parts.next()?.parse().ok()?;
        let (kind, text) = kind_of(parts.next()?.trim_start())?;
        return Some((kind, Some((line, column)), text.to_owned()));
    }
    if let Some((kind, text)) = kind_of(line) {
        return Some((kind, None, text.to_owned()));
    }
    // `other.yaml:4:1: error: text`
    KINDS.iter().find_map(|(word, kind)| {
        let (place, text) = line.split_once(&format!(": {word}"))?;
        let is_place = !place.contains(' ') && place.contains(['.', '/', ':']);
        is_place.then(|| (*kind, None, format!("{place}: {text}")))
    })
}

fn kind_of(text: &str) -> Option<(Kind, &str)> {
    KINDS
        .iter()
        .find_map(|(word, kind)| Some((*kind, text.strip_prefix(word)?)))
}

impl Message {
    /// Returns the diagnostic in a text; a message without a place belongs to the range `elsewhere`.
    pub(crate) fn diagnostic(
        &self,
        snapshot: &Snapshot,
        uri: &Uri,
        elsewhere: Range,
    ) -> Diagnostic {
        let range = |(line, column)| crate::analysis::word_at(snapshot, line, column);
        let notes = self
            .notes
            .iter()
            .map(|(place, text)| DiagnosticRelatedInformation {
                location: Location {
                    uri: uri.clone(),
                    range: range(*place),
                },
                message: text.clone(),
            });
        Diagnostic {
            range: self.place.map_or(elsewhere, range),
            severity: Some(match self.kind {
                Kind::Error => DiagnosticSeverity::ERROR,
                Kind::Warning => DiagnosticSeverity::WARNING,
                Kind::Remark | Kind::Note => DiagnosticSeverity::INFORMATION,
            }),
            source: Some(SOURCE.to_owned()),
            message: self.text.clone(),
            related_information: (!self.notes.is_empty()).then(|| notes.collect()),
            ..Diagnostic::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_are_those_of_the_compiler() {
        let text = "\
a b.mlir:5:3: error: the index of dimension 0 is 12, outside of 0 to 9
        memref.store %x, %A[%c] : memref<10xi32>
        ^
a b.mlir:1:2: note: it is defined here
    func.func
    ^
    help: write 9
a b.mlir: warning: directives for a loop `zz`
k/a.yaml:4:1: error: unknown key `limtis`; did you mean `limits`?
    limtis: {}
    ^
error: out of luck
  in two lines
2 errors
";
        let found = messages(text, "a b.mlir");
        let shown: Vec<_> = found
            .iter()
            .map(|message| (message.kind, message.place, message.text.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                (
                    Kind::Error,
                    Some((5, 3)),
                    "the index of dimension 0 is 12, outside of 0 to 9\nwrite 9"
                ),
                (Kind::Warning, None, "directives for a loop `zz`"),
                (
                    Kind::Error,
                    None,
                    "k/a.yaml:4:1: unknown key `limtis`; did you mean `limits`?"
                ),
                (Kind::Error, None, "out of luck\n  in two lines"),
            ]
        );
        assert_eq!(found[0].notes, [((1, 2), "it is defined here".to_owned())]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(f:|1:|error: |note: |    | |\n|help: |\u{e9}){0,40}") {
            for message in messages(&text, "f") {
                prop_assert!(!message.text.contains("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"));
            }
        }
    }
}
