//! Area of a circuit by operator class, from the device's tables.

use std::collections::BTreeMap;

use sluice_dialects::synthesis_form::interleaved_units;
use sluice_ir::{Context, Module, View};
use sluice_oplib::area::Area;
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;

const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

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
            "hw.instance" => {
                let callee = view
                    .attribute("moduleName")
                    .and_then(|a| a.as_flat_symbol(context))
                    .unwrap_or_default();
                module(context, circuit, callee, device, line, items);
            }
            "seq.compreg" | "seq.compreg.ce" => {
                add("register", device.register(width.unwrap_or(1)).area);
            }
            "seq.hlmem" => {
                let parts = sluice_dialects::seq::memory_parts(context, view.ty(view.result(0)));
                let sizes = parts.and_then(|(shape, element)| {
                    let words = u32::try_from(shape.iter().product::<i64>()).ok()?;
                    Some((words, element.integer_width_bits(context)?))
                });
                if let Some(memory) = sizes.and_then(|(words, width)| device.memory(words, width)) {
                    add(&format!("{} memory", memory.kind.name()), memory.area);
                }
            }
            "hw.array_get" => {
                let words = sluice_dialects::hw::array_parts(context, view.ty(view.operand(0)))
                    .map_or(1, |(n, _)| n);
                let words = u32::try_from(words).unwrap_or(u32::MAX);
                // A table takes what a memory of its size takes.
                let cells = device.memory(words, width.unwrap_or(1));
                add("table", cells.map_or(Area::ZERO, |memory| memory.area));
            }
            operation => {
                let predicate = view.attribute("predicate").and_then(|p| p.as_i64(context));
                let predicate = predicate
                    .and_then(|p| usize::try_from(p).ok())
                    .and_then(|p| PREDICATES.get(p).copied());
                let Some(class) = OperatorClass::of_operation(operation, predicate) else {
                    continue;
                };
                if class.is_free() {
                    continue;
                }
                let measured = if operation == "comb.icmp" {
                    view.ty(view.operand(0)).integer_width_bits(context)
                } else {
                    width
                };
                // Combinational cells: the row with latency 0, or the smallest there is.
                let ways = device.implementations(class, measured.unwrap_or(1));
                let n_pairs = view.operands().len().saturating_sub(1).max(1);
                if let Some(way) = ways.first() {
                    for _ in 0..if operation == "comb.mux" { 1 } else { n_pairs } {
                        add(class.name(), way.area);
                    }
                }
            }
        }
    }
}

/// Class and area of a module that is one unit: the device's figures hold for it as a whole.
fn unit(module: View<'_>, device: &Device) -> Option<(OperatorClass, Area)> {
    let context = module.context;
    let class = OperatorClass::of_name(module.attribute("sluice.class")?.as_str(context)?)?;
    let number = |name: &str| u32::try_from(module.attribute(name)?.as_i64(context)?).ok();
    let (width, latency) = (number("sluice.width")?, number("sluice.latency")?);
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
