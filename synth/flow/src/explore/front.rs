//! Fronts: of each device the points that no other point of it beats.

use std::cmp::Ordering;
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
    /// Constraints that they do not keep.
    missed: Vec<String>,
}

impl<'a> Group<'a> {
    fn of(point: usize, figures: &'a Figures, goals: &Goals) -> Self {
        let value = |of| figures.of_objective(of).value;
        let constraints = goals.constraints.iter();
        let missed = constraints.filter_map(|bound| bound.missed_by(value(bound.of)));
        Self {
            points: vec![point],
            figures,
            missed: missed.collect(),
        }
    }

    fn value(&self, objective: Objective) -> f64 {
        self.figures.of_objective(objective).value
    }

    fn is_equal(&self, other: &Self, goals: &Goals) -> bool {
        let mut objectives = goals.objectives.iter();
        objectives.all(|of| self.value(*of) == other.value(*of)) && self.missed == other.missed
    }

    /// As good in every objective, and better in one: groups are not equal in all.
    fn beats(&self, other: &Self, goals: &Goals) -> bool {
        let mut objectives = goals.objectives.iter();
        self.points != other.points && objectives.all(|of| self.value(*of) <= other.value(*of))
    }

    /// Whether the figures lie in the intervals of another group.
    fn is_within_error_of(&self, other: &Self, goals: &Goals) -> bool {
        let mut objectives = goals.objectives.iter();
        objectives.all(|of| self.value(*of) <= other.figures.of_objective(*of).high)
    }

    /// By the objectives, the first one first.
    fn order(&self, other: &Self, goals: &Goals) -> Ordering {
        let objectives = goals.objectives.iter();
        let orders = objectives.map(|of| self.value(*of).total_cmp(&other.value(*of)));
        orders.fold(Ordering::Equal, Ordering::then)
    }
}

/// The rows of the points of one device.
fn rows(own: &[usize], results: &[Option<PointResult>], goals: &Goals) -> Vec<Row> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut failed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for point in own {
        match results[*point].as_ref().map(|result| &result.outcome) {
            Some(Outcome::Circuit(figures)) => {
                let new = Group::of(*point, figures, goals);
                match groups.iter_mut().find(|known| known.is_equal(&new, goals)) {
                    Some(known) => known.points.push(*point),
                    None => groups.push(new),
                }
            }
            Some(Outcome::Failed { reason, .. }) => failed.entry(reason).or_default().push(*point),
            None => {}
        }
    }
    groups.sort_by(|a, b| a.order(b, goals).then_with(|| a.points.cmp(&b.points)));
    let mut rows = compared(&groups, goals);
    let mut failed: Vec<Vec<usize>> = failed.into_values().collect();
    failed.sort();
    rows.extend(failed.into_iter().map(|points| Row {
        points,
        standing: Standing::Failed,
    }));
    // Rows of one kind stay in their order.
    rows.sort_by_key(|row| match row.standing {
        Standing::Best => 0,
        Standing::WithinErrorOf(_) => 1,
        Standing::WorseThan(_) => 2,
        Standing::Misses(_) => 3,
        Standing::Failed => 4,
    });
    rows
}

/// How each group compares with those that keep the constraints.
fn compared(groups: &[Group<'_>], goals: &Goals) -> Vec<Row> {
    let kept = || groups.iter().filter(|group| group.missed.is_empty());
    let is_best = |group: &&Group<'_>| !kept().any(|other| other.beats(group, goals));
    let best: Vec<&Group<'_>> = kept().filter(is_best).collect();
    let row = |group: &Group<'_>| {
        let better = || best.iter().filter(|other| other.beats(group, goals));
        let near = better().find(|other| group.is_within_error_of(other, goals));
        let standing = match (near, better().next()) {
            _ if !group.missed.is_empty() => Standing::Misses(group.missed.clone()),
            (Some(near), _) => Standing::WithinErrorOf(near.points[0]),
            (None, Some(better)) => Standing::WorseThan(better.points[0]),
            // A group that another one beats is also beaten by a best one: among unequal groups `beats` is a partial order.
            (None, None) => Standing::Best,
        };
        Row {
            points: group.points.clone(),
            standing,
        }
    };
    groups.iter().map(row).collect()
}
