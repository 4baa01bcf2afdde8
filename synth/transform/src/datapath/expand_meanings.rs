//! `expand-meanings`: replaces operations of dialects from outside by the arith operations of their meaning.
//!
//! An operation counts if it has no effect, a meaning for its types, and integers or indices as operands and results. All others
//! stay, and `legality` reports them.

use sluice_dialects::arith;
use sluice_ir::algebra::{TermId, TermNode, Terms};
use sluice_ir::definition::Traits;
use sluice_ir::{Body, Builder, Context, Module, OperationId, Type, ValueId, View};

use crate::build::{convert, replace};

use super::emitter::Emitter;
use super::total::total;

/// Returns whether a module has operations of dialects from outside that have a meaning.
pub fn has_meanings(context: &Context, module: &Module) -> bool {
    // A context with only the dialects of Sluice is the common case.
    if context.dialects().count() == sluice_dialects::all().len() {
        return false;
    }
    let inner = module.inner();
    let mut functions = module.top_level_operations().into_iter();
    functions.any(|op| {
        let body = inner.inner(op);
        let mut all = body.walk_all().into_iter();
        inner.is_isolated(op) && all.any(|op| is_from_outside(View::new(context, body, op)))
    })
}

/// Returns true for operations with a meaning whose dialect is none of Sluice's.
fn is_from_outside(view: View<'_>) -> bool {
    view.definition().is_some_and(|definition| {
        let dialect = definition.dialect();
        let mut own = sluice_dialects::all().iter();
        definition.has(Traits::PURE)
            && definition.meaning.is_some()
            && own.all(|one| one.name != dialect)
    })
}

fn is_integer(context: &Context, ty: Type) -> bool {
    ty.is_signless_integer(context) || ty.is_index(context)
}

/// Expands the operations of a body.
pub fn expand_meanings(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if is_from_outside(view) {
            expand(context, body, op);
        }
    }
}

fn expand(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let operands: Vec<ValueId> = view.operands().collect();
    let operand_types: Vec<Type> = view.operand_types().collect();
    let result_types: Vec<Type> = view.result_types().collect();
    let Some(meaning) = view
        .definition()
        .and_then(|definition| definition.meaning.as_ref())
    else {
        return;
    };
    let mut types = operand_types.iter().chain(&result_types);
    if !types.all(|ty| is_integer(context, *ty)) {
        return;
    }
    let mut terms = Terms::new();
    let widths = operand_types.iter().zip(0..);
    let inputs: Vec<TermId> = widths
        .map(|(ty, i)| terms.variable(i, ty.width_bits(context).unwrap_or_default()))
        .collect();
    let Some(results) = view.with_site(|site| (meaning.denote)(site, &mut terms, &inputs)) else {
        return;
    };
    let (terms, results) = total(&terms, &results);
    let last = results.iter().map(|term| term.0).max().unwrap_or_default();
    let mut nodes = (0..=last).map(|term| terms.node(TermId(term)));
    if results.is_empty() || nodes.any(|node| matches!(node, TermNode::Float(..))) {
        return;
    }
    let mut builder = Builder::before(context, body, op);
    let words: Vec<ValueId> = operands
        .into_iter()
        .map(|value| {
            let ty = builder.body.ty(value);
            cast(&mut builder, value, ty.width_bits(context), false)
        })
        .collect();
    let mut emitter = Emitter::new(&mut builder, &terms, &words);
    let made: Vec<ValueId> = results.iter().map(|term| emitter.emit(*term)).collect();
    let values: Vec<ValueId> = made
        .into_iter()
        .zip(result_types)
        .map(|(value, ty)| cast(&mut builder, value, None, ty.is_index(context)))
        .collect();
    replace(body, op, &values);
}

/// Returns an index as an integer of `width_bits`, an integer as an index if `to_index`, and any other value as it is.
fn cast(
    builder: &mut Builder<'_>,
    value: ValueId,
    width_bits: Option<u32>,
    to_index: bool,
) -> ValueId {
    let context = builder.context;
    let is_index = builder.body.ty(value).is_index(context);
    let ty = match (is_index, to_index) {
        (true, false) => context.integer_type(width_bits.unwrap_or(64)),
        (false, true) => context.index_type(),
        _ => return value,
    };
    convert(builder, arith::IndexCast::NAME, value, ty)
}
