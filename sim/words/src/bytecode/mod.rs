//! The bytecode interpreter: instructions on one array of words, which holds the state and after it the temporaries.
//!
//! A word that is read from a slot before any store to that slot needs no instruction: its uses read the slot. A store of a word
//! that is computed directly in its slot needs none either. In small programs, operands are numbers of 16 bits. Then they need no
//! bounds checks.

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

/// A write to an array: its number, the place of the index, the places of the limbs.
#[derive(Clone, Debug)]
struct WriteOp {
    array: usize,
    index: usize,
    limbs: Vec<usize>,
}

/// A call, with the places of its operands and results.
#[derive(Clone, Debug)]
struct CallOp {
    call: Call,
    operands: Vec<usize>,
    /// Places of the results, by number; `None` for a result that is not used.
    results: Vec<Option<usize>>,
}

/// The position of an array in the state.
#[derive(Clone, Debug)]
struct Array {
    start: usize,
    depth: u64,
    n_limbs: usize,
    /// The mask of each limb when it is written.
    masks: Vec<u64>,
}

/// Instructions with a given type of places, and the tables that they refer to.
#[derive(Clone, Debug)]
struct Code<P> {
    ops: Vec<Op<P>>,
    writes: Vec<WriteOp>,
    calls: Vec<CallOp>,
    /// Places of constants.
    constants: Vec<(P, u64)>,
    /// Words of the state, temporaries included.
    n_words: usize,
}

#[derive(Clone, Debug)]
enum Form {
    Narrow(Code<u16>),
    Wide(Code<u32>),
}

/// The bytecode of the steps of a cycle.
#[derive(Clone, Debug)]
pub(crate) struct Bytecode {
    form: Form,
    arrays: Vec<Array>,
}

impl Bytecode {
    /// Translates steps; temporary words begin at `base` in the state.
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
        // An upper bound of all numbers that instructions contain.
        let n_limbs: usize = arrays.iter().map(|array| array.n_limbs).sum();
        let most = base + program.graph.len() + steps.len() + arrays.len() + n_limbs;
        let form = match most < u16::N {
            true => Form::Narrow(Maker::code(program, steps, base)),
            false => Form::Wide(Maker::code(program, steps, base)),
        };
        Self { form, arrays }
    }

    /// Returns the number of words of the state, temporaries included.
    pub(crate) fn n_words(&self) -> usize {
        match &self.form {
            Form::Narrow(code) => code.n_words,
            Form::Wide(code) => code.n_words,
        }
    }

    /// Extends the state by the temporaries, and sets the constants.
    pub(crate) fn prepare(&self, state: &mut Vec<u64>) {
        match &self.form {
            Form::Narrow(code) => code.prepare(state, u16::N),
            Form::Wide(code) => code.prepare(state, code.n_words),
        }
    }

    /// Runs cycles, but stops after the first one that leaves the slot `stop` other than 0; returns the number of cycles run.
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
            // Zeroed memory from the system costs nothing until it is used.
            let mut longer = vec![0; n_words];
            longer[..state.len()].copy_from_slice(state);
            *state = longer;
        }
        for (place, value) in &self.constants {
            state[place.at()] = *value;
        }
    }
}
