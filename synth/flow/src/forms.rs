//! The form of the IR that a pass expects, checked before it runs: any state can be fed in, and a wrong one is an error.

use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, TypeKind, View};

/// What a pass expects, with the pass that brings it about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// No operation of affine.
    WithoutAffine,
    /// Memrefs of one dimension, arguments described.
    Flat,
    /// Dependences between accesses.
    Annotated,
    /// Start times.
    Scheduled,
}

/// What each pass expects; those that are not here take anything.
const EXPECTED: &[(&str, &[Form])] = &[
    ("check-bounds", &[Form::WithoutAffine]),
    ("jam", &[Form::WithoutAffine]),
    ("unroll", &[Form::WithoutAffine]),
    ("bank", &[Form::WithoutAffine]),
    ("balance", &[Form::WithoutAffine]),
    ("flatten-memrefs", &[Form::WithoutAffine]),
    ("licm", &[Form::WithoutAffine]),
    ("forward", &[Form::WithoutAffine]),
    ("merge-branches", &[Form::WithoutAffine, Form::Flat]),
    ("promote", &[Form::WithoutAffine]),
    ("factor", &[Form::WithoutAffine]),
    ("if-convert", &[Form::WithoutAffine]),
    ("first-values", &[Form::WithoutAffine, Form::Flat]),
    ("coalesce", &[Form::WithoutAffine, Form::Flat]),
    ("annotate", &[Form::WithoutAffine, Form::Flat]),
    (
        "share-accesses",
        &[Form::WithoutAffine, Form::Flat, Form::Annotated],
    ),
    (
        "bypass",
        &[Form::WithoutAffine, Form::Flat, Form::Annotated],
    ),
    ("narrow", &[Form::WithoutAffine, Form::Flat]),
    ("rewrite", &[Form::WithoutAffine]),
    ("hoist-from-guards", &[Form::WithoutAffine]),
    ("copies", &[Form::WithoutAffine]),
    (
        "schedule",
        &[Form::WithoutAffine, Form::Flat, Form::Annotated],
    ),
    ("bind", &[Form::Scheduled]),
    ("streams", &[Form::WithoutAffine, Form::Flat]),
    (
        "lower-to-handshake",
        &[Form::WithoutAffine, Form::Flat, Form::Annotated],
    ),
];

impl Form {
    fn brought_by(self) -> &'static str {
        match self {
            Self::WithoutAffine => "lower-affine",
            Self::Flat => "flatten-memrefs",
            Self::Annotated => "annotate",
            Self::Scheduled => "schedule",
        }
    }

    fn holds(self, context: &Context, module: &Module) -> bool {
        let inner = module.inner();
        let functions = named(context, module, "func.func");
        let mut functions = functions
            .into_iter()
            .map(|op| View::new(context, inner, op));
        match self {
            Self::WithoutAffine => functions.all(|function| {
                let body = function.inner();
                let ops = body.walk_all();
                !ops.into_iter()
                    .any(|op| View::new(context, body, op).name().starts_with("affine."))
            }),
            Self::Flat => functions.all(|function| {
                let body = function.inner();
                let arguments = function.entry_block(0).map(|block| body.arguments(block));
                let results = body.walk_all().into_iter().flat_map(|op| body.results(op));
                arguments
                    .unwrap_or_default()
                    .iter()
                    .chain(results)
                    .all(|value| match body.ty(*value).kind(context) {
                        TypeKind::MemRef { shape, .. } => shape.len() == 1,
                        _ => true,
                    })
            }),
            Self::Annotated => functions.all(|f| f.attribute("sluice.dependences").is_some()),
            Self::Scheduled => module
                .view(context)
                .attribute("sluice.clock_period_ns")
                .is_some(),
        }
    }
}

/// Reports what `pass` expects and the module is not.
pub(crate) fn check(context: &Context, module: &Module, pass: &str, diagnostics: &mut Diagnostics) {
    let expected = EXPECTED.iter().find(|(name, _)| *name == pass);
    for form in expected.map(|(_, forms)| *forms).unwrap_or_default() {
        if !form.holds(context, module) {
            let message = format!(
                "`{pass}` expects what `{}` leaves: run that first",
                form.brought_by()
            );
            diagnostics.error(module.body.location(module.operation), message);
            return;
        }
    }
}
