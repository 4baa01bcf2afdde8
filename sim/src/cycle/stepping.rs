//! How a machine goes through a tick: edges that follow from edges take cycles of their own until none is left.

use sluice_words::Machine;

/// Cycles after which signals that drive clocks or asynchronous resets are given up: they will never hold still.
const MOST_ROUNDS: usize = 1000;

/// The state of that.
pub(super) struct Stepping {
    /// Cycles of the machine in a tick.
    pub(super) n_parts: u64,
    /// The slot that is not 0 while edges wait.
    pub(super) pending: Option<u32>,
    /// The slot that is 1 in cycles that are time.
    pub(super) advance: Option<u32>,
    /// Whether edges of a tick may make others wait.
    pub(super) settles_after_edges: bool,
    /// Whether inputs were set since edges were looked for.
    pub(super) is_dirty: bool,
    /// Whether edges never came to an end.
    pub(super) is_unsettled: bool,
}

impl Stepping {
    /// Whether a tick is more than one cycle of the machine.
    pub(super) fn is_plain(&self) -> bool {
        self.advance.is_none()
    }

    fn advance(&self, machine: &mut Machine, value: u64) {
        if let Some(slot) = self.advance {
            machine.set_slot(slot, value);
        }
    }

    /// Lets edges take effect that wait, and shows the outputs.
    pub(super) fn show(&mut self, machine: &mut Machine) {
        self.advance(machine, 0);
        machine.show();
        self.is_dirty = false;
        let Some(pending) = self.pending else {
            return;
        };
        for _ in 0..MOST_ROUNDS {
            if machine.slot(pending) == 0 {
                return;
            }
            machine.run(1);
            machine.show();
        }
        self.is_unsettled = true;
    }

    /// So many ticks.
    pub(super) fn run(&mut self, machine: &mut Machine, n_ticks: u64) {
        self.run_parts(machine, n_ticks * self.n_parts);
    }

    /// So many cycles of the machine that are time.
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
