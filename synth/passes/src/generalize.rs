//! `linalg-generalize-named-ops`: named structured operations become `linalg.generic`.

use sluice_dialects::linalg::{Generic, ITERATOR_TYPES, Structured, is_structured};
use sluice_ir::{Body, Context, NewOperation, OperationId, View};

/// Rewrites every named operation of the body.
pub(crate) fn generalize(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if is_structured(view) && view.name() != Generic::NAME {
            generalize_one(context, body, op);
        }
    }
}

fn generalize_one(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (Some(structured), Some(block)) = (Structured::of(view), view.entry_block(0)) else {
        return;
    };
    let maps = structured.maps.iter().cloned();
    let maps: Vec<_> = maps.map(|map| context.affine_map_attribute(map)).collect();
    let kinds = structured.reductions.iter();
    let kinds: Vec<_> = kinds
        .map(|is_reduction| ITERATOR_TYPES.attribute(context, u64::from(*is_reduction)))
        .collect();
    let mut new = NewOperation::new(context.operation_name(Generic::NAME), view.location());
    new.operands = view.operands().collect();
    new.result_types = view.result_types().collect();
    new.n_regions = 1;
    let n_outputs = view.operands().len() - structured.n_inputs;
    let sizes = [structured.n_inputs, n_outputs].map(|n| i32::try_from(n).unwrap_or(0));
    for (name, attribute) in [
        ("indexing_maps", context.array_attribute(&maps)),
        ("iterator_types", context.array_attribute(&kinds)),
        ("operandSegmentSizes", context.dense_i32_array(&sizes)),
    ] {
        new.attributes.push((context.name(name), attribute));
    }
    let region = view.regions()[0];
    let location = view.location();
    let n_operands = view.operands().len();
    let made = body.create(context, new);
    body.insert_before(op, made);
    let to = body.regions(made)[0];
    body.move_blocks(region, to);
    // A map computes from the inputs alone; the region of `linalg.generic` has the outputs too.
    for operand in body.arguments(block).len()..n_operands {
        let ty = sluice_dialects::linalg::word_type(context, body.ty(body.operand(made, operand)));
        body.add_argument(block, ty, location);
    }
    let results: Vec<_> = body
        .results(op)
        .iter()
        .copied()
        .zip(body.results(made).to_vec())
        .collect();
    for (old, new) in results {
        body.replace_all_uses(old, new);
    }
    body.erase(op);
}
