//! Checks the numbers of regions, results, successors and operands, and the attributes that divide operands into groups.

use super::error;
use crate::attributes::AttributeKind;
use crate::definition::{Arity, OperandSpec, OperationDefinition, Traits};
use crate::diagnostics::Diagnostics;
use crate::view::View;

/// Checks the declared numbers; reports only the first error, since the others depend on it.
pub(super) fn check(
    view: View<'_>,
    definition: &OperationDefinition,
    diagnostics: &mut Diagnostics,
) {
    if is_plain(view, definition) {
        return;
    }
    let broken = regions(view, definition)
        .or_else(|| results(view, definition))
        .or_else(|| successors(view, definition))
        .or_else(|| operands(view, definition))
        .or_else(|| {
            let has = definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS);
            let groups = (definition.operands, view.operands().len());
            has.then(|| segments(view, "operand", "operandSegmentSizes", groups))?
        })
        .or_else(|| {
            let has = definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS);
            let groups = (definition.results, view.results().len());
            has.then(|| segments(view, "result", "resultSegmentSizes", groups))?
        });
    if let Some(message) = broken {
        error(view, diagnostics, message);
    }
}

/// Returns true if there is exactly one of everything that is declared: most operations pass this fast check.
fn is_plain(view: View<'_>, definition: &OperationDefinition) -> bool {
    let single = |spec: &OperandSpec| spec.arity == Arity::Single;
    view.body.n_operands(view.id) == definition.operands.len()
        && view.results().len() == definition.results.len()
        && view.regions().is_empty()
        && definition.regions.is_empty()
        && view.successors().is_empty()
        && definition.successors.is_empty()
        && definition.operands.iter().all(single)
        && definition.results.iter().all(single)
        && !definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS)
        && !definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS)
}

/// Returns the number of single groups, and true if there are others.
fn counts(arities: impl Iterator<Item = Arity>) -> (usize, bool) {
    let mut counts = (0, false);
    for arity in arities {
        match arity {
            Arity::Single => counts.0 += 1,
            Arity::Optional | Arity::Variadic => counts.1 = true,
        }
    }
    counts
}

fn regions(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    let found = view.regions().len();
    match counts(definition.regions.iter().map(|r| r.arity)) {
        (n, true) => (found < n).then(|| format!("expected {n} or more regions")),
        (0, false) => (found != 0).then(|| "requires zero regions".to_owned()),
        (1, false) => (found != 1).then(|| "requires one region".to_owned()),
        (n, false) => (found != n).then(|| format!("expected {n} regions")),
    }
}

fn results(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    let found = view.results().len();
    match counts(definition.results.iter().map(|r| r.arity)) {
        (n, true) => (found < n).then(|| format!("expected {n} or more results")),
        (0, false) => (found != 0).then(|| "requires zero results".to_owned()),
        (1, false) => (found != 1).then(|| "requires one result".to_owned()),
        (n, false) => (found != n).then(|| format!("expected {n} results")),
    }
}

fn successors(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    let found = view.successors().len();
    match counts(definition.successors.iter().map(|s| s.arity)) {
        (n, true) => (found < n).then(|| {
            let plural = if n == 1 { "" } else { "s" };
            format!("requires at least {n} successor{plural} but found {found}")
        }),
        (1, false) => (found != 1).then(|| format!("requires 1 successor but found {found}")),
        (n, false) => (found != n).then(|| format!("requires {n} successors but found {found}")),
    }
}

fn operands(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    let found = view.operands().len();
    match counts(definition.operands.iter().map(|o| o.arity)) {
        (n, true) => {
            (found < n).then(|| format!("expected {n} or more operands, but found {found}"))
        }
        (0, false) => (found != 0).then(|| "requires zero operands".to_owned()),
        (1, false) => (found != 1).then(|| "requires a single operand".to_owned()),
        (n, false) => (found != n).then(|| format!("expected {n} operands, but found {found}")),
    }
}

/// Checks that the sizes of groups in attribute `name` match the declared `groups` and the number of values.
fn segments(
    view: View<'_>,
    what: &str,
    name: &str,
    (groups, found): (&[OperandSpec], usize),
) -> Option<String> {
    let sizes = view.attribute(name).filter(|a| {
        matches!(a.kind(view.context), AttributeKind::DenseArray { element, .. }
            if element.integer_width_bits(view.context) == Some(32))
    });
    let Some(sizes) = sizes.and_then(|a| a.as_dense_array_i64(view.context)) else {
        return Some(format!("requires dense i32 array attribute '{name}'"));
    };
    if sizes.iter().any(|size| *size < 0) {
        return Some(format!("'{name}' attribute cannot have negative elements"));
    }
    let total: i64 = sizes.iter().sum();
    if usize::try_from(total) != Ok(found) {
        return Some(format!(
            "{what} count ({found}) does not match with the total size ({total}) specified in attribute '{name}'"
        ));
    }
    (sizes.len() != groups.len()).then(|| {
        format!(
            "'{name}' attribute for specifying {what} segments must have {} elements, but got {}",
            groups.len(),
            sizes.len()
        )
    })
}
