//! The figures of a kernel that a lock keeps, measured from a compilation.

use sha2::{Digest as _, Sha256};
use sluice_config::Config;
use sluice_kernel::compiled::Compiled;
use sluice_report::loops::{Cycles, PipelinedLoop, latency_of, pipelined_loops, units};
use sluice_sim::testbench::Unwatched;
use sluice_techmap::area::{by_line, items};
use sluice_verify::check::{Manner, simulate_all};
use sluice_verify::data::Case;

/// The figures of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) device: String,
    pub(super) clock_period_ns: f64,
    pub(super) latency: Latency,
    pub(super) loops: Vec<Interval>,
    pub(super) cells: Cells,
    /// In MHz; `None` where no path runs between registers.
    pub(super) fmax_mhz: Option<f64>,
    /// Start and end of the longest path.
    pub(super) longest_path: Option<String>,
    /// Units by operator class.
    pub(super) units: Vec<(String, u64)>,
    pub(super) upstream: Upstream,
    /// SHA-256 of the Verilog after its first line, which names version and source.
    pub(super) verilog: String,
}

/// The cycles of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Latency {
    /// The same for all data.
    Cycles(u128),
    /// Of each data set of the data file: they depend on the data. None without a data file.
    DataSets(Vec<u64>),
    /// The same for all data, but too many to be counted.
    NotCounted,
}

/// A pipelined loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) name: String,
    pub(super) ii: u64,
    /// Why the initiation interval is no smaller.
    pub(super) because: String,
}

/// The expected cells, rounded to a tenth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cells {
    pub(super) lut: f64,
    pub(super) ff: f64,
    pub(super) dsp: f64,
    pub(super) bram: f64,
}

/// Everything that a circuit is made from, so that a difference can be traced to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Upstream {
    /// Version of Sluice.
    pub(super) sluice: String,
    /// SHA-256 of the text of the kernel.
    pub(super) source: String,
    /// SHA-256 of the keys and values of the configuration; `None` without one.
    pub(super) configuration: Option<String>,
    /// SHA-256 of the text of the data file; `None` without one.
    pub(super) data: Option<String>,
}

/// The figures of a kernel, and where they come from.
pub(super) struct Measured {
    pub(super) entry: Entry,
    pub(super) loops: Vec<PipelinedLoop>,
    /// Lines of the source by LUT, the largest first.
    pub(super) lines: Vec<(u32, f64)>,
    /// The file of the kernel.
    pub(super) file: String,
    /// Whether the time for compiling was up, so that the figures depend on the speed of the machine.
    pub(super) is_cut: bool,
}

/// The data sets of a kernel, for a latency that depends on them.
pub(super) enum Runs<'a> {
    /// They were run, and took these cycles.
    Cycles(&'a [u64]),
    /// They are to be run.
    Cases(&'a mut dyn FnMut() -> Result<Vec<Case>, String>),
}

impl Upstream {
    /// The inputs of a compilation.
    pub(super) fn of(source: &str, configuration: Option<&str>, config: &Config) -> Self {
        Self {
            sluice: env!("CARGO_PKG_VERSION").to_owned(),
            source: sha256(source),
            configuration: configuration.map(|text| sha256(&canonical(text))),
            data: config.profile.as_deref().map(sha256),
        }
    }
}

impl Measured {
    /// Measures a kernel in the file `file`; runs its data only where its latency depends on them.
    ///
    /// # Errors
    /// What kept a data set from being run.
    pub(super) fn of(
        compiled: &Compiled,
        file: &str,
        upstream: Upstream,
        runs: Runs<'_>,
    ) -> Result<Self, String> {
        let latency = match latency_of(compiled) {
            Cycles::Known(cycles) => match cycles.known().map(u128::try_from) {
                Some(Ok(cycles)) => Latency::Cycles(cycles),
                _ => Latency::NotCounted,
            },
            Cycles::Uncounted => Latency::NotCounted,
            Cycles::Varies => Latency::DataSets(measured_cycles(compiled, runs)?),
        };
        let loops = pipelined_loops(compiled);
        let estimate = compiled.estimate();
        let cells = estimate.as_ref().map(|of| Cells {
            lut: tenths(of.lut.value),
            ff: tenths(of.ff.value),
            dsp: tenths(of.dsp.value),
            bram: tenths(of.bram.value),
        });
        let fmax = estimate.as_ref().and_then(|of| of.fmax_mhz);
        let path = estimate.as_ref().and_then(|of| of.mapped.path.as_ref());
        let (_, circuit) = compiled.verilog.split_once('\n').unwrap_or_default();
        let items = items(
            &compiled.context,
            &compiled.circuit,
            &compiled.top,
            &compiled.device,
        );
        let mut lines: Vec<(u32, f64)> = by_line(&items)
            .into_iter()
            .filter(|(line, _)| *line > 0)
            .map(|(line, sum)| (line, sum.area.lut))
            .collect();
        lines.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(Self {
            entry: Entry {
                device: compiled.device.name.clone(),
                clock_period_ns: compiled.clock_period_ns,
                latency,
                loops: loops
                    .iter()
                    .map(|of| Interval {
                        name: of.name.clone(),
                        ii: of.ii,
                        because: of.culprit.clone(),
                    })
                    .collect(),
                cells: cells.unwrap_or_default(),
                fmax_mhz: fmax.map(|fmax| tenths(fmax.value)),
                longest_path: path.map(|(from, to)| format!("{from} -> {to}")),
                units: units(compiled),
                upstream,
                verilog: sha256(circuit),
            },
            loops,
            lines,
            file: file.to_owned(),
            is_cut: !compiled.config.tool_limits.watch.cuts().is_empty(),
        })
    }
}

/// The cycles of each data set, in the cycle simulation.
fn measured_cycles(compiled: &Compiled, runs: Runs<'_>) -> Result<Vec<u64>, String> {
    let cases = match runs {
        Runs::Cycles(cycles) => return Ok(cycles.to_vec()),
        Runs::Cases(read) => read()?,
    };
    let outcomes = simulate_all(compiled, &cases, &Manner::default(), &mut Unwatched);
    let outcomes = outcomes.map_err(|(number, why)| format!("data set {number}: {why}"))?;
    Ok(outcomes.iter().map(|outcome| outcome.cycles).collect())
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn sha256(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keys and values of a YAML text in one order, without comments and white space; the text itself where it is no YAML.
fn canonical(text: &str) -> String {
    let value = serde_yaml::from_str::<serde_yaml::Value>(text);
    value.map_or_else(|_| text.to_owned(), |value| canonical_value(&value))
}

fn canonical_value(value: &serde_yaml::Value) -> String {
    use serde_yaml::Value;
    match value {
        Value::Mapping(mapping) => {
            let mut entries: Vec<String> = mapping
                .iter()
                .map(|(key, value)| format!("{}:{}", canonical_value(key), canonical_value(value)))
                .collect();
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        Value::Sequence(items) => {
            let items: Vec<String> = items.iter().map(canonical_value).collect();
            format!("[{}]", items.join(","))
        }
        Value::String(text) => format!("{text:?}"),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::Tagged(tagged) => format!("{}{}", tagged.tag, canonical_value(&tagged.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_the_same_whatever_their_comments_and_order() {
        let one = canonical("# a\nloops: {i: {unroll: 2}}\ndevice: generic\n");
        let other = canonical("device: generic\nloops:\n  i:\n    unroll: 2\n");
        assert_eq!(one, other);
        assert_ne!(one, canonical("device: ecp5\nloops: {i: {unroll: 2}}\n"));
    }
}
