//! The keys of a YAML text with the keys around them, found line by line, so that an unfinished text has an outline too.

/// A key in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The keys around it, outermost first.
    pub(crate) path: Vec<String>,
    pub(crate) key: String,
    /// First byte.
    pub(crate) start: usize,
    /// The byte after the last one.
    pub(crate) end: usize,
}

/// The text that belongs at the end of an unfinished text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    Key,
    Value,
    /// An item of a list: a value, or the first key of a mapping.
    Item,
}

/// The end of an unfinished text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cursor {
    /// The keys around it, outermost first; for a value, its key is the last one.
    pub(crate) path: Vec<String>,
    pub(crate) expected: Expected,
    /// First byte of the word that ends there.
    pub(crate) start: usize,
}

/// Returns the keys of a text.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut scan = Scan::default();
    scan.run(text);
    scan.entries
}

/// Returns the state at the end of a text; `None` in a comment.
pub(crate) fn cursor(text: &str) -> Option<Cursor> {
    let mut scan = Scan::default();
    scan.run(text);
    scan.cursor
}

/// A mapping or a list in braces or brackets.
struct Flow {
    is_mapping: bool,
    /// The key whose value is being read.
    key: Option<String>,
}

#[derive(Default)]
struct Scan {
    entries: Vec<Entry>,
    /// The keys around the current line, with their indentation.
    block: Vec<(usize, String)>,
    flow: Vec<Flow>,
    cursor: Option<Cursor>,
}

impl Scan {
    fn run(&mut self, text: &str) {
        let mut start = 0;
        for line in text.split('\n') {
            let content = without_comment(line);
            self.cursor = None;
            match self.flow.is_empty() {
                true => self.block_line(content, start),
                false => self.flow_line(content, start),
            }
            if content.len() < line.len() {
                self.cursor = None;
            }
            start += line.len() + 1;
        }
    }

    fn path(&self) -> Vec<String> {
        let block = self.block.iter().map(|(_, key)| key);
        let flow = self.flow.iter().filter_map(|flow| flow.key.as_ref());
        block.chain(flow).cloned().collect()
    }

    fn at(&mut self, expected: Expected, start: usize) {
        self.cursor = Some(Cursor {
            path: self.path(),
            expected,
            start,
        });
    }

    fn block_line(&mut self, line: &str, start: usize) {
        let mut rest = line.trim_start_matches([' ', '\t', '\u{feff}']);
        let mut is_item = false;
        while let Some(after) = rest.strip_prefix('-')
            && (after.is_empty() || after.starts_with([' ', '\r']))
        {
            let indent = line.len() - rest.len();
            self.block.retain(|(known, _)| *known <= indent);
            rest = after.trim_start_matches([' ', '\t', '\r']);
            is_item = true;
        }
        let indent = line.len() - rest.len();
        let at = start + indent;
        if !rest.trim().is_empty() && !is_item {
            self.block.retain(|(known, _)| *known < indent);
        }
        if rest.starts_with(['{', '[']) {
            return self.flow_line(rest, at);
        }
        let Some((key, n_key, n_all)) = key_of(rest) else {
            let kept = self.block.clone();
            if !is_item {
                self.block.retain(|(known, _)| *known < indent);
            }
            let expected = if is_item {
                Expected::Item
            } else {
                Expected::Key
            };
            self.at(expected, at);
            self.block = kept;
            return;
        };
        self.block.retain(|(known, _)| *known < indent);
        self.entries.push(Entry {
            path: self.path(),
            key: key.to_owned(),
            start: at,
            end: at + n_key,
        });
        self.block.push((indent, key.to_owned()));
        let value = rest.get(n_all..).unwrap_or_default();
        let blank = value.len() - value.trim_start_matches([' ', '\t']).len();
        let value = value.trim_start_matches([' ', '\t']);
        let at = at + n_all + blank;
        match value.starts_with(['{', '[']) {
            true => self.flow_line(value, at),
            false => self.at(Expected::Value, at),
        }
    }

    fn flow_line(&mut self, line: &str, start: usize) {
        let mut at = 0;
        let mut word = None;
        while let Some(rest) = line.get(at..)
            && let Some(c) = rest.chars().next()
        {
            match c {
                '{' | '[' => {
                    self.flow.push(Flow {
                        is_mapping: c == '{',
                        key: None,
                    });
                    (at, word) = (at + 1, None);
                }
                '}' | ']' => {
                    self.flow.pop();
                    (at, word) = (at + 1, None);
                    if self.flow.is_empty() {
                        // The rest of the line holds no keys.
                        return;
                    }
                }
                ',' => {
                    if let Some(flow) = self.flow.last_mut() {
                        flow.key = None;
                    }
                    (at, word) = (at + 1, None);
                }
                ' ' | '\t' | '\r' => at += 1,
                _ => {
                    let is_key = self
                        .flow
                        .last()
                        .is_some_and(|flow| flow.is_mapping && flow.key.is_none());
                    match key_of(rest).filter(|_| is_key) {
                        Some((key, n_key, n_all)) => {
                            self.entries.push(Entry {
                                path: self.path(),
                                key: key.to_owned(),
                                start: start + at,
                                end: start + at + n_key,
                            });
                            if let Some(flow) = self.flow.last_mut() {
                                flow.key = Some(key.to_owned());
                            }
                            (at, word) = (at + n_all, None);
                        }
                        None => {
                            word.get_or_insert(at);
                            at += scalar_length(rest);
                        }
                    }
                }
            }
        }
        let Some(flow) = self.flow.last() else {
            return;
        };
        let expected = match (flow.is_mapping, &flow.key) {
            (true, None) => Expected::Key,
            (true, Some(_)) => Expected::Value,
            (false, _) => Expected::Item,
        };
        self.at(expected, start + word.unwrap_or(line.len()));
    }
}

/// Returns the key at the start of a text, the length of its text, and its length with the colon.
fn key_of(text: &str) -> Option<(&str, usize, usize)> {
    let (key, n_key) = match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let inner = text.get(1..)?;
            let end = inner.find(quote)?;
            (inner.get(..end)?, end + 2)
        }
        _ => {
            let is_end = |at: &usize| {
                let after = text.get(at + 1..).unwrap_or_default();
                after.is_empty() || after.starts_with([' ', '\t', '\r', '\n'])
            };
            let colons = text.match_indices(':').map(|(at, _)| at);
            let end = colons.into_iter().find(is_end)?;
            let key = text.get(..end)?.trim_end();
            (key, key.len())
        }
    };
    let after = text.get(n_key..)?;
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let is_plain = !key.contains(['{', '}', '[', ']', ',', '\n']) && !key.is_empty();
    let has_colon = after.get(blank..)?.starts_with(':');
    (is_plain && has_colon).then_some((key, n_key, n_key + blank + 1))
}

/// Returns the bytes of the scalar at the start of a text in braces; at least one character.
fn scalar_length(text: &str) -> usize {
    let first = text.chars().next();
    let n_first = first.map_or(1, char::len_utf8);
    if let Some(quote @ ('"' | '\'')) = first {
        let inner = text.get(1..).unwrap_or_default();
        return inner.find(quote).map_or(text.len(), |end| end + 2);
    }
    let rest = text.get(n_first..).unwrap_or_default();
    let length = rest.find([',', '{', '}', '[', ']', ' ', '\t', '\r']);
    n_first + length.unwrap_or(rest.len())
}

/// Returns a line without its comment.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return line.get(..at).unwrap_or_default(),
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        before = c;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "# loops: x\ntop: f # loops\nloops:\n  i: {unroll: 2, 'ii': 1}\n  \u{e9}:\n    jam: 2\nbanks:\n  A:\n  - dim: 0\n    factor: 2\n  B: [{dim: 1},\n      {kind: cyclic}]\nkeep: [g, h]\n";

    #[test]
    fn keys_have_the_keys_around_them() {
        let found = entries(TEXT);
        let shown: Vec<String> = found
            .iter()
            .map(|entry| {
                let mut path = entry.path.clone();
                path.push(entry.key.clone());
                path.join(".")
            })
            .collect();
        assert_eq!(
            shown,
            [
                "top",
                "loops",
                "loops.i",
                "loops.i.unroll",
                "loops.i.ii",
                "loops.\u{e9}",
                "loops.\u{e9}.jam",
                "banks",
                "banks.A",
                "banks.A.dim",
                "banks.A.factor",
                "banks.B",
                "banks.B.dim",
                "banks.B.kind",
                "keep",
            ]
        );
        for entry in &found {
            let text = &TEXT[entry.start..entry.end];
            assert_eq!(text.trim_matches('\''), entry.key);
        }
    }

    #[test]
    fn an_unfinished_text_says_which_text_belongs_there() {
        for (text, path, expected, word) in [
            ("", &[][..], Expected::Key, ""),
            ("sty", &[], Expected::Key, "sty"),
            ("style: st", &["style"], Expected::Value, "st"),
            ("style:", &["style"], Expected::Value, ""),
            ("loops:\n  ", &["loops"], Expected::Key, ""),
            ("loops:\n  i:\n    un", &["loops", "i"], Expected::Key, "un"),
            ("loops:\n  i:\n  un", &["loops"], Expected::Key, "un"),
            ("loops:\n  i: {un", &["loops", "i"], Expected::Key, "un"),
            (
                "loops: {i: {style: e",
                &["loops", "i", "style"],
                Expected::Value,
                "e",
            ),
            ("loops: {i: {ii: 1}, ", &["loops"], Expected::Key, ""),
            ("keep: [f, g", &["keep"], Expected::Item, "g"),
            ("keep:\n- g", &["keep"], Expected::Item, "g"),
            (
                "banks:\n  A:\n    - di",
                &["banks", "A"],
                Expected::Item,
                "di",
            ),
            (
                "banks:\n  A:\n    - dim: 1\n      fa",
                &["banks", "A"],
                Expected::Key,
                "fa",
            ),
            ("loops:\n  i: {ii: 1}\n", &[], Expected::Key, ""),
        ] {
            let found = cursor(text).expect("it is no comment");
            assert_eq!(found.path, path, "{text}");
            assert_eq!(found.expected, expected, "{text}");
            assert_eq!(&text[found.start..], word, "{text}");
        }
        assert_eq!(cursor("style: static # st"), None);
    }

    proptest! {
        #[test]
        fn any_text_has_an_outline(text in "([-:{}\\[\\],#'\" \n\r\u{e9}ab]|loops:|- ){0,60}") {
            for entry in entries(&text) {
                prop_assert!(text.get(entry.start..entry.end).is_some());
            }
            for (at, _) in text.char_indices() {
                if let Some(cursor) = cursor(&text[..at]) {
                    prop_assert!(text.get(cursor.start..at).is_some());
                }
            }
        }
    }
}
