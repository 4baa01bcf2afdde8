//! Incremental solver for difference constraints: computes the least times, and checks whether they stay early enough when
//! constraints are exchanged.
//!
//! Times are raised until all constraints hold. The constraints that raised times form a tree. When a time in the tree is raised
//! again, its subtree is removed, since its times will be raised again too. If the raising time is in that subtree, the
//! constraints around that cycle have a positive sum, and there is no solution.
//!
//! Source: R. E. Tarjan's subtree disassembly, as in Cherkassky, Goldberg, Negative-cycle detection algorithms, Mathematical
//! Programming 85 (1999); Cotton, Maler, Fast and flexible difference constraint propagation, SAT 2006, for constraints that are
//! added later.

use std::collections::VecDeque;

/// The constraint `time(to) >= time(from) + cycles`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) cycles: i64,
}

/// The reason why there is no solution.
pub(super) enum Fault {
    /// The constraints around a cycle of positive weight.
    Cycle(Vec<Difference>),
    /// An end time would exceed its limit.
    Later,
    /// The work limit was reached.
    Unknown,
}

/// Difference constraints, and times that satisfy them.
pub(super) struct Differences {
    /// The constraints, each with whether it is active.
    all: Vec<(Difference, bool)>,
    /// For each time, the constraints from it.
    from: Vec<Vec<usize>>,
    times: Vec<i64>,
    /// Times that must not exceed the limit `latest`.
    ends: Vec<usize>,
    is_end: Vec<bool>,
    latest: Option<i64>,
    /// True if the times are the least solution.
    is_least: bool,
    /// Number of visited constraints.
    work: usize,
    /// The limit of that number.
    max_work: usize,
    traces: Traces,
}

/// The state of raising times, which is kept until the next run: the tree of constraints that raised times. The tree is stored as
/// a list in preorder: each time precedes its subtree. The root is no time; times raised without another one are its children.
struct Traces {
    /// For each time in the tree: the constraint that raised it last.
    because: Vec<Option<usize>>,
    /// For each time: its depth in the tree; 0 for the root and for times outside the tree.
    level: Vec<usize>,
    /// For each time in the tree, and the root as last element: the neighbours in the list.
    next: Vec<usize>,
    previous: Vec<usize>,
    is_open: Vec<bool>,
    is_noted: Vec<bool>,
    /// Times that were visited, each with its previous value.
    before: Vec<(usize, i64)>,
}

impl Traces {
    fn new(n_times: usize) -> Self {
        Self {
            because: vec![None; n_times],
            level: vec![0; n_times + 1],
            next: vec![n_times; n_times + 1],
            previous: vec![n_times; n_times + 1],
            is_open: vec![false; n_times],
            is_noted: vec![false; n_times],
            before: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for (time, _) in self.before.drain(..) {
            self.because[time] = None;
            self.level[time] = 0;
            self.is_open[time] = false;
            self.is_noted[time] = false;
        }
        let root = self.because.len();
        (self.next[root], self.previous[root]) = (root, root);
    }

    fn note(&mut self, time: usize, was: i64) {
        if !self.is_noted[time] {
            self.is_noted[time] = true;
            self.before.push((time, was));
        }
    }

    /// Inserts a time into the tree as a child of `on`, which is in the tree or is the root.
    fn hang(&mut self, time: usize, on: usize) {
        let next = self.next[on];
        self.level[time] = self.level[on] + 1;
        (self.previous[time], self.next[time]) = (on, next);
        self.next[on] = time;
        self.previous[next] = time;
    }

    /// Removes a time and its subtree from the tree; returns their number, or `None` if `other` is among them.
    fn take_out(&mut self, time: usize, other: usize) -> Option<usize> {
        let level = self.level[time];
        if level == 0 {
            return Some(0);
        }
        let mut n_taken = 1;
        let mut behind = self.next[time];
        while self.level[behind] > level {
            if behind == other {
                return None;
            }
            self.level[behind] = 0;
            self.is_open[behind] = false;
            n_taken += 1;
            behind = self.next[behind];
        }
        let front = self.previous[time];
        self.next[front] = behind;
        self.previous[behind] = front;
        self.level[time] = 0;
        Some(n_taken)
    }
}

impl Differences {
    /// Creates a system without constraints; `max_work` limits the number of visited constraints over all runs.
    pub(super) fn new(n_times: usize, ends: Vec<usize>, max_work: usize) -> Self {
        let mut is_end = vec![false; n_times];
        ends.iter().for_each(|end| is_end[*end] = true);
        Self {
            all: Vec::new(),
            from: vec![Vec::new(); n_times],
            times: vec![0; n_times],
            ends,
            is_end,
            latest: None,
            is_least: false,
            work: 0,
            max_work,
            traces: Traces::new(n_times),
        }
    }

    /// Adds a constraint, which gets the next number.
    pub(super) fn ask(&mut self, difference: Difference) {
        self.from[difference.from].push(self.all.len());
        self.all.push((difference, true));
    }

    /// Returns the number of constraints ever added.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether the work limit was reached.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work > self.max_work
    }

    /// Deactivates a constraint.
    pub(super) fn drop(&mut self, number: usize) {
        self.all[number].1 = false;
    }

    /// Finds times that satisfy all constraints, none earlier than the current ones; there must be no limit for the ends yet.
    ///
    /// # Errors
    /// A cycle of positive weight.
    pub(super) fn go_on(&mut self) -> Result<(), Fault> {
        self.is_least = false;
        self.raise((0..self.times.len()).collect())
    }

    /// Finds the least times, with no end later than its limit.
    ///
    /// # Errors
    /// A cycle of positive weight, or an end that is too late.
    pub(super) fn solve(&mut self) -> Result<(), Fault> {
        self.times.fill(0);
        let open = (0..self.times.len()).collect();
        self.raise(open)?;
        self.is_least = true;
        Ok(())
    }

    /// Limits the ends to the latest current end.
    pub(super) fn keep_ends(&mut self) {
        self.latest = self.ends.iter().map(|end| self.times[*end]).max();
    }

    /// Replaces constraints, given by number, by new ones if that has a solution; returns whether it has. The current times must
    /// satisfy the old constraints.
    pub(super) fn exchange(&mut self, gone: &[usize], new: &[Difference]) -> bool {
        let was_least = self.is_least;
        let n_before = self.all.len();
        gone.iter().for_each(|number| self.drop(*number));
        new.iter().for_each(|difference| self.ask(*difference));
        let open = new.iter().map(|difference| difference.from).collect();
        let mut found = self.raise(open);
        let is_implied = |number: &usize| {
            let (old, _) = self.all[*number];
            let mut alike = new.iter().filter(|d| (d.from, d.to) == (old.from, old.to));
            alike.any(|difference| difference.cycles >= old.cycles)
        };
        self.is_least = was_least && gone.iter().all(is_implied);
        if found.is_err() {
            self.lower();
        }
        if matches!(found, Err(Fault::Later)) && !self.is_least {
            let times = self.times.clone();
            found = self.solve();
            if found.is_err() {
                self.times = times;
            }
        }
        if found.is_ok() {
            return true;
        }
        for (difference, _) in self.all.drain(n_before..) {
            self.from[difference.from].pop();
        }
        gone.iter().for_each(|number| self.all[*number].1 = true);
        self.is_least = was_least;
        false
    }

    /// Restores the times from before the last raising.
    fn lower(&mut self) {
        for (time, before) in self.traces.before.iter().rev() {
            self.times[*time] = *before;
        }
    }

    /// Raises times that depend on the open ones until all constraints hold.
    fn raise(&mut self, mut open: VecDeque<usize>) -> Result<(), Fault> {
        let traces = &mut self.traces;
        traces.clear();
        let root = self.times.len();
        for time in &open {
            if !traces.is_open[*time] {
                traces.is_open[*time] = true;
                traces.note(*time, self.times[*time]);
                traces.hang(*time, root);
            }
        }
        while let Some(from) = open.pop_front() {
            // A time that was removed from the tree is queued again when it is raised.
            if !std::mem::take(&mut traces.is_open[from]) {
                continue;
            }
            if self.work > self.max_work {
                return Err(Fault::Unknown);
            }
            self.work += self.from[from].len();
            for number in &self.from[from] {
                let (difference, holds) = self.all[*number];
                let to = difference.to;
                let least = self.times[from] + difference.cycles;
                if !holds || self.times[to] >= least {
                    continue;
                }
                traces.note(to, self.times[to]);
                traces.because[to] = Some(*number);
                let taken = traces.take_out(to, from).filter(|_| to != from);
                let Some(n_taken) = taken else {
                    return Err(Fault::Cycle(trace_cycle(&self.all, &traces.because, to)));
                };
                self.work += n_taken;
                traces.hang(to, from);
                self.times[to] = least;
                if self.is_end[to] && self.latest.is_some_and(|latest| least > latest) {
                    return Err(Fault::Later);
                }
                traces.is_open[to] = true;
                open.push_back(to);
            }
        }
        Ok(())
    }
}

/// Returns the constraints of the cycle through a time.
fn trace_cycle(
    all: &[(Difference, bool)],
    because: &[Option<usize>],
    start: usize,
) -> Vec<Difference> {
    let mut graph_cycle = Vec::new();
    let mut at = start;
    while let Some(number) = because[at] {
        let (difference, _) = all[number];
        graph_cycle.push(difference);
        at = difference.from;
        if at == start {
            break;
        }
    }
    graph_cycle
}

#[cfg(test)]
mod tests {
    use super::{Difference, Differences, Fault};

    /// Computes the least times with the Bellman-Ford algorithm.
    fn least(n_times: usize, all: &[Difference]) -> Option<Vec<i64>> {
        let mut times = vec![0; n_times];
        for _ in 0..=n_times {
            let before = times.clone();
            for difference in all {
                let least = times[difference.from] + difference.cycles;
                times[difference.to] = times[difference.to].max(least);
            }
            if times == before {
                return Some(times);
            }
        }
        None
    }

    #[test]
    fn times_are_the_least_and_exchanges_keep_those_that_have_times_with_no_later_end() {
        let mut state = 5_u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % n
        };
        let n_times = 7;
        let (mut n_cycles_found, mut n_kept, mut n_refused) = (0, 0, 0);
        for case in 0..500 {
            let mut any = || {
                let mut time = || usize::try_from(below(n_times)).expect("small");
                let (from, to) = (time(), time());
                let cycles = i64::try_from(below(8)).expect("small") - 5;
                Difference { from, to, cycles }
            };
            let mut all: Vec<Difference> = (0..14).map(|_| any()).collect();
            let new: Vec<Difference> = (0..12).map(|_| any()).collect();
            let n_times = usize::try_from(n_times).expect("small");
            let mut system = Differences::new(n_times, vec![0, 1], 1_000_000);
            all.iter().for_each(|difference| system.ask(*difference));
            let expected = least(n_times, &all);
            match (system.solve(), &expected) {
                (Ok(()), Some(times)) => assert_eq!(&system.times, times, "case {case}"),
                (Err(Fault::Cycle(graph_cycle)), None) => {
                    let cycles: i64 = graph_cycle.iter().map(|difference| difference.cycles).sum();
                    assert!(cycles > 0, "case {case}");
                    n_cycles_found += 1;
                    continue;
                }
                _ => panic!("case {case}: {expected:?}"),
            }
            system.keep_ends();
            let last = system.times[0].max(system.times[1]);
            let mut numbers: Vec<usize> = (0..all.len()).collect();
            for (i, new) in new.into_iter().enumerate() {
                let mut tried = all.clone();
                let gone = tried.swap_remove(i);
                tried.push(new);
                tried.push(new);
                let times = least(n_times, &tried);
                let is_right = times.is_some_and(|times| times[0].max(times[1]) <= last);
                let number = system.len();
                let is_done = system.exchange(&[numbers[i]], &[new]);
                assert_eq!(is_done, is_right, "case {case}: {new:?} for {gone:?}");
                let holds = |(d, holds): &(Difference, bool)| {
                    !holds || system.times[d.to] >= system.times[d.from] + d.cycles
                };
                assert!(system.all.iter().all(holds), "case {case}");
                match is_done {
                    true => {
                        all = tried;
                        numbers.swap_remove(i);
                        numbers.push(number);
                        n_kept += 1;
                    }
                    false => n_refused += 1,
                }
            }
        }
        assert!(n_cycles_found > 20 && n_kept > 200 && n_refused > 200);
    }
}
