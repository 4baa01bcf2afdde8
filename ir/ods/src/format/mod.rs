//! The declarative assembly format: reads its text into elements, checks them, and writes the table of `FormatElement`s.
//!
//! Source: MLIR, "Operation Definition Specification", section "Declarative Assembly Format".

mod ambiguity;
mod checks;
mod element;
mod lex;
mod read;
mod spacing;
mod table;

use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::parse::Operation;

pub(crate) use lex::{Fault, Result, Token, fault, lex};

/// The Rust code of a format: its table, and checks that need the values of constraints.
pub(crate) struct Code {
    pub(crate) table: TokenStream,
    pub(crate) assertions: TokenStream,
    /// Attributes right after a word, which the checks accept or not by their constraint.
    pub(crate) after_words: Vec<usize>,
}

/// Returns the place of a fault, and its message with the text there. The place is the whole string where the compiler cannot
/// point into one.
pub(crate) fn located(text: &LitStr, fault: &Fault) -> (Span, String) {
    let mut token = proc_macro2::Literal::string(&text.value());
    token.set_span(text.span());
    // The text begins after the quote.
    let place = fault.place.start + 1..fault.place.end + 1;
    let span = token.subspan(place).unwrap_or_else(|| text.span());
    let value = text.value();
    let excerpt = value.get(fault.place.clone()).unwrap_or_default();
    let message = match excerpt.is_empty() {
        true => fault.message.clone(),
        false => format!(
            "at `{excerpt}`, column {}: {}",
            fault.place.start + 1,
            fault.message
        ),
    };
    (span, message)
}

/// Reads and checks the format of an operation.
///
/// # Errors
/// All faults of the format.
pub(crate) fn compile(
    operation: &Operation,
    text: &LitStr,
) -> std::result::Result<Code, Vec<(Span, String)>> {
    let value = text.value();
    let located = |faults: Vec<Fault>| faults.iter().map(|one| located(text, one)).collect();
    let elements = read::read(operation, &value).map_err(|fault| located(vec![fault]))?;
    let mut faults = Vec::new();
    let mut assertions = checks::check(operation, &elements, value.len(), text.span(), &mut faults);
    ambiguity::check(operation, &elements, &mut faults);
    let after_words = spacing::check(operation, &elements, &mut faults);
    for index in &after_words {
        let field = &operation.attributes[*index];
        let message = format!(
            "`${}` grows together with the word before it: there is no space between them",
            field.text
        );
        for syntax in ["Generic", "Untyped(_)", "Type"] {
            assertions.extend(checks::syntax_is_not(field, syntax, &message, text.span()));
        }
    }
    if !faults.is_empty() {
        return Err(located(faults));
    }
    Ok(Code {
        table: table::table(operation, &elements),
        assertions,
        after_words,
    })
}
