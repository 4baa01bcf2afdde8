//! Reader of data files of circuits: `module`, and sequences of inputs with outputs. Any invalid entry is an error.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};
use sluice_config::{ConfigError, Reader, render};
use sluice_ir::bits::Bits;
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::cycle::{self, CycleSimulator};

use crate::assertions::Reset;
use crate::circuit::parse_clock;
use crate::data_file::assertions;
use crate::data_words::{Files, Shape, word, words};
use crate::stimulus::{Expected, Head, Pauses, Sequence, Stimulus};
use crate::stimulus_random::random_input;
use crate::stimulus_streams::Stream;
use crate::stimulus_streams_file::Channels;

const KEYS: &[&str] = &["module", "parameters", "reset", "clocks", "cases", "expect"];
const RESET_KEYS: &[&str] = &["input", "active", "cycles"];
const EXPECT_KEYS: &[&str] = &["assert"];
const CASE_KEYS: &[&str] = &[
    "name", "cycles", "until", "inputs", "outputs", "memories", "streams", "pauses", "expect",
];
const CASE_EXPECT_KEYS: &[&str] = &["latency", "memories"];

/// The last cycle in which an input may change.
const LAST_CHANGE: u64 = (1 << 24) - 1;

impl Head {
    /// Reads the part of a data file about its circuit; `None` if it names no module.
    ///
    /// # Errors
    /// Every invalid entry, with its position.
    pub fn read(text: &str, file: &str) -> Result<Option<Self>, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mapping = reader.mapping();
        let Some((mapping, module)) = mapping.and_then(|mapping| {
            let module = mapping.get("module").cloned()?;
            Some((mapping, module))
        }) else {
            return if reader.errors.is_empty() {
                Ok(None)
            } else {
                Err(reader.errors)
            };
        };
        reader.unknown_keys(&mapping, KEYS);
        let reset = mapping.get("reset");
        let mut head = Self {
            module: reader.text("module", &module).unwrap_or_default(),
            ..Self::default()
        };
        match reset {
            None => {}
            Some(Value::Sequence(all)) => all
                .iter()
                .for_each(|reset| head.read_reset(&mut reader, reset)),
            Some(one) => head.read_reset(&mut reader, one),
        }
        match mapping.get("clocks") {
            None => {}
            Some(Value::Mapping(clocks)) => {
                for (name, timing) in clocks {
                    let name = name.as_str().unwrap_or_default();
                    let timing = match timing {
                        Value::Number(period) => period.to_string(),
                        Value::String(timing) => timing.clone(),
                        _ => String::new(),
                    };
                    match parse_clock(&format!("{name}={timing}")) {
                        Ok(clock) => head.clocks.push(clock),
                        Err(why) => reader.error(name, format!("clock `{name}`: {why}")),
                    }
                }
            }
            Some(_) => reader.error(
                "clocks",
                "`clocks` are names with periods in ticks, as `{fast: 1, slow: \"4:3\"}`",
            ),
        }
        match mapping.get("parameters") {
            None => {}
            Some(Value::Mapping(parameters)) => {
                for (name, value) in parameters {
                    let name = name.as_str().unwrap_or_default();
                    match value {
                        Value::Number(value) if !value.is_f64() => {
                            let value = (name.to_owned(), value.to_string());
                            head.parameters.push(value);
                        }
                        _ => reader.error(name, format!("parameter `{name}` is a whole number")),
                    }
                }
            }
            Some(_) => reader.error(
                "parameters",
                "`parameters` are names with numbers, as `{WIDTH: 8}`",
            ),
        }
        match reader.errors[..] {
            [] => Ok(Some(head)),
            _ => Err(reader.errors),
        }
    }
}

impl Head {
    /// Formats the error of a data file whose `module` is refused.
    pub fn refused(text: &str, file: &str, why: &str) -> String {
        let mut reader = Reader::new(text, file);
        reader.error("module", why);
        render(&reader.errors)
    }

    /// Reads a reset: a name, or `{input: NAME, active: low, cycles: N}`.
    fn read_reset(&mut self, reader: &mut Reader<'_>, value: &Value) {
        let found = match value {
            Value::String(input) => Some(Reset::high(input)),
            Value::Mapping(mapping) => {
                reader.unknown_keys(mapping, RESET_KEYS);
                if let Some(cycles) = mapping.get("cycles") {
                    let ticks = reader.count("cycles", cycles).map(u64::from);
                    self.reset_ticks = self.reset_ticks.max(ticks);
                }
                let level = mapping.get("active").map_or(Some("high"), Value::as_str);
                if !matches!(level, Some("high" | "low")) {
                    reader.error("active", "`active` is `high` or `low`");
                }
                let input = mapping.get("input").and_then(Value::as_str);
                input.map(|input| Reset {
                    input: input.to_owned(),
                    is_low: level == Some("low"),
                })
            }
            _ => None,
        };
        if found.is_none() {
            let message = "`reset` is an input, or `{input: NAME, active: low, cycles: N}`, or a list of such";
            reader.error("reset", message);
        }
        self.resets.extend(found);
    }
}

impl Stimulus {
    /// Reads a data file of a circuit, of which `simulator` is a simulator. `files` returns the contents of a named file, by its
    /// path relative to `file`.
    ///
    /// # Errors
    /// Every invalid entry, with its position.
    pub fn read(
        text: &str,
        file: &str,
        head: Head,
        simulator: &CycleSimulator,
        files: Files<'_>,
        limits: &Limits,
    ) -> Result<Self, Vec<ConfigError>> {
        let inputs = Ports::of("input", simulator.inputs());
        let outputs = Ports::of("output", simulator.outputs());
        let channels = Channels::of(&inputs, &outputs, &head.clocks);
        let mut reader = Reader::new(text, file);
        reader.limits.clone_from(limits);
        let mut found = Self {
            head,
            ..Self::default()
        };
        let mapping = reader.mapping().unwrap_or_default();
        for reset in &found.head.resets {
            inputs.index(&mut reader, "reset", &reset.input);
        }
        match mapping.get("cases") {
            None => reader.error("", "`cases` are the sequences of inputs"),
            Some(Value::Sequence(cases)) if cases.is_empty() => {
                reader.error("cases", "`cases` has at least one sequence of inputs");
            }
            Some(Value::Sequence(cases)) => {
                for (number, case) in cases.iter().enumerate() {
                    match case.as_mapping() {
                        Some(case) => {
                            reader.look_from_case(number);
                            let mut sequence =
                                sequence(&mut reader, files, case, (&inputs, &outputs, &channels));
                            sequence.line = reader.line_of_case(number);
                            sequence.memories = memories(&mut reader, files, case, simulator);
                            let expect = case.get("expect").and_then(Value::as_mapping);
                            if let Some(expect) = expect {
                                let after = memories(&mut reader, files, expect, simulator);
                                sequence.memories_after = after;
                            }
                            found.sequences.push(sequence);
                        }
                        None => reader.error("cases", format!("data set {number} has `inputs`")),
                    }
                }
                reader.look_from_nth("", 0);
            }
            Some(_) => reader.error("cases", "`cases` is a list of sequences"),
        }
        check_clocks(&mut reader, &found, simulator);
        match mapping.get("expect") {
            None => {}
            Some(Value::Mapping(expect)) => {
                reader.unknown_keys(expect, EXPECT_KEYS);
                if let Some(all) = expect.get("assert") {
                    found.assertions = assertions(&mut reader, all);
                }
            }
            Some(_) => reader.error("expect", "`expect` has `assert`, properties of ports"),
        }
        match reader.errors[..] {
            [] => Ok(found),
            _ => Err(reader.errors),
        }
    }
}

/// Ports of one direction.
pub struct Ports {
    /// Name of these ports in messages.
    what: &'static str,
    /// Names and widths in bits.
    pub all: Vec<(String, u32)>,
}

impl Ports {
    fn of<'a>(what: &'static str, ports: impl Iterator<Item = &'a cycle::Port>) -> Self {
        Self {
            what,
            all: ports.map(|p| (p.name.clone(), p.width_bits)).collect(),
        }
    }

    /// Returns the index and the width of a port, if it exists.
    pub fn find(&self, name: &str) -> Option<(usize, u32)> {
        let index = self.all.iter().position(|(known, _)| known == name)?;
        Some((index, self.all[index].1))
    }

    /// Returns the index of a port, and reports an unknown one at `key`.
    fn index(&self, reader: &mut Reader<'_>, key: &str, name: &str) -> Option<usize> {
        let found = self.find(name).map(|(index, _)| index);
        if found.is_none() {
            let known: Vec<&str> = self.all.iter().map(|(known, _)| known.as_str()).collect();
            let (what, advice) = (self.what, did_you_mean(name, &known));
            reader.error(key, format!("there is no {what} `{name}`; {advice}"));
        }
        found
    }

    /// Returns the port that a key names, in a sequence of `cycles` if it gives them.
    fn port<'a>(
        &self,
        reader: &mut Reader<'_>,
        name: &'a str,
        cycles: Option<u64>,
    ) -> Option<(usize, Port<'a>)> {
        let index = self.index(reader, name, name)?;
        let width_bits = self.all[index].1;
        let port = Port {
            name,
            width_bits,
            cycles,
        };
        Some((index, port))
    }
}

/// Returns the inputs that a stream drives.
fn driven_by(stream: &Stream) -> impl Iterator<Item = usize> {
    let ports = stream.ports;
    let fields = stream.fields.iter().filter(move |_| ports.is_input);
    let flag = match ports.is_input {
        true => ports.valid,
        false => ports.ready,
    };
    fields.map(|field| field.port).chain([flag])
}

/// Reports clocks that no sequence drives.
fn check_clocks(reader: &mut Reader<'_>, found: &Stimulus, simulator: &CycleSimulator) {
    let names: Vec<&str> = simulator.inputs().map(|port| port.name.as_str()).collect();
    let is_driven = |input: &usize| {
        let mut resets = found.head.resets.iter();
        resets.any(|reset| names.get(*input) == Some(&reset.input.as_str()))
            || found.sequences.iter().any(|sequence| {
                sequence.inputs.contains_key(input)
                    || sequence.random.contains_key(input)
                    || sequence
                        .streams
                        .iter()
                        .flat_map(driven_by)
                        .any(|port| port == *input)
            })
    };
    for clock in simulator.idle_clocks() {
        if clock.inputs.is_empty() || clock.inputs.iter().any(is_driven) {
            continue;
        }
        let inputs = clock.inputs.iter().filter_map(|input| names.get(*input));
        let why = clock.why(&inputs.copied().collect::<Vec<_>>());
        reader.error("cases", why + " (`clocks` of the data file, or `inputs`)");
    }
}

fn sequence(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    mapping: &Mapping,
    (inputs, outputs, channels): (&Ports, &Ports, &Channels),
) -> Sequence {
    reader.unknown_keys(mapping, CASE_KEYS);
    let mut found = Sequence::default();
    let name = mapping.get("name");
    found.name = name.and_then(|name| reader.text("name", name));
    if let Some(name) = &found.name
        && name.contains(char::is_control)
    {
        reader.error("name", "`name` has no control characters");
    }
    let cycles = mapping.get("cycles");
    let cycles = cycles.and_then(|cycles| reader.count("cycles", cycles).map(u64::from));
    let until = mapping.get("until");
    if let Some(name) = until.and_then(|until| reader.text("until", until)) {
        found.until = outputs.index(reader, "until", &name);
    }
    let mut last = 0;
    for (name, value) in part(reader, mapping, "inputs") {
        let Some((index, port)) = inputs.port(reader, &name, cycles) else {
            continue;
        };
        match value.as_mapping() {
            Some(mapping) if mapping.contains_key("random") => {
                let drawn = random_input(reader, &name, mapping, port.width_bits);
                found.random.extend(drawn.map(|drawn| (index, drawn)));
            }
            _ => {
                if let Some(values) = values(reader, files, &port, &value) {
                    last = last.max(values.len() as u64);
                    found.inputs.insert(index, values);
                }
            }
        }
    }
    for (name, value) in part(reader, mapping, "outputs") {
        if let Some((index, port)) = outputs.port(reader, &name, cycles)
            && let Some(expected) = expected(reader, files, &port, &value)
        {
            last = last.max(expected.last().map_or(0, |last| last + 1));
            found.outputs.insert(index, expected);
        }
    }
    found.streams = channels.read(reader, files, mapping);
    let driven = found.streams.iter().flat_map(driven_by);
    let is_driven =
        |input: &usize| found.inputs.contains_key(input) || found.random.contains_key(input);
    for input in driven.filter(is_driven) {
        let name = &inputs.all[input].0;
        reader.error(name, format!("`{name}` is driven by a stream as well"));
    }
    found.pauses = match mapping.get("pauses") {
        None | Some(Value::Bool(false)) => Pauses::None,
        Some(Value::Bool(true)) => Pauses::OfRun,
        Some(seed) => {
            let number = seed.as_u64();
            if number.is_none() {
                let message = "`pauses` is `true`, or a seed from 0 up to draw them with";
                reader.error("pauses", message);
            }
            number.map_or(Pauses::None, Pauses::Seed)
        }
    };
    let expect = part(reader, mapping, "expect");
    for (key, value) in &expect {
        match key.as_str() {
            "latency" if found.until.is_none() && found.streams.is_empty() => {
                reader.error(
                    "latency",
                    "`latency` needs an end of the run: name an output under `until`, or give `streams`",
                );
            }
            "memories" => {}
            "latency" => found.latency_cycles = reader.count("latency", value).map(u64::from),
            other => {
                let advice = did_you_mean(other, CASE_EXPECT_KEYS);
                reader.error(other, format!("unknown key `{other}`; {advice}"));
            }
        }
    }
    if let Some(input) = found.random.keys().next()
        && (cycles, found.until, last) == (None, None, 0)
        && found.streams.is_empty()
    {
        let name = &inputs.all[*input].0;
        let message = format!("`{name}` is drawn in every cycle: `cycles` says how many there are");
        reader.error(name, message);
    }
    found.n_cycles = match (cycles, found.until) {
        (Some(cycles), _) => cycles,
        (None, Some(_)) => reader.limits.of(Limit::UntilCycles),
        (None, None) if !found.streams.is_empty() => reader.limits.of(Limit::UntilCycles),
        (None, None) => last.max(1),
    };
    if let Some(cycles) = cycles.filter(|cycles| *cycles < last) {
        let message = format!("there are values for {last} cycles, and only {cycles} are run");
        reader.error("cycles", message);
    }
    found
}

/// Reads the contents of memories from the entry `memories` of a YAML mapping.
fn memories(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    mapping: &Mapping,
    simulator: &CycleSimulator,
) -> Vec<(usize, Vec<Bits>)> {
    let mut found: Vec<(usize, Vec<Bits>)> = Vec::new();
    for (name, value) in part(reader, mapping, "memories") {
        let number = match simulator.find_memory(&name) {
            Ok(number) => number,
            Err(why) => {
                reader.error(&name, why);
                continue;
            }
        };
        if found.iter().any(|(known, _)| *known == number) {
            reader.error(&name, format!("`{name}` is named twice"));
            continue;
        }
        let Some(memory) = simulator.memories().nth(number) else {
            continue;
        };
        let extents = memory.shape.iter().map(|size| usize::try_from(*size).ok());
        let shape = Shape {
            format: None,
            width_bits: memory.width_bits,
            extents: extents.collect(),
            is_largest: false,
        };
        let words = words(reader, files, &name, &value, &shape);
        found.extend(words.map(|words| (number, words)));
    }
    found
}

/// Returns the entries of a nested mapping.
pub fn part(reader: &mut Reader<'_>, mapping: &Mapping, key: &str) -> Vec<(String, Value)> {
    match mapping.get(key) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Mapping(part)) => part
            .iter()
            .map(|(name, value)| (name.as_str().unwrap_or_default().to_owned(), value.clone()))
            .collect(),
        Some(_) => {
            reader.error(key, format!("`{key}` are names with values"));
            Vec::new()
        }
    }
}

/// The port of the values that are read.
struct Port<'a> {
    name: &'a str,
    width_bits: u32,
    /// Cycles of the sequence, if it gives them.
    cycles: Option<u64>,
}

/// Reads the values of an input: one, a list, or those of a file.
fn values(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    port: &Port<'_>,
    value: &Value,
) -> Option<Vec<Bits>> {
    let Port {
        name, width_bits, ..
    } = *port;
    let values = match value {
        Value::Mapping(mapping) if mapping.contains_key("file") => {
            return of_file(reader, files, port, value);
        }
        Value::Mapping(mapping) => from_cycles(mapping, width_bits),
        Value::Sequence(all) => all.iter().map(|one| word(one, width_bits)).collect(),
        one => word(one, width_bits).map(|one| vec![one]),
    };
    match values {
        Ok(values) if !values.is_empty() => Some(values),
        Ok(_) => {
            reader.error(name, format!("`{name}` has no values"));
            None
        }
        Err(why) => {
            reader.error(name, format!("`{name}`: {why}"));
            None
        }
    }
}

/// Expands a mapping from cycles to values, each valid until the next one; 0 before the first.
fn from_cycles(mapping: &Mapping, width_bits: u32) -> Result<Vec<Bits>, String> {
    let mut changes = BTreeMap::new();
    for (cycle, value) in mapping {
        let number = cycle_of(cycle).filter(|cycle| *cycle <= LAST_CHANGE);
        let number = number.ok_or_else(|| {
            format!("cycles are numbers from 0 to {LAST_CHANGE}, or there is a `file`")
        })?;
        changes.insert(number, word(value, width_bits)?);
    }
    let mut values = Vec::new();
    let mut now = Bits::zero(width_bits);
    for (cycle, value) in changes {
        let n_before = usize::try_from(cycle).map_err(|why| why.to_string())?;
        values.resize(n_before, now);
        now = value.clone();
        values.push(value);
    }
    Ok(values)
}

/// Reads a cycle number from a key; keys of JSON are texts.
fn cycle_of(key: &Value) -> Option<u64> {
    let number = key.as_str().and_then(|cycle| cycle.parse().ok());
    key.as_u64().or(number)
}

/// Reads the words of a file, one for each cycle.
fn of_file(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    port: &Port<'_>,
    value: &Value,
) -> Option<Vec<Bits>> {
    let Port {
        name,
        width_bits,
        cycles,
    } = *port;
    let Some(n_words) = cycles.and_then(|cycles| usize::try_from(cycles).ok()) else {
        let message = format!("`{name}` comes from a file: `cycles` says how many words it has");
        reader.error(name, message);
        return None;
    };
    let shape = Shape {
        format: None,
        width_bits,
        extents: Some(vec![n_words]),
        is_largest: false,
    };
    words(reader, files, name, value, &shape)
}

/// Reads the expected values of an output: one for every cycle, a list with `null` for any value, values by cycle, or those of a
/// file.
fn expected(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    port: &Port<'_>,
    value: &Value,
) -> Option<Expected> {
    let Port {
        name, width_bits, ..
    } = *port;
    let mut at = BTreeMap::new();
    let wrong = |why: String| format!("`{name}`: {why}");
    match value {
        Value::Mapping(mapping) if mapping.contains_key("file") => {
            let words = of_file(reader, files, port, value)?;
            at.extend((0..).zip(words));
        }
        Value::Mapping(mapping) => {
            for (cycle, value) in mapping {
                match (cycle_of(cycle), word(value, width_bits)) {
                    (Some(cycle), Ok(_)) if cycle > reader.limits.of(Limit::SequenceCycles) => {
                        let excess = reader.limits.check(Limit::SequenceCycles, cycle);
                        let why = excess.err().map(|excess| excess.to_string());
                        reader.error(name, wrong(why.unwrap_or_default()));
                    }
                    (Some(cycle), Ok(value)) => {
                        at.insert(cycle, value);
                    }
                    (None, _) => {
                        reader.error(name, wrong("cycles are numbers from 0 up".to_owned()));
                    }
                    (_, Err(why)) => reader.error(name, wrong(why)),
                }
            }
        }
        Value::Sequence(all) => {
            for (cycle, value) in (0..).zip(all) {
                match word(value, width_bits) {
                    _ if value.is_null() => {}
                    Ok(value) => {
                        at.insert(cycle, value);
                    }
                    Err(why) => reader.error(name, wrong(why)),
                }
            }
        }
        one => match word(one, width_bits) {
            Ok(value) => return Some(Expected::Always(value)),
            Err(why) => reader.error(name, wrong(why)),
        },
    }
    Some(Expected::At(at))
}
