//! Helpers of the loop transformations: statements, names, perfect nests, and texts that describe dependences.

use sluice_dialects::{aliases::Written, memref, scf};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use crate::analysis::dependence_vectors::{Dependence, Outside, Pair, Reference};
use crate::build::name;

/// Returns the counter of an `scf.for`.
pub(super) fn counter(body: &Body, op: OperationId) -> ValueId {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    body.arguments(block)[0]
}

/// Returns the name of a counter, without `%`.
pub(super) fn counter_name<'a>(
    context: &'a Context,
    body: &Body,
    op: OperationId,
) -> Option<&'a str> {
    let name = body.value_name(counter(body, op))?;
    Some(context.text(name))
}

/// Describes a loop for messages.
pub(super) fn title(context: &Context, body: &Body, op: OperationId) -> String {
    match counter_name(context, body, op) {
        Some(name) => format!("`%{name}`"),
        None => format!("the loop at {}", place(context, body, op)),
    }
}

/// Describes the location of an operation for messages.
pub(super) fn place(context: &Context, body: &Body, op: OperationId) -> String {
    match body.location(op).file_line_column(context) {
        Some((_, line, _)) => format!("line {line}"),
        None => "a place that is not in the file".to_owned(),
    }
}

/// Returns whether an operation only computes, so that it may be placed wherever its operands are available.
pub(super) fn computes(view: View<'_>) -> bool {
    use sluice_ir::definition::Traits;
    view.regions().is_empty()
        && view.definition().is_some_and(|definition| {
            !definition.has(Traits::TERMINATOR)
                && (definition.has(Traits::PURE) || definition.meaning.is_some())
        })
}

/// Returns whether an operation directly in the loop may execute at any time within an iteration, also repeatedly: it only
/// computes, or loads from a memory that the loop does not write.
pub(super) fn is_movable(
    context: &Context,
    body: &Body,
    loops: &[OperationId],
    op: OperationId,
) -> bool {
    let view = View::new(context, body, op);
    if view.name() != memref::Load::NAME {
        return computes(view);
    }
    loops.iter().all(|around| {
        let written = Written::by(context, body, *around);
        !written.may_hold(context, body, view.operand(0))
    })
}

/// Returns the operations of a loop body without its terminator.
pub(super) fn operations(body: &Body, op: OperationId) -> Vec<OperationId> {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let mut all: Vec<OperationId> = body.operations(block).collect();
    all.pop();
    all
}

/// Returns the statements of a loop: the operations of its body that are not movable.
pub(super) fn statements(context: &Context, body: &Body, op: OperationId) -> Vec<OperationId> {
    let mut all = operations(body, op);
    all.retain(|inner| !is_movable(context, body, &[op], *inner));
    all
}

/// Returns the loop that is the only statement of a loop, or else the first statement that prevents this.
pub(super) fn only_loop(
    context: &Context,
    body: &Body,
    op: OperationId,
) -> Result<OperationId, Option<OperationId>> {
    let all = statements(context, body, op);
    let is_loop = |op: &OperationId| name(context, body, *op) == scf::For::NAME;
    match all.as_slice() {
        [one] if is_loop(one) => Ok(*one),
        _ => Err(all.iter().copied().find(|op| !is_loop(op))),
    }
}

/// Describes a statement for messages.
pub(super) fn statement(context: &Context, body: &Body, op: OperationId) -> String {
    let at = place(context, body, op);
    let kind = name(context, body, op);
    match kind {
        memref::Store::NAME => format!("the store at {at}"),
        memref::Load::NAME => format!("the load at {at}"),
        scf::For::NAME => format!("the loop {} at {at}", title(context, body, op)),
        _ => format!("`{kind}` at {at}"),
    }
}

/// Describes an array for messages.
fn array(context: &Context, body: &Body, memory: ValueId) -> String {
    match body.value_name(memory) {
        Some(name) => format!("`%{}`", context.text(name)),
        None => "a memory".to_owned(),
    }
}

/// Describes a dependence for messages: array, accesses with their lines.
pub(super) fn between(
    context: &Context,
    body: &Body,
    source: &Reference,
    sink: &Reference,
) -> String {
    format!(
        "the dependence of {} from {} to {}",
        array(context, body, source.memory),
        statement(context, body, source.op),
        statement(context, body, sink.op)
    )
}

/// Describes a dependence for messages: array, accesses with their lines, vector.
pub(super) fn dependence(
    outside: &Outside<'_>,
    references: &[Reference],
    found: &Dependence,
) -> String {
    let (source, sink) = (&references[found.source], &references[found.sink]);
    let pair = Pair::new(outside, source, sink, found.directions.len());
    let vector = pair.vector(&found.directions);
    let words = between(outside.context, outside.body, source, sink);
    format!("{words} has the vector {vector}")
}

/// Returns whether a loop carries values from one iteration to the next.
pub(super) fn carries(body: &Body, op: OperationId) -> bool {
    !body.results(op).is_empty()
}

/// Returns the error text for a loop that carries values.
pub(super) fn carried(context: &Context, body: &Body, op: OperationId) -> String {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let named = body.arguments(block)[1..]
        .iter()
        .find_map(|value| body.value_name(*value));
    let value = named.map_or_else(
        || "a value".to_owned(),
        |name| format!("`%{}`", context.text(name)),
    );
    format!(
        "{} carries {value} from one iteration to the next in `iter_args`",
        title(context, body, op)
    )
}

/// Moves operations between the loops of a perfect nest to the start of the innermost. The chain lists the loops from the
/// outermost inwards.
pub(super) fn sink(body: &mut Body, chain: &[OperationId]) {
    let Some(innermost) = chain.last().copied() else {
        return;
    };
    for around in chain[..chain.len() - 1].iter().rev() {
        let moved: Vec<OperationId> = operations(body, *around)
            .into_iter()
            .filter(|op| !chain.contains(op))
            .collect();
        for op in moved.into_iter().rev() {
            let block = body.entry_block(innermost, 0).expect("a loop has a body");
            let first = body
                .first_operation(block)
                .expect("a body ends in a terminator");
            body.move_before(first, op);
        }
    }
}
