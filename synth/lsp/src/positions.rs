//! Places in a text: bytes here, lines and UTF-16 units in the protocol.

use lsp_types::{Position, Range};

/// Where the lines of a text start.
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    /// The position of byte `at`.
    pub(crate) fn position(&self, text: &str, at: usize) -> Position {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start <= at) - 1;
        let before = text.get(self.starts[line]..at).unwrap_or_default();
        Position {
            line: small(line),
            character: small(before.encode_utf16().count()),
        }
    }

    /// The range from byte `start` to byte `end`.
    pub(crate) fn range(&self, text: &str, start: usize, end: usize) -> Range {
        Range {
            start: self.position(text, start),
            end: self.position(text, end),
        }
    }

    /// The byte at a position; the end of the line where there is none.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let mut units = position.character as usize;
        let mut at = start;
        for c in text[start..end].chars() {
            if units == 0 || c == '\n' {
                break;
            }
            units = units.saturating_sub(c.len_utf16());
            at += c.len_utf8();
        }
        at
    }

    /// The byte at `line` and `column`, both from one, columns in bytes.
    pub(crate) fn byte(&self, text: &str, line: u32, column: u32) -> usize {
        let start = self.starts.get((line as usize).saturating_sub(1));
        let at = start.copied().unwrap_or(text.len()) + (column as usize).saturating_sub(1);
        at.min(text.len())
    }
}

fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf_16_units() {
        let text = "a\n\u{1F600}b\n";
        let lines = Lines::new(text);
        let at = text.find('b').expect("it is there");
        let position = lines.position(text, at);
        assert_eq!((position.line, position.character), (1, 2));
        assert_eq!(lines.offset(text, position), at);
        assert_eq!(lines.byte(text, 2, 5), at);
    }
}
