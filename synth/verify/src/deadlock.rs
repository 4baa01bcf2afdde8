//! Deadlock detection in simulation. A circuit whose state repeats while its inputs stay the same is deadlocked. So is a circuit
//! for which it is proved that no word can be transferred any more, whatever the data in registers without a token are.

use std::collections::BTreeMap;

use sluice_sim::cycle::{CycleSimulator, SignalKind};

/// Number of cycles without an event before states are first compared; it doubles each time.
const FIRST_CYCLES: u64 = 32;

/// Number of states after a stored one that are compared with it: the longest period of repeating states that is found.
const RING_CYCLES: u64 = 64;

/// Search for a repeated state.
pub struct RepeatedState {
    /// Number of cycles since the last transfer into or out of the circuit.
    quiet_cycles: u64,
    /// Number of quiet cycles after which the next state is stored.
    next_cycles: u64,
    kept: Vec<u64>,
}

impl RepeatedState {
    /// Creates a search.
    pub fn new() -> Self {
        Self {
            quiet_cycles: 0,
            next_cycles: FIRST_CYCLES,
            kept: Vec::new(),
        }
    }

    /// Processes a simulated cycle, and returns whether it is certain that nothing will ever happen. `is_quiet` is true if the
    /// inputs equal those of the previous cycle and will stay, and nothing was transferred.
    ///
    /// Complexity: the state is copied after 32, 64, 128 ... quiet cycles, and compared in the 64 cycles after each copy.
    pub fn is_certain(&mut self, simulator: &CycleSimulator, is_quiet: bool) -> bool {
        if !is_quiet {
            self.quiet_cycles = 0;
            self.next_cycles = FIRST_CYCLES;
            self.kept.clear();
            return false;
        }
        self.quiet_cycles += 1;
        if self.quiet_cycles == self.next_cycles {
            self.kept.clear();
            self.kept.extend_from_slice(simulator.state());
            self.next_cycles *= 2;
            return false;
        }
        let since = self.quiet_cycles.checked_sub(self.next_cycles / 2);
        since.is_some_and(|since| since <= RING_CYCLES)
            && !self.kept.is_empty()
            && self.kept == simulator.state()
    }
}

/// Search for a state after which no word can be transferred.
pub(crate) struct NoTransfer {
    /// Number of cycles without a transfer before the next proof.
    next_cycles: u64,
}

impl NoTransfer {
    pub fn new() -> Self {
        Self {
            next_cycles: FIRST_CYCLES,
        }
    }

    /// Returns whether it is proved that the output ports stay 0, after `quiet_cycles` in which they were 0. `ports` returns
    /// these outputs, and the inputs that may take any value.
    ///
    /// Complexity: a proof is tried after 32, 64, 128 ... cycles without a transfer.
    pub fn is_proved(
        &mut self,
        simulator: &CycleSimulator,
        quiet_cycles: u64,
        ports: impl FnOnce() -> (Vec<usize>, Vec<usize>),
    ) -> bool {
        if quiet_cycles < FIRST_CYCLES {
            self.next_cycles = FIRST_CYCLES;
            return false;
        }
        if quiet_cycles < self.next_cycles {
            return false;
        }
        self.next_cycles = quiet_cycles.saturating_mul(2);
        let (outputs, free) = ports();
        simulator.stay_zero(&outputs, &free)
    }
}

/// The waiting channels of a deadlocked circuit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Channels with a waiting token, with the instances around them, in the order of the signals.
    pub tokens: Vec<String>,
    /// Input channels on which the circuit would accept a word, but none is offered.
    pub wanted: Vec<String>,
}

impl Waiting {
    /// Formats the channels as the end of a sentence.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (what, channels) in [
            ("tokens wait on", &self.tokens),
            ("none comes on", &self.wanted),
        ] {
            if !channels.is_empty() {
                text += &format!("; {what} `{}`", channels.join("`, `"));
            }
        }
        text
    }
}

/// Returns the waiting channels of a circuit with observed signals. A token waits if `NAME_valid` is 1 and `NAME_ready` is 0, or
/// if the register `NAME_full` of a buffer is 1. The circuit waits for a token on an input channel if `NAME_valid` is 0 and
/// `NAME_ready` is 1.
pub fn waiting(simulator: &mut CycleSimulator) -> Waiting {
    simulator.settle();
    let signals = simulator.signals().enumerate();
    let signals: Vec<(String, SignalKind, bool)> = signals
        .map(|(number, signal)| {
            let is_on = signal.width_bits == 1 && !simulator.signal(number).is_zero();
            (signal.path(), signal.kind, is_on)
        })
        .collect();
    let ready = signals.iter();
    let ready = ready.filter_map(|(path, _, is_on)| Some((path.strip_suffix("_ready")?, *is_on)));
    let ready: BTreeMap<&str, bool> = ready.collect();
    let mut found = Waiting::default();
    for (path, kind, is_on) in &signals {
        let valid = path.strip_suffix("_valid");
        let full = path.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let full = full.strip_suffix("_full");
        let full = full.filter(|_| *kind == SignalKind::Register && *is_on);
        let list = match (valid.and_then(|name| ready.get(name)), is_on) {
            (Some(false), true) => &mut found.tokens,
            (Some(true), false) if *kind == SignalKind::Input => &mut found.wanted,
            _ if full.is_some() => &mut found.tokens,
            _ => continue,
        };
        let name = valid.or(full).unwrap_or_default();
        if !list.iter().any(|known| known == name) {
            list.push(name.to_owned());
        }
    }
    found
}
