//! Verilog output: naming, modules, and a syntax check with sv-parser before the text is returned.
//!
//! Verilog-2005: non-blocking assignments in clocked blocks, aggregates as vectors, every expression at the width of its operands.

mod aggregates;
mod clocks;
mod comparisons;
mod emitter;
mod expressions;
mod forms;
pub mod harness;
mod initial;
mod lint;
pub mod lockstep;
mod masked_memories;
mod memories;
mod memory_paths;
mod module;
mod parameters;
mod pins;
mod queues;
mod registers;

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

use sluice_dialects::hw;
use sluice_ir::{Context, Diagnostics, Module, View};
use thiserror::Error;

use crate::forms::Accepted;

pub use pins::{module_name, names_of_ports};

/// Location of a syntax error in a text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {message}")]
pub struct SyntaxError {
    /// Line, from one.
    pub line: usize,
    /// Message of sv-parser.
    pub message: String,
}

/// Optional parts of the text, besides the function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Initialise registers that have neither a reset nor an initial value to zero, as in the cycle simulator. In circuits of
    /// kernels, such registers are always written before they are read.
    pub zeros_at_start: bool,
    /// Comparisons that are written as differences.
    pub differences: Differences,
}

/// The least widths, in bits, of comparisons for order that are written as the sign of a difference; 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Differences {
    /// For two variables.
    pub variable_bits: u32,
    /// For a variable and a constant.
    pub constant_bits: u32,
}

/// Returns the Verilog text of every module, users before the modules they use: [`write()`] followed by [`check()`].
///
/// # Errors
/// As for both.
pub fn emit(
    context: &Context,
    module: &Module,
    header: &str,
    options: Options,
) -> Result<String, Diagnostics> {
    let text = write(context, module, header, options)?;
    check(module, &text)?;
    Ok(text)
}

/// Returns the Verilog text of every module, users before the modules they use; `header` is the comment in the first line. The
/// text is not parsed yet.
///
/// # Errors
/// Operations without Verilog.
pub fn write(
    context: &Context,
    module: &Module,
    header: &str,
    options: Options,
) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut text = format!("// {header}\n`default_nettype none\n");
    let inner = module.inner();
    let others = lint::without_own_file(context, module);
    let headers = pins::headers(context, module);
    for op in module.top_level_operations().into_iter().rev() {
        let view = View::new(context, inner, op);
        if view.name() == hw::Module::NAME {
            text.push('\n');
            let one = module::emit(context, view, &headers, options, &mut diagnostics);
            match view.symbol_name().is_some_and(|name| others.contains(name)) {
                true => text += &lint::in_file_of_another(&one),
                false => text += &one,
            }
        }
    }
    text.push_str("\n`default_nettype wire\n");
    match diagnostics.has_errors() {
        true => Err(diagnostics),
        false => Ok(text),
    }
}

/// Forms that the parser accepted in this process.
static ACCEPTED: LazyLock<Mutex<Accepted>> = LazyLock::new(Mutex::default);

/// Checks that the text of a module is Verilog. Of lines that differ in names and numbers only, one is parsed in each process.
///
/// # Errors
/// A text that sv-parser rejects, which is an internal error.
pub fn check(module: &Module, text: &str) -> Result<(), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let accepted = || ACCEPTED.lock().unwrap_or_else(PoisonError::into_inner);
    let (rest, new) = accepted().rest_of(text);
    if let Err(error) = check_syntax(&rest) {
        let location = module.body.location(module.operation);
        diagnostics.error(
            location,
            format!(
                "internal: the Verilog is not valid: {error}: `{}`",
                text.lines()
                    .nth(error.line.saturating_sub(1))
                    .unwrap_or_default()
            ),
        );
        return Err(diagnostics);
    }
    accepted().extend(new);
    Ok(())
}

/// Checks with sv-parser that a text is Verilog.
///
/// # Errors
/// The first syntax error.
pub fn check_syntax(text: &str) -> Result<(), SyntaxError> {
    let parser = thread::Builder::new().stack_size(PARSER_STACK_BYTES);
    thread::scope(|scope| {
        match parser.spawn_scoped(scope, || parse(text)) {
            Ok(running) => running.join().unwrap_or_else(|why| resume_unwind(why)),
            // If no thread can start, this thread parses, with a smaller stack.
            Err(_) => parse(text),
        }
    })
}

/// Stack size of the parser, which recurses a dozen calls deeper with every parenthesis.
const PARSER_STACK_BYTES: usize = 64 << 20;

fn parse(text: &str) -> Result<(), SyntaxError> {
    let defines = sv_parser::Defines::new();
    let includes: [PathBuf; 0] = [];
    match sv_parser::parse_sv_str(
        text,
        PathBuf::from("emitted.v"),
        &defines,
        &includes,
        false,
        false,
    ) {
        Ok(_) => Ok(()),
        Err(error) => {
            let line = match &error {
                sv_parser::Error::Parse(Some((_, at))) => text[..*at].lines().count(),
                _ => 1,
            };
            Err(SyntaxError {
                line,
                message: error.to_string(),
            })
        }
    }
}
