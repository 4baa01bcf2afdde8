//! Names in Verilog: legal, unique and close to the source.

use std::collections::{BTreeMap, BTreeSet};

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

/// Whether a name cannot stand for a port or a module.
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

/// Letters, digits and underscores, not starting with a digit.
pub fn legal(wanted: &str) -> String {
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
    name
}

#[cfg(test)]
mod tests {
    use super::{Names, RESERVED};

    #[test]
    fn names_are_legal_and_unique() {
        let mut names = Names::default();
        let all: Vec<_> = ["a", "a", "a.b", "0", "wire", ""]
            .iter()
            .map(|n| names.unique(n))
            .collect();
        assert_eq!(all, ["a", "a_1", "a_b", "_0", "wire_1", "_"]);
        assert!(RESERVED.is_sorted() && super::RESERVED_IN_CPP.is_sorted());
    }
}
