//! `affine-to-scf`: lowers affine operations to scf, arith and memref. Parallel loops become sequential ones.

use sluice_dialects::sluice::OF_DIMENSIONS;
use sluice_dialects::{affine, arith, memref, scf};
use sluice_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use sluice_ir::{
    AttributeKind, BlockId, Body, Builder, Context, Diagnostics, NewOperation, OperationId,
    ValueId, View,
};

use crate::build::{all_named, binary, compare, constant, name, replace};
use crate::lowering::parallel::take_dimension;

/// Lowers every affine operation of the body; a constant divisor that is not positive is an error.
pub fn lower_affine(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    for op in body.walk_all() {
        check_divisors(View::new(context, body, op), diagnostics);
    }
    if diagnostics.has_errors() {
        return;
    }
    for wanted in [
        affine::Apply::NAME,
        affine::Load::NAME,
        affine::Store::NAME,
        affine::Min::NAME,
        affine::Max::NAME,
    ] {
        for op in all_named(context, body, wanted) {
            lower_simple(context, body, op);
        }
    }
    lower_index_lists(context, body, |_| true);
    for op in all_named(context, body, affine::Parallel::NAME) {
        if let Err(message) = lower_parallel(context, body, op) {
            diagnostics.error(body.location(op), message);
        }
    }
    for op in all_named(context, body, affine::For::NAME) {
        lower_for(context, body, op);
    }
    for op in all_named(context, body, affine::If::NAME) {
        lower_if(context, body, op);
    }
    for op in all_named(context, body, affine::Yield::NAME) {
        let operands: Vec<_> = body.operands(op).collect();
        let mut builder = Builder::before(context, body, op);
        builder.operation(scf::Yield::NAME, &operands, &[], &[]);
        body.erase(op);
    }
}

/// Lowers those of the operations with lists of bases that are `wanted`.
pub(crate) fn lower_index_lists(
    context: &Context,
    body: &mut Body,
    wanted: impl Fn(View<'_>) -> bool,
) {
    for kind in [affine::DelinearizeIndex::NAME, affine::LinearizeIndex::NAME] {
        for op in all_named(context, body, kind) {
            let view = View::new(context, body, op);
            if !wanted(view) {
                continue;
            }
            let Some((map, operands)) = affine::index_map(view) else {
                continue;
            };
            let mut builder = Builder::before(context, body, op);
            let values = expand_map(&mut builder, &map, &operands);
            replace(body, op, &values);
        }
    }
}

/// Refuses maps and sets of affine operations that divide by a constant that is not positive.
fn check_divisors(view: View<'_>, diagnostics: &mut Diagnostics) {
    if !view.name().starts_with("affine.") {
        return;
    }
    for (_, attribute) in view.body.attributes(view.id) {
        let (text, parts) = match attribute.kind(view.context) {
            AttributeKind::AffineMap(map) => (map.to_string(), map.results.iter().collect()),
            AttributeKind::IntegerSet(set) => {
                let parts = set.constraints.iter().map(|(expr, _)| expr);
                (set.to_string(), parts.collect::<Vec<_>>())
            }
            _ => continue,
        };
        if let Some((operation, divisor)) = parts.into_iter().find_map(wrong_divisor) {
            let message = format!(
                "`{operation}` by {divisor} in `{text}`: the divisor must be greater than 0"
            );
            diagnostics.error(view.location(), message);
        }
    }
}

/// Returns the first operation that divides by a constant that is not positive.
fn wrong_divisor(expr: &AffineExpr) -> Option<(&'static str, i64)> {
    let (operation, a, b) = match expr {
        AffineExpr::Dim(_) | AffineExpr::Symbol(_) | AffineExpr::Constant(_) => return None,
        AffineExpr::Add(a, b) | AffineExpr::Mul(a, b) => (None, a, b),
        AffineExpr::Mod(a, b) => (Some("mod"), a, b),
        AffineExpr::FloorDiv(a, b) => (Some("floordiv"), a, b),
        AffineExpr::CeilDiv(a, b) => (Some("ceildiv"), a, b),
    };
    let divisor = b.as_constant().filter(|divisor| *divisor <= 0);
    operation
        .zip(divisor)
        .or_else(|| wrong_divisor(a))
        .or_else(|| wrong_divisor(b))
}

/// Emits operations that compute an affine expression.
pub(crate) fn expand(
    builder: &mut Builder<'_>,
    expr: &AffineExpr,
    dims: &[ValueId],
    symbols: &[ValueId],
) -> ValueId {
    let index = builder.context.index_type();
    let pair = |builder: &mut Builder<'_>, a: &AffineExpr, b: &AffineExpr| {
        (
            expand(builder, a, dims, symbols),
            expand(builder, b, dims, symbols),
        )
    };
    match expr {
        AffineExpr::Dim(i) => dims[*i as usize],
        AffineExpr::Symbol(i) => symbols[*i as usize],
        AffineExpr::Constant(value) => constant(builder, index, *value),
        AffineExpr::Add(a, b) => {
            let (a, b) = pair(builder, a, b);
            binary(builder, arith::Addi::NAME, a, b)
        }
        AffineExpr::Mul(a, b) => {
            let (a, b) = pair(builder, a, b);
            binary(builder, arith::Muli::NAME, a, b)
        }
        AffineExpr::FloorDiv(a, b) => {
            let (a, b) = pair(builder, a, b);
            binary(builder, arith::Floordivsi::NAME, a, b)
        }
        AffineExpr::CeilDiv(a, b) => {
            let (a, b) = pair(builder, a, b);
            binary(builder, arith::Ceildivsi::NAME, a, b)
        }
        AffineExpr::Mod(a, b) => {
            // Affine `mod` is never negative: it is the remainder of the quotient rounded down.
            let (a, b) = pair(builder, a, b);
            let quotient = binary(builder, arith::Floordivsi::NAME, a, b);
            let multiple = binary(builder, arith::Muli::NAME, quotient, b);
            binary(builder, arith::Subi::NAME, a, multiple)
        }
    }
}

fn expand_map(builder: &mut Builder<'_>, map: &AffineMap, operands: &[ValueId]) -> Vec<ValueId> {
    let (dims, symbols) = operands.split_at(map.n_dims as usize);
    map.results
        .iter()
        .map(|expr| expand(builder, expr, dims, symbols))
        .collect()
}

/// Emits the minimum or maximum of some values.
fn extremum(builder: &mut Builder<'_>, mut values: Vec<ValueId>, operation: &str) -> ValueId {
    let first = values.remove(0);
    values
        .into_iter()
        .fold(first, |a, b| binary(builder, operation, a, b))
}

fn map_of(view: View<'_>, attribute: &str) -> AffineMap {
    view.attribute(attribute)
        .and_then(|a| a.as_affine_map(view.context))
        .expect("the verifier requires this map")
        .clone()
}

fn lower_simple(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let operands: Vec<_> = view.operands().collect();
    let result_types: Vec<_> = view.result_types().collect();
    let kind = view.name().to_owned();
    let map = map_of(view, "map");
    let mut builder = Builder::before(context, body, op);
    let values = match kind.as_str() {
        affine::Apply::NAME => expand_map(&mut builder, &map, &operands),
        affine::Min::NAME | affine::Max::NAME => {
            let values = expand_map(&mut builder, &map, &operands);
            let operation = if kind == affine::Min::NAME {
                arith::Minsi::NAME
            } else {
                arith::Maxsi::NAME
            };
            vec![extremum(&mut builder, values, operation)]
        }
        affine::Load::NAME => {
            let mut all = vec![operands[0]];
            all.extend(expand_map(&mut builder, &map, &operands[1..]));
            let load = builder.operation(memref::Load::NAME, &all, &result_types, &[]);
            vec![builder.body.result(load, 0)]
        }
        _ => {
            let mut all = vec![operands[0], operands[1]];
            all.extend(expand_map(&mut builder, &map, &operands[2..]));
            builder.operation(memref::Store::NAME, &all, &[], &[]);
            Vec::new()
        }
    };
    replace(body, op, &values);
}

fn lower_for(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (lower_map, upper_map) = (map_of(view, "lowerBoundMap"), map_of(view, "upperBoundMap"));
    let groups: Vec<Vec<ValueId>> = (0..3).map(|g| view.operand_group(g).to_vec()).collect();
    let step = view
        .attribute("step")
        .and_then(|a| a.as_i64(context))
        .unwrap_or(1);
    let result_types: Vec<_> = view.result_types().collect();
    let kept: Vec<_> = view
        .attributes()
        .iter()
        .filter(|(n, _)| context.text(*n).starts_with("sluice."))
        .copied()
        .collect();
    let mut builder = Builder::before(context, body, op);
    let lower = expand_map(&mut builder, &lower_map, &groups[0]);
    let lower = extremum(&mut builder, lower, arith::Maxsi::NAME);
    let upper = expand_map(&mut builder, &upper_map, &groups[1]);
    let upper = extremum(&mut builder, upper, arith::Minsi::NAME);
    let index = context.index_type();
    let step = constant(&mut builder, index, step);
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), builder.location);
    new.operands.extend([lower, upper, step]);
    new.operands.extend(groups[2].iter().copied());
    new.result_types = result_types.into();
    new.attributes = kept;
    new.n_regions = 1;
    let scf = builder.create(new);
    let (from, to) = (body.regions(op)[0], body.regions(scf)[0]);
    body.move_blocks(from, to);
    let results = body.results(scf).to_vec();
    replace(body, op, &results);
}

/// Emits the test whether operands satisfy the set, as one bit.
fn expand_set(builder: &mut Builder<'_>, set: &IntegerSet, operands: &[ValueId]) -> ValueId {
    let (dims, symbols) = operands.split_at(set.n_dims as usize);
    let index = builder.context.index_type();
    let bit = builder.context.integer_type(1);
    let mut all: Option<ValueId> = None;
    for (expr, is_equality) in &set.constraints {
        let value = expand(builder, expr, dims, symbols);
        let zero = constant(builder, index, 0);
        let holds = compare(builder, if *is_equality { 0 } else { 5 }, value, zero);
        all = Some(match all {
            None => holds,
            Some(before) => binary(builder, arith::Andi::NAME, before, holds),
        });
    }
    all.unwrap_or_else(|| constant(builder, bit, -1))
}

fn lower_if(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let set = view
        .attribute("condition")
        .and_then(|a| a.as_integer_set(context));
    let set = set.expect("the verifier requires the condition").clone();
    let operands: Vec<_> = view.operands().collect();
    let result_types: Vec<_> = view.result_types().collect();
    let mut builder = Builder::before(context, body, op);
    let condition = expand_set(&mut builder, &set, &operands);
    let mut new = NewOperation::new(context.operation_name(scf::If::NAME), builder.location);
    new.operands.push(condition);
    new.result_types = result_types.into();
    new.n_regions = 2;
    let scf = builder.create(new);
    for i in 0..body.regions(op).len() {
        let (from, to) = (body.regions(op)[i], body.regions(scf)[i]);
        body.move_blocks(from, to);
    }
    let results = body.results(scf).to_vec();
    replace(body, op, &results);
}

/// Replaces a loop without dimensions, which has one iteration point, by its body.
fn run_once(body: &mut Body, op: OperationId, block: BlockId) {
    let operations: Vec<OperationId> = body.operations(block).collect();
    let Some((last, others)) = operations.split_last() else {
        return;
    };
    for inner in others {
        body.move_before(op, *inner);
    }
    let values: Vec<ValueId> = body.operands(*last).collect();
    replace(body, op, &values);
}

/// Lowers a parallel loop to a nest of sequential loops; its reductions become carried values.
fn lower_parallel(context: &Context, body: &mut Body, op: OperationId) -> Result<(), String> {
    let view = View::new(context, body, op);
    let block = view.entry_block(0);
    let block = block.ok_or("an `affine.parallel` has a body")?;
    let n_dims = body.arguments(block).len();
    if n_dims == 0 {
        run_once(body, op, block);
        return Ok(());
    }
    let groups = |attribute: &str| -> Option<Vec<i64>> {
        match view.attribute(attribute)?.kind(context) {
            sluice_ir::AttributeKind::DenseElements { values, splat, .. } => {
                let all: Option<Vec<i64>> = values.iter().map(|v| v.to_i64()).collect();
                all.map(|v| if *splat { vec![v[0]; n_dims] } else { v })
            }
            _ => None,
        }
    };
    let missing = "an `affine.parallel` has bounds for each dimension";
    let (lower_groups, upper_groups) = (
        groups("lowerBoundsGroups").ok_or(missing)?,
        groups("upperBoundsGroups").ok_or(missing)?,
    );
    let (lower_map, upper_map) = (
        map_of(view, "lowerBoundsMap"),
        map_of(view, "upperBoundsMap"),
    );
    let steps = view
        .attribute("steps")
        .and_then(|a| a.as_array(context))
        .ok_or(missing)?;
    let steps: Option<Vec<i64>> = steps.iter().map(|s| s.as_i64(context)).collect();
    let steps = steps.ok_or(missing)?;
    let reductions = view
        .attribute("reductions")
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let reductions: Option<Vec<i64>> = reductions.iter().map(|r| r.as_i64(context)).collect();
    let reductions = reductions.ok_or("an `affine.parallel` names its reductions by number")?;
    let operands: Vec<_> = view.operands().collect();
    let of_dimensions = view.attribute(OF_DIMENSIONS);
    let n_lower = (lower_map.n_dims + lower_map.n_symbols) as usize;
    let result_types: Vec<_> = view.result_types().collect();

    let mut builder = Builder::before(context, body, op);
    let index = context.index_type();
    let mut lows = expand_map(&mut builder, &lower_map, &operands[..n_lower]);
    let mut highs = expand_map(&mut builder, &upper_map, &operands[n_lower..]);
    let mut carried = Vec::new();
    for (kind, ty) in reductions.iter().zip(&result_types) {
        let width = ty
            .width_bits(context)
            .ok_or("a reduction is over integers")?;
        let identity = reduction(*kind, width)
            .ok_or("this kind of reduction is not supported yet")?
            .1;
        let attribute = context.integer_attribute(*ty, identity);
        let constant =
            builder.operation(arith::Constant::NAME, &[], &[*ty], &[("value", attribute)]);
        carried.push(builder.body.result(constant, 0));
    }
    let mut outer: Option<OperationId> = None;
    for dim in 0..n_dims {
        let take = |values: &mut Vec<ValueId>, n: i64| -> Vec<ValueId> {
            values.drain(..usize::try_from(n).unwrap_or(0)).collect()
        };
        let low = take(&mut lows, lower_groups[dim]);
        let high = take(&mut highs, upper_groups[dim]);
        let low = extremum(&mut builder, low, arith::Maxsi::NAME);
        let high = extremum(&mut builder, high, arith::Minsi::NAME);
        let step = constant(&mut builder, index, steps[dim]);
        let mut new = NewOperation::new(context.operation_name(scf::For::NAME), builder.location);
        new.operands.extend([low, high, step]);
        new.operands.extend(carried.iter().copied());
        new.result_types = result_types.clone().into();
        new.n_regions = 1;
        let scf = builder.create(new);
        let region = builder.body.regions(scf)[0];
        let inner = builder.body.append_block(region);
        let location = builder.location;
        let variable = builder.body.add_argument(inner, index, location);
        let old = builder.body.arguments(block)[dim];
        take_dimension(
            context,
            builder.body,
            (of_dimensions, dim),
            scf,
            (old, variable),
        );
        builder.body.replace_all_uses(old, variable);
        carried = result_types
            .iter()
            .map(|ty| builder.body.add_argument(inner, *ty, location))
            .collect();
        match outer {
            None => {
                let results = builder.body.results(scf).to_vec();
                for (old, new) in builder.body.results(op).to_vec().into_iter().zip(results) {
                    builder.body.replace_all_uses(old, new);
                }
            }
            Some(_) => {
                let results = builder.body.results(scf).to_vec();
                builder.operation(scf::Yield::NAME, &results, &[], &[]);
            }
        }
        outer = Some(scf);
        builder.point = sluice_ir::InsertionPoint::End(inner);
        // Bounds of inner dimensions were computed before the nest, so they need no code here.
        let sluice_ir::InsertionPoint::End(inner) = builder.point else {
            unreachable!("just set")
        };
        let marker = inner;
        if dim + 1 == n_dims {
            let ops: Vec<_> = builder.body.operations(block).collect();
            for moved in &ops {
                builder.body.move_to_end(marker, *moved);
            }
            let last = *ops.last().ok_or("a body ends in `affine.yield`")?;
            let yielded: Vec<_> = builder.body.operands(last).collect();
            let mut combined = Vec::new();
            builder.point = sluice_ir::InsertionPoint::Before(last);
            for ((kind, value), before) in reductions.iter().zip(yielded).zip(&carried) {
                let width = builder
                    .body
                    .ty(value)
                    .width_bits(context)
                    .ok_or("a reduction is over integers")?;
                let operation = reduction(*kind, width)
                    .ok_or("this kind of reduction is not supported yet")?
                    .0;
                combined.push(binary(&mut builder, operation, *before, value));
            }
            builder.body.set_operands(last, &combined);
        }
    }
    body.erase(op);
    Ok(())
}

/// Returns the operation and the identity element of a kind of `arith::ATOMIC_KINDS`, for the integer kinds.
fn reduction(kind: i64, width: u32) -> Option<(&'static str, sluice_ir::bits::Bits)> {
    use sluice_ir::bits::Bits;
    let lowest = Bits::from_u64(width, 1).shl_by(width - 1);
    let kind = sluice_dialects::arith::ATOMIC_KINDS.keywords(u64::try_from(kind).ok()?)?;
    Some(match kind.as_str() {
        "addi" => (arith::Addi::NAME, Bits::zero(width)),
        "maxs" => (arith::Maxsi::NAME, lowest),
        "maxu" => (arith::Maxui::NAME, Bits::zero(width)),
        "mins" => (arith::Minsi::NAME, lowest.not()),
        "minu" => (arith::Minui::NAME, Bits::ones(width)),
        "muli" => (arith::Muli::NAME, Bits::from_u64(width, 1)),
        "ori" => (arith::Ori::NAME, Bits::zero(width)),
        "andi" => (arith::Andi::NAME, Bits::ones(width)),
        _ => return None,
    })
}

/// Returns whether the body still contains affine operations.
pub fn holds_affine(context: &Context, body: &Body) -> bool {
    body.walk_all()
        .into_iter()
        .any(|op| name(context, body, op).starts_with("affine."))
}
