//! `sluice opt`

mod printing;
mod reports;
mod reproducing;
mod spelling;
mod verifying;

use std::path::{Path, PathBuf};

use clap::Args;
use sluice_flow::opt::{
    DefinitionFile, NEWEST_TARGET, OLDEST_TARGET, Options, Outside, SPLIT_MARKER, dialect_names,
    run_to,
};
use sluice_flow::pipeline::{self, all_names};
use sluice_ir::bytecode::WriteOptions;
use sluice_ir::text::ParseOptions;
use sluice_passes::pipeline::Pipeline;

use super::kernel::read_config;
use crate::clock::stopwatch;
use crate::files::{Growing, write_file};
use crate::limiting::Limiting;
use crate::output::{Done, error_text, input, print, print_bytes, read_bytes};

use printing::Printing;
use reports::Reports;
use reproducing::Reproducing;
pub(crate) use spelling::from_mlir_spelling;
use verifying::Verifying;

/// Arguments of `opt`.
#[derive(Args)]
pub(crate) struct Opt {
    /// File with a module, MLIR text or bytecode; `-` reads the standard input
    #[arg(default_value = "-")]
    module: PathBuf,
    /// Names of passes to run in this order; passes of mlir-opt can also be written `--canonicalize`, `--cse`, `--inline` ...
    #[arg(long = "pass", value_name = "NAME")]
    passes: Vec<String>,
    /// Pipeline of passes in the syntax of mlir-opt: `builtin.module(func.func(canonicalize,cse))`
    #[arg(long, value_name = "PIPELINE", conflicts_with = "passes")]
    pass_pipeline: Option<String>,
    /// Print the pipeline of passes to the standard error, in the syntax of `--pass-pipeline`
    #[arg(long)]
    dump_pass_pipeline: bool,
    /// Print the module after each pass
    #[arg(long)]
    print_after_each: bool,
    /// File with the configuration of the passes, YAML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Accept operations of unregistered dialects
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Load the dialects that this file defines in the dialect irdl
    #[arg(long, value_name = "FILE")]
    irdl_file: Option<PathBuf>,
    /// Treat each part of the file between two markers as a separate file
    #[arg(long, value_name = "MARKER", num_args = 0..=1, require_equals = true, default_missing_value = SPLIT_MARKER)]
    split_input_file: Option<String>,
    /// Do not put the operations at the top level into a module
    #[arg(long)]
    no_implicit_module: bool,
    /// Write bytecode
    #[arg(long)]
    emit_bytecode: bool,
    /// Version of the bytecode, 0 to 6
    #[arg(long, value_name = "N", requires = "emit_bytecode")]
    emit_bytecode_version: Option<u64>,
    /// Name of the producer that is written to the bytecode
    #[arg(long, value_name = "NAME", requires = "emit_bytecode")]
    emit_bytecode_producer: Option<String>,
    /// Leave the data of resources out of the bytecode
    #[arg(long, requires = "emit_bytecode")]
    elide_resource_data_from_bytecode: bool,
    /// Print only what this version of MLIR can read, 19 to 23
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(OLDEST_TARGET)..=i64::from(NEWEST_TARGET)))]
    target_version: Option<u32>,
    /// File to write; default: the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Run passes with one thread; the result is the same
    #[arg(long = "mlir-disable-threading")]
    is_single_threaded: bool,
    /// List the passes
    #[arg(long)]
    list: bool,
    /// List the dialects
    #[arg(long)]
    show_dialects: bool,
    #[command(flatten)]
    verifying: Verifying,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    reports: Reports,
    #[command(flatten)]
    reproducing: Reproducing,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

impl Opt {
    /// Returns the number of threads, if the user chooses it.
    pub(crate) fn n_threads(&self) -> Option<usize> {
        self.is_single_threaded.then_some(1)
    }

    pub(crate) fn run(self) -> Done<()> {
        if self.show_dialects {
            // As mlir-opt prints it.
            print(&format!(
                "Available Dialects: {}\n",
                dialect_names().join(",")
            ));
            return Ok(());
        }
        if self.list {
            for (name, reason) in pipeline::pass_names() {
                print(&format!("{name:16} {reason}\n"));
            }
            return Ok(());
        }
        let module = self.module;
        let limits = self.limiting.limits();
        let pipeline = match &self.pass_pipeline {
            Some(text) => Pipeline::parse(text, &all_names()),
            None => Pipeline::of_passes(&self.passes, &all_names()),
        };
        let pipeline = pipeline.map_err(input)?;
        if self.dump_pass_pipeline {
            error_text(&format!("{pipeline}\n"));
        }
        let bytecode = self.emit_bytecode.then(|| {
            let standard = WriteOptions::default();
            WriteOptions {
                version: self.emit_bytecode_version.unwrap_or(standard.version),
                mlir_version: self.target_version,
                producer: self.emit_bytecode_producer.unwrap_or(standard.producer),
                elide_resources: self.elide_resource_data_from_bytecode,
            }
        });
        let irdl = match &self.irdl_file {
            Some(path) => Some(DefinitionFile {
                name: path.display().to_string(),
                source: read_bytes(path, &limits)?,
            }),
            None => None,
        };
        let options = Options {
            dialects: Vec::new(),
            irdl,
            allow_unregistered: self.allow_unregistered_dialect,
            parse: ParseOptions {
                implicit_module: !self.no_implicit_module,
            },
            print: self.printing.options(),
            split: self.split_input_file,
            verify_diagnostics: self.verifying.verify_diagnostics,
            notes_operations: self.verifying.print_op_on_diagnostic,
            pipeline,
            run_reproducer: self.reproducing.run_reproducer,
            reproducer: self.reproducing.wanted(),
            is_single_threaded: self.is_single_threaded,
            config: read_config(self.config.as_deref(), &module, &limits)?,
            print_after_each: self.print_after_each,
            target_version: self.target_version,
            verifies_each: self.verifying.verify_each,
            verifies_round_trip: self.verifying.verify_roundtrip,
            dumps: self.reports.dumps(),
            timing: self.reports.timing(),
            statistics: self.reports.statistics(),
            bytecode,
        };
        let source = read_bytes(&module, &limits)?;
        let name = module.display().to_string();
        let mut file: Option<Growing> = None;
        let mut written = Ok(());
        let mut output = |piece: &[u8]| match &self.output {
            None => print_bytes(piece),
            Some(path) if written.is_ok() => written = append(&mut file, path, piece),
            Some(_) => {}
        };
        let seconds = stopwatch();
        let run = |reproducer: &mut dyn FnMut(&str)| {
            let outside = Outside {
                output: &mut output,
                log: &mut error_text,
                seconds: &seconds,
                reproducer,
            };
            run_to(source, &name, &options, outside)
        };
        let answer = self.reproducing.run(&limits.watch, run)?;
        if answer.failed {
            return Err(input(answer.messages));
        }
        written?;
        match (file, &self.output) {
            (Some(file), _) => file.finish()?,
            (None, Some(path)) => write_file(path, &[])?,
            (None, None) => {}
        }
        error_text(&answer.messages);
        Ok(())
    }
}

/// Appends to a file, which is created for the first piece.
fn append(file: &mut Option<Growing>, path: &Path, piece: &[u8]) -> Done<()> {
    let file = match file {
        Some(file) => file,
        None => file.insert(Growing::new(path)?),
    };
    file.append(piece)
}
