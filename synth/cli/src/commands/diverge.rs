//! `sluice diverge`

use clap::Args;
use sluice_flow::diverge::{Backends, Verdict, compare, stages};
use sluice_ir::limits::Limit;
use sluice_kernel::compiled::Compiled;
use sluice_sim::interpreter::Outcome;
use sluice_sim::testbench::Unwatched;
use sluice_verify::check::{Manner, difference, interpret, simulate_all};
use sluice_verify::data::{Case, Idle};

use super::check::data_sets;
use super::kernel::{Data, Kernel};
use crate::companion::Companion;
use crate::limiting::check_count;
use crate::models::Cache;
use crate::output::{Done, error_text, input, print};

/// Arguments of `diverge`.
#[derive(Args)]
pub(crate) struct Diverge {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    #[command(flatten)]
    data: Data,
    /// Also run the data sets one after the other without a reset, with up to N idle cycles between `done` and `start`
    #[arg(long, value_name = "N")]
    idle: Option<u64>,
    /// Maximum number of cycles in which bytecode and machine code are compared
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    cycles: u64,
    /// Do not run Verilator; without this option it runs if it is installed and all other models agree
    #[arg(long)]
    no_verilator: bool,
    #[command(flatten)]
    cache: Cache,
}

impl Diverge {
    pub(crate) fn run(self) -> Done<()> {
        let path = &self.kernel.kernel;
        let file = path.display().to_string();
        let config = self.kernel.configuration()?;
        let kernel = stages(&self.kernel.source()?, &file, &config)?;
        let compiled = &kernel.compiled;
        error_text(&compiled.warnings);
        let limits = self.kernel.limits();
        check_count("--idle", Limit::IdleCycles, self.idle.unwrap_or(0), &limits)?;
        let asked = self.data.asked(&self.kernel, compiled)?;
        error_text(&asked.note);
        let cases = asked.cases;
        let idle = self.idle.or(asked.idle_cycles).map(|most_cycles| Idle {
            most_cycles,
            seed: self.data.seed,
        });
        let mut answers = Vec::new();
        let backends = Backends {
            most_cycles: self.cycles,
        };
        let mut agreed = String::new();
        for (i, case) in cases.iter().enumerate() {
            let expected =
                interpret(compiled, case).map_err(|why| input(format!("data set {i}: {why}")))?;
            let verdicts = compare(&kernel, case, &expected, backends);
            let has_parted = verdicts
                .iter()
                .any(|(_, verdict)| matches!(verdict, Verdict::Part(_)));
            let text: String = verdicts
                .iter()
                .map(|(pair, verdict)| match verdict {
                    Verdict::Agree(what) => format!("  {pair}: {what}\n"),
                    Verdict::Part(what) => format!("  {pair}: DIFFERS: {what}\n"),
                    Verdict::Unknown(why) => format!("  {pair}: not compared: {why}\n"),
                })
                .collect();
            if has_parted {
                return Err(input(format!(
                    "@{}: the models differ on data set {i}:\n{text}",
                    compiled.top
                )));
            }
            agreed = text;
            answers.push(expected);
        }
        let manner = Manner {
            idle,
            ..Manner::default()
        };
        if manner.idle.is_some() {
            agreed += &together(compiled, &cases, &answers, &manner)?;
        }
        if !self.no_verilator {
            agreed += &self.verilator(compiled, &cases, &manner)?;
        }
        print(&format!(
            "@{}: all models agree on {}; on the last:\n{agreed}",
            compiled.top,
            data_sets(cases.len())
        ));
        Ok(())
    }

    /// Runs all data sets on the circuit and on a Verilator model, in lock-step.
    fn verilator(&self, compiled: &Compiled, cases: &[Case], manner: &Manner) -> Done<String> {
        let Some(models) = self.cache.open_if_installed()? else {
            return Ok("  verilator: not compared: it is not installed\n".to_owned());
        };
        let mut companion = Companion::of_kernel(&models, compiled)?;
        let outcomes = simulate_all(compiled, cases, manner, &mut companion);
        let n_ports = companion.n_outputs();
        companion.finish().map_err(|parted| {
            let top = &compiled.top;
            input(format!(
                "@{top}: the models differ:\n  verilator: DIFFERS: {}",
                parted.message
            ))
        })?;
        let outcomes = outcomes.map_err(|(i, why)| input(format!("data set {i}: {why}")))?;
        let n_cycles: u64 = outcomes.iter().map(|outcome| outcome.cycles).sum();
        Ok(format!(
            "  verilator: {n_ports} outputs are the same in each of {n_cycles} cycles of all data sets\n"
        ))
    }
}

/// Runs all data sets one after the other, and compares each result with the interpreter.
fn together(
    compiled: &Compiled,
    cases: &[Case],
    answers: &[Outcome],
    manner: &Manner,
) -> Done<String> {
    let parted = |i: usize, why: &str| {
        let top = &compiled.top;
        input(format!(
            "@{top}: the models differ:\n  idle: DIFFERS: data set {i}, after the data sets before it: {why}"
        ))
    };
    let outcomes = simulate_all(compiled, cases, manner, &mut Unwatched)
        .map_err(|(i, why)| parted(i, &why))?;
    for (i, (outcome, expected)) in outcomes.iter().zip(answers).enumerate() {
        if let Some(found) = difference(compiled, expected, &outcome.results, &outcome.memories) {
            return Err(parted(i, &found));
        }
    }
    Ok(format!(
        "  idle: {} one after the other give what each gives after a reset\n",
        data_sets(outcomes.len())
    ))
}
