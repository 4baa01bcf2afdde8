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

/// Passes in order.
#[derive(Default)]
pub struct PassManager<'p> {
    passes: Vec<Pass<'p>>,
    verifies_last_only: bool,
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
        self.verifies_last_only = !cfg!(debug_assertions);
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
        let n_unverified = match self.verifies_last_only {
            true => self.passes.len().saturating_sub(1),
            false => 0,
        };
        for (number, pass) in self.passes.iter().enumerate() {
            context.limits.watch.enter(pass.name);
            if pass
                .applies
                .is_some_and(|applies| !applies(context, module))
            {
                after(pass.name, module);
                continue;
            }
            pass.run(context, module, diagnostics);
            if diagnostics.has_errors() {
                return;
            }
            if number >= n_unverified {
                pass.verify(context, module, diagnostics);
            }
            after(pass.name, module);
            if diagnostics.has_errors() {
                let location = module.body.location(module.operation);
                let message = format!("internal: pass `{}` left an invalid module", pass.name);
                diagnostics.error(location, message);
                return;
            }
        }
    }
}

impl Pass<'_> {
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
