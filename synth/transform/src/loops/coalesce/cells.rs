//! What accesses touched in the cells of memories while a nest runs.

use std::collections::BTreeMap;

use smallvec::SmallVec;

/// Accesses with the time of each.
type Accesses = SmallVec<[(usize, u64); 2]>;

/// What happened to a cell in an entry.
#[derive(Clone, Default)]
pub(super) struct Cell {
    entry: u64,
    pub(super) written: Accesses,
    pub(super) read: Accesses,
}

/// Cells from 0 to this one have places of their own.
const LAST_NEAR: i64 = (1 << 22) - 1;

/// The cells of all memories in one entry.
#[derive(Default)]
pub(super) struct Cells {
    entry: u64,
    near: Vec<Vec<Cell>>,
    far: BTreeMap<(usize, i64), Cell>,
}

impl Cells {
    /// From now on nothing has happened.
    pub(super) fn clear(&mut self) {
        self.entry += 1;
        self.far.clear();
    }

    /// A cell of a memory by its number and the address.
    pub(super) fn at(&mut self, memory: usize, address: i64) -> &mut Cell {
        let near = usize::try_from(address).ok();
        let Some(at) = near.filter(|_| address <= LAST_NEAR) else {
            return self.far.entry((memory, address)).or_default();
        };
        if self.near.len() <= memory {
            self.near.resize_with(memory + 1, Vec::new);
        }
        let cells = &mut self.near[memory];
        if cells.len() <= at {
            cells.resize((at + 1).max(2 * cells.len()), Cell::default());
        }
        let cell = &mut cells[at];
        if cell.entry != self.entry {
            *cell = Cell {
                entry: self.entry,
                ..Cell::default()
            };
        }
        cell
    }
}
