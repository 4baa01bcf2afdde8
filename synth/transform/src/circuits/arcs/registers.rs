//! Lowers `arc.state` to registers after the results of its function.

use sluice_dialects::{hw, seq};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Body, NewOperation, OperationId, Type, ValueId, View};

use super::Lowering;
use crate::circuits::maker::Maker;

/// The condition under which registers load their input.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) clock: ValueId,
    pub(super) enable: Option<ValueId>,
    pub(super) reset: Option<ValueId>,
}

impl Lowering<'_> {
    /// Replaces an `arc.state` by registers.
    pub(super) fn state(&mut self, body: &mut Body, op: OperationId, callers: &mut Vec<String>) {
        let context = self.context;
        let view = View::new(context, body, op);
        let first = |group: usize| view.operand_group(group).first().copied();
        let Some(clock) = first(0) else {
            return;
        };
        let edge = Edge {
            clock,
            enable: first(1),
            reset: first(2),
        };
        let (inputs, initials) = (view.operand_group(3), view.operand_group(4));
        let latency = view.attribute("latency").and_then(|a| a.as_i64(context));
        let latency = latency.unwrap_or(1);
        let names = view.attribute("names").and_then(|a| a.as_array(context));
        let names = names.unwrap_or_default();
        if self.is_too_long(view) {
            return;
        }
        let mut starts = Vec::new();
        for i in 0..body.results(op).len() {
            let initial = initials.get(i).copied();
            starts.push(initial.and_then(|value| self.start(body, op, value)));
        }
        let Some(values) = self.called(body, op, &inputs, callers) else {
            return;
        };
        let mut registers = Vec::new();
        for (i, value) in values.into_iter().enumerate() {
            let mut maker = Maker::before(context, body, op);
            let mut value = value;
            for stage in 0..latency {
                let name = names.get(i).copied().filter(|_| stage + 1 == latency);
                value = maker.register(value, edge, starts[i], name);
            }
            registers.push(value);
        }
        self.replace(body, op, &registers);
    }

    /// Returns whether an operation requests more registers in a row than supported, and reports it.
    pub(super) fn is_too_long(&mut self, view: View<'_>) -> bool {
        let excess = seq::excess(view);
        if let Some((name, n)) = excess {
            let message = format!(
                "a {name} of {n}: at most {} registers in a row are made",
                seq::MAX_STAGES
            );
            self.found.error(view.location(), message);
        }
        excess.is_some()
    }

    /// Returns the initial value of a register as a constant: from a constant or the result of `seq.initial`.
    fn start(&mut self, body: &mut Body, anchor: OperationId, value: ValueId) -> Option<ValueId> {
        let context = self.context;
        let maker = body.defining_operation(value);
        let name = maker.map(|op| context.operation_text(body.name(op)));
        let maker = match (name, maker) {
            (Some(seq::FromImmutable::NAME), Some(maker)) => return body.operands(maker).next(),
            (Some(hw::Constant::NAME | hw::AggregateConstant::NAME), Some(maker)) => maker,
            _ => {
                let message =
                    "the first value of a register is a constant or comes of `seq.initial`";
                self.found.error(body.location(anchor), message);
                return None;
            }
        };
        let ty = body.ty(value);
        let ty = context.dialect_type("seq.immutable", &[context.type_attribute(ty)]);
        let mut new = NewOperation::new(
            context.operation_name(seq::Initial::NAME),
            body.location(anchor),
        );
        new.result_types = [ty].into_iter().collect();
        new.n_regions = 1;
        let constant = NewOperation {
            result_types: [body.ty(value)].into_iter().collect(),
            attributes: View::new(context, body, maker).attributes().to_vec(),
            ..NewOperation::new(body.name(maker), body.location(maker))
        };
        let initial = body.create(context, new);
        let region = body.regions(initial)[0];
        let inside = body.inner_mut(initial);
        let block = inside.append_block(region);
        let constant = inside.create(context, constant);
        inside.append(block, constant);
        let mut end = NewOperation::new(
            context.operation_name(seq::Yield::NAME),
            inside.location(constant),
        );
        end.operands = inside.results(constant).iter().copied().collect();
        let end = inside.create(context, end);
        inside.append(block, end);
        body.insert_before(anchor, initial);
        body.results(initial).first().copied()
    }
}

impl Maker<'_> {
    /// Emits a register that is 0 after a reset.
    pub(super) fn register(
        &mut self,
        value: ValueId,
        edge: Edge,
        start: Option<ValueId>,
        name: Option<Attribute>,
    ) -> ValueId {
        let context = self.context();
        let ty = self.builder.body.ty(value);
        let mut operands = vec![value, edge.clock];
        let mut sizes = vec![1, 1];
        if let Some(enable) = edge.enable {
            operands.push(enable);
            sizes.push(1);
        }
        if let Some(reset) = edge.reset {
            let zero = self.zero(ty);
            operands.extend([reset, zero]);
        }
        operands.extend(start);
        let n_resets = i32::from(edge.reset.is_some());
        sizes.extend([n_resets, n_resets, i32::from(start.is_some())]);
        let sizes = context.dense_i32_array(&sizes);
        let mut attributes = vec![("operandSegmentSizes", sizes)];
        attributes.extend(name.map(|name| ("name", name)));
        let register = match edge.enable {
            Some(_) => seq::CompregCe::NAME,
            None => seq::Compreg::NAME,
        };
        self.one(register, &operands, ty, &attributes)
    }

    /// Emits a value of a type with all bits 0.
    fn zero(&mut self, ty: Type) -> ValueId {
        let width = hw::width_bits(self.context(), ty);
        let width = width.and_then(|width| u32::try_from(width).ok());
        let zero = self.constant(Bits::zero(width.unwrap_or(0)));
        match self.builder.body.ty(zero) == ty {
            true => zero,
            false => self.one(hw::Bitcast::NAME, &[zero], ty, &[]),
        }
    }
}
