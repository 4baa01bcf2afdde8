//! The configuration of a kernel: `kernel.yaml`. Unknown keys are errors that suggest the right one.

use std::collections::BTreeMap;

use serde_yaml::Value;
use sluice_oplib::class::OperatorClass;

mod coarse;
mod loops;
mod memories;
mod reader;

pub use coarse::CoarsePlacing;
pub use loops::LoopDirectives;
pub(crate) use loops::MOST_AHEAD;
use loops::{loop_directives, rounds_ahead};
pub use memories::{BankDirective, StorageDirective};
use memories::{bank_directives, storage_directive};
pub(crate) use reader::Reader;
pub use reader::{ConfigError, render};

/// Whether values that were read or written before are kept in registers and local memories, so that reads need no port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReuseChoice {
    /// Never.
    Off,
    /// Where that saves a good share of the cycles.
    Auto,
    /// Wherever it saves a cycle.
    Always,
}

/// What is kept of values that are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// When.
    pub choice: ReuseChoice,
    /// Bits of one local memory at most.
    pub most_bits: u64,
}

/// Bits of a local memory that holds what is used again, if not said.
const REUSE_BITS: u64 = 32_768;

/// Whether statements of nests without directives get another order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reorder {
    /// They stay as they are.
    Never,
    /// Where the kernel takes fewer cycles then.
    #[default]
    WhereFaster,
    /// The order with this number, counted around, of all that are legal, faster or not: for tests.
    Legal(u64),
}

/// Whether `while` loops start rounds before they know whether these are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Speculate {
    /// Where it is asked for alone.
    Never,
    /// Where the kernel takes less time then.
    #[default]
    WhereFaster,
    /// So many rounds ahead, for each loop that can, in text order.
    Ahead(Vec<u32>),
    /// So many rounds ahead in every loop that can, faster or not: for tests.
    Everywhere(u32),
}

/// When operations run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// At times that a schedule fixes.
    #[default]
    Static,
    /// As soon as their operands are there: an elastic circuit.
    Elastic,
    /// Whichever of the two takes less time for the data at hand.
    Auto,
}

/// Which loops of an elastic kernel a schedule runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regions {
    /// Those that are said.
    #[default]
    Said,
    /// Those too whose iterations follow from counters, beside others.
    Regular,
    /// All but those for which tokens are said.
    Others,
}

/// How buffers of an elastic circuit are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buffers {
    /// By rules.
    #[default]
    Rules,
    /// By a mixed integer programme.
    Exact,
}

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
    /// Whether the buffers of a dataflow graph that is given as such stay.
    pub keep_buffers: bool,
    /// The text of a data file with what the kernel usually runs on, for choices that depend on data; random data without.
    pub profile: Option<String>,
}

/// Where something is done that may take more time, or less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Nowhere.
    Never,
    /// Where it can be, if that takes less time on the data at hand.
    WhereFaster,
    /// Where it can be.
    Everywhere,
}

impl Use {
    fn read(value: &Value) -> Option<Self> {
        match (value.as_bool(), value.as_str()) {
            (Some(true), _) => Some(Self::WhereFaster),
            (Some(false), _) => Some(Self::Never),
            (None, Some("everywhere")) => Some(Self::Everywhere),
            _ => None,
        }
    }
}

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
            keep_buffers: true,
            profile: None,
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
    "keep_buffers",
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
            "clock_period_ns" => self.clock_period_ns = reader.number(key, value),
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
}

/// Largest weight of area: far above it cycles no longer count.
const MOST_WEIGHT: f64 = 16.0;

fn reuse_choice(reader: &mut Reader<'_>, key: &str, value: &Value) -> ReuseChoice {
    match (value.as_str(), value.as_bool()) {
        (Some("off"), _) | (_, Some(false)) => ReuseChoice::Off,
        (Some("always"), _) => ReuseChoice::Always,
        (Some("auto"), _) => ReuseChoice::Auto,
        _ => {
            let message = format!(
                "`{key}` is `off`, `auto` or `always`; `reuse: {{choose: auto, most_bits: 32768}}` also limits the bits of a local memory"
            );
            reader.error(key, message);
            ReuseChoice::Auto
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, Reorder, ReuseChoice};

    #[test]
    fn unknown_keys_suggest_the_right_one() {
        let errors = Config::from_yaml(
            "clock_perod_ns: 5\nloops:\n  k: {unrol: 2}\n",
            "kernel.yaml",
        )
        .expect_err("both keys are misspelt");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:1:1: error: unknown key `clock_perod_ns`; did you mean `clock_period_ns`?",
                "kernel.yaml:3:7: error: unknown key `unrol`; did you mean `unroll`?",
            ]
        );
    }

    #[test]
    fn loops_are_restructured_as_asked() {
        let text = "loops:\n  i: {interchange: [k, '%i'], tile: 4, fuse: true}\n  k: {peel_first: 1, peel_last: 2, distribute: false}\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert!(!config.restructure);
        assert_eq!(config.loops["i"].interchange, ["k", "i"]);
        assert_eq!(
            (config.loops["i"].tile, config.loops["i"].fuse),
            (Some(4), Some(true))
        );
        assert_eq!(config.loops["k"].peel_last, Some(2));
        let config = Config::from_yaml("loops: auto\n", "kernel.yaml").expect("it is valid");
        assert!(config.restructure && config.loops.is_empty());
        let text = "reorder: false\nloops:\n  i: {reorder: [k 1 i, '=']}\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert_eq!(config.reorder, Reorder::Never);
        assert_eq!(config.loops["i"].reorder, ["k 1 i", "="]);
        let text = "loops:\n  i: {interchange: j, tile: 0}\n";
        let errors = Config::from_yaml(text, "kernel.yaml").expect_err("both are wrong");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:2:7: error: `interchange` is a list of the loops of the nest, outermost first, as `[j, i]`",
                "kernel.yaml:2:23: error: `tile` is a whole number above 0",
            ]
        );
    }

    #[test]
    fn reuse_is_a_word_or_has_a_limit() {
        let read = |text: &str| Config::from_yaml(text, "kernel.yaml").map(|config| config.reuse);
        let bits = |choice, most_bits| Ok(super::Reuse { choice, most_bits });
        assert_eq!(read("reuse: off\n"), bits(ReuseChoice::Off, 32_768));
        assert_eq!(read("reuse: always\n"), bits(ReuseChoice::Always, 32_768));
        let text = "reuse: {choose: always, most_bits: 512}\n";
        assert_eq!(read(text), bits(ReuseChoice::Always, 512));
        let errors = read("reuse: {chose: off, most_bits: no}\n").expect_err("both are wrong");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:1:9: error: unknown key `chose`; did you mean `choose`?",
                "kernel.yaml:1:21: error: `most_bits` is a whole number above 0",
            ]
        );
        let errors = read("reuse: maybe\n").expect_err("it is no choice");
        let message = "`reuse` is `off`, `auto` or `always`; `reuse: {choose: auto, most_bits: 32768}` also limits the bits of a local memory";
        assert_eq!(errors[0].message, message);
    }

    #[test]
    fn a_configuration_is_read() {
        let text = "device: ecp5\nclock_period_ns: 8\nlimits: {multiply: 1}\nloops: {k: {ii: 2, pipeline: true}}\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert_eq!(config.device, "ecp5");
        assert_eq!(config.clock_period_ns, Some(8.0));
        assert_eq!(config.limits["multiply"], 1);
        assert_eq!(config.loops["k"].ii, Some(2));
    }

    #[test]
    fn area_has_a_weight() {
        let read = |text: &str| Config::from_yaml(text, "kernel.yaml").map(|c| c.area_weight);
        assert_eq!(read("area_weight: 0\n"), Ok(0.0));
        assert_eq!(read("area_weight: 0.5\n"), Ok(0.5));
        for wrong in ["-1", "some", "17", ".nan"] {
            let errors = read(&format!("area_weight: {wrong}\n")).expect_err("it is no weight");
            assert_eq!(
                errors[0].to_string(),
                "kernel.yaml:1:1: error: `area_weight` is a number from 0, where only cycles count, to 16; at 1 cycles and cells count alike"
            );
        }
    }

    #[test]
    fn storage_is_a_kind_or_has_ports() {
        let text = "storage:\n  buf: lut_ram\n  '%t': {kind: rom, reads: 2}\n  h: {kind: block_ram, ports: true_dual}\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert_eq!(config.storage["buf"].kind, "lut_ram");
        assert_eq!(config.storage["t"].reads, Some(2));
        assert_eq!(config.storage["h"].ports.as_deref(), Some("true_dual"));
        let text = "storage:\n  buf: lutram\n  a: {kind: registers, reads: 2}\n  b: {kind: lut_ram, ports: true_dual}\n  c: {kind: block_ram, ports: both}\n  d: {reads: 2}\n";
        let errors = Config::from_yaml(text, "kernel.yaml").expect_err("all are wrong");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:2:3: error: no kind of memory is called `lutram`; did you mean `lut_ram`?; there are registers, lut_ram, block_ram, rom",
                "kernel.yaml:3:24: error: `registers` have a port for each access: leave `reads` out",
                "kernel.yaml:4:22: error: `ports` is for `block_ram`; `lut_ram` takes `reads: 2` for two read ports",
                "kernel.yaml:5:24: error: `ports` is `simple_dual` or `true_dual`",
                "kernel.yaml:6:3: error: `d` needs a `kind`: registers, lut_ram, block_ram, rom",
            ]
        );
    }

    #[test]
    fn streams_and_depths_are_of_elastic_circuits() {
        let text = "style: elastic\nstreams: ['%x', y]\nqueues: false\ndepths: {'%t': 4}\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert_eq!(config.streams, ["x", "y"]);
        assert!(!config.queues);
        assert_eq!(config.depths["t"], 4);
        let text = "streams: x\nqueues: 2\ndepths: {t: 0, u: 1}\n";
        let errors = Config::from_yaml(text, "kernel.yaml").expect_err("all are wrong");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:1:1: error: `streams` is a list of memory arguments whose words come or go one by one, in their order",
                "kernel.yaml:2:1: error: `queues` is true, so that loops hand words on by queues where they can, or false, for memories",
                "kernel.yaml:3:10: error: `t` is a whole number above 0",
                "kernel.yaml:3:1: error: `depths` is for elastic circuits: `style: elastic`",
            ]
        );
    }

    #[test]
    fn buffers_are_of_elastic_circuits() {
        let read = |text: &str| Config::from_yaml(text, "kernel.yaml").map(|c| c.buffers);
        assert_eq!(
            read("style: elastic\nbuffers: exact\n"),
            Ok(super::Buffers::Exact)
        );
        assert_eq!(read("style: elastic\n"), Ok(super::Buffers::Rules));
        for (text, message) in [
            (
                "style: elastic\nbuffers: foo\n",
                "kernel.yaml:2:1: error: `buffers` is `rules`, which are quick, or `exact`, by an integer programme with a proof of how good it is",
            ),
            (
                "buffers: exact\n",
                "kernel.yaml:1:1: error: `buffers` is for elastic circuits: `style: elastic`",
            ),
        ] {
            let errors = read(text).expect_err("it is wrong");
            assert_eq!(errors[0].to_string(), message);
        }
    }

    #[test]
    fn banks_are_one_split_or_a_list() {
        let text = "banks:\n  A: {dim: 1, factor: 4}\n  B: [{dim: 0, factor: 2, kind: block}, {dim: 1, kind: complete}]\n";
        let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
        assert_eq!(config.banks["A"].len(), 1);
        assert_eq!(config.banks["B"][1].kind.as_deref(), Some("complete"));
        let errors = Config::from_yaml(
            "parallel: auto\nbanks:\n  A: {dim: 1, factor: 0}\n",
            "kernel.yaml",
        )
        .expect_err("no banks, and no number of multipliers");
        let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "kernel.yaml:3:15: error: `factor` is a whole number above 0",
                "kernel.yaml:1:1: error: `parallel: auto` keeps a number of multipliers busy: say how many with `limits: {multiply: 16}`",
            ]
        );
    }
}
