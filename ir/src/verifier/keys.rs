//! Attributes that a dialect puts on operations of others: declared, in a place where they may be, with a value that fits.

use super::error;
use crate::definition::{KeyDefinition, KeyPlaces};
use crate::diagnostics::Diagnostics;
use crate::ids::Attribute;
use crate::suggestion::did_you_mean;
use crate::view::View;

/// Attributes of a function for each of its arguments.
const OF_ARGUMENTS: &str = "arg_attrs";

/// Checks the attributes of an operation, and of its arguments if it is a function.
pub(super) fn check(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    for (name, attribute) in view.attributes() {
        let name = context.text(*name);
        if context.is_key(name) {
            one(view, name, *attribute, false, diagnostics);
        } else if name == OF_ARGUMENTS {
            let of_arguments = attribute.as_array(context).unwrap_or_default().iter();
            for entries in of_arguments.filter_map(|entries| entries.as_dictionary(context)) {
                for (name, attribute) in entries {
                    let name = context.text(*name);
                    if context.is_key(name) {
                        one(view, name, *attribute, true, diagnostics);
                    }
                }
            }
        }
    }
}

fn one(
    view: View<'_>,
    name: &str,
    attribute: Attribute,
    is_of_argument: bool,
    diagnostics: &mut Diagnostics,
) {
    let context = view.context;
    let Some(key) = context.keys().get(name) else {
        let known: Vec<&str> = context.keys().keys().copied().collect();
        let hint = did_you_mean(name, &known);
        error(
            view,
            diagnostics,
            format!("has an attribute '{name}' that is not declared; {hint}"),
        );
        return;
    };
    if let Some(places) = misplaced(view, key, is_of_argument) {
        error(
            view,
            diagnostics,
            format!("cannot have the attribute '{name}', which is for {places}"),
        );
    } else if !(key.value.check)(context, attribute) {
        let fits = key.value.summary;
        error(
            view,
            diagnostics,
            format!("attribute '{name}' failed to satisfy constraint: {fits}"),
        );
    }
}

/// The places of a key that is in another one.
fn misplaced(view: View<'_>, key: &KeyDefinition, is_of_argument: bool) -> Option<String> {
    match key.places {
        KeyPlaces::Anywhere => None,
        KeyPlaces::Arguments => (!is_of_argument).then(|| "arguments of functions".to_owned()),
        KeyPlaces::Operations { kind, names } => {
            let fits = !is_of_argument && names.contains(&view.name());
            (!fits).then(|| format!("{kind}: `{}`", names.join("`, `")))
        }
    }
}
