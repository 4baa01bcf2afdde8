//! Instructions.

use crate::graph::Binary;

/// A place of the state as an instruction holds it.
pub(super) trait Place: Copy + std::fmt::Debug {
    /// How many places there are at most.
    const N: usize;

    /// The place with a number below that.
    fn new(number: usize) -> Self;

    /// Its number.
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

/// One instruction: `to` is the place of the result, `a`, `b` and so on are those of operands, `by` and `bits` are numbers of bits below 64 and
/// from 1 to 64.
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
    /// The other operators.
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
    /// The first and the complement of the second.
    AndNot {
        to: P,
        a: P,
        b: P,
    },
    /// The first, or the complement of the second, which is a bit.
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
    /// The first two, or the third.
    AndOr {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// One of the first two, and the third.
    OrAnd {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// A product and a sum.
    MulAdd {
        to: P,
        a: P,
        b: P,
        c: P,
    },
    /// So many bits of a word from a place on.
    Field {
        to: P,
        a: P,
        by: u8,
        bits: u8,
    },
    /// So many low bits of a word as a signed number.
    Signed {
        to: P,
        a: P,
        bits: u8,
    },
    /// A word shifted to the left, and another in its place.
    Join {
        to: P,
        a: P,
        b: P,
        by: u8,
    },
    /// The second where the first is not 0, else the third.
    Select {
        to: P,
        condition: P,
        a: P,
        b: P,
    },
    /// A word of an array of words of one limb.
    LoadWord {
        to: P,
        array: P,
        index: P,
    },
    /// A limb of a word of an array.
    Load {
        to: P,
        array: P,
        index: P,
        limb: P,
    },
    /// Stores that leave out all but so many low bits.
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
    /// A write of an array of words of one limb.
    WriteWord {
        array: P,
        index: P,
        from: P,
    },
    /// Write number `write`.
    Write {
        write: P,
    },
    /// Leaves out the next `n` where the condition is not 0.
    SkipWhere {
        condition: P,
        n: P,
    },
    /// Leaves out the next `n` where the condition is 0.
    SkipUnless {
        condition: P,
        n: P,
    },
}

impl<P: Place> Op<P> {
    /// One of an operator.
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

    /// The same with so many low bits of its result in a slot, where it has its result in that place and there is such an instruction.
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
