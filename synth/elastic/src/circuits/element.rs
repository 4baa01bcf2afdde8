//! Creates the circuit of an operation by its kind: forward signals, `ready` signals and registers.

use sluice_ir::ValueId;
use sluice_netlist::error::Built;

use super::buffers::Chain;
use super::builder::{Builder, Forward};
use super::calls::Call;
use super::choices::{Branch, Merge, Mux};
use super::distribution::Distribution;
use super::fifos::Fifo;
use super::graph::{BufferKind, Kind, Node};
use super::memories::Memory;
use super::operators::{Division, Pipeline, joined, parts};
use super::shared::Shared;
use crate::circuits::builder::Element;

/// Creates the circuit of an operation of the graph; returns `None` for the return, which belongs to the boundary.
pub(crate) fn element(
    builder: &mut Builder<'_, '_>,
    node: &Node<'_>,
) -> Built<Option<Box<dyn Element>>> {
    let view = node.view;
    Ok(Some(match node.kind {
        Kind::Join => Box::new(Join),
        Kind::Pipeline { latency_cycles } => Box::new(Pipeline::new(builder, node, latency_cycles)),
        Kind::Division { latency_cycles } => Box::new(Division::new(builder, node, latency_cycles)),
        Kind::Shared { .. } => Box::new(Shared::new(builder, node)?),
        Kind::Call => Box::new(Call::new(builder, node)?),
        Kind::Distribute => {
            let is_steady = view.operands().all(|o| builder.facts.is_steady(o));
            Box::new(Distribute(Distribution::new(
                builder,
                view.results(),
                is_steady,
            )))
        }
        Kind::Source => Box::new(Always(true)),
        Kind::Never | Kind::Sink => Box::new(Always(false)),
        Kind::Mux => Box::new(Mux),
        Kind::Branch => Box::new(Branch),
        Kind::Merge => Box::new(Merge::new(builder, node)),
        Kind::Buffer {
            slots,
            kind: BufferKind::Fifo,
        } => Box::new(Fifo::new(builder, node, slots)),
        Kind::Buffer { slots, kind } => Box::new(Chain::new(builder, node, slots, kind)?),
        Kind::Load => Box::new(Load),
        Kind::Memory => Box::new(Memory::new(builder, node)?),
        Kind::Return => return Ok(None),
    }))
}

/// Joins all inputs into one output token, in the same cycle.
struct Join;

impl Element for Join {
    fn forward(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, _: usize) -> Built<Forward> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let valid = builder.all_valid(&operands);
        let data = joined(builder, node)?;
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let others = builder.others_valid(&operands, operand);
        let ready = builder.ready(node.view.result(0));
        builder.circuit.and(ready, others)
    }

    fn finish(&self, _: &mut Builder<'_, '_>, _: &Node<'_>) -> Built<()> {
        Ok(())
    }
}

/// Joins all inputs and distributes the token to every output.
struct Distribute(Distribution);

impl Element for Distribute {
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let valid = builder.all_valid(&operands);
        let valid = self.0.offered(builder, result, valid);
        let data = parts(builder, node, result);
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let others = builder.others_valid(&operands, operand);
        let settled = self.0.all_settled(builder);
        builder.circuit.and(settled, others)
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let valid = builder.all_valid(&operands);
        self.0.finish(builder, valid, &node.name);
        Ok(())
    }
}

/// Always or never offers a token, and takes every token.
struct Always(bool);

impl Element for Always {
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward> {
        let valid = builder.circuit.flag(self.0);
        let width_bits = builder.graph.width_bits(node.view.result(result));
        let zero = sluice_ir::bits::Bits::zero(width_bits.max(1));
        let data = (width_bits > 0).then(|| builder.circuit.constant(zero));
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, _: &Node<'_>, _: usize) -> ValueId {
        builder.circuit.flag(true)
    }

    fn finish(&self, _: &mut Builder<'_, '_>, _: &Node<'_>) -> Built<()> {
        Ok(())
    }
}

/// Sends address and order token as a request to the memory, and passes on the answer. Operands: address, data, order; results:
/// data, address.
struct Load;

impl Element for Load {
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward> {
        let [address, data, order] = [0, 1, 2].map(|i| node.view.operand(i));
        if result == 0 {
            return Ok(builder.forward(data));
        }
        let valid = builder.all_valid(&[address, order]);
        let data = builder.forward(address).data;
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        if operand == 1 {
            return builder.ready(node.view.result(0));
        }
        let other = builder.valid(node.view.operand(2 - operand));
        let ready = builder.ready(node.view.result(1));
        builder.circuit.and(ready, other)
    }

    fn finish(&self, _: &mut Builder<'_, '_>, _: &Node<'_>) -> Built<()> {
        Ok(())
    }
}
