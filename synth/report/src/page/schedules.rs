//! The panel of schedules: for each loop and block a chart for the script, and a table of its operations.

use std::fmt::Write;

use sluice_kernel::compiled::Compiled;

use super::charts::{Chart, rounded};
use super::graphs::Graph;
use super::{line_link, short, shown};
use crate::markup::{Origin, escape};
use crate::timing::{Limit, path_period_ns};

const KEYS: [(&str, &str); 5] = [
    ("memory", "memory"),
    ("multiply", "multiply"),
    ("divide", "divide"),
    ("add", "add, subtract"),
    ("other", "other"),
];

/// Adds the panel.
pub(super) fn panel(page: &mut String, charts: &[Chart<'_>], compiled: &Compiled) {
    if charts.iter().all(|chart| chart.rows.is_empty()) {
        return;
    }
    let _ = write!(
        page,
        "<h2 id=\"schedules\">Schedules{}</h2>\n<p class=\"faint\">Start times are checked; times within a cycle are{}. {}</p>\n\
         <p class=\"key faint\">",
        Origin::Proved.mark(),
        Origin::Estimated.mark(),
        escape(&period(charts, compiled))
    );
    for (colour, name) in KEYS {
        let _ = write!(
            page,
            "<span><i style=\"background:var(--{colour})\"></i>{name}</span>"
        );
    }
    page.push_str(
        "<span><i class=\"hot\"></i>limits the II</span><span>grey: every other stage; line after a bar: slack</span></p>\n",
    );
    for (i, chart) in charts.iter().enumerate() {
        if !chart.rows.is_empty() {
            section(page, i, chart);
        }
    }
}

/// Returns a sentence about the part of the clock period that logic can use.
fn period(charts: &[Chart<'_>], compiled: &Compiled) -> String {
    let clock_ns = compiled.clock_period_ns;
    let usable = charts.iter().find_map(|chart| chart.usable_ns);
    let Some(usable_ns) = usable.map(rounded) else {
        return "The delays within cycles of this schedule are not known.".to_owned();
    };
    let paths_ns = path_period_ns(&compiled.context, &compiled.scheduled);
    let registers_ns = rounded(paths_ns.unwrap_or(clock_ns) - usable_ns);
    let margin = paths_ns.map_or_else(String::new, |ns| {
        format!(" and {} ns of margin for the paths", rounded(clock_ns - ns))
    });
    format!(
        "Of the clock period of {clock_ns} ns, logic has {usable_ns} ns: registers and clock uncertainty take {registers_ns} ns{margin}."
    )
}

fn section(page: &mut String, i: usize, chart: &Chart<'_>) {
    let section = chart.section;
    let open = if section.ii.is_some() { " open" } else { "" };
    let _ = writeln!(
        page,
        "<details class=\"schedule\" id=\"s{i}\"{open}><summary>{}, {}{}</summary>",
        escape(&short(&section.title)),
        counted(chart.rows.len(), "operation"),
        section
            .ii
            .map_or_else(String::new, |ii| format!(", II {ii}"))
    );
    if let Some(sentence) = limit(chart) {
        let _ = writeln!(page, "<p>{sentence}</p>");
    }
    let _ = writeln!(page, "<div id=\"c{i}\" data-chart=\"{i}\" hidden></div>");
    if section.ii.is_some() && chart.rows.len() > 1 {
        page.push_str("<details class=\"plain\"><summary>dataflow graph</summary>\n");
        let name = format!("dataflow graph of {}", short(&section.title));
        Graph::of_chart(chart).draw(page, &name);
        page.push_str("</details>\n");
    }
    table(page, chart);
    page.push_str("</details>\n");
}

/// Returns a sentence about the operations that set the II, with links to their lines.
fn limit(chart: &Chart<'_>) -> Option<String> {
    chart.section.ii.filter(|ii| *ii > 1)?;
    let limit = chart.limit.as_ref()?;
    let names: Vec<String> = limit
        .rows()
        .iter()
        .map(|row| {
            let row = chart.rows[*row].0;
            let name = row.label.split(" = ").next().unwrap_or_default();
            match row.line {
                Some(_) => format!("<code>{}</code> in line {}", escape(name), line_link(row)),
                None => format!("<code>{}</code>", escape(name)),
            }
        })
        .collect();
    if names.is_empty() {
        return None;
    }
    let sets = match chart.section.lower_bound == chart.section.ii {
        true => "sets the II".to_owned(),
        false => format!(
            "sets the lower bound {} of the II",
            shown(chart.section.lower_bound)
        ),
    };
    Some(match limit {
        Limit::Recurrence {
            latency_cycles,
            distance,
            ..
        } => format!(
            "The recurrence that {sets} takes {} and comes back after {}: {}.",
            counted(*latency_cycles, "cycle"),
            counted(*distance, "iteration"),
            names.join(" → ")
        ),
        Limit::Unit { name, .. } => format!(
            "The {} {sets}. These operations use it: {}.",
            escape(name).replace('`', ""),
            names.join(", ")
        ),
        Limit::Together { .. } => format!(
            "No recurrence and no unit {sets} alone, but together they do. These operations take part: {}.",
            names.join(", ")
        ),
        Limit::Path { .. } => return None,
    })
}

fn counted<N: PartialEq + From<u8> + std::fmt::Display>(n: N, word: &str) -> String {
    match n == N::from(1) {
        true => format!("1 {word}"),
        false => format!("{n} {word}s"),
    }
}

fn table(page: &mut String, chart: &Chart<'_>) {
    page.push_str(
        "<details class=\"plain\"><summary>table of operations</summary>\n<div class=\"wide\"><table>\n<tr><th>operation</th><th class=\"n\">line</th><th>unit</th><th class=\"n\">start</th>\
         <th class=\"n\">stage</th><th class=\"n\">latency</th><th class=\"n\">from ns</th><th class=\"n\">to ns</th><th class=\"n\">slack ns</th></tr>\n",
    );
    let critical: Vec<usize> = match (&chart.limit, chart.section.ii) {
        (Some(limit), Some(_)) => limit.rows().to_vec(),
        _ => Vec::new(),
    };
    for (at, (row, delays)) in chart.rows.iter().enumerate() {
        let [from, to, slack] = delays.map_or_else(Default::default, |delays| {
            let to_ns = match delays.latency_cycles {
                0 => delays.taken_ns,
                _ => delays.result_ns,
            };
            [delays.arrival_ns, to_ns, delays.slack_ns].map(|ns| format!("{ns:.2}"))
        });
        let class = if critical.contains(&at) {
            " class=\"hot\""
        } else {
            ""
        };
        let _ = writeln!(
            page,
            "<tr{class}><td class=\"code\">{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{from}</td><td class=\"n\">{to}</td><td class=\"n\">{slack}</td></tr>",
            escape(&row.label),
            line_link(row),
            escape(&row.class),
            row.start,
            row.stage
                .map_or_else(String::new, |stage| stage.to_string()),
            match row.is_compound {
                true => "-".to_owned(),
                false => row.latency.to_string(),
            }
        );
    }
    page.push_str("</table></div>\n</details>\n");
    if chart.n_hidden > 0 {
        let _ = writeln!(
            page,
            "<p class=\"faint\">{} further operations are only in the text and JSON reports.</p>",
            chart.n_hidden
        );
    }
}
