//! `sluice opt`

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use sluice_flow::opt::{
    DefinitionFile, NEWEST_TARGET, OLDEST_TARGET, Options, SPLIT_MARKER, run_to,
};
use sluice_flow::pipeline::{self, all_names};
use sluice_ir::bytecode::WriteOptions;
use sluice_ir::text::{ParseOptions, PrintOptions, ValueNames};
use sluice_passes::GENERIC;
use sluice_passes::pipeline::Pipeline;

use super::kernel::read_config;
use crate::files::{Growing, write_file};
use crate::limiting::Limiting;
use crate::output::{Done, input, print, print_bytes, read_bytes};

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
    /// Check diagnostics against the `expected-error` comments of the file
    #[arg(long)]
    verify_diagnostics: bool,
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
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    pub(super) limiting: Limiting,
    /// List the passes
    #[arg(long)]
    list: bool,
}

/// How the module is printed.
#[derive(Args)]
#[command(next_help_heading = "Printing")]
struct Printing {
    /// Print the generic form
    #[arg(long = "mlir-print-op-generic", alias = "generic")]
    generic: bool,
    /// Print locations
    #[arg(long = "mlir-print-debuginfo")]
    locations: bool,
    /// Print attributes, types and locations in place instead of as aliases
    #[arg(long = "mlir-print-local-scope")]
    local_scope: bool,
    /// Print `{...}` for regions
    #[arg(long = "mlir-print-skip-regions")]
    skip_regions: bool,
    /// Print the users of its results after each operation
    #[arg(long = "mlir-print-value-users")]
    value_users: bool,
    /// Number values through the whole file
    #[arg(long = "mlir-print-unique-ssa-ids")]
    unique_names: bool,
    /// Accepted because mlir-opt has it; it has no effect, since the output is always verified
    #[arg(long = "mlir-print-assume-verified")]
    assume_verified: bool,
    /// Leave out the elements of dense attributes that have more than N elements
    #[arg(long = "mlir-elide-elementsattrs-if-larger", value_name = "N")]
    elide_above: Option<usize>,
    /// Print the names of values in the source; mlir-opt prints numbers
    #[arg(long)]
    source_names: bool,
}

impl Printing {
    fn options(&self) -> PrintOptions {
        PrintOptions {
            generic: self.generic,
            value_names: if self.source_names {
                ValueNames::Source
            } else {
                ValueNames::Numbered
            },
            locations: self.locations,
            local_scope: self.local_scope,
            skip_regions: self.skip_regions,
            value_users: self.value_users,
            unique_names: self.unique_names,
            elide_elements_above: self.elide_above,
        }
    }
}

/// Converts the arguments of `sluice opt` from the spelling of mlir-opt: a pass can be an option of its own name, and one dash is
/// allowed instead of two.
pub(crate) fn from_mlir_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|command| command != "opt") {
        return arguments;
    }
    let command = Opt::augment_args(clap::Command::new("opt"));
    let is_long = |name: &str| {
        let mut known = command.get_arguments();
        known.any(|argument| argument.get_long() == Some(name))
    };
    for argument in arguments.iter_mut().skip(2) {
        let Some((dashes, rest)) = argument.to_str().and_then(|text| {
            let rest = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
            Some((text.len() - rest.len(), rest))
        }) else {
            continue;
        };
        if dashes == 2 && rest.is_empty() {
            break;
        }
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (rest, None),
        };
        if GENERIC.iter().any(|pass| pass.name == name) {
            let options = value.map(|value| format!("{{{value}}}"));
            *argument = format!("--pass={name}{}", options.unwrap_or_default()).into();
        } else if dashes == 1 && is_long(name) {
            *argument = format!("--{rest}").into();
        }
    }
    arguments
}

impl Opt {
    pub(crate) fn run(self) -> Done<()> {
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
            crate::output::error_text(&format!("{pipeline}\n"));
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
            verify_diagnostics: self.verify_diagnostics,
            pipeline,
            config: read_config(self.config.as_deref(), &module, &limits)?,
            print_after_each: self.print_after_each,
            target_version: self.target_version,
            bytecode,
        };
        let source = read_bytes(&module, &limits)?;
        let mut file: Option<Growing> = None;
        let mut written = Ok(());
        let answer = run_to(
            source,
            &module.display().to_string(),
            &options,
            &mut |piece| match &self.output {
                None => print_bytes(piece),
                Some(path) if written.is_ok() => written = append(&mut file, path, piece),
                Some(_) => {}
            },
        );
        if answer.failed {
            return Err(input(answer.messages));
        }
        written?;
        match (file, &self.output) {
            (Some(file), _) => file.finish()?,
            (None, Some(path)) => write_file(path, &[])?,
            (None, None) => {}
        }
        crate::output::error_text(&answer.messages);
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

#[cfg(test)]
mod tests {
    use super::from_mlir_spelling;

    fn spelled(text: &str) -> String {
        let words = text.split(' ').map(Into::into);
        let words = from_mlir_spelling(words).into_iter();
        let words: Vec<_> = words.filter_map(|word| word.into_string().ok()).collect();
        words.join(" ")
    }

    #[test]
    fn passes_and_single_dashes() {
        for (theirs, ours) in [
            (
                "sluice opt -inline --canonicalize -sccp a.mlir",
                "sluice opt --pass=inline --pass=canonicalize --pass=sccp a.mlir",
            ),
            (
                "sluice opt - -split-input-file -pass-pipeline=x(cse) -o b.mlir",
                "sluice opt - --split-input-file --pass-pipeline=x(cse) -o b.mlir",
            ),
            (
                "sluice opt --inline=default-pipeline=",
                "sluice opt --pass=inline{default-pipeline=}",
            ),
            ("sluice opt -- --cse", "sluice opt -- --cse"),
            ("sluice sim --cse", "sluice sim --cse"),
            ("sluice", "sluice"),
        ] {
            assert_eq!(spelled(theirs), ours);
        }
    }
}
