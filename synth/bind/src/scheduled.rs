//! Reading the scheduled form: attributes of the schedule and the shape of scf operations.

use sluice_ir::{BlockId, Location, OperationId, ValueId, View};

/// Why a function cannot be bound: always a broken promise of an earlier stage.
#[derive(Clone, Debug)]
pub struct BindError {
    /// Where.
    pub location: Location,
    /// What was promised.
    pub message: String,
}

pub(crate) type Bound<T> = Result<T, BindError>;

/// An error at an operation.
pub(crate) fn broken(view: View<'_>, message: impl Into<String>) -> BindError {
    BindError {
        location: view.location(),
        message: format!("`{}`: {}", view.name(), message.into()),
    }
}

/// An integer attribute that fits `u32`.
pub(crate) fn number(view: View<'_>, name: &str) -> Option<u32> {
    u32::try_from(view.attribute(name)?.as_i64(view.context)?).ok()
}

/// An integer attribute the schedule must have left.
pub(crate) fn required(view: View<'_>, name: &str) -> Bound<u32> {
    number(view, name).ok_or_else(|| broken(view, format!("the schedule left no `{name}`")))
}

/// `sluice.start`
pub(crate) fn start(view: View<'_>) -> Bound<u32> {
    required(view, "sluice.start")
}

/// `sluice.latency`, 0 if absent; a load has at least its memory's cycle.
pub(crate) fn latency(view: View<'_>) -> u32 {
    number(view, "sluice.latency").unwrap_or_else(|| u32::from(view.name() == "memref.load"))
}

/// Whether an `scf.if` is a predicated access.
pub(crate) fn is_guard(view: View<'_>) -> bool {
    view.name() == "scf.if" && view.attribute("sluice.guard").is_some()
}

/// Whether an operation stretches time.
pub(crate) fn is_compound(view: View<'_>) -> bool {
    match view.name() {
        "scf.for" | "scf.while" | "func.call" => true,
        "scf.if" => !is_guard(view),
        _ => false,
    }
}

/// Whether an operation is free of hardware and of a start time.
pub(crate) fn is_free(view: View<'_>) -> bool {
    matches!(
        view.name(),
        "arith.constant"
            | "arith.index_castui"
            | "memref.alloca"
            | "memref.get_global"
            | "scf.yield"
            | "scf.condition"
    ) || matches!(view.name(), "func.return" | "cf.br" | "cf.cond_br")
}

/// The access inside a guard and, for a load, the guard's result.
pub(crate) fn guarded_access(view: View<'_>) -> Bound<OperationId> {
    let block = view
        .entry_block(0)
        .ok_or_else(|| broken(view, "a guard has a block"))?;
    let mut ops = view.body.operations(block);
    ops.find(|op| matches!(view.at(*op).name(), "memref.load" | "memref.store"))
        .ok_or_else(|| broken(view, "a guard holds one access"))
}

/// The operands of the last operation of `block`.
pub(crate) fn terminator_operands(view: View<'_>, block: BlockId) -> Vec<ValueId> {
    view.body
        .last_operation(block)
        .map(|op| view.body.operands(op).collect())
        .unwrap_or_default()
}

/// Whether any operation in `block` is compound.
pub(crate) fn holds_compound(view: View<'_>, block: BlockId) -> bool {
    view.body
        .operations(block)
        .any(|op| is_compound(view.at(op)))
}
