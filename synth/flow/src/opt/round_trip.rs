//! Round trips: a module that is printed and read again must be the same, as text and as bytecode.

use sluice_ir::text::{ParseOptions, PrintOptions, parse_module_with, print_module};
use sluice_ir::{Context, Diagnostics, Module, bytecode};

/// Name of the printed module in messages.
const PRINTED: &str = "printed module";

/// Reads the module again from each of its forms, and compares.
///
/// Custom forms leave out the locations of block arguments, so locations are compared for the other forms only.
///
/// # Errors
/// A message with the first difference, or with the reason why the module cannot be read again.
pub(super) fn check(context: &Context, module: &Module, parse: ParseOptions) -> Result<(), String> {
    let (custom, generic) = (PrintOptions::default(), with_locations());
    for (form, options) in [("text", custom), ("text in the generic form", generic)] {
        let text = print_module(context, module, &options);
        let mut found = Diagnostics::new();
        let again = parse_module_with(context, &text, PRINTED, parse, &mut found);
        let again = again.ok_or_else(|| unreadable(context, form, &found, &text))?;
        let options = PrintOptions {
            locations: options.locations,
            ..generic
        };
        compare(context, (module, &again), form, &options)?;
    }
    let form = "bytecode";
    let data = bytecode::write(context, module, &bytecode::WriteOptions::default());
    let data = data.map_err(|why| format!("the module cannot be written as {form}: {why}\n"))?;
    let mut found = Diagnostics::new();
    let again = bytecode::read_with(context, &data, PRINTED, parse, &mut found);
    let again = again.ok_or_else(|| unreadable(context, form, &found, ""))?;
    compare(context, (module, &again), form, &generic)
}

fn with_locations() -> PrintOptions {
    PrintOptions {
        generic: true,
        locations: true,
        local_scope: true,
        ..PrintOptions::default()
    }
}

fn unreadable(context: &Context, form: &str, found: &Diagnostics, text: &str) -> String {
    let why = found.render(context, &[(PRINTED, text)]);
    format!("the module cannot be read again from its {form}\n{why}")
}

fn compare(
    context: &Context,
    (before, after): (&Module, &Module),
    form: &str,
    options: &PrintOptions,
) -> Result<(), String> {
    let text = |module| print_module(context, module, options);
    match difference(&text(before), &text(after)) {
        None => Ok(()),
        Some(difference) => Err(format!(
            "the module is another one after a round trip through {form}; {difference}"
        )),
    }
}

/// Returns the first line that differs, if there is one.
fn difference(before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let mut lines = (before.lines(), after.lines());
    let mut number = 1;
    loop {
        match (lines.0.next(), lines.1.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (None, None) => return Some("line ends differ\n".to_owned()),
            (a, b) => {
                let (a, b) = (a.unwrap_or_default().trim(), b.unwrap_or_default().trim());
                return Some(format!(
                    "line {number} of the generic form:\n    before: {a}\n    after:  {b}\n"
                ));
            }
        }
    }
}
