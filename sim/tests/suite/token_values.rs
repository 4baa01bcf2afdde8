//! Operations of `arith` have the same results on tokens as in the interpreter.

use sluice_ir::bits::Bits;
use sluice_sim::interpreter::{Argument, Interpreter};
use sluice_sim::tokens::TokenSimulator;

use crate::token_files::parsed;

/// Operations with two operands and a result of the same type.
const BINARY: &[&str] = &[
    "addi",
    "subi",
    "muli",
    "divui",
    "divsi",
    "remui",
    "remsi",
    "ceildivui",
    "ceildivsi",
    "floordivsi",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrui",
    "shrsi",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
];

const PREDICATES: &[&str] = &[
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

const WIDTHS_BITS: &[u32] = &[1, 2, 7, 32, 63, 64, 65, 100];

/// Returns all pairs of the extreme values of a width and some values between them.
fn operands(width_bits: u32) -> Vec<Bits> {
    let edges = [Bits::signed_min(width_bits), Bits::signed_max(width_bits)];
    let small = [0, 1, 2, 3, 5, -1, -2, 6, 31, 32, 63, 64, 65, 99, 100, 1234];
    let words = small
        .iter()
        .map(|value| Bits::from_i64(128, *value).trunc(width_bits));
    edges.into_iter().chain(words).collect()
}

/// Returns an operation on `%x` and `%y` as a function and as a graph.
fn both(operation: &str, ty: &str, result: &str) -> (String, String) {
    (
        format!(
            "func.func @f(%x: {ty}, %y: {ty}) -> {result} {{ %r = {operation} return %r : {result} }}"
        ),
        format!(
            "handshake.func @f(%x: {ty}, %y: {ty}, %s: none) -> ({result}, none) {{ %r = {operation} return %r, %s : {result}, none }}"
        ),
    )
}

fn agree(operation: &str, width_bits: u32, result: &str) {
    let ty = format!("i{width_bits}");
    let (function, graph) = both(operation, &ty, result);
    let context = sluice_dialects::context();
    let function = parsed(&context, &function, "function.mlir");
    let graph = parsed(&context, &graph, "graph.mlir");
    let simulator = TokenSimulator::new(&context, &graph, "f").expect(operation);
    let operands = operands(width_bits);
    for x in &operands {
        for y in &operands {
            let arguments = [Argument::Scalar(x.clone()), Argument::Scalar(y.clone())];
            let expected = Interpreter::new(&context, &function).run("f", &arguments);
            let found = simulator.run_untimed(&arguments);
            // If the result is undefined, both report an error.
            let (expected, found) = (expected.ok(), found.ok().map(|found| found.outcome));
            assert_eq!(found, expected, "{operation} : {ty} of {x:?} and {y:?}");
        }
    }
}

#[test]
fn tokens_hold_what_the_interpreter_computes() {
    for width_bits in WIDTHS_BITS {
        let ty = format!("i{width_bits}");
        for name in BINARY {
            agree(&format!("arith.{name} %x, %y : {ty}"), *width_bits, &ty);
        }
        for name in PREDICATES {
            agree(
                &format!("arith.cmpi {name}, %x, %y : {ty}"),
                *width_bits,
                "i1",
            );
        }
    }
}

#[test]
fn casts_hold_what_the_interpreter_computes() {
    let cases = [
        ("arith.extui", "i7", "i64"),
        ("arith.extsi", "i7", "i64"),
        ("arith.extsi", "i64", "i65"),
        ("arith.extui", "i1", "i100"),
        ("arith.trunci", "i64", "i63"),
        ("arith.trunci", "i100", "i64"),
    ];
    for (name, from, to) in cases {
        let operation = format!("{name} %x : {from} to {to}");
        let function =
            format!("func.func @f(%x: {from}) -> {to} {{ %r = {operation} return %r : {to} }}");
        let graph = format!(
            "handshake.func @f(%x: {from}, %s: none) -> ({to}, none) {{ %r = {operation} return %r, %s : {to}, none }}"
        );
        let context = sluice_dialects::context();
        let function = parsed(&context, &function, "function.mlir");
        let graph = parsed(&context, &graph, "graph.mlir");
        let simulator = TokenSimulator::new(&context, &graph, "f").expect(name);
        let width_bits: u32 = from[1..].parse().expect("a width");
        for x in operands(width_bits) {
            let arguments = [Argument::Scalar(x)];
            let expected = Interpreter::new(&context, &function).run("f", &arguments);
            let found = simulator.run_untimed(&arguments).map(|found| found.outcome);
            assert_eq!(found.ok(), expected.ok(), "{operation} of {arguments:?}");
        }
    }
}
