//! `sluice sim`

use std::path::PathBuf;

use clap::Args;
use sluice_flow::check::{difference, predicted_cycles, simulate};

use super::kernel::{Data, Kernel, references};
use crate::output::{Done, input, print, write_all};

/// Arguments of `sim`.
#[derive(Args)]
pub(crate) struct Sim {
    #[command(flatten)]
    kernel: Kernel,
    #[command(flatten)]
    data: Data,
    /// Write the waves of the first data set to this file
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
}

impl Sim {
    pub(crate) fn run(self) -> Done<()> {
        let compiled = self.kernel.compile()?;
        let cases = self.data.cases(&self.kernel.kernel, &compiled)?;
        let expected = references(&compiled, &cases)?;
        let predicted = predicted_cycles(&compiled);
        let mut all_cycles = Vec::new();
        for (i, (case, expected)) in cases.iter().zip(&expected).enumerate() {
            let waves = self.vcd.is_some() && i == 0;
            let (outcome, vcd) = simulate(&compiled, case, waves)
                .map_err(|why| input(format!("data set {i}: {why}")))?;
            if let (Some(path), Some(vcd)) = (&self.vcd, vcd) {
                let folder = path
                    .parent()
                    .filter(|p| !p.as_os_str().is_empty())
                    .unwrap_or(std::path::Path::new("."));
                let name = path
                    .file_name()
                    .map(|n| n.to_string_lossy().into_owned())
                    .unwrap_or_default();
                write_all(folder, &[(name, vcd)])?;
            }
            if let Some(found) =
                difference(&compiled, expected, &outcome.results, &outcome.memories)
            {
                return Err(input(format!(
                    "data set {i}: the circuit disagrees with the interpreter: {found}"
                )));
            }
            if let Some(predicted) = predicted.filter(|p| *p != outcome.cycles) {
                let message = format!(
                    "data set {i}: {} cycles, {predicted} were predicted",
                    outcome.cycles
                );
                return Err(input(message));
            }
            all_cycles.push(outcome.cycles);
        }
        print(&super::sim::agreement(
            &compiled.top,
            "cycle simulation",
            &all_cycles,
            predicted,
        ));
        Ok(())
    }
}

/// One line on what agreed.
pub(crate) fn agreement(top: &str, what: &str, cycles: &[u64], predicted: Option<u64>) -> String {
    let (low, high) = (
        cycles.iter().min().copied().unwrap_or(0),
        cycles.iter().max().copied().unwrap_or(0),
    );
    let span = if low == high {
        format!("{low}")
    } else {
        format!("{low} to {high}")
    };
    let promise = if predicted.is_some() {
        ", as predicted"
    } else {
        ""
    };
    format!(
        "@{top}: interpreter = {what} on {} data sets, {span} cycles{promise}\n",
        cycles.len()
    )
}
