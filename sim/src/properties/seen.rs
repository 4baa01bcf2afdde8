//! Access to the values of a simulated circuit for properties.

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_dialects::partition::Partition;
use sluice_ir::bits::Bits;

use super::subjects::{NamedMemory, NamedValue, Subjects, Values};
use crate::cycle::CycleSimulator;

/// Maps the numbers of properties' subjects to ports and memories of the simulator.
pub(super) struct Places {
    n_inputs: usize,
    n_ports: usize,
    memories: Vec<Array>,
}

/// An array: one memory of the simulator, or one per bank.
struct Array {
    memories: Vec<usize>,
    partition: Option<Partition>,
}

/// Returns the array arguments that are memories outside of the circuit, each with its name.
fn arrays(interface: &Interface) -> impl Iterator<Item = (&str, &ArgumentPorts)> {
    let arguments = interface.arguments.iter().zip(&interface.sources);
    arguments.filter_map(|(ports, name)| match ports {
        ArgumentPorts::Memory { stream: false, .. } => Some((name.as_str(), ports)),
        ArgumentPorts::Memory { stream: true, .. } | ArgumentPorts::Scalar { .. } => None,
    })
}

impl Places {
    pub(super) fn new(simulator: &CycleSimulator, interface: Option<&Interface>) -> Self {
        let number = |name: &str| {
            let mut memories = simulator.memories();
            memories.position(|memory| memory.is_outside && memory.name == name)
        };
        let outside = interface.into_iter().flat_map(arrays).map(|(_, ports)| {
            let memories = ports.memories().into_iter();
            Array {
                memories: memories.filter_map(|memory| number(&memory.name)).collect(),
                partition: match ports {
                    ArgumentPorts::Memory { banks, .. } => {
                        banks.as_ref().map(|banks| banks.partition.clone())
                    }
                    ArgumentPorts::Scalar { .. } => None,
                },
            }
        });
        let inside = simulator.memories().enumerate();
        let inside = inside.filter(|(_, memory)| !memory.is_outside);
        let inside = inside.map(|(number, _)| Array {
            memories: vec![number],
            partition: None,
        });
        let n_inputs = simulator.inputs().len();
        Self {
            n_inputs,
            n_ports: n_inputs + simulator.outputs().len(),
            memories: outside.chain(inside).collect(),
        }
    }

    /// Returns the names and sizes of ports, signals and memories, in the same order.
    pub(super) fn subjects(
        &self,
        simulator: &CycleSimulator,
        interface: Option<&Interface>,
    ) -> Subjects {
        let ports = simulator.inputs().chain(simulator.outputs());
        let ports = ports.map(|port| NamedValue::new(&port.name, port.width_bits));
        let signals = simulator.signals();
        let signals = signals.map(|signal| NamedValue::new(&signal.path(), signal.width_bits));
        let outside = interface.into_iter().flat_map(arrays);
        let outside = outside.filter_map(|(name, ports)| match ports {
            ArgumentPorts::Memory {
                shape, width_bits, ..
            } => Some(NamedMemory {
                name: name.to_owned(),
                shape: shape.iter().map(|size| size.unsigned_abs()).collect(),
                width_bits: *width_bits,
            }),
            ArgumentPorts::Scalar { .. } => None,
        });
        let inside = simulator.memories().filter(|memory| !memory.is_outside);
        let inside = inside.map(|memory| NamedMemory {
            name: memory.name.clone(),
            shape: memory.shape.clone(),
            width_bits: memory.width_bits,
        });
        Subjects {
            ports: ports.collect(),
            signals: signals.collect(),
            memories: outside.chain(inside).collect(),
        }
    }
}

/// The values of a simulator in a cycle, before its edge.
pub(super) struct Seen<'a> {
    pub(super) simulator: &'a CycleSimulator,
    pub(super) places: &'a Places,
}

impl Values for Seen<'_> {
    fn value(&self, number: usize) -> Bits {
        if let Some(signal) = number.checked_sub(self.places.n_ports) {
            return self.simulator.signal(signal);
        }
        match number.checked_sub(self.places.n_inputs) {
            Some(output) => self.simulator.output(output),
            None => self.simulator.input(number),
        }
    }

    fn word(&self, memory: usize, word: u64) -> Bits {
        let array = &self.places.memories[memory];
        let (bank, address) = match &array.partition {
            Some(partition) => partition.place(word),
            None => (0, word),
        };
        let bank = usize::try_from(bank).expect("few banks");
        self.simulator.word(array.memories[bank], address)
    }
}
