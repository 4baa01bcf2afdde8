//! Loading of dialects: definitions that cannot be loaded, and mutated definitions, which must give a result or an error.

use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, bytecode, verifier};

/// Loads the definitions in `source`; returns the messages if there is an error.
fn load(context: &mut Context, source: &str) -> Result<(), String> {
    let mut diagnostics = Diagnostics::new();
    if let Some(module) = parse_module(context, source, "d.irdl", &mut diagnostics) {
        verifier::verify(context, &module, &mut diagnostics);
        if !diagnostics.has_errors() {
            let loaded = sluice_dialects::irdl::load(context, &module, &mut diagnostics);
            assert_eq!(loaded, !diagnostics.has_errors());
        }
    }
    match diagnostics.has_errors() {
        true => Err(diagnostics.to_text(context)),
        false => Ok(()),
    }
}

/// Parses, verifies and prints `source`.
fn answer(context: &Context, source: &str) -> Result<String, String> {
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, source, "m.mlir", &mut diagnostics);
    if let Some(module) = &module {
        verifier::verify(context, module, &mut diagnostics);
    }
    match module {
        Some(module) if !diagnostics.has_errors() => {
            Ok(print_module(context, &module, &PrintOptions::default()))
        }
        _ => Err(diagnostics.to_text(context)),
    }
}

#[test]
fn a_dialect_that_is_there_is_not_replaced() {
    let mut context = sluice_dialects::context();
    let wrong = load(&mut context, "irdl.dialect @other\nirdl.dialect @arith");
    let text = "d.irdl:2:1: error: a dialect called 'arith' is there already\n";
    assert_eq!(wrong, Err(text.to_owned()));
    assert!(context.dialect("other").is_none(), "all or nothing");
    assert_eq!(load(&mut context, "irdl.dialect @other"), Ok(()));
    let again = load(&mut context, "irdl.dialect @other");
    let text = "d.irdl:1:1: error: a dialect called 'other' is there already\n";
    assert_eq!(again, Err(text.to_owned()));
}

#[test]
fn a_definition_stands_once_in_all_modules() {
    let mut context = sluice_dialects::context();
    let part = "module { irdl.dialect @d { irdl.type @t } }";
    let wrong = load(&mut context, &format!("{part}\n{part}"));
    let text = "d.irdl:2:28: error: 'd.t' is defined already\n";
    assert_eq!(wrong, Err(text.to_owned()));
}

#[test]
fn names_that_were_read_before_are_declared_afterwards() {
    let mut context = sluice_dialects::context();
    context.allow_unregistered = true;
    let source = "\"d.o\"() : () -> ()";
    assert!(answer(&context, source).is_ok());
    let definition = "irdl.dialect @d { irdl.operation @o { %0 = irdl.any irdl.results(%0) } }";
    assert_eq!(load(&mut context, definition), Ok(()));
    let wrong = "m.mlir:1:1: error: op expects exactly 1 results, but got 0\n";
    assert_eq!(answer(&context, source), Err(wrong.to_owned()));
}

#[test]
fn values_that_are_no_constraints_are_refused() {
    let mut context = sluice_dialects::context();
    let source = "irdl.dialect @d { irdl.operation @o {
        %0 = builtin.unrealized_conversion_cast to !irdl.attribute
        irdl.results(%0)
    } }";
    let wrong = load(&mut context, source).expect_err("it must be refused");
    assert!(
        wrong.starts_with("d.irdl:3:9: error: expected operands"),
        "{wrong}"
    );
}

#[test]
fn operations_of_a_loaded_dialect_have_no_properties_in_bytecode() {
    let mut context = sluice_dialects::context();
    context.allow_unregistered = true;
    let mut diagnostics = Diagnostics::new();
    let source = "\"d.o\"() <{a = 1}> : () -> ()";
    let module = parse_module(&context, source, "m.mlir", &mut diagnostics);
    let module = module.expect("the operation is not known yet");
    let bytes = bytecode::write(&context, &module, &bytecode::WriteOptions::default());
    let bytes = bytes.expect("the version is known");
    let definition = "irdl.dialect @d { irdl.operation @o }";
    assert_eq!(load(&mut context, definition), Ok(()));
    assert!(bytecode::read(&context, &bytes, "m.mlirbc", &mut diagnostics).is_none());
    let wrong = diagnostics.to_text(&context);
    let wanted = "has properties but missing BytecodeOpInterface for d.o";
    assert!(wrong.contains(wanted), "{wrong}");
}

/// Returns constraints that use the previous one twice: each level doubles the number of ways to fail.
fn chain(length: usize, last: &str) -> String {
    let mut source = "irdl.dialect @d { irdl.operation @o {\n%0 = irdl.is i1\n".to_owned();
    for i in 1..=length {
        source += &format!("%{i} = irdl.any_of(%{}, %{})\n", i - 1, i - 1);
    }
    source + &format!("irdl.results({last})\n}} }}")
}

#[test]
fn long_chains_of_constraints_end() {
    let mut context = sluice_dialects::context();
    assert_eq!(load(&mut context, &chain(200, "%200")), Ok(()));
    let wrong = answer(&context, "%0 = \"d.o\"() : () -> i2");
    let text = "m.mlir:1:6: error: 'i2' does not satisfy the constraint\n";
    assert_eq!(wrong, Err(text.to_owned()));
    let mut context = sluice_dialects::context();
    let wrong = load(&mut context, &chain(100_000, "%0")).expect_err("it must be refused");
    assert!(
        wrong.starts_with("d.irdl:203:8: error: constraints use"),
        "{wrong}"
    );
}

#[test]
fn damaged_definitions_end_in_a_result_or_an_error() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loaded");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let (definition, source) = (read("stream.irdl"), read("stream.mlir"));
    let words: Vec<&str> = definition
        .split_inclusive([' ', '\n', '(', ')', ','])
        .collect();
    let mut n_loaded = 0;
    for number in 0..words.len() {
        // Omits a word, or replaces it by another.
        let other = words[(number * 7 + 3) % words.len()];
        for instead in ["", other] {
            let mut damaged = words.clone();
            damaged[number] = instead;
            let mut context = sluice_dialects::context();
            if load(&mut context, &damaged.concat()).is_ok() {
                n_loaded += 1;
                context.allow_unregistered = true;
                let _ = answer(&context, &source);
            }
        }
    }
    assert!(n_loaded > 20, "only {n_loaded} could be loaded");
}
