//! The `sroa` pass: a small local memory with known indices becomes a memory for each element in use.
//!
//! Source: MLIR, `tryToDestructureMemorySlots` for `memref.alloca`. The last access in the text decides which element is first.

use sluice_dialects::memref;
use sluice_ir::simplify::constant_of;
use sluice_ir::{Body, Builder, Context, OperationId, TypeKind, ValueId, View};

/// Largest number of elements of a memory that is split.
const MAX_ELEMENTS: u64 = 16;

/// Splits the memories of a body.
pub(crate) fn split(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        if context.operation_text(body.name(op)) == memref::Alloca::NAME {
            split_one(context, body, op);
        }
    }
}

/// An access with the indices of its element.
type Access = (OperationId, Vec<u64>);

fn split_one(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let memory = body.result(op, 0);
    let TypeKind::MemRef {
        shape,
        element,
        layout: None,
        memory_space,
    } = body.ty(memory).kind(context)
    else {
        return None;
    };
    let sizes: Option<Vec<u64>> = shape.iter().copied().collect();
    let sizes = sizes?;
    let n_elements = sizes
        .iter()
        .try_fold(1u64, |n, size| n.checked_mul(*size))?;
    if sizes.is_empty() || n_elements > MAX_ELEMENTS {
        return None;
    }
    let mut accesses: Vec<Access> = Vec::new();
    for (user, operand) in body.uses(memory) {
        let indices = indices(View::new(context, body, user), operand, &sizes)?;
        accesses.push((user, indices));
    }
    let order = body.walk_all();
    let place = |op: OperationId| order.iter().position(|other| *other == op);
    accesses.sort_by_key(|(user, _)| std::cmp::Reverse(place(*user)));
    let mut used: Vec<Vec<u64>> = Vec::new();
    for (_, indices) in &accesses {
        if !used.contains(indices) {
            used.push(indices.clone());
        }
    }
    let ty = context.ty(TypeKind::MemRef {
        shape: Box::new([]),
        element: *element,
        layout: None,
        memory_space: *memory_space,
    });
    let name = context.operation_text(body.name(op)).to_owned();
    let attributes: Vec<_> = body.attributes(op).to_vec();
    let mut made: Vec<ValueId> = Vec::new();
    for _ in &used {
        let mut builder = Builder::before(context, body, op);
        let one = builder.operation(&name, &[], &[ty], &[]);
        for (name, attribute) in &attributes {
            body.set_attribute(one, *name, *attribute);
        }
        made.push(body.result(one, 0));
    }
    for (user, indices) in accesses {
        let element = used.iter().position(|other| *other == indices)?;
        let is_store = context.operation_text(body.name(user)) == memref::Store::NAME;
        let mut operands: Vec<ValueId> = body.operands(user).take(usize::from(is_store)).collect();
        operands.push(made[element]);
        body.set_operands(user, &operands);
    }
    body.erase(op);
    Some(())
}

/// Returns the constant indices of a load or store of the memory, if they are inside.
fn indices(view: View<'_>, operand: usize, sizes: &[u64]) -> Option<Vec<u64>> {
    let memory = match view.name() {
        memref::Load::NAME => 0,
        memref::Store::NAME => 1,
        _ => return None,
    };
    if operand != memory {
        return None;
    }
    let known = view.operands().skip(memory + 1).zip(sizes);
    let known = known.map(|(index, size)| {
        let index = constant_of(view.context, view.body, index)?;
        let index = u64::try_from(index.as_i64(view.context)?).ok()?;
        (index < *size).then_some(index)
    });
    known.collect()
}
