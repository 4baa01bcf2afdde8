//! Configuration values that select one of several named alternatives.

use serde_yaml::Value;

use super::Reader;
use super::key::Applies::All;
use super::key::{About, COUNT, Key, Shape};

/// When values that were read or written before are kept in registers and local memories, so that reads need no port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReuseChoice {
    /// Never.
    Off,
    /// If that saves a good share of the cycles.
    Auto,
    /// If that saves at least one cycle.
    Always,
}

/// Options of data reuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// When values are kept for reuse.
    pub choice: ReuseChoice,
    /// Maximum number of bits of one local memory; `None` if the device decides.
    pub most_bits: Option<u64>,
}

/// When the statements of nests without directives are reordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reorder {
    /// They stay as they are.
    Never,
    /// If the kernel then takes fewer cycles.
    #[default]
    WhereFaster,
    /// One of the legal orders, faster or not, by its number modulo their count; for tests.
    Legal(u64),
}

/// When `while` loops start iterations speculatively, before the exit condition is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Speculate {
    /// Only in loops with a directive.
    Never,
    /// If the kernel then takes less time.
    #[default]
    WhereFaster,
    /// With these numbers of speculative iterations, one for each loop that can speculate, in text order.
    Ahead(Vec<u32>),
    /// With this number of speculative iterations in every loop that can speculate, faster or not; for tests.
    Everywhere(u32),
}

/// How start times of operations are determined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// By a static schedule.
    #[default]
    Static,
    /// By the arrival of operands at run time: an elastic circuit.
    Elastic,
    /// By whichever of the two takes less time on the available data.
    Auto,
}

/// The loops of an elastic kernel that get a static schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regions {
    /// Those with a directive.
    #[default]
    Said,
    /// Also those whose iterations only depend on counters, if the kernel has others too.
    Regular,
    /// All except those with a directive to stay elastic.
    Others,
}

/// How buffers of an elastic circuit are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buffers {
    /// By rules.
    #[default]
    Rules,
    /// By a mixed integer linear program.
    Exact,
}

/// Effort of the search for an elastic circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// One form of the kernel, with buffers that meet the clock.
    Low,
    /// All forms of the kernel, with the fastest of the tried buffer placements. Graphs of thousands of operations get low
    /// effort.
    #[default]
    Normal,
}

/// When a transformation is applied that may or may not save time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Nowhere.
    Never,
    /// Where it is possible, if that takes less time on the available data.
    WhereFaster,
    /// Where it is possible.
    Everywhere,
}

impl Use {
    pub(super) fn read(value: &Value) -> Option<Self> {
        match (value.as_bool(), value.as_str()) {
            (Some(true), _) => Some(Self::WhereFaster),
            (Some(false), _) => Some(Self::Never),
            (None, Some("everywhere")) => Some(Self::Everywhere),
            _ => None,
        }
    }
}

/// The keys of `reuse`.
pub(super) const REUSE_KEYS: &[Key<Reuse>] = &[
    Key {
        about: About {
            name: "choose",
            shape: Shape::Words(&["off", "auto", "always"]),
            default: "auto",
            unit: "",
            applies: All,
            meaning: "Never, where that saves a good share of the cycles, or wherever it saves a cycle.",
        },
        read: |reuse, reader, key, value| reuse.choice = reuse_choice(reader, key, value),
    },
    Key {
        about: About {
            name: "most_bits",
            shape: COUNT,
            default: "",
            unit: "bits",
            applies: All,
            meaning: "Size of one local memory at most. The device allows a sixteenth of its block memories, and 32768 bits for a \
                      copy of a whole array.",
        },
        read: |reuse, reader, key, value| {
            if let Some(bits) = reader.count(key, value) {
                reuse.most_bits = Some(u64::from(bits));
            }
        },
    },
];

/// Reads the choice when values are reused.
pub(super) fn reuse_choice(reader: &mut Reader<'_>, key: &str, value: &Value) -> ReuseChoice {
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
