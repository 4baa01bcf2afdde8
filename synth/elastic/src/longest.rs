//! Longest paths in weighted graphs, with detection of positive cycles.

/// Returns for each node the maximum weight of a path to it, at least 0, given edges with weights.
///
/// The predecessor graph contains a cycle soon after a cycle of positive weight was followed, and never without one (B. V.
/// Cherkassky, A. V. Goldberg, Negative-cycle detection algorithms, Mathematical Programming 85, 1999). Each iteration checks
/// this.
///
/// # Errors
/// A cycle of positive weight, in the direction of the edges.
pub(crate) fn longest(
    n_places: usize,
    ways: impl Iterator<Item = (usize, usize, i64)> + Clone,
) -> Result<Vec<i64>, Vec<usize>> {
    let mut sums = vec![0_i64; n_places];
    let mut before: Vec<Option<usize>> = vec![None; n_places];
    loop {
        let mut is_changed = false;
        for (from, to, more) in ways.clone() {
            let sum = sums[from].saturating_add(more);
            if sum > sums[to] {
                sums[to] = sum;
                before[to] = Some(from);
                is_changed = true;
            }
        }
        if !is_changed {
            return Ok(sums);
        }
        if let Some(graph_cycle) = find_cycle(&before) {
            return Err(graph_cycle);
        }
    }
}

/// Returns a cycle of the predecessor graph, in the direction of the edges, if there is one.
pub(crate) fn find_cycle(before: &[Option<usize>]) -> Option<Vec<usize>> {
    // The number of the walk in which each node was met; 0: not yet.
    let mut met = vec![0; before.len()];
    for start in 0..before.len() {
        let mut at = start;
        while met[at] == 0 {
            met[at] = start + 1;
            match before[at] {
                Some(next) => at = next,
                None => break,
            }
        }
        if met[at] == start + 1 && before[at].is_some() {
            let mut found = vec![at];
            while let Some(next) = before[found[found.len() - 1]].filter(|next| *next != at) {
                found.push(next);
            }
            found.reverse();
            return Some(found);
        }
    }
    None
}
