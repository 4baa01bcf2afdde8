//! Finds the line and column of a part of a YAML text.
//!
//! serde_yaml gives a position only where reading fails. Therefore the text is read once more, and reading fails on purpose at
//! the requested part.

use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// An element of a list.
    Element(usize),
}

/// A part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Index of the document in the file.
    pub document: usize,
    /// The steps to the part.
    pub steps: Vec<Step>,
    /// True if the part is the key of the last step, not its value.
    pub is_key: bool,
}

impl Part {
    /// Returns the value of `key` within this part.
    pub fn at(&self, key: &str) -> Self {
        let mut part = self.clone();
        part.steps.push(Step::Key(key.to_owned()));
        part
    }

    /// Returns element `index` of this part.
    pub fn element(&self, index: usize) -> Self {
        let mut part = self.clone();
        part.steps.push(Step::Element(index));
        part
    }

    /// Returns the key `key` of this part.
    pub fn key(&self, key: &str) -> Self {
        let mut part = self.at(key);
        part.is_key = true;
        part
    }
}

/// Returns line and column of a part, counted from 1; the start of the text if the part does not exist.
pub fn place(text: &str, part: &Part) -> (usize, usize) {
    let Some(document) = serde_yaml::Deserializer::from_str(text).nth(part.document) else {
        return (1, 1);
    };
    let search = Search {
        steps: &part.steps,
        is_key: part.is_key,
    };
    match search.deserialize(document) {
        Err(error) => error
            .location()
            .map_or((1, 1), |at| (at.line(), at.column())),
        Ok(()) => (1, 1),
    }
}

/// Returns line and column of each document of a file, counted from 1. After a document that is not YAML the iterator never ends.
pub fn documents(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let search = Search {
        steps: &[],
        is_key: false,
    };
    serde_yaml::Deserializer::from_str(text).map(move |document| {
        let found = search.deserialize(document).err();
        let found = found.and_then(|error| error.location());
        found.map_or((1, 1), |at| (at.line(), at.column()))
    })
}

const FOUND: &str = "here";

#[derive(Clone, Copy)]
struct Search<'a> {
    steps: &'a [Step],
    is_key: bool,
}

impl<'de> DeserializeSeed<'de> for Search<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Search<'_> {
    /// Ends the search at a scalar: it is the part if no step is left; otherwise the part does not exist, and this is the nearest
    /// position.
    fn scalar<E: Error>(self) -> Result<(), E> {
        Err(E::custom(FOUND))
    }
}

impl<'de> Visitor<'de> for Search<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FOUND)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.scalar()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((Step::Element(wanted), rest)) = self.steps.split_first() else {
            return self.scalar();
        };
        for _ in 0..*wanted {
            if list.next_element::<IgnoredAny>()?.is_none() {
                return self.scalar();
            }
        }
        let search = Self {
            steps: rest,
            is_key: self.is_key,
        };
        list.next_element_seed(search)?;
        self.scalar()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((Step::Key(wanted), rest)) = self.steps.split_first() else {
            return self.scalar();
        };
        let key = Key {
            wanted,
            fails: self.is_key && rest.is_empty(),
        };
        while let Some(found) = map.next_key_seed(key)? {
            if found {
                let search = Self {
                    steps: rest,
                    is_key: self.is_key,
                };
                map.next_value_seed(search)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        self.scalar()
    }
}

/// Compares a key with the required one, and fails on it if it is the requested part.
#[derive(Clone, Copy)]
struct Key<'a> {
    wanted: &'a str,
    fails: bool,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<bool, E> {
        if key == self.wanted && self.fails {
            return Err(E::custom(FOUND));
        }
        Ok(key == self.wanted)
    }
}
