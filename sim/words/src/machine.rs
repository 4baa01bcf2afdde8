//! A machine: a program and its state, run one cycle or many cycles at a time.

#[cfg(feature = "native")]
mod contest;

use std::time::Duration;

use crate::bytecode::Bytecode;
use crate::demand::without_masks;
use crate::graph::mask;
#[cfg(feature = "native")]
use crate::native::Native;
use crate::plan::{Parts, plan};
use crate::program::Program;

/// The way in which cycles are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// A bytecode interpreter, which starts at once.
    Bytecode,
    /// Machine code: it takes some milliseconds to compile and runs many times faster. A cost estimate chooses between general
    /// registers and vectors. In long runs of a machine with a clock, a measurement chooses.
    Native,
    /// Machine code in general registers.
    Words,
    /// Machine code in AVX-512 vectors, if this computer has them.
    Vectors,
    /// Bytecode for the first few thousand cycles, then machine code.
    #[default]
    Auto,
}

impl Backend {
    /// Returns the forms of machine code that this computer supports.
    pub fn machine_code() -> impl Iterator<Item = Self> {
        #[cfg(feature = "native")]
        let has_vectors = crate::native::vectors::InstructionSet::Avx512.is_there();
        #[cfg(not(feature = "native"))]
        let has_vectors = false;
        let has_words = cfg!(feature = "native");
        let all = [(Self::Words, has_words), (Self::Vectors, has_vectors)];
        all.into_iter()
            .filter_map(|(form, is_there)| is_there.then_some(form))
    }
}

/// Returns the time since a fixed moment.
pub type Clock = fn() -> Duration;

/// The number of cycles of bytecode that take about as long as compiling machine code. Compiling takes about 10 µs for an
/// operator; bytecode takes a few ns.
const CYCLES_BEFORE_NATIVE: u64 = 4000;

/// The code of some parts of a cycle.
enum Code {
    Bytecode(Bytecode),
    #[cfg(feature = "native")]
    Native(Box<Native>),
}

impl Code {
    fn run(&mut self, state: &mut [u64], n_cycles: u64, stop: Option<u32>) -> u64 {
        match self {
            Self::Bytecode(bytecode) => bytecode.run(state, n_cycles, stop),
            #[cfg(feature = "native")]
            Self::Native(native) => native.run(state, n_cycles),
        }
    }
}

/// The requested parts of a cycle: the key of compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    parts: Parts,
    /// Whether observed values are computed with the outputs.
    observed: bool,
    stop: Option<u32>,
}

/// Code for a request and for values of the switches.
struct Made {
    request: Request,
    /// `None` if the code is valid for all values.
    switches: Option<Vec<u64>>,
    code: Code,
    /// The time it took to compile.
    #[cfg(feature = "native")]
    making: Duration,
    /// Whether the other form of machine code has been tried.
    #[cfg(feature = "native")]
    is_settled: bool,
}

/// The most combinations of switch values for which specialised code is generated.
const MAX_SETTINGS: usize = 4;

/// A program with its state.
pub struct Machine {
    program: Program,
    backend: Backend,
    /// The clock for measuring forms of machine code.
    #[cfg_attr(
        not(feature = "native"),
        expect(dead_code, reason = "forms of machine code are measured")
    )]
    clock: Option<Clock>,
    /// Slots, limbs of arrays, and temporaries of code.
    state: Vec<u64>,
    made: Vec<Made>,
    /// The position of each array in the state, and the end of the last one.
    starts: Vec<usize>,
    end: usize,
    /// The number of words of the state that are in use.
    n_words: usize,
    /// Cycles run so far.
    n_cycles: u64,
    /// The reason why there is no machine code.
    why_not: Option<String>,
}

const OUTPUTS: Request = Request {
    parts: Parts {
        outputs: true,
        updates: false,
    },
    observed: false,
    stop: None,
};
const EVERYTHING: Request = Request {
    observed: true,
    ..OUTPUTS
};
const UPDATES: Request = Request {
    parts: Parts {
        outputs: false,
        updates: true,
    },
    observed: false,
    stop: None,
};
const BOTH: Request = Request {
    parts: Parts {
        outputs: true,
        updates: true,
    },
    observed: false,
    stop: None,
};

impl Machine {
    /// Creates a machine in its initial state. Code is generated when it is first needed.
    ///
    /// # Panics
    /// If an index in the program is out of range, or if a word is declared with fewer bits than the slot that it reads.
    pub fn new(program: Program, backend: Backend) -> Self {
        program.check();
        let state = program.state();
        let (starts, end) = program.layout();
        Self {
            starts,
            end,
            n_words: state.len(),
            state,
            program,
            backend,
            clock: None,
            made: Vec::new(),
            n_cycles: 0,
            why_not: None,
        }
    }

    /// Sets a clock, with which long runs measure which form of machine code is faster.
    pub fn with_clock(self, clock: Option<Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Returns why the machine is interpreted although machine code was requested.
    pub fn why_not_native(&self) -> Option<&str> {
        self.why_not.as_deref()
    }

    /// Returns the word in a slot.
    pub fn slot(&self, slot: u32) -> u64 {
        self.state[slot as usize]
    }

    /// Sets a slot to the low bits of a word, as many as the slot has.
    pub fn set_slot(&mut self, slot: u32, value: u64) {
        self.state[slot as usize] = value & mask(self.program.slot_bits[slot as usize]);
    }

    /// Returns the limbs of an array.
    pub fn array(&self, array: u32) -> &[u64] {
        let range = self.range(array);
        &self.state[range]
    }

    /// Fills an array with limbs, from the first one on; each is truncated to the width of its limb.
    pub fn set_array(&mut self, array: u32, limbs: impl IntoIterator<Item = u64>) {
        let range = self.range(array);
        let of = &self.program.arrays[array as usize];
        let numbers = (0..of.n_limbs()).cycle();
        for ((cell, value), limb) in self.state[range].iter_mut().zip(limbs).zip(numbers) {
            *cell = value & mask(of.limb_bits(limb));
        }
    }

    fn range(&self, array: u32) -> std::ops::Range<usize> {
        let start = self.starts[array as usize];
        let of = &self.program.arrays[array as usize];
        start..start + of.depth as usize * of.n_limbs() as usize
    }

    /// Computes the outputs.
    pub fn show(&mut self) {
        self.run_request(OUTPUTS, 1);
    }

    /// Computes the outputs and the observed values.
    pub fn observe(&mut self) {
        self.run_request(EVERYTHING, 1);
    }

    /// Returns the words in a range of slots.
    #[inline]
    pub fn slots(&self, slots: std::ops::Range<u32>) -> &[u64] {
        &self.state[slots.start as usize..slots.end as usize]
    }

    /// Returns the state on which the next cycles depend: slots, then limbs of arrays.
    pub fn state(&self) -> &[u64] {
        &self.state[..self.end]
    }

    /// Restores a state.
    ///
    /// # Panics
    /// If it is the state of another program.
    pub fn set_state(&mut self, state: &[u64]) {
        self.state[..self.end].copy_from_slice(state);
    }

    /// Runs cycles without outputs.
    pub fn run(&mut self, n_cycles: u64) {
        self.run_request(UPDATES, n_cycles);
    }

    /// Runs one cycle, with the outputs before its end.
    pub fn cycle(&mut self) {
        self.run_request(BOTH, 1);
    }

    /// Runs until an output is other than 0, that cycle included, but at most `n_cycles` cycles; returns the number of cycles
    /// run.
    pub fn run_until(&mut self, output: u32, n_cycles: u64) -> u64 {
        let request = Request {
            stop: Some(output),
            ..BOTH
        };
        self.run_request(request, n_cycles)
    }

    fn run_request(&mut self, request: Request, n_cycles: u64) -> u64 {
        if self.backend != Backend::Auto {
            return self.run_code(request, n_cycles);
        }
        let slowly = n_cycles.min(CYCLES_BEFORE_NATIVE - self.n_cycles);
        let done = self.run_code(request, slowly);
        self.n_cycles += done;
        if self.n_cycles >= CYCLES_BEFORE_NATIVE {
            self.backend = Backend::Native;
            self.made.clear();
        }
        let is_over = done < slowly
            || done == n_cycles
            || request.stop.is_some_and(|slot| self.slot(slot) != 0);
        if is_over {
            return done;
        }
        done + self.run_code(request, n_cycles - done)
    }

    fn run_code(&mut self, request: Request, n_cycles: u64) -> u64 {
        let held = self.program.switches.iter();
        let held: Vec<u64> = held.map(|slot| self.slot(*slot)).collect();
        let fits = |made: &Made| {
            made.request == request && made.switches.as_ref().is_none_or(|values| *values == held)
        };
        let at = match self.made.iter().position(fits) {
            Some(at) => at,
            None => {
                let n_settings = self
                    .made
                    .iter()
                    .filter(|made| made.request == request)
                    .count();
                let switches = (n_settings < MAX_SETTINGS).then_some(held);
                #[cfg(feature = "native")]
                let begin = self.now();
                let code = self.make(request, switches.as_deref());
                self.made.push(Made {
                    request,
                    switches,
                    code,
                    #[cfg(feature = "native")]
                    making: self.now().saturating_sub(begin),
                    #[cfg(feature = "native")]
                    is_settled: false,
                });
                self.made.len() - 1
            }
        };
        #[cfg(feature = "native")]
        return self.run_native(at, n_cycles);
        #[cfg(not(feature = "native"))]
        self.made[at]
            .code
            .run(&mut self.state, n_cycles, request.stop)
    }

    /// Returns the program to compile for a request and for values of the switches.
    fn prepared(&self, request: Request, switches: Option<&[u64]>) -> Program {
        let slots = self.program.switches.iter().copied();
        let known = slots.zip(switches.into_iter().flatten().copied()).collect();
        let mut program = self.program.clone();
        let observed = std::mem::take(&mut program.observed);
        if request.observed {
            program.outputs.extend(observed);
        }
        without_masks(&mut program, &known);
        program
    }

    #[cfg(feature = "native")]
    fn now(&self) -> Duration {
        self.clock.map_or(Duration::ZERO, |clock| clock())
    }

    /// Extends the state to the length that the code needs.
    #[cfg(feature = "native")]
    fn make_room(&mut self, n_words: usize) {
        let length = self.state.len().max(n_words);
        self.state.resize(length, 0);
        self.n_words = self.n_words.max(n_words);
    }

    fn make(&mut self, request: Request, switches: Option<&[u64]>) -> Code {
        #[cfg_attr(
            not(feature = "native"),
            expect(unused_mut, reason = "machine code changes it")
        )]
        let mut program = self.prepared(request, switches);
        #[cfg(feature = "native")]
        if !matches!(self.backend, Backend::Bytecode | Backend::Auto) {
            match native(&mut program, self.backend, request) {
                Ok(native) => {
                    self.make_room(native.n_words());
                    return Code::Native(Box::new(native));
                }
                Err(why) => {
                    self.why_not = Some(why);
                    self.backend = Backend::Bytecode;
                }
            }
        }
        #[cfg(not(feature = "native"))]
        if !matches!(self.backend, Backend::Bytecode | Backend::Auto) {
            self.why_not = Some("this build has no machine code".to_owned());
        }
        let steps = plan(&program, request.parts);
        let bytecode = Bytecode::new(&program, &steps, self.n_words);
        bytecode.prepare(&mut self.state);
        self.n_words = bytecode.n_words();
        Code::Bytecode(bytecode)
    }
}

/// Compiles machine code for a request.
#[cfg(feature = "native")]
fn native(program: &mut Program, backend: Backend, request: Request) -> Result<Native, String> {
    match backend {
        Backend::Words => Native::in_words(program, request.parts, request.stop),
        Backend::Vectors => Native::of_one_in_vectors(program, request.parts, request.stop),
        Backend::Bytecode | Backend::Native | Backend::Auto => {
            Native::of_one(program, request.parts, request.stop)
        }
    }
}
