//! The configuration of a kernel: `kernel.yaml`. Unknown keys are errors that suggest the right one.

use std::collections::BTreeMap;

use serde_yaml::Value;
use sluice_ir::limits::Limits;
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::{MOST_CLOCK_PERIOD_NS, clock_period_ns};

mod choices;
mod coarse;
mod loops;
mod memories;
mod reader;

use choices::reuse_choice;
use loops::{loop_directives, rounds_ahead};
use memories::{bank_directives, storage_directive};

pub use choices::{Buffers, Effort, Regions, Reorder, Reuse, ReuseChoice, Speculate, Style, Use};
pub use coarse::CoarsePlacing;
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

const KEYS: &[&str] = &[
    "top",
    "device",
    "clock_period_ns",
    "loops",
    "limits",
    "solver",
    "keep",
    "rewrite",
    "flatten",
    "banks",
    "storage",
    "parallel",
    "reuse",
    "reorder",
    "area_weight",
    "style",
    "streams",
    "queues",
    "speculate",
    "predict",
    "lsq",
    "depths",
    "buffers",
    "effort",
    "keep_buffers",
    "tool_limits",
];

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_yaml(text: &str, file: &str) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut config = Self::default();
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(&mapping, KEYS);
            for (key, value) in &mapping {
                config.entry(&mut reader, key.as_str().unwrap_or_default(), value);
            }
            let is_elastic = |wished: &LoopDirectives| wished.style == Some(Style::Elastic);
            if config.style == Style::Static && config.loops.values().any(is_elastic) {
                config.style = Style::Elastic;
                config.regions = Regions::Others;
            }
            if config.style == Style::Static {
                for (key, is_set) in [
                    ("streams", !config.streams.is_empty()),
                    ("depths", !config.depths.is_empty()),
                    ("buffers", mapping.contains_key("buffers")),
                    ("effort", mapping.contains_key("effort")),
                ] {
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

    fn entry(&mut self, reader: &mut Reader<'_>, key: &str, value: &Value) {
        match key {
            "top" => self.top = reader.text(key, value),
            "device" => {
                if let Some(device) = reader.text(key, value) {
                    self.device = device;
                }
            }
            "clock_period_ns" => {
                let set = self.set_clock_period_ns(value.as_f64().unwrap_or(f64::NAN));
                if let Err(why) = set {
                    reader.error(key, format!("`{key}` is {why}"));
                }
            }
            "tool_limits" => self.read_tool_limits(reader, value),
            "flatten" => match value.as_bool() {
                Some(flatten) => self.flatten = flatten,
                None => reader.error(key, "`flatten` is true or false"),
            },
            "rewrite" => match value.as_bool() {
                Some(rewrite) => self.rewrite = rewrite,
                None => reader.error(key, "`rewrite` is true or false"),
            },
            "reorder" => match (value.as_bool(), value.as_u64()) {
                (Some(true), _) => self.reorder = Reorder::WhereFaster,
                (Some(false), _) => self.reorder = Reorder::Never,
                (None, Some(number)) => self.reorder = Reorder::Legal(number),
                (None, None) => reader.error(
                    key,
                    "`reorder` is true or false, or the number of a legal order to be taken in any case",
                ),
            },
            "area_weight" => match value.as_f64().filter(|weight| (0.0..=MOST_WEIGHT).contains(weight)) {
                Some(weight) => self.area_weight = weight,
                None => reader.error(
                    key,
                    format!("`area_weight` is a number from 0, where only cycles count, to {MOST_WEIGHT}; at 1 cycles and cells count alike"),
                ),
            },
            "style" => match value.as_str() {
                Some("static") => self.style = Style::Static,
                Some("elastic") => self.style = Style::Elastic,
                Some("auto") => self.style = Style::Auto,
                _ => reader.error(
                    key,
                    "`style` is `static`, at times that a schedule fixes, `elastic`, as soon as operands are there, or `auto`, whichever is faster",
                ),
            },
            "streams" => match value.as_sequence() {
                Some(names) => {
                    let names = names.iter().filter_map(|name| reader.text(key, name));
                    let names = names.collect::<Vec<_>>().into_iter();
                    self.streams = names
                        .map(|name| name.trim_start_matches('%').to_owned())
                        .collect();
                }
                None => reader.error(
                    key,
                    "`streams` is a list of memory arguments whose words come or go one by one, in their order",
                ),
            },
            "queues" => match value.as_bool() {
                Some(queues) => self.queues = queues,
                None => reader.error(
                    key,
                    "`queues` is true, so that loops hand words on by queues where they can, or false, for memories",
                ),
            },
            "keep_buffers" => match value.as_bool() {
                Some(keep_buffers) => self.keep_buffers = keep_buffers,
                None => reader.error(
                    key,
                    "`keep_buffers` is true, so that the buffers of a `handshake` graph stay where they are, or false, so that others are placed",
                ),
            },
            "speculate" => match (value.as_bool(), rounds_ahead(value)) {
                (Some(true), _) => self.speculate = Speculate::WhereFaster,
                (Some(false), _) => self.speculate = Speculate::Never,
                (None, Some(rounds)) => self.speculate = Speculate::Everywhere(rounds),
                (None, None) => reader.error(
                    key,
                    format!("`speculate` is true, so that `while` loops start rounds ahead where that takes less time, false, or the number of rounds for all of them, 0 to {MOST_AHEAD}"),
                ),
            },
            "predict" => match Use::read(value) {
                Some(predict) => self.predict = predict,
                None => reader.error(
                    key,
                    "`predict` is true, so that `while` loops whose index goes on by a few run at every value of it where that takes less time, false, or `everywhere`",
                ),
            },
            "lsq" => match Use::read(value) {
                Some(lsq) => self.lsq = lsq,
                None => reader.error(
                    key,
                    "`lsq` is true, so that loads of an elastic kernel pass stores that wait for their data where that takes less time, false, or `everywhere`",
                ),
            },
            "buffers" => match value.as_str() {
                Some("rules") => self.buffers = Buffers::Rules,
                Some("exact") => self.buffers = Buffers::Exact,
                _ => reader.error(
                    key,
                    "`buffers` is `rules`, which are quick, or `exact`, by an integer programme with a proof of how good it is",
                ),
            },
            "effort" => match value.as_str() {
                Some("low") => self.effort = Effort::Low,
                Some("normal") => self.effort = Effort::Normal,
                _ => reader.error(
                    key,
                    "`effort` is `normal`, or `low`, so that one form of an elastic circuit is tried, with few ways to place buffers",
                ),
            },
            "depths" => match value.as_mapping() {
                Some(depths) => {
                    for (name, depth) in depths {
                        let name = name.as_str().unwrap_or_default();
                        if let Some(depth) = reader.count(name, depth) {
                            let name = name.trim_start_matches('%').to_owned();
                            self.depths.insert(name, depth);
                        }
                    }
                }
                None => reader.error(
                    key,
                    "`depths` maps names of local memories that are queues to numbers of slots",
                ),
            },
            "keep" => match value.as_sequence() {
                Some(names) => {
                    self.keep = names.iter().filter_map(|n| reader.text(key, n)).collect()
                }
                None => reader.error(key, "`keep` is a list of function names"),
            },
            "limits" => match value.as_mapping() {
                Some(limits) => {
                    let all = OperatorClass::ALL.iter();
                    let (shared, cheap): (Vec<&OperatorClass>, Vec<&OperatorClass>) =
                        all.partition(|class| class.is_worth_sharing());
                    let shared: Vec<&str> = shared.iter().map(|class| class.name()).collect();
                    for class in cheap
                        .iter()
                        .filter(|class| limits.contains_key(class.name()))
                    {
                        let message = format!(
                            "`{}` units are never shared, choosing their operands would cost more; what can be limited: {}",
                            class.name(),
                            shared.join(", ")
                        );
                        reader.error(class.name(), message);
                    }
                    let known: Vec<&str> = shared
                        .iter()
                        .copied()
                        .chain(cheap.iter().map(|class| class.name()))
                        .collect();
                    reader.unknown_keys(limits, &known);
                    for (class, count) in limits {
                        let class = class.as_str().unwrap_or_default();
                        if let Some(count) = reader.count(class, count) {
                            self.limits.insert(class.to_owned(), count);
                        }
                    }
                }
                None => reader.error(key, "`limits` maps operator classes to numbers of units"),
            },
            "parallel" => match value.as_str() {
                Some("auto") => self.parallel = true,
                _ => reader.error(
                    key,
                    "`parallel` is `auto`; leave it out for loops and arrays as they are written",
                ),
            },
            "reuse" => match value.as_mapping() {
                Some(reuse) => {
                    reader.unknown_keys(reuse, &["choose", "most_bits"]);
                    for (key, value) in reuse {
                        match key.as_str().unwrap_or_default() {
                            "choose" => self.reuse.choice = reuse_choice(reader, "choose", value),
                            "most_bits" => {
                                if let Some(bits) = reader.count("most_bits", value) {
                                    self.reuse.most_bits = u64::from(bits);
                                }
                            }
                            _ => {}
                        }
                    }
                }
                None => self.reuse.choice = reuse_choice(reader, key, value),
            },
            "banks" => match value.as_mapping() {
                Some(arrays) => {
                    for (name, wishes) in arrays {
                        let name = name.as_str().unwrap_or_default().trim_start_matches('%');
                        let wishes = bank_directives(reader, name, wishes);
                        self.banks.insert(name.to_owned(), wishes);
                    }
                }
                None => reader.error(
                    key,
                    "`banks` maps names of arrays to splits, for example `A: {dim: 0, factor: 4, kind: cyclic}`",
                ),
            },
            "storage" => match value.as_mapping() {
                Some(memories) => {
                    for (name, wish) in memories {
                        let name = name.as_str().unwrap_or_default();
                        let name = name.trim_start_matches(['%', '@']);
                        if let Some(wish) = storage_directive(reader, name, wish) {
                            self.storage.insert(name.to_owned(), wish);
                        }
                    }
                }
                None => reader.error(
                    key,
                    "`storage` maps names of local memories and tables to kinds, for example `buf: lut_ram`",
                ),
            },
            "solver" => match value.as_mapping() {
                Some(solver) => {
                    reader.unknown_keys(solver, &["time_limit_s"]);
                    for (key, value) in solver {
                        if key.as_str() == Some("time_limit_s") {
                            self.solver_time_limit_s = reader.number("time_limit_s", value);
                        }
                    }
                }
                None => reader.error(key, "`solver` is a mapping with `time_limit_s`"),
            },
            "loops" if value.as_str() == Some("auto") => self.restructure = true,
            "loops" => match value.as_mapping() {
                Some(loops) => {
                    for (name, directives) in loops {
                        let name = name.as_str().unwrap_or_default().trim_start_matches('%');
                        let directives = loop_directives(reader, name, directives);
                        self.loops.insert(name.to_owned(), directives);
                    }
                }
                None => reader.error(
                    key,
                    "`loops` maps names of induction variables to directives, or is `auto`",
                ),
            },
            _ => {}
        }
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

    fn read_tool_limits(&mut self, reader: &mut Reader<'_>, value: &Value) {
        let Some(limits) = value.as_mapping() else {
            let message = "`tool_limits` maps limits to numbers: `sluice limits` lists them";
            return reader.error("tool_limits", message);
        };
        for (name, value) in limits {
            let name = name.as_str().unwrap_or_default();
            let set = match value.as_u64() {
                Some(value) => self.tool_limits.set(name, value),
                None => Err(format!("`{name}` is a whole number")),
            };
            if let Err(why) = set {
                reader.error(name, why);
            }
        }
    }
}

/// Largest weight of area: far above it cycles no longer count.
const MOST_WEIGHT: f64 = 16.0;

#[cfg(test)]
mod tests;
