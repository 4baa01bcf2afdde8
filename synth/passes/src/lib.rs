//! The generic passes, which run on any operation that is isolated from above, under the names that mlir-opt uses.

mod affine;
mod argument_aliases;
mod arith_expand;
mod canonicalize;
mod control_flow_sink;
mod convert_scf_to_cf;
mod dead_values;
mod emit;
mod fold_views;
mod forall_loops;
mod generalize;
mod inline;
mod integer_ranges;
mod loop_invariants;
mod loop_peeling;
mod loop_ranges;
mod normalize_memrefs;
pub mod op_stats;
mod order;
mod parallel_fusion;
mod parallel_tiling;
pub mod pipeline;
mod sccp;
mod split_memories;
mod strided_metadata;
mod strip_debuginfo;
mod symbol_dce;
pub mod symbols;

use std::sync::OnceLock;

use rayon::prelude::*;
use sluice_ir::definition::Traits;
use sluice_ir::{Body, Context, Diagnostics, OperationId, View};
use sluice_transform::StructuredLoops;

use crate::pipeline::{OptionKind, Options, PassCall};

/// A pass that mlir-opt has under the same name.
#[derive(Clone, Copy)]
pub struct GenericPass {
    /// Name on the command line.
    pub name: &'static str,
    /// Name of its class in mlir-opt, which headers of printed modules show.
    pub class: &'static str,
    /// One-line description.
    pub reason: &'static str,
    /// The function that runs the pass.
    pub run: Generic,
}

/// The kind of unit that a pass runs on.
#[derive(Clone, Copy)]
pub enum Generic {
    /// A body without the isolated bodies in it, which the pass has already processed.
    Bodies(fn(&Context, &mut Body, &Options, &mut Diagnostics)),
    /// An operation with everything nested in it. The flag is true for the root operation of the file.
    Operation(fn(&Context, &mut Body, OperationId, bool, &Options)),
    /// The same for operations that are symbol tables.
    SymbolTable(fn(&Context, &mut Body, OperationId, bool, &Options, &mut Diagnostics)),
}

/// All generic passes.
pub const GENERIC: &[GenericPass] = &[
    GenericPass {
        name: "canonicalize",
        class: "Canonicalizer",
        reason: "for any module: folds, patterns, dead code, as mlir-opt names it",
        run: Generic::Bodies(canonicalize::pass),
    },
    GenericPass {
        name: "cse",
        class: "CSE",
        reason: "for any module: equal operations once, dead ones not at all",
        run: Generic::Bodies(|context, body, _, _| sluice_ir::simplify::cse(context, body)),
    },
    GenericPass {
        name: "loop-invariant-code-motion",
        class: "LoopInvariantCodeMotion",
        reason: "for any module: what does not change in a loop goes in front of it",
        run: Generic::Bodies(|context, body, _, _| loop_invariants::hoist(context, body)),
    },
    GenericPass {
        name: "inline",
        class: "Inliner",
        reason: "for any module: calls become bodies, callees first; private functions that are used up go",
        run: Generic::SymbolTable(inline_calls),
    },
    GenericPass {
        name: "sccp",
        class: "SCCP",
        reason: "for any module: values that are always the same constant, through branches, regions and calls",
        run: Generic::Operation(|context, body, op, is_root, _| {
            sccp::operation(context, body, op, is_root);
        }),
    },
    GenericPass {
        name: "lift-cf-to-scf",
        class: "LiftControlFlowToSCFPass",
        reason: "for any module: blocks and branches become conditionals and loops",
        run: Generic::Bodies(|context, body, _, found| {
            sluice_transform::lift_cf_to_scf(context, body, found);
        }),
    },
    GenericPass {
        name: "one-shot-bufferize",
        class: "OneShotBufferize",
        reason: "for any module: tensors become memories, arguments and results included",
        run: Generic::SymbolTable(|context, body, op, _, _, found| {
            sluice_transform::bufferize(context, body.inner_mut(op), found);
        }),
    },
    GenericPass {
        name: "convert-elementwise-to-linalg",
        class: "ConvertElementwiseToLinalgPass",
        reason: "for any module: operations on whole tensors, element by element, become linalg.generic",
        run: Generic::Bodies(|context, body, _, _| {
            sluice_transform::elementwise_to_linalg(context, body);
        }),
    },
    GenericPass {
        name: "convert-linalg-to-affine-loops",
        class: "ConvertLinalgToAffineLoopsPass",
        reason: "for any module: structured operations on memrefs become affine loops",
        run: Generic::Bodies(|context, body, _, found| {
            sluice_transform::lower_linalg(context, body, StructuredLoops::Affine, found);
        }),
    },
    GenericPass {
        name: "convert-linalg-to-loops",
        class: "ConvertLinalgToLoopsPass",
        reason: "for any module: structured operations on memrefs become scf.for loops",
        run: Generic::Bodies(|context, body, _, found| {
            sluice_transform::lower_linalg(context, body, StructuredLoops::Scf, found);
        }),
    },
    GenericPass {
        name: "linalg-generalize-named-ops",
        class: "LinalgGeneralizeNamedOpsPass",
        reason: "for any module: named structured operations become linalg.generic",
        run: Generic::Bodies(|context, body, _, _| generalize::generalize(context, body)),
    },
    GenericPass {
        name: "symbol-dce",
        class: "SymbolDCE",
        reason: "for any module: private symbols that nothing refers to",
        run: Generic::SymbolTable(|context, body, op, is_root, _, found| {
            symbol_dce::erase(context, body, op, is_root, found);
        }),
    },
    GenericPass {
        name: "convert-scf-to-cf",
        class: "SCFToControlFlow",
        reason: "for any module: loops and conditionals become blocks and branches",
        run: Generic::Bodies(|context, body, _, found| {
            convert_scf_to_cf::convert(context, body, found);
        }),
    },
    GenericPass {
        name: "scf-forall-to-for",
        class: "SCFForallToForLoop",
        reason: "for any module: loops over all points become nests of sequential loops",
        run: Generic::Bodies(|context, body, _, found| {
            forall_loops::to_for(context, body, found);
        }),
    },
    GenericPass {
        name: "scf-forall-to-parallel",
        class: "SCFForallToParallelLoop",
        reason: "for any module: loops over all points become `scf.parallel`",
        run: Generic::Bodies(|context, body, _, found| {
            forall_loops::to_parallel(context, body, found);
        }),
    },
    GenericPass {
        name: "arith-expand",
        class: "ArithExpandOpsPass",
        reason: "for any module: rounded quotients and extremes become simpler operations",
        run: Generic::Bodies(|context, body, options, found| {
            arith_expand::expand(context, body, options.flag("include-bf16"), found);
        }),
    },
    GenericPass {
        name: "affine-loop-unroll",
        class: "AffineLoopUnroll",
        reason: "for any module: affine loops take several iterations at once",
        run: Generic::Bodies(|context, body, options, found| {
            affine::unroll::unroll(context, body, options, found);
        }),
    },
    GenericPass {
        name: "affine-loop-normalize",
        class: "AffineLoopNormalize",
        reason: "for any module: affine loops begin at 0 and go by 1",
        run: Generic::Bodies(|context, body, options, _| {
            affine::normalize::normalize(context, body, options.flag("promote-single-iter"));
        }),
    },
    GenericPass {
        name: "control-flow-sink",
        class: "ControlFlowSink",
        reason: "for any module: operations move into the only branch that needs them",
        run: Generic::Bodies(|context, body, _, _| control_flow_sink::sink(context, body)),
    },
    GenericPass {
        name: "scf-for-loop-range-folding",
        class: "SCFForLoopRangeFolding",
        reason: "for any module: sums and products of a counter go into the bounds of its loop",
        run: Generic::Bodies(|context, body, _, _| loop_ranges::fold(context, body)),
    },
    GenericPass {
        name: "strip-debuginfo",
        class: "StripDebugInfo",
        reason: "for any module: operations and block arguments lose their locations",
        run: Generic::Operation(|_, body, op, _, _| strip_debuginfo::strip(body, op)),
    },
    GenericPass {
        name: "scf-parallel-loop-tiling",
        class: "SCFParallelLoopTiling",
        reason: "for any module: parallel loops go over tiles, and inside over the points of a tile",
        run: Generic::Bodies(|context, body, options, _| {
            let sizes = options.numbers("parallel-loop-tile-sizes");
            parallel_tiling::tile(context, body, sizes.unwrap_or_default());
        }),
    },
    GenericPass {
        name: op_stats::NAME,
        class: "PrintOpStats",
        reason: "for any module: counts operations, and prints the numbers to the standard error",
        run: Generic::Operation(|_, _, _, _, _| {}),
    },
    GenericPass {
        name: "scf-for-loop-peeling",
        class: "SCFForLoopPeeling",
        reason: "for any module: a last iteration that the bound cuts short is on its own",
        run: Generic::Bodies(|context, body, options, found| {
            let skips_partial = options.flag_or("skip-partial", true);
            loop_peeling::peel(context, body, skips_partial, found);
        }),
    },
    GenericPass {
        name: "affine-loop-tile",
        class: "AffineLoopTiling",
        reason: "for any module: nests of affine loops go over tiles, and inside over the points of a tile",
        run: Generic::Bodies(|context, body, options, found| {
            affine::tile::tile(context, body, options, found);
        }),
    },
    GenericPass {
        name: "affine-loop-coalescing",
        class: "LoopCoalescing",
        reason: "for any module: nests of affine loops become one loop with as many iterations",
        run: Generic::Bodies(|context, body, _, _| affine::coalesce::coalesce(context, body)),
    },
    GenericPass {
        name: "affine-loop-invariant-code-motion",
        class: "AffineLoopInvariantCodeMotion",
        reason: "for any module: what is the same in each iteration of an affine loop goes in front of it",
        run: Generic::Bodies(|context, body, _, _| affine::invariants::hoist(context, body)),
    },
    GenericPass {
        name: "affine-loop-unroll-jam",
        class: "AffineLoopUnrollAndJam",
        reason: "for any module: the first affine loop takes several iterations at once, in its inner loops too",
        run: Generic::Bodies(|context, body, options, found| {
            let factor = options.number("unroll-jam-factor");
            affine::jam::jam(
                context,
                body,
                factor.unwrap_or(affine::unroll::FACTOR),
                found,
            );
        }),
    },
    GenericPass {
        name: "affine-parallelize",
        class: "AffineParallelize",
        reason: "for any module: affine loops whose iterations are independent become parallel loops",
        run: Generic::Bodies(|context, body, options, _| {
            affine::parallelize::parallelize(context, body, options);
        }),
    },
    GenericPass {
        name: "scf-parallel-loop-fusion",
        class: "SCFParallelLoopFusion",
        reason: "for any module: adjacent parallel loops over the same points become one",
        run: Generic::Bodies(|context, body, _, _| parallel_fusion::fuse(context, body)),
    },
    GenericPass {
        name: "affine-simplify-structures",
        class: "SimplifyAffineStructures",
        reason: "for any module: affine maps and sets in canonical form, and conditions that are decided",
        run: Generic::Bodies(|context, body, _, _| affine::structures::simplify(context, body)),
    },
    GenericPass {
        name: "remove-dead-values",
        class: "RemoveDeadValues",
        reason: "for any module: arguments, results and carried values that nothing needs",
        run: Generic::SymbolTable(|context, body, op, _, _, found| {
            dead_values::remove(context, body, op, found);
        }),
    },
    GenericPass {
        name: "affine-scalrep",
        class: "AffineScalarReplacement",
        reason: "for any module: affine loads become the values of stores and loads before",
        run: Generic::Bodies(|context, body, _, _| affine::scalars::replace(context, body)),
    },
    GenericPass {
        name: "lower-affine",
        class: "ConvertAffineToStandard",
        reason: "for any module: affine operations become operations of scf, memref and arith",
        run: Generic::Bodies(|context, body, _, found| affine::lower::lower(context, body, found)),
    },
    GenericPass {
        name: "fold-memref-alias-ops",
        class: "FoldMemRefAliasOps",
        reason: "for any module: accesses through views become accesses to the memory that is viewed",
        run: Generic::Bodies(|context, body, _, _| fold_views::fold(context, body)),
    },
    GenericPass {
        name: "int-range-optimizations",
        class: "ArithIntRangeOpts",
        reason: "for any module: values with one possible value become constants",
        run: Generic::Bodies(|context, body, _, _| integer_ranges::optimise(context, body)),
    },
    GenericPass {
        name: "normalize-memrefs",
        class: "NormalizeMemRefs",
        reason: "for any module: local memories lose their layouts",
        run: Generic::Bodies(|context, body, _, _| normalize_memrefs::normalize(context, body)),
    },
    GenericPass {
        name: "sroa",
        class: "SROA",
        reason: "for any module: small local memories become one memory for each element",
        run: Generic::Bodies(|context, body, _, _| split_memories::split(context, body)),
    },
    GenericPass {
        name: "expand-strided-metadata",
        class: "ExpandStridedMetadata",
        reason: "for any module: views become casts of a base buffer, with their metadata computed before",
        run: Generic::Bodies(|context, body, _, _| strided_metadata::expand(context, body)),
    },
    GenericPass {
        name: "affine-loop-fusion",
        class: "AffineLoopFusion",
        reason: "for any module: nests over the same points, of which one reads what the other writes, become one",
        run: Generic::Bodies(|context, body, options, _| {
            affine::fuse::fuse(context, body, options)
        }),
    },
];

/// A pass that a program adds, with its options.
pub struct OwnPass {
    /// The pass.
    pub pass: GenericPass,
    /// Its options: names and valid values.
    pub options: &'static [(&'static str, OptionKind)],
}

static OWN: OnceLock<Vec<OwnPass>> = OnceLock::new();

/// Adds the passes of a program, once, before its first pipeline.
///
/// # Errors
/// A name that a pass has already, or a second call.
pub fn extend(passes: Vec<OwnPass>) -> Result<(), String> {
    for (i, own) in passes.iter().enumerate() {
        let name = own.pass.name;
        let is_known = named(name).is_some() || passes[..i].iter().any(|one| one.pass.name == name);
        if is_known {
            return Err(format!("error: there is a pass `{name}` already"));
        }
    }
    OWN.set(passes)
        .map_err(|_| "error: passes are added once, at the start of the program".to_owned())
}

/// Returns the passes that the program has added.
pub(crate) fn own() -> &'static [OwnPass] {
    OWN.get().map_or(&[], Vec::as_slice)
}

/// Returns all generic passes, those of the program last.
pub fn all() -> impl Iterator<Item = &'static GenericPass> {
    GENERIC.iter().chain(own().iter().map(|own| &own.pass))
}

/// Returns the pass with this name.
pub fn named(name: &str) -> Option<&'static GenericPass> {
    all().find(|pass| pass.name == name)
}

/// Returns true if a pass processes each body separately.
pub fn runs_on_bodies(name: &str) -> bool {
    named(name).is_some_and(|pass| matches!(pass.run, Generic::Bodies(_)))
}

impl GenericPass {
    /// Runs the pass on the isolated operation `op` of a body. `is_root` is true for the root operation of the file.
    pub fn run_on(
        &self,
        context: &Context,
        body: &mut Body,
        op: OperationId,
        is_root: bool,
        options: &Options,
    ) -> Diagnostics {
        let mut found = Diagnostics::new();
        match self.run {
            Generic::Bodies(_) => return self.run_in(context, body.inner_mut(op), options),
            Generic::Operation(run) => run(context, body, op, is_root, options),
            Generic::SymbolTable(run) => {
                let view = View::new(context, body, op);
                if view.has(Traits::SYMBOL_TABLE) {
                    run(context, body, op, is_root, options, &mut found);
                } else {
                    let message = format!(
                        "`{}` runs on operations that hold symbols, which `{}` does not",
                        self.name,
                        view.name()
                    );
                    found.error(view.location(), message);
                }
            }
        }
        found
    }

    /// Runs the pass on a body and the isolated bodies in it. Does nothing if the pass needs the enclosing operation.
    pub fn run_in(&self, context: &Context, body: &mut Body, options: &Options) -> Diagnostics {
        let Generic::Bodies(run) = self.run else {
            return Diagnostics::new();
        };
        everywhere(context, body, &|context, body, found| {
            run(context, body, options, found);
        })
    }
}

/// Runs on the bodies of the isolated operations in `body`, in parallel, and then on `body` itself. Diagnostics are in source
/// order.
fn everywhere(
    context: &Context,
    body: &mut Body,
    run: &(dyn Fn(&Context, &mut Body, &mut Diagnostics) + Sync),
) -> Diagnostics {
    let isolated = body.isolated_bodies_mut();
    let found: Vec<Diagnostics> = isolated
        .into_par_iter()
        .map(|(_, inner)| everywhere(context, inner, run))
        .collect();
    let mut all = Diagnostics::new();
    for one in found {
        all.append(one);
    }
    run(context, body, &mut all);
    all
}

fn inline_calls(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    is_root: bool,
    options: &Options,
    diagnostics: &mut Diagnostics,
) {
    let standard = [PassCall {
        name: "canonicalize",
        options: Options::default(),
        column: 1,
    }];
    let passes = options.passes("default-pipeline").unwrap_or(&standard);
    let simplify = |context: &Context, body: &mut Body| {
        for call in passes {
            if let Some(pass) = named(call.name) {
                pass.run_in(context, body, &call.options);
            }
        }
    };
    let max_iterations = options.number("max-iterations");
    let max_iterations =
        max_iterations.and_then(|max_iterations| usize::try_from(max_iterations).ok());
    let inline_options = inline::InlineOptions {
        simplify: &simplify,
        max_iterations,
    };
    inline::operation(context, body, op, is_root, inline_options, diagnostics);
}
