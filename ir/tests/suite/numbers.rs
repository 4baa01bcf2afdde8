//! Numbers in attributes: floats print as in upstream and parse back, integers survive bytecode, and near words are found.

use proptest::prelude::*;
use sluice_ir::bytecode::{self, VERSION, WriteOptions};
use sluice_ir::suggestion::nearest;
use sluice_ir::text::{PrintOptions, parse_attribute, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Module};

fn context() -> Context {
    let mut context = Context::new(sluice_dialects::all());
    context.allow_unregistered = true;
    context
}

/// Returns an operation with an attribute.
fn module(context: &Context, attributes: &str) -> Module {
    let text = format!("\"t.op\"() {{{attributes}}} : () -> ()");
    let mut found = Diagnostics::new();
    parse_module(context, &text, "t.mlir", &mut found).expect("the text is right")
}

/// Returns the printed text of a float, without its type.
fn printed(context: &Context, float: &str, ty: &str) -> String {
    let module = module(context, &format!("a = {float} : {ty}"));
    let text = print_module(context, &module, &PrintOptions::default());
    let (_, from) = text.split_once("a = ").expect("the attribute is printed");
    let end = from.find([' ', '}']).expect("something follows");
    from[..end].to_owned()
}

#[test]
fn floats_print_as_upstream_prints_them() {
    let context = context();
    for (float, ty, expected) in [
        ("1.", "f64", "1.000000e+00"),
        ("3.14159265358979", "f64", "3.14159265358979"),
        ("0.1", "f32", "1.000000e-01"),
        ("1.0e39", "f32", "0x7F800000"),
        ("1.0", "tf32", "1.000000e+00"),
        ("1.0", "f80", "1.000000e+00"),
        ("-0.0", "f64", "-0.000000e+00"),
    ] {
        assert_eq!(printed(&context, float, ty), expected, "{float} : {ty}");
    }
}

#[test]
fn every_small_float_reads_back() {
    let context = context();
    for ty in ["f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ"] {
        for byte in 0..=255_u8 {
            let read = |float: &str| parse_attribute(&context, &format!("{float} : {ty}")).ok();
            let float = format!("{byte:#04X}").replace("0X", "0x");
            let first = read(&float).expect("a literal of eight bits");
            let text = printed(&context, &float, ty);
            assert!(read(&text) == Some(first), "{ty} {float} {text}");
        }
    }
}

#[test]
fn near_words_are_found_and_far_ones_are_not() {
    let known = ["delay_ns", "width_bits"];
    assert_eq!(nearest("widht_bits", known), Some("width_bits"));
    assert_eq!(nearest("colour", known), None);
}

proptest! {
    #[test]
    fn numbers_come_back_from_bytecode(
        value: u64,
        signed: i64,
        shift in 0_u32..64,
        version in 0..=VERSION,
        n_letters in 0_usize..300,
    ) {
        let (value, signed) = (value >> shift, signed >> shift);
        let context = context();
        let word = "x".repeat(n_letters);
        let attributes = format!(
            "a = {signed} : i64, b = {value} : ui64, c = {signed} : i100, d = array<i64: {signed}, 1>, e = \"{word}\""
        );
        let module = module(&context, &attributes);
        let options = WriteOptions { version, ..WriteOptions::default() };
        let data = bytecode::write(&context, &module, &options).expect("the version exists");
        let mut found = Diagnostics::new();
        let back = bytecode::read(&context, &data, "t.mlir", &mut found).expect("it was written so");
        let text = |module| print_module(&context, module, &PrintOptions::default());
        prop_assert_eq!(text(&back), text(&module));
    }
}
