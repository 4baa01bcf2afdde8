//! The `affine-parallelize` pass: loops whose iterations do not depend on each other become `affine.parallel`.
//!
//! Source: MLIR, `isLoopParallel` and `affineParallelize`. With `parallel-reductions`, carried values that one operation combines
//! become reductions, whose order is free.

use sluice_dialects::{affine, arith};
use sluice_ir::{Body, Context, NewOperation, OperationId, TypeKind, ValueId, View};

use super::dependence::{Access, Order, accesses, may_meet};
use super::{Loop, loops};
use crate::pipeline::Options;

/// Converts the parallel loops of a body, outer ones first.
pub(crate) fn parallelize(context: &Context, body: &mut Body, options: &Options) {
    let reduces = options.flag("parallel-reductions");
    let max_nested = options.number("max-nested").unwrap_or(i64::MAX);
    let loops = loops(context, body);
    let candidates: Vec<(OperationId, Vec<Reduction>)> = body
        .walk_all()
        .into_iter()
        .filter(|op| loops.contains(op))
        .filter_map(|op| Some((op, reductions(context, body, op, reduces)?)))
        .filter(|(op, _)| is_parallel(context, body, *op))
        .collect();
    for (op, reductions) in candidates {
        let around =
            std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        let parallel = around
            .filter(|op| context.operation_text(body.name(*op)) == affine::Parallel::NAME)
            .count();
        if i64::try_from(parallel).is_ok_and(|parallel| parallel < max_nested) {
            convert(context, body, op, &reductions);
        }
    }
}

/// Returns true if no iteration accesses an element that another one writes.
fn is_parallel(context: &Context, body: &Body, op: OperationId) -> bool {
    let depth = super::dependence::loops_around(context, body, op).len();
    let Some(all) = accesses(context, body, op) else {
        return false;
    };
    let meets = |source: &Access, sink: &Access| {
        (source.is_store || sink.is_store)
            && may_meet(context, body, source, sink, Order::Before(depth))
    };
    !all.iter()
        .any(|source| all.iter().any(|sink| meets(source, sink)))
}

/// A carried value that one operation combines with a value of each iteration.
pub(super) struct Reduction {
    /// The operation.
    pub(super) op: OperationId,
    /// Its number in `arith::ATOMIC_KINDS`.
    pub(super) kind: i64,
    /// The value of an iteration.
    pub(super) value: ValueId,
}

/// Returns the reductions of the carried values of a loop; `None` if one of them is not a reduction, or if they are not `wanted`.
pub(super) fn reductions(
    context: &Context,
    body: &Body,
    op: OperationId,
    wanted: bool,
) -> Option<Vec<Reduction>> {
    let block = body.entry_block(op, 0)?;
    let carried = &body.arguments(block)[1..];
    if carried.is_empty() {
        return Some(Vec::new());
    }
    let last = body.last_operation(block).filter(|_| wanted)?;
    let pairs = carried.iter().zip(body.operands(last));
    pairs
        .map(|(argument, yielded)| {
            let op = body.defining_operation(yielded)?;
            let view = View::new(context, body, op);
            let kind = kind_of(view)?;
            let is_inside = body.parent_block(op) == Some(block);
            let value = view.operands().find(|value| value != argument)?;
            let reduces = view.operands().any(|value| value == *argument);
            (is_inside && reduces && body.has_one_use(*argument) && body.has_one_use(yielded))
                .then_some(Reduction { op, kind, value })
        })
        .collect()
}

/// Returns the number of the kind of reduction that an operation computes.
fn kind_of(view: View<'_>) -> Option<i64> {
    let name = match view.name() {
        arith::Addf::NAME => "addf",
        arith::Addi::NAME => "addi",
        arith::Mulf::NAME => "mulf",
        arith::Muli::NAME => "muli",
        arith::Andi::NAME => "andi",
        arith::Ori::NAME => "ori",
        arith::Maxsi::NAME => "maxs",
        arith::Maxui::NAME => "maxu",
        arith::Minsi::NAME => "mins",
        arith::Minui::NAME => "minu",
        arith::Maximumf::NAME => "maximumf",
        arith::Minimumf::NAME => "minimumf",
        _ => return None,
    };
    let ty = view.ty(view.result(0));
    let is_scalar = matches!(
        ty.kind(view.context),
        TypeKind::Float(_) | TypeKind::Integer { .. }
    );
    let mut cases = arith::ATOMIC_KINDS.cases.iter();
    let (_, number) = cases.find(|(case, _)| *case == name)?;
    i64::try_from(*number).ok().filter(|_| is_scalar)
}

fn convert(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    reductions: &[Reduction],
) -> Option<()> {
    let view = View::new(context, body, op);
    let bounds = Loop::read(view)?;
    let block = view.entry_block(0)?;
    let last = body.last_operation(block)?;
    let mut new = NewOperation::new(
        context.operation_name(affine::Parallel::NAME),
        view.location(),
    );
    new.operands.extend(bounds.lower.1.iter().copied());
    new.operands.extend(bounds.upper.1.iter().copied());
    new.result_types = reductions.iter().map(|r| body.ty(r.value)).collect();
    new.n_regions = 1;
    let groups = |n: usize| affine::groups_attribute(context, &[i64::try_from(n).unwrap_or(0)]);
    let kinds: Vec<_> = reductions
        .iter()
        .map(|r| context.i64_attribute(r.kind))
        .collect();
    let steps = [context.i64_attribute(bounds.step)];
    let (lower, upper) = (bounds.lower.0, bounds.upper.0);
    let attributes = [
        ("reductions", context.array_attribute(&kinds)),
        ("lowerBoundsGroups", groups(lower.results.len())),
        ("upperBoundsGroups", groups(upper.results.len())),
        ("lowerBoundsMap", context.affine_map_attribute(lower)),
        ("upperBoundsMap", context.affine_map_attribute(upper)),
        ("steps", context.array_attribute(&steps)),
    ];
    let attributes = attributes.into_iter();
    new.attributes
        .extend(attributes.map(|(name, attribute)| (context.name(name), attribute)));
    let made = body.create(context, new);
    body.insert_before(op, made);
    let (from, to) = (body.regions(op)[0], body.regions(made)[0]);
    body.move_blocks(from, to);
    let values: Vec<ValueId> = reductions.iter().map(|r| r.value).collect();
    body.set_operands(last, &values);
    for (i, reduction) in reductions.iter().enumerate() {
        let (init, result) = (bounds.inits[i], body.result(made, i));
        body.move_before(op, reduction.op);
        body.set_operands(reduction.op, &[init, result]);
        let (old, new) = (body.result(op, i), body.result(reduction.op, 0));
        body.replace_all_uses(old, new);
    }
    for i in (0..reductions.len()).rev() {
        body.remove_argument(block, i + 1);
    }
    body.erase(op);
    Some(())
}
