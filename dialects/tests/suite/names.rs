//! Names in Verilog and of files.

use sluice_dialects::names::{Names, file_stem, legal};

#[test]
fn names_are_legal_and_unique() {
    let mut names = Names::default();
    let all: Vec<_> = ["a", "a", "a.b", "0", "wire", ""]
        .iter()
        .map(|n| names.unique(n))
        .collect();
    assert_eq!(all, ["a", "a_1", "a_b", "_0", "wire_1", "_"]);
}

#[test]
fn names_are_legal_bounded_and_told_apart() {
    for (wanted, expected) in [
        ("dot", "dot"),
        ("", "_"),
        (".", "_"),
        ("..", "__"),
        ("../x", "___x"),
        ("/abs/x", "_abs_x"),
        ("-o", "_o"),
        ("8x", "_8x"),
        ("gr\u{f6}\u{df}e", "gr__e"),
        ("a\0b\nc", "a_b_c"),
    ] {
        assert_eq!(legal(wanted), expected);
        assert_eq!(file_stem(wanted), expected);
    }
    let long = "x".repeat(5000);
    let [a, b] = [long.clone() + "a", long + "b"].map(|name| legal(&name));
    assert_eq!((a.len(), b.len()), (200, 200));
    assert_ne!(a, b);
    assert_eq!(legal(&a), a);
    assert_eq!(file_stem("x\u{e9}"), file_stem("x_"));
}

#[test]
fn devices_of_windows_are_no_stems() {
    for (name, stem) in [
        ("aux", "aux_"),
        ("Con", "Con_"),
        ("com1", "com1_"),
        ("com10", "com10"),
        ("lpt", "lpt"),
        ("null", "null"),
    ] {
        assert_eq!(file_stem(name), stem);
    }
}
