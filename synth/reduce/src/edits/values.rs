//! Edits that replace results by existing values or new arguments, and operands by constants.

use sluice_ir::definition::Traits;
use sluice_ir::{Body, Context, Module, OperationId, ValueId};

use super::Edit;
use super::interface::add_argument;
use super::operations::outer_first;
use super::place::{constant, entry, functions, has, is_live, of_body, substitute};
use crate::size::is_constant_value;

/// Returns edits that replace the result of each operation by an operand.
pub(super) fn by_operands(context: &Context, module: &Module) -> Vec<Edit> {
    replacements(context, module, |body, op, result| {
        let mut operands = body.operands(op);
        operands.find(|operand| body.ty(*operand) == body.ty(result))
    })
}

/// Returns edits that replace the result of each operation by an argument of the function or of a block around it.
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

/// Returns edits that replace the result of each operation by an earlier result in its block.
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

/// Returns an edit for each operation, if `other` gives a replacement for each of its results.
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
                // After another edit, a replacement may itself be one of the results.
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

/// Returns edits that replace the results of each operation by new arguments of the function.
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

/// Returns edits that replace each operand that is not a constant by 0, or by 1.
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
