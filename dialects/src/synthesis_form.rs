//! Queries on the synthesis form: the kind of an operation for scheduling and binding (docs/SYNTHESIS.md).

use sluice_ir::{OperationId, View};

use crate::sluice::{ANY, EVERY, FACTORS, INTERLEAVE, SIGNED_FACTORS, STALE, UNCHANGED};

/// Returns the number of iterations for which the operand of a cast is known to be the same, at least 1.
pub fn unchanged(view: View<'_>) -> u32 {
    let number = view
        .attribute(UNCHANGED)
        .and_then(|a| a.as_i64(view.context));
    number.map_or(1, |n| u32::try_from(n.clamp(1, 1 << 20)).unwrap_or(1))
}

/// Returns the greatest distance in iterations from which a cast may take its operand, if it may be more than 1.
pub fn stale(view: View<'_>) -> Option<u32> {
    let number = view.attribute(STALE)?.as_i64(view.context)?;
    u32::try_from(number.clamp(1, 1 << 20)).ok()
}

/// Returns true if an `scf.if` is a guard: a predicated access or division.
pub fn is_guard(view: View<'_>) -> bool {
    view.name() == "scf.if" && view.attribute(crate::sluice::GUARD).is_some()
}

/// Returns true if an operation takes a variable time: a loop, a call, a conditional that is not a guard.
pub fn is_compound(view: View<'_>) -> bool {
    match view.name() {
        "scf.for" | "scf.while" | "func.call" => true,
        "scf.if" => !is_guard(view),
        _ => false,
    }
}

/// Returns true if an operation has neither hardware nor a start time.
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

/// Returns the load or store inside a guard.
pub fn guarded_access(view: View<'_>) -> Option<OperationId> {
    if !is_guard(view) {
        return None;
    }
    let block = view.entry_block(0)?;
    let mut ops = view.body.operations(block);
    ops.find(|op| matches!(view.at(*op).name(), "memref.load" | "memref.store"))
}

/// Returns true if the result of a guard may have any value when its condition is false.
pub fn is_any(view: View<'_>) -> bool {
    view.attribute(ANY).is_some()
}

/// Returns the division or remainder inside a guard.
pub fn guarded_division(view: View<'_>) -> Option<OperationId> {
    if !is_guard(view) {
        return None;
    }
    let block = view.entry_block(0)?;
    let mut ops = view.body.operations(block);
    ops.find(|op| is_division(view.at(*op)))
}

/// Returns true if an operation is a division or remainder, or a guard around one.
pub fn divides(view: View<'_>) -> bool {
    is_division(view) || guarded_division(view).is_some()
}

/// Returns true if an operation is a division or remainder, which may be undefined and takes many cycles.
pub fn is_division(view: View<'_>) -> bool {
    matches!(
        view.name(),
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui"
    )
}

/// Returns the operation that represents this one in its block: the guard around it, or itself.
pub fn outer_operation(view: View<'_>) -> OperationId {
    let guard = view.body.parent_operation(view.id);
    guard
        .filter(|guard| is_guard(view.at(*guard)))
        .unwrap_or(view.id)
}

/// Returns the minimum number of iterations between two executions of a guarded operation; 1 if it is unknown.
pub fn iterations_between(view: View<'_>) -> u32 {
    let number = view.attribute(EVERY).and_then(|a| a.as_i64(view.context));
    number.map_or(1, |n| u32::try_from(n.clamp(1, 1 << 20)).unwrap_or(1))
}

/// Returns the number of iterative dividers that take turns at an operation, 1 without the attribute: each has that many times
/// longer.
pub fn interleaved_units(view: View<'_>) -> u32 {
    view.attribute(INTERLEAVE)
        .and_then(|units| units.as_i64(view.context))
        .and_then(|units| u32::try_from(units).ok())
        .map_or(1, |units| units.max(1))
}

/// The multiplier of a product.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Multiplier {
    /// Bits of the left and of the right factor.
    pub factor_bits: [u32; 2],
    /// The factors are in two's complement.
    pub signed: bool,
    /// Bits of the result, at least those of the factors.
    pub result_bits: u32,
}

impl Multiplier {
    /// Returns the width of the wider factor, in bits.
    pub fn wider_bits(self) -> u32 {
        let [left, right] = self.factor_bits;
        left.max(right)
    }
}

/// Returns the multiplier of a product of extended values, see [`FACTORS`]; `None` for other operations.
pub fn multiplier(view: View<'_>) -> Option<Multiplier> {
    let numbers = view.attribute(FACTORS)?.as_dense_array_i64(view.context)?;
    let bits: Vec<u32> = numbers
        .into_iter()
        .filter_map(|number| u32::try_from(number).ok())
        .collect();
    let [left, right, result_bits] = bits[..] else {
        return None;
    };
    let fits = left > 0 && right > 0 && left.max(right) <= result_bits;
    fits.then(|| Multiplier {
        factor_bits: [left, right],
        signed: view.attribute(SIGNED_FACTORS).is_some(),
        result_bits,
    })
}
