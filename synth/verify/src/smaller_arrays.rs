//! Data for an array that has fewer words than the memory holds: the words that are left out are 0.

use serde_yaml::Value;
use sluice_ir::Exact;
use sluice_ir::bits::Bits;

/// Reads the word of a number.
pub(crate) type Word<'a> = &'a dyn Fn(&Value) -> Result<Bits, String>;

/// Returns the words of a memory with these extents from a list with fewer words: rows in lists, each with as many words as are
/// known, or the first words of the memory where the list has whole rows.
///
/// # Errors
/// A list that is longer than a dimension, or that does not fit the dimensions.
pub(crate) fn padded(
    value: &Value,
    extents: &[usize],
    zero: &Bits,
    word: Word<'_>,
) -> Result<Vec<Bits>, String> {
    let shape = extents.iter().map(ToString::to_string);
    let shape = shape.collect::<Vec<_>>().join("x");
    let misfit = || {
        format!("the memory has at most {shape} words: give rows in lists, or a list of whole rows")
    };
    let list = value.as_sequence().ok_or_else(misfit)?;
    let product = |extents: &[usize]| {
        let n_words = Exact::product(extents.iter().copied()).to_u64();
        n_words
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(misfit)
    };
    let n_words = product(extents)?;
    let n_inner = product(extents.get(1..).unwrap_or_default())?;
    let mut words = Vec::new();
    if list.iter().any(Value::is_sequence) {
        let [extent, inner @ ..] = extents else {
            return Err(misfit());
        };
        if inner.is_empty() || list.len() > *extent {
            return Err(misfit());
        }
        for row in list {
            words.extend(padded(row, inner, zero, word).map_err(|_| misfit())?);
        }
    } else {
        if list.len() > n_words || n_inner == 0 || list.len() % n_inner != 0 {
            return Err(misfit());
        }
        for one in list {
            words.push(word(one)?);
        }
    }
    words.resize(n_words, zero.clone());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use sluice_ir::bits::Bits;

    use super::padded;
    use crate::data_words::word;

    fn read(text: &str, extents: &[usize]) -> Result<Vec<u64>, String> {
        let value = serde_yaml::from_str(text).expect("YAML");
        let words = padded(&value, extents, &Bits::zero(8), &|value| word(value, 8))?;
        Ok(words.iter().filter_map(|word| word.to_u64()).collect())
    }

    #[test]
    fn rows_and_columns_that_are_left_out_are_zero() {
        assert_eq!(read("[1, 2]", &[4]), Ok(vec![1, 2, 0, 0]));
        assert_eq!(
            read("[[1, 2], [3]]", &[3, 3]),
            Ok(vec![1, 2, 0, 3, 0, 0, 0, 0, 0])
        );
        assert_eq!(read("[1, 2, 3, 4]", &[3, 2]), Ok(vec![1, 2, 3, 4, 0, 0]));
    }

    #[test]
    fn lists_that_do_not_fit_are_errors() {
        let wrong = [
            ("[1, 2, 3]", &[3, 2][..]),
            ("[[1, 2, 3]]", &[3, 2]),
            ("[[1], [2], [3], [4]]", &[3, 2]),
            ("[[1]]", &[4]),
            ("[1, 2, 3, 4, 5, 6, 7, 8]", &[3, 2]),
        ];
        for (text, extents) in wrong {
            let found = read(text, extents);
            assert!(found.is_err_and(|why| why.contains("at most")), "{text}");
        }
    }
}
