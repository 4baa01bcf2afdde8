//! Simplification of a body: constant folding through meanings, declared folds, merging of equal operations, dead code.

use smallvec::SmallVec;

use crate::algebra::Concrete;
use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::body::Body;
use crate::context::Context;
use crate::definition::{FoldResult, Traits};
use crate::ids::{Attribute, BlockId, Name, OperationId, OperationName, Type, ValueId};
use crate::types::TypeKind;
use crate::view::View;

/// The constant a value is, as the attribute of the operation that holds it.
pub fn constant_of(context: &Context, body: &Body, value: ValueId) -> Option<Attribute> {
    let op = body.defining_operation(value)?;
    body.definition(context, op)?
        .has(Traits::CONSTANT_LIKE)
        .then_some(())?;
    body.attribute_named(context, op, "value")
}

/// The bits of a scalar constant.
fn bits_of(context: &Context, constant: Attribute) -> Option<Bits> {
    match constant.kind(context) {
        AttributeKind::Integer { value, .. } => Some(value.clone()),
        AttributeKind::Float { bits, .. } => Some(bits.clone()),
        _ => None,
    }
}

fn constant_attribute(context: &Context, ty: Type, bits: Bits) -> Option<Attribute> {
    match ty.kind(context) {
        TypeKind::Integer { .. } | TypeKind::Index => Some(context.integer_attribute(ty, bits)),
        TypeKind::Float(_) => Some(context.attribute(AttributeKind::Float { ty, bits })),
        _ => None,
    }
}

/// What the results of an operation fold to: its meaning if all operands are constants, else its declared fold.
///
/// An operation whose meaning is undefined for its constants is left as it is.
pub fn fold(view: View<'_>) -> Option<SmallVec<[FoldResult; 1]>> {
    let definition = view.definition()?;
    if definition.has(Traits::CONSTANT_LIKE) {
        return None;
    }
    let constants: SmallVec<[Option<Attribute>; 4]> = view
        .operands()
        .map(|v| constant_of(view.context, view.body, v))
        .collect();
    if let Some(results) = evaluate(view, &constants) {
        return Some(results);
    }
    let results = (definition.fold?)(view, &constants)?;
    // A fold to the operation's own result is no progress.
    let own = |r: &FoldResult| matches!(r, FoldResult::Value(v) if view.results().contains(v));
    (!results.iter().any(own)).then_some(results)
}

fn evaluate(view: View<'_>, constants: &[Option<Attribute>]) -> Option<SmallVec<[FoldResult; 1]>> {
    let meaning = view.definition()?.meaning.as_ref()?;
    let operands: Option<Vec<Bits>> = constants
        .iter()
        .map(|c| bits_of(view.context, (*c)?))
        .collect();
    let mut concrete = Concrete::new();
    let operands = operands?;
    let words = view.with_site(|site| (meaning.evaluate)(site, &mut concrete, &operands))?;
    if concrete.undefined().is_some() {
        return None;
    }
    let folded = words.into_iter().zip(view.result_types());
    folded
        .map(|(word, ty)| constant_attribute(view.context, ty, word).map(FoldResult::Constant))
        .collect()
}

/// Simplifies until nothing changes; deterministic.
pub fn simplify(context: &Context, body: &mut Body) {
    for _ in 0..32 {
        let mut changed = false;
        for op in body.walk_all() {
            if !body.is_erased(op) {
                changed |= constants_to_the_right(context, body, op);
                changed |= fold_one(context, body, op);
            }
        }
        changed |= merge_equal(context, body);
        changed |= erase_dead(context, body);
        if !changed {
            return;
        }
    }
}

fn constants_to_the_right(context: &Context, body: &mut Body, op: OperationId) -> bool {
    let commutative = body
        .definition(context, op)
        .is_some_and(|d| d.has(Traits::COMMUTATIVE));
    if !commutative || body.n_operands(op) != 2 {
        return false;
    }
    let (a, b) = (body.operand(op, 0), body.operand(op, 1));
    if constant_of(context, body, a).is_some() && constant_of(context, body, b).is_none() {
        body.set_operands(op, &[b, a]);
        return true;
    }
    false
}

fn fold_one(context: &Context, body: &mut Body, op: OperationId) -> bool {
    let Some(results) = fold(View::new(context, body, op)) else {
        return false;
    };
    let old = body.results(op).to_vec();
    if old.iter().all(|r| body.is_unused(*r)) {
        return false;
    }
    let dialect = body
        .definition(context, op)
        .and_then(|d| context.dialect(d.dialect()));
    let mut values = Vec::new();
    for (result, value) in results.iter().zip(&old) {
        match result {
            FoldResult::Value(value) => values.push(*value),
            FoldResult::Constant(attribute) => {
                let location = body.location(op);
                let made = dialect.and_then(|d| {
                    (d.materialize_constant?)(context, *attribute, body.ty(*value), location)
                });
                let Some(made) = made else { return false };
                let constant = body.create(context, made);
                body.insert_before(op, constant);
                values.push(body.result(constant, 0));
            }
        }
    }
    for (old, new) in old.into_iter().zip(values) {
        let is_constant = constant_of(context, body, new).is_some();
        let name = body.value_name(new);
        body.replace_all_uses(old, new);
        if is_constant {
            body.set_value_name(new, name);
        }
    }
    true
}

type Key = (
    OperationName,
    Vec<ValueId>,
    Vec<Type>,
    Vec<(Name, Attribute)>,
);

/// Merges pure operations with equal operands and attributes where one dominates the other in structured code.
fn merge_equal(context: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    let top: Vec<_> = body.top_regions().collect();
    for region in top {
        // Blocks of one function do not dominate each other in order: each starts afresh.
        for block in body.blocks(region).to_vec() {
            changed |= merge_in(context, body, block, &mut Vec::new());
        }
    }
    changed
}

fn merge_in(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    known: &mut Vec<(Key, OperationId)>,
) -> bool {
    let mut changed = false;
    let before = known.len();
    let mut table: hashbrown::HashMap<Key, OperationId, rustc_hash::FxBuildHasher> =
        hashbrown::HashMap::default();
    table.extend(known.iter().cloned());
    let ops: Vec<_> = body.operations(block).collect();
    for op in ops {
        let pure = body
            .definition(context, op)
            .is_some_and(|d| d.has(Traits::PURE) && !d.has(Traits::TERMINATOR));
        if pure && body.regions(op).is_empty() {
            let mut attributes = body.attributes(op).to_vec();
            attributes.sort_by_key(|(name, _)| *name);
            let types = body.results(op).iter().map(|r| body.ty(*r)).collect();
            let key: Key = (
                body.name(op),
                body.operands(op).collect(),
                types,
                attributes,
            );
            match table.get(&key) {
                Some(first) => {
                    let first = *first;
                    for (old, new) in body
                        .results(op)
                        .to_vec()
                        .into_iter()
                        .zip(body.results(first).to_vec())
                    {
                        body.replace_all_uses(old, new);
                    }
                    body.erase(op);
                    changed = true;
                }
                None => {
                    table.insert(key.clone(), op);
                    known.push((key, op));
                }
            }
            continue;
        }
        if body.is_isolated(op) {
            continue;
        }
        for region in body.regions(op).to_vec() {
            for inner in body.blocks(region).to_vec() {
                changed |= merge_in(context, body, inner, known);
            }
        }
    }
    known.truncate(before);
    changed
}

/// Erases operations without effect whose results nobody uses.
pub fn erase_dead(context: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk_all().into_iter().rev() {
        let Some(definition) = body.definition(context, op) else {
            continue;
        };
        let removable = definition.has(Traits::PURE) && !definition.has(Traits::TERMINATOR);
        let read_only = definition.name == "memref.load" || definition.name == "memref.alloca";
        if (removable || read_only)
            && !body.results(op).is_empty()
            && body.results(op).iter().all(|r| body.is_unused(*r))
        {
            body.erase(op);
            changed = true;
        }
    }
    changed
}
