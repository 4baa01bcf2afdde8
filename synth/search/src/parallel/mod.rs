//! `parallel: auto`: a search for the copies of loops and banks of arrays that keep the multipliers of `limits` busy.
//!
//! In each nest, the candidates are factors of the loops around the most multiplications: outer loops are jammed (unrolled and
//! fused), the innermost one is unrolled. The banks follow from the copies: cyclic in every dimension that the counter of a
//! copied loop indexes. Other loops are copied as the banks they access allow. One more candidate unrolls inner loops completely
//! and has no banks, for stencils. An estimate orders the candidates ([`estimate`]). Trial schedules decide among the best ones:
//! fewest cycles, then fewest banks, then the order of the estimate.
//!
//! Source: the search over unrolling factors under a bound on operators follows L.-N. Pouchet et al., "Polyhedral-based data
//! reuse optimization for configurable computing", FPGA 2013. Differs: real schedules decide, not the model.

mod estimate;
mod shape;

use std::collections::BTreeMap;

use sluice_dialects::sluice::{BALANCE, BANKS, JAM, PARALLEL};
use sluice_dialects::{func, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Exact, Module, OperationId};

use crate::setting::Setting;
use crate::trial::trial;
use estimate::{Choice, choices};
use shape::{Shape, shape};

/// Number of candidates that are scheduled; the estimate rarely ranks the best one lower.
const TRIALS: usize = 6;

/// Chooses copies and banks for the kernel, and writes them on its loops and arrays. `unflattened` brings a module to the form in
/// which the bodies of loops are final, `finish` into the scheduled form, and `finish_with_copies` too, with copies of arrays where
/// they pay.
pub fn choose(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    unflattened: &dyn Fn(&mut Module, &mut Diagnostics),
    finish: &dyn Fn(&mut Module, &mut Diagnostics),
    finish_with_copies: &dyn Fn(&mut Module, &mut Diagnostics),
) {
    let limits = sluice_config::MULTIPLIERS.iter();
    let limits = limits.filter_map(|class| setting.config.limits.get(*class).copied());
    let limit = limits.max().unwrap_or(1);
    let Some(function) = named(context, module, func::Func::NAME)
        .into_iter()
        .find(|op| symbol(context, module, *op) == Some(setting.top.to_owned()))
    else {
        return;
    };
    let Some(kernel) = shape(context, module, function, unflattened) else {
        return;
    };
    let is_legal = |number: usize, factor: i64| {
        let mut trial = module.clone();
        let body = trial.inner_mut().inner_mut(function);
        let op = kernel.loops[number].op;
        body.set_attribute(op, context.name(JAM), context.i64_attribute(factor));
        let mut found = Diagnostics::new();
        sluice_transform::jam(context, body, &mut found);
        !found.has_errors()
    };
    let mut best: Option<(Exact, u64, Choice)> = None;
    let mut candidates = choices(&kernel, i64::from(limit), &is_legal);
    candidates.truncate(TRIALS);
    let windows = Choice::windows(&kernel, i64::from(limit)).into_iter();
    let windows = windows.map(|choice| (choice, finish_with_copies));
    let candidates = candidates.into_iter().map(|choice| (choice, finish));
    // The unchanged kernel comes last: it is rarely the best one, and takes the longest. Like the other choice without banks, it may
    // read copies of arrays.
    let unchanged = (Choice::none(&kernel, i64::from(limit)), finish_with_copies);
    for (choice, finish) in windows.chain(candidates).chain([unchanged]) {
        // The estimate excludes the cycles that fill and drain a loop, so the real number is not smaller.
        if best
            .as_ref()
            .is_some_and(|(cycles, ..)| choice.least > *cycles)
        {
            continue;
        }
        if best.is_some()
            && context
                .limits
                .watch
                .cut("other numbers of parallel iterations")
        {
            break;
        }
        let mut copied = module.clone();
        apply(context, &mut copied, function, &kernel, &choice);
        let Some(trial) = trial(context, &copied, setting.top, finish) else {
            continue;
        };
        // If the number of cycles depends on the data, the estimate decides.
        let cycles = trial.cycles.unwrap_or(choice.cycles);
        let n_banks = choice.n_banks();
        let is_better = best
            .as_ref()
            .is_none_or(|(least, banks, _)| (cycles, n_banks) < (*least, *banks));
        if is_better {
            best = Some((cycles, n_banks, choice));
        }
    }
    if let Some((.., choice)) = best {
        apply(context, module, function, &kernel, &choice);
    }
}

fn symbol(context: &Context, module: &Module, op: OperationId) -> Option<String> {
    let name = module.inner().attribute_named(context, op, "sym_name")?;
    name.as_str(context).map(str::to_owned)
}

/// Puts the directives of a choice on loops and arrays.
fn apply(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    kernel: &Shape,
    choice: &Choice,
) {
    if choice.factors.iter().all(|factor| *factor == 1) {
        return;
    }
    let mut words = Vec::new();
    let body = module.inner_mut().inner_mut(function);
    for (number, (known, factor)) in kernel.loops.iter().zip(&choice.factors).enumerate() {
        let mut inner =
            (0..kernel.loops.len()).filter(|n| *n != number && kernel.is_inside(*n, number));
        // A loop whose inner loops are unrolled completely is an innermost loop.
        let is_innermost = inner.all(|n| {
            let inner = &kernel.loops[n];
            inner.is_constant && inner.trip_count == Exact::from(choice.factors[n])
        });
        body.set_attribute(known.op, context.name(BALANCE), context.unit_attribute());
        if *factor > 1 {
            let (key, word) = if is_innermost {
                (sluice::UNROLL, "unroll")
            } else {
                (JAM, "jam")
            };
            body.set_attribute(known.op, context.name(key), context.i64_attribute(*factor));
            words.push(format!("%{}: {word} {factor}", known.name));
        }
    }
    let mut of_arguments = BTreeMap::new();
    for (array, factors) in kernel.arrays.iter().zip(&choice.banks) {
        let splits: Vec<_> = factors
            .iter()
            .enumerate()
            .filter(|(_, factor)| **factor > 1)
            .map(|(dim, factor)| {
                let dim = context.i64_attribute(i64::try_from(dim).expect("few dimensions"));
                context.dictionary_attribute(&[
                    (context.name("dim"), dim),
                    (context.name("factor"), context.i64_attribute(*factor)),
                    (context.name("kind"), context.string_attribute("cyclic")),
                ])
            })
            .collect();
        if splits.is_empty() {
            continue;
        }
        let wish = context.array_attribute(&splits);
        match body.defining_operation(array.value) {
            Some(made) => {
                body.set_attribute(made, context.name(BANKS), wish);
                let name = context.string_attribute(&array.name);
                body.set_attribute(made, context.name(sluice_dialects::sluice::ARRAY), name);
            }
            None => {
                of_arguments.insert(array.value, wish);
            }
        }
    }
    sluice_kernel::banks::banks_of_arguments(context, module.inner_mut(), function, &|_, value| {
        of_arguments.get(&value).copied()
    });
    let words = context.string_attribute(&words.join(", "));
    module
        .inner_mut()
        .set_attribute(function, context.name(PARALLEL), words);
}
