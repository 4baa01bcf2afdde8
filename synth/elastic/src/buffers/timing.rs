//! Paths that are longer than the clock period get registers.

use std::collections::{HashMap, HashSet};

use sluice_ir::{Body, Context, OperationId, ValueId};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::implementation::{Implementation, Selection};

use crate::channels::{Channels, LATENCY, Use, is_memory};
use crate::graph::BufferKind;
use crate::units::{class_of, unit};

use super::rings::at_once;
use super::{Wanted, insert};

/// A register on a path.
const REGISTER: Wanted = Wanted {
    kind: BufferKind::Chain,
    slots: 1,
    cut: Some("data"),
    reason: "clock",
};

/// Delays of a device, in ns.
struct Delays<'a> {
    device: &'a Device,
    clock_period_ns: f64,
}

impl Delays<'_> {
    /// From the operands of an operation to a result, or to its first registers.
    fn of(&self, channels: Channels<'_>, op: OperationId, result: usize) -> Stage {
        let view = channels.view(op);
        let gate = unit(self.device, OperatorClass::Logic, 1, self.clock_period_ns).input_delay_ns;
        let through = |delay_ns: f64| Stage {
            before_ns: delay_ns,
            after_ns: None,
        };
        match view.name() {
            "handshake.mux" => {
                let width_bits = channels.width_bits(view.result(0)).max(1);
                let n_inputs = u32::try_from(view.operands().len() - 1).unwrap_or(2);
                let choice = self.device.mux(Selection::FirstThatHolds, n_inputs, width_bits);
                through(choice.unwrap_or(Implementation::FREE).input_delay_ns.max(gate))
            }
            "handshake.fork" | "handshake.cond_br" => through(gate),
            // An access is wired to its port: all of the way to the memory counts here.
            "handshake.load" if result == 0 => through(0.0),
            "handshake.load" | "handshake.store" => through(gate + self.port().input_delay_ns),
            "handshake.join" | "handshake.sync" | "handshake.merge" | "handshake.control_merge" => through(gate),
            "handshake.buffer" if !channels.is_queue(op) => Stage {
                before_ns: 0.0,
                after_ns: Some(0.0),
            },
            "handshake.buffer" => through(gate),
            _ if is_memory(view) => Stage {
                before_ns: 0.0,
                after_ns: Some(self.port().output_delay_ns),
            },
            _ => match class_of(channels, op) {
                Some((class, width_bits)) => {
                    let way = unit(self.device, class, width_bits.max(1), self.clock_period_ns);
                    let is_pipelined = channels.number(op, LATENCY).unwrap_or(0) > 0;
                    Stage {
                        before_ns: way.input_delay_ns,
                        after_ns: is_pipelined.then_some(way.output_delay_ns),
                    }
                }
                None => through(0.0),
            },
        }
    }
}

impl Delays<'_> {
    fn port(&self) -> Implementation {
        let mut reads = self.device.implementations(OperatorClass::MemoryRead, 1);
        reads.pop().unwrap_or(Implementation::FREE)
    }
}

/// An operation on a path.
struct Stage {
    /// From its operands to its results, or to its first registers.
    before_ns: f64,
    /// From its last registers to its results, where it has registers.
    after_ns: Option<f64>,
}

/// Puts registers on channels whose tokens come too late for what follows.
pub(super) fn cut(context: &Context, body: &mut Body, device: &Device, clock_period_ns: f64) {
    let usable_ns = device.usable_period_ns(clock_period_ns) * (1.0 - device.path_margin);
    let delays = Delays {
        device,
        clock_period_ns,
    };
    let late = late(Channels::new(context, body), &delays, usable_ns);
    for at in late {
        insert(context, body, at, &REGISTER);
    }
}

/// The uses in front of which a register is needed.
fn late(channels: Channels<'_>, delays: &Delays<'_>, usable_ns: f64) -> Vec<Use> {
    let always: HashSet<ValueId> = channels.sourced().into_iter().collect();
    let mut arrivals: HashMap<ValueId, f64> = HashMap::new();
    let mut found = Vec::new();
    for channel in channels.in_order(&|channel| at_once(channels, channel)) {
        let Some((op, result)) = channels.maker(channel) else {
            arrivals.insert(channel, 0.0);
            continue;
        };
        let stage = delays.of(channels, op, result);
        let mut latest_ns: f64 = 0.0;
        for passage in channels.passages(op, result) {
            let at = (op, passage.operand);
            let before = channels.body.operand(op, passage.operand);
            if always.contains(&before) {
                continue;
            }
            let arrival_ns = arrivals.get(&before).copied().unwrap_or(0.0);
            let is_late = !is_memory(channels.view(op))
                && arrival_ns > 0.0
                && arrival_ns + stage.before_ns > usable_ns;
            if is_late && !found.contains(&at) {
                found.push(at);
            }
            if !is_late {
                latest_ns = latest_ns.max(arrival_ns);
            }
        }
        arrivals.insert(channel, stage.after_ns.unwrap_or(latest_ns + stage.before_ns));
    }
    found
}
