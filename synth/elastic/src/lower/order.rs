//! Orders accesses to one memory by tokens.
//!
//! Each access waits for completion tokens of earlier accesses that may touch the same word, if one of the two writes. In the
//! same iteration, it waits for the token directly; for an earlier iteration, for the token carried over as many iterations as
//! the dependence distance. Pairs not listed in `sluice.dependences` are independent; such accesses only wait for what precedes
//! the loop. Nested loops and conditionals count as one access each, of unknown words. An access never needs a token to follow
//! itself.
//!
//! A store that uses an address queue waits for every earlier load, whatever words they touch. A load whose result is unused may
//! have any address. If it matched the queued address of a later store, it would wait for data that may in turn wait for the
//! load: a deadlock.

use std::collections::BTreeMap;

use sluice_dialects::sluice::PENDING;
use sluice_dialects::{func, memref, sluice, synthesis_form::guarded_access};
use sluice_ir::{BlockId, OperationId, ValueId, View};

use super::Lowering;
use super::domains::DomainId;

/// Maximum number of iterations over which a token is carried; waiting for a more recent iteration is also safe.
const MAX_CARRIED: i64 = 8;

/// A set of accesses that are kept in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Track {
    /// Accesses to the words of a memory.
    Cells(ValueId),
    /// Writes by several stores of a memory that use address queues. Loads compare with the queues, but stores do not.
    Writes(ValueId),
}

impl Track {
    pub(super) fn memory(self) -> ValueId {
        let (Self::Cells(memory) | Self::Writes(memory)) = self;
        memory
    }
}

/// For each track, whether an operation reads and whether it writes.
pub(super) type Touched = BTreeMap<Track, (bool, bool)>;

/// A token for each track.
pub(super) type Tokens = BTreeMap<Track, ValueId>;

/// A token for each track, with its domain.
pub(super) type Entries = BTreeMap<Track, (ValueId, DomainId)>;

/// An access, or a compound operation that contains accesses.
struct Event {
    op: OperationId,
    /// The number in `sluice.dependences`; compound operations have none.
    access: Option<i64>,
    writes: bool,
    /// True if it is, or contains, a store that uses an address queue.
    is_queued: bool,
    /// The domain in which it runs.
    domain: DomainId,
    /// The completion token, once it has been lowered.
    done: Option<ValueId>,
    /// Events that are known to be complete when this one is: for each, the minimum number of iterations earlier.
    behind: BTreeMap<usize, i64>,
    /// The completion tokens of earlier iterations in the domain of the loop: carried over 1 iteration first.
    carried: Vec<ValueId>,
    /// The placeholder for the token from the previous iteration.
    back: Option<ValueId>,
}

/// The accesses of a block, or of both blocks of a `while` loop.
pub(super) struct Scope {
    /// The domain of the loop whose body this is.
    loop_domain: Option<DomainId>,
    dependences: BTreeMap<(i64, i64), Vec<i64>>,
    events: BTreeMap<Track, Vec<Event>>,
    /// Tokens of preceding accesses, of an enclosing domain or the domain of the block.
    entries: Entries,
}

impl Lowering<'_, '_> {
    /// Returns the scope of blocks that run in these domains; `holder` has the dependences.
    pub(super) fn scope(
        &self,
        holder: View<'_>,
        blocks: &[(BlockId, DomainId)],
        loop_domain: Option<DomainId>,
        entries: Entries,
    ) -> Scope {
        let mut events: BTreeMap<Track, Vec<Event>> = BTreeMap::new();
        for (block, domain) in blocks {
            for op in self.source.operations(*block) {
                for (track, writes) in self.ordered(op) {
                    events.entry(track).or_default().push(Event {
                        op,
                        access: self.access_number(op),
                        writes,
                        is_queued: self.holds_queued(op),
                        domain: *domain,
                        done: None,
                        behind: BTreeMap::new(),
                        carried: Vec::new(),
                        back: None,
                    });
                }
            }
        }
        Scope {
            loop_domain,
            dependences: dependences(holder),
            events,
            entries,
        }
    }

    /// Returns the tracks that an operation touches and that need an order, and whether it writes there.
    pub(super) fn ordered(&self, op: OperationId) -> Vec<(Track, bool)> {
        let touched = self.touched.get(&op).into_iter().flatten();
        let ordered = touched.filter(|(track, _)| self.memories[&track.memory()].is_written);
        ordered.map(|(t, (_, writes))| (*t, *writes)).collect()
    }

    fn holds_queued(&self, op: OperationId) -> bool {
        let mut inside = self.source.walk(op).into_iter().chain([op]);
        inside.any(|op| self.view(op).attribute(PENDING).is_some())
    }

    fn access_number(&self, op: OperationId) -> Option<i64> {
        let view = self.view(op);
        let access = match view.name() {
            memref::Load::NAME | memref::Store::NAME => Some(view),
            _ => guarded_access(view).map(|op| self.view(op)),
        };
        access?.attribute(sluice::ACCESS)?.as_i64(self.context)
    }

    /// Returns the tokens that an operation must wait for, one per track.
    pub(super) fn wait(&mut self, scope: &mut Scope, op: OperationId, domain: DomainId) -> Tokens {
        let tracks = self.ordered(op);
        let tokens = tracks.into_iter().map(|(track, _)| {
            let token = self.wait_for(scope, track, op, domain);
            (track, token)
        });
        tokens.collect()
    }

    fn wait_for(
        &mut self,
        scope: &mut Scope,
        track: Track,
        op: OperationId,
        domain: DomainId,
    ) -> ValueId {
        let at = scope.position(track, op);
        let (entry, entry_domain) = scope.entries[&track];
        let mut waited = Vec::new();
        let candidates = scope.candidates(track, at);
        for (i, distance) in &candidates {
            let is_implied = candidates.iter().any(|(k, apart)| {
                let behind = scope.events[&track][*k].behind.get(i);
                behind.is_some_and(|d| d + apart <= *distance)
            });
            scope.add_behind(track, at, *i, *distance);
            // The port processes the tokens of one access in order, so they need no token.
            let is_itself = *i == at && self.is_one_access(op, track);
            if is_implied || is_itself {
                continue;
            }
            let event = &scope.events[&track][*i];
            let (token, from) = match (*distance, event.done, scope.loop_domain) {
                (0, Some(done), _) => (done, event.domain),
                (1.., _, Some(around)) => {
                    let token = self.carried_token(scope, track, *i, *distance);
                    (token, around)
                }
                _ => continue,
            };
            waited.push(self.bring(token, from, domain));
        }
        if waited.is_empty() {
            return self.bring(entry, entry_domain, domain);
        }
        self.graph.join(&waited)
    }

    /// Returns whether an operation is, or contains, a single access on a track.
    fn is_one_access(&self, op: OperationId, track: Track) -> bool {
        let inside = self.source.walk(op).into_iter();
        let accesses = inside.filter(|op| {
            let is_access = matches!(
                self.view(*op).name(),
                memref::Load::NAME | memref::Store::NAME | func::Call::NAME
            );
            let touched = self.touched.get(op).filter(|_| is_access);
            touched.is_some_and(|touched| touched.contains_key(&track))
        });
        accesses.count() == 1
    }

    /// Records the completion tokens of an operation.
    pub(super) fn done(&mut self, scope: &mut Scope, op: OperationId, tokens: &Tokens) {
        for (track, token) in tokens {
            let at = scope.position(*track, op);
            scope.event(*track, at).done = Some(*token);
        }
    }

    /// Returns the token, in the domain of the loop, that an event was complete `distance` iterations earlier.
    fn carried_token(
        &mut self,
        scope: &mut Scope,
        track: Track,
        at: usize,
        distance: i64,
    ) -> ValueId {
        let around = scope.loop_domain.expect("only loops have iterations");
        let outside = self.domains[around.0].parent;
        let outside = outside.expect("a loop is in a domain");
        let (entry, entry_domain) = scope.entries[&track];
        let first = self.bring(entry, entry_domain, outside);
        let distance = usize::try_from(distance.clamp(1, MAX_CARRIED)).unwrap_or(1);
        while scope.event(track, at).carried.len() < distance {
            let (back, token) = self.carried(around, first);
            let event = scope.event(track, at);
            match event.carried.last() {
                Some(last) => {
                    let last = *last;
                    self.domains[around.0].carried.push((back, last));
                }
                None => event.back = Some(back),
            }
            scope.event(track, at).carried.push(token);
        }
        scope.event(track, at).carried[distance - 1]
    }

    /// Returns the tokens that a block in `domain` is complete; for tracks that it does not touch, the tokens of preceding
    /// accesses.
    pub(super) fn finished(&mut self, scope: &Scope, domain: DomainId) -> Tokens {
        let mut tokens = Tokens::new();
        for (track, (entry, entry_domain)) in &scope.entries {
            let events = scope.events.get(track).map_or(&[][..], Vec::as_slice);
            let last = last_events(events);
            let dones: Vec<_> = last.iter().filter_map(|i| events[*i].done).collect();
            let token = match dones.is_empty() {
                true => self.bring(*entry, *entry_domain, domain),
                false => self.graph.join(&dones),
            };
            tokens.insert(*track, token);
        }
        tokens
    }

    /// Returns the tokens that all iterations of a loop are complete, in the enclosing domain; `again` tells in each iteration
    /// whether another one follows. Connects the tokens carried between iterations.
    pub(super) fn finished_loop(&mut self, mut scope: Scope, again: ValueId) -> Tokens {
        let around = scope.loop_domain.expect("a loop has a domain");
        let tracks: Vec<Track> = scope.events.keys().copied().collect();
        let mut tokens = Tokens::new();
        for track in tracks {
            let mut exits = Vec::new();
            for at in last_events(&scope.events[&track]) {
                let event = &scope.events[&track][at];
                let (done, is_head) = (event.done, event.domain == around);
                let token = match is_head {
                    true => done.expect("every operation of a block was lowered"),
                    // An event that only runs if another iteration follows completed last in the previous iteration.
                    false => self.carried_token(&mut scope, track, at, 1),
                };
                exits.push(self.branch(around, again, token).1);
            }
            for event in &scope.events[&track] {
                let done = event.done.expect("every operation of a block was lowered");
                match event.back {
                    Some(back) if event.domain == around => {
                        self.domains[around.0].carried.push((back, done));
                    }
                    Some(back) => self.graph.connect(back, done),
                    None => {}
                }
            }
            tokens.insert(track, self.graph.join(&exits));
        }
        tokens
    }

    /// Returns the initial tokens for the sides of a conditional or for a loop: those that it waited for.
    pub(super) fn entries(tokens: &Tokens, domain: DomainId) -> Entries {
        tokens
            .iter()
            .map(|(track, token)| (*track, (*token, domain)))
            .collect()
    }
}

/// Returns the events that no other event waits for.
fn last_events(events: &[Event]) -> Vec<usize> {
    let is_last = |i: &usize| {
        let here = events[*i].domain;
        !events
            .iter()
            .any(|e| e.domain == here && e.behind.get(i) == Some(&0))
    };
    (0..events.len()).filter(is_last).collect()
}

impl Scope {
    fn position(&self, track: Track, op: OperationId) -> usize {
        let mut events = self.events[&track].iter();
        let at = events.position(|event| event.op == op);
        at.expect("every operation of a block is in its scope")
    }

    fn event(&mut self, track: Track, at: usize) -> &mut Event {
        let events = self.events.get_mut(&track);
        &mut events.expect("the memory has events")[at]
    }

    /// Returns the events that one must wait for, with the minimum distance in iterations.
    fn candidates(&self, track: Track, at: usize) -> Vec<(usize, i64)> {
        let mut found = Vec::new();
        for i in 0..self.events[&track].len() {
            let mut distances = self.distances(track, i, at);
            // Within an iteration, an event only waits for earlier ones in text order.
            distances.retain(|d| {
                if *d == 0 {
                    i < at
                } else {
                    self.loop_domain.is_some()
                }
            });
            found.extend(distances.into_iter().min().map(|d| (i, d)));
        }
        found
    }

    /// Records that event `at` waits for event `i`, and so transitively for all events that `i` waits for.
    fn add_behind(&mut self, track: Track, at: usize, i: usize, distance: i64) {
        let mut behind = self.events[&track][i].behind.clone();
        behind.values_mut().for_each(|d| *d += distance);
        behind.insert(i, distance);
        let event = self.event(track, at);
        for (k, d) in behind {
            let known = event.behind.entry(k).or_insert(d);
            *known = d.min(*known);
        }
    }

    /// Returns the distances in iterations at which event `j` must wait for event `i`.
    fn distances(&self, track: Track, i: usize, j: usize) -> Vec<i64> {
        let events = &self.events[&track];
        let (from, to) = (&events[i], &events[j]);
        if !from.writes && !to.writes {
            return Vec::new();
        }
        let meets_all = to.is_queued && !from.writes;
        match (from.access, to.access) {
            (Some(a), Some(b)) if !meets_all => {
                self.dependences.get(&(a, b)).cloned().unwrap_or_default()
            }
            _ if i < j => vec![0],
            _ => vec![1],
        }
    }
}

/// Returns `sluice.dependences`, indexed by source and sink.
pub(crate) fn dependences(holder: View<'_>) -> BTreeMap<(i64, i64), Vec<i64>> {
    let mut found: BTreeMap<(i64, i64), Vec<i64>> = BTreeMap::new();
    let listed = holder.attribute(sluice::DEPENDENCES);
    let listed = listed.and_then(|a| a.as_array(holder.context));
    for entry in listed.unwrap_or_default() {
        let numbers = entry.as_dense_array_i64(holder.context);
        if let Some([source, sink, distance]) = numbers.as_deref() {
            found.entry((*source, *sink)).or_default().push(*distance);
        }
    }
    found
}
