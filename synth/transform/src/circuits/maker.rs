//! Builder of single operations of hw, comb and seq.

use sluice_dialects::{comb, hw};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Body, Builder, Context, OperationId, Type, ValueId};

/// Emits operations of hw, comb and seq before another operation.
pub(crate) struct Maker<'a> {
    pub(crate) builder: Builder<'a>,
}

impl<'a> Maker<'a> {
    pub(crate) fn before(context: &'a Context, body: &'a mut Body, op: OperationId) -> Self {
        Self {
            builder: Builder::before(context, body, op),
        }
    }

    pub(crate) fn context(&self) -> &'a Context {
        self.builder.context
    }

    pub(crate) fn width(&self, value: ValueId) -> u32 {
        let width = self.builder.body.ty(value).width_bits(self.context());
        width.unwrap_or(0)
    }

    pub(crate) fn one(
        &mut self,
        name: &str,
        operands: &[ValueId],
        ty: Type,
        attributes: &[(&str, Attribute)],
    ) -> ValueId {
        let op = self.builder.operation(name, operands, &[ty], attributes);
        self.builder.body.results(op)[0]
    }

    pub(crate) fn constant(&mut self, value: Bits) -> ValueId {
        let ty = self.context().integer_type(value.width());
        let value = self.context().integer_attribute(ty, value);
        self.one(hw::Constant::NAME, &[], ty, &[("value", value)])
    }

    pub(crate) fn comb(&mut self, name: &str, operands: &[ValueId]) -> ValueId {
        let ty = self.builder.body.ty(operands[0]);
        self.one(name, operands, ty, &[])
    }

    /// Emits the bits of a value from `low` on.
    pub(crate) fn extract(&mut self, value: ValueId, low: u32, width: u32) -> ValueId {
        let context = self.context();
        let low = Bits::from_u64(32, u64::from(low));
        let low = context.integer_attribute(context.integer_type(32), low);
        let ty = context.integer_type(width);
        self.one(comb::Extract::NAME, &[value], ty, &[("lowBit", low)])
    }

    /// Emits the concatenation of values, the first one in the highest bits.
    pub(crate) fn concat(&mut self, values: &[ValueId]) -> ValueId {
        let width = values.iter().map(|value| self.width(*value)).sum();
        let ty = self.context().integer_type(width);
        self.one(comb::Concat::NAME, values, ty, &[])
    }

    /// Emits `condition ? yes : no`.
    pub(crate) fn mux(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.builder.body.ty(yes);
        self.one(comb::Mux::NAME, &[condition, yes, no], ty, &[])
    }
}
