//! The enums of operations contain exactly the declared operations.

use sluice_dialects::{Operation, all};

#[test]
fn every_declared_operation_has_a_variant_of_its_name() {
    let groups = all().iter().flat_map(|dialect| dialect.operations.iter());
    let names: Vec<&str> = groups
        .flat_map(|group| group.iter())
        .map(|op| op.name)
        .collect();
    assert!(names.len() > 300, "{} operations", names.len());
    for name in names {
        assert_eq!(Operation::from_name(name).map(Operation::name), Some(name));
    }
}

#[test]
fn undeclared_names_have_no_variant() {
    for name in [
        "",
        "arith",
        "arith.",
        "arith.addi.x",
        "other.addi",
        "addi",
        "memref.addi",
    ] {
        assert_eq!(Operation::from_name(name), None, "{name}");
    }
}
