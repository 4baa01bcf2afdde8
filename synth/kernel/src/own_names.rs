//! Prefixes the module names of a kernel with the kernel's name, so that two kernels in one design share no module names.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::hw;
use sluice_ir::passes::named;
use sluice_ir::{Context, Module, View};

/// Prefix of the names of functional units that belong to no kernel.
const UNIT: &str = "sluice_";

/// Renames the functional units of the circuit `top`, and the circuits of functions of `source` that were not inlined.
pub fn own_names(context: &Context, circuit: &mut Module, source: Option<&Module>, top: &str) {
    let modules = named(context, circuit, hw::Module::NAME);
    let names: BTreeSet<String> = modules
        .iter()
        .filter_map(|op| View::new(context, circuit.inner(), *op).symbol_name())
        .map(str::to_owned)
        .collect();
    let is_kept =
        |name: &str| source.is_some_and(|source| source.lookup_symbol(context, name).is_some());
    let mut taken = names.clone();
    let mut renamed = BTreeMap::new();
    for name in names.iter().filter(|name| *name != top) {
        let own = match name.strip_prefix(UNIT) {
            Some(unit) => unit,
            None if is_kept(name) => name,
            None => continue,
        };
        let mut new = format!("{top}_{own}");
        while !taken.insert(new.clone()) {
            new.push('_');
        }
        renamed.insert(name.clone(), new);
    }
    let sym_name = context.name("sym_name");
    let module_name = context.name("moduleName");
    for op in modules {
        let view = View::new(context, circuit.inner(), op);
        let new = view.symbol_name().and_then(|name| renamed.get(name));
        let new = new.map(|new| context.string_attribute(new));
        let inner = circuit.inner_mut();
        if let Some(new) = new {
            inner.set_attribute(op, sym_name, new);
        }
        let body = inner.inner_mut(op);
        for instance in body.walk_all() {
            let view = View::new(context, body, instance);
            if view.name() != hw::Instance::NAME {
                continue;
            }
            let of = view.attribute("moduleName");
            let of = of.and_then(|of| of.as_flat_symbol(context));
            if let Some(new) = of.and_then(|of| renamed.get(of)) {
                let new = context.symbol_attribute(new);
                body.set_attribute(instance, module_name, new);
            }
        }
    }
}
