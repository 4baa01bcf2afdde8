//! What synthesis will make of a circuit: look-up tables, registers, blocks, and the longest path between registers.
//!
//! The circuit that is simulated and emitted is flattened, turned into gates, carry chains and multiplier blocks, and covered
//! with look-up tables as a synthesis tool does it. The schedule has no part in it.

pub mod area;
mod build;
mod cover;
pub mod estimate;
mod network;

use sluice_ir::{Context, Diagnostics, Module};
use sluice_oplib::area::Area;
use sluice_oplib::device::Device;
use sluice_oplib::mapping::Mapping;
use sluice_oplib::memory::{Memory, MemoryKind};
use sluice_sim::cycle::Observe;
use sluice_sim::cycle::elaborate::{Surroundings, elaborate};

/// A circuit after mapping, before the factors of the device's fit.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// Cells.
    pub area: Area,
    /// Look-up tables that are no carry cells.
    pub tables: f64,
    /// Carry chains.
    pub chains: u32,
    /// Bits of carry chains.
    pub chain_bits: u32,
    /// The least clock period, register times included, in ns; 0 where nothing waits for a clock.
    pub period_ns: f64,
    /// The registers where the longest path begins and ends, if they have names.
    pub path: Option<(String, String)>,
}

/// The circuit of a module, mapped to a device.
///
/// # Errors
/// As elaboration for the simulator.
pub fn map(
    context: &Context,
    circuit: &Module,
    top: &str,
    device: &Device,
) -> Result<Mapped, Diagnostics> {
    let nothing = Surroundings::default();
    let flat = elaborate(context, circuit, top, &nothing, Observe::Ports)?;
    let technology = Technology::of(device);
    let built = build::circuit(&flat, &technology);
    let cover = cover::cover(&built, &technology);
    let mapping = &device.mapping;
    let mut area = Area {
        lut: cover.n_lut * mapping.cells_per_table
            + f64::from(cover.n_chain_bits)
            + f64::from(cover.n_chains) * mapping.cells_per_chain
            + 1.0,
        ff: f64::from(cover.n_flops),
        dsp: f64::from(cover.n_products),
        bram: 0.0,
    };
    for memory in &built.memories {
        let size = (memory.words, memory.width_bits);
        let is_clocked = memory.unclocked_bits == 0;
        let held = crate::area::held(device, memory.storage, size, memory.n_reads, is_clocked);
        let mut cells = held.map_or(Area::ZERO, |(_, cells)| cells);
        // The cover has these already.
        cells.lut = (cells.lut - f64::from(memory.unclocked_bits)).max(0.0);
        area += cells;
    }
    let name = |node: network::NodeId| {
        let flop = built.flops.iter().find(|flop| flop.output == node)?;
        Some(flat.registers[flop.register].name.clone())
    };
    let path = cover
        .path
        .and_then(|(end, begin)| Some((name(begin)?, flat.registers[end?].name.clone())));
    let is_clocked = cover.n_flops > 0 || !built.memories.is_empty();
    let register_ns = device.clock_to_output_ns + device.setup_ns;
    Ok(Mapped {
        area,
        tables: cover.n_lut,
        chains: cover.n_chains,
        chain_bits: cover.n_chain_bits,
        period_ns: match is_clocked {
            true => register_ns + cover.path_ns,
            false => 0.0,
        },
        path,
    })
}

/// The device as build and cover see it.
#[derive(Clone, Debug)]
pub(crate) struct Technology {
    pub mapping: Mapping,
    pub lut_inputs: usize,
    pub unchained_bits: usize,
    pub multiplier_bits: [usize; 2],
    /// The largest constant table that is made of look-up tables.
    pub(crate) most_table_bits: u64,
    pub(crate) memory_input_ns: f64,
    pub(crate) memory_output_ns: f64,
}

/// Words of a memory that is held in block memory on every device.
const LARGE_MEMORY_WORDS: u32 = 4096;

/// The largest constant table, in bits, that is made of gates where look-up tables cannot be memory: a block costs Yosys 64 where a bit
/// of a table costs 1/16 (`memory_libmap`).
const MOST_TABLE_BITS_OF_GATES: u64 = 1024;

impl Technology {
    pub fn of(device: &Device) -> Self {
        let index = |number| usize::try_from(number).expect("a number of 32 bits is an index");
        let mapping = device.mapping.clone();
        let block = device.memory(LARGE_MEMORY_WORDS, 32);
        let is_lut_ram = |memory: &Memory| memory.kind == MemoryKind::Distributed;
        let largest = (0..24)
            .map(|log| 1 << log)
            .take_while(|words| device.memory(*words, 1).as_ref().is_some_and(is_lut_ram))
            .last();
        let most_table_bits = largest.map_or(MOST_TABLE_BITS_OF_GATES, u64::from);
        Self {
            lut_inputs: index(mapping.lut_inputs),
            // One bit is a gate anyway.
            unchained_bits: index(mapping.unchained_bits).max(1),
            multiplier_bits: mapping.multiplier_bits.map(index),
            most_table_bits,
            memory_input_ns: block.map_or(0.0, |memory| memory.write.input_delay_ns),
            memory_output_ns: block.map_or(0.0, |memory| memory.read.output_delay_ns),
            mapping,
        }
    }

    /// Inputs of the widest function that is worth building.
    pub(crate) fn widest_lut(&self) -> u32 {
        self.mapping.joined_inputs.min(8)
    }
}
