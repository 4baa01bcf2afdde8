//! Names in Verilog and of files: legal, unique, bounded and close to the source.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::checksum::checksum;

/// Reserved words of Verilog-2005 and, so that other tools read the file too, of SystemVerilog.
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

/// Reserved words of C++ that are none of Verilog: tools that make C++ of a circuit would have to rename such ports.
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

/// Returns true if a name cannot stand for a port or a module.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name) || RESERVED_IN_CPP.contains(&name)
}

/// Hands out the names of one module.
#[derive(Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// The last number that was tried behind a name; those up to it are taken.
    numbers: BTreeMap<String, u32>,
}

impl Names {
    /// Keeps `name` for what has it already: nothing else gets it.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// `wanted` made legal and unique.
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

/// Most characters of a name. Verilog-2005 lets tools stop at 1,024, file systems stop at 255 with all endings.
const MOST: usize = 200;

/// Letters, digits and underscores, not starting with a digit. A name that is too long ends in a hash of all of it.
pub fn legal(wanted: &str) -> String {
    bounded(wanted, MOST)
}

/// As [`legal`], with `most` characters at most, where that is less than the bound of all names: for names to which something is added.
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

/// The stem of the files of what is called `name`: legal on every file system, in one folder, without an ending. A legal name is its own
/// stem, but for those that Windows keeps for devices.
///
/// This is the only way from a symbol to a file name.
pub fn file_stem(name: &str) -> String {
    let mut stem = legal(name);
    if is_device(&stem) {
        stem.push('_');
    }
    stem
}

/// Returns true if Windows opens a device in place of a file of this name, whatever its ending.
fn is_device(stem: &str) -> bool {
    let lower = stem.to_ascii_lowercase();
    let numbered = |kind| {
        let number = lower.strip_prefix(kind);
        number.is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
    };
    ["con", "prn", "aux", "nul"].contains(&lower.as_str()) || numbered("com") || numbered("lpt")
}
