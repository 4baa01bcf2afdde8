//! Edits that erase functions, tables and other symbols.

use sluice_ir::{Context, Module};

use super::Edit;

/// Returns an edit for each symbol, the last one first.
pub(super) fn erasures(_: &Context, module: &Module) -> Vec<Edit> {
    let mut all = module.top_level_operations();
    all.reverse();
    all.into_iter()
        .map(|op| -> Edit {
            Box::new(move |_, module| {
                let inner = module.inner_mut();
                let goes = !inner.is_erased(op);
                if goes {
                    inner.erase(op);
                }
                goes
            })
        })
        .collect()
}
