//! Passes that any module may go through, under the names that mlir-opt gives them.

mod canonicalize;
mod inline;
mod sccp;
pub(crate) mod symbols;

use std::collections::BTreeSet;

use rayon::prelude::*;
use sluice_ir::definition::Traits;
use sluice_ir::{Attribute, AttributeKind, Body, Context, Diagnostics, Module, OperationId, View};

use crate::passes::{Run, Step};
use symbols::{Visibility, visibility};

/// The passes.
pub const GENERIC: &[Step] = &[
    Step {
        name: "canonicalize",
        reason: "for any module: folds, patterns, dead code, as mlir-opt names it",
        run: Run::Module(|_, context, module, _| {
            everywhere(context, module.inner_mut(), canonicalize::canonicalize);
        }),
    },
    Step {
        name: "func.func(canonicalize)",
        reason: "for any module: the same, in functions alone",
        run: Run::Bodies(|_, context, body, _| {
            everywhere(context, body, canonicalize::canonicalize);
        }),
    },
    Step {
        name: "cse",
        reason: "for any module: equal operations once, dead ones not at all",
        run: Run::Module(|_, context, module, _| {
            everywhere(context, module.inner_mut(), sluice_ir::simplify::cse);
        }),
    },
    Step {
        name: "func.func(cse)",
        reason: "for any module: the same, in functions alone",
        run: Run::Bodies(|_, context, body, _| {
            everywhere(context, body, sluice_ir::simplify::cse);
        }),
    },
    Step {
        name: "loop-invariant-code-motion",
        reason: "for any module: what does not change in a loop goes in front of it",
        run: Run::Module(|_, context, module, _| {
            everywhere(context, module.inner_mut(), sluice_transform::licm);
        }),
    },
    Step {
        name: "func.func(loop-invariant-code-motion)",
        reason: "for any module: the same, in functions alone",
        run: Run::Bodies(|_, context, body, _| everywhere(context, body, sluice_transform::licm)),
    },
    Step {
        name: "inline",
        reason: "for any module: calls become bodies, callees first; private functions that are used up go",
        run: Run::Module(|_, context, module, found| {
            let simplify = |context: &Context, body: &mut Body| {
                everywhere(context, body, canonicalize::canonicalize);
            };
            inline::module(context, module, Some(simplify), found);
        }),
    },
    Step {
        name: "inline{default-pipeline=}",
        reason: "for any module: the same, nothing is simplified on the way",
        run: Run::Module(|_, context, module, found| inline::module(context, module, None, found)),
    },
    Step {
        name: "sccp",
        reason: "for any module: values that are always the same constant, through branches, regions and calls",
        run: Run::Module(|_, context, module, _| sccp::module(context, module)),
    },
    Step {
        name: "func.func(sccp)",
        reason: "for any module: the same, each function for itself",
        run: Run::Module(|_, context, module, _| sccp::functions(context, module)),
    },
    Step {
        name: "lift-cf-to-scf",
        reason: "for any module: blocks and branches become conditionals and loops",
        run: Run::Module(|_, context, module, found| {
            let lift = sluice_transform::lift_cf_to_scf;
            found.append(everywhere_reporting(context, module.inner_mut(), lift));
        }),
    },
    Step {
        name: "symbol-dce",
        reason: "for any module: private symbols that nothing refers to",
        run: Run::Module(|_, context, module, _| symbol_dce(context, module)),
    },
];

/// Runs on the bodies of the isolated operations in `body`, in parallel, and then on `body` itself.
fn everywhere(context: &Context, body: &mut Body, run: fn(&Context, &mut Body)) {
    let isolated = body.isolated_bodies_mut();
    isolated
        .into_par_iter()
        .for_each(|(_, inner)| everywhere(context, inner, run));
    run(context, body);
}

/// As [`everywhere`]; what is found is in the order of the text.
fn everywhere_reporting(
    context: &Context,
    body: &mut Body,
    run: fn(&Context, &mut Body, &mut Diagnostics),
) -> Diagnostics {
    let isolated = body.isolated_bodies_mut();
    let found: Vec<Diagnostics> = isolated
        .into_par_iter()
        .map(|(_, inner)| everywhere_reporting(context, inner, run))
        .collect();
    let mut all = Diagnostics::new();
    for one in found {
        all.append(one);
    }
    run(context, body, &mut all);
    all
}

/// Names of passes in a pipeline as mlir-opt writes it: `builtin.module(func.func(canonicalize,cse),symbol-dce)`.
///
/// # Errors
/// What cannot be understood, with its column.
pub fn pipeline_names(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut groups: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut after_group = false;
    let mut in_options = false;
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        let word = text[start..at].trim();
        let fault = |what: &str| Err(format!("pass pipeline, column {}: {what}", at + 1));
        match c {
            '(' if word.is_empty() => return fault("expected the name of an operation before `(`"),
            '(' => groups.push(word),
            ',' | ')' => {
                if !word.is_empty() {
                    let word: String = word.split_whitespace().collect();
                    names.push(name_within(groups.last().copied(), &word));
                } else if !after_group && !text.is_empty() && c != ')' {
                    return fault("expected the name of a pass");
                }
                if c == ')' && groups.pop().is_none() {
                    return fault("`)` without `(`");
                }
            }
            '{' => {
                in_options = true;
                continue;
            }
            '}' => {
                let full: String = format!("{word}}}").split_whitespace().collect();
                if !std::mem::take(&mut in_options) || !GENERIC.iter().any(|s| s.name == full) {
                    return fault("options of passes are not supported");
                }
                continue;
            }
            _ => continue,
        }
        after_group = c == ')';
        start = at + c.len_utf8();
    }
    match groups.is_empty() {
        true => Ok(names),
        false => Err(format!(
            "pass pipeline, column {}: expected `)`",
            text.len() + 1
        )),
    }
}

/// The name of a pass in a group, which is another where the pass does something else there.
fn name_within(group: Option<&str>, word: &str) -> String {
    let full = group.map(|group| format!("{group}({word})"));
    let known = full.filter(|full| GENERIC.iter().any(|step| step.name == full));
    known.unwrap_or_else(|| word.to_owned())
}

/// Erases private symbols at the top level that nothing refers to, until there are none.
fn symbol_dce(context: &Context, module: &mut Module) {
    loop {
        let mut used = BTreeSet::new();
        references(context, &module.body, module.operation, &mut used);
        let dead: Vec<OperationId> = module
            .top_level_operations()
            .into_iter()
            .filter(|op| {
                let view = View::new(context, module.inner(), *op);
                view.has(Traits::SYMBOL)
                    && visibility(view) == Visibility::Private
                    && view.symbol_name().is_some_and(|name| !used.contains(name))
            })
            .collect();
        if dead.is_empty() {
            return;
        }
        for op in dead {
            module.inner_mut().erase(op);
        }
    }
}

/// The roots of all symbol references in the attributes of `op` and below.
fn references<'c>(
    context: &'c Context,
    body: &Body,
    op: OperationId,
    used: &mut BTreeSet<&'c str>,
) {
    for (_, attribute) in body.attributes(op) {
        references_of(context, *attribute, used);
    }
    let inner = body.inner(op);
    for region in body.regions(op) {
        for block in inner.blocks(*region) {
            for op in inner.operations(*block) {
                references(context, inner, op, used);
            }
        }
    }
}

fn references_of<'c>(context: &'c Context, attribute: Attribute, used: &mut BTreeSet<&'c str>) {
    match attribute.kind(context) {
        AttributeKind::SymbolRef { root, .. } => {
            used.insert(context.text(*root));
        }
        AttributeKind::Array(elements) => {
            for element in elements {
                references_of(context, *element, used);
            }
        }
        AttributeKind::Dictionary(entries) => {
            for (_, value) in entries {
                references_of(context, *value, used);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::pipeline_names;

    #[test]
    fn pipelines() {
        let names = |text: &str| pipeline_names(text).map(|names| names.join(" "));
        assert_eq!(
            names("builtin.module(func.func(canonicalize, cse),symbol-dce)"),
            Ok("func.func(canonicalize) func.func(cse) symbol-dce".to_owned())
        );
        assert_eq!(names("cse"), Ok("cse".to_owned()));
        assert_eq!(names("builtin.module()"), Ok(String::new()));
        for wrong in [
            "builtin.module(cse",
            "cse)",
            "cse,,cse",
            "(cse)",
            "cse{max=1}",
        ] {
            assert!(pipeline_names(wrong).is_err(), "{wrong}");
        }
    }
}
