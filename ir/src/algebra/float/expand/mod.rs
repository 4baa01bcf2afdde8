//! Float operations as integer operations on bit patterns: the circuits, and the meaning in formats without other arithmetic.
//!
//! Each operation is a function over [`Algebra`], for any width of exponent and fraction. Tests compare it with LLVM's arithmetic.
//! Sources: J.-M. Muller et al., "Handbook of Floating-Point Arithmetic", second edition, chapters 7 and 8; IEEE 754-2019.

mod add;
mod convert;
pub(super) mod fields;
mod multiply;
pub(super) mod order;
pub(super) mod words;

use super::super::Algebra;
use super::layout::Layout;
use super::{FloatFormat, FloatOp, functions};

/// Returns the result of `op` in terms of the other operators of the algebra; `None` for `f80`, for remainders, and for mathematical
/// functions of formats with more than 64 bits.
///
/// NaNs that are computed are canonical: positive and quiet, other fraction bits 0.
pub fn expand<A: Algebra>(
    a: &mut A,
    op: FloatOp,
    format: FloatFormat,
    x: &[A::Word],
) -> Option<A::Word> {
    let layout = Layout::of(format)?;
    Some(match op {
        FloatOp::Add => add::sum(a, layout, &x[0], &x[1]),
        FloatOp::Sub => {
            let sign = order::sign_of(a, &x[1]);
            let flipped = a.not(&sign);
            let negated = order::with_sign(a, layout, &x[1], &flipped);
            add::sum(a, layout, &x[0], &negated)
        }
        FloatOp::Mul => multiply::product(a, layout, &x[0], &x[1]),
        FloatOp::Div => multiply::quotient(a, layout, &x[0], &x[1]),
        FloatOp::Sqrt => multiply::square_root(a, layout, &x[0]),
        FloatOp::Fma => multiply::fused(a, layout, &x[0], &x[1], &x[2]),
        FloatOp::Rem => return None,
        FloatOp::Function(function) => {
            functions::has_functions(format).then_some(())?;
            functions::value(a, function, layout, x)
        }
        FloatOp::Neg => {
            let sign = order::sign_of(a, &x[0]);
            let flipped = a.not(&sign);
            order::with_sign(a, layout, &x[0], &flipped)
        }
        FloatOp::Abs => {
            let positive = a.number(1, 0);
            order::with_sign(a, layout, &x[0], &positive)
        }
        FloatOp::CopySign => {
            let sign = order::sign_of(a, &x[1]);
            order::with_sign(a, layout, &x[0], &sign)
        }
        FloatOp::Minimum => order::extreme(a, layout, false, true, &x[0], &x[1]),
        FloatOp::Maximum => order::extreme(a, layout, true, true, &x[0], &x[1]),
        FloatOp::MinNum => order::extreme(a, layout, false, false, &x[0], &x[1]),
        FloatOp::MaxNum => order::extreme(a, layout, true, false, &x[0], &x[1]),
        FloatOp::Compare(predicate) => order::compare(a, layout, predicate, &x[0], &x[1]),
        FloatOp::Convert(to) => convert::to_format(a, layout, Layout::of(to)?, &x[0]),
        FloatOp::FromSigned => convert::from_integer(a, layout, &x[0], true),
        FloatOp::FromUnsigned => convert::from_integer(a, layout, &x[0], false),
        FloatOp::ToSigned(width) => convert::to_integer(a, layout, &x[0], width, true),
        FloatOp::ToUnsigned(width) => convert::to_integer(a, layout, &x[0], width, false),
        FloatOp::ToWhole(rounding) => convert::to_whole(a, layout, &x[0], rounding),
    })
}
