//! Tokens of a format, with their places.

use std::ops::Range;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    Literal(String),
    Variable(String),
    Word(String),
    /// `"text"`: an argument of a custom directive.
    Text(String),
    Punctuation(char),
}

/// A fault in a format: the place in its text, in bytes, and the message.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) place: Range<usize>,
    pub(crate) message: String,
}

pub(crate) type Result<T> = std::result::Result<T, Fault>;

pub(crate) fn fault<T>(place: &Range<usize>, message: impl Into<String>) -> Result<T> {
    Err(Fault {
        place: place.clone(),
        message: message.into(),
    })
}

/// Divides a format into tokens.
pub(crate) fn lex(text: &str) -> Result<Vec<(Token, Range<usize>)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let word_length = |rest: &str| {
        rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
            .unwrap_or(rest.len())
    };
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        let token = match c {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '`' | '"' => {
                let Some(length) = rest[1..].find(c) else {
                    return fault(&(start..text.len()), format!("expected a closing `{c}`"));
                };
                at += length + 2;
                let inner = rest[1..=length].to_owned();
                match c {
                    '`' => Token::Literal(inner),
                    _ => Token::Text(inner),
                }
            }
            '$' => {
                let length = word_length(&rest[1..]);
                if length == 0 {
                    return fault(&(start..start + 1), "expected a name after `$`");
                }
                at += length + 1;
                Token::Variable(rest[1..=length].to_owned())
            }
            '(' | ')' | '?' | ':' | ',' | '^' | '<' | '>' | '|' => {
                at += 1;
                Token::Punctuation(c)
            }
            c if c.is_ascii_alphabetic() => {
                at += word_length(rest);
                Token::Word(rest[..at - start].to_owned())
            }
            c => {
                let message = format!("unexpected character `{c}` in a format");
                return fault(&(start..start + c.len_utf8()), message);
            }
        };
        tokens.push((token, start..at));
    }
    Ok(tokens)
}
