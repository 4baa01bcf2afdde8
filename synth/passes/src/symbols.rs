//! What passes over whole modules ask of symbols: who is named where, and who can be seen from outside.

use sluice_ir::definition::Traits;
use sluice_ir::{Attribute, AttributeKind, Body, Context, Name, OperationId, View};

/// Who may refer to a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Anything outside of the module may refer to it.
    Public,
    /// What holds the symbol table may refer to it.
    Nested,
    /// Only the symbol table that holds it may refer to it.
    Private,
}

/// The visibility of a symbol; public if it does not say.
pub fn visibility(view: View<'_>) -> Visibility {
    let said = view.attribute("sym_visibility");
    match said.and_then(|a| a.as_str(view.context)) {
        Some("private") => Visibility::Private,
        Some("nested") => Visibility::Nested,
        _ => Visibility::Public,
    }
}

/// Whether all uses of what `owner` holds are in sight, where `outside` says so of what holds `owner`.
pub(crate) fn uses_are_visible(owner: View<'_>, outside: bool) -> bool {
    !owner.has(Traits::SYMBOL_TABLE)
        || outside
        || owner.symbol_name().is_none()
        || visibility(owner) == Visibility::Private
}

/// Whether an operation of a dialect nobody knows may hold symbols that are looked up in it.
pub(crate) fn may_hold_unknown_symbols(view: View<'_>) -> bool {
    let name = view.name();
    let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
    view.regions().len() == 1 && view.context.dialect(dialect).is_none()
}

/// The symbol references in the attributes of one operation, each with the names below its root.
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

/// Calls `visit` with `op` and every operation in its regions, isolated or not; `visit` says whether to go further in.
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

/// The symbol that a call names, if it names one directly.
pub fn callee(view: View<'_>) -> Option<&str> {
    view.has(Traits::CALL_LIKE)
        .then(|| view.attribute("callee")?.as_flat_symbol(view.context))
        .flatten()
}
