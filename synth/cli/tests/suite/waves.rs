//! Waves in files, read back by a reader of others.

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

/// The waves of a file; texts of controllers as FST has them, eight bits a character.
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
        // Before a window, FST says that nothing is known.
        let changes = changes.filter(|(_, text)| !text.starts_with('x'));
        found.insert(name, changes.collect());
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

/// Runs with both formats; says the waves, which are the same in both.
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
    assert_eq!(waves["top.clock"].len(), 8);
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

/// A file has sections; as many cycles go into one as would fill it if the inputs changed too.
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
    assert_eq!(waves["wide.clock"].len(), 3000);
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
