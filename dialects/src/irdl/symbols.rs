//! Symbols in definitions, such as `@dialect::@type`: they are looked up around the dialect.

use sluice_ir::definition::Traits;
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::print_attribute;
use sluice_ir::{Attribute, AttributeKind, Diagnostics, View};

use super::{children, op_error};

/// Returns the operation that `symbol` refers to in the symbol table around a dialect.
pub(super) fn resolve<'a>(table: &SymbolTable<'a>, symbol: Attribute) -> Option<View<'a>> {
    let first = table.owner();
    let AttributeKind::SymbolRef { root, nested } = symbol.kind(first.context) else {
        return None;
    };
    let mut found = table.lookup(first.context.text(*root))?;
    for name in nested {
        if !found.has(Traits::SYMBOL_TABLE) {
            return None;
        }
        let name = found.context.text(*name);
        found = children(found).find(|child| child.symbol_name() == Some(name))?;
    }
    Some(found)
}

/// Returns the symbol that a constraint refers to, if there is one.
pub(super) fn referenced(view: View<'_>) -> Option<Attribute> {
    match view.name() {
        "irdl.base" => view.attribute("base_ref"),
        "irdl.parametric" => view.attribute("base_type"),
        _ => None,
    }
}

/// Checks that the constraints in a dialect refer to types and attributes.
pub(super) fn check_uses(
    dialect: View<'_>,
    table: &SymbolTable<'_>,
    diagnostics: &mut Diagnostics,
) {
    for constraint in children(dialect).flat_map(children) {
        let Some(symbol) = referenced(constraint) else {
            continue;
        };
        let text = print_attribute(dialect.context, symbol);
        match resolve(table, symbol).map(View::name) {
            Some("irdl.type" | "irdl.attribute") => {}
            Some(other) => {
                let message = format!(
                    "symbol '{text}' does not refer to a type or attribute definition (refers to '{other}')"
                );
                op_error(constraint, diagnostics, message);
            }
            None => {
                let message = format!("symbol '{text}' not found");
                op_error(constraint, diagnostics, message);
            }
        }
    }
}
