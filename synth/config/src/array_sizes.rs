//! Sizes of array arguments whose types leave a dimension open, as `memref<?x30xi32>`.

use std::fmt;

use serde_yaml::Value;

use super::key::{COUNT, MAX_COUNT, Shape};
use super::places::Step;
use super::reader::{ConfigError, Reader};

/// The key that gives the sizes.
pub(super) const KEY: &str = "sizes";

/// The values of one array: a number for its only open dimension, or the sizes of all dimensions.
pub(super) const ARRAY_SIZES: Shape = Shape::Either(&[COUNT, Shape::List(&COUNT)]);

/// The sizes of an array, and where the configuration gives them.
#[derive(Clone, PartialEq, Eq)]
pub struct ArraySizes {
    /// The sizes.
    pub wish: SizeWish,
    place: ConfigError,
}

/// The sizes of an array as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeWish {
    /// The size of the only open dimension.
    Open(u32),
    /// The size of every dimension.
    All(Vec<u32>),
}

impl ArraySizes {
    /// Returns an error at the place of these sizes.
    pub fn error(&self, message: String) -> ConfigError {
        ConfigError {
            message,
            ..self.place.clone()
        }
    }
}

// Without the place: a hash of the configuration does not depend on the path or the layout of its file.
impl fmt::Debug for ArraySizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wish.fmt(f)
    }
}

/// Reads the sizes of the array `name`, which is written with or without `%`.
pub(super) fn array_sizes(
    reader: &mut Reader<'_>,
    name: &str,
    value: &Value,
) -> Option<ArraySizes> {
    let path = [Step::from(KEY), Step::from(name)];
    let size = |value: &Value| {
        let size = value.as_u64().filter(|size| (1..=MAX_COUNT).contains(size));
        size.and_then(|size| u32::try_from(size).ok())
    };
    let wish = match value.as_sequence() {
        None => size(value).map(SizeWish::Open),
        Some(all) => all
            .iter()
            .map(size)
            .collect::<Option<_>>()
            .map(SizeWish::All),
    };
    let Some(wish) = wish else {
        reader.error_at(
            &path,
            format!(
                "the sizes of `{name}` are whole numbers from 1 to {MAX_COUNT}: \
                 one for each dimension, as `[20, 30]`, or one number for the only open dimension"
            ),
        );
        return None;
    };
    let place = reader.place_of_path(&path);
    Some(ArraySizes { wish, place })
}
