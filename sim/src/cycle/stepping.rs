//! Stepping of a machine through a tick: edges that other edges cause take extra machine cycles until all signals have settled.

use sluice_words::Machine;

/// The most extra machine cycles until signals that drive clocks or asynchronous resets must have settled.
const MAX_ITERATIONS: usize = 1000;

/// The state of the stepping.
pub(super) struct Stepping {
    /// Machine cycles in a tick.
    pub(super) n_parts: u64,
    /// The slot that is not 0 while there are edges that have not taken effect.
    pub(super) pending: Option<u32>,
    /// The slot that is 1 in machine cycles in which time advances.
    pub(super) advance: Option<u32>,
    /// Whether edges of a tick may cause further edges.
    pub(super) settles_after_edges: bool,
    /// Whether inputs have been set since the last settling.
    pub(super) is_dirty: bool,
    /// Whether the signals failed to settle.
    pub(super) is_unsettled: bool,
}

impl Stepping {
    /// Returns whether a tick is a single machine cycle.
    pub(super) fn is_plain(&self) -> bool {
        self.advance.is_none()
    }

    fn advance(&self, machine: &mut Machine, value: u64) {
        if let Some(slot) = self.advance {
            machine.set_slot(slot, value);
        }
    }

    /// Settles all edges of data signals, and computes the outputs.
    pub(super) fn show(&mut self, machine: &mut Machine) {
        self.advance(machine, 0);
        machine.show();
        self.is_dirty = false;
        let Some(pending) = self.pending else {
            return;
        };
        for _ in 0..MAX_ITERATIONS {
            if machine.slot(pending) == 0 {
                return;
            }
            machine.run(1);
            machine.show();
        }
        self.is_unsettled = true;
    }

    /// Runs `n_ticks` ticks.
    pub(super) fn run(&mut self, machine: &mut Machine, n_ticks: u64) {
        self.run_parts(machine, n_ticks * self.n_parts);
    }

    /// Runs `n_parts` machine cycles in which time advances.
    pub(super) fn run_parts(&mut self, machine: &mut Machine, n_parts: u64) {
        if self.is_dirty && self.pending.is_some() {
            self.show(machine);
        }
        if !self.settles_after_edges {
            self.advance(machine, 1);
            machine.run(n_parts);
            return;
        }
        for _ in 0..n_parts {
            self.advance(machine, 1);
            machine.run(1);
            self.show(machine);
        }
    }
}
