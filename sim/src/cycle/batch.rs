//! Simulation of many runs of one circuit at once, each with its own inputs.

use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, Module};
use sluice_words::{Batch, Packing};

use super::lowering::{Lowered, Slots};
use super::{Observe, Port, Surroundings, elaborate, lowering};

/// The reason why a batch cannot be simulated.
#[derive(Debug)]
pub enum BatchError {
    /// The circuit cannot be simulated.
    Circuit(Diagnostics),
    /// A cycle has more than one clock edge or more than one clock.
    Clocks,
    /// No machine code can be generated on this machine.
    Machine(String),
}

/// Several simulations of one module side by side: their words are in the lanes of vectors, and groups of them run on threads.
///
/// Two-state as [`super::CycleSimulator`]; after every cycle each run has the same state as a simulation of its own would have.
pub struct BatchSimulator {
    batch: Batch,
    inputs: Vec<(Port, Slots)>,
    outputs: Vec<(Port, Slots)>,
    /// Clock cycles since the start.
    pub cycle: u64,
}

impl BatchSimulator {
    /// Creates simulations of `top`, a module of `module`, that run on the given number of threads.
    ///
    /// # Errors
    /// As [`super::CycleSimulator::new`]; programs that cannot be compiled to machine code.
    pub fn new(
        context: &Context,
        module: &Module,
        top: &str,
        surroundings: &Surroundings,
        n_runs: usize,
        n_threads: usize,
    ) -> Result<Self, BatchError> {
        let flat = elaborate::elaborate(context, module, top, surroundings, Observe::Ports);
        let flat = flat.map_err(BatchError::Circuit)?;
        let has_halves = flat.timing.has_halves;
        let inputs = flat.inputs.clone();
        let outputs: Vec<Port> = flat.outputs.iter().map(|(port, _)| port.clone()).collect();
        let Lowered {
            program,
            inputs: of_inputs,
            outputs: of_outputs,
            advance,
            ..
        } = lowering::lower(flat, std::iter::empty());
        if advance.is_some() || has_halves {
            return Err(BatchError::Clocks);
        }
        Ok(Self {
            batch: Batch::new(program, n_runs, n_threads, Packing::Auto)
                .map_err(BatchError::Machine)?,
            inputs: inputs.into_iter().zip(of_inputs).collect(),
            outputs: outputs.into_iter().zip(of_outputs).collect(),
            cycle: 0,
        })
    }

    /// Returns the number of runs.
    pub fn n_runs(&self) -> usize {
        self.batch.n_machines()
    }

    /// Returns the inputs without the clock.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = &Port> {
        self.inputs.iter().map(|(port, _)| port)
    }

    /// Returns the outputs.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &Port> {
        self.outputs.iter().map(|(port, _)| port)
    }

    /// Sets input number `index` of a run.
    pub fn set_input(&mut self, run: usize, index: usize, value: &Bits) {
        let slots = self.inputs[index].1;
        for (limb, slot) in (slots.first..slots.first + slots.n_limbs()).enumerate() {
            self.batch.set_slot(run, slot, value.limb(limb));
        }
    }

    /// Runs `n_cycles` cycles of every run, with the inputs as they are.
    pub fn run_cycles(&mut self, n_cycles: u64) {
        self.batch.run(n_cycles);
        self.cycle += n_cycles;
    }

    /// Computes every output of every run from inputs, registers and memories.
    pub fn evaluate(&mut self) {
        self.batch.show();
    }

    /// Returns output number `index` of a run as of the last [`BatchSimulator::evaluate`].
    pub fn output(&self, run: usize, index: usize) -> Bits {
        let slots = self.outputs[index].1;
        let all = slots.first..slots.first + slots.n_limbs();
        let limbs: Vec<u64> = all.map(|slot| self.batch.slot(run, slot)).collect();
        Bits::from_limbs(slots.width_bits, &limbs)
    }
}
