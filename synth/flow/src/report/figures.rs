//! What stands in more than one form of the report: area by source line, memories, registers.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_dialects::interface::ArgumentPorts;
use sluice_ir::View;

use crate::area::{by_line, items};
use crate::pipeline::Compiled;

/// One memory.
pub(super) struct Memory {
    pub(super) name: String,
    pub(super) words: u64,
    pub(super) width_bits: u32,
    pub(super) kind: &'static str,
}

/// Registers of one name.
pub(super) struct Register {
    pub(super) name: String,
    pub(super) count: u32,
    pub(super) bits: u64,
}

/// The area of each source line, for a terminal.
pub(super) fn by_line_text(compiled: &Compiled) -> String {
    let items = items(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let mut text = "\narea by source line (a shared unit stands at the line of one of its operations, 0 has no line)\n"
        .to_owned();
    let _ = writeln!(
        text,
        "  {:20} {:>6} {:>9} {:>9} {:>6} {:>6}",
        "line", "count", "LUT", "FF", "DSP", "BRAM"
    );
    for (line, sum) in by_line(&items) {
        let a = sum.area;
        let _ = writeln!(
            text,
            "  {line:<20} {:6} {:9.0} {:9.0} {:6.1} {:6.1}",
            sum.count, a.lut, a.ff, a.dsp, a.bram
        );
    }
    text
}

/// The memories of the kernel: its arguments, then what is inside.
pub(super) fn memories(compiled: &Compiled) -> Vec<Memory> {
    let interface = &compiled.interface;
    let arguments = interface.arguments.iter().zip(&interface.sources);
    let mut found: Vec<Memory> = arguments
        .filter_map(|(argument, name)| match argument {
            ArgumentPorts::Memory {
                depth_words,
                width_bits,
                ..
            } => Some(Memory {
                name: name.clone(),
                words: u64::from(*depth_words),
                width_bits: *width_bits,
                kind: "argument, outside",
            }),
            ArgumentPorts::Scalar { .. } => None,
        })
        .collect();
    let context = &compiled.context;
    for op in compiled.circuit.top_level_operations() {
        let body = compiled.circuit.inner().inner(op);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() != "seq.hlmem" {
                continue;
            }
            let parts = sluice_dialects::seq::memory_parts(context, view.ty(view.result(0)));
            let Some((shape, element)) = parts else {
                continue;
            };
            let width_bits = element.integer_width_bits(context).unwrap_or(0);
            let words = u64::try_from(shape.iter().product::<i64>()).unwrap_or(0);
            let name = view.attribute("name").and_then(|a| a.as_str(context));
            let held = u32::try_from(words)
                .ok()
                .and_then(|words| compiled.device.memory(words, width_bits));
            found.push(Memory {
                name: name.unwrap_or("memory").to_owned(),
                words,
                width_bits,
                kind: held.map_or("inside", |memory| memory.kind.name()),
            });
        }
    }
    found
}

/// Registers of all circuits by name without trailing numbers, the most bits first.
pub(super) fn registers(compiled: &Compiled) -> Vec<Register> {
    let context = &compiled.context;
    let mut by_name: BTreeMap<String, (u32, u64)> = BTreeMap::new();
    for op in compiled.circuit.top_level_operations() {
        let body = compiled.circuit.inner().inner(op);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if !view.name().starts_with("seq.compreg") {
                continue;
            }
            let result = view.result(0);
            let width = view.ty(result).integer_width_bits(context).unwrap_or(0);
            let given = view
                .attribute("name")
                .and_then(|a| a.as_str(context))
                .map(str::to_owned);
            let named = body.value_name(result).map(|n| context.text(n).to_owned());
            let name = given.or(named).unwrap_or_else(|| "register".to_owned());
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
            let entry = by_name.entry(name.to_owned()).or_default();
            entry.0 += 1;
            entry.1 += u64::from(width);
        }
    }
    let mut found: Vec<Register> = by_name
        .into_iter()
        .map(|(name, (count, bits))| Register { name, count, bits })
        .collect();
    found.sort_by(|a, b| b.bits.cmp(&a.bits).then_with(|| a.name.cmp(&b.name)));
    found
}
