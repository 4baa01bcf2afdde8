//! `specialise-modules`: instantiates a module with parametric types once for each set of parameter values that its instances
//! use.
//!
//! The widths of its registers, arrays and ports are then known. Parameters that occur in no type stay: they become Verilog
//! parameters.
//!
//! Complexity: linear in the operations of the new modules.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::hw::{self, ParameterValues};
use sluice_ir::passes::named;
use sluice_ir::{Attribute, Body, Context, Module, NewOperation, OperationId, View};

/// Maximum number of new modules: a module that instantiates itself with another value each time would create them endlessly.
const MAX_MODULES: usize = 10_000;

/// Specialises modules for the values of parameters in types; returns whether there were any. Parametric modules whose last
/// instance disappears are erased. With `keep`, which names the top module, those that never had an instance are erased too.
///
/// A module without instances, or the kept one, uses the default values of its parameters, if all have one.
pub fn specialise_modules(context: &Context, module: &mut Module, keep: Option<&str>) -> bool {
    let mut making = Making::new(context, module);
    if making.wanted.is_empty() {
        return false;
    }
    let used = making.used(module);
    let mut open = Vec::new();
    let mut own = Vec::new();
    for op in named(context, module, hw::Module::NAME) {
        let name = View::new(context, module.inner(), op).symbol_name();
        let name = name.unwrap_or_default();
        if !making.wanted.contains_key(name) {
            open.push(op);
        } else if !used.contains(name) || keep == Some(name) {
            own.push(op);
        }
    }
    making.all(module, open);
    // All specialised copies exist by now.
    for op in own {
        let view = View::new(context, module.inner(), op);
        let values = ParameterValues::of(view);
        if is_known(context, view, &values) {
            fill(context, module.inner_mut(), op, &values);
            making.all(module, vec![op]);
        }
    }
    // An erased module may have held the last instance of another one.
    loop {
        let left = making.used(module);
        let is_over = |name: &str| {
            !left.contains(name) && keep != Some(name) && (keep.is_some() || used.contains(name))
        };
        let over: Vec<String> = making.wanted.keys().cloned().collect();
        let before = making.wanted.len();
        for name in over.iter().filter(|name| is_over(name)) {
            if let Some(op) = making.wanted.remove(name) {
                module.inner_mut().erase(op);
            }
        }
        if making.wanted.len() == before {
            return true;
        }
    }
}

/// Returns whether every parameter of a module or an instance has a value that depends on no other parameter.
fn is_known(context: &Context, view: View<'_>, values: &ParameterValues) -> bool {
    let declared = view.attribute("parameters");
    let n_declared = declared.map_or(0, |list| hw::parameter_values(context, list).len());
    let is_free = |(_, value): (&str, Attribute)| !hw::mentions_parameter(context, value);
    values.iter().count() == n_declared && values.iter().all(is_free)
}

/// Returns the instances in a body, with the names of their modules.
fn instances<'c>(context: &'c Context, body: &Body) -> Vec<(OperationId, &'c str)> {
    let all = body.walk_all().into_iter();
    all.filter_map(|op| {
        let view = View::new(context, body, op);
        let of = view.attribute("moduleName")?.as_flat_symbol(context)?;
        (view.name() == hw::Instance::NAME).then_some((op, of))
    })
    .collect()
}

/// Replaces the parameters of a module by values; the module then has none.
fn fill(context: &Context, body: &mut Body, op: OperationId, values: &ParameterValues) {
    let types = context.name("module_type");
    if let Some(ty) = body.attribute(op, types) {
        body.set_attribute(op, types, values.resolved_part(context, ty));
    }
    body.set_attribute(op, context.name("parameters"), context.array_attribute(&[]));
    fill_body(context, body.inner_mut(op), values);
}

/// Replaces parameters by values in all operations of a body, including nested bodies.
pub(crate) fn fill_body(context: &Context, inner: &mut Body, values: &ParameterValues) {
    for op in inner.walk_all() {
        for (name, attribute) in inner.attributes(op).to_vec() {
            let resolved = values.resolved_part(context, attribute);
            if resolved != attribute {
                inner.set_attribute(op, name, resolved);
            }
        }
        if inner.is_isolated(op) {
            fill_body(context, inner.inner_mut(op), values);
        }
    }
    for value in inner.all_values() {
        let ty = values.resolved(context, inner.ty(value));
        inner.set_type(value, ty);
    }
}

/// The state of the specialisation.
struct Making<'c> {
    context: &'c Context,
    /// Modules with parametric types, and modules that pass their parameters to such modules.
    wanted: BTreeMap<String, OperationId>,
    /// The name of each new module, by original module and values.
    made: BTreeMap<(String, ParameterValues), String>,
    /// Names that are in use.
    names: BTreeSet<String>,
}

impl<'c> Making<'c> {
    fn new(context: &'c Context, module: &Module) -> Self {
        let inner = module.inner();
        let views = named(context, module, hw::Module::NAME).into_iter();
        let views: Vec<View<'_>> = views.map(|op| View::new(context, inner, op)).collect();
        let of_name = |view: &View<'_>| view.symbol_name().unwrap_or_default().to_owned();
        let has_parameters = |view: &&View<'_>| {
            let list = view.attribute("parameters");
            list.is_some_and(|list| list.as_array(context).is_some_and(|all| !all.is_empty()))
        };
        let candidates: Vec<&View<'_>> = views.iter().filter(has_parameters).collect();
        let mut wanted: BTreeMap<String, OperationId> = BTreeMap::new();
        loop {
            let before = wanted.len();
            for view in &candidates {
                let gives = |(op, of): &(OperationId, &str)| {
                    let list = View::new(context, view.inner(), *op).attribute("parameters");
                    wanted.contains_key(*of)
                        && list.is_some_and(|list| hw::mentions_parameter(context, list))
                };
                let is_wanted = has_parametric_types(context, **view)
                    || instances(context, view.inner()).iter().any(gives);
                if is_wanted {
                    wanted.insert(of_name(view), view.id);
                }
            }
            if wanted.len() == before {
                break;
            }
        }
        let all = module.top_level_operations().into_iter();
        let names = all.filter_map(|op| View::new(context, inner, op).symbol_name());
        Self {
            context,
            wanted,
            made: BTreeMap::new(),
            names: names.map(str::to_owned).collect(),
        }
    }

    /// Returns the names of modules that have instances.
    fn used(&self, module: &Module) -> BTreeSet<String> {
        let all = named(self.context, module, hw::Module::NAME).into_iter();
        all.flat_map(|op| instances(self.context, module.inner().inner(op)))
            .map(|(_, of)| of.to_owned())
            .collect()
    }

    /// Specialises the modules of all instances in these modules, and transitively in the new modules.
    fn all(&mut self, module: &mut Module, mut open: Vec<OperationId>) {
        while let Some(op) = open.pop() {
            self.instances(module, op, &mut open);
        }
    }

    /// Redirects the instances in a module to modules specialised for their values.
    fn instances(&mut self, module: &mut Module, op: OperationId, open: &mut Vec<OperationId>) {
        let context = self.context;
        for (instance, of) in instances(context, module.inner().inner(op)) {
            let Some(original) = self.wanted.get(of).copied() else {
                continue;
            };
            let view = View::new(context, module.inner().inner(op), instance);
            let values = ParameterValues::of(view);
            if !is_known(context, view, &values) {
                continue;
            }
            let key = (of.to_owned(), values);
            let name = match self.made.get(&key) {
                Some(name) => name.clone(),
                None if self.made.len() == MAX_MODULES => continue,
                None => {
                    let name = self.name(&key);
                    open.push(copied(context, module.inner_mut(), original, &name, &key.1));
                    self.made.insert(key, name.clone());
                    name
                }
            };
            let body = module.inner_mut().inner_mut(op);
            body.set_attribute(
                instance,
                context.name("moduleName"),
                context.symbol_attribute(&name),
            );
            body.set_attribute(
                instance,
                context.name("parameters"),
                context.array_attribute(&[]),
            );
        }
    }

    /// Returns a new module name that contains the values.
    fn name(&mut self, (of, values): &(String, ParameterValues)) -> String {
        let mut name = of.clone();
        for (parameter, value) in values.iter() {
            if let Some(value) = value.integer(self.context) {
                name += &format!("_{parameter}_{}", value.to_unsigned_string());
            }
        }
        let mut unique = name.clone();
        for number in 0.. {
            if self.names.insert(unique.clone()) {
                break;
            }
            unique = format!("{name}_{number}");
        }
        unique
    }
}

/// Returns whether a type of a port or value in a module contains a parameter.
pub fn has_parametric_types(context: &Context, view: View<'_>) -> bool {
    let body = view.inner();
    let ports = hw::module_ports(view);
    ports.iter().any(|port| hw::is_parametric(context, port.ty))
        || body
            .all_values()
            .any(|value| hw::is_parametric(context, body.ty(value)))
}

/// Copies a module and inserts the copy after it, with values in place of its parameters.
fn copied(
    context: &Context,
    body: &mut Body,
    original: OperationId,
    name: &str,
    values: &ParameterValues,
) -> OperationId {
    let mut new = NewOperation::new(body.name(original), body.location(original));
    new.attributes = body.attributes(original).to_vec();
    new.n_regions = 1;
    let op = body.create(context, new);
    body.insert_after(original, op);
    let inner = Box::new(body.inner(original).clone());
    body.put_body(op, inner);
    body.set_attribute(op, context.name("sym_name"), context.string_attribute(name));
    fill(context, body, op, values);
    op
}
