//! Bytecode instructions.

use crate::graph::Binary;

/// A place in the state, as an instruction stores it.
pub(super) trait Place: Copy + std::fmt::Debug {
    /// The number of places that this type can represent.
    const N: usize;

    /// Creates the place with a number below `N`.
    fn new(number: usize) -> Self;

    /// Returns its number.
    fn at(self) -> usize;
}

impl Place for u16 {
    const N: usize = 1 << 16;

    fn new(number: usize) -> Self {
        Self::try_from(number).expect("a place of a small program")
    }

    fn at(self) -> usize {
        usize::from(self)
    }
}

impl Place for u32 {
    const N: usize = Self::MAX as usize;

    fn new(number: usize) -> Self {
        Self::try_from(number).expect("fewer than 2^32 words")
    }

    fn at(self) -> usize {
        self as usize
    }
}

/// An instruction. `to` is the place of the result; `a`, `b` and so on are the places of operands. `by` is a number of bits from
/// 0 to 63, `bits` one from 1 to 64.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op<P> {
    Copy {
        to: P,
        from: P,
    },
    Add {
        to: P,
        a: P,
        b: P,
    },
    Sub {
        to: P,
        a: P,
        b: P,
    },
    Mul {
        to: P,
        a: P,
        b: P,
    },
    And {
        to: P,
        a: P,
        b: P,
    },
    Or {
        to: P,
        a: P,
        b: P,
    },
    Xor {
        to: P,
        a: P,
        b: P,
    },
    Eq {
        to: P,
        a: P,
        b: P,
    },
    Ltu {
        to: P,
        a: P,
        b: P,
    },
    Lts {
        to: P,
        a: P,
        b: P,
    },
    Shl {
        to: P,
        a: P,
        b: P,
    },
    Shr {
        to: P,
        a: P,
        b: P,
    },
    Sar {
        to: P,
        a: P,
        b: P,
    },
    /// Any other binary operator.
    Binary {
        op: Binary,
        to: P,
        a: P,
        b: P,
    },
    /// Shifts by constants.
    ShlBy {
        to: P,
        a: P,
        by: u8,
    },
    ShrBy {
        to: P,
        a: P,
        by: u8,
    },
    SarBy {
        to: P,
        a: P,
        by: u8,
    },
    RotlBy {
        to: P,
        a: P,
        by: u8,
    },
    /// `a & !b`.
    AndNot {
        to: P,
        a: P,
        b: P,
    },
    /// `a | !b`, where `b` is a single bit.
    OrNot {
        to: P,
        a: P,
        b: P,
    },
    And3 {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    Or3 {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    Xor3 {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// `(a & b) | c`.
    AndOr {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// `(a | b) & c`.
    OrAnd {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// A multiply-add.
    MulAdd {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// A bit field: bits of a word from a position on.
    Field {
        to: P,
        a: P,
        by: u8,
        bits: u8,
    },
    /// The low bits of a word as a signed number.
    Signed {
        to: P,
        a: P,
        bits: u8,
    },
    /// A word shifted left, combined by `or` with another.
    Join {
        to: P,
        a: P,
        b: P,
        by: u8,
    },
    /// The second word if the first is not 0, else the third.
    Select {
        to: P,
        condition: P,
        a: P,
        b: P,
    },
    /// Loads a word from an array with one limb per word.
    LoadWord {
        to: P,
        array: P,
        index: P,
    },
    /// Loads one limb of a word from an array.
    Load {
        to: P,
        array: P,
        index: P,
        limb: P,
    },
    /// Instructions that truncate their result to its low bits.
    Cut {
        to: P,
        from: P,
        bits: u8,
    },
    AddCut {
        to: P,
        a: P,
        b: P,
        bits: u8,
    },
    MulCut {
        to: P,
        a: P,
        b: P,
        bits: u8,
    },
    MulAddCut {
        to: P,
        a: P,
        b: P,
        c: P,
        bits: u8,
    },
    CopyWhere {
        to: P,
        condition: P,
        from: P,
        bits: u8,
    },
    CopyUnless {
        to: P,
        condition: P,
        from: P,
        bits: u8,
    },
    /// Call number `call`.
    Call {
        call: P,
    },
    /// Writes a word to an array with one limb per word.
    WriteWord {
        array: P,
        index: P,
        from: P,
    },
    /// Write number `write`.
    Write {
        write: P,
    },
    /// Skips the next `n` instructions if the condition is not 0.
    SkipWhere {
        condition: P,
        n: P,
    },
    /// Skips the next `n` instructions if the condition is 0.
    SkipUnless {
        condition: P,
        n: P,
    },
}

impl<P: Place> Op<P> {
    /// Returns the instruction of a binary operator.
    pub(super) fn binary(op: Binary, to: P, a: P, b: P) -> Self {
        match op {
            Binary::Add => Self::Add { to, a, b },
            Binary::Sub => Self::Sub { to, a, b },
            Binary::Mul => Self::Mul { to, a, b },
            Binary::And => Self::And { to, a, b },
            Binary::Or => Self::Or { to, a, b },
            Binary::Xor => Self::Xor { to, a, b },
            Binary::Eq => Self::Eq { to, a, b },
            Binary::Ltu => Self::Ltu { to, a, b },
            Binary::Lts => Self::Lts { to, a, b },
            Binary::Shl => Self::Shl { to, a, b },
            Binary::Shr => Self::Shr { to, a, b },
            Binary::Sar => Self::Sar { to, a, b },
            Binary::MulHigh | Binary::Rotl | Binary::Udiv | Binary::Urem => {
                Self::Binary { op, to, a, b }
            }
        }
    }

    /// Returns the same instruction with its result truncated and stored in a slot; `None` if its result is not in `place` or
    /// there is no such instruction.
    pub(super) fn cut(&self, place: P, slot: P, bits: u8) -> Option<Self> {
        match *self {
            Self::Add { to, a, b } if to.at() == place.at() => Some(Self::AddCut {
                to: slot,
                a,
                b,
                bits,
            }),
            Self::Mul { to, a, b } if to.at() == place.at() => Some(Self::MulCut {
                to: slot,
                a,
                b,
                bits,
            }),
            Self::MulAdd { to, a, b, c } if to.at() == place.at() => Some(Self::MulAddCut {
                to: slot,
                a,
                b,
                c,
                bits,
            }),
            _ => None,
        }
    }
}
