//! Statically scheduled circuits that a dataflow graph calls, and the results of their calls.

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

/// The memory ports that a call uses in each cycle, from the cycle after its start on. For memory `m` of those passed to it, bit
/// `2 m` is set in cycles in which it reads and bit `2 m + 1` in cycles in which it writes.
pub(crate) type Accesses = Arc<[u128]>;

/// The result of a call.
pub(crate) struct Answer {
    pub(crate) token: Token,
    /// Cycles from the one in which the operands are taken to the one in which the result is available.
    pub(crate) latency_cycles: usize,
    pub(crate) accesses: Accesses,
}

/// A `Watch` that records which memory ports are used in each cycle.
pub(crate) struct Ports {
    /// Numbers of the read and write enables among the outputs, with their bits in `Accesses`.
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
    /// Returns the memories of the graph that are passed, in order.
    pub(crate) fn memories(&self) -> impl Iterator<Item = usize> {
        self.arguments.iter().flatten().copied()
    }

    /// Runs the call at node `number` with the words of its operands, and updates `memories` to the contents at its end.
    ///
    /// # Errors
    /// Errors of the testbench: the call does not end.
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
        let run = Run::within(MAX_CYCLES);
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

/// Cycles after which a call fails.
pub(crate) const MAX_CYCLES: u64 = 1 << 32;
