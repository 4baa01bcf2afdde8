//! Which values are dimensions and symbols, and the verifiers that ask.
//!
//! A symbol does not change within the affine scope around (the nearest function): what is defined at its top, constants,
//! and what is made of symbols. A dimension may also be an induction variable. Source: MLIR, "'affine' Dialect",
//! section "Restrictions on Dimensions and Symbols".

use sluice_ir::affine::AffineMap;
use sluice_ir::body::ValueDefinition;
use sluice_ir::definition::Traits;
use sluice_ir::{Diagnostics, TypeKind, ValueId, View};

use super::map_of;

fn error(view: View<'_>, diagnostics: &mut Diagnostics, message: &str) {
    diagnostics.error(view.location(), format!("'{}' op {message}", view.name()));
}

/// Whether `value` is defined directly in the region of an affine scope.
fn is_top_level(view: View<'_>, value: ValueId) -> bool {
    let home = view.body.defining_block(value);
    let region = home.and_then(|block| view.body.parent_region(block));
    match region.map(|region| view.body.region_parent(region)) {
        Some(Some(parent)) => view.at(parent).has(Traits::AFFINE_SCOPE),
        Some(None) => true,
        None => false,
    }
}

/// Whether `value` is a symbol where `view` is.
pub(super) fn is_symbol(view: View<'_>, value: ValueId) -> bool {
    if !view.ty(value).is_index(view.context) {
        return false;
    }
    if !view.context.affine_restrictions || is_top_level(view, value) {
        return true;
    }
    let Some(maker) = view.body.defining_operation(value).map(|op| view.at(op)) else {
        return false;
    };
    match maker.name() {
        "affine.apply" => maker.operands().all(|operand| is_symbol(maker, operand)),
        "memref.dim" => is_top_level(maker, maker.operand(0)) || is_allocated_symbol(maker),
        _ => maker.has(Traits::CONSTANT_LIKE),
    }
}

/// Whether a dimension of a memory is a constant, or a symbol where the memory was made.
fn is_allocated_symbol(dim: View<'_>) -> bool {
    let source = dim.operand(0);
    let TypeKind::MemRef { shape, .. } = dim.ty(source).kind(dim.context) else {
        return false;
    };
    let index = dim
        .body
        .defining_operation(dim.operand(1))
        .map(|op| dim.at(op));
    let index = index.and_then(|op| op.attribute("value")?.as_i64(dim.context));
    let Some(index) = index.and_then(|index| usize::try_from(index).ok()) else {
        return false;
    };
    match shape.get(index) {
        Some(Some(_)) => true,
        Some(None) => {
            let maker = dim.body.defining_operation(source).map(|op| dim.at(op));
            let position = shape[..index].iter().filter(|size| size.is_none()).count();
            maker.is_some_and(|maker| {
                matches!(maker.name(), "memref.alloc" | "memref.alloca")
                    && is_symbol(maker, maker.operand(position))
            })
        }
        None => false,
    }
}

/// Whether `value` is a dimension where `view` is.
pub(super) fn is_dimension(view: View<'_>, value: ValueId) -> bool {
    if is_symbol(view, value) {
        return true;
    }
    if !view.ty(value).is_index(view.context) {
        return false;
    }
    match view.body.value_definition(value) {
        ValueDefinition::Argument { block, .. } => {
            let parent = view
                .body
                .block_parent_operation(block)
                .map(|op| view.at(op));
            parent.is_some_and(|parent| matches!(parent.name(), "affine.for" | "affine.parallel"))
        }
        ValueDefinition::Result { operation, .. } => {
            let maker = view.at(operation);
            maker.name() == "affine.apply"
                && maker.operands().all(|operand| is_dimension(maker, operand))
        }
    }
}

/// Operands are dimensions, then symbols.
fn check_operands(
    view: View<'_>,
    operands: &[ValueId],
    n_dims: usize,
    diagnostics: &mut Diagnostics,
) -> bool {
    for (number, operand) in operands.iter().enumerate() {
        if number < n_dims && !is_dimension(view, *operand) {
            error(
                view,
                diagnostics,
                "operand cannot be used as a dimension id",
            );
            return false;
        }
        if number >= n_dims && !is_symbol(view, *operand) {
            error(view, diagnostics, "operand cannot be used as a symbol");
            return false;
        }
    }
    true
}

fn n_inputs(map: &AffineMap) -> usize {
    (map.n_dims + map.n_symbols) as usize
}

pub(super) fn verify_map(view: View<'_>, diagnostics: &mut Diagnostics) {
    let map = map_of(view, "map");
    let operands: Vec<_> = view.operands().collect();
    if operands.len() != n_inputs(&map) {
        let message = match view.name() {
            "affine.apply" => "operand count and affine map dimension and symbol count must match",
            _ => "operand count and affine map dimension and symbol count must match",
        };
        error(view, diagnostics, message);
        return;
    }
    if view.name() == "affine.apply" {
        if map.results.len() != 1 {
            error(view, diagnostics, "mapping must produce one value");
        }
        return;
    }
    if map.results.is_empty() {
        error(view, diagnostics, "affine map expect at least one result");
    }
}

pub(super) fn verify_for(view: View<'_>, diagnostics: &mut Diagnostics) {
    let arguments: &[ValueId] = match view.entry_block(0) {
        Some(block) => view.inner().arguments(block),
        None => &[],
    };
    let is_index = arguments
        .first()
        .is_some_and(|v| view.ty(*v).is_index(view.context));
    if !is_index {
        let message = "expected body to have a single index argument for the induction variable";
        error(view, diagnostics, message);
        return;
    }
    let step = view.attribute("step").and_then(|a| a.as_i64(view.context));
    if step.is_some_and(|step| step <= 0) {
        let message = "expected step to be a positive integer";
        error(view, diagnostics, message);
        return;
    }
    for (group, name) in [(0, "lowerBoundMap"), (1, "upperBoundMap")] {
        let map = map_of(view, name);
        if map.results.is_empty() {
            let message = match group {
                0 => "expected lower bound map to have at least one result",
                _ => "expected upper bound map to have at least one result",
            };
            error(view, diagnostics, message);
            return;
        }
        let operands = view.operand_group(group);
        if operands.len() != n_inputs(&map) {
            let message = "operand count and affine map dimension and symbol count must match";
            error(view, diagnostics, message);
            return;
        }
        if !operands.is_empty()
            && !check_operands(view, &operands, map.n_dims as usize, diagnostics)
        {
            return;
        }
    }
    let inits = view.operand_group(2);
    if inits.len() != view.results().len() {
        let message = "mismatch between the number of loop-carried values and results";
        error(view, diagnostics, message);
        return;
    }
    if arguments.len() != 1 + inits.len() {
        let message = "mismatch between the number of basic block args and results";
        error(view, diagnostics, message);
    }
}

pub(super) fn verify_if(view: View<'_>, diagnostics: &mut Diagnostics) {
    let set = view
        .attribute("condition")
        .and_then(|a| a.as_integer_set(view.context));
    let Some(set) = set else { return };
    let operands: Vec<_> = view.operands().collect();
    if operands.len() != (set.n_dims + set.n_symbols) as usize {
        let message = "operand count and integer set dimension and symbol count must match";
        error(view, diagnostics, message);
        return;
    }
    check_operands(view, &operands, set.n_dims as usize, diagnostics);
}

/// Subscripts of the memref that is operand `memref`.
pub(super) fn check_access(view: View<'_>, memref: usize, diagnostics: &mut Diagnostics) -> bool {
    let map = map_of(view, "map");
    let TypeKind::MemRef { shape, .. } = view.ty(view.operand(memref)).kind(view.context) else {
        return true;
    };
    if map.results.len() != shape.len() {
        error(
            view,
            diagnostics,
            "affine map num results must equal memref rank",
        );
        return false;
    }
    let operands: Vec<_> = view.operands().skip(memref + 1).collect();
    if operands.len() != n_inputs(&map) {
        let message = "expects as many subscripts as affine map inputs";
        error(view, diagnostics, message);
        return false;
    }
    for operand in operands {
        if !is_dimension(view, operand) {
            let message = "index must be a valid dimension or symbol identifier";
            error(view, diagnostics, message);
            return false;
        }
    }
    true
}

pub(super) fn verify_load(view: View<'_>, diagnostics: &mut Diagnostics) {
    let element = view.ty(view.operand(0)).element_type(view.context);
    if element != Some(view.ty(view.result(0))) {
        error(
            view,
            diagnostics,
            "result type must match element type of memref",
        );
        return;
    }
    check_access(view, 0, diagnostics);
}

pub(super) fn verify_store(view: View<'_>, diagnostics: &mut Diagnostics) {
    let element = view.ty(view.operand(1)).element_type(view.context);
    if element != Some(view.ty(view.operand(0))) {
        let message = "value to store must have the same type as memref element type";
        error(view, diagnostics, message);
        return;
    }
    check_access(view, 1, diagnostics);
}
