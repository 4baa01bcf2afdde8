//! Builders that the passes share: operations by name with inferred types, constants, moves of regions.

use sluice_dialects::sluice::ANY;
use sluice_dialects::{arith, handshake, index, memref};
use sluice_ir::bits::Bits;
use sluice_ir::definition::Traits;
use sluice_ir::limits::Limit;
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{
    AttributeKind, BlockId, Body, Builder, Context, Exact, NewOperation, OperationId, Type,
    TypeKind, ValueId, View,
};

/// Emits an integer or index constant.
///
/// # Panics
/// If the number is outside the exact range; no sum or product of two loop bounds is.
pub(crate) fn constant(builder: &mut Builder<'_>, ty: Type, value: impl Into<Exact>) -> ValueId {
    let width = ty.width_bits(builder.context).unwrap_or(INDEX_WIDTH_BITS);
    let bits = value.into().wrapped(width);
    constant_bits(builder, ty, bits.expect("constants are small"))
}

/// Returns the greatest signed number of an integer type or `index`.
pub(crate) fn max_value_of(context: &Context, ty: Type) -> Exact {
    let width = ty.width_bits(context).unwrap_or(INDEX_WIDTH_BITS);
    Exact::power_of_two(width.saturating_sub(1)).minus(1)
}

/// Emits an integer, index or float constant from its bits.
pub(crate) fn constant_bits(builder: &mut Builder<'_>, ty: Type, value: Bits) -> ValueId {
    let context = builder.context;
    let attribute = match ty.kind(context) {
        TypeKind::Float(_) => context.attribute(AttributeKind::Float { ty, bits: value }),
        _ => context.integer_attribute(ty, value),
    };
    let op = builder.operation(arith::Constant::NAME, &[], &[ty], &[("value", attribute)]);
    builder.body.result(op, 0)
}

/// Emits an arbitrary integer, index or float: the constant 0, marked with [`ANY`].
pub(crate) fn anything(builder: &mut Builder<'_>, ty: Type) -> ValueId {
    let context = builder.context;
    let zero = Bits::zero(ty.width_bits(context).unwrap_or(INDEX_WIDTH_BITS));
    let value = constant_bits(builder, ty, zero);
    let op = builder.body.defining_operation(value);
    let op = op.expect("the constant just made");
    builder
        .body
        .set_attribute(op, context.name(ANY), context.unit_attribute());
    value
}

/// Emits a binary operation whose result has the type of its operands.
pub(crate) fn binary(builder: &mut Builder<'_>, name: &str, a: ValueId, b: ValueId) -> ValueId {
    let ty = builder.body.ty(a);
    let op = builder.operation(name, &[a, b], &[ty], &[]);
    builder.body.result(op, 0)
}

/// Emits a conversion to `ty`, or returns the value unchanged if it has that type.
pub(crate) fn convert(builder: &mut Builder<'_>, name: &str, a: ValueId, ty: Type) -> ValueId {
    if builder.body.ty(a) == ty {
        return a;
    }
    unary(builder, name, a, ty)
}

/// Emits an operation with one operand.
pub(crate) fn unary(builder: &mut Builder<'_>, name: &str, a: ValueId, ty: Type) -> ValueId {
    let op = builder.operation(name, &[a], &[ty], &[]);
    builder.body.result(op, 0)
}

/// Predicates of `arith.cmpi`; the orderings are signed.
pub(crate) const EQ: i64 = 0;
pub(crate) const NE: i64 = 1;
pub(crate) const SLT: i64 = 2;
pub(crate) const SLE: i64 = 3;
pub(crate) const SGT: i64 = 4;
pub(crate) const SGE: i64 = 5;

/// Emits `arith.cmpi` with this predicate number.
pub(crate) fn compare(
    builder: &mut Builder<'_>,
    predicate: i64,
    a: ValueId,
    b: ValueId,
) -> ValueId {
    let number = builder.context.i64_attribute(predicate);
    let bit = builder.context.integer_type(1);
    let op = builder.operation(arith::Cmpi::NAME, &[a, b], &[bit], &[("predicate", number)]);
    builder.body.result(op, 0)
}

/// Emits `arith.select`.
pub(crate) fn select(
    builder: &mut Builder<'_>,
    condition: ValueId,
    a: ValueId,
    b: ValueId,
) -> ValueId {
    let ty = builder.body.ty(a);
    let op = builder.operation(arith::Select::NAME, &[condition, a, b], &[ty], &[]);
    builder.body.result(op, 0)
}

/// Returns the value of an integer constant; in a dataflow graph, of a constant without a trigger.
pub(crate) fn constant_of(context: &Context, body: &Body, value: ValueId) -> Option<Bits> {
    let op = body.defining_operation(value)?;
    let named = |op: OperationId| context.operation_text(body.name(op));
    let is_constant = match named(op) {
        arith::Constant::NAME | index::Constant::NAME => true,
        handshake::Constant::NAME => {
            let trigger = body.operands(op).next()?;
            named(body.defining_operation(trigger)?) == handshake::Source::NAME
        }
        _ => false,
    };
    if !is_constant {
        return None;
    }
    body.attribute_named(context, op, "value")?
        .integer(context)
        .cloned()
}

/// Returns the value of an integer constant as a signed number.
pub(crate) fn constant_i64(context: &Context, body: &Body, value: ValueId) -> Option<i64> {
    constant_of(context, body, value)?.to_i64()
}

/// Returns the full name of an operation.
pub(crate) fn name<'a>(context: &'a Context, body: &Body, op: OperationId) -> &'a str {
    context.operation_text(body.name(op))
}

/// Returns the operations called `wanted` anywhere in the body, outer ones before inner ones.
pub(crate) fn all_named(context: &Context, body: &Body, wanted: &str) -> Vec<OperationId> {
    body.walk_all()
        .into_iter()
        .filter(|op| name(context, body, *op) == wanted)
        .collect()
}

/// Moves all operations of `block` except the terminator to before `anchor`.
pub(crate) fn move_all_but_last(body: &mut Body, block: BlockId, anchor: OperationId) {
    let ops: Vec<_> = body.operations(block).collect();
    for op in &ops[..ops.len().saturating_sub(1)] {
        body.move_before(anchor, *op);
    }
}

/// Replaces an operation with regions by one with more operands and results; block arguments and terminators are not extended.
/// Returns it.
pub(crate) fn grow(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    operands: &[ValueId],
    types: &[Type],
) -> OperationId {
    if operands.is_empty() && types.is_empty() {
        return op;
    }
    let view = View::new(context, body, op);
    let mut new = NewOperation::new(body.name(op), view.location());
    new.operands = view.operands().chain(operands.iter().copied()).collect();
    new.result_types = view.result_types().chain(types.iter().copied()).collect();
    new.attributes = view.attributes().to_vec();
    new.n_regions = body.regions(op).len();
    let grown = Builder::before(context, body, op).create(new);
    for (from, to) in body
        .regions(op)
        .to_vec()
        .into_iter()
        .zip(body.regions(grown).to_vec())
    {
        body.move_blocks(from, to);
    }
    let n_old = body.results(op).len();
    let results = body.results(grown)[..n_old].to_vec();
    replace(body, op, &results);
    grown
}

/// Replaces an `scf.for` by one that carries more values; returns it and the arguments of these values. The caller must still
/// extend the yield.
pub(crate) fn carry(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    inits: &[ValueId],
) -> (OperationId, Vec<ValueId>) {
    let types: Vec<Type> = inits.iter().map(|init| body.ty(*init)).collect();
    let location = body.location(loop_op);
    let carried = grow(context, body, loop_op, inits, &types);
    let block = body.entry_block(carried, 0).expect("the block just moved");
    let arguments = types
        .into_iter()
        .map(|ty| body.add_argument(block, ty, location))
        .collect();
    (carried, arguments)
}

/// Appends operands to the yield of a loop.
pub(crate) fn yield_more(body: &mut Body, loop_op: OperationId, values: &[ValueId]) {
    let block = body.entry_block(loop_op, 0).expect("a loop has a body");
    end_with_more(body, block, values);
}

/// Appends operands to the terminator of a block.
pub(crate) fn end_with_more(body: &mut Body, block: BlockId, values: &[ValueId]) {
    let last = body
        .last_operation(block)
        .expect("the block ends in a terminator");
    let yielded: Vec<ValueId> = body.operands(last).chain(values.iter().copied()).collect();
    body.set_operands(last, &yielded);
}

/// Returns an error text if `n` copies of an operation with its regions exceed the limit: more would keep the scheduler busy for
/// minutes. The caller adds how to request fewer copies.
pub(crate) fn too_many_copies(
    context: &Context,
    body: &Body,
    op: OperationId,
    n: i64,
) -> Option<String> {
    let n_operations = body.walk(op).len() as u128;
    let all = u128::try_from(n).unwrap_or(0).saturating_mul(n_operations);
    let excess = context.limits.check(Limit::UnrolledOperations, all).err()?;
    Some(format!(
        "{n} copies of {n_operations} operations are {excess}"
    ))
}

/// Replaces the results of `op` and erases it.
pub(crate) fn replace(body: &mut Body, op: OperationId, values: &[ValueId]) {
    let results = body.results(op).to_vec();
    for (result, value) in results.into_iter().zip(values) {
        body.replace_all_uses(result, *value);
    }
    body.erase(op);
}

/// Returns whether an operation computes without touching memory or control, and never fails.
pub(crate) fn is_pure(view: View<'_>) -> bool {
    let Some(definition) = view.definition() else {
        return false;
    };
    if definition.has(Traits::PURE) {
        let never_fails = definition.speculatable.is_none_or(|may_run| may_run(view));
        return never_fails && !definition.has(Traits::TERMINATOR) && view.regions().is_empty();
    }
    // A division never fails if its divisor is a constant that is neither 0 nor -1.
    definition.meaning.is_some()
        && view.operands().nth(1).is_some_and(|divisor| {
            let divisor = constant_of(view.context, view.body, divisor);
            divisor.is_some_and(|d| !d.is_zero() && !d.is_all_ones())
        })
}

/// Returns the terminator operands of the single block of region `region`.
pub(crate) fn yielded(body: &Body, op: OperationId, region: usize) -> Vec<ValueId> {
    let last = body
        .entry_block(op, region)
        .and_then(|block| body.last_operation(block));
    last.map(|op| body.operands(op).collect())
        .unwrap_or_default()
}

/// Erases operations without effect and without uses, innermost first, until none is left.
pub fn erase_dead(context: &Context, body: &mut Body) {
    loop {
        let mut changed = false;
        for op in body.walk_all().into_iter().rev() {
            let view = View::new(context, body, op);
            let removable = is_pure(view)
                || view.name() == memref::Load::NAME
                || view.name() == memref::Alloca::NAME;
            if removable
                && !view.results().is_empty()
                && view.results().iter().all(|r| body.is_unused(*r))
            {
                body.erase(op);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Returns the operations in the body of `loop_op` that `op` depends on through operands, including guards and nested blocks.
pub(crate) fn operations_before(
    body: &Body,
    loop_op: OperationId,
    op: OperationId,
) -> Vec<OperationId> {
    let mut found = Vec::new();
    let inside = body.walk(op);
    for reader in inside.into_iter().chain([op]) {
        for operand in body.operands(reader) {
            if let Some(definition) = body.defining_operation(operand)
                && body.parent_operation(definition) == Some(loop_op)
                && definition != op
            {
                found.push(definition);
            }
        }
    }
    found
}

/// Reorders the single block of a loop so that definitions precede uses and accesses respect `ordered`; otherwise keeps the
/// order.
pub(crate) fn sort_topologically(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    ordered: impl Fn(OperationId, OperationId) -> bool,
) {
    let block = body.entry_block(loop_op, 0).expect("a loop has a body");
    let ops: Vec<OperationId> = body.operations(block).collect();
    let access = |op: OperationId| {
        let inner = body.walk(op).into_iter().chain([op]);
        let mut inner = inner.filter(|op| {
            matches!(
                name(context, body, *op),
                memref::Load::NAME | memref::Store::NAME
            )
        });
        inner.next()
    };
    let accesses: Vec<(OperationId, OperationId)> = ops
        .iter()
        .filter_map(|op| Some((*op, access(*op)?)))
        .collect();
    let mut before: std::collections::BTreeMap<OperationId, Vec<OperationId>> = ops
        .iter()
        .map(|op| (*op, operations_before(body, loop_op, *op)))
        .collect();
    for (to, sink) in &accesses {
        for (from, source) in &accesses {
            if from != to && ordered(*source, *sink) {
                before.entry(*to).or_default().push(*from);
            }
        }
    }
    let mut placed = std::collections::BTreeSet::new();
    for op in &ops {
        let mut waiting = vec![*op];
        while let Some(next) = waiting.last().copied() {
            let missing = before[&next].iter().find(|b| !placed.contains(*b)).copied();
            match missing {
                Some(missing) if !placed.contains(&next) => waiting.push(missing),
                _ => {
                    waiting.pop();
                    if placed.insert(next) {
                        body.move_to_end(block, next);
                    }
                }
            }
        }
    }
}
