//! Loops and conditionals that carry tensors.

use sluice_dialects::tensor;
use sluice_ir::{BlockId, NewOperation, OperationId, ValueId};

use super::memories::Held;
use super::{NO_FORM, Rewriter, is_tensor};

impl Rewriter<'_> {
    /// Rewrites an `scf.for` that carries tensors: each stays in one memory through all iterations.
    pub(super) fn scf_for(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let operands: Vec<ValueId> = view.operands().collect();
        let results = view.results().to_vec();
        let block = view.entry_block(0).ok_or("has no body")?;
        let (bounds, inits) = operands.split_at(3);
        let arguments = self.body.arguments(block)[1..].to_vec();
        let is_carried: Vec<bool> = results.iter().map(|value| self.is_tensor(*value)).collect();
        let mut memories = Vec::new();
        for (i, init) in inits.iter().enumerate() {
            memories.push(match is_carried[i] {
                true => Some(self.destination_of(op, *init, results[i], &memories)?),
                false => None,
            });
        }
        let mut new = NewOperation::new(self.body.name(op), self.body.location(op));
        new.operands = bounds.iter().copied().collect();
        new.operands.extend(without(inits, &is_carried));
        new.result_types = without(&results, &is_carried)
            .iter()
            .map(|v| self.body.ty(*v))
            .collect();
        new.attributes = self.body.attributes(op).to_vec();
        new.n_regions = 1;
        let made = self.rebuild(op, new);
        for (argument, memory) in arguments.iter().zip(&memories) {
            if let Some(memory) = memory {
                self.hold_carried(*argument, *memory);
                self.dropped.push(*argument);
            }
        }
        self.block(block);
        self.end_with(block, &memories);
        self.finish_results(op, made, &results, &memories);
        Ok(())
    }

    /// Rewrites an `scf.if` that gives tensors: both branches leave them in the same memories.
    pub(super) fn scf_if(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let results = view.results().to_vec();
        let operands: Vec<ValueId> = view.operands().collect();
        let is_carried: Vec<bool> = results.iter().map(|value| self.is_tensor(*value)).collect();
        let n_regions = view.regions().len();
        let blocks: Vec<BlockId> = (0..n_regions).filter_map(|i| view.entry_block(i)).collect();
        let mut memories = Vec::new();
        for (result, is_carried) in results.iter().zip(&is_carried) {
            memories.push(match is_carried {
                true => Some(self.allocate(op, self.body.ty(*result), None, Some(*result))?),
                false => None,
            });
        }
        let mut new = NewOperation::new(self.body.name(op), self.body.location(op));
        new.operands = operands.into();
        new.result_types = without(&results, &is_carried)
            .iter()
            .map(|v| self.body.ty(*v))
            .collect();
        new.attributes = self.body.attributes(op).to_vec();
        new.n_regions = n_regions;
        let made = self.rebuild(op, new);
        for block in blocks {
            self.block(block);
            self.end_with(block, &memories);
        }
        self.finish_results(op, made, &results, &memories);
        Ok(())
    }

    /// Rewrites an `scf.forall` whose iterations give parts of tensors. Iterations read the tensors as they were before the loop.
    pub(super) fn scf_forall(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let groups = [0, 1, 2].map(|group| view.operand_group(group));
        let outputs = view.operand_group(3);
        let results = view.results().to_vec();
        let block = view.entry_block(0).ok_or("has no body")?;
        let all = self.body.arguments(block).to_vec();
        let arguments = all[all.len() - outputs.len()..].to_vec();
        let last = self.body.last_operation(block).ok_or("has no terminator")?;
        let inserts: Vec<OperationId> = match self.body.entry_block(last, 0) {
            Some(block) => self.body.operations(block).collect(),
            None => Vec::new(),
        };
        let mut memories = Vec::new();
        for ((output, result), argument) in outputs.iter().zip(&results).zip(&arguments) {
            let is_read = self
                .body
                .uses(*argument)
                .any(|(user, _)| !inserts.contains(&user));
            let memory = match is_read {
                true => self.fresh(op, *output, Some(*result), true)?,
                false => self.destination_of(op, *output, *result, &memories)?,
            };
            if is_read {
                let before = self.memory(op, *output)?;
                self.hold(*argument, Held::read_only(before));
            } else {
                self.hold_carried(*argument, memory);
            }
            memories.push(Some(memory));
            self.dropped.push(*argument);
        }
        let mut new = NewOperation::new(self.body.name(op), self.body.location(op));
        let sizes = groups
            .iter()
            .map(|group| i32::try_from(group.len()).unwrap_or(0));
        let mut sizes: Vec<i32> = sizes.collect();
        sizes.push(0);
        new.operands = groups.iter().flatten().copied().collect();
        new.attributes = self.body.attributes(op).to_vec();
        let key = self.context.name("operandSegmentSizes");
        new.attributes.retain(|(name, _)| *name != key);
        new.attributes
            .push((key, self.context.dense_i32_array(&sizes)));
        new.n_regions = 1;
        let made = self.rebuild(op, new);
        let body: Vec<OperationId> = self.body.operations(block).collect();
        for inner in body {
            if inner != last
                && let Err(message) = self.operation(inner)
            {
                self.fail(inner, &message);
            }
        }
        for insert in inserts {
            let view = self.view(insert);
            if view.name() != tensor::ParallelInsertSlice::NAME {
                return Err(format!("holds `{}`, which {NO_FORM}", view.name()));
            }
            let (source, dest) = (view.operand(0), view.operand(1));
            let position = arguments.iter().position(|argument| *argument == dest);
            let memory = position.and_then(|position| memories[position]);
            let memory = memory.ok_or("inserts into a tensor of another loop")?;
            let from = self.memory(last, source)?;
            self.copy_into_part(insert, last, from, memory)?;
            self.done.push(insert);
        }
        self.finish_results(op, made, &results, &memories);
        Ok(())
    }

    fn is_tensor(&self, value: ValueId) -> bool {
        is_tensor(self.context, self.body.ty(value))
    }

    /// Returns a memory for a carried tensor that begins as `init`, other than those in `taken`.
    fn destination_of(
        &mut self,
        op: OperationId,
        init: ValueId,
        result: ValueId,
        taken: &[Option<ValueId>],
    ) -> Result<ValueId, String> {
        if self.can_overwrite(init, op)
            && let Some(memory) = self.held(init)?.memory
            && !taken.contains(&Some(memory))
        {
            return Ok(memory);
        }
        self.fresh(op, init, Some(result), true)
    }

    fn hold_carried(&mut self, argument: ValueId, memory: ValueId) {
        // Tensors that were in this memory before are not read any more.
        self.holders.remove(&self.root_of(memory));
        self.hold_at(argument, memory);
    }

    /// Creates the operation that replaces `op`, with its regions.
    fn rebuild(&mut self, op: OperationId, new: NewOperation) -> OperationId {
        let regions = self.view(op).regions().to_vec();
        let mut builder = self.before(op);
        let made = builder.create(new);
        for (from, to) in regions.into_iter().zip(builder.body.regions(made).to_vec()) {
            builder.body.move_blocks(from, to);
        }
        made
    }

    /// Ends a block so that the tensors it yields are in these memories, and yields the other values.
    fn end_with(&mut self, block: BlockId, memories: &[Option<ValueId>]) {
        let Some(last) = self.body.last_operation(block) else {
            return;
        };
        let yielded: Vec<ValueId> = self.body.operands(last).collect();
        let mut copies = Vec::new();
        for (value, memory) in yielded.iter().zip(memories) {
            let Some(memory) = memory else { continue };
            match self.memory(last, *value) {
                Ok(from) if from == *memory => {}
                Ok(from) => copies.push((*value, from, *memory)),
                Err(message) => self.fail(last, &message),
            }
        }
        // A memory that is read by one copy and written by another one is saved first.
        let written: Vec<ValueId> = copies.iter().map(|(_, _, to)| self.root_of(*to)).collect();
        for (value, from, _) in &mut copies {
            if written.contains(&self.root_of(*from)) {
                match self.allocate(last, self.tensor_type(*value), Some(*from), None) {
                    Ok(saved) => {
                        self.copy(last, *from, saved);
                        *from = saved;
                    }
                    Err(message) => self.fail(last, &message),
                }
            }
        }
        for (_, from, to) in copies {
            self.copy(last, from, to);
        }
        let is_memory = memories.iter().map(Option::is_some).collect::<Vec<_>>();
        let kept = without(&yielded, &is_memory);
        self.body.set_operands(last, &kept);
    }

    fn finish_results(
        &mut self,
        op: OperationId,
        made: OperationId,
        results: &[ValueId],
        memories: &[Option<ValueId>],
    ) {
        let mut new = self.body.results(made).to_vec().into_iter();
        for (result, memory) in results.iter().zip(memories) {
            match memory {
                Some(memory) => self.hold_carried(*result, *memory),
                None => {
                    if let Some(new) = new.next() {
                        let name = self.body.value_name(*result);
                        self.body.replace_all_uses(*result, new);
                        self.body.set_value_name(new, name);
                    }
                }
            }
        }
        self.done.push(op);
    }
}

/// Returns the elements that are not left out.
fn without(all: &[ValueId], left_out: &[bool]) -> Vec<ValueId> {
    let kept = all.iter().zip(left_out).filter(|(_, is_out)| !**is_out);
    kept.map(|(value, _)| *value).collect()
}
