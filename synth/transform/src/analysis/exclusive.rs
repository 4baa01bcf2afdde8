//! Finds mutually exclusive conditions, and values that are only needed if a condition holds.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::ANY;
use sluice_dialects::{
    arith,
    synthesis_form::{guarded_access, is_guard},
};
use sluice_ir::algebra::RangesWord;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use crate::analysis::conditions::implied;
use crate::analysis::value_ranges::Analysis;
use crate::build::{binary, constant_of, is_pure, name};

/// Maximum number of uses that are followed to show that a value is not needed.
const MAX_USES: usize = 200;

/// Marks guards of loads whose value is only needed if the condition holds: the result otherwise is arbitrary.
pub fn free_guards(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if guarded_access(view).is_none() || view.results().is_empty() {
            continue;
        }
        let (value, condition) = (view.result(0), view.operand(0));
        if is_needed_only_where(context, body, value, condition) {
            body.set_attribute(op, context.name(ANY), context.unit_attribute());
        }
    }
}

/// A condition, with `false` for its negation.
type Literal = (ValueId, bool);

/// Returns the literals that hold if `value` equals `truth`, derived through conjunctions and negations.
fn literals(context: &Context, body: &Body, value: ValueId, truth: bool) -> BTreeSet<Literal> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![(value, truth)];
    while let Some((value, truth)) = waiting.pop() {
        if !found.insert((value, truth)) {
            continue;
        }
        let Some(op) = body.defining_operation(value) else {
            continue;
        };
        match name(context, body, op) {
            arith::Andi::NAME if truth => waiting.extend(body.operands(op).map(|of| (of, true))),
            arith::Ori::NAME if !truth => waiting.extend(body.operands(op).map(|of| (of, false))),
            _ => waiting.extend(inverted(context, body, value).map(|of| (of, !truth))),
        }
    }
    found
}

/// Returns the literals implied by `condition` that are not themselves conjunctions or negations.
fn leaves(context: &Context, body: &Body, condition: ValueId) -> BTreeSet<Literal> {
    let all = literals(context, body, condition, true);
    let is_made = |(value, truth): &Literal| {
        let op = body.defining_operation(*value);
        let join = if *truth {
            arith::Andi::NAME
        } else {
            arith::Ori::NAME
        };
        op.is_some_and(|op| name(context, body, op) == join)
            || inverted(context, body, *value).is_some()
    };
    all.into_iter()
        .filter(|literal| !is_made(literal))
        .collect()
}

/// Returns the bit of which a value is the complement.
fn inverted(context: &Context, body: &Body, value: ValueId) -> Option<ValueId> {
    let op = body.defining_operation(value)?;
    if name(context, body, op) != arith::Xori::NAME || body.ty(value) != context.integer_type(1) {
        return None;
    }
    let is_one = |of: ValueId| constant_of(context, body, of).is_some_and(|bits| bits.is_one());
    let [a, b] = [body.operand(op, 0), body.operand(op, 1)];
    match (is_one(a), is_one(b)) {
        (_, true) => Some(a),
        (true, _) => Some(b),
        _ => None,
    }
}

/// The value ranges that each condition of a list implies.
pub(crate) struct Implications(Vec<BTreeMap<ValueId, RangesWord>>);

impl Implications {
    /// Computes the implications of conditions, from known ranges.
    pub(crate) fn of(known: &Analysis<'_>, conditions: &[ValueId]) -> Self {
        let of_one = |condition: &ValueId| {
            let mut found: BTreeMap<ValueId, RangesWord> = BTreeMap::new();
            let parts = leaves(known.context, known.body, *condition).into_iter();
            let implied = parts.flat_map(|(part, truth)| implied(known, part, truth));
            for (value, range) in implied {
                let both = found.get(&value).and_then(|other| other.meet(&range));
                found.insert(value, both.unwrap_or(range));
            }
            found
        };
        Self(conditions.iter().map(of_one).collect())
    }

    /// Returns whether the conditions at two indices of the list are mutually exclusive.
    pub(crate) fn exclude(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.0[a], &self.0[b]);
        a.iter().any(|(value, range)| {
            let other = b.get(value);
            other.is_some_and(|other| range.meet(other).is_none())
        })
    }
}

/// Returns the common conjuncts of two conditions that differ only in one bit and its complement; their disjunction is the
/// conjunction of these.
fn common(context: &Context, body: &Body, a: ValueId, b: ValueId) -> Option<Vec<ValueId>> {
    let (of_a, of_b) = (conjuncts(context, body, a), conjuncts(context, body, b));
    let only = |of: &BTreeSet<ValueId>, other: &BTreeSet<ValueId>| {
        let mut own = of.difference(other);
        own.next().copied().filter(|_| own.next().is_none())
    };
    let (x, y) = (only(&of_a, &of_b)?, only(&of_b, &of_a)?);
    let is_inverse = inverted(context, body, x) == Some(y) || inverted(context, body, y) == Some(x);
    is_inverse.then(|| of_a.intersection(&of_b).copied().collect())
}

/// Emits the disjunction of two conditions; returns `None` if it always holds.
pub(crate) fn either(builder: &mut Builder<'_>, a: ValueId, b: ValueId) -> Option<ValueId> {
    match common(builder.context, builder.body, a, b) {
        Some(common) => common
            .into_iter()
            .reduce(|all, one| binary(builder, arith::Andi::NAME, all, one)),
        None => Some(binary(builder, arith::Ori::NAME, a, b)),
    }
}

/// Returns the conjuncts of `value`.
fn conjuncts(context: &Context, body: &Body, value: ValueId) -> BTreeSet<ValueId> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match body.defining_operation(value) {
            Some(op) if name(context, body, op) == arith::Andi::NAME => {
                waiting.extend(body.operands(op));
            }
            _ => {
                found.insert(value);
            }
        }
    }
    found
}

/// Returns whether nothing depends on `value` unless `condition` holds.
pub(crate) fn is_needed_only_where(
    context: &Context,
    body: &Body,
    value: ValueId,
    condition: ValueId,
) -> bool {
    let wanted = leaves(context, body, condition);
    let mut search = Search {
        context,
        body,
        wanted: &wanted,
        left: MAX_USES,
    };
    search.is_fine(value, &BTreeSet::new())
}

struct Search<'a> {
    context: &'a Context,
    body: &'a Body,
    wanted: &'a BTreeSet<Literal>,
    left: usize,
}

impl Search<'_> {
    /// Returns whether nothing depends on `value` unless all `wanted` literals hold; `given` holds at each use.
    fn is_fine(&mut self, value: ValueId, given: &BTreeSet<Literal>) -> bool {
        if self.wanted.is_subset(given) {
            return true;
        }
        let uses: Vec<_> = self.body.uses(value).collect();
        uses.into_iter()
            .all(|(user, operand)| self.is_fine_use(user, operand, given))
    }

    fn is_fine_use(
        &mut self,
        user: OperationId,
        operand: usize,
        given: &BTreeSet<Literal>,
    ) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let view = View::new(self.context, self.body, user);
        let with = |condition: ValueId, truth: bool| {
            let mut all = given.clone();
            all.extend(literals(self.context, self.body, condition, truth));
            all
        };
        if view.name() == arith::Select::NAME && operand > 0 {
            let given = with(view.operand(0), operand == 1);
            return self.is_fine(view.result(0), &given);
        }
        if is_pure(view) {
            let results = view.results().to_vec();
            return results
                .into_iter()
                .all(|result| self.is_fine(result, given));
        }
        let around = self.body.parent_operation(user);
        let guard = around.map(|op| view.at(op)).filter(|op| is_guard(*op));
        guard.is_some_and(|guard| self.wanted.is_subset(&with(guard.operand(0), true)))
    }
}
