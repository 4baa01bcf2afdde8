//! Control flow edges between regions and their values, checked as upstream checks all operations with such regions.

use smallvec::{SmallVec, smallvec};

use sluice_ir::definition::{RegionEdge, RegionPoint};
use sluice_ir::text::print_type;
use sluice_ir::{Attribute, BlockId, Diagnostics, Type, View};

/// The possible control flow edges.
pub(crate) type Edges = SmallVec<[RegionEdge; 2]>;

/// Returns an edge that passes all operands from index `first` on, to the inputs from `first_input` on.
pub(crate) fn edge(
    source: View<'_>,
    to: RegionPoint,
    first: usize,
    first_input: usize,
) -> RegionEdge {
    RegionEdge {
        to,
        first_operand: first,
        n_operands: source.operands().len().saturating_sub(first),
        first_input,
    }
}

/// Returns an edge that passes no values.
pub(crate) fn bare_edge(to: RegionPoint) -> RegionEdge {
    RegionEdge {
        to,
        first_operand: 0,
        n_operands: 0,
        first_input: 0,
    }
}

/// Returns the edge from a terminator to the results.
pub(crate) fn leave(terminator: Option<View<'_>>) -> Edges {
    terminator
        .into_iter()
        .map(|last| edge(last, RegionPoint::Parent, 0, 0))
        .collect()
}

/// Returns the edges of an operation whose only region runs once; its terminator gives the results.
pub(crate) fn once(
    _: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    _: &[Option<Attribute>],
) -> Edges {
    match from {
        RegionPoint::Parent => smallvec![bare_edge(RegionPoint::Region(0))],
        RegionPoint::Region(_) => leave(terminator),
    }
}

/// Returns the edges of an operation whose only region runs any number of times, with unknown argument values.
pub(crate) fn any_times(
    _: View<'_>,
    _: RegionPoint,
    _: Option<View<'_>>,
    _: &[Option<Attribute>],
) -> Edges {
    smallvec![
        bare_edge(RegionPoint::Region(0)),
        bare_edge(RegionPoint::Parent)
    ]
}

/// Returns the edge to the then or the else region, or past an absent else region; `condition` selects one if it is known.
pub(crate) fn one_of_two(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    condition: Option<bool>,
) -> Edges {
    if from != RegionPoint::Parent {
        return leave(terminator);
    }
    let mut edges = Edges::new();
    if condition != Some(false) {
        edges.push(bare_edge(RegionPoint::Region(0)));
    }
    if condition != Some(true) {
        edges.push(bare_edge(match view.entry_block(1) {
            Some(_) => RegionPoint::Region(1),
            None => RegionPoint::Parent,
        }));
    }
    edges
}

/// Returns the types of the arguments of a block in the regions of `view`.
pub(crate) fn argument_types(view: View<'_>, block: BlockId) -> Vec<Type> {
    let body = view.inner();
    body.arguments(block).iter().map(|v| body.ty(*v)).collect()
}

/// Returns the types of the operands of the last operation of a block, from index `skip` on.
pub(crate) fn passed_types(view: View<'_>, block: BlockId, skip: usize) -> Vec<Type> {
    let body = view.inner();
    let Some(last) = body.last_operation(block) else {
        return Vec::new();
    };
    body.operands(last).skip(skip).map(|v| body.ty(v)).collect()
}

/// Checks the types of values passed along an edge; reports a mismatch and returns false if there is one.
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
