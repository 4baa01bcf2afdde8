//! Iterative dividers: the circuit that
//! [`Structure::IterativeRestoring`](sluice_oplib::implementation::Structure::IterativeRestoring) stands for.

use sluice_dialects::predicate::Predicate;
use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_oplib::implementation::{division_steps, step_bits};

use crate::circuit::{Circuit, RegisterOptions};

/// What a divider answers.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    /// Two's complement operands.
    pub(crate) signed: bool,
    /// The remainder rather than the quotient.
    pub(crate) remainder: bool,
}

/// Division by `digit_bits` quotient bits a cycle: `start` loads the operands and finds the leading bits, every other cycle makes
/// steps, so the result stands [`division_steps`] + 1 cycles after `start` and needs no counter. `multiples` are those of the
/// divisor from the cycle behind `start` on, see [`Multiples::new`].
///
/// A quotient is found by steps that do not restore, whose multiples are odd, with a choice between half as many differences; a
/// remainder by steps that restore, since what the others leave still had to be corrected. A divisor of 0 gives a quotient of all ones
/// and the dividend as remainder (with the signs of signed division), as SMT-LIB defines.
/// Source: M. Ercegovac, T. Lang, Division and Square Root, 1994, chapter 1 (restoring and non-restoring, high radix by comparison with
/// all multiples).
/// Differs: the divisor of signed division is held as what is added, inverted and with its carry apart, so that no sum stands in
/// front of the multiples; digits of a negative quotient enter inverted; a negative rest is held inverted, with its sign apart, so that
/// multiples are only ever subtracted.
pub(crate) fn divider(
    circuit: &mut Circuit<'_>,
    [start, left, right]: [ValueId; 3],
    multiples: &Multiples,
    answer: Answer,
    digit_bits: u32,
) -> ValueId {
    let operands = Operands::new(circuit, left, right, answer.signed);
    let width = circuit.width(left);
    let negate = operands.negate(circuit, answer);
    let lead_bits = width.saturating_sub(division_steps(width, digit_bits) * digit_bits);
    let (lead_digit, lead_rest) = lead(circuit, &operands, lead_bits);
    let dividend = part(circuit, operands.dividend, width - lead_bits);
    let loading = Loading {
        start,
        dividend,
        lead_digit,
        lead_rest,
        lead_bits,
        width_bits: width,
        digit_bits,
        signed: answer.signed,
    };
    if answer.remainder {
        remainder(circuit, loading, multiples, negate)
    } else {
        quotient(circuit, loading, multiples, negate)
    }
}

/// What is there in the cycle of the start.
struct Loading {
    start: ValueId,
    /// The bits of the dividend's magnitude below the leading ones.
    dividend: Option<ValueId>,
    lead_digit: Option<ValueId>,
    lead_rest: Option<ValueId>,
    lead_bits: u32,
    width_bits: u32,
    digit_bits: u32,
    signed: bool,
}

impl Loading {
    fn n_steps(&self) -> u32 {
        division_steps(self.width_bits, self.digit_bits)
    }

    /// The register of the dividend, whose bits leave at the top while those of the quotient enter at the bottom.
    fn shifted_bits(&self) -> u32 {
        self.lead_bits + self.n_steps() * self.digit_bits
    }

    /// What that register is loaded with.
    fn shifted(&self, circuit: &mut Circuit<'_>, lead_digit: Option<ValueId>) -> ValueId {
        let bits = self.n_steps() * self.digit_bits;
        let dividend = self.dividend.map(|low| circuit.zext(low, bits));
        joined(circuit, [dividend, lead_digit])
    }

    /// The register of the rest; `next` is what a cycle of steps leaves.
    fn rest(&self, circuit: &mut Circuit<'_>, next: ValueId) -> ValueId {
        let bits = circuit.width(next);
        let zero = circuit.constant(Bits::zero(bits));
        let first = self.lead_rest.map_or(zero, |rest| circuit.zext(rest, bits));
        let next = circuit.mux(self.start, first, next);
        register(circuit, next, "rest")
    }
}

/// The remainder, by restoring steps.
///
/// Invariant: `rest < divisor` after every step unless the divisor is 0.
fn remainder(
    circuit: &mut Circuit<'_>,
    loading: Loading,
    multiples: &Multiples,
    negate: Option<ValueId>,
) -> ValueId {
    let bits = loading.shifted_bits();
    let (rest, shifted) = (circuit.wire(loading.width_bits), circuit.wire(bits));
    let (mut next_rest, mut next_shifted) = (rest, shifted);
    if loading.n_steps() > 0 {
        let step_bits = multiples.step_bits;
        for _ in 0..loading.digit_bits / step_bits {
            let top = circuit.extract(next_shifted, bits - step_bits, step_bits);
            next_rest = restoring_step(circuit, next_rest, top, multiples);
            let zeros = circuit.constant(Bits::zero(step_bits));
            let kept = part(circuit, next_shifted, bits - step_bits);
            next_shifted = joined(circuit, [kept, Some(zeros)]);
        }
    }
    let rest_register = loading.rest(circuit, next_rest);
    let loaded = loading.shifted(circuit, loading.lead_digit);
    let next_shifted = circuit.mux(loading.start, loaded, next_shifted);
    let shifted_register = register(circuit, next_shifted, "quotient");
    circuit.connect(rest, rest_register);
    circuit.connect(shifted, shifted_register);
    match negate {
        None => rest_register,
        Some(negate) => {
            let negate = hold(circuit, negate, loading.start, "negate");
            let flipped = inverted(circuit, rest_register, negate);
            increment(circuit, flipped, negate)
        }
    }
}

/// The quotient, by non-restoring steps.
///
/// With `sign` the sign of the rest r, the register of the rest holds r, or `-r - 1` where it is negative. Invariant:
/// `-divisor <= r < divisor` after every step unless the divisor is 0. The digits are odd, d = 2 b + 1 - 2^s with the s bits b that enter
/// the quotient; their sum is that of the b, a place further up, with a one below, less one where the last rest is negative.
/// The highest of these b is 1, since the first rest is not negative.
fn quotient(
    circuit: &mut Circuit<'_>,
    loading: Loading,
    multiples: &Multiples,
    negate: Option<ValueId>,
) -> ValueId {
    let negate_digit = |circuit: &mut Circuit<'_>, digit, negate: Option<ValueId>| match negate {
        Some(negate) => inverted(circuit, digit, negate),
        None => digit,
    };
    let held = negate.map(|negate| hold(circuit, negate, loading.start, "negate"));
    let first_digit = loading
        .lead_digit
        .map(|digit| negate_digit(circuit, digit, negate));
    let loaded = loading.shifted(circuit, first_digit);
    let signed_result = |circuit: &mut Circuit<'_>, bits| {
        let low = circuit.extract(bits, 0, loading.width_bits);
        match held {
            Some(negate) => increment(circuit, low, negate),
            None => low,
        }
    };
    if loading.n_steps() == 0 {
        let held_digit = hold(circuit, loaded, loading.start, "quotient");
        return signed_result(circuit, held_digit);
    }
    let (bits, step_bits) = (loading.shifted_bits(), multiples.step_bits);
    let rest_bits = multiples.rest_bits(loading.width_bits, loading.signed);
    let (rest, shifted, sign) = (circuit.wire(rest_bits), circuit.wire(bits), circuit.wire(1));
    let (mut next_rest, mut next_shifted, mut next_sign) = (rest, shifted, sign);
    for _ in 0..loading.digit_bits / step_bits {
        let top = circuit.extract(next_shifted, bits - step_bits, step_bits);
        let step = non_restoring_step(circuit, next_rest, top, multiples);
        let flip = match held {
            Some(negate) => circuit.comb("xor", &[next_sign, negate]),
            None => next_sign,
        };
        let digit = inverted(circuit, step.digit, flip);
        let kept = part(circuit, next_shifted, bits - step_bits);
        next_rest = step.rest;
        next_sign = circuit.comb("xor", &[next_sign, step.is_negative]);
        let moved = joined(circuit, [kept, Some(digit)]);
        next_shifted = top_inverted(circuit, moved, step_bits, next_sign);
    }
    let rest_register = loading.rest(circuit, next_rest);
    let next_shifted = circuit.mux(loading.start, loaded, next_shifted);
    let shifted_register = register(circuit, next_shifted, "quotient");
    let zero = circuit.flag(false);
    let next_sign = circuit.mux(loading.start, zero, next_sign);
    let sign_register = register(circuit, next_sign, "sign");
    circuit.connect(rest, rest_register);
    circuit.connect(shifted, shifted_register);
    circuit.connect(sign, sign_register);

    let raw = top_inverted(circuit, shifted_register, step_bits, sign_register);
    let mut last = circuit.not(sign_register);
    if let Some(negate) = held {
        last = circuit.comb("xor", &[last, negate]);
    }
    let below = loading.n_steps() * loading.digit_bits - 1;
    let mut parts = Vec::new();
    if loading.lead_bits > 0 {
        parts.push(circuit.extract(raw, below + 1, loading.lead_bits));
    }
    parts.extend(part(circuit, raw, below));
    parts.push(last);
    let all = circuit.concat(&parts);
    signed_result(circuit, all)
}

/// The operands in the cycle in which they arrive.
struct Operands {
    left: ValueId,
    right: ValueId,
    signed: bool,
    /// The magnitude of the dividend.
    dividend: ValueId,
    /// Signed: the divisor, inverted where it is not negative; unsigned: the divisor.
    divisor: ValueId,
    /// Set where the divisor is not negative.
    positive: ValueId,
}

impl Operands {
    fn new(circuit: &mut Circuit<'_>, left: ValueId, right: ValueId, signed: bool) -> Self {
        let width = circuit.width(left);
        let (mut dividend, mut divisor) = (left, right);
        let mut positive = circuit.flag(true);
        if signed {
            let sign = circuit.extract(left, width - 1, 1);
            let flipped = inverted(circuit, left, sign);
            dividend = increment(circuit, flipped, sign);
            let sign = circuit.extract(right, width - 1, 1);
            positive = circuit.not(sign);
            divisor = inverted(circuit, right, positive);
        }
        Self {
            left,
            right,
            signed,
            dividend,
            divisor,
            positive,
        }
    }

    /// Whether the result is negative, for signed division.
    fn negate(&self, circuit: &mut Circuit<'_>, answer: Answer) -> Option<ValueId> {
        let width = circuit.width(self.left);
        let sign = |circuit: &mut Circuit<'_>, value| circuit.extract(value, width - 1, 1);
        self.signed.then(|| {
            let left = sign(circuit, self.left);
            if answer.remainder {
                return left;
            }
            let right = sign(circuit, self.right);
            circuit.comb("xor", &[left, right])
        })
    }

    /// The bits of the dividend's magnitude at `width - 1` and `width - 2`.
    fn top_bits(&self, circuit: &mut Circuit<'_>) -> [ValueId; 2] {
        let width = circuit.width(self.dividend);
        let top = circuit.extract(self.dividend, width - 1, 1);
        let below = match width {
            1 => circuit.flag(false),
            _ => circuit.extract(self.dividend, width - 2, 1),
        };
        [top, below]
    }

    /// Whether the divisor's magnitude is 0, 1, 2, 3.
    fn small_divisor(&self, circuit: &mut Circuit<'_>) -> [ValueId; 4] {
        let width = circuit.width(self.right);
        let low = circuit.extract(self.right, 0, 1);
        let mut second = match width {
            1 => circuit.flag(false),
            _ => circuit.extract(self.right, 1, 1),
        };
        let mut is_small = circuit.flag(true);
        if width > 2 {
            let upper = circuit.extract(self.divisor, 2, width - 2);
            is_small = match self.signed {
                true => {
                    let ones = is(circuit, upper, Bits::ones(width - 2));
                    let not_four = circuit.any(&[self.positive, low, second]);
                    circuit.and(ones, not_four)
                }
                false => is(circuit, upper, Bits::zero(width - 2)),
            };
        }
        if self.signed && width > 1 {
            let sign = circuit.extract(self.right, width - 1, 1);
            let flips = circuit.and(sign, low);
            second = circuit.comb("xor", &[second, flips]);
        }
        let (no_low, no_second) = (circuit.not(low), circuit.not(second));
        [
            (no_low, no_second),
            (low, no_second),
            (no_low, second),
            (low, second),
        ]
        .map(|(one, two)| {
            let both = circuit.and(one, two);
            circuit.and(is_small, both)
        })
    }
}

/// The quotient and the rest of the leading `bits` of the dividend, 0 to 2: they are at most 3, so that only divisors below 4 count.
fn lead(
    circuit: &mut Circuit<'_>,
    operands: &Operands,
    bits: u32,
) -> (Option<ValueId>, Option<ValueId>) {
    if bits == 0 {
        return (None, None);
    }
    let [top, below] = operands.top_bits(circuit);
    let [zero, one, two, three] = operands.small_divisor(circuit);
    let unless = |circuit: &mut Circuit<'_>, value, terms: &[ValueId]| {
        let any = circuit.any(terms);
        let none = circuit.not(any);
        circuit.and(value, none)
    };
    if bits == 1 {
        let taken = circuit.and(one, top);
        let digit = circuit.any(&[zero, taken]);
        let rest = unless(circuit, top, &[one]);
        return (Some(digit), Some(rest));
    }
    let (one_top, one_below) = (circuit.and(one, top), circuit.and(one, below));
    let two_top = circuit.and(two, top);
    let (three_top, three_below) = (circuit.and(three, top), circuit.and(three, below));
    let three_both = circuit.and(three_top, below);
    let high = circuit.any(&[zero, one_top]);
    let low = circuit.any(&[zero, one_below, two_top, three_both]);
    let rest_high = unless(circuit, top, &[one, two, three_below]);
    let rest_low = unless(circuit, below, &[one, three_top]);
    (
        Some(circuit.concat(&[high, low])),
        Some(circuit.concat(&[rest_high, rest_low])),
    )
}

/// The odd multiples of the divisor, held from `start` on, each as many bits and one wider than the rest with the bits of a step.
pub(crate) struct Multiples {
    /// The multiples 1, 3, 5, ...; signed: inverted like the divisor.
    odd: Vec<ValueId>,
    /// What is to be added to each inverted multiple; `None` for unsigned division, where multiples are subtracted.
    carry: Option<ValueId>,
    step_bits: u32,
    wide_bits: u32,
}

impl Multiples {
    /// The multiples that steps of `digit_bits` a cycle need of the divisor `right`, held from the cycle behind `start` on; `None`
    /// where a divider of the width makes no steps.
    ///
    /// An inverted multiple is negative: its upper bits are ones and need no registers.
    pub(crate) fn new(
        circuit: &mut Circuit<'_>,
        start: ValueId,
        right: ValueId,
        signed: bool,
        digit_bits: u32,
    ) -> Self {
        let width = circuit.width(right);
        let step_bits = step_bits(digit_bits);
        let wide_bits = width + step_bits + 1;
        let mut multiples = Self {
            odd: Vec::new(),
            carry: None,
            step_bits,
            wide_bits,
        };
        if division_steps(width, digit_bits) == 0 {
            return multiples;
        }
        let (mut wide, mut carry) = (right, None);
        if signed {
            let sign = circuit.extract(right, width - 1, 1);
            let positive = circuit.not(sign);
            wide = inverted(circuit, right, positive);
            carry = Some(positive);
        }
        wide = match signed {
            true => circuit.sext(wide, wide_bits),
            false => circuit.zext(wide, wide_bits),
        };
        for (doublings, less, more_bits, name) in [
            (0, false, 0, "divisor"),
            (1, false, 2, "divisor_3"),
            (2, false, 3, "divisor_5"),
            (3, true, 3, "divisor_7"),
        ] {
            if multiples.odd.len() >= 1 << (step_bits - 1) {
                break;
            }
            let large = doubled(circuit, wide, doublings, carry);
            let multiple = match (carry, less) {
                _ if doublings == 0 => wide,
                (Some(carry), false) => sum(circuit, large, wide, carry),
                (Some(carry), true) => {
                    let (flipped, borrow) = (circuit.not(wide), circuit.not(carry));
                    sum(circuit, large, flipped, borrow)
                }
                (None, false) => circuit.comb("add", &[large, wide]),
                (None, true) => circuit.comb("sub", &[large, wide]),
            };
            // |divisor| <= 2^(width - 1) where it has a sign.
            let bits = width + more_bits - u32::from(signed);
            let low = circuit.extract(multiple, 0, bits);
            let low = hold(circuit, low, start, name);
            let fill = match signed {
                true => Bits::ones(wide_bits - bits),
                false => Bits::zero(wide_bits - bits),
            };
            let fill = circuit.constant(fill);
            multiples.odd.push(circuit.concat(&[fill, low]));
        }
        multiples.carry = carry.map(|carry| hold(circuit, carry, start, "positive"));
        multiples
    }

    /// `value` less `n` divisors; the top bit is set where that is negative.
    fn less(&self, circuit: &mut Circuit<'_>, value: ValueId, n: u32) -> ValueId {
        let doublings = n.trailing_zeros();
        let odd = usize::try_from((n >> doublings) / 2).expect("few multiples");
        let multiple = doubled(circuit, self.odd[odd], doublings, self.carry);
        match self.carry {
            Some(carry) => sum(circuit, value, multiple, carry),
            None => circuit.comb("sub", &[value, multiple]),
        }
    }

    /// `value` less `n` divisors, its low `bits`, and whether it is negative.
    fn difference(
        &self,
        circuit: &mut Circuit<'_>,
        value: ValueId,
        n: u32,
        bits: u32,
    ) -> [ValueId; 2] {
        let less = self.less(circuit, value, n);
        let low = circuit.extract(less, 0, bits);
        [low, circuit.extract(less, self.wide_bits - 1, 1)]
    }

    /// Bits that a rest below the divisor has.
    fn rest_bits(&self, width_bits: u32, signed: bool) -> u32 {
        width_bits - u32::from(signed)
    }
}

/// One restoring step: the rest with the next bits of the dividend, less the greatest multiple that fits.
fn restoring_step(
    circuit: &mut Circuit<'_>,
    rest: ValueId,
    next_bits: ValueId,
    multiples: &Multiples,
) -> ValueId {
    let width = circuit.width(rest);
    let shifted = circuit.concat(&[rest, next_bits]);
    let wide = circuit.zext(shifted, multiples.wide_bits);
    let mut rests = vec![circuit.extract(shifted, 0, width)];
    let mut fits = vec![circuit.flag(true)];
    for n in 1..1 << multiples.step_bits {
        let [less, is_negative] = multiples.difference(circuit, wide, n, width);
        rests.push(less);
        fits.push(circuit.not(is_negative));
    }
    greatest(circuit, &rests, &fits)
}

/// What a non-restoring step leaves.
struct NonRestoring {
    /// The rest, inverted where it is negative.
    rest: ValueId,
    is_negative: ValueId,
    /// The digit d as (d + 2^s - 1) / 2, in s bits.
    digit: ValueId,
}

/// One non-restoring step: the rest with the next bits of the dividend, less the nearest odd multiple.
fn non_restoring_step(
    circuit: &mut Circuit<'_>,
    rest: ValueId,
    next_bits: ValueId,
    multiples: &Multiples,
) -> NonRestoring {
    let width = circuit.width(rest);
    let shifted = circuit.concat(&[rest, next_bits]);
    let wide = circuit.zext(shifted, multiples.wide_bits);
    let always = circuit.flag(true);
    let (mut rests, mut signs, mut fits) = (Vec::new(), Vec::new(), Vec::new());
    for odd in (1..1 << multiples.step_bits).step_by(2) {
        fits.push(match odd {
            1 => always,
            _ => {
                let [_, is_negative] = multiples.difference(circuit, wide, odd - 1, width);
                circuit.not(is_negative)
            }
        });
        let [less, is_negative] = multiples.difference(circuit, wide, odd, width);
        rests.push(less);
        signs.push(is_negative);
    }
    let is_negative = nested(circuit, &signs, &fits);
    let chosen = nested(circuit, &rests, &fits);
    let mut digit = vec![always];
    for bit in (0..multiples.step_bits - 1).rev() {
        digit.push(digit_bit(circuit, &fits, bit));
    }
    NonRestoring {
        rest: inverted(circuit, chosen, is_negative),
        is_negative,
        digit: circuit.concat(&digit),
    }
}

/// A bit of the greatest number `n` for which `fits[n]` is set; all below it are set too.
fn digit_bit(circuit: &mut Circuit<'_>, fits: &[ValueId], bit: u32) -> ValueId {
    let half = fits.len() / 2;
    if 1 << bit == half {
        return fits[half];
    }
    let high = digit_bit(circuit, &fits[half..], bit);
    let low = digit_bit(circuit, &fits[..half], bit);
    circuit.mux(fits[half], high, low)
}

/// The rest of the greatest number that fits.
///
/// Two or four are chosen one behind the other; eight as pairs, masked by whether they are the right pair, then or-ed: shorter with
/// look-up tables of four inputs.
fn greatest(circuit: &mut Circuit<'_>, rests: &[ValueId], fits: &[ValueId]) -> ValueId {
    let half = rests.len() / 2;
    match rests {
        _ if rests.len() <= 4 => nested(circuit, rests, fits),
        _ => {
            let width = circuit.width(rests[0]);
            let terms: Vec<ValueId> = (0..half)
                .map(|pair| {
                    let at = 2 * pair;
                    let chosen = circuit.mux(fits[at + 1], rests[at + 1], rests[at]);
                    let mut right = fits[at];
                    if let Some(next) = fits.get(at + 2) {
                        let below = circuit.not(*next);
                        right = circuit.and(right, below);
                    }
                    let mask = circuit.sext(right, width);
                    circuit.comb("and", &[mask, chosen])
                })
                .collect();
            circuit.comb("or", &terms)
        }
    }
}

/// The value of the greatest number that fits, by choices one behind the other.
fn nested(circuit: &mut Circuit<'_>, values: &[ValueId], fits: &[ValueId]) -> ValueId {
    let half = values.len() / 2;
    match values {
        [one] => *one,
        _ => {
            let high = nested(circuit, &values[half..], &fits[half..]);
            let low = nested(circuit, &values[..half], &fits[..half]);
            circuit.mux(fits[half], high, low)
        }
    }
}

/// `value` times a power of two; an inverted value gets ones, its carry, from below.
fn doubled(
    circuit: &mut Circuit<'_>,
    value: ValueId,
    doublings: u32,
    carry: Option<ValueId>,
) -> ValueId {
    if doublings == 0 {
        return value;
    }
    let kept = circuit.width(value) - doublings;
    let kept = circuit.extract(value, 0, kept);
    let fill = match carry {
        Some(carry) => circuit.sext(carry, doublings),
        None => circuit.constant(Bits::zero(doublings)),
    };
    circuit.concat(&[kept, fill])
}

/// `left + right + carry` as one sum: a bit below both makes the carry.
fn sum(circuit: &mut Circuit<'_>, left: ValueId, right: ValueId, carry: ValueId) -> ValueId {
    let width = circuit.width(left);
    let one = circuit.flag(true);
    let left = circuit.concat(&[left, one]);
    let right = circuit.concat(&[right, carry]);
    let sum = circuit.comb("add", &[left, right]);
    circuit.extract(sum, 1, width)
}

fn increment(circuit: &mut Circuit<'_>, value: ValueId, by: ValueId) -> ValueId {
    let by = circuit.zext(by, circuit.width(value));
    circuit.comb("add", &[value, by])
}

/// `value`, with all its bits inverted where the flag is set.
fn inverted(circuit: &mut Circuit<'_>, value: ValueId, flag: ValueId) -> ValueId {
    let mask = circuit.sext(flag, circuit.width(value));
    circuit.comb("xor", &[value, mask])
}

/// `value`, with its upper `bits` inverted where the flag is set.
fn top_inverted(circuit: &mut Circuit<'_>, value: ValueId, bits: u32, flag: ValueId) -> ValueId {
    let below = circuit.width(value) - bits;
    let top = circuit.extract(value, below, bits);
    let top = inverted(circuit, top, flag);
    let kept = part(circuit, value, below);
    joined(circuit, [Some(top), kept])
}

fn is(circuit: &mut Circuit<'_>, value: ValueId, constant: Bits) -> ValueId {
    let constant = circuit.constant(constant);
    circuit.compare(Predicate::Eq, value, constant)
}

/// The low bits of a value, if any.
fn part(circuit: &mut Circuit<'_>, value: ValueId, bits: u32) -> Option<ValueId> {
    (bits > 0).then(|| circuit.extract(value, 0, bits))
}

fn joined(circuit: &mut Circuit<'_>, parts: [Option<ValueId>; 2]) -> ValueId {
    let parts: Vec<ValueId> = parts.into_iter().flatten().collect();
    circuit.concat(&parts)
}

fn hold(circuit: &mut Circuit<'_>, data: ValueId, start: ValueId, name: &str) -> ValueId {
    circuit.register(
        data,
        RegisterOptions {
            enable: Some(start),
            reset: None,
            preset: None,
            name,
        },
    )
}

fn register(circuit: &mut Circuit<'_>, data: ValueId, name: &str) -> ValueId {
    circuit.register(
        data,
        RegisterOptions {
            name,
            ..RegisterOptions::default()
        },
    )
}
