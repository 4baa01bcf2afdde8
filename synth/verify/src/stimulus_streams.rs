//! Streams of words through `valid` and `ready` of a circuit: each word is offered until it is accepted, and results are compared
//! in order.

use sluice_ir::bits::Bits;
use sluice_sim::cycle::CycleSimulator;

use crate::data::Random;

/// Number of cycles after the last word in which no further word may come.
const QUIET_CYCLES: u64 = 16;

/// Number of cycles with the same pause probability, if streams pause at random.
const PHASE_CYCLES: u64 = 16;

/// Number of cycles without a transfer after which pauses stop until the next transfer: a transfer that does not happen then
/// never will.
const PATIENCE_CYCLES: u64 = 1024;

/// A stream with random pauses is ready in at least one of this many cycles on average.
const SLOWEST: u64 = 4;

/// A channel of a circuit, and the words that are transferred through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// Its ports.
    pub ports: StreamPorts,
    /// Number of words.
    pub n_words: usize,
    /// The data ports of the words; empty for a channel without data.
    pub fields: Vec<Field>,
}

/// A data port of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in messages: that of the channel, followed by a point and the field's own name unless it is the data.
    pub name: String,
    /// Index of the port among the inputs or outputs.
    pub port: usize,
    /// Its value in each word; `None` for outputs of the circuit with any value.
    pub words: Vec<Option<Bits>>,
}

/// The ports of a channel, by their indices among the inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPorts {
    /// True if the circuit receives the words: data and `valid` are inputs and `ready` is an output. Otherwise the opposite.
    pub is_input: bool,
    /// Index of the port that offers a word.
    pub valid: usize,
    /// Index of the port that accepts a word.
    pub ready: usize,
}

/// Formats the parts of a word in hexadecimal.
fn in_hexadecimal(word: &[Bits]) -> String {
    let parts = word
        .iter()
        .map(|part| format!("0x{}", part.to_hex_string()));
    parts.collect::<Vec<_>>().join(" ")
}

/// Formats the parts of a word between commas; empty for a word without parts.
fn shown(word: &[Bits]) -> String {
    match word {
        [] => String::new(),
        _ => format!(", {},", in_hexadecimal(word)),
    }
}

fn flag(is_on: bool) -> Bits {
    Bits::from_u64(1, u64::from(is_on))
}

/// The state of the streams of a run.
pub struct Streams<'a> {
    all: &'a [Stream],
    moving: Vec<Moving>,
    random: Option<Random>,
    /// Number of cycles until the last word was transferred.
    done: Option<u64>,
    /// Number of cycles since the last transfer.
    n_quiet: u64,
}

/// The state of a stream.
#[derive(Clone, Default)]
struct Moving {
    /// Number of words transferred.
    n_words: usize,
    /// For inputs: a word is offered, and stays offered until it is accepted. For outputs: a word would be accepted.
    is_on: bool,
    /// The word that the circuit offered in the previous cycle and that was not accepted: the circuit must still offer it.
    held: Option<Vec<Bits>>,
    /// The current random pace: the stream moves in `pace + 1` of [`SLOWEST`] cycles on average.
    pace: u64,
}

impl<'a> Streams<'a> {
    /// Creates streams in their initial state, which pause at random if there is a seed.
    pub fn new(all: &'a [Stream], seed: Option<u64>) -> Self {
        Self {
            all,
            moving: vec![Moving::default(); all.len()],
            random: seed.map(Random::new),
            done: None,
            n_quiet: 0,
        }
    }

    /// Sets the inputs of a cycle.
    pub fn drive(&mut self, simulator: &mut CycleSimulator, cycle: u64) {
        // After the last word, outputs are always accepted, so that surplus words are seen.
        let is_over = self.done.is_some() || self.n_quiet >= PATIENCE_CYCLES;
        for (stream, moving) in self.all.iter().zip(&mut self.moving) {
            let goes = match &mut self.random {
                _ if is_over => true,
                None => true,
                Some(random) => {
                    if cycle.is_multiple_of(PHASE_CYCLES) {
                        moving.pace = random.up_to(SLOWEST - 1);
                    }
                    random.up_to(SLOWEST - 1) <= moving.pace
                }
            };
            let StreamPorts {
                is_input,
                valid,
                ready,
            } = stream.ports;
            if !is_input {
                moving.is_on = goes;
                simulator.set_input(ready, &flag(goes));
                continue;
            }
            let has_word = moving.n_words < stream.n_words;
            moving.is_on = has_word && (moving.is_on || goes);
            simulator.set_input(valid, &flag(moving.is_on));
            for field in &stream.fields {
                if let Some(Some(word)) = field.words.get(moving.n_words) {
                    simulator.set_input(field.port, word);
                }
            }
        }
    }

    /// Processes the transfers of the last simulated cycle.
    ///
    /// # Errors
    /// Wrong words, and surplus words.
    pub fn take(&mut self, simulator: &CycleSimulator, cycle: u64) -> Result<(), String> {
        let mut found = Vec::new();
        let before = self.n_moved();
        for (stream, moving) in self.all.iter().zip(&mut self.moving) {
            let ports = stream.ports;
            let other = match ports.is_input {
                true => ports.ready,
                false => ports.valid,
            };
            let number = moving.n_words;
            let is_said = !simulator.output(other).is_zero();
            if ports.is_input {
                if moving.is_on && is_said {
                    moving.n_words += 1;
                    moving.is_on = false;
                }
                continue;
            }
            let word: Vec<Bits> = stream
                .fields
                .iter()
                .map(|field| simulator.output(field.port))
                .collect();
            if let Some(before) = moving.held.take() {
                let name = &stream.name;
                if !is_said {
                    found.push(format!(
                        "`{name}` takes word {number}{} back before it was taken",
                        shown(&before)
                    ));
                } else if before != word {
                    found.push(format!(
                        "`{name}` changes word {number}{} before it was taken: it is {} now",
                        shown(&before),
                        in_hexadecimal(&word)
                    ));
                }
            }
            if !is_said {
                continue;
            }
            if !moving.is_on {
                moving.held = Some(word);
                continue;
            }
            moving.n_words += 1;
            if number >= stream.n_words {
                found.push(format!(
                    "`{}` gives word {number}{} where {} are expected",
                    stream.name,
                    shown(&word),
                    stream.n_words
                ));
                continue;
            }
            for (field, word) in stream.fields.iter().zip(&word) {
                let expected = field.words.get(number).and_then(Option::as_ref);
                if let Some(expected) = expected.filter(|expected| *expected != word) {
                    found.push(format!(
                        "word {number} of `{}` is 0x{}, expected 0x{}",
                        field.name,
                        word.to_hex_string(),
                        expected.to_hex_string()
                    ));
                }
            }
        }
        self.n_quiet = match self.n_moved() == before {
            true => self.n_quiet + 1,
            false => 0,
        };
        if self.done.is_none() && self.has_all() {
            self.done = Some(cycle + 1);
        }
        match found[..] {
            [] => Ok(()),
            _ => Err(found.join("; ")),
        }
    }

    /// Returns the number of words transferred through all streams.
    fn n_moved(&self) -> usize {
        self.moving.iter().map(|moving| moving.n_words).sum()
    }

    /// Returns whether no word was transferred in the last two cycles, and only the circuit can cause the next transfer: the
    /// inputs do not change until then.
    pub fn stand(&self) -> bool {
        let patience = match self.random {
            Some(_) if self.done.is_none() => PATIENCE_CYCLES + 1,
            _ => 1,
        };
        self.n_quiet > patience
    }

    /// Returns the number of cycles since the last transfer; 0 after the last word.
    pub(crate) fn quiet_cycles(&self) -> u64 {
        match self.done {
            Some(_) => 0,
            None => self.n_quiet,
        }
    }

    /// Returns the outputs of which one must be 1 for a transfer, and the inputs that may still take any value.
    pub(crate) fn waited_for(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut outputs, mut free) = (Vec::new(), Vec::new());
        for (stream, moving) in self.all.iter().zip(&self.moving) {
            let StreamPorts {
                is_input,
                valid,
                ready,
            } = stream.ports;
            match is_input {
                true if moving.n_words < stream.n_words => {
                    outputs.push(ready);
                    if !moving.is_on {
                        free.push(valid);
                        free.extend(stream.fields.iter().map(|field| field.port));
                    }
                }
                true => {}
                false => {
                    outputs.push(valid);
                    free.extend(self.random.is_some().then_some(ready));
                }
            }
        }
        (outputs, free)
    }

    /// Returns whether all words were transferred.
    fn has_all(&self) -> bool {
        let mut all = self.all.iter().zip(&self.moving);
        all.all(|(stream, moving)| moving.n_words >= stream.n_words)
    }

    /// Returns whether enough of `n_cycles` passed after the last word to see a surplus word.
    pub(crate) fn are_quiet(&self, n_cycles: u64) -> bool {
        let done = self.done.filter(|_| !self.all.is_empty());
        done.is_some_and(|done| done + QUIET_CYCLES <= n_cycles)
    }

    /// Returns the cycles until the last word was transferred, if there are streams and all have finished.
    pub fn done(&self) -> Option<u64> {
        self.done.filter(|_| !self.all.is_empty())
    }

    /// Describes the progress of the streams that have not finished.
    pub fn left(&self) -> Vec<String> {
        let pairs = self.all.iter().zip(&self.moving);
        let left = pairs.filter(|(stream, moving)| moving.n_words < stream.n_words);
        left.map(|(stream, moving)| {
            let verb = match stream.ports.is_input {
                true => "were taken from",
                false => "came from",
            };
            let (n, all) = (moving.n_words, stream.n_words);
            format!("{n} of {all} words {verb} `{}`", stream.name)
        })
        .collect()
    }

    /// Checks that all words were transferred.
    ///
    /// # Errors
    /// The streams that did not finish within `n_cycles`.
    pub(crate) fn are_done(&self, n_cycles: u64) -> Result<(), String> {
        let left = self.left();
        match left[..] {
            [] => Ok(()),
            _ => Err(format!("in {n_cycles} cycles {}", left.join(", "))),
        }
    }
}
