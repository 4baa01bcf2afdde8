//! Rewrites a module for a reader of an older version of MLIR: what that version does not have becomes what it has.

use sluice_dialects::{affine, arith, index_lists::DYNAMIC, math, memref};
use sluice_ir::definition::{AttributeSpec, OperationDefinition};
use sluice_ir::location::LocationKind;
use sluice_ir::types::FloatKind;
use sluice_ir::{
    AttributeKind, Body, Builder, Context, Diagnostics, Location, Module, NewOperation, Type,
    TypeKind, View,
};

use crate::build::{all_named, constant, replace};
use crate::lowering::float_classes::lower_float_classes;
use crate::lowering::lower_affine::lower_index_lists;
use crate::lowering::unsigned_loops::lower_unsigned_loops;

/// Attributes of later versions that only give hints: without them, an operation means the same or is defined for more values.
const HINTS: &[&str] = &[
    "alignment",
    "branch_weights",
    "invariant",
    "isExact",
    "no_inline",
    "nonNeg",
    "overflowFlags",
];

/// Attributes of calls and functions of later versions that older ones keep among the other attributes.
const KEPT: &[&str] = &["arg_attrs", "no_inline", "res_attrs"];

/// Operations whose flags have no place in the text before MLIR 24.
const TESTS: &[&str] = &[
    math::Isfinite::NAME,
    math::Isinf::NAME,
    math::Isnan::NAME,
    math::Isnormal::NAME,
];

/// Returns whether older versions keep an attribute of an operation.
fn is_kept(spec: &AttributeSpec, definition: Option<&OperationDefinition>) -> bool {
    KEPT.contains(&spec.name) && definition.is_some_and(|d| d.dialect() == "func")
}

/// Rewrites a module for `version` of MLIR; reports operations, attributes and types that have no form there.
pub fn for_version(
    context: &Context,
    module: &mut Module,
    version: u32,
    diagnostics: &mut Diagnostics,
) {
    body(context, module.inner_mut(), version, diagnostics);
}

fn body(context: &Context, inside: &mut Body, version: u32, diagnostics: &mut Diagnostics) {
    promises(context, inside, version);
    if version < 21 {
        subscripts(context, inside, diagnostics);
    }
    bases(context, inside, version);
    if version < memref::DistinctObjects::DEFINITION.since {
        // Clamps, pairs of functions and unsigned bounds came with the same version.
        lower_float_classes(context, inside);
        lower_unsigned_loops(context, inside);
    }
    for op in inside.walk_all() {
        if version < 20 {
            let location = without_ranges(context, inside.location(op));
            inside.set_location(op, location);
        }
        let is_test = version < 24 && TESTS.contains(&crate::build::name(context, inside, op));
        for (name, attribute) in inside.attributes(op).to_vec() {
            if let AttributeKind::Location(location) = attribute.kind(context)
                && version < 20
            {
                let kind = AttributeKind::Location(without_ranges(context, *location));
                inside.set_attribute(op, name, context.attribute(kind));
            }
            let definition = inside.definition(context, op);
            let text = context.text(name);
            let spec = definition.and_then(|d| d.attributes.iter().find(|s| s.name == text));
            if is_test && text == "fastmath" {
                inside.remove_attribute(op, name);
            }
            if spec.is_none_or(|spec| spec.since <= version || is_kept(spec, definition)) {
                continue;
            }
            let is_default = text == "roundingmode"
                && arith::ROUNDING_MODES.value(context, attribute) == Some(0);
            if HINTS.contains(&text) || is_default {
                inside.remove_attribute(op, name);
            }
        }
        if inside.is_isolated(op) {
            body(context, inside.inner_mut(op), version, diagnostics);
        }
        report(View::new(context, inside, op), version, diagnostics);
    }
}

/// Gives promises on memories the results of the version, or none.
fn promises(context: &Context, body: &mut Body, version: u32) {
    if version < memref::DistinctObjects::DEFINITION.since {
        for op in all_named(context, body, memref::DistinctObjects::NAME) {
            let operands: Vec<_> = body.operands(op).collect();
            replace(body, op, &operands);
        }
    }
    // Since MLIR 21, a promise of an alignment has a result.
    let has_result = version >= 21;
    for op in all_named(context, body, memref::AssumeAlignment::NAME) {
        if body.results(op).is_empty() != has_result {
            continue;
        }
        let memory = body.operand(op, 0);
        let ty = body.ty(memory);
        let mut new = NewOperation::new(body.name(op), body.location(op));
        new.operands.push(memory);
        new.attributes = body.attributes(op).to_vec();
        if has_result {
            new.result_types.push(ty);
        }
        let mut builder = Builder::before(context, body, op);
        builder.create(new);
        let results = body.results(op).len();
        replace(body, op, &[memory][..results]);
    }
}

/// Reports subscripts that are digits of numbers, or numbers of digits: they came with MLIR 21.
fn subscripts(context: &Context, body: &Body, diagnostics: &mut Diagnostics) {
    let lists = [affine::DelinearizeIndex::NAME, affine::LinearizeIndex::NAME];
    for op in lists.iter().flat_map(|kind| all_named(context, body, kind)) {
        let view = View::new(context, body, op);
        let uses = view.results().iter().flat_map(|result| body.uses(*result));
        let mut users = uses.map(|(user, _)| crate::build::name(context, body, user));
        let user = users.find(|user| user.starts_with("affine.") && !lists.contains(user));
        if let Some(user) = user {
            let message = format!(
                "`{}` as an operand of `{user}` came with MLIR 21: older versions cannot read it",
                view.name()
            );
            diagnostics.error(view.location(), message);
        }
    }
}

/// Gives lists of bases the form of the version: numbers in an attribute, or all as operands.
fn bases(context: &Context, body: &mut Body, version: u32) {
    if version < affine::LinearizeIndex::DEFINITION.since {
        lower_index_lists(context, body, |view| {
            let n_bases = affine::bases(view).len();
            view.name() == affine::LinearizeIndex::NAME
                || n_bases == 0
                || n_bases != view.results().len()
        });
    }
    let name = context.name("static_basis");
    for op in all_named(context, body, affine::DelinearizeIndex::NAME) {
        let bases = affine::bases(View::new(context, body, op));
        if version >= affine::LinearizeIndex::DEFINITION.since {
            if body.attribute_named(context, op, "static_basis").is_none() {
                let numbers = vec![DYNAMIC; bases.len()];
                body.set_attribute(op, name, context.dense_i64_array(&numbers));
            }
            continue;
        }
        let number = body.operand(op, 0);
        let types: Vec<Type> = body.results(op).iter().map(|v| body.ty(*v)).collect();
        let index = context.index_type();
        let mut builder = Builder::before(context, body, op);
        let mut new = NewOperation::new(builder.body.name(op), builder.location);
        new.operands.push(number);
        for base in bases {
            new.operands.push(match base {
                affine::Base::Known(number) => constant(&mut builder, index, number),
                affine::Base::Value(value) => value,
            });
        }
        new.result_types.extend(types);
        let made = builder.create(new);
        for (name, attribute) in body.attributes(op).to_vec() {
            if context.text(name) != "static_basis" {
                body.set_attribute(made, name, attribute);
            }
        }
        let results = body.results(made).to_vec();
        replace(body, op, &results);
    }
}

/// Returns a location whose ranges of files are their starts.
fn without_ranges(context: &Context, location: Location) -> Location {
    let kind = match &*location.kind(context) {
        LocationKind::Unknown | LocationKind::File { .. } => return location,
        LocationKind::Range {
            file, line, column, ..
        } => return context.file_location(*file, *line, *column),
        LocationKind::Name { name, child } => LocationKind::Name {
            name: *name,
            child: without_ranges(context, *child),
        },
        LocationKind::CallSite { callee, caller } => LocationKind::CallSite {
            callee: without_ranges(context, *callee),
            caller: without_ranges(context, *caller),
        },
        LocationKind::Fused { parts, metadata } => LocationKind::Fused {
            parts: parts
                .iter()
                .map(|part| without_ranges(context, *part))
                .collect(),
            metadata: *metadata,
        },
    };
    context.location(kind)
}

/// Reports what `version` does not have: the operation, an attribute of it, or the type of a result.
fn report(view: View<'_>, version: u32, diagnostics: &mut Diagnostics) {
    let Some(definition) = view.definition() else {
        return;
    };
    let name = definition.name;
    let mut attributes = definition.attributes.iter();
    let attribute = attributes.find(|spec| {
        spec.since > version
            && !is_kept(spec, Some(definition))
            && view.attribute(spec.name).is_some()
    });
    let kind = (name == memref::AtomicRmw::NAME)
        .then(|| view.attribute("kind")?.as_i64(view.context))
        .flatten();
    let float = view
        .result_types()
        .find_map(|ty| later_float(view.context, ty));
    let (what, since) = if definition.since > version {
        (format!("`{name}`"), definition.since)
    } else if let Some(spec) = attribute {
        (format!("`{}` of `{name}`", spec.name), spec.since)
    } else if version < 22 && kind == Some(15) {
        (format!("the kind `xori` of `{name}`"), 22)
    } else if let Some(float) = float.filter(|_| version < 20) {
        (format!("the type `{}`", float.keyword()), 20)
    } else {
        return;
    };
    let message = format!("{what} came with MLIR {since}: MLIR {version} cannot read it");
    diagnostics.error(view.location(), message);
}

/// Returns the float format that came with MLIR 20, if a type consists of it.
fn later_float(context: &Context, ty: Type) -> Option<FloatKind> {
    let element = ty.element_type(context).unwrap_or(ty);
    match element.kind(context) {
        TypeKind::Float(kind) => matches!(
            kind,
            FloatKind::F4E2M1FN
                | FloatKind::F6E2M3FN
                | FloatKind::F6E3M2FN
                | FloatKind::F8E3M4
                | FloatKind::F8E8M0FNU
        )
        .then_some(*kind),
        _ => None,
    }
}
