//! The panel of critical paths: the longest path within a cycle of each schedule as a walk, and the expected one after synthesis.

use std::fmt::Write;

use sluice_kernel::compiled::Compiled;

use super::charts::Chart;
use super::{line_link, short};
use crate::markup::{Origin, escape};

/// Adds the panel.
pub(super) fn panel(page: &mut String, compiled: &Compiled, charts: &[Chart<'_>]) {
    let walks: Vec<&Chart<'_>> = charts.iter().filter(|c| !c.path.is_empty()).collect();
    let mapped = compiled.mapped();
    if walks.is_empty() && mapped.is_none() {
        return;
    }
    let _ = writeln!(page, "<h2>Critical paths{}</h2>", Origin::Estimated.mark());
    if let Some(mapped) = mapped.filter(|mapped| mapped.period_ns > 0.0) {
        let between = mapped.path.as_ref().map_or_else(String::new, |(from, to)| {
            format!(
                ", from register <code>{}</code> to register <code>{}</code>",
                escape(from),
                escape(to)
            )
        });
        let _ = writeln!(
            page,
            "<p>The longest path between registers takes {:.2} ns{between}; the clock period is {} ns. \
             Paths from and to ports, as those of memories outside, are not part of it: the schedules below contain them.</p>",
            mapped.period_ns, compiled.clock_period_ns
        );
    }
    let end = |chart: &Chart<'_>| chart.path.last().map_or(0.0, |step| step.2);
    let longest = walks.iter().map(|chart| end(chart)).fold(0.0, f64::max);
    for chart in walks {
        let open = if end(chart) >= longest { " open" } else { "" };
        walk(page, chart, end(chart), open);
    }
}

fn walk(page: &mut String, chart: &Chart<'_>, end_ns: f64, open: &str) {
    let usable_ns = chart.usable_ns.unwrap_or(end_ns);
    let _ = writeln!(
        page,
        "<details{open}><summary>{}: {end_ns:.2} ns of {usable_ns:.2} ns</summary>\n<div class=\"wide\"><table>\n\
         <tr><th>step</th><th class=\"n\">line</th><th>unit</th><th class=\"n\">ns</th><th class=\"n\">until ns</th><th class=\"track\">within the cycle</th></tr>",
        escape(&short(&chart.section.title))
    );
    let share = |ns: f64| 100.0 * ns / usable_ns.max(end_ns).max(1e-9);
    for (at, (row, from_ns, to_ns)) in chart.path.iter().enumerate() {
        let (row, delays) = chart.rows[*row];
        let is_result =
            at == 0 && delays.is_some_and(|d| d.latency_cycles > 0) && chart.path.len() > 1;
        let note = if is_result { " (result)" } else { "" };
        let _ = writeln!(
            page,
            "<tr><td class=\"code\">{}{note}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{:.2}</td><td class=\"n\">{to_ns:.2}</td>\
             <td class=\"track\"><span class=\"bar {}\" style=\"margin-left:{:.1}%;width:{:.1}%\"></span></td></tr>",
            escape(&row.label),
            line_link(row),
            escape(&row.class),
            to_ns - from_ns,
            super::colour(&row.class),
            share(*from_ns),
            share(to_ns - from_ns)
        );
    }
    let _ = writeln!(
        page,
        "</table></div>\n<p class=\"faint\">{:.2} ns of the cycle are free.</p>\n</details>",
        (usable_ns - end_ns).max(0.0)
    );
}
