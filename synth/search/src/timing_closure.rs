//! Timing closure: a new schedule with shorter paths, if the circuit of the first schedule is expected to miss its clock.
//!
//! A schedule adds up delays of operators only. Operand multiplexers, port arbitration and controllers exist in the circuit only.
//! So the circuit is mapped to estimate its clock period, and its long paths get one more register if that is worth the cycles.

use sluice_dialects::{func, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Exact, Module, View};
use sluice_kernel::choices;
use sluice_kernel::compiled::cycles_of;

use crate::comparing::weight_of_clock;
use crate::setting::{PathPeriods, Setting};
use crate::trial::mapped;

/// Share of the period by which paths get shorter from one trial to the next. A step of a fifth is too coarse: a path that needs
/// a fifth too much rarely has to be cut that far, since the excess is mostly not in a path of operators.
const STEP: f64 = 0.14;

/// Maximum number of trials with ever shorter paths; the last one uses 0.58 of the period.
const TRIES: usize = 3;

/// Number of trials without a shorter longest path after which the search stops.
const IN_VAIN: usize = 2;

/// A schedule must cost less than this share of the first one to count as better.
const ALIKE: f64 = 0.99;

/// If the best schedule takes more than this factor of the cycles, new spacings are searched for it.
const SLOWER: f64 = 1.02;

/// The spacings between the groups of flattened nests in another schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacings {
    /// The spacings of the first schedule.
    Alike,
    /// The best spacings for its own paths.
    Own,
}

/// A schedule for shorter paths.
struct Try {
    /// Path period as a share of the first schedule's path period.
    part: f64,
    /// The period for which its paths are scheduled, in ns.
    path_ns: f64,
    /// The clock period that its circuit needs, in ns.
    needed_ns: f64,
    /// Its cycles as a multiple of those of the first schedule.
    slowdown: f64,
    /// Cost of its cycles and clock period. The cost of the first schedule is the weight of its clock alone.
    cost: f64,
    made: Scheduled,
}

/// A scheduled module with its diagnostics.
pub type Scheduled = (Module, Diagnostics);

/// Returns a better schedule if the circuit of `scheduled` misses the clock of the setting: one for shorter paths, with a lower
/// total cost of cycles and clock period. `schedule` makes a schedule for a setting, with the given spacings or with spacings
/// chosen for its paths.
pub fn close(
    context: &Context,
    scheduled: &Module,
    setting: &Setting<'_>,
    schedule: impl Fn(&Setting<'_>, Spacings) -> Option<Scheduled>,
) -> Option<Scheduled> {
    let clock_ns = setting.clock_period_ns;
    let first_ns = needed_ns(context, scheduled, setting)?;
    if first_ns <= clock_ns {
        return None;
    }
    // `None` if there is no schedule for paths this short.
    let attempt = |part: f64, spacings| {
        if context.limits.watch.cut("schedules for shorter paths") {
            return None;
        }
        let shorter_ns = |ns: f64| (ns * part * 1000.0).round() / 1000.0;
        let at = Setting {
            paths: PathPeriods {
                path_ns: shorter_ns(setting.paths.path_ns),
                choice_ns: shorter_ns(setting.paths.choice_ns),
            },
            ..setting.clone()
        };
        let made = schedule(&at, spacings)?;
        let needed_ns = needed_ns(context, &made.0, setting)?;
        let slowdown = slowdown(context, setting.top, scheduled, &made.0)?;
        Some(Try {
            part,
            path_ns: at.paths.path_ns,
            needed_ns,
            slowdown,
            cost: slowdown * weight_of_clock(needed_ns / clock_ns),
            made,
        })
    };
    let mut tried = Vec::new();
    let (mut part, mut n_in_vain) = (1.0, 0);
    for _ in 0..TRIES {
        let shorter = attempt(part - STEP, Spacings::Alike);
        let needed_ns = shorter.as_ref().map(|shorter| shorter.needed_ns);
        tried.extend(shorter);
        if needed_ns.is_none_or(|needed_ns| needed_ns <= clock_ns) {
            // Also try the middle between a step that is too small and one that is enough or too much.
            tried.extend(attempt(part - STEP / 2.0, Spacings::Alike));
            break;
        }
        part -= STEP;
        n_in_vain += usize::from(needed_ns.is_some_and(|needed_ns| needed_ns >= first_ns));
        if n_in_vain == IN_VAIN {
            break;
        }
    }
    let first_cost = weight_of_clock(first_ns / clock_ns);
    let best = |tried: &[Try]| {
        let costs = tried.iter().map(|attempt| attempt.cost).enumerate();
        costs.min_by(|one, other| one.1.total_cmp(&other.1))
    };
    if let Some((at, _)) = best(&tried) {
        let (part, needed_ns) = (tried[at].part, tried[at].needed_ns);
        if needed_ns < first_ns && tried[at].slowdown > SLOWER {
            tried.extend(attempt(part, Spacings::Own));
        }
    }
    let (at, _) = best(&tried).filter(|(_, cost)| *cost < first_cost * ALIKE)?;
    let Try {
        path_ns,
        needed_ns,
        made: (mut module, found),
        ..
    } = tried.swap_remove(at);
    let sentence = format!(
        "paths are scheduled for {path_ns:.2} ns: the circuit is expected to need {needed_ns:.1} ns instead of {first_ns:.1} ns"
    );
    if let Some(function) = module.lookup_symbol(context, setting.top) {
        choices::note(context, &mut module, function, &sentence);
    }
    Some((module, found))
}

/// Returns the clock period in ns that the circuit of a schedule is expected to need; `None` if it has errors.
fn needed_ns(context: &Context, scheduled: &Module, setting: &Setting<'_>) -> Option<f64> {
    let mapped = mapped(context, scheduled, setting)?;
    Some(setting.device.factors.period.expect(mapped.period_ns).value)
}

/// Returns the cycles of another schedule of the same loops as a multiple of those of `one`, at most; `None` if the loops differ.
///
/// If the cycles are known, the factor is exact. If they depend on the data, it is the largest factor of any part.
fn slowdown(context: &Context, top: &str, one: &Module, other: &Module) -> Option<f64> {
    let cycles = |module: &Module| cycles_of(context, module, top);
    if let (Some(one), Some(other)) = (cycles(one), cycles(other)) {
        return Some(quotient(other, one));
    }
    let (one, other) = (parts(context, one), parts(context, other));
    let pairs = one.iter().zip(&other);
    let slowest = pairs.map(|(one, other)| one.slowdown(other));
    (one.len() == other.len()).then(|| slowest.fold(0.0, f64::max))
}

fn quotient(over: impl Into<Exact>, under: impl Into<Exact>) -> f64 {
    let number = |cycles: Exact| cycles.max(Exact::ONE).to_f64();
    number(over.into()) / number(under.into())
}

/// A function or a loop of a schedule.
struct Part {
    /// Cycles from the start of an iteration to its end.
    depth: i64,
    /// Cycles between the starts of iterations, if they overlap.
    interval: Option<i64>,
    /// Number of iterations, if it is known.
    trip_count: Option<Exact>,
}

impl Part {
    fn cycles(&self, trip_count: Exact) -> Exact {
        let interval = self.interval.unwrap_or(self.depth);
        let repeated = trip_count.minus(1).max(Exact::ZERO);
        repeated.times(interval).plus(self.depth)
    }

    /// Returns the maximum factor by which the other schedule of the part takes longer.
    fn slowdown(&self, other: &Self) -> f64 {
        let first = quotient(other.cycles(Exact::ONE), self.cycles(Exact::ONE));
        match self.trip_count {
            Some(n) => quotient(other.cycles(n), self.cycles(n)),
            // As the number of iterations grows, the quotient goes from `first` to that of the intervals.
            None => {
                let of = |part: &Self| part.interval.unwrap_or(part.depth);
                first.max(quotient(of(other), of(self)))
            }
        }
    }
}

/// Returns the functions and loops of a schedule, in text order.
fn parts(context: &Context, module: &Module) -> Vec<Part> {
    let part = |view: View<'_>| {
        let number = |name: &str| view.attribute(name)?.as_i64(context);
        Some(Part {
            depth: number(sluice::DEPTH)?,
            interval: number(sluice::II),
            trip_count: view
                .attribute(sluice::TRIP_COUNT)
                .and_then(|n| n.as_exact(context)),
        })
    };
    let functions = named(context, module, func::Func::NAME).into_iter();
    functions
        .flat_map(|function| {
            let body = module.inner().inner(function);
            let own = part(View::new(context, module.inner(), function));
            let inner = body.walk_all().into_iter();
            let inner = inner.filter_map(|op| part(View::new(context, body, op)));
            own.into_iter().chain(inner).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(depth: i64, interval: Option<i64>, trip_count: Option<i64>) -> Part {
        Part {
            depth,
            interval,
            trip_count: trip_count.map(Exact::from),
        }
    }

    #[test]
    fn a_cycle_more_counts_for_as_much_as_iterations_repeat_it() {
        let slowdown = |one: Part, other: Part| one.slowdown(&other);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        // Overlapped iterations: the extra cycle counts once.
        near(
            slowdown(part(4, Some(1), Some(97)), part(5, Some(1), Some(97))),
            1.01,
        );
        // Sequential iterations: the extra cycle counts each time.
        near(
            slowdown(part(4, None, Some(97)), part(5, None, Some(97))),
            1.25,
        );
        // Unknown trip count: it may be 1.
        near(
            slowdown(part(4, Some(1), None), part(5, Some(1), None)),
            1.25,
        );
        near(
            slowdown(part(4, Some(2), None), part(4, Some(3), None)),
            1.5,
        );
    }
}
