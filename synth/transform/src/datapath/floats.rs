//! `expand-floats`: replaces float operations by the integer operations that they consist of.
//!
//! A static schedule has the other ones as units that were scheduled alone.

use std::collections::BTreeMap;

use sluice_dialects::{arith, sluice};
use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode, Terms, expand};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Builder, Context, Module, OperationId, ValueId, View};

use crate::build::{binary, compare, constant_bits, constant_of, convert, replace, select};

/// Predicate numbers of `arith.cmpi`.
const EQUAL: i64 = 0;
const SIGNED_LESS: i64 = 2;
const UNSIGNED_LESS: i64 = 6;

/// Which float operations are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// Those that cost little.
    Small,
    /// All of them.
    All,
}

/// Returns the float operations of a body.
fn floats(context: &Context, body: &Body) -> Vec<OperationId> {
    let name = context.operation_name(sluice::Float::NAME);
    let mut all = body.walk_all();
    all.retain(|op| body.name(*op) == name);
    all
}

/// Returns whether a function of a module has float operations.
pub fn has_float_operations(context: &Context, module: &Module) -> bool {
    let inner = module.inner();
    let mut functions = module.top_level_operations().into_iter();
    functions.any(|op| inner.is_isolated(op) && !floats(context, inner.inner(op)).is_empty())
}

/// Expands float operations of a body.
pub fn expand_floats(context: &Context, body: &mut Body, expansion: Expansion) {
    for op in floats(context, body) {
        let view = View::new(context, body, op);
        let Some((float_op, format)) = view.with_site(sluice::float_operation) else {
            continue;
        };
        let is_wanted = match expansion {
            Expansion::Small => sluice::is_small(float_op),
            Expansion::All => true,
        };
        if !is_wanted {
            continue;
        }
        let operands: Vec<ValueId> = view.operands().collect();
        let mut terms = Terms::new();
        let mut inputs = Vec::new();
        for (operand, i) in operands.iter().zip(0..) {
            // Terms of constants fold.
            inputs.push(match constant_of(context, body, *operand) {
                Some(value) => terms.constant(value),
                None => {
                    let width = body.ty(*operand).width_bits(context);
                    terms.variable(i, width.expect("the verifier admits integers only"))
                }
            });
        }
        let Some(result) = expand(&mut terms, float_op, format, &inputs) else {
            continue;
        };
        let mut builder = Builder::before(context, body, op);
        let mut emitter = Emitter {
            builder: &mut builder,
            terms: &terms,
            operands: &operands,
            made: BTreeMap::new(),
        };
        let value = emitter.emit(result);
        replace(body, op, &[value]);
    }
}

/// Marks the operations whose units are limited: constant operands are inputs of these units, so that all can use them.
pub fn keep_units_whole(context: &Context, body: &mut Body, limits: &BTreeMap<String, u32>) {
    if limits.is_empty() {
        return;
    }
    for op in floats(context, body) {
        let class = sluice::float_class(View::new(context, body, op));
        if class.is_some_and(|class| limits.contains_key(&class)) {
            body.set_attribute(op, context.name("whole"), context.unit_attribute());
        }
    }
}

/// Emits terms as operations of arith, each once.
struct Emitter<'a, 'b> {
    builder: &'a mut Builder<'b>,
    terms: &'a Terms,
    operands: &'a [ValueId],
    made: BTreeMap<TermId, ValueId>,
}

impl Emitter<'_, '_> {
    /// Emits a term after its operands.
    fn emit(&mut self, root: TermId) -> ValueId {
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
            TermNode::Float(..) => unreachable!("expansions have no float operators"),
        }
    }
}
