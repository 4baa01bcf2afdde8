//! Area of a circuit by operator class, from the device's tables.

use std::collections::BTreeMap;

use sluice_dialects::{
    comb, hw, seq, sluice,
    storage::{Ports, Storage, StorageKind, storage},
    synthesis_form::interleaved_units,
};
use sluice_ir::{Context, Exact, Module, View};
use sluice_oplib::area::Area;
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::memory::MemoryKind;

/// One row of the area table.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaLine {
    /// Number of items.
    pub count: u32,
    /// Total area of the items.
    pub area: Area,
}

/// One cell, functional unit or memory of a circuit.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaItem {
    /// Operator class, or the kind of item.
    pub class: String,
    /// Source line, counted from one. For an item that several operations share, the line of one of them.
    pub line: Option<u32>,
    /// Area of the item.
    pub area: Area,
}

/// Returns all items of a circuit that take area, once per instance. Memory arguments are outside the circuit.
pub fn items(context: &Context, circuit: &Module, top: &str, device: &Device) -> Vec<AreaItem> {
    let mut items = Vec::new();
    module(context, circuit, top, device, None, &mut items);
    items
}

/// Returns the area by operator class, once per instance. Memory arguments are outside the circuit.
pub fn area(
    context: &Context,
    circuit: &Module,
    top: &str,
    device: &Device,
) -> BTreeMap<String, AreaLine> {
    let items = items(context, circuit, top, device);
    sums(items.into_iter().map(|item| (item.class, item.area)))
}

/// Returns the area by source line. Items without a line are under 0.
pub fn by_line(items: &[AreaItem]) -> BTreeMap<u32, AreaLine> {
    sums(items.iter().map(|item| (item.line.unwrap_or(0), item.area)))
}

fn sums<K: Ord>(parts: impl Iterator<Item = (K, Area)>) -> BTreeMap<K, AreaLine> {
    let mut table = BTreeMap::new();
    for (key, area) in parts {
        let line = table.entry(key).or_insert(AreaLine {
            count: 0,
            area: Area::ZERO,
        });
        line.count += 1;
        line.area += area;
    }
    table
}

fn line(view: View<'_>) -> Option<u32> {
    let (_, line, _) = view.location().file_line_column(view.context)?;
    Some(line)
}

fn module(
    context: &Context,
    circuit: &Module,
    name: &str,
    device: &Device,
    instance: Option<u32>,
    items: &mut Vec<AreaItem>,
) {
    let Some(op) = circuit.lookup_symbol(context, name) else {
        return;
    };
    if let Some((class, area)) = unit(View::new(context, circuit.inner(), op), device) {
        items.push(AreaItem {
            class: class.name().to_owned(),
            line: instance,
            area,
        });
        return;
    }
    let body = circuit.inner().inner(op);
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let line = line(view);
        let mut add = |class: &str, area: Area| {
            items.push(AreaItem {
                class: class.to_owned(),
                line,
                area,
            });
        };
        let width = view
            .results()
            .first()
            .and_then(|r| view.ty(*r).integer_width_bits(context));
        match view.name() {
            hw::Instance::NAME => {
                let callee = view
                    .attribute("moduleName")
                    .and_then(|a| a.as_flat_symbol(context))
                    .unwrap_or_default();
                module(context, circuit, callee, device, line, items);
            }
            seq::Compreg::NAME | seq::CompregCe::NAME => {
                add("register", device.register(width.unwrap_or(1)).area);
            }
            seq::Hlmem::NAME => {
                let parts = sluice_dialects::seq::memory_parts(context, view.ty(view.result(0)));
                let sizes = parts.and_then(|(shape, element)| {
                    let words = Exact::product(&shape).to_u32()?;
                    Some((words, element.integer_width_bits(context)?))
                });
                let users = view
                    .body
                    .uses(view.result(0))
                    .map(|(user, _)| view.at(user));
                let reads: Vec<_> = users
                    .filter(|port| port.name() == seq::Read::NAME)
                    .collect();
                let latency = |port: &View<'_>| port.attribute("latency")?.as_i64(context);
                let is_clocked = reads.iter().all(|port| latency(port) != Some(0));
                let n_reads = u32::try_from(reads.len()).unwrap_or(u32::MAX);
                let held =
                    sizes.and_then(|size| held(device, storage(view), size, n_reads, is_clocked));
                if let Some((kind, area)) = held {
                    add(&format!("{} memory", kind.name()), area);
                }
            }
            hw::ArrayGet::NAME => {
                let words = sluice_dialects::hw::array_parts(context, view.ty(view.operand(0)))
                    .map_or(1, |(n, _)| n);
                let words = u32::try_from(words).unwrap_or(u32::MAX);
                // A constant table takes as many cells as a memory of the same size.
                let cells = device.memory(words, width.unwrap_or(1));
                add("table", cells.map_or(Area::ZERO, |memory| memory.area));
            }
            operation => {
                let Some(class) = OperatorClass::of(view) else {
                    continue;
                };
                if class.is_free() {
                    continue;
                }
                let measured = if operation == comb::Icmp::NAME {
                    view.ty(view.operand(0)).integer_width_bits(context)
                } else {
                    width
                };
                // Combinational cells: use the implementation with latency 0, or else the one with the least latency.
                let ways = device.implementations(class, measured.unwrap_or(1));
                let n_pairs = view.operands().len().saturating_sub(1).max(1);
                if let Some(way) = ways.first() {
                    for _ in 0..if operation == comb::Mux::NAME {
                        1
                    } else {
                        n_pairs
                    } {
                        add(class.name(), way.area);
                    }
                }
            }
        }
    }
}

/// Returns the area of a memory array, from the number of words and the word width in bits. Each read port has its own copy of
/// the contents; a memory with ports that read or write has one copy.
///
/// The area omits the read data registers that distributed memories need, if reads are combinational.
pub fn held(
    device: &Device,
    storage: Option<Storage>,
    (words, width_bits): (u32, u32),
    n_reads: u32,
    is_clocked: bool,
) -> Option<(MemoryKind, Area)> {
    let is_dual = storage.is_some_and(|storage| storage.ports == Ports::TrueDual);
    let memory = match storage.map(|storage| storage.kind) {
        _ if is_dual => device.true_dual_memory(words, width_bits)?,
        Some(StorageKind::LutRam) => {
            device.memory_of_kind(MemoryKind::Distributed, words, width_bits)?
        }
        Some(StorageKind::BlockRam) => {
            device.memory_of_kind(MemoryKind::Block, words, width_bits)?
        }
        Some(StorageKind::Registers | StorageKind::Rom) | None => {
            device.memory(words, width_bits)?
        }
    };
    let mut copy = memory.area;
    if !is_clocked {
        copy.ff = 0.0;
    }
    let n_copies = if is_dual { 1 } else { n_reads };
    let area = (1..n_copies).fold(copy, |sum, _| sum + copy);
    Some((memory.kind, area))
}

/// Returns the class and area of a module that is one functional unit. The device's figures cover the whole module.
fn unit(module: View<'_>, device: &Device) -> Option<(OperatorClass, Area)> {
    let context = module.context;
    let class = OperatorClass::of_name(module.attribute(sluice::CLASS)?.as_str(context)?)?;
    let number = |name: &str| u32::try_from(module.attribute(name)?.as_i64(context)?).ok();
    let (width, latency) = (number(sluice::WIDTH)?, number(sluice::LATENCY)?);
    let ways = device.implementations(class, width);
    let way = ways.iter().find(|way| way.latency_cycles == latency)?;
    let mut area = Area::ZERO;
    for _ in 0..interleaved_units(module) {
        area += way.area;
    }
    Some((class, area))
}

/// Returns the sum of all rows.
pub fn total(table: &BTreeMap<String, AreaLine>) -> Area {
    table.values().fold(Area::ZERO, |sum, line| sum + line.area)
}
