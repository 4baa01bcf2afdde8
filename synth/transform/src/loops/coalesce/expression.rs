//! Integer expressions over loop counters: bounds, addresses and conditions that are evaluated at compile time.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, index};
use sluice_ir::{Body, Context, ValueId};

use crate::build::{EQ, NE, SGE, SGT, SLE, SLT, constant_i64, name};

/// Maximum number of operations: the simulation evaluates an expression for every access, so longer ones cost more than they
/// save.
const MAX_NODES: u32 = 1_000;

/// An integer expression over counters.
pub(super) enum Expression {
    Constant(i64),
    /// The position among the known counters.
    Counter(usize),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// The operator of a binary expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Least,
    Greatest,
    ShiftLeft,
    ShiftRight,
    DivideDown,
    DivideUp,
    And,
    Or,
    ExclusiveOr,
    /// A comparison: -1 (all bits set) if it holds, else 0.
    Compare(Comparison),
}

/// Comparisons of signed numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// Converts a predicate of `arith.cmpi`; `None` for unsigned predicates.
    fn of_predicate(predicate: i64) -> Option<Self> {
        Some(match predicate {
            EQ => Self::Equal,
            NE => Self::Unequal,
            SLT => Self::Less,
            SLE => Self::LessOrEqual,
            SGT => Self::Greater,
            SGE => Self::GreaterOrEqual,
            _ => return None,
        })
    }
}

impl Operator {
    /// Evaluates the operator; `None` if the result is undefined or does not fit.
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Least => Some(a.min(b)),
            Self::Greatest => Some(a.max(b)),
            Self::ShiftLeft => {
                a.checked_mul(1i64.checked_shl(u32::try_from(b).ok().filter(|b| *b < 62)?)?)
            }
            Self::ShiftRight => a.checked_shr(u32::try_from(b).ok()?),
            Self::DivideDown => (b > 0).then(|| a.div_euclid(b)),
            Self::DivideUp => a.checked_neg().filter(|_| b > 0).map(|a| -a.div_euclid(b)),
            Self::And => Some(a & b),
            Self::Or => Some(a | b),
            Self::ExclusiveOr => Some(a ^ b),
            Self::Compare(comparison) => {
                let holds = match comparison {
                    Comparison::Equal => a == b,
                    Comparison::Unequal => a != b,
                    Comparison::Less => a < b,
                    Comparison::LessOrEqual => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::GreaterOrEqual => a >= b,
                };
                Some(-i64::from(holds))
            }
        }
    }
}

impl Expression {
    pub(super) fn evaluate(&self, counters: &[i64]) -> Option<i64> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Counter(index) => Some(counters[*index]),
            Self::Binary(operator, a, b) => {
                operator.apply(a.evaluate(counters)?, b.evaluate(counters)?)
            }
        }
    }

    /// Collects the positions of the counters in the expression.
    pub(super) fn counters(&self, found: &mut BTreeSet<usize>) {
        match self {
            Self::Constant(_) => {}
            Self::Counter(position) => {
                found.insert(*position);
            }
            Self::Binary(_, a, b) => {
                a.counters(found);
                b.counters(found);
            }
        }
    }

    /// Returns the constant coefficient of a counter; `None` if it is not certain.
    pub(super) fn factor(&self, counter: usize) -> Option<i64> {
        match self {
            Self::Constant(_) => Some(0),
            Self::Counter(position) => Some(i64::from(*position == counter)),
            Self::Binary(operator, a, b) => {
                match (operator, a.factor(counter)?, b.factor(counter)?) {
                    (_, 0, 0) => Some(0),
                    (Operator::Add, a, b) => a.checked_add(b),
                    (Operator::Subtract, a, b) => a.checked_sub(b),
                    (Operator::Multiply | Operator::ShiftLeft, factor, 0) => {
                        operator.apply(factor, b.constant()?)
                    }
                    (Operator::Multiply, 0, factor) => factor.checked_mul(a.constant()?),
                    _ => None,
                }
            }
        }
    }

    /// As [`Expression::factor`], for a value modulo a power of two; the second number is the modulus, or `None` without one.
    pub(super) fn factor_around(&self, counter: usize) -> Option<(i64, Option<i64>)> {
        if let Self::Binary(Operator::And, value, mask) = self
            && let Some(words) = mask.constant().and_then(|mask| mask.checked_add(1))
            && words > 0
            && words & (words - 1) == 0
        {
            return Some((value.factor(counter)?, Some(words)));
        }
        Some((self.factor(counter)?, None))
    }

    fn constant(&self) -> Option<i64> {
        let mut counters = BTreeSet::new();
        self.counters(&mut counters);
        counters.is_empty().then(|| self.evaluate(&[])).flatten()
    }

    /// Returns the expression of a value; `None` for an unsupported operation, or more than [`MAX_NODES`] operations, counting
    /// shared values once per use.
    pub(super) fn of(
        context: &Context,
        body: &Body,
        counters: &BTreeMap<ValueId, usize>,
        value: ValueId,
    ) -> Option<Self> {
        Self::within(context, body, counters, value, &mut { MAX_NODES })
    }

    /// As [`Expression::of`], with a limit on the number of operations that is counted down.
    fn within(
        context: &Context,
        body: &Body,
        counters: &BTreeMap<ValueId, usize>,
        value: ValueId,
        left: &mut u32,
    ) -> Option<Self> {
        if let Some(constant) = constant_i64(context, body, value) {
            return Some(Self::Constant(constant));
        }
        if let Some(position) = counters.get(&value) {
            return Some(Self::Counter(*position));
        }
        let op = body.defining_operation(value)?;
        *left = left.checked_sub(1)?;
        let mut operand =
            |i: usize| Self::within(context, body, counters, body.operand(op, i), left);
        let operator = match name(context, body, op) {
            arith::Addi::NAME | index::Add::NAME => Operator::Add,
            arith::Subi::NAME | index::Sub::NAME => Operator::Subtract,
            arith::Muli::NAME | index::Mul::NAME => Operator::Multiply,
            arith::Minsi::NAME | index::Mins::NAME => Operator::Least,
            arith::Maxsi::NAME | index::Maxs::NAME => Operator::Greatest,
            arith::Shli::NAME | index::Shl::NAME => Operator::ShiftLeft,
            arith::Shrsi::NAME => Operator::ShiftRight,
            arith::Floordivsi::NAME => Operator::DivideDown,
            arith::Ceildivsi::NAME => Operator::DivideUp,
            arith::Andi::NAME => Operator::And,
            arith::Ori::NAME => Operator::Or,
            arith::Xori::NAME => Operator::ExclusiveOr,
            arith::Cmpi::NAME => {
                let predicate = body.attribute_named(context, op, "predicate")?;
                Operator::Compare(Comparison::of_predicate(predicate.as_i64(context)?)?)
            }
            arith::IndexCast::NAME if body.ty(value).is_index(context) => return operand(0),
            _ => return None,
        };
        // Operations on other types than index could wrap, unless they are bitwise.
        let is_bitwise = matches!(
            operator,
            Operator::And | Operator::Or | Operator::ExclusiveOr | Operator::Compare(_)
        );
        (is_bitwise || body.ty(value).is_index(context)).then(|| {
            Some(Self::Binary(
                operator,
                Box::new(operand(0)?),
                Box::new(operand(1)?),
            ))
        })?
    }
}
