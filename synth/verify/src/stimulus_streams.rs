//! Words that go in and come out of a circuit through `valid` and `ready`: offered until they are taken, compared in order.

use sluice_ir::bits::Bits;
use sluice_sim::cycle::CycleSimulator;

use crate::data::Random;

/// Cycles behind the last word in which no other one must come.
const QUIET_CYCLES: u64 = 16;

/// Cycles in which streams wait as often, where they wait at random.
const PHASE_CYCLES: u64 = 16;

/// Cycles in which no word went after which streams wait no more, until one goes: what does not happen then never will.
const PATIENCE_CYCLES: u64 = 1024;

/// Of so many cycles a stream moves in one at least, at random.
const SLOWEST: u64 = 4;

/// A channel of a circuit, and the words that go through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// Its ports.
    pub ports: StreamPorts,
    /// How many words go through it.
    pub n_words: usize,
    /// What the words are made of; nothing where there are no data.
    pub fields: Vec<Field>,
}

/// A port that goes with the words of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it is called: as the channel, with a point and its own name where it is not the data.
    pub name: String,
    /// Its number among the inputs or outputs.
    pub port: usize,
    /// What it is in each word; of what the circuit gives, those that may be anything are `None`.
    pub words: Vec<Option<Bits>>,
}

/// The ports of a channel, by their numbers among the inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPorts {
    /// Whether the circuit takes its words: data and `valid` are inputs and `ready` is an output, or the other way round.
    pub is_input: bool,
    /// Whether a word is offered.
    pub valid: usize,
    /// Whether it is taken.
    pub ready: usize,
}

/// The parts of a word.
fn in_hexadecimal(word: &[Bits]) -> String {
    let parts = word
        .iter()
        .map(|part| format!("0x{}", part.to_hex_string()));
    parts.collect::<Vec<_>>().join(" ")
}

/// The same between commas; nothing where there are none.
fn shown(word: &[Bits]) -> String {
    match word {
        [] => String::new(),
        _ => format!(", {},", in_hexadecimal(word)),
    }
}

fn flag(is_on: bool) -> Bits {
    Bits::from_u64(1, u64::from(is_on))
}

/// The streams of a run.
pub struct Streams<'a> {
    all: &'a [Stream],
    moving: Vec<Moving>,
    random: Option<Random>,
    /// Cycles until the last word went.
    done: Option<u64>,
    /// Cycles in which no word went, up to now.
    n_quiet: u64,
}

/// What a stream has done.
#[derive(Clone, Default)]
struct Moving {
    /// Words that went through it.
    n_words: usize,
    /// Whether a word is offered, which stays until it is taken; of results whether one is taken if there is one.
    is_on: bool,
    /// The word that the circuit offered in the cycle before and that was not taken: it must still be there.
    held: Option<Vec<Bits>>,
    /// Of so many cycles it moves in one less than [`SLOWEST`], where it waits at random.
    pace: u64,
}

impl<'a> Streams<'a> {
    /// Streams at their beginning, that wait at random where there is a seed.
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
        // What would come behind the last word is not kept from coming.
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

    /// Looks at what was taken in the cycle that was run last, after so many.
    ///
    /// # Errors
    /// Words that are other ones, or one more than there are.
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

    /// Words that went through all of them.
    fn n_moved(&self) -> usize {
        self.moving.iter().map(|moving| moving.n_words).sum()
    }

    /// Whether no word went in the last two cycles, and none waits for anything but the circuit: inputs stay until one goes.
    pub fn stand(&self) -> bool {
        let patience = match self.random {
            Some(_) if self.done.is_none() => PATIENCE_CYCLES + 1,
            _ => 1,
        };
        self.n_quiet > patience
    }

    /// Cycles in which no word went, up to now; none once every word went.
    pub(crate) fn quiet_cycles(&self) -> u64 {
        match self.done {
            Some(_) => 0,
            None => self.n_quiet,
        }
    }

    /// The outputs of the circuit of which one is not 0 where a word may go, and the inputs that may still become anything.
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

    /// Whether every word went where it had to.
    fn has_all(&self) -> bool {
        let mut all = self.all.iter().zip(&self.moving);
        all.all(|(stream, moving)| moving.n_words >= stream.n_words)
    }

    /// Whether there were cycles enough, with so many in all, for a word too many to come behind the last one.
    pub(crate) fn are_quiet(&self, n_cycles: u64) -> bool {
        let done = self.done.filter(|_| !self.all.is_empty());
        done.is_some_and(|done| done + QUIET_CYCLES <= n_cycles)
    }

    /// Cycles until the last word went, if there are streams and it did.
    pub fn done(&self) -> Option<u64> {
        self.done.filter(|_| !self.all.is_empty())
    }

    /// How many words went through the streams through which not all did.
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

    /// Whether every word went.
    ///
    /// # Errors
    /// Those that did not, in so many cycles.
    pub(crate) fn are_done(&self, n_cycles: u64) -> Result<(), String> {
        let left = self.left();
        match left[..] {
            [] => Ok(()),
            _ => Err(format!("in {n_cycles} cycles {}", left.join(", "))),
        }
    }
}
