//! What saturation and extraction made of data paths, kept for when the same one comes again.
//!
//! A search over loop transformations schedules a kernel many times, and most of its blocks are the same each time.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use egg::{EGraph, Id};
use sluice_ir::algebra::KnownBitsWord;

use crate::chosen::{Chosen, Kept};
use crate::facts::DataPath;
use crate::language::Node;

/// Nodes that are kept in all; what comes later is worked out every time.
const MOST_NODES: usize = 400_000;

/// Results of [`rewrite`](crate::rewrite) under one cost model, shared by threads. It changes no result, only the time.
#[derive(Default)]
pub struct Cache {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// By hash.
    saturated: BTreeMap<u64, Vec<(DataPathKey, Arc<Saturated>)>>,
    n_nodes: usize,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").finish_non_exhaustive()
    }
}

/// All that saturation depends on: nodes in the order in which they go into the e-graph, whose children are positions in that order, what is
/// known of the leaves, and limits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct DataPathKey {
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<KnownBitsWord>,
    pub(crate) iteration_limit: usize,
    pub(crate) node_limit: usize,
    pub(crate) match_limit: usize,
}

/// What an extraction depends on beside the e-graph: when recurrent leaves are there, what is kept, and the weights.
type Weights = (Vec<u64>, Kept, [u64; 2]);

/// A saturated e-graph with what was extracted from it.
pub(crate) struct Saturated {
    pub(crate) egraph: EGraph<Node, DataPath>,
    /// The class that each node of the key had before saturation.
    pub(crate) classes: Vec<Id>,
    /// True if saturation stopped early.
    pub(crate) limited: bool,
    chosen: Mutex<Vec<(Weights, Arc<Chosen>)>>,
}

impl Saturated {
    pub(crate) fn new(egraph: EGraph<Node, DataPath>, classes: Vec<Id>, limited: bool) -> Self {
        Self {
            egraph,
            classes,
            limited,
            chosen: Mutex::default(),
        }
    }

    /// Returns the choice for the heads of leaves, what is kept and weights, made by `extract` the first time.
    pub(crate) fn chosen(
        &self,
        heads: &[f64],
        kept: &Kept,
        weights: [f64; 2],
        extract: impl FnOnce() -> Chosen,
    ) -> Arc<Chosen> {
        let heads = heads.iter().map(|head| head.to_bits()).collect();
        let key = (heads, kept.clone(), weights.map(f64::to_bits));
        let lock = || self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, chosen)) = lock().iter().find(|(known, _)| *known == key) {
            return Arc::clone(chosen);
        }
        let chosen = Arc::new(extract());
        lock().push((key, Arc::clone(&chosen)));
        chosen
    }
}

impl Cache {
    /// Returns the e-graph of a data path, saturated by `saturate` the first time.
    pub(crate) fn saturated(
        &self,
        key: DataPathKey,
        saturate: impl FnOnce(&DataPathKey) -> Saturated,
    ) -> Arc<Saturated> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        let alike = lock().saturated.get(&hash).and_then(|alike| {
            let (_, saturated) = alike.iter().find(|(known, _)| *known == key)?;
            Some(Arc::clone(saturated))
        });
        if let Some(saturated) = alike {
            return saturated;
        }
        let saturated = Arc::new(saturate(&key));
        let mut known = lock();
        let n_nodes = known.n_nodes + saturated.egraph.total_number_of_nodes();
        if n_nodes <= MOST_NODES {
            known.n_nodes = n_nodes;
            let alike = known.saturated.entry(hash).or_default();
            alike.push((key, Arc::clone(&saturated)));
        }
        saturated
    }
}
