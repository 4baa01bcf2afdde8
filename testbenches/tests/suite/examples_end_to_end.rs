//! Every example end to end: compiled, simulated, run under Verilator; predicted cycles; an II of 1 where it is required;
//! identical output on every run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_report::stalls::{Share, Stalls};
use sluice_rtl_out::harness;
use sluice_sim::cycle::{CycleSimulator, Observe};
use sluice_sim::interpreter::{Argument, Outcome};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::check::{
    against_answers, difference, interpret, predicted_cycles, simulate, watch,
};
use sluice_verify::data::{Case, DataFile, Random, random_case};

use crate::elastic_graphs;

const N_RANDOM: usize = 20;

/// The most lines of Verilog that are parsed completely in the default test run; the variable `PARSED_LINES` sets another number.
const MAX_PARSED_LINES: usize = 250;

/// Examples whose innermost loops have an II of 1.
const FULL_RATE: &[&str] = &[
    "vector_add",
    "dot",
    "fir",
    "gemm",
    "conv3x3",
    "matvec_i13",
    "matvec_i27",
    "matvec_i96",
    "prefix_sum",
];

/// PolyBench and peer kernels that are run under Verilator here; `testbenches/bench/polybench.py --cosim` runs all.
const VERILATED: &[&str] = &["bicg", "cholesky", "nussinov", "symm"];

/// Returns the folders with a kernel inside of a folder, by name.
fn kernels(folder: &str) -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .join(folder);
    let mut found: Vec<_> = fs::read_dir(root)
        .expect("the examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("kernel.mlir").exists())
        .map(|path| {
            (
                path.file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned(),
                path,
            )
        })
        .collect();
    found.sort();
    found
}

pub(crate) fn examples() -> Vec<(String, PathBuf)> {
    let found = kernels("examples");
    assert!(found.len() >= 13, "the examples are there");
    found
}

/// Returns the kernels of benchmarks.
fn all_benchmarks() -> Vec<(String, PathBuf)> {
    let mut found = kernels("examples/polybench");
    assert_eq!(found.len(), 30, "all of PolyBench is there");
    found.extend(kernels("examples/peers"));
    found
}

/// Returns every third kernel of the benchmarks in the gate, all in a sweep.
pub(crate) fn benchmarks() -> Vec<(String, PathBuf)> {
    sweep::every_nth(3, all_benchmarks())
}

fn compiled_anew(name: &str, folder: &Path) -> Compiled {
    let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
    match compile(&source, &format!("{name}.mlir"), &Config::default()) {
        Ok(compiled) => {
            // `compile` parses only one line of each form, because the parser takes seconds for longer texts.
            if sweep::factor() > 1 || compiled.verilog.lines().count() <= MAX_PARSED_LINES {
                let whole = sluice_rtl_out::check_syntax(&compiled.verilog);
                assert_eq!(whole, Ok(()), "{name}");
            }
            compiled
        }
        Err(Failure::Input(message) | Failure::Internal(message)) => panic!("{name}: {message}"),
    }
}

/// The examples compiled with the default configuration, by folder; many tests use them, so each is compiled once.
static COMPILED: LazyLock<BTreeMap<PathBuf, OnceLock<Compiled>>> = LazyLock::new(|| {
    let folders = elastic_graphs::kernels().into_iter();
    folders.map(|folder| (folder, OnceLock::new())).collect()
});

/// Returns an example compiled with the default configuration.
pub(crate) fn compiled(name: &str, folder: &Path) -> &'static Compiled {
    let kept = COMPILED.get(folder).expect("it is an example");
    kept.get_or_init(|| compiled_anew(name, folder))
}

/// Returns the shipped data sets and `n_random` random ones, each with the reference outcome.
fn cases(name: &str, folder: &Path, compiled: &Compiled, n_random: usize) -> Vec<(Case, Outcome)> {
    let text = fs::read_to_string(folder.join("data.yaml")).expect("data");
    let no_files = &mut |_: &str| Err("the examples name no files".to_owned());
    let (interface, limits) = (&compiled.interface, Limits::default());
    let file = DataFile::read(&text, "data.yaml", interface, no_files, &limits);
    let file = file.expect("data that fits");
    let mut random = Random::new(7);
    let mut cases = file.cases;
    cases
        .extend((0..n_random).map(|_| random_case(&compiled.interface, &file.ranges, &mut random)));
    cases
        .into_iter()
        .map(|case| {
            let outcome = interpret(compiled, &case).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(
                against_answers(compiled, &case, &outcome),
                None,
                "{name}: shipped answers"
            );
            (case, outcome)
        })
        .collect()
}

/// Checks that the shares of a run add up to its cycles, also for each loop of an elastic circuit, and that its spans are
/// contiguous. Returns whether any work is done; there is none if no loop has an iteration.
fn every_cycle_has_a_use(
    name: &str,
    compiled: &Compiled,
    case: &Case,
    simulator: &mut CycleSimulator,
    n_cycles: u64,
) -> bool {
    let mut stalls = Stalls::default();
    let looked = stalls.look(compiled, case, simulator, n_cycles);
    assert_eq!(looked, Ok(()), "{name}");
    let sum = |shares: &[Share]| shares.iter().map(|share| share.n_cycles).sum::<u64>();
    assert_eq!(sum(&stalls.shares), n_cycles, "{name}");
    for found in &stalls.loops {
        assert_eq!(sum(&found.shares), n_cycles, "{name}: {}", found.title);
    }
    assert_eq!(stalls.n_cycles, n_cycles, "{name}");
    let trace = stalls.trace(name);
    let events = trace["traceEvents"].as_array().expect("a list");
    let mut at = 0;
    for event in events.iter().filter(|e| e["ph"] == "X" && e["tid"] == 0) {
        assert_eq!(event["ts"], at, "{name}");
        at += event["dur"].as_u64().expect("a number");
    }
    assert_eq!(at, n_cycles, "{name}");
    stalls.shares.iter().any(|share| share.of.is_work())
}

fn circuit_agrees(name: &str, folder: &Path, n_random: usize) {
    let compiled = compiled(name, folder);
    let predicted = predicted_cycles(compiled);
    let mut begins = false;
    for (case, expected) in cases(name, folder, compiled, n_random) {
        let (outcome, mut simulator) =
            watch(compiled, &case, Observe::Signals).expect("it can be simulated");
        let outcome = outcome.unwrap_or_else(|why| panic!("{name}: {why}"));
        begins |= every_cycle_has_a_use(name, compiled, &case, &mut simulator, outcome.cycles);
        assert_eq!(
            difference(compiled, &expected, &outcome.results, &outcome.memories),
            None,
            "{name}"
        );
        assert_eq!(
            predicted.unwrap_or(outcome.cycles),
            outcome.cycles,
            "{name}: predicted cycles"
        );
    }
    assert!(begins, "{name}: nothing ever begins");
}

#[test]
fn circuit_agrees_with_interpreter_in_the_predicted_cycles() {
    for (name, folder) in examples() {
        circuit_agrees(&name, &folder, N_RANDOM);
    }
}

#[test]
fn benchmarks_agree_with_interpreter_in_the_predicted_cycles() {
    // No random data: some kernels divide by values computed from their inputs.
    for (name, folder) in benchmarks() {
        circuit_agrees(&name, &folder, 0);
    }
}

#[test]
fn irregular_kernels_agree_with_interpreter() {
    let found = kernels("examples/irregular");
    assert!(found.len() >= 16, "the irregular kernels are there");
    for (name, folder) in found {
        circuit_agrees(&name, &folder, N_RANDOM);
    }
}

#[test]
fn kernels_with_linalg_give_their_answers() {
    kernels_give_their_answers("examples/linalg", 2);
}

#[test]
fn kernels_with_floats_give_their_answers() {
    kernels_give_their_answers("examples/floats", 4);
}

fn kernels_give_their_answers(folder: &str, at_least: usize) {
    let found = kernels(folder);
    assert!(
        found.len() >= at_least,
        "the kernels of `{folder}` are there"
    );
    for (name, folder) in found {
        let compiled = compiled_anew(&name, &folder);
        for (case, expected) in cases(&name, &folder, &compiled, N_RANDOM) {
            let found = simulate(&compiled, &case).unwrap_or_else(|why| panic!("{name}: {why}"));
            let difference = difference(&compiled, &expected, &found.results, &found.memories);
            assert_eq!(difference, None, "{name}");
            assert_eq!(Some(found.cycles), predicted_cycles(&compiled), "{name}");
        }
    }
}

#[test]
fn every_cycle_of_an_elastic_circuit_has_a_use() {
    on_two_threads(elastic_graphs::checked_kernels(), |folder| {
        let name = folder.display().to_string();
        let compiled =
            elastic_graphs::elastic(&folder).unwrap_or_else(|why| panic!("{name}: {why}"));
        let data = elastic_graphs::shipped(&folder, compiled);
        let data = data.unwrap_or_else(|why| panic!("{name}: {why}"));
        let case = data.cases.first().expect("a data set");
        let (outcome, mut simulator) =
            watch(compiled, case, Observe::Ports).expect("it can be simulated");
        let outcome = outcome.unwrap_or_else(|why| panic!("{name}: {why}"));
        let begins = every_cycle_has_a_use(&name, compiled, case, &mut simulator, outcome.cycles);
        assert!(begins, "{name}: nothing ever begins");
    });
}

#[test]
fn innermost_loops_start_an_iteration_in_every_cycle() {
    for (name, folder) in examples() {
        let json = sluice_report::to_json(compiled(&name, &folder));
        let blocks = json["blocks"].as_array().expect("blocks");
        for block in blocks.iter().filter(|b| !b["ii"].is_null()) {
            let (ii, bound) = (block["ii"].as_i64(), block["lower_bound"].as_i64());
            assert_eq!(
                ii, bound,
                "{name}: {}: the II is at its bound",
                block["title"]
            );
            if FULL_RATE.contains(&name.as_str()) {
                assert_eq!(ii, Some(1), "{name}: {}", block["title"]);
            }
        }
    }
    let gemm = examples()
        .into_iter()
        .find(|(name, _)| name == "gemm")
        .expect("gemm is an example");
    let cycles = predicted_cycles(compiled("gemm", &gemm.1)).expect("static trip counts");
    assert!(cycles <= 6500, "gemm takes {cycles} cycles");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (name, folder) in examples() {
        let (first, second) = (compiled(&name, &folder), &compiled_anew(&name, &folder));
        assert_eq!(first.verilog, second.verilog, "{name}");
        assert_eq!(
            sluice_report::text(first),
            sluice_report::text(second),
            "{name}"
        );
    }
}

#[test]
fn verilator_agrees_with_interpreter() {
    if !verilator::available_or_excused() {
        return;
    }
    let with_random = |n_random: usize| move |(name, folder)| (name, folder, n_random);
    let mut runs: Vec<_> = examples().into_iter().map(with_random(N_RANDOM)).collect();
    let chosen = all_benchmarks()
        .into_iter()
        .filter(|(name, _)| VERILATED.contains(&name.as_str()));
    runs.extend(chosen.map(with_random(0)));
    on_two_threads(runs, |(name, folder, n_random)| {
        let compiled = compiled(&name, &folder);
        let cases = cases(&name, &folder, compiled, n_random);
        let words: Vec<Vec<_>> = cases
            .iter()
            .map(|(case, _)| {
                let words = |argument: &Argument| match argument {
                    Argument::Scalar(word) => vec![word.clone()],
                    Argument::Memory(cells) => cells.clone(),
                };
                case.arguments.iter().map(words).collect()
            })
            .collect();
        let build = tempfile::tempdir().expect("a temporary folder");
        let write = |file: &str, text: &str| {
            fs::write(build.path().join(file), text).expect("a temporary file")
        };
        write("dut.v", &compiled.verilog);
        write(
            "main.cpp",
            &harness::main_cpp(&compiled.interface, 1_000_000),
        );
        write("stimulus.txt", &harness::stimulus(&words));
        let top = top_of(compiled);
        verilator::build(build.path(), &top, &["-Wall", "-Wno-DECLFILENAME", "dut.v"])
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        let printed = verilator::run(build.path(), &["stimulus.txt"])
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        let answers = harness::answers(&compiled.interface, &printed);
        let answers = answers.unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(answers.len(), cases.len(), "{name}");
        for (answer, (_, expected)) in answers.iter().zip(&cases) {
            assert_eq!(
                difference(compiled, expected, &answer.results, &answer.memories),
                None,
                "{name}"
            );
            let predicted = predicted_cycles(compiled).unwrap_or(answer.cycles);
            assert_eq!(predicted, answer.cycles, "{name}: predicted cycles");
        }
    });
}

/// Returns the name of the top module in its Verilog.
fn top_of(compiled: &Compiled) -> String {
    let name = sluice_rtl_out::module_name(&compiled.context, &compiled.circuit, &compiled.top);
    name.expect("the circuit has its top")
}

/// Calls `work` for every item on two threads, because most of the time is spent in other programs.
pub(crate) fn on_two_threads<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    let waiting = std::sync::Mutex::new(items);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = waiting
                        .lock()
                        .expect("no thread panics with the lock")
                        .pop();
                    match next {
                        Some(item) => work(item),
                        None => return,
                    }
                }
            });
        }
    });
}

#[test]
fn yosys_finds_no_fault() {
    if Command::new("yosys").arg("-V").output().is_err() {
        assert!(
            !sluice_testbenches::oracle::required(),
            "yosys is not installed"
        );
        eprintln!("SKIPPED: yosys is not installed");
        return;
    }
    let build = tempfile::tempdir().expect("a temporary folder");
    let mut script = String::new();
    for (name, folder) in examples() {
        let compiled = compiled(&name, &folder);
        let file = format!("{name}.v");
        fs::write(build.path().join(&file), &compiled.verilog).expect("a temporary file");
        let top = top_of(compiled);
        // `check` and `proc` report latches, multiple drivers and undriven nets.
        script += &format!(
            "read_verilog {file}\nhierarchy -check -top {top}\nproc\ncheck -assert\n\
             select -assert-none t:$dlatch\ndesign -reset\n"
        );
    }
    fs::write(build.path().join("check.ys"), script).expect("a temporary file");
    let output = Command::new("yosys")
        .args(["-s", "check.ys"])
        .current_dir(build.path())
        .output()
        .expect("yosys runs");
    let log = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    // `proc` turns small memories into registers; that is a choice, not a fault.
    let warnings: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("Warning") && !line.contains("Replacing memory"))
        .collect();
    assert!(warnings.is_empty(), "{warnings:#?}");
}
