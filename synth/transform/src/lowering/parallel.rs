//! Lowers `scf.parallel` to a nest of `scf.for` that carries the reductions; `scf.forall` without tensors becomes `scf.parallel`
//! first.

use sluice_dialects::sluice::OF_DIMENSIONS;
use sluice_dialects::{memref::Extent, scf, scf::forall_bounds};
use sluice_ir::{
    Attribute, Body, Builder, Context, InsertionPoint, NewOperation, OperationId, ValueId, View,
};

use crate::build::{all_named, constant, replace};

/// Copies the properties of one dimension to a new loop: the attributes, and the name of the induction variable.
pub(crate) fn take_dimension(
    context: &Context,
    body: &mut Body,
    (of_dimensions, dimension): (Option<Attribute>, usize),
    made: OperationId,
    (old, new): (ValueId, ValueId),
) {
    let all = of_dimensions.and_then(|all| all.as_array(context));
    let own = all.and_then(|all| all.get(dimension)?.as_dictionary(context));
    for (name, attribute) in own.unwrap_or_default() {
        body.set_attribute(made, *name, *attribute);
    }
    let name = body.value_name(old);
    body.set_value_name(new, name);
}

/// Rewrites every `scf.forall` that makes no tensors as an `scf.parallel`. Returns these, outer ones first.
pub fn lower_forall(context: &Context, body: &mut Body) -> Vec<OperationId> {
    let mut loops = Vec::new();
    for op in all_named(context, body, scf::Forall::NAME) {
        let view = View::new(context, body, op);
        if !view.operand_group(3).is_empty() {
            continue;
        }
        let (Some(bounds), Some(block)) = (forall_bounds(view), view.entry_block(0)) else {
            continue;
        };
        let (location, region) = (view.location(), view.regions()[0]);
        let index = context.index_type();
        let mut builder = Builder::before(context, body, op);
        let mut new = NewOperation::new(context.operation_name(scf::Parallel::NAME), location);
        let n_loops = bounds[0].len();
        for extent in bounds.into_iter().flatten() {
            new.operands.push(match extent {
                Extent::Known(number) => constant(&mut builder, index, number),
                Extent::Value(value) => value,
            });
        }
        new.n_regions = 1;
        let sizes = [n_loops, n_loops, n_loops, 0].map(|n| i32::try_from(n).unwrap_or(0));
        new.attributes.push((
            context.name("operandSegmentSizes"),
            context.dense_i32_array(&sizes),
        ));
        let of_dimensions = builder
            .body
            .attribute_named(context, op, OF_DIMENSIONS)
            .map(|all| (context.name(OF_DIMENSIONS), all));
        new.attributes.extend(of_dimensions);
        let made = builder.create(new);
        let to = builder.body.regions(made)[0];
        builder.body.move_blocks(region, to);
        if let Some(last) = body.last_operation(block) {
            body.erase(last);
        }
        let mut builder = Builder::at_end(context, body, block, location);
        builder.operation(scf::Reduce::NAME, &[], &[], &[]);
        body.erase(op);
        loops.push(made);
    }
    loops
}

/// Lowers every `scf.parallel`, outer ones first.
pub fn lower_parallel(context: &Context, body: &mut Body) {
    for op in all_named(context, body, scf::Parallel::NAME) {
        parallel_to_nest(context, body, op);
    }
}

/// Replaces an `scf.parallel` by a nest of `scf.for`.
pub fn parallel_to_nest(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let [lower, upper, step, inits] = [0, 1, 2, 3].map(|group| view.operand_group(group));
    let types: Vec<_> = view.result_types().collect();
    let source = view.entry_block(0).expect("a loop has a body");
    let location = view.location();
    let index = context.index_type();
    let of_dimensions = view.attribute(OF_DIMENSIONS);
    let source_variables = body.arguments(source).to_vec();
    let mut carried: Vec<ValueId> = inits.to_vec();
    let mut variables = Vec::new();
    let mut results: Option<Vec<ValueId>> = None;
    let mut builder = Builder::before(context, body, op);
    let bounds = lower.iter().zip(&upper).zip(&step);
    for (dimension, ((lower, upper), step)) in bounds.enumerate() {
        let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
        new.operands.extend([*lower, *upper, *step]);
        new.operands.extend(carried.iter().copied());
        new.result_types.extend(types.iter().copied());
        new.n_regions = 1;
        let made = builder.create(new);
        let values = builder.body.results(made).to_vec();
        match &results {
            // For an inner loop, the enclosing loop yields its results.
            Some(_) => drop(builder.operation(scf::Yield::NAME, &values, &[], &[])),
            None => results = Some(values),
        }
        let block = builder.body.append_block(builder.body.regions(made)[0]);
        let variable = builder.body.add_argument(block, index, location);
        take_dimension(
            context,
            builder.body,
            (of_dimensions, dimension),
            made,
            (source_variables[dimension], variable),
        );
        variables.push(variable);
        carried = types
            .iter()
            .map(|ty| builder.body.add_argument(block, *ty, location))
            .collect();
        builder.point = InsertionPoint::End(block);
    }
    let InsertionPoint::End(innermost) = builder.point else {
        return;
    };
    let arguments = body.arguments(source).to_vec();
    for (argument, variable) in arguments.into_iter().zip(variables) {
        body.replace_all_uses(argument, variable);
    }
    let ops: Vec<_> = body.operations(source).collect();
    let Some((reduce, moved)) = ops.split_last() else {
        return;
    };
    for inner in moved {
        body.move_to_end(innermost, *inner);
    }
    let mut passed_on = Vec::new();
    for (region, so_far) in carried.into_iter().enumerate() {
        let block = body
            .entry_block(*reduce, region)
            .expect("a reduction has a block");
        let arguments = body.arguments(block).to_vec();
        let value = body.operand(*reduce, region);
        body.replace_all_uses(arguments[0], so_far);
        body.replace_all_uses(arguments[1], value);
        let last = body.last_operation(block).expect("a reduction returns");
        passed_on.push(body.operand(last, 0));
        for inner in body.operations(block).collect::<Vec<_>>() {
            if inner != last {
                body.move_to_end(innermost, inner);
            }
        }
    }
    let mut builder = Builder::at_end(context, body, innermost, location);
    builder.operation(scf::Yield::NAME, &passed_on, &[], &[]);
    replace(body, op, &results.unwrap_or_default());
}
