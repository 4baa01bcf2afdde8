//! Dialects in addition to those of this crate, for all contexts of a process.
//!
//! A program that links Sluice sets them once, before its first context. Files of irdl become dialects of each context separately:
//! their constraints hold types and attributes of that context.

use std::sync::OnceLock;

use sluice_ir::Context;
use sluice_ir::definition::Dialect;

use crate::irdl::DefinitionFile;

/// Dialects that are not part of this crate.
#[derive(Default)]
pub struct More {
    /// Dialects declared in Rust.
    pub dialects: Vec<&'static Dialect>,
    /// Files that define dialects with operations of irdl.
    pub definitions: Vec<DefinitionFile>,
}

static MORE: OnceLock<More> = OnceLock::new();

/// Sets the dialects that every later context has in addition.
///
/// # Errors
/// A name that another dialect has. A file that cannot be loaded: its rendered errors. A second call.
pub fn extend(more: More) -> Result<(), String> {
    for (i, dialect) in more.dialects.iter().enumerate() {
        let mut others = crate::all().iter().chain(&more.dialects[..i]);
        if others.any(|other| other.name == dialect.name) {
            return Err(format!(
                "error: there is a dialect `{}` already",
                dialect.name
            ));
        }
    }
    // Each file is loaded once here, so that later contexts cannot fail.
    let mut context = crate::context_with(&more.dialects);
    for file in &more.definitions {
        file.load(&mut context)?;
    }
    MORE.set(more)
        .map_err(|_| "error: dialects are added once, at the start of the program".to_owned())
}

/// Returns the dialects declared in Rust that were added.
pub(crate) fn dialects() -> &'static [&'static Dialect] {
    MORE.get().map_or(&[], |more| &more.dialects)
}

/// Loads the files that were added.
pub(crate) fn load_definitions(context: &mut Context) {
    for file in MORE.get().iter().flat_map(|more| &more.definitions) {
        // It was loaded without an error before.
        let _ = file.load(context);
    }
}
