//! What regions and terminators hand to each other, checked as upstream checks all operations with such regions.

use sluice_ir::text::print_type;
use sluice_ir::{BlockId, Diagnostics, Type, View};

/// Types of the arguments of a block of the regions of `view`.
pub(crate) fn argument_types(view: View<'_>, block: BlockId) -> Vec<Type> {
    let body = view.inner();
    body.arguments(block).iter().map(|v| body.ty(*v)).collect()
}

/// Types of the operands from `skip` on of the last operation of a block.
pub(crate) fn passed_types(view: View<'_>, block: BlockId, skip: usize) -> Vec<Type> {
    let body = view.inner();
    let Some(last) = body.last_operation(block) else {
        return Vec::new();
    };
    body.operands(last).skip(skip).map(|v| body.ty(v)).collect()
}

/// Reports values that go from one place to another and do not fit; says whether they do.
pub(crate) fn check_edge(
    view: View<'_>,
    (from, given): (&str, &[Type]),
    (to, wanted): (&str, &[Type]),
    diagnostics: &mut Diagnostics,
) -> bool {
    let edge = format!("region control flow edge from {from} to {to}");
    let problem = if given.len() != wanted.len() {
        format!(
            " {edge}: source has {} operands, but target successor needs {}",
            given.len(),
            wanted.len()
        )
    } else if let Some(i) = (0..given.len()).find(|i| given[*i] != wanted[*i]) {
        format!(
            " along control flow edge from {from} to {to}: source type #{i} '{}' should match input type #{i} '{}'",
            print_type(view.context, given[i]),
            print_type(view.context, wanted[i])
        )
    } else {
        return true;
    };
    diagnostics.error(view.location(), format!("'{}' op {problem}", view.name()));
    false
}
