//! `canonicalise`: folds constants, merges equal operations, erases dead ones and simplifies control flow with a known outcome.

use sluice_dialects::{cf, memref, scf};
use sluice_ir::bits::Bits;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::simplify::simplify_with;
use sluice_ir::{Body, Context, Exact, NewOperation, OperationId, ValueId};

use crate::analysis::linear::loop_of;
use crate::build::{constant_of, is_pure, yielded};

/// The rewrite patterns for structured control flow.
pub const STRUCTURED_PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "if-of-constant",
        roots: &[scf::If::NAME],
        benefit: 3,
        rewrite: if_of_constant,
    },
    &Pattern {
        name: "loop-of-few-iterations",
        roots: &[scf::For::NAME],
        benefit: 3,
        rewrite: loop_of_few_iterations,
    },
    &Pattern {
        name: "loop-invariant-carried-value",
        roots: &[scf::For::NAME],
        benefit: 2,
        rewrite: invariant_carried_value,
    },
    &Pattern {
        name: "same-result-of-both-branches",
        roots: &[scf::If::NAME],
        benefit: 2,
        rewrite: same_result_of_both_branches,
    },
    &Pattern {
        name: "loop-without-effect",
        roots: &[scf::For::NAME, scf::If::NAME],
        benefit: 1,
        rewrite: without_effect,
    },
    &Pattern {
        name: "while-that-never-repeats",
        roots: &[scf::While::NAME],
        benefit: 1,
        rewrite: while_that_never_repeats,
    },
];

static BRANCH_OF_CONSTANT: Pattern = Pattern {
    name: "branch-of-constant",
    roots: &[cf::CondBr::NAME],
    benefit: 1,
    rewrite: branch_of_constant,
};

/// Simplifies a body with all patterns.
pub fn canonicalise(context: &Context, body: &mut Body) {
    let mut patterns = STRUCTURED_PATTERNS.to_vec();
    patterns.push(&BRANCH_OF_CONSTANT);
    simplify_with(context, body, &patterns);
    crate::lowering::blocks::tidy_blocks(context, body);
}

fn constant(rewriter: &Rewriter<'_>, value: ValueId) -> Option<Bits> {
    constant_of(rewriter.context, rewriter.body(), value)
}

/// Replaces a conditional with a known condition by the branch that is taken.
fn if_of_constant(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let Some(condition) = constant(rewriter, rewriter.body().operand(op, 0)) else {
        return false;
    };
    let taken = usize::from(condition.is_zero());
    let values = match rewriter.body().entry_block(op, taken) {
        Some(block) => rewriter.inline_block(block, op, &[]),
        None => Vec::new(),
    };
    rewriter.replace(op, &values);
    true
}

/// Replaces a loop that never runs by its initial values, and a loop that runs once by its body.
fn loop_of_few_iterations(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let trip_count =
        loop_of(rewriter.context, rewriter.body(), op).and_then(|found| found.trip_count);
    let operands: Vec<ValueId> = rewriter.body().operands(op).collect();
    let Some((lower, rest)) = operands.split_first() else {
        return false;
    };
    let initial = rest.get(2..).unwrap_or_default();
    match trip_count.and_then(Exact::to_i64) {
        Some(0) => rewriter.replace(op, initial),
        Some(1) => {
            let Some(block) = rewriter.body().entry_block(op, 0) else {
                return false;
            };
            let arguments: Vec<ValueId> = [lower].into_iter().chain(initial).copied().collect();
            let values = rewriter.inline_block(block, op, &arguments);
            rewriter.replace(op, &values);
        }
        _ => return false,
    }
    true
}

/// Replaces a carried value that each iteration passes on unchanged by its initial value.
fn invariant_carried_value(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = rewriter.body();
    let Some(block) = body.entry_block(op, 0) else {
        return false;
    };
    let arguments = body.arguments(block).to_vec();
    let passed_on = yielded(body, op, 0);
    let found: Vec<(ValueId, ValueId, ValueId)> = passed_on
        .iter()
        .enumerate()
        .filter_map(|(i, value)| {
            let (argument, result) = (*arguments.get(i + 1)?, body.result(op, i));
            let initial = body.operand(op, i + 3);
            let unchanged = *value == argument || *value == initial;
            // The use by the terminator itself does not count.
            let used = !body.is_unused(result) || body.uses(argument).count() > 1;
            (unchanged && used).then_some((argument, result, initial))
        })
        .collect();
    let Some(last) = body.last_operation(block) else {
        return false;
    };
    if found.is_empty() {
        return false;
    }
    for (argument, result, initial) in found {
        rewriter.replace_value(result, initial);
        rewriter.replace_value(argument, initial);
    }
    rewriter.visit_again(last);
    rewriter.visit_again(op);
    true
}

/// Replaces a result that is the same value in both branches by that value.
fn same_result_of_both_branches(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = rewriter.body();
    let (then, otherwise) = (yielded(body, op, 0), yielded(body, op, 1));
    let same: Vec<(ValueId, ValueId)> = then
        .iter()
        .zip(&otherwise)
        .enumerate()
        .filter(|(i, (a, b))| a == b && !body.is_unused(body.result(op, *i)))
        .map(|(i, (a, _))| (body.result(op, i), *a))
        .collect();
    for (result, value) in &same {
        rewriter.replace_value(*result, *value);
    }
    !same.is_empty()
}

/// Erases structured control flow that has no effect and whose results have no uses.
fn without_effect(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = rewriter.body();
    if body.results(op).iter().any(|r| !body.is_unused(*r)) {
        return false;
    }
    // A step that is not known to be positive could make a loop that does not end.
    let ends = rewriter.view(op).name() != scf::For::NAME
        || constant(rewriter, body.operand(op, 2)).is_some_and(|s| !s.is_zero() && !s.sign_bit());
    let harmless = |inner: &OperationId| {
        let view = rewriter.view(*inner);
        *inner == op
            || view.name() == scf::Yield::NAME
            || view.name() == scf::If::NAME
            || (view.regions().is_empty() && (is_pure(view) || view.name() == memref::Load::NAME))
    };
    if !ends || !body.walk(op).iter().all(harmless) {
        return false;
    }
    rewriter.erase(op);
    true
}

/// Replaces a while loop whose condition is false from the start by its first region.
fn while_that_never_repeats(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = rewriter.body();
    let Some(block) = body.entry_block(op, 0) else {
        return false;
    };
    let Some(condition) = body.last_operation(block).map(|last| body.operand(last, 0)) else {
        return false;
    };
    if constant(rewriter, condition).is_none_or(|c| !c.is_zero()) {
        return false;
    }
    let initial: Vec<ValueId> = body.operands(op).collect();
    let passed_on = rewriter.inline_block(block, op, &initial);
    rewriter.replace(op, &passed_on[1..]);
    true
}

/// Replaces a branch with a known condition by an unconditional branch.
fn branch_of_constant(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let Some(condition) = constant(rewriter, rewriter.body().operand(op, 0)) else {
        return false;
    };
    let view = rewriter.view(op);
    let taken = usize::from(condition.is_zero());
    let mut new = NewOperation::new(
        rewriter.context.operation_name(cf::Br::NAME),
        view.location(),
    );
    new.operands = view.operand_group(1 + taken).into_iter().collect();
    new.successors.push(view.successors()[taken]);
    rewriter.create(op, new);
    rewriter.erase(op);
    true
}
