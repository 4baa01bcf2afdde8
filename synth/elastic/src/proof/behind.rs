//! Loads and the stores whose addresses wait in a queue: each load of the memory is in front of the store or behind it.
//!
//! A load is compared with every address that is known, so it may wait for the data of any store that it does not come in front of. Only of
//! those that it comes behind do the tokens between them say so. So, of a load and a store in the same run of what is around both, tokens
//! must lead from one to the other; where the load is behind, the store of the next run must be behind the load.

use std::collections::BTreeSet;

use super::domains::Domains;
use super::network::{Network, Pending};
use super::phases::goes_on;
use super::waits::{Step, Wait, What, at, event};

/// The waits of loads in front of a store for what it wrote in runs before.
///
/// # Errors
/// The request of a load that may meet a store which is not known to be in front of it or behind it.
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

/// How far waits have led.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    event: usize,
    /// Whether they may still lead to an iteration before.
    may_go_back: bool,
    /// The loop in whose last iteration they are, if what is looked for is not in it but in the one before.
    last_of: Option<usize>,
}

/// What every event waits for in any case, by event.
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

    /// Whether waits lead from one channel's event to another's within a run of what is around both, or, with `is_before`, to the run
    /// before.
    ///
    /// From an iteration to the one before and on to the first one is the same run of what is around the loop. What happens only where there
    /// is another iteration happens for the last time in the one before the last.
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

    /// The waits of a load for the store of runs before, that no token between them says; `None` if neither is behind the other.
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
