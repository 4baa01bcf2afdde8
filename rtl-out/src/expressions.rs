//! Verilog expressions of operations: one exhaustive function for each circuit dialect.

use sluice_dialects::{Operation, comb, hw, seq};
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use crate::emitter::{Emitter, Expression, literal};

/// Shift amounts are cut to this width: Verilator refuses wider constant amounts.
pub(crate) const WIDEST_AMOUNT: u32 = 32;

impl<'a> Emitter<'a> {
    /// Returns the expression of a combinational operation.
    pub(crate) fn operation(&mut self, view: View<'a>) -> Expression {
        let operands: Vec<_> = view.operands().collect();
        if let Some(value) = self.constant(view.result(0)) {
            return Expression::atom(literal(&value));
        }
        match Operation::of(view) {
            Some(Operation::Comb(op)) => self.combinational(op, view, &operands),
            Some(Operation::Hw(op)) => self.structural(op, view, &operands),
            Some(Operation::Seq(op)) => self.sequential(op, view, &operands),
            _ => self.without_verilog(view),
        }
    }

    pub(crate) fn without_verilog(&mut self, view: View<'a>) -> Expression {
        let message = format!("`{}` has no Verilog", view.name());
        self.diagnostics.error(view.location(), message);
        Expression::atom("1'b0".to_owned())
    }

    /// Returns operands with an operator between them.
    pub(crate) fn joined(&mut self, operands: &[ValueId], operator: &str) -> Expression {
        let parts: Vec<_> = operands.iter().map(|v| self.operand(*v)).collect();
        Expression::plain(parts.join(&format!(" {operator} ")))
    }

    fn combinational(&mut self, op: comb::Op, view: View<'a>, operands: &[ValueId]) -> Expression {
        let (plain, atom) = (Expression::plain, Expression::atom);
        match op {
            comb::Op::Add => self.joined(operands, "+"),
            comb::Op::Sub => self.joined(operands, "-"),
            comb::Op::Mul => match operands {
                // Synthesis finds the widths of the factors only in a signed product.
                [a, b] if self.is_sign_extended(*a) || self.is_sign_extended(*b) => {
                    let (a, b) = (self.top(*a), self.top(*b));
                    atom(format!("$unsigned($signed({a}) * $signed({b}))"))
                }
                _ => self.joined(operands, "*"),
            },
            comb::Op::And => self.joined(operands, "&"),
            comb::Op::Or => self.joined(operands, "|"),
            comb::Op::Xor => match self.complement(operands) {
                Some(value) => {
                    let inner = self.operand(value);
                    // A unary operator cannot be the operand of another one without parentheses.
                    match inner.starts_with('~') {
                        true => atom(format!("~({inner})")),
                        false => atom(format!("~{inner}")),
                    }
                }
                None => self.joined(operands, "^"),
            },
            comb::Op::Shl | comb::Op::Shru => {
                let operator = if op == comb::Op::Shl { "<<" } else { ">>" };
                let (a, b) = (self.operand(operands[0]), self.amount(operands[1]));
                plain(format!("{a} {operator} {b}"))
            }
            comb::Op::Shrs => {
                let (a, b) = (self.top(operands[0]), self.amount(operands[1]));
                // The cast makes the shift arithmetic in any context.
                atom(format!("$unsigned($signed({a}) >>> {b})"))
            }
            comb::Op::Divu | comb::Op::Modu | comb::Op::Divs | comb::Op::Mods => {
                self.division(op, view, operands)
            }
            comb::Op::Icmp => self.comparison(view, operands),
            comb::Op::Parity if self.width(operands[0]) == 0 => atom("1'b0".to_owned()),
            comb::Op::Parity => {
                let a = self.operand(operands[0]);
                atom(format!("^{a}"))
            }
            comb::Op::Mux => {
                let (c, a, b) = (
                    self.operand(operands[0]),
                    self.operand(operands[1]),
                    self.operand(operands[2]),
                );
                plain(format!("{c} ? {a} : {b}"))
            }
            comb::Op::Concat => atom(self.concatenation(operands)),
            comb::Op::Reverse => {
                let width = self.width(operands[0]);
                let bits = (0..width).map(|bit| self.part(operands[0], bit, 1));
                atom(format!("{{{}}}", bits.collect::<Vec<_>>().join(", ")))
            }
            comb::Op::TruthTable => self.truth_table(view, operands),
            comb::Op::Replicate => {
                let times = self.width(view.result(0)) / self.width(operands[0]).max(1);
                let a = self.top(operands[0]);
                atom(format!("{{{times}{{{a}}}}}"))
            }
            comb::Op::Extract => {
                let low = view
                    .attribute("lowBit")
                    .and_then(|a| a.as_i64(self.context))
                    .unwrap_or(0);
                let low = u32::try_from(low).unwrap_or(0);
                let width = self.width(view.result(0));
                atom(self.part(operands[0], low, width))
            }
        }
    }

    /// Returns the expression of an `hw` operation. The caller handles constants.
    fn structural(&mut self, op: hw::Op, view: View<'a>, operands: &[ValueId]) -> Expression {
        let atom = Expression::atom;
        match op {
            hw::Op::Wire | hw::Op::Bitcast => self.expression(operands[0]),
            hw::Op::StructCreate | hw::Op::ArrayCreate | hw::Op::ArrayConcat => {
                atom(self.concatenation(operands))
            }
            hw::Op::ParamValue => match view.attribute("value") {
                Some(value) => self.parameter(view, value),
                None => atom("1'b0".to_owned()),
            },
            hw::Op::EnumCmp => self.joined(operands, "=="),
            hw::Op::StructExtract
            | hw::Op::UnionExtract
            | hw::Op::StructInject
            | hw::Op::UnionCreate
            | hw::Op::ArrayGet
            | hw::Op::ArraySlice
            | hw::Op::ArrayInject => self.of_aggregate(view, operands),
            // Constants are handled by the caller; the others are statements, or top-level operations.
            hw::Op::Constant
            | hw::Op::EnumConstant
            | hw::Op::AggregateConstant
            | hw::Op::StructExplode
            | hw::Op::Instance
            | hw::Op::Hierpath
            | hw::Op::Triggered
            | hw::Op::TypeScope
            | hw::Op::Typedecl
            | hw::Op::Module
            | hw::Op::ModuleExtern
            | hw::Op::ModuleGenerated
            | hw::Op::GeneratorSchema
            | hw::Op::Output => self.without_verilog(view),
        }
    }

    /// Returns the expression of a `seq` operation.
    fn sequential(&mut self, op: seq::Op, view: View<'a>, operands: &[ValueId]) -> Expression {
        let (plain, atom) = (Expression::plain, Expression::atom);
        match op {
            seq::Op::FromClock | seq::Op::ToClock => self.expression(operands[0]),
            seq::Op::ClockInv => {
                let clock = self.operand(operands[0]);
                atom(format!("~{clock}"))
            }
            seq::Op::ClockMux => {
                let parts: Vec<_> = operands.iter().map(|v| self.operand(*v)).collect();
                plain(format!("{} ? {} : {}", parts[0], parts[1], parts[2]))
            }
            seq::Op::ConstClock => {
                let value = view.attribute("value");
                let is_high = value.is_some_and(|a| seq::is_high(self.context, a));
                atom(literal(&Bits::from_u64(1, u64::from(is_high))))
            }
            // These are statements, or part of one.
            seq::Op::Firreg
            | seq::Op::Firmem
            | seq::Op::FirmemReadPort
            | seq::Op::FirmemWritePort
            | seq::Op::FirmemReadWritePort
            | seq::Op::Hlmem
            | seq::Op::Read
            | seq::Op::Write
            | seq::Op::Fifo
            | seq::Op::ClockGate
            | seq::Op::ClockDiv
            | seq::Op::Initial
            | seq::Op::Yield
            | seq::Op::FromImmutable
            | seq::Op::Compreg
            | seq::Op::CompregCe
            | seq::Op::Shiftreg => self.without_verilog(view),
        }
    }

    /// Returns whether a value is the sign extension of another one.
    fn is_sign_extended(&self, value: ValueId) -> bool {
        let body = self.module.inner();
        let maker = |value, name: &str| {
            let view = self.view(body.defining_operation(value)?);
            (view.name() == name).then_some(view)
        };
        let sign_of = || {
            let whole = maker(value, comb::Concat::NAME)?;
            let [signs, low] = whole.operands().collect::<Vec<_>>()[..] else {
                return None;
            };
            let signs = maker(signs, comb::Replicate::NAME);
            let sign = maker(signs?.operand(0), comb::Extract::NAME)?;
            let at = sign.attribute("lowBit")?.as_i64(self.context)?;
            Some(sign.operand(0) == low && at + 1 == i64::from(self.width(low)))
        };
        sign_of().unwrap_or(false)
    }

    fn truth_table(&mut self, view: View<'a>, operands: &[ValueId]) -> Expression {
        let table = view.attribute("lookupTable");
        let bits = table.and_then(|table| comb::table(self.context, table));
        // The bit with index 0 is the lowest.
        let bits = bits.unwrap_or_default().into_iter();
        let value = bits.fold(Bits::zero(0), |below, bit| {
            Bits::concat(&Bits::from_u64(1, u64::from(bit)), &below)
        });
        if operands.is_empty() {
            return Expression::atom(literal(&value));
        }
        let width = value.width();
        let name = self.wire("table", width, &literal(&value));
        let index = self.concatenation(operands);
        Expression::atom(format!("{name}[{index}]"))
    }

    /// Returns the shift amount. A constant is at most the width, because some tools refuse larger ones.
    fn amount(&mut self, value: ValueId) -> String {
        let width = self.width(value);
        match self.constant(value).map(|amount| amount.to_u64()) {
            Some(amount) if amount.is_none_or(|amount| amount > u64::from(width)) => {
                format!("32'd{width}")
            }
            None if width > WIDEST_AMOUNT => {
                let name = self.operand(value);
                format!("(|{name}[{}:32] ? 32'd{width} : {name}[31:0])", width - 1)
            }
            _ => self.operand(value),
        }
    }

    /// Returns `x` if the operands are those of `x ^ 1...1`.
    fn complement(&self, operands: &[ValueId]) -> Option<ValueId> {
        let [value, mask] = operands else { return None };
        let op = self.module.inner().defining_operation(*mask)?;
        let mask = self.view(op);
        let all = mask.name() == hw::Constant::NAME
            && mask
                .attribute("value")?
                .integer(self.context)?
                .is_all_ones();
        all.then_some(*value)
    }

    /// Returns a division; for a divisor of 0, it has the value that the interpreter's algebra defines.
    fn division(&mut self, op: comb::Op, view: View<'a>, operands: &[ValueId]) -> Expression {
        let width = self.width(view.result(0));
        let (a, b) = (self.operand(operands[0]), self.operand(operands[1]));
        let zero = literal(&Bits::zero(width));
        let text = match op {
            comb::Op::Divu => format!(
                "{b} == {zero} ? {} : {a} / {b}",
                literal(&Bits::ones(width))
            ),
            comb::Op::Modu => format!("{b} == {zero} ? {a} : {a} % {b}"),
            comb::Op::Divs => format!(
                "{b} == {zero} ? ($signed({a}) < $signed({zero}) ? {} : {}) : $unsigned($signed({a}) / $signed({b}))",
                literal(&Bits::from_u64(width, 1)),
                literal(&Bits::ones(width))
            ),
            _ => format!("{b} == {zero} ? {a} : $unsigned($signed({a}) % $signed({b}))"),
        };
        Expression {
            text,
            is_atom: false,
        }
    }
}
