//! Choices that a configuration makes by a word.

use serde_yaml::Value;

use super::Reader;
use super::key::Applies::All;
use super::key::{About, COUNT, Key, Shape};

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

/// How much is tried for an elastic circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// One form of the kernel, with buffers that keep the clock.
    Low,
    /// All forms it may have, with buffers that take the least time of those that are tried; of a graph of thousands of operations as low.
    #[default]
    Normal,
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
            default: "32768",
            unit: "bits",
            applies: All,
            meaning: "Size of one local memory at most.",
        },
        read: |reuse, reader, key, value| {
            if let Some(bits) = reader.count(key, value) {
                reuse.most_bits = u64::from(bits);
            }
        },
    },
];

/// When values are used again, as a configuration says it.
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
