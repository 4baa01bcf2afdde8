//! Folds, and the operation that holds what they give.

use sluice_ir::definition::FoldResult;
use sluice_ir::{Attribute, Context, Location, NewOperation, Type, View};
use smallvec::{SmallVec, smallvec};

use crate::Constant;

/// Returns the first operand of a sum with zero. Constant sums fold by their meaning.
pub(crate) fn fold_add(
    view: View<'_>,
    operands: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let is_zero = operands[1].and_then(|value| Some(value.integer(view.context)?.is_zero()));
    (is_zero == Some(true)).then(|| smallvec![FoldResult::Value(view.operand(0))])
}

/// Returns the constant of this dialect.
pub(crate) fn materialize(
    context: &Context,
    value: Attribute,
    ty: Type,
    location: Location,
) -> Option<NewOperation> {
    let mut new = NewOperation::new(context.operation_name(Constant::NAME), location);
    new.result_types.push(ty);
    new.attributes.push((context.name("value"), value));
    Some(new)
}
