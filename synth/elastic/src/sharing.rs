//! `share-units`: lets operations share functional units, so that no more units of a class exist than the configuration permits.
//!
//! A shared operation remains an operation of the graph. It takes its operands in a cycle in which the unit takes no others, and
//! only if it has a credit, that is, a free slot for the result. So the unit never stalls, and no sharer waits for the consumer
//! of another one's result. Sharing therefore causes no other waiting than for a turn, which is bounded. As few operations of one
//! loop as possible share a unit, since each iteration needs a turn for each of them.
//!
//! Source: Josipović, Marmet, Guerrieri, Ienne, Resource sharing in dataflow circuits, FCCM 2022; Xu, Josipović, CRUSH: a credit-based approach
//! for functional unit sharing in dynamically scheduled HLS, ASPLOS 2025.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::handshake;
use sluice_dialects::sluice::{CREDITS, SHARED};
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, OperationId, ValueId};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;

use crate::buffers::{Loop, loops};
use crate::channels::Channels;
use crate::units::{class_of, mark, shared_unit};

/// Shares units in every graph of a module with more operations of a class than the limit in `limits`, which is indexed by class
/// names.
///
/// Products with a constant are not limited, nor are operations with only constant operands.
pub fn share_units(
    context: &Context,
    module: &mut Module,
    device: &Device,
    clock_period_ns: f64,
    limits: &BTreeMap<String, u32>,
) {
    // Unit numbers are unique in the module, because functions are inlined into others.
    let mut n_groups = 0;
    for function in named(context, module, handshake::Func::NAME) {
        let body = module.inner_mut().inner_mut(function);
        let region = body.top_regions().next();
        if region.is_none_or(|region| body.blocks(region).is_empty()) {
            continue;
        }
        for class in OperatorClass::ALL {
            let limit = limits.get(class.name());
            let Some(n_units) = limit.filter(|_| class.is_worth_sharing()) else {
                continue;
            };
            let groups = groups(Channels::new(context, body), class, *n_units as usize);
            for group in groups.into_iter().filter(|group| group.len() > 1) {
                let turns = Turns {
                    number: n_groups,
                    class,
                    group,
                };
                turns.say(context, body, device, clock_period_ns);
                n_groups += 1;
            }
        }
    }
}

/// An operation with its width, and the loops that contain it, innermost first.
struct Member {
    op: OperationId,
    width_bits: u32,
    around: Vec<usize>,
}

/// Distributes the operations of a class over as many groups as there are units; returns none if every operation can have its own
/// unit.
fn groups(channels: Channels<'_>, class: OperatorClass, n_units: usize) -> Vec<Vec<Member>> {
    let always: BTreeSet<ValueId> = channels.sourced().into_iter().collect();
    let found = loops(channels);
    let mut members = Vec::new();
    for op in channels.operations() {
        let Some((_, width_bits)) = class_of(channels, op).filter(|(of, _)| *of == class) else {
            continue;
        };
        let operands: Vec<ValueId> = channels.view(op).operands().collect();
        let is_constant = |operand: &ValueId| always.contains(operand);
        let is_free = match class {
            OperatorClass::Multiply => operands.iter().any(is_constant),
            _ => operands.iter().all(is_constant),
        };
        if !is_free {
            members.push(Member {
                op,
                width_bits,
                around: around(&found, op),
            });
        }
    }
    if members.len() <= n_units {
        return Vec::new();
    }
    let mut groups: Vec<Vec<Member>> = Vec::new();
    groups.resize_with(n_units, Vec::new);
    for member in members {
        let best = (0..groups.len()).min_by_key(|number| cost(&groups[*number], &member));
        groups[best.unwrap_or(0)].push(member);
    }
    groups
}

/// Returns the loops that contain an operation, innermost first.
fn around(loops: &[Loop], op: OperationId) -> Vec<usize> {
    let all = 0..loops.len();
    let mut around: Vec<usize> = all
        .filter(|number| loops[*number].operations.contains(&op))
        .collect();
    around.sort_by_key(|number| loops[*number].operations.len());
    around
}

/// Returns the cost of adding an operation to a group: turns per iteration, innermost loop first; then the number of other
/// sharers, then wasted bits.
fn cost(group: &[Member], new: &Member) -> (Vec<usize>, usize, u32) {
    let within = |number: &usize| {
        let others = group.iter();
        others.filter(|other| other.around.contains(number)).count()
    };
    let width_bits = group.iter().map(|member| member.width_bits).max();
    let spoilt_bits = width_bits.map_or(0, |width_bits| width_bits.abs_diff(new.width_bits));
    (
        new.around.iter().map(within).collect(),
        group.len(),
        spoilt_bits,
    )
}

/// Operations that share one unit.
struct Turns {
    number: u32,
    class: OperatorClass,
    group: Vec<Member>,
}

impl Turns {
    fn say(&self, context: &Context, body: &mut Body, device: &Device, clock_period_ns: f64) {
        let widths = self.group.iter().map(|member| member.width_bits);
        let width_bits = widths.max().unwrap_or(1);
        let n_sharers = self.group.len();
        let shared = shared_unit(device, self.class, width_bits, n_sharers, clock_period_ns);
        let way = shared.way;
        for member in &self.group {
            let credits = self.credits(member, way.latency_cycles);
            mark(context, body, member.op, self.class, &way);
            for (name, number) in [(SHARED, self.number), (CREDITS, credits)] {
                let number = context.i64_attribute(i64::from(number));
                body.set_attribute(member.op, context.name(name), number);
            }
        }
    }

    /// Returns the number of credits of an operation: as many tokens as arrive while one passes through the unit and its credit
    /// returns, if all sharers have one turn per iteration of the loop.
    fn credits(&self, member: &Member, latency_cycles: u32) -> u32 {
        if self.class != OperatorClass::Multiply {
            return 1;
        }
        let Some(innermost) = member.around.first() else {
            return 1;
        };
        let others = self.group.iter();
        let n_turns = others.filter(|other| other.around.contains(innermost));
        let n_turns = u32::try_from(n_turns.count()).unwrap_or(u32::MAX);
        (latency_cycles + 1).div_ceil(n_turns.max(1))
    }
}
