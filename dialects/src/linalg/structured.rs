//! Loops and subscripts of structured operations: one loop for each dimension, one affine map from the loops to the subscripts of
//! each operand.
//!
//! Source: MLIR, "Linalg Dialect", section "Properties" of structured operations.

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::types::Dimension;
use sluice_ir::{AttributeKind, Context, Type, TypeKind, View};

use super::enums::ITERATOR_TYPES;
use super::named;
use super::{Broadcast, Generic, Index, Map, Reduce, Transpose, Yield};

/// The loops of a structured operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structured {
    /// For each operand, its subscripts as functions of the loops. A scalar operand has a map without results.
    pub maps: Vec<AffineMap>,
    /// For each loop from the outermost, whether it is a reduction.
    pub reductions: Vec<bool>,
    /// For each loop, its name: that of the dimension, as `m`, or the one in affine maps, as `d0`.
    pub names: Vec<String>,
    /// The number of operands that are only read; the others are written.
    pub n_inputs: usize,
}

/// Returns true for operations with loops over their operands: all of the dialect but those in their regions.
pub fn is_structured(view: View<'_>) -> bool {
    let name = view.name();
    name.starts_with("linalg.") && name != Index::NAME && name != Yield::NAME
}

impl Structured {
    /// Returns the loops of a structured operation; `None` for any other operation, and if its attributes do not fit.
    pub fn of(view: View<'_>) -> Option<Self> {
        let context = view.context;
        let n_inputs = n_inputs(view)?;
        let (maps, reductions) = match view.name() {
            Generic::NAME => {
                let maps = listed_maps(view)?;
                let kinds = view.attribute("iterator_types")?.as_array(context)?;
                let kinds = kinds.iter().map(|kind| {
                    let kind = ITERATOR_TYPES.value(context, *kind)?;
                    Some(ITERATOR_TYPES.keywords(kind)? != "parallel")
                });
                (maps, kinds.collect::<Option<Vec<_>>>()?)
            }
            Map::NAME => {
                let rank = rank(context, view.operand_types().last()?)?;
                let map = AffineMap::identity(rank);
                let maps = vec![map; view.operands().len()];
                (maps, parallel(rank))
            }
            Transpose::NAME => {
                let permutation = numbers(view, "permutation")?;
                let rank = u32::try_from(permutation.len()).ok()?;
                let mut results = vec![None; permutation.len()];
                for (to, from) in permutation.iter().enumerate() {
                    *results.get_mut(*from)? = Some(AffineExpr::Dim(u32::try_from(to).ok()?));
                }
                let input = map_of(rank, results.into_iter().collect::<Option<_>>()?);
                (vec![input, AffineMap::identity(rank)], parallel(rank))
            }
            Broadcast::NAME => {
                let added = numbers(view, "dimensions")?;
                let rank = rank(context, view.operand_types().last()?)?;
                let input = map_of(rank, dims_without(rank, &added));
                (vec![input, AffineMap::identity(rank)], parallel(rank))
            }
            Reduce::NAME => {
                let reduced = numbers(view, "dimensions")?;
                let rank = rank(context, view.operand_types().next()?)?;
                let output = map_of(rank, dims_without(rank, &reduced));
                let mut maps = vec![AffineMap::identity(rank); n_inputs];
                maps.extend(vec![output; view.operands().len() - n_inputs]);
                let is_reduced = |dim: u32| reduced.contains(&(dim as usize));
                (maps, (0..rank).map(is_reduced).collect())
            }
            _ => named::loops(view)?,
        };
        let n_loops = u32::try_from(reductions.len()).ok()?;
        let fits = maps.len() == view.operands().len()
            && maps
                .iter()
                .all(|map| map.n_dims == n_loops && map.n_symbols == 0);
        fits.then(|| Self {
            names: named::loop_names(view.name(), reductions.len()),
            maps,
            reductions,
            n_inputs,
        })
    }

    /// Returns the size of each loop, where the shapes of the operands give it: the size of the first dimension that a loop
    /// alone subscripts. `None` for a loop that no dimension has as its subscript.
    pub fn extents(&self, view: View<'_>) -> Vec<Option<(usize, usize, Dimension)>> {
        let dim_of = |expr: &AffineExpr| match expr {
            AffineExpr::Dim(dim) => Some(*dim as usize),
            _ => None,
        };
        let mut extents = vec![None; self.reductions.len()];
        for (operand, (map, ty)) in self.maps.iter().zip(view.operand_types()).enumerate() {
            let shape = shape(view.context, ty).unwrap_or_default();
            for (position, (expr, size)) in map.results.iter().zip(shape).enumerate() {
                if let Some(extent) = dim_of(expr).and_then(|dim| extents.get_mut(dim))
                    && extent.is_none()
                {
                    *extent = Some((operand, position, *size));
                }
            }
        }
        extents
    }
}

/// Returns the maps that an operation lists in `indexing_maps`.
pub(super) fn listed_maps(view: View<'_>) -> Option<Vec<AffineMap>> {
    let maps = view.attribute("indexing_maps")?.as_array(view.context)?;
    let maps = maps.iter().map(|map| map.as_affine_map(view.context));
    maps.map(Option::<&AffineMap>::cloned).collect()
}

/// Returns the number of operands in the first group.
pub(super) fn n_inputs(view: View<'_>) -> Option<usize> {
    view.operand_group_sizes()?.first().copied()
}

/// Returns the sizes of a memref or tensor; none for a scalar.
pub(crate) fn shape(context: &Context, ty: Type) -> Option<&[Dimension]> {
    match ty.kind(context) {
        TypeKind::MemRef { shape, .. } | TypeKind::RankedTensor { shape, .. } => Some(shape),
        TypeKind::UnrankedMemRef { .. } | TypeKind::UnrankedTensor(_) => None,
        _ => Some(&[]),
    }
}

/// Returns the sizes of a memref or tensor.
pub fn sizes(context: &Context, ty: Type) -> Option<Vec<Dimension>> {
    shape(context, ty).map(<[Dimension]>::to_vec)
}

/// Returns the number of dimensions of an operand.
pub(super) fn rank(context: &Context, ty: Type) -> Option<u32> {
    u32::try_from(shape(context, ty)?.len()).ok()
}

/// Returns the type of the words of an operand, which the region of the operation gets.
pub fn word_type(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::MemRef { element, .. } | TypeKind::RankedTensor { element, .. } => *element,
        _ => ty,
    }
}

/// Returns the numbers of an attribute `array<i64: ...>`; `None` if one is negative.
pub(super) fn numbers(view: View<'_>, name: &str) -> Option<Vec<usize>> {
    let numbers = view.attribute(name)?.as_dense_array_i64(view.context)?;
    let numbers = numbers
        .into_iter()
        .map(|number| usize::try_from(number).ok());
    numbers.collect()
}

/// Returns the elements of an attribute `dense<...> : tensor<nxi64>`, or 1 for each of `n` where it is not given.
pub(super) fn distances(view: View<'_>, name: &str, n: usize) -> Option<Vec<i64>> {
    let Some(attribute) = view.attribute(name) else {
        return Some(vec![1; n]);
    };
    let AttributeKind::DenseElements { values, splat, .. } = attribute.kind(view.context) else {
        return None;
    };
    let value = |i: usize| values.get(if *splat { 0 } else { i })?.to_i64();
    (0..n).map(value).collect()
}

/// Returns `rank` loops without reductions.
pub(super) fn parallel(rank: u32) -> Vec<bool> {
    vec![false; rank as usize]
}

/// Returns a map of `n_dims` loops.
pub(super) fn map_of(n_dims: u32, results: Vec<AffineExpr>) -> AffineMap {
    AffineMap {
        n_dims,
        n_symbols: 0,
        results,
    }
}

fn dims_without(rank: u32, left_out: &[usize]) -> Vec<AffineExpr> {
    let kept = (0..rank).filter(|dim| !left_out.contains(&(*dim as usize)));
    kept.map(AffineExpr::Dim).collect()
}
