//! How far apart the groups of a flattened nest run: by trial, since only the schedule knows what a recurrence costs.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_transform::{BYPASS, FLATTEN, NEST, ROTATE, ROWS, SPACING};

/// Spacings that are tried, in steps. A recurrence through a shared multiplier is shorter than the last one on every device.
const SPACINGS: &[i64] = &[1, 2, 3, 4, 5, 6, 8];

/// The numbers that are chosen for a nest; the first two in steps, see [`SPACING`] and [`ROWS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wish {
    spacing: i64,
    rows: i64,
    /// Stores that are kept for loads, see [`BYPASS`].
    bypass: i64,
    /// See [`ROTATE`].
    rotation: i64,
}

/// Rotations that are tried, see [`ROTATE`].
const ROTATIONS: &[i64] = &[0, 1, 2, 3, 4, 6];

/// What a loop or a flattened nest became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outcome {
    wish: Wish,
    cycles: i64,
    ii: i64,
    steps: i64,
    idle_steps: i64,
    /// The interval that units and ports alone allow.
    resource_ii: i64,
    /// What was rotated.
    rotated: i64,
}

/// Chooses for every nest whether it is flattened, and how far its groups are apart. `finish` brings a module from here into the
/// scheduled form.
pub(crate) fn choose(
    context: &Context,
    module: &mut Module,
    finish: impl Fn(&mut Module, &mut Diagnostics),
) {
    if number_nests(context, module) == 0 {
        return;
    }
    let flat = search(context, module, &finish);
    write_wishes(context, module, &flat);
    // A nest that does not start a step in every cycle may be faster with its loops kept apart, the inner ones flattened.
    let doubtful: Vec<i64> = outermost_nests(context, module)
        .into_iter()
        .filter(|nest| flat.get(nest).is_some_and(|result| result.ii > 1))
        .collect();
    if doubtful.is_empty() {
        return;
    }
    let mut apart = module.clone();
    keep_apart(context, &mut apart, &doubtful);
    let found = search(context, &apart, &finish);
    let better: Vec<i64> = doubtful
        .into_iter()
        .filter(|nest| {
            let cycles = |results: &Results| results.get(nest).map(|result| result.cycles);
            cycles(&found).is_some_and(|apart| Some(apart) < cycles(&flat))
        })
        .collect();
    keep_apart(context, module, &better);
    // Loops inside of a nest that is flattened have no wishes of their own.
    let wishes = found.into_iter().chain(flat).collect();
    write_wishes(context, module, &wishes);
}

/// What became of each nest, by its number.
type Results = BTreeMap<i64, Outcome>;

const PLAIN: Wish = Wish {
    spacing: 1,
    rows: 1,
    bypass: 0,
    rotation: 0,
};

/// Depths of bypasses that are tried. Reading, adding and writing take few cycles.
const BYPASSES: &[i64] = &[1, 2, 3];

/// Finds the best wish of every nest by trial.
fn search(
    context: &Context,
    module: &Module,
    finish: &impl Fn(&mut Module, &mut Diagnostics),
) -> Results {
    let nests = nests(context, module);
    let mut best = Results::new();
    let attempt = |best: &mut Results, wish: &dyn Fn(i64) -> Wish| {
        let mut trial = module.clone();
        set_wishes(context, &mut trial, wish);
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
    let mut seen: BTreeSet<Vec<i64>> = BTreeSet::new();
    for rotation in ROTATIONS.iter().copied() {
        // What is computed an iteration ahead or later needs no steps to wait for.
        let waits = |(nest, outcome): (&i64, &Outcome)| {
            nests.contains(nest) && (outcome.idle_steps > 0 || outcome.ii > outcome.resource_ii)
        };
        if rotation > 0 && !best.iter().any(waits) {
            break;
        }
        // A rotated nest has longer ways: fewer steps than without do not do.
        let spacings = best
            .iter()
            .filter(|(nest, _)| nests.contains(nest))
            .map(|(_, outcome)| outcome.wish.spacing);
        let least = spacings.min().unwrap_or(1);
        let mut is_first = true;
        for spacing in SPACINGS.iter().copied().filter(|n| *n >= least) {
            let wish = Wish {
                spacing,
                rows: spacing,
                bypass: 0,
                rotation,
            };
            let Some((results, _)) = attempt(&mut best, &|_| wish) else {
                break;
            };
            // Nothing new was rotated.
            let rotated = results.values().map(|outcome| outcome.rotated).collect();
            if std::mem::take(&mut is_first) && !seen.insert(rotated) {
                break;
            }
            // More idle steps cannot help a nest whose units are busy, or one that starts a step in every cycle.
            let may_gain = |(nest, outcome): (&i64, &Outcome)| {
                nests.contains(nest)
                    && (rotation == 0 || outcome.rotated > 0)
                    && outcome.ii > outcome.resource_ii
                    && outcome.steps * outcome.resource_ii < best[nest].cycles
            };
            if !results.iter().any(may_gain) {
                break;
            }
        }
    }
    // A store that the next iterations may read can be handed to them.
    for bypass in BYPASSES.iter().copied() {
        let chosen = best.clone();
        if !chosen.values().any(|result| result.ii > 1) {
            break;
        }
        let wish = |nest: i64| {
            let kept = chosen.get(&nest).copied();
            let wish = kept.map_or(PLAIN, |result| result.wish);
            match kept {
                Some(result) if result.ii > 1 => Wish { bypass, ..wish },
                _ => wish,
            }
        };
        if attempt(&mut best, &wish).is_none() {
            break;
        }
    }
    // What one of the two needs, the other may not.
    let lowerings: [fn(Wish) -> Wish; 2] = [
        |wish| Wish {
            spacing: wish.spacing - 1,
            ..wish
        },
        |wish| Wish {
            rows: wish.rows - 1,
            ..wish
        },
    ];
    for lower in lowerings {
        loop {
            let chosen = best.clone();
            let lowered = |nest: i64| {
                let wish = lower(chosen.get(&nest)?.wish);
                let is_nest = nests.contains(&nest);
                (is_nest && wish.spacing > 0 && wish.rows > 0).then_some(wish)
            };
            if !chosen.keys().any(|nest| lowered(*nest).is_some()) {
                break;
            }
            let wish = |nest: i64| {
                let kept = chosen.get(&nest).map_or(PLAIN, |result| result.wish);
                lowered(nest).unwrap_or(kept)
            };
            match attempt(&mut best, &wish) {
                Some((_, true)) => {}
                Some((_, false)) | None => break,
            }
        }
    }
    best
}

/// The loops that hold loops.
fn nests(context: &Context, module: &Module) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let mut inside = body.walk(op).into_iter().filter(|inner| *inner != op);
        let number = body.attribute_named(context, op, NEST);
        if inside.any(|inner| View::new(context, body, inner).name() == "scf.for") {
            found.extend(number.and_then(|a| a.as_i64(context)));
        }
    }
    found
}

/// The nests that no other nest holds.
fn outermost_nests(context: &Context, module: &Module) -> Vec<i64> {
    let nests = nests(context, module);
    let mut found = Vec::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let number = |op| body.attribute_named(context, op, NEST)?.as_i64(context);
        let mut around =
            std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        if let Some(nest) = number(op)
            && nests.contains(&nest)
            && !around.any(|op| number(op).is_some())
        {
            found.push(nest);
        }
    }
    found
}

/// Keeps the loops of some nests apart.
fn keep_apart(context: &Context, module: &mut Module, nests: &[i64]) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let number = body.attribute_named(context, op, NEST);
        if number
            .and_then(|a| a.as_i64(context))
            .is_some_and(|nest| nests.contains(&nest))
        {
            body.set_attribute(op, context.name(FLATTEN), context.bool_attribute(false));
        }
    }
}

fn write_wishes(context: &Context, module: &mut Module, best: &Results) {
    set_wishes(context, module, &|nest| {
        best.get(&nest).map_or(PLAIN, |result| result.wish)
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

/// Numbers every loop; how many there are.
fn number_nests(context: &Context, module: &mut Module) -> usize {
    let loops = loops(context, module);
    for (number, (function, op)) in loops.iter().enumerate() {
        let body = module.inner_mut().inner_mut(*function);
        let number = i64::try_from(number).expect("few loops");
        body.set_attribute(*op, context.name(NEST), context.i64_attribute(number));
    }
    loops.len()
}

fn set_wishes(context: &Context, module: &mut Module, wish: &dyn Fn(i64) -> Wish) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let number = body.attribute_named(context, op, NEST);
        if let Some(number) = number.and_then(|a| a.as_i64(context)) {
            let Wish {
                spacing,
                rows,
                bypass,
                rotation,
            } = wish(number);
            body.set_attribute(op, context.name(BYPASS), context.i64_attribute(bypass));
            body.set_attribute(op, context.name(ROTATE), context.i64_attribute(rotation));
            body.set_attribute(op, context.name(SPACING), context.i64_attribute(spacing));
            body.set_attribute(op, context.name(ROWS), context.i64_attribute(rows));
        }
    }
}

fn results(
    context: &Context,
    module: &Module,
    wish: &dyn Fn(i64) -> Wish,
) -> BTreeMap<i64, Outcome> {
    let mut results = BTreeMap::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let number = |name: &str| body.attribute_named(context, op, name)?.as_i64(context);
        // Loops that are kept apart have cycles alone.
        // Where the number of iterations is not known, the interval stands for the cycles.
        let cycles = number("sluice.cycles").or_else(|| number("sluice.ii"));
        if let (Some(nest), Some(cycles)) = (number(NEST), cycles) {
            let (ii, steps) = (number("sluice.ii"), number("sluice.trip_count"));
            let result = Outcome {
                wish: wish(nest),
                cycles,
                ii: ii.unwrap_or(0),
                steps: steps.unwrap_or(0),
                idle_steps: number("sluice.idle_steps").unwrap_or(0),
                resource_ii: number("sluice.resource_bound").or(ii).unwrap_or(0),
                rotated: number("sluice.rotated").unwrap_or(0),
            };
            results.insert(nest, result);
        }
    }
    results
}
