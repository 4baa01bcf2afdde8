//! Completion in a module: operations, values, blocks, symbols, types and attributes.

use std::collections::BTreeSet;

use lsp_types::{CompletionItem, CompletionItemKind, Range};

use super::semantic::TYPE_WORDS;
use super::tokens::{Kind, Token, is_part, tokens};
use crate::completion::item;
use crate::document::Snapshot;
use crate::names;
use crate::operations::Operations;

/// Maximum number of items of one answer.
const MAX_ITEMS: usize = 2000;

/// Widths of integers that are offered.
const WIDTHS: [&str; 5] = ["i1", "i8", "i16", "i32", "i64"];

/// The place of an unfinished word.
struct Place<'t> {
    snapshot: &'t Snapshot,
    /// The line before the word.
    before: &'t str,
    /// The word, with its sign.
    word: &'t str,
    /// First byte of the word.
    start: usize,
    at: usize,
    /// The range that the completion replaces.
    range: Range,
}

/// Returns the texts that may replace the word before a byte offset.
pub(crate) fn completions(
    snapshot: &Snapshot,
    operations: &Operations,
    at: usize,
) -> Vec<CompletionItem> {
    let line_start = snapshot
        .part(0, at)
        .rfind(['\n', '\r'])
        .map_or(0, |at| at + 1);
    let line = snapshot.part(line_start, at);
    let all = tokens(line);
    if all
        .last()
        .is_some_and(|token| is_closed_to_completion(token, line))
    {
        return Vec::new();
    }
    let n_word: usize = line.chars().rev().take_while(|c| is_part(*c)).count();
    let before = line.get(..line.len() - n_word).unwrap_or_default();
    let sign = before.chars().next_back().filter(|c| "%^@!#".contains(*c));
    let before = before
        .strip_suffix(['%', '^', '@', '!', '#'])
        .unwrap_or(before);
    let start = line_start + before.len();
    let place = Place {
        snapshot,
        before: before.trim_end(),
        word: line.get(before.len()..).unwrap_or_default(),
        start,
        at,
        range: snapshot.range(start, at),
    };
    let mut items = match sign {
        Some('%') => place.names(names::Kind::Value, CompletionItemKind::VARIABLE),
        Some('^') => place.names(names::Kind::Block, CompletionItemKind::REFERENCE),
        Some('@') => place.names(names::Kind::Symbol, CompletionItemKind::FUNCTION),
        Some('!') => place.types_of_dialects(operations),
        Some('#') => place.attributes_of_dialects(operations),
        _ if place.begins_operation() => place.operations(operations),
        _ if place.is_type() => place.types(operations),
        _ => place.attributes(operations, &all, line),
    };
    items.truncate(MAX_ITEMS);
    items
}

/// Returns whether the end of a line is inside a comment or a string.
fn is_closed_to_completion(last: &Token, line: &str) -> bool {
    let text = last.text(line);
    let is_open = text.len() == 1 || !text.ends_with('"');
    match last.kind {
        Kind::Comment => true,
        Kind::Text => is_open && last.end == line.len(),
        _ => false,
    }
}

impl Place<'_> {
    fn names(&self, kind: names::Kind, shown: CompletionItemKind) -> Vec<CompletionItem> {
        let mut known = BTreeSet::new();
        let mut items = Vec::new();
        let visible = self.snapshot.names().visible(self.start, kind);
        for (number, name) in visible.into_iter().enumerate() {
            let text = self.snapshot.part(name.start, name.end);
            // The results of the operation that is being written are not values yet.
            let is_own = !name.is_argument
                && kind == names::Kind::Value
                && !self.snapshot.part(name.end, self.start).contains('\n');
            if is_own || name.start == self.start || !known.insert(text) {
                continue;
            }
            let (_, line) = self.snapshot.line(name.start);
            items.push(CompletionItem {
                detail: Some(line.trim().to_owned()),
                // The nearest definition comes first.
                sort_text: Some(format!("{number:06}")),
                ..item(text, shown, self.range, text)
            });
        }
        items
    }

    /// Returns whether an operation may begin here: at the start of a line, after results, or after the start of a region.
    fn begins_operation(&self) -> bool {
        let before = self.before;
        let is_result = before.ends_with('=')
            && before.trim_start().starts_with('%')
            && !before.contains(['{', '(']);
        before.is_empty() || is_result || before.ends_with(") {") && self.word.is_empty()
    }

    fn operations(&self, operations: &Operations) -> Vec<CompletionItem> {
        let made = |label: &str, summary: &str| CompletionItem {
            detail: Some(summary.to_owned()),
            ..item(label, CompletionItemKind::KEYWORD, self.range, label)
        };
        let mut items = Vec::new();
        for operation in operations.all() {
            let label = operation.name;
            if label.contains(self.word) {
                items.push(made(label, operation.summary));
            }
            // `return` instead of `func.return`.
            if let Some(short) = Operations::short(label)
                && short.starts_with(self.word)
            {
                items.push(made(short, operation.summary));
            }
        }
        items
    }

    /// Returns whether a type belongs here: after a colon or an arrow, or in the list of types there.
    fn is_type(&self) -> bool {
        let before = self.before;
        if before.ends_with("->") || before.ends_with(':') {
            return true;
        }
        let colon = before.rfind(" :").max(before.rfind("->"));
        let rest = colon.and_then(|at| before.get(at + 2..));
        rest.is_some_and(|rest| rest.ends_with([',', '(', '<', 'x']) && !rest.contains(['%', '{']))
    }

    fn types(&self, operations: &Operations) -> Vec<CompletionItem> {
        let text = &self.snapshot.text;
        let mut items = Vec::new();
        let mut push = |label: &str, order: char| {
            items.push(CompletionItem {
                sort_text: Some(format!("{order}{label}")),
                ..item(label, CompletionItemKind::STRUCT, self.range, label)
            });
        };
        for label in used_types(text, self.at) {
            push(label, '0');
        }
        for label in WIDTHS.iter().chain(&TYPE_WORDS) {
            push(label, '1');
        }
        for ty in &operations.types {
            push(&format!("!{}", ty.name), '2');
        }
        items
    }

    fn types_of_dialects(&self, operations: &Operations) -> Vec<CompletionItem> {
        let kind = CompletionItemKind::STRUCT;
        let declared = operations.types.iter().map(|ty| CompletionItem {
            detail: Some(ty.summary.to_owned()),
            ..item(
                &format!("!{}", ty.name),
                kind,
                self.range,
                &format!("!{}", ty.name),
            )
        });
        self.aliases('!', kind)
            .into_iter()
            .chain(declared)
            .collect()
    }

    fn attributes_of_dialects(&self, operations: &Operations) -> Vec<CompletionItem> {
        let kind = CompletionItemKind::CONSTANT;
        let declared = operations.attributes.iter().map(|attribute| {
            let name = format!("#{}", attribute.name);
            CompletionItem {
                detail: Some(attribute.summary.to_owned()),
                ..item(&name, kind, self.range, &name)
            }
        });
        self.aliases('#', kind)
            .into_iter()
            .chain(declared)
            .collect()
    }

    /// Returns the aliases of the text, which are defined at the starts of lines.
    fn aliases(&self, sign: char, kind: CompletionItemKind) -> Vec<CompletionItem> {
        let lines = self.snapshot.text.lines();
        let lines = lines.filter(|line| line.starts_with(sign));
        let aliases = lines.filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            Some(CompletionItem {
                detail: Some(value.trim().chars().take(100).collect()),
                ..item(name.trim(), kind, self.range, name.trim())
            })
        });
        aliases.collect()
    }

    /// Returns the attributes of the operation of the line, inside a dictionary.
    fn attributes(
        &self,
        operations: &Operations,
        all: &[Token],
        line: &str,
    ) -> Vec<CompletionItem> {
        let opened = self.before.rfind('{');
        let is_open = opened.is_some_and(|at| !self.before.get(at..).unwrap_or("}").contains('}'));
        if !is_open || !self.before.ends_with(['{', ',']) {
            return Vec::new();
        }
        let words = all.iter().filter(|token| token.kind == Kind::Word);
        let mut known = words.filter_map(|token| operations.find(token.text(line)));
        let kind = CompletionItemKind::PROPERTY;
        let own = known
            .next()
            .map_or(&[][..], |operation| operation.attributes);
        let own = own.iter().map(|attribute| attribute.name);
        let own = own.map(|name| item(name, kind, self.range, &format!("{name} = ")));
        let keys = operations.keys.iter().map(|key| CompletionItem {
            detail: Some(key.summary.to_owned()),
            ..item(key.name, kind, self.range, &format!("{} = ", key.name))
        });
        own.chain(keys).collect()
    }
}

/// Returns the types with parameters in a text, each once, but not the one at a byte offset.
fn used_types(text: &str, at: usize) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for word in ["memref<", "tensor<", "vector<"] {
        for (start, _) in text.match_indices(word).take(MAX_ITEMS) {
            let rest = text.get(start..).unwrap_or_default();
            let rest = rest.lines().next().unwrap_or_default();
            let mut depth = 0;
            let end = rest.char_indices().find_map(|(at, c)| {
                match c {
                    '<' => depth += 1,
                    '>' => depth -= 1,
                    _ => {}
                }
                (c == '>' && depth == 0).then_some(at + 1)
            });
            let ty = end.and_then(|end| rest.get(..end));
            let is_here = |ty: &str| start < at && at <= start + ty.len();
            found.extend(ty.filter(|ty| !is_here(ty)));
        }
    }
    found
}
