//! Dialect sluice: attributes that pass facts between stages, directives of a user for loops and memories, and float operations on
//! integers.
//!
//! Its attributes are on operations of other dialects. Each is declared here, so that the verifier rejects a misspelt attribute, one
//! on the wrong operation, or one with an invalid value.

mod dataflow;
mod directives;
mod facts;
mod floats;
mod nests;
mod problems;
mod schedule;
mod values;

use sluice_ir::definition::{Dialect, KeyPlaces};

use crate::{affine, func, handshake, scf};

pub use dataflow::*;
pub use directives::*;
pub use facts::*;
pub use floats::{
    Float, LIMITED_CLASSES, Op, constant_word, float_class, float_key, float_operation,
    format_attribute, function_name, is_small,
};
pub use nests::*;
pub use problems::*;
pub use schedule::*;

/// Declares attributes: a constant with the name of each, and the row of the table.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $constant:ident = $name:literal: $value:ident $(in $unit:literal)?, on $places:expr, by $writer:literal;)+) => {
        $($(#[doc = $doc])+ pub const $constant: &str = $name;)+

        pub(super) static KEYS: &[sluice_ir::definition::KeyDefinition] = &[$(
            sluice_ir::definition::KeyDefinition {
                name: $name,
                summary: concat!($($doc),+).trim_ascii(),
                value: &crate::sluice::values::$value,
                unit: concat!($($unit)?),
                places: $places,
                writer: $writer,
            },
        )+];
    };
}
use keys;

/// Loops that a user writes, and operations that they are lowered to.
const LOOPS: KeyPlaces = KeyPlaces::Operations {
    kind: "loops",
    names: &[
        affine::For::NAME,
        affine::Parallel::NAME,
        scf::For::NAME,
        scf::Forall::NAME,
        scf::Parallel::NAME,
        scf::While::NAME,
    ],
};

/// Functions, and dataflow graphs that are built from them.
const FUNCTIONS: KeyPlaces = KeyPlaces::Operations {
    kind: "functions",
    names: &[func::Func::NAME, handshake::Func::NAME],
};

/// Any operation.
const ANYWHERE: KeyPlaces = KeyPlaces::Anywhere;

/// The dialect `sluice`.
pub static DIALECT: Dialect = Dialect {
    name: "sluice",
    summary: "Attributes between stages, directives, and float operations on integers",
    description: "The attributes are on operations of other dialects: directives of the user, facts about \
                  loops and memories, schedules, and what dataflow graphs and circuits keep of the kernel. The verifier refuses an attribute \
                  that is not in these tables, is on another operation, or has another value. `docs/SYNTHESIS.md` and `docs/ELASTIC.md` say \
                  how the stages use them.",
    operations: floats::DIALECT.operations,
    types: &[],
    attributes: &[],
    keys: &[
        directives::KEYS,
        facts::KEYS,
        nests::KEYS,
        schedule::KEYS,
        dataflow::KEYS,
        problems::KEYS,
    ],
    materialize_constant: None,
    version: None,
    loaded: false,
    partial: false,
    extension: None,
};
