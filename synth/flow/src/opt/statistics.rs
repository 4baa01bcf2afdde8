//! Statistics of passes: on how many operations each ran, how many of them it changed, and the size of the module.
//!
//! Differs from mlir-opt, whose passes count what they do, such as the operations that `cse` removes: these counts are the same
//! for all passes.

use crate::run_passes::Placed;

use super::dumps::class_of;
use super::outline::{self, Line, outline, title};
use super::timing::Arrangement;

/// Counts of one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Operations that the pass ran on.
    pub(super) runs: usize,
    /// Those of them that it changed.
    pub(super) changes: usize,
    /// Operations before the pass, with those inside of others.
    pub(super) operations_before: usize,
    /// Operations after the pass.
    pub(super) operations_after: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.changes += other.changes;
        self.operations_before += other.operations_before;
        self.operations_after += other.operations_after;
    }

    fn rows(self) -> [(usize, &'static str, &'static str); 4] {
        [
            (self.runs, "runs", "Number of operations the pass ran on"),
            (self.changes, "changes", "Number of them that changed"),
            (
                self.operations_before,
                "operations-before",
                "Number of operations before the pass",
            ),
            (
                self.operations_after,
                "operations-after",
                "Number of operations after the pass",
            ),
        ]
    }
}

/// The counts of a pass at its place in a pipeline.
struct Row {
    anchors: Vec<String>,
    name: String,
    counts: Counts,
}

impl outline::Placed for Row {
    fn anchors(&self) -> &[String] {
        &self.anchors
    }
}

/// The statistics of a run.
#[derive(Default)]
pub(super) struct Statistics(Vec<Row>);

impl Statistics {
    /// Adds a pass.
    pub(super) fn add(&mut self, pass: &Placed<'_>, counts: Counts) {
        self.0.push(Row {
            anchors: pass.path.anchors().map(ToString::to_string).collect(),
            name: class_of(pass.call.name),
            counts,
        });
    }

    /// Returns the report. In a list, the counts of passes with the same name are added up.
    pub(super) fn report(&self, arrangement: Arrangement) -> String {
        let mut text = title("... Pass statistics report ...");
        match arrangement {
            Arrangement::Pipeline => {
                for line in outline(&self.0, 0) {
                    match line {
                        Line::Pipeline { depth, name, .. } => {
                            text += &format!("{}{name}\n", "  ".repeat(depth));
                        }
                        Line::Item { depth, item } => {
                            text += &entry(depth, &item.name, item.counts);
                        }
                    }
                }
            }
            Arrangement::List => {
                let mut sums: Vec<(&str, Counts)> = Vec::new();
                for row in &self.0 {
                    match sums.iter_mut().find(|(name, _)| *name == row.name) {
                        Some((_, sum)) => sum.add(row.counts),
                        None => sums.push((&row.name, row.counts)),
                    }
                }
                sums.sort_by_key(|(name, _)| *name);
                let entries = sums.into_iter();
                text.extend(entries.map(|(name, counts)| entry(0, name, counts)));
            }
        }
        text + "\n"
    }
}

/// Returns the lines of one pass.
fn entry(depth: usize, name: &str, counts: Counts) -> String {
    let indent = "  ".repeat(depth);
    let rows = counts.rows();
    let digits = |row: &(usize, &str, &str)| row.0.to_string().len();
    let value_width = rows.iter().map(digits).max().unwrap_or(0);
    let name_width = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let lines = rows.iter().map(|(value, name, meaning)| {
        format!("{indent}  (S) {value:value_width$} {name:name_width$} - {meaning}\n")
    });
    format!("{indent}{name}\n{}", lines.collect::<String>())
}
