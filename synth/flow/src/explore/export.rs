//! Points as CSV and JSON for programs.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};
use sluice_report::latency::exact_json;

use super::exploration::{Exploration, standing};
use super::figures::{Cycles, Figures};
use super::front::{Row, Standing};
use super::goals::Objective;

/// A cell of CSV, in quotes where it needs them.
fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
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
