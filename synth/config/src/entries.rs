//! Places of the entries of a YAML text by their numbers; `places` finds them by their names.
//!
//! The values of `serde_yaml` have no lines and columns.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The part of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The word before the colon.
    Key,
    /// The value after the key, or an item of a list.
    Value,
}

/// Line and column, from one, of an entry; `path` has the number of the entry in each mapping or list around it, outermost first.
///
/// The text is read up to the entry, where reading is made to fail: the error has the place.
pub(crate) fn place_of_entry(text: &str, path: &[usize], part: Part) -> Option<(usize, usize)> {
    let walk = Walk { path, part };
    let error = walk
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .err()?;
    let place = error.location()?;
    Some((place.line(), place.column()))
}

/// Goes to an entry, and fails there.
struct Walk<'p> {
    path: &'p [usize],
    part: Part,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        match self.path {
            [] => reader.deserialize_any(Here),
            _ => reader.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a mapping or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((wanted, path)) = self.path.split_first() else {
            return Ok(());
        };
        for _ in 0..*wanted {
            map.next_entry::<IgnoredAny, IgnoredAny>()?;
        }
        if path.is_empty() && self.part == Part::Key {
            return map.next_key_seed(Stop).map(drop);
        }
        map.next_key::<IgnoredAny>()?;
        let part = self.part;
        map.next_value_seed(Walk { path, part })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((wanted, path)) = self.path.split_first() else {
            return Ok(());
        };
        for _ in 0..*wanted {
            list.next_element::<IgnoredAny>()?;
        }
        let part = self.part;
        list.next_element_seed(Walk { path, part }).map(drop)
    }
}

/// Fails wherever it is.
struct Stop;

impl<'de> DeserializeSeed<'de> for Stop {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(Here)
    }
}

/// Takes no value at all: the methods of [`Visitor`] that are left out fail.
struct Here;

impl Visitor<'_> for Here {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("nothing")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_in_every_form() {
        let text = "# axes\nunroll: {k: [1, 'ü', 4], \"j\": 2}\nvary:\n  loops.i.jam:\n    - 1\n    - [a, b]\n  ? style\n  : null\nempty: []\n";
        for (path, part, expected) in [
            (&[0][..], Part::Key, (2, 1)),
            (&[0], Part::Value, (2, 9)),
            (&[0, 0], Part::Key, (2, 10)),
            (&[0, 0], Part::Value, (2, 13)),
            (&[0, 0, 2], Part::Value, (2, 22)),
            (&[0, 1], Part::Key, (2, 26)),
            (&[0, 1], Part::Value, (2, 31)),
            (&[1, 0], Part::Key, (4, 3)),
            (&[1, 0, 0], Part::Value, (5, 7)),
            (&[1, 0, 1, 1], Part::Value, (6, 11)),
            (&[1, 1], Part::Key, (7, 5)),
            (&[1, 1], Part::Value, (8, 5)),
            (&[2], Part::Value, (9, 8)),
        ] {
            assert_eq!(
                place_of_entry(text, path, part),
                Some(expected),
                "{path:?} {part:?}"
            );
        }
        assert_eq!(place_of_entry(text, &[7], Part::Key), None);
        assert_eq!(
            place_of_entry("{\"a\": [1, 2]}", &[0, 1], Part::Value),
            Some((1, 11))
        );
    }
}
