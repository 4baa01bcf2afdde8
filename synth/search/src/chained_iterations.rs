//! Unrolling of loops that only compute, if several iterations fit into one clock period. Trial schedules decide.

use sluice_dialects::{arith, func};
use sluice_ir::{Context, Diagnostics, Exact, Module, OperationId, ValueId, View};
use sluice_kernel::choices;

use crate::attempts::Attempts;
use crate::loops::{has_directive, loops_in};
use crate::objective::judge;

/// Maximum number of iterations that become one.
const MAX_CHAINED: i64 = 16;

/// Unrolls loops of the kernel that have no directive and access no memory. Doubles the factor as long as the cost of cycles and
/// cells falls, for each loop alone.
pub fn choose(context: &Context, module: &mut Module, attempts: &Attempts<'_>) {
    let setting = attempts.setting;
    let finish = |module: &mut Module, found: &mut Diagnostics| {
        attempts.finish(context, module, found);
    };
    let Some(function) = module.lookup_symbol(context, setting.top) else {
        return;
    };
    let n_loops = loops_in(context, module.inner().inner(function)).len();
    for position in 0..n_loops {
        let body = module.inner().inner(function);
        let op = loops_in(context, body)[position];
        let Some(trip_count) = sluice_transform::pure_trip_count(context, body, op) else {
            continue;
        };
        if has_directive(context, body, op) {
            continue;
        }
        let Some(alone) = alone(context, module, function, op) else {
            continue;
        };
        let cost = |module: &Module| Some(judge(context, module, setting, finish)?.cost);
        let Some(mut least) = cost(&alone) else {
            continue;
        };
        let (mut factor, mut more) = (1, 2);
        while more <= MAX_CHAINED
            && trip_count.is_multiple_of(more)
            && Exact::from(more) < trip_count
        {
            let mut trial = alone.clone();
            let inner = trial.inner_mut().inner_mut(function);
            let only = loops_in(context, inner)[0];
            if sluice_transform::unroll_by(context, inner, only, more).is_err() {
                break;
            }
            match cost(&trial) {
                Some(new) if new.is_less_than(least) => (least, factor) = (new, more),
                Some(_) | None => break,
            }
            more *= 2;
        }
        if factor > 1 {
            let title = choices::title(context, module.inner().inner(function), op);
            let body = module.inner_mut().inner_mut(function);
            // The same unrolling was possible in the trial.
            let _ = sluice_transform::unroll_by(context, body, op, factor);
            let sentence = format!(
                "loop {title}: {factor} of its iterations are one iteration of the circuit"
            );
            choices::note(context, module, function, &sentence);
        }
    }
}

/// Returns the module with one loop alone in its function: the inputs of the loop become arguments, its results become the
/// function's results.
fn alone(
    context: &Context,
    module: &Module,
    function: OperationId,
    op: OperationId,
) -> Option<Module> {
    let mut alone = module.clone();
    let entry = alone.inner().entry_block(function, 0)?;
    let body = alone.inner_mut().inner_mut(function);
    // The function has one block, so the operands of the moved operations are defined before its end.
    let last = body.last_operation(entry)?;
    if View::new(context, body, last).name() != func::Return::NAME {
        return None;
    }
    let results = body.results(op).to_vec();
    let n_old = body.arguments(entry).len();
    let inside: Vec<OperationId> = body.walk(op);
    let mut constants: Vec<OperationId> = Vec::new();
    let mut free: Vec<ValueId> = Vec::new();
    for user in inside.iter().copied().chain([op]) {
        for value in body.operands(user).collect::<Vec<_>>() {
            let maker = body.defining_operation(value);
            let is_inside = match maker {
                Some(maker) => inside.contains(&maker),
                None => body.defining_block(value) == body.entry_block(op, 0),
            };
            if is_inside || free.contains(&value) {
                continue;
            }
            match maker
                .filter(|maker| View::new(context, body, *maker).name() == arith::Constant::NAME)
            {
                Some(maker) => constants.push(maker),
                None => free.push(value),
            }
        }
    }
    for value in free {
        let ty = body.ty(value);
        let argument = body.add_argument(entry, ty, body.location(op));
        for user in inside.iter().copied().chain([op]) {
            let mut operands: Vec<ValueId> = body.operands(user).collect();
            for operand in operands.iter_mut().filter(|operand| **operand == value) {
                *operand = argument;
            }
            body.set_operands(user, &operands);
        }
    }
    body.set_operands(last, &results);
    for constant in &constants {
        body.move_before(last, *constant);
    }
    body.move_before(last, op);
    let kept = |other: &OperationId| *other == op || *other == last || constants.contains(other);
    let others: Vec<OperationId> = body.operations(entry).filter(|o| !kept(o)).collect();
    for other in others.into_iter().rev() {
        body.erase(other);
    }
    for _ in 0..n_old {
        body.remove_argument(entry, 0);
    }
    let types = |values: &[ValueId]| -> Vec<_> { values.iter().map(|v| body.ty(*v)).collect() };
    let (inputs, outputs) = (types(body.arguments(entry)), types(&results));
    let ty = context.function_type(&inputs, &outputs);
    let outer = alone.inner_mut();
    for name in ["arg_attrs", "res_attrs"] {
        outer.remove_attribute(function, context.name(name));
    }
    let name = context.name("function_type");
    outer.set_attribute(function, name, context.type_attribute(ty));
    Some(alone)
}
