//! How often the loops of a nest run whose bounds depend on the counters around: triangles, trapezoids, anything computed.
//!
//! A nest is counted by running its bounds, not its bodies; so the totals are exact.

use std::collections::BTreeMap;

use sluice_ir::bits::Bits;
use sluice_ir::simplify::results_for;
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use crate::build::{constant_of, name};
use crate::linear::loop_of;

/// Iterations of loops around others that are run at most; a nest with more stays uncounted.
const MOST_STEPS: u64 = 1 << 20;

/// Totals of one loop over one run of the outermost loop of its nest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Counts {
    /// Times it is entered.
    entries: u64,
    /// Times it is entered and has no iteration.
    empty_entries: u64,
    /// Iterations of all entries.
    iterations: u64,
}

/// Writes `sluice.entries`, `sluice.empty_entries` and `sluice.iterations` on the loops of nests with inner bounds that vary.
pub(crate) fn count_nests(context: &Context, body: &mut Body) {
    for root in body.walk_all() {
        let is_root = fixed_trip_count(context, body, root)
            && !ancestors(body, root).any(|around| fixed_trip_count(context, body, around));
        let varies = |op: &OperationId| {
            name(context, body, *op) == "scf.for" && !fixed_trip_count(context, body, *op)
        };
        if !is_root || !body.walk(root).iter().any(varies) {
            continue;
        }
        let mut counter = Counter {
            context,
            body,
            counters: BTreeMap::new(),
            counts: BTreeMap::new(),
            steps: 0,
        };
        if counter.run(root).is_none() {
            continue;
        }
        for (op, counts) in counter.counts {
            let mut set = |name: &str, value: u64| {
                let value = i64::try_from(value).unwrap_or(i64::MAX);
                body.set_attribute(op, context.name(name), context.i64_attribute(value));
            };
            set("sluice.entries", counts.entries);
            set("sluice.empty_entries", counts.empty_entries);
            set("sluice.iterations", counts.iterations);
        }
    }
}

fn fixed_trip_count(context: &Context, body: &Body, op: OperationId) -> bool {
    loop_of(context, body, op).is_some_and(|found| found.trip_count.is_some())
}

fn ancestors(body: &Body, op: OperationId) -> impl Iterator<Item = OperationId> + '_ {
    std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op))
}

struct Counter<'a> {
    context: &'a Context,
    body: &'a Body,
    /// The counters of the loops that are running.
    counters: BTreeMap<ValueId, Bits>,
    counts: BTreeMap<OperationId, Counts>,
    steps: u64,
}

impl Counter<'_> {
    /// Runs the bounds of a loop and of the loops directly in it; `None` if a bound is not computable or there is too much.
    fn run(&mut self, op: OperationId) -> Option<()> {
        let bound = |i: usize| self.evaluate(self.body.operand(op, i), 0);
        let (lower, upper, step) = (bound(0)?, bound(1)?, bound(2)?);
        if step.is_zero() || step.sign_bit() {
            return None;
        }
        let block = self.body.entry_block(op, 0)?;
        let variable = *self.body.arguments(block).first()?;
        let inner: Vec<OperationId> = self
            .body
            .operations(block)
            .filter(|op| name(self.context, self.body, *op) == "scf.for")
            .collect();
        let mut n = 0;
        let mut value = lower;
        while value.slt(&upper) {
            n += 1;
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            self.counters.insert(variable, value.clone());
            for op in &inner {
                self.run(*op)?;
            }
            let next = value.add(&step);
            if next.slt(&value) {
                break;
            }
            value = next;
        }
        self.counters.remove(&variable);
        let counts = self.counts.entry(op).or_default();
        counts.entries += 1;
        counts.empty_entries += u64::from(n == 0);
        counts.iterations += n;
        Some(())
    }

    /// A value made of constants and running counters by operations with a meaning.
    fn evaluate(&self, value: ValueId, depth: u32) -> Option<Bits> {
        if let Some(known) = self.counters.get(&value) {
            return Some(known.clone());
        }
        if let Some(constant) = constant_of(self.context, self.body, value) {
            return Some(constant);
        }
        if depth > 64 {
            return None;
        }
        let view = View::new(
            self.context,
            self.body,
            self.body.defining_operation(value)?,
        );
        let operands: Option<Vec<Bits>> = view
            .operands()
            .map(|operand| self.evaluate(operand, depth + 1))
            .collect();
        let results = results_for(view, &operands?)?;
        let position = view.results().iter().position(|result| *result == value)?;
        results.get(position).cloned()
    }
}
