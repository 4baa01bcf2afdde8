//! A short table of what is not as locked, for a pull request.

use std::fmt::Write as _;

use super::judge::Judged;

/// Rows up to which a table is written.
const MAX_ROWS: usize = 100;

/// The table of all kernels.
pub(super) fn markdown(all: &[&Judged]) -> String {
    let n_failed = all
        .iter()
        .filter(|judged| judged.failure().is_some())
        .count();
    let n_better = all.iter().filter(|judged| judged.is_better()).count();
    let mut text = format!(
        "### Sluice lock: kernels: {}, not as locked: {n_failed}, better: {n_better}\n",
        all.len()
    );
    let rows: Vec<String> = all.iter().flat_map(|judged| rows(judged)).collect();
    if !rows.is_empty() {
        text +=
            "\n| kernel | figure | locked | now | change | verdict |\n|---|---|---|---|---|---|\n";
    }
    for row in rows.iter().take(MAX_ROWS) {
        let _ = writeln!(text, "{row}");
    }
    if let Some(more @ 1..) = rows.len().checked_sub(MAX_ROWS) {
        let _ = writeln!(text, "\n{more} more rows are left out.");
    }
    text
}

fn rows(judged: &Judged) -> Vec<String> {
    let row = |cells: [&str; 5]| {
        let cells = cells.map(cell);
        format!("| {} | {} |", cell(&judged.file), cells.join(" | "))
    };
    match &judged.outcome {
        Err(stop) => vec![row(["", "", "", first_line(&stop.message), "error"])],
        Ok(comparison) => comparison
            .differences
            .iter()
            .map(|of| {
                row([
                    &of.figure,
                    &of.locked,
                    &of.now,
                    &of.change,
                    of.verdict.text(),
                ])
            })
            .collect(),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('|', "\\|");
    text.replace('\n', " ")
}
