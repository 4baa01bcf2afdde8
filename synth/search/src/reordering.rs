//! Reordering of the statements of nests: promising orders are scheduled, and one is kept if the nest takes clearly fewer cycles.

use rayon::prelude::*;
use sluice_config::Reorder;
use sluice_dialects::func;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Diagnostics, Exact, Module, OperationId};
use sluice_kernel::choices;
use sluice_transform::{Reordering, Units};

use crate::attempts::Attempts;
use crate::loops::{has_directive, loops_in};
use crate::objective::judge;
use crate::schedule_options::division_cycles;
use crate::trial::trial;

/// A nest: its function, and its position among the outermost loops of the function.
#[derive(Clone, Copy)]
struct Nest {
    function: OperationId,
    position: usize,
}

/// Reorders nests without directives.
pub fn choose(context: &Context, module: &mut Module, attempts: &Attempts<'_>) {
    let setting = attempts.setting;
    let cycles = |module: &Module| {
        let finish = |module: &mut Module, found: &mut Diagnostics| {
            attempts.finish(context, module, found);
        };
        trial(context, module, setting.top, finish)?.cycles
    };
    for nest in nests(context, module) {
        let body = module.inner().inner(nest.function);
        let root = outermost(context, body)[nest.position];
        if has_directives(context, body, root) {
            continue;
        }
        if let Reorder::Legal(number) = setting.config.reorder {
            let mut all = sluice_transform::legal_reorderings(context, body, root);
            let n = u64::try_from(all.len()).expect("few orders").max(1);
            all.rotate_left(usize::try_from(number % n).expect("few orders"));
            let mut trials = all.iter();
            if let Some(first) =
                trials.find_map(|ordering| reordered(context, module, nest, ordering))
            {
                *module = first;
            }
            continue;
        }
        let units = Units {
            limits: &setting.config.limits,
            division_cycles: &|width_bits| division_cycles(setting, width_bits),
            runtime_bounds: false,
        };
        let orderings = sluice_transform::reorderings(context, body, root, &units);
        if orderings.is_empty() {
            continue;
        }
        let (alone, here) = alone(context, module, nest);
        let Some(before) = cycles(&alone) else {
            continue;
        };
        let promising = orderings
            .par_iter()
            .filter(|(expected, _)| is_worth_it((*expected).into(), before));
        let counted = promising.filter_map(|(_, ordering)| {
            Some((
                cycles(&reordered(context, &alone, here, ordering)?)?,
                ordering,
            ))
        });
        let counted: Vec<(Exact, &Reordering)> = counted.collect();
        let Some(least) = counted.iter().map(|(cycles, _)| *cycles).min() else {
            continue;
        };
        if !is_worth_it(least, before) {
            continue;
        }
        // Orders of similar speed may differ once arrays are copied.
        let close: Vec<&Reordering> = counted
            .into_iter()
            .filter(|(cycles, _)| cycles.times(4) <= least.times(5))
            .map(|(_, ordering)| ordering)
            .collect();
        let best = match close.as_slice() {
            [one] => Some(*one),
            all => best_with_copies(context, &alone, here, all, attempts),
        };
        if let Some(better) = best.and_then(|best| reordered(context, module, nest, best)) {
            let body = module.inner().inner(nest.function);
            let title = choices::title(context, body, outermost(context, body)[nest.position]);
            *module = better;
            let sentence = format!("nest {title}: its statements run in another order");
            choices::note(context, module, nest.function, &sentence);
        }
    }
}

/// Returns the order that costs least with copies of arrays; the first one of several.
fn best_with_copies<'a>(
    context: &Context,
    alone: &Module,
    here: Nest,
    orderings: &[&'a Reordering],
    attempts: &Attempts<'_>,
) -> Option<&'a Reordering> {
    let judged = orderings.par_iter().filter_map(|ordering| {
        let module = reordered(context, alone, here, ordering)?;
        let finish = |module: &mut Module, found: &mut Diagnostics| {
            attempts.finish_with_copies(context, module, found);
        };
        let judged = judge(context, &module, attempts.setting, finish)?;
        Some((judged.cost, *ordering))
    });
    let judged: Vec<_> = judged.collect();
    let best = judged
        .into_iter()
        .reduce(|best, other| match other.0.is_less_than(best.0) {
            true => other,
            false => best,
        });
    best.map(|(_, ordering)| ordering)
}

/// Returns whether at least a sixteenth of the cycles is saved.
fn is_worth_it(cycles: Exact, before: Exact) -> bool {
    cycles.times(16) <= before.times(15)
}

/// Returns the nests of all functions, from the last to the first: positions stay valid when a nest is split into several.
fn nests(context: &Context, module: &Module) -> Vec<Nest> {
    let mut found = Vec::new();
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        let positions = 0..outermost(context, body).len();
        found.extend(positions.map(|position| Nest { function, position }));
    }
    found.reverse();
    found
}

/// Returns the loops that are not inside another operation.
fn outermost(context: &Context, body: &Body) -> Vec<OperationId> {
    let mut all = loops_in(context, body);
    all.retain(|op| body.parent_operation(*op).is_none());
    all
}

fn has_directives(context: &Context, body: &Body, root: OperationId) -> bool {
    let mut inside = body.walk(root).into_iter();
    inside.any(|op| has_directive(context, body, op))
}

/// Returns the module with one nest reordered; `None` if the loop bounds do not allow it.
fn reordered(
    context: &Context,
    module: &Module,
    nest: Nest,
    ordering: &Reordering,
) -> Option<Module> {
    let mut trial = module.clone();
    let body = trial.inner_mut().inner_mut(nest.function);
    let root = outermost(context, body)[nest.position];
    sluice_transform::reorder(context, body, root, ordering).ok()?;
    Some(trial)
}

/// Removes the other nests of the function, whose cycles only add to the total, and returns the module with the new position of
/// the nest. Nests whose results are used stay.
fn alone(context: &Context, module: &Module, nest: Nest) -> (Module, Nest) {
    let mut trial = module.clone();
    let body = trial.inner_mut().inner_mut(nest.function);
    let mut position = nest.position;
    for (at, op) in outermost(context, body).into_iter().enumerate().rev() {
        let is_used = body.results(op).iter().any(|value| !body.is_unused(*value));
        if at != nest.position && !is_used {
            body.erase(op);
            position -= usize::from(at < nest.position);
        }
    }
    (trial, Nest { position, ..nest })
}
