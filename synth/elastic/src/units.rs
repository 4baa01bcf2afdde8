//! Selects the functional unit of each operation for a device and clock period: class, latency and structure.

use sluice_dialects::sluice::LATENCY;
use sluice_dialects::{arith, handshake, sluice};
use sluice_ir::{Body, Context, OperationId, View};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::implementation::{Implementation, Selection, Structure};

use crate::channels::Channels;

/// Sets `sluice.class`, `sluice.latency` and `sluice.structure` of every computation: the unit with the lowest latency that meets
/// the clock period, or the fastest one if none does. Operations that share a unit keep it.
pub(crate) fn choose_units(
    context: &Context,
    body: &mut Body,
    device: &Device,
    clock_period_ns: f64,
) {
    for op in body.walk_all() {
        let channels = Channels::new(context, body);
        let Some((class, width_bits)) = class_of(channels, op) else {
            continue;
        };
        if channels.shared(op).is_some() {
            continue;
        }
        let way = unit(device, class, width_bits, clock_period_ns);
        mark(context, body, op, class, &way);
    }
}

/// Sets the unit of a computation.
pub(crate) fn mark(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    class: OperatorClass,
    way: &Implementation,
) {
    let name = context.string_attribute(class.name());
    body.set_attribute(op, context.name(sluice::CLASS), name);
    if way.latency_cycles > 0 {
        let latency = context.i64_attribute(i64::from(way.latency_cycles));
        body.set_attribute(op, context.name(LATENCY), latency);
    }
    if way.structure != Structure::Combinational {
        let structure = context.string_attribute(way.structure.name());
        body.set_attribute(op, context.name(sluice::STRUCTURE), structure);
    }
}

/// Returns the unit that is selected for a class.
pub(crate) fn unit(
    device: &Device,
    class: OperatorClass,
    width_bits: u32,
    clock_period_ns: f64,
) -> Implementation {
    let fitting = device.implementation(class, width_bits, clock_period_ns);
    fitting.unwrap_or_else(|_| {
        let all = device.implementations(class, width_bits).into_iter();
        let fastest = all.min_by(|a, b| {
            let period = Implementation::min_usable_period_ns;
            period(a).total_cmp(&period(b))
        });
        fastest.unwrap_or(Implementation::FREE)
    })
}

/// Number of gates on a `valid` path that fit one look-up table.
const GATES_PER_TABLE: f64 = 2.0;

/// Returns the delay in ns of a gate with two or three inputs: two consecutive ones fit one look-up table.
pub(crate) fn gate_ns(device: &Device, clock_period_ns: f64) -> f64 {
    let table = unit(device, OperatorClass::Logic, 1, clock_period_ns);
    table.input_delay_ns * GATES_PER_TABLE.recip()
}

/// A unit that several operations share.
pub(crate) struct SharedUnit {
    pub(crate) way: Implementation,
    /// Delay in ns from `valid` of the operands to the result of the arbitration.
    pub(crate) turn_ns: f64,
    /// Delay in ns of the operand selection, from the arbitration or from the operands to the unit.
    pub(crate) choice_ns: f64,
}

/// Returns the unit of a class that several operations share: fast enough including the operand selection, with a latency of at
/// least one cycle, since the result at its output is overwritten in the next cycle.
pub(crate) fn shared_unit(
    device: &Device,
    class: OperatorClass,
    width_bits: u32,
    n_sharers: usize,
    clock_period_ns: f64,
) -> SharedUnit {
    let n_sharers = u32::try_from(n_sharers.max(1)).unwrap_or(u32::MAX);
    let gate_ns = gate_ns(device, clock_period_ns);
    let choice = device.mux(Selection::among(n_sharers), n_sharers, width_bits);
    let choice_ns = choice.unwrap_or(Implementation::FREE).input_delay_ns;
    let turn_ns = gate_ns * f64::from(n_sharers.ilog2() + 1);
    let usable_ns = device.usable_period_ns(clock_period_ns);
    let mut ways = device.implementations(class, width_bits).into_iter();
    let fitting = ways.find(|way| {
        way.min_usable_period_ns() <= usable_ns
            && turn_ns + choice_ns + way.input_delay_ns <= usable_ns
    });
    let mut way = fitting.unwrap_or_else(|| unit(device, class, width_bits, clock_period_ns));
    way.latency_cycles = way.latency_cycles.max(1);
    SharedUnit {
        way,
        turn_ns,
        choice_ns,
    }
}

/// Returns the class of a computation and the width at which it is characterised.
pub(crate) fn class_of(channels: Channels<'_>, op: OperationId) -> Option<(OperatorClass, u32)> {
    let view = channels.view(op);
    if !view.name().starts_with("arith.") {
        return None;
    }
    let mut class = OperatorClass::of(view)?;
    if (1..view.operands().len()).any(|i| is_constant(channels, view, i)) {
        class = class.with_constant_operand();
    }
    let measured = match view.name() {
        arith::Cmpi::NAME => view.operand(0),
        _ => view.result(0),
    };
    Some((class, channels.width_bits(measured)))
}

/// Returns whether an operand is always the same number.
fn is_constant(channels: Channels<'_>, view: View<'_>, operand: usize) -> bool {
    let mut channel = view.operand(operand);
    while let Some((op, _)) = channels.maker(channel) {
        match channels.view(op).name() {
            handshake::Fork::NAME | handshake::LazyFork::NAME => {
                channel = channels.body.operand(op, 0)
            }
            handshake::Constant::NAME => return true,
            _ => return false,
        }
    }
    false
}
