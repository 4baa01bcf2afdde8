//! Edits of constants: they become 0, 1, half, or one less.

use sluice_dialects::{arith, index};
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, Context, Module};

use super::Edit;
use super::operations::outer_first;
use super::place::{functions, of_body};

/// The replacements of a value.
const SMALLER: [fn(&Bits) -> Bits; 4] = [
    |value| Bits::zero(value.width()),
    |value| Bits::from_u64(value.width().min(64), 1).zext(value.width()),
    |value| value.ashr_by(1),
    |value| value.sub(&Bits::from_u64(value.width().min(64), 1).zext(value.width())),
];

/// Returns edits of each integer constant.
pub(super) fn values(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for smaller in SMALLER {
        for (function, body) in functions(context, module) {
            for op in outer_first(body) {
                let name = context.operation_text(body.name(op));
                if ![arith::Constant::NAME, index::Constant::NAME].contains(&name) {
                    continue;
                }
                edits.push(of_body(function, move |context, body| {
                    if body.is_erased(op) {
                        return false;
                    }
                    let held = body.attribute_named(context, op, "value");
                    let Some(AttributeKind::Integer { ty, value }) = held.map(|a| a.kind(context))
                    else {
                        return false;
                    };
                    let new = smaller(value);
                    if new == *value {
                        return false;
                    }
                    let attribute = context.integer_attribute(*ty, new);
                    let name = context.name("value");
                    body.set_attribute(op, name, attribute);
                    true
                }));
            }
        }
    }
    edits
}
