//! Conventions of the text form for individual operations: default dialects and names of results.

use crate::definition::OperationDefinition;

/// Operations in whose regions the prefix of a dialect may be omitted, and that dialect.
const DEFAULT_DIALECTS: [(&str, &str); 7] = [
    ("builtin.module", "builtin"),
    ("func.func", "func"),
    ("handshake.func", "handshake"),
    ("ssp.graph", "ssp"),
    ("ssp.instance", "ssp"),
    ("ssp.library", "ssp"),
    ("ssp.resource", "ssp"),
];

/// Returns the dialect whose prefix may be omitted directly inside operation `name`; empty if there is none.
pub(crate) fn default_dialect(name: &str) -> &'static str {
    DEFAULT_DIALECTS
        .iter()
        .find(|(op, _)| *op == name)
        .map_or("", |(_, dialect)| dialect)
}

/// Convention for naming the results of an operation instead of numbering them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultNames {
    /// `%c5_i32`, `%true`, `%cst`: from the attribute `value`.
    Constant,
    /// `%idx5`, `%true`: from the attribute `value`.
    IndexConstant,
    /// One name for each result.
    Fixed(&'static [&'static str]),
}

const RESULT_NAMES: [(&str, ResultNames); 25] = [
    (
        "arith.addui_extended",
        ResultNames::Fixed(&["sum", "overflow"]),
    ),
    (
        "arith.subui_extended",
        ResultNames::Fixed(&["diff", "borrow"]),
    ),
    ("math.sincos", ResultNames::Fixed(&["sin", "cos"])),
    (
        "memref.assume_alignment",
        ResultNames::Fixed(&["assume_align"]),
    ),
    ("arith.mulsi_extended", ResultNames::Fixed(&["low", "high"])),
    ("arith.mului_extended", ResultNames::Fixed(&["low", "high"])),
    ("arith.constant", ResultNames::Constant),
    ("hw.constant", ResultNames::Constant),
    ("index.constant", ResultNames::IndexConstant),
    ("index.bool.constant", ResultNames::IndexConstant),
    ("func.constant", ResultNames::Fixed(&["f"])),
    ("memref.alloc", ResultNames::Fixed(&["alloc"])),
    ("memref.alloca", ResultNames::Fixed(&["alloca"])),
    ("memref.cast", ResultNames::Fixed(&["cast"])),
    (
        "memref.collapse_shape",
        ResultNames::Fixed(&["collapse_shape"]),
    ),
    ("memref.dim", ResultNames::Fixed(&["dim"])),
    ("memref.expand_shape", ResultNames::Fixed(&["expand_shape"])),
    (
        "memref.extract_strided_metadata",
        ResultNames::Fixed(&["base_buffer", "offset", "sizes", "strides"]),
    ),
    (
        "memref.extract_aligned_pointer_as_index",
        ResultNames::Fixed(&["intptr"]),
    ),
    (
        "memref.memory_space_cast",
        ResultNames::Fixed(&["memspacecast"]),
    ),
    (
        "memref.reinterpret_cast",
        ResultNames::Fixed(&["reinterpret_cast"]),
    ),
    ("memref.subview", ResultNames::Fixed(&["subview"])),
    ("memref.transpose", ResultNames::Fixed(&["transpose"])),
    ("memref.view", ResultNames::Fixed(&["view"])),
    ("memref.reshape", ResultNames::Fixed(&["reshape"])),
];

/// Returns the naming convention for the results of operation `name`.
fn result_names(name: &str) -> Option<ResultNames> {
    RESULT_NAMES
        .iter()
        .find(|(op, _)| *op == name)
        .map(|(_, names)| *names)
}

/// Conventions of the text form that depend only on the name of an operation.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct NameConventions {
    /// Dialect and mnemonic of a declared operation whose dialect may be omitted.
    pub(crate) short: Option<(&'static str, &'static str)>,
    /// See [`default_dialect`].
    pub(crate) default_dialect: &'static str,
    /// See [`ResultNames`].
    pub(crate) result_names: Option<ResultNames>,
}

impl NameConventions {
    /// Creates the conventions of operation `name`.
    pub(crate) fn new(name: &str, definition: Option<&'static OperationDefinition>) -> Self {
        let parts = definition.and_then(|definition| definition.name.split_once('.'));
        Self {
            short: parts.filter(|(_, mnemonic)| !mnemonic.contains('.')),
            default_dialect: default_dialect(name),
            result_names: result_names(name),
        }
    }
}

/// Returns the separator between the flags of a set of type `name` in printed text.
pub(crate) fn flag_separator(name: &str) -> &'static str {
    // In MLIR, the flags of fast mathematics are the only set that is printed without a space after the comma.
    if name.to_ascii_lowercase().contains("fastmath") {
        ","
    } else {
        ", "
    }
}
