//! What a key of a configuration is: what a user reads about it, which values it takes, how it is read.

use serde_yaml::{Mapping, Value};

use crate::reader::Reader;

/// What a user reads about a key.
pub struct About {
    /// The word before the colon.
    pub name: &'static str,
    /// Which values it takes.
    pub shape: Shape,
    /// The value, as YAML, that has the same effect as leaving the key out; empty where no value has.
    pub default: &'static str,
    /// Unit of the value; empty for words, mappings and numbers without one.
    pub unit: &'static str,
    /// Which circuits it is for.
    pub applies: Applies,
    /// One sentence, with a capital letter and a full stop.
    pub meaning: &'static str,
}

/// Which circuits a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// All of them.
    All,
    /// Those with a schedule: `style: static`, and loops that a schedule runs.
    Static,
    /// Elastic ones: `style: elastic` or `auto`; without effect on others.
    Elastic,
    /// Elastic ones; an error with `style: static`.
    ElasticOnly,
    /// Graphs of the dialect `handshake` that are given as such.
    Graphs,
}

impl Applies {
    /// As the page says it.
    pub fn text(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Static => "static",
            Self::Elastic | Self::ElasticOnly => "elastic",
            Self::Graphs => "given graphs",
        }
    }
}

/// Which values a key takes.
pub enum Shape {
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of words that another table holds.
    WordsOf(fn() -> Vec<&'static str>),
    /// A number above the first, up to the second.
    Above(f64, f64),
    /// A number from the first up to the second.
    Number(f64, f64),
    /// A whole number from the first up to the second.
    Whole(u64, u64),
    /// A list.
    List(&'static Shape),
    /// A mapping from names in the kernel; the text says of what.
    Names(&'static str, &'static Shape),
    /// A mapping from words that another table holds; the text says what they name.
    Table(&'static str, fn() -> Vec<&'static str>, &'static Shape),
    /// A mapping with keys of its own.
    Keys(fn() -> Vec<&'static About>),
    /// Any of these.
    Either(&'static [Shape]),
}

/// Most of a whole number without a limit of its own.
pub(crate) const MOST_COUNT: u64 = u32::MAX as u64;

/// A whole number above 0.
pub(crate) const COUNT: Shape = Shape::Whole(1, MOST_COUNT);

/// A key, and how its value is read into `T`.
pub(crate) struct Key<T> {
    pub(crate) about: About,
    /// Reads the value of a key of this name; what does not fit is an error of the reader.
    pub(crate) read: fn(&mut T, &mut Reader<'_>, &str, &Value),
}

/// What a user reads about keys.
pub(crate) fn about<T>(keys: &'static [Key<T>]) -> Vec<&'static About> {
    keys.iter().map(|key| &key.about).collect()
}

/// The names of keys, in the order of their declarations.
pub(crate) fn names<T>(keys: &[Key<T>]) -> Vec<&'static str> {
    keys.iter().map(|key| key.about.name).collect()
}

/// Reads a mapping; keys that are not declared are errors.
pub(crate) fn read<T>(keys: &[Key<T>], target: &mut T, reader: &mut Reader<'_>, mapping: &Mapping) {
    reader.unknown_keys(mapping, &names(keys));
    for (name, value) in mapping {
        let name = name.as_str().unwrap_or_default();
        if let Some(key) = keys.iter().find(|key| key.about.name == name) {
            (key.read)(target, reader, name, value);
        }
    }
}
