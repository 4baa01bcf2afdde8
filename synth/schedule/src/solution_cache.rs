//! Memoises solved problems: trial compilations differ in one loop and schedule the other loops again.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::ScheduleError;
use crate::options::SolverOptions;
use crate::problem::Problem;
use crate::solve::{Solution, solve};

/// Limit in bytes of the stored problems; problems that do not fit are solved every time.
const MAX_BYTES: usize = 32 << 20;

/// Cache of solutions, shared by threads. It changes no result, only the time.
#[derive(Clone, Default)]
pub struct SolutionCache {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    /// Solutions by the text of everything that the solver sees.
    solutions: BTreeMap<String, Result<Solution, ScheduleError>>,
    n_bytes: usize,
}

impl fmt::Debug for SolutionCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolutionCache").finish_non_exhaustive()
    }
}

impl SolutionCache {
    /// Returns the result of [`solve`], from the cache if the problem is known. Problems with a time limit are not cached.
    ///
    /// # Errors
    /// Those of [`solve`].
    pub fn solve(
        &self,
        problem: &Problem,
        options: &SolverOptions,
    ) -> Result<Solution, ScheduleError> {
        if options.deadline.is_some() || options.exact_time_limit_s.is_some() {
            return solve(problem, options);
        }
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{problem:?}{options:?}");
        let known = lock().solutions.get(&key).cloned();
        if let Some(solution) = known {
            return solution;
        }
        let solution = solve(problem, options);
        let mut kept = lock();
        if kept.n_bytes + key.len() <= MAX_BYTES {
            kept.n_bytes += key.len();
            kept.solutions.insert(key, solution.clone());
        }
        solution
    }
}
