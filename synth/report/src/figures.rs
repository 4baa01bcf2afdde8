//! Figures that several report formats share: area by source line, memories, registers.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use sluice_dialects::{
    func,
    interface::ArgumentPorts,
    memref, seq,
    storage::{Ports, StorageKind, accesses, storage},
};
use sluice_ir::View;
use sluice_ir::exact::Exact;
use sluice_ir::passes::named;
use sluice_kernel::compiled::Compiled;
use sluice_oplib::device::Device;
use sluice_oplib::memory::MemoryKind;
use sluice_techmap::area::{by_line, items};

use crate::accesses::{self, Accesses};

/// One memory.
pub(super) struct Memory {
    pub(super) name: String,
    pub(super) words: u64,
    pub(super) width_bits: u32,
    pub(super) kind: &'static str,
    pub(super) ports: String,
    /// Number of loads in the circuit; the next field counts the stores.
    pub(super) reads: usize,
    pub(super) writes: usize,
    /// Reason for its kind.
    pub(super) why: String,
}

/// Registers that share a name.
pub(super) struct Register {
    pub(super) name: String,
    pub(super) count: u32,
    pub(super) bits: u64,
}

/// Formats the area of each source line for a terminal.
pub(super) fn by_line_text(compiled: &Compiled) -> String {
    let items = items(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let mut text = "\narea by source line; a shared unit is counted once, in the line of one of its operations; line 0: units without a line\n"
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

/// Returns the memories of the kernel: its arguments, then local memories and tables.
pub(super) fn memories(compiled: &Compiled) -> Vec<Memory> {
    let interface = &compiled.interface;
    let arguments = interface.arguments.iter().zip(&interface.sources);
    let mut accesses = accesses::of_arguments(compiled).into_iter();
    let mut found: Vec<Memory> = arguments
        .filter_map(|(argument, name)| match argument {
            ArgumentPorts::Memory {
                depth_words,
                width_bits,
                read,
                write,
                stream,
                banks,
                ..
            } => {
                let n_banks = banks.as_ref().map_or(1, |banks| banks.memories.len());
                let own: Vec<Accesses> = accesses.by_ref().take(n_banks).collect();
                // A stream of a graph is a channel, which one operation reads or writes.
                let least = |is_used: bool| usize::from(*stream && is_used);
                let loads = own.iter().map(|own| own.loads).sum::<usize>();
                let stores = own.iter().map(|own| own.stores).sum::<usize>();
                Some(Memory {
                    name: name.clone(),
                    words: u64::from(*depth_words),
                    width_bits: *width_bits,
                    kind: match stream {
                        true => "argument, stream",
                        false => "argument, outside",
                    },
                    ports: format!("{} read, {} write", u32::from(*read), u32::from(*write)),
                    reads: loads.max(least(*read)),
                    writes: stores.max(least(*write)),
                    why: String::new(),
                })
            }
            ArgumentPorts::Scalar { .. } => {
                accesses.next();
                None
            }
        })
        .collect();
    let context = &compiled.context;
    for function in named(context, &compiled.scheduled, func::Func::NAME) {
        let body = compiled.scheduled.inner().inner(function);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let is_table = view.name() == memref::GetGlobal::NAME;
            if is_table || view.name() == memref::Alloca::NAME {
                found.push(inside(view, is_table, &compiled.device));
            }
        }
    }
    found
}

/// Returns a local memory or a constant table.
fn inside(view: View<'_>, is_table: bool, device: &Device) -> Memory {
    let (context, body) = (view.context, view.body);
    let memory = view.result(0);
    let ty = view.ty(memory);
    // Compilation allows at most 2^31 words.
    let words = ty.n_elements(context).and_then(Exact::to_u64);
    let words = words.unwrap_or_default();
    let element = ty.element_type(context);
    let width_bits = element.and_then(|ty| ty.integer_width_bits(context));
    let width_bits = width_bits.unwrap_or(0);
    let (loads, stores, _) = accesses(context, body, memory);
    let wish = storage(view);
    let of_size = u32::try_from(words)
        .ok()
        .and_then(|words| device.memory(words, width_bits));
    let (kind, why) = match wish {
        Some(wish) => (wish.kind.name(), "asked for".to_owned()),
        None => {
            let kind = of_size.map_or("inside", |memory| match memory.kind {
                _ if is_table => StorageKind::Rom.name(),
                MemoryKind::Distributed => StorageKind::LutRam.name(),
                MemoryKind::Block => StorageKind::BlockRam.name(),
            });
            (
                kind,
                format!("by its {} bits", words * u64::from(width_bits)),
            )
        }
    };
    let ports = wish.map_or(Ports::Separate { reads: 1 }, |wish| wish.ports);
    let ports = match ports {
        Ports::Separate { reads } if is_table => format!("{reads} read"),
        _ => ports.describe(),
    };
    let name = body.value_name(memory).map(|name| context.text(name));
    Memory {
        name: name.unwrap_or("memory").to_owned(),
        words,
        width_bits,
        kind,
        ports,
        reads: loads.len(),
        writes: stores.len(),
        why,
    }
}

/// Formats local memories and tables for a terminal; empty if there are none.
pub(super) fn memories_text(compiled: &Compiled) -> String {
    let memories = memories(compiled);
    let mut text = String::new();
    let inside: Vec<&Memory> = memories.iter().filter(|m| !m.why.is_empty()).collect();
    if inside.is_empty() {
        return text;
    }
    let _ = writeln!(
        text,
        "\nmemories inside\n  {:20} {:>6} {:>5}  {:10} {:22} {:>5} {:>6}  why",
        "name", "words", "bits", "kind", "ports", "loads", "stores"
    );
    for memory in inside {
        let _ = writeln!(
            text,
            "  {:20} {:6} {:5}  {:10} {:22} {:5} {:6}  {}",
            memory.name,
            memory.words,
            memory.width_bits,
            memory.kind,
            memory.ports,
            memory.reads,
            memory.writes,
            memory.why
        );
    }
    text
}

/// Returns local memories and tables as JSON.
pub(super) fn memories_json(compiled: &Compiled) -> Vec<Value> {
    let inside = memories(compiled).into_iter().filter(|m| !m.why.is_empty());
    inside
        .map(|memory| {
            json!({"name": memory.name, "words": memory.words, "width_bits": memory.width_bits, "kind": memory.kind,
                "ports": memory.ports, "loads": memory.reads, "stores": memory.writes, "why": memory.why})
        })
        .collect()
}

/// Returns the registers of all circuits by name without trailing numbers, the most bits first.
pub(super) fn registers(compiled: &Compiled) -> Vec<Register> {
    let context = &compiled.context;
    let mut by_name: BTreeMap<String, (u32, u64)> = BTreeMap::new();
    for op in compiled.circuit.top_level_operations() {
        let body = compiled.circuit.inner().inner(op);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if !view.name().starts_with(seq::Compreg::NAME) {
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
