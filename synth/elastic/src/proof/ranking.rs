//! Shows that no event waits for itself: one ranking function per loop, in lexicographic order, shows that every cycle of waits
//! leads to earlier executions.
//!
//! For a loop, the executions of its body are numbered consecutively, over all executions of the code around it. A wait changes
//! this number by at most a bound that follows from its step. If no cycle of waits increases the number, there is a potential for
//! each event such that number plus potential never increases along a wait. Waits that decrease this sum lie on no cycle that
//! keeps it constant, so only the other waits remain for the next loop. If none remain, no chain of waits returns to its start.
//!
//! Loops that run in lockstep, because they exchange one word in every iteration, share one numbering.
//!
//! An event outside of a loop is placed at the beginning or at the end of all iterations of its execution: at the end if it waits
//! for the last one.
//!
//! Source: R. M. Karp, R. E. Miller, S. Winograd, The organization of computations for uniform recurrence equations, JACM 1967, section 5
//! (cycles of dependences are decomposed, one component after the other); lexicographic rankings as in P. Feautrier, Some
//! efficient solutions to the affine scheduling problem II, IJPP 1992. Differs: execution numbers in nested loops instead of
//! lattice points, and only bounds of the differences are known.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::longest::longest;

use super::domains::{Domain, Domains};
use super::phases::{event_of, n_nodes, spread};
use super::waits::{Step, Wait, at};

/// A loop, given by the representative of its lockstep class, or the calls of the function.
type Level = Option<usize>;

/// Checks that no event waits for itself.
///
/// # Errors
/// Events for which this is not known: a component of the waits that no ranking function decomposes.
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

/// Returns the waits on cycles, by strongly connected component.
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

/// The loops with their nesting.
struct Levels<'a> {
    domains: &'a Domains,
    /// The function, then loops, outer ones before inner ones.
    all: Vec<Level>,
    /// For each domain, the loops around it, innermost first.
    around: Vec<Vec<usize>>,
}

/// The position of an event relative to a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// In the loop.
    Inside,
    /// Outside of the loop, at the beginning or the end of its iterations.
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

    /// Returns the loops around an event, innermost first.
    fn around(&self, event: usize) -> &[usize] {
        let (channel, _) = at(event_of(self.domains, event));
        &self.around[self.domains.of[channel].0]
    }

    fn position(&self, level: Level, event: usize) -> Position {
        let mut around = self.around(event).iter();
        match level.is_none_or(|level| around.any(|number| self.class(*number) == level)) {
            true => Position::Inside,
            false => Position::Outside,
        }
    }

    /// Returns the representative of a loop's lockstep class.
    fn class(&self, number: usize) -> usize {
        self.domains.in_step[number]
    }

    /// Returns whether a loop encloses one of a level, and is not of the level itself.
    fn encloses(&self, outer: usize, level: Level) -> bool {
        level.is_some_and(|level| {
            let all = 0..self.domains.loops.len();
            let mut members = all.filter(|number| self.class(*number) == level);
            level != self.class(outer)
                && members.any(|member| self.domains.enclosing(Some(member)).contains(&outer))
        })
    }
}

/// The effect of a wait on the execution number; numbers count half iterations.
struct Change {
    /// Maximum increase of the number.
    most: i64,
    needs: Needs,
}

/// The condition on events outside of the loop under which a bound is known.
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

/// Returns the change of a wait, if events outside of the loop are at the end where `is_end` tells so.
fn change(levels: &Levels<'_>, level: Level, wait: &Wait, is_end: &[bool]) -> Change {
    let stands = (
        levels.position(level, wait.from),
        levels.position(level, wait.to),
    );
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
    // An outside execution covers all iterations: its beginning and its end are half an iteration away from them.
    let half = |is_growing: bool| match is_growing {
        true => 1,
        false => -1,
    };
    match (stands, wait.step) {
        (_, Step::Given | Step::TakenBefore { .. }) => across(levels, level, wait, stands),
        ((Position::Inside, Position::Inside), Step::Earlier(n) | Step::Before(n))
            if class == level =>
        {
            same(back(n))
        }
        ((Position::Inside, Position::Inside), Step::Before(_)) if outer_class == Some(level) => {
            same(-2)
        }
        ((Position::Inside, Position::Inside), Step::Next(this))
            if level == Some(levels.class(this)) =>
        {
            same(2)
        }
        ((Position::Inside, Position::Inside), Step::Previous(this))
            if level == Some(levels.class(this)) =>
        {
            same(-2)
        }
        ((Position::Inside, Position::Inside), _) => same(0),
        // The wait enters or leaves the loop itself.
        ((Position::Outside, Position::Inside), Step::LastDown(_)) => Change {
            most: -1,
            needs: Needs::FromEnd,
        },
        ((Position::Outside, Position::Inside), _) => same(half(!is_end[wait.from])),
        ((Position::Inside, Position::Outside), Step::LastUp(_)) => same(half(is_end[wait.to])),
        ((Position::Inside, Position::Outside), _) => Change {
            most: -1,
            needs: Needs::ToBeginning,
        },
        // Both events are outside.
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

/// Returns the change of a wait across a FIFO between loops: to some iteration of the other loop in the same call, or in an
/// earlier one.
fn across(levels: &Levels<'_>, level: Level, wait: &Wait, stands: (Position, Position)) -> Change {
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
                (Position::Inside, Position::Inside) => -2,
                (Position::Outside, Position::Outside) => 0,
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
    // An event in a loop around the level belongs to one iteration of that loop, not to the beginning or the end of a call.
    let is_around = |event: usize| {
        let mut around = levels.around(event).iter();
        around.any(|number| levels.encloses(*number, level))
    };
    let (most, needs) = match stands {
        (Position::Inside, Position::Inside) => (0, Needs::More),
        (Position::Outside, Position::Inside) => (-1, Needs::FromEnd),
        (Position::Inside, Position::Outside) => (-1, Needs::ToBeginning),
        (Position::Outside, Position::Outside) => {
            match (is_around(wait.from), is_around(wait.to)) {
                (true, true) => (0, Needs::More),
                (true, false) => (0, Needs::ToBeginning),
                (false, true) => (0, Needs::FromEnd),
                (false, false) => (0, Needs::Carried),
            }
        }
    };
    match (stands, is_around(wait.from) || is_around(wait.to)) {
        // One end would refer to a call, the other to an iteration of the outer loop.
        ((Position::Outside, Position::Inside) | (Position::Inside, Position::Outside), true) => {
            Change {
                most: 0,
                needs: Needs::More,
            }
        }
        _ => Change { most, needs },
    }
}

/// Returns the change of a wait for an event `n_iterations` earlier.
fn back(n_iterations: usize) -> i64 {
    -2 * i64::try_from(n_iterations).unwrap_or(1 << 32).min(1 << 32)
}

/// Returns whether both events happen once in every iteration of loops of a level.
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

/// Returns which events of a component must be at the end, if that gives a bound for every wait.
fn ends(
    levels: &Levels<'_>,
    level: Level,
    component: &[Wait],
    n_events: usize,
) -> Option<Vec<bool>> {
    let mut is_end = vec![false; n_events];
    // The condition of a wait depends only on its step and on which events are inside of the loop.
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

/// Returns the waits of a component that do not decrease number plus potential; `None` if there is no potential.
fn tight(levels: &Levels<'_>, level: Level, component: &[Wait]) -> Option<Vec<Wait>> {
    let n_events = n_nodes(levels.domains);
    if component
        .iter()
        .all(|wait| levels.position(level, wait.from) == Position::Outside)
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
