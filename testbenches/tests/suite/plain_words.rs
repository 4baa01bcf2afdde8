//! Comments, texts and pages use plain words: `plain_words.yaml` lists the words to avoid, the allowed uses and the number of uses that are
//! left.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    words: Vec<Word>,
    beginnings: Vec<String>,
    allowed: Vec<Allowed>,
    left: BTreeMap<String, usize>,
}

/// A word to avoid.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    /// All its forms, in lower case. The first one is its name in `left`.
    forms: Vec<String>,
    /// The words to write instead.
    write: String,
    /// The next word that makes the word plain: "stands for".
    except_before: Option<String>,
}

impl Word {
    /// Counts the uses in the words of a line.
    fn uses(&self, words: &[String]) -> usize {
        let is_plain = |at: usize| {
            let next = words.get(at + 1);
            self.except_before.is_some() && next == self.except_before.as_ref()
        };
        let uses = words.iter().enumerate();
        uses.filter(|(at, word)| self.forms.contains(word) && !is_plain(*at))
            .count()
    }
}

/// A use that is the field's own term.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    /// The first form of the word.
    word: String,
    /// The start of the paths of the files, relative to the workspace.
    path: String,
    reason: String,
}

/// A line of text that a person reads, with its number.
struct Line {
    number: usize,
    text: String,
    /// Whether the line begins a sentence.
    begins: bool,
}

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    folder.expect("the workspace").to_owned()
}

/// Collects the sources and pages of a folder.
fn files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                files(&path, found);
            }
        } else if matches!(path.extension().and_then(|e| e.to_str()), Some("rs" | "md")) {
            found.insert(path);
        }
    }
}

/// Returns the comments and string literals of a Rust source.
fn lines_of_source(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut number = 1;
    let mut rest = text;
    let mut last_comment: Option<(usize, bool)> = None;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let comment = rest[..length].trim_start_matches(['/', '!']).trim();
            // A comment goes on from the line before unless that line ended a sentence.
            let goes_on =
                last_comment.is_some_and(|(line, is_whole)| line + 1 == number && !is_whole);
            last_comment = Some((number, comment.is_empty() || comment.ends_with(['.', ':'])));
            lines.push(Line {
                number,
                text: comment.to_owned(),
                begins: !goes_on,
            });
            length
        } else if let Some(length) = raw_literal(rest).or_else(|| literal(rest)) {
            for (offset, text) in rest[..length].lines().enumerate() {
                lines.push(Line {
                    number: number + offset,
                    text: text.to_owned(),
                    begins: false,
                });
            }
            length
        } else if let Some(length) = character(rest) {
            length
        } else {
            first.len_utf8()
        };
        number += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    lines
}

/// Returns the length of the raw string literal at the start of a text.
fn raw_literal(text: &str) -> Option<usize> {
    let after = text.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end)? + end.len();
    Some(text.len() - body.len() + length)
}

/// Returns the length of the string literal at the start of a text.
fn literal(text: &str) -> Option<usize> {
    let body = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(1 + at + 1),
            _ => {}
        }
    }
    None
}

/// Returns the length of the character literal of one character at the start of a text.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    if let Some(after) = body.strip_prefix('\\') {
        // The escaped character may be a quote itself.
        return Some(2 + after.find('\'')?.max(1) + 1);
    }
    let c = body.chars().next()?;
    body[c.len_utf8()..]
        .starts_with('\'')
        .then(|| 2 + c.len_utf8())
}

/// Returns the lines of a page, without its code blocks.
fn lines_of_page(text: &str) -> Vec<Line> {
    let (mut lines, mut is_code, mut goes_on) = (Vec::new(), false, false);
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            goes_on = false;
            continue;
        }
        if is_code {
            continue;
        }
        let bare = line.trim_start_matches([' ', '#', '*', '-', '|', '>']);
        lines.push(Line {
            number: index + 1,
            text: bare.to_owned(),
            begins: !goes_on,
        });
        goes_on = !bare.is_empty() && !bare.trim_end().ends_with(['.', ':']);
    }
    lines
}

/// Returns the words of a text in lower case, without the text between backquotes, which is code.
fn words(text: &str) -> Vec<String> {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let parts = prose.split(|c: char| !(c.is_alphabetic() || c == '\'' || c == '_' || c == '-'));
    let whole = parts.filter(|part| !part.is_empty() && !part.contains('_'));
    whole
        .flat_map(|part| part.split('-'))
        .map(str::to_lowercase)
        .collect()
}

/// Counts the sentences of a line that begin with a word.
fn beginnings(line: &Line, word: &str) -> usize {
    let is_word = |text: &str| {
        text.strip_prefix(word)
            .is_some_and(|after| !after.starts_with(char::is_alphanumeric) && !text.contains('?'))
    };
    let mut sentences = line.text.split(". ");
    let first = sentences.next().filter(|_| line.begins);
    first
        .into_iter()
        .chain(sentences)
        .filter(|text| is_word(text))
        .count()
}

#[test]
fn plain_words_are_used() {
    let root = root();
    let file = root.join("testbenches/plain_words.yaml");
    let text = fs::read_to_string(&file).expect("the list is part of the repository");
    let list: List = serde_yaml::from_str(&text).expect("the list has the form of `List`");
    for allowed in &list.allowed {
        assert!(
            !allowed.reason.is_empty(),
            "`{}` needs a reason",
            allowed.word
        );
    }
    let mut all = BTreeSet::new();
    files(&root, &mut all);
    let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut is_used = vec![false; list.allowed.len()];
    for path in &all {
        let below = path.strip_prefix(&root).expect("it is in the workspace");
        let below = below.to_string_lossy().replace('\\', "/");
        if below.ends_with("plain_words.rs") {
            continue;
        }
        let text = fs::read_to_string(path).expect("a source is text");
        let lines = match below.ends_with(".rs") {
            true => lines_of_source(&text),
            false => lines_of_page(&text),
        };
        for line in &lines {
            let found = words(&line.text);
            for word in &list.words {
                let n = word.uses(&found);
                let name = word.forms.first().expect("a word has a form");
                let allowed = list
                    .allowed
                    .iter()
                    .position(|allowed| allowed.word == *name && below.starts_with(&allowed.path));
                if n > 0
                    && let Some(index) = allowed
                {
                    is_used[index] = true;
                    continue;
                }
                for _ in 0..n {
                    let place = format!("{below}:{}: write {}", line.number, word.write);
                    uses.entry(name.clone()).or_default().push(place);
                }
            }
            for word in &list.beginnings {
                for _ in 0..beginnings(line, word) {
                    let place = format!("{below}:{}: begin with the subject", line.number);
                    uses.entry(format!("{word} ...")).or_default().push(place);
                }
            }
        }
    }
    for (allowed, is_used) in list.allowed.iter().zip(is_used) {
        let (word, path) = (&allowed.word, &allowed.path);
        assert!(
            is_used,
            "`{word}` is allowed in `{path}` and not used there"
        );
    }
    let found: BTreeMap<String, usize> = uses
        .iter()
        .map(|(word, places)| (word.clone(), places.len()))
        .collect();
    let grown: Vec<&String> = found
        .iter()
        .filter(|(word, n)| **n > list.left.get(*word).copied().unwrap_or_default())
        .map(|(word, _)| word)
        .collect();
    if grown.is_empty() && found != list.left && std::env::var_os("UPDATE_EXPECT").is_some() {
        write_left(&file, &text, &found);
        return;
    }
    let mut message = String::new();
    for word in grown {
        let left = list.left.get(word).copied().unwrap_or_default();
        let places = &uses[word];
        let _ = writeln!(message, "`{word}`: {} uses, {left} are left:", places.len());
        for place in places {
            let _ = writeln!(message, "  {place}");
        }
    }
    assert!(message.is_empty(), "\n{message}");
    assert_eq!(
        found, list.left,
        "fewer uses are left: `UPDATE_EXPECT=1 cargo test -p sluice-testbenches --test suite plain_words` records them"
    );
}

/// Replaces the numbers at the end of the list.
fn write_left(file: &Path, text: &str, found: &BTreeMap<String, usize>) {
    let start = text.find("\nleft:").expect("the list ends with `left`");
    let mut new = format!("{}\nleft:", &text[..start]);
    if found.is_empty() {
        new.push_str(" {}");
    }
    for (word, n) in found {
        let _ = write!(new, "\n  {word}: {n}");
    }
    new.push('\n');
    fs::write(file, new).expect("the list can be written");
}

#[test]
fn comments_and_literals_are_found() {
    let source = "let a = 'x'; // one\nlet b = \"two \\\" three\"; let c = r#\"four\"#; let d = '\\''; /// What five.\n";
    let texts: Vec<String> = lines_of_source(source)
        .into_iter()
        .map(|line| line.text)
        .collect();
    assert_eq!(
        texts,
        ["one", "\"two \\\" three\"", "r#\"four\"#", "What five."]
    );
    assert_eq!(words("a `ring` by-pass, Two"), ["a", "by", "pass", "two"]);
}
