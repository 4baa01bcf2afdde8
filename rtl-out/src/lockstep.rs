//! Verilator models that run in step with a simulator: all inputs of a cycle in, all outputs out, for any circuit.
//!
//! A Verilog module around the circuit packs all inputs into one word and all outputs into another. So the C++ program only knows
//! the widths of these two ports, and no names. Each port begins at a multiple of 32 bits. The program reads batches from its
//! standard input: the number of cycles as 32 bits, then the inputs of each cycle. It answers a batch with the outputs of each
//! cycle, sampled before the cycle ends. A batch of no cycles restarts the model, and has no answer.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_dialects::hw::{Direction, module_ports};
use sluice_ir::{Context, Module, View};

use crate::memory_paths::memory_paths;

/// The texts from which one model is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lockstep {
    /// The Verilog module around the circuit.
    pub wrapper: String,
    /// Name of the module around the circuit.
    pub top: String,
    /// The C++ program.
    pub program: String,
    /// Bytes of all inputs in one cycle.
    pub input_bytes: usize,
    /// Bytes of all outputs in one cycle.
    pub output_bytes: usize,
}

/// A clock of the circuit. It is low at the start, rises in cycle `phase` and then every `period` cycles, and falls half a period
/// after each rise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The port.
    pub name: String,
    /// Cycles between two rising edges, at least 1.
    pub period: u32,
    /// The cycle of the first rising edge, less than the period.
    pub phase: u32,
}

/// The ports of a circuit in the order of a simulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ports {
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// True if nothing waits for falling edges.
    pub is_plain: bool,
    /// Widths of the other inputs in bits, in order.
    pub inputs: Vec<u32>,
    /// Widths of the outputs in bits, in order.
    pub outputs: Vec<u32>,
}

/// Returns the bytes of a port in a record.
pub fn port_bytes(width_bits: u32) -> usize {
    usize::try_from(width_bits.div_ceil(32).max(1)).expect("32 bits are an index") * 4
}

/// Returns the model of `top` with these ports; `None` if the module or a memory does not exist.
///
/// Inputs change while the clocks are stable, and each half of a cycle has its edges. An exception is a single clock with a
/// period of one cycle whose falling edges nothing waits for: there, inputs change together with the falling edges.
///
/// Each memory of `images`, named with the instances around it, is initialised from a file in the working directory of the model:
/// `memory_0.hex` and so on, in the format of `$readmemh`.
///
/// The result does not contain the module's own Verilog. `verilog` is that text; it is only used to choose a module name that
/// does not occur in it.
pub fn lockstep(
    context: &Context,
    module: &Module,
    top: &str,
    verilog: &str,
    ports: &Ports,
    images: &[&str],
) -> Option<Lockstep> {
    let clocks = &ports.clocks;
    let op = module.lookup_symbol(context, top)?;
    let view = View::new(context, module.inner(), op);
    let mut around = "sluice_lockstep".to_owned();
    while verilog.contains(&around) {
        around.push('_');
    }
    let (mut connections, mut fillers) = (Vec::new(), String::new());
    let (mut input_widths, mut output_widths) = (ports.inputs.iter(), ports.outputs.iter());
    let (mut n_in, mut n_out) = (0, 0);
    let all = module_ports(view);
    let names = crate::names_of_ports(context, module, top);
    for (port, name) in all.iter().zip(names) {
        let is_input = port.direction == Direction::Input;
        let clock = clocks.iter().position(|clock| clock.name == port.name);
        if let (true, Some(number)) = (is_input, clock) {
            connections.push(format!(".{name}(clock{number})"));
            continue;
        }
        let (word, first, widths) = if is_input {
            ("in", &mut n_in, &mut input_widths)
        } else {
            ("out", &mut n_out, &mut output_widths)
        };
        let width = *widths.next()?;
        let last = *first + width.max(1) - 1;
        let end = *first + 32 * width.div_ceil(32).max(1);
        // A port of width 0 does not exist in Verilog.
        if width > 0 {
            connections.push(format!(".{name}({word}[{last}:{first}])"));
        } else if !is_input {
            let _ = writeln!(fillers, "  assign out[{first}] = 0;");
        }
        if !is_input && last + 1 < end {
            let _ = writeln!(fillers, "  assign out[{}:{}] = 0;", end - 1, last + 1);
        }
        *first = end;
    }
    // Verilator represents words of three or more 32-bit parts as C++ arrays.
    let (in_bits, out_bits) = (n_in.max(96), n_out.max(96));
    if n_out < out_bits {
        let _ = writeln!(fillers, "  assign out[{}:{n_out}] = 0;", out_bits - 1);
    }
    let paths = match images {
        [] => BTreeMap::new(),
        _ => memory_paths(context, module, top),
    };
    for (number, path) in images.iter().enumerate() {
        let path = paths.get(*path)?;
        let _ = writeln!(
            fillers,
            "  initial $readmemh(\"memory_{number}.hex\", circuit.{path});"
        );
    }
    let module_name = crate::module_name(context, module, top)?;
    let clock_ports = (0..clocks.len()).map(|number| format!("  input  wire clock{number},\n"));
    let clock_ports: String = clock_ports.collect();
    let wrapper = format!(
        "// Made by Sluice: all ports as two words.\n/* verilator lint_off DECLFILENAME */\n/* verilator lint_off UNUSEDSIGNAL */\n\
         /* verilator lint_off WIDTH */\nmodule {around} (\n{clock_ports}  input  wire [{}:0] in,\n  output wire [{}:0] out\n);\n\
         \x20 {module_name} circuit (\n    {}\n  );\n{fillers}endmodule\n",
        in_bits - 1,
        out_bits - 1,
        connections.join(",\n    ")
    );
    let (before, after) = match &clocks[..] {
        [] => (String::new(), String::new()),
        [Clock { period: 1, .. }] if ports.is_plain => {
            let set = |value| format!("      dut->clock0 = {value};\n");
            (set(0), set(1) + "      dut->eval();\n")
        }
        _ => (String::new(), halves(clocks)),
    };
    let program = PROGRAM
        .replace("BEFORE", &before)
        .replace("AFTER", &after)
        .replace("N_IN", &(n_in / 32).to_string())
        .replace("N_OUT", &(n_out / 32).to_string());
    let bytes = |bits: u32| usize::try_from(bits / 8).expect("32 bits are an index");
    Some(Lockstep {
        wrapper,
        top: around,
        program,
        input_bytes: bytes(n_in),
        output_bytes: bytes(n_out),
    })
}

/// Returns C++ for the edges of both halves of a cycle.
fn halves(clocks: &[Clock]) -> String {
    let mut text =
        "      for (uint64_t half = 2 * tick; half < 2 * tick + 2; half++) {\n".to_owned();
    for (number, clock) in clocks.iter().enumerate() {
        let (period, rise) = (2 * u64::from(clock.period), 2 * u64::from(clock.phase));
        let fall = (rise + u64::from(clock.period)) % period;
        for (edge, value) in [(rise, 1), (fall, 0)] {
            let _ = writeln!(
                text,
                "        if (half % {period} == {edge}) dut->clock{number} = {value};"
            );
        }
    }
    text + "        dut->eval();\n      }\n      tick++;\n"
}

const PROGRAM: &str = r#"// Made by Sluice: runs a circuit in batches of cycles.
#include <cstdint>
#include <cstdio>
#include <vector>
#include "Vdut.h"
#include "verilated.h"

int main() {
  Vdut* dut = new Vdut;
  std::vector<uint32_t> in, out;
  uint32_t n = 0;
  uint64_t tick = 0;
  while (std::fread(&n, 4, 1, stdin) == 1) {
    if (n == 0) {
      delete dut;
      dut = new Vdut;
      tick = 0;
      continue;
    }
    in.resize((size_t)n * N_IN);
    out.resize((size_t)n * N_OUT);
    if (std::fread(in.data(), 4, in.size(), stdin) != in.size()) return 2;
    for (size_t cycle = 0; cycle < n; cycle++) {
      for (size_t i = 0; i < N_IN; i++) dut->in[i] = in[cycle * N_IN + i];
BEFORE      dut->eval();
      for (size_t i = 0; i < N_OUT; i++) out[cycle * N_OUT + i] = dut->out[i];
AFTER    }
    if (std::fwrite(out.data(), 4, out.size(), stdout) != out.size() || std::fflush(stdout) != 0) return 3;
  }
  delete dut;
  return 0;
}
"#;
