//! Replaces a call by a copy of the callee's body.

use rustc_hash::FxHashMap;
use sluice_dialects::cf;
use sluice_ir::definition::Traits;
use sluice_ir::{
    BlockId, Body, Context, Location, LocationKind, NewOperation, OperationId, RegionId, ValueId,
    View,
};

/// Copies operations from one body into another.
struct Copier<'a> {
    context: &'a Context,
    source: &'a Body,
    target: &'a mut Body,
    /// The location of the call.
    caller: Location,
    values: FxHashMap<ValueId, ValueId>,
    blocks: FxHashMap<BlockId, BlockId>,
    /// Pairs of an original operation and its copy, whose operands are not set yet.
    made: Vec<(OperationId, OperationId)>,
}

/// Replaces `call` by a copy of `region` of `source`; returns the copied operations of each new block, in order.
pub(super) fn splice(
    context: &Context,
    source: &Body,
    region: RegionId,
    target: &mut Body,
    call: OperationId,
) -> Vec<Vec<OperationId>> {
    let caller = target.location(call);
    let mut copier = Copier {
        context,
        source,
        target,
        caller,
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        made: Vec::new(),
    };
    let Some(before) = copier.target.parent_block(call) else {
        return Vec::new();
    };
    let blocks = source.blocks(region);
    let Some((entry, others)) = blocks.split_first() else {
        return Vec::new();
    };
    let operands: Vec<ValueId> = copier.target.operands(call).collect();
    let arguments = source.arguments(*entry).iter().copied();
    copier.values.extend(arguments.zip(operands));
    let mut last = before;
    for block in others {
        last = copier.block_after(last, *block);
    }
    let after = (!others.is_empty()).then(|| {
        let after = copier.target.create_block();
        copier.target.move_block_after(last, after);
        let mut next = copier.target.next(call);
        while let Some(op) = next {
            next = copier.target.next(op);
            copier.target.move_to_end(after, op);
        }
        after
    });
    let mut copied = Vec::new();
    let mut returned = Vec::new();
    for block in blocks {
        let mut ops = Vec::new();
        let to = copier.blocks.get(block).copied();
        for op in source.operations(*block) {
            if View::new(context, source, op).has(Traits::RETURN_LIKE) {
                returned.push((op, to));
                continue;
            }
            let made = copier.operation(op);
            match to {
                Some(to) => copier.target.append(to, made),
                None => copier.target.insert_before(call, made),
            }
            ops.push(made);
        }
        copied.push(ops);
    }
    copier.set_operands();
    copier.hand_back(call, after, &returned);
    copied
}

impl Copier<'_> {
    fn location(&self, callee: Location) -> Location {
        match self.caller == Location::UNKNOWN {
            true => callee,
            false => self.context.location(LocationKind::CallSite {
                callee,
                caller: self.caller,
            }),
        }
    }

    /// Creates an empty copy of `block` after `anchor`.
    fn block_after(&mut self, anchor: BlockId, block: BlockId) -> BlockId {
        let made = self.target.create_block();
        self.target.move_block_after(anchor, made);
        self.arguments(block, made);
        made
    }

    fn arguments(&mut self, block: BlockId, made: BlockId) {
        self.blocks.insert(block, made);
        for argument in self.source.arguments(block) {
            let location = self.source.value_location(*argument);
            let new = self
                .target
                .add_argument(made, self.source.ty(*argument), location);
            self.target
                .set_value_name(new, self.source.value_name(*argument));
            self.values.insert(*argument, new);
        }
    }

    /// Creates a detached copy of `op` and its regions. The operands are set later, since their definitions may not be copied
    /// yet.
    fn operation(&mut self, op: OperationId) -> OperationId {
        let view = View::new(self.context, self.source, op);
        let location = self.location(view.location());
        let mut new = NewOperation::new(self.source.name(op), location);
        new.result_types = view.result_types().collect();
        new.attributes = view.attributes().to_vec();
        new.n_regions = view.regions().len();
        let blocks = view.successors().iter();
        let blocks = blocks.map(|block| self.blocks.get(block).copied().unwrap_or(*block));
        new.successors = blocks.collect();
        let made = self.target.create(self.context, new);
        if let Some(properties) = self.source.unregistered_properties(op) {
            self.target
                .set_unregistered_properties(made, Some(properties));
        }
        for (old, new) in view
            .results()
            .iter()
            .zip(self.target.results(made).to_vec())
        {
            self.target
                .set_value_name(new, self.source.value_name(*old));
            self.values.insert(*old, new);
        }
        self.made.push((op, made));
        let regions = self.target.regions(made).to_vec();
        for (from, to) in view.regions().iter().zip(regions) {
            for block in self.source.blocks(*from) {
                let inner = self.target.append_block(to);
                self.arguments(*block, inner);
            }
            for block in self.source.blocks(*from) {
                let inner = self.blocks[block];
                for op in self.source.operations(*block) {
                    let child = self.operation(op);
                    self.target.append(inner, child);
                }
            }
        }
        made
    }

    fn mapped(&self, op: OperationId) -> Vec<ValueId> {
        let operands = self.source.operands(op);
        operands
            .map(|v| self.values.get(&v).copied().unwrap_or(v))
            .collect()
    }

    fn set_operands(&mut self) {
        for (op, made) in std::mem::take(&mut self.made) {
            let operands = self.mapped(op);
            if !operands.is_empty() {
                self.target.set_operands(made, &operands);
            }
        }
    }

    /// Replaces the results of the call by the returned values. With several blocks, the returning blocks branch to `after`.
    fn hand_back(
        &mut self,
        call: OperationId,
        after: Option<BlockId>,
        returned: &[(OperationId, Option<BlockId>)],
    ) {
        let results = self.target.results(call).to_vec();
        let Some(after) = after else {
            if let Some((last, _)) = returned.first() {
                let values = self.mapped(*last);
                for (old, new) in results.into_iter().zip(values) {
                    self.target.replace_all_uses(old, new);
                }
            }
            self.target.erase(call);
            return;
        };
        for result in results {
            let ty = self.target.ty(result);
            let argument = self.target.add_argument(after, ty, self.caller);
            self.target.replace_all_uses(result, argument);
        }
        let before = self.target.parent_block(call);
        for (last, block) in returned {
            let location = self.location(self.source.location(*last));
            let mut new = NewOperation::new(self.context.operation_name(cf::Br::NAME), location);
            new.operands = self.mapped(*last).into_iter().collect();
            new.successors.push(after);
            let made = self.target.create(self.context, new);
            if let Some(block) = block.or(before) {
                self.target.append(block, made);
            }
        }
        self.target.erase(call);
    }
}
