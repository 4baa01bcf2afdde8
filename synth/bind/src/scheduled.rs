//! Queries on the scheduled form: attributes of the schedule and the shape of scf operations.

use sluice_dialects::{memref, sluice, synthesis_form};
use sluice_ir::{BlockId, OperationId, ValueId, View};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::number;

pub(crate) use sluice_dialects::synthesis_form::{is_compound, is_free, is_guard};

/// Returns an integer attribute that the schedule must contain.
pub(crate) fn required(view: View<'_>, name: &str) -> Built<u32> {
    number(view, name).ok_or_else(|| broken(view, format!("the schedule left no `{name}`")))
}

/// Returns `sluice.start`.
pub(crate) fn start(view: View<'_>) -> Built<u32> {
    required(view, sluice::START)
}

/// Returns `sluice.latency`, 0 if absent; a load, or a guard around one, then takes the cycle of its memory.
pub(crate) fn latency(view: View<'_>) -> u32 {
    let reads = |view: View<'_>| view.name() == memref::Load::NAME;
    number(view, sluice::LATENCY).unwrap_or_else(|| {
        let access = synthesis_form::guarded_access(view).map(|op| view.at(op));
        u32::from(reads(access.unwrap_or(view)))
    })
}

/// Returns the access inside a guard.
pub(crate) fn guarded_access(view: View<'_>) -> Built<OperationId> {
    synthesis_form::guarded_access(view).ok_or_else(|| broken(view, "a guard holds one access"))
}

/// Returns the operands of the last operation of `block`.
pub(crate) fn terminator_operands(view: View<'_>, block: BlockId) -> Vec<ValueId> {
    view.body
        .last_operation(block)
        .map(|op| view.body.operands(op).collect())
        .unwrap_or_default()
}

/// Returns true if `block` contains a compound operation.
pub(crate) fn holds_compound(view: View<'_>, block: BlockId) -> bool {
    view.body
        .operations(block)
        .any(|op| is_compound(view.at(op)))
}
