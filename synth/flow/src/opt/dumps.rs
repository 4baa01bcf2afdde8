//! Prints the module before and after passes, under the headers of mlir-opt.
//!
//! Differs from mlir-opt: a pass runs on all operations of its pipeline before the next pass runs, so the dumps of one pass are
//! together.

use std::collections::BTreeSet;

use sluice_ir::passes::Outcome;
use sluice_ir::text::{PrintOptions, print_module, print_operation};
use sluice_ir::{Context, Diagnostics, Location, Module, Severity, View};
use sluice_passes::named;
use sluice_passes::pipeline::{Element, Pipeline};

use crate::run_passes::Placed;

/// A selection of passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// No pass.
    #[default]
    None,
    /// Every pass.
    All,
    /// The passes with these names.
    Passes(Vec<&'static str>),
}

impl Selection {
    /// Returns true if a pass with this name is selected.
    fn has(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Passes(names) => names.contains(&name),
        }
    }
}

/// The passes before and after which the module is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dumps {
    /// Passes before which it is printed.
    pub before: Selection,
    /// Passes after which it is printed.
    pub after: Selection,
    /// After a pass, print only what the pass has changed.
    pub only_changed: bool,
    /// After a pass, print only if the pass has failed.
    pub only_failed: bool,
    /// Print the whole module, also for a pass that runs on operations inside it.
    pub module_scope: bool,
}

impl Dumps {
    /// Returns true if the operations of a pass are compared before and after it.
    pub(super) fn compares(&self, pass: &Placed<'_>) -> bool {
        self.only_changed && !self.only_failed && self.after.has(pass.call.name)
    }

    /// Returns a warning for each selected pass that the pipeline does not have.
    pub(super) fn missing(&self, pipeline: &Pipeline) -> Vec<String> {
        let mut run = BTreeSet::new();
        names_in(pipeline, &mut run);
        let options = [("before", &self.before), ("after", &self.after)];
        let absent = options.into_iter().flat_map(|(when, selection)| {
            let names = match selection {
                Selection::None | Selection::All => &[][..],
                Selection::Passes(names) => names,
            };
            let absent = names.iter().filter(|name| !run.contains(*name));
            absent.map(move |name| {
                format!("`--mlir-print-ir-{when}={name}` prints nothing: the pipeline does not run `{name}`")
            })
        });
        absent.collect()
    }

    /// Returns the text to print before a pass.
    pub(super) fn text_before(
        &self,
        context: &Context,
        pass: &Placed<'_>,
        module: &Module,
        options: &PrintOptions,
    ) -> Option<String> {
        self.before.has(pass.call.name).then(|| {
            let all = pass.path.operations(context, module).into_iter();
            all.map(|view| self.dump("Before", pass, view, module, options))
                .collect()
        })
    }

    /// Returns the text to print after a pass; `changed` tells which of its operations have changed, if they are compared.
    pub(super) fn text_after(
        &self,
        (pass, outcome): (&Placed<'_>, Outcome),
        (context, module): (&Context, &Module),
        diagnostics: &Diagnostics,
        changed: Option<&[bool]>,
        options: &PrintOptions,
    ) -> Option<String> {
        let has_failed = match outcome {
            Outcome::Failed | Outcome::Invalid => true,
            Outcome::Done | Outcome::Skipped => false,
        };
        let is_asked = self.only_failed || self.after.has(pass.call.name);
        if !is_asked || (self.only_failed && !has_failed) {
            return None;
        }
        let mut operations = pass.path.operations(context, module);
        if has_failed {
            operations = where_it_failed(operations, diagnostics);
            let all = operations.into_iter();
            let dumps = all.map(|view| self.dump("After", pass, view, module, options));
            return Some(
                dumps
                    .map(|dump| dump.replacen(" (", " Failed (", 1))
                    .collect(),
            );
        }
        let all = operations.into_iter().enumerate();
        let shown = all.filter(|(index, _)| {
            let changed = changed.and_then(|changed| changed.get(*index));
            *changed.unwrap_or(&true)
        });
        let dumps = shown.map(|(_, view)| self.dump("After", pass, view, module, options));
        Some(dumps.collect())
    }

    /// Returns the header and the text of one operation.
    fn dump(
        &self,
        when: &str,
        pass: &Placed<'_>,
        view: View<'_>,
        module: &Module,
        options: &PrintOptions,
    ) -> String {
        let name = pass.call.name;
        let mut header = format!("// -----// IR Dump {when} {} ({name})", class_of(name));
        if self.module_scope {
            header += &format!(" ('{}' operation", view.name());
            if let Some(symbol) = view.symbol_name() {
                header += &format!(": @{symbol}");
            }
            header += ")";
        }
        let is_root = pass.path.anchors().len() == 0;
        let text = match self.module_scope || is_root {
            true => text_of_module(view.context, module, options),
            false => {
                let options = PrintOptions {
                    local_scope: true,
                    ..*options
                };
                print_operation(view.context, view.body, view.id, &options)
            }
        };
        format!("{header} //----- //\n{text}\n\n")
    }
}

/// Prints a module as mlir-opt prints its top-level operation: aliases at the end have a line of their own.
fn text_of_module(context: &Context, module: &Module, options: &PrintOptions) -> String {
    let mut text = print_module(context, module, options);
    if options.local_scope && text.ends_with('\n') {
        text.pop();
    }
    text
}

/// Keeps the operations that hold the location of an error; all of them if none does.
fn where_it_failed<'m>(operations: Vec<View<'m>>, diagnostics: &Diagnostics) -> Vec<View<'m>> {
    let all = diagnostics.all.iter();
    let errors = all.filter(|found| found.severity == Severity::Error);
    let places: BTreeSet<Location> = errors.map(|error| error.location).collect();
    let failed: Vec<View<'m>> = operations
        .iter()
        .copied()
        .filter(|view| any_operation(*view, &|view| places.contains(&view.location())))
        .collect();
    match failed.is_empty() {
        true => operations,
        false => failed,
    }
}

/// Returns true if a condition holds for an operation or for one nested in it.
fn any_operation(view: View<'_>, holds: &dyn Fn(View<'_>) -> bool) -> bool {
    let inner = view.inner();
    let mut blocks = view.regions().iter().flat_map(|r| inner.blocks(*r));
    holds(view)
        || blocks.any(|block| {
            let mut ops = inner.operations(*block);
            ops.any(|op| any_operation(View::new(view.context, inner, op), holds))
        })
}

/// Adds the names of the passes of a pipeline, also of those inside it.
fn names_in(pipeline: &Pipeline, names: &mut BTreeSet<&'static str>) {
    for element in &pipeline.elements {
        match element {
            Element::Pass(call) => {
                names.insert(call.name);
            }
            Element::Nested(nested) => names_in(nested, names),
        }
    }
}

/// Returns the name of the class of a pass: the one that mlir-opt prints, or its own name in the same form.
pub(super) fn class_of(name: &str) -> String {
    if let Some(pass) = named(name) {
        return pass.class.to_owned();
    }
    let words = name.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}
