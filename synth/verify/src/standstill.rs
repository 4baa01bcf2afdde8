//! Circuits that can do nothing more: a state that comes again while inputs stay comes for ever, and so does one from which it is proved
//! that no word can be taken or given any more, whatever the data of registers without a token are.

use std::collections::BTreeMap;

use sluice_sim::cycle::{CycleSimulator, SignalKind};

/// Cycles without an event before states are compared, at first; each time twice as many.
const FIRST_CYCLES: u64 = 32;

/// States behind one that was kept with which it is compared: the longest ring of states that is found.
const RING_CYCLES: u64 = 64;

/// Looks for a state that comes again.
pub struct Standstill {
    /// Cycles since something came from outside or went there.
    quiet_cycles: u64,
    /// After how many of these a state is kept next.
    next_cycles: u64,
    kept: Vec<u64>,
}

impl Standstill {
    /// Nothing is seen yet.
    pub fn new() -> Self {
        Self {
            quiet_cycles: 0,
            next_cycles: FIRST_CYCLES,
            kept: Vec::new(),
        }
    }

    /// A cycle was run; `is_quiet` where inputs are those of the cycle before, will stay, and nothing went in or out. Says whether
    /// nothing ever will.
    ///
    /// Complexity: the state is copied after 32, 64, 128 ... quiet cycles, and compared in 64 cycles behind each.
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

/// Looks for a state from which no word is taken or given any more.
pub(crate) struct NoTransfer {
    /// After how many cycles without a word it is asked next.
    next_cycles: u64,
}

impl NoTransfer {
    pub fn new() -> Self {
        Self {
            next_cycles: FIRST_CYCLES,
        }
    }

    /// Whether it is proved that these outputs stay 0, after so many cycles in which they were; inputs `free` may become anything.
    ///
    /// Complexity: it is asked after 32, 64, 128 ... cycles without a word.
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

/// What stands still in a circuit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Channels on which a token waits, with the instances around them, in the order of the signals.
    pub tokens: Vec<String>,
    /// Channels from outside on which the circuit would take a word, and none is offered.
    pub wanted: Vec<String>,
}

impl Waiting {
    /// The same as the end of a sentence.
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

/// What waits in a circuit whose signals are observed: a token where `NAME_valid` is 1 and `NAME_ready` is 0, or where a register
/// `NAME_full` of a buffer is 1; a channel from outside where it is the other way round.
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
