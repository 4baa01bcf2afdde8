//! The table of execution times. It has no clock: times come from the caller, in seconds.

use crate::run_passes::Placed;

use super::dumps::class_of;
use super::outline::{self, Line, outline, title};

/// How a report about passes is arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// In the order of the pipeline, nested pipelines indented.
    Pipeline,
    /// One line for each name, the longest time or the first name first.
    List,
}

/// The seconds of a pass in all parts of a file.
#[derive(Clone, Debug)]
struct Row {
    number: usize,
    anchors: Vec<String>,
    name: String,
    seconds: f64,
}

impl outline::Placed for Row {
    fn anchors(&self) -> &[String] {
        &self.anchors
    }
}

/// Times of a run, in seconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// Reading and verifying the input.
    pub(super) parser: f64,
    /// Printing or writing the output.
    pub(super) output: f64,
    passes: Vec<Row>,
}

impl Times {
    /// Adds the seconds of a pass with its verification.
    pub(super) fn add(&mut self, pass: &Placed<'_>, seconds: f64) {
        let anchors = pass.path.anchors().map(ToString::to_string).collect();
        let name = class_of(pass.call.name);
        self.add_row(pass.number, anchors, name, seconds);
    }

    fn add_row(&mut self, number: usize, anchors: Vec<String>, name: String, seconds: f64) {
        // Parts of a file have the same pipeline, unless each is a reproducer with its own.
        let known = self.passes.iter_mut();
        let mut same =
            known.filter(|row| row.number == number && row.name == name && row.anchors == anchors);
        if let Some(row) = same.next() {
            row.seconds += seconds;
            return;
        }
        self.passes.push(Row {
            number,
            anchors,
            name,
            seconds,
        });
    }

    /// Returns the table for a run that took `total` seconds.
    pub(super) fn report(&self, arrangement: Arrangement, total: f64) -> String {
        let mut lines = vec![("Parser".to_owned(), self.parser)];
        for line in outline(&self.passes, 0) {
            let (depth, name, seconds) = match line {
                Line::Pipeline { depth, name, items } => {
                    (depth, name, items.iter().map(|row| row.seconds).sum())
                }
                Line::Item { depth, item } => (depth, item.name.clone(), item.seconds),
            };
            let indent = match arrangement {
                Arrangement::Pipeline => "  ".repeat(depth),
                Arrangement::List => String::new(),
            };
            lines.push((indent + &name, seconds));
        }
        lines.push(("Output".to_owned(), self.output));
        let passes: f64 = self.passes.iter().map(|row| row.seconds).sum();
        let rest = (total - self.parser - self.output - passes).max(0.0);
        if arrangement == Arrangement::List {
            lines = merged(lines);
        }
        lines.push(("Rest".to_owned(), rest));
        lines.push(("Total".to_owned(), total));
        let mut text = title("... Execution time report ...");
        text += &format!("  Total Execution Time: {total:.4} seconds\n\n");
        text += "  ----Wall Time----  ----Name----\n";
        for (name, seconds) in lines {
            let share = match total > 0.0 {
                true => 100.0 * seconds / total,
                false => 0.0,
            };
            text += &format!("  {seconds:8.4} ({share:5.1}%)  {name}\n");
        }
        text
    }
}

/// Adds up the seconds of lines with the same name; the longest time first, ties in the order of the pipeline.
fn merged(lines: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let mut sums: Vec<(String, f64)> = Vec::new();
    for (name, seconds) in lines {
        match sums.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += seconds,
            None => sums.push((name, seconds)),
        }
    }
    sums.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    sums
}
