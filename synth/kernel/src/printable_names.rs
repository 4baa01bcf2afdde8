//! Replaces names with unprintable characters after parsing, before any output mentions them.
//!
//! A symbol may contain any character, even a line break. Reports, messages, waveforms and logs print names and rely on this
//! replacement.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::printable::{printable, printable_lines};
use sluice_ir::{Attribute, AttributeKind, Body, Context, Module, Name, OperationId, TypeKind};

/// Attributes whose strings are names: of modules, ports, instances, registers and operations.
const NAMING: [&str; 9] = [
    "argNames",
    "instanceName",
    "module_type",
    "name",
    "resNames",
    "resultNames",
    "sv.namehint",
    "sym_name",
    "verilogName",
];

/// Replaces unprintable names in definitions and references. Distinct names stay distinct.
pub fn make_names_printable(context: &Context, module: &mut Module, source: &str) {
    // An unprintable name is in quotes, with the characters themselves or with escapes.
    let may_be = source.contains('"')
        && (source.contains('\\') || printable_lines(source).as_ref() != source);
    if !may_be {
        return;
    }
    let mut names = BTreeSet::new();
    let mut collect = |name: &str| {
        names.insert(name.to_owned());
        None
    };
    visit(context, &mut module.body, &mut collect);
    let mut taken = names.clone();
    let mut renamed = BTreeMap::new();
    for name in &names {
        let mut shown = printable(name).into_owned();
        if shown != *name {
            while !taken.insert(shown.clone()) {
                shown.push('_');
            }
            renamed.insert(name.as_str(), shown);
        }
    }
    if !renamed.is_empty() {
        let mut rename = |name: &str| renamed.get(name).cloned();
        visit(context, &mut module.body, &mut rename);
    }
}

/// Returns the new name for a name, or `None` if the name stays.
type Rename<'a> = dyn FnMut(&str) -> Option<String> + 'a;

fn visit(context: &Context, body: &mut Body, rename: &mut Rename<'_>) {
    for op in body.walk_all() {
        visit_attributes(context, body, op, rename);
    }
    for (_, inner) in body.isolated_bodies_mut() {
        visit(context, inner, rename);
    }
}

fn visit_attributes(context: &Context, body: &mut Body, op: OperationId, rename: &mut Rename<'_>) {
    let all = body.attributes(op).to_vec();
    for (name, old) in all {
        let is_naming = NAMING.contains(&context.text(name));
        let new = renamed(context, old, is_naming, rename);
        if new != old {
            body.set_attribute(op, name, new);
        }
    }
}

/// Returns an attribute with renamed symbol references and, if `is_naming`, with all its strings renamed.
fn renamed(
    context: &Context,
    attribute: Attribute,
    is_naming: bool,
    rename: &mut Rename<'_>,
) -> Attribute {
    let mut all = |parts: &[Attribute]| -> Vec<Attribute> {
        let parts = parts.iter();
        parts
            .map(|part| renamed(context, *part, is_naming, rename))
            .collect()
    };
    match attribute.kind(context) {
        AttributeKind::String { ty: None, .. } if is_naming => {
            let new = attribute.as_str(context).and_then(rename);
            new.map_or(attribute, |new| context.string_attribute(&new))
        }
        AttributeKind::SymbolRef { root, nested } => {
            let mut other =
                |name: Name| rename(context.text(name)).map_or(name, |new| context.name(&new));
            context.attribute(AttributeKind::SymbolRef {
                root: other(*root),
                nested: nested.iter().map(|name| other(*name)).collect(),
            })
        }
        AttributeKind::Array(parts) => context.array_attribute(&all(parts)),
        AttributeKind::Dialect { name, parameters } => context.attribute(AttributeKind::Dialect {
            name: *name,
            parameters: all(parameters).into(),
        }),
        AttributeKind::Type(ty) if is_naming => match ty.kind(context) {
            TypeKind::Dialect { name, parameters } => {
                let ty = TypeKind::Dialect {
                    name: *name,
                    parameters: all(parameters).into(),
                };
                context.attribute(AttributeKind::Type(context.ty(ty)))
            }
            _ => attribute,
        },
        _ => attribute,
    }
}
