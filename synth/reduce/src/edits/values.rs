//! Results that give way to values that are there already, or to new arguments; operands that become constants.

use sluice_ir::definition::Traits;
use sluice_ir::{Body, Context, Module, OperationId, ValueId};

use super::Edit;
use super::interface::add_argument;
use super::operations::outer_first;
use super::place::{constant, entry, functions, has, is_live, of_body, substitute};
use crate::size::is_constant_value;

/// Each operation with an operand in place of its result.
pub(super) fn by_operands(context: &Context, module: &Module) -> Vec<Edit> {
    replacements(context, module, |body, op, result| {
        let mut operands = body.operands(op);
        operands.find(|operand| body.ty(*operand) == body.ty(result))
    })
}

/// Each operation with an argument of the function, or of a block around it, in place of its result.
pub(super) fn by_arguments(context: &Context, module: &Module) -> Vec<Edit> {
    replacements(context, module, |body, op, result| {
        let ty = body.ty(result);
        let of_type = |block| {
            let mut arguments = body.arguments(block).iter();
            arguments
                .find(|argument| body.ty(**argument) == ty)
                .copied()
        };
        let first = entry(body).and_then(of_type);
        first.or_else(|| {
            let mut around = Some(op);
            while let Some(op) = around {
                if let Some(found) = body.parent_block(op).and_then(of_type) {
                    return Some(found);
                }
                around = body.parent_operation(op);
            }
            None
        })
    })
}

/// Each operation with the result of one before it in its block in place of its own.
pub(super) fn by_results(context: &Context, module: &Module) -> Vec<Edit> {
    replacements(context, module, |body, op, result| {
        let ty = body.ty(result);
        let before = std::iter::successors(body.previous(op), |op| body.previous(*op));
        before
            .flat_map(|op| body.results(op))
            .find(|other| body.ty(**other) == ty)
            .copied()
    })
}

/// Each operation that makes a value for all uses of its results by another one.
fn replacements(
    context: &Context,
    module: &Module,
    other: fn(&Body, OperationId, ValueId) -> Option<ValueId>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            let is_fixed = has(context, body, op, Traits::CONSTANT_LIKE)
                || has(context, body, op, Traits::TERMINATOR);
            let used = body.results(op).iter().copied();
            let used: Vec<_> = used.filter(|result| !body.is_unused(*result)).collect();
            let others: Option<Vec<_>> =
                used.iter().map(|result| other(body, op, *result)).collect();
            let Some(others) = others.filter(|all| !all.is_empty() && !is_fixed) else {
                continue;
            };
            edits.push(of_body(function, move |_, body| {
                let lives = |value: &ValueId| is_live(body, *value);
                if body.is_erased(op) || !others.iter().all(lives) {
                    return false;
                }
                // What another edit made of them may be one of the results.
                if others.iter().any(|other| body.results(op).contains(other)) {
                    return false;
                }
                for (result, other) in used.iter().zip(&others) {
                    substitute(body, *result, *other);
                }
                if body
                    .results(op)
                    .to_vec()
                    .iter()
                    .any(|r| !body.is_unused(*r))
                {
                    return false;
                }
                body.erase(op);
                true
            }));
        }
    }
    edits
}

/// Each operation with new arguments of the function in place of its results.
pub(super) fn by_new_arguments(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            let is_fixed = has(context, body, op, Traits::CONSTANT_LIKE)
                || has(context, body, op, Traits::TERMINATOR);
            let is_used = body.results(op).iter().any(|r| !body.is_unused(*r));
            if is_fixed || !is_used {
                continue;
            }
            edits.push(Box::new(move |context, module| {
                let inner = module.inner();
                if inner.is_erased(function) || inner.inner(function).is_erased(op) {
                    return false;
                }
                for result in inner.inner(function).results(op).to_vec() {
                    let body = module.inner().inner(function);
                    if body.is_unused(result) {
                        continue;
                    }
                    let ty = body.ty(result);
                    let Some(new) = add_argument(context, module, function, ty) else {
                        return false;
                    };
                    substitute(module.inner_mut().inner_mut(function), result, new);
                }
                module.inner_mut().inner_mut(function).erase(op);
                true
            }));
        }
    }
    edits
}

/// Each operand that is no constant as 0, then as 1.
pub(super) fn constant_operands(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for number in [0, 1] {
        for (function, body) in functions(context, module) {
            for op in outer_first(body) {
                for (i, operand) in body.operands(op).enumerate() {
                    if is_constant_value(context, body, operand) {
                        continue;
                    }
                    edits.push(of_body(function, move |context, body| {
                        if body.is_erased(op) || i >= body.n_operands(op) {
                            return false;
                        }
                        let operand = body.operand(op, i);
                        if is_constant_value(context, body, operand) {
                            return false;
                        }
                        let ty = body.ty(operand);
                        let Some(new) = constant(context, body, ty, number) else {
                            return false;
                        };
                        body.set_operand(op, i, new);
                        true
                    }));
                }
            }
        }
    }
    edits
}
