//! `forward`: a load after a store or a load of the same cell takes the value; a store that is overwritten unread goes.

use sluice_ir::{BlockId, Body, Context, View};

use crate::dependence::{MemoryAccess, access_of, may_alias};

/// Works on every block by itself; an operation with regions or a call ends what is known.
pub fn forward(context: &Context, body: &mut Body) {
    let mut blocks: Vec<BlockId> = Vec::new();
    for op in body.walk_all() {
        let block = body
            .parent_block(op)
            .expect("a walked operation is in a block");
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    for block in blocks {
        forward_in(context, body, block);
    }
}

fn same_cell(a: &MemoryAccess, b: &MemoryAccess) -> bool {
    a.memory == b.memory && a.address == b.address
}

fn forward_in(context: &Context, body: &mut Body, block: BlockId) {
    // What is known: the access and the value its cell has.
    let mut known: Vec<(MemoryAccess, sluice_ir::ValueId)> = Vec::new();
    // Stores not read since.
    let mut pending: Vec<MemoryAccess> = Vec::new();
    let ops: Vec<_> = body.operations(block).collect();
    for op in ops {
        let view = View::new(context, body, op);
        if !view.regions().is_empty() || view.name() == "func.call" {
            known.clear();
            pending.clear();
            continue;
        }
        let Some(access) = access_of(context, body, op) else {
            continue;
        };
        if access.writes {
            let value = body.operand(op, 0);
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
