//! Reproducers: a module together with the pipeline that is to run on it, in the file format of mlir-opt.
//!
//! The pipeline and the settings of the run are in the external resource `mlir_reproducer`.

use sluice_ir::resources::{Resource, ResourceGroup, ResourceValue};
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Context, Module};
use sluice_passes::pipeline::{Anchor, Pipeline};

use crate::pipeline::all_names;
use crate::run_passes::Placed;

/// The external resource of a reproducer.
const OWNER: &str = "mlir_reproducer";

/// The keys of the resource.
const PIPELINE: &str = "pipeline";
const DISABLE_THREADING: &str = "disable_threading";
const VERIFY_EACH: &str = "verify_each";

/// The settings of a run that a reproducer keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Whether the run had one thread. The result does not depend on it.
    pub(super) is_single_threaded: bool,
    /// Whether the module is verified after each pass.
    pub(super) verifies_each: bool,
}

/// A pipeline with its settings, as a file gives them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) pipeline: Pipeline,
    pub(super) verifies_each: Option<bool>,
}

/// Takes the reproducer out of the resources of a module; `None` if there is none.
///
/// # Errors
/// A key or a value that does not belong there, or a pipeline that cannot be read.
pub(super) fn take(module: &mut Module, file: &str) -> Result<Option<Found>, String> {
    let groups = std::mem::take(&mut module.resources.external);
    let (own, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| g.owner == OWNER);
    module.resources.external = others;
    let wrong = |what: String| format!("{file}: error: resource `{OWNER}`: {what}\n");
    let mut found = None;
    for Resource { key, value } in own.into_iter().flat_map(|group| group.entries) {
        let found = found.get_or_insert_with(|| Found {
            pipeline: Pipeline::default(),
            verifies_each: None,
        });
        match (key.as_str(), value) {
            (PIPELINE, ResourceValue::String(text)) => {
                found.pipeline = Pipeline::parse(&text, &all_names())
                    .map_err(|why| wrong(format!("the pipeline cannot run here\n{why}")))?;
            }
            (PIPELINE, _) => return Err(wrong(format!("`{PIPELINE}` must be a string"))),
            (VERIFY_EACH, ResourceValue::Bool(flag)) => found.verifies_each = Some(flag),
            // The number of threads does not change the result.
            (DISABLE_THREADING, ResourceValue::Bool(_)) => {}
            (VERIFY_EACH | DISABLE_THREADING, _) => {
                return Err(wrong(format!("`{key}` must be `true` or `false`")));
            }
            _ => {
                let known = [PIPELINE, DISABLE_THREADING, VERIFY_EACH];
                let hint = did_you_mean(&key, &known);
                return Err(wrong(format!("unknown key `{key}`; {hint}")));
            }
        }
    }
    Ok(found)
}

/// Returns the text of a module with its pipeline.
pub(super) fn of_pipeline(
    context: &Context,
    module: &Module,
    pipeline: &Pipeline,
    settings: Settings,
) -> String {
    let root = module.view(context).name();
    let anchored = Pipeline {
        anchor: match &pipeline.anchor {
            Anchor::Any => Anchor::Named(root.to_owned()),
            Anchor::Named(name) => Anchor::Named(name.clone()),
        },
        ..pipeline.clone()
    };
    text(context, module, &anchored.to_string(), settings)
}

/// Returns the text of a module with one pass of its pipeline.
pub(super) fn of_pass(
    context: &Context,
    module: &Module,
    pass: &Placed<'_>,
    settings: Settings,
) -> String {
    let mut pipeline = pass.call.to_string();
    let anchors: Vec<String> = pass.path.anchors().map(ToString::to_string).collect();
    let root = module.view(context).name().to_owned();
    for anchor in anchors.iter().rev().chain([&root]) {
        pipeline = format!("{anchor}({pipeline})");
    }
    text(context, module, &pipeline, settings)
}

fn text(context: &Context, module: &Module, pipeline: &str, settings: Settings) -> String {
    let entry = |key: &str, value| Resource {
        key: key.to_owned(),
        value,
    };
    let mut module = module.clone();
    module.resources.external.push(ResourceGroup {
        owner: OWNER.to_owned(),
        entries: vec![
            entry(PIPELINE, ResourceValue::String(pipeline.to_owned())),
            entry(
                DISABLE_THREADING,
                ResourceValue::Bool(settings.is_single_threaded),
            ),
            entry(VERIFY_EACH, ResourceValue::Bool(settings.verifies_each)),
        ],
    });
    print_module(context, &module, &PrintOptions::default())
}
