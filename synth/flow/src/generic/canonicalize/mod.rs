//! `canonicalize`: folds and patterns until nothing changes, constants at the start, what is dead or never reached gone.
//!
//! Source: MLIR's greedy driver, whose order of constants and blocks this keeps.

mod affine;
mod arith;
mod blocks;
mod branches;
mod calls;
mod conditionals;
mod constants;
mod loops;
mod maps;
mod memory;
mod selections;
mod tools;

use sluice_ir::patterns::{Pattern, apply};
use sluice_ir::{Body, Context};

/// Rounds after which whatever is left stays.
const MAX_ROUNDS: usize = 10;

/// Simplifies a body, but not the isolated bodies in it.
pub(crate) fn canonicalize(context: &Context, body: &mut Body) {
    let patterns: Vec<&Pattern> = [
        affine::PATTERNS,
        arith::PATTERNS,
        branches::PATTERNS,
        calls::PATTERNS,
        conditionals::PATTERNS,
        loops::PATTERNS,
        memory::PATTERNS,
        selections::PATTERNS,
        sluice_transform::STRUCTURED_PATTERNS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect();
    for _ in 0..MAX_ROUNDS {
        constants::gather(context, body);
        let outcome = apply(context, body, &patterns);
        if !blocks::simplify(context, body) && !outcome.changed {
            break;
        }
    }
}
