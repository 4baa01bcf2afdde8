//! The result of a first search for buffers of an elastic circuit, from which a longer search starts.

use std::fmt;
use std::sync::Arc;

use sluice_elastic::Placing;
use sluice_sequential::Proved;

/// The result of a first search for buffers of an elastic circuit.
#[derive(Clone)]
pub struct CoarsePlacing {
    /// The best placing.
    pub placing: Placing,
    /// If that placing meets the clock: one that misses it but takes fewer cycles.
    pub near: Option<Placing>,
    /// True if all nets that no simulation separates are proved to be equal.
    pub has_proved_nets: bool,
    /// Proofs of equal nets since then. They are a cache, and not part of the configuration.
    pub proved: Arc<Proved>,
}

impl CoarsePlacing {
    /// Returns the fields that are part of the configuration.
    fn said(&self) -> (Placing, Option<Placing>, bool) {
        (self.placing, self.near, self.has_proved_nets)
    }
}

impl PartialEq for CoarsePlacing {
    fn eq(&self, other: &Self) -> bool {
        self.said() == other.said()
    }
}

impl fmt::Debug for CoarsePlacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoarsePlacing")
            .field("placing", &self.placing)
            .field("near", &self.near)
            .field("has_proved_nets", &self.has_proved_nets)
            .finish()
    }
}
