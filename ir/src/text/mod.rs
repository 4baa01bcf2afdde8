//! The text form: lexer, parser, printer and the engine for declarative assembly formats.

use std::marker::PhantomData;

/// A syntax error was recorded in the diagnostics; the caller unwinds to the next point of recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported;

/// What a parse function returns.
pub type ParseResult<T> = Result<T, Reported>;

/// The parser.
pub struct Parser<'a>(PhantomData<&'a ()>);

/// The printer.
pub struct Printer<'a>(PhantomData<&'a ()>);

/// The operation that is being parsed.
pub struct OperationState;
