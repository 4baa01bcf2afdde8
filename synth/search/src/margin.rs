//! Choice of the timing margin: the difference between the clock period and the period for which paths are scheduled. Trial
//! schedules decide, since only they show the cost of a register.
//!
//! Routes in a whole circuit may be longer than those with which the device's rows were measured, and the multiplexers at the
//! operands of shared units are on the longest paths. A register before the unit adds a cycle to a pipelined loop, which costs
//! next to nothing.

use sluice_dialects::{func, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Exact, Module, View};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::implementation::Structure;

use crate::setting::{PathPeriods, Setting};
use crate::trial::trial;

/// The margin may cost at most one in this many cycles of the kernel.
const SHARE: i64 = 64;

/// The same limit if an iterative unit sets the clock, so that the margin gains little.
const SHARE_OF_BOUND: i64 = 256;

/// Factors of the device's margin: for all paths, and for paths through operand multiplexers. Of all but the last pair, the one
/// with the fewest cycles is chosen, and the first one of several. A memory read and a multiplexer often just fit the clock
/// together. Routes to a multiplier are long, so its multiplexer gets twice the margin. The last pair is for kernels in which a
/// register at that place costs too much.
const PARTS: [(f64, f64); 4] = [(0.5, 2.0), (0.0, 2.0), (1.0, 2.0), (0.5, 1.0)];

/// Chooses the spacings between the groups of nests, and the periods for which paths are scheduled: the clock period minus as
/// much of the device's margin as costs at most one in [`SHARE`] of the cycles. The limit is one in `SHARE_OF_BOUND` if an
/// iterative unit needs more than the period with the whole margin in any case. `space` chooses spacings for a setting, `finish`
/// flattens and schedules.
///
/// A kernel of unknown latency gets no margin, since its cost cannot be measured.
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
    // The spacings for the full clock period are often good enough; others are only searched for if they are not.
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

/// Returns the cycles that a margin may cost a kernel, which takes `cycles` when it is scheduled `without` one.
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

/// Returns the clock period in ns that the slowest iterative unit of a scheduled module needs; 0 without iterative units.
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
            let needed = unit.map(|unit| device.clock_period_for_ns(unit.min_usable_period_ns()));
            slowest_ns = slowest_ns.max(needed.unwrap_or(0.0));
        }
    }
    slowest_ns
}
