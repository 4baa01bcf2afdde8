//! The declared keys at a place of a configuration: the keys around it lead there through the table of `sluice_config`.

use sluice_config::{About, Shape, kernel_keys};

/// The declared keys and values under a key.
pub(crate) struct Declared {
    /// The key; `None` for the whole file and for names of the kernel.
    pub(crate) about: Option<&'static About>,
    /// The shapes of its value, without alternatives and lists.
    pub(crate) shapes: Vec<&'static Shape>,
}

/// Returns the declaration under some keys, outermost first; without shapes where the keys are unknown.
pub(crate) fn declared(path: &[String]) -> Declared {
    let Some((first, rest)) = path.split_first() else {
        return Declared {
            about: None,
            shapes: Vec::new(),
        };
    };
    let mut keys = kernel_keys().into_iter();
    let mut about = keys.find(|about| about.name == first);
    let mut shapes = about.map_or_else(Vec::new, |about| flat(&about.shape));
    for key in rest {
        about = keys_of(&shapes).into_iter().find(|about| about.name == key);
        shapes = match about {
            Some(about) => flat(&about.shape),
            None => named(&shapes, key),
        };
    }
    Declared { about, shapes }
}

/// Returns the keys of mappings with keys of their own.
pub(crate) fn keys_of(shapes: &[&'static Shape]) -> Vec<&'static About> {
    let keys = shapes.iter().map(|shape| match shape {
        Shape::Keys(keys) => keys(),
        _ => Vec::new(),
    });
    keys.flatten().collect()
}

/// Returns the shapes of the value under a name of the kernel, or under a word of a table.
fn named(shapes: &[&'static Shape], name: &str) -> Vec<&'static Shape> {
    let inner = shapes.iter().map(|shape| match shape {
        Shape::Names(_, value) => flat(value),
        Shape::Table(_, names, value) if names().contains(&name) => flat(value),
        _ => Vec::new(),
    });
    inner.flatten().collect()
}

/// Returns the alternatives of a shape; an item instead of a list.
fn flat(shape: &'static Shape) -> Vec<&'static Shape> {
    match shape {
        Shape::Either(shapes) => shapes.iter().flat_map(flat).collect(),
        Shape::List(item) => flat(item),
        _ => vec![shape],
    }
}

/// Returns the words that a value may be.
pub(crate) fn words_of(shapes: &[&'static Shape]) -> Vec<&'static str> {
    let words = shapes.iter().map(|shape| match shape {
        Shape::Flag => vec!["true", "false"],
        Shape::Words(words) => words.to_vec(),
        Shape::WordsOf(words) => words(),
        _ => Vec::new(),
    });
    words.flatten().collect()
}

/// Returns the words of tables that are keys.
pub(crate) fn table_of(shapes: &[&'static Shape]) -> Vec<&'static str> {
    let words = shapes.iter().map(|shape| match shape {
        Shape::Table(_, names, _) => names(),
        _ => Vec::new(),
    });
    words.flatten().collect()
}

/// Returns whether a value of the shapes is usually a mapping.
pub(crate) fn is_mapping(shapes: &[&'static Shape]) -> bool {
    shapes
        .iter()
        .any(|shape| matches!(shape, Shape::Keys(_) | Shape::Names(..) | Shape::Table(..)))
}

/// Describes a key in Markdown.
pub(crate) fn description(about: &About) -> String {
    let mut text = format!("{}\n\nValue: {}.", about.meaning, about.shape.text());
    if !about.default.is_empty() {
        text += &format!(" Default: `{}`.", about.default);
    }
    if !about.unit.is_empty() {
        text += &format!(" Unit: {}.", about.unit);
    }
    text += &format!(" Circuits: {}.", about.applies.text());
    text
}
