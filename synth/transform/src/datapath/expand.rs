//! `expand`: rewrites operations without a hardware operator in terms of operations that have one.

use sluice_dialects::{arith, index, math};
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, Body, Builder, Context, OperationId, Type, ValueId, View};

use crate::analysis::linear::bounds;
use crate::build::{
    binary, compare, constant, constant_bits, constant_of, convert, replace, select,
};
use crate::datapath::division::by_constant;

/// Expands all operations of a body that have no hardware operator.
pub fn expand(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let op = to_arith(context, body, op);
        if body.is_erased(op) || by_constant(context, body, op) {
            continue;
        }
        match View::new(context, body, op).name() {
            arith::Floordivsi::NAME | arith::Ceildivsi::NAME => signed_division(context, body, op),
            arith::Ceildivui::NAME => ceil_unsigned(context, body, op),
            arith::Divsi::NAME | arith::Remsi::NAME => plain_signed(context, body, op),
            arith::AdduiExtended::NAME
            | arith::SubuiExtended::NAME
            | arith::MuluiExtended::NAME
            | arith::MulsiExtended::NAME => {
                extended(context, body, op);
            }
            math::Absi::NAME => absolute(context, body, op),
            math::Ctpop::NAME => count_ones(context, body, op),
            math::Ctlz::NAME => count_zeros(context, body, op, true),
            math::Cttz::NAME => count_zeros(context, body, op, false),
            _ => {}
        }
    }
}

/// Operations of the index dialect with their arith equivalents.
const SAME: &[(&str, &str)] = &[
    (index::Add::NAME, arith::Addi::NAME),
    (index::And::NAME, arith::Andi::NAME),
    (index::BoolConstant::NAME, arith::Constant::NAME),
    (index::Casts::NAME, arith::IndexCast::NAME),
    (index::Castu::NAME, arith::IndexCastui::NAME),
    (index::Ceildivs::NAME, arith::Ceildivsi::NAME),
    (index::Ceildivu::NAME, arith::Ceildivui::NAME),
    (index::Cmp::NAME, arith::Cmpi::NAME),
    (index::Constant::NAME, arith::Constant::NAME),
    (index::Divs::NAME, arith::Divsi::NAME),
    (index::Divu::NAME, arith::Divui::NAME),
    (index::Floordivs::NAME, arith::Floordivsi::NAME),
    (index::Maxs::NAME, arith::Maxsi::NAME),
    (index::Maxu::NAME, arith::Maxui::NAME),
    (index::Mins::NAME, arith::Minsi::NAME),
    (index::Minu::NAME, arith::Minui::NAME),
    (index::Mul::NAME, arith::Muli::NAME),
    (index::Or::NAME, arith::Ori::NAME),
    (index::Rems::NAME, arith::Remsi::NAME),
    (index::Remu::NAME, arith::Remui::NAME),
    (index::Shl::NAME, arith::Shli::NAME),
    (index::Shrs::NAME, arith::Shrsi::NAME),
    (index::Shru::NAME, arith::Shrui::NAME),
    (index::Sub::NAME, arith::Subi::NAME),
    (index::Xor::NAME, arith::Xori::NAME),
];

/// Replaces an operation of the index dialect by its arith equivalent; returns the result, or the operation itself otherwise.
pub(crate) fn to_arith(context: &Context, body: &mut Body, op: OperationId) -> OperationId {
    let view = View::new(context, body, op);
    let Some((_, arith)) = SAME.iter().find(|(index, _)| *index == view.name()) else {
        return op;
    };
    let operands: Vec<_> = view.operands().collect();
    let types: Vec<_> = view.result_types().collect();
    let mut attributes = Vec::new();
    if let Some(value) = view.attribute("value") {
        attributes.push(("value", value));
    }
    if let Some(predicate) = view.attribute("pred") {
        let number = match predicate.kind(context) {
            AttributeKind::Dialect { parameters, .. } => parameters.first(),
            _ => None,
        };
        let number = number.and_then(|parameter| parameter.as_i64(context));
        attributes.push(("predicate", context.i64_attribute(number.unwrap_or(0))));
    }
    let mut builder = Builder::before(context, body, op);
    let new = builder.operation(arith, &operands, &types, &attributes);
    let result = body.result(new, 0);
    replace(body, op, &[result]);
    new
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

/// Expands `floordivsi` and `ceildivsi` to shifts, unsigned divisions, or a division rounded towards zero with a correction.
fn signed_division(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    let is_floor = view.name().contains("floor");
    let ty = body.ty(a);
    let unsigned = non_negative(context, body, a) && non_negative(context, body, b);
    let mut builder = Builder::before(context, body, op);
    let result = match is_floor && unsigned {
        true => binary(&mut builder, arith::Divui::NAME, a, b),
        false => {
            // Rounds towards zero, then corrects by one if the remainder is not 0 and the signs differ (floor) or agree (ceil).
            let quotient = binary(&mut builder, arith::Divsi::NAME, a, b);
            let product = binary(&mut builder, arith::Muli::NAME, quotient, b);
            let zero = constant(&mut builder, ty, 0);
            let inexact = compare(&mut builder, 1, product, a);
            let signs = binary(&mut builder, arith::Xori::NAME, a, b);
            let wanted = compare(&mut builder, if is_floor { 2 } else { 5 }, signs, zero);
            let adjust = binary(&mut builder, arith::Andi::NAME, inexact, wanted);
            let one = constant(&mut builder, ty, if is_floor { -1 } else { 1 });
            let moved = binary(&mut builder, arith::Addi::NAME, quotient, one);
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
    let quotient = binary(&mut builder, arith::Divui::NAME, a, b);
    let product = binary(&mut builder, arith::Muli::NAME, quotient, b);
    let inexact = compare(&mut builder, 1, product, a);
    let one = constant(&mut builder, ty, 1);
    let up = binary(&mut builder, arith::Addi::NAME, quotient, one);
    let result = select(&mut builder, inexact, up, quotient);
    replace(body, op, &[result]);
}

/// Replaces a signed division of non-negative numbers by an unsigned one.
fn plain_signed(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    if !(non_negative(context, body, a) && non_negative(context, body, b)) {
        return;
    }
    let operation = if view.name() == arith::Divsi::NAME {
        arith::Divui::NAME
    } else {
        arith::Remui::NAME
    };
    let mut builder = Builder::before(context, body, op);
    let result = binary(&mut builder, operation, a, b);
    replace(body, op, &[result]);
}

/// Expands a sum with carry, a difference with borrow, or a product with both halves, to an operation of larger width.
fn extended(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (a, b) = (view.operand(0), view.operand(1));
    let Some(width) = body.ty(a).integer_width_bits(context) else {
        return;
    };
    let (extension, operation, wide) = match view.name() {
        arith::AdduiExtended::NAME => (arith::Extui::NAME, arith::Addi::NAME, width + 1),
        arith::SubuiExtended::NAME => (arith::Extui::NAME, arith::Subi::NAME, width + 1),
        arith::MuluiExtended::NAME => (arith::Extui::NAME, arith::Muli::NAME, width * 2),
        _ => (arith::Extsi::NAME, arith::Muli::NAME, width * 2),
    };
    let high_type: Type = body.ty(body.result(op, 1));
    let low_type = body.ty(a);
    let wide_type = context.integer_type(wide);
    let mut builder = Builder::before(context, body, op);
    let a = convert(&mut builder, extension, a, wide_type);
    let b = convert(&mut builder, extension, b, wide_type);
    let both = binary(&mut builder, operation, a, b);
    let low = convert(&mut builder, arith::Trunci::NAME, both, low_type);
    let amount = constant(&mut builder, wide_type, i64::from(width));
    let shifted = binary(&mut builder, arith::Shrui::NAME, both, amount);
    let high = convert(&mut builder, arith::Trunci::NAME, shifted, high_type);
    replace(body, op, &[low, high]);
}

fn absolute(context: &Context, body: &mut Body, op: OperationId) {
    let a = body.operand(op, 0);
    let ty = body.ty(a);
    let mut builder = Builder::before(context, body, op);
    let zero = constant(&mut builder, ty, 0);
    let negative = compare(&mut builder, 2, a, zero);
    let negated = binary(&mut builder, arith::Subi::NAME, zero, a);
    let result = select(&mut builder, negative, negated, a);
    replace(body, op, &[result]);
}

/// Expands a population count to a tree of sums that grow by one bit per level.
fn count_ones(context: &Context, body: &mut Body, op: OperationId) {
    let a = body.operand(op, 0);
    let ty = body.ty(a);
    let Some(width) = ty.width_bits(context) else {
        return;
    };
    let mut builder = Builder::before(context, body, op);
    let bit = context.integer_type(1);
    let mut row: Vec<ValueId> = Vec::new();
    for i in 0..width {
        let amount = constant(&mut builder, ty, i64::from(i));
        let shifted = binary(&mut builder, arith::Shrui::NAME, a, amount);
        row.push(convert(
            &mut builder,
            to_narrower(context, ty),
            shifted,
            bit,
        ));
    }
    let mut row_width = 1;
    while row.len() > 1 {
        row_width += 1;
        let wider = context.integer_type(row_width);
        row = row
            .chunks(2)
            .map(|pair| {
                let wide: Vec<ValueId> = pair
                    .iter()
                    .map(|v| convert(&mut builder, arith::Extui::NAME, *v, wider))
                    .collect();
                match wide[..] {
                    [a, b] => binary(&mut builder, arith::Addi::NAME, a, b),
                    _ => wide[0],
                }
            })
            .collect();
    }
    let result = resize_unsigned(&mut builder, row[0], ty);
    replace(body, op, &[result]);
}

fn to_narrower(context: &Context, from: Type) -> &'static str {
    if from.is_index(context) {
        arith::IndexCastui::NAME
    } else {
        arith::Trunci::NAME
    }
}

/// Zero-extends or truncates a value.
fn resize_unsigned(builder: &mut Builder<'_>, value: ValueId, ty: Type) -> ValueId {
    let (context, from) = (builder.context, builder.body.ty(value));
    let (from_width, width) = (from.width_bits(context), ty.width_bits(context));
    let conversion = match (
        from.is_index(context) || ty.is_index(context),
        width.cmp(&from_width),
    ) {
        _ if from == ty => return value,
        (true, _) => arith::IndexCastui::NAME,
        (false, std::cmp::Ordering::Greater) => arith::Extui::NAME,
        (false, _) => arith::Trunci::NAME,
    };
    convert(builder, conversion, value, ty)
}

/// Expands a count of leading or trailing zeros to a binary search that halves the word.
fn count_zeros(context: &Context, body: &mut Body, op: OperationId, leading: bool) {
    let a = body.operand(op, 0);
    let ty = body.ty(a);
    let Some(width) = ty.width_bits(context) else {
        return;
    };
    let padded = width.next_power_of_two();
    let mut builder = Builder::before(context, body, op);
    let integer = context.integer_type(width);
    let a = resize_unsigned(&mut builder, a, integer);
    let padded_type = context.integer_type(padded);
    let mut word = resize_unsigned(&mut builder, a, padded_type);
    if padded > width {
        // Padding with ones stops the search at the end of the word.
        let mut fill = Bits::low_ones(padded, padded - width);
        if leading {
            let amount = constant(&mut builder, padded_type, i64::from(padded - width));
            word = binary(&mut builder, arith::Shli::NAME, word, amount);
        } else {
            fill = fill.shl_by(width);
        }
        let fill = constant_bits(&mut builder, padded_type, fill);
        word = binary(&mut builder, arith::Ori::NAME, word, fill);
    }
    // The count fits the padded width plus one bit.
    let count_type = context.integer_type(padded + 1);
    let mut count = constant(&mut builder, count_type, 0);
    let mut half = padded / 2;
    while half > 0 {
        let (word_type, half_type) = (builder.body.ty(word), context.integer_type(half));
        let amount = constant(&mut builder, word_type, i64::from(half));
        let high = binary(&mut builder, arith::Shrui::NAME, word, amount);
        let high = convert(&mut builder, arith::Trunci::NAME, high, half_type);
        let low = convert(&mut builder, arith::Trunci::NAME, word, half_type);
        let (first, second) = if leading { (high, low) } else { (low, high) };
        let zero = constant(&mut builder, half_type, 0);
        let is_zero = compare(&mut builder, 0, first, zero);
        word = select(&mut builder, is_zero, second, first);
        let (step, none) = (
            constant(&mut builder, count_type, i64::from(half)),
            constant(&mut builder, count_type, 0),
        );
        let step = select(&mut builder, is_zero, step, none);
        count = binary(&mut builder, arith::Ori::NAME, count, step);
        half /= 2;
    }
    // Adds one if the last bit is zero as well.
    let bit = context.integer_type(1);
    let one = constant(&mut builder, bit, 1);
    let last = binary(&mut builder, arith::Xori::NAME, word, one);
    let last = convert(&mut builder, arith::Extui::NAME, last, count_type);
    let count = binary(&mut builder, arith::Addi::NAME, count, last);
    let result = resize_unsigned(&mut builder, count, ty);
    replace(body, op, &[result]);
}
