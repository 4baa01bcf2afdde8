//! Passes on random functions of loads, stores, atomic accesses, copies, views, selected memories, conditionals and loops:
//! results and memories are the same before and after.

use std::fmt::Write as _;

use sluice_config::Config;
use sluice_flow::pipeline::optimise;
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Module};
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter::{Argument, Interpreter, Outcome};
use sluice_testbenches::passes::parsed;
use sluice_verify::data::Random;

/// Number of random functions.
const N_FUNCTIONS: u64 = 300;

/// Runs of each function, with different arguments.
const N_RUNS: u64 = 3;

/// Passes that use memory effects, alone and in the order of a compilation.
const SEQUENCES: &[&[&str]] = &[
    &["licm"],
    &["forward"],
    &["merge-branches"],
    &["promote"],
    &["first-values"],
    &["canonicalise"],
    &["mem2reg"],
    &["if-convert"],
    &["normalise"],
    &["canonicalize"],
    &["cse"],
    &["loop-invariant-code-motion"],
    &[
        "loop-invariant-code-motion",
        "cse",
        "canonicalize",
        "forward",
        "licm",
    ],
    &[
        "normalise",
        "mem2reg",
        "uplift-while-to-for",
        "canonicalise",
        "licm",
        "merge-branches",
        "forward",
        "promote",
        "if-convert",
        "licm",
        "forward",
        "canonicalise",
        "first-values",
    ],
];

/// A random function under construction.
struct Writing<'r> {
    random: &'r mut Random,
    text: String,
    /// Names of visible memories of four words.
    memories: Vec<String>,
    /// Names of visible words.
    words: Vec<String>,
    /// Names of indices from 0 to 3.
    indices: Vec<String>,
    n_names: usize,
    left: usize,
    /// Whether all memories have one dimension, as some passes require.
    is_flat: bool,
}

impl Writing<'_> {
    fn up_to(&mut self, most: usize) -> usize {
        let most = u64::try_from(most).expect("a small number");
        usize::try_from(self.random.up_to(most)).expect("a small number")
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn line(&mut self, words: &str) {
        writeln!(self.text, "{words}").expect("strings grow");
    }

    fn memory(&mut self) -> String {
        let at = self.up_to(self.memories.len() - 1);
        self.memories[at].clone()
    }

    fn word(&mut self) -> String {
        let at = self.up_to(self.words.len() - 1);
        self.words[at].clone()
    }

    fn index(&mut self) -> String {
        let at = self.up_to(self.indices.len() - 1);
        self.indices[at].clone()
    }

    /// Creates a view of a memory that shows its four words; returns the view, the subscripts of a word, and its type.
    fn view(&mut self) -> (String, String, String) {
        let (memory, view, index) = (self.memory(), self.name(), self.index());
        match self.up_to(5) {
            0 => {
                self.line(&format!(
                    "{view} = memref.cast {memory} : memref<4xi32> to memref<?xi32>"
                ));
                (view, index, "memref<?xi32>".to_owned())
            }
            1 => {
                let ty = "memref<4xi32, strided<[1]>>";
                self.line(&format!(
                    "{view} = memref.subview {memory}[0] [4] [1] : memref<4xi32> to {ty}"
                ));
                (view, index, ty.to_owned())
            }
            2 if !self.is_flat => {
                self.line(&format!(
                    "{view} = memref.expand_shape {memory} [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>"
                ));
                let at = ["%c0", "%c1"];
                let (row, column) = (at[self.up_to(1)], at[self.up_to(1)]);
                (
                    view,
                    format!("{row}, {column}"),
                    "memref<2x2xi32>".to_owned(),
                )
            }
            _ => (memory, index, "memref<4xi32>".to_owned()),
        }
    }

    fn block(&mut self, depth: usize) {
        let scopes = (self.memories.len(), self.words.len(), self.indices.len());
        let n = 2 + self.up_to(4);
        for _ in 0..n {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.operation(depth);
        }
        self.memories.truncate(scopes.0);
        self.words.truncate(scopes.1);
        self.indices.truncate(scopes.2);
    }

    fn operation(&mut self, depth: usize) {
        match self.up_to(if depth < 3 { 15 } else { 11 }) {
            0..=2 => {
                let (memory, index, ty) = self.view();
                let name = self.name();
                self.line(&format!("{name} = memref.load {memory}[{index}] : {ty}"));
                self.words.push(name);
            }
            3..=5 => {
                let (memory, index, ty) = self.view();
                let word = self.word();
                self.line(&format!("memref.store {word}, {memory}[{index}] : {ty}"));
            }
            6 => {
                let (memory, index, word, name) =
                    (self.memory(), self.index(), self.word(), self.name());
                let kind = ["addi", "maxs", "assign", "ori"][self.up_to(3)];
                self.line(&format!(
                    "{name} = memref.atomic_rmw {kind} {word}, {memory}[{index}] : (i32, memref<4xi32>) -> i32"
                ));
                self.words.push(name);
            }
            7 => {
                let (memory, index, word, name) =
                    (self.memory(), self.index(), self.word(), self.name());
                let (old, new) = (self.name(), self.name());
                self.line(&format!(
                    "{name} = memref.generic_atomic_rmw {memory}[{index}] : memref<4xi32> {{\n^bb0({old}: i32):\n{new} = arith.subi {old}, {word} : i32\nmemref.atomic_yield {new} : i32\n}}"
                ));
                self.words.push(name);
            }
            8 => {
                let (from, to) = (self.memory(), self.memory());
                self.line(&format!(
                    "memref.copy {from}, {to} : memref<4xi32> to memref<4xi32>"
                ));
            }
            9 => {
                let (a, b, name) = (self.word(), self.word(), self.name());
                let kind = ["addi", "xori", "muli", "maxsi"][self.up_to(3)];
                self.line(&format!("{name} = arith.{kind} {a}, {b} : i32"));
                self.words.push(name);
            }
            10 => {
                let (a, b, name) = (self.memory(), self.memory(), self.name());
                self.line(&format!(
                    "{name} = arith.select %p, {a}, {b} : memref<4xi32>"
                ));
                self.memories.push(name);
            }
            11 => {
                let (memory, word) = (self.memory(), self.word());
                self.line(&format!(
                    "func.call @touch({memory}, {word}) : (memref<4xi32>, i32) -> ()"
                ));
            }
            12 | 13 => {
                let (condition, word) = (self.name(), self.word());
                self.line(&format!("{condition} = arith.cmpi slt, {word}, %x : i32"));
                self.line(&format!("scf.if {condition} {{"));
                self.block(depth + 1);
                self.line("} else {");
                self.block(depth + 1);
                self.line("}");
            }
            _ => {
                let (counter, sum, result, first, next) = (
                    self.name(),
                    self.name(),
                    self.name(),
                    self.word(),
                    self.name(),
                );
                let upper = ["%c0", "%c1", "%c2", "%c4", "%n_rounds"][self.up_to(4)];
                self.line(&format!(
                    "{result} = scf.for {counter} = %c0 to {upper} step %c1 iter_args({sum} = {first}) -> (i32) {{"
                ));
                let scope = (self.words.len(), self.indices.len());
                self.words.push(sum.clone());
                self.indices.push(counter);
                self.block(depth + 1);
                let (memory, index, read) = (self.memory(), self.index(), self.name());
                self.line(&format!(
                    "{read} = memref.load {memory}[{index}] : memref<4xi32>"
                ));
                self.line(&format!("{next} = arith.addi {sum}, {read} : i32"));
                self.line(&format!("scf.yield {next} : i32\n}}"));
                self.words.truncate(scope.0);
                self.indices.truncate(scope.1);
                self.words.push(result);
            }
        }
    }
}

fn function(seed: u64) -> String {
    let mut random = Random::new(seed);
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut writing = Writing {
        random: &mut random,
        text: String::new(),
        memories: owned(&["%m", "%m", "%n", "%local"]),
        words: owned(&["%x", "%y"]),
        indices: owned(&["%c0", "%c0", "%c1", "%at"]),
        n_names: 0,
        left: 24,
        is_flat: seed.is_multiple_of(2),
    };
    while writing.left > 0 {
        writing.left -= 1;
        writing.operation(0);
    }
    let result = writing.words.last().cloned().unwrap_or_default();
    format!(
        "func.func private @touch(%m: memref<4xi32>, %x: i32) {{
  %c1 = arith.constant 1 : index
  memref.store %x, %m[%c1] : memref<4xi32>
  return
}}
func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %x: i32, %y: i32, %p: i1, %at: index, %n_rounds: index) -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %local = memref.alloca() : memref<4xi32>
  scf.for %k = %c0 to %c4 step %c1 {{ memref.store %y, %local[%k] : memref<4xi32> }}
{}  return {result} : i32
}}
",
        writing.text
    )
}

fn arguments(random: &mut Random) -> Vec<Argument> {
    let mut words = || Argument::Memory((0..4).map(|_| random.word(32, None)).collect());
    let memories = [words(), words()];
    let mut all: Vec<Argument> = memories.into_iter().collect();
    all.push(Argument::Scalar(random.word(32, None)));
    all.push(Argument::Scalar(random.word(32, None)));
    all.push(Argument::Scalar(random.word(1, None)));
    for most in [3, 3] {
        all.push(Argument::Scalar(Bits::from_u64(64, random.up_to(most))));
    }
    all
}

fn outcome(context: &Context, module: &Module, arguments: &[Argument]) -> Result<Outcome, String> {
    let mut interpreter = Interpreter::new(context, module);
    interpreter
        .run("f", arguments)
        .map_err(|why| why.to_string())
}

#[test]
fn random_functions_mean_the_same_after_every_pass() {
    let context = sluice_dialects::context();
    let mut n_changed = 0;
    for seed in 0..N_FUNCTIONS {
        let text = function(seed);
        let before = parsed(&context, &text);
        for passes in SEQUENCES {
            let names: Vec<String> = passes.iter().map(|pass| (*pass).to_owned()).collect();
            let config = Config::default();
            let run = optimise(
                &text,
                "f.mlir",
                &names,
                &config,
                false,
                false,
                &mut |_, _| {},
            );
            let after = match run {
                Ok(after) => after,
                // A view has two dimensions, which some passes do not support.
                Err(Failure::Input(why)) if why.contains("expects what `flatten-memrefs`") => {
                    assert!(!seed.is_multiple_of(2), "seed {seed}, {passes:?}: {why}");
                    continue;
                }
                Err(Failure::Input(why) | Failure::Internal(why)) => {
                    panic!("seed {seed}, {passes:?}: {why}\n{text}")
                }
            };
            n_changed += u64::from(after.lines().count() != text.lines().count());
            let changed = parsed(&context, &after);
            let mut random = Random::new(seed);
            for run in 0..N_RUNS {
                let arguments = arguments(&mut random);
                let was = outcome(&context, &before, &arguments);
                let is = outcome(&context, &changed, &arguments);
                assert!(was.is_ok(), "seed {seed}: {was:?}\n{text}");
                assert_eq!(
                    was, is,
                    "seed {seed}, run {run}, {passes:?}:\n{text}\n{after}"
                );
            }
        }
    }
    assert!(
        n_changed > N_FUNCTIONS,
        "{n_changed} of the functions were changed"
    );
}
