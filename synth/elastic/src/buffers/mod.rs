//! `place-buffers`: places registers and FIFOs on channels, so that the circuit has no combinational cycle, meets the clock
//! period, and no token waits for lack of buffer space.
//!
//! Values do not depend on buffers: the graph is deterministic. The steps are as follows. [`times`] finds the least intervals of
//! all loops at the clock period, with the arrival cycle and time of every signal. [`registers`] places the registers that these
//! times require, and no redundant ones. [`holding`] places slots where `ready` has a cycle or arrives late, at the least total
//! cost. [`slots`] adds slots to the shorter of reconvergent paths, as many as there are tokens in flight on the longer ones.
//! [`slack_buffers`] removes those slots whose tokens may wait elsewhere. [`timing`] cuts paths that the slots made too long.

mod cycles;
mod delays;
mod differences;
mod exact;
mod feedback_vertex_set;
mod holding;
mod loops;
mod needed;
mod network;
mod pace;
mod ready;
mod registers;
mod slack_buffers;
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

pub use exact::linear_program::{Answer, LinearProgram, Solve};
pub use exact::{Exactness, LoopRuns, place_buffers_exactly};
pub(crate) use loops::{Loop, loops};

/// The target of buffer placement.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The device.
    pub device: &'a Device,
    /// The clock period in ns.
    pub clock_period_ns: f64,
    /// The placement options.
    pub placing: Placing,
}

/// Options of buffer placement; none changes the function of a circuit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// Limit of paths, as a share of the period left for logic. Delays are those of single operations, but synthesis packs
    /// several gates into one look-up table, so values above 1 can be right.
    pub path_share: f64,
    /// The same limit for `ready` paths, which are often shared by many channels, and then short.
    pub ready_share: f64,
    /// The buffer that registers `ready` where tokens of loops come back.
    pub backs: Backs,
    /// Which tokens wait in buffers for throughput.
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

/// The buffer where tokens of loops come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backs {
    /// A register of two slots if no loop becomes slower by it, else a slot.
    Registers,
    /// A slot, independent of where the register of the cycle is.
    Slots,
    /// A slot before the branch that decides whether tokens come back, which tokens that leave the loop also pass.
    EarlySlots,
}

/// Which tokens get buffers to wait in, if they arrive before other operands of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// All of them.
    Kept,
    /// Those that cannot wait elsewhere in the steady state.
    Least,
    /// As `Least`, in registers instead of FIFOs: these shorten paths, but delay tokens that need not wait by a cycle.
    Registers,
}

impl<'a> Target<'a> {
    /// Returns the limit of a path between registers, in ns.
    fn path_ns(&self) -> f64 {
        self.usable_ns() * self.placing.path_share
    }

    /// Returns the limit of a `ready` path, in ns.
    fn ready_ns(&self) -> f64 {
        self.usable_ns() * self.placing.ready_share
    }

    /// Returns whether `ready` paths have a limit.
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

/// Share of the period from which on `ready` paths are not limited.
const UNTIMED: f64 = 100.0;

/// Selects units and places buffers in every graph of a module.
pub fn place_buffers(context: &Context, module: &mut Module, target: &Target<'_>) {
    for function in graphs(context, module) {
        let body = module.inner_mut().inner_mut(function);
        choose_units(context, body, target.device, target.clock_period_ns);
        cycles::start_with_both(context, body);
        by_rules(context, body, target);
        slots::note_intervals(context, body);
    }
}

/// Returns the placements for several room options, faster than placing each separately.
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
        cycles::start_with_both(context, body);
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

/// Returns the functions of a module that are non-empty graphs.
fn graphs(context: &Context, module: &Module) -> Vec<OperationId> {
    let mut functions = named(context, module, handshake::Func::NAME);
    functions.retain(|function| {
        let body = module.inner().inner(*function);
        let region = body.top_regions().next();
        region.is_some_and(|region| !body.blocks(region).is_empty())
    });
    functions
}

/// Returns the least path share between `least` and `most` for which no loop is slower than with `most`; `None` if `least` itself
/// makes none slower.
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

/// Relative accuracy of that share.
const FINE: f64 = 0.01;

/// Places buffers by rules in a graph whose units are selected.
fn by_rules(context: &Context, body: &mut Body, target: &Target<'_>) {
    cut_paths(context, body, target);
    give_room(context, body, target, target.placing.room);
}

/// Places the buffers that data and `ready` paths require.
fn cut_paths(context: &Context, body: &mut Body, target: &Target<'_>) {
    if !registers::place(context, body, target) {
        timing::cut(context, body, target);
        cycles::close(context, body);
        ready::cut(context, body, target);
    }
    // Slots lengthen token paths, and registers lengthen `ready` paths, so each step checks the result of the other.
    timing::cut(context, body, target);
    cycles::close(context, body);
}

/// Places the buffers in which tokens wait, and those that these require.
fn give_room(context: &Context, body: &mut Body, target: &Target<'_>, room: Room) {
    slots::add(context, body, room);
    slack_buffers::spare(context, body, room);
    timing::cut(context, body, target);
    slots::add(context, body, room);
    slack_buffers::spare(context, body, room);
}

/// Returns whether no loop in a module contains a choice between paths.
pub fn has_no_choices(context: &Context, module: &Module) -> bool {
    let mut functions = named(context, module, handshake::Func::NAME).into_iter();
    functions.all(|function| {
        let network = Network::of(Channels::new(context, module.inner().inner(function)));
        (0..network.loops.len()).all(|i| !network.chooses(Some(i)))
    })
}

/// Returns the geometric mean of the intervals of all loops in a module with buffers, in cycles; 1 if there are none.
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

/// Returns whether a buffer has this reason.
fn has_reason(context: &Context, body: &Body, op: OperationId, reason: &str) -> bool {
    let known = body.attribute_named(context, op, REASON);
    known.is_some_and(|known| known.as_str(context) == Some(reason))
}

/// A buffer to be placed on the channel of a use.
struct Wanted {
    kind: BufferKind,
    slots: u32,
    /// The signals that a register cuts; `None`: all of them.
    cut: Option<&'static str>,
    reason: &'static str,
}

/// Removes a buffer from its channel.
fn take_out(body: &mut Body, buffer: OperationId) {
    let (channel, before) = (body.result(buffer, 0), body.operand(buffer, 0));
    body.replace_all_uses(channel, before);
    body.erase(buffer);
}

/// Inserts a buffer on the channel of an operand; returns it.
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
