//! Memoises the results of saturation and extraction for data paths.
//!
//! The search over loop transformations compiles a kernel many times, and most of its blocks are the same each time.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use egg::{EGraph, Id};
use sluice_ir::algebra::KnownBitsWord;

use crate::chosen::{Chosen, Kept};
use crate::facts::DataPath;
use crate::language::Node;

/// Limit of the stored nodes; data paths beyond it are saturated every time.
const MAX_NODES: usize = 400_000;

/// Cache of [`rewrite`](crate::rewrite) results under one cost model, shared by threads. It changes no result, only the time.
#[derive(Default)]
pub struct Cache {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Entries by the hash of their key.
    saturated: BTreeMap<u64, Vec<(DataPathKey, Arc<Saturated>)>>,
    n_nodes: usize,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").finish_non_exhaustive()
    }
}

/// Complete input of saturation: the nodes in the order of insertion, whose children are positions in that order, the known bits
/// of the leaves, and the limits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct DataPathKey {
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<KnownBitsWord>,
    pub(crate) iteration_limit: usize,
    pub(crate) node_limit: usize,
    pub(crate) match_limit: usize,
}

/// Input of an extraction besides the e-graph: the arrival times of recurrent leaves, the restrictions, and the weights.
type Weights = (Vec<u64>, Kept, [u64; 2]);

/// A saturated e-graph with its extractions.
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

    /// Returns the choice for the arrival times of leaves, the restrictions and the weights; computed by `extract` the first
    /// time.
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
    /// Returns the saturated e-graph of a data path; computed by `saturate` the first time.
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
        if n_nodes <= MAX_NODES {
            known.n_nodes = n_nodes;
            let alike = known.saturated.entry(hash).or_default();
            alike.push((key, Arc::clone(&saturated)));
        }
        saturated
    }
}
