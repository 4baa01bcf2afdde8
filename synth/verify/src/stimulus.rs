//! Input sequences for a circuit, with the expected outputs; `stimulus_file` reads them from files.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::bits::Bits;
use sluice_sim::cycle::{ClockTiming, CycleSimulator};
use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Watch};

use crate::assertions::{Assertion, Reset};
use crate::deadlock::{NoTransfer, RepeatedState, waiting};
use crate::stimulus_random::{Drawing, RandomInput};
use crate::stimulus_streams::{Stream, Streams};

/// Default length of a reset, in edges of each clock.
const RESET_EDGES: u64 = 2;

/// The contents of a circuit's data file.
#[derive(Clone, Debug, Default)]
pub struct Stimulus {
    /// The circuit, and the options of its runs.
    pub head: Head,
    /// The sequences, each run from the initial state.
    pub sequences: Vec<Sequence>,
    /// Assertions about every cycle.
    pub assertions: Vec<Assertion>,
}

/// The circuit of a data file, with its parameters, resets and clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The top module.
    pub module: String,
    /// Values of its parameters, by name.
    pub parameters: Vec<(String, String)>,
    /// Resets of the circuit before each sequence; all other inputs are 0 during a reset.
    pub resets: Vec<Reset>,
    /// Length of the reset in ticks, if the file gives one.
    pub reset_ticks: Option<u64>,
    /// Timing of the clocks that the file names.
    pub clocks: Vec<ClockTiming>,
}

impl Head {
    /// Returns the ticks of the reset before each sequence.
    fn reset_cycles(&self, simulator: &CycleSimulator) -> u64 {
        let ends = simulator
            .clocks()
            .iter()
            .map(|clock| u64::from(clock.phase) + (RESET_EDGES - 1) * u64::from(clock.period) + 1);
        self.reset_ticks.or(ends.max()).unwrap_or(RESET_EDGES)
    }
}

/// The inputs of a run, cycle by cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The line of the data file on which it begins, if it has one of its own.
    pub line: Option<usize>,
    /// Number of cycles; the maximum if an output or streams end the sequence.
    pub n_cycles: u64,
    /// The sequence ends when this output is not 0.
    pub until: Option<usize>,
    /// Values of inputs by port index, from the first cycle on; the last value stays. Inputs without an entry are 0.
    pub inputs: BTreeMap<usize, Vec<Bits>>,
    /// Random inputs, by port index; they change in every cycle.
    pub random: BTreeMap<usize, RandomInput>,
    /// Seed of the random inputs.
    pub seed: u64,
    /// Expected values of outputs, by port index.
    pub outputs: BTreeMap<usize, Expected>,
    /// Initial contents of memories, by index; other memories are zero.
    pub memories: Vec<(usize, Vec<Bits>)>,
    /// Expected contents of memories at the end.
    pub memories_after: Vec<(usize, Vec<Bits>)>,
    /// Words that are transferred with `valid` and `ready`. If there are streams and no output ends the sequence, it ends some
    /// cycles after their last word and after all given values.
    pub streams: Vec<Stream>,
    /// Pauses of the streams.
    pub pauses: Pauses,
    /// Expected cycles until the output is not 0, or until the last word of the streams.
    pub latency_cycles: Option<u64>,
}

/// When streams pause although they could transfer a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pauses {
    /// Never.
    #[default]
    None,
    /// At random, with this seed.
    Seed(u64),
    /// At random, with the seed of the run.
    OfRun,
}

/// The expected values of an output.
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

    /// Returns the last cycle with an expected value.
    pub fn last(&self) -> Option<u64> {
        match self {
            Self::Always(_) => None,
            Self::At(values) => values.keys().next_back().copied(),
        }
    }
}

/// The failure of a sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Wrong {
    /// Description of the failure.
    pub message: String,
    /// True if it stopped because of a deadlock. If signals are observed, the message names the channels with waiting tokens.
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
    /// Returns the indices of the memories that sequences initialise.
    pub fn images(&self) -> BTreeSet<usize> {
        let all = self.sequences.iter().flat_map(|all| &all.memories);
        all.map(|(memory, _)| *memory).collect()
    }
}

impl Sequence {
    /// Runs the sequence on a simulator in its initial state, and returns the number of cycles without those of the reset.
    ///
    /// # Errors
    /// The first cycle with wrong outputs; an output or a word that was late or can never come; expected values in cycles after
    /// the end; failures of `watch`.
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
        let (mut repeated, mut no_transfer) = (RepeatedState::new(), NoTransfer::new());
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
            if repeated.is_certain(simulator, is_quiet)
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

    /// Creates the failure for a deadlock.
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

    /// Returns the last cycle with a given value.
    fn last_cycle(&self) -> u64 {
        let inputs = self.inputs.values();
        let inputs = inputs.map(|values| (values.len() as u64).saturating_sub(1));
        let outputs = self.outputs.values().filter_map(Expected::last);
        inputs.chain(outputs).max().unwrap_or(0)
    }

    /// Sets the inputs of a cycle that change.
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

    /// Compares the final contents of memories, and reports the words that differ.
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
                1 => "; a later word differs too".to_owned(),
                n => format!("; {n} later words differ too"),
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

    /// Checks at the end of a run of `n_cycles` that the awaited output came, that the latency is as expected, and that all
    /// expected values were compared.
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

/// Formats a cycle number, counted from the start of the waves and from the end of the reset.
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
