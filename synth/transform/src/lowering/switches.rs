//! Lowers switches to chains of comparisons: `cf.cond_br` between blocks, and nested `scf.if`.

use sluice_dialects::{cf, cf::switch_cases, scf, scf::index_switch_cases};
use sluice_ir::{Body, Builder, Context, InsertionPoint, NewOperation, OperationId, View};

use crate::build::{all_named, compare, constant, constant_bits, replace};

/// Lowers every `cf.switch` and `scf.index_switch`.
pub(crate) fn lower_switches(context: &Context, body: &mut Body) {
    for op in all_named(context, body, cf::Switch::NAME) {
        lower_branches(context, body, op);
    }
    // Outer ones first: their regions move together with the inner ones.
    for op in all_named(context, body, scf::IndexSwitch::NAME) {
        lower_regions(context, body, op);
    }
}

fn lower_branches(context: &Context, body: &mut Body, op: OperationId) {
    let flag = body.operand(op, 0);
    let mut cases = switch_cases(View::new(context, body, op));
    let default = cases.remove(0);
    let location = body.location(op);
    let first = body.parent_block(op).expect("a terminator is in a block");
    body.erase(op);
    let mut block = first;
    let last = cases.len().checked_sub(1);
    for (i, case) in cases.into_iter().enumerate() {
        // If the last comparison fails, the default is taken.
        let (otherwise, passed) = if Some(i) == last {
            (default.block, default.operands.clone())
        } else {
            let next = body.create_block();
            (next, Vec::new())
        };
        if Some(i) != last {
            body.attach_block(
                body.parent_region(block).expect("a block is in a region"),
                otherwise,
            );
            body.move_block_after(block, otherwise);
        }
        let mut builder = Builder::at_end(context, body, block, location);
        let ty = builder.body.ty(flag);
        let value = case.value.expect("only the default has none");
        let value = constant_bits(&mut builder, ty, value);
        let is_this = compare(&mut builder, 0, flag, value);
        let mut new = NewOperation::new(context.operation_name(cf::CondBr::NAME), location);
        new.operands.push(is_this);
        new.operands.extend(case.operands.iter().copied());
        new.operands.extend(passed.iter().copied());
        new.successors.extend([case.block, otherwise]);
        let size = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let sizes = context.dense_i32_array(&[1, size(case.operands.len()), size(passed.len())]);
        new.attributes
            .push((context.name("operandSegmentSizes"), sizes));
        builder.create(new);
        block = otherwise;
    }
    if last.is_none() {
        let mut builder = Builder::at_end(context, body, block, location);
        let mut new = NewOperation::new(context.operation_name(cf::Br::NAME), location);
        new.operands.extend(default.operands);
        new.successors.push(default.block);
        builder.create(new);
    }
}

fn lower_regions(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let cases = index_switch_cases(view);
    let flag = view.operand(0);
    let types: Vec<_> = view.result_types().collect();
    let regions = view.regions().to_vec();
    let location = view.location();
    if cases.is_empty() {
        let block = body.blocks(regions[0])[0];
        let values = crate::build::yielded(body, op, 0);
        crate::build::move_all_but_last(body, block, op);
        replace(body, op, &values);
        return;
    }
    let mut results = Vec::new();
    let mut builder = Builder::before(context, body, op);
    let n_cases = cases.len();
    for (i, case) in cases.into_iter().enumerate() {
        let ty = builder.body.ty(flag);
        let value = constant(&mut builder, ty, case);
        let is_this = compare(&mut builder, 0, flag, value);
        let mut new = NewOperation::new(context.operation_name(scf::If::NAME), location);
        new.operands.push(is_this);
        new.result_types.extend(types.iter().copied());
        new.n_regions = 2;
        let conditional = builder.create(new);
        let own: Vec<_> = builder.body.regions(conditional).to_vec();
        builder.body.move_blocks(regions[i + 1], own[0]);
        let values = builder.body.results(conditional).to_vec();
        if i == 0 {
            results.clone_from(&values);
        } else {
            // The enclosing conditional yields the results of this one.
            builder.operation(scf::Yield::NAME, &values, &[], &[]);
        }
        if i + 1 == n_cases {
            builder.body.move_blocks(regions[0], own[1]);
        } else {
            let block = builder.body.append_block(own[1]);
            builder.point = InsertionPoint::End(block);
            continue;
        }
    }
    replace(body, op, &results);
}
