//! The hierarchy of modules and instances, and its cycles.

use std::collections::BTreeMap;

use sluice_ir::{Context, Diagnostics, Location, Module, View};

/// Greatest number of module cycles that are reported.
const MAX_LISTED: usize = 20;

/// An instance: its name, the index of its module, and its source location.
struct Instance<'c> {
    name: &'c str,
    of: usize,
    location: Location,
}

/// Returns an error for each cycle of modules that instantiate each other: the circuit would be infinite.
///
/// Of cycles that share an instance, only one is reported.
pub fn recursive_instances(context: &Context, module: &Module) -> Diagnostics {
    let inner = module.inner();
    let all = module.top_level_operations().into_iter();
    let all = all.map(|op| View::new(context, inner, op));
    let modules: Vec<View<'_>> = all.filter(|view| view.name() == "hw.module").collect();
    let symbols = modules.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = symbols
        .filter_map(|(number, view)| Some((view.symbol_name()?, number)))
        .collect();
    let instances = |module: &View<'_>| -> Vec<Instance<'_>> {
        let body = module.inner();
        let all = body.walk_all().into_iter();
        all.filter_map(|op| {
            let view = View::new(context, body, op);
            let of = view.attribute("moduleName")?.as_flat_symbol(context)?;
            let name = view.attribute("instanceName");
            (view.name() == "hw.instance").then_some(Instance {
                name: name
                    .and_then(|name| name.as_str(context))
                    .unwrap_or_default(),
                of: *numbers.get(of)?,
                location: view.location(),
            })
        })
        .collect()
    };
    let instances: Vec<Vec<Instance<'_>>> = modules.iter().map(instances).collect();
    let mut found = Diagnostics::new();
    let mut was_seen = vec![false; modules.len()];
    // The stack of a depth-first search: modules in progress, each with its next instance.
    let mut place: Vec<Option<usize>> = vec![None; modules.len()];
    for root in 0..modules.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !was_seen[root] {
            was_seen[root] = true;
            place[root] = Some(0);
            path.push((root, 0));
        }
        while let Some((module, next)) = path.last_mut() {
            let Some(instance) = instances[*module].get(*next) else {
                place[*module] = None;
                path.pop();
                continue;
            };
            *next += 1;
            if let Some(first) = place[instance.of] {
                if found.all.len() < MAX_LISTED {
                    let cycle = path.get(first..).unwrap_or_default();
                    let steps = cycle
                        .iter()
                        .filter_map(|(module, next)| instances[*module].get(next.checked_sub(1)?));
                    let steps: Vec<&Instance<'_>> = steps.collect();
                    tell(&modules, instance.of, &steps, &mut found);
                }
            } else if !was_seen[instance.of] {
                was_seen[instance.of] = true;
                place[instance.of] = Some(path.len());
                path.push((instance.of, 0));
            }
        }
    }
    found
}

/// Adds the error for a cycle: the instances on it, the first in the module `begin`.
fn tell(modules: &[View<'_>], begin: usize, steps: &[&Instance<'_>], found: &mut Diagnostics) {
    let name = |number: usize| {
        let view = modules.get(number);
        let name = view.and_then(|view| view.symbol_name());
        format!("@{}", name.unwrap_or_default())
    };
    let Some(first) = steps.first() else {
        return;
    };
    let mut whole = name(begin);
    for step in steps {
        whole += &format!(" -> {}", name(step.of));
    }
    let error = found.error(
        first.location,
        format!(
            "`hw.instance`: `{}` has an instance of itself inside: {whole}",
            name(begin)
        ),
    );
    for (before, step) in steps.iter().zip(steps.iter().skip(1)) {
        let note = format!(
            "`{}` has the instance `{}` of `{}` here",
            name(before.of),
            step.name,
            name(step.of)
        );
        error.note(step.location, note);
    }
    error.hint(
        "a module has instances of other modules alone, which end at modules without instances",
    );
}
