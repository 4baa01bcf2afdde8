//! Many machines of one program, each with a state of its own, run together: in the lanes of vectors where that pays, on every core.

use std::thread;

use crate::demand::without_masks;
use crate::graph::mask;
use crate::native::lanes::pays;
use crate::native::{N_LANES, Native, Width};
use crate::plan::{Parts, plan};
use crate::program::Program;

/// How machines share a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// In the lanes of vectors where that takes fewer instructions.
    Auto,
    /// In the lanes of vectors.
    Lanes,
    /// One after the other.
    Alone,
}

/// Machines of one program.
pub struct Batch {
    program: Program,
    /// Cycles without outputs, and outputs.
    code: [Native; 2],
    /// Machines of a group: one, or as many as there are lanes.
    n_lanes: usize,
    /// The states of the machines of a group: word after word, of each the lanes.
    groups: Vec<Vec<u64>>,
    n_machines: usize,
    n_threads: usize,
}

impl Batch {
    /// So many machines at the start, run by so many threads.
    ///
    /// # Errors
    /// What machine code cannot be made of here.
    ///
    /// # Panics
    /// Where a number in the program is of nothing that is there.
    pub fn new(
        program: Program,
        n_machines: usize,
        n_threads: usize,
        packing: Packing,
    ) -> Result<Self, String> {
        program.check();
        let prepare = |outputs: bool| {
            let mut program = program.clone();
            program.observed.clear();
            without_masks(&mut program, &rustc_hash::FxHashMap::default());
            let parts = Parts {
                outputs,
                updates: !outputs,
            };
            let steps = plan(&program, parts);
            (program, steps)
        };
        let [updates, outputs] = [false, true].map(prepare);
        let in_lanes = match packing {
            Packing::Auto => n_machines > 1 && pays(&updates.0, &updates.1),
            Packing::Lanes => true,
            Packing::Alone => false,
        };
        // The low half of a word is read as its first bytes.
        let n_lanes = match in_lanes && cfg!(target_endian = "little") {
            true => N_LANES,
            false => 1,
        };
        let width = match n_lanes {
            1 => Width::Scalar,
            _ => Width::Lanes,
        };
        let code = [
            Native::new(&updates.0, &updates.1, None, width)?,
            Native::new(&outputs.0, &outputs.1, None, width)?,
        ];
        let n_words = code.iter().map(Native::n_words).max().unwrap_or(0);
        let mut batch = Self {
            code,
            groups: vec![vec![0; n_words]; n_machines.div_ceil(n_lanes)],
            n_lanes,
            n_machines,
            n_threads: n_threads.max(1),
            program,
        };
        let start = batch.program.state();
        let n_slots = batch.program.slot_bits.len();
        for machine in 0..batch.groups.len() * n_lanes {
            for (slot, value) in (0..).zip(&start[..n_slots]) {
                batch.set_slot(machine, slot, *value);
            }
            for (word, value) in start.iter().enumerate().skip(n_slots) {
                batch.groups[machine / n_lanes][word * n_lanes + machine % n_lanes] = *value;
            }
        }
        Ok(batch)
    }

    /// How many there are.
    pub fn n_machines(&self) -> usize {
        self.n_machines
    }

    /// Where the word of a slot is in its group, and how far up.
    fn place(&self, machine: usize, slot: u32) -> (usize, u32) {
        let (first, lane) = (slot as usize * self.n_lanes, machine % self.n_lanes);
        match self.program.slot_bits[slot as usize] {
            _ if self.n_lanes == 1 => (first, 0),
            // Four of 32 bits are one vector.
            0..=32 => (first + lane / 2, if lane % 2 == 0 { 0 } else { 32 }),
            _ => (first + lane, 0),
        }
    }

    /// The word in a slot of a machine.
    pub fn slot(&self, machine: usize, slot: u32) -> u64 {
        let (at, up) = self.place(machine, slot);
        let bits = self.program.slot_bits[slot as usize];
        self.groups[machine / self.n_lanes][at] >> up & mask(bits)
    }

    /// Puts the low bits of a word in a slot of a machine, as many as it has.
    pub fn set_slot(&mut self, machine: usize, slot: u32, value: u64) {
        let (at, up) = self.place(machine, slot);
        let bits = self.program.slot_bits[slot as usize];
        let kept = match bits {
            0..=32 if self.n_lanes > 1 => mask(32) << up,
            _ => u64::MAX,
        };
        let word = &mut self.groups[machine / self.n_lanes][at];
        *word = *word & !kept | (value & mask(bits)) << up;
    }

    /// Where the limbs of an array begin, and how many there are.
    fn range(&self, array: u32) -> std::ops::Range<usize> {
        let start = self.program.layout().0[array as usize];
        let of = &self.program.arrays[array as usize];
        start..start + of.depth as usize * of.n_limbs() as usize
    }

    /// The limbs of an array of a machine.
    pub fn array(&self, machine: usize, array: u32) -> Vec<u64> {
        let group = &self.groups[machine / self.n_lanes];
        let words = self.range(array);
        words
            .map(|word| group[word * self.n_lanes + machine % self.n_lanes])
            .collect()
    }

    /// Fills an array of a machine with limbs, from the first on; of each the low bits, as many as it has.
    pub fn set_array(&mut self, machine: usize, array: u32, limbs: impl IntoIterator<Item = u64>) {
        let words = self.range(array);
        let of = &self.program.arrays[array as usize];
        let numbers = (0..of.n_limbs()).cycle();
        let group = &mut self.groups[machine / self.n_lanes];
        for ((word, value), limb) in words.zip(limbs).zip(numbers) {
            group[word * self.n_lanes + machine % self.n_lanes] = value & mask(of.limb_bits(limb));
        }
    }

    /// Cycles of all machines, without outputs.
    pub fn run(&mut self, n_cycles: u64) {
        self.run_code(0, n_cycles);
    }

    /// Computes the outputs of all machines.
    pub fn show(&mut self) {
        self.run_code(1, 1);
    }

    fn run_code(&mut self, code: usize, n_cycles: u64) {
        let code = &self.code[code];
        let share = self.groups.len().div_ceil(self.n_threads).max(1);
        let run = |groups: &mut [Vec<u64>]| {
            for group in groups {
                code.run(group, n_cycles);
            }
        };
        if share >= self.groups.len() {
            run(&mut self.groups);
            return;
        }
        thread::scope(|scope| {
            for groups in self.groups.chunks_mut(share) {
                scope.spawn(move || run(groups));
            }
        });
    }
}
