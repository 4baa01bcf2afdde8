//! `sluice opt`: reads, verifies, transforms and prints MLIR like mlir-opt, with the same options where both have them.

mod dumps;
mod instruments;
mod notes;
mod outline;
mod part;
mod reproducer;
mod round_trip;
mod statistics;
mod timing;

use sluice_config::Config;
use sluice_ir::bytecode;
use sluice_ir::definition::Dialect;
use sluice_ir::text::{ParseOptions, PrintOptions};
use sluice_passes::pipeline::Pipeline;

pub use bytecode::is_bytecode;
pub use dumps::{Dumps, Selection};
pub use sluice_dialects::irdl::DefinitionFile;
pub use timing::Arrangement;

use part::{Part, Source};
use timing::Times;

/// The default marker between the parts of a file.
pub const SPLIT_MARKER: &str = "// -----";

/// The oldest version of MLIR for whose readers modules are printed.
pub const OLDEST_TARGET: u32 = 19;

/// The newest version of MLIR for whose readers modules are printed.
pub const NEWEST_TARGET: u32 = 23;

/// Options for reading, transforming and printing.
#[derive(Clone)]
pub struct Options {
    /// Dialects in addition to Sluice's own.
    pub dialects: Vec<&'static Dialect>,
    /// A file that defines more dialects with `irdl` operations.
    pub irdl: Option<DefinitionFile>,
    /// Accept operations, types and attributes of unregistered dialects.
    pub allow_unregistered: bool,
    /// Options of the parser.
    pub parse: ParseOptions,
    /// Options of the printer.
    pub print: PrintOptions,
    /// Treat the parts between these markers as separate files.
    pub split: Option<String>,
    /// Compare diagnostics with those that the file expects, instead of reporting them.
    pub verify_diagnostics: bool,
    /// Add the operation to diagnostics, unless they are compared.
    pub notes_operations: bool,
    /// The pass pipeline.
    pub pipeline: Pipeline,
    /// Run the pipeline of a reproducer in the file, before the other one.
    pub run_reproducer: bool,
    /// The reproducer that the caller receives before passes run.
    pub reproducer: Option<Reproducer>,
    /// Whether the caller runs passes in one thread; reproducers keep it.
    pub is_single_threaded: bool,
    /// Configuration of the passes.
    pub config: Config,
    /// Print the module after each pass.
    pub print_after_each: bool,
    /// Print for a reader of this version of MLIR, from [`OLDEST_TARGET`] to [`NEWEST_TARGET`].
    pub target_version: Option<u32>,
    /// Verify the module after each pass; otherwise, only after the last one.
    pub verifies_each: bool,
    /// Print and read each module again before its passes, and compare.
    pub verifies_round_trip: bool,
    /// The passes before and after which the module is printed to [`Outside::log`].
    pub dumps: Dumps,
    /// Print execution times to [`Outside::log`] at the end.
    pub timing: Option<Arrangement>,
    /// Print statistics of passes to [`Outside::log`] at the end of each part.
    pub statistics: Option<Arrangement>,
    /// Write bytecode instead of text.
    pub bytecode: Option<bytecode::WriteOptions>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialects: Vec::new(),
            irdl: None,
            allow_unregistered: false,
            parse: ParseOptions::default(),
            print: PrintOptions::default(),
            split: None,
            verify_diagnostics: false,
            notes_operations: false,
            pipeline: Pipeline::default(),
            run_reproducer: false,
            reproducer: None,
            is_single_threaded: false,
            config: Config::default(),
            print_after_each: false,
            target_version: None,
            verifies_each: true,
            verifies_round_trip: false,
            dumps: Dumps::default(),
            timing: None,
            statistics: None,
            bytecode: None,
        }
    }
}

/// The module and the pipeline of a reproducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reproducer {
    /// The module before the first pass, and all passes. The caller gets it once for each part of the file, until a pass fails.
    AllPasses,
    /// The module before a pass, and this pass. The caller gets it before each pass, until one fails.
    LastPass,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Text or bytecode for the standard output.
    pub output: Vec<u8>,
    /// Text for the standard error.
    pub messages: String,
    /// True if an error was found.
    pub failed: bool,
    /// Name of the first pass that failed, if one did.
    pub failed_pass: Option<&'static str>,
}

/// The receivers of the results of a run, and its clock.
pub struct Outside<'a> {
    /// Receives the printed output piece by piece.
    pub output: &'a mut (dyn FnMut(&[u8]) + 'a),
    /// Receives dumps and reports for the standard error, as soon as they are complete.
    pub log: &'a mut (dyn FnMut(&str) + 'a),
    /// Returns the seconds since a fixed time.
    pub seconds: &'a dyn Fn() -> f64,
    /// Receives the text of reproducers.
    pub reproducer: &'a mut (dyn FnMut(&str) + 'a),
}

/// Returns the names of the dialects that files may use without a definition of their own, sorted.
pub fn dialect_names() -> Vec<&'static str> {
    let context = sluice_dialects::context();
    context.dialects().map(|dialect| dialect.name).collect()
}

/// Reads a file, verifies it, runs passes on it and prints it. There are no dumps, times or reproducers.
///
/// `source` is text or bytecode. It is taken by value so that its memory can be freed.
pub fn run(source: Vec<u8>, file: &str, options: &Options) -> Answer {
    let mut output = Vec::new();
    let outside = Outside {
        output: &mut |piece| output.extend_from_slice(piece),
        log: &mut |_| {},
        seconds: &|| 0.0,
        reproducer: &mut |_| {},
    };
    let answer = run_to(source, file, options, outside);
    Answer { output, ..answer }
}

/// Does the same as [`run`], but passes everything to `outside` as soon as it is known. The output of the answer is empty.
pub fn run_to(source: Vec<u8>, file: &str, options: &Options, mut outside: Outside<'_>) -> Answer {
    let began = (outside.seconds)();
    let mut times = Times::default();
    let mut answer = Answer::default();
    if let Err(why) = parts(source, file, options, &mut outside, &mut times, &mut answer) {
        answer.messages = why;
        answer.failed = true;
    }
    if let Some(arrangement) = options.timing {
        let total = (outside.seconds)() - began;
        (outside.log)(&times.report(arrangement, total));
    }
    answer
}

/// Runs on each part of a file.
///
/// # Errors
/// Errors of definitions, and of text that is no text.
fn parts(
    source: Vec<u8>,
    file: &str,
    options: &Options,
    outside: &mut Outside<'_>,
    times: &mut Times,
    answer: &mut Answer,
) -> Result<(), String> {
    let mut context = sluice_dialects::context();
    for dialect in &options.dialects {
        context.add_dialect(dialect);
    }
    context.limits.clone_from(&options.config.tool_limits);
    if let Some(definitions) = &options.irdl {
        answer.messages = definitions.load(&mut context)?;
    }
    context.allow_unregistered = options.allow_unregistered;
    let mut part = Part {
        context: &context,
        options,
        outside,
        times,
        answer,
    };
    if is_bytecode(&source) {
        part.run(Source::Bytecode(source), file);
        return Ok(());
    }
    let source = text_of(source, file)?;
    let Some(marker) = &options.split else {
        part.run(Source::Text(source), file);
        return Ok(());
    };
    let mut line = 1;
    for (number, text) in source.split(marker.as_str()).enumerate() {
        if number > 0 {
            (part.outside.output)(SPLIT_MARKER.as_bytes());
            (part.outside.output)(b"\n");
        }
        let name = format!("within split at {file}:{line} offset ");
        let n_lines = text.matches('\n').count();
        part.run(Source::Text(text.to_owned()), &name);
        line += n_lines;
    }
    Ok(())
}

fn text_of(source: Vec<u8>, file: &str) -> Result<String, String> {
    String::from_utf8(source).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        format!("{file}: error: expected UTF-8 text or bytecode, byte {at} is neither\n")
    })
}

/// Returns the text, with locations, of a bytecode module.
///
/// # Errors
/// The rendered errors of the module.
pub fn text_of_bytecode(data: Vec<u8>, file: &str) -> Result<String, String> {
    let options = Options {
        allow_unregistered: true,
        print: PrintOptions {
            locations: true,
            ..PrintOptions::default()
        },
        ..Options::default()
    };
    let answer = run(data, file, &options);
    match answer.failed {
        true => Err(answer.messages),
        false => Ok(String::from_utf8_lossy(&answer.output).into_owned()),
    }
}
