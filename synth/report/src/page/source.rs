//! The source, with a gutter: II, cycles and LUT of each line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sluice_kernel::compiled::Compiled;
use sluice_techmap::area::AreaLine;

use super::charts::Chart;
use crate::markup::{Origin, escape};

/// Figures of a line in the gutter.
#[derive(Default)]
struct Gutter {
    /// IIs of the loops that begin on the line.
    ii: Vec<i64>,
    n_operations: usize,
    /// First and last cycle of its block in which operations of the line run.
    cycles: Option<(i64, i64)>,
}

/// Adds the panel.
pub(super) fn panel(
    page: &mut String,
    compiled: &Compiled,
    charts: &[Chart<'_>],
    lines: &BTreeMap<u32, AreaLine>,
) {
    let gutters = gutters(charts);
    let critical: BTreeSet<u32> = charts.iter().flat_map(Chart::critical_lines).collect();
    let most = lines.iter().filter(|(line, _)| **line > 0);
    let most = most.map(|(_, sum)| sum.area.lut).fold(0.0, f64::max);
    let _ = write!(
        page,
        "<aside class=\"sourcebox\" aria-label=\"source\">\n<h2 id=\"source\">Source</h2>\n\
         <p class=\"faint\">II and cycles{}, LUT{}; coloured lines set the II of their loop.</p>\n\
         <table class=\"source\">\n<tr><th class=\"n\">line</th><th class=\"n\">II</th>\
         <th class=\"n\">cycles</th><th class=\"n\">LUT</th><th></th></tr>\n",
        Origin::Proved.mark(),
        Origin::Estimated.mark()
    );
    let none = Gutter::default();
    for (number, text) in (1u32..).zip(compiled.source_text.lines()) {
        let gutter = gutters.get(&number).unwrap_or(&none);
        let ii: Vec<String> = gutter.ii.iter().map(ToString::to_string).collect();
        let cycles = gutter
            .cycles
            .map_or_else(String::new, |(first, last)| match first == last {
                true => first.to_string(),
                false => format!("{first}\u{2013}{last}"),
            });
        let sum = lines.get(&number);
        let lut = sum.map_or(0.0, |sum| sum.area.lut);
        let (shown, share) = match lut >= 0.5 {
            true => (format!("{lut:.0}"), 100.0 * lut / most.max(1.0)),
            false => (String::new(), 0.0),
        };
        let told = sum.map_or_else(String::new, |sum| {
            let a = sum.area;
            format!(
                " title=\"{} operations; {:.0} LUT, {:.0} FF, {:.1} DSP, {:.1} BRAM\"",
                gutter.n_operations, a.lut, a.ff, a.dsp, a.bram
            )
        });
        let hot = match critical.contains(&number) {
            true => " class=\"hot\"",
            false => "",
        };
        let _ = writeln!(
            page,
            "<tr id=\"L{number}\"{hot}{told}><td class=\"n faint\"><a href=\"#L{number}\">{number}</a></td><td class=\"n\">{}</td>\
             <td class=\"n\">{cycles}</td><td class=\"n lut\"><i style=\"width:{share:.0}%\"></i>{shown}</td><td><pre>{}</pre></td></tr>",
            ii.join(", "),
            escape(text)
        );
    }
    page.push_str("</table>\n</aside>\n");
}

fn gutters(charts: &[Chart<'_>]) -> BTreeMap<u32, Gutter> {
    let mut gutters: BTreeMap<u32, Gutter> = BTreeMap::new();
    for chart in charts {
        let section = chart.section;
        if let (Some(line), Some(ii)) = (section.line, section.ii) {
            gutters.entry(line).or_default().ii.push(ii);
        }
        for (row, _) in &chart.rows {
            let Some(line) = row.line.filter(|_| !row.is_compound) else {
                continue;
            };
            let gutter = gutters.entry(line).or_default();
            let (start, end) = (row.start, row.start + row.latency.max(1) - 1);
            gutter.n_operations += 1;
            gutter.cycles = Some(match gutter.cycles {
                Some((first, last)) => (first.min(start), last.max(end)),
                None => (start, end),
            });
        }
    }
    gutters
}
