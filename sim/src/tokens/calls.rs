//! Calls of statically scheduled circuits: the cycle simulator runs the whole call when its operands are taken.
//!
//! While a call runs, no other operation accesses a cell that the call writes, or writes a cell that it reads: the graph orders
//! calls and the accesses that may conflict with them. Therefore memories may take the contents at the end of the call from its
//! first cycle on. Only the ports are busy in the cycles in which the call uses them.

use std::cell::RefCell;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_dialects::sluice;
use sluice_dialects::sluice::{CIRCUIT, MEMORIES};
use sluice_ir::{Context, Module, View};

use super::graph::Memory;
use super::reading::Reader;
use crate::cycle::{CycleSimulator, Settings};
use crate::tokens::graph::Callee;

/// The most memories that can be passed to one call: `Accesses` has a bit for each of their ports.
const MAX_MEMORIES: usize = 64;

impl<'a> Reader<'a> {
    /// Builds the circuits of all instances; the memories of the graph have been read by then.
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
            || arguments.iter().flatten().count() > MAX_MEMORIES
        {
            return Err(format!(
                "an instance of `@{}` takes its numbers and a `none`, and gives its results as one token; it is passed {MAX_MEMORIES} memories at most",
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

/// Returns the interface of the circuit that an instance calls.
fn interface(context: &Context, module: &Module, view: View<'_>) -> Option<Interface> {
    let symbol = |view: View<'_>, name: &str| {
        let found = view.attribute(name)?.as_flat_symbol(context)?;
        module.lookup_symbol(context, found)
    };
    let function = View::new(context, module.inner(), symbol(view, "module")?);
    let circuit = View::new(context, module.inner(), symbol(function, CIRCUIT)?);
    let name = circuit.symbol_name()?;
    Interface::from_attribute(context, name, circuit.attribute(sluice::INTERFACE)?)
}
