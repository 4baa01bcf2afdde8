//! Exploration: the points of a space, what each costs, and which are worth having.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value as Json, json};
use serde_yaml::Value;

use crate::area::{area, total};
use crate::check::predicted_cycles;
use crate::config::{Config, ConfigError, Reader};
use crate::pipeline::{Failure, compile};

/// The ranges to explore.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// Devices.
    pub devices: Vec<String>,
    /// Clock periods in ns.
    pub clock_periods_ns: Vec<f64>,
    /// Unroll factors by loop.
    pub unroll: BTreeMap<String, Vec<u32>>,
    /// Initiation intervals by loop.
    pub ii: BTreeMap<String, Vec<u32>>,
    /// Numbers of units by operator class.
    pub limits: BTreeMap<String, Vec<u32>>,
}

/// One point: what it sets, as the configuration calls it.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Settings by name, in order.
    pub settings: Vec<(String, Setting)>,
}

/// One setting of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// Device.
    Device(String),
    /// Clock period in ns.
    ClockPeriodNs(f64),
    /// Unroll factor of a loop.
    Unroll(String, u32),
    /// Initiation interval of a loop.
    Ii(String, u32),
    /// Units of a class.
    Limit(String, u32),
}

impl Setting {
    fn text(&self) -> String {
        match self {
            Self::Device(name) => name.clone(),
            Self::ClockPeriodNs(ns) => ns.to_string(),
            Self::Unroll(_, n) | Self::Ii(_, n) | Self::Limit(_, n) => n.to_string(),
        }
    }
}

impl Space {
    /// Reads the ranges.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn from_yaml(text: &str, file: &str) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut space = Self::default();
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(
                &mapping,
                &["device", "clock_period_ns", "unroll", "ii", "limits"],
            );
            for (key, value) in &mapping {
                let key = key.as_str().unwrap_or_default();
                match key {
                    "device" => {
                        space.devices = list(value)
                            .iter()
                            .filter_map(|v| reader.text(key, v))
                            .collect();
                    }
                    "clock_period_ns" => {
                        space.clock_periods_ns = list(value)
                            .iter()
                            .filter_map(|v| reader.number(key, v))
                            .collect();
                    }
                    "unroll" => space.unroll = counts(&mut reader, key, value),
                    "ii" => space.ii = counts(&mut reader, key, value),
                    "limits" => space.limits = counts(&mut reader, key, value),
                    _ => {}
                }
            }
        }
        if reader.errors.is_empty() {
            Ok(space)
        } else {
            Err(reader.errors)
        }
    }

    /// Every combination.
    pub fn points(&self) -> Vec<Point> {
        let mut axes: Vec<(String, Vec<Setting>)> = Vec::new();
        if !self.devices.is_empty() {
            axes.push((
                "device".to_owned(),
                self.devices.iter().cloned().map(Setting::Device).collect(),
            ));
        }
        if !self.clock_periods_ns.is_empty() {
            let periods = self
                .clock_periods_ns
                .iter()
                .copied()
                .map(Setting::ClockPeriodNs)
                .collect();
            axes.push(("clock_period_ns".to_owned(), periods));
        }
        let named =
            |kind: &str, table: &BTreeMap<String, Vec<u32>>, make: fn(String, u32) -> Setting| {
                let axis = |(name, values): (&String, &Vec<u32>)| {
                    (
                        format!("{kind}.{name}"),
                        values
                            .iter()
                            .map(|n| make(name.clone(), *n))
                            .collect::<Vec<_>>(),
                    )
                };
                table.iter().map(axis).collect::<Vec<_>>()
            };
        axes.extend(named("unroll", &self.unroll, Setting::Unroll));
        axes.extend(named("ii", &self.ii, Setting::Ii));
        axes.extend(named("limits", &self.limits, Setting::Limit));
        let mut points = vec![Point {
            settings: Vec::new(),
        }];
        for (name, values) in axes {
            let mut longer = Vec::new();
            for point in &points {
                for value in &values {
                    let mut settings = point.settings.clone();
                    settings.push((name.clone(), value.clone()));
                    longer.push(Point { settings });
                }
            }
            points = longer;
        }
        points
    }
}

fn list(value: &Value) -> Vec<Value> {
    match value {
        Value::Sequence(all) => all.clone(),
        one => vec![one.clone()],
    }
}

fn counts(reader: &mut Reader<'_>, key: &str, value: &Value) -> BTreeMap<String, Vec<u32>> {
    let Some(mapping) = value.as_mapping() else {
        reader.error(key, format!("`{key}` maps names to lists of numbers"));
        return BTreeMap::new();
    };
    let mut table = BTreeMap::new();
    for (name, values) in mapping {
        let name = name
            .as_str()
            .unwrap_or_default()
            .trim_start_matches('%')
            .to_owned();
        let values = list(values)
            .iter()
            .filter_map(|v| reader.count(&name, v))
            .collect();
        table.insert(name, values);
    }
    table
}

fn fnv(text: &str) -> u64 {
    // FNV-1a, 64 bits.
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// What a result depends on besides its point.
pub fn fingerprint(source: &str, base: &Config) -> String {
    format!(
        "{:016x}",
        fnv(&format!("{}{source}{base:?}", env!("CARGO_PKG_VERSION")))
    )
}

impl Point {
    /// A file name: the same for the same kernel, configuration and point.
    pub fn name(&self, fingerprint: &str) -> String {
        format!("{:016x}", fnv(&format!("{fingerprint}{:?}", self.settings)))
    }

    /// The configuration of this point.
    fn config(&self, base: &Config) -> Config {
        let mut config = base.clone();
        for (_, setting) in &self.settings {
            match setting {
                Setting::Device(name) => config.device.clone_from(name),
                Setting::ClockPeriodNs(ns) => config.clock_period_ns = Some(*ns),
                Setting::Unroll(name, n) => {
                    config.loops.entry(name.clone()).or_default().unroll = Some(*n)
                }
                Setting::Ii(name, n) => config.loops.entry(name.clone()).or_default().ii = Some(*n),
                Setting::Limit(name, n) => {
                    config.limits.insert(name.clone(), *n);
                }
            }
        }
        config
    }
}

/// What a point costs, or why it is impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct PointResult {
    /// The point.
    pub point: Point,
    /// Cycles from start to done, where they are known.
    pub latency_cycles: Option<u64>,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// Look-up tables, registers, multiplier blocks, memory blocks.
    pub cells: [f64; 4],
    /// Why there is no circuit, first line.
    pub failure: Option<String>,
}

/// Compiles one point.
pub fn evaluate(source: &str, file: &str, base: &Config, point: &Point) -> PointResult {
    match compile(source, file, &point.config(base), &mut |_, _, _| {}) {
        Ok(compiled) => {
            let cells = total(&area(
                &compiled.context,
                &compiled.circuit,
                &compiled.top,
                &compiled.device,
            ));
            PointResult {
                point: point.clone(),
                latency_cycles: predicted_cycles(&compiled),
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
            .map(|(name, s)| (name.clone(), Json::String(s.text())))
            .collect();
        json!({
            "settings": settings, "latency_cycles": self.latency_cycles, "clock_period_ns": self.clock_period_ns,
            "lut": self.cells[0], "ff": self.cells[1], "dsp": self.cells[2], "bram": self.cells[3],
            "failure": self.failure,
        })
    }

    /// One file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.value()).unwrap_or_default() + "\n"
    }

    /// Reads a file of the same point back.
    pub fn from_json(point: &Point, text: &str) -> Option<Self> {
        let value: Json = serde_json::from_str(text).ok()?;
        let cell = |name: &str| value.get(name)?.as_f64();
        Some(Self {
            point: point.clone(),
            latency_cycles: value.get("latency_cycles")?.as_u64(),
            clock_period_ns: cell("clock_period_ns")?,
            cells: [cell("lut")?, cell("ff")?, cell("dsp")?, cell("bram")?],
            failure: value.get("failure")?.as_str().map(str::to_owned),
        })
    }

    /// What is compared: time in ns, LUTs, registers, multipliers.
    fn costs(&self) -> Option<[f64; 4]> {
        let cycles = self.latency_cycles.filter(|_| self.failure.is_none())?;
        let time = f64::from(u32::try_from(cycles).ok()?) * self.clock_period_ns;
        Some([time, self.cells[0], self.cells[1], self.cells[2]])
    }
}

/// Positions of the points that no other point beats in time and area.
pub fn pareto(results: &[PointResult]) -> Vec<usize> {
    let costs: Vec<_> = results.iter().map(PointResult::costs).collect();
    let beats = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).all(|(x, y)| x <= y) && a != b;
    (0..results.len())
        .filter(|i| {
            costs[*i].is_some_and(|mine| !costs.iter().flatten().any(|other| beats(other, &mine)))
        })
        .collect()
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
        .map(|(_, s)| s.text())
        .collect();
    match &result.failure {
        Some(failure) => {
            row.extend(["-", "-", "-", "-", "-"].map(str::to_owned));
            row.push(failure.replace(',', ";"));
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

/// All points as CSV.
pub fn csv(results: &[PointResult], front: &[usize]) -> String {
    let mut text = names(results).join(",");
    let _ = writeln!(
        text,
        "{}{}",
        if text.is_empty() { "" } else { "," },
        COSTS.join(",")
    );
    for (i, result) in results.iter().enumerate() {
        let _ = writeln!(text, "{}", columns(result, front.contains(&i)).join(","));
    }
    text
}

/// All points as JSON.
pub fn json(results: &[PointResult], front: &[usize]) -> String {
    let points: Vec<Json> = results.iter().map(PointResult::value).collect();
    serde_json::to_string_pretty(&json!({"points": points, "front": front})).unwrap_or_default()
        + "\n"
}

/// All points as a table.
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
