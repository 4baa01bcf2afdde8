//! Memories: the assignment of accesses to ports, and the resulting ports, arrays or registers.

use std::collections::BTreeSet;

use sluice_dialects::storage::{Ports, Storage, StorageKind};
use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::circuit::{Circuit, MemoryNets, ReadNets, RegisterOptions, WriteNets};
use sluice_netlist::source::address_bits;

use crate::frame::FrameId;
use crate::register_file::RegisterFile;

/// The implementation of a memory.
pub(crate) enum MemoryKind {
    /// Outside, connected to the ports of this module.
    External {
        /// Name of the argument.
        name: String,
    },
    /// Inside: an array, or registers.
    Local {
        /// Name of the value.
        name: String,
    },
    /// A table of constants.
    Table {
        /// One value per word.
        values: Vec<Bits>,
    },
}

/// One access, active in the cycles in which `enable` is set.
pub(crate) struct Access {
    pub(crate) enable: ValueId,
    pub(crate) address: ValueId,
    /// The data to write; `None` for a read.
    pub(crate) data: Option<ValueId>,
}

/// A cycle of a frame: the time in the block, modulo its II if it is pipelined.
pub(crate) type Slot = (FrameId, u32);

/// A port with the accesses that share it.
#[derive(Default)]
pub(crate) struct Port {
    pub(crate) reads: Vec<Access>,
    pub(crate) writes: Vec<Access>,
    /// Placeholder for the read data, created at the first read.
    pub(crate) read_data: Option<ValueId>,
    busy: BTreeSet<Slot>,
}

/// A memory with its accesses.
pub(crate) struct Memory {
    pub(crate) kind: MemoryKind,
    /// The storage that the user specified, if any.
    pub(crate) storage: Option<Storage>,
    pub(crate) depth_words: u32,
    pub(crate) width_bits: u32,
    /// Ports that read; if ports can read and write, all ports.
    pub(crate) readers: Vec<Port>,
    /// Ports that only write.
    pub(crate) writers: Vec<Port>,
    /// Cycles from address to data, the same for all reads.
    pub(crate) read_latency_cycles: u32,
    /// The words, if the memory is made of registers.
    pub(crate) words: Option<RegisterFile>,
}

impl Memory {
    pub(crate) fn new(kind: MemoryKind, depth_words: u32, width_bits: u32) -> Self {
        Self {
            kind,
            storage: None,
            depth_words,
            width_bits,
            readers: Vec::new(),
            writers: Vec::new(),
            read_latency_cycles: 1,
            words: None,
        }
    }

    /// Sets the storage of the memory.
    pub(crate) fn held(mut self, storage: Option<Storage>) -> Self {
        self.storage = storage;
        if storage.is_some_and(|storage| storage.kind == StorageKind::Registers) {
            self.words = Some(RegisterFile::new(self.depth_words));
        }
        self
    }

    /// Returns the width of an address.
    pub(crate) fn address_bits(&self) -> u32 {
        address_bits(self.depth_words)
    }

    fn ports(&self) -> Ports {
        let ports = self.storage.map(|storage| storage.ports);
        ports.unwrap_or(Ports::Separate { reads: 1 })
    }

    /// Assigns a read to the first port that is free in its slot (cycle modulo II), and returns the data. `None` if all ports are
    /// busy. A read without a slot gets the first port: the caller guarantees that no other access uses the ports at that time.
    pub(crate) fn read(
        &mut self,
        circuit: &mut Circuit<'_>,
        slot: Option<Slot>,
        access: Access,
    ) -> Option<ValueId> {
        let most = match self.ports() {
            Ports::Separate { reads } => Some(reads),
            Ports::TrueDual => Some(2),
            Ports::Each => None,
        };
        let width_bits = self.width_bits;
        let port = free_port(&mut self.readers, slot, most)?;
        port.reads.push(access);
        Some(port.data(circuit, width_bits))
    }

    /// Records a write as [`Memory::read`] does; returns true if a port was free.
    pub(crate) fn write(&mut self, slot: Option<Slot>, access: Access) -> bool {
        let (ports, most) = match self.ports() {
            Ports::Separate { .. } => (&mut self.writers, Some(1)),
            Ports::TrueDual => (&mut self.readers, Some(2)),
            Ports::Each => (&mut self.writers, None),
        };
        match free_port(ports, slot, most) {
            Some(port) => {
                port.writes.push(access);
                true
            }
            None => false,
        }
    }

    /// Returns the data of the first read port; its reads are recorded later.
    pub(crate) fn data(&mut self, circuit: &mut Circuit<'_>) -> ValueId {
        let width_bits = self.width_bits;
        let port = free_port(&mut self.readers, None, None).expect("there is no limit");
        port.data(circuit, width_bits)
    }
}

impl Port {
    fn data(&mut self, circuit: &mut Circuit<'_>, width_bits: u32) -> ValueId {
        *self
            .read_data
            .get_or_insert_with(|| circuit.wire(width_bits))
    }
}

/// Returns the first port that is free in a slot, or a new one if `most` allows it. Accesses of one slot come in program order,
/// so the data of an unclocked read never makes the address of an earlier access through the same port.
fn free_port(ports: &mut Vec<Port>, slot: Option<Slot>, most: Option<u32>) -> Option<&mut Port> {
    let is_free = |port: &Port| slot.is_none_or(|slot| !port.busy.contains(&slot));
    let at = ports.iter().position(is_free).unwrap_or(ports.len());
    if at == ports.len() {
        if most.is_some_and(|most| ports.len() >= most as usize) {
            return None;
        }
        ports.push(Port::default());
    }
    let port = &mut ports[at];
    port.busy.extend(slot);
    Some(port)
}

/// Merges the accesses of a port, of which at most one is enabled: address (and data) of the enabled access.
pub(crate) fn merge(
    circuit: &mut Circuit<'_>,
    accesses: &[Access],
    port: &str,
) -> (ValueId, ValueId, Option<ValueId>) {
    let enables: Vec<_> = accesses.iter().map(|a| a.enable).collect();
    let enable = circuit.any(&enables);
    let mut select = |value: &dyn Fn(&Access) -> Option<ValueId>| {
        let choices: Option<Vec<_>> = accesses
            .iter()
            .map(|access| Some((access.enable, value(access)?)))
            .collect();
        choices.map(|choices| circuit.select(&choices))
    };
    let address = select(&|access| Some(access.address));
    let address = address.expect("every access has an address");
    let data = select(&|access| access.data);
    circuit.name(enable, &format!("{port}_enable"));
    (enable, address, data)
}

/// Merges the accesses of a port that reads and writes: one address for both.
fn merge_both(circuit: &mut Circuit<'_>, port: &Port) -> (Option<ReadNets>, Option<WriteNets>) {
    let read = (!port.reads.is_empty()).then(|| merge(circuit, &port.reads, "read"));
    let write = (!port.writes.is_empty()).then(|| merge(circuit, &port.writes, "write"));
    let address = match (&read, &write) {
        (Some((_, read, _)), Some((enable, write, _))) => circuit.mux(*enable, *write, *read),
        (Some((_, address, _)), None) | (None, Some((_, address, _))) => *address,
        (None, None) => return (None, None),
    };
    (
        read.map(|(enable, ..)| ReadNets { address, enable }),
        write.map(|(enable, _, data)| WriteNets {
            address,
            enable,
            data: data.expect("a write has data"),
        }),
    )
}

/// Outputs of the module for an external memory, by port suffix.
pub(crate) struct ExternalPorts {
    /// The outputs `raddr`, `ren`.
    pub(crate) read: Option<(ValueId, ValueId)>,
    /// The outputs `waddr`, `wen`, `wdata`.
    pub(crate) write: Option<(ValueId, ValueId, ValueId)>,
}

/// Builds the memory or its ports; for an external one, `read_port` is the module input with its read data.
pub(crate) fn finish(
    circuit: &mut Circuit<'_>,
    memory: &mut Memory,
    read_port: Option<ValueId>,
) -> ExternalPorts {
    let mut external = ExternalPorts {
        read: None,
        write: None,
    };
    if let Some(words) = memory.words.take() {
        words.finish(circuit, memory);
        return external;
    }
    match &memory.kind {
        MemoryKind::External { .. } => {
            let reader = memory.readers.first();
            let writer = memory.writers.first();
            let read = reader.filter(|port| !port.reads.is_empty());
            let read = read.map(|port| merge(circuit, &port.reads, "read"));
            let write = writer.map(|port| merge(circuit, &port.writes, "write"));
            let wire = reader.and_then(|port| port.read_data);
            if let (Some(wire), Some(port)) = (wire, read_port) {
                circuit.connect(wire, port);
            }
            external.read = read.map(|(enable, address, _)| (address, enable));
            external.write = write
                .map(|(enable, address, data)| (address, enable, data.expect("a write has data")));
        }
        MemoryKind::Local { name } => local(circuit, memory, name),
        MemoryKind::Table { values } => {
            for port in &memory.readers {
                let Some(wire) = port.read_data else { continue };
                let (enable, address, _) = merge(circuit, &port.reads, "read");
                let word = circuit.table(values, address);
                let options = RegisterOptions {
                    enable: Some(enable),
                    reset: None,
                    preset: None,
                    name: "table_data",
                };
                let data = circuit.register(word, options);
                circuit.connect(wire, data);
            }
        }
    }
    external
}

/// Builds an array with its ports; nothing if it is never read.
fn local(circuit: &mut Circuit<'_>, memory: &Memory, name: &str) {
    let (mut reads, mut writes, mut wires) = (Vec::new(), Vec::new(), Vec::new());
    for port in memory.readers.iter().chain(&memory.writers) {
        let (read, write) = merge_both(circuit, port);
        if let (Some(wire), Some(read)) = (port.read_data, read) {
            wires.push(wire);
            reads.push(read);
        }
        writes.extend(write);
    }
    if wires.is_empty() {
        return;
    }
    if writes.is_empty() {
        let enable = circuit.flag(false);
        let address = circuit.constant(Bits::zero(memory.address_bits()));
        let data = circuit.constant(Bits::zero(memory.width_bits));
        writes.push(WriteNets {
            address,
            enable,
            data,
        });
    }
    let nets = MemoryNets {
        depth_words: memory.depth_words,
        reads,
        writes,
        read_latency_cycles: memory.read_latency_cycles,
        storage: memory.storage,
        // The schedule keeps reads and writes of one word in different cycles.
        may_collide: false,
    };
    let data = circuit.memory(name, &nets);
    for (wire, data) in wires.into_iter().zip(data) {
        circuit.connect(wire, data);
    }
}
