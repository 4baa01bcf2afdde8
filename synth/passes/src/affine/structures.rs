//! The `affine-simplify-structures` pass: simplifies all affine maps and sets, and affine loops, conditionals and applications.
//!
//! Source: MLIR, `SimplifyAffineStructures`. Differs: constraints with quotients and remainders are only simplified one by one.

use std::collections::BTreeSet;

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use sluice_ir::effects::Effects;
use sluice_ir::patterns::{Pattern, Rewriter, apply_to};
use sluice_ir::{AttributeKind, Body, Context, OperationId, View};
use sluice_transform::LinearSystem;

use super::simplify::expression;
use crate::canonicalize::affine::PATTERNS;
use crate::canonicalize::maps::{coefficients, linear};

/// Simplifies the maps, sets and affine operations of a body.
pub(crate) fn simplify(context: &Context, body: &mut Body) {
    let all = body.walk_all();
    for op in &all {
        for (name, attribute) in body.attributes(*op).to_vec() {
            let new = match attribute.kind(context) {
                AttributeKind::AffineMap(old) => {
                    let new = simple_map(old);
                    (new != *old).then(|| context.affine_map_attribute(new))
                }
                AttributeKind::IntegerSet(old) => {
                    let new = simple_set(old);
                    (new != *old).then(|| context.integer_set_attribute(new))
                }
                _ => None,
            };
            if let Some(new) = new {
                body.set_attribute(*op, name, new);
            }
        }
    }
    let is_simplified = |op: &OperationId| {
        let name = View::new(context, body, *op).name();
        matches!(
            name,
            affine::For::NAME | affine::If::NAME | affine::Apply::NAME
        )
    };
    let simplified: Vec<OperationId> = all.into_iter().filter(is_simplified).collect();
    let allowed: BTreeSet<OperationId> = simplified.iter().copied().collect();
    let patterns: Vec<&Pattern> = PATTERNS.iter().chain(OWN).copied().collect();
    apply_to(context, body, &patterns, simplified, |op| {
        allowed.contains(&op)
    });
}

/// Folds that `canonicalize` makes outside of its patterns.
const OWN: &[&Pattern] = &[
    &Pattern {
        name: "affine-apply-of-constant",
        roots: &[affine::Apply::NAME],
        benefit: 3,
        rewrite: constant_apply,
    },
    &Pattern {
        name: "affine-nothing-inside",
        roots: &[affine::If::NAME, affine::For::NAME],
        benefit: 9,
        rewrite: nothing_inside,
    },
];

fn constant_apply(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let map = view.attribute("map");
    let map = map.and_then(|map| map.as_affine_map(r.context));
    let Some(number) = map.and_then(AffineMap::single_constant) else {
        return false;
    };
    let (result, index) = (view.result(0), r.context.index_type());
    let number = r.context.index_attribute(number);
    let Some(value) = r.constant(op, op, number, index) else {
        return false;
    };
    r.replace_value(result, value);
    r.erase(op);
    true
}

/// Erases a loop or conditional that only reads, and whose results are not used.
fn nothing_inside(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let effects = Effects::of(r.context, view.body, op);
    let is_used = view
        .results()
        .iter()
        .any(|result| !view.body.is_unused(*result));
    if is_used || !effects.writes.is_empty() || effects.allocates {
        return false;
    }
    r.erase(op);
    true
}

fn size(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn simple_map(map: &AffineMap) -> AffineMap {
    let simple = |e: &AffineExpr| {
        expression(e, size(map.n_dims), size(map.n_symbols)).unwrap_or_else(|| e.clone())
    };
    AffineMap {
        results: map.results.iter().map(simple).collect(),
        ..map.clone()
    }
}

fn simple_set(set: &IntegerSet) -> IntegerSet {
    let (n_dims, n_symbols) = (size(set.n_dims), size(set.n_symbols));
    let n = n_dims + n_symbols;
    let rows: Option<Vec<(Vec<i64>, bool)>> = set
        .constraints
        .iter()
        .map(|(e, is_equality)| Some((coefficients(e, n_dims, n)?, *is_equality)))
        .collect();
    let Some(rows) = rows else {
        let simple = |(e, is_equality): &(AffineExpr, bool)| {
            let simple = expression(e, n_dims, n_symbols);
            (simple.unwrap_or_else(|| e.clone()), *is_equality)
        };
        return IntegerSet {
            constraints: set.constraints.iter().map(simple).collect(),
            ..set.clone()
        };
    };
    let only = |constant: i64| IntegerSet {
        constraints: vec![(AffineExpr::Constant(constant), true)],
        ..set.clone()
    };
    if is_empty(&rows, n) {
        return only(1);
    }
    let kept = without_redundant(rows, n);
    if kept.is_empty() {
        return only(0);
    }
    let constraints = kept
        .into_iter()
        .map(|(row, is_equality)| (linear(&row, n_dims), is_equality));
    IntegerSet {
        constraints: constraints.collect(),
        ..set.clone()
    }
}

/// Returns true if no point meets all constraints.
fn is_empty(rows: &[(Vec<i64>, bool)], n: usize) -> bool {
    let mut system = LinearSystem::default();
    for _ in 0..n {
        system.add_variable();
    }
    for (row, is_equality) in rows {
        let row = row.iter().copied().map(i128::from).collect();
        match is_equality {
            true => system.require_zero(row),
            false => system.require_not_negative(row),
        }
    }
    !system.may_hold()
}

/// Divides inequalities by common factors, and leaves out those that others imply: equalities first, each factors once.
fn without_redundant(rows: Vec<(Vec<i64>, bool)>, n: usize) -> Vec<(Vec<i64>, bool)> {
    let (mut kept, inequalities): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(_, is_equality)| *is_equality);
    kept.retain(|(row, _)| row.iter().any(|c| *c != 0));
    let mut found: Vec<Vec<i64>> = Vec::new();
    for (mut row, _) in inequalities {
        let shared = row[..n].iter().fold(0u64, |mut a, c| {
            let mut b = c.unsigned_abs();
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        });
        let Some(shared) = i64::try_from(shared).ok().filter(|shared| *shared > 0) else {
            continue;
        };
        row[..n].iter_mut().for_each(|c| *c /= shared);
        row[n] = row[n].div_euclid(shared);
        match found.iter().position(|other| other[..n] == row[..n]) {
            Some(place) if found[place][n] > row[n] => {
                found.remove(place);
                found.push(row);
            }
            Some(_) => {}
            None => found.push(row),
        }
    }
    kept.extend(found.into_iter().map(|row| (row, false)));
    kept
}
