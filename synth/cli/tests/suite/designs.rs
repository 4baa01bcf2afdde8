//! Circuits as parts of a design: module names of their own, files of their own, names that are said, lint-clean text.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::assertions::{folder, sluice};
use crate::cosim::has_verilator;

/// A kernel that keeps a function, which has a divider and a multiplier of its own.
fn kernel(top: &str, kept: &str) -> String {
    format!(
        "func.func private @{kept}(%a: i32, %b: i32) -> i32 {{
  %q = arith.divui %a, %b : i32
  return %q : i32
}}
func.func @{top}(%m: memref<8xi32>, %k: i32) {{
  affine.for %i = 0 to 8 {{
    %x = affine.load %m[%i] : memref<8xi32>
    %p = arith.muli %x, %x : i32
    %r = func.call @{kept}(%p, %k) : (i32, i32) -> i32
    affine.store %r, %m[%i] : memref<8xi32>
  }}
  return
}}
"
    )
}

/// The names of the modules of a Verilog text, in their order.
fn modules(verilog: &str) -> Vec<String> {
    let headers = verilog
        .lines()
        .filter_map(|line| line.strip_prefix("module "));
    let names = headers.filter_map(|rest| rest.split([' ', '(', ';']).next());
    names.map(str::to_owned).collect()
}

fn example(name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    format!("{root}/{name}/kernel.mlir")
}

fn read(folder: &Path, file: &str) -> String {
    let text = std::fs::read_to_string(folder.join(file));
    text.unwrap_or_else(|why| panic!("{file}: {why}"))
}

#[test]
fn files_of_different_kernels_make_one_design() {
    let folder = folder(&[]);
    let work = folder.path();
    let mut files: Vec<String> = Vec::new();
    let mut compile = |arguments: &[&str]| {
        let mut all = vec!["compile"];
        all.extend(arguments);
        all.extend(["-o", "out"]);
        let (code, said, error) = sluice(work, &all);
        assert_eq!(code, Some(0), "{arguments:?}: {error}");
        let (_, wrote) = said.split_once("wrote ").expect("it says what it wrote");
        files.push(format!(
            "out/{}",
            wrote.split(',').next().unwrap_or_default()
        ));
    };
    for name in ["gemm", "dot", "matvec_i27", "gcd"] {
        compile(&[&example(name)]);
    }
    // The parts of these names meet where an underscore more or less separates them.
    for (top, kept) in [
        ("fir", "stage"),
        ("fir_stage", "mac"),
        ("fir_stage_mac", "x"),
        ("fir_", "stage_mac"),
        ("fir_mul", "_32_l1"),
    ] {
        let config = format!("{top}.keep.yaml");
        let write = |file: &str, text: &str| {
            std::fs::write(work.join(file), text).expect("it can be written");
        };
        write(&config, &format!("keep: [{kept}]\n"));
        write("kept.mlir", &kernel(top, kept));
        write("inlined.mlir", &kernel(&format!("{top}_inlined"), kept));
        compile(&["kept.mlir", "--config", &config]);
        if top == "fir" {
            compile(&["inlined.mlir"]);
        }
    }
    let mut all = BTreeSet::new();
    let mut design = String::new();
    for file in &files {
        let verilog = read(work, file);
        for module in modules(&verilog) {
            assert!(all.insert(module.clone()), "{module} is there twice");
        }
        design += &verilog;
    }
    assert!(files.len() == 10 && all.len() >= 25, "{files:?}: {all:?}");
    if let Err(why) = sluice_rtl_out::check_syntax(&design) {
        panic!("{why}");
    }
    let pair = ["out/gemm.v", "out/fir.v"];
    if has_verilator() {
        let lint = Command::new("verilator")
            .args(["--lint-only", "-Wall", "-Wno-MULTITOP"])
            .args(pair)
            .current_dir(work)
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&lint.stderr).into_owned();
        assert!(lint.status.success(), "{said}");
    }
    let script = format!("read_verilog {}; hierarchy -check", pair.join(" "));
    match Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(work)
        .output()
    {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
        }
        Err(why) => println!("SKIPPED Yosys: {why}"),
    }
}

#[test]
fn a_prefix_is_chosen() {
    let kernel = kernel("k", "helper");
    let folder = folder(&[
        ("k.mlir", &kernel),
        ("k.yaml", "keep: [helper]\nprefix: mine\n"),
    ]);
    let names = |arguments: &[&str]| {
        let mut all = vec!["compile", "k.mlir", "-o", "out"];
        all.extend(arguments);
        let (code, _, error) = sluice(folder.path(), &all);
        assert_eq!(code, Some(0), "{error}");
        let names = modules(&read(folder.path(), "out/k.v"));
        let below = names.into_iter().filter(|name| name != "k");
        below.collect::<Vec<_>>()
    };
    let own = names(&[]);
    assert!(
        own.len() >= 2 && own.iter().all(|name| name.starts_with("mine__")),
        "{own:?}"
    );
    let given = names(&["--prefix", "yours"]);
    assert!(
        given.iter().all(|name| name.starts_with("yours__")),
        "{given:?}"
    );
    for wrong in ["9a", "a b", "module", ""] {
        let (code, _, error) = sluice(folder.path(), &["compile", "k.mlir", "--prefix", wrong]);
        assert_eq!(code, Some(1), "{wrong}");
        assert!(error.contains("--prefix is a name in Verilog"), "{error}");
    }
}

#[test]
fn names_that_are_others_in_verilog_are_said() {
    let kernel = "func.func @module(%start: i8, %wire: memref<4xi8>, %plain: i8) -> i8 {
  %zero = arith.constant 0 : index
  %x = memref.load %wire[%zero] : memref<4xi8>
  %y = arith.addi %x, %start : i8
  %z = arith.addi %y, %plain : i8
  return %z : i8
}
";
    let folder = folder(&[("k.mlir", kernel)]);
    let (code, _, error) = sluice(folder.path(), &["compile", "k.mlir", "-o", "out"]);
    assert_eq!(code, Some(0), "{error}");
    for expected in [
        "k.mlir:1:1: warning: `@module` is the module `module_1` in Verilog: `module` is reserved there, or in C++\n",
        "warning: `%start` is the port `start_` in Verilog: another port, or the module, has that name\n",
        "warning: `%wire` has ports that begin with `wire_` in Verilog: `wire` is reserved there, or in C++\n",
    ] {
        assert!(error.contains(expected), "{expected}{error}");
    }
    assert_eq!(error.matches("warning: ").count(), 3, "{error}");
}

#[test]
fn kernels_leave_the_reports_of_others() {
    let one = kernel("one", "f");
    let two = kernel("two", "f");
    let folder = folder(&[("one.mlir", &one), ("two.mlir", &two)]);
    let mut reports = Vec::new();
    for name in ["one", "two"] {
        let file = format!("{name}.mlir");
        let (code, said, error) = sluice(folder.path(), &["compile", &file]);
        assert_eq!(code, Some(0), "{error}");
        let wrote = format!(
            "\nwrote {name}.v, {name}.report.txt, {name}.report.json, {name}.scheduled.mlir, {name}.rtl.mlir to sluice-out\n"
        );
        assert!(said.ends_with(&wrote), "{said}");
        reports.push(read(
            folder.path(),
            &format!("sluice-out/{name}.report.txt"),
        ));
    }
    assert_eq!(reports[0], read(folder.path(), "sluice-out/one.report.txt"));
    let files = std::fs::read_dir(folder.path().join("sluice-out")).expect("a folder");
    assert_eq!(files.count(), 10);
}

/// The loads and stores of a page's table of memories, by their names.
fn accesses(page: &str) -> Vec<(String, u32, u32)> {
    let (_, table) = page
        .split_once("<h2>Memories</h2>")
        .expect("a table of memories");
    let (table, _) = table.split_once("</table>").expect("its end");
    let rows = table.lines().filter(|line| line.starts_with("<tr><td"));
    rows.map(|row| {
        let cells: Vec<&str> = row
            .split("</td>")
            .filter_map(|cell| cell.rsplit('>').next())
            .collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        (cells[0].to_owned(), number(5), number(6))
    })
    .collect()
}

#[test]
fn the_report_counts_accesses_of_arguments() {
    let kernel = "func.func private @put(%m: memref<8xi32>, %i: index, %x: i32) {
  memref.store %x, %m[%i] : memref<8xi32>
  return
}
func.func @k(%a: memref<8xi32>, %n: i32, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = affine.load %b[%i] : memref<8xi32>
    %s = arith.addi %x, %y : i32
    %t = arith.muli %s, %n : i32
    func.call @put(%b, %i, %t) : (memref<8xi32>, index, i32) -> ()
  }
  return
}
";
    let folder = folder(&[("k.mlir", kernel)]);
    for (config, b) in [
        ("{}", (1, 1)),
        ("keep: [put]", (1, 1)),
        (
            "banks: {a: {dim: 0, factor: 2, kind: cyclic}}\nloops: {i: {unroll: 2}}",
            (2, 2),
        ),
        ("style: elastic", (1, 1)),
    ] {
        std::fs::write(folder.path().join("c.yaml"), config).expect("it can be written");
        let arguments = [
            "report",
            "k.mlir",
            "--config",
            "c.yaml",
            "--html",
            "page.html",
        ];
        let (code, _, error) = sluice(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{config}: {error}");
        let found = accesses(&read(folder.path(), "page.html"));
        let (loads, stores) = b;
        let expected = [("a".to_owned(), loads, 0), ("b".to_owned(), loads, stores)];
        assert_eq!(found, expected, "{config}");
    }
}

#[test]
fn index_arguments_have_the_width_of_the_configuration() {
    let kernel = "func.func @k(%m: memref<16xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (i32) {
    %x = memref.load %m[%i] : memref<16xi32>
    %next = arith.addi %acc, %x : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
";
    let data = "random: {n: {min: 0, max: 16}}\ncases:\n  - inputs: {m: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], n: 16}\n    expect: {result: 136}\n";
    let folder = folder(&[("k.mlir", kernel), ("data.yaml", data)]);
    let run = |command: &[&str]| {
        let (code, said, error) = sluice(folder.path(), command);
        assert_eq!(code, Some(0), "{command:?}: {said}{error}");
        error
    };
    let error = run(&["compile", "k.mlir", "-o", "wide"]);
    assert!(
        error.contains(
            "k.mlir:1:34: warning: the port of `%n` has 64 bits, because it is an `index`"
        ),
        "{error}"
    );
    assert!(read(folder.path(), "wide/k.v").contains("wire [63:0] n"));
    for (style, bits) in [("static", 5), ("elastic", 5), ("static", 64)] {
        let config = format!("style: {style}\nindex_width_bits: {bits}\n");
        std::fs::write(folder.path().join("k.yaml"), config).expect("it can be written");
        let error = run(&["compile", "k.mlir", "-o", "out", "--verify"]);
        assert!(!error.contains("warning"), "{error}");
        let range = format!("wire [{}:0] n", bits - 1);
        assert!(read(folder.path(), "out/k.v").contains(&range), "{range}");
        run(&["sim", "k.mlir", "--random", "4"]);
    }
    for wrong in ["0", "65", "wide", "-1"] {
        std::fs::write(
            folder.path().join("k.yaml"),
            format!("index_width_bits: {wrong}\n"),
        )
        .expect("it can be written");
        let (code, _, error) = sluice(folder.path(), &["compile", "k.mlir"]);
        assert_eq!(code, Some(1), "{wrong}");
        let expected =
            "k.yaml:1:1: error: `index_width_bits` is a whole number of bits from 1 to 64";
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn verilog_is_lint_clean_without_pragmas_for_whole_files() {
    let folder = folder(&[("divide.mlir", &kernel("divide", "f"))]);
    let examples = [
        "gemm",
        "dot",
        "histogram",
        "irregular/bfs",
        "irregular/string_match",
    ];
    let paths = examples.map(example);
    let paths = paths.iter().map(String::as_str).chain(["divide.mlir"]);
    for path in paths {
        let (code, said, error) = sluice(folder.path(), &["compile", path, "-o", "out"]);
        assert_eq!(code, Some(0), "{path}: {error}");
        let (_, wrote) = said.split_once("wrote ").expect("it says what it wrote");
        let file = wrote.split(',').next().unwrap_or_default();
        let verilog = read(folder.path(), &format!("out/{file}"));
        let n_off = verilog.matches("lint_off").count();
        assert_eq!(n_off, verilog.matches("lint_on").count(), "{file}");
        for unit in verilog.split("\nmodule ").skip(1) {
            let header = unit.split(");").next().unwrap_or_default();
            // Dividers in turn count turns.
            let is_unit = ["__mul_", "__divu_"]
                .iter()
                .any(|kind| header.contains(kind));
            let has_reset = !is_unit || header.contains("_x");
            assert_eq!(header.contains(" reset"), has_reset, "{header}");
        }
        if has_verilator() {
            let lint = Command::new("verilator")
                .args(["--lint-only", "-Wall", file])
                .current_dir(folder.path().join("out"))
                .output()
                .expect("it starts");
            let said = String::from_utf8_lossy(&lint.stderr).into_owned();
            assert!(lint.status.success(), "{said}");
        }
    }
}

#[test]
fn a_long_interval_takes_a_counter() {
    let kernel = "func.func @k(%a: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
";
    let folder = folder(&[("k.mlir", kernel)]);
    for (ii, most_ff) in [(4, 110.0), (40, 130.0), (999, 130.0)] {
        let config = format!("loops: {{i: {{ii: {ii}}}}}\n");
        std::fs::write(folder.path().join("k.yaml"), config).expect("it can be written");
        let (code, _, error) = sluice(
            folder.path(),
            &["compile", "k.mlir", "-o", "out", "--verify"],
        );
        assert_eq!(code, Some(0), "{error}");
        let report = read(folder.path(), "out/k.report.json");
        let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
        let ff = report["estimate"]["ff"]["value"]
            .as_f64()
            .expect("an estimate");
        assert!(ff < most_ff, "II {ii}: {ff} flip-flops");
        let (code, said, error) = sluice(
            folder.path(),
            &["sim", "k.mlir", "--random", "2", "--stalls"],
        );
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains("cycles, as predicted"), "{said}");
        let waits = said
            .lines()
            .find(|line| line.contains("until the next iteration"));
        let waits: Option<f64> =
            waits.and_then(|line| line.split_whitespace().next()?.parse().ok());
        assert_eq!(waits, Some(f64::from(2 * 7 * (ii - 1))), "{said}");
    }
}
