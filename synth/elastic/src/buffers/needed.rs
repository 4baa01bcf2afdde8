//! Selects the channels that need a register to reach the earliest times.

use super::delays::Arrival;
use super::times::{Clocked, Times, Way};

impl Clocked<'_> {
    /// Returns the channels that need a register, so that every signal arrives at the given times.
    pub(super) fn registers(&self, found: &Times) -> Vec<bool> {
        let times = &found.times;
        let needs = |wire: usize| {
            let time = times[wire];
            if !self.network.wires[wire].is_free {
                return false;
            }
            if self.is_cut(wire) || self.is_late(wire, time.at) {
                return true;
            }
            let mut ways = self.out[wire].iter().map(|way| &self.ways[*way]);
            ways.any(|way| {
                self.registered(way.to).is_none()
                    && !self.through(way, time.at).is_within(times[way.to].at)
            })
        };
        let mut chosen: Vec<bool> = (0..times.len()).map(needs).collect();
        self.spare(&mut chosen);
        chosen
    }

    /// Removes registers that the clock period does not require, the widest first.
    fn spare(&self, chosen: &mut [bool]) {
        let Some((mut arrivals, _)) = self.arrivals(chosen) else {
            return;
        };
        let mut candidates: Vec<usize> = (0..chosen.len())
            .filter(|i| chosen[*i] && !self.is_cut(*i))
            .collect();
        candidates.sort_by_key(|i| std::cmp::Reverse(self.network.wires[*i].width_bits));
        for wire in candidates {
            chosen[wire] = false;
            if !self.keeps_clock_without(wire, chosen, &mut arrivals) {
                chosen[wire] = true;
            }
        }
    }

    /// Returns the arrival times for a choice of registers, and a topological order; `None` if a cycle has no register.
    pub(super) fn arrivals(&self, chosen: &[bool]) -> Option<(Vec<Arrival>, Vec<usize>)> {
        let mut arrivals = vec![Arrival::default(); chosen.len()];
        let mut n_open: Vec<usize> = (0..chosen.len())
            .map(|to| {
                self.into[to]
                    .iter()
                    .filter(|w| self.is_path(&self.ways[**w], chosen))
                    .count()
            })
            .collect();
        let mut ready: Vec<usize> = (0..chosen.len()).filter(|i| n_open[*i] == 0).collect();
        let mut order = Vec::new();
        while let Some(wire) = ready.pop() {
            order.push(wire);
            arrivals[wire] = self.arrival(wire, chosen, &arrivals);
            for to in self.goes_on(wire, chosen) {
                n_open[to] -= 1;
                if n_open[to] == 0 {
                    ready.push(to);
                }
            }
        }
        (order.len() == chosen.len()).then_some((arrivals, order))
    }

    /// Returns whether an edge is combinational.
    pub(super) fn is_path(&self, way: &Way, chosen: &[bool]) -> bool {
        !chosen[way.from] && way.latency_cycles == 0 && self.registered(way.to).is_none()
    }

    /// Returns the channels that combinationally depend on a channel.
    fn goes_on(&self, wire: usize, chosen: &[bool]) -> impl Iterator<Item = usize> {
        let ways = self.out[wire].iter().map(|way| &self.ways[*way]);
        ways.filter(|way| self.is_path(way, chosen))
            .map(|way| way.to)
    }

    fn arrival(&self, to: usize, chosen: &[bool], arrivals: &[Arrival]) -> Arrival {
        if let Some(after) = self.registered(to) {
            return after;
        }
        let ways = self.into[to].iter().map(|way| &self.ways[*way]);
        ways.map(|way| {
            let is_cut = chosen[way.from] || way.latency_cycles > 0;
            let taken = match is_cut {
                true => Arrival::default(),
                false => arrivals[way.from],
            };
            self.through(way, taken)
        })
        .fold(Arrival::default(), Arrival::latest)
    }

    /// Returns whether removing the register of a channel keeps all paths within the period and creates no cycle; otherwise
    /// restores the arrival times.
    fn keeps_clock_without(&self, wire: usize, chosen: &[bool], arrivals: &mut [Arrival]) -> bool {
        let mut before: Vec<(usize, Arrival)> = Vec::new();
        let mut open = vec![wire];
        let mut keeps = true;
        'all: while let Some(from) = open.pop() {
            if self.is_late(from, arrivals[from]) {
                keeps = false;
                break;
            }
            for to in self.goes_on(from, chosen) {
                let later = self.arrival(to, chosen, arrivals);
                if later.is_within(arrivals[to]) {
                    continue;
                }
                if to == wire {
                    keeps = false;
                    break 'all;
                }
                before.push((to, arrivals[to]));
                arrivals[to] = later;
                if !chosen[to] {
                    open.push(to);
                }
            }
        }
        if !keeps {
            for (to, arrival) in before.into_iter().rev() {
                arrivals[to] = arrival;
            }
        }
        keeps
    }
}
