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

/// One line of the area table.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaLine {
    /// How many.
    pub count: u32,
    /// Their cells together.
    pub area: Area,
}

/// One cell, unit or memory of a circuit.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaItem {
    /// Operator class, or what it is.
    pub class: String,
    /// Line in the source, from one; of what serves several operations that of one of them.
    pub line: Option<u32>,
    /// Its cells.
    pub area: Area,
}

/// Everything that takes area, every instance counted; memory arguments are outside.
pub fn items(context: &Context, circuit: &Module, top: &str, device: &Device) -> Vec<AreaItem> {
    let mut items = Vec::new();
    module(context, circuit, top, device, None, &mut items);
    items
}

/// Area by operator class, every instance counted; memory arguments are outside.
pub fn area(
    context: &Context,
    circuit: &Module,
    top: &str,
    device: &Device,
) -> BTreeMap<String, AreaLine> {
    let items = items(context, circuit, top, device);
    sums(items.into_iter().map(|item| (item.class, item.area)))
}

/// Area by source line; what has no line stands under 0.
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
                // A table takes what a memory of its size takes.
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
                // Combinational cells: the row with latency 0, or the smallest there is.
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

/// The cells of a memory that is an array, by words and bits of a word: a copy of the contents for each read port, one for ports that
/// read or write.
///
/// Registers for read data, which distributed memories need, are left out where reads take no cycle.
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

/// Class and area of a module that is one unit: the device's figures hold for it as a whole.
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

/// All lines together.
pub fn total(table: &BTreeMap<String, AreaLine>) -> Area {
    table.values().fold(Area::ZERO, |sum, line| sum + line.area)
}
