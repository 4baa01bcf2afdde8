//! Affine maps with their operands: applications composed, constants in the map, each operand once.
//!
//! Source: MLIR's `composeAffineMapAndOperands` and `canonicalizeMapAndOperands`.

use sluice_dialects::affine::is_symbol;
use sluice_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{OperationId, ValueId, View};

use super::loops::passed_on;
use super::tools::{become_op, become_value, made_by, splat};

pub(super) const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "affine-map-and-operands",
        roots: &[
            "affine.apply",
            "affine.min",
            "affine.max",
            "affine.load",
            "affine.store",
            "affine.prefetch",
            "affine.for",
        ],
        benefit: 1,
        rewrite: map_and_operands,
    },
    &Pattern {
        name: "affine-set-and-operands",
        roots: &["affine.if"],
        benefit: 1,
        rewrite: set_and_operands,
    },
    &Pattern {
        name: "affine-bounds",
        roots: &["affine.for"],
        benefit: 2,
        rewrite: bounds,
    },
    &Pattern {
        name: "affine-loop-that-only-passes-on",
        roots: &["affine.for"],
        benefit: 2,
        rewrite: only_passes_on,
    },
    &Pattern {
        name: "affine-extremum-of-one",
        roots: &["affine.min", "affine.max"],
        benefit: 1,
        rewrite: extremum_of_one,
    },
    &Pattern {
        name: "affine-extremum-of-extrema",
        roots: &["affine.min", "affine.max"],
        benefit: 0,
        rewrite: extremum_of_extrema,
    },
    &Pattern {
        name: "affine-extremum-in-order",
        roots: &["affine.min", "affine.max"],
        benefit: 0,
        rewrite: extremum_in_order,
    },
    &Pattern {
        name: "affine-apply-of-nothing",
        roots: &["affine.apply"],
        benefit: 2,
        rewrite: apply_of_nothing,
    },
];

/// The attributes with the maps of an operation, and where the operands of each start and end; for a loop in the order of
/// its operand groups.
fn maps(view: View<'_>) -> Vec<(&'static str, usize, usize)> {
    let n = view.operands().len();
    match view.name() {
        "affine.for" => [("lowerBoundMap", 0), ("upperBoundMap", 1)]
            .into_iter()
            .filter_map(|(name, group)| {
                let (start, len) = view.operand_segment(group)?;
                Some((name, start, start + len))
            })
            .collect(),
        "affine.load" | "affine.prefetch" => vec![("map", 1, n)],
        "affine.store" => vec![("map", 2, n)],
        _ => vec![("map", 0, n)],
    }
}

/// A map whose operands may have gone because they were composed.
struct Composed {
    results: Vec<AffineExpr>,
    dims: Vec<Option<ValueId>>,
    symbols: Vec<Option<ValueId>>,
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn dims(from: usize, to: usize) -> Vec<AffineExpr> {
    (from..to).map(|i| AffineExpr::Dim(number(i))).collect()
}

fn symbols(from: usize, to: usize) -> Vec<AffineExpr> {
    (from..to).map(|i| AffineExpr::Symbol(number(i))).collect()
}

impl Composed {
    fn new(map: &AffineMap, operands: &[ValueId]) -> Option<Self> {
        let n_dims = usize::try_from(map.n_dims).ok()?;
        let n = n_dims + usize::try_from(map.n_symbols).ok()?;
        (operands.len() == n).then(|| Self {
            results: map.results.clone(),
            dims: operands[..n_dims].iter().copied().map(Some).collect(),
            symbols: operands[n_dims..].iter().copied().map(Some).collect(),
        })
    }

    fn substitute(&mut self, dims: &[AffineExpr], symbols: &[AffineExpr]) {
        for result in &mut self.results {
            *result = result.substitute(dims, symbols);
        }
    }

    /// Replaces operands made by `affine.apply` by what that is applied to, until there are none.
    fn compose(&mut self, view: View<'_>) {
        let mut position = 0;
        while position < self.dims.len() + self.symbols.len() {
            let n_dims = self.dims.len();
            let is_dim = position < n_dims;
            let value = match is_dim {
                true => self.dims[position],
                false => self.symbols[position - n_dims],
            };
            let apply = value.and_then(|value| made_by(view, value, "affine.apply"));
            let Some(inner) = apply.and_then(canonical_apply) else {
                position += 1;
                continue;
            };
            let (n_dims, n_symbols) = (self.dims.len(), self.symbols.len());
            let shifted = inner.results[0].substitute(
                &dims(n_dims, n_dims + inner.dims.len()),
                &symbols(n_symbols, n_symbols + inner.symbols.len()),
            );
            let (mut all_dims, mut all_symbols) = (dims(0, n_dims), symbols(0, n_symbols));
            if is_dim {
                self.dims[position] = None;
                all_dims[position] = shifted;
            } else {
                self.symbols[position - n_dims] = None;
                all_symbols[position - n_dims] = shifted;
            }
            self.substitute(&all_dims, &all_symbols);
            self.dims.extend(inner.dims);
            self.symbols.extend(inner.symbols);
            position = 0;
        }
    }

    /// Dimensions that are symbols become symbols, constants go into the map, each operand stands once if it is used.
    fn canonicalise(&mut self, view: View<'_>) {
        let n_symbols = self.symbols.len();
        let mut new_dims = Vec::new();
        let mut promoted = Vec::new();
        for (i, value) in self.dims.iter_mut().enumerate() {
            let symbol = value.filter(|value| is_symbol(view, *value));
            if let Some(symbol) = symbol {
                new_dims.push(AffineExpr::Symbol(number(n_symbols + promoted.len())));
                promoted.push(Some(symbol));
                *value = None;
            } else {
                new_dims.push(AffineExpr::Dim(number(i)));
            }
        }
        self.symbols.extend(promoted);
        self.substitute(&new_dims, &[]);
        let mut kept_dims: Vec<ValueId> = Vec::new();
        let mut kept_symbols: Vec<ValueId> = Vec::new();
        let place = |kept: &mut Vec<ValueId>, value: ValueId| {
            let known = kept.iter().position(|other| *other == value);
            let place = known.unwrap_or_else(|| {
                kept.push(value);
                kept.len() - 1
            });
            number(place)
        };
        let gone = AffineExpr::Constant(0);
        let mut new_dims = Vec::new();
        for (i, value) in self.dims.iter().enumerate() {
            let used = self
                .results
                .iter()
                .any(|e| uses(e, &AffineExpr::Dim(number(i))));
            new_dims.push(match value.filter(|_| used) {
                Some(value) => AffineExpr::Dim(place(&mut kept_dims, value)),
                None => gone.clone(),
            });
        }
        let mut new_symbols = Vec::new();
        for (i, value) in self.symbols.iter().enumerate() {
            let symbol = AffineExpr::Symbol(number(i));
            let used = self.results.iter().any(|e| uses(e, &symbol));
            let Some(value) = value.filter(|_| used) else {
                new_symbols.push(gone.clone());
                continue;
            };
            let known = splat(view.context, view.body, value).and_then(|bits| bits.to_i64());
            new_symbols.push(match known {
                Some(known) => AffineExpr::Constant(known),
                None => AffineExpr::Symbol(place(&mut kept_symbols, value)),
            });
        }
        self.substitute(&new_dims, &new_symbols);
        self.dims = kept_dims.into_iter().map(Some).collect();
        self.symbols = kept_symbols.into_iter().map(Some).collect();
    }

    fn simplify(&mut self) {
        for result in &mut self.results {
            if let Some(simple) = linear_form(result, self.dims.len(), self.symbols.len()) {
                *result = simple;
            }
        }
    }

    fn map(&self) -> AffineMap {
        AffineMap {
            n_dims: number(self.dims.len()),
            n_symbols: number(self.symbols.len()),
            results: self.results.clone(),
        }
    }

    fn operands(&self) -> Vec<ValueId> {
        self.dims
            .iter()
            .chain(&self.symbols)
            .copied()
            .flatten()
            .collect()
    }
}

/// The map of an `affine.apply` on operands that stand where they may.
fn canonical_apply(apply: View<'_>) -> Option<Composed> {
    let map = apply.attribute("map")?.as_affine_map(apply.context)?;
    let operands: Vec<ValueId> = apply.operands().collect();
    let mut composed = Composed::new(map, &operands).filter(|c| c.results.len() == 1)?;
    composed.canonicalise(apply);
    Some(composed)
}

/// Whether `part` is in an expression.
fn uses(expression: &AffineExpr, part: &AffineExpr) -> bool {
    use AffineExpr as E;
    expression == part
        || match expression {
            E::Dim(_) | E::Symbol(_) | E::Constant(_) => false,
            E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
                uses(a, part) || uses(b, part)
            }
        }
}

/// Coefficients of the dimensions, the symbols and one, if the expression is linear.
fn coefficients(expression: &AffineExpr, n_dims: usize, n: usize) -> Option<Vec<i64>> {
    use AffineExpr as E;
    let mut found = vec![0i64; n + 1];
    match expression {
        E::Dim(i) => *found.get_mut(*i as usize)? = 1,
        E::Symbol(i) => *found.get_mut(n_dims + *i as usize)? = 1,
        E::Constant(value) => found[n] = *value,
        E::Add(a, b) => {
            let (a, b) = (coefficients(a, n_dims, n)?, coefficients(b, n_dims, n)?);
            for (i, found) in found.iter_mut().enumerate() {
                *found = a[i].checked_add(b[i])?;
            }
        }
        E::Mul(a, b) => {
            let (value, other) = match (a.as_constant(), b.as_constant()) {
                (_, Some(value)) => (value, a),
                (Some(value), _) => (value, b),
                _ => return None,
            };
            for (found, c) in found.iter_mut().zip(coefficients(other, n_dims, n)?) {
                *found = c.checked_mul(value)?;
            }
        }
        E::Mod(..) | E::FloorDiv(..) | E::CeilDiv(..) => return None,
    }
    Some(found)
}

/// A linear expression with its dimensions first, then its symbols, then the constant.
fn linear_form(expression: &AffineExpr, n_dims: usize, n_symbols: usize) -> Option<AffineExpr> {
    let n = n_dims + n_symbols;
    let found = coefficients(expression, n_dims, n)?;
    let mut sum = AffineExpr::Constant(0);
    for (i, c) in found.iter().enumerate() {
        let part = match i {
            _ if *c == 0 => continue,
            i if i < n_dims => AffineExpr::Dim(number(i)),
            i if i < n => AffineExpr::Symbol(number(i - n_dims)),
            _ => AffineExpr::Constant(1),
        };
        sum = sum + part * AffineExpr::Constant(*c);
    }
    Some(sum)
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

/// The sizes of the operand groups of a loop when group `group` has `n` operands.
fn segment_sizes(view: View<'_>, group: usize, n: usize) -> Option<Vec<i32>> {
    if view.name() != "affine.for" {
        return None;
    }
    let sizes = (0..3).map(|other| match other == group {
        true => i32::try_from(n).ok(),
        false => i32::try_from(view.operand_segment(other)?.1).ok(),
    });
    sizes.collect()
}

/// An application of a map that gives one of its operands.
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

/// The condition of a conditional, as the maps of other operations.
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

/// Bounds that stand twice, and those of constants that do not decide.
fn bounds(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    for (group, (name, start, end)) in maps(r.view(op)).into_iter().enumerate() {
        let view = r.view(op);
        let Some(map) = view
            .attribute(name)
            .and_then(|a| a.as_affine_map(r.context))
        else {
            continue;
        };
        // As upstream: neighbours once, and of constants the one that decides.
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

/// How often a loop with constant bounds runs.
fn trip_count(view: View<'_>) -> Option<i64> {
    let constant = |name: &str| {
        view.attribute(name)?
            .as_affine_map(view.context)?
            .single_constant()
    };
    let (lower, upper) = (constant("lowerBoundMap")?, constant("upperBoundMap")?);
    let step = view.attribute("step")?.as_i64(view.context)?.max(1);
    let span = upper.checked_sub(lower)?;
    Some(if span <= 0 { 0 } else { (span - 1) / step + 1 })
}

/// A loop that does not run, or whose body only passes values on whose last ones are known.
fn only_passes_on(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let body = view.body;
    let (Some(entry), Some((_, passed))) = (view.entry_block(0), passed_on(body, op, 0)) else {
        return false;
    };
    let initial = view.operand_group(2);
    let trip_count = trip_count(view);
    if trip_count == Some(0) {
        if initial.is_empty() || initial.len() != view.results().len() {
            return false;
        }
        r.replace(op, &initial);
        return true;
    }
    if body.first_operation(entry) != body.last_operation(entry) {
        return false;
    }
    // Without values it does nothing at all.
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
    // Values that change places end where the number of iterations says; values from outside need one iteration.
    let known = match trip_count {
        Some(1) => true,
        Some(_) => in_order,
        None => in_order && same,
    };
    if !known || values.len() != view.results().len() {
        return false;
    }
    r.replace(op, &values);
    true
}

/// The extremum of one expression is that expression.
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
    become_op(r, op, "affine.apply", &operands, &[("map", map)])
}

/// Results that are extrema of the same kind themselves are replaced by what those are of.
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

/// Each result once, and linear results in the order of their coefficients.
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
