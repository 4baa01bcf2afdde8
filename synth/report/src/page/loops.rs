//! The panel of loops: the latency as a formula, and for each loop II, bound, depth, cycles and the reason for the II.

use std::fmt::Write;

use super::charts::Chart;
use super::{short, shown};
use crate::Section;
use crate::latency::Latency;
use crate::markup::{Origin, escape};

/// Adds the formula of the latency.
pub(super) fn latency(page: &mut String, sections: &[Section]) {
    let of_kernel = sections
        .iter()
        .find(|section| section.kind == "function" && section.formula.is_some());
    let Some(formula) = of_kernel.and_then(|section| section.formula.as_ref()) else {
        return;
    };
    let _ = writeln!(
        page,
        "<h2>Latency{}</h2>\n<p class=\"code\">cycles = {}</p>\n<div class=\"wide\"><table>",
        Origin::Proved.mark(),
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

/// Adds the table of loops.
pub(super) fn table(page: &mut String, charts: &[Chart<'_>]) {
    let all: Vec<(usize, &Section)> = charts
        .iter()
        .map(|chart| chart.section)
        .enumerate()
        .filter(|(_, section)| section.kind.ends_with("loop"))
        .collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<h2>Loops{}</h2>\n<div class=\"wide\"><table>\n<tr><th>loop</th><th class=\"n\">II</th><th class=\"n\">bound</th>\
         <th class=\"n\">depth</th><th class=\"n\">trips</th><th class=\"n\">cycles</th></tr>",
        Origin::Proved.mark()
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
