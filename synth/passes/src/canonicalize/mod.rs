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
use sluice_ir::{Body, Context, Diagnostics, Location};

use crate::pipeline::Options;

/// Rounds after which whatever is left stays.
const MAX_ROUNDS: i64 = 10;

/// Simplifies a body, but not the isolated bodies in it.
pub fn pass(context: &Context, body: &mut Body, options: &Options, found: &mut Diagnostics) {
    let rounds = options.number("max-iterations").unwrap_or(MAX_ROUNDS);
    let blocks_too = !options.is("region-simplify", "disabled");
    let converged = canonicalize(context, body, rounds, blocks_too);
    if !converged && options.flag("test-convergence") {
        let message = format!("`canonicalize` did not come to its end in {rounds} iterations");
        found.error(place(body), message);
    }
}

/// Where the first operation of a body is.
fn place(body: &Body) -> Location {
    let first = body.walk_all().into_iter().next();
    first.map_or(Location::UNKNOWN, |op| body.location(op))
}

/// Simplifies in at most so many rounds, or until nothing changes where the number is negative; says whether nothing changes any more.
fn canonicalize(context: &Context, body: &mut Body, rounds: i64, blocks_too: bool) -> bool {
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
    let mut done = 0;
    while rounds < 0 || done < rounds {
        done += 1;
        constants::gather(context, body);
        let outcome = apply(context, body, &patterns);
        let blocks_changed = blocks_too && blocks::simplify(context, body);
        if !outcome.converged && rounds < 0 {
            return false;
        }
        if !blocks_changed && !outcome.changed {
            return true;
        }
    }
    // As upstream: where nothing may be done, nothing is missing.
    rounds == 0
}
