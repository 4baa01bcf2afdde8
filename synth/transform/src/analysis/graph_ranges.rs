//! Value ranges of the tokens on the channels of a dataflow graph.
//!
//! A graph is a set of functions from sequences of tokens to sequences (G. Kahn, IFIP 1974). The n-th token of a sum is computed
//! from the n-th tokens of its operands. Forks and buffers keep the sequence, and a `cond_br` selects those data tokens whose
//! condition token of the same index has the given value. A fact that a condition implies about a channel therefore holds for the
//! corresponding data tokens, however many buffers are between. Ranges of merged channels grow until a pass over the graph
//! changes nothing, as in [`crate::analysis::value_ranges`].

use std::collections::BTreeMap;

use sluice_dialects::handshake;
use sluice_ir::algebra::RangesWord;
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use crate::analysis::conditions::{implied, origin};
use crate::analysis::value_ranges::{Analysis, Range, join};

/// Number of changes of a channel before widening starts.
const EXACT_ITERATIONS: u32 = 3;

/// Number of changes of a channel after which its range becomes unbounded.
const MAX_ITERATIONS: u32 = 9;

/// Maximum number of narrowing iterations, which apply the conditions again.
const REFINING_ITERATIONS: u32 = 6;

/// Returns the ranges of all channels of a graph, indexed by value; `None` if every value is possible.
pub(crate) fn graph_ranges(context: &Context, body: &Body) -> Vec<Range> {
    let mut search = Search {
        known: Analysis::new(context, body),
        is_reached: vec![false; body.value_capacity()],
        n_grown: BTreeMap::new(),
    };
    let ops = body.walk_all();
    for region in body.top_regions() {
        for block in body.blocks(region) {
            for argument in body.arguments(*block) {
                search.is_reached[argument.index()] = true;
            }
        }
    }
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for op in &ops {
            is_changed |= search.grow(*op);
        }
    }
    for _ in 0..REFINING_ITERATIONS {
        let mut is_changed = false;
        for op in &ops {
            is_changed |= search.refine(*op);
        }
        if !is_changed {
            break;
        }
    }
    search.known.into_ranges()
}

struct Search<'a> {
    known: Analysis<'a>,
    /// For each channel, whether a token can arrive.
    is_reached: Vec<bool>,
    /// How often the range of a channel grew.
    n_grown: BTreeMap<ValueId, u32>,
}

impl<'a> Search<'a> {
    /// Joins the previous ranges of the results of an operation with the newly computed ones.
    fn grow(&mut self, op: OperationId) -> bool {
        let mut is_changed = false;
        for (result, range) in self.results(op) {
            let index = result.index();
            let before = self.known.own(result).clone();
            if !std::mem::replace(&mut self.is_reached[index], true) {
                self.known.set_own(result, range);
                is_changed = true;
                continue;
            }
            let joined = join(&before, &range);
            if joined == before {
                continue;
            }
            let n_grown = self.n_grown.entry(result).or_default();
            *n_grown += 1;
            let next = if *n_grown <= EXACT_ITERATIONS {
                joined
            } else if *n_grown <= MAX_ITERATIONS {
                self.known.wider(&before, &joined)
            } else {
                None
            };
            self.known.set_own(result, next);
            is_changed = true;
        }
        is_changed
    }

    /// Narrows the results of an operation to what its operands now allow.
    fn refine(&mut self, op: OperationId) -> bool {
        let mut is_changed = false;
        for (result, range) in self.results(op) {
            let before = self.known.own(result).clone();
            let next = match (&before, range) {
                (Some(before), Some(range)) => before.meet(&range).map(RangesWord::tight),
                (None, range) => range,
                (Some(_), None) => None,
            };
            if next.is_some() && next != before {
                self.known.set_own(result, next);
                is_changed = true;
            }
        }
        is_changed
    }

    fn is_reached(&self, value: ValueId) -> bool {
        self.is_reached[value.index()]
    }

    /// Returns the results that can receive tokens, with their ranges.
    fn results(&self, op: OperationId) -> Vec<(ValueId, Range)> {
        let known = &self.known;
        let view = View::new(known.context, known.body, op);
        let operands: Vec<ValueId> = view.operands().collect();
        let are_all = operands.iter().all(|operand| self.is_reached(*operand));
        let results = view.results();
        let unknown = || results.iter().map(|result| (*result, None)).collect();
        match view.name() {
            handshake::Mux::NAME => self.any_of(results[0], &operands[1..]),
            handshake::Merge::NAME => self.any_of(results[0], &operands),
            handshake::ControlMerge::NAME => {
                let mut found = self.any_of(results[0], &operands);
                if !found.is_empty() {
                    let width = known.body.ty(results[1]).width_bits(known.context);
                    let bits = |n: usize| Some(Bits::from_u64(width?, u64::try_from(n).ok()?));
                    let most = bits(operands.len() - 1).zip(bits(0));
                    found.push((
                        results[1],
                        most.map(|(most, zero)| RangesWord::unsigned(zero, most)),
                    ));
                }
                found
            }
            handshake::Buffer::NAME => {
                let mut found = self.any_of(results[0], &operands);
                let tokens = view.attribute("initValues");
                let tokens = tokens.and_then(|tokens| tokens.as_array(known.context));
                for token in tokens.unwrap_or_default() {
                    let width = known.body.ty(results[0]).width_bits(known.context);
                    let token = token.as_i64(known.context);
                    let token = width
                        .zip(token)
                        .map(|(w, t)| RangesWord::exact(&Bits::from_i64(w, t)));
                    let all = match found.first() {
                        Some((_, range)) => join(range, &token),
                        None => token,
                    };
                    found = vec![(results[0], all)];
                }
                found
            }
            handshake::ConditionalBranch::NAME if are_all => {
                let sides = [true, false].into_iter().zip(results);
                sides
                    .filter_map(|(side, result)| Some((*result, self.side(&operands, side)?)))
                    .collect()
            }
            // The loaded value may be anything. It arrives only if the other operands can receive tokens.
            handshake::Load::NAME => {
                let asked = operands.iter().enumerate();
                let mut asked = asked.filter(|(i, _)| *i != results.len() - 1);
                let mut found = vec![(results[0], None)];
                if asked.all(|(_, operand)| self.is_reached(*operand)) {
                    let addresses = results[1..].iter().zip(&operands);
                    found.extend(addresses.map(|(result, operand)| (*result, known.get(*operand))));
                }
                found
            }
            handshake::Join::NAME
            | handshake::Store::NAME
            | handshake::Constant::NAME
            | handshake::Sync::NAME
            | handshake::Fork::NAME
            | handshake::Branch::NAME
            | handshake::LazyFork::NAME
            | handshake::ConditionalBranch::NAME
                if !are_all =>
            {
                Vec::new()
            }
            name if name.starts_with("arith.") && !are_all => Vec::new(),
            handshake::Fork::NAME | handshake::Branch::NAME | handshake::LazyFork::NAME => {
                let of = known.get(operands[0]);
                results.iter().map(|result| (*result, of.clone())).collect()
            }
            handshake::Sync::NAME => {
                let pairs = results.iter().zip(&operands);
                pairs
                    .map(|(result, operand)| (*result, known.get(*operand)))
                    .collect()
            }
            handshake::Constant::NAME => {
                let number = view.attribute("value");
                let number = number.and_then(|number| number.integer(known.context));
                vec![(results[0], number.map(RangesWord::exact))]
            }
            handshake::Store::NAME => {
                let n_addresses = results.len() - 1;
                let addresses = results[1..].iter().zip(&operands[..n_addresses]);
                let addresses = addresses.map(|(result, operand)| (*result, known.get(*operand)));
                let data = operands.get(n_addresses).and_then(|data| known.get(*data));
                std::iter::once((results[0], data))
                    .chain(addresses)
                    .collect()
            }
            name if name.starts_with("arith.") => match known.by_meaning(view) {
                Some(ranges) => results
                    .iter()
                    .zip(ranges)
                    .map(|(result, range)| (*result, Some(range.tight())))
                    .collect(),
                None => unknown(),
            },
            _ => unknown(),
        }
    }

    /// Returns the join of those operands that can receive tokens, as the range of `result`.
    fn any_of(&self, result: ValueId, operands: &[ValueId]) -> Vec<(ValueId, Range)> {
        let reached = operands.iter().filter(|operand| self.is_reached(**operand));
        let ranges = reached.map(|operand| self.known.get(*operand));
        let joined = ranges.reduce(|a, b| join(&a, &b));
        joined.map(|range| (result, range)).into_iter().collect()
    }

    /// Returns the range of the data of a `cond_br` on one side of the condition; `None` if no token arrives there.
    fn side(&self, operands: &[ValueId], side: bool) -> Option<Range> {
        let known = &self.known;
        let [condition, data] = [operands[0], operands[1]];
        let truth = known.get(condition);
        let bit = truth.as_ref().and_then(RangesWord::value);
        if bit.is_some_and(|bit| bit.is_zero() == side) {
            return None;
        }
        let Some(mut range) = known.get(data) else {
            return Some(None);
        };
        let of = origin(known.context, known.body, data);
        for (value, bound) in implied(known, condition, side) {
            if origin(known.context, known.body, value) == of {
                range = range.meet(&bound)?.tight();
            }
        }
        Some(Some(range))
    }
}
