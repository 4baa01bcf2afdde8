//! Sizing of the FIFOs between loops: the smallest depths at which a graph takes no more cycles than with unbounded FIFOs.
//!
//! Depths are found by simulation. More slots only let tokens move on earlier, so each FIFO has a minimum depth. It is found by
//! bisection while the other depths stay fixed; depths found before stay minimal when others shrink.
//!
//! *A run is a proof* if no condition depends on data: the graph has no operation that chooses by arrival time. Therefore the
//! tokens that are made, and whether they fit, do not depend on when they arrive (Kahn, The semantics of a simple language for
//! parallel programming, 1974; a FIFO of `n` slots is a reverse channel with `n` tokens). If one run finishes, all runs do, for
//! any random delays. A pipeline whose registers move together holds at least one token, so it has one place in the proving run:
//! a graph that finishes with one place also finishes with more.

use std::collections::BTreeSet;

use sluice_dialects::sluice::{CHANNEL, DEADLOCK_FREE, DEPTH_WANTED, WORDS};
use sluice_dialects::{handshake, interface::ArgumentPorts, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::{
    Body, Context, Diagnostics, Location, Module, OperationId, TypeKind, ValueId, View,
};
use sluice_kernel::choices;
use sluice_kernel::frontend::interface_of;
use sluice_sim::interpreter::Argument;
use sluice_sim::tokens::{Deadlock, TokenError, TokenSimulator};
use sluice_verify::data::{Case, DataFile, Random};

use crate::setting::{Setting, manager};

/// Cycles after which a run is stopped.
const MAX_CYCLES: u64 = 1 << 21;

/// Maximum cycles of a run for which depths are searched. For longer runs, the depth follows from the largest number of words
/// that waited.
const MAX_SEARCHED_CYCLES: u64 = 1 << 17;

/// Number of data sets that are run if conditions depend on data.
const N_DATA_SETS: usize = 4;

/// A FIFO of a graph.
struct Queue {
    op: OperationId,
    name: String,
    location: Location,
    /// Number of words that pass through it: as a depth, this is as good as unbounded.
    n_words: u32,
    wanted: Option<u32>,
}

/// Chooses the depth of every FIFO.
///
/// # Errors
/// To `diagnostics`: a requested depth that causes a deadlock, with the operations that wait and the smallest depth without a
/// deadlock.
pub fn choose(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(function) = module.lookup_symbol(context, setting.top) else {
        return;
    };
    let queues = queues(context, module.inner().inner(function));
    if queues.is_empty() {
        return;
    }
    let decides = decided_by_data(context, module.inner().inner(function));
    let mut data = match decides {
        true => usual(context, module, setting),
        false => Vec::new(),
    };
    let mut random = Random::new(1);
    let n_random = match (decides, data.is_empty()) {
        (true, true) => N_DATA_SETS,
        (true, false) => 0,
        (false, _) => 1,
    };
    let drawn = (0..n_random).map(|_| arguments(context, module, function, &mut random));
    data.extend(drawn.collect::<Vec<_>>());
    let mut runs = Runs {
        context,
        top: setting.top,
        module,
        function,
        data,
        most_cycles: match decides {
            // Loops may never end for invalid data.
            true => MAX_SEARCHED_CYCLES,
            false => MAX_CYCLES,
        },
        takes_anything: !decides,
    };
    runs.keep_meaningful();
    match runs.cycles() {
        Ok(unhindered) if !unhindered.is_empty() => {
            let depths = least(&mut runs, &queues, &unhindered);
            if !wishes(&mut runs, &queues, &depths, &unhindered, diagnostics) {
                return;
            }
            if !decides {
                prove(&mut runs, &queues);
            }
        }
        // No run succeeded: each FIFO has the requested depth, or slots for all words.
        Ok(_) | Err(_) => {
            for queue in queues.iter().filter(|queue| queue.wanted.is_some()) {
                runs.set(queue, queue.wanted.unwrap_or(queue.n_words));
            }
        }
    }
    let depths: Vec<u32> = queues.iter().map(|queue| runs.slots(queue)).collect();
    for (queue, slots) in queues.iter().zip(depths) {
        let n_words = context.i64_attribute(i64::from(queue.n_words));
        let body = module.inner_mut().inner_mut(function);
        body.set_attribute(queue.op, context.name(WORDS), n_words);
        let sentence = format!(
            "`{}` is a queue of {}: {} go through it",
            queue.name,
            counted(slots, "slot"),
            counted(queue.n_words, "word"),
        );
        choices::note(context, module, function, &sentence);
    }
}

/// Slots of a FIFO in a circuit that is only made to measure its paths.
const SKETCHED_SLOTS: u32 = 8;

/// Gives a few slots to each FIFO whose depth is not known yet.
pub(crate) fn shorten(context: &Context, module: &mut Module, top: &str) {
    let Some(function) = module.lookup_symbol(context, top) else {
        return;
    };
    let body = module.inner_mut().inner_mut(function);
    for queue in queues(context, body) {
        set_slots(context, body, &queue, queue.n_words.min(SKETCHED_SLOTS));
    }
}

fn set_slots(context: &Context, body: &mut Body, queue: &Queue, slots: u32) {
    let slots = Bits::from_u64(32, u64::from(slots));
    let slots = context.integer_attribute(context.integer_type(32), slots);
    body.set_attribute(queue.op, context.name("slots"), slots);
}

fn counted(n: u32, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn queues(context: &Context, body: &Body) -> Vec<Queue> {
    let of = |op: OperationId| {
        let view = View::new(context, body, op);
        let name = view.attribute(CHANNEL)?.as_str(context)?.to_owned();
        let number = |attribute| {
            let number = view.attribute(attribute)?.as_i64(context)?;
            u32::try_from(number).ok()
        };
        Some(Queue {
            op,
            name,
            location: view.location(),
            n_words: number("slots")?,
            wanted: number(DEPTH_WANTED),
        })
    };
    body.walk_all().into_iter().filter_map(of).collect()
}

/// Returns random arguments of a graph.
fn arguments(
    context: &Context,
    module: &Module,
    function: OperationId,
    random: &mut Random,
) -> Vec<Argument> {
    let view = View::new(context, module.inner(), function);
    let body = view.inner();
    let values = view.entry_block(0).map_or(&[][..], |b| body.arguments(b));
    let mut word = |width_bits| random.word(width_bits, None);
    let one = |value: &ValueId| match body.ty(*value).kind(context) {
        TypeKind::MemRef { shape, element, .. } => {
            let n_words = shape.first().copied().flatten()?;
            let width_bits = element.integer_width_bits(context)?;
            let words: Vec<Bits> = (0..n_words).map(|_| word(width_bits)).collect();
            Some(Argument::Memory(words))
        }
        _ => {
            let width_bits = body.ty(*value).integer_width_bits(context)?;
            Some(Argument::Scalar(word(width_bits)))
        }
    };
    values.iter().filter_map(one).collect()
}

/// Returns the arguments of a graph for the data sets of the profile, at most as many as are run.
pub fn usual(context: &Context, module: &Module, setting: &Setting<'_>) -> Vec<Vec<Argument>> {
    let Some(profile) = &setting.config.profile else {
        return Vec::new();
    };
    let mut circuit = module.clone();
    shorten(context, &mut circuit, setting.top);
    let mut ignored = Diagnostics::new();
    // The first pass creates the ports.
    manager(&setting.order.circuit[..1], setting).run(
        context,
        &mut circuit,
        &mut ignored,
        &mut |_, _| {},
    );
    let Some(interface) = interface_of(context, &circuit, setting.top) else {
        return Vec::new();
    };
    let mut no_files = |_: &str| Err("a profile names no files".to_owned());
    let data = DataFile::read(
        profile,
        "profile",
        &interface,
        &mut no_files,
        &context.limits,
    );
    let cases = data.map(|data| data.cases).unwrap_or_default();
    let in_banks = |(ports, argument): (&ArgumentPorts, &Argument)| match (ports, argument) {
        (
            ArgumentPorts::Memory {
                banks: Some(banks),
                width_bits,
                ..
            },
            Argument::Memory(words),
        ) => {
            let contents = banks.partition.scatter(words, &Bits::zero(*width_bits));
            contents.into_iter().map(Argument::Memory).collect()
        }
        _ => vec![argument.clone()],
    };
    let arguments = |case: &Case| {
        let pairs = interface.arguments.iter().zip(&case.arguments);
        pairs.flat_map(in_banks).collect()
    };
    cases.iter().take(N_DATA_SETS).map(arguments).collect()
}

/// Returns whether the control flow of tokens depends on arguments or on the contents of a memory.
fn decided_by_data(context: &Context, body: &Body) -> bool {
    let mut data: BTreeSet<ValueId> = BTreeSet::new();
    for region in body.top_regions() {
        for block in body.blocks(region) {
            data.extend(body.arguments(*block));
        }
    }
    let has_data = |value: &ValueId| body.ty(*value) != context.none_type();
    loop {
        let n_known = data.len();
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let is_data = |value: ValueId| has_data(&value) && data.contains(&value);
            let found: Vec<ValueId> = match view.name() {
                // The content of a constant table at a known address is known.
                handshake::Memory::NAME if view.attribute(sluice::VALUES).is_some() => {
                    match view.operands().any(is_data) {
                        true => view.results().to_vec(),
                        false => Vec::new(),
                    }
                }
                handshake::Memory::NAME | handshake::ExternalMemory::NAME => {
                    view.results().to_vec()
                }
                handshake::Load::NAME => {
                    let asked = [(0, 1), (1, 0)];
                    let asked = asked
                        .iter()
                        .filter(|(from, _)| is_data(view.operand(*from)));
                    asked.map(|(_, to)| view.result(*to)).collect()
                }
                handshake::Store::NAME => {
                    let asked = [(0, 1), (1, 0)];
                    let asked = asked
                        .iter()
                        .filter(|(from, _)| is_data(view.operand(*from)));
                    asked.map(|(_, to)| view.result(*to)).collect()
                }
                _ if view.operands().any(is_data) => view.results().to_vec(),
                _ => Vec::new(),
            };
            data.extend(found.into_iter().filter(has_data));
        }
        if data.len() == n_known {
            break;
        }
    }
    body.walk_all().into_iter().any(|op| {
        let view = View::new(context, body, op);
        matches!(
            view.name(),
            handshake::Mux::NAME | handshake::ConditionalBranch::NAME
        ) && data.contains(&view.operand(0))
    })
}

/// A graph that is simulated with different depths.
struct Runs<'a> {
    context: &'a Context,
    top: &'a str,
    module: &'a mut Module,
    function: OperationId,
    data: Vec<Vec<Argument>>,
    most_cycles: u64,
    /// Accept undefined words, such as quotients of a division by zero. False if conditions depend on data.
    takes_anything: bool,
}

/// Cycles for each data set, and the largest number of tokens in each buffer, by name.
type Occupied = (Vec<u64>, Vec<(String, usize)>);

impl Runs<'_> {
    fn set(&mut self, queue: &Queue, slots: u32) {
        let body = self.module.inner_mut().inner_mut(self.function);
        set_slots(self.context, body, queue, slots);
    }

    fn slots(&self, queue: &Queue) -> u32 {
        let body = self.module.inner().inner(self.function);
        let slots = View::new(self.context, body, queue.op).attribute("slots");
        let slots = slots.and_then(|slots| slots.as_i64(self.context));
        slots.and_then(|n| u32::try_from(n).ok()).unwrap_or(1)
    }

    /// Removes data sets for which the kernel's result is undefined, or for which it does not finish.
    fn keep_meaningful(&mut self) {
        for arguments in std::mem::take(&mut self.data) {
            let known = std::mem::replace(&mut self.data, vec![arguments]);
            let is_meaningful = self.cycles().is_ok();
            let tried = std::mem::replace(&mut self.data, known);
            if is_meaningful {
                self.data.extend(tried);
            }
        }
    }

    /// Returns the cycles for each data set.
    fn cycles(&self) -> Result<Vec<u64>, TokenError> {
        Ok(self.occupied()?.0)
    }

    /// Returns the cycles for each data set, and the largest number of tokens in each buffer, by name.
    fn occupied(&self) -> Result<Occupied, TokenError> {
        let simulator = TokenSimulator::new(self.context, self.module, self.top);
        let mut simulator =
            simulator.map_err(|found| TokenError::Arguments(found.to_text(self.context)))?;
        simulator.takes_anything = self.takes_anything;
        let (mut cycles, mut most) = (Vec::new(), Vec::new());
        for arguments in &self.data {
            let ran = simulator.run(arguments, self.most_cycles)?;
            cycles.push(ran.outcome.cycles);
            let buffers = simulator.statistics().buffers.iter();
            most.extend(buffers.map(|buffer| (buffer.name.clone(), buffer.most_tokens)));
        }
        Ok((cycles, most))
    }

    /// Returns the smallest depth of a FIFO, above `from` and at most `to`, for which `holds` is true; `to` if no smaller depth
    /// satisfies it.
    fn search(
        &mut self,
        queue: &Queue,
        (from, to): (u32, u32),
        holds: &dyn Fn(&Self) -> bool,
    ) -> u32 {
        let (mut low, mut high) = (from, to);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            self.set(queue, middle);
            match holds(self) {
                true => high = middle,
                false => low = middle,
            }
        }
        high
    }
}

/// Finds the smallest depths that cost no cycle, and sets them in the graph.
fn least(runs: &mut Runs<'_>, queues: &[Queue], unhindered: &[u64]) -> Vec<u32> {
    let most = runs.occupied().map(|(_, most)| most).unwrap_or_default();
    let is_searched = unhindered
        .iter()
        .all(|cycles| *cycles <= MAX_SEARCHED_CYCLES);
    let is_unhindered = |runs: &Runs<'_>| runs.cycles().is_ok_and(|found| found == *unhindered);
    let mut depths = Vec::new();
    for queue in queues {
        let own = most.iter().filter(|(name, _)| *name == queue.name);
        let own = own.filter_map(|(_, n)| u32::try_from(*n).ok()).max();
        // A full FIFO accepts nothing: one slot more than the largest number of waiting words is always enough.
        let enough = own
            .map_or(queue.n_words, |n| (n + 1).min(queue.n_words))
            .max(1);
        runs.set(queue, enough);
        let enough = match is_unhindered(runs) {
            true => enough,
            false => queue.n_words,
        };
        let depth = match is_searched {
            true => runs.search(queue, (0, enough), &is_unhindered),
            false => enough,
        };
        runs.set(queue, depth);
        depths.push(depth);
    }
    depths
}

/// Sets the requested depths; returns false if they cause a deadlock.
fn wishes(
    runs: &mut Runs<'_>,
    queues: &[Queue],
    depths: &[u32],
    unhindered: &[u64],
    diagnostics: &mut Diagnostics,
) -> bool {
    let all = || queues.iter().zip(depths);
    let mut is_well = true;
    for (queue, depth) in all() {
        let Some(wanted) = queue.wanted else {
            continue;
        };
        runs.set(queue, wanted);
        match runs.cycles() {
            Err(TokenError::Deadlock(deadlock)) => {
                let goes_on = |runs: &Runs<'_>| runs.cycles().is_ok();
                let least = runs.search(queue, (wanted, *depth), &goes_on);
                deadlocked(queue, wanted, (least, *depth), &deadlock, diagnostics);
                runs.set(queue, *depth);
                is_well = false;
            }
            Ok(found) if found != unhindered => {
                let (found, best): (u64, u64) = (found.iter().sum(), unhindered.iter().sum());
                let message = format!(
                    "`{}` has {} and {found} cycles pass, {best} with {depth}",
                    queue.name,
                    counted(wanted, "slot"),
                );
                diagnostics.warning(queue.location, message);
            }
            Ok(_) | Err(_) => {}
        }
    }
    // Each requested depth alone is enough, but together they may not be.
    if is_well
        && let Err(TokenError::Deadlock(deadlock)) = runs.cycles()
        && let Some((queue, depth)) = all().find(|(queue, _)| queue.wanted.is_some())
    {
        let wanted = queue.wanted.unwrap_or(*depth);
        deadlocked(queue, wanted, (*depth, *depth), &deadlock, diagnostics);
        is_well = false;
    }
    is_well
}

fn deadlocked(
    queue: &Queue,
    wanted: u32,
    (least, depth): (u32, u32),
    deadlock: &Deadlock,
    diagnostics: &mut Diagnostics,
) {
    let better = match least < depth {
        true => format!(", and {depth} add no cycle"),
        false => String::new(),
    };
    let message = format!(
        "deadlock: with {} of `{}` {}; `depths: {{{}: {least}}}` is the least that works{better}",
        counted(wanted, "slot"),
        queue.name,
        match deadlock.is_cyclic {
            true => "these operations wait for one another",
            false => "the results wait for what cannot come",
        },
        queue.name,
    );
    let error = diagnostics.error(queue.location, message);
    for wait in &deadlock.waits {
        error.note(wait.location, wait.to_string());
    }
}

/// Marks the graph as deadlock-free for all data and all delays, if a run shows it. Depths that were not requested may grow for
/// this.
fn prove(runs: &mut Runs<'_>, queues: &[Queue]) {
    let chosen = runs.module.clone();
    hold_one_token(runs);
    let goes_on = |runs: &Runs<'_>| runs.cycles().is_ok();
    let mut depths: Vec<u32> = queues.iter().map(|queue| runs.slots(queue)).collect();
    if !goes_on(runs) {
        for queue in queues {
            runs.set(queue, queue.n_words);
        }
        for (queue, depth) in queues.iter().zip(&mut depths) {
            if queue.wanted.is_none() {
                *depth = runs.search(queue, (depth.saturating_sub(1), queue.n_words), &goes_on);
            }
            runs.set(queue, *depth);
        }
    }
    let is_proved = goes_on(runs);
    *runs.module = chosen;
    if !is_proved {
        return;
    }
    for (queue, depth) in queues.iter().zip(depths) {
        runs.set(queue, depth);
    }
    let text = "proved: no condition depends on data, and a run with one token in every unit comes to its end";
    let proved = runs.context.string_attribute(text);
    let name = runs.context.name(DEADLOCK_FREE);
    let inner = runs.module.inner_mut();
    inner.set_attribute(runs.function, name, proved);
}

/// Sets the latency of every pipelined unit to 1, so that it holds one token.
fn hold_one_token(runs: &mut Runs<'_>) {
    let body = runs.module.inner_mut().inner_mut(runs.function);
    let name = runs.context.name(sluice::LATENCY);
    for op in body.walk_all() {
        let view = View::new(runs.context, body, op);
        let latency = view.attribute(sluice::LATENCY);
        let latency = latency.and_then(|latency| latency.as_i64(runs.context));
        if view.name().starts_with("arith.") && latency.is_some_and(|latency| latency > 1) {
            body.set_attribute(op, name, runs.context.i64_attribute(1));
        }
    }
}
