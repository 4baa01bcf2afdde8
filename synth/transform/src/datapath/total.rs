//! Terms whose operators arith defines for all operands.
//!
//! A meaning may shift by the width or more, and divide by zero: terms have a value then ([`Algebra`]), the operations of arith do not.
//! Such an operand is replaced, and the value selected, unless a constant decides.

use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;

/// Returns terms of the same values as `roots`, up to which all terms are copied.
pub(crate) fn total(terms: &Terms, roots: &[TermId]) -> (Terms, Vec<TermId>) {
    let mut made = Terms::new();
    let mut copies: Vec<TermId> = Vec::new();
    let n_terms = roots.iter().map(|root| root.0 + 1).max().unwrap_or(0);
    for term in (0..n_terms).map(TermId) {
        let of = |term: TermId| copies[term.0 as usize];
        let copy = match terms.node(term) {
            TermNode::Variable { index, width } => made.variable(*index, *width),
            TermNode::Binary(op, a, b) => binary(&mut made, *op, of(*a), of(*b)),
            node => Terms::compute_in(&mut made, node, of),
        };
        copies.push(copy);
    }
    let roots = roots.iter().map(|root| copies[root.0 as usize]);
    let roots = roots.collect();
    (made, roots)
}

fn constant(terms: &Terms, term: TermId) -> Option<&Bits> {
    match terms.node(term) {
        TermNode::Constant(value) => Some(value),
        _ => None,
    }
}

fn binary(terms: &mut Terms, op: Binary, a: TermId, b: TermId) -> TermId {
    match op {
        Binary::Shl | Binary::Lshr | Binary::Ashr => shift(terms, op, a, b),
        Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem => division(terms, op, a, b),
        _ => plain(terms, op, a, b),
    }
}

fn plain(terms: &mut Terms, op: Binary, a: TermId, b: TermId) -> TermId {
    Terms::compute_in(terms, &TermNode::Binary(op, a, b), |term| term)
}

/// Shifts by less than the width; by more, zero or the sign remains.
fn shift(terms: &mut Terms, op: Binary, a: TermId, amount: TermId) -> TermId {
    let width = terms.width(&a);
    let most = Bits::from_u64(width, u64::from(width.saturating_sub(1)));
    if constant(terms, amount).is_some_and(|amount| !most.ult(amount)) {
        return plain(terms, op, a, amount);
    }
    let most = terms.constant(most);
    let is_large = terms.ult(&most, &amount);
    let amount = terms.ite(&is_large, &most, &amount);
    let shifted = plain(terms, op, a, amount);
    if op == Binary::Ashr {
        return shifted;
    }
    let zero = terms.constant(Bits::zero(width));
    terms.ite(&is_large, &zero, &shifted)
}

/// Divides by one in place of zero, and where the quotient overflows.
fn division(terms: &mut Terms, op: Binary, a: TermId, b: TermId) -> TermId {
    let width = terms.width(&a);
    let is_signed = matches!(op, Binary::Sdiv | Binary::Srem);
    let is_partial = |b: &Bits| b.is_zero() || is_signed && *b == Bits::ones(width);
    if constant(terms, b).is_some_and(|b| !is_partial(b)) {
        return plain(terms, op, a, b);
    }
    let is_zero = terms.is_zero(&b);
    let mut is_replaced = is_zero;
    let (one, ones) = (Bits::from_u64(width, 1), Bits::ones(width));
    let (one, ones) = (terms.constant(one), terms.constant(ones));
    let zero = terms.constant(Bits::zero(width));
    let is_negative = terms.slt(&a, &zero);
    if is_signed {
        // The least number divided by one is what the quotient by -1 wraps to.
        let is_minus_one = terms.eq(&b, &ones);
        let negated = terms.neg(&a);
        let stays = terms.eq(&negated, &a);
        let overflows = terms.and(&is_minus_one, &stays);
        is_replaced = terms.or(&is_zero, &overflows);
    }
    let divisor = terms.ite(&is_replaced, &one, &b);
    // One bit: the only divisor is -1 with a sign, and then the quotient overflows.
    let unsigned = match op {
        Binary::Sdiv if width == 1 => Binary::Udiv,
        Binary::Srem if width == 1 => Binary::Urem,
        _ => op,
    };
    let result = plain(terms, unsigned, a, divisor);
    let by_zero = match op {
        Binary::Udiv => ones,
        Binary::Sdiv => terms.ite(&is_negative, &one, &ones),
        _ => a,
    };
    terms.ite(&is_zero, &by_zero, &result)
}
