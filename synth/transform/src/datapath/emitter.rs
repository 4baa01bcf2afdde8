//! Terms as operations of arith, each once.

use std::collections::BTreeMap;

use sluice_dialects::arith;
use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;
use sluice_ir::{Builder, ValueId};

use crate::build::{binary, compare, constant_bits, convert, select};

/// Predicate numbers of `arith.cmpi`.
const EQUAL: i64 = 0;
const SIGNED_LESS: i64 = 2;
const UNSIGNED_LESS: i64 = 6;

/// Emits terms as operations of arith, each once.
pub(crate) struct Emitter<'a, 'b> {
    builder: &'a mut Builder<'b>,
    terms: &'a Terms,
    operands: &'a [ValueId],
    made: BTreeMap<TermId, ValueId>,
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// Creates operations at the insertion point. Variable `i` of the terms is operand `i`, an integer of its width.
    pub(crate) fn new(
        builder: &'a mut Builder<'b>,
        terms: &'a Terms,
        operands: &'a [ValueId],
    ) -> Self {
        Self {
            builder,
            terms,
            operands,
            made: BTreeMap::new(),
        }
    }

    /// Emits a term after its operands.
    ///
    /// # Panics
    /// The term has a float operator.
    pub(crate) fn emit(&mut self, root: TermId) -> ValueId {
        let mut stack = vec![root];
        while let Some(top) = stack.last().copied() {
            if self.made.contains_key(&top) {
                stack.pop();
                continue;
            }
            let missing: Vec<TermId> = self
                .terms
                .operands_of(top)
                .into_iter()
                .filter(|operand| !self.made.contains_key(operand))
                .collect();
            if missing.is_empty() {
                let value = self.operation(top);
                self.made.insert(top, value);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.made[&root]
    }

    fn word(&self, term: TermId) -> ValueId {
        self.made[&term]
    }

    fn width(&self, term: TermId) -> u32 {
        self.terms.width(&term)
    }

    fn constant(&mut self, width: u32, value: Bits) -> ValueId {
        let ty = self.builder.context.integer_type(width);
        constant_bits(self.builder, ty, value)
    }

    fn zext(&mut self, value: ValueId, width: u32) -> ValueId {
        let ty = self.builder.context.integer_type(width);
        convert(self.builder, arith::Extui::NAME, value, ty)
    }

    fn operation(&mut self, term: TermId) -> ValueId {
        let width = self.width(term);
        let ty = self.builder.context.integer_type(width);
        match self.terms.node(term).clone() {
            TermNode::Constant(value) => self.constant(width, value),
            TermNode::Variable { index, .. } => self.operands[index as usize],
            TermNode::Binary(op, a, b) => {
                let (a, b) = (self.word(a), self.word(b));
                let name = match op {
                    Binary::Add => arith::Addi::NAME,
                    Binary::Sub => arith::Subi::NAME,
                    Binary::Mul => arith::Muli::NAME,
                    Binary::And => arith::Andi::NAME,
                    Binary::Or => arith::Ori::NAME,
                    Binary::Xor => arith::Xori::NAME,
                    Binary::Udiv => arith::Divui::NAME,
                    Binary::Urem => arith::Remui::NAME,
                    Binary::Sdiv => arith::Divsi::NAME,
                    Binary::Srem => arith::Remsi::NAME,
                    Binary::Shl => arith::Shli::NAME,
                    Binary::Lshr => arith::Shrui::NAME,
                    Binary::Ashr => arith::Shrsi::NAME,
                    Binary::Eq => return compare(self.builder, EQUAL, a, b),
                    Binary::Ult => return compare(self.builder, UNSIGNED_LESS, a, b),
                    Binary::Slt => return compare(self.builder, SIGNED_LESS, a, b),
                };
                binary(self.builder, name, a, b)
            }
            TermNode::Not(a) => {
                let ones = self.constant(width, Bits::ones(width));
                binary(self.builder, arith::Xori::NAME, self.made[&a], ones)
            }
            TermNode::Neg(a) => {
                let zero = self.constant(width, Bits::zero(width));
                binary(self.builder, arith::Subi::NAME, zero, self.made[&a])
            }
            TermNode::Ite(condition, a, b) => {
                let (condition, a, b) = (self.word(condition), self.word(a), self.word(b));
                select(self.builder, condition, a, b)
            }
            TermNode::Zext(a, width) => {
                let a = self.word(a);
                self.zext(a, width)
            }
            TermNode::Sext(a, _) => {
                let a = self.word(a);
                convert(self.builder, arith::Extsi::NAME, a, ty)
            }
            TermNode::Extract { of, low, .. } => {
                let mut value = self.word(of);
                if low > 0 {
                    let whole = self.width(of);
                    let amount = self.constant(whole, Bits::from_u64(whole, u64::from(low)));
                    value = binary(self.builder, arith::Shrui::NAME, value, amount);
                }
                convert(self.builder, arith::Trunci::NAME, value, ty)
            }
            TermNode::Concat(high, low) => {
                let n_low = self.width(low);
                let (high, low) = (self.word(high), self.word(low));
                let high = self.zext(high, width);
                let amount = self.constant(width, Bits::from_u64(width, u64::from(n_low)));
                let high = binary(self.builder, arith::Shli::NAME, high, amount);
                let low = self.zext(low, width);
                binary(self.builder, arith::Ori::NAME, high, low)
            }
            TermNode::Float(..) => unreachable!("the caller expands float operators"),
        }
    }
}
