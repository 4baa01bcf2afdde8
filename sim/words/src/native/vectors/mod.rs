//! A cycle as machine code in the vectors of AVX-512: of eight machines at once, a bit of each in a general register, 32 bits in half a
//! vector, a word in a whole one; of sixteen, 32 bits in a whole one, where that is enough of all words; or of one machine, a word in each of 32 registers, rows of eight words in one. Of eight machines in
//! those of AVX2 too: 32 bits in a whole vector, a word in two (`halves`).
//!
//! Not made by Cranelift, whose vectors have 128 bits. What is a choice between machines is a mask here, and steps under a condition are
//! left out where no machine needs them.

mod code;
mod cost;
mod encoder;
mod halves;
mod layout;
mod lower;
mod registers;
mod residents;
mod shifts;
mod ternary;

pub(crate) use layout::{Lanes, Layout, Place};
pub(in crate::native) use registers::{Calls, Function};

use crate::plan::{Parts, Step, plan_rows};
use crate::program::Program;
use crate::rows::{Row, rows};

/// What processors of x86-64 have vectors by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    Avx512,
    Avx2,
}

impl InstructionSet {
    /// Whether this machine has what the code needs.
    pub(crate) fn is_there(self) -> bool {
        #[cfg(all(target_arch = "x86_64", unix))]
        {
            std::arch::is_x86_feature_detected!("bmi1")
                && match self {
                    Self::Avx512 => {
                        std::arch::is_x86_feature_detected!("avx512f")
                            && std::arch::is_x86_feature_detected!("avx512bw")
                            && std::arch::is_x86_feature_detected!("avx512dq")
                            && std::arch::is_x86_feature_detected!("avx512vl")
                    }
                    Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
                }
        }
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            false
        }
    }
}

/// What is done in a cycle.
pub(crate) struct Cycle {
    set: InstructionSet,
    pub(crate) layout: Layout,
    code: code::Code,
    residents: residents::Residents,
}

impl Cycle {
    /// Steps of the machines whose state has a layout; rows are of one machine, as is no state that AVX2 works on.
    pub(crate) fn new(
        set: InstructionSet,
        program: &Program,
        steps: &[Step],
        rows: &[Row],
        layout: Layout,
    ) -> Self {
        let mut code = lower::lower(set, program, steps, rows, &layout);
        if set == InstructionSet::Avx2 {
            code = halves::halves(&code);
        }
        Self {
            set,
            residents: residents::residents(&code, layout.lanes),
            code,
            layout,
        }
    }

    /// Some parts of a cycle of one machine.
    pub(crate) fn of_one(program: &mut Program, parts: Parts) -> Self {
        let rows = rows(program);
        let steps = plan_rows(program, parts, &rows);
        let layout = Layout::of_one(program);
        Self::new(InstructionSet::Avx512, program, &steps, &rows, layout)
    }

    /// Whether it is expected to take less than its steps, with their rows, in general registers.
    pub(crate) fn pays(&self, program: &Program, steps: &[Step], rows: &[Row]) -> bool {
        cost::in_vectors(&self.code, &self.residents) < cost::in_words(program, steps, rows)
    }

    /// Whether no word of it has more than 32 bits that are read.
    pub(crate) fn is_narrow(&self) -> bool {
        let results = self.code.instructions.iter().flat_map(|i| i.results());
        results
            .map(|value| self.code.kind(*value))
            .all(|kind| matches!(kind, code::Kind::Bits | code::Kind::Narrow))
    }

    /// Values of it: each has a place in memory at most.
    pub(super) fn n_values(&self) -> usize {
        self.code.kinds.len()
    }

    /// A function that does it so many times: takes the state and the number in `rdi` and `rsi`, gives the number of those that were done.
    pub(super) fn function(&self, stop: Option<u32>, calls: &Calls) -> Function {
        let stop_at = stop.map(|slot| self.layout.slot(slot).at);
        registers::function(
            self.set,
            &self.code,
            &self.residents,
            &self.layout,
            calls,
            stop_at,
        )
    }
}
