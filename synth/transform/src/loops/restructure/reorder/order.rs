//! Decides whether dependences stay in order in a new statement order.

use std::collections::BTreeMap;

use sluice_ir::{Body, Context, OperationId};

use super::Place;
use super::class::Class;
use super::statement::Statement;
use crate::analysis::dependence_vectors::{Direction, Outside, Pair, Reference};

/// Two accesses of one word, of which the first runs before the second in text order.
pub(super) struct Conflict<'a> {
    /// The classes of source and sink.
    pub(super) classes: (usize, usize),
    pub(super) source: &'a Reference,
    pub(super) sink: &'a Reference,
    /// The instances that access the same word, in text order.
    pair: Pair<'a>,
    /// The unknowns for the counter values of the classes of source and sink.
    counters: (Vec<usize>, Vec<usize>),
}

/// All conflicts of a nest, indexed by the classes of the two accesses.
pub(super) type Conflicts<'a> = BTreeMap<(usize, usize), Vec<Conflict<'a>>>;

/// Returns the surroundings of the nest of `roots`.
pub(super) fn outside<'a>(
    context: &'a Context,
    body: &'a Body,
    roots: &'a [OperationId],
) -> Outside<'a> {
    Outside {
        context,
        body,
        loops: roots,
    }
}

/// Finds all conflicts.
pub(super) fn conflicts<'a>(
    outside: &'a Outside<'a>,
    statements: &'a [Statement],
    classes: &[Class],
) -> Conflicts<'a> {
    let members = classes.iter().enumerate().flat_map(|(at, class)| {
        let members = class.members.iter();
        members.map(move |(statement, values)| (at, &statements[*statement], values))
    });
    let members: Vec<_> = members.collect();
    let mut found = Conflicts::new();
    for (a, first, first_values) in &members {
        for (b, second, second_values) in &members {
            let common = first.loops.iter().zip(&second.loops);
            let n_common = common.take_while(|(x, y)| x == y).count();
            for (i, source) in &first.accesses {
                for (j, sink) in &second.accesses {
                    if source.memory != sink.memory || !(source.writes || sink.writes) {
                        continue;
                    }
                    let mut pair = Pair::new(outside, source, sink, 0);
                    let counters = (
                        first_values
                            .iter()
                            .map(|form| pair.of_source(form))
                            .collect(),
                        second_values
                            .iter()
                            .map(|form| pair.of_sink(form))
                            .collect(),
                    );
                    let (first_counters, second_counters) = (first.values(), second.values());
                    let common: Vec<(usize, usize)> = (0..n_common)
                        .map(|level| {
                            let [a, b] = [first_counters[level], second_counters[level]]
                                .map(crate::analysis::dependence_vectors::unit);
                            (pair.of_source(&a), pair.of_sink(&b))
                        })
                        .collect();
                    if !pair.may_hold() {
                        continue;
                    }
                    let mut add = |pair: Pair<'a>| {
                        let conflict = Conflict {
                            classes: (*a, *b),
                            source,
                            sink,
                            pair,
                            counters: <(Vec<usize>, Vec<usize>)>::clone(&counters),
                        };
                        found.entry((*a, *b)).or_default().push(conflict);
                    };
                    let mut same = pair.copy();
                    for (x, y) in common {
                        let forward = same.ordered(x, y, Direction::Forward);
                        if forward.may_hold() {
                            add(forward);
                        }
                        same = same.ordered(x, y, Direction::Same);
                    }
                    if i < j && same.may_hold() {
                        add(same);
                    }
                }
            }
        }
    }
    found
}

impl Conflict<'_> {
    /// Returns whether the source stays before the sink if their classes have these places.
    pub(super) fn holds(&self, source: &Place, sink: &Place) -> bool {
        let mut pair = self.pair.copy();
        let mut level = 0;
        loop {
            match source.positions[level].cmp(&sink.positions[level]) {
                std::cmp::Ordering::Less => return true,
                std::cmp::Ordering::Greater => return !pair.may_hold(),
                std::cmp::Ordering::Equal => {}
            }
            let (Some(a), Some(b)) = (source.order.get(level), sink.order.get(level)) else {
                // Equal places. Within one class, a statement keeps its text order; different classes must not meet at the same
                // point.
                return self.classes.0 == self.classes.1 || !pair.may_hold();
            };
            let (a, b) = (self.counters.0[*a], self.counters.1[*b]);
            if pair.ordered(a, b, Direction::Backward).may_hold() {
                return false;
            }
            pair = pair.ordered(a, b, Direction::Same);
            if !pair.may_hold() {
                return true;
            }
            level += 1;
        }
    }
}
