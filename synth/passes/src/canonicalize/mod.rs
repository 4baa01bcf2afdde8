//! The `canonicalize` pass: applies folds and patterns until a fixpoint, hoists constants, removes dead and unreachable code.
//!
//! Source: MLIR's greedy driver. The order of constants and blocks is the same.

pub(crate) mod affine;
mod arith;
mod blocks;
mod branches;
mod calls;
mod conditionals;
mod constants;
mod loops;
pub(crate) mod maps;
mod memory;
mod selections;
mod tools;

use sluice_ir::definition::Dialect;
use sluice_ir::patterns::{Pattern, apply};
use sluice_ir::{Body, Context, Diagnostics, Location};

use crate::pipeline::Options;

/// Default maximum number of iterations.
const MAX_ITERATIONS: i64 = 10;

/// Simplifies a body, without the isolated bodies in it.
pub fn pass(context: &Context, body: &mut Body, options: &Options, found: &mut Diagnostics) {
    let max_iterations = options.number("max-iterations").unwrap_or(MAX_ITERATIONS);
    let blocks_too = !options.is("region-simplify", "disabled");
    let converged = canonicalize(context, body, max_iterations, blocks_too);
    if !converged && options.flag("test-convergence") {
        let message =
            format!("`canonicalize` did not reach a fixpoint in {max_iterations} iterations");
        found.error(place(body), message);
    }
}

/// Returns the location of the first operation of a body.
fn place(body: &Body) -> Location {
    let first = body.walk_all().into_iter().next();
    first.map_or(Location::UNKNOWN, |op| body.location(op))
}

/// Simplifies for at most `max_iterations` iterations, or until a fixpoint if `max_iterations` is negative. Returns true if a
/// fixpoint was reached.
fn canonicalize(context: &Context, body: &mut Body, max_iterations: i64, blocks_too: bool) -> bool {
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
    .chain(declared(context))
    .collect();
    iterate(context, body, &patterns, max_iterations, blocks_too)
}

/// Returns the patterns that dialects declare.
fn declared(context: &Context) -> impl Iterator<Item = &'static Pattern> {
    context.dialects().flat_map(Dialect::patterns)
}

/// Folds constants, applies patterns, and erases dead operations and blocks, as passes of upstream do that end in its driver.
pub(crate) fn drive(context: &Context, body: &mut Body, patterns: &[&Pattern]) {
    iterate(context, body, patterns, MAX_ITERATIONS, true);
}

fn iterate(
    context: &Context,
    body: &mut Body,
    patterns: &[&Pattern],
    max_iterations: i64,
    blocks_too: bool,
) -> bool {
    let mut done = 0;
    while max_iterations < 0 || done < max_iterations {
        done += 1;
        constants::gather(context, body);
        let outcome = apply(context, body, patterns);
        let blocks_changed = blocks_too && blocks::simplify(context, body);
        if !outcome.converged && max_iterations < 0 {
            return false;
        }
        if !blocks_changed && !outcome.changed {
            return true;
        }
    }
    // As upstream: with a limit of zero iterations, the result counts as converged.
    max_iterations == 0
}
