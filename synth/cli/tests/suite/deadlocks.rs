//! Tests of deadlocks in circuits with streams, and of slow circuits without a deadlock.

use super::assertions::{folder, sluice, unplaced};

/// A cycle without a token: the data of its register change in every cycle, but no word ever arrives.
const RING: &str =
    "handshake.func @ring(%x: i24) -> (i24) attributes {argNames = [\"x\"], resNames = [\"y\"]} {
  %late = buffer [1] seq %sum : i24
  %sum = arith.addi %x, %late : i24
  return %sum : i24
}
";

#[test]
fn data_of_empty_registers_hide_no_deadlock() {
    let data = "module: ring
cases:
  - streams: {x: [1, 2, 3], y: [1, 3, 6]}
  - streams: {x: [1, 2, 3], y: [1, 3, 6]}
    pauses: 3
";
    let folder = folder(&[("c.mlir", RING), ("data.yaml", data)]);
    let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    let error = unplaced(&error);
    let found: Vec<&str> = error
        .lines()
        .filter(|line| line.starts_with("data set "))
        .collect();
    assert_eq!(found.len(), 2, "{error}");
    for line in found {
        assert!(
            line.contains(
                "deadlock: 0 of 3 words were taken from `x`, 0 of 3 words came from `y`, and nothing can happen any more; tokens wait on `x`"
            ),
            "{line}"
        );
        let cycle = line
            .split_once("cycle ")
            .and_then(|(_, rest)| rest.split_once(','));
        let cycle: u64 = cycle.map_or(0, |(cycle, _)| cycle.parse().unwrap_or(0));
        assert!((1..200).contains(&cycle), "{line}");
    }
}

/// Words that arrive after hundreds of cycles of a division are no deadlock, nor is waiting for a word that is offered late.
const EUCLID: &str = "handshake.func @gcd(%a: i64, %b: i64) -> (i64) attributes {argNames = [\"a\", \"b\"], resNames = [\"g\"]} {
  %source = source
  %zero = constant %source {value = 0 : i64} : i64
  %again = buffer [1] seq %go {initValues = [0]} : i1
  %x = mux %again [%a, %xn] : i1, i64
  %y = mux %again [%b, %yn] : i1, i64
  %go = arith.cmpi ne, %y, %zero : i64
  %xg, %result = cond_br %go, %x : i64
  %yg, %drop = cond_br %go, %y : i64
  sink %drop : i64
  %xn = buffer [1] seq %yg : i64
  %yn = arith.remui %xg, %yg : i64
  return %result : i64
}
";

#[test]
fn what_takes_long_or_waits_for_words_is_no_deadlock() {
    let data = "module: gcd
cases:
  - streams: {a: [7540113804746346429, 12], b: [4660046610375530309, 18], g: [1, 6]}
  - streams: {a: [7540113804746346429, 12], b: [4660046610375530309, 18], g: [1, 6]}
    pauses: 3
";
    let folder = folder(&[("c.mlir", EUCLID), ("data.yaml", data)]);
    let (code, said, error) = sluice(folder.path(), &["sim", "c.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    // Ninety divisions of 64 bits.
    let most = said.trim_end().rsplit(' ').nth(1);
    let most: u64 = most.map_or(0, |most| most.parse().unwrap_or(0));
    assert!(most > 1000, "{said}");
}

/// More or fewer words may come out than go in.
const RATES: &str =
    "handshake.func @filter(%x: i8) -> (i8) attributes {argNames = [\"x\"], resNames = [\"y\"]} {
  %bit = arith.trunci %x : i8 to i1
  %odd, %even = cond_br %bit, %x : i8
  sink %even : i8
  return %odd : i8
}
handshake.func @expand(%x: i8) -> (i8) attributes {argNames = [\"x\"], resNames = [\"y\"]} {
  %source = source
  %zero = constant %source {value = 0 : i8} : i8
  %source1 = source
  %one = constant %source1 {value = 1 : i8} : i8
  %again = buffer [1] seq %more {initValues = [0]} : i1
  %n = mux %again [%x, %next] : i1, i8
  %more = arith.cmpi ne, %n, %zero : i8
  %less = arith.subi %n, %one : i8
  %next, %drop = cond_br %more, %less : i8
  sink %drop : i8
  return %n : i8
}
";

#[test]
fn rates_that_change_are_no_deadlock() {
    for (top, case) in [
        ("filter", "x: [1, 2, 3, 4, 5, 6], y: [1, 3, 5]"),
        ("expand", "x: [2, 0, 1], y: [2, 1, 0, 0, 1, 0]"),
    ] {
        let data = format!(
            "module: {top}\ncases:\n  - streams: {{{case}}}\n  - streams: {{{case}}}\n    pauses: 9\n"
        );
        let config = format!("top: {top}\n");
        let folder = folder(&[("c.mlir", RATES), ("c.yaml", &config), ("data.yaml", &data)]);
        let (code, said, error) = sluice(folder.path(), &["sim", "c.mlir", "--config", "c.yaml"]);
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains("on 2 data sets"), "{said}");
        assert!(!error.contains("warning"), "{error}");
    }
}
