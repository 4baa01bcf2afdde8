//! Edits of memories: smaller sizes, and one dimension less.

use sluice_dialects::{affine, memref};
use sluice_ir::{Body, Context, Module, OperationId, Type, TypeKind, ValueId, View};

use super::Edit;
use super::accesses::{map_of, n_before_map, set_map};
use super::interface::{set_signature, signature};
use super::place::{entry, functions, without};
use super::types::{all_types, change_all};

/// Returns edits that change each size of each shape to 1, 2, 4, half, and one less, in all places where the type is used.
pub(super) fn sizes(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for ty in all_types(module) {
        if !matches!(ty.kind(context), TypeKind::MemRef { .. }) {
            continue;
        }
        let Some(shape) = ty.static_shape(context) else {
            continue;
        };
        for (dim, size) in shape.iter().copied().enumerate() {
            for small in [1, 2, 4, size / 2, size.saturating_sub(1)] {
                if small == 0 || small >= size {
                    continue;
                }
                edits.push(Box::new(move |context, module| {
                    shrink(context, module, ty, dim, small)
                }));
            }
        }
    }
    edits
}

/// Changes the size of one dimension of a type, in memories and in the data of tables.
fn shrink(context: &Context, module: &mut Module, ty: Type, dim: usize, size: u64) -> bool {
    if !all_types(module).contains(&ty) {
        return false;
    }
    let (Some(old), Some(element)) = (ty.static_shape(context), ty.element_type(context)) else {
        return false;
    };
    change_all(context, module, &|context, other| {
        if other.element_type(context) != Some(element)
            || other.static_shape(context).as_ref() != Some(&old)
        {
            return other;
        }
        match other.kind(context) {
            TypeKind::MemRef {
                shape,
                layout,
                memory_space,
                ..
            } => {
                let mut shape = shape.clone();
                shape[dim] = Some(size);
                context.ty(TypeKind::MemRef {
                    shape,
                    element,
                    layout: *layout,
                    memory_space: *memory_space,
                })
            }
            TypeKind::RankedTensor {
                shape, encoding, ..
            } => {
                let mut shape = shape.clone();
                shape[dim] = Some(size);
                context.ty(TypeKind::RankedTensor {
                    shape,
                    element,
                    encoding: *encoding,
                })
            }
            _ => other,
        }
    });
    true
}

/// Returns edits that remove each dimension of each memory that is an argument or allocated inside, and is only loaded from and
/// stored to.
pub(super) fn dimensions(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for (function, body) in functions(context, module) {
        for memory in memories(context, body) {
            let rank = body.ty(memory).static_shape(context).map_or(0, |s| s.len());
            for dim in (0..rank).rev() {
                edits.push(Box::new(move |context, module| {
                    flatten(context, module, function, memory, dim)
                }));
            }
        }
    }
    edits
}

/// Returns the arguments of the function and the results of allocations.
fn memories(context: &Context, body: &Body) -> Vec<ValueId> {
    let mut found: Vec<ValueId> = entry(body)
        .map(|block| body.arguments(block).to_vec())
        .unwrap_or_default();
    for op in body.walk_all() {
        let name = context.operation_text(body.name(op));
        if [memref::Alloc::NAME, memref::Alloca::NAME].contains(&name) {
            found.push(body.result(op, 0));
        }
    }
    let is_memory = |value: &ValueId| {
        let kind = body.ty(*value).kind(context);
        matches!(kind, TypeKind::MemRef { layout: None, .. })
    };
    found.retain(is_memory);
    found
}

fn flatten(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    memory: ValueId,
    dim: usize,
) -> bool {
    if module.inner().is_erased(function) {
        return false;
    }
    let types = signature(context, module, function);
    let body = module.inner_mut().inner_mut(function);
    if !super::place::is_live(body, memory) {
        return false;
    }
    let TypeKind::MemRef {
        shape,
        element,
        layout,
        memory_space,
    } = body.ty(memory).kind(context).clone()
    else {
        return false;
    };
    let uses: Vec<_> = body.uses(memory).collect();
    let is_access = |op: OperationId, operand: usize| {
        let view = View::new(context, body, op);
        match view.name() {
            memref::Load::NAME | affine::Load::NAME => operand == 0,
            memref::Store::NAME | affine::Store::NAME => operand == 1,
            _ => false,
        }
    };
    if dim >= shape.len() || !uses.iter().all(|(op, operand)| is_access(*op, *operand)) {
        return false;
    }
    for (op, _) in uses {
        let view = View::new(context, body, op);
        if let Some(mut map) = map_of(view) {
            if dim >= map.results.len() {
                return false;
            }
            map.results.remove(dim);
            set_map(context, body, op, &map);
            continue;
        }
        let first = match view.name() {
            memref::Load::NAME => 1,
            memref::Store::NAME => 2,
            _ => n_before_map(view),
        };
        let operands: Vec<ValueId> = view.operands().collect();
        body.set_operands(op, &without(&operands, first + dim));
    }
    let ty = context.ty(TypeKind::MemRef {
        shape: without(&shape, dim).into(),
        element,
        layout,
        memory_space,
    });
    body.set_type(memory, ty);
    let arguments = entry(body).map(|block| body.arguments(block).to_vec());
    let at = arguments.and_then(|all| all.iter().position(|argument| *argument == memory));
    if let (Some(at), Some((mut inputs, results))) = (at, types) {
        if at < inputs.len() {
            inputs[at] = ty;
        }
        set_signature(context, module, function, &inputs, &results);
    }
    true
}
