//! Counts the iterations of loop nests whose bounds depend on outer counters: triangles, trapezoids, any computable bounds.
//!
//! The count executes the bounds but not the bodies, so the totals are exact.

use std::collections::BTreeMap;

use sluice_dialects::sluice::UNCOUNTED;
use sluice_dialects::{scf, sluice};
use sluice_ir::exact::{Exact, trips};
use sluice_ir::{Body, Context, OperationId, ValueDefinition, ValueId};

use crate::analysis::evaluate::evaluate;
use crate::analysis::linear::{Linear, linear, loop_of, range_of};
use crate::analysis::transitive_operands::{Part, all_transitive_operands};
use crate::build::name;

/// Maximum number of executed steps; a nest that needs more stays uncounted.
const MAX_STEPS: u64 = 1 << 22;

/// The cost, in steps, of a bound that is not a sum of counters.
const STEPS_OF_A_VALUE: u64 = 16;

/// Totals of one loop over one execution of the outermost loop of its nest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Counts {
    /// Number of times the loop is entered.
    entries: Exact,
    /// Number of entries without an iteration.
    empty_entries: Exact,
    /// Number of iterations of all entries.
    iterations: Exact,
}

/// Writes `sluice.entries`, `sluice.empty_entries` and `sluice.iterations` on the loops of nests whose inner bounds vary.
pub(crate) fn count_nests(context: &Context, body: &mut Body) {
    for root in body.walk_all() {
        let is_root = fixed_trip_count(context, body, root)
            && !ancestors(body, root).any(|around| fixed_trip_count(context, body, around));
        let varies = |op: &OperationId| {
            name(context, body, *op) == scf::For::NAME && !fixed_trip_count(context, body, *op)
        };
        if !is_root || !body.walk(root).iter().any(varies) {
            continue;
        }
        let Some(nest) = CountedLoop::read(context, body, root) else {
            continue;
        };
        let mut counter = Counter {
            context,
            body,
            counters: BTreeMap::new(),
            counts: BTreeMap::new(),
            steps: 0,
        };
        let run = counter.run(&nest, Exact::ONE);
        match run {
            Ok(()) => {}
            Err(Stop::Unknown) => continue,
            Err(Stop::TooMany) => {
                body.set_attribute(root, context.name(UNCOUNTED), context.unit_attribute());
                continue;
            }
        }
        for (op, counts) in counter.counts {
            let mut set = |name: &str, value: Exact| {
                body.set_attribute(op, context.name(name), context.exact_attribute(value));
            };
            set(sluice::ENTRIES, counts.entries);
            set(sluice::EMPTY_ENTRIES, counts.empty_entries);
            set(sluice::ITERATIONS, counts.iterations);
        }
    }
}

fn fixed_trip_count(context: &Context, body: &Body, op: OperationId) -> bool {
    loop_of(context, body, op).is_some_and(|found| found.trip_count.is_some())
}

fn ancestors(body: &Body, op: OperationId) -> impl Iterator<Item = OperationId> + '_ {
    std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op))
}

/// The reason why a nest is not counted.
enum Stop {
    /// A bound is not computable.
    Unknown,
    /// The step limit is exceeded.
    TooMany,
}

/// A bound or step of a loop.
enum Number {
    /// A linear form of counters.
    Sum(Linear),
    /// Any other expression of counters and constants.
    Value(ValueId),
}

impl Number {
    /// Reads a value as a linear form, if [`range_of`] shows that it cannot overflow 64 bits.
    fn read(context: &Context, body: &Body, value: ValueId) -> Self {
        let form = linear(context, body, value);
        let is_sum = form.terms.keys().all(|term| *term != value);
        let of_counters = is_sum
            && form.terms.keys().all(|term| {
                matches!(
                    body.value_definition(*term),
                    ValueDefinition::Argument { index: 0, .. }
                )
            });
        match of_counters && range_of(context, body, &form, 0).is_some() {
            true => Self::Sum(form),
            false => Self::Value(value),
        }
    }

    /// Returns whether the counter may influence the value.
    fn may_use(&self, body: &Body, counter: ValueId) -> bool {
        match self {
            Self::Sum(form) => form.coefficient(counter) != 0,
            Self::Value(value) => uses(body, *value, counter),
        }
    }
}

/// Returns whether a value may be computed from `of`.
fn uses(body: &Body, value: ValueId, of: ValueId) -> bool {
    !all_transitive_operands(body, value, u32::MAX, |value| {
        match body.defining_operation(value) {
            _ if value == of => Part::Wrong,
            Some(op) => Part::Through(op),
            None => Part::Right,
        }
    })
}

/// A loop in the form used for counting.
struct CountedLoop {
    op: OperationId,
    variable: ValueId,
    lower: Number,
    upper: Number,
    step: Number,
    inner: Vec<CountedLoop>,
    /// True if a loop inside has a bound that depends on this loop's counter.
    varies: bool,
}

impl CountedLoop {
    fn read(context: &Context, body: &Body, op: OperationId) -> Option<Self> {
        let block = body.entry_block(op, 0)?;
        let variable = *body.arguments(block).first()?;
        let inside = body.operations(block);
        let inside = inside.filter(|op| name(context, body, *op) == scf::For::NAME);
        let inner: Option<Vec<Self>> = inside.map(|op| Self::read(context, body, op)).collect();
        let inner = inner?;
        let number = |i: usize| Number::read(context, body, body.operand(op, i));
        Some(Self {
            op,
            variable,
            lower: number(0),
            upper: number(1),
            step: number(2),
            varies: inner.iter().any(|node| node.may_use(body, variable)),
            inner,
        })
    }

    fn may_use(&self, body: &Body, counter: ValueId) -> bool {
        let mut numbers = [&self.lower, &self.upper, &self.step].into_iter();
        numbers.any(|number| number.may_use(body, counter))
            || self.inner.iter().any(|node| node.may_use(body, counter))
    }
}

struct Counter<'a> {
    context: &'a Context,
    body: &'a Body,
    /// The current counter values of the enclosing loops.
    counters: BTreeMap<ValueId, Exact>,
    counts: BTreeMap<OperationId, Counts>,
    steps: u64,
}

impl Counter<'_> {
    /// Executes the bounds of a loop and its inner loops, for `entries` identical entries.
    fn run(&mut self, node: &CountedLoop, entries: Exact) -> Result<(), Stop> {
        let lower = self.number(&node.lower)?;
        let upper = self.number(&node.upper)?;
        let step = self.number(&node.step)?;
        let n = trips(lower, upper, step).ok_or(Stop::Unknown)?;
        let counts = self.counts.entry(node.op).or_default();
        counts.entries = counts.entries.plus(entries);
        counts.iterations = counts.iterations.plus(n.times(entries));
        if n.is_zero() {
            counts.empty_entries = counts.empty_entries.plus(entries);
        }
        if node.inner.is_empty() || n.is_zero() {
            return Ok(());
        }
        self.counters.insert(node.variable, lower);
        if !node.varies {
            for inner in &node.inner {
                self.run(inner, n.times(entries))?;
            }
            return Ok(());
        }
        if n.plus(self.steps) > Exact::from(MAX_STEPS) {
            return Err(Stop::TooMany);
        }
        let mut value = lower;
        while value < upper {
            self.spend(1)?;
            self.counters.insert(node.variable, value);
            for inner in &node.inner {
                self.run(inner, entries)?;
            }
            value = value.plus(step);
        }
        Ok(())
    }

    fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps = self.steps.checked_add(steps).ok_or(Stop::TooMany)?;
        match self.steps > MAX_STEPS {
            true => Err(Stop::TooMany),
            false => Ok(()),
        }
    }

    fn number(&mut self, number: &Number) -> Result<Exact, Stop> {
        match number {
            Number::Sum(form) => {
                let mut sum = Exact::from(form.constant);
                for (counter, factor) in &form.terms {
                    let counter = self.counters.get(counter).ok_or(Stop::Unknown)?;
                    sum = sum.plus(counter.times(factor));
                }
                Ok(sum)
            }
            Number::Value(value) => {
                self.spend(STEPS_OF_A_VALUE)?;
                let counter = |value| {
                    let width = self.body.ty(value).width_bits(self.context)?;
                    self.counters.get(&value)?.to_signed_bits(width)
                };
                let bits = evaluate(self.context, self.body, *value, &counter);
                Ok(Exact::signed(&bits.ok_or(Stop::Unknown)?))
            }
        }
    }
}
