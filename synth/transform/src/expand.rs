//! `expand`: operations without an operator of their own become ones that have it.

use sluice_ir::bits::Bits;
use sluice_ir::{Body, Builder, Context, OperationId, Type, ValueId, View};

use crate::build::{
    binary, compare, constant, constant_bits, constant_of, convert, replace, select,
};
use crate::linear::bounds;

/// Expands every such operation of the body.
pub fn expand(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let name = view.name().to_owned();
        match name.as_str() {
            "arith.floordivsi" | "arith.ceildivsi" | "index.floordivs" | "index.ceildivs" => {
                signed_division(context, body, op)
            }
            "arith.ceildivui" | "index.ceildivu" => ceil_unsigned(context, body, op),
            "arith.divsi" | "arith.remsi" => plain_signed(context, body, op),
            "arith.divui" | "arith.remui" => power_of_two(context, body, op),
            "arith.addui_extended" | "arith.mului_extended" | "arith.mulsi_extended" => {
                extended(context, body, op)
            }
            "math.absi" => absolute(context, body, op),
            _ => index_dialect(context, body, op, &name),
        }
    }
}

/// Operations of the index dialect are those of arith on `index`.
fn index_dialect(context: &Context, body: &mut Body, op: OperationId, name: &str) {
    const SAME: &[(&str, &str)] = &[
        ("index.add", "arith.addi"),
        ("index.sub", "arith.subi"),
        ("index.mul", "arith.muli"),
        ("index.divs", "arith.divsi"),
        ("index.divu", "arith.divui"),
        ("index.rems", "arith.remsi"),
        ("index.remu", "arith.remui"),
        ("index.and", "arith.andi"),
        ("index.or", "arith.ori"),
        ("index.xor", "arith.xori"),
        ("index.shl", "arith.shli"),
        ("index.shrs", "arith.shrsi"),
        ("index.shru", "arith.shrui"),
        ("index.maxs", "arith.maxsi"),
        ("index.maxu", "arith.maxui"),
        ("index.mins", "arith.minsi"),
        ("index.minu", "arith.minui"),
        ("index.casts", "arith.index_cast"),
        ("index.castu", "arith.index_castui"),
    ];
    let view = View::new(context, body, op);
    let operands: Vec<_> = view.operands().collect();
    let types: Vec<_> = view.result_types().collect();
    if let Some((_, arith)) = SAME.iter().find(|(index, _)| *index == name) {
        let mut builder = Builder::before(context, body, op);
        let new = builder.operation(arith, &operands, &types, &[]);
        let result = body.result(new, 0);
        replace(body, op, &[result]);
    } else if name == "index.constant" || name == "index.bool.constant" {
        let Some(value) = view.attribute("value") else {
            return;
        };
        let mut builder = Builder::before(context, body, op);
        let new = builder.operation("arith.constant", &[], &types, &[("value", value)]);
        let result = body.result(new, 0);
        replace(body, op, &[result]);
    }
}

fn log2(value: &Bits) -> Option<u32> {
    (value.count_ones() == 1).then(|| value.trailing_zeros())
}

fn non_negative(context: &Context, body: &Body, value: ValueId) -> bool {
    match constant_of(context, body, value) {
        Some(constant) => !constant.sign_bit(),
        None => {
            body.ty(value).is_index(context)
                && bounds(context, body, value).is_some_and(|(low, _)| low >= 0)
        }
    }
}

/// `floordivsi` and `ceildivsi`: shifts, unsigned divisions, or a division rounded to zero with a correction.
fn signed_division(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    let is_floor = view.name().contains("floor");
    let ty = body.ty(a);
    let divisor = constant_of(context, body, b);
    let shift = divisor.as_ref().filter(|d| !d.sign_bit()).and_then(log2);
    let unsigned = non_negative(context, body, a) && non_negative(context, body, b);
    let mut builder = Builder::before(context, body, op);
    let result = match (shift, is_floor) {
        (Some(shift), true) => {
            let amount = constant(&mut builder, ty, i64::from(shift));
            binary(&mut builder, "arith.shrsi", a, amount)
        }
        (_, true) if unsigned => binary(&mut builder, "arith.divui", a, b),
        _ => {
            // Rounded to zero, then one step where the remainder is not 0 and the signs differ (floor) or agree (ceil).
            let quotient = binary(&mut builder, "arith.divsi", a, b);
            let product = binary(&mut builder, "arith.muli", quotient, b);
            let zero = constant(&mut builder, ty, 0);
            let inexact = compare(&mut builder, 1, product, a);
            let signs = binary(&mut builder, "arith.xori", a, b);
            let wanted = compare(&mut builder, if is_floor { 2 } else { 5 }, signs, zero);
            let adjust = binary(&mut builder, "arith.andi", inexact, wanted);
            let one = constant(&mut builder, ty, if is_floor { -1 } else { 1 });
            let moved = binary(&mut builder, "arith.addi", quotient, one);
            select(&mut builder, adjust, moved, quotient)
        }
    };
    replace(body, op, &[result]);
}

fn ceil_unsigned(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    let ty = body.ty(a);
    let mut builder = Builder::before(context, body, op);
    let quotient = binary(&mut builder, "arith.divui", a, b);
    let product = binary(&mut builder, "arith.muli", quotient, b);
    let inexact = compare(&mut builder, 1, product, a);
    let one = constant(&mut builder, ty, 1);
    let up = binary(&mut builder, "arith.addi", quotient, one);
    let result = select(&mut builder, inexact, up, quotient);
    replace(body, op, &[result]);
}

/// A signed division of numbers that are not negative is an unsigned one; a remainder by a power of two is cheap.
fn plain_signed(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    if !(non_negative(context, body, a) && non_negative(context, body, b)) {
        return;
    }
    let operation = if view.name() == "arith.divsi" {
        "arith.divui"
    } else {
        "arith.remui"
    };
    let mut builder = Builder::before(context, body, op);
    let result = binary(&mut builder, operation, a, b);
    replace(body, op, &[result]);
    if let Some(new) = body.defining_operation(result) {
        power_of_two(context, body, new);
    }
}

fn power_of_two(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    let Some(divisor) = constant_of(context, body, b) else {
        return;
    };
    let Some(shift) = log2(&divisor) else { return };
    let ty = body.ty(a);
    let is_quotient = view.name() == "arith.divui";
    let mut builder = Builder::before(context, body, op);
    let result = if is_quotient {
        let amount = constant(&mut builder, ty, i64::from(shift));
        binary(&mut builder, "arith.shrui", a, amount)
    } else {
        let mask = divisor.sub(&Bits::from_u64(divisor.width(), 1));
        let mask = constant_bits(&mut builder, ty, mask);
        binary(&mut builder, "arith.andi", a, mask)
    };
    replace(body, op, &[result]);
}

/// Sum with carry and products with both halves: computed at a larger width.
fn extended(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    let Some(width) = body.ty(a).integer_width_bits(context) else {
        return;
    };
    let (extension, operation, wide) = match view.name() {
        "arith.addui_extended" => ("arith.extui", "arith.addi", width + 1),
        "arith.mului_extended" => ("arith.extui", "arith.muli", width * 2),
        _ => ("arith.extsi", "arith.muli", width * 2),
    };
    let high_type: Type = body.ty(body.result(op, 1));
    let low_type = body.ty(a);
    let wide_type = context.integer_type(wide);
    let mut builder = Builder::before(context, body, op);
    let a = convert(&mut builder, extension, a, wide_type);
    let b = convert(&mut builder, extension, b, wide_type);
    let both = binary(&mut builder, operation, a, b);
    let low = convert(&mut builder, "arith.trunci", both, low_type);
    let amount = constant(&mut builder, wide_type, i64::from(width));
    let shifted = binary(&mut builder, "arith.shrui", both, amount);
    let high = convert(&mut builder, "arith.trunci", shifted, high_type);
    replace(body, op, &[low, high]);
}

fn absolute(context: &Context, body: &mut Body, op: OperationId) {
    let a = body.operand(op, 0);
    let ty = body.ty(a);
    let mut builder = Builder::before(context, body, op);
    let zero = constant(&mut builder, ty, 0);
    let negative = compare(&mut builder, 2, a, zero);
    let negated = binary(&mut builder, "arith.subi", zero, a);
    let result = select(&mut builder, negative, negated, a);
    replace(body, op, &[result]);
}
