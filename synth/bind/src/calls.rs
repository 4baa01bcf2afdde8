//! Calls: one instance of each callee, shared by its call sites, which never run at the same time.

use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};
use sluice_netlist::circuit::RegisterOptions;
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::{address_bits, integer_width, value_name};

use crate::frame::FrameId;
use crate::function::{FunctionBinder, MemoryId};
use crate::memory::Access;
use crate::values::Definition;
use sluice_dialects::interface::{ArgumentPorts, Interface};

/// One call site.
pub(crate) struct Call {
    /// Set in the cycle in which the callee starts.
    pub(crate) token: ValueId,
    /// Set while the callee runs for this site, `token` included.
    active: ValueId,
    /// Nets of the scalar arguments.
    scalars: Vec<ValueId>,
    /// Memories that are passed as arguments.
    memories: Vec<MemoryId>,
    /// Placeholder for `done`.
    done: ValueId,
    /// Placeholders for the results.
    results: Vec<ValueId>,
}

impl<'a> FunctionBinder<'a, '_> {
    /// Records a call; returns the signal on which the caller continues.
    pub(crate) fn lower_call(
        &mut self,
        view: View<'a>,
        frame: FrameId,
        time: u32,
    ) -> Built<ValueId> {
        let callee = view
            .attribute("callee")
            .and_then(|a| a.as_flat_symbol(self.context));
        let callee = callee
            .ok_or_else(|| broken(view, "a call names its callee"))?
            .to_owned();
        let token = self.token(frame, time);
        let (mut scalars, mut memories) = (Vec::new(), Vec::new());
        for operand in view.operands() {
            match self.memory_of.get(&operand) {
                Some(memory) => memories.push(*memory),
                None => scalars.push(self.read(view, operand, frame, time)?),
            }
        }
        let done = self.circuit.wire(1);
        let pending_wire = self.circuit.wire(1);
        let not_done = self.circuit.not(done);
        let kept = self.circuit.and(pending_wire, not_done);
        let next = self.circuit.any(&[token, kept]);
        let name = format!("{callee}_pending");
        let options = RegisterOptions {
            enable: None,
            reset: Some(Bits::zero(1)),
            preset: None,
            name: &name,
        };
        let pending = self.circuit.register(next, options);
        self.circuit.connect(pending_wire, pending);
        let active = self.circuit.any(&[token, pending]);
        let leave = self.circuit.and(done, pending);
        let mut results = Vec::new();
        for result in view.results() {
            let width = integer_width(view, *result)?;
            let wire = self.circuit.wire(width);
            let held = self.capture(wire, leave, &value_name(view, *result));
            self.values.define(*result, Definition::Held(held));
            results.push(wire);
        }
        let call = Call {
            token,
            active,
            scalars,
            memories,
            done,
            results,
        };
        self.calls.entry(callee).or_default().push(call);
        Ok(leave)
    }

    /// Builds the instances, once every memory and value is known.
    pub(crate) fn finish_calls(&mut self, view: View<'a>, interfaces: &[Interface]) -> Built<()> {
        for (callee, calls) in std::mem::take(&mut self.calls) {
            let interface = interfaces.iter().find(|i| i.module == callee);
            let interface = interface.ok_or_else(|| {
                broken(view, format!("the callee `{callee}` was not bound before"))
            })?;
            self.instantiate(interface, &calls);
        }
        Ok(())
    }

    fn select(&mut self, calls: &[Call], pick: impl Fn(&Call) -> ValueId) -> ValueId {
        let choices: Vec<_> = calls.iter().map(|call| (call.active, pick(call))).collect();
        self.circuit.select(&choices)
    }

    fn instantiate(&mut self, interface: &Interface, calls: &[Call]) {
        let tokens: Vec<_> = calls.iter().map(|c| c.token).collect();
        let mut inputs = vec![("start".to_owned(), self.circuit.any(&tokens))];
        let mut outputs = vec![("ready".to_owned(), 1), ("done".to_owned(), 1)];
        let (mut scalar, mut memory) = (0, 0);
        // Positions of the memory ports among the outputs: raddr, ren, waddr, wen, wdata.
        let mut ports: Vec<(usize, Option<usize>, Option<usize>)> = Vec::new();
        let mut later = Vec::new();
        for argument in &interface.arguments {
            match argument {
                ArgumentPorts::Scalar { name, .. } => {
                    inputs.push((name.clone(), self.select(calls, |c| c.scalars[scalar])));
                    scalar += 1;
                }
                ArgumentPorts::Memory {
                    name,
                    depth_words,
                    width_bits,
                    read,
                    write,
                    ..
                } => {
                    let address_bits = address_bits(*depth_words);
                    if *read {
                        let data = {
                            let memories = calls.iter().map(|call| call.memories[memory]);
                            let data: Vec<_> = memories
                                .map(|id| self.memories[id.0].data(&mut self.circuit))
                                .collect();
                            let last = *data.last().expect("an instance has a call");
                            let pairs = calls.iter().zip(&data).rev().skip(1);
                            pairs.fold(last, |rest, (call, data)| {
                                self.circuit.mux(call.active, *data, rest)
                            })
                        };
                        inputs.push((format!("{name}_rdata"), data));
                    }
                    let read_at = read.then(|| {
                        later.push((format!("{name}_raddr"), address_bits));
                        later.push((format!("{name}_ren"), 1));
                        later.len() - 2
                    });
                    let write_at = write.then(|| {
                        later.push((format!("{name}_waddr"), address_bits));
                        later.push((format!("{name}_wen"), 1));
                        later.push((format!("{name}_wdata"), *width_bits));
                        later.len() - 3
                    });
                    ports.push((memory, read_at, write_at));
                    memory += 1;
                }
            }
        }
        let n_results = interface.result_width_bits.len();
        outputs.extend(
            interface
                .result_width_bits
                .iter()
                .enumerate()
                .map(|(i, w)| (format!("result{i}"), *w)),
        );
        outputs.extend(later);
        let nets = self
            .circuit
            .instance(&interface.module, &interface.module, &inputs, &outputs);
        for call in calls {
            self.circuit.connect(call.done, nets[1]);
            for (wire, net) in call.results.iter().zip(&nets[2..]) {
                self.circuit.connect(*wire, *net);
            }
            for (memory, read_at, write_at) in &ports {
                let id = call.memories[*memory];
                let ports = &nets[2 + n_results..];
                if let Some(at) = read_at {
                    let enable = self.circuit.and(ports[at + 1], call.active);
                    let access = Access {
                        enable,
                        address: ports[*at],
                        data: None,
                    };
                    self.memories[id.0].read(&mut self.circuit, None, access);
                }
                if let Some(at) = write_at {
                    let enable = self.circuit.and(ports[at + 1], call.active);
                    let data = Some(ports[at + 2]);
                    let access = Access {
                        enable,
                        address: ports[*at],
                        data,
                    };
                    self.memories[id.0].write(None, access);
                }
            }
        }
    }
}
