//! Index maps of memory views: for each index of a view, the cell of the viewed memory.

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::types::Dimension;
use sluice_ir::{Exact, ValueId, View};

use super::reassociation::groups;
use super::strided::{parts, row_major, size, strided};
use super::subview::{dropped_dimensions, part_type};
use super::views::{permutation, permuted};
use crate::index_lists::{known, numbers};

/// A view of a memory through other indices.
#[derive(Clone, Debug)]
pub struct Window {
    /// The viewed memory, which may be a window itself.
    pub source: ValueId,
    /// Map from the indices and the `symbols` to the indices of the viewed memory.
    pub map: AffineMap,
    /// Values that are only known at run time.
    pub symbols: Vec<ValueId>,
    /// Sizes of its dimensions.
    pub sizes: Vec<Extent>,
}

/// A known number, or a value at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// A known number.
    Known(i64),
    /// A value at run time.
    Value(ValueId),
}

/// The operations that [`window`] supports.
pub const WINDOWS: &[&str] = &[
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
];

/// Returns the window of a view; `None` for other operations, and if required sizes are unknown.
pub fn window(view: View<'_>) -> Option<Window> {
    match view.name() {
        "memref.subview" => subview(view),
        "memref.reinterpret_cast" => reinterpret_cast(view),
        "memref.transpose" => transpose(view),
        "memref.collapse_shape" => collapse_shape(view),
        "memref.expand_shape" => expand_shape(view),
        _ => None,
    }
}

/// Returns a window whose map has no run-time values.
fn without_symbols(view: View<'_>, n_dims: usize, results: Vec<AffineExpr>) -> Option<Window> {
    let shape = view.ty(view.result(0)).static_shape(view.context)?;
    let sizes = shape.into_iter().map(|n| i64::try_from(n).ok());
    Some(Window {
        source: view.operand(0),
        map: AffineMap {
            n_dims: u32::try_from(n_dims).ok()?,
            n_symbols: 0,
            results,
        },
        symbols: Vec::new(),
        sizes: sizes.map(|n| n.map(Extent::Known)).collect::<Option<_>>()?,
    })
}

fn dim(dimension: usize) -> Option<AffineExpr> {
    Some(AffineExpr::Dim(u32::try_from(dimension).ok()?))
}

/// Returns the entries of one list of an operation: numbers from an attribute, and values from an operand group where the
/// attribute is dynamic.
pub fn extents(view: View<'_>, attribute: &str, group: usize) -> Option<Vec<Extent>> {
    let mut values = view.operand_group(group).into_iter();
    numbers(view, attribute)
        .into_iter()
        .map(|number| match known(number) {
            Some(number) => Some(Extent::Known(number)),
            None => values.next().map(Extent::Value),
        })
        .collect()
}

/// Returns an entry as an expression; a value becomes one of the symbols.
fn expression(extent: Extent, symbols: &mut Vec<ValueId>) -> Option<AffineExpr> {
    match extent {
        Extent::Known(number) => Some(AffineExpr::Constant(number)),
        Extent::Value(value) => {
            let symbol = u32::try_from(symbols.len()).ok()?;
            symbols.push(value);
            Some(AffineExpr::Symbol(symbol))
        }
    }
}

fn subview(view: View<'_>) -> Option<Window> {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let offsets = extents(view, "static_offsets", 1)?;
    let sizes = extents(view, "static_sizes", 2)?;
    let strides = extents(view, "static_strides", 3)?;
    let lists =
        ["static_offsets", "static_sizes", "static_strides"].map(|name| numbers(view, name));
    let whole = part_type(context, from, &lists)?;
    let rank = parts(context, to)?.rank();
    let dropped = dropped_dimensions(
        &lists[1],
        &strided(context, whole)?,
        &strided(context, to)?,
        rank,
    )?;
    let mut symbols = Vec::new();
    let mut results = Vec::new();
    let mut kept = Vec::new();
    for (dimension, dropped) in dropped.iter().enumerate() {
        let offset = expression(offsets[dimension], &mut symbols)?;
        results.push(if *dropped {
            offset
        } else {
            let stride = expression(strides[dimension], &mut symbols)?;
            let index = dim(kept.len())?;
            kept.push(sizes[dimension]);
            index * stride + offset
        });
    }
    Some(Window {
        source: view.operand(0),
        map: AffineMap {
            n_dims: u32::try_from(kept.len()).ok()?,
            n_symbols: u32::try_from(symbols.len()).ok()?,
            results,
        },
        symbols,
        sizes: kept,
    })
}

/// Returns the indices in a row-major memory of the cell with this linear index.
fn delinearize(cell: &AffineExpr, shape: &[i64]) -> Option<Vec<AffineExpr>> {
    let mut results = Vec::new();
    let mut stride = Exact::ONE;
    for (dimension, size) in shape.iter().enumerate().rev() {
        let above = cell.clone().floor_div(stride.to_i64()?.into());
        stride = stride.times(size);
        // The first index has no dimension above it, so it needs no remainder.
        results.push(match dimension {
            0 => above,
            _ => above.modulo((*size).into()),
        });
    }
    results.reverse();
    Some(results)
}

/// Returns the window of a reinterpret cast. Offset and strides count cells of the whole memory, so the memory must be
/// contiguous.
fn reinterpret_cast(view: View<'_>) -> Option<Window> {
    let source = parts(view.context, view.ty(view.operand(0)))?;
    let shape: Vec<i64> = source
        .shape
        .iter()
        .map(|n| size(*n).filter(|n| *n > 0))
        .collect::<Option<_>>()
        .filter(|_| source.layout.is_none())?;
    let sizes = extents(view, "static_sizes", 2)?;
    let mut symbols = Vec::new();
    let offset = *extents(view, "static_offsets", 1)?.first()?;
    let mut cell = expression(offset, &mut symbols)?;
    for (dimension, stride) in extents(view, "static_strides", 3)?.into_iter().enumerate() {
        cell = cell + dim(dimension)? * expression(stride, &mut symbols)?;
    }
    Some(Window {
        source: view.operand(0),
        map: AffineMap {
            n_dims: u32::try_from(sizes.len()).ok()?,
            n_symbols: u32::try_from(symbols.len()).ok()?,
            results: delinearize(&cell, &shape)?,
        },
        symbols,
        sizes,
    })
}

fn transpose(view: View<'_>) -> Option<Window> {
    let order = permuted(permutation(view)?)?;
    let results = (0..order.len())
        .map(|source| dim(order.iter().position(|from| *from == source)?))
        .collect::<Option<_>>()?;
    without_symbols(view, order.len(), results)
}

fn known_sizes(shape: &[Dimension]) -> Option<Vec<i64>> {
    shape
        .iter()
        .map(|n| size(*n).filter(|n| *n > 0))
        .collect::<Option<_>>()
}

fn collapse_shape(view: View<'_>) -> Option<Window> {
    let source = known_sizes(parts(view.context, view.ty(view.operand(0)))?.shape)?;
    let groups = groups(view);
    let mut results = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let sizes: Vec<i64> = group
            .iter()
            .map(|d| source.get(*d).copied())
            .collect::<Option<_>>()?;
        results.extend(delinearize(&dim(index)?, &sizes)?);
    }
    // All dimensions of size 1 may be absent.
    results.resize(source.len(), AffineExpr::Constant(0));
    without_symbols(view, groups.len(), results)
}

fn expand_shape(view: View<'_>) -> Option<Window> {
    let result = parts(view.context, view.ty(view.result(0)))?.shape;
    let sizes = known_sizes(result)?;
    let mut results = Vec::new();
    for group in groups(view) {
        let inside: Vec<Dimension> = group
            .iter()
            .map(|d| result.get(*d).copied())
            .collect::<Option<_>>()?;
        let mut cell = AffineExpr::Constant(0);
        for (dimension, stride) in group.iter().zip(row_major(&inside).strides) {
            cell = cell + dim(*dimension)? * AffineExpr::Constant(stride?);
        }
        results.push(cell);
    }
    without_symbols(view, sizes.len(), results)
}
