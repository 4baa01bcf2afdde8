//! Lowers `math.ipowi` by binary exponentiation: repeated squaring, and the product of the squares that the exponent bits select.

use sluice_dialects::{arith, math, scf};
use sluice_ir::{Body, Builder, Context, InsertionPoint, NewOperation, Type, ValueId, View};

use crate::build::{
    EQ, NE, SLT, all_named, binary, compare, constant, constant_of, convert, replace, select,
};

/// Lowers every integer power: to products if the exponent is a known non-negative number, else to a loop over its bits.
pub(crate) fn lower_powers(context: &Context, body: &mut Body) {
    for op in all_named(context, body, math::Ipowi::NAME) {
        let view = View::new(context, body, op);
        let (base, exponent) = (view.operand(0), view.operand(1));
        let ty = body.ty(base);
        let Some(width) = ty.integer_width_bits(context) else {
            continue;
        };
        let known = constant_of(context, body, exponent);
        let known = known.filter(|bits| width > 1 && !bits.bit(width - 1));
        let mut builder = Builder::before(context, body, op);
        let power = match known.and_then(|bits| bits.to_u64()) {
            _ if width == 1 => constant(&mut builder, ty, 1),
            Some(exponent) => product(&mut builder, base, exponent),
            None => {
                let here = builder.point;
                let power = by_loop(&mut builder, ty, [base, exponent]);
                builder.point = here;
                where_negative(&mut builder, power, [base, exponent])
            }
        };
        replace(body, op, &[power]);
    }
}

fn product(builder: &mut Builder<'_>, base: ValueId, mut exponent: u64) -> ValueId {
    let (mut square, mut all) = (base, None);
    while exponent > 0 {
        if exponent & 1 == 1 {
            all = Some(match all {
                Some(all) => binary(builder, arith::Muli::NAME, all, square),
                None => square,
            });
        }
        exponent >>= 1;
        if exponent > 0 {
            square = binary(builder, arith::Muli::NAME, square, square);
        }
    }
    let ty = builder.body.ty(base);
    all.unwrap_or_else(|| constant(builder, ty, 1))
}

/// Emits the loop for an exponent taken as an unsigned number. The builder's insertion point is then inside the loop.
fn by_loop(builder: &mut Builder<'_>, ty: Type, [base, exponent]: [ValueId; 2]) -> ValueId {
    let (context, location) = (builder.context, builder.location);
    let [zero, one] = [0, 1].map(|number| constant(builder, ty, number));
    let mut new = NewOperation::new(context.operation_name(scf::While::NAME), location);
    new.operands.extend([one, base, exponent]);
    new.result_types.extend([ty; 3]);
    new.n_regions = 2;
    let made = builder.create(new);
    let blocks = [0, 1].map(|region| {
        let region = builder.body.regions(made)[region];
        builder.body.append_block(region)
    });
    let [tested, turn] =
        blocks.map(|block| [(); 3].map(|()| builder.body.add_argument(block, ty, location)));
    builder.point = InsertionPoint::End(blocks[0]);
    let more = compare(builder, NE, tested[2], zero);
    let passed = [more, tested[0], tested[1], tested[2]];
    builder.operation(scf::Condition::NAME, &passed, &[], &[]);
    builder.point = InsertionPoint::End(blocks[1]);
    let [so_far, square, left] = turn;
    let bit = context.integer_type(1);
    let is_odd = convert(builder, arith::Trunci::NAME, left, bit);
    let times = binary(builder, arith::Muli::NAME, so_far, square);
    let so_far = select(builder, is_odd, times, so_far);
    let square = binary(builder, arith::Muli::NAME, square, square);
    let left = binary(builder, arith::Shrui::NAME, left, one);
    builder.operation(scf::Yield::NAME, &[so_far, square, left], &[], &[]);
    builder.body.result(made, 0)
}

/// Selects the result for a negative exponent: only the bases 1 and -1 have a non-zero power; that of 0 is undefined.
fn where_negative(
    builder: &mut Builder<'_>,
    power: ValueId,
    [base, exponent]: [ValueId; 2],
) -> ValueId {
    let ty = builder.body.ty(base);
    let [zero, one, minus] = [0, 1, -1].map(|number| constant(builder, ty, number));
    let bit = builder.context.integer_type(1);
    let is_negative = compare(builder, SLT, exponent, zero);
    let is_odd = convert(builder, arith::Trunci::NAME, exponent, bit);
    let is_one = compare(builder, EQ, base, one);
    let is_minus = compare(builder, EQ, base, minus);
    let of_minus = select(builder, is_odd, minus, one);
    let others = select(builder, is_minus, of_minus, zero);
    let inverse = select(builder, is_one, one, others);
    select(builder, is_negative, inverse, power)
}
