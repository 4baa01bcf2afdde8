//! Shifts; and numbers with a sign, which a shift to the left and one back to the right make: 32 bits of them are often enough.

use crate::graph::{Binary, Node, Word, mask};

use super::code::{Instruction, Kind, Operand, Operator, Shift, Value};
use super::lower::Lowering;

/// The low half of a number that 32 bits with a sign are enough for.
fn low_of_signed(value: u64) -> Option<u64> {
    let fits = i32::try_from(value.cast_signed()).is_ok();
    fits.then_some(value & mask(32))
}

/// The high half of a number that has nothing in its low one.
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
        // To the left the low half comes from the low half; words of 32 bits are not negative.
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

    /// A number of 32 bits with a sign, shifted to the right.
    fn shifted_signed(&mut self, of: Value, by: Word) -> Value {
        match self.graph.constant_of(by) {
            Some(by) => self.shift(Shift::Sar, of, (by & 63).min(31)),
            None => {
                // By 32 and more is what by 31 is.
                let by = self.amount(Kind::Narrow, by);
                self.binary_in(Kind::Narrow, Operator::Sar, of, Operand::Value(by))
            }
        }
    }

    /// How far is shifted.
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

    /// The low half of a word that is a number of 32 bits with a sign, if it is known to be one.
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

    /// The low half of what is left of a word that has nothing in it where 32 bits or more are shifted out.
    fn shifted_far(&mut self, shift: Shift, of: Word, by: Word) -> Option<Value> {
        let by = self.graph.constant_of(by)? & 63;
        let by = by.checked_sub(32)?;
        let top = self.top(of)?;
        Some(self.shift(shift, top, by))
    }

    /// The high half of a word that has nothing in its low one, if it is known to be so.
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

    /// Two words as 32 bits with a sign each, of which the same is true that is true of them.
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
