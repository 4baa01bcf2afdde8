//! Makes a module smaller while something keeps holding of it: delta debugging over edits of the IR.
//!
//! Absent on purpose: what holds. Whoever asks for a smaller module compiles the candidates and says which are of interest.
//!
//! Source: A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002. Differs: what is deleted are edits,
//! applied together in chunks; an edit that was accepted is not taken back.

mod edits;
mod search;
mod size;

use sluice_ir::{Context, Module};

use search::Search;

/// What is said of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It still holds.
    Holds,
    /// It does not hold any more.
    Lost,
    /// No more candidates are wanted.
    Stop,
}

/// A change of a whole module that is tried as one edit, such as a pass.
pub struct Step<'s> {
    /// Changes the module.
    pub run: &'s dyn Fn(&Context, &mut Module),
}

/// The smallest module found; `ask` judges each candidate, which is valid and smaller than all that held before.
///
/// Deterministic: edits are tried in the order of their families, the largest chunks first, and within a family in the order of the
/// text. Ends when no single edit makes a smaller module that holds.
///
/// Complexity: a candidate per edit and round, fewer where chunks hold.
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
