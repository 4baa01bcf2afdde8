//! Builders that several passes share: constants, operations with one result, branches, splits of blocks.

use sluice_dialects::{arith, cf};
use sluice_ir::bits::Bits;
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{
    Attribute, AttributeKind, BlockId, Body, Builder, NewOperation, OperationId, Type, TypeKind,
    ValueId,
};

/// Emits an operation with one result.
pub(crate) fn value(
    builder: &mut Builder<'_>,
    name: &str,
    operands: &[ValueId],
    ty: Type,
    attributes: &[(&str, Attribute)],
) -> ValueId {
    let op = builder.operation(name, operands, &[ty], attributes);
    builder.body.result(op, 0)
}

/// Emits a binary operation whose result has the type of its operands.
pub(crate) fn binary(builder: &mut Builder<'_>, name: &str, a: ValueId, b: ValueId) -> ValueId {
    let ty = builder.body.ty(a);
    value(builder, name, &[a, b], ty, &[])
}

/// Emits an `index` constant.
pub(crate) fn index_constant(builder: &mut Builder<'_>, number: i64) -> ValueId {
    let context = builder.context;
    let index = context.index_type();
    let attribute = context.index_attribute(number);
    value(
        builder,
        arith::Constant::NAME,
        &[],
        index,
        &[("value", attribute)],
    )
}

/// Emits `arith.constant` of an integer, index or float type, or of a vector or tensor whose elements are all `bits`.
pub(crate) fn constant(builder: &mut Builder<'_>, ty: Type, bits: Bits) -> ValueId {
    let context = builder.context;
    let attribute = if ty.element_type(context).is_some() {
        let (values, splat): (Box<[Bits]>, _) = (Box::new([bits]), true);
        context.attribute(AttributeKind::DenseElements { ty, values, splat })
    } else if matches!(ty.kind(context), TypeKind::Float(_)) {
        context.attribute(AttributeKind::Float { ty, bits })
    } else {
        context.integer_attribute(ty, bits)
    };
    value(
        builder,
        arith::Constant::NAME,
        &[],
        ty,
        &[("value", attribute)],
    )
}

/// Emits the constant `number` of an integer or index type, or of a vector or tensor of them.
pub(crate) fn integer(builder: &mut Builder<'_>, ty: Type, number: i64) -> ValueId {
    let element = ty.element_type(builder.context).unwrap_or(ty);
    let width = element.width_bits(builder.context);
    let bits = Bits::from_i64(width.unwrap_or(INDEX_WIDTH_BITS), number);
    constant(builder, ty, bits)
}

/// Emits `arith.cmpi` with this predicate number of scalars.
pub(crate) fn compare(
    builder: &mut Builder<'_>,
    predicate: i64,
    a: ValueId,
    b: ValueId,
) -> ValueId {
    let number = builder.context.i64_attribute(predicate);
    let bit = builder.context.integer_type(1);
    value(
        builder,
        arith::Cmpi::NAME,
        &[a, b],
        bit,
        &[("predicate", number)],
    )
}

/// Emits `cf.br`.
pub(crate) fn branch(builder: &mut Builder<'_>, block: BlockId, operands: &[ValueId]) {
    let name = builder.context.operation_name(cf::Br::NAME);
    let mut new = NewOperation::new(name, builder.location);
    new.operands = operands.into();
    new.successors.push(block);
    builder.create(new);
}

/// Emits `cf.cond_br`.
pub(crate) fn conditional_branch(
    builder: &mut Builder<'_>,
    condition: ValueId,
    taken: (BlockId, &[ValueId]),
    otherwise: (BlockId, &[ValueId]),
) {
    let context = builder.context;
    let name = context.operation_name(cf::CondBr::NAME);
    let mut new = NewOperation::new(name, builder.location);
    new.operands.push(condition);
    new.operands.extend_from_slice(taken.1);
    new.operands.extend_from_slice(otherwise.1);
    new.successors.extend([taken.0, otherwise.0]);
    let sizes = [1, taken.1.len(), otherwise.1.len()];
    let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let sizes = context.dense_i32_array(&sizes);
    new.attributes
        .push((context.name("operandSegmentSizes"), sizes));
    builder.create(new);
}

/// Moves `op` and all operations after it to a new block after the block of `op`. Returns the new block.
pub(crate) fn split_block(body: &mut Body, op: OperationId) -> Option<BlockId> {
    let block = body.parent_block(op)?;
    let rest = body.create_block();
    body.move_block_after(block, rest);
    let mut next = Some(op);
    while let Some(moved) = next {
        next = body.next(moved);
        body.move_to_end(rest, moved);
    }
    Some(rest)
}

/// Replaces the results of `op` and erases it.
pub(crate) fn replace(body: &mut Body, op: OperationId, values: &[ValueId]) {
    let results = body.results(op).to_vec();
    for (result, value) in results.into_iter().zip(values) {
        body.replace_all_uses(result, *value);
    }
    body.erase(op);
}
