//! Table that maps each operation of each dialect to its operator class.

use sluice_dialects::{affine, arith, comb, hw, index, math, memref, seq};
use sluice_ir::{ValueId, View};

use crate::class::OperatorClass;
use crate::class::OperatorClass as Class;

/// One row: the operation, the comparison predicates for which it holds (all, if none is listed), and the class.
type Row = (&'static str, &'static [&'static str], OperatorClass);

/// Predicates that test equality, in any dialect.
const EQUALITY: &[&str] = &["eq", "ne", "ceq", "cne", "weq", "wne"];

/// Predicates that test order, in any dialect.
const ORDER: &[&str] = &["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

/// Every operation that becomes an operator. Control flow, calls, allocation and floats are absent, because they are not
/// operators of the integer data path.
const ROWS: &[Row] = &[
    (arith::Addi::NAME, &[], Class::Add),
    (arith::AdduiExtended::NAME, &[], Class::Add),
    (arith::Andi::NAME, &[], Class::Logic),
    (arith::Bitcast::NAME, &[], Class::Wire),
    (arith::Ceildivsi::NAME, &[], Class::DivideSigned),
    (arith::Ceildivui::NAME, &[], Class::DivideUnsigned),
    (arith::Cmpi::NAME, EQUALITY, Class::CompareEqual),
    (arith::Cmpi::NAME, ORDER, Class::CompareOrder),
    (arith::Constant::NAME, &[], Class::Constant),
    (arith::Divsi::NAME, &[], Class::DivideSigned),
    (arith::Divui::NAME, &[], Class::DivideUnsigned),
    (arith::Extsi::NAME, &[], Class::Wire),
    (arith::Extui::NAME, &[], Class::Wire),
    (arith::Floordivsi::NAME, &[], Class::DivideSigned),
    (arith::IndexCast::NAME, &[], Class::Wire),
    (arith::IndexCastui::NAME, &[], Class::Wire),
    (arith::Maxsi::NAME, &[], Class::MinimumMaximum),
    (arith::Maxui::NAME, &[], Class::MinimumMaximum),
    (arith::Minsi::NAME, &[], Class::MinimumMaximum),
    (arith::Minui::NAME, &[], Class::MinimumMaximum),
    (arith::Muli::NAME, &[], Class::Multiply),
    (arith::MulsiExtended::NAME, &[], Class::Multiply),
    (arith::MuluiExtended::NAME, &[], Class::Multiply),
    (arith::Ori::NAME, &[], Class::Logic),
    (arith::Remsi::NAME, &[], Class::RemainderSigned),
    (arith::Remui::NAME, &[], Class::RemainderUnsigned),
    (arith::Select::NAME, &[], Class::Mux),
    (arith::Shli::NAME, &[], Class::ShiftVariable),
    (arith::Shrsi::NAME, &[], Class::ShiftVariable),
    (arith::Shrui::NAME, &[], Class::ShiftVariable),
    (arith::Subi::NAME, &[], Class::Subtract),
    (arith::SubuiExtended::NAME, &[], Class::Subtract),
    (arith::Trunci::NAME, &[], Class::Wire),
    (arith::Xori::NAME, &[], Class::Logic),
    (index::Add::NAME, &[], Class::Add),
    (index::And::NAME, &[], Class::Logic),
    (index::BoolConstant::NAME, &[], Class::Constant),
    (index::Casts::NAME, &[], Class::Wire),
    (index::Castu::NAME, &[], Class::Wire),
    (index::Ceildivs::NAME, &[], Class::DivideSigned),
    (index::Ceildivu::NAME, &[], Class::DivideUnsigned),
    (index::Cmp::NAME, EQUALITY, Class::CompareEqual),
    (index::Cmp::NAME, ORDER, Class::CompareOrder),
    (index::Constant::NAME, &[], Class::Constant),
    (index::Divs::NAME, &[], Class::DivideSigned),
    (index::Divu::NAME, &[], Class::DivideUnsigned),
    (index::Floordivs::NAME, &[], Class::DivideSigned),
    (index::Maxs::NAME, &[], Class::MinimumMaximum),
    (index::Maxu::NAME, &[], Class::MinimumMaximum),
    (index::Mins::NAME, &[], Class::MinimumMaximum),
    (index::Minu::NAME, &[], Class::MinimumMaximum),
    (index::Mul::NAME, &[], Class::Multiply),
    (index::Or::NAME, &[], Class::Logic),
    (index::Rems::NAME, &[], Class::RemainderSigned),
    (index::Remu::NAME, &[], Class::RemainderUnsigned),
    (index::Shl::NAME, &[], Class::ShiftVariable),
    (index::Shrs::NAME, &[], Class::ShiftVariable),
    (index::Shru::NAME, &[], Class::ShiftVariable),
    (index::Sizeof::NAME, &[], Class::Constant),
    (index::Sub::NAME, &[], Class::Subtract),
    (index::Xor::NAME, &[], Class::Logic),
    (math::Absi::NAME, &[], Class::Absolute),
    (math::Ctlz::NAME, &[], Class::BitCount),
    (math::Ctpop::NAME, &[], Class::BitCount),
    (math::Cttz::NAME, &[], Class::BitCount),
    (memref::Load::NAME, &[], Class::MemoryRead),
    (memref::Store::NAME, &[], Class::MemoryWrite),
    (affine::Load::NAME, &[], Class::MemoryRead),
    (affine::Store::NAME, &[], Class::MemoryWrite),
    (comb::Add::NAME, &[], Class::Add),
    (comb::And::NAME, &[], Class::Logic),
    (comb::Concat::NAME, &[], Class::Wire),
    (comb::Divs::NAME, &[], Class::DivideSigned),
    (comb::Divu::NAME, &[], Class::DivideUnsigned),
    (comb::Extract::NAME, &[], Class::Wire),
    (comb::Icmp::NAME, EQUALITY, Class::CompareEqual),
    (comb::Icmp::NAME, ORDER, Class::CompareOrder),
    (comb::Mods::NAME, &[], Class::RemainderSigned),
    (comb::Modu::NAME, &[], Class::RemainderUnsigned),
    (comb::Mul::NAME, &[], Class::Multiply),
    (comb::Mux::NAME, &[], Class::Mux),
    (comb::Or::NAME, &[], Class::Logic),
    (comb::Parity::NAME, &[], Class::Reduce),
    (comb::Replicate::NAME, &[], Class::Wire),
    (comb::Reverse::NAME, &[], Class::Wire),
    (comb::Shl::NAME, &[], Class::ShiftVariable),
    (comb::Shrs::NAME, &[], Class::ShiftVariable),
    (comb::Shru::NAME, &[], Class::ShiftVariable),
    (comb::Sub::NAME, &[], Class::Subtract),
    (comb::TruthTable::NAME, &[], Class::Logic),
    (comb::Xor::NAME, &[], Class::Logic),
    (hw::ArrayConcat::NAME, &[], Class::Wire),
    (hw::ArrayCreate::NAME, &[], Class::Wire),
    (hw::ArraySlice::NAME, &[], Class::Wire),
    (hw::AggregateConstant::NAME, &[], Class::Constant),
    (hw::Bitcast::NAME, &[], Class::Wire),
    (hw::Constant::NAME, &[], Class::Constant),
    (hw::StructCreate::NAME, &[], Class::Wire),
    (hw::StructExtract::NAME, &[], Class::Wire),
    (hw::Wire::NAME, &[], Class::Wire),
    (seq::Compreg::NAME, &[], Class::Register),
    (seq::CompregCe::NAME, &[], Class::Register),
    (seq::Firreg::NAME, &[], Class::Register),
    (seq::FirmemReadPort::NAME, &[], Class::MemoryRead),
    (seq::FirmemWritePort::NAME, &[], Class::MemoryWrite),
    (seq::Read::NAME, &[], Class::MemoryRead),
    (seq::Write::NAME, &[], Class::MemoryWrite),
];

/// The predicates of `arith.cmpi` and of `comb.icmp`, by number.
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

impl OperatorClass {
    /// Returns the class of an operation by its full name, and its predicate if it is a comparison.
    ///
    /// `predicate` is the mnemonic, such as `eq` or `slt`; operations without a predicate ignore it. Shifts get the class
    /// [`OperatorClass::ShiftVariable`]; see [`OperatorClass::with_constant_operand`]. A comparison without a known predicate has
    /// no class; neither has any operation that is not an operator.
    pub fn of_operation(name: &str, predicate: Option<&str>) -> Option<Self> {
        ROWS.iter()
            .find(|(row_name, predicates, _)| {
                *row_name == name
                    && (predicates.is_empty()
                        || predicate.is_some_and(|given| predicates.contains(&given)))
            })
            .map(|(_, _, class)| *class)
    }

    /// Returns the class of an operation as [`OperatorClass::of_operation`] does; here a comparison has its predicate as a
    /// number.
    pub fn of(view: View<'_>) -> Option<Self> {
        let predicate = view.attribute("predicate");
        let predicate = predicate.and_then(|number| number.as_i64(view.context));
        let predicate = predicate.and_then(|number| PREDICATES.get(usize::try_from(number).ok()?));
        Self::of_operation(view.name(), predicate.copied())
    }

    /// Returns the class of an operation as [`OperatorClass::of`] does, adapted to a constant second operand, and the value whose
    /// width selects the cost.
    pub fn measured(
        view: View<'_>,
        is_constant: impl Fn(ValueId) -> bool,
    ) -> Option<(Self, ValueId)> {
        let mut class = Self::of(view)?;
        if view.operands().nth(1).is_some_and(is_constant) {
            class = class.with_constant_operand();
        }
        let measured = match view.name() {
            arith::Cmpi::NAME => view.operands().next(),
            _ => view.results().first().copied(),
        };
        Some((class, measured?))
    }

    /// Returns every operation with a class, and that class, once for each group of predicates.
    pub fn operations() -> impl Iterator<Item = (&'static str, OperatorClass)> {
        ROWS.iter().map(|(name, _, class)| (*name, *class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operation_has_two_classes() {
        for (position, (name, predicates, _)) in ROWS.iter().enumerate() {
            for (other_name, other_predicates, _) in &ROWS[..position] {
                let shared = predicates
                    .iter()
                    .any(|predicate| other_predicates.contains(predicate));
                assert!(
                    name != other_name
                        || !(shared || predicates.is_empty() || other_predicates.is_empty()),
                    "`{name}` has two rows for the same predicate"
                );
            }
        }
    }

    #[test]
    fn comparisons_need_a_known_predicate() {
        assert_eq!(
            OperatorClass::of_operation("arith.cmpi", Some("eq")),
            Some(Class::CompareEqual)
        );
        assert_eq!(
            OperatorClass::of_operation("arith.cmpi", Some("ule")),
            Some(Class::CompareOrder)
        );
        assert_eq!(OperatorClass::of_operation("arith.cmpi", None), None);
        assert_eq!(OperatorClass::of_operation("arith.cmpi", Some("oeq")), None);
        assert_eq!(
            OperatorClass::of_operation("arith.addi", Some("eq")),
            Some(Class::Add)
        );
        assert_eq!(OperatorClass::of_operation("arith.addf", None), None);
    }
}
