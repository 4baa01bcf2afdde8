//! The `print-op-stats` pass: how often each operation occurs.
//!
//! The pass changes nothing. Its report goes to the standard error, so the driver of the passes asks for the text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sluice_ir::View;

use crate::pipeline::PassCall;

/// Name of the pass.
pub const NAME: &str = "print-op-stats";

/// Returns the report about an operation and everything in it: a table, or JSON if the option of the call says so.
pub fn report(call: &PassCall, view: View<'_>) -> String {
    let mut counts = BTreeMap::new();
    count(view, &mut counts);
    match call.options.flag("json") {
        true => json(&counts),
        false => table(&counts),
    }
}

fn count<'a>(view: View<'a>, counts: &mut BTreeMap<&'a str, u64>) {
    *counts.entry(view.name()).or_default() += 1;
    let inner = view.inner();
    for block in view.regions().iter().flat_map(|r| inner.blocks(*r)) {
        for op in inner.operations(*block) {
            count(View::new(view.context, inner, op), counts);
        }
    }
}

/// As upstream, the parts of a name before and after the dot are columns of their own.
fn table(counts: &BTreeMap<&str, u64>) -> String {
    let parts = |name: &'_ str| -> (String, String) {
        match name.split_once('.') {
            Some((dialect, rest)) => (dialect.to_owned(), rest.to_owned()),
            None => (String::new(), name.to_owned()),
        }
    };
    let widths = counts.keys().map(|name| {
        let (dialect, rest) = parts(name);
        (dialect.len(), rest.len())
    });
    let (mut wide_dialect, mut wide_rest) = (0, 0);
    for (dialect, rest) in widths {
        wide_dialect = wide_dialect.max(dialect);
        wide_rest = wide_rest.max(rest);
    }
    let mut text = String::from("Operations encountered:\n-----------------------\n");
    for (name, count) in counts {
        let (dialect, rest) = parts(name);
        let line = match dialect.is_empty() {
            true => format!("{:>wide_dialect$}   {rest:<wide_rest$}", ""),
            false => format!("  {dialect:>wide_dialect$}.{rest:<wide_rest$}"),
        };
        let _ = writeln!(text, "{line} , {count}");
    }
    text
}

fn json(counts: &BTreeMap<&str, u64>) -> String {
    let lines = counts
        .iter()
        .map(|(name, count)| format!("  \"{name}\" : {count}"));
    let lines: Vec<String> = lines.collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
