//! Calls of statically scheduled circuits: an instance of the module, which processes one token at a time and has its own memory
//! ports.

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_dialects::sluice::MEMORIES;
use sluice_ir::{ValueId, View};
use sluice_netlist::circuit::WriteNets;
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::{address_bits, number};

use super::builder::{Builder, Forward};
use super::graph::Node;
use crate::circuits::builder::{CalledPort, Element};

/// A call of a scheduled circuit: it processes one token at a time, and holds its results until they are taken.
pub(crate) struct Call {
    interface: Interface,
    /// The `id` of each memory passed to it, in the order of the arguments.
    memories: Vec<u32>,
    /// Outputs of the module with their widths and placeholders.
    outputs: Vec<(String, u32, ValueId)>,
    /// Placeholder: whether it runs, including the cycle of `done`.
    works: ValueId,
    /// Placeholder: whether results were not taken in the cycle of `done`.
    waits: ValueId,
    done: ValueId,
    data: Option<ValueId>,
}

/// Returns the `id`s of the memories passed to an instance.
pub(crate) fn memory_ids(view: View<'_>) -> Vec<u32> {
    let ids = view
        .attribute(MEMORIES)
        .and_then(|a| a.as_array(view.context));
    let ids = ids.unwrap_or_default().iter();
    ids.filter_map(|id| u32::try_from(id.as_i64(view.context)?).ok())
        .collect()
}

impl Call {
    /// # Errors
    /// An instance of something other than a scheduled circuit, or operands and memories that do not match the circuit.
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<Self> {
        let view = node.view;
        let interface = builder.graph.interface(view);
        let interface =
            interface.ok_or_else(|| broken(view, "expected an instance of a scheduled circuit"))?;
        let memories = memory_ids(view);
        let is_memory = |ports: &&ArgumentPorts| matches!(ports, ArgumentPorts::Memory { .. });
        let scalars = interface.arguments.iter().filter_map(|ports| match ports {
            ArgumentPorts::Scalar { width_bits, .. } => Some(*width_bits),
            ArgumentPorts::Memory { .. } => None,
        });
        let given = view.operands().map(|o| builder.graph.width_bits(o));
        let fits = scalars.eq(given.filter(|width| *width > 0))
            && interface.arguments.iter().filter(is_memory).count() == memories.len()
            && view.results().len() == 1
            && builder.graph.width_bits(view.result(0))
                == interface.result_width_bits.iter().sum::<u32>();
        if !fits {
            let message = "expected the operands, results and memories of the scheduled circuit";
            return Err(broken(view, message));
        }
        let mut outputs = Vec::new();
        let mut output = |builder: &mut Builder<'_, '_>, name: String, width_bits: u32| {
            let wire = builder.circuit.wire(width_bits);
            outputs.push((name, width_bits, wire));
            wire
        };
        output(builder, "ready".to_owned(), 1);
        let done = output(builder, "done".to_owned(), 1);
        let mut results = Vec::new();
        for (i, width_bits) in interface.result_width_bits.iter().enumerate() {
            results.push(output(builder, format!("result{i}"), *width_bits));
        }
        let mut ids = memories.iter();
        for ports in &interface.arguments {
            let ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                read,
                write,
                ..
            } = ports
            else {
                continue;
            };
            let address = address_bits(*depth_words);
            let read = read.then(|| {
                let address = output(builder, format!("{name}_raddr"), address);
                (address, output(builder, format!("{name}_ren"), 1))
            });
            let write = write.then(|| {
                let address = output(builder, format!("{name}_waddr"), address);
                let enable = output(builder, format!("{name}_wen"), 1);
                let data = output(builder, format!("{name}_wdata"), *width_bits);
                (address, enable, data)
            });
            if let Some(id) = ids.next() {
                let all = builder.called.ports.entry(*id).or_default();
                all.push(CalledPort { read, write });
            }
        }
        // The first result is in the highest bits.
        let data = (!results.is_empty()).then(|| builder.circuit.concat(&results));
        Ok(Self {
            interface,
            memories,
            outputs,
            works: builder.circuit.wire(1),
            waits: builder.circuit.wire(1),
            done,
            data,
        })
    }

    /// Emits the test whether the results are available.
    fn answers(&self, builder: &mut Builder<'_, '_>) -> ValueId {
        let comes = builder.circuit.and(self.works, self.done);
        builder.circuit.any(&[comes, self.waits])
    }

    /// Emits the test whether operands can be taken: no call runs, and available results are being taken.
    fn takes(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> ValueId {
        let going = builder.circuit.not(self.done);
        let busy = builder.circuit.and(self.works, going);
        let idle = builder.circuit.not(busy);
        let answers = self.answers(builder);
        let none = builder.circuit.not(answers);
        let ready = builder.ready(node.view.result(0));
        let free = builder.circuit.any(&[none, ready]);
        builder.circuit.and(idle, free)
    }
}

impl Element for Call {
    fn forward(&self, builder: &mut Builder<'_, '_>, _: &Node<'_>, _: usize) -> Built<Forward> {
        Ok(Forward {
            valid: self.answers(builder),
            data: self.data,
        })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let others = builder.others_valid(&operands, operand);
        let takes = self.takes(builder, node);
        builder.circuit.and(takes, others)
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let valid = builder.all_valid(&operands);
        let takes = self.takes(builder, node);
        let start = builder.circuit.and(valid, takes);
        let mut scalars = builder.data(&operands).into_iter();
        let mut inputs: Vec<(String, ValueId)> = vec![("start".to_owned(), start)];
        let mut ids = self.memories.iter();
        for ports in &self.interface.arguments {
            match ports {
                ArgumentPorts::Scalar { name, .. } => {
                    let net = scalars.next();
                    let net = net.ok_or_else(|| broken(node.view, "expected more operands"))?;
                    inputs.push((name.clone(), net));
                }
                ArgumentPorts::Memory { name, read, .. } => {
                    let word = ids.next().and_then(|id| builder.called.words.get(id));
                    let word = word.ok_or_else(|| broken(node.view, "expected a memory"))?;
                    if *read {
                        inputs.push((format!("{name}_rdata"), *word));
                    }
                }
            }
        }
        builder.circuit.location = node.view.location();
        let outputs = self.outputs.iter();
        let outputs: Vec<(String, u32)> = outputs
            .map(|(name, width_bits, _)| (name.clone(), *width_bits))
            .collect();
        let module = &self.interface.module;
        let nets = builder
            .circuit
            .instance(module, &node.name, &inputs, &outputs);
        for ((.., wire), net) in self.outputs.iter().zip(nets) {
            builder.circuit.connect(*wire, net);
        }
        let going = builder.circuit.not(self.done);
        let busy = builder.circuit.and(self.works, going);
        let works = builder.circuit.any(&[start, busy]);
        let answers = self.answers(builder);
        let ready = builder.ready(node.view.result(0));
        let blocked = builder.circuit.not(ready);
        let waits = builder.circuit.and(answers, blocked);
        builder.keep_bit(self.works, works, false, &format!("{}_works", node.name));
        builder.keep_bit(self.waits, waits, false, &format!("{}_full", node.name));
        Ok(())
    }
}

/// The nets of the requests of called circuits to a memory.
pub(crate) struct CalledRequests {
    /// Address and enable of each.
    pub(crate) reads: Vec<(ValueId, ValueId)>,
    pub(crate) writes: Vec<WriteNets>,
}

/// Returns the requests of called circuits to a memory.
pub(crate) fn collect_called_requests(
    builder: &Builder<'_, '_>,
    memory: View<'_>,
) -> CalledRequests {
    let ports = number(memory, "id").and_then(|id| builder.called.ports.get(&id));
    let ports = || ports.into_iter().flatten();
    CalledRequests {
        reads: ports().filter_map(|port| port.read).collect(),
        writes: ports()
            .filter_map(|port| port.write)
            .map(|(address, enable, data)| WriteNets {
                address,
                enable,
                data,
            })
            .collect(),
    }
}
