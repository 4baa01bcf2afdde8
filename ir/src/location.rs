//! Source locations.

use std::borrow::Cow;

use crate::context::Context;
use crate::ids::{Attribute, Location, Name};

/// The kind of a [`Location`], with its contents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// `loc(unknown)`
    Unknown,
    /// `loc("file":line:column)`; lines and columns count from one.
    File {
        /// File name as the user gave it.
        file: Name,
        /// Line.
        line: u32,
        /// Column.
        column: u32,
    },
    /// `loc("file":line:column to end_line:end_column)`, since MLIR 20. The end is never equal to the start.
    Range {
        /// File name as the user gave it.
        file: Name,
        /// Line of the start.
        line: u32,
        /// Column of the start.
        column: u32,
        /// Line of the end.
        end_line: u32,
        /// Column of the end.
        end_column: u32,
    },
    /// `loc("name"(child))`
    Name {
        /// The name.
        name: Name,
        /// The location of the name; `Location::UNKNOWN` if it is not given.
        child: Location,
    },
    /// `loc(callsite(callee at caller))`
    CallSite {
        /// Location in the callee.
        callee: Location,
        /// Location of the call.
        caller: Location,
    },
    /// `loc(fused<metadata>[...])`
    Fused {
        /// Parts, without duplicates and unknowns.
        parts: Box<[Location]>,
        /// Metadata.
        metadata: Option<Attribute>,
    },
}

impl Location {
    /// Returns the kind of this location, with its contents.
    pub fn kind(self, context: &Context) -> Cow<'_, LocationKind> {
        context.location_kind(self)
    }

    /// Returns file, line and column: the first that this location contains.
    pub fn file_line_column(self, context: &Context) -> Option<(&str, u32, u32)> {
        match &*self.kind(context) {
            LocationKind::Unknown => None,
            LocationKind::File { file, line, column }
            | LocationKind::Range {
                file, line, column, ..
            } => Some((context.text(*file), *line, *column)),
            LocationKind::Name { child, .. } => child.file_line_column(context),
            LocationKind::CallSite { callee, .. } => callee.file_line_column(context),
            LocationKind::Fused { parts, .. } => {
                parts.iter().find_map(|part| part.file_line_column(context))
            }
        }
    }

    /// Returns the first name that this location contains; file locations have none.
    pub fn name(self, context: &Context) -> Option<&str> {
        match &*self.kind(context) {
            LocationKind::Unknown | LocationKind::File { .. } | LocationKind::Range { .. } => None,
            LocationKind::Name { name, .. } => Some(context.text(*name)),
            LocationKind::CallSite { callee, .. } => callee.name(context),
            LocationKind::Fused { parts, .. } => parts.iter().find_map(|part| part.name(context)),
        }
    }
}
