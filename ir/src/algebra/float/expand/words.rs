//! Steps that several float operations use: fields, shifts with a sticky bit, normalisation.

use super::super::super::Algebra;
use crate::bits::Bits;

/// Returns bit `i` of a word.
pub(in crate::algebra::float) fn bit<A: Algebra>(a: &mut A, x: &A::Word, i: u32) -> A::Word {
    a.extract(x, i, 1)
}

/// Returns the `n` highest bits of a word.
pub(in crate::algebra::float) fn top<A: Algebra>(a: &mut A, x: &A::Word, n: u32) -> A::Word {
    let low = a.width(x) - n;
    a.extract(x, low, n)
}

/// Returns all bits below the `n` highest ones.
pub(in crate::algebra::float) fn below<A: Algebra>(a: &mut A, x: &A::Word, n: u32) -> A::Word {
    let width = a.width(x) - n;
    a.extract(x, 0, width)
}

/// Returns the word with `n` zeros below it.
pub(in crate::algebra::float) fn append_zeros<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    n: u32,
) -> A::Word {
    if n == 0 {
        return x.clone();
    }
    let zeros = a.number(n, 0);
    a.concat(x, &zeros)
}

/// Returns the word shifted to the left by a constant number of bits, below the width.
pub(in crate::algebra::float) fn shift_left<A: Algebra>(a: &mut A, x: &A::Word, n: u32) -> A::Word {
    let kept = below(a, x, n);
    append_zeros(a, &kept, n)
}

/// Returns the word shifted to the right by a constant number of bits, below the width.
pub(in crate::algebra::float) fn shift_right<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    n: u32,
) -> A::Word {
    let width = a.width(x);
    let kept = a.extract(x, n, width - n);
    a.zext(&kept, width)
}

/// Returns the bits needed for the numbers from 0 to `most`.
pub(in crate::algebra::float) fn bits_for(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

/// Shifts to the right by an unsigned amount of any width. Returns the word, and one bit: 1 if a bit set was shifted out.
pub(in crate::algebra::float) fn shift_right_sticky<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    amount: &A::Word,
) -> (A::Word, A::Word) {
    let width = a.width(x);
    let n_levels = bits_for(width - 1).min(a.width(amount));
    let mut word = x.clone();
    let mut sticky = a.number(1, 0);
    for level in 0..n_levels {
        let distance = (1 << level).min(width);
        let is_set = bit(a, amount, level);
        let lost = a.extract(&word, 0, distance);
        let lost = a.reduce_or(&lost);
        let lost = a.and(&is_set, &lost);
        sticky = a.or(&sticky, &lost);
        let moved = if distance == width {
            a.number(width, 0)
        } else {
            shift_right(a, &word, distance)
        };
        word = a.ite(&is_set, &moved, &word);
    }
    let n_high = a.width(amount) - n_levels;
    if n_high == 0 {
        return (word, sticky);
    }
    let high = top(a, amount, n_high);
    let is_far = a.reduce_or(&high);
    let any = a.reduce_or(x);
    let zero = a.number(width, 0);
    let word = a.ite(&is_far, &zero, &word);
    let sticky = a.ite(&is_far, &any, &sticky);
    (word, sticky)
}

/// Returns the number of zeros above the highest bit set of `x`, as bits from the highest to the lowest; the width of `x` for 0.
///
/// Each step decides whether the upper half of what is left is zero, so the steps are also those of a shifter.
pub(in crate::algebra::float) fn leading_zeros<A: Algebra>(a: &mut A, x: &A::Word) -> Vec<A::Word> {
    let width = a.width(x);
    let n_steps = bits_for(width);
    let padding = (1 << n_steps) - width;
    let mut word = x.clone();
    if padding > 0 {
        let mark = Bits::from_u64(padding, 1).shl_by(padding - 1);
        let mark = a.constant(mark);
        word = a.concat(x, &mark);
    }
    let mut steps = Vec::new();
    for step in (0..n_steps).rev() {
        let half = 1 << step;
        let upper = top(a, &word, half);
        let lower = below(a, &word, half);
        let is_zero = a.is_zero(&upper);
        word = a.ite(&is_zero, &lower, &upper);
        steps.push(is_zero);
    }
    steps
}

/// Shifts to the left by a number of bits that is given bit by bit, from the highest to the lowest.
pub(in crate::algebra::float) fn shift_left_by<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    steps: &[A::Word],
) -> A::Word {
    let width = a.width(x);
    let mut word = x.clone();
    for (i, step) in steps.iter().enumerate() {
        let distance = 1 << (steps.len() - 1 - i);
        let moved = if distance >= width {
            a.number(width, 0)
        } else {
            shift_left(a, &word, distance)
        };
        word = a.ite(step, &moved, &word);
    }
    word
}

/// Returns the number that bits from the highest to the lowest give.
pub(in crate::algebra::float) fn number_of<A: Algebra>(a: &mut A, steps: &[A::Word]) -> A::Word {
    let mut number = steps[0].clone();
    for step in &steps[1..] {
        number = a.concat(&number, step);
    }
    number
}

/// Returns one bit of each word joined by or.
pub(in crate::algebra::float) fn any_of<A: Algebra>(a: &mut A, flags: &[A::Word]) -> A::Word {
    let mut any = flags[0].clone();
    for flag in &flags[1..] {
        any = a.or(&any, flag);
    }
    any
}

/// Returns a constant of this width from a signed number.
pub(in crate::algebra::float) fn signed<A: Algebra>(a: &mut A, width: u32, value: i64) -> A::Word {
    a.constant(Bits::from_i64(width, value))
}

/// Returns `x + y` or, if the flag is 1, `x - y`, with one carry chain.
pub(in crate::algebra::float) fn add_or_subtract<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    y: &A::Word,
    subtract: &A::Word,
) -> A::Word {
    let width = a.width(x);
    let mask = a.sext(subtract, width);
    let y = a.xor(y, &mask);
    let one = a.number(1, 1);
    let x = a.concat(x, &one);
    let y = a.concat(&y, subtract);
    let sum = a.add(&x, &y);
    a.extract(&sum, 1, width)
}

/// Returns the product of two unsigned words, with all its bits.
pub(in crate::algebra::float) fn exact_product<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    y: &A::Word,
) -> A::Word {
    let width = a.width(x) + a.width(y);
    let [x, y] = [x, y].map(|factor| a.zext(factor, width));
    a.mul(&x, &y)
}
