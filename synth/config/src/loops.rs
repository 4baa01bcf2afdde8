//! What is asked for loops.

use serde_yaml::Value;

use super::Style;
use super::reader::Reader;

/// What is asked for one loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopDirectives {
    /// `false` keeps an innermost loop sequential.
    pub pipeline: Option<bool>,
    /// The initiation interval wanted, in cycles.
    pub ii: Option<u32>,
    /// Copies of the body.
    pub unroll: Option<u32>,
    /// `false` keeps a loop and the loops in it apart.
    pub flatten: Option<bool>,
    /// Copies of the body whose inner loops are fused.
    pub jam: Option<u32>,
    /// A loop for each set of statements that depend on each other.
    pub distribute: Option<bool>,
    /// One loop of this one and the one behind it.
    pub fuse: Option<bool>,
    /// Counters of the nest, outermost first, in the order wanted; empty if not said. Stands on the outermost loop.
    pub interchange: Vec<String>,
    /// Places of the statements of the nest, in text order: loops in the order wanted with positions between them, or `=`; empty if not
    /// said. Stands on the outermost loop.
    pub reorder: Vec<String>,
    /// Rounds that a `while` loop starts before it knows whether they are wanted.
    pub speculate: Option<u32>,
    /// Whether a schedule runs a loop of an elastic kernel, or tokens run one of a kernel that is scheduled: [`Style::Auto`] is not said.
    pub style: Option<Style>,
    /// Iterations of a tile.
    pub tile: Option<u32>,
    /// First iterations that run before the loop.
    pub peel_first: Option<u32>,
    /// Last iterations that run behind the loop.
    pub peel_last: Option<u32>,
}

impl LoopDirectives {
    /// The keys that are said and only loops that count obey.
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

/// Largest initiation interval one may ask for, in cycles: what the scheduler tries by itself.
const LARGEST_II: u32 = 4096;

/// Most rounds that a loop may start ahead.
pub const MOST_AHEAD: u32 = 64;

const LOOP_KEYS: &[&str] = &[
    "pipeline",
    "ii",
    "unroll",
    "jam",
    "flatten",
    "distribute",
    "fuse",
    "reorder",
    "interchange",
    "tile",
    "peel_first",
    "peel_last",
    "speculate",
    "style",
];

pub(super) fn rounds_ahead(value: &Value) -> Option<u32> {
    let rounds = u32::try_from(value.as_u64()?).ok();
    rounds.filter(|rounds| *rounds <= MOST_AHEAD)
}

/// The directives of one loop.
pub(super) fn loop_directives(
    reader: &mut Reader<'_>,
    name: &str,
    value: &Value,
) -> LoopDirectives {
    let mut directives = LoopDirectives::default();
    let Some(mapping) = value.as_mapping() else {
        reader.error(
            name,
            format!(
                "the directives of loop `{name}` are a mapping with `{}`",
                LOOP_KEYS.join("`, `")
            ),
        );
        return directives;
    };
    reader.unknown_keys(mapping, LOOP_KEYS);
    for (key, value) in mapping {
        match key.as_str().unwrap_or_default() {
            "pipeline" => match value.as_bool() {
                Some(pipeline) => directives.pipeline = Some(pipeline),
                None => reader.error("pipeline", "`pipeline` is true or false"),
            },
            "ii" => {
                directives.ii = reader.count("ii", value);
                if directives.ii.is_some_and(|ii| ii > LARGEST_II) {
                    reader.error("ii", format!("`ii` is at most {LARGEST_II} cycles"));
                }
            }
            "style" => match value.as_str() {
                Some("static") => directives.style = Some(Style::Static),
                Some("elastic") => directives.style = Some(Style::Elastic),
                _ => reader.error("style", "`style` of a loop is `static` or `elastic`"),
            },
            "flatten" => match value.as_bool() {
                Some(flatten) => directives.flatten = Some(flatten),
                None => reader.error("flatten", "`flatten` is true or false"),
            },
            "unroll" => directives.unroll = reader.count("unroll", value),
            "jam" => directives.jam = reader.count("jam", value),
            "distribute" => match value.as_bool() {
                Some(distribute) => directives.distribute = Some(distribute),
                None => reader.error("distribute", "`distribute` is true or false"),
            },
            "fuse" => match value.as_bool() {
                Some(fuse) => directives.fuse = Some(fuse),
                None => reader.error("fuse", "`fuse` is true or false"),
            },
            "interchange" => {
                let names = value.as_sequence().map(|names| {
                    let names = names.iter().map(Value::as_str);
                    names
                        .map(|name| Some(name?.trim_start_matches('%').to_owned()))
                        .collect::<Option<Vec<String>>>()
                });
                match names.flatten().filter(|names| names.len() > 1) {
                    Some(names) => directives.interchange = names,
                    None => reader.error(
                        "interchange",
                        "`interchange` is a list of the loops of the nest, outermost first, as `[j, i]`",
                    ),
                }
            }
            "reorder" => {
                let places = value.as_sequence().map(|places| {
                    let places = places.iter().map(Value::as_str);
                    places
                        .map(|place| Some(place?.to_owned()))
                        .collect::<Option<Vec<String>>>()
                });
                match places.flatten().filter(|places| !places.is_empty()) {
                    Some(places) => directives.reorder = places,
                    None => reader.error(
                        "reorder",
                        "`reorder` is a list of places, one for each statement of the nest, as `[k 1 i j, j i, =]`",
                    ),
                }
            }
            "tile" => directives.tile = reader.count("tile", value),
            "peel_first" => directives.peel_first = reader.count("peel_first", value),
            "speculate" => match rounds_ahead(value) {
                Some(rounds) => directives.speculate = Some(rounds),
                None => reader.error(
                    "speculate",
                    format!("`speculate` is the number of rounds that a `while` loop starts before it knows that they are wanted, 0 to {MOST_AHEAD}"),
                ),
            },
            "peel_last" => directives.peel_last = reader.count("peel_last", value),
            _ => {}
        }
    }
    directives
}
