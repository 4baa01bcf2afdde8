//! Fronts: of each device the points that no other point of it beats.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use sluice_oplib::mapping::Expected;

use super::figures::Figures;
use super::goals::Goals;
use super::point::Point;
use super::result::{Outcome, PointResult};

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
struct Group {
    points: Vec<usize>,
    /// The objectives, as they are shown.
    values: Vec<Expected>,
    /// Constraints that they do not keep.
    missed: Vec<String>,
}

impl Group {
    fn of(point: usize, figures: &Figures, goals: &Goals) -> Self {
        let objectives = goals.objectives.iter();
        let constraints = goals.constraints.iter();
        let missed =
            constraints.filter_map(|bound| bound.missed_by(figures.of_objective(bound.of).value));
        Self {
            points: vec![point],
            values: objectives.map(|of| figures.of_objective(*of)).collect(),
            missed: missed.collect(),
        }
    }

    /// As good in every objective, and better in one: groups are not equal in all.
    fn beats(&self, other: &Self) -> bool {
        let mut values = self.values.iter().zip(&other.values);
        self.points != other.points && values.all(|(own, other)| own.value <= other.value)
    }

    /// Whether the figures lie in the intervals of another group.
    fn is_within_error_of(&self, other: &Self) -> bool {
        let mut values = self.values.iter().zip(&other.values);
        values.all(|(own, other)| own.value <= other.high)
    }

    /// By the objectives, the first one first; equal groups differ in the constraints that they do not keep.
    fn order(&self, other: &Self) -> Ordering {
        let values = self.values.iter().zip(&other.values);
        let orders = values.map(|(own, other)| own.value.total_cmp(&other.value));
        let by_values = orders.fold(Ordering::Equal, Ordering::then);
        by_values.then_with(|| self.missed.cmp(&other.missed))
    }
}

/// The rows of the points of one device.
fn rows(own: &[usize], results: &[Option<PointResult>], goals: &Goals) -> Vec<Row> {
    let mut all: Vec<Group> = Vec::new();
    let mut failed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for point in own {
        match results[*point].as_ref().map(|result| &result.outcome) {
            Some(Outcome::Circuit(figures)) => all.push(Group::of(*point, figures, goals)),
            Some(Outcome::Failed { reason, .. }) => failed.entry(reason).or_default().push(*point),
            None => {}
        }
    }
    all.sort_by(|a, b| a.order(b).then_with(|| a.points.cmp(&b.points)));
    let mut groups: Vec<Group> = Vec::new();
    for one in all {
        match groups.last_mut().filter(|last| last.order(&one).is_eq()) {
            Some(last) => last.points.extend(one.points),
            None => groups.push(one),
        }
    }
    let mut rows = compared(&groups);
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

/// How each group compares with those that keep the constraints. The groups are in their order.
fn compared(groups: &[Group]) -> Vec<Row> {
    // A group that another one beats is also beaten by a best one before it: `beats` is a partial order that the order extends.
    let mut best: Vec<&Group> = Vec::new();
    for group in groups.iter().filter(|group| group.missed.is_empty()) {
        if !best.iter().any(|other| other.beats(group)) {
            best.push(group);
        }
    }
    let row = |group: &Group| {
        let better = || best.iter().filter(|other| other.beats(group));
        let near = better().find(|other| group.is_within_error_of(other));
        let standing = match (near, better().next()) {
            _ if !group.missed.is_empty() => Standing::Misses(group.missed.clone()),
            (Some(near), _) => Standing::WithinErrorOf(near.points[0]),
            (None, Some(better)) => Standing::WorseThan(better.points[0]),
            (None, None) => Standing::Best,
        };
        Row {
            points: group.points.clone(),
            standing,
        }
    };
    groups.iter().map(row).collect()
}
