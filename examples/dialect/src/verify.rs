//! Checks that constraints cannot say.

use sluice_ir::definition::OwnTrait;
use sluice_ir::{Attribute, Context, Diagnostics, View};

use crate::{Filter, Format, Mul, Pick};

/// Checks the parameters of a format.
pub(crate) fn verify_format(context: &Context, format: Format) -> Result<(), String> {
    let (width, fraction) = (format.width(context), format.fraction(context));
    match fraction <= width {
        true => Ok(()),
        false => Err(format!(
            "{fraction} digits of a fraction do not fit {width} bits"
        )),
    }
}

/// A trait of operations with a property `format`: it has the width of the result.
pub static KEEPS_FORMAT: OwnTrait = OwnTrait {
    name: "KEEPS_FORMAT",
    summary: "the format has the width of the result",
    verify: Some(verify_width),
    verify_regions: None,
};

fn verify_width(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(product) = Mul::cast(view) else {
        return;
    };
    let width = product.format().width(view.context);
    if view.ty(product.result()).width_bits(view.context) != Some(width) {
        let message = format!(
            "'{}' op has a format of {width} bits, but another result",
            view.name()
        );
        diagnostics.error(view.location(), message);
    }
}

/// Checks that every case has the types of the results.
pub(crate) fn verify_pick(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(pick) = Pick::cast(view) else {
        return;
    };
    let results: Vec<_> = view.result_types().collect();
    for case in pick.cases() {
        let types: Vec<_> = case.iter().map(|value| view.ty(*value)).collect();
        if types != results {
            let message = format!(
                "'{}' op has a case of other types than the result",
                view.name()
            );
            diagnostics.error(view.location(), message);
        }
    }
}

/// Checks an attribute `fixed.…` on an operation of any dialect.
pub(crate) fn verify_attribute(
    view: View<'_>,
    name: &str,
    attribute: Attribute,
    diagnostics: &mut Diagnostics,
) {
    let message = match name {
        "fixed.format" if Format::cast(view.context, attribute).is_some() => return,
        "fixed.format" => "attribute 'fixed.format' is a `#fixed.format`".to_owned(),
        _ => format!("attribute '{name}' is not known to dialect 'fixed'; there is 'fixed.format'"),
    };
    diagnostics.error(view.location(), format!("'{}' op {message}", view.name()));
}

/// Returns true if the custom form shows the whole operation.
pub(crate) fn has_wide_format(view: View<'_>) -> bool {
    Filter::cast(view).is_some()
}
