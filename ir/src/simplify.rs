//! Simplification of a body: constant folding with meanings, declared folds, common subexpression elimination, dead code
//! elimination.

use smallvec::SmallVec;

use crate::algebra::Concrete;
use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::body::Body;
use crate::context::Context;
use crate::definition::{FoldResult, Site, Traits};
use crate::effects;
use crate::ids::{Attribute, BlockId, Name, OperationId, OperationName, Type, ValueId};
use crate::patterns::{self, Pattern};
use crate::types::TypeKind;
use crate::view::View;

/// Returns the constant of a value, as the attribute of the operation that holds it.
pub fn constant_of(context: &Context, body: &Body, value: ValueId) -> Option<Attribute> {
    let op = body.defining_operation(value)?;
    body.definition(context, op)?
        .has(Traits::CONSTANT_LIKE)
        .then_some(())?;
    body.attribute_named(context, op, "value")
}

/// Returns the bits of a scalar constant.
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

/// Returns the folds of the results of an operation: its meaning if all operands are constants, otherwise its declared fold.
///
/// An operation whose meaning is undefined for its constants is not folded.
pub fn fold(view: View<'_>) -> Option<SmallVec<[FoldResult; 1]>> {
    let constants: SmallVec<[Option<Attribute>; 4]> = view
        .operands()
        .map(|v| constant_of(view.context, view.body, v))
        .collect();
    fold_with(view, &constants)
}

/// Folds as [`fold`] does, with these constant operands.
pub fn fold_with(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let definition = view.definition()?;
    if definition.has(Traits::CONSTANT_LIKE) {
        return None;
    }
    if let Some(results) = evaluate(view, constants).or_else(|| evaluate_elements(view, constants))
    {
        return Some(results);
    }
    let results = (definition.fold?)(view, constants)?;
    // A fold to the operation's own result is no progress.
    let own = |r: &FoldResult| matches!(r, FoldResult::Value(v) if view.results().contains(v));
    (!results.iter().any(own)).then_some(results)
}

/// Returns the results of an operation for these operands; `None` if it has no meaning, or none for these operands.
pub fn results_for(view: View<'_>, operands: &[Bits]) -> Option<SmallVec<[Bits; 1]>> {
    let meaning = view.definition()?.meaning.as_ref()?;
    let mut concrete = Concrete::new();
    let words = view.with_site(|site| (meaning.evaluate)(site, &mut concrete, operands))?;
    concrete.undefined().is_none().then_some(words)
}

fn evaluate(view: View<'_>, constants: &[Option<Attribute>]) -> Option<SmallVec<[FoldResult; 1]>> {
    let operands: Option<Vec<Bits>> = constants
        .iter()
        .map(|c| bits_of(view.context, (*c)?))
        .collect();
    let words = results_for(view, &operands?)?;
    let folded = words.into_iter().zip(view.result_types());
    folded
        .map(|(word, ty)| constant_attribute(view.context, ty, word).map(FoldResult::Constant))
        .collect()
}

/// Returns the elements of a constant vector or tensor; only one element, and true, if all are equal.
fn elements_of(context: &Context, constant: Attribute) -> Option<(&[Bits], bool)> {
    match constant.kind(context) {
        AttributeKind::DenseElements { values, splat, .. } => Some((values, *splat)),
        _ => None,
    }
}

/// Evaluates an elementwise operation on constant vectors or tensors, with its meaning for each element.
fn evaluate_elements(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let definition = view.definition()?;
    let meaning = definition.meaning.as_ref()?;
    let ([result], true) = (view.results(), definition.has(Traits::ELEMENTWISE)) else {
        return None;
    };
    let (context, ty) = (view.context, view.ty(*result));
    let element = ty.element_type(context)?;
    ty.static_shape(context)?;
    let operand_types: Option<SmallVec<[Type; 4]>> = view
        .operand_types()
        .map(|ty| ty.element_type(context))
        .collect();
    let (operand_types, result_types) = (operand_types?, [element]);
    let operands: Option<Vec<(&[Bits], bool)>> = constants
        .iter()
        .map(|constant| elements_of(context, (*constant)?))
        .collect();
    let operands = operands?;
    let splat = operands.iter().all(|(_, splat)| *splat);
    let site = Site {
        context,
        operand_types: &operand_types,
        result_types: &result_types,
        attributes: view.attributes(),
    };
    let listed = operands.iter().find(|(_, splat)| !splat);
    let n_values = listed.map_or(1, |(values, _)| values.len());
    let mut values = Vec::with_capacity(n_values);
    for i in 0..n_values {
        let words: Option<Vec<Bits>> = operands
            .iter()
            .map(|(values, splat)| values.get(if *splat { 0 } else { i }).cloned())
            .collect();
        let mut concrete = Concrete::new();
        let found = (meaning.evaluate)(site, &mut concrete, &words?)?;
        if concrete.undefined().is_some() {
            return None;
        }
        values.push(found.into_iter().next()?);
    }
    let values = values.into_boxed_slice();
    let elements = AttributeKind::DenseElements { ty, values, splat };
    Some(SmallVec::from_iter([FoldResult::Constant(
        context.attribute(elements),
    )]))
}

/// Simplifies until a fixpoint: folds, merges equal operations, erases dead ones; deterministic.
pub fn simplify(context: &Context, body: &mut Body) {
    simplify_with(context, body, &[]);
}

/// Simplifies as `simplify` does, and applies patterns.
pub fn simplify_with(context: &Context, body: &mut Body, patterns: &[&Pattern]) {
    loop {
        patterns::apply(context, body, patterns);
        if !merge_equal(context, body) {
            return;
        }
    }
}

/// Merges operations that compute equal values from equal operands, and erases unused ones; folds nothing.
pub fn cse(context: &Context, body: &mut Body) {
    merge_equal(context, body);
    for op in body.walk_all().into_iter().rev() {
        let is_dead = body.results(op).iter().all(|value| body.is_unused(*value))
            && effects::erasable_when_unused(context, body, op);
        if is_dead {
            body.erase(op);
        }
    }
}

type Key = (
    OperationName,
    SmallVec<[ValueId; 4]>,
    SmallVec<[Type; 2]>,
    SmallVec<[(Name, Attribute); 2]>,
);

/// Operations that compute and dominate the current position, and the keys that each scope added.
#[derive(Default)]
struct Merger {
    known: hashbrown::HashMap<Key, OperationId, rustc_hash::FxBuildHasher>,
    entered: Vec<Key>,
}

/// Merges operations that compute equal values from equal operands where one dominates the other in structured code.
///
/// Complexity: linear in the number of operations.
fn merge_equal(context: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    let top: Vec<_> = body.top_regions().collect();
    for region in top {
        // Blocks of one function do not dominate each other in order, so each has its own table.
        for block in body.blocks(region).to_vec() {
            changed |= Merger::default().merge_in(context, body, block);
        }
    }
    changed
}

impl Merger {
    fn merge_in(&mut self, context: &Context, body: &mut Body, block: BlockId) -> bool {
        let mut changed = false;
        let before = self.entered.len();
        let ops: Vec<_> = body.operations(block).collect();
        for op in ops {
            let computes = effects::computes(context, body, op);
            if computes && body.results(op).iter().all(|value| body.is_unused(*value)) {
                // It is dead and will be erased; an equal operation stays in its place.
            } else if computes {
                changed |= self.merge_one(body, op);
            } else if !body.is_isolated(op) {
                // As in upstream: undeclared operations may be isolated from the operations around them.
                let mut apart = Self::default();
                let is_declared = body.definition(context, op).is_some();
                for region in body.regions(op).to_vec() {
                    for inner in body.blocks(region).to_vec() {
                        let merger = if is_declared { &mut *self } else { &mut apart };
                        changed |= merger.merge_in(context, body, inner);
                    }
                }
            }
        }
        for key in self.entered.drain(before..) {
            self.known.remove(&key);
        }
        changed
    }

    fn merge_one(&mut self, body: &mut Body, op: OperationId) -> bool {
        let mut attributes: SmallVec<[_; 2]> = body.attributes(op).iter().copied().collect();
        attributes.sort_by_key(|(name, _)| *name);
        let types = body.results(op).iter().map(|r| body.ty(*r)).collect();
        let key: Key = (
            body.name(op),
            body.operands(op).collect(),
            types,
            attributes,
        );
        let Some(first) = self.known.get(&key).copied() else {
            self.known.insert(key.clone(), op);
            self.entered.push(key);
            return false;
        };
        let (old, new) = (body.results(op).to_vec(), body.results(first).to_vec());
        for (old, new) in old.into_iter().zip(new) {
            body.replace_all_uses(old, new);
        }
        body.erase(op);
        true
    }
}
