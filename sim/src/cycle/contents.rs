//! The memories of a simulated circuit, and what is in them.

use sluice_ir::bits::Bits;
use sluice_words::n_limbs;

use super::CycleSimulator;
use super::flat::Elaborated;

/// A memory of a circuit, or outside around a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its name: with the instances around it, or that of the ports of one outside.
    pub name: String,
    /// Words of each dimension, the last one varies fastest.
    pub shape: Vec<u64>,
    /// Bits of a word.
    pub width_bits: u32,
    /// Whether it is one of those around a kernel.
    pub is_outside: bool,
    array: u32,
}

impl Memory {
    /// The memories of a circuit, of which these, by name and number, are outside; those without words are left out.
    pub(super) fn all(flat: &Elaborated, outside: &[(String, u32)]) -> Vec<Self> {
        let all = (0..).zip(&flat.memories);
        let all = all.filter_map(|(array, model)| {
            let around = outside.iter().find(|(_, number)| *number == array);
            Some(Self {
                name: around.map_or(&model.name, |(name, _)| name).clone(),
                shape: model.shape.clone(),
                width_bits: model.words.first()?.width(),
                is_outside: around.is_some(),
                array,
            })
        });
        all.collect()
    }
}

impl CycleSimulator {
    /// The memories, those outside among them.
    pub fn memories(&self) -> impl ExactSizeIterator<Item = &Memory> {
        self.memories.iter()
    }

    /// A word of memory number `memory`, between two edges.
    pub fn word(&self, memory: usize, address: u64) -> Bits {
        let Memory {
            array, width_bits, ..
        } = &self.memories[memory];
        let n = n_limbs(*width_bits) as usize;
        let first = usize::try_from(address).expect("a word of a memory") * n;
        Bits::from_limbs(*width_bits, &self.machine.array(*array)[first..first + n])
    }

    /// Times that a memory was filled from outside.
    pub(crate) fn n_fills(&self) -> u64 {
        self.n_fills
    }

    /// The array of the memory outside whose ports have that name.
    fn outside(&self, name: &str) -> Option<u32> {
        let mut memories = self.memories.iter();
        let found = memories.find(|memory| memory.is_outside && memory.name == name);
        found.map(|memory| memory.array)
    }

    /// The contents of the memory outside whose ports have that name.
    pub(crate) fn memory(&self, name: &str, width_bits: u32) -> Option<Vec<Bits>> {
        let words = self.machine.array(self.outside(name)?);
        let words = words.chunks(n_limbs(width_bits) as usize);
        Some(
            words
                .map(|limbs| Bits::from_limbs(width_bits, limbs))
                .collect(),
        )
    }

    /// Fills that memory; false where there is none or its size is another.
    pub(crate) fn set_memory(&mut self, name: &str, cells: &[Bits]) -> bool {
        let Some(array) = self.outside(name) else {
            return false;
        };
        let n = cells
            .first()
            .map_or(1, |cell| n_limbs(cell.width()) as usize);
        let fits = self.machine.array(array).len() == n * cells.len();
        if fits {
            let limbs = cells.iter().flat_map(|cell| (0..n).map(|at| cell.limb(at)));
            self.machine.set_array(array, limbs);
            self.note_contents();
        }
        fits
    }
}
