//! The tokens of a text. Any text has tokens, so that unfinished texts have colours and folds too.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `// text`
    Comment,
    /// `"text"`; without its closing quote if the line ends before.
    Text,
    Number,
    /// A name without a sign: an operation, a keyword, a type.
    Word,
    /// `%x`
    Value,
    /// `^bb`
    Block,
    /// `@f`
    Symbol,
    /// `!t`
    Type,
    /// `#a`
    Attribute,
    /// One character.
    Sign,
}

/// A token; it does not contain a line end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// First byte.
    pub(crate) start: usize,
    /// The byte after the last one.
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Returns whether a character may be inside a name.
pub(crate) fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-')
}

/// Returns the tokens of a text, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(c) = rest.chars().next()
    {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        // In `4x8xi32` and `?xi32`, the `x` belongs to no name.
        let before = found.last().filter(|token| token.end == at);
        let is_dimension =
            before.is_some_and(|token| token.kind == Kind::Number || token.text(text) == "?");
        let (kind, length) = match c {
            '/' if rest.starts_with("//") => (Kind::Comment, line_length(rest)),
            '"' => (Kind::Text, text_length(rest)),
            'x' if is_dimension => (Kind::Sign, 1),
            '%' => (Kind::Value, 1 + name_length(rest, 1)),
            '^' => (Kind::Block, 1 + name_length(rest, 1)),
            '!' => (Kind::Type, 1 + name_length(rest, 1)),
            '#' => (Kind::Attribute, 1 + name_length(rest, 1)),
            '@' if rest.get(1..).is_some_and(|rest| rest.starts_with('"')) => (
                Kind::Symbol,
                1 + text_length(rest.get(1..).unwrap_or_default()),
            ),
            '@' => (Kind::Symbol, 1 + name_length(rest, 1)),
            '0'..='9' => (Kind::Number, number_length(rest)),
            'a'..='z' | 'A'..='Z' | '_' => (Kind::Word, word_length(rest)),
            _ => (Kind::Sign, c.len_utf8()),
        };
        let kind = match kind {
            Kind::Value | Kind::Block | Kind::Symbol | Kind::Type | Kind::Attribute
                if length == 1 =>
            {
                Kind::Sign
            }
            kind => kind,
        };
        found.push(Token {
            kind,
            start: at,
            end: at + length,
        });
        at += length;
    }
    found
}

fn line_length(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// Returns the length of the string at the start of a text.
fn text_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' | '\r' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn name_length(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.find(|c| !is_part(c)).unwrap_or(rest.len())
}

fn word_length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn number_length(text: &str) -> usize {
    if let Some(digits) = text.strip_prefix("0x") {
        let length = digits.find(|c: char| !c.is_ascii_hexdigit());
        let length = length.unwrap_or(digits.len());
        if length > 0 {
            return length + 2;
        }
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let whole = text.find(|c| !is_digit(c)).unwrap_or(text.len());
    let after = text.get(whole..).unwrap_or_default();
    let Some(fraction) = after.strip_prefix('.') else {
        return whole;
    };
    let digits = fraction.find(|c| !is_digit(c)).unwrap_or(fraction.len());
    let exponent = fraction.get(digits..).unwrap_or_default();
    let signed = exponent.strip_prefix(['e', 'E']);
    let signed = signed.map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    let n_exponent = match signed {
        Some(power) if power.starts_with(is_digit) => {
            let n = power.find(|c| !is_digit(c)).unwrap_or(power.len());
            exponent.len() - power.len() + n
        }
        _ => 0,
    };
    whole + 1 + digits + n_exponent
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_kind_is_found() {
        let text = "%a#1 = arith.constant 1.5e-3 : memref<4x?xi32, #m> // \u{e9}\n^bb0: \"a\\\"\" @\"q r\" !hw.t 0x1F";
        let found: Vec<(Kind, &str)> = tokens(text)
            .iter()
            .map(|token| (token.kind, token.text(text)))
            .filter(|(kind, _)| *kind != Kind::Sign)
            .collect();
        assert_eq!(
            found,
            [
                (Kind::Value, "%a"),
                (Kind::Attribute, "#1"),
                (Kind::Word, "arith.constant"),
                (Kind::Number, "1.5e-3"),
                (Kind::Word, "memref"),
                (Kind::Number, "4"),
                (Kind::Word, "i32"),
                (Kind::Attribute, "#m"),
                (Kind::Comment, "// \u{e9}"),
                (Kind::Block, "^bb0"),
                (Kind::Text, "\"a\\\"\""),
                (Kind::Symbol, "@\"q r\""),
                (Kind::Type, "!hw.t"),
                (Kind::Number, "0x1F"),
            ]
        );
    }

    #[test]
    fn many_strings_in_one_line_take_no_longer_than_in_many() {
        // If each string looked for the end of the line, this would take minutes.
        assert_eq!(tokens(&"\"a\" ".repeat(300_000)).len(), 300_000);
    }

    proptest! {
        #[test]
        fn tokens_of_any_text_are_in_order(text in "([%@^!#\"{}()=:,/\\\\ \n\r\u{e9}ax0-9.?-]|//|0x){0,60}") {
            let mut last = 0;
            for token in tokens(&text) {
                prop_assert!(last <= token.start && token.start < token.end);
                let part = text.get(token.start..token.end);
                prop_assert!(part.is_some_and(|part| !part.contains(['\n', '\r'])));
                last = token.end;
            }
        }
    }
}
