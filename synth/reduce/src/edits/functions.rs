//! Functions, tables and other symbols that are erased.

use sluice_ir::{Context, Module};

use super::Edit;

/// Each symbol, the last first.
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
