//! `sluice cosim`

use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use sluice_flow::check::{difference, predicted_cycles};
use sluice_rtl_out::harness;
use sluice_sim::interpreter::Argument;

use super::kernel::{Data, Kernel, references};
use super::sim::agreement;
use crate::output::{Done, input, print, write_all};

/// Arguments of `cosim`.
#[derive(Args)]
pub(crate) struct Cosim {
    #[command(flatten)]
    kernel: Kernel,
    #[command(flatten)]
    data: Data,
    /// Keep the Verilator build in this folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl Cosim {
    pub(crate) fn run(self) -> Done<()> {
        let compiled = self.kernel.compile()?;
        let cases = self.data.cases(&self.kernel.kernel, &compiled)?;
        let expected = references(&compiled, &cases)?;
        let temporary = tempfile::tempdir()
            .map_err(|why| input(format!("error: no temporary folder: {why}")))?;
        let folder = self
            .keep
            .clone()
            .unwrap_or_else(|| temporary.path().to_owned());
        let predicted = predicted_cycles(&compiled);
        let limit = predicted.map_or(50_000_000, |cycles| cycles + 1000);
        let words: Vec<Vec<_>> = cases
            .iter()
            .map(|case| {
                let words = |argument: &Argument| match argument {
                    Argument::Scalar(word) => vec![word.clone()],
                    Argument::Memory(cells) => cells.clone(),
                };
                case.arguments.iter().map(words).collect()
            })
            .collect();
        let stimulus = harness::stimulus(&words);
        write_all(
            &folder,
            &[
                ("dut.v".to_owned(), compiled.verilog.clone()),
                (
                    "main.cpp".to_owned(),
                    harness::main_cpp(&compiled.interface, limit),
                ),
                ("stimulus.txt".to_owned(), stimulus),
            ],
        )?;
        let run = |program: &str, arguments: &[&str]| -> Done<String> {
            let output = Command::new(program).args(arguments).current_dir(&folder).output().map_err(|why| {
                input(format!("error: `{program}` does not run: {why}; install Verilator (Debian: apt-get install verilator)"))
            })?;
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stderr).into_owned()
                    + &String::from_utf8_lossy(&output.stdout);
                return Err(input(format!("error: `{program}` failed:\n{text}")));
            }
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let top = sluice_rtl_out::module_name(&compiled.top);
        run(
            "verilator",
            &[
                "--cc",
                "--exe",
                "--build",
                "-Wall",
                "-O1",
                "-CFLAGS",
                "-O1",
                "--top-module",
                &top,
                "--prefix",
                "Vdut",
                "dut.v",
                "main.cpp",
            ],
        )?;
        let program = folder.join("obj_dir").join("Vdut");
        let answers = run(&program.display().to_string(), &["stimulus.txt"])?;
        let answers = harness::answers(&compiled.interface, &answers)
            .map_err(|why| input(format!("error: {why}")))?;
        if answers.len() != cases.len() {
            return Err(input(format!(
                "error: {} answers for {} data sets",
                answers.len(),
                cases.len()
            )));
        }
        let mut all_cycles = Vec::new();
        for (i, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
            if let Some(found) = difference(&compiled, expected, &answer.results, &answer.memories)
            {
                return Err(input(format!(
                    "data set {i}: Verilator disagrees with the interpreter: {found}"
                )));
            }
            if let Some(predicted) = predicted.filter(|p| *p != answer.cycles) {
                return Err(input(format!(
                    "data set {i}: {} cycles, {predicted} were predicted",
                    answer.cycles
                )));
            }
            all_cycles.push(answer.cycles);
        }
        print(&agreement(
            &compiled.top,
            "Verilator",
            &all_cycles,
            predicted,
        ));
        Ok(())
    }
}
