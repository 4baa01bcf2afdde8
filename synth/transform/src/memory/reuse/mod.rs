//! `reuse`: data reuse: keeps values that were read or written before, so that later reads use no port of their memory.
//!
//! A loop with [`WINDOW`] keeps values that its next iterations read in registers ([`window`]). Loads with [`COPY`] read from a
//! local memory that is filled along the way ([`copy`]). [`candidates`] enumerates possible directives, of which `flow` requests
//! those that improve a trial schedule. A directive that cannot be applied is an error.

mod candidates;
mod copy;
mod trace;
mod window;

use std::collections::BTreeMap;

use sluice_dialects::sluice::{COPY, FILL, FILL_WHOLE, WINDOW, WINDOW_OF};
use sluice_dialects::{memref, scf};
use sluice_ir::{Attribute, Body, Context, Diagnostics, OperationId};

use crate::build::all_named;
use crate::lowering::canonicalise::canonicalise;
use crate::lowering::licm::licm;

pub use candidates::{CopyChoice, FillPolicy, ReadGroup, copies_of_all, local_bits, window_loops};

/// Maximum sizes of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopySizes {
    /// Bits of a copy with fewer words than the array, such as a line buffer.
    pub part_bits: u64,
    /// Bits of a copy of the whole array.
    pub whole_bits: u64,
}

/// Applies the directives of a function.
pub fn reuse(context: &Context, body: &mut Body, sizes: CopySizes, diagnostics: &mut Diagnostics) {
    let mut changed = false;
    let mut next_group = next_group(context, body);
    for op in all_named(context, body, scf::For::NAME) {
        let Some(request) = body.remove_attribute(op, context.name(WINDOW)) else {
            continue;
        };
        let sources = match request.as_str(context) {
            Some("loads") => window::Sources::Loads,
            Some("all") => window::Sources::All,
            _ => {
                diagnostics.error(
                    body.location(op),
                    format!("`{WINDOW}` is \"loads\" or \"all\""),
                );
                return;
            }
        };
        let slid = window::slide(context, body, op, sources, &mut next_group);
        changed |= slid.is_some();
        if slid.is_none() {
            diagnostics.error(
                body.location(op),
                "no load of this loop reads what an access of an earlier iteration read or wrote, at a constant distance of at most 8: leave `sluice.window` out",
            );
            return;
        }
    }
    for (number, reads) in copies_asked(context, body) {
        let place = body.location(reads[0]);
        let fill = fill_of(context, body, number);
        for read in &reads {
            body.remove_attribute(*read, context.name(COPY));
        }
        let planned = trace::trace(context, body, &[])
            .ok_or_else(|| "the function has jumps, or takes more than 2^20 accesses".to_owned())
            .and_then(|trace| copy::plan(context, body, &trace, &reads, fill, sizes));
        match planned {
            Ok(plan) => copy::apply(context, body, &plan, &reads),
            Err(why) => {
                diagnostics.error(place, format!("this cannot be read from a copy: {why}"));
                return;
            }
        }
        changed = true;
    }
    for op in all_named(context, body, scf::For::NAME) {
        for name in [FILL, FILL_WHOLE] {
            body.remove_attribute(op, context.name(name));
        }
    }
    if changed {
        canonicalise(context, body);
        licm(context, body);
        canonicalise(context, body);
    }
}

fn next_group(context: &Context, body: &Body) -> i64 {
    let all = all_named(context, body, memref::Load::NAME).into_iter();
    let groups = all.filter_map(|op| {
        body.attribute_named(context, op, WINDOW_OF)?
            .as_i64(context)
    });
    groups.max().map_or(0, |last| last + 1)
}

/// Returns the loads of each copy, in text order.
fn copies_asked(context: &Context, body: &Body) -> BTreeMap<i64, Vec<OperationId>> {
    let mut found: BTreeMap<i64, Vec<OperationId>> = BTreeMap::new();
    for op in all_named(context, body, memref::Load::NAME) {
        let number = body.attribute_named(context, op, COPY);
        if let Some(number) = number.and_then(|a| a.as_i64(context)) {
            found.entry(number).or_default().push(op);
        }
    }
    found
}

fn fill_of(context: &Context, body: &Body, number: i64) -> copy::Fill {
    let names = |op: OperationId, name: &str| {
        let numbers = body.attribute_named(context, op, name);
        numbers
            .and_then(|a: Attribute| {
                a.as_dense_array_i64(context)
                    .map(|all| all.contains(&number))
            })
            .unwrap_or(false)
    };
    for op in all_named(context, body, scf::For::NAME) {
        if names(op, FILL) {
            return copy::Fill::Rest(op);
        }
        if names(op, FILL_WHOLE) {
            return copy::Fill::Whole(op);
        }
    }
    copy::Fill::Never
}
