//! Decides in which steps the groups of operations between loops run: in the steps of an adjacent loop, or in steps of their own.

use std::collections::BTreeMap;

use sluice_dialects::{
    memref,
    synthesis_form::{guarded_access, guarded_division, is_division},
};
use sluice_ir::{Body, Context, OperationId, ValueId, View};
use sluice_oplib::class::OperatorClass;

use super::Limits;
use super::nest::{Child, Group, GroupIndex, LoopIndex, Nest, Place};
use super::run::Run;

/// A resource with a limited number of uses per step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Resource {
    ReadPort(ValueId),
    WritePort(ValueId),
    Unit(&'static str),
}

pub(super) type Uses = BTreeMap<Resource, u32>;

/// Returns the resource that an operation needs.
pub(super) fn resource_of(
    context: &Context,
    body: &Body,
    op: OperationId,
    limits: &Limits,
) -> Option<Resource> {
    let view = View::new(context, body, op);
    let inner = guarded_access(view).or_else(|| guarded_division(view));
    let op = inner.unwrap_or(op);
    let view = View::new(context, body, op);
    match view.name() {
        memref::Load::NAME => Some(Resource::ReadPort(view.operand(0))),
        memref::Store::NAME => Some(Resource::WritePort(view.operand(1))),
        other => {
            let class = OperatorClass::of_operation(other, None)?;
            let constant = view
                .operands()
                .any(|v| crate::build::constant_of(context, body, v).is_some());
            let limited = limits.contains_key(class.name()) || is_division(view);
            (class.is_worth_sharing() && !constant && limited).then(|| Resource::Unit(class.name()))
        }
    }
}

/// Returns the number of uses that a step may have.
pub(super) fn capacity(resource: &Resource, limits: &Limits) -> u32 {
    match resource {
        Resource::ReadPort(_) | Resource::WritePort(_) => 1,
        Resource::Unit(class) => limits.get(*class).copied().unwrap_or(1).max(1),
    }
}

pub(super) fn uses(context: &Context, body: &Body, group: &Group, limits: &Limits) -> Uses {
    let mut uses = Uses::new();
    for op in &group.ops {
        if let Some(resource) = resource_of(context, body, *op, limits) {
            *uses.entry(resource).or_insert(0) += 1;
        }
    }
    uses
}

/// Returns the minimum number of cycles of a step with these uses.
pub(super) fn interval(uses: &Uses, limits: &Limits) -> u32 {
    let needed = uses
        .iter()
        .map(|(resource, n)| n.div_ceil(capacity(resource, limits)));
    needed.max().unwrap_or(1).max(1)
}

/// Chooses the place of every group; returns for each group the group in whose steps it runs.
pub(super) fn place(
    context: &Context,
    body: &Body,
    nest: &mut Nest,
    counted: &Run,
    limits: &Limits,
) -> Vec<GroupIndex> {
    let always_runs: Vec<bool> = counted
        .counters
        .iter()
        .map(|facts| facts.entries > 0 && facts.empty_entries == 0)
        .collect();
    let is_innermost: Vec<bool> = nest
        .loops
        .iter()
        .map(|node| !node.children.iter().any(|c| matches!(c, Child::Loop(_))))
        .collect();
    ensure_steps(nest, &always_runs, &is_innermost);
    let all_uses: Vec<Uses> = nest
        .groups
        .iter()
        .map(|group| uses(context, body, group, limits))
        .collect();
    let mut load = all_uses.clone();
    // First the groups that need steps of their own, then the others if they fit.
    let needs_step: Vec<bool> = (0..nest.groups.len())
        .map(|g| is_innermost[nest.groups[g].around] || must_step(nest, g, &always_runs))
        .collect();
    let mut interval_now = (0..nest.groups.len())
        .filter(|g| needs_step[*g])
        .map(|g| interval(&all_uses[g], limits))
        .max()
        .unwrap_or(1);
    let mut host: Vec<GroupIndex> = (0..nest.groups.len()).collect();
    let depth = |group: &GroupIndex| {
        let mut around = Some(nest.groups[*group].around);
        std::iter::from_fn(|| {
            let index = around?;
            around = nest.loops[index].parent.map(|(parent, _)| parent);
            Some(index)
        })
        .count()
    };
    // Innermost first: the groups with steps inside a loop are decided before the groups beside it.
    let mut order: Vec<GroupIndex> = (0..nest.groups.len()).collect();
    order.sort_by_key(|group| std::cmp::Reverse(depth(group)));
    for group in order {
        if needs_step[group] {
            continue;
        }
        let beside = neighbours(nest, group, &always_runs, &host);
        let fits = beside.into_iter().find(|(_, candidate)| {
            let mut together = load[*candidate].clone();
            for (resource, n) in &all_uses[group] {
                *together.entry(resource.clone()).or_insert(0) += n;
            }
            interval(&together, limits) <= interval_now
        });
        match fits {
            Some((place, candidate)) => {
                for (resource, n) in &all_uses[group] {
                    *load[candidate].entry(resource.clone()).or_insert(0) += n;
                }
                nest.groups[group].place = place;
                host[group] = candidate;
            }
            None => interval_now = interval_now.max(interval(&all_uses[group], limits)),
        }
    }
    host
}

/// Returns whether no other child of the loop certainly has a step.
fn must_step(nest: &Nest, group: GroupIndex, always_runs: &[bool]) -> bool {
    let children = &nest.loops[nest.groups[group].around].children;
    let first = children.iter().find_map(|child| match child {
        Child::Group(group) => Some(*group),
        Child::Loop(_) => None,
    });
    let other = children
        .iter()
        .any(|child| matches!(child, Child::Loop(inner) if always_runs[*inner]));
    !other && first == Some(group)
}

/// Adds a group to every loop whose inner loops may all be empty, so that each iteration has a step.
fn ensure_steps(nest: &mut Nest, always_runs: &[bool], is_innermost: &[bool]) {
    for (index, innermost) in is_innermost.iter().enumerate() {
        let node = &nest.loops[index];
        let has_step = *innermost
            || node.children.iter().any(|child| match child {
                Child::Loop(inner) => always_runs[*inner],
                Child::Group(_) => true,
            });
        if !has_step {
            nest.add_idle_step(index, 0);
        }
    }
}

/// Returns the possible places beside a group, the preceding loop first, with the group whose steps they use.
fn neighbours(
    nest: &Nest,
    group: GroupIndex,
    always_runs: &[bool],
    host: &[GroupIndex],
) -> Vec<(Place, GroupIndex)> {
    let (around, at) = nest.position(group);
    let children = &nest.loops[around].children;
    let mut found = Vec::new();
    if let Some(Child::Loop(before)) = at.checked_sub(1).and_then(|at| children.get(at))
        && let Some(last) = end_group(nest, *before, always_runs, host, true)
    {
        found.push((Place::Last(*before), last));
    }
    if let Some(Child::Loop(behind)) = children.get(at + 1)
        && let Some(first) = end_group(nest, *behind, always_runs, host, false)
    {
        found.push((Place::First(*behind), first));
    }
    found
}

/// Returns the group that always runs in the first or the last step of a loop.
fn end_group(
    nest: &Nest,
    index: LoopIndex,
    always_runs: &[bool],
    host: &[GroupIndex],
    last: bool,
) -> Option<GroupIndex> {
    if !always_runs[index] {
        return None;
    }
    let children = &nest.loops[index].children;
    let ends: Vec<&Child> = if last {
        children.iter().rev().collect()
    } else {
        children.iter().collect()
    };
    for child in ends {
        match child {
            Child::Loop(inner) => {
                return end_group(nest, *inner, always_runs, host, last);
            }
            // A group placed elsewhere has no step of its own.
            Child::Group(group) if host[*group] != *group => {}
            Child::Group(group) => return Some(*group),
        }
    }
    None
}
