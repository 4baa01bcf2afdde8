//! A module around a circuit with more ports than the device has pins: a shift register with its own clock holds the inputs, and
//! the outputs are not connected.

use std::fmt::Write as _;

use serde_json::Value;

/// Name of the shell.
pub(super) const SHELL: &str = "pin_shell";
/// Name of its clock.
pub(super) const SHELL_CLOCK: &str = "pin_shell_clk";

/// Creates a shell around the module `top`, with the ports in Yosys's netlist; also returns the number of its flip-flops.
///
/// Inputs named `clk` or `clock`, or whose name begins with `clk_` or `clock_`, are clocks and stay ports.
pub(super) fn shell(netlist: &Value, top: &str) -> Option<(String, u32)> {
    let ports = netlist["modules"][top]["ports"].as_object()?;
    let mut head = format!("module {SHELL}(input {SHELL_CLOCK}, input pin_shell_in");
    let (mut wires, mut connections) = (String::new(), Vec::new());
    let mut n_bits = 0;
    for (name, port) in ports {
        let width = u32::try_from(port["bits"].as_array()?.len()).ok()?;
        let is_input = port["direction"].as_str()? == "input";
        let is_clock = ["clk", "clock"].iter().any(|clock| {
            let rest = name.strip_prefix(clock);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        });
        connections.push(if is_input && is_clock {
            let _ = write!(head, ", input {name}");
            format!(".\\{name} ({name})")
        } else if is_input {
            n_bits += width;
            format!(
                ".\\{name} (pin_shell_bits[{}:{}])",
                n_bits - 1,
                n_bits - width
            )
        } else {
            let _ = writeln!(
                wires,
                "(* keep *) wire [{}:0] \\pin_shell_{name} ;",
                width - 1
            );
            format!(".\\{name} (\\pin_shell_{name} )")
        });
    }
    let mut text = format!("{head});\n{wires}");
    if n_bits > 0 {
        let _ = write!(
            text,
            "(* keep *) reg [{}:0] pin_shell_bits;\nalways @(posedge {SHELL_CLOCK}) pin_shell_bits <= {{pin_shell_bits, pin_shell_in}};\n",
            n_bits - 1
        );
    }
    let _ = writeln!(
        text,
        "\\{top} inside({});\nendmodule",
        connections.join(", ")
    );
    Some((text, n_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_come_from_a_shift_register() {
        let netlist = serde_json::json!({"modules": {"t": {"ports": {
            "a": {"direction": "input", "bits": [3, 4]},
            "clk": {"direction": "input", "bits": [2]},
            "clock": {"direction": "input", "bits": [9]},
            "clocks": {"direction": "input", "bits": [10]},
            "go": {"direction": "input", "bits": [5]},
            "q": {"direction": "output", "bits": [6, 7, 8]},
        }}}});
        let (text, n_bits) = shell(&netlist, "t").expect("the module is there");
        assert_eq!(n_bits, 4);
        assert_eq!(
            text,
            "module pin_shell(input pin_shell_clk, input pin_shell_in, input clk, input clock);\n\
             (* keep *) wire [2:0] \\pin_shell_q ;\n\
             (* keep *) reg [3:0] pin_shell_bits;\n\
             always @(posedge pin_shell_clk) pin_shell_bits <= {pin_shell_bits, pin_shell_in};\n\
             \\t inside(.\\a (pin_shell_bits[1:0]), .\\clk (clk), .\\clock (clock), .\\clocks (pin_shell_bits[2:2]), .\\go (pin_shell_bits[3:3]), .\\q (\\pin_shell_q ));\n\
             endmodule\n"
        );
        assert_eq!(shell(&netlist, "u"), None);
    }
}
