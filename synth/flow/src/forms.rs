//! Checks of the IR form that a pass expects. They run before the pass, so that any input is accepted or reported as an error.

use sluice_dialects::{aliases::foreign_access, func, scf, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Location, Module, TypeKind, View};

/// A form of the IR; a pass brings it about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// No `affine` operations.
    WithoutAffine,
    /// One-dimensional memrefs, and descriptions of the arguments.
    Flat,
    /// Dependences between accesses are annotated.
    Annotated,
    /// Every operation has a start time.
    Scheduled,
    /// Only loads, stores and calls access memory, and only arguments and allocations themselves, in `scf` loops and
    /// conditionals.
    PlainMemory,
}

/// The forms that each pass expects; other passes accept any form.
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
    ("factors", &[Form::WithoutAffine]),
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

/// Passes that move or count accesses and only support loads, stores and calls. Passes that query `sluice_dialects::aliases`
/// about other operations are not in the list.
const MOVES_ACCESSES: &[&str] = &[
    "restructure",
    "jam",
    "bank",
    "flatten-memrefs",
    "storage",
    "predict",
    "reuse",
    "coalesce",
    "annotate",
    "share-accesses",
    "bypass",
    "free-guards",
    "narrow",
    "speculate",
    "hoist-from-guards",
    "schedule",
    "outline",
    "schedule-callees",
    "streams",
    "queue-stores",
    "lower-to-handshake",
];

impl Form {
    fn brought_by(self) -> &'static str {
        match self {
            Self::WithoutAffine => "affine-to-scf",
            Self::Flat => "flatten-memrefs",
            Self::Annotated => "annotate",
            Self::Scheduled => "schedule",
            Self::PlainMemory => "normalise",
        }
    }

    fn holds(self, context: &Context, module: &Module) -> bool {
        let inner = module.inner();
        let functions = named(context, module, func::Func::NAME);
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
            Self::Annotated => functions.all(|f| f.attribute(sluice::DEPENDENCES).is_some()),
            Self::Scheduled => module
                .view(context)
                .attribute(sluice::CLOCK_PERIOD_NS)
                .is_some(),
            Self::PlainMemory => foreign_accesses(context, module).is_empty(),
        }
    }
}

/// Returns operations with accesses or regions that the synthesis form does not have, each with a description.
fn foreign_accesses(context: &Context, module: &Module) -> Vec<(Location, String)> {
    let inner = module.inner();
    let functions = named(context, module, func::Func::NAME).into_iter();
    let all = functions.flat_map(|function| {
        let body = inner.inner(function);
        let ops = body.walk_all().into_iter();
        ops.filter_map(|op| {
            let view = View::new(context, body, op);
            let known = [scf::For::NAME, scf::If::NAME, scf::While::NAME];
            let has_foreign_regions = !view.regions().is_empty() && !known.contains(&view.name());
            let regions = || {
                format!(
                    "`{}` has regions and is not `scf.for`, `scf.if` or `scf.while`",
                    view.name()
                )
            };
            let what = foreign_access(view).or_else(|| has_foreign_regions.then(regions))?;
            Some((body.location(op), what))
        })
    });
    all.collect()
}

/// Reports the forms that `pass` expects and the module does not have.
pub(crate) fn check(context: &Context, module: &Module, pass: &str, diagnostics: &mut Diagnostics) {
    let moves_accesses = MOVES_ACCESSES.contains(&pass);
    let plain = moves_accesses.then_some(Form::PlainMemory);
    let expected = EXPECTED.iter().find(|(name, _)| *name == pass);
    let expected = expected.map(|(_, forms)| *forms).unwrap_or_default();
    for form in expected.iter().copied().chain(plain) {
        if form.holds(context, module) {
            continue;
        }
        let advice = format!(
            "`{pass}` expects what `{}` leaves: run that first",
            form.brought_by()
        );
        let accesses = match form {
            Form::PlainMemory => foreign_accesses(context, module),
            _ => Vec::new(),
        };
        for (location, what) in &accesses {
            diagnostics.error(*location, format!("{what}; {advice}"));
        }
        if accesses.is_empty() {
            diagnostics.error(module.body.location(module.operation), advice);
        }
        return;
    }
}
