//! Many machines of one program, each with a state of its own, run together: in the lanes of vectors where that pays, on every core.

mod packing;

use std::sync::{Mutex, PoisonError};
use std::thread;

pub use packing::Packing;

use crate::demand::without_masks;
use crate::graph::mask;
use crate::native::{Native, vectors};
use crate::plan::{Parts, plan};
use crate::program::Program;

/// Where the words of a group of machines lie.
enum Form {
    /// Word after word, of each the lanes; with more than one, slots of 32 bits as four halves of two words.
    Words(usize),
    /// As vectors want it.
    Vectors(vectors::Layout),
}

/// Bits of a state that hold a word of a machine, or the low ones of it: none of them go over the end of a word.
struct Bits {
    word: usize,
    first: usize,
    n: u32,
}

impl Form {
    fn n_lanes(&self) -> usize {
        match self {
            Self::Words(n_lanes) => *n_lanes,
            Self::Vectors(layout) => layout.lanes.n(),
        }
    }

    fn slot(&self, program: &Program, slot: u32, lane: usize) -> Bits {
        let (word, first, n) = match self {
            Self::Words(1) => (slot as usize, 0, 64),
            Self::Words(n_lanes) => match program.slot_bits[slot as usize] {
                // Four of 32 bits are one vector.
                0..=32 => (slot as usize * n_lanes + lane / 2, 32 * (lane % 2), 32),
                _ => (slot as usize * n_lanes + lane, 0, 64),
            },
            Self::Vectors(layout) => return Bits::at(layout.slot(slot), 0, lane),
        };
        Bits { word, first, n }
    }

    /// A limb of an array, by the number that it has among all limbs of it.
    fn limb(&self, program: &Program, array: u32, number: usize, lane: usize) -> Bits {
        match self {
            Self::Words(n_lanes) => {
                let start = program.layout().0[array as usize];
                let word = (start + number) * n_lanes + lane;
                let (first, n) = (0, 64);
                Bits { word, first, n }
            }
            Self::Vectors(layout) => Bits::at(layout.limb(array, 0), number, lane),
        }
    }
}

impl Bits {
    /// Those of a place, or of one that is so many places behind it.
    fn at(place: vectors::Place, number: usize, lane: usize) -> Self {
        let (byte, bit, n) = place.of_lane(lane);
        let byte = byte + number * place.bytes;
        Self {
            word: byte / 8,
            first: 8 * (byte % 8) + bit,
            n,
        }
    }

    fn read(&self, state: &[u64]) -> u64 {
        state[self.word] >> self.first & mask(self.n)
    }

    fn write(&self, state: &mut [u64], value: u64) {
        let of = mask(self.n);
        let word = &mut state[self.word];
        *word = *word & !(of << self.first) | (value & of) << self.first;
    }
}

/// The state of the machines of a group, from the start of a line of the cache on.
struct Group {
    words: Vec<u64>,
    start: usize,
}

/// Words of a line of the cache.
const LINE: usize = 8;

impl Group {
    fn new(n_words: usize) -> Self {
        let words = vec![0; n_words + LINE];
        let start = words.as_ptr().align_offset(LINE * size_of::<u64>());
        Self {
            words,
            start: start.min(LINE),
        }
    }

    fn state(&self) -> &[u64] {
        &self.words[self.start..]
    }

    fn state_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..]
    }
}

/// Machines of one program.
pub struct Batch {
    program: Program,
    /// Cycles without outputs, and outputs.
    code: [Native; 2],
    form: Form,
    groups: Vec<Group>,
    n_machines: usize,
    n_threads: usize,
}

impl Batch {
    /// So many machines at the start, run by so many threads.
    ///
    /// # Errors
    /// What machine code cannot be made of here, or not in this way.
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
        let parts = [false, true].map(prepare);
        let (form, code) = packing.code(&program, &parts, n_machines, n_threads)?;
        let n_words = code.iter().map(Native::n_words).max().unwrap_or(0);
        let groups = 0..n_machines.div_ceil(form.n_lanes());
        let mut batch = Self {
            code,
            groups: groups.map(|_| Group::new(n_words)).collect(),
            form,
            n_machines,
            n_threads: n_threads.max(1),
            program,
        };
        let start = batch.program.state();
        let n_slots = batch.program.slot_bits.len();
        let arrays: Vec<Vec<u64>> = (0..)
            .zip(&batch.program.arrays)
            .map(|(array, _)| start[batch.range(array)].to_vec())
            .collect();
        for machine in 0..batch.groups.len() * batch.form.n_lanes() {
            for (slot, value) in (0..).zip(&start[..n_slots]) {
                batch.set_slot(machine, slot, *value);
            }
            for (array, limbs) in (0..).zip(&arrays) {
                batch.set_array(machine, array, limbs.iter().copied());
            }
        }
        Ok(batch)
    }

    /// How many there are.
    pub fn n_machines(&self) -> usize {
        self.n_machines
    }

    /// The group of a machine, and its place in it.
    fn place(&self, machine: usize) -> (usize, usize) {
        let n_lanes = self.form.n_lanes();
        (machine / n_lanes, machine % n_lanes)
    }

    /// The word in a slot of a machine.
    pub fn slot(&self, machine: usize, slot: u32) -> u64 {
        let (group, lane) = self.place(machine);
        let bits = self.form.slot(&self.program, slot, lane);
        bits.read(self.groups[group].state()) & mask(self.program.slot_bits[slot as usize])
    }

    /// Puts the low bits of a word in a slot of a machine, as many as it has.
    pub fn set_slot(&mut self, machine: usize, slot: u32, value: u64) {
        let (group, lane) = self.place(machine);
        let bits = self.form.slot(&self.program, slot, lane);
        let value = value & mask(self.program.slot_bits[slot as usize]);
        bits.write(self.groups[group].state_mut(), value);
    }

    /// Where the limbs of an array are in a state of one machine.
    fn range(&self, array: u32) -> std::ops::Range<usize> {
        let start = self.program.layout().0[array as usize];
        let of = &self.program.arrays[array as usize];
        start..start + of.depth as usize * of.n_limbs() as usize
    }

    /// The limbs of an array of a machine.
    pub fn array(&self, machine: usize, array: u32) -> Vec<u64> {
        let (group, lane) = self.place(machine);
        let state = self.groups[group].state();
        let numbers = 0..self.range(array).len();
        numbers
            .map(|number| {
                let bits = self.form.limb(&self.program, array, number, lane);
                bits.read(state)
            })
            .collect()
    }

    /// Fills an array of a machine with limbs, from the first on; of each the low bits, as many as it has.
    pub fn set_array(&mut self, machine: usize, array: u32, limbs: impl IntoIterator<Item = u64>) {
        let (group, lane) = self.place(machine);
        let n_limbs = self.program.arrays[array as usize].n_limbs();
        let numbers = 0..self.range(array).len();
        let of_word = (0..n_limbs).cycle();
        for ((number, value), limb) in numbers.zip(limbs).zip(of_word) {
            let n_bits = self.program.arrays[array as usize].limb_bits(limb);
            let bits = self.form.limb(&self.program, array, number, lane);
            bits.write(self.groups[group].state_mut(), value & mask(n_bits));
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
        let run = |groups: &mut [Group]| {
            for group in groups {
                code.run(group.state_mut(), n_cycles);
            }
        };
        if share >= self.groups.len() {
            run(&mut self.groups);
            return;
        }
        let n_shares = self.groups.len().div_ceil(share);
        let shares = Mutex::new(self.groups.chunks_mut(share));
        let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(groups) = next() {
                run(groups);
            }
        };
        thread::scope(|scope| {
            for _ in 1..n_shares {
                // Where the system has no more threads, those that there are take all shares.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }
}
