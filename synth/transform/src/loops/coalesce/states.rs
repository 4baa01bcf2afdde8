//! Attributes, state names and strength-reduced counter products of a flattened nest.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{BYPASS, NEST};
use sluice_dialects::{arith, index, sluice};
use sluice_ir::{Body, Context, Name, ValueId};

use super::nest::{Bound, LoopIndex, LoopNode, Nest};
use super::run::Run;
use crate::build::{constant_i64, name};
use crate::loops::coalesce::machine::State;

pub(super) fn flat_attributes(
    context: &Context,
    body: &Body,
    nest: &Nest,
) -> Vec<(Name, sluice_ir::Attribute)> {
    let of = |node: &LoopNode, name| Some((name, body.attribute(node.source?.0, name)?));
    let fixed = context.name(sluice::FIXED_II);
    let mut wanted = nest.loops.iter().filter_map(|node| of(node, fixed));
    let number = of(&nest.loops[0], context.name(NEST));
    let bypass = of(&nest.loops[0], context.name(BYPASS));
    wanted
        .next_back()
        .into_iter()
        .chain(number)
        .chain(bypass)
        .collect()
}

/// Returns products of a counter and a constant that is no power of two, for loops that start at a non-negative constant.
pub(super) fn scaled_counters(
    context: &Context,
    body: &Body,
    nest: &Nest,
    run: &Run,
) -> BTreeMap<ValueId, (LoopIndex, i64)> {
    let mut found = BTreeMap::new();
    for (index, node) in nest.loops.iter().enumerate() {
        let starts_at = match node.lower {
            Bound::Number(number) => Some(number),
            Bound::Value(value) => constant_i64(context, body, value),
        };
        let facts = run.counters[index];
        let Some((_, counter)) = node.source else {
            continue;
        };
        if starts_at != Some(facts.least) || facts.least < 0 || !body.ty(counter).is_index(context)
        {
            continue;
        }
        for (user, _) in body.uses(counter) {
            let factor = matches!(
                name(context, body, user),
                arith::Muli::NAME | index::Mul::NAME
            )
            .then(|| {
                body.operands(user)
                    .find_map(|v| constant_i64(context, body, v))
            })
            .flatten();
            let worth = |factor: &i64| *factor > 2 && !factor.unsigned_abs().is_power_of_two();
            let in_range = |factor: &i64| {
                let ends = [facts.greatest, node.step];
                ends.iter().all(|n| n.checked_mul(*factor).is_some())
            };
            if let Some(factor) = factor.filter(worth).filter(in_range) {
                found.insert(body.result(user, 0), (index, factor));
            }
        }
    }
    found
}

/// Returns the name of a state: `k`, `k_is_last` or `k_turn`, after the counter of its loop.
pub(super) fn state_name(
    context: &Context,
    body: &Body,
    nest: &Nest,
    state: State,
) -> Option<Name> {
    let (index, ending) = match state {
        State::Counter(index) => (index, ""),
        State::InLast(index) => (index, "_is_last"),
        State::Works(index) => (index, "_works"),
        State::Entered(index) => (index, "_is_first"),
        State::Scaled(index, _) => (index, "_offset"),
        State::Turn(group) => (nest.groups[group].around, "_turn"),
    };
    let counter = nest.loops[index].source.map(|(_, counter)| counter);
    let name = match counter {
        Some(counter) => context.text(body.value_name(counter)?),
        None => "wait",
    };
    Some(context.name(&format!("{name}{ending}")))
}

/// Returns the joined counter names, such as `i_j_k`, if the source names any of them.
pub(super) fn joined_name(context: &Context, body: &Body, nest: &Nest) -> Option<String> {
    let names: Vec<&str> = nest
        .loops
        .iter()
        .filter_map(|node| body.value_name(node.source?.1))
        .map(|name| context.text(name))
        .collect();
    (!names.is_empty()).then(|| names.join("_"))
}
