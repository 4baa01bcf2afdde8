//! Orders loads relative to stores with address queues: each load of the memory must come before or after the store.
//!
//! A load is compared with every known address, so it may wait for the data of any store that it does not precede. Tokens only
//! imply this wait if the load comes after the store. Therefore, for a load and a store in the same execution of the enclosing
//! domains, tokens must order one before the other; and if the load comes first in this sense, the store of the next execution
//! must wait for the load.

use std::collections::BTreeSet;

use super::domains::Domains;
use super::network::{Network, Pending};
use super::phases::goes_on;
use super::waits::{Step, Wait, What, at, event};

/// Returns the additional waits of loads that come before a store, for the same store in earlier executions.
///
/// # Errors
/// The request of a load that may match a store and is not ordered relative to it.
pub(super) fn met(
    network: &Network,
    domains: &Domains,
    waits: &[Wait],
) -> Result<Vec<Wait>, usize> {
    let ways = Ways::new(network, waits);
    let mut found = Vec::new();
    for pending in &network.pending {
        for load in &pending.loads {
            found.extend(ways.between(domains, pending, *load).ok_or(*load)?);
        }
    }
    Ok(found)
}

/// The state of following a chain of waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    event: usize,
    /// True if the chain may still lead to a previous iteration.
    may_go_back: bool,
    /// The loop in whose last iteration the chain is, if the target does not occur there but in the iteration before.
    last_of: Option<usize>,
}

/// For each event, the events that it waits for unconditionally.
struct Ways {
    from: Vec<Vec<(usize, Step)>>,
}

impl Ways {
    fn new(network: &Network, waits: &[Wait]) -> Self {
        let mut from = vec![Vec::new(); 2 * network.channels.len()];
        let may = |wait: &Wait| {
            network.pending.iter().any(|pending| {
                wait.from == event(pending.known, What::Offered)
                    && wait.to == event(pending.request, What::Taken)
            })
        };
        for wait in waits.iter().filter(|wait| !may(wait)) {
            from[wait.from].push((wait.to, wait.step));
        }
        Self { from }
    }

    /// Returns whether waits lead from one event to another within one execution of the enclosing domains, or, with `is_before`,
    /// to the previous execution.
    ///
    /// Going from an iteration to earlier ones and to the first one stays in the same execution of the code around the loop. An
    /// event that only occurs if another iteration follows occurs for the last time in the last but one iteration.
    fn lead(&self, domains: &Domains, from: usize, to: usize, is_before: bool) -> bool {
        let of_target = domains.of[at(to).0];
        let is_last_before = |number: usize| {
            domains.nearest_loop(of_target) == Some(number) && goes_on(domains, of_target)
        };
        let first = Way {
            event: from,
            may_go_back: is_before,
            last_of: None,
        };
        let mut seen = BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some(way) = open.pop() {
            if way.event == to {
                return true;
            }
            for (event, step) in &self.from[way.event] {
                let mut next = Way {
                    event: *event,
                    ..way
                };
                match step {
                    Step::Same | Step::FirstUp(_) => {}
                    Step::LastDown(number) => {
                        next.last_of = Some(*number).filter(|number| is_last_before(*number));
                    }
                    Step::Previous(number) if way.last_of == Some(*number) => next.last_of = None,
                    Step::Previous(_) if way.may_go_back => next.may_go_back = false,
                    _ => continue,
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// Returns the wait of a load for the store of earlier executions, if no token implies it; the outer `None` if the two are
    /// not ordered.
    fn between(&self, domains: &Domains, pending: &Pending, load: usize) -> Option<Option<Wait>> {
        let known = event(pending.known, What::Offered);
        let read = event(load, What::Taken);
        let loops = |channel: usize| {
            let innermost = domains.nearest_loop(domains.of[channel]);
            let around: Vec<usize> =
                std::iter::successors(innermost, |number| domains.outer(*number)).collect();
            around
        };
        let (of_store, of_load) = (loops(pending.known), loops(load));
        let share_a_loop = of_store.iter().any(|number| of_load.contains(number));
        if self.lead(domains, known, read, false) {
            if !share_a_loop || self.lead(domains, read, known, true) {
                return Some(None);
            }
            let earlier = Wait {
                from: read,
                to: event(pending.request, What::Taken),
                step: Step::Earlier(1),
            };
            return (of_store.first() == of_load.first()).then_some(Some(earlier));
        }
        let is_behind = self.lead(domains, read, known, false);
        (is_behind && (!share_a_loop || self.lead(domains, known, read, true))).then_some(None)
    }
}
