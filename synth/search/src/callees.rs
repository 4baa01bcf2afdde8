//! Static schedules for the functions that an elastic kernel calls, and for the loops that the user or a choice gives to a
//! schedule: each becomes a circuit of its own.

use std::collections::BTreeSet;

use sluice_config::{Regions, Style};
use sluice_dialects::sluice::{CIRCUIT, LATENCY};
use sluice_dialects::{func, hw, hw::copy_module, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Attribute, Context, Diagnostics, Exact, Module, OperationId, View};

use crate::called_circuits::{Callees, Made};
use crate::function_config::for_function;
use crate::prepare::prepare;
use crate::setting::{Setting, manager};

/// Suffix of the called function's name; its circuit keeps the original name.
const CALLED: &str = "_call";

/// Outlines the loops of an elastic kernel that get a static schedule into functions.
pub fn outline(
    setting: &Setting<'_>,
    context: &Context,
    module: &mut Module,
    found: &mut Diagnostics,
) {
    if setting.config.style == Style::Static {
        return;
    }
    let Some(top) = module.lookup_symbol(context, setting.top) else {
        return;
    };
    let body = module.inner_mut().inner_mut(top);
    match setting.config.regions {
        Regions::Said => {}
        Regions::Regular => {
            for op in sluice_transform::regular_loops(context, body) {
                let style = context.string_attribute(sluice_transform::STATIC);
                body.set_attribute(op, context.name(sluice_dialects::sluice::STYLE), style);
            }
        }
        Regions::Others => sluice_transform::mark_others(context, body),
    }
    sluice_transform::outline(context, module, setting.top, found);
}

/// Returns the functions that have a body, with their names.
fn functions(context: &Context, module: &Module) -> Vec<(OperationId, String)> {
    let all = named(context, module, func::Func::NAME).into_iter();
    let views = all.map(|op| View::new(context, module.inner(), op));
    let with_body = views.filter(|view| view.entry_block(0).is_some());
    with_body
        .filter_map(|view| Some((view.id, view.symbol_name()?.to_owned())))
        .collect()
}

/// Returns the names of the functions that a function calls.
fn calls(context: &Context, module: &Module, function: OperationId) -> BTreeSet<String> {
    let body = module.inner().inner(function);
    let views = body.walk_all().into_iter();
    let views = views.map(|op| View::new(context, body, op));
    let callees = views.filter(|view| view.name() == func::Call::NAME);
    callees
        .filter_map(|view| view.attribute("callee")?.as_flat_symbol(context))
        .map(str::to_owned)
        .collect()
}

/// Compiles each function that the kernel calls as a kernel of its own, and returns the circuits. A function that cannot be
/// compiled is left out: `schedule_callees` then schedules it as it is and reports the errors.
pub fn circuits(context: &Context, module: &Module, setting: &Setting<'_>) -> Callees {
    let Some(top) = module.lookup_symbol(context, setting.top) else {
        return Callees::new();
    };
    let called = calls(context, module, top).into_iter();
    called
        .filter_map(|name| {
            let made = circuit(context, module, setting, &name)?;
            Some((name, made))
        })
        .collect()
}

fn circuit(context: &Context, module: &Module, setting: &Setting<'_>, name: &str) -> Option<Made> {
    let config = for_function(setting.config, name);
    let mut own = module.clone();
    let mut found = Diagnostics::new();
    let device = setting.device;
    prepare(
        context,
        &mut own,
        &Setting::new(&config, name, device, setting.order),
        &mut found,
        &mut |_, _| {},
    );
    if found.has_errors() {
        return None;
    }
    bound(
        context,
        own,
        &Setting::new(&config, name, device, setting.order),
        &mut found,
    )
    .into_iter()
    .find_map(|(found, made)| (found == name).then_some(made))
}

/// Binds all functions of a module in scheduled form, and returns their circuits together with the circuits they contain.
fn bound(
    context: &Context,
    scheduled: Module,
    setting: &Setting<'_>,
    found: &mut Diagnostics,
) -> Vec<(String, Made)> {
    let facts: Vec<(String, Option<Attribute>, Option<Exact>)> = functions(context, &scheduled)
        .into_iter()
        .map(|(op, name)| {
            let view = View::new(context, scheduled.inner(), op);
            let cycles = view.attribute(sluice::CYCLES);
            let cycles = cycles.and_then(|cycles| cycles.as_exact(context));
            (name, view.attribute("function_type"), cycles)
        })
        .collect();
    let mut circuit = scheduled.clone();
    let mut errors = Diagnostics::new();
    manager(setting.order.bind, setting).run(context, &mut circuit, &mut errors, &mut |_, _| {});
    let failed = errors.has_errors();
    found.append(errors);
    if failed {
        return Vec::new();
    }
    let made = facts.into_iter().map(|(name, ty, cycles)| {
        let made = Made {
            scheduled: scheduled.clone(),
            circuit: circuit.clone(),
            ty,
            cycles,
        };
        (name, made)
    });
    made.collect()
}

/// Adds the circuits of all functions except the kernel to the module, and names its circuit on each function.
pub fn schedule_callees(
    setting: &Setting<'_>,
    context: &Context,
    module: &mut Module,
    found: &mut Diagnostics,
) {
    let callees: Vec<(OperationId, String)> = functions(context, module)
        .into_iter()
        .filter(|(_, name)| name != setting.top)
        .collect();
    if callees.is_empty() {
        return;
    }
    let type_of = |op: OperationId| {
        let view = View::new(context, module.inner(), op);
        view.attribute("function_type")
    };
    let is_made = |(op, name): &(OperationId, String)| {
        let made = setting.callees.get(name);
        made.is_some_and(|made| made.ty == type_of(*op))
    };
    let mut others = Vec::new();
    if !callees.iter().all(is_made) {
        let mut rest = module.clone();
        for (op, name) in functions(context, &rest) {
            if name == setting.top {
                rest.inner_mut().erase(op);
            }
        }
        manager(setting.order.schedule, setting).run(context, &mut rest, found, &mut |_, _| {});
        if found.has_errors() {
            return;
        }
        others = bound(context, rest, setting, found);
    }
    let mut circuits: Vec<&Module> = Vec::new();
    let mut facts = Vec::new();
    for callee in &callees {
        let made = match is_made(callee) {
            true => setting.callees.get(&callee.1),
            false => others
                .iter()
                .find(|(name, _)| *name == callee.1)
                .map(|(_, made)| made),
        };
        if let Some(made) = made {
            circuits.push(&made.circuit);
            facts.push((callee, made.cycles));
        }
    }
    for ((op, name), cycles) in facts {
        let called = format!("{name}{CALLED}");
        let inner = module.inner_mut();
        let mut set = |name: &str, value| inner.set_attribute(*op, context.name(name), value);
        set(CIRCUIT, context.symbol_attribute(name));
        set("sym_name", context.string_attribute(&called));
        // A latency of 2^63 cycles or more is treated as unknown: the caller waits for `done`.
        if let Some(cycles) = cycles.and_then(Exact::to_i64) {
            set(LATENCY, context.i64_attribute(cycles));
        }
        for function in named(context, module, func::Func::NAME) {
            rename_calls(context, module, function, name, &called);
        }
    }
    for circuit in circuits {
        for op in named(context, circuit, hw::Module::NAME) {
            let name = View::new(context, circuit.inner(), op).symbol_name();
            if name.is_some_and(|name| module.lookup_symbol(context, name).is_none()) {
                copy_module(context, circuit, op, module);
            }
        }
    }
}

fn rename_calls(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    from: &str,
    to: &str,
) {
    let body = module.inner_mut().inner_mut(function);
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let callee = view
            .attribute("callee")
            .and_then(|a| a.as_flat_symbol(context));
        if view.name() == func::Call::NAME && callee == Some(from) {
            body.set_attribute(op, context.name("callee"), context.symbol_attribute(to));
        }
    }
}
