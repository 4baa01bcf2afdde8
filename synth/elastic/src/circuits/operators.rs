//! Computations on tokens: combinational, in registers that advance together, or in an iterative divider.

use sluice_dialects::{arith, handshake, hw, predicate::Predicate};
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, ValueId};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::generators::UnitKind;
use sluice_netlist::operators::{combinational, unit_kind};
use sluice_netlist::source::number;

use super::builder::{Builder, Forward};
use super::graph::Node;
use crate::circuits::builder::Element;

/// Returns the data of the only result of a join.
pub(crate) fn joined(builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<Option<ValueId>> {
    let view = node.view;
    let width_bits = builder.graph.width_bits(view.result(0));
    if width_bits == 0 {
        return Ok(None);
    }
    let operands: Vec<ValueId> = view.operands().collect();
    let nets = builder.data(&operands);
    builder.circuit.location = view.location();
    Ok(Some(match view.name() {
        handshake::Pack::NAME | hw::StructCreate::NAME => builder.circuit.concat(&nets),
        hw::StructExtract::NAME => {
            let places = hw::field_places(view.context, view.ty(view.operand(0)));
            let field = number(view, "fieldIndex").unwrap_or(0) as usize;
            let place = places.and_then(|places| places.get(field).copied());
            let (low, width_bits) = place.ok_or_else(|| broken(view, "expected a field"))?;
            builder.part(nets[0], low, width_bits)
        }
        handshake::Branch::NAME => nets[0],
        handshake::Constant::NAME | arith::Constant::NAME => {
            let value = view.attribute("value").map(|a| a.kind(view.context));
            let Some(AttributeKind::Integer { value, .. }) = value else {
                return Err(broken(view, "expected an integer as the value"));
            };
            // Constants of type `index` are stored with their own width.
            let value = match value.width() < width_bits {
                true => value.sext(width_bits),
                false => value.extract(0, width_bits),
            };
            builder.circuit.constant(value)
        }
        arith::IndexCast::NAME | arith::IndexCastui::NAME => {
            let from = builder.circuit.width(nets[0]);
            match view.name() {
                _ if width_bits <= from => builder.circuit.extract(nets[0], 0, width_bits),
                arith::IndexCast::NAME => builder.circuit.sext(nets[0], width_bits),
                _ => builder.circuit.zext(nets[0], width_bits),
            }
        }
        _ => computed(builder, node, &nets)?,
    }))
}

/// Emits an `arith` operation without latency.
fn computed(builder: &mut Builder<'_, '_>, node: &Node<'_>, nets: &[ValueId]) -> Built<ValueId> {
    let view = node.view;
    if nets.len() != view.operands().len() {
        return Err(broken(view, "expected operands with data"));
    }
    let is_constant = nets
        .iter()
        .any(|net| builder.circuit.constant_of(*net).is_some());
    match unit_kind(view, None, 0, is_constant)? {
        Some(kind) => Ok(kind.instantiate(&mut builder.circuit, None, None, nets[0], nets[1])),
        None => combinational(&mut builder.circuit, view, nets),
    }
}

/// Returns the data of a result of `fork`, `sync`, `unpack` or `store`.
pub(crate) fn parts(
    builder: &mut Builder<'_, '_>,
    node: &Node<'_>,
    result: usize,
) -> Option<ValueId> {
    let view = node.view;
    match view.name() {
        handshake::Sync::NAME => builder.forward(view.operand(result)).data,
        // Operands: address, data, order; results: data, address.
        handshake::Store::NAME => builder.forward(view.operand(1 - result)).data,
        handshake::Unpack::NAME => {
            let whole = builder.forward(view.operand(0)).data?;
            let widths = view.results().iter();
            let widths: Vec<u32> = widths.map(|r| builder.graph.width_bits(*r)).collect();
            // The first part is in the highest bits.
            let low = widths[result + 1..].iter().sum();
            match widths[result] {
                0 => None,
                width_bits => Some(builder.part(whole, low, width_bits)),
            }
        }
        _ => builder.forward(view.operand(0)).data,
    }
}

/// A pipelined operator whose registers all advance if the last one is empty or its token is taken.
pub(crate) struct Pipeline {
    /// Placeholders: whether there is a token in each register, from the operands to the result.
    valid: Vec<ValueId>,
    data: Option<ValueId>,
}

impl Pipeline {
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>, latency_cycles: u32) -> Self {
        Self {
            valid: (0..latency_cycles)
                .map(|_| builder.circuit.wire(1))
                .collect(),
            data: builder.data_wire(node.view.result(0)),
        }
    }

    fn last(&self) -> ValueId {
        *self.valid.last().expect("a pipeline has a register")
    }
}

/// Emits the test whether the pipeline may advance, given `valid` of its last register.
fn advances(builder: &mut Builder<'_, '_>, node: &Node<'_>, valid: ValueId) -> ValueId {
    let ready = builder.ready(node.view.result(0));
    let empty = builder.circuit.not(valid);
    builder.circuit.any(&[empty, ready])
}

impl Element for Pipeline {
    fn forward(&self, _: &mut Builder<'_, '_>, _: &Node<'_>, _: usize) -> Built<Forward> {
        Ok(Forward {
            valid: self.last(),
            data: self.data,
        })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let others = builder.others_valid(&operands, operand);
        let advances = advances(builder, node, self.last());
        builder.circuit.and(advances, others)
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let advances = advances(builder, node, self.last());
        let enable = builder
            .circuit
            .constant_of(advances)
            .is_none()
            .then_some(advances);
        let nets = builder.data(&operands);
        let latency_cycles = self.valid.len();
        if let Some(wire) = self.data {
            builder.circuit.location = node.view.location();
            let cycles = u32::try_from(latency_cycles).unwrap_or(u32::MAX);
            match unit_kind(node.view, None, cycles, false)? {
                Some(kind) => {
                    let kind = kind.stalling(enable.is_some());
                    let [left, right] = [nets[0], nets[1]];
                    let circuit = &mut builder.circuit;
                    let result = kind.instantiate(circuit, enable, None, left, right);
                    circuit.connect(wire, result);
                    builder.units.insert(kind);
                }
                None => {
                    let mut data = joined(builder, node)?.expect("it has data");
                    let name = format!("{}_data", node.name);
                    for _ in 1..latency_cycles {
                        let next = builder.circuit.wire(builder.circuit.width(wire));
                        builder.keep(next, data, enable, None, &name);
                        data = next;
                    }
                    builder.keep(wire, data, enable, None, &name);
                }
            }
        }
        let mut comes = builder.all_valid(&operands);
        let name = format!("{}_full", node.name);
        for wire in &self.valid {
            let next = match enable {
                Some(enable) => builder.circuit.mux(enable, comes, *wire),
                None => comes,
            };
            builder.keep_bit(*wire, next, false, &name);
            comes = *wire;
        }
        Ok(())
    }
}

/// An iterative divider: it processes one token at a time, and holds its result until that is taken.
pub(crate) struct Division {
    latency_cycles: u32,
    /// Placeholder: whether the result is available.
    answers: ValueId,
    /// Placeholder: whether a division is in progress.
    works: ValueId,
    data: ValueId,
}

impl Division {
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>, latency_cycles: u32) -> Self {
        let width_bits = builder.graph.width_bits(node.view.result(0)).max(1);
        Self {
            latency_cycles,
            answers: builder.circuit.wire(1),
            works: builder.circuit.wire(1),
            data: builder.circuit.wire(width_bits),
        }
    }

    fn takes(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> ValueId {
        let idle = builder.circuit.not(self.works);
        let free = advances(builder, node, self.answers);
        match self.latency_cycles {
            1 => free,
            _ => builder.circuit.and(idle, free),
        }
    }
}

impl Element for Division {
    fn forward(&self, _: &mut Builder<'_, '_>, _: &Node<'_>, _: usize) -> Built<Forward> {
        Ok(Forward {
            valid: self.answers,
            data: Some(self.data),
        })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let others = builder.others_valid(&operands, operand);
        let takes = self.takes(builder, node);
        builder.circuit.and(takes, others)
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let nets = builder.data(&operands);
        let [left, right] = nets[..] else {
            return Err(broken(node.view, "expected operands with data"));
        };
        let name = &node.name;
        builder.circuit.location = node.view.location();
        let moves = advances(builder, node, self.answers);
        let enable = builder
            .circuit
            .constant_of(moves)
            .is_none()
            .then_some(moves);
        let valid = builder.all_valid(&operands);
        let takes = self.takes(builder, node);
        let start = builder.circuit.and(valid, takes);
        let kind = unit_kind(node.view, None, self.latency_cycles, false)?
            .filter(|kind| matches!(kind, UnitKind::Divider { .. }))
            .ok_or_else(|| broken(node.view, "expected a division"))?;
        let kind = kind.alone().stalling(enable.is_some());
        let circuit = &mut builder.circuit;
        let result = kind.instantiate(circuit, enable, Some(start), left, right);
        circuit.connect(self.data, result);
        builder.units.insert(kind);

        let stuck = builder.circuit.not(moves);
        let stays = builder.circuit.and(self.answers, stuck);
        let arrives = counted_down(builder, start, self.works, self.latency_cycles, name);
        let next = builder.circuit.any(&[arrives, stays]);
        builder.keep_bit(self.answers, next, false, &format!("{name}_full"));
        Ok(())
    }
}

/// Creates the register `works` of a divider that is started; returns whether its result is available in the next cycle.
pub(crate) fn counted_down(
    builder: &mut Builder<'_, '_>,
    start: ValueId,
    works: ValueId,
    latency_cycles: u32,
    name: &str,
) -> ValueId {
    if latency_cycles == 1 {
        let no = builder.circuit.flag(false);
        builder.circuit.connect(works, no);
        return start;
    }
    let left_bits = u32::BITS - (latency_cycles - 1).leading_zeros();
    let left = builder.circuit.wire(left_bits);
    let one = builder.circuit.constant(Bits::from_u64(left_bits, 1));
    let last = builder.circuit.compare(Predicate::Eq, left, one);
    let arrives = builder.circuit.and(works, last);
    let less = builder.circuit.comb("sub", &[left, one]);
    let all = Bits::from_u64(left_bits, u64::from(latency_cycles - 1));
    let all = builder.circuit.constant(all);
    let next = builder.circuit.mux(start, all, less);
    let goes_on = builder.circuit.not(arrives);
    let goes_on = builder.circuit.and(works, goes_on);
    let works_next = builder.circuit.any(&[start, goes_on]);
    builder.keep(left, next, None, None, &format!("{name}_cycles_left"));
    builder.keep_bit(works, works_next, false, &format!("{name}_works"));
    arrives
}
