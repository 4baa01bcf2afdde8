//! Toggle coverage: the bits of signals that rise and fall in runs.

use super::CycleSimulator;

/// The observed values of a signal, limb by limb.
#[derive(Clone, Default, Debug)]
struct Seen {
    last: Vec<u64>,
    rises: Vec<u64>,
    falls: Vec<u64>,
    ones: Vec<u64>,
}

/// The bits of every signal that rose and fell, over any number of runs of one circuit.
#[derive(Clone, Default, Debug)]
pub struct Toggles {
    signals: Vec<Seen>,
}

impl Toggles {
    /// Adds a recorded run, from a cycle on.
    pub fn look(&mut self, simulator: &mut CycleSimulator, from: u64) {
        let n_signals = simulator.signals().len();
        self.signals.resize_with(n_signals, Seen::default);
        for seen in &mut self.signals {
            seen.last.clear();
        }
        let end = simulator.cycle;
        simulator.replay(from, end, |simulator| {
            for (index, seen) in self.signals.iter_mut().enumerate() {
                let limbs = simulator.limbs(index);
                if seen.last.is_empty() {
                    seen.last.extend(limbs);
                    for mask in [&mut seen.rises, &mut seen.falls, &mut seen.ones] {
                        mask.resize(limbs.len(), 0);
                    }
                }
                for (at, limb) in limbs.iter().enumerate() {
                    let last = seen.last[at];
                    seen.rises[at] |= limb & !last;
                    seen.falls[at] |= last & !limb;
                    seen.ones[at] |= limb;
                    seen.last[at] = *limb;
                }
            }
        });
    }

    /// Returns whether a bit rose and fell.
    pub fn toggles(&self, signal: usize, bit: u32) -> bool {
        let (limb, bit) = (bit as usize / 64, bit % 64);
        let seen = &self.signals[signal];
        let both = seen.rises.get(limb).zip(seen.falls.get(limb));
        both.is_some_and(|(rises, falls)| rises & falls & 1 << bit != 0)
    }

    /// Returns whether a bit was ever 1.
    pub fn is_ever_set(&self, signal: usize, bit: u32) -> bool {
        let (limb, bit) = (bit as usize / 64, bit % 64);
        let ones = self.signals[signal].ones.get(limb);
        ones.is_some_and(|ones| ones & 1 << bit != 0)
    }
}
