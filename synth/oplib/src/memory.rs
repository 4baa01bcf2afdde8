//! Memories: the kind of cell that holds them, the number of cells, and the delays of their ports.

use crate::area::Area;
use crate::implementation::Implementation;

/// The two ways to hold an array on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryKind {
    /// Look-up tables as memory, read without a clock; the read data is registered outside.
    Distributed,
    /// Block memories with a clocked read.
    Block,
}

impl MemoryKind {
    /// Returns the name in device files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distributed => "distributed",
            Self::Block => "block",
        }
    }

    /// Returns the kind with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Distributed, Self::Block]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// A memory with one read port of one cycle of latency and one write port.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// The kind of cell.
    pub kind: MemoryKind,
    /// The read port: latency 1, from address to data. Its area is part of [`Memory::area`] and 0 here.
    pub read: Implementation,
    /// The write port: latency 1; a read that starts one cycle later sees the data. Its area is 0 here.
    pub write: Implementation,
    /// The cells of the whole memory.
    pub area: Area,
}

/// One row under `memories`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MemoryRow {
    /// The properties that depend on the kind.
    pub cells: MemoryCells,
    /// From the read address to the register that ends the cycle, beyond an ordinary set-up, in ns.
    pub read_input_delay_ns: f64,
    /// From the clock to the read data, beyond an ordinary clock-to-output, in ns.
    pub read_output_delay_ns: f64,
    /// From write address, data and enable to the cell, beyond an ordinary set-up, in ns.
    pub write_input_delay_ns: f64,
    /// Source of the figures.
    pub source: String,
}

/// The cells into which a memory is divided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MemoryCells {
    /// Cells of `words` by `width_bits`, joined by a multiplexer on the read data.
    Distributed {
        /// Words of a cell.
        words: u32,
        /// Width of a cell.
        width_bits: u32,
        /// Look-up tables of a cell.
        lut: f64,
        /// The largest memory, in bits, of this kind.
        up_to_bits: u64,
    },
    /// Block memories of several shapes (words, width); the shape that needs the fewest cells is used.
    Block {
        /// The shapes.
        shapes: Vec<(u32, u32)>,
    },
}

impl MemoryRow {
    /// Returns the kind of this row.
    pub(crate) fn kind(&self) -> MemoryKind {
        match self.cells {
            MemoryCells::Distributed { .. } => MemoryKind::Distributed,
            MemoryCells::Block { .. } => MemoryKind::Block,
        }
    }

    /// Returns the row for blocks with two read/write ports. The widest shape combines the data pins of both ports, so it is left
    /// out if there is another shape.
    pub(crate) fn true_dual(&self) -> Self {
        let mut row = self.clone();
        if let MemoryCells::Block { shapes } = &mut row.cells {
            let widest = shapes.iter().map(|(_, width)| *width).max();
            if shapes.iter().any(|(_, width)| Some(*width) != widest) {
                shapes.retain(|(_, width)| Some(*width) != widest);
            }
        }
        row
    }

    /// Returns the number of cells that hold `words` of `width_bits`: cells in depth, and cells in width.
    ///
    /// Among block shapes the fewest cells win, then the fewest in depth, then the first in the list.
    pub(crate) fn cell_grid(&self, words: u32, width_bits: u32) -> (u32, u32) {
        let grid = |cell: (u32, u32)| {
            (
                words.max(1).div_ceil(cell.0),
                width_bits.max(1).div_ceil(cell.1),
            )
        };
        match &self.cells {
            MemoryCells::Distributed {
                words: cell_words,
                width_bits: cell_width,
                ..
            } => grid((*cell_words, *cell_width)),
            MemoryCells::Block { shapes } => shapes
                .iter()
                .map(|shape| grid(*shape))
                .min_by_key(|(deep, wide)| (u64::from(*deep) * u64::from(*wide), *deep))
                .expect("the reader accepts no block memory without shapes"),
        }
    }
}
