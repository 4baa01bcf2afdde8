//! Tests of names with any characters: files stay in their folder, and terminals and viewers get plain text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::cosim::{has_verilator, share_library};

/// Formats a name as an MLIR symbol.
fn symbol(name: &str) -> String {
    let mut text = String::from("@\"");
    for byte in name.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => text.push(char::from(byte)),
            false => {
                let _ = write!(text, "\\{byte:02X}");
            }
        }
    }
    text + "\""
}

fn kernel(name: &str) -> String {
    format!(
        "func.func {0}(%a: i8, %b: i8) -> i8 {{\n  %c = arith.addi %a, %b : i8\n  return %c : i8\n}}\n",
        symbol(name)
    )
}

fn circuit(name: &str) -> String {
    format!(
        "hw.module {0}(in %a : i8, out b : i8) {{\n  hw.output %a : i8\n}}\n",
        symbol(name)
    )
}

/// A folder inside another folder, so that files that escape it are found.
struct Place {
    around: tempfile::TempDir,
}

impl Place {
    fn new(text: &str) -> Self {
        let around = tempfile::tempdir().expect("a temporary folder can be made");
        let place = Self { around };
        std::fs::create_dir(place.work()).expect("it is empty");
        std::fs::write(place.work().join("k.mlir"), text).expect("it can be written");
        let space = "clock_period_ns: [5, 10]\n";
        std::fs::write(place.work().join("space.yaml"), space).expect("it can be written");
        place
    }

    fn work(&self) -> PathBuf {
        self.around.path().join("work")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(arguments)
            .current_dir(self.work())
            .output()
            .expect("the command starts")
    }

    fn files(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![self.around.path().to_owned()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).expect("it is a folder") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(self.around.path()).expect("it is inside");
                found.insert(name.to_string_lossy().into_owned());
                if path.is_dir() {
                    open.push(path);
                }
            }
        }
        found
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it is UTF-8")
}

/// Returns whether a character must not reach a terminal.
fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c)
}

/// Runs a command, which must not panic, and checks its output and the files it writes.
fn check(place: &Place, name: &str, arguments: &[&str], allowed: &[&str]) {
    let before = place.files();
    let output = place.run(arguments);
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{name:?}: {arguments:?}: {}: {error}",
        output.status
    );
    for said in [&out, &error] {
        assert!(
            !said.contains(is_unsafe),
            "{name:?}: {arguments:?}: {said:?}"
        );
    }
    // A line break in the name must not start a line of the output.
    let forged = |said: &str| said.lines().any(|line| line.starts_with("forged"));
    assert!(!forged(&out) && !forged(&error), "{name:?}: {out}{error}");
    for file in place.files().difference(&before) {
        let is_allowed = allowed
            .iter()
            .any(|folder| Path::new(file).starts_with(folder));
        assert!(is_allowed, "{name:?}: {arguments:?} wrote {file:?}");
        let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        assert!(file.chars().all(plain), "{name:?}: {file:?}");
    }
}

fn check_all(name: &str) {
    for source in [kernel(name), circuit(name)] {
        let place = Place::new(&source);
        check(
            &place,
            name,
            &["compile", "k.mlir", "-o", "out"],
            &["work/out"],
        );
        let waves = ["--vcd", "w.vcd", "--fst", "w.fst", "--junit", "j.xml"];
        let sim = [&["sim", "k.mlir"][..], &waves].concat();
        check(
            &place,
            name,
            &sim,
            &["work/w.vcd", "work/w.fst", "work/j.xml"],
        );
        let read = |file: &str| std::fs::read_to_string(place.work().join(file));
        if let Ok(xml) = read("j.xml") {
            assert!(
                !xml.contains(|c: char| c.is_control() && c != '\n' && c != '\t'),
                "{name:?}"
            );
        }
        if let Ok(vcd) = read("w.vcd") {
            let scopes = vcd.lines().filter(|line| line.starts_with("$scope"));
            for scope in scopes {
                assert_eq!(scope.split_whitespace().count(), 4, "{name:?}: {scope}");
            }
        }
        if !source.starts_with("func") {
            continue;
        }
        check(
            &place,
            name,
            &["sim", "k.mlir", "--trace", "t.json"],
            &["work/t.json"],
        );
        check(
            &place,
            name,
            &["report", "k.mlir", "--html", "r.html"],
            &["work/r.html"],
        );
        if let Ok(page) = read("r.html") {
            assert!(!page.contains("<forged"), "{name:?}");
            assert!(!page.contains(is_unsafe), "{name:?}");
        }
        check(&place, name, &["report", "k.mlir", "--json"], &[]);
        let explore = [
            "explore",
            "k.mlir",
            "--config",
            "space.yaml",
            "-o",
            "points",
        ];
        check(&place, name, &explore, &["work/points"]);
        let reduce = [
            "reduce",
            "k.mlir",
            "--test",
            "true",
            "--attempts",
            "2",
            "-o",
            "r.mlir",
        ];
        check(&place, name, &reduce, &["work/r.mlir"]);
        check(&place, name, &["schedule", "k.mlir"], &[]);
    }
}

/// Names that were used in attacks, or that some systems refuse.
const HOSTILE: [&str; 22] = [
    "../x",
    "../../work/../x",
    "/abs/x",
    "C:\\x",
    "",
    ".",
    "..",
    "a/b",
    "-o",
    "--help",
    "CON",
    "aux",
    "lpt1",
    "module",
    "a\nforged b",
    "\"><forged>",
    "'; touch ../pwned; '",
    "$(touch ../pwned)",
    "a\0b",
    "\u{1b}[2J\u{7}\r",
    "\u{202e}gro\u{df}e",
    "$end $upscope",
];

#[test]
fn hostile_names_leave_nothing_outside() {
    for name in HOSTILE {
        check_all(name);
    }
    check_all(&"x".repeat(5000));
    check_all(&"\u{e9}".repeat(3000));
}

#[test]
fn random_names_leave_nothing_outside() {
    let mut runner = TestRunner::new(Config {
        cases: 6,
        failure_persistence: None,
        ..Config::default()
    });
    let names = prop_oneof![any::<String>(), "[./\\\\a-c\\n\"'$ -]{0,24}"];
    let outcome = runner.run(&names, |name| {
        check_all(&name);
        Ok(())
    });
    outcome.expect("no name leaves the folder");
}

#[test]
fn the_names_of_module_and_files_are_said_where_they_differ() {
    for (name, expected) in [
        ("plain", "\nwrote plain.v,"),
        (
            "../x",
            "\n`@../x` is module `___x` in Verilog and in file names\nwrote ___x.v,",
        ),
        (
            "module",
            "\n`@module` is module `module_1` in Verilog and in file names\nwrote module_1.v,",
        ),
        ("aux", "\nfiles of `@aux` are called `aux_`\nwrote aux_.v,"),
        (
            "a\nb",
            "\n`@a\\u000ab` is module `a_u000ab` in Verilog and in file names\nwrote a_u000ab.v,",
        ),
    ] {
        let place = Place::new(&kernel(name));
        let output = place.run(&["compile", "k.mlir", "-o", "out"]);
        let out = text(&output.stdout);
        assert!(
            out.contains(expected),
            "{name:?}: {out}{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn errors_show_names_without_control_characters() {
    let twice = kernel("a\nforged \u{1b}[31m") + &kernel("a\nforged \u{1b}[31m");
    let place = Place::new(&twice);
    for arguments in [&["compile", "k.mlir"][..], &["opt", "k.mlir"]] {
        let output = place.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("a\\u000aforged \\u001b[31m"), "{error}");
        assert!(!error.contains(is_unsafe), "{error:?}");
    }
    let config = "top: \"b\\nforged\"\n";
    std::fs::write(place.work().join("k.yaml"), config).expect("it can be written");
    std::fs::write(place.work().join("k.mlir"), kernel("b")).expect("it can be written");
    let error = text(&place.run(&["compile", "k.mlir"]).stderr);
    assert!(error.contains("no function `@b\\u000aforged`"), "{error}");
}

/// Verilator and the simulator agree on kernels and circuits with any names.
#[test]
fn hostile_names_under_verilator() {
    if !has_verilator() {
        return;
    }
    for name in ["../x \" y", "module", "a\n\u{1b}b"] {
        for source in [kernel(name), circuit(name)] {
            let place = Place::new(&source);
            share_library(&place.work().join("cache"));
            let arguments = ["cosim", "k.mlir", "--cache", "cache"];
            let output = place.run(&arguments);
            let said = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{name:?}: {said}");
            let beside = place.files().into_iter();
            let beside: Vec<String> = beside.filter(|file| !file.starts_with("work")).collect();
            assert!(beside.is_empty(), "{name:?}: {beside:?}");
        }
    }
}

/// Kernels of one design share no module name, so that their files can be compiled together.
#[test]
fn two_kernels_share_no_module() {
    let product = |name: &str| {
        format!(
            "func.func private @helper(%a: i32, %b: i32) -> i32 {{
  %q = arith.divui %a, %b : i32
  return %q : i32
}}
func.func @{name}(%m: memref<8xi32>, %k: i32) {{
  affine.for %i = 0 to 8 {{
    %x = affine.load %m[%i] : memref<8xi32>
    %p = arith.muli %x, %x : i32
    %r = func.call @helper(%p, %k) : (i32, i32) -> i32
    affine.store %r, %m[%i] : memref<8xi32>
  }}
  return
}}
"
        )
    };
    let place = Place::new("");
    let config = "keep: [helper]\nclock_period_ns: 3\n";
    std::fs::write(place.work().join("keep.yaml"), config).expect("it can be written");
    let mut all = BTreeSet::new();
    for name in ["one", "two"] {
        std::fs::write(place.work().join("k.mlir"), product(name)).expect("it can be written");
        let compile = ["compile", "k.mlir", "--config", "keep.yaml", "-o", "out"];
        let output = place.run(&compile);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let file = place.work().join("out").join(format!("{name}.v"));
        let verilog = std::fs::read_to_string(file).expect("it was written");
        let modules = verilog
            .lines()
            .filter_map(|line| line.strip_prefix("module "));
        let modules: Vec<String> = modules
            .filter_map(|line| line.split([' ', '(', ';']).next())
            .map(str::to_owned)
            .collect();
        assert!(modules.len() >= 3, "{modules:?}");
        for module in modules {
            let is_own = module == name || module.starts_with(&format!("{name}__"));
            assert!(is_own, "{module}");
            assert!(all.insert(module.clone()), "{module} twice");
        }
    }
    if has_verilator() {
        let both = ["out/one.v", "out/two.v"];
        let lint = Command::new("verilator")
            .args(["--lint-only", "-Wall", "-Wno-MULTITOP"])
            .args(both)
            .current_dir(place.work())
            .output()
            .expect("it starts");
        assert!(lint.status.success(), "{}", text(&lint.stderr));
    }
}
