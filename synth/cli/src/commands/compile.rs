//! `sluice compile`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sluice_dialects::hw;
use sluice_flow::graphs::Graph;
use sluice_flow::schedule_problem::of_kernel;
use sluice_kernel::compiled::{self, Compiled};
use sluice_verify::circuit::Circuit;

use super::check::{check_compiled, data_sets};
use super::kernel::{Data, Kernel, Runs, Top, given_circuit, graph};
use super::outcomes::Log;
use crate::commands::looks::Looks;
use crate::commands::task::{IdleData, Task, With};
use crate::files::{FileName, write_all};
use crate::output::{Done, command_line, error_text, input, print};

/// Arguments of `compile`.
#[derive(Args)]
pub(crate) struct Compile {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    /// Folder for the files that are written
    #[arg(short, long, default_value = "sluice-out", value_name = "DIR")]
    output: PathBuf,
    /// Prefix for the names of all modules below the top module; default: the name of the top module
    #[arg(long, value_name = "NAME")]
    prefix: Option<String>,
    /// Print the scheduling problems of the kernel and their solutions instead of compiling it; `sluice schedule` reads them
    #[arg(long, value_enum, value_name = "FORM")]
    emit: Option<Emit>,
    /// Compare the circuit with the interpreter before a file is written
    #[arg(long)]
    verify: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Emit {
    Ssp,
    Yaml,
}

impl Compile {
    pub(crate) fn run(mut self) -> Done<()> {
        self.kernel.prefix.clone_from(&self.prefix);
        if let Some(form) = self.emit {
            let source = self.kernel.source()?;
            let file = self.kernel.kernel.display().to_string();
            let config = self.kernel.configuration()?;
            let as_yaml = matches!(form, Emit::Yaml);
            print(&of_kernel(&source, &file, &config, as_yaml)?);
            return Ok(());
        }
        let source = self.kernel.source()?;
        let top = match source.contains(hw::Module::NAME) {
            true => self.kernel.configuration()?.top,
            false => None,
        };
        let of_top = Top {
            name: top.as_deref(),
            ..Top::default()
        };
        if let Some(circuit) = given_circuit(&self.kernel, &source, of_top)? {
            return self.write_circuit(&circuit);
        }
        if let Some(graph) = graph(&self.kernel, &source, None)? {
            return self.write_graph(&graph);
        }
        let compiled = self
            .kernel
            .compile_text(&source, &self.kernel.configuration()?)?;
        error_text(&compiled.warnings);
        let mut checked = String::new();
        if self.verify {
            let data = Data {
                data: None,
                random: 3,
                seed: 1,
            };
            let mut log = Log::default();
            let looks = Looks::default();
            let task = Task {
                command: "compile",
                kernel: &self.kernel,
                data: &data,
                runs: &Runs::default(),
                assertions: &[],
                with: With::Looks(&looks),
                idle_data: IdleData::Warns,
            };
            let found = check_compiled(task, &compiled, &mut log);
            error_text(&log.said());
            let found = found?;
            checked = format!(
                "verified: circuit = {} on {}\n",
                found.reference,
                data_sets(found.n_cases)
            );
        }
        let module = compiled.verilog_name();
        let of = |ending| FileName::of(&module, ending);
        let json = serde_json::to_string_pretty(&sluice_report::to_json(&compiled))
            .unwrap_or_default()
            + "\n";
        let files = [
            (of(".v"), self.with_heading(&compiled)),
            (of(".report.txt"), sluice_report::text(&compiled)),
            (of(".report.json"), json),
            (
                of(".scheduled.mlir"),
                compiled::text(&compiled.context, &compiled.scheduled),
            ),
            (
                of(".rtl.mlir"),
                compiled::text(&compiled.context, &compiled.circuit),
            ),
        ];
        let named = called(&compiled.top, &module);
        self.write(
            &files,
            &(sluice_report::summary(&compiled) + &named + &checked),
        )
    }

    /// Returns the Verilog of a kernel with a comment about it after the first line.
    fn with_heading(&self, compiled: &Compiled) -> String {
        let (first, modules) = compiled.verilog.split_once('\n').unwrap_or_default();
        let kernel = &self.kernel;
        let command = command_line("compile", &kernel.kernel, kernel.options());
        let heading = sluice_report::heading(compiled, &command);
        format!("{first}\n{heading}{modules}")
    }

    /// Writes the Verilog of a circuit.
    fn write_circuit(&self, circuit: &Circuit) -> Done<()> {
        self.refuse_verify("circuit")?;
        if self.prefix.is_some() {
            let why = "a circuit keeps the names of its modules";
            return Err(input(format!(
                "error: --prefix is of kernels and dataflow graphs: {why}"
            )));
        }
        error_text(&circuit.renames());
        let name = circuit.verilog_name();
        let files = [(FileName::of(&name, ".v"), circuit.verilog()?)];
        let n_ports = circuit.verilog_ports().len();
        let ports = if n_ports == 1 { "port" } else { "ports" };
        let summary = format!(
            "@{}: a circuit, {n_ports} {ports}; nothing was to schedule\n",
            circuit.top
        );
        self.write(&files, &(summary + &called(&circuit.top, &name)))
    }

    fn refuse_verify(&self, what: &str) -> Done<()> {
        if self.verify {
            let why = format!("no interpreter says what is right of a {what}");
            return Err(input(format!("error: --verify is of kernels: {why}")));
        }
        Ok(())
    }

    /// Writes the results of a dataflow graph.
    fn write_graph(&self, graph: &Graph) -> Done<()> {
        self.refuse_verify("dataflow graph")?;
        error_text(&graph.warnings);
        let top = &graph.circuit.top;
        let module = graph.circuit.verilog_name();
        let of = |ending| FileName::of(&module, ending);
        let json = serde_json::to_string_pretty(&graph.report_json()).unwrap_or_default() + "\n";
        let files = [
            (of(".v"), graph.circuit.verilog()?),
            (of(".report.txt"), graph.report()),
            (of(".report.json"), json),
            (of(".scheduled.mlir"), graph.graph.clone()),
            (of(".rtl.mlir"), graph.circuit.text()),
        ];
        self.write(&files, &(graph.summary() + &called(top, &module)))
    }

    /// Writes all files, and prints a summary and their names.
    fn write(&self, files: &[(FileName, String)], summary: &str) -> Done<()> {
        write_all(&self.output, files)?;
        print(summary);
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        print(&format!(
            "wrote {} to {}\n",
            names.join(", "),
            self.output.display()
        ));
        Ok(())
    }
}

/// Describes the name of a kernel, graph or circuit in its Verilog and file names, if it differs from its symbol.
fn called(symbol: &str, module: &str) -> String {
    let stem = FileName::of(module, "");
    let stem = stem.as_str();
    match (symbol == module, module == stem) {
        (true, true) => String::new(),
        (_, true) => format!("`@{symbol}` is module `{module}` in Verilog and in file names\n"),
        (true, false) => format!("files of `@{symbol}` are called `{stem}`\n"),
        (false, false) => {
            format!("`@{symbol}` is module `{module}` in Verilog, its files are called `{stem}`\n")
        }
    }
}
