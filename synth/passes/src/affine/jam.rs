//! The `affine-loop-unroll-jam` pass: the first loop of a function takes several iterations at once, and the loops in it run once
//! for all of them.
//!
//! Source: MLIR, `loopUnrollJamByFactor`. Differs: the loop stays if an access depends on one of an earlier iteration, and if it
//! carries values that are not reductions of integers; version 19 changes the order of all accesses and sums of floats.

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::limits::Limit;
use sluice_ir::{
    BlockId, Body, Builder, Context, Diagnostics, Exact, NewOperation, OperationId, ValueId,
    ValueMap, View,
};

use super::dependence::{Order, accesses, loops_around, may_meet};
use super::parallelize::{Reduction, reductions};
use super::unroll::{divides, split};
use super::{Loop, is_inside, loops, promote};
use crate::emit::{binary, value};

/// Unrolls and jams the loop that is the first operation of a body.
pub(crate) fn jam(context: &Context, body: &mut Body, factor: i64, found: &mut Diagnostics) {
    let top = body.top_regions().next();
    let entry = top.and_then(|region| body.blocks(region).first().copied());
    let first = entry.and_then(|entry| body.first_operation(entry));
    let is_loop = |op: &OperationId| context.operation_text(body.name(*op)) == affine::For::NAME;
    if let Some(op) = first.filter(is_loop) {
        by(context, body, op, factor, found);
    }
}

fn by(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    factor: i64,
    found: &mut Diagnostics,
) -> Option<()> {
    let view = View::new(context, body, op);
    let bounds = Loop::read(view)?;
    let count = bounds.trip_count(view);
    if factor == 1 {
        promote(context, body, op);
        return None;
    }
    let block = view.entry_block(0)?;
    if body.operations(block).count() < 2 || count.is_some_and(|count| count < Exact::from(factor))
    {
        return None;
    }
    let inside = body.walk(op);
    let inner: Vec<OperationId> = loops(context, body)
        .into_iter()
        .filter(|inner| inside.contains(inner))
        .collect();
    let reads = |inner: &OperationId| Loop::read(View::new(context, body, *inner));
    let all: Option<Vec<Loop>> = inner.iter().map(reads).collect();
    let mut controls = all?
        .into_iter()
        .flat_map(|own| own.lower.1.into_iter().chain(own.upper.1));
    if controls.any(|value| is_inside(body, op, value)) {
        return None;
    }
    let reductions = jammed_reductions(context, body, op)?;
    if inner.len() > 1 && !keeps_order(context, body, op) {
        return None;
    }
    let copies = u128::try_from(factor).unwrap_or(0);
    let n_operations = copies.saturating_mul(inside.len() as u128);
    if let Err(excess) = context
        .limits
        .check(Limit::UnrolledOperations, n_operations)
    {
        let message = format!("{factor} iterations at once are {excess}: unroll less");
        found.error(body.location(op), message);
        return None;
    }
    let trips = bounds.trips(view);
    if !trips.as_ref().is_some_and(|trips| divides(factor, trips)) {
        if bounds.lower.0.results.len() != 1 || bounds.upper.0.results.len() != 1 {
            return None;
        }
        split(context, body, op, bounds, trips, factor)?;
    }
    Jam::new(context, body, op, factor).run(&inner, &reductions);
    Some(())
}

/// Returns the reductions of the carried values; `None` if one of them depends on the order of iterations.
fn jammed_reductions(context: &Context, body: &Body, op: OperationId) -> Option<Vec<Reduction>> {
    let found = reductions(context, body, op, true)?;
    let is_integer = |r: &Reduction| body.ty(r.value).is_signless_integer(context);
    found.iter().all(is_integer).then_some(found)
}

/// Returns true if no iteration accesses what another one writes.
fn keeps_order(context: &Context, body: &Body, op: OperationId) -> bool {
    let depth = loops_around(context, body, op).len();
    let Some(all) = accesses(context, body, op) else {
        return false;
    };
    !all.iter().any(|source| {
        all.iter().any(|sink| {
            (source.is_store || sink.is_store)
                && may_meet(context, body, source, sink, Order::Before(depth))
        })
    })
}

/// Operations of a block without loops between them: the first and the last one.
type Part = (OperationId, OperationId);

struct Jam<'a> {
    context: &'a Context,
    body: &'a mut Body,
    op: OperationId,
    factor: usize,
    /// The values of each further iteration in place of those of the first one.
    values: Vec<ValueMap>,
}

impl<'a> Jam<'a> {
    fn new(context: &'a Context, body: &'a mut Body, op: OperationId, factor: i64) -> Self {
        let factor = usize::try_from(factor).unwrap_or(1);
        Self {
            context,
            body,
            op,
            factor,
            values: vec![ValueMap::new(); factor - 1],
        }
    }

    fn run(mut self, inner: &[OperationId], reductions: &[Reduction]) -> Option<()> {
        let block = self.body.entry_block(self.op, 0)?;
        let mut parts = Vec::new();
        self.parts(block, &mut parts);
        let kinds: Vec<OperationId> = reductions.iter().map(|r| r.op).collect();
        let mut widened = Vec::new();
        for op in inner {
            let n_carried = self.body.results(*op).len();
            if n_carried > 0 {
                let made = self.widen(*op, n_carried)?;
                widened.push((made, n_carried));
                if *op == self.op {
                    self.op = made;
                }
            }
        }
        let mut bounds = Loop::read(View::new(self.context, self.body, self.op))?;
        let step = bounds.step;
        bounds.step = step.saturating_mul(i64::try_from(self.factor).unwrap_or(i64::MAX));
        bounds.write(self.context, self.body, self.op);
        let counter = self.body.arguments(block)[0];
        for copy in (1..self.factor).rev() {
            for (first, last) in &parts {
                self.copy(copy, (*first, *last), counter, step);
            }
            for (op, n_carried) in &widened {
                self.connect(copy, *op, *n_carried);
            }
        }
        let n_carried = self.body.results(self.op).len() / self.factor;
        for (i, combiner) in kinds.into_iter().enumerate().take(n_carried) {
            self.combine(i, n_carried, combiner);
        }
        promote(self.context, self.body, self.op);
        Some(())
    }

    fn parts(&self, block: BlockId, found: &mut Vec<Part>) {
        let ops: Vec<OperationId> = self.body.operations(block).collect();
        let mut part: Option<Part> = None;
        for op in &ops[..ops.len().saturating_sub(1)] {
            if self.context.operation_text(self.body.name(*op)) == affine::For::NAME {
                found.extend(part.take());
                if let Some(block) = self.body.entry_block(*op, 0) {
                    self.parts(block, found);
                }
            } else {
                part = Some((part.map_or(*op, |(first, _)| first), *op));
            }
        }
        found.extend(part);
    }

    /// Replaces a loop by one that carries its values once for each iteration. They are connected later.
    fn widen(&mut self, op: OperationId, n_carried: usize) -> Option<OperationId> {
        let (context, body) = (self.context, &mut *self.body);
        let view = View::new(context, body, op);
        let mut bounds = Loop::read(view)?;
        let mut new = NewOperation::new(body.name(op), view.location());
        let types: Vec<_> = view.result_types().collect();
        new.result_types = types
            .iter()
            .copied()
            .cycle()
            .take(n_carried * self.factor)
            .collect();
        new.attributes = view.attributes().to_vec();
        new.n_regions = 1;
        let inits = bounds.inits.clone();
        bounds.inits = inits
            .iter()
            .copied()
            .cycle()
            .take(n_carried * self.factor)
            .collect();
        let made = body.create(context, new);
        body.insert_before(op, made);
        bounds.write(context, body, made);
        let (from, to) = (body.regions(op)[0], body.regions(made)[0]);
        body.move_blocks(from, to);
        let block = body.entry_block(made, 0)?;
        let old: Vec<ValueId> = body.arguments(block)[1..].to_vec();
        let last = body.last_operation(block)?;
        let yielded: Vec<ValueId> = body.operands(last).collect();
        let all: Vec<ValueId> = yielded
            .iter()
            .copied()
            .cycle()
            .take(n_carried * self.factor)
            .collect();
        body.set_operands(last, &all);
        for copy in 1..self.factor {
            for (i, argument) in old.iter().enumerate() {
                let location = body.value_location(*argument);
                let new = body.add_argument(block, types[i], location);
                self.values[copy - 1].insert(*argument, new);
                let (result, own) = (
                    body.result(made, i),
                    body.result(made, copy * n_carried + i),
                );
                self.values[copy - 1].insert(result, own);
            }
        }
        for i in 0..n_carried {
            let (result, new) = (body.result(op, i), body.result(made, i));
            body.replace_all_uses(result, new);
        }
        body.erase(op);
        Some(made)
    }

    /// Copies a part for a further iteration, right after the original.
    fn copy(&mut self, copy: usize, (first, last): Part, counter: ValueId, step: i64) {
        let context = self.context;
        let mut originals = vec![first];
        while let Some(next) = self.body.next(*originals.last().unwrap_or(&first)) {
            if originals.last() == Some(&last) {
                break;
            }
            originals.push(next);
        }
        let mut anchor = last;
        if !self.body.is_unused(counter) {
            let offset = i64::try_from(copy).unwrap_or(0).saturating_mul(step);
            let map = AffineMap {
                n_dims: 1,
                n_symbols: 0,
                results: vec![AffineExpr::Dim(0) + AffineExpr::Constant(offset)],
            };
            let attributes = [("map", context.affine_map_attribute(map))];
            let location = self.body.location(self.op);
            let index = context.index_type();
            let mut builder = Builder::before(context, self.body, last);
            builder.location = location;
            let name = affine::Apply::NAME;
            let own = value(&mut builder, name, &[counter], index, &attributes);
            if let Some(made) = self.body.defining_operation(own) {
                self.body.detach(made);
                self.body.insert_after(anchor, made);
                anchor = made;
            }
            self.values[copy - 1].insert(counter, own);
        }
        for made in self
            .body
            .copy_all(context, &originals, &mut self.values[copy - 1])
        {
            self.body.insert_after(anchor, made);
            anchor = made;
        }
    }

    /// Gives a loop the initial values and the yielded values of a further iteration.
    fn connect(&mut self, copy: usize, op: OperationId, n_carried: usize) -> Option<()> {
        let context = self.context;
        let view = View::new(context, self.body, op);
        let mut bounds = Loop::read(view)?;
        let last = self.body.last_operation(view.entry_block(0)?)?;
        for i in 0..n_carried {
            let own = |value: ValueId| self.values[copy - 1].get(&value).copied().unwrap_or(value);
            let place = copy * n_carried + i;
            bounds.inits[place] = own(bounds.inits[i]);
            let yielded = own(self.body.operand(last, i));
            self.body.set_operand(last, place, yielded);
        }
        bounds.write(context, self.body, op);
        Some(())
    }

    /// Combines the results of all iterations.
    fn combine(&mut self, i: usize, n_carried: usize, combiner: OperationId) {
        let context = self.context;
        let name = context.operation_text(self.body.name(combiner)).to_owned();
        let first = self.body.result(self.op, i);
        let uses: Vec<_> = self.body.uses(first).collect();
        let Some(next) = self.body.next(self.op) else {
            return;
        };
        // The combinations of the results before are between the loop and what comes after.
        let mut anchor = next;
        for _ in 0..i * (self.factor - 1) {
            anchor = self.body.next(anchor).unwrap_or(anchor);
        }
        let mut all = first;
        for copy in (1..self.factor).rev() {
            let other = self.body.result(self.op, copy * n_carried + i);
            let location = self.body.location(self.op);
            let mut builder = Builder::before(context, self.body, anchor);
            builder.location = location;
            all = binary(&mut builder, &name, all, other);
        }
        for (user, operand) in uses {
            self.body.set_operand(user, operand, all);
        }
    }
}
