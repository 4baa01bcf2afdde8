//! Tracks whether a chain of waits is in the first or the last iteration of a loop.
//!
//! A chain of waits that enters a loop at its first iteration and goes back from there reaches an earlier execution of the code
//! around the loop. One that reaches the last iteration does not continue to the next one. Each event is split into three, by
//! what is known about its iteration of the innermost loop; a chain of waits that returns to its start does so among the split
//! events too.

use super::domains::{Domain, DomainId, Domains};
use super::waits::{Step, Wait, at};

/// The knowledge about an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Any = 0,
    First = 1,
    Last = 2,
}

const PHASES: [Phase; 3] = [Phase::Any, Phase::First, Phase::Last];

/// Returns the event of a node.
pub(super) fn event_of(domains: &Domains, node: usize) -> usize {
    node % n_events(domains)
}

/// Returns the number of nodes: events times phases.
pub(super) fn n_nodes(domains: &Domains) -> usize {
    PHASES.len() * n_events(domains)
}

fn n_events(domains: &Domains) -> usize {
    2 * domains.of.len()
}

/// Returns the waits between nodes.
pub(super) fn spread(domains: &Domains, waits: &[Wait]) -> Vec<Wait> {
    let n_events = n_events(domains);
    let domain = |event: usize| domains.of[at(event).0];
    let mut found = Vec::new();
    for wait in waits {
        let goes_on = [wait.from, wait.to]
            .iter()
            .any(|event| goes_on(domains, domain(*event)));
        for phase in PHASES {
            let is_in_loop = domains.nearest_loop(domain(wait.from)).is_some();
            if !is_in_loop && phase != Phase::Any {
                continue;
            }
            if let Some((step, next)) = through(wait.step, phase, goes_on) {
                found.push(Wait {
                    from: wait.from + n_events * phase as usize,
                    to: wait.to + n_events * next as usize,
                    step,
                });
            }
        }
    }
    found
}

/// Returns whether a domain only executes if another iteration follows.
pub(super) fn goes_on(domains: &Domains, domain: DomainId) -> bool {
    let mut at = domain;
    while let Domain::Branch {
        of,
        condition,
        side,
    } = domains.all[at.0]
    {
        if side && domains.ended(of, condition).is_some() {
            return true;
        }
        at = of;
    }
    false
}

/// Returns the step from an iteration in a phase, and the phase after it; `None` if there is no such step.
fn through(step: Step, phase: Phase, goes_on: bool) -> Option<(Step, Phase)> {
    match step {
        Step::Same if phase == Phase::Last && goes_on => None,
        Step::Same => Some((step, phase)),
        Step::Earlier(n) if phase == Phase::First => Some((Step::Before(n), Phase::Any)),
        Step::Next(_) if phase == Phase::Last => None,
        Step::Previous(_) if phase == Phase::First => None,
        Step::FirstDown(_) => Some((step, Phase::First)),
        Step::LastDown(_) => Some((step, Phase::Last)),
        Step::Earlier(_)
        | Step::Before(_)
        | Step::Next(_)
        | Step::Previous(_)
        | Step::FirstUp(_)
        | Step::LastUp(_)
        | Step::Given
        | Step::TakenBefore { .. } => Some((step, Phase::Any)),
    }
}
