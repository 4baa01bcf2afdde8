//! Typed access to the keys of a YAML text; every error is collected with its line.

use std::collections::BTreeMap;

use serde_yaml::Value;

use crate::error::DeviceError;
use sluice_ir::suggestion::did_you_mean;

/// Collected errors, with the line of each key path.
pub(crate) struct Complaints<'t> {
    origin: &'t str,
    lines: BTreeMap<String, usize>,
    found: Vec<DeviceError>,
}

impl<'t> Complaints<'t> {
    pub(crate) fn new(text: &str, origin: &'t str) -> Self {
        Self {
            origin,
            lines: key_lines(text),
            found: Vec::new(),
        }
    }

    /// Adds an error at a key, with its line or the line of the nearest enclosing key that has one.
    pub(crate) fn add(&mut self, key: &str, message: impl Into<String>) {
        let line = std::iter::successors(Some(key), |path| {
            path.rfind(['.', '[']).map(|end| &path[..end])
        })
        .find_map(|path| self.lines.get(path).copied());
        self.found.push(DeviceError {
            origin: self.origin.to_owned(),
            line,
            key: key.to_owned(),
            message: message.into(),
        });
    }

    /// Adds an error for a text that is not YAML.
    pub(crate) fn add_syntax(&mut self, error: &serde_yaml::Error) {
        let line = error.location().map(|location| location.line());
        self.found.push(DeviceError {
            origin: self.origin.to_owned(),
            line,
            key: String::new(),
            message: error.to_string(),
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns all errors sorted by line; errors of one line keep their order.
    pub(crate) fn into_sorted(mut self) -> Vec<DeviceError> {
        self.found.sort_by_key(|error| error.line);
        self.found
    }
}

/// A mapping and its key path.
pub(crate) struct Section<'v> {
    path: String,
    mapping: &'v serde_yaml::Mapping,
}

impl<'v> Section<'v> {
    /// Returns the mapping at a path. An unknown key is reported but is not a failure.
    pub(crate) fn open(
        value: &'v Value,
        path: String,
        known: &[&str],
        complaints: &mut Complaints<'_>,
    ) -> Option<Self> {
        let Value::Mapping(mapping) = value else {
            complaints.add(
                &path,
                format!("expected keys with values; {}", did_you_mean("", known)),
            );
            return None;
        };
        let section = Self { path, mapping };
        for key in mapping.keys() {
            match key.as_str() {
                Some(name) if known.contains(&name) => {}
                Some(name) => complaints.add(
                    &section.path_of(name),
                    format!("unknown key; {}", did_you_mean(name, known)),
                ),
                None => complaints.add(&section.path, "expected every key to be a word"),
            }
        }
        Some(section)
    }

    /// Returns the path of a key of this section.
    pub(crate) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Returns the value of a required key.
    pub(crate) fn required(&self, key: &str, complaints: &mut Complaints<'_>) -> Option<&'v Value> {
        let value = self.mapping.get(key);
        if value.is_none() {
            complaints.add(&self.path, format!("the key `{key}` is missing"));
        }
        value
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.mapping.contains_key(key)
    }

    /// Returns a required text that is not empty.
    pub(crate) fn text(&self, key: &str, complaints: &mut Complaints<'_>) -> Option<String> {
        match self.required(key, complaints)?.as_str().map(str::trim) {
            Some(text) if !text.is_empty() => Some(text.to_owned()),
            _ => {
                complaints.add(&self.path_of(key), "expected a text that is not empty");
                None
            }
        }
    }

    /// Returns a required number of at least 0.
    pub(crate) fn number(&self, key: &str, complaints: &mut Complaints<'_>) -> Option<f64> {
        match self.required(key, complaints)?.as_f64() {
            Some(number) if number.is_finite() && number >= 0.0 => Some(number),
            _ => {
                complaints.add(&self.path_of(key), "expected a number of at least 0");
                None
            }
        }
    }

    /// Returns a number of at least 0; 0 if the key is absent.
    pub(crate) fn number_or_zero(&self, key: &str, complaints: &mut Complaints<'_>) -> Option<f64> {
        if self.has(key) {
            self.number(key, complaints)
        } else {
            Some(0.0)
        }
    }

    /// Returns a required integer of at least `least`.
    pub(crate) fn count(
        &self,
        key: &str,
        least: u32,
        complaints: &mut Complaints<'_>,
    ) -> Option<u32> {
        match self
            .required(key, complaints)?
            .as_u64()
            .and_then(|number| u32::try_from(number).ok())
        {
            Some(number) if number >= least => Some(number),
            _ => {
                complaints.add(
                    &self.path_of(key),
                    format!("expected a whole number of at least {least}"),
                );
                None
            }
        }
    }

    /// Returns an integer; 0 if the key is absent.
    pub(crate) fn count_or_zero(&self, key: &str, complaints: &mut Complaints<'_>) -> Option<u32> {
        if self.has(key) {
            self.count(key, 0, complaints)
        } else {
            Some(0)
        }
    }

    /// Returns a required word, converted by `meaning`.
    pub(crate) fn word<T>(
        &self,
        key: &str,
        known: &[&str],
        meaning: impl Fn(&str) -> Option<T>,
        complaints: &mut Complaints<'_>,
    ) -> Option<T> {
        let word = self.text(key, complaints)?;
        let meant = meaning(&word);
        if meant.is_none() {
            complaints.add(
                &self.path_of(key),
                format!("unknown value `{word}`; {}", did_you_mean(&word, known)),
            );
        }
        meant
    }

    /// Returns the entries of a required list that is not empty, each with its path.
    pub(crate) fn list(
        &self,
        key: &str,
        complaints: &mut Complaints<'_>,
    ) -> Vec<(String, &'v Value)> {
        let path = self.path_of(key);
        match self.required(key, complaints) {
            Some(Value::Sequence(entries)) if !entries.is_empty() => entries
                .iter()
                .enumerate()
                .map(|(position, entry)| (format!("{path}[{position}]"), entry))
                .collect(),
            Some(_) => {
                complaints.add(&path, "expected a list that is not empty");
                Vec::new()
            }
            None => Vec::new(),
        }
    }
}

/// Returns the line, counted from 1, of every key and list entry in block style; entries inside `{}` or `[]` have no line of
/// their own.
///
/// Lines inside a multi-line text may add meaningless paths; no lookup uses those.
fn key_lines(text: &str) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    let mut open: Vec<Level> = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        let mut indent = line.len() - line.trim_start().len();
        let mut rest = line.trim();
        if rest.is_empty() || rest.starts_with('#') {
            continue;
        }
        while let Some(entry) = rest.strip_prefix("- ").or((rest == "-").then_some("")) {
            open.retain(|level| level.indent <= indent);
            let counted = open
                .last()
                .is_some_and(|level| level.indent == indent && level.n_entries.is_some());
            if !counted {
                open.push(Level {
                    indent,
                    name: String::new(),
                    n_entries: Some(0),
                });
            }
            let level = open.last_mut().expect("a level was just found or pushed");
            let position = level.n_entries.unwrap_or(0);
            level.name = format!("[{position}]");
            level.n_entries = Some(position + 1);
            lines.entry(path_of(&open)).or_insert(line_idx + 1);
            indent += rest.len() - entry.trim_start().len();
            rest = entry.trim_start();
        }
        let Some((key, _)) = rest
            .split_once(':')
            .filter(|(key, _)| !key.contains(['{', '"', '\'', ' ', '[']))
        else {
            continue;
        };
        open.retain(|level| level.indent < indent);
        open.push(Level {
            indent,
            name: key.to_owned(),
            n_entries: None,
        });
        lines.entry(path_of(&open)).or_insert(line_idx + 1);
    }
    lines
}

/// A key or a list that is open at some indentation.
struct Level {
    indent: usize,
    name: String,
    /// Number of entries so far, for a list.
    n_entries: Option<usize>,
}

fn path_of(open: &[Level]) -> String {
    open.iter().fold(String::new(), |path, level| {
        if path.is_empty() || level.n_entries.is_some() {
            path + &level.name
        } else {
            path + "." + &level.name
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_key_has_its_line() {
        let text = "a: 1\nb:\n  - c: 2\n    d:\n      - { e: 1 }\n      - { e: 2 }\n  - c: 3\nf:\n- g: 1\n- g: 2\nh:\n  i: 1\n";
        let lines = key_lines(text);
        let line_of = |path: &str| lines.get(path).copied();
        assert_eq!(line_of("a"), Some(1));
        assert_eq!(line_of("b[0].c"), Some(3));
        assert_eq!(line_of("b[0].d[1]"), Some(6));
        assert_eq!(line_of("b[1].c"), Some(7));
        assert_eq!(line_of("f[1].g"), Some(10));
        assert_eq!(line_of("h.i"), Some(12));
    }
}
