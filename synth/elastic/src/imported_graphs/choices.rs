//! Converts merges with a known token order to multiplexers controlled by conditions.

use sluice_dialects::handshake;
use sluice_ir::{Body, OperationId, ValueId, View};

use crate::graph::Graph;
use crate::proof::{Choice, Order};

/// Converts every merge with a known order, and the multiplexers that its index controls.
pub(super) fn choices(graph: &mut Graph<'_>, orders: Vec<(ValueId, Order)>) {
    let mut replaced = Vec::new();
    for (result, order) in orders {
        graph.location = graph.body.value_location(result);
        convert_merge(graph, result, &order, &mut replaced);
    }
    for (old, new) in replaced {
        replace(graph, old, new);
    }
}

/// Replaces all uses of a value by another one, which takes over its name.
fn replace(graph: &mut Graph<'_>, old: ValueId, new: ValueId) {
    let name = graph.body.value_name(old);
    graph.body.set_value_name(new, name);
    graph.body.replace_all_uses(old, new);
}

/// Converts a merge, and the operations that its index controls, to multiplexers. Appends pairs of old and new results to
/// `replaced`; until the caller replaces them, conditions may still refer to old results.
fn convert_merge(
    graph: &mut Graph<'_>,
    result: ValueId,
    order: &Order,
    replaced: &mut Vec<(ValueId, ValueId)>,
) {
    let Some(merge) = graph.body.defining_operation(result) else {
        return;
    };
    let choice = match order {
        Order::Conditional(choice) => choice.clone(),
        Order::Loop {
            again,
            goes_on,
            entry,
            back,
        } => {
            let goes_on = match goes_on {
                true => *again,
                false => turn(graph, *again),
            };
            Choice::By {
                condition: graph.starter(goes_on),
                no: Box::new(entry.clone()),
                yes: Box::new(back.clone()),
            }
        }
    };
    // `turn` may have changed the operands of the merge to the other result of a branch.
    let inputs: Vec<ValueId> = graph.body.operands(merge).collect();
    if let Some(index) = graph.body.results(merge).get(1).copied() {
        select(graph, index, &choice, inputs.len(), replaced);
    }
    replaced.push((result, chosen(graph, &choice, &inputs)));
}

/// Builds the multiplexers that select the value with a token.
fn chosen(graph: &mut Graph<'_>, choice: &Choice, values: &[ValueId]) -> ValueId {
    match choice {
        Choice::Input(input) => values[*input],
        Choice::By { condition, no, yes } => {
            let sides = [no, yes].map(|side| chosen(graph, side, values));
            graph.mux(*condition, &sides)
        }
    }
}

/// Replaces a bit by its complement in all branches and multiplexers that it controls; returns the complement.
fn turn(graph: &mut Graph<'_>, bit: ValueId) -> ValueId {
    let uses: Vec<_> = graph.body.uses(bit).collect();
    let opposite = graph.opposite(bit);
    for (user, operand) in uses {
        let view = View::new(graph.context, graph.body, user);
        match (view.name(), operand) {
            (handshake::Mux::NAME, 0) if view.operands().len() == 3 => {
                graph.body.set_operand(user, 0, opposite);
                swap_operands(graph.body, user);
            }
            (handshake::ConditionalBranch::NAME, 0) => {
                let [yes, no] = [0, 1].map(|i| graph.body.result(user, i));
                graph.body.set_operand(user, 0, opposite);
                let ty = graph.body.ty(yes);
                let wire = graph.wire(ty);
                graph.body.replace_all_uses(yes, wire);
                graph.body.replace_all_uses(no, yes);
                graph.connect(wire, no);
            }
            _ => {}
        }
    }
    opposite
}

/// Swaps the data operands of a multiplexer of two.
fn swap_operands(body: &mut Body, mux: OperationId) {
    let [a, b] = [1, 2].map(|i| body.operand(mux, i));
    body.set_operand(mux, 1, b);
    body.set_operand(mux, 2, a);
}

/// Replaces the uses of a merge's index by the choice, including those after buffers.
fn select(
    graph: &mut Graph<'_>,
    index: ValueId,
    choice: &Choice,
    n_inputs: usize,
    replaced: &mut Vec<(ValueId, ValueId)>,
) {
    let uses: Vec<_> = graph.body.uses(index).collect();
    for (user, operand) in uses {
        let view = View::new(graph.context, graph.body, user);
        let operands: Vec<ValueId> = view.operands().collect();
        graph.location = graph.body.location(user);
        match (view.name(), operand) {
            (handshake::Mux::NAME, 0) if operands.len() == 1 + n_inputs => {
                let chosen = chosen(graph, choice, &operands[1..]);
                replaced.push((graph.body.result(user, 0), chosen));
            }
            (handshake::Buffer::NAME, _) if view.attribute("initValues").is_none() => {
                let behind = graph.body.result(user, 0);
                select(graph, behind, choice, n_inputs, replaced);
            }
            _ => {
                let ty = graph.body.ty(index);
                let source = graph.source();
                let numbers = (0..n_inputs).map(|i| {
                    let number = u64::try_from(i).unwrap_or(0);
                    graph.number(number, ty, source)
                });
                let numbers: Vec<ValueId> = numbers.collect();
                let number = chosen(graph, choice, &numbers);
                graph.body.set_operand(user, operand, number);
            }
        }
    }
}
