//! Merges equal statements whose points together form a polyhedron: the two halves of a loop that was split at the diagonal, or
//! the code on the diagonal and the code beside it.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::memref;
use sluice_ir::{Body, Context, OperationId, ValueId};

use super::statement::Statement;
use crate::analysis::dependence_vectors::unit;
use crate::analysis::linear::{Linear, is_invariant, linear};
use crate::analysis::linear_system::{LinearSystem, Solutions};
use crate::build::{constant_of, name};

/// A class of equal statements.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// The index of the representative statement.
    pub(super) like: usize,
    /// The counters of the representative.
    pub(super) counters: Vec<ValueId>,
    /// The constraints on the counters, at the points of all members.
    pub(super) constraints: Vec<Linear>,
    /// The member statements, each with `counters` expressed in its own counters.
    pub(super) members: Vec<(usize, Vec<Linear>)>,
}

/// Groups the statements of a nest into classes, those with the most loops first; only statements that `may_join` permits are
/// merged.
pub(super) fn classes(
    context: &Context,
    body: &Body,
    statements: &[Statement],
    may_join: impl Fn(usize) -> bool,
) -> Vec<Class> {
    let mut order: Vec<usize> = (0..statements.len()).collect();
    order.sort_by_key(|s| (std::cmp::Reverse(statements[*s].loops.len()), may_join(*s)));
    let mut found: Vec<Class> = Vec::new();
    for at in order {
        let mut candidates = found.iter().enumerate().filter(|_| may_join(at));
        let joined = candidates
            .find_map(|(place, class)| Some((place, join(context, body, statements, class, at)?)));
        match joined {
            Some((place, class)) => found[place] = class,
            None => {
                let statement = &statements[at];
                found.push(Class {
                    like: at,
                    counters: statement.values(),
                    constraints: statement.constraints.clone(),
                    members: vec![(at, statement.values().into_iter().map(unit).collect())],
                });
            }
        }
    }
    found
}

/// Returns the class with one more statement, if that statement is equal and the union of points has common bounds.
fn join(
    context: &Context,
    body: &Body,
    statements: &[Statement],
    class: &Class,
    at: usize,
) -> Option<Class> {
    let map = Unifier::unify(context, body, &statements[class.like], &statements[at])?;
    let values: Option<Vec<Linear>> = class.counters.iter().map(|c| map.get(c).cloned()).collect();
    let values = values?;
    let mut own_counters = statements[at].values();
    // A loop that encloses both must have the same counter value.
    let is_shared = |value: &ValueId| class.counters.contains(value);
    let is_same = |value: &ValueId| map.get(value) == Some(&unit(*value));
    if !own_counters.iter().filter(|v| is_shared(v)).all(is_same) {
        return None;
    }
    own_counters.retain(|value| !is_shared(value));
    // The points of the statement in the counters of the class; its own counters are eliminated.
    let mut points = statements[at].constraints.clone();
    for (counter, value) in class.counters.iter().zip(&values) {
        let difference = unit(*counter).minus(value)?;
        if difference == Linear::default() {
            continue;
        }
        points.push(Linear::default().minus(&difference)?);
        points.push(difference);
    }
    let own = in_counters(&points, &own_counters)?;
    let hull: Vec<Linear> = {
        let from = |of: &[Linear], other: &[Linear]| -> Vec<Linear> {
            of.iter()
                .filter(|form| implies(other, form))
                .cloned()
                .collect()
        };
        let mut all = from(&class.constraints, &own);
        all.extend(from(&own, &class.constraints));
        all
    };
    // The union is exact if no point of the hull is in neither, and none is in both.
    let both: Vec<Linear> = class.constraints.iter().chain(&own).cloned().collect();
    if may_hold(&both) {
        return None;
    }
    for a in &class.constraints {
        for b in &own {
            let mut outside = hull.clone();
            outside.extend([negated(a)?, negated(b)?]);
            if may_hold(&outside) {
                return None;
            }
        }
    }
    let mut joined = class.clone();
    joined.constraints = super::super::scan::without_redundant(hull);
    joined.members.push((at, values));
    Some(joined)
}

/// Eliminates values, each of which an equality determines with a factor of 1.
fn in_counters(constraints: &[Linear], values: &[ValueId]) -> Option<Vec<Linear>> {
    let mut left = constraints.to_vec();
    for value in values {
        left = super::super::scan::eliminate(&left, *value)?;
    }
    Some(left)
}

/// Returns `-form - 1`, which is not negative exactly if the form is negative.
pub(super) fn negated(form: &Linear) -> Option<Linear> {
    let mut opposite = Linear::default().minus(form)?;
    opposite.constant = opposite.constant.checked_sub(1)?;
    Some(opposite)
}

/// Returns whether forms can all be non-negative at once.
pub(super) fn may_hold(forms: &[Linear]) -> bool {
    let mut system = LinearSystem::default();
    let mut places: BTreeMap<ValueId, usize> = BTreeMap::new();
    for value in forms.iter().flat_map(|form| form.terms.keys()) {
        places
            .entry(*value)
            .or_insert_with(|| system.add_variable());
    }
    for form in forms {
        let mut row = system.row();
        for (value, coefficient) in &form.terms {
            row[places[value]] = i128::from(*coefficient);
        }
        let last = row.len() - 1;
        row[last] = i128::from(form.constant);
        system.require_not_negative(row);
    }
    system.solutions() != Solutions::None
}

/// Returns whether a form is non-negative whenever all others are.
pub(super) fn implies(constraints: &[Linear], form: &Linear) -> bool {
    let Some(opposite) = negated(form) else {
        return false;
    };
    let mut all = constraints.to_vec();
    all.push(opposite);
    !may_hold(&all)
}

/// Compares two statements and derives the counters of one in terms of the other.
struct Unifier<'a> {
    context: &'a Context,
    body: &'a Body,
    /// The outermost loop.
    root: OperationId,
    /// The operations of the two statements.
    operations: [&'a [OperationId]; 2],
    /// Maps operations of the first statement to equal operations of the second.
    matched: BTreeMap<OperationId, OperationId>,
    /// Pairs of forms that must be equal: of the first and of the second statement.
    equal: Vec<(Linear, Linear)>,
}

impl<'a> Unifier<'a> {
    /// Returns the counters of `like` in terms of those of `other`, if the operations are the same.
    fn unify(
        context: &'a Context,
        body: &'a Body,
        like: &'a Statement,
        other: &'a Statement,
    ) -> Option<BTreeMap<ValueId, Linear>> {
        let mut unifier = Self {
            context,
            body,
            root: like.loops[0],
            operations: [&like.operations, &other.operations],
            matched: BTreeMap::new(),
            equal: Vec::new(),
        };
        // Matching starts at the only store, which comes last, and goes backwards: two loads of one statement may match the same
        // load of the other.
        let [a, b] = [like, other].map(|statement| only_store(context, body, statement));
        unifier.operation(a?, b?)?;
        let covered = [like, other].map(|statement| statement.operations.len());
        if unifier.matched.len() != covered[0]
            || unifier.matched.values().collect::<BTreeSet<_>>().len() != covered[1]
        {
            return None;
        }
        let counters = like.values();
        let mut map: BTreeMap<ValueId, Linear> = BTreeMap::new();
        for _ in 0..counters.len() {
            for (a, b) in &unifier.equal {
                let (known, unknown): (Vec<ValueId>, Vec<ValueId>) = a
                    .terms
                    .keys()
                    .partition(|value| !counters.contains(value) || map.contains_key(*value));
                let [one] = unknown[..] else {
                    continue;
                };
                let factor = a.coefficient(one);
                if factor.abs() != 1 {
                    continue;
                }
                // b = rest + factor * one
                let mut rest = b.clone();
                rest.constant = rest.constant.checked_sub(a.constant)?;
                for value in known {
                    let form = map.get(&value).cloned().unwrap_or_else(|| unit(value));
                    rest = rest.plus(&form, -a.coefficient(value))?;
                }
                map.insert(one, Linear::default().plus(&rest, factor)?);
            }
        }
        for (a, b) in &unifier.equal {
            let mut placed = Linear {
                constant: a.constant,
                terms: BTreeMap::new(),
            };
            for (value, coefficient) in &a.terms {
                let form = map.get(value).cloned().unwrap_or_else(|| unit(*value));
                placed = placed.plus(&form, *coefficient)?;
            }
            if placed != *b {
                return None;
            }
        }
        Some(map)
    }

    fn operation(&mut self, a: OperationId, b: OperationId) -> Option<()> {
        let body = self.body;
        if let Some(known) = self.matched.get(&a) {
            return (*known == b).then_some(());
        }
        let same = body.name(a) == body.name(b)
            && body.attributes(a) == body.attributes(b)
            && body.n_operands(a) == body.n_operands(b)
            && body.results(a).len() == body.results(b).len()
            && body.regions(a).is_empty()
            && body.regions(b).is_empty();
        if !same {
            return None;
        }
        self.matched.insert(a, b);
        for (x, y) in body.operands(a).zip(body.operands(b)) {
            self.value(x, y)?;
        }
        let types = |op: OperationId| body.results(op).iter().map(|v| body.ty(*v));
        types(a).eq(types(b)).then_some(())
    }

    fn value(&mut self, x: ValueId, y: ValueId) -> Option<()> {
        let (context, body) = (self.context, self.body);
        if body.ty(x) != body.ty(y) {
            return None;
        }
        if body.ty(x).is_index(context) {
            let forms = (linear(context, body, x), linear(context, body, y));
            self.equal.push(forms);
            return Some(());
        }
        let constants = [x, y].map(|v| constant_of(context, body, v));
        if let [Some(x), Some(y)] = constants {
            return (x == y).then_some(());
        }
        let [a, b] = [x, y].map(|v| body.defining_operation(v));
        let inside = [(a, self.operations[0]), (b, self.operations[1])]
            .map(|(op, all)| op.filter(|op| all.contains(op)));
        match inside {
            [Some(a), Some(b)] => {
                let place = |op: OperationId, v: ValueId| {
                    body.results(op).iter().position(|result| *result == v)
                };
                (place(a, x) == place(b, y)).then_some(())?;
                self.operation(a, b)
            }
            // A value computed from counters in another way must be the same at other points, so only invariant values match.
            [None, None] if x == y && is_invariant(body, self.root, x) => Some(()),
            _ => None,
        }
    }
}

/// Returns the store of a statement, if it is the only one and comes last.
fn only_store(context: &Context, body: &Body, statement: &Statement) -> Option<OperationId> {
    let is_store = |op: &&OperationId| name(context, body, **op) == memref::Store::NAME;
    let (last, others) = statement.operations.split_last()?;
    (is_store(&last) && !others.iter().any(|op| is_store(&op))).then_some(*last)
}
