//! Patterns for branches: constant conditions, branches to branches, blocks with a single predecessor.
//!
//! Source: the canonicalisations of MLIR's cf dialect.

use sluice_dialects::{arith, cf, cf::switch_cases};
use sluice_ir::bits::Bits;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::simplify::constant_of;
use sluice_ir::{
    AttributeKind, BlockId, Body, Context, NewOperation, OperationId, TypeKind, ValueId, View,
};

use super::blocks::{pass_on, passed_on};

pub(super) const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "branch-to-only-follower",
        roots: &[cf::Br::NAME],
        benefit: 2,
        rewrite: to_only_follower,
    },
    &Pattern {
        name: "branch-through-empty-block",
        roots: &[cf::Br::NAME, cf::CondBr::NAME, cf::Switch::NAME],
        benefit: 2,
        rewrite: through_empty_block,
    },
    &Pattern {
        name: "branch-that-is-decided",
        roots: &[cf::CondBr::NAME, cf::Switch::NAME],
        benefit: 3,
        rewrite: decided,
    },
    &Pattern {
        name: "branch-to-one-block-either-way",
        roots: &[cf::CondBr::NAME],
        benefit: 1,
        rewrite: same_successors,
    },
    &Pattern {
        name: "branch-on-condition-known-here",
        roots: &[cf::CondBr::NAME],
        benefit: 1,
        rewrite: condition_known_here,
    },
    &Pattern {
        name: "condition-known-after-branch",
        roots: &[cf::CondBr::NAME],
        benefit: 0,
        rewrite: condition_known_after,
    },
    &Pattern {
        name: "switch-cases-like-default",
        roots: &[cf::Switch::NAME],
        benefit: 1,
        rewrite: cases_like_default,
    },
    &Pattern {
        name: "assertion-that-holds",
        roots: &[cf::Assert::NAME],
        benefit: 1,
        rewrite: assertion_holds,
    },
];

/// Returns the number of edges in this region that lead to `block`.
fn n_predecessors(body: &Body, block: BlockId) -> usize {
    predecessors(body, block).count()
}

fn predecessors(body: &Body, block: BlockId) -> impl Iterator<Item = (BlockId, usize)> {
    let region = body.parent_region(block);
    let blocks = region.map(|region| body.blocks(region)).unwrap_or_default();
    blocks.iter().flat_map(move |other| {
        let last = body.last_operation(*other);
        let successors = last.map(|last| body.successors(last)).unwrap_or_default();
        let found = successors.iter().enumerate();
        found
            .filter(move |(_, successor)| **successor == block)
            .map(|(i, _)| (*other, i))
    })
}

fn is_entry(body: &Body, block: BlockId) -> bool {
    let region = body.parent_region(block);
    region.is_some_and(|region| body.blocks(region).first() == Some(&block))
}

/// Replaces `op` by `cf.br`.
fn replace_by_branch(
    rewriter: &mut Rewriter<'_>,
    op: OperationId,
    block: BlockId,
    operands: &[ValueId],
) {
    let location = rewriter.body().location(op);
    let mut new = NewOperation::new(rewriter.context.operation_name(cf::Br::NAME), location);
    new.operands = operands.into();
    new.successors.push(block);
    rewriter.create(op, new);
    rewriter.erase(op);
}

/// Merges the successor of an unconditional branch into the block, if the successor has no other predecessor.
fn to_only_follower(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = rewriter.body();
    let next = body.successors(op)[0];
    let own = body.parent_block(op);
    if own == Some(next) || is_entry(body, next) || n_predecessors(body, next) != 1 {
        return false;
    }
    let Some(own) = own else { return false };
    let passed: Vec<ValueId> = body.operands(op).collect();
    let arguments = body.arguments(next).to_vec();
    let moved: Vec<OperationId> = body.operations(next).collect();
    for (argument, value) in arguments.into_iter().zip(passed) {
        rewriter.replace_value(argument, value);
    }
    rewriter.erase(op);
    let Some(anchor) = moved.first().copied() else {
        return false;
    };
    rewriter.update(anchor, |body| {
        for op in moved {
            body.move_to_end(own, op);
        }
        body.erase_block(next);
    });
    true
}

/// If a block contains only a `cf.br`, returns the target and the values passed to it when the block is entered with `values`.
fn forwarded(
    context: &Context,
    body: &Body,
    block: BlockId,
    values: &[ValueId],
) -> Option<(BlockId, Vec<ValueId>)> {
    let only = body.first_operation(block)?;
    let view = View::new(context, body, only);
    if body.next(only).is_some() || view.name() != cf::Br::NAME {
        return None;
    }
    let next = view.successors()[0];
    // A block that branches to itself has no other target. Its arguments must have no use outside the block.
    let arguments = body.arguments(block);
    let used_here = |argument: &ValueId| body.uses(*argument).all(|(user, _)| user == only);
    if next == block || !arguments.iter().all(used_here) {
        return None;
    }
    let passed = view.operands().map(|value| {
        let position = arguments.iter().position(|argument| *argument == value);
        position.map_or(Some(value), |i| values.get(i).copied())
    });
    Some((next, passed.collect::<Option<_>>()?))
}

/// Redirects a branch around a successor that contains only a `cf.br`.
fn through_empty_block(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let context = rewriter.context;
    let view = rewriter.view(op);
    let Some(mut passed) = passed_on(view) else {
        return false;
    };
    let mut successors = view.successors().to_vec();
    let own = view.body.parent_block(op);
    let mut changed = false;
    for (block, values) in successors.iter_mut().zip(&mut passed) {
        if Some(*block) != own
            && let Some((next, new)) = forwarded(context, view.body, *block, values)
        {
            (*block, *values) = (next, new);
            changed = true;
        }
    }
    if changed {
        rewriter.update(op, |body| {
            for (i, block) in successors.into_iter().enumerate() {
                body.set_successor(op, i, block);
            }
            pass_on(context, body, op, &passed);
        });
    }
    changed
}

/// Replaces a branch with a constant condition by a branch to the block that it takes.
fn decided(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = rewriter.view(op);
    let Some(constant) = constant_of(view.context, view.body, view.operand(0)) else {
        return false;
    };
    let taken = view.definition().and_then(|d| d.successor);
    let mut constants = vec![None; view.operands().len()];
    constants[0] = Some(constant);
    let Some(taken) = taken.and_then(|taken| taken(view, &constants)) else {
        return false;
    };
    let (Some(passed), block) = (view.successor_operands(taken), view.successors()[taken]) else {
        return false;
    };
    replace_by_branch(rewriter, op, block, &passed);
    true
}

/// Replaces a conditional branch with equal successors by a `cf.br`, with selects for the values that differ.
fn same_successors(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = rewriter.view(op);
    let (block, other) = (view.successors()[0], view.successors()[1]);
    if block != other {
        return false;
    }
    let Some(passed) = passed_on(view) else {
        return false;
    };
    let (location, condition) = (view.location(), view.operand(0));
    let differ = passed[0] != passed[1];
    if differ && n_predecessors(view.body, block) != 2 {
        return false;
    }
    let mut values = Vec::new();
    for (a, b) in passed[0].iter().zip(&passed[1]) {
        if a == b {
            values.push(*a);
            continue;
        }
        let mut new = NewOperation::new(
            rewriter.context.operation_name(arith::Select::NAME),
            location,
        );
        new.operands = [condition, *a, *b].into_iter().collect();
        new.result_types.push(rewriter.body().ty(*a));
        let select = rewriter.create(op, new);
        values.push(rewriter.body().result(select, 0));
    }
    replace_by_branch(rewriter, op, block, &values);
    true
}

/// Folds a conditional branch in a block whose only predecessor branches on the same condition.
fn condition_known_here(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = rewriter.view(op);
    let body = view.body;
    let Some(own) = body.parent_block(op) else {
        return false;
    };
    let from: Vec<_> = predecessors(body, own).take(2).collect();
    let [(block, way)] = from[..] else {
        return false;
    };
    let Some(last) = body.last_operation(block).map(|last| view.at(last)) else {
        return false;
    };
    if last.name() != cf::CondBr::NAME || last.operand(0) != view.operand(0) || block == own {
        return false;
    }
    let (Some(passed), next) = (view.successor_operands(way), view.successors()[way]) else {
        return false;
    };
    replace_by_branch(rewriter, op, next, &passed);
    true
}

/// Replaces uses of a branch's condition by a constant in a successor that has no other predecessor.
fn condition_known_after(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = rewriter.view(op);
    let condition = view.operand(0);
    let mut changed = false;
    let ways: Vec<BlockId> = view.successors().to_vec();
    for (way, block) in ways.into_iter().enumerate() {
        let body = rewriter.body();
        if n_predecessors(body, block) != 1 {
            continue;
        }
        let users: Vec<(OperationId, usize)> = body
            .uses(condition)
            .filter(|(user, _)| body.parent_block(*user) == Some(block))
            .collect();
        let ty = body.ty(condition);
        let Some(first) = body.first_operation(block).filter(|_| !users.is_empty()) else {
            continue;
        };
        let value = rewriter.context.bool_attribute(way == 0);
        let Some(new) = sluice_dialects::arith::materialize(
            rewriter.context,
            value,
            ty,
            rewriter.body().location(op),
        ) else {
            continue;
        };
        let made = rewriter.create(first, new);
        let constant = rewriter.body().result(made, 0);
        for (user, index) in users {
            rewriter.update(user, |body| body.set_operand(user, index, constant));
        }
        changed = true;
    }
    changed
}

/// Removes switch cases that equal the default, and replaces a switch without other cases by a branch.
fn cases_like_default(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let context = rewriter.context;
    let view = rewriter.view(op);
    let cases = switch_cases(view);
    let Some((default, others)) = cases.split_first() else {
        return false;
    };
    if others.is_empty() {
        let (block, operands) = (default.block, default.operands.clone());
        replace_by_branch(rewriter, op, block, &operands);
        return true;
    }
    let kept: Vec<_> = others
        .iter()
        .filter(|case| case.block != default.block || case.operands != default.operands)
        .collect();
    if kept.len() == others.len() {
        return false;
    }
    let mut new = NewOperation::new(view.body.name(op), view.location());
    new.operands.push(view.operand(0));
    new.operands.extend(default.operands.iter().copied());
    let ways = std::iter::once(default).chain(kept.iter().copied());
    new.successors = ways.map(|case| case.block).collect();
    let values: Vec<Bits> = kept.iter().filter_map(|case| case.value.clone()).collect();
    let lists: Vec<Vec<ValueId>> = std::iter::once(default)
        .chain(kept)
        .map(|case| case.operands.clone())
        .collect();
    if !values.is_empty() {
        let splat = values.iter().all(|value| *value == values[0]);
        let ty = context.ty(TypeKind::Vector {
            shape: Box::new([values.len() as u64]),
            scalable: Box::new([false]),
            element: view.ty(view.operand(0)),
        });
        let values = match splat {
            true => values[..1].into(),
            false => values.into_boxed_slice(),
        };
        let elements = AttributeKind::DenseElements { ty, values, splat };
        new.attributes
            .push((context.name("case_values"), context.attribute(elements)));
    }
    let made = rewriter.create(op, new);
    rewriter.update(made, |body| pass_on(context, body, made, &lists));
    rewriter.erase(op);
    true
}

fn assertion_holds(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = rewriter.view(op);
    let known = constant_of(view.context, view.body, view.operand(0));
    let holds = known.and_then(|a| a.as_bool(view.context)) == Some(true);
    if holds {
        rewriter.erase(op);
    }
    holds
}
