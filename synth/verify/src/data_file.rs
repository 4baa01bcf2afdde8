//! Reader of `data.yaml`: data sets with expected results, and ranges for random ones. Any invalid entry is an error.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};
use sluice_config::{ConfigError, Reader};
use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::interpreter::Argument;

use crate::assertions::Assertion;
use crate::data::{Case, DataFile, Expect};
use crate::data_words::{Files, Shape, words};

const KEYS: &[&str] = &[
    "function",
    "cases",
    "random",
    "expect",
    "idle",
    "interpreter",
    "tolerance_ulp",
];
const EXPECT_KEYS: &[&str] = &["latency", "ii", "timeout", "assert"];
const CASE_KEYS: &[&str] = &["inputs", "outputs", "expect"];
const CASE_EXPECT_KEYS: &[&str] = &["memory", "result", "latency", "timeout"];
const RANGE_KEYS: &[&str] = &["min", "max"];

impl DataFile {
    /// Reads a data file for a kernel: YAML, or JSON if its name ends in `.json`. `files` returns the contents of a named file,
    /// by its path relative to `file`.
    ///
    /// # Errors
    /// Every invalid entry, with its position.
    pub fn read(
        text: &str,
        file: &str,
        interface: &Interface,
        files: Files<'_>,
        limits: &Limits,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        reader.limits.clone_from(limits);
        let mut data = Self::default();
        let mut tolerance_ulp = 0;
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(&mapping, KEYS);
            for (key, value) in &mapping {
                match key.as_str() {
                    Some("function") => function(&mut reader, value, interface),
                    Some("cases") => data.cases = cases(&mut reader, files, value, interface),
                    Some("random") => data.ranges = ranges(&mut reader, value, interface),
                    Some("expect") => data.expect = expect(&mut reader, value),
                    Some("idle") => match value.as_u64() {
                        Some(most) => match limits.check(Limit::IdleCycles, most) {
                            Ok(()) => data.idle_cycles = Some(most),
                            Err(excess) => reader.error("idle", format!("`idle` is {excess}")),
                        },
                        None => reader.error("idle", "`idle` is a number of cycles, 0 or more"),
                    },
                    Some("tolerance_ulp") => match value.as_u64() {
                        Some(most) => tolerance_ulp = most,
                        None => {
                            let message =
                                "`tolerance_ulp` is a number of units in the last place, 0 or more";
                            reader.error("tolerance_ulp", message);
                        }
                    },
                    Some("interpreter") => match value.as_bool() {
                        Some(has_reference) => data.has_reference = has_reference,
                        None => reader.error("interpreter", "`interpreter` is true or false"),
                    },
                    _ => {}
                }
            }
        }
        for case in &mut data.cases {
            case.tolerance_ulp = tolerance_ulp;
        }
        let golden = |case: &Case| !case.golden.is_empty();
        if !data.has_reference
            && reader.errors.is_empty()
            && (data.cases.is_empty() || !data.cases.iter().all(golden))
        {
            let message = "without the interpreter every data set needs `expect: {memory: ..., result: ...}`, and `cases` needs a data set";
            reader.error("interpreter", message);
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
            "`expect` has `latency` and `timeout`, in cycles, `ii`, cycles by loop, and `assert`, properties of ports",
        );
        return expect;
    };
    reader.unknown_keys(mapping, EXPECT_KEYS);
    if let Some(timeout) = mapping.get("timeout") {
        expect.timeout_cycles = reader.count("timeout", timeout).map(u64::from);
    }
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
    expect.assertions = mapping
        .get("assert")
        .map_or_else(Vec::new, |all| assertions(reader, all));
    expect
}

/// Reads a property, or a list of them.
pub fn assertions(reader: &mut Reader<'_>, value: &Value) -> Vec<Assertion> {
    let one = std::slice::from_ref(value);
    let mut found = Vec::new();
    for value in value.as_sequence().map_or(one, Vec::as_slice) {
        let Some(text) = value.as_str() else {
            reader.error(
                "assert",
                "`assert` is a property of ports, signals and memories, as \"a_valid & !a_ready |=> stable(a)\", or a list of them; in quotes where it begins with `!`, `&`, `|` or `{`, or has ` #` or `: `, which are YAML's",
            );
            continue;
        };
        match Assertion::parse(text, reader.place_of_text("assert", text), &reader.limits) {
            Ok(assertion) => found.push(assertion),
            Err(mut why) => {
                if why.excerpt.contains(" #") && !text.contains(" #") {
                    why.message +=
                        "; ` #` begins a comment of YAML: write such a property in quotes";
                }
                reader.errors.push(why);
            }
        }
    }
    found
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
            format: interface.argument_format(position),
            extents: None,
            is_largest: false,
        },
        ArgumentPorts::Memory {
            width_bits, shape, ..
        } => Shape {
            width_bits: *width_bits,
            format: interface.argument_format(position),
            extents: Some(
                shape
                    .iter()
                    .map(|extent| usize::try_from(*extent).unwrap_or(0))
                    .collect(),
            ),
            is_largest: interface.open_arrays.iter().any(|open| open == name),
        },
    })
}

fn is_output_stream(interface: &Interface, name: &str) -> bool {
    let mut all = interface.arguments.iter().zip(&interface.sources);
    all.any(|(ports, source)| {
        let goes_out = matches!(
            ports,
            ArgumentPorts::Memory {
                stream: true,
                write: true,
                ..
            }
        );
        goes_out && source == name
    })
}

fn cases(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    value: &Value,
    interface: &Interface,
) -> Vec<Case> {
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
            Some(mapping) => {
                let case = case(reader, files, i, mapping, interface);
                found.extend(case.map(|case| Case {
                    line: reader.line_of_case(i),
                    ..case
                }));
            }
            None => reader.error("cases", format!("data set {i} has `inputs` and `outputs`")),
        }
    }
    reader.look_from_nth("", 0);
    found
}

fn case(
    reader: &mut Reader<'_>,
    files: Files<'_>,
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
            // Every word of an output stream is written, so its initial words do not matter.
            if is_output_stream(interface, name) {
                arguments.push(Argument::Memory(shape.zeros()));
                continue;
            }
            reader.error(
                "inputs",
                format!("data set {number} has no value for `{name}`"),
            );
            continue;
        };
        let Some(words) = words(reader, files, name, value, &shape) else {
            continue;
        };
        arguments.push(match shape.extents {
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
        if let Some(words) = words(reader, files, name, value, &shape) {
            expected.insert(name.to_owned(), words);
        }
    }
    let mut found = Case {
        arguments,
        outputs: expected,
        ..Case::default()
    };
    if let Some(value) = mapping.get("expect") {
        expect_of_case(reader, files, value, interface, &mut found);
    }
    (found.arguments.len() == interface.arguments.len()).then_some(found)
}

/// Reads the expectations of one data set about the circuit.
fn expect_of_case(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    value: &Value,
    interface: &Interface,
    case: &mut Case,
) {
    let Some(mapping) = value.as_mapping() else {
        let message = "`expect` of a data set has `memory`, `result`, `latency` and `timeout`";
        reader.error("expect", message);
        return;
    };
    reader.unknown_keys(mapping, CASE_EXPECT_KEYS);
    if let Some(latency) = mapping.get("latency") {
        case.latency_cycles = reader.count("latency", latency).map(u64::from);
    }
    if let Some(timeout) = mapping.get("timeout") {
        case.timeout_cycles = reader.count("timeout", timeout).map(u64::from);
    }
    let mut golden: Vec<(String, &Value)> = Vec::new();
    match mapping.get("memory") {
        None => {}
        Some(Value::Mapping(memories)) => {
            for (name, value) in memories {
                golden.push((name.as_str().unwrap_or_default().to_owned(), value));
            }
        }
        Some(_) => reader.error("memory", "`memory` are names of memories with their words"),
    }
    match mapping.get("result") {
        None => {}
        Some(Value::Sequence(results)) if results.len() > interface.result_width_bits.len() => {
            let n = interface.result_width_bits.len();
            let message = format!("the kernel has {n} results, not {}", results.len());
            reader.error("result", message);
        }
        Some(Value::Sequence(results)) => {
            let named = results.iter().enumerate();
            golden.extend(named.map(|(i, value)| (format!("result{i}"), value)));
        }
        Some(one) => golden.push(("result0".to_owned(), one)),
    }
    for (name, value) in golden {
        if name == "result0" && interface.result_width_bits.is_empty() {
            reader.error("result", "the kernel has no results");
            continue;
        }
        let Some(shape) = output_shape(reader, &name, interface) else {
            continue;
        };
        if let Some(words) = words(reader, files, &name, value, &shape) {
            case.golden.insert(name, words);
        }
    }
}

/// Returns the shape of a result, or of a memory that the kernel writes.
fn output_shape(reader: &mut Reader<'_>, name: &str, interface: &Interface) -> Option<Shape> {
    let results: Vec<String> = (0..interface.result_width_bits.len())
        .map(|i| format!("result{i}"))
        .collect();
    if let Some(i) = results.iter().position(|result| result == name) {
        return Some(Shape {
            width_bits: interface.result_width_bits[i],
            format: interface.result_format(i),
            extents: None,
            is_largest: false,
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
