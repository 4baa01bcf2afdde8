//! No event waits for itself: a measure for each loop, one behind the other, says that every ring of waits leads to earlier runs.
//!
//! For a loop, the runs of what is in it are numbered through, over all runs of what is around it. A wait changes that number by at most
//! what its step says. Where no ring of waits makes the number greater, there is a potential for each event such that number and
//! potential together never grow from an event to one that it waits for; the waits by which they become smaller are on no ring in which
//! nothing changes, and only the others are left for the next loop. Where none are left, no chain of waits comes back to where it was.
//!
//! Loops that run in step, since they hand one word to one another in every iteration, have one number.
//!
//! What is outside of a loop stands at the beginning or at the end of all iterations of the run that it belongs to: at the end where it
//! waits for the last one.
//!
//! Source: R. M. Karp, R. E. Miller, S. Winograd, The organization of computations for uniform recurrence equations, JACM 1967, section 5
//! (rings of dependences are taken apart, one component after the other); lexicographic rankings as of P. Feautrier, Some efficient
//! solutions to the affine scheduling problem II, IJPP 1992. Differs: numbers of runs in nested loops instead of lattice points, and only
//! bounds of the differences are known.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::longest::longest;

use super::domains::{Domain, Domains};
use super::phases::{event_of, n_nodes, spread};
use super::waits::{Step, Wait, at};

/// A loop, by the first of those with which it runs in step, or the calls of the function.
type Level = Option<usize>;

/// Whether no event waits for itself.
///
/// # Errors
/// Events of which that is not known: a component of the waits that no measure takes apart.
pub(super) fn take_apart(domains: &Domains, waits: &[Wait]) -> Result<(), Vec<usize>> {
    let n_events = n_nodes(domains);
    let levels = Levels::new(domains);
    let mut open = components(n_events, &spread(domains, waits));
    while let Some(component) = open.pop() {
        let left = levels.all.iter().find_map(|level| {
            let left = tight(&levels, *level, &component)?;
            (left.len() < component.len()).then_some(left)
        });
        match left {
            Some(left) => open.extend(components(n_events, &left)),
            None => {
                let mut events: Vec<usize> = component
                    .iter()
                    .map(|wait| event_of(domains, wait.from))
                    .collect();
                events.sort_unstable();
                events.dedup();
                return Err(events);
            }
        }
    }
    Ok(())
}

/// The waits that are on rings, by strongly connected component.
fn components(n_events: usize, waits: &[Wait]) -> Vec<Vec<Wait>> {
    let mut graph = DiGraph::<(), ()>::with_capacity(n_events, waits.len());
    for _ in 0..n_events {
        graph.add_node(());
    }
    for wait in waits {
        graph.add_edge(NodeIndex::new(wait.from), NodeIndex::new(wait.to), ());
    }
    let mut component_of = vec![0; n_events];
    let found = tarjan_scc(&graph);
    for (number, component) in found.iter().enumerate() {
        for node in component {
            component_of[node.index()] = number;
        }
    }
    let mut inside: Vec<Vec<Wait>> = vec![Vec::new(); found.len()];
    for wait in waits {
        if component_of[wait.from] == component_of[wait.to] {
            inside[component_of[wait.from]].push(*wait);
        }
    }
    inside.retain(|waits| !waits.is_empty());
    inside
}

/// Loops and what is around them.
struct Levels<'a> {
    domains: &'a Domains,
    /// The function, then loops, outer ones before those in them.
    all: Vec<Level>,
    /// By domain, the loops around it, the innermost first.
    around: Vec<Vec<usize>>,
}

/// Where an event stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// It is in the loop.
    Inside,
    /// It is around the loop, at the beginning or the end of its iterations.
    Outside,
}

impl<'a> Levels<'a> {
    fn new(domains: &'a Domains) -> Self {
        let is_first = |number: &usize| domains.in_step[*number] == *number;
        let mut loops: Vec<usize> = (0..domains.loops.len()).filter(is_first).collect();
        loops.sort_by_key(|number| (domains.enclosing(Some(*number)).len(), *number));
        let ids = (0..domains.all.len()).map(super::domains::DomainId);
        let around = ids.map(|domain| domains.enclosing(domains.nearest_loop(domain)));
        Self {
            domains,
            all: std::iter::once(None)
                .chain(loops.into_iter().map(Some))
                .collect(),
            around: around.collect(),
        }
    }

    /// The loops around an event, the innermost first.
    fn around(&self, event: usize) -> &[usize] {
        let (channel, _) = at(event_of(self.domains, event));
        &self.around[self.domains.of[channel].0]
    }

    fn stand(&self, level: Level, event: usize) -> Stand {
        let mut around = self.around(event).iter();
        match level.is_none_or(|level| around.any(|number| self.class(*number) == level)) {
            true => Stand::Inside,
            false => Stand::Outside,
        }
    }

    /// The loop that stands for those with which one runs in step.
    fn class(&self, number: usize) -> usize {
        self.domains.in_step[number]
    }

    /// Whether a loop is around one of a level, and not of it itself.
    fn encloses(&self, outer: usize, level: Level) -> bool {
        level.is_some_and(|level| {
            let all = 0..self.domains.loops.len();
            let mut members = all.filter(|number| self.class(*number) == level);
            level != self.class(outer)
                && members.any(|member| self.domains.enclosing(Some(member)).contains(&outer))
        })
    }
}

/// What a wait asks of where its ends stand; numbers are halves of iterations.
struct Change {
    /// By how much the number grows at most.
    most: i64,
    needs: Needs,
}

/// What must hold of the events outside of the loop, so that a bound is known.
enum Needs {
    Nothing,
    /// If the target is at the end, so is the source.
    Carried,
    /// The source is at the end.
    FromEnd,
    /// The target is at the beginning.
    ToBeginning,
    /// The source is at the end, and the target at the beginning.
    Both,
    /// No bound is known.
    More,
}

/// The change of a wait where the ends that are outside stand where `is_end` says.
fn change(levels: &Levels<'_>, level: Level, wait: &Wait, is_end: &[bool]) -> Change {
    let stands = (levels.stand(level, wait.from), levels.stand(level, wait.to));
    let innermost = levels.around(wait.from).first().copied();
    let outer = innermost.map(|_| levels.around(wait.from).get(1).copied());
    let (class, outer_class) = (
        innermost.map(|number| levels.class(number)),
        outer.map(|outer| outer.map(|number| levels.class(number))),
    );
    let same = |most| Change {
        most,
        needs: Needs::Nothing,
    };
    let zero = |needs| Change { most: 0, needs };
    // A run is a whole, its beginning and its end are half an iteration from it.
    let half = |is_growing: bool| match is_growing {
        true => 1,
        false => -1,
    };
    match (stands, wait.step) {
        (_, Step::Given | Step::TakenBefore { .. }) => across(levels, level, wait, stands),
        ((Stand::Inside, Stand::Inside), Step::Earlier(n) | Step::Before(n)) if class == level => {
            same(back(n))
        }
        ((Stand::Inside, Stand::Inside), Step::Before(_)) if outer_class == Some(level) => same(-2),
        ((Stand::Inside, Stand::Inside), Step::Next(this)) if level == Some(levels.class(this)) => {
            same(2)
        }
        ((Stand::Inside, Stand::Inside), Step::Previous(this))
            if level == Some(levels.class(this)) =>
        {
            same(-2)
        }
        ((Stand::Inside, Stand::Inside), _) => same(0),
        // The loop itself is entered or left.
        ((Stand::Outside, Stand::Inside), Step::LastDown(_)) => Change {
            most: -1,
            needs: Needs::FromEnd,
        },
        ((Stand::Outside, Stand::Inside), _) => same(half(!is_end[wait.from])),
        ((Stand::Inside, Stand::Outside), Step::LastUp(_)) => same(half(is_end[wait.to])),
        ((Stand::Inside, Stand::Outside), _) => Change {
            most: -1,
            needs: Needs::ToBeginning,
        },
        // Both stand outside.
        (_, Step::Before(_))
            if outer.is_some_and(|outer| outer.is_none_or(|this| levels.encloses(this, level))) =>
        {
            same(0)
        }
        (_, Step::Earlier(_) | Step::Before(_))
            if innermost.is_none_or(|this| levels.encloses(this, level)) =>
        {
            same(0)
        }
        (_, Step::Next(this)) if levels.encloses(this, level) => zero(Needs::Both),
        (_, Step::Previous(this)) if levels.encloses(this, level) => same(0),
        (_, Step::FirstUp(this)) if levels.encloses(this, level) => zero(Needs::ToBeginning),
        (_, Step::LastDown(this)) if levels.encloses(this, level) => zero(Needs::FromEnd),
        (_, _) => zero(Needs::Carried),
    }
}

/// The change of a wait across a FIFO between loops: to some iteration of the other loop in the same call, or in an earlier one.
fn across(levels: &Levels<'_>, level: Level, wait: &Wait, stands: (Stand, Stand)) -> Change {
    let same = |most| Change {
        most,
        needs: Needs::Nothing,
    };
    let n_tokens = match wait.step {
        Step::TakenBefore {
            is_of_earlier_call: true,
            ..
        } => {
            return same(match stands {
                (Stand::Inside, Stand::Inside) => -2,
                (Stand::Outside, Stand::Outside) => 0,
                _ => -1,
            });
        }
        Step::TakenBefore { n_tokens, .. } => n_tokens,
        _ => 0,
    };
    if level.is_none() {
        return same(0);
    }
    if in_step(levels, level, wait) {
        return same(back(n_tokens));
    }
    // What is in a loop around the level stands at one of its iterations, not at the beginning or the end of a call.
    let is_around = |event: usize| {
        let mut around = levels.around(event).iter();
        around.any(|number| levels.encloses(*number, level))
    };
    let (most, needs) = match stands {
        (Stand::Inside, Stand::Inside) => (0, Needs::More),
        (Stand::Outside, Stand::Inside) => (-1, Needs::FromEnd),
        (Stand::Inside, Stand::Outside) => (-1, Needs::ToBeginning),
        (Stand::Outside, Stand::Outside) => match (is_around(wait.from), is_around(wait.to)) {
            (true, true) => (0, Needs::More),
            (true, false) => (0, Needs::ToBeginning),
            (false, true) => (0, Needs::FromEnd),
            (false, false) => (0, Needs::Carried),
        },
    };
    match (stands, is_around(wait.from) || is_around(wait.to)) {
        // Half of what is known would be of a call, half of an iteration around.
        ((Stand::Outside, Stand::Inside) | (Stand::Inside, Stand::Outside), true) => Change {
            most: 0,
            needs: Needs::More,
        },
        _ => Change { most, needs },
    }
}

/// The change of a wait for so many iterations before.
fn back(n_iterations: usize) -> i64 {
    -2 * i64::try_from(n_iterations).unwrap_or(1 << 32).min(1 << 32)
}

/// Whether both events happen once in every iteration of loops of a level.
fn in_step(levels: &Levels<'_>, level: Level, wait: &Wait) -> bool {
    let domains = levels.domains;
    [wait.from, wait.to].into_iter().all(|event| {
        let (channel, _) = at(event_of(domains, event));
        match domains.all[domains.of[channel].0] {
            Domain::Loop(number) => level == Some(levels.class(number)),
            Domain::Function | Domain::Branch { .. } => false,
        }
    })
}

/// The events of a component that stand at the end, if a bound of every wait is known then.
fn ends(
    levels: &Levels<'_>,
    level: Level,
    component: &[Wait],
    n_events: usize,
) -> Option<Vec<bool>> {
    let mut is_end = vec![false; n_events];
    // What a wait needs hangs on its step and on what is inside of the loop alone.
    let needs: Vec<Needs> = component
        .iter()
        .map(|wait| change(levels, level, wait, &is_end).needs)
        .collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (wait, needs) in component.iter().zip(&needs) {
            let needs_end = match needs {
                Needs::Nothing | Needs::ToBeginning | Needs::More => false,
                Needs::Carried => is_end[wait.to],
                Needs::FromEnd | Needs::Both => true,
            };
            if needs_end && !is_end[wait.from] {
                is_end[wait.from] = true;
                is_changed = true;
            }
        }
    }
    let is_allowed = component
        .iter()
        .zip(&needs)
        .all(|(wait, needs)| match needs {
            Needs::ToBeginning | Needs::Both => !is_end[wait.to],
            Needs::Nothing | Needs::Carried | Needs::FromEnd => true,
            Needs::More => false,
        });
    is_allowed.then_some(is_end)
}

/// The waits of a component that do not make number and potential smaller; `None` where there is no potential.
fn tight(levels: &Levels<'_>, level: Level, component: &[Wait]) -> Option<Vec<Wait>> {
    let n_events = n_nodes(levels.domains);
    if component
        .iter()
        .all(|wait| levels.stand(level, wait.from) == Stand::Outside)
    {
        return None;
    }
    let is_end = ends(levels, level, component, n_events)?;
    let mut members: Vec<usize> = component.iter().map(|wait| wait.to).collect();
    members.sort_unstable();
    members.dedup();
    let place = |event| members.partition_point(|member| *member < event);
    let changes: Vec<(usize, usize, i64)> = component
        .iter()
        .map(|wait| {
            let most = change(levels, level, wait, &is_end).most;
            (place(wait.from), place(wait.to), most)
        })
        .collect();
    let potential = longest(members.len(), changes.iter().copied()).ok()?;
    let waits = component.iter().zip(&changes);
    let tight = waits
        .filter(|(_, (from, to, most))| potential[*to] == potential[*from].saturating_add(*most));
    Some(tight.map(|(wait, _)| *wait).collect())
}
