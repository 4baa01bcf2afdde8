//! The steps of a cycle as machine code for eight machines at once, in the vectors of AVX-512: a bit of each in a general register, 32 bits
//! in half a vector, a word in a whole one.
//!
//! Not made by Cranelift, whose vectors have 128 bits. What is a choice between machines is a mask here, and steps under a condition are
//! left out where no machine needs them.

mod code;
mod encoder;
mod layout;
mod lower;
mod registers;
mod ternary;

pub(crate) use layout::{Layout, N_LANES, Place};
pub(in crate::native) use registers::{Calls, Function};

use crate::plan::Step;
use crate::program::Program;

/// Whether this machine has what the code needs.
pub(crate) fn are_there() -> bool {
    #[cfg(all(target_arch = "x86_64", unix))]
    {
        std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("bmi1")
    }
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    {
        false
    }
}

/// A function that does the steps of a cycle so many times: takes the state and the number in `rdi` and `rsi`.
pub(super) fn function(
    program: &Program,
    steps: &[Step],
    layout: &Layout,
    calls: &Calls,
) -> Function {
    let code = lower::lower(program, steps, layout);
    registers::function(&code, calls, layout.end)
}
