//! Recognises the counter, step and limit of a `while` loop.

use sluice_dialects::{arith, memref};
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{BlockId, Body, Context, Exact, OperationId, ValueDefinition, ValueId, View};

use crate::analysis::linear::is_invariant;
use crate::analysis::transitive_operands::{Part, all_transitive_operands};
use crate::build::{constant_i64, constant_of, is_pure, name, yielded};

/// Exponent of two of a trip count that would take centuries, so that the behaviour afterwards is irrelevant.
const UNENDING_BITS: u32 = 62;

/// The position of the exit test in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The test precedes the body.
    TestsFirst,
    /// The test follows the body, which runs at least once.
    RunsFirst,
}

/// The exit condition of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The loop continues while below the limit.
    Below,
    /// The loop continues while above the limit.
    Above,
    /// As `Above` with steps of 1, if the distance from the limit may not fit in `index`.
    AboveByComplement,
    /// The loop continues until the counter equals the limit.
    Equal,
}

/// The counter of a loop: step, limit and exit condition.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub(super) shape: Shape,
    /// The position of the counter among the carried values.
    pub(super) slot: usize,
    /// The increment of the counter per iteration.
    pub(super) step: Exact,
    /// The tested value is the counter plus `inner_offset`, in the counter's width,
    pub(super) inner_offset: Exact,
    /// plus `outer_offset`, in a larger width.
    pub(super) outer_offset: Exact,
    /// True if the tested value is extended as a signed number.
    pub(super) is_signed: bool,
    pub(super) limit: ValueId,
    /// True if the limit is a signed number.
    pub(super) is_limit_signed: bool,
    /// An offset of the limit: 1 for an inclusive upper limit, -1 for an inclusive lower limit.
    pub(super) more: Exact,
    pub(super) end: End,
}

/// Returns the block of a region of a loop.
pub(super) fn block(body: &Body, op: OperationId, region: usize) -> BlockId {
    let block = body.entry_block(op, region);
    block.expect("a loop has two blocks")
}

/// A tested value as the counter plus constants, wide enough not to wrap.
#[derive(Clone, Copy)]
struct Tested {
    /// The width in bits before it was extended, and whether the extension was signed.
    widened: Option<(u32, bool)>,
    inner: Exact,
    outer: Exact,
}

/// The comparison with the limit that lets the loop continue.
struct Test {
    predicate: &'static str,
    limit: ValueId,
}

/// The predicates of `arith.cmpi` by their numbers.
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
/// For each predicate, the index of its negation.
const INVERSE: [usize; 10] = [1, 0, 5, 4, 3, 2, 9, 8, 7, 6];
/// For each predicate, the index of the predicate with swapped operands.
const SWAPPED: [usize; 10] = [0, 1, 4, 5, 2, 3, 8, 9, 6, 7];

/// Returns how a loop counts, if it does.
pub(super) fn read(context: &Context, body: &Body, op: OperationId) -> Option<Count> {
    let (first, second) = (block(body, op, 0), block(body, op, 1));
    let shape = shape(context, body, first, second)?;
    let passed = yielded(body, op, 0);
    let (condition, passed) = passed.split_first()?;
    let next = yielded(body, op, 1);
    for (slot, argument) in body.arguments(first).iter().enumerate() {
        let Some(width) = number_width(context, body, *argument) else {
            continue;
        };
        let reader = Offsets {
            context,
            body,
            counter: *argument,
            second,
            passed,
            width,
        };
        let Some((test, tested)) = reader.test(*condition, op) else {
            continue;
        };
        let Some(step) = next.get(slot).and_then(|next| reader.offset(*next, 0)) else {
            continue;
        };
        let step = modulo(step, width)?;
        if step.is_zero() {
            continue;
        }
        if let Some(count) = count(context, body, op, (shape, slot, step), &test, tested, width) {
            return Some(count);
        }
    }
    None
}

/// Returns the position of the test: either nothing before it has an effect, or the whole body precedes it.
fn shape(context: &Context, body: &Body, first: BlockId, second: BlockId) -> Option<Shape> {
    let last = body.last_operation(first)?;
    let mut before = body.operations(first).filter(|op| *op != last);
    let only_computes = |op: OperationId| {
        let view = View::new(context, body, op);
        let is_computed = is_pure(view)
            || view.name() == memref::Load::NAME
            || view.definition().is_some_and(|d| d.meaning.is_some());
        is_computed && view.regions().is_empty()
    };
    if before.all(only_computes) {
        return Some(Shape::TestsFirst);
    }
    let is_empty = body.first_operation(second) == body.last_operation(second);
    is_empty.then_some(Shape::RunsFirst)
}

fn number_width(context: &Context, body: &Body, value: ValueId) -> Option<u32> {
    let ty = body.ty(value);
    let width = match ty.is_index(context) {
        true => Some(INDEX_WIDTH_BITS),
        false => ty.integer_width_bits(context),
    };
    width.filter(|width| (2..=INDEX_WIDTH_BITS).contains(width))
}

/// Returns the low bits of a number as a signed number.
fn modulo(number: Exact, width: u32) -> Option<Exact> {
    number.wrapped(width).as_ref().map(Exact::signed)
}

/// Maximum length of a chain of operations moved before a loop; the limit of [`is_movable`].
const MAX_MOVED_DEPTH: u32 = 8;

/// Returns whether a value is the same in every iteration, and a short chain of operations can compute it before the loop.
fn is_movable(context: &Context, body: &Body, op: OperationId, value: ValueId) -> bool {
    all_transitive_operands(body, value, MAX_MOVED_DEPTH, |value| {
        if is_invariant(body, op, value) {
            return Part::Right;
        }
        let definition = body.defining_operation(value);
        Part::through(definition.filter(|made| is_pure(View::new(context, body, *made))))
    })
}

/// Computes differences of values from the counter, modulo two to the power of the counter's width.
struct Offsets<'a> {
    context: &'a Context,
    body: &'a Body,
    counter: ValueId,
    second: BlockId,
    /// The values that the test passes to the second block.
    passed: &'a [ValueId],
    width: u32,
}

impl Offsets<'_> {
    /// Returns the comparison that lets the loop continue: of a value based on the counter with an invariant limit.
    fn test(&self, condition: ValueId, op: OperationId) -> Option<(Test, Tested)> {
        let (context, body) = (self.context, self.body);
        let mut test = body.defining_operation(condition)?;
        let mut is_inverse = false;
        if name(context, body, test) == arith::Xori::NAME {
            let one = constant_of(context, body, body.operand(test, 1))?;
            if !one.is_all_ones() {
                return None;
            }
            is_inverse = true;
            test = body.defining_operation(body.operand(test, 0))?;
        }
        if name(context, body, test) != arith::Cmpi::NAME {
            return None;
        }
        let predicate = body.attribute_named(context, test, "predicate")?;
        let mut predicate = usize::try_from(predicate.as_i64(context)?).ok()?;
        if is_inverse {
            predicate = *INVERSE.get(predicate)?;
        }
        let (a, b) = (body.operand(test, 0), body.operand(test, 1));
        let (tested, limit) = match (self.tested(a, 0), self.tested(b, 0)) {
            (Some(tested), _) => (tested, b),
            (None, tested) => {
                predicate = *SWAPPED.get(predicate)?;
                (tested?, a)
            }
        };
        let test = Test {
            predicate: PREDICATES.get(predicate)?,
            limit,
        };
        is_movable(context, body, op, limit).then_some((test, tested))
    }

    /// Expresses a tested value as the counter plus constants.
    fn tested(&self, value: ValueId, depth: u32) -> Option<Tested> {
        let (context, body) = (self.context, self.body);
        let width = number_width(context, body, value)?;
        if width == self.width
            && let Some(inner) = self.offset(value, 0)
        {
            return Some(Tested {
                widened: None,
                inner: modulo(inner, width)?,
                outer: Exact::ZERO,
            });
        }
        let op = body.defining_operation(value)?;
        if depth > 16 {
            return None;
        }
        let mut tested = self.tested(body.operands(op).next()?, depth + 1)?;
        let number = || constant_i64(context, body, body.operand(op, 1));
        match (name(context, body, op), tested.widened) {
            (arith::Addi::NAME, Some(_)) => tested.outer = tested.outer.plus(number()?),
            (arith::Subi::NAME, Some(_)) => tested.outer = tested.outer.minus(number()?),
            (arith::Extsi::NAME | arith::IndexCast::NAME, None) => {
                tested.widened = Some((self.width, true))
            }
            (arith::Extui::NAME | arith::IndexCastui::NAME, None) => {
                tested.widened = Some((self.width, false));
            }
            _ => return None,
        }
        // The offset is small enough that the sum with any number of the narrow width does not wrap.
        let quarter = Exact::power_of_two(width.saturating_sub(2));
        let is_small = tested.outer < quarter && tested.outer.negated() < quarter;
        let fits = |(from, _): (u32, bool)| is_small && width.abs_diff(from) >= 2;
        let is_wider = tested.widened.is_some_and(|(from, _)| from < width);
        (is_wider && (tested.outer.is_zero() || tested.widened.is_some_and(fits))).then_some(tested)
    }

    /// Returns the constant difference between a value and the counter.
    fn offset(&self, value: ValueId, depth: u32) -> Option<Exact> {
        if value == self.counter {
            return Some(Exact::ZERO);
        }
        let width = number_width(self.context, self.body, value)?;
        if width < self.width || depth > 16 {
            return None;
        }
        if let ValueDefinition::Argument { block, index } = self.body.value_definition(value) {
            let passed = self.passed.get(index as usize)?;
            return (block == self.second).then(|| self.offset(*passed, depth + 1))?;
        }
        let op = self.body.defining_operation(value)?;
        let below = |i: usize| self.offset(self.body.operand(op, i), depth + 1);
        let number = || constant_i64(self.context, self.body, self.body.operand(op, 1));
        match name(self.context, self.body, op) {
            arith::Addi::NAME => Some(below(0)?.plus(number()?)),
            arith::Subi::NAME => Some(below(0)?.minus(number()?)),
            arith::Extsi::NAME
            | arith::Extui::NAME
            | arith::Trunci::NAME
            | arith::IndexCast::NAME
            | arith::IndexCastui::NAME => below(0),
            _ => None,
        }
    }
}

/// An interval of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    least: Exact,
    greatest: Exact,
}

impl Range {
    fn only(number: Exact) -> Self {
        let (least, greatest) = (number, number);
        Self { least, greatest }
    }

    /// Returns the numbers that a width can represent.
    fn of_bits(width: u32, is_signed: bool) -> Self {
        let (least, n_above) = match is_signed {
            true => {
                let half = Exact::power_of_two(width.saturating_sub(1));
                (half.negated(), half)
            }
            false => (Exact::ZERO, Exact::power_of_two(width)),
        };
        let greatest = n_above.minus(1);
        Self { least, greatest }
    }

    fn plus(self, number: Exact) -> Self {
        let (least, greatest) = (self.least.plus(number), self.greatest.plus(number));
        Self { least, greatest }
    }

    fn constant(self) -> Option<Exact> {
        (self.least == self.greatest).then_some(self.least)
    }

    fn holds(self, other: Self) -> bool {
        self.least <= other.least && other.greatest <= self.greatest
    }
}

/// Returns the possible numbers of a value: those of its type, or fewer if it is a constant or an extension.
fn range(context: &Context, body: &Body, value: ValueId, is_signed: bool) -> Option<Range> {
    if let Some(constant) = constant_of(context, body, value) {
        return Some(Range::only(match is_signed {
            true => Exact::signed(&constant),
            false => Exact::unsigned(&constant),
        }));
    }
    let width = number_width(context, body, value)?;
    let source = body.defining_operation(value).and_then(|op| {
        let signed = match name(context, body, op) {
            arith::Extsi::NAME | arith::IndexCast::NAME if is_signed => true,
            arith::Extui::NAME | arith::IndexCastui::NAME => false,
            _ => return None,
        };
        let from = number_width(context, body, body.operand(op, 0))?;
        (from < width).then(|| Range::of_bits(from, signed))
    });
    Some(source.unwrap_or_else(|| Range::of_bits(width, is_signed)))
}

/// Returns the numbers that the first test may see: a value of the counter's width plus an offset, which wraps.
fn first_tested(
    context: &Context,
    body: &Body,
    first: ValueId,
    (offset, width, is_signed): (Exact, u32, bool),
) -> Option<Range> {
    let all = Range::of_bits(width, is_signed);
    let first = range(context, body, first, is_signed)?;
    if let Some(constant) = first.constant() {
        let bits = constant.plus(offset).wrapped(width)?;
        return Some(Range::only(match is_signed {
            true => Exact::signed(&bits),
            false => Exact::unsigned(&bits),
        }));
    }
    let moved = first.plus(offset);
    Some(if all.holds(moved) { moved } else { all })
}

/// Returns the count, if every tested value follows from the step without wrapping, and 64 signed bits suffice for the loop.
fn count(
    context: &Context,
    body: &Body,
    op: OperationId,
    (shape, slot, step): (Shape, usize, Exact),
    test: &Test,
    tested: Tested,
    width: u32,
) -> Option<Count> {
    let is_limit_signed = !test.predicate.starts_with('u');
    let is_signed = match tested.widened {
        None => is_limit_signed,
        // Extending a signed number and comparing it unsigned does not preserve the order.
        Some((_, true)) if !is_limit_signed => return None,
        Some((_, is_signed)) => is_signed,
    };
    if tested.outer.is_negative() && !is_limit_signed {
        return None;
    }
    let first = body.operand(op, slot);
    if width == INDEX_WIDTH_BITS && !is_signed {
        constant_of(context, body, first)?;
    }
    let start = first_tested(context, body, first, (tested.inner, width, is_signed))?;
    let start = start.plus(tested.outer);
    let limit = range(context, body, test.limit, is_limit_signed)?;
    let all = Range::of_bits(width, is_signed).plus(tested.outer);
    let (mut end, more) = match test.predicate {
        "slt" | "ult" => (End::Below, Exact::ZERO),
        "sle" | "ule" => (End::Below, Exact::ONE),
        "sgt" | "ugt" => (End::Above, Exact::ZERO),
        "sge" | "uge" => (End::Above, Exact::ONE.negated()),
        "ne" => (End::Equal, Exact::ZERO),
        _ => return None,
    };
    let limit = limit.plus(more);
    let (one, down) = (Exact::ONE, step.negated());
    match end {
        // Stepping by one, the last tested value is always representable.
        End::Below if step == one => {}
        End::Below if step > one && limit.greatest.plus(step).minus(1) <= all.greatest => {}
        End::Above if down == one => {}
        End::Above if down > one && limit.least.minus(down).plus(1) >= all.least => {}
        End::Equal if tested.widened.is_none() => {
            let span = limit.constant().zip(start.constant());
            let span = span.map(|(limit, start)| limit.minus(start));
            let is_reached = span.is_some_and(|span| match step.is_positive() {
                true => !span.is_negative() && span.is_multiple_of(step),
                false => !span.is_positive() && span.is_multiple_of(down),
            });
            match is_reached {
                true if step.is_positive() => end = End::Below,
                true => end = End::Above,
                false if (step == one || down == one) && width < INDEX_WIDTH_BITS => {}
                false => return None,
            }
        }
        _ => return None,
    }
    let mut count = Count {
        shape,
        slot,
        step,
        inner_offset: tested.inner,
        outer_offset: tested.outer,
        is_signed,
        limit: test.limit,
        is_limit_signed,
        more,
        end,
    };
    if fits(&count, start, limit, width) {
        return Some(count);
    }
    if end != End::Above || down != one {
        return None;
    }
    // The complement reverses the order, and never wraps.
    let complement = |range: Range| Range {
        least: range.greatest.plus(1).negated(),
        greatest: range.least.plus(1).negated(),
    };
    count.end = End::AboveByComplement;
    fits(&count, complement(start), complement(limit), width).then_some(count)
}

/// Returns whether the loop in `index` cannot wrap, for every start and limit of a loop with a realistic number of iterations.
/// Constants are folded exactly, and may exceed 64 bits unless they are bounds.
fn fits(count: &Count, start: Range, limit: Range, width: u32) -> bool {
    let index = Range::of_bits(INDEX_WIDTH_BITS, true);
    let runs_first = count.shape == Shape::RunsFirst;
    if count.end == End::Equal {
        // The span has the width of the counter; a loop that runs first has one more iteration.
        return width.saturating_add(u32::from(runs_first)) < INDEX_WIDTH_BITS;
    }
    let size = count.step.max(count.step.negated());
    let is_down = count.end == End::Above;
    let never = Exact::power_of_two(UNENDING_BITS).times(size);
    let mut ending = limit;
    if limit.constant().is_none() {
        let (most, least) = (index.greatest, index.least);
        // An inclusive limit that is the largest number of its type never ends the loop. A limit above 2^63 is too far from a
        // small start.
        let is_far = start.greatest.plus(never) <= most.plus(1);
        let may_be_last = !count.more.is_zero() && count.is_limit_signed;
        if may_be_last || (is_far && !is_down) {
            ending.greatest = ending.greatest.min(most);
        }
        if may_be_last {
            ending.least = ending.least.max(least);
        }
    }
    if !index.holds(start) || !index.holds(ending) {
        return false;
    }
    let is_known = start.constant().is_some() && limit.constant().is_some();
    let (above, below) = match is_down {
        true => (start, ending),
        false => (ending, start),
    };
    let most = above.greatest.minus(below.least).plus(size).minus(1);
    let least = above.least.minus(below.greatest);
    let once_more = Exact::from(i32::from(runs_first));
    let n_most = most.divided_down(size).map(|n| n.plus(once_more));
    match is_down {
        // The trip count becomes a bound, even if it is negative.
        true if is_known => n_most.is_some_and(|n| index.least <= n && n <= index.greatest),
        // The span is computed in 64 bits. If that does not suffice, the loop has more iterations than can ever run.
        true => least >= index.least && (most < index.greatest || size <= Exact::from(2)),
        false if runs_first => start.least.minus(size) >= index.least,
        false if is_known || size == Exact::ONE => true,
        false => least >= index.least && (most <= index.greatest || size <= Exact::from(2)),
    }
}
