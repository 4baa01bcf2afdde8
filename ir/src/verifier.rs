//! The verifier: structure, declared constraints, traits, dominance; every error, not only the first.
//!
//! Order as MLIR documents it ("Defining Dialects / Operations", section "Verification Ordering"): structure of the operation,
//! declared constraints, traits and rules, `verify`, nested operations, `verify_regions`.

use std::collections::BTreeMap;

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graphmap::DiGraphMap;

use crate::body::{Body, ValueDefinition};
use crate::context::Context;
use crate::definition::{
    Arity, OperandSpec, OperationDefinition, Presence, RegionConstraint, TraitRule, Traits,
};
use crate::diagnostics::Diagnostics;
use crate::ids::{BlockId, OperationId, RegionId, Type, ValueId};
use crate::module::Module;
use crate::symbols::SymbolTable;
use crate::text::print_type;
use crate::view::View;

/// Verifies a whole module.
pub fn verify(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    operation(module.view(context), diagnostics);
}

/// Verifies one operation and all that is nested in it.
pub fn verify_operation(view: View<'_>, diagnostics: &mut Diagnostics) {
    operation(view, diagnostics);
}

fn error(view: View<'_>, diagnostics: &mut Diagnostics, message: impl AsRef<str>) {
    diagnostics.error(
        view.location(),
        format!("'{}' op {}", view.name(), message.as_ref()),
    );
}

fn operation(view: View<'_>, diagnostics: &mut Diagnostics) {
    let before = diagnostics.all.len();
    match view.definition() {
        Some(definition) => {
            constraints(view, definition, diagnostics);
            if diagnostics.all.len() == before {
                traits(view, definition, diagnostics);
            }
            if let (Some(verify), true) = (definition.verify, diagnostics.all.len() == before) {
                verify(view, diagnostics);
            }
        }
        None => {
            if !view.context.allow_unregistered {
                let message = "is not registered; `--allow-unregistered-dialect` accepts it";
                error(view, diagnostics, message);
            }
        }
    }
    let sound = diagnostics.all.len() == before;
    for region in view.regions() {
        verify_region(view, *region, diagnostics);
    }
    if let Some(definition) = view
        .definition()
        .filter(|_| sound && diagnostics.all.len() == before)
    {
        if definition.has(Traits::SYMBOL_TABLE) {
            SymbolTable::new(view, diagnostics).verify_uses(diagnostics);
        }
        if let Some(verify) = definition.verify_regions {
            verify(view, diagnostics);
        }
    }
}

/// Operands, results, attributes, regions and successors as declared.
fn constraints(view: View<'_>, definition: &OperationDefinition, diagnostics: &mut Diagnostics) {
    let operand_types: Vec<Type> = view.operand_types().collect();
    let result_types: Vec<Type> = view.result_types().collect();
    let operand_segment = |group| view.operand_segment(group);
    values(
        view,
        "operand",
        definition.operands,
        &operand_types,
        &operand_segment,
        diagnostics,
    );
    let result_segment = |group| view.result_segment(group);
    values(
        view,
        "result",
        definition.results,
        &result_types,
        &result_segment,
        diagnostics,
    );
    for spec in definition.attributes {
        match (view.attribute(spec.name), &spec.presence) {
            (None, Presence::Required) => {
                error(
                    view,
                    diagnostics,
                    format!("requires attribute '{}'", spec.name),
                );
            }
            (Some(attribute), _) if !(spec.constraint.check)(view.context, attribute) => {
                let message = format!(
                    "attribute '{}' failed to satisfy constraint: {}",
                    spec.name, spec.constraint.summary
                );
                error(view, diagnostics, message);
            }
            _ => {}
        }
    }
    let variadic = definition
        .regions
        .iter()
        .any(|r| r.arity == Arity::Variadic);
    if !variadic && view.regions().len() != definition.regions.len() {
        let message = format!(
            "requires {} regions, but has {}",
            definition.regions.len(),
            view.regions().len()
        );
        error(view, diagnostics, message);
    }
    for (spec, region) in definition.regions.iter().zip(view.regions()) {
        let n_blocks = view.inner().blocks(*region).len();
        let fits = match spec.constraint {
            RegionConstraint::Any => true,
            RegionConstraint::Sized(n) => n_blocks == n,
            RegionConstraint::MaxSized(n) => n_blocks <= n,
        };
        if !fits {
            let wanted = match spec.constraint {
                RegionConstraint::Sized(n) => format!("region with {n} blocks"),
                RegionConstraint::MaxSized(n) => format!("region with at most {n} blocks"),
                RegionConstraint::Any => "any region".to_owned(),
            };
            error(
                view,
                diagnostics,
                format!(
                    "region '{}' failed to verify constraint: {wanted}",
                    spec.name
                ),
            );
        }
    }
    let flexible = definition
        .successors
        .iter()
        .any(|s| s.arity == Arity::Variadic);
    if !flexible && view.successors().len() != definition.successors.len() {
        let message = format!(
            "requires {} successors but found {}",
            definition.successors.len(),
            view.successors().len()
        );
        error(view, diagnostics, message);
    }
}

fn values(
    view: View<'_>,
    what: &str,
    specs: &[OperandSpec],
    types: &[Type],
    segment: &dyn Fn(usize) -> Option<(usize, usize)>,
    diagnostics: &mut Diagnostics,
) {
    if specs.is_empty() {
        if !types.is_empty() {
            error(view, diagnostics, format!("requires zero {what}s"));
        }
        return;
    }
    for (group, spec) in specs.iter().enumerate() {
        let Some((start, len)) = segment(group) else {
            let singles = specs.iter().filter(|s| s.arity == Arity::Single).count();
            let message = if singles == specs.len() {
                format!("expected {singles} {what}s, but found {}", types.len())
            } else {
                format!(
                    "{what} count {} does not fit the declared groups",
                    types.len()
                )
            };
            error(view, diagnostics, message);
            return;
        };
        for (index, ty) in types.iter().enumerate().skip(start).take(len) {
            if !(spec.constraint.check)(view.context, *ty) {
                let message = format!(
                    "{what} #{index} must be {}, but got '{}'",
                    spec.constraint.summary,
                    print_type(view.context, *ty)
                );
                error(view, diagnostics, message);
            }
        }
    }
}

fn all_equal(types: impl IntoIterator<Item = Type>) -> bool {
    let mut types = types.into_iter();
    types.next().is_none_or(|first| types.all(|ty| ty == first))
}

fn traits(view: View<'_>, definition: &OperationDefinition, diagnostics: &mut Diagnostics) {
    if definition.has(Traits::SAME_TYPE_OPERANDS) && !all_equal(view.operand_types()) {
        error(
            view,
            diagnostics,
            "requires all operands to have the same type",
        );
    }
    if definition.has(Traits::SAME_OPERANDS_AND_RESULT_TYPE)
        && !all_equal(view.operand_types().chain(view.result_types()))
    {
        error(
            view,
            diagnostics,
            "requires the same type for all operands and results",
        );
    }
    if definition.has(Traits::TERMINATOR) {
        let last = view
            .body
            .parent_block(view.id)
            .and_then(|block| view.body.last_operation(block));
        if last.is_some_and(|last| last != view.id) {
            error(
                view,
                diagnostics,
                "must be the last operation in the parent block",
            );
        }
    }
    if definition.has(Traits::SINGLE_BLOCK) {
        for (i, region) in view.regions().iter().enumerate() {
            if view.inner().blocks(*region).len() > 1 {
                error(
                    view,
                    diagnostics,
                    format!("expects region #{i} to have 0 or 1 blocks"),
                );
            }
        }
    }
    for rule in definition.rules {
        if let Some(message) = broken_rule(view, definition, rule) {
            error(view, diagnostics, message);
        }
    }
}

/// The types of what a name stands for.
fn types_named(view: View<'_>, definition: &OperationDefinition, name: &str) -> Vec<Type> {
    if let Some(group) = definition.operands.iter().position(|s| s.name == name) {
        return view
            .operand_group(group)
            .iter()
            .map(|v| view.ty(*v))
            .collect();
    }
    if let Some(group) = definition.results.iter().position(|s| s.name == name) {
        return view
            .result_group(group)
            .iter()
            .map(|v| view.ty(*v))
            .collect();
    }
    view.attribute(name)
        .and_then(|a| a.ty(view.context))
        .into_iter()
        .collect()
}

fn broken_rule(
    view: View<'_>,
    definition: &OperationDefinition,
    rule: &TraitRule,
) -> Option<String> {
    match rule {
        TraitRule::HasParent(wanted) => {
            // The parent of an operation at the top of an isolated body is the owner, which is not in view here.
            let parent = view.at(view.body.parent_operation(view.id)?).name();
            (!wanted.contains(&parent))
                .then(|| format!("expects parent op '{}'", wanted.join("' or '")))
        }
        TraitRule::ImplicitTerminator(_) => None,
        TraitRule::AllTypesMatch(names) => {
            let types = names
                .iter()
                .flat_map(|name| types_named(view, definition, name));
            (!all_equal(types)).then(|| {
                format!(
                    "failed to verify that all of {{{}}} have same type",
                    names.join(", ")
                )
            })
        }
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

type BlockGraph = DiGraphMap<u32, ()>;

fn node(block: BlockId) -> u32 {
    u32::try_from(block.index()).expect("fewer than 2^32 blocks")
}

fn verify_region(owner: View<'_>, region: RegionId, diagnostics: &mut Diagnostics) {
    let body = owner.inner();
    let blocks = body.blocks(region).to_vec();
    let graph_region = owner.has(Traits::GRAPH_REGION) || owner.definition().is_none();
    let may_lack_terminator = graph_region || owner.has(Traits::NO_TERMINATOR);
    for block in &blocks {
        let Some(last) = body.last_operation(*block) else {
            if !may_lack_terminator {
                error(
                    owner,
                    diagnostics,
                    "has an empty block: expect at least a terminator",
                );
            }
            continue;
        };
        let last = View::new(owner.context, body, last);
        if !may_lack_terminator
            && last
                .definition()
                .is_some_and(|d| !d.has(Traits::TERMINATOR))
        {
            let message = "block with no terminator, has ";
            diagnostics.error(last.location(), format!("{message}'{}'", last.name()));
        }
        for successor in last.successors() {
            if body.parent_region(*successor) != Some(region) {
                error(
                    last,
                    diagnostics,
                    "reference to block defined in another region",
                );
            }
        }
    }
    if !graph_region {
        dominance(owner.context, body, &blocks, diagnostics);
    }
    for block in blocks {
        for op in body.operations(block) {
            operation(View::new(owner.context, body, op), diagnostics);
        }
    }
}

/// Every use in these blocks, and in the regions below them, is dominated by its definition.
fn dominance(context: &Context, body: &Body, blocks: &[BlockId], diagnostics: &mut Diagnostics) {
    let Some(entry) = blocks.first() else { return };
    let mut graph = BlockGraph::new();
    graph.add_node(node(*entry));
    for block in blocks {
        for successor in body
            .last_operation(*block)
            .map(|op| body.successors(op).to_vec())
            .unwrap_or_default()
        {
            graph.add_edge(node(*block), node(successor), ());
        }
    }
    let dominators: Dominators<u32> = simple_fast(&graph, node(*entry));
    for block in blocks {
        let reachable = *block == *entry || dominators.immediate_dominator(node(*block)).is_some();
        if !reachable {
            continue;
        }
        let mut positions: BTreeMap<OperationId, usize> = BTreeMap::new();
        for (position, op) in body.operations(*block).enumerate() {
            positions.insert(op, position);
        }
        for (position, op) in body.operations(*block).enumerate() {
            for (index, value) in body.operands(op).enumerate() {
                if !defined_before(body, &dominators, *block, &positions, position, value) {
                    let location = body.location(op);
                    diagnostics
                        .error(
                            location,
                            format!("operand #{index} does not dominate this use"),
                        )
                        .note(body.value_location(value), "operand defined here");
                }
            }
        }
    }
    let _ = context;
}

/// Whether `value` is there at `position` of `block`; values of blocks around are checked where those are.
fn defined_before(
    body: &Body,
    dominators: &Dominators<u32>,
    block: BlockId,
    positions: &BTreeMap<OperationId, usize>,
    position: usize,
    value: ValueId,
) -> bool {
    let Some(home) = body.defining_block(value) else {
        return false;
    };
    if home == block {
        return match body.value_definition(value) {
            ValueDefinition::Argument { .. } => true,
            ValueDefinition::Result { operation, .. } => {
                positions.get(&operation).is_some_and(|at| *at < position)
            }
        };
    }
    if body.parent_region(home) == body.parent_region(block) {
        return dominators
            .dominators(node(block))
            .is_some_and(|mut all| all.any(|d| d == node(home)));
    }
    // A value of a region around: it must come before the operation that holds this block.
    let mut current = body.block_parent_operation(block);
    while let Some(op) = current {
        let around = body.parent_block(op);
        if around == Some(home) {
            return match body.value_definition(value) {
                ValueDefinition::Argument { .. } => true,
                ValueDefinition::Result { operation, .. } => body
                    .operations(home)
                    .take_while(|o| *o != op)
                    .any(|o| o == operation),
            };
        }
        if around.is_some_and(|b| body.parent_region(b) == body.parent_region(home)) {
            // Another block of a region around: accepted here, checked against that region's dominators by its own uses.
            return true;
        }
        current = body.parent_operation(op);
    }
    false
}
