//! Adds the operation to diagnostics: `note: see current operation: ...`, as mlir-opt does.

use std::collections::BTreeMap;

use sluice_ir::text::{PrintOptions, print_operation};
use sluice_ir::{Context, Diagnostics, Location, Module, View};

/// Generic texts of operations with their names, by location.
type Operations<'m> = BTreeMap<Location, Vec<(&'m str, String)>>;

/// Adds a note with the operation to each diagnostic whose location, with the name in its message, is that of exactly one
/// operation.
///
/// Differs from mlir-opt, which prints the regions of the operation too.
pub(super) fn add(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    let places = diagnostics
        .all
        .iter()
        .map(|found| (found.location, Vec::new()));
    let mut operations: Operations<'_> = places.collect();
    operations.remove(&Location::UNKNOWN);
    collect(module.view(context), &mut operations);
    for found in &mut diagnostics.all {
        let here = operations.get(&found.location).into_iter().flatten();
        let named = here.clone().filter(|(name, _)| {
            let rest = found.message.strip_prefix('\'');
            let rest = rest.and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with("' op"))
        });
        if let Some((_, text)) = only(named).or_else(|| only(here)) {
            let note = format!("see current operation: {text}");
            found.notes.insert(0, (found.location, note));
        }
    }
}

/// Returns the only item, if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

fn collect<'m>(view: View<'m>, operations: &mut Operations<'m>) {
    if let Some(known) = operations.get_mut(&view.location()) {
        known.push((view.name(), generic_text(view)));
    }
    let inner = view.inner();
    for block in view.regions().iter().flat_map(|r| inner.blocks(*r)) {
        for op in inner.operations(*block) {
            collect(View::new(view.context, inner, op), operations);
        }
    }
}

fn generic_text(view: View<'_>) -> String {
    let options = PrintOptions {
        generic: true,
        local_scope: true,
        skip_regions: true,
        ..PrintOptions::default()
    };
    let text = print_operation(view.context, view.body, view.id, &options);
    text.trim_end().to_owned()
}
