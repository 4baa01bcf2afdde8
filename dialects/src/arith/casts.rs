//! Rules for the types of arith casts.

use sluice_ir::text::print_type;
use sluice_ir::{Context, Diagnostics, Type, TypeKind, View};

/// Returns the type of the elements of a vector, tensor or memref; any other type itself.
fn scalar(context: &Context, ty: Type) -> Type {
    ty.element_type(context).unwrap_or(ty)
}

/// Returns true unless a tensor is cast to one of different known rank or sizes; other types have no such rule.
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

/// Returns true if the types have the same encoding, if they are ranked tensors.
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
        let operands: Vec<String> = view
            .operand_types()
            .map(|ty| format!("'{}'", print_type(context, ty)))
            .collect();
        let message = format!(
            "'{}' op operand type{} {} and result type '{}' are cast incompatible",
            view.name(),
            if operands.len() > 1 { "s" } else { "" },
            operands.join(", "),
            print_type(context, to)
        );
        diagnostics.error(view.location(), message);
    }
}

/// Checks that the result type is wider.
pub(super) fn verify_extension(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from.width_bits(context) < to.width_bits(context)
    });
}

/// Checks that the result type is narrower.
pub(super) fn verify_truncation(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from.width_bits(context) > to.width_bits(context)
    });
}

/// Checks that the result type is another one of the same width.
pub(super) fn verify_other_format(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from != to && from.width_bits(context) == to.width_bits(context)
    });
}

/// Checks that the cast is between `index` and integers.
pub(crate) fn verify_index_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        from.is_index(context) != to.is_index(context)
    });
}

/// Checks that both types have the same width.
pub(super) fn verify_bitcast(view: View<'_>, diagnostics: &mut Diagnostics) {
    check(view, diagnostics, |context, from, to| {
        let width = |ty: Type| match ty.kind(context) {
            TypeKind::Index => None,
            _ => ty.width_bits(context),
        };
        width(from).is_some() && width(from) == width(to)
    });
}
