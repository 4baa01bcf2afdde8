//! Counts the units of a circuit and compares them with the limits of the configuration.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{comb, hw, sluice, synthesis_form::interleaved_units};
use sluice_ir::{Context, Diagnostics, Module, OperationId, ValueId, View};
use sluice_oplib::class::OperatorClass;

/// Returns whether a value is a constant, or selected among constants.
fn is_constant(module: View<'_>, value: ValueId) -> bool {
    let body = module.body.inner(module.id);
    let mut seen = BTreeSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let Some(made) = body.defining_operation(value) else {
            return false;
        };
        let made = View::new(module.context, body, made);
        match made.name() {
            hw::Constant::NAME => {}
            comb::Mux::NAME if seen.insert(value) => waiting.extend(made.operands().skip(1)),
            comb::Mux::NAME => {}
            _ => return false,
        }
    }
    true
}

/// Counts the units of a module by class: instances of unit modules, and multiplications without a module. Multiplications by a
/// constant, or by selected constants, are not limited and do not count.
fn units(module: View<'_>, of_module: &BTreeMap<String, (String, u32)>) -> BTreeMap<String, u32> {
    let multiply = OperatorClass::Multiply.name();
    let body = module.body.inner(module.id);
    let mut counted = BTreeMap::new();
    for op in body.walk_all() {
        let view = View::new(module.context, body, op);
        let is_by_constant = || view.operands().any(|value| is_constant(module, value));
        let unit = match view.name() {
            hw::Instance::NAME => {
                let name = view.attribute("moduleName");
                name.and_then(|name| of_module.get(name.as_flat_symbol(module.context)?).cloned())
            }
            comb::Mul::NAME => Some((multiply.to_owned(), 1)),
            _ => None,
        };
        let unit = unit.filter(|(class, _)| class != multiply || !is_by_constant());
        if let Some((class, n)) = unit {
            *counted.entry(class).or_insert(0) += n;
        }
    }
    counted
}

/// Warns about every module of a circuit that has more units of a class than `limits` allows; its keys are class names.
pub(crate) fn compare(
    context: &Context,
    circuit: &Module,
    limits: &BTreeMap<String, u32>,
    found: &mut Diagnostics,
) {
    if limits.is_empty() {
        return;
    }
    let view = |op: OperationId| View::new(context, circuit.inner(), op);
    let mut of_module = BTreeMap::new();
    let (mut kernels, all) = (Vec::new(), circuit.top_level_operations());
    for op in all
        .into_iter()
        .filter(|op| view(*op).name() == hw::Module::NAME)
    {
        let class = view(op).attribute(sluice::CLASS);
        match class.and_then(|class| class.as_str(context)) {
            Some(class) => {
                let class = class.to_owned();
                let name = view(op).symbol_name().unwrap_or_default().to_owned();
                of_module.insert(name, (class, interleaved_units(view(op))));
            }
            None => kernels.push(op),
        }
    }
    for op in kernels {
        for (class, n) in units(view(op), &of_module) {
            let limit = limits.get(&class).copied();
            if let Some(limit) = limit.filter(|limit| n > *limit) {
                let name = view(op).symbol_name().unwrap_or_default().to_owned();
                let message = format!(
                    "`{name}` has {n} {class} units although `limits` allows {limit}: no fewer serve the schedule"
                );
                found.warning(circuit.inner().location(op), message);
            }
        }
    }
}
