//! Patterns for loops: remove loop-carried values that do not change, and loops that only forward values.
//!
//! Source: the canonicalisations of MLIR's scf dialect.

use sluice_dialects::scf;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{Body, OperationId, ValueId};

use super::tools::{constant, rebuild, splat};

pub(super) const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "for-carries-nothing-new",
        roots: &[scf::For::NAME],
        benefit: 4,
        rewrite: carries_nothing_new,
    },
    &Pattern {
        name: "for-that-only-passes-on",
        roots: &[scf::For::NAME],
        benefit: 1,
        rewrite: only_passes_on,
    },
    &Pattern {
        name: "while-condition-in-body",
        roots: &[scf::While::NAME],
        benefit: 1,
        rewrite: condition_in_body,
    },
    &Pattern {
        name: "while-unused-result",
        roots: &[scf::While::NAME],
        benefit: 1,
        rewrite: unused_result,
    },
];

/// Returns the terminator of region `index` of `op` and the operands of the terminator.
pub(super) fn passed_on(
    body: &Body,
    op: OperationId,
    index: usize,
) -> Option<(OperationId, Vec<ValueId>)> {
    let last = body.last_operation(body.entry_block(op, index)?)?;
    Some((last, body.operands(last).collect()))
}

/// Removes loop-carried values that keep their initial value or have no uses.
fn carries_nothing_new(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let Some((last, passed)) = passed_on(body, op, 0) else {
        return false;
    };
    let Some(entry) = body.entry_block(op, 0) else {
        return false;
    };
    let operands: Vec<ValueId> = body.operands(op).collect();
    let (bounds, initial) = operands.split_at(3.min(operands.len()));
    let arguments = body.arguments(entry).to_vec();
    let results = body.results(op).to_vec();
    let mut kept: Vec<usize> = Vec::new();
    // For each removed value: its index, the replacement of the argument, the replacement of the result.
    let mut replaced: Vec<(usize, ValueId, ValueId)> = Vec::new();
    for (i, result) in results.iter().enumerate() {
        let (Some(argument), Some(value), Some(first)) =
            (arguments.get(i + 1), passed.get(i), initial.get(i))
        else {
            return false;
        };
        let unused = body.is_unused(*result) && body.is_unused(*argument);
        if value == argument || value == first || unused {
            replaced.push((i, *first, *first));
        } else {
            kept.push(i);
        }
    }
    if replaced.is_empty() {
        return false;
    }
    for (i, argument, result) in &replaced {
        r.replace_value(results[*i], *result);
        r.replace_value(arguments[*i + 1], *argument);
    }
    let passed: Vec<ValueId> = r.body().operands(last).collect();
    let still: Vec<ValueId> = kept.iter().map(|i| passed[*i]).collect();
    r.update(last, |body| {
        body.set_operands(last, &still);
        for (i, _, _) in replaced.iter().rev() {
            body.remove_argument(entry, i + 1);
        }
    });
    let carried = kept.iter().map(|i| initial[*i]);
    let operands: Vec<ValueId> = bounds.iter().copied().chain(carried).collect();
    rebuild(r, op, &operands, &kept);
    true
}

/// Replaces a loop that only yields values from outside by these values, if constant bounds prove one iteration.
fn only_passes_on(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let Some(entry) = body.entry_block(op, 0) else {
        return false;
    };
    if body.first_operation(entry) != body.last_operation(entry) || body.results(op).is_empty() {
        return false;
    }
    let Some((_, passed)) = passed_on(body, op, 0) else {
        return false;
    };
    let number = |i: usize| splat(r.context, body, body.operand(op, i));
    let (Some(lower), Some(upper)) = (number(0), number(1)) else {
        return false;
    };
    let from_inside = |value: &ValueId| body.defining_block(*value) == Some(entry);
    let runs = match scf::is_unsigned(r.view(op)) {
        true => lower.ult(&upper),
        false => lower.slt(&upper),
    };
    if !runs || number(2).is_none() || passed.iter().any(from_inside) {
        return false;
    }
    r.replace(op, &passed);
    true
}

/// Replaces the condition in the body of a `while` loop by true, since the body runs only while it holds.
fn condition_in_body(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let (Some((_, passed)), Some(after)) = (passed_on(body, op, 0), body.entry_block(op, 1)) else {
        return false;
    };
    let Some((condition, values)) = passed.split_first() else {
        return false;
    };
    let arguments = body.arguments(after).iter().zip(values);
    let known: Vec<ValueId> = arguments
        .filter(|(argument, value)| *value == condition && !body.is_unused(**argument))
        .map(|(argument, _)| *argument)
        .collect();
    let Some(first) = known.first() else {
        return false;
    };
    let ty = body.ty(*first);
    let held = constant(r, op, ty, sluice_ir::bits::Bits::from_u64(1, 1));
    for argument in known {
        r.replace_value(argument, held);
    }
    true
}

/// Removes a value that neither the body nor any operation outside the loop uses.
fn unused_result(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let (Some((last, passed)), Some(after)) = (passed_on(body, op, 0), body.entry_block(op, 1))
    else {
        return false;
    };
    let arguments = body.arguments(after).to_vec();
    let results = body.results(op).to_vec();
    let is_used = |i: &usize| !body.is_unused(results[*i]) || !body.is_unused(arguments[*i]);
    let kept: Vec<usize> = (0..results.len()).filter(is_used).collect();
    if kept.len() == results.len() || passed.len() != results.len() + 1 {
        return false;
    }
    let still = kept.iter().map(|i| passed[i + 1]);
    let still: Vec<ValueId> = passed[..1].iter().copied().chain(still).collect();
    let operands: Vec<ValueId> = body.operands(op).collect();
    r.update(last, |body| {
        body.set_operands(last, &still);
        for i in (0..arguments.len()).rev().filter(|i| !kept.contains(i)) {
            body.remove_argument(after, i);
        }
    });
    rebuild(r, op, &operands, &kept);
    true
}
