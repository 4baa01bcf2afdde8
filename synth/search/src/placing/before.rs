//! Results that a later search reuses: graphs with buffers and the cycles of their runs, which do not depend on the evidence for
//! equal nets.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_elastic::Placing;
use sluice_ir::Module;

/// A graph with buffers, and its text.
#[derive(Clone)]
pub(super) struct Placed {
    pub(super) graph: Arc<Module>,
    pub(super) text: Arc<str>,
}

/// The result of running all data through a graph.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// Number of channels of the graph.
    pub(super) n_channels: u64,
    /// Cycles after which the run was stopped.
    pub(super) most_cycles: u64,
    /// `None` if the run did not finish in time, or failed.
    pub(super) cycles: Option<u64>,
}

impl Counted {
    /// Returns the cycles if they are at most `most_cycles`, `Some(None)` if they are more, and `None` if that is not known.
    pub(super) fn within(&self, most_cycles: u64) -> Option<Option<u64>> {
        match self.cycles {
            Some(cycles) => Some(Some(cycles).filter(|cycles| *cycles <= most_cycles)),
            None => (most_cycles <= self.most_cycles).then_some(None),
        }
    }
}

/// Results of the searches so far.
#[derive(Default)]
pub(super) struct Before {
    placed: Vec<(Placing, Placed)>,
    runs: BTreeMap<Arc<str>, Counted>,
    /// Path shares, each with the tightest share that slows no loop down.
    pub(super) tight: Vec<(f64, f64)>,
}

impl Before {
    pub(super) fn placed(&self, placing: Placing) -> Option<&Placed> {
        let mut known = self.placed.iter().filter(|(known, _)| *known == placing);
        known.next().map(|(_, placed)| placed)
    }

    pub(super) fn add_placed(&mut self, placing: Placing, placed: &Placed) {
        if self.placed(placing).is_none() {
            self.placed.push((placing, placed.clone()));
        }
    }

    pub(super) fn run(&self, text: &str) -> Option<Counted> {
        self.runs.get(text).copied()
    }

    pub(super) fn add_run(&mut self, text: &Arc<str>, run: Counted) {
        self.runs.insert(Arc::clone(text), run);
    }
}

#[cfg(test)]
mod tests {
    use super::Counted;

    #[test]
    fn what_was_given_up_is_not_known_for_longer() {
        let counted = |cycles| Counted {
            n_channels: 1,
            most_cycles: 10,
            cycles,
        };
        assert_eq!(counted(Some(7)).within(7), Some(Some(7)));
        assert_eq!(counted(Some(7)).within(6), Some(None));
        assert_eq!(counted(Some(7)).within(20), Some(Some(7)));
        assert_eq!(counted(None).within(10), Some(None));
        assert_eq!(counted(None).within(11), None);
    }
}
