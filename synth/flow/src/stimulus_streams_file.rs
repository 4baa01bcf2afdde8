//! `streams` of a data file of a circuit: words by the names of channels.

use serde_yaml::{Mapping, Value};
use sluice_ir::bits::Bits;
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::cycle::ClockTiming;

use crate::config::Reader;
use crate::data_words::{Files, Shape, word, words};
use crate::stimulus_file::{Ports, part};
use crate::stimulus_streams::{Stream, StreamPorts};

/// What stands behind the name of a channel in those of its ports: data, `valid`, `ready`.
const SUFFIXES: [[&str; 3]; 3] = [
    ["", "_valid", "_ready"],
    ["_data", "_valid", "_ready"],
    ["_tdata", "_tvalid", "_tready"],
];

/// Words of a stream that comes from a file, or tokens.
const MOST_WORDS: u64 = 1 << 24;

/// The channels of a circuit, by name.
pub(crate) struct Channels {
    /// Names, ports, bits of a word.
    all: Vec<(String, StreamPorts, u32)>,
    /// What has `valid` alone.
    unready: Vec<String>,
    /// A clock that does not rise in every tick.
    slow_clock: Option<String>,
}

impl Channels {
    /// Those whose ports are all there; data may be missing. Of clocks of which nothing is said each tick is an edge.
    pub(crate) fn of(inputs: &Ports, outputs: &Ports, clocks: &[ClockTiming]) -> Self {
        let mut found: Vec<(String, StreamPorts, u32)> = Vec::new();
        let mut unready = Vec::new();
        for (is_input, forward, back) in [(true, inputs, outputs), (false, outputs, inputs)] {
            for [data_suffix, valid_suffix, ready_suffix] in SUFFIXES {
                for (valid, (port, width_bits)) in forward.all.iter().enumerate() {
                    let Some(name) = port.strip_suffix(valid_suffix).filter(|_| *width_bits == 1)
                    else {
                        continue;
                    };
                    let (data, ready) = (
                        forward.find(&format!("{name}{data_suffix}")),
                        back.find(&format!("{name}{ready_suffix}")),
                    );
                    let Some((ready, 1)) = ready else {
                        unready.push(name.to_owned());
                        continue;
                    };
                    let ports = StreamPorts {
                        is_input,
                        data: data.map(|(data, _)| data),
                        valid,
                        ready,
                    };
                    let width_bits = data.map_or(0, |(_, width_bits)| width_bits);
                    match found.iter_mut().find(|(known, ..)| known == name) {
                        // The form with data is the one that is meant.
                        Some(known) if known.1.data.is_none() => {
                            *known = (name.to_owned(), ports, width_bits);
                        }
                        Some(_) => {}
                        None => found.push((name.to_owned(), ports, width_bits)),
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

    /// The streams of a sequence.
    pub(crate) fn read(
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
            let Some((_, ports, width_bits)) = self.all.iter().find(|(known, ..)| *known == name)
            else {
                let known: Vec<&str> = self.all.iter().map(|(known, ..)| known.as_str()).collect();
                let advice = match known[..] {
                    _ if self.is_unready(&name) => format!("`{name}_ready` is missing"),
                    [] => "there are none: `x`, `x_valid` and `x_ready` are the ports of `x`"
                        .to_owned(),
                    _ => did_you_mean(&name, &known),
                };
                reader.error(&name, format!("there is no stream `{name}`; {advice}"));
                continue;
            };
            let words = match ports.data {
                None => tokens(reader, &name, &value).map(|n_words| (n_words, Vec::new())),
                Some(_) => stream(reader, files, (&name, &value), *width_bits, ports.is_input)
                    .map(|words| (words.len(), words)),
            };
            // Its ports are driven, whatever is wrong with the words.
            let (n_words, words) = words.unwrap_or_default();
            found.push(Stream {
                name,
                ports: *ports,
                n_words,
                words,
            });
        }
        found
    }
}

/// So many words without data.
fn tokens(reader: &mut Reader<'_>, name: &str, value: &Value) -> Option<usize> {
    if !value.is_number() {
        let message = format!("`{name}` has no data: a number says how many tokens there are");
        reader.error(name, message);
        return None;
    }
    n_words(reader, name, value)
}

/// A number of words; none is a number too.
fn n_words(reader: &mut Reader<'_>, key: &str, value: &Value) -> Option<usize> {
    let n = value.as_u64().filter(|n| *n <= MOST_WORDS);
    if n.is_none() {
        reader.error(
            key,
            format!("`{key}` is a whole number from 0 to {MOST_WORDS}"),
        );
    }
    n.and_then(|n| usize::try_from(n).ok())
}

/// The words of a list or a file.
fn stream(
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
                width_bits,
                extents: Some(vec![self::n_words(reader, "words", &n_words)?]),
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
