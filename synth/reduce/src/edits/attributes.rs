//! Edits that remove attributes, one at a time; the verifier rejects the removal of required ones.

use sluice_ir::{Context, Module};

use super::Edit;
use super::operations::outer_first;
use super::place::{functions, of_body};

/// Attributes that define the meaning of an operation, so they are never removed.
const MEANING: [&str; 9] = [
    "sym_name",
    "function_type",
    "value",
    "map",
    "callee",
    "operandSegmentSizes",
    "condition",
    "predicate",
    "step",
];

/// Returns an edit for each attribute of each operation and function.
pub(super) fn removals(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let is_free = |name: &str| !MEANING.contains(&name);
    for op in module.top_level_operations() {
        for (name, _) in module.inner().attributes(op) {
            let name = *name;
            if is_free(context.text(name)) {
                edits.push(Box::new(move |_, module| {
                    let inner = module.inner_mut();
                    !inner.is_erased(op) && inner.remove_attribute(op, name).is_some()
                }));
            }
        }
    }
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            for (name, _) in body.attributes(op) {
                let name = *name;
                if is_free(context.text(name)) {
                    edits.push(of_body(function, move |_, body| {
                        !body.is_erased(op) && body.remove_attribute(op, name).is_some()
                    }));
                }
            }
        }
    }
    edits
}
