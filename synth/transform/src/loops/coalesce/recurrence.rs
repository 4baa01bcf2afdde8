//! Finds variables on recurrences: values that depend on themselves across steps, or on an earlier result of the same shared
//! unit.
//!
//! Only on a recurrence does the number of steps between definition and use matter; elsewhere the pipeline only becomes deeper.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::{Body, Context, OperationId, ValueId};

use super::Limits;
use super::nest::{GroupIndex, Nest, VariableIndex};
use super::place::{Resource, resource_of};

/// A node on a recurrence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Resource(Resource),
    Variable(VariableIndex),
}

type Points = BTreeSet<Point>;

/// The transitive dependences of the variables of a nest.
pub(super) struct Recurrences {
    /// For each group and variable that it assigns: all that the assigned value depends on.
    made_with: BTreeMap<(GroupIndex, VariableIndex), Points>,
    /// For each group and variable that it reads: all that depends on the value.
    leads_to: BTreeMap<(GroupIndex, VariableIndex), Points>,
}

impl Recurrences {
    /// Computes the dependences from the values of all groups of a nest.
    pub(super) fn of(context: &Context, body: &Body, nest: &Nest, limits: &Limits) -> Self {
        let mut recurrences = Self {
            made_with: BTreeMap::new(),
            leads_to: BTreeMap::new(),
        };
        for group in 0..nest.groups.len() {
            recurrences.follow(context, body, nest, limits, group);
        }
        let passes_on = |from: &BTreeMap<(GroupIndex, VariableIndex), Points>| {
            let mut all: BTreeMap<VariableIndex, Points> = BTreeMap::new();
            for ((_, variable), points) in from {
                all.entry(*variable).or_default().extend(points.clone());
            }
            all
        };
        close(&mut recurrences.made_with, passes_on);
        close(&mut recurrences.leads_to, passes_on);
        recurrences
    }

    /// Returns whether the value that `writer` assigns to a variable depends on something that in turn depends on the variable
    /// through `reader`.
    pub(super) fn pass(
        &self,
        writer: GroupIndex,
        variable: VariableIndex,
        reader: GroupIndex,
    ) -> bool {
        let before = self.made_with.get(&(writer, variable));
        let behind = self.leads_to.get(&(reader, variable));
        before
            .zip(behind)
            .is_some_and(|(before, behind)| !before.is_disjoint(behind))
    }

    fn follow(
        &mut self,
        context: &Context,
        body: &Body,
        nest: &Nest,
        limits: &Limits,
        group: GroupIndex,
    ) {
        let mut of_value: BTreeMap<ValueId, Points> = BTreeMap::new();
        let read = |value: ValueId, of_value: &BTreeMap<ValueId, Points>| -> Points {
            match (of_value.get(&value), nest.variable_of.get(&value)) {
                (Some(points), _) => points.clone(),
                (None, Some(variable)) => Points::from([Point::Variable(*variable)]),
                (None, None) => Points::new(),
            }
        };
        for op in &nest.groups[group].ops {
            let inner: Vec<OperationId> = body.walk(*op).into_iter().chain([*op]).collect();
            let operands = inner.iter().flat_map(|op| body.operands(*op));
            let mut points: Points = operands.flat_map(|value| read(value, &of_value)).collect();
            if let Some(resource) = resource_of(context, body, *op, limits) {
                for point in &points {
                    if let Point::Variable(variable) = point {
                        let leads_to = self.leads_to.entry((group, *variable)).or_default();
                        leads_to.insert(Point::Resource(resource.clone()));
                    }
                }
                points.insert(Point::Resource(resource));
            }
            for result in inner.iter().flat_map(|op| body.results(*op)) {
                of_value.insert(*result, points.clone());
            }
        }
        for (variable, value) in &nest.groups[group].assignments {
            let points = read(*value, &of_value);
            for point in &points {
                if let Point::Variable(source) = point {
                    let leads_to = self.leads_to.entry((group, *source)).or_default();
                    leads_to.insert(Point::Variable(*variable));
                }
            }
            self.made_with.insert((group, *variable), points);
        }
    }
}

/// Computes the transitive closure of the sets by a fixpoint iteration.
fn close(
    sets: &mut BTreeMap<(GroupIndex, VariableIndex), Points>,
    passes_on: impl Fn(
        &BTreeMap<(GroupIndex, VariableIndex), Points>,
    ) -> BTreeMap<VariableIndex, Points>,
) {
    loop {
        let all = passes_on(sets);
        let mut grew = false;
        for points in sets.values_mut() {
            let more: Points = points
                .iter()
                .filter_map(|point| match point {
                    Point::Variable(variable) => all.get(variable),
                    Point::Resource(_) => None,
                })
                .flatten()
                .cloned()
                .collect();
            let before = points.len();
            points.extend(more);
            grew |= points.len() > before;
        }
        if !grew {
            return;
        }
    }
}
