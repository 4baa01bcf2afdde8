//! Division by constants without a divider: shifts for powers of two, multiplication by the reciprocal otherwise.
//!
//! Source: T. Granlund, P. Montgomery, "Division by invariant integers using multiplication", PLDI 1994, and H. Warren, "Hacker's
//! Delight", 2nd ed., chapter 10. Differs: a product may have any width, so no correction for a factor one bit too wide is
//! needed; the known range of the dividend reduces the width.

use sluice_dialects::arith;
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Builder, Context, OperationId, Type, ValueId, View};

use crate::analysis::linear::bounds;
use crate::build::{binary, constant, constant_bits, constant_of, convert, name, replace};

/// Maximum width, in bits, of a dividend that is multiplied by a reciprocal; for wider ones a divider is smaller.
const WIDEST_RECIPROCAL_BITS: u32 = 64;

/// The rounding of the quotient.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Zero,
    Floor,
    Ceiling,
}

/// Replaces a division or remainder by a non-zero constant; returns whether it did.
pub(crate) fn by_constant(context: &Context, body: &mut Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    if view.operands().len() != 2 {
        return false;
    }
    let (a, b) = (view.operand(0), view.operand(1));
    let Some(divisor) = constant_of(context, body, b).filter(|d| !d.is_zero()) else {
        return false;
    };
    let (is_signed, rounding, is_remainder) = match view.name() {
        arith::Divui::NAME => (false, Rounding::Floor, false),
        arith::Remui::NAME => (false, Rounding::Floor, true),
        arith::Ceildivui::NAME => (false, Rounding::Ceiling, false),
        arith::Divsi::NAME => (true, Rounding::Zero, false),
        arith::Remsi::NAME => (true, Rounding::Zero, true),
        arith::Floordivsi::NAME => (true, Rounding::Floor, false),
        arith::Ceildivsi::NAME => (true, Rounding::Ceiling, false),
        _ => return false,
    };
    let ty = body.ty(a);
    let (mut dividend, known_positive) = core_of(context, body, a, is_signed);
    let is_signed = is_signed && (!known_positive || divisor.sign_bit());
    if is_signed && known_positive {
        dividend.width_bits += 1;
    }
    let magnitude = if is_signed && divisor.sign_bit() {
        divisor.neg()
    } else {
        divisor.clone()
    };
    if magnitude.count_ones() != 1 && dividend.width_bits > WIDEST_RECIPROCAL_BITS {
        return false;
    }
    let mut make = Maker {
        builder: Builder::before(context, body, op),
    };
    if is_remainder && !is_signed && divisor.count_ones() == 1 {
        let mask = divisor.sub(&Bits::from_u64(divisor.width(), 1));
        let mask = constant_bits(&mut make.builder, ty, mask);
        let result = binary(&mut make.builder, arith::Andi::NAME, a, mask);
        replace(body, op, &[result]);
        return true;
    }
    let x = make.resize(a, dividend.width_bits, is_signed);
    let quotient = match (is_signed, rounding) {
        (false, Rounding::Zero | Rounding::Floor) => make.unsigned(x, &dividend.largest, &divisor),
        (false, Rounding::Ceiling) => {
            // Computes (x + d - 1) div d, wide enough for the sum.
            let width = dividend.width_bits.max(magnitude.active_bits()) + 1;
            let divisor = resized(&divisor, width);
            let less = divisor.sub(&Bits::from_u64(width, 1));
            let largest = dividend.largest.zext(width).add(&less);
            let wide = make.resize(x, width, false);
            let less = make.number(&less);
            let sum = binary(&mut make.builder, arith::Addi::NAME, wide, less);
            make.unsigned(sum, &largest, &divisor)
        }
        (true, Rounding::Zero) => {
            let quotient = make.signed_towards_zero(x, &magnitude);
            if divisor.sign_bit() {
                make.negate(quotient)
            } else {
                quotient
            }
        }
        (true, rounding) => {
            // One additional bit, so that neither negation nor the rounding step overflows.
            let width = dividend.width_bits.max(magnitude.active_bits()) + 1;
            let wide = make.resize(x, width, true);
            let wide = if divisor.sign_bit() {
                make.negate(wide)
            } else {
                wide
            };
            let magnitude = resized(&magnitude, width);
            if rounding == Rounding::Floor {
                make.floor(wide, &magnitude)
            } else {
                let one = make.number(&Bits::from_u64(width, 1));
                let below = binary(&mut make.builder, arith::Subi::NAME, wide, one);
                let floor = make.floor(below, &magnitude);
                let one = make.number_like(1, floor);
                binary(&mut make.builder, arith::Addi::NAME, floor, one)
            }
        }
    };
    let result = if is_remainder {
        let quotient = make.resize_to(quotient, ty, is_signed);
        let factor = constant_bits(&mut make.builder, ty, divisor);
        let product = binary(&mut make.builder, arith::Muli::NAME, quotient, factor);
        binary(&mut make.builder, arith::Subi::NAME, a, product)
    } else {
        make.resize_to(quotient, ty, is_signed)
    };
    replace(body, op, &[result]);
    true
}

/// The significant part of a dividend.
struct Dividend {
    width_bits: u32,
    /// Largest value as an unsigned number, at `width_bits`.
    largest: Bits,
}

/// Returns the significant bits of a dividend, and whether it is known to be non-negative.
fn core_of(context: &Context, body: &Body, a: ValueId, is_signed: bool) -> (Dividend, bool) {
    let full = body.ty(a).width_bits(context).unwrap_or(64);
    let all_of = |width_bits: u32| Dividend {
        width_bits,
        largest: Bits::ones(width_bits),
    };
    if let Some((low, high)) = bounds(context, body, a)
        && low >= 0
        && body.ty(a).is_index(context)
    {
        let high = Bits::from_i64(64, high);
        let width_bits = high.active_bits().max(1);
        let largest = high.trunc(width_bits);
        return (
            Dividend {
                width_bits,
                largest,
            },
            true,
        );
    }
    let source = body.defining_operation(a).and_then(|op| {
        let source = body.operands(op).next()?;
        let width = body.ty(source).integer_width_bits(context)?;
        Some((name(context, body, op), width))
    });
    match source {
        Some((arith::Extui::NAME | arith::IndexCastui::NAME, width)) if width < full => {
            (all_of(width), true)
        }
        Some((arith::Extsi::NAME | arith::IndexCast::NAME, width)) if width < full && is_signed => {
            (all_of(width), false)
        }
        _ => (all_of(full), false),
    }
}

fn resized(value: &Bits, width: u32) -> Bits {
    if width >= value.width() {
        value.zext(width)
    } else {
        value.trunc(width)
    }
}

/// The factor `m` and the shift `p` for which `x m >> p` is the quotient for all `x` up to a maximum.
struct Reciprocal {
    factor: Bits,
    shift: u32,
}

/// Returns `m` and `p` with `floor(x m / 2^p) = floor(x / d)` for `0 <= x <= largest`: the smallest p with `e n < 2^p`, where `e
/// = m d - 2^p` and n is the largest x with remainder d - 1.
///
/// With `strict`, e is positive and `e largest <= 2^p`, so that also `floor(x m / 2^p) + 1 = ceil(x / d)` for negative x.
fn reciprocal(divisor: &Bits, largest: &Bits, strict: bool) -> Reciprocal {
    let width = 2 * divisor.width().max(largest.width()) + 8;
    let (d, largest) = (divisor.zext(width), largest.zext(width));
    let one = Bits::from_u64(width, 1);
    let rest = largest.add(&one).urem(&d).expect("a divisor is not zero");
    // No value below the divisor has remainder d - 1, so any factor below 1 / d is sufficient.
    let worst = if largest.ult(&d.sub(&one)) {
        largest.clone()
    } else {
        largest.sub(&rest)
    };
    let mut shift = 0;
    loop {
        let power = one.shl_by(shift);
        let below = power.urem(&d).expect("a divisor is not zero");
        let excess = match (below.is_zero(), strict) {
            (true, false) => Bits::zero(width),
            _ => d.sub(&below),
        };
        let fits = if strict {
            excess.mul(&largest).ule(&power)
        } else {
            excess.mul(&worst).ult(&power)
        };
        if fits {
            let factor = power.add(&excess).udiv(&d).expect("a divisor is not zero");
            return Reciprocal { factor, shift };
        }
        shift += 1;
    }
}

struct Maker<'a> {
    builder: Builder<'a>,
}

impl Maker<'_> {
    fn width(&self, value: ValueId) -> u32 {
        let ty = self.builder.body.ty(value);
        ty.width_bits(self.builder.context).unwrap_or(64)
    }

    fn number(&mut self, value: &Bits) -> ValueId {
        let ty = self.builder.context.integer_type(value.width());
        constant_bits(&mut self.builder, ty, value.clone())
    }

    fn number_like(&mut self, value: i64, like: ValueId) -> ValueId {
        let ty = self.builder.body.ty(like);
        constant(&mut self.builder, ty, value)
    }

    fn resize(&mut self, value: ValueId, width_bits: u32, is_signed: bool) -> ValueId {
        let ty = self.builder.context.integer_type(width_bits);
        self.resize_to(value, ty, is_signed)
    }

    /// Extends or truncates a value to a type.
    fn resize_to(&mut self, value: ValueId, ty: Type, is_signed: bool) -> ValueId {
        let (context, from) = (self.builder.context, self.builder.body.ty(value));
        if from == ty {
            return value;
        }
        let conversion = if from.is_index(context) || ty.is_index(context) {
            if is_signed {
                arith::IndexCast::NAME
            } else {
                arith::IndexCastui::NAME
            }
        } else if ty.width_bits(context) < from.width_bits(context) {
            arith::Trunci::NAME
        } else if is_signed {
            arith::Extsi::NAME
        } else {
            arith::Extui::NAME
        };
        convert(&mut self.builder, conversion, value, ty)
    }

    fn shift_right(&mut self, operation: &str, value: ValueId, amount: u32) -> ValueId {
        if amount == 0 {
            return value;
        }
        let amount = self.number_like(i64::from(amount), value);
        binary(&mut self.builder, operation, value, amount)
    }

    fn negate(&mut self, value: ValueId) -> ValueId {
        let zero = self.number_like(0, value);
        binary(&mut self.builder, arith::Subi::NAME, zero, value)
    }

    /// Emits `floor(x / d)` of an unsigned value that is at most `largest`.
    fn unsigned(&mut self, x: ValueId, largest: &Bits, divisor: &Bits) -> ValueId {
        let width = self.width(x);
        if divisor.active_bits() > width
            || largest
                .zext(divisor.width().max(width))
                .ult(&divisor.zext(divisor.width().max(width)))
        {
            return self.number_like(0, x);
        }
        if divisor.count_ones() == 1 {
            return self.shift_right(arith::Shrui::NAME, x, divisor.trailing_zeros());
        }
        let Reciprocal { factor, shift } = reciprocal(divisor, largest, false);
        let product_width = width + factor.active_bits();
        let wide = self.resize(x, product_width, false);
        let factor = self.number(&resized(&factor, product_width));
        let product = binary(&mut self.builder, arith::Muli::NAME, wide, factor);
        let quotient = self.shift_right(arith::Shrui::NAME, product, shift);
        self.resize(quotient, width, false)
    }

    /// Emits `floor(x / d)` of a signed value, `d > 0`: for negative x, the complement is divided as an unsigned number.
    fn floor(&mut self, x: ValueId, divisor: &Bits) -> ValueId {
        let width = self.width(x);
        if divisor.count_ones() == 1 {
            return self.shift_right(arith::Shrsi::NAME, x, divisor.trailing_zeros());
        }
        let sign = self.shift_right(arith::Shrsi::NAME, x, width - 1);
        let positive = binary(&mut self.builder, arith::Xori::NAME, x, sign);
        let quotient = self.unsigned(positive, &Bits::signed_max(width), divisor);
        binary(&mut self.builder, arith::Xori::NAME, quotient, sign)
    }

    /// Emits `x / d` of a signed value rounded towards zero, for an unsigned `d > 0`.
    fn signed_towards_zero(&mut self, x: ValueId, divisor: &Bits) -> ValueId {
        let width = self.width(x);
        if divisor.active_bits() > width {
            return self.number_like(0, x);
        }
        if divisor.is_one() {
            return x;
        }
        if divisor.count_ones() == 1 {
            // Adds d - 1 to negative numbers before the shift.
            let shift = divisor.trailing_zeros();
            let sign = self.shift_right(arith::Shrsi::NAME, x, width - 1);
            let bias = self.shift_right(arith::Shrui::NAME, sign, width - shift);
            let moved = binary(&mut self.builder, arith::Addi::NAME, x, bias);
            return self.shift_right(arith::Shrsi::NAME, moved, shift);
        }
        let largest = Bits::from_u64(width, 1).shl_by(width - 1);
        let Reciprocal { factor, shift } = reciprocal(divisor, &largest, true);
        let product_width = width + factor.active_bits();
        let wide = self.resize(x, product_width, true);
        let factor = self.number(&resized(&factor, product_width));
        let product = binary(&mut self.builder, arith::Muli::NAME, wide, factor);
        let floor = self.shift_right(arith::Shrsi::NAME, product, shift);
        let floor = self.resize(floor, width, true);
        let sign = self.shift_right(arith::Shrui::NAME, x, width - 1);
        binary(&mut self.builder, arith::Addi::NAME, floor, sign)
    }
}
