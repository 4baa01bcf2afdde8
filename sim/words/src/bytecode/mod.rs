//! The interpreter: steps with their operands as places in one array, the state at its start and words behind it.
//!
//! A word that is read from a slot before anything is stored there has no instruction: readers take it from the slot. Nor has a store of a
//! word that is made in its slot at once. Places are numbers of 16 bits where the program is small enough, which needs no checks.

mod fusion;
mod maker;
mod ops;
mod run;
mod uses;

use crate::graph::{Call, mask};
use crate::plan::Step;
use crate::program::Program;
use maker::Maker;
use ops::{Op, Place};

/// A write of an array: its number, the place of the index, those of the limbs.
#[derive(Clone, Debug)]
struct WriteOp {
    array: usize,
    index: usize,
    limbs: Vec<usize>,
}

/// A function with the places of its operands and results.
#[derive(Clone, Debug)]
struct CallOp {
    call: Call,
    operands: Vec<usize>,
    /// Places of the results, by their number, as far as they are read.
    results: Vec<Option<usize>>,
}

/// Where an array is in the state.
#[derive(Clone, Debug)]
struct Array {
    start: usize,
    depth: u64,
    n_limbs: usize,
    /// What stays of each limb that is written.
    masks: Vec<u64>,
}

/// Instructions with places of a kind, and what they refer to.
#[derive(Clone, Debug)]
struct Code<P> {
    ops: Vec<Op<P>>,
    writes: Vec<WriteOp>,
    calls: Vec<CallOp>,
    /// Places of constants.
    constants: Vec<(P, u64)>,
    /// Words of the state, those of the code included.
    n_words: usize,
}

#[derive(Clone, Debug)]
enum Form {
    Narrow(Code<u16>),
    Wide(Code<u32>),
}

/// The steps of a cycle as bytecode.
#[derive(Clone, Debug)]
pub(crate) struct Bytecode {
    form: Form,
    arrays: Vec<Array>,
}

impl Bytecode {
    /// The code of steps; its own words begin at `base` of the state.
    pub(crate) fn new(program: &Program, steps: &[Step], base: usize) -> Self {
        let (starts, _) = program.layout();
        let arrays = program.arrays.iter().zip(starts);
        let arrays: Vec<_> = arrays
            .map(|(array, start)| Array {
                start,
                depth: u64::from(array.depth),
                n_limbs: array.n_limbs() as usize,
                masks: (0..array.n_limbs())
                    .map(|limb| mask(array.limb_bits(limb)))
                    .collect(),
            })
            .collect();
        // Everything that an instruction has a number for.
        let n_limbs: usize = arrays.iter().map(|array| array.n_limbs).sum();
        let most = base + program.graph.len() + steps.len() + arrays.len() + n_limbs;
        let form = match most < u16::N {
            true => Form::Narrow(Maker::code(program, steps, base)),
            false => Form::Wide(Maker::code(program, steps, base)),
        };
        Self { form, arrays }
    }

    /// Words of the state, those of the code included.
    pub(crate) fn n_words(&self) -> usize {
        match &self.form {
            Form::Narrow(code) => code.n_words,
            Form::Wide(code) => code.n_words,
        }
    }

    /// Makes room in the state for the words of the code.
    pub(crate) fn prepare(&self, state: &mut Vec<u64>) {
        match &self.form {
            Form::Narrow(code) => code.prepare(state, u16::N),
            Form::Wide(code) => code.prepare(state, code.n_words),
        }
    }

    /// Cycles, up to the first after which a slot is not 0; says how many.
    pub(crate) fn run(&self, state: &mut [u64], n_cycles: u64, stop: Option<u32>) -> u64 {
        match &self.form {
            Form::Narrow(code) => {
                let words: &mut [u64; u16::N] =
                    state.first_chunk_mut().expect("the state is prepared");
                code.run(&self.arrays, words, n_cycles, stop)
            }
            Form::Wide(code) => code.run(&self.arrays, state, n_cycles, stop),
        }
    }
}

impl<P: Place> Code<P> {
    fn prepare(&self, state: &mut Vec<u64>, n_words: usize) {
        if state.len() < n_words {
            // Zeros from the system cost nothing until they are touched.
            let mut longer = vec![0; n_words];
            longer[..state.len()].copy_from_slice(state);
            *state = longer;
        }
        for (place, value) in &self.constants {
            state[place.at()] = *value;
        }
    }
}
