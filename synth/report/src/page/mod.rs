//! The report as one self-contained HTML page: loops, schedules, memories, paths, area, and the source with its figures.
//!
//! All tables are in the page itself. The script draws charts from the JSON value in the page, and links operations to source lines.

mod area;
mod charts;
mod compared;
mod elastic;
mod graphs;
mod loops;
mod memories;
mod paths;
mod schedules;
mod source;
mod stalls;

use std::fmt::Write;

use serde_json::json;
use sluice_ir::printable::printable_lines;
use sluice_kernel::compiled::Compiled;
use sluice_techmap::area::{by_line, items};
use sluice_techmap::estimate::Estimate;

use crate::comparison::Comparison;
use crate::markup::{Origin, escape, file_of};
use crate::network::Network;
use crate::stalls::Stalls;
use crate::timing::Timing;
use crate::total::TotalLatency;
use crate::traffic::Traffic;
use crate::{Row, Section, collect, place};
use charts::Chart;
pub use elastic::Drawing;

/// The style of a page.
pub const STYLE: &str = include_str!("page.css");

/// The style of a page of a kernel, after [`STYLE`].
const REPORT_STYLE: &str = include_str!("report.css");

/// The script of a page.
const SCRIPT: &str = include_str!("page.js");

/// Parts of a page that do not follow from the compiled kernel.
#[derive(Clone, Copy, Default)]
pub struct More<'a> {
    /// Comparison with another report.
    pub comparison: Option<&'a Comparison>,
    /// Use of buffers of an elastic circuit.
    pub traffic: Option<&'a Traffic>,
    /// Use of cycles.
    pub stalls: Option<&'a Stalls>,
}

/// Returns the page of a kernel.
pub fn page(compiled: &Compiled, more: More<'_>) -> String {
    let More {
        comparison,
        traffic,
        stalls,
    } = more;
    let mut sections = collect(compiled);
    keep_own_lines(compiled, &mut sections);
    let timing = Timing::of(compiled);
    let charts: Vec<Chart<'_>> = sections
        .iter()
        .map(|section| Chart::new(section, &timing.of_section(section)))
        .collect();
    let mut page = head(
        &compiled.top,
        &compiled.device.name,
        compiled.clock_period_ns,
    );
    page.push_str(
        "<p class=\"faint\">How each figure is known: \
         <span class=\"how proved\">proved</span> follows from the checked schedule, \
         <span class=\"how measured\">measured</span> was counted in simulated runs, \
         <span class=\"how estimated\">estimated</span> is from the tables of the device.</p>\n",
    );
    page.push_str("<div class=\"cards\">\n");
    let network = Network::of(compiled);
    latency_card(&mut page, TotalLatency::of(compiled), stalls);
    if let Some(network) = &network {
        deadlock_card(&mut page, network);
    }
    cards(&mut page, compiled.estimate().as_ref());
    page.push_str("<div class=\"split\">\n<div class=\"panels\">\n");
    if let Some(comparison) = comparison {
        page += &compared::panel(comparison);
    }
    choices(&mut page, compiled);
    loops::latency(&mut page, &sections);
    loops::table(&mut page, &charts);
    if let Some(network) = network {
        page += &network.html();
    }
    if let Some(traffic) = traffic {
        page += &buffers(traffic);
    }
    page += &elastic::panel(compiled, traffic);
    schedules::panel(&mut page, &charts, compiled);
    if let Some(stalls) = stalls {
        page += &stalls::panel(stalls);
    }
    memories::panel(&mut page, compiled, &charts);
    paths::panel(&mut page, compiled, &charts);
    let items = items(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let lines = by_line(&items);
    area::panel(&mut page, compiled, &lines);
    memories::registers(&mut page, compiled);
    page.push_str("</div>\n");
    source::panel(&mut page, compiled, &charts, &lines);
    page.push_str("</div>\n");
    script(&mut page, compiled, &charts);
    page.push_str("</body>\n</html>\n");
    page
}

/// Removes the lines of operations from other files, such as those of a front end: the page shows the lines of the kernel.
fn keep_own_lines(compiled: &Compiled, sections: &mut [Section]) {
    let file_of = |place: &str| place.rsplit_once(':').map(|(file, _)| file.to_owned());
    let Some(own) = file_of(&place(compiled.source.view(&compiled.context))) else {
        return;
    };
    let is_own = |place: &str| file_of(place).is_none_or(|file| file == own);
    for section in sections {
        if let Some((_, place)) = section.title.rsplit_once(" at ")
            && !is_own(place)
        {
            section.line = None;
        }
        for row in &mut section.rows {
            row.line = row.line.filter(|_| is_own(&row.source));
        }
    }
}

/// Returns the page of a dataflow graph that was the input, with its proof of deadlock freedom.
pub fn of_graph(
    top: &str,
    (device, clock_period_ns): (&str, f64),
    estimate: Option<&Estimate>,
    (network, drawing): (&Network, &Drawing),
    comparison: Option<&Comparison>,
) -> String {
    let mut page = head(top, device, clock_period_ns);
    page.push_str("<div class=\"cards\">\n");
    deadlock_card(&mut page, network);
    cards(&mut page, estimate);
    if let Some(comparison) = comparison {
        page += &compared::panel(comparison);
    }
    page + &network.html() + &drawing.panel() + "</body>\n</html>\n"
}

/// Adds the data of the charts and the script.
fn script(page: &mut String, compiled: &Compiled, charts: &[Chart<'_>]) {
    let charts: Vec<_> = charts.iter().map(Chart::to_json).collect();
    let data = json!({
        "kernel": printable_lines(&compiled.top),
        "clock_period_ns": compiled.clock_period_ns,
        "charts": charts,
    });
    // Names of the user must not end the element.
    let data = data.to_string().replace('<', "\\u003c");
    // An element of a drawing gives the script the name space of the others.
    let _ = writeln!(
        page,
        "<svg id=\"svg\" width=\"0\" height=\"0\" aria-hidden=\"true\"></svg>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>"
    );
}

/// Adds the card about the latency: of the schedule, or else of the simulated runs.
fn latency_card(page: &mut String, total: TotalLatency, stalls: Option<&Stalls>) {
    let measured = stalls.filter(|stalls| stalls.n_runs > 0);
    match (total, measured) {
        (TotalLatency::Known(cycles), _) => {
            let is_known = cycles.known().is_some();
            let unit = if is_known { "cycles, exact" } else { "cycles" };
            let origin = Some(Origin::Proved);
            card(page, "latency", &cycles.to_string(), unit, origin);
        }
        (_, Some(stalls)) => {
            let whole = stalls.n_cycles / stalls.n_runs;
            let mean = match stalls.n_cycles % stalls.n_runs {
                0 => whole.to_string(),
                rest => format!("{whole}.{}", 10 * rest / stalls.n_runs),
            };
            let note = match stalls.n_runs {
                1 => "cycles with the data set; depends on the data".to_owned(),
                n => format!("cycles, mean of {n} data sets; depends on the data"),
            };
            let origin = Some(Origin::Measured);
            card(page, "latency", &mean, &note, origin);
        }
        (TotalLatency::Uncounted, None) => card(page, "latency", "fixed", &total.words(), None),
        (TotalLatency::Varies, None) => card(page, "latency", "varies", &total.words(), None),
    }
}

/// Adds the card about deadlock freedom.
fn deadlock_card(page: &mut String, network: &Network) {
    match network.proof() {
        Some(_) => card(page, "deadlock", "never", "", Some(Origin::Proved)),
        None => card(page, "deadlock", "?", "nothing is proved", None),
    }
}

/// Returns the beginning of a page.
fn head(top: &str, device: &str, clock_period_ns: f64) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}: schedule and area</title>\n<style>\n{1}{4}</style>\n</head>\n<body class=\"report\">\n\
         <h1>@{0}</h1>\n<p class=\"faint\">device <code>{2}</code>, clock period {3} ns</p>\n",
        escape(top),
        STYLE,
        escape(device),
        clock_period_ns,
        REPORT_STYLE
    )
}

fn card(page: &mut String, title: &str, value: &str, note: &str, origin: Option<Origin>) {
    let _ = writeln!(
        page,
        "<div class=\"card\"><span class=\"faint\">{}</span>{}<b>{}</b><span class=\"faint\">{}</span></div>",
        escape(title),
        origin.map_or("", Origin::mark),
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
        let origin = Some(Origin::Estimated);
        for (name, figure) in figures {
            let interval = format!("90 %: {:.0} to {:.0}", figure.low, figure.high);
            card(
                page,
                name,
                &format!("{:.0}", figure.value),
                &interval,
                origin,
            );
        }
        if let Some(clock) = expected.fmax_mhz {
            let interval = format!("MHz, 90 %: {:.0} to {:.0}", clock.low, clock.high);
            card(
                page,
                "clock",
                &format!("{:.0}", clock.value),
                &interval,
                origin,
            );
        }
        page.push_str("</div>\n");
        page.push_str("<p class=\"faint\">Area and clock are expected after synthesis and placement; memories of arguments are not counted.</p>\n");
    } else {
        page.push_str("</div>\n");
    }
}

fn choices(page: &mut String, compiled: &Compiled) {
    let changes = crate::changes(compiled);
    if changes.is_empty() {
        return;
    }
    page.push_str("<h2>Chosen</h2>\n<ul>\n");
    for sentence in changes {
        let _ = writeln!(page, "<li>{}</li>", escape(&sentence));
    }
    page.push_str("</ul>\n");
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Shortens the file path in a title to the file name.
fn short(title: &str) -> String {
    match title.split_once(" at ") {
        Some((what, place)) => format!("{what} at {}", file_of(place)),
        None => title.to_owned(),
    }
}

/// Returns a link to the source line of a row, or its place in another file.
fn line_link(row: &Row) -> String {
    match row.line {
        Some(line) => format!("<a href=\"#L{line}\">{line}</a>"),
        None => escape(file_of(&row.source)),
    }
}

/// Returns the table of tokens in the buffers of an elastic circuit.
fn buffers(traffic: &Traffic) -> String {
    let sets = match traffic.n_runs {
        1 => "1 data set".to_owned(),
        n => format!("{n} data sets"),
    };
    let mut page = format!(
        "<h2>Tokens in buffers{}</h2>\n<details><summary>in {} cycles of {sets}</summary>\n<div class=\"wide\"><table>\n\
         <tr><th>after</th><th>reason</th><th class=\"n\">room</th><th class=\"n\">mean</th><th class=\"n\">most</th></tr>\n",
        Origin::Measured.mark(),
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
