//! Verilog for `seq.firmem`: arrays whose ports have their own clocks, latencies and masks.
//!
//! A read accesses the array at the end of its latency, after the writes of earlier edges; if `ruw` is `old`, one edge earlier. A
//! port that is not enabled reads 0. Ports of one clock write in their order.

use std::fmt::Write;

use sluice_dialects::seq;
use sluice_ir::{ValueId, View};

use crate::aggregates::zeros;
use crate::emitter::{Emitter, range, slice};
use crate::registers::Register;

/// Returns a text as a Verilog string; `None` if it has control characters.
fn quoted(text: &str) -> Option<String> {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    (!text.contains(char::is_control)).then(|| format!("\"{escaped}\""))
}

/// A memory while its ports are written.
struct Memory {
    name: String,
    parts: seq::MaskedMemory,
}

impl<'a> Emitter<'a> {
    /// Writes a memory with its ports.
    pub(crate) fn masked_memory(&mut self, view: View<'a>, place: &str) {
        let Some(parts) = seq::masked_memory(view) else {
            return self.refuse(view, "depth and width are expected to be numbers");
        };
        let given = view.attribute("name").and_then(|a| a.as_str(self.context));
        let given = given.unwrap_or("memory").to_owned();
        let memory = Memory {
            name: self.names.unique(&given),
            parts,
        };
        self.inner_names.insert(view.id, memory.name.clone());
        let _ = writeln!(
            self.declarations,
            "  reg  {}{} [0:{}];{place}",
            range(parts.width_bits),
            memory.name,
            parts.depth.saturating_sub(1)
        );
        if let Some(image) = seq::image(view) {
            let task = match image.is_binary {
                true => "$readmemb",
                false => "$readmemh",
            };
            let Some(file) = quoted(&image.file) else {
                return self.refuse(view, "the name of its file has control characters");
            };
            let _ = writeln!(
                self.statements,
                "  initial {task}({file}, {});",
                memory.name
            );
        }
        let users: Vec<_> = view
            .body
            .uses(view.result(0))
            .map(|(user, _)| user)
            .collect();
        let mut blocks: Vec<(String, String)> = Vec::new();
        for op in users.into_iter().rev() {
            let port = self.view(op);
            if !port.results().is_empty() {
                self.read(port, &memory);
            }
            if port.name() != seq::FirmemReadPort::NAME {
                let (edge, lines) = self.write(port, &memory);
                match blocks.iter_mut().find(|(known, _)| *known == edge) {
                    Some((_, block)) => block.push_str(&lines),
                    None => blocks.push((edge, lines)),
                }
            }
        }
        for (edge, block) in blocks {
            let _ = writeln!(self.statements, "  always @({edge}) begin\n{block}  end");
        }
    }

    fn optional(&mut self, value: Option<ValueId>) -> Option<String> {
        value.map(|value| self.operand(value))
    }

    fn read(&mut self, port: View<'a>, memory: &Memory) {
        let parts = memory.parts;
        let Some(data) = self.named.get(&port.result(0)).cloned() else {
            return;
        };
        let edge = self.edge(port.operand(2));
        let address = self.top(port.operand(1));
        let enable = self.optional(port.operand_group(3).first().copied());
        let is_both = port.name() == seq::FirmemReadWritePort::NAME;
        let mode = is_both.then(|| port.operand_group(5));
        let mode = self.optional(mode.and_then(|mode| mode.first().copied()));
        let enable = match (enable, mode) {
            (Some(enable), Some(mode)) => Some(format!("{enable} & ~{mode}")),
            (None, Some(mode)) => Some(format!("~{mode}")),
            (enable, None) => enable,
        };
        let n_stages = parts.read_latency - u32::from(parts.reads_old);
        let name = &memory.name;
        let address = self.delayed(
            &format!("{name}_address"),
            parts.address_bits(),
            address,
            n_stages,
            &edge,
        );
        let enable = enable
            .map(|enable| self.delayed(&format!("{name}_enable"), 1, enable, n_stages, &edge));
        let word = match enable {
            Some(enable) => {
                format!(
                    "({enable}) ? {name}[{address}] : {}",
                    zeros(parts.width_bits)
                )
            }
            None => format!("{name}[{address}]"),
        };
        if parts.reads_old {
            let register = Register::plain(data, parts.width_bits, word, edge);
            self.registers.push(register);
            return;
        }
        let _ = writeln!(
            self.declarations,
            "  wire {}{data};",
            range(parts.width_bits)
        );
        let _ = writeln!(self.statements, "  assign {data} = {word};");
    }

    /// Returns the edge at which a port writes, and the statements of the write.
    fn write(&mut self, port: View<'a>, memory: &Memory) -> (String, String) {
        let parts = memory.parts;
        let group = |number: usize| port.operand_group(number).first().copied();
        let is_both = port.name() == seq::FirmemReadWritePort::NAME;
        let edge = self.edge(port.operand(2));
        let Some(n_stages) = parts.write_latency.checked_sub(1) else {
            self.refuse(port, "a write takes a cycle at least");
            return (edge, String::new());
        };
        let later = |emitter: &mut Self, what: &str, value: ValueId| {
            let width = emitter.width(value);
            let text = emitter.operand(value);
            let wanted = format!("{}_{what}", memory.name);
            (
                emitter.delayed(&wanted, width, text, n_stages, &edge),
                width,
            )
        };
        let (address, _) = later(self, "waddr", port.operand(1));
        let enable = group(3).map(|enable| later(self, "wen", enable).0);
        let mode = is_both.then(|| group(5)).flatten();
        let mode = mode.map(|mode| later(self, "wmode", mode).0);
        let mask = group(if is_both { 6 } else { 5 });
        let mask = mask.map(|mask| later(self, "wmask", mask));
        let Some(data) = group(4) else {
            return (edge, String::new());
        };
        let data_is_constant = self.constant(data).is_some();
        let (mut data, width) = later(self, "wdata", data);
        let conditions: Vec<String> = enable.into_iter().chain(mode).collect();
        let condition = conditions.join(" & ");
        let name = &memory.name;
        let Some((mut mask, n_bits)) = mask else {
            let condition = match condition.is_empty() {
                true => String::new(),
                false => format!("if ({condition}) "),
            };
            let line = format!("    {condition}{name}[{address}] <= {data};\n");
            return (edge, line);
        };
        if n_bits == 0 || width % n_bits != 0 {
            self.refuse(
                port,
                &format!("a word of {width} bits has no {n_bits} equal parts"),
            );
            return (edge, String::new());
        }
        if data_is_constant && n_stages == 0 {
            data = self.wire("data", width, &data);
        }
        mask = self.wire("mask", n_bits, &mask);
        let mut lines = String::new();
        for bit in 0..n_bits {
            let part = width / n_bits;
            let mut all = conditions.clone();
            all.push(slice(&mask, n_bits, bit, 1));
            let place = slice(&format!("{name}[{address}]"), width, bit * part, part);
            let value = slice(&data, width, bit * part, part);
            let _ = writeln!(lines, "    if ({}) {place} <= {value};", all.join(" & "));
        }
        (edge, lines)
    }
}
