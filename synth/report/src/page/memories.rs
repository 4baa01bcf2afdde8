//! The panel of memories: sizes, ports with their use in each slot, and registers.

use std::fmt::Write;

use sluice_kernel::compiled::Compiled;

use super::charts::Chart;
use super::short;
use crate::figures::{memories, registers as all_registers};
use crate::markup::{Origin, escape};
use crate::timing::{Limit, UnitUse};

/// Maximum number of slots of which a table has a column each.
const MAX_SLOTS: usize = 64;

/// Maximum number of rows in a cell that are named.
const MAX_NAMES: usize = 6;

/// Adds memories, and the use of their ports and of other limited units.
pub(super) fn panel(page: &mut String, compiled: &Compiled, charts: &[Chart<'_>]) {
    let memories = memories(compiled);
    if !memories.is_empty() {
        page.push_str(
            "<h2>Memories</h2>\n<div class=\"wide\"><table>\n<tr><th>memory</th><th class=\"n\">words</th><th class=\"n\">bits</th><th>where</th><th>ports</th><th class=\"n\">loads</th><th class=\"n\">stores</th><th>why</th></tr>\n",
        );
        for memory in memories {
            let _ = writeln!(
                page,
                "<tr><td class=\"code\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td>\
                 <td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
                escape(&memory.name),
                memory.words,
                memory.width_bits,
                escape(memory.kind),
                escape(&memory.ports),
                memory.reads,
                memory.writes,
                escape(&memory.why)
            );
        }
        page.push_str("</table></div>\n");
    }
    let used: Vec<&Chart<'_>> = charts.iter().filter(|chart| is_listed(chart)).collect();
    if used.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<h2>Ports and units by slot{}</h2>\n<p class=\"faint\">A slot is the start modulo the II. A unit that is in use in all slots prevents a smaller II.</p>",
        Origin::Proved.mark()
    );
    for chart in used {
        slots(page, chart);
    }
}

/// Returns whether a chart is of a pipelined loop with limited units and few enough slots.
fn is_listed(chart: &Chart<'_>) -> bool {
    let n_slots = chart.units.first().map_or(0, |unit| unit.slots.len());
    chart.section.ii.is_some() && n_slots > 0 && n_slots <= MAX_SLOTS
}

fn slots(page: &mut String, chart: &Chart<'_>) {
    let n_slots = chart.units.first().map_or(0, |unit| unit.slots.len());
    let _ = write!(
        page,
        "<h3>{}</h3>\n<div class=\"wide\"><table class=\"slots\">\n<tr><th>port or unit</th>",
        escape(&short(&chart.section.title))
    );
    for slot in 0..n_slots {
        let _ = write!(page, "<th>slot {slot}</th>");
    }
    page.push_str("<th class=\"n\">in use</th></tr>\n");
    for unit in &chart.units {
        unit_row(page, chart, unit, n_slots);
    }
    page.push_str("</table></div>\n");
}

fn unit_row(page: &mut String, chart: &Chart<'_>, unit: &UnitUse, n_slots: usize) {
    let limits = match &chart.limit {
        Some(Limit::Unit { name, .. }) => *name == unit.name,
        _ => false,
    };
    let class = if limits { " class=\"hot\"" } else { "" };
    let count = match unit.count {
        1 => String::new(),
        n => format!(" ({n})"),
    };
    let _ = write!(
        page,
        "<tr{class}><td>{}{count}</td>",
        escape(&unit.name.replace('`', ""))
    );
    let mut n_used = 0;
    for rows in &unit.slots {
        n_used += rows.len();
        let names = rows.iter().take(MAX_NAMES).map(|row| {
            let row = chart.rows[*row].0;
            let name = escape(row.label.split(" = ").next().unwrap_or_default());
            match row.line {
                Some(line) => format!("<a href=\"#L{line}\">{name}</a>"),
                None => name,
            }
        });
        let mut names: Vec<String> = names.collect();
        if rows.len() > MAX_NAMES {
            names.push(format!("{} more", rows.len() - MAX_NAMES));
        }
        let busy = if rows.is_empty() { "" } else { " busy" };
        let _ = write!(page, "<td class=\"code{busy}\">{}</td>", names.join("<br>"));
    }
    let available = n_slots * usize::try_from(unit.count).unwrap_or(1);
    let _ = writeln!(page, "<td class=\"n\">{n_used} of {available}</td></tr>");
}

/// Adds the registers by name.
pub(super) fn registers(page: &mut String, compiled: &Compiled) {
    let registers = all_registers(compiled);
    let bits: u64 = registers.iter().map(|register| register.bits).sum();
    let _ = writeln!(
        page,
        "<h2>Registers</h2>\n<details><summary>{bits} bits</summary>\n<div class=\"wide\"><table>\n\
         <tr><th>name</th><th class=\"n\">registers</th><th class=\"n\">bits</th></tr>"
    );
    for register in registers {
        let _ = writeln!(
            page,
            "<tr><td class=\"code\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&register.name),
            register.count,
            register.bits
        );
    }
    page.push_str("</table></div>\n</details>\n");
}
