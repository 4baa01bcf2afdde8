//! The text form: lexer, parser, printer and the engine for declarative assembly formats.
//!
//! There are deliberately no files. The caller passes the source and gets text back.

mod affine;
mod attributes;
mod conventions;
mod deferred;
mod elements;
mod file;
mod format_parse;
mod format_parts;
mod functions;
mod lexer;
mod locations;
mod metadata;
mod names;
mod numbers;
mod operations;
mod parser;
mod print;
mod printer;
mod regions;
mod state;
mod types;

use crate::body::Body;
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::ids::{Attribute, OperationId, Type};
use crate::module::Module;

pub(crate) use conventions::NameConventions;
pub(crate) use file::{single_operation, wrap_top_level};
pub use format_parts::FormatParts;
pub use numbers::{parse_float, print_float};
pub use parser::{Delimiter, Parser};
pub use printer::{Printer, RegionPrinting, print_attribute, print_type};
pub use state::{Argument, FunctionSignature, OperationState, Position, UnresolvedOperand};

/// A syntax error was recorded in the diagnostics; the caller unwinds to the next point of recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported;

/// The result of a parse function.
pub type ParseResult<T> = Result<T, Reported>;

/// The names of values in printed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueNames {
    /// As mlir-opt numbers them: `%0`, `%arg0`, `%c1_i32`.
    #[default]
    Numbered,
    /// The source names, made unique; values without a name are numbered.
    Source,
}

/// Options for printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Prints the generic form of every operation.
    pub generic: bool,
    /// The names of values.
    pub value_names: ValueNames,
    /// Prints locations.
    pub locations: bool,
    /// Prints attributes and locations in place instead of as aliases at the top.
    pub local_scope: bool,
    /// Prints `{...}` for regions.
    pub skip_regions: bool,
    /// Prints the users of its results after each operation.
    pub value_users: bool,
    /// Numbers values continuously through the whole file instead of from zero in each isolated operation.
    pub unique_names: bool,
    /// Omits the elements of dense attributes with more than this number of elements.
    pub elide_elements_above: Option<usize>,
}

/// Options for parsing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOptions {
    /// Puts the top-level operations into a `builtin.module` unless there is exactly one module; otherwise there must be exactly
    /// one operation.
    pub implicit_module: bool,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            implicit_module: true,
        }
    }
}

/// Parses a whole file; top-level operations are put into a `builtin.module` unless there is exactly one module.
///
/// Errors: recorded in `diagnostics`, as many as can be found; `None` if an error was found.
pub fn parse_module(
    context: &Context,
    source: &str,
    file_name: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Module> {
    parse_module_with(
        context,
        source,
        file_name,
        ParseOptions::default(),
        diagnostics,
    )
}

/// Parses as [`parse_module`] does, with options.
pub fn parse_module_with(
    context: &Context,
    source: &str,
    file_name: &str,
    options: ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Module> {
    if u32::try_from(source.len()).is_err() {
        diagnostics.error(
            crate::ids::Location::UNKNOWN,
            "sources of 4 GiB and more are not supported",
        );
        return None;
    }
    let n_errors = |diagnostics: &Diagnostics| {
        diagnostics
            .all
            .iter()
            .filter(|d| d.severity == crate::diagnostics::Severity::Error)
            .count()
    };
    if source.len() >= deferred::MIN_BYTES && rayon::current_num_threads() > 1 {
        let mut found = Diagnostics::new();
        let mut parser = Parser::new(context, source, file_name, &mut found);
        parser.defers = true;
        let module = parser.file(options);
        if module.is_some() && found.all.is_empty() {
            return module;
        }
    }
    let before = n_errors(diagnostics);
    let module = Parser::new(context, source, file_name, diagnostics).file(options)?;
    (n_errors(diagnostics) == before).then_some(module)
}

/// Parses a type; text after it is an error.
pub fn parse_type(context: &Context, text: &str) -> Result<Type, Diagnostics> {
    parse_all(context, text, |parser| parser.parse_type())
}

/// Parses an attribute; text after it is an error.
pub fn parse_attribute(context: &Context, text: &str) -> Result<Attribute, Diagnostics> {
    parse_all(context, text, |parser| parser.parse_attribute())
}

fn parse_all<T>(
    context: &Context,
    text: &str,
    parse: impl FnOnce(&mut Parser<'_>) -> ParseResult<T>,
) -> Result<T, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut parser = Parser::new(context, text, "-", &mut diagnostics);
    let result = parse(&mut parser).and_then(|value| {
        parser
            .expect(lexer::TokenKind::End, "expected the end of the text")
            .map(|()| value)
    });
    drop(parser);
    result.map_err(|_| diagnostics)
}

/// Prints a whole file, with a newline at its end.
pub fn print_module(context: &Context, module: &Module, options: &PrintOptions) -> String {
    let mut text = String::new();
    print_module_to(context, module, options, &mut |piece| text.push_str(piece));
    text
}

/// Prints as [`print_module`] does; `sink` gets the text in pieces.
pub fn print_module_to(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
    sink: &mut dyn FnMut(&str),
) {
    let mut printer = Printer::new(context, *options);
    printer.sink = Some(sink);
    printer.top_level(&module.body, module.operation);
    // The end of the text, with the closing brace of the module, is always still in the buffer.
    let mut text = std::mem::take(&mut printer.out);
    drop(printer);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text += &metadata::metadata_text(context, module);
    sink(&text);
}

/// Prints one operation with everything in it.
pub fn print_operation(
    context: &Context,
    body: &Body,
    operation: OperationId,
    options: &PrintOptions,
) -> String {
    let mut printer = Printer::new(context, *options);
    printer.top_level(body, operation);
    printer.out
}
