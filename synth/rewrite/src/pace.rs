//! Minimum time per iteration of the recurrences of a loop, and arrival times of carried values at that rate.
//!
//! A value that is only passed through some iterations before it is used arrives early, so its readers may be slower. A
//! dependence cycle over `k` iterations whose paths take `t` ns needs `t / k` per iteration, and the slowest cycle determines the
//! rate.
//!
//! Source: R. M. Karp, "A characterization of the minimum cycle mean in a digraph", Discrete Mathematics 23, 1978.

/// Tolerance for sums of floats.
pub(crate) const EPSILON: f64 = 1e-6;

/// Limit of carried values on common dependence cycles; above it only the longest path counts.
const MAX_MEMBERS: usize = 128;

/// Timing of each place among the carried values of a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// Time per iteration that its slowest dependence cycle needs, in ns; 0 if it is on no cycle.
    pub(crate) iteration_ns: Vec<f64>,
    /// Arrival time in ns, relative to the latest value on the slowest cycle.
    pub(crate) head_ns: Vec<f64>,
}

impl Pace {
    /// Computes the pace of `n_places` values. `path_ns(from, to)` is the longest path from one value to the value yielded for
    /// another, not finite if there is none; `recurrences` are groups of places that are on common dependence cycles.
    pub(crate) fn of(
        n_places: usize,
        recurrences: &[Vec<usize>],
        path_ns: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut pace = Self {
            iteration_ns: vec![0.0; n_places],
            head_ns: vec![0.0; n_places],
        };
        for members in recurrences {
            let paths: Vec<Vec<f64>> = members
                .iter()
                .map(|from| members.iter().map(|to| path_ns(*from, *to)).collect())
                .collect();
            let (iteration_ns, heads) = match members.len() <= MAX_MEMBERS {
                true => {
                    let mean_ns = max_mean(&paths);
                    (mean_ns, heads(&paths, mean_ns))
                }
                false => {
                    let longest = paths.iter().flatten().copied().fold(0.0, f64::max);
                    (longest, vec![0.0; members.len()])
                }
            };
            for (place, head_ns) in members.iter().zip(heads) {
                pace.iteration_ns[*place] = iteration_ns;
                pace.head_ns[*place] = head_ns;
            }
        }
        pace
    }

    /// Returns true if a path does not lengthen the time per iteration.
    pub(crate) fn allows(&self, from: usize, to: usize, path_ns: f64) -> bool {
        let time = |of: &[f64], place: usize| of.get(place).copied().unwrap_or(0.0);
        let there_ns = time(&self.head_ns, to) + time(&self.iteration_ns, to);
        time(&self.head_ns, from) + path_ns <= there_ns + EPSILON
    }
}

/// Returns the greatest mean path of a cycle; every value must reach every other one.
fn max_mean(paths: &[Vec<f64>]) -> f64 {
    let n = paths.len();
    // Longest way to each value, by the number of paths.
    let mut longest = vec![vec![0.0; n]];
    for step in 0..n {
        let next = onwards(paths, &longest[step]);
        longest.push(next);
    }
    let means = (0..n).map(|to| {
        let rest = (0..n).map(|k| {
            let steps = u32::try_from(n - k).expect("few values");
            (longest[n][to] - longest[k][to]) / f64::from(steps)
        });
        rest.fold(f64::INFINITY, f64::min)
    });
    means.fold(0.0, f64::max)
}

/// Returns the longest way to each value that has one path more than `ways`.
fn onwards(paths: &[Vec<f64>], ways: &[f64]) -> Vec<f64> {
    let to = 0..paths.len();
    let longest = |to: usize| {
        let all = paths.iter().zip(ways).map(|(row, way)| way + row[to]);
        all.fold(f64::NEG_INFINITY, f64::max)
    };
    to.map(longest).collect()
}

/// Computes the arrival time of each value at a pace, relative to the latest value on the slowest cycles.
fn heads(paths: &[Vec<f64>], pace_ns: f64) -> Vec<f64> {
    let n = paths.len();
    let settle = |mut heads: Vec<f64>| {
        for _ in 0..n {
            let next = onwards(paths, &heads);
            for (head, way) in heads.iter_mut().zip(next) {
                *head = head.max(way - pace_ns);
            }
        }
        heads
    };
    let early = settle(vec![0.0; n]);
    // A value with a tight path from and to other such values is on a slowest cycle, or between two.
    let is_tight = |from: usize, to: usize| {
        (early[from] + paths[from][to] - pace_ns - early[to]).abs() <= EPSILON
    };
    let mut is_slowest = vec![true; n];
    loop {
        let stays = |at: usize| {
            let mut others = (0..n).filter(|other| is_slowest[*other]);
            let mut more = others.clone();
            others.any(|from| is_tight(from, at)) && more.any(|to| is_tight(at, to))
        };
        let kept: Vec<bool> = (0..n).map(|at| is_slowest[at] && stays(at)).collect();
        if kept == is_slowest {
            break;
        }
        is_slowest = kept;
    }
    let on_slowest = early.iter().zip(&is_slowest);
    let last = on_slowest
        .clone()
        .filter(|(_, is_slowest)| **is_slowest)
        .fold(f64::NEG_INFINITY, |last, (head, _)| last.max(*head));
    if !last.is_finite() {
        return vec![0.0; n];
    }
    let start = on_slowest.map(|(head, is_slowest)| match is_slowest {
        true => head - last,
        false => f64::NEG_INFINITY,
    });
    settle(start.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(n: usize, paths: &[(usize, usize, f64)]) -> Pace {
        let path = |from, to| {
            let known = paths.iter().find(|(a, b, _)| (*a, *b) == (from, to));
            known.map_or(f64::NEG_INFINITY, |(_, _, ns)| *ns)
        };
        Pace::of(n, &[(0..n).collect()], path)
    }

    #[test]
    fn what_is_handed_on_for_three_iterations_is_there_so_much_earlier() {
        let paths = [
            (0, 0, 4.0),
            (0, 1, 0.0),
            (1, 2, 0.0),
            (2, 3, 0.0),
            (3, 0, 6.0),
        ];
        let pace = pace(4, &paths);
        assert_eq!(pace.iteration_ns, [4.0; 4]);
        assert_eq!(pace.head_ns, [0.0, -4.0, -8.0, -12.0]);
        assert!(pace.allows(3, 0, 16.0) && !pace.allows(3, 0, 16.1));
    }

    #[test]
    fn a_cycle_over_two_iterations_has_the_mean_of_its_paths() {
        let pace = pace(2, &[(0, 1, 1.0), (1, 0, 5.0)]);
        assert_eq!(pace.iteration_ns, [3.0; 2]);
        assert_eq!(pace.head_ns, [0.0, -2.0]);
    }

    #[test]
    fn values_without_delays_have_no_pace() {
        let pace = pace(2, &[(0, 1, 0.0), (1, 0, 0.0)]);
        assert_eq!(pace.iteration_ns, [0.0; 2]);
        assert_eq!(pace.head_ns, [0.0; 2]);
    }
}
