//! Declaration of a configuration key: its documentation, its allowed values, and the function that reads it.

use serde_yaml::{Mapping, Value};

use crate::reader::Reader;

/// Documentation of a key.
pub struct About {
    /// The word before the colon.
    pub name: &'static str,
    /// The values it takes.
    pub shape: Shape,
    /// The YAML value with the same effect as omitting the key; empty if there is none.
    pub default: &'static str,
    /// Unit of the value; empty for words, mappings and numbers without one.
    pub unit: &'static str,
    /// The circuits that the key affects.
    pub applies: Applies,
    /// One sentence, with a capital letter and a full stop.
    pub meaning: &'static str,
}

/// The circuits that a key affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// All of them.
    All,
    /// Statically scheduled ones: `style: static`, and loops with a static schedule.
    Static,
    /// Elastic ones: `style: elastic` or `auto`; no effect on others.
    Elastic,
    /// Elastic ones; an error with `style: static`.
    ElasticOnly,
    /// Input files with dataflow graphs of the dialect `handshake`.
    Graphs,
}

impl Applies {
    /// Returns the text in the documentation.
    pub fn text(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Static => "static",
            Self::Elastic | Self::ElasticOnly => "elastic",
            Self::Graphs => "given graphs",
        }
    }
}

/// The values that a key takes.
pub enum Shape {
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of the words of another table.
    WordsOf(fn() -> Vec<&'static str>),
    /// A number greater than the first, at most the second.
    Above(f64, f64),
    /// A number of at least the first, at most the second.
    Number(f64, f64),
    /// A whole number of at least the first, at most the second.
    Whole(u64, u64),
    /// A list.
    List(&'static Shape),
    /// A mapping from names in the kernel; the text describes the named things.
    Names(&'static str, &'static Shape),
    /// A mapping from words of another table; the text describes what they name.
    Table(&'static str, fn() -> Vec<&'static str>, &'static Shape),
    /// A mapping with keys of its own.
    Keys(fn() -> Vec<&'static About>),
    /// The path of a file; the text says of what.
    File(&'static str),
    /// Any of these.
    Either(&'static [Shape]),
}

/// Maximum of a whole number without its own limit.
pub(crate) const MAX_COUNT: u64 = u32::MAX as u64;

/// A whole number above 0.
pub(crate) const COUNT: Shape = Shape::Whole(1, MAX_COUNT);

/// A key, and how its value is read into `T`.
pub(crate) struct Key<T> {
    pub(crate) about: About,
    /// Reads the value of a key of this name; reports invalid values as errors of the reader.
    pub(crate) read: fn(&mut T, &mut Reader<'_>, &str, &Value),
}

/// Returns the documentation of keys.
pub(crate) fn about<T>(keys: &'static [Key<T>]) -> Vec<&'static About> {
    keys.iter().map(|key| &key.about).collect()
}

/// Returns the names of keys, in declaration order.
pub(crate) fn names<T>(keys: &[Key<T>]) -> Vec<&'static str> {
    keys.iter().map(|key| key.about.name).collect()
}

/// Reads a mapping; unknown keys are errors.
pub(crate) fn read<T>(keys: &[Key<T>], target: &mut T, reader: &mut Reader<'_>, mapping: &Mapping) {
    reader.unknown_keys(mapping, &names(keys));
    for (name, value) in mapping {
        let name = name.as_str().unwrap_or_default();
        if let Some(key) = keys.iter().find(|key| key.about.name == name) {
            (key.read)(target, reader, name, value);
        }
    }
}
