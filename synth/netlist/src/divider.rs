//! Iterative dividers: the circuit of the structure
//! [`Structure::IterativeRestoring`](sluice_oplib::implementation::Structure::IterativeRestoring).

use sluice_dialects::predicate::Predicate;
use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_oplib::implementation::{division_steps, step_bits};

use crate::circuit::{Circuit, RegisterOptions};

/// The result that a divider computes.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    /// Two's complement operands.
    pub(crate) signed: bool,
    /// Whether it computes the remainder instead of the quotient.
    pub(crate) remainder: bool,
}

/// Creates a divider that computes `digit_bits` quotient bits per cycle. `start` loads the operands and computes the leading
/// bits; every later cycle does one or more steps. The result is valid [`division_steps`] + 1 cycles after `start`, so no counter
/// is needed. `multiples` are the multiples of the divisor from the cycle after `start` on, see [`Multiples::new`].
///
/// A quotient uses non-restoring steps: these subtract odd multiples, so they choose among half as many differences. A remainder
/// uses restoring steps, because non-restoring steps would need a final correction. For a divisor of 0, the quotient is all ones
/// and the remainder is the dividend (with the signs of signed division), as SMT-LIB defines.
///
/// Source: M. Ercegovac, T. Lang, Division and Square Root, 1994, chapter 1 (restoring and non-restoring, high radix by
/// comparison with all multiples).
///
/// Differs: the divisor of signed division is stored inverted, with a separate carry, so that no adder precedes the multiples.
/// The digits of a negative quotient are stored inverted. A negative partial remainder is stored inverted, with a separate sign,
/// so that multiples are only ever subtracted.
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

/// The values in the cycle of `start`.
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

    /// Returns the width of the shift register: bits of the dividend leave at the top while bits of the quotient enter at the
    /// bottom.
    fn shifted_bits(&self) -> u32 {
        self.lead_bits + self.n_steps() * self.digit_bits
    }

    /// Returns the value that is loaded into the shift register.
    fn shifted(&self, circuit: &mut Circuit<'_>, lead_digit: Option<ValueId>) -> ValueId {
        let bits = self.n_steps() * self.digit_bits;
        let dividend = self.dividend.map(|low| circuit.zext(low, bits));
        joined(circuit, [dividend, lead_digit])
    }

    /// Creates the register of the partial remainder; `next` is its value after a cycle of steps.
    fn rest(&self, circuit: &mut Circuit<'_>, next: ValueId) -> ValueId {
        let bits = circuit.width(next);
        let zero = circuit.constant(Bits::zero(bits));
        let first = self.lead_rest.map_or(zero, |rest| circuit.zext(rest, bits));
        let next = circuit.mux(self.start, first, next);
        register(circuit, next, "rest")
    }
}

/// Computes the remainder by restoring steps.
///
/// Invariant: `rest < divisor` after every step, unless the divisor is 0. (`rest` is the partial remainder.)
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

/// Computes the quotient by non-restoring steps.
///
/// Let r be the partial remainder and `sign` its sign. The register `rest` holds r, or `-r - 1` if r is negative. Invariant:
/// `-divisor <= r < divisor` after every step, unless the divisor is 0. A step has an odd digit d = 2 b + 1 - 2^s, where b are
/// the s bits that enter the quotient. If B is the number of all n bits that entered, the weighted sum of the digits is 2 B + 1 -
/// 2^n. It is one less if the last partial remainder is negative. The highest bit of B is 1, because the first partial remainder
/// is not negative; it cancels 2^n and is dropped.
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
    /// The divisor; for signed division, inverted if it is not negative.
    divisor: ValueId,
    /// Whether the divisor is not negative.
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

    /// Returns whether the result is negative; `None` for unsigned division.
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

    /// Returns bits `width - 1` and `width - 2` of the dividend's magnitude.
    fn top_bits(&self, circuit: &mut Circuit<'_>) -> [ValueId; 2] {
        let width = circuit.width(self.dividend);
        let top = circuit.extract(self.dividend, width - 1, 1);
        let below = match width {
            1 => circuit.flag(false),
            _ => circuit.extract(self.dividend, width - 2, 1),
        };
        [top, below]
    }

    /// Returns four flags: whether the divisor's magnitude is 0, 1, 2, 3.
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

/// Returns the quotient and the remainder of the leading `bits` of the dividend, 0 to 2 of them. These bits are at most 3, so
/// only divisors below 4 matter.
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

/// The odd multiples of the divisor, held from `start` on. Each is one bit wider than the partial remainder with the next bits of
/// the dividend.
pub(crate) struct Multiples {
    /// The multiples 1, 3, 5, ...; for signed division, inverted as the divisor is.
    odd: Vec<ValueId>,
    /// The carry to add with each inverted multiple; `None` for unsigned division, where multiples are subtracted.
    carry: Option<ValueId>,
    step_bits: u32,
    wide_bits: u32,
}

impl Multiples {
    /// Creates the multiples of the divisor `right` that `digit_bits` bits per cycle need, held from the cycle after `start` on.
    /// There are none if a divider of this width needs no steps.
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
            // For signed division, |divisor| <= 2^(width - 1).
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

    /// Returns `value - n * divisor`; the top bit is set if that is negative.
    fn less(&self, circuit: &mut Circuit<'_>, value: ValueId, n: u32) -> ValueId {
        let doublings = n.trailing_zeros();
        let odd = usize::try_from((n >> doublings) / 2).expect("few multiples");
        let multiple = doubled(circuit, self.odd[odd], doublings, self.carry);
        match self.carry {
            Some(carry) => sum(circuit, value, multiple, carry),
            None => circuit.comb("sub", &[value, multiple]),
        }
    }

    /// Returns the low `bits` of `value - n * divisor`, and whether it is negative.
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

    /// Returns the width of a partial remainder below the divisor.
    fn rest_bits(&self, width_bits: u32, signed: bool) -> u32 {
        width_bits - u32::from(signed)
    }
}

/// Does one restoring step: appends the next bits of the dividend to the partial remainder, and subtracts the greatest multiple
/// that fits.
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

/// The result of a non-restoring step.
struct NonRestoring {
    /// The partial remainder, inverted if it is negative.
    rest: ValueId,
    is_negative: ValueId,
    /// The digit d as (d + 2^s - 1) / 2, in s bits.
    digit: ValueId,
}

/// Does one non-restoring step: appends the next bits of the dividend to the partial remainder, and subtracts the nearest odd
/// multiple.
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

/// Returns a bit of the greatest `n` for which `fits[n]` is set; all smaller ones are set too.
fn digit_bit(circuit: &mut Circuit<'_>, fits: &[ValueId], bit: u32) -> ValueId {
    let half = fits.len() / 2;
    if 1 << bit == half {
        return fits[half];
    }
    let high = digit_bit(circuit, &fits[half..], bit);
    let low = digit_bit(circuit, &fits[..half], bit);
    circuit.mux(fits[half], high, low)
}

/// Returns the partial remainder for the greatest number that fits.
///
/// Up to four are selected by nested muxes. Eight are selected in pairs; each pair is masked by whether it is the right one, and
/// the pairs are combined by `or`. This is shorter with look-up tables of four inputs.
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

/// Returns the value for the greatest number that fits, selected by nested muxes.
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

/// Returns `value` times a power of two; an inverted value is filled with its carry, which is ones.
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

/// Returns `left + right + carry` as one addition: an extra low bit produces the carry.
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

/// Returns `value`, inverted if the flag is set.
fn inverted(circuit: &mut Circuit<'_>, value: ValueId, flag: ValueId) -> ValueId {
    let mask = circuit.sext(flag, circuit.width(value));
    circuit.comb("xor", &[value, mask])
}

/// Returns `value`, with its upper `bits` inverted if the flag is set.
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

/// Returns the low bits of a value; `None` for no bits.
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
