//! Times of which each is at least another one and some cycles: the least ones, and whether they stay early enough with other differences.
//!
//! Times are raised until all differences hold. If one hangs on itself, the differences around that ring add up to more than none, and there
//! are no times; that is looked at whenever a time is raised on which others hang.
//!
//! Source: Cherkassky, Goldberg, Negative-cycle detection algorithms, Mathematical Programming 85 (1999), with a walk to the
//! ancestors of what is raised; Cotton, Maler, Fast and flexible difference constraint propagation, SAT 2006, for differences that come later.

use std::collections::VecDeque;

/// `time(to) >= time(from) + cycles`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) cycles: i64,
}

/// Why there are no times.
pub(super) enum Fault {
    /// The differences around a ring.
    Ring(Vec<Difference>),
    /// An end would come later.
    Later,
}

/// Differences between times, and times for which they hold.
pub(super) struct Differences {
    /// With whether each still holds.
    all: Vec<(Difference, bool)>,
    /// By time: the differences from it.
    from: Vec<Vec<usize>>,
    times: Vec<i64>,
    /// Times that may not be later than some cycle.
    ends: Vec<usize>,
    is_end: Vec<bool>,
    latest: Option<i64>,
    /// Whether no times could be earlier.
    is_least: bool,
    /// Differences looked at.
    work: usize,
    traces: Traces,
}

/// What raising times leaves behind, until times are raised again.
#[derive(Default)]
struct Traces {
    /// By time: the difference that raised it last.
    because: Vec<Option<usize>>,
    /// By time: whether others hang on it.
    leads: Vec<bool>,
    is_open: Vec<bool>,
    /// Times that were looked at, each with what it was before.
    before: Vec<(usize, i64)>,
}

impl Traces {
    fn clear(&mut self) {
        for (time, _) in self.before.drain(..) {
            self.because[time] = None;
            self.leads[time] = false;
            self.is_open[time] = false;
        }
    }
}

impl Differences {
    /// None between some times, of which some are ends.
    pub(super) fn new(n_times: usize, ends: Vec<usize>) -> Self {
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
            traces: Traces {
                because: vec![None; n_times],
                leads: vec![false; n_times],
                is_open: vec![false; n_times],
                before: Vec::new(),
            },
        }
    }

    /// Asks for one, which gets the next number.
    pub(super) fn ask(&mut self, difference: Difference) {
        self.from[difference.from].push(self.all.len());
        self.all.push((difference, true));
    }

    /// How many were asked for.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Differences looked at so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Asks no more for one.
    pub(super) fn drop(&mut self, number: usize) {
        self.all[number].1 = false;
    }

    /// Finds the least times, no end later than it may be.
    ///
    /// # Errors
    /// A ring around which times grow without end, or an end that comes too late.
    pub(super) fn solve(&mut self) -> Result<(), Fault> {
        self.times.fill(0);
        let open = (0..self.times.len()).collect();
        self.raise(open)?;
        self.is_least = true;
        Ok(())
    }

    /// Lets no end be later than the last one is now.
    pub(super) fn keep_ends(&mut self) {
        self.latest = self.ends.iter().map(|end| self.times[*end]).max();
    }

    /// Asks for some differences in the place of others, by their numbers, if there are times for them: whether there are. The others are to
    /// hold with the times of now.
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

    /// Takes back what was raised last.
    fn lower(&mut self) {
        for (time, before) in self.traces.before.iter().rev() {
            self.times[*time] = *before;
        }
    }

    /// Raises times behind some until all differences hold.
    fn raise(&mut self, mut open: VecDeque<usize>) -> Result<(), Fault> {
        self.traces.clear();
        let Traces {
            because,
            leads,
            is_open,
            before,
        } = &mut self.traces;
        for time in &open {
            is_open[*time] = true;
            before.push((*time, self.times[*time]));
        }
        while let Some(from) = open.pop_front() {
            is_open[from] = false;
            self.work += self.from[from].len();
            for number in &self.from[from] {
                let (difference, holds) = self.all[*number];
                let to = difference.to;
                let least = self.times[from] + difference.cycles;
                if !holds || self.times[to] >= least {
                    continue;
                }
                if because[to].replace(*number).is_none() {
                    before.push((to, self.times[to]));
                }
                leads[from] = true;
                if leads[to] {
                    let mut n_seen = 0;
                    let hangs_on = |time: &usize| because[*time].map(|n| self.all[n].0.from);
                    let mut way = std::iter::successors(hangs_on(&to), hangs_on);
                    let is_ring = way.any(|time| {
                        n_seen += 1;
                        time == to
                    });
                    self.work += n_seen;
                    if is_ring {
                        return Err(Fault::Ring(ring(&self.all, because, to)));
                    }
                }
                self.times[to] = least;
                if self.is_end[to] && self.latest.is_some_and(|latest| least > latest) {
                    return Err(Fault::Later);
                }
                if !is_open[to] {
                    is_open[to] = true;
                    open.push_back(to);
                }
            }
        }
        Ok(())
    }
}

/// The differences by which a time hangs on itself.
fn ring(all: &[(Difference, bool)], because: &[Option<usize>], start: usize) -> Vec<Difference> {
    let mut ring = Vec::new();
    let mut at = start;
    while let Some(number) = because[at] {
        let (difference, _) = all[number];
        ring.push(difference);
        at = difference.from;
        if at == start {
            break;
        }
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::{Difference, Differences, Fault};

    /// The least times by going through all differences as often as times can hang on each other.
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
        let (mut n_rings, mut n_kept, mut n_refused) = (0, 0, 0);
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
            let mut asked = Differences::new(n_times, vec![0, 1]);
            all.iter().for_each(|difference| asked.ask(*difference));
            let expected = least(n_times, &all);
            match (asked.solve(), &expected) {
                (Ok(()), Some(times)) => assert_eq!(&asked.times, times, "case {case}"),
                (Err(Fault::Ring(ring)), None) => {
                    let cycles: i64 = ring.iter().map(|difference| difference.cycles).sum();
                    assert!(cycles > 0, "case {case}");
                    n_rings += 1;
                    continue;
                }
                _ => panic!("case {case}: {expected:?}"),
            }
            asked.keep_ends();
            let last = asked.times[0].max(asked.times[1]);
            let mut numbers: Vec<usize> = (0..all.len()).collect();
            for (i, new) in new.into_iter().enumerate() {
                let mut tried = all.clone();
                let gone = tried.swap_remove(i);
                tried.push(new);
                tried.push(new);
                let times = least(n_times, &tried);
                let is_right = times.is_some_and(|times| times[0].max(times[1]) <= last);
                let number = asked.len();
                let is_done = asked.exchange(&[numbers[i]], &[new]);
                assert_eq!(is_done, is_right, "case {case}: {new:?} for {gone:?}");
                let holds = |(d, holds): &(Difference, bool)| {
                    !holds || asked.times[d.to] >= asked.times[d.from] + d.cycles
                };
                assert!(asked.all.iter().all(holds), "case {case}");
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
        assert!(n_rings > 20 && n_kept > 200 && n_refused > 200);
    }
}
