//! Hover texts for the name or the operation under the cursor.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Range};
use sluice_ir::documentation;

use crate::analysis::Parsed;
use crate::document::Snapshot;
use crate::names::Kind;
use crate::operations::Operations;

/// Returns whether the hover text needs the analysed module: the type of a value is not in the text.
pub(crate) fn needs_module(snapshot: &Snapshot, at: usize) -> bool {
    let name = snapshot.names().at(at);
    name.is_some_and(|name| name.kind == Kind::Value) && snapshot.names().definition(at).is_some()
}

/// Returns the hover text of the name or the operation at a byte offset.
pub(crate) fn hover(
    snapshot: &Snapshot,
    module: Option<&Parsed>,
    operations: &Operations,
    at: usize,
) -> Option<Hover> {
    let (text, range) = match snapshot.names().at(at) {
        Some(name) => (
            definition(snapshot, module, at)?,
            snapshot.range(name.start, name.end),
        ),
        None => operation(snapshot, operations, at)?,
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: Some(range),
    })
}

/// Describes the definition of the name at a byte offset: its type, or the line that declares it.
fn definition(snapshot: &Snapshot, module: Option<&Parsed>, at: usize) -> Option<String> {
    let definition = snapshot.names().definition(at)?;
    let (_, line) = snapshot.line(definition.start);
    let line = line.trim();
    if definition.kind != Kind::Value {
        return Some(format!("```mlir\n{line}\n```"));
    }
    let name = snapshot.part(definition.start, definition.end);
    let bare = snapshot.part(definition.start + 1, definition.end);
    let ty = module.and_then(|module| module.type_of(snapshot, definition.start, bare));
    let ty = ty.map(|ty| format!(" : {ty}")).unwrap_or_default();
    Some(format!(
        "```mlir\n{name}{ty}\n```\ndefined by\n```mlir\n{line}\n```"
    ))
}

/// Returns the documentation of the operation whose name is at a byte offset.
fn operation(snapshot: &Snapshot, operations: &Operations, at: usize) -> Option<(String, Range)> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let bytes = snapshot.text.as_bytes();
    let before = bytes.get(..at)?.iter().rev().take_while(|b| is_part(b));
    let start = at - before.count();
    let after = bytes.get(at..)?.iter().take_while(|b| is_part(b));
    let end = at + after.count();
    let word = snapshot.part(start, end);
    let definition = operations.find(word)?;
    let text = documentation::operation_page(definition);
    Some((text, snapshot.range(start, end)))
}
