//! Compares bit vectors with big integers: every value at small widths, random values up to 300 bits.

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;
use sluice_ir::bits::{Bits, MAX_WIDTH_BITS};

fn unsigned(bits: &Bits) -> BigInt {
    let words = bits.limbs().iter().rev();
    words.fold(BigInt::ZERO, |value, word| (value << 64) + word)
}

fn signed(bits: &Bits) -> BigInt {
    let weight = if bits.sign_bit() {
        BigInt::from(1) << bits.width()
    } else {
        BigInt::ZERO
    };
    unsigned(bits) - weight
}

/// Returns the bits of an integer, wrapped; uses only arithmetic.
fn wrapped(width: u32, value: &BigInt) -> Bits {
    let modulus = BigInt::from(1) << width;
    let residue = ((value % &modulus) + &modulus) % &modulus;
    let residue = residue.to_biguint().expect("a residue is not negative");
    Bits::from_limbs(width, &residue.to_u64_digits())
}

/// Checks the invariant on which equality and hashing depend.
fn assert_canonical(bits: &Bits) {
    let n_words = usize::try_from(bits.width())
        .expect("fits")
        .div_ceil(64)
        .max(1);
    assert_eq!(bits.limbs().len(), n_words, "words of {bits:?}");
    assert!(
        unsigned(bits) < BigInt::from(1) << bits.width(),
        "a bit above the width of {bits:?}"
    );
}

fn floor_div(a: &BigInt, b: &BigInt) -> BigInt {
    let (quotient, remainder) = (a / b, a % b);
    let below =
        remainder != BigInt::ZERO && (remainder.sign() == Sign::Minus) != (b.sign() == Sign::Minus);
    if below { quotient - 1 } else { quotient }
}

type Binary = (
    &'static str,
    fn(&Bits, &Bits) -> Bits,
    fn(u32, &Bits, &Bits) -> BigInt,
);

/// Operators that are defined for all operands, and their definition on integers.
const BINARY: &[Binary] = &[
    ("add", Bits::add, |_, a, b| unsigned(a) + unsigned(b)),
    ("sub", Bits::sub, |_, a, b| unsigned(a) - unsigned(b)),
    ("mul", Bits::mul, |_, a, b| unsigned(a) * unsigned(b)),
    ("mulhi_u", Bits::mulhi_u, |w, a, b| {
        (unsigned(a) * unsigned(b)) >> w
    }),
    ("mulhi_s", Bits::mulhi_s, |w, a, b| {
        floor_div(&(signed(a) * signed(b)), &(BigInt::from(1) << w))
    }),
    ("and", Bits::and, |_, a, b| unsigned(a) & unsigned(b)),
    ("or", Bits::or, |_, a, b| unsigned(a) | unsigned(b)),
    ("xor", Bits::xor, |_, a, b| unsigned(a) ^ unsigned(b)),
    ("umin", Bits::umin, |_, a, b| unsigned(a).min(unsigned(b))),
    ("umax", Bits::umax, |_, a, b| unsigned(a).max(unsigned(b))),
    ("smin", Bits::smin, |_, a, b| signed(a).min(signed(b))),
    ("smax", Bits::smax, |_, a, b| signed(a).max(signed(b))),
    ("shl", Bits::shl, |w, a, b| match amount(w, b) {
        Some(by) => unsigned(a) << by,
        None => BigInt::ZERO,
    }),
    ("lshr", Bits::lshr, |w, a, b| match amount(w, b) {
        Some(by) => unsigned(a) >> by,
        None => BigInt::ZERO,
    }),
    ("ashr", Bits::ashr, |w, a, b| {
        floor_div(&signed(a), &(BigInt::from(1) << amount(w, b).unwrap_or(w)))
    }),
];

fn amount(width: u32, b: &Bits) -> Option<u32> {
    u32::try_from(unsigned(b)).ok().filter(|by| *by < width)
}

type Division = (
    &'static str,
    fn(&Bits, &Bits) -> Option<Bits>,
    fn(&Bits, &Bits) -> BigInt,
);

/// Divisions, and their definition on integers for non-zero divisors.
const DIVISIONS: &[Division] = &[
    ("udiv", Bits::udiv, |a, b| unsigned(a) / unsigned(b)),
    ("urem", Bits::urem, |a, b| unsigned(a) % unsigned(b)),
    ("sdiv", Bits::sdiv, |a, b| signed(a) / signed(b)),
    ("srem", Bits::srem, |a, b| signed(a) % signed(b)),
    ("floor_sdiv", Bits::floor_sdiv, |a, b| {
        floor_div(&signed(a), &signed(b))
    }),
    ("ceil_sdiv", Bits::ceil_sdiv, |a, b| {
        -floor_div(&-signed(a), &signed(b))
    }),
    ("ceil_udiv", Bits::ceil_udiv, |a, b| {
        -floor_div(&-unsigned(a), &unsigned(b))
    }),
];

fn check_pair(a: &Bits, b: &Bits) {
    let width = a.width();
    for (name, operator, model) in BINARY {
        let value = operator(a, b);
        assert_eq!(
            value,
            wrapped(width, &model(width, a, b)),
            "{name} of {a:?} and {b:?}"
        );
        assert_canonical(&value);
    }
    for (name, operator, model) in DIVISIONS {
        let expected = (!b.is_zero()).then(|| wrapped(width, &model(a, b)));
        assert_eq!(operator(a, b), expected, "{name} of {a:?} and {b:?}");
    }
    let (sum, carry) = a.add_carry(b);
    assert_eq!(
        unsigned(&sum) + (BigInt::from(u32::from(carry)) << width),
        unsigned(a) + unsigned(b),
        "carry of {a:?} + {b:?}"
    );
    assert_eq!(a.ucmp(b), unsigned(a).cmp(&unsigned(b)), "{a:?} and {b:?}");
    assert_eq!(a.scmp(b), signed(a).cmp(&signed(b)), "{a:?} and {b:?}");
    assert_eq!(a.cmp(b), unsigned(a).cmp(&unsigned(b)), "{a:?} and {b:?}");
    assert_eq!(
        (a.ult(b), a.ule(b)),
        (a.ucmp(b).is_lt(), a.ucmp(b).is_le()),
        "{a:?} and {b:?}"
    );
    assert_eq!(
        (a.slt(b), a.sle(b)),
        (a.scmp(b).is_lt(), a.scmp(b).is_le()),
        "{a:?} and {b:?}"
    );
    assert_eq!(a == b, unsigned(a) == unsigned(b), "{a:?} and {b:?}");
    let joined = Bits::concat(a, b);
    assert_eq!(joined.width(), width * 2);
    assert_eq!(
        unsigned(&joined),
        (unsigned(a) << width) + unsigned(b),
        "{a:?} above {b:?}"
    );
}

fn check_one(a: &Bits, other_width: u32) {
    let width = a.width();
    let value = unsigned(a);
    assert_canonical(a);
    assert_eq!(a.neg(), wrapped(width, &-value.clone()), "-{a:?}");
    assert_eq!(a.not(), wrapped(width, &(-value.clone() - 1)), "not {a:?}");
    assert_eq!(a.is_zero(), value == BigInt::ZERO);
    assert_eq!(a.is_one(), value == BigInt::from(1));
    assert_eq!(a.is_all_ones(), value == (BigInt::from(1) << width) - 1);
    assert_eq!(a.to_u64(), u64::try_from(&value).ok());
    assert_eq!(a.to_i64(), i64::try_from(&signed(a)).ok());
    assert_eq!(a.to_u128(), u128::try_from(&value).ok());
    assert_eq!(
        a.low_u64(),
        u64::try_from(&(&value & BigInt::from(u64::MAX))).expect("fits")
    );
    let set: Vec<u32> = (0..width + 70).filter(|i| a.bit(*i)).collect();
    assert_eq!(
        set.iter()
            .fold(BigInt::ZERO, |sum, i| sum + (BigInt::from(1) << *i)),
        value,
        "bits of {a:?}"
    );
    assert_eq!(a.count_ones(), u32::try_from(set.len()).expect("fits"));
    assert_eq!(a.trailing_zeros(), set.first().copied().unwrap_or(width));
    assert_eq!(a.active_bits(), set.last().map_or(0, |top| top + 1));
    assert_eq!(a.leading_zeros(), width - a.active_bits());
    let needed = a.min_signed_bits();
    assert!(needed >= 1 && needed <= width.max(1), "{a:?}");
    if width > 0 {
        assert_eq!(a.trunc(needed).sext(width), *a, "{a:?} in {needed} bits");
        assert!(
            needed == 1 || a.trunc(needed - 1).sext(width) != *a,
            "{a:?} in fewer than {needed} bits"
        );
    }
    if other_width >= width {
        assert_eq!(a.zext(other_width), wrapped(other_width, &value));
        assert_eq!(a.sext(other_width), wrapped(other_width, &signed(a)));
    } else {
        assert_eq!(a.trunc(other_width), wrapped(other_width, &value));
        for low in [0, 1, (width - other_width) / 2, width - other_width] {
            if low + other_width <= width {
                assert_eq!(
                    a.extract(low, other_width),
                    wrapped(other_width, &(&value >> low))
                );
            }
        }
    }
    let copies = a.replicate(3);
    assert_eq!(
        copies,
        Bits::concat(a, &Bits::concat(a, a)),
        "three of {a:?}"
    );
    for text in [a.to_signed_string(), a.to_unsigned_string()] {
        let (digits, negative) = match text.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (text.as_str(), false),
        };
        assert_eq!(
            Bits::parse_decimal(digits, negative, width).as_ref(),
            Some(a),
            "`{text}`"
        );
    }
    assert_eq!(a.to_signed_string(), signed(a).to_string());
    assert_eq!(a.to_unsigned_string(), value.to_string());
    assert_eq!(a.to_hex_string(), format!("{value:x}"));
    assert_eq!(Bits::parse_hex(&a.to_hex_string(), width).as_ref(), Some(a));
    let unbounded = Bits::parse_unbounded(&a.to_unsigned_string(), 10).expect("digits");
    assert_eq!(
        unbounded,
        a.trunc(a.active_bits()).zext(a.active_bits().max(1))
    );
}

fn all(width: u32) -> impl Iterator<Item = Bits> {
    (0..1u64 << width).map(move |value| Bits::from_u64(width, value))
}

#[test]
fn every_value_of_small_widths() {
    for width in 0..=5 {
        for a in all(width) {
            for other_width in 0..=8 {
                check_one(&a, other_width);
            }
            for b in all(width) {
                check_pair(&a, &b);
            }
        }
    }
}

/// Generates words that are likely to carry, to borrow and to overflow.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(u64::MAX),
        Just(1 << 63),
        0..200u64,
        any::<u64>()
    ]
}

fn bits(width: u32) -> impl Strategy<Value = Bits> {
    prop::collection::vec(word(), 5).prop_map(move |words| Bits::from_limbs(width, &words))
}

fn pair() -> impl Strategy<Value = (Bits, Bits)> {
    let width = prop_oneof![
        0..=300u32,
        Just(63),
        Just(64),
        Just(65),
        Just(127),
        Just(128),
        Just(129)
    ];
    width.prop_flat_map(|width| (bits(width), bits(width)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_pairs((a, b) in pair()) {
        check_pair(&a, &b);
    }

    #[test]
    fn random_shifts((a, _) in pair(), by in 0..330u32) {
        let amount = Bits::from_u64(a.width(), u64::from(by));
        check_pair(&a, &amount);
        let by = a.width().min(by);
        prop_assert_eq!(a.shl_by(by), wrapped(a.width(), &(unsigned(&a) << by)));
        prop_assert_eq!(a.lshr_by(by), wrapped(a.width(), &(unsigned(&a) >> by)));
        prop_assert_eq!(a.ashr_by(by), wrapped(a.width(), &floor_div(&signed(&a), &(BigInt::from(1) << by))));
        prop_assert!(a.shl_by(a.width() + by).is_zero() && a.lshr_by(a.width() + by).is_zero());
    }

    #[test]
    fn random_values((a, _) in pair(), other_width in 0..=300u32) {
        check_one(&a, other_width);
    }

    #[test]
    fn machine_integers(width in 0..=200u32, unsigned in any::<u128>(), signed in any::<i128>()) {
        prop_assert_eq!(Bits::from_u128(width, unsigned), wrapped(width, &BigInt::from(unsigned)));
        prop_assert_eq!(Bits::from_i128(width, signed), wrapped(width, &BigInt::from(signed)));
        let (unsigned, signed) = ((unsigned & u128::from(u64::MAX)) as u64, (signed >> 64) as i64);
        prop_assert_eq!(Bits::from_u64(width, unsigned), wrapped(width, &BigInt::from(unsigned)));
        prop_assert_eq!(Bits::from_i64(width, signed), wrapped(width, &BigInt::from(signed)));
        prop_assert_eq!(Bits::zero(width), wrapped(width, &BigInt::ZERO));
        prop_assert_eq!(Bits::ones(width), wrapped(width, &BigInt::from(-1)));
    }

    #[test]
    fn machine_arithmetic(a in any::<u128>(), b in any::<u128>()) {
        let (x, y) = (Bits::from_u128(128, a), Bits::from_u128(128, b));
        prop_assert_eq!(x.add(&y).to_u128(), Some(a.wrapping_add(b)));
        prop_assert_eq!(x.sub(&y).to_u128(), Some(a.wrapping_sub(b)));
        prop_assert_eq!(x.mul(&y).to_u128(), Some(a.wrapping_mul(b)));
        prop_assert_eq!(x.udiv(&y).and_then(|q| q.to_u128()), a.checked_div(b));
        let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
        prop_assert_eq!(x.sdiv(&y).and_then(|q| q.to_u128()), signed_a.checked_div(signed_b).map(i128::cast_unsigned));
        prop_assert_eq!(x.slt(&y), signed_a < signed_b);
    }

    #[test]
    fn literals(digits in "[0-9]{1,100}", negative in any::<bool>(), width in 0..=300u32) {
        let magnitude: BigInt = digits.parse().expect("digits");
        let value = if negative { -magnitude } else { magnitude };
        let half: BigInt = (BigInt::from(1) << width) / 2;
        let fits = value >= -half && value < BigInt::from(1) << width;
        let parsed = Bits::parse_decimal(&digits, negative, width);
        prop_assert_eq!(parsed, fits.then(|| wrapped(width, &value)));
    }

    #[test]
    fn large_products(a in prop::collection::vec(any::<u64>(), 20..60), b in prop::collection::vec(any::<u64>(), 20..60)) {
        let width = 64 * 50 + 7;
        let (a, b) = (Bits::from_limbs(width, &a), Bits::from_limbs(width, &b));
        prop_assert_eq!(a.mul(&b), wrapped(width, &(unsigned(&a) * unsigned(&b))));
    }
}

#[test]
fn text_that_is_no_number() {
    for text in ["", "-1", "+1", "1_0", " 1", "1.", "0x1", "٣"] {
        assert_eq!(Bits::parse_decimal(text, false, 64), None, "`{text}`");
        assert_eq!(Bits::parse_hex(text, 64), None, "`{text}`");
        assert_eq!(Bits::parse_unbounded(text, 10), None, "`{text}`");
    }
    assert_eq!(Bits::parse_decimal("1a", false, 64), None);
    assert_eq!(Bits::parse_hex("Ff", 8), Some(Bits::ones(8)));
    assert_eq!(
        Bits::parse_hex("0000000000000000000000ff", 8),
        Some(Bits::ones(8))
    );
    assert_eq!(Bits::parse_hex("100", 8), None);
}

#[test]
fn the_widest_values() {
    let lowest = Bits::signed_min(MAX_WIDTH_BITS);
    assert_eq!(lowest.neg(), lowest);
    assert_eq!(
        lowest.sub(&Bits::from_u64(MAX_WIDTH_BITS, 1)),
        Bits::signed_max(MAX_WIDTH_BITS)
    );
    assert_eq!(
        lowest.ashr_by(MAX_WIDTH_BITS - 1),
        Bits::ones(MAX_WIDTH_BITS)
    );
    assert_eq!(
        Bits::ones(1).replicate(MAX_WIDTH_BITS),
        Bits::ones(MAX_WIDTH_BITS)
    );
    let digits = "f".repeat(usize::try_from(MAX_WIDTH_BITS / 4).expect("fits"));
    let value = Bits::parse_unbounded(&digits, 16).expect("fits the largest width");
    assert_eq!(value, Bits::ones(MAX_WIDTH_BITS / 4 * 4));
    assert_eq!(
        Bits::parse_unbounded(&format!("8{digits}"), 16),
        None,
        "one bit too many"
    );
}

#[test]
fn masks() {
    for width in [0, 1, 7, 63, 64, 65, 130] {
        for count in 0..=width + 2 {
            let ones = (BigInt::from(1) << count.min(width)) - 1;
            assert_eq!(Bits::low_ones(width, count), wrapped(width, &ones));
            assert_eq!(
                Bits::high_ones(width, count),
                wrapped(width, &(ones << (width - count.min(width))))
            );
        }
        let half: BigInt = (BigInt::from(1) << width) / 2;
        assert_eq!(Bits::signed_min(width), wrapped(width, &-half.clone()));
        assert_eq!(Bits::signed_max(width), wrapped(width, &(half - 1)));
    }
}

#[test]
fn equal_values_have_equal_hashes_and_other_widths_differ() {
    let hash = |bits: &Bits| {
        let mut hasher = DefaultHasher::new();
        bits.hash(&mut hasher);
        hasher.finish()
    };
    for width in [1, 64, 65, 128, 300] {
        let (a, b) = (
            Bits::ones(width),
            Bits::zero(width).sub(&Bits::from_u64(width, 1)),
        );
        assert_eq!((&a, hash(&a)), (&b, hash(&b)));
        let wider = a.zext(width + 1);
        assert_ne!(a, wider);
        assert_eq!(a.cmp(&wider), Ordering::Less);
    }
    let maximum = BigUint::from(u128::MAX);
    assert_eq!(format!("{:?}", Bits::ones(128)), "-1:i128");
    assert_eq!(Bits::ones(128).to_unsigned_string(), maximum.to_string());
    assert_eq!(Bits::ones(8).to_string(), "-1");
}
