//! `coalesce`: flattens a nest of loops with known bounds, perfect or not, rectangular or not, into one loop over its steps. A
//! perfect nest whose bounds are known at run time only becomes a `while` loop ([`runtime_bounds`]).
//!
//! A pipelined loop drains when it ends. A nest with pipelined inner loops drains once per entry of an inner loop; as one loop it
//! drains once. A small decision list advances the counters ([`control`]). Operations between the inner loops run in the first or
//! last steps of these loops, or in separate steps if a memory port or unit would be needed twice ([`place`]). Dependence
//! distances come from simulating all steps ([`simulation`]), so triangular nests are exact.
//!
//! Source: loop coalescing, C. D. Polychronopoulos, "Loop coalescing: a compiler transformation for parallel machines", ICPP
//! 1987. Differs: counters are kept and advanced instead of recovered by division.

mod access_history;
mod around;
mod condition;
mod control;
mod data_path;
mod early;
mod emit;
mod entry;
mod expression;
mod iteration_shifter;
mod machine;
mod merge;
mod nest;
mod next_state;
mod overlap;
mod place;
mod read;
mod recurrence;
mod run;
mod runtime_bounds;
mod selection;
mod simulation;
mod software_pipelining;
mod space;
mod states;
mod whole;
mod widths;

use std::collections::BTreeMap;

use sluice_dialects::sluice::{BYPASS, FLATTEN, PHASES, ROTATE, ROWS, SPACING, WAITS};
use sluice_dialects::{memref, scf, sluice, synthesis_form::divides};
use sluice_ir::{Body, Context, Location, OperationId, View};

use crate::build::name;
use crate::datapath::if_convert::hoist_from_guards;
use read::Apart;

/// Maximum number of units of each operator class, by its name in device files.
pub type Limits = BTreeMap<String, u32>;

/// Properties of the units that operations run on.
pub struct Units<'a> {
    /// Maximum number of units per class.
    pub limits: &'a Limits,
    /// The latency in cycles of a division, by its width in bits.
    pub division_cycles: &'a (dyn Fn(u32) -> u32 + Sync),
    /// Whether nests with bounds that are known at run time only are flattened.
    pub runtime_bounds: bool,
}

/// Flattens every possible nest, starting at the outermost loop that allows it.
///
/// The new loop has `sluice.steps`: its dependences as triples of two `sluice.access` numbers and a distance, which `annotate`
/// uses. Returns the loops that [`FLATTEN`] requests but that could not be flattened.
pub fn coalesce(context: &Context, body: &mut Body, units: &Units<'_>) -> Vec<KeptApart> {
    hoist_from_guards(context, body);
    let mut kept_apart = Vec::new();
    for op in body.walk_all() {
        if body.is_erased(op) || name(context, body, op) != scf::For::NAME {
            continue;
        }
        let request = body.attribute_named(context, op, FLATTEN);
        let is_requested = request.and_then(|request| request.as_bool(context)) == Some(true);
        let root = body.location(op);
        let Err(Apart { op: place, reason }) = flatten(context, body, op, units) else {
            continue;
        };
        let may_retry = units.runtime_bounds && !body.is_erased(op);
        if may_retry && runtime_bounds::flatten(context, body, op) {
            continue;
        }
        if is_requested {
            kept_apart.push(KeptApart {
                root,
                place: body.location(place),
                reason,
            });
        }
    }
    kept_apart
}

/// A loop that cannot be flattened with its inner loops.
#[derive(Clone, Copy, Debug)]
pub struct KeptApart {
    /// The loop.
    pub root: Location,
    /// The operation that prevents it: the loop itself or one inside it.
    pub place: Location,
    /// The reason, in a text for the user.
    pub reason: &'static str,
}

/// Flattens a nest, if possible.
fn flatten(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    units: &Units<'_>,
) -> Result<(), Apart> {
    let limits = units.limits;
    let number = |body: &Body, root: OperationId, name: &str| {
        let attribute = body.attribute_named(context, root, name)?;
        u64::try_from(attribute.as_i64(context)?).ok()
    };
    let pipelining = number(body, root, ROTATE).unwrap_or(0);
    let (root, pipelined) = if pipelining > 0 {
        let wanted = software_pipelining::Pipelining::of(pipelining);
        let (root, done) =
            software_pipelining::pipeline_outer_loops(context, body, root, limits, wanted);
        (root, done.number())
    } else {
        (root, 0)
    };
    let phases = number(body, root, PHASES).unwrap_or(0) > 0;
    let mut nest = read::read(context, body, root, limits, phases)?;
    early::copy_early(body, &mut nest);
    let uncounted = || Apart {
        op: root,
        reason: "its iterations cannot be run at compile time: bounds depend on more than counters, or there are more than 2^21 steps",
    };
    let mut counted = simulation::run(context, body, root, &nest).ok_or_else(uncounted)?;
    if !counted.dead_stores.is_empty() {
        nest.leave_out(&counted.dead_stores);
        counted = simulation::run(context, body, root, &nest).ok_or_else(uncounted)?;
    }
    let host = place::place(context, body, &mut nest, &counted, limits);
    let request = |name: &str| number(body, root, name).unwrap_or(1);
    let requests = space::Requests {
        spacing: request(SPACING),
        rows: request(ROWS),
        waits: number(body, root, WAITS).unwrap_or(0) > 0,
        division: division_steps(context, body, &nest, units),
    };
    let spaced = space::space(context, body, root, &mut nest, host, limits, requests);
    let (run, host) = spaced.ok_or_else(uncounted)?;
    if run.steps == 0 {
        let reason = "it has no iterations";
        return Err(Apart { op: root, reason });
    }
    if !entry::has_steps(&run) {
        let reason = "the loops around it enter it in too many ways";
        return Err(Apart { op: root, reason });
    }
    let flat = emit::emit(context, body, root, &nest, &run, host);
    if pipelined > 0 {
        let pipelined = context.i64_attribute(i64::try_from(pipelined).unwrap_or(0));
        body.set_attribute(flat.op, context.name(sluice::ROTATED), pipelined);
    }
    let merged = merge::merge(context, body, &flat, &run, limits);
    annotate(context, body, &flat, &run, &merged);
    Ok(())
}

/// Returns the number of steps that the widest division of a nest takes; 0 if there is none.
fn division_steps(context: &Context, body: &Body, nest: &nest::Nest, units: &Units<'_>) -> u64 {
    let ops = nest.groups.iter().flat_map(|group| &group.ops);
    let divisions = ops.filter(|op| divides(View::new(context, body, **op)));
    let widest = divisions
        .filter_map(|op| body.ty(body.result(*op, 0)).width_bits(context))
        .max();
    let interval = nest.groups.iter().map(|group| {
        let uses = place::uses(context, body, group, units.limits);
        place::interval(&uses, units.limits)
    });
    let interval = interval.max().unwrap_or(1);
    let steps = widest.map_or(0, |width| (units.division_cycles)(width).div_ceil(interval));
    u64::from(steps)
}

/// Numbers the accesses of the loop and records their dependences on it.
fn annotate(
    context: &Context,
    body: &mut Body,
    flat: &emit::Flat,
    run: &run::Run,
    merged: &BTreeMap<OperationId, OperationId>,
) {
    let of = |op: &OperationId| merged.get(op).copied().unwrap_or(*op);
    let accesses: Vec<OperationId> = flat
        .emitted
        .iter()
        .map(|(op, _)| *op)
        .filter(|op| !body.is_erased(*op))
        .filter(|op| {
            matches!(
                name(context, body, *op),
                memref::Load::NAME | memref::Store::NAME
            )
        })
        .collect();
    let attribute = context.name(sluice::ACCESS);
    let mut number = BTreeMap::new();
    for (i, op) in accesses.iter().enumerate() {
        let i = i64::try_from(i).expect("few accesses");
        number.insert(*op, i);
        body.set_attribute(*op, attribute, context.i64_attribute(i));
    }
    let mut distances: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for ((from, to), distance) in &run.dependences {
        let key = (number[&of(from)], number[&of(to)]);
        let distance = i64::try_from(*distance).unwrap_or(i64::MAX);
        let known = distances.entry(key).or_insert(distance);
        *known = distance.min(*known);
    }
    let all: Vec<_> = distances
        .iter()
        .map(|((from, to), distance)| context.dense_i64_array(&[*from, *to, *distance]))
        .collect();
    let all = context.array_attribute(&all);
    body.set_attribute(flat.op, context.name(sluice::STEPS), all);
    let idle = i64::try_from(run.idle_steps).unwrap_or(i64::MAX);
    let idle = context.i64_attribute(idle);
    body.set_attribute(flat.op, context.name(sluice::IDLE_STEPS), idle);
}
