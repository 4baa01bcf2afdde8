//! Exact integers: equal to `i128` where that is sufficient, and never a number beyond it.

use proptest::prelude::*;
use sluice_ir::bits::Bits;
use sluice_ir::exact::{Exact, row_major_strides, trips};

fn number(value: i128) -> Exact {
    Exact::from(value)
}

#[test]
fn beyond_stays_beyond() {
    let large = Exact::power_of_two(126);
    let beyond = large.times(2);
    assert_eq!(large.known(), Some(1 << 126));
    assert_eq!(beyond.known(), None);
    assert_eq!(beyond.minus(beyond).known(), None);
    assert_eq!(beyond.negated().plus(large), beyond.negated());
    assert_eq!(beyond.times(0), Exact::ZERO);
    assert_eq!(beyond.times(-1).to_string(), "less than -2^126");
    assert_eq!(beyond.divided_down(3).and_then(Exact::known), None);
    assert_eq!(beyond.remainder(3), None);
    assert!(beyond > large && beyond.negated() < number(0));
    assert_eq!(beyond.to_string(), "more than 2^126");
    assert_eq!(Exact::product([u64::MAX; 3]).to_u64(), None);
    assert_eq!(Exact::product([u64::MAX, u64::MAX, 0]), Exact::ZERO);
}

#[test]
fn trips_near_the_ends_of_64_bits() {
    let count = |lower: i64, upper: i64, step: i64| {
        trips(lower.into(), upper.into(), step.into()).and_then(Exact::known)
    };
    assert_eq!(count(-(1 << 62), 1 << 62, 1 << 61), Some(4));
    assert_eq!(count(0, 5, i64::MAX), Some(1));
    assert_eq!(count(i64::MIN, i64::MAX, 1), Some((1 << 64) - 1));
    assert_eq!(count(i64::MIN, i64::MAX, i64::MAX), Some(3));
    assert_eq!(count(i64::MAX, i64::MIN, 1), Some(0));
    assert_eq!(count(0, 1, 0), None);
    assert_eq!(count(0, 1, -1), None);
}

#[test]
fn bits_of_indices() {
    let bits = [0u64, 1, 2, 3, 4, 5, 8, 9, 1 << 31].map(|n| Exact::from(n).index_bits());
    assert_eq!(bits, [1, 1, 1, 2, 2, 3, 3, 4, 31]);
}

#[test]
fn strides_are_those_of_rows() {
    let strides = row_major_strides(&[4, 3, 5]);
    assert_eq!(strides, [15, 5, 1].map(Exact::from));
    let wide = row_major_strides(&[2, u64::MAX, u64::MAX]);
    assert_eq!(wide[0].to_u64(), None);
}

proptest! {
    #[test]
    fn small_numbers_are_those_of_i128(a in any::<i64>(), b in any::<i64>()) {
        let (x, y) = (Exact::from(a), Exact::from(b));
        let (a, b) = (i128::from(a), i128::from(b));
        prop_assert_eq!(x.plus(y), number(a + b));
        prop_assert_eq!(x.minus(y), number(a - b));
        prop_assert_eq!(x.times(y), number(a * b));
        if b > 0 {
            prop_assert_eq!(x.divided_down(y), Some(number(a.div_euclid(b))));
            prop_assert_eq!(x.remainder(y), Some(number(a.rem_euclid(b))));
            let up = x.divided_up(y).expect("the divisor is positive");
            prop_assert!(up.times(y) >= x && up.minus(1).times(y) < x);
        } else {
            prop_assert_eq!(x.divided_down(y), None);
        }
    }

    #[test]
    fn counts_are_those_of_the_loop(lower in -40i64..40, upper in -40i64..40, step in 1i64..20) {
        let step_of_loop = usize::try_from(step).expect("the step is positive");
        let n = (lower..upper).step_by(step_of_loop).count();
        prop_assert_eq!(trips(lower.into(), upper.into(), step.into()), Some(Exact::from(n)));
    }

    #[test]
    fn bits_and_numbers(value in any::<i64>(), width in 1u32..200) {
        let bits = Bits::from_i64(width, value);
        let signed = Exact::signed(&bits);
        prop_assert_eq!(signed.to_signed_bits(width), Some(bits.clone()));
        prop_assert_eq!(signed.wrapped(width), Some(bits.clone()));
        // 2^127 itself is beyond.
        if width <= 126 {
            let unsigned = Exact::unsigned(&bits);
            let more = if bits.sign_bit() { Exact::power_of_two(width) } else { Exact::ZERO };
            prop_assert_eq!(unsigned, signed.plus(more));
        }
    }
}
