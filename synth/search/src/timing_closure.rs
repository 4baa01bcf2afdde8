//! Timing closure: paths are scheduled shorter where the circuit of a schedule is expected to miss its clock.
//!
//! A schedule adds up delays of operators. What chooses their operands, who may use a port and the controllers are in the circuit alone,
//! so that it is asked which clock period it needs, and a register more in its long paths is paid for if that is worth it.

use sluice_dialects::{func, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Exact, Module, View};
use sluice_kernel::choices;
use sluice_kernel::compiled::cycles_of;

use crate::comparing::weight_of_clock;
use crate::setting::{PathPeriods, Setting};
use crate::trial::mapped;

/// By how much of their period paths are expected to be shorter from one try to the next: a path that needs a fifth too much is rarely cut
/// where it is expected a fifth shorter, since a third too long is mostly what no path of operators shows.
const STEP: f64 = 0.14;

/// Tries of ever shorter paths; the last one is for 0.58 of their period.
const TRIES: usize = 3;

/// Tries that leave the longest path as it is, after which no other is made.
const IN_VAIN: usize = 2;

/// A circuit that costs so much of another one is no better.
const ALIKE: f64 = 0.99;

/// Where the best schedule takes so many times as many cycles, spacings of its own are looked for.
const SLOWER: f64 = 1.02;

/// How far apart the groups of flattened nests run in another schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacings {
    /// As in the first schedule.
    Alike,
    /// As is best for its own paths.
    Own,
}

/// A schedule for shorter paths.
struct Try {
    /// The part of their period.
    part: f64,
    /// The period for which they are scheduled, in ns.
    path_ns: f64,
    /// The clock period that its circuit needs, in ns.
    needed_ns: f64,
    /// How many times as many cycles as by the first schedule it takes.
    slowdown: f64,
    /// Of its cycles and clock period; that of the first schedule is the weight of its clock.
    cost: f64,
    made: Scheduled,
}

/// A schedule with what was found on the way.
pub type Scheduled = (Module, Diagnostics);

/// A better schedule where the circuit of `scheduled` misses the clock of the setting: one for shorter paths whose cycles and clock period
/// cost less together. `schedule` makes one for a setting, with the spacings of nests as they are or chosen for its paths.
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
    // `None` where there is no schedule for so short a part.
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
            // Between what does too little and what does enough, or is too much.
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

/// The clock period, in ns, that the circuit of a schedule is expected to need; `None` where it has none.
fn needed_ns(context: &Context, scheduled: &Module, setting: &Setting<'_>) -> Option<f64> {
    let mapped = mapped(context, scheduled, setting)?;
    Some(setting.device.factors.period.expect(mapped.period_ns).value)
}

/// How many times as many cycles a kernel takes by another schedule of the same loops, at most; `None` where the loops are others.
///
/// That is known where cycles are. Where they depend on the data, each part takes at most so many times as long as the one that grows most.
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

/// A function or a loop as it is scheduled.
struct Part {
    /// From the start of an iteration to its end, in cycles.
    depth: i64,
    /// Between iterations, in cycles, where they overlap.
    interval: Option<i64>,
    /// Iterations, where they are known.
    trip_count: Option<Exact>,
}

impl Part {
    fn cycles(&self, trip_count: Exact) -> Exact {
        let interval = self.interval.unwrap_or(self.depth);
        let repeated = trip_count.minus(1).max(Exact::ZERO);
        repeated.times(interval).plus(self.depth)
    }

    /// How many times as long the other schedule of the part takes, at most.
    fn slowdown(&self, other: &Self) -> f64 {
        let first = quotient(other.cycles(Exact::ONE), self.cycles(Exact::ONE));
        match self.trip_count {
            Some(n) => quotient(other.cycles(n), self.cycles(n)),
            // With ever more iterations the quotient goes from the first to that of the intervals.
            None => {
                let of = |part: &Self| part.interval.unwrap_or(part.depth);
                first.max(quotient(of(other), of(self)))
            }
        }
    }
}

/// The functions and loops of a schedule, in text order.
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
        // Overlapped: once.
        near(
            slowdown(part(4, Some(1), Some(97)), part(5, Some(1), Some(97))),
            1.01,
        );
        // One after the other: each time.
        near(
            slowdown(part(4, None, Some(97)), part(5, None, Some(97))),
            1.25,
        );
        // Nobody knows how often: it may be once.
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
