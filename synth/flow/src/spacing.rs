//! How far apart the groups of a flattened nest run: by trial, since only the schedule knows what a recurrence costs.

use std::collections::BTreeMap;

use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_transform::{NEST, SPACING};

/// Spacings that are tried, in steps. A recurrence through a shared multiplier is shorter than the last one on every device.
const SPACINGS: &[i64] = &[1, 2, 3, 4, 5, 6, 8];

/// What a flattened nest became under a spacing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Result {
    cycles: i64,
    ii: i64,
    steps: i64,
}

/// Writes the best spacing on every nest. `finish` brings a module from here into the scheduled form.
pub(crate) fn choose(
    context: &Context,
    module: &mut Module,
    finish: impl Fn(&mut Module, &mut Diagnostics),
) {
    let n_nests = number_nests(context, module);
    if n_nests == 0 {
        return;
    }
    let mut best: BTreeMap<i64, (i64, Result)> = BTreeMap::new();
    for spacing in SPACINGS {
        let mut trial = module.clone();
        set_spacing(context, &mut trial, &|_| *spacing);
        let mut found = Diagnostics::new();
        finish(&mut trial, &mut found);
        if found.has_errors() {
            break;
        }
        let results = results(context, &trial);
        for (nest, result) in &results {
            let known = best.entry(*nest).or_insert((*spacing, *result));
            if result.cycles < known.1.cycles {
                *known = (*spacing, *result);
            }
        }
        // More idle steps cannot help a nest that starts one in every cycle.
        let may_gain =
            |(nest, result): (&i64, &Result)| result.ii > 1 && result.steps < best[nest].1.cycles;
        if !results.iter().any(may_gain) {
            break;
        }
    }
    set_spacing(context, module, &|nest| best.get(&nest).map_or(1, |b| b.0));
}

fn loops(context: &Context, module: &Module) -> Vec<(OperationId, OperationId)> {
    let inner = module.inner();
    let functions = named(context, module, "func.func").into_iter();
    functions
        .flat_map(|function| {
            let body = inner.inner(function);
            let all = body.walk_all().into_iter();
            all.filter(|op| View::new(context, body, *op).name() == "scf.for")
                .map(|op| (function, op))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Numbers every loop that holds another; how many there are.
fn number_nests(context: &Context, module: &mut Module) -> usize {
    let mut n = 0;
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let holds_loop = body
            .walk(op)
            .into_iter()
            .any(|inner| inner != op && View::new(context, body, inner).name() == "scf.for");
        if holds_loop {
            let number = i64::try_from(n).expect("few loops");
            body.set_attribute(op, context.name(NEST), context.i64_attribute(number));
            n += 1;
        }
    }
    n
}

fn set_spacing(context: &Context, module: &mut Module, spacing: &dyn Fn(i64) -> i64) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let number = body.attribute_named(context, op, NEST);
        if let Some(number) = number.and_then(|a| a.as_i64(context)) {
            let attribute = context.i64_attribute(spacing(number));
            body.set_attribute(op, context.name(SPACING), attribute);
        }
    }
}

fn results(context: &Context, module: &Module) -> BTreeMap<i64, Result> {
    let mut results = BTreeMap::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let number = |name: &str| body.attribute_named(context, op, name)?.as_i64(context);
        if let (Some(nest), Some(ii), Some(cycles), Some(steps)) = (
            number(NEST),
            number("sluice.ii"),
            number("sluice.cycles"),
            number("sluice.trip_count"),
        ) {
            results.insert(nest, Result { cycles, ii, steps });
        }
    }
    results
}
