//! The configuration of a kernel, read from `kernel.yaml`. Unknown keys are errors that suggest the right one.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_yaml::Mapping;
use sluice_dialects::names::{is_reserved, legal};
use sluice_ir::limits::Limits;
use sluice_oplib::device::{Device, MAX_CLOCK_PERIOD_NS, clock_period_ns};
use sluice_oplib::error::UnknownDevice;

mod array_sizes;
mod choices;
mod coarse;
mod device_file;
mod entries;
mod key;
mod keys;
mod loops;
mod memories;
mod places;
mod reader;

use keys::KERNEL_KEYS;

pub use array_sizes::{ArraySizes, SizeWish};
pub use choices::{Buffers, Effort, Regions, Reorder, Reuse, ReuseChoice, Speculate, Style, Use};
pub use coarse::CoarsePlacing;
pub use device_file::{is_path, read_device};
pub use entries::Part;
pub use key::{About, Applies, Shape};
pub use keys::{kernel_keys, page, schema, to_text};
pub use loops::LoopDirectives;
pub use loops::MAX_AHEAD;
pub use memories::{BankDirective, StorageDirective};
pub use places::{Step, nearest_place, place_of};
pub use reader::{ConfigError, render};
pub use reader::{Files, Reader, excerpt_below};

/// The configuration of one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The function to compile; by default the last public one.
    pub top: Option<String>,
    /// Device name.
    pub device: String,
    /// The device, where it was read from a file and is none of those that are built in.
    pub given_device: Option<Arc<Device>>,
    /// Prefix of the names of the modules below the top; by default the name of the top.
    pub prefix: Option<String>,
    /// Bits of the ports of `index` arguments; 64 if not said, which is a warning.
    pub index_width_bits: Option<u32>,
    /// Sizes of array arguments with open dimensions, by the name of the argument without `%`.
    pub sizes: BTreeMap<String, ArraySizes>,
    /// Clock period in ns; by default that of the device.
    pub clock_period_ns: Option<f64>,
    /// Directives by the name of the induction variable, without `%`.
    pub loops: BTreeMap<String, LoopDirectives>,
    /// Number of units by operator class.
    pub limits: BTreeMap<String, u32>,
    /// True if sums and products of floats may be formed in another order than that of the source.
    pub reassociate_floats: bool,
    /// Wall-clock limit in seconds of the exact scheduler, and of each integer program for buffers. Without it, results do not
    /// depend on the machine.
    pub solver_time_limit_s: Option<f64>,
    /// Functions that stay separate instances.
    pub keep: Vec<String>,
    /// Rewrite data paths.
    pub rewrite: bool,
    /// Flatten nests of loops into one pipelined loop.
    pub flatten: bool,
    /// Do not flatten nests of an elastic circuit, even with `flatten`; a choice sets this after comparing both on data.
    pub nests_apart: bool,
    /// The result of a first buffer search of an elastic circuit; `None` before that search.
    pub coarse_placing: Option<CoarsePlacing>,
    /// Partitions of arrays into banks, by the name of the argument or of the local memory, without `%`.
    pub banks: BTreeMap<String, Vec<BankDirective>>,
    /// Storage of memories, by the name of the local memory, the table, or its `memref.global`, without `%` or `@`.
    pub storage: BTreeMap<String, StorageDirective>,
    /// Choose copies of loops and banks that keep the multipliers allowed by `limits` busy.
    pub parallel: bool,
    /// Fuse and interchange loops if that takes fewer cycles.
    pub restructure: bool,
    /// Options of data reuse.
    pub reuse: Reuse,
    /// When statements of nests are reordered.
    pub reorder: Reorder,
    /// Weight of area in the objective: cycles x cells^weight. 0 optimises cycles alone.
    pub area_weight: f64,
    /// Static schedule or elastic circuit.
    pub style: Style,
    /// The loops of an elastic kernel that get a static schedule.
    pub regions: Regions,
    /// Memory arguments of an elastic kernel that are streams, by name without `%`.
    pub streams: Vec<String>,
    /// Let loops of an elastic kernel pass words through FIFOs that replace local memories.
    pub queues: bool,
    /// When `while` loops start iterations speculatively.
    pub speculate: Speculate,
    /// The `while` loops that run at every value of an index with small increments.
    pub predict: Use,
    /// The stores of an elastic kernel that use a load-store queue: they wait there for their data, and loads compare their
    /// addresses with those of the stores.
    pub lsq: Use,
    /// Slots of FIFOs between loops, by the name of the local memory without `%`.
    pub depths: BTreeMap<String, u32>,
    /// How buffers of an elastic circuit are placed.
    pub buffers: Buffers,
    /// Effort of the search for an elastic circuit.
    pub effort: Effort,
    /// Keep the buffers of a dataflow graph that is the input.
    pub keep_buffers: bool,
    /// The text of a data file with typical inputs of the kernel, for choices that depend on data; without it, random data.
    pub profile: Option<String>,
    /// Limits of readers and passes, and the time limit.
    pub tool_limits: Limits,
}

/// Default weight of area: cells count less than cycles.
const AREA_WEIGHT: f64 = 0.45;

impl Default for Config {
    fn default() -> Self {
        Self {
            top: None,
            device: "generic".to_owned(),
            given_device: None,
            prefix: None,
            index_width_bits: None,
            sizes: BTreeMap::new(),
            clock_period_ns: None,
            loops: BTreeMap::new(),
            limits: BTreeMap::new(),
            reassociate_floats: false,
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
                most_bits: None,
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

/// Classes of units that multiply, which `parallel: auto` keeps busy; a kernel has products of integers or of floats.
pub const MULTIPLIERS: [&str; 3] = ["multiply", "float_mul", "float_fma"];

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// Every error of the text.
    pub fn from_yaml(text: &str, file: &str) -> Result<Self, Vec<ConfigError>> {
        Self::with_files(text, file, &mut |_| {
            Err("files are not read here".to_owned())
        })
    }

    /// Reads a configuration; `files` gives the texts of the files that it names, by their paths.
    ///
    /// # Errors
    /// Everything that is wrong with it, and with these files.
    pub fn with_files(text: &str, file: &str, files: Files<'_>) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file).with_files(files);
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
                    // An empty list or mapping has no effect.
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
            let has_limit = |class: &&str| config.limits.contains_key(*class);
            if config.parallel && !MULTIPLIERS.iter().any(has_limit) {
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
    /// An unknown device name, with a suggestion.
    pub fn set_device(&mut self, name: &str) -> Result<(), String> {
        self.device = Device::built_in(name).map_err(|why| why.to_string())?.name;
        self.given_device = None;
        Ok(())
    }

    /// Sets a device that was read from a file. One that is equal to a built-in device is that one.
    pub fn give_device(&mut self, device: Device) {
        self.device.clone_from(&device.name);
        let is_built_in = Device::built_in(&device.name).is_ok_and(|known| known == device);
        self.given_device = (!is_built_in).then(|| Arc::new(device));
    }

    /// The device.
    ///
    /// # Errors
    /// None has the name.
    pub fn device(&self) -> Result<Device, UnknownDevice> {
        match &self.given_device {
            Some(device) => Ok(Device::clone(device)),
            None => Device::built_in(&self.device),
        }
    }

    /// Sets what the names of the modules below the top begin with.
    ///
    /// # Errors
    /// What it is, where the text cannot begin a name.
    pub fn set_prefix(&mut self, prefix: &str) -> Result<(), String> {
        if legal(prefix) != prefix || is_reserved(prefix) {
            return Err(format!(
                "a name in Verilog: letters, digits and underscores, no digit at its start, no reserved word; `{prefix}` is none"
            ));
        }
        self.prefix = Some(prefix.to_owned());
        Ok(())
    }

    /// Sets the clock period.
    ///
    /// # Errors
    /// An invalid value, with a description of valid ones.
    pub fn set_clock_period_ns(&mut self, value: f64) -> Result<(), String> {
        let period = clock_period_ns(value);
        let period =
            period.ok_or_else(|| format!("a number of ns above 0, up to {MAX_CLOCK_PERIOD_NS}"))?;
        self.clock_period_ns = Some(period);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
