//! Mathematical functions of floats against those of `libm` in `f64`.

use sluice_ir::algebra::{Concrete, FloatFunction, FloatOp, expand};
use sluice_ir::bits::Bits;
use sluice_ir::types::FloatKind;

use crate::floats::Random;

/// A function in double precision.
#[derive(Clone, Copy)]
enum Reference {
    Unary(fn(f64) -> f64),
    Binary(fn(f64, f64) -> f64),
}

fn reference(function: FloatFunction) -> Reference {
    use Reference::{Binary, Unary};
    match function {
        FloatFunction::Atan => Unary(libm::atan),
        FloatFunction::Atan2 => Binary(libm::atan2),
        FloatFunction::Cos => Unary(libm::cos),
        FloatFunction::Erf => Unary(libm::erf),
        FloatFunction::Exp => Unary(libm::exp),
        FloatFunction::Exp2 => Unary(libm::exp2),
        FloatFunction::Log => Unary(libm::log),
        FloatFunction::Log10 => Unary(libm::log10),
        FloatFunction::Log2 => Unary(libm::log2),
        FloatFunction::Pow => Binary(libm::pow),
        FloatFunction::Rsqrt => Unary(|x| 1.0 / libm::sqrt(x)),
        FloatFunction::Sin => Unary(libm::sin),
        FloatFunction::Tanh => Unary(libm::tanh),
    }
}

/// Bits of exponent and fraction.
fn fields(format: FloatKind) -> (u32, u32) {
    match format {
        FloatKind::F8E5M2 => (5, 2),
        FloatKind::F16 => (5, 10),
        FloatKind::BF16 => (8, 7),
        FloatKind::F32 => (8, 23),
        FloatKind::F64 => (11, 52),
        _ => unreachable!("a format of these tests"),
    }
}

/// Returns the number that a pattern stands for.
fn number(format: FloatKind, pattern: u64) -> f64 {
    let (e, f) = fields(format);
    let sign = if pattern >> (e + f) == 1 { -1.0 } else { 1.0 };
    let exponent = (pattern >> f) & ((1 << e) - 1);
    let fraction = pattern & ((1 << f) - 1);
    let bias = (1_i32 << (e - 1)) - 1;
    let exponent = i32::try_from(exponent).expect("few bits");
    #[allow(clippy::cast_precision_loss)]
    let digits = (fraction as f64) / (1_u64 << f) as f64;
    let magnitude = if exponent == (1 << e) - 1 {
        if fraction == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }
    } else if exponent == 0 {
        digits * libm::exp2(f64::from(1 - bias))
    } else {
        (1.0 + digits) * libm::exp2(f64::from(exponent - bias))
    };
    sign * magnitude
}

/// Returns the distance of a result from the exact one in units of the last place of the exact one.
fn error_ulp(format: FloatKind, found: f64, exact: f64) -> f64 {
    let (e, f) = fields(format);
    let bias = (1_i32 << (e - 1)) - 1;
    let (e, f) = (
        i32::try_from(e).expect("small"),
        i32::try_from(f).expect("small"),
    );
    let largest = (2.0 - libm::exp2(f64::from(-f))) * libm::exp2(f64::from((1 << e) - 2 - bias));
    if found.is_nan() || exact.is_nan() {
        return if found.is_nan() && exact.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    // The sign of a zero counts.
    if found == 0.0 && exact == 0.0 && found.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    if found == exact {
        return 0.0;
    }
    // Infinity stands for the next number after the largest.
    let next = largest + libm::exp2(f64::from((1 << e) - 2 - bias - f));
    let limited = |x: f64| x.clamp(-next, next);
    let exponent = libm::ilogb(exact.abs().min(largest)).max(1 - bias);
    let unit = libm::exp2(f64::from(exponent - f));
    (limited(found) - limited(exact)).abs() / unit
}

/// Computes a function in a format.
fn value(function: FloatFunction, format: FloatKind, operands: &[u64]) -> u64 {
    let width = format.width_bits();
    let words: Vec<Bits> = operands.iter().map(|x| Bits::from_u64(width, *x)).collect();
    let result = expand(
        &mut Concrete::new(),
        FloatOp::Function(function),
        format,
        &words,
    );
    result.expect("the format has functions").low_u64()
}

/// Checks one result; returns its error in units of the last place.
fn check(function: FloatFunction, format: FloatKind, operands: &[u64]) -> f64 {
    let numbers: Vec<f64> = operands.iter().map(|x| number(format, *x)).collect();
    let exact = match reference(function) {
        Reference::Unary(f) => f(numbers[0]),
        Reference::Binary(f) => f(numbers[0], numbers[1]),
    };
    let pattern = value(function, format, operands);
    let found = number(format, pattern);
    let error = error_ulp(format, found, exact);
    // In `f64` the reference has errors of its own, of up to two units in the last place.
    let limit = if format == FloatKind::F64 { 3.0 } else { 1.0 };
    assert!(
        error < limit,
        "{function:?} {format:?} {numbers:?} ({operands:x?}): {found:e} ({pattern:x}), exact {exact:e}: {error} ulp"
    );
    error
}

fn unary() -> impl Iterator<Item = FloatFunction> {
    let all = FloatFunction::ALL.into_iter().map(|(_, function)| function);
    all.filter(|function| function.n_operands() == 1)
}

/// A float near 1 more often than by chance, with special exponents and fractions at times.
fn float(random: &mut Random, format: FloatKind) -> u64 {
    let (e, f) = fields(format);
    let choice = random.next();
    let (largest, bias) = ((1 << e) - 1, (1 << (e - 1)) - 1);
    let exponent = match choice % 16 {
        0 => 0,
        1 => largest,
        2 => random.next(),
        3..=5 => bias - 1 + random.next() % 2,
        _ => bias + random.next() % 12 - 6,
    } & largest;
    let ones = (1 << f) - 1;
    let fraction = match (choice >> 8) % 8 {
        0 => 0,
        1 => random.next() % 4,
        2 => ones - random.next() % 4,
        _ => random.next(),
    } & ones;
    (choice >> 63 << (e + f)) | (exponent << f) | fraction
}

/// Returns the number of random operands of a sweep; `None` in the gate.
fn n_cases() -> Option<u64> {
    let n = std::env::var("SLUICE_FLOAT_CASES").ok()?;
    Some(n.parse().expect("a number of cases"))
}

#[test]
fn functions_of_short_formats_are_right() {
    for function in unary() {
        for format in [FloatKind::F8E5M2, FloatKind::F16, FloatKind::BF16] {
            // In the gate, a seventh of the patterns of 16 bits; seven divides no power of two, so all fields vary.
            let step = if format == FloatKind::F8E5M2 || n_cases().is_some() {
                1
            } else {
                7
            };
            let mut worst: f64 = 0.0;
            for pattern in (0..1_u64 << format.width_bits()).step_by(step) {
                worst = worst.max(check(function, format, &[pattern]));
            }
            println!("{function:?} {format:?}: {worst} ulp");
        }
    }
}

#[test]
fn functions_of_two_bytes_are_right_for_all_pairs() {
    for function in [FloatFunction::Atan2, FloatFunction::Pow] {
        let mut worst: f64 = 0.0;
        for x in 0..256 {
            for y in 0..256 {
                worst = worst.max(check(function, FloatKind::F8E5M2, &[x, y]));
            }
        }
        println!("{function:?}: {worst} ulp");
    }
}

#[test]
fn functions_of_random_floats_are_right() {
    let n_cases = n_cases().unwrap_or(1_000);
    let mut random = Random(1);
    for (_, function) in FloatFunction::ALL {
        for format in [
            FloatKind::F16,
            FloatKind::BF16,
            FloatKind::F32,
            FloatKind::F64,
        ] {
            let start = std::time::Instant::now();
            let mut worst: f64 = 0.0;
            for _ in 0..n_cases {
                let operands = [float(&mut random, format), float(&mut random, format)];
                let n = function.n_operands();
                worst = worst.max(check(function, format, &operands[..n]));
            }
            println!(
                "{function:?} {format:?}: {worst} ulp, {:?}",
                start.elapsed()
            );
        }
    }
}

/// Arguments of `f32` that are very close to multiples of a quarter turn, and the largest ones.
#[test]
fn large_angles_are_reduced_exactly() {
    let hard = [
        0x7f7f_ffff,
        0x6115_cb11,
        0x5f18_b878,
        0x53b1_46a6,
        0x5d15_12a1,
        0x4b7f_0001,
        0x3fc9_0fdb,
    ];
    for pattern in hard {
        for function in [FloatFunction::Sin, FloatFunction::Cos] {
            check(function, FloatKind::F32, &[pattern]);
            check(function, FloatKind::F32, &[pattern | 1 << 31]);
        }
    }
}
