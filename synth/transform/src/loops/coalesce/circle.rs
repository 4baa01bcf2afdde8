//! Which variables lie on circles: through values that lead back to themselves, or through a unit that makes one value from another
//! that it made before.
//!
//! Only there does it matter how many steps lie between a value's making and its use; elsewhere the pipeline is just deeper.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::{Body, Context, OperationId, ValueId};

use super::Limits;
use super::nest::{GroupIndex, Nest, VariableIndex};
use super::place::{Resource, resource_of};

/// Something that a circle can pass.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Resource(Resource),
    Variable(VariableIndex),
}

type Points = BTreeSet<Point>;

/// What stands before and behind the variables of a nest.
pub(super) struct Circles {
    /// By group and the variable it assigns: what the value is made with.
    made_with: BTreeMap<(GroupIndex, VariableIndex), Points>,
    /// By group and the variable it reads: what its value leads to.
    leads_to: BTreeMap<(GroupIndex, VariableIndex), Points>,
}

impl Circles {
    /// Follows the values of a nest through its groups.
    pub(super) fn of(context: &Context, body: &Body, nest: &Nest, limits: &Limits) -> Self {
        let mut circles = Self {
            made_with: BTreeMap::new(),
            leads_to: BTreeMap::new(),
        };
        for group in 0..nest.groups.len() {
            circles.follow(context, body, nest, limits, group);
        }
        let passes_on = |from: &BTreeMap<(GroupIndex, VariableIndex), Points>| {
            let mut all: BTreeMap<VariableIndex, Points> = BTreeMap::new();
            for ((_, variable), points) in from {
                all.entry(*variable).or_default().extend(points.clone());
            }
            all
        };
        close(&mut circles.made_with, passes_on);
        close(&mut circles.leads_to, passes_on);
        circles
    }

    /// Whether what `writer` assigns to a variable needs something that `reader` leads to with it.
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

/// Adds to each set what the variables in it bring along, until nothing is added.
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
