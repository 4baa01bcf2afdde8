//! Checks of operations on single elements.

use sluice_ir::{Diagnostics, Type, View};

use crate::linalg::shape;
use crate::messages::op_error;

fn rank(view: View<'_>, ty: Type) -> usize {
    shape(view.context, ty).map_or(0, <[_]>::len)
}

fn check_subscripts(view: View<'_>, n_before: usize, diagnostics: &mut Diagnostics) {
    let rank = rank(view, view.ty(view.operand(n_before - 1)));
    if view.operands().len() - n_before != rank {
        op_error(view, diagnostics, "incorrect number of indices");
    }
}

pub(super) fn verify_extract(view: View<'_>, diagnostics: &mut Diagnostics) {
    let rank = rank(view, view.ty(view.operand(0)));
    if view.operands().len() - 1 != rank {
        op_error(
            view,
            diagnostics,
            "incorrect number of indices for extract_element",
        );
    }
}

pub(super) fn verify_insert(view: View<'_>, diagnostics: &mut Diagnostics) {
    check_subscripts(view, 2, diagnostics);
}

/// Checks that there is an operand for each size that the type of the result leaves open.
pub(super) fn verify_extents(view: View<'_>, diagnostics: &mut Diagnostics) {
    let shape = shape(view.context, view.ty(view.result(0))).unwrap_or_default();
    let n_open = shape.iter().filter(|size| size.is_none()).count();
    let n_before = usize::from(view.name() == super::Splat::NAME);
    let n_sizes = view.operands().len() - n_before;
    if n_open != n_sizes {
        let message =
            format!("incorrect number of dynamic sizes, has {n_sizes}, expected {n_open}");
        op_error(view, diagnostics, message);
    }
}

/// Checks the number of elements.
pub(super) fn verify_elements(view: View<'_>, diagnostics: &mut Diagnostics) {
    let wanted = view.ty(view.result(0)).n_elements(view.context);
    let wanted = wanted.and_then(sluice_ir::Exact::to_u64);
    let found = u64::try_from(view.operands().len()).unwrap_or(u64::MAX);
    if wanted != Some(found) {
        op_error(
            view,
            diagnostics,
            "expects one operand for each element of the result",
        );
    }
}
