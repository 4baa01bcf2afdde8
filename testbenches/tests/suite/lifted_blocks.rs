//! `lift-cf-to-scf` on random control flow graphs: results and memories are the same before and after, and mlir-opt accepts the
//! text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use sluice_ir::bits::Bits;
use sluice_ir::{Diagnostics, verifier};
use sluice_sim::interpreter::{Argument, Interpreter, Outcome};
use sluice_testbenches::oracle;
use sluice_testbenches::passes::{after_passes, parsed};
use sluice_verify::data::Random;

/// Number of random graphs.
const N_GRAPHS: u64 = 400;
/// Runs of each graph, with different arguments.
const N_RUNS: u64 = 6;
/// Words of the memory.
const N_WORDS: usize = 8;
/// The most backward edges that are taken in a run; when this fuel is used up, the function returns.
const MAX_FUEL: u64 = 24;

/// A function of random blocks: with integers passed as block arguments or read from dominating blocks, and a memory that records
/// the order in which blocks run.
struct Graph {
    /// The successors of each block; a block without any returns.
    successors: Vec<Vec<usize>>,
    /// The types of the arguments of each block, besides the fuel.
    arguments: Vec<Vec<&'static str>>,
    /// The dominators of each block.
    dominators: Vec<BTreeSet<usize>>,
}

const TYPES: [&str; 3] = ["i1", "i8", "i32"];

impl Graph {
    fn random(random: &mut Random) -> Self {
        let n_blocks = 2 + usize::try_from(random.up_to(10)).expect("a small number");
        let mut pick = |most: usize| {
            let most = u64::try_from(most).expect("a small number");
            usize::try_from(random.up_to(most)).expect("a small number")
        };
        let mut successors = Vec::new();
        let mut arguments = Vec::new();
        for block in 0..n_blocks {
            // The entry block cannot be a successor.
            let n_ways = match pick(9) {
                0 if block > 0 => 0,
                0..=2 => 1,
                3..=7 => 2,
                _ => 3 + pick(2),
            };
            let near = |target: usize| target.clamp(1, n_blocks - 1);
            let ways = (0..n_ways).map(|_| match pick(2) {
                0 => near(block + 1),
                1 => near((block + 1 + pick(3)).saturating_sub(pick(2))),
                _ => 1 + pick(n_blocks - 2),
            });
            successors.push(ways.collect());
            arguments.push((0..pick(2)).map(|_| TYPES[pick(2)]).collect());
        }
        // The last block returns.
        successors[n_blocks - 1] = Vec::new();
        arguments[0] = vec!["i32", "i8", "i1"];
        let dominators = dominators(&successors);
        Self {
            successors,
            arguments,
            dominators,
        }
    }

    fn text(&self, random: &mut Random) -> String {
        let mut text = format!(
            "func.func @f(%m: memref<{N_WORDS}xi32>, %fuel0: i32, %a0_0: i32, %a0_1: i8, %a0_2: i1) -> (i32, i8) {{\n"
        );
        for block in 0..self.successors.len() {
            self.block(block, random, &mut text);
        }
        text += "}\n";
        text
    }

    fn block(&self, block: usize, random: &mut Random, text: &mut String) {
        let mut pick = |most: usize| {
            let most = u64::try_from(most).expect("a small number");
            usize::try_from(random.up_to(most)).expect("a small number")
        };
        let mut line = |words: String| {
            text.push_str(&words);
            text.push('\n');
        };
        if block > 0 {
            let others = self.arguments[block].iter().enumerate();
            let others: String = others
                .map(|(i, ty)| format!(", %a{block}_{i}: {ty}"))
                .collect();
            line(format!("^b{block}(%fuel{block}: i32{others}):"));
        }
        // Values that may be read here: those of this block so far, and those of its dominators.
        let mut names: Vec<(String, &str)> = Vec::new();
        for above in &self.dominators[block] {
            let arguments = self.arguments[*above].iter().enumerate();
            names.extend(arguments.map(|(i, ty)| (format!("%a{above}_{i}"), *ty)));
            if *above != block {
                names.extend(MADE.iter().map(|(n, ty)| (format!("%{n}{above}"), *ty)));
            }
        }
        let mut one = |ty: &str, names: &[(String, &'static str)]| {
            let fitting: Vec<&String> = names.iter().filter(|n| n.1 == ty).map(|n| &n.0).collect();
            match fitting.len() {
                0 => format!("%k{block}_{ty}"),
                n => fitting[pick(n - 1)].clone(),
            }
        };
        let names: Vec<(String, &'static str)> = names
            .into_iter()
            .map(|(name, ty)| (name, *TYPES.iter().find(|t| **t == ty).expect("a type")))
            .collect();
        for ty in TYPES {
            let value = if ty == "i1" { 1 } else { 3 + block };
            line(
                format!(
                    "%k{block}_{ty} = arith.constant {value} : {ty}",
                    value = if ty == "i1" {
                        "true".to_owned()
                    } else {
                        value.to_string()
                    }
                )
                .replace("true : i1", "true"),
            );
        }
        // The trace: memory[number mod 8] = memory[number mod 8] * 31 + number + a value.
        let (x, y) = (one("i32", &names), one("i32", &names));
        let (s, t) = (one("i8", &names), one("i8", &names));
        let bit = one("i1", &names);
        line(format!(
            "%at{block} = arith.constant {} : index",
            block % N_WORDS
        ));
        line(format!("%p{block} = arith.addi {x}, {y} : i32"));
        line(format!("%q{block} = arith.subi {s}, {t} : i8"));
        line(format!(
            "%r{block} = arith.select {bit}, %q{block}, %k{block}_i8 : i8"
        ));
        line(format!(
            "%w{block} = memref.load %m[%at{block}] : memref<{N_WORDS}xi32>"
        ));
        line(format!("%f{block} = arith.constant 31 : i32"));
        line(format!("%v{block} = arith.muli %w{block}, %f{block} : i32"));
        line(format!("%u{block} = arith.addi %v{block}, %p{block} : i32"));
        line(format!(
            "memref.store %u{block}, %m[%at{block}] : memref<{N_WORDS}xi32>"
        ));
        line(format!(
            "%c{block} = arith.cmpi slt, %u{block}, %w{block} : i32"
        ));
        let mut known = names.clone();
        known.extend(MADE.iter().map(|(n, ty)| (format!("%{n}{block}"), *ty)));
        let ways = &self.successors[block];
        let mut to = |target: usize| {
            let mut values = format!("%less{block}");
            let mut types = "i32".to_owned();
            for ty in &self.arguments[target] {
                write!(values, ", {}", one(ty, &known)).expect("strings grow");
                write!(types, ", {ty}").expect("strings grow");
            }
            format!("^b{target}({values} : {types})")
        };
        line(format!("%one{block} = arith.constant 1 : i32"));
        line(format!("%zero{block} = arith.constant 0 : i32"));
        let goes_back = ways.iter().any(|target| *target <= block);
        if !goes_back {
            line(format!(
                "%less{block} = arith.addi %fuel{block}, %zero{block} : i32"
            ));
        } else {
            line(format!(
                "%less{block} = arith.subi %fuel{block}, %one{block} : i32"
            ));
            line(format!(
                "%more{block} = arith.cmpi sgt, %fuel{block}, %zero{block} : i32"
            ));
            line(format!("cf.cond_br %more{block}, ^go{block}, ^stop{block}"));
            line(format!("^stop{block}:"));
            line(format!("return %u{block}, %r{block} : i32, i8"));
            line(format!("^go{block}:"));
        }
        match ways.as_slice() {
            [] => line(format!("return %u{block}, %r{block} : i32, i8")),
            [way] => line(format!("cf.br {}", to(*way))),
            [a, b] => {
                let (a, b) = (to(*a), to(*b));
                line(format!("cf.cond_br %c{block}, {a}, {b}"));
            }
            [default, cases @ ..] => {
                let mut all = format!("default: {}", to(*default));
                for (i, case) in cases.iter().enumerate() {
                    write!(all, ",\n{}: {}", i * 3 + 1, to(*case)).expect("strings grow");
                }
                line(format!(
                    "%flag{block} = arith.andi %u{block}, %k{block}_i32 : i32"
                ));
                line(format!("cf.switch %flag{block} : i32, [\n{all}\n]"));
            }
        }
    }
}

/// Values that every block defines, besides constants.
const MADE: [(&str, &str); 5] = [
    ("p", "i32"),
    ("u", "i32"),
    ("q", "i8"),
    ("r", "i8"),
    ("c", "i1"),
];

/// Returns the dominators of each block, itself included; for an unreachable block only itself.
fn dominators(successors: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    let n_blocks = successors.len();
    let reached = |without: Option<usize>| {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![0];
        while let Some(block) = waiting.pop() {
            if Some(block) != without && seen.insert(block) {
                waiting.extend(&successors[block]);
            }
        }
        seen
    };
    let all = reached(None);
    let without: Vec<BTreeSet<usize>> = (0..n_blocks).map(|block| reached(Some(block))).collect();
    (0..n_blocks)
        .map(|block| {
            let is_above = |above: &usize| {
                *above == block
                    || (all.contains(&block)
                        && all.contains(above)
                        && !without[*above].contains(&block))
            };
            (0..n_blocks).filter(is_above).collect()
        })
        .collect()
}

fn arguments(random: &mut Random) -> Vec<Argument> {
    let memory = (0..N_WORDS).map(|_| random.word(32, None)).collect();
    vec![
        Argument::Memory(memory),
        Argument::Scalar(Bits::from_u64(32, random.up_to(MAX_FUEL))),
        Argument::Scalar(random.word(32, None)),
        Argument::Scalar(random.word(8, None)),
        Argument::Scalar(random.word(1, None)),
    ]
}

fn outcome(text: &str, arguments: &[Argument]) -> Outcome {
    let context = sluice_dialects::context();
    let module = parsed(&context, text);
    let mut found = Diagnostics::new();
    verifier::verify(&context, &module, &mut found);
    assert!(!found.has_errors(), "{}\n{text}", found.to_text(&context));
    let mut interpreter = Interpreter::new(&context, &module);
    interpreter.step_limit = 1_000_000;
    interpreter
        .run("f", arguments)
        .unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn graph(seed: u64) -> String {
    let mut random = Random::new(seed);
    Graph::random(&mut random).text(&mut random)
}

#[test]
fn structured_functions_do_what_their_blocks_did() {
    for seed in 0..N_GRAPHS {
        let text = graph(seed);
        let lifted = after_passes(&text, &["lift-cf-to-scf"]);
        assert!(!lifted.contains(" cf."), "graph {seed}:\n{text}\n{lifted}");
        let mut random = Random::new(seed);
        for run in 0..N_RUNS {
            let arguments = arguments(&mut random);
            let (before, after) = (outcome(&text, &arguments), outcome(&lifted, &arguments));
            assert_eq!(before, after, "graph {seed}, run {run}:\n{text}\n{lifted}");
        }
    }
}

#[test]
fn structured_functions_are_accepted_by_mlir_opt() {
    let Some(command) = oracle::mlir_opt() else {
        assert!(
            !oracle::required(),
            "`mlir-opt-19` is missing: install `mlir-19-tools`"
        );
        println!("SKIPPED: `mlir-opt-19` is not installed");
        return;
    };
    let mut all = String::new();
    for seed in 0..N_GRAPHS / 4 {
        all += &after_passes(&graph(seed), &["lift-cf-to-scf"]);
        all += "// -----\n";
    }
    let mut child = Command::new(command)
        .args([
            "--allow-unregistered-dialect",
            "--split-input-file",
            "-o",
            "/dev/null",
        ])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt starts");
    let mut input = child.stdin.take().expect("it is piped");
    // It may stop reading early, so a write error is ignored.
    let _ = input.write_all(all.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("mlir-opt ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// Returns whether a reachable loop has several entries: without the edges to dominators, a cycle remains.
fn is_irreducible(graph: &Graph) -> bool {
    let n_blocks = graph.successors.len();
    let forward = |block: usize| {
        let above = &graph.dominators[block];
        let ways = graph.successors[block].iter().copied();
        ways.filter(move |target| !above.contains(target))
    };
    let mut left: BTreeSet<usize> = (0..n_blocks)
        .filter(|block| *block == 0 || graph.dominators[*block].contains(&0))
        .collect();
    // A block whose successors have all been removed is on no cycle.
    while let Some(block) = left
        .iter()
        .copied()
        .find(|block| forward(*block).all(|target| !left.contains(&target)))
    {
        left.remove(&block);
    }
    !left.is_empty()
}

#[test]
fn many_graphs_have_loops_with_several_entries() {
    let graphs = (0..N_GRAPHS).map(|seed| Graph::random(&mut Random::new(seed)));
    let n_irreducible = graphs.filter(is_irreducible).count();
    assert!(n_irreducible >= 40, "{n_irreducible} of {N_GRAPHS}");
}
