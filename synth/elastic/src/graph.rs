//! A handshake graph under construction.
//!
//! While a graph is made, a value may have any number of uses; [`crate::fan_out`] makes forks and sinks of them in the end.

use std::collections::BTreeSet;

use sluice_dialects::{builtin, handshake, handshake::BUFFER_KINDS, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, BlockId, Body, Builder, Context, Location, OperationId, Type, ValueId};

/// Appends operations to the body of one `handshake.func`.
pub(crate) struct Graph<'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a mut Body,
    pub(crate) block: BlockId,
    /// Location of the operations made from now on.
    pub(crate) location: Location,
    /// Values that always have a token: constants without a trigger, and what is computed of them alone.
    sourced: BTreeSet<ValueId>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(
        context: &'a Context,
        body: &'a mut Body,
        block: BlockId,
        location: Location,
    ) -> Self {
        Self {
            context,
            body,
            block,
            location,
            sourced: BTreeSet::new(),
        }
    }

    /// Appends an operation. What joins values that always have a token alone always has one too.
    pub(crate) fn operation(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[Type],
        attributes: &[(&str, Attribute)],
    ) -> OperationId {
        let mut builder = Builder::at_end(self.context, self.body, self.block, self.location);
        let op = builder.operation(name, operands, results, attributes);
        if !operands.is_empty() && operands.iter().all(|x| self.is_sourced(*x)) {
            self.sourced.extend(self.body.results(op));
        }
        op
    }

    fn one(&mut self, name: &str, operands: &[ValueId], ty: Type) -> ValueId {
        let op = self.operation(name, operands, &[ty], &[]);
        self.body.result(op, 0)
    }

    /// Whether a value always has a token.
    pub(crate) fn is_sourced(&self, value: ValueId) -> bool {
        self.sourced.contains(&value)
    }

    /// Says which values always have a token, of a graph that was made elsewhere.
    pub(crate) fn set_sourced(&mut self, sourced: impl IntoIterator<Item = ValueId>) {
        self.sourced = sourced.into_iter().collect();
    }

    /// A token without data, always.
    pub(crate) fn source(&mut self) -> ValueId {
        let none = self.context.none_type();
        let value = self.one(handshake::Source::NAME, &[], none);
        self.sourced.insert(value);
        value
    }

    /// A number for each token of `trigger`.
    pub(crate) fn constant(&mut self, number: Bits, trigger: ValueId) -> ValueId {
        let ty = self.context.integer_type(number.width());
        self.constant_of_type(number, ty, trigger)
    }

    /// The same of a type of that width.
    pub(crate) fn constant_of_type(&mut self, number: Bits, ty: Type, trigger: ValueId) -> ValueId {
        let number = self.context.integer_attribute(ty, number);
        let attributes = [("value", number)];
        let op = self.operation(handshake::Constant::NAME, &[trigger], &[ty], &attributes);
        self.body.result(op, 0)
    }

    /// The number that a value made by [`Graph::constant`] is.
    pub(crate) fn constant_of(&self, value: ValueId) -> Option<Bits> {
        let op = self.body.defining_operation(value)?;
        if self.context.operation_text(self.body.name(op)) != handshake::Constant::NAME {
            return None;
        }
        let number = self.body.attribute_named(self.context, op, "value")?;
        number.integer(self.context).cloned()
    }

    /// The value with a token for each token of `trigger`, where it always has one.
    pub(crate) fn triggered(&mut self, value: ValueId, trigger: ValueId) -> ValueId {
        if !self.is_sourced(value) {
            return value;
        }
        if let Some(number) = self.constant_of(value) {
            return self.constant(number, trigger);
        }
        self.with(value, trigger)
    }

    /// A value that comes when `trigger` does.
    pub(crate) fn with(&mut self, value: ValueId, trigger: ValueId) -> ValueId {
        let types = [self.body.ty(value), self.context.none_type()];
        let op = self.operation(handshake::Sync::NAME, &[value, trigger], &types, &[]);
        self.body.result(op, 0)
    }

    /// The value of `data` that the token of `select` numbers.
    pub(crate) fn mux(&mut self, select: ValueId, data: &[ValueId]) -> ValueId {
        let ty = self.body.ty(data[0]);
        let operands: Vec<_> = [&[select], data].concat();
        self.one(handshake::Mux::NAME, &operands, ty)
    }

    /// Where the tokens of a value go if the condition holds, and if it does not.
    pub(crate) fn branch(&mut self, condition: ValueId, value: ValueId) -> (ValueId, ValueId) {
        let ty = self.body.ty(value);
        let operands = [condition, value];
        let op = self.operation(
            handshake::ConditionalBranch::NAME,
            &operands,
            &[ty, ty],
            &[],
        );
        (self.body.result(op, 0), self.body.result(op, 1))
    }

    /// A token without data once all have one; values that always have one count only where there are no others.
    pub(crate) fn join(&mut self, tokens: &[ValueId]) -> ValueId {
        let mut waited: Vec<ValueId> = Vec::new();
        for token in tokens {
            if !self.is_sourced(*token) && !waited.contains(token) {
                waited.push(*token);
            }
        }
        let none = self.context.none_type();
        match waited.as_slice() {
            [] => self.source(),
            [one] if self.body.ty(*one) == none => *one,
            _ => self.one(handshake::Join::NAME, &waited, none),
        }
    }

    /// A register of two slots on a channel.
    pub(crate) fn chain(&mut self, value: ValueId) -> ValueId {
        let ty = self.body.ty(value);
        let op = self.operation(handshake::Buffer::NAME, &[value], &[ty], &[]);
        set_buffer(self.context, self.body, op, BufferKind::Chain, 1, None);
        self.body.result(op, 0)
    }

    /// A register on a channel of bits with a 0 in it from the start.
    pub(crate) fn starter(&mut self, value: ValueId) -> ValueId {
        let ty = self.body.ty(value);
        let op = self.operation(handshake::Buffer::NAME, &[value], &[ty], &[]);
        set_buffer(
            self.context,
            self.body,
            op,
            BufferKind::Chain,
            1,
            Some("data"),
        );
        let zero = self.context.i64_attribute(0);
        let values = self.context.array_attribute(&[zero]);
        let name = self.context.name("initValues");
        self.body.set_attribute(op, name, values);
        self.body.result(op, 0)
    }

    /// A stand-in for a value that is made later.
    pub(crate) fn wire(&mut self, ty: Type) -> ValueId {
        self.one(builtin::UnrealizedConversionCast::NAME, &[], ty)
    }

    /// Puts a value in the place of a stand-in.
    pub(crate) fn connect(&mut self, wire: ValueId, value: ValueId) {
        let op = self.body.defining_operation(wire);
        self.body.replace_all_uses(wire, value);
        if let Some(op) = op {
            self.body.erase(op);
        }
    }
}

/// What a buffer is, numbered as in [`BUFFER_KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferKind {
    /// `seq`
    Chain = 0,
    /// `fifo`
    Queue = 1,
}

/// Says what kind of buffer an operation is.
pub(crate) fn set_buffer(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    kind: BufferKind,
    slots: u32,
    cut: Option<&str>,
) {
    let kind = BUFFER_KINDS.attribute(context, kind as u64);
    let slots = context.integer_attribute(
        context.integer_type(32),
        Bits::from_u64(32, u64::from(slots)),
    );
    body.set_attribute(op, context.name("bufferType"), kind);
    body.set_attribute(op, context.name("slots"), slots);
    if let Some(cut) = cut {
        let cut = context.string_attribute(cut);
        body.set_attribute(op, context.name(sluice::CUT), cut);
    }
}
