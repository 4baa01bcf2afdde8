//! The lexer of properties.

use sluice_ir::bits::Bits;

use super::PropertyError;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name(String),
    /// A number, and its width where it is written.
    Number(Bits, Option<u32>),
    Sign(&'static str),
    End,
}

/// A token and its column, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) column: usize,
}

/// Operator tokens; a token comes before its own prefixes.
const SIGNS: [&str; 35] = [
    "|->", "|=>", "->", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "##", "!", "~", "-", "+",
    "*", "&", "|", "^", "<", ">", "?", ":", "(", ")", "[", "]", "{", "}", ",", "$", "=", "/", "%",
];

/// The most bits of a literal.
pub(super) const MAX_BITS: u32 = 1 << 16;

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, PropertyError> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let column = text[..text.len() - rest.len()].chars().count() + 1;
        let error = |message: String| Err(PropertyError { column, message });
        let Some(first) = rest.chars().next() else {
            found.push(Token {
                kind: Kind::End,
                column,
            });
            return Ok(found);
        };
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let kind = if first.is_ascii_digit() {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '\''));
            let word = &rest[..end.unwrap_or(rest.len())];
            rest = &rest[word.len()..];
            match parse_number(word) {
                Ok((value, width)) => Kind::Number(value, width),
                Err(message) => return error(message),
            }
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !is_in_name(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            Kind::Name(word.to_owned())
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            // As in Verilog: an escaped name ends with a space.
            let end = escaped.find(char::is_whitespace).unwrap_or(escaped.len());
            rest = &escaped[end..];
            match end {
                0 => return error("a name is expected after `\\`".to_owned()),
                _ => Kind::Name(escaped[..end].to_owned()),
            }
        } else {
            match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(&"=") => return error("`=` is no operator; `==` compares".to_owned()),
                Some(sign) => {
                    rest = &rest[sign.len()..];
                    Kind::Sign(sign)
                }
                None => return error(format!("`{first}` is no part of a property")),
            }
        };
        found.push(Token { kind, column });
    }
}

/// Parses a number; it has a width where it is written as in `8'hff`.
fn parse_number(word: &str) -> Result<(Bits, Option<u32>), String> {
    let digits = |text: &str, radix| {
        let text = text.replace('_', "");
        let value = Bits::parse_unbounded(&text, radix).filter(|_| !text.is_empty());
        value.ok_or_else(|| {
            format!("`{word}` is no number; numbers are as `12`, `0xff`, `0b101`, `8'hff`")
        })
    };
    if let Some((width, value)) = word.split_once('\'') {
        let bits: Option<u32> = width.parse().ok();
        let bits = bits.filter(|bits| (1..=MAX_BITS).contains(bits));
        let bits =
            bits.ok_or_else(|| format!("the width of `{word}` is a number from 1 to {MAX_BITS}"))?;
        let value = value.strip_prefix(['s', 'S']).unwrap_or(value);
        let radix = match value.chars().next().map(|c| c.to_ascii_lowercase()) {
            Some('b') => 2,
            Some('o') => 8,
            Some('d') => 10,
            Some('h') => 16,
            _ => {
                return Err(format!(
                    "`{word}` has no base: `b`, `o`, `d` or `h` after the `'`"
                ));
            }
        };
        let value = digits(&value[1..], radix)?;
        if value.active_bits() > bits {
            return Err(format!("`{word}` does not fit into {bits} bits"));
        }
        return Ok((value, Some(bits)));
    }
    let value = match word.get(..2) {
        Some("0x" | "0X") => digits(&word[2..], 16)?,
        Some("0b" | "0B") => digits(&word[2..], 2)?,
        _ => digits(word, 10)?,
    };
    if value.active_bits() > MAX_BITS {
        return Err(format!("a number has at most {MAX_BITS} bits"));
    }
    Ok((value, None))
}
