//! Enumerates reuse directives for a function: loops with windows, and copies that leave each memory one read per iteration.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{COPY, FILL, FILL_WHOLE, WINDOW_OF};
use sluice_dialects::{memref, scf, synthesis_form::outer_operation};
use sluice_ir::{BlockId, Body, Context, Exact, OperationId, ValueDefinition, ValueId, View};

use super::CopySizes;
use super::copy::{Fill, Plan, apply, plan};
use super::trace::{Trace, is_innermost, trace};
use super::window::{Sources, has_window};
use crate::build::{all_named, name};

/// Where a copy is filled with words that earlier reads and stores do not provide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FillPolicy {
    /// Nowhere: a copy that would need it is not made.
    Never,
    /// Before the innermost suitable loop that encloses the loops of all reads.
    Inner,
    /// Before the outermost loop around the first read.
    Outer,
    /// As `Outer`, and reads never fill the copy.
    Whole,
}

/// A copy that can be requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopyChoice {
    reads: Vec<OperationId>,
    fill: Fill,
}

impl CopyChoice {
    /// Returns whether the loads and the loop that it refers to are among these operations.
    fn is_among(&self, known: &BTreeSet<OperationId>) -> bool {
        let fill_is_known = match self.fill {
            Fill::Never => true,
            Fill::Rest(op) | Fill::Whole(op) => known.contains(&op),
        };
        fill_is_known && self.reads.iter().all(|read| known.contains(read))
    }

    /// Returns the loads that read from the copy.
    pub fn reads(&self) -> &[OperationId] {
        &self.reads
    }

    /// Adds the directives for this copy to the function, under its own number.
    pub fn ask(&self, context: &Context, body: &mut Body, number: i64) {
        for read in &self.reads {
            body.set_attribute(*read, context.name(COPY), context.i64_attribute(number));
        }
        let (op, key) = match self.fill {
            Fill::Never => return,
            Fill::Rest(op) => (op, FILL),
            Fill::Whole(op) => (op, FILL_WHOLE),
        };
        let known = body.attribute_named(context, op, key);
        let mut numbers = known
            .and_then(|a| a.as_dense_array_i64(context))
            .unwrap_or_default();
        numbers.push(number);
        let numbers = context.dense_i64_array(&numbers);
        body.set_attribute(op, context.name(key), numbers);
    }
}

/// Returns the innermost loops with windows over loads, and those with windows over loads and stores.
pub fn window_loops(context: &Context, body: &Body) -> (Vec<OperationId>, Vec<OperationId>) {
    let with = |sources: Sources| {
        let loops = all_named(context, body, scf::For::NAME).into_iter();
        loops
            .filter(|op| has_window(context, body, *op, sources))
            .collect()
    };
    (with(Sources::Loads), with(Sources::All))
}

/// The reads that copies reduce to one per memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadGroup {
    /// The reads of an iteration of an innermost loop.
    Inner,
    /// Also the reads before the loop, which then run in its first step.
    WithFront,
}

/// The name of the search that ends when the time limit of the compilation is reached.
const COPIES: &str = "copies of memories";

/// Maximum number of copies made at once.
const MAX_COPIES: usize = 16;

/// Returns copies that leave each innermost loop one read of each memory per iteration, as far as possible, in the order in which
/// they are made.
pub fn copies_of_all(
    context: &Context,
    body: &Body,
    read_group: ReadGroup,
    policy: FillPolicy,
    sizes: CopySizes,
) -> Vec<CopyChoice> {
    // A read that fills a copy cannot itself be requested by another copy, because it does not exist yet.
    let known: BTreeSet<OperationId> = body.walk_all().into_iter().collect();
    let mut body = body.clone();
    let mut chosen = Vec::new();
    let watch = &context.limits.watch;
    loop {
        if chosen.len() == MAX_COPIES || watch.cut(COPIES) {
            return chosen;
        }
        let Some(trace) = trace(context, &body, &[]) else {
            return chosen;
        };
        let grouped_reads = grouped_reads(context, &body, read_group, &trace);
        let best = grouped_reads
            .iter()
            .filter_map(|blocks| best_of(context, &body, &trace, blocks, policy, sizes))
            .find(|(choice, _)| choice.is_among(&known));
        let Some((choice, plan)) = best else {
            return chosen;
        };
        apply(context, &mut body, &plan, &choice.reads);
        chosen.push(choice);
    }
}

/// Returns the number of bits of all local memories of a function.
pub fn local_bits(context: &Context, body: &Body) -> u64 {
    let all = all_named(context, body, memref::Alloca::NAME).into_iter();
    let bits = all.filter_map(|op| {
        let ty = body.ty(body.result(op, 0));
        let width = ty.element_type(context)?.width_bits(context)?;
        Some(ty.n_elements(context)?.times(width))
    });
    Exact::sum(bits).to_u64().unwrap_or(u64::MAX)
}

/// Returns, for each memory, the innermost loops that read it several times in an iteration, as the lists of these reads and of
/// the reads before the loop that count with them.
fn grouped_reads(
    context: &Context,
    body: &Body,
    read_group: ReadGroup,
    trace: &Trace,
) -> Vec<Vec<Vec<OperationId>>> {
    let mut found = Vec::new();
    for memory in &trace.memories {
        if memory.is_wild || !is_array(context, body, memory.value) {
            continue;
        }
        let mut blocks: BTreeMap<BlockId, Vec<OperationId>> = BTreeMap::new();
        let mut order = Vec::new();
        for access in &trace.accesses {
            let outer = outer_operation(View::new(context, body, access.op));
            let (Some(block), Some(around)) =
                (body.parent_block(outer), body.parent_operation(outer))
            else {
                continue;
            };
            let is_of = trace.memories[access.memory].value == memory.value && !access.writes;
            let is_loop = name(context, body, around) == scf::For::NAME;
            let with = match read_group {
                _ if is_loop && is_innermost(context, body, around) => Some(block),
                // A read that only fills a copy would cause another copy each time.
                ReadGroup::WithFront if is_loop && !is_only_stored(context, body, outer) => {
                    loop_behind(context, body, outer)
                }
                ReadGroup::WithFront | ReadGroup::Inner => None,
            };
            if let Some(block) = with.filter(|_| is_of) {
                if !order.contains(&block) {
                    order.push(block);
                }
                blocks.entry(block).or_default().push(access.op);
            }
        }
        let several: Vec<Vec<OperationId>> = order
            .iter()
            .map(|block| blocks[block].clone())
            .filter(|reads| reads.len() > 1)
            .collect();
        if !several.is_empty() {
            found.push(several);
        }
    }
    found
}

/// Returns whether all users of an operation are stores.
fn is_only_stored(context: &Context, body: &Body, op: OperationId) -> bool {
    let mut users = body.results(op).iter().flat_map(|value| body.uses(*value));
    users.all(|(user, _)| name(context, body, user) == memref::Store::NAME)
}

/// Returns the body of the next loop after an operation, if it is innermost.
fn loop_behind(context: &Context, body: &Body, op: OperationId) -> Option<BlockId> {
    let mut behind = std::iter::successors(body.next(op), |op| body.next(*op));
    let next = behind.find(|op| name(context, body, *op) == scf::For::NAME)?;
    body.entry_block(next, 0)
        .filter(|_| is_innermost(context, body, next))
}

/// Returns whether a memory is an argument or local: constant tables have no ports.
fn is_array(context: &Context, body: &Body, memory: ValueId) -> bool {
    match body.value_definition(memory) {
        ValueDefinition::Argument { .. } => true,
        ValueDefinition::Result { .. } => body
            .defining_operation(memory)
            .is_some_and(|op| name(context, body, op) == memref::Alloca::NAME),
    }
}

/// Returns the copy that removes one read from each of these loops with the smallest prefill, then the fewest fillers and bits.
fn best_of(
    context: &Context,
    body: &Body,
    trace: &Trace,
    blocks: &[Vec<OperationId>],
    policy: FillPolicy,
    sizes: CopySizes,
) -> Option<(CopyChoice, Plan)> {
    let most = blocks.iter().map(Vec::len).max()?;
    let mut found = Vec::new();
    for position in 0..most {
        let taken = blocks
            .iter()
            .map(|reads| reads[position.min(reads.len() - 1)]);
        let together: Vec<OperationId> = taken.collect();
        let mut sets = vec![together.clone()];
        if together.len() > 1 {
            sets.extend(together.iter().map(|read| vec![*read]));
        }
        for set in sets {
            if context.limits.watch.cut(COPIES) {
                break;
            }
            let reads = with_groups(context, body, &set);
            for fill in fills(context, body, &reads, policy) {
                if let Ok(plan) = plan(context, body, trace, &reads, fill, sizes) {
                    let length = plan
                        .prefill
                        .as_ref()
                        .map_or(0, |fill| fill.high - fill.low + 1);
                    let n = std::cmp::Reverse(set.len());
                    let key = (n, length, plan.fillers.len(), plan.bits, position);
                    found.push((key, CopyChoice { reads, fill }, plan));
                    break;
                }
            }
        }
    }
    let best = found.into_iter().min_by_key(|(key, ..)| *key)?;
    Some((best.1, best.2))
}

/// Returns the reads together with those that load the initial values of their windows.
fn with_groups(context: &Context, body: &Body, reads: &[OperationId]) -> Vec<OperationId> {
    let group = |op: OperationId| body.attribute_named(context, op, WINDOW_OF);
    let mut all: Vec<OperationId> = reads.to_vec();
    for op in all_named(context, body, memref::Load::NAME) {
        let is_kin = |read: &OperationId| {
            group(op).is_some()
                && group(*read) == group(op)
                && body.operand(*read, 0) == body.operand(op, 0)
        };
        if !all.contains(&op) && reads.iter().any(is_kin) {
            all.push(op);
        }
    }
    all
}

/// Returns ways to fill a copy, the best first.
fn fills(context: &Context, body: &Body, reads: &[OperationId], policy: FillPolicy) -> Vec<Fill> {
    let around = |op: OperationId| -> Vec<OperationId> {
        let all = std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        all.filter(|op| name(context, body, *op) == scf::For::NAME)
            .collect()
    };
    let first = around(reads[0]);
    let outermost = first.last().copied();
    let mut found = vec![Fill::Never];
    match policy {
        FillPolicy::Never => {}
        FillPolicy::Inner => {
            let holds_all = |op: &OperationId| reads.iter().all(|read| around(*read).contains(op));
            let common = first.iter().copied().filter(holds_all);
            found.extend(
                common
                    .filter(|op| !is_innermost(context, body, *op))
                    .map(Fill::Rest),
            );
            found.extend(outermost.map(Fill::Rest));
        }
        FillPolicy::Outer => found.extend(outermost.map(Fill::Rest)),
        FillPolicy::Whole => found.extend(outermost.map(Fill::Whole)),
    }
    found
}
