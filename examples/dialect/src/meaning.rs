//! Meanings, each written once: folding, the interpreter, proofs and circuits use them.

use sluice_ir::Parameter as _;
use sluice_ir::algebra::Algebra;
use sluice_ir::bits::Bits;
use sluice_ir::definition::Site;

use crate::{Ends, Format, Rounding};

/// Returns a wider word in `width` bits, kept at the ends of the range that `ends` names.
fn saturated<A: Algebra>(algebra: &mut A, wide: &A::Word, width: u32, ends: Ends) -> A::Word {
    let whole = algebra.width(wide);
    let highest = algebra.constant(Bits::ones(width - 1).zext(whole));
    let lowest = algebra.not(&highest);
    let mut result = wide.clone();
    if ends.contains(Ends::HIGH) {
        let is_above = algebra.slt(&highest, wide);
        result = algebra.ite(&is_above, &highest, &result);
    }
    if ends.contains(Ends::LOW) {
        let is_below = algebra.slt(wide, &lowest);
        result = algebra.ite(&is_below, &lowest, &result);
    }
    algebra.trunc(&result, width)
}

/// Returns the sum of two numbers.
pub(crate) fn sum<A: Algebra>(site: Site<'_>, algebra: &mut A, x: &[A::Word]) -> A::Word {
    let width = site.result_width_bits(0);
    let ends = site.attribute("ends");
    let ends = ends.and_then(|ends| Ends::from_attribute(site.context, ends));
    let (a, b) = (
        algebra.sext(&x[0], width + 1),
        algebra.sext(&x[1], width + 1),
    );
    let wide = algebra.add(&a, &b);
    saturated(
        algebra,
        &wide,
        width,
        ends.unwrap_or(Ends::LOW | Ends::HIGH),
    )
}

/// Returns the product of two numbers in their format.
pub(crate) fn product<A: Algebra>(site: Site<'_>, algebra: &mut A, x: &[A::Word]) -> A::Word {
    let width = site.result_width_bits(0);
    let format = site.attribute("format");
    let format = format.and_then(|format| Format::cast(site.context, format));
    let (fraction, rounding) = match format {
        Some(format) => (format.fraction(site.context), format.rounding(site.context)),
        None => (0, Rounding::Down),
    };
    // One bit more, so that rounding up does not overflow.
    let whole = 2 * width + 1;
    let (a, b) = (algebra.sext(&x[0], whole), algebra.sext(&x[1], whole));
    let mut wide = algebra.mul(&a, &b);
    if fraction > 0 && rounding != Rounding::Down {
        let half = algebra.number(whole, 1).clone();
        let amount = algebra.number(whole, u64::from(fraction - 1));
        let half = algebra.shl(&half, &amount);
        let up = algebra.add(&wide, &half);
        wide = match rounding {
            Rounding::Even => {
                // In the middle, the last digit that stays decides.
                let cut = algebra.extract(&wide, 0, fraction);
                let half = algebra.extract(&half, 0, fraction);
                let is_middle = algebra.eq(&cut, &half);
                let last = algebra.extract(&wide, fraction, 1);
                let is_even = algebra.not(&last);
                let stays = algebra.and(&is_middle, &is_even);
                algebra.ite(&stays, &wide, &up)
            }
            Rounding::Down | Rounding::Nearest => up,
        };
    }
    let amount = algebra.number(whole, u64::from(fraction));
    let shifted = algebra.ashr(&wide, &amount);
    saturated(algebra, &shifted, width, Ends::LOW | Ends::HIGH)
}

/// Returns a number, or the nearest end of a range.
pub(crate) fn clamped<A: Algebra>(algebra: &mut A, x: &[A::Word]) -> A::Word {
    let is_below = algebra.slt(&x[0], &x[1]);
    let at_least = algebra.ite(&is_below, &x[1], &x[0]);
    let is_above = algebra.slt(&x[2], &at_least);
    algebra.ite(&is_above, &x[2], &at_least)
}
