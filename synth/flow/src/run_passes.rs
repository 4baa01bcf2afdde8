//! Runs a pass pipeline on a module: finds the operations for each pass, and reports those on which it cannot run.

use rayon::prelude::*;
use sluice_config::Config;
use sluice_dialects::func;
use sluice_ir::definition::Traits;
use sluice_ir::passes::{Observer, Outcome, Pass, PassManager, Scope};
use sluice_ir::suggestion::nearest;
use sluice_ir::{Body, Context, Diagnostics, Module, OperationId, View};
use sluice_kernel::frontend::choose_top;
use sluice_passes::pipeline::{Anchor, Element, PassCall, Pipeline, ROOT};
use sluice_passes::{GenericPass, named, runs_on_bodies};
use sluice_search::setting::{Setting, Step};

use crate::passes::ORDER;
use crate::pipeline::synthesis_steps;

/// Name of the step before each pass that checks the form the pass expects.
const EXPECTATION: &str = "expectation";

/// The operations that a step of a pipeline runs on: operations with the last anchor, directly inside operations with the
/// previous anchor, and so on.
#[derive(Clone)]
pub(crate) struct Path(Vec<(Anchor, usize)>);

impl Path {
    /// Returns the anchors, from outside to inside.
    pub(crate) fn anchors(&self) -> impl ExactSizeIterator<Item = &Anchor> {
        self.0.iter().map(|(anchor, _)| anchor)
    }

    /// Returns the operations of a module that a pass runs on, in source order.
    pub(crate) fn operations<'m>(&self, context: &'m Context, module: &'m Module) -> Vec<View<'m>> {
        let mut operations = vec![module.view(context)];
        for (anchor, column) in &self.0 {
            let inside = operations.iter().flat_map(|owner| {
                let found = anchored(*owner, anchor, *column).unwrap_or_default();
                let inner = owner.inner();
                let views = found.into_iter();
                views.map(move |op| View::new(context, inner, op))
            });
            operations = inside.collect();
        }
        operations
    }
}

/// A pass at its place in a pipeline.
pub(crate) struct Placed<'a> {
    /// Its position among the passes of the pipeline.
    pub(crate) number: usize,
    /// The pass with its options.
    pub(crate) call: &'a PassCall,
    /// The operations that it runs on.
    pub(crate) path: Path,
}

/// Sees the module before and after each pass of a pipeline.
pub(crate) trait Watcher {
    /// A pass begins.
    fn before(&mut self, pass: &Placed<'_>, module: &Module);

    /// A pass has ended; `diagnostics` are those of all passes so far.
    fn after(
        &mut self,
        pass: &Placed<'_>,
        module: &Module,
        outcome: Outcome,
        diagnostics: &Diagnostics,
    );
}

/// The passes of a pipeline, ready to run.
struct Plan<'a> {
    manager: PassManager<'a>,
    /// For each pass of the manager, its place in the pipeline; none for checks of the expected form.
    places: Vec<Option<Placed<'a>>>,
}

impl<'a> Plan<'a> {
    fn add(&mut self, pass: Pass<'a>, call: &'a PassCall, path: &Path) {
        let number = self.places.iter().flatten().count();
        self.manager.add(pass);
        self.places.push(Some(Placed {
            number,
            call,
            path: path.clone(),
        }));
    }
}

/// Passes on what the pass manager does. A check of the expected form that fails is a failure of the pass after it.
struct Watching<'a, 'w> {
    places: Vec<Option<Placed<'a>>>,
    watcher: &'w mut dyn Watcher,
}

impl Observer for Watching<'_, '_> {
    fn before(&mut self, number: usize, _: &str, module: &Module) {
        if let Some(place) = &self.places[number] {
            self.watcher.before(place, module);
        }
    }

    fn after(
        &mut self,
        number: usize,
        _: &str,
        module: &Module,
        outcome: Outcome,
        diagnostics: &Diagnostics,
    ) {
        match (&self.places[number], outcome) {
            (Some(place), _) => self.watcher.after(place, module, outcome, diagnostics),
            (None, Outcome::Done | Outcome::Skipped) => {}
            (None, Outcome::Failed | Outcome::Invalid) => {
                if let Some(Some(place)) = self.places.get(number + 1) {
                    self.watcher.before(place, module);
                    self.watcher.after(place, module, outcome, diagnostics);
                }
            }
        }
    }
}

/// A pipeline, and whether the module is verified after each of its passes, or only after the last one.
#[derive(Clone, Copy)]
pub(crate) struct Passes<'p> {
    pub(crate) pipeline: &'p Pipeline,
    pub(crate) verifies_each: bool,
}

/// Calls a function after each pass that did not report an error.
pub(crate) struct AfterEach<'f>(pub(crate) &'f mut dyn FnMut(&str, &Module));

impl Watcher for AfterEach<'_> {
    fn before(&mut self, _: &Placed<'_>, _: &Module) {}

    fn after(&mut self, pass: &Placed<'_>, module: &Module, outcome: Outcome, _: &Diagnostics) {
        match outcome {
            Outcome::Done | Outcome::Skipped | Outcome::Invalid => (self.0)(pass.call.name, module),
            Outcome::Failed => {}
        }
    }
}

/// Runs a pipeline; `watcher` sees the module before and after each pass.
///
/// # Errors
/// A pass that cannot run on the operations of its pipeline, or an unknown device. Errors that the passes find go to
/// `diagnostics`.
pub(crate) fn run(
    context: &Context,
    module: &mut Module,
    passes: Passes<'_>,
    config: &Config,
    diagnostics: &mut Diagnostics,
    watcher: &mut dyn Watcher,
) -> Result<(), String> {
    let pipeline = passes.pipeline;
    let root = module.view(context).name();
    if !matches!(&pipeline.anchor, Anchor::Any) && pipeline.anchor != Anchor::Named(root.to_owned())
    {
        let anchor = &pipeline.anchor;
        return Err(format!(
            "error: pass pipeline, column {}: a pipeline of `{anchor}` cannot run on `{root}`, which holds the file: write `{root}({pipeline})`\n",
            pipeline.column
        ));
    }
    if pipeline.is_empty() {
        return Ok(());
    }
    let top = choose_top(context, module, config).unwrap_or_default();
    let device = config.device().map_err(|why| format!("error: {why}\n"))?;
    let setting = Setting::new(config, &top, &device, &ORDER);
    let mut plan = Plan {
        manager: PassManager::new(),
        places: Vec::new(),
    };
    if !passes.verifies_each {
        plan.manager.do_not_verify_each();
    }
    add(&mut plan, pipeline, &Path(Vec::new()), &setting)?;
    warn_of_unknown(context, module, pipeline, diagnostics);
    let mut watching = Watching {
        places: plan.places,
        watcher,
    };
    let manager = plan.manager;
    manager.run_observed(context, module, diagnostics, &mut watching);
    Ok(())
}

/// Adds the passes of a pipeline to the plan.
fn add<'a>(
    plan: &mut Plan<'a>,
    pipeline: &'a Pipeline,
    path: &Path,
    setting: &'a Setting<'a>,
) -> Result<(), String> {
    for element in &pipeline.elements {
        match element {
            Element::Nested(nested) => {
                let mut path = path.clone();
                path.0.push((nested.anchor.clone(), nested.column));
                add(plan, nested, &path, setting)?;
            }
            Element::Pass(call) => match named(call.name) {
                Some(pass) => plan.add(generic(pass, call, path), call, path),
                None => synthesis(plan, call, path, setting)?,
            },
        }
    }
    Ok(())
}

/// Adds a synthesis pass, which runs on the module or on each of its functions.
fn synthesis<'a>(
    plan: &mut Plan<'a>,
    call: &'a PassCall,
    path: &Path,
    setting: &'a Setting<'a>,
) -> Result<(), String> {
    let step: &Step = synthesis_steps()
        .find(|step| step.name == call.name)
        .expect("names of passes are checked when a pipeline is read");
    let of_functions = step.runs_on_bodies();
    let fits = match path.0.as_slice() {
        [] => true,
        [(anchor, _)] => of_functions && *anchor == Anchor::Named(func::Func::NAME.to_owned()),
        _ => false,
    };
    if !fits {
        let where_it_runs = match of_functions {
            true => format!(
                "the functions of the file: write `{ROOT}(func.func({}))`",
                call.name
            ),
            false => format!("the whole file: write `{ROOT}({})`", call.name),
        };
        let anchors: Vec<String> = path.anchors().map(ToString::to_string).collect();
        return Err(format!(
            "error: pass pipeline, column {}: `{}` does not run on `{}`, but on {where_it_runs}\n",
            call.column,
            call.name,
            anchors.join(" > ")
        ));
    }
    let wanted = step.name;
    let check = move |context: &Context, module: &mut Module, found: &mut Diagnostics| {
        crate::forms::check(context, module, wanted, found);
    };
    plan.manager.add(Pass {
        name: EXPECTATION,
        scope: Scope::Module(Box::new(check)),
        applies: None,
    });
    plan.places.push(None);
    plan.add(step.with(setting), call, path);
    Ok(())
}

fn generic<'a>(pass: &'static GenericPass, call: &'a PassCall, path: &Path) -> Pass<'a> {
    let path = path.clone();
    let run = move |context: &Context, module: &mut Module, found: &mut Diagnostics| {
        let op = module.operation;
        let step = Generic { pass, call };
        found.append(step.along(context, &mut module.body, op, &path.0, true));
    };
    Pass {
        name: pass.name,
        scope: Scope::Module(Box::new(run)),
        applies: None,
    }
}

struct Generic<'a> {
    pass: &'static GenericPass,
    call: &'a PassCall,
}

impl Generic<'_> {
    /// Runs the pass on `op` if the path is empty; otherwise on the operations inside `op` that the rest of the path names.
    fn along(
        &self,
        context: &Context,
        body: &mut Body,
        op: OperationId,
        path: &[(Anchor, usize)],
        is_root: bool,
    ) -> Diagnostics {
        let options = &self.call.options;
        let Some(((anchor, column), rest)) = path.split_first() else {
            return self.pass.run_on(context, body, op, is_root, options);
        };
        let wanted = match anchored(View::new(context, body, op), anchor, *column) {
            Ok(wanted) => wanted,
            Err(wrong) => return wrong,
        };
        let inner = body.inner_mut(op);
        let all: Vec<Diagnostics> = if rest.is_empty() && runs_on_bodies(self.pass.name) {
            let mut bodies = inner.isolated_bodies_mut();
            bodies.retain(|(op, _)| wanted.contains(op));
            let bodies = bodies.into_par_iter();
            bodies
                .map(|(_, body)| self.pass.run_in(context, body, options))
                .collect()
        } else {
            let ops = wanted.into_iter();
            ops.map(|op| self.along(context, inner, op, rest, false))
                .collect()
        };
        let mut found = Diagnostics::new();
        for one in all {
            found.append(one);
        }
        found
    }
}

/// Returns the operations directly in `owner` that an anchor names; reports an error for those on which no pass can run.
fn anchored(
    owner: View<'_>,
    anchor: &Anchor,
    column: usize,
) -> Result<Vec<OperationId>, Diagnostics> {
    let inner = owner.inner();
    let blocks = owner.regions().iter().flat_map(|r| inner.blocks(*r));
    let ops = blocks.flat_map(|block| inner.operations(*block));
    let mut wanted = Vec::new();
    for op in ops {
        let view = View::new(owner.context, inner, op);
        let is_isolated = view.has(Traits::ISOLATED_FROM_ABOVE) && inner.is_isolated(op);
        match anchor {
            Anchor::Any if is_isolated => wanted.push(op),
            Anchor::Any => {}
            Anchor::Named(name) if view.name() != name => {}
            Anchor::Named(_) if is_isolated => wanted.push(op),
            Anchor::Named(name) => {
                let why = match view.definition() {
                    None => "its dialect is not registered",
                    Some(_) => "it is not isolated from above",
                };
                let message = format!(
                    "no pass can run on `{name}` alone, as the pass pipeline asks in column {column}: {why}"
                );
                let mut wrong = Diagnostics::new();
                wrong.error(view.location(), message);
                return Err(wrong);
            }
        }
    }
    Ok(wanted)
}

/// Warns about anchors that no dialect declares: no pass will run on them.
fn warn_of_unknown(
    context: &Context,
    module: &Module,
    pipeline: &Pipeline,
    diagnostics: &mut Diagnostics,
) {
    for element in &pipeline.elements {
        let Element::Nested(nested) = element else {
            continue;
        };
        if let Anchor::Named(name) = &nested.anchor
            && !context.allow_unregistered
            && context
                .operation_name_data(context.operation_name(name))
                .definition
                .is_none()
        {
            let groups = context.dialects().flat_map(|dialect| dialect.operations);
            let known = groups.flat_map(|group| group.iter().map(|op| op.name));
            let hint = nearest(name, known)
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let message = format!(
                "pass pipeline, column {}: no dialect declares `{name}`: nothing runs there{hint}",
                nested.column
            );
            let location = module.body.location(module.operation);
            diagnostics.warning(location, message);
        }
        warn_of_unknown(context, module, nested, diagnostics);
    }
}
