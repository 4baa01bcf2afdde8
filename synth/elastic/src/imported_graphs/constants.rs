//! Replaces operands that are always constant by constants without a trigger.

use std::collections::BTreeMap;

use sluice_dialects::handshake;
use sluice_ir::bits::Bits;
use sluice_ir::{Body, ValueId, View};

use super::waits::{Waits, begins_loop, needed};
use crate::graph::Graph;

/// The known value of all tokens of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Same {
    /// All tokens have this value.
    Number(Bits),
    Different,
}

/// Returns the channels whose tokens all have the same value: constants, and values that pass unchanged through loops or
/// conditionals.
fn same(graph: &Graph<'_>) -> BTreeMap<ValueId, Same> {
    let (context, body) = (graph.context, &*graph.body);
    let ops = body.walk_all();
    let mut found: BTreeMap<ValueId, Same> = BTreeMap::new();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for op in &ops {
            let view = View::new(context, body, *op);
            let is_number = |value: &ValueId| body.ty(*value).width_bits(context).is_some();
            for result in view.results().iter().filter(|result| is_number(result)) {
                let of = |operands: &mut dyn Iterator<Item = ValueId>| {
                    // Optimistic: unknown operands may turn out to be the same value.
                    operands
                        .filter_map(|operand| match is_argument(body, operand) {
                            true => Some(Same::Different),
                            false => found.get(&operand).cloned(),
                        })
                        .reduce(|a, b| if a == b { a } else { Same::Different })
                };
                let holds_tokens = view.attribute("initValues").is_some();
                let made = match view.name() {
                    handshake::Constant::NAME => graph.constant_of(*result).map(Same::Number),
                    handshake::Mux::NAME => of(&mut view.operands().skip(1)),
                    handshake::ConditionalBranch::NAME => of(&mut view.operands().skip(1).take(1)),
                    handshake::Buffer::NAME if !holds_tokens => of(&mut view.operands()),
                    _ => Some(Same::Different),
                };
                if made.is_some() && made.as_ref() != found.get(result) {
                    found.extend(made.map(|made| (*result, made)));
                    is_changed = true;
                }
            }
        }
    }
    found
}

fn is_argument(body: &Body, value: ValueId) -> bool {
    body.defining_operation(value).is_none()
}

/// Replaces operands that are always the same number by constants without a trigger, if another operand has real tokens and no
/// memory access loses a wait by this. A constant initial value of a loop is instead triggered by another value that enters the
/// loop: otherwise the loop would begin before the call does.
pub(super) fn constants(graph: &mut Graph<'_>, waits: &Waits) {
    let same = same(graph);
    let number = |value: ValueId| match same.get(&value) {
        Some(Same::Number(number)) => Some(number.clone()),
        _ => None,
    };
    let mut source = None;
    for op in graph.body.walk_all() {
        let view = View::new(graph.context, graph.body, op);
        let operands: Vec<ValueId> = view.operands().collect();
        // The first replaceable operand: the select input of a multiplexer is not replaced.
        let first = match view.name() {
            handshake::Mux::NAME if operands.len() == 3 => 1,
            name if name.starts_with("arith.") && operands.len() > 1 => 0,
            _ => continue,
        };
        let comes = |value: &ValueId| number(*value).is_none() && !graph.is_sourced(*value);
        if !operands[first..].iter().any(comes) {
            continue;
        }
        let result = view.result(0);
        let enters = first == 1 && begins_loop(graph.context, graph.body, operands[0]);
        let location = graph.body.location(op);
        for (i, operand) in operands.iter().enumerate().skip(first) {
            let Some(bits) = number(*operand).filter(|_| !graph.is_sourced(*operand)) else {
                continue;
            };
            let waited = needed(graph, *operand, &|value| number(value).is_some());
            if !waits.may_go(&waited, result) {
                continue;
            }
            graph.location = location;
            let trigger = match enters && i == 1 {
                true => {
                    let other = graph.body.uses(operands[0]).find_map(|(user, index)| {
                        let view = View::new(graph.context, graph.body, user);
                        let is_mux = view.name() == handshake::Mux::NAME && index == 0;
                        let entry = is_mux.then(|| view.operand(1))?;
                        (number(entry).is_none() && !graph.is_sourced(entry)).then_some(entry)
                    });
                    match other {
                        Some(other) => graph.join(&[other]),
                        None => continue,
                    }
                }
                false => *source.get_or_insert_with(|| graph.source()),
            };
            let ty = graph.body.ty(*operand);
            let constant = graph.constant_of_type(bits, ty, trigger);
            graph.body.set_operand(op, i, constant);
        }
    }
}
