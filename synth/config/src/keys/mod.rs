//! The keys of a configuration. Each is declared once; the reader, the page `docs/CONFIGURATION.md`, `sluice keys` and the JSON
//! schema for editors are derived from the declarations.

use crate::key::{About, about};

mod kernel;
mod page;
mod schema;

pub(crate) use kernel::KERNEL_KEYS;
pub use page::{page, to_text};
pub use schema::schema;

/// Returns the keys of `kernel.yaml`, in declaration order.
pub fn kernel_keys() -> Vec<&'static About> {
    about(KERNEL_KEYS)
}
