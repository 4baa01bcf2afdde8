//! Splits wide shifts by variable amounts.

use sluice_ir::ValueId;
use sluice_oplib::class::OperatorClass;

use super::Pieces;
use crate::build::select;

impl Pieces<'_, '_> {
    /// Emits `arith.shli`, `arith.shrui` or `arith.shrsi` as one selection per bit of the amount. An amount of at least the width
    /// is undefined.
    pub(super) fn shift(&mut self, name: &str, a: ValueId, amount: ValueId) -> Option<ValueId> {
        let width = self.width(a);
        if !(self.splitting.fits)(OperatorClass::Mux, width) {
            return None;
        }
        let mut value = a;
        for bit in 0..width.next_power_of_two().trailing_zeros() {
            let is_set = self.piece(amount, bit, 1);
            if self.is_zero(is_set) {
                continue;
            }
            let moved = self.shifted(name, value, 1 << bit);
            value = select(&mut self.builder, is_set, moved, value);
        }
        Some(value)
    }
}
