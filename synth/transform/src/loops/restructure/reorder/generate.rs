//! Generates the loops of statements at their new places.
//!
//! Bounds come from the projection of each statement's points. Statements that share a loop run over the union of their ranges;
//! the inner loops of a statement are empty outside of its own range.

use std::collections::BTreeMap;

use sluice_ir::{Body, Context, OperationId, ValueId};

use super::super::nest::computes;
use super::super::scan::{Level, bounds_of, eliminate, emit};
use super::Place;
use super::class::{Class, implies};
use super::statement::Statement;
use crate::analysis::dependence_vectors::unit;
use crate::analysis::linear::{Linear, is_invariant};
use sluice_ir::View;

/// A class while its loops are generated from the outermost inwards.
#[derive(Clone)]
struct Part {
    class: usize,
    /// Maps old counters to new ones.
    values: BTreeMap<ValueId, ValueId>,
}

/// Generates code for the statements of a nest.
pub(super) struct Generator<'a> {
    pub(super) context: &'a Context,
    pub(super) body: &'a mut Body,
    pub(super) root: OperationId,
    pub(super) statements: &'a [Statement],
    pub(super) classes: &'a [Class],
    pub(super) places: &'a [Place],
}

/// Lower bounds and inclusive upper bounds.
type Range = (Vec<Linear>, Vec<Linear>);

impl Generator<'_> {
    /// Generates the nest before `root`, which stays; returns the new loops, outer ones first.
    ///
    /// # Errors
    /// Bounds that need divisions, or a statement that needs a condition.
    pub(super) fn run(&mut self) -> Result<Vec<OperationId>, String> {
        let parts = (0..self.classes.len()).map(|class| Part {
            class,
            values: BTreeMap::new(),
        });
        let mut made = Vec::new();
        self.level(0, parts.collect(), &[], self.root, &mut made)?;
        Ok(made)
    }

    /// Generates the code inside of `level` new loops, before `anchor`. `known` holds the constraints on the counters of those
    /// loops.
    fn level(
        &mut self,
        level: usize,
        parts: Vec<Part>,
        known: &[Linear],
        anchor: OperationId,
        made: &mut Vec<OperationId>,
    ) -> Result<(), String> {
        let mut by_position: BTreeMap<u32, Vec<Part>> = BTreeMap::new();
        for part in parts {
            let position = self.places[part.class].positions[level];
            by_position.entry(position).or_default().push(part);
        }
        for parts in by_position.into_values() {
            let is_leaf = |part: &Part| self.places[part.class].order.len() == level;
            match parts.as_slice() {
                [one] if is_leaf(one) => self.leaf(one, known, anchor)?,
                all if all.iter().any(is_leaf) => {
                    return Err("two statements have the same place: number them".to_owned());
                }
                _ => self.shared(level, parts, known, anchor, made)?,
            }
        }
        Ok(())
    }

    /// Generates one loop around several classes.
    fn shared(
        &mut self,
        level: usize,
        mut parts: Vec<Part>,
        known: &[Linear],
        anchor: OperationId,
        made: &mut Vec<OperationId>,
    ) -> Result<(), String> {
        // The loop takes its name and location from the deepest statement.
        let deepest = parts
            .iter()
            .max_by_key(|part| {
                (
                    self.places[part.class].order.len(),
                    std::cmp::Reverse(part.class),
                )
            })
            .expect("a loop has statements")
            .clone();
        let symbol = self.counter(&deepest, level);
        let mut ranges = Vec::new();
        for part in &parts {
            let points = self.projected(part, level, symbol)?;
            let range = bounds_of(&points, symbol).ok_or_else(division)?;
            if range.0.is_empty() || range.1.is_empty() {
                return Err("a loop would have no bounds".to_owned());
            }
            ranges.push((points, range));
        }
        let inside = |points: &[Linear], range: &Range| {
            let lower = range.0.iter().map(|low| unit(symbol).minus(low));
            let upper = range.1.iter().map(|last| last.minus(&unit(symbol)));
            let mut all = lower.chain(upper);
            all.all(|form| form.is_some_and(|form| implies(points, &form)))
        };
        let widest = ranges.iter().map(|(_, range)| range).find(|range| {
            let mut others = ranges.iter();
            others.all(|(points, _)| {
                let mut points = points.clone();
                points.extend(known.iter().cloned());
                inside(&points, range)
            })
        });
        let Some((lower, last)) = widest.cloned() else {
            return Err("statements of one loop have different bounds".to_owned());
        };
        let (lower, last) = without_known(known, lower, last);
        let old = self.statement(&deepest).loops[self.level_of(&deepest, level)];
        let new = Level {
            old: symbol,
            lower: lower.clone(),
            last: last.clone(),
            step: 1,
            name: self.body.value_name(symbol),
            attributes: self.body.attributes(old).to_vec(),
            location: self.body.location(old),
        };
        let mut values = BTreeMap::new();
        let (block, loops) = emit(self.context, self.body, anchor, &[new], &mut values);
        made.extend(loops);
        let counter = values[&symbol];
        for part in &mut parts {
            let at = self.places[part.class].order[level];
            let own = self.classes[part.class].counters[at];
            part.values.insert(own, counter);
        }
        let mut known = known.to_vec();
        known.extend(lower.iter().filter_map(|low| unit(counter).minus(low)));
        known.extend(last.iter().filter_map(|last| last.minus(&unit(counter))));
        let end = self
            .body
            .last_operation(block)
            .expect("a body ends in a terminator");
        self.level(level + 1, parts, &known, end, made)
    }

    fn statement(&self, part: &Part) -> &Statement {
        &self.statements[self.classes[part.class].like]
    }

    fn level_of(&self, part: &Part, level: usize) -> usize {
        self.places[part.class].order[level]
    }

    /// Returns the old counter of a class that a new loop replaces.
    fn counter(&self, part: &Part, level: usize) -> ValueId {
        self.classes[part.class].counters[self.level_of(part, level)]
    }

    /// Returns the points of a class in new counters, projected onto this loop and the outer ones; `symbol` stands for the loop's
    /// own counter.
    fn projected(&self, part: &Part, level: usize, symbol: ValueId) -> Result<Vec<Linear>, String> {
        let class = &self.classes[part.class];
        let mut points = class.constraints.clone();
        for inner in self.places[part.class].order[level + 1..].iter().rev() {
            points = eliminate(&points, class.counters[*inner]).ok_or_else(division)?;
        }
        let own = self.counter(part, level);
        let mut values = part.values.clone();
        values.insert(own, symbol);
        Ok(points.iter().map(|form| renamed(form, &values)).collect())
    }

    fn leaf(&mut self, part: &Part, known: &[Linear], anchor: OperationId) -> Result<(), String> {
        let class = &self.classes[part.class];
        let mut points = class.constraints.iter();
        if !points.all(|form| implies(known, &renamed(form, &part.values))) {
            return Err("a statement would need a condition".to_owned());
        }
        let mut values = part.values.clone();
        for op in self.statements[class.like].operations.clone() {
            self.copy(op, anchor, &mut values);
        }
        Ok(())
    }

    /// Copies an operation before `anchor`, after copies of the operations it needs.
    fn copy(
        &mut self,
        op: OperationId,
        anchor: OperationId,
        values: &mut BTreeMap<ValueId, ValueId>,
    ) {
        for inner in self.body.walk(op) {
            for value in self.body.operands(inner).collect::<Vec<_>>() {
                if values.contains_key(&value) || is_invariant(self.body, self.root, value) {
                    continue;
                }
                let Some(made) = self.body.defining_operation(value) else {
                    continue;
                };
                // Operations nested inside are copied with it.
                let comes_along = made == op || self.body.is_ancestor(op, made);
                if !comes_along && computes(View::new(self.context, self.body, made)) {
                    self.copy(made, anchor, values);
                }
            }
        }
        let copy = self.body.copy(self.context, op, values);
        self.body.insert_before(anchor, copy);
    }
}

fn division() -> String {
    "the bounds would need a division".to_owned()
}

fn renamed(form: &Linear, values: &BTreeMap<ValueId, ValueId>) -> Linear {
    let mut new = Linear {
        constant: form.constant,
        terms: BTreeMap::new(),
    };
    for (value, coefficient) in &form.terms {
        let value = values.get(value).unwrap_or(value);
        *new.terms.entry(*value).or_insert(0) += coefficient;
    }
    new.terms.retain(|_, coefficient| *coefficient != 0);
    new
}

/// Removes bounds that follow from others and from the known constraints on outer counters.
fn without_known(known: &[Linear], lower: Vec<Linear>, last: Vec<Linear>) -> Range {
    let least = |mut bounds: Vec<Linear>, is_lower: bool| {
        bounds.dedup();
        let mut at = bounds.len();
        while at > 0 && bounds.len() > 1 {
            at -= 1;
            let follows = bounds.iter().enumerate().any(|(other, bound)| {
                let (low, high) = if is_lower {
                    (&bounds[at], bound)
                } else {
                    (bound, &bounds[at])
                };
                let gap = high.minus(low);
                other != at && gap.is_some_and(|gap| implies(known, &gap))
            });
            if follows {
                bounds.remove(at);
            }
        }
        bounds
    };
    (least(lower, true), least(last, false))
}
