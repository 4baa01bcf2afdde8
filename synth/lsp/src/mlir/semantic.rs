//! Semantic tokens: the colours of a text.

use std::collections::BTreeSet;

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
};

use super::tokens::{Kind, Token, tokens};
use crate::document::Snapshot;
use crate::operations::Operations;

/// The token types, in the order of their numbers.
const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::MODIFIER,
    SemanticTokenType::TYPE,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::MACRO,
    SemanticTokenType::PROPERTY,
];

/// The only modifier: the definition of a name.
const DEFINITION: u32 = 1;

/// The names of the types and modifiers.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![SemanticTokenModifier::DEFINITION],
    }
}

/// Builtin types without parameters in their names.
pub(crate) const TYPE_WORDS: [&str; 14] = [
    "index", "none", "bf16", "f16", "f32", "f64", "f80", "f128", "memref", "tensor", "vector",
    "tuple", "complex", "function",
];

/// Returns whether a word is a builtin type: `index`, `i32`, `si8`, `memref`.
pub(crate) fn is_type(word: &str) -> bool {
    let width = ["si", "ui", "i"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix));
    let is_width = |width: &str| !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit());
    width.is_some_and(is_width) || TYPE_WORDS.contains(&word)
}

/// Returns the tokens of a text.
pub(crate) fn semantic_tokens(snapshot: &Snapshot, operations: &Operations) -> SemanticTokens {
    let text = snapshot.text.as_str();
    let names = snapshot.names();
    let all = tokens(text);
    let arguments = names.all.iter().filter(|name| name.is_argument);
    let arguments: BTreeSet<usize> = arguments.map(|name| name.start).collect();
    let mut data = Vec::new();
    let (mut last_line, mut last_start) = (0, 0);
    for (number, token) in all.iter().enumerate() {
        let definition = names.definition(token.start + 1);
        let definition = definition.map(|name| name.start);
        let is_argument = definition.is_some_and(|start| arguments.contains(&start));
        let kind = match token.kind {
            Kind::Comment => SemanticTokenType::COMMENT,
            Kind::Text => SemanticTokenType::STRING,
            Kind::Number => SemanticTokenType::NUMBER,
            Kind::Value if is_argument => SemanticTokenType::PARAMETER,
            Kind::Value => SemanticTokenType::VARIABLE,
            Kind::Block => SemanticTokenType::ENUM_MEMBER,
            Kind::Symbol => SemanticTokenType::FUNCTION,
            Kind::Type => SemanticTokenType::TYPE,
            // The number of a result, as in `%a#1`.
            Kind::Attribute if is_result_number(&all, number, text) => SemanticTokenType::NUMBER,
            Kind::Attribute => SemanticTokenType::MACRO,
            Kind::Word => match word_type(&all, number, text, operations) {
                Some(kind) => kind,
                None => continue,
            },
            Kind::Sign => continue,
        };
        let is_name = matches!(token.kind, Kind::Value | Kind::Block | Kind::Symbol);
        let is_definition = is_name && definition == Some(token.start);
        let range = snapshot.range(token.start, token.end);
        let (line, start) = (range.start.line, range.start.character);
        let number = TYPES.iter().position(|known| *known == kind);
        data.push(SemanticToken {
            delta_line: line - last_line,
            delta_start: match line == last_line {
                true => start - last_start,
                false => start,
            },
            length: range.end.character.saturating_sub(start),
            token_type: number.and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
            token_modifiers_bitset: if is_definition { DEFINITION } else { 0 },
        });
        (last_line, last_start) = (line, start);
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

fn is_result_number(all: &[Token], number: usize, text: &str) -> bool {
    let before = number.checked_sub(1).and_then(|number| all.get(number));
    let Some(token) = all.get(number) else {
        return false;
    };
    let digits = token.text(text).trim_start_matches('#');
    before.is_some_and(|before| before.kind == Kind::Value && before.end == token.start)
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn word_type(
    all: &[Token],
    number: usize,
    text: &str,
    operations: &Operations,
) -> Option<SemanticTokenType> {
    let word = all.get(number)?.text(text);
    if is_type(word) {
        return Some(SemanticTokenType::TYPE);
    }
    let before = number.checked_sub(1).and_then(|number| all.get(number));
    let after = all.get(number + 1);
    let begins = before.is_none_or(|before| {
        let between = text.get(before.end..all[number].start).unwrap_or_default();
        between.contains('\n') || matches!(before.text(text), "=" | "{")
    });
    if after.is_some_and(|after| after.text(text) == "=") {
        return Some(SemanticTokenType::PROPERTY);
    }
    if word.contains('.') || begins {
        return operations.find(word).map(|_| SemanticTokenType::KEYWORD);
    }
    Some(SemanticTokenType::MODIFIER)
}
