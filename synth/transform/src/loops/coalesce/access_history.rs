//! Records which accesses touched each memory word while the steps of a nest are simulated.

use std::collections::BTreeMap;

use smallvec::SmallVec;

/// Accesses, each with its time.
type Accesses = SmallVec<[(usize, u64); 2]>;

/// The accesses to a word in one entry of the nest.
#[derive(Clone, Default)]
pub(super) struct WordHistory {
    entry: u64,
    pub(super) written: Accesses,
    pub(super) read: Accesses,
}

/// The largest address that is stored in a dense array; others are stored in a map.
const LAST_NEAR: i64 = (1 << 22) - 1;

/// The words of all memories in one entry of the nest.
#[derive(Default)]
pub(super) struct AccessHistory {
    entry: u64,
    near: Vec<Vec<WordHistory>>,
    far: BTreeMap<(usize, i64), WordHistory>,
}

impl AccessHistory {
    /// Forgets all accesses.
    pub(super) fn clear(&mut self) {
        self.entry += 1;
        self.far.clear();
    }

    /// Returns the word at an address of a memory, given by its number.
    pub(super) fn at(&mut self, memory: usize, address: i64) -> &mut WordHistory {
        let near = usize::try_from(address).ok();
        let Some(at) = near.filter(|_| address <= LAST_NEAR) else {
            return self.far.entry((memory, address)).or_default();
        };
        if self.near.len() <= memory {
            self.near.resize_with(memory + 1, Vec::new);
        }
        let cells = &mut self.near[memory];
        if cells.len() <= at {
            cells.resize((at + 1).max(2 * cells.len()), WordHistory::default());
        }
        let cell = &mut cells[at];
        if cell.entry != self.entry {
            *cell = WordHistory {
                entry: self.entry,
                ..WordHistory::default()
            };
        }
        cell
    }
}
