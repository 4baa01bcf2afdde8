//! Symbol tables: the symbols of an operation by name, and the check of their uses.

use std::collections::BTreeMap;

use crate::definition::Traits;
use crate::diagnostics::Diagnostics;
use crate::ids::OperationId;
use crate::view::View;

/// The symbols in the regions of one operation.
pub struct SymbolTable<'a> {
    owner: View<'a>,
    by_name: BTreeMap<&'a str, OperationId>,
}

impl<'a> SymbolTable<'a> {
    /// Collects the symbols directly in the regions of `owner`; a duplicate name is an error.
    pub fn new(owner: View<'a>, diagnostics: &mut Diagnostics) -> Self {
        let inner = owner.inner();
        let mut by_name: BTreeMap<&str, OperationId> = BTreeMap::new();
        for block in owner.regions().iter().flat_map(|r| inner.blocks(*r)) {
            for op in inner.operations(*block) {
                let symbol = View::new(owner.context, inner, op);
                let Some(name) = symbol.symbol_name() else {
                    continue;
                };
                if let Some(first) = by_name.insert(name, op) {
                    let message = format!("redefinition of symbol named '{name}'");
                    let found = diagnostics.error(symbol.location(), message);
                    found.note(inner.location(first), "see existing symbol definition here");
                }
            }
        }
        Self { owner, by_name }
    }

    /// Returns the operation that contains the symbols.
    pub fn owner(&self) -> View<'a> {
        self.owner
    }

    /// Returns the operation whose symbol is `name`.
    pub fn lookup(&self, name: &str) -> Option<View<'a>> {
        let op = *self.by_name.get(name)?;
        Some(View::new(self.owner.context, self.owner.inner(), op))
    }

    /// Checks every use of a symbol in the regions of the owner, except those in nested symbol tables.
    pub fn verify_uses(&self, diagnostics: &mut Diagnostics) {
        let inner = self.owner.inner();
        for block in self.owner.regions().iter().flat_map(|r| inner.blocks(*r)) {
            for op in inner.operations(*block) {
                self.verify_within(View::new(self.owner.context, inner, op), diagnostics);
            }
        }
    }

    fn verify_within(&self, view: View<'_>, diagnostics: &mut Diagnostics) {
        let Some(definition) = view.definition() else {
            return;
        };
        if let Some(verify) = definition.verify_symbols {
            verify(view, self, diagnostics);
        }
        if definition.has(Traits::SYMBOL_TABLE) {
            return;
        }
        let inner = view.inner();
        for block in view.regions().iter().flat_map(|r| inner.blocks(*r)) {
            for op in inner.operations(*block) {
                self.verify_within(View::new(view.context, inner, op), diagnostics);
            }
        }
    }
}
