//! Shared units: the unit with an operand selection before it, and a FIFO for the results of each operation.
//!
//! If several operations could start in a cycle, the last one in text order does. The unit never stalls: an operation only starts
//! if it has a credit, that is, a FIFO slot that is not reserved for another result.

use sluice_dialects::sluice::LATENCY;
use sluice_ir::ValueId;
use sluice_netlist::error::{Built, broken};
use sluice_netlist::generators::UnitKind;
use sluice_netlist::operators::unit_kind;
use sluice_netlist::source::number;

use super::builder::{Builder, Forward};
use super::fifos::Fifo;
use super::graph::{Kind, Node};
use super::memories::select;
use super::operators::counted_down;
use crate::circuits::builder::{Element, SharedUnit, Sharer};

impl Sharer {
    /// Emits the test whether a credit is left.
    fn has_credit(&self, builder: &mut Builder<'_, '_>) -> ValueId {
        let last = *self.spent.last().expect("there is a credit");
        builder.circuit.not(last)
    }
}

impl SharedUnit {
    /// Emits the test whether an operation could start if no later one did.
    fn asks(&self, builder: &mut Builder<'_, '_>, place: usize) -> ValueId {
        let sharer = &self.sharers[place];
        let valid = builder.all_valid(&sharer.operands);
        let credit = sharer.has_credit(builder);
        builder.circuit.and(valid, credit)
    }

    /// Emits the test whether the unit accepts operands, and no later operation starts.
    fn is_free(&self, builder: &mut Builder<'_, '_>, place: usize) -> ValueId {
        let later = place + 1..self.sharers.len();
        let mut others: Vec<ValueId> = later.map(|place| self.asks(builder, place)).collect();
        others.extend(self.divider.map(|(_, works)| works));
        let taken = builder.circuit.any(&others);
        builder.circuit.not(taken)
    }

    /// Emits the test whether an operation starts.
    fn begins(&self, builder: &mut Builder<'_, '_>, place: usize) -> ValueId {
        let asks = self.asks(builder, place);
        let free = self.is_free(builder, place);
        builder.circuit.and(asks, free)
    }
}

/// An operation that shares a unit.
pub(crate) struct Shared {
    unit: u32,
    latency_cycles: u32,
    /// Its index among the operations that share the unit.
    place: usize,
    /// Placeholders: for a multiplier, whether its token is in each stage; for a divider, whether the current division is its
    /// own.
    own: Vec<ValueId>,
    fifo: Fifo,
}

impl Shared {
    /// # Errors
    /// An operation that does not match the shared unit.
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<Self> {
        let Kind::Shared {
            unit,
            latency_cycles,
            credits,
        } = node.kind
        else {
            return Err(broken(
                node.view,
                "expected an operation that shares a unit",
            ));
        };
        let width_bits = width_bits(builder, unit);
        let kind = unit_kind(node.view, Some(width_bits), latency_cycles, false)?;
        let is_divider = matches!(kind, Some(UnitKind::Divider { .. }));
        if !builder.shared.contains_key(&unit) {
            let made = SharedUnit {
                result: builder.circuit.wire(width_bits),
                divider: is_divider.then(|| (builder.circuit.wire(1), builder.circuit.wire(1))),
                sharers: Vec::new(),
            };
            builder.shared.insert(unit, made);
        }
        let mut wires =
            |n: u32| -> Vec<ValueId> { (0..n).map(|_| builder.circuit.wire(1)).collect() };
        let sharer = Sharer {
            operands: node.view.operands().collect(),
            spent: wires(credits),
        };
        let own = wires(if is_divider { 1 } else { latency_cycles });
        let first = builder.graph.sharers(unit).next();
        let is_alike = first.is_some_and(|first| {
            let latency = |node: &Node<'_>| number(node.view, LATENCY);
            first.view.name() == node.view.name() && latency(first) == latency(node)
        });
        if !is_alike {
            let message = "expected one operation with one `sluice.latency` at a unit";
            return Err(broken(node.view, message));
        }
        let known = builder.shared.get_mut(&unit).expect("it was made");
        known.sharers.push(sharer);
        Ok(Self {
            unit,
            latency_cycles,
            place: known.sharers.len() - 1,
            own,
            fifo: Fifo::in_front_of(builder, node.view.result(0), credits, false),
        })
    }

    fn unit(&self, builder: &Builder<'_, '_>) -> SharedUnit {
        builder.shared[&self.unit].clone()
    }

    /// Returns the output of the unit for this operation.
    fn arrives(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Forward {
        let unit = self.unit(builder);
        let own = *self.own.last().expect("a unit takes a cycle at least");
        let valid = match unit.divider {
            Some((answers, _)) => builder.circuit.and(answers, own),
            None => own,
        };
        let width_bits = builder.graph.width_bits(node.view.result(0));
        let data = builder.circuit.extract(unit.result, 0, width_bits);
        Forward {
            valid,
            data: Some(data),
        }
    }

    /// Creates the registers that tell which operation owns the tokens in the unit, and how many credits are in use.
    fn count(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) {
        let unit = self.unit(builder);
        let begins = unit.begins(builder, self.place);
        let name = format!("{}_own", node.name);
        match unit.divider {
            Some((answers, _)) => {
                let waits = builder.circuit.not(answers);
                let keeps = builder.circuit.and(self.own[0], waits);
                let next = builder.circuit.any(&[begins, keeps]);
                builder.keep_bit(self.own[0], next, false, &name);
            }
            None => {
                let mut comes = begins;
                for wire in &self.own {
                    builder.keep_bit(*wire, comes, false, &name);
                    comes = *wire;
                }
            }
        }
        let output = node.view.result(0);
        let (valid, ready) = (builder.valid(output), builder.ready(output));
        let leaves = builder.circuit.and(valid, ready);
        let (stays, waits) = (builder.circuit.not(leaves), builder.circuit.not(begins));
        let more = builder.circuit.and(begins, stays);
        let fewer = builder.circuit.and(leaves, waits);
        let spent = &unit.sharers[self.place].spent;
        for (i, wire) in spent.iter().enumerate() {
            let below = match i {
                0 => builder.circuit.flag(true),
                _ => spent[i - 1],
            };
            let above = spent.get(i + 1).copied();
            let above = above.unwrap_or_else(|| builder.circuit.flag(false));
            let less = builder.circuit.mux(fewer, above, *wire);
            let next = builder.circuit.mux(more, below, less);
            let name = format!("{}_spent{i}", node.name);
            builder.keep_bit(*wire, next, false, &name);
        }
    }

    /// Creates the unit itself, with the operands of the operation that starts.
    fn unit_of_all(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let unit = self.unit(builder);
        let width_bits = builder.circuit.width(unit.result);
        let kind = unit_kind(node.view, Some(width_bits), self.latency_cycles, false)?;
        let kind = kind.ok_or_else(|| broken(node.view, "expected a product or a division"))?;
        let kind = kind.alone();
        let begin: Vec<ValueId> = (0..unit.sharers.len())
            .map(|place| unit.begins(builder, place))
            .collect();
        let mut sides = Vec::new();
        for side in 0..2 {
            let mut nets = Vec::new();
            for sharer in &unit.sharers {
                let net = sharer.operands.get(side);
                let net = net.and_then(|operand| builder.forward(*operand).data);
                let net = net.ok_or_else(|| broken(node.view, "expected operands with data"))?;
                let is_narrow = builder.circuit.width(net) < width_bits;
                nets.push(match is_narrow {
                    true if kind.is_signed() => builder.circuit.sext(net, width_bits),
                    true => builder.circuit.zext(net, width_bits),
                    false => net,
                });
            }
            sides.push(select(builder, &nets, &begin));
        }
        let start = builder.circuit.any(&begin);
        let circuit = &mut builder.circuit;
        let result = kind.instantiate(circuit, None, Some(start), sides[0], sides[1]);
        circuit.connect(unit.result, result);
        builder.units.insert(kind);
        if let Some((answers, works)) = unit.divider {
            let name = format!("{}_unit", node.name);
            let arrives = counted_down(builder, start, works, self.latency_cycles, &name);
            builder.keep_bit(answers, arrives, false, &format!("{name}_answers"));
        }
        Ok(())
    }
}

/// Returns the width of a unit: that of the widest operation.
fn width_bits(builder: &Builder<'_, '_>, unit: u32) -> u32 {
    let sharers = builder.graph.sharers(unit);
    let widths = sharers.map(|node| builder.graph.width_bits(node.view.result(0)));
    widths.max().unwrap_or(1).max(1)
}

impl Element for Shared {
    fn forward(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, _: usize) -> Built<Forward> {
        let arrives = self.arrives(builder, node);
        Ok(self.fifo.passed(builder, arrives))
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let unit = self.unit(builder);
        let others = builder.others_valid(&operands, operand);
        let credit = unit.sharers[self.place].has_credit(builder);
        let free = unit.is_free(builder, self.place);
        builder.circuit.all(&[others, credit, free])
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        builder.circuit.location = node.view.location();
        if self.place == 0 {
            self.unit_of_all(builder, node)?;
        }
        self.count(builder, node);
        let arrives = self.arrives(builder, node);
        self.fifo.keep(builder, node, arrives);
        Ok(())
    }
}
