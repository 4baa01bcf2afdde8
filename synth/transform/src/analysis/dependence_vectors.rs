//! Dependences between accesses of a nest of loops, as vectors of directions and distances.
//!
//! Exact where bounds and subscripts are sums of counters and values from outside with constant factors, whatever the shape of the
//! nest: an instance of the source and one of the sink are the unknowns of a [`LinearSystem`]. A subscript that is something else
//! may be anything; conditions around an access count as true; a call touches every cell of its memories.

use std::collections::BTreeMap;
use std::fmt;

use sluice_dialects::{func, memref, scf};
use sluice_ir::{Body, Context, OperationId, ValueDefinition, ValueId, View};

use crate::analysis::linear::{Linear, is_invariant, linear, loop_bounds};
use crate::analysis::linear_system::{LinearSystem, Row};
use crate::build::{constant_i64, name};

/// The counter of a loop with its bounds.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    pub(crate) value: ValueId,
    /// It is not below any of these.
    pub(crate) lower: Vec<Linear>,
    /// It is not above any of these.
    pub(crate) last: Vec<Linear>,
    /// Its value less the only lower bound is a multiple of this; 1 if it is not known.
    pub(crate) step: i64,
}

/// One access with the loops around it.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) op: OperationId,
    pub(crate) memory: ValueId,
    pub(crate) writes: bool,
    /// The counters of the loops around, outermost first, from the outermost loop that is looked at.
    pub(crate) counters: Vec<Counter>,
    /// One form per dimension; `None` where it may be anything.
    pub(crate) subscripts: Vec<Option<Linear>>,
}

/// Which of two instances is earlier in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    /// The sink runs in a later iteration than the source: `<`.
    Forward,
    /// In the same: `=`.
    Same,
    /// In an earlier one: `>`.
    Backward,
}

/// One dependence, loop by loop, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DependenceVector {
    pub(crate) directions: Vec<Direction>,
    /// The least and the greatest distance in values of the counter, sink less source; `None` where there is no limit, or none that
    /// was found.
    pub(crate) distances: Vec<(Option<i64>, Option<i64>)>,
}

impl fmt::Display for DependenceVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements: Vec<String> = self
            .directions
            .iter()
            .zip(&self.distances)
            .map(|(direction, distance)| match (direction, distance) {
                (_, (Some(low), Some(high))) if low == high => low.to_string(),
                (Direction::Forward, _) => "<".to_owned(),
                (Direction::Same, _) => "=".to_owned(),
                (Direction::Backward, _) => ">".to_owned(),
            })
            .collect();
        write!(f, "({})", elements.join(", "))
    }
}

/// Whether the first loop in which the two instances differ runs the source earlier; `None` if they never differ.
pub(crate) fn is_forward(directions: impl IntoIterator<Item = Direction>) -> Option<bool> {
    let mut all = directions.into_iter();
    let first = all.find(|direction| *direction != Direction::Same)?;
    Some(first == Direction::Forward)
}

/// The counter of an `scf.for`.
pub(crate) fn counter_of(context: &Context, body: &Body, op: OperationId) -> Option<Counter> {
    let view = View::new(context, body, op);
    let value = *body.arguments(view.entry_block(0)?).first()?;
    if !body.ty(value).is_index(context) {
        // Comparisons and sums of other types wrap; nothing is known.
        return Some(Counter {
            value,
            lower: Vec::new(),
            last: Vec::new(),
            step: 1,
        });
    }
    let lower = loop_bounds(context, body, op, false);
    let last = loop_bounds(context, body, op, true);
    let step = constant_i64(context, body, view.operand(2)).filter(|step| *step > 0);
    let step = step.filter(|_| lower.len() == 1).unwrap_or(1);
    Some(Counter {
        value,
        lower,
        last,
        step,
    })
}

/// Every access under `root` with the counters of the loops from `outermost` inwards.
pub(crate) fn references(
    context: &Context,
    body: &Body,
    outermost: OperationId,
    root: OperationId,
) -> Vec<Reference> {
    let mut found = Vec::new();
    for op in body.walk(root) {
        let view = View::new(context, body, op);
        let accesses: Vec<(ValueId, bool, Vec<Option<Linear>>)> = match view.name() {
            memref::Load::NAME | memref::Store::NAME => {
                let writes = view.name() == memref::Store::NAME;
                let at = usize::from(writes);
                let indices = view.operands().skip(at + 1);
                let forms = indices.map(|index| Some(linear(context, body, index)));
                vec![(view.operand(at), writes, forms.collect())]
            }
            func::Call::NAME => view
                .operands()
                .filter_map(|value| {
                    let rank = body.ty(value).static_shape(context)?.len();
                    Some((value, true, vec![None; rank]))
                })
                .collect(),
            _ => continue,
        };
        let around = std::iter::successors(Some(op), |op| body.parent_operation(*op));
        let mut loops: Vec<OperationId> = Vec::new();
        for op in around {
            if name(context, body, op) == scf::For::NAME {
                loops.push(op);
            }
            if op == outermost {
                break;
            }
        }
        let counters: Vec<Counter> = loops
            .into_iter()
            .rev()
            .filter_map(|op| counter_of(context, body, op))
            .collect();
        for (memory, writes, subscripts) in accesses {
            found.push(Reference {
                op,
                memory,
                writes,
                counters: counters.clone(),
                subscripts,
            });
        }
    }
    found
}

/// Says of a value whether it is the same in all iterations of the loops that are looked at, and if it is the counter of a loop
/// around them, within which bounds.
pub(crate) trait Surroundings {
    /// Whether the value is made outside.
    fn is_fixed(&self, value: ValueId) -> bool;
    /// The bounds of a counter outside.
    fn counter(&self, value: ValueId) -> Option<Counter>;
}

/// What is outside of an operation of a body.
pub(crate) struct Outside<'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a Body,
    /// Loops next to each other; values from between them must not be used in their bounds.
    pub(crate) loops: &'a [OperationId],
}

impl Surroundings for Outside<'_> {
    fn is_fixed(&self, value: ValueId) -> bool {
        let mut loops = self.loops.iter();
        loops.all(|op| is_invariant(self.body, *op, value))
    }

    fn counter(&self, value: ValueId) -> Option<Counter> {
        let ValueDefinition::Argument { block, index: 0 } = self.body.value_definition(value)
        else {
            return None;
        };
        let owner = self.body.block_parent_operation(block)?;
        (name(self.context, self.body, owner) == scf::For::NAME)
            .then(|| counter_of(self.context, self.body, owner))?
    }
}

/// Two instances that touch the same cell, as unknowns.
pub(crate) struct Pair<'a> {
    system: LinearSystem,
    surroundings: &'a dyn Surroundings,
    fixed: BTreeMap<ValueId, usize>,
    source: BTreeMap<ValueId, usize>,
    sink: BTreeMap<ValueId, usize>,
    /// The counters that both run under, by position: source and sink.
    common: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
enum Side {
    Source,
    Sink,
}

impl<'a> Pair<'a> {
    /// The instances of `source` and `sink` that touch the same cell. The first `n_common` loops around them are compared.
    pub(crate) fn new(
        surroundings: &'a dyn Surroundings,
        source: &Reference,
        sink: &Reference,
        n_common: usize,
    ) -> Self {
        let mut pair = Self {
            system: LinearSystem::default(),
            surroundings,
            fixed: BTreeMap::new(),
            source: BTreeMap::new(),
            sink: BTreeMap::new(),
            common: Vec::new(),
        };
        for (side, reference) in [(Side::Source, source), (Side::Sink, sink)] {
            for counter in &reference.counters {
                let variable = pair.system.add_variable();
                match side {
                    Side::Source => pair.source.insert(counter.value, variable),
                    Side::Sink => pair.sink.insert(counter.value, variable),
                };
            }
            for counter in &reference.counters {
                pair.bound(side, counter);
            }
        }
        for (a, b) in source.counters.iter().zip(&sink.counters).take(n_common) {
            let places = (pair.source[&a.value], pair.sink[&b.value]);
            pair.common.push(places);
        }
        for (a, b) in source.subscripts.iter().zip(&sink.subscripts) {
            if let (Some(a), Some(b)) = (a, b) {
                let (a, b) = (pair.place(Side::Source, a), pair.place(Side::Sink, b));
                let row = pair.sum(&[(1, &a), (-1, &b)]);
                pair.system.require_zero(row);
            }
        }
        pair
    }

    /// A form over the unknowns of one side.
    fn place(&mut self, side: Side, form: &Linear) -> Vec<(usize, i128)> {
        let mut placed = vec![(usize::MAX, i128::from(form.constant))];
        for (value, coefficient) in &form.terms {
            let known = match side {
                Side::Source => self.source.get(value),
                Side::Sink => self.sink.get(value),
            };
            let known = known.or_else(|| self.fixed.get(value)).copied();
            let variable = known.unwrap_or_else(|| self.add(side, *value));
            placed.push((variable, i128::from(*coefficient)));
        }
        placed
    }

    /// A value that is no counter of the nest: fixed, or one for each side.
    fn add(&mut self, side: Side, value: ValueId) -> usize {
        let variable = self.system.add_variable();
        if self.surroundings.is_fixed(value) {
            self.fixed.insert(value, variable);
            if let Some(counter) = self.surroundings.counter(value) {
                self.bound(side, &counter);
            }
        } else {
            match side {
                Side::Source => self.source.insert(value, variable),
                Side::Sink => self.sink.insert(value, variable),
            };
        }
        variable
    }

    /// An unknown that is the value of a form of the source.
    pub(crate) fn of_source(&mut self, form: &Linear) -> usize {
        self.unknown(Side::Source, form)
    }

    /// An unknown that is the value of a form of the sink.
    pub(crate) fn of_sink(&mut self, form: &Linear) -> usize {
        self.unknown(Side::Sink, form)
    }

    fn unknown(&mut self, side: Side, form: &Linear) -> usize {
        let placed = self.place(side, form);
        let unknown = self.system.add_variable();
        let mut row = self.sum(&[(1, &placed)]);
        row[unknown] = -1;
        self.system.require_zero(row);
        unknown
    }

    /// The same instances.
    pub(crate) fn copy(&self) -> Self {
        self.with(self.system.row())
    }

    /// The instances of which an unknown of the source and one of the sink have this order.
    pub(crate) fn ordered(&self, source: usize, sink: usize, direction: Direction) -> Self {
        let mut pair = self.copy();
        pair.common = vec![(source, sink)];
        pair.toward(0, direction)
    }

    /// Whether there may be two such instances.
    pub(crate) fn may_hold(&self) -> bool {
        self.system.may_hold()
    }

    fn bound(&mut self, side: Side, counter: &Counter) {
        let value = self.place(side, &unit(counter.value));
        for lower in &counter.lower {
            let lower = self.place(side, lower);
            let row = self.sum(&[(1, &value), (-1, &lower)]);
            self.system.require_not_negative(row);
            if counter.step > 1 {
                let number = self.system.add_variable();
                let mut row = self.sum(&[(1, &value), (-1, &lower)]);
                row[number] = i128::from(-counter.step);
                self.system.require_zero(row);
            }
        }
        for last in &counter.last {
            let last = self.place(side, last);
            let row = self.sum(&[(1, &last), (-1, &value)]);
            self.system.require_not_negative(row);
        }
    }

    fn sum(&self, terms: &[(i128, &Vec<(usize, i128)>)]) -> Row {
        let mut row = self.system.row();
        let constant = row.len() - 1;
        for (factor, form) in terms {
            for (variable, coefficient) in form.iter() {
                let at = if *variable == usize::MAX {
                    constant
                } else {
                    *variable
                };
                row[at] += factor * coefficient;
            }
        }
        row
    }

    /// `sign * (sink - source) + constant` of a common counter.
    fn difference(&self, level: usize, sign: i128, constant: i128) -> Row {
        let mut row = self.system.row();
        let (source, sink) = self.common[level];
        row[sink] = sign;
        row[source] = -sign;
        let last = row.len() - 1;
        row[last] = constant;
        row
    }

    fn with(&self, row: Row) -> Self {
        let mut pair = Self {
            system: self.system.clone(),
            surroundings: self.surroundings,
            fixed: BTreeMap::new(),
            source: BTreeMap::new(),
            sink: BTreeMap::new(),
            common: self.common.clone(),
        };
        pair.system.require_not_negative(row);
        pair
    }

    /// Those whose common counter differs, sink less source, by at least `low` and at most `high`.
    pub(crate) fn within(&self, level: usize, low: i128, high: i128) -> Self {
        let row = self.difference(level, -1, high);
        self.with(self.difference(level, 1, -low)).with(row)
    }

    /// Those of one direction in a common loop.
    pub(crate) fn toward(&self, level: usize, direction: Direction) -> Self {
        match direction {
            Direction::Forward => self.with(self.difference(level, 1, -1)),
            Direction::Backward => self.with(self.difference(level, -1, -1)),
            Direction::Same => self.within(level, 0, 0),
        }
    }

    /// Every combination of directions that two instances with the same cell have.
    pub(crate) fn directions(&self) -> Vec<Vec<Direction>> {
        let mut found = Vec::new();
        if self.system.may_hold() {
            self.refine(&mut Vec::new(), &mut found);
        }
        found
    }

    fn refine(&self, so_far: &mut Vec<Direction>, found: &mut Vec<Vec<Direction>>) {
        if so_far.len() == self.common.len() {
            found.push(so_far.clone());
            return;
        }
        for direction in [Direction::Forward, Direction::Same, Direction::Backward] {
            let narrower = self.toward(so_far.len(), direction);
            if narrower.system.may_hold() {
                so_far.push(direction);
                narrower.refine(so_far, found);
                so_far.pop();
            }
        }
    }

    /// The vector of these directions with its distances.
    pub(crate) fn vector(&self, directions: &[Direction]) -> DependenceVector {
        let mut narrowed = self.with(self.system.row());
        for (level, direction) in directions.iter().enumerate() {
            narrowed = narrowed.toward(level, *direction);
        }
        let distances = directions.iter().enumerate();
        let distances = distances.map(|(level, direction)| match direction {
            Direction::Same => (Some(0), Some(0)),
            Direction::Forward | Direction::Backward => (
                narrowed.least(level, 1),
                narrowed.least(level, -1).map(|d| -d),
            ),
        });
        DependenceVector {
            distances: distances.collect(),
            directions: directions.to_vec(),
        }
    }

    /// The least value of `sign * (sink - source)` of a common counter; `None` if it has no limit within 2^24.
    pub(crate) fn least(&self, level: usize, sign: i128) -> Option<i64> {
        const FAR: i128 = 1 << 24;
        let reaches = |limit: i128| {
            let row = self.difference(level, -sign, limit);
            self.with(row).system.may_hold()
        };
        if reaches(-FAR) || !reaches(FAR) {
            return None;
        }
        let (mut below, mut reached) = (-FAR, FAR);
        while reached - below > 1 {
            let middle = below + (reached - below) / 2;
            if reaches(middle) {
                reached = middle;
            } else {
                below = middle;
            }
        }
        i64::try_from(reached).ok()
    }

    /// Whether some two instances touch the same cell with the sink at a smaller value of the first common counter.
    pub(crate) fn has_backward(&self) -> bool {
        self.toward(0, Direction::Backward).system.may_hold()
    }
}

/// The form that is a value.
pub(crate) fn unit(value: ValueId) -> Linear {
    Linear {
        constant: 0,
        terms: BTreeMap::from([(value, 1)]),
    }
}

/// A dependence of a nest: source and sink by their positions, and the directions of the common loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependence {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) directions: Vec<Direction>,
}

/// All dependences between references under `n_common` common loops. References are in text order; `=` in all loops is a dependence
/// of the one that stands first.
pub(crate) fn dependences(
    surroundings: &dyn Surroundings,
    references: &[Reference],
    n_common: usize,
) -> Vec<Dependence> {
    let mut found = Vec::new();
    for (i, source) in references.iter().enumerate() {
        for (j, sink) in references.iter().enumerate() {
            if source.memory != sink.memory || !(source.writes || sink.writes) {
                continue;
            }
            let pair = Pair::new(surroundings, source, sink, n_common);
            for directions in pair.directions() {
                if is_forward(directions.iter().copied()).unwrap_or(i < j) {
                    found.push(Dependence {
                        source: i,
                        sink: j,
                        directions,
                    });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
