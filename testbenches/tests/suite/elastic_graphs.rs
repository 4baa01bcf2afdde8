//! All examples as dataflow graphs and as circuits. In any firing order, cycle by cycle, and with random stalls, a graph gives
//! the interpreter's results and ends in its initial state. The circuit agrees with the graph in every cycle.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, OnceLock};

use sluice_config::{Config, Effort, Style, Use};
use sluice_flow::pipeline::compile;
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::Outcome;
use sluice_testbenches::sweep;
use sluice_testbenches::token_check::{Tokens, compare};
use sluice_verify::check::{difference, interpret};
use sluice_verify::data::{Case, DataFile, Random, random_case};

/// Seeds of random stalls.
const STALL_SEEDS: [u64; 2] = [1, 2];

/// Cycles from `start` on in which circuit and graph are compared; afterwards only `done` is.
const MAX_COMPARED: u64 = 1000;

/// Kernels of at most this many cycles are also run on random data.
const SHORT_CYCLES: u64 = 600;

/// Kernels of more cycles (`cnn`) are run without random stalls.
const LONG_CYCLES: u64 = 100_000;

/// Returns the folders of all examples.
pub(crate) fn kernels() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = root.parent().expect("the workspace").join("examples");
    let folders = ["", "peers", "polybench", "irregular"].map(|folder| root.join(folder));
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("the examples"));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("kernel.mlir").exists())
        .collect();
    found.sort();
    found
}

/// Returns the folders of the examples whose graphs and circuits are compared and proved: in the gate every second kernel, of
/// PolyBench every fifth, because an elastic circuit takes seconds to compile; all in a sweep.
pub(crate) fn checked_kernels() -> Vec<PathBuf> {
    let (polybench, other): (Vec<_>, Vec<_>) = kernels()
        .into_iter()
        .partition(|folder| folder.parent().is_some_and(|p| p.ends_with("polybench")));
    let mut found = sweep::every_nth(2, other);
    found.extend(sweep::every_nth(5, polybench));
    found
}

/// Compiles the kernel to an elastic circuit. Stores are queued wherever possible, except in PolyBench, where fewer candidates
/// are tried.
pub(crate) fn circuit(folder: &Path) -> Result<Compiled, String> {
    let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
    let is_polybench = folder.parent().is_some_and(|p| p.ends_with("polybench"));
    let config = Config {
        style: Style::Elastic,
        lsq: Use::Everywhere,
        ..Config::default()
    };
    let config = match is_polybench {
        true => Config {
            effort: Effort::Low,
            lsq: Use::Never,
            ..config
        },
        false => config,
    };
    compile(&source, "kernel.mlir", &config).map_err(|why| match why {
        Failure::Input(message) | Failure::Internal(message) => message,
    })
}

/// The examples compiled to elastic circuits; several tests share them, because compiling takes long.
static ELASTIC: LazyLock<BTreeMap<PathBuf, OnceLock<Result<Compiled, String>>>> =
    LazyLock::new(|| {
        let folders = kernels().into_iter();
        folders.map(|folder| (folder, OnceLock::new())).collect()
    });

/// Returns the elastic circuit of an example, see [`circuit`].
pub(crate) fn elastic(folder: &Path) -> Result<&'static Compiled, String> {
    let kept = ELASTIC.get(folder).ok_or("this is no example")?;
    let compiled = kept.get_or_init(|| circuit(folder));
    compiled.as_ref().map_err(Clone::clone)
}

/// Returns the data of an example.
pub(crate) fn shipped(folder: &Path, compiled: &Compiled) -> Result<DataFile, String> {
    let text = fs::read_to_string(folder.join("data.yaml")).expect("data");
    let no_files = &mut |_: &str| Err("no files".to_owned());
    let data = DataFile::read(
        &text,
        "data.yaml",
        &compiled.interface,
        no_files,
        &Limits::default(),
    );
    data.map_err(|_| "the data cannot be read".to_owned())
}

/// Returns the first data set of an example and a random one, with the interpreter's results.
fn cases(folder: &Path, compiled: &Compiled) -> Result<Vec<(Case, Outcome)>, String> {
    let data = shipped(folder, compiled)?;
    let mut random = Random::new(11);
    let mut cases: Vec<Case> = data.cases.into_iter().take(1).collect();
    cases.push(random_case(&compiled.interface, &data.ranges, &mut random));
    // Random data may divide by zero; then the interpreter fails, and the data set is dropped.
    let cases = cases.into_iter().filter_map(|case| {
        let expected = interpret(compiled, &case).ok()?;
        Some((case, expected))
    });
    Ok(cases.collect())
}

/// Compares the graph and the circuit of an example with the interpreter.
///
/// # Errors
/// The first difference.
fn check(folder: &Path) -> Result<(), String> {
    let compiled = elastic(folder)?;
    for (case, expected) in cases(folder, compiled)? {
        let compared = compare(compiled, &case, MAX_COMPARED)?;
        let (found, n_cycles) = (&compared.outcome, compared.outcome.cycles);
        if let Some(found) = difference(compiled, &expected, &found.results, &found.memories) {
            return Err(found);
        }
        // Valid, ready and data of most channels are nets of the circuit.
        if compared.n_signals < compared.n_channels {
            let (signals, channels) = (compared.n_signals, compared.n_channels);
            return Err(format!(
                "{signals} signals of {channels} channels are known"
            ));
        }
        let mut tokens = Tokens::new(compiled, &case)?;
        tokens.without_time(None, found)?;
        if n_cycles <= LONG_CYCLES {
            tokens.without_time(Some(1), found)?;
            for seed in STALL_SEEDS {
                tokens.stalled(seed, found)?;
            }
        }
        if n_cycles > SHORT_CYCLES {
            break;
        }
    }
    Ok(())
}

#[test]
fn circuits_do_what_graphs_do_and_graphs_what_the_interpreter_does() {
    let (waiting, wrong) = (Mutex::new(checked_kernels()), Mutex::new(Vec::new()));
    let next = || {
        waiting
            .lock()
            .expect("no thread panics with the lock")
            .pop()
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(folder) = next() {
                    if let Err(why) = check(&folder) {
                        let mut wrong = wrong.lock().expect("no thread panics with the lock");
                        wrong.push(format!("{}: {why}", folder.display()));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no thread panicked");
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn requests_for_schedules_and_a_missed_clock_are_warnings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.parent().expect("the workspace").join("examples/dot");
    let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
    let warnings = |yaml: &str| {
        let config = Config::from_yaml(yaml, "kernel.yaml").expect("a configuration");
        let compiled = compile(&source, "kernel.mlir", &config);
        compiled.expect("it compiles").warnings
    };
    assert_eq!(warnings("style: elastic\n"), "");
    let requested = warnings("style: elastic\nlimits: {multiply: 1}\nloops: {i: {ii: 2}}\n");
    assert!(!requested.contains("`limits`"), "{requested}");
    assert!(
        requested.contains("`loops.i: ii, pipeline` has no effect"),
        "{requested}"
    );
    let fast = warnings("style: elastic\nclock_period_ns: 1.5\n");
    assert!(
        fast.contains("more than the clock period of 1.5 ns"),
        "{fast}"
    );
}
