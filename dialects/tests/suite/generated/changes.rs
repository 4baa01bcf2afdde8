//! Mutations of modules in the generic form.

use sluice_ir::{Attribute, Body, Context, OperationId};

use super::{ATTRIBUTES, NAMES, Numbers, TYPES, accepted, context, print};

/// Returns the module with undeclared attributes added, once at every operation, and once at one operation after another.
pub(super) fn more_attributes(numbers: &mut Numbers, module: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for _ in 0..2 {
        let context = context();
        let Some(mut module) = accepted(&context, module) else {
            continue;
        };
        let every = numbers.percent(50);
        let body = module.inner_mut();
        add_attributes(numbers, &context, body, every);
        texts.push(print(&context, &module, true));
    }
    texts
}

fn add_attributes(numbers: &mut Numbers, context: &Context, body: &mut Body, every: bool) {
    let operations: Vec<OperationId> = body.walk_all();
    for operation in operations {
        if every || numbers.percent(30) {
            let (name, value) = entry(numbers, context);
            body.set_attribute(operation, context.name(&name), value);
        }
    }
    for (_, inner) in body.isolated_bodies_mut() {
        add_attributes(numbers, context, inner, every);
    }
}

/// Returns an undeclared attribute name, and a value.
fn entry(numbers: &mut Numbers, context: &Context) -> (String, Attribute) {
    let text = numbers.one_of(ATTRIBUTES).expect("there are attributes");
    let value = sluice_ir::text::parse_attribute(context, text).expect("the pool holds attributes");
    let names = [
        "extra", "u.x", "odd name", "%", "0", "a\"b", "é", "zz_last", "A",
    ];
    let name = numbers.one_of(&names).expect("there are names");
    ((*name).to_owned(), value)
}

/// Returns the module with one name replaced by another, wherever it is used as a string, a symbol or a port name.
pub(super) fn other_name(numbers: &mut Numbers, module: &str) -> String {
    let words = strings(module);
    let Some(word) = numbers.one_of(&words) else {
        return module.to_owned();
    };
    let name = numbers.one_of(NAMES).expect("there are names");
    let quoted = format!("\"{name}\"");
    let mut text = module.replace(&format!("\"{word}\""), &quoted);
    if word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        for direction in ["input", "output", "inout"] {
            let (old, new) = (
                format!("{direction} {word} :"),
                format!("{direction} {quoted} :"),
            );
            text = text.replace(&old, &new);
        }
        text = replace_symbol(&text, word, &quoted);
    }
    text
}

/// Replaces `@word` by `@"name"`.
fn replace_symbol(text: &str, word: &str, quoted: &str) -> String {
    let mut result = String::new();
    for (i, piece) in text.split('@').enumerate() {
        let rest = piece.strip_prefix(word).filter(|rest| {
            !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c))
        });
        match rest {
            Some(rest) if i > 0 => {
                result.push('@');
                result.push_str(quoted);
                result.push_str(rest);
            }
            _ => {
                result.push_str(if i > 0 { "@" } else { "" });
                result.push_str(piece);
            }
        }
    }
    result
}

/// Returns the strings of a text that are not operation names, and the names of ports.
fn strings(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('"') {
        let Some((word, behind)) = after.split_once('"') else {
            break;
        };
        if !behind.starts_with('(') && !word.contains('\\') && !found.contains(&word) {
            found.push(word);
        }
        rest = behind;
    }
    for direction in ["input ", "output ", "inout "] {
        for piece in text.split(direction).skip(1) {
            if let Some((word, _)) = piece.split_once(" :")
                && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
                && !found.contains(&word)
            {
                found.push(word);
            }
        }
    }
    found
}

/// Returns the module with one of its types replaced by another wherever it is used.
pub(super) fn other_type(numbers: &mut Numbers, module: &str) -> String {
    const FREQUENT: [&str; 8] = [
        "i1",
        "i8",
        "i32",
        "i64",
        "index",
        "f32",
        "memref<4xi32>",
        "tensor<4xf32>",
    ];
    let there: Vec<&str> = FREQUENT
        .iter()
        .chain(TYPES)
        .copied()
        .filter(|ty| module.contains(ty))
        .collect();
    let (Some(old), Some(new)) = (numbers.one_of(&there), numbers.one_of(TYPES)) else {
        return module.to_owned();
    };
    let mut result = String::new();
    let mut rest = module;
    while let Some(at) = rest.find(old) {
        let (before, after) = rest.split_at(at);
        let after = &after[old.len()..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
        let whole =
            !before.ends_with(|c: char| is_word(c) && c != 'x') && !after.starts_with(is_word);
        result.push_str(before);
        result.push_str(if whole { new } else { old });
        rest = after;
    }
    result + rest
}
