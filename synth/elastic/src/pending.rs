//! `queue-stores`: marks stores whose addresses become known before their data, so that later loads of other words need not wait.
//!
//! Without this, a load in a loop that may read a word stored in an earlier iteration waits until that store is done, although it
//! mostly reads another word. Instead, the address of the store waits in a queue, and loads compare their address with the queue:
//! only loads of the same word wait. This is a load-store queue (as in Josipović, Brisk, Ienne, "An Out-of-Order Load-Store Queue
//! for Spatial Computing", TECS 2017). Differs: order tokens, not the allocation of entries by basic block, keep loads after
//! earlier stores.

use std::collections::BTreeMap;

use sluice_dialects::sluice::PENDING;
use sluice_dialects::{func, memref, scf, sluice, synthesis_form::guarded_access};
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, OperationId, ValueId, View};

use crate::lower::dependences;

/// Maximum number of marked stores of one memory: every load of it is compared with the addresses of each.
const MAX_STORES: usize = 4;

/// Marks stores of a module: for each memory, those in the innermost loops of which loads in the same loop may read a word stored
/// in an earlier iteration. Returns the number of marked stores.
pub fn queue_stores(context: &Context, module: &mut Module) -> usize {
    let mut n_marked = 0;
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner_mut().inner_mut(function);
        let stores = stores(context, body);
        n_marked += stores.len();
        for store in stores {
            body.set_attribute(store, context.name(PENDING), context.unit_attribute());
        }
    }
    n_marked
}

fn stores(context: &Context, body: &Body) -> Vec<OperationId> {
    // For each memory: the maximum loop depth, and the stores at that depth.
    let mut found: BTreeMap<ValueId, (usize, Vec<OperationId>)> = BTreeMap::new();
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if view.name() != memref::Store::NAME {
            continue;
        }
        let loops = loops_around(view);
        let (Some(innermost), memory) = (loops.first(), view.operand(1)) else {
            continue;
        };
        if !is_read_again(view.at(*innermost), view, memory) {
            continue;
        }
        let known = found.entry(memory).or_default();
        if known.0 < loops.len() {
            *known = (loops.len(), Vec::new());
        }
        if known.0 == loops.len() {
            known.1.push(op);
        }
    }
    // A statically scheduled circuit cannot wait for its memory port.
    found.retain(|memory, _| {
        let mut users = body.uses(*memory);
        !users.any(|(user, _)| View::new(context, body, user).name() == func::Call::NAME)
    });
    let few = found
        .into_values()
        .filter(|(_, stores)| stores.len() <= MAX_STORES);
    few.flat_map(|(_, stores)| stores).collect()
}

/// Returns the loops around an operation, innermost first.
fn loops_around(view: View<'_>) -> Vec<OperationId> {
    let mut found = Vec::new();
    let mut at = view.id;
    while let Some(op) = view.body.parent_operation(at) {
        if matches!(view.at(op).name(), scf::For::NAME | scf::While::NAME) {
            found.push(op);
        }
        at = op;
    }
    found
}

/// Returns whether a load of a loop may read a word that a store of the loop wrote in an earlier iteration.
fn is_read_again(around: View<'_>, store: View<'_>, memory: ValueId) -> bool {
    let dependences = dependences(around);
    // Only accesses directly in the loop have listed dependences; accesses in nested conditionals or loops may touch any word.
    let listed = |access: View<'_>| {
        let parent = access.body.parent_operation(access.id)?;
        let is_guard = || guarded_access(access.at(parent)).is_some();
        let is_own = parent == around.id
            || is_guard() && access.body.parent_operation(parent) == Some(around.id);
        let number = access.attribute(sluice::ACCESS).filter(|_| is_own)?;
        number.as_i64(access.context)
    };
    around.body.walk(around.id).into_iter().any(|op| {
        let load = around.at(op);
        if load.name() != memref::Load::NAME || load.operand(0) != memory {
            return false;
        }
        match listed(store).zip(listed(load)) {
            Some(pair) => dependences
                .get(&pair)
                .is_some_and(|distances| distances.iter().any(|d| *d > 0)),
            None => true,
        }
    })
}
