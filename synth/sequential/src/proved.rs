//! What was found out of circuits, kept for when the same circuit comes again: proofs take most of the time.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use sluice_ir::watch::Watch;

use crate::Evidence;
use crate::classes::Classes;
use crate::logic::{Logic, Node, Register};

/// Circuits that are kept at most: one comes again soon or never.
const MOST_KEPT: usize = 8;

/// Classes of equal nets of circuits that were looked at, shared by threads. It changes no result, only the time.
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

/// All that classes depend on.
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
    /// What `find` says of a circuit, which depends on nothing but its graph, the nodes that are named and the evidence.
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
            // Perhaps not all was found.
            return (classes, share);
        }
        let mut kept = lock();
        if kept.len() == MOST_KEPT {
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
