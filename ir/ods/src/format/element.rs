//! The elements of a format, as a tree.

use std::ops::Range;

/// The operands or results of which types are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    Operand(usize),
    Result(usize),
    Operands,
    Results,
}

/// An argument of a custom directive.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Operand(usize),
    Attribute(usize),
    Region(usize),
    Successor(usize),
    Type(Of),
    AttrDict,
    /// `ref(...)`: it is read by another element before.
    Reference(Box<Argument>),
    Text(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Literal(String),
    Whitespace(String),
    Operand(usize),
    Attribute {
        index: usize,
        qualified: bool,
    },
    Region(usize),
    Successor(usize),
    AttrDict {
        keyword: bool,
    },
    PropDict,
    Type {
        of: Of,
        qualified: bool,
    },
    Operands,
    Regions,
    Successors,
    FunctionalType(Of, Of),
    Custom {
        name: String,
        text: String,
        arguments: Vec<Argument>,
    },
    Optional {
        /// Index of the anchor, counted through both groups.
        anchor: usize,
        then: Vec<Element>,
        otherwise: Vec<Element>,
    },
    Clauses(Vec<(String, Vec<Element>)>),
}

/// An element with its place in the text of the format.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) kind: Kind,
    pub(crate) place: Range<usize>,
}
