//! An open document: its text, edits of the text, and the requests that the text alone answers.

use std::sync::{Arc, OnceLock};

use lsp_types::{DocumentSymbol, Location, Position, Range, SymbolKind, Uri};

use crate::names::{Kind, Name, Names};
use crate::positions::{Encoding, Lines};

/// Maximum number of bytes of a line that are shown.
const MAX_SHOWN_BYTES: usize = 400;

/// The text after a certain edit.
pub(crate) struct Snapshot {
    pub(crate) text: String,
    pub(crate) lines: Lines,
    names: OnceLock<Names>,
}

impl Clone for Snapshot {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            lines: self.lines.clone(),
            names: OnceLock::new(),
        }
    }
}

impl Snapshot {
    pub(crate) fn new(text: &str, encoding: Encoding) -> Self {
        Self {
            text: text.to_owned(),
            lines: Lines::new(text, encoding),
            names: OnceLock::new(),
        }
    }

    /// Replaces a part of the text. Other owners of the `Arc` keep the old text.
    pub(crate) fn edit(this: &mut Arc<Self>, range: Range, new: &str) {
        let this = Arc::make_mut(this);
        this.names = OnceLock::new();
        let a = this.lines.offset(&this.text, range.start);
        let b = this.lines.offset(&this.text, range.end);
        let (start, end) = (a.min(b), a.max(b));
        this.text.replace_range(start..end, new);
        this.lines.replace(&this.text, start, end, new.len());
    }

    /// Returns the names in the text; computes them once.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(&self.text))
    }

    pub(crate) fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    pub(crate) fn range(&self, start: usize, end: usize) -> Range {
        self.lines.range(&self.text, start, end)
    }

    fn location(&self, uri: &Uri, name: &Name) -> Location {
        Location {
            uri: uri.clone(),
            range: self.range(name.start, name.end),
        }
    }

    /// Returns the text from byte `start` to byte `end`.
    pub(crate) fn part(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the line around a byte offset, with the offset of its start; a line that is too long to show is cut.
    pub(crate) fn line(&self, at: usize) -> (usize, &str) {
        let before = self.part(0, at);
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = self.part(start, self.text.len());
        let mut line = line.lines().next().unwrap_or_default();
        if line.len() > MAX_SHOWN_BYTES {
            let mut ends = (0..=MAX_SHOWN_BYTES).rev();
            let end = ends.find(|end| line.is_char_boundary(*end));
            line = line.get(..end.unwrap_or(0)).unwrap_or_default();
        }
        (start, line)
    }

    pub(crate) fn definition(&self, uri: &Uri, at: usize) -> Option<Location> {
        let found = self.names().definition(at)?;
        Some(self.location(uri, found))
    }

    pub(crate) fn references(&self, uri: &Uri, at: usize, with_definition: bool) -> Vec<Location> {
        let all = self.names().references(at).into_iter();
        let all = all.filter(|name| with_definition || !name.is_definition);
        all.map(|name| self.location(uri, name)).collect()
    }

    /// Returns functions and other symbols.
    pub(crate) fn symbols(&self) -> Vec<DocumentSymbol> {
        let symbols = self.names().all.iter();
        let symbols = symbols.filter(|name| name.kind == Kind::Symbol && name.is_definition);
        symbols
            .map(|name| {
                let (start, line) = self.line(name.start);
                let kind = if line.contains("module") {
                    SymbolKind::MODULE
                } else if line.contains("global") {
                    SymbolKind::VARIABLE
                } else {
                    SymbolKind::FUNCTION
                };
                let end = (start + line.len()).max(name.end);
                let symbol = self.part(name.start + 1, name.end);
                #[allow(deprecated)]
                DocumentSymbol {
                    name: symbol.trim_matches('"').to_owned(),
                    detail: Some(line.trim().trim_end_matches('{').trim().to_owned()),
                    kind,
                    tags: None,
                    deprecated: None,
                    range: self.range(start, end),
                    selection_range: self.range(name.start, name.end),
                    children: None,
                }
            })
            .collect()
    }
}
