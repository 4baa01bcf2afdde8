//! Choice of speculation: in which `while` loops iterations start before the exit condition is known, and how many.
//!
//! With `n` iterations started speculatively, and a condition that arrives after `L` cycles, a new iteration starts every
//! `L / (n + 1)` cycles. The `n` wasted iterations use time in which the loop would wait for its condition anyway. So the search
//! finds the smallest interval, and the fewest speculative iterations that reach it.

use sluice_config::{Config, MAX_AHEAD, Speculate, Style, Use};
use sluice_dialects::sluice::{NEST, SPECULATE};
use sluice_dialects::{cf, func, scf, sluice};
use sluice_ir::limits::Limits;
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_kernel::frontend::read;
use sluice_transform::{Staleness, speculable_loops};

use crate::comparing::{Runs, WORTH_WHILE, faster_or_plain, noted};
use crate::float_limits;
use crate::kernel_text::KernelText;
use crate::setting::Setting;

/// Returns the loops that can speculate, in text order, each with its function. Nests that `coalesce` made `while` loops of know
/// their condition when an iteration starts, and are left out.
fn loops(context: &Context, module: &Module) -> Vec<(OperationId, OperationId)> {
    let functions = named(context, module, func::Func::NAME).into_iter();
    functions
        .flat_map(|function| {
            let body = module.inner().inner(function);
            let loops = speculable_loops(context, body).into_iter();
            let is_late = |op: &OperationId| body.attribute_named(context, *op, NEST).is_none();
            loops.filter(is_late).map(move |op| (function, op))
        })
        .collect()
}

/// Runs the pass that writes the number of speculative iterations on loops, as the configuration or its choice says.
pub fn speculate(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    found: &mut Diagnostics,
) {
    let name = context.name(SPECULATE);
    let all = loops(context, module);
    let chosen = match &setting.config.speculate {
        Speculate::Ahead(rounds) => rounds.clone(),
        Speculate::Everywhere(rounds) => vec![*rounds; all.len()],
        Speculate::Never | Speculate::WhereFaster => Vec::new(),
    };
    for ((function, op), rounds) in all.into_iter().zip(chosen) {
        let body = module.inner_mut().inner_mut(function);
        if body.attribute(op, name).is_none() {
            body.set_attribute(op, name, context.i64_attribute(i64::from(rounds)));
        }
    }
    let staleness = match setting.config.style {
        Style::Static => Staleness::Schedule,
        Style::Elastic | Style::Auto => Staleness::Tokens,
    };
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner_mut().inner_mut(function);
        for (op, why) in sluice_transform::speculate(context, body, staleness) {
            let message = format!("iterations of this loop cannot start speculatively: {why}");
            found.warning(body.location(op), message);
        }
    }
}

/// Returns whether a kernel may have loops that can speculate.
pub(crate) fn may_speculate(kernel: KernelText<'_>, limits: &Limits) -> bool {
    let context = sluice_kernel::compiled::context(limits);
    let Ok(module) = read(&context, kernel.source, kernel.file) else {
        return false;
    };
    let functions = module.top_level_operations().into_iter();
    let mut bodies = functions.map(|op| module.inner().inner(op));
    bodies.any(|body| {
        let mut ops = body.walk_all().into_iter();
        ops.any(|op| {
            let name = View::new(&context, body, op).name();
            matches!(name, scf::While::NAME | cf::CondBr::NAME | cf::Switch::NAME)
        })
    })
}

/// Returns the II in cycles of each loop that can speculate; `None` if it is not pipelined.
fn intervals(compiled: &Compiled) -> Vec<Option<u32>> {
    let (context, module) = (&compiled.context, &compiled.scheduled);
    let loops = loops(context, module).into_iter();
    loops
        .map(|(function, op)| {
            let body = module.inner().inner(function);
            let ii = body.attribute_named(context, op, sluice::II)?;
            u32::try_from(ii.as_i64(context)?).ok()
        })
        .collect()
}

/// Compiles a kernel with a static schedule, with iterations at every value of an index and with speculation if that takes less
/// time.
///
/// # Errors
/// Errors of the input, and internal errors.
pub fn compile_scheduled(kernel: KernelText<'_>, config: &Config) -> Result<Compiled, Failure> {
    let plain = compile_predicted(kernel, config)?;
    float_limits::shared_or(plain, config, |config| compile_predicted(kernel, config))
}

/// Compiles a kernel with a static schedule, with iterations at every value of an index if that takes less time.
fn compile_predicted(kernel: KernelText<'_>, config: &Config) -> Result<Compiled, Failure> {
    let plain = compile_rounds(kernel, config)?;
    let watch = &config.tool_limits.watch;
    if !plain.can_predict || watch.cut("iterations at every value of an index") {
        return Ok(plain);
    }
    let predicted = Config {
        predict: Use::Everywhere,
        ..config.clone()
    };
    let predicted = compile_rounds(kernel, &predicted);
    let what = "iterations at every value of the index";
    faster_or_plain(plain, predicted, what, config.profile.as_deref())
}

/// Compiles a kernel with a static schedule, with speculation in those loops in which that takes less time.
fn compile_rounds(kernel: KernelText<'_>, config: &Config) -> Result<Compiled, Failure> {
    let with = |speculate| {
        let config = Config {
            speculate,
            ..config.clone()
        };
        kernel.compile(&config)
    };
    if config.speculate != Speculate::WhereFaster {
        return with(config.speculate.clone());
    }
    let mut best = with(Speculate::Never)?;
    let n_loops = intervals(&best).len();
    for number in 0..n_loops {
        if config
            .tool_limits
            .watch
            .cut("iterations started speculatively")
        {
            break;
        }
        let interval = |compiled: &Compiled| intervals(compiled).get(number).copied().flatten();
        let Some(before) = interval(&best).filter(|ii| *ii > 1) else {
            continue;
        };
        let so_far = match &best.config.speculate {
            Speculate::Ahead(rounds) => rounds.clone(),
            _ => vec![0; n_loops],
        };
        // If speculation cannot be compiled, the loop stays without it.
        let attempt = |ahead: u32| {
            let mut rounds = so_far.clone();
            rounds[number] = ahead;
            match with(Speculate::Ahead(rounds)) {
                Ok(found) => Ok(Some((interval(&found).unwrap_or(before), found))),
                Err(Failure::Input(_)) => Ok(None),
                Err(why @ Failure::Internal(_)) => Err(why),
            }
        };
        // The condition of an iteration may take effect one cycle later.
        let most = (before + 1).min(MAX_AHEAD);
        let Some((reached, mut tried)) = attempt(most)? else {
            continue;
        };
        if reached >= before {
            continue;
        }
        for fewer in (before.div_ceil(reached) - 1).max(1)..most {
            if let Some((interval, found)) = attempt(fewer)?
                && interval <= reached
            {
                tried = found;
                break;
            }
        }
        let runs = Runs::of(&best, &tried, config.profile.as_deref());
        best = ahead_or_not(best, tried, &runs);
    }
    Ok(best)
}

/// Returns the circuit with more speculation if it takes less time or there are no data to run; else the one without.
pub(crate) fn ahead_or_not(plain: Compiled, ahead: Compiled, runs: &Runs) -> Compiled {
    if runs.is_empty() {
        let why =
            "speculation: there are no data to compare on, and iterations follow each other sooner";
        return noted(ahead, why);
    }
    let share = runs.weighed(&plain, &ahead);
    if share >= WORTH_WHILE {
        return plain;
    }
    let (before, after) = runs.sums();
    let why = format!(
        "speculation: {after} cycles instead of {before} on {}",
        runs.describe()
    );
    noted(ahead, &why)
}
