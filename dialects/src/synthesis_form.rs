//! The synthesis form: what kind of operation one is to scheduling and binding (docs/SYNTHESIS.md).

use sluice_ir::{OperationId, View};

/// Whether an `scf.if` is a predicated access.
pub fn is_guard(view: View<'_>) -> bool {
    view.name() == "scf.if" && view.attribute("sluice.guard").is_some()
}

/// Whether an operation stretches time: a loop, a call, a conditional that is no guard.
pub fn is_compound(view: View<'_>) -> bool {
    match view.name() {
        "scf.for" | "scf.while" | "func.call" => true,
        "scf.if" => !is_guard(view),
        _ => false,
    }
}

/// Whether an operation is free of hardware and of a start time.
pub fn is_free(view: View<'_>) -> bool {
    matches!(
        view.name(),
        "arith.constant"
            | "arith.index_castui"
            | "cf.br"
            | "cf.cond_br"
            | "func.return"
            | "memref.alloca"
            | "memref.get_global"
            | "scf.condition"
            | "scf.yield"
    )
}

/// The load or store inside a guard.
pub fn guarded_access(view: View<'_>) -> Option<OperationId> {
    if !is_guard(view) {
        return None;
    }
    let block = view.entry_block(0)?;
    let mut ops = view.body.operations(block);
    ops.find(|op| matches!(view.at(*op).name(), "memref.load" | "memref.store"))
}
