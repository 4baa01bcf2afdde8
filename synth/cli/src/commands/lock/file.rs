//! `sluice.lock`: its text, and reading it with the place of everything that is wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_yaml::{Mapping, Value};
use sluice_config::{ConfigError, Reader, Step};
use sluice_ir::limits::Limits;
use sluice_ir::suggestion::did_you_mean;

use super::entry::{Cells, Entry, Interval, Latency, Upstream};
use super::tolerances::Tolerances;

/// The form of the file that is written here.
const FORM: u64 = 1;

const HEADER: &str = "\
# The figures of each kernel. `sluice lock` updates this file; `sluice lock --check` and `sluice sim --locked` compare with it.
";

const KEYS: &[&str] = &["form", "tolerances", "kernels"];
const ENTRY_KEYS: &[&str] = &[
    "device",
    "clock_period_ns",
    "latency",
    "loops",
    "lut",
    "ff",
    "dsp",
    "bram",
    "fmax_mhz",
    "longest_path",
    "units",
    "sluice",
    "source",
    "configuration",
    "data",
    "verilog",
];
const LOOP_KEYS: &[&str] = &["loop", "ii", "because"];

/// The figures of the kernels of a folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LockFile {
    pub(super) tolerances: Tolerances,
    /// By path from the folder of the file, with `/`.
    pub(super) kernels: BTreeMap<String, Entry>,
}

impl LockFile {
    /// The text of the file, the same for the same figures.
    pub(super) fn text(&self) -> String {
        let mut text = HEADER.to_owned();
        let _ = writeln!(text, "form: {FORM}");
        let _ = writeln!(text, "tolerances: {}", self.tolerances.text());
        text += match self.kernels.is_empty() {
            true => "kernels: {}\n",
            false => "kernels:\n",
        };
        for (path, entry) in &self.kernels {
            let _ = writeln!(text, "  {}:", word(path));
            entry_text(entry, &mut text);
        }
        text
    }

    /// Reads the text of a lock.
    ///
    /// # Errors
    /// Everything that is wrong with it, with line and column.
    pub(super) fn read(text: &str, file: &str, limits: &Limits) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        reader.limits.clone_from(limits);
        let mut lock = Self::default();
        if let Some(mapping) = reader.mapping() {
            known_keys(&mut reader, &[], &mapping, KEYS);
            match mapping.get("form").map(|form| (form.as_u64(), form)) {
                Some((Some(FORM), _)) => {}
                Some((Some(form), _)) => reader.error_at(
                    &["form".into()],
                    format!("the form of the lock is {form}; this Sluice reads form {FORM}: `sluice lock` writes the file anew once it is removed"),
                ),
                _ => reader.error_at(&["form".into()], format!("a lock begins with `form: {FORM}`")),
            }
            if let Some(value) = mapping.get("tolerances") {
                lock.tolerances = Tolerances::read(&mut reader, value);
            }
            match mapping.get("kernels") {
                Some(Value::Mapping(kernels)) => {
                    for (path, value) in kernels {
                        let path = path.as_str().unwrap_or_default();
                        let at: [Step; 2] = ["kernels".into(), path.into()];
                        if let Some(entry) = entry(&mut reader, &at, value) {
                            lock.kernels.insert(path.to_owned(), entry);
                        }
                    }
                }
                _ => reader.error_at(
                    &["kernels".into()],
                    "`kernels` has the figures of each kernel, by its path from this folder",
                ),
            }
        }
        match reader.errors.is_empty() {
            true => Ok(lock),
            false => Err(reader.errors),
        }
    }
}

/// A text that YAML reads as a word, in quotes where it needs them.
fn word(text: &str) -> String {
    const NO_WORDS: [&str; 11] = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan",
    ];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
        && !NO_WORDS.contains(&text.to_lowercase().as_str());
    match is_plain {
        true => text.to_owned(),
        false => serde_json::to_string(text).unwrap_or_default(),
    }
}

fn entry_text(entry: &Entry, text: &mut String) {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mut line = |key: &str, value: String| {
        let space = if value.starts_with('\n') { "" } else { " " };
        let _ = writeln!(text, "    {key}:{space}{value}");
    };
    line("device", word(&entry.device));
    line("clock_period_ns", entry.clock_period_ns.to_string());
    line(
        "latency",
        match &entry.latency {
            Latency::Cycles(cycles) if u64::try_from(*cycles).is_ok() => cycles.to_string(),
            Latency::Cycles(cycles) => format!("\"{cycles}\""),
            Latency::DataSets(all) => {
                let all: Vec<String> = all.iter().map(u64::to_string).collect();
                format!("[{}]", all.join(", "))
            }
            Latency::NotCounted => "not counted".to_owned(),
        },
    );
    if !entry.loops.is_empty() {
        let loops = entry.loops.iter().map(|of| {
            let (name, ii, because) = (word(&of.name), of.ii, quoted(&of.because));
            format!("\n      - {{loop: {name}, ii: {ii}, because: {because}}}")
        });
        line("loops", loops.collect());
    }
    let Cells { lut, ff, dsp, bram } = entry.cells;
    for (key, cells) in [("lut", lut), ("ff", ff), ("dsp", dsp), ("bram", bram)] {
        line(key, cells.to_string());
    }
    if let Some(fmax) = entry.fmax_mhz {
        line("fmax_mhz", fmax.to_string());
    }
    if let Some(path) = &entry.longest_path {
        line("longest_path", quoted(path));
    }
    let units: Vec<String> = entry
        .units
        .iter()
        .map(|(class, count)| format!("{}: {count}", word(class)))
        .collect();
    line("units", format!("{{{}}}", units.join(", ")));
    let Upstream {
        sluice,
        source,
        configuration,
        data,
    } = &entry.upstream;
    line("sluice", quoted(sluice));
    line("source", quoted(source));
    for (key, hash) in [("configuration", configuration), ("data", data)] {
        if let Some(hash) = hash {
            line(key, quoted(hash));
        }
    }
    line("verilog", quoted(&entry.verilog));
}

/// Reports keys of the mapping at `at` that are not in `known`.
pub(super) fn known_keys(reader: &mut Reader<'_>, at: &[Step], mapping: &Mapping, known: &[&str]) {
    for key in mapping.keys() {
        let shown = match key {
            Value::String(key) => key.clone(),
            Value::Number(key) => key.to_string(),
            _ => String::new(),
        };
        if !known.contains(&shown.as_str()) {
            let hint = did_you_mean(&shown, known);
            let at = below(at, shown.as_str());
            reader.error_at(&at, format!("unknown key `{shown}`; {hint}"));
        }
    }
}

/// The path of a key or item below another one.
pub(super) fn below(at: &[Step], step: impl Into<Step>) -> Vec<Step> {
    let mut path = at.to_vec();
    path.push(step.into());
    path
}

/// Reads the values of one mapping; what is wrong is an error at its key.
struct Fields<'r, 't> {
    reader: &'r mut Reader<'t>,
    at: Vec<Step>,
    mapping: Mapping,
    is_whole: bool,
}

impl Fields<'_, '_> {
    /// The value of a key, as `read` understands it.
    fn get<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.mapping.get(key);
        let found = value.and_then(read);
        if found.is_none() {
            let message = match value {
                Some(_) => format!("`{key}` is {expected}"),
                None => format!("`{key}` is missing: {expected}"),
            };
            self.reader.error_at(&below(&self.at, key), message);
            self.is_whole = false;
        }
        found
    }

    fn has(&self, key: &str) -> bool {
        self.mapping.contains_key(key)
    }

    fn word(&mut self, key: &str) -> Option<String> {
        self.get(key, "a text", |value| value.as_str().map(str::to_owned))
    }

    fn number(&mut self, key: &str) -> Option<f64> {
        self.get(key, "a number, 0 or more", |value| {
            value.as_f64().filter(|n| n.is_finite() && *n >= 0.0)
        })
    }

    fn hash(&mut self, key: &str) -> Option<String> {
        let is_hash = |text: &&str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        self.get(
            key,
            "a SHA-256: 64 hexadecimal digits, in quotes",
            |value| value.as_str().filter(is_hash).map(str::to_owned),
        )
    }
}

fn entry(reader: &mut Reader<'_>, at: &[Step], value: &Value) -> Option<Entry> {
    let Some(mapping) = value.as_mapping() else {
        reader.error_at(at, "a kernel has its figures by key: `latency`, `lut`, ...");
        return None;
    };
    known_keys(reader, at, mapping, ENTRY_KEYS);
    let loops = loops(reader, &below(at, "loops"), mapping.get("loops"));
    let mut fields = Fields {
        reader,
        at: at.to_vec(),
        mapping: mapping.clone(),
        is_whole: loops.is_some(),
    };
    let device = fields.word("device");
    let clock_period_ns = fields.number("clock_period_ns");
    let latency = fields.get(
        "latency",
        "a number of cycles, a list of them by data set, or `not counted`",
        latency,
    );
    let cells = ["lut", "ff", "dsp", "bram"].map(|key| fields.number(key).unwrap_or_default());
    let [lut, ff, dsp, bram] = cells;
    let fmax_mhz = match fields.has("fmax_mhz") {
        true => fields.number("fmax_mhz"),
        false => None,
    };
    let longest_path = match fields.has("longest_path") {
        true => fields.word("longest_path"),
        false => None,
    };
    let units = fields.get("units", "numbers of units by operator class", |value| {
        let units = value.as_mapping()?.iter();
        units
            .map(|(class, count)| Some((class.as_str()?.to_owned(), count.as_u64()?)))
            .collect::<Option<Vec<_>>>()
    });
    let (sluice, source) = (fields.word("sluice"), fields.hash("source"));
    let mut optional_hash = |key: &str| match fields.has(key) {
        true => fields.hash(key),
        false => None,
    };
    let (configuration, data) = (optional_hash("configuration"), optional_hash("data"));
    let verilog = fields.hash("verilog");
    if !fields.is_whole {
        return None;
    }
    Some(Entry {
        device: device?,
        clock_period_ns: clock_period_ns?,
        latency: latency?,
        loops: loops?,
        cells: Cells { lut, ff, dsp, bram },
        fmax_mhz,
        longest_path,
        units: units?,
        upstream: Upstream {
            sluice: sluice?,
            source: source?,
            configuration,
            data,
        },
        verilog: verilog?,
    })
}

fn latency(value: &Value) -> Option<Latency> {
    match value {
        Value::Number(cycles) => Some(Latency::Cycles(cycles.as_u64()?.into())),
        Value::String(text) if text == "not counted" => Some(Latency::NotCounted),
        Value::String(text) => Some(Latency::Cycles(text.parse().ok()?)),
        Value::Sequence(all) => {
            let all = all.iter().map(Value::as_u64);
            Some(Latency::DataSets(all.collect::<Option<Vec<_>>>()?))
        }
        _ => None,
    }
}

/// The pipelined loops; `None` where something is wrong with them.
fn loops(reader: &mut Reader<'_>, at: &[Step], value: Option<&Value>) -> Option<Vec<Interval>> {
    let all = match value {
        None => return Some(Vec::new()),
        Some(Value::Sequence(all)) => all,
        Some(_) => {
            reader.error_at(
                at,
                "`loops` is a list of `{loop: NAME, ii: N, because: TEXT}`",
            );
            return None;
        }
    };
    let mut found = Vec::new();
    for (number, one) in all.iter().enumerate() {
        let at = below(at, number);
        let Some(mapping) = one.as_mapping() else {
            reader.error_at(&at, "a loop is `{loop: NAME, ii: N, because: TEXT}`");
            continue;
        };
        known_keys(reader, &at, mapping, LOOP_KEYS);
        let mut fields = Fields {
            reader,
            at,
            mapping: mapping.clone(),
            is_whole: true,
        };
        let (name, because) = (fields.word("loop"), fields.word("because"));
        let ii = fields.get("ii", "a whole number above 0", |value| {
            value.as_u64().filter(|ii| *ii > 0)
        });
        if let (Some(name), Some(ii), Some(because)) = (name, ii, because) {
            found.push(Interval { name, ii, because });
        }
    }
    (found.len() == all.len()).then_some(found)
}
