//! Formatting: the printer's text where it loses nothing, else the same lines with another indentation.

use lsp_types::{Range, TextEdit};
use sluice_dialects::builtin;
use sluice_ir::text::{PrintOptions, ValueNames, parse_module, print_module, print_operation};
use sluice_ir::{Diagnostics, View};

use super::tokens::{Kind, Token, tokens};
use crate::analysis::context;
use crate::document::Snapshot;

/// Blanks of one level.
const INDENT: usize = 2;

/// Maximum depth of the indentation, so that a text with many braces does not become one of blanks.
const MAX_DEPTH: usize = 100;

/// Returns the edits that format a text.
///
/// The printer loses comments, empty lines in functions, aliases, locations and explicit modules. A text with one of these keeps its lines.
pub(crate) fn edits(snapshot: &Snapshot) -> Vec<TextEdit> {
    let text = snapshot.text.as_str();
    // Resources at the end of a file may contain anything.
    if text.contains("{-#") {
        return Vec::new();
    }
    match printed(text) {
        Some(new) if new == text => Vec::new(),
        Some(new) => vec![TextEdit {
            range: snapshot.range(0, text.len()),
            new_text: new,
        }],
        None => indented(snapshot),
    }
}

/// Returns the printer's text of the operations; `None` if it would lose a part of the text.
fn printed(text: &str) -> Option<String> {
    let all = tokens(text);
    let first = all.first()?.text(text);
    let is_kept = |token: &Token| {
        let is_alias =
            matches!(token.kind, Kind::Type | Kind::Attribute) && is_first(text, token.start);
        let is_location = token.text(text) == "loc";
        token.kind != Kind::Comment && !is_alias && !is_location
    };
    let has_module = ["module", builtin::Module::NAME].contains(&first.trim_matches('"'));
    if has_module
        || text.contains(['\r', '\t'])
        || !all.iter().all(is_kept)
        || has_empty_line_inside(text, &all)
    {
        return None;
    }
    let (new, meaning) = print(text)?;
    let is_same = names(&new) == names(text) && print(&new) == Some((new.clone(), meaning));
    is_same.then_some(new)
}

/// Returns the names in a text, sorted.
fn names(text: &str) -> Vec<&str> {
    let all = tokens(text).into_iter();
    let all = all.filter(|token| matches!(token.kind, Kind::Value | Kind::Block | Kind::Symbol));
    let mut names: Vec<&str> = all.map(|token| token.text(text)).collect();
    names.sort_unstable();
    names
}

/// Returns whether only blanks are before a byte offset in its line.
fn is_first(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n')
}

/// Returns whether there is an empty line between braces.
fn has_empty_line_inside(text: &str, all: &[Token]) -> bool {
    let mut depth = 0_usize;
    let pairs = all.iter().zip(all.iter().skip(1));
    pairs.into_iter().any(|(token, next)| {
        match token.text(text) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let between = text.get(token.end..next.start).unwrap_or_default();
        depth > 0 && between.matches('\n').count() > 1
    })
}

/// Prints the operations of a text; empty lines between them stay. Also returns the generic form of the whole module, which two texts
/// share if they have the same meaning.
fn print(text: &str) -> Option<(String, String)> {
    let context = context();
    let mut found = Diagnostics::new();
    let module = parse_module(&context, text, "document", &mut found)?;
    if found.has_errors() {
        return None;
    }
    let options = PrintOptions {
        value_names: ValueNames::Source,
        local_scope: true,
        ..PrintOptions::default()
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let body = module.inner();
    let mut new = String::new();
    for operation in module.top_level_operations() {
        let view = View::new(&context, body, operation);
        let (_, line, _) = view.location().file_line_column(&context)?;
        let before = usize::try_from(line).ok()?.checked_sub(2);
        let has_gap = before.and_then(|line| lines.get(line));
        if has_gap.is_some_and(|line| line.trim().is_empty()) && !new.is_empty() {
            new.push('\n');
        }
        new += &print_operation(&context, body, operation, &options);
        if !new.ends_with('\n') {
            new.push('\n');
        }
    }
    let generic = PrintOptions {
        generic: true,
        ..PrintOptions::default()
    };
    Some((new, print_module(&context, &module, &generic)))
}

/// The brackets that are open at the start of a line.
#[derive(Clone, Copy, Default)]
struct Open {
    braces: usize,
    /// Parentheses and square brackets.
    lists: usize,
}

/// Returns the edits of the blanks at the starts and the ends of lines.
fn indented(snapshot: &Snapshot) -> Vec<TextEdit> {
    let text = snapshot.text.as_str();
    let all = tokens(text);
    let mut edits = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut next = 0;
    let mut continues = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let end = start + content.len();
        let first = next;
        while all.get(next).is_some_and(|token| token.start < end) {
            next += 1;
        }
        let here = all.get(first..next).unwrap_or_default();
        // Closing brackets at the start of the line belong to the line with the opening ones.
        let is_closing = |token: &&Token| matches!(token.text(text), "}" | ")" | "]");
        let n_closed = here.iter().take_while(is_closing).count();
        let mut around = Open::default();
        for sign in open.iter().take(open.len().saturating_sub(n_closed)) {
            match *sign {
                "{" => around.braces += 1,
                _ => around.lists += 1,
            }
        }
        let is_label = here.first().is_some_and(|token| token.kind == Kind::Block);
        let is_continued = continues || begins_with_rest(here, text);
        let mut depth = around.braces.min(MAX_DEPTH);
        if is_label {
            depth = depth.saturating_sub(1);
        } else if n_closed == 0 && (around.lists > 0 || is_continued) {
            depth += 2;
        }
        let wanted = if here.is_empty() { 0 } else { depth * INDENT };
        let trimmed = content.trim_start();
        let n_blank = content.len() - trimmed.len();
        let is_wanted = content
            .get(..n_blank)
            .is_some_and(|blanks| blanks == " ".repeat(wanted));
        if !is_wanted {
            edits.push(replaced(
                snapshot.range(start, start + n_blank),
                " ".repeat(wanted),
            ));
        }
        let n_kept = trimmed.trim_end().len();
        if n_kept < trimmed.len() && n_kept > 0 {
            let blanks = snapshot.range(start + n_blank + n_kept, end);
            edits.push(replaced(blanks, String::new()));
        }
        for token in here {
            match token.text(text) {
                sign @ ("{" | "(" | "[") => open.push(sign),
                "}" | ")" | "]" => {
                    open.pop();
                }
                _ => {}
            }
        }
        let code = here.iter().rfind(|token| token.kind != Kind::Comment);
        if let Some(last) = code {
            let ends_open = matches!(last.text(text), "=" | ":");
            let is_label = is_label && last.text(text) == ":";
            continues = ends_open && !is_label;
        }
        start += line.len();
    }
    if !text.is_empty() && !text.ends_with('\n') {
        let end = snapshot.range(text.len(), text.len());
        edits.push(replaced(end, "\n".to_owned()));
    }
    edits
}

/// Returns whether a line begins with a part of an operation that no operation begins with.
fn begins_with_rest(line: &[Token], text: &str) -> bool {
    let first = line.first().map(|token| token.text(text));
    matches!(first, Some(":" | "," | "-"))
}

fn replaced(range: Range, new_text: String) -> TextEdit {
    TextEdit { range, new_text }
}
