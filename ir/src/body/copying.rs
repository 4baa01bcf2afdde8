//! Copies of operations with all that is nested in them, within a body or from another one.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Body, NewOperation};
use crate::context::Context;
use crate::ids::{BlockId, OperationId, ValueId};

/// The values that take the place of others in a copy.
pub type ValueMap = BTreeMap<ValueId, ValueId>;

impl Body {
    /// Returns a detached copy of `op`, and adds its results to `values`. Values that are not in `values` stay the same.
    pub fn copy(
        &mut self,
        context: &Context,
        op: OperationId,
        values: &mut ValueMap,
    ) -> OperationId {
        Copier::new(context, None, self, values).all(&[op])[0]
    }

    /// Returns detached copies of `ops` as [`Body::copy`] does. One may use results of a later one.
    pub fn copy_all(
        &mut self,
        context: &Context,
        ops: &[OperationId],
        values: &mut ValueMap,
    ) -> Vec<OperationId> {
        Copier::new(context, None, self, values).all(ops)
    }

    /// Returns a detached copy of an operation of another body, and adds its results to `values`, which has all values of the
    /// other body that the operation uses.
    pub fn copy_from(
        &mut self,
        context: &Context,
        source: &Self,
        op: OperationId,
        values: &mut ValueMap,
    ) -> OperationId {
        Copier::new(context, Some(source), self, values).all(&[op])[0]
    }
}

struct Copier<'a> {
    context: &'a Context,
    /// The body with the originals, if it is another one.
    source: Option<&'a Body>,
    target: &'a mut Body,
    values: &'a mut ValueMap,
    blocks: FxHashMap<BlockId, BlockId>,
    /// Originals and copies with operands that had no copy yet.
    open: Vec<(OperationId, OperationId)>,
}

impl<'a> Copier<'a> {
    fn new(
        context: &'a Context,
        source: Option<&'a Body>,
        target: &'a mut Body,
        values: &'a mut ValueMap,
    ) -> Self {
        Self {
            context,
            source,
            target,
            values,
            blocks: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    fn source(&self) -> &Body {
        self.source.unwrap_or(self.target)
    }

    fn all(&mut self, ops: &[OperationId]) -> Vec<OperationId> {
        let copies = ops.iter().map(|op| self.operation(*op)).collect();
        // An operand may be defined later than its use, in another block.
        for (op, copy) in std::mem::take(&mut self.open) {
            let operands: Vec<ValueId> = self.source().operands(op).collect();
            if self.source.is_some() {
                let operands: Vec<ValueId> = operands.iter().map(|v| self.values[v]).collect();
                self.target.set_operands(copy, &operands);
                continue;
            }
            for (index, old) in operands.into_iter().enumerate() {
                match self.values.get(&old) {
                    Some(new) if self.target.operand(copy, index) == old => {
                        self.target.set_operand(copy, index, *new);
                    }
                    Some(_) | None => {}
                }
            }
        }
        copies
    }

    fn operation(&mut self, op: OperationId) -> OperationId {
        let source = self.source();
        let mut new = NewOperation::new(source.name(op), source.location(op));
        let is_open = (source.operands(op)).any(|v| !self.values.contains_key(&v));
        if !(is_open && self.source.is_some()) {
            let operands = source.operands(op);
            new.operands = operands
                .map(|v| self.values.get(&v).copied().unwrap_or(v))
                .collect();
        }
        let results = source.results(op).to_vec();
        let regions = source.regions(op).to_vec();
        new.result_types = results.iter().map(|result| source.ty(*result)).collect();
        new.attributes = source.attributes(op).to_vec();
        new.n_regions = regions.len();
        let successors = source.successors(op).iter();
        new.successors = successors
            .map(|block| self.blocks.get(block).copied().unwrap_or(*block))
            .collect();
        let properties = source.unregistered_properties(op);
        let isolated = source.is_isolated(op).then(|| source.inner(op).clone());
        let copy = self.target.create(self.context, new);
        if properties.is_some() {
            self.target.set_unregistered_properties(copy, properties);
        }
        if is_open {
            self.open.push((op, copy));
        }
        for (old, new) in results.into_iter().zip(self.target.results(copy).to_vec()) {
            self.value(old, new);
        }
        if let Some(isolated) = isolated {
            // An isolated operation uses no values from outside.
            self.target.put_body(copy, Box::new(isolated));
            return copy;
        }
        for (from, to) in regions.into_iter().zip(self.target.regions(copy).to_vec()) {
            let blocks = self.source().blocks(from).to_vec();
            for block in &blocks {
                let inner = self.target.append_block(to);
                self.blocks.insert(*block, inner);
                for old in self.source().arguments(*block).to_vec() {
                    let (ty, location) = (self.source().ty(old), self.source().value_location(old));
                    let new = self.target.add_argument(inner, ty, location);
                    self.value(old, new);
                }
            }
            for block in blocks {
                for op in self.source().operations(block).collect::<Vec<_>>() {
                    let child = self.operation(op);
                    self.target.append(self.blocks[&block], child);
                }
            }
        }
        copy
    }

    fn value(&mut self, old: ValueId, new: ValueId) {
        let name = self.source().value_name(old);
        self.target.set_value_name(new, name);
        self.values.insert(old, new);
    }
}
