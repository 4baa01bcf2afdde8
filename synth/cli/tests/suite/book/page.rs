//! A Markdown page as the tests of the book read it: fenced blocks, headings, links and tables.

use std::path::{Path, PathBuf};

/// A fenced block.
pub(super) struct Block {
    /// Line of its first fence, from 1.
    pub line: usize,
    /// The first word after the fence; empty if there is none.
    pub language: String,
    /// The other words, divided by commas or spaces.
    words: Vec<String>,
    /// The lines between the fences, without the indentation of the fence.
    pub text: String,
}

impl Block {
    /// Whether the word follows the language.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|found| found == word)
    }

    /// The value of a word `key=value`.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let mut words = self.words.iter();
        words.find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }
}

/// A page.
pub(super) struct Page {
    /// Relative to the root of the project.
    pub path: PathBuf,
    /// The fenced blocks in order.
    pub blocks: Vec<Block>,
    /// The text with empty lines in place of blocks and without code spans.
    prose: String,
    /// The text of the headings.
    headings: Vec<String>,
}

impl Page {
    /// Reads `path`, which is relative to `root`.
    pub(super) fn read(root: &Path, path: &Path) -> Self {
        let text = std::fs::read_to_string(root.join(path))
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let (blocks, prose) = divided(&text);
        let is_heading =
            |line: &&str| line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        let headings = prose
            .lines()
            .filter(is_heading)
            .map(str::to_owned)
            .collect();
        Self {
            path: path.to_owned(),
            blocks,
            prose: without_code_spans(&prose),
            headings,
        }
    }

    /// The line `number` of the page, to begin a message with.
    pub(super) fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    /// The targets of links and images with their lines.
    pub(super) fn links(&self) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        let mut rest = 0;
        while let Some(start) = self.prose[rest..].find("](") {
            let start = rest + start + 2;
            let length = self.prose[start..].find(')').unwrap_or(0);
            let target = self.prose[start..start + length].split(' ').next();
            let line = self.prose[..start].matches('\n').count() + 1;
            found.push((line, target.unwrap_or_default()));
            rest = start + length;
        }
        found
    }

    /// The anchors of the headings, as GitHub and mdBook make them.
    pub(super) fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for heading in &self.headings {
            let kept = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = kept.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                _ => c.is_alphanumeric().then_some(c),
            });
            let anchor: String = kept.collect();
            let n_before = anchors.iter().filter(|other| **other == anchor).count();
            anchors.push(match n_before {
                0 => anchor,
                n => format!("{anchor}-{n}"),
            });
        }
        anchors
    }

    /// The cells of tables with their lines.
    pub(super) fn cells(&self) -> Vec<(usize, &str)> {
        let rows = self.prose.lines().enumerate();
        let rows = rows.filter(|(_, line)| line.starts_with('|'));
        rows.flat_map(|(i, line)| line.split('|').map(move |cell| (i + 1, cell)))
            .collect()
    }
}

/// The fenced blocks, and the text with empty lines in their place.
fn divided(text: &str) -> (Vec<Block>, String) {
    let (mut blocks, mut prose): (Vec<Block>, String) = (Vec::new(), String::new());
    let mut open: Option<usize> = None;
    for (i, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        match open {
            Some(_) if bare.trim_end() == "```" => open = None,
            Some(indent) => {
                let block = blocks.last_mut().expect("a block is open");
                let kept = line.len() - bare.len();
                block.text += &line[indent.min(kept)..];
                block.text.push('\n');
            }
            None if bare.starts_with("```") => {
                open = Some(line.len() - bare.len());
                let mut words = bare[3..].split([' ', ',']).map(str::to_owned);
                blocks.push(Block {
                    line: i + 1,
                    language: words.next().unwrap_or_default(),
                    words: words.filter(|word| !word.is_empty()).collect(),
                    text: String::new(),
                });
            }
            None => prose += line,
        }
        prose.push('\n');
    }
    (blocks, prose)
}

/// The text with the contents of code spans taken out; line ends stay.
fn without_code_spans(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let n = rest[start..].chars().take_while(|c| *c == '`').count();
        let (before, after) = (&rest[..start], &rest[start + n..]);
        kept += before;
        let fence = "`".repeat(n);
        match after.find(&fence) {
            Some(end) => {
                kept.push_str("code");
                kept.extend(after[..end].chars().filter(|c| *c == '\n'));
                rest = &after[end + n..];
            }
            None => rest = after,
        }
    }
    kept + rest
}
