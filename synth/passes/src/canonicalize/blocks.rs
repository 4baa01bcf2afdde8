//! Removes unreachable blocks, unused block arguments and dead operations.

use std::collections::BTreeSet;

use sluice_ir::definition::{Arity, Traits};
use sluice_ir::effects::trivially_dead_when_unused;
use sluice_ir::{BlockId, Body, Context, OperationId, RegionId, ValueDefinition, ValueId, View};

/// Erases unreachable blocks and dead values. Returns true if it erased any.
pub(super) fn simplify(context: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    let nested = body.walk_all();
    let nested = nested.into_iter().filter(|op| !body.is_isolated(*op));
    let nested = nested.flat_map(|op| body.regions(op).to_vec());
    let regions: Vec<RegionId> = body.top_regions().chain(nested).collect();
    for region in regions {
        if body.blocks(region).len() > 1 {
            changed |= erase_unreachable(body, region);
        }
    }
    erase_unneeded(context, body) || changed
}

fn erase_unreachable(body: &mut Body, region: RegionId) -> bool {
    let blocks = body.blocks(region).to_vec();
    let mut reached: BTreeSet<BlockId> = BTreeSet::new();
    let mut waiting = vec![blocks[0]];
    while let Some(block) = waiting.pop() {
        if reached.insert(block)
            && let Some(last) = body.last_operation(block)
        {
            waiting.extend(body.successors(last));
        }
    }
    let dead: Vec<BlockId> = blocks
        .into_iter()
        .filter(|block| !reached.contains(block))
        .collect();
    // Values of dead blocks are used in dead blocks only. Clear all operands before the blocks are erased.
    let ops = dead.iter().flat_map(|block| body.operations(*block));
    let ops: Vec<OperationId> = ops.flat_map(|op| body.walk(op)).collect();
    for op in ops {
        body.set_operands(op, &[]);
    }
    for block in &dead {
        body.erase_block(*block);
    }
    !dead.is_empty()
}

/// Live values and operations: a value is live if an operation with an effect or another live value uses it.
struct Needed<'a> {
    context: &'a Context,
    body: &'a Body,
    values: Vec<bool>,
    ops: Vec<bool>,
    waiting: Vec<ValueId>,
}

impl Needed<'_> {
    fn value(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            self.waiting.push(value);
        }
    }

    /// Marks an operation and the contents of its regions as live.
    fn operation(&mut self, op: OperationId) {
        if std::mem::replace(&mut self.ops[op.index()], true) {
            return;
        }
        let view = View::new(self.context, self.body, op);
        if let Some(passed) = passed_on(view) {
            let n_passed: usize = passed.iter().map(Vec::len).sum();
            for value in view.operands().take(view.operands().len() - n_passed) {
                self.value(value);
            }
            for (block, values) in view.successors().iter().zip(passed) {
                let arguments = self.body.arguments(*block);
                for (argument, value) in arguments.iter().zip(values) {
                    if self.values[argument.index()] {
                        self.value(value);
                    }
                }
            }
        } else {
            for value in view.operands() {
                self.value(value);
            }
        }
        if !self.body.is_isolated(op) {
            for region in view.regions() {
                self.region(*region);
            }
        }
    }

    fn region(&mut self, region: RegionId) {
        let blocks = self.body.blocks(region);
        for argument in blocks.iter().take(1).flat_map(|b| self.body.arguments(*b)) {
            self.value(*argument);
        }
        for op in blocks.iter().flat_map(|block| self.body.operations(*block)) {
            if !trivially_dead_when_unused(self.context, self.body, op) {
                self.operation(op);
            }
        }
    }

    /// Marks the values that branches pass to a live block argument.
    fn argument(&mut self, block: BlockId, index: usize) {
        let Some(region) = self.body.parent_region(block) else {
            return;
        };
        for other in self.body.blocks(region) {
            let Some(last) = self.body.last_operation(*other) else {
                continue;
            };
            let view = View::new(self.context, self.body, last);
            let Some(passed) = passed_on(view) else {
                continue;
            };
            for (successor, values) in view.successors().iter().zip(passed) {
                if *successor == block
                    && let Some(value) = values.get(index)
                {
                    self.value(*value);
                }
            }
        }
    }
}

/// Returns the values that a branch passes to each of its successors, if its definition declares them.
pub(super) fn passed_on(view: View<'_>) -> Option<Vec<Vec<ValueId>>> {
    if !view.has(Traits::BRANCH_LIKE) {
        return None;
    }
    (0..view.successors().len())
        .map(|i| view.successor_operands(i).map(|values| values.to_vec()))
        .collect()
}

/// Sets the values that a branch passes to each of its successors.
pub(super) fn pass_on(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    passed: &[Vec<ValueId>],
) {
    let view = View::new(context, body, op);
    let Some(definition) = view.definition() else {
        return;
    };
    let fixed = definition.operands.iter();
    let fixed = fixed.filter(|group| group.arity == Arity::Single).count();
    let mut operands: Vec<ValueId> = view.operands().take(fixed).collect();
    let size = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let mut sizes: Vec<i32> = vec![1; fixed];
    let mut attributes = Vec::new();
    let groups = definition.operands.iter().skip(fixed);
    let mut rest = passed.iter();
    for (group, successor) in groups.zip(definition.successors) {
        let lists: Vec<&Vec<ValueId>> = match successor.arity {
            Arity::Single => rest.by_ref().take(1).collect(),
            _ => rest.by_ref().collect(),
        };
        sizes.push(size(lists.iter().map(|list| list.len()).sum()));
        if successor.arity != Arity::Single {
            let each: Vec<i32> = lists.iter().map(|list| size(list.len())).collect();
            let name = format!("{}_segments", group.name.trim_end_matches('s'));
            attributes.push((context.name(&name), context.dense_i32_array(&each)));
        }
        operands.extend(lists.into_iter().flatten());
    }
    if definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS) {
        let name = context.name("operandSegmentSizes");
        attributes.push((name, context.dense_i32_array(&sizes)));
    }
    body.set_operands(op, &operands);
    for (name, attribute) in attributes {
        body.set_attribute(op, name, attribute);
    }
}

fn erase_unneeded(context: &Context, body: &mut Body) -> bool {
    let mut needed = Needed {
        context,
        body,
        values: vec![false; body.value_capacity()],
        ops: vec![false; body.operation_capacity()],
        waiting: Vec::new(),
    };
    let top: Vec<RegionId> = body.top_regions().collect();
    for region in top {
        needed.region(region);
    }
    while let Some(value) = needed.waiting.pop() {
        match needed.body.value_definition(value) {
            ValueDefinition::Result { operation, .. } => needed.operation(operation),
            ValueDefinition::Argument { block, index } => needed.argument(block, index as usize),
        }
    }
    let Needed { values, ops, .. } = needed;
    let mut changed = false;
    let all = body.walk_all();
    for op in all.iter().copied().filter(|op| ops[op.index()]) {
        changed |= drop_unneeded_arguments(context, body, op, &values);
    }
    let dead: Vec<OperationId> = all
        .into_iter()
        .filter(|op| !ops[op.index()] && !in_unneeded(body, *op, &ops))
        .collect();
    for op in &dead {
        for inner in body.walk(*op) {
            body.set_operands(inner, &[]);
        }
    }
    for op in &dead {
        body.erase(*op);
    }
    remove_arguments(body, &values) || changed || !dead.is_empty()
}

/// Returns true if an operation around `op` is dead, so that `op` is erased with it.
fn in_unneeded(body: &Body, op: OperationId, ops: &[bool]) -> bool {
    body.parent_operation(op)
        .is_some_and(|parent| !ops[parent.index()] || in_unneeded(body, parent, ops))
}

/// Drops branch operands whose block argument is not live.
fn drop_unneeded_arguments(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    values: &[bool],
) -> bool {
    if body.successors(op).is_empty() {
        return false;
    }
    let view = View::new(context, body, op);
    let Some(passed) = passed_on(view) else {
        return false;
    };
    let mut kept = passed.clone();
    for (block, list) in view.successors().iter().zip(&mut kept) {
        let arguments = body.arguments(*block);
        let mut i = 0;
        list.retain(|_| {
            i += 1;
            arguments.get(i - 1).is_none_or(|a| values[a.index()])
        });
    }
    if kept == passed {
        return false;
    }
    pass_on(context, body, op, &kept);
    true
}

/// Removes dead arguments of all blocks but the first block of each region.
fn remove_arguments(body: &mut Body, values: &[bool]) -> bool {
    let nested = body.walk_all();
    let nested = nested.into_iter().filter(|op| !body.is_isolated(*op));
    let nested = nested.flat_map(|op| body.regions(op).to_vec());
    let regions: Vec<RegionId> = body.top_regions().chain(nested).collect();
    let mut changed = false;
    for region in regions {
        for block in body.blocks(region).to_vec().into_iter().skip(1) {
            for i in (0..body.arguments(block).len()).rev() {
                let argument = body.arguments(block)[i];
                if !values[argument.index()] && body.is_unused(argument) {
                    body.remove_argument(block, i);
                    changed = true;
                }
            }
        }
    }
    changed
}
