//! The `scf-parallel-loop-fusion` pass: parallel loops over the same points, one after the other, become one loop.
//!
//! Source: MLIR, `naivelyFuseParallelOps`. Differs: version 19 compares loads with stores only, and takes it that iterations access
//! different elements. Here, two accesses to one memory, one of which is a store, have the same indices, with every counter among them.

use sluice_dialects::{aliases, arith, memref, scf};
use sluice_ir::definition::Traits;
use sluice_ir::effects::Effects;
use sluice_ir::{
    BlockId, Body, Context, NewOperation, OperationId, RegionId, ValueId, ValueMap, View,
};

use crate::argument_aliases;

/// Fuses the adjacent parallel loops of a body.
pub(crate) fn fuse(context: &Context, body: &mut Body) {
    let top = body.top_regions().collect::<Vec<_>>();
    let ops = body.walk_all();
    let nested = ops.iter().rev().filter(|op| !body.is_isolated(**op));
    let nested: Vec<RegionId> = nested.flat_map(|op| body.regions(*op).to_vec()).collect();
    for region in nested.into_iter().chain(top) {
        for block in body.blocks(region).to_vec() {
            fuse_block(context, body, block);
        }
    }
}

fn fuse_block(context: &Context, body: &mut Body, block: BlockId) {
    let mut before: Option<OperationId> = None;
    for op in body.operations(block).collect::<Vec<_>>() {
        let view = View::new(context, body, op);
        if view.name() == scf::Parallel::NAME {
            before = Some(match before {
                Some(first) if is_legal(context, body, first, op) => {
                    join(context, body, first, op).unwrap_or(op)
                }
                Some(_) | None => op,
            });
            continue;
        }
        let effects = Effects::own(context, body, op);
        let is_pure = view.definition().is_some() && !effects.touches() && !effects.allocates;
        if !is_pure || !view.regions().is_empty() {
            before = None;
        }
    }
}

fn is_legal(context: &Context, body: &Body, first: OperationId, second: OperationId) -> bool {
    let (a, b) = (
        View::new(context, body, first),
        View::new(context, body, second),
    );
    let has_nested = |op: OperationId| {
        let mut inside = body.walk(op).into_iter().filter(|inner| *inner != op);
        inside.any(|inner| context.operation_text(body.name(inner)) == scf::Parallel::NAME)
    };
    let is_same_space = (0..3).all(|group| a.operand_group(group) == b.operand_group(group));
    if has_nested(first) || has_nested(second) || !is_same_space {
        return false;
    }
    // Nothing between the loops uses a result of the first one.
    let block = body.parent_block(first);
    let mut between = Vec::new();
    let mut next = body.next(first);
    while let Some(op) = next.filter(|op| *op != second) {
        between.push(op);
        next = body.next(op);
    }
    between.push(second);
    let uses = a.results().iter().flat_map(|result| body.uses(*result));
    let is_between = |user: OperationId| {
        let mut around = std::iter::successors(Some(user), |op| body.parent_operation(*op));
        let top = around.find(|op| body.parent_block(*op) == block);
        top.is_some_and(|top| between.contains(&top))
    };
    if uses.map(|(user, _)| user).any(is_between) {
        return false;
    }
    accesses_agree(context, body, first, second).unwrap_or(false)
}

struct Access {
    memory: ValueId,
    indices: Vec<ValueId>,
    is_store: bool,
}

/// Returns the accesses of a loop; `None` if something else in it may access memory.
fn accesses(context: &Context, body: &Body, op: OperationId) -> Option<Vec<Access>> {
    let mut found = Vec::new();
    for inner in body.walk(op) {
        let view = View::new(context, body, inner);
        let (memory, is_store) = match view.name() {
            memref::Load::NAME => (0, false),
            memref::Store::NAME => (1, true),
            _ => {
                let effects = Effects::own(context, body, inner);
                if view.definition().is_none() || effects.touches() || effects.allocates {
                    return None;
                }
                continue;
            }
        };
        found.push(Access {
            memory: view.operand(memory),
            indices: view.operands().skip(memory + 1).collect(),
            is_store,
        });
    }
    Some(found)
}

/// Returns true if accesses of both loops to one element are in the same iteration.
fn accesses_agree(
    context: &Context,
    body: &Body,
    first: OperationId,
    second: OperationId,
) -> Option<bool> {
    let counters = |op: OperationId| Some(body.arguments(body.entry_block(op, 0)?).to_vec());
    let (of_first, of_second) = (counters(first)?, counters(second)?);
    let (a, b) = (
        accesses(context, body, first)?,
        accesses(context, body, second)?,
    );
    let same = Same {
        context,
        body,
        counters: of_first.iter().copied().zip(of_second).collect(),
    };
    let agree = a.iter().all(|a| {
        b.iter().all(|b| {
            if !(a.is_store || b.is_store) || !may_share(context, body, a, b) {
                return true;
            }
            let is_covered = |counter: &ValueId| {
                let mut indices = a.indices.iter();
                indices.any(|index| same.counts(*index, *counter))
            };
            let mut pairs = a.indices.iter().zip(&b.indices);
            a.memory == b.memory
                && pairs.all(|(a, b)| same.are(*a, *b))
                && of_first.iter().all(is_covered)
        })
    });
    Some(agree)
}

/// Returns true if two accesses may be of one memory. As upstream, only a load and a store of different arguments may be.
fn may_share(context: &Context, body: &Body, a: &Access, b: &Access) -> bool {
    match a.is_store == b.is_store {
        true => aliases::may_alias(context, body, a.memory, b.memory),
        false => argument_aliases::may_alias(context, body, a.memory, b.memory),
    }
}

struct Same<'a> {
    context: &'a Context,
    body: &'a Body,
    counters: ValueMap,
}

impl Same<'_> {
    /// Returns true if a value in the first loop and one in the second loop are equal in the same iteration.
    fn are(&self, a: ValueId, b: ValueId) -> bool {
        let mapped = self.counters.get(&a).copied();
        if mapped.unwrap_or(a) == b {
            return true;
        }
        let definition = |value| self.body.defining_operation(value);
        let (None, Some(a), Some(b)) = (mapped, definition(a), definition(b)) else {
            return false;
        };
        let (a, b) = (
            View::new(self.context, self.body, a),
            View::new(self.context, self.body, b),
        );
        a.has(Traits::PURE)
            && a.name() == b.name()
            && a.attributes() == b.attributes()
            && a.results().len() == 1
            && a.regions().is_empty()
            && a.operands().len() == b.operands().len()
            && a.operands().zip(b.operands()).all(|(a, b)| self.are(a, b))
    }

    /// Returns true if an index is a counter, or the sum of a counter and a value from outside.
    fn counts(&self, index: ValueId, counter: ValueId) -> bool {
        if index == counter {
            return true;
        }
        let Some(op) = self.body.defining_operation(index) else {
            return false;
        };
        let view = View::new(self.context, self.body, op);
        let block = self.body.defining_block(counter);
        let is_outside = |value: &ValueId| {
            let own = self.body.defining_operation(*value);
            let is_constant = own.is_some_and(|own| view.at(own).has(Traits::CONSTANT_LIKE));
            let owner = block.and_then(|block| self.body.block_parent_operation(block));
            let around = self
                .body
                .defining_block(*value)
                .and_then(|block| self.body.block_parent_operation(block));
            is_constant
                || owner.is_some_and(|owner| {
                    around.is_none_or(|around| !self.body.is_ancestor(owner, around))
                })
        };
        matches!(view.name(), arith::Addi::NAME | arith::Subi::NAME)
            && view.operands().filter(|value| *value == counter).count() == 1
            && view
                .operands()
                .filter(|value| *value != counter)
                .all(|value| is_outside(&value))
    }
}

/// Replaces two loops by one in place of the second.
fn join(
    context: &Context,
    body: &mut Body,
    first: OperationId,
    second: OperationId,
) -> Option<OperationId> {
    let (a, b) = (
        View::new(context, body, first),
        View::new(context, body, second),
    );
    let mut new = NewOperation::new(body.name(second), b.location());
    let inits = [a.operand_group(3), b.operand_group(3)].concat();
    let groups = [b.operand_group(0), b.operand_group(1), b.operand_group(2)].concat();
    new.operands.extend(groups.iter().chain(&inits).copied());
    new.result_types = a.result_types().chain(b.result_types()).collect();
    new.attributes = b.attributes().to_vec();
    new.n_regions = 1;
    let sizes = [
        b.operand_group(0).len(),
        b.operand_group(1).len(),
        b.operand_group(2).len(),
        inits.len(),
    ];
    let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let (block_a, block_b) = (a.entry_block(0)?, b.entry_block(0)?);
    let (end_a, end_b) = (body.last_operation(block_a)?, body.last_operation(block_b)?);
    let results = [a.results(), b.results()].concat();
    let made = body.create(context, new);
    let sizes = context.dense_i32_array(&sizes);
    body.set_attribute(made, context.name("operandSegmentSizes"), sizes);
    body.insert_before(second, made);
    let (from, to) = (body.regions(second)[0], body.regions(made)[0]);
    body.move_blocks(from, to);
    let pairs: Vec<_> = (body.arguments(block_a).iter().copied())
        .zip(body.arguments(block_b).to_vec())
        .collect();
    for (old, new) in pairs {
        body.replace_all_uses(old, new);
    }
    let place = body.first_operation(block_b)?;
    for op in body.operations(block_a).collect::<Vec<_>>() {
        if op != end_a {
            body.move_before(place, op);
        }
    }
    let mut end = NewOperation::new(body.name(end_b), body.location(end_b));
    end.operands = body.operands(end_a).chain(body.operands(end_b)).collect();
    let regions = [body.regions(end_a), body.regions(end_b)].concat();
    end.n_regions = regions.len();
    let end = body.create(context, end);
    body.append(block_b, end);
    for (from, to) in regions.into_iter().zip(body.regions(end).to_vec()) {
        body.move_blocks(from, to);
    }
    body.erase(end_b);
    for (i, old) in results.into_iter().enumerate() {
        let new = body.result(made, i);
        body.replace_all_uses(old, new);
    }
    body.erase(first);
    body.erase(second);
    Some(made)
}
