//! How many nanoseconds recurrences need for each iteration, and when carried values are there at that pace.
//!
//! A value that is only handed on for some iterations before it is used is there early: what reads it may be slower for it. A circle over
//! `k` iterations whose paths take `t` ns needs `t / k` for each, and the slowest circle sets the pace.
//!
//! Source: R. M. Karp, "A characterization of the minimum cycle mean in a digraph", Discrete Mathematics 23, 1978.

/// Tolerance for sums of floats.
pub(crate) const EPSILON: f64 = 1e-6;

/// Carried values on one another's circles above which only the longest path is looked at.
const MOST_MEMBERS: usize = 128;

/// Of each place among the carried values of a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// What its slowest circle needs for each iteration, in ns; 0 on no circle.
    pub(crate) iteration_ns: Vec<f64>,
    /// When it is there, in ns before or behind the last one of those on the slowest circle.
    pub(crate) head_ns: Vec<f64>,
}

impl Pace {
    /// The pace of `n_places` values. `path_ns(from, to)` is the longest path from one to what is passed on for another, not finite
    /// without one; `recurrences` are the places that lie on one another's circles.
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
            let (iteration_ns, heads) = match members.len() <= MOST_MEMBERS {
                true => {
                    let mean_ns = greatest_mean(&paths);
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

    /// Returns true if a path is no reason to slow down.
    pub(crate) fn allows(&self, from: usize, to: usize, path_ns: f64) -> bool {
        let time = |of: &[f64], place: usize| of.get(place).copied().unwrap_or(0.0);
        let there_ns = time(&self.head_ns, to) + time(&self.iteration_ns, to);
        time(&self.head_ns, from) + path_ns <= there_ns + EPSILON
    }
}

/// Returns the greatest mean of the paths of a circle; every value leads to every other one.
fn greatest_mean(paths: &[Vec<f64>]) -> f64 {
    let n = paths.len();
    // By number of paths: the longest way to each value.
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

/// Returns the longest way to each value that goes one path further than `ways`.
fn onwards(paths: &[Vec<f64>], ways: &[f64]) -> Vec<f64> {
    let to = 0..paths.len();
    let longest = |to: usize| {
        let all = paths.iter().zip(ways).map(|(row, way)| way + row[to]);
        all.fold(f64::NEG_INFINITY, f64::max)
    };
    to.map(longest).collect()
}

/// When each value is there at a pace, against the last one on the circles that set it.
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
    // What waits for another that waits for it in the end is on a slowest circle, or between two.
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
    fn a_circle_over_two_iterations_has_the_mean_of_its_paths() {
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
