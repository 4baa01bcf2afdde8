//! Values for parameters of a circuit's top module.

use sluice_dialects::hw;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::text::print_type;
use sluice_ir::{Attribute, Context, Diagnostics, Module, Type, View};

use crate::circuit::parse_value;

/// Parses a parameter, written `name=number`.
///
/// # Errors
/// Another form.
pub fn parse_parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("NAME=NUMBER is expected".to_owned()),
    }
}

/// Returns the parameters that an operation declares: names, types and values.
fn declared(context: &Context, view: View<'_>) -> Vec<(String, Type, Option<Attribute>)> {
    let list = view.attribute("parameters");
    list.map_or_else(Vec::new, |list| hw::parameter_values(context, list))
}

/// Sets parameters of a module as if it declared the values itself; reports unknown parameters, and values that do not fit.
pub fn give(
    context: &Context,
    module: &mut Module,
    top: &str,
    given: &[(String, String)],
    found: &mut Diagnostics,
) {
    let (Some(op), false) = (module.lookup_symbol(context, top), given.is_empty()) else {
        return;
    };
    let view = View::new(context, module.inner(), op);
    let known = declared(context, view);
    let names: Vec<&str> = known.iter().map(|(name, ..)| name.as_str()).collect();
    let location = view.location();
    for (name, text) in given {
        let Some((_, ty, _)) = known.iter().find(|(known, ..)| known == name) else {
            let hint = match names.is_empty() {
                true => "it has none".to_owned(),
                false => did_you_mean(name, &names),
            };
            let message = format!("`@{top}` has no parameter `{name}`; {hint}");
            found.error(location, message);
            continue;
        };
        let value = ty.width_bits(context).map(|width| parse_value(text, width));
        match value {
            Some(Ok(value)) => {
                let value = context.integer_attribute(*ty, value);
                hw::set_parameter(context, module.inner_mut(), op, name, value);
            }
            _ => {
                let ty = print_type(context, *ty);
                let message =
                    format!("the parameter `{name}` is {ty}, which does not hold `{text}`");
                found.error(location, message);
            }
        }
    }
}

/// Reports the parameters that occur in types of a module and have no value.
pub(crate) fn without_numbers(
    context: &Context,
    module: &Module,
    top: &str,
    found: &mut Diagnostics,
) {
    let Some(op) = module.lookup_symbol(context, top) else {
        return;
    };
    let view = View::new(context, module.inner(), op);
    if !sluice_transform::has_parametric_types(context, view) {
        return;
    }
    for (name, _, value) in declared(context, view) {
        if value.is_none_or(|value| value.integer(context).is_none()) {
            let message = format!(
                "the parameter `{name}` has no number: `--parameter {name}=NUMBER` gives it one, as `parameters` does in a data file"
            );
            found.error(view.location(), message);
        }
    }
}
