//! Which operation of which dialect asks for which operator class: one table.

use sluice_ir::{ValueId, View};

use crate::class::OperatorClass;
use crate::class::OperatorClass as Class;

/// One row: the operation, the comparison predicates it holds for (all, if none is listed), and the class.
type Row = (&'static str, &'static [&'static str], OperatorClass);

/// Predicates that test equality, in any dialect.
const EQUALITY: &[&str] = &["eq", "ne", "ceq", "cne", "weq", "wne"];

/// Predicates that test order, in any dialect.
const ORDER: &[&str] = &["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

/// Every operation that becomes an operator. Control flow, calls, allocation and floats are absent: they are not
/// operators of the integer data path.
const ROWS: &[Row] = &[
    ("arith.addi", &[], Class::Add),
    ("arith.addui_extended", &[], Class::Add),
    ("arith.andi", &[], Class::Logic),
    ("arith.bitcast", &[], Class::Wire),
    ("arith.ceildivsi", &[], Class::DivideSigned),
    ("arith.ceildivui", &[], Class::DivideUnsigned),
    ("arith.cmpi", EQUALITY, Class::CompareEqual),
    ("arith.cmpi", ORDER, Class::CompareOrder),
    ("arith.constant", &[], Class::Constant),
    ("arith.divsi", &[], Class::DivideSigned),
    ("arith.divui", &[], Class::DivideUnsigned),
    ("arith.extsi", &[], Class::Wire),
    ("arith.extui", &[], Class::Wire),
    ("arith.floordivsi", &[], Class::DivideSigned),
    ("arith.index_cast", &[], Class::Wire),
    ("arith.index_castui", &[], Class::Wire),
    ("arith.maxsi", &[], Class::MinimumMaximum),
    ("arith.maxui", &[], Class::MinimumMaximum),
    ("arith.minsi", &[], Class::MinimumMaximum),
    ("arith.minui", &[], Class::MinimumMaximum),
    ("arith.muli", &[], Class::Multiply),
    ("arith.mulsi_extended", &[], Class::Multiply),
    ("arith.mului_extended", &[], Class::Multiply),
    ("arith.ori", &[], Class::Logic),
    ("arith.remsi", &[], Class::RemainderSigned),
    ("arith.remui", &[], Class::RemainderUnsigned),
    ("arith.select", &[], Class::Mux),
    ("arith.shli", &[], Class::ShiftVariable),
    ("arith.shrsi", &[], Class::ShiftVariable),
    ("arith.shrui", &[], Class::ShiftVariable),
    ("arith.subi", &[], Class::Subtract),
    ("arith.trunci", &[], Class::Wire),
    ("arith.xori", &[], Class::Logic),
    ("index.add", &[], Class::Add),
    ("index.and", &[], Class::Logic),
    ("index.bool.constant", &[], Class::Constant),
    ("index.casts", &[], Class::Wire),
    ("index.castu", &[], Class::Wire),
    ("index.ceildivs", &[], Class::DivideSigned),
    ("index.ceildivu", &[], Class::DivideUnsigned),
    ("index.cmp", EQUALITY, Class::CompareEqual),
    ("index.cmp", ORDER, Class::CompareOrder),
    ("index.constant", &[], Class::Constant),
    ("index.divs", &[], Class::DivideSigned),
    ("index.divu", &[], Class::DivideUnsigned),
    ("index.floordivs", &[], Class::DivideSigned),
    ("index.maxs", &[], Class::MinimumMaximum),
    ("index.maxu", &[], Class::MinimumMaximum),
    ("index.mins", &[], Class::MinimumMaximum),
    ("index.minu", &[], Class::MinimumMaximum),
    ("index.mul", &[], Class::Multiply),
    ("index.or", &[], Class::Logic),
    ("index.rems", &[], Class::RemainderSigned),
    ("index.remu", &[], Class::RemainderUnsigned),
    ("index.shl", &[], Class::ShiftVariable),
    ("index.shrs", &[], Class::ShiftVariable),
    ("index.shru", &[], Class::ShiftVariable),
    ("index.sizeof", &[], Class::Constant),
    ("index.sub", &[], Class::Subtract),
    ("index.xor", &[], Class::Logic),
    ("math.absi", &[], Class::Absolute),
    ("math.ctlz", &[], Class::BitCount),
    ("math.ctpop", &[], Class::BitCount),
    ("math.cttz", &[], Class::BitCount),
    ("memref.load", &[], Class::MemoryRead),
    ("memref.store", &[], Class::MemoryWrite),
    ("affine.load", &[], Class::MemoryRead),
    ("affine.store", &[], Class::MemoryWrite),
    ("comb.add", &[], Class::Add),
    ("comb.and", &[], Class::Logic),
    ("comb.concat", &[], Class::Wire),
    ("comb.divs", &[], Class::DivideSigned),
    ("comb.divu", &[], Class::DivideUnsigned),
    ("comb.extract", &[], Class::Wire),
    ("comb.icmp", EQUALITY, Class::CompareEqual),
    ("comb.icmp", ORDER, Class::CompareOrder),
    ("comb.mods", &[], Class::RemainderSigned),
    ("comb.modu", &[], Class::RemainderUnsigned),
    ("comb.mul", &[], Class::Multiply),
    ("comb.mux", &[], Class::Mux),
    ("comb.or", &[], Class::Logic),
    ("comb.parity", &[], Class::Reduce),
    ("comb.replicate", &[], Class::Wire),
    ("comb.reverse", &[], Class::Wire),
    ("comb.shl", &[], Class::ShiftVariable),
    ("comb.shrs", &[], Class::ShiftVariable),
    ("comb.shru", &[], Class::ShiftVariable),
    ("comb.sub", &[], Class::Subtract),
    ("comb.truth_table", &[], Class::Logic),
    ("comb.xor", &[], Class::Logic),
    ("hw.array_concat", &[], Class::Wire),
    ("hw.array_create", &[], Class::Wire),
    ("hw.array_slice", &[], Class::Wire),
    ("hw.aggregate_constant", &[], Class::Constant),
    ("hw.bitcast", &[], Class::Wire),
    ("hw.constant", &[], Class::Constant),
    ("hw.struct_create", &[], Class::Wire),
    ("hw.struct_extract", &[], Class::Wire),
    ("hw.wire", &[], Class::Wire),
    ("seq.compreg", &[], Class::Register),
    ("seq.compreg.ce", &[], Class::Register),
    ("seq.firreg", &[], Class::Register),
    ("seq.firmem.read_port", &[], Class::MemoryRead),
    ("seq.firmem.write_port", &[], Class::MemoryWrite),
    ("seq.read", &[], Class::MemoryRead),
    ("seq.write", &[], Class::MemoryWrite),
];

/// The predicates of `arith.cmpi` and of `comb.icmp`, by number.
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

impl OperatorClass {
    /// The class of an operation by its full name, and its predicate where it is a comparison.
    ///
    /// `predicate` is the mnemonic, such as `eq` or `slt`; it is ignored by operations that have none. Shifts are given
    /// as [`OperatorClass::ShiftVariable`]; see [`OperatorClass::with_constant_operand`]. An operation that compares but
    /// comes without a known predicate has no class, nor has any operation that is not an operator.
    pub fn of_operation(name: &str, predicate: Option<&str>) -> Option<Self> {
        ROWS.iter()
            .find(|(row_name, predicates, _)| {
                *row_name == name
                    && (predicates.is_empty()
                        || predicate.is_some_and(|given| predicates.contains(&given)))
            })
            .map(|(_, _, class)| *class)
    }

    /// The class of an operation of a module, as [`OperatorClass::of_operation`] gives it; a comparison has its predicate as a number.
    pub fn of(view: View<'_>) -> Option<Self> {
        let predicate = view.attribute("predicate");
        let predicate = predicate.and_then(|number| number.as_i64(view.context));
        let predicate = predicate.and_then(|number| PREDICATES.get(usize::try_from(number).ok()?));
        Self::of_operation(view.name(), predicate.copied())
    }

    /// The class of an operation as [`OperatorClass::of`] gives it, for a constant where the second operand is one, and the value at whose
    /// width it is measured.
    pub fn measured(
        view: View<'_>,
        is_constant: impl Fn(ValueId) -> bool,
    ) -> Option<(Self, ValueId)> {
        let mut class = Self::of(view)?;
        if view.operands().nth(1).is_some_and(is_constant) {
            class = class.with_constant_operand();
        }
        let measured = match view.name() {
            "arith.cmpi" => view.operands().next(),
            _ => view.results().first().copied(),
        };
        Some((class, measured?))
    }

    /// Every operation with a class, and that class, once for each group of predicates.
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
