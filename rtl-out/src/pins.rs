//! Names of modules and their ports in the Verilog text.

use std::collections::BTreeMap;

use sluice_dialects::{
    hw::{self, Direction, Port},
    names::{Names, legal},
};
use sluice_ir::{Context, Module, View};

/// Returns the name of each port of the module `name` in the text. Names are legal and unique: a reserved word, an empty name, or
/// one that another port or the module has, gets a number.
fn port_names(ports: &[Port], name: Option<&str>) -> Vec<String> {
    let mut names = Names::default();
    if let Some(name) = name {
        names.take(name);
    }
    let names = ports.iter().map(|port| names.unique(&port.name));
    names.collect()
}

/// Returns the name of each port of the module `symbol` in the text of `module`; empty if there is no such module.
pub fn names_of_ports(context: &Context, module: &Module, symbol: &str) -> Vec<String> {
    let mut headers = headers(context, module);
    let header = headers.remove(symbol);
    header.map_or_else(Vec::new, |header| header.ports)
}

/// Returns the name of the module `symbol` in the text of `module`; `None` if there is no such module.
pub fn module_name(context: &Context, module: &Module, symbol: &str) -> Option<String> {
    let mut headers = headers(context, module);
    headers.remove(symbol).map(|header| header.name)
}

/// The names of a module that its instances need.
pub(crate) struct Header {
    /// Name of the module.
    pub name: String,
    /// Names of all ports, in order.
    pub ports: Vec<String>,
    /// Names of the inputs, in order.
    pub inputs: Vec<String>,
    /// Names of the outputs, in order.
    pub outputs: Vec<String>,
    /// Legal names of the parameters, by their original names.
    pub parameters: BTreeMap<String, String>,
}

/// Returns legal names for the parameters of a module, by their original names. They differ from the names of ports and module.
fn parameter_names(module: View<'_>, name: &str, ports: &[String]) -> BTreeMap<String, String> {
    let mut names = Names::default();
    names.take(name);
    for port in ports {
        names.take(port);
    }
    let list = module.attribute("parameters");
    let all = list.map(|list| hw::parameter_values(module.context, list));
    let all = all.into_iter().flatten();
    all.map(|(name, ..)| {
        let legal = names.unique(&name);
        (name, legal)
    })
    .collect()
}

impl Header {
    fn of(module: View<'_>, name: String) -> Self {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let ports = hw::module_ports(module);
        // In an external module, a port may have the name of the module; tools refuse that in a module of this text.
        let own = (module.name() == hw::Module::NAME).then_some(name.as_str());
        let names = port_names(&ports, own);
        for (port, name) in ports.iter().zip(&names) {
            match port.direction {
                Direction::Output => outputs.push(name.clone()),
                _ => inputs.push(name.clone()),
            }
        }
        Self {
            parameters: parameter_names(module, &name, &names),
            name,
            ports: names,
            inputs,
            outputs,
        }
    }
}

/// Returns the headers of the modules of a text, by their symbols.
///
/// External modules keep their names, so they come first. Any other module whose name is taken or reserved gets a number.
pub(crate) fn headers(context: &Context, module: &Module) -> BTreeMap<String, Header> {
    let all = module.top_level_operations().into_iter();
    let all = all.map(|op| View::new(context, module.inner(), op));
    let all: Vec<_> = all
        .filter(|view| view.name().starts_with(hw::Module::NAME))
        .collect();
    let (here, elsewhere): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|module| module.name() == hw::Module::NAME);
    let mut names = Names::default();
    let mut headers = BTreeMap::new();
    for module in elsewhere {
        let name = module.attribute("verilogName");
        let name = name.and_then(|name| name.as_str(context));
        if let Some(symbol) = module.symbol_name() {
            let name = legal(name.unwrap_or(symbol));
            names.take(&name);
            headers.insert(symbol.to_owned(), Header::of(module, name));
        }
    }
    for module in here {
        if let Some(symbol) = module.symbol_name() {
            let name = names.unique(symbol);
            headers.insert(symbol.to_owned(), Header::of(module, name));
        }
    }
    headers
}
