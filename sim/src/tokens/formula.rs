//! The declared meaning of an operation as a list of steps on words of at most 64 bits: the terms that the proofs use, computed
//! without bit vectors.

use smallvec::SmallVec;

use sluice_ir::View;
use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode, Terms};
use sluice_ir::definition::Meaning;

/// A list of steps; each may use the values of earlier steps.
#[derive(Debug)]
pub(super) struct Formula {
    steps: Vec<Step>,
    result: usize,
    /// Steps whose value must not be 0; otherwise the result is undefined.
    required: Vec<usize>,
}

/// A value whose bits above its width are 0. `usize` operands are numbers of steps, `u32` operands are widths or positions in
/// bits.
#[derive(Debug)]
enum Step {
    Constant(u64),
    Operand(usize),
    /// An operator on two operands of the same width.
    Binary(Binary, usize, usize, u32),
    Not(usize, u32),
    Neg(usize, u32),
    Ite(usize, usize, usize),
    Zext(usize),
    /// Sign extension from one width to another.
    Sext(usize, u32, u32),
    /// Extraction: the first bit, and the number of bits.
    Extract(usize, u32, u32),
    /// Concatenation: the high part, the low part, and the width of the low part.
    Concat(usize, usize, u32),
}

impl Formula {
    /// Creates the formula for operands of these widths; `None` where a value has more than 64 bits or is a float.
    pub(super) fn new(view: View<'_>, meaning: &Meaning, widths_bits: &[u32]) -> Option<Self> {
        let mut terms = Terms::new();
        let operands: Vec<TermId> = (0u32..)
            .zip(widths_bits)
            .map(|(index, width_bits)| terms.variable(index, *width_bits))
            .collect();
        let results = view.with_site(|site| (meaning.denote)(site, &mut terms, &operands))?;
        let index = |term: &TermId| usize::try_from(term.0).ok();
        let mut steps = Vec::with_capacity(terms.len());
        for number in 0..terms.len() {
            let term = TermId(u32::try_from(number).ok()?);
            steps.push(step(&terms, term)?);
        }
        let required = terms.requirements.iter().map(|(term, _)| index(term));
        Some(Self {
            steps,
            result: index(results.first()?)?,
            required: required.collect::<Option<_>>()?,
        })
    }

    /// Returns the result for the words of the operands, and whether it is defined.
    pub(super) fn value(&self, words: &[u64]) -> (u64, bool) {
        let mut values: SmallVec<[u64; 16]> = SmallVec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Constant(value) => *value,
                // A mark precedes the word of each operand.
                Step::Operand(index) => words[2 * index + 1],
                Step::Binary(op, a, b, width_bits) => {
                    binary(*op, values[*a], values[*b], *width_bits)
                }
                Step::Not(a, width_bits) => !values[*a] & mask(*width_bits),
                Step::Neg(a, width_bits) => values[*a].wrapping_neg() & mask(*width_bits),
                Step::Ite(condition, a, b) => match values[*condition] {
                    0 => values[*b],
                    _ => values[*a],
                },
                Step::Zext(a) => values[*a],
                Step::Sext(a, from, to) => signed(values[*a], *from).cast_unsigned() & mask(*to),
                Step::Extract(of, low, width_bits) => {
                    values[*of].checked_shr(*low).unwrap_or(0) & mask(*width_bits)
                }
                Step::Concat(high, low, width_bits) => {
                    values[*high].checked_shl(*width_bits).unwrap_or(0) | values[*low]
                }
            };
            values.push(value);
        }
        let is_defined = self.required.iter().all(|step| values[*step] != 0);
        (values[self.result], is_defined)
    }
}

fn step(terms: &Terms, term: TermId) -> Option<Step> {
    let index = |term: &TermId| usize::try_from(term.0).ok();
    let width = |term: &TermId| terms.width(term);
    if width(&term) > 64 {
        return None;
    }
    Some(match terms.node(term) {
        TermNode::Constant(value) => Step::Constant(value.low_u64()),
        TermNode::Variable { index, .. } => Step::Operand(usize::try_from(*index).ok()?),
        TermNode::Binary(op, a, b) => Step::Binary(*op, index(a)?, index(b)?, width(a)),
        TermNode::Not(a) => Step::Not(index(a)?, width(a)),
        TermNode::Neg(a) => Step::Neg(index(a)?, width(a)),
        TermNode::Ite(condition, a, b) => Step::Ite(index(condition)?, index(a)?, index(b)?),
        TermNode::Zext(a, _) => Step::Zext(index(a)?),
        TermNode::Sext(a, to) => Step::Sext(index(a)?, width(a), *to),
        TermNode::Extract { of, low, width } => Step::Extract(index(of)?, *low, *width),
        TermNode::Concat(high, low) => Step::Concat(index(high)?, index(low)?, width(low)),
        TermNode::Float(..) => return None,
    })
}

/// Returns a number whose low `width_bits` bits are 1.
fn mask(width_bits: u32) -> u64 {
    match width_bits {
        0 => 0,
        _ => u64::MAX >> (64 - width_bits.min(64)),
    }
}

/// Returns the low bits as a number in two's complement.
fn signed(value: u64, width_bits: u32) -> i64 {
    match width_bits {
        0 => 0,
        _ => {
            let above = 64 - width_bits.min(64);
            (value << above).cast_signed() >> above
        }
    }
}

/// Applies an operator to words of a width; the results are those of `sluice_ir::algebra::Algebra`.
fn binary(op: Binary, a: u64, b: u64, width_bits: u32) -> u64 {
    let all = mask(width_bits);
    let (signed_a, signed_b) = (signed(a, width_bits), signed(b, width_bits));
    // A shift amount of at least the width has its own results.
    let amount = u32::try_from(b).ok().filter(|amount| *amount < width_bits);
    match op {
        Binary::Add => a.wrapping_add(b) & all,
        Binary::Sub => a.wrapping_sub(b) & all,
        Binary::Mul => a.wrapping_mul(b) & all,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Udiv => a.checked_div(b).unwrap_or(all),
        Binary::Urem => a.checked_rem(b).unwrap_or(a),
        Binary::Sdiv => match b {
            0 if signed_a < 0 => 1 & all,
            0 => all,
            _ => signed_a.wrapping_div(signed_b).cast_unsigned() & all,
        },
        Binary::Srem => match b {
            0 => a,
            _ => signed_a.wrapping_rem(signed_b).cast_unsigned() & all,
        },
        Binary::Shl => amount.map_or(0, |amount| (a << amount) & all),
        Binary::Lshr => amount.map_or(0, |amount| a >> amount),
        Binary::Ashr => (signed_a >> amount.unwrap_or(63)).cast_unsigned() & all,
        Binary::Eq => u64::from(a == b),
        Binary::Ult => u64::from(a < b),
        Binary::Slt => u64::from(signed_a < signed_b),
    }
}
