//! Checks traits and rules.

use smallvec::SmallVec;

use super::error;
use crate::context::Context;
use crate::definition::{OperationDefinition, OwnTrait, TraitRule, Traits};
use crate::diagnostics::Diagnostics;
use crate::ids::{Type, ValueId};
use crate::text::print_type;
use crate::types::{Dimension, TypeKind};
use crate::view::View;

/// Checks the traits that concern only the operation.
pub(super) fn check(
    view: View<'_>,
    definition: &OperationDefinition,
    around: Option<View<'_>>,
    diagnostics: &mut Diagnostics,
) {
    for rule in definition.rules {
        if let TraitRule::HasParent(wanted) = rule {
            let parent = view
                .body
                .parent_operation(view.id)
                .map(|op| view.at(op))
                .or(around);
            if parent.is_some_and(|parent| !wanted.contains(&parent.name())) {
                let message = match wanted {
                    [only] => format!("expects parent op '{only}'"),
                    many => format!("expects parent op to be one of '{}'", many.join(", ")),
                };
                error(view, diagnostics, message);
                return;
            }
        }
    }
    let broken = types(view, definition)
        .or_else(|| inferred(view, definition))
        .or_else(|| blocks(view, definition));
    if let Some(message) = broken {
        error(view, diagnostics, message);
        return;
    }
    own(view, definition, |one| one.verify, diagnostics);
    if definition.has(Traits::SYMBOL) {
        symbol(view, definition, around, diagnostics);
    }
    if definition.has(Traits::TERMINATOR) {
        terminator(view, diagnostics);
    }
}

/// Calls a check of each trait of the user's own.
#[inline]
fn own(
    view: View<'_>,
    definition: &OperationDefinition,
    check: impl Fn(&OwnTrait) -> Option<fn(View<'_>, &mut Diagnostics)>,
    diagnostics: &mut Diagnostics,
) {
    for rule in definition.rules {
        if let TraitRule::Own(one) = rule
            && let Some(check) = check(one)
        {
            check(view, diagnostics);
        }
    }
}

fn terminator(view: View<'_>, diagnostics: &mut Diagnostics) {
    let block = view.body.parent_block(view.id);
    let last = block.and_then(|block| view.body.last_operation(block));
    if last.is_some_and(|last| last != view.id) {
        let message = "must be the last operation in the parent block";
        error(view, diagnostics, message);
    }
    if view.has(Traits::BRANCH_LIKE) {
        for index in 0..view.successors().len() {
            if let Some(operands) = view.successor_operands(index) {
                branch(view, index, &operands, diagnostics);
            }
        }
    }
}

/// Checks that the operands of a branch match the arguments of its target block.
fn branch(view: View<'_>, index: usize, operands: &[ValueId], diagnostics: &mut Diagnostics) {
    let arguments = view.body.arguments(view.successors()[index]);
    if operands.len() != arguments.len() {
        let message = format!(
            "branch has {} operands for successor #{index}, but target block has {}",
            operands.len(),
            arguments.len()
        );
        diagnostics.error(view.location(), message);
        return;
    }
    let wrong = operands
        .iter()
        .zip(arguments)
        .position(|(o, a)| view.ty(*o) != view.ty(*a));
    if let Some(position) = wrong {
        let message = format!("type mismatch for bb argument #{position} of successor #{index}");
        diagnostics.error(view.location(), message);
    }
}

/// Checks the traits that concern the contents of regions, after these are verified.
pub(super) fn check_regions(
    view: View<'_>,
    definition: &OperationDefinition,
    diagnostics: &mut Diagnostics,
) {
    own(view, definition, |one| one.verify_regions, diagnostics);
    let Some(wanted) = definition.implicit_terminator() else {
        return;
    };
    let body = view.inner();
    for block in view.regions().iter().flat_map(|r| body.blocks(*r)) {
        let Some(last) = body.last_operation(*block) else {
            continue;
        };
        let last = View::new(view.context, body, last);
        if last.name() != wanted {
            let message = format!(
                "expects regions to end with '{wanted}', found '{}'",
                last.name()
            );
            error(view, diagnostics, message).note(
                last.location(),
                format!("in custom textual format, the absence of terminator implies '{wanted}'"),
            );
            return;
        }
    }
}

fn blocks(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    if definition.has(Traits::SINGLE_BLOCK) {
        for (index, region) in view.regions().iter().enumerate() {
            let blocks = view.inner().blocks(*region);
            if blocks.len() > 1 {
                return Some(format!("expects region #{index} to have 0 or 1 blocks"));
            }
            let is_empty = |b: &crate::ids::BlockId| view.inner().first_operation(*b).is_none();
            if !definition.has(Traits::NO_TERMINATOR) && blocks.first().is_some_and(is_empty) {
                return Some("expects a non-empty block".to_owned());
            }
        }
    }
    if definition.has(Traits::NO_REGION_ARGUMENTS) {
        let entries = (0..view.regions().len()).filter_map(|index| view.entry_block(index));
        for entry in entries {
            if !view.inner().arguments(entry).is_empty() {
                let several = view.regions().len() > 1;
                let which = if several { "region #0" } else { "region" };
                return Some(format!("{which} should have no arguments"));
            }
        }
    }
    None
}

fn symbol(
    view: View<'_>,
    definition: &OperationDefinition,
    around: Option<View<'_>>,
    diagnostics: &mut Diagnostics,
) {
    let visibility = view
        .attribute("sym_visibility")
        .map(|a| a.as_str(view.context));
    let message = match visibility {
        Some(None) => "requires visibility attribute 'sym_visibility' to be a string attribute, but got something else".to_owned(),
        Some(Some(text)) if !matches!(text, "public" | "private" | "nested") => {
            format!("visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"{text}\"")
        }
        public => {
            let is_declaration = definition.has(Traits::FUNCTION_LIKE) && view.entry_block(0).is_none();
            let is_public = matches!(public, None | Some(Some("public")));
            let parent = view.body.parent_operation(view.id).map(|op| view.at(op)).or(around);
            if is_declaration && is_public {
                "symbol declaration cannot have public visibility".to_owned()
            } else if parent
                .and_then(View::definition)
                .is_some_and(|d| !d.has(Traits::SYMBOL_TABLE))
            {
                "symbol's parent must have the SymbolTable trait".to_owned()
            } else {
                return;
            }
        }
    };
    error(view, diagnostics, message);
}

fn element(context: &Context, ty: Type) -> Type {
    ty.element_type(context).unwrap_or(ty)
}

/// Returns the sizes of a shaped type: `None` for a scalar, `Some(None)` without a rank.
fn shape(context: &Context, ty: Type) -> Option<Option<SmallVec<[Dimension; 4]>>> {
    match ty.kind(context) {
        TypeKind::Vector { shape, .. } => Some(Some(shape.iter().map(|n| Some(*n)).collect())),
        TypeKind::RankedTensor { shape, .. } | TypeKind::MemRef { shape, .. } => {
            Some(Some(shape.iter().copied().collect()))
        }
        TypeKind::UnrankedTensor(_) | TypeKind::UnrankedMemRef { .. } => Some(None),
        _ => None,
    }
}

/// Returns true if two shapes may be equal at run time; scalars match only scalars.
fn compatible(context: &Context, a: Type, b: Type) -> bool {
    match (shape(context, a), shape(context, b)) {
        (None, None) => true,
        (None, _) | (_, None) => false,
        (Some(None), _) | (_, Some(None)) => true,
        (Some(Some(a)), Some(Some(b))) => {
            a.len() == b.len()
                && a.iter()
                    .zip(&b)
                    .all(|(a, b)| a.is_none() || b.is_none() || a == b)
        }
    }
}

/// Returns true if all shapes may be equal at run time: either all types are scalars or none, ranks are equal and so are the
/// known sizes of each dimension. A scalable vector matches only scalable vectors.
fn same_shape(context: &Context, types: impl Iterator<Item = Type>) -> bool {
    let types: SmallVec<[Type; 4]> = types.collect();
    if types.iter().all(|ty| *ty == types[0]) {
        return true;
    }
    let shapes: Option<SmallVec<[_; 4]>> = types.iter().map(|ty| shape(context, *ty)).collect();
    let Some(shapes) = shapes else {
        return types.iter().all(|ty| shape(context, *ty).is_none());
    };
    let n_scalable = types.iter().filter(|ty| is_scalable(context, **ty)).count();
    let mut known: SmallVec<[Dimension; 4]> = SmallVec::new();
    let mut ranked = shapes.into_iter().flatten();
    if let Some(first) = ranked.next() {
        known = first;
    }
    let agrees = |shape: SmallVec<[Dimension; 4]>| {
        shape.len() == known.len()
            && known.iter_mut().zip(shape).all(|(known, size)| {
                let before = *known;
                *known = before.or(size);
                before.is_none() || size.is_none() || before == size
            })
    };
    (n_scalable == 0 || n_scalable == types.len()) && ranked.all(agrees)
}

fn is_scalable(context: &Context, ty: Type) -> bool {
    matches!(ty.kind(context), TypeKind::Vector { scalable, .. } if scalable.contains(&true))
}

/// Returns true if each type may have the shape of the first one.
fn shapes_like_first(context: &Context, mut types: impl Iterator<Item = Type>) -> bool {
    types
        .next()
        .is_none_or(|first| types.all(|ty| ty == first || compatible(context, ty, first)))
}

/// Returns true if all ranked tensors have the encoding of the first type, if that has one.
fn same_encoding(context: &Context, mut types: impl Iterator<Item = Type>) -> bool {
    let encoding = |ty: Type| match ty.kind(context) {
        TypeKind::RankedTensor { encoding, .. } => Some(*encoding),
        _ => None,
    };
    let Some(wanted) = types.next().and_then(encoding).flatten() else {
        return true;
    };
    types.all(|ty| encoding(ty).is_none_or(|found| found == Some(wanted)))
}

fn same_element(context: &Context, mut types: impl Iterator<Item = Type>) -> bool {
    types.next().is_none_or(|first| {
        types.all(|ty| ty == first || element(context, ty) == element(context, first))
    })
}

fn all_equal(types: impl IntoIterator<Item = Type>) -> bool {
    let mut types = types.into_iter();
    types.next().is_none_or(|first| types.all(|ty| ty == first))
}

fn types(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    let context = view.context;
    let all = || view.operand_types().chain(view.result_types());
    let broken = |message: &str| Some(message.to_owned());
    if definition.has(Traits::SAME_TYPE_OPERANDS) && !all_equal(view.operand_types()) {
        return broken("requires all operands to have the same type");
    }
    let of_operands = Traits::SAME_OPERANDS_AND_RESULT_TYPE;
    if definition.has(of_operands) && view.operands().len() == 0 {
        return broken("expected 1 or more operands, but found 0");
    }
    if view.operands().len() > 0 && !view.results().is_empty() && all_equal(all()) {
        // Equal types have the same shape and element type.
        return None;
    }
    if definition.has(of_operands) {
        if !(same_element(context, all()) && shapes_like_first(context, all())) {
            return broken("requires the same type for all operands and results");
        }
        if !same_encoding(context, view.result_types().chain(view.operand_types())) {
            return broken("requires the same encoding for all operands and results");
        }
    }
    if definition.has(Traits::SAME_OPERANDS_AND_RESULT_SHAPE) && !same_shape(context, all()) {
        return broken("requires the same shape for all operands and results");
    }
    if definition.has(Traits::SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE)
        && !same_element(context, all())
    {
        return broken("requires the same element type for all operands and results");
    }
    if definition.has(Traits::ELEMENTWISE) {
        return elementwise(view);
    }
    None
}

/// Returns the kind of this type, if an elementwise operation iterates over the elements of its values.
fn mapped(context: &Context, ty: Type) -> Option<std::mem::Discriminant<TypeKind>> {
    let kind = ty.kind(context);
    let is_mapped = matches!(
        kind,
        TypeKind::Vector { .. } | TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    );
    is_mapped.then(|| std::mem::discriminant(kind))
}

fn elementwise(view: View<'_>) -> Option<String> {
    let is_shaped = |ty: &Type| mapped(view.context, *ty).is_some();
    let mut all = view.operand_types().chain(view.result_types());
    if !all.any(|ty| is_shaped(&ty)) {
        return None;
    }
    let operands: SmallVec<[Type; 4]> = view.operand_types().filter(is_shaped).collect();
    let results: SmallVec<[Type; 4]> = view.result_types().filter(is_shaped).collect();
    if operands.is_empty() && results.is_empty() {
        return None;
    }
    if !operands.is_empty() && results.is_empty() {
        return Some(
            "if an operand is non-scalar, then there must be at least one non-scalar result"
                .to_owned(),
        );
    }
    if !results.is_empty() && operands.is_empty() {
        return Some(
            "if a result is non-scalar, then at least one operand must be non-scalar".to_owned(),
        );
    }
    if results.len() != view.results().len() {
        return Some("if an operand is non-scalar, then all results must be non-scalar".to_owned());
    }
    let all = || operands.iter().chain(&results).copied();
    let kind = mapped(view.context, operands[0]);
    let same = all().all(|ty| mapped(view.context, ty) == kind) && same_shape(view.context, all());
    (!same).then(|| {
        "all non-scalar operands/results must have the same shape and base type".to_owned()
    })
}

/// Checks that the result types are those that the declaration infers.
fn inferred(view: View<'_>, definition: &OperationDefinition) -> Option<String> {
    let wanted: SmallVec<[Type; 2]> = match definition.infer {
        Some(infer) => view.with_site(infer).ok()?,
        None if definition.has(Traits::SAME_OPERANDS_AND_RESULT_TYPE) => {
            let first = view.operand_types().next()?;
            if view.result_types().all(|ty| ty == first) {
                return None;
            }
            view.result_types().map(|_| first).collect()
        }
        None => return None,
    };
    if view.result_types().eq(wanted.iter().copied()) {
        return None;
    }
    let list = |types: &mut dyn Iterator<Item = Type>| {
        let all: Vec<String> = types
            .map(|ty| format!("'{}'", print_type(view.context, ty)))
            .collect();
        all.join(", ")
    };
    Some(format!(
        "inferred type(s) {} are incompatible with return type(s) of operation {}",
        list(&mut wanted.iter().copied()),
        list(&mut view.result_types())
    ))
}

/// Checks the rules that are predicates on types; reports the first violated rule.
pub(super) fn predicates(
    view: View<'_>,
    definition: &OperationDefinition,
    diagnostics: &mut Diagnostics,
) {
    if let Some(message) = definition
        .rules
        .iter()
        .find_map(|rule| broken_rule(view, definition, rule))
    {
        error(view, diagnostics, message);
    }
}

/// Returns the types of the operands or results with a name.
fn types_named(
    view: View<'_>,
    definition: &OperationDefinition,
    name: &str,
) -> SmallVec<[Type; 4]> {
    if let Some(group) = definition.operands.iter().position(|s| s.name == name) {
        let group = view.operand_group(group);
        return group.iter().map(|v| view.ty(*v)).collect();
    }
    if let Some(group) = definition.results.iter().position(|s| s.name == name) {
        let group = view.result_group(group);
        return group.iter().map(|v| view.ty(*v)).collect();
    }
    let attribute = view.attribute(name).and_then(|a| a.ty(view.context));
    attribute.into_iter().collect()
}

/// Returns true if all types agree in what a rule names, and its name.
fn match_of(
    context: &Context,
    rule: &TraitRule,
    types: impl Iterator<Item = Type>,
) -> (bool, &'static str) {
    let rank = |ty: Type| shape(context, ty).map(|known| known.map(|sizes| sizes.len()));
    let count = |ty: Type| {
        let sizes = ty.static_shape(context)?;
        sizes
            .iter()
            .try_fold(1_u64, |all, size| all.checked_mul(*size))
    };
    match rule {
        TraitRule::AllElementTypesMatch(_) => (same_element(context, types), "element type"),
        TraitRule::AllShapesMatch(_) => (shapes_like_first(context, types), "shape"),
        TraitRule::AllRanksMatch(_) => (all_same(types.map(rank)), "rank"),
        TraitRule::AllElementCountsMatch(_) => (all_same(types.map(count)), "element count"),
        _ => (all_equal(types), "type"),
    }
}

fn all_same<T: PartialEq>(mut all: impl Iterator<Item = T>) -> bool {
    let first = all.next();
    first.is_none_or(|first| all.all(|one| one == first))
}

/// Checks that an attribute divides all operands of a group.
fn nested_sizes(view: View<'_>, group: usize, name: &str) -> Option<String> {
    let sizes = view
        .attribute(name)
        .and_then(|sizes| sizes.as_dense_array_i64(view.context));
    let sizes = sizes.unwrap_or_default();
    if sizes.iter().any(|size| *size < 0) {
        return Some(format!("'{name}' attribute cannot have negative elements"));
    }
    let found = view.operand_group(group).len();
    let total = sizes
        .iter()
        .fold(0_i64, |all, size| all.saturating_add(*size));
    (usize::try_from(total) != Ok(found)).then(|| {
        format!("operand count ({found}) does not match with the total size ({total}) specified in attribute '{name}'")
    })
}

fn broken_rule(
    view: View<'_>,
    definition: &OperationDefinition,
    rule: &TraitRule,
) -> Option<String> {
    match rule {
        TraitRule::HasParent(_) | TraitRule::ImplicitTerminator(_) | TraitRule::Own(_) => None,
        TraitRule::AllTypesMatch(names)
        | TraitRule::AllElementTypesMatch(names)
        | TraitRule::AllShapesMatch(names)
        | TraitRule::AllRanksMatch(names)
        | TraitRule::AllElementCountsMatch(names) => {
            let types = names
                .iter()
                .flat_map(|name| types_named(view, definition, name));
            let (holds, what) = match_of(view.context, rule, types);
            (!holds).then(|| {
                format!(
                    "failed to verify that all of {{{}}} have same {what}",
                    names.join(", ")
                )
            })
        }
        TraitRule::NestedSizes { group, sizes } => nested_sizes(view, *group, sizes),
        TraitRule::TypesMatchWith {
            summary,
            from,
            to,
            transform,
        } => {
            let from = *types_named(view, definition, from).first()?;
            let to = *types_named(view, definition, to).first()?;
            (transform(view.context, from) != Some(to))
                .then(|| format!("failed to verify that {summary}"))
        }
        TraitRule::Predicate { summary, check } => {
            (!check(view)).then(|| format!("failed to verify that {summary}"))
        }
    }
}
