//! Lowers `arc.memory` and its ports to `seq.firmem`.

use sluice_dialects::{
    arc::{self, Memory},
    comb, seq,
};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, OperationId, Type, ValueId, View};

use super::Lowering;
use super::registers::Edge;
use crate::circuits::maker::Maker;

/// A `seq.firmem` that replaces an `arc.memory`.
struct Made {
    memory: Memory,
    handle: ValueId,
    is_masked: bool,
}

/// The address that a port uses.
struct Place {
    address: ValueId,
    /// True if the address is in bounds; `None` if every address is.
    is_there: Option<ValueId>,
}

impl Lowering<'_> {
    /// Replaces a memory by a `seq.firmem`, and its ports by ports of the new memory.
    pub(super) fn memory(&mut self, body: &mut Body, op: OperationId, callers: &mut Vec<String>) {
        let context = self.context;
        let old = body.results(op)[0];
        let Some(memory) = arc::memory(context, body.ty(old)) else {
            return;
        };
        let ports: Vec<OperationId> = body
            .walk_all()
            .into_iter()
            .filter(|port| body.operands(*port).any(|value| value == old))
            .collect();
        let is_port = |op: &OperationId| {
            let name = context.operation_text(body.name(*op));
            matches!(name, arc::MemoryReadPort::NAME | arc::MemoryWritePort::NAME)
        };
        if let Some(other) = ports.iter().find(|op| !is_port(op)) {
            let message = format!(
                "`{}` of a memory: only its ports, in the same module, have a circuit",
                context.operation_text(body.name(*other))
            );
            self.found.error(body.location(*other), message);
            return;
        }
        let is_masked = ports
            .iter()
            .any(|port| body.attribute_named(context, *port, "mask").is_some());
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let width = memory.word.width_bits(context).unwrap_or(0);
        let mut parts = vec![
            context.i64_attribute(number(memory.n_words)),
            context.i64_attribute(i64::from(width)),
        ];
        if is_masked {
            // One mask bit per data bit.
            parts.push(context.i64_attribute(i64::from(width)));
        }
        let ty = context.dialect_type(seq::Firmem::NAME, &parts);
        let small =
            |n: u64| context.integer_attribute(context.integer_type(32), Bits::from_u64(32, n));
        let mut attributes = vec![
            ("readLatency", small(0)),
            ("writeLatency", small(1)),
            ("ruw", small(0)),
            ("wuw", small(1)),
        ];
        let wanted = body.attribute_named(context, op, "name");
        let given = body
            .value_name(old)
            .map(|name| context.string_attribute(context.text(name)));
        attributes.extend(wanted.or(given).map(|name| ("name", name)));
        let mut maker = Maker::before(context, body, op);
        let handle = maker.one(seq::Firmem::NAME, &[], ty, &attributes);
        let made = Made {
            memory,
            handle,
            is_masked,
        };
        for port in ports {
            match context.operation_text(body.name(port)) {
                arc::MemoryReadPort::NAME => self.read(body, port, &made),
                _ => self.write(body, port, &made, callers),
            }
        }
        // A port remains if there was an error.
        if body.uses(old).next().is_none() {
            body.erase(op);
        }
    }

    fn read(&mut self, body: &mut Body, port: OperationId, made: &Made) {
        let context = self.context;
        let address = View::new(context, body, port).operand(1);
        let mut maker = Maker::before(context, body, port);
        let place = maker.place(&made.memory, address);
        // A combinational read needs no clock, so a constant one is connected.
        let still = context.dialect_type("seq.clock", &[]);
        let low = sluice_dialects::seq::clock_constant(context, false);
        let clock = maker.one(seq::ConstClock::NAME, &[], still, &[("value", low)]);
        let operands = [made.handle, place.address, clock];
        let mut word = maker.one(seq::FirmemReadPort::NAME, &operands, made.memory.word, &[]);
        if let Some(is_there) = place.is_there {
            let width = maker.width(word);
            let zero = maker.constant(Bits::zero(width));
            word = maker.mux(is_there, word, zero);
        }
        self.replace(body, port, &[word]);
    }

    fn write(
        &mut self,
        body: &mut Body,
        port: OperationId,
        made: &Made,
        callers: &mut Vec<String>,
    ) {
        let context = self.context;
        let view = View::new(context, body, port);
        let (inputs, clock) = (view.operand_group(1), view.operand_group(2));
        let Some(clock) = clock.first().copied() else {
            return;
        };
        let has = |name: &str| view.attribute(name).is_some();
        let (is_enabled, is_masked) = (has("enable"), has("mask"));
        let latency = view.attribute("latency").and_then(|a| a.as_i64(context));
        let latency = latency.unwrap_or(1);
        if self.is_too_long(view) {
            return;
        }
        let Some(values) = self.called(body, port, &inputs, callers) else {
            return;
        };
        let edge = Edge {
            clock,
            enable: None,
            reset: None,
        };
        let mut maker = Maker::before(context, body, port);
        let mut values = values.into_iter().map(|value| {
            (1..latency).fold(value, |value, _| maker.register(value, edge, None, None))
        });
        let (Some(address), Some(data)) = (values.next(), values.next()) else {
            return;
        };
        let enable = if is_enabled { values.next() } else { None };
        let mask = if is_masked { values.next() } else { None };
        drop(values);
        let place = maker.place(&made.memory, address);
        let enable = match (place.is_there, enable) {
            (Some(is_there), Some(enable)) => {
                Some(maker.comb(comb::And::NAME, &[is_there, enable]))
            }
            (one, other) => one.or(other),
        };
        let mut operands = vec![made.handle, place.address, clock];
        operands.extend(enable);
        operands.push(data);
        operands.extend(mask.filter(|_| made.is_masked));
        let sizes = [
            1,
            1,
            1,
            i32::from(enable.is_some()),
            1,
            i32::from(mask.is_some()),
        ];
        let sizes = context.dense_i32_array(&sizes);
        let attributes = [("operandSegmentSizes", sizes)];
        maker.builder.operation(
            seq::FirmemWritePort::NAME,
            &operands,
            &[] as &[Type],
            &attributes,
        );
        body.erase(port);
    }
}

impl Maker<'_> {
    /// Converts an address to the width that `seq.firmem` requires, and emits the bounds check.
    fn place(&mut self, memory: &Memory, address: ValueId) -> Place {
        let context = self.context();
        let (found, n_words) = (self.width(address), memory.n_words);
        let wanted = n_words.checked_next_power_of_two();
        let wanted = wanted.map_or(64, u64::trailing_zeros).max(1);
        let is_all = u64::from(found) < 64 && n_words >= 1 << found;
        let is_there = (!is_all).then(|| {
            let end = self.constant(Bits::from_u64(found.min(64), n_words).zext(found));
            let below = context.i64_attribute(6);
            let bit = context.integer_type(1);
            self.one(
                comb::Icmp::NAME,
                &[address, end],
                bit,
                &[("predicate", below)],
            )
        });
        let address = if found > wanted {
            self.extract(address, 0, wanted)
        } else if found < wanted {
            let zeros = self.constant(Bits::zero(wanted - found));
            self.concat(&[zeros, address])
        } else {
            address
        };
        Place { address, is_there }
    }
}
