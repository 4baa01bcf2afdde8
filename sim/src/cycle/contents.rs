//! The memories of a simulated circuit, and what is in them.

use sluice_ir::bits::Bits;
use sluice_ir::exact::{Exact, n_elements};
use sluice_ir::suggestion::did_you_mean;
use sluice_words::n_limbs;

use super::CycleSimulator;
use super::flat::Elaborated;
use super::signals::ends_path;

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
    /// Whether its first words come from a file.
    pub is_filled: bool,
    array: u32,
}

impl Memory {
    /// What word number `number` is called, with an index for each dimension.
    pub fn word_name(&self, number: usize) -> String {
        let mut left = number as u64;
        let mut indices = Vec::new();
        for size in self.shape.iter().rev() {
            indices.push(format!("[{}]", left % size.max(&1)));
            left /= size.max(&1);
        }
        indices.reverse();
        format!("{}{}", self.name, indices.concat())
    }

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
                is_filled: model.is_filled,
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

    /// A word of a memory by the number of its array; nothing beyond its end.
    pub(super) fn word_in(&self, number: usize, address: u64) -> Option<Bits> {
        let mut all = self.memories.iter();
        let memory = all.find(|memory| usize::try_from(memory.array) == Ok(number))?;
        let n = usize::try_from(n_limbs(memory.width_bits)).ok()?;
        let first = usize::try_from(address).ok()?.checked_mul(n)?;
        let limbs = self
            .machine
            .array(memory.array)
            .get(first..first.checked_add(n)?)?;
        Some(Bits::from_limbs(memory.width_bits, limbs))
    }

    /// The limbs of all words of memory number `memory`, one word after the other.
    pub(super) fn array(&self, memory: usize) -> &[u64] {
        self.machine.array(self.memories[memory].array)
    }

    /// All words of memory number `memory`, between two edges.
    pub fn contents(&self, memory: usize) -> Vec<Bits> {
        let Memory {
            array, width_bits, ..
        } = &self.memories[memory];
        let words = self.machine.array(*array);
        let words = words.chunks(n_limbs(*width_bits) as usize);
        words
            .map(|limbs| Bits::from_limbs(*width_bits, limbs))
            .collect()
    }

    /// Fills memory number `memory`, between two edges.
    ///
    /// # Panics
    /// Where there are more words, or fewer, than it has.
    pub fn set_contents(&mut self, memory: usize, words: &[Bits]) {
        let Memory {
            array, width_bits, ..
        } = self.memories[memory];
        let n = n_limbs(width_bits) as usize;
        assert_eq!(
            self.machine.array(array).len(),
            n * words.len(),
            "a word for each of the memory"
        );
        let limbs = words.iter().flat_map(|word| (0..n).map(|at| word.limb(at)));
        self.machine.set_array(array, limbs);
        self.stepping.is_dirty = true;
        self.note_contents();
    }

    /// The number of the memory that is called so: by its name with the instances around it, or as much of its end as only one has.
    ///
    /// # Errors
    /// Why there is none, or not only one.
    pub fn find_memory(&self, name: &str) -> Result<usize, String> {
        let names = || self.memories.iter().map(|memory| memory.name.as_str());
        let called = |is_called: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let all = names().enumerate().filter(|(_, path)| is_called(path));
            all.map(|(number, _)| number).collect()
        };
        let exact = called(&|path| path == name);
        let found = match exact[..] {
            [] => called(&|path| ends_path(path, name)),
            _ => exact,
        };
        match found[..] {
            [only] => Ok(only),
            [] => {
                let known: Vec<&str> = names().collect();
                let advice = match known[..] {
                    [] => "there are none".to_owned(),
                    _ => did_you_mean(name, &known),
                };
                Err(format!("there is no memory `{name}`; {advice}"))
            }
            _ => {
                let paths: Vec<&str> = found
                    .iter()
                    .map(|n| self.memories[*n].name.as_str())
                    .collect();
                Err(format!(
                    "{} memories are called `{name}`: `{}`",
                    found.len(),
                    paths.join("`, `")
                ))
            }
        }
    }

    /// Times that a memory was filled from outside.
    pub(crate) fn n_fills(&self) -> u64 {
        self.n_fills
    }

    /// The number of the memory outside whose ports have that name.
    fn outside(&self, name: &str) -> Option<usize> {
        let mut memories = self.memories.iter();
        memories.position(|memory| memory.is_outside && memory.name == name)
    }

    /// The contents of the memory outside whose ports have that name.
    pub(crate) fn memory(&self, name: &str) -> Option<Vec<Bits>> {
        Some(self.contents(self.outside(name)?))
    }

    /// Fills that memory; false where there is none or its size is another.
    pub(crate) fn set_memory(&mut self, name: &str, cells: &[Bits]) -> bool {
        let Some(memory) = self.outside(name) else {
            return false;
        };
        let Memory {
            shape, width_bits, ..
        } = &self.memories[memory];
        let fits = n_elements(shape) == Exact::from(cells.len())
            && cells
                .first()
                .is_none_or(|cell| n_limbs(cell.width()) == n_limbs(*width_bits));
        if fits {
            self.set_contents(memory, cells);
        }
        fits
    }
}
