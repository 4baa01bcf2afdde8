//! Declared constraints: attributes, operand and result types, predicates, regions.

use super::{error, traits};
use crate::definition::{Arity, OperandSpec, OperationDefinition, Presence, RegionConstraint};
use crate::diagnostics::Diagnostics;
use crate::ids::Type;
use crate::text::print_type;
use crate::view::View;

/// Checks attributes, operands, results, predicates and regions against their declarations.
pub(super) fn check(
    view: View<'_>,
    definition: &OperationDefinition,
    diagnostics: &mut Diagnostics,
) {
    let before = diagnostics.all.len();
    attributes(view, definition, diagnostics);
    let segment = |group| view.operand_segment(group);
    values(
        view,
        "operand",
        definition.operands,
        view.operand_types(),
        &segment,
        diagnostics,
    );
    let segment = |group| view.result_segment(group);
    values(
        view,
        "result",
        definition.results,
        view.result_types(),
        &segment,
        diagnostics,
    );
    if diagnostics.all.len() == before {
        traits::predicates(view, definition, diagnostics);
    }
    regions(view, definition, diagnostics);
}

fn attributes(view: View<'_>, definition: &OperationDefinition, diagnostics: &mut Diagnostics) {
    for (index, spec) in definition.attributes.iter().enumerate() {
        match (view.inherent_attribute(index), &spec.presence) {
            (None, Presence::Required) if spec.since == 0 => {
                let message = format!("requires attribute '{}'", spec.name);
                error(view, diagnostics, message);
            }
            (Some(attribute), _) if !spec.constraint.accepts(view.context, attribute) => {
                let message = format!(
                    "attribute '{}' failed to satisfy constraint: {}",
                    spec.name,
                    spec.constraint.description()
                );
                error(view, diagnostics, message);
            }
            _ => {}
        }
    }
}

fn values(
    view: View<'_>,
    what: &str,
    specs: &[OperandSpec],
    mut types: impl Iterator<Item = Type>,
    segment: &dyn Fn(usize) -> Option<(usize, usize)>,
    diagnostics: &mut Diagnostics,
) {
    let single = specs.iter().all(|spec| spec.arity == Arity::Single);
    if single {
        for (index, (spec, ty)) in specs.iter().zip(types).enumerate() {
            check_type(view, (what, index), spec, ty, diagnostics);
        }
        return;
    }
    let mut index = 0;
    for (group, spec) in specs.iter().enumerate() {
        let Some((_, len)) = segment(group) else {
            let message = format!("{what}s do not fit the declared groups");
            error(view, diagnostics, message);
            return;
        };
        if spec.arity == Arity::Optional && len > 1 {
            let message = format!(
                "{what} group starting at #{index} requires 0 or 1 element, but found {len}"
            );
            error(view, diagnostics, message);
        }
        for ty in types.by_ref().take(len) {
            check_type(view, (what, index), spec, ty, diagnostics);
            index += 1;
        }
    }
}

fn check_type(
    view: View<'_>,
    (what, index): (&str, usize),
    spec: &OperandSpec,
    ty: Type,
    diagnostics: &mut Diagnostics,
) {
    if spec.constraint.accepts(view.context, ty) {
        return;
    }
    let variadic = match spec.arity {
        Arity::Variadic => "variadic of ",
        Arity::Single | Arity::Optional => "",
    };
    let message = format!(
        "{what} #{index} must be {variadic}{}, but got '{}'",
        spec.constraint.description(),
        print_type(view.context, ty)
    );
    error(view, diagnostics, message);
}

fn regions(view: View<'_>, definition: &OperationDefinition, diagnostics: &mut Diagnostics) {
    for (index, (spec, region)) in definition.regions.iter().zip(view.regions()).enumerate() {
        let n_blocks = view.inner().blocks(*region).len();
        let wanted = match spec.constraint {
            RegionConstraint::Sized(n) if n_blocks != n => format!("region with {n} blocks"),
            RegionConstraint::MaxSized(n) if n_blocks > n => {
                format!("region with at most {n} blocks")
            }
            _ => continue,
        };
        let message = format!(
            "region #{index} ('{}') failed to verify constraint: {wanted}",
            spec.name
        );
        error(view, diagnostics, message);
    }
}
