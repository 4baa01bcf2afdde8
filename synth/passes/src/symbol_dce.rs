//! The `symbol-dce` pass: removes symbols without references, unless users outside the module may refer to them.
//!
//! Source: MLIR, `SymbolDCE`. Differs: if the nearest symbol table does not define a reference, the enclosing tables are searched
//! as well.

use std::collections::BTreeSet;

use sluice_ir::definition::Traits;
use sluice_ir::{Body, Context, Diagnostics, Name, OperationId, View};

use super::symbols::{Visibility, may_hold_unknown_symbols, references_of, visibility};

/// Erases dead symbols in the symbol table `op` and in nested tables. Reports an error if an unregistered operation may hold
/// symbols.
pub fn erase(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    is_root: bool,
    diagnostics: &mut Diagnostics,
) {
    let table = View::new(context, body, op);
    let is_hidden =
        is_root || table.symbol_name().is_none() || visibility(table) == Visibility::Private;
    let mut live = Live::default();
    live.table(table, &[], is_hidden);
    while let Some(view) = live.waiting.pop() {
        live.look_into(view);
    }
    if let Some(view) = live.unknown {
        let message = format!(
            "`{}` may hold symbols, since its dialect is not registered: what refers to them is not known",
            view.name()
        );
        diagnostics.error(view.location(), message);
        return;
    }
    let needed = live.needed;
    erase_dead(context, body, op, &mut Vec::new(), &needed);
}

/// The path to an operation: the enclosing operations, outermost first, each in the body of the previous one, and the operation
/// itself.
type Place = Vec<OperationId>;

/// A worklist entry: an operation with its enclosing symbol tables, outermost first.
struct Waiting<'a> {
    view: View<'a>,
    place: Place,
    tables: Vec<(View<'a>, Place, bool)>,
}

#[derive(Default)]
struct Live<'a> {
    needed: BTreeSet<Place>,
    waiting: Vec<Waiting<'a>>,
    tables: Vec<(View<'a>, Place, bool)>,
    /// The first unregistered operation that may hold symbols.
    unknown: Option<View<'a>>,
}

fn contents(table: View<'_>) -> Vec<View<'_>> {
    let inner = table.inner();
    let blocks = table.regions().iter().flat_map(|r| inner.blocks(*r));
    let ops = blocks.flat_map(|block| inner.operations(*block));
    ops.map(|op| View::new(table.context, inner, op)).collect()
}

fn is_symbol(view: View<'_>) -> bool {
    view.has(Traits::SYMBOL) && view.symbol_name().is_some()
}

fn within(place: &[OperationId], op: OperationId) -> Place {
    place.iter().copied().chain([op]).collect()
}

impl<'a> Live<'a> {
    /// Marks the operations of a table that are live without any reference.
    fn table(&mut self, table: View<'a>, place: &[OperationId], is_hidden: bool) {
        self.tables.push((table, place.to_vec(), is_hidden));
        for view in contents(table) {
            let place = within(place, view.id);
            let is_dispensable = is_symbol(view)
                && match visibility(view) {
                    Visibility::Public => false,
                    Visibility::Nested => is_hidden,
                    Visibility::Private => true,
                };
            if !is_dispensable {
                self.need(view, place, self.tables.clone());
            }
        }
        self.tables.pop();
    }

    fn need(&mut self, view: View<'a>, place: Place, tables: Vec<(View<'a>, Place, bool)>) {
        if self.needed.insert(place.clone()) {
            self.waiting.push(Waiting {
                view,
                place,
                tables,
            });
        }
    }

    /// Marks the symbols that a live operation and its regions refer to.
    fn look_into(&mut self, waiting: Waiting<'a>) {
        let Waiting {
            view,
            mut place,
            tables,
        } = waiting;
        self.walk(view, &mut place, &tables);
    }

    fn walk(&mut self, view: View<'a>, place: &mut Place, tables: &[(View<'a>, Place, bool)]) {
        for (root, nested) in references_of(view) {
            self.resolve(tables, root, &nested);
        }
        if view.has(Traits::SYMBOL_TABLE) {
            let is_hidden = tables.last().is_none_or(|(_, _, is_hidden)| *is_hidden)
                || view.symbol_name().is_none()
                || visibility(view) == Visibility::Private;
            self.tables = tables.to_vec();
            self.table(view, place, is_hidden);
            self.tables = Vec::new();
            return;
        }
        if view.regions().is_empty() {
            return;
        }
        if may_hold_unknown_symbols(view) {
            self.unknown = self.unknown.or(Some(view));
            return;
        }
        for inner in contents(view) {
            place.push(inner.id);
            self.walk(inner, place, tables);
            place.pop();
        }
    }

    fn resolve(&mut self, tables: &[(View<'a>, Place, bool)], root: Name, nested: &[Name]) {
        let find = |table: View<'a>, name: Name| {
            let text = table.context.text(name);
            let mut all = contents(table).into_iter();
            all.find(|view| view.symbol_name() == Some(text))
        };
        for depth in (0..tables.len()).rev() {
            let (mut table, mut place, _) = tables[depth].clone();
            let mut inside = tables[..=depth].to_vec();
            let mut found_root = false;
            for name in [root].iter().chain(nested) {
                let Some(found) = find(table, *name) else {
                    break;
                };
                found_root = true;
                place = within(&place, found.id);
                self.need(found, place.clone(), inside.clone());
                inside.push((found, place.clone(), true));
                table = found;
            }
            if found_root {
                return;
            }
        }
    }
}

/// Erases the dead symbols of `op` and of all tables in it.
fn erase_dead(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    place: &mut Place,
    needed: &BTreeSet<Place>,
) {
    let table = View::new(context, body, op);
    let is_table = table.has(Traits::SYMBOL_TABLE);
    let dead: Vec<OperationId> = contents(table)
        .into_iter()
        .filter(|view| is_table && is_symbol(*view) && !needed.contains(&within(place, view.id)))
        .map(|view| view.id)
        .collect();
    let inner = body.inner_mut(op);
    for op in dead {
        inner.erase(op);
    }
    let rest: Vec<OperationId> = contents(View::new(context, body, op))
        .into_iter()
        .filter(|view| !view.regions().is_empty())
        .map(|view| view.id)
        .collect();
    for inner in rest {
        place.push(inner);
        erase_dead(context, body.inner_mut(op), inner, place, needed);
        place.pop();
    }
}
