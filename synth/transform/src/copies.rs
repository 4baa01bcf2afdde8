//! `copies`: what a loop passes on is made in its body: block arguments and outside values go through a copy.

use sluice_ir::{Body, Builder, Context, OperationId, ValueDefinition, View};

use crate::build::unary;

/// Inserts the copies that the synthesis form asks for.
pub fn copies(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if matches!(view.name(), "scf.for" | "scf.while") {
            for region in 0..view.regions().len() {
                if let Some(block) = body.entry_block(op, region)
                    && let Some(last) = body.last_operation(block)
                {
                    copy_operands(context, body, last, block);
                }
            }
        }
    }
}

fn copy_operands(context: &Context, body: &mut Body, last: OperationId, block: sluice_ir::BlockId) {
    let is_condition = View::new(context, body, last).name() == "scf.condition";
    let operands: Vec<_> = body.operands(last).collect();
    for (i, operand) in operands
        .into_iter()
        .enumerate()
        .skip(usize::from(is_condition))
    {
        let made_here = match body.value_definition(operand) {
            ValueDefinition::Result { operation, .. } => {
                body.parent_block(operation) == Some(block)
                    && !matches!(View::new(context, body, operation).name(), "arith.constant")
            }
            ValueDefinition::Argument { .. } => false,
        };
        if !made_here {
            let ty = body.ty(operand);
            let mut builder = Builder::before(context, body, last);
            let copy = unary(
                &mut builder,
                "builtin.unrealized_conversion_cast",
                operand,
                ty,
            );
            body.set_operand(last, i, copy);
        }
    }
}
