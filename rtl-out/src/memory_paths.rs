//! Hierarchical paths of a circuit's memories in its Verilog.

use std::collections::BTreeMap;

use sluice_dialects::hw;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};

use crate::{module, pins};

/// Returns the memories below `top`. The keys are their names with those of the instances around them, separated by points, as in
/// the circuit. The values are the paths in Verilog, where names that are taken or reserved are changed.
pub(crate) fn memory_paths(
    context: &Context,
    module: &Module,
    top: &str,
) -> BTreeMap<String, String> {
    let mut walk = Walk {
        context,
        module,
        headers: pins::headers(context, module),
        names: BTreeMap::new(),
        found: BTreeMap::new(),
    };
    if let Some(top) = module.lookup_symbol(context, top) {
        walk.below(top, "", "");
    }
    walk.found
}

struct Walk<'a> {
    context: &'a Context,
    module: &'a Module,
    headers: BTreeMap<String, pins::Header>,
    /// Names of instances and memories in the text of each module.
    names: BTreeMap<OperationId, BTreeMap<OperationId, String>>,
    found: BTreeMap<String, String>,
}

impl Walk<'_> {
    fn below(&mut self, of: OperationId, path: &str, verilog: &str) {
        let view = View::new(self.context, self.module.inner(), of);
        if !self.names.contains_key(&of) {
            let names =
                module::inner_names(self.context, view, &self.headers, &mut Diagnostics::new());
            self.names.insert(of, names);
        }
        let body = view.inner();
        for op in body.walk_all() {
            let Some(name) = self.names.get(&of).and_then(|names| names.get(&op)) else {
                continue;
            };
            let inner = View::new(self.context, body, op);
            let text = |name: &str| inner.attribute(name)?.as_str(self.context);
            let verilog = format!("{verilog}{name}");
            if inner.name() == hw::Instance::NAME {
                let path = format!("{path}{}.", text("instanceName").unwrap_or("instance"));
                let called = inner.attribute("moduleName");
                let called = called.and_then(|called| called.as_flat_symbol(self.context));
                let called = called.and_then(|name| self.module.lookup_symbol(self.context, name));
                if let Some(called) = called {
                    self.below(called, &path, &format!("{verilog}."));
                }
                continue;
            }
            let given = body.value_name(inner.result(0));
            let given = given.map(|name| self.context.text(name));
            let name = text("name").or(given).unwrap_or("memory");
            self.found.insert(format!("{path}{name}"), verilog);
        }
    }
}
