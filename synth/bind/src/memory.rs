//! Memories: who reads and writes each of them, and the ports or arrays that come of it.

use sluice_ir::ValueId;
use sluice_ir::bits::Bits;

use crate::circuit::{Circuit, MemoryNets};

/// What a memory is made of.
pub(crate) enum MemoryKind {
    /// Outside, behind the ports of this module.
    External {
        /// Name of the argument.
        name: String,
    },
    /// Inside: an array with one read and one write port.
    Local {
        /// Name of the value.
        name: String,
    },
    /// Constants.
    Table {
        /// One value per word.
        values: Vec<Bits>,
    },
}

/// One access in the cycles in which `enable` is set.
pub(crate) struct Access {
    pub(crate) enable: ValueId,
    pub(crate) address: ValueId,
    /// What is written; `None` for a read.
    pub(crate) data: Option<ValueId>,
}

/// A memory with its accesses.
pub(crate) struct Memory {
    pub(crate) kind: MemoryKind,
    pub(crate) depth_words: u32,
    pub(crate) width_bits: u32,
    pub(crate) reads: Vec<Access>,
    pub(crate) writes: Vec<Access>,
    /// Stand-in for the read data, made at the first read.
    pub(crate) read_data: Option<ValueId>,
}

impl Memory {
    pub(crate) fn new(kind: MemoryKind, depth_words: u32, width_bits: u32) -> Self {
        Self {
            kind,
            depth_words,
            width_bits,
            reads: Vec::new(),
            writes: Vec::new(),
            read_data: None,
        }
    }

    /// Width of an address.
    pub(crate) fn address_bits(&self) -> u32 {
        address_bits(self.depth_words)
    }

    /// The read data of this memory.
    pub(crate) fn data(&mut self, circuit: &mut Circuit<'_>) -> ValueId {
        *self
            .read_data
            .get_or_insert_with(|| circuit.wire(self.width_bits))
    }
}

/// `max(1, ceil(log2 depth))`
pub(crate) fn address_bits(depth_words: u32) -> u32 {
    depth_words.next_power_of_two().trailing_zeros().max(1)
}

/// What a port sees: the address (and data) of the access that is enabled; the last one where none is.
pub(crate) fn merge(
    circuit: &mut Circuit<'_>,
    accesses: &[Access],
    port: &str,
) -> (ValueId, ValueId, Option<ValueId>) {
    let enables: Vec<_> = accesses.iter().map(|a| a.enable).collect();
    let enable = circuit.any(&enables);
    let last = accesses
        .last()
        .expect("only ports with accesses are merged");
    let (mut address, mut data) = (last.address, last.data);
    for access in accesses.iter().rev().skip(1) {
        address = circuit.mux(access.enable, access.address, address);
        data = data
            .zip(access.data)
            .map(|(old, new)| circuit.mux(access.enable, new, old));
    }
    circuit.name(enable, &format!("{port}_enable"));
    (enable, address, data)
}

/// Ports of an external memory: what leaves the module, by port suffix.
pub(crate) struct ExternalPorts {
    /// `raddr`, `ren`.
    pub(crate) read: Option<(ValueId, ValueId)>,
    /// `waddr`, `wen`, `wdata`.
    pub(crate) write: Option<(ValueId, ValueId, ValueId)>,
}

/// Makes what the memory needs; for an external one, `read_port` is the module input with its read data.
pub(crate) fn finish(
    circuit: &mut Circuit<'_>,
    memory: &Memory,
    read_port: Option<ValueId>,
) -> ExternalPorts {
    let read = (!memory.reads.is_empty()).then(|| merge(circuit, &memory.reads, "read"));
    let write = (!memory.writes.is_empty()).then(|| merge(circuit, &memory.writes, "write"));
    match &memory.kind {
        MemoryKind::External { .. } => {
            if let (Some(wire), Some(port)) = (memory.read_data, read_port) {
                circuit.connect(wire, port);
            }
            ExternalPorts {
                read: read.map(|(enable, address, _)| (address, enable)),
                write: write.map(|(enable, address, data)| {
                    (address, enable, data.expect("a write has data"))
                }),
            }
        }
        MemoryKind::Local { name } => {
            let zero_flag = circuit.flag(false);
            let zero_address = circuit.constant(Bits::zero(memory.address_bits()));
            let zero_data = circuit.constant(Bits::zero(memory.width_bits));
            if let Some(wire) = memory.read_data {
                let (read_enable, read_address, _) = read.expect("read data is made by a read");
                let (write_enable, write_address, write_data) =
                    write.unwrap_or((zero_flag, zero_address, None));
                let nets = MemoryNets {
                    depth_words: memory.depth_words,
                    read_address,
                    read_enable,
                    write_address,
                    write_data: write_data.unwrap_or(zero_data),
                    write_enable,
                };
                let data = circuit.memory(name, &nets);
                circuit.connect(wire, data);
            }
            ExternalPorts {
                read: None,
                write: None,
            }
        }
        MemoryKind::Table { values } => {
            if let Some(wire) = memory.read_data {
                let (enable, address, _) = read.expect("read data is made by a read");
                let word = circuit.table(values, address);
                let options = crate::circuit::RegisterOptions {
                    enable: Some(enable),
                    reset: None,
                    preset: None,
                    name: "table_data",
                };
                let data = circuit.register(word, options);
                circuit.connect(wire, data);
            }
            ExternalPorts {
                read: None,
                write: None,
            }
        }
    }
}
