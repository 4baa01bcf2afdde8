//! One point, compiled: what it costs, or why there is no circuit.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use sluice_ir::Exact;
use sluice_ir::checksum::checksum;
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_verify::check::{latency_cycles, simulate};
use sluice_verify::data::{Case, DataFile};
use sluice_verify::drawing::Drawing;

use super::figures::{Cycles, Figures};
use super::point::Point;
use crate::pipeline::compile;

/// The input that all points of an exploration share.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The text of the kernel.
    pub source: &'a str,
    /// File name of the kernel.
    pub file: &'a str,
    /// Text and name of the data file, if there is one.
    pub data: Option<(&'a str, &'a str)>,
}

/// The result of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A circuit.
    Circuit(Figures),
    /// No circuit.
    Failed {
        /// Why, in one line.
        reason: String,
        /// Whether that is a fault of Sluice.
        is_internal: bool,
    },
}

/// The result of a point, and its inputs besides the task.
#[derive(Clone, Debug, PartialEq)]
pub struct PointResult {
    /// The result.
    pub outcome: Outcome,
    /// Files that the data file names and that were read, with checksums.
    pub files: BTreeMap<String, String>,
    /// Whether the time for compiling was up before everything was tried: another run may find another circuit.
    pub is_cut: bool,
}

/// Random data sets for a kernel whose latency depends on data, where no data file has cases.
const RANDOM_DATA_SETS: usize = 4;

/// Seed of the random data sets.
const SEED: u64 = 1;

/// Compiles one point, and runs the circuit on the data where its latency depends on them; `files` gives what the data file names.
/// `limits` overrule those of its configuration.
pub fn evaluate(
    task: Task<'_>,
    point: &Point,
    files: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    limits: &Limits,
) -> PointResult {
    let mut named = BTreeMap::new();
    let mut files = |name: &str| {
        let data = files(name)?;
        named.insert(name.to_owned(), sum_of(&data));
        Ok(data)
    };
    let figures = compile_point(task, point, limits).and_then(|compiled| {
        let cycles = cycles(task, &compiled, &mut files).map_err(Failure::Input)?;
        let estimate = compiled.estimate().ok_or_else(|| {
            Failure::Internal("the circuit cannot be mapped to the device".to_owned())
        })?;
        Ok(Figures::of(cycles, compiled.clock_period_ns, &estimate))
    });
    PointResult {
        outcome: match figures {
            Ok(figures) => Outcome::Circuit(figures),
            Err(failure) => Outcome::Failed {
                reason: one_line(&failure.to_string()),
                is_internal: matches!(failure, Failure::Internal(_)),
            },
        },
        files: named,
        is_cut: !limits.watch.cuts().is_empty(),
    }
}

/// The circuit of a point.
///
/// # Errors
/// Why there is none.
pub fn compile_point(task: Task<'_>, point: &Point, limits: &Limits) -> Result<Compiled, Failure> {
    let mut config = point.config().map_err(Failure::Input)?;
    config.tool_limits.overrule(limits);
    config.profile = task.data.map(|(text, _)| text.to_owned());
    compile(task.source, task.file, &config)
}

/// The checksum of a file that data name.
fn sum_of(data: &[u8]) -> String {
    format!("{:016x}", checksum(data.iter().copied()))
}

/// The first error of a message, without its excerpt.
fn one_line(message: &str) -> String {
    let first = message.lines().next();
    let error = message.lines().find(|line| line.contains("error: "));
    error.or(first).unwrap_or("failed").to_owned()
}

fn cycles(
    task: Task<'_>,
    compiled: &Compiled,
    files: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Cycles, String> {
    if let Some(cycles) = latency_cycles(compiled) {
        return Ok(Cycles::Scheduled(cycles));
    }
    let (cases, is_random) = cases(task, compiled, files)?;
    let mut all = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let run = simulate(compiled, case);
        all.push(run.map_err(|why| format!("data set {i}: {why}"))?.cycles);
    }
    let n_runs = all.len();
    let count = Exact::from(u64::try_from(n_runs).unwrap_or(u64::MAX));
    let mean = Exact::sum(all.iter().copied()).to_f64() / count.to_f64();
    Ok(Cycles::Runs {
        mean,
        worst: all.into_iter().max().unwrap_or(0),
        n_runs,
        is_random,
    })
}

/// The data sets of the data file, or random ones; whether they are random.
fn cases(
    task: Task<'_>,
    compiled: &Compiled,
    files: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Vec<Case>, bool), String> {
    let data = match task.data {
        Some((text, file)) => {
            let limits = &compiled.context.limits;
            let read = DataFile::read(text, file, &compiled.interface, files, limits);
            read.map_err(|errors| {
                let first = errors.first().map(ToString::to_string);
                first.unwrap_or_default()
            })?
        }
        None => DataFile::default(),
    };
    if !data.cases.is_empty() {
        return Ok((data.cases, false));
    }
    let mut drawing = Drawing::new(compiled, &data.ranges, SEED);
    let drawn = (0..RANDOM_DATA_SETS).map(|_| drawing.draw());
    let drawn: Result<Vec<Case>, String> = drawn.collect();
    let drawn = drawn.map_err(|why| {
        format!("the latency depends on the data, and random data do not fit ({why}): give cases in a data file")
    })?;
    Ok((drawn, true))
}

/// How the line with the checksum of the rest begins in the file of a point.
const CHECKSUM: &str = "  \"checksum\": \"";

impl PointResult {
    /// One file's text.
    pub fn to_json(&self) -> String {
        let outcome = match &self.outcome {
            Outcome::Circuit(figures) => json!({"figures": figures.to_json()}),
            Outcome::Failed {
                reason,
                is_internal,
            } => json!({"failure": reason, "is_internal": is_internal}),
        };
        let mut value = json!({"files": self.files, "outcome": outcome});
        if self.is_cut {
            value["is_cut"] = json!(true);
        }
        let text = serde_json::to_string_pretty(&value).unwrap_or_default() + "\n";
        let sum = checksum(text.bytes());
        text.replacen("{\n", &format!("{{\n{CHECKSUM}{sum:016x}\",\n"), 1)
    }

    /// Reads a file back; nothing where it is not what [`PointResult::to_json`] wrote, byte for byte, or where `files` gives another file
    /// than it gave then.
    pub fn from_json(
        text: &str,
        files: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Option<Self> {
        let (sum, rest) = text
            .strip_prefix("{\n")?
            .strip_prefix(CHECKSUM)?
            .split_once("\",\n")?;
        let written = format!("{{\n{rest}");
        if sum != format!("{:016x}", checksum(written.bytes())) {
            return None;
        }
        let value: Json = serde_json::from_str(&written).ok()?;
        let mut named = BTreeMap::new();
        for (name, sum) in value.get("files")?.as_object()? {
            let sum = sum.as_str()?;
            let is_same = files(name).is_ok_and(|data| sum_of(&data) == sum);
            if !is_same {
                return None;
            }
            named.insert(name.clone(), sum.to_owned());
        }
        let outcome = value.get("outcome")?;
        let outcome = match outcome.get("figures") {
            Some(figures) => Outcome::Circuit(Figures::of_json(figures)?),
            None => Outcome::Failed {
                reason: outcome.get("failure")?.as_str()?.to_owned(),
                is_internal: outcome.get("is_internal")?.as_bool()?,
            },
        };
        Some(Self {
            outcome,
            files: named,
            is_cut: value.get("is_cut").is_some(),
        })
    }
}
