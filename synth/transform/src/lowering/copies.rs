//! `copies`: inserts copies so that a loop body defines every value it passes on, and so that initial-value selections fit a
//! cycle.
//!
//! The first iteration takes an argument from another source than the later ones. A selection therefore feeds each operator that
//! reads the argument. If selection and operator do not fit one cycle, the operator reads a copy: the selection feeds the copy,
//! and a register may separate the two.

use sluice_dialects::{arith, builtin, scf};
use sluice_ir::{BlockId, Body, Builder, Context, OperationId, ValueDefinition, ValueId, View};
use sluice_oplib::class::OperatorClass;

use crate::build::{constant_of, unary};

/// Inserts the copies that the synthesis form requires. `fits` tells for an operator class and a width in bits whether an
/// operator and the selection that feeds it fit one cycle.
pub fn copies(context: &Context, body: &mut Body, fits: &dyn Fn(OperatorClass, u32) -> bool) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if !matches!(view.name(), scf::For::NAME | scf::While::NAME) {
            continue;
        }
        let n_regions = view.regions().len();
        for region in 0..n_regions {
            let Some(block) = body.entry_block(op, region) else {
                continue;
            };
            if region == 0 {
                copy_arguments(context, body, block, fits);
            }
            if let Some(last) = body.last_operation(block) {
                copy_operands(context, body, last, block);
            }
        }
    }
}

/// Inserts copies of loop arguments for operators that do not fit one cycle together with the selection that feeds them.
fn copy_arguments(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    fits: &dyn Fn(OperatorClass, u32) -> bool,
) {
    let Some(first) = body.operations(block).next() else {
        return;
    };
    for argument in body.arguments(block).to_vec() {
        if body.ty(argument).integer_width_bits(context).is_none() {
            continue;
        }
        let is_slow = |(reader, _): &(OperationId, usize)| {
            let view = View::new(context, body, *reader);
            body.parent_block(*reader) == Some(block)
                && class_of(view).is_some_and(|(class, width)| !fits(class, width))
        };
        let slow: Vec<_> = body.uses(argument).filter(is_slow).collect();
        if slow.is_empty() {
            continue;
        }
        let copy = copy_before(context, body, first, argument);
        for (reader, i) in slow {
            body.set_operand(reader, i, copy);
        }
    }
}

/// Returns the class of an operator and the width in bits at which its delay is measured.
fn class_of(view: View<'_>) -> Option<(OperatorClass, u32)> {
    let is_constant = |value| constant_of(view.context, view.body, value).is_some();
    let (class, measured) = OperatorClass::measured(view, is_constant)?;
    let width = view.ty(measured).integer_width_bits(view.context)?;
    Some((class, width))
}

fn copy_before(context: &Context, body: &mut Body, op: OperationId, value: ValueId) -> ValueId {
    let ty = body.ty(value);
    let mut builder = Builder::before(context, body, op);
    unary(
        &mut builder,
        builtin::UnrealizedConversionCast::NAME,
        value,
        ty,
    )
}

fn copy_operands(context: &Context, body: &mut Body, last: OperationId, block: BlockId) {
    let is_condition = View::new(context, body, last).name() == scf::Condition::NAME;
    let operands: Vec<_> = body.operands(last).collect();
    for (i, operand) in operands
        .into_iter()
        .enumerate()
        .skip(usize::from(is_condition))
    {
        let made_here = match body.value_definition(operand) {
            ValueDefinition::Result { operation, .. } => {
                body.parent_block(operation) == Some(block)
                    && !matches!(
                        View::new(context, body, operation).name(),
                        arith::Constant::NAME
                    )
            }
            ValueDefinition::Argument { .. } => false,
        };
        if !made_here {
            let copy = copy_before(context, body, last, operand);
            body.set_operand(last, i, copy);
        }
    }
}
