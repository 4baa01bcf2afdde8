//! Points as a table for people, and as CSV and JSON for programs.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};
use sluice_oplib::mapping::Expected;
use sluice_report::latency::exact_json;

use super::figures::{Cycles, Figures};
use super::front::{DeviceFront, Row, Standing, figures, fronts};
use super::goals::{Goals, Objective};
use super::result::{Outcome, PointResult};
use super::space::Point;

/// What is shown.
pub struct Exploration<'a> {
    /// What the kernel's file is called.
    pub file: &'a str,
    /// What the data file is called, if there is one.
    pub data: Option<&'a str>,
    /// All points.
    pub points: &'a [Point],
    /// What came of each; nothing of those that an interrupt left out.
    pub results: &'a [Option<PointResult>],
    /// What was minimised.
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
    fn has_runs(&self) -> bool {
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

/// The least and the greatest of some numbers, as text.
pub(super) fn span(values: impl Iterator<Item = f64>, decimals: usize) -> String {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values {
        (least, most) = (least.min(value), most.max(value));
    }
    let shown = |value: f64| format!("{value:.decimals$}");
    match shown(least) == shown(most) {
        true => shown(least),
        false => format!("{}..{}", shown(least), shown(most)),
    }
}

/// A figure of all points of a row, with its interval.
pub(super) fn with_interval(all: &[&Figures], objective: Objective) -> String {
    let decimals = objective.decimals();
    let of = |part: fn(&Expected) -> f64| {
        let values = all.iter().map(|one| part(&one.of_objective(objective)));
        values.collect::<Vec<f64>>()
    };
    let value = span(of(|e| e.value).into_iter(), decimals);
    let (low, high) = (of(|e| e.low), of(|e| e.high));
    let low = low.into_iter().fold(f64::INFINITY, f64::min);
    let high = high.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = (format!("{low:.decimals$}"), format!("{high:.decimals$}"));
    match low == high {
        true => value,
        false => format!("{value} ({low}-{high})"),
    }
}

/// Titles of the columns besides the settings.
fn titles(exploration: &Exploration<'_>) -> Vec<&'static str> {
    let worst = exploration.has_runs().then_some("worst");
    let figures = exploration.shown().into_iter().map(Objective::name);
    let cycles = ["cycles"].into_iter().chain(worst);
    cycles.chain(figures).collect()
}

/// Cells of a row besides the settings.
pub(super) fn cells(exploration: &Exploration<'_>, row: &Row) -> Vec<String> {
    let all: Vec<&Figures> = row
        .points
        .iter()
        .filter_map(|i| exploration.figures(*i))
        .collect();
    if all.is_empty() {
        return vec!["-".to_owned(); titles(exploration).len()];
    }
    let has_runs = exploration.has_runs();
    let decimals = usize::from(has_runs);
    let mut cells = vec![span(all.iter().map(|one| one.mean_cycles()), decimals)];
    if has_runs {
        let worst = all.iter().map(|one| one.worst_cycles().to_f64());
        cells.push(span(worst, 0));
    } else if let [one] = &all[..] {
        // Numbers beyond what a float holds are exact.
        cells[0] = one.worst_cycles().to_string();
    }
    let figures = exploration.shown().into_iter();
    cells.extend(figures.map(|objective| with_interval(&all, objective)));
    cells
}

/// Titles of all columns, the note last; the device has a line of its own.
pub(super) fn head(exploration: &Exploration<'_>) -> (Vec<usize>, Vec<String>) {
    let axes = exploration.axes();
    let shown: Vec<usize> = (0..axes.len()).filter(|i| axes[*i] != "device").collect();
    let names = shown.iter().map(|i| axes[*i]);
    let all = ["#"]
        .into_iter()
        .chain(names)
        .chain(titles(exploration))
        .chain(["note"]);
    let titles = all.map(str::to_owned).collect();
    (shown, titles)
}

/// All points as a table.
pub fn table(exploration: &Exploration<'_>) -> String {
    let (axes, titles) = head(exploration);
    let line = |row: &Row| {
        let mut number = format!("{}", row.points[0] + 1);
        if row.points.len() > 1 {
            let _ = write!(number, " +{}", row.points.len() - 1);
        }
        let settings = axes.iter().map(|axis| exploration.setting(row, *axis));
        let mut line: Vec<String> = [number].into_iter().chain(settings).collect();
        line.extend(cells(exploration, row));
        line.push(exploration.note(row));
        line
    };
    let blocks: Vec<(&str, Vec<Vec<String>>)> = exploration
        .fronts()
        .iter()
        .map(|front| (front.device.as_str(), front.rows.iter().map(line).collect()))
        .collect();
    let lines = || blocks.iter().flat_map(|(_, lines)| lines).chain([&titles]);
    let widths: Vec<usize> = (0..titles.len())
        .map(|c| {
            lines()
                .map(|line| line[c].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for (device, lines) in &blocks {
        let _ = writeln!(text, "device {device}");
        for line in [&titles].into_iter().chain(lines) {
            let (note, cells) = line.split_last().expect("a row ends in its note");
            let cells: Vec<String> = cells
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:>width$}"))
                .collect();
            let line = format!("{}  {note}", cells.join("  "));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    for remark in exploration.remarks() {
        let _ = writeln!(text, "{remark}");
    }
    text + &exploration.summary()
}

/// A cell of CSV, in quotes where it needs them.
fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
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

/// The row of each point.
fn row_of<'e>(exploration: &'e Exploration<'_>, point: usize) -> Option<&'e Row> {
    let mut rows = exploration.fronts().iter().flat_map(|front| &front.rows);
    rows.find(|row| row.points.contains(&point))
}

/// All points as CSV, a line each; `row` is the number of the first point with equal objectives.
pub fn csv(exploration: &Exploration<'_>) -> String {
    let axes = exploration.axes();
    let shown: Vec<usize> = (0..axes.len()).filter(|i| axes[*i] != "device").collect();
    let mut titles: Vec<String> = ["point", "device"].map(str::to_owned).to_vec();
    titles.extend(shown.iter().map(|i| axes[*i].to_owned()));
    titles.extend(["row", "standing", "better", "cycles_mean", "cycles_worst"].map(str::to_owned));
    for objective in Objective::ALL {
        let name = objective.name();
        titles.extend([
            name.to_owned(),
            format!("{name}_low"),
            format!("{name}_high"),
        ]);
    }
    titles.push("note".to_owned());
    let mut text = String::new();
    let mut line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    };
    line(&titles);
    for (i, point) in exploration.points.iter().enumerate() {
        let Some(row) = row_of(exploration, i) else {
            continue;
        };
        let mut cells = vec![(i + 1).to_string(), point.device.clone()];
        cells.extend(shown.iter().map(|axis| point.settings[*axis].1.clone()));
        let (word, better) = standing(&row.standing);
        let better = better.map_or_else(String::new, |better| better.to_string());
        cells.extend([(row.points[0] + 1).to_string(), word.to_owned(), better]);
        match exploration.figures(i) {
            Some(figures) => {
                cells.push(match &figures.cycles {
                    Cycles::Scheduled(cycles) => cycles.to_string(),
                    Cycles::Runs { mean, .. } => mean.to_string(),
                });
                cells.push(figures.worst_cycles().to_string());
                for objective in Objective::ALL {
                    let of = figures.of_objective(objective);
                    cells.extend([of.value, of.low, of.high].map(|value| value.to_string()));
                }
            }
            None => cells.extend(vec![String::new(); 2 + 3 * Objective::ALL.len()]),
        }
        cells.push(exploration.note(row));
        line(&cells);
    }
    text
}

/// The figures of a point for a program.
fn figures_json(figures: &Figures, entries: &mut Map<String, Json>) {
    let mut cycles = match &figures.cycles {
        Cycles::Scheduled(cycles) => json!({"mean": exact_json(*cycles)}),
        Cycles::Runs {
            mean,
            n_runs,
            is_random,
            ..
        } => json!({"mean": mean, "data_sets": n_runs, "random": is_random}),
    };
    cycles["worst"] = exact_json(figures.worst_cycles());
    entries.insert("cycles".to_owned(), cycles);
    let requested = json!(figures.clock_period_ns);
    entries.insert("clock_period_ns".to_owned(), requested);
    for objective in Objective::ALL {
        let of = figures.of_objective(objective);
        let value = json!({"value": of.value, "low": of.low, "high": of.high});
        entries.insert(objective.name().to_owned(), value);
    }
}

/// All points and fronts as JSON. Numbers of points begin at one, as in the table.
pub fn json(exploration: &Exploration<'_>) -> String {
    let mut points = Vec::new();
    for (i, point) in exploration.points.iter().enumerate() {
        let Some(row) = row_of(exploration, i) else {
            continue;
        };
        let settings: Map<String, Json> = point
            .settings
            .iter()
            .map(|(name, value)| (name.clone(), Json::String(value.clone())))
            .collect();
        let (word, better) = standing(&row.standing);
        let mut entries = Map::new();
        entries.insert("point".to_owned(), json!(i + 1));
        entries.insert("device".to_owned(), json!(point.device));
        entries.insert("settings".to_owned(), Json::Object(settings));
        entries.insert("row".to_owned(), json!(row.points[0] + 1));
        entries.insert("standing".to_owned(), json!(word));
        entries.insert("better".to_owned(), json!(better));
        if let Some(figures) = exploration.figures(i) {
            figures_json(figures, &mut entries);
        }
        if let Standing::Misses(bounds) = &row.standing {
            entries.insert("misses".to_owned(), json!(bounds));
        }
        if let Some(reason) = exploration.reason(i) {
            entries.insert("failure".to_owned(), json!(reason));
        }
        let configuration = json!(point.configuration);
        entries.insert("configuration".to_owned(), configuration);
        points.push(Json::Object(entries));
    }
    let numbers = |row: &Row| {
        let numbers: Vec<usize> = row.points.iter().map(|i| i + 1).collect();
        json!(numbers)
    };
    let fronts: Vec<Json> = exploration
        .fronts()
        .iter()
        .map(|front| {
            let best = front
                .rows
                .iter()
                .filter(|row| row.standing == Standing::Best);
            json!({"device": front.device, "rows": best.map(numbers).collect::<Vec<_>>()})
        })
        .collect();
    let objectives: Vec<&str> = exploration
        .goals
        .objectives
        .iter()
        .map(|of| of.name())
        .collect();
    let constraints: Vec<Json> = exploration
        .goals
        .constraints
        .iter()
        .map(|bound| json!({"of": bound.of.name(), "min": bound.min, "max": bound.max}))
        .collect();
    let all = json!({
        "kernel": exploration.file, "data": exploration.data, "objectives": objectives, "constraints": constraints,
        "n_points": exploration.points.len(), "points": points, "fronts": fronts,
    });
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}
