//! Linear forms: an index expression as a constant plus multiples of loop counters and other values.

use std::collections::BTreeMap;

use sluice_dialects::{arith, index, scf};
use sluice_ir::exact::{Exact, trips};
use sluice_ir::{BlockId, Body, Context, OperationId, ValueDefinition, ValueId, View};

use crate::build::{constant_i64, name};

/// The form `constant + sum of coefficient * value`; no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) terms: BTreeMap<ValueId, i64>,
}

impl Linear {
    fn number(constant: i64) -> Self {
        Self {
            constant,
            terms: BTreeMap::new(),
        }
    }

    fn value(value: ValueId) -> Self {
        Self {
            constant: 0,
            terms: BTreeMap::from([(value, 1)]),
        }
    }

    fn combine(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        for (value, coefficient) in &other.terms {
            let entry = sum.terms.entry(*value).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        sum.terms.retain(|_, c| *c != 0);
        Some(sum)
    }

    /// Returns `self - other`, unless a coefficient overflows.
    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.combine(other, -1)
    }

    /// Returns `self + factor * other`, unless a coefficient overflows.
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        self.combine(other, factor)
    }

    /// Returns the coefficient of `value`.
    pub(crate) fn coefficient(&self, value: ValueId) -> i64 {
        self.terms.get(&value).copied().unwrap_or(0)
    }

    /// Returns the form without the term of `value`.
    pub(crate) fn without(&self, value: ValueId) -> Self {
        let mut rest = self.clone();
        rest.terms.remove(&value);
        rest
    }

    /// Returns whether the form is a constant or a single value with coefficient 1; neither can wrap.
    fn is_plain(&self) -> bool {
        let mut coefficients = self.terms.values();
        match (coefficients.next(), coefficients.next()) {
            (None, _) => true,
            (Some(1), None) => self.constant == 0,
            _ => false,
        }
    }

    /// Returns the constant, if there are no terms.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// Returns the linear form of an `index` value. Arithmetic on `index` is assumed not to wrap: addresses stay inside memories.
pub(crate) fn linear(context: &Context, body: &Body, value: ValueId) -> Linear {
    let form = form(context, body, value, 0, &mut BTreeMap::new());
    form.unwrap_or_else(|| Linear::value(value))
}

/// Memoised forms of values with several uses.
type SharedForms = BTreeMap<ValueId, Option<Linear>>;

fn form(
    context: &Context,
    body: &Body,
    value: ValueId,
    depth: u32,
    shared: &mut SharedForms,
) -> Option<Linear> {
    if let Some(constant) = constant_i64(context, body, value) {
        return Some(Linear::number(constant));
    }
    if depth > 64 || !body.ty(value).is_index(context) {
        return None;
    }
    if let Some(found) = shared.get(&value) {
        return found.clone();
    }
    let made = form_of_result(context, body, value, depth, shared);
    if !body.has_one_use(value) {
        shared.insert(value, made.clone());
    }
    made
}

fn form_of_result(
    context: &Context,
    body: &Body,
    value: ValueId,
    depth: u32,
    shared: &mut SharedForms,
) -> Option<Linear> {
    let op = body.defining_operation(value)?;
    let mut operand = |i: usize| {
        let value = body.operand(op, i);
        let form = form(context, body, value, depth + 1, shared);
        form.unwrap_or_else(|| Linear::value(value))
    };
    match name(context, body, op) {
        arith::Addi::NAME | index::Add::NAME => operand(0).combine(&operand(1), 1),
        arith::Subi::NAME | index::Sub::NAME => operand(0).combine(&operand(1), -1),
        arith::Muli::NAME | index::Mul::NAME => {
            let (a, b) = (operand(0), operand(1));
            match (a.as_constant(), b.as_constant()) {
                (_, Some(factor)) => Linear::default().combine(&a, factor),
                (Some(factor), _) => Linear::default().combine(&b, factor),
                _ => None,
            }
        }
        arith::Shli::NAME | index::Shl::NAME => {
            let amount = u32::try_from(operand(1).as_constant()?)
                .ok()
                .filter(|a| *a < 62)?;
            Linear::default().combine(&operand(0), 1 << amount)
        }
        _ => None,
    }
}

/// Returns the terms of the linear form of an `index` value with their coefficients, and its constant.
pub fn index_form(context: &Context, body: &Body, value: ValueId) -> (Vec<(ValueId, i64)>, i64) {
    let form = linear(context, body, value);
    (form.terms.into_iter().collect(), form.constant)
}

/// Returns the trip count of an `scf.for`, if known.
pub fn trip_count(context: &Context, body: &Body, op: OperationId) -> Option<Exact> {
    loop_of(context, body, op)?.trip_count
}

/// Returns the trip count of an `scf.for`, or half the sum of the least and the greatest one if its bounds depend on other counters.
pub fn mean_trip_count(context: &Context, body: &Body, op: OperationId) -> Option<Exact> {
    let known = loop_of(context, body, op)?;
    if known.trip_count.is_some() {
        return known.trip_count;
    }
    let span = span(context, body, op)?;
    let (least, greatest) = range_of(context, body, &span, 0)?;
    let sum = Exact::from(least.max(0)).plus(greatest.max(0));
    sum.divided_up(Exact::from(known.step?).times(2))
}

/// A loop with the facts known about its induction variable.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) variable: ValueId,
    pub(crate) step: Option<i64>,
    pub(crate) trip_count: Option<Exact>,
    /// Smallest and largest value of the induction variable in the body.
    pub(crate) range: Option<(i64, i64)>,
}

/// Returns the known facts about an `scf.for`.
pub(crate) fn loop_of(context: &Context, body: &Body, op: OperationId) -> Option<Loop> {
    let view = View::new(context, body, op);
    if view.name() != scf::For::NAME {
        return None;
    }
    let block = view.entry_block(0)?;
    let variable = *body.arguments(block).first()?;
    let (lower, upper) = (
        bounds(context, body, view.operand(0)),
        bounds(context, body, view.operand(1)),
    );
    let step = constant_i64(context, body, view.operand(2)).filter(|s| *s > 0);
    let exact = |b: Option<(i64, i64)>| b.filter(|(low, high)| low == high).map(|(low, _)| low);
    let trip_count = match (exact(lower), exact(upper), step) {
        (Some(lower), Some(upper), Some(step)) => trips(lower.into(), upper.into(), step.into()),
        _ => span(context, body, op)
            .and_then(|span| span.as_constant())
            .zip(step)
            .and_then(|(span, step)| trips(Exact::ZERO, span.into(), step.into())),
    };
    let range = match (lower, upper) {
        (Some((low, _)), Some((_, high))) if low < high => {
            let last = match (exact(lower), trip_count, step) {
                (Some(low), Some(n), Some(step)) => n.minus(1).times(step).plus(low).to_i64()?,
                _ => Exact::from(high).minus(1).to_i64()?,
            };
            Some((low, last))
        }
        _ => None,
    };
    Some(Loop {
        variable,
        step,
        trip_count,
        range,
    })
}

/// Exponent of two of the maximum number of iterations of a loop: more would take days in hardware, so no counter goes further.
const MAX_ITERATIONS_BITS: u32 = 48;

/// Returns `upper - lower` of an `scf.for`, if neither bound wraps.
pub(crate) fn span(context: &Context, body: &Body, op: OperationId) -> Option<Linear> {
    let bound = |i: usize| {
        let form = linear(context, body, body.operand(op, i));
        fits(context, body, &form).then_some(form)
    };
    bound(1)?.minus(&bound(0)?)
}

/// Returns whether a sum of `index` values cannot overflow 64 bits.
fn fits(context: &Context, body: &Body, form: &Linear) -> bool {
    if form.is_plain() || range_of(context, body, form, 0).is_some() {
        return true;
    }
    let (mut least, mut greatest) = (Exact::from(form.constant), Exact::from(form.constant));
    for (value, coefficient) in &form.terms {
        let Some((low, high)) = reached(context, body, *value, 0) else {
            return false;
        };
        let ends = [low.times(coefficient), high.times(coefficient)];
        least = least.plus(ends[0].min(ends[1]));
        greatest = greatest.plus(ends[0].max(ends[1]));
    }
    least.to_i64().is_some() && greatest.to_i64().is_some()
}

/// Returns the range of a value; a counter with unknown trip count is limited by `MAX_ITERATIONS_BITS`.
fn reached(context: &Context, body: &Body, value: ValueId, depth: u32) -> Option<(Exact, Exact)> {
    if let Some((low, high)) = value_range(context, body, value, depth) {
        return Some((low.into(), high.into()));
    }
    let ValueDefinition::Argument { block, index: 0 } = body.value_definition(value) else {
        return None;
    };
    let owner = body.block_parent_operation(block)?;
    if depth > 16 || name(context, body, owner) != scf::For::NAME {
        return None;
    }
    let step = constant_i64(context, body, body.operand(owner, 2))?;
    let lower = linear(context, body, body.operand(owner, 0));
    let (mut least, mut greatest) = (Exact::from(lower.constant), Exact::from(lower.constant));
    for (term, coefficient) in &lower.terms {
        let (low, high) = reached(context, body, *term, depth.saturating_add(1))?;
        let ends = [low.times(coefficient), high.times(coefficient)];
        least = least.plus(ends[0].min(ends[1]));
        greatest = greatest.plus(ends[0].max(ends[1]));
    }
    let furthest = Exact::power_of_two(MAX_ITERATIONS_BITS).times(step);
    Some((least, greatest.plus(furthest)))
}

/// Returns the smallest and largest value of a bound, from constants and the ranges of enclosing loops.
pub(crate) fn bounds(context: &Context, body: &Body, value: ValueId) -> Option<(i64, i64)> {
    range_of(context, body, &linear(context, body, value), 0)
}

/// Returns the range of a linear form over all iterations of the loops that define its values.
///
/// Counters whose bounds depend on other counters are replaced by their bounds, innermost first. For example, `i - j` is known to
/// be positive in a loop `j < i`.
pub(crate) fn range_of(
    context: &Context,
    body: &Body,
    form: &Linear,
    depth: u32,
) -> Option<(i64, i64)> {
    let low = extreme(context, body, form, false, depth)?;
    let high = extreme(context, body, form, true, depth)?;
    Some((low, high))
}

/// Returns an upper (`maximum`) or lower bound of a linear form.
fn extreme(
    context: &Context,
    body: &Body,
    form: &Linear,
    maximum: bool,
    depth: u32,
) -> Option<i64> {
    if depth > 16 {
        return None;
    }
    let by_ranges = || {
        let mut sum = form.constant;
        for (value, coefficient) in &form.terms {
            let (low, high) = value_range(context, body, *value, depth)?;
            let (a, b) = (
                low.checked_mul(*coefficient)?,
                high.checked_mul(*coefficient)?,
            );
            sum = sum.checked_add(if maximum { a.max(b) } else { a.min(b) })?;
        }
        Some(sum)
    };
    let nesting = |value: &ValueId| {
        let ValueDefinition::Argument { block, index: 0 } = body.value_definition(*value) else {
            return None;
        };
        let owner = body.block_parent_operation(block)?;
        let varies = name(context, body, owner) == scf::For::NAME
            && (0..2).any(|i| constant_i64(context, body, body.operand(owner, i)).is_none());
        let depth = std::iter::successors(Some(owner), |op| body.parent_operation(*op)).count();
        varies.then_some((depth, owner))
    };
    let innermost = form
        .terms
        .keys()
        .filter_map(|value| nesting(value).map(|(depth, owner)| (depth, *value, owner)))
        .max_by_key(|(depth, ..)| *depth);
    let Some((_, value, owner)) = innermost else {
        return by_ranges();
    };
    let coefficient = form.coefficient(value);
    let rest = form.without(value);
    let is_upper = (coefficient > 0) == maximum;
    let candidates = loop_bounds(context, body, owner, is_upper);
    let symbolic = candidates.into_iter().filter_map(|bound| {
        let replaced = rest.combine(&bound, coefficient)?;
        extreme(context, body, &replaced, maximum, depth + 1)
    });
    // All of these bounds hold, so the tightest is taken.
    let all = symbolic.chain(by_ranges());
    if maximum { all.min() } else { all.max() }
}

/// Returns linear forms that bound the counter of an `scf.for`: the last value from above, or the first from below.
pub(crate) fn loop_bounds(
    context: &Context,
    body: &Body,
    owner: OperationId,
    is_upper: bool,
) -> Vec<Linear> {
    let operand = body.operand(owner, usize::from(is_upper));
    let (several, less) = if is_upper {
        (arith::Minsi::NAME, Linear::number(1))
    } else {
        (arith::Maxsi::NAME, Linear::number(0))
    };
    let mut waiting = vec![operand];
    let mut found = Vec::new();
    while let Some(value) = waiting.pop() {
        match body.defining_operation(value) {
            Some(op) if name(context, body, op) == several && found.len() < 8 => {
                waiting.extend(body.operands(op));
            }
            _ => found.extend(linear(context, body, value).minus(&less)),
        }
    }
    found
}

fn value_range(context: &Context, body: &Body, value: ValueId, depth: u32) -> Option<(i64, i64)> {
    if depth > 16 {
        return None;
    }
    if let ValueDefinition::Argument { block, index: 0 } = body.value_definition(value) {
        return loop_of(context, body, body.block_parent_operation(block)?)?.range;
    }
    let op = body.defining_operation(value)?;
    let operand = |i: usize| {
        range_of(
            context,
            body,
            &linear(context, body, body.operand(op, i)),
            depth + 1,
        )
    };
    match name(context, body, op) {
        arith::Minsi::NAME => match (operand(0), operand(1)) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.min(b.1))),
            _ => None,
        },
        arith::Maxsi::NAME => match (operand(0), operand(1)) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
            _ => None,
        },
        arith::IndexCastui::NAME => {
            let width = body.ty(body.operand(op, 0)).integer_width_bits(context)?;
            let most = Exact::power_of_two(width).minus(1).to_i64()?;
            Some((0, most))
        }
        arith::IndexCast::NAME => {
            let width = body.ty(body.operand(op, 0)).integer_width_bits(context)?;
            let end = Exact::power_of_two(width.checked_sub(1)?);
            Some((end.negated().to_i64()?, end.minus(1).to_i64()?))
        }
        arith::Floordivsi::NAME => {
            let divisor = constant_i64(context, body, body.operand(op, 1)).filter(|d| *d > 0)?;
            let (low, high) = operand(0)?;
            Some((low.div_euclid(divisor), high.div_euclid(divisor)))
        }
        _ => None,
    }
}

/// Returns whether `value` is defined outside the blocks under `op`, and so is the same in all its iterations.
pub(crate) fn is_invariant(body: &Body, op: OperationId, value: ValueId) -> bool {
    let block: Option<BlockId> = body.defining_block(value);
    let mut current = block.and_then(|b| body.block_parent_operation(b));
    while let Some(around) = current {
        if around == op {
            return false;
        }
        current = body.parent_operation(around);
    }
    true
}
