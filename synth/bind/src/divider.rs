//! Iterative dividers: the circuit that
//! [`Structure::IterativeRestoring`](sluice_oplib::implementation::Structure::IterativeRestoring) stands for.

use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_oplib::implementation::{division_steps, step_bits};

use crate::circuit::{Circuit, Predicate, RegisterOptions};

/// What a divider answers.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    /// Two's complement operands.
    pub(crate) signed: bool,
    /// The remainder rather than the quotient.
    pub(crate) remainder: bool,
}

/// Restoring division, `digit_bits` quotient bits a cycle: `start` loads the operands and finds the leading bits, every other cycle
/// makes steps, so the result stands [`division_steps`] + 1 cycles after `start` and needs no counter.
///
/// Invariant: `remainder < divisor` after every step unless the divisor is 0. A divisor of 0 gives a quotient of all ones
/// and the dividend as remainder (with the signs of signed division), as SMT-LIB defines.
/// Source: M. Ercegovac, T. Lang, Division and Square Root, 1994, chapter 1 (restoring, high radix by comparison with all multiples).
/// Differs: the divisor of signed division is held as what is added, inverted and with its carry apart, so that no sum stands in
/// front of the multiples; digits of a negative quotient enter inverted.
pub(crate) fn divider(
    circuit: &mut Circuit<'_>,
    [start, left, right]: [ValueId; 3],
    answer: Answer,
    digit_bits: u32,
) -> ValueId {
    let width = circuit.width(left);
    let n_steps = division_steps(width, digit_bits);
    let lead_bits = width.saturating_sub(n_steps * digit_bits);
    let quotient_bits = lead_bits + n_steps * digit_bits;
    let operands = Operands::new(circuit, left, right, answer.signed);
    let negate = operands.negate(circuit, answer);
    let (lead_digit, lead_rest) = lead(circuit, &operands, lead_bits);
    let negate_held = negate.map(|negate| hold(circuit, negate, start, "negate"));

    let (rest, quotient) = (circuit.wire(width), circuit.wire(quotient_bits));
    let (mut next_rest, mut next_quotient) = (rest, quotient);
    if n_steps > 0 {
        let step_bits = step_bits(digit_bits);
        let multiples = Multiples::new(circuit, &operands, start, step_bits);
        for _ in 0..digit_bits / step_bits {
            let top = circuit.extract(next_quotient, quotient_bits - step_bits, step_bits);
            let (after, digit) = step(circuit, next_rest, top, &multiples);
            let digit = match negate_held {
                _ if answer.remainder => circuit.constant(Bits::zero(step_bits)),
                Some(negate) => inverted(circuit, digit, negate),
                None => digit,
            };
            let shifted = [
                part(circuit, next_quotient, quotient_bits - step_bits),
                Some(digit),
            ];
            next_quotient = joined(circuit, shifted);
            next_rest = after;
        }
    }

    let dividend = part(circuit, operands.dividend, width - lead_bits);
    let dividend = dividend.map(|low| circuit.zext(low, quotient_bits - lead_bits));
    let lead_digit = lead_digit.map(|digit| match negate {
        Some(negate) if !answer.remainder => inverted(circuit, digit, negate),
        _ => digit,
    });
    let loaded = joined(circuit, [dividend, lead_digit]);
    let zero = circuit.constant(Bits::zero(width));
    let lead_rest = lead_rest.map_or(zero, |rest| circuit.zext(rest, width));
    let next_rest = circuit.mux(start, lead_rest, next_rest);
    let next_quotient = circuit.mux(start, loaded, next_quotient);
    let rest_register = register(circuit, next_rest, "rest");
    let quotient_register = register(circuit, next_quotient, "quotient");
    circuit.connect(rest, rest_register);
    circuit.connect(quotient, quotient_register);

    let quotient = circuit.extract(quotient_register, 0, width);
    match negate_held {
        None if answer.remainder => rest_register,
        None => quotient,
        Some(negate) if answer.remainder => {
            let flipped = inverted(circuit, rest_register, negate);
            increment(circuit, flipped, negate)
        }
        Some(negate) => increment(circuit, quotient, negate),
    }
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

    /// The bits of the dividend's magnitude at `width - 1` and `width - 2`, without waiting for its carries.
    fn top_bits(&self, circuit: &mut Circuit<'_>) -> [ValueId; 2] {
        let width = circuit.width(self.left);
        if !self.signed {
            let top = circuit.extract(self.left, width - 1, 1);
            let below = match width {
                1 => circuit.flag(false),
                _ => circuit.extract(self.left, width - 2, 1),
            };
            return [top, below];
        }
        let sign = circuit.extract(self.left, width - 1, 1);
        let zero_below = |circuit: &mut Circuit<'_>, bits| match part(circuit, self.left, bits) {
            Some(low) => is(circuit, low, Bits::zero(bits)),
            None => circuit.flag(true),
        };
        let low_is_zero = zero_below(circuit, width - 1);
        let top = circuit.and(sign, low_is_zero);
        if width == 1 {
            return [top, circuit.flag(false)];
        }
        let low_is_zero = zero_below(circuit, width - 2);
        let carries = circuit.not(low_is_zero);
        let flips = circuit.and(sign, carries);
        let below = circuit.extract(self.left, width - 2, 1);
        [top, circuit.comb("xor", &[below, flips])]
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
            let upper = circuit.extract(self.right, 2, width - 2);
            is_small = is(circuit, upper, Bits::zero(width - 2));
            if self.signed {
                let is_negative = is(circuit, upper, Bits::ones(width - 2));
                let not_four = circuit.any(&[low, second]);
                let negative = circuit.and(is_negative, not_four);
                is_small = circuit.any(&[is_small, negative]);
            }
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
struct Multiples {
    /// The multiples 1, 3, 5, ...; signed: inverted like the divisor.
    odd: Vec<ValueId>,
    /// What is to be added to each inverted multiple; `None` for unsigned division, where multiples are subtracted.
    carry: Option<ValueId>,
    step_bits: u32,
}

impl Multiples {
    fn new(circuit: &mut Circuit<'_>, operands: &Operands, start: ValueId, step_bits: u32) -> Self {
        let width = circuit.width(operands.divisor);
        let wide_bits = width + step_bits + 1;
        let once = hold(circuit, operands.divisor, start, "divisor");
        let (wide, carry) = match operands.signed {
            true => (
                circuit.sext(operands.divisor, wide_bits),
                Some(operands.positive),
            ),
            false => (circuit.zext(operands.divisor, wide_bits), None),
        };
        let held = match operands.signed {
            true => circuit.sext(once, wide_bits),
            false => circuit.zext(once, wide_bits),
        };
        let mut odd = vec![held];
        for (doublings, less, name) in [
            (1, false, "divisor_3"),
            (2, false, "divisor_5"),
            (3, true, "divisor_7"),
        ] {
            if odd.len() >= 1 << (step_bits - 1) {
                break;
            }
            let large = doubled(circuit, wide, doublings, carry);
            let multiple = match (carry, less) {
                (Some(carry), false) => sum(circuit, large, wide, carry),
                (Some(carry), true) => {
                    let (flipped, borrow) = (circuit.not(wide), circuit.not(carry));
                    sum(circuit, large, flipped, borrow)
                }
                (None, false) => circuit.comb("add", &[large, wide]),
                (None, true) => circuit.comb("sub", &[large, wide]),
            };
            odd.push(hold(circuit, multiple, start, name));
        }
        Self {
            odd,
            carry: carry.map(|carry| hold(circuit, carry, start, "positive")),
            step_bits,
        }
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
}

/// One step: the rest with the next bits of the dividend, less the greatest multiple that fits; and how many times that is.
fn step(
    circuit: &mut Circuit<'_>,
    rest: ValueId,
    next_bits: ValueId,
    multiples: &Multiples,
) -> (ValueId, ValueId) {
    let width = circuit.width(rest);
    let shifted = circuit.concat(&[rest, next_bits]);
    let wide_bits = width + multiples.step_bits + 1;
    let wide = circuit.zext(shifted, wide_bits);
    let mut rests = vec![circuit.extract(shifted, 0, width)];
    let mut fits = vec![circuit.flag(true)];
    for n in 1..1 << multiples.step_bits {
        let less = multiples.less(circuit, wide, n);
        rests.push(circuit.extract(less, 0, width));
        let is_negative = circuit.extract(less, wide_bits - 1, 1);
        fits.push(circuit.not(is_negative));
    }
    let mut digit = Vec::new();
    for bit in (0..multiples.step_bits).rev() {
        digit.push(digit_bit(circuit, &fits, bit));
    }
    (greatest(circuit, &rests, &fits), circuit.concat(&digit))
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
        [one] => *one,
        _ if rests.len() <= 4 => {
            let high = greatest(circuit, &rests[half..], &fits[half..]);
            let low = greatest(circuit, &rests[..half], &fits[..half]);
            circuit.mux(fits[half], high, low)
        }
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
