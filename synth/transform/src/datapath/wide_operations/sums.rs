//! Splits wide sums and differences.

use sluice_dialects::arith;
use sluice_ir::ValueId;
use sluice_oplib::class::OperatorClass;

use super::Pieces;
use crate::build::binary;

impl Pieces<'_, '_> {
    /// Emits `arith.addi` or `arith.subi` in pieces.
    ///
    /// The carry enters as an additional bit below the others, which needs no second adder: (2a + 1) + (2b + c) and 2a - (2b + c)
    /// contain a + b + c and a - b - c above their lowest bit. The carry leaves as an additional bit above them.
    pub(super) fn sum(&mut self, name: &str, a: ValueId, b: ValueId) -> Option<ValueId> {
        let (class, below) = match name {
            arith::Addi::NAME => (OperatorClass::Add, 1),
            _ => (OperatorClass::Subtract, 0),
        };
        let width = self.width(a);
        if (self.splitting.fits)(class, width) {
            return Some(binary(&mut self.builder, name, a, b));
        }
        let most = self.widest(&[class], width - 1)?.checked_sub(2)?;
        if most == 0 {
            return None;
        }
        let bits = Self::even(width, most);
        let mut carry: Option<ValueId> = None;
        let mut parts = Vec::new();
        let mut low = 0;
        while low < width {
            let n = bits.min(width - low);
            let (left, right) = (self.piece(a, low, n), self.piece(b, low, n));
            low += n;
            if carry.is_none() && self.is_zero(right) {
                parts.push(left);
                continue;
            }
            let is_last = low == width;
            let n_below = u32::from(carry.is_some());
            let all = n + n_below + u32::from(!is_last);
            let (left, right) = match carry {
                Some(carry) => {
                    let lowest = self.number(1, below);
                    (self.join(&[lowest, left]), self.join(&[carry, right]))
                }
                None => (left, right),
            };
            let (left, right) = (self.zext(left, all), self.zext(right, all));
            let made = binary(&mut self.builder, name, left, right);
            parts.push(self.piece(made, n_below, n));
            carry = (!is_last).then(|| self.piece(made, all - 1, 1));
        }
        Some(self.join(&parts))
    }
}
