//! Sequences of inputs for a circuit, with what its outputs must be; `stimulus_file` reads them.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::bits::Bits;
use sluice_sim::cycle::{ClockTiming, CycleSimulator};
use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Watch};

use crate::assertions::{Assertion, Reset};
use crate::standstill::{NoTransfer, Standstill, waiting};
use crate::stimulus_random::{Drawing, RandomInput};
use crate::stimulus_streams::{Stream, Streams};

/// Edges of each clock in a reset, where nothing is said of how long it is.
const RESET_EDGES: u64 = 2;

/// What a data file says of a circuit.
#[derive(Clone, Debug, Default)]
pub struct Stimulus {
    /// What is run and how.
    pub head: Head,
    /// The sequences, each run from the beginning.
    pub sequences: Vec<Sequence>,
    /// What must hold in every cycle.
    pub assertions: Vec<Assertion>,
}

/// Which circuit a data file is of, and what is around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The module on top.
    pub module: String,
    /// Numbers for its parameters, by name.
    pub parameters: Vec<(String, String)>,
    /// What resets the circuit before each sequence; all other inputs are 0 then.
    pub resets: Vec<Reset>,
    /// Ticks of that, where it is said.
    pub reset_ticks: Option<u64>,
    /// The clocks that are spoken of.
    pub clocks: Vec<ClockTiming>,
}

impl Head {
    /// Ticks of the reset before each sequence.
    fn reset_cycles(&self, simulator: &CycleSimulator) -> u64 {
        let ends = simulator
            .clocks()
            .iter()
            .map(|clock| u64::from(clock.phase) + (RESET_EDGES - 1) * u64::from(clock.period) + 1);
        self.reset_ticks.or(ends.max()).unwrap_or(RESET_EDGES)
    }
}

/// Inputs cycle by cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The line of the data file on which it begins, where it has one of its own.
    pub line: Option<usize>,
    /// Cycles to run, at most where an output or streams end it.
    pub n_cycles: u64,
    /// The output that is not 0 in the last cycle.
    pub until: Option<usize>,
    /// Values of inputs by their numbers, from the first cycle on; the last one stays. Inputs that are not there are 0.
    pub inputs: BTreeMap<usize, Vec<Bits>>,
    /// Inputs that are drawn in every cycle, by their numbers.
    pub random: BTreeMap<usize, RandomInput>,
    /// What these are drawn with.
    pub seed: u64,
    /// Values of outputs by their numbers.
    pub outputs: BTreeMap<usize, Expected>,
    /// What memories hold at the beginning, by their numbers; the others have zeros.
    pub memories: Vec<(usize, Vec<Bits>)>,
    /// What memories must hold at the end.
    pub memories_after: Vec<(usize, Vec<Bits>)>,
    /// Words that go through `valid` and `ready`; where there are some and no output ends it, it ends some cycles behind the last of them and of all values.
    pub streams: Vec<Stream>,
    /// When streams wait.
    pub pauses: Pauses,
    /// Cycles that it takes until its output comes, or the last word of its streams went.
    pub latency_cycles: Option<u64>,
}

/// When streams wait though they need not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pauses {
    /// Never.
    #[default]
    None,
    /// At random, by this seed.
    Seed(u64),
    /// At random, by the seed of the run.
    OfRun,
}

/// What an output must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// In every cycle.
    Always(Bits),
    /// In these cycles, counted from 0 after the reset.
    At(BTreeMap<u64, Bits>),
}

impl Expected {
    fn of(&self, cycle: u64) -> Option<&Bits> {
        match self {
            Self::Always(value) => Some(value),
            Self::At(values) => values.get(&cycle),
        }
    }

    /// The last cycle of which something is said.
    pub fn last(&self) -> Option<u64> {
        match self {
            Self::Always(_) => None,
            Self::At(values) => values.keys().next_back().copied(),
        }
    }
}

/// What is wrong with the run of a sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Wrong {
    /// What, in words.
    pub message: String,
    /// Whether it stopped because nothing can happen any more; the message says where tokens wait if signals are observed.
    pub is_deadlock: bool,
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Self {
            message,
            is_deadlock: false,
        }
    }
}

impl Stimulus {
    /// The numbers of the memories of which sequences say what they hold at the beginning.
    pub fn images(&self) -> BTreeSet<usize> {
        let all = self.sequences.iter().flat_map(|all| &all.memories);
        all.map(|(memory, _)| *memory).collect()
    }
}

impl Sequence {
    /// Runs it on a simulator that stands at its beginning; says how many cycles there were, those of the reset left out.
    ///
    /// # Errors
    /// The first cycle in which outputs are other ones; an output or a word that did not come in time or never will, values of cycles that
    /// did not come; what `watch` says.
    pub fn run(
        &self,
        head: &Head,
        simulator: &mut CycleSimulator,
        watch: &mut dyn Watch,
    ) -> Result<u64, Wrong> {
        for (memory, words) in &self.memories {
            simulator.set_contents(*memory, words);
        }
        watch.begin(simulator)?;
        let ran = self.cycles(head, simulator, watch).and_then(|cycles| {
            self.compare_memories(simulator)?;
            Ok(cycles)
        });
        let is_deadlock = matches!(&ran, Err(wrong) if wrong.is_deadlock);
        let ran = ran
            .map(|cycles| CircuitOutcome {
                results: Vec::new(),
                memories: Vec::new(),
                cycles,
            })
            .map_err(|wrong| TestbenchError::Stopped(wrong.message));
        let ended = watch.end(simulator, ran.as_ref());
        let outcome = ran.map_err(|why| Wrong {
            message: why.to_string(),
            is_deadlock,
        })?;
        ended?;
        Ok(outcome.cycles)
    }

    fn cycles(
        &self,
        head: &Head,
        simulator: &mut CycleSimulator,
        watch: &mut dyn Watch,
    ) -> Result<u64, Wrong> {
        let resets = head.resets.iter().filter_map(|reset| {
            let input = simulator.input_index(&reset.input)?;
            Some((input, reset.is_low))
        });
        let resets: Vec<(usize, bool)> = resets.collect();
        let set = |simulator: &mut CycleSimulator, is_reset: bool| {
            for (input, is_low) in &resets {
                let width_bits = simulator.input(*input).width();
                let level = match is_reset != *is_low {
                    true => Bits::ones(width_bits),
                    false => Bits::zero(width_bits),
                };
                simulator.set_input(*input, &level);
            }
        };
        let before = match resets[..] {
            [] => 0,
            _ => head.reset_cycles(simulator),
        };
        set(simulator, true);
        for _ in 0..before {
            watch.cycle(simulator)?;
        }
        set(simulator, false);
        let mut n_cycles = 0;
        let mut has_come = false;
        let seed = match self.pauses {
            Pauses::None => None,
            Pauses::Seed(seed) => Some(seed),
            Pauses::OfRun => Some(0),
        };
        let mut streams = Streams::new(&self.streams, seed);
        let all = self.random.iter();
        let mut drawn: Vec<Drawing<'_>> = all
            .map(|(input, random)| Drawing::new(*input, random, self.seed))
            .collect();
        let last = self.last_cycle();
        let (mut standstill, mut no_transfer) = (Standstill::new(), NoTransfer::new());
        while n_cycles < self.n_cycles && !has_come {
            self.drive(simulator, n_cycles);
            for drawing in &mut drawn {
                let (input, word) = drawing.draw();
                simulator.set_input(input, &word);
            }
            streams.drive(simulator, n_cycles);
            watch.cycle(simulator)?;
            self.compare(simulator, n_cycles, before)?;
            let taken = streams.take(simulator, n_cycles);
            taken.map_err(|why| format!("{}: {why}", at(n_cycles, before)))?;
            n_cycles += 1;
            has_come = match self.until {
                Some(until) => !simulator.output(until).is_zero(),
                None => streams.are_quiet(n_cycles) && n_cycles > last,
            };
            let is_quiet = drawn.is_empty() && streams.stand() && n_cycles > last;
            if has_come || self.streams.is_empty() {
                continue;
            }
            let quiet_cycles = match n_cycles > last {
                true => streams.quiet_cycles(),
                false => 0,
            };
            let ports = || {
                let (mut outputs, mut free) = streams.waited_for();
                outputs.extend(self.until);
                free.extend(self.random.keys());
                (outputs, free)
            };
            if standstill.is_certain(simulator, is_quiet)
                || no_transfer.is_proved(simulator, quiet_cycles, ports)
            {
                return Err(self.deadlock(simulator, &streams, (n_cycles - 1, before)));
            }
        }
        streams.are_done(n_cycles)?;
        let taken = match self.until {
            Some(_) => n_cycles,
            None => streams.done().unwrap_or(n_cycles),
        };
        self.is_over(simulator, n_cycles, taken, has_come)?;
        Ok(taken)
    }

    /// What is said where nothing can happen any more.
    fn deadlock(
        &self,
        simulator: &mut CycleSimulator,
        streams: &Streams<'_>,
        (cycle, before): (u64, u64),
    ) -> Wrong {
        let mut left = streams.left();
        left.extend(self.until.map(|until| {
            let name = name_of(simulator, until);
            format!("`{name}` is 0")
        }));
        let message = format!(
            "{}: deadlock: {}, and nothing can happen any more{}",
            at(cycle, before),
            left.join(", "),
            waiting(simulator).text()
        );
        Wrong {
            message,
            is_deadlock: true,
        }
    }

    /// The last cycle of which something is said.
    fn last_cycle(&self) -> u64 {
        let inputs = self.inputs.values();
        let inputs = inputs.map(|values| (values.len() as u64).saturating_sub(1));
        let outputs = self.outputs.values().filter_map(Expected::last);
        inputs.chain(outputs).max().unwrap_or(0)
    }

    /// Sets the inputs of a cycle, as far as they change.
    fn drive(&self, simulator: &mut CycleSimulator, cycle: u64) {
        for (input, values) in &self.inputs {
            let value = usize::try_from(cycle).ok().and_then(|i| values.get(i));
            if let Some(value) = value {
                simulator.set_input(*input, value);
            }
        }
    }

    fn compare(&self, simulator: &CycleSimulator, cycle: u64, before: u64) -> Result<(), String> {
        let mut found = Vec::new();
        for (output, expected) in &self.outputs {
            let value = simulator.output(*output);
            let Some(expected) = expected.of(cycle).filter(|expected| **expected != value) else {
                continue;
            };
            found.push(format!(
                "`{}` is 0x{}, expected 0x{}",
                name_of(simulator, *output),
                value.to_hex_string(),
                expected.to_hex_string()
            ));
        }
        match found[..] {
            [] => Ok(()),
            _ => Err(format!("{}: {}", at(cycle, before), found.join("; "))),
        }
    }

    /// The words of memories in which they are other ones at the end.
    fn compare_memories(&self, simulator: &CycleSimulator) -> Result<(), String> {
        let mut found = Vec::new();
        for (memory, expected) in &self.memories_after {
            let words = simulator.contents(*memory);
            let pairs = words.iter().zip(expected).enumerate();
            let mut other = pairs.filter(|(_, (word, expected))| word != expected);
            let Some((number, (word, expected))) = other.next() else {
                continue;
            };
            let memory = simulator.memories().nth(*memory);
            let name = memory.map_or_else(String::new, |memory| memory.word_name(number));
            let more = match other.count() {
                0 => String::new(),
                1 => "; a word behind it differs too".to_owned(),
                n => format!("; {n} words behind it differ too"),
            };
            found.push(format!(
                "`{name}` is 0x{} at the end, expected 0x{}{more}",
                word.to_hex_string(),
                expected.to_hex_string()
            ));
        }
        match found[..] {
            [] => Ok(()),
            _ => Err(found.join("; ")),
        }
    }

    /// Whether everything came that had to, in so many cycles, and after how many the last word or output did.
    fn is_over(
        &self,
        simulator: &CycleSimulator,
        n_cycles: u64,
        latency_cycles: u64,
        has_come: bool,
    ) -> Result<(), String> {
        if let (Some(until), false) = (self.until, has_come) {
            let name = name_of(simulator, until);
            return Err(format!("`{name}` was 0 in all of {n_cycles} cycles"));
        }
        let expected = self.latency_cycles;
        if let Some(expected) = expected.filter(|expected| *expected != latency_cycles) {
            return Err(format!(
                "expect: latency {expected}, found {latency_cycles} cycles"
            ));
        }
        let later = |(_, expected): &(&usize, &Expected)| {
            expected.last().is_some_and(|last| last >= n_cycles)
        };
        match self.outputs.iter().find(later) {
            None => Ok(()),
            Some((output, expected)) => Err(format!(
                "`{}` is expected in cycle {} after the reset, and there were {n_cycles}",
                name_of(simulator, *output),
                expected.last().unwrap_or(0)
            )),
        }
    }
}

/// A cycle of a sequence, as in the waves and as it counts itself.
fn at(cycle: u64, before: u64) -> String {
    match before {
        0 => format!("cycle {cycle}"),
        _ => format!("cycle {}, {cycle} after the reset", cycle + before),
    }
}

fn name_of(simulator: &CycleSimulator, output: usize) -> &str {
    let port = simulator.outputs().nth(output);
    port.map_or("", |port| port.name.as_str())
}
