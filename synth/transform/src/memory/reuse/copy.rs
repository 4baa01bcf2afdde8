//! Copies: a local memory that holds what reads of another memory will see, so that they need no port of it.
//!
//! The copy is filled by stores to the memory, which write both, by reads of it that come earlier, and by a loop in front. It has as
//! few words as serve: slot `address % words`, a power of two, or one slot for each cell. A whole row between a read and the next one
//! of the same cell makes a line buffer; reads of what this kernel wrote make a shadow of the array.
//!
//! Source: the reuse distance of J. Cong et al., "Optimizing memory hierarchy allocation with loop transformations for high-level
//! synthesis", DAC 2012. Differs: which cell each slot holds at each read is found by running the loops at compile time.

mod apply;
mod model;

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::synthesis_form::outer_operation;
use sluice_ir::{Body, Context, Exact, OperationId, Type, ValueId, View};

use self::model::Model;
use super::trace::{Event, Trace};
use crate::analysis::dependence::access_of;
use crate::analysis::linear::{Linear, is_invariant};

pub(super) use self::apply::apply;

/// Where a copy is filled before it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fill {
    /// Nowhere: all that is read was stored or read before.
    Never,
    /// In front of this loop, with what no earlier read sees; reads fill it too.
    Rest(OperationId),
    /// In front of this loop; reads do not fill it.
    Whole(OperationId),
}

impl Fill {
    pub(super) fn place(self) -> Option<OperationId> {
        match self {
            Self::Never => None,
            Self::Rest(op) | Self::Whole(op) => Some(op),
        }
    }
}

/// What a copy looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Stores and loads that fill it, in text order.
    pub(super) fillers: Vec<OperationId>,
    /// Slots.
    pub(super) words: u64,
    /// What is filled by a loop in front.
    pub(super) prefill: Option<Prefill>,
    /// The memory that is copied.
    pub(super) memory: ValueId,
    /// Whether there is a slot for each cell.
    pub(super) is_whole: bool,
    /// Bits of the copy.
    pub(super) bits: u64,
}

/// The cells from `base + low` to `base + high` are filled in front of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prefill {
    pub(super) loop_op: OperationId,
    /// A form over the counters around.
    pub(super) base: Linear,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// Accesses of one kind are members of sets of this many.
const MOST_ACCESSES: usize = 64;

/// How a copy for these reads of one memory would look.
///
/// # Errors
/// Why there is none, and what would fit.
pub(super) fn plan(
    context: &Context,
    body: &Body,
    trace: &Trace,
    reads: &[OperationId],
    fill: Fill,
    most_bits: u64,
) -> Result<Plan, String> {
    let reads: Option<BTreeSet<usize>> = reads.iter().map(|op| trace.access_at(*op)).collect();
    let reads = reads.filter(|reads| !reads.is_empty()).ok_or(
        "a read from a copy stands in loops whose bounds are sums of counters and constants",
    )?;
    let first = &trace.accesses[*reads.first().expect("there are reads")];
    let memory = &trace.memories[first.memory];
    if reads
        .iter()
        .any(|read| trace.accesses[*read].memory != first.memory || trace.accesses[*read].writes)
    {
        return Err("one copy serves loads of one memory".to_owned());
    }
    if memory.is_wild {
        return Err(
            "the memory is used by calls, branches or loops of unknown length too".to_owned(),
        );
    }
    let element = body.ty(memory.value).element_type(context);
    let width = element
        .and_then(|ty: Type| ty.integer_width_bits(context))
        .map(u64::from)
        .ok_or("only integers are copied")?;
    let of_memory: Vec<usize> = (0..trace.accesses.len())
        .filter(|access| trace.accesses[*access].memory == first.memory)
        .collect();
    if of_memory.len() > MOST_ACCESSES {
        return Err(format!(
            "the memory has more than {MOST_ACCESSES} accesses: unroll less"
        ));
    }
    let fillers = fillers(trace, &of_memory, &reads, fill, memory.words)?;
    if fillers
        .iter()
        .any(|access| is_hidden(context, body, trace.accesses[*access].op))
    {
        return Err(
            "a conditional store has an address that is no sum of counters and constants"
                .to_owned(),
        );
    }
    let base = fill.place().map_or_else(Linear::default, |loop_op| {
        base(body, loop_op, &first.address)
    });
    let events = trace.events_of(first.memory);
    let sizes = (0..63).map(|bits| 1u64 << bits);
    let sizes = sizes.take_while(|words| *words < memory.words);
    for words in sizes.chain([memory.words]) {
        let bits = Exact::from(words).times(width);
        if bits > Exact::from(most_bits) {
            return Err(format!(
                "a copy of {words} words of {width} bits has more than {most_bits} bits: allow more with `reuse: {{most_bits: {bits}}}`"
            ));
        }
        let model = Model {
            trace,
            events,
            filled_at: fill.place(),
            reads: &reads,
            fillers: &fillers,
            words,
            memory_words: memory.words,
            base: &base,
            is_filled: fill != Fill::Never,
        };
        let Some(range) = model.range() else {
            continue;
        };
        let fillers = fillers.iter().map(|access| trace.accesses[*access].op);
        return Ok(Plan {
            fillers: fillers.collect(),
            words,
            prefill: fill
                .place()
                .zip(range)
                .map(|(loop_op, (low, high))| Prefill {
                    loop_op,
                    base,
                    low,
                    high,
                }),
            memory: memory.value,
            is_whole: words == memory.words,
            bits: words * width,
        });
    }
    let hint = match fill {
        Fill::Never => ": fill the copy in front of a loop with `sluice.fill`",
        Fill::Rest(_) | Fill::Whole(_) => "",
    };
    Err(format!(
        "a value that is read was neither stored nor read before{hint}"
    ))
}

/// Whether the address of a guarded access is made in the guard.
fn is_hidden(context: &Context, body: &Body, access: OperationId) -> bool {
    let outer = outer_operation(View::new(context, body, access));
    let inside = |value: &ValueId| {
        let made = body.defining_operation(*value);
        made.is_some_and(|made| body.parent_operation(made) == Some(outer))
    };
    outer != access
        && access_of(context, body, access)
            .is_none_or(|known| known.address.terms.keys().any(inside))
}

/// The part of an address that counters of loops around a loop make.
fn base(body: &Body, loop_op: OperationId, address: &Linear) -> Linear {
    let mut base = Linear::default();
    for (value, factor) in &address.terms {
        if is_invariant(body, loop_op, *value) {
            base.terms.insert(*value, *factor);
        }
    }
    base
}

/// What is known of each cell while the fillers are chosen, as sets of accesses by their position among those of the memory. Cells that
/// nothing touches are zeros that nobody writes: a memory may be large.
struct Histories {
    /// Stores since the last one that surely happened, it included.
    stores: Vec<u64>,
    is_stored: Vec<bool>,
    loads: Vec<u64>,
    /// One more than the position of the last load; 0 without one.
    last_load: Vec<usize>,
}

/// The stores that the reads may see, and as few loads as show all cells that were not stored.
fn fillers(
    trace: &Trace,
    of_memory: &[usize],
    reads: &BTreeSet<usize>,
    fill: Fill,
    words: u64,
) -> Result<BTreeSet<usize>, String> {
    let n_cells = usize::try_from(words).unwrap_or(0);
    let mut cells = Histories {
        stores: vec![0; n_cells],
        is_stored: vec![false; n_cells],
        loads: vec![0; n_cells],
        last_load: vec![0; n_cells],
    };
    let mut stores_anywhere = 0u64;
    let mut seen_stores = 0u64;
    // Sets of loads that showed a cell before a read, with the number of reads, and how often each was the last.
    let mut shown: BTreeMap<u64, u64> = BTreeMap::new();
    let mut last = vec![0u64; of_memory.len()];
    let memory = of_memory
        .first()
        .map(|access| trace.accesses[*access].memory);
    for event in memory.map_or(&[][..], |memory| trace.events_of(memory)) {
        let Event::Access { access, cell } = *event else {
            continue;
        };
        let Ok(number) = of_memory.binary_search(&access) else {
            continue;
        };
        let cell = cell.and_then(|cell| usize::try_from(cell).ok());
        let known = &trace.accesses[access];
        if known.writes {
            match cell {
                Some(cell) if !known.conditional => {
                    cells.stores[cell] = 1 << number;
                    cells.is_stored[cell] = true;
                    cells.loads[cell] = 0;
                    cells.last_load[cell] = 0;
                }
                Some(cell) => cells.stores[cell] |= 1 << number,
                None => stores_anywhere |= 1 << number,
            }
        } else if reads.contains(&access) {
            let Some(cell) = cell else {
                return Err(
                    "an address that is read is no sum of counters and constants".to_owned(),
                );
            };
            seen_stores |= cells.stores[cell] | stores_anywhere;
            if !cells.is_stored[cell] {
                *shown.entry(cells.loads[cell]).or_insert(0) += 1;
                if let Some(load) = cells.last_load[cell].checked_sub(1) {
                    last[load] += 1;
                }
            }
        } else if let Some(cell) = cell.filter(|_| !known.conditional) {
            cells.loads[cell] |= 1 << number;
            cells.last_load[cell] = number + 1;
        }
    }
    let members = |set: u64| (0..of_memory.len()).filter(move |n| set >> n & 1 == 1);
    let mut chosen = seen_stores;
    shown.remove(&0);
    while !shown.is_empty() && !matches!(fill, Fill::Whole(_)) {
        let covers = |load: usize| -> u64 {
            let sets = shown.iter().filter(|(set, _)| **set >> load & 1 == 1);
            sets.map(|(_, n)| n).sum()
        };
        let best = (0..of_memory.len())
            .max_by_key(|load| (covers(*load), last[*load], std::cmp::Reverse(*load)))
            .expect("there are loads");
        chosen |= 1 << best;
        shown.retain(|set, _| set >> best & 1 == 0);
    }
    Ok(members(chosen).map(|number| of_memory[number]).collect())
}
