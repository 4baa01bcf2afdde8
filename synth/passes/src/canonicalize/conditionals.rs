//! Patterns for conditionals: convert results to selects, propagate known conditions, merge conditionals, remove empty regions.
//!
//! Source: the canonicalisations of MLIR's scf dialect.

use sluice_dialects::{arith, scf};
use sluice_ir::bits::Bits;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{Body, OperationId, ValueId};

use super::loops::passed_on;
use super::tools::{constant, made_by, make, rebuild, splat};

pub(super) const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "if-not",
        roots: &[scf::If::NAME],
        benefit: 4,
        rewrite: negated,
    },
    &Pattern {
        name: "if-condition-inside",
        roots: &[scf::If::NAME],
        benefit: 1,
        rewrite: condition_inside,
    },
    &Pattern {
        name: "if-with-values-from-outside",
        roots: &[scf::If::NAME],
        benefit: 1,
        rewrite: values_from_outside,
    },
    &Pattern {
        name: "if-unused-results",
        roots: &[scf::If::NAME],
        benefit: 1,
        rewrite: unused_results,
    },
    &Pattern {
        name: "if-after-if",
        roots: &[scf::If::NAME],
        benefit: 1,
        rewrite: after_if,
    },
    &Pattern {
        name: "if-in-if",
        roots: &[scf::If::NAME],
        benefit: 1,
        rewrite: in_if,
    },
    &Pattern {
        name: "if-empty-else",
        roots: &[scf::If::NAME],
        benefit: 1,
        rewrite: empty_else,
    },
    &Pattern {
        name: "region-that-runs-once",
        roots: &[scf::ExecuteRegion::NAME],
        benefit: 1,
        rewrite: runs_once,
    },
    &Pattern {
        name: "switch-of-constant",
        roots: &[scf::IndexSwitch::NAME],
        benefit: 1,
        rewrite: switch_of_constant,
    },
];

/// Returns `x` if `value` is the negation of `x`.
fn negation_of(r: &Rewriter<'_>, op: OperationId, value: ValueId) -> Option<ValueId> {
    let inner = made_by(r.view(op), value, arith::Xori::NAME)?;
    let is_true = splat(r.context, r.body(), inner.operand(1))?.is_all_ones();
    is_true.then(|| inner.operand(0))
}

/// Swaps the regions of a conditional whose condition is a negation.
fn negated(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    if body.entry_block(op, 1).is_none() {
        return false;
    }
    let Some(condition) = negation_of(r, op, r.body().operand(op, 0)) else {
        return false;
    };
    r.update(op, |body| {
        body.set_operand(op, 0, condition);
        body.move_last_region_first(op);
    });
    true
}

/// Replaces uses of the condition inside the regions by a constant.
fn condition_inside(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let condition = body.operand(op, 0);
    let mut users: [Vec<(OperationId, usize)>; 2] = [Vec::new(), Vec::new()];
    for (user, index) in body.uses(condition) {
        // Walk up from the user until a region of this conditional is found, if there is one.
        let mut current = Some(user);
        while let Some(inner) = current {
            let block = body.parent_block(inner);
            let region = block.and_then(|block| body.parent_region(block));
            let parent = region.and_then(|region| body.region_parent(region));
            if parent == Some(op) {
                let which = body.regions(op).iter().position(|r| Some(*r) == region);
                if let Some(which) = which.filter(|which| *which < 2) {
                    users[which].push((user, index));
                }
                break;
            }
            current = parent;
        }
    }
    let ty = body.ty(condition);
    let mut changed = false;
    for (which, users) in users.into_iter().enumerate() {
        if users.is_empty() {
            continue;
        }
        let known = constant(r, op, ty, Bits::from_u64(1, u64::from(which == 0)));
        for (user, index) in users {
            r.update(user, |body| body.set_operand(user, index, known));
        }
        changed = true;
    }
    changed
}

/// Returns true if a value is defined in a region of `op`.
fn is_inside(body: &Body, op: OperationId, value: ValueId) -> bool {
    let block = body.defining_block(value);
    block.is_some_and(|block| {
        let parent = body.block_parent_operation(block);
        parent.is_some_and(|parent| body.is_ancestor(op, parent))
    })
}

/// Keeps the results `kept` of a conditional. The other results have no uses.
fn keep_results(r: &mut Rewriter<'_>, op: OperationId, kept: &[usize]) {
    for region in 0..2 {
        let Some((last, passed)) = passed_on(r.body(), op, region) else {
            continue;
        };
        let still: Vec<ValueId> = kept.iter().map(|i| passed[*i]).collect();
        r.update(last, |body| body.set_operands(last, &still));
    }
    let operands: Vec<ValueId> = r.body().operands(op).collect();
    rebuild(r, op, &operands, kept);
}

/// Returns the values that both regions yield, if both terminators have all results.
fn both(body: &Body, op: OperationId) -> Option<(Vec<ValueId>, Vec<ValueId>)> {
    let (_, yes) = passed_on(body, op, 0)?;
    let (_, no) = passed_on(body, op, 1)?;
    let n = body.results(op).len();
    (yes.len() == n && no.len() == n && n > 0).then_some((yes, no))
}

/// Replaces results by selects where both yielded values are defined outside.
fn values_from_outside(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let Some((yes, no)) = both(body, op) else {
        return false;
    };
    let outside = |i: &usize| !is_inside(body, op, yes[*i]) && !is_inside(body, op, no[*i]);
    let n = yes.len();
    let selected: Vec<usize> = (0..n).filter(outside).collect();
    let kept: Vec<usize> = (0..n).filter(|i| !outside(i)).collect();
    if selected.is_empty() {
        return false;
    }
    let condition = body.operand(op, 0);
    let results = body.results(op).to_vec();
    for i in selected {
        let value = match yes[i] == no[i] {
            true => yes[i],
            false => {
                let ty = r.body().ty(yes[i]);
                make(
                    r,
                    op,
                    arith::Select::NAME,
                    &[condition, yes[i], no[i]],
                    ty,
                    &[],
                )
            }
        };
        r.replace_value(results[i], value);
    }
    keep_results(r, op, &kept);
    true
}

fn unused_results(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let results = body.results(op);
    let used = |i: &usize| !body.is_unused(results[*i]);
    let kept: Vec<usize> = (0..results.len()).filter(used).collect();
    if kept.len() == results.len() || both(body, op).is_none() {
        return false;
    }
    keep_results(r, op, &kept);
    true
}

/// Erases an else region that has only a terminator.
fn empty_else(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let Some(block) = body
        .entry_block(op, 1)
        .filter(|_| body.results(op).is_empty())
    else {
        return false;
    };
    if body.first_operation(block) != body.last_operation(block) {
        return false;
    }
    r.update(op, |body| body.erase_block(block));
    true
}

/// Returns the operations of a region without its terminator.
fn contents(body: &Body, op: OperationId, region: usize) -> Vec<OperationId> {
    let block = body.entry_block(op, region);
    let ops: Vec<_> = block
        .map(|block| body.operations(block).collect())
        .unwrap_or_default();
    ops.split_last()
        .map(|(_, ops)| ops.to_vec())
        .unwrap_or_default()
}

/// Merges two adjacent conditionals on the same condition or on opposite conditions.
fn after_if(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let Some(first) = body.previous(op) else {
        return false;
    };
    if r.view(first).name() != scf::If::NAME {
        return false;
    }
    let (a, b) = (body.operand(first, 0), body.operand(op, 0));
    let opposite = a != b;
    if opposite && negation_of(r, op, b) != Some(a) && negation_of(r, op, a) != Some(b) {
        return false;
    }
    let second = |region: usize| if opposite { 1 - region } else { region };
    // In the second conditional, replace results of the first by the values that the first yields in the same case.
    let results = body.results(first).to_vec();
    for region in 0..2 {
        let given = passed_on(r.body(), first, region).map(|(_, given)| given);
        let given = given.unwrap_or_default();
        for (i, result) in results.iter().enumerate() {
            let users: Vec<(OperationId, usize)> = r.body().uses(*result).collect();
            for (user, index) in users {
                let body = r.body();
                let inside = body
                    .entry_block(op, second(region))
                    .is_some_and(|block| in_block(body, user, block));
                if let Some(value) = given.get(i).copied().filter(|_| inside) {
                    r.update(user, |body| body.set_operand(user, index, value));
                }
            }
        }
    }
    merge(r, first, op, opposite)
}

/// Returns true if `op` is in `block`, directly or nested.
fn in_block(body: &Body, op: OperationId, block: sluice_ir::BlockId) -> bool {
    let mut current = Some(op);
    while let Some(inner) = current {
        if body.parent_block(inner) == Some(block) {
            return true;
        }
        current = body.parent_operation(inner);
    }
    false
}

/// Merges `first` and `second` into one conditional that has the results of both.
fn merge(r: &mut Rewriter<'_>, first: OperationId, second: OperationId, opposite: bool) -> bool {
    let body = r.body();
    let results: Vec<ValueId> = body
        .results(first)
        .iter()
        .chain(body.results(second))
        .copied()
        .collect();
    let types: Vec<_> = results.iter().map(|v| body.ty(*v)).collect();
    let view = r.view(first);
    let mut new = sluice_ir::NewOperation::new(view.body.name(first), view.location());
    new.operands.push(view.operand(0));
    new.result_types = types.into_iter().collect();
    new.attributes = view.attributes().to_vec();
    new.n_regions = 2;
    let made = r.create(second, new);
    r.update(made, |body| {
        for region in 0..2 {
            let from = if opposite { 1 - region } else { region };
            let to = body.regions(made)[region];
            let (a, b) = (body.regions(first)[region], body.regions(second)[from]);
            let (one, other) = (
                body.entry_block(first, region),
                body.entry_block(second, from),
            );
            match (one, other) {
                (Some(one), Some(other)) => {
                    let last = body.last_operation(one);
                    let ops: Vec<OperationId> = body.operations(other).collect();
                    body.move_blocks(a, to);
                    for op in ops {
                        body.move_to_end(one, op);
                    }
                    if let (Some(last), Some(end)) = (last, body.last_operation(one)) {
                        let given: Vec<ValueId> =
                            body.operands(last).chain(body.operands(end)).collect();
                        body.set_operands(end, &given);
                        body.erase(last);
                    }
                }
                (Some(_), None) => body.move_blocks(a, to),
                (None, Some(_)) => body.move_blocks(b, to),
                (None, None) => {}
            }
        }
    });
    let values = r.body().results(made).to_vec();
    for (old, new) in results.into_iter().zip(values) {
        r.replace_value(old, new);
    }
    r.erase(second);
    r.erase(first);
    true
}

/// Merges a conditional with the only conditional inside it, if both yield the same values when a condition is false.
fn in_if(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let inner = match contents(body, op, 0)[..] {
        [inner] if r.view(inner).name() == scf::If::NAME => inner,
        _ => return false,
    };
    if !contents(body, op, 1).is_empty() || !contents(body, inner, 1).is_empty() {
        return false;
    }
    let given = |op: OperationId, region: usize| {
        passed_on(body, op, region)
            .map(|(_, given)| given)
            .unwrap_or_default()
    };
    let (yes, no) = (given(op, 0), given(op, 1));
    let (inner_yes, inner_no) = (given(inner, 0), given(inner, 1));
    let inner_results = body.results(inner).to_vec();
    if no.len() != yes.len() {
        return false;
    }
    // A value that the inner one yields when its condition is false must equal the value that the outer one yields.
    let mut kept = Vec::new();
    let mut selected = Vec::new();
    for i in 0..yes.len() {
        match inner_results.iter().position(|result| *result == yes[i]) {
            Some(j) if inner_no.get(j) == Some(&no[i]) => kept.push((i, j)),
            Some(_) => return false,
            None => selected.push(i),
        }
    }
    let (outer, other) = (body.operand(op, 0), body.operand(inner, 0));
    let results = body.results(op).to_vec();
    let view = r.view(op);
    let mut new = sluice_ir::NewOperation::new(view.body.name(op), view.location());
    new.result_types = kept.iter().map(|(i, _)| view.ty(results[*i])).collect();
    new.attributes = view.attributes().to_vec();
    new.n_regions = 2;
    let ty = view.ty(outer);
    let both = make(r, op, arith::Andi::NAME, &[outer, other], ty, &[]);
    let mut values = Vec::new();
    for i in &selected {
        let ty = r.body().ty(yes[*i]);
        values.push(make(
            r,
            op,
            arith::Select::NAME,
            &[outer, yes[*i], no[*i]],
            ty,
            &[],
        ));
    }
    new.operands.push(both);
    let made = r.create(op, new);
    let still: Vec<ValueId> = kept.iter().map(|(_, j)| inner_yes[*j]).collect();
    let otherwise: Vec<ValueId> = kept.iter().map(|(i, _)| no[*i]).collect();
    r.update(made, |body| {
        let to = body.regions(made).to_vec();
        body.move_blocks(body.regions(inner)[0], to[0]);
        if let Some((last, _)) = passed_on(body, made, 0) {
            body.set_operands(last, &still);
        }
        if !kept.is_empty() {
            body.move_blocks(body.regions(op)[1], to[1]);
            if let Some((last, _)) = passed_on(body, made, 1) {
                body.set_operands(last, &otherwise);
            }
        }
    });
    for (i, value) in selected.into_iter().zip(values) {
        r.replace_value(results[i], value);
    }
    for (n, (i, _)) in kept.into_iter().enumerate() {
        let value = r.body().result(made, n);
        r.replace_value(results[i], value);
    }
    r.erase(op);
    true
}

/// Inlines a region that has one block and runs once.
fn runs_once(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let Some(region) = body
        .regions(op)
        .first()
        .filter(|r| body.blocks(**r).len() == 1)
    else {
        return false;
    };
    let block = body.blocks(*region)[0];
    let last = body.last_operation(block);
    if last.is_none_or(|last| r.view(last).name() != scf::Yield::NAME) {
        return false;
    }
    let values = r.inline_block(block, op, &[]);
    r.replace(op, &values);
    true
}

/// Replaces a switch on a constant by the region of that case.
fn switch_of_constant(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(value) = splat(r.context, view.body, view.operand(0)).and_then(|bits| bits.to_i64())
    else {
        return false;
    };
    let cases = sluice_dialects::scf::index_switch_cases(view);
    let case = cases.iter().position(|case| *case == value);
    let Some(block) = view.entry_block(case.map_or(0, |case| case + 1)) else {
        return false;
    };
    let values = r.inline_block(block, op, &[]);
    r.replace(op, &values);
    true
}
