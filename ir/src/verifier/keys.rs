//! Checks attributes of a dialect on operations of other dialects: declared, on an allowed operation, with a valid value.

use super::error;
use crate::definition::{KeyDefinition, KeyPlaces};
use crate::diagnostics::Diagnostics;
use crate::ids::Attribute;
use crate::suggestion::nearest;
use crate::view::View;

/// Attributes of a function that hold the attributes of its arguments, and of its results.
const OF_VALUES: [&str; 2] = ["arg_attrs", "res_attrs"];

/// Checks the attributes of an operation, and of its arguments and results if it is a function.
pub(super) fn check(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    for (name, attribute) in view.attributes() {
        let name = context.text(*name);
        if let Some(verify) = context.attribute_check(name) {
            verify(view, name, *attribute, diagnostics);
        }
        if context.is_key(name) {
            one(view, name, *attribute, false, diagnostics);
        } else if OF_VALUES.contains(&name) {
            let of_values = attribute.as_array(context).unwrap_or_default().iter();
            let entries = of_values.filter_map(|entries| entries.as_dictionary(context));
            for (name, attribute) in entries.flatten() {
                let name = context.text(*name);
                if let Some(verify) = context.attribute_check(name) {
                    verify(view, name, *attribute, diagnostics);
                }
                if context.is_key(name) {
                    one(view, name, *attribute, true, diagnostics);
                }
            }
        }
    }
}

/// Checks one attribute.
fn one(
    view: View<'_>,
    name: &str,
    attribute: Attribute,
    is_of_value: bool,
    diagnostics: &mut Diagnostics,
) {
    let context = view.context;
    let message = match context.keys().get(name) {
        None => format!(
            "has an attribute '{name}' that is not declared{}",
            hint(view, name)
        ),
        Some(key) => match key.places {
            KeyPlaces::Operations { kind, names }
                if is_of_value || !names.contains(&view.name()) =>
            {
                let names = names.join("`, `");
                format!("cannot have the attribute '{name}', which is for {kind}: `{names}`")
            }
            KeyPlaces::Anywhere | KeyPlaces::Operations { .. }
                if !key.value.accepts(context, attribute) =>
            {
                let fits = key.value.description();
                format!("attribute '{name}' failed to satisfy constraint: {fits}")
            }
            KeyPlaces::Anywhere | KeyPlaces::Operations { .. } => return,
        },
    };
    error(view, diagnostics, message);
}

/// Returns the nearest declared name, or else those allowed on these operations.
fn hint(view: View<'_>, name: &str) -> String {
    let keys = view.context.keys();
    if let Some(near) = nearest(name, keys.keys().copied()) {
        return format!("; did you mean `{near}`?");
    }
    let is_for_it = |key: &&&KeyDefinition| match key.places {
        KeyPlaces::Anywhere => false,
        KeyPlaces::Operations { names, .. } => names.contains(&view.name()),
    };
    let fitting: Vec<&str> = keys
        .values()
        .filter(is_for_it)
        .map(|key| key.name)
        .collect();
    match fitting[..] {
        [] => String::new(),
        _ => format!("; what fits: `{}`", fitting.join("`, `")),
    }
}
