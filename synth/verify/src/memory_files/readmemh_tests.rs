//! Tests of `$readmemh` images: written words are read, with addresses, comments and underscores anywhere, and errors.

use proptest::prelude::*;
use sluice_ir::bits::Bits;

use super::{Base, words};
use crate::memory_files::Wanted;

fn wanted(n_words: usize, width_bits: u32, fill: Option<u64>) -> Wanted {
    Wanted {
        shape: vec![n_words],
        width_bits,
        format: None,
        fill: fill.map(|fill| Bits::from_u64(width_bits, fill)),
    }
}

/// Separators between words.
const BETWEEN: [&str; 6] = [
    " ",
    "\n",
    "\t",
    " // a 1f @9\n",
    " /* 12\n @3 */ ",
    "/**/\n",
];

proptest! {
    #[test]
    fn what_was_written_is_read(
        words_in in prop::collection::vec(any::<[u64; 2]>(), 1..40),
        width_bits in 1_u32..100,
        manner in prop::collection::vec((0_usize..6, any::<bool>(), any::<bool>()), 40),
        is_reversed in any::<bool>(),
    ) {
        let all: Vec<Bits> = words_in
            .iter()
            .map(|limbs| Bits::from_limbs(128, limbs).trunc(width_bits))
            .collect();
        let mut text = String::new();
        let mut order: Vec<usize> = (0..all.len()).collect();
        if is_reversed {
            order.reverse();
        }
        for at in order {
            let (between, is_large, has_underscore) = manner[at];
            if is_reversed || is_large {
                text += &format!("@{at:x}{}", BETWEEN[between]);
            }
            let mut digits = all[at].to_hex_string();
            if is_large {
                digits = format!("00{}", digits.to_uppercase());
            }
            if has_underscore {
                digits.push('_');
            }
            text += &digits;
            text += BETWEEN[between];
        }
        prop_assert_eq!(words(&text, Base::Hexadecimal, &wanted(all.len(), width_bits, None)), Ok(all));
    }

    #[test]
    fn any_text_ends_in_words_or_a_message(text in "[0-9a-fxz@_/* \n]{0,60}") {
        let _ = words(&text, Base::Hexadecimal, &wanted(4, 12, Some(0)));
    }
}

#[test]
fn words_that_are_left_out_are_filled() {
    let found = words("@2 a\n", Base::Hexadecimal, &wanted(4, 8, Some(7))).expect("it fits");
    let expected: Vec<Bits> = [7, 7, 10, 7].map(|n| Bits::from_u64(8, n)).to_vec();
    assert_eq!(found, expected);
}

#[test]
fn what_does_not_fit_is_said_with_its_place() {
    for (text, place, expected) in [
        ("1\n 1ff", Some((2, 2)), "`1ff` does not fit 8 bits"),
        ("1 x1", Some((1, 3)), "`x1` has undefined digits"),
        ("1 1g", Some((1, 3)), "`1g` is no hexadecimal number"),
        ("1 2 3", Some((1, 5)), "`3` is beyond the 2 words"),
        ("@2 1", Some((1, 1)), "address `@2` is beyond the 2 words"),
        ("@ 1", Some((1, 1)), "`@` is no address"),
        ("1 /* 2", Some((1, 3)), "this comment has no end"),
        (
            "@1 5",
            None,
            "1 of 2 words are given, none at address 0; `fill: 0` gives",
        ),
    ] {
        let found = words(text, Base::Hexadecimal, &wanted(2, 8, None)).expect_err(expected);
        assert_eq!(found[0].place, place, "{text}");
        assert!(found[0].message.contains(expected), "{}", found[0].message);
    }
    let found = words("zz 123 g", Base::Hexadecimal, &wanted(4, 8, None))
        .expect_err("three words are wrong");
    assert_eq!(found.len(), 3);
}

#[test]
fn binary_words_are_read() {
    let found = words(
        "1 @3 1_0000_0011 // 2\n",
        Base::Binary,
        &wanted(4, 9, Some(0)),
    );
    let expected: Vec<Bits> = [1, 0, 0, 0x103].map(|n| Bits::from_u64(9, n)).to_vec();
    assert_eq!(found, Ok(expected));
    for (text, expected) in [
        ("0 12", "`12` is no binary number"),
        ("1111111111", "`1111111111` does not fit 9 bits"),
        ("1x", "`1x` has undefined digits"),
    ] {
        let found = words(text, Base::Binary, &wanted(4, 9, Some(0))).expect_err(expected);
        assert!(found[0].message.contains(expected), "{}", found[0].message);
    }
}
