//! Directives of the configuration, put on the loops they name.

use std::collections::BTreeSet;

use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Attribute, Context, Diagnostics, Module, View};

use crate::config::{Config, LoopDirectives};

/// The directives for `restructure`.
fn restructuring(context: &Context, directives: &LoopDirectives) -> Vec<(&'static str, Attribute)> {
    let mut found = Vec::new();
    let switches = [
        (sluice_transform::DISTRIBUTE, directives.distribute),
        (sluice_transform::FUSE, directives.fuse),
    ];
    for (name, value) in switches {
        found.extend(value.map(|value| (name, context.bool_attribute(value))));
    }
    if !directives.interchange.is_empty() {
        let order = directives.interchange.iter();
        let order: Vec<Attribute> = order.map(|n| context.string_attribute(n)).collect();
        found.push((
            sluice_transform::INTERCHANGE,
            context.array_attribute(&order),
        ));
    }
    let counts = [
        (sluice_transform::TILE, directives.tile),
        (sluice_transform::PEEL_FIRST, directives.peel_first),
        (sluice_transform::PEEL_LAST, directives.peel_last),
    ];
    for (name, count) in counts {
        found.extend(count.map(|count| (name, context.i64_attribute(i64::from(count)))));
    }
    found
}

/// Attaches the directives; a name no loop has is an error.
pub(crate) fn attach(
    context: &Context,
    module: &mut Module,
    config: &Config,
    diagnostics: &mut Diagnostics,
) {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut functions: BTreeSet<String> = BTreeSet::new();
    for op in module.top_level_operations() {
        let view = View::new(context, module.inner(), op);
        let name = view.symbol_name().unwrap_or_default().to_owned();
        if view.name() != "func.func" {
            continue;
        }
        functions.insert(name.clone());
        if config.keep.contains(&name) {
            module.inner_mut().set_attribute(
                op,
                context.name("sluice.no_inline"),
                context.unit_attribute(),
            );
        }
        let body = module.inner_mut().inner_mut(op);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if !matches!(view.name(), "affine.for" | "scf.for") {
                continue;
            }
            let variable = view
                .entry_block(0)
                .and_then(|b| body.arguments(b).first().copied());
            let Some(variable) = variable.and_then(|v| body.value_name(v)) else {
                continue;
            };
            let variable = context.text(variable).to_owned();
            found.insert(variable.clone());
            let Some(directives) = config.loops.get(&variable) else {
                continue;
            };
            let mut set =
                |name: &str, attribute| body.set_attribute(op, context.name(name), attribute);
            if let Some(pipeline) = directives.pipeline {
                set("sluice.pipeline", context.bool_attribute(pipeline));
            }
            if let Some(flatten) = directives.flatten {
                set(sluice_transform::FLATTEN, context.bool_attribute(flatten));
            }
            if let Some(ii) = directives.ii {
                set("sluice.fixed_ii", context.i64_attribute(i64::from(ii)));
            }
            if let Some(unroll) = directives.unroll {
                set("sluice.unroll", context.i64_attribute(i64::from(unroll)));
            }
            for (name, attribute) in restructuring(context, directives) {
                set(name, attribute);
            }
        }
    }
    for name in config.keep.iter().filter(|name| !functions.contains(*name)) {
        let known: Vec<&str> = functions.iter().map(String::as_str).collect();
        let message = format!(
            "`keep` names a function `{name}` that is not there; {}",
            did_you_mean(name, &known)
        );
        diagnostics.error(module.body.location(module.operation), message);
    }
    for name in config.loops.keys().filter(|name| !found.contains(*name)) {
        let known: Vec<_> = found.iter().map(|f| format!("`{f}`")).collect();
        let message = format!(
            "directives for a loop `{name}`, but the loops are called {}",
            known.join(", ")
        );
        diagnostics.error(module.body.location(module.operation), message);
    }
}
