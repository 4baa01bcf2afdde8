//! The pass manager: runs passes over a module in order, passes over isolated bodies in parallel, and verifies after each.
//!
//! Deterministic: bodies are independent of each other, and their diagnostics are collected in a fixed order.

use rayon::prelude::*;

use crate::body::Body;
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::ids::OperationId;
use crate::module::Module;
use crate::verifier;
use crate::view::View;

/// A function that changes a `T` and reports diagnostics.
pub type Action<'p, T> = Box<dyn Fn(&Context, &mut T, &mut Diagnostics) + Sync + 'p>;

/// The part of the program that a pass changes.
pub enum Scope<'p> {
    /// The whole module.
    Module(Action<'p, Module>),
    /// The body of each top-level operation of one name, independently and all of them in parallel.
    Bodies {
        /// Full name of the operations that the pass runs on, such as `func.func`.
        of: &'static str,
        /// Changes one body.
        run: Action<'p, Body>,
    },
}

/// A step of a pipeline.
pub struct Pass<'p> {
    /// Name in kebab case.
    pub name: &'static str,
    /// The part it changes, and the function that changes it.
    pub scope: Scope<'p>,
    /// The modules that it may change, if not all: any other one is left as it is, without a check.
    pub applies: Option<fn(&Context, &Module) -> bool>,
}

/// How a pass ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It ran without an error.
    Done,
    /// It does not apply to the module and did not run.
    Skipped,
    /// It reported an error.
    Failed,
    /// It left an invalid module.
    Invalid,
}

/// Sees the module before and after each pass of a [`PassManager`].
pub trait Observer {
    /// A pass begins; `number` is its position in the pipeline, from 0.
    fn before(&mut self, number: usize, pass: &str, module: &Module);

    /// The pass has ended, and the module is verified; `diagnostics` are those of all passes so far.
    fn after(
        &mut self,
        number: usize,
        pass: &str,
        module: &Module,
        outcome: Outcome,
        diagnostics: &Diagnostics,
    );
}

/// Calls a function after each pass that did not report an error.
struct AfterEach<'f>(&'f mut dyn FnMut(&str, &Module));

impl Observer for AfterEach<'_> {
    fn before(&mut self, _: usize, _: &str, _: &Module) {}

    fn after(&mut self, _: usize, pass: &str, module: &Module, outcome: Outcome, _: &Diagnostics) {
        match outcome {
            Outcome::Done | Outcome::Skipped | Outcome::Invalid => (self.0)(pass, module),
            Outcome::Failed => {}
        }
    }
}

/// Passes in order.
#[derive(Default)]
pub struct PassManager<'p> {
    passes: Vec<Pass<'p>>,
    verifies: Verifies,
}

/// The passes after which the module is verified.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Verifies {
    #[default]
    Each,
    Last,
}

impl<'p> PassManager<'p> {
    /// Creates an empty pipeline.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pass at the end.
    pub fn add(&mut self, pass: Pass<'p>) {
        self.passes.push(pass);
    }

    /// Verifies the module only after the last pass; for a copy of a module that is discarded later. With debug assertions, every
    /// pass is verified nevertheless.
    pub fn verify_last_only(&mut self) {
        if !cfg!(debug_assertions) {
            self.verifies = Verifies::Last;
        }
    }

    /// Verifies the module only after the last pass, also with debug assertions: the user asked for it.
    pub fn do_not_verify_each(&mut self) {
        self.verifies = Verifies::Last;
    }

    /// Runs the passes; `after` sees the module after each. Stops after the first pass that reports an error.
    ///
    /// The module is verified after each pass; an invalid module is an internal error that names the pass.
    pub fn run(
        &self,
        context: &Context,
        module: &mut Module,
        diagnostics: &mut Diagnostics,
        after: &mut dyn FnMut(&str, &Module),
    ) {
        self.run_observed(context, module, diagnostics, &mut AfterEach(after));
    }

    /// Does the same as [`PassManager::run`], with an observer.
    pub fn run_observed(
        &self,
        context: &Context,
        module: &mut Module,
        diagnostics: &mut Diagnostics,
        observer: &mut dyn Observer,
    ) {
        let n_unverified = match self.verifies {
            Verifies::Last => self.passes.len().saturating_sub(1),
            Verifies::Each => 0,
        };
        for (number, pass) in self.passes.iter().enumerate() {
            context.limits.watch.enter(pass.name);
            observer.before(number, pass.name, module);
            let must_verify = number >= n_unverified;
            let outcome = pass.run_verified(context, module, diagnostics, must_verify);
            observer.after(number, pass.name, module, outcome, diagnostics);
            match outcome {
                Outcome::Done | Outcome::Skipped => {}
                Outcome::Failed => return,
                Outcome::Invalid => {
                    let location = module.body.location(module.operation);
                    let message = format!("internal: pass `{}` left an invalid module", pass.name);
                    diagnostics.error(location, message);
                    return;
                }
            }
        }
    }
}

impl Pass<'_> {
    fn run_verified(
        &self,
        context: &Context,
        module: &mut Module,
        diagnostics: &mut Diagnostics,
        must_verify: bool,
    ) -> Outcome {
        if self
            .applies
            .is_some_and(|applies| !applies(context, module))
        {
            return Outcome::Skipped;
        }
        self.run(context, module, diagnostics);
        if diagnostics.has_errors() {
            return Outcome::Failed;
        }
        if must_verify {
            self.verify(context, module, diagnostics);
        }
        match diagnostics.has_errors() {
            true => Outcome::Invalid,
            false => Outcome::Done,
        }
    }

    fn run(&self, context: &Context, module: &mut Module, diagnostics: &mut Diagnostics) {
        match &self.scope {
            Scope::Module(run) => run(context, module, diagnostics),
            Scope::Bodies { of, run } => {
                let anchors = named(context, module, of);
                let mut bodies = module.inner_mut().isolated_bodies_mut();
                bodies.retain(|(op, _)| anchors.contains(op));
                let found: Vec<Diagnostics> = bodies
                    .into_par_iter()
                    .map(|(_, body)| {
                        let mut found = Diagnostics::new();
                        run(context, body, &mut found);
                        found
                    })
                    .collect();
                for one in found {
                    diagnostics.append(one);
                }
            }
        }
    }

    fn verify(&self, context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
        match &self.scope {
            Scope::Module(_) => verifier::verify(context, module, diagnostics),
            Scope::Bodies { of, .. } => {
                let found: Vec<Diagnostics> = named(context, module, of)
                    .into_par_iter()
                    .map(|op| {
                        let mut found = Diagnostics::new();
                        let view = View::new(context, module.inner(), op);
                        verifier::verify_operation(view, &mut found);
                        found
                    })
                    .collect();
                for one in found {
                    diagnostics.append(one);
                }
            }
        }
    }
}

/// Returns the top-level operations of one name, in the order of the text.
pub fn named(context: &Context, module: &Module, name: &str) -> Vec<OperationId> {
    let inner = module.inner();
    let mut ops = module.top_level_operations();
    ops.retain(|op| View::new(context, inner, *op).name() == name);
    ops
}
