//! What a first search for buffers of an elastic circuit found, for a longer one.

use std::fmt;
use std::sync::Arc;

use sluice_elastic::Placing;
use sluice_sequential::Proved;

/// What a first search for buffers of an elastic circuit found.
#[derive(Clone)]
pub struct CoarsePlacing {
    /// How they are placed.
    pub placing: Placing,
    /// What misses the clock in fewer cycles, if that one keeps it.
    pub near: Option<Placing>,
    /// Whether all nets that no run parts are proved to be equal.
    pub has_proved_nets: bool,
    /// What is known of equal nets since: it is no part of what is configured.
    pub proved: Arc<Proved>,
}

impl CoarsePlacing {
    /// What is configured.
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
