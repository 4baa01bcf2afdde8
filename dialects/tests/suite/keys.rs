//! Attributes of the dialect `sluice`: a misspelt attribute, one on the wrong operation, or one with an invalid value is an
//! error.

use sluice_ir::Diagnostics;
use sluice_ir::text::parse_module;
use sluice_ir::verifier::verify;

/// Returns the messages of the verifier for a loop with an attribute.
fn said(on_loop: &str, on_argument: &str) -> String {
    let context = sluice_dialects::context();
    let text = format!(
        "func.func @f(%a: memref<4xi32> {{{on_argument}}}) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c4 step %c1 {{
  }} {{{on_loop}}}
  return
}}"
    );
    let mut found = Diagnostics::new();
    let module = parse_module(&context, &text, "f.mlir", &mut found).expect("the text is read");
    verify(&context, &module, &mut found);
    found.to_text(&context)
}

#[test]
fn attributes_are_declared_in_their_place_and_fit() {
    for (on_loop, on_argument, expected) in [
        ("sluice.unroll = 2 : i64", "", ""),
        ("other.key = 2 : i64", "", ""),
        ("", "sluice.banks = [{dim = 0 : i64}]", ""),
        (
            "sluice.unrol = 2 : i64",
            "",
            "'scf.for' op has an attribute 'sluice.unrol' that is not declared; did you mean `sluice.unroll`?",
        ),
        (
            "sluice.quite_another",
            "",
            "'scf.for' op has an attribute 'sluice.quite_another' that is not declared; what fits: `sluice.apart_by_choice`",
        ),
        (
            "sluice.unroll = 0 : i64",
            "",
            "'scf.for' op attribute 'sluice.unroll' failed to satisfy constraint: a whole number from 1",
        ),
        (
            "sluice.no_inline",
            "",
            "'scf.for' op cannot have the attribute 'sluice.no_inline', which is for functions: `func.func`, `handshake.func`",
        ),
        (
            "",
            "sluice.unroll = 2 : i64",
            "'func.func' op cannot have the attribute 'sluice.unroll', which is for loops",
        ),
    ] {
        let said = said(on_loop, on_argument);
        match expected {
            "" => assert_eq!(said, "", "{on_loop} {on_argument}"),
            expected => assert!(said.contains(expected), "{on_loop} {on_argument}: {said}"),
        }
    }
}

#[test]
fn periods_are_whole_numbers_or_not_and_results_have_attributes_too() {
    let context = sluice_dialects::context();
    let said = |text: &str| {
        let mut found = Diagnostics::new();
        let module = parse_module(&context, text, "f.mlir", &mut found);
        verify(&context, &module.expect("the text is read"), &mut found);
        found.to_text(&context)
    };
    for period in ["5 : i64", "5.0 : f64", "5.0 : f32"] {
        let text = format!("module attributes {{sluice.clock_period_ns = {period}}} {{}}");
        assert_eq!(said(&text), "", "{period}");
    }
    let text = "func.func private @f() -> (i32 {sluice.unroll = 2 : i64})";
    let expected = "'func.func' op cannot have the attribute 'sluice.unroll', which is for loops";
    assert!(said(text).contains(expected), "{}", said(text));
}

#[test]
fn names_begin_with_that_of_the_dialect_and_are_there_once() {
    let dialect = &sluice_dialects::sluice::DIALECT;
    let keys = dialect.keys.iter().flat_map(|group| group.iter());
    let mut names: Vec<&str> = keys.map(|key| key.name).collect();
    assert!(names.iter().all(|name| name.starts_with("sluice.")));
    assert!(names.len() > 90, "{} names", names.len());
    names.sort_unstable();
    let n = names.len();
    names.dedup();
    assert_eq!(names.len(), n);
}
