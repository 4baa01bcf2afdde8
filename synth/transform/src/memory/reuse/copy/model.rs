//! Simulates which word each slot of a copy holds, and which reads would miss.

use std::collections::BTreeSet;

use sluice_ir::OperationId;

use crate::analysis::linear::Linear;
use crate::memory::reuse::trace::{Event, Trace};

/// A copy of a given size.
pub(super) struct Model<'a> {
    pub(super) trace: &'a Trace,
    /// The events of the memory.
    pub(super) events: &'a [Event],
    /// The loop before which the copy is filled, if any.
    pub(super) filled_at: Option<OperationId>,
    pub(super) reads: &'a BTreeSet<usize>,
    pub(super) fillers: &'a BTreeSet<usize>,
    pub(super) words: u64,
    pub(super) memory_words: u64,
    /// See [`Prefill::base`].
    pub(super) base: &'a Linear,
    /// True if missing words may be filled before a loop.
    pub(super) is_filled: bool,
}

/// The first and the last word, relative to the base.
pub(super) type Range = (i64, i64);

impl Model<'_> {
    /// Returns `None` if the copy is not possible, else the range of words that must be filled before the loop.
    pub(super) fn range(&self) -> Option<Option<Range>> {
        let missed = self.missed(None)?;
        if let Some(range) = missed {
            self.missed(Some(range))?;
        }
        Some(missed)
    }

    fn moves(&self, loop_op: OperationId) -> Option<i64> {
        let read = self.reads.first()?;
        self.trace.moves(loop_op, self.trace.accesses[*read].memory)
    }

    /// Returns whether every word is in its slot.
    fn is_full(&self, slots: &[Option<u64>]) -> bool {
        let mut held = slots.iter().zip(0..);
        self.words == self.memory_words && held.all(|(held, slot)| *held == Some(slot))
    }

    /// Shifts the words of all slots by a number of words; `None` if one would be out of bounds.
    fn moved(&self, slots: &[Option<u64>], cells: i64) -> Option<Vec<Option<u64>>> {
        let mut moved = vec![None; slots.len()];
        for (slot, held) in (0..).zip(slots) {
            let to = i64::checked_add(slot, cells)?.rem_euclid(i64::try_from(self.words).ok()?);
            if let Some(cell) = held {
                let cell = cell.checked_add_signed(cells)?;
                moved[usize::try_from(to).ok()?] =
                    Some(cell).filter(|cell| *cell < self.memory_words);
            }
        }
        Some(moved)
    }

    /// Returns the range of words that reads miss. Returns `None` if a read has an unknown address or comes before the fill loop,
    /// if that loop would read out of bounds, or as soon as more words are missed than can be filled.
    fn missed(&self, prefill: Option<Range>) -> Option<Option<Range>> {
        let mut slots: Vec<Option<u64>> = vec![None; usize::try_from(self.words).ok()?];
        let slot = |cell: u64| usize::try_from(cell % self.words).unwrap_or(0);
        let mut missed: Option<Range> = None;
        let mut base = 0;
        // The state at the start of the most recent iteration of an outermost loop.
        let mut before = (slots.clone(), missed);
        for event in self.events {
            let (access, cell) = match *event {
                Event::Access { access, cell } => (access, cell),
                Event::Enter { loop_op, .. } if Some(loop_op) != self.filled_at => continue,
                Event::Enter { entry, .. } => {
                    base = self.trace.value_at(self.base, entry)?;
                    if let Some((low, high)) = prefill {
                        for cell in base + low..=base + high {
                            let cell = u64::try_from(cell).ok();
                            let cell = cell.filter(|cell| *cell < self.memory_words)?;
                            slots[slot(cell)] = Some(cell);
                        }
                    }
                    continue;
                }
                Event::Iterate { .. } => {
                    before = (slots.clone(), missed);
                    continue;
                }
                Event::Skip { loop_op, n } => {
                    // The skipped iterations do the same, shifted, so they miss nothing more.
                    let moved = self.moves(loop_op)?;
                    if before.1 != missed {
                        return None;
                    }
                    if !(self.is_full(&before.0) && self.is_full(&slots)) {
                        if self.moved(&before.0, moved)? != slots {
                            return None;
                        }
                        slots = self.moved(&slots, moved.checked_mul(n)?)?;
                    }
                    continue;
                }
                Event::Probe { .. } => continue,
            };
            let known = &self.trace.accesses[access];
            let fills = self.fillers.contains(&access);
            if known.writes {
                match cell {
                    Some(cell) if fills && !known.conditional => slots[slot(cell)] = Some(cell),
                    // A filler that may or may not write the slot: the slot keeps its word only if it is the same word.
                    Some(cell) if fills => {
                        let held = &mut slots[slot(cell)];
                        *held = held.filter(|held| *held == cell);
                    }
                    Some(cell) => {
                        let held = &mut slots[slot(cell)];
                        *held = held.filter(|held| *held != cell);
                    }
                    None if fills && self.words == self.memory_words => {}
                    None => slots.fill(None),
                }
            } else if self.reads.contains(&access) {
                let cell = cell?;
                if slots[slot(cell)] != Some(cell) {
                    let ahead = i64::try_from(cell).ok()? - base;
                    let (low, high) = missed.unwrap_or((ahead, ahead));
                    let (low, high) = (low.min(ahead), high.max(ahead));
                    let fits = u64::try_from(high - low).is_ok_and(|n| n < self.words);
                    if !self.is_filled || prefill.is_some() || !fits {
                        return None;
                    }
                    missed = Some((low, high));
                }
            } else if fills {
                let cell = cell?;
                slots[slot(cell)] = Some(cell);
            }
        }
        Some(missed)
    }
}
