//! The `lower-affine` pass: affine operations become operations of scf, memref and arith.
//!
//! Source: MLIR, `AffineToStandard`. Differs: a function with accesses of vectors or DMA stays as it is, with a warning.

use sluice_dialects::{affine, arith, memref, scf};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::algebra::special_values;
use sluice_ir::bits::Bits;
use sluice_ir::{
    Body, Builder, Context, Diagnostics, Exact, NewOperation, OperationId, Type, TypeKind, ValueId,
    View,
};

use super::Loop;
use crate::canonicalize::maps::Composed;
use crate::emit::{binary, compare, constant, index_constant, integer, replace, value};

/// `arith.cmpi eq`.
const EQUAL: i64 = 0;
/// `arith.cmpi slt`.
const LESS: i64 = 2;
/// `arith.cmpi sle`.
const LESS_OR_EQUAL: i64 = 3;
/// `arith.cmpi sge`.
const GREATER_OR_EQUAL: i64 = 5;

/// Lowers the affine operations of a body.
pub(crate) fn lower(context: &Context, body: &mut Body, found: &mut Diagnostics) {
    let mut are_all_known = true;
    for op in body.walk_all() {
        are_all_known &= check(View::new(context, body, op), found);
    }
    if !are_all_known {
        return;
    }
    for op in body.walk_all() {
        if !body.is_erased(op) && one(context, body, op).is_none() {
            let name = context.operation_text(body.name(op));
            let message = format!("`{name}` of this form is not lowered");
            found.error(body.location(op), message);
        }
    }
}

/// Returns true if an operation can be lowered, and reports it otherwise.
fn check(view: View<'_>, found: &mut Diagnostics) -> bool {
    let name = view.name();
    if matches!(
        name,
        affine::VectorLoad::NAME
            | affine::VectorStore::NAME
            | affine::DmaStart::NAME
            | affine::DmaWait::NAME
    ) {
        let message = format!("`{name}` is not lowered, so the affine operations around stay");
        found.warning(view.location(), message);
        return false;
    }
    let maps = [
        "map",
        "lowerBoundMap",
        "upperBoundMap",
        "lowerBoundsMap",
        "upperBoundsMap",
    ];
    let maps = maps.into_iter().filter_map(|name| view.attribute(name));
    let maps = maps.filter_map(|map| map.as_affine_map(view.context));
    let set = view.attribute("condition");
    let set = set.and_then(|set| set.as_integer_set(view.context));
    let constraints = set.into_iter().flat_map(|set| &set.constraints);
    let mut expressions = maps
        .flat_map(|map| &map.results)
        .chain(constraints.map(|(e, _)| e));
    if sluice_dialects::Operation::of(view).is_some() && expressions.any(divides_by_no_positive) {
        let message = format!("`{name}` divides by a number that is not positive");
        found.error(view.location(), message);
        return false;
    }
    true
}

fn divides_by_no_positive(e: &AffineExpr) -> bool {
    use AffineExpr as E;
    match e {
        E::Dim(_) | E::Symbol(_) | E::Constant(_) => false,
        E::Add(a, b) | E::Mul(a, b) => divides_by_no_positive(a) || divides_by_no_positive(b),
        E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
            b.as_constant().is_some_and(|by| by <= 0)
                || divides_by_no_positive(a)
                || divides_by_no_positive(b)
        }
    }
}

fn one(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let view = View::new(context, body, op);
    let operands: Vec<ValueId> = view.operands().collect();
    let types: Vec<Type> = view.result_types().collect();
    let map = || view.attribute("map")?.as_affine_map(context).cloned();
    if let Some(number) = known_result(view) {
        let mut builder = Builder::before(context, body, op);
        let number = index_constant(&mut builder, number);
        replace(body, op, &[number]);
        return Some(());
    }
    match view.name() {
        affine::Apply::NAME => {
            let map = map()?;
            let mut builder = Builder::before(context, body, op);
            let values = expand_map(&mut builder, &map, &operands);
            replace(body, op, &values);
        }
        name @ (affine::Min::NAME | affine::Max::NAME) => {
            let map = map()?;
            let extremum = match name {
                affine::Min::NAME => arith::Minsi::NAME,
                _ => arith::Maxsi::NAME,
            };
            let mut builder = Builder::before(context, body, op);
            let values = expand_map(&mut builder, &map, &operands);
            let value = fold(&mut builder, extremum, &values)?;
            replace(body, op, &[value]);
        }
        affine::Load::NAME => access(context, body, op, memref::Load::NAME, 1, map()?),
        affine::Store::NAME => access(context, body, op, memref::Store::NAME, 2, map()?),
        affine::Prefetch::NAME => access(context, body, op, memref::Prefetch::NAME, 1, map()?),
        affine::DelinearizeIndex::NAME | affine::LinearizeIndex::NAME => {
            let (map, operands) = affine::index_map(view)?;
            let mut builder = Builder::before(context, body, op);
            let values = expand_map(&mut builder, &map, &operands);
            replace(body, op, &values);
        }
        affine::For::NAME => {
            let mut own = Loop::read(view)?;
            for bound in [&mut own.lower, &mut own.upper] {
                if let Some(numbers) = known(view, &bound.0, &bound.1) {
                    bound.0.results = numbers.into_iter().map(AffineExpr::Constant).collect();
                }
            }
            let has_no_iteration = own.trip_count(view) == Some(Exact::ZERO);
            if has_no_iteration && !own.inits.is_empty() {
                replace(body, op, &own.inits);
                return Some(());
            }
            let mut builder = Builder::before(context, body, op);
            let (lower, upper) = (&own.lower, &own.upper);
            let lower = expand_map(&mut builder, &lower.0, &lower.1);
            let lower = fold(&mut builder, arith::Maxsi::NAME, &lower)?;
            let upper = expand_map(&mut builder, &upper.0, &upper.1);
            let upper = fold(&mut builder, arith::Minsi::NAME, &upper)?;
            let step = index_constant(&mut builder, own.step);
            let operands: Vec<ValueId> =
                [lower, upper, step].into_iter().chain(own.inits).collect();
            become_structured(context, body, op, scf::For::NAME, &operands, &types);
        }
        affine::If::NAME => conditional(context, body, op)?,
        affine::Parallel::NAME => parallel(context, body, op)?,
        affine::Yield::NAME => {
            let parent = body.parent_operation(op)?;
            if context.operation_text(body.name(parent)) != scf::Parallel::NAME {
                let mut builder = Builder::before(context, body, op);
                builder.operation(scf::Yield::NAME, &operands, &[], &[]);
                body.erase(op);
            }
        }
        _ => {}
    }
    Some(())
}

/// Returns the results of a map whose operands are constants.
fn known(view: View<'_>, map: &AffineMap, operands: &[ValueId]) -> Option<Vec<i64>> {
    let mut map = Composed::new(map, operands)?;
    map.canonicalise(view);
    map.results.iter().map(AffineExpr::as_constant).collect()
}

/// Returns the result of an operation on affine maps whose operands are constants.
fn known_result(view: View<'_>) -> Option<i64> {
    let operands: Vec<ValueId> = view.operands().collect();
    let all = || {
        let map = view.attribute("map")?.as_affine_map(view.context)?;
        known(view, map, &operands)
    };
    match view.name() {
        affine::Apply::NAME => all()?.first().copied(),
        affine::Min::NAME => all()?.into_iter().min(),
        affine::Max::NAME => all()?.into_iter().max(),
        _ => None,
    }
}

/// Replaces an access at affine subscripts, which begin at operand `first`.
fn access(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    name: &str,
    first: usize,
    map: AffineMap,
) {
    let view = View::new(context, body, op);
    let operands: Vec<ValueId> = view.operands().collect();
    let types: Vec<Type> = view.result_types().collect();
    let hints = ["isWrite", "localityHint", "isDataCache"];
    let attributes: Vec<_> = hints
        .into_iter()
        .filter_map(|name| Some((name, view.attribute(name)?)))
        .collect();
    let mut builder = Builder::before(context, body, op);
    let mut all = operands[..first].to_vec();
    all.extend(expand_map(&mut builder, &map, &operands[first..]));
    let made = builder.operation(name, &all, &types, &attributes);
    let results = body.results(made).to_vec();
    replace(body, op, &results);
}

/// Replaces an operation with regions by another one with the same regions.
fn become_structured(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    name: &str,
    operands: &[ValueId],
    types: &[Type],
) -> OperationId {
    let mut new = NewOperation::new(context.operation_name(name), body.location(op));
    new.operands = operands.into();
    new.result_types = types.into();
    new.n_regions = body.regions(op).len();
    let made = body.create(context, new);
    body.insert_before(op, made);
    for i in 0..body.regions(op).len() {
        let (from, to) = (body.regions(op)[i], body.regions(made)[i]);
        body.move_blocks(from, to);
    }
    let results = body.results(made).to_vec();
    replace(body, op, &results);
    made
}

fn conditional(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let view = View::new(context, body, op);
    let set = view
        .attribute("condition")?
        .as_integer_set(context)?
        .clone();
    let operands: Vec<ValueId> = view.operands().collect();
    let types: Vec<Type> = view.result_types().collect();
    let (dims, symbols) = operands.split_at(usize::try_from(set.n_dims).ok()?);
    let mut builder = Builder::before(context, body, op);
    let zero = index_constant(&mut builder, 0);
    let mut condition = None;
    for (e, is_equality) in &set.constraints {
        let sum = expand(&mut builder, e, dims, symbols);
        let predicate = if *is_equality {
            EQUAL
        } else {
            GREATER_OR_EQUAL
        };
        let holds = compare(&mut builder, predicate, sum, zero);
        condition = Some(match condition {
            None => holds,
            Some(before) => binary(&mut builder, arith::Andi::NAME, before, holds),
        });
    }
    let condition = condition.unwrap_or_else(|| {
        let bit = context.integer_type(1);
        integer(&mut builder, bit, -1)
    });
    become_structured(context, body, op, scf::If::NAME, &[condition], &types);
    Some(())
}

fn parallel(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let view = View::new(context, body, op);
    let types: Vec<Type> = view.result_types().collect();
    let operands: Vec<ValueId> = view.operands().collect();
    let block = view.entry_block(0)?;
    let n = body.arguments(block).len();
    let numbers = |name: &str| -> Option<Vec<i64>> {
        let list = view.attribute(name)?.as_array(context)?;
        list.iter().map(|number| number.as_i64(context)).collect()
    };
    let (steps, kinds) = (numbers("steps")?, numbers("reductions")?);
    let bounds = |map: &str, groups: &str| -> Option<Vec<AffineMap>> {
        let map = view.attribute(map)?.as_affine_map(context)?;
        let groups = affine::groups(view, groups);
        let mut results = map.results.iter().cloned();
        let maps = groups.into_iter().map(|size| AffineMap {
            results: results
                .by_ref()
                .take(usize::try_from(size).unwrap_or(0))
                .collect(),
            ..map.clone()
        });
        Some(maps.collect())
    };
    let lower = bounds("lowerBoundsMap", "lowerBoundsGroups")?;
    let upper = bounds("upperBoundsMap", "upperBoundsGroups")?;
    let first = lower.first()?;
    let n_lower = usize::try_from(first.n_dims + first.n_symbols).ok()?;
    let (of_lower, of_upper) = operands.split_at(n_lower);
    let mut builder = Builder::before(context, body, op);
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    for (lower, upper) in lower.iter().zip(&upper) {
        let low = expand_map(&mut builder, lower, of_lower);
        lows.push(fold(&mut builder, arith::Maxsi::NAME, &low)?);
        let high = expand_map(&mut builder, upper, of_upper);
        highs.push(fold(&mut builder, arith::Minsi::NAME, &high)?);
    }
    let mut all = [lows, highs].concat();
    for step in steps {
        all.push(index_constant(&mut builder, step));
    }
    let mut combiners = Vec::new();
    for (kind, ty) in kinds.iter().zip(&types) {
        let (name, identity) = reduction(context, *kind, *ty)?;
        all.push(constant(&mut builder, *ty, identity));
        combiners.push(name);
    }
    let last = body.last_operation(block)?;
    let yielded: Vec<ValueId> = body.operands(last).collect();
    let made = become_structured(context, body, op, scf::Parallel::NAME, &all, &types);
    let sizes = [n, n, n, types.len()].map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let sizes = context.dense_i32_array(&sizes);
    body.set_attribute(made, context.name("operandSegmentSizes"), sizes);
    let location = body.location(last);
    let mut end = NewOperation::new(context.operation_name(scf::Reduce::NAME), location);
    end.operands = yielded.into();
    end.n_regions = types.len();
    let end = body.create(context, end);
    body.insert_before(last, end);
    body.erase(last);
    for (i, name) in combiners.into_iter().enumerate() {
        let region = body.regions(end)[i];
        let block = body.append_block(region);
        let arguments = [(); 2].map(|()| body.add_argument(block, types[i], location));
        let mut builder = Builder::at_end(context, body, block, location);
        let combined = binary(&mut builder, name, arguments[0], arguments[1]);
        builder.operation(scf::ReduceReturn::NAME, &[combined], &[], &[]);
    }
    Some(())
}

/// Returns the operation and the identity of a kind of reduction; `None` if values of the type are not reduced this way.
fn reduction(context: &Context, kind: i64, ty: Type) -> Option<(&'static str, Bits)> {
    let kind = arith::ATOMIC_KINDS.keywords(u64::try_from(kind).ok()?)?;
    let width = ty.width_bits(context)?;
    let lowest = || Bits::from_u64(width, 1).shl_by(width - 1);
    let float = match ty.kind(context) {
        TypeKind::Float(kind) => special_values(*kind),
        _ => None,
    };
    Some(match kind.as_str() {
        "addf" if float.is_some() => (arith::Addf::NAME, Bits::zero(width)),
        "mulf" => (arith::Mulf::NAME, float?.one),
        "maximumf" => (arith::Maximumf::NAME, float?.infinity?.or(&lowest())),
        "minimumf" => (arith::Minimumf::NAME, float?.infinity?),
        "addi" => (arith::Addi::NAME, Bits::zero(width)),
        "muli" => (arith::Muli::NAME, Bits::from_u64(width, 1)),
        "maxs" => (arith::Maxsi::NAME, lowest()),
        "mins" => (arith::Minsi::NAME, lowest().not()),
        "maxu" => (arith::Maxui::NAME, Bits::zero(width)),
        "minu" => (arith::Minui::NAME, Bits::ones(width)),
        "ori" => (arith::Ori::NAME, Bits::zero(width)),
        "andi" => (arith::Andi::NAME, Bits::ones(width)),
        _ => return None,
    })
}

/// Emits a chain of binary operations.
fn fold(builder: &mut Builder<'_>, name: &str, values: &[ValueId]) -> Option<ValueId> {
    let (first, others) = values.split_first()?;
    let mut all = *first;
    for other in others {
        all = binary(builder, name, all, *other);
    }
    Some(all)
}

fn expand_map(builder: &mut Builder<'_>, map: &AffineMap, operands: &[ValueId]) -> Vec<ValueId> {
    let n_dims = usize::try_from(map.n_dims).unwrap_or(0);
    let (dims, symbols) = operands.split_at(n_dims.min(operands.len()));
    let results = map.results.iter();
    results
        .map(|result| expand(builder, result, dims, symbols))
        .collect()
}

/// Emits operations that compute an affine expression.
fn expand(
    builder: &mut Builder<'_>,
    e: &AffineExpr,
    dims: &[ValueId],
    symbols: &[ValueId],
) -> ValueId {
    use AffineExpr as E;
    let place = |i: u32| usize::try_from(i).unwrap_or(usize::MAX);
    let (a, b) = match e {
        E::Dim(i) => return dims[place(*i)],
        E::Symbol(i) => return symbols[place(*i)],
        E::Constant(number) => return index_constant(builder, *number),
        E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
            let a = expand(builder, a, dims, symbols);
            (a, expand(builder, b, dims, symbols))
        }
    };
    match e {
        E::Mul(..) => binary(builder, arith::Muli::NAME, a, b),
        E::Mod(..) => {
            let rest = binary(builder, arith::Remsi::NAME, a, b);
            let zero = index_constant(builder, 0);
            let is_negative = compare(builder, LESS, rest, zero);
            let shifted = binary(builder, arith::Addi::NAME, rest, b);
            select(builder, is_negative, shifted, rest)
        }
        E::FloorDiv(..) => {
            let zero = index_constant(builder, 0);
            let minus_one = index_constant(builder, -1);
            let is_negative = compare(builder, LESS, a, zero);
            let reflected = binary(builder, arith::Subi::NAME, minus_one, a);
            let dividend = select(builder, is_negative, reflected, a);
            let quotient = binary(builder, arith::Divsi::NAME, dividend, b);
            let reflected = binary(builder, arith::Subi::NAME, minus_one, quotient);
            select(builder, is_negative, reflected, quotient)
        }
        E::CeilDiv(..) => {
            let zero = index_constant(builder, 0);
            let one = index_constant(builder, 1);
            let is_negative = compare(builder, LESS_OR_EQUAL, a, zero);
            let negated = binary(builder, arith::Subi::NAME, zero, a);
            let decremented = binary(builder, arith::Subi::NAME, a, one);
            let dividend = select(builder, is_negative, negated, decremented);
            let quotient = binary(builder, arith::Divsi::NAME, dividend, b);
            let negated = binary(builder, arith::Subi::NAME, zero, quotient);
            let incremented = binary(builder, arith::Addi::NAME, quotient, one);
            select(builder, is_negative, negated, incremented)
        }
        _ => binary(builder, arith::Addi::NAME, a, b),
    }
}

fn select(builder: &mut Builder<'_>, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
    let ty = builder.body.ty(a);
    value(builder, arith::Select::NAME, &[condition, a, b], ty, &[])
}
