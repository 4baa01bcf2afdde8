//! Places registers where the earliest times for the least intervals require them, and slots where `ready` has a cycle or arrives
//! late.

use std::collections::BTreeSet;

use sluice_dialects::sluice;
use sluice_ir::{Body, Context, OperationId};

use super::network::Network;
use super::times::Clocked;
use super::{Backs, Target, Wanted, cycles, has_reason, insert, ready, take_out, timing};
use crate::channels::{Channels, Use};
use crate::graph::BufferKind;

/// Maximum number of iterations that place registers for newly added slots.
const MAX_ITERATIONS: usize = 3;

/// Places registers and the slots that `ready` requires; returns whether there is a solution.
pub(super) fn place(context: &Context, body: &mut Body, target: &Target<'_>) -> bool {
    let backs = target.placing.backs;
    let has_registers = backs == Backs::Registers;
    if !has_registers {
        cycles::hold_backs(context, body, backs == Backs::EarlySlots);
    }
    for iteration in 0..MAX_ITERATIONS {
        let Some(mut found) = wanted(Channels::new(context, body), target) else {
            return false;
        };
        if iteration == 0 && has_registers && !found.open_backs.is_empty() {
            let mut tried = body.clone();
            for at in &found.open_backs {
                insert(context, &mut tried, *at, &cycles::SLOT);
            }
            let with_slots = wanted(Channels::new(context, &tried), target);
            if let Some(with_slots) = with_slots.filter(|with| with.intervals == found.intervals) {
                (*body, found) = (tried, with_slots);
            }
        }
        let n_slots = n_fifos(Channels::new(context, body));
        for (at, buffer) in found.buffers {
            insert(context, body, at, &buffer);
        }
        let is_done = n_fifos(Channels::new(context, body)) == n_slots;
        if is_done || iteration + 1 == MAX_ITERATIONS {
            break;
        }
        for register in registers_of(Channels::new(context, body)) {
            take_out(body, register);
        }
    }
    join(context, body);
    true
}

/// The requirements of a graph for a clock period.
struct Needs {
    intervals: Vec<u32>,
    /// Registers, and slots that register `ready`.
    buffers: Vec<(Use, Wanted)>,
    /// Channels where tokens of loops come back and a register would slow down the loop.
    open_backs: Vec<Use>,
}

/// Computes the required buffers.
fn wanted(channels: Channels<'_>, target: &Target<'_>) -> Option<Needs> {
    let network = Network::of(channels);
    let delays = target.delays();
    let mut clocked = Clocked::new(&network, &delays, target.path_ns());
    let times = clocked.fastest()?;
    let times = match target.placing.backs {
        Backs::Registers => clocked.cut_backs(times),
        Backs::Slots | Backs::EarlySlots => times,
    };
    let chosen = clocked.registers(&times);
    let ready_ns = Some(target.ready_ns()).filter(|_| target.times_ready());
    let holding = clocked.holding(&chosen, &delays, ready_ns);
    let slots = holding.iter().filter(|(wire, _)| !chosen[**wire]);
    let slots = slots.map(|(wire, closes_cycle)| {
        let slot = match closes_cycle {
            true => cycles::SLOT,
            false => ready::SLOT,
        };
        (network.wires[*wire].user, slot)
    });
    let registers = (0..chosen.len()).filter(|wire| chosen[*wire]);
    let registers = registers.map(|i| {
        // Where tokens come back, the register also registers `ready`, which keeps `ready` paths short.
        let cut = match clocked.is_cut(i) || holding.contains_key(&i) {
            true => None,
            false => Some("data"),
        };
        let reason = match !clocked.is_cut(i) && clocked.is_late(i, times.times[i].at) {
            true => timing::CLOCK,
            false => cycles::CYCLE,
        };
        let register = Wanted {
            kind: BufferKind::Chain,
            slots: 1,
            cut,
            reason,
        };
        (network.wires[i].user, register)
    });
    let backs = clocked.backs().into_iter();
    let open = backs.filter(|wire| !clocked.is_cut(*wire));
    Some(Needs {
        buffers: registers.chain(slots).collect(),
        open_backs: open.map(|wire| network.wires[wire].user).collect(),
        intervals: times.intervals,
    })
}

fn n_fifos(channels: Channels<'_>) -> usize {
    let operations = channels.operations().into_iter();
    operations.filter(|op| channels.is_fifo(*op)).count()
}

/// Returns the registers that this pass placed.
fn registers_of(channels: Channels<'_>) -> Vec<OperationId> {
    let mut operations = channels.operations();
    operations.retain(|op| {
        let is = |reason| has_reason(channels.context, channels.body, *op, reason);
        !channels.is_fifo(*op) && (is(timing::CLOCK) || is(cycles::CYCLE))
    });
    operations
}

/// Merges an adjacent register and slot into a register of two slots.
fn join(context: &Context, body: &mut Body) {
    let channels = Channels::new(context, body);
    let mut joined = Vec::new();
    let mut gone = BTreeSet::new();
    for register in registers_of(channels) {
        if channels.holds_ready(register) {
            continue;
        }
        let is_slot = |op: &OperationId| {
            channels.is_fifo(*op)
                && channels.number(*op, "slots") == Some(1)
                && !channels.is_pending(*op)
        };
        let maker = channels.maker(body.operand(register, 0));
        let user = channels.user(body.result(register, 0));
        let beside = [maker.map(|(op, _)| op), user.map(|(op, _)| op)];
        let slot = beside.into_iter().flatten().find(is_slot);
        if let Some(slot) = slot.filter(|slot| gone.insert(*slot)) {
            joined.push((register, slot));
        }
    }
    for (register, slot) in joined {
        take_out(body, slot);
        body.remove_attribute(register, context.name(sluice::CUT));
    }
}
