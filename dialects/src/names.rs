//! Legal, unique and bounded names for Verilog and for files, close to the source names.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::checksum::checksum;

/// Reserved words of Verilog-2005 and, so that other tools can read the file, of SystemVerilog.
const RESERVED: &[&str] = &[
    "accept_on",
    "alias",
    "always",
    "always_comb",
    "always_ff",
    "always_latch",
    "and",
    "assert",
    "assign",
    "assume",
    "automatic",
    "before",
    "begin",
    "bind",
    "bins",
    "binsof",
    "bit",
    "break",
    "buf",
    "bufif0",
    "bufif1",
    "byte",
    "case",
    "casex",
    "casez",
    "cell",
    "chandle",
    "checker",
    "class",
    "clocking",
    "cmos",
    "config",
    "const",
    "constraint",
    "context",
    "continue",
    "cover",
    "covergroup",
    "coverpoint",
    "cross",
    "deassign",
    "default",
    "defparam",
    "design",
    "disable",
    "dist",
    "do",
    "edge",
    "else",
    "end",
    "endcase",
    "endchecker",
    "endclass",
    "endclocking",
    "endconfig",
    "endfunction",
    "endgenerate",
    "endgroup",
    "endinterface",
    "endmodule",
    "endpackage",
    "endprimitive",
    "endprogram",
    "endproperty",
    "endsequence",
    "endspecify",
    "endtable",
    "endtask",
    "enum",
    "event",
    "eventually",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "first_match",
    "for",
    "force",
    "foreach",
    "forever",
    "fork",
    "forkjoin",
    "function",
    "generate",
    "genvar",
    "global",
    "highz0",
    "highz1",
    "if",
    "iff",
    "ifnone",
    "ignore_bins",
    "illegal_bins",
    "implements",
    "implies",
    "import",
    "incdir",
    "include",
    "initial",
    "inout",
    "input",
    "inside",
    "instance",
    "int",
    "integer",
    "interconnect",
    "interface",
    "intersect",
    "join",
    "join_any",
    "join_none",
    "large",
    "let",
    "liblist",
    "library",
    "local",
    "localparam",
    "logic",
    "longint",
    "macromodule",
    "matches",
    "medium",
    "modport",
    "module",
    "nand",
    "negedge",
    "nettype",
    "new",
    "nexttime",
    "nmos",
    "nor",
    "noshowcancelled",
    "not",
    "notif0",
    "notif1",
    "null",
    "or",
    "output",
    "package",
    "packed",
    "parameter",
    "pmos",
    "posedge",
    "primitive",
    "priority",
    "program",
    "property",
    "protected",
    "pull0",
    "pull1",
    "pulldown",
    "pullup",
    "pure",
    "rand",
    "randc",
    "randcase",
    "randsequence",
    "rcmos",
    "real",
    "realtime",
    "ref",
    "reg",
    "reject_on",
    "release",
    "repeat",
    "restrict",
    "return",
    "rnmos",
    "rpmos",
    "rtran",
    "s_always",
    "s_eventually",
    "s_nexttime",
    "s_until",
    "s_until_with",
    "scalared",
    "sequence",
    "shortint",
    "shortreal",
    "signed",
    "small",
    "soft",
    "solve",
    "specify",
    "specparam",
    "static",
    "string",
    "strong",
    "strong0",
    "strong1",
    "struct",
    "super",
    "supply0",
    "supply1",
    "sync_accept_on",
    "sync_reject_on",
    "table",
    "tagged",
    "task",
    "this",
    "throughout",
    "time",
    "timeprecision",
    "timeunit",
    "tran",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "type",
    "typedef",
    "union",
    "unique",
    "unique0",
    "unsigned",
    "until",
    "until_with",
    "untyped",
    "use",
    "var",
    "vectored",
    "virtual",
    "void",
    "wait",
    "wait_order",
    "wand",
    "weak",
    "weak0",
    "weak1",
    "while",
    "wildcard",
    "wire",
    "with",
    "within",
    "wor",
    "xnor",
    "xor",
];

/// Reserved words of C++ that are not reserved in Verilog: tools that translate a circuit to C++ would have to rename such ports.
const RESERVED_IN_CPP: &[&str] = &[
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "catch",
    "char",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "constexpr",
    "decltype",
    "delete",
    "double",
    "explicit",
    "false",
    "float",
    "friend",
    "goto",
    "inline",
    "long",
    "mutable",
    "namespace",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "public",
    "register",
    "requires",
    "short",
    "sizeof",
    "switch",
    "template",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "union",
    "using",
    "volatile",
    "wchar_t",
];

/// Returns true if a name is reserved, so it cannot name a port or a module.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name) || RESERVED_IN_CPP.contains(&name)
}

/// Allocates the names of one module.
#[derive(Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// The last number tried as a suffix of each name; all numbers up to it are taken.
    numbers: BTreeMap<String, u32>,
}

impl Names {
    /// Reserves `name`, which is already in use.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Returns a legal and unique name close to `wanted`.
    pub fn unique(&mut self, wanted: &str) -> String {
        let legal = legal(wanted);
        let mut name = legal.clone();
        if self.taken.contains(&name) || is_reserved(&name) {
            let number = self.numbers.entry(legal.clone()).or_default();
            while self.taken.contains(&name) || is_reserved(&name) {
                *number += 1;
                name = format!("{legal}_{number}");
            }
        }
        self.taken.insert(name.clone());
        name
    }
}

/// Greatest length of a name in characters. Verilog-2005 allows tools a limit of 1,024; file systems allow 255 with all suffixes.
const MOST: usize = 200;

/// Returns a name of letters, digits and underscores that does not start with a digit. A name that is too long ends in a hash of
/// the whole name.
pub fn legal(wanted: &str) -> String {
    bounded(wanted, MOST)
}

/// Returns a name as [`legal`] does, with at most `most` characters (below the general limit): for names that get a suffix.
pub fn bounded(wanted: &str, most: usize) -> String {
    let mut name: String = wanted
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    let most = most.min(MOST);
    if name.len() > most {
        let end = format!("_{:016x}", checksum(wanted.bytes()));
        name.truncate(most.saturating_sub(end.len()));
        name += &end;
    }
    name
}

/// Returns the file name stem for an object called `name`: legal on every file system, without folder and extension. A legal name
/// is its own stem, except the names that Windows reserves for devices.
///
/// All conversions from a symbol to a file name use this function.
pub fn file_stem(name: &str) -> String {
    let mut stem = legal(name);
    if is_device(&stem) {
        stem.push('_');
    }
    stem
}

/// Returns true if Windows opens a device for a file of this name, whatever its extension.
fn is_device(stem: &str) -> bool {
    let lower = stem.to_ascii_lowercase();
    let numbered = |kind| {
        let number = lower.strip_prefix(kind);
        number.is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
    };
    ["con", "prn", "aux", "nul"].contains(&lower.as_str()) || numbered("com") || numbered("lpt")
}
