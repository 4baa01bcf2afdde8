//! Verilog for arrays, structures and unions as vectors: element 0 of an array and the last field of a structure are the lowest
//! bits.

use std::fmt::Write;

use sluice_dialects::hw;
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use crate::emitter::{Emitter, Expression, literal, range, slice};

/// Bits of the amount by which an array is shifted to select an element.
const DISTANCE_BITS: u32 = 32;

impl<'a> Emitter<'a> {
    /// Returns the number of an array's elements, and the bits of each.
    fn array(&self, value: ValueId) -> Option<(u32, u32)> {
        let (n, element) = hw::array_parts(self.context, self.module.inner().ty(value))?;
        let width = hw::width_bits(self.context, element)?;
        Some((u32::try_from(n).ok()?, u32::try_from(width).ok()?))
    }

    /// Returns the lowest bit and the width of the field that an operation names.
    fn field(&self, view: View<'a>, of: ValueId) -> Option<(u32, u32)> {
        let number = view.attribute("fieldIndex")?.as_i64(self.context)?;
        let places = hw::field_places(self.context, self.module.inner().ty(of))?;
        places.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns whether an operation selects an element of a constant array.
    pub(crate) fn is_table(&self, view: View<'a>) -> bool {
        let array = self.module.inner().defining_operation(view.operand(0));
        let is_constant =
            array.is_some_and(|op| self.view(op).name() == hw::AggregateConstant::NAME);
        is_constant && self.width(view.operand(1)) > 0 && self.width(view.result(0)) > 0
    }

    /// Returns the expression of an operation on aggregates.
    pub(crate) fn of_aggregate(&mut self, view: View<'a>, operands: &[ValueId]) -> Expression {
        self.made(view, operands).unwrap_or_else(|| {
            self.refuse(view, "its types are of no known width");
            Expression::atom("1'b0".to_owned())
        })
    }

    fn made(&mut self, view: View<'a>, operands: &[ValueId]) -> Option<Expression> {
        let whole = self.width(view.result(0));
        Some(Expression::atom(match view.name() {
            hw::StructExtract::NAME | hw::UnionExtract::NAME => {
                let (low, width) = self.field(view, operands[0])?;
                self.part(operands[0], low, width)
            }
            hw::StructInject::NAME => {
                let (low, width) = self.field(view, operands[0])?;
                self.replaced(operands[0], low, width, operands[1])
            }
            hw::UnionCreate::NAME => {
                let (low, width) = self.field(view, view.result(0))?;
                let value = self.top(operands[0]);
                let above = zeros(whole - low - width);
                let value = if width > 0 { value } else { String::new() };
                joined(&[above, value, zeros(low)])
            }
            hw::ArrayGet::NAME => {
                let (_, width) = self.array(operands[0])?;
                return self.shifted(operands[0], operands[1], width, whole);
            }
            hw::ArraySlice::NAME => {
                let (_, width) = self.array(operands[0])?;
                return self.shifted(operands[0], operands[1], width, whole);
            }
            hw::ArrayInject::NAME => {
                let (_, width) = self.array(operands[0])?;
                if self.width(operands[1]) == 0 {
                    return Some(self.expression(operands[2]));
                }
                let distance = self.distance(operands[1], width);
                let ones = joined(&[zeros(whole - width), format!("{{{width}{{1'b1}}}}")]);
                let mask = self.wire("mask", whole, &format!("{ones} << {distance}"));
                let value = self.top(operands[2]);
                let value = joined(&[zeros(whole - width), value]);
                let value = self.wire("element", whole, &format!("{value} << {distance}"));
                let array = self.operand(operands[0]);
                return Some(Expression::plain(format!("({array} & ~{mask}) | {value}")));
            }
            _ => return None,
        }))
    }

    /// Returns a value with some bits replaced.
    fn replaced(&mut self, of: ValueId, low: u32, width: u32, by: ValueId) -> String {
        let whole = self.width(of);
        let mut parts = Vec::new();
        if low + width < whole {
            parts.push(self.part(of, low + width, whole - low - width));
        }
        if width > 0 {
            parts.push(self.top(by));
        }
        if low > 0 {
            parts.push(self.part(of, 0, low));
        }
        joined(&parts)
    }

    /// Returns the amount by which an array is shifted to select an element.
    fn distance(&mut self, index: ValueId, element_bits: u32) -> String {
        let width = self.width(index).min(DISTANCE_BITS);
        let index = self.part(index, 0, width);
        let index = joined(&[zeros(DISTANCE_BITS - width), index]);
        self.wire(
            "distance",
            DISTANCE_BITS,
            &format!("{index} * {DISTANCE_BITS}'d{element_bits}"),
        )
    }

    /// Returns some bits of an array, beginning at an element; zeros beyond the end.
    fn shifted(
        &mut self,
        array: ValueId,
        index: ValueId,
        element_bits: u32,
        n_bits: u32,
    ) -> Option<Expression> {
        let whole = self.width(array);
        if self.width(index) == 0 {
            return Some(self.expression(array));
        }
        if let Some(index) = self.constant(index) {
            let low = u32::try_from(index.to_u64()?)
                .ok()?
                .checked_mul(element_bits)?;
            if low.checked_add(n_bits)? <= whole {
                return Some(Expression::atom(self.part(array, low, n_bits)));
            }
        }
        let distance = self.distance(index, element_bits);
        let array = self.operand(array);
        let name = self.wire("shifted", whole, &format!("{array} >> {distance}"));
        self.reads.declare(&name, whole);
        self.reads.mark(&name, 0, n_bits);
        Some(Expression::atom(slice(&name, whole, 0, n_bits)))
    }

    /// Writes every field of a structure.
    pub(crate) fn explode(&mut self, view: View<'a>) {
        let of = view.operand(0);
        let places = hw::field_places(self.context, self.module.inner().ty(of));
        let Some(places) = places else {
            return self.refuse(view, "its type is of no known width");
        };
        for (result, (low, width)) in view.results().iter().zip(places) {
            if let (Some(name), true) = (self.named.get(result).cloned(), width > 0) {
                let value = self.part(of, low, width);
                let _ = writeln!(self.declarations, "  wire {}{name};", range(width));
                let _ = writeln!(self.statements, "  assign {name} = {value};");
            }
        }
    }

    /// Writes a look-up in a constant array as a `case` statement.
    pub(crate) fn table(&mut self, view: View<'a>, place: &str) {
        let array = self
            .module
            .inner()
            .defining_operation(view.operand(0))
            .map(|op| self.view(op));
        let fields = array
            .and_then(|a| a.attribute("fields"))
            .and_then(|a| a.as_array(self.context));
        let Some(fields) = fields else {
            self.diagnostics
                .error(view.location(), "only constant arrays have Verilog");
            return;
        };
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        let width = self.width(view.result(0));
        let address_width = self.width(view.operand(1));
        let address = self.top(view.operand(1));
        let _ = writeln!(self.declarations, "  reg  {}{name};{place}", range(width));
        let _ = writeln!(self.statements, "  always @(*) begin\n    case ({address})");
        for (number, field) in (0u64..).zip(fields.iter().rev()) {
            let element = view.ty(view.result(0));
            if let Some(value) = hw::constant_bits(self.context, *field, element) {
                let index = literal(&Bits::from_u64(address_width, number));
                let _ = writeln!(
                    self.statements,
                    "      {index}: {name} = {};",
                    literal(&value)
                );
            }
        }
        let _ = writeln!(
            self.statements,
            "      default: {name} = {};\n    endcase\n  end",
            literal(&Bits::zero(width))
        );
    }
}

/// Bits from which on a literal is too long for some tools.
const LONGEST: u32 = 1024;

/// Returns `width` zeros; an empty text for 0.
pub(crate) fn zeros(width: u32) -> String {
    match width {
        0 => String::new(),
        LONGEST.. => format!("{{{width}{{1'b0}}}}"),
        _ => literal(&Bits::zero(width)),
    }
}

/// Concatenates expressions, and omits empty ones.
pub(crate) fn joined(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [one] => one.to_owned(),
        _ => format!("{{{}}}", parts.join(", ")),
    }
}
