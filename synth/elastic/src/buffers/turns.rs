//! Detects intervals that are too short: signals that become a cycle later with every pass around loops.
//!
//! Times only grow, and adding cycles to all of some channels adds them to everything that depends on these channels alone. So if
//! each channel of a set becomes a cycle later only through dependences within the set, this repeats forever.

use super::times::{Clocked, Longer, Time, Way, is_cycle_later};

/// Maximum number of passes around a cycle before all channels are processed again.
const MAX_TURNS: usize = 64;

impl Clocked<'_> {
    /// Returns the loop whose interval must grow if data are late through one cycle and `valid` through another, so that no
    /// single cycle shows it: a set of channels that become a cycle later through each other.
    pub(super) fn longer_together(
        &self,
        later: &[bool],
        times: &[Time],
        intervals: &[u32],
        n_iterations: usize,
    ) -> Option<Longer> {
        let mut left: Vec<usize> = (0..intervals.len()).collect();
        left.sort_by_key(|i| self.network.loops[*i].depth);
        let all = self.late_together(later, times, intervals, n_iterations, &left);
        if !all.contains(&true) {
            return None;
        }
        // Finds the outermost loop without whose back edges nothing becomes later.
        while let Some((outermost, others)) = left.split_first() {
            let without = self.late_together(&all, times, intervals, n_iterations, others);
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

    /// Returns the loops of the back edges between some channels.
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

    /// Returns the largest set of channels that each become a cycle later within `n_iterations` iterations, through dependences
    /// within the set and back edges of `loops`.
    fn late_together(
        &self,
        later: &[bool],
        times: &[Time],
        intervals: &[u32],
        n_iterations: usize,
        loops: &[usize],
    ) -> Vec<bool> {
        let mut together = later.to_vec();
        loop {
            let mut ends = times.to_vec();
            let is_open = |way: &Way| {
                let goes = way.around.is_none_or(|around| loops.contains(&around));
                goes && together[way.from] && together[way.to]
            };
            for _ in 0..n_iterations {
                if !self.propagate(&mut ends, intervals, &is_open, |_, _| {}) {
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

    /// Returns the time at the first channel of a cycle at which passes around it make it no later.
    ///
    /// # Errors
    /// The number of cycles by which a pass makes it later, as all following passes will.
    pub(super) fn turned(
        &self,
        graph_cycle: &[&Way],
        start: Time,
        intervals: &[u32],
    ) -> Result<Time, i64> {
        let mut end = start;
        for turn in 0..MAX_TURNS {
            let mut time = end;
            for way in graph_cycle {
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

    /// Returns the loop whose interval must grow for a cycle that takes `by_cycles` too long: the outermost one on it.
    pub(super) fn longer(&self, graph_cycle: &[&Way], by_cycles: i64) -> Option<Longer> {
        let around = graph_cycle.iter().filter_map(|way| way.around);
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
