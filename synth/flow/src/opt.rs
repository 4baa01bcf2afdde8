//! `sluice opt`: what mlir-opt does, with the same options where both have them.

use sluice_ir::definition::Dialect;
use sluice_ir::text::{ParseOptions, PrintOptions, parse_module_with, print_module};
use sluice_ir::{Context, Diagnostics, verifier};

use crate::config::Config;
use crate::expected;
use crate::pipeline::run_passes;

/// What divides a file into parts when nothing else is said.
pub const SPLIT_MARKER: &str = "// -----";

/// How to read, change and print.
#[derive(Clone, Default)]
pub struct Options {
    /// Dialects beside Sluice's own.
    pub dialects: Vec<&'static Dialect>,
    /// Accepts operations, types and attributes of dialects that nobody registered.
    pub allow_unregistered: bool,
    /// How to parse.
    pub parse: ParseOptions,
    /// How to print.
    pub print: PrintOptions,
    /// Treats the parts between these markers as files of their own.
    pub split: Option<String>,
    /// Compares diagnostics with those the file expects, instead of reporting them.
    pub verify_diagnostics: bool,
    /// Passes by name, in this order.
    pub passes: Vec<String>,
    /// Configuration of the passes.
    pub config: Config,
    /// Prints the module after each pass.
    pub print_after_each: bool,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// For the standard output.
    pub output: String,
    /// For the standard error.
    pub messages: String,
    /// Whether an error was found.
    pub failed: bool,
}

/// Reads a file, verifies it, runs passes on it and prints it.
pub fn run(source: &str, file: &str, options: &Options) -> Answer {
    let mut context = sluice_dialects::context_with(&options.dialects);
    context.allow_unregistered = options.allow_unregistered;
    let mut answer = Answer::default();
    let Some(marker) = &options.split else {
        part(&context, source, file, options, &mut answer);
        return answer;
    };
    let mut line = 1;
    for (number, text) in source.split(marker.as_str()).enumerate() {
        if number > 0 {
            answer.output += SPLIT_MARKER;
            answer.output.push('\n');
        }
        let name = format!("within split at {file}:{line} offset ");
        part(&context, text, &name, options, &mut answer);
        line += text.matches('\n').count();
    }
    answer
}

fn part(context: &Context, source: &str, file: &str, options: &Options, answer: &mut Answer) {
    let mut diagnostics = Diagnostics::new();
    let text = text(context, source, file, options, &mut diagnostics, answer);
    if options.verify_diagnostics {
        let wrong = expected::compare(context, source, file, &diagnostics);
        answer.failed |= wrong.has_errors();
        answer.messages += &wrong.render(context, &[(file, source)]);
    } else {
        answer.failed |= diagnostics.has_errors();
        answer.messages += &diagnostics.render(context, &[(file, source)]);
    }
    if let Some(text) = text {
        answer.output += &text;
    }
}

fn text(
    context: &Context,
    source: &str,
    file: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
    answer: &mut Answer,
) -> Option<String> {
    let mut module = parse_module_with(context, source, file, options.parse, diagnostics)?;
    verifier::verify(context, &module, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut stages = String::new();
    let ran = run_passes(
        context,
        &mut module,
        &options.passes,
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
        return Some(stages);
    }
    if diagnostics.has_errors() {
        return None;
    }
    let mut text = print_module(context, &module, &options.print);
    // As mlir-opt: a line ends what was printed, and aliases at the end have a line of their own.
    if !options.print.local_scope {
        text.push('\n');
    }
    Some(text)
}
