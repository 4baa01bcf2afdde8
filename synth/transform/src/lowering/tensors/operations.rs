//! Operations on tensors, each with its form on memories.

use sluice_dialects::linalg::{self, Index, Yield, is_structured, word_type};
use sluice_dialects::{arith, bufferization, func, memref, scf, tensor};
use sluice_ir::{BlockId, Builder, InsertionPoint, NewOperation, OperationId, Type, ValueId};

use super::elementwise::generic;
use super::memories::{Held, allocation, size_of};
use super::{NO_FORM, Rewriter, is_tensor, memory_type};
use crate::build::constant;

impl Rewriter<'_> {
    /// Rewrites an operation, if it has to do with tensors.
    pub(super) fn operation(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let context = self.context;
        let name = view.name();
        let is_of_tensors = view.result_types().any(|ty| is_tensor(context, ty))
            || view.operands().any(|value| self.held.contains_key(&value));
        if is_structured(view) && is_of_tensors {
            return self.structured(op);
        }
        match name {
            scf::For::NAME if is_of_tensors => return self.scf_for(op),
            scf::If::NAME if is_of_tensors => return self.scf_if(op),
            scf::Forall::NAME if is_of_tensors => return self.scf_forall(op),
            func::Return::NAME => return self.function_return(op),
            func::Call::NAME if is_of_tensors => return self.call(op),
            arith::Constant::NAME if is_of_tensors => return self.constant_tensor(op),
            // The operation around it reads it.
            tensor::Yield::NAME => return Ok(()),
            _ => {}
        }
        if name.starts_with("tensor.") {
            return self.of_tensor(op);
        }
        if name.starts_with("bufferization.") {
            return self.of_bufferization(op);
        }
        if is_of_tensors && !matches!(name, scf::Yield::NAME) {
            return Err("on tensors has no memory form here".to_owned());
        }
        for region in 0..self.view(op).regions().len() {
            self.region_of(op, region);
        }
        Ok(())
    }

    fn function_return(&mut self, op: OperationId) -> Result<(), String> {
        let operands: Vec<ValueId> = self.body.operands(op).collect();
        let mut memories = Vec::new();
        for operand in operands {
            let Some(held) = self.held.get(&operand).copied() else {
                memories.push(operand);
                continue;
            };
            let memory = self.memory(op, operand)?;
            // A caller may change what it gets, but not an argument or a constant; and a part has no memory of its own.
            let is_whole = held.memory == held.root;
            let is_new = held.is_writable && is_whole && !memories.contains(&memory);
            memories.push(match is_new {
                true => memory,
                false => self.fresh(op, operand, Some(operand), true)?,
            });
        }
        // The port of a result has the name of the result, not that of the tensor that was in the memory first.
        let results: Vec<ValueId> = self.body.operands(op).collect();
        for (memory, result) in memories.iter().zip(results) {
            let name = self.body.value_name(result);
            let is_allocated = self.body.defining_operation(*memory).is_some();
            if is_allocated && name.is_some() && *memory != result {
                self.body.set_value_name(*memory, name);
            }
        }
        self.body.set_operands(op, &memories);
        Ok(())
    }

    fn call(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let results = view.results().to_vec();
        let types = view.result_types();
        let types: Vec<Type> = types
            .map(|ty| memory_type(self.context, ty).unwrap_or(ty))
            .collect();
        let attributes = view.attributes().to_vec();
        let operands: Vec<ValueId> = view.operands().collect();
        let mut passed = Vec::new();
        for operand in operands {
            passed.push(match self.held.contains_key(&operand) {
                // A callee takes whole memories.
                true => self.plain(op, operand)?.0,
                false => operand,
            });
        }
        let mut new = NewOperation::new(self.body.name(op), self.body.location(op));
        new.operands = passed.into();
        new.result_types = types.into();
        new.attributes = attributes.into_iter().collect();
        let made = self.before(op).create(new);
        for (old, new) in results.into_iter().zip(self.body.results(made).to_vec()) {
            if is_tensor(self.context, self.body.ty(old)) {
                self.hold(old, Held::new(new));
            } else {
                self.body.replace_all_uses(old, new);
            }
        }
        self.done.push(op);
        Ok(())
    }

    fn constant_tensor(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let result = view.result(0);
        let value = view.attribute("value").ok_or("has no value")?;
        let ty = memory_type(self.context, view.ty(result)).ok_or("has no known shape")?;
        let name = self.globals.name(value, ty);
        let symbol = self.context.symbol_attribute(&name);
        let mut builder = self.before(op);
        let made = builder.operation(memref::GetGlobal::NAME, &[], &[ty], &[("name", symbol)]);
        let memory = builder.body.result(made, 0);
        self.hold(result, Held::read_only(memory));
        self.done.push(op);
        Ok(())
    }

    /// Replaces a scalar result.
    fn replace(&mut self, op: OperationId, value: ValueId) {
        let old = self.body.result(op, 0);
        let name = self.body.value_name(old);
        self.body.replace_all_uses(old, value);
        if self.body.value_name(value).is_none() {
            self.body.set_value_name(value, name);
        }
        self.done.push(op);
    }

    /// Emits an operation with one result before `op`.
    fn emit(&mut self, op: OperationId, name: &str, operands: &[ValueId], ty: Type) -> ValueId {
        let mut builder = self.before(op);
        let made = builder.operation(name, operands, &[ty], &[]);
        builder.body.result(made, 0)
    }

    fn of_tensor(&mut self, op: OperationId) -> Result<(), String> {
        let context = self.context;
        let view = self.view(op);
        let operands: Vec<ValueId> = view.operands().collect();
        let result = view.results().first().copied();
        let index = context.index_type();
        match view.name() {
            tensor::Empty::NAME => {
                let result = result.ok_or("makes nothing")?;
                let ty = memory_type(context, self.body.ty(result)).ok_or("has no known rank")?;
                let held = match operands.is_empty() {
                    true => Held::ARBITRARY,
                    false => {
                        let memory = allocation(&mut self.before(op), ty, &operands);
                        Held {
                            is_arbitrary: true,
                            ..Held::new(memory)
                        }
                    }
                };
                self.hold(result, held);
            }
            tensor::Dim::NAME => {
                let memory = self.memory(op, operands[0])?;
                let size = self.emit(op, memref::Dim::NAME, &[memory, operands[1]], index);
                self.replace(op, size);
                return Ok(());
            }
            tensor::Rank::NAME => {
                let rank = linalg::sizes(context, self.tensor_type(operands[0]));
                let rank = rank.ok_or("has no known rank")?.len();
                let rank = i64::try_from(rank).unwrap_or(i64::MAX);
                let value = constant(&mut self.before(op), index, rank);
                self.replace(op, value);
                return Ok(());
            }
            tensor::Extract::NAME => {
                let memory = self.memory(op, operands[0])?;
                let ty = self.body.ty(result.ok_or("makes nothing")?);
                let mut all = vec![memory];
                all.extend_from_slice(&operands[1..]);
                let word = self.emit(op, memref::Load::NAME, &all, ty);
                self.replace(op, word);
                return Ok(());
            }
            tensor::Insert::NAME => {
                let result = result.ok_or("makes nothing")?;
                let memory = self.destination(op, operands[1], Some(result), true)?;
                let mut all = vec![operands[0], memory];
                all.extend_from_slice(&operands[2..]);
                self.before(op)
                    .operation(memref::Store::NAME, &all, &[], &[]);
                self.hold_at(result, memory);
            }
            tensor::FromElements::NAME => {
                let result = result.ok_or("makes nothing")?;
                self.elements(op, &operands, result)?;
            }
            tensor::Splat::NAME => {
                let result = result.ok_or("makes nothing")?;
                let memory = self.allocate_with(op, result, &operands[1..])?;
                self.fill(op, memory, operands[0]);
                self.hold(result, Held::new(memory));
            }
            tensor::Generate::NAME => {
                let result = result.ok_or("makes nothing")?;
                let memory = self.allocate_with(op, result, &operands)?;
                self.generate(op, memory)?;
                self.hold(result, Held::new(memory));
            }
            _ => return self.parts(op),
        }
        self.done.push(op);
        Ok(())
    }

    /// Records that a tensor is in a memory that another tensor had before.
    pub(super) fn hold_at(&mut self, tensor: ValueId, memory: ValueId) {
        let held = Held {
            root: Some(self.root_of(memory)),
            ..Held::new(memory)
        };
        self.hold(tensor, held);
    }

    /// Allocates a memory for the tensor `result`, whose open sizes are operands.
    pub(super) fn allocate_with(
        &mut self,
        op: OperationId,
        result: ValueId,
        sizes: &[ValueId],
    ) -> Result<ValueId, String> {
        let ty = self.body.ty(result);
        if sizes.is_empty() {
            return self.allocate(op, ty, None, Some(result));
        }
        let ty = memory_type(self.context, ty).ok_or("makes a tensor of unknown rank")?;
        let name = self.body.value_name(result);
        let memory = allocation(&mut self.before(op), ty, sizes);
        self.body.set_value_name(memory, name);
        Ok(memory)
    }

    fn elements(
        &mut self,
        op: OperationId,
        elements: &[ValueId],
        result: ValueId,
    ) -> Result<(), String> {
        let memory = self.allocate(op, self.body.ty(result), None, Some(result))?;
        let shape = self.body.ty(memory).static_shape(self.context);
        let shape = shape.ok_or("makes a tensor of unknown size")?;
        let index = self.context.index_type();
        for (number, element) in elements.iter().enumerate() {
            let mut rest = u64::try_from(number).unwrap_or(u64::MAX);
            let mut subscripts = Vec::new();
            for size in shape.iter().rev() {
                subscripts.push(rest % size);
                rest /= size;
            }
            let mut builder = self.before(op);
            let mut all = vec![*element, memory];
            for subscript in subscripts.into_iter().rev() {
                let subscript = i64::try_from(subscript).unwrap_or(i64::MAX);
                all.push(constant(&mut builder, index, subscript));
            }
            builder.operation(memref::Store::NAME, &all, &[], &[]);
        }
        self.hold(result, Held::new(memory));
        Ok(())
    }

    /// Sets all words of a memory to a scalar.
    pub(super) fn fill(&mut self, op: OperationId, memory: ValueId, scalar: ValueId) {
        let types = [self.body.ty(scalar), self.body.ty(memory)];
        let mut builder = self.before(op);
        let made = generic(&mut builder, &[scalar], &[memory], &types);
        let (context, location) = (builder.context, builder.location);
        let block = builder.body.append_block(builder.body.regions(made)[0]);
        let words = types.map(|ty| {
            builder
                .body
                .add_argument(block, word_type(context, ty), location)
        });
        let mut inner = Builder::at_end(context, builder.body, block, location);
        inner.operation(Yield::NAME, &words[..1], &[], &[]);
    }

    /// Computes all words of a memory from their subscripts, by the region of `op`.
    pub(super) fn generate(&mut self, op: OperationId, memory: ValueId) -> Result<(), String> {
        let context = self.context;
        let region = self.view(op).regions()[0];
        let old = self.view(op).entry_block(0).ok_or("has no region")?;
        let ty = self.body.ty(memory);
        let mut builder = self.before(op);
        let made = generic(&mut builder, &[], &[memory], &[ty]);
        let location = builder.location;
        let to = builder.body.regions(made)[0];
        builder.body.move_blocks(region, to);
        let subscripts = builder.body.arguments(old).to_vec();
        let first = builder.body.first_operation(old);
        for (dim, subscript) in subscripts.iter().enumerate() {
            let Some(first) = first else { break };
            let dim = context.i64_attribute(i64::try_from(dim).unwrap_or(0));
            builder.point = InsertionPoint::Before(first);
            let index = context.index_type();
            let op = builder.operation(Index::NAME, &[], &[index], &[("dim", dim)]);
            let value = builder.body.result(op, 0);
            builder.body.replace_all_uses(*subscript, value);
        }
        for dim in (0..subscripts.len()).rev() {
            builder.body.remove_argument(old, dim);
        }
        builder
            .body
            .add_argument(old, word_type(context, ty), location);
        self.block(old);
        self.yield_in(old);
        Ok(())
    }

    /// Replaces the terminator of a region of `tensor.generate` by `linalg.yield`.
    fn yield_in(&mut self, block: BlockId) {
        let Some(last) = self.body.last_operation(block) else {
            return;
        };
        self.done.retain(|op| *op != last);
        let values: Vec<ValueId> = self.body.operands(last).collect();
        let mut builder = self.before(last);
        builder.operation(Yield::NAME, &values, &[], &[]);
        self.body.erase(last);
    }

    fn of_bufferization(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let operands: Vec<ValueId> = view.operands().collect();
        let result = view.results().first().copied();
        let is_given = |name: &str| view.attribute(name).is_some();
        match view.name() {
            bufferization::ToTensor::NAME => {
                let result = result.ok_or("makes nothing")?;
                let held = Held {
                    is_writable: is_given("writable"),
                    ..Held::new(operands[0])
                };
                self.hold(result, held);
            }
            bufferization::ToMemref::NAME | bufferization::ToBuffer::NAME => {
                // The memory may be read later, so the tensor must keep its place.
                let is_kept =
                    !self.held(operands[0])?.is_writable || self.can_overwrite(operands[0], op);
                let is_read_only = is_given("read_only") && is_kept;
                let result = result.ok_or("makes nothing")?;
                let memory = match is_read_only {
                    true => self.memory(op, operands[0])?,
                    false => self.destination(op, operands[0], Some(result), true)?,
                };
                self.body.replace_all_uses(result, memory);
            }
            bufferization::AllocTensor::NAME => {
                let result = result.ok_or("makes nothing")?;
                let (sizes, copy) = (view.operand_group(0), view.operand_group(1));
                match copy.first() {
                    Some(copy) => {
                        let memory = self.fresh(op, *copy, Some(result), true)?;
                        self.hold(result, Held::new(memory));
                    }
                    None if sizes.is_empty() => self.hold(result, Held::ARBITRARY),
                    None => {
                        let memory = self.allocate_with(op, result, &sizes)?;
                        let held = Held {
                            is_arbitrary: true,
                            ..Held::new(memory)
                        };
                        self.hold(result, held);
                    }
                }
            }
            bufferization::MaterializeInDestination::NAME => {
                let from = self.memory(op, operands[0])?;
                match result {
                    Some(result) => {
                        let to = self.destination(op, operands[1], Some(result), false)?;
                        self.copy(op, from, to);
                        self.hold_at(result, to);
                    }
                    None => self.copy(op, from, operands[1]),
                }
            }
            bufferization::DeallocTensor::NAME => {}
            _ => return Err(NO_FORM.to_owned()),
        }
        self.done.push(op);
        Ok(())
    }

    /// Returns the sizes of a memory as values before `op`.
    pub(super) fn size(&mut self, op: OperationId, memory: ValueId, dim: usize) -> ValueId {
        size_of(&mut self.before(op), memory, dim)
    }
}
