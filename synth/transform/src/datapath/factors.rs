//! `factors`: the multipliers that products of extended values need.
//!
//! A product of two sign-extended values of 16 bits is one multiplier block, however wide its result is. Without this, it is as many
//! blocks as a product of two values of the result's width.

use sluice_dialects::synthesis_form::Multiplier;
use sluice_dialects::{arith, builtin, sluice};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

/// How a value is restored from its low bits.
#[derive(Clone, Copy)]
struct Extent {
    bits: u32,
    /// By copies of the sign, by zeros, or either if there are no further bits.
    signed: Option<bool>,
}

/// Sets `sluice.factors` on every product that one multiplier block computes because its operands are extended; `block_bits` are the
/// widths of the unsigned operands of a block.
///
/// If the user limits the multipliers, all products get the same multiplier, or none gets one.
pub fn factors(context: &Context, body: &mut Body, block_bits: [u32; 2], limited: bool) {
    let products: Vec<OperationId> = body
        .walk_all()
        .into_iter()
        .filter(|op| {
            let view = View::new(context, body, *op);
            view.name() == arith::Muli::NAME
                && !view.operands().any(|v| is_constant(context, body, v))
        })
        .collect();
    let mut found: Vec<(OperationId, Option<Multiplier>)> = products
        .into_iter()
        .map(|op| (op, multiplier(View::new(context, body, op), block_bits)))
        .collect();
    if limited {
        let all: Option<Vec<Multiplier>> = found.iter().map(|(_, made)| *made).collect();
        let common = all.and_then(|all| all.into_iter().reduce(join));
        let common = common.filter(|common| fits(*common, block_bits));
        for (_, made) in &mut found {
            *made = common;
        }
    }
    for (op, made) in found {
        let Some(made) = made else { continue };
        let [left, right] = made.factor_bits;
        let numbers = [left, right, made.result_bits].map(i64::from);
        let numbers = context.dense_i64_array(&numbers);
        body.set_attribute(op, context.name(sluice::FACTORS), numbers);
        if made.signed {
            let unit = context.unit_attribute();
            body.set_attribute(op, context.name(sluice::SIGNED_FACTORS), unit);
        }
    }
}

fn multiplier(view: View<'_>, block_bits: [u32; 2]) -> Option<Multiplier> {
    let result_bits = view.ty(view.result(0)).integer_width_bits(view.context)?;
    let extents = [0, 1].map(|side| extent(view, view.operand(side)));
    let [left, right] = extents;
    let (left, right) = (left?, right?);
    let signed = left.signed == Some(true) || right.signed == Some(true);
    let factor_bits = [left, right].map(|extent| match (signed, extent.signed) {
        (true, Some(false)) => extent.bits + 1,
        _ => extent.bits,
    });
    let made = Multiplier {
        factor_bits,
        signed,
        result_bits,
    };
    // A result of one block's width needs one block in any case.
    let gains = result_bits > block_bits[0].min(block_bits[1]);
    (gains && fits(made, block_bits)).then_some(made)
}

fn fits(made: Multiplier, block_bits: [u32; 2]) -> bool {
    let narrower = made.factor_bits[0].min(made.factor_bits[1]);
    let most = block_bits[0].max(block_bits[1]);
    let least = block_bits[0].min(block_bits[1]);
    made.wider_bits() <= most && narrower <= least && made.wider_bits() < made.result_bits
}

/// Returns the multiplier for the products of both.
fn join(a: Multiplier, b: Multiplier) -> Multiplier {
    let signed = a.signed || b.signed;
    let bits = |of: Multiplier, side: usize| of.factor_bits[side] + u32::from(signed && !of.signed);
    Multiplier {
        factor_bits: [0, 1].map(|side| bits(a, side).max(bits(b, side))),
        signed,
        result_bits: a.result_bits.max(b.result_bits),
    }
}

/// Returns how a value is restored from its low bits.
fn extent(view: View<'_>, value: ValueId) -> Option<Extent> {
    let whole = Extent {
        bits: view.ty(value).integer_width_bits(view.context)?,
        signed: None,
    };
    let Some(op) = view.body.defining_operation(value) else {
        return Some(whole);
    };
    let maker = view.at(op);
    let signed = match maker.name() {
        arith::Extsi::NAME => true,
        arith::Extui::NAME => false,
        builtin::UnrealizedConversionCast::NAME if maker.operands().len() == 1 => {
            return extent(view, maker.operand(0));
        }
        _ => return Some(whole),
    };
    let inner = extent(view, maker.operand(0))?;
    Some(match inner.signed {
        // A value that was extended with zeros is not negative.
        Some(false) => inner,
        // Copies of the sign and then zeros: all bits of the inner value count.
        Some(true) if !signed => Extent {
            bits: view.ty(maker.operand(0)).integer_width_bits(view.context)?,
            signed: Some(false),
        },
        Some(true) | None => Extent {
            signed: Some(signed),
            ..inner
        },
    })
}

fn is_constant(context: &Context, body: &Body, value: ValueId) -> bool {
    let maker = body.defining_operation(value);
    maker.is_some_and(|op| context.operation_text(body.name(op)) == arith::Constant::NAME)
}
