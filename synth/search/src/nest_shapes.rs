//! Recording of the shapes of loop nests before flattening, for latency formulas.

use std::collections::BTreeMap;

use sluice_dialects::scf;
use sluice_dialects::sluice::{NEST, SHAPE};
use sluice_ir::{Attribute, Context, Module, View};
use sluice_transform::nest_shape;

use crate::loops::{loops, scheduled_loops};

/// Returns the shape of every numbered loop, to be kept while nests are flattened.
pub fn shapes(context: &Context, module: &Module) -> BTreeMap<i64, Attribute> {
    let mut found = BTreeMap::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let number = body.attribute_named(context, op, NEST);
        if let Some(number) = number.and_then(|a| a.as_i64(context)) {
            found.insert(number, nest_shape(context, body, op));
        }
    }
    found
}

/// Writes the shapes on the loops that the flattened nests became.
pub(crate) fn write_shapes(
    context: &Context,
    module: &mut Module,
    shapes: &BTreeMap<i64, Attribute>,
) {
    for (function, op) in scheduled_loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let view = View::new(context, body, op);
        let mut inside = body.walk(op).into_iter().filter(|inner| *inner != op);
        let holds_loops = inside.any(|op| view.at(op).name() == scf::For::NAME);
        let number = body.attribute_named(context, op, NEST);
        let number = number.and_then(|a| a.as_i64(context));
        if let Some(shape) = number.and_then(|n| shapes.get(&n)).filter(|_| !holds_loops) {
            body.set_attribute(op, context.name(SHAPE), *shape);
        }
    }
}
