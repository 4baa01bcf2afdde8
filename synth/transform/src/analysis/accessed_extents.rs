//! Extents of an array argument that its accesses reach, for arrays whose types leave a dimension open.

use sluice_dialects::{affine, memref, scf};
use sluice_ir::{Body, Context, Diagnostics, Module, OperationId, ValueDefinition, ValueId, View};

use crate::analysis::linear::{Linear, linear, range_of};
use crate::build::name;
use crate::lowering::lower_affine::lower_affine;
use crate::lowering::lower_linalg::{StructuredLoops, lower_linalg};

/// Maximum nesting of loops whose bounds depend on each other.
const MAX_DEPTH: u32 = 16;

/// Returns for each dimension the smallest extent that holds all accesses of argument `argument` of a function.
///
/// `None` if another operation than a load or store uses the argument, if a subscript may be negative, or if it depends on more
/// than counters of loops with constant bounds.
pub fn accessed_extents(
    context: &Context,
    module: &Module,
    function: OperationId,
    argument: usize,
) -> Option<Vec<u64>> {
    let mut body = module.inner().inner(function).clone();
    let mut found = Diagnostics::new();
    lower_linalg(context, &mut body, StructuredLoops::Affine, &mut found);
    lower_affine(context, &mut body, &mut found);
    if found.has_errors() {
        return None;
    }
    let region = body.top_regions().next()?;
    let entry = *body.blocks(region).first()?;
    let memory = *body.arguments(entry).get(argument)?;
    let mut extents: Option<Vec<u64>> = None;
    for (user, operand) in body.uses(memory) {
        let reached = subscripts(context, &body, user, operand)?;
        let so_far = extents.get_or_insert_with(|| vec![0; reached.len()]);
        for (extent, reached) in so_far.iter_mut().zip(reached) {
            *extent = (*extent).max(reached);
        }
    }
    extents
}

/// Returns for each dimension the extent that holds the subscripts of a load or store through operand `operand`.
fn subscripts(context: &Context, body: &Body, op: OperationId, operand: usize) -> Option<Vec<u64>> {
    let view = View::new(context, body, op);
    let memory = match view.name() {
        memref::Load::NAME | affine::Load::NAME => 0,
        memref::Store::NAME | affine::Store::NAME => 1,
        _ => return None,
    };
    if memory != operand || view.attribute("map").is_some() {
        return None;
    }
    let extent = |subscript| {
        let form = linear(context, body, subscript);
        if !is_of_counters(context, body, &form, 0) {
            return None;
        }
        let (low, high) = range_of(context, body, &form, 0)?;
        u64::try_from(low).ok()?;
        u64::try_from(high).ok()?.checked_add(1)
    };
    view.operands().skip(memory + 1).map(extent).collect()
}

/// Returns whether all values of a form are counters of loops whose bounds are constants or forms of such counters.
fn is_of_counters(context: &Context, body: &Body, form: &Linear, depth: u32) -> bool {
    let is_counter = |value: &ValueId| {
        let ValueDefinition::Argument { block, index: 0 } = body.value_definition(*value) else {
            return false;
        };
        body.block_parent_operation(block).is_some_and(|owner| {
            let is_bound = |i: usize| {
                let bound = linear(context, body, body.operand(owner, i));
                is_of_counters(context, body, &bound, depth.saturating_add(1))
            };
            name(context, body, owner) == scf::For::NAME && is_bound(0) && is_bound(1)
        })
    };
    depth < MAX_DEPTH && form.terms.keys().all(is_counter)
}
