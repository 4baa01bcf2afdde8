//! Dependences between affine accesses: whether two instances of them touch the same element in a given order.
//!
//! Source: MLIR, `checkMemrefAccessDependence`. Bounds and subscripts are exact, with quotients and remainders by constants; any
//! other expression may have any value. The conditions of an `affine.if` hold in its first region.

use std::collections::BTreeMap;

use sluice_dialects::affine;
use sluice_dialects::aliases::{Origin, may_alias};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::effects::Effects;
use sluice_ir::{Body, Context, OperationId, ValueId, View};
use sluice_transform::{LinearSystem, Row};

use super::{Loop, is_inside};
use crate::canonicalize::maps::Composed;

/// A load or store at affine subscripts.
#[derive(Clone)]
pub(super) struct Access {
    pub(super) op: OperationId,
    pub(super) memory: ValueId,
    pub(super) is_store: bool,
    /// The subscripts, by values that no `affine.apply` defines.
    pub(super) subscripts: Composed,
    /// The affine loops around, outermost first.
    pub(super) loops: Vec<OperationId>,
}

impl Access {
    /// Reads an affine load or store.
    pub(super) fn read(context: &Context, body: &Body, op: OperationId) -> Option<Self> {
        let view = View::new(context, body, op);
        let is_store = match view.name() {
            affine::Load::NAME => false,
            affine::Store::NAME => true,
            _ => return None,
        };
        let first = usize::from(is_store);
        let map = view.attribute("map")?.as_affine_map(context)?;
        let operands: Vec<ValueId> = view.operands().skip(first + 1).collect();
        let mut subscripts = Composed::new(map, &operands)?;
        subscripts.compose(view);
        subscripts.canonicalise(view);
        Some(Self {
            op,
            memory: view.operand(first),
            is_store,
            subscripts,
            loops: loops_around(context, body, op),
        })
    }
}

/// Returns the affine loops around an operation, outermost first.
pub(super) fn loops_around(context: &Context, body: &Body, op: OperationId) -> Vec<OperationId> {
    let around = std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
    let mut found: Vec<OperationId> = around
        .filter(|op| context.operation_text(body.name(*op)) == affine::For::NAME)
        .collect();
    found.reverse();
    found
}

/// Returns the affine accesses in an operation; `None` if something else in it may access memory.
pub(super) fn accesses(context: &Context, body: &Body, root: OperationId) -> Option<Vec<Access>> {
    let mut found = Vec::new();
    for op in body.walk(root) {
        if let Some(access) = Access::read(context, body, op) {
            found.push(access);
            continue;
        }
        let effects = Effects::own(context, body, op);
        let is_unknown = View::new(context, body, op).definition().is_none();
        if is_unknown || effects.touches() {
            return None;
        }
    }
    Some(found)
}

/// The order of two instances in the loops around both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In an earlier iteration of this common loop (0 is the outermost), and in the same iteration of those around it.
    Before(usize),
    /// In the same iteration of all common loops.
    Same,
}

/// Returns the number of loops around both accesses.
pub(super) fn n_common(a: &Access, b: &Access) -> usize {
    let pairs = a.loops.iter().zip(&b.loops);
    pairs.take_while(|(a, b)| a == b).count()
}

/// Returns true if an instance of `source` and an instance of `sink` in this order may access the same element.
pub(super) fn may_meet(
    context: &Context,
    body: &Body,
    source: &Access,
    sink: &Access,
    order: Order,
) -> bool {
    if source.memory != sink.memory {
        return may_alias(context, body, source.memory, sink.memory);
    }
    if let Order::Before(depth) = order
        && let Some(around) = source.loops.get(depth)
        && is_inside(body, *around, source.memory)
    {
        // Each iteration has its own memory or view: only memories are known to be different ones.
        let origin = Origin::of(context, body, source.memory);
        return !matches!(origin, Origin::Allocated(value) if is_inside(body, *around, value));
    }
    let mut pair = Pair {
        context,
        body,
        system: LinearSystem::default(),
        n_common: n_common(source, sink),
        fixed: BTreeMap::new(),
        sides: [BTreeMap::new(), BTreeMap::new()],
    };
    pair.add_loops(0, source);
    pair.add_loops(1, sink);
    pair.add_subscripts(source, sink);
    let n_equal = match order {
        Order::Before(depth) => depth,
        Order::Same => pair.n_common,
    };
    for (depth, op) in source.loops.iter().enumerate().take(pair.n_common) {
        let Some(counter) = counter(body, *op) else {
            return true;
        };
        let (Some(a), Some(b)) = (
            pair.sides[0].get(&counter).copied(),
            pair.sides[1].get(&counter).copied(),
        ) else {
            return true;
        };
        let mut row = pair.system.row();
        (row[a], row[b]) = (-1, 1);
        if depth < n_equal {
            pair.system.require_zero(row);
        } else if depth == n_equal {
            let last = row.len() - 1;
            row[last] = -1;
            pair.system.require_not_negative(row);
        }
    }
    pair.system.may_hold()
}

fn counter(body: &Body, op: OperationId) -> Option<ValueId> {
    let block = body.entry_block(op, 0)?;
    body.arguments(block).first().copied()
}

/// A sum of unknowns and a constant.
#[derive(Clone, Default)]
struct Sum {
    terms: BTreeMap<usize, i128>,
    constant: i128,
}

impl Sum {
    fn of(unknown: usize) -> Self {
        Self {
            terms: BTreeMap::from([(unknown, 1)]),
            constant: 0,
        }
    }

    fn add(&mut self, other: &Self, factor: i128) {
        for (unknown, coefficient) in &other.terms {
            *self.terms.entry(*unknown).or_default() += coefficient.saturating_mul(factor);
        }
        self.constant += other.constant.saturating_mul(factor);
    }

    fn row(&self, system: &LinearSystem) -> Row {
        let mut row = system.row();
        for (unknown, coefficient) in &self.terms {
            row[*unknown] = *coefficient;
        }
        let last = row.len() - 1;
        row[last] = self.constant;
        row
    }
}

struct Pair<'a> {
    context: &'a Context,
    body: &'a Body,
    system: LinearSystem,
    n_common: usize,
    /// Unknowns of values that both instances share.
    fixed: BTreeMap<ValueId, usize>,
    /// Unknowns of values of each instance.
    sides: [BTreeMap<ValueId, usize>; 2],
}

impl Pair<'_> {
    fn add_loops(&mut self, side: usize, access: &Access) {
        for op in &access.loops {
            if let Some(counter) = counter(self.body, *op) {
                let unknown = self.system.add_variable();
                self.sides[side].insert(counter, unknown);
            }
        }
        for op in &access.loops {
            self.bound(side, *op);
        }
        let around = std::iter::successors(Some(access.op), |op| self.body.parent_operation(*op));
        for op in around.collect::<Vec<_>>() {
            self.condition(side, op);
        }
    }

    /// Adds the conditions of an `affine.if`, if the operation is in its first region.
    fn condition(&mut self, side: usize, op: OperationId) -> Option<()> {
        let parent = self.body.parent_operation(op)?;
        let view = View::new(self.context, self.body, parent);
        let is_taken = self.body.parent_block(op) == view.entry_block(0);
        if view.name() != affine::If::NAME || !is_taken {
            return None;
        }
        let set = view.attribute("condition")?.as_integer_set(self.context)?;
        let map = AffineMap {
            n_dims: set.n_dims,
            n_symbols: set.n_symbols,
            results: set.constraints.iter().map(|(e, _)| e.clone()).collect(),
        };
        let operands: Vec<ValueId> = view.operands().collect();
        let sums = self.sums(side, &map, &operands, parent)?;
        for (sum, (_, is_equality)) in sums.into_iter().zip(&set.constraints) {
            let row = sum.row(&self.system);
            match is_equality {
                true => self.system.require_zero(row),
                false => self.system.require_not_negative(row),
            }
        }
        Some(())
    }

    /// Adds the bounds of a counter.
    fn bound(&mut self, side: usize, op: OperationId) -> Option<()> {
        let own = Loop::read(View::new(self.context, self.body, op))?;
        let counter = Sum::of(*self.sides[side].get(&counter(self.body, op)?)?);
        let bounds = [(&own.lower, 1), (&own.upper, -1)];
        for ((map, operands), sign) in bounds {
            for bound in self.sums(side, map, operands, op)? {
                let mut difference = Sum::default();
                difference.add(&counter, sign);
                difference.add(&bound, -sign);
                difference.constant -= i128::from(sign < 0);
                let row = difference.row(&self.system);
                self.system.require_not_negative(row);
                if sign > 0 && own.step > 1 && map.results.len() == 1 {
                    let steps = Sum::of(self.system.add_variable());
                    difference.add(&steps, -i128::from(own.step));
                    let row = difference.row(&self.system);
                    self.system.require_zero(row);
                }
            }
        }
        Some(())
    }

    /// Returns the results of the map of a bound.
    fn sums(
        &mut self,
        side: usize,
        map: &AffineMap,
        operands: &[ValueId],
        op: OperationId,
    ) -> Option<Vec<Sum>> {
        let view = View::new(self.context, self.body, op);
        let mut map = Composed::new(map, operands)?;
        map.compose(view);
        map.canonicalise(view);
        Some(self.results(side, &map))
    }

    fn add_subscripts(&mut self, source: &Access, sink: &Access) {
        let a = self.results(0, &source.subscripts);
        let b = self.results(1, &sink.subscripts);
        for (mut a, b) in a.into_iter().zip(b) {
            a.add(&b, -1);
            let row = a.row(&self.system);
            self.system.require_zero(row);
        }
    }

    fn results(&mut self, side: usize, map: &Composed) -> Vec<Sum> {
        let results = map.results.clone();
        let sums = results.iter();
        sums.map(|result| self.sum(side, result, map)).collect()
    }

    fn sum(&mut self, side: usize, e: &AffineExpr, map: &Composed) -> Sum {
        use AffineExpr as E;
        let free = |this: &mut Self| Sum::of(this.system.add_variable());
        let at = |values: &[Option<ValueId>], i: u32| {
            let i = usize::try_from(i).ok()?;
            values.get(i).copied().flatten()
        };
        match e {
            E::Constant(value) => Sum {
                terms: BTreeMap::new(),
                constant: i128::from(*value),
            },
            E::Dim(i) => self.value(side, at(&map.dims, *i)),
            E::Symbol(i) => self.value(side, at(&map.symbols, *i)),
            E::Add(a, b) => {
                let mut sum = self.sum(side, a, map);
                let other = self.sum(side, b, map);
                sum.add(&other, 1);
                sum
            }
            E::Mul(a, b) => {
                let (other, factor) = match (a.as_constant(), b.as_constant()) {
                    (_, Some(factor)) => (a, factor),
                    (Some(factor), _) => (b, factor),
                    _ => return free(self),
                };
                let other = self.sum(side, other, map);
                let mut sum = Sum::default();
                sum.add(&other, i128::from(factor));
                sum
            }
            E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
                let Some(by) = b.as_constant().filter(|by| *by > 0).map(i128::from) else {
                    return free(self);
                };
                let dividend = self.sum(side, a, map);
                let quotient = free(self);
                // 0 <= dividend - by * quotient < by, and the other way around for the quotient that is rounded up.
                let sign = match e {
                    E::CeilDiv(..) => -1,
                    _ => 1,
                };
                let mut rest = Sum::default();
                rest.add(&dividend, sign);
                rest.add(&quotient, -sign * by);
                let row = rest.row(&self.system);
                self.system.require_not_negative(row);
                let mut room = Sum {
                    terms: BTreeMap::new(),
                    constant: by - 1,
                };
                room.add(&rest, -1);
                let row = room.row(&self.system);
                self.system.require_not_negative(row);
                match e {
                    E::Mod(..) => rest,
                    _ => quotient,
                }
            }
        }
    }

    /// Returns the unknown of a value: one for both instances if no common loop changes it.
    fn value(&mut self, side: usize, value: Option<ValueId>) -> Sum {
        let Some(value) = value else {
            return Sum::of(self.system.add_variable());
        };
        if let Some(known) = self.sides[side].get(&value).or(self.fixed.get(&value)) {
            return Sum::of(*known);
        }
        let unknown = self.system.add_variable();
        match self.is_top_level(value) {
            true => self.fixed.insert(value, unknown),
            false => self.sides[side].insert(value, unknown),
        };
        Sum::of(unknown)
    }

    /// Returns true if a value is not defined in a region of another operation.
    fn is_top_level(&self, value: ValueId) -> bool {
        let block = self.body.defining_block(value);
        block.is_some_and(|block| self.body.block_parent_operation(block).is_none())
    }
}
