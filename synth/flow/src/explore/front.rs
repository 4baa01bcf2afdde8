//! Fronts: of each device the points that no other point of it beats.

use std::collections::BTreeMap;

use super::figures::Figures;
use super::goals::{Goals, Objective};
use super::result::{Outcome, PointResult};
use super::space::Point;

/// How a row compares with the others of its device. Rows are named by the number of their first point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// No row is as good in every objective and better in one.
    Best,
    /// Such a row exists, but these figures lie in its intervals: synthesis may find the opposite.
    WithinErrorOf(usize),
    /// Such a row exists.
    WorseThan(usize),
    /// It does not keep these constraints.
    Misses(Vec<String>),
    /// There is no circuit.
    Failed,
}

/// Points of one device that are equal in every objective, or failed for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Their positions, ascending.
    pub points: Vec<usize>,
    /// How they compare.
    pub standing: Standing,
}

/// The rows of a device, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceFront {
    /// The device.
    pub device: String,
    /// All rows.
    pub rows: Vec<Row>,
}

/// The figures of a point that has a circuit.
pub(super) fn figures(result: Option<&PointResult>) -> Option<&Figures> {
    match &result?.outcome {
        Outcome::Circuit(figures) => Some(figures),
        Outcome::Failed { .. } => None,
    }
}

/// Compares the points that have results, by device, in the order in which devices appear.
pub fn fronts(
    points: &[Point],
    results: &[Option<PointResult>],
    goals: &Goals,
) -> Vec<DeviceFront> {
    let mut all: Vec<DeviceFront> = Vec::new();
    for (point, _) in points.iter().zip(results).filter(|(_, r)| r.is_some()) {
        if all.iter().any(|front| front.device == point.device) {
            continue;
        }
        let of_device = |i: &usize| points[*i].device == point.device;
        let own: Vec<usize> = (0..points.len()).filter(of_device).collect();
        all.push(DeviceFront {
            device: point.device.clone(),
            rows: rows(&own, results, goals),
        });
    }
    all
}

/// Equal points, with their figures.
struct Group<'a> {
    points: Vec<usize>,
    figures: &'a Figures,
}

impl Group<'_> {
    fn value(&self, objective: Objective) -> f64 {
        self.figures.of_objective(objective).value
    }

    /// As good in every objective, and better in one: groups are not equal in all.
    fn beats(&self, other: &Self, goals: &Goals) -> bool {
        let mut objectives = goals.objectives.iter();
        objectives.all(|of| self.value(*of) <= other.value(*of))
    }

    /// Whether the figures lie in the intervals of another group.
    fn is_within_error_of(&self, other: &Self, goals: &Goals) -> bool {
        let mut objectives = goals.objectives.iter();
        objectives.all(|of| self.value(*of) <= other.figures.of_objective(*of).high)
    }

    fn missed(&self, goals: &Goals) -> Vec<String> {
        let constraints = goals.constraints.iter();
        let missed = constraints.filter_map(|bound| bound.missed_by(self.value(bound.of)));
        missed.collect()
    }
}

fn rows(own: &[usize], results: &[Option<PointResult>], goals: &Goals) -> Vec<Row> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut failed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for i in own {
        match results[*i].as_ref().map(|result| &result.outcome) {
            Some(Outcome::Circuit(figures)) => {
                let new = Group {
                    points: vec![*i],
                    figures,
                };
                let is_equal = |known: &&mut Group<'_>| {
                    let mut objectives = goals.objectives.iter();
                    objectives.all(|of| known.value(*of) == new.value(*of))
                        && known.missed(goals) == new.missed(goals)
                };
                match groups.iter_mut().find(is_equal) {
                    Some(known) => known.points.push(*i),
                    None => groups.push(new),
                }
            }
            Some(Outcome::Failed { reason, .. }) => failed.entry(reason).or_default().push(*i),
            None => {}
        }
    }
    let (kept, missing): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .partition(|group| group.missed(goals).is_empty());
    let is_best = |group: &&Group<'_>| {
        let mut others = kept.iter().filter(|other| other.points != group.points);
        !others.any(|other| other.beats(group, goals))
    };
    let best: Vec<&Group<'_>> = kept.iter().filter(is_best).collect();
    let standing = |group: &Group<'_>| {
        let better = || best.iter().filter(|other| other.beats(group, goals));
        if best.iter().any(|other| other.points == group.points) {
            return Standing::Best;
        }
        let mut near = better().filter(|other| group.is_within_error_of(other, goals));
        match (near.next(), better().next()) {
            (Some(near), _) => Standing::WithinErrorOf(near.points[0]),
            (None, Some(better)) => Standing::WorseThan(better.points[0]),
            // A row that another beats is beaten by a best one: `beats` has no circles among unequal groups.
            (None, None) => Standing::Best,
        }
    };
    let mut all: Vec<(Standing, Option<&Group<'_>>, Vec<usize>)> = Vec::new();
    for group in &kept {
        all.push((standing(group), Some(group), group.points.clone()));
    }
    for group in &missing {
        let standing = Standing::Misses(group.missed(goals));
        all.push((standing, Some(group), group.points.clone()));
    }
    all.extend(
        failed
            .into_values()
            .map(|points| (Standing::Failed, None, points)),
    );
    let class = |standing: &Standing| match standing {
        Standing::Best => 0,
        Standing::WithinErrorOf(_) => 1,
        Standing::WorseThan(_) => 2,
        Standing::Misses(_) => 3,
        Standing::Failed => 4,
    };
    all.sort_by(|(a, a_group, a_points), (b, b_group, b_points)| {
        let by_objective = || {
            let groups = a_group.as_ref().zip(b_group.as_ref())?;
            let mut objectives = goals.objectives.iter();
            let order = |of: &Objective| groups.0.value(*of).total_cmp(&groups.1.value(*of));
            objectives.find_map(|of| Some(order(of)).filter(|order| order.is_ne()))
        };
        let classes = class(a).cmp(&class(b));
        classes
            .then_with(|| by_objective().unwrap_or(std::cmp::Ordering::Equal))
            .then_with(|| a_points.cmp(b_points))
    });
    all.into_iter()
        .map(|(standing, _, points)| Row { points, standing })
        .collect()
}
