//! Many machines that run the same program, each with its own state. They run in vector lanes where that is faster, and on
//! several threads.

mod packing;

use std::sync::{Mutex, PoisonError};
use std::thread;

pub use packing::Packing;

use crate::demand::without_masks;
use crate::graph::mask;
use crate::native::{Native, vectors};
use crate::plan::{Parts, plan};
use crate::program::Program;

/// The layout of the words of a group of machines.
enum Form {
    /// Word by word, with all lanes of a word together. With more than one lane, a slot of 32 bits uses only half of its space:
    /// the four lanes are in two words.
    Words(usize),
    /// The layout for code in AVX vectors.
    Vectors(vectors::Layout),
}

/// The bits of a state that hold a word of a machine, or its low part; they never cross a word boundary.
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
                // Four lanes of 32 bits are one vector.
                0..=32 => (slot as usize * n_lanes + lane / 2, 32 * (lane % 2), 32),
                _ => (slot as usize * n_lanes + lane, 0, 64),
            },
            Self::Vectors(layout) => return Bits::at(layout.slot(slot), 0, lane),
        };
        Bits { word, first, n }
    }

    /// Returns the place of a limb of an array, by its number among all limbs of the array.
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
    /// Returns the bits at a place, or at the place that is `number` elements after it.
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

/// The state of the machines of a group; it begins at the start of a cache line.
struct Group {
    words: Vec<u64>,
    start: usize,
}

/// Words in a cache line.
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

/// A batch of machines that run one program.
pub struct Batch {
    program: Program,
    /// The code of cycles without outputs, and the code of outputs.
    code: [Native; 2],
    form: Form,
    groups: Vec<Group>,
    n_machines: usize,
    n_threads: usize,
}

impl Batch {
    /// Creates machines in their initial state, to be run on the given number of threads.
    ///
    /// # Errors
    /// The machine code cannot be generated on this computer, or not with this packing.
    ///
    /// # Panics
    /// If an index in the program is out of range.
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

    /// Returns the number of machines.
    pub fn n_machines(&self) -> usize {
        self.n_machines
    }

    /// Returns the group of a machine, and its lane in the group.
    fn place(&self, machine: usize) -> (usize, usize) {
        let n_lanes = self.form.n_lanes();
        (machine / n_lanes, machine % n_lanes)
    }

    /// Returns the word in a slot of a machine.
    pub fn slot(&self, machine: usize, slot: u32) -> u64 {
        let (group, lane) = self.place(machine);
        let bits = self.form.slot(&self.program, slot, lane);
        bits.read(self.groups[group].state()) & mask(self.program.slot_bits[slot as usize])
    }

    /// Sets a slot of a machine to the low bits of a word, as many as the slot has.
    pub fn set_slot(&mut self, machine: usize, slot: u32, value: u64) {
        let (group, lane) = self.place(machine);
        let bits = self.form.slot(&self.program, slot, lane);
        let value = value & mask(self.program.slot_bits[slot as usize]);
        bits.write(self.groups[group].state_mut(), value);
    }

    /// Returns the range of the limbs of an array in the state of a single machine.
    fn range(&self, array: u32) -> std::ops::Range<usize> {
        let start = self.program.layout().0[array as usize];
        let of = &self.program.arrays[array as usize];
        start..start + of.depth as usize * of.n_limbs() as usize
    }

    /// Returns the limbs of an array of a machine.
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

    /// Fills an array of a machine with limbs, from the first one on; each is truncated to the width of its limb.
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

    /// Runs cycles of all machines, without outputs.
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
                // If the system cannot create another thread, the existing ones share the work.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }
}
