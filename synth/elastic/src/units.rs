//! The units of operations: class, cycles and structure, as a device has them for a clock period.

use sluice_ir::{Body, Context, OperationId, View};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::implementation::{Implementation, Structure};

use crate::channels::{Channels, LATENCY};

/// Says `sluice.class`, `sluice.latency` and `sluice.structure` of every computation: the unit of least latency that keeps the clock,
/// or the fastest one where none does.
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
        let way = unit(device, class, width_bits, clock_period_ns);
        let name = context.string_attribute(class.name());
        body.set_attribute(op, context.name("sluice.class"), name);
        if way.latency_cycles > 0 {
            let latency = context.i64_attribute(i64::from(way.latency_cycles));
            body.set_attribute(op, context.name(LATENCY), latency);
        }
        if way.structure != Structure::Combinational {
            let structure = context.string_attribute(way.structure.name());
            body.set_attribute(op, context.name("sluice.structure"), structure);
        }
    }
}

/// The unit of a class that is taken.
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
            let period = Implementation::least_usable_period_ns;
            period(a).total_cmp(&period(b))
        });
        fastest.unwrap_or(Implementation::FREE)
    })
}

/// The class of a computation and the width that its figures are for.
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
        "arith.cmpi" => view.operand(0),
        _ => view.result(0),
    };
    Some((class, channels.width_bits(measured)))
}

/// Whether an operand is the same number always.
fn is_constant(channels: Channels<'_>, view: View<'_>, operand: usize) -> bool {
    let mut channel = view.operand(operand);
    while let Some((op, _)) = channels.maker(channel) {
        match channels.view(op).name() {
            "handshake.fork" | "handshake.lazy_fork" => channel = channels.body.operand(op, 0),
            "handshake.constant" => return true,
            _ => return false,
        }
    }
    false
}
