//! Initial values of a flattened nest that depend on counters of outer loops: the number of steps, and the first iterations of
//! its loops.

use std::collections::BTreeMap;

use sluice_dialects::arith;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId};

use super::nest::{Bound, LoopIndex, Nest};
use super::run::Run;
use crate::analysis::linear::is_invariant;
use crate::build::{SGE, SLT, binary, compare, constant, convert, select};
use crate::loops::coalesce::machine::{State, counter_type};

/// Maximum number of cases if the number of steps is not an affine function of the outer counters.
const MAX_CHOICES: usize = 32;

/// The number of steps as a function of the outer counters.
enum Steps {
    Number(i64),
    /// A constant, plus a factor for each counter.
    Sum(i64, Vec<i64>),
    /// A case distinction on a counter: below the threshold, and from it on.
    Choice(usize, i64, Box<Steps>, Box<Steps>),
}

/// Returns whether the number of steps of every entry can be computed.
pub(super) fn has_steps(run: &Run) -> bool {
    Steps::of(&entries(run)).is_some()
}

fn entries(run: &Run) -> Vec<(&[i64], i64)> {
    let entries = run.entries.iter();
    let number = |steps: u64| i64::try_from(steps).expect("few steps");
    let all = entries.map(|(counters, steps)| (counters.as_slice(), number(*steps)));
    all.collect()
}

impl Steps {
    /// Returns a function with these values; `None` if there are too many different ones.
    fn of(entries: &[(&[i64], i64)]) -> Option<Self> {
        let (first, steps) = entries.first()?;
        if entries.iter().all(|(_, other)| other == steps) {
            return Some(Self::Number(*steps));
        }
        if let Some(sum) = Self::sum(entries) {
            return Some(sum);
        }
        if entries.len() > MAX_CHOICES {
            return None;
        }
        // Splits at the median of the counter with the most values.
        let values = |at: usize| {
            let mut values: Vec<i64> = entries.iter().map(|(counters, _)| counters[at]).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let at = (0..first.len()).max_by_key(|at| (values(*at).len(), std::cmp::Reverse(*at)))?;
        let values = values(at);
        let middle = *values.get(values.len() / 2)?;
        let (below, others): (Vec<_>, Vec<_>) = entries
            .iter()
            .partition(|(counters, _)| counters[at] < middle);
        let (below, others) = (Self::of(&below)?, Self::of(&others)?);
        Some(Self::Choice(at, middle, Box::new(below), Box::new(others)))
    }

    /// Returns the affine function with these values, if there is one. For entries without steps it may be negative.
    fn sum(entries: &[(&[i64], i64)]) -> Option<Self> {
        let with_steps: Vec<_> = entries.iter().filter(|(_, steps)| *steps > 0).collect();
        let (origin, at_origin) = with_steps.first()?;
        let factor = |at: usize| {
            let others = |counters: &[i64]| {
                let mut pairs = counters.iter().zip(*origin).enumerate();
                pairs.all(|(other, (a, b))| other == at || a == b)
            };
            let along = with_steps
                .iter()
                .find(|(counters, _)| counters[at] != origin[at] && others(counters));
            let Some((counters, steps)) = along else {
                return Some(0);
            };
            let (rise, run) = (steps - at_origin, counters[at].checked_sub(origin[at])?);
            (rise % run == 0).then_some(rise / run)
        };
        let factors: Option<Vec<i64>> = (0..origin.len()).map(factor).collect();
        let factors = factors?;
        let value = |counters: &[i64]| {
            let mut terms = counters.iter().zip(&factors);
            terms.try_fold(0i64, |sum, (counter, factor)| {
                sum.checked_add(counter.checked_mul(*factor)?)
            })
        };
        let number = at_origin.checked_sub(value(origin)?)?;
        let fits = |(counters, steps): &(&[i64], i64)| {
            let sum = value(counters).and_then(|sum| sum.checked_add(number));
            sum.is_some_and(|sum| sum == *steps || *steps == 0 && sum <= 0)
        };
        entries
            .iter()
            .all(fits)
            .then_some(Self::Sum(number, factors))
    }
}

/// Returns whether a loop is active in the first step, which then also enters it.
pub(super) fn is_in_first_step(nest: &Nest, run: &Run, index: LoopIndex) -> bool {
    let inner = run.first_group.map(|group| nest.groups[group].around);
    let mut around = std::iter::successors(inner, |inner| {
        nest.loops[*inner].parent.map(|(parent, _)| parent)
    });
    around.any(|inner| inner == index)
}

/// Emits values before the nest.
pub(super) struct Entry<'a> {
    context: &'a Context,
    body: &'a mut Body,
    root: OperationId,
    nest: &'a Nest,
    run: &'a Run,
}

impl<'a> Entry<'a> {
    pub(super) fn new(
        context: &'a Context,
        body: &'a mut Body,
        root: OperationId,
        nest: &'a Nest,
        run: &'a Run,
    ) -> Self {
        Self {
            context,
            body,
            root,
            nest,
            run,
        }
    }

    fn builder(&mut self) -> Builder<'_> {
        Builder::before(self.context, self.body, self.root)
    }

    pub(super) fn number(&mut self, number: i64) -> ValueId {
        let index = self.context.index_type();
        constant(&mut self.builder(), index, number)
    }

    /// Returns the number of steps.
    pub(super) fn steps(&mut self) -> ValueId {
        let steps = Steps::of(&entries(self.run)).expect("it was asked before");
        self.value_of(&steps)
    }

    fn value_of(&mut self, steps: &Steps) -> ValueId {
        match steps {
            Steps::Number(number) => self.number(*number),
            Steps::Sum(number, factors) => {
                let mut sum = None;
                for (at, factor) in factors.iter().enumerate().filter(|(_, f)| **f != 0) {
                    let counter = self.counter_around(at);
                    let factor = self.number(*factor);
                    let mut builder = self.builder();
                    let term = binary(&mut builder, arith::Muli::NAME, counter, factor);
                    sum = Some(match sum {
                        Some(sum) => binary(&mut builder, arith::Addi::NAME, sum, term),
                        None => term,
                    });
                }
                let number = self.number(*number);
                match sum {
                    Some(sum) => binary(&mut self.builder(), arith::Addi::NAME, sum, number),
                    None => number,
                }
            }
            Steps::Choice(at, middle, below, others) => {
                let (below, others) = (self.value_of(below), self.value_of(others));
                let counter = self.counter_around(*at);
                let middle = self.number(*middle);
                let mut builder = self.builder();
                let is_below = compare(&mut builder, SLT, counter, middle);
                select(&mut builder, is_below, below, others)
            }
        }
    }

    fn counter_around(&mut self, at: usize) -> ValueId {
        let counter = self.run.around[at];
        self.as_index(counter)
    }

    fn as_index(&mut self, value: ValueId) -> ValueId {
        let index = self.context.index_type();
        match self.body.ty(value).is_index(self.context) {
            true => value,
            false => convert(&mut self.builder(), arith::IndexCast::NAME, value, index),
        }
    }

    /// Returns the initial values of the states that differ between entries.
    pub(super) fn first_values(&mut self) -> BTreeMap<State, ValueId> {
        let mut made = BTreeMap::new();
        // The first iterations of loops, from the outermost inwards.
        let mut copies: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        let run = self.run;
        let differs = run.first_counters.contains(&None)
            || run.first_in_last.contains(&None)
            || run.first_works.contains(&None);
        for index in 0..self.nest.loops.len() {
            let is_last = self.run.first_in_last[index];
            let works = self.run.first_works[index];
            let given = self.run.first_counters[index];
            if !differs || !is_in_first_step(self.nest, self.run, index) {
                continue;
            }
            let facts = self.run.counters[index];
            let Some((_, counter)) = self.nest.loops[index].source else {
                continue;
            };
            let first = self.bound(self.nest.loops[index].lower, &mut copies);
            copies.insert(counter, first);
            if given.is_none() {
                let (ty, _) = counter_type(self.context, (facts.least, facts.greatest));
                let cast = match self.body.ty(first).is_index(self.context) {
                    true => arith::IndexCast::NAME,
                    false => arith::Trunci::NAME,
                };
                let narrow = convert(&mut self.builder(), cast, first, ty);
                made.insert(State::Counter(index), narrow);
            }
            let upper = self.nest.loops[index].upper;
            if is_last.is_none() && !facts.always_one {
                let upper = self.bound(upper, &mut copies);
                let ty = self.body.ty(first);
                let step = self.nest.loops[index].step;
                let mut builder = self.builder();
                let step = constant(&mut builder, ty, step);
                let second = binary(&mut builder, arith::Addi::NAME, first, step);
                made.insert(
                    State::InLast(index),
                    compare(&mut builder, SGE, second, upper),
                );
            }
            if works.is_none() && facts.idles {
                let upper = self.bound(upper, &mut copies);
                let works = compare(&mut self.builder(), SLT, first, upper);
                made.insert(State::Works(index), works);
            }
        }
        made
    }

    fn bound(&mut self, bound: Bound, copies: &mut BTreeMap<ValueId, ValueId>) -> ValueId {
        match bound {
            Bound::Value(value) => {
                self.copy(value, copies);
                copies.get(&value).copied().unwrap_or(value)
            }
            Bound::Number(number) => self.number(number),
        }
    }

    /// Copies the operations that compute a value for the first iterations.
    fn copy(&mut self, value: ValueId, copies: &mut BTreeMap<ValueId, ValueId>) {
        if copies.contains_key(&value) || is_invariant(self.body, self.root, value) {
            return;
        }
        let op = self
            .body
            .defining_operation(value)
            .expect("bounds are computed from counters");
        for operand in self.body.operands(op).collect::<Vec<_>>() {
            self.copy(operand, copies);
        }
        let made = self.body.copy(self.context, op, copies);
        self.body.insert_before(self.root, made);
    }
}
