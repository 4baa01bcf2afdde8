//! Folds of a configuration: the lines under a key.

use lsp_types::FoldingRange;

use super::outline::entries;
use crate::document::Snapshot;

/// Returns the folds of a text, by their first lines.
pub(crate) fn folds(snapshot: &Snapshot) -> Vec<FoldingRange> {
    let all = entries(&snapshot.text);
    let mut found: Vec<FoldingRange> = Vec::new();
    for (number, entry) in all.iter().enumerate() {
        let line = snapshot.range(entry.start, entry.start).start.line;
        let inside = all.iter().skip(number + 1);
        let inside = inside.take_while(|inner| inner.path.len() > entry.path.len());
        let Some(last) = inside.last() else {
            continue;
        };
        let last_line = snapshot.range(last.start, last.start).start.line;
        let is_new = found.last().is_none_or(|fold| fold.start_line != line);
        if last_line > line && is_new {
            found.push(FoldingRange {
                start_line: line,
                end_line: last_line,
                ..FoldingRange::default()
            });
        }
    }
    found
}
