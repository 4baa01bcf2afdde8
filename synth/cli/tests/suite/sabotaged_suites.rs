//! Folders of kernels in which something is wrong: each run fails and names the cause; the folder as it is passes.

use std::path::Path;
use std::sync::LazyLock;

use super::assertions::sluice;

const SCALE: &str = "func.func @scale(%a: memref<4xi32>, %b: i32) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %b : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }
  return
}
";

const SCALE_DATA: &str = "function: scale
cases:
  - inputs: {a: [1, 2, 3, 4], b: 3}
    outputs: {a: [4, 5, 6, 7]}
expect: {latency: 7, ii: {i: 1}}
";

/// Its latency depends on the data.
const COUNT: &str = "func.func @count(%a: memref<8xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
    %x = memref.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
";

const COUNT_DATA: &str = "cases:
  - inputs: {a: [1, 2, 3, 4, 5, 6, 7, 8], n: 8}
    outputs: {result0: 36}
  - inputs: {a: 1, n: 3}
    outputs: {result0: 3}
";

const FILES: [(&str, &str); 4] = [
    ("scale/kernel.mlir", SCALE),
    ("scale/data.yaml", SCALE_DATA),
    ("count/kernel.mlir", COUNT),
    ("count/data.yaml", COUNT_DATA),
];

fn write(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    std::fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
    std::fs::write(path, text).expect("it can be written");
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (file, text) in FILES {
        write(folder.path(), file, text);
    }
    folder
}

/// The lock of the files as they are.
static LOCK: LazyLock<String> = LazyLock::new(|| {
    let folder = folder();
    let (code, _, error) = sluice(folder.path(), &["lock", "."]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    read(folder.path(), "sluice.lock")
});

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect("it is there")
}

/// A change of the folder.
enum Edit {
    Write(&'static str, &'static str),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    /// Another text in place of the only one of a file.
    Replace(&'static str, &'static str, &'static str),
    /// Another value of a key of a kernel in the lock.
    Locked(&'static str, &'static str, &'static str),
    /// The entry of a kernel in the lock is taken away.
    Unlocked(&'static str),
}

use Edit::{Locked, Remove, Rename, Replace, Unlocked, Write};

/// The lines of an entry of the lock: the first, and the one after the last.
fn entry(lines: &[String], kernel: &str) -> (usize, usize) {
    let head = format!("  {kernel}:");
    let begin = lines.iter().position(|line| *line == head);
    let begin = begin.expect("the kernel is locked");
    let rest = lines[begin + 1..].iter();
    let length = rest.take_while(|line| line.starts_with("    ")).count();
    (begin, begin + 1 + length)
}

impl Edit {
    fn apply(&self, folder: &Path) {
        let lines = || -> Vec<String> {
            let text = read(folder, "sluice.lock");
            text.lines().map(str::to_owned).collect()
        };
        let joined = |lines: &[String]| lines.join("\n") + "\n";
        match self {
            Write(file, text) => write(folder, file, text),
            Remove(file) => std::fs::remove_file(folder.join(file)).expect("it is there"),
            Rename(from, to) => {
                std::fs::rename(folder.join(from), folder.join(to)).expect("it is there");
            }
            Replace(file, from, to) => {
                let text = read(folder, file);
                assert_eq!(text.matches(from).count(), 1, "{from} in {file}:\n{text}");
                write(folder, file, &text.replace(from, to));
            }
            Locked(kernel, key, value) => {
                let mut lines = lines();
                let (begin, end) = entry(&lines, kernel);
                let head = format!("    {key}: ");
                let own = lines[begin..end]
                    .iter_mut()
                    .find(|line| line.starts_with(&head));
                *own.expect("the key is there") = format!("{head}{value}");
                write(folder, "sluice.lock", &joined(&lines));
            }
            Unlocked(kernel) => {
                let mut lines = lines();
                let (begin, end) = entry(&lines, kernel);
                lines.drain(begin..end);
                write(folder, "sluice.lock", &joined(&lines));
            }
        }
    }
}

/// A folder in which something is wrong.
struct Row {
    name: &'static str,
    edits: &'static [Edit],
    arguments: &'static str,
    /// Texts that the messages have.
    said: &'static [&'static str],
}

const SIM: &str = "sim .";
const LOCKED: &str = "sim . --locked";
const CHECK: &str = "lock . --check";

/// A hash that no text has.
const OTHER_HASH: &str = "\"0000000000000000000000000000000000000000000000000000000000000000\"";

const ROWS: &[Row] = &[
    Row {
        name: "no data file",
        edits: &[Remove("scale/data.yaml")],
        arguments: SIM,
        said: &[
            "FAILED  scale/kernel.mlir",
            "./scale/kernel.mlir: error: kernel `@scale` has no data sets: there is no `data.yaml` beside it",
            "- inputs: {a: 1, b: 1}",
            "`--random N`",
        ],
    },
    Row {
        name: "a misspelt data file",
        edits: &[Rename("scale/data.yaml", "scale/dat.yaml")],
        arguments: SIM,
        said: &["there is `dat.yaml`: did you mean `data.yaml`?"],
    },
    Row {
        name: "a data file with another ending",
        edits: &[Rename("scale/data.yaml", "scale/data.yml")],
        arguments: SIM,
        said: &["there is `data.yml`: did you mean `data.yaml`?"],
    },
    Row {
        name: "a data file in capitals",
        edits: &[Rename("scale/data.yaml", "scale/DATA.yaml")],
        arguments: SIM,
        said: &["there is `DATA.yaml`: did you mean `data.yaml`?"],
    },
    Row {
        name: "no cases in the list",
        edits: &[Write("scale/data.yaml", "function: scale\ncases: []\n")],
        arguments: SIM,
        said: &["./scale/data.yaml:2:1: error: kernel `@scale` has no data sets: `cases` is empty"],
    },
    Row {
        name: "only the name of the function",
        edits: &[Write("scale/data.yaml", "function: scale\n")],
        arguments: SIM,
        said: &[
            "./scale/data.yaml:1:1: error: kernel `@scale` has no data sets: the data file has no `cases`",
        ],
    },
    Row {
        name: "only ranges for random data",
        edits: &[Write("scale/data.yaml", "random: {b: {min: 0, max: 9}}\n")],
        arguments: SIM,
        said: &["the data file has no `cases`"],
    },
    Row {
        name: "no reference and no data",
        edits: &[Write("scale/data.yaml", "interpreter: false\n")],
        arguments: SIM,
        said: &["./scale/data.yaml:1:1: error: without the interpreter"],
    },
    Row {
        name: "no data set runs an iteration",
        edits: &[Write(
            "count/data.yaml",
            "cases:\n  - inputs: {a: 1, n: 0}\n    outputs: {result0: 0}\n",
        )],
        arguments: SIM,
        said: &[
            "./count/data.yaml:1:1: error: no data set of kernel `@count` runs an iteration of any loop",
            "loop `%i` at ./count/kernel.mlir:5:10",
        ],
    },
    Row {
        name: "no data set runs an iteration of blocks",
        edits: &[
            Write("count/kernel.mlir", BLOCKS),
            Write("count/data.yaml", "cases:\n  - inputs: {a: 1, n: 0}\n"),
        ],
        arguments: SIM,
        said: &[
            "runs an iteration of any loop",
            "loop of blocks at ./count/kernel.mlir:7",
        ],
    },
    Row {
        name: "a wrong answer",
        edits: &[Replace("scale/data.yaml", "[4, 5, 6, 7]", "[4, 5, 6, 8]")],
        arguments: SIM,
        said: &[
            "./scale/data.yaml:4:15: error: data set 0: the interpreter disagrees with the data file: a[3] is 7, the data file expects 8",
        ],
    },
    Row {
        name: "a wrong golden value",
        edits: &[Replace(
            "count/data.yaml",
            "outputs: {result0: 3}",
            "expect: {result: 4}",
        )],
        arguments: SIM,
        said: &[
            "./count/data.yaml:5:14: error: data set 1: the circuit disagrees with `expect`: result0 is 3, expected 4",
        ],
    },
    Row {
        name: "a latency that is not reached",
        edits: &[Replace("scale/data.yaml", "latency: 7", "latency: 6")],
        arguments: SIM,
        said: &[
            "./scale/data.yaml:5:10: error: expect: latency 6, found 7 cycles",
            "loop %i at ./scale/kernel.mlir:2 takes ",
            "of the 7 cycles: depth ",
            "II 1: a new iteration starts in every cycle",
        ],
    },
    Row {
        name: "an interval that is not reached",
        edits: &[Replace("scale/data.yaml", "ii: {i: 1}", "ii: {i: 2}")],
        arguments: SIM,
        said: &[
            "./scale/data.yaml:5:27: error: expect: II 2 of loop `i`, found 1",
            "loop `i` at ./scale/kernel.mlir:2: II 1: a new iteration starts in every cycle",
        ],
    },
    Row {
        name: "an interval of no loop",
        edits: &[Replace("scale/data.yaml", "ii: {i: 1}", "ii: {j: 1}")],
        arguments: SIM,
        said: &[
            "./scale/data.yaml:5:27: error: expect: II 1 of loop `j`, which is not pipelined; did you mean `i`?",
        ],
    },
    Row {
        name: "an assertion that does not hold",
        edits: &[Replace(
            "scale/data.yaml",
            "{latency: 7, ii: {i: 1}}",
            "{assert: a_waddr < 3}",
        )],
        arguments: SIM,
        said: &[
            "./scale/data.yaml:5:18: error: data set 0: cycle ",
            "assertion `a_waddr < 3` does not hold",
        ],
    },
    Row {
        name: "a file without a kernel",
        edits: &[Write("scale/kernel.mlir", "// func.fun @scale\n")],
        arguments: SIM,
        said: &["FAILED  scale/kernel.mlir", "scale/kernel.mlir"],
    },
    Row {
        name: "a circuit with a misspelt data file",
        edits: &[
            Write(
                "fifo/fifo.mlir",
                "hw.module @fifo(in %a : i8, out b : i8) {\n  hw.output %a : i8\n}\n",
            ),
            Write(
                "fifo/dta.yaml",
                "module: fifo\ncases:\n  - inputs: {a: 1}\n",
            ),
        ],
        arguments: SIM,
        said: &[
            "./fifo/fifo.mlir: error: no data file was found for any module of this circuit; there is `dta.yaml`: did you mean `data.yaml`?",
        ],
    },
    Row {
        name: "a wrong output of a circuit",
        edits: &[
            Write(
                "fifo/fifo.mlir",
                "hw.module @fifo(in %a : i8, out b : i8) {\n  hw.output %a : i8\n}\n",
            ),
            Write(
                "fifo/data.yaml",
                "module: fifo\ncases:\n  - inputs: {a: 1}\n    outputs: {b: 2}\n",
            ),
        ],
        arguments: SIM,
        said: &[
            "./fifo/data.yaml:4:15: error: data set 0: cycle 0",
            "`b` is 0x1, expected 0x2",
        ],
    },
    Row {
        name: "an empty folder",
        edits: &[Remove("scale/kernel.mlir"), Remove("count/kernel.mlir")],
        arguments: SIM,
        said: &["error: there is no kernel below ."],
    },
    Row {
        name: "no lock",
        edits: &[Remove("sluice.lock")],
        arguments: LOCKED,
        said: &["./sluice.lock: error: there is no lock; `sluice lock .` writes it"],
    },
    Row {
        name: "a slower recurrence",
        edits: &[Write("count/kernel.mlir", PRODUCTS)],
        arguments: CHECK,
        said: &[
            "count/kernel.mlir: error: II of loop `i` at ./count/kernel.mlir:5 is worse: 1 -> ",
            "recurrence",
            "locked: II 1: a new iteration starts in every cycle",
            "latency of data set 0 is worse",
            "dsp is worse: 0 -> ",
            "upstream: the source changed (SHA-256 ",
        ],
    },
    Row {
        name: "more iterations",
        edits: &[
            Replace("scale/kernel.mlir", "= 0 to 4", "= 0 to 5"),
            Replace(
                "scale/kernel.mlir",
                "@scale(%a: memref<4xi32>",
                "@scale(%a: memref<5xi32>",
            ),
            Replace(
                "scale/kernel.mlir",
                "load %a[%i] : memref<4xi32>",
                "load %a[%i] : memref<5xi32>",
            ),
            Replace(
                "scale/kernel.mlir",
                "store %y, %a[%i] : memref<4xi32>",
                "store %y, %a[%i] : memref<5xi32>",
            ),
        ],
        arguments: CHECK,
        said: &[
            "scale/kernel.mlir: error: latency is worse: 7 cycles -> 8 cycles (+14.3 %, 0 tolerated)",
            "loop `i` at ./scale/kernel.mlir:2 takes ",
            "5 iterations",
        ],
    },
    Row {
        name: "a slower clock",
        edits: &[Write("scale/kernel.yaml", "clock_period_ns: 10\n")],
        arguments: LOCKED,
        said: &[
            "scale/kernel.mlir: error: clock period is worse: 5 ns -> 10 ns (+100.0 %, 0 tolerated)",
            "there is a configuration, there was none",
            "the clock period: 5 -> 10 ns",
        ],
    },
    Row {
        name: "a slower clock of the command line",
        edits: &[],
        arguments: "lock . --check --clock-period-ns 20",
        said: &["clock period is worse: 5 ns -> 20 ns"],
    },
    Row {
        name: "another device",
        edits: &[],
        arguments: "lock . --check --device ecp5",
        said: &[
            "device is changed: generic -> ",
            "figures of different devices are not compared",
        ],
    },
    Row {
        name: "more area",
        edits: &[Write("scale/kernel.yaml", "loops: {i: {unroll: 2}}\n")],
        arguments: CHECK,
        said: &[
            "scale/kernel.mlir: error: lut is worse: ",
            "units: ",
            "most LUTs of units belong to ./scale/kernel.mlir:",
            "upstream: there is a configuration, there was none",
        ],
    },
    Row {
        name: "a lock with less area",
        edits: &[Locked("scale/kernel.mlir", "ff", "1")],
        arguments: LOCKED,
        said: &[
            "scale/kernel.mlir: error: ff is worse: 1 -> ",
            "2% tolerated",
            "the build of Sluice differs, or the lock was edited",
        ],
    },
    Row {
        name: "a lock with a faster clock",
        edits: &[Locked("scale/kernel.mlir", "fmax_mhz", "900")],
        arguments: CHECK,
        said: &[
            "scale/kernel.mlir: error: fmax is worse: 900 MHz -> ",
            "3% tolerated",
            "longest path now: ",
        ],
    },
    Row {
        name: "a lock with fewer cycles of a data set",
        edits: &[Locked("count/kernel.mlir", "latency", "[1, 2]")],
        arguments: LOCKED,
        said: &[
            "latency of data set 0 is worse: 1 cycle -> ",
            "latency of data set 1 is worse: 2 cycles -> ",
            "loop `i` at ./count/kernel.mlir:5 takes cycles that depend on the data",
        ],
    },
    Row {
        name: "another number of data sets",
        edits: &[Write(
            "count/data.yaml",
            "cases:\n  - inputs: {a: 1, n: 3}\n",
        )],
        arguments: CHECK,
        said: &[
            "latency is changed: depends on the data, 2 data sets -> depends on the data, 1 data set",
            "the data file changed (SHA-256 ",
        ],
    },
    Row {
        name: "a latency that depended on the data",
        edits: &[Locked("count/kernel.mlir", "latency", "11")],
        arguments: CHECK,
        said: &[
            "latency is changed: 11 cycles -> depends on the data, 2 data sets (cannot be compared)",
        ],
    },
    Row {
        name: "other Verilog",
        edits: &[Locked("scale/kernel.mlir", "verilog", OTHER_HASH)],
        arguments: LOCKED,
        said: &[
            "scale/kernel.mlir: error: verilog is changed: 000000000000... -> ",
            "every figure is as locked",
        ],
    },
    Row {
        name: "better than locked, and strict",
        edits: &[Locked("scale/kernel.mlir", "latency", "9")],
        arguments: "lock . --check --strict",
        said: &["scale/kernel.mlir: error: latency is better: 9 cycles -> 7 cycles (-22.2 %)"],
    },
    Row {
        name: "a kernel that is not locked",
        edits: &[
            Write("more/kernel.mlir", SCALE),
            Write("more/data.yaml", SCALE_DATA),
        ],
        arguments: CHECK,
        said: &[
            "./more/kernel.mlir: error: the kernel is not in ./sluice.lock; `sluice lock .` adds it",
        ],
    },
    Row {
        name: "a kernel that is not locked, in a run",
        edits: &[Unlocked("count/kernel.mlir")],
        arguments: LOCKED,
        said: &[
            "./count/kernel.mlir: error: the kernel is not in ./sluice.lock; `sluice lock .` adds it",
        ],
    },
    Row {
        name: "a locked kernel that was removed",
        edits: &[Remove("count/kernel.mlir")],
        arguments: LOCKED,
        said: &[
            "./sluice.lock:5:3: error: `count/kernel.mlir` is locked and is not in the folder; `sluice lock .` removes it",
        ],
    },
    Row {
        name: "a locked kernel that was renamed",
        edits: &[Rename("count/kernel.mlir", "count/other.mlir")],
        arguments: CHECK,
        said: &[
            "`count/kernel.mlir` is locked and is not in the folder",
            "./count/other.mlir: error: the kernel is not in ./sluice.lock",
        ],
    },
    Row {
        name: "a kernel that does not compile",
        edits: &[Replace("count/kernel.mlir", "return %sum", "return %some")],
        arguments: CHECK,
        said: &[
            "FAILED  count/kernel.mlir",
            "./count/kernel.mlir:10:10: error: use of undeclared SSA value name",
        ],
    },
    Row {
        name: "a lock that is no YAML",
        edits: &[Replace("sluice.lock", "kernels:", "kernels: [")],
        arguments: CHECK,
        said: &["./sluice.lock:"],
    },
    Row {
        name: "an empty lock",
        edits: &[Write("sluice.lock", "")],
        arguments: LOCKED,
        said: &[
            "./sluice.lock:1:1: error: a lock begins with `form: 1`",
            "`kernels` has the figures",
        ],
    },
    Row {
        name: "a lock of another form",
        edits: &[Replace("sluice.lock", "form: 1", "form: 2")],
        arguments: CHECK,
        said: &["./sluice.lock:2:1: error: the form of the lock is 2; this Sluice reads form 1"],
    },
    Row {
        name: "wrong figures in the lock, all at once",
        edits: &[
            Locked("count/kernel.mlir", "lut", "many"),
            Locked("scale/kernel.mlir", "verilog", "abc"),
            Replace("sluice.lock", "lut: 2%", "lut: 2 percent"),
        ],
        arguments: LOCKED,
        said: &[
            "error: `lut` is a number, 0 or more",
            "error: `verilog` is a SHA-256: 64 hexadecimal digits, in quotes",
            "./sluice.lock:3:33: error: the tolerance of `lut` is a percentage, as `2%`, or a number, 0 or more",
            "3 errors",
        ],
    },
    Row {
        name: "an unknown key in the lock",
        edits: &[Replace("sluice.lock", "latency: 7\n", "latenc: 7\n")],
        arguments: CHECK,
        said: &[
            "error: unknown key `latenc`; did you mean `latency`?",
            "error: `latency` is missing",
        ],
    },
    Row {
        name: "an unknown tolerance",
        edits: &[Replace("sluice.lock", "fmax: 3%", "fmaks: 3%")],
        arguments: CHECK,
        said: &["./sluice.lock:3:67: error: unknown key `fmaks`; did you mean `fmax`?"],
    },
    Row {
        name: "a part that is not one of them",
        edits: &[],
        arguments: "sim . --partition hash:3/2",
        said: &["part 3 of 2: parts are numbered from 1 to 2"],
    },
    Row {
        name: "part 0",
        edits: &[],
        arguments: "lock . --check --partition hash:0/2",
        said: &["part 0 of 2: parts are numbered from 1 to 2"],
    },
    Row {
        name: "a part without a hash",
        edits: &[],
        arguments: "sim . --partition 1/2",
        said: &["`hash:K/N` is expected, as `hash:2/8`"],
    },
];

/// The same with products that follow each other from iteration to iteration.
const PRODUCTS: &str = "func.func @count(%a: memref<8xi32>, %n: index) -> i32 {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %product = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (i32) {
    %x = memref.load %a[%i] : memref<8xi32>
    %once = arith.muli %acc, %x : i32
    %square = arith.muli %once, %once : i32
    %next = arith.muli %square, %acc : i32
    scf.yield %next : i32
  }
  return %product : i32
}
";

/// A loop of blocks.
const BLOCKS: &str = "func.func @count(%a: memref<8xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %zero : index, i32)
^head(%i: index, %acc: i32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %x = memref.load %a[%i] : memref<8xi32>
  %next = arith.addi %acc, %x : i32
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %next : index, i32)
^end:
  return %acc : i32
}
";

fn with_lock() -> tempfile::TempDir {
    let folder = folder();
    write(folder.path(), "sluice.lock", &LOCK);
    folder
}

fn run(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let (code, output, error) = sluice(folder, &arguments);
    (code, output + &error)
}

#[test]
fn folders_in_which_something_is_wrong_fail_and_name_the_cause() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let folder = with_lock();
        for edit in row.edits {
            edit.apply(folder.path());
        }
        let (code, said) = run(folder.path(), row.arguments);
        let is_failure = matches!(code, Some(1 | 2));
        let missing = row.said.iter().filter(|text| !said.contains(**text));
        let missing: Vec<_> = missing.collect();
        if !is_failure || !missing.is_empty() {
            let Row { name, .. } = row;
            wrong.push(format!(
                "{name}: exit {code:?}, missing {missing:?}\n{said}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn folders_that_are_as_locked_pass() {
    for (edits, arguments) in [
        (&[][..], SIM),
        (&[], LOCKED),
        (&[], CHECK),
        (&[], "lock . --check --strict"),
        (&[], "lock scale/kernel.mlir --check"),
        (&[], "sim . --locked --random 2 --seed 5"),
        // A comment changes the source, and nothing else.
        (
            &[Replace(
                "scale/kernel.mlir",
                "  return\n",
                "  return // 4 words\n",
            )],
            CHECK,
        ),
        (&[Write("scale/kernel.yaml", "# nothing\n")], LOCKED),
        (&[Remove("scale/data.yaml")], CHECK),
        (&[Remove("scale/data.yaml")], "sim . --random 1"),
        (&[Locked("scale/kernel.mlir", "latency", "9")], CHECK),
        (
            &[
                Locked("scale/kernel.mlir", "verilog", OTHER_HASH),
                Replace("sluice.lock", "verilog: same", "verilog: any"),
            ],
            LOCKED,
        ),
        (
            &[
                Locked("scale/kernel.mlir", "latency", "6"),
                Replace("sluice.lock", "latency: 0", "latency: 20%"),
            ],
            CHECK,
        ),
    ] {
        let folder = with_lock();
        for edit in edits {
            edit.apply(folder.path());
        }
        let (code, said) = run(folder.path(), arguments);
        assert_eq!(code, Some(0), "{arguments}: {said}");
    }
}

#[test]
fn a_lock_is_the_same_from_everywhere_and_keeps_its_tolerances() {
    let folder = with_lock();
    let path = folder.path();
    let lock = path.join("sluice.lock");
    Replace("sluice.lock", "lut: 2%", "lut: 5%").apply(path);
    let expected = read(path, "sluice.lock");
    // From another folder, by one thread, and one kernel alone.
    let above = path.parent().expect("it has one");
    let name = path.file_name().expect("it has one").to_string_lossy();
    for (from, arguments) in [
        (above, format!("lock {name} --jobs 1")),
        (path, "lock count/kernel.mlir".to_owned()),
    ] {
        let (code, said) = run(from, &arguments);
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.contains("kernels: 2, new: 0, changed: 0, removed: 0"),
            "{said}"
        );
        assert_eq!(
            std::fs::read_to_string(&lock).expect("it is there"),
            expected
        );
    }
    // The lock is written as a whole or not at all.
    Replace("count/kernel.mlir", "return %sum", "return %some").apply(path);
    let (code, said) = run(path, "lock .");
    assert_eq!(code, Some(1));
    assert!(said.contains("nothing is written"), "{said}");
    assert_eq!(read(path, "sluice.lock"), expected);
}

#[test]
fn data_sets_that_run_no_iteration_are_warnings() {
    let folder = with_lock();
    let path = folder.path();
    let data = "cases:\n  - inputs: {a: 1, n: 0}\n  - inputs: {a: 1, n: 3}\n";
    Write("count/data.yaml", data).apply(path);
    let (code, said) = run(path, "sim . --junit j.xml");
    assert_eq!(code, Some(0), "{said}");
    let warning = "./count/data.yaml:2:5: warning: data set 0 runs no iteration of any loop: loop `%i` at ./count/kernel.mlir:5:10";
    assert!(said.contains(warning), "{said}");
    let junit = read(path, "j.xml");
    let of_loop = "iterations of loop `%i` at ./count/kernel.mlir:5:10";
    for expected in [
        format!("<system-out>{of_loop}: 0\n{warning}</system-out>"),
        format!("{of_loop}: 3\n"),
    ] {
        assert!(junit.contains(&expected), "{expected}: {junit}");
    }
    // Of one file, all of them are.
    Write("count/data.yaml", "cases:\n  - inputs: {a: 1, n: 0}\n").apply(path);
    let (code, said) = run(path, "sim count/kernel.mlir");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("warning: data set 0 runs no iteration"),
        "{said}"
    );
    Remove("count/data.yaml").apply(path);
    let (code, said) = run(path, "sim count/kernel.mlir --seed 3");
    assert_eq!(code, Some(0), "{said}");
    let warning = "count/kernel.mlir: warning: kernel `@count` has no data sets: there is no `data.yaml` beside it";
    assert!(said.contains(warning), "{said}");
    assert!(said.contains("ran 1 random data set, seed 3"), "{said}");
}

#[test]
fn differences_are_in_junit_and_in_the_table() {
    let folder = with_lock();
    let path = folder.path();
    Locked("scale/kernel.mlir", "latency", "6").apply(path);
    Locked("count/kernel.mlir", "ff", "9999").apply(path);
    for command in ["lock . --check", "sim . --locked"] {
        let (code, said) = run(path, &format!("{command} --junit j.xml --markdown t.md"));
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("lock: ff is better: 9999 -> "), "{said}");
        let cases = super::junit::cases(&path.join("j.xml"));
        let failed = "scale/kernel.mlir | lock: latency | ./scale/kernel.mlir | failure: latency is worse: 6 cycles -> 7 cycles (+16.7 %, 0 tolerated)";
        assert!(cases.iter().any(|case| case == failed), "{cases:?}");
        let table = read(path, "t.md");
        for expected in [
            "### Sluice lock: kernels: 2, not as locked: 1, better: 1",
            "| scale/kernel.mlir | latency | 6 cycles | 7 cycles | +16.7 %, 0 tolerated | worse |",
        ] {
            assert!(table.contains(expected), "{table}");
        }
    }
}

#[test]
fn every_kernel_is_in_one_part() {
    let folder = with_lock();
    let path = folder.path();
    let mut seen = Vec::new();
    for part in 1..=4 {
        let arguments = format!("sim . --locked --partition hash:{part}/4 --junit {part}.xml");
        let (code, said) = run(path, &arguments);
        assert_eq!(code, Some(0), "{said}");
        let names = said
            .lines()
            .filter_map(|line| line.strip_prefix("ok      "));
        seen.extend(names.filter_map(|line| line.split(' ').next().map(str::to_owned)));
    }
    seen.sort();
    assert_eq!(seen, ["count/kernel.mlir", "scale/kernel.mlir"]);
    let (code, said) = run(path, "junit merge 1.xml 2.xml 3.xml 4.xml -o all.xml");
    assert_eq!(code, Some(0), "{said}");
    let cases = super::junit::cases(&path.join("all.xml"));
    assert_eq!(cases.len(), 5, "{cases:?}");
    let (code, said) = run(path, "junit merge sluice.lock -o other.xml");
    assert_eq!(code, Some(1));
    assert!(said.contains("sluice.lock:1:1: error: "), "{said}");
    assert!(!path.join("other.xml").exists());
}

#[test]
fn outcomes_have_several_forms() {
    let folder = with_lock();
    let path = folder.path();
    Replace("scale/data.yaml", "latency: 7", "latency: 6").apply(path);
    let (_, said) = run(path, "sim . --format tap");
    for expected in [
        "TAP version 14\n1..2\nok 1 - count/kernel.mlir\nnot ok 2 - scale/kernel.mlir\n  ---\n  message: \"./scale/data.yaml:5:10: error: expect: latency 6, found 7 cycles",
        "  again: \"sluice sim ./scale/kernel.mlir\"\n  ...\n",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    let (_, output, _) = sluice(path, &["sim", ".", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
    assert_eq!((&found["passed"], &found["failed"]), (&1.into(), &1.into()));
    assert_eq!(found["runs"][0]["data_sets"], 2);
    assert_eq!(found["runs"][1]["outcome"], "failed");
    let (_, output, _) = sluice(path, &["sim", ".", "--format", "junit"]);
    std::fs::write(path.join("j.xml"), output).expect("it can be written");
    assert_eq!(super::junit::cases(&path.join("j.xml")).len(), 3);
}
