//! Shifts, and signed numbers, which are a left shift followed by an arithmetic right shift: 32 bits are often enough for them.

use crate::graph::{Binary, Node, Word, mask};

use super::code::{Instruction, Kind, Operand, Operator, Shift, Value};
use super::lower::Lowering;

/// Returns the low half of a number that fits in 32 bits with sign.
fn low_of_signed(value: u64) -> Option<u64> {
    let fits = i32::try_from(value.cast_signed()).is_ok();
    fits.then_some(value & mask(32))
}

/// Returns the high half of a number whose low half is 0.
fn high_of_top(value: u64) -> Option<u64> {
    (value & mask(32) == 0).then_some(value >> 32)
}

impl Lowering<'_> {
    pub(super) fn shifted(&mut self, op: Binary, kind: Kind, a: Word, b: Word) -> Value {
        let own = match self.kind(a) {
            Kind::Bits => Kind::Narrow,
            own => own,
        };
        if (op, own) == (Binary::Shr, Kind::Wide)
            && let Some(value) = self.shifted_far(Shift::Shr, a, b)
        {
            return value;
        }
        // For a left shift, the low half of the result depends only on the low half of the operand. Words of at most 32 bits are
        // not negative.
        let (kind, shift, operator) = match (op, own) {
            (Binary::Shl, _) => (kind, Shift::Shl, Operator::Shl),
            (Binary::Rotl, _) => (Kind::Wide, Shift::Rotl, Operator::Rotl),
            (Binary::Shr, _) | (_, Kind::Narrow) => (own, Shift::Shr, Operator::Shr),
            (..) => {
                if kind == Kind::Narrow {
                    if let Some(value) = self.shifted_far(Shift::Sar, a, b) {
                        return value;
                    }
                    if let Some(of) = self.signed(a) {
                        return self.shifted_signed(of, b);
                    }
                }
                (own, Shift::Sar, Operator::Sar)
            }
        };
        if let Some(by) = self.graph.constant_of(b) {
            let by = by & 63;
            if kind == Kind::Narrow && by >= 32 {
                return self.constant(0, kind);
            }
            let of = self.value(a, kind);
            return self.shift(shift, of, by);
        }
        let a = self.value(a, kind);
        let by = self.amount(kind, b);
        self.binary_in(kind, operator, a, Operand::Value(by))
    }

    /// Shifts a signed 32-bit number right.
    fn shifted_signed(&mut self, of: Value, by: Word) -> Value {
        match self.graph.constant_of(by) {
            Some(by) => self.shift(Shift::Sar, of, (by & 63).min(31)),
            None => {
                // A shift by 32 or more gives the same result as a shift by 31.
                let by = self.amount(Kind::Narrow, by);
                self.binary_in(Kind::Narrow, Operator::Sar, of, Operand::Value(by))
            }
        }
    }

    /// Returns the shift amount modulo 64.
    fn amount(&mut self, kind: Kind, by: Word) -> Value {
        let amount = self.value(by, kind);
        match self.graph.bits(by) > 6 {
            true => self.binary_in(kind, Operator::And, amount, Operand::Constant(63)),
            false => amount,
        }
    }

    pub(super) fn shift(&mut self, shift: Shift, of: Value, by: u64) -> Value {
        if by == 0 {
            return of;
        }
        let by = u8::try_from(by).expect("below 64");
        let kind = self.code.kind(of);
        self.made(kind, |to| Instruction::Shift { shift, to, of, by })
    }

    /// Returns the low half of a word that is known to be a signed 32-bit number.
    pub(super) fn signed(&mut self, word: Word) -> Option<Value> {
        if let Some(value) = self.graph.constant_of(word) {
            return low_of_signed(value).map(|low| self.constant(low, Kind::Narrow));
        }
        if self.graph.bits(word) < 32 {
            return Some(self.value(word, Kind::Narrow));
        }
        match self.graph.node(word) {
            Node::Binary(Binary::Sar, of, by) => self.shifted_far(Shift::Sar, of, by),
            _ => None,
        }
    }

    /// Returns the low half of a word shifted right by 32 or more, if the low half of the word is 0.
    fn shifted_far(&mut self, shift: Shift, of: Word, by: Word) -> Option<Value> {
        let by = self.graph.constant_of(by)? & 63;
        let by = by.checked_sub(32)?;
        let top = self.top(of)?;
        Some(self.shift(shift, top, by))
    }

    /// Returns the high half of a word whose low half is known to be 0.
    pub(super) fn top(&mut self, word: Word) -> Option<Value> {
        if let Some(value) = self.graph.constant_of(word) {
            return high_of_top(value).map(|high| self.constant(high, Kind::Narrow));
        }
        let Node::Binary(Binary::Shl, under, by) = self.graph.node(word) else {
            return None;
        };
        let by = self.graph.constant_of(by)? & 63;
        let by = by.checked_sub(32)?;
        let low = self.value(under, Kind::Narrow);
        Some(self.shift(Shift::Shl, low, by))
    }

    /// Returns 32-bit signed values that compare in the same way as the two words, if there are such values.
    pub(super) fn both_signed(&mut self, a: Word, b: Word) -> Option<(Value, Operand)> {
        let both = self.both(a, b, Self::signed, low_of_signed);
        both.or_else(|| self.both(a, b, Self::top, high_of_top))
    }

    fn both(
        &mut self,
        a: Word,
        b: Word,
        of_word: fn(&mut Self, Word) -> Option<Value>,
        of_constant: fn(u64) -> Option<u64>,
    ) -> Option<(Value, Operand)> {
        let b = match self.graph.constant_of(b) {
            Some(value) => Operand::Constant(of_constant(value)?),
            None => Operand::Value(of_word(self, b)?),
        };
        Some((of_word(self, a)?, b))
    }
}
