//! Text that a terminal may show: control characters and characters that reorder a line become escapes.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns true if a character moves the cursor, changes the terminal, breaks a line or reorders what is around it.
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

/// A name or message in one line: each unsafe character, line ends and tabs among them, becomes `\u` and four hexadecimal digits.
///
/// JSON and YAML read such an escape as the character, so text of theirs keeps its meaning.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, is_unsafe)
}

/// As [`printable`], but line ends and tabs stay.
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
