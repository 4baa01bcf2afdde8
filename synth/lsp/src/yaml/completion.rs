//! Completion of keys, words and names of the kernel.

use lsp_types::{CompletionItem, CompletionItemKind};
use sluice_config::{Shape, kernel_keys};

use super::kernel_names::{NAMED, names_in};
use super::keys::{Declared, declared, description, is_mapping, keys_of, table_of, words_of};
use super::outline::{Cursor, Expected, cursor, entries};
use crate::completion::{item, with_documentation};
use crate::document::Snapshot;

/// Returns the texts that may replace the word before a byte offset. `kernel` is the text of the kernel, if it is known.
pub(crate) fn completions(
    snapshot: &Snapshot,
    kernel: Option<&str>,
    at: usize,
) -> Vec<CompletionItem> {
    let Some(cursor) = cursor(snapshot.part(0, at)) else {
        return Vec::new();
    };
    let found = declared(&cursor.path);
    let mut items = Vec::new();
    if cursor.expected != Expected::Value {
        items.extend(keys(snapshot, &cursor, &found, kernel, at));
    }
    if cursor.expected != Expected::Key {
        items.extend(values(snapshot, &cursor, &found, kernel, at));
    }
    items
}

fn keys(
    snapshot: &Snapshot,
    cursor: &Cursor,
    found: &Declared,
    kernel: Option<&str>,
    at: usize,
) -> Vec<CompletionItem> {
    let here = entries(&snapshot.text).into_iter();
    let here = here.filter(|entry| entry.path == cursor.path && entry.start != cursor.start);
    let here: Vec<String> = here.map(|entry| entry.key).collect();
    // Keys that the text already has come last.
    let sorted = |name: &str| {
        let is_set = here.iter().any(|key| key == name);
        Some(format!("{}{name}", u8::from(is_set)))
    };
    let has_colon = snapshot
        .part(at, snapshot.text.len())
        .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
        .starts_with(':');
    let made = |name: &str, is_mapping: bool, kind| {
        let end = match (has_colon, is_mapping) {
            (true, _) => "",
            (false, true) => ":",
            (false, false) => ": ",
        };
        let range = snapshot.range(cursor.start, at);
        let text = format!("{name}{end}");
        let mut item = item(name, kind, range, &text);
        item.sort_text = sorted(name);
        item
    };
    let abouts = match cursor.path.is_empty() {
        true => kernel_keys(),
        false => keys_of(&found.shapes),
    };
    let mut items = Vec::new();
    for about in abouts {
        let is_mapping = is_mapping(&[&about.shape])
            || matches!(&about.shape, Shape::Either(shapes) if shapes.iter().any(|one| is_mapping(&[one])));
        let item = made(about.name, is_mapping, CompletionItemKind::PROPERTY);
        let detail = about.shape.text().replace('`', "");
        items.push(with_documentation(item, detail, description(about)));
    }
    for word in table_of(&found.shapes) {
        items.push(made(word, false, CompletionItemKind::ENUM_MEMBER));
    }
    let is_named = |shape: &&Shape| matches!(shape, Shape::Names(..));
    if found.shapes.iter().copied().any(|shape| is_named(&shape)) {
        for (name, line) in names(found, kernel) {
            let item = made(name, true, CompletionItemKind::VARIABLE);
            items.push(CompletionItem {
                detail: Some(line.to_owned()),
                ..item
            });
        }
    }
    items
}

fn values(
    snapshot: &Snapshot,
    cursor: &Cursor,
    found: &Declared,
    kernel: Option<&str>,
    at: usize,
) -> Vec<CompletionItem> {
    let range = snapshot.range(cursor.start, at);
    // The blank between a key and its value.
    let before = snapshot.part(0, cursor.start);
    let blank = if before.ends_with(':') { " " } else { "" };
    let made = |word: &str, kind| item(word, kind, range, &format!("{blank}{word}"));
    let words = words_of(&found.shapes).into_iter();
    let mut items: Vec<CompletionItem> = words
        .map(|word| made(word, CompletionItemKind::ENUM_MEMBER))
        .collect();
    let default = found.about.map_or("", |about| about.default);
    let is_new = !items.iter().any(|item| item.label == default);
    if is_new && !default.is_empty() && !default.starts_with(['{', '[']) {
        let item = made(default, CompletionItemKind::VALUE);
        items.push(CompletionItem {
            detail: Some("default".to_owned()),
            ..item
        });
    }
    let is_text = |shape: &&Shape| matches!(shape, Shape::Text);
    if found.shapes.iter().copied().any(|shape| is_text(&shape)) {
        for (name, line) in names(found, kernel) {
            let item = made(name, CompletionItemKind::VARIABLE);
            items.push(CompletionItem {
                detail: Some(line.to_owned()),
                ..item
            });
        }
    }
    items
}

/// Returns the names of the kernel that belong under a key.
fn names<'k>(found: &Declared, kernel: Option<&'k str>) -> Vec<(&'k str, &'k str)> {
    let key = found.about.map_or("", |about| about.name);
    let groups = NAMED.iter().find(|(known, _)| *known == key);
    match (kernel, groups) {
        (Some(kernel), Some((_, groups))) => names_in(kernel, groups),
        _ => Vec::new(),
    }
}
