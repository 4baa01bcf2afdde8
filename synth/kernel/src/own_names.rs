//! Prefixes the module names of a kernel with the kernel's name, so that two kernels in one design share no module names.
//!
//! A module below the top is called `PREFIX__NAME`, where `NAME` has no two underscores in a row and begins with none. So the last `__` of the
//! name separates the two parts: modules of two kernels with different prefixes have different names, whatever the parts are. The prefix is
//! the name of the top in Verilog, unless the configuration has another one.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::hw;
use sluice_dialects::names::legal;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, View};

/// Prefix of the names of functional units that belong to no kernel.
const UNIT: &str = "sluice_";

/// Text between the prefix and the name of a module.
const SEPARATOR: &str = "__";

/// Renames the modules that the circuit `top` has instances of, directly or not: they begin with `prefix`, or with the Verilog name of `top`.
pub fn own_names(context: &Context, circuit: &mut Module, top: &str, prefix: Option<&str>) {
    let prefix = prefix.map(str::to_owned);
    let prefix = prefix.or_else(|| sluice_rtl_out::module_name(context, circuit, top));
    let Some(prefix) = prefix else {
        return;
    };
    let mut taken = symbols(context, circuit);
    let mut renamed = BTreeMap::new();
    for name in below(context, circuit, top) {
        let own = own_part(&name);
        let mut new = format!("{prefix}{SEPARATOR}{own}");
        let mut number = 0;
        while !taken.insert(new.clone()) {
            number += 1;
            new = format!("{prefix}{SEPARATOR}{own}_{number}");
        }
        renamed.insert(name, new);
    }
    rename(context, circuit, &renamed);
}

/// The part of a name after the prefix: legal in Verilog, no underscore at its start, no two in a row.
fn own_part(name: &str) -> String {
    let legal = legal(name.strip_prefix(UNIT).unwrap_or(name));
    let words: Vec<&str> = legal.split('_').filter(|word| !word.is_empty()).collect();
    match words.is_empty() {
        true => "module".to_owned(),
        false => words.join("_"),
    }
}

fn symbols(context: &Context, circuit: &Module) -> BTreeSet<String> {
    let all = circuit.top_level_operations().into_iter();
    let names = all.filter_map(|op| View::new(context, circuit.inner(), op).symbol_name());
    names.map(str::to_owned).collect()
}

/// The modules with a body that `top` has instances of, directly or not.
fn below(context: &Context, circuit: &Module, top: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![top.to_owned()];
    while let Some(name) = open.pop() {
        let Some(op) = circuit.lookup_symbol(context, &name) else {
            continue;
        };
        let view = View::new(context, circuit.inner(), op);
        if view.name() != hw::Module::NAME {
            continue;
        }
        if name != top && !found.insert(name) {
            continue;
        }
        let body = view.inner();
        let instances = body.walk_all().into_iter();
        open.extend(instances.filter_map(|op| instance_of(View::new(context, body, op))));
    }
    found
}

/// The module that an operation is an instance of.
fn instance_of(view: View<'_>) -> Option<String> {
    if view.name() != hw::Instance::NAME {
        return None;
    }
    let module = view.attribute("moduleName")?;
    module.as_flat_symbol(view.context).map(str::to_owned)
}

/// Gives modules and their instances the new names of a table.
fn rename(context: &Context, circuit: &mut Module, renamed: &BTreeMap<String, String>) {
    let sym_name = context.name("sym_name");
    for op in named(context, circuit, hw::Module::NAME) {
        let view = View::new(context, circuit.inner(), op);
        let new = view.symbol_name().and_then(|name| renamed.get(name));
        let new = new.map(|new| context.string_attribute(new));
        let inner = circuit.inner_mut();
        if let Some(new) = new {
            inner.set_attribute(op, sym_name, new);
        }
        rename_instances(context, inner.inner_mut(op), renamed);
    }
}

fn rename_instances(context: &Context, body: &mut Body, renamed: &BTreeMap<String, String>) {
    let module_name = context.name("moduleName");
    for op in body.walk_all() {
        let of = instance_of(View::new(context, body, op));
        if let Some(new) = of.and_then(|of| renamed.get(&of)) {
            let new = context.symbol_attribute(new);
            body.set_attribute(op, module_name, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::own_part;

    #[test]
    fn the_last_two_underscores_end_the_prefix() {
        for (name, own) in [
            ("sluice_mul_32_l1", "mul_32_l1"),
            ("helper", "helper"),
            ("a__b", "a_b"),
            ("_a", "a"),
            ("__", "module"),
            ("9 lives", "9_lives"),
        ] {
            assert_eq!(own_part(name), own, "{name}");
        }
    }
}
