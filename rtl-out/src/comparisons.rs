//! Comparisons: as the operator of Verilog, or as the sign of a difference where the tools of a device map that better.
//!
//! Yosys copies the sign logic of a comparison into every bit of a selection that it decides. The sign of a difference is one bit of
//! a carry chain.

use sluice_dialects::predicate::Predicate;
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use crate::Differences;
use crate::emitter::{Emitter, Expression, literal, slice};

impl<'a> Emitter<'a> {
    /// Returns the expression of `comb.icmp`.
    pub(crate) fn comparison(&mut self, view: View<'a>, operands: &[ValueId]) -> Expression {
        let Some(predicate) = Predicate::of(view) else {
            return self.without_verilog(view);
        };
        if self.width(operands[0]) == 0 {
            let holds = predicate.holds_if_equal();
            return Expression::atom(literal(&Bits::from_u64(1, u64::from(holds))));
        }
        let operator = match predicate {
            Predicate::Eq => "==",
            Predicate::Ne => "!=",
            Predicate::Slt | Predicate::Ult => "<",
            Predicate::Sle | Predicate::Ule => "<=",
            Predicate::Sgt | Predicate::Ugt => ">",
            Predicate::Sge | Predicate::Uge => ">=",
        };
        let is_order = !matches!(predicate, Predicate::Eq | Predicate::Ne);
        if is_order && self.is_difference(predicate, operands) {
            return self.difference(predicate, operands);
        }
        if predicate.is_signed() {
            let (a, b) = (self.top(operands[0]), self.top(operands[1]));
            Expression::plain(format!("$signed({a}) {operator} $signed({b})"))
        } else {
            self.joined(operands, operator)
        }
    }

    /// Returns whether a comparison becomes the sign of a difference. Comparisons with 0 and with powers of two are tests of bits.
    fn is_difference(&self, predicate: Predicate, operands: &[ValueId]) -> bool {
        let Differences {
            variable_bits,
            constant_bits,
        } = self.options.differences;
        let constants: Vec<Bits> = operands.iter().filter_map(|v| self.constant(*v)).collect();
        let least = match constants.as_slice() {
            [] => variable_bits,
            [constant] if is_bit_test(constant, predicate.is_signed()) => return false,
            [_] => constant_bits,
            _ => return false,
        };
        least > 0 && self.width(operands[0]) >= least
    }

    /// Returns the name of a net with this value; declares one for an expression.
    fn name_of(&mut self, value: ValueId) -> String {
        let text = self.top(value);
        match is_name(&text) {
            true => text,
            false => self.wire("operand", self.width(value), &text),
        }
    }

    /// Declares a difference of one more bit than the operands and returns its sign, or the complement.
    fn difference(&mut self, predicate: Predicate, operands: &[ValueId]) -> Expression {
        // a < b is the sign of a - b; the other orders swap or complement.
        let (first, second, complemented) = match predicate {
            Predicate::Sgt | Predicate::Ugt => (operands[1], operands[0], false),
            Predicate::Sle | Predicate::Ule => (operands[1], operands[0], true),
            Predicate::Sge | Predicate::Uge => (operands[0], operands[1], true),
            Predicate::Slt | Predicate::Ult | Predicate::Eq | Predicate::Ne => {
                (operands[0], operands[1], false)
            }
        };
        let width = self.width(first);
        let mut wide = |value| match (self.constant(value), predicate.is_signed()) {
            (Some(constant), true) => literal(&constant.sext(width + 1)),
            (Some(constant), false) => literal(&constant.zext(width + 1)),
            (None, true) => {
                let name = self.name_of(value);
                format!("{{{}, {name}}}", slice(&name, width, width - 1, 1))
            }
            (None, false) => format!("{{1'b0, {}}}", self.top(value)),
        };
        let (a, b) = (wide(first), wide(second));
        let name = self.wire("difference", width + 1, &format!("{a} - {b}"));
        self.reads.declare(&name, width + 1);
        self.reads.mark(&name, width, 1);
        let complement = if complemented { "~" } else { "" };
        Expression::atom(format!("{complement}{name}[{width}]"))
    }
}

/// Returns whether a text is a name, of which a part can be selected.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns whether an order against a constant tests only the sign, or only whether the upper bits are 0.
fn is_bit_test(constant: &Bits, signed: bool) -> bool {
    let width = constant.width();
    let one = Bits::from_u64(width, 1);
    let is_power = |bits: &Bits| bits.count_ones() <= 1;
    match signed {
        true => constant.is_zero() || constant.is_all_ones(),
        false => is_power(constant) || is_power(&constant.add(&one)),
    }
}
