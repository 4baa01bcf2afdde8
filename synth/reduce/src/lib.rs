//! Test-case reduction: makes a module smaller while a property of it still holds, by delta debugging over edits of the IR.
//!
//! Absent on purpose: the property. The caller compiles the candidates and decides which of them still have it.
//!
//! Source: A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002. Differs: the elements are
//! edits, which are applied together in chunks; an accepted edit is never undone.

mod edits;
mod search;
mod size;

use sluice_ir::{Context, Module};

use search::Search;

/// The verdict of the caller on a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The property still holds.
    Holds,
    /// The property is lost.
    Lost,
    /// Stop the search.
    Stop,
}

/// A change of the whole module, such as a pass, that is tried as one edit.
pub struct Step<'s> {
    /// Changes the module.
    pub run: &'s dyn Fn(&Context, &mut Module),
}

/// Returns the smallest module found. `ask` judges each candidate, which is valid and smaller than all accepted ones before.
///
/// Deterministic: edits are tried in the order of their families, the largest chunks first, and within a family in program order.
/// The search ends when no single edit gives a smaller module with the property.
///
/// Complexity: one candidate for each edit in each iteration over the families; fewer where whole chunks are accepted.
pub fn reduce(
    context: &Context,
    module: &Module,
    steps: &[Step<'_>],
    ask: &mut dyn FnMut(&Module) -> Answer,
) -> Module {
    let mut search = Search::new(context, module.clone(), ask);
    loop {
        let mut changed = false;
        for step in steps {
            changed |= search.step(step);
        }
        for find in edits::FAMILIES {
            changed |= search.family(*find);
        }
        if !changed || search.is_over() {
            return search.finish();
        }
    }
}
