//! Affine expressions, maps and integer sets: simplified when they are built, evaluated, substituted, composed.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// An affine (or semi-affine) expression over dimensions and symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum AffineExpr {
    /// `d0`
    Dim(u32),
    /// `s0`
    Symbol(u32),
    /// `42`
    Constant(i64),
    /// `a + b`
    Add(Box<AffineExpr>, Box<AffineExpr>),
    /// `a * b`
    Mul(Box<AffineExpr>, Box<AffineExpr>),
    /// `a mod b`, never negative for positive `b`
    Mod(Box<AffineExpr>, Box<AffineExpr>),
    /// `a floordiv b`
    FloorDiv(Box<AffineExpr>, Box<AffineExpr>),
    /// `a ceildiv b`
    CeilDiv(Box<AffineExpr>, Box<AffineExpr>),
}

/// `(d0, d1)[s0] -> (results)`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMap {
    /// Number of dimensions.
    pub n_dims: u32,
    /// Number of symbols.
    pub n_symbols: u32,
    /// Result expressions.
    pub results: Vec<AffineExpr>,
}

/// `(d0)[s0] : (constraints)`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSet {
    /// Number of dimensions.
    pub n_dims: u32,
    /// Number of symbols.
    pub n_symbols: u32,
    /// Each expression is `== 0` (true) or `>= 0` (false).
    pub constraints: Vec<(AffineExpr, bool)>,
}

use AffineExpr as E;

impl AffineExpr {
    /// Returns the value if the expression is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self {
            E::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns true if the expression contains no dimension.
    pub fn is_symbolic_or_constant(&self) -> bool {
        match self {
            E::Dim(_) => false,
            E::Symbol(_) | E::Constant(_) => true,
            E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
                a.is_symbolic_or_constant() && b.is_symbolic_or_constant()
            }
        }
    }

    /// Returns true if the expression is affine in dimensions and symbols: products, quotients and remainders have a constant on
    /// the right.
    pub fn is_pure_affine(&self) -> bool {
        match self {
            E::Dim(_) | E::Symbol(_) | E::Constant(_) => true,
            E::Add(a, b) => a.is_pure_affine() && b.is_pure_affine(),
            E::Mul(a, b) => {
                let constant = a.as_constant().is_some() || b.as_constant().is_some();
                constant && a.is_pure_affine() && b.is_pure_affine()
            }
            E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
                a.is_pure_affine() && b.as_constant().is_some()
            }
        }
    }

    /// Returns true if the expression contains dimension `dim`.
    pub fn uses_dim(&self, dim: u32) -> bool {
        match self {
            E::Dim(d) => *d == dim,
            E::Symbol(_) | E::Constant(_) => false,
            E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
                a.uses_dim(dim) || b.uses_dim(dim)
            }
        }
    }

    /// Returns the largest number that certainly divides every value of the expression; 0 for the constant 0.
    pub fn largest_known_divisor(&self) -> u64 {
        match self {
            E::Dim(_) | E::Symbol(_) => 1,
            E::Constant(value) => value.unsigned_abs(),
            E::Mul(a, b) => a
                .largest_known_divisor()
                .checked_mul(b.largest_known_divisor())
                .unwrap_or(1),
            E::Add(a, b) | E::Mod(a, b) => {
                gcd(a.largest_known_divisor(), b.largest_known_divisor())
            }
            E::FloorDiv(a, b) | E::CeilDiv(a, b) => match b.as_constant() {
                Some(divisor) if divisor != 0 => {
                    let known = a.largest_known_divisor();
                    if known.is_multiple_of(divisor.unsigned_abs()) {
                        known / divisor.unsigned_abs()
                    } else {
                        1
                    }
                }
                _ => 1,
            },
        }
    }

    /// Returns `self floordiv divisor`, simplified.
    pub fn floor_div(self, divisor: Self) -> Self {
        let Some(by) = divisor.as_constant().filter(|by| *by != 0) else {
            return E::FloorDiv(Box::new(self), Box::new(divisor));
        };
        match self {
            E::Constant(value) if (value, by) != (i64::MIN, -1) => {
                E::Constant(floor_div(value, by))
            }
            this if by == 1 => this,
            E::Mul(a, b)
                if b.as_constant()
                    .is_some_and(|factor| exact_div(factor, by).is_some()) =>
            {
                let factor = b.as_constant().and_then(|factor| exact_div(factor, by));
                *a * E::Constant(factor.expect("the guard checked it"))
            }
            E::Add(a, b)
                if a.largest_known_divisor().is_multiple_of(by.unsigned_abs())
                    || b.largest_known_divisor().is_multiple_of(by.unsigned_abs()) =>
            {
                a.floor_div(E::Constant(by)) + b.floor_div(E::Constant(by))
            }
            this => E::FloorDiv(Box::new(this), Box::new(divisor)),
        }
    }

    /// Returns `self ceildiv divisor`, simplified.
    pub fn ceil_div(self, divisor: Self) -> Self {
        let Some(by) = divisor.as_constant().filter(|by| *by != 0) else {
            return E::CeilDiv(Box::new(self), Box::new(divisor));
        };
        match self {
            E::Constant(value) if (value, by) != (i64::MIN, -1) => E::Constant(ceil_div(value, by)),
            this if by == 1 => this,
            E::Mul(a, b)
                if b.as_constant()
                    .is_some_and(|factor| exact_div(factor, by).is_some()) =>
            {
                let factor = b.as_constant().and_then(|factor| exact_div(factor, by));
                *a * E::Constant(factor.expect("the guard checked it"))
            }
            this => E::CeilDiv(Box::new(this), Box::new(divisor)),
        }
    }

    /// Returns `self mod divisor`, simplified.
    pub fn modulo(self, divisor: Self) -> Self {
        let Some(by) = divisor.as_constant().filter(|by| *by >= 1) else {
            return E::Mod(Box::new(self), Box::new(divisor));
        };
        if let E::Constant(value) = self {
            return E::Constant(value.rem_euclid(by));
        }
        if self
            .largest_known_divisor()
            .is_multiple_of(by.unsigned_abs())
        {
            return E::Constant(0);
        }
        match self {
            E::Add(a, b) if a.largest_known_divisor().is_multiple_of(by.unsigned_abs()) => {
                b.modulo(E::Constant(by))
            }
            E::Add(a, b) if b.largest_known_divisor().is_multiple_of(by.unsigned_abs()) => {
                a.modulo(E::Constant(by))
            }
            E::Mod(a, b)
                if b.as_constant()
                    .is_some_and(|inner| inner >= 1 && inner % by == 0) =>
            {
                a.modulo(E::Constant(by))
            }
            this => E::Mod(Box::new(this), Box::new(divisor)),
        }
    }

    /// Returns the value for given dimensions and symbols; `None` on division by zero, overflow or a missing operand.
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        let at = |values: &[i64], index: &u32| values.get(*index as usize).copied();
        let both =
            |a: &Self, b: &Self| Some((a.evaluate(dims, symbols)?, b.evaluate(dims, symbols)?));
        match self {
            E::Dim(index) => at(dims, index),
            E::Symbol(index) => at(symbols, index),
            E::Constant(value) => Some(*value),
            E::Add(a, b) => both(a, b).and_then(|(a, b)| a.checked_add(b)),
            E::Mul(a, b) => both(a, b).and_then(|(a, b)| a.checked_mul(b)),
            E::Mod(a, b) => {
                both(a, b).and_then(|(a, b)| if b < 1 { None } else { Some(a.rem_euclid(b)) })
            }
            E::FloorDiv(a, b) => both(a, b).and_then(|(a, b)| {
                if b == 0 || (a, b) == (i64::MIN, -1) {
                    None
                } else {
                    Some(floor_div(a, b))
                }
            }),
            E::CeilDiv(a, b) => both(a, b).and_then(|(a, b)| {
                if b == 0 || (a, b) == (i64::MIN, -1) {
                    None
                } else {
                    Some(ceil_div(a, b))
                }
            }),
        }
    }

    /// Returns the expression with dimensions and symbols replaced; those without a replacement are kept.
    pub fn substitute(&self, dims: &[Self], symbols: &[Self]) -> Self {
        let again = |e: &Self| e.substitute(dims, symbols);
        match self {
            E::Dim(index) => dims.get(*index as usize).unwrap_or(self).clone(),
            E::Symbol(index) => symbols.get(*index as usize).unwrap_or(self).clone(),
            E::Constant(_) => self.clone(),
            E::Add(a, b) => again(a) + again(b),
            E::Mul(a, b) => again(a) * again(b),
            E::Mod(a, b) => again(a).modulo(again(b)),
            E::FloorDiv(a, b) => again(a).floor_div(again(b)),
            E::CeilDiv(a, b) => again(a).ceil_div(again(b)),
        }
    }

    /// Writes the expression; `name` writes a dimension (false) or a symbol (true).
    ///
    /// `strong` puts sums, products and similar expressions into parentheses.
    pub fn write(
        &self,
        out: &mut dyn fmt::Write,
        name: &mut dyn FnMut(&mut dyn fmt::Write, u32, bool) -> fmt::Result,
        strong: bool,
    ) -> fmt::Result {
        let (spelling, a, b) = match self {
            E::Dim(index) => return name(out, *index, false),
            E::Symbol(index) => return name(out, *index, true),
            E::Constant(value) => return write!(out, "{value}"),
            E::Add(a, b) => (" + ", a, b),
            E::Mul(a, b) => (" * ", a, b),
            E::Mod(a, b) => (" mod ", a, b),
            E::FloorDiv(a, b) => (" floordiv ", a, b),
            E::CeilDiv(a, b) => (" ceildiv ", a, b),
        };
        if strong {
            out.write_char('(')?;
        }
        match (self, &**b) {
            (E::Mul(..), E::Constant(-1)) => {
                out.write_char('-')?;
                a.write(out, name, true)?;
            }
            (E::Add(..), E::Mul(c, d)) if matches!(**d, E::Constant(-1)) => {
                a.write(out, name, false)?;
                out.write_str(" - ")?;
                c.write(out, name, matches!(**c, E::Add(..)))?;
            }
            (E::Add(..), E::Mul(c, d)) if d.as_constant().is_some_and(|d| d < -1) => {
                a.write(out, name, false)?;
                out.write_str(" - ")?;
                c.write(out, name, true)?;
                write!(out, " * {}", d.as_constant().map_or(0, i64::unsigned_abs))?;
            }
            (E::Add(..), E::Constant(value)) if *value < 0 => {
                a.write(out, name, false)?;
                write!(out, " - {}", value.unsigned_abs())?;
            }
            _ => {
                let inner = !matches!(self, E::Add(..));
                a.write(out, name, inner)?;
                out.write_str(spelling)?;
                b.write(out, name, inner)?;
            }
        }
        if strong { out.write_char(')') } else { Ok(()) }
    }
}

impl Add for AffineExpr {
    type Output = Self;

    /// Adds and simplifies: constants go to the right, equal terms are merged, `e - q * (e floordiv q)` becomes `e mod q`.
    fn add(self, other: Self) -> Self {
        if let (E::Constant(a), E::Constant(b)) = (&self, &other) {
            return match a.checked_add(*b) {
                Some(sum) => E::Constant(sum),
                None => E::Add(Box::new(self), Box::new(other)),
            };
        }
        if matches!(self, E::Constant(_))
            || (self.is_symbolic_or_constant() && !other.is_symbolic_or_constant())
        {
            return other + self;
        }
        if other == E::Constant(0) {
            return self;
        }
        if let (E::Add(a, b), E::Constant(c)) = (&self, &other)
            && let Some(sum) = b.as_constant().and_then(|b| b.checked_add(*c))
        {
            return (**a).clone() + E::Constant(sum);
        }
        let (first, second) = (self.as_term(), other.as_term());
        if first.0 == second.0
            && let Some(factor) = first.1.checked_add(second.1)
        {
            return first.0.clone() * E::Constant(factor);
        }
        if let E::Add(a, b) = &self
            && b.as_constant().is_some()
            && other.as_constant().is_none()
        {
            return (**a).clone() + other + (**b).clone();
        }
        match remainder(&self, &other) {
            Some(divisor) => self.modulo(divisor),
            None => E::Add(Box::new(self), Box::new(other)),
        }
    }
}

impl Mul for AffineExpr {
    type Output = Self;

    /// Multiplies and simplifies: constants go to the right and are merged; factors 0 and 1 are removed.
    fn mul(self, other: Self) -> Self {
        if let (E::Constant(a), E::Constant(b)) = (&self, &other) {
            return match a.checked_mul(*b) {
                Some(product) => E::Constant(product),
                None => E::Mul(Box::new(self), Box::new(other)),
            };
        }
        let flexible = self.is_symbolic_or_constant() || other.is_symbolic_or_constant();
        if flexible && (!other.is_symbolic_or_constant() || matches!(self, E::Constant(_))) {
            return other * self;
        }
        match other {
            E::Constant(1) => return self,
            E::Constant(0) => return other,
            _ => {}
        }
        if let E::Mul(a, b) = &self
            && let Some(b) = b.as_constant()
        {
            return match other.as_constant() {
                None => ((**a).clone() * other) * E::Constant(b),
                Some(c) => match b.checked_mul(c) {
                    Some(product) => (**a).clone() * E::Constant(product),
                    None => E::Mul(Box::new(self), Box::new(other)),
                },
            };
        }
        E::Mul(Box::new(self), Box::new(other))
    }
}

impl Neg for AffineExpr {
    type Output = Self;

    fn neg(self) -> Self {
        self * E::Constant(-1)
    }
}

impl Sub for AffineExpr {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl From<i64> for AffineExpr {
    fn from(value: i64) -> Self {
        E::Constant(value)
    }
}

impl AffineExpr {
    /// Returns the expression as a multiple of another one.
    fn as_term(&self) -> (&Self, i64) {
        match self {
            E::Mul(a, b) => match **b {
                E::Constant(factor) => (a, factor),
                _ => (self, 1),
            },
            _ => (self, 1),
        }
    }
}

/// Returns `q` if `second` is `-q * (first floordiv q)`.
fn remainder(first: &AffineExpr, second: &AffineExpr) -> Option<AffineExpr> {
    let E::Mul(a, b) = second else { return None };
    match (&**a, &**b) {
        (E::Mul(quotient, q), E::Constant(-1)) => match &**quotient {
            E::FloorDiv(e, by) if **e == *first && by == q => Some((**q).clone()),
            _ => None,
        },
        (E::FloorDiv(e, by), E::Constant(factor)) => {
            let q = by
                .as_constant()
                .filter(|q| *q > 0 && factor.checked_neg() == Some(*q))?;
            (**e == *first).then_some(E::Constant(q))
        }
        _ => None,
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn exact_div(value: i64, by: i64) -> Option<i64> {
    (value.checked_rem(by)? == 0).then(|| value / by)
}

fn floor_div(value: i64, by: i64) -> i64 {
    let quotient = value / by;
    if value % by != 0 && (value < 0) != (by < 0) {
        quotient - 1
    } else {
        quotient
    }
}

fn ceil_div(value: i64, by: i64) -> i64 {
    let quotient = value / by;
    if value % by != 0 && (value < 0) == (by < 0) {
        quotient + 1
    } else {
        quotient
    }
}

fn plain_name(out: &mut dyn fmt::Write, index: u32, symbol: bool) -> fmt::Result {
    write!(out, "{}{index}", if symbol { 's' } else { 'd' })
}

impl fmt::Display for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &mut plain_name, false)
    }
}

impl AffineMap {
    /// Returns `() -> (value)`.
    pub fn constant(value: i64) -> Self {
        Self {
            n_dims: 0,
            n_symbols: 0,
            results: vec![E::Constant(value)],
        }
    }

    /// Returns `(d0, ..., dn) -> (d0, ..., dn)`.
    pub fn identity(n_dims: u32) -> Self {
        Self {
            n_dims,
            n_symbols: 0,
            results: (0..n_dims).map(E::Dim).collect(),
        }
    }

    /// Returns `()[s0] -> (s0)`.
    pub fn symbol_identity() -> Self {
        Self {
            n_dims: 0,
            n_symbols: 1,
            results: vec![E::Symbol(0)],
        }
    }

    /// Returns true if the results are exactly the dimensions, in order.
    pub fn is_identity(&self) -> bool {
        self.results.len() == self.n_dims as usize
            && self
                .results
                .iter()
                .zip(0..)
                .all(|(result, dim)| *result == E::Dim(dim))
    }

    /// Returns the result of a map with exactly one result, if that is constant.
    pub fn single_constant(&self) -> Option<i64> {
        match self.results.as_slice() {
            [only] => only.as_constant(),
            _ => None,
        }
    }

    /// Returns the number of dimensions and symbols.
    pub fn n_inputs(&self) -> usize {
        self.n_dims as usize + self.n_symbols as usize
    }

    /// Returns the results for given operands (dimensions, then symbols); `None` as for [`AffineExpr::evaluate`].
    pub fn evaluate(&self, operands: &[i64]) -> Option<Vec<i64>> {
        let (dims, symbols) = operands.split_at_checked(self.n_dims as usize)?;
        self.results
            .iter()
            .map(|result| result.evaluate(dims, symbols))
            .collect()
    }

    /// Returns this map applied to the results of `inner`; symbols of this map come before those of `inner`.
    ///
    /// # Panics
    /// If `inner` has fewer results than this map has dimensions.
    pub fn compose(&self, inner: &Self) -> Self {
        assert!(
            inner.results.len() >= self.n_dims as usize,
            "every dimension of the outer map gets a result"
        );
        let shifted: Vec<_> = (0..inner.n_symbols)
            .map(|i| E::Symbol(self.n_symbols + i))
            .collect();
        let dims: Vec<_> = inner
            .results
            .iter()
            .map(|result| result.substitute(&[], &shifted))
            .collect();
        Self {
            n_dims: inner.n_dims,
            n_symbols: self.n_symbols + inner.n_symbols,
            results: self
                .results
                .iter()
                .map(|result| result.substitute(&dims, &[]))
                .collect(),
        }
    }
}

/// Writes `(d0, d1)[s0]`.
fn write_inputs(f: &mut fmt::Formatter<'_>, n_dims: u32, n_symbols: u32) -> fmt::Result {
    let list = |letter: char, count: u32| {
        (0..count)
            .map(|i| format!("{letter}{i}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    write!(f, "({})", list('d', n_dims))?;
    if n_symbols > 0 {
        write!(f, "[{}]", list('s', n_symbols))?;
    }
    Ok(())
}

impl fmt::Display for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_inputs(f, self.n_dims, self.n_symbols)?;
        f.write_str(" -> (")?;
        for (i, result) in self.results.iter().enumerate() {
            write!(f, "{}{result}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

impl IntegerSet {
    /// Returns true if the operands (dimensions, then symbols) satisfy all constraints; `None` as for [`AffineExpr::evaluate`].
    pub fn contains(&self, operands: &[i64]) -> Option<bool> {
        let (dims, symbols) = operands.split_at_checked(self.n_dims as usize)?;
        for (expression, is_equality) in &self.constraints {
            let value = expression.evaluate(dims, symbols)?;
            if (*is_equality && value != 0) || value < 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns the number of dimensions and symbols.
    pub fn n_inputs(&self) -> usize {
        self.n_dims as usize + self.n_symbols as usize
    }
}

impl fmt::Display for IntegerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_inputs(f, self.n_dims, self.n_symbols)?;
        f.write_str(" : (")?;
        for (i, (expression, is_equality)) in self.constraints.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(
                f,
                "{comma}{expression} {} 0",
                if *is_equality { "==" } else { ">=" }
            )?;
        }
        f.write_str(")")
    }
}
