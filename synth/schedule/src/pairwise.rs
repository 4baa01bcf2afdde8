//! Exact placement by an integer program whose size does not depend on the II: for each pair of operations that share a kind of
//! unit, binaries say if the first is on an earlier unit or in an earlier slot.
//!
//! Source: J. Oppermann, A. Koch, M. Reuter-Oppermann and O. Sinnen, ILP-based modulo scheduling for high-level synthesis,
//! CASES 2016 (Moovac), section 4. Differs: operations that do not compete for units are represented by the longest paths
//! through them; an operation may hold its unit for several cycles.

use good_lp::{Expression, variable};

use crate::exact::{Program, float, placed};
use crate::linear::{Column, Model, Outcome};
use crate::options::Limits;
use crate::task::{Answer, Task};

/// Searches a placement.
pub fn place(task: &Task<'_>, limits: Limits) -> Answer {
    placed(task, |program| {
        let size = coefficients(program);
        if size > limits.coefficients {
            return Err(format!(
                "its integer program has {size} coefficients, more than {}",
                limits.coefficients
            ));
        }
        solve(program, limits, size)
    })
}

/// Returns an estimate of the non-zero coefficients.
fn coefficients(program: &Program<'_>) -> usize {
    let pairs = pairs(program).len();
    (14 * pairs)
        .saturating_add(4 * program.binding_gaps.len())
        .saturating_add(4 * program.members.len())
}

/// Returns the pairs of members on the same kind of unit, first before second.
fn pairs(program: &Program<'_>) -> Vec<(usize, usize)> {
    let count = program.members.len();
    (0..count)
        .flat_map(|one| (one + 1..count).map(move |other| (one, other)))
        .filter(|&(one, other)| program.resource(one) == program.resource(other))
        .collect()
}

struct Member {
    slot: Column,
    stage: Option<Column>,
    unit: Option<Column>,
    n_units: usize,
}

fn solve(
    program: &Program<'_>,
    limits: Limits,
    size: usize,
) -> Result<Option<Vec<(i64, usize)>>, String> {
    let mut model = Model::default();
    let mut members: Vec<Member> = Vec::new();
    let last_stage = last_stage(program);
    for member in 0..program.members.len() {
        let choices = &program.choices[member];
        let (Some(&first), Some(&last)) = (choices.first(), choices.last()) else {
            return Ok(None);
        };
        let slot = variable().integer().min(float(first)).max(float(last));
        let slot = model.column(slot);
        let (least, greatest) = program.stages[member];
        let stage = program.ii.map(|_| {
            let greatest = greatest.unwrap_or(last_stage);
            let stage = variable().integer();
            model.column(stage.min(float(least)).max(float(greatest)))
        });
        let resource = program.resource(member);
        let ordinal = (0..member)
            .filter(|&other| program.resource(other) == resource)
            .count();
        let n_units = usize::try_from(program.problem.resource(resource).count)
            .unwrap_or(usize::MAX)
            .min(ordinal + 1);
        let unit = (n_units > 1).then(|| {
            let last = u32::try_from(n_units - 1).map_or(f64::MAX, f64::from);
            model.column(variable().integer().min(0.0).max(last))
        });
        members.push(Member {
            slot,
            stage,
            unit,
            n_units,
        });
    }
    add_gaps(program, &mut model, &members);
    for (one, other) in pairs(program) {
        add_pair(program, &mut model, &members, one, other);
    }
    let values = match model.solve(limits.budget(size)) {
        Outcome::Optimal(values) | Outcome::Feasible(values) => values,
        Outcome::Infeasible => return Ok(None),
        Outcome::Unknown(reason) => return Err(reason),
    };
    let value = |column: &Column| values[column.index].round();
    Ok(Some(
        members
            .iter()
            .map(|member| {
                let unit = member.unit.as_ref().map_or(0.0, value);
                // Both are small integers.
                (value(&member.slot) as i64, unit as usize)
            })
            .collect(),
    ))
}

/// Returns an upper bound of the stages: the last of the least stages of the members, plus the stages that all gaps take in
/// sequence.
fn last_stage(program: &Program<'_>) -> i64 {
    let Some(ii) = program.ii else {
        return 0;
    };
    let first = program.stages.iter().map(|(least, _)| *least).max();
    let gaps = program.binding_gaps.iter();
    let taken = gaps.map(|(_, _, gap)| gap.div_euclid(ii) + 2);
    first.unwrap_or(0) + taken.map(|stages| stages.max(0)).sum::<i64>()
}

fn add_gaps(program: &Program<'_>, model: &mut Model, members: &[Member]) {
    let zero = members.len();
    let start = |member: usize| -> Expression {
        let mut start = Expression::from(0.0);
        if member != zero {
            start += members[member].slot.variable;
            if let (Some(stage), Some(ii)) = (members[member].stage, program.ii) {
                start += float(ii) * stage.variable;
            }
        }
        start
    };
    for &(from, to, gap) in &program.binding_gaps {
        model.row((start(to) - start(from)).geq(float(gap)));
    }
}

/// Adds the rows that place one of the two on an earlier unit or in an earlier slot.
fn add_pair(
    program: &Program<'_>,
    model: &mut Model,
    members: &[Member],
    one: usize,
    other: usize,
) {
    let mut any = Expression::from(0.0);
    for (first, second) in [(one, other), (other, one)] {
        let (a, b) = (&members[first], &members[second]);
        let before = model.column(variable().binary());
        any += before.variable;
        let held = |member: usize| {
            i64::from(program.problem.operations[program.members[member]].occupancy_cycles)
        };
        let (held_first, held_second) = (held(first), held(second));
        let apart = b.slot.variable - a.slot.variable;
        let big = program.slots - 1 + held_first;
        // If this binary is 1, the second starts after the first has released the unit ...
        let chosen = apart.clone() - float(big) * before.variable;
        model.row(chosen.geq(float(held_first - big)));
        // ... and releases it before the next iteration of the first.
        if program.ii.is_some() && held_second > 1 {
            let wraps = apart + float(held_second - 1) * before.variable;
            model.row(wraps.leq(float(program.slots - 1)));
        }
        if a.n_units > 1 || b.n_units > 1 {
            let lower = model.column(variable().binary());
            any += lower.variable;
            let count = a.n_units.max(b.n_units);
            let count = u32::try_from(count).map_or(f64::MAX, f64::from);
            let mut apart = Expression::from(0.0);
            if let Some(unit) = b.unit {
                apart += unit.variable;
            }
            if let Some(unit) = a.unit {
                apart -= unit.variable;
            }
            model.row((apart - count * lower.variable).geq(1.0 - count));
        }
    }
    model.row(any.geq(1.0));
}
