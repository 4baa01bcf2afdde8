//! `place-buffers`: registers and queues on channels, so that the circuit has no combinational ring, keeps the clock, and nothing
//! waits for room.
//!
//! Values do not depend on buffers: the graph is deterministic. In this order: the shortest intervals of all loops that the clock allows are
//! found, with the cycle and the time in it of every signal ([`times`]); registers are put where these times ask for them, none of them for
//! nothing ([`registers`]); slots where `ready` would go round or comes late, together the cheapest ([`holding`]); where paths of different
//! latencies meet, the shorter ones get as many slots as tokens are under way on the longer ones ([`slots`]), as far as these may not wait where
//! they are ([`room`]), and what slots make late is cut ([`timing`]).

mod cover;
mod delays;
mod differences;
mod exact;
mod holding;
mod loops;
mod needed;
mod network;
mod pace;
mod ready;
mod registers;
mod rings;
mod room;
mod slots;
mod times;
mod timing;
mod turns;

use sluice_dialects::handshake;
use sluice_dialects::sluice::REASON;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, NewOperation, OperationId};
use sluice_oplib::device::Device;

use crate::channels::{Channels, Use};
use crate::graph::{BufferKind, set_buffer};
use crate::units::choose_units;
use delays::Delays;
use network::Network;
use times::Clocked;

pub use exact::programme::{Answer, Programme, Solve};
pub use exact::{Exactness, LoopRuns, place_buffers_exactly};
pub(crate) use loops::{Loop, loops};

/// For what buffers are placed.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The device.
    pub device: &'a Device,
    /// The clock period in ns.
    pub clock_period_ns: f64,
    /// How.
    pub placing: Placing,
}

/// How buffers are placed: none of it changes what a circuit computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// What paths may take, as a share of what the period leaves for logic. The delays here are those of operations one by one; synthesis
    /// makes look-up tables of several gates, so more than 1 may be right.
    pub path_share: f64,
    /// The same for ways of `ready`, which are often the same for many channels, and then short.
    pub ready_share: f64,
    /// What holds `ready` where tokens of loops come back.
    pub backs: Backs,
    /// What waits in buffers for throughput.
    pub room: Room,
}

impl Default for Placing {
    fn default() -> Self {
        Self {
            path_share: 1.0,
            ready_share: 1.0,
            backs: Backs::Registers,
            room: Room::Kept,
        }
    }
}

/// What stands where tokens of loops come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backs {
    /// A register of two slots where no loop is slower by it, else a slot.
    Registers,
    /// A slot, wherever the register of the ring is.
    Slots,
    /// The same in front of the branch that decides whether they come back: what leaves the loop passes it as well.
    EarlySlots,
}

/// Which tokens that come before others of an operation get buffers to wait in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// All.
    Kept,
    /// Those that may not wait where they are, in a steady state.
    Least,
    /// The same, in registers instead of queues: these make paths shorter, but what need not wait waits a cycle.
    Registers,
}

impl<'a> Target<'a> {
    /// What a path between registers may take, in ns.
    fn path_ns(&self) -> f64 {
        self.usable_ns() * self.placing.path_share
    }

    /// What a way of `ready` may take, in ns.
    fn ready_ns(&self) -> f64 {
        self.usable_ns() * self.placing.ready_share
    }

    /// Whether ways of `ready` may not be as long as they like.
    fn times_ready(&self) -> bool {
        self.placing.ready_share < UNTIMED
    }

    fn delays(&self) -> Delays<'a> {
        Delays {
            device: self.device,
            clock_period_ns: self.clock_period_ns,
        }
    }

    fn usable_ns(&self) -> f64 {
        let usable_ns = self.device.usable_period_ns(self.clock_period_ns);
        usable_ns * (1.0 - self.device.path_margin)
    }
}

/// Share of the period from which on ways of `ready` are as long as they like.
const UNTIMED: f64 = 100.0;

/// Chooses units, and places buffers in every graph of a module.
pub fn place_buffers(context: &Context, module: &mut Module, target: &Target<'_>) {
    for function in graphs(context, module) {
        let body = module.inner_mut().inner_mut(function);
        choose_units(context, body, target.device, target.clock_period_ns);
        rings::start_with_both(context, body);
        by_rules(context, body, target);
        slots::note_intervals(context, body);
    }
}

/// The same for each of several rooms, in less time than one by one.
pub fn place_buffers_for_rooms(
    context: &Context,
    mut module: Module,
    target: &Target<'_>,
    rooms: &[Room],
) -> Vec<Module> {
    let functions = graphs(context, &module);
    for function in &functions {
        let body = module.inner_mut().inner_mut(*function);
        choose_units(context, body, target.device, target.clock_period_ns);
        rings::start_with_both(context, body);
        cut_paths(context, body, target);
    }
    let placed = rooms.iter().map(|room| {
        let mut module = module.clone();
        for function in &functions {
            let body = module.inner_mut().inner_mut(*function);
            give_room(context, body, target, *room);
            slots::note_intervals(context, body);
        }
        module
    });
    placed.collect()
}

/// The functions of a module that are graphs with something in them.
fn graphs(context: &Context, module: &Module) -> Vec<OperationId> {
    let mut functions = named(context, module, handshake::Func::NAME);
    functions.retain(|function| {
        let body = module.inner().inner(*function);
        let region = body.top_regions().next();
        region.is_some_and(|region| !body.blocks(region).is_empty())
    });
    functions
}

/// The least share of the period for paths, from one down to another, with which no loop is slower than with the first; `None` where the other
/// makes none slower either.
pub fn tightest_path_share(
    context: &Context,
    module: &Module,
    target: &Target<'_>,
    (most, least): (f64, f64),
) -> Option<f64> {
    let mut module = module.clone();
    let functions = named(context, &module, handshake::Func::NAME);
    for function in &functions {
        let body = module.inner_mut().inner_mut(*function);
        choose_units(context, body, target.device, target.clock_period_ns);
    }
    let networks: Vec<Network<'_>> = functions
        .iter()
        .map(|function| Network::of(Channels::new(context, module.inner().inner(*function))))
        .collect();
    let delays = target.delays();
    let intervals = |share: f64| -> Vec<Option<Vec<u32>>> {
        let path_ns = target.usable_ns() * share;
        let clocked = networks.iter().map(|n| Clocked::new(n, &delays, path_ns));
        clocked
            .map(|clocked| clocked.fastest().map(|found| found.intervals))
            .collect()
    };
    let known = intervals(most);
    if intervals(least) == known {
        return None;
    }
    let (mut too_low, mut share) = (least, most);
    while too_low * (1.0 + FINE) < share {
        let middle = f64::midpoint(too_low, share);
        match intervals(middle) == known {
            true => share = middle,
            false => too_low = middle,
        }
    }
    Some(share)
}

/// How near a share is found to the least one, as a share of it.
const FINE: f64 = 0.01;

/// Places buffers in a graph whose units are chosen.
fn by_rules(context: &Context, body: &mut Body, target: &Target<'_>) {
    cut_paths(context, body, target);
    give_room(context, body, target, target.placing.room);
}

/// Places the buffers that paths and ways of `ready` ask for.
fn cut_paths(context: &Context, body: &mut Body, target: &Target<'_>) {
    if !registers::place(context, body, target) {
        timing::cut(context, body, target);
        rings::close(context, body);
        ready::cut(context, body, target);
    }
    // Slots are on paths of tokens, and registers for the clock make ways longer: each looks at what the other did.
    timing::cut(context, body, target);
    rings::close(context, body);
}

/// Places the buffers in which tokens wait, and what these ask for.
fn give_room(context: &Context, body: &mut Body, target: &Target<'_>, room: Room) {
    slots::add(context, body, room);
    room::spare(context, body, room);
    timing::cut(context, body, target);
    slots::add(context, body, room);
    room::spare(context, body, room);
}

/// Whether no loop in a module takes one of several ways.
pub fn has_no_choices(context: &Context, module: &Module) -> bool {
    let mut functions = named(context, module, handshake::Func::NAME).into_iter();
    functions.all(|function| {
        let network = Network::of(Channels::new(context, module.inner().inner(function)));
        (0..network.loops.len()).all(|i| !network.chooses(Some(i)))
    })
}

/// The geometric mean of the intervals of all loops in a module with buffers, in cycles; 1 where there are none.
pub fn mean_interval_cycles(context: &Context, module: &Module) -> f64 {
    let (mut sum, mut n_loops) = (0.0, 0.0);
    for function in named(context, module, handshake::Func::NAME) {
        let body = module.inner().inner(function);
        let channels = Channels::new(context, body);
        for op in channels.operations() {
            if let Some(interval) = channels.number(op, sluice_dialects::sluice::II) {
                sum += f64::from(interval).ln();
                n_loops += 1.0;
            }
        }
    }
    if n_loops > 0.0 {
        (sum / n_loops).exp()
    } else {
        1.0
    }
}

/// Whether a buffer is where it is for a reason.
fn has_reason(context: &Context, body: &Body, op: OperationId, reason: &str) -> bool {
    let known = body.attribute_named(context, op, REASON);
    known.is_some_and(|known| known.as_str(context) == Some(reason))
}

/// A buffer to be put on the channel of a use.
struct Wanted {
    kind: BufferKind,
    slots: u32,
    /// What a chain cuts; `None`: everything.
    cut: Option<&'static str>,
    reason: &'static str,
}

/// Takes a buffer out of its channel.
fn take_out(body: &mut Body, buffer: OperationId) {
    let (channel, before) = (body.result(buffer, 0), body.operand(buffer, 0));
    body.replace_all_uses(channel, before);
    body.erase(buffer);
}

/// Puts a buffer on the channel that an operand is; returns it.
fn insert(context: &Context, body: &mut Body, at: Use, wanted: &Wanted) -> OperationId {
    let (user, index) = at;
    let channel = body.operand(user, index);
    let name = context.operation_name(handshake::Buffer::NAME);
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
