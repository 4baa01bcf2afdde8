//! Conversion of positions in a text: bytes here; lines and UTF-8, UTF-16 or UTF-32 units in the protocol.
//!
//! The conversions are total. A line after the last one maps to the end of the text, a character after the end of a line to the
//! end of that line, and a position inside a character to the start of that character.

use lsp_types::{Position, PositionEncodingKind, Range};

/// The units in which a client counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// 16-bit code units; the default of the protocol.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// Returns the first known encoding that a client offers.
    pub(crate) fn negotiated(offered: &[&str]) -> Self {
        let known = offered.iter().find_map(|name| match *name {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        });
        known.unwrap_or_default()
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// The starts of the lines of a text. In the protocol, lines end with `\n`, `\r\n` or `\r`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// The line starts of the parser, where only `\n` ends a line.
    parser_starts: Vec<usize>,
    is_ascii: bool,
    encoding: Encoding,
}

/// Returns whether a line of the protocol starts at byte `at`.
fn is_start(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    match at.checked_sub(1).and_then(|before| bytes.get(before)) {
        None => at == 0,
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at) != Some(&b'\n'),
        Some(_) => false,
    }
}

/// Returns whether a line of the parser starts at byte `at`.
fn is_parser_start(text: &str, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    before.is_none_or(|byte| *byte == b'\n') && at <= text.len()
}

/// Returns the start of the last character that starts at byte `at` or before it.
fn rounded_down(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    let mut candidates = (0..=at).rev();
    let boundary = candidates.find(|at| text.is_char_boundary(*at));
    boundary.unwrap_or(0)
}

impl Lines {
    pub(crate) fn new(text: &str, encoding: Encoding) -> Self {
        let all = |starts: fn(&str, usize) -> bool| {
            let breaks = text.bytes().enumerate();
            let breaks = breaks.filter(|(_, byte)| matches!(byte, b'\n' | b'\r'));
            let after = breaks.map(|(at, _)| at + 1);
            let after = after.filter(|at| starts(text, *at));
            std::iter::once(0).chain(after).collect()
        };
        Self {
            starts: all(is_start),
            parser_starts: all(is_parser_start),
            is_ascii: text.is_ascii(),
            encoding,
        }
    }

    /// Updates the lines after an edit that replaced the bytes from `start` to `end` by `n_new` others; `text` is the new text.
    pub(crate) fn replace(&mut self, text: &str, start: usize, end: usize, n_new: usize) {
        let new_end = start + n_new;
        let splice = |known: &mut Vec<usize>, starts: fn(&str, usize) -> bool| {
            // A line start depends on the bytes before and after it.
            let first = known.partition_point(|at| *at < start);
            let last = known.partition_point(|at| *at <= end);
            for at in known.iter_mut().skip(last) {
                *at = *at - end + new_end;
            }
            let new = (start..=new_end).filter(|at| starts(text, *at));
            let new: Vec<usize> = new.collect();
            known.splice(first..last, new);
        };
        splice(&mut self.starts, is_start);
        splice(&mut self.parser_starts, is_parser_start);
        self.is_ascii = text.is_ascii();
    }

    /// Returns the bytes of a line of the protocol, without its line ending.
    fn content(&self, text: &str, line: usize) -> Option<(usize, usize)> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied();
        let content = text.get(start..end.unwrap_or(text.len()))?;
        let content = match end {
            Some(_) => {
                let content = content.strip_suffix('\n').unwrap_or(content);
                content.strip_suffix('\r').unwrap_or(content)
            }
            None => content,
        };
        Some((start, start + content.len()))
    }

    /// Returns the position of byte `at`.
    pub(crate) fn position(&self, text: &str, at: usize) -> Position {
        let at = rounded_down(text, at);
        let line = self
            .starts
            .partition_point(|start| *start <= at)
            .saturating_sub(1);
        let (start, end) = self.content(text, line).unwrap_or((0, 0));
        let before = text.get(start..at.min(end)).unwrap_or_default();
        let character = match self.is_ascii {
            true => before.len(),
            false => before.chars().map(|c| self.encoding.units(c)).sum(),
        };
        Position {
            line: small(line),
            character: small(character),
        }
    }

    /// Returns the range from byte `start` to byte `end`.
    pub(crate) fn range(&self, text: &str, start: usize, end: usize) -> Range {
        Range {
            start: self.position(text, start),
            end: self.position(text, end),
        }
    }

    /// Returns the byte at a position.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let Some((start, end)) = self.content(text, large(position.line)) else {
            return text.len();
        };
        let mut left = large(position.character);
        if self.is_ascii {
            return start.saturating_add(left).min(end);
        }
        let mut at = start;
        for c in text.get(start..end).unwrap_or_default().chars() {
            let units = self.encoding.units(c);
            if left < units {
                break;
            }
            left -= units;
            at += c.len_utf8();
        }
        at
    }

    /// Returns the byte at `line` and `column` of the parser: both count from one, columns in bytes.
    pub(crate) fn parser_byte(&self, text: &str, line: u32, column: u32) -> usize {
        let start = self.parser_starts.get(large(line).saturating_sub(1));
        let start = start.copied().unwrap_or(text.len());
        let at = start.saturating_add(large(column).saturating_sub(1));
        rounded_down(text, at)
    }

    /// Returns the parser's line and column of byte `at`.
    pub(crate) fn parser_place(&self, at: usize) -> (u32, u32) {
        let line = self.parser_starts.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|i| self.parser_starts.get(i));
        let column = at - start.copied().unwrap_or(0) + 1;
        (small(line), small(column))
    }
}

fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn large(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn characters_are_counted_as_the_client_counts() {
        let text = "a\n\u{e9}\u{1F600}b\n";
        let place = text.find('b').expect("it is there");
        for (encoding, character) in [
            (Encoding::Utf8, 6),
            (Encoding::Utf16, 3),
            (Encoding::Utf32, 2),
        ] {
            let lines = Lines::new(text, encoding);
            assert_eq!(lines.position(text, place), at(1, character));
            assert_eq!(lines.offset(text, at(1, character)), place);
            assert_eq!(lines.parser_byte(text, 2, 7), place);
            assert_eq!(lines.parser_place(place), (2, 7));
        }
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_before() {
        let text = "\u{1F600}x\r\nlast";
        let lines = Lines::new(text, Encoding::Utf16);
        // Inside a surrogate pair.
        assert_eq!(lines.offset(text, at(0, 1)), 0);
        assert_eq!(lines.offset(text, at(0, 2)), 4);
        // After the end of a line, without its `\r`.
        assert_eq!(lines.offset(text, at(0, 4)), 5);
        assert_eq!(lines.offset(text, at(0, u32::MAX)), 5);
        assert_eq!(lines.position(text, 6), at(0, 3));
        // After the last line, which has no line ending.
        assert_eq!(lines.offset(text, at(1, 9)), text.len());
        assert_eq!(lines.offset(text, at(2, 0)), text.len());
        assert_eq!(lines.offset(text, at(u32::MAX, u32::MAX)), text.len());
        assert_eq!(lines.position(text, usize::MAX), at(1, 4));
        let bytes = Lines::new(text, Encoding::Utf8);
        assert_eq!(bytes.offset(text, at(0, 3)), 0);
    }

    #[test]
    fn the_first_known_encoding_is_taken() {
        assert_eq!(Encoding::negotiated(&[]), Encoding::Utf16);
        assert_eq!(Encoding::negotiated(&["utf-7"]), Encoding::Utf16);
        assert_eq!(
            Encoding::negotiated(&["x", "utf-8", "utf-32"]),
            Encoding::Utf8
        );
    }

    fn texts() -> impl Strategy<Value = String> {
        let pieces = prop_oneof![
            Just("\n"),
            Just("\r\n"),
            Just("\r"),
            Just("a"),
            Just("%b "),
            Just("\u{e9}"),
            Just("\u{20ac}"),
            Just("\u{1F600}"),
        ];
        prop::collection::vec(pieces, 0..20).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn every_place_has_a_position_that_leads_back(text in texts()) {
            for encoding in ENCODINGS {
                let lines = Lines::new(&text, encoding);
                for byte in 0..text.len() + 2 {
                    let position = lines.position(&text, byte);
                    let back = lines.offset(&text, position);
                    prop_assert!(text.is_char_boundary(back));
                    prop_assert_eq!(lines.position(&text, back), position);
                    let inside_end = text.as_bytes().get(byte) == Some(&b'\n')
                        && byte.checked_sub(1).is_some_and(|b| text.as_bytes()[b] == b'\r');
                    if text.is_char_boundary(byte) && !inside_end {
                        prop_assert_eq!(back, byte);
                        let (line, column) = lines.parser_place(byte);
                        prop_assert_eq!(lines.parser_byte(&text, line, column), byte);
                    }
                }
            }
        }

        #[test]
        fn every_position_has_a_place(text in texts(), line in 0u32..30, character in 0u32..30) {
            for encoding in ENCODINGS {
                let lines = Lines::new(&text, encoding);
                let byte = lines.offset(&text, at(line, character));
                prop_assert!(text.is_char_boundary(byte));
                let back = lines.position(&text, byte);
                // The result is the given position, or one before it.
                prop_assert!((back.line, back.character) <= (line, character));
            }
        }

        #[test]
        fn lines_after_an_edit_are_those_of_the_new_text(
            text in texts(), new in texts(), a in 0usize..40, b in 0usize..40,
        ) {
            let mut lines = Lines::new(&text, Encoding::Utf16);
            let (a, b) = (rounded_down(&text, a), rounded_down(&text, b));
            let (start, end) = (a.min(b), a.max(b));
            let mut edited = text.clone();
            edited.replace_range(start..end, &new);
            lines.replace(&edited, start, end, new.len());
            prop_assert_eq!(lines, Lines::new(&edited, Encoding::Utf16));
        }
    }
}
