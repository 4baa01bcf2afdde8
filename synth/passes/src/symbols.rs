//! Symbol queries for module passes: visibility, references, callees.

use sluice_ir::definition::Traits;
use sluice_ir::{Attribute, AttributeKind, Body, Context, Name, OperationId, View};

/// The visibility of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Operations outside the module may refer to it.
    Public,
    /// The operation that contains the symbol table may refer to it.
    Nested,
    /// Only operations in the same symbol table may refer to it.
    Private,
}

/// Returns the visibility of a symbol. The default is public.
pub fn visibility(view: View<'_>) -> Visibility {
    let said = view.attribute("sym_visibility");
    match said.and_then(|a| a.as_str(view.context)) {
        Some("private") => Visibility::Private,
        Some("nested") => Visibility::Nested,
        _ => Visibility::Public,
    }
}

/// Returns true if all uses of the symbols of `owner` are visible. `outside` gives the same property of the enclosing operation.
pub(crate) fn uses_are_visible(owner: View<'_>, outside: bool) -> bool {
    !owner.has(Traits::SYMBOL_TABLE)
        || outside
        || owner.symbol_name().is_none()
        || visibility(owner) == Visibility::Private
}

/// Returns true if an operation of an unregistered dialect may be a symbol table.
pub(crate) fn may_hold_unknown_symbols(view: View<'_>) -> bool {
    let name = view.name();
    let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
    view.regions().len() == 1 && view.context.dialect(dialect).is_none()
}

/// Returns the symbol references in the attributes of one operation: the root name and the nested names.
pub(crate) fn references_of(view: View<'_>) -> Vec<(Name, Vec<Name>)> {
    let mut found = Vec::new();
    for (_, attribute) in view.attributes() {
        collect(view.context, *attribute, &mut found);
    }
    if let Some(properties) = view.body.unregistered_properties(view.id) {
        collect(view.context, properties, &mut found);
    }
    found
}

fn collect(context: &Context, attribute: Attribute, found: &mut Vec<(Name, Vec<Name>)>) {
    match attribute.kind(context) {
        AttributeKind::SymbolRef { root, nested } => found.push((*root, nested.to_vec())),
        AttributeKind::Array(elements) => {
            for element in elements {
                collect(context, *element, found);
            }
        }
        AttributeKind::Dictionary(entries) => {
            for (_, value) in entries {
                collect(context, *value, found);
            }
        }
        _ => {}
    }
}

/// Calls `visit` for `op` and every nested operation, isolated or not. `visit` returns true to visit the nested operations.
pub fn walk<'a>(
    context: &'a Context,
    body: &'a Body,
    op: OperationId,
    visit: &mut impl FnMut(View<'a>) -> bool,
) {
    if !visit(View::new(context, body, op)) {
        return;
    }
    let inner = body.inner(op);
    for region in body.regions(op) {
        for block in inner.blocks(*region) {
            for op in inner.operations(*block) {
                walk(context, inner, op, visit);
            }
        }
    }
}

/// Returns the symbol that a direct call names.
pub fn callee(view: View<'_>) -> Option<&str> {
    view.has(Traits::CALL_LIKE)
        .then(|| view.attribute("callee")?.as_flat_symbol(view.context))
        .flatten()
}
