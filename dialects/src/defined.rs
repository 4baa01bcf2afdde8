//! Conditions under which integer operations are defined, shared by arith, index and others.

use sluice_ir::algebra::Algebra;
use sluice_ir::bits::Bits;
use sluice_ir::simplify::constant_of;
use sluice_ir::{AttributeKind, View};

/// Requires a shift by less than the width.
pub(crate) fn shift_fits<A: Algebra>(algebra: &mut A, amount: &A::Word) {
    let width = algebra.width(amount);
    // The width is not representable in an amount of that width, so every amount is smaller.
    let fits = if width < 64 && 1u64 << width <= u64::from(width) {
        algebra.number(1, 1)
    } else {
        let limit = algebra.number(width, u64::from(width));
        algebra.ult(amount, &limit)
    };
    algebra.require(&fits, "the shift amount is not smaller than the width");
}

/// Requires a divisor other than zero.
pub(crate) fn divisor_is_not_zero<A: Algebra>(algebra: &mut A, divisor: &A::Word) {
    let zero = algebra.is_zero(divisor);
    let defined = algebra.not(&zero);
    algebra.require(&defined, "division by zero");
}

/// Requires a signed division by a divisor other than zero whose quotient fits the width of the operands.
pub(crate) fn quotient_fits<A: Algebra>(algebra: &mut A, dividend: &A::Word, divisor: &A::Word) {
    divisor_is_not_zero(algebra, divisor);
    let width = algebra.width(dividend);
    let lowest = algebra.constant(Bits::from_u64(width, 1).shl_by(width.saturating_sub(1)));
    let ones = algebra.constant(Bits::ones(width));
    let at_lowest = algebra.eq(dividend, &lowest);
    let by_minus_one = algebra.eq(divisor, &ones);
    let overflows = algebra.and(&at_lowest, &by_minus_one);
    let fits = algebra.not(&overflows);
    algebra.require(&fits, "the signed division overflows");
}

/// Returns true if a division may be executed speculatively: every divisor is a constant that is not zero.
pub(crate) fn divides_by_constant(view: View<'_>) -> bool {
    every_divisor(view, |divisor| !divisor.is_zero())
}

/// Returns true if a signed division may be executed speculatively; a divisor of -1 is also excluded, because the quotient may
/// not fit.
pub(crate) fn divides_by_safe_constant(view: View<'_>) -> bool {
    every_divisor(view, |divisor| !divisor.is_zero() && !divisor.is_all_ones())
}

fn every_divisor(view: View<'_>, is_safe: fn(&Bits) -> bool) -> bool {
    let constant = constant_of(view.context, view.body, view.operand(1));
    match constant.map(|constant| constant.kind(view.context)) {
        Some(AttributeKind::Integer { value, .. }) => is_safe(value),
        Some(AttributeKind::DenseElements { values, .. }) => values.iter().all(is_safe),
        _ => false,
    }
}
