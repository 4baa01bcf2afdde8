//! Enumerates candidate places of the statements of a nest: loop orders, and the number of outer loops they share.

use std::collections::{BTreeMap, BTreeSet};

use super::super::interchange::permutations;
use super::Place;
use super::class::Class;
use super::order::{Conflict, Conflicts};

/// Maximum number of legal combinations of places for all classes.
const MAX_CHOICES: usize = 128;

/// Maximum number of pairs of accesses that are compared during the search.
const MAX_COMPARISONS: usize = 20_000;

/// The position of the deepest statement; others are before, after or between.
const MIDDLE: u32 = 1 << 16;

/// The distance of a new position from the first or the last used position.
const APART: u32 = 1 << 12;

/// Returns combinations of places that keep every dependence; the deepest class comes first in `classes`.
pub(super) fn choices(classes: &[Class], conflicts: &Conflicts<'_>) -> Vec<Vec<Place>> {
    let mut search = Search {
        classes,
        conflicts,
        left: MAX_COMPARISONS,
        known: BTreeMap::new(),
        found: Vec::new(),
    };
    search.extend(&mut Vec::new());
    search.found
}

struct Search<'a> {
    classes: &'a [Class],
    conflicts: &'a Conflicts<'a>,
    left: usize,
    /// Memoised result per pair of classes and places: whether all dependences between them hold. Other classes have no
    /// influence.
    known: BTreeMap<[(usize, Place); 2], bool>,
    found: Vec<Vec<Place>>,
}

impl Search<'_> {
    fn extend(&mut self, chosen: &mut Vec<Place>) {
        let at = chosen.len();
        if at == self.classes.len() {
            self.found.push(chosen.clone());
            return;
        }
        for place in self.places(at, chosen) {
            if self.found.len() >= MAX_CHOICES || self.left == 0 {
                return;
            }
            chosen.push(place);
            if self.holds(chosen) {
                self.extend(chosen);
            }
            chosen.pop();
        }
    }

    /// Returns candidate places of a class relative to the chosen places, of which the first is the deepest.
    fn places(&self, at: usize, chosen: &[Place]) -> Vec<Place> {
        let n = self.classes[at].counters.len();
        let mut all = Vec::new();
        for order in permutations(n) {
            let Some(deepest) = chosen.first() else {
                let positions = vec![MIDDLE; n + 1];
                all.push(Place { order, positions });
                continue;
            };
            for shared in (0..=n.min(deepest.order.len())).rev() {
                for position in gaps(chosen, shared) {
                    let mut positions = vec![MIDDLE; n + 1];
                    positions[shared] = position;
                    let order = order.clone();
                    all.push(Place { order, positions });
                }
            }
        }
        all
    }

    /// Returns whether the last place keeps its dependences with all places, including itself.
    fn holds(&mut self, chosen: &[Place]) -> bool {
        let last = chosen.len() - 1;
        for other in 0..=last {
            let pairs = [(other, last), (last, other)];
            let n_pairs = if other == last { 1 } else { 2 };
            for (a, b) in &pairs[..n_pairs] {
                if !self.pair_holds((*a, &chosen[*a]), (*b, &chosen[*b])) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether the dependences between two classes hold for these places.
    fn pair_holds(&mut self, a: (usize, &Place), b: (usize, &Place)) -> bool {
        let key = [a, b].map(|(class, place)| (class, place.clone()));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let all: &[Conflict<'_>] = self.conflicts.get(&(a.0, b.0)).map_or(&[], Vec::as_slice);
        let holds = all.iter().all(|conflict| {
            self.left = self.left.saturating_sub(1);
            conflict.holds(a.1, b.1)
        });
        self.known.insert(key, holds);
        holds
    }
}

/// Returns the number of loops that classes share with the deepest one, which comes first.
pub(super) fn shared_loops(places: &[Place]) -> usize {
    let Some((deepest, others)) = places.split_first() else {
        return 0;
    };
    let shared = |place: &Place| {
        let positions = place.positions.iter().zip(&deepest.positions);
        let n = positions.take_while(|(own, other)| own == other).count();
        n.min(place.order.len())
    };
    others.iter().map(shared).sum()
}

/// Returns positions before, between and after those of the places that share the first `shared` loops of the deepest one.
fn gaps(chosen: &[Place], shared: usize) -> Vec<u32> {
    let sharing = chosen.iter().filter(|place| {
        place.positions.len() > shared && place.positions[..shared].iter().all(|p| *p == MIDDLE)
    });
    let used: BTreeSet<u32> = sharing.map(|place| place.positions[shared]).collect();
    let used: Vec<u32> = used.into_iter().collect();
    let first = used.first().map(|first| first - APART);
    let last = used.last().map(|last| last + APART);
    let between = used.windows(2).map(|pair| pair[0].midpoint(pair[1]));
    first.into_iter().chain(between).chain(last).collect()
}
