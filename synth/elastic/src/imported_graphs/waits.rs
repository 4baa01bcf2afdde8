//! Finds out which tokens memory accesses wait for, to decide whether a wait can be removed without reordering accesses.
//!
//! Graphs made by CIRCT order accesses only by dataless tokens. If the request of an access depends on the answer of another one
//! of the same memory, and one of them writes, there is also a path of dataless tokens from the "done" of the first to the order
//! operand of the second. In such graphs, waits of data tokens do not matter. In other graphs, they may be the only order
//! between two accesses.

use std::collections::BTreeSet;

use sluice_dialects::handshake;
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use crate::channels::{Channels, Port, is_call, is_memory};
use crate::graph::Graph;

/// The channels before and after accesses of memories that are written.
pub(super) struct Waits {
    /// Channels whose tokens may depend on an access.
    behind: BTreeSet<ValueId>,
    /// Channels that an access may depend on.
    before: BTreeSet<ValueId>,
    /// True if dataless tokens alone keep accesses in order.
    is_by_tokens: bool,
    /// The dataless channels.
    tokens: BTreeSet<ValueId>,
}

/// An access of a memory.
struct Access {
    writes: bool,
    operands: Vec<ValueId>,
    answers: Vec<ValueId>,
}

impl Waits {
    pub(super) fn find(graph: &Graph<'_>) -> Self {
        let (context, body) = (graph.context, &*graph.body);
        let ops = body.walk_all();
        let is_ordered = |view: View<'_>| {
            let n_stores = view.attribute("stCount").and_then(|n| n.as_i64(context));
            is_call(view) || is_memory(view) && n_stores != Some(0)
        };
        let (mut behind, mut before) = (BTreeSet::new(), BTreeSet::new());
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for op in &ops {
                let view = View::new(context, body, *op);
                let is_ordered = is_ordered(view);
                if is_ordered || view.operands().any(|operand| behind.contains(&operand)) {
                    for result in view.results() {
                        is_changed |= behind.insert(*result);
                    }
                }
                if is_ordered || view.results().iter().any(|result| before.contains(result)) {
                    for operand in view.operands() {
                        is_changed |= before.insert(operand);
                    }
                }
            }
        }
        let none = context.none_type();
        let mut tokens = BTreeSet::new();
        for op in &ops {
            let results = body.results(*op).iter();
            tokens.extend(results.filter(|result| body.ty(**result) == none));
        }
        Self {
            behind,
            before,
            is_by_tokens: is_by_tokens(graph),
            tokens,
        }
    }

    /// Returns whether a value may arrive without waiting for the channels in `waited`.
    pub(super) fn may_go(&self, waited: &[ValueId], value: ValueId) -> bool {
        self.is_by_tokens && !self.tokens.contains(&value)
            || !self.before.contains(&value)
            || waited.iter().all(|value| !self.behind.contains(value))
    }

    /// Returns whether the values that a merge's index selects may wait for the conditions alone.
    pub(super) fn may_choose(&self, merge: ValueId) -> bool {
        self.is_by_tokens || !self.before.contains(&merge) || !self.behind.contains(&merge)
    }
}

/// Returns the channels that a constant value waits for, besides the conditions of its own domain: triggers, conditions of
/// conditionals that it leaves, and conditions of loops that it leaves.
pub(super) fn needed(
    graph: &Graph<'_>,
    value: ValueId,
    is_same: &dyn Fn(ValueId) -> bool,
) -> Vec<ValueId> {
    let (context, body) = (graph.context, &*graph.body);
    let mut needed = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(op) = body.defining_operation(value).filter(|_| is_same(value)) else {
            needed.push(value);
            continue;
        };
        let view = View::new(context, body, op);
        let operands: Vec<ValueId> = view.operands().collect();
        match view.name() {
            handshake::Mux::NAME => {
                if !begins_loop(context, body, operands[0]) {
                    needed.push(operands[0]);
                }
                open.extend(&operands[1..]);
            }
            handshake::ConditionalBranch::NAME => {
                if view.result(1) == value && ends_loop(context, body, operands[0]) {
                    needed.push(operands[0]);
                }
                open.push(operands[1]);
            }
            handshake::Buffer::NAME => open.push(operands[0]),
            _ => needed.extend(operands),
        }
    }
    needed
}

/// Returns whether dataless tokens order all pairs of accesses that are ordered in any way.
fn is_by_tokens(graph: &Graph<'_>) -> bool {
    let (context, body) = (graph.context, &*graph.body);
    let channels = Channels::new(context, body);
    let ops = body.walk_all();
    let none = context.none_type();
    for op in &ops {
        let memory = View::new(context, body, *op);
        if !is_memory(memory) {
            continue;
        }
        let accesses: Option<Vec<Access>> = Port::all(channels, memory)
            .into_iter()
            .map(|port| {
                let address = memory.operand(*port.operands.last()?);
                let access = body.defining_operation(channels.root(address))?;
                let answers = port.results.iter().map(|i| memory.result(*i));
                Some(Access {
                    writes: port.stores,
                    operands: body.operands(access).collect(),
                    answers: answers.collect(),
                })
            })
            .collect();
        let Some(accesses) = accesses else {
            return false;
        };
        for (i, first) in accesses.iter().enumerate() {
            let hang = ways(graph, &ops, &first.answers, &|_| true);
            let is_token = |value: ValueId| body.ty(value) == none;
            let done: Vec<ValueId> = first
                .answers
                .iter()
                .copied()
                .filter(|a| is_token(*a))
                .collect();
            let told = ways(graph, &ops, &done, &is_token);
            for (k, second) in accesses.iter().enumerate() {
                let hangs = second.operands.iter().any(|operand| hang.contains(operand));
                let is_told = second
                    .operands
                    .last()
                    .is_some_and(|order| told.contains(order));
                if i != k && (first.writes || second.writes) && hangs && !is_told {
                    return false;
                }
            }
        }
    }
    true
}

/// Returns the channels that depend on some channels along paths that satisfy `passes`; a memory's answer depends on the request
/// of the access.
fn ways(
    graph: &Graph<'_>,
    ops: &[OperationId],
    from: &[ValueId],
    passes: &dyn Fn(ValueId) -> bool,
) -> BTreeSet<ValueId> {
    let (context, body) = (graph.context, &*graph.body);
    let channels = Channels::new(context, body);
    let mut found: BTreeSet<ValueId> = from.iter().copied().collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for op in ops {
            let view = View::new(context, body, *op);
            // An answer depends only on the request of its own port.
            if is_memory(view) || !view.operands().any(|operand| found.contains(&operand)) {
                continue;
            }
            let mut results = view.results().to_vec();
            if matches!(view.name(), handshake::Load::NAME | handshake::Store::NAME) {
                results.extend(channels.answers(*op));
            }
            for result in results.into_iter().filter(|result| passes(*result)) {
                is_changed |= found.insert(result);
            }
        }
    }
    found
}

/// Returns whether a bit comes from the first-iteration register of a loop.
pub(super) fn begins_loop(context: &Context, body: &Body, select: ValueId) -> bool {
    let channels = Channels::new(context, body);
    let register = body.defining_operation(channels.root(select));
    register.is_some_and(|op| {
        View::new(context, body, op)
            .attribute("initValues")
            .is_some()
    })
}

/// Returns whether a bit is stored in the first-iteration register of a loop.
fn ends_loop(context: &Context, body: &Body, condition: ValueId) -> bool {
    let mut open = vec![Channels::new(context, body).root(condition)];
    let mut seen = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        for (user, _) in body.uses(value) {
            let view = View::new(context, body, user);
            match view.name() {
                handshake::Buffer::NAME if view.attribute("initValues").is_some() => return true,
                handshake::Buffer::NAME => open.extend(view.results()),
                _ => {}
            }
        }
    }
    false
}
