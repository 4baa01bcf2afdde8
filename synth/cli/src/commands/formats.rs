//! The outcomes of a run of a folder on the standard output: text, TAP, JSON or JUnit XML.

use std::fmt::Write as _;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::check::data_sets;
use super::suite::Ran;

/// A form of the outcomes: lines for people, the Test Anything Protocol in its version 14, JUnit XML as `--junit` writes it, or one JSON
/// document. The values have no comments: with these, every help text gets its long form.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Tap,
    Junit,
    Json,
}

/// The sums of all runs.
struct Sums {
    passed: usize,
    failed: usize,
    left_out: usize,
    n_cycles: u64,
}

impl Sums {
    fn of(all: &[Ran]) -> Self {
        let count = |is: fn(&Ran) -> bool| all.iter().filter(|ran| is(ran)).count();
        let cycles = all.iter().filter_map(|ran| match &ran.outcome {
            Some(Ok(checked)) => Some(checked.n_cycles),
            _ => None,
        });
        Self {
            passed: count(|ran| matches!(ran.outcome, Some(Ok(_)))),
            failed: count(|ran| matches!(ran.outcome, Some(Err(_)))),
            left_out: count(|ran| ran.outcome.is_none()),
            n_cycles: cycles.sum(),
        }
    }
}

/// A line for each run, what failed with what it said and the command that repeats it, and the sums.
pub(super) fn lines(all: &[Ran], seconds: f64) -> String {
    let mut text = String::new();
    let width = all.iter().map(|ran| ran.name.len()).max().unwrap_or(0);
    for ran in all {
        let name = format!("{:width$}", ran.name);
        match &ran.outcome {
            Some(Ok(checked)) => {
                let (sets, cycles) = (data_sets(checked.n_cases), checked.n_cycles);
                let _ = writeln!(
                    text,
                    "ok      {name}  {sets}, {cycles} cycles, {:.2} s",
                    ran.seconds
                );
            }
            Some(Err(stop)) => {
                let _ = writeln!(text, "FAILED  {name}  {:.2} s", ran.seconds);
                for line in stop.message.trim_end().lines() {
                    let _ = writeln!(text, "        {line}");
                }
            }
            None => {
                let _ = writeln!(text, "left    {name}");
            }
        }
        for (_, warning) in &ran.log.warnings {
            let _ = writeln!(text, "        {warning}");
        }
        if let (Some(_), Some(again)) = (ran.failure(), &ran.again) {
            let _ = writeln!(text, "        again: {again}");
        }
    }
    let Sums {
        passed,
        failed,
        left_out,
        n_cycles,
    } = Sums::of(all);
    let _ = write!(
        text,
        "{passed} passed, {failed} failed, {n_cycles} cycles, {seconds:.2} s"
    );
    if left_out > 0 {
        let _ = write!(text, "; {left_out} left out after a failure");
    }
    text.push('\n');
    text
}

/// A test point for each run, with what failed as a YAML block.
pub(super) fn tap(all: &[Ran]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", all.len());
    for (number, ran) in (1..).zip(all) {
        // A `#` begins a directive.
        let name = ran.name.replace('\\', "\\\\").replace('#', "\\#");
        let quoted = |text: &str| Value::from(text).to_string();
        let _ = match &ran.outcome {
            Some(Ok(_)) => writeln!(text, "ok {number} - {name}"),
            Some(Err(_)) => writeln!(text, "not ok {number} - {name}"),
            None => writeln!(text, "ok {number} - {name} # SKIP left out after a failure"),
        };
        let mut block = Vec::new();
        if let Some(stop) = ran.failure() {
            block.push(format!("message: {}", quoted(stop.message.trim_end())));
            block.extend(
                ran.again
                    .iter()
                    .map(|again| format!("again: {}", quoted(again))),
            );
        }
        let warnings = ran.log.warnings.iter().map(|(_, warning)| quoted(warning));
        let warnings: Vec<String> = warnings.collect();
        if !warnings.is_empty() {
            block.push(format!("warnings: [{}]", warnings.join(", ")));
        }
        if !block.is_empty() {
            let _ = writeln!(text, "  ---\n  {}\n  ...", block.join("\n  "));
        }
    }
    text
}

/// One document with the sums and all runs.
pub(super) fn document(all: &[Ran], seconds: f64) -> String {
    let runs: Vec<Value> = all
        .iter()
        .map(|ran| {
            let warnings = ran.log.warnings.iter().map(|(_, warning)| warning);
            let mut run = json!({
                "file": ran.file,
                "seconds": ran.seconds,
                "outcome": match &ran.outcome {
                    Some(Ok(_)) => "passed",
                    Some(Err(_)) => "failed",
                    None => "left out",
                },
                "warnings": warnings.collect::<Vec<_>>(),
            });
            if let Some(seed) = ran.seed {
                run["seed"] = seed.into();
            }
            match &ran.outcome {
                Some(Ok(checked)) => {
                    run["data_sets"] = checked.n_cases.into();
                    run["cycles"] = checked.n_cycles.into();
                }
                Some(Err(stop)) => {
                    run["message"] = stop.message.trim_end().into();
                    run["again"] = json!(ran.again);
                }
                None => {}
            }
            run
        })
        .collect();
    let Sums {
        passed,
        failed,
        left_out,
        n_cycles,
    } = Sums::of(all);
    let all = json!({
        "passed": passed,
        "failed": failed,
        "left_out": left_out,
        "cycles": n_cycles,
        "seconds": seconds,
        "runs": runs,
    });
    format!("{all:#}\n")
}
