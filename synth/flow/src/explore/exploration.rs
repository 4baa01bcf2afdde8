//! All points of an exploration with what came of them, and what is said of each in words.

use std::fmt::Write as _;

use super::figures::{Cycles, Figures};
use super::front::{DeviceFront, Row, Standing, figures, fronts};
use super::goals::{Goals, Objective};
use super::point::Point;
use super::result::{Outcome, PointResult};

/// The points and results of an exploration.
pub struct Exploration<'a> {
    /// File name of the kernel.
    pub file: &'a str,
    /// File name of the data, if there is one.
    pub data: Option<&'a str>,
    /// All points.
    pub points: &'a [Point],
    /// Result of each point; `None` for points that an interrupt left out.
    pub results: &'a [Option<PointResult>],
    /// The objectives.
    pub goals: &'a Goals,
    fronts: Vec<DeviceFront>,
}

impl<'a> Exploration<'a> {
    /// Compares the points.
    pub fn new(
        (file, data): (&'a str, Option<&'a str>),
        points: &'a [Point],
        results: &'a [Option<PointResult>],
        goals: &'a Goals,
    ) -> Self {
        Self {
            file,
            data,
            points,
            results,
            goals,
            fronts: fronts(points, results, goals),
        }
    }

    /// The rows of each device.
    pub fn fronts(&self) -> &[DeviceFront] {
        &self.fronts
    }

    /// Points that have results.
    pub fn n_done(&self) -> usize {
        self.results.iter().flatten().count()
    }

    /// Points without a circuit.
    pub fn n_failed(&self) -> usize {
        let failed = |result: &&PointResult| matches!(result.outcome, Outcome::Failed { .. });
        self.results.iter().flatten().filter(failed).count()
    }

    /// Points at which Sluice has a fault.
    pub fn n_internal(&self) -> usize {
        let internal = |result: &&PointResult| {
            matches!(
                result.outcome,
                Outcome::Failed {
                    is_internal: true,
                    ..
                }
            )
        };
        self.results.iter().flatten().filter(internal).count()
    }

    /// The names of what varies.
    pub(super) fn axes(&self) -> Vec<&str> {
        let first = self.points.first();
        let settings = first.map_or(&[][..], |point| &point.settings);
        settings.iter().map(|(name, _)| name.as_str()).collect()
    }

    pub(super) fn figures(&self, point: usize) -> Option<&Figures> {
        figures(self.results[point].as_ref())
    }

    /// Why there is no circuit.
    pub(super) fn reason(&self, point: usize) -> Option<&str> {
        match &self.results[point].as_ref()?.outcome {
            Outcome::Failed { reason, .. } => Some(reason),
            Outcome::Circuit(_) => None,
        }
    }

    /// How a row compares, in words.
    pub(super) fn note(&self, row: &Row) -> String {
        let mut note = match &row.standing {
            Standing::Best => "best".to_owned(),
            Standing::WithinErrorOf(point) => format!("within error of #{}", point + 1),
            Standing::WorseThan(point) => format!("worse than #{}", point + 1),
            Standing::Misses(bounds) => format!("misses {}", bounds.join(", ")),
            Standing::Failed => self.reason(row.points[0]).unwrap_or_default().to_owned(),
        };
        let is_cut = |i: &usize| {
            self.results[*i]
                .as_ref()
                .is_some_and(|result| result.is_cut)
        };
        if row.points.iter().any(is_cut) {
            note += " (the time for compiling was up)";
        }
        note
    }

    /// The values of a setting in a row, each once.
    pub(super) fn setting(&self, row: &Row, axis: usize) -> String {
        let mut values: Vec<&str> = Vec::new();
        for point in &row.points {
            let value = self.points[*point].settings[axis].1.as_str();
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values.join("|")
    }

    /// Whether some latency depends on the data.
    pub(super) fn has_runs(&self) -> bool {
        let runs = |i: usize| {
            let figures = self.figures(i);
            figures.is_some_and(|figures| matches!(figures.cycles, Cycles::Runs { .. }))
        };
        (0..self.points.len()).any(runs)
    }

    /// The figures that columns show.
    pub(super) fn shown(&self) -> Vec<Objective> {
        let has_runs = self.has_runs();
        let mut all = Objective::ALL.to_vec();
        // Without runs the worst is the mean.
        all.retain(|objective| has_runs || *objective != Objective::LatencyNs);
        all
    }

    /// One or two sentences on the numbers.
    pub(super) fn remarks(&self) -> Vec<String> {
        let goals: Vec<&str> = self.goals.objectives.iter().map(|of| of.name()).collect();
        let mut remarks = vec![format!(
            "minimised: {}; in parentheses the interval that holds nine results in ten",
            goals.join(", ")
        )];
        let runs = (0..self.points.len()).find_map(|i| match self.figures(i)?.cycles {
            Cycles::Runs {
                n_runs, is_random, ..
            } => Some((n_runs, is_random)),
            Cycles::Scheduled(_) => None,
        });
        if let Some((n_runs, is_random)) = runs {
            let sets = match (n_runs, is_random) {
                (1, false) => "the data set".to_owned(),
                (n, false) => format!("the {n} data sets"),
                (n, true) => format!("{n} random data sets"),
            };
            let from = match self.data.filter(|_| !is_random) {
                Some(file) => format!(" of {file}"),
                None => ": a data file with cases beside the kernel says what it usually runs on"
                    .to_owned(),
            };
            remarks.push(format!(
                "the latency depends on the data: `time_ns` is the mean over {sets}{from}; `worst` and `latency_ns` are of the slowest"
            ));
        }
        remarks
    }

    /// How many points there are, and what became of them.
    pub(super) fn summary(&self) -> String {
        let (n_all, n_done, n_failed) = (self.points.len(), self.n_done(), self.n_failed());
        let mut text = String::new();
        if n_done < n_all {
            let _ = writeln!(text, "interrupted: {n_done} of {n_all} points");
        }
        let s = if n_done == 1 { "" } else { "s" };
        let _ = write!(text, "{n_done} point{s}, {n_failed} failed");
        for front in &self.fronts {
            let best = front
                .rows
                .iter()
                .filter(|row| row.standing == Standing::Best);
            let _ = write!(text, "; {}: {} best", front.device, best.count());
        }
        text.push('\n');
        text
    }
}

/// How a row compares, in a word, and with which point.
pub(super) fn standing(standing: &Standing) -> (&'static str, Option<usize>) {
    match standing {
        Standing::Best => ("best", None),
        Standing::WithinErrorOf(point) => ("within_error", Some(point + 1)),
        Standing::WorseThan(point) => ("worse", Some(point + 1)),
        Standing::Misses(_) => ("misses_constraint", None),
        Standing::Failed => ("failed", None),
    }
}
