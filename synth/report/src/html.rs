//! The report as one self-contained HTML page: loops, schedules, area, memories, registers, and the source with its figures.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_ir::printable::printable_lines;
use sluice_kernel::compiled::Compiled;
use sluice_techmap::area::{AreaLine, area, by_line, items, total};
use sluice_techmap::estimate::Estimate;

use super::figures::{memories, registers};
use super::network::Network;
use super::total::TotalLatency;
use super::{Row, Section, collect};
use crate::latency::Latency;
use crate::traffic::Traffic;

/// The style of a page.
pub const STYLE: &str = include_str!("page.css");

/// Height of a row of a chart, and width of a cycle, in pixels.
const ROW: i64 = 18;
const CYCLE: i64 = 16;

/// Width of the names beside a chart, in pixels.
const NAMES: i64 = 260;

/// Maximum number of rows of a chart; the table has all.
const MAX_ROWS: usize = 400;

/// Maximum number of cycles in a chart.
const MAX_CYCLES: i64 = 400;

/// Returns the page of a kernel. `traffic` is the use of buffers in simulated runs of an elastic circuit.
pub fn html(compiled: &Compiled, traffic: Option<&Traffic>) -> String {
    let sections = collect(compiled);
    let mut page = head(
        &compiled.top,
        &compiled.device.name,
        compiled.clock_period_ns,
    );
    page.push_str("<div class=\"cards\">\n");
    let total = TotalLatency::of(compiled);
    match total {
        TotalLatency::Known(cycles) => {
            let (cycles, is_known) = (cycles.to_string(), cycles.known().is_some());
            let unit = if is_known { "cycles, exact" } else { "cycles" };
            card(&mut page, "latency", &cycles, unit);
        }
        TotalLatency::Uncounted => card(&mut page, "latency", "fixed", &total.words()),
        TotalLatency::Varies => card(&mut page, "latency", "varies", &total.words()),
    }
    let network = Network::of(compiled);
    if let Some(network) = &network {
        deadlock_card(&mut page, network);
    }
    cards(&mut page, compiled.estimate().as_ref());
    choices(&mut page, compiled);
    latency(&mut page, &sections);
    loops(&mut page, &sections);
    if let Some(network) = network {
        page += &network.html();
    }
    if let Some(traffic) = traffic {
        page += &buffers(traffic);
    }
    schedules(&mut page, &sections);
    let lines = by_line(&items(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    ));
    area_by_unit(&mut page, compiled);
    area_by_line(&mut page, &lines);
    storage(&mut page, compiled);
    source(&mut page, compiled, &sections, &lines);
    page.push_str("</body>\n</html>\n");
    page
}

/// Returns the page of a dataflow graph that was the input, with its proof of deadlock freedom.
pub fn of_graph(
    top: &str,
    (device, clock_period_ns): (&str, f64),
    estimate: Option<&Estimate>,
    network: &Network,
) -> String {
    let mut page = head(top, device, clock_period_ns);
    page.push_str("<div class=\"cards\">\n");
    deadlock_card(&mut page, network);
    cards(&mut page, estimate);
    page + &network.html() + "</body>\n</html>\n"
}

/// Adds the card about deadlock freedom.
fn deadlock_card(page: &mut String, network: &Network) {
    match network.proof() {
        Some(_) => card(page, "deadlock", "never", "proved"),
        None => card(page, "deadlock", "?", "nothing is proved"),
    }
}

/// Returns the beginning of a page.
fn head(top: &str, device: &str, clock_period_ns: f64) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}: schedule and area</title>\n<style>\n{1}</style>\n</head>\n<body>\n\
         <h1>@{0}</h1>\n<p class=\"faint\">device <code>{2}</code>, clock period {3} ns</p>\n",
        escape(top),
        STYLE,
        escape(device),
        clock_period_ns
    )
}

/// Escapes a text for pages and quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable_lines(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn card(page: &mut String, title: &str, value: &str, note: &str) {
    let _ = writeln!(
        page,
        "<div class=\"card\"><span class=\"faint\">{}</span><b>{}</b><span class=\"faint\">{}</span></div>",
        escape(title),
        escape(value),
        escape(note)
    );
}

/// Adds the cards with the expected synthesis result, which are the last ones.
fn cards(page: &mut String, estimate: Option<&Estimate>) {
    if let Some(expected) = estimate {
        let figures = [
            ("LUT", expected.lut),
            ("FF", expected.ff),
            ("DSP", expected.dsp),
            ("BRAM", expected.bram),
        ];
        for (name, figure) in figures {
            let interval = format!("90 %: {:.0} to {:.0}", figure.low, figure.high);
            card(page, name, &format!("{:.0}", figure.value), &interval);
        }
        if let Some(clock) = expected.fmax_mhz {
            let interval = format!("MHz, 90 %: {:.0} to {:.0}", clock.low, clock.high);
            card(page, "clock", &format!("{:.0}", clock.value), &interval);
        }
        page.push_str("</div>\n");
        page.push_str("<p class=\"faint\">Area and clock are expected after synthesis and placement; memories of arguments are not counted.");
        if let Some((from, to)) = &expected.mapped.path {
            let _ = write!(
                page,
                " Longest path: from <code>{}</code> to <code>{}</code>.",
                escape(from),
                escape(to)
            );
        }
        page.push_str("</p>\n");
    } else {
        page.push_str("</div>\n");
    }
}

fn choices(page: &mut String, compiled: &Compiled) {
    let changes = super::changes(compiled);
    if changes.is_empty() {
        return;
    }
    page.push_str("<h2>Chosen</h2>\n<ul>\n");
    for sentence in changes {
        let _ = writeln!(page, "<li>{}</li>", escape(&sentence));
    }
    page.push_str("</ul>\n");
}

fn latency(page: &mut String, sections: &[Section]) {
    let of_kernel = sections
        .iter()
        .find(|section| section.kind == "function" && section.formula.is_some());
    let Some(formula) = of_kernel.and_then(|section| section.formula.as_ref()) else {
        return;
    };
    let _ = writeln!(
        page,
        "<h2>Latency</h2>\n<p class=\"code\">cycles = {}</p>\n<div class=\"wide\"><table>",
        escape(&formula.to_string())
    );
    for symbol in formula.used() {
        let value = symbol
            .value
            .map_or_else(|| "?".to_owned(), |v| v.to_string());
        let _ = writeln!(
            page,
            "<tr><td class=\"code\">{}</td><td class=\"n\">{value}</td><td>{}</td></tr>",
            escape(&symbol.name),
            escape(&symbol.meaning)
        );
    }
    page.push_str("</table></div>\n");
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

fn loops(page: &mut String, sections: &[Section]) {
    let all: Vec<(usize, &Section)> = sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.kind.ends_with("loop"))
        .collect();
    if all.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Loops</h2>\n<div class=\"wide\"><table>\n<tr><th>loop</th><th class=\"n\">II</th><th class=\"n\">bound</th>\
         <th class=\"n\">depth</th><th class=\"n\">trips</th><th class=\"n\">cycles</th></tr>\n",
    );
    for (i, section) in all {
        let formula = section
            .formula
            .as_ref()
            .map_or_else(String::new, Latency::to_string);
        let bound = section.bound.as_deref().unwrap_or("not pipelined");
        let bound: Vec<String> = bound.lines().map(escape).collect();
        let _ = writeln!(
            page,
            "<tr><td><a href=\"#s{i}\">{}</a></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}<br><span class=\"faint code\">{}</span></td></tr>\n\
             <tr><td colspan=\"6\" class=\"faint\">{}</td></tr>",
            escape(&short(&section.title)),
            shown(section.ii),
            shown(section.lower_bound),
            shown(section.depth),
            shown(section.trip_count),
            shown(section.cycles),
            escape(&formula),
            bound.join("<br>")
        );
    }
    page.push_str("</table></div>\n");
}

/// Shortens the file path in a title to the file name.
fn short(title: &str) -> String {
    match title.split_once(" at ") {
        Some((what, place)) => format!("{what} at {}", file_of(place)),
        None => title.to_owned(),
    }
}

/// Shortens the file path in a location to the file name.
pub(super) fn file_of(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or(place)
}

/// Returns the table of tokens in the buffers of an elastic circuit.
fn buffers(traffic: &Traffic) -> String {
    let sets = match traffic.n_runs {
        1 => "1 data set".to_owned(),
        n => format!("{n} data sets"),
    };
    let mut page = format!(
        "<h2>Tokens in buffers</h2>\n<details><summary>in {} cycles of {sets}</summary>\n<div class=\"wide\"><table>\n\
         <tr><th>after</th><th>reason</th><th class=\"n\">room</th><th class=\"n\">mean</th><th class=\"n\">most</th></tr>\n",
        traffic.n_cycles
    );
    for buffer in &traffic.buffers {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.2}</td><td class=\"n\">{}</td></tr>",
            escape(&short(&buffer.holds)),
            escape(&buffer.reason),
            buffer.capacity,
            traffic.mean(buffer),
            buffer.most_tokens
        );
    }
    page + "</table></div>\n</details>\n"
}

/// Returns the colour of an operator class.
fn colour(class: &str) -> &'static str {
    match class {
        c if c.starts_with("memory") || c == "table" => "memory",
        c if c.starts_with("multiply") => "multiply",
        c if c.starts_with("divide") || c.starts_with("remainder") => "divide",
        c if c.starts_with("add") || c.starts_with("subtract") => "add",
        _ => "other",
    }
}

fn schedules(page: &mut String, sections: &[Section]) {
    // Conversions are only wires, and are not shown.
    let is_shown = |row: &&Row| row.class != "wire";
    if !sections
        .iter()
        .any(|s| s.rows.iter().any(|row| is_shown(&row)))
    {
        return;
    }
    page.push_str("<h2>Schedules</h2>\n<p class=\"key faint\">");
    let keys = [
        ("memory", "memory"),
        ("multiply", "multiply"),
        ("divide", "divide"),
        ("add", "add, subtract"),
        ("other", "other"),
    ];
    for (colour, name) in keys {
        let _ = write!(
            page,
            "<span><i style=\"background:var(--{colour})\"></i>{name}</span>"
        );
    }
    page.push_str("<span>flat: within a cycle; shaded: every other stage</span></p>\n");
    for (i, section) in sections.iter().enumerate() {
        let rows: Vec<&Row> = section.rows.iter().filter(is_shown).collect();
        if rows.is_empty() {
            continue;
        }
        let open = if section.ii.is_some() { " open" } else { "" };
        let _ = writeln!(
            page,
            "<details id=\"s{i}\"{open}><summary>{}, {} operations</summary>",
            escape(&short(&section.title)),
            rows.len()
        );
        // Logic and multiplexers within a cycle, which mostly belong to the control, would hide the other rows.
        let is_minor = |row: &&&Row| colour(&row.class) == "other" && row.latency == 0;
        let minor: Vec<&Row> = rows.iter().filter(is_minor).copied().collect();
        let major: Vec<&Row> = rows.iter().filter(|row| !is_minor(row)).copied().collect();
        if !major.is_empty() {
            gantt(page, section, &major);
        }
        if !minor.is_empty() {
            let _ = writeln!(
                page,
                "<details><summary>{} operations of logic, comparison and choice within a cycle</summary>",
                minor.len()
            );
            gantt(page, section, &minor);
            page.push_str("</details>\n");
        }
        page.push_str("</details>\n");
    }
}

fn gantt(page: &mut String, section: &Section, rows: &[&Row]) {
    let hidden = rows.len().saturating_sub(MAX_ROWS);
    let rows = &rows[..rows.len() - hidden];
    let ends = rows.iter().map(|row| row.start + row.latency.max(1));
    let end = ends
        .max()
        .unwrap_or(1)
        .max(section.depth.unwrap_or(1))
        .min(MAX_CYCLES);
    let n_rows = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let (width, height) = (NAMES + end * CYCLE + 8, (n_rows + 1) * ROW + 4);
    let _ = writeln!(
        page,
        "<div class=\"wide\"><svg width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"schedule\">"
    );
    if let Some(ii) = section.ii.filter(|ii| *ii > 0) {
        for stage in (1..=end / ii).step_by(2) {
            let (x, cycles) = (NAMES + stage * ii * CYCLE, ii.min(end - stage * ii));
            let _ = writeln!(
                page,
                "<rect class=\"stage\" x=\"{x}\" y=\"{ROW}\" width=\"{}\" height=\"{}\"/>",
                cycles * CYCLE,
                height - ROW
            );
        }
    }
    let every = if end > 40 { 10 } else { 2 };
    for cycle in (0..end).filter(|cycle| cycle % every == 0) {
        let x = NAMES + cycle * CYCLE;
        let _ = writeln!(
            page,
            "<text class=\"faint\" x=\"{}\" y=\"13\">{cycle}</text><line class=\"edge\" x1=\"{x}\" y1=\"{ROW}\" x2=\"{x}\" y2=\"{height}\"/>",
            x + 2
        );
    }
    for (row, at) in rows.iter().zip(1i64..) {
        bar(page, row, at * ROW, end);
    }
    page.push_str("</svg></div>\n");
    if hidden > 0 {
        let _ = writeln!(
            page,
            "<p class=\"faint\">{hidden} further operations are not drawn.</p>"
        );
    }
}

/// Adds the bar of one operation to a chart.
fn bar(page: &mut String, row: &Row, y: i64, end: i64) {
    let name: String = row.name.chars().take(28).collect();
    let link = row.line.map_or_else(String::new, |line| line.to_string());
    let stage = row
        .stage
        .map_or_else(String::new, |stage| format!(", stage {stage}"));
    let told = format!(
        "{} ({}), {}: start {}{stage}, latency {}",
        row.name, row.class, row.source, row.start, row.latency
    );
    let _ = write!(
        page,
        "<g><title>{}</title><text x=\"4\" y=\"{}\">{}</text><a href=\"#L{link}\"><text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{link}</text></a>",
        escape(&told),
        y + 13,
        escape(&name),
        NAMES - 8,
        y + 13
    );
    if row.start < end {
        let (top, height) = if row.latency > 0 { (3, 12) } else { (6, 6) };
        let cycles = row.latency.max(1).min(end - row.start);
        let _ = write!(
            page,
            "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{height}\" rx=\"2\"/>",
            colour(&row.class),
            NAMES + row.start * CYCLE + 1,
            y + top,
            cycles * CYCLE - 2
        );
    }
    page.push_str("</g>\n");
}

const AREA_HEAD: &str = "<th class=\"n\">count</th><th class=\"n\">LUT</th><th class=\"n\">FF</th><th class=\"n\">DSP</th>\
     <th class=\"n\">BRAM</th><th class=\"track\">LUT and FF</th></tr>\n";

/// Returns the table cells of a line of area; `most` is the number of cells at the full width.
fn area_cells(sum: &AreaLine, most: f64) -> String {
    let a = sum.area;
    let share = if most > 0.0 {
        100.0 * (a.lut + a.ff) / most
    } else {
        0.0
    };
    format!(
        "<td class=\"n\">{}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.1}</td>\
         <td class=\"track\"><span class=\"bar\" style=\"width:{share:.1}%\"></span></td>",
        sum.count, a.lut, a.ff, a.dsp, a.bram
    )
}

fn most<'a>(sums: impl Iterator<Item = &'a AreaLine>) -> f64 {
    sums.map(|sum| sum.area.lut + sum.area.ff)
        .fold(0.0, f64::max)
}

fn area_by_unit(page: &mut String, compiled: &Compiled) {
    let table = area(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let _ = write!(
        page,
        "<h2>Area by unit</h2>\n<p class=\"faint\">Each unit alone, from the device's tables; so the sums are larger than what is expected after synthesis.</p>\n\
         <div class=\"wide\"><table>\n<tr><th>unit</th>{AREA_HEAD}"
    );
    let most = most(table.values());
    for (class, sum) in &table {
        let _ = writeln!(
            page,
            "<tr><td class=\"code\">{}</td>{}</tr>",
            escape(class),
            area_cells(sum, most)
        );
    }
    let a = total(&table);
    let _ = writeln!(
        page,
        "<tr><td>total</td><td></td><td class=\"n\">{:.0}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.1}</td><td></td></tr>",
        a.lut, a.ff, a.dsp, a.bram
    );
    page.push_str("</table></div>\n");
}

fn area_by_line(page: &mut String, lines: &BTreeMap<u32, AreaLine>) {
    let _ = write!(
        page,
        "<h2>Area by source line</h2>\n<p class=\"faint\">A shared unit counts at the line of one of its operations.</p>\n\
         <div class=\"wide\"><table>\n<tr><th>line</th>{AREA_HEAD}"
    );
    let most = most(lines.values());
    for (line, sum) in lines {
        let line = match line {
            0 => "no line".to_owned(),
            line => format!("<a href=\"#L{line}\">{line}</a>"),
        };
        let _ = writeln!(page, "<tr><td>{line}</td>{}</tr>", area_cells(sum, most));
    }
    page.push_str("</table></div>\n");
}

fn storage(page: &mut String, compiled: &Compiled) {
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
    let registers = registers(compiled);
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

fn source(
    page: &mut String,
    compiled: &Compiled,
    sections: &[Section],
    lines: &BTreeMap<u32, AreaLine>,
) {
    // For each source line: the number of its operations, and the cycles of their block in which they run.
    let mut starts: BTreeMap<u32, (usize, i64, i64)> = BTreeMap::new();
    for row in sections.iter().flat_map(|section| &section.rows) {
        let Some(line) = row.line.filter(|_| row.class != "wire") else {
            continue;
        };
        let end = row.start + row.latency.max(1) - 1;
        let entry = starts.entry(line).or_insert((0, row.start, end));
        *entry = (entry.0 + 1, entry.1.min(row.start), entry.2.max(end));
    }
    page.push_str(
        "<h2>Source</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"n\">line</th><th></th><th class=\"n\">operations</th>\
         <th class=\"n\">cycles</th><th class=\"n\">LUT</th><th class=\"n\">FF</th><th class=\"n\">DSP</th></tr>\n",
    );
    for (number, text) in (1u32..).zip(compiled.source_text.lines()) {
        let (operations, cycles) =
            starts
                .get(&number)
                .map_or_else(Default::default, |(n, first, last)| {
                    let cycles = match first == last {
                        true => first.to_string(),
                        false => format!("{first} to {last}"),
                    };
                    (n.to_string(), cycles)
                });
        let figures = lines.get(&number).map_or_else(Default::default, |sum| {
            let cells = [sum.area.lut, sum.area.ff, sum.area.dsp];
            cells.map(|cells| match cells {
                c if c > 0.0 => format!("{c:.0}"),
                _ => String::new(),
            })
        });
        let _ = writeln!(
            page,
            "<tr id=\"L{number}\"><td class=\"n faint\">{number}</td><td><pre>{}</pre></td><td class=\"n\">{operations}</td>\
             <td class=\"n\">{cycles}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(text),
            figures[0],
            figures[1],
            figures[2]
        );
    }
    page.push_str("</table></div>\n");
}
