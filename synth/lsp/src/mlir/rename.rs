//! Renaming of values, blocks and symbols, and the occurrences of a name.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Range, TextEdit};

use super::tokens::{Kind as TokenKind, is_part, tokens};
use crate::document::Snapshot;
use crate::names::{Kind, Name, bare};

/// Returns the range and the text of the name at a byte offset, if it can be renamed: its definition is in the text.
pub(crate) fn renamable(snapshot: &Snapshot, at: usize) -> Option<(Range, String)> {
    snapshot.names().definition(at)?;
    let name = snapshot.names().at(at)?;
    let text = snapshot.part(name.start, name.end).to_owned();
    Some((snapshot.range(name.start, name.end), text))
}

/// Returns the edits that give the name at a byte offset a new name, with or without its sign.
///
/// # Errors
/// Why the new name is not valid there.
pub(crate) fn rename(snapshot: &Snapshot, at: usize, new: &str) -> Result<Vec<TextEdit>, String> {
    let names = snapshot.names();
    let Some(definition) = names.definition(at) else {
        return Err("there is no name with a definition in this file".to_owned());
    };
    let new = spelt(definition.kind, new)?;
    let old = snapshot.part(definition.start, definition.end);
    if old == new {
        return Ok(Vec::new());
    }
    let has_escape = |name: &&Name| {
        name.kind == Kind::Symbol && snapshot.part(name.start, name.end).contains('\\')
    };
    if definition.kind == Kind::Symbol && names.all.iter().any(|name| has_escape(&name)) {
        return Err(
            "a symbol in this file has an escape, as `\\41`, and may be the same one".to_owned(),
        );
    }
    let uses = names.references(at);
    let is_respelt = bare(definition.kind, old) == bare(definition.kind, &new);
    if !is_respelt && let Some(line) = clash(snapshot, definition, &uses, &new) {
        return Err(format!("`{new}` is defined in line {line} already"));
    }
    let edits = uses.iter().map(|name| TextEdit {
        range: snapshot.range(name.start, name.end),
        new_text: new.clone(),
    });
    Ok(edits.collect())
}

/// Returns a name with its sign.
///
/// # Errors
/// Why it is none.
fn spelt(kind: Kind, new: &str) -> Result<String, String> {
    let (sign, word) = match kind {
        Kind::Value => ('%', "a value"),
        Kind::Block => ('^', "a block"),
        Kind::Symbol => ('@', "a symbol"),
    };
    let bare = new.strip_prefix(sign).unwrap_or(new);
    let is_number = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
    let begins_well = bare.starts_with(|c: char| {
        c.is_ascii_alphabetic() || c == '_' || kind != Kind::Symbol && matches!(c, '$' | '.' | '-')
    });
    let is_word = begins_well && bare.chars().all(is_part);
    let is_quoted = kind == Kind::Symbol
        && bare.len() > 2
        && bare.starts_with('"')
        && bare.ends_with('"')
        && !bare
            .get(1..bare.len() - 1)
            .unwrap_or("\"")
            .contains(['"', '\\', '\n', '\r']);
    match is_word || is_quoted || is_number && kind != Kind::Symbol {
        true => Ok(format!("{sign}{bare}")),
        false => Err(format!(
            "`{new}` is no name of {word}: letters, digits, `_`, `$`, `.` and `-`, and a letter or `_` first"
        )),
    }
}

/// Returns the line, from one, of a definition of the new name that the old name would hide, or that would hide it.
fn clash(snapshot: &Snapshot, definition: &Name, uses: &[&Name], new: &str) -> Option<usize> {
    let names = snapshot.names();
    let new = bare(definition.kind, new);
    let line_of = |at: usize| snapshot.part(0, at).matches('\n').count() + 1;
    if definition.kind == Kind::Symbol {
        // In the generic form a definition is a string.
        let all = tokens(&snapshot.text);
        let found = all.iter().find(|token| {
            token.kind == TokenKind::Text && token.text(&snapshot.text).trim_matches('"') == new
        });
        if let Some(token) = found {
            return Some(line_of(token.start));
        }
    }
    let same = names.all.iter().filter(|name| {
        name.kind == definition.kind && bare(name.kind, snapshot.part(name.start, name.end)) == new
    });
    let clashes = |name: &&Name| {
        definition.kind == Kind::Symbol
            || names.sees(name, definition)
            || names.sees(definition, name)
            || uses.iter().any(|one| names.sees(one, name))
    };
    let definitions = same.filter(|name| name.is_definition);
    let found = definitions.into_iter().find(clashes)?;
    Some(line_of(found.start))
}

/// Returns the occurrences of the name at a byte offset.
pub(crate) fn highlights(snapshot: &Snapshot, at: usize) -> Vec<DocumentHighlight> {
    let all = snapshot.names().references(at).into_iter();
    all.map(|name| DocumentHighlight {
        range: snapshot.range(name.start, name.end),
        kind: Some(match name.is_definition {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        }),
    })
    .collect()
}
