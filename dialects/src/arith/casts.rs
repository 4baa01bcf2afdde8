//! Which types the casts of arith go between.

use sluice_ir::text::print_type;
use sluice_ir::{Context, Diagnostics, Type, TypeKind, View};

/// Returns the type of the elements of a vector, tensor or memref; any other type itself.
fn scalar(context: &Context, ty: Type) -> Type {
    ty.element_type(context).unwrap_or(ty)
}

/// Tensors are cast to tensors of the same known rank and sizes; other types have no such rule.
pub(super) fn same_tensor_dimensions(view: View<'_>) -> bool {
    let context = view.context;
    let types = [view.operand(0), view.result(0)].map(|value| view.ty(value).kind(context));
    match types {
        [
            TypeKind::RankedTensor { shape: from, .. },
            TypeKind::RankedTensor { shape: to, .. },
        ] => from == to,
        types => !types.iter().any(|ty| {
            matches!(
                ty,
                TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
            )
        }),
    }
}

/// Returns true if the types, if they are ranked tensors, are encoded alike.
fn same_encoding(context: &Context, from: Type, to: Type) -> bool {
    match (from.kind(context), to.kind(context)) {
        (
            TypeKind::RankedTensor { encoding: a, .. },
            TypeKind::RankedTensor { encoding: b, .. },
        ) => a == b,
        _ => true,
    }
}

fn check(
    view: View<'_>,
    diagnostics: &mut Diagnostics,
    fits: impl Fn(&Context, Type, Type) -> bool,
) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if !same_encoding(context, from, to)
        || !fits(context, scalar(context, from), scalar(context, to))
    {
        let message = format!(
            "'{}' op operand type '{}' and result type '{}' are cast incompatible",
            view.name(),
            print_type(context, from),
            print_type(context, to)
        );
        diagnostics.error(view.location(), message);
    }
}

/// To a wider type.
pub(super) fn verify_extension(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from.width_bits(context) < to.width_bits(context)
    });
}

/// To a narrower type.
pub(super) fn verify_truncation(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from.width_bits(context) > to.width_bits(context)
    });
}

/// Between `index` and integers.
pub(crate) fn verify_index_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from.is_index(context) != to.is_index(context)
    });
}

/// Between numbers of one width.
pub(super) fn verify_bitcast(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        let width = |ty: Type| match ty.kind(context) {
            TypeKind::Index => None,
            _ => ty.width_bits(context),
        };
        width(from).is_some() && width(from) == width(to)
    });
}
