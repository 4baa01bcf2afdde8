//! Integer powers equal repeated multiplication, both by their declared meaning and after lowering.

use sluice_dialects::context;
use sluice_ir::Diagnostics;
use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_sim::interpreter::{Argument, Interpreter};
use sluice_testbenches::passes::parsed;

/// Returns the power modulo 2^width; `None` for 0 to a negative number.
fn power(width: u32, base: i64, exponent: i64) -> Option<Bits> {
    let bits = |value: i64| Bits::from_i64(width, value);
    if exponent >= 0 {
        let product =
            (0..exponent).fold(1_i64, |all, _| all.wrapping_mul(base) & ((1 << width) - 1));
        return Some(bits(product));
    }
    match base {
        0 => None,
        1 => Some(bits(1)),
        -1 => Some(bits(if exponent % 2 == 0 { 1 } else { -1 })),
        _ => Some(bits(0)),
    }
}

#[test]
fn powers_are_repeated_products() {
    for width in 1..=5 {
        let numbers = -(1_i64 << (width - 1))..1 << (width - 1);
        let ty = format!("i{width}");
        let mut text = format!(
            "func.func @any(%a: {ty}, %b: {ty}) -> {ty} {{\n  %r = math.ipowi %a, %b : {ty}\n  return %r : {ty}\n}}\n"
        );
        for (i, exponent) in numbers.clone().enumerate() {
            let value = match width {
                1 => (exponent != 0).to_string(),
                _ => format!("{exponent} : {ty}"),
            };
            text += &format!(
                "func.func @f{i}(%a: {ty}, %b: {ty}) -> {ty} {{\n  %k = arith.constant {value}\n  %r = math.ipowi %a, %k : {ty}\n  return %r : {ty}\n}}\n"
            );
        }
        let context = context();
        let plain = parsed(&context, &text);
        let mut lowered = parsed(&context, &text);
        for op in named(&context, &lowered, "func.func") {
            let body = lowered.inner_mut().inner_mut(op);
            let mut found = Diagnostics::new();
            sluice_transform::normalise(&context, body, &mut found);
            assert!(!found.has_errors(), "{}", found.to_text(&context));
            let powers = body.walk_all().into_iter();
            let mut powers =
                powers.filter(|op| context.operation_text(body.name(*op)) == "math.ipowi");
            assert_eq!(powers.next(), None);
        }
        let mut found = Diagnostics::new();
        sluice_ir::verifier::verify(&context, &lowered, &mut found);
        assert!(!found.has_errors(), "{}", found.to_text(&context));
        for base in numbers.clone() {
            for (i, exponent) in numbers.clone().enumerate() {
                let expected = power(width, base, exponent);
                let operands = [base, exponent].map(|n| Argument::Scalar(Bits::from_i64(width, n)));
                for name in ["any".to_owned(), format!("f{i}")] {
                    let run = |module| {
                        let mut interpreter = Interpreter::new(&context, module);
                        let outcome = interpreter.run(&name, &operands).ok();
                        outcome.and_then(|outcome| outcome.results.into_iter().next())
                    };
                    let place = format!("{base} to {exponent} in {width} bits, @{name}");
                    assert_eq!(run(&plain), expected, "{place}");
                    if expected.is_some() {
                        assert_eq!(run(&lowered), expected, "{place}, lowered");
                    }
                }
            }
        }
    }
}
