//! Patterns for affine operations: simplify maps and sets, fold known bounds and extrema.
//!
//! Source: the canonicalisations of MLIR's affine dialect.

use sluice_dialects::{affine, affine::constant_trip_count};
use sluice_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{Exact, OperationId, ValueId, View};

use super::loops::passed_on;
use super::maps::{Composed, coefficients, dims, symbols};
use super::tools::{become_op, become_value, made_by};

pub(crate) const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "affine-map-and-operands",
        roots: &[
            affine::Apply::NAME,
            affine::Min::NAME,
            affine::Max::NAME,
            affine::Load::NAME,
            affine::Store::NAME,
            affine::Prefetch::NAME,
            affine::For::NAME,
        ],
        benefit: 1,
        rewrite: map_and_operands,
    },
    &Pattern {
        name: "affine-set-and-operands",
        roots: &[affine::If::NAME],
        benefit: 1,
        rewrite: set_and_operands,
    },
    &Pattern {
        name: "affine-condition-that-is-decided",
        roots: &[affine::If::NAME],
        benefit: 2,
        rewrite: decided,
    },
    &Pattern {
        name: "affine-bounds",
        roots: &[affine::For::NAME],
        benefit: 2,
        rewrite: bounds,
    },
    &Pattern {
        name: "affine-loop-that-only-passes-on",
        roots: &[affine::For::NAME],
        benefit: 2,
        rewrite: only_passes_on,
    },
    &Pattern {
        name: "affine-extremum-of-one",
        roots: &[affine::Min::NAME, affine::Max::NAME],
        benefit: 1,
        rewrite: extremum_of_one,
    },
    &Pattern {
        name: "affine-extremum-of-extrema",
        roots: &[affine::Min::NAME, affine::Max::NAME],
        benefit: 0,
        rewrite: extremum_of_extrema,
    },
    &Pattern {
        name: "affine-extremum-in-order",
        roots: &[affine::Min::NAME, affine::Max::NAME],
        benefit: 0,
        rewrite: extremum_in_order,
    },
    &Pattern {
        name: "affine-apply-of-nothing",
        roots: &[affine::Apply::NAME],
        benefit: 2,
        rewrite: apply_of_nothing,
    },
];

/// Returns each map attribute of an operation with the start and end of its operands. For a loop, the order is that of its
/// operand groups.
fn maps(view: View<'_>) -> Vec<(&'static str, usize, usize)> {
    let n = view.operands().len();
    match view.name() {
        affine::For::NAME => [("lowerBoundMap", 0), ("upperBoundMap", 1)]
            .into_iter()
            .filter_map(|(name, group)| {
                let (start, len) = view.operand_segment(group)?;
                Some((name, start, start + len))
            })
            .collect(),
        affine::Load::NAME | affine::Prefetch::NAME => vec![("map", 1, n)],
        affine::Store::NAME => vec![("map", 2, n)],
        _ => vec![("map", 0, n)],
    }
}

fn map_and_operands(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    for (group, (name, start, end)) in maps(r.view(op)).into_iter().enumerate() {
        let view = r.view(op);
        let operands: Vec<ValueId> = view.operands().collect();
        let map = view
            .attribute(name)
            .and_then(|a| a.as_affine_map(r.context));
        let own = operands.get(start..end);
        let Some((map, own)) = map.zip(own) else {
            continue;
        };
        let Some(mut composed) = Composed::new(map, own) else {
            continue;
        };
        composed.compose(view);
        composed.canonicalise(view);
        composed.simplify();
        let (new_map, new_operands) = (composed.map(), composed.operands());
        if new_map == *map && new_operands == own {
            continue;
        }
        let attribute = r.context.affine_map_attribute(new_map);
        let key = r.context.name(name);
        let sizes = segment_sizes(view, group, new_operands.len());
        let segments = r.context.name("operandSegmentSizes");
        let before = operands[..start].iter().copied();
        let after = operands[end..].iter().copied();
        let all: Vec<ValueId> = before.chain(new_operands).chain(after).collect();
        let sizes = sizes.map(|sizes| r.context.dense_i32_array(&sizes));
        r.update(op, |body| {
            body.set_operands(op, &all);
            body.set_attribute(op, key, attribute);
            if let Some(sizes) = sizes {
                body.set_attribute(op, segments, sizes);
            }
        });
        return true;
    }
    false
}

/// Returns the sizes of a loop's operand groups after group `group` changes to `n` operands.
fn segment_sizes(view: View<'_>, group: usize, n: usize) -> Option<Vec<i32>> {
    if view.name() != affine::For::NAME {
        return None;
    }
    let sizes = (0..3).map(|other| match other == group {
        true => i32::try_from(n).ok(),
        false => i32::try_from(view.operand_segment(other)?.1).ok(),
    });
    sizes.collect()
}

/// Replaces an `affine.apply` whose map returns one operand by that operand.
fn apply_of_nothing(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(map) = view
        .attribute("map")
        .and_then(|a| a.as_affine_map(r.context))
    else {
        return false;
    };
    let position = match map.results.first() {
        Some(AffineExpr::Dim(i)) => *i,
        Some(AffineExpr::Symbol(i)) => map.n_dims + i,
        _ => return false,
    };
    let value = view.operands().nth(position as usize);
    value.is_some_and(|value| become_value(r, op, value))
}

/// Simplifies the set of an `affine.if` with its operands, as maps of other operations are simplified.
fn set_and_operands(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let operands: Vec<ValueId> = view.operands().collect();
    let set = view
        .attribute("condition")
        .and_then(|a| a.as_integer_set(r.context));
    let Some(set) = set else { return false };
    let map = AffineMap {
        n_dims: set.n_dims,
        n_symbols: set.n_symbols,
        results: set.constraints.iter().map(|(e, _)| e.clone()).collect(),
    };
    let Some(mut composed) = Composed::new(&map, &operands) else {
        return false;
    };
    composed.compose(view);
    composed.canonicalise(view);
    composed.simplify();
    let kinds = set.constraints.iter().map(|(_, kind)| *kind);
    let map = composed.map();
    let new = IntegerSet {
        n_dims: map.n_dims,
        n_symbols: map.n_symbols,
        constraints: map.results.into_iter().zip(kinds).collect(),
    };
    let new_operands = composed.operands();
    if new == *set && new_operands == operands {
        return false;
    }
    let attribute = r.context.integer_set_attribute(new);
    let name = r.context.name("condition");
    r.update(op, |body| {
        body.set_operands(op, &new_operands);
        body.set_attribute(op, name, attribute);
    });
    true
}

/// Replaces an `affine.if` with the set of all or of no points by one of its regions. As upstream, these are sets of one constraint.
fn decided(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let set = view
        .attribute("condition")
        .and_then(|a| a.as_integer_set(r.context));
    let region = match set.map(|set| &set.constraints[..]) {
        Some([(AffineExpr::Constant(0), true)]) => 0,
        Some([(AffineExpr::Constant(1), true)]) => 1,
        _ => return false,
    };
    let Some(block) = view.entry_block(region) else {
        r.erase(op);
        return true;
    };
    let values = r.inline_block(block, op, &[]);
    r.replace(op, &values);
    true
}

/// Removes repeated loop bounds, and constant bounds that a tighter constant bound dominates.
fn bounds(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    for (group, (name, start, end)) in maps(r.view(op)).into_iter().enumerate() {
        let view = r.view(op);
        let Some(map) = view
            .attribute(name)
            .and_then(|a| a.as_affine_map(r.context))
        else {
            continue;
        };
        // As upstream: remove adjacent duplicates, and keep only the tightest constant.
        let mut results = map.results.clone();
        results.dedup();
        let numbers = results.iter().filter_map(AffineExpr::as_constant);
        let decides = match group {
            0 => numbers.max(),
            _ => numbers.min(),
        };
        let mut is_there = false;
        results.retain(|result| {
            let is_number = result.as_constant().is_some();
            let kept = !is_number || (result.as_constant() == decides && !is_there);
            is_there |= is_number && kept;
            kept
        });
        let constants: Option<Vec<i64>> = results.iter().map(AffineExpr::as_constant).collect();
        let folded = constants.and_then(|all| match group {
            0 => all.into_iter().max(),
            _ => all.into_iter().min(),
        });
        let mut operands: Vec<ValueId> = view.operands().collect();
        let new = match folded {
            Some(value) => AffineMap::constant(value),
            None => AffineMap {
                results,
                ..map.clone()
            },
        };
        if new == *map {
            continue;
        }
        let mut sizes = None;
        if folded.is_some() {
            operands.drain(start..end);
            sizes = segment_sizes(view, group, 0);
        }
        let sizes = sizes.map(|sizes| r.context.dense_i32_array(&sizes));
        let attribute = r.context.affine_map_attribute(new);
        let (name, segments) = (r.context.name(name), r.context.name("operandSegmentSizes"));
        r.update(op, |body| {
            body.set_operands(op, &operands);
            body.set_attribute(op, name, attribute);
            if let Some(sizes) = sizes {
                body.set_attribute(op, segments, sizes);
            }
        });
        return true;
    }
    false
}

/// Replaces a loop that has no iteration by its initial values, and a loop with an empty body by its results where those are
/// known.
fn only_passes_on(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let body = view.body;
    let (Some(entry), Some((_, passed))) = (view.entry_block(0), passed_on(body, op, 0)) else {
        return false;
    };
    let initial = view.operand_group(2);
    let trip_count = constant_trip_count(view);
    if trip_count == Some(Exact::ZERO) {
        if initial.is_empty() || initial.len() != view.results().len() {
            return false;
        }
        r.replace(op, &initial);
        return true;
    }
    if body.first_operation(entry) != body.last_operation(entry) {
        return false;
    }
    // The body has only a terminator: each result is an initial value or a value from outside the loop.
    let arguments = body.arguments(entry);
    let mut values = Vec::new();
    let mut in_order = true;
    let mut same = true;
    for (i, value) in passed.iter().enumerate() {
        let carried = arguments
            .iter()
            .skip(1)
            .position(|argument| argument == value);
        if arguments.first() == Some(value) {
            return false;
        }
        match carried {
            Some(position) => {
                in_order &= position == i;
                let Some(first) = initial.get(position) else {
                    return false;
                };
                values.push(*first);
            }
            None => {
                same = false;
                values.push(*value);
            }
        }
    }
    // If carried values are permuted, the result depends on the trip count. If values come from outside, the loop needs one
    // iteration at least.
    let known = match trip_count {
        Some(Exact::ONE) => true,
        Some(_) => in_order,
        None => in_order && same,
    };
    if !known || values.len() != view.results().len() {
        return false;
    }
    r.replace(op, &values);
    true
}

/// Replaces `affine.min` or `affine.max` of one expression by `affine.apply`.
fn extremum_of_one(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let map = view.attribute("map");
    let is_one = map
        .and_then(|a| a.as_affine_map(r.context))
        .is_some_and(|m| m.results.len() == 1);
    let Some(map) = map.filter(|_| is_one) else {
        return false;
    };
    let operands: Vec<ValueId> = view.operands().collect();
    become_op(r, op, affine::Apply::NAME, &operands, &[("map", map)])
}

/// Merges operands that are extrema of the same kind into the map of this extremum.
fn extremum_of_extrema(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let operands: Vec<ValueId> = view.operands().collect();
    let map = view
        .attribute("map")
        .and_then(|a| a.as_affine_map(r.context));
    let composed = map.and_then(|map| Composed::new(map, &operands));
    let Some(mut all) = composed else {
        return false;
    };
    let mut inner_ones = Vec::new();
    let mut results = Vec::new();
    for result in std::mem::take(&mut all.results) {
        let value = match &result {
            AffineExpr::Dim(i) => all.dims.get(*i as usize),
            AffineExpr::Symbol(i) => all.symbols.get(*i as usize),
            _ => None,
        };
        let made = value.copied().flatten();
        match made.and_then(|value| made_by(view, value, view.name())) {
            Some(inner) => inner_ones.push(inner),
            None => results.push(result),
        }
    }
    if inner_ones.is_empty() {
        return false;
    }
    for inner in inner_ones {
        let operands: Vec<ValueId> = inner.operands().collect();
        let map = inner
            .attribute("map")
            .and_then(|a| a.as_affine_map(r.context));
        let Some(one) = map.and_then(|map| Composed::new(map, &operands)) else {
            return false;
        };
        let (n_dims, n_symbols) = (all.dims.len(), all.symbols.len());
        let shifted_dims = dims(n_dims, n_dims + one.dims.len());
        let shifted_symbols = symbols(n_symbols, n_symbols + one.symbols.len());
        let shifted = one.results.iter();
        results.extend(shifted.map(|e| e.substitute(&shifted_dims, &shifted_symbols)));
        all.dims.extend(one.dims);
        all.symbols.extend(one.symbols);
    }
    all.results = results;
    let (name, operands) = (view.name().to_owned(), all.operands());
    let map = r.context.affine_map_attribute(all.map());
    become_op(r, op, &name, &operands, &[("map", map)])
}

/// Removes repeated results of an extremum, and sorts linear results by their coefficients.
fn extremum_in_order(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(map) = view
        .attribute("map")
        .and_then(|a| a.as_affine_map(r.context))
    else {
        return false;
    };
    let mut results: Vec<AffineExpr> = Vec::new();
    for result in &map.results {
        if !results.contains(result) {
            results.push(result.clone());
        }
    }
    let n_dims = map.n_dims as usize;
    let flat: Option<Vec<(Vec<i64>, AffineExpr)>> = results
        .iter()
        .map(|e| Some((coefficients(e, n_dims, map.n_inputs())?, e.clone())))
        .collect();
    if let Some(mut flat) = flat {
        flat.sort_by(|a, b| a.0.cmp(&b.0));
        results = flat.into_iter().map(|(_, e)| e).collect();
    }
    let new = AffineMap {
        results,
        ..map.clone()
    };
    if new == *map {
        return false;
    }
    let (new, name) = (r.context.affine_map_attribute(new), r.context.name("map"));
    r.update(op, |body| body.set_attribute(op, name, new));
    true
}
