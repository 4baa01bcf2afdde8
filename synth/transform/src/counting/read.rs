//! Reads how a `while` loop counts.

use sluice_ir::bits::Bits;
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueDefinition, ValueId, View};

use crate::build::{constant_i64, constant_of, is_pure, name, yielded};
use crate::linear::is_invariant;

/// Where the test of a loop stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// In front of the body.
    TestsFirst,
    /// Behind the body, which runs once at least.
    RunsFirst,
}

/// How a counter ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The loop goes on below the limit.
    Below,
    /// The loop goes on above the limit.
    Above,
    /// The loop goes on until the counter equals the limit.
    Equal,
}

/// How a loop counts.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub(super) shape: Shape,
    /// Which of the values that go round the counter is.
    pub(super) slot: usize,
    /// What the counter goes on by.
    pub(super) step: i64,
    /// What is tested is the counter and this, in its own width,
    pub(super) inner_offset: i64,
    /// and this, in a greater width.
    pub(super) outer_offset: i64,
    /// Whether its bits are a signed number where it is tested.
    pub(super) is_signed: bool,
    pub(super) limit: ValueId,
    /// Whether the bits of the limit are a signed number.
    pub(super) is_limit_signed: bool,
    /// What is added to the limit: 1 below a limit that counts too, -1 above one.
    pub(super) more: i64,
    pub(super) end: End,
}

/// The block of a region of a loop.
pub(super) fn block(body: &Body, op: OperationId, region: usize) -> BlockId {
    let block = body.entry_block(op, region);
    block.expect("a loop has two blocks")
}

/// A value as the counter and a constant, wide enough for it.
#[derive(Clone, Copy)]
struct Tested {
    /// How many bits it had where it got wider, and whether it did as a signed number.
    widened: Option<(u32, bool)>,
    inner: i64,
    outer: i64,
}

/// The loop goes on while this holds of what is tested and the limit.
struct Test {
    predicate: &'static str,
    limit: ValueId,
}

/// The predicates of `arith.cmpi` by their numbers.
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
/// What holds where each does not.
const INVERSE: [usize; 10] = [1, 0, 5, 4, 3, 2, 9, 8, 7, 6];
/// What holds of the second operand and the first.
const SWAPPED: [usize; 10] = [0, 1, 4, 5, 2, 3, 8, 9, 6, 7];

/// How a loop counts, if it does.
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
        let step = signed(step, width);
        if step == 0 {
            continue;
        }
        if let Some(count) = count(context, body, op, (shape, slot, step), &test, tested, width) {
            return Some(count);
        }
    }
    None
}

/// Where the test stands: nothing that has an effect runs once more than the body, or the body stands in front of the test.
fn shape(context: &Context, body: &Body, first: BlockId, second: BlockId) -> Option<Shape> {
    let last = body.last_operation(first)?;
    let mut before = body.operations(first).filter(|op| *op != last);
    let only_computes = |op: OperationId| {
        let view = View::new(context, body, op);
        let is_computed = is_pure(view)
            || view.name() == "memref.load"
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

/// The low bits of a number as a signed one.
fn signed(number: i64, width: u32) -> i64 {
    let shift = i64::BITS - width;
    (number << shift) >> shift
}

/// Whether a value is the same in every iteration, and is computed in few steps that can stand in front of the loop.
fn is_movable(context: &Context, body: &Body, op: OperationId, value: ValueId, depth: u32) -> bool {
    if is_invariant(body, op, value) {
        return true;
    }
    if depth > 8 {
        return false;
    }
    let Some(definition) = body.defining_operation(value) else {
        return false;
    };
    is_pure(View::new(context, body, definition))
        && body
            .operands(definition)
            .all(|v| is_movable(context, body, op, v, depth + 1))
}

/// What values are, modulo two to the power of the counter's width, beside the counter.
struct Offsets<'a> {
    context: &'a Context,
    body: &'a Body,
    counter: ValueId,
    second: BlockId,
    /// What the test passes on to the second block.
    passed: &'a [ValueId],
    width: u32,
}

impl Offsets<'_> {
    /// The comparison that keeps the loop going: of what the counter makes, with an invariant limit.
    fn test(&self, condition: ValueId, op: OperationId) -> Option<(Test, Tested)> {
        let (context, body) = (self.context, self.body);
        let mut test = body.defining_operation(condition)?;
        let mut is_inverse = false;
        if name(context, body, test) == "arith.xori" {
            let one = constant_of(context, body, body.operand(test, 1))?;
            if !one.is_all_ones() {
                return None;
            }
            is_inverse = true;
            test = body.defining_operation(body.operand(test, 0))?;
        }
        if name(context, body, test) != "arith.cmpi" {
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
        is_movable(context, body, op, limit, 0).then_some((test, tested))
    }

    /// A tested value as the counter and constants.
    fn tested(&self, value: ValueId, depth: u32) -> Option<Tested> {
        let (context, body) = (self.context, self.body);
        let width = number_width(context, body, value)?;
        if width == self.width
            && let Some(inner) = self.offset(value, 0)
        {
            return Some(Tested {
                widened: None,
                inner,
                outer: 0,
            });
        }
        let op = body.defining_operation(value)?;
        if depth > 16 {
            return None;
        }
        let mut tested = self.tested(body.operands(op).next()?, depth + 1)?;
        let number = || constant_i64(context, body, body.operand(op, 1));
        match (name(context, body, op), tested.widened) {
            ("arith.addi", Some(_)) => tested.outer = tested.outer.checked_add(number()?)?,
            ("arith.subi", Some(_)) => tested.outer = tested.outer.checked_sub(number()?)?,
            ("arith.extsi" | "arith.index_cast", None) => tested.widened = Some((self.width, true)),
            ("arith.extui" | "arith.index_castui", None) => {
                tested.widened = Some((self.width, false));
            }
            _ => return None,
        }
        // The sum with any number of the narrow width does not wrap.
        let fits = |(from, _)| from + 2 <= width && tested.outer.unsigned_abs() < 1 << (width - 2);
        let is_wider = tested.widened.is_some_and(|(from, _)| from < width);
        (is_wider && (tested.outer == 0 || tested.widened.is_some_and(fits))).then_some(tested)
    }

    /// The difference between a value and the counter, a constant.
    fn offset(&self, value: ValueId, depth: u32) -> Option<i64> {
        if value == self.counter {
            return Some(0);
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
            "arith.addi" => Some(below(0)?.wrapping_add(number()?)),
            "arith.subi" => Some(below(0)?.wrapping_sub(number()?)),
            "arith.extsi" | "arith.extui" | "arith.trunci" | "arith.index_cast"
            | "arith.index_castui" => below(0),
            _ => None,
        }
    }
}

/// The smallest and the greatest number of some bits.
fn numbers_of(width: u32, is_signed: bool) -> (i128, i128) {
    match is_signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    }
}

/// The numbers that a value of some bits can be: those of its type, or fewer where it is a constant or was made wider.
fn extremes(
    context: &Context,
    body: &Body,
    value: ValueId,
    is_signed: bool,
) -> Option<(i128, i128)> {
    if let Some(constant) = constant_of(context, body, value) {
        let number = number(&constant, is_signed)?;
        return Some((number, number));
    }
    let width = number_width(context, body, value)?;
    let source = body.defining_operation(value).and_then(|op| {
        let signed = match name(context, body, op) {
            "arith.extsi" | "arith.index_cast" if is_signed => true,
            "arith.extui" | "arith.index_castui" => false,
            _ => return None,
        };
        let from = number_width(context, body, body.operand(op, 0))?;
        (from < width).then(|| numbers_of(from, signed))
    });
    Some(source.unwrap_or_else(|| numbers_of(width, is_signed)))
}

/// Bits as a number.
pub(super) fn number(bits: &Bits, is_signed: bool) -> Option<i128> {
    let width = bits.width();
    let low = i128::from(bits.to_i64()?);
    Some(match is_signed || low >= 0 {
        true => low,
        false => low + (1i128 << width),
    })
}

/// The count, if no value of the counter that is tested is another one than the step says.
fn count(
    context: &Context,
    body: &Body,
    op: OperationId,
    (shape, slot, step): (Shape, usize, i64),
    test: &Test,
    tested: Tested,
    width: u32,
) -> Option<Count> {
    let is_limit_signed = !test.predicate.starts_with('u');
    let is_signed = match tested.widened {
        None => is_limit_signed,
        // A signed number that is compared as an unsigned one is not in order.
        Some((_, true)) if !is_limit_signed => return None,
        Some((_, is_signed)) => is_signed,
    };
    if tested.outer < 0 && !is_limit_signed {
        return None;
    }
    let first = body.operand(op, slot);
    if width == INDEX_WIDTH_BITS && !is_signed {
        // What is tested first is no unsigned number that `index` takes for a negative one.
        let first = constant_i64(context, body, first)?.checked_add(tested.inner)?;
        if first < 0 {
            return None;
        }
    }
    let limit = extremes(context, body, test.limit, is_limit_signed)?;
    let all = numbers_of(width, is_signed);
    let all = (
        all.0 + i128::from(tested.outer),
        all.1 + i128::from(tested.outer),
    );
    let (mut end, more) = match test.predicate {
        "slt" | "ult" => (End::Below, 0),
        "sle" | "ule" => (End::Below, 1),
        "sgt" | "ugt" => (End::Above, 0),
        "sge" | "uge" => (End::Above, -1),
        "ne" => (End::Equal, 0),
        _ => return None,
    };
    if end == End::Above && limit.1 > i128::from(i64::MAX) {
        // Such a limit is negative as an `index`. Below one, a loop does not end.
        return None;
    }
    let wide_step = i128::from(step);
    match end {
        // The last value that is tested is one of the counter's.
        End::Below if step == 1 => {}
        End::Below if step > 1 && limit.1 + i128::from(more) + wide_step - 1 <= all.1 => {}
        End::Above if step == -1 => {}
        End::Above if step < -1 && limit.0 + i128::from(more) + wide_step + 1 >= all.0 => {}
        End::Equal if tested.widened.is_none() => {
            let bits = constant_of(context, body, first);
            let ends = bits.and_then(|bits| number(&bits, true)).map(|first| {
                let first = first + i128::from(tested.inner);
                let span = limit.0 - first;
                let is_reached =
                    limit.0 == limit.1 && span % wide_step == 0 && span / wide_step >= 0;
                is_reached && (all.0..=all.1).contains(&first)
            });
            match ends {
                Some(true) if step > 0 => end = End::Below,
                Some(true) => end = End::Above,
                _ if step.abs() == 1 && width < INDEX_WIDTH_BITS => {}
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(Count {
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
    })
}
