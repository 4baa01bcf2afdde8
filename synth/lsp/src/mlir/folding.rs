//! Folds: regions, lists and comments of several lines.

use lsp_types::{FoldingRange, FoldingRangeKind};

use super::tokens::{Kind, tokens};
use crate::document::Snapshot;

/// Returns the folds of a text, by their first lines.
pub(crate) fn folds(snapshot: &Snapshot) -> Vec<FoldingRange> {
    let text = snapshot.text.as_str();
    let line_of = |at: usize| snapshot.range(at, at).start.line;
    let mut found: Vec<FoldingRange> = Vec::new();
    let mut open: Vec<(&str, u32)> = Vec::new();
    // The first and the last line of the comment that is being read.
    let mut comment: Option<(u32, u32)> = None;
    let mut last_line = None;
    for token in tokens(text) {
        let line = line_of(token.start);
        if token.kind == Kind::Comment && last_line != Some(line) {
            comment = match comment {
                Some((first, last)) if last + 1 == line => Some((first, line)),
                before => {
                    found.extend(before.and_then(|lines| fold(lines, true)));
                    Some((line, line))
                }
            };
        }
        last_line = Some(line);
        let sign = token.text(text);
        match sign {
            "{" | "(" | "[" if token.kind == Kind::Sign => open.push((sign, line)),
            "}" | ")" | "]" if token.kind == Kind::Sign => {
                let matching = match sign {
                    "}" => "{",
                    ")" => "(",
                    _ => "[",
                };
                if let Some(at) = open.iter().rposition(|(sign, _)| *sign == matching) {
                    let (_, first) = open[at];
                    open.truncate(at);
                    // The line with the closing brace stays.
                    let last = line.saturating_sub(1);
                    found.extend(fold((first, last), false));
                }
            }
            _ => {}
        }
    }
    found.extend(comment.and_then(|lines| fold(lines, true)));
    found.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    found.dedup_by_key(|fold| fold.start_line);
    found
}

fn fold((first, last): (u32, u32), is_comment: bool) -> Option<FoldingRange> {
    (first < last).then(|| FoldingRange {
        start_line: first,
        end_line: last,
        kind: is_comment.then_some(FoldingRangeKind::Comment),
        ..FoldingRange::default()
    })
}
