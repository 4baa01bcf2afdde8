//! Flattens a perfect nest whose bounds are known only when it starts: one `scf.while` carries the counters.
//!
//! The counters go on as in an odometer: the innermost counts, and a counter that is at its end starts again and lets the next
//! one count. A bit says whether the nest goes on, so that an iteration needs no product of trip counts. If any loop of the nest
//! has no iteration, the nest has none: the first bit is false.
//!
//! Source: loop coalescing, C. D. Polychronopoulos, "Loop coalescing: a compiler transformation for parallel machines", ICPP
//! 1987. Differs: counters are carried instead of recovered by division, and the end is a bit instead of a number of iterations.

use sluice_dialects::sluice::{BYPASS, FIXED_II, FLATTEN, IDLE_STEPS, NEST, PIPELINE};
use sluice_dialects::synthesis_form::is_guard;
use sluice_dialects::{arith, memref, scf};
use sluice_ir::{BlockId, Body, Builder, Context, NewOperation, OperationId, Type, ValueId, View};

use super::machine::counter_type;
use super::nest::is_free;
use crate::analysis::linear::{bounds, is_invariant};
use crate::build::{
    EQ, SLT, binary, compare, constant, constant_i64, convert, is_pure, name, replace, select,
    yielded,
};

/// A loop of the nest.
struct Level {
    op: OperationId,
    block: BlockId,
    lower: ValueId,
    upper: ValueId,
    /// Type of the carried counter, and whether it is signed. It holds both bounds.
    ty: Type,
    is_signed: bool,
}

/// Flattens the nest under `root` if it is perfect, and if its bounds are values from outside, not all of them constants. Returns
/// whether it did.
pub(super) fn flatten(context: &Context, body: &mut Body, root: OperationId) -> bool {
    let Some(levels) = levels(context, body, root) else {
        return false;
    };
    emit(context, body, &levels);
    true
}

/// Returns the loops of a perfect nest, outermost first.
fn levels(context: &Context, body: &Body, root: OperationId) -> Option<Vec<Level>> {
    let mut levels: Vec<Level> = Vec::new();
    let mut is_constant = true;
    let mut next = Some(root);
    while let Some(op) = next {
        let level = level(context, body, root, op)?;
        let is_number = |value| constant_i64(context, body, value).is_some();
        is_constant &= is_number(level.lower) && is_number(level.upper);
        next = inner_loop(context, body, root, &level)?;
        levels.push(level);
    }
    (levels.len() > 1 && !is_constant).then_some(levels)
}

/// Reads one loop; `None` if its counter does not go up by one between bounds from outside, or if a directive wants it as it is.
fn level(context: &Context, body: &Body, root: OperationId, op: OperationId) -> Option<Level> {
    let view = View::new(context, body, op);
    let is_off = |name: &str| {
        let wish = view.attribute(name).and_then(|a| a.as_bool(context));
        wish == Some(false)
    };
    if is_off(FLATTEN) || is_off(PIPELINE) || view.attribute(FIXED_II).is_some() {
        return None;
    }
    let (lower, upper) = (view.operand(0), view.operand(1));
    let is_bound = |value: ValueId| {
        is_invariant(body, root, value) || constant_i64(context, body, value).is_some()
    };
    if constant_i64(context, body, view.operand(2)) != Some(1) {
        return None;
    }
    let block = view
        .entry_block(0)
        .filter(|_| is_bound(lower) && is_bound(upper))?;
    let least = bounds(context, body, lower).map(|(least, _)| least);
    let greatest = bounds(context, body, upper).map(|(_, greatest)| greatest);
    let (ty, is_signed) = match least.zip(greatest) {
        Some((least, greatest)) => counter_type(context, (least, greatest.max(least))),
        None => (body.ty(*body.arguments(block).first()?), true),
    };
    Some(Level {
        op,
        block,
        lower,
        upper,
        ty,
        is_signed,
    })
}

/// Returns the only loop directly inside a level, or `Some(None)` for an innermost one. `None` if the nest is not perfect here.
fn inner_loop(
    context: &Context,
    body: &Body,
    root: OperationId,
    level: &Level,
) -> Option<Option<OperationId>> {
    let ops: Vec<OperationId> = body.operations(level.block).collect();
    let loops: Vec<OperationId> = ops
        .iter()
        .copied()
        .filter(|op| name(context, body, *op) == scf::For::NAME)
        .collect();
    let fits = |op: &OperationId| {
        let view = View::new(context, body, *op);
        match view.name() {
            scf::Yield::NAME => true,
            scf::For::NAME => loops.len() == 1,
            // Operations between the loops are computed in every iteration.
            _ if !loops.is_empty() => {
                is_pure(view)
                    && view
                        .results()
                        .iter()
                        .all(|result| is_free(context, body, root, *result))
            }
            memref::Load::NAME | memref::Store::NAME => true,
            _ => is_pure(view) || is_guard(view),
        }
    };
    if !ops.iter().all(fits) {
        return None;
    }
    let Some(inner) = loops.first().copied() else {
        return Some(None);
    };
    // The inner loop takes over every carried value, and hands it back.
    let carried = &body.arguments(level.block)[1..];
    let inits: Vec<ValueId> = body.operands(inner).skip(3).collect();
    let hands_on = carried == inits.as_slice()
        && carried.iter().all(|value| body.has_one_use(*value))
        && yielded(body, level.op, 0) == body.results(inner);
    hands_on.then_some(Some(inner))
}

fn emit(context: &Context, body: &mut Body, levels: &[Level]) {
    let (root, innermost) = (&levels[0], &levels[levels.len() - 1]);
    let location = body.location(root.op);
    let bit = context.integer_type(1);
    let mut builder = Builder::before(context, body, root.op);
    let limits: Vec<[ValueId; 2]> = levels
        .iter()
        .map(|level| {
            [level.lower, level.upper].map(|bound| narrowed(&mut builder, bound, level.ty))
        })
        .collect();
    let mut goes_on = constant(&mut builder, bit, -1);
    for level in levels {
        let [lower, upper] = [level.lower, level.upper].map(|bound| outside(&mut builder, bound));
        let has_iterations = compare(&mut builder, SLT, lower, upper);
        goes_on = binary(&mut builder, arith::Andi::NAME, goes_on, has_iterations);
    }
    let mut inits: Vec<ValueId> = builder.body.operands(root.op).skip(3).collect();
    let n_carried = inits.len();
    inits.extend(limits.iter().map(|[lower, _]| *lower));
    inits.push(goes_on);
    let types: Vec<Type> = inits.iter().map(|init| builder.body.ty(*init)).collect();
    let mut new = NewOperation::new(context.operation_name(scf::While::NAME), location);
    new.operands = inits.iter().copied().collect();
    new.result_types = types.iter().copied().collect();
    new.n_regions = 2;
    let kept = [NEST, BYPASS].map(|name| context.name(name));
    new.attributes = kept
        .into_iter()
        .filter_map(|name| Some((name, builder.body.attribute(root.op, name)?)))
        .collect();
    let made = builder.create(new);
    body.set_attribute(made, context.name(IDLE_STEPS), context.i64_attribute(0));
    let blocks = [0, 1].map(|region| {
        let block = body.append_block(body.regions(made)[region]);
        for ty in &types {
            body.add_argument(block, *ty, location);
        }
        block
    });
    let arguments = body.arguments(blocks[0]).to_vec();
    let mut condition = vec![arguments[arguments.len() - 1]];
    condition.extend(&arguments);
    Builder::at_end(context, body, blocks[0], location).operation(
        scf::Condition::NAME,
        &condition,
        &[],
        &[],
    );
    let arguments = body.arguments(blocks[1]).to_vec();
    let counters = &arguments[n_carried..n_carried + levels.len()];
    let given: Vec<ValueId> = body.arguments(innermost.block)[1..].to_vec();
    for (carried, argument) in given.into_iter().zip(&arguments) {
        body.replace_all_uses(carried, *argument);
    }
    // The bodies of the loops, outermost first, and between them the counters.
    let mut yields = Vec::new();
    for (level, counter) in levels.iter().zip(counters) {
        let own = body.arguments(level.block)[0];
        let named = body.value_name(own);
        body.set_value_name(*counter, named);
        let mut builder = Builder::at_end(context, body, blocks[1], location);
        let wide = widened(&mut builder, *counter, own, level.is_signed);
        body.replace_all_uses(own, wide);
        for op in body.operations(level.block).collect::<Vec<_>>() {
            match name(context, body, op) {
                scf::For::NAME => {}
                scf::Yield::NAME => yields = body.operands(op).collect(),
                _ => body.move_to_end(blocks[1], op),
            }
        }
    }
    let mut builder = Builder::at_end(context, body, blocks[1], location);
    yields.extend(next_counters(&mut builder, levels, &limits, counters));
    builder.operation(scf::Yield::NAME, &yields, &[], &[]);
    let results = body.results(made)[..n_carried].to_vec();
    replace(body, root.op, &results);
}

/// Emits the counters of the next iteration, and whether there is one.
fn next_counters(
    builder: &mut Builder<'_>,
    levels: &[Level],
    limits: &[[ValueId; 2]],
    counters: &[ValueId],
) -> Vec<ValueId> {
    let mut next = Vec::new();
    // True if all loops inside the level are in their last iteration; none for the innermost loop.
    let mut inner_ends: Option<ValueId> = None;
    for ((level, [lower, upper]), counter) in levels.iter().zip(limits).zip(counters).rev() {
        let one = constant(builder, level.ty, 1);
        let more = binary(builder, arith::Addi::NAME, *counter, one);
        let is_last = compare(builder, EQ, more, *upper);
        let counted = select(builder, is_last, *lower, more);
        let (counted, ends) = match inner_ends {
            None => (counted, is_last),
            Some(ends) => (
                select(builder, ends, counted, *counter),
                binary(builder, arith::Andi::NAME, ends, is_last),
            ),
        };
        next.push(counted);
        inner_ends = Some(ends);
    }
    next.reverse();
    let bit = builder.context.integer_type(1);
    let one = constant(builder, bit, -1);
    if let Some(ends) = inner_ends {
        next.push(binary(builder, arith::Xori::NAME, ends, one));
    }
    next
}

/// Returns a bound as a value outside of the nest: a constant may be inside.
fn outside(builder: &mut Builder<'_>, bound: ValueId) -> ValueId {
    let ty = builder.body.ty(bound);
    match constant_i64(builder.context, builder.body, bound) {
        Some(number) => constant(builder, ty, number),
        None => bound,
    }
}

/// Emits a bound in the type of its counter. It fits where the nest has iterations.
fn narrowed(builder: &mut Builder<'_>, bound: ValueId, ty: Type) -> ValueId {
    if let Some(number) = constant_i64(builder.context, builder.body, bound) {
        return constant(builder, ty, number);
    }
    let is_index = builder.body.ty(bound).is_index(builder.context);
    let to = match is_index {
        true => arith::IndexCast::NAME,
        false => arith::Trunci::NAME,
    };
    convert(builder, to, bound, ty)
}

/// Emits a counter in the type of the loop's own counter.
fn widened(builder: &mut Builder<'_>, counter: ValueId, own: ValueId, is_signed: bool) -> ValueId {
    let ty = builder.body.ty(own);
    let to = match (ty.is_index(builder.context), is_signed) {
        (true, true) => arith::IndexCast::NAME,
        (true, false) => arith::IndexCastui::NAME,
        (false, true) => arith::Extsi::NAME,
        (false, false) => arith::Extui::NAME,
    };
    convert(builder, to, counter, ty)
}
