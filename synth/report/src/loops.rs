//! The loops of a schedule: initiation interval, cycles, and why they are no smaller.

use sluice_ir::Exact;
use sluice_kernel::compiled::Compiled;

use crate::total::TotalLatency;
use crate::{Section, collect};

/// A pipelined loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelinedLoop {
    /// Its counters, joined by `_`; `while`, with a number from the second one on, for a loop without a counter.
    pub name: String,
    /// `file:line` of the source.
    pub place: String,
    /// Initiation interval.
    pub ii: u64,
    /// Cycles of one iteration.
    pub depth_cycles: u64,
    /// Why the initiation interval is no smaller.
    pub culprit: String,
    /// Cycles in all, where they are known.
    pub cycles: Option<Exact>,
    /// Iterations of one entry, where they are known.
    pub trip_count: Option<Exact>,
}

impl PipelinedLoop {
    /// The loop with its place, for a message.
    pub fn title(&self) -> String {
        format!("loop `{}` at {}", self.name, self.place)
    }

    /// The cycles of the loop with what they are made of, for a message.
    pub fn cycles_explained(&self) -> String {
        let cycles = self.cycles.map_or_else(
            || "takes cycles that depend on the data".to_owned(),
            |cycles| format!("takes {cycles} cycles"),
        );
        let iterations = self
            .trip_count
            .map_or_else(String::new, |n| format!("{n} iterations, "));
        let (depth, culprit) = (self.depth_cycles, &self.culprit);
        format!(
            "{} {cycles}: {iterations}depth {depth}, {culprit}",
            self.title()
        )
    }
}

/// Returns the pipelined loops of a kernel in the order of the report.
pub fn pipelined_loops(compiled: &Compiled) -> Vec<PipelinedLoop> {
    let mut found: Vec<PipelinedLoop> = Vec::new();
    // Entries of the sections around, by level.
    let mut entries: Vec<Option<Exact>> = Vec::new();
    let mut n_without_counter = 0;
    for section in collect(compiled) {
        entries.truncate(section.level);
        let outer = entries
            .iter()
            .try_fold(Exact::ONE, |product, n| n.map(|n| product.times(n)));
        entries.push(inner_entries(&section));
        let Some(ii) = section.ii.and_then(|ii| u64::try_from(ii).ok()) else {
            continue;
        };
        let (what, place) = section.title.split_once(" at ").unwrap_or_default();
        let name = match what.split_once('%') {
            Some((_, name)) => name.to_owned(),
            None => {
                n_without_counter += 1;
                match n_without_counter {
                    1 => "while".to_owned(),
                    n => format!("while_{n}"),
                }
            }
        };
        let bound = section.bound.as_deref().unwrap_or_default();
        found.push(PipelinedLoop {
            name,
            place: place.to_owned(),
            ii,
            depth_cycles: section.depth.and_then(|n| n.try_into().ok()).unwrap_or(0),
            culprit: bound.lines().next().unwrap_or_default().to_owned(),
            cycles: match (section.totals, section.cycles, outer) {
                (Some([_, _, cycles]), _, _) => Some(cycles),
                (None, Some(cycles), Some(outer)) => Some(cycles.times(outer)),
                _ => None,
            },
            trip_count: section.trip_count,
        });
    }
    found
}

/// Figures of a loop, pipelined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopFigures {
    /// Its counters, joined by `_`; empty for a loop without a counter.
    pub name: String,
    /// `file:line` of the source.
    pub place: String,
    /// Initiation interval, if iterations overlap.
    pub ii: Option<i64>,
    /// Iterations of one entry, where they are known.
    pub trip_count: Option<Exact>,
    /// Cycles of one entry, where they are known.
    pub cycles: Option<Exact>,
    /// Why the initiation interval and the iteration are no shorter, in lines.
    pub bound: String,
}

/// Returns the figures of all loops of a kernel in the order of the report.
pub fn loop_figures(compiled: &Compiled) -> Vec<LoopFigures> {
    let sections = collect(compiled).into_iter();
    let loops = sections.filter(|section| matches!(section.kind, "loop" | "while loop"));
    loops
        .map(|section| {
            let (title, place) = section.title.split_once(" at ").unwrap_or_default();
            LoopFigures {
                name: title
                    .split_once('%')
                    .map_or("", |(_, name)| name)
                    .to_owned(),
                place: place.to_owned(),
                ii: section.ii,
                trip_count: section.trip_count,
                cycles: section.cycles,
                bound: section.bound.unwrap_or_default(),
            }
        })
        .collect()
}

/// How often what is inside a section is entered in one entry of the section, where that is known.
fn inner_entries(section: &Section) -> Option<Exact> {
    match section.kind {
        "loop" => section.trip_count,
        "while loop" => None,
        // At most once, and how often is not known of a conditional.
        _ => Some(Exact::ONE),
    }
}

/// Returns the pipelined loop that takes most of the cycles; the first one where no cycles are known.
pub fn dominant_loop(loops: &[PipelinedLoop]) -> Option<&PipelinedLoop> {
    let known = loops.iter().filter_map(|of| Some((of, of.cycles?)));
    let most = known.reduce(|best, next| match next.1 > best.1 {
        true => next,
        false => best,
    });
    most.map(|(of, _)| of).or_else(|| loops.first())
}

/// The units of a circuit by operator class: how many.
pub fn units(compiled: &Compiled) -> Vec<(String, u64)> {
    let table = sluice_techmap::area::area(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let rows = table.into_iter();
    rows.map(|(class, line)| (class, u64::from(line.count)))
        .collect()
}

/// The known cycles of a kernel from start to done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycles {
    /// The same for all data.
    Known(Exact),
    /// The same for all data, but too many iterations to count them.
    Uncounted,
    /// They depend on the data.
    Varies,
}

/// Returns the cycles of a kernel as the report has them.
pub fn latency_of(compiled: &Compiled) -> Cycles {
    match TotalLatency::of(compiled) {
        TotalLatency::Known(cycles) => Cycles::Known(cycles),
        TotalLatency::Uncounted => Cycles::Uncounted,
        TotalLatency::Varies => Cycles::Varies,
    }
}
