//! Constant evaluation of `seq.initial`: values that are computed once, at the start.

use sluice_dialects::seq;
use sluice_ir::algebra::Concrete;
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Context, ValueDefinition, ValueId, View};

/// Returns the value of a result of `seq.initial`; `None` if it depends on more than constants.
pub(crate) fn value(body: &Body, value: ValueId, context: &Context) -> Option<Bits> {
    let ValueDefinition::Result { operation, index } = body.value_definition(value) else {
        return None;
    };
    let view = View::new(context, body, operation);
    if view.name() != seq::Initial::NAME {
        return None;
    }
    let inner = view.inner();
    let block = view.entry_block(0)?;
    let last = View::new(context, inner, inner.last_operation(block)?);
    let given: Vec<Option<Bits>> = view
        .operands()
        .map(|operand| self::value(body, operand, context))
        .collect();
    let yielded = last.operands().nth(usize::try_from(index).ok()?)?;
    computed(inner, yielded, context, &given)
}

/// Evaluates a value inside the region from the values of its arguments.
fn computed(
    body: &Body,
    value: ValueId,
    context: &Context,
    given: &[Option<Bits>],
) -> Option<Bits> {
    let (operation, index) = match body.value_definition(value) {
        ValueDefinition::Argument { index, .. } => {
            return given.get(usize::try_from(index).ok()?)?.clone();
        }
        ValueDefinition::Result { operation, index } => (operation, index),
    };
    let view = View::new(context, body, operation);
    for name in ["value", "fields", "field"] {
        if let Some(attribute) = view.attribute(name) {
            return sluice_dialects::hw::constant_bits(context, attribute, body.ty(value));
        }
    }
    let operands: Option<Vec<Bits>> = view
        .operands()
        .map(|operand| computed(body, operand, context, given))
        .collect();
    let meaning = view.definition()?.meaning.as_ref()?;
    let operands = operands?;
    let results =
        view.with_site(|site| (meaning.evaluate)(site, &mut Concrete::new(), &operands))?;
    results.get(usize::try_from(index).ok()?).cloned()
}
