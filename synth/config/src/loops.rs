//! Directives for loops.

use serde_yaml::Value;

use super::Style;
use super::key::Applies::{All, Static};
use super::key::{About, COUNT, Key, Shape, names, read};
use super::reader::Reader;

/// The directives of one loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopDirectives {
    /// `false` keeps an innermost loop sequential.
    pub pipeline: Option<bool>,
    /// The requested initiation interval, in cycles.
    pub ii: Option<u32>,
    /// Unroll factor.
    pub unroll: Option<u32>,
    /// `false` keeps a loop separate from the loops inside it.
    pub flatten: Option<bool>,
    /// Unroll-and-jam factor: copies of the body whose inner loops are fused.
    pub jam: Option<u32>,
    /// Distribute the loop: one loop for each set of interdependent statements.
    pub distribute: Option<bool>,
    /// Fuse the loop with the next one.
    pub fuse: Option<bool>,
    /// Counters of the nest, outermost first, in the requested order; empty without a request. Belongs to the outermost loop.
    pub interchange: Vec<String>,
    /// New schedule of each statement of the nest, in text order: loops in the requested order with positions between them, or
    /// `=`. Empty without a request. Belongs to the outermost loop.
    pub reorder: Vec<String>,
    /// Number of iterations that a `while` loop starts speculatively.
    pub speculate: Option<u32>,
    /// Static schedule for a loop of an elastic kernel, or elastic execution of a loop of a scheduled kernel; never
    /// [`Style::Auto`].
    pub style: Option<Style>,
    /// Tile size in iterations.
    pub tile: Option<u32>,
    /// Number of first iterations that are peeled off before the loop.
    pub peel_first: Option<u32>,
    /// Number of last iterations that are peeled off after the loop.
    pub peel_last: Option<u32>,
}

impl LoopDirectives {
    /// Returns the keys that are set and only apply to counted loops.
    pub fn only_counting(&self) -> Vec<&'static str> {
        let said = [
            ("unroll", self.unroll.is_some()),
            ("flatten", self.flatten.is_some()),
            ("jam", self.jam.is_some()),
            ("distribute", self.distribute.is_some()),
            ("fuse", self.fuse.is_some()),
            ("interchange", !self.interchange.is_empty()),
            ("reorder", !self.reorder.is_empty()),
            ("tile", self.tile.is_some()),
            ("peel_first", self.peel_first.is_some()),
            ("peel_last", self.peel_last.is_some()),
        ];
        let said = said.into_iter().filter(|(_, is_said)| *is_said);
        said.map(|(key, _)| key).collect()
    }
}

/// Maximum initiation interval that can be requested, in cycles; also the maximum that the scheduler tries.
const LARGEST_II: u32 = 4096;

/// Maximum number of iterations that a loop starts speculatively.
pub const MAX_AHEAD: u32 = 64;

/// The keys of one loop, in the order of the documentation.
pub(super) const LOOP_KEYS: &[Key<LoopDirectives>] = &[
    Key {
        about: About {
            name: "pipeline",
            shape: Shape::Flag,
            default: "",
            unit: "",
            applies: Static,
            meaning: "Whether iterations of an innermost loop overlap; `false` runs one after the other.",
        },
        read: |wished, reader, key, value| wished.pipeline = reader.flag_of(key, value),
    },
    Key {
        about: About {
            name: "ii",
            shape: Shape::Whole(1, LARGEST_II as u64),
            default: "",
            unit: "cycles",
            applies: Static,
            meaning: "The initiation interval wanted; the smallest that can be had if left out.",
        },
        read: |wished, reader, key, value| {
            wished.ii = reader.count(key, value);
            if wished.ii.is_some_and(|ii| ii > LARGEST_II) {
                reader.error(key, format!("`{key}` is at most {LARGEST_II} cycles"));
            }
        },
    },
    Key {
        about: About {
            name: "unroll",
            shape: COUNT,
            default: "1",
            unit: "copies",
            applies: All,
            meaning: "Copies of the loop body.",
        },
        read: |wished, reader, key, value| wished.unroll = reader.count(key, value),
    },
    Key {
        about: About {
            name: "jam",
            shape: COUNT,
            default: "1",
            unit: "copies",
            applies: All,
            meaning: "Copies of the loop body whose inner loops are fused (unroll and jam).",
        },
        read: |wished, reader, key, value| wished.jam = reader.count(key, value),
    },
    Key {
        about: About {
            name: "flatten",
            shape: Shape::Flag,
            default: "",
            unit: "",
            applies: All,
            meaning: "`false` keeps this loop and the loops in it from becoming one.",
        },
        read: |wished, reader, key, value| wished.flatten = reader.flag_of(key, value),
    },
    Key {
        about: About {
            name: "distribute",
            shape: Shape::Flag,
            default: "false",
            unit: "",
            applies: All,
            meaning: "A loop for each set of statements that depend on one another (loop distribution).",
        },
        read: |wished, reader, key, value| wished.distribute = reader.flag_of(key, value),
    },
    Key {
        about: About {
            name: "fuse",
            shape: Shape::Flag,
            default: "false",
            unit: "",
            applies: All,
            meaning: "One loop of this one and the next (loop fusion).",
        },
        read: |wished, reader, key, value| wished.fuse = reader.flag_of(key, value),
    },
    Key {
        about: About {
            name: "reorder",
            shape: Shape::List(&Shape::Text),
            default: "",
            unit: "",
            applies: All,
            meaning: "On the outermost loop: a place for each statement of the nest, as `[k 1 i j, j i, =]`.",
        },
        read: |wished, reader, key, value| match words(value).filter(|places| !places.is_empty()) {
            Some(places) => wished.reorder = places,
            None => reader.error(
                key,
                "`reorder` is a list of places, one for each statement of the nest, \
                     as `[k 1 i j, j i, =]`",
            ),
        },
    },
    Key {
        about: About {
            name: "interchange",
            shape: Shape::List(&Shape::Text),
            default: "",
            unit: "",
            applies: All,
            meaning: "On the outermost loop: the loops of the nest in the order wanted, outermost first.",
        },
        read: |wished, reader, key, value| match words(value).filter(|names| names.len() > 1) {
            Some(names) => {
                let names = names
                    .iter()
                    .map(|name| name.trim_start_matches('%').to_owned());
                wished.interchange = names.collect();
            }
            None => reader.error(
                key,
                "`interchange` is a list of the loops of the nest, outermost first, \
                 as `[j, i]`",
            ),
        },
    },
    Key {
        about: About {
            name: "tile",
            shape: COUNT,
            default: "",
            unit: "iterations",
            applies: All,
            meaning: "Iterations of a tile.",
        },
        read: |wished, reader, key, value| wished.tile = reader.count(key, value),
    },
    Key {
        about: About {
            name: "peel_first",
            shape: COUNT,
            default: "",
            unit: "iterations",
            applies: All,
            meaning: "First iterations that run before the loop.",
        },
        read: |wished, reader, key, value| wished.peel_first = reader.count(key, value),
    },
    Key {
        about: About {
            name: "peel_last",
            shape: COUNT,
            default: "",
            unit: "iterations",
            applies: All,
            meaning: "Last iterations that run after the loop.",
        },
        read: |wished, reader, key, value| wished.peel_last = reader.count(key, value),
    },
    Key {
        about: About {
            name: "speculate",
            shape: Shape::Whole(0, MAX_AHEAD as u64),
            default: "",
            unit: "iterations",
            applies: All,
            meaning: "Iterations that a `while` loop starts before its condition is known.",
        },
        read: |wished, reader, key, value| {
            match iterations_ahead(value) {
            Some(ahead) => wished.speculate = Some(ahead),
            None => reader.error(
                key,
                format!(
                    "`speculate` is the number of iterations that a `while` loop starts before its condition is known, \
                     0 to {MAX_AHEAD}"
                ),
            ),
        }
        },
    },
    Key {
        about: About {
            name: "style",
            shape: Shape::Words(&["static", "elastic"]),
            default: "",
            unit: "",
            applies: All,
            meaning: "Whether this loop follows a schedule or runs on tokens, where that differs from the kernel's `style`.",
        },
        read: |wished, reader, key, value| {
            let words = [("static", Style::Static), ("elastic", Style::Elastic)];
            let expected = "of a loop is `static` or `elastic`";
            wished.style = reader.word_of(key, value, &words, expected);
        },
    },
];

pub(super) fn iterations_ahead(value: &Value) -> Option<u32> {
    let ahead = u32::try_from(value.as_u64()?).ok();
    ahead.filter(|ahead| *ahead <= MAX_AHEAD)
}

/// Reads a list of words.
fn words(value: &Value) -> Option<Vec<String>> {
    let words = value.as_sequence()?.iter().map(Value::as_str);
    words.map(|word| Some(word?.to_owned())).collect()
}

/// Reads the directives of one loop.
pub(super) fn loop_directives(
    reader: &mut Reader<'_>,
    name: &str,
    value: &Value,
) -> LoopDirectives {
    let mut directives = LoopDirectives::default();
    match value.as_mapping() {
        Some(mapping) => read(LOOP_KEYS, &mut directives, reader, mapping),
        None => {
            let known = names(LOOP_KEYS).join("`, `");
            let message = format!("the directives of loop `{name}` are a mapping with `{known}`");
            reader.error(name, message);
        }
    }
    directives
}
