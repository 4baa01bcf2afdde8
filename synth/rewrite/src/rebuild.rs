//! Applies a plan: inserts new operations, moves or erases old ones.

use std::collections::{BTreeMap, BTreeSet};

use egg::{Id, Language};
use sluice_dialects::{arith, builtin, scf};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, BlockId, Body, Builder, Context, OperationId, ValueId};

use crate::graph::{BlockGraph, Original};
use crate::language::{Node, Op};
use crate::plan::{Plan, Step};

struct Rebuilder<'a> {
    context: &'a Context,
    graph: &'a BlockGraph,
    plan: &'a Plan,
    /// Original operations of each class, in text order.
    originals: BTreeMap<Id, Vec<&'a Original>>,
    values: BTreeMap<Id, ValueId>,
    kept: BTreeSet<OperationId>,
}

/// Replaces the arithmetic of `block` according to the plan.
pub(crate) fn rebuild(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    graph: &BlockGraph,
    plan: &Plan,
) {
    let mut originals: BTreeMap<Id, Vec<&Original>> = BTreeMap::new();
    for original in &graph.originals {
        originals
            .entry(graph.egraph().find(original.class))
            .or_default()
            .push(original);
    }
    let mut rebuilder = Rebuilder {
        context,
        graph,
        plan,
        originals,
        values: BTreeMap::new(),
        kept: BTreeSet::new(),
    };
    let mut waiting = Vec::new();
    for step in &plan.steps {
        match step {
            Step::Emit(class) => waiting.push(*class),
            Step::User(number) => {
                let user = &graph.users[*number];
                for class in waiting.drain(..) {
                    rebuilder.emit(body, class, user.operation);
                }
                for (original, owner, operand) in &user.demands {
                    let original = &graph.originals[*original];
                    let value = rebuilder.values[&graph.egraph().find(original.class)];
                    let value = rebuilder.own_value(body, block, *owner, value, original);
                    body.set_operand(*owner, *operand, value);
                }
            }
        }
    }
    let kept = rebuilder.kept;
    let dead: Vec<OperationId> = graph
        .originals
        .iter()
        .map(|o| o.operation)
        .filter(|op| !kept.contains(op))
        .collect();
    // Dead operations may use each other in any order once kept ones have moved, so their operands are removed first.
    for op in &dead {
        body.set_operands(*op, &[]);
    }
    for op in dead {
        body.erase(op);
    }
}

impl Rebuilder<'_> {
    fn emit(&mut self, body: &mut Body, class: Id, anchor: OperationId) {
        let node = &self.plan.chosen[&class];
        let value = match &node.op {
            Op::Leaf(number) => {
                self.graph.leaves[usize::try_from(*number).expect("a leaf number is an index")]
            }
            Op::Constant(bits) => self.constant(body, class, bits, anchor),
            _ => self.operation(body, class, node, anchor),
        };
        self.values.insert(class, value);
    }

    fn constant(
        &mut self,
        body: &mut Body,
        class: Id,
        bits: &Bits,
        anchor: OperationId,
    ) -> ValueId {
        let same = |original: &&&Original| original.node.op == Op::Constant(bits.clone());
        if let Some(original) = self
            .originals
            .get(&class)
            .and_then(|all| all.iter().find(same))
        {
            return self.keep(body, original.operation, anchor);
        }
        if let Some(value) = self.graph.outer_constants.get(bits) {
            return *value;
        }
        let ty = self.context.integer_type(bits.width());
        let value = self.context.integer_attribute(ty, bits.clone());
        self.create(
            body,
            class,
            arith::Constant::NAME,
            &[],
            bits.width(),
            &[("value", value)],
            anchor,
        )
    }

    fn operation(
        &mut self,
        body: &mut Body,
        class: Id,
        node: &Node,
        anchor: OperationId,
    ) -> ValueId {
        let operands: Vec<ValueId> = node
            .value_children()
            .iter()
            .map(|id| self.values[id])
            .collect();
        let canonical = |original: &Original| {
            original
                .node
                .clone()
                .map_children(|id| self.graph.egraph().find(id))
        };
        let survivor = self
            .originals
            .get(&class)
            .and_then(|all| all.iter().find(|o| canonical(o) == *node))
            .copied();
        if let Some(original) = survivor {
            let mut operands = operands;
            if original.swapped {
                operands.reverse();
            }
            body.set_operands(original.operation, &operands);
            // The value may now have users for which these flags were never valid.
            for flag in ["overflowFlags", "isExact"] {
                if let Some(name) = self.context.find_name(flag) {
                    body.remove_attribute(original.operation, name);
                }
            }
            return self.keep(body, original.operation, anchor);
        }
        let (name, predicate) = node
            .op
            .operation()
            .expect("leaves and constants were handled before");
        let predicate =
            predicate.map(|predicate| ("predicate", self.context.i64_attribute(predicate)));
        let width = self.graph.facts(class).width;
        self.create(
            body,
            class,
            name,
            &operands,
            width,
            predicate.as_slice(),
            anchor,
        )
    }

    fn keep(&mut self, body: &mut Body, op: OperationId, anchor: OperationId) -> ValueId {
        body.move_before(anchor, op);
        self.kept.insert(op);
        body.result(op, 0)
    }

    #[allow(clippy::too_many_arguments)] // One call of the builder with all its arguments.
    fn create(
        &self,
        body: &mut Body,
        class: Id,
        name: &str,
        operands: &[ValueId],
        width_bits: u32,
        attributes: &[(&str, Attribute)],
        anchor: OperationId,
    ) -> ValueId {
        let replaced = self.originals.get(&class).and_then(|all| all.first());
        let mut location = body.location(anchor);
        let mut value_name = None;
        if let Some(original) = replaced {
            location = body.location(original.operation);
            value_name = body.value_name(original.value);
        }
        let mut builder = Builder::before(self.context, body, anchor);
        builder.location = location;
        let op = builder.operation(
            name,
            operands,
            &[self.context.integer_type(width_bits)],
            attributes,
        );
        let value = body.result(op, 0);
        body.set_value_name(value, value_name);
        value
    }

    /// Returns a value that the terminator of a loop body may yield: a value of another block is copied into this block.
    fn own_value(
        &self,
        body: &mut Body,
        block: BlockId,
        owner: OperationId,
        value: ValueId,
        original: &Original,
    ) -> ValueId {
        let parent = body
            .block_parent_operation(block)
            .map(|op| self.context.operation_text(body.name(op)));
        let passes_on = matches!(
            self.context.operation_text(body.name(owner)),
            scf::Yield::NAME | scf::Condition::NAME
        );
        let is_own = body
            .defining_operation(value)
            .and_then(|op| body.parent_block(op))
            == Some(block);
        if !matches!(parent, Some(scf::For::NAME | scf::While::NAME))
            || !passes_on
            || is_own
            || body.parent_block(owner) != Some(block)
        {
            return value;
        }
        let ty = body.ty(value);
        let location = body.location(original.operation);
        let value_name = body.value_name(original.value);
        let mut builder = Builder::before(self.context, body, owner);
        builder.location = location;
        let copy = builder.operation(
            builtin::UnrealizedConversionCast::NAME,
            &[value],
            &[ty],
            &[],
        );
        let copy = body.result(copy, 0);
        body.set_value_name(copy, value_name);
        copy
    }
}
