//! Parts of completion that kernels and configurations share.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent,
    MarkupKind, Range, TextEdit,
};

/// Creates an item that replaces a range.
pub(crate) fn item(
    label: &str,
    kind: CompletionItemKind,
    range: Range,
    text: &str,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range,
            new_text: text.to_owned(),
        })),
        ..CompletionItem::default()
    }
}

/// Adds a detail and a documentation in Markdown.
pub(crate) fn with_documentation(
    item: CompletionItem,
    detail: String,
    text: String,
) -> CompletionItem {
    CompletionItem {
        detail: Some(detail),
        documentation: Some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        })),
        ..item
    }
}
