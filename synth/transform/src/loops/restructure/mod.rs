//! `restructure`: distributes, fuses, reorders, interchanges, tiles and peels loops as their directives request, if dependences
//! allow it.
//!
//! The order is as listed, so that a loop can be split, its parts fused with others, and the resulting nests reordered. A
//! directive that cannot be applied is an error with the dependence that forbids it and the nearest legal directive.

mod distribute;
mod fuse;
mod interchange;
mod nest;
mod peel;
mod reorder;
mod scan;
mod tile;

use sluice_dialects::scf;
use sluice_dialects::sluice::{
    DISTRIBUTE, FUSE, INTERCHANGE, PEEL_FIRST, PEEL_LAST, REORDER, TILE,
};
use sluice_ir::{Attribute, Body, Context, Diagnostics, OperationId};

use crate::build::all_named;

pub use reorder::{Reordering, legal_reorderings, reorder, reorderings};

/// Maximum number of directives applied in one function: copies of loops inherit the directives of the original.
const MAX_DIRECTIVES: usize = 10_000;

/// Applies the directives of all loops; the first illegal one is an error.
pub fn restructure(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    for _ in 0..MAX_DIRECTIVES {
        let Some((op, directive, attribute)) = next_directive(context, body) else {
            return;
        };
        let location = body.location(op);
        body.remove_attribute(op, context.name(directive));
        if let Err(message) = obey(context, body, op, directive, attribute) {
            diagnostics.error(location, message);
            return;
        }
    }
    if let Some((op, directive, _)) = next_directive(context, body) {
        let message = format!(
            "more than {MAX_DIRECTIVES} directives, copies of loops included, before this `{directive}`: ask for less"
        );
        diagnostics.error(body.location(op), message);
    }
}

/// Returns the next directive in the order of the transformations, then of the text. Of loops to be fused, the last comes first,
/// because leftover iterations of two loops surround the fused loop.
fn next_directive(
    context: &Context,
    body: &Body,
) -> Option<(OperationId, &'static str, Attribute)> {
    let loops = all_named(context, body, scf::For::NAME);
    let order = [
        DISTRIBUTE,
        FUSE,
        REORDER,
        INTERCHANGE,
        TILE,
        PEEL_FIRST,
        PEEL_LAST,
    ];
    order.into_iter().find_map(|directive| {
        let with = |op: &OperationId| {
            let attribute = body.attribute_named(context, *op, directive)?;
            Some((*op, directive, attribute))
        };
        if directive == FUSE {
            loops.iter().rev().find_map(with)
        } else {
            loops.iter().find_map(with)
        }
    })
}

fn obey(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    directive: &'static str,
    attribute: Attribute,
) -> Result<(), String> {
    let is_on = || is_on(context, directive, attribute);
    let count = || count(context, directive, attribute);
    match directive {
        DISTRIBUTE if is_on()? => distribute::distribute(context, body, op),
        FUSE if is_on()? => fuse::fuse(context, body, op),
        REORDER => {
            let places = names(context, attribute)
                .ok_or_else(|| format!("`{directive}` is an array of places of statements"))?;
            reorder::obey(context, body, op, &places)
        }
        INTERCHANGE => {
            let names = names(context, attribute)
                .ok_or_else(|| format!("`{directive}` is an array of names of counters"))?;
            interchange::interchange(context, body, op, &names)
        }
        TILE => tile::tile(context, body, op, count()?),
        PEEL_FIRST => peel::first(context, body, op, count()?),
        PEEL_LAST => peel::last(context, body, op, count()?),
        _ => Ok(()),
    }
}

fn is_on(context: &Context, directive: &str, attribute: Attribute) -> Result<bool, String> {
    if attribute == context.unit_attribute() || attribute == context.bool_attribute(true) {
        Ok(true)
    } else if attribute == context.bool_attribute(false) {
        Ok(false)
    } else {
        Err(format!("`{directive}` is true or false"))
    }
}

fn count(context: &Context, directive: &str, attribute: Attribute) -> Result<i64, String> {
    attribute
        .as_i64(context)
        .filter(|n| (1..=1 << 20).contains(n))
        .ok_or_else(|| format!("`{directive}` is a number of iterations from 1 to 2^20"))
}

fn names(context: &Context, attribute: Attribute) -> Option<Vec<String>> {
    let names = attribute.as_array(context)?;
    let text = |name: &Attribute| {
        let text = name.as_str(context)?;
        Some(text.trim_start_matches('%').to_owned())
    };
    names.iter().map(text).collect()
}
