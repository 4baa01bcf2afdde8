//! `jam`: unroll-and-jam, as `sluice.jam` asks: copies of an outer loop's body whose inner loops run as one.
//!
//! What stands between the inner loops is copied in order, one copy behind the other; inner loops are fused, and carry the values of all
//! copies. Legal where no two accesses of one cell change places, see [`order`].
//!
//! Source: D. Callahan, S. Carr, K. Kennedy, "Improving register allocation for subscripted variables", PLDI 1990 (legality of
//! unroll-and-jam). Differs: loops around statements of their own, not perfect nests only.

mod order;

use std::collections::BTreeMap;

use sluice_ir::{
    BlockId, Body, Builder, Context, Diagnostics, NewOperation, OperationId, ValueId, View,
};

use crate::balance::BALANCE;
use crate::build::{all_named, binary, constant, constant_i64, name, replace};
use crate::inline::copy_within;
use crate::linear::{is_invariant, linear, loop_of};

/// Asks for copies: an `i64` on a loop.
pub const JAM: &str = "sluice.jam";

/// Operations a loop may have after jamming; more would keep the scheduler busy for minutes.
const MOST_OPERATIONS: i64 = 20_000;

/// Jams every `scf.for` with the attribute, outer ones first; what is not legal is an error with the place.
pub fn jam(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    let key = context.name(JAM);
    loop {
        let wished = all_named(context, body, "scf.for")
            .into_iter()
            .find(|op| body.attribute(*op, key).is_some());
        let Some(op) = wished else { return };
        let factor = body
            .remove_attribute(op, key)
            .and_then(|a| a.as_i64(context));
        let Some(factor) = factor.filter(|factor| *factor > 1) else {
            continue;
        };
        match problem(context, body, op, factor) {
            Some((location, message)) => {
                diagnostics.error(location, message);
            }
            None => jam_by(context, body, op, factor),
        }
    }
}

fn variable_name(context: &Context, body: &Body, op: OperationId) -> String {
    let variable = body
        .entry_block(op, 0)
        .and_then(|block| body.arguments(block).first().copied());
    let name = variable.and_then(|variable| body.value_name(variable));
    name.map_or("the loop".to_owned(), |name| {
        format!("`%{}`", context.text(name))
    })
}

/// Why a loop cannot be jammed, and where.
fn problem(
    context: &Context,
    body: &Body,
    op: OperationId,
    factor: i64,
) -> Option<(sluice_ir::Location, String)> {
    let here = |message: String| Some((body.location(op), message));
    let variable = variable_name(context, body, op);
    match loop_of(context, body, op).and_then(|l| l.trip_count) {
        Some(n) if n % factor == 0 => {}
        Some(n) => {
            let nearest = (1..=factor).rev().find(|f| n % f == 0).unwrap_or(1);
            return here(format!(
                "a jam factor of {factor} does not divide the trip count {n}; the nearest below is {nearest}"
            ));
        }
        None => {
            return here(
                "a loop with unknown bounds is not jammed: remove the directive".to_owned(),
            );
        }
    }
    if !body.results(op).is_empty() {
        return here(format!(
            "{variable} carries values from iteration to iteration and cannot be jammed: unroll it, or jam a loop around or inside"
        ));
    }
    let n_operations = i64::try_from(body.walk(op).len()).unwrap_or(i64::MAX);
    if n_operations.saturating_mul(factor) > MOST_OPERATIONS {
        return here(format!(
            "{factor} copies of {n_operations} operations are more than {MOST_OPERATIONS}: jam less"
        ));
    }
    for inner in body.walk(op) {
        if name(context, body, inner) == "func.call" {
            let message =
                format!("{variable} holds a call and cannot be jammed: let it be inlined");
            return Some((body.location(inner), message));
        }
    }
    for inner in order::fused_loops(context, body, op) {
        if !has_common_bounds(context, body, op, inner) {
            let message = format!(
                "the bounds of this loop change with {variable}, which cannot be jammed: jam another loop"
            );
            return Some((body.location(inner), message));
        }
    }
    order::conflict(context, body, op, factor).map(|conflict| {
        let line = |op| {
            let place = body.location(op).file_line_column(context);
            place.map_or_else(String::new, |(_, line, _)| format!(" in line {line}"))
        };
        let fits = if conflict.distance > 1 {
            format!("a factor up to {} would fit", conflict.distance)
        } else {
            "no factor would fit".to_owned()
        };
        let message = format!(
            "jamming {variable} by {factor} would move this access in front of the one{} that must come first, {} iteration(s) before: {fits}",
            line(conflict.first),
            conflict.distance
        );
        (body.location(conflict.second), message)
    })
}

/// Whether an inner loop runs the same iterations in all copies.
fn has_common_bounds(context: &Context, body: &Body, op: OperationId, inner: OperationId) -> bool {
    let around: Vec<ValueId> = std::iter::successors(body.parent_operation(inner), |op| {
        body.parent_operation(*op)
    })
    .take_while(|around| *around != op)
    .filter_map(|around| Some(body.arguments(body.entry_block(around, 0)?)[0]))
    .collect();
    (0..3).all(|operand| {
        let form = linear(context, body, body.operand(inner, operand));
        form.terms
            .keys()
            .all(|value| is_invariant(body, op, *value) || around.contains(value))
    })
}

fn jam_by(context: &Context, body: &mut Body, op: OperationId, factor: i64) {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let variable = body.arguments(block)[0];
    let step = body.operand(op, 2);
    let first = body
        .first_operation(block)
        .expect("a loop body ends in a yield");
    let mut copies: Vec<BTreeMap<ValueId, ValueId>> = Vec::new();
    let mut builder = Builder::before(context, body, first);
    let ty = builder.body.ty(variable);
    for copy in 1..factor {
        let number = constant(&mut builder, ty, copy);
        let offset = match constant_i64(context, builder.body, step) {
            Some(step) => constant(&mut builder, ty, step * copy),
            None => binary(&mut builder, "arith.muli", step, number),
        };
        let own = binary(&mut builder, "arith.addi", variable, offset);
        copies.push(BTreeMap::from([(variable, own)]));
    }
    mark(context, body, op);
    copy_block(context, body, block, Some(first), &mut copies);
    let mut builder = Builder::before(context, body, op);
    let wide = match constant_i64(context, builder.body, step) {
        Some(step) => constant(&mut builder, ty, step * factor),
        None => {
            let number = constant(&mut builder, ty, factor);
            binary(&mut builder, "arith.muli", step, number)
        }
    };
    body.set_operand(op, 2, wide);
}

fn mark(context: &Context, body: &mut Body, op: OperationId) {
    body.set_attribute(op, context.name(BALANCE), context.unit_attribute());
}

/// Copies what stands in a block from `first` on, but for its terminator, for every map of values; inner loops are fused.
fn copy_block(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    first: Option<OperationId>,
    copies: &mut [BTreeMap<ValueId, ValueId>],
) {
    let last = body
        .last_operation(block)
        .expect("a loop body ends in a yield");
    let ops: Vec<OperationId> = body
        .operations(block)
        .skip_while(|op| first.is_some_and(|first| *op != first))
        .take_while(|op| *op != last)
        .collect();
    let mut run: Vec<OperationId> = Vec::new();
    let close = |body: &mut Body,
                 run: &mut Vec<OperationId>,
                 copies: &mut [BTreeMap<ValueId, ValueId>],
                 anchor: OperationId| {
        for copy in copies {
            for op in &*run {
                let made = copy_within(context, body, *op, copy);
                body.insert_before(anchor, made);
            }
        }
        run.clear();
    };
    for op in ops {
        if name(context, body, op) == "scf.for" {
            close(body, &mut run, copies, op);
            fuse(context, body, op, copies);
        } else {
            run.push(op);
        }
    }
    close(body, &mut run, copies, last);
}

/// Makes one loop of the copies of an inner loop.
fn fuse(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    copies: &mut [BTreeMap<ValueId, ValueId>],
) {
    let view = View::new(context, body, op);
    let inits: Vec<ValueId> = view.operands().skip(3).collect();
    let types: Vec<_> = view.result_types().collect();
    let n_carried = inits.len();
    let mut fused = op;
    if n_carried > 0 {
        let mut new = NewOperation::new(context.operation_name("scf.for"), view.location());
        new.operands = view.operands().collect();
        new.result_types = types.clone().into();
        new.attributes = view.attributes().to_vec();
        new.n_regions = 1;
        for copy in &*copies {
            let own = inits.iter().map(|v| copy.get(v).copied().unwrap_or(*v));
            new.operands.extend(own);
            new.result_types.extend(types.iter().copied());
        }
        fused = Builder::before(context, body, op).create(new);
        let (from, to) = (body.regions(op)[0], body.regions(fused)[0]);
        body.move_blocks(from, to);
        let block = body.entry_block(fused, 0).expect("the block just moved");
        let arguments = body.arguments(block).to_vec();
        let results = body.results(fused).to_vec();
        for (copy, own) in copies
            .iter_mut()
            .zip(results[n_carried..].chunks(n_carried))
        {
            copy.extend(body.results(op).iter().copied().zip(own.iter().copied()));
            for argument in &arguments[1..] {
                let location = body.value_location(*argument);
                let new = body.add_argument(block, body.ty(*argument), location);
                body.set_value_name(new, body.value_name(*argument));
                copy.insert(*argument, new);
            }
        }
        // The copies behind the loop still name the old results, which copy 0 has under new names.
        let old = body.results(op).to_vec();
        for copy in copies.iter_mut() {
            for (old, new) in old.iter().zip(&results) {
                if let Some(own) = copy.get(old).copied() {
                    copy.insert(*new, own);
                }
            }
        }
        replace(body, op, &results[..n_carried]);
    }
    mark(context, body, fused);
    let block = body.entry_block(fused, 0).expect("a loop has a body");
    copy_block(context, body, block, None, copies);
    let last = body
        .last_operation(block)
        .expect("a loop body ends in a yield");
    let own: Vec<ValueId> = body.operands(last).collect();
    let mut all = own.clone();
    for copy in &*copies {
        all.extend(own.iter().map(|v| copy.get(v).copied().unwrap_or(*v)));
    }
    body.set_operands(last, &all);
}
