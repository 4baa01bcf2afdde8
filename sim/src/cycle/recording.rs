//! What a run leaves behind so that any of its cycles can be computed again: inputs where they changed, and states now and then.

use sluice_ir::bits::Bits;

use super::{CycleSimulator, Moment};

/// Cycles between two states that are kept, at first.
const INTERVAL_CYCLES: u64 = 256;

/// Most states that are kept, and most words of them: then every second one goes, and the next are twice as far apart.
const MOST_STATES: usize = 512;
const MOST_WORDS: usize = 1 << 25;

/// The inputs and some states of a run.
pub(super) struct Recording {
    /// Cycle, number and value of each input that changed.
    inputs: Vec<(u64, usize, Bits)>,
    states: Vec<State>,
    interval_cycles: u64,
    /// The contents of a memory were set: the next cycle does not follow from those before.
    is_broken: bool,
}

struct State {
    cycle: u64,
    words: Vec<u64>,
    /// It does not follow from the states before.
    is_new: bool,
}

impl CycleSimulator {
    /// From now on, keeps what [`CycleSimulator::replay`] needs.
    pub fn record(&mut self) {
        self.recording = Some(Recording {
            inputs: Vec::new(),
            states: Vec::new(),
            interval_cycles: INTERVAL_CYCLES,
            is_broken: true,
        });
    }

    /// Whether a cycle can be computed again later.
    pub(super) fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Notes an input that changes.
    pub(super) fn note_input(&mut self, index: usize, value: &Bits) {
        let cycle = self.cycle;
        if let Some(recording) = &mut self.recording {
            recording.inputs.push((cycle, index, value.clone()));
        }
    }

    /// Notes that a memory was filled.
    pub(super) fn note_contents(&mut self) {
        self.n_fills += 1;
        if let Some(recording) = &mut self.recording {
            recording.is_broken = true;
        }
    }

    /// Notes the state before a cycle where it is time to; says how many cycles may pass until the next one.
    pub(super) fn note_state(&mut self) -> u64 {
        let cycle = self.cycle;
        let Some(recording) = &mut self.recording else {
            return u64::MAX;
        };
        let since = match recording.states.last() {
            Some(last) => cycle - last.cycle,
            None => u64::MAX,
        };
        if !recording.is_broken && since < recording.interval_cycles {
            return recording.interval_cycles - since;
        }
        let is_new = std::mem::take(&mut recording.is_broken);
        let words = self.machine.state().to_vec();
        let most = (MOST_WORDS / words.len().max(1)).clamp(4, MOST_STATES);
        recording.states.push(State {
            cycle,
            words,
            is_new,
        });
        if recording.states.len() > most {
            let mut is_kept = false;
            recording.states.retain(|state| {
                is_kept = !is_kept;
                is_kept || state.is_new
            });
            recording.interval_cycles *= 2;
        }
        recording.interval_cycles
    }

    /// Computes the cycles from `from` up to, but not with, `to` again; what is done sees each before its edge, with everything that is
    /// observed. Cycles that were not recorded or not run are left out. Leaves the simulator as it was.
    pub fn replay(&mut self, from: u64, to: u64, mut see: impl FnMut(&Self)) {
        self.replay_parts(from, to, false, |simulator, _| see(simulator));
    }

    /// The same moment by moment: where edges in the middle of ticks count, a cycle is seen in its middle too. The first moment is always the
    /// beginning of a cycle, with its inputs.
    pub fn replay_moments(&mut self, from: u64, to: u64, mut see: impl FnMut(&Self, Moment)) {
        let has_halves = self.stepping.n_parts > 1;
        let mut is_first = true;
        self.replay_parts(from, to, has_halves, |simulator, is_half| {
            let is_first = std::mem::take(&mut is_first);
            let moment = |is_middle, has_values| Moment {
                cycle: simulator.cycle,
                is_middle,
                has_values,
            };
            if is_half {
                see(simulator, moment(false, true));
            } else if is_first || !has_halves {
                see(simulator, moment(false, true));
                see(simulator, moment(true, false));
            } else {
                see(simulator, moment(true, true));
            }
        });
    }

    /// What is done is told whether only the first edges of the tick before have happened.
    fn replay_parts(
        &mut self,
        from: u64,
        to: u64,
        has_halves: bool,
        mut see: impl FnMut(&Self, bool),
    ) {
        let to = to.min(self.cycle);
        let Some(recording) = self.recording.take() else {
            return;
        };
        let (now, words) = (self.cycle, self.machine.state().to_vec());
        let first = recording
            .states
            .partition_point(|state| state.cycle <= from);
        let first = first.saturating_sub(1);
        let mut states = recording.states[first.min(recording.states.len())..]
            .iter()
            .peekable();
        let start = states.peek().map_or(from, |state| state.cycle);
        let first = recording
            .inputs
            .partition_point(|(cycle, ..)| *cycle < start);
        let mut changes = recording.inputs[first..].iter().peekable();
        if let Some(start) = states.peek() {
            self.cycle = start.cycle;
            let mut is_first = true;
            while self.cycle < to {
                while let Some(state) = states.next_if(|state| state.cycle <= self.cycle) {
                    if is_first || state.is_new {
                        self.machine.set_state(&state.words);
                        self.stepping.is_dirty = true;
                        is_first = false;
                    }
                }
                while let Some((_, index, value)) =
                    changes.next_if(|(cycle, ..)| *cycle <= self.cycle)
                {
                    self.set_input(*index, value);
                }
                if self.cycle >= from {
                    if !self.stepping.is_plain() {
                        self.evaluate();
                    }
                    self.machine.observe();
                    see(self, false);
                }
                if !has_halves || self.cycle < from || self.cycle + 1 == to {
                    self.stepping.run(&mut self.machine, 1);
                    self.cycle += 1;
                    continue;
                }
                self.stepping.run_parts(&mut self.machine, 1);
                self.cycle += 1;
                self.evaluate();
                self.machine.observe();
                see(self, true);
                self.stepping.run_parts(&mut self.machine, 1);
            }
        }
        self.machine.set_state(&words);
        self.stepping.is_dirty = true;
        self.cycle = now;
        self.recording = Some(recording);
    }
}
