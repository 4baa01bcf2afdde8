//! Lint pragmas for Verilator, each around the one declaration that it is about: bits that nothing reads, and modules in the file of another.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sluice_dialects::hw;
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Module, View};

/// The bits of nets that are read, by the names of the nets.
#[derive(Default)]
pub(crate) struct Reads {
    nets: BTreeMap<String, Bits>,
}

impl Reads {
    /// Declares a net with this width, of which no bit is read yet.
    pub(crate) fn declare(&mut self, name: &str, width: u32) {
        self.nets.insert(name.to_owned(), Bits::zero(width));
    }

    /// Marks bits of a net as read.
    pub(crate) fn mark(&mut self, name: &str, low: u32, width: u32) {
        if let Some(read) = self.nets.get_mut(name) {
            let high = read.width();
            if low + width <= high {
                *read = read.or(&Bits::ones(width).zext(high).shl_by(low));
            }
        }
    }

    fn has_unread_bits(&self, name: &str) -> bool {
        let read = self.nets.get(name);
        read.is_some_and(|read| read.width() > 0 && !read.is_all_ones())
    }

    /// The text of a module with pragmas around the declarations of nets of which not every bit is read: a sum keeps its upper bits although an
    /// address takes the lower ones, and ports are what the interface says.
    pub(crate) fn with_pragmas(&self, text: &str) -> String {
        let mut marked = String::with_capacity(text.len());
        for line in text.lines() {
            let is_unread = declared(line).is_some_and(|name| self.has_unread_bits(name));
            match is_unread {
                true => {
                    let (code, place) = line.split_at(line.find(" //").unwrap_or(line.len()));
                    let code = code.trim_start();
                    let _ = writeln!(
                        marked,
                        "  /* verilator lint_off UNUSEDSIGNAL */ {code} /* verilator lint_on UNUSEDSIGNAL */{place}"
                    );
                }
                false => {
                    marked.push_str(line);
                    marked.push('\n');
                }
            }
        }
        marked
    }
}

/// The net that a line declares as an input or inside of a module.
fn declared(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("  ")?;
    let is_declaration = ["input ", "inout ", "wire ", "reg "]
        .iter()
        .any(|word| rest.starts_with(word));
    let code = rest.split(" //").next().unwrap_or(rest);
    let code = code.split(" = ").next().unwrap_or(code);
    let code = code.trim_end_matches([',', ';']);
    let name = code.rsplit(' ').next()?;
    is_declaration.then_some(name)
}

/// The modules of a text that a file named after its top is not named after: those that others have instances of; all, where several are on top.
pub(crate) fn without_own_file(context: &Context, module: &Module) -> BTreeSet<String> {
    let inner = module.inner();
    let all = module.top_level_operations().into_iter();
    let all = all.map(|op| View::new(context, inner, op));
    let all: Vec<View<'_>> = all.filter(|view| view.name() == hw::Module::NAME).collect();
    let used: BTreeSet<&str> = all
        .iter()
        .flat_map(|view| {
            let body = view.inner();
            let ops = body.walk_all().into_iter();
            ops.filter_map(move |op| {
                let module = View::new(context, body, op).attribute("moduleName")?;
                module.as_flat_symbol(context)
            })
        })
        .collect();
    let names = || all.iter().filter_map(|view| view.symbol_name());
    let n_tops = names().filter(|name| !used.contains(name)).count();
    let is_other = |name: &&str| n_tops > 1 || used.contains(name);
    names().filter(is_other).map(str::to_owned).collect()
}

/// The text of a module in the file of another one.
pub(crate) fn in_file_of_another(text: &str) -> String {
    let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
    format!(
        "/* verilator lint_off DECLFILENAME */\n{header}\n/* verilator lint_on DECLFILENAME */\n{rest}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_with_bits_that_nothing_reads_are_marked() {
        let mut reads = Reads::default();
        for (name, width) in [("a", 8), ("b", 8), ("c", 1), ("d", 4)] {
            reads.declare(name, width);
        }
        reads.mark("a", 0, 5);
        reads.mark("a", 5, 3);
        reads.mark("b", 1, 7);
        let text = "module m (\n  input  wire [7:0] a,\n  input  wire [7:0] b, // k.mlir:1\n  output wire c\n);\n  reg  [3:0] d = 4'd0;\n  assign c = a[0];\n";
        let expected = "module m (\n  input  wire [7:0] a,\n  \
             /* verilator lint_off UNUSEDSIGNAL */ input  wire [7:0] b, /* verilator lint_on UNUSEDSIGNAL */ // k.mlir:1\n  \
             output wire c\n);\n  \
             /* verilator lint_off UNUSEDSIGNAL */ reg  [3:0] d = 4'd0; /* verilator lint_on UNUSEDSIGNAL */\n  \
             assign c = a[0];\n";
        assert_eq!(reads.with_pragmas(text), expected);
    }
}
