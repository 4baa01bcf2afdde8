//! Round trip of every declared operation on generated modules: a module that the verifier accepts is printed and parsed to the
//! same module, in the custom and in the generic form.
//!
//! The modules come from two sources. `instances` generates them from the declarations: operands, results, attributes and regions
//! that satisfy the constraints. `changes` mutates the modules in `<dialect>/<name>.mlir`: more attributes, other names, other
//! types. Most results are rejected; the others make the round trip. The random numbers have a fixed seed; `SLUICE_SWEEP`
//! multiplies the number of instances.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Module, verifier};

mod changes;
mod instances;

/// A generator of numbers: xorshift.
pub(super) struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("a length has 64 bits");
        usize::try_from(self.next() % limit).expect("it is below a length")
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        (!all.is_empty()).then(|| &all[self.below(all.len())])
    }

    /// Returns true in `of` out of a hundred cases.
    fn percent(&mut self, of: usize) -> bool {
        self.below(100) < of
    }
}

/// Texts of types that constraints choose from.
pub(super) const TYPES: &[&str] = &[
    "i1",
    "i8",
    "i32",
    "i64",
    "i0",
    "si8",
    "ui4",
    "index",
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8E4M3FN",
    "none",
    "complex<f32>",
    "tuple<i1, f32>",
    "() -> ()",
    "(i32) -> i32",
    "vector<4xi32>",
    "vector<[4]xi32>",
    "vector<4xi1>",
    "vector<f32>",
    "vector<2x[4]xf32>",
    "vector<4xindex>",
    "tensor<4xi32>",
    "tensor<?xi32>",
    "tensor<4xi1>",
    "tensor<*xf32>",
    "tensor<4xf32, \"e\">",
    "tensor<4xf64, \"e\">",
    "memref<4xi32>",
    "memref<?xi32>",
    "memref<4xi8>",
    "memref<?xi8>",
    "memref<f32>",
    "memref<2x?xf32>",
    "memref<*xf32>",
    "memref<4xi32, strided<[2], offset: 1>>",
    "memref<?x4xf32, strided<[?, 1], offset: ?>>",
    "memref<4xf32, affine_map<(d0) -> (d0 * 2)>>",
    "memref<4xf32, 3>",
    "memref<4xf32, #s.pace<\"a b\">>",
    "memref<1xindex>",
    "memref<2xi1>",
    "!u.t",
    "!u<\"x y\">",
    "!hw.array<4xi8>",
    "!hw.struct<a: i1, b: i8>",
    "!hw.inout<i8>",
    "!hw.uarray<2xi4>",
    "!hw.union<a: i4, b: i8>",
    "!hw.enum<A, B>",
    "!seq.clock",
    "!seq.hlmem<4xi8>",
    "!seq.immutable<i8>",
    "!hw.struct<>",
    "!hw.int<#hw.param.decl.ref<\"N\">>",
];

/// Texts of attributes that constraints choose from.
pub(super) const ATTRIBUTES: &[&str] = &[
    "unit",
    "true",
    "false",
    "0 : i64",
    "1 : i64",
    "4 : i64",
    "-1 : i64",
    "1 : i32",
    "3 : i32",
    "0 : index",
    "2 : index",
    "1 : i8",
    "0 : i1",
    "1.0 : f32",
    "0x7F800000 : f32",
    "1.0 : f64",
    "\"a\"",
    "\"\"",
    "\"a b\"",
    "\"%\"",
    "\"a\\22b\"",
    "\"s\" : i32",
    "@a",
    "@\"a b\"",
    "@a::@b",
    "[]",
    "[1, 2]",
    "[0 : i32]",
    "[\"a\", \"\"]",
    "[[0, 1], [2]]",
    "[[0]]",
    "[@a]",
    "[{}]",
    "[{a = 1}]",
    "[i32, f32]",
    "[unit]",
    "array<i32>",
    "array<i32: 1, 2>",
    "array<i64: 0>",
    "array<i64: 1, 2>",
    "array<i1: true>",
    "array<i64>",
    "array<i8: 1>",
    "dense<1> : tensor<2xi32>",
    "dense<[1, 2]> : tensor<2xi64>",
    "dense<0> : vector<4xi32>",
    "dense<true> : vector<[4]xi1>",
    "dense<> : tensor<0xi32>",
    "dense<1.0> : tensor<1xf32>",
    "sparse<[0], 1> : tensor<4xi32>",
    "affine_map<() -> (0)>",
    "affine_map<(d0) -> (d0)>",
    "affine_map<(d0)[s0] -> (d0 + s0 floordiv 2)>",
    "affine_map<(d0, d1) -> (d0 + 1, d1 * 2)>",
    "affine_map<() -> ()>",
    "affine_set<(d0) : (d0 >= 0)>",
    "affine_set<() : (0 == 0)>",
    "i32",
    "memref<4xi32>",
    "() -> ()",
    "(i32) -> f32",
    "none",
    "{}",
    "{a = 1, \"b c\" = unit}",
    "loc(\"f\":1:2)",
    "loc(unknown)",
    "distinct[0]<@a>",
    "#u.a<b>",
    "strided<[1]>",
    "#arith.overflow<nsw, nuw>",
    "#arith.fastmath<fast>",
    "#arith.fastmath<none>",
    "#hw.param.decl<\"a\": i32>",
    "#hw.output_file<\"f\">",
    "#hw.innerNameRef<@a::@b>",
    "[#hw.param.decl<\"p\": i8 = 1>]",
];

/// Names that need quotes, or are not valid names.
pub(super) const NAMES: &[&str] = &[
    "",
    "%",
    "a b",
    "0",
    "a\\22b",
    "\\C3\\A9",
    "loc",
    "a.b",
    "in",
    "\\0A",
    "attributes",
    "1a",
    "a-b",
    "true",
    "\\\\",
    "i32",
    "->",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Returns the modules of the tests of all dialects, in the generic form.
fn modules() -> Vec<String> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the folder of the tests is there");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("a readable folder").path())
            .collect();
        paths.sort();
        paths
    };
    let dialects = entries(&folder()).into_iter().filter(|path| path.is_dir());
    let files = dialects.flat_map(|dialect| entries(&dialect));
    let mut all = Vec::new();
    for file in files.filter(|file| {
        file.extension()
            .is_some_and(|extension| extension == "mlir")
    }) {
        if file.with_extension("irdl").exists()
            || file
                .parent()
                .is_some_and(|parent| parent.ends_with("definitions"))
        {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for part in text.split("// -----\n") {
            let context = context();
            if let Some(module) = accepted(&context, part) {
                all.push(print(&context, &module, true));
            }
        }
    }
    all
}

/// Random operations with formats that the macro accepts.
mod random {
    #![allow(dead_code)]

    use sluice_dialects::constraints::*;

    sluice_ods::random_dialect!("random", 7, 160);
}

fn context() -> Context {
    let mut context = sluice_dialects::context_with(&[&random::DIALECT]);
    context.allow_unregistered = true;
    context
}

/// Parses and verifies a module; none if it has an error.
fn accepted(context: &Context, text: &str) -> Option<Module> {
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, text, "input.mlir", &mut diagnostics)?;
    verifier::verify(context, &module, &mut diagnostics);
    (!diagnostics.has_errors()).then_some(module)
}

fn print(context: &Context, module: &Module, generic: bool) -> String {
    print_module(
        context,
        module,
        &PrintOptions {
            generic,
            ..PrintOptions::default()
        },
    )
}

/// Returns the text without the locations of module ports.
fn without_locations(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines().filter(|line| !line.starts_with("#loc")) {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("result_locs = [") {
            result.push_str(before);
            rest = after.split_once(']').map_or("", |(_, after)| after);
        }
        result.push_str(rest);
        result.push('\n');
    }
    result
}

/// Prints `module`, parses the text and compares.
fn is_unchanged_by_round_trip(context: &Context, module: &Module) -> Result<(), String> {
    let forms = [false, true].map(|generic| print(context, module, generic));
    for (form, text) in ["custom", "generic"].into_iter().zip(&forms) {
        let mut diagnostics = Diagnostics::new();
        let back = parse_module(context, text, "printed.mlir", &mut diagnostics);
        if let Some(back) = &back {
            verifier::verify(context, back, &mut diagnostics);
        }
        let Some(back) = back.filter(|_| !diagnostics.has_errors()) else {
            return Err(format!(
                "the {form} form is refused:\n{text}\n{}",
                diagnostics.to_text(context)
            ));
        };
        let again = [false, true].map(|generic| print(context, &back, generic));
        for (found, wanted) in again.iter().zip(&forms) {
            let (found, wanted) = (without_locations(found), without_locations(wanted));
            if found != wanted {
                let mut lines = found.lines().zip(wanted.lines());
                let (found, wanted) = lines
                    .find(|(found, wanted)| found != wanted)
                    .unwrap_or(("nothing", "more lines"));
                return Err(format!(
                    "the {form} form is read as another module:\n{found}\ninstead of\n{wanted}\nfrom\n{text}"
                ));
            }
        }
    }
    Ok(())
}

/// Number of accepted instances of each operation, and the failures of the round trip.
#[derive(Default)]
struct Outcome {
    accepted: BTreeMap<String, usize>,
    problems: BTreeMap<String, String>,
}

impl Outcome {
    /// Tests one text; keeps one failure of each kind.
    fn try_text(&mut self, operation: &str, text: &str) {
        let context = context();
        let Some(module) = accepted(&context, text) else {
            return;
        };
        *self.accepted.entry(operation.to_owned()).or_default() += 1;
        if let Err(problem) = is_unchanged_by_round_trip(&context, &module) {
            let says = |line: &&str| line.contains("error: ") || line.contains("\"(");
            let line = problem.lines().find(says).unwrap_or_default().trim();
            let (_, line) = line.split_once(" = ").unwrap_or(("", line));
            let line = line.split_once("error: ").map_or(line, |(_, line)| line);
            let line = line.split_once('(').map_or(line, |(line, _)| line);
            let key = format!("{operation}: {line}");
            self.problems
                .entry(key)
                .or_insert_with(|| format!("{problem}\nof\n{text}"));
        }
    }

    fn finish(&self) {
        let all: Vec<String> = self
            .problems
            .iter()
            .map(|(key, problem)| format!("{key}\n{problem}"))
            .collect();
        assert!(
            all.is_empty(),
            "{}\n{} problems\nrepeat: cargo test -p sluice-dialects --test suite generated",
            all.join("\n\n"),
            all.len()
        );
    }
}

/// Factor of the number of random operations: `testbenches/sweep` sets it.
fn factor() -> usize {
    std::env::var("SLUICE_SWEEP")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1)
}

#[test]
fn declared_operations_survive_a_round_trip() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut outcome = Outcome::default();
    let pool = context();
    let pool = instances::Pool::new(&pool);
    let definitions = sluice_dialects::all()
        .iter()
        .flat_map(|dialect| dialect.operations.iter().flat_map(|group| group.iter()));
    let mut n_definitions = 0;
    for definition in definitions {
        n_definitions += 1;
        for _ in 0..40 * factor() {
            let text = instances::instance(&mut numbers, &pool, definition);
            outcome.try_text(definition.name, &text);
        }
    }
    outcome.finish();
    let made = outcome.accepted.len();
    assert!(
        2 * made > n_definitions,
        "only {made} of {n_definitions} operations were made"
    );
}

/// Every accepted declaration prints what it parses, whatever its format.
#[test]
fn random_declarations_survive_a_round_trip() {
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let mut outcome = Outcome::default();
    let pool = context();
    let pool = instances::Pool::new(&pool);
    for definition in random::OPERATIONS {
        let page = sluice_ir::documentation::operation_page(definition);
        let format = page.lines().find(|line| line.starts_with("| text"));
        let name = format!("{} {}", definition.name, format.unwrap_or_default());
        for _ in 0..30 * factor() {
            let text = instances::instance(&mut numbers, &pool, definition);
            outcome.try_text(&name, &text);
        }
    }
    outcome.finish();
    let made = outcome.accepted.len();
    assert!(
        10 * made > 9 * random::OPERATIONS.len(),
        "only {made} of {} operations were made",
        random::OPERATIONS.len()
    );
}

#[test]
fn changed_modules_survive_a_round_trip() {
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    let mut outcome = Outcome::default();
    let modules = modules();
    assert!(
        modules.len() > 100,
        "only {} modules are read",
        modules.len()
    );
    for module in &modules {
        outcome.try_text("as given", module);
        for text in changes::more_attributes(&mut numbers, module) {
            outcome.try_text("more attributes", &text);
        }
        for _ in 0..6 * factor() {
            let text = changes::other_name(&mut numbers, module);
            outcome.try_text("another name", &text);
            let text = changes::other_type(&mut numbers, module);
            outcome.try_text("another type", &text);
        }
    }
    outcome.finish();
    for (change, at_least) in [
        ("more attributes", 100),
        ("another name", 100),
        ("another type", 100),
    ] {
        let n = outcome.accepted.get(change).copied().unwrap_or_default();
        assert!(n >= at_least, "{change}: only {n} modules were accepted");
    }
}
