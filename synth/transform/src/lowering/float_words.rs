//! `float-words`: gives floats the integer type of their width, and float operations the form `sluice.float`.
//!
//! A float operation is one whose meaning is a single float operator, so any dialect's operation counts. Selections, memories and
//! loops move words, and need only other types.

use sluice_dialects::{arith, sluice};
use sluice_ir::algebra::{FloatFormat, FloatOp, TermNode, Terms};
use sluice_ir::{
    Attribute, AttributeKind, Body, Builder, Context, Module, OperationId, Type, TypeKind, ValueId,
    View,
};

use crate::build::replace;

/// Replaces the floats of a module. With `reassociates`, the order of all sums and products is free; else that of those whose flags
/// allow it.
pub fn float_words(context: &Context, module: &mut Module, reassociates: bool) {
    for op in module.top_level_operations() {
        retype_attributes(context, module.inner_mut(), op);
        if module.inner().is_isolated(op) {
            function(context, module.inner_mut().inner_mut(op), reassociates);
        }
    }
}

/// Returns whether a module has values that are floats or memories of floats, in functions or as constant tables.
pub fn has_floats(context: &Context, module: &Module) -> bool {
    let inner = module.inner();
    module.top_level_operations().into_iter().any(|op| {
        let view = View::new(context, inner, op);
        let table = view.attribute("type").and_then(|a| a.as_type(context));
        table.is_some_and(|ty| has_float(context, ty))
            || inner.is_isolated(op) && holds_floats(context, inner.inner(op))
    })
}

/// Returns whether a value of a body is a float or a memory of floats.
fn holds_floats(context: &Context, body: &Body) -> bool {
    let has_argument = |region| {
        let mut arguments = body.blocks(region).iter().flat_map(|b| body.arguments(*b));
        arguments.any(|value| has_float(context, body.ty(*value)))
    };
    let mut regions = body.top_regions();
    regions.any(has_argument)
        || body.walk_all().iter().any(|op| {
            let mut results = body.results(*op).iter();
            results.any(|value| has_float(context, body.ty(*value)))
                || body.regions(*op).iter().any(|region| has_argument(*region))
        })
}

/// Returns whether a type is, or consists of, floats.
fn has_float(context: &Context, ty: Type) -> bool {
    match ty.kind(context) {
        TypeKind::Float(_) => true,
        TypeKind::MemRef { element, .. } | TypeKind::RankedTensor { element, .. } => {
            has_float(context, *element)
        }
        TypeKind::Function { inputs, results } => {
            let mut all = inputs.iter().chain(results);
            all.any(|ty| has_float(context, *ty))
        }
        _ => false,
    }
}

/// Replaces the floats of a function body.
fn function(context: &Context, body: &mut Body, reassociates: bool) {
    let all = body.walk_all();
    let mut operations = Vec::new();
    for op in &all {
        let view = View::new(context, body, *op);
        if view.name() == arith::Bitcast::NAME && has_word(context, view) {
            operations.push((*op, None));
        } else if let Some(found) = float_operation(view) {
            operations.push((*op, Some(found)));
        }
    }
    for op in &all {
        let arguments = body.regions(*op).to_vec().into_iter();
        let blocks: Vec<_> = arguments.flat_map(|r| body.blocks(r).to_vec()).collect();
        for block in blocks {
            retype_arguments(context, body, block);
        }
        for value in body.results(*op).to_vec() {
            let ty = word_type(context, body.ty(value));
            body.set_type(value, ty);
        }
        retype_attributes(context, body, *op);
    }
    for region in body.top_regions().collect::<Vec<_>>() {
        for block in body.blocks(region).to_vec() {
            retype_arguments(context, body, block);
        }
    }
    for (op, found) in operations {
        let view = View::new(context, body, op);
        let operands: Vec<_> = view.operands().collect();
        let Some((float_op, format)) = found else {
            replace(body, op, &operands);
            continue;
        };
        let ty = view.ty(view.result(0));
        let name = body.value_name(view.result(0));
        let is_free = is_ordered(float_op) && (reassociates || arith::allows_reassociation(view));
        let mut builder = Builder::before(context, body, op);
        let result = match (float_op, &operands[..]) {
            // Differences are sums, so that both share units.
            (FloatOp::Sub, [left, right]) => {
                let negated = emit(&mut builder, FloatOp::Neg, format, &[*right], ty);
                emit(&mut builder, FloatOp::Add, format, &[*left, negated], ty)
            }
            _ => emit(&mut builder, float_op, format, &operands, ty),
        };
        if is_free && let Some(made) = body.defining_operation(result) {
            body.set_attribute(made, context.name(REASSOC), context.unit_attribute());
        }
        if body.value_name(result).is_none() {
            body.set_value_name(result, name);
        }
        replace(body, op, &[result]);
    }
}

/// The attribute of operations that may be formed in another order.
pub(crate) const REASSOC: &str = "reassoc";

/// Returns whether the order of such operations matters to the result.
fn is_ordered(op: FloatOp) -> bool {
    matches!(
        op,
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Fma
    )
}

fn emit(
    builder: &mut Builder<'_>,
    op: FloatOp,
    format: FloatFormat,
    operands: &[ValueId],
    ty: Type,
) -> ValueId {
    let context = builder.context;
    let function = context.string_attribute(&sluice::function_name(op));
    let format = sluice::format_attribute(context, format);
    let attributes = [("function", function), ("format", format)];
    let made = builder.operation(sluice::Float::NAME, operands, &[ty], &attributes);
    builder.body.result(made, 0)
}

/// Returns whether a bit cast is between words.
fn has_word(context: &Context, view: View<'_>) -> bool {
    let mut types = view.operand_types().chain(view.result_types());
    types.all(|ty| ty.width_bits(context).is_some())
}

fn retype_arguments(context: &Context, body: &mut Body, block: sluice_ir::BlockId) {
    for value in body.arguments(block).to_vec() {
        let ty = word_type(context, body.ty(value));
        body.set_type(value, ty);
    }
}

/// Returns operator and format of an operation whose meaning is one float operator on its operands.
pub(crate) fn float_operation(view: View<'_>) -> Option<(FloatOp, FloatFormat)> {
    let meaning = view.definition()?.meaning.as_ref()?;
    let context = view.context;
    let is_float = |ty: Type| matches!(ty.kind(context), TypeKind::Float(_));
    if !view.operand_types().any(is_float) && !view.result_types().any(is_float) {
        return None;
    }
    let mut terms = Terms::new();
    let mut inputs = Vec::new();
    for (ty, i) in view.operand_types().zip(0..) {
        inputs.push(terms.variable(i, ty.width_bits(context)?));
    }
    let results = view.with_site(|site| (meaning.denote)(site, &mut terms, &inputs))?;
    let [result] = results[..] else {
        return None;
    };
    match terms.node(result) {
        TermNode::Float(op, format, operands) if *operands == inputs => Some((*op, *format)),
        _ => None,
    }
}

/// Returns the type with integers in place of floats.
fn word_type(context: &Context, ty: Type) -> Type {
    if !has_float(context, ty) {
        return ty;
    }
    match ty.kind(context) {
        TypeKind::Float(format) => context.integer_type(format.width_bits()),
        TypeKind::MemRef {
            shape,
            element,
            layout,
            memory_space,
        } => context.ty(TypeKind::MemRef {
            shape: shape.clone(),
            element: word_type(context, *element),
            layout: *layout,
            memory_space: *memory_space,
        }),
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => context.ty(TypeKind::RankedTensor {
            shape: shape.clone(),
            element: word_type(context, *element),
            encoding: *encoding,
        }),
        TypeKind::Function { inputs, results } => {
            let words = |types: &[Type]| -> Vec<Type> {
                types.iter().map(|ty| word_type(context, *ty)).collect()
            };
            context.function_type(&words(inputs), &words(results))
        }
        _ => ty,
    }
}

/// Gives the types and constants in the attributes of an operation their integer form.
fn retype_attributes(context: &Context, body: &mut Body, op: OperationId) {
    for (name, attribute) in View::new(context, body, op).attributes().to_vec() {
        // The clock period of a module is a number for people.
        if context.text(name).starts_with("sluice.") {
            continue;
        }
        let word = word_attribute(context, attribute);
        if word != attribute {
            body.set_attribute(op, name, word);
        }
    }
}

fn word_attribute(context: &Context, attribute: Attribute) -> Attribute {
    match attribute.kind(context) {
        AttributeKind::Type(ty) => context.type_attribute(word_type(context, *ty)),
        AttributeKind::Float { ty, bits } => {
            context.integer_attribute(word_type(context, *ty), bits.clone())
        }
        AttributeKind::DenseElements { ty, values, splat } if has_float(context, *ty) => context
            .attribute(AttributeKind::DenseElements {
                ty: word_type(context, *ty),
                values: values.clone(),
                splat: *splat,
            }),
        _ => attribute,
    }
}
