//! Choice of the loops that are fused and, with `loops: auto`, interchanged. Trial schedules decide, since only they show the
//! gain.
//!
//! Each trial adds one directive to one loop. Of the legal trials, the one with the fewest cycles is kept, as long as it takes
//! fewer cycles than before. Therefore a kernel of known latency gets no slower; one whose latency depends on the data is not
//! changed. Without `loops: auto`, only consecutive nests are fused, and cells count too.
//! auto` only nests that follow each other are fused, and cells count too.

use sluice_dialects::sluice::{FUSE, INTERCHANGE};
use sluice_dialects::{func, scf, synthesis_form::is_division};
use sluice_ir::passes::named;
use sluice_ir::{Attribute, Context, Diagnostics, Module, OperationId, View};
use sluice_kernel::choices;

use crate::attempts::Attempts;
use crate::loops::{has_directive, loops, loops_in};
use crate::objective::judge;
use crate::trial::trial;

/// Maximum number of directives that are added.
const MAX_DIRECTIVES: usize = 3;

/// Maximum number of schedules that are tried for one directive.
const MAX_TRIALS: usize = 24;

/// One directive on one loop.
#[derive(Clone, Copy)]
struct Candidate {
    function: OperationId,
    /// Position among the loops of the function, in text order.
    position: usize,
    directive: &'static str,
    value: Attribute,
}

/// Fuses consecutive nests of the kernel without directives, if that lowers the kernel's cost of cycles and cells.
///
/// Nests with divisions are not fused: they wait for quotients whatever runs beside them, and take longest to schedule.
pub(crate) fn fuse_nests(context: &Context, module: &mut Module, attempts: &Attempts<'_>) {
    let setting = &attempts.trial;
    let finish = |module: &mut Module, found: &mut Diagnostics| {
        attempts.finish(context, module, found);
    };
    let may_be_fused = |module: &Module, candidate: &Candidate| {
        let body = module.inner().inner(candidate.function);
        let op = loops_in(context, body)[candidate.position];
        let next = std::iter::successors(body.next(op), |op| body.next(*op));
        let mut next = next.filter(|op| View::new(context, body, *op).name() == scf::For::NAME);
        let divides = |op: OperationId| {
            let inside = body.walk(op).into_iter();
            inside
                .map(|op| View::new(context, body, op))
                .any(is_division)
        };
        body.parent_operation(op).is_none() && !divides(op) && !next.next().is_some_and(divides)
    };
    let fusions = |module: &Module| -> Vec<Module> {
        candidates(context, module)
            .into_iter()
            .filter(|candidate| candidate.directive == FUSE && may_be_fused(module, candidate))
            .filter_map(|candidate| restructured(context, module, &candidate))
            .take(MAX_TRIALS)
            .collect()
    };
    let mut asked = loops(context, module).into_iter();
    if asked.any(|(function, op)| has_directive(context, module.inner().inner(function), op)) {
        return;
    }
    let mut trials = fusions(module);
    if trials.is_empty() {
        return;
    }
    let cost = |module: &Module| Some(judge(context, module, setting, finish)?.cost);
    let Some(mut least) = cost(module) else {
        return;
    };
    while !trials.is_empty() {
        let known = least;
        for trial in std::mem::take(&mut trials) {
            if let Some(new) = cost(&trial).filter(|new| new.is_less_than(least)) {
                (least, *module) = (new, trial);
            }
        }
        if least.is_less_than(known) {
            trials = fusions(module);
        }
    }
}

/// Chooses fusions and interchanges, and writes them on loops as directives.
pub fn choose(context: &Context, module: &mut Module, attempts: &Attempts<'_>) {
    let top = attempts.setting.top;
    let finish = |module: &mut Module, found: &mut Diagnostics| {
        attempts.finish(context, module, found);
    };
    let cycles = |module: &Module| trial(context, module, top, finish)?.cycles;
    let Some(mut least) = cycles(module) else {
        return;
    };
    for _ in 0..MAX_DIRECTIVES {
        let trials = candidates(context, module)
            .into_iter()
            .filter_map(|candidate| restructured(context, module, &candidate))
            .take(MAX_TRIALS);
        let best = trials
            .filter_map(|trial| Some((cycles(&trial)?, trial)))
            .min_by_key(|(cycles, _)| *cycles);
        match best {
            Some((cycles, trial)) if cycles < least => {
                least = cycles;
                *module = trial;
            }
            _ => return,
        }
    }
}

/// Returns the module with the directive applied; `None` if it is illegal.
fn restructured(context: &Context, module: &Module, candidate: &Candidate) -> Option<Module> {
    let mut trial = module.clone();
    let body = trial.inner_mut().inner_mut(candidate.function);
    let op = *loops_in(context, body).get(candidate.position)?;
    let title = choices::title(context, body, op);
    body.set_attribute(op, context.name(candidate.directive), candidate.value);
    let mut found = Diagnostics::new();
    sluice_transform::restructure(context, body, &mut found);
    if found.has_errors() {
        return None;
    }
    let what = match candidate.directive == FUSE {
        true => "is one with the next",
        false => "changed places with the one in it",
    };
    let sentence = format!("loop {title} {what}");
    choices::note(context, &mut trial, candidate.function, &sentence);
    Some(trial)
}

fn candidates(context: &Context, module: &Module) -> Vec<Candidate> {
    let mut all = Vec::new();
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        let loops = loops_in(context, body);
        let name = |op: OperationId| {
            let block = View::new(context, body, op).entry_block(0)?;
            let counter = body.arguments(block).first()?;
            body.value_name(*counter).map(|name| context.text(name))
        };
        for (position, op) in loops.iter().enumerate() {
            let mut candidate = |directive, value| {
                all.push(Candidate {
                    function,
                    position,
                    directive,
                    value,
                });
            };
            let mut behind = std::iter::successors(body.next(*op), |op| body.next(*op));
            if behind.any(|op| loops.contains(&op)) {
                candidate(FUSE, context.unit_attribute());
            }
            for inner in loops
                .iter()
                .filter(|l| body.parent_operation(**l) == Some(*op))
            {
                if let (Some(outer), Some(inner)) = (name(*op), name(*inner)) {
                    let order = [inner, outer].map(|name| context.string_attribute(name));
                    candidate(INTERCHANGE, context.array_attribute(&order));
                }
            }
        }
    }
    all
}
