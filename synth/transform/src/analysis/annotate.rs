//! `annotate`: numbers the accesses, and writes trip counts and dependences as attributes of loops, blocks and functions.

use sluice_dialects::{memref, scf, sluice};
use sluice_ir::{Attribute, Body, Context, OperationId, View};

use crate::analysis::dependence::{MemoryAccess, accesses_in, of_block, of_loop};
use crate::analysis::linear::loop_of;

/// Annotates a function body; returns the dependences of the function's own block, an attribute for its `func.func`.
///
/// It writes `sluice.access`, `sluice.trip_count`, the counts of nests with varying bounds and `sluice.dependences`.
/// `docs/SYNTHESIS.md` defines them.
pub fn annotate(context: &Context, body: &mut Body) -> Attribute {
    let ops = body.walk_all();
    let access = context.name(sluice::ACCESS);
    let numbered: Vec<_> = ops
        .iter()
        .copied()
        .filter(|op| {
            matches!(
                View::new(context, body, *op).name(),
                memref::Load::NAME | memref::Store::NAME
            )
        })
        .collect();
    // Flattened loops already carry dependences, which refer to the previous access numbers.
    let known: Vec<_> = ops
        .iter()
        .filter_map(|op| Some((*op, steps_of(context, body, *op)?)))
        .collect();
    for (number, op) in numbered.into_iter().enumerate() {
        let number =
            context.i64_attribute(i64::try_from(number).expect("fewer than 2^63 accesses"));
        body.set_attribute(op, access, number);
    }
    for op in &ops {
        annotate_operation(context, body, *op);
    }
    for (op, dependences) in known {
        let number = |op: OperationId| {
            let attribute = body.attribute(op, access);
            attribute
                .and_then(|a| a.as_i64(context))
                .expect("every access was numbered")
        };
        let all: Vec<_> = dependences
            .into_iter()
            .map(|(from, to, distance)| {
                context.dense_i64_array(&[number(from), number(to), distance])
            })
            .collect();
        let all = context.array_attribute(&all);
        body.set_attribute(op, context.name(sluice::DEPENDENCES), all);
        body.remove_attribute(op, context.name(sluice::STEPS));
    }
    crate::analysis::nest_counts::count_nests(context, body);
    let mut all = Vec::new();
    if let Some(region) = body.top_regions().next() {
        for block in body.blocks(region).to_vec() {
            let accesses = accesses_in(context, body, block);
            all.extend(encode(
                context,
                body,
                &accesses,
                &of_block(context, body, &accesses),
            ));
        }
    }
    context.array_attribute(&all)
}

/// Returns the dependences that loop flattening wrote on a loop.
fn steps_of(
    context: &Context,
    body: &Body,
    op: OperationId,
) -> Option<Vec<(OperationId, OperationId, i64)>> {
    let listed = body
        .attribute_named(context, op, sluice::STEPS)?
        .as_array(context)?;
    let mut of_number = std::collections::BTreeMap::new();
    for inner in body.walk(op) {
        if let Some(number) = body.attribute_named(context, inner, sluice::ACCESS) {
            of_number.insert(number.as_i64(context)?, inner);
        }
    }
    let triples = listed.iter().map(|entry| {
        let [from, to, distance] = entry.as_dense_array_i64(context)?[..] else {
            return None;
        };
        Some((*of_number.get(&from)?, *of_number.get(&to)?, distance))
    });
    triples.collect()
}

fn encode(
    context: &Context,
    body: &Body,
    accesses: &[MemoryAccess],
    dependences: &[(usize, usize, i64)],
) -> Vec<Attribute> {
    let number = |i: usize| {
        let attribute = body.attribute_named(context, accesses[i].op, sluice::ACCESS);
        attribute
            .and_then(|a| a.as_i64(context))
            .expect("every access was numbered")
    };
    dependences
        .iter()
        .map(|(a, b, d)| context.dense_i64_array(&[number(*a), number(*b), *d]))
        .collect()
}

fn annotate_operation(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let mut all = Vec::new();
    match view.name() {
        scf::For::NAME => {
            let trip_count = loop_of(context, body, op).and_then(|l| l.trip_count);
            let block = view.entry_block(0).expect("the verifier requires a body");
            let accesses = accesses_in(context, body, block);
            all.extend(encode(
                context,
                body,
                &accesses,
                &of_loop(context, body, op, &accesses),
            ));
            if let Some(n) = trip_count {
                body.set_attribute(
                    op,
                    context.name(sluice::TRIP_COUNT),
                    context.exact_attribute(n),
                );
            }
        }
        scf::While::NAME => {
            let mut accesses = Vec::new();
            for region in 0..2 {
                let block = view
                    .entry_block(region)
                    .expect("the verifier requires a body");
                accesses.extend(accesses_in(context, body, block));
            }
            all.extend(encode(
                context,
                body,
                &accesses,
                &of_loop(context, body, op, &accesses),
            ));
        }
        scf::If::NAME if view.attribute(sluice::GUARD).is_none() => {
            for region in 0..view.regions().len() {
                if let Some(block) = view.entry_block(region) {
                    let accesses = accesses_in(context, body, block);
                    all.extend(encode(
                        context,
                        body,
                        &accesses,
                        &of_block(context, body, &accesses),
                    ));
                }
            }
        }
        _ => return,
    }
    let all = context.array_attribute(&all);
    body.set_attribute(op, context.name(sluice::DEPENDENCES), all);
}
