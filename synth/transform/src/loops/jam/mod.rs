//! `jam`: unroll-and-jam as the directive `sluice.jam` requests: copies of an outer loop's body share one inner loop.
//!
//! Operations between the inner loops are copied in order, one copy after the other. Inner loops are fused and carry the values
//! of all copies. Legal if no two accesses of one word change their order, see [`order`].
//!
//! Source: D. Callahan, S. Carr, K. Kennedy, "Improving register allocation for subscripted variables", PLDI 1990 (legality of
//! unroll-and-jam). Differs: also handles imperfect nests, with statements between the loops.

mod order;

use std::collections::BTreeMap;

use sluice_dialects::sluice::{BALANCE, JAM};
use sluice_dialects::{arith, func, scf};
use sluice_ir::{BlockId, Body, Builder, Context, Diagnostics, Exact, OperationId, ValueId};

use crate::analysis::linear::{is_invariant, linear, loop_of};
use crate::build::{
    all_named, binary, carry, constant, constant_i64, max_value_of, name, too_many_copies,
    yield_more, yielded,
};

/// Jams every `scf.for` that has the attribute, outer ones first; an illegal request is an error with its location.
pub fn jam(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    let key = context.name(JAM);
    loop {
        let requested = all_named(context, body, scf::For::NAME)
            .into_iter()
            .find(|op| body.attribute(*op, key).is_some());
        let Some(op) = requested else { return };
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

/// Returns the reason and location if a loop cannot be jammed.
fn problem(
    context: &Context,
    body: &Body,
    op: OperationId,
    factor: i64,
) -> Option<(sluice_ir::Location, String)> {
    let here = |message: String| Some((body.location(op), message));
    let variable = variable_name(context, body, op);
    match loop_of(context, body, op).and_then(|l| l.trip_count) {
        Some(n) if n.is_multiple_of(factor) => {}
        Some(n) => {
            let nearest = (1..=factor)
                .rev()
                .find(|f| n.is_multiple_of(*f))
                .unwrap_or(1);
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
    let step = constant_i64(context, body, body.operand(op, 2));
    let counter = body.ty(body.arguments(body.entry_block(op, 0)?)[0]);
    if step.is_some_and(|s| Exact::from(s).times(factor) > max_value_of(context, counter)) {
        return here(format!(
            "{factor} steps of {variable} are more than it can hold: jam less"
        ));
    }
    if !body.results(op).is_empty() {
        return here(format!(
            "{variable} carries values from iteration to iteration and cannot be jammed: unroll it, or jam a loop around or inside"
        ));
    }
    if let Some(problem) = too_many_copies(context, body, op, factor) {
        return here(format!("{problem}: jam less"));
    }
    for inner in body.walk(op) {
        if name(context, body, inner) == func::Call::NAME {
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

/// Returns whether an inner loop has the same iterations in all copies.
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
            Some(step) => constant(&mut builder, ty, Exact::from(step).times(copy)),
            None => binary(&mut builder, arith::Muli::NAME, step, number),
        };
        let own = binary(&mut builder, arith::Addi::NAME, variable, offset);
        copies.push(BTreeMap::from([(variable, own)]));
    }
    mark(context, body, op);
    copy_block(context, body, block, Some(first), &mut copies);
    let mut builder = Builder::before(context, body, op);
    let wide = match constant_i64(context, builder.body, step) {
        Some(step) => constant(&mut builder, ty, Exact::from(step).times(factor)),
        None => {
            let number = constant(&mut builder, ty, factor);
            binary(&mut builder, arith::Muli::NAME, step, number)
        }
    };
    body.set_operand(op, 2, wide);
}

fn mark(context: &Context, body: &mut Body, op: OperationId) {
    body.set_attribute(op, context.name(BALANCE), context.unit_attribute());
}

/// Copies the operations of a block from `first` on, except the terminator, for every value map; inner loops are fused.
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
                let made = body.copy(context, *op, copy);
                body.insert_before(anchor, made);
            }
        }
        run.clear();
    };
    for op in ops {
        if name(context, body, op) == scf::For::NAME {
            close(body, &mut run, copies, op);
            fuse(context, body, op, copies);
        } else {
            run.push(op);
        }
    }
    close(body, &mut run, copies, last);
}

/// Fuses the copies of an inner loop into one loop.
fn fuse(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    copies: &mut [BTreeMap<ValueId, ValueId>],
) {
    let inits: Vec<ValueId> = body.operands(op).skip(3).collect();
    let n_carried = inits.len();
    let mut fused = op;
    if n_carried > 0 {
        let own = |copy: &BTreeMap<ValueId, ValueId>, value: ValueId| {
            copy.get(&value).copied().unwrap_or(value)
        };
        let all: Vec<ValueId> = copies
            .iter()
            .flat_map(|copy| inits.iter().map(|init| own(copy, *init)))
            .collect();
        let arguments;
        (fused, arguments) = carry(context, body, op, &all);
        let block = body.entry_block(fused, 0).expect("a loop has a body");
        let firsts = body.arguments(block)[1..=n_carried].to_vec();
        let results = body.results(fused).to_vec();
        let (of_first, of_copies) = results.split_at(n_carried);
        let carried = arguments.chunks(n_carried).zip(of_copies.chunks(n_carried));
        for (copy, (arguments, results)) in copies.iter_mut().zip(carried) {
            copy.extend(of_first.iter().copied().zip(results.iter().copied()));
            copy.extend(firsts.iter().copied().zip(arguments.iter().copied()));
        }
        for (first, argument) in firsts.iter().cycle().zip(&arguments) {
            body.set_value_name(*argument, body.value_name(*first));
        }
    }
    mark(context, body, fused);
    let block = body.entry_block(fused, 0).expect("a loop has a body");
    copy_block(context, body, block, None, copies);
    let first = yielded(body, fused, 0);
    let all: Vec<ValueId> = copies
        .iter()
        .flat_map(|copy| first.iter().map(|v| copy.get(v).copied().unwrap_or(*v)))
        .collect();
    yield_more(body, fused, &all);
}
