//! Exact buffer placement by mixed integer linear programs: first the least intervals of all loops, then the fewest bits of
//! slots.
//!
//! Every channel that may have buffers has three variables: the number of registers in a row, which cut data and `valid`; whether
//! there is a FIFO, which cuts `ready`; and its number of slots. Arrival times on both sides of the buffers meet the clock period
//! ([`paths`]). Token times in the steady state give the intervals and the required slots ([`steady`]). For fixed intervals the
//! second program is linear, so nothing is rounded. A choice counts as its longest side.
//!
//! Source: Josipović, Sheikhha, Guerrieri, Ienne, Cortadella, Buffer placement and sizing for high-performance dataflow circuits,
//! FPGA 2020; Rizzi, Guerrieri, Ienne, Josipović, A comprehensive timing model for accurate frequency tuning in dataflow
//! circuits, FPL 2022. Differs: loops are those of the program structure, all in one program, with an inner loop as one passage.
//! Times replace retiming variables. A second program places slots at the intervals of the first.

pub(crate) mod linear_program;
mod paths;
mod placing;
mod steady;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use sluice_ir::passes::named;
use sluice_ir::{Context, Module, OperationId};

use crate::channels::Channels;
use crate::units::choose_units;

use super::network::{Network, Wire};
use super::times::Clocked;
use super::{Room, Target, by_rules, cycles, slots};
use linear_program::{Answer, LinearProgram, Solve, value};
use paths::{Choice, Paths};
use placing::{Buffer, place};
use steady::{Found, Pace, Weights};

/// Number of iterations of loops in a run, by function and first-iteration register of the loop.
pub type LoopRuns = BTreeMap<(OperationId, OperationId), f64>;

/// The result of exact buffer placement for a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Exactness {
    /// The function.
    pub function: OperationId,
    /// A description of the solution and of its proved optimality.
    pub sentence: String,
    /// Operations that are too slow for any buffer placement.
    pub too_slow: Vec<String>,
}

/// Selects units, and places buffers by linear programs in every graph of a module; by rules if a program is not solved.
pub fn place_buffers_exactly(
    context: &Context,
    module: &mut Module,
    target: &Target<'_>,
    iterated: &LoopRuns,
    solve: &Solve<'_>,
) -> Vec<Exactness> {
    let mut said = Vec::new();
    for function in named(context, module, "handshake.func") {
        let body = module.inner_mut().inner_mut(function);
        let region = body.top_regions().next();
        if region.is_none_or(|region| body.blocks(region).is_empty()) {
            continue;
        }
        choose_units(context, body, target.device, target.clock_period_ns);
        cycles::start_with_both(context, body);
        let own = iterated.iter().filter(|((of, _), _)| *of == function);
        let iterated = own.map(|((_, starter), n)| (*starter, *n)).collect();
        let (plan, too_slow) = {
            let network = Network::of(Channels::new(context, body));
            let plan = plan(&network, target, &iterated, solve);
            let paths = Paths::new(&network, target);
            let too_slow = paths.too_slow().into_iter();
            let too_slow = too_slow.map(|(op, time_ns)| slow(&network, op, time_ns, target));
            (plan, too_slow.collect())
        };
        let sentence = match plan {
            Ok(plan) => {
                place(context, body, &plan.buffers);
                cycles::close(context, body);
                match plan.has_room {
                    true => slots::widen(context, body),
                    false => slots::add(context, body, Room::Kept),
                }
                plan.sentence
            }
            Err(why) => {
                by_rules(context, body, target);
                format!("buffers: by rules, since the linear program was not solved: {why}")
            }
        };
        slots::note_intervals(context, body);
        said.push(Exactness {
            function,
            sentence,
            too_slow,
        });
    }
    said
}

/// The buffers for all channels, and their description.
struct Plan {
    buffers: Vec<Buffer>,
    /// True if throughput slots are included.
    has_room: bool,
    sentence: String,
}

/// A solution with its cost.
struct Solved {
    values: Vec<f64>,
    cost: f64,
    /// A proved lower bound of the cost.
    bound: Option<f64>,
}

impl Solved {
    /// Solves a program.
    ///
    /// # Errors
    /// The reason why there is no solution, as the channels that are late for any buffers.
    fn of(
        network: &Network<'_>,
        program: &LinearProgram,
        solve: &Solve<'_>,
    ) -> Result<Self, String> {
        match solve(program) {
            Answer::Found { values, bound } => Ok(Self {
                cost: program.cost_of(&values),
                values,
                bound,
            }),
            Answer::Infeasible => Err(conflict(network, program, solve)),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// Describes the proved optimality.
    fn proof(&self) -> String {
        match self.bound {
            Some(bound) => {
                let gap = (self.cost - bound).max(0.0) / self.cost.abs().max(1e-9);
                match () {
                    () if gap < NO_GAP => "the least".to_owned(),
                    () if gap < PROVED_GAP => "the least within 0.2 %".to_owned(),
                    () => format!("{bound:.2} at least, gap {:.1} %", 100.0 * gap),
                }
            }
            None => "nothing proved".to_owned(),
        }
    }
}

/// Explains why a program is infeasible: the violated rows of the solution with the least total violation.
fn conflict(network: &Network<'_>, program: &LinearProgram, solve: &Solve<'_>) -> String {
    let missed = match solve(&program.relaxed()) {
        Answer::Found { values, .. } => program.missed(&values),
        Answer::Infeasible | Answer::Unknown(_) => Vec::new(),
    };
    let missed = missed.into_iter().take(MAX_NAMED).map(|(subject, by)| {
        let channel = network.wires[subject.wire].channel;
        let (name, unit) = (slots::name(network.channels, channel), subject.unit);
        format!("{name} is {by:.3} {unit} late")
    });
    let missed: Vec<String> = missed.collect();
    match missed.is_empty() {
        true => "it has no solution".to_owned(),
        false => format!("it has no solution, at best {}", missed.join(", ")),
    }
}

/// Maximum number of channels that are named.
const MAX_NAMED: usize = 3;

/// A relative gap that is only due to rounding.
const NO_GAP: f64 = 1e-6;

/// A relative gap below which the solution is reported as nearly optimal.
const PROVED_GAP: f64 = 2e-3;

fn plan(
    network: &Network<'_>,
    target: &Target<'_>,
    iterated: &BTreeMap<OperationId, f64>,
    solve: &Solve<'_>,
) -> Result<Plan, String> {
    let paths = Paths::new(network, target);
    let weights = Weights::of(network, iterated);
    let mut fastest = LinearProgram::default();
    let choices = choices(&mut fastest, network, &|_| 1);
    paths.ask(&mut fastest, &choices);
    let least = least(network, target);
    let pace = Pace::least(&mut fastest, network, &choices, &weights, &least);
    prefer_few(&mut fastest, network, &choices);
    let first = Solved::of(network, &fastest, solve)?;
    let found = pace.found(&first.values);
    let said = format!(
        "buffers: by a linear program; {:.2} cycles between iterations, weighted ({})",
        first.cost,
        first.proof()
    );
    let registers: Vec<f64> = choices
        .iter()
        .map(|choice| choice.map_or(0.0, |c| value(&first.values, c.registers).round()))
        .collect();
    // Fallback: with the registers of the first program fixed, the second one is much smaller.
    let free = with_room(network, &paths, &found, None, solve);
    let room = free.or_else(|_| {
        let (buffers, second) = with_room(network, &paths, &found, Some(&registers), solve)?;
        let bound = None;
        Ok((buffers, Solved { bound, ..second }))
    });
    match room {
        Ok((buffers, second)) => Ok(Plan {
            buffers,
            has_room: true,
            sentence: format!(
                "{said}; {:.0} bits of slots ({})",
                second.cost,
                second.proof()
            ),
        }),
        Err(why) => {
            let why: String = why;
            let chosen = network.wires.iter().zip(&choices);
            let buffers = chosen.filter_map(|(wire, choice)| {
                let choice = (*choice)?;
                Some(Buffer {
                    at: wire.user,
                    registers: rounded(value(&first.values, choice.registers)),
                    slots: rounded(value(&first.values, choice.holds_ready)),
                })
            });
            Ok(Plan {
                buffers: buffers.collect(),
                has_room: false,
                sentence: format!(
                    "{said}; slots by rules, since their linear program was not solved: {why}"
                ),
            })
        }
    }
}

/// Returns lower bounds of the loop intervals, assuming that `ready` takes no time and no buffer lengthens a path.
fn least(network: &Network<'_>, target: &Target<'_>) -> Vec<u32> {
    let clocked = Clocked::new(network, &target.delays(), target.path_ns());
    let found = clocked.fastest();
    found.map_or_else(|| vec![1; network.loops.len()], |found| found.least)
}

/// Places slots with the fewest bits at the given intervals, with free registers or with given ones.
fn with_room(
    network: &Network<'_>,
    paths: &Paths<'_>,
    found: &Found,
    registers: Option<&[f64]>,
    solve: &Solve<'_>,
) -> Result<(Vec<Buffer>, Solved), String> {
    let mut smallest = LinearProgram::default();
    // If iterations may take a shorter path, registers that only hold waiting tokens would make it longer.
    let most = |inside: Option<usize>| match network.chooses(inside) {
        true => 1,
        false => MAX_REGISTERS,
    };
    let choices = choices(&mut smallest, network, &most);
    paths.ask(&mut smallest, &choices);
    for (i, n) in registers.into_iter().flatten().enumerate() {
        if let Some(choice) = choices[i] {
            smallest.fix(choice.registers, *n);
            smallest.fix(choice.is_cut, n.min(1.0));
        }
    }
    let rooms = steady::room(&mut smallest, network, &choices, found);
    for (wire, room) in network.wires.iter().zip(&rooms) {
        let Some(room) = room else {
            continue;
        };
        let bits = f64::from(wire.width_bits);
        let factor = match network.chooses(wire.inside) {
            true => WAY_MADE_LONGER,
            false => 1.0,
        };
        smallest.cost(room.choice.registers, bits * factor);
        smallest.cost(room.slots, bits);
        smallest.cost(room.choice.holds_ready, QUEUE);
    }
    let solved = Solved::of(network, &smallest, solve)?;
    let chosen = network.wires.iter().zip(&rooms);
    let buffers = chosen.filter_map(|(wire, room)| {
        let room = room.as_ref()?;
        Some(Buffer {
            at: wire.user,
            registers: rounded(value(&solved.values, room.choice.registers)),
            slots: rounded(value(&solved.values, room.slots)),
        })
    });
    Ok((buffers.collect(), solved))
}

/// Maximum number of registers in a row.
const MAX_REGISTERS: u32 = 8;

/// Cost of a register relative to a slot, where it may lengthen a path that is not the longest one.
const WAY_MADE_LONGER: f64 = 3.0;

/// Cost in bits of a FIFO in addition to its slots.
const QUEUE: f64 = 1.0;

/// Weight of all buffers together in the objective, in cycles of interval.
const BUFFERS_CYCLES: f64 = 0.02;

/// Adds a small cost per bit, so that among placements with equal intervals the one with the fewest bits is chosen.
fn prefer_few(program: &mut LinearProgram, network: &Network<'_>, choices: &[Option<Choice>]) {
    let bits = |wire: &Wire| f64::from(wire.width_bits);
    let sum: f64 = network.wires.iter().map(bits).sum();
    for (wire, choice) in network.wires.iter().zip(choices) {
        if let Some(choice) = choice {
            let share = BUFFERS_CYCLES * bits(wire) / sum.max(1.0);
            program.cost(choice.registers, share);
            program.cost(choice.holds_ready, share);
        }
    }
}

fn choices(
    program: &mut LinearProgram,
    network: &Network<'_>,
    max_registers: &dyn Fn(Option<usize>) -> u32,
) -> Vec<Option<Choice>> {
    let wires = network.wires.iter();
    wires
        .map(|wire| {
            wire.is_free.then(|| {
                let most = max_registers(wire.inside);
                let is_cut = program.whole(1);
                let registers = match most {
                    1 => is_cut,
                    most => {
                        let registers = program.whole(most);
                        program.at_least(registers, is_cut);
                        let all = linear_program::Sum::of(0.0).plus(f64::from(most), is_cut);
                        program.at_least(all, registers);
                        registers
                    }
                };
                Choice {
                    registers,
                    is_cut,
                    holds_ready: program.whole(1),
                }
            })
        })
        .collect()
}

/// Rounds a value to the nearest whole number.
fn rounded(value: f64) -> u32 {
    (0..=MAX_WHOLE)
        .find(|n| f64::from(*n) + 0.5 > value)
        .unwrap_or(MAX_WHOLE)
}

/// An upper bound of any number of slots.
const MAX_WHOLE: u32 = 1 << 10;

fn slow(network: &Network<'_>, op: OperationId, time_ns: f64, target: &Target<'_>) -> String {
    let view = network.channels.view(op);
    let what = match view.results().first() {
        Some(result) => slots::name(network.channels, *result),
        None => format!("`{}`", view.name().trim_start_matches("handshake.")),
    };
    format!(
        "{what} takes {time_ns:.2} ns by itself, more than the {:.2} ns that buffers are placed for",
        target.path_ns()
    )
}
