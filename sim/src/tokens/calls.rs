//! Calls of circuits that a schedule made: the cycle simulator runs each whole call when its operands are taken.
//!
//! Nobody else touches a cell that a call writes, or writes one that it reads, while it runs: calls come behind what may, and what may comes
//! behind them. So memories may be as they are behind the call from its first cycle on; only its ports are busy in their own cycles.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_dialects::synthesis_form::{CIRCUIT, MEMORIES};
use sluice_ir::{Context, Module, View};

use super::TokenError;
use super::graph::{Graph, Memory};
use super::memories::Memories;
use super::reading::Reader;
use super::state::Token;
use super::words::Layout;
use crate::cycle::{CycleSimulator, Settings};
use crate::interpreter::Argument;
use crate::testbench::{Run, Testbench, Watch};

/// Memories that one call is passed at most: a bit for each port.
const MOST_MEMORIES: usize = 64;

/// Cycles after which one call is given up.
const MOST_CYCLES: u64 = 1 << 32;

/// The circuit behind an instance.
pub(super) struct Callee {
    simulator: RefCell<CycleSimulator>,
    interface: Interface,
    /// What each argument is: a memory of the graph, else the next scalar of the token.
    arguments: Vec<Option<usize>>,
}

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
pub(super) type Accesses = Arc<[u128]>;

/// What a call gave.
pub(super) struct Answer {
    pub(super) token: Token,
    /// Cycles from the one in which the operands are taken to the one in which the result is there.
    pub(super) latency_cycles: usize,
    pub(super) accesses: Accesses,
}

/// Notes which ports are used.
struct Ports {
    /// Numbers of the outputs that say that a port reads or writes, with their bits.
    enables: Vec<(usize, u128)>,
    cycles: Vec<u128>,
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
    pub(super) fn memories(&self) -> impl Iterator<Item = usize> {
        self.arguments.iter().flatten().copied()
    }

    /// Runs the call at node `number` with the words of its operands; `memories` are as behind it then.
    ///
    /// # Errors
    /// What the testbench says: no end.
    pub(super) fn run(
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

    fn enables(&self, simulator: &CycleSimulator) -> Vec<(usize, u128)> {
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

impl<'a> Reader<'a> {
    /// Finds the circuits of all instances, now that the memories are there.
    pub(super) fn find_callees(&mut self) {
        for (view, node) in std::mem::take(&mut self.calls) {
            match self.callee(view, node) {
                Ok(callee) => self.graph.callees.push(callee),
                Err(message) => self.error(view.location(), message),
            }
        }
    }

    fn callee(&self, view: View<'a>, node: usize) -> Result<Callee, String> {
        let node = &self.graph.nodes[node];
        let (inputs, outputs) = (&node.inputs, &node.outputs);
        let context = self.context;
        let interface = interface(context, self.module, view).ok_or(
            "`handshake.instance` is not of the graph form, but for circuits of schedules",
        )?;
        let ids = view.attribute(MEMORIES).and_then(|a| a.as_array(context));
        let ids = ids.unwrap_or_default().iter();
        let mut ids = ids.map(|id| id.as_i64(context));
        let mut arguments = Vec::new();
        for ports in &interface.arguments {
            arguments.push(match ports {
                ArgumentPorts::Scalar { .. } => None,
                ArgumentPorts::Memory {
                    depth_words,
                    width_bits,
                    ..
                } => {
                    let id = ids.next().flatten();
                    let is_it = |memory: &Memory| {
                        memory.id == id
                            && id.is_some()
                            && u32::try_from(memory.n_words) == Ok(*depth_words)
                            && memory.width_bits == *width_bits
                    };
                    let memory = self.graph.memories.iter().position(is_it);
                    Some(memory.ok_or("the memories of an instance are not those of its circuit")?)
                }
            });
        }
        let widths = |channels: &[usize]| -> Vec<u32> {
            let layouts = channels.iter().map(|channel| &self.graph.layouts[*channel]);
            layouts
                .flat_map(|layout| layout.widths_bits.clone())
                .collect()
        };
        let scalars = interface.arguments.iter().filter_map(|ports| match ports {
            ArgumentPorts::Scalar { width_bits, .. } => Some(*width_bits),
            ArgumentPorts::Memory { .. } => None,
        });
        if widths(inputs) != scalars.collect::<Vec<_>>()
            || outputs.len() != 1
            || widths(outputs) != interface.result_width_bits
            || arguments.iter().flatten().count() > MOST_MEMORIES
        {
            return Err(format!(
                "an instance of `@{}` takes its numbers and a `none`, and gives its results as one token; it is passed {MOST_MEMORIES} memories at most",
                interface.module
            ));
        }
        let settings = Settings::default();
        let simulator = CycleSimulator::of_kernel(context, self.module, &interface, &settings)
            .map_err(|found| found.to_text(context))?;
        Ok(Callee {
            simulator: RefCell::new(simulator),
            interface,
            arguments,
        })
    }
}

/// The ports of the circuit behind an instance.
fn interface(context: &Context, module: &Module, view: View<'_>) -> Option<Interface> {
    let symbol = |view: View<'_>, name: &str| {
        let found = view.attribute(name)?.as_flat_symbol(context)?;
        module.lookup_symbol(context, found)
    };
    let function = View::new(context, module.inner(), symbol(view, "module")?);
    let circuit = View::new(context, module.inner(), symbol(function, CIRCUIT)?);
    let name = circuit.symbol_name()?;
    Interface::from_attribute(context, name, circuit.attribute("sluice.interface")?)
}
