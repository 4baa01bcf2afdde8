//! Lists that mix values and numbers, such as `[%n, 4]`: the numbers are an attribute, the values are operands.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, UnresolvedOperand};
use sluice_ir::{Context, ValueId, View};

/// The number for a size, offset or stride that an operand gives.
pub const DYNAMIC: i64 = i64::MIN;

/// A parsed list.
#[derive(Default)]
pub(crate) struct IndexList {
    /// The values, in order.
    pub(crate) operands: Vec<UnresolvedOperand>,
    /// The numbers, with [`DYNAMIC`] for each value.
    pub(crate) numbers: Vec<i64>,
}

impl IndexList {
    /// Adds the values of the list to the operands; returns their number.
    pub(crate) fn resolve(
        &self,
        parser: &mut Parser<'_>,
        state: &mut OperationState,
    ) -> ParseResult<usize> {
        let index = parser.context().index_type();
        parser.resolve_operands_of_type(&self.operands, index, state)?;
        Ok(self.operands.len())
    }

    /// Sets attribute `name` to the numbers.
    pub(crate) fn set(&self, context: &Context, name: &str, state: &mut OperationState) {
        state.set_attribute(context, name, context.dense_i64_array(&self.numbers));
    }
}

/// Reads `[%n, 4]`, between `delimiter`s.
pub(crate) fn parse_index_list(
    parser: &mut Parser<'_>,
    delimiter: Delimiter,
) -> ParseResult<IndexList> {
    let mut list = IndexList::default();
    parser.parse_comma_separated(delimiter, |parser| {
        match parser.parse_optional_operand()? {
            Some(operand) => {
                list.operands.push(operand);
                list.numbers.push(DYNAMIC);
            }
            None => list.numbers.push(parser.parse_integer()?),
        }
        Ok(())
    })?;
    Ok(list)
}

/// Prints `%n, 4`: the numbers, with `operands` where they are [`DYNAMIC`].
pub(crate) fn print_index_list(printer: &mut Printer<'_>, operands: &[ValueId], numbers: &[i64]) {
    let mut operands = operands.iter();
    printer.comma_separated(numbers, |printer, number| match *number {
        DYNAMIC => {
            if let Some(operand) = operands.next() {
                printer.operand(*operand);
            }
        }
        number => printer.text(&number.to_string()),
    });
}

/// Returns the numbers of attribute `name`.
pub(crate) fn numbers(view: View<'_>, name: &str) -> Vec<i64> {
    let numbers = view
        .attribute(name)
        .and_then(|a| a.as_dense_array_i64(view.context));
    numbers.unwrap_or_default()
}

/// Returns how many of `numbers` are given by operands.
pub(crate) fn n_dynamic(numbers: &[i64]) -> usize {
    numbers.iter().filter(|n| **n == DYNAMIC).count()
}

/// Returns the size that a number of a list gives to a type; none if an operand gives it.
pub(crate) fn known(number: i64) -> Option<i64> {
    Some(number).filter(|n| *n != DYNAMIC)
}
