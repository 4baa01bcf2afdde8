//! Passes of the dialect, for `sluice-fixed opt`.

use sluice_ir::{Body, Context, Diagnostics, Parameter as _, View};
use sluice_passes::pipeline::{OptionKind, Options};
use sluice_passes::{Generic, GenericPass, OwnPass};

use crate::{Cost, Format, Mul, Rounding};

/// Returns all passes.
pub fn all() -> Vec<OwnPass> {
    vec![
        OwnPass {
            pass: GenericPass {
                name: "fixed-count-units",
                class: "FixedCountUnits",
                reason: "remarks the units that operations need",
                run: Generic::Bodies(|context, body, _, found| count_units(context, body, found)),
            },
            options: &[],
        },
        OwnPass {
            pass: GenericPass {
                name: "fixed-set-rounding",
                class: "FixedSetRounding",
                reason: "all products round in one way",
                run: Generic::Bodies(|context, body, options, _| {
                    set_rounding(context, body, options);
                }),
            },
            options: &[("to", OptionKind::Word(&["down", "to_nearest", "to_even"]))],
        },
    ]
}

/// Remarks the units of each operation that implements `Cost`, of this dialect or of another one.
fn count_units(context: &Context, body: &mut Body, found: &mut Diagnostics) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if let Some(cost) = view.interface::<dyn Cost>() {
            let message = format!("{} x {}", cost.units(view), cost.unit());
            found.remark(view.location(), message);
        }
    }
}

/// Sets the rounding of all products.
fn set_rounding(context: &Context, body: &mut Body, options: &Options) {
    let mut all = Rounding::ALL.iter().copied();
    let Some(rounding) = all.find(|one| options.is("to", &one.to_string())) else {
        return;
    };
    for op in body.walk_all() {
        let Some(product) = Mul::cast(View::new(context, body, op)) else {
            continue;
        };
        let format = product.format();
        let (width, fraction) = (format.width(context), format.fraction(context));
        if let Ok(format) = Format::get(context, width, fraction, rounding) {
            let format = format.to_attribute(context);
            body.set_attribute(op, context.name("format"), format);
        }
    }
}
