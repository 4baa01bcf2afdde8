//! The place of a key or an item in a YAML or JSON text, by the path that leads to it.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// One step of the path to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// An item of a list, from zero.
    Item(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(item: usize) -> Self {
        Self::Item(item)
    }
}

/// Returns line and column, from one, of the last step of `path`: of its key, or of its item. `None` where the text has no such value.
pub fn place_of(text: &str, path: &[Step]) -> Option<(usize, usize)> {
    let is_found = Cell::new(false);
    let find = Find {
        path,
        is_found: &is_found,
    };
    // The parser gives an error the place of what it reads: the search ends with an error at the value it looks for.
    let ended = find.deserialize(serde_yaml::Deserializer::from_str(text));
    let place = ended.err().filter(|_| is_found.get())?.location()?;
    Some((place.line(), place.column()))
}

/// Returns the place of the longest beginning of `path` that the text has; the start of the text where it has none.
pub fn nearest_place(text: &str, path: &[Step]) -> (usize, usize) {
    let mut lengths = (1..=path.len()).rev();
    lengths
        .find_map(|length| place_of(text, &path[..length]))
        .unwrap_or((1, 1))
}

/// Looks for the end of a path.
#[derive(Clone, Copy)]
struct Find<'p> {
    path: &'p [Step],
    is_found: &'p Cell<bool>,
}

impl<'p> Find<'p> {
    fn rest(self) -> Self {
        Self {
            path: &self.path[1..],
            ..self
        }
    }

    fn found<E: Error>(self) -> E {
        self.is_found.set(true);
        E::custom("found")
    }
}

impl<'de> DeserializeSeed<'de> for Find<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Every value ends the search where the path ends; other paths lead through mappings and lists only.
macro_rules! scalars {
    ($($visit:ident: $ty:ty,)*) => {
        $(fn $visit<E: Error>(self, _: $ty) -> Result<(), E> {
            match self.path {
                [] => Err(self.found()),
                _ => Ok(()),
            }
        })*
    };
}

impl<'de> Visitor<'de> for Find<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value")
    }

    scalars! {
        visit_bool: bool,
        visit_i64: i64,
        visit_u64: u64,
        visit_i128: i128,
        visit_u128: u128,
        visit_f64: f64,
        visit_str: &str,
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.path {
            [] => Err(self.found()),
            _ => Ok(()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match self.path {
            [] => return Err(self.found()),
            [Step::Key(_), ..] => {
                while let Some(is_it) = map.next_key_seed(FindKey(self))? {
                    match is_it {
                        true => map.next_value_seed(self.rest())?,
                        false => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
            }
            [Step::Item(_), ..] => while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {},
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let wanted = match self.path {
            [] => return Err(self.found()),
            [Step::Item(item), ..] => Some(*item),
            [Step::Key(_), ..] => None,
        };
        for item in 0.. {
            let is_over = match wanted == Some(item) {
                true => seq.next_element_seed(self.rest())?.is_none(),
                false => seq.next_element::<IgnoredAny>()?.is_none(),
            };
            if is_over {
                break;
            }
        }
        Ok(())
    }
}

/// Says whether a key is the next one of the path, and ends the search where it is the last.
struct FindKey<'p>(Find<'p>);

impl FindKey<'_> {
    fn matches<E: Error>(self, key: &str) -> Result<bool, E> {
        match self.0.path {
            [Step::Key(wanted)] if wanted == key => Err(self.0.found()),
            [Step::Key(wanted), ..] => Ok(wanted == key),
            _ => Ok(false),
        }
    }
}

impl<'de> DeserializeSeed<'de> for FindKey<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FindKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<bool, E> {
        self.matches(key)
    }

    fn visit_u64<E: Error>(self, key: u64) -> Result<bool, E> {
        self.matches(&key.to_string())
    }

    fn visit_i64<E: Error>(self, key: i64) -> Result<bool, E> {
        self.matches(&key.to_string())
    }

    fn visit_bool<E: Error>(self, key: bool) -> Result<bool, E> {
        self.matches(&key.to_string())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# latency: a comment
cases:
  - inputs: {latency: 1, b: [5, 6]}
    expect:
      latency: 7
  - {inputs: {n: 4}, expect: {latency: 9}}
expect: {latency: 4, ii: {'i': 1, 12: 2}}
";

    #[test]
    fn places_are_those_of_the_path_in_blocks_and_in_braces() {
        let path = |steps: &[&str]| -> Vec<Step> {
            let step = |step: &&str| match step.parse::<usize>() {
                Ok(item) if *step != "12" => item.into(),
                _ => (*step).into(),
            };
            steps.iter().map(step).collect()
        };
        for (steps, place) in [
            (&["cases"][..], Some((2, 1))),
            (&["cases", "0", "expect", "latency"], Some((5, 7))),
            (&["cases", "1", "expect", "latency"], Some((6, 31))),
            (&["cases", "0", "inputs", "b", "1"], Some((3, 33))),
            (&["expect", "latency"], Some((7, 10))),
            (&["expect", "ii", "i"], Some((7, 27))),
            (&["expect", "ii", "12"], Some((7, 35))),
            (&["expect", "ii", "j"], None),
            (&["cases", "2"], None),
            (&["expect", "0"], None),
        ] {
            assert_eq!(place_of(TEXT, &path(steps)), place, "{steps:?}");
        }
        let json = "{\n  \"cases\": [\n    {\"expect\": {\"latency\": 3}}]}\n";
        let steps = path(&["cases", "0", "expect", "latency"]);
        assert_eq!(place_of(json, &steps), Some((3, 17)));
        let steps = path(&["expect", "ii", "j"]);
        assert_eq!(nearest_place(TEXT, &steps), (7, 22));
    }

    #[test]
    fn texts_that_are_no_yaml_have_no_places() {
        assert_eq!(place_of("a: [1", &["b".into()]), None);
        assert_eq!(nearest_place("", &["b".into()]), (1, 1));
    }
}
