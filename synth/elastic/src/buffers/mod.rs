//! `place-buffers`: registers and queues on channels, so that the circuit has no combinational ring, keeps the clock, and nothing
//! waits for room.
//!
//! Values do not depend on buffers: the graph is deterministic. In this order: every ring gets a register where it has no latency, and a
//! slot where `ready` would go round ([`rings`]); paths that are longer than the clock period are cut ([`timing`]); where paths of
//! different latencies meet, the shorter ones get as many slots as tokens are under way on the longer ones ([`slots`]).

mod delays;
mod loops;
mod pace;
mod ready;
mod rings;
mod slots;
mod timing;

use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, NewOperation, OperationId};
use sluice_oplib::device::Device;

use crate::channels::Use;
use crate::graph::{BufferKind, set_buffer};
use crate::units::choose_units;

/// Why a buffer is where it is: the attribute says so, for reports.
const REASON: &str = "sluice.reason";

/// Chooses units, and places buffers in every graph of a module, for a device and a clock period in ns.
pub fn place_buffers(
    context: &Context,
    module: &mut Module,
    device: &Device,
    clock_period_ns: f64,
) {
    for function in named(context, module, "handshake.func") {
        let body = module.inner_mut().inner_mut(function);
        let is_declared = body
            .top_regions()
            .next()
            .is_none_or(|r| body.blocks(r).is_empty());
        if is_declared {
            continue;
        }
        choose_units(context, body, device, clock_period_ns);
        rings::cut(context, body);
        timing::cut(context, body, device, clock_period_ns);
        slots::add(context, body);
        ready::cut(context, body, device, clock_period_ns);
    }
}

/// A buffer to be put on the channel of a use.
struct Wanted {
    kind: BufferKind,
    slots: u32,
    /// What a chain cuts; `None`: everything.
    cut: Option<&'static str>,
    reason: &'static str,
}

/// Puts a buffer on the channel that an operand is; returns it.
fn insert(context: &Context, body: &mut Body, at: Use, wanted: &Wanted) -> OperationId {
    let (user, index) = at;
    let channel = body.operand(user, index);
    let name = context.operation_name("handshake.buffer");
    let mut new = NewOperation::new(name, body.value_location(channel));
    new.operands = [channel].into_iter().collect();
    new.result_types = [body.ty(channel)].into_iter().collect();
    let op = body.create(context, new);
    set_buffer(context, body, op, wanted.kind, wanted.slots, wanted.cut);
    let reason = context.string_attribute(wanted.reason);
    body.set_attribute(op, context.name(REASON), reason);
    body.insert_before(user, op);
    let result = body.result(op, 0);
    body.set_operand(user, index, result);
    op
}
