//! The memories of a simulated circuit and their contents.

use sluice_ir::bits::Bits;
use sluice_ir::exact::{Exact, n_elements};
use sluice_ir::suggestion::did_you_mean;
use sluice_words::n_limbs;

use super::CycleSimulator;
use super::flat::Elaborated;
use super::signals::ends_path;

/// A memory of a circuit, or a memory connected to a kernel from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its name: with the instances around it, or the name of the ports of an outside memory.
    pub name: String,
    /// Size of each dimension; the last one varies fastest.
    pub shape: Vec<u64>,
    /// Bits of a word.
    pub width_bits: u32,
    /// Whether it is connected to a kernel from outside.
    pub is_outside: bool,
    /// Whether its initial contents come from a file.
    pub is_filled: bool,
    array: u32,
}

impl Memory {
    /// Returns the name of word number `number`, with an index for each dimension.
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

    /// Returns the memories of a circuit; `outside` lists the outside ones by name and number. Memories without words are left
    /// out.
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
    /// Returns all memories, those outside included.
    pub fn memories(&self) -> impl ExactSizeIterator<Item = &Memory> {
        self.memories.iter()
    }

    /// Returns a word of memory number `memory` between two edges.
    pub fn word(&self, memory: usize, address: u64) -> Bits {
        let Memory {
            array, width_bits, ..
        } = &self.memories[memory];
        let n = n_limbs(*width_bits) as usize;
        let first = usize::try_from(address).expect("a word of a memory") * n;
        Bits::from_limbs(*width_bits, &self.machine.array(*array)[first..first + n])
    }

    /// Returns a word by the number of its array; `None` beyond its end.
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

    /// Returns the limbs of all words of memory number `memory`, one word after the other.
    pub(super) fn array(&self, memory: usize) -> &[u64] {
        self.machine.array(self.memories[memory].array)
    }

    /// Returns all words of memory number `memory` between two edges.
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

    /// Fills memory number `memory` between two edges.
    ///
    /// # Panics
    /// If the number of words is not the size of the memory.
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

    /// Finds a memory by its name with the instances around it, or by a suffix of that path which only one memory has.
    ///
    /// # Errors
    /// The reason why there is none, or more than one.
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

    /// Returns the number of times a memory has been filled from outside.
    pub(crate) fn n_fills(&self) -> u64 {
        self.n_fills
    }

    /// Returns the number of the outside memory with these ports.
    fn outside(&self, name: &str) -> Option<usize> {
        let mut memories = self.memories.iter();
        memories.position(|memory| memory.is_outside && memory.name == name)
    }

    /// Returns the contents of the outside memory with these ports.
    pub(crate) fn memory(&self, name: &str) -> Option<Vec<Bits>> {
        Some(self.contents(self.outside(name)?))
    }

    /// Fills the outside memory with these ports; returns `false` if there is none or the size does not fit.
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
