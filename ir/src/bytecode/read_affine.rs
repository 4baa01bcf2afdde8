//! Reads affine maps, integer sets and strided layouts, which MLIR 24 and later store in binary. Before, they are text.

use super::builtin::DYNAMIC;
use super::encoding::{Cursor, Decoded};
use super::read::Reader;
use crate::affine::{AffineExpr, AffineMap, IntegerSet};
use crate::attributes::AttributeKind;

/// The most dimensions of an identity map. Memories have far less.
const MAX_IDENTITY_DIMENSIONS: u32 = 1 << 16;

/// The form of a map: the two lowest bits of its first number, below its number of dimensions.
mod form {
    /// `(d0, d1) -> (d0, d1)`
    pub(super) const IDENTITY: u64 = 0;
    /// `(d0, d1) -> (d1, d0)`: a dimension for each result.
    pub(super) const PERMUTATION: u64 = 1;
    /// `(d0, d1) -> (d1)`: a dimension for each of some results.
    pub(super) const PROJECTION: u64 = 2;
}

impl<'a> Reader<'a> {
    /// Reads an affine map.
    pub(super) fn affine_map(&mut self, cursor: &mut Cursor<'a>) -> Decoded<AttributeKind> {
        let start = cursor.at;
        let first = cursor.number()?;
        let n_dims = small(cursor, first >> 2)?;
        let form = first & 3;
        let dims = |cursor: &mut Cursor<'a>, count: usize| -> Decoded<Vec<AffineExpr>> {
            (0..count).map(|_| dimension(cursor)).collect()
        };
        let (n_symbols, results) = match form {
            form::IDENTITY => {
                // A few bytes must not become many results.
                if n_dims > MAX_IDENTITY_DIMENSIONS {
                    cursor.at = start;
                    let message = format!("more than {MAX_IDENTITY_DIMENSIONS} dimensions");
                    return Err(cursor.fault(message));
                }
                (0, (0..n_dims).map(AffineExpr::Dim).collect())
            }
            form::PERMUTATION => {
                let count = cursor.checked_count(u64::from(n_dims), "results", start)?;
                (0, dims(cursor, count)?)
            }
            form::PROJECTION => {
                let count = cursor.count("results")?;
                (0, dims(cursor, count)?)
            }
            _ => {
                let n_symbols = cursor.number()?;
                let n_symbols = small(cursor, n_symbols)?;
                let count = cursor.count("results")?;
                let results = (0..count).map(|_| self.affine_expression(cursor));
                (n_symbols, results.collect::<Decoded<Vec<_>>>()?)
            }
        };
        check(cursor, &results, n_dims, n_symbols)?;
        Ok(AttributeKind::AffineMap(AffineMap {
            n_dims,
            n_symbols,
            results,
        }))
    }

    /// Reads an integer set: its expressions, then a byte for each that is 1 for an equality.
    pub(super) fn integer_set(&mut self, cursor: &mut Cursor<'a>) -> Decoded<AttributeKind> {
        let n_dims = cursor.number()?;
        let n_dims = small(cursor, n_dims)?;
        let n_symbols = cursor.number()?;
        let n_symbols = small(cursor, n_symbols)?;
        let count = cursor.count("constraints")?;
        let parts = (0..count).map(|_| self.affine_expression(cursor));
        let parts = parts.collect::<Decoded<Vec<_>>>()?;
        check(cursor, &parts, n_dims, n_symbols)?;
        let mut constraints = Vec::with_capacity(count);
        for part in parts {
            constraints.push((part, cursor.byte()? != 0));
        }
        Ok(AttributeKind::IntegerSet(IntegerSet {
            n_dims,
            n_symbols,
            constraints,
        }))
    }

    fn affine_expression(&mut self, cursor: &mut Cursor<'a>) -> Decoded<AffineExpr> {
        let start = cursor.at;
        let operation = match cursor.number()? {
            0 => return dimension(cursor),
            1 => {
                let symbol = cursor.number()?;
                return Ok(AffineExpr::Symbol(small(cursor, symbol)?));
            }
            2 => return Ok(AffineExpr::Constant(cursor.signed()?)),
            3 => AffineExpr::Add,
            4 => AffineExpr::Mul,
            5 => AffineExpr::Mod,
            6 => AffineExpr::FloorDiv,
            7 => AffineExpr::CeilDiv,
            other => {
                cursor.at = start;
                let message = format!(
                    "unknown code of an affine expression: {other}{}",
                    self.origin()
                );
                return Err(cursor.fault(message));
            }
        };
        self.enter(cursor)?;
        let left = self.affine_expression(cursor)?;
        let right = self.affine_expression(cursor)?;
        self.depth -= 1;
        Ok(operation(Box::new(left), Box::new(right)))
    }
}

/// Reads a strided layout.
pub(super) fn strided_layout(cursor: &mut Cursor<'_>) -> Decoded<AttributeKind> {
    let known = |number: i64| (number != DYNAMIC).then_some(number);
    let offset = known(cursor.signed()?);
    let count = cursor.count("strides")?;
    let strides = (0..count).map(|_| cursor.signed().map(known));
    Ok(AttributeKind::StridedLayout {
        offset,
        strides: strides.collect::<Decoded<_>>()?,
    })
}

fn dimension(cursor: &mut Cursor<'_>) -> Decoded<AffineExpr> {
    let dimension = cursor.number()?;
    Ok(AffineExpr::Dim(small(cursor, dimension)?))
}

fn small(cursor: &Cursor<'_>, number: u64) -> Decoded<u32> {
    u32::try_from(number).map_err(|_| cursor.fault("expected a number below 2^32"))
}

/// Checks that expressions use only the dimensions and symbols that there are.
fn check(
    cursor: &Cursor<'_>,
    expressions: &[AffineExpr],
    n_dims: u32,
    n_symbols: u32,
) -> Decoded<()> {
    fn fits(expression: &AffineExpr, n_dims: u32, n_symbols: u32) -> bool {
        match expression {
            AffineExpr::Dim(dimension) => *dimension < n_dims,
            AffineExpr::Symbol(symbol) => *symbol < n_symbols,
            AffineExpr::Constant(_) => true,
            AffineExpr::Add(a, b)
            | AffineExpr::Mul(a, b)
            | AffineExpr::Mod(a, b)
            | AffineExpr::FloorDiv(a, b)
            | AffineExpr::CeilDiv(a, b) => fits(a, n_dims, n_symbols) && fits(b, n_dims, n_symbols),
        }
    }
    match expressions.iter().all(|e| fits(e, n_dims, n_symbols)) {
        true => Ok(()),
        false => {
            Err(cursor.fault("an affine expression of a dimension or symbol that is not there"))
        }
    }
}
