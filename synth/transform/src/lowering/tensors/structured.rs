//! Structured operations of linalg on tensors.

use sluice_dialects::linalg::Structured;
use sluice_ir::affine::AffineMap;
use sluice_ir::{NewOperation, OperationId, ValueId};

use super::{Rewriter, is_tensor};

impl Rewriter<'_> {
    /// Rewrites a structured operation on tensors as the same operation on memories.
    pub(super) fn structured(&mut self, op: OperationId) -> Result<(), String> {
        let view = self.view(op);
        let structured = Structured::of(view).ok_or("has no loops that its operands give")?;
        let operands: Vec<ValueId> = view.operands().collect();
        let results = view.results().to_vec();
        let attributes = view.attributes().to_vec();
        let (name, location, region) = (self.body.name(op), view.location(), view.regions()[0]);
        let mut memories = Vec::new();
        for input in &operands[..structured.n_inputs] {
            memories.push(match self.held.contains_key(input) {
                true => self.memory(op, *input)?,
                false => *input,
            });
        }
        let mut taken = Vec::new();
        let mut made = Vec::new();
        for (number, result) in results.iter().enumerate() {
            let memory = self.output(op, &structured, &operands, (number, *result), &taken)?;
            taken.push(memory);
            memories.push(memory);
            made.push((*result, memory));
        }
        let block = self.body.entry_block(op, 0);
        let mut new = NewOperation::new(name, location);
        new.operands = memories.into();
        new.attributes = attributes.into_iter().collect();
        new.n_regions = 1;
        let mut builder = self.before(op);
        let rewritten = builder.create(new);
        let to = builder.body.regions(rewritten)[0];
        builder.body.move_blocks(region, to);
        if let Some(block) = block {
            self.block(block);
        }
        for (result, memory) in made {
            self.hold_at(result, memory);
        }
        self.done.push(op);
        Ok(())
    }

    /// Returns the memory for the output `number`: that of the tensor it replaces, of an input that is read at the same places and
    /// not needed any more, or a new one.
    fn output(
        &mut self,
        op: OperationId,
        structured: &Structured,
        operands: &[ValueId],
        (number, result): (usize, ValueId),
        taken: &[ValueId],
    ) -> Result<ValueId, String> {
        let position = structured.n_inputs + number;
        let old = operands[position];
        let map = &structured.maps[position];
        let view = self.view(op);
        let argument = view.entry_block(0).and_then(|block| {
            let arguments = view.inner().arguments(block);
            arguments.get(position).copied()
        });
        let is_read = argument.is_some_and(|argument| !self.body.is_unused(argument));
        // Elements that no iteration writes keep their values.
        let sizes = structured.extents(self.view(op));
        let is_run = sizes
            .iter()
            .all(|extent| extent.is_some_and(|(_, _, size)| size.is_some_and(|size| size > 0)));
        let keeps = is_read || !is_projection(map) || !is_run;
        let held = self.held(old)?;
        let in_order = structured
            .reductions
            .iter()
            .all(|is_reduction| !is_reduction);
        // Elements that are read at another point than they are written must not be overwritten.
        let reads_elsewhere = |rewriter: &Self, root: Option<ValueId>| {
            let others = operands.iter().zip(&structured.maps).enumerate();
            others.into_iter().any(|(i, (operand, other))| {
                i != position
                    && rewriter
                        .held
                        .get(operand)
                        .is_some_and(|held| held.root == root)
                    && (other != map || !in_order)
            })
        };
        let is_free = |memory: ValueId| !taken.contains(&memory);
        let input = self.input_to_replace(op, structured, operands, map, old);
        // A memory with arbitrary elements is not needed where an input gives one.
        let has_better = held.is_arbitrary && !keeps && input.is_some();
        if let Some(memory) = held.memory
            && !has_better
            && is_free(memory)
            && !reads_elsewhere(self, held.root)
            && self.can_overwrite(old, op)
        {
            return Ok(memory);
        }
        if !keeps
            && in_order
            && is_one_to_one(map)
            && let Some((memory, root)) = input
            && is_free(memory)
            && !reads_elsewhere(self, root)
        {
            return Ok(memory);
        }
        self.fresh(op, old, Some(result), keeps)
    }

    /// Returns the memory of an input with the type and the places of an output, if it may be overwritten.
    fn input_to_replace(
        &self,
        op: OperationId,
        structured: &Structured,
        operands: &[ValueId],
        map: &AffineMap,
        old: ValueId,
    ) -> Option<(ValueId, Option<ValueId>)> {
        let ty = self.tensor_type(old);
        let inputs = operands
            .iter()
            .zip(&structured.maps)
            .take(structured.n_inputs);
        inputs
            .filter(|(input, other)| {
                is_tensor(self.context, self.tensor_type(**input))
                    && self.tensor_type(**input) == ty
                    && *other == map
                    && self.can_overwrite(**input, op)
            })
            .find_map(|(input, _)| {
                let held = self.held.get(input)?;
                Some((held.memory?, held.root))
            })
    }

    pub(super) fn root_of(&self, memory: ValueId) -> ValueId {
        let held = self.held.values().find(|held| held.memory == Some(memory));
        held.and_then(|held| held.root).unwrap_or(memory)
    }
}

/// Returns true if all subscripts are different loops, so that all elements are written.
fn is_projection(map: &AffineMap) -> bool {
    use sluice_ir::affine::AffineExpr::Dim;
    let mut subscripts: Vec<_> = map.results.iter().collect();
    subscripts.sort_unstable();
    subscripts.dedup();
    let is_dim = |subscript: &&sluice_ir::affine::AffineExpr| matches!(subscript, Dim(_));
    subscripts.len() == map.results.len() && subscripts.iter().all(is_dim)
}

/// Returns true if each point of the loops has its own element.
fn is_one_to_one(map: &AffineMap) -> bool {
    use sluice_ir::affine::AffineExpr::Dim;
    let mut dims: Vec<u32> = map
        .results
        .iter()
        .filter_map(|subscript| match subscript {
            Dim(dim) => Some(*dim),
            _ => None,
        })
        .collect();
    dims.sort_unstable();
    dims.dedup();
    dims.len() == map.n_dims as usize
}
