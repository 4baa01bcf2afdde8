//! Recordings of runs, from which any cycle can be computed again: the inputs where they change, and periodic snapshots of the
//! state.

use sluice_ir::bits::Bits;

use super::{CycleSimulator, Moment};

/// Cycles between two snapshots, at first.
const INTERVAL_CYCLES: u64 = 256;

/// The most snapshots that are kept, and the most words in them. Beyond that, every second one is dropped, and the interval
/// doubles.
const MAX_STATES: usize = 512;
const MAX_WORDS: usize = 1 << 25;

/// The inputs and the snapshots of a run.
pub(super) struct Recording {
    /// Cycle, number and value of each change of an input.
    inputs: Vec<(u64, usize, Bits)>,
    states: Vec<State>,
    interval_cycles: u64,
    /// Whether a memory was filled, so that the next cycle does not follow from the last snapshot.
    is_broken: bool,
}

struct State {
    cycle: u64,
    words: Vec<u64>,
    /// Whether it does not follow from earlier snapshots.
    is_new: bool,
}

impl CycleSimulator {
    /// Starts a recording for [`CycleSimulator::replay`].
    pub fn record(&mut self) {
        self.recording = Some(Recording {
            inputs: Vec::new(),
            states: Vec::new(),
            interval_cycles: INTERVAL_CYCLES,
            is_broken: true,
        });
    }

    /// Returns whether a recording is active.
    pub(super) fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Records a change of an input.
    pub(super) fn note_input(&mut self, index: usize, value: &Bits) {
        let cycle = self.cycle;
        if let Some(recording) = &mut self.recording {
            recording.inputs.push((cycle, index, value.clone()));
        }
    }

    /// Records that a memory was filled.
    pub(super) fn note_contents(&mut self) {
        self.n_fills += 1;
        if let Some(recording) = &mut self.recording {
            recording.is_broken = true;
        }
    }

    /// Takes a snapshot before a cycle if one is due; returns how many cycles may be run until the next.
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
        let most = (MAX_WORDS / words.len().max(1)).clamp(4, MAX_STATES);
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

    /// Computes the cycles from `from` up to `to`, exclusive, again. It calls `see` in each cycle before its edge, with
    /// everything that is observed. Cycles that were not recorded or not run are left out. The state of the simulator is restored
    /// at the end.
    pub fn replay(&mut self, from: u64, to: u64, mut see: impl FnMut(&Self)) {
        self.replay_parts(from, to, false, |simulator, _| see(simulator));
    }

    /// Computes cycles again as [`CycleSimulator::replay`], and calls `see` at each moment. If there are edges in the middle of
    /// ticks, that is also the middle of each cycle. The first moment is always the beginning of a cycle, with its inputs.
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

    /// Computes cycles again; `see` is also told whether only the first half of the tick before has been run.
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
