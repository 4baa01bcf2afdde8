//! `forward`: store-to-load and load-to-load forwarding, and removal of dead stores and of stores of the value that the word
//! already has.

use sluice_dialects::{aliases, scf};
use sluice_ir::effects::Effects;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueId, View};

use crate::analysis::dependence::{MemoryAccess, access_of, may_alias};
use crate::datapath::if_convert::open_empty_guards;

/// Forwards values in all blocks. Values known before a conditional or a loop are known inside, except for words written there.
pub fn forward(context: &Context, body: &mut Body) {
    for region in body.top_regions().collect::<Vec<_>>() {
        for block in body.blocks(region).to_vec() {
            forward_in(context, body, block, Vec::new());
        }
    }
    open_empty_guards(context, body);
}

/// An access with the value its word has.
type Known = (MemoryAccess, ValueId);

/// Drops facts about words that operations inside of `op` may overwrite.
fn keep_untouched(context: &Context, body: &Body, op: OperationId, known: &mut Vec<Known>) {
    for inner in body.walk(op) {
        if let Some(access) = access_of(context, body, inner) {
            let conflicts =
                |k: &MemoryAccess| conflicts_in_any_iteration(context, body, k, &access);
            known.retain(|(k, _)| !access.writes || !conflicts(k));
        } else {
            let written = Effects::own(context, body, inner).writes;
            known.retain(|(k, _)| !aliases::may_hold(context, body, &written, k.memory));
        }
    }
}

/// Returns whether anything inside of `op` may read the memory of a store.
fn may_read(context: &Context, body: &Body, op: OperationId, store: &MemoryAccess) -> bool {
    let read = Effects::of(context, body, op).reads;
    aliases::may_hold(context, body, &read, store.memory)
}

/// Returns whether a store in a loop may write a word known before the loop; only different constant addresses of one memory
/// never conflict.
fn conflicts_in_any_iteration(
    context: &Context,
    body: &Body,
    known: &MemoryAccess,
    store: &MemoryAccess,
) -> bool {
    if known.memory != store.memory {
        return aliases::may_alias(context, body, known.memory, store.memory);
    }
    let fixed = known.address.terms.is_empty() && store.address.terms.is_empty();
    !(fixed && known.address.constant != store.address.constant)
}

fn same_cell(a: &MemoryAccess, b: &MemoryAccess) -> bool {
    a.memory == b.memory && a.address == b.address
}

fn forward_in(context: &Context, body: &mut Body, block: BlockId, mut known: Vec<Known>) {
    // Stores that were not read since.
    let mut pending: Vec<MemoryAccess> = Vec::new();
    let ops: Vec<_> = body.operations(block).collect();
    for op in ops {
        let view = View::new(context, body, op);
        if !view.regions().is_empty() {
            // A store that nothing inside reads is still unread afterwards.
            pending.retain(|p| !may_read(context, body, op, p));
            // The branches of a conditional start with all known facts; an iteration of a loop follows other iterations.
            let is_conditional = view.name() == scf::If::NAME;
            let regions = view.regions().to_vec();
            let before = known.clone();
            keep_untouched(context, body, op, &mut known);
            let inside = if is_conditional {
                before
            } else {
                known.clone()
            };
            if body.is_isolated(op) {
                continue;
            }
            for region in regions {
                for inner in body.blocks(region).to_vec() {
                    forward_in(context, body, inner, inside.clone());
                }
            }
            continue;
        }
        let Some(access) = access_of(context, body, op) else {
            let effects = Effects::own(context, body, op);
            let holds = |memories, memory| aliases::may_hold(context, body, memories, memory);
            known.retain(|(k, _)| !holds(&effects.writes, k.memory));
            pending
                .retain(|p| !holds(&effects.reads, p.memory) && !holds(&effects.writes, p.memory));
            continue;
        };
        if access.writes {
            let value = body.operand(op, 0);
            if known
                .iter()
                .any(|(k, known)| same_cell(k, &access) && *known == value)
            {
                body.erase(op);
                continue;
            }
            if let Some(position) = pending.iter().position(|p| same_cell(p, &access)) {
                let dead = pending.remove(position);
                known.retain(|(k, _)| k.op != dead.op);
                body.erase(dead.op);
            }
            known.retain(|(k, _)| !may_alias(context, body, k, &access));
            known.push((access.clone(), value));
            pending.push(access);
            continue;
        }
        if let Some((_, value)) = known.iter().find(|(k, _)| same_cell(k, &access)) {
            let value = *value;
            let result = body.result(op, 0);
            body.replace_all_uses(result, value);
            body.erase(op);
            continue;
        }
        pending.retain(|p| !may_alias(context, body, p, &access));
        let value = body.result(op, 0);
        known.push((access, value));
    }
}
