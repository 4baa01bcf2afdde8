//! `sluice opt`: reads, verifies, transforms and prints MLIR like mlir-opt, with the same options where both have them.

use sluice_config::Config;
use sluice_ir::definition::Dialect;
use sluice_ir::text::{
    ParseOptions, PrintOptions, parse_module, parse_module_with, print_module, print_module_to,
};
use sluice_ir::{Context, Diagnostics, bytecode, verifier};
use sluice_passes::pipeline::Pipeline;

use crate::expected;

/// The default marker between the parts of a file.
pub const SPLIT_MARKER: &str = "// -----";

/// The oldest version of MLIR for whose readers modules are printed.
pub const OLDEST_TARGET: u32 = 19;

/// The newest version of MLIR for whose readers modules are printed.
pub const NEWEST_TARGET: u32 = 23;

/// Options for reading, transforming and printing.
#[derive(Clone, Default)]
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
    /// The pass pipeline.
    pub pipeline: Pipeline,
    /// Configuration of the passes.
    pub config: Config,
    /// Print the module after each pass.
    pub print_after_each: bool,
    /// Print for a reader of this version of MLIR, from [`OLDEST_TARGET`] to [`NEWEST_TARGET`].
    pub target_version: Option<u32>,
    /// Write bytecode instead of text.
    pub bytecode: Option<bytecode::WriteOptions>,
}

/// An `irdl` module, as text or bytecode.
#[derive(Clone)]
pub struct DefinitionFile {
    /// Name for messages.
    pub name: String,
    /// Contents of the file.
    pub source: Vec<u8>,
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
}

/// Receives the printed output piece by piece.
pub type Sink<'a> = dyn FnMut(&[u8]) + 'a;

/// Reads a file, verifies it, runs passes on it and prints it.
///
/// `source` is text or bytecode. It is taken by value so that its memory can be freed.
pub fn run(source: Vec<u8>, file: &str, options: &Options) -> Answer {
    let mut output = Vec::new();
    let answer = run_to(source, file, options, &mut |piece| {
        output.extend_from_slice(piece);
    });
    Answer { output, ..answer }
}

/// Does the same as [`run`], but passes the output to `sink` instead of returning it.
pub fn run_to(source: Vec<u8>, file: &str, options: &Options, sink: &mut Sink<'_>) -> Answer {
    let mut context = sluice_dialects::context_with(&options.dialects);
    context.limits.clone_from(&options.config.tool_limits);
    let mut answer = Answer::default();
    if let Some(definitions) = &options.irdl {
        answer.messages = load_definitions(&mut context, definitions).unwrap_or_else(|why| {
            answer.failed = true;
            why
        });
        if answer.failed {
            return answer;
        }
    }
    context.allow_unregistered = options.allow_unregistered;
    if is_bytecode(&source) {
        part(
            &context,
            Source::Bytecode(source),
            file,
            options,
            sink,
            &mut answer,
        );
        return answer;
    }
    let source = match text_of(source, file) {
        Ok(source) => source,
        Err(why) => {
            answer.messages = why;
            answer.failed = true;
            return answer;
        }
    };
    let Some(marker) = &options.split else {
        part(
            &context,
            Source::Text(source),
            file,
            options,
            sink,
            &mut answer,
        );
        return answer;
    };
    let mut line = 1;
    for (number, text) in source.split(marker.as_str()).enumerate() {
        if number > 0 {
            sink(SPLIT_MARKER.as_bytes());
            sink(b"\n");
        }
        let name = format!("within split at {file}:{line} offset ");
        let n_lines = text.matches('\n').count();
        let text = Source::Text(text.to_owned());
        part(&context, text, &name, options, sink, &mut answer);
        line += n_lines;
    }
    answer
}

pub use bytecode::is_bytecode;

fn text_of(source: Vec<u8>, file: &str) -> Result<String, String> {
    String::from_utf8(source).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        format!("{file}: error: expected UTF-8 text or bytecode, byte {at} is neither\n")
    })
}

/// Adds the dialects that a file defines to the context, and returns the rendered warnings.
///
/// # Errors
/// The rendered errors of the file.
fn load_definitions(context: &mut Context, file: &DefinitionFile) -> Result<String, String> {
    let mut diagnostics = Diagnostics::new();
    let (name, source) = (file.name.as_str(), file.source.clone());
    let (module, text) = if is_bytecode(&source) {
        let module = bytecode::read(context, &source, name, &mut diagnostics);
        (module, String::new())
    } else {
        let text = text_of(source, name)?;
        let module = parse_module(context, &text, name, &mut diagnostics);
        (module, text)
    };
    if let Some(module) = &module {
        verifier::verify(context, module, &mut diagnostics);
        if !diagnostics.has_errors() {
            sluice_dialects::irdl::load(context, module, &mut diagnostics);
        }
    }
    let messages = diagnostics.render(context, &[(name, &text)]);
    match diagnostics.has_errors() {
        true => Err(messages),
        false => Ok(messages),
    }
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

/// The input of one part.
enum Source {
    Text(String),
    Bytecode(Vec<u8>),
}

impl Source {
    /// Returns the text for excerpts in messages.
    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Bytecode(_) => "",
        }
    }
}

fn part(
    context: &Context,
    mut source: Source,
    file: &str,
    options: &Options,
    sink: &mut Sink<'_>,
    answer: &mut Answer,
) {
    let mut found = Found {
        diagnostics: Diagnostics::new(),
        answer,
    };
    // If there is no output, the errors were reported.
    let _ = output(context, &mut source, file, options, sink, &mut found);
    let diagnostics = found.diagnostics;
    let text = source.text();
    let wrong = match options.verify_diagnostics {
        true => expected::compare(context, text, file, &diagnostics),
        false => diagnostics,
    };
    answer.failed |= wrong.has_errors();
    answer.messages += &wrong.render(context, &[(file, text)]);
}

/// The diagnostics and the output of a part.
struct Found<'a> {
    diagnostics: Diagnostics,
    answer: &'a mut Answer,
}

/// Prints a part, unless there is an error.
fn output(
    context: &Context,
    source: &mut Source,
    file: &str,
    options: &Options,
    sink: &mut Sink<'_>,
    found: &mut Found<'_>,
) -> Option<()> {
    let Found {
        diagnostics,
        answer,
    } = found;
    let mut module = match &*source {
        Source::Text(text) => parse_module_with(context, text, file, options.parse, diagnostics)?,
        Source::Bytecode(data) => bytecode::read(context, data, file, diagnostics)?,
    };
    verifier::verify(context, &module, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    if diagnostics.all.is_empty() && options.pipeline.is_empty() && !options.verify_diagnostics {
        // No diagnostic will quote the text any more; free it, since the next steps need as much memory again.
        *source = Source::Bytecode(Vec::new());
    }
    let mut stages = String::new();
    let ran = crate::run_passes::run(
        context,
        &mut module,
        &options.pipeline,
        &options.config,
        diagnostics,
        &mut |name, module| {
            if options.print_after_each {
                let text = print_module(context, module, &options.print);
                stages += &format!("// after {name}\n{text}\n");
            }
        },
    );
    if let Err(why) = ran {
        answer.messages += &why;
        answer.failed = true;
        return None;
    }
    if options.print_after_each {
        sink(stages.as_bytes());
        return Some(());
    }
    if let Some(version) = options.target_version.filter(|_| !diagnostics.has_errors()) {
        sluice_transform::for_version(context, &mut module, version, diagnostics);
    }
    if diagnostics.has_errors() {
        return None;
    }
    if let Some(how) = &options.bytecode {
        return match bytecode::write(context, &module, how) {
            Ok(data) => {
                sink(&data);
                Some(())
            }
            Err(why) => {
                answer.messages += &format!("error: {why}\n");
                answer.failed = true;
                None
            }
        };
    }
    print_module_to(context, &module, &options.print, &mut |piece| {
        sink(piece.as_bytes());
    });
    // As in mlir-opt: the output ends with a line break, and aliases at the end have a line of their own.
    if !options.print.local_scope {
        sink(b"\n");
    }
    Some(())
}
