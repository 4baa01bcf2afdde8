//! The cycle simulator: a levelised two-state model of an `hw.module` with everything in it.
//!
//! The module is flattened into terms through the declared meanings of its operations, so what is simulated is what the
//! dialect says, and what `rtl-out` prints. Terms are made operands first, which is the order of evaluation.

pub mod elaborate;
mod program;
mod vcd;

use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, Module};

use program::Program;
pub use vcd::Vcd;

/// A port of the simulated module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
}

/// A running model of one module.
///
/// Two-state: registers and memories start as zeros.
pub struct CycleSimulator {
    program: Program,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// Clock cycles since the start.
    pub cycle: u64,
}

impl CycleSimulator {
    /// Elaborates `top`, a module of `module`.
    ///
    /// # Errors
    /// Combinational cycles (the ring of nets), undriven nets, operations without a meaning.
    pub fn new(context: &Context, module: &Module, top: &str) -> Result<Self, Diagnostics> {
        let elaborated = elaborate::elaborate(context, module, top)?;
        Ok(Self {
            inputs: elaborated.inputs.clone(),
            outputs: elaborated
                .outputs
                .iter()
                .map(|(port, _)| port.clone())
                .collect(),
            program: Program::new(elaborated),
            cycle: 0,
        })
    }

    /// The inputs, the clock left out.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The number of the input called `name`.
    pub fn input_index(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|port| port.name == name)
    }

    /// The number of the output called `name`.
    pub fn output_index(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|port| port.name == name)
    }

    /// Sets input number `index`; takes effect with the next [`CycleSimulator::evaluate`].
    pub fn set_input(&mut self, index: usize, value: &Bits) {
        self.program.set_variable(index, value);
    }

    /// Computes every net from inputs, registers and memories.
    pub fn evaluate(&mut self) {
        self.program.evaluate();
    }

    /// Output number `index` as of the last [`CycleSimulator::evaluate`].
    pub fn output(&self, index: usize) -> Bits {
        self.program.output(index)
    }

    /// The rising edge: registers and memories take over what was evaluated.
    pub fn clock_edge(&mut self) {
        self.program.commit();
        self.cycle += 1;
    }

    /// Named registers with their values, for waves.
    pub fn registers(&self) -> impl Iterator<Item = (&str, Bits)> {
        self.program.registers()
    }
}
