//! Which cell each slot of a copy holds, and what reads do not find in it: the events of the run, one after the other.

use std::collections::BTreeSet;

use sluice_ir::OperationId;

use crate::analysis::linear::Linear;
use crate::memory::reuse::trace::{Event, Trace};

/// A copy of a certain size.
pub(super) struct Model<'a> {
    pub(super) trace: &'a Trace,
    /// Those of the memory.
    pub(super) events: &'a [Event],
    /// The loop in front of which the copy is filled, if it is.
    pub(super) filled_at: Option<OperationId>,
    pub(super) reads: &'a BTreeSet<usize>,
    pub(super) fillers: &'a BTreeSet<usize>,
    pub(super) words: u64,
    pub(super) memory_words: u64,
    /// See [`Prefill::base`].
    pub(super) base: &'a Linear,
    /// Whether what is missed may be filled in front of a loop.
    pub(super) is_filled: bool,
}

/// The first and the last cell, less the base.
pub(super) type Range = (i64, i64);

impl Model<'_> {
    /// Whether the copy serves, and the cells that must be filled in front.
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

    /// Whether every cell is in its slot.
    fn is_full(&self, slots: &[Option<u64>]) -> bool {
        let mut held = slots.iter().zip(0..);
        self.words == self.memory_words && held.all(|(held, slot)| *held == Some(slot))
    }

    /// The slots with all cells so many further; `None` if one would be none of the memory.
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

    /// What reads do not find; `None` outside if a read has no cell, or is there before the loop that fills, or if that would read
    /// what is no cell, and as soon as more is missed than can be filled.
    fn missed(&self, prefill: Option<Range>) -> Option<Option<Range>> {
        let mut slots: Vec<Option<u64>> = vec![None; usize::try_from(self.words).ok()?];
        let slot = |cell: u64| usize::try_from(cell % self.words).unwrap_or(0);
        let mut missed: Option<Range> = None;
        let mut base = 0;
        // When the last iteration of an outermost loop began.
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
                    // What the last iteration did to what it found, the next ones do to that moved on: nothing more is missed.
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
                    // It may write the slot, with the value of another cell, or the cell alone.
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
