//! Points as a table for people.

use std::fmt::Write as _;

use sluice_oplib::mapping::Expected;

use super::exploration::Exploration;
use super::figures::Figures;
use super::front::Row;
use super::goals::Objective;

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
