//! Comparisons, minima and maxima, and changes of the sign.

use super::super::super::Algebra;
use super::super::FloatPredicate;
use super::super::layout::{Layout, Specials};
use super::fields::{Fields, nan_of};
use super::words::{below, top};

/// How two floats compare: one bit each.
struct Order<W> {
    equal: W,
    less: W,
    greater: W,
    unordered: W,
}

fn order<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word, y: &A::Word) -> Order<A::Word> {
    let [xs, ys] = [x, y].map(|operand| Fields::of(a, layout, operand));
    let unordered = a.or(&xs.is_nan, &ys.is_nan);
    let same = a.eq(x, y);
    let zeros = a.and(&xs.is_zero, &ys.is_zero);
    let equal = a.or(&same, &zeros);
    let smaller = a.ult(&xs.magnitude, &ys.magnitude);
    let not_smaller = a.not(&smaller);
    // Signs decide if they differ; among negative numbers the larger magnitude is less.
    let differ = a.xor(&xs.sign, &ys.sign);
    let by_magnitude = a.ite(&xs.sign, &not_smaller, &smaller);
    let less = a.ite(&differ, &xs.sign, &by_magnitude);
    let ordered = a.not(&unordered);
    let different = a.not(&equal);
    let counts = a.and(&ordered, &different);
    let more = a.not(&less);
    Order {
        equal: a.and(&equal, &ordered),
        less: a.and(&less, &counts),
        greater: a.and(&more, &counts),
        unordered,
    }
}

/// Returns one bit: 1 if the predicate holds.
pub(in crate::algebra::float) fn compare<A: Algebra>(
    a: &mut A,
    layout: Layout,
    predicate: FloatPredicate,
    x: &A::Word,
    y: &A::Word,
) -> A::Word {
    use FloatPredicate as P;
    let order = order(a, layout, x, y);
    let Order {
        equal,
        less,
        greater,
        unordered,
    } = &order;
    match predicate {
        P::AlwaysFalse => a.number(1, 0),
        P::AlwaysTrue => a.number(1, 1),
        P::Oeq => equal.clone(),
        P::Ogt => greater.clone(),
        P::Olt => less.clone(),
        P::Oge => a.or(greater, equal),
        P::Ole => a.or(less, equal),
        P::One => a.or(less, greater),
        P::Ord => a.not(unordered),
        P::Uno => unordered.clone(),
        P::Ueq => a.or(equal, unordered),
        P::Ugt => a.or(greater, unordered),
        P::Ult => a.or(less, unordered),
        P::Uge => a.not(less),
        P::Ule => a.not(greater),
        P::Une => a.not(equal),
    }
}

/// Returns the lesser (or, if `wants_greater`, the greater) of two floats. Of NaN and a number the result is NaN if `keeps_nan`,
/// else the number. Negative zero is less than positive zero.
pub(in crate::algebra::float) fn extreme<A: Algebra>(
    a: &mut A,
    layout: Layout,
    wants_greater: bool,
    keeps_nan: bool,
    x: &A::Word,
    y: &A::Word,
) -> A::Word {
    let [xs, ys] = [x, y].map(|operand| Fields::of(a, layout, operand));
    let smaller = a.ult(&xs.magnitude, &ys.magnitude);
    let larger = a.ult(&ys.magnitude, &xs.magnitude);
    let differ = a.xor(&xs.sign, &ys.sign);
    let by_magnitude = a.ite(&xs.sign, &larger, &smaller);
    let x_is_less = a.ite(&differ, &xs.sign, &by_magnitude);
    let number = if wants_greater {
        a.ite(&x_is_less, y, x)
    } else {
        a.ite(&x_is_less, x, y)
    };
    let nan = nan_of(a, layout);
    if keeps_nan {
        let is_nan = a.or(&xs.is_nan, &ys.is_nan);
        return a.ite(&is_nan, &nan, &number);
    }
    let number = a.ite(&ys.is_nan, x, &number);
    let number = a.ite(&xs.is_nan, y, &number);
    let is_nan = a.and(&xs.is_nan, &ys.is_nan);
    a.ite(&is_nan, &nan, &number)
}

/// Returns the float with another sign. NaN keeps all other bits, as IEEE 754 has it; in formats without a negative zero, zero and
/// NaN stay as they are.
pub(in crate::algebra::float) fn with_sign<A: Algebra>(
    a: &mut A,
    layout: Layout,
    x: &A::Word,
    sign: &A::Word,
) -> A::Word {
    let magnitude = below(a, x, 1);
    let number = a.concat(sign, &magnitude);
    match layout.specials {
        Specials::Ieee | Specials::AllOnesNan => number,
        Specials::NegativeZeroNan => {
            let has_no_sign = a.is_zero(&magnitude);
            a.ite(&has_no_sign, x, &number)
        }
    }
}

/// Returns the sign of a float.
pub(in crate::algebra::float) fn sign_of<A: Algebra>(a: &mut A, x: &A::Word) -> A::Word {
    top(a, x, 1)
}
