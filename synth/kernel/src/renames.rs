//! Warnings of names that differ between Verilog and source: a design that contains the circuit must use them.

use sluice_dialects::hw::module_ports;
use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_dialects::names::{is_reserved, legal};
use sluice_ir::{Context, Diagnostics, Location, Module, View};

/// Warns where the module `top` of a circuit, or one of its ports, has another name in Verilog.
pub fn warn_of_verilog_names(
    context: &Context,
    circuit: &Module,
    top: &str,
    location: Location,
    found: &mut Diagnostics,
) {
    let Some(name) = sluice_rtl_out::module_name(context, circuit, top) else {
        return;
    };
    if name != top {
        let why = reason(top);
        let message = format!("`@{top}` is the module `{name}` in Verilog: {why}");
        found.warning(location, message);
    }
    let Some(op) = circuit.lookup_symbol(context, top) else {
        return;
    };
    let ports = module_ports(View::new(context, circuit.inner(), op));
    let names = sluice_rtl_out::names_of_ports(context, circuit, top);
    for (port, name) in ports.iter().zip(names) {
        if !port.name.is_empty() && port.name != name {
            let (port, why) = (&port.name, reason(&port.name));
            let message = format!("the port `{port}` is `{name}` in Verilog: {why}");
            found.warning(location, message);
        }
    }
}

/// Warns where the ports of an argument of a kernel are not called as the argument is.
pub fn warn_of_arguments(
    context: &Context,
    interface: &Interface,
    function: View<'_>,
    found: &mut Diagnostics,
) {
    let body = function.inner();
    let entry = function.entry_block(0);
    let arguments = entry.map(|entry| body.arguments(entry));
    let arguments = arguments.unwrap_or_default();
    let all = interface.arguments.iter().zip(&interface.sources);
    for (i, (ports, source)) in all.enumerate() {
        let (name, begin) = match ports {
            ArgumentPorts::Scalar { name, .. } => (name, "is the port"),
            // Each bank has a name of its own.
            ArgumentPorts::Memory { banks: Some(_), .. } => continue,
            ArgumentPorts::Memory { name, .. } => (name, "has ports that begin with"),
        };
        let has_name = !source.bytes().all(|byte| byte.is_ascii_digit());
        if name == source || !has_name {
            continue;
        }
        let location = arguments.get(i).map(|value| body.value_location(*value));
        let location = location.filter(|place| place.file_line_column(context).is_some());
        let location = location.unwrap_or(function.location());
        let why = reason(source);
        found.warning(
            location,
            format!("`%{source}` {begin} `{name}` in Verilog: {why}"),
        );
    }
}

/// Returns the reason why a name must change.
fn reason(name: &str) -> String {
    if is_reserved(name) {
        format!("`{name}` is reserved there, or in C++")
    } else if legal(name) != name {
        format!("`{name}` is not a legal name there")
    } else {
        "another port, or the module, has that name".to_owned()
    }
}
