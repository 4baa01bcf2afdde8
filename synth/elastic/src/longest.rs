//! Longest ways, and rings that have none.

/// For each place the greatest sum over a way to it, none at least, of ways between places with what each adds.
///
/// Who raised whom last leads back to itself soon after a ring adds up to more than none, and never before (B. V. Cherkassky, A. V. Goldberg,
/// Negative-cycle detection algorithms, Mathematical Programming 85, 1999): that is looked at after each round.
///
/// # Errors
/// A ring around which sums grow without end, in the direction of the ways.
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
        if let Some(ring) = ring(&before) {
            return Err(ring);
        }
    }
}

/// A ring of those before each other, from the first one to the last, if there is one.
pub(crate) fn ring(before: &[Option<usize>]) -> Option<Vec<usize>> {
    // The walk in which each was met; 0: none yet.
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
