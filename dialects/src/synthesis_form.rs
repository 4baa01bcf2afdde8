//! The synthesis form: what kind of operation one is to scheduling and binding (docs/SYNTHESIS.md).

use sluice_ir::{OperationId, View};

/// On a cast that reads an argument of a loop: in every iteration that uses the result, the argument has been the same for so many
/// iterations. The value may be taken from as far back.
pub const UNCHANGED: &str = "sluice.unchanged";

/// On a cast that reads an argument of an `scf.while`: what it gives may be the argument of up to so many rounds before, and the initial
/// value before there were as many.
pub const STALE: &str = "sluice.stale";

/// On a local memory that is read in the order in which it is written, so that a queue takes its place: as many words as go through it. On
/// the buffer that is that queue in a dataflow graph: its name.
pub const CHANNEL: &str = "sluice.channel";

/// On the buffer: as many words as go through it in a call.
pub const WORDS: &str = "sluice.words";

/// On both of them: the slots that the user wants the queue to have.
pub const DEPTH: &str = "sluice.depth_wanted";

/// On a `memref.store` whose address is to wait for the data in a queue while loads of other cells pass it. On the buffer that is that queue
/// in a dataflow graph.
pub const PENDING: &str = "sluice.pending";

/// On a memory outside, in a dataflow graph: words come or go in their order, whatever the address.
pub const STREAM: &str = "sluice.stream";

/// On a function beside a dataflow graph: the name of the `hw.module` that is its circuit, made by a schedule. Such a function has no
/// graph; in front of the graph form it has its body still.
pub const CIRCUIT: &str = "sluice.circuit";

/// On an instance of such a function in a dataflow graph: the `id`s of the memories that it is passed, in the order of its arguments.
pub const MEMORIES: &str = "sluice.memories";

/// The number of iterations for which the operand of a cast is known to be the same, at least 1.
pub fn unchanged(view: View<'_>) -> u32 {
    let number = view
        .attribute(UNCHANGED)
        .and_then(|a| a.as_i64(view.context));
    number.map_or(1, |n| u32::try_from(n.clamp(1, 1 << 20)).unwrap_or(1))
}

/// The number of rounds from which a cast may take its operand instead of from the one before, if it may.
pub fn stale(view: View<'_>) -> Option<u32> {
    let number = view.attribute(STALE)?.as_i64(view.context)?;
    u32::try_from(number.clamp(1, 1 << 20)).ok()
}

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

/// On a constant, or on the guard of a load: nobody uses it, or what the guard gives when its condition does not hold.
pub const ANY: &str = "sluice.any";

/// Whether what a guard gives when its condition does not hold may be anything.
pub fn is_any(view: View<'_>) -> bool {
    view.attribute(ANY).is_some()
}

/// On a load: nobody needs what it reads where its address is outside of the memory or has no meaning.
pub const SPECULATED: &str = "sluice.speculated";

/// On a guard: so many iterations lie at least between two in which the condition holds.
pub const EVERY: &str = "sluice.every";

/// The division or remainder inside a guard.
pub fn guarded_division(view: View<'_>) -> Option<OperationId> {
    if !is_guard(view) {
        return None;
    }
    let block = view.entry_block(0)?;
    let mut ops = view.body.operations(block);
    ops.find(|op| is_division(view.at(*op)))
}

/// Whether an operation is a division or remainder, or a guard around one.
pub fn divides(view: View<'_>) -> bool {
    is_division(view) || guarded_division(view).is_some()
}

/// Whether an operation is a division or remainder, which may be undefined and takes many cycles.
pub fn is_division(view: View<'_>) -> bool {
    matches!(
        view.name(),
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui"
    )
}

/// What stands in the block for an operation: the guard around it, or itself.
pub fn outer_operation(view: View<'_>) -> OperationId {
    let guard = view.body.parent_operation(view.id);
    guard
        .filter(|guard| is_guard(view.at(*guard)))
        .unwrap_or(view.id)
}

/// How many iterations lie at least between two in which a guard lets its operation run; 1 if nothing is known.
pub fn iterations_between(view: View<'_>) -> u32 {
    let number = view.attribute(EVERY).and_then(|a| a.as_i64(view.context));
    number.map_or(1, |n| u32::try_from(n.clamp(1, 1 << 20)).unwrap_or(1))
}

/// On a scheduled operation: its operands are registered in front of its unit, which its latency counts.
pub const REGISTERED: &str = "sluice.registered_operands";

/// On a scheduled operation: the width of its unit in bits, where that serves wider operations too.
pub const UNIT_WIDTH: &str = "sluice.unit_width";

/// On a register of a circuit: it is set in the cycles in which an iteration of a block is at a time of its schedule; the block by the
/// name of its controller.
pub const TOKEN_FRAME: &str = "sluice.frame";

/// With [`TOKEN_FRAME`]: the time, in cycles since the iteration began, those of waiting left out.
pub const TOKEN_TIME: &str = "sluice.time";

/// With [`TOKEN_FRAME`]: the operation whose block it is, by its number in the scheduled function, outer before inner, in text order; a
/// block of the function itself has none.
pub const TOKEN_OPERATION: &str = "sluice.operation";

/// With [`TOKEN_FRAME`]: the block, by its number among those of the operation or of the function; of several that run as one, the first.
pub const TOKEN_BLOCK: &str = "sluice.block";

/// On a division: the iterative dividers that take its operands in turn, see [`interleaved_units`].
pub const INTERLEAVE: &str = "sluice.interleave";

/// How many iterative dividers take turns at an operation, 1 without the attribute: each is free for as many times longer.
pub fn interleaved_units(view: View<'_>) -> u32 {
    view.attribute(INTERLEAVE)
        .and_then(|units| units.as_i64(view.context))
        .and_then(|units| u32::try_from(units).ok())
        .map_or(1, |units| units.max(1))
}
