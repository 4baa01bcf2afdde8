//! Shared parts of messages and names for several dialects.

use sluice_ir::text::print_type;
use sluice_ir::{Diagnostics, Type, View};

/// Records an error that names the operation.
pub(crate) fn op_error(view: View<'_>, diagnostics: &mut Diagnostics, message: impl AsRef<str>) {
    let message = format!("'{}' op {}", view.name(), message.as_ref());
    diagnostics.error(view.location(), message);
}

/// Returns a type in quotes, as in messages.
pub(crate) fn quoted(view: View<'_>, ty: Type) -> String {
    format!("'{}'", print_type(view.context, ty))
}

/// Returns true if the operation has no attributes: the custom form of some operations has no place for them.
pub(crate) fn has_no_attributes(view: View<'_>) -> bool {
    view.attributes().is_empty()
}

/// Returns the name of the only result: the attribute `name`, unless it is empty.
pub(crate) fn name_of(view: View<'_>) -> Vec<Option<String>> {
    let name = view.attribute("name").and_then(|a| a.as_str(view.context));
    vec![name.filter(|name| !name.is_empty()).map(str::to_owned)]
}
