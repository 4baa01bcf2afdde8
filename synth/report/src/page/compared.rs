//! The panel that compares the report with another one.

use std::fmt::Write;

use crate::comparison::{Comparison, Outcome, shown};
use crate::markup::escape;

/// Returns the panel.
pub(super) fn panel(comparison: &Comparison) -> String {
    let [before, after] = &comparison.titles;
    let mut page = format!(
        "<h2 id=\"comparison\">Before and after</h2>\n<p class=\"faint\">Before: {}. After: {}.</p>\n<div class=\"wide\"><table>\n\
         <tr><th>figure</th><th></th><th class=\"n\">before</th><th class=\"n\">after</th><th class=\"n\">change</th><th>outcome</th></tr>\n",
        escape(before),
        escape(after)
    );
    for of in &comparison.figures {
        let outcome = of.outcome();
        let class = match outcome {
            Outcome::Better => "better",
            Outcome::Worse => "worse",
            Outcome::Same | Outcome::Open | Outcome::Missing => "faint",
        };
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"{class}\">{}</td></tr>",
            escape(&of.name),
            of.origin().mark(),
            shown(of.before),
            shown(of.after),
            of.change(),
            outcome.word()
        );
    }
    page + "</table></div>\n"
}
