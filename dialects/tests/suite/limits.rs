//! Widths that no type can have, and shapes with too many elements for the machine: an error or a result, never a panic.

use sluice_ir::Diagnostics;
use sluice_ir::View;
use sluice_ir::simplify::fold;
use sluice_ir::text::parse_module;

fn first_error(source: &str) -> String {
    let context = sluice_dialects::context();
    let mut diagnostics = Diagnostics::new();
    parse_module(&context, source, "limits.mlir", &mut diagnostics);
    diagnostics.to_text(&context)
}

#[test]
fn integers_have_a_greatest_width() {
    let wide =
        "hw.module @a(in %a : i16777215) {\n %0 = comb.concat %a, %a : i16777215, i16777215\n}";
    assert!(first_error(wide).contains("at most 2^24 - 1 bits"));
    let wide = "hw.module @a(in %a : !hw.int<99999999>) {}";
    assert!(first_error(wide).contains("expected a width of 0 to 16777215 bits"));
}

#[test]
fn elements_of_one_value_fold_whatever_their_number() {
    let context = sluice_dialects::context();
    let mut diagnostics = Diagnostics::new();
    let ty = "tensor<4294967296x4294967296xi32>";
    let source = format!(
        "func.func @f() {{\n %0 = arith.constant dense<1> : {ty}\n %1 = arith.addi %0, %0 : {ty}\n return\n}}"
    );
    let module = parse_module(&context, &source, "limits.mlir", &mut diagnostics);
    let module = module.expect("the module is right");
    let top = View::new(&context, &module.body, module.operation);
    let functions = top.inner();
    let function = functions.walk_all()[0];
    let body = functions.inner(function);
    let sum = body.walk_all()[1];
    assert!(fold(View::new(&context, body, sum)).is_some());
}
