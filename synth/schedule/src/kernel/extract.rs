//! Queries on the synthesis form: kind, name and operator class of an operation.

use sluice_dialects::{arith, builtin, memref, scf, sluice, synthesis_form::guarded_division};
use sluice_ir::{Body, Context, Exact, OperationId, ValueId, View};
use sluice_oplib::class::OperatorClass;

use super::wiring::is_wiring;

pub(crate) use sluice_dialects::synthesis_form::{
    Multiplier, guarded_access, is_compound, is_free, is_guard, multiplier,
};

/// Returns the trip count, if it is known.
pub(crate) fn trip_count(view: View<'_>) -> Option<Exact> {
    view.attribute(sluice::TRIP_COUNT)?.as_exact(view.context)
}

/// Returns true if an operation is a load or a store.
pub(crate) fn is_access(view: View<'_>) -> bool {
    matches!(view.name(), memref::Load::NAME | memref::Store::NAME)
}

fn place(view: View<'_>) -> String {
    match view.location().file_line_column(view.context) {
        Some((file, line, _)) => format!(" {file}:{line}"),
        None => String::new(),
    }
}

/// Returns a title such as `%sum = arith.addi kernel.mlir:12`.
pub(crate) fn title(context: &Context, body: &Body, op: OperationId) -> String {
    let view = View::new(context, body, op);
    let shown = match guarded_access(view).or_else(|| guarded_division(view)) {
        Some(access) => view.at(access),
        None => view,
    };
    let name = shown
        .results()
        .first()
        .and_then(|r| body.value_name(*r))
        .map(|n| context.text(n));
    let class = sluice::float_class(shown);
    match (name, class.as_deref().unwrap_or(shown.name())) {
        (Some(name), operation) => format!("%{name} = {operation}{}", place(shown)),
        (None, scf::For::NAME) => {
            let variable = view
                .entry_block(0)
                .and_then(|b| body.arguments(b).first().copied());
            let variable = variable
                .and_then(|v| body.value_name(v))
                .map_or("i", |n| context.text(n));
            format!("%{variable} = scf.for{}", place(shown))
        }
        (None, builtin::UnrealizedConversionCast::NAME) => {
            let copied = view.operands().next().and_then(|v| body.value_name(v));
            let copied = copied.map_or("value", |name| context.text(name));
            format!("copy(%{copied}){}", place(shown))
        }
        (None, operation) => format!("{operation}{}", place(shown)),
    }
}

/// Returns true if a value is a constant.
pub(crate) fn is_constant(context: &Context, body: &Body, value: ValueId) -> bool {
    body.defining_operation(value)
        .is_some_and(|op| context.operation_text(body.name(op)) == arith::Constant::NAME)
}

/// Returns the class and the width of a simple operation; `None` if there is no hardware for it.
pub(crate) fn class_of(view: View<'_>) -> Option<(OperatorClass, u32)> {
    let (context, body) = (view.context, view.body);
    if view.name() == builtin::UnrealizedConversionCast::NAME {
        let width = view.ty(view.result(0)).integer_width_bits(context)?;
        return Some((OperatorClass::Wire, width));
    }
    let is_constant = |value| is_constant(context, body, value);
    let (mut class, measured) = OperatorClass::measured(view, is_constant)?;
    if is_wiring(view) {
        class = OperatorClass::Wire;
    }
    let width_bits = view.ty(measured).integer_width_bits(context)?;
    // A product of extended values costs as much as one of values as wide as the factors.
    let factors = multiplier(view).map(Multiplier::wider_bits);
    Some((class, factors.unwrap_or(width_bits)))
}

/// Returns words and bits per word of a memory.
pub(crate) fn memory_shape(context: &Context, body: &Body, memory: ValueId) -> (u32, u32) {
    let ty = body.ty(memory);
    let words = ty.n_elements(context).unwrap_or_default();
    let width = ty
        .element_type(context)
        .and_then(|e| e.integer_width_bits(context))
        .unwrap_or(1);
    (words.to_u32().unwrap_or(u32::MAX), width)
}

/// Returns true if a load or store has an address that is a constant.
pub(crate) fn has_constant_address(access: View<'_>) -> bool {
    sluice_dialects::storage::constant_address(access).is_some()
}
