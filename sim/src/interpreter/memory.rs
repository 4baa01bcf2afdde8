//! Memories of the interpreter, and views of them.

use sluice_ir::affine::AffineMap;
use sluice_ir::bits::Bits;
use sluice_ir::exact::n_elements;
use sluice_ir::limits::Limit;
use sluice_ir::{Context, Type, TypeKind};

/// The value of a memref at run time: cells in row-major order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Size of each dimension.
    pub shape: Vec<u64>,
    /// One word per element; empty in a view.
    pub cells: Vec<Bits>,
    /// For a view: the memory that holds the elements.
    pub behind: Option<Behind>,
}

/// The memory of which a view shows a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behind {
    /// Its number.
    pub memory: usize,
    /// Maps indices of the view, and the symbols, to indices of that memory.
    pub map: AffineMap,
    /// Values of the map's symbols when the view was created.
    pub symbols: Vec<i64>,
}

impl Memory {
    /// Creates a memory of zeros for a memref type; `sizes` are the sizes of its dynamic dimensions.
    pub fn of_type(context: &Context, ty: Type, sizes: &[u64]) -> Option<Self> {
        let TypeKind::MemRef {
            shape,
            element,
            layout: None,
            ..
        } = ty.kind(context)
        else {
            return None;
        };
        let width = element.width_bits(context)?;
        let mut sizes = sizes.iter().copied();
        let shape: Option<Vec<u64>> = shape
            .iter()
            .map(|size| size.or_else(|| sizes.next()))
            .collect();
        let shape = shape?;
        let n_cells = n_elements(&shape).to_u64();
        let n_cells =
            n_cells.filter(|n| context.limits.check(Limit::SimulatedWords, *n).is_ok())?;
        let n_cells = usize::try_from(n_cells).ok()?;
        Some(Self {
            shape,
            cells: vec![Bits::zero(width); n_cells],
            behind: None,
        })
    }

    /// Returns all indices; the last dimension varies fastest.
    pub fn all_indices(&self) -> impl Iterator<Item = Vec<i64>> + use<> {
        let shape = self.shape.clone();
        let n = n_elements(&shape).to_u64().unwrap_or(u64::MAX);
        (0..n).map(move |mut rest| {
            let mut indices = vec![0; shape.len()];
            for (index, size) in indices.iter_mut().zip(&shape).rev() {
                *index = i64::try_from(rest % size).unwrap_or(i64::MAX);
                rest /= size;
            }
            indices
        })
    }

    /// Returns the position of the cell at these indices; `None` outside of the shape.
    pub fn position(&self, indices: &[i64]) -> Option<usize> {
        if indices.len() != self.shape.len() {
            return None;
        }
        let mut position = 0u64;
        for (index, size) in indices.iter().zip(&self.shape) {
            let index = u64::try_from(*index).ok().filter(|i| i < size)?;
            position = position * size + index;
        }
        usize::try_from(position).ok()
    }
}
