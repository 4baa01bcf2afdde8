//! Reader of `streams` in the data file of a circuit: words by the names of channels.

use serde_yaml::{Mapping, Value};
use sluice_config::Reader;
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::cycle::ClockTiming;

use crate::data_words::{Files, Shape, word, words};
use crate::stimulus_file::{Ports, part};
use crate::stimulus_streams::{Field, Stream, StreamPorts};

/// Suffixes of the port names of a channel: data, `valid`, `ready`.
const SUFFIXES: [[&str; 3]; 3] = [
    ["", "_valid", "_ready"],
    ["_data", "_valid", "_ready"],
    ["_tdata", "_tvalid", "_tready"],
];

/// Name of the default part of a word.
const DATA: &str = "data";

/// A channel of a circuit.
struct Channel {
    name: String,
    ports: StreamPorts,
    /// The parts of its words: name of the part, index of the port, width in bits; `data` first, if there is any.
    parts: Vec<(String, usize, u32)>,
}

impl Channel {
    fn has_data(&self) -> bool {
        self.parts.first().is_some_and(|(part, ..)| part == DATA)
    }
}

/// The channels of a circuit, by name.
pub struct Channels {
    all: Vec<Channel>,
    /// Names that have `valid` but no `ready`.
    unready: Vec<String>,
    /// A clock that does not rise in every tick.
    slow_clock: Option<String>,
}

impl Channels {
    /// Finds the channels whose handshake ports exist; data may be missing. A clock without a timing has an edge in each tick.
    pub fn of(inputs: &Ports, outputs: &Ports, clocks: &[ClockTiming]) -> Self {
        let mut found: Vec<Channel> = Vec::new();
        let mut unready = Vec::new();
        for (is_input, forward, back) in [(true, inputs, outputs), (false, outputs, inputs)] {
            for [data_suffix, valid_suffix, ready_suffix] in SUFFIXES {
                for (valid, (port, width_bits)) in forward.all.iter().enumerate() {
                    let Some(name) = port.strip_suffix(valid_suffix).filter(|_| *width_bits == 1)
                    else {
                        continue;
                    };
                    let ready = back.find(&format!("{name}{ready_suffix}"));
                    let Some((ready, 1)) = ready else {
                        unready.push(name.to_owned());
                        continue;
                    };
                    let data = format!("{name}{data_suffix}");
                    let before = valid_suffix.strip_suffix("valid").unwrap_or_default();
                    let before = format!("{name}{before}");
                    let mut parts = Vec::new();
                    for (number, (port, width_bits)) in forward.all.iter().enumerate() {
                        match port.strip_prefix(&before) {
                            _ if *port == data => {
                                parts.insert(0, (DATA.to_owned(), number, *width_bits));
                            }
                            Some(part) if number != valid => {
                                parts.push((part.to_owned(), number, *width_bits));
                            }
                            _ => {}
                        }
                    }
                    let channel = Channel {
                        name: name.to_owned(),
                        ports: StreamPorts {
                            is_input,
                            valid,
                            ready,
                        },
                        parts,
                    };
                    match found.iter_mut().find(|known| known.name == name) {
                        // If several forms of port names match, the one with data is used.
                        Some(known) if !known.has_data() => *known = channel,
                        Some(_) => {}
                        None => found.push(channel),
                    }
                }
            }
        }
        let period = clocks.iter().map(|clock| clock.period).min();
        let is_slow = |clock: &&ClockTiming| clock.phase != 0 || Some(clock.period) != period;
        let slow_clock = clocks.iter().find(is_slow);
        Self {
            all: found,
            unready,
            slow_clock: slow_clock.map(|clock| clock.name.clone()),
        }
    }

    fn is_unready(&self, name: &str) -> bool {
        self.unready.iter().any(|known| known == name)
    }

    /// Reads the streams of a sequence.
    pub fn read(
        &self,
        reader: &mut Reader<'_>,
        files: Files<'_>,
        mapping: &Mapping,
    ) -> Vec<Stream> {
        let mut found = Vec::new();
        let all = part(reader, mapping, "streams");
        if let (Some(clock), false) = (&self.slow_clock, all.is_empty()) {
            let message = format!(
                "a word can go in every tick, and clock `{clock}` does not rise in every one"
            );
            reader.error("streams", message);
        }
        for (name, value) in all {
            let Some(channel) = self.all.iter().find(|known| known.name == name) else {
                let known: Vec<&str> = self.all.iter().map(|known| known.name.as_str()).collect();
                let advice = match known[..] {
                    _ if self.is_unready(&name) => format!("`{name}_ready` is missing"),
                    [] => "there are none: `x`, `x_valid` and `x_ready` are the ports of `x`"
                        .to_owned(),
                    _ => did_you_mean(&name, &known),
                };
                reader.error(&name, format!("there is no stream `{name}`; {advice}"));
                continue;
            };
            found.push(read_stream(reader, files, channel, &value));
        }
        found
    }
}

/// Reads the words of a channel: of its data, or of each of its parts.
fn read_stream(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    channel: &Channel,
    value: &Value,
) -> Stream {
    let name = channel.name.as_str();
    // The stream drives its ports even if its words have errors.
    let mut stream = Stream {
        name: name.to_owned(),
        ports: channel.ports,
        n_words: 0,
        fields: Vec::new(),
    };
    let values: Vec<(String, Value)> = match value {
        Value::Mapping(parts) if !parts.contains_key("file") => parts
            .iter()
            .map(|(part, value)| (part.as_str().unwrap_or_default().to_owned(), value.clone()))
            .collect(),
        _ if !channel.has_data() => {
            stream.n_words = tokens(reader, name, value).unwrap_or(0);
            return stream;
        }
        all => vec![(DATA.to_owned(), all.clone())],
    };
    for (part, value) in values {
        let known = channel.parts.iter().find(|(known, ..)| *known == part);
        let Some((_, port, width_bits)) = known else {
            let known: Vec<&str> = channel
                .parts
                .iter()
                .map(|(part, ..)| part.as_str())
                .collect();
            let advice = did_you_mean(&part, &known);
            reader.error(
                &part,
                format!("`{name}` has no `{part}` with its words; {advice}"),
            );
            continue;
        };
        let label = match part.as_str() {
            DATA => name.to_owned(),
            other => format!("{name}.{other}"),
        };
        let key = if part == DATA { name } else { &part };
        let is_input = channel.ports.is_input;
        let Some(words) = words_of(reader, files, (key, &value), *width_bits, is_input) else {
            continue;
        };
        if let Some(first) = stream.fields.first()
            && first.words.len() != words.len()
        {
            let message = format!(
                "`{label}` has {} words, and `{}` has {}",
                words.len(),
                first.name,
                first.words.len()
            );
            reader.error(key, message);
        }
        stream.n_words = words.len();
        stream.fields.push(Field {
            name: label,
            port: *port,
            words,
        });
    }
    stream
}

/// Reads the number of words of a channel without data.
fn tokens(reader: &mut Reader<'_>, name: &str, value: &Value) -> Option<usize> {
    if !value.is_number() {
        let message = format!("`{name}` has no data: a number says how many tokens there are");
        reader.error(name, message);
        return None;
    }
    n_words(reader, name, value)
}

/// Reads a number of words; 0 is allowed.
fn n_words(reader: &mut Reader<'_>, key: &str, value: &Value) -> Option<usize> {
    let most = reader.limits.of(Limit::StreamWords);
    let n = value.as_u64().filter(|n| *n <= most);
    if n.is_none() {
        let hint = reader.limits.excess(Limit::StreamWords).hint();
        reader.error(
            key,
            format!("`{key}` is a whole number from 0 to {most}; {hint}"),
        );
    }
    n.and_then(|n| usize::try_from(n).ok())
}

/// Reads the words of a list or a file.
fn words_of(
    reader: &mut Reader<'_>,
    files: Files<'_>,
    (name, value): (&str, &Value),
    width_bits: u32,
    is_input: bool,
) -> Option<Vec<Option<Bits>>> {
    match value {
        Value::Sequence(all) => {
            let read = all.iter().map(|one| match one {
                Value::Null if !is_input => Ok(None),
                one => word(one, width_bits).map(Some),
            });
            let words: Result<Vec<Option<Bits>>, String> = read.collect();
            words
                .map_err(|why| reader.error(name, format!("`{name}`: {why}")))
                .ok()
        }
        Value::Mapping(mapping) => {
            let mut of_file = mapping.clone();
            let Some(n_words) = of_file.remove("words") else {
                let message =
                    format!("`{name}` comes from a file: `words` says how many words it has");
                reader.error(name, message);
                return None;
            };
            let shape = Shape {
                format: None,
                width_bits,
                extents: Some(vec![self::n_words(reader, "words", &n_words)?]),
                is_largest: false,
            };
            let words = words(reader, files, name, &Value::Mapping(of_file), &shape)?;
            Some(words.into_iter().map(Some).collect())
        }
        _ => {
            let message = format!("`{name}` is a list of words, or `{{file: ..., words: ...}}`");
            reader.error(name, message);
            None
        }
    }
}
