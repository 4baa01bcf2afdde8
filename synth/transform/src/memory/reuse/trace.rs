//! Simulates the loops of a function at compile time: records which access touches which word, in order.
//!
//! Exact for loop bounds and addresses that are sums of counters and constants (or the minimum or maximum of such sums). A memory
//! that is touched in any other way is *wild*: nothing is known about it.
//!
//! For a long outermost loop whose counter no inner bound depends on, only the first iterations and the last one are simulated.
//! The skipped ones do the same as the iteration before, at addresses shifted by a constant ([`Event::Skip`]). A memory whose
//! accesses in such a loop do not all shift by the same constant is wild.

mod reader;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{func, scf};
use sluice_ir::exact::{Exact, trips};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use self::reader::Reader;
use super::window::MAX_DISTANCE;
use crate::analysis::linear::{Linear, linear};
use crate::build::{constant_i64, name};

/// Maximum number of simulated events.
const MAX_EVENTS: usize = 1 << 20;

/// An access of the function.
pub(super) struct TracedAccess {
    pub(super) op: OperationId,
    /// Index into [`Trace::memories`].
    pub(super) memory: usize,
    pub(super) address: Linear,
    pub(super) writes: bool,
    /// True if the access is in a guard, so that it may not execute.
    pub(super) conditional: bool,
}

/// A memory of the function.
pub(super) struct TracedMemory {
    pub(super) value: ValueId,
    pub(super) words: u64,
    /// True if it has unknown accesses.
    pub(super) is_wild: bool,
}

/// An event of the simulation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// An access, by its index in [`Trace::accesses`], and the word; `None` if the address is unknown or out of bounds.
    Access { access: usize, cell: Option<u64> },
    /// The entry of a loop, with its counters in [`Trace::entries`].
    Enter { loop_op: OperationId, entry: usize },
    /// The start of an iteration of a loop.
    Iterate { loop_op: OperationId },
    /// A number of skipped iterations of an outermost loop, each like the one before.
    Skip { loop_op: OperationId, n: i64 },
    /// The word that a probe refers to, at the entry of its loop.
    Probe { probe: usize, cell: Option<u64> },
}

/// An address that is recorded whenever a loop is entered.
pub(super) struct Probe {
    pub(super) loop_op: OperationId,
    pub(super) memory: ValueId,
    pub(super) address: Linear,
}

/// The simulation of a whole function.
pub(super) struct Trace {
    pub(super) accesses: Vec<TracedAccess>,
    pub(super) memories: Vec<TracedMemory>,
    pub(super) events: Vec<Event>,
    /// The counters of all loops, by slot, at each entry of a loop.
    entries: Vec<Vec<i64>>,
    /// The slot of each counter.
    slots: BTreeMap<ValueId, usize>,
    /// For each loop with [`Event::Skip`] and memory index: the number of words by which the accesses shift per iteration.
    moves: BTreeMap<(OperationId, usize), i64>,
    /// The events of each memory, computed on first use.
    of_memory: Vec<OnceCell<Vec<Event>>>,
}

impl Trace {
    /// Returns the number of words by which the accesses of a memory shift per iteration of a loop, if iterations of it are
    /// skipped.
    pub(super) fn moves(&self, loop_op: OperationId, memory: usize) -> Option<i64> {
        self.moves.get(&(loop_op, memory)).copied()
    }

    /// Returns the accesses of a memory, the entries of all loops, and the iterations of loops in which its accesses shift.
    pub(super) fn events_of(&self, memory: usize) -> &[Event] {
        self.of_memory[memory].get_or_init(|| {
            let events = self.events.iter().copied();
            events
                .filter(|event| match event {
                    Event::Access { access, .. } => self.accesses[*access].memory == memory,
                    Event::Enter { .. } => true,
                    Event::Iterate { loop_op } | Event::Skip { loop_op, .. } => {
                        self.moves(*loop_op, memory).is_some()
                    }
                    Event::Probe { .. } => false,
                })
                .collect()
        })
    }

    /// Evaluates a form of outer loop counters at an entry of a loop; `None` if it contains anything else.
    pub(super) fn value_at(&self, form: &Linear, entry: usize) -> Option<i64> {
        let counters = self.entries.get(entry)?;
        sum_of(&self.slots, form)?.value(counters)
    }

    /// Returns the index of an access.
    pub(super) fn access_at(&self, op: OperationId) -> Option<usize> {
        self.accesses.iter().position(|access| access.op == op)
    }

    /// Returns the memory with this value.
    pub(super) fn memory(&self, value: ValueId) -> Option<&TracedMemory> {
        self.memories.iter().find(|memory| memory.value == value)
    }
}

/// Simulates the function; `None` if it has branches between blocks, or takes too long.
pub(super) fn trace(context: &Context, body: &Body, probes: &[Probe]) -> Option<Trace> {
    let mut regions = body.top_regions();
    let block = match (regions.next(), regions.next()) {
        (Some(region), None) => match body.blocks(region) {
            [block] => *block,
            _ => return None,
        },
        _ => return None,
    };
    let mut reader = Reader {
        context,
        body,
        accesses: Vec::new(),
        memories: Vec::new(),
        wild: BTreeSet::new(),
        slots: BTreeMap::new(),
        all_slots: BTreeMap::new(),
        probes,
    };
    let mut nodes = reader.block(block);
    nodes.retain_mut(Node::keep_what_counts);
    let mut moves = BTreeMap::new();
    let mut skipped = BTreeMap::new();
    for node in &nodes {
        if let Node::Loop { loop_op, slot, .. } = node
            && let Some(n) = iterations_to_skip(node)
        {
            skipped.insert(*loop_op, n);
            reader.moves_of(node, *slot, *loop_op, &mut moves);
        }
    }
    let mut memories = reader.memories;
    for memory in &mut memories {
        memory.is_wild = reader.wild.contains(&memory.value);
    }
    let words: Vec<u64> = memories.iter().map(|memory| memory.words).collect();
    let mut runner = Runner {
        counters: vec![0; reader.all_slots.len()],
        words: reader
            .accesses
            .iter()
            .map(|access| words[access.memory])
            .collect(),
        skipped,
        events: Vec::new(),
        entries: Vec::new(),
    };
    runner.run(&nodes)?;
    Some(Trace {
        accesses: reader.accesses,
        of_memory: vec![OnceCell::new(); memories.len()],
        memories,
        events: runner.events,
        entries: runner.entries,
        slots: reader.all_slots,
        moves,
    })
}

/// Number of iterations of a long outermost loop that are simulated before some are skipped: more than the distance over which
/// values are kept.
const FIRST_ITERATIONS: i64 = 2 * MAX_DISTANCE + 1;

/// Minimum number of iterations of an outermost loop of which some are skipped.
const LONG: i64 = 4 * MAX_DISTANCE;

/// Returns the number of iterations of an outermost loop that can be skipped, if its inner loops are the same in all.
fn iterations_to_skip(node: &Node) -> Option<i64> {
    let Node::Loop {
        slot,
        lower,
        last,
        step,
        inside,
        ..
    } = node
    else {
        return None;
    };
    let ends = |sums: &[Sum]| -> Option<Vec<i64>> {
        let all = sums.iter();
        all.map(|sum| sum.terms.is_empty().then_some(sum.constant))
            .collect()
    };
    let (lower, last) = (
        ends(lower)?.into_iter().max()?,
        ends(last)?.into_iter().min()?,
    );
    let n = trips(lower.into(), Exact::from(last).plus(1), (*step).into())?;
    (n >= Exact::from(LONG) && inside.iter().all(|node| has_fixed_bounds(node, *slot)))
        .then(|| n.minus(FIRST_ITERATIONS).minus(1).to_i64())?
}

/// Returns whether no bound inside depends on a counter.
fn has_fixed_bounds(node: &Node, counter: usize) -> bool {
    match node {
        Node::Access { .. } => true,
        Node::Loop {
            lower,
            last,
            inside,
            ..
        } => {
            let fixed = |sum: &Sum| sum.terms.iter().all(|(slot, _)| *slot != counter);
            lower.iter().chain(last).all(fixed)
                && inside.iter().all(|node| has_fixed_bounds(node, counter))
        }
    }
}

/// A linear form of the counters of the enclosing loops.
#[derive(Clone)]
struct Sum {
    constant: i64,
    terms: Vec<(usize, i64)>,
}

impl Sum {
    fn value(&self, counters: &[i64]) -> Option<i64> {
        self.terms
            .iter()
            .try_fold(self.constant, |sum, (slot, factor)| {
                sum.checked_add(counters[*slot].checked_mul(*factor)?)
            })
    }
}

fn sum_of(slots: &BTreeMap<ValueId, usize>, form: &Linear) -> Option<Sum> {
    let terms = form.terms.iter();
    let terms: Option<Vec<_>> = terms
        .map(|(value, factor)| Some((*slots.get(value)?, *factor)))
        .collect();
    Some(Sum {
        constant: form.constant,
        terms: terms?,
    })
}

/// A node of the simulated program.
enum Node {
    Access {
        access: usize,
        address: Option<Sum>,
    },
    Loop {
        loop_op: OperationId,
        slot: usize,
        /// Lower bounds of the counter; the largest applies.
        lower: Vec<Sum>,
        /// Inclusive upper bounds of the counter; the smallest applies.
        last: Vec<Sum>,
        step: i64,
        probes: Vec<(usize, u64, Option<Sum>)>,
        inside: Vec<Node>,
    },
}

impl Node {
    /// Removes inner loops without memory accesses; returns whether this node is kept.
    fn keep_what_counts(&mut self) -> bool {
        match self {
            Self::Access { .. } => true,
            Self::Loop { probes, inside, .. } => {
                inside.retain_mut(Self::keep_what_counts);
                !inside.is_empty() || !probes.is_empty()
            }
        }
    }
}

struct Runner {
    counters: Vec<i64>,
    /// The numbers of iterations of outermost loops that are skipped.
    skipped: BTreeMap<OperationId, i64>,
    /// The number of words of the memory of each access.
    words: Vec<u64>,
    events: Vec<Event>,
    entries: Vec<Vec<i64>>,
}

impl Runner {
    fn cell(&self, address: Option<&Sum>, words: u64) -> Option<u64> {
        let cell = address?.value(&self.counters)?;
        u64::try_from(cell).ok().filter(|cell| *cell < words)
    }

    fn run(&mut self, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            if self.events.len() > MAX_EVENTS {
                return None;
            }
            match node {
                Node::Access { access, address } => {
                    let cell = self.cell(address.as_ref(), self.words[*access]);
                    self.events.push(Event::Access {
                        access: *access,
                        cell,
                    });
                }
                Node::Loop {
                    loop_op,
                    slot,
                    lower,
                    last,
                    step,
                    probes,
                    inside,
                } => {
                    let loop_op = *loop_op;
                    let entry = self.entries.len();
                    self.entries.push(self.counters.clone());
                    self.events.push(Event::Enter { loop_op, entry });
                    for (probe, words, address) in probes {
                        let cell = self.cell(address.as_ref(), *words);
                        let probe = *probe;
                        self.events.push(Event::Probe { probe, cell });
                    }
                    let all = |sums: &[Sum]| -> Option<Vec<i64>> {
                        sums.iter().map(|sum| sum.value(&self.counters)).collect()
                    };
                    let (lower, last) = (all(lower)?, all(last)?);
                    let mut value = lower.into_iter().max()?;
                    let last = last.into_iter().min()?;
                    let mut n_run = 0;
                    while value <= last {
                        if self.events.len() > MAX_EVENTS {
                            return None;
                        }
                        if n_run == FIRST_ITERATIONS
                            && let Some(n) = self.skipped.get(&loop_op).copied()
                        {
                            self.events.push(Event::Skip { loop_op, n });
                            value = value.checked_add(step.checked_mul(n)?)?;
                        }
                        self.counters[*slot] = value;
                        self.events.push(Event::Iterate { loop_op });
                        self.run(inside)?;
                        value = value.checked_add(*step)?;
                        n_run += 1;
                    }
                }
            }
        }
        Some(())
    }
}

/// Returns the counter of a loop, the linear form of its initial value, and its step.
pub(super) fn start_of(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
) -> Option<(ValueId, Linear, i64)> {
    let view = View::new(context, body, loop_op);
    let counter = *body.arguments(view.entry_block(0)?).first()?;
    let step = constant_i64(context, body, view.operand(2)).filter(|step| *step > 0)?;
    Some((counter, linear(context, body, view.operand(0)), step))
}

/// Returns whether a loop contains no loops, branches or calls.
pub(super) fn is_innermost(context: &Context, body: &Body, loop_op: OperationId) -> bool {
    body.walk(loop_op).into_iter().all(|op| {
        op == loop_op
            || !matches!(
                name(context, body, op),
                scf::For::NAME | scf::While::NAME | func::Call::NAME
            )
    })
}
