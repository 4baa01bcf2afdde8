//! Tests of inputs that exceed limits: each ends with exit code 1 and the name of the limit, in little time and memory.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

/// Processor time in seconds and address space in KiB that each command may use; the tested build is not optimised.
const SECONDS: u32 = 10;
const ADDRESSES_KIB: u32 = 3 << 20;

/// A command with its files, and the expected parts of its output.
struct Case {
    files: Vec<(&'static str, Vec<u8>)>,
    arguments: &'static str,
    /// All of these must occur in the output.
    says: &'static [&'static str],
}

fn bounded(folder: &Path, arguments: &str, kib: u32) -> Output {
    let sluice = env!("CARGO_BIN_EXE_sluice");
    Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -t {SECONDS}; ulimit -v {kib}; exec {sluice} {arguments}"
        ))
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("there is a shell")
}

fn folder_of(case: &Case) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, data) in &case.files {
        std::fs::write(folder.path().join(name), data).expect("a file can be written");
    }
    folder
}

fn check(case: &Case) {
    let folder = folder_of(case);
    let output = bounded(folder.path(), case.arguments, ADDRESSES_KIB);
    let said = String::from_utf8_lossy(&output.stderr);
    let shown: String = said.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(1), "{}: {shown}", case.arguments);
    for part in case.says {
        assert!(
            said.contains(part),
            "{}: `{part}` in: {shown}",
            case.arguments
        );
    }
    assert!(
        said.len() < 40_000,
        "{}: {} bytes are said",
        case.arguments,
        said.len()
    );
}

const COPY: &str = "func.func @copy(%a: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<8xi32>
  return %x : i32
}
";

/// Returns functions that each call the previous one twice.
fn calls(n_functions: u32) -> String {
    let mut text = "func.func private @f0(%a: i32) -> i32 {
  %x = arith.muli %a, %a : i32
  return %x : i32
}
"
    .to_owned();
    for n in 1..n_functions {
        let visibility = if n + 1 < n_functions { "private " } else { "" };
        let _ = write!(
            text,
            "func.func {visibility}@f{n}(%a: i32) -> i32 {{
  %x = func.call @f{0}(%a) : (i32) -> i32
  %y = func.call @f{0}(%x) : (i32) -> i32
  return %y : i32
}}
",
            n - 1
        );
    }
    text
}

/// Returns modules that each instantiate the previous one twice.
fn instances(n_modules: u32) -> String {
    let mut text = "hw.module @m0(in %a: i8, out b: i8) { hw.output %a : i8 }\n".to_owned();
    for n in 1..n_modules {
        let _ = write!(
            text,
            "hw.module @m{n}(in %a: i8, out b: i8) {{
  %c = hw.instance \"x\" @m{0}(a: %a: i8) -> (b: i8)
  %d = hw.instance \"y\" @m{0}(a: %c: i8) -> (b: i8)
  hw.output %d : i8
}}
",
            n - 1
        );
    }
    text
}

/// Returns dataflow graphs that each instantiate the previous one twice.
fn graphs(n_graphs: u32) -> String {
    let mut text = "handshake.func @g0(%a: i8) -> i8 { return %a : i8 }\n".to_owned();
    for n in 1..n_graphs {
        let _ = write!(
            text,
            "handshake.func @g{n}(%a: i8) -> i8 {{
  %c = handshake.instance @g{0}(%a) : (i8) -> i8
  %d = handshake.instance @g{0}(%c) : (i8) -> i8
  return %d : i8
}}
",
            n - 1
        );
    }
    text
}

fn one(name: &'static str, text: impl Into<Vec<u8>>) -> Vec<(&'static str, Vec<u8>)> {
    vec![(name, text.into())]
}

fn two(
    name: &'static str,
    text: impl Into<Vec<u8>>,
    other: &'static str,
    data: impl Into<Vec<u8>>,
) -> Vec<(&'static str, Vec<u8>)> {
    vec![(name, text.into()), (other, data.into())]
}

#[test]
fn what_grows_is_counted_before_it_does() {
    let self_made = "hw.module @m(in %a: i8, out b: i8) {
  %c = hw.instance \"x\" @n(a: %a: i8) -> (b: i8)
  hw.output %c : i8
}
hw.module @n(in %a: i8, out b: i8) {
  %c = hw.instance \"x\" @m(a: %a: i8) -> (b: i8)
  hw.output %c : i8
}
";
    let ring = &["an instance of itself", "@m -> @n -> @m"][..];
    let instances_met = &[
        "m33",
        "the limit `instances` is 1000000",
        "`@m33` has `@m32` 2 times",
    ][..];
    let wide = "hw.module @m(in %a: i1, out b: i16000000) {
  %c = comb.replicate %a : (i1) -> i16000000
  hw.output %c : i16000000
}
";
    let nests = |n: usize| {
        let open: String = (0..n)
            .map(|i| format!("affine.for %i{i} = 0 to 2 {{\n"))
            .collect();
        format!("{open}{}", "}\n".repeat(n))
    };
    let deep_calls: String = (0..10)
        .map(|n| {
            let call = match n {
                0 => String::new(),
                n => format!("func.call @d{}() : () -> ()\n", n - 1),
            };
            let nest = nests(40).replacen("}\n", &format!("{call}}}\n"), 1);
            format!("func.func @d{n}() {{\n{nest}return\n}}\n")
        })
        .collect();
    let parallel = "func.func @p(%a: memref<1024xi32>) {
  affine.for %i = 0 to 1024 {
    %x = affine.load %a[%i] : memref<1024xi32>
    %y0 = arith.addi %x, %x : i32
    affine.store %y0, %a[%i] : memref<1024xi32>
  }
  return
}
";
    let cases = [
        Case {
            files: one("k.mlir", calls(40)),
            arguments: "compile k.mlir",
            says: &[
                "k.mlir:",
                "`@f39` with all that it calls has",
                "the limit `operations` is 1000000: `--limit operations=N` raises it",
                "`@f39` calls `@f38` 2 times",
            ],
        },
        Case {
            files: one("k.mlir", calls(40)),
            arguments: "opt --inline k.mlir",
            says: &[
                "k.mlir:",
                "inlining this call makes",
                "the limit `operations` is 1000000",
            ],
        },
        Case {
            files: one("k.mlir", calls(40)),
            arguments: "opt --pass inline-callees k.mlir",
            says: &["k.mlir:", "the limit `operations` is 1000000"],
        },
        Case {
            files: one("k.mlir", deep_calls),
            arguments: "compile k.mlir",
            says: &["k.mlir:", "the limit `nesting_levels` is 200"],
        },
        Case {
            files: one("c.mlir", instances(34)),
            arguments: "sim c.mlir",
            says: instances_met,
        },
        Case {
            files: one("c.mlir", instances(34)),
            arguments: "compile c.mlir",
            says: instances_met,
        },
        Case {
            files: one("g.mlir", graphs(40)),
            arguments: "compile g.mlir",
            says: &[
                "g.mlir:",
                "`@g39` has `@g38` 2 times",
                "the limit `instances` is 1000000",
            ],
        },
        Case {
            files: one("c.mlir", self_made),
            arguments: "compile c.mlir",
            says: ring,
        },
        Case {
            files: one("c.mlir", self_made),
            arguments: "sim c.mlir",
            says: ring,
        },
        Case {
            files: one("c.mlir", wide),
            arguments: "sim c.mlir --cycles 2",
            says: &[
                "c.mlir:2:",
                "16000000 bits",
                "the limit `width_bits` is 262144",
            ],
        },
        Case {
            files: one("c.mlir", wide),
            arguments: "compile c.mlir",
            says: &["c.mlir:2:", "the limit `width_bits` is 262144"],
        },
        Case {
            files: two(
                "k.mlir",
                parallel,
                "k.yaml",
                "loops: {i: {unroll: 1024}}\ntool_limits: {unrolled_operations: 2000}\n",
            ),
            arguments: "compile k.mlir",
            says: &["k.mlir:2:", "the limit `unrolled_operations` is 2000"],
        },
        Case {
            files: two("k.mlir", COPY, "s.yaml", space()),
            arguments: "explore k.mlir --config s.yaml",
            says: &[
                "64000000 points",
                "the limit `explore_points` is 100000",
                "400 values of",
            ],
        },
    ];
    cases.iter().for_each(check);
}

/// Returns axes of 400 values each.
fn space() -> String {
    let values = |from: u32| {
        let values: Vec<_> = (from..from + 400).map(|n| n.to_string()).collect();
        values.join(", ")
    };
    let (a, b, c) = (values(5), values(1), values(1));
    format!("clock_period_ns: [{a}]\nlimits: {{multiply: [{b}], divide_signed: [{c}]}}\n")
}

#[test]
fn files_without_end_are_not_read_to_it() {
    let files = || one("k.mlir", COPY);
    let bytes = &[
        "/dev/zero: error: the file has more than 268435456 bytes",
        "the limit `file_bytes` is 268435456",
    ][..];
    let config = &[
        "/dev/zero: error: the file has",
        "the limit `config_bytes` is 16777216",
    ][..];
    let cases = [
        Case {
            files: files(),
            arguments: "compile /dev/zero",
            says: bytes,
        },
        Case {
            files: files(),
            arguments: "opt /dev/zero",
            says: bytes,
        },
        Case {
            files: files(),
            arguments: "opt - < /dev/zero",
            says: &["-: error: the file has", "the limit `file_bytes`"],
        },
        Case {
            files: files(),
            arguments: "compile k.mlir --config /dev/zero",
            says: config,
        },
        Case {
            files: files(),
            arguments: "sim k.mlir --data /dev/zero",
            says: config,
        },
        Case {
            files: files(),
            arguments: "explore k.mlir --config /dev/zero",
            says: config,
        },
        Case {
            files: files(),
            arguments: "schedule /dev/zero",
            says: config,
        },
        Case {
            files: two(
                "k.mlir",
                COPY,
                "d.yaml",
                "cases:\n  - inputs: {a: {file: /dev/zero, format: hex}}\n",
            ),
            arguments: "sim k.mlir --data d.yaml",
            says: &["d.yaml:2:", "the limit `file_bytes` is 268435456"],
        },
        Case {
            files: one("k.mlir", COPY.repeat(100)),
            arguments: "opt k.mlir --limit file_bytes=1_000",
            says: &[
                "k.mlir: error: the file has",
                "the limit `file_bytes` is 1000",
            ],
        },
    ];
    cases.iter().for_each(check);
}

#[test]
fn text_that_is_hard_to_read() {
    let digits = |n: usize| {
        format!(
            "func.func @f() -> i64 {{\n  %x = arith.constant {} : i64\n  return %x : i64\n}}\n",
            "7".repeat(n)
        )
    };
    let aliases = |sigil: char, first: &str, next: &dyn Fn(String) -> String| {
        let mut text = format!("{sigil}a0 = {first}\n");
        for n in 1..60 {
            text += &format!("{sigil}a{n} = {}\n", next(format!("{sigil}a{}", n - 1)));
        }
        text
    };
    let again = format!(
        "func.func @f() {{\n{}  return\n}}\n",
        "  %a = \"x.y\"() : () -> i8\n".repeat(20_000)
    );
    let nested = |open: &str, close: &str, n: usize| {
        format!(
            "\"a.b\"() {{x = {}1{}}} : () -> ()\n",
            open.repeat(n),
            close.repeat(n)
        )
    };
    let types = format!(
        "\"a.b\"() {{x = {}i1{}}} : () -> ()\n",
        "tuple<".repeat(100_000),
        ">".repeat(100_000)
    );
    let regions = format!(
        "{}{}",
        "\"a.b\"() ({ ".repeat(100_000),
        "}) : () -> ()\n".repeat(100_000)
    );
    let one_line = format!("func.func @f() {{ {} }}", "%x = foo.bar ".repeat(100_000));
    let many = format!(
        "func.func @f() {{\n{}}}\n",
        "  %x = nothing.known\n".repeat(100_000)
    );
    let cases = [
        Case {
            files: one("k.mlir", digits(1_000_000)),
            arguments: "opt k.mlir",
            says: &[
                "k.mlir:2:",
                "1000000 digits",
                "the limit `number_digits` is 20000",
            ],
        },
        Case {
            files: one("k.mlir", nested("[", "]", 100_000)),
            arguments: "opt --allow-unregistered-dialect k.mlir",
            says: &["k.mlir:1:", "the limit `nesting_levels` is 200"],
        },
        Case {
            files: one(
                "k.mlir",
                aliases('!', "tuple<i8>", &|a| format!("tuple<{a}, {a}>")),
            ),
            arguments: "opt k.mlir",
            says: &["k.mlir:2", "the limit `alias_bytes` is 16777216"],
        },
        Case {
            files: one("k.mlir", aliases('#', "[1]", &|a| format!("[{a}, {a}]"))),
            arguments: "opt k.mlir",
            says: &["k.mlir:2", "the limit `alias_bytes` is 16777216"],
        },
        // Each message has a note with the first location.
        Case {
            files: one("k.mlir", again),
            arguments: "opt --allow-unregistered-dialect k.mlir",
            says: &[
                "redefinition of SSA value '%a'",
                "19999 errors, 100 of them shown",
            ],
        },
        Case {
            files: one("k.mlir", types),
            arguments: "opt --allow-unregistered-dialect k.mlir",
            says: &["k.mlir:1:", "the limit `nesting_levels` is 200"],
        },
        Case {
            files: one("k.mlir", regions),
            arguments: "opt --allow-unregistered-dialect k.mlir",
            says: &["k.mlir:1:", "the limit `nesting_levels` is 200"],
        },
        Case {
            files: one("k.mlir", one_line),
            arguments: "opt k.mlir",
            says: &["k.mlir:1:"],
        },
        Case {
            files: one("k.mlir", many),
            arguments: "opt k.mlir",
            says: &[
                "k.mlir:2:",
                "100000 errors, 100 of them shown; the limit `errors` is 100",
            ],
        },
        Case {
            files: one(
                "k.mlir",
                format!(
                    "func.func @f() {{ \"{}\"() : () -> () \n return }}\n",
                    "x".repeat(1_000_000)
                ),
            ),
            arguments: "opt k.mlir",
            says: &["k.mlir:1:"],
        },
        Case {
            files: two(
                "k.mlir",
                COPY,
                "k.yaml",
                format!("{}: 1\n", "x".repeat(1_000_000)),
            ),
            arguments: "compile k.mlir",
            says: &["k.yaml:1:1000001:", "    ...xxx"],
        },
        Case {
            files: two(
                "k.mlir",
                COPY,
                "k.yaml",
                (0..200_000)
                    .map(|n| format!("x{n}: 1\n"))
                    .collect::<String>(),
            ),
            arguments: "compile k.mlir",
            says: &["k.yaml:1:1:", "unknown key `x0`"],
        },
    ];
    cases.iter().for_each(check);
}

#[test]
fn numbers_that_are_none() {
    let mut cases = Vec::new();
    for config in [
        "clock_period_ns: .inf\n",
        "clock_period_ns: .nan\n",
        "clock_period_ns: 1e300\n",
        "clock_period_ns: -5\n",
        "clock_period_ns: 0\n",
        "clock_period_ns: -.inf\n",
    ] {
        cases.push(Case {
            files: two("k.mlir", COPY, "k.yaml", config),
            arguments: "compile k.mlir",
            says: &[
                "k.yaml:1:1: error: `clock_period_ns` is a number of ns above 0, up to 1000000",
            ],
        });
        cases.push(Case {
            files: two("k.mlir", COPY, "s.yaml", config),
            arguments: "explore k.mlir --config s.yaml",
            says: &["s.yaml:1:18:", "is a number of ns above 0, up to 1000000"],
        });
    }
    for arguments in [
        "compile k.mlir --clock-period-ns inf",
        "compile k.mlir --clock-period-ns nan",
        "compile k.mlir --clock-period-ns 1e300",
        "compile k.mlir --clock-period-ns=-1",
        "report k.mlir --clock-period-ns 0",
    ] {
        cases.push(Case {
            files: one("k.mlir", COPY),
            arguments,
            says: &["error: --clock-period-ns is a number of ns above 0, up to 1000000"],
        });
    }
    for config in [
        "solver: {time_limit_s: .inf}\n",
        "solver: {time_limit_s: 1e300}\n",
    ] {
        cases.push(Case {
            files: two("k.mlir", COPY, "k.yaml", config),
            arguments: "compile k.mlir",
            says: &["k.yaml:1:10: error: `time_limit_s` is a number above 0, up to 1000000000"],
        });
    }
    cases.push(Case {
        files: one("k.mlir", COPY),
        arguments: "sim k.mlir --idle 18446744073709551615",
        says: &["--idle: 18446744073709551615 cycles, but the limit `idle_cycles` is 1000000"],
    });
    cases.push(Case {
        files: two("k.mlir", COPY, "d.yaml", "idle: 18446744073709551615\n"),
        arguments: "sim k.mlir --data d.yaml",
        says: &[
            "d.yaml:1:1: error: `idle` is 18446744073709551615 cycles, but the limit `idle_cycles`",
        ],
    });
    cases.push(Case {
        files: one("k.mlir", COPY),
        arguments: "sim k.mlir --random 4000000000",
        says: &["--random: 4000000000 data sets, but the limit `data_sets` is 1000000"],
    });
    for arguments in [
        "sim k.mlir --assert 'a[-1] == 0'",
        "sim k.mlir --assert 'a[8] == 0'",
        "sim k.mlir --assert 'a[3 - 4] == 0'",
        "sim k.mlir --assert 'a[4 * 2] == 0'",
        "sim k.mlir --assert 'a[1 ? 9 : 0] == 0'",
    ] {
        cases.push(Case {
            files: one("k.mlir", COPY),
            arguments,
            says: &["`a` has 8 words here, from 0 on: none is number "],
        });
    }
    cases.iter().for_each(check);
}

#[test]
fn memories_that_are_too_large_to_run() {
    let great = COPY.replace("8xi32", "1000000000xi32");
    let circuit = "hw.module @m(in %clk: !seq.clock, in %a: i30, out b: i8) {
  %m = seq.hlmem @m %clk, %no : <1000000000xi8>
  %no = hw.constant false
  %yes = hw.constant true
  %b = seq.read %m[%a] rden %yes {latency = 1} : !seq.hlmem<1000000000xi8>
  hw.output %b : i8
}
";
    let cases = [
        Case {
            files: one("k.mlir", great),
            arguments: "sim k.mlir",
            says: &[
                "1000000000 words of 64 bits",
                "the limit `simulated_words` is 16777216",
            ],
        },
        Case {
            files: one("c.mlir", circuit),
            arguments: "sim c.mlir",
            says: &["c.mlir:2:", "the limit `simulated_words` is 16777216"],
        },
        Case {
            files: one(
                "k.mlir",
                COPY.replace("8xi32", "3x6148914691236517206xi32")
                    .replace("[%c0]", "[%c0, %c0]"),
            ),
            arguments: "compile k.mlir",
            says: &[
                "k.mlir:1:",
                "18446744073709551618 words, but the limit `memory_words` is 2147483648",
            ],
        },
    ];
    cases.iter().for_each(check);
}

#[test]
fn threads_that_there_are_not() {
    check(&Case {
        files: two("k.mlir", COPY, "s.yaml", "clock_period_ns: [5, 6]\n"),
        arguments: "explore k.mlir --config s.yaml --threads 10000",
        says: &["10000 threads, but the limit `threads` is 256"],
    });
    let case = Case {
        files: two("k.mlir", COPY, "s.yaml", "clock_period_ns: [5, 6]\n"),
        arguments: "",
        says: &[],
    };
    let folder = folder_of(&case);
    for (arguments, kib) in [
        ("compile k.mlir", 1 << 20),
        (
            "explore k.mlir --config s.yaml --threads 200",
            ADDRESSES_KIB,
        ),
    ] {
        let output = bounded(folder.path(), arguments, kib);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {said}");
        assert!(said.contains("note: the system has no room for"), "{said}");
    }
}

#[test]
fn limits_are_listed_and_set_by_name() {
    let case = Case {
        files: one("k.mlir", COPY),
        arguments: "",
        says: &[],
    };
    let folder = folder_of(&case);
    let run = |arguments: &str| bounded(folder.path(), arguments, ADDRESSES_KIB);
    let listed = run("limits --limit operations=7");
    let listed = String::from_utf8_lossy(&listed.stdout);
    for row in sluice_ir::limits::TABLE {
        assert!(listed.contains(row.name), "{}", row.name);
    }
    assert!(
        listed.contains("7 operations (default 1000000)"),
        "{listed}"
    );
    let help = String::from_utf8_lossy(&run("--help").stdout).into_owned();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    // The description of a command may continue on further lines, which are indented more.
    let commands = commands.filter_map(|line| line.strip_prefix("  "));
    let commands: Vec<&str> = commands
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands {
        let output = run(&format!("{command} --limit operation=7"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        let expected = "unknown limit `operation`; did you mean `operations`?";
        assert!(said.contains(expected), "{command}: {said}");
    }
}

/// A long alias is allowed, however often it is used.
#[test]
fn long_aliases_are_taken() {
    let words = ["1"; 600_000].join(", ");
    let text = format!(
        "#a = dense<[{words}]> : tensor<600000xi8>\n#b = [#a, #a]\n\"x.y\"() {{b = #b}} : () -> ()\n"
    );
    let case = Case {
        files: one("k.mlir", text),
        arguments: "",
        says: &[],
    };
    let folder = folder_of(&case);
    let arguments = "opt k.mlir --allow-unregistered-dialect -o out.mlir";
    let output = bounded(folder.path(), arguments, ADDRESSES_KIB);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

/// Maps that use the previous one twice are composed only as long as the result stays short.
#[test]
fn chains_of_affine_maps_do_not_double() {
    let mut text = "func.func @f(%a: index) -> index {\n".to_owned();
    let mut last = "%a".to_owned();
    for n in 0..40 {
        let map = "affine_map<(d0, d1) -> (d0 floordiv 2 + d1 mod 7)>";
        text += &format!("  %v{n} = affine.apply {map}({last}, {last})\n");
        last = format!("%v{n}");
    }
    text += &format!("  return {last} : index\n}}\n");
    let case = Case {
        files: one("k.mlir", text),
        arguments: "",
        says: &[],
    };
    let folder = folder_of(&case);
    let output = bounded(folder.path(), "opt k.mlir --canonicalize", ADDRESSES_KIB);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(output.stdout.len() < 1_000_000, "{}", output.stdout.len());
}

/// A file of problems is scanned once for all their positions, not once for each problem.
#[test]
fn many_problems_are_read_in_one_go() {
    let one_of_them = "initiation: once\noperations: {a: {latency: 1}}\n";
    let case = Case {
        files: one("p.yaml", [one_of_them; 3000].join("---\n")),
        arguments: "",
        says: &[],
    };
    let folder = folder_of(&case);
    let output = bounded(folder.path(), "schedule p.yaml", ADDRESSES_KIB);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}
