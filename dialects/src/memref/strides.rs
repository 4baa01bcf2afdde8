//! Layouts as strides and offset, and the lists of indices that mix constants with values.

use sluice_ir::affine::AffineExpr;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, UnresolvedOperand};
use sluice_ir::{Attribute, AttributeKind, Context, Type, TypeKind, View};

/// A number that is not known before run time, in a static list.
pub(crate) const DYNAMIC: i64 = i64::MIN;

/// Strides and offset in elements; `None` is dynamic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) strides: Vec<Option<i64>>,
    pub(crate) offset: Option<i64>,
}

/// Strides and offset of a memref type; `None` if its layout is an affine map that is not the identity.
pub(crate) fn layout_of(context: &Context, ty: Type) -> Option<Layout> {
    let TypeKind::MemRef { shape, layout, .. } = ty.kind(context) else {
        return None;
    };
    match layout.map(|layout| layout.kind(context)) {
        None => Some(Layout {
            strides: row_major(&signed(shape)),
            offset: Some(0),
        }),
        Some(AttributeKind::StridedLayout { offset, strides }) => Some(Layout {
            strides: strides.to_vec(),
            offset: *offset,
        }),
        Some(AttributeKind::AffineMap(map)) => match map.results.as_slice() {
            [only] => linear(only, shape.len()),
            _ => None,
        },
        Some(_) => None,
    }
}

/// A linear expression as strides and offset; what has symbols is dynamic.
fn linear(expr: &AffineExpr, rank: usize) -> Option<Layout> {
    let constant = |offset| Layout {
        strides: vec![Some(0); rank],
        offset,
    };
    match expr {
        AffineExpr::Constant(value) => Some(constant(Some(*value))),
        AffineExpr::Symbol(_) => Some(constant(None)),
        AffineExpr::Dim(dim) => {
            let mut layout = constant(Some(0));
            *layout.strides.get_mut(*dim as usize)? = Some(1);
            Some(layout)
        }
        AffineExpr::Add(a, b) => {
            let (a, b) = (linear(a, rank)?, linear(b, rank)?);
            let strides = a.strides.iter().zip(&b.strides);
            Some(Layout {
                strides: strides.map(|(a, b)| plus(*a, *b)).collect(),
                offset: plus(a.offset, b.offset),
            })
        }
        AffineExpr::Mul(a, b) => {
            let (a, b) = (linear(a, rank)?, linear(b, rank)?);
            let is_free = |l: &Layout| l.strides.iter().all(|s| *s == Some(0));
            let (of, by) = match (is_free(&a), is_free(&b)) {
                (_, true) => (a, b.offset),
                (true, false) => (b, a.offset),
                (false, false) => return None,
            };
            let scaled = |value: Option<i64>| match value {
                Some(0) => Some(0),
                value => times(value, by),
            };
            Some(Layout {
                strides: of.strides.iter().map(|s| scaled(*s)).collect(),
                offset: scaled(of.offset),
            })
        }
        AffineExpr::Mod(..) | AffineExpr::FloorDiv(..) | AffineExpr::CeilDiv(..) => {
            expr.is_symbolic_or_constant().then(|| constant(None))
        }
    }
}

/// Sizes as signed numbers.
pub(crate) fn signed(shape: &[Option<u64>]) -> Vec<Option<i64>> {
    shape
        .iter()
        .map(|size| size.and_then(|size| i64::try_from(size).ok()))
        .collect()
}

/// The strides of a dense memory, last dimension fastest.
pub(crate) fn row_major(shape: &[Option<i64>]) -> Vec<Option<i64>> {
    let mut strides = vec![Some(1); shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = times(strides[i], shape[i]);
    }
    strides
}

pub(crate) fn times(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_mul(b?)
}

pub(crate) fn plus(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

/// The memref type with this layout; the identity is left out.
pub(crate) fn memref_type(
    context: &Context,
    like: Type,
    shape: &[Option<i64>],
    layout: &Layout,
) -> Type {
    let (element, memory_space) = match like.kind(context) {
        TypeKind::MemRef {
            element,
            memory_space,
            ..
        } => (*element, *memory_space),
        _ => (like, None),
    };
    let is_identity = layout.offset == Some(0) && layout.strides == row_major(shape);
    let strided = context.attribute(AttributeKind::StridedLayout {
        offset: layout.offset,
        strides: layout.strides.clone().into(),
    });
    context.ty(TypeKind::MemRef {
        shape: shape
            .iter()
            .map(|size| size.and_then(|size| u64::try_from(size).ok()))
            .collect(),
        element,
        layout: (!is_identity || layout.strides.contains(&None)).then_some(strided),
        memory_space,
    })
}

/// The static part of a mixed list: `None` where a value stands.
pub(crate) fn static_list(view: View<'_>, name: &str) -> Vec<Option<i64>> {
    let list = view
        .attribute(name)
        .and_then(|a| a.as_dense_array_i64(view.context))
        .unwrap_or_default();
    list.into_iter()
        .map(|value| (value != DYNAMIC).then_some(value))
        .collect()
}

/// `[0, %i, 4]`: the static part as an attribute, and the values.
pub(crate) fn parse_mixed(
    parser: &mut Parser<'_>,
) -> ParseResult<(Attribute, Vec<UnresolvedOperand>)> {
    parse_mixed_between(parser, Delimiter::Square)
}

/// As [`parse_mixed`], between other brackets.
pub(crate) fn parse_mixed_between(
    parser: &mut Parser<'_>,
    delimiter: Delimiter,
) -> ParseResult<(Attribute, Vec<UnresolvedOperand>)> {
    let (mut numbers, mut values) = (Vec::new(), Vec::new());
    parser.parse_comma_separated(delimiter, |parser| {
        match parser.parse_optional_operand()? {
            Some(value) => {
                values.push(value);
                numbers.push(DYNAMIC);
            }
            None => match parser.parse_optional_integer()? {
                Some(number) => numbers.push(number),
                None => return Err(parser.error_here("expected SSA value or integer")),
            },
        }
        Ok(())
    })?;
    Ok((parser.context().dense_i64_array(&numbers), values))
}

/// Prints the elements of a mixed list, without brackets.
pub(crate) fn print_mixed(printer: &mut Printer<'_>, view: View<'_>, name: &str, group: usize) {
    let values = view.operand_group(group);
    let mut values = values.iter();
    printer.comma_separated(static_list(view, name), |printer, number| {
        match (number, values.next_if_needed(number)) {
            (Some(number), _) => printer.text(&number.to_string()),
            (None, Some(value)) => printer.operand(*value),
            (None, None) => printer.text("?"),
        }
    });
}

/// The next value where a number is missing.
trait NextIfNeeded: Iterator {
    fn next_if_needed(&mut self, number: Option<i64>) -> Option<Self::Item>;
}

impl<I: Iterator> NextIfNeeded for I {
    fn next_if_needed(&mut self, number: Option<i64>) -> Option<Self::Item> {
        match number {
            Some(_) => None,
            None => self.next(),
        }
    }
}

/// Resolves all values of mixed lists as `index`.
pub(crate) fn resolve_indices(
    parser: &mut Parser<'_>,
    values: &[UnresolvedOperand],
    state: &mut OperationState,
) -> ParseResult<()> {
    let index = parser.context().index_type();
    parser.resolve_operands_of_type(values, index, state)
}

/// Whether a mixed list has as many values as it has places for them; the message if not.
pub(crate) fn check_mixed(view: View<'_>, what: &str, name: &str, group: usize) -> Option<String> {
    let wanted = static_list(view, name)
        .iter()
        .filter(|n| n.is_none())
        .count();
    let found = view.operand_group(group).len();
    (wanted != found).then(|| format!("expected {wanted} dynamic {what} values"))
}
