//! `speculate`: starts iterations of a loop speculatively, before the exit condition of earlier iterations is known.
//!
//! A pipelined `scf.while` starts an iteration when the condition of the previous one is known. A condition that takes `L` cycles
//! therefore limits the initiation interval to `L`. After this pass, iteration `j` starts once the condition of iteration
//! `j - n - 1` held, and the interval falls to `L / (n + 1)`. The loop then executes at most `n` unneeded iterations. Their stores are
//! suppressed, and their values are dropped:
//!
//! * `alive(j + 1) = alive(j) and condition(j)` tells whether iteration `j + 1` is needed: a chain of `and`s, however late the
//!   condition is.
//! * Stores are predicated by `alive`. Loads and divisions are not: their results for an address outside of a memory or a divisor
//!   of zero are never used (`sluice.speculated`).
//! * A result is that of the last needed iteration.
//!
//! Source: speculation in elastic circuits (Josipovic, Guerrieri, Ienne, FPGA 2019), where tokens are committed or squashed.
//! Differs: only stores and results outlive an iteration, and these wait for `alive`.

use sluice_dialects::sluice::{SPECULATE, SPECULATED, STALE};
use sluice_dialects::{
    arith, builtin, func, memref, scf, sluice,
    synthesis_form::{guarded_access, is_division, is_guard},
};
use sluice_ir::{BlockId, Body, Builder, Context, NewOperation, OperationId, Type, ValueId, View};

use crate::build::{binary, constant, is_pure, name, replace, select};
use crate::datapath::if_convert::guard_store;

/// The way a loop reads the condition of earlier iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// The condition is a copy of `alive` that may be as many iterations old as run speculatively (`sluice.stale`). A static
    /// schedule knows which register that is, and the loop ends as soon as possible.
    Schedule,
    /// `alive` is carried from iteration to iteration, once per speculative iteration.
    Tokens,
}

/// Transforms every loop with [`SPECULATE`] where possible; reports the reason for the others.
pub fn speculate(
    context: &Context,
    body: &mut Body,
    staleness: Staleness,
) -> Vec<(OperationId, String)> {
    let mut refused = Vec::new();
    for op in body.walk_all() {
        let ahead = requested_iterations(context, body, op);
        if ahead == 0 {
            continue;
        }
        match obstacle(context, body, op) {
            Some(why) => refused.push((op, why)),
            None => start_ahead(context, body, op, ahead, staleness),
        }
    }
    refused
}

/// Returns the `scf.while` loops that could start iterations speculatively, in text order.
pub fn speculable_loops(context: &Context, body: &Body) -> Vec<OperationId> {
    let ops = body.walk_all().into_iter();
    let loops = ops.filter(|op| name(context, body, *op) == scf::While::NAME);
    loops
        .filter(|op| obstacle(context, body, *op).is_none())
        .collect()
}

fn requested_iterations(context: &Context, body: &Body, op: OperationId) -> usize {
    let requested = body
        .attribute_named(context, op, SPECULATE)
        .and_then(|a| a.as_i64(context));
    requested.map_or(0, |n| usize::try_from(n).unwrap_or(0))
}

/// Returns both blocks of an `scf.while`.
pub(crate) fn blocks(body: &Body, op: OperationId) -> Option<[BlockId; 2]> {
    Some([body.entry_block(op, 0)?, body.entry_block(op, 1)?])
}

/// Returns the reason why iterations of a loop cannot start speculatively, if any.
pub(crate) fn obstacle(context: &Context, body: &Body, op: OperationId) -> Option<String> {
    if name(context, body, op) != scf::While::NAME {
        return Some("only `while` loops have a condition that comes late".to_owned());
    }
    let pipeline = body.attribute_named(context, op, sluice::PIPELINE);
    if pipeline.and_then(|a| a.as_bool(context)) == Some(false) {
        return Some("`pipeline: false` keeps its iterations apart".to_owned());
    }
    let Some(blocks) = blocks(body, op) else {
        return Some("it has no body".to_owned());
    };
    for inner in blocks.iter().flat_map(|block| body.operations(*block)) {
        let view = View::new(context, body, inner);
        let is_fine = is_pure(view)
            || is_division(view)
            || guarded_access(view).is_some()
            || matches!(
                view.name(),
                memref::Load::NAME | memref::Store::NAME | scf::Condition::NAME | scf::Yield::NAME
            );
        if !is_fine {
            let what = match view.name() {
                scf::For::NAME | scf::While::NAME => "another loop is in it".to_owned(),
                func::Call::NAME => "a call is in it".to_owned(),
                _ if is_guard(view) => "a division in it waits for a condition".to_owned(),
                other => format!("`{other}` in it takes a time of its own"),
            };
            return Some(what);
        }
    }
    None
}

/// Values that the new loop carries in addition to those of the old one.
struct Carried {
    /// True if this iteration is needed.
    alive: ValueId,
    /// `alive` of the previous iteration, the one before, and so on, as far back as the loop condition refers.
    was_alive: Vec<ValueId>,
    /// The current result of the loop, for each result that is used.
    results: Vec<ValueId>,
}

fn start_ahead(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    ahead: usize,
    staleness: Staleness,
) {
    let n_handed = match staleness {
        Staleness::Schedule => 0,
        Staleness::Tokens => ahead,
    };
    let [before, after] = blocks(body, op).expect("a loop that was judged has both");
    let needed: Vec<usize> = (0..body.results(op).len())
        .filter(|i| !body.is_unused(body.results(op)[*i]))
        .collect();
    let result_types: Vec<Type> = needed
        .iter()
        .map(|i| body.ty(body.results(op)[*i]))
        .collect();
    let bit = context.integer_type(1);
    let made = shell(context, body, op, n_handed, &result_types);
    let region = body.regions(op)[0];
    let to = body.regions(made)[0];
    body.move_blocks(region, to);
    let location = body.location(op);
    let add = |body: &mut Body, ty| body.add_argument(before, ty, location);
    let carried = Carried {
        alive: add(body, bit),
        was_alive: (0..n_handed).map(|_| add(body, bit)).collect(),
        results: result_types.iter().map(|ty| add(body, *ty)).collect(),
    };
    open_guarded_loads(context, body, before);
    open_guarded_loads(context, body, after);
    predicate_stores(context, body, before, carried.alive);
    let decided = body.last_operation(before).expect("a loop has a condition");
    let condition = body.operand(decided, 0);
    let forwarded: Vec<ValueId> = body.operands(decided).skip(1).collect();
    let mut builder = Builder::before(context, body, decided);
    builder.location = location;
    let never = constant(&mut builder, bit, 0);
    // A selection instead of `and`: the condition of an unneeded iteration may be meaningless.
    let goes_on = select(&mut builder, carried.alive, condition, never);
    let results: Vec<ValueId> = needed
        .iter()
        .zip(&carried.results)
        .map(|(i, kept)| select(&mut builder, carried.alive, forwarded[*i], *kept))
        .collect();
    // Merges the second block into the first one.
    let arguments: Vec<ValueId> = body.arguments(after).to_vec();
    for (argument, value) in arguments.iter().zip(&forwarded) {
        body.replace_all_uses(*argument, *value);
    }
    predicate_stores(context, body, after, goes_on);
    let last = body.last_operation(after).expect("a loop yields");
    let mut passed: Vec<ValueId> = body.operands(last).collect();
    for inner in body.operations(after).collect::<Vec<_>>() {
        if inner != last {
            body.move_before(decided, inner);
        }
    }
    let n_before = passed.len();
    passed.push(goes_on);
    passed.extend(
        std::iter::once(carried.alive)
            .chain(carried.was_alive.clone())
            .take(n_handed),
    );
    passed.extend(&results);
    let decides = match carried.was_alive.last() {
        Some(handed) => *handed,
        None => stale(context, body, decided, carried.alive, ahead),
    };
    let operands: Vec<ValueId> = std::iter::once(decides)
        .chain(passed.iter().copied())
        .collect();
    body.set_operands(decided, &operands);
    pass_on(context, body, made, &passed, passed.len());
    mark(context, body, before);
    let first = n_before + 1 + n_handed;
    for (place, i) in needed.iter().enumerate() {
        let (old, new) = (body.results(op)[*i], body.results(made)[first + place]);
        body.replace_all_uses(old, new);
    }
    body.erase(op);
}

/// Emits a copy of a loop argument that may come from an earlier iteration.
fn stale(
    context: &Context,
    body: &mut Body,
    reader: OperationId,
    argument: ValueId,
    ahead: usize,
) -> ValueId {
    let ty = body.ty(argument);
    let n_iterations = i64::try_from(ahead + 1).unwrap_or(i64::MAX);
    let mut builder = Builder::before(context, body, reader);
    let copy = builtin::UnrealizedConversionCast::NAME;
    let n_iterations = (STALE, context.i64_attribute(n_iterations));
    let made = builder.operation(copy, &[argument], &[ty], &[n_iterations]);
    body.result(made, 0)
}

/// Creates the new loop, still without blocks, before the old one: it also carries `alive` and the results.
fn shell(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    n_handed: usize,
    result_types: &[Type],
) -> OperationId {
    let bit = context.integer_type(1);
    let mut builder = Builder::before(context, body, op);
    let mut more: Vec<ValueId> = Vec::new();
    for _ in 0..=n_handed {
        more.push(constant(&mut builder, bit, -1));
    }
    for ty in result_types {
        more.push(constant(&mut builder, *ty, 0));
    }
    let made = widened(context, body, op, &more, &[]);
    body.remove_attribute(made, context.name(SPECULATE));
    made
}

/// Creates a loop, still without blocks, before another one: it also carries `more` and has extra results of the types `besides`.
pub(crate) fn widened(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    more: &[ValueId],
    besides: &[Type],
) -> OperationId {
    let mut builder = Builder::before(context, body, op);
    let view = View::new(context, builder.body, op);
    let mut new = NewOperation::new(context.operation_name(scf::While::NAME), view.location());
    new.operands = view.operands().chain(more.iter().copied()).collect();
    new.attributes = view.attributes().to_vec();
    new.n_regions = 2;
    new.result_types = new.operands.iter().map(|v| builder.body.ty(*v)).collect();
    new.result_types.extend(besides.iter().copied());
    builder.create(new)
}

/// Creates the second block of the new loop: it yields the first `n_carried` of its arguments.
pub(crate) fn pass_on(
    context: &Context,
    body: &mut Body,
    made: OperationId,
    passed: &[ValueId],
    n_carried: usize,
) {
    let location = body.location(made);
    let types: Vec<Type> = passed.iter().map(|v| body.ty(*v)).collect();
    let region = body.regions(made)[1];
    let block = body.append_block(region);
    let arguments: Vec<ValueId> = types
        .into_iter()
        .map(|ty| body.add_argument(block, ty, location))
        .collect();
    let mut builder = Builder::at_end(context, body, block, location);
    builder.operation(scf::Yield::NAME, &arguments[..n_carried], &[], &[]);
}

/// Replaces a predicated load by an unconditional load and a selection, so that it does not wait for its condition.
pub(crate) fn open_guarded_loads(context: &Context, body: &mut Body, block: BlockId) {
    for op in body.operations(block).collect::<Vec<_>>() {
        let view = View::new(context, body, op);
        let is_load = guarded_access(view)
            .is_some_and(|access| name(context, body, access) == memref::Load::NAME);
        if !is_load {
            continue;
        }
        let condition = view.operand(0);
        let mut values = Vec::new();
        for region in 0..2 {
            let inner = body.entry_block(op, region).expect("a load has two sides");
            for inner in body.operations(inner).collect::<Vec<_>>() {
                match name(context, body, inner) {
                    scf::Yield::NAME => values.push(body.operand(inner, 0)),
                    _ => body.move_before(op, inner),
                }
            }
        }
        let mut builder = Builder::before(context, body, op);
        let chosen = select(&mut builder, condition, values[0], values[1]);
        replace(body, op, &[chosen]);
    }
}

/// Predicates the stores directly in a block by `wanted`, in addition to their own conditions.
pub(crate) fn predicate_stores(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    wanted: ValueId,
) {
    for op in body.operations(block).collect::<Vec<_>>() {
        let view = View::new(context, body, op);
        if view.name() == memref::Store::NAME {
            guard_store(context, body, op, op, wanted);
        } else if guarded_access(view).is_some() {
            let condition = view.operand(0);
            let mut builder = Builder::before(context, body, op);
            let both = binary(&mut builder, arith::Andi::NAME, wanted, condition);
            body.set_operand(op, 0, both);
        }
    }
}

/// Marks loads that may execute in vain, and then have no meaningful result.
pub(crate) fn mark(context: &Context, body: &mut Body, block: BlockId) {
    let unit = context.unit_attribute();
    for op in body.operations(block).collect::<Vec<_>>() {
        let view = View::new(context, body, op);
        if view.name() == memref::Load::NAME {
            body.set_attribute(op, context.name(SPECULATED), unit);
        }
    }
}
