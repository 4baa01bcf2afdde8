//! Dependences on operations by name, and references to operator types and resource types.

use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::print_attribute;
use sluice_ir::{Attribute, AttributeKind, Diagnostics, View};

use super::children;
use super::properties::{dependences, property};

/// Checks that named sources come after the operands, in consecutive positions.
pub(super) fn verify_dependences(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_operands = view.operands().len();
    let mut last: Option<usize> = None;
    for edge in dependences(view) {
        let index = edge.index;
        let message = match edge.source {
            None if index >= n_operands => {
                Some("Operand index is out of bounds for def-use dependence attribute".to_owned())
            }
            None if last.is_some_and(|last| index <= last) => Some(
                "Def-use operand indices in dependence attribute are not monotonically increasing"
                    .to_owned(),
            ),
            None => None,
            Some(source) if index < n_operands => Some(format!(
                "Auxiliary dependence from {} is interleaved with SSA operands",
                print_attribute(view.context, source)
            )),
            Some(_) => {
                let follows = last.map_or(0, |last| last + 1) == index;
                let is_first = last.is_none_or(|last| index > last) && index == n_operands;
                (!follows && !is_first).then(|| {
                    "Auxiliary operand indices in dependence attribute are not consecutive"
                        .to_owned()
                })
            }
        };
        if let Some(message) = message {
            diagnostics.error(view.location(), message);
            return;
        }
        last = Some(index);
    }
}

/// Checks that every name in an instance is defined: in its graph, in its libraries, or around it.
pub(super) fn verify_references(
    instance: View<'_>,
    symbols: &SymbolTable<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(graph) = children(instance).find(|child| child.name() == "ssp.graph") else {
        return;
    };
    let context = instance.context;
    let names: std::collections::BTreeSet<&str> =
        children(graph).filter_map(View::symbol_name).collect();
    for operation in children(graph) {
        for source in dependences(operation).into_iter().filter_map(|e| e.source) {
            let is_there = source
                .as_flat_symbol(context)
                .is_some_and(|name| names.contains(name));
            if !is_there {
                let message = format!(
                    "Auxiliary dependence references invalid source operation: {}",
                    print_attribute(context, source)
                );
                diagnostics.error(operation.location(), message);
            }
        }
        let all = operation.attribute("sspProperties");
        let wrong = |what: &str, reference: Attribute| {
            format!(
                "Linked {what} type property references invalid {what} type: {}",
                print_attribute(context, reference)
            )
        };
        if let Some(operator) = property(context, all, "ssp.opr")
            && resolve(instance, symbols.owner(), operator, "ssp.operator_type").is_none()
        {
            diagnostics.error(operation.location(), wrong("operator", operator));
        }
        let units = property(context, all, "ssp.rsrcs").and_then(|units| units.as_array(context));
        for unit in units.into_iter().flatten() {
            if resolve(instance, symbols.owner(), *unit, "ssp.resource_type").is_none() {
                diagnostics.error(operation.location(), wrong("resource", *unit));
            }
        }
    }
}

/// Returns the operation of kind `wanted` that `reference` names within `instance`, which is in `around`: in one of the
/// instance's own libraries, elsewhere in the instance, or around it.
pub fn resolve<'a>(
    instance: View<'a>,
    around: View<'a>,
    reference: Attribute,
    wanted: &str,
) -> Option<View<'a>> {
    let context = instance.context;
    let AttributeKind::SymbolRef { root, nested } = reference.kind(context) else {
        return None;
    };
    let path: Vec<&str> = [root]
        .into_iter()
        .chain(nested.iter())
        .map(|name| context.text(*name))
        .collect();
    let inside = |start: View<'a>| {
        let mut at = start;
        for name in &path {
            at = children(at).find(|child| child.symbol_name() == Some(name))?;
        }
        Some(at).filter(|found| found.name() == wanted)
    };
    let own = children(instance).filter(|child| child.name() != "ssp.graph");
    let mut own: Vec<View<'a>> = own.collect();
    own.extend([instance, around]);
    own.into_iter().find_map(inside)
}
