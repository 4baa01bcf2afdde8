//! Terms: a hash-consed graph of operators, for proofs and for the simulator.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::float::{FloatFormat, FloatOp};
use super::{Algebra, Concrete};
use crate::bits::Bits;

/// Id of a term in a [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

/// Binary operators on words of one width; the result has this width, or is one bit for comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // Each is the method of `Algebra` with the same name.
pub enum Binary {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Eq,
    Ult,
    Slt,
}

/// One operator of a term.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TermNode {
    /// A constant.
    Constant(Bits),
    /// Input `index`.
    Variable {
        /// Number of the input.
        index: u32,
        /// Its width.
        width: u32,
    },
    /// A binary operator.
    Binary(Binary, TermId, TermId),
    /// Complement.
    Not(TermId),
    /// Negation.
    Neg(TermId),
    /// `condition ? a : b`
    Ite(TermId, TermId, TermId),
    /// Zero extension to a width.
    Zext(TermId, u32),
    /// Sign extension to a width.
    Sext(TermId, u32),
    /// `width` bits from bit `low` on.
    Extract {
        /// The term that the bits are taken from.
        of: TermId,
        /// Lowest bit.
        low: u32,
        /// Number of bits.
        width: u32,
    },
    /// `high` above `low`.
    Concat(TermId, TermId),
    /// A floating-point operation.
    Float(FloatOp, FloatFormat, Vec<TermId>),
}

/// A builder of terms; operators on constants are folded immediately.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    nodes: IndexSet<TermNode, FxBuildHasher>,
    widths: Vec<u32>,
    /// Requirements of the meanings built so far.
    pub requirements: Vec<(TermId, &'static str)>,
}

impl Terms {
    /// Creates an empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the operator of a term.
    pub fn node(&self, term: TermId) -> &TermNode {
        self.nodes
            .get_index(term.0 as usize)
            .expect("the term is of this graph")
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns input `index` of `width` bits.
    pub fn variable(&mut self, index: u32, width: u32) -> TermId {
        self.intern(TermNode::Variable { index, width }, width)
    }

    fn intern(&mut self, node: TermNode, width: u32) -> TermId {
        let (index, new) = self.nodes.insert_full(node);
        if new {
            self.widths.push(width);
        }
        TermId(u32::try_from(index).expect("fewer than 2^32 terms"))
    }

    fn constant_of(&self, term: TermId) -> Option<&Bits> {
        match self.node(term) {
            TermNode::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn add_node(&mut self, node: TermNode, width: u32) -> TermId {
        let operands = operands(&node);
        if !operands.is_empty() && operands.iter().all(|t| self.constant_of(*t).is_some()) {
            let value = self.compute(&node, |terms, t| {
                terms.constant_of(t).expect("checked above").clone()
            });
            return self.intern(TermNode::Constant(value), width);
        }
        self.intern(node, width)
    }

    /// Returns the value of a node, with the values of its operands from `get`.
    pub fn compute(&self, node: &TermNode, get: impl Fn(&Self, TermId) -> Bits) -> Bits {
        Self::compute_in(&mut Concrete::new(), node, |t| get(self, t))
    }

    /// Returns the word of a node in any algebra, with the words of its operands from `get`. A variable has none.
    ///
    /// # Panics
    /// The node is a variable.
    pub fn compute_in<A: Algebra>(
        algebra: &mut A,
        node: &TermNode,
        get: impl Fn(TermId) -> A::Word,
    ) -> A::Word {
        let x = |t: &TermId| get(*t);
        match node {
            TermNode::Constant(value) => algebra.constant(value.clone()),
            TermNode::Variable { .. } => unreachable!("variables have no operands"),
            TermNode::Binary(op, a, b) => {
                let (a, b) = (&x(a), &x(b));
                match op {
                    Binary::Add => algebra.add(a, b),
                    Binary::Sub => algebra.sub(a, b),
                    Binary::Mul => algebra.mul(a, b),
                    Binary::And => algebra.and(a, b),
                    Binary::Or => algebra.or(a, b),
                    Binary::Xor => algebra.xor(a, b),
                    Binary::Udiv => algebra.udiv(a, b),
                    Binary::Urem => algebra.urem(a, b),
                    Binary::Sdiv => algebra.sdiv(a, b),
                    Binary::Srem => algebra.srem(a, b),
                    Binary::Shl => algebra.shl(a, b),
                    Binary::Lshr => algebra.lshr(a, b),
                    Binary::Ashr => algebra.ashr(a, b),
                    Binary::Eq => algebra.eq(a, b),
                    Binary::Ult => algebra.ult(a, b),
                    Binary::Slt => algebra.slt(a, b),
                }
            }
            TermNode::Not(a) => algebra.not(&x(a)),
            TermNode::Neg(a) => algebra.neg(&x(a)),
            TermNode::Ite(condition, a, b) => algebra.ite(&x(condition), &x(a), &x(b)),
            TermNode::Zext(a, width) => algebra.zext(&x(a), *width),
            TermNode::Sext(a, width) => algebra.sext(&x(a), *width),
            TermNode::Extract { of, low, width } => algebra.extract(&x(of), *low, *width),
            TermNode::Concat(high, low) => algebra.concat(&x(high), &x(low)),
            TermNode::Float(op, format, operands) => {
                let operands: Vec<_> = operands.iter().map(x).collect();
                algebra.float(*op, *format, &operands)
            }
        }
    }

    /// Returns the operands of a term.
    pub fn operands_of(&self, term: TermId) -> Vec<TermId> {
        operands(self.node(term))
    }

    /// Returns the variables on which a term depends, in order.
    pub fn variables_of(&self, term: TermId) -> Vec<u32> {
        let mut seen = vec![false; term.0 as usize + 1];
        let mut stack = vec![term];
        let mut found = Vec::new();
        while let Some(top) = stack.pop() {
            if std::mem::replace(&mut seen[top.0 as usize], true) {
                continue;
            }
            match self.node(top) {
                TermNode::Variable { index, .. } => found.push(*index),
                node => stack.extend(operands(node)),
            }
        }
        found.sort_unstable();
        found
    }

    /// Returns the value of `term` for these inputs.
    pub fn evaluate(&self, term: TermId, inputs: &[Bits]) -> Bits {
        let mut values: Vec<Bits> = Vec::with_capacity(term.0 as usize + 1);
        for node in self.nodes.iter().take(term.0 as usize + 1) {
            let value = match node {
                TermNode::Variable { index, .. } => match inputs.get(*index as usize) {
                    Some(value) => value.clone(),
                    None => Bits::zero(0),
                },
                node => self.compute(node, |_, t| values[t.0 as usize].clone()),
            };
            values.push(value);
        }
        values.pop().expect("the term itself")
    }
}

/// Returns the operands of a node.
pub(crate) fn operands(node: &TermNode) -> Vec<TermId> {
    match node {
        TermNode::Constant(_) | TermNode::Variable { .. } => Vec::new(),
        TermNode::Binary(_, a, b) | TermNode::Concat(a, b) => vec![*a, *b],
        TermNode::Not(a) | TermNode::Neg(a) | TermNode::Zext(a, _) | TermNode::Sext(a, _) => {
            vec![*a]
        }
        TermNode::Extract { of, .. } => vec![*of],
        TermNode::Ite(a, b, c) => vec![*a, *b, *c],
        TermNode::Float(_, _, operands) => operands.clone(),
    }
}

macro_rules! binaries {
    ($($method:ident $op:ident $one_bit:literal,)*) => {
        $(fn $method(&mut self, a: &TermId, b: &TermId) -> TermId {
            let width = if $one_bit { 1 } else { self.width(a) };
            self.add_node(TermNode::Binary(Binary::$op, *a, *b), width)
        })*
    };
}

impl Algebra for Terms {
    type Word = TermId;

    fn constant(&mut self, value: Bits) -> TermId {
        let width = value.width();
        self.intern(TermNode::Constant(value), width)
    }
    fn width(&self, word: &TermId) -> u32 {
        self.widths[word.0 as usize]
    }
    binaries! {
        add Add false, sub Sub false, mul Mul false, and And false, or Or false, xor Xor false,
        udiv Udiv false, urem Urem false, sdiv Sdiv false, srem Srem false,
        shl Shl false, lshr Lshr false, ashr Ashr false, eq Eq true, ult Ult true, slt Slt true,
    }
    fn not(&mut self, a: &TermId) -> TermId {
        let width = self.width(a);
        self.add_node(TermNode::Not(*a), width)
    }
    fn neg(&mut self, a: &TermId) -> TermId {
        let width = self.width(a);
        self.add_node(TermNode::Neg(*a), width)
    }
    fn ite(&mut self, condition: &TermId, a: &TermId, b: &TermId) -> TermId {
        match self.constant_of(*condition) {
            Some(known) if known.is_zero() => *b,
            Some(_) => *a,
            None if a == b => *a,
            None => {
                let width = self.width(a);
                self.add_node(TermNode::Ite(*condition, *a, *b), width)
            }
        }
    }
    fn zext(&mut self, a: &TermId, width: u32) -> TermId {
        if width == self.width(a) {
            *a
        } else {
            self.add_node(TermNode::Zext(*a, width), width)
        }
    }
    fn sext(&mut self, a: &TermId, width: u32) -> TermId {
        if width == self.width(a) {
            *a
        } else {
            self.add_node(TermNode::Sext(*a, width), width)
        }
    }
    fn extract(&mut self, a: &TermId, low: u32, width: u32) -> TermId {
        if low == 0 && width == self.width(a) {
            return *a;
        }
        self.add_node(TermNode::Extract { of: *a, low, width }, width)
    }
    fn concat(&mut self, high: &TermId, low: &TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        self.add_node(TermNode::Concat(*high, *low), width)
    }
    fn require(&mut self, condition: &TermId, reason: &'static str) {
        self.requirements.push((*condition, reason));
    }
    fn float(&mut self, op: FloatOp, format: FloatFormat, operands: &[TermId]) -> TermId {
        self.add_node(
            TermNode::Float(op, format, operands.to_vec()),
            op.result_width(format),
        )
    }
}
