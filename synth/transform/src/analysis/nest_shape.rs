//! The shape of a loop nest before flattening: counters, trip counts, nesting.

use sluice_dialects::scf;
use sluice_ir::{Attribute, Body, Context, Exact, OperationId};

use crate::analysis::linear::loop_of;
use crate::build::name;

/// Returns the shape of a loop and its inner loops, as the attribute [`SHAPE`](sluice_dialects::sluice::SHAPE) stores it.
pub fn nest_shape(context: &Context, body: &Body, op: OperationId) -> Attribute {
    let counter = body
        .entry_block(op, 0)
        .and_then(|block| body.arguments(block).first().copied())
        .and_then(|value| body.value_name(value));
    let trips = loop_of(context, body, op).and_then(|known| known.trip_count);
    let line = body.location(op).file_line_column(context);
    let inner: Vec<Attribute> = body
        .entry_block(op, 0)
        .map(|block| body.operations(block).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        .filter(|op| name(context, body, *op) == scf::For::NAME)
        .map(|op| nest_shape(context, body, op))
        .collect();
    let number = context.exact_attribute(trips.unwrap_or(Exact::from(-1)));
    let line = context.i64_attribute(line.map_or(0, |(_, line, _)| i64::from(line)));
    let counter = context.string_attribute(counter.map_or("", |name| context.text(name)));
    context.array_attribute(&[counter, number, line, context.array_attribute(&inner)])
}
