//! `data.yaml`: data sets with expected answers, and ranges for random ones. Everything that does not fit is an error.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};
use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::interpreter::Argument;

use crate::config::{ConfigError, Reader};
use crate::data::{Case, DataFile, Expect};

const KEYS: &[&str] = &["function", "cases", "random", "expect"];
const EXPECT_KEYS: &[&str] = &["latency", "ii"];
const CASE_KEYS: &[&str] = &["inputs", "outputs"];
const RANGE_KEYS: &[&str] = &["min", "max"];

/// What a name in a data file stands for.
#[derive(Clone, Copy)]
struct Shape {
    width_bits: u32,
    /// Words of a memory; none for a scalar.
    depth_words: Option<u32>,
}

impl DataFile {
    /// Reads a data file for a kernel.
    ///
    /// # Errors
    /// Everything that does not fit, with its place.
    pub fn from_yaml(
        text: &str,
        file: &str,
        interface: &Interface,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut data = Self::default();
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(&mapping, KEYS);
            for (key, value) in &mapping {
                match key.as_str() {
                    Some("function") => function(&mut reader, value, interface),
                    Some("cases") => data.cases = cases(&mut reader, value, interface),
                    Some("random") => data.ranges = ranges(&mut reader, value, interface),
                    Some("expect") => data.expect = expect(&mut reader, value),
                    _ => {}
                }
            }
        }
        if reader.errors.is_empty() {
            Ok(data)
        } else {
            Err(reader.errors)
        }
    }
}

fn expect(reader: &mut Reader<'_>, value: &Value) -> Expect {
    let mut expect = Expect::default();
    let Some(mapping) = value.as_mapping() else {
        reader.error(
            "expect",
            "`expect` has `latency`, in cycles, and `ii`, cycles by loop",
        );
        return expect;
    };
    reader.unknown_keys(mapping, EXPECT_KEYS);
    if let Some(latency) = mapping.get("latency") {
        expect.latency_cycles = reader.count("latency", latency).map(u64::from);
    }
    match mapping.get("ii") {
        None => {}
        Some(Value::Mapping(loops)) => {
            for (name, ii) in loops {
                if let (Some(name), Some(ii)) = (name.as_str(), reader.count("ii", ii)) {
                    expect.ii.insert(name.to_owned(), u64::from(ii));
                }
            }
        }
        Some(_) => reader.error("ii", "`ii` are loops with their initiation intervals"),
    }
    expect
}

fn function(reader: &mut Reader<'_>, value: &Value, interface: &Interface) {
    if value.as_str() != Some(&interface.module) {
        let message = format!(
            "the data is for another kernel than `@{}`",
            interface.module
        );
        reader.error("function", message);
    }
}

fn shape_of(interface: &Interface, name: &str) -> Option<Shape> {
    let position = interface.sources.iter().position(|source| source == name)?;
    Some(match &interface.arguments[position] {
        ArgumentPorts::Scalar { width_bits, .. } => Shape {
            width_bits: *width_bits,
            depth_words: None,
        },
        ArgumentPorts::Memory {
            width_bits,
            depth_words,
            ..
        } => Shape {
            width_bits: *width_bits,
            depth_words: Some(*depth_words),
        },
    })
}

fn cases(reader: &mut Reader<'_>, value: &Value, interface: &Interface) -> Vec<Case> {
    let Some(all) = value.as_sequence() else {
        reader.error(
            "cases",
            "`cases` is a list of data sets, each with `inputs` and `outputs`",
        );
        return Vec::new();
    };
    let mut found = Vec::new();
    for (i, one) in all.iter().enumerate() {
        reader.look_from_nth("inputs", i);
        match one.as_mapping() {
            Some(mapping) => found.extend(case(reader, i, mapping, interface)),
            None => reader.error("cases", format!("data set {i} has `inputs` and `outputs`")),
        }
    }
    reader.look_from_nth("", 0);
    found
}

fn case(
    reader: &mut Reader<'_>,
    number: usize,
    mapping: &Mapping,
    interface: &Interface,
) -> Option<Case> {
    reader.unknown_keys(mapping, CASE_KEYS);
    let part = |reader: &mut Reader<'_>, key: &str| match mapping.get(key) {
        Some(Value::Mapping(part)) => Some(part.clone()),
        None | Some(Value::Null) => Some(Mapping::new()),
        Some(_) => {
            reader.error(
                key,
                format!("`{key}` of data set {number} are names with values"),
            );
            None
        }
    };
    let (inputs, outputs) = (part(reader, "inputs")?, part(reader, "outputs")?);
    let known: Vec<&str> = interface.sources.iter().map(String::as_str).collect();
    reader.unknown_keys(&inputs, &known);
    let mut arguments = Vec::new();
    for name in &interface.sources {
        let shape = shape_of(interface, name)?;
        let Some(value) = inputs.get(name.as_str()) else {
            reader.error(
                "inputs",
                format!("data set {number} has no value for `{name}`"),
            );
            continue;
        };
        let Some(words) = words(reader, name, value, shape) else {
            continue;
        };
        arguments.push(match shape.depth_words {
            Some(_) => Argument::Memory(words),
            None => Argument::Scalar(words.into_iter().next()?),
        });
    }
    let mut expected = BTreeMap::new();
    for (name, value) in &outputs {
        let name = name.as_str().unwrap_or_default();
        let Some(shape) = output_shape(reader, name, interface) else {
            continue;
        };
        if let Some(words) = words(reader, name, value, shape) {
            expected.insert(name.to_owned(), words);
        }
    }
    (arguments.len() == interface.arguments.len()).then_some(Case {
        arguments,
        outputs: expected,
    })
}

/// A result, or a memory that the kernel writes.
fn output_shape(reader: &mut Reader<'_>, name: &str, interface: &Interface) -> Option<Shape> {
    let results: Vec<String> = (0..interface.result_width_bits.len())
        .map(|i| format!("result{i}"))
        .collect();
    if let Some(i) = results.iter().position(|result| result == name) {
        return Some(Shape {
            width_bits: interface.result_width_bits[i],
            depth_words: None,
        });
    }
    let memories = interface.arguments.iter().zip(&interface.sources);
    let memories = memories
        .filter(|(argument, _)| matches!(argument, ArgumentPorts::Memory { .. }))
        .map(|(_, source)| source.as_str());
    let known: Vec<&str> = memories.chain(results.iter().map(String::as_str)).collect();
    if !known.contains(&name) {
        let hint = did_you_mean(name, &known);
        reader.error(name, format!("`{name}` is no output of the kernel; {hint}"));
        return None;
    }
    shape_of(interface, name)
}

/// The words of a value: one for a scalar; for a memory one for every cell, or one for all of them, or rows in lists.
fn words(reader: &mut Reader<'_>, name: &str, value: &Value, shape: Shape) -> Option<Vec<Bits>> {
    let mut found = Vec::new();
    if let Err(why) = collect(value, shape.width_bits, &mut found) {
        reader.error(name, format!("`{name}`: {why}"));
        return None;
    }
    let wanted = shape.depth_words.map_or(1, |depth| depth as usize);
    if !value.is_sequence() && found.len() == 1 {
        return Some(vec![found[0].clone(); wanted]);
    }
    if value.is_sequence() && shape.depth_words.is_none() {
        reader.error(name, format!("`{name}` is a scalar: one number, no list"));
        return None;
    }
    if found.len() != wanted {
        let message = format!("`{name}` has {wanted} words, not {}", found.len());
        reader.error(name, message);
        return None;
    }
    Some(found)
}

fn collect(value: &Value, width_bits: u32, found: &mut Vec<Bits>) -> Result<(), String> {
    match value {
        Value::Sequence(all) => all
            .iter()
            .try_for_each(|one| collect(one, width_bits, found)),
        one => {
            found.push(word(one, width_bits)?);
            Ok(())
        }
    }
}

fn word(value: &Value, width_bits: u32) -> Result<Bits, String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Bool(bit) => u8::from(*bit).to_string(),
        _ => return Err("expected a whole number".to_owned()),
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("`{text}` is no whole number"));
    }
    Bits::parse_decimal(digits, negative, width_bits)
        .ok_or_else(|| format!("`{text}` does not fit {width_bits} bits"))
}

fn ranges(
    reader: &mut Reader<'_>,
    value: &Value,
    interface: &Interface,
) -> BTreeMap<String, (i64, i64)> {
    let mut found = BTreeMap::new();
    let Some(all) = value.as_mapping() else {
        reader.error(
            "random",
            "`random` gives `{min: ..., max: ...}` for arguments by name",
        );
        return found;
    };
    reader.look_from_nth("random", 0);
    let known: Vec<&str> = interface.sources.iter().map(String::as_str).collect();
    reader.unknown_keys(all, &known);
    for (name, range) in all {
        let name = name.as_str().unwrap_or_default();
        let Some(range) = range.as_mapping() else {
            reader.error(
                name,
                format!("the range of `{name}` is `{{min: ..., max: ...}}`"),
            );
            continue;
        };
        reader.unknown_keys(range, RANGE_KEYS);
        let bound = |key: &str| range.get(key).and_then(Value::as_i64);
        match (bound("min"), bound("max")) {
            (Some(min), Some(max)) if min <= max => {
                found.insert(name.to_owned(), (min, max));
            }
            (Some(min), Some(max)) => {
                reader.error(name, format!("`{name}`: min {min} is above max {max}"));
            }
            _ => reader.error(
                name,
                format!("`{name}` needs `min` and `max`, whole numbers"),
            ),
        }
    }
    reader.look_from_nth("", 0);
    found
}
