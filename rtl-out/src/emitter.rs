//! Shared state of the writers of one Verilog module, and the texts of literals and ranges.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::names::Names;
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, OperationId, ValueId, View};

use crate::Options;
use crate::lint::Reads;
use crate::pins::Header;
use crate::registers::Register;

/// An expression, and whether it needs no parentheses inside another one.
#[derive(Clone)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) is_atom: bool,
}

impl Expression {
    pub(crate) fn atom(text: String) -> Self {
        Self {
            text,
            is_atom: true,
        }
    }

    pub(crate) fn plain(text: String) -> Self {
        Self {
            text,
            is_atom: false,
        }
    }
}

pub(crate) struct Emitter<'a> {
    pub(crate) context: &'a Context,
    pub(crate) module: View<'a>,
    pub(crate) names: Names,
    /// Names of the values that have one in the text.
    pub(crate) named: BTreeMap<ValueId, String>,
    /// Values that are named after their operation.
    pub(crate) derived: BTreeSet<ValueId>,
    pub(crate) declarations: String,
    pub(crate) statements: String,
    pub(crate) registers: Vec<Register>,
    /// Names of instances and memories in the text.
    pub(crate) inner_names: BTreeMap<OperationId, String>,
    /// Legal names of parameters, by their original names.
    pub(crate) parameter_names: BTreeMap<String, String>,
    pub(crate) text: String,
    pub(crate) reads: Reads,
    pub(crate) headers: &'a BTreeMap<String, Header>,
    pub(crate) options: Options,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

/// Returns a literal of the value's width.
pub(crate) fn literal(value: &Bits) -> String {
    if value.width() <= 32 || value.active_bits() <= 9 {
        format!("{}'d{}", value.width(), value.to_unsigned_string())
    } else {
        format!("{}'h{}", value.width(), value.to_hex_string())
    }
}

pub(crate) fn range(width: u32) -> String {
    if width <= 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// Returns some bits of a net.
pub(crate) fn slice(name: &str, whole: u32, low: u32, width: u32) -> String {
    if whole == 1 {
        name.to_owned()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", low + width - 1)
    }
}
