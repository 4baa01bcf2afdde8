//! Builder for a handshake graph.
//!
//! During construction, a value may have any number of uses; [`crate::fan_out`] inserts forks and sinks at the end.

use std::collections::BTreeSet;

use sluice_dialects::{builtin, handshake, handshake::BUFFER_KINDS, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, BlockId, Body, Builder, Context, Location, OperationId, Type, ValueId};

/// Appends operations to the body of one `handshake.func`.
pub(crate) struct Graph<'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a mut Body,
    pub(crate) block: BlockId,
    /// Location of the operations created from now on.
    pub(crate) location: Location,
    /// Values that always have a token: constants without a trigger, and values computed only from these.
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

    /// Appends an operation. If all its operands always have a token, its results do too.
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

    /// Returns whether a value always has a token.
    pub(crate) fn is_sourced(&self, value: ValueId) -> bool {
        self.sourced.contains(&value)
    }

    /// Sets which values always have a token, for a graph that was created elsewhere.
    pub(crate) fn set_sourced(&mut self, sourced: impl IntoIterator<Item = ValueId>) {
        self.sourced = sourced.into_iter().collect();
    }

    /// Returns a dataless token that is always available.
    pub(crate) fn source(&mut self) -> ValueId {
        let none = self.context.none_type();
        let value = self.one(handshake::Source::NAME, &[], none);
        self.sourced.insert(value);
        value
    }

    /// Emits a constant for each token of `trigger`.
    pub(crate) fn constant(&mut self, number: Bits, trigger: ValueId) -> ValueId {
        let ty = self.context.integer_type(number.width());
        self.constant_of_type(number, ty, trigger)
    }

    /// Emits a constant of a given type of its width for each token of `trigger`.
    pub(crate) fn constant_of_type(&mut self, number: Bits, ty: Type, trigger: ValueId) -> ValueId {
        let number = self.context.integer_attribute(ty, number);
        let attributes = [("value", number)];
        let op = self.operation(handshake::Constant::NAME, &[trigger], &[ty], &attributes);
        self.body.result(op, 0)
    }

    /// Returns the number of a value made by [`Graph::constant`].
    pub(crate) fn constant_of(&self, value: ValueId) -> Option<Bits> {
        let op = self.body.defining_operation(value)?;
        if self.context.operation_text(self.body.name(op)) != handshake::Constant::NAME {
            return None;
        }
        let number = self.body.attribute_named(self.context, op, "value")?;
        number.integer(self.context).cloned()
    }

    /// Returns a value with one token per token of `trigger`, if it otherwise always has a token.
    pub(crate) fn triggered(&mut self, value: ValueId, trigger: ValueId) -> ValueId {
        if !self.is_sourced(value) {
            return value;
        }
        if let Some(number) = self.constant_of(value) {
            return self.constant(number, trigger);
        }
        self.with(value, trigger)
    }

    /// Synchronises a value with `trigger`.
    pub(crate) fn with(&mut self, value: ValueId, trigger: ValueId) -> ValueId {
        let types = [self.body.ty(value), self.context.none_type()];
        let op = self.operation(handshake::Sync::NAME, &[value, trigger], &types, &[]);
        self.body.result(op, 0)
    }

    /// Selects the value of `data` with the index given by the token of `select`.
    pub(crate) fn mux(&mut self, select: ValueId, data: &[ValueId]) -> ValueId {
        let ty = self.body.ty(data[0]);
        let operands: Vec<_> = [&[select], data].concat();
        self.one(handshake::Mux::NAME, &operands, ty)
    }

    /// Sends the tokens of a value to one of two channels: the first if the condition holds, else the second.
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

    /// Emits a dataless token once all tokens have arrived; values that always have a token are only used if there are no others.
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

    /// Emits an elastic buffer of two slots.
    pub(crate) fn chain(&mut self, value: ValueId) -> ValueId {
        let ty = self.body.ty(value);
        let op = self.operation(handshake::Buffer::NAME, &[value], &[ty], &[]);
        set_buffer(self.context, self.body, op, BufferKind::Chain, 1, None);
        self.body.result(op, 0)
    }

    /// Emits a register for a bit that holds a token 0 after reset.
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

    /// Creates a placeholder for a value that is defined later.
    pub(crate) fn wire(&mut self, ty: Type) -> ValueId {
        self.one(builtin::UnrealizedConversionCast::NAME, &[], ty)
    }

    /// Replaces a placeholder by a value.
    pub(crate) fn connect(&mut self, wire: ValueId, value: ValueId) {
        let op = self.body.defining_operation(wire);
        self.body.replace_all_uses(wire, value);
        if let Some(op) = op {
            self.body.erase(op);
        }
    }
}

/// The kind of a buffer, numbered as in [`BUFFER_KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferKind {
    /// `seq`: a register stage.
    Chain = 0,
    /// `fifo`: tokens can pass an empty FIFO without delay.
    Fifo = 1,
}

/// Sets the buffer attributes of an operation.
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
