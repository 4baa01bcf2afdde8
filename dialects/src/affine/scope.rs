//! Rules for values that are dimensions or symbols of an affine map.

use sluice_ir::definition::Traits;
use sluice_ir::{AttributeKind, OperationId, ValueDefinition, ValueId, View};

use super::{map_of, op_error};

/// Returns true if a value is a valid dimension.
pub(super) fn is_dimension(view: View<'_>, value: ValueId) -> bool {
    if !view.ty(value).is_index(view.context) {
        return false;
    }
    if is_symbol(view, value) {
        return true;
    }
    let Some(op) = view.body.defining_operation(value) else {
        let block = view.body.defining_block(value);
        let owner = block.and_then(|block| view.body.block_parent_operation(block));
        return owner.is_some_and(|owner| {
            matches!(view.at(owner).name(), "affine.for" | "affine.parallel")
        });
    };
    let op = view.at(op);
    match op.name() {
        "affine.apply" | "affine.delinearize_index" | "affine.linearize_index" => {
            op.operands().all(|operand| is_dimension(view, operand))
        }
        "memref.dim" => is_top_level(view, op.operand(0)),
        _ => false,
    }
}

/// Returns true if a value is a valid symbol: it does not change while the enclosing scope of `view` runs.
pub fn is_symbol(view: View<'_>, value: ValueId) -> bool {
    if !view.ty(value).is_index(view.context) {
        return false;
    }
    if !view.context.affine_restrictions || is_top_level(view, value) {
        return true;
    }
    let Some(op) = view.body.defining_operation(value) else {
        return false;
    };
    let op = view.at(op);
    if op.has(Traits::CONSTANT_LIKE) {
        return true;
    }
    match op.name() {
        "affine.apply" => op.operands().all(|operand| is_symbol(view, operand)),
        "memref.dim" => is_symbol_dim(view, op),
        _ => false,
    }
}

/// Returns true if a value is defined at the top level of a scope. A body belongs to an isolated operation, which is a function
/// or a module, and so a scope.
fn is_top_level(view: View<'_>, value: ValueId) -> bool {
    let owner = match view.body.value_definition(value) {
        ValueDefinition::Result { operation, .. } => view.body.parent_operation(operation),
        _ => {
            let block = view.body.defining_block(value);
            block.and_then(|block| view.body.block_parent_operation(block))
        }
    };
    owner.is_none_or(|owner| view.at(owner).has(Traits::AFFINE_SCOPE))
}

/// Returns true if the size of a memory is a symbol: the memory comes from outside, or this size was given to its allocation.
fn is_symbol_dim(view: View<'_>, dim: View<'_>) -> bool {
    let mut memory = dim.operand(0);
    if is_top_level(view, memory) {
        return true;
    }
    let index = constant(view, dim.operand(1)).and_then(|n| usize::try_from(n).ok());
    let Some(index) = index else {
        return false;
    };
    let defining =
        |memory: ValueId| -> Option<OperationId> { view.body.defining_operation(memory) };
    while let Some(op) = defining(memory).filter(|op| view.at(*op).name() == "memref.cast") {
        memory = view.at(op).operand(0);
    }
    let Some(op) = defining(memory).map(|op| view.at(op)) else {
        return false;
    };
    let sizes = match op.name() {
        "memref.alloc" => op.operand_group(0),
        "memref.view" | "memref.subview" => op.operand_group(2),
        _ => return false,
    };
    let sluice_ir::TypeKind::MemRef { shape, .. } = view.ty(memory).kind(view.context) else {
        return false;
    };
    match shape.get(index) {
        Some(Some(_)) => true,
        Some(None) => {
            let position = shape[..index].iter().filter(|size| size.is_none()).count();
            sizes
                .get(position)
                .is_some_and(|size| is_symbol(view, *size))
        }
        None => false,
    }
}

fn constant(view: View<'_>, value: ValueId) -> Option<i64> {
    let op = view.at(view.body.defining_operation(value)?);
    match op.attribute("value")?.kind(view.context) {
        AttributeKind::Integer { value, .. } => value.to_i64(),
        _ => None,
    }
}

/// Checks the operands of a map; returns the error for the first that is not a valid dimension or symbol.
pub(super) fn check_operands(
    view: View<'_>,
    operands: &[ValueId],
    n_dims: usize,
) -> Result<(), &'static str> {
    for (i, operand) in operands.iter().enumerate() {
        if i < n_dims && !is_dimension(view, *operand) {
            return Err("operand cannot be used as a dimension id");
        }
        if i >= n_dims && !is_symbol(view, *operand) {
            return Err("operand cannot be used as a symbol");
        }
    }
    Ok(())
}

/// Returns true if each of `operands` is a dimension or a symbol.
pub(super) fn are_subscripts(view: View<'_>, operands: &[ValueId]) -> bool {
    operands
        .iter()
        .all(|operand| is_dimension(view, *operand) || is_symbol(view, *operand))
}

/// Checks the operands of an operation for the map in its attribute `name`: their number, dimensions and symbols.
pub(super) fn check_bound(
    view: View<'_>,
    name: &str,
    operands: &[ValueId],
    diagnostics: &mut sluice_ir::Diagnostics,
) -> bool {
    let map = map_of(view, name);
    let n_dims = map.n_dims as usize;
    if operands.len() != n_dims + map.n_symbols as usize {
        let message = "operand count and affine map dimension and symbol count must match";
        op_error(view, diagnostics, message);
        return false;
    }
    match check_operands(view, operands, n_dims) {
        Ok(()) => true,
        Err(message) => {
            op_error(view, diagnostics, message);
            false
        }
    }
}
