//! Affine expressions, maps and integer sets.

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
