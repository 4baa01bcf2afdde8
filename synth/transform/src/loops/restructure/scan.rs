//! Loop bounds as linear forms: bounds of a nest in another loop order, and the code that computes them.
//!
//! Source: C. Ancourt, F. Irigoin, "Scanning polyhedra with DO loops", PPoPP 1991 (Fourier-Motzkin elimination). Differs: bounds
//! have no divisions; a nest that needs them is rejected.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, scf};
use sluice_ir::{
    Attribute, BlockId, Body, Builder, Context, InsertionPoint, Location, Name, NewOperation,
    OperationId, ValueId,
};

use super::nest::{counter, title};
use crate::analysis::dependence_vectors::{Counter, counter_of, unit};
use crate::analysis::linear::{Linear, is_invariant};
use crate::analysis::linear_system::{LinearSystem, Solutions};
use crate::build::{binary, constant};

/// A loop of the nest to be generated.
pub(super) struct Level {
    /// The old counter that the loop replaces.
    pub(super) old: ValueId,
    /// Lower bounds; each of them holds.
    pub(super) lower: Vec<Linear>,
    /// Inclusive upper bounds; each of them holds.
    pub(super) last: Vec<Linear>,
    /// The step.
    pub(super) step: i64,
    /// The name of the new counter.
    pub(super) name: Option<Name>,
    /// The directives.
    pub(super) attributes: Vec<(Name, Attribute)>,
    /// The source location.
    pub(super) location: Location,
}

/// Returns the counter of each loop of a chain, if their bounds contain only counters of the chain and values from outside.
pub(super) fn counters(
    context: &Context,
    body: &Body,
    chain: &[OperationId],
) -> Result<Vec<Counter>, String> {
    let all: Vec<ValueId> = chain.iter().map(|op| counter(body, *op)).collect();
    let mut found = Vec::new();
    for op in chain {
        let words = title(context, body, *op);
        let known = counter_of(context, body, *op).filter(|c| !c.lower.is_empty());
        let known = known.ok_or_else(|| {
            format!("the counter of {words} is not an `index`: only those can be computed anew")
        })?;
        let step = crate::build::constant_i64(context, body, body.operand(*op, 2));
        let step = step
            .filter(|step| *step > 0)
            .ok_or_else(|| format!("the step of {words} is not a constant"))?;
        if step > 1 && known.lower.len() > 1 {
            return Err(format!(
                "{words} has a step of {step} and starts at the largest of several values: write one lower bound"
            ));
        }
        let mut terms = known.lower.iter().chain(&known.last);
        let is_known =
            |value: &ValueId| all.contains(value) || is_invariant(body, chain[0], *value);
        if terms.any(|form| !form.terms.keys().all(is_known)) {
            return Err(format!(
                "a bound of {words} is not a sum of counters and of values from outside the nest"
            ));
        }
        found.push(Counter { step, ..known });
    }
    Ok(found)
}

/// Returns whether no bound of a counter contains another counter.
pub(super) fn is_rectangular(counters: &[Counter]) -> bool {
    let mentions = |form: &Linear| counters.iter().any(|c| form.coefficient(c.value) != 0);
    let mut forms = counters.iter().flat_map(|c| c.lower.iter().chain(&c.last));
    !forms.any(mentions)
}

/// Returns the constraints on a counter, as forms that are not negative.
pub(super) fn constraints(counter: &Counter) -> Vec<Linear> {
    let value = unit(counter.value);
    let lower = counter.lower.iter().map(|low| value.minus(low));
    let upper = counter.last.iter().map(|high| high.minus(&value));
    lower.chain(upper).flatten().collect()
}

/// Removes constraints that follow from the others.
pub(super) fn without_redundant(mut constraints: Vec<Linear>) -> Vec<Linear> {
    let mut at = constraints.len();
    while at > 0 {
        at -= 1;
        let values: BTreeSet<ValueId> = constraints
            .iter()
            .flat_map(|form| form.terms.keys().copied())
            .collect();
        let mut system = LinearSystem::default();
        let places: BTreeMap<ValueId, usize> = values
            .into_iter()
            .map(|value| (value, system.add_variable()))
            .collect();
        let row = |system: &LinearSystem, form: &Linear, sign: i128, constant: i128| {
            let mut row = system.row();
            let last = row.len() - 1;
            for (value, coefficient) in &form.terms {
                row[places[value]] = sign * i128::from(*coefficient);
            }
            row[last] = sign * i128::from(form.constant) + constant;
            row
        };
        for (i, form) in constraints.iter().enumerate() {
            // The examined constraint is negated.
            let row = if i == at {
                row(&system, form, -1, -1)
            } else {
                row(&system, form, 1, 0)
            };
            system.require_not_negative(row);
        }
        if system.solutions() == Solutions::None {
            constraints.remove(at);
        }
    }
    constraints
}

/// Eliminates a value from the constraints: exact, if of every two constraints that bound it one has a coefficient of 1; else
/// `None`.
pub(super) fn eliminate(constraints: &[Linear], value: ValueId) -> Option<Vec<Linear>> {
    let of_sign = |sign: i64| {
        let all = constraints.iter();
        all.filter(move |form| form.coefficient(value).signum() == sign)
    };
    let mut left: Vec<Linear> = of_sign(0).cloned().collect();
    for low in of_sign(1) {
        for high in of_sign(-1) {
            let (a, b) = (low.coefficient(value), -high.coefficient(value));
            if a != 1 && b != 1 {
                return None;
            }
            // a x + low >= 0 and high - b x >= 0
            let scaled = Linear::default().plus(low, b)?;
            left.push(scaled.plus(high, a)?);
        }
    }
    Some(without_redundant(left))
}

/// Returns lower bounds and inclusive upper bounds of `value`; `None` if one would need a division.
pub(super) fn bounds_of(
    constraints: &[Linear],
    value: ValueId,
) -> Option<(Vec<Linear>, Vec<Linear>)> {
    let (mut lower, mut last) = (Vec::new(), Vec::new());
    for form in constraints {
        let rest = form.without(value);
        match form.coefficient(value) {
            0 => {}
            1 => lower.push(Linear::default().minus(&rest)?),
            -1 => last.push(rest),
            _ => return None,
        }
    }
    Some((lower, last))
}

/// Emits a linear form with its values replaced by `values`.
fn emit_form(
    builder: &mut Builder<'_>,
    form: &Linear,
    plus: i64,
    values: &BTreeMap<ValueId, ValueId>,
) -> ValueId {
    let index = builder.context.index_type();
    let total = form.constant + plus;
    let mut terms: Vec<(ValueId, i64)> = form.terms.iter().map(|(v, c)| (*v, *c)).collect();
    // A sum starts with the positive terms.
    terms.sort_by_key(|(_, coefficient)| *coefficient < 0);
    let mut sum: Option<ValueId> = None;
    for (value, coefficient) in terms {
        let value = values.get(&value).copied().unwrap_or(value);
        let scaled = |builder: &mut Builder<'_>, factor: i64| match factor {
            1 => value,
            _ => {
                let factor = constant(builder, index, factor);
                binary(builder, arith::Muli::NAME, value, factor)
            }
        };
        sum = Some(match sum {
            None => scaled(builder, coefficient),
            Some(before) if coefficient < 0 => {
                let term = scaled(builder, -coefficient);
                binary(builder, arith::Subi::NAME, before, term)
            }
            Some(before) => {
                let term = scaled(builder, coefficient);
                binary(builder, arith::Addi::NAME, before, term)
            }
        });
    }
    match sum {
        None => constant(builder, index, total),
        Some(sum) if total == 0 => sum,
        Some(sum) => {
            let total = constant(builder, index, total);
            binary(builder, arith::Addi::NAME, sum, total)
        }
    }
}

fn emit_extreme(
    builder: &mut Builder<'_>,
    forms: &[Linear],
    plus: i64,
    operation: &str,
    values: &BTreeMap<ValueId, ValueId>,
) -> ValueId {
    let all: Vec<ValueId> = forms
        .iter()
        .map(|form| emit_form(builder, form, plus, values))
        .collect();
    let mut all = all.into_iter();
    let first = all.next().expect("a loop has bounds");
    all.fold(first, |so_far, next| {
        binary(builder, operation, so_far, next)
    })
}

/// Emits the loops of `levels` before `anchor`, outermost first, with empty bodies. `values` maps counters in the bounds to new
/// values and receives the new counters. Returns the innermost block, which ends in its terminator, and all loops.
pub(super) fn emit(
    context: &Context,
    body: &mut Body,
    anchor: OperationId,
    levels: &[Level],
    values: &mut BTreeMap<ValueId, ValueId>,
) -> (BlockId, Vec<OperationId>) {
    let mut builder = Builder::before(context, body, anchor);
    let mut made = Vec::new();
    let mut innermost = None;
    for level in levels {
        builder.location = level.location;
        let lower = emit_extreme(&mut builder, &level.lower, 0, arith::Maxsi::NAME, values);
        let upper = emit_extreme(&mut builder, &level.last, 1, arith::Minsi::NAME, values);
        let index = context.index_type();
        let step = constant(&mut builder, index, level.step);
        let mut new = NewOperation::new(context.operation_name(scf::For::NAME), level.location);
        new.operands.extend([lower, upper, step]);
        new.attributes.clone_from(&level.attributes);
        new.n_regions = 1;
        let op = builder.create(new);
        let region = builder.body.regions(op)[0];
        let block = builder.body.append_block(region);
        let argument = builder.body.add_argument(block, index, level.location);
        builder.body.set_value_name(argument, level.name);
        values.insert(level.old, argument);
        builder.point = InsertionPoint::End(block);
        let end = builder.operation(scf::Yield::NAME, &[], &[], &[]);
        builder.point = InsertionPoint::Before(end);
        made.push(op);
        innermost = Some(block);
    }
    (innermost.expect("a nest has loops"), made)
}

/// Moves the body of the old innermost loop into the new nest and erases the old nest. `values` maps old counters to new ones.
pub(super) fn move_body(
    body: &mut Body,
    chain: &[OperationId],
    block: BlockId,
    values: &BTreeMap<ValueId, ValueId>,
) {
    let innermost = *chain.last().expect("a nest has loops");
    let end = body
        .last_operation(block)
        .expect("a body ends in a terminator");
    for op in super::nest::operations(body, innermost) {
        body.move_before(end, op);
    }
    for op in chain {
        let old = counter(body, *op);
        if let Some(new) = values.get(&old) {
            body.replace_all_uses(old, *new);
        }
    }
    body.erase(chain[0]);
}
