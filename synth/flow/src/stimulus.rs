//! Sequences of inputs for a circuit, with what its outputs must be; `stimulus_file` reads them.

use std::collections::BTreeMap;

use sluice_ir::bits::Bits;
use sluice_sim::cycle::{ClockTiming, CycleSimulator};
use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Watch};

use crate::assertions::Assertion;

/// Cycles of a reset before each sequence.
const RESET_CYCLES: u64 = 2;

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
    /// The input that is 1 in two cycles before each sequence.
    pub reset: Option<String>,
    /// The clocks that are spoken of.
    pub clocks: Vec<ClockTiming>,
}

/// Inputs cycle by cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Cycles to run, at most where an output ends it.
    pub n_cycles: u64,
    /// The output that is not 0 in the last cycle.
    pub until: Option<usize>,
    /// Values of inputs by their numbers, from the first cycle on; the last one stays. Inputs that are not there are 0.
    pub inputs: BTreeMap<usize, Vec<Bits>>,
    /// Values of outputs by their numbers.
    pub outputs: BTreeMap<usize, Expected>,
    /// Cycles that it takes until its output comes.
    pub latency_cycles: Option<u64>,
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
    pub(crate) fn last(&self) -> Option<u64> {
        match self {
            Self::Always(_) => None,
            Self::At(values) => values.keys().next_back().copied(),
        }
    }
}

impl Sequence {
    /// Runs it on a simulator that stands at its beginning; says how many cycles there were, those of the reset left out.
    ///
    /// # Errors
    /// The first cycle in which outputs are other ones; an output that did not come in time, values of cycles that did not come; what `watch` says.
    pub fn run(
        &self,
        head: &Head,
        simulator: &mut CycleSimulator,
        watch: &mut dyn Watch,
    ) -> Result<u64, String> {
        watch.begin(simulator)?;
        let ran = self
            .cycles(head, simulator, watch)
            .map(|cycles| CircuitOutcome {
                results: Vec::new(),
                memories: Vec::new(),
                cycles,
            })
            .map_err(TestbenchError::Stopped);
        let ended = watch.end(simulator, ran.as_ref());
        let outcome = ran.map_err(|why| why.to_string())?;
        ended?;
        Ok(outcome.cycles)
    }

    fn cycles(
        &self,
        head: &Head,
        simulator: &mut CycleSimulator,
        watch: &mut dyn Watch,
    ) -> Result<u64, String> {
        let reset = head.reset.as_deref();
        let reset = reset.and_then(|name| simulator.input_index(name));
        self.drive(simulator, 0);
        let mut before = 0;
        if let Some(reset) = reset {
            let width_bits = simulator.input(reset).width();
            simulator.set_input(reset, &Bits::ones(width_bits));
            for _ in 0..RESET_CYCLES {
                watch.cycle(simulator)?;
            }
            simulator.set_input(reset, &Bits::zero(width_bits));
            before = RESET_CYCLES;
        }
        let mut n_cycles = 0;
        let mut has_come = false;
        while n_cycles < self.n_cycles && !has_come {
            self.drive(simulator, n_cycles);
            watch.cycle(simulator)?;
            self.compare(simulator, n_cycles, before)?;
            n_cycles += 1;
            has_come = self
                .until
                .is_some_and(|until| !simulator.output(until).is_zero());
        }
        self.is_over(simulator, n_cycles, has_come)?;
        Ok(n_cycles)
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
        let behind = match before {
            0 => String::new(),
            _ => format!(", {cycle} after the reset"),
        };
        match found[..] {
            [] => Ok(()),
            _ => Err(format!(
                "cycle {}{behind}: {}",
                cycle + before,
                found.join("; ")
            )),
        }
    }

    /// Whether everything came that had to.
    fn is_over(
        &self,
        simulator: &CycleSimulator,
        n_cycles: u64,
        has_come: bool,
    ) -> Result<(), String> {
        if let (Some(until), false) = (self.until, has_come) {
            let name = name_of(simulator, until);
            return Err(format!("`{name}` was 0 in all of {n_cycles} cycles"));
        }
        if let Some(latency) = self.latency_cycles.filter(|latency| *latency != n_cycles) {
            return Err(format!(
                "expect: latency {latency}, found {n_cycles} cycles"
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

fn name_of(simulator: &CycleSimulator, output: usize) -> &str {
    let port = simulator.outputs().nth(output);
    port.map_or("", |port| port.name.as_str())
}
