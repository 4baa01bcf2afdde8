//! The language of the e-graph: integer arithmetic with widths, and its semantics over any algebra.

use egg::{Id, Language};
use sluice_dialects::arith;
use sluice_ir::algebra::Algebra;
use sluice_ir::bits::Bits;
use smallvec::SmallVec;

/// An operator.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// A number of bits: first operand of extensions and truncations.
    Width(u32),
    /// A constant.
    Constant(Bits),
    /// A value defined outside the e-graph, by number.
    Leaf(u32),
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Shift to the left.
    Shl,
    /// Logical shift to the right.
    Lshr,
    /// Arithmetic shift to the right.
    Ashr,
    /// Zero extension to a width.
    Zext,
    /// Sign extension to a width.
    Sext,
    /// Truncation to a width.
    Trunc,
    /// Equality.
    Eq,
    /// Inequality.
    Ne,
    /// Unsigned less than.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less than.
    Slt,
    /// Signed less or equal.
    Sle,
    /// `condition ? a : b`
    Select,
    /// Signed maximum.
    Smax,
    /// Signed minimum.
    Smin,
    /// Unsigned maximum.
    Umax,
    /// Unsigned minimum.
    Umin,
}

/// Name in patterns, operation name and predicate of every operator that is an operation.
///
/// `sgt`, `sge`, `ugt`, `uge` are `slt`, `sle`, `ult`, `ule` with the operands swapped.
const OPERATIONS: &[(Op, &str, &str, Option<i64>)] = &[
    (Op::Add, "add", arith::Addi::NAME, None),
    (Op::Sub, "sub", arith::Subi::NAME, None),
    (Op::Mul, "mul", arith::Muli::NAME, None),
    (Op::And, "and", arith::Andi::NAME, None),
    (Op::Or, "or", arith::Ori::NAME, None),
    (Op::Xor, "xor", arith::Xori::NAME, None),
    (Op::Shl, "shl", arith::Shli::NAME, None),
    (Op::Lshr, "lshr", arith::Shrui::NAME, None),
    (Op::Ashr, "ashr", arith::Shrsi::NAME, None),
    (Op::Zext, "zext", arith::Extui::NAME, None),
    (Op::Sext, "sext", arith::Extsi::NAME, None),
    (Op::Trunc, "trunc", arith::Trunci::NAME, None),
    (Op::Eq, "eq", arith::Cmpi::NAME, Some(0)),
    (Op::Ne, "ne", arith::Cmpi::NAME, Some(1)),
    (Op::Slt, "slt", arith::Cmpi::NAME, Some(2)),
    (Op::Sle, "sle", arith::Cmpi::NAME, Some(3)),
    (Op::Ult, "ult", arith::Cmpi::NAME, Some(6)),
    (Op::Ule, "ule", arith::Cmpi::NAME, Some(7)),
    (Op::Select, "select", arith::Select::NAME, None),
    (Op::Smax, "smax", arith::Maxsi::NAME, None),
    (Op::Smin, "smin", arith::Minsi::NAME, None),
    (Op::Umax, "umax", arith::Maxui::NAME, None),
    (Op::Umin, "umin", arith::Minui::NAME, None),
];

impl Op {
    /// Returns the operator with this name in patterns.
    pub fn from_pattern_name(name: &str) -> Option<Self> {
        OPERATIONS
            .iter()
            .find(|row| row.1 == name)
            .map(|row| row.0.clone())
    }

    /// Returns the operator of an operation, and whether its operands are swapped.
    pub fn from_operation(name: &str, predicate: Option<i64>) -> Option<(Self, bool)> {
        let (predicate, swapped) = match predicate {
            Some(swapped @ (4 | 5 | 8 | 9)) => (Some(swapped - 2), true),
            other => (other, false),
        };
        let row = OPERATIONS
            .iter()
            .find(|row| row.2 == name && row.3 == predicate)?;
        Some((row.0.clone(), swapped))
    }

    /// Returns the operation name and the predicate of `arith.cmpi`; `None` for leaves, constants and widths.
    pub fn operation(&self) -> Option<(&'static str, Option<i64>)> {
        OPERATIONS
            .iter()
            .find(|row| row.0 == *self)
            .map(|row| (row.2, row.3))
    }

    /// Returns true if the first operand is a width.
    pub fn takes_width(&self) -> bool {
        matches!(self, Self::Zext | Self::Sext | Self::Trunc)
    }

    /// Returns true if the operator is a comparison.
    pub fn is_compare(&self) -> bool {
        matches!(
            self,
            Self::Eq | Self::Ne | Self::Ult | Self::Ule | Self::Slt | Self::Sle
        )
    }

    /// Returns the number of operands, including the width.
    pub fn arity(&self) -> usize {
        match self {
            Self::Width(_) | Self::Leaf(_) | Self::Constant(_) => 0,
            Self::Select => 3,
            _ => 2,
        }
    }

    /// Computes the result on operands; `width` is the width operand of an extension or truncation, which is not among
    /// `operands`.
    ///
    /// `None` for leaves and widths. Shifts by the width or more have the value that the algebra gives them, as hardware does.
    pub fn meaning<A: Algebra>(
        &self,
        algebra: &mut A,
        width: u32,
        operands: &[&A::Word],
    ) -> Option<A::Word> {
        Some(match (self, operands) {
            (Self::Constant(value), []) => algebra.constant(value.clone()),
            (Self::Add, [a, b]) => algebra.add(a, b),
            (Self::Sub, [a, b]) => algebra.sub(a, b),
            (Self::Mul, [a, b]) => algebra.mul(a, b),
            (Self::And, [a, b]) => algebra.and(a, b),
            (Self::Or, [a, b]) => algebra.or(a, b),
            (Self::Xor, [a, b]) => algebra.xor(a, b),
            (Self::Shl, [a, b]) => algebra.shl(a, b),
            (Self::Lshr, [a, b]) => algebra.lshr(a, b),
            (Self::Ashr, [a, b]) => algebra.ashr(a, b),
            (Self::Zext, [a]) => algebra.zext(a, width),
            (Self::Sext, [a]) => algebra.sext(a, width),
            (Self::Trunc, [a]) => algebra.trunc(a, width),
            (Self::Eq, [a, b]) => algebra.eq(a, b),
            (Self::Ne, [a, b]) => algebra.ne(a, b),
            (Self::Ult, [a, b]) => algebra.ult(a, b),
            (Self::Ule, [a, b]) => algebra.ule(a, b),
            (Self::Slt, [a, b]) => algebra.slt(a, b),
            (Self::Sle, [a, b]) => algebra.sle(a, b),
            (Self::Select, [c, a, b]) => algebra.ite(c, a, b),
            (Self::Smax, [a, b]) => algebra.smax(a, b),
            (Self::Smin, [a, b]) => algebra.smin(a, b),
            (Self::Umax, [a, b]) => algebra.umax(a, b),
            (Self::Umin, [a, b]) => algebra.umin(a, b),
            _ => return None,
        })
    }
}

/// An operator with operands: one e-node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    /// The operator.
    pub op: Op,
    /// The operands.
    pub children: SmallVec<[Id; 3]>,
}

impl Node {
    /// Returns a node without operands.
    pub fn atom(op: Op) -> Self {
        Self {
            op,
            children: SmallVec::new(),
        }
    }

    /// Returns the operands that are values.
    pub fn value_children(&self) -> &[Id] {
        &self.children[usize::from(self.op.takes_width())..]
    }
}

impl Language for Node {
    type Discriminant = Op;

    fn discriminant(&self) -> Op {
        self.op.clone()
    }

    fn matches(&self, other: &Self) -> bool {
        self.op == other.op && self.children.len() == other.children.len()
    }

    fn children(&self) -> &[Id] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}
