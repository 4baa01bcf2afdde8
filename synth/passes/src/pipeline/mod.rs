//! Pass pipelines in the syntax of mlir-opt: `builtin.module(func.func(canonicalize{max-iterations=3},cse),symbol-dce)`.
//!
//! Source: MLIR, "Pass Infrastructure", sections "Textual Pass Pipeline Specification" and "OpPassManager". Differs: the error
//! for an unknown option lists the options, and parentheses without an operation name are refused.

mod options;
mod parse;

use std::fmt;

use sluice_dialects::builtin;

pub use options::{OptionKind, Options, Value};

/// The kind of operations that a pipeline runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Operations with this name.
    Named(String),
    /// All operations that are isolated from above.
    Any,
}

/// A pass with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassCall {
    /// Its name.
    pub name: &'static str,
    /// Its options.
    pub options: Options,
    /// The column of its name in the text.
    pub column: usize,
}

/// An element of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A pass that runs on the operation of the pipeline.
    Pass(PassCall),
    /// A pipeline that runs on operations directly inside.
    Nested(Pipeline),
}

/// Passes in order, and the kind of operations they run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The operations that it runs on.
    pub anchor: Anchor,
    /// The column of the anchor in the text.
    pub column: usize,
    /// The passes and nested pipelines, in order.
    pub elements: Vec<Element>,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

impl Pipeline {
    /// Creates a pipeline that runs on the root operation of the file.
    fn of(elements: Vec<Element>) -> Self {
        Self {
            anchor: Anchor::Any,
            column: 1,
            elements,
        }
    }

    /// Parses a pipeline of passes with these names.
    ///
    /// # Errors
    /// The first error, rendered with its column.
    pub fn parse(text: &str, names: &[&'static str]) -> Result<Self, String> {
        parse::pipeline(text, names)
    }

    /// Creates a pipeline on the whole module from passes that are given one by one, such as `canonicalize{max-iterations=3}` or
    /// `func.func(cse)`.
    ///
    /// # Errors
    /// The first error, rendered.
    pub fn of_passes(passes: &[String], names: &[&'static str]) -> Result<Self, String> {
        let elements = passes.iter().map(|pass| parse::element(pass, names));
        let elements: Result<Vec<_>, _> = elements.collect();
        elements.map(Self::of)
    }

    /// Returns true if there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}

/// The name of the operation that holds a whole file.
pub const ROOT: &str = builtin::Module::NAME;

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Any => f.write_str("any"),
        }
    }
}

impl fmt::Display for PassCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.options)
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor)?;
        for (position, element) in self.elements.iter().enumerate() {
            f.write_str(if position > 0 { "," } else { "" })?;
            match element {
                Element::Pass(pass) => write!(f, "{pass}")?,
                Element::Nested(pipeline) => write!(f, "{pipeline}")?,
            }
        }
        f.write_str(")")
    }
}
