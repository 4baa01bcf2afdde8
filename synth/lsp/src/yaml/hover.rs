//! The description of the key under the cursor.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use super::keys::{declared, description};
use super::outline::entries;
use crate::document::Snapshot;

/// Returns the description of the key at a byte offset.
pub(crate) fn hover(snapshot: &Snapshot, at: usize) -> Option<Hover> {
    let all = entries(&snapshot.text);
    let entry = all
        .iter()
        .find(|entry| (entry.start..=entry.end).contains(&at))?;
    let mut path = entry.path.clone();
    path.push(entry.key.clone());
    let about = declared(&path).about?;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: format!("`{}`: {}", about.name, description(about)),
        }),
        range: Some(snapshot.range(entry.start, entry.end)),
    })
}
