//! `convert-elementwise-to-linalg`: operations on whole tensors, element by element, become `linalg.generic`.

use sluice_dialects::linalg::{Generic, ITERATOR_TYPES, Yield, sizes, word_type};
use sluice_dialects::{arith, tensor};
use sluice_ir::affine::AffineMap;
use sluice_ir::definition::Traits;
use sluice_ir::{
    AttributeKind, Body, Builder, Context, NewOperation, OperationId, Type, ValueId, View,
};

use super::is_tensor;
use super::memories::size_of;

/// Rewrites every operation of the body that works on tensors element by element.
pub fn elementwise_to_linalg(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let is_elementwise = view.has(Traits::ELEMENTWISE)
            || matches!(view.name(), arith::Select::NAME | tensor::Bitcast::NAME);
        let is_of_tensors = view.result_types().len() > 0
            && view
                .result_types()
                .all(|ty| is_tensor(context, ty) && sizes(context, ty).is_some());
        if is_elementwise && is_of_tensors && view.regions().is_empty() {
            rewrite(context, body, op);
        }
    }
}

fn rewrite(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (name, location) = (context.operation_text(body.name(op)), view.location());
    let attributes = view.attributes().to_vec();
    let inputs: Vec<ValueId> = view.operands().collect();
    let results: Vec<Type> = view.result_types().collect();
    let old = view.results().to_vec();
    let Some(like) = inputs
        .iter()
        .copied()
        .find(|value| is_tensor(context, body.ty(*value)))
    else {
        return;
    };
    let name = match name {
        tensor::Bitcast::NAME => arith::Bitcast::NAME,
        name => name,
    };
    let mut builder = Builder::before(context, body, op);
    let outputs: Vec<ValueId> = results
        .iter()
        .map(|ty| empty(&mut builder, *ty, like))
        .collect();
    let types: Vec<Type> = inputs.iter().map(|value| builder.body.ty(*value)).collect();
    let all = types.iter().chain(&results).copied().collect::<Vec<_>>();
    let made = generic(&mut builder, &inputs, &outputs, &all);
    let block = builder.body.append_block(builder.body.regions(made)[0]);
    let arguments: Vec<ValueId> = all
        .iter()
        .map(|ty| {
            builder
                .body
                .add_argument(block, word_type(context, *ty), location)
        })
        .collect();
    let mut inner = Builder::at_end(context, body, block, location);
    let mut new = NewOperation::new(context.operation_name(name), location);
    new.operands = arguments[..inputs.len()].into();
    new.result_types = results.iter().map(|ty| word_type(context, *ty)).collect();
    new.attributes = attributes.into_iter().collect();
    let word = inner.create(new);
    let words = inner.body.results(word).to_vec();
    inner.operation(Yield::NAME, &words, &[], &[]);
    for (old, new) in old.iter().zip(body.results(made).to_vec()) {
        body.replace_all_uses(*old, new);
    }
    if let (Some(old), Some(new)) = (old.first(), body.results(made).first().copied()) {
        let name = body.value_name(*old);
        body.set_value_name(new, name);
    }
    body.erase(op);
}

/// Emits `tensor.empty` with the sizes of the tensor `like`.
fn empty(builder: &mut Builder<'_>, ty: Type, like: ValueId) -> ValueId {
    let context = builder.context;
    let shape = sizes(context, ty).unwrap_or_default();
    let mut open = Vec::new();
    for (dim, _) in shape.iter().enumerate().filter(|(_, size)| size.is_none()) {
        open.push(match is_tensor(context, builder.body.ty(like)) {
            true => {
                let index = context.index_type();
                let dim = i64::try_from(dim).unwrap_or(i64::MAX);
                let dim = crate::build::constant(builder, index, dim);
                let op = builder.operation(tensor::Dim::NAME, &[like, dim], &[index], &[]);
                builder.body.result(op, 0)
            }
            false => size_of(builder, like, dim),
        });
    }
    let op = builder.operation(tensor::Empty::NAME, &open, &[ty], &[]);
    builder.body.result(op, 0)
}

/// Emits a `linalg.generic` over all elements of the outputs, with an empty region. Scalars are the same for all elements.
pub(super) fn generic(
    builder: &mut Builder<'_>,
    inputs: &[ValueId],
    outputs: &[ValueId],
    types: &[Type],
) -> OperationId {
    let context = builder.context;
    let rank = types
        .last()
        .and_then(|ty| sizes(context, *ty))
        .map_or(0, |sizes| sizes.len());
    let rank = u32::try_from(rank).unwrap_or(0);
    let maps: Vec<_> = types
        .iter()
        .map(|ty| {
            let map = match sizes(context, *ty).unwrap_or_default().len() {
                0 => AffineMap {
                    n_dims: rank,
                    n_symbols: 0,
                    results: Vec::new(),
                },
                _ => AffineMap::identity(rank),
            };
            context.attribute(AttributeKind::AffineMap(map))
        })
        .collect();
    let parallel = ITERATOR_TYPES.attribute(context, 0);
    let iterators = vec![parallel; rank as usize];
    let mut new = NewOperation::new(context.operation_name(Generic::NAME), builder.location);
    new.operands = inputs.iter().chain(outputs).copied().collect();
    let of_outputs = &types[inputs.len()..];
    new.result_types = of_outputs
        .iter()
        .copied()
        .filter(|ty| is_tensor(context, *ty))
        .collect();
    new.n_regions = 1;
    let sizes = [inputs.len(), outputs.len()].map(|n| i32::try_from(n).unwrap_or(0));
    for (name, attribute) in [
        ("indexing_maps", context.array_attribute(&maps)),
        ("iterator_types", context.array_attribute(&iterators)),
        ("operandSegmentSizes", context.dense_i32_array(&sizes)),
    ] {
        new.attributes.push((context.name(name), attribute));
    }
    builder.create(new)
}
