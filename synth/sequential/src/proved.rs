//! Memoisation of the proved classes of circuits, because proofs take most of the time.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use sluice_ir::watch::Watch;

use crate::Evidence;
use crate::classes::Classes;
use crate::logic::{Logic, Node, Register};

/// The most circuits that are kept: a circuit is usually needed again soon or never.
const MAX_KEPT: usize = 8;

/// The classes of equal nets of circuits analysed so far; threads share them. They change only the time, never a result.
#[derive(Default)]
pub struct Proved {
    /// The oldest one first.
    kept: Mutex<Vec<Found>>,
}

struct Found {
    circuit: Circuit,
    classes: Classes,
    share: f64,
}

/// Everything on which the classes depend.
#[derive(PartialEq)]
struct Circuit {
    nodes: Vec<Node>,
    registers: Vec<Register>,
    is_named: Vec<bool>,
    evidence: Evidence,
}

impl fmt::Debug for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proved").finish_non_exhaustive()
    }
}

impl Proved {
    /// Returns the result of `find`, which must depend only on the graph, the named nodes and the evidence.
    pub(crate) fn classes(
        &self,
        logic: &Logic,
        evidence: Evidence,
        watch: &Watch,
        find: impl FnOnce() -> (Classes, f64),
    ) -> (Classes, f64) {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let circuit = Circuit {
            nodes: logic.nodes.clone(),
            registers: logic.registers.clone(),
            is_named: logic.named(),
            evidence,
        };
        let known = |found: &&Found| found.circuit == circuit;
        if let Some(found) = lock().iter().find(known) {
            return (found.classes.clone(), found.share);
        }
        let (classes, share) = find();
        if watch.is_up() {
            // After the time limit the result may be incomplete, so it is not kept.
            return (classes, share);
        }
        let mut kept = lock();
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        kept.push(Found {
            circuit,
            classes: classes.clone(),
            share,
        });
        (classes, share)
    }
}
