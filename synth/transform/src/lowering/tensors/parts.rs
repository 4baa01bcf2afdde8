//! Parts of tensors, padding and other shapes.

use sluice_dialects::memref::{self, subview_type};
use sluice_dialects::{index_lists::DYNAMIC, linalg, tensor};
use sluice_ir::exact::n_elements;
use sluice_ir::types::Dimension;
use sluice_ir::{NewOperation, OperationId, Type, TypeKind, ValueId};

use super::memories::Held;
use super::{NO_FORM, Rewriter, memory_type};

const LISTS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];

impl Rewriter<'_> {
    pub(super) fn parts(&mut self, op: OperationId) -> Result<(), String> {
        let context = self.context;
        let view = self.view(op);
        let operands: Vec<ValueId> = view.operands().collect();
        let result = view.results().first().copied().ok_or("makes nothing")?;
        match view.name() {
            tensor::Cast::NAME => {
                let ty = memory_type(context, self.body.ty(result)).ok_or("has no known rank")?;
                let (source, is_same) = self.plain(op, operands[0])?;
                let memory = self.emit_view(op, memref::Cast::NAME, &[source], ty, &[]);
                match is_same {
                    true => self.hold_view(result, operands[0], memory),
                    false => self.hold(result, Held::new(memory)),
                }
            }
            tensor::ExtractSlice::NAME => {
                let source = self.memory(op, operands[0])?;
                let shape = linalg::sizes(context, self.body.ty(result)).unwrap_or_default();
                let memory = self.part(op, op, source, &shape, 1)?;
                self.hold_view(result, operands[0], memory);
            }
            tensor::InsertSlice::NAME => {
                let from = self.memory(op, operands[0])?;
                let memory = self.destination(op, operands[1], Some(result), true)?;
                self.copy_into_part(op, op, from, memory)?;
                self.hold_at(result, memory);
            }
            tensor::CollapseShape::NAME | tensor::ExpandShape::NAME => {
                self.other_shape(op, operands[0], result)?;
            }
            tensor::Pad::NAME => self.pad(op, operands[0], result)?,
            tensor::Concat::NAME => self.concat(op, &operands, result)?,
            tensor::Reshape::NAME => self.reshape(op, operands[0], result)?,
            _ => return Err(NO_FORM.to_owned()),
        }
        self.done.push(op);
        Ok(())
    }

    fn emit_view(
        &mut self,
        op: OperationId,
        name: &str,
        operands: &[ValueId],
        ty: Type,
        attributes: &[(&str, sluice_ir::Attribute)],
    ) -> ValueId {
        let mut builder = self.before(op);
        let made = builder.operation(name, operands, &[ty], attributes);
        builder.body.result(made, 0)
    }

    /// Emits before `at` the part of a memory that the offsets, sizes and strides of `op` describe; they begin at this operand
    /// group.
    fn part(
        &mut self,
        op: OperationId,
        at: OperationId,
        memory: ValueId,
        shape: &[Dimension],
        group: usize,
    ) -> Result<ValueId, String> {
        let context = self.context;
        let view = self.view(op);
        let lists = LISTS.map(|name| view.attribute(name));
        let numbers = lists.map(|list| list.and_then(|list| list.as_dense_array_i64(context)));
        let numbers = numbers.map(Option::unwrap_or_default);
        let groups = [0, 1, 2].map(|i| view.operand_group(group + i));
        self.subview(
            at,
            memory,
            shape,
            &numbers,
            &groups.map(|group| group.to_vec()),
        )
    }

    /// Emits before `at` the part of a memory with these offsets, sizes and strides; the groups are the values among them.
    fn subview(
        &mut self,
        at: OperationId,
        memory: ValueId,
        shape: &[Dimension],
        lists: &[Vec<i64>; 3],
        groups: &[Vec<ValueId>; 3],
    ) -> Result<ValueId, String> {
        let context = self.context;
        let ty = subview_type(context, self.body.ty(memory), lists, shape);
        let ty = ty.ok_or("takes a part that no strides describe")?;
        let mut operands = vec![memory];
        operands.extend(groups.iter().flatten());
        let sizes = groups
            .iter()
            .map(|group| i32::try_from(group.len()).unwrap_or(0));
        let sizes: Vec<i32> = std::iter::once(1).chain(sizes).collect();
        let mut attributes = vec![("operandSegmentSizes", context.dense_i32_array(&sizes))];
        for (name, list) in LISTS.into_iter().zip(lists) {
            attributes.push((name, context.dense_i64_array(list)));
        }
        Ok(self.emit_view(at, memref::Subview::NAME, &operands, ty, &attributes))
    }

    /// Copies a memory into the part of another one that `op`, an insertion, describes.
    pub(super) fn copy_into_part(
        &mut self,
        op: OperationId,
        at: OperationId,
        from: ValueId,
        to: ValueId,
    ) -> Result<(), String> {
        let shape = linalg::sizes(self.context, self.body.ty(from)).unwrap_or_default();
        let part = self.part(op, at, to, &shape, 2)?;
        self.copy(at, from, part);
        Ok(())
    }

    /// Returns a memory with rows one after another that holds a tensor.
    pub(super) fn plain(
        &mut self,
        op: OperationId,
        tensor: ValueId,
    ) -> Result<(ValueId, bool), String> {
        let memory = self.memory(op, tensor)?;
        let is_plain = matches!(
            self.body.ty(memory).kind(self.context),
            TypeKind::MemRef { layout: None, .. }
        );
        match is_plain {
            true => Ok((memory, true)),
            false => Ok((self.fresh(op, tensor, None, true)?, false)),
        }
    }

    fn other_shape(
        &mut self,
        op: OperationId,
        source: ValueId,
        result: ValueId,
    ) -> Result<(), String> {
        let ty = memory_type(self.context, self.body.ty(result)).ok_or("has no known rank")?;
        let (memory, is_same) = self.plain(op, source)?;
        let view = self.view(op);
        let name = match view.name() {
            tensor::ExpandShape::NAME => memref::ExpandShape::NAME,
            _ => memref::CollapseShape::NAME,
        };
        let mut operands = vec![memory];
        operands.extend(view.operands().skip(1));
        let mut new = NewOperation::new(self.context.operation_name(name), view.location());
        new.operands = operands.into();
        new.result_types = [ty].as_slice().into();
        new.attributes = view.attributes().to_vec();
        let made = self.before(op).create(new);
        let memory = self.body.result(made, 0);
        match is_same {
            true => self.hold_view(result, source, memory),
            false => self.hold(result, Held::new(memory)),
        }
        Ok(())
    }

    /// Joins all dimensions and divides them again.
    fn reshape(&mut self, op: OperationId, source: ValueId, result: ValueId) -> Result<(), String> {
        let context = self.context;
        let from = self.tensor_type(source).static_shape(context);
        let to = self.body.ty(result).static_shape(context);
        let (Some(from), Some(to)) = (from, to) else {
            return Err("has sizes that are not known".to_owned());
        };
        let (memory, is_same) = self.plain(op, source)?;
        let TypeKind::MemRef { element, .. } = *self.body.ty(memory).kind(context) else {
            return Err("has no memory".to_owned());
        };
        let list = |n: usize| {
            let numbers = (0..n).map(|i| context.i64_attribute(i64::try_from(i).unwrap_or(0)));
            let numbers: Vec<_> = numbers.collect();
            match n {
                0 => context.array_attribute(&[]),
                _ => context.array_attribute(&[context.array_attribute(&numbers)]),
            }
        };
        let n_words = n_elements(&from).to_u64().ok_or("has too many elements")?;
        let n_words = context.memref_type(&[n_words], element);
        let joined = match from.len() {
            1 => memory,
            n => {
                let groups = [("reassociation", list(n))];
                self.emit_view(op, memref::CollapseShape::NAME, &[memory], n_words, &groups)
            }
        };
        let shape: Vec<i64> = to
            .iter()
            .map(|size| i64::try_from(*size).unwrap_or(0))
            .collect();
        let divided = match to.len() {
            1 => joined,
            n => {
                let attributes = [
                    ("reassociation", list(n)),
                    ("static_output_shape", context.dense_i64_array(&shape)),
                ];
                let ty = context.memref_type(&to, element);
                self.emit_view(op, memref::ExpandShape::NAME, &[joined], ty, &attributes)
            }
        };
        match is_same {
            true => self.hold_view(result, source, divided),
            false => self.hold(result, Held::new(divided)),
        }
        Ok(())
    }

    /// All elements are computed as padding, then the source is copied to its place.
    fn pad(&mut self, op: OperationId, source: ValueId, result: ValueId) -> Result<(), String> {
        let context = self.context;
        let from = self.memory(op, source)?;
        if self.body.ty(result).static_shape(context).is_none() {
            return Err("has a result whose sizes are not known".to_owned());
        }
        let memory = self.allocate(op, self.body.ty(result), None, Some(result))?;
        let view = self.view(op);
        let low = view
            .attribute("static_low")
            .and_then(|low| low.as_dense_array_i64(context));
        let (low, low_operands) = (low.unwrap_or_default(), view.operand_group(1));
        self.generate(op, memory)?;
        let shape = linalg::sizes(context, self.tensor_type(source)).unwrap_or_default();
        let mut sizes = Vec::new();
        let mut size_operands = Vec::new();
        for (dim, size) in shape.iter().enumerate() {
            sizes.push(match size {
                Some(size) => i64::try_from(*size).unwrap_or(i64::MAX),
                None => {
                    size_operands.push(self.size(op, from, dim));
                    DYNAMIC
                }
            });
        }
        let strides = vec![1; shape.len()];
        let groups = [low_operands.to_vec(), size_operands, Vec::new()];
        self.copy_to_place(op, (from, memory), [low, sizes, strides], &groups)?;
        self.hold(result, Held::new(memory));
        Ok(())
    }

    /// Copies a memory into a part of another one with these offsets, sizes and strides.
    fn copy_to_place(
        &mut self,
        op: OperationId,
        (from, to): (ValueId, ValueId),
        lists: [Vec<i64>; 3],
        groups: &[Vec<ValueId>; 3],
    ) -> Result<(), String> {
        let shape = linalg::sizes(self.context, self.body.ty(from)).unwrap_or_default();
        let part = self.subview(op, to, &shape, &lists, groups)?;
        self.copy(op, from, part);
        Ok(())
    }

    fn concat(
        &mut self,
        op: OperationId,
        inputs: &[ValueId],
        result: ValueId,
    ) -> Result<(), String> {
        let context = self.context;
        let dim = self
            .view(op)
            .attribute("dim")
            .and_then(|dim| dim.as_i64(context));
        let dim = dim.and_then(|dim| usize::try_from(dim).ok()).unwrap_or(0);
        let memory = self.allocate(op, self.body.ty(result), None, Some(result))?;
        let mut place = 0;
        for input in inputs {
            let shape = self.tensor_type(*input).static_shape(context);
            let shape = shape.ok_or("has an input whose sizes are not known")?;
            let sizes = shape
                .iter()
                .map(|size| i64::try_from(*size).unwrap_or(i64::MAX));
            let sizes: Vec<i64> = sizes.collect();
            let mut offsets = vec![0; sizes.len()];
            offsets[dim] = place;
            place += sizes[dim];
            let strides = vec![1; sizes.len()];
            let from = self.memory(op, *input)?;
            let lists = [offsets, sizes, strides];
            self.copy_to_place(op, (from, memory), lists, &Default::default())?;
        }
        self.hold(result, Held::new(memory));
        Ok(())
    }
}
