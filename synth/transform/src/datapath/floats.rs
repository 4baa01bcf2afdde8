//! `expand-floats`: replaces float operations by the integer operations that they consist of.
//!
//! A static schedule has the other ones as units that were scheduled alone.

use std::collections::BTreeMap;

use sluice_dialects::sluice;
use sluice_ir::algebra::{Algebra as _, Terms, expand};
use sluice_ir::{Body, Builder, Context, Module, OperationId, ValueId, View};

use super::emitter::Emitter;
use crate::build::{constant_of, replace};

/// Which float operations are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// Those that cost little.
    Small,
    /// All of them.
    All,
}

/// Returns the float operations of a body.
fn floats(context: &Context, body: &Body) -> Vec<OperationId> {
    let name = context.operation_name(sluice::Float::NAME);
    let mut all = body.walk_all();
    all.retain(|op| body.name(*op) == name);
    all
}

/// Returns whether a function of a module has float operations.
pub fn has_float_operations(context: &Context, module: &Module) -> bool {
    let inner = module.inner();
    let mut functions = module.top_level_operations().into_iter();
    functions.any(|op| inner.is_isolated(op) && !floats(context, inner.inner(op)).is_empty())
}

/// Expands float operations of a body.
pub fn expand_floats(context: &Context, body: &mut Body, expansion: Expansion) {
    for op in floats(context, body) {
        let view = View::new(context, body, op);
        let Some((float_op, format)) = view.with_site(sluice::float_operation) else {
            continue;
        };
        let is_wanted = match expansion {
            Expansion::Small => sluice::is_small(float_op),
            Expansion::All => true,
        };
        if !is_wanted {
            continue;
        }
        let operands: Vec<ValueId> = view.operands().collect();
        let mut terms = Terms::new();
        let mut inputs = Vec::new();
        for (operand, i) in operands.iter().zip(0..) {
            // Terms of constants fold.
            inputs.push(match constant_of(context, body, *operand) {
                Some(value) => terms.constant(value),
                None => {
                    let width = body.ty(*operand).width_bits(context);
                    terms.variable(i, width.expect("the verifier admits integers only"))
                }
            });
        }
        let Some(result) = expand(&mut terms, float_op, format, &inputs) else {
            continue;
        };
        let mut builder = Builder::before(context, body, op);
        let value = Emitter::new(&mut builder, &terms, &operands).emit(result);
        replace(body, op, &[value]);
    }
}

/// Marks the operations whose units are limited: constant operands are inputs of these units, so that all can use them.
pub fn keep_units_whole(context: &Context, body: &mut Body, limits: &BTreeMap<String, u32>) {
    if limits.is_empty() {
        return;
    }
    for op in floats(context, body) {
        let class = sluice::float_class(View::new(context, body, op));
        if class.is_some_and(|class| limits.contains_key(&class)) {
            body.set_attribute(op, context.name("whole"), context.unit_attribute());
        }
    }
}
