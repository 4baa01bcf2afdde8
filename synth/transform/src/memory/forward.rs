//! `forward`: a load after a store or a load of the same cell takes the value; a store that is overwritten unread goes, and one of the
//! value that the cell has.

use sluice_dialects::{aliases, scf};
use sluice_ir::effects::Effects;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueId, View};

use crate::analysis::dependence::{MemoryAccess, access_of, may_alias};
use crate::datapath::if_convert::open_empty_guards;

/// Follows the structure: what is known in front of a conditional or a loop is known inside, but for cells written there.
pub fn forward(context: &Context, body: &mut Body) {
    for region in body.top_regions().collect::<Vec<_>>() {
        for block in body.blocks(region).to_vec() {
            forward_in(context, body, block, Vec::new());
        }
    }
    open_empty_guards(context, body);
}

/// An access with the value its cell has.
type Known = (MemoryAccess, ValueId);

/// Drops what operations inside of `op` may overwrite.
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

/// Whether anything inside of `op` may read the memory of a store.
fn may_read(context: &Context, body: &Body, op: OperationId, store: &MemoryAccess) -> bool {
    let read = Effects::of(context, body, op).reads;
    aliases::may_hold(context, body, &read, store.memory)
}

/// Whether a store in a loop may hit a cell known in front of it: only constant addresses of one memory that differ never do.
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
    // Stores not read since.
    let mut pending: Vec<MemoryAccess> = Vec::new();
    let ops: Vec<_> = body.operations(block).collect();
    for op in ops {
        let view = View::new(context, body, op);
        if !view.regions().is_empty() {
            // What nothing inside reads is still unread behind it.
            pending.retain(|p| !may_read(context, body, op, p));
            // The branches of a conditional start with all that is known; an iteration of a loop follows others.
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
