//! Tests of wave files, read back with an independent reader.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use super::circuits::COUNTER;

const KERNEL: &str = "
func.func @twice(%a: memref<4xi16>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi16>
    %y = arith.addi %x, %x : i16
    affine.store %y, %a[%i] : memref<4xi16>
  }
  return
}
";

/// Time and value of each change, by the name of the signal.
type Waves = BTreeMap<String, Vec<(u64, String)>>;

fn sim(folder: &Path, text: &str, arguments: &[&str]) -> Output {
    std::fs::write(folder.join("c.mlir"), text).expect("it can be written");
    Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["sim", "c.mlir"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

/// Reads the waves of a file; texts of controllers are in the form of FST, eight bits per character.
fn read(path: &Path) -> Waves {
    let mut waves = wellen::simple::read(path).expect("the reader understands the file");
    let all: Vec<_> = waves.hierarchy().all_vars().collect();
    let named: Vec<_> = all
        .iter()
        .map(|var| {
            let var = &waves.hierarchy()[*var];
            (var.full_name(waves.hierarchy()), var.signal_ref())
        })
        .collect();
    let mut found = Waves::new();
    for (name, signal) in named {
        waves.load_signals(&[signal]);
        let of = waves.get_signal(signal).expect("it was loaded");
        let times = waves.time_table();
        let changes = of.iter_changes().map(|(at, value)| {
            let text = value.to_string();
            (times[at as usize], text)
        });
        // Before a window, values in FST are unknown.
        let changes = changes.filter(|(_, text)| !text.starts_with('x'));
        let before = found.insert(name.clone(), changes.collect());
        assert!(before.is_none(), "{name} is there twice");
    }
    found
}

fn characters(bits: &str) -> String {
    let bytes = bits.as_bytes().chunks(8);
    let text: String = bytes
        .map(|byte| {
            let byte = std::str::from_utf8(byte).expect("digits");
            char::from(u8::from_str_radix(byte, 2).expect("digits"))
        })
        .collect();
    text.trim_end().to_owned()
}

/// Runs with both formats, and returns the waves, which must be equal.
fn both(text: &str, arguments: &[&str]) -> Waves {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut all = vec!["--vcd", "w.vcd", "--fst", "w.fst"];
    all.extend(arguments);
    let output = sim(folder.path(), text, &all);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let vcd = read(&folder.path().join("w.vcd"));
    let mut fst = read(&folder.path().join("w.fst"));
    for (name, changes) in &mut fst {
        if name.ends_with("_times") {
            for (_, text) in changes {
                *text = characters(text);
            }
        }
    }
    assert_eq!(vcd, fst);
    vcd
}

#[test]
fn a_circuit_has_its_signals_and_instances() {
    let waves = both(COUNTER, &["--set", "by=3", "--cycles", "4"]);
    let names: Vec<&str> = waves.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "top.all",
            "top.by",
            "top.clock",
            "top.full",
            "top.inner.by",
            "top.inner.clock",
            "top.inner.next",
            "top.inner.reset",
            "top.inner.value",
            "top.low",
            "top.reset",
        ]
    );
    let wide = |value: u32| format!("{value:070b}");
    let counted: Vec<_> = (0..4).map(|n| (u64::from(n) * 10, wide(3 * n))).collect();
    assert_eq!(waves["top.inner.value"], counted);
    assert_eq!(waves["top.all"], counted);
    assert_eq!(waves["top.full"], [(0, "0".to_owned())]);
    // Three edges come before the last cycle.
    let edges: Vec<u64> = waves["top.clock"].iter().map(|(time, _)| *time).collect();
    assert_eq!(edges, [0, 10, 15, 20, 25, 30, 35]);
    assert_eq!(waves["top.inner.clock"], waves["top.clock"]);
}

/// External clocks and derived clocks, each with a register that changes at every rising edge.
const CLOCKS: &str = "
hw.module @count(in %c : !seq.clock, out n : i8) {
  %one = hw.constant 1 : i8
  %next = comb.add %n, %one : i8
  %n = seq.compreg %next, %c : i8
  hw.output %n : i8
}
hw.module @clocks(in %fast : !seq.clock, in %slow : !seq.clock, in %on : i1, out a : i8, out b : i8, out g : i8, out h : i8, out l : i8) {
  %gated = seq.clock_gate %fast, %on
  %half = seq.clock_div %fast by 1
  %low = seq.clock_inv %fast
  %a = hw.instance \"of_fast\" @count(c: %fast: !seq.clock) -> (n: i8)
  %b = hw.instance \"of_slow\" @count(c: %slow: !seq.clock) -> (n: i8)
  %g = hw.instance \"of_gated\" @count(c: %gated: !seq.clock) -> (n: i8)
  %h = hw.instance \"of_half\" @count(c: %half: !seq.clock) -> (n: i8)
  %l = hw.instance \"of_low\" @count(c: %low: !seq.clock) -> (n: i8)
  hw.output %a, %b, %g, %h, %l : i8, i8, i8, i8, i8
}
";

/// Returns the times at which a bit rises.
fn rises(changes: &[(u64, String)]) -> Vec<u64> {
    let to_one = changes.iter().skip(1).filter(|(_, value)| value == "1");
    to_one.map(|(time, _)| *time).collect()
}

#[test]
fn every_clock_is_shown_with_the_edges_at_which_its_registers_change() {
    for (fast, slow, expected) in [
        (
            "fast=2",
            "slow=4:1",
            [&[10, 30, 50, 70, 90, 110][..], &[20, 60, 100]],
        ),
        (
            "fast=1",
            "slow=3:2",
            [
                &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110],
                &[30, 60, 90],
            ],
        ),
    ] {
        let clocks = ["--clock", fast, "--clock", slow, "--cycles", "12"];
        let waves = both(CLOCKS, &[&clocks[..], &["--set", "on=1"]].concat());
        assert_eq!(rises(&waves["clocks.fast"]), expected[0], "{fast}");
        assert_eq!(rises(&waves["clocks.slow"]), expected[1], "{slow}");
        for clock in ["fast", "slow", "gated", "half", "low"] {
            let edges = rises(&waves[&format!("clocks.{clock}")]);
            assert!(!edges.is_empty(), "{clock}");
            let inner = format!("clocks.of_{clock}");
            assert_eq!(
                waves[&format!("{inner}.c")],
                waves[&format!("clocks.{clock}")]
            );
            let counted = waves[&format!("{inner}.n")].iter().skip(1);
            let counted: Vec<u64> = counted.map(|(time, _)| *time).collect();
            assert_eq!(counted, edges, "{clock} with {fast}");
        }
        let (fast, half) = (&waves["clocks.fast"], &waves["clocks.half"]);
        let every_second: Vec<u64> = rises(fast).into_iter().step_by(2).collect();
        assert_eq!(rises(half), every_second);
        assert_eq!(rises(&waves["clocks.gated"]), rises(fast));
        // The first half of a window does not depend on earlier cycles.
        let window = both(
            CLOCKS,
            &[&clocks[..], &["--set", "on=1", "--wave-from", "4"]].concat(),
        );
        for clock in ["fast", "slow", "gated", "half", "low"] {
            let name = format!("clocks.{clock}");
            let late = waves[&name].iter().filter(|(time, _)| *time > 45);
            let part = window[&name].iter().filter(|(time, _)| *time > 45);
            assert!(part.eq(late), "{clock}: {:?}", window[&name]);
        }
    }
    let stopped = both(
        CLOCKS,
        &["--clock", "fast=1", "--clock", "slow=1", "--cycles", "9"],
    );
    assert_eq!(rises(&stopped["clocks.gated"]), [0; 0]);
}

/// Memories, which the reader shows as arrays: one of two dimensions, and one of bits; a wire without readers; and an output with
/// the name of a register that does not drive it.
const INSIDE: &str = "
hw.module @inside(in %clock : !seq.clock, in %reset : i1, in %i : i1, in %j : i2, in %d : i4, out held : i4, out low : i4) {
  %on = hw.constant 1 : i1
  %one = hw.constant 1 : i2
  %grid = seq.hlmem @grid %clock, %reset : <2x3xi4>
  seq.write %grid[%i, %j] %d wren %on {latency = 1} : !seq.hlmem<2x3xi4>
  %bits = seq.hlmem @bits %clock, %reset : <2xi1>
  seq.write %bits[%i] %on wren %on {latency = 1} : !seq.hlmem<2xi1>
  %unread = comb.add %d, %low : i4
  %low = seq.compreg %d, %clock : i4
  %sum = comb.xor %low, %d : i4
  %other = seq.compreg name \"held\" %sum, %clock : i4
  hw.output %sum, %low : i4, i4
}
";

#[test]
fn small_memories_and_all_that_has_a_name_are_shown() {
    let arguments = [
        "--set", "d=5", "--set", "i=1", "--set", "j=2", "--cycles", "3",
    ];
    let waves = both(INSIDE, &arguments);
    let names: Vec<&str> = waves.keys().map(String::as_str).collect();
    insta::assert_snapshot!(names.join("\n"));
    let nibble = |value: u32| format!("{value:04b}");
    let written = vec![(0, nibble(0)), (10, nibble(5))];
    assert_eq!(waves["inside.grid.[1].[2]"], written);
    assert_eq!(waves["inside.grid.[0].[2]"], [(0, nibble(0))]);
    assert_eq!(
        waves["inside.bits.[1]"],
        [(0, "0".to_owned()), (10, "1".to_owned())]
    );
    assert_eq!(waves["inside.unread"], [(0, nibble(5)), (10, nibble(10))]);
    let few = both(
        INSIDE,
        &[&arguments[..], &["--wave-memories", "2"]].concat(),
    );
    assert!(few.contains_key("inside.bits.[0]"));
    assert!(!few.keys().any(|name| name.contains("grid")));
}

/// Waves also work for a circuit without a clock.
#[test]
fn what_has_no_clock_has_its_moments() {
    let text = "hw.module @t(in %a : i4, out b : i4) {\n  %b = comb.add %a, %a : i4\n  hw.output %b : i4\n}\n";
    let waves = both(text, &["--set", "a=3", "--cycles", "4"]);
    assert_eq!(waves["t.b"], [(0, "0110".to_owned())]);
}

#[test]
fn windows_have_the_cycles_that_are_asked_for() {
    let of = |arguments: &[&str]| {
        let mut all = vec!["--set", "by=1", "--cycles", "1000"];
        all.extend(arguments);
        let waves = both(COUNTER, &all);
        let low = &waves["top.low"];
        let at = |(time, value): &(u64, String)| {
            let value = u64::from_str_radix(value, 2).expect("digits");
            (*time / 10, value)
        };
        let ends = (low.first().expect("one"), low.last().expect("one"));
        (at(ends.0), at(ends.1))
    };
    assert_eq!(of(&[]), ((0, 0), (999, 999 % 256)));
    assert_eq!(
        of(&["--wave-from", "700", "--wave-to", "702"]),
        ((700, 700 % 256), (702, 702 % 256))
    );
    assert_eq!(
        of(&["--wave-last", "5"]),
        ((995, 995 % 256), (999, 999 % 256))
    );
}

/// A file has sections, each with as many cycles as would fill it if the inputs changed in every cycle.
#[test]
fn long_waves_have_all_their_cycles() {
    let wide = "
hw.module @wide(in %clock : !seq.clock, in %reset : i1, in %a : i64000, out low : i12) {
  %one = hw.constant 1 : i12
  %next = comb.add %low, %one : i12
  %low = seq.compreg %next, %clock : i12
  hw.output %low : i12
}
";
    let waves = both(wide, &["--cycles", "1500"]);
    let low = waves["wide.low"].iter();
    let found: Vec<_> = low
        .map(|(time, value)| (*time, u64::from_str_radix(value, 2)))
        .collect();
    let expected: Vec<_> = (0..1500).map(|cycle| (10 * cycle, Ok(cycle))).collect();
    assert_eq!(found, expected);
    assert_eq!(waves["wide.clock"].len(), 2999);
    let part = both(
        wide,
        &[
            "--cycles",
            "1500",
            "--wave-from",
            "600",
            "--wave-to",
            "1200",
        ],
    );
    assert_eq!(part["wide.low"][0], (6000, format!("{:012b}", 600)));
    assert_eq!(part["wide.low"].len(), 601);
}

#[test]
fn a_kernel_says_what_its_controllers_do() {
    let waves = both(KERNEL, &[]);
    let loop_times: Vec<&str> = waves["twice.i_loop_times"]
        .iter()
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(loop_times, ["-", "0", "0,1", "1", "-"]);
}

/// A kernel with a local memory.
const HISTOGRAM: &str = "
func.func @hist(%a: memref<16xi3>, %o: memref<8xi8>) {
  %h = memref.alloca() : memref<8xi8>
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  affine.for %i = 0 to 8 {
    affine.store %zero, %h[%i] : memref<8xi8>
  }
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi3>
    %k = arith.index_castui %x : i3 to index
    %v = memref.load %h[%k] : memref<8xi8>
    %w = arith.addi %v, %one : i8
    memref.store %w, %h[%k] : memref<8xi8>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %h[%i] : memref<8xi8>
    affine.store %v, %o[%i] : memref<8xi8>
  }
  return
}
";

#[test]
fn memories_inside_a_kernel_have_words() {
    let waves = both(HISTOGRAM, &["--random", "1"]);
    let words = (0..8).map(|word| &waves[&format!("hist.h.[{word}]")]);
    let last = words.map(|changes| {
        let (_, value) = changes.last().expect("there is a first one");
        u32::from_str_radix(value, 2).expect("digits")
    });
    // Every word of the argument was counted.
    assert_eq!(last.sum::<u32>(), 16);
}

#[test]
fn what_cannot_be_shown_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (arguments, expected) in [
        (
            &["--wave-last", "3"][..],
            "error: --wave-last is of waves; say where they go with --fst or --vcd\n",
        ),
        (
            &["--vcd", "w.vcd", "--wave-from", "9", "--wave-to", "12"][..],
            "error: there are no cycles from 9 to 12; the run had 1\n",
        ),
    ] {
        let output = sim(folder.path(), COUNTER, arguments);
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(output.status.code(), Some(1));
        assert!(!folder.path().join("w.vcd").exists());
    }
}
