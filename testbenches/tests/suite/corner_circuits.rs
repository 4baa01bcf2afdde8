//! Unusual circuits: clocks made from bits, unions, name clashes, recursive instances.

use std::fmt::Write as _;
use std::process::Command;

use sluice_kernel::compiled::Failure;
use sluice_testbenches::verilator::available_or_excused;
use sluice_verify::circuit::{Circuit, Settings};

use crate::circuits::agrees_with_verilator;

const CLOCKS: &str = include_str!("../circuits/clocks.mlir");
const UNIONS: &str = include_str!("../circuits/unions.mlir");
const CLASHES: &str = include_str!("../circuits/name_clashes.mlir");

#[test]
fn clocks_that_are_bits_agree_with_verilator() {
    agrees_with_verilator("clocks.mlir", CLOCKS, 29);
}

#[test]
fn unions_agree_with_verilator() {
    agrees_with_verilator("unions.mlir", UNIONS, 9);
}

#[test]
fn names_that_clash_agree_with_verilator() {
    agrees_with_verilator("name_clashes.mlir", CLASHES, 14);
}

fn circuit(text: &str, top: Option<&str>) -> Circuit {
    match Circuit::read(text, "c.mlir", top) {
        Ok(circuit) => circuit.expect("the text is a circuit"),
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

fn refused(text: &str) -> String {
    match Circuit::read(text, "c.mlir", None) {
        Err(Failure::Input(why) | Failure::Internal(why)) => why,
        Ok(_) => panic!("it is read"),
    }
}

/// Returns Verilator's complaint about the Verilog of a module, with all warnings enabled.
fn lint(circuit: &Circuit) -> Option<String> {
    let verilog = match circuit.verilog() {
        Ok(verilog) => verilog,
        Err(Failure::Input(why) | Failure::Internal(why)) => return Some(why),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("c.v"), &verilog).expect("a file");
    let mut verilator = Command::new("verilator");
    let top = circuit.verilog_name();
    // Gated and divided clocks are intended; an instance may have the name of a net in its module.
    verilator.args([
        "--lint-only",
        "-Wall",
        "-Wno-DECLFILENAME",
        "-Wno-LATCH",
        "-Wno-BLKSEQ",
        "-Wno-VARHIDDEN",
    ]);
    verilator.args(["--top-module", &top, "c.v"]);
    let output = verilator.current_dir(folder.path()).output();
    let output = output.expect("Verilator runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then(|| format!("{said}\n{verilog}"))
}

#[test]
fn names_that_clash_are_lint_clean() {
    if !available_or_excused() {
        return;
    }
    for (text, tops) in [
        (
            CLASHES,
            ["M", "users", "a_b", "made_names", "helpers", "of_par"],
        ),
        (
            CLOCKS,
            [
                "two_levels",
                "bundled",
                "nested_bundle",
                "worded",
                "united",
                "two_clocks",
            ],
        ),
        (
            UNIONS,
            [
                "held",
                "in_array",
                "of_arrays",
                "offsets",
                "empty_member",
                "wide_offset",
            ],
        ),
    ] {
        for top in tops {
            if let Some(why) = lint(&circuit(text, Some(top))) {
                panic!("@{top}: {why}");
            }
        }
    }
}

/// Names that already have a meaning: keywords, generated names, other modules, names that are changed to such a name.
const NAMES: [&str; 35] = [
    "m0",
    "m1",
    "top",
    "a",
    "a.b",
    "a_b",
    "a-b",
    "_",
    "__",
    "wire",
    "wire_1",
    "reg",
    "module",
    "logic",
    "int",
    "bool",
    "this",
    "w",
    "w_1",
    "fifo",
    "fifo_count",
    "i",
    "mask",
    "distance",
    "shifted",
    "element",
    "clk",
    "r_0",
    "unnamed",
    "1",
    "1a",
    "_1a",
    "x y",
    "$display",
    "\u{e9}",
];

/// The first of these names may also be names of values.
const N_OF_VALUES: usize = 29;

/// Returns two modules, each instantiated in another one, with names chosen by a seed.
fn named(seed: u64) -> (String, Vec<String>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits") % n
    };
    let mut several = |n: usize, among: usize| {
        let mut all: Vec<&str> = Vec::new();
        while all.len() < n {
            let name = NAMES[next(among)];
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    };
    let modules = several(4, NAMES.len());
    let mut text = String::new();
    for pair in modules.chunks(2) {
        let (inner, outer) = (pair[0], pair[1]);
        let (ports, values) = (several(5, NAMES.len()), several(3, N_OF_VALUES));
        let [a, b, c, o, p] = ports[..] else {
            unreachable!("there are five");
        };
        let [sum, held, product] = values[..] else {
            unreachable!("there are three");
        };
        let _ = writeln!(
            text,
            "hw.module @\"{inner}\"(in %0 \"{a}\" : i4, in %1 \"{b}\" : i4, in %2 \"{c}\" : !seq.clock, out \"{o}\" : i4, out \"{p}\" : i4) {{
  %{sum} = comb.add %0, %1 : i4
  %{held} = seq.compreg %{sum}, %2 : i4
  %{product} = comb.mul %{held}, %1 : i4
  hw.output %{product}, %{held} : i4, i4
}}"
        );
        let (ports, values) = (several(4, NAMES.len()), several(4, N_OF_VALUES));
        let [d, e, k, q] = ports[..] else {
            unreachable!("there are four");
        };
        let [s, t, whole, instance] = values[..] else {
            unreachable!("there are four");
        };
        let _ = writeln!(
            text,
            "hw.module @\"{outer}\"(in %0 \"{d}\" : i4, in %1 \"{e}\" : i4, in %2 \"{k}\" : !seq.clock, out \"{q}\" : i4) {{
  %{s}, %{t} = hw.instance \"{instance}\" @\"{inner}\"(\"{a}\": %0: i4, \"{b}\": %1: i4, \"{c}\": %2: !seq.clock) -> (\"{o}\": i4, \"{p}\": i4)
  %{whole} = comb.xor %{s}, %{t} : i4
  hw.output %{whole} : i4
}}"
        );
    }
    (text, modules.into_iter().map(str::to_owned).collect())
}

#[test]
fn any_names_become_verilog() {
    let is_there = available_or_excused();
    for seed in 0..24 {
        let (text, tops) = named(seed);
        for top in tops {
            let circuit = circuit(&text, Some(&top));
            assert!(circuit.simulator(&Settings::default()).is_ok(), "{text}");
            if is_there && let Some(why) = lint(&circuit) {
                panic!("seed {seed}, @{top}:\n{text}\n{why}");
            }
        }
    }
}

#[test]
fn recursive_instances_are_reported_with_their_cycle() {
    let alone = "hw.module @a(in %x : i8, out y : i8) {
  %y = hw.instance \"s\" @a(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
";
    let found = refused(alone);
    assert!(
        found.contains(
            "c.mlir:2:8: error: `hw.instance`: `@a` has an instance of itself inside: @a -> @a"
        ),
        "{found}"
    );
    // Recursion through a register, and below a module that is not the top.
    let mutual = "hw.module @top(in %x : i8, out y : i8) {
  hw.output %x : i8
}
hw.module @a(in %x : i8, in %c : !seq.clock, out y : i8) {
  %y = hw.instance \"p\" @b(x: %r: i8, c: %c: !seq.clock) -> (y: i8)
  %r = seq.compreg %x, %c : i8
  hw.output %y : i8
}
hw.module @b(in %x : i8, in %c : !seq.clock, out y : i8) {
  %y = hw.instance \"q\" @d(x: %x: i8, c: %c: !seq.clock) -> (y: i8)
  hw.output %y : i8
}
hw.module @d(in %x : i8, in %c : !seq.clock, out y : i8) {
  %y = hw.instance \"r\" @a(x: %x: i8, c: %c: !seq.clock) -> (y: i8)
  %z = hw.instance \"t\" @top(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
";
    let found = refused(mutual);
    for part in [
        "c.mlir:5:8: error: `hw.instance`: `@a` has an instance of itself inside: @a -> @b -> @d -> @a",
        "c.mlir:10:8: note: `@b` has the instance `q` of `@d` here",
        "c.mlir:14:8: note: `@d` has the instance `r` of `@a` here",
    ] {
        assert!(found.contains(part), "{found}");
    }
    // Recursion with growing parameters.
    let growing = "hw.module @a<N: i8 = 1>(in %x : i8, out y : i8) {
  %y = hw.instance \"s\" @a<N: i8 = #hw.param.expr.add<#hw.param.decl.ref<\"N\">, 1>>(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
";
    let found = refused(growing);
    assert!(found.contains("@a -> @a"), "{found}");
}

#[test]
fn a_chain_of_many_modules_has_an_end() {
    let mut text = "hw.module @m0(in %x : i8, out y : i8) {\n  hw.output %x : i8\n}\n".to_owned();
    for n in 1..60 {
        let _ = writeln!(
            text,
            "hw.module @m{n}(in %x : i8, out y : i8) {{\n  %y = hw.instance \"i\" @m{}(x: %x: i8) -> (y: i8)\n  hw.output %y : i8\n}}",
            n - 1
        );
    }
    assert!(circuit(&text, None).simulator(&Settings::default()).is_ok());
}

#[test]
fn ports_of_both_directions_are_handed_on() {
    let text = "hw.module.extern @pad(inout %p : i8, in %a : i8)
hw.module @m(in %x : i8, inout %io : i8, in %a : i8, out o : i8) {
  hw.instance \"u\" @pad(p: %io: !hw.inout<i8>, a: %a: i8) -> ()
  %o = comb.add %x, %a : i8
  hw.output %o : i8
}
";
    let verilog = match circuit(text, None).verilog() {
        Ok(verilog) => verilog,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    };
    for part in ["  inout  wire [7:0] io", ".p(io)", ".a(a)", " = x + a;"] {
        assert!(verilog.contains(part), "{part}: {verilog}");
    }
}
