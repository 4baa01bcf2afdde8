//! Offsets and strides of memref types.

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::types::Dimension;
use sluice_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

/// The parts of a ranked memref type.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'c> {
    /// Sizes.
    pub(crate) shape: &'c [Dimension],
    /// Element type.
    pub(crate) element: Type,
    /// Layout other than the identity.
    pub(crate) layout: Option<Attribute>,
    /// Memory space.
    pub(crate) memory_space: Option<Attribute>,
}

/// Returns the parts of a ranked memref type; `None` for any other type.
pub(crate) fn parts(context: &Context, ty: Type) -> Option<Parts<'_>> {
    match ty.kind(context) {
        TypeKind::MemRef {
            shape,
            element,
            layout,
            memory_space,
        } => Some(Parts {
            shape,
            element: *element,
            layout: *layout,
            memory_space: *memory_space,
        }),
        _ => None,
    }
}

impl Parts<'_> {
    /// Returns the memref type of these parts.
    pub(crate) fn ty(self, context: &Context) -> Type {
        context.ty(TypeKind::MemRef {
            shape: self.shape.into(),
            element: self.element,
            layout: self.layout,
            memory_space: self.memory_space,
        })
    }

    /// Returns true if the layout is the identity: also for one dimension with stride 1.
    pub(crate) fn is_identity(self, context: &Context) -> bool {
        self.layout.is_none_or(|layout| {
            matches!(layout.kind(context), AttributeKind::StridedLayout { offset: Some(0), strides }
                if **strides == [Some(1)])
        })
    }

    /// Returns the number of dimensions.
    pub(crate) fn rank(self) -> usize {
        self.shape.len()
    }
}

/// Strides and offset in elements; `None` is a value that is only known at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strided {
    /// One stride for each dimension.
    pub strides: Vec<Option<i64>>,
    /// Offset of the first element.
    pub offset: Option<i64>,
}

impl Strided {
    /// Returns `strided<[...], offset: ...>`.
    pub(crate) fn layout(&self, context: &Context) -> Attribute {
        context.attribute(AttributeKind::StridedLayout {
            offset: self.offset,
            strides: self.strides.clone().into(),
        })
    }
}

/// Returns the sum, if both are known.
pub(crate) fn plus(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

/// Returns the product, if both are known or one is zero.
pub(crate) fn times(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        _ => a?.checked_mul(b?),
    }
}

/// Returns a size as a signed number.
pub(crate) fn size(dimension: Dimension) -> Option<i64> {
    dimension.and_then(|n| i64::try_from(n).ok())
}

/// Returns strides and offset of a memref type; `None` if its layout is not strided.
pub fn strided(context: &Context, ty: Type) -> Option<Strided> {
    let memref = parts(context, ty)?;
    let Some(layout) = memref.layout else {
        return Some(row_major(memref.shape));
    };
    match layout.kind(context) {
        AttributeKind::StridedLayout { offset, strides } => Some(Strided {
            strides: strides.to_vec(),
            offset: *offset,
        }),
        AttributeKind::AffineMap(map) => linear(map),
        _ => None,
    }
}

/// Returns the strides of consecutive elements, the last dimension innermost.
pub(crate) fn row_major(shape: &[Dimension]) -> Strided {
    let mut strides = vec![None; shape.len()];
    let mut stride = Some(1);
    for (i, dimension) in shape.iter().enumerate().rev() {
        strides[i] = stride;
        stride = times(stride, size(*dimension));
    }
    Strided {
        strides,
        offset: Some(0),
    }
}

/// Returns the strides of a map to one index that is a sum of multiples of the dimensions.
fn linear(map: &AffineMap) -> Option<Strided> {
    let [result] = map.results.as_slice() else {
        return None;
    };
    let mut found = Strided {
        strides: vec![Some(0); usize::try_from(map.n_dims).ok()?],
        offset: Some(0),
    };
    add_terms(result, Some(1), &mut found)?;
    // With a stride of 0, several indices would share a cell: that layout is not strided.
    (!found.strides.contains(&Some(0))).then_some(found)
}

fn add_terms(expression: &AffineExpr, factor: Option<i64>, found: &mut Strided) -> Option<()> {
    match expression {
        AffineExpr::Dim(dim) => {
            let stride = found.strides.get_mut(usize::try_from(*dim).ok()?)?;
            *stride = plus(*stride, factor);
        }
        AffineExpr::Add(a, b) => {
            add_terms(a, factor, found)?;
            add_terms(b, factor, found)?;
        }
        AffineExpr::Mul(a, b) if b.is_symbolic_or_constant() => {
            add_terms(a, times(factor, b.as_constant()), found)?;
        }
        AffineExpr::Mul(a, b) if a.is_symbolic_or_constant() => {
            add_terms(b, times(factor, a.as_constant()), found)?;
        }
        constant if constant.is_symbolic_or_constant() => {
            let term = times(factor, constant.as_constant());
            found.offset = plus(found.offset, term);
        }
        _ => return None,
    }
    Some(())
}

/// Returns the map of strides and offset to one index; unknown ones are symbols in order, the offset first.
pub(crate) fn linear_map(strided: &Strided) -> AffineMap {
    let mut n_symbols = 0;
    let mut factor = |known: Option<i64>| match known {
        Some(number) => AffineExpr::Constant(number),
        None => {
            n_symbols += 1;
            AffineExpr::Symbol(n_symbols - 1)
        }
    };
    let mut sum = factor(strided.offset);
    let mut n_dims = 0;
    for stride in &strided.strides {
        sum = sum + AffineExpr::Dim(n_dims) * factor(*stride);
        n_dims += 1;
    }
    AffineMap {
        n_dims,
        n_symbols,
        results: vec![sum],
    }
}
