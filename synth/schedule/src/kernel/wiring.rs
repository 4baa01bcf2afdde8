//! Bit logic that is wiring: every bit of the result is a bit of one operand or known.

use sluice_dialects::arith;
use sluice_ir::algebra::{KnownBits, KnownBitsWord};
use sluice_ir::{ValueId, View};

/// Number of operations through which known bits are followed.
const MAX_LEVELS: u32 = 6;

/// Returns true if an `and`, `or` or `xor` needs no look-up table: `or` and `xor` of values that have no bits in common, `and`
/// and `or` with known bits.
pub(crate) fn is_wiring(view: View<'_>) -> bool {
    let is_exclusive = match view.name() {
        arith::Andi::NAME | arith::Ori::NAME => false,
        arith::Xori::NAME => true,
        _ => return false,
    };
    // The bits of the result that a known bit of this operand decides or passes from the other operand; an inverted bit needs a
    // table.
    let decided = |i: usize| {
        let known = known_bits(view, view.operand(i), MAX_LEVELS)?;
        Some(match is_exclusive {
            true => known.zeros,
            false => known.zeros.or(&known.ones),
        })
    };
    decided(0)
        .zip(decided(1))
        .is_some_and(|(a, b)| a.or(&b).is_all_ones())
}

/// Computes the known bits of a value from the operations that make it.
fn known_bits(view: View<'_>, value: ValueId, levels: u32) -> Option<KnownBitsWord> {
    let width = view.ty(value).width_bits(view.context)?;
    let made = view.body.defining_operation(value).filter(|_| levels > 0);
    let by_meaning = made.and_then(|op| {
        let maker = view.at(op);
        if maker.name() == arith::Constant::NAME {
            let value = maker.attribute("value")?;
            return value.integer(maker.context).map(KnownBitsWord::known);
        }
        let meaning = maker.definition()?.meaning.as_ref()?;
        let results = maker.results().iter().copied();
        let mut values = maker.operands().chain(results);
        if values.any(|v| maker.ty(v).width_bits(maker.context).is_none()) {
            return None;
        }
        let operands: Option<Vec<KnownBitsWord>> = maker
            .operands()
            .map(|operand| known_bits(view, operand, levels - 1))
            .collect();
        let operands = operands?;
        let found =
            maker.with_site(|site| (meaning.known_bits)(site, &mut KnownBits::new(), &operands))?;
        let at = maker.results().iter().position(|result| *result == value)?;
        found.into_iter().nth(at)
    });
    Some(by_meaning.unwrap_or_else(|| KnownBitsWord::unknown(width)))
}
