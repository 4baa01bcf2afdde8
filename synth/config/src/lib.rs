//! The configuration of a kernel: `kernel.yaml`. Unknown keys are errors that suggest the right one.

use std::collections::BTreeMap;

use serde_yaml::Mapping;
use sluice_ir::limits::Limits;
use sluice_oplib::device::{Device, MOST_CLOCK_PERIOD_NS, clock_period_ns};

mod choices;
mod coarse;
mod key;
mod keys;
mod loops;
mod memories;
mod reader;

use keys::KERNEL_KEYS;

pub use choices::{Buffers, Effort, Regions, Reorder, Reuse, ReuseChoice, Speculate, Style, Use};
pub use coarse::CoarsePlacing;
pub use key::{About, Applies, Shape};
pub use keys::{kernel_keys, page, schema, to_text};
pub use loops::LoopDirectives;
pub use loops::MOST_AHEAD;
pub use memories::{BankDirective, StorageDirective};
pub use reader::{ConfigError, render};
pub use reader::{Reader, excerpt_below};

/// The configuration of one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The function to compile; the last public one if not said.
    pub top: Option<String>,
    /// Device name.
    pub device: String,
    /// Clock period in ns; the device's own if not said.
    pub clock_period_ns: Option<f64>,
    /// Directives by the name of the induction variable, without `%`.
    pub loops: BTreeMap<String, LoopDirectives>,
    /// Number of units by operator class.
    pub limits: BTreeMap<String, u32>,
    /// Wall-clock limit of the exact scheduler in seconds, and of each programme for buffers; none keeps results independent of the machine.
    pub solver_time_limit_s: Option<f64>,
    /// Functions that stay instances of their own.
    pub keep: Vec<String>,
    /// Whether data paths are rewritten.
    pub rewrite: bool,
    /// Whether nests of loops become one pipelined loop.
    pub flatten: bool,
    /// Whether nests that tokens run stay as they are all the same: a choice that is made by data.
    pub nests_apart: bool,
    /// Around what buffers of an elastic circuit are placed; nothing was looked for yet.
    pub coarse_placing: Option<CoarsePlacing>,
    /// Splits of arrays by the name of the argument or of the local memory, without `%`.
    pub banks: BTreeMap<String, Vec<BankDirective>>,
    /// How memories are held, by the name of the local memory, the table, or its `memref.global`, without `%` or `@`.
    pub storage: BTreeMap<String, StorageDirective>,
    /// Whether copies of loops and banks are chosen so that the multipliers that `limits` allows are busy.
    pub parallel: bool,
    /// Whether loops are fused and interchanged where that takes fewer cycles.
    pub restructure: bool,
    /// What is kept of values that are used again.
    pub reuse: Reuse,
    /// Whether statements of nests get another order.
    pub reorder: Reorder,
    /// How much area counts beside cycles: of two ways the one is taken whose cycles times its cells to this power are fewer. At 0 only
    /// cycles count.
    pub area_weight: f64,
    /// When operations run.
    pub style: Style,
    /// Which loops of an elastic kernel a schedule runs.
    pub regions: Regions,
    /// Memory arguments of an elastic kernel that are streams, by name without `%`.
    pub streams: Vec<String>,
    /// Whether loops of an elastic kernel hand words on by queues, where these can take the place of a local memory.
    pub queues: bool,
    /// Whether rounds of `while` loops start ahead.
    pub speculate: Speculate,
    /// Which `while` loops run at every value of an index that goes on by a few.
    pub predict: Use,
    /// Which stores of an elastic kernel wait for their data in a queue, with which loads compare their addresses.
    pub lsq: Use,
    /// Slots of queues between loops, by the name of the local memory without `%`.
    pub depths: BTreeMap<String, u32>,
    /// How buffers of an elastic circuit are placed.
    pub buffers: Buffers,
    /// How much is tried for an elastic circuit.
    pub effort: Effort,
    /// Whether the buffers of a dataflow graph that is given as such stay.
    pub keep_buffers: bool,
    /// The text of a data file with what the kernel usually runs on, for choices that depend on data; random data without.
    pub profile: Option<String>,
    /// How much readers and passes take, and the watch over them.
    pub tool_limits: Limits,
}

/// Bits of a local memory that holds what is used again, if not said.
const REUSE_BITS: u64 = 32_768;

/// Cells count less than cycles, if nothing is said.
const AREA_WEIGHT: f64 = 0.45;

impl Default for Config {
    fn default() -> Self {
        Self {
            top: None,
            device: "generic".to_owned(),
            clock_period_ns: None,
            loops: BTreeMap::new(),
            limits: BTreeMap::new(),
            solver_time_limit_s: None,
            keep: Vec::new(),
            rewrite: true,
            flatten: true,
            nests_apart: false,
            coarse_placing: None,
            banks: BTreeMap::new(),
            storage: BTreeMap::new(),
            parallel: false,
            restructure: false,
            reuse: Reuse {
                choice: ReuseChoice::Auto,
                most_bits: REUSE_BITS,
            },
            reorder: Reorder::WhereFaster,
            area_weight: AREA_WEIGHT,
            style: Style::Static,
            regions: Regions::Said,
            streams: Vec::new(),
            queues: true,
            speculate: Speculate::WhereFaster,
            predict: Use::WhereFaster,
            lsq: Use::WhereFaster,
            depths: BTreeMap::new(),
            buffers: Buffers::Rules,
            effort: Effort::Normal,
            keep_buffers: true,
            profile: None,
            tool_limits: Limits::default(),
        }
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_yaml(text: &str, file: &str) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut config = Self::default();
        if let Some(mapping) = reader.mapping() {
            key::read(KERNEL_KEYS, &mut config, &mut reader, &mapping);
            let is_elastic = |wished: &LoopDirectives| wished.style == Some(Style::Elastic);
            if config.style == Style::Static && config.loops.values().any(is_elastic) {
                config.style = Style::Elastic;
                config.regions = Regions::Others;
            }
            if config.style == Style::Static {
                let elastic = KERNEL_KEYS.iter().map(|key| &key.about);
                for about in elastic.filter(|about| about.applies == Applies::ElasticOnly) {
                    let key = about.name;
                    // An empty list or mapping asks for nothing.
                    let is_set = mapping.get(key).is_some_and(|value| {
                        !value.as_sequence().is_some_and(Vec::is_empty)
                            && !value.as_mapping().is_some_and(Mapping::is_empty)
                    });
                    if is_set {
                        let message = format!("`{key}` is for elastic circuits: `style: elastic`");
                        reader.error(key, message);
                    }
                }
            }
            if config.parallel && !config.limits.contains_key("multiply") {
                reader.error(
                    "parallel",
                    "`parallel: auto` keeps a number of multipliers busy: say how many with `limits: {multiply: 16}`",
                );
            }
        }
        if reader.errors.is_empty() {
            Ok(config)
        } else {
            Err(reader.errors)
        }
    }

    /// Sets the device.
    ///
    /// # Errors
    /// Where no device has that name: which one is meant.
    pub fn set_device(&mut self, name: &str) -> Result<(), String> {
        self.device = Device::built_in(name).map_err(|why| why.to_string())?.name;
        Ok(())
    }

    /// Sets the clock period.
    ///
    /// # Errors
    /// What it is, where the value is no period.
    pub fn set_clock_period_ns(&mut self, value: f64) -> Result<(), String> {
        let period = clock_period_ns(value);
        let period = period
            .ok_or_else(|| format!("a number of ns above 0, up to {MOST_CLOCK_PERIOD_NS}"))?;
        self.clock_period_ns = Some(period);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
