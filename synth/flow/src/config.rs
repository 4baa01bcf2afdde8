//! The configuration of a kernel: `kernel.yaml`. Unknown keys are errors that suggest the right one.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};
use thiserror::Error;

/// What is asked for one loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopDirectives {
    /// `false` keeps an innermost loop sequential.
    pub pipeline: Option<bool>,
    /// The initiation interval wanted, in cycles.
    pub ii: Option<u32>,
    /// Copies of the body.
    pub unroll: Option<u32>,
}

/// The configuration of one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The function to compile; the last public one if not said.
    pub top: Option<String>,
    /// Device name.
    pub device: String,
    /// Clock period in ns; the device's own if not said.
    pub clock_period_ns: Option<f64>,
    /// Directives by the name of the induction variable, without `%`.
    pub loops: BTreeMap<String, LoopDirectives>,
    /// Number of units by operator class.
    pub limits: BTreeMap<String, u32>,
    /// Wall-clock limit of the exact scheduler in seconds; none keeps results independent of the machine.
    pub solver_time_limit_s: Option<f64>,
    /// Functions that stay instances of their own.
    pub keep: Vec<String>,
    /// Whether data paths are rewritten.
    pub rewrite: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            top: None,
            device: "generic".to_owned(),
            clock_period_ns: None,
            loops: BTreeMap::new(),
            limits: BTreeMap::new(),
            solver_time_limit_s: None,
            keep: Vec::new(),
            rewrite: true,
        }
    }
}

/// What is wrong with a configuration, with the place in the file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}:{column}: error: {message}")]
pub struct ConfigError {
    /// File name as given.
    pub file: String,
    /// Line, from one.
    pub line: usize,
    /// Column, from one.
    pub column: usize,
    /// What, and what would fit.
    pub message: String,
}

/// Collects errors while a file is read.
pub(crate) struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    pub(crate) errors: Vec<ConfigError>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, file: &'a str) -> Self {
        Self {
            text,
            file,
            errors: Vec::new(),
        }
    }

    /// The place where a key first stands in the text.
    fn place(&self, key: &str) -> (usize, usize) {
        for (i, line) in self.text.lines().enumerate() {
            let trimmed = line.trim_start();
            let after = trimmed
                .strip_prefix(key)
                .or_else(|| line.split_once(key).map(|(_, after)| after));
            if after.is_some_and(|after| after.trim_start().starts_with(':')) {
                return (i + 1, line.find(key).unwrap_or(0) + 1);
            }
        }
        (1, 1)
    }

    pub(crate) fn error(&mut self, key: &str, message: impl Into<String>) {
        let (line, column) = self.place(key);
        self.errors.push(ConfigError {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
        });
    }

    pub(crate) fn mapping(&mut self) -> Option<Mapping> {
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
                let message = error.to_string();
                self.errors.push(ConfigError {
                    file: self.file.to_owned(),
                    line,
                    column,
                    message,
                });
                None
            }
        }
    }

    /// Reports keys that are not in `known`, with the nearest one.
    pub(crate) fn unknown_keys(&mut self, mapping: &Mapping, known: &[&str]) {
        for key in mapping.keys() {
            let Some(key) = key.as_str() else {
                self.error("", "expected keys that are words");
                continue;
            };
            if !known.contains(&key) {
                let nearest = known
                    .iter()
                    .min_by_key(|k| distance(k, key))
                    .filter(|k| distance(k, key) <= 3);
                let hint = match nearest {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("expected one of: {}", known.join(", ")),
                };
                self.error(key, format!("unknown key `{key}`; {hint}"));
            }
        }
    }

    pub(crate) fn number(&mut self, key: &str, value: &Value) -> Option<f64> {
        let number = value.as_f64().filter(|v| *v > 0.0);
        if number.is_none() {
            self.error(key, format!("`{key}` is a number above 0"));
        }
        number
    }

    pub(crate) fn count(&mut self, key: &str, value: &Value) -> Option<u32> {
        let count = value
            .as_u64()
            .and_then(|v| u32::try_from(v).ok())
            .filter(|v| *v > 0);
        if count.is_none() {
            self.error(key, format!("`{key}` is a whole number above 0"));
        }
        count
    }

    pub(crate) fn text(&mut self, key: &str, value: &Value) -> Option<String> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.error(key, format!("`{key}` is a word"));
        }
        text
    }
}

/// Number of letters to insert, delete or change.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

const KEYS: &[&str] = &[
    "top",
    "device",
    "clock_period_ns",
    "loops",
    "limits",
    "solver",
    "keep",
    "rewrite",
];

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_yaml(text: &str, file: &str) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut config = Self::default();
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(&mapping, KEYS);
            for (key, value) in &mapping {
                config.entry(&mut reader, key.as_str().unwrap_or_default(), value);
            }
        }
        if reader.errors.is_empty() {
            Ok(config)
        } else {
            Err(reader.errors)
        }
    }

    fn entry(&mut self, reader: &mut Reader<'_>, key: &str, value: &Value) {
        match key {
            "top" => self.top = reader.text(key, value),
            "device" => {
                if let Some(device) = reader.text(key, value) {
                    self.device = device;
                }
            }
            "clock_period_ns" => self.clock_period_ns = reader.number(key, value),
            "rewrite" => match value.as_bool() {
                Some(rewrite) => self.rewrite = rewrite,
                None => reader.error(key, "`rewrite` is true or false"),
            },
            "keep" => match value.as_sequence() {
                Some(names) => {
                    self.keep = names.iter().filter_map(|n| reader.text(key, n)).collect()
                }
                None => reader.error(key, "`keep` is a list of function names"),
            },
            "limits" => match value.as_mapping() {
                Some(limits) => {
                    let known: Vec<&str> = sluice_oplib::class::OperatorClass::ALL
                        .iter()
                        .map(|class| class.name())
                        .collect();
                    reader.unknown_keys(limits, &known);
                    for (class, count) in limits {
                        let class = class.as_str().unwrap_or_default();
                        if let Some(count) = reader.count(class, count) {
                            self.limits.insert(class.to_owned(), count);
                        }
                    }
                }
                None => reader.error(key, "`limits` maps operator classes to numbers of units"),
            },
            "solver" => match value.as_mapping() {
                Some(solver) => {
                    reader.unknown_keys(solver, &["time_limit_s"]);
                    for (key, value) in solver {
                        if key.as_str() == Some("time_limit_s") {
                            self.solver_time_limit_s = reader.number("time_limit_s", value);
                        }
                    }
                }
                None => reader.error(key, "`solver` is a mapping with `time_limit_s`"),
            },
            "loops" => match value.as_mapping() {
                Some(loops) => {
                    for (name, directives) in loops {
                        let name = name.as_str().unwrap_or_default().trim_start_matches('%');
                        let directives = loop_directives(reader, name, directives);
                        self.loops.insert(name.to_owned(), directives);
                    }
                }
                None => reader.error(
                    key,
                    "`loops` maps names of induction variables to directives",
                ),
            },
            _ => {}
        }
    }
}

fn loop_directives(reader: &mut Reader<'_>, name: &str, value: &Value) -> LoopDirectives {
    let mut directives = LoopDirectives::default();
    let Some(mapping) = value.as_mapping() else {
        reader.error(
            name,
            format!(
                "the directives of loop `{name}` are a mapping with `pipeline`, `ii`, `unroll`"
            ),
        );
        return directives;
    };
    reader.unknown_keys(mapping, &["pipeline", "ii", "unroll"]);
    for (key, value) in mapping {
        match key.as_str().unwrap_or_default() {
            "pipeline" => match value.as_bool() {
                Some(pipeline) => directives.pipeline = Some(pipeline),
                None => reader.error("pipeline", "`pipeline` is true or false"),
            },
            "ii" => directives.ii = reader.count("ii", value),
            "unroll" => directives.unroll = reader.count("unroll", value),
            _ => {}
        }
    }
    directives
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn unknown_keys_suggest_the_right_one() {
        let errors = Config::from_yaml(
            "clock_perod_ns: 5\nloops:\n  k: {unrol: 2}\n",
            "kernel.yaml",
        )
        .expect_err("both keys are misspelt");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:1:1: error: unknown key `clock_perod_ns`; did you mean `clock_period_ns`?",
                "kernel.yaml:3:7: error: unknown key `unrol`; did you mean `unroll`?",
            ]
        );
    }

    #[test]
    fn a_configuration_is_read() {
        let text = "device: ecp5\nclock_period_ns: 8\nlimits: {multiply: 1}\nloops: {k: {ii: 2, pipeline: true}}\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert_eq!(config.device, "ecp5");
        assert_eq!(config.clock_period_ns, Some(8.0));
        assert_eq!(config.limits["multiply"], 1);
        assert_eq!(config.loops["k"].ii, Some(2));
    }
}
