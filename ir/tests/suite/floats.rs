//! Float operations as integer operations, against LLVM's arithmetic, the machine's square root, and enumeration.

use sluice_ir::algebra::{Algebra, Concrete, FloatOp, FloatPredicate, Rounding, expand};
use sluice_ir::bits::Bits;
use sluice_ir::types::FloatKind;

/// Formats that LLVM's arithmetic has.
const FORMATS: &[FloatKind] = &[
    FloatKind::F8E5M2,
    FloatKind::F8E4M3FN,
    FloatKind::F16,
    FloatKind::BF16,
    FloatKind::F32,
    FloatKind::F64,
];

const ROUNDINGS: [Rounding; 5] = [
    Rounding::NearestEven,
    Rounding::NearestAway,
    Rounding::ToZero,
    Rounding::Up,
    Rounding::Down,
];

fn one_operand() -> Vec<FloatOp> {
    let mut ops = vec![FloatOp::Neg, FloatOp::Abs, FloatOp::Sqrt];
    ops.extend(ROUNDINGS.map(FloatOp::ToWhole));
    ops.extend(FORMATS.iter().map(|to| FloatOp::Convert(*to)));
    for width in [1, 5, 8, 16, 32, 47, 64] {
        ops.push(FloatOp::ToSigned(width));
        ops.push(FloatOp::ToUnsigned(width));
    }
    ops
}

fn two_operands() -> Vec<FloatOp> {
    let mut ops = vec![
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::CopySign,
        FloatOp::Minimum,
        FloatOp::Maximum,
        FloatOp::MinNum,
        FloatOp::MaxNum,
    ];
    ops.extend(FloatPredicate::ALL.map(FloatOp::Compare));
    ops
}

fn check(op: FloatOp, format: FloatKind, operands: &[Bits]) {
    if op == FloatOp::Sqrt {
        return;
    }
    let expected = Concrete::new().float(op, format, operands);
    let found = expand(&mut Concrete::new(), op, format, operands).expect("an expansion");
    assert_eq!(found, expected, "{op:?} {format:?} {operands:?}");
}

/// splitmix64, as in the data sets of kernels.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A float with a special exponent or a fraction of few runs of equal bits more often than by chance.
    fn float(&mut self, format: FloatKind) -> u64 {
        let width = format.width_bits();
        let f = fraction_bits(format);
        let e = width - 1 - f;
        let choice = self.next();
        let largest = (1 << e) - 1;
        let exponent = match choice % 8 {
            0 => 0,
            1 => self.next() % u64::from(f + 3),
            2 => largest - self.next() % 3,
            3..=5 => {
                (largest / 2).wrapping_add(self.next() % u64::from(2 * f + 8)) - u64::from(f / 2)
            }
            _ => self.next(),
        } & largest;
        let ones = |n: u64| if n >= 64 { u64::MAX } else { (1 << n) - 1 };
        let fraction = match (choice >> 8) % 6 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (self.next() % u64::from(f)),
            3 => ones(self.next() % u64::from(f + 1)) ^ (1 << (self.next() % u64::from(f))),
            4 => !ones(self.next() % u64::from(f + 1)),
            _ => self.next(),
        } & ones(u64::from(f));
        let sign = choice >> 63;
        (sign << (width - 1)) | (exponent << f) | fraction
    }
}

fn fraction_bits(format: FloatKind) -> u32 {
    match format {
        FloatKind::F8E5M2 | FloatKind::F8E5M2FNUZ => 2,
        FloatKind::F8E4M3
        | FloatKind::F8E4M3FN
        | FloatKind::F8E4M3FNUZ
        | FloatKind::F8E4M3B11FNUZ => 3,
        FloatKind::BF16 => 7,
        FloatKind::F16 => 10,
        FloatKind::F32 => 23,
        _ => 52,
    }
}

#[test]
fn all_pairs_of_bytes_agree_with_llvm() {
    for format in [FloatKind::F8E5M2, FloatKind::F8E4M3FN] {
        for x in 0..256 {
            let x = Bits::from_u64(8, x);
            for op in one_operand() {
                check(op, format, std::slice::from_ref(&x));
            }
            for y in 0..256 {
                let y = Bits::from_u64(8, y);
                for op in two_operands() {
                    check(op, format, &[x.clone(), y.clone()]);
                }
            }
        }
    }
}

#[test]
fn structured_operands_agree_with_llvm() {
    let n_cases = std::env::var("SLUICE_FLOAT_CASES");
    let n_cases = n_cases.map_or(500, |n| n.parse().expect("a number"));
    let mut random = Random(1);
    for format in FORMATS {
        let width = format.width_bits();
        for case in 0..n_cases {
            let x = random.float(*format);
            // A neighbour cancels all but the last bits.
            let y = match case % 4 {
                0 => (x ^ (1 << (width - 1)))
                    .wrapping_add(random.next() % 5)
                    .wrapping_sub(2),
                _ => random.float(*format),
            };
            let [x, y, z] = [x, y, random.float(*format)].map(|word| Bits::from_u64(width, word));
            for op in one_operand() {
                check(op, *format, std::slice::from_ref(&x));
            }
            for op in two_operands() {
                check(op, *format, &[x.clone(), y.clone()]);
            }
            check(FloatOp::Fma, *format, &[x.clone(), y.clone(), z]);
            // The sum that the product cancels almost.
            let product = Concrete::new().float(FloatOp::Mul, *format, &[x.clone(), y.clone()]);
            let near = product.xor(&Bits::from_u64(width, 1).shl_by(width - 1));
            let near = near.add(&Bits::from_i64(
                width,
                (random.next() % 5).cast_signed() - 2,
            ));
            check(FloatOp::Fma, *format, &[x, y, near]);
            for integer_width in [1, 3, 8, 24, 32, 53, 64] {
                let shift = random.next() % 64;
                let integer = Bits::from_u64(64, random.next() >> shift).trunc(integer_width);
                check(FloatOp::FromSigned, *format, std::slice::from_ref(&integer));
                check(FloatOp::FromUnsigned, *format, &[integer]);
            }
        }
    }
}

#[test]
fn square_roots_agree_with_the_machine() {
    let root = |format, width, x: u64| {
        let x = Bits::from_u64(width, x);
        Concrete::new().float(FloatOp::Sqrt, format, &[x]).low_u64()
    };
    let mut random = Random(2);
    for _ in 0..20_000 {
        let x = random.float(FloatKind::F32);
        let expected = f32::from_bits(u32::try_from(x).expect("32 bits")).sqrt();
        let expected = if expected.is_nan() {
            0x7fc0_0000
        } else {
            expected.to_bits()
        };
        assert_eq!(root(FloatKind::F32, 32, x), u64::from(expected), "{x:x}");
        let x = random.float(FloatKind::F64);
        let expected = f64::from_bits(x).sqrt();
        let is_nan = (x << 1 > 0x7ff << 53) || (x >> 63 == 1 && x << 1 != 0);
        let expected = if is_nan {
            0x7ff8 << 48
        } else {
            expected.to_bits()
        };
        assert_eq!(root(FloatKind::F64, 64, x), expected, "{x:x}");
    }
}

/// A format of 8 bits without LLVM's arithmetic: the value of each pattern.
struct Enumerated {
    format: FloatKind,
    bias: i32,
    fraction_bits: u32,
    is_ieee: bool,
}

impl Enumerated {
    fn value(&self, x: u64) -> f64 {
        let f = self.fraction_bits;
        let exponent = i32::try_from((x & 0x7f) >> f).expect("7 bits");
        let fraction = f64::from(u32::try_from(x & ((1 << f) - 1)).expect("few bits"));
        let scale = fraction / f64::from(1 << f);
        let is_largest = exponent == (1 << (7 - f)) - 1;
        let magnitude = match exponent {
            0 => scale * f64::from(1 - self.bias).exp2(),
            _ if self.is_ieee && is_largest && fraction == 0.0 => f64::INFINITY,
            _ if self.is_ieee && is_largest => f64::NAN,
            _ => (1.0 + scale) * f64::from(exponent - self.bias).exp2(),
        };
        match x >> 7 {
            0 => magnitude,
            _ if !self.is_ieee && magnitude == 0.0 => f64::NAN,
            _ => -magnitude,
        }
    }

    /// The nearest pattern, ties to even.
    fn round(&self, x: f64) -> u64 {
        let nan = if self.is_ieee { self.nan() } else { 0x80 };
        if x.is_nan() {
            return nan;
        }
        let sign = if x.is_sign_negative() && (self.is_ieee || x != 0.0) {
            0x80
        } else {
            0
        };
        let finite: Vec<u64> = (0..0x80).filter(|p| self.value(*p).is_finite()).collect();
        let n = finite.len();
        let largest = self.value(finite[n - 1]);
        let step = largest - self.value(finite[n - 2]);
        let magnitude = x.abs();
        // Numbers from the middle between the largest number and the next one, were there one, are too large.
        if magnitude > largest + step / 2.0
            || magnitude == largest + step / 2.0 && finite[n - 1] % 2 == 1
        {
            return if self.is_ieee {
                sign | (self.nan() & !((1 << self.fraction_bits) - 1))
            } else {
                nan
            };
        }
        let nearest = finite.iter().min_by(|p, q| {
            let distance = |pattern: u64| (self.value(pattern) - magnitude).abs();
            distance(**p)
                .total_cmp(&distance(**q))
                .then((**p % 2).cmp(&(**q % 2)))
        });
        let nearest = *nearest.expect("there are numbers");
        if nearest == 0 && !self.is_ieee {
            0
        } else {
            sign | nearest
        }
    }

    fn nan(&self) -> u64 {
        let f = self.fraction_bits;
        (((1 << (7 - f)) - 1) << f) | (1 << (f - 1))
    }
}

#[test]
fn other_bytes_agree_with_enumeration() {
    let formats = [
        (FloatKind::F8E4M3, 7, 3, true),
        (FloatKind::F8E4M3FNUZ, 8, 3, false),
        (FloatKind::F8E4M3B11FNUZ, 11, 3, false),
        (FloatKind::F8E5M2FNUZ, 16, 2, false),
        (FloatKind::F8E5M2, 15, 2, true),
    ];
    for (format, bias, fraction_bits, is_ieee) in formats {
        let bytes = Enumerated {
            format,
            bias,
            fraction_bits,
            is_ieee,
        };
        let apply = |op, operands: &[u64]| {
            let words: Vec<Bits> = operands.iter().map(|x| Bits::from_u64(8, *x)).collect();
            Concrete::new().float(op, bytes.format, &words).low_u64()
        };
        for x in 0..256 {
            let value = bytes.value(x);
            assert_eq!(
                apply(FloatOp::Sqrt, &[x]),
                bytes.round(value.sqrt()),
                "{format:?} {x:x}"
            );
            assert_eq!(
                apply(FloatOp::ToWhole(Rounding::NearestEven), &[x]),
                bytes.round(value.round_ties_even())
            );
            for y in 0..256 {
                let other = bytes.value(y);
                let results: [(FloatOp, f64); 5] = [
                    (FloatOp::Add, value + other),
                    (FloatOp::Sub, value - other),
                    (FloatOp::Mul, value * other),
                    (FloatOp::Div, value / other),
                    (FloatOp::Fma, value.mul_add(other, value)),
                ];
                for (op, result) in results {
                    let operands = [x, y, x];
                    let operands = if op == FloatOp::Fma {
                        &operands[..]
                    } else {
                        &operands[..2]
                    };
                    assert_eq!(
                        apply(op, operands),
                        bytes.round(result),
                        "{op:?} {format:?} {x:x} {y:x}"
                    );
                }
                let less = apply(FloatOp::Compare(FloatPredicate::Olt), &[x, y]);
                assert_eq!(less == 1, value < other);
            }
        }
    }
}
