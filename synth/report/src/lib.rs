//! Reports as text and as JSON: schedules as tables and Gantt charts, latency and area.

use std::fmt::Write;

use serde_json::{Value, json};
use sluice_dialects::{func, memref, scf, sluice, synthesis_form::is_compound};
use sluice_ir::{Exact, OperationId, View};
use sluice_kernel::banks::{BankedArray, banked_arrays};
use sluice_kernel::compiled::Compiled;
use sluice_techmap::area::{area, by_line, items, total};
use sluice_techmap::estimate::{self, brief};
use sluice_verify::check::latency_cycles;

mod accesses;
pub mod comparison;
mod dataflow;
mod figures;
mod heading;
pub mod latency;
pub mod loops;
pub mod markup;
pub mod network;
pub mod page;
pub mod stalls;
mod timing;
mod total;
pub mod traffic;

use crate::latency::{Formulas, Latency, exact_json, formulas};
pub use heading::heading;

use network::Network;
use timing::path_period_ns;
use total::TotalLatency;

/// One scheduled operation.
pub(crate) struct Row {
    /// The operation; for a guarded one, its guard.
    pub(crate) id: OperationId,
    pub(crate) name: String,
    /// Name in a chart: with the memory of a load or store.
    pub(crate) label: String,
    pub(crate) source: String,
    /// Line in the source, from one.
    line: Option<u32>,
    pub(crate) class: String,
    /// True if it takes a variable time: a loop, a call, or a conditional that is not a guard.
    pub(crate) is_compound: bool,
    pub(crate) start: i64,
    /// Start div II, in a pipelined loop.
    stage: Option<i64>,
    pub(crate) latency: i64,
}

/// The position of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// 0 is the module of the kernel; the others are those of functions that a dataflow graph calls.
    pub(crate) module: usize,
    pub(crate) function: OperationId,
    /// The loop or conditional; `None` for the function itself.
    pub(crate) around: Option<OperationId>,
}

/// One loop, conditional or function.
struct Section {
    place: Place,
    /// Line in the source, from one.
    line: Option<u32>,
    title: String,
    kind: &'static str,
    ii: Option<i64>,
    depth: Option<i64>,
    lower_bound: Option<i64>,
    trip_count: Option<Exact>,
    /// Number of iterations of a flattened nest in which no operation runs.
    idle_steps: Option<i64>,
    cycles: Option<Exact>,
    /// Formula of the cycles of one entry in terms of trip counts.
    formula: Option<Latency>,
    /// Total entries, iterations and cycles of a loop whose length varies from entry to entry.
    totals: Option<[Exact; 3]>,
    bound: Option<String>,
    rows: Vec<Row>,
    level: usize,
}

pub(crate) fn place(view: View<'_>) -> String {
    view.location()
        .file_line_column(view.context)
        .map_or_else(String::new, |(file, line, _)| format!("{file}:{line}"))
}

pub(crate) fn value_name(view: View<'_>) -> String {
    let shown = view
        .results()
        .first()
        .and_then(|r| view.body.value_name(*r))
        .map(|n| view.context.text(n));
    let class = sluice::float_class(view);
    let operation = class.as_deref().unwrap_or(view.name());
    match shown {
        Some(name) => format!("%{name} = {operation}"),
        None => operation.to_owned(),
    }
}

/// Returns the name of an operation with the memory that it loads from or stores to.
fn label(view: View<'_>) -> String {
    let memory = match view.name() {
        memref::Load::NAME => view.operands().next(),
        memref::Store::NAME => view.operands().nth(1),
        _ => None,
    };
    let name = value_name(view);
    match memory.and_then(|memory| view.body.value_name(memory)) {
        Some(memory) => format!("{name} %{}", view.context.text(memory)),
        None => name,
    }
}

fn line_of(view: View<'_>) -> Option<u32> {
    let place = view.location().file_line_column(view.context);
    place.map(|(_, line, _)| line)
}

pub(crate) fn number(view: View<'_>, name: &str) -> Option<i64> {
    view.attribute(name)?.as_i64(view.context)
}

fn exact(view: View<'_>, name: &str) -> Option<Exact> {
    view.attribute(name)?.as_exact(view.context)
}

fn totals(view: View<'_>) -> Option<[Exact; 3]> {
    if view.attribute(sluice::CYCLES).is_some() {
        return None;
    }
    Some([
        exact(view, sluice::ENTRIES)?,
        exact(view, sluice::ITERATIONS)?,
        exact(view, sluice::TOTAL_CYCLES)?,
    ])
}

pub(crate) fn rows(view: View<'_>, blocks: &[sluice_ir::BlockId], ii: Option<i64>) -> Vec<Row> {
    let mut rows = Vec::new();
    for block in blocks {
        for op in view.body.operations(*block) {
            let op = view.at(op);
            let Some(start) = number(op, sluice::START) else {
                continue;
            };
            let guarded = (op.name() == scf::If::NAME && op.attribute(sluice::GUARD).is_some())
                .then(|| op.entry_block(0))
                .flatten()
                // A guarded operation has the start time of its guard.
                .and_then(|b| {
                    let mut inside = op.body.operations(b);
                    inside.find(|o| op.at(*o).attribute(sluice::START).is_some())
                });
            let shown = guarded.map_or(op, |inner| op.at(inner));
            let class = op
                .attribute(sluice::CLASS)
                .and_then(|c| c.as_str(op.context))
                .unwrap_or_default();
            rows.push(Row {
                id: op.id,
                name: value_name(shown),
                label: label(shown),
                source: place(shown),
                line: line_of(shown),
                stage: ii.map(|ii| start / ii.max(1)),
                class: class.to_owned(),
                is_compound: is_compound(op),
                start,
                latency: number(op, sluice::LATENCY).unwrap_or(0),
            });
        }
    }
    rows.sort_by_key(|row| row.start);
    rows
}

/// Returns the counters, joined by `_`, of the perfect nest that a `while` loop was before flattening.
fn nest_counters(op: View<'_>) -> Option<String> {
    let mut shape = op.attribute(sluice::SHAPE)?;
    let mut names = Vec::new();
    while let Some([name, _, _, inside]) = shape.as_array(op.context) {
        names.extend(name.as_str(op.context).filter(|name| !name.is_empty()));
        match inside.as_array(op.context) {
            Some([inner]) => shape = *inner,
            _ => break,
        }
    }
    let is_nest = op.name() == scf::While::NAME && !names.is_empty();
    is_nest.then(|| names.join("_"))
}

fn sections(
    view: View<'_>,
    block: sluice_ir::BlockId,
    level: usize,
    (module, function): (usize, OperationId),
    found: Option<&Formulas>,
    out: &mut Vec<Section>,
) {
    for op in view.body.operations(block) {
        let op = view.at(op);
        let counters = nest_counters(op);
        let kind = match op.name() {
            scf::For::NAME => "loop",
            scf::While::NAME if counters.is_some() => "loop",
            scf::While::NAME => "while loop",
            scf::If::NAME if op.attribute(sluice::GUARD).is_none() => "conditional",
            _ => continue,
        };
        let blocks: Vec<_> = (0..op.regions().len())
            .filter_map(|i| op.entry_block(i))
            .collect();
        let variable = blocks
            .first()
            .and_then(|b| op.body.arguments(*b).first().copied());
        let variable = variable
            .and_then(|v| op.body.value_name(v))
            .map(|n| op.context.text(n).to_owned());
        let variable = counters.or(variable);
        let title = match (kind, variable) {
            ("loop", Some(name)) => format!("loop %{name} at {}", place(op)),
            _ => format!("{kind} at {}", place(op)),
        };
        out.push(Section {
            place: Place {
                module,
                function,
                around: Some(op.id),
            },
            line: line_of(op),
            title,
            kind,
            ii: number(op, sluice::II),
            depth: number(op, sluice::DEPTH),
            lower_bound: number(op, sluice::LOWER_BOUND),
            trip_count: exact(op, sluice::TRIP_COUNT),
            idle_steps: number(op, sluice::IDLE_STEPS),
            cycles: exact(op, sluice::CYCLES),
            formula: found.and_then(|found| found.loops.get(&op.id).cloned()),
            totals: totals(op),
            bound: op
                .attribute(sluice::BOUND)
                .and_then(|a| a.as_str(op.context))
                .map(str::to_owned),
            rows: rows(op, &blocks, number(op, sluice::II)),
            level,
        });
        for block in blocks {
            sections(op, block, level + 1, (module, function), found, out);
        }
    }
}

fn collect(compiled: &Compiled) -> Vec<Section> {
    let context = &compiled.context;
    let mut out = Vec::new();
    let found = formulas(compiled);
    let modules = std::iter::once(&compiled.scheduled).chain(&compiled.callees);
    let functions = modules.enumerate().flat_map(|(number, module)| {
        let all = module.top_level_operations().into_iter();
        all.map(move |op| (number, View::new(context, module.inner(), op)))
    });
    for (module, function) in functions {
        if function.name() != func::Func::NAME {
            continue;
        }
        let body = function.inner();
        let blocks = function
            .regions()
            .first()
            .map(|r| body.blocks(*r).to_vec())
            .unwrap_or_default();
        let inside = View::new(context, body, OperationId::from_index(0));
        // Formulas belong to the kernel only: operations of other functions have the same ids.
        let is_kernel = function.symbol_name() == Some(&compiled.top);
        let found = Some(&found).filter(|_| is_kernel);
        out.push(Section {
            place: Place {
                module,
                function: function.id,
                around: None,
            },
            line: line_of(function),
            title: format!("function @{}", function.symbol_name().unwrap_or_default()),
            kind: "function",
            ii: None,
            depth: number(function, sluice::DEPTH),
            lower_bound: None,
            trip_count: None,
            idle_steps: None,
            cycles: exact(function, sluice::CYCLES),
            formula: found.and_then(|found| found.kernel.clone()),
            totals: None,
            bound: None,
            rows: rows(inside, &blocks, None),
            level: 0,
        });
        for block in blocks {
            let at = (module, function.id);
            sections(inside, block, 1, at, found, &mut out);
        }
    }
    out
}

fn gantt(section: &Section, text: &mut String) {
    let end = section
        .rows
        .iter()
        .map(|r| r.start + r.latency.max(1))
        .max()
        .unwrap_or(0)
        .min(64);
    let width = section
        .rows
        .iter()
        .map(|r| r.name.len())
        .max()
        .unwrap_or(0)
        .clamp(9, 40);
    let place = section
        .rows
        .iter()
        .map(|r| r.source.len())
        .max()
        .unwrap_or(0)
        .max(6);
    let _ = writeln!(
        text,
        "  {:width$}  {:place$}  {:16}  start  stage  latency  chart",
        "operation", "source", "unit"
    );
    for row in &section.rows {
        let mut bar = String::new();
        for cycle in 0..end {
            let inside = cycle >= row.start && cycle < row.start + row.latency.max(1);
            bar.push(if inside { '#' } else { '.' });
        }
        let name: String = row.name.chars().take(width).collect();
        let _ = writeln!(
            text,
            "  {name:width$}  {:place$}  {:16}  {:5}  {:>5}  {:>7}  {bar}",
            row.source,
            row.class,
            row.start,
            row.stage
                .map_or_else(|| "-".to_owned(), |stage| stage.to_string()),
            match row.is_compound {
                true => "-".to_owned(),
                false => row.latency.to_string(),
            }
        );
    }
}

fn banked(compiled: &Compiled) -> Vec<BankedArray> {
    banked_arrays(&compiled.context, &compiled.scheduled, &compiled.top)
}

/// Returns the chosen copies for a number of multipliers.
fn chosen(compiled: &Compiled) -> Option<&str> {
    let op = compiled
        .scheduled
        .lookup_symbol(&compiled.context, &compiled.top)?;
    let view = View::new(&compiled.context, compiled.scheduled.inner(), op);
    view.attribute(sluice_dialects::sluice::PARALLEL)?
        .as_str(&compiled.context)
}

/// Returns the changes that Sluice made to the loops of the kernel.
fn changes(compiled: &Compiled) -> Vec<String> {
    let op = compiled
        .scheduled
        .lookup_symbol(&compiled.context, &compiled.top);
    let view = |op| View::new(&compiled.context, compiled.scheduled.inner(), op);
    op.map_or_else(Vec::new, |op| sluice_kernel::choices::noted(view(op)))
}

/// Formats the chosen copies, and the positions of array elements in banks.
fn banks_text(compiled: &Compiled) -> String {
    let mut text = String::new();
    if let Some(chosen) = chosen(compiled) {
        let _ = writeln!(text, "copies: {chosen}");
    }
    for array in banked(compiled) {
        let conflicts = match array.n_chosen {
            0 => "every access knows its bank, so none of one step meet in a bank".to_owned(),
            n => format!(
                "{} accesses know their bank, {n} choose among banks as they run",
                array.n_straight
            ),
        };
        let place = array.partition.describe(&array.name);
        let _ = writeln!(text, "{place}; {conflicts}");
    }
    text
}

/// Formats the report for a terminal.
pub fn text(compiled: &Compiled) -> String {
    let paths = path_period_ns(&compiled.context, &compiled.scheduled)
        .map(|ns| format!(", paths for {ns} ns"));
    let mut text = format!(
        "kernel @{} on `{}` at {} ns{}\n\n",
        compiled.top,
        compiled.device.name,
        compiled.clock_period_ns,
        paths.unwrap_or_default()
    );
    let _ = writeln!(text, "latency: {}", TotalLatency::of(compiled).sentence());
    let sections = collect(compiled);
    let of_kernel = sections
        .iter()
        .find(|s| s.kind == "function" && s.formula.is_some());
    if let Some(formula) = of_kernel.and_then(|s| s.formula.as_ref()) {
        text.push_str(&latency::text(formula));
    }
    for sentence in changes(compiled) {
        let _ = writeln!(text, "chosen: {sentence}");
    }
    text += &banks_text(compiled);
    if sections.iter().any(|section| !section.rows.is_empty()) {
        text += "schedule: start and latency in cycles; each character of the chart is a cycle, `#` while the operation runs\n";
    }
    for section in sections {
        let _ = writeln!(text, "\n{}{}", "  ".repeat(section.level), section.title);
        let mut facts = Vec::new();
        if let Some(ii) = section.ii {
            let bound = section
                .lower_bound
                .map_or_else(String::new, |b| format!(" (lower bound {b})"));
            facts.push(format!("II {ii}{bound}"));
        }
        facts.extend(section.depth.map(|d| format!("depth {d}")));
        let waits = section
            .idle_steps
            .filter(|n| *n > 0)
            .map_or_else(String::new, |n| {
                format!(", {n} of them only wait for values of others")
            });
        facts.extend(section.trip_count.map(|n| format!("trip count {n}{waits}")));
        match (
            section.ii,
            section.depth,
            section.trip_count,
            section.cycles,
        ) {
            (Some(ii), Some(depth), Some(n), Some(cycles)) => {
                facts.push(format!("{cycles} cycles = 1 + ({n} - 1) * {ii} + {depth}"));
            }
            (_, _, _, Some(cycles)) => facts.push(format!("{cycles} cycles")),
            _ => {}
        }
        if let Some(formula) = section
            .formula
            .as_ref()
            .filter(|_| section.kind != "function")
        {
            facts.push(format!("formula {formula}"));
        }
        if let Some([entries, iterations, cycles]) = section.totals {
            facts.push(format!(
                "entered {entries} times, {iterations} iterations and {cycles} cycles in all"
            ));
        }
        let _ = writeln!(text, "  {}", facts.join(", "));
        for line in section.bound.iter().flat_map(|b| b.lines()) {
            let _ = writeln!(text, "  {line}");
        }
        gantt(&section, &mut text);
    }
    if let Some(network) = Network::of(compiled) {
        text.push_str(&network.text());
    }
    text.push_str(&figures::memories_text(compiled));
    text.push_str(
        "\narea by kind of unit, each estimated alone from the tables of the device; memories of arguments are not counted\n",
    );
    let _ = writeln!(
        text,
        "  {:20} {:>6} {:>9} {:>9} {:>6} {:>6}",
        "class", "count", "LUT", "FF", "DSP", "BRAM"
    );
    let table = area(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    for (class, line) in &table {
        let a = line.area;
        let _ = writeln!(
            text,
            "  {class:20} {:6} {:9.0} {:9.0} {:6.1} {:6.1}",
            line.count, a.lut, a.ff, a.dsp, a.bram
        );
    }
    let a = total(&table);
    let _ = writeln!(
        text,
        "  {:20} {:6} {:9.0} {:9.0} {:6.1} {:6.1}",
        "total", "", a.lut, a.ff, a.dsp, a.bram
    );
    text.push_str(&figures::by_line_text(compiled));
    text.push_str(
        &compiled
            .estimate()
            .map_or_else(String::new, |e| estimate::text(&e)),
    );
    if let Some(missed) = missed_clock(compiled) {
        let _ = writeln!(text, "  {missed}");
    }
    text
}

/// Returns a message if the circuit of a static schedule is expected to need more than the clock period. For elastic circuits
/// there is a warning instead.
fn missed_clock(compiled: &Compiled) -> Option<String> {
    let is_schedule = Network::of(compiled).is_none();
    let fmax = compiled.estimate()?.fmax_mhz.filter(|_| is_schedule)?;
    let (needed_ns, clock_ns) = (1000.0 / fmax.value, compiled.clock_period_ns);
    (needed_ns > clock_ns).then(|| {
        format!("expected to need {needed_ns:.1} ns, more than the clock period of {clock_ns} ns")
    })
}

/// The report for scripts.
pub fn to_json(compiled: &Compiled) -> Value {
    let table = area(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let cells = |a: sluice_oplib::area::Area| json!({"lut": a.lut, "ff": a.ff, "dsp": a.dsp, "bram": a.bram});
    let by_class: serde_json::Map<String, Value> = table
        .iter()
        .map(|(class, line)| {
            (
                class.clone(),
                json!({"count": line.count, "area": cells(line.area)}),
            )
        })
        .collect();
    let items = items(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let by_line: Vec<Value> = by_line(&items)
        .iter()
        .map(|(line, sum)| json!({"line": line, "count": sum.count, "area": cells(sum.area)}))
        .collect();
    let sections: Vec<Value> = collect(compiled)
        .into_iter()
        .map(|s| {
            let rows: Vec<Value> = s
                .rows
                .iter()
                .map(|r| {
                    json!({"operation": r.name, "source": r.source, "unit": r.class, "start": r.start,
                        "stage": r.stage, "latency_cycles": r.latency})
                })
                .collect();
            json!({
                "title": s.title, "kind": s.kind, "totals": s.totals.map(|totals| totals.map(exact_json)), "ii": s.ii, "lower_bound": s.lower_bound, "depth": s.depth, "idle_steps": s.idle_steps,
                "trip_count": s.trip_count.map(exact_json), "cycles": s.cycles.map(exact_json), "bound": s.bound, "operations": rows,
                "formula": s.formula.as_ref().map(latency::to_json),
            })
        })
        .collect();
    let banks: Vec<Value> = banked(compiled)
        .into_iter()
        .map(|array| {
            json!({"array": array.name, "banks": array.partition.n_banks(), "bank_shape": array.partition.bank_shape(),
                "straight": array.n_straight, "chosen": array.n_chosen, "argument": array.is_argument,
                "place": array.partition.describe(&array.name)})
        })
        .collect();
    let mut report = json!({
        "kernel": compiled.top,
        "device": compiled.device.name,
        "clock_period_ns": compiled.clock_period_ns,
        "latency_cycles": latency_cycles(compiled).map(exact_json),
        "latency_formula": formulas(compiled).kernel.as_ref().map(latency::to_json),
        "blocks": sections,
        "area": {"total": cells(total(&table)), "by_class": by_class, "by_line": by_line},
        "estimate": compiled.estimate().map(|e| estimate::to_json(&e)),
    });
    if let Value::Object(entries) = &mut report {
        if let Some(ns) = path_period_ns(&compiled.context, &compiled.scheduled) {
            entries.insert("path_period_ns".to_owned(), json!(ns));
        }
        if !banks.is_empty() {
            entries.insert("banks".to_owned(), Value::Array(banks));
        }
        if let Some(network) = Network::of(compiled) {
            entries.insert("network".to_owned(), network.to_json());
        }
        let memories = figures::memories_json(compiled);
        if !memories.is_empty() {
            entries.insert("memories".to_owned(), Value::Array(memories));
        }
        if let Some(chosen) = chosen(compiled) {
            entries.insert("copies".to_owned(), json!(chosen));
        }
        let changes = changes(compiled);
        if !changes.is_empty() {
            entries.insert("chosen".to_owned(), json!(changes));
        }
    }
    report
}

/// Returns a few lines for the end of a compilation.
pub fn summary(compiled: &Compiled) -> String {
    let latency = TotalLatency::of(compiled).words();
    let mut text = format!(
        "@{} on `{}` at {} ns: latency {latency}",
        compiled.top, compiled.device.name, compiled.clock_period_ns
    );
    if let Some(e) = compiled.estimate() {
        let _ = write!(text, "; {}", brief(&e));
    }
    text.push('\n');
    if let Some(missed) = missed_clock(compiled) {
        let _ = writeln!(text, "  {missed}");
    }
    for section in collect(compiled) {
        if let Some(ii) = section.ii {
            let first = section
                .bound
                .as_deref()
                .and_then(|b| b.lines().next())
                .unwrap_or_default();
            let _ = writeln!(
                text,
                "  {}: II {ii}, depth {}; {first}",
                section.title,
                section.depth.unwrap_or(0)
            );
        }
    }
    if let Some(network) = Network::of(compiled) {
        text += &format!("  {}{}", network.deadlock_freedom(), network.summary());
    }
    text
}
