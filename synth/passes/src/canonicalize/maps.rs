//! Affine maps with their operands: composition, constant operands, repeated operands.
//!
//! Source: MLIR's `composeAffineMapAndOperands` and `canonicalizeMapAndOperands`.

use sluice_dialects::{affine, affine::is_symbol};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::{ValueId, View};

use super::tools::{made_by, splat};

/// Maximum number of nodes (constants, operands and operators) of a composed map. An operand that a map uses twice is substituted
/// twice, so a chain of these maps grows exponentially. Handwritten maps have dozens of nodes.
const MAX_NODES: usize = 2_000;

/// A map with its operands; `None` marks an operand that was composed into the map.
#[derive(Clone)]
pub(crate) struct Composed {
    pub(crate) results: Vec<AffineExpr>,
    pub(crate) dims: Vec<Option<ValueId>>,
    pub(crate) symbols: Vec<Option<ValueId>>,
}

pub(super) fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

pub(super) fn dims(from: usize, to: usize) -> Vec<AffineExpr> {
    (from..to).map(|i| AffineExpr::Dim(number(i))).collect()
}

pub(super) fn symbols(from: usize, to: usize) -> Vec<AffineExpr> {
    (from..to).map(|i| AffineExpr::Symbol(number(i))).collect()
}

impl Composed {
    pub(crate) fn new(map: &AffineMap, operands: &[ValueId]) -> Option<Self> {
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

    /// Composes operands that `affine.apply` defines into the map, until none is left. Leaves an operand if the map would have
    /// more than [`MAX_NODES`] nodes.
    pub(crate) fn compose(&mut self, view: View<'_>) {
        let mut position = 0;
        while position < self.dims.len() + self.symbols.len() {
            let n_dims = self.dims.len();
            let is_dim = position < n_dims;
            let value = match is_dim {
                true => self.dims[position],
                false => self.symbols[position - n_dims],
            };
            let apply = value.and_then(|value| made_by(view, value, affine::Apply::NAME));
            let Some(inner) = apply.and_then(canonical_apply) else {
                position += 1;
                continue;
            };
            let operand = match is_dim {
                true => AffineExpr::Dim(number(position)),
                false => AffineExpr::Symbol(number(position - n_dims)),
            };
            let n_inner = n_nodes(&inner.results[0]);
            let n_composed = |e: &AffineExpr| n_nodes(e) + n_inner * n_uses(e, &operand);
            if self.results.iter().map(n_composed).sum::<usize>() > MAX_NODES {
                position += 1;
                continue;
            }
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

    /// Turns dimensions that are valid symbols into symbols, substitutes constants, and removes repeated and unused operands.
    pub(crate) fn canonicalise(&mut self, view: View<'_>) {
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

    pub(crate) fn simplify(&mut self) {
        for result in &mut self.results {
            if let Some(simple) = linear_form(result, self.dims.len(), self.symbols.len()) {
                *result = simple;
            }
        }
    }

    /// Returns a map of the operands of both maps, with a result for each result of this one.
    pub(crate) fn join(
        mut self,
        other: Self,
        result: impl Fn(&AffineExpr, &[AffineExpr]) -> AffineExpr,
    ) -> Self {
        let (n_dims, n_symbols) = (self.dims.len(), self.symbols.len());
        let shifted_dims = dims(n_dims, n_dims + other.dims.len());
        let shifted_symbols = symbols(n_symbols, n_symbols + other.symbols.len());
        let others = other.results.iter();
        let others: Vec<AffineExpr> = others
            .map(|e| e.substitute(&shifted_dims, &shifted_symbols))
            .collect();
        for own in &mut self.results {
            *own = result(own, &others);
        }
        self.dims.extend(other.dims);
        self.symbols.extend(other.symbols);
        self
    }

    pub(crate) fn map(&self) -> AffineMap {
        AffineMap {
            n_dims: number(self.dims.len()),
            n_symbols: number(self.symbols.len()),
            results: self.results.clone(),
        }
    }

    pub(crate) fn operands(&self) -> Vec<ValueId> {
        self.dims
            .iter()
            .chain(&self.symbols)
            .copied()
            .flatten()
            .collect()
    }
}

/// Returns the map of an `affine.apply` with canonical operands.
fn canonical_apply(apply: View<'_>) -> Option<Composed> {
    let map = apply.attribute("map")?.as_affine_map(apply.context)?;
    let operands: Vec<ValueId> = apply.operands().collect();
    let mut composed = Composed::new(map, &operands).filter(|c| c.results.len() == 1)?;
    composed.canonicalise(apply);
    Some(composed)
}

/// Returns the number of nodes of an expression.
fn n_nodes(expression: &AffineExpr) -> usize {
    use AffineExpr as E;
    match expression {
        E::Dim(_) | E::Symbol(_) | E::Constant(_) => 1,
        E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
            1 + n_nodes(a) + n_nodes(b)
        }
    }
}

/// Returns how often an operand occurs in an expression.
fn n_uses(expression: &AffineExpr, operand: &AffineExpr) -> usize {
    use AffineExpr as E;
    match expression {
        E::Dim(_) | E::Symbol(_) | E::Constant(_) => usize::from(expression == operand),
        E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
            n_uses(a, operand) + n_uses(b, operand)
        }
    }
}

/// Returns true if `part` occurs in an expression.
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

/// Returns the coefficients of the dimensions and symbols and the constant term, if the expression is linear.
pub(crate) fn coefficients(expression: &AffineExpr, n_dims: usize, n: usize) -> Option<Vec<i64>> {
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

/// Returns a linear expression in canonical order: dimensions, symbols, constant.
fn linear_form(expression: &AffineExpr, n_dims: usize, n_symbols: usize) -> Option<AffineExpr> {
    let found = coefficients(expression, n_dims, n_dims + n_symbols)?;
    Some(linear(&found, n_dims))
}

/// Returns the expression with these coefficients of dimensions and symbols, and the constant at the end.
pub(crate) fn linear(coefficients: &[i64], n_dims: usize) -> AffineExpr {
    let n = coefficients.len().saturating_sub(1);
    let mut sum = AffineExpr::Constant(0);
    for (i, c) in coefficients.iter().enumerate() {
        let part = match i {
            _ if *c == 0 => continue,
            i if i < n_dims => AffineExpr::Dim(number(i)),
            i if i < n => AffineExpr::Symbol(number(i - n_dims)),
            _ => AffineExpr::Constant(1),
        };
        sum = sum + part * AffineExpr::Constant(*c);
    }
    sum
}
