//! A directive that no format can say: `[%low to %high]`.

use sluice_ir::text::{ParseResult, Parser, Printer, UnresolvedOperand};
use sluice_ir::{ValueId, View};

/// Reads a range; gets the value before it, and the word between its ends.
pub(crate) fn parse_range(
    parser: &mut Parser<'_>,
    _value: UnresolvedOperand,
    word: &str,
) -> ParseResult<(UnresolvedOperand, UnresolvedOperand)> {
    parser.parse_punctuation("[")?;
    let low = parser.parse_operand()?;
    parser.parse_keyword(word)?;
    let high = parser.parse_operand()?;
    parser.parse_punctuation("]")?;
    Ok((low, high))
}

/// Prints a range.
pub(crate) fn print_range(
    printer: &mut Printer<'_>,
    _: View<'_>,
    low: ValueId,
    high: ValueId,
    _value: ValueId,
    word: &str,
) {
    printer.text("[");
    printer.operand(low);
    printer.text(&format!(" {word} "));
    printer.operand(high);
    printer.text("]");
}
