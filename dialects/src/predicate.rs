//! Predicates of integer comparisons: `arith.cmpi`, `index.cmp` and `comb.icmp` use the same numbers.

use sluice_ir::View;
use sluice_ir::algebra::Algebra;

/// A comparison of two integers of one width. The variants have the numbers of the attribute `predicate`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Predicate {
    /// Equal.
    Eq = 0,
    /// Different.
    Ne = 1,
    /// Less, two's complement.
    Slt = 2,
    /// At most, two's complement.
    Sle = 3,
    /// Greater, two's complement.
    Sgt = 4,
    /// At least, two's complement.
    Sge = 5,
    /// Less, unsigned.
    Ult = 6,
    /// At most, unsigned.
    Ule = 7,
    /// Greater, unsigned.
    Ugt = 8,
    /// At least, unsigned.
    Uge = 9,
}

impl Predicate {
    /// All predicates, by their numbers.
    pub const ALL: [Self; 10] = [
        Self::Eq,
        Self::Ne,
        Self::Slt,
        Self::Sle,
        Self::Sgt,
        Self::Sge,
        Self::Ult,
        Self::Ule,
        Self::Ugt,
        Self::Uge,
    ];

    /// Returns the predicate with a number, `None` if there is none. The additional predicates of `comb.icmp` are the same for
    /// bits that are 0 or 1: `ceq` and `weq` are `Eq`, `cne` and `wne` are `Ne`.
    pub fn from_number(number: i64) -> Option<Self> {
        match number {
            10 | 12 => Some(Self::Eq),
            11 | 13 => Some(Self::Ne),
            number => {
                let number = usize::try_from(number).ok()?;
                Self::ALL.get(number).copied()
            }
        }
    }

    /// Returns the predicate of a comparison; `None` for other operations.
    pub fn of(view: View<'_>) -> Option<Self> {
        Self::from_number(view.attribute("predicate")?.as_i64(view.context)?)
    }

    /// Returns the result of the comparison, as one bit.
    pub fn compare<A: Algebra>(self, algebra: &mut A, a: &A::Word, b: &A::Word) -> A::Word {
        match self {
            Self::Eq => algebra.eq(a, b),
            Self::Ne => algebra.ne(a, b),
            Self::Slt => algebra.slt(a, b),
            Self::Sle => algebra.sle(a, b),
            Self::Sgt => algebra.sgt(a, b),
            Self::Sge => algebra.sge(a, b),
            Self::Ult => algebra.ult(a, b),
            Self::Ule => algebra.ule(a, b),
            Self::Ugt => algebra.ugt(a, b),
            Self::Uge => algebra.uge(a, b),
        }
    }

    /// Returns true if the operands are two's complement numbers.
    pub fn is_signed(self) -> bool {
        match self {
            Self::Slt | Self::Sle | Self::Sgt | Self::Sge => true,
            Self::Eq | Self::Ne | Self::Ult | Self::Ule | Self::Ugt | Self::Uge => false,
        }
    }

    /// Returns the result for equal operands.
    pub fn holds_if_equal(self) -> bool {
        match self {
            Self::Eq | Self::Sle | Self::Sge | Self::Ule | Self::Uge => true,
            Self::Ne | Self::Slt | Self::Sgt | Self::Ult | Self::Ugt => false,
        }
    }
}
