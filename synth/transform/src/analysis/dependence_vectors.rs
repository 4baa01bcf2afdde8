//! Computes dependences between accesses of a loop nest as vectors of directions and distances.
//!
//! The result is exact if bounds and subscripts are affine in counters and outside values, for any shape of nest: an instance of
//! the source and an instance of the sink form the unknowns of a [`LinearSystem`]. Any other subscript may have any value.
//! Conditions around an access are assumed true. A call touches every word of its memories.

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
    /// Lower bounds; each of them holds.
    pub(crate) lower: Vec<Linear>,
    /// Inclusive upper bounds; each of them holds.
    pub(crate) last: Vec<Linear>,
    /// The counter minus its only lower bound is a multiple of this; 1 if unknown.
    pub(crate) step: i64,
}

/// One access with its enclosing loops.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) op: OperationId,
    pub(crate) memory: ValueId,
    pub(crate) writes: bool,
    /// The counters of the enclosing loops, outermost first, starting at the outermost analysed loop.
    pub(crate) counters: Vec<Counter>,
    /// One linear form per dimension; `None` for an unknown subscript.
    pub(crate) subscripts: Vec<Option<Linear>>,
}

/// The order of two instances in one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    /// The sink runs in a later iteration than the source: `<`.
    Forward,
    /// The sink runs in the same iteration: `=`.
    Same,
    /// The sink runs in an earlier iteration: `>`.
    Backward,
}

/// One dependence with an entry per common loop, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DependenceVector {
    pub(crate) directions: Vec<Direction>,
    /// The minimum and maximum of the sink's counter minus the source's; `None` if unbounded or not found.
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

/// Returns whether the first differing loop runs the source earlier; `None` if the instances never differ.
pub(crate) fn is_forward(directions: impl IntoIterator<Item = Direction>) -> Option<bool> {
    let mut all = directions.into_iter();
    let first = all.find(|direction| *direction != Direction::Same)?;
    Some(first == Direction::Forward)
}

/// Returns the counter of an `scf.for`.
pub(crate) fn counter_of(context: &Context, body: &Body, op: OperationId) -> Option<Counter> {
    let view = View::new(context, body, op);
    let value = *body.arguments(view.entry_block(0)?).first()?;
    if !body.ty(value).is_index(context) {
        // Arithmetic on other types wraps, so no bounds are known.
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

/// Returns every access under `root` with the counters of the loops from `outermost` inwards.
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

/// Facts about values outside the analysed loops: whether a value is invariant in them, and the bounds of outer counters.
pub(crate) trait Surroundings {
    /// Returns whether the value is invariant in the analysed loops.
    fn is_fixed(&self, value: ValueId) -> bool;
    /// Returns the bounds of an outer counter.
    fn counter(&self, value: ValueId) -> Option<Counter>;
}

/// The surroundings of some operations of a body.
pub(crate) struct Outside<'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a Body,
    /// The analysed loops, which are siblings; values defined between them must not occur in their bounds.
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

/// The constraint system for two instances that touch the same word.
pub(crate) struct Pair<'a> {
    system: LinearSystem,
    surroundings: &'a dyn Surroundings,
    fixed: BTreeMap<ValueId, usize>,
    source: BTreeMap<ValueId, usize>,
    sink: BTreeMap<ValueId, usize>,
    /// The unknowns of source and sink for each common loop.
    common: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
enum Side {
    Source,
    Sink,
}

impl<'a> Pair<'a> {
    /// Builds the system for `source` and `sink` touching the same word. Compares their first `n_common` enclosing loops.
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

    /// Expresses a linear form by the unknowns of one side.
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

    /// Adds an unknown for a value that is no counter of the nest: shared if invariant, else one per side.
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

    /// Adds an unknown that equals a linear form of the source.
    pub(crate) fn of_source(&mut self, form: &Linear) -> usize {
        self.unknown(Side::Source, form)
    }

    /// Adds an unknown that equals a linear form of the sink.
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

    /// Copies the system.
    pub(crate) fn copy(&self) -> Self {
        self.with(self.system.row())
    }

    /// Returns the system with the constraint that an unknown of the source and one of the sink have this order.
    pub(crate) fn ordered(&self, source: usize, sink: usize, direction: Direction) -> Self {
        let mut pair = self.copy();
        pair.common = vec![(source, sink)];
        pair.toward(0, direction)
    }

    /// Returns whether the system may have a solution.
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

    /// Builds the row `sign * (sink - source) + constant` for a common counter.
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

    /// Returns the system with the constraint that sink minus source of a common counter is in `low..=high`.
    pub(crate) fn within(&self, level: usize, low: i128, high: i128) -> Self {
        let row = self.difference(level, -1, high);
        self.with(self.difference(level, 1, -low)).with(row)
    }

    /// Returns the system restricted to one direction in a common loop.
    pub(crate) fn toward(&self, level: usize, direction: Direction) -> Self {
        match direction {
            Direction::Forward => self.with(self.difference(level, 1, -1)),
            Direction::Backward => self.with(self.difference(level, -1, -1)),
            Direction::Same => self.within(level, 0, 0),
        }
    }

    /// Returns every combination of directions that has a solution.
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

    /// Returns the dependence vector for these directions, with distances.
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

    /// Returns the minimum of `sign * (sink - source)` of a common counter; `None` if it has no bound within 2^24.
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

    /// Returns whether the sink may run at a smaller value of the first common counter than the source.
    pub(crate) fn has_backward(&self) -> bool {
        self.toward(0, Direction::Backward).system.may_hold()
    }
}

/// Returns the linear form that consists of one value.
pub(crate) fn unit(value: ValueId) -> Linear {
    Linear {
        constant: 0,
        terms: BTreeMap::from([(value, 1)]),
    }
}

/// A dependence of a nest: indices of source and sink, and the directions in the common loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependence {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) directions: Vec<Direction>,
}

/// Returns all dependences between references under `n_common` common loops. References are in text order: a dependence with `=`
/// in all loops goes from the earlier reference to the later one.
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
