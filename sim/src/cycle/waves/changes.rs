//! The changes of values in a circuit from moment to moment, for waves.

use std::ops::Range;

use sluice_words::n_limbs;

use super::super::{ClockTiming, CycleSimulator};
use super::variables::Place;
use super::{Controller, Moment, Variables};

/// A change at a moment.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The limbs of the value with this number.
    Value(usize, &'a [u64]),
    /// The text of the value with this number.
    Text(usize, &'a str),
}

/// A clock input.
struct Clock {
    timing: ClockTiming,
    was_high: bool,
    value: usize,
}

/// The last values, for finding the changes at the next moment.
pub struct Changes {
    clocks: Vec<Clock>,
    /// The number of the first signal, and the slots of each signal.
    first_signal: usize,
    places: Vec<Range<u32>>,
    /// The limbs of all signals, one after the other; empty before the first moment.
    last: Vec<u64>,
    /// Memories: the number of its first word, limbs per word, and the last contents.
    memories: Vec<(usize, usize, usize, Vec<u64>)>,
    /// The number of the first text.
    first_text: usize,
    controllers: Vec<Controller>,
    /// For each controller, which of its tokens are set, and the text for that.
    texts: Vec<(Vec<bool>, String)>,
    is_first: bool,
}

/// Returns whether a clock is high at a moment. It is low until its first rising edge, in the tick of its phase, and falls half a
/// period later.
fn is_high(timing: &ClockTiming, moment: Moment) -> bool {
    let half_ticks = 2 * moment.cycle + u64::from(moment.is_middle);
    // The edge at the end of a tick is at the beginning of the next cycle.
    let first = 2 * (u64::from(timing.phase) + 1);
    let period = u64::from(timing.period);
    half_ticks
        .checked_sub(first)
        .is_some_and(|since| since % (2 * period) < period)
}

impl Changes {
    /// Creates the state before the first moment.
    pub fn new(simulator: &CycleSimulator, variables: &Variables) -> Self {
        let (mut clocks, mut places, mut memories) = (Vec::new(), Vec::new(), Vec::new());
        let (mut first_signal, mut first_text) = (None, variables.places.len());
        for (value, (place, width_bits)) in variables
            .places
            .iter()
            .zip(&variables.widths_bits)
            .enumerate()
        {
            match place {
                Place::Clock(number) => clocks.push(Clock {
                    timing: simulator.clocks[*number].clone(),
                    was_high: false,
                    value,
                }),
                Place::Slots(first) => {
                    first_signal.get_or_insert(value);
                    places.push(*first..first + n_limbs(*width_bits));
                }
                Place::Word(memory, 0) => {
                    let n = n_limbs(*width_bits) as usize;
                    let array = simulator.array(*memory).to_vec();
                    memories.push((*memory, value, n, array));
                }
                Place::Word(..) => {}
                Place::Text(_) => first_text = first_text.min(value),
            }
        }
        let text = |of: &Controller| (vec![false; of.tokens.len()], String::new());
        Self {
            clocks,
            first_signal: first_signal.unwrap_or(0),
            last: vec![0; places.iter().map(Range::len).sum()],
            places,
            memories,
            first_text,
            texts: variables.controllers.iter().map(text).collect(),
            controllers: variables.controllers.clone(),
            is_first: true,
        }
    }

    /// Calls `tell` with each change since the last moment; at the first moment, with all values.
    pub fn sample(
        &mut self,
        simulator: &CycleSimulator,
        moment: Moment,
        mut tell: impl FnMut(Change<'_>),
    ) {
        for clock in &mut self.clocks {
            let is_high = is_high(&clock.timing, moment);
            if is_high != clock.was_high || self.is_first {
                clock.was_high = is_high;
                tell(Change::Value(clock.value, &[u64::from(is_high)]));
            }
        }
        if !moment.has_values {
            return;
        }
        let is_first = std::mem::take(&mut self.is_first);
        let mut rest = &mut self.last[..];
        for (index, place) in (self.first_signal..).zip(&self.places) {
            let limbs = simulator.machine.slots(place.clone());
            let (last, after) = rest.split_at_mut(limbs.len());
            rest = after;
            // Most signals have one limb; comparing slices of one limb is slower than comparing the limbs.
            let differs = match (&*last, limbs) {
                ([last], [limb]) => last != limb,
                (last, limbs) => last != limbs,
            };
            if differs || is_first {
                last.copy_from_slice(limbs);
                tell(Change::Value(index, limbs));
            }
        }
        for (memory, first, n_limbs, last) in &mut self.memories {
            let now = simulator.array(*memory);
            if last == now && !is_first {
                continue;
            }
            let words = now.chunks(*n_limbs).zip(last.chunks_mut(*n_limbs));
            for (index, (word, last)) in (*first..).zip(words) {
                if word != last || is_first {
                    last.copy_from_slice(word);
                    tell(Change::Value(index, word));
                }
            }
        }
        let controllers = self.controllers.iter().zip(&mut self.texts);
        for (index, (controller, (are_set, text))) in (self.first_text..).zip(controllers) {
            let mut differs = is_first;
            for (was_set, (_, signal)) in are_set.iter_mut().zip(&controller.tokens) {
                let is_set = simulator.limbs(*signal).first() != Some(&0);
                differs |= is_set != *was_set;
                *was_set = is_set;
            }
            if differs {
                *text = controller.text(are_set);
                tell(Change::Text(index, text));
            }
        }
    }
}
