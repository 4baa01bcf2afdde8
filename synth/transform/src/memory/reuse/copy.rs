//! Reuse copies: a local memory that holds the words that reads of another memory will need, so that they use no port of it.
//!
//! Stores to the memory, which write both, earlier reads and a loop before the reads fill the copy. It has as few words as
//! possible: slot `address % words`, a power of two, or one slot per word. If a whole row lies between two reads of the same
//! word, the copy is a line buffer. If the kernel reads its own stores, it is a shadow of the array.
//!
//! Source: the reuse distance of J. Cong et al., "Optimizing memory hierarchy allocation with loop transformations for high-level
//! synthesis", DAC 2012. Differs: a simulation of the loops at compile time determines which word each slot holds at each read.

mod apply;
mod model;

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::synthesis_form::outer_operation;
use sluice_ir::{Body, Context, Exact, OperationId, Type, ValueId, View};

use self::model::Model;
use super::CopySizes;
use super::trace::{Event, Trace};
use crate::analysis::dependence::access_of;
use crate::analysis::linear::{Linear, is_invariant};

pub(super) use self::apply::apply;

/// Where a copy is filled before it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fill {
    /// Nowhere: all words that are read were stored or read before.
    Never,
    /// Before this loop, with the words that no earlier read provides; reads fill the copy too.
    Rest(OperationId),
    /// Before this loop; reads do not fill the copy.
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

/// The layout of a copy and the operations that fill it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Stores and loads that fill it, in text order.
    pub(super) fillers: Vec<OperationId>,
    /// Number of slots.
    pub(super) words: u64,
    /// The range that a loop fills before the reads.
    pub(super) prefill: Option<Prefill>,
    /// The copied memory.
    pub(super) memory: ValueId,
    /// True if there is one slot per word of the memory.
    pub(super) is_whole: bool,
    /// Size of the copy in bits.
    pub(super) bits: u64,
}

/// The words from `base + low` to `base + high`, which are filled before a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prefill {
    pub(super) loop_op: OperationId,
    /// A linear form of the counters of outer loops.
    pub(super) base: Linear,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// Maximum number of accesses of a memory, since sets of them are bit masks of this width.
const MAX_ACCESSES: usize = 64;

/// Plans a copy for these reads of one memory.
///
/// # Errors
/// The reason why there is none, and what would be possible.
pub(super) fn plan(
    context: &Context,
    body: &Body,
    trace: &Trace,
    reads: &[OperationId],
    fill: Fill,
    largest: CopySizes,
) -> Result<Plan, String> {
    let reads: Option<BTreeSet<usize>> = reads.iter().map(|op| trace.access_at(*op)).collect();
    let reads = reads
        .filter(|reads| !reads.is_empty())
        .ok_or("a read from a copy is in loops whose bounds are sums of counters and constants")?;
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
    if of_memory.len() > MAX_ACCESSES {
        return Err(format!(
            "the memory has more than {MAX_ACCESSES} accesses: unroll less"
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
        let most_bits = match words == memory.words {
            true => largest.whole_bits,
            false => largest.part_bits,
        };
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

/// Returns whether the address of a guarded access is computed in the guard.
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

/// Returns the part of an address that depends on counters of loops around a loop.
fn base(body: &Body, loop_op: OperationId, address: &Linear) -> Linear {
    let mut base = Linear::default();
    for (value, factor) in &address.terms {
        if is_invariant(body, loop_op, *value) {
            base.terms.insert(*value, *factor);
        }
    }
    base
}

/// The history of each word during the selection of fillers, as sets of access positions. Words that are never touched are zero
/// pages that are never written, since a memory may be large.
struct Histories {
    /// The stores since the last unconditional one, including it.
    stores: Vec<u64>,
    is_stored: Vec<bool>,
    loads: Vec<u64>,
    /// The position of the last load plus 1; 0 if there is none.
    last_load: Vec<usize>,
}

/// Returns the stores whose values the reads may see, and a small set of loads that provide all words that were not stored.
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
    // Sets of loads that provide a word before a read, with the number of such reads, and how often each load was the last one.
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
