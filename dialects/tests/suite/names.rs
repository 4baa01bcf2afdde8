//! Names for other languages.

use sluice_dialects::names::Names;

#[test]
fn names_are_legal_and_unique() {
    let mut names = Names::default();
    let all: Vec<_> = ["a", "a", "a.b", "0", "wire", ""]
        .iter()
        .map(|n| names.unique(n))
        .collect();
    assert_eq!(all, ["a", "a_1", "a_b", "_0", "wire_1", "_"]);
}
