//! How much shorter than the clock period paths are scheduled: by trial, since only the schedule knows what a register costs.
//!
//! Routes of a whole circuit may be longer than those that the rows of a device were measured with, and what chooses the operands of a
//! shared unit stands in the longest paths. A cycle more in a pipelined loop costs next to nothing, and a register in front of the unit.

use sluice_dialects::{func, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Exact, Module, View};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::implementation::Structure;

use crate::setting::{PathPeriods, Setting};
use crate::trial::trial;

/// At most one in so many cycles of the kernel is given for the margin.
const SHARE: i64 = 64;

/// The same where an iterative unit sets the clock, and the margin gains little.
const SHARE_OF_BOUND: i64 = 256;

/// Parts of the device's margin for all paths and for those through the choice of operands. Of the first ones the one with the fewest
/// cycles is taken, of equals the first: what is read from a memory and the choice often fit the clock together, but not less. Routes to a
/// multiplier are long, so its choice gets twice the margin. The last one is for kernels where a register there costs too much.
const PARTS: [(f64, f64); 4] = [(0.5, 2.0), (0.0, 2.0), (1.0, 2.0), (0.5, 1.0)];

/// Chooses how far apart the groups of nests run, and the periods for which paths are scheduled: the clock's less as much of the device's
/// margin as costs at most one in [`SHARE`] of the cycles; fewer where an iterative unit needs more than the period with the whole
/// margin in any case. `space` chooses the former for a setting, `finish` flattens and schedules.
///
/// A kernel whose cycles are not known has no margin: there is nothing to weigh it against.
pub fn choose(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    space: impl Fn(&Setting<'_>, &mut Module),
    finish: impl Fn(&Setting<'_>, &mut Module, &mut Diagnostics),
) -> PathPeriods {
    let clock_period_ns = setting.clock_period_ns;
    let margin = setting.device.path_margin;
    let plain = setting.paths;
    if margin <= 0.0 {
        space(setting, module);
        return plain;
    }
    let unspaced = module.clone();
    space(setting, module);
    let at = |paths| Setting {
        paths,
        ..setting.trial()
    };
    let scheduled = |module: &Module, paths| {
        let at = at(paths);
        let finish = |module: &mut Module, found: &mut Diagnostics| finish(&at, module, found);
        trial(context, module, setting.top, finish)
    };
    let without = scheduled(module, plain);
    let Some((without, cycles)) = without.and_then(|trial| Some((trial.module, trial.cycles?)))
    else {
        return plain;
    };
    let most = most_cycles(context, &without, cycles, setting);
    let with = |part: f64| clock_period_ns * (1.0 - margin * part);
    let candidates = PARTS.map(|(path, choice)| PathPeriods {
        path_ns: with(path),
        choice_ns: with(choice),
    });
    let spaced_alike = module.clone();
    // The spacings of the clock's own period often serve; others are only looked for where they do not.
    let attempt = |paths: PathPeriods| {
        let cycles_of = |module: &Module| scheduled(module, paths)?.cycles;
        let alike = cycles_of(&spaced_alike).map(|n| (n, spaced_alike.clone()));
        if alike.as_ref().is_some_and(|(n, _)| *n <= cycles) {
            return alike;
        }
        let mut spaced = unspaced.clone();
        space(&at(paths), &mut spaced);
        let own = cycles_of(&spaced).map(|n| (n, spaced));
        let fewest = alike.into_iter().chain(own).min_by_key(|(n, _)| *n);
        fewest.filter(|(n, _)| n.minus(cycles) <= most)
    };
    let [best @ .., last] = candidates;
    let mut fewest: Option<(Exact, Module, PathPeriods)> = None;
    for paths in best {
        let Some((with, spaced)) = attempt(paths) else {
            continue;
        };
        if fewest.as_ref().is_none_or(|(known, ..)| with < *known) {
            fewest = Some((with, spaced, paths));
        }
        if with <= cycles {
            break;
        }
    }
    let chosen = fewest
        .map(|(_, spaced, paths)| (spaced, paths))
        .or_else(|| attempt(last).map(|(_, spaced)| (spaced, last)));
    let Some((spaced, paths)) = chosen else {
        return plain;
    };
    *module = spaced;
    paths
}

/// The cycles that a margin may cost a kernel which is scheduled without and then takes so many.
pub fn most_cycles(
    context: &Context,
    without: &Module,
    cycles: Exact,
    setting: &Setting<'_>,
) -> Exact {
    let whole_ns = setting.clock_period_ns * (1.0 - setting.device.path_margin);
    let is_bound = slowest_unit_ns(context, without, setting) > whole_ns;
    let share = if is_bound { SHARE_OF_BOUND } else { SHARE };
    cycles.divided_down(share).unwrap_or_default()
}

/// The clock period that the slowest iterative unit of a scheduled module needs, in ns; 0 without such units.
fn slowest_unit_ns(context: &Context, module: &Module, setting: &Setting<'_>) -> f64 {
    let device = setting.device;
    let mut slowest_ns: f64 = 0.0;
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let text = |name: &str| view.attribute(name)?.as_str(context);
            if text(sluice::STRUCTURE) != Some(Structure::IterativeRestoring.name()) {
                continue;
            }
            let class = text(sluice::CLASS).and_then(OperatorClass::of_name);
            let result = view.results().first().copied();
            let width_bits = result.and_then(|value| view.ty(value).integer_width_bits(context));
            let unit = class.zip(width_bits).and_then(|(class, width_bits)| {
                device
                    .implementation(class, width_bits, setting.clock_period_ns)
                    .ok()
            });
            let needed = unit.map(|unit| device.clock_period_for_ns(unit.least_usable_period_ns()));
            slowest_ns = slowest_ns.max(needed.unwrap_or(0.0));
        }
    }
    slowest_ns
}
