//! Choice of the spacings between the groups of a flattened nest. Trial schedules decide, since only they show the cost of a
//! recurrence.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rayon::prelude::*;
use sluice_dialects::sluice::{
    APART_BY_CHOICE, BYPASS, FLATTEN, NEST, PHASES, ROTATE, ROWS, SPACING, WAITS,
};
use sluice_dialects::{scf, sluice};
use sluice_ir::{Context, Diagnostics, Exact, Module, OperationId, View};
use sluice_transform::can_bypass;

use crate::interleave::divisions;
use crate::loops::{loops, scheduled_loops};

/// Spacings that are tried, in steps. On every device, a recurrence through a shared multiplier is shorter than the last one.
const SPACINGS: &[i64] = &[1, 2, 3, 4, 5, 6, 8];

/// The parameters chosen for a nest; the first two in steps, see [`SPACING`] and [`ROWS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wish {
    spacing: i64,
    rows: i64,
    /// Number of stores that are kept for loads, see [`BYPASS`].
    bypass: i64,
    /// See [`ROTATE`].
    rotation: i64,
    /// See [`PHASES`].
    phases: i64,
    /// See [`WAITS`].
    waits: i64,
}

/// Numbers of steps that are added to spacings for longer paths.
const FARTHER: &[i64] = &[0, 1, 2, 3, 4, 6];

/// Values of [`ROTATE`] (software pipelining of outer loops) that are tried.
const ROTATIONS: &[i64] = &[0, OVERLAP, 1, 2, 3, 4, 6, 8, DIVISIONS + 1];

/// The rotation that saves steps even if none is idle.
const OVERLAP: i64 = 16;

/// The flag that also rotates divisions.
const DIVISIONS: i64 = 32;

/// The result of a trial for a loop or a flattened nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outcome {
    wish: Wish,
    cycles: i64,
    ii: i64,
    steps: i64,
    idle_steps: i64,
    /// The II that units and ports alone allow.
    resource_ii: i64,
    /// The part of the rotation that could be done.
    rotated: i64,
    /// True if keeping a store in registers would serve a load.
    may_bypass: bool,
    /// True if the nest is one loop now.
    is_flat: bool,
    /// True if the number of iterations is known; else `cycles` is the II.
    is_counted: bool,
}

/// Chooses for every nest whether it is flattened, and the spacings between its groups. `finish` brings a module from this point
/// into the scheduled form.
pub fn choose(
    context: &Context,
    module: &mut Module,
    finish: impl Fn(&mut Module, &mut Diagnostics) + Sync,
) {
    if number_nests(context, module) == 0 {
        return;
    }
    let around = loops_around(context, module);
    let (best, apart) = best_of(context, module, &around, &finish, &[0, 1]);
    keep_apart(context, module, &apart);
    write_wishes(context, module, &best);
}

/// Chooses again for a module with earlier choices whose paths now take longer. Only the spacings of groups and rows change; the
/// other parameters stay.
pub(crate) fn choose_again(
    context: &Context,
    module: &mut Module,
    finish: impl Fn(&mut Module, &mut Diagnostics) + Sync,
) {
    // A copied loop has the number of its original, so number them again.
    number_nests(context, module);
    let chosen = chosen_wishes(context, module);
    let nests = nests(context, module);
    if nests.iter().all(|nest| !chosen.contains_key(nest)) {
        return;
    }
    let attempt = |wish: &dyn Fn(i64) -> Wish| measure(context, module, &finish, wish);
    let mut best = Results::new();
    for farther in FARTHER.iter().copied() {
        let wish = |nest: i64| {
            let wish = chosen.get(&nest).copied().unwrap_or(PLAIN);
            match nests.contains(&nest) {
                true => Wish {
                    spacing: wish.spacing + farther,
                    rows: wish.rows + farther,
                    ..wish
                },
                false => wish,
            }
        };
        let Some(results) = attempt(&wish) else {
            break;
        };
        keep_better(&mut best, &results);
        if !results.iter().any(|found| may_gain(found, &nests, &best)) {
            break;
        }
    }
    lower(&mut best, &nests, attempt);
    let kept = |nest: i64| chosen.get(&nest).copied().unwrap_or(PLAIN);
    set_wishes(context, module, &|nest| {
        best.get(&nest).map_or(kept(nest), |result| result.wish)
    });
}

/// Returns the best parameters of every nest, and the nests whose loops are kept apart.
///
/// A nest that does not start a step in every cycle may be faster with its loops apart; the nests inside it are then flattened or
/// not in their turn. `phases` are tried only for nests that are flattened as a whole.
fn best_of(
    context: &Context,
    module: &Module,
    around: &BTreeMap<i64, BTreeSet<i64>>,
    finish: &(impl Fn(&mut Module, &mut Diagnostics) + Sync),
    phases: &[i64],
) -> (Results, BTreeSet<i64>) {
    let mut best = search(context, module, finish, phases);
    let is_outermost = |nest: &i64| around.get(nest).is_none_or(BTreeSet::is_empty);
    let wished = wished_flat(context, module);
    let may_lose = |(nest, outcome): (&i64, &Outcome)| {
        if wished.contains(nest) {
            return None;
        }
        let waits = outcome.ii > 1 || !is_outermost(nest) && outcome.idle_steps > 0;
        (outcome.is_flat && waits).then_some(*nest)
    };
    let mut better: BTreeSet<i64> = best.iter().filter_map(may_lose).collect();
    if better.is_empty() {
        return (best, better);
    }
    let mut trial = module.clone();
    keep_apart(context, &mut trial, &better);
    let (found, inner) = best_of(context, &trial, around, finish, &[0]);
    let cycles = |results: &Results, nest: &i64| results.get(nest).map(|result| result.cycles);
    // A nest with an unknown number of iterations is compared by the II of the loops inside.
    let ii_apart = |nest: &i64| {
        let inside = found
            .iter()
            .filter(|(inner, _)| around.get(inner).is_some_and(|all| all.contains(nest)));
        inside.map(|(_, outcome)| outcome.ii).max()
    };
    better.retain(|nest| {
        let is_counted = best.get(nest).is_some_and(|flat| flat.is_counted);
        let apart = match is_counted {
            true => cycles(&found, nest),
            false => ii_apart(nest),
        };
        apart.is_some_and(|apart| Some(apart) < cycles(&best, nest))
    });
    for nest in &better {
        if let (Some(apart), Some(outcome)) = (ii_apart(nest), best.get_mut(nest))
            && !outcome.is_counted
        {
            (outcome.cycles, outcome.ii) = (apart, apart);
        }
    }
    // The cycles that a nest saves are also saved by the loops around it.
    for nest in &better {
        let gain = cycles(&best, nest).zip(cycles(&found, nest));
        for outer in around.get(nest).into_iter().flatten() {
            if let (Some((flat, apart)), Some(outer)) = (gain, best.get_mut(outer)) {
                outer.cycles -= flat - apart;
            }
        }
    }
    // Loops inside a flattened nest have no parameters of their own.
    let is_inside = |nest: &i64| around.get(nest).is_some_and(|a| !a.is_disjoint(&better));
    best.extend(found.into_iter().filter(|(nest, _)| is_inside(nest)));
    let inner: Vec<i64> = inner.into_iter().filter(is_inside).collect();
    better.extend(inner);
    (best, better)
}

/// The result for each nest, by its number.
type Results = BTreeMap<i64, Outcome>;

const PLAIN: Wish = Wish {
    spacing: 1,
    rows: 1,
    bypass: 0,
    rotation: 0,
    phases: 0,
    waits: 0,
};

/// Numbers of kept stores that are tried. Reading, adding and writing take few cycles.
const BYPASSES: &[i64] = &[1, 2, 3];

/// Maximum number of candidates of a sequence that are measured at once, if there are threads for it.
const MAX_AT_ONCE: usize = 2;

/// Candidates that are measured one after the other, until the caller stops. The first one is measured alone, since many
/// sequences end there; then [`MAX_AT_ONCE`] together.
struct Sequence<'a> {
    left: VecDeque<Wish>,
    measured: VecDeque<(Wish, Option<Results>)>,
    is_first: bool,
    measure: &'a (dyn Fn(Wish) -> Option<Results> + Sync),
}

impl<'a> Sequence<'a> {
    fn new(
        wishes: impl Iterator<Item = Wish>,
        measure: &'a (dyn Fn(Wish) -> Option<Results> + Sync),
    ) -> Self {
        Self {
            left: wishes.collect(),
            measured: VecDeque::new(),
            is_first: true,
            measure,
        }
    }

    /// Returns the next candidate with its results; `None` at the end, or if its trial has errors.
    fn next_measured(&mut self) -> Option<(Wish, Results)> {
        if self.measured.is_empty() {
            let together = match std::mem::take(&mut self.is_first) {
                true => 1,
                false => rayon::current_num_threads().min(MAX_AT_ONCE),
            };
            let next: Vec<Wish> = self.left.drain(..together.min(self.left.len())).collect();
            let results = next
                .into_par_iter()
                .map(|wish| (wish, (self.measure)(wish)));
            let results: Vec<_> = results.collect();
            self.measured.extend(results);
        }
        let (wish, results) = self.measured.pop_front()?;
        Some((wish, results?))
    }
}

/// Finds the best parameters of every nest by trial schedules.
fn search(
    context: &Context,
    module: &Module,
    finish: &(impl Fn(&mut Module, &mut Diagnostics) + Sync),
    phases: &[i64],
) -> Results {
    let nests = nests(context, module);
    let mut best = Results::new();
    let measure = |wish: &dyn Fn(i64) -> Wish| measure(context, module, finish, wish);
    let attempt = |best: &mut Results, wish: &dyn Fn(i64) -> Wish| {
        let results = measure(wish)?;
        let better = keep_better(best, &results);
        Some((results, better))
    };
    let measure_all = |wish: Wish| measure(&|_| wish);
    let has_divisions = !divisions(context, module).is_empty();
    // A nest that idles with plain parameters waits for a division, and gains nothing from phases.
    let mut divided: BTreeSet<i64> = BTreeSet::new();
    let mut rotations_of_waits = vec![0];
    for phases in phases.iter().copied() {
        let shares = |(nest, outcome): (&i64, &Outcome)| {
            outcome.is_flat && outcome.resource_ii > 1 && !divided.contains(nest)
        };
        if phases > 0 && !best.iter().any(shares) {
            break;
        }
        let mut round = Results::new();
        let mut is_promising = phases == 0;
        let mut seen: BTreeSet<Vec<i64>> = BTreeSet::new();
        let rotations = ROTATIONS.iter().copied();
        for rotation in rotations.filter(|rotation| has_divisions || *rotation < DIVISIONS) {
            // Rotation moves operations by an iteration, which only helps nests that wait.
            let waits = |(nest, outcome): (&i64, &Outcome)| {
                nests.contains(nest) && (outcome.idle_steps > 0 || outcome.ii > outcome.resource_ii)
            };
            let overlaps = rotation == OVERLAP;
            if rotation > 0 && (!is_promising || !overlaps && !round.iter().any(waits)) {
                break;
            }
            if overlaps && !may_overlap(context, module) {
                continue;
            }
            // A rotated nest has longer recurrences: it needs at least as many steps as without rotation.
            let spacings = round
                .iter()
                .filter(|(nest, _)| nests.contains(nest))
                .map(|(_, outcome)| outcome.wish.spacing);
            let least = spacings.min().unwrap_or(1);
            let mut is_first = true;
            let wishes = SPACINGS.iter().copied().filter(|n| *n >= least);
            let wishes = wishes.map(|spacing| Wish {
                spacing,
                rows: spacing,
                bypass: 0,
                rotation,
                phases,
                waits: 0,
            });
            let mut sequence = Sequence::new(wishes, &measure_all);
            while let Some((wish, results)) = sequence.next_measured() {
                keep_better(&mut best, &results);
                keep_better(&mut round, &results);
                if overlaps && results.values().any(|outcome| outcome.rotated > 0) {
                    rotations_of_waits = vec![0, OVERLAP];
                }
                if wish == PLAIN {
                    let idle = results.iter().filter(|(_, found)| found.idle_steps > 0);
                    divided.extend(idle.map(|(nest, _)| *nest));
                }
                // This rotation moved nothing new.
                let rotated = results.values().map(|outcome| outcome.rotated).collect();
                if std::mem::take(&mut is_first) && !seen.insert(rotated) {
                    break;
                }
                let may_gain = |found: (&i64, &Outcome)| {
                    (rotation == 0 || found.1.rotated > 0) && may_gain(found, &nests, &best)
                };
                if !results.iter().any(may_gain) {
                    break;
                }
                is_promising = true;
            }
        }
    }
    // If divisions have steps of their own, rows may need smaller spacings.
    let idle = best.iter().filter(|(nest, outcome)| {
        has_divisions && nests.contains(nest) && outcome.is_flat && outcome.idle_steps > 0
    });
    let least = idle.map(|(_, outcome)| outcome.wish.spacing).min();
    let wide_enough = |spacing: &i64| least.is_some_and(|least| *spacing >= least);
    for rotation in rotations_of_waits {
        let wishes = SPACINGS.iter().copied().filter(wide_enough);
        let wishes = wishes.map(|spacing| Wish {
            spacing,
            rows: spacing,
            rotation,
            waits: 1,
            ..PLAIN
        });
        let mut sequence = Sequence::new(wishes, &measure_all);
        while let Some((_, results)) = sequence.next_measured() {
            keep_better(&mut best, &results);
            let may_gain = |(nest, outcome): (&i64, &Outcome)| {
                nests.contains(nest) && outcome.ii > outcome.resource_ii
            };
            if !results.iter().any(may_gain) {
                break;
            }
        }
    }
    // A store can be kept in registers for loads of the next iterations.
    for bypass in BYPASSES.iter().copied() {
        let chosen = best.clone();
        let waits = |result: &Outcome| result.ii > 1 && result.may_bypass;
        if !chosen.values().any(waits) {
            break;
        }
        let wish = |nest: i64| {
            let kept = chosen.get(&nest).copied();
            let wish = kept.map_or(PLAIN, |result| result.wish);
            match kept {
                Some(result) if waits(&result) => Wish { bypass, ..wish },
                _ => wish,
            }
        };
        if attempt(&mut best, &wish).is_none() {
            break;
        }
    }
    lower(&mut best, &nests, measure);
    best
}

/// Measures every nest with its parameters; `None` if the trial has errors.
fn measure(
    context: &Context,
    module: &Module,
    finish: &impl Fn(&mut Module, &mut Diagnostics),
    wish: &dyn Fn(i64) -> Wish,
) -> Option<Results> {
    // The nests with plain parameters are always measured: there is no earlier result.
    let is_plain = || {
        nests(context, module)
            .iter()
            .all(|nest| wish(*nest) == PLAIN)
    };
    let watch = &context.limits.watch;
    if watch.is_up() && !is_plain() && watch.cut("other distances in flattened nests") {
        return None;
    }
    let mut trial = module.clone();
    set_wishes(context, &mut trial, wish);
    let mut found = Diagnostics::new();
    finish(&mut trial, &mut found);
    (!found.has_errors()).then(|| results(context, &trial, wish))
}

/// Returns whether a nest may gain from more idle steps: not if its units are busy, or if it starts a step in every cycle.
fn may_gain((nest, outcome): (&i64, &Outcome), nests: &BTreeSet<i64>, best: &Results) -> bool {
    nests.contains(nest)
        && outcome.ii > outcome.resource_ii
        && outcome.steps * outcome.resource_ii < best[nest].cycles
}

/// Reduces the spacings of groups and rows of the best parameters as long as that is better.
fn lower(
    best: &mut Results,
    nests: &BTreeSet<i64>,
    measure: impl Fn(&dyn Fn(i64) -> Wish) -> Option<Results>,
) {
    // Only one of the two may need its spacing.
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
            match measure(&wish).map(|results| keep_better(best, &results)) {
                Some(true) => {}
                Some(false) | None => break,
            }
        }
    }
}

/// Keeps the faster result of each nest, and returns whether any nest improved.
fn keep_better(best: &mut Results, results: &Results) -> bool {
    let mut better = false;
    for (nest, result) in results {
        let known = best.entry(*nest).or_insert(*result);
        if result.cycles < known.cycles {
            *known = *result;
            better = true;
        }
    }
    better
}

/// Returns whether a loop holds two loops, the last of which may overlap the first.
fn may_overlap(context: &Context, module: &Module) -> bool {
    loops(context, module).into_iter().any(|(function, op)| {
        let body = module.inner().inner(function);
        let is_loop =
            |inner: &OperationId| View::new(context, body, *inner).name() == scf::For::NAME;
        let inside = body.entry_block(op, 0);
        let held = inside.map_or(0, |block| body.operations(block).filter(is_loop).count());
        held >= 2
    })
}

/// Returns the loops that hold loops.
fn nests(context: &Context, module: &Module) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let mut inside = body.walk(op).into_iter().filter(|inner| *inner != op);
        let number = body.attribute_named(context, op, NEST);
        if inside.any(|inner| View::new(context, body, inner).name() == scf::For::NAME) {
            found.extend(number.and_then(|a| a.as_i64(context)));
        }
    }
    found
}

/// Returns the loops with a directive to flatten them.
fn wished_flat(context: &Context, module: &Module) -> BTreeSet<i64> {
    let wished = |(function, op): (OperationId, OperationId)| {
        let body = module.inner().inner(function);
        let attribute = |name: &str| body.attribute_named(context, op, name);
        let wish = attribute(FLATTEN)?.as_bool(context)?;
        wish.then(|| attribute(NEST)?.as_i64(context)).flatten()
    };
    loops(context, module)
        .into_iter()
        .filter_map(wished)
        .collect()
}

/// Returns the loops around each loop, by their numbers.
fn loops_around(context: &Context, module: &Module) -> BTreeMap<i64, BTreeSet<i64>> {
    let mut found = BTreeMap::new();
    for (function, op) in loops(context, module) {
        let body = module.inner().inner(function);
        let number = |op| body.attribute_named(context, op, NEST)?.as_i64(context);
        let around =
            std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        if let Some(own) = number(op) {
            found.insert(own, around.filter_map(number).collect());
        }
    }
    found
}

/// Keeps the loops of the given nests apart.
fn keep_apart(context: &Context, module: &mut Module, nests: &BTreeSet<i64>) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        let number = body.attribute_named(context, op, NEST);
        if number
            .and_then(|a| a.as_i64(context))
            .is_some_and(|nest| nests.contains(&nest))
        {
            body.set_attribute(op, context.name(FLATTEN), context.bool_attribute(false));
            body.set_attribute(op, context.name(APART_BY_CHOICE), context.unit_attribute());
        }
    }
}

/// Allows flattening again for nests that a choice kept apart because it was faster: in another module that may differ.
pub(crate) fn forget_apart(context: &Context, module: &mut Module) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        if body
            .remove_attribute(op, context.name(APART_BY_CHOICE))
            .is_some()
        {
            body.remove_attribute(op, context.name(FLATTEN));
        }
    }
}

fn write_wishes(context: &Context, module: &mut Module, best: &Results) {
    set_wishes(context, module, &|nest| {
        best.get(&nest).map_or(PLAIN, |result| result.wish)
    });
}

/// Numbers every loop, and returns the number of loops.
fn number_nests(context: &Context, module: &mut Module) -> usize {
    let loops = loops(context, module);
    for (number, (function, op)) in loops.iter().enumerate() {
        let body = module.inner_mut().inner_mut(*function);
        let number = i64::try_from(number).expect("few loops");
        body.set_attribute(*op, context.name(NEST), context.i64_attribute(number));
    }
    loops.len()
}

/// Returns the parameters that are written on loops, by the numbers of the loops.
fn chosen_wishes(context: &Context, module: &Module) -> BTreeMap<i64, Wish> {
    let chosen = |(function, op): (OperationId, OperationId)| {
        let body = module.inner().inner(function);
        let number = |name: &str| body.attribute_named(context, op, name)?.as_i64(context);
        let wish = Wish {
            spacing: number(SPACING)?,
            rows: number(ROWS)?,
            bypass: number(BYPASS)?,
            rotation: number(ROTATE)?,
            phases: number(PHASES)?,
            waits: number(WAITS)?,
        };
        Some((number(NEST)?, wish))
    };
    loops(context, module)
        .into_iter()
        .filter_map(chosen)
        .collect()
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
                phases,
                waits,
            } = wish(number);
            body.set_attribute(op, context.name(WAITS), context.i64_attribute(waits));
            body.set_attribute(op, context.name(PHASES), context.i64_attribute(phases));
            body.set_attribute(op, context.name(BYPASS), context.i64_attribute(bypass));
            body.set_attribute(op, context.name(ROTATE), context.i64_attribute(rotation));
            body.set_attribute(op, context.name(SPACING), context.i64_attribute(spacing));
            body.set_attribute(op, context.name(ROWS), context.i64_attribute(rows));
        }
    }
}

/// Removes the attributes that only `coalesce` reads.
pub(crate) fn forget_wishes(context: &Context, module: &mut Module) {
    for (function, op) in loops(context, module) {
        let body = module.inner_mut().inner_mut(function);
        for name in [ROTATE, SPACING, ROWS, WAITS, APART_BY_CHOICE] {
            body.remove_attribute(op, context.name(name));
        }
    }
}

fn results(
    context: &Context,
    module: &Module,
    wish: &dyn Fn(i64) -> Wish,
) -> BTreeMap<i64, Outcome> {
    let mut results = BTreeMap::new();
    let deepest = BYPASSES.last().copied().unwrap_or(0);
    let deepest = usize::try_from(deepest).expect("depths are small numbers");
    for (function, op) in scheduled_loops(context, module) {
        let body = module.inner().inner(function);
        let number = |name: &str| body.attribute_named(context, op, name)?.as_i64(context);
        // If the number of iterations is not known, the II is compared instead of the cycles.
        let exact = |name: &str| body.attribute_named(context, op, name)?.as_exact(context);
        let counted = total_cycles(&exact).and_then(Exact::to_i64);
        let cycles = counted.or_else(|| number(sluice::II));
        if let (Some(nest), Some(cycles)) = (number(NEST), cycles) {
            let ii = number(sluice::II);
            let steps = number(sluice::TRIP_COUNT).or_else(|| number(sluice::ITERATIONS));
            let idle_steps = number(sluice::IDLE_STEPS);
            let result = Outcome {
                wish: wish(nest),
                cycles,
                ii: ii.unwrap_or(0),
                steps: steps.unwrap_or(0),
                idle_steps: idle_steps.unwrap_or(0),
                is_flat: idle_steps.is_some(),
                is_counted: counted.is_some(),
                resource_ii: number(sluice::RESOURCE_BOUND).or(ii).unwrap_or(0),
                rotated: number(sluice::ROTATED).unwrap_or(0),
                may_bypass: can_bypass(context, body, op, deepest),
            };
            results.insert(nest, result);
        }
    }
    results
}

/// Returns the cycles of a loop summed over all its entries if their number is known, else those of one entry, from its
/// attributes.
fn total_cycles(number: &impl Fn(&str) -> Option<Exact>) -> Option<Exact> {
    let entries = number(sluice::ENTRIES);
    if let Some(cycles) = number(sluice::CYCLES) {
        return Some(cycles.times(entries.unwrap_or(Exact::ONE)));
    }
    if let Some(all) = number(sluice::TOTAL_CYCLES) {
        return Some(all);
    }
    let (ii, depth) = (number(sluice::II)?, number(sluice::DEPTH)?);
    let empty = number(sluice::EMPTY_ENTRIES)?;
    let full = entries?.minus(empty);
    let running = ii.times(number(sluice::ITERATIONS)?);
    let filling = depth.plus(1).minus(ii).times(full);
    Some(running.plus(filling).plus(empty))
}
