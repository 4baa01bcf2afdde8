//! Escapes text for a terminal: control characters and characters that reorder a line.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns true if a character moves the cursor, changes the terminal, breaks a line or reorders the text around it.
///
/// Source: Unicode 15, categories Cc, Zl and Zp, and the bidirectional format characters of Annex 9.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        )
}

/// Returns a name or message in one line: each unsafe character, including line ends and tabs, becomes `\u` and four hexadecimal
/// digits.
///
/// JSON and YAML read this escape as the character, so JSON and YAML text keeps its meaning.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, is_unsafe)
}

/// Escapes as [`printable`] does, but keeps line ends and tabs.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_unsafe(c) && c != '\n' && c != '\t')
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_escaped(c) {
            true => {
                let _ = write!(shown, "\\u{:04x}", u32::from(c));
            }
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}
