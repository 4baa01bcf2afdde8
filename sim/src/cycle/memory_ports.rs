//! Memories of a flattened module and their ports.

use sluice_dialects::storage::storage;
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, Context, TypeKind, View};

use super::elaborate::{Elaborator, Failed, MemoryModel, Net};

impl<'a> Elaborator<'a> {
    /// A memory without ports.
    pub(super) fn declare_memory(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let result = view.result(0);
        let Some((depth, width)) = memory_type(self.context, view) else {
            return self.fail(
                view,
                "only memories of integers with one dimension are simulated",
            );
        };
        let words = vec![Bits::zero(width); depth];
        self.nets
            .insert((scope, result), Net::Memory(self.memories.len()));
        self.memories.push(MemoryModel {
            storage: storage(view),
            words,
            reads: Vec::new(),
            writes: Vec::new(),
        });
        Ok(())
    }

    /// A port of a memory.
    pub(super) fn connect_port(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let operands: Vec<_> = view.operands().collect();
        let Net::Memory(memory) = self.net(view, (scope, operands[0]))? else {
            return self.fail(view, "a memory is expected");
        };
        match self.latency(view) {
            Some(1) => {}
            Some(0) if view.name() == "seq.read" => return Ok(()),
            _ => {
                let message = "only ports of latency 1, and read ports of latency 0, are simulated";
                return self.fail(view, message);
            }
        }
        let body = self.scopes[scope].module.inner();
        let gate = match body.defining_operation(operands[0]) {
            Some(memory) => self.gate(scope, view, body.operand(memory, 0))?,
            None => return self.fail(view, "a memory is expected"),
        };
        let address = self.term(scope, view, operands[1])?;
        if view.name() == "seq.read" {
            let data = self.term(scope, view, view.result(0))?;
            let enable = match operands.get(2) {
                Some(enable) => Some(self.term(scope, view, *enable)?),
                None => None,
            };
            let enable = match enable {
                Some(enable) => Some(self.gated(enable, gate)),
                None => gate,
            };
            let variable = self.variable_of(data);
            self.memories[memory]
                .reads
                .push((variable, address, enable));
        } else {
            let data = self.term(scope, view, operands[2])?;
            let enable = self.term(scope, view, operands[3])?;
            let enable = self.gated(enable, gate);
            self.memories[memory].writes.push((address, data, enable));
        }
        Ok(())
    }

    /// The cycles of a port of a memory.
    pub(super) fn latency(&self, view: View<'a>) -> Option<i64> {
        view.attribute("latency")?.as_i64(self.context)
    }
}

/// Words and bits per word of the memory an `seq.hlmem` declares.
fn memory_type(context: &Context, view: View<'_>) -> Option<(usize, u32)> {
    let TypeKind::Dialect { parameters, .. } = view.ty(view.result(0)).kind(context) else {
        return None;
    };
    let shape = parameters.first()?;
    let depth = match shape.kind(context) {
        AttributeKind::DenseArray { values, .. } if values.len() == 1 => {
            usize::try_from(values[0].to_u64()?).ok()?
        }
        _ => return None,
    };
    let width = parameters
        .get(1)?
        .as_type(context)?
        .integer_width_bits(context)?;
    Some((depth, width))
}
