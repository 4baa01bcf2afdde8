//! The nearest known word to one that is not known.

/// The known word nearest to `word`, if it is near enough to be meant; ties go to the first in `known`.
///
/// Complexity: product of the two lengths, for each known word.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    known
        .iter()
        .map(|candidate| (edit_distance(word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// What to say after a word that is not known: the nearest one, or else all of them.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => {
            let list: Vec<String> = known
                .iter()
                .map(|candidate| format!("`{candidate}`"))
                .collect();
            format!("what fits: {}", list.join(", "))
        }
    }
}

/// The least number of insertions, deletions and replacements that turn one word into the other.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (left_idx, left_char) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = left_idx + 1;
        for (right_idx, right_char) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(left_char != *right_char);
            diagonal = row[right_idx + 1];
            row[right_idx + 1] = replaced.min(diagonal + 1).min(row[right_idx] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        assert_eq!(edit_distance("delay", "dealy"), 2);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(
            nearest("widht_bits", &["delay_ns", "width_bits"]),
            Some("width_bits")
        );
        assert_eq!(nearest("colour", &["delay_ns", "width_bits"]), None);
    }
}
