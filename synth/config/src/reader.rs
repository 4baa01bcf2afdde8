//! Reader of YAML and JSON files that reports errors with their position in the text.

use std::path::Path;

use serde_yaml::{Mapping, Value};
use sluice_ir::diagnostics::excerpt;
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::printable::printable;
use sluice_ir::suggestion::did_you_mean;
use thiserror::Error;

use crate::entries::{Part, place_of_entry};
use crate::places::{Step, nearest_place};

/// An error in a configuration, with its position in the file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}:{column}: error: {message}")]
pub struct ConfigError {
    /// File name as the user gave it.
    pub file: String,
    /// Line, from one.
    pub line: usize,
    /// Column, from one.
    pub column: usize,
    /// The error, and what would be valid.
    pub message: String,
    /// The line with the error.
    pub excerpt: String,
}

impl ConfigError {
    /// Formats the message with its line.
    pub fn render(&self) -> String {
        excerpt_below(&self.to_string(), &self.excerpt, self.column)
    }
}

/// Formats a message with an excerpt of its line below it, and a mark at a column of the line (from one).
pub fn excerpt_below(message: &str, line: &str, column: usize) -> String {
    let (message, excerpt) = (printable(message), excerpt(line, column.saturating_sub(1)));
    format!("{message}\n{excerpt}")
}

/// Formats all errors and their number.
pub fn render(errors: &[ConfigError]) -> String {
    let mut text: String = errors.iter().map(ConfigError::render).collect();
    if errors.len() > 1 {
        text += &format!("{} errors\n", errors.len());
    }
    text
}

/// Maximum of a number without its own limit.
pub(crate) const MOST: f64 = 1e9;

/// Returns the text of a file by its path, or why it cannot be read.
pub type Files<'f> = &'f mut dyn FnMut(&str) -> Result<String, String>;

/// Collects errors while a file is read.
pub struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    /// The files that the text may name.
    files: Option<Files<'a>>,
    /// The line at which the search for keys starts, from zero.
    first_line: usize,
    /// Limits that the file must respect.
    pub limits: Limits,
    /// Errors so far, in the order in which they were found.
    pub errors: Vec<ConfigError>,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a text; `file` is its name in messages.
    pub fn new(text: &'a str, file: &'a str) -> Self {
        Self {
            // A byte order mark is not part of the text.
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            file,
            files: None,
            first_line: 0,
            limits: Limits::default(),
            errors: Vec::new(),
        }
    }

    /// The same for a text that may name other files.
    pub(crate) fn with_files(mut self, files: Files<'a>) -> Self {
        self.files = Some(files);
        self
    }

    /// Returns the text of the file with a path.
    pub(crate) fn read_file(&mut self, path: &str) -> Result<String, String> {
        match &mut self.files {
            Some(files) => files(path),
            None => Err("files are not read here".to_owned()),
        }
    }

    /// Returns the position of the first occurrence of a key in the text.
    fn place(&self, key: &str) -> (usize, usize) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_key = |line: &str, at: usize| {
            let after = &line[at + key.len()..];
            // JSON keys are in quotes.
            let after = after.strip_prefix('"').unwrap_or(after);
            !line[..at].ends_with(is_word) && after.trim_start().starts_with(':')
        };
        let lines = self.text.lines().enumerate().skip(self.first_line);
        for (i, line) in lines.filter(|_| !key.is_empty()) {
            let mut found = line.match_indices(key);
            if let Some((at, _)) = found.find(|(at, _)| is_key(line, *at)) {
                return (i + 1, line[..at].chars().count() + 1);
            }
        }
        (self.first_line + 1, 1)
    }

    /// Lets later searches for keys start at the line of occurrence `n` of `key`, or at the first line if there is none.
    pub fn look_from_nth(&mut self, key: &str, n: usize) {
        let has_key = |line: &&str| {
            let line = line.trim_start_matches(|c: char| c.is_whitespace() || "-{\"".contains(c));
            !key.is_empty()
                && line
                    .strip_prefix(key)
                    .map(|rest| rest.strip_prefix('"').unwrap_or(rest))
                    .is_some_and(|rest| rest.starts_with(':'))
        };
        let mut lines = self
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| has_key(line));
        self.first_line = lines.nth(n).map_or(0, |(i, _)| i);
    }

    /// Lets later searches for keys start at the line of item `n` of the list `cases`, or at the first line if the item has no
    /// line of its own.
    pub fn look_from_case(&mut self, n: usize) {
        self.first_line = self.line_of_case(n).map_or(0, |line| line - 1);
    }

    /// Returns the line of item `n` of the list `cases`, if it has one of its own.
    pub fn line_of_case(&self, n: usize) -> Option<usize> {
        let lines: Vec<&str> = self.text.lines().collect();
        let list = lines.iter().position(|line| line.starts_with("cases:"));
        let list = list?;
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_item = |line: &str| line.trim_start().starts_with("- ");
        let first = (list + 1..lines.len()).find(|i| is_item(lines[*i]))?;
        let own = |i: &usize| is_item(lines[*i]) && indent(lines[*i]) == indent(lines[first]);
        (first..lines.len()).filter(own).nth(n).map(|i| i + 1)
    }

    /// Lets later searches for keys start at the line of a memory under `storage`, or at the first line if it has no line of its
    /// own.
    pub(super) fn look_from_memory(&mut self, name: &str) {
        let mut lines = self.text.lines().enumerate();
        let under = lines.find(|(_, line)| line.starts_with("storage:"));
        let own = lines.find(|(_, line)| {
            let bare = line.trim_start().trim_start_matches(['\'', '"', '%', '@']);
            let rest = bare.strip_prefix(name);
            let rest = rest.map(|rest| rest.trim_start_matches(['\'', '"']));
            rest.is_some_and(|rest| rest.starts_with(':'))
        });
        self.first_line = under.and(own).map_or(0, |(line, _)| line);
    }

    /// Returns the position of a text after a key, as an error without a message. The position is that of the key if no line
    /// contains the text literally.
    pub fn place_of_text(&self, key: &str, text: &str) -> ConfigError {
        let (line, column) = self.place(key);
        let lines = self.text.lines().enumerate().skip(line.saturating_sub(1));
        // Match whole scalars only: after a key, a dash, a comma, a bracket or a quote, up to one of these or the end.
        let is_whole = |here: &str, at: usize| {
            let (before, behind) = (here[..at].trim_end(), here[at + text.len()..].trim_start());
            (before.is_empty() || before.ends_with([':', '-', ',', '[', '"', '\'']))
                && (behind.is_empty() || behind.starts_with([',', ']', '}', '"', '\'', '#']))
        };
        let mut found = lines.filter_map(|(i, here)| {
            let mut all = here.match_indices(text);
            let (at, _) = all.find(|(at, _)| is_whole(here, *at))?;
            Some((i + 1, here[..at].chars().count() + 1))
        });
        let (line, column) = found.next().unwrap_or((line, column));
        self.error_without_message(line, column)
    }

    /// Adds an error at the position of a key.
    pub fn error(&mut self, key: &str, message: impl Into<String>) {
        // Each error searches the whole text for its position, so their number is limited.
        if self.errors.len() >= self.limits.size(Limit::Errors) {
            return;
        }
        let (line, column) = self.place(key);
        self.push(line, column, message.into());
    }

    /// Adds an error at the place that a path leads to, or at the nearest part of the path that the text has.
    pub fn error_at(&mut self, path: &[Step], message: impl Into<String>) {
        if self.errors.len() >= self.limits.size(Limit::Errors) {
            return;
        }
        let (line, column) = nearest_place(self.text, path);
        self.push(line, column, message.into());
    }

    fn error_without_message(&self, line: usize, column: usize) -> ConfigError {
        let excerpt = self.text.lines().nth(line.saturating_sub(1));
        ConfigError {
            file: self.file.to_owned(),
            line,
            column,
            message: String::new(),
            excerpt: excerpt.unwrap_or_default().to_owned(),
        }
    }

    /// Returns the nearest part of a path that the text has, as an error without a message.
    pub(crate) fn place_of_path(&self, path: &[Step]) -> ConfigError {
        let (line, column) = nearest_place(self.text, path);
        self.error_without_message(line, column)
    }

    /// Adds an error at an entry: `path` has its number in each mapping or list around it, outermost first.
    pub fn error_at_entry(&mut self, path: &[usize], part: Part, message: impl Into<String>) {
        if self.errors.len() >= self.limits.size(Limit::Errors) {
            return;
        }
        let (line, column) = place_of_entry(self.text, path, part).unwrap_or((1, 1));
        self.push(line, column, message.into());
    }

    fn push(&mut self, line: usize, column: usize, message: String) {
        let excerpt = self.text.lines().nth(line.saturating_sub(1));
        self.error_in(
            self.file,
            (line, column),
            message,
            excerpt.unwrap_or_default(),
        );
    }

    /// Adds an error of another file, of which `excerpt` is a line.
    pub fn error_in(
        &mut self,
        file: &str,
        (line, column): (usize, usize),
        message: String,
        excerpt: &str,
    ) {
        self.errors.push(ConfigError {
            file: file.to_owned(),
            line,
            column,
            message,
            excerpt: excerpt.to_owned(),
        });
    }

    /// Returns the path of a file that is named relative to the folder of this one.
    pub fn beside(&self, file: &str) -> String {
        let path = Path::new(self.file).with_file_name(file);
        path.display().to_string()
    }

    /// Returns the top-level mapping, from YAML or, if the file name ends in `.json`, from JSON. Anything else is an error.
    pub fn mapping(&mut self) -> Option<Mapping> {
        if self.file.ends_with(".json") {
            return self.json();
        }
        match serde_yaml::from_str::<Value>(self.text) {
            Ok(Value::Mapping(mapping)) => Some(mapping),
            Ok(Value::Null) => Some(Mapping::new()),
            Ok(_) => {
                self.error("", "expected a mapping of keys to values");
                None
            }
            Err(error) => {
                let place = error.location();
                let (line, column) = place.map_or((1, 1), |p| (p.line(), p.column()));
                let mut message = error.to_string();
                if message.contains("as u128") || message.contains("as i128") {
                    message = "write a number of more than 64 bits in quotes".to_owned();
                }
                self.push(line, column, message);
                None
            }
        }
    }

    fn json(&mut self) -> Option<Mapping> {
        match serde_json::from_str::<Value>(self.text) {
            Ok(Value::Mapping(mapping)) => Some(mapping),
            Ok(_) => {
                self.error("", "expected an object of keys with values");
                None
            }
            Err(error) => {
                self.push(error.line(), error.column().max(1), error.to_string());
                None
            }
        }
    }

    /// Reports keys that are not in `known`, with the most similar one.
    pub fn unknown_keys(&mut self, mapping: &Mapping, known: &[&str]) {
        for key in mapping.keys() {
            let Some(key) = key.as_str() else {
                self.error("", "expected keys that are words");
                continue;
            };
            if !known.contains(&key) {
                let hint = did_you_mean(key, known);
                self.error(key, format!("unknown key `{key}`; {hint}"));
            }
        }
    }

    /// Reads `true` or `false`. Anything else is an error at `key`.
    pub(crate) fn flag_of(&mut self, key: &str, value: &Value) -> Option<bool> {
        let flag = value.as_bool();
        if flag.is_none() {
            self.error(key, format!("`{key}` is true or false"));
        }
        flag
    }

    /// Returns the meaning of one of `words`. Anything else is an error at `key`, which contains the text `expected`.
    pub(crate) fn word_of<T: Copy>(
        &mut self,
        key: &str,
        value: &Value,
        words: &[(&str, T)],
        expected: &str,
    ) -> Option<T> {
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        if found.is_none() {
            self.error(key, format!("`{key}` {expected}"));
        }
        found.map(|(_, meant)| *meant)
    }

    /// Reads a flag as [`Reader::flag_of`] into `place`, which keeps its value on an error.
    pub(crate) fn flag(&mut self, key: &str, value: &Value, place: &mut bool) {
        if let Some(flag) = self.flag_of(key, value) {
            *place = flag;
        }
    }

    /// Reads a number above 0. Anything else is an error at `key`.
    pub fn number(&mut self, key: &str, value: &Value) -> Option<f64> {
        let number = value.as_f64().filter(|v| *v > 0.0 && *v <= MOST);
        if number.is_none() {
            self.error(key, format!("`{key}` is a number above 0, up to {MOST}"));
        }
        number
    }

    /// Reads a whole number above 0 of at most 32 bits. Anything else is an error at `key`.
    pub fn count(&mut self, key: &str, value: &Value) -> Option<u32> {
        let count = value
            .as_u64()
            .and_then(|v| u32::try_from(v).ok())
            .filter(|v| *v > 0);
        if count.is_none() {
            let message = match value.as_u64() {
                Some(1..) => format!("`{key}` is a whole number up to {}", u32::MAX),
                _ => format!("`{key}` is a whole number above 0"),
            };
            self.error(key, message);
        }
        count
    }

    /// Reads a word. Anything else is an error at `key`.
    pub fn text(&mut self, key: &str, value: &Value) -> Option<String> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.error(key, format!("`{key}` is a word"));
        }
        text
    }
}
