//! Circuits that a dataflow graph calls: what they are, and what they answer.

use std::fmt;
use std::sync::Arc;

use sluice_dialects::interface::ArgumentPorts;

use crate::cycle::CycleSimulator;
use crate::interpreter::Argument;
use crate::testbench::{Run, Testbench, Watch};
use crate::tokens::TokenError;
use crate::tokens::graph::{Callee, Graph};
use crate::tokens::memories::Memories;
use crate::tokens::state::Token;
use crate::tokens::words::Layout;

impl fmt::Debug for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callee")
            .field("module", &self.interface.module)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// The ports of memories that a call uses, cycle by cycle from the one after its start: of the memory at place `m` among those that it is
/// passed, bit `2 m` says that it reads and bit `2 m + 1` that it writes.
pub(crate) type Accesses = Arc<[u128]>;

/// What a call gave.
pub(crate) struct Answer {
    pub(crate) token: Token,
    /// Cycles from the one in which the operands are taken to the one in which the result is there.
    pub(crate) latency_cycles: usize,
    pub(crate) accesses: Accesses,
}

/// Notes which ports are used.
pub(crate) struct Ports {
    /// Numbers of the outputs that say that a port reads or writes, with their bits.
    pub(crate) enables: Vec<(usize, u128)>,
    pub(crate) cycles: Vec<u128>,
}

impl Watch for Ports {
    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        simulator.run_cycle();
        let used = self.enables.iter();
        let used = used.filter(|(output, _)| !simulator.output(*output).is_zero());
        self.cycles.push(used.fold(0, |all, (_, bit)| all | bit));
        Ok(())
    }
}

impl Callee {
    /// The memories of the graph that are passed, in order.
    pub(crate) fn memories(&self) -> impl Iterator<Item = usize> {
        self.arguments.iter().flatten().copied()
    }

    /// Runs the call at node `number` with the words of its operands; `memories` are as behind it then.
    ///
    /// # Errors
    /// What the testbench says: no end.
    pub(crate) fn run(
        &self,
        graph: &Graph<'_>,
        number: usize,
        words: &[u64],
        memories: &mut Memories,
    ) -> Result<Answer, TokenError> {
        let node = &graph.nodes[number];
        let failed = |why: String| {
            let message = format!("the circuit of `{}`: {why}", node.name);
            TokenError::at(node.location, message)
        };
        let mut layout = Layout::empty();
        for input in &node.inputs {
            layout.append(&graph.layouts[*input]);
        }
        let mut scalars = layout.parts(words).0.into_iter();
        let width = |memory: usize| graph.memories[memory].width_bits;
        let arguments: Option<Vec<Argument>> = self
            .arguments
            .iter()
            .map(|argument| match argument {
                Some(memory) => Some(Argument::Memory(memories.cells(*memory, width(*memory)))),
                None => scalars.next().map(Argument::Scalar),
            })
            .collect();
        let arguments = arguments.ok_or_else(|| failed("an operand is missing".to_owned()))?;
        let mut simulator = self.simulator.borrow_mut();
        let mut ports = Ports {
            enables: self.enables(&simulator),
            cycles: Vec::new(),
        };
        let run = Run::within(MOST_CYCLES);
        let outcome = Testbench::new(&mut simulator, &self.interface, &mut ports)
            .and_then(|mut bench| bench.run(&arguments, &run, &mut ports))
            .map_err(|why| failed(why.to_string()))?;
        for (memory, cells) in self.memories().zip(&outcome.memories) {
            memories.replace(memory, cells);
        }
        let mut token = Token::new();
        for result in &outcome.results {
            token.extend(Layout::token(result));
        }
        let latency_cycles = usize::try_from(outcome.cycles).unwrap_or(usize::MAX);
        let first = ports.cycles.len().saturating_sub(latency_cycles);
        Ok(Answer {
            token,
            latency_cycles,
            accesses: ports.cycles[first..].into(),
        })
    }

    pub(crate) fn enables(&self, simulator: &CycleSimulator) -> Vec<(usize, u128)> {
        let mut found = Vec::new();
        let is_memory = |ports: &&ArgumentPorts| matches!(ports, ArgumentPorts::Memory { .. });
        let memories = self.interface.arguments.iter().filter(is_memory);
        for (place, ports) in memories.enumerate() {
            if let ArgumentPorts::Memory { name, .. } = ports {
                for (suffix, bit) in [("ren", 2 * place), ("wen", 2 * place + 1)] {
                    let output = simulator.output_index(&format!("{name}_{suffix}"));
                    found.extend(output.map(|output| (output, 1 << bit)));
                }
            }
        }
        found
    }
}

/// Cycles after which one call is given up.
pub(crate) const MOST_CYCLES: u64 = 1 << 32;
