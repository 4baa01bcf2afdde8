//! Intervals that are too short: what comes a cycle later with every turn around loops.
//!
//! Times only grow, and cycles added to all of some channels are added to what follows from these alone. So what is a cycle later by what some channels
//! do to each other, each of them, gets a cycle later again and again.

use super::times::{Clocked, Longer, Time, Way, is_cycle_later};

/// Turns around a ring at most before all channels are looked at again.
const MOST_TURNS: usize = 64;

impl Clocked<'_> {
    /// The loop that has to take longer where data come late by one ring and `valid` by another, so that no ring shows it: channels that
    /// come a cycle later by what they do to each other.
    pub(super) fn longer_together(
        &self,
        later: &[bool],
        times: &[Time],
        intervals: &[u32],
        n_rounds: usize,
    ) -> Option<Longer> {
        let mut left: Vec<usize> = (0..intervals.len()).collect();
        left.sort_by_key(|i| self.network.loops[*i].depth);
        let all = self.late_together(later, times, intervals, n_rounds, &left);
        if !all.contains(&true) {
            return None;
        }
        // Without the outermost loop whose ways are needed for it, nothing comes later.
        while let Some((outermost, others)) = left.split_first() {
            let without = self.late_together(&all, times, intervals, n_rounds, others);
            if !without.contains(&true) {
                return Some(Longer {
                    around: *outermost,
                    by_cycles: 1,
                    is_only: self.loops_of(&all) == [*outermost],
                });
            }
            left.remove(0);
        }
        None
    }

    /// The loops by which ways between some channels go back.
    fn loops_of(&self, wires: &[bool]) -> Vec<usize> {
        let inside = self
            .ways
            .iter()
            .filter(|way| wires[way.from] && wires[way.to]);
        let mut loops: Vec<usize> = inside.filter_map(|way| way.around).collect();
        loops.sort_unstable();
        loops.dedup();
        loops
    }

    /// The greatest set of channels that come a cycle later each by some rounds of ways between them, which go back by some loops.
    fn late_together(
        &self,
        later: &[bool],
        times: &[Time],
        intervals: &[u32],
        n_rounds: usize,
        loops: &[usize],
    ) -> Vec<bool> {
        let mut together = later.to_vec();
        loop {
            let mut ends = times.to_vec();
            let is_open = |way: &Way| {
                let goes = way.around.is_none_or(|around| loops.contains(&around));
                goes && together[way.from] && together[way.to]
            };
            for _ in 0..n_rounds {
                if !self.round(&mut ends, intervals, &is_open, |_, _| {}) {
                    break;
                }
            }
            let still = ends.iter().zip(times).map(is_cycle_later);
            let still: Vec<bool> = still.zip(&together).map(|(now, was)| now && *was).collect();
            if still == together || !still.contains(&true) {
                return still;
            }
            together = still;
        }
    }

    /// The time at the first channel of a ring when turns around it make it no later.
    ///
    /// # Errors
    /// Cycles that turns make it later, as all that follow will.
    pub(super) fn turned(
        &self,
        ring: &[&Way],
        start: Time,
        intervals: &[u32],
    ) -> Result<Time, i64> {
        let mut end = start;
        for turn in 0..MOST_TURNS {
            let mut time = end;
            for way in ring {
                time = self.made(way, self.taken(way.from, time), intervals);
            }
            let by_cycles = time.cycle - start.cycle - i64::from(!start.at.is_within(time.at));
            if by_cycles > 0 {
                return Err(if turn == 0 { by_cycles } else { 1 });
            }
            if end.is_behind(time) {
                break;
            }
            end = end.latest(time);
        }
        Ok(end)
    }

    /// Which loop has to take longer for a ring that takes some cycles too long: the outermost one on it.
    pub(super) fn longer(&self, ring: &[&Way], by_cycles: i64) -> Option<Longer> {
        let around = ring.iter().filter_map(|way| way.around);
        let depth = |i: &usize| self.network.loops[*i].depth;
        let outermost = around.clone().min_by_key(depth)?;
        let n_tokens = around.clone().filter(|i| *i == outermost).count();
        let n_tokens = i64::try_from(n_tokens).unwrap_or(1);
        let by_cycles = u32::try_from(by_cycles / n_tokens).unwrap_or(1).max(1);
        Some(Longer {
            around: outermost,
            by_cycles,
            is_only: around.clone().all(|i| i == outermost),
        })
    }
}
