//! Splits wide comparisons.

use sluice_dialects::arith;
use sluice_ir::ValueId;
use sluice_oplib::class::OperatorClass;

use super::Pieces;
use crate::build::{EQ, NE, SGE, SGT, SLE, SLT, binary, compare};

/// Predicates of `arith.cmpi`, unsigned.
const ULT: i64 = 6;
const ULE: i64 = 7;
const UGT: i64 = 8;
const UGE: i64 = 9;

impl Pieces<'_, '_> {
    /// Emits `arith.cmpi` in pieces.
    pub(super) fn comparison(&mut self, predicate: i64, a: ValueId, b: ValueId) -> Option<ValueId> {
        let width = self.width(a);
        let (lowest, above, highest) = match predicate {
            EQ | NE => return self.equality(predicate, a, b),
            SLT => (ULT, ULT, SLT),
            SLE => (ULE, ULT, SLT),
            SGT => (UGT, UGT, SGT),
            SGE => (UGE, UGT, SGT),
            ULT => (ULT, ULT, ULT),
            ULE => (ULE, ULT, ULT),
            UGT => (UGT, UGT, UGT),
            UGE => (UGE, UGT, UGT),
            _ => return None,
        };
        if (self.splitting.fits)(OperatorClass::CompareOrder, width) {
            return Some(compare(&mut self.builder, predicate, a, b));
        }
        let classes = [OperatorClass::CompareOrder, OperatorClass::CompareEqual];
        let bits = Self::even(width, self.widest(&classes, width - 1)?);
        let first = (self.piece(a, 0, bits), self.piece(b, 0, bits));
        let mut found = compare(&mut self.builder, lowest, first.0, first.1);
        let mut low = bits;
        while low < width {
            let n = bits.min(width - low);
            let (left, right) = (self.piece(a, low, n), self.piece(b, low, n));
            low += n;
            let decides = if low == width { highest } else { above };
            // If these bits are equal, the lower ones decide.
            let equal = compare(&mut self.builder, EQ, left, right);
            let decided = compare(&mut self.builder, decides, left, right);
            let below = binary(&mut self.builder, arith::Andi::NAME, equal, found);
            found = binary(&mut self.builder, arith::Ori::NAME, decided, below);
        }
        Some(found)
    }

    fn equality(&mut self, predicate: i64, a: ValueId, b: ValueId) -> Option<ValueId> {
        let width = self.width(a);
        if (self.splitting.fits)(OperatorClass::CompareEqual, width) {
            return Some(compare(&mut self.builder, predicate, a, b));
        }
        let most = self.widest(&[OperatorClass::CompareEqual], width - 1)?;
        let bits = Self::even(width, most);
        let mut all = Vec::new();
        let mut low = 0;
        while low < width {
            let n = bits.min(width - low);
            let (left, right) = (self.piece(a, low, n), self.piece(b, low, n));
            all.push(compare(&mut self.builder, predicate, left, right));
            low += n;
        }
        let joined = if predicate == EQ {
            arith::Andi::NAME
        } else {
            arith::Ori::NAME
        };
        self.tree(all, &mut |pieces, left, right| {
            Some(binary(&mut pieces.builder, joined, left, right))
        })
    }

    /// Joins neighbours pairwise until one is left.
    pub(super) fn tree<T: Copy>(
        &mut self,
        mut all: Vec<T>,
        join: &mut dyn FnMut(&mut Self, T, T) -> Option<T>,
    ) -> Option<T> {
        while all.len() > 1 {
            let mut next = Vec::new();
            for pair in all.chunks(2) {
                next.push(match pair {
                    [left, right] => join(self, *left, *right)?,
                    _ => pair[0],
                });
            }
            all = next;
        }
        all.first().copied()
    }
}
