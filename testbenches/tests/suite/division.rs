//! Expanded operations have the same results as the originals: division by every constant, and bit counts.

use std::fmt::Write as _;

use sluice_dialects::context;
use sluice_ir::Module;
use sluice_ir::bits::Bits;
use sluice_sim::interpreter::{Argument, Interpreter};
use sluice_testbenches::passes::{after_passes, parsed};
use sluice_verify::data::Random;

const DIVISIONS: &[&str] = &[
    "divui",
    "divsi",
    "remui",
    "remsi",
    "ceildivui",
    "ceildivsi",
    "floordivsi",
];

/// Returns a function of one operand for each operation and divisor, called `@f0`, `@f1`, ...
fn divisions(width: u32, divisors: &[i128]) -> String {
    let mut text = String::new();
    let mut number = 0;
    for operation in DIVISIONS {
        for divisor in divisors {
            writeln!(
                text,
                "func.func @f{number}(%x: i{width}) -> i{width} {{\n  %d = arith.constant {divisor} : i{width}\n  \
                 %q = arith.{operation} %x, %d : i{width}\n  return %q : i{width}\n}}"
            )
            .expect("strings grow");
            number += 1;
        }
    }
    text
}

/// Returns such functions for an operand that was extended from `from` bits, so that the range of the dividend is known.
fn divisions_of_extended(from: u32, width: u32, divisors: &[i128]) -> String {
    let mut text = String::new();
    let mut number = 0;
    for operation in DIVISIONS {
        for divisor in divisors {
            let extension = if number % 2 == 0 { "extui" } else { "extsi" };
            writeln!(
                text,
                "func.func @f{number}(%n: i{from}) -> i{width} {{\n  %x = arith.{extension} %n : i{from} to i{width}\n  \
                 %d = arith.constant {divisor} : i{width}\n  %q = arith.{operation} %x, %d : i{width}\n  \
                 return %q : i{width}\n}}"
            )
            .expect("strings grow");
            number += 1;
        }
    }
    text
}

fn counts(width: u32) -> String {
    let mut text = String::new();
    for (number, operation) in ["ctpop", "ctlz", "cttz", "absi"].iter().enumerate() {
        writeln!(
            text,
            "func.func @f{number}(%x: i{width}) -> i{width} {{\n  %q = math.{operation} %x : i{width}\n  \
             return %q : i{width}\n}}"
        )
        .expect("strings grow");
    }
    text
}

fn run(context: &sluice_ir::Context, module: &Module, name: &str, x: &Bits) -> Option<Bits> {
    let mut interpreter = Interpreter::new(context, module);
    let outcome = interpreter.run(name, &[Argument::Scalar(x.clone())]).ok()?;
    outcome.results.into_iter().next()
}

/// Compares each function with its form after `expand`; where the original is undefined, any result is right.
fn check(text: &str, n_functions: usize, inputs: &[Bits]) {
    let expanded = after_passes(text, &["expand", "canonicalise"]);
    let context = context();
    let (before, after) = (parsed(&context, text), parsed(&context, &expanded));
    for number in 0..n_functions {
        let name = format!("f{number}");
        for x in inputs {
            let Some(want) = run(&context, &before, &name, x) else {
                continue;
            };
            let got = run(&context, &after, &name, x);
            let source = text.split("func.func").nth(number + 1).unwrap_or_default();
            assert_eq!(got.as_ref(), Some(&want), "of {x} in{source}");
        }
    }
}

fn all_words(width: u32) -> Vec<Bits> {
    (0..1u64 << width)
        .map(|x| Bits::from_u64(width, x))
        .collect()
}

#[test]
fn division_by_every_constant_of_small_widths() {
    for width in 1..=6 {
        let half = 1i128 << (width - 1);
        let divisors: Vec<i128> = (-half..half).filter(|d| *d != 0).collect();
        let n_functions = DIVISIONS.len() * divisors.len();
        check(&divisions(width, &divisors), n_functions, &all_words(width));
    }
}

#[test]
fn division_of_extended_dividends() {
    for (from, width) in [(1, 8), (3, 8), (5, 16), (7, 8), (8, 64)] {
        let mut divisors = vec![1, -1, 2, -2, 3, -3, 5, 7, 8, -8, 10, 31, 33, 100, -100, 127];
        divisors.retain(|d: &i128| (1i128 << (width - 1)) > *d);
        // The number of divisors is odd, so that every operation meets both extensions.
        divisors.truncate(15);
        let text = divisions_of_extended(from, width, &divisors);
        check(&text, DIVISIONS.len() * divisors.len(), &all_words(from));
    }
}

#[test]
fn division_by_constants_of_large_widths() {
    let mut random = Random::new(7);
    for width in [8, 13, 16, 31, 32, 33, 63, 64, 96] {
        let top = (1i128 << (width - 1)) - 1;
        let mut divisors = vec![
            1,
            -1,
            2,
            3,
            5,
            7,
            10,
            -3,
            -4,
            100,
            127,
            64,
            top,
            -top - 1,
            top / 3,
            top / 2 + 1,
        ];
        divisors.retain(|d| (-top - 1..=top).contains(d));
        for _ in 0..6 {
            let bits =
                i128::from(random.next_u64()) * 0x1_0000_0001 + i128::from(random.next_u64());
            let shift = random.next_u64() % u64::from(width);
            divisors.push(((bits & top) >> shift).max(1));
        }
        let mut inputs = vec![
            Bits::zero(width),
            Bits::ones(width),
            Bits::signed_max(width),
            Bits::signed_min(width),
        ];
        for divisor in &divisors {
            // Operands near multiples of the divisor expose a reciprocal that is slightly wrong.
            let d = Bits::from_i128(width, *divisor);
            let one = Bits::from_u64(width, 1);
            let k = Bits::from_limbs(width, &[random.next_u64(), random.next_u64()]);
            let multiple = k.udiv(&d).expect("not zero").mul(&d);
            inputs.extend([multiple.sub(&one), multiple.clone(), multiple.add(&one), k]);
        }
        check(
            &divisions(width, &divisors),
            DIVISIONS.len() * divisors.len(),
            &inputs,
        );
    }
}

#[test]
fn counts_of_bits() {
    for width in 1..=9 {
        check(&counts(width), 4, &all_words(width));
    }
    let mut random = Random::new(11);
    for width in [13, 32, 64, 96] {
        let mut inputs = vec![
            Bits::zero(width),
            Bits::ones(width),
            Bits::signed_min(width),
        ];
        for i in 0..u64::from(width) {
            let word = Bits::from_limbs(width, &[random.next_u64(), random.next_u64()]);
            let shift = u32::try_from(i).expect("below the width");
            inputs.extend([word.lshr_by(shift), word.shl_by(shift)]);
        }
        check(&counts(width), 4, &inputs);
    }
}
