//! Simplifies affine expressions: a sum has its dimensions, symbols, quotients and constant in this order, each once.
//!
//! Source: MLIR, `SimpleAffineExprFlattener`. A quotient counts as a variable of its own; a remainder is the value minus a multiple
//! of its quotient.

use sluice_ir::affine::AffineExpr;

use crate::canonicalize::maps::Composed;

/// Simplifies the results of a map.
pub(crate) fn composed(map: &mut Composed) {
    let (n_dims, n_symbols) = (map.dims.len(), map.symbols.len());
    for result in &mut map.results {
        if let Some(simple) = expression(result, n_dims, n_symbols) {
            *result = simple;
        }
    }
}

/// Returns the simplified expression; `None` if it multiplies or divides by something else than a constant.
pub(super) fn expression(
    expression: &AffineExpr,
    n_dims: usize,
    n_symbols: usize,
) -> Option<AffineExpr> {
    let mut sums = Sums {
        n_dims,
        n_symbols,
        quotients: Vec::new(),
    };
    let sum = sums.of(expression)?;
    Some(sums.expression(&sum))
}

/// Factors of dimensions and symbols, then the constant, then factors of quotients.
type Sum = Vec<i64>;

struct Sums {
    n_dims: usize,
    n_symbols: usize,
    quotients: Vec<AffineExpr>,
}

impl Sums {
    fn constant(&self) -> usize {
        self.n_dims + self.n_symbols
    }

    /// A sum of one term.
    fn term(&self, position: usize, factor: i64) -> Sum {
        let mut sum = vec![0; self.constant() + 1 + self.quotients.len()];
        if let Some(place) = sum.get_mut(position) {
            *place = factor;
        }
        sum
    }

    fn of(&mut self, expression: &AffineExpr) -> Option<Sum> {
        use AffineExpr as E;
        match expression {
            E::Dim(i) => Some(self.term(usize::try_from(*i).ok()?, 1)),
            E::Symbol(i) => Some(self.term(self.n_dims + usize::try_from(*i).ok()?, 1)),
            E::Constant(value) => Some(self.term(self.constant(), *value)),
            E::Add(a, b) => {
                let (mut a, mut b) = (self.of(a)?, self.of(b)?);
                let n = a.len().max(b.len());
                a.resize(n, 0);
                b.resize(n, 0);
                a.iter().zip(&b).map(|(a, b)| a.checked_add(*b)).collect()
            }
            E::Mul(a, b) => {
                let (factor, other) = match (a.as_constant(), b.as_constant()) {
                    (_, Some(factor)) => (factor, a),
                    (Some(factor), _) => (factor, b),
                    _ => return None,
                };
                let other = self.of(other)?;
                other.iter().map(|a| a.checked_mul(factor)).collect()
            }
            E::Mod(a, b) => {
                let by = b.as_constant().filter(|by| *by > 0)?;
                let mut sum = self.of(a)?;
                if sum.iter().all(|factor| factor % by == 0) {
                    return Some(self.term(0, 0));
                }
                let shared = shared_divisor(&sum, by);
                let small: Sum = sum.iter().map(|factor| factor / shared).collect();
                let dividend = self.expression(&small);
                let place = self.quotient(dividend.floor_div(E::Constant(by / shared)));
                sum.resize(sum.len().max(place + 1), 0);
                sum[place] = sum[place].checked_sub(by)?;
                Some(sum)
            }
            E::FloorDiv(a, b) => self.divided(a, b, AffineExpr::floor_div),
            E::CeilDiv(a, b) => self.divided(a, b, AffineExpr::ceil_div),
        }
    }

    fn divided(
        &mut self,
        a: &AffineExpr,
        b: &AffineExpr,
        divide: fn(AffineExpr, AffineExpr) -> AffineExpr,
    ) -> Option<Sum> {
        let by = b.as_constant().filter(|by| *by > 0)?;
        let sum = self.of(a)?;
        let shared = shared_divisor(&sum, by);
        let small: Sum = sum.iter().map(|factor| factor / shared).collect();
        if by == shared {
            return Some(small);
        }
        let dividend = self.expression(&small);
        let place = self.quotient(divide(dividend, AffineExpr::Constant(by / shared)));
        Some(self.term(place, 1))
    }

    /// Returns the place of a quotient in sums.
    fn quotient(&mut self, quotient: AffineExpr) -> usize {
        let known = self.quotients.iter().position(|known| *known == quotient);
        let position = known.unwrap_or_else(|| {
            self.quotients.push(quotient);
            self.quotients.len() - 1
        });
        self.constant() + 1 + position
    }

    fn expression(&self, sum: &Sum) -> AffineExpr {
        let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        let constant = self.constant();
        let mut all = AffineExpr::Constant(0);
        let mut last = 0;
        for (i, factor) in sum.iter().enumerate() {
            let part = match i {
                _ if *factor == 0 => continue,
                i if i < self.n_dims => AffineExpr::Dim(number(i)),
                i if i < constant => AffineExpr::Symbol(number(i - self.n_dims)),
                i if i == constant => {
                    last = *factor;
                    continue;
                }
                i => self.quotients[i - constant - 1].clone(),
            };
            all = all + part * AffineExpr::Constant(*factor);
        }
        match last {
            0 => all,
            last => all + AffineExpr::Constant(last),
        }
    }
}

/// Returns the greatest number that divides `by` and all factors.
fn shared_divisor(sum: &Sum, by: i64) -> i64 {
    let mut shared = by.unsigned_abs();
    for factor in sum {
        let mut other = factor.unsigned_abs();
        while other != 0 {
            (shared, other) = (other, shared % other);
        }
    }
    i64::try_from(shared).unwrap_or(1).max(1)
}
