//! Operations that are split into pieces give the same results as whole ones, for all widths of pieces that fit a cycle.

use std::fmt::Write as _;

use sluice_dialects::context;
use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_ir::{Context, Module, View};
use sluice_oplib::class::OperatorClass;
use sluice_sim::interpreter::{Argument, Interpreter};
use sluice_testbenches::passes::parsed;
use sluice_verify::data::Random;

const BINARY: &[&str] = &[
    "addi", "subi", "muli", "shli", "shrui", "shrsi", "divui", "divsi", "remui", "remsi",
];
const PREDICATES: &[&str] = &[
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

/// Returns functions `@f0`, `@f1`, ... of two operands of a width: one for each operation, and some with partly known operands.
/// Also returns their number.
fn functions(width: u32) -> (String, usize) {
    let ty = format!("i{width}");
    let mut bodies: Vec<String> = Vec::new();
    for name in BINARY {
        bodies.push(format!("%r = arith.{name} %a, %b : {ty}"));
    }
    for predicate in PREDICATES {
        bodies.push(format!(
            "%c = arith.cmpi {predicate}, %a, %b : {ty}\n  %r = arith.extui %c : i1 to {ty}"
        ));
    }
    let narrow = width.div_ceil(2);
    if narrow < width {
        for (name, left, right) in [
            ("muli", "extsi", "extsi"),
            ("muli", "extui", "extsi"),
            ("muli", "extui", "extui"),
            ("addi", "extui", "extsi"),
            ("subi", "extsi", "extui"),
        ] {
            bodies.push(format!(
                "%x = arith.trunci %a : {ty} to i{narrow}\n  %y = arith.trunci %b : {ty} to i{narrow}\n  \
                 %p = arith.{left} %x : i{narrow} to {ty}\n  %q = arith.{right} %y : i{narrow} to {ty}\n  \
                 %r = arith.{name} %p, %q : {ty}"
            ));
        }
    }
    for (name, constant) in [("addi", 1), ("muli", 3), ("subi", 2), ("muli", 0)] {
        // In two bits, 3 is -1.
        let constant = if width == 2 && constant > 1 {
            1
        } else {
            constant
        };
        bodies.push(format!(
            "%k = arith.constant {constant} : {ty}\n  %r = arith.{name} %a, %k : {ty}"
        ));
    }
    let mut text = String::new();
    for (number, body) in bodies.iter().enumerate() {
        let arguments = format!("%a: {ty}, %b: {ty}");
        let _ = writeln!(
            text,
            "func.func @f{number}({arguments}) -> {ty} {{\n  {body}\n  return %r : {ty}\n}}"
        );
    }
    (text, bodies.len())
}

/// Returns all pairs of operands of small widths, or a few of large ones.
fn inputs(width: u32) -> Vec<[Bits; 2]> {
    if width <= 4 {
        let all = 0..1u64 << (2 * width);
        return all
            .map(|n| [n, n >> width].map(|n| Bits::from_u64(64, n).trunc(width)))
            .collect();
    }
    let mut random = Random::new(u64::from(width));
    let mut word = || {
        let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.next_u64()).collect();
        let all = Bits::from_limbs(width.next_multiple_of(64), &limbs);
        // Some are small, some are near the extreme values.
        let kept = u32::try_from(random.next_u64() % u64::from(width)).expect("a width");
        match random.next_u64() % 3 {
            0 => all.trunc(kept + 1).zext(width),
            1 => all.trunc(kept + 1).sext(width),
            _ => all.trunc(width),
        }
    };
    let n = if width < 10 { 200 } else { 40 };
    (0..n).map(|_| [word(), word()]).collect()
}

fn run(context: &Context, module: &Module, name: &str, operands: &[Bits; 2]) -> Option<Bits> {
    let mut interpreter = Interpreter::new(context, module);
    let arguments = operands.clone().map(Argument::Scalar);
    let outcome = interpreter.run(name, &arguments).ok()?;
    outcome.results.into_iter().next()
}

/// Checks all functions of a width. Sums, comparisons and variable shifts fit a cycle up to `most` bits, products up to
/// `max_product_bits`; divisions never fit, all other operations always do. A product uses at most `max_adders` adders. The
/// pieces are tested both in place and in separate regions.
fn check(width: u32, most: u32, max_product_bits: u32, max_adders: usize) {
    for max_tokens in [None, Some(0)] {
        check_with(width, (most, max_product_bits), max_adders, max_tokens);
    }
}

fn check_with(
    width: u32,
    (most, max_product_bits): (u32, u32),
    max_adders: usize,
    max_tokens: Option<usize>,
) {
    let fits = |class: OperatorClass, bits: u32| match class {
        OperatorClass::Multiply => bits <= max_product_bits,
        OperatorClass::Add
        | OperatorClass::Subtract
        | OperatorClass::CompareEqual
        | OperatorClass::CompareOrder
        | OperatorClass::ShiftVariable => bits <= most,
        OperatorClass::DivideUnsigned
        | OperatorClass::DivideSigned
        | OperatorClass::RemainderUnsigned
        | OperatorClass::RemainderSigned => false,
        _ => true,
    };
    let splitting = sluice_transform::Splitting {
        fits: &fits,
        begins: &|_| true,
        max_adders,
        max_tokens,
    };
    let context = context();
    let (text, n_functions) = functions(width);
    let plain = parsed(&context, &text);
    let mut split = parsed(&context, &text);
    for op in named(&context, &split, "func.func") {
        let body = split.inner_mut().inner_mut(op);
        sluice_transform::split_wide(&context, body, &splitting);
        let view = View::new(&context, split.inner(), op);
        let body = view.inner();
        for op in body.walk_all() {
            let inner = View::new(&context, body, op);
            let measured = match inner.name() {
                "arith.cmpi" => inner.operand(0),
                name if name.starts_with("arith.") => inner.result(0),
                _ => continue,
            };
            let class = OperatorClass::of(inner).expect("arith has classes");
            let constant = |i: usize| {
                let op = body.defining_operation(inner.operand(i))?;
                (View::new(&context, body, op).name() == "arith.constant").then_some(())
            };
            if class == OperatorClass::ShiftVariable && constant(1).is_some() {
                continue;
            }
            let bits = body.ty(measured).integer_width_bits(&context);
            let bits = bits.expect("of integers");
            let name = view.symbol_name().unwrap_or_default();
            assert!(
                fits(class, bits),
                "@{name} of {width} bits, most {most}, {max_product_bits}: `{}` of {bits} bits is left",
                inner.name()
            );
        }
    }
    let mut found = sluice_ir::Diagnostics::new();
    sluice_ir::verifier::verify(&context, &split, &mut found);
    assert!(!found.has_errors(), "{}", found.to_text(&context));
    for operands in inputs(width) {
        for number in 0..n_functions {
            let name = format!("f{number}");
            let Some(expected) = run(&context, &plain, &name, &operands) else {
                continue;
            };
            let given = run(&context, &split, &name, &operands);
            assert_eq!(
                given,
                Some(expected),
                "@{name} of {width} bits, most {most}, {max_product_bits}: {operands:?}\n{text}"
            );
        }
    }
}

#[test]
fn pieces_give_what_the_whole_gives() {
    // A middle piece of a sum has a carry from below and one to above.
    for width in 2..=4 {
        for most in 3..=width.max(3) {
            for max_product_bits in 0..=width {
                check(width, most, max_product_bits, usize::MAX);
            }
            check(width, most, 0, 0);
        }
    }
    for (width, most, max_product_bits, max_adders) in [
        (5, 3, 4, usize::MAX),
        (6, 4, 0, usize::MAX),
        (6, 4, 0, 0),
        (7, 3, 5, usize::MAX),
        (33, 9, 16, usize::MAX),
        (33, 9, 16, 0),
        (64, 40, 0, usize::MAX),
        (65, 40, 0, 60),
        (100, 37, 36, usize::MAX),
        (100, 37, 36, 0),
        (130, 65, 72, usize::MAX),
    ] {
        check(width, most, max_product_bits, max_adders);
    }
}
