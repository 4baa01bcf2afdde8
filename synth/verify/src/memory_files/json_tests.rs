//! Tests of JSON lists: words of any width in the shape of the memory, and errors.

use sluice_ir::bits::Bits;

use super::words;
use crate::memory_files::Wanted;

fn wanted(shape: &[usize], width_bits: u32) -> Wanted {
    Wanted {
        shape: shape.to_vec(),
        width_bits,
        format: None,
        fill: None,
    }
}

#[test]
fn lists_are_flat_or_in_the_shape_of_the_memory() {
    let expected: Vec<Bits> = [1, 2, 3, -4].map(|n| Bits::from_i64(16, n)).to_vec();
    for text in [
        "[1, 2, 3, -4]",
        "[[1,2],\n [3,-4]]\n",
        " [ [ \"1\", 2 ] , [ 0x3 , \"-4\" ] ] ",
    ] {
        assert_eq!(
            words(text, &wanted(&[2, 2], 16)).as_ref(),
            Ok(&expected),
            "{text}"
        );
    }
    let wide = words(
        "[340282366920938463463374607431768211455]",
        &wanted(&[1], 128),
    );
    assert_eq!(wide, Ok(vec![Bits::ones(128)]));
    assert_eq!(words("7", &wanted(&[], 8)), Ok(vec![Bits::from_u64(8, 7)]));
}

#[test]
fn what_does_not_fit_is_said_with_its_place() {
    for (text, place, expected) in [
        ("[1,\n 300]", Some((2, 2)), "`300` does not fit 8 bits"),
        ("[1, 1.5]", Some((1, 5)), "`1.5` is no whole number"),
        ("[1, 2", Some((1, 6)), "expected `,` or `]`"),
        ("[1, ]", Some((1, 5)), "expected a whole number"),
        ("[1, 2] 3", Some((1, 8)), "`3` follows the list"),
        (
            "[[1], 2]",
            Some((1, 7)),
            "this entry is a scalar, the first of its list is 1 words",
        ),
        (
            "[1, 2, 3]",
            None,
            "the file has 3 words, 2 words are wanted",
        ),
        ("[\"1, 2]", Some((1, 2)), "this text has no end"),
        ("", Some((1, 1)), "expected a whole number"),
    ] {
        let found = words(text, &wanted(&[2], 8)).expect_err(expected);
        assert_eq!(found[0].place, place, "{text}");
        assert!(found[0].message.contains(expected), "{}", found[0].message);
    }
    let deep = "[".repeat(100_000);
    let found = words(&deep, &wanted(&[2], 8)).expect_err("it is too deep");
    assert!(
        found[0].message.contains("nested more than"),
        "{}",
        found[0].message
    );
}
