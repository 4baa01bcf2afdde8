//! Technology mapping: predicts the look-up tables, registers, blocks and critical path of a circuit after synthesis.
//!
//! It flattens the circuit that is simulated and emitted, and turns it into gates, carry chains and multiplier blocks. Then it
//! covers the gates with look-up tables as a synthesis tool does. It does not use the schedule.

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

/// A circuit after mapping, before the fitted correction factors of the device are applied.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// Resources of all cells.
    pub area: Area,
    /// Look-up tables without carry cells.
    pub tables: f64,
    /// Number of carry chains.
    pub chains: u32,
    /// Number of bits of all carry chains.
    pub chain_bits: u32,
    /// Minimum clock period in ns, with register delays; 0 for a combinational circuit.
    pub period_ns: f64,
    /// The registers at the start and end of the critical path, if it runs between registers.
    pub path: Option<(String, String)>,
}

/// Maps the circuit of a module to a device.
///
/// # Errors
/// The errors of elaboration, as in the simulator.
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
        // The cover already counts the look-up tables of combinational reads.
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

/// The device parameters that the modules `build` and `cover` use.
#[derive(Clone, Debug)]
pub(crate) struct Technology {
    pub mapping: Mapping,
    pub lut_inputs: usize,
    pub unchained_bits: usize,
    pub multiplier_bits: [usize; 2],
    /// Maximum size in bits of a constant table that is built from gates.
    pub(crate) max_table_bits: u64,
    pub(crate) memory_input_ns: f64,
    pub(crate) memory_output_ns: f64,
}

/// Number of words of a memory that every device implements as block memory.
const LARGE_MEMORY_WORDS: u32 = 4096;

/// Maximum size in bits of a constant table that is built from gates, on devices without distributed memory. In Yosys'
/// `memory_libmap`, a block costs 64 and a bit of a table costs 1/16.
const MAX_TABLE_BITS_OF_GATES: u64 = 1024;

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
        let max_table_bits = largest.map_or(MAX_TABLE_BITS_OF_GATES, u64::from);
        Self {
            lut_inputs: index(mapping.lut_inputs),
            // A one-bit sum is built from gates in any case.
            unchained_bits: index(mapping.unchained_bits).max(1),
            multiplier_bits: mapping.multiplier_bits.map(index),
            max_table_bits,
            memory_input_ns: block.map_or(0.0, |memory| memory.write.input_delay_ns),
            memory_output_ns: block.map_or(0.0, |memory| memory.read.output_delay_ns),
            mapping,
        }
    }

    /// Returns the number of inputs of the widest look-up table worth using.
    pub(crate) fn widest_lut(&self) -> u32 {
        self.mapping.joined_inputs.min(8)
    }
}
