//! Copies of operations with their regions, within one body.

use rustc_hash::FxHashMap;
use sluice_ir::{BlockId, Body, Context, NewOperation, OperationId, ValueId, View};

/// The values that take the place of others in a copy.
pub(crate) type Mapping = FxHashMap<ValueId, ValueId>;

/// Returns detached copies of `ops`, and adds their results to `values`.
pub(crate) fn copies(
    context: &Context,
    body: &mut Body,
    ops: &[OperationId],
    values: &mut Mapping,
) -> Vec<OperationId> {
    let mut copier = Copier {
        context,
        body,
        values,
        blocks: FxHashMap::default(),
        made: Vec::new(),
    };
    let copied = ops.iter().map(|op| copier.operation(*op)).collect();
    // An operand may be defined later than its use, in another block.
    for (op, made) in std::mem::take(&mut copier.made) {
        let operands: Vec<ValueId> = copier.body.operands(op).collect();
        let operands = operands.into_iter();
        let operands: Vec<ValueId> = operands
            .map(|value| copier.values.get(&value).copied().unwrap_or(value))
            .collect();
        copier.body.set_operands(made, &operands);
    }
    copied
}

struct Copier<'a> {
    context: &'a Context,
    body: &'a mut Body,
    values: &'a mut Mapping,
    blocks: FxHashMap<BlockId, BlockId>,
    /// Originals and copies whose operands are not set yet.
    made: Vec<(OperationId, OperationId)>,
}

impl Copier<'_> {
    fn operation(&mut self, op: OperationId) -> OperationId {
        let view = View::new(self.context, self.body, op);
        let mut new = NewOperation::new(self.body.name(op), view.location());
        // The number of operands is right from the start: they are replaced at the end.
        new.operands = view.operands().collect();
        new.result_types = view.result_types().collect();
        new.attributes = view.attributes().to_vec();
        new.n_regions = view.regions().len();
        let successors = view.successors().iter();
        new.successors = successors
            .map(|block| self.blocks.get(block).copied().unwrap_or(*block))
            .collect();
        let (results, regions) = (view.results().to_vec(), view.regions().to_vec());
        let properties = self.body.unregistered_properties(op);
        let made = self.body.create(self.context, new);
        if properties.is_some() {
            self.body.set_unregistered_properties(made, properties);
        }
        for (old, new) in results.into_iter().zip(self.body.results(made).to_vec()) {
            self.value(old, new);
        }
        self.made.push((op, made));
        if self.body.is_isolated(op) {
            if let Some(inner) = self.body.take_body(op) {
                self.body.put_body(made, inner.clone());
                self.body.put_body(op, inner);
            }
            return made;
        }
        for (from, to) in regions.into_iter().zip(self.body.regions(made).to_vec()) {
            let blocks = self.body.blocks(from).to_vec();
            for block in &blocks {
                let inner = self.body.append_block(to);
                self.blocks.insert(*block, inner);
                for argument in self.body.arguments(*block).to_vec() {
                    let (ty, location) =
                        (self.body.ty(argument), self.body.value_location(argument));
                    let new = self.body.add_argument(inner, ty, location);
                    self.value(argument, new);
                }
            }
            for block in blocks {
                for op in self.body.operations(block).collect::<Vec<_>>() {
                    let child = self.operation(op);
                    let inner = self.blocks[&block];
                    self.body.append(inner, child);
                }
            }
        }
        made
    }

    fn value(&mut self, old: ValueId, new: ValueId) {
        let name = self.body.value_name(old);
        self.body.set_value_name(new, name);
        self.values.insert(old, new);
    }
}
