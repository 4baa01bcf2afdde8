//! How far apart the groups of a flattened nest run: by trial, since only the schedule knows what a recurrence costs.

use std::collections::BTreeMap;

use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_transform::{NEST, ROWS, SPACING};

/// Spacings that are tried, in steps. A recurrence through a shared multiplier is shorter than the last one on every device.
const SPACINGS: &[i64] = &[1, 2, 3, 4, 5, 6, 8];

/// The two numbers that are chosen for a nest, in steps: see [`SPACING`] and [`ROWS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wish {
    spacing: i64,
    rows: i64,
}

/// What a flattened nest became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Result {
    wish: Wish,
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
    if number_nests(context, module) == 0 {
        return;
    }
    let mut best: BTreeMap<i64, Result> = BTreeMap::new();
    let attempt = |best: &mut BTreeMap<i64, Result>, wish: &dyn Fn(i64) -> Wish| {
        let mut trial = module.clone();
        write_wishes(context, &mut trial, wish);
        let mut found = Diagnostics::new();
        finish(&mut trial, &mut found);
        if found.has_errors() {
            return None;
        }
        let results = results(context, &trial, wish);
        let mut better = false;
        for (nest, result) in &results {
            let known = best.entry(*nest).or_insert(*result);
            better |= result.cycles < known.cycles;
            if result.cycles < known.cycles {
                *known = *result;
            }
        }
        Some((results, better))
    };
    for spacing in SPACINGS.iter().copied() {
        let wish = Wish {
            spacing,
            rows: spacing,
        };
        let Some((results, _)) = attempt(&mut best, &|_| wish) else {
            break;
        };
        // More idle steps cannot help a nest that starts one in every cycle.
        let may_gain =
            |(nest, result): (&i64, &Result)| result.ii > 1 && result.steps < best[nest].cycles;
        if !results.iter().any(may_gain) {
            break;
        }
    }
    // What one of the two needs, the other may not.
    for lower in [
        |wish: Wish| Wish {
            spacing: wish.spacing - 1,
            ..wish
        },
        |wish: Wish| Wish {
            rows: wish.rows - 1,
            ..wish
        },
    ] {
        loop {
            let chosen = best.clone();
            let next = |nest: i64| chosen.get(&nest).map(|result| lower(result.wish));
            let is_possible = |wish: &Wish| wish.spacing > 0 && wish.rows > 0;
            if !chosen
                .keys()
                .filter_map(|nest| next(*nest))
                .any(|wish| is_possible(&wish))
            {
                break;
            }
            let wish = |nest: i64| {
                let plain = Wish {
                    spacing: 1,
                    rows: 1,
                };
                next(nest)
                    .filter(is_possible)
                    .or_else(|| chosen.get(&nest).map(|result| result.wish))
                    .unwrap_or(plain)
            };
            match attempt(&mut best, &wish) {
                Some((_, true)) => {}
                Some((_, false)) | None => break,
            }
        }
    }
    write_wishes(context, module, &|nest| {
        let plain = Wish {
            spacing: 1,
            rows: 1,
        };
        best.get(&nest).map_or(plain, |result| result.wish)
    });
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

fn write_wishes(context: &Context, module: &mut Module, wish: &dyn Fn(i64) -> Wish) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let number = body.attribute_named(context, op, NEST);
        if let Some(number) = number.and_then(|a| a.as_i64(context)) {
            let Wish { spacing, rows } = wish(number);
            body.set_attribute(op, context.name(SPACING), context.i64_attribute(spacing));
            body.set_attribute(op, context.name(ROWS), context.i64_attribute(rows));
        }
    }
}

fn results(
    context: &Context,
    module: &Module,
    wish: &dyn Fn(i64) -> Wish,
) -> BTreeMap<i64, Result> {
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
            let wish = wish(nest);
            results.insert(
                nest,
                Result {
                    wish,
                    cycles,
                    ii,
                    steps,
                },
            );
        }
    }
    results
}
