//! `factor`: moves multiplications out of loops: invariant factors of a product are multiplied first, and an invariant factor
//! common to all terms of a sum is factored out.
//!
//! `a * s * b * t` with invariant `s` and `t` becomes `(s * t) * (a * b)`; `licm` then hoists the first product. A loop that
//! computes `acc + s * x` in every iteration starts from 0 and adds `x`; after it, the result is `init + s * sum`. The addend may
//! itself be a sum, such as `s * x + s * y`. Integers of one width form a ring (modular arithmetic), so both sides are equal for
//! all values.

use sluice_dialects::{arith, scf};
use sluice_ir::{BlockId, Body, Builder, Context, Exact, OperationId, ValueId, View};

use crate::analysis::linear::{is_invariant, loop_of};
use crate::build::{binary, constant, constant_of, name};

/// Applies the transformation to every `scf.for`, innermost loops first.
pub fn factor(context: &Context, body: &mut Body) {
    for op in body.walk_all().into_iter().rev() {
        if name(context, body, op) != scf::For::NAME {
            continue;
        }
        let Some(block) = body.entry_block(op, 0) else {
            continue;
        };
        for product in body.operations(block).collect::<Vec<_>>() {
            if !body.is_erased(product) && name(context, body, product) == arith::Muli::NAME {
                group_factors(context, body, op, product);
            }
        }
        for index in 0..body.results(op).len() {
            factor_sum(context, body, op, index);
        }
    }
}

/// Factors of a product and the operations that multiply them.
type Factors = (Vec<ValueId>, Vec<OperationId>);

/// Returns the factors of a product, looking through products with a single use in the same block. The operations are the
/// products, from the last to the first.
fn factors(context: &Context, body: &Body, product: OperationId) -> Factors {
    let mut found = Vec::new();
    let mut products = vec![product];
    let mut at = 0;
    while let Some(op) = products.get(at).copied() {
        at += 1;
        for operand in body.operands(op) {
            let inner = body.defining_operation(operand).filter(|inner| {
                name(context, body, *inner) == arith::Muli::NAME
                    && body.has_one_use(operand)
                    && body.parent_block(*inner) == body.parent_block(product)
            });
            match inner {
                Some(inner) => products.push(inner),
                None => found.push(operand),
            }
        }
    }
    (found, products)
}

/// Returns the products that a value is the sum or difference of, looking through values with a single use in the block.
fn terms(
    context: &Context,
    body: &Body,
    block: BlockId,
    value: ValueId,
) -> Option<Vec<OperationId>> {
    let (mut found, mut waiting) = (Vec::new(), vec![value]);
    while let Some(value) = waiting.pop() {
        let op = body.defining_operation(value)?;
        if body.parent_block(op) != Some(block) || !body.has_one_use(value) {
            return None;
        }
        match name(context, body, op) {
            arith::Muli::NAME => found.push(op),
            arith::Addi::NAME | arith::Subi::NAME => waiting.extend(body.operands(op)),
            _ => return None,
        }
    }
    Some(found)
}

/// Returns the loop-invariant factors common to all terms.
fn common_factors(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
    terms: &[(OperationId, Factors)],
) -> Vec<ValueId> {
    let Some(((_, (first, _)), others)) = terms.split_first() else {
        return Vec::new();
    };
    let is_fixed = |value: &ValueId| {
        is_invariant(body, loop_op, *value) && constant_of(context, body, *value).is_none()
    };
    let mut common: Vec<ValueId> = first.iter().copied().filter(is_fixed).collect();
    for (_, (factors, _)) in others {
        let mut left = factors.clone();
        common.retain(|factor| {
            let at = left.iter().position(|value| value == factor);
            at.map(|at| left.remove(at)).is_some()
        });
    }
    common
}

/// Emits the product of some values before `op`; returns `None` for none.
fn product_of(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    values: &[ValueId],
) -> Option<ValueId> {
    let (first, rest) = values.split_first()?;
    let location = body.location(op);
    let mut builder = Builder::before(context, body, op);
    builder.location = location;
    let product = rest.iter().fold(*first, |product, value| {
        binary(&mut builder, arith::Muli::NAME, product, *value)
    });
    Some(product)
}

/// Multiplies the invariant factors first, if there are several of them and also variant factors.
fn group_factors(context: &Context, body: &mut Body, loop_op: OperationId, product: OperationId) {
    let is_whole = body
        .uses(body.result(product, 0))
        .next()
        .is_none_or(|(user, _)| name(context, body, user) != arith::Muli::NAME);
    let (all, products) = factors(context, body, product);
    let (fixed, varying): (Vec<ValueId>, Vec<ValueId>) = all
        .into_iter()
        .partition(|value| is_invariant(body, loop_op, *value));
    let grouped = products.iter().any(|op| {
        let mut operands = body.operands(*op);
        operands.all(|v| is_invariant(body, loop_op, v))
    });
    if !is_whole || fixed.len() < 2 || varying.is_empty() || (grouped && fixed.len() == 2) {
        return;
    }
    let fixed = product_of(context, body, product, &fixed).expect("there are two");
    let varying = product_of(context, body, product, &varying).expect("there is one");
    body.set_operands(product, &[fixed, varying]);
    erase_products(body, &products[1..]);
}

fn erase_products(body: &mut Body, products: &[OperationId]) {
    for op in products {
        if body.is_unused(body.result(*op, 0)) {
            body.erase(*op);
        }
    }
}

/// Factors an invariant factor out of result `index` of a loop, if the result is a sum of products with it.
fn factor_sum(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    index: usize,
) -> Option<()> {
    let runs_more_than_once = loop_of(context, body, loop_op)
        .and_then(|l| l.trip_count)
        .is_none_or(|n| n > Exact::ONE);
    let block = body.entry_block(loop_op, 0)?;
    let argument = *body.arguments(block).get(index + 1)?;
    let last = body.last_operation(block)?;
    let sum = body.defining_operation(body.operands(last).nth(index)?)?;
    let view = View::new(context, body, sum);
    let term = match view.name() {
        arith::Addi::NAME if view.operand(0) == argument => view.operand(1),
        arith::Addi::NAME if view.operand(1) == argument => view.operand(0),
        arith::Subi::NAME if view.operand(0) == argument => view.operand(1),
        _ => return None,
    };
    let is_sum = runs_more_than_once
        && term != argument
        && body.has_one_use(argument)
        && body.has_one_use(view.result(0))
        && body.parent_block(sum) == Some(block);
    let terms = is_sum.then(|| terms(context, body, block, term))??;
    let terms: Vec<_> = terms
        .into_iter()
        .map(|product| (product, factors(context, body, product)))
        .collect();
    let fixed = common_factors(context, body, loop_op, &terms);
    let varying = |all: &[ValueId]| {
        let mut rest = all.to_vec();
        for factor in &fixed {
            let at = rest.iter().position(|value| value == factor);
            rest.remove(at.expect("it is in every product"));
        }
        rest
    };
    let is_rest = |(_, (all, _)): &(OperationId, Factors)| !varying(all).is_empty();
    if fixed.is_empty() || !terms.iter().all(is_rest) {
        return None;
    }
    for (product, (all, products)) in &terms {
        let rest = product_of(context, body, *product, &varying(all))?;
        body.replace_all_uses(body.result(*product, 0), rest);
        erase_products(body, products);
    }
    let init = body.operand(loop_op, 3 + index);
    let ty = body.ty(argument);
    let zero = constant(&mut Builder::before(context, body, loop_op), ty, 0);
    body.set_operand(loop_op, 3 + index, zero);
    let result = body.result(loop_op, index);
    let uses: Vec<(OperationId, usize)> = body.uses(result).collect();
    let behind = body.next(loop_op).expect("a block ends in a terminator");
    let scale = product_of(context, body, behind, &fixed)?;
    let mut builder = Builder::before(context, body, behind);
    let scaled = binary(&mut builder, arith::Muli::NAME, scale, result);
    let total = binary(&mut builder, arith::Addi::NAME, init, scaled);
    for (user, operand) in uses {
        body.set_operand(user, operand, total);
    }
    Some(())
}
