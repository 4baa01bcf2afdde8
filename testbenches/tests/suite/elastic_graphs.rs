//! Dataflow graphs of all examples: run without time in several orders and cycle by cycle, they give what the interpreter gives, and
//! are at rest again behind it.

use std::fs;
use std::path::{Path, PathBuf};

use sluice_flow::check::interpret;
use sluice_flow::config::Config;
use sluice_flow::data::{Case, DataFile, Random, random_case};
use sluice_flow::elastic::{Network, network};
use sluice_flow::pipeline::{Compiled, Failure, compile};
use sluice_sim::interpreter::Outcome;
use sluice_sim::tokens::TokenSimulator;

/// Cycles after which a run is given up.
const MOST_CYCLES: u64 = 10_000_000;

pub(crate) fn kernels() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .join("examples");
    let folders = [
        root.clone(),
        root.join("peers"),
        root.join("polybench"),
        root.join("irregular"),
    ];
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

fn failed(why: Failure) -> String {
    match why {
        Failure::Input(message) | Failure::Internal(message) => message,
    }
}

/// What is wrong with the graph of a kernel.
fn complaint(folder: &Path) -> Result<String, String> {
    let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
    let compiled = compile(
        &source,
        "kernel.mlir",
        &Config::default(),
        &mut |_, _, _| {},
    )
    .map_err(failed)?;
    let network = network(&source, "kernel.mlir", &Config::default()).map_err(failed)?;
    let text = fs::read_to_string(folder.join("data.yaml")).expect("data");
    let data = DataFile::read(&text, "data.yaml", &compiled.interface, &mut |_| {
        Err("no files".to_owned())
    });
    let data = data.map_err(|_| "data".to_owned())?;
    let mut random = Random::new(11);
    let mut cases = data.cases;
    cases.extend((0..2).map(|_| random_case(&compiled.interface, &data.ranges, &mut random)));
    let mut cycles = Vec::new();
    for case in &cases {
        // Random data may divide by zero.
        let Ok(expected) = interpret(&compiled, case) else {
            continue;
        };
        cycles.push((
            run(&network, case, &expected)?,
            sluice_flow::check::simulate(&compiled, case)?.cycles,
        ));
    }
    Ok(format!("{cycles:?}"))
}

fn run(network: &Network, case: &Case, expected: &Outcome) -> Result<u64, String> {
    let simulator = TokenSimulator::new(&network.context, &network.graph, &network.top);
    let mut simulator = simulator.map_err(|found| found.to_text(&network.context))?;
    for seed in [None, Some(1), Some(2)] {
        simulator.firing_seed = seed;
        let outcome = simulator
            .run_untimed(&case.arguments)
            .map_err(|why| format!("untimed: {why}"))?;
        if outcome.outcome != *expected {
            return Err(format!(
                "without time, seed {seed:?}: {:?} instead of {expected:?}",
                outcome.outcome
            ));
        }
        if !outcome.leftover.is_empty() {
            return Err(format!("left over: {:?}", outcome.leftover));
        }
    }
    simulator
        .check_timing()
        .map_err(|found| found.to_text(&network.context))?;
    let outcome = simulator
        .run(&case.arguments, MOST_CYCLES)
        .map_err(|why| why.to_string());
    if outcome.is_err() {
        for (channel, statistics) in simulator
            .channels()
            .iter()
            .zip(&simulator.statistics().channels)
        {
            println!("{} {:?}", channel.name, statistics);
        }
    }
    let outcome = outcome?;
    let found = Outcome {
        results: outcome.outcome.results,
        memories: outcome.outcome.memories,
    };
    if found != *expected {
        return Err(format!("cycle by cycle: {found:?} instead of {expected:?}"));
    }
    if !outcome.leftover.is_empty() {
        return Err(format!("left over: {:?}", outcome.leftover));
    }
    Ok(outcome.outcome.cycles)
}

#[test]
fn graphs_give_what_the_interpreter_gives() {
    let mut wrong = Vec::new();
    for folder in kernels() {
        if std::env::var("ONLY").is_ok_and(|only| !folder.ends_with(only)) {
            continue;
        }
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        match complaint(&folder) {
            Ok(cycles) => println!("{name}: {cycles}"),
            Err(why) => wrong.push(format!(
                "{name}: {}",
                why.chars().take(6000).collect::<String>()
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
