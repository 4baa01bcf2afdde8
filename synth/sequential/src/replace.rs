//! Replacement of nets by a representative of their class: a constant, a register, or the member with the least depth.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{comb, hw};
use sluice_ir::bits::Bits;
use sluice_ir::patterns::keep_what_is_needed;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use crate::classes::Classes;
use crate::logic::{Inputs, Logic, is_bit};

/// The inputs of the module on which a net depends combinationally.
type Support = BTreeSet<ValueId>;

/// The combinational depth of nets, and the inputs on which they depend.
struct Depths<'a> {
    context: &'a Context,
    body: &'a Body,
    depth: BTreeMap<ValueId, usize>,
    support: BTreeMap<ValueId, Support>,
}

impl<'a> Depths<'a> {
    /// Returns the combinational operation that drives a net; results of instances and memories count as registers.
    fn gate(&self, value: ValueId) -> Option<View<'a>> {
        let op = self.body.defining_operation(value)?;
        let view = View::new(self.context, self.body, op);
        let is_gate = view.name().starts_with("comb.") || view.name() == hw::ArrayGet::NAME;
        is_gate.then_some(view)
    }

    fn visit(&mut self, value: ValueId) {
        let mut open = vec![(value, false)];
        while let Some((value, is_ready)) = open.pop() {
            if self.depth.contains_key(&value) {
                continue;
            }
            let Some(view) = self.gate(value) else {
                let is_input = self.body.defining_operation(value).is_none();
                let is_flag = is_input && is_bit(self.context, self.body, value);
                self.depth.insert(value, 0);
                let support = is_flag.then_some(value).into_iter().collect();
                self.support.insert(value, support);
                continue;
            };
            if !is_ready {
                open.push((value, true));
                let missing = view.operands().filter(|x| !self.depth.contains_key(x));
                open.extend(missing.map(|x| (x, false)));
                continue;
            }
            let depths = view.operands().filter_map(|x| self.depth.get(&x).copied());
            let depth = 1 + depths.max().unwrap_or(0);
            let supports = view.operands().filter_map(|x| self.support.get(&x));
            let support = supports.flatten().copied().collect();
            self.depth.insert(value, depth);
            self.support.insert(value, support);
        }
    }
}

/// Replaces nets by others of their class; returns their number. A net never gets a combinational dependence on a further input
/// of the module.
pub(crate) fn replace(
    context: &Context,
    body: &mut Body,
    logic: &Logic,
    classes: &Classes,
) -> usize {
    let plan = plan(context, body, logic, classes);
    let mut inverses: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for (value, with) in &plan {
        let new = match with {
            With::Constant(is_set) => constant(context, body, *value, *is_set),
            With::Net(net, false) => *net,
            With::Net(net, true) => match inverses.get(net) {
                Some(known) => *known,
                None => {
                    let new = inverse(context, body, *value, *net);
                    inverses.insert(*net, new);
                    new
                }
            },
        };
        body.replace_all_uses(*value, new);
    }
    plan.len()
}

/// The replacement of a net.
enum With {
    Constant(bool),
    Net(ValueId, bool),
}

fn plan(context: &Context, body: &Body, logic: &Logic, classes: &Classes) -> Vec<(ValueId, With)> {
    let mut depths = Depths {
        context,
        body,
        depth: BTreeMap::new(),
        support: BTreeMap::new(),
    };
    // The nets in each class, the one with the least depth first.
    let mut members: BTreeMap<usize, Vec<(usize, usize, ValueId, bool)>> = BTreeMap::new();
    for (order, (value, literal)) in logic.values.iter().enumerate() {
        depths.visit(*value);
        let (class, sign) = classes.class(literal.node());
        let sign = sign != literal.is_inverse();
        let depth = depths.depth[value];
        members
            .entry(class)
            .or_default()
            .push((depth, order, *value, sign));
    }
    let is_constant = |value: ValueId| {
        let op = body.defining_operation(value);
        op.is_some_and(|op| View::new(context, body, op).name() == hw::Constant::NAME)
    };
    let is_inverse_of = |value: ValueId, net: ValueId| {
        let op = body.defining_operation(value);
        op.is_some_and(|op| {
            let view = View::new(context, body, op);
            view.name() == comb::Xor::NAME
                && view.operands().len() == 2
                && view.operands().any(|x| x == net)
                && view.operands().any(is_constant)
        })
    };
    let mut plan = Vec::new();
    for (class, mut members) in members {
        if class == 0 {
            let (_, zero) = classes.class(0);
            for (_, _, value, sign) in members {
                if !is_constant(value) && body.defining_operation(value).is_some() {
                    plan.push((value, With::Constant(sign != zero)));
                }
            }
            continue;
        }
        members.sort_unstable();
        for at in 1..members.len() {
            let (_, _, value, sign) = members[at];
            if body.defining_operation(value).is_none() {
                continue;
            }
            let own = &depths.support[&value];
            let other = members[..at]
                .iter()
                .find(|(_, _, other, _)| depths.support[other].is_subset(own));
            if let Some((_, _, other, others)) = other {
                let is_inverse = *others != sign;
                if !(is_inverse && is_inverse_of(value, *other)) {
                    plan.push((value, With::Net(*other, is_inverse)));
                }
            }
        }
    }
    plan
}

fn constant(context: &Context, body: &mut Body, at: ValueId, is_set: bool) -> ValueId {
    let op = body
        .defining_operation(at)
        .expect("only results are replaced");
    let flag = context.integer_type(1);
    let value = context.integer_attribute(flag, Bits::from_u64(1, u64::from(is_set)));
    let mut builder = Builder::before(context, body, op);
    let new = builder.operation(hw::Constant::NAME, &[], &[flag], &[("value", value)]);
    body.result(new, 0)
}

fn inverse(context: &Context, body: &mut Body, at: ValueId, net: ValueId) -> ValueId {
    let yes = constant(context, body, at, true);
    let op = body
        .defining_operation(at)
        .expect("only results are replaced");
    let flag = context.integer_type(1);
    let mut builder = Builder::before(context, body, op);
    let new = builder.operation(comb::Xor::NAME, &[net, yes], &[flag], &[]);
    body.result(new, 0)
}

/// Removes unused operations, and registers that only feed themselves.
pub(crate) fn sweep(context: &Context, body: &mut Body) {
    let all = body.walk_all();
    let is_kept = |op: OperationId| {
        let view = View::new(context, body, op);
        let is_logic = view.name().starts_with("comb.")
            || matches!(
                view.name(),
                hw::Constant::NAME | hw::AggregateConstant::NAME | hw::ArrayGet::NAME
            );
        !is_logic && Inputs::of(view).is_none()
    };
    let kept: Vec<OperationId> = all.into_iter().filter(|op| is_kept(*op)).collect();
    keep_what_is_needed(body, kept);
}
