//! Design space exploration: compiles the points of a space, and finds the Pareto-optimal ones.

mod space;

use std::fmt::Write;

use serde_json::{Value as Json, json};
use sluice_ir::Exact;
use sluice_ir::checksum::checksum;
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::Failure;
use sluice_report::latency::{exact_json, exact_of_json};
use sluice_techmap::area::{area, total};
use sluice_verify::check::latency_cycles;

use crate::pipeline::compile;

pub use space::{Point, Space};

impl Point {
    /// Returns the key that names the point's file: the same for the same kernel, configuration and version of Sluice.
    pub fn key(&self, source: &str) -> u64 {
        let version = env!("CARGO_PKG_VERSION");
        checksum(format!("{version}{source}{}", self.configuration()).bytes())
    }
}

/// Start of the line with the checksum of the remaining text, in the file of a point.
const CHECKSUM: &str = "  \"checksum\": \"";

/// The cost of a point, or the reason why it failed.
#[derive(Clone, Debug, PartialEq)]
pub struct PointResult {
    /// The point.
    pub point: Point,
    /// Cycles from `start` to `done`, if they are known.
    pub latency_cycles: Option<Exact>,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// Number of look-up tables, registers, multiplier blocks and memory blocks.
    pub cells: [f64; 4],
    /// First line of the error, if there is no circuit.
    pub failure: Option<String>,
}

/// Compiles one point. `limits` override those of its configuration.
pub fn evaluate(source: &str, file: &str, point: &Point, limits: &Limits) -> PointResult {
    let compiled = point
        .config()
        .map_err(Failure::Input)
        .and_then(|mut config| {
            config.tool_limits.overrule(limits);
            compile(source, file, &config)
        });
    match compiled {
        Ok(compiled) => {
            let cells = total(&area(
                &compiled.context,
                &compiled.circuit,
                &compiled.top,
                &compiled.device,
            ));
            PointResult {
                point: point.clone(),
                latency_cycles: latency_cycles(&compiled),
                clock_period_ns: compiled.clock_period_ns,
                cells: [cells.lut, cells.ff, cells.dsp, cells.bram],
                failure: None,
            }
        }
        Err(Failure::Input(message) | Failure::Internal(message)) => PointResult {
            point: point.clone(),
            latency_cycles: None,
            clock_period_ns: 0.0,
            cells: [0.0; 4],
            failure: Some(message.lines().next().unwrap_or("failed").to_owned()),
        },
    }
}

impl PointResult {
    fn value(&self) -> Json {
        let settings: serde_json::Map<String, Json> = self
            .point
            .settings
            .iter()
            .map(|(name, value)| (name.clone(), Json::String(value.clone())))
            .collect();
        json!({
            "settings": settings, "latency_cycles": self.latency_cycles.map(exact_json), "clock_period_ns": self.clock_period_ns,
            "lut": self.cells[0], "ff": self.cells[1], "dsp": self.cells[2], "bram": self.cells[3],
            "failure": self.failure,
        })
    }

    /// Returns the text of the point's file.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(&self.value()).unwrap_or_default() + "\n";
        let sum = checksum(text.bytes());
        text.replacen("{\n", &format!("{{\n{CHECKSUM}{sum:016x}\",\n"), 1)
    }

    /// Reads the file of the same point; `None` if it is not exactly what [`PointResult::to_json`] wrote.
    pub fn from_json(point: &Point, text: &str) -> Option<Self> {
        let (sum, rest) = text
            .strip_prefix("{\n")?
            .strip_prefix(CHECKSUM)?
            .split_once("\",\n")?;
        let written = format!("{{\n{rest}");
        if sum != format!("{:016x}", checksum(written.bytes())) {
            return None;
        }
        let value: Json = serde_json::from_str(&written).ok()?;
        let cell = |name: &str| value.get(name)?.as_f64();
        Some(Self {
            point: point.clone(),
            latency_cycles: exact_of_json(value.get("latency_cycles")?),
            clock_period_ns: cell("clock_period_ns")?,
            cells: [cell("lut")?, cell("ff")?, cell("dsp")?, cell("bram")?],
            failure: value.get("failure")?.as_str().map(str::to_owned),
        })
    }

    /// Returns the compared costs: time in ns, look-up tables, registers, multipliers.
    fn costs(&self) -> Option<[f64; 4]> {
        let cycles = self.latency_cycles.filter(|_| self.failure.is_none())?;
        let time = cycles.to_f64() * self.clock_period_ns;
        Some([time, self.cells[0], self.cells[1], self.cells[2]])
    }
}

/// Returns the indices of the Pareto-optimal points: no other point is better in time and area.
pub fn pareto(results: &[PointResult]) -> Vec<usize> {
    let costs: Vec<_> = results.iter().map(PointResult::costs).collect();
    let beats = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).all(|(x, y)| x <= y) && a != b;
    (0..results.len())
        .filter(|i| {
            costs[*i].is_some_and(|mine| !costs.iter().flatten().any(|other| beats(other, &mine)))
        })
        .collect()
}

/// Formats a CSV cell, in quotes if needed.
fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn names(results: &[PointResult]) -> Vec<String> {
    results
        .first()
        .map(|r| r.point.settings.iter().map(|(n, _)| n.clone()).collect())
        .unwrap_or_default()
}

fn columns(result: &PointResult, on_front: bool) -> Vec<String> {
    let mut row: Vec<String> = result
        .point
        .settings
        .iter()
        .map(|(_, value)| value.clone())
        .collect();
    match &result.failure {
        Some(failure) => {
            row.extend(["-", "-", "-", "-", "-"].map(str::to_owned));
            row.push(failure.clone());
        }
        None => {
            row.push(
                result
                    .latency_cycles
                    .map_or_else(|| "data".to_owned(), |c| c.to_string()),
            );
            row.extend(result.cells.iter().map(|c| format!("{c:.0}")));
            row.push(if on_front {
                "best".to_owned()
            } else {
                String::new()
            });
        }
    }
    row
}

const COSTS: [&str; 6] = ["latency_cycles", "lut", "ff", "dsp", "bram", "note"];

/// Formats all points as CSV.
pub fn csv(results: &[PointResult], front: &[usize]) -> String {
    let mut text = names(results).join(",");
    let _ = writeln!(
        text,
        "{}{}",
        if text.is_empty() { "" } else { "," },
        COSTS.join(",")
    );
    for (i, result) in results.iter().enumerate() {
        let cells = columns(result, front.contains(&i)).into_iter();
        let cells: Vec<String> = cells.map(|cell| csv_cell(&cell)).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

/// Formats all points as JSON.
pub fn json(results: &[PointResult], front: &[usize]) -> String {
    let points: Vec<Json> = results.iter().map(PointResult::value).collect();
    serde_json::to_string_pretty(&json!({"points": points, "front": front})).unwrap_or_default()
        + "\n"
}

/// Formats all points as a table.
pub fn table(results: &[PointResult], front: &[usize]) -> String {
    let mut rows = vec![
        names(results)
            .into_iter()
            .chain(COSTS.map(str::to_owned))
            .collect::<Vec<_>>(),
    ];
    rows.extend(
        results
            .iter()
            .enumerate()
            .map(|(i, r)| columns(r, front.contains(&i))),
    );
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|c| {
            rows.iter()
                .map(|r| r.get(c).map_or(0, String::len))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in &rows {
        let (note, numbers) = row.split_last().expect("a row ends in its note");
        let cells: Vec<String> = numbers
            .iter()
            .zip(&widths)
            .map(|(cell, w)| format!("{cell:>w$}"))
            .collect();
        let _ = writeln!(
            text,
            "{}",
            format!("{}  {note}", cells.join("  ")).trim_end()
        );
    }
    let _ = writeln!(
        text,
        "{} points, {} of them best",
        results.len(),
        front.len()
    );
    text
}
