//! Cost models of operations: the interface for the caller's model, and a generic model for tests.

use sluice_dialects::arith;

/// The cost of one operation.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    /// Area in any unit, the same for all operations.
    pub area: f64,
    /// Delay from operands to result.
    pub delay_ns: f64,
}

/// A model of the costs of operations.
pub trait CostModel {
    /// Returns the cost of the operation called `op`, such as `arith.addi`, on `width_bits` bits.
    ///
    /// The width is that of the result, for `arith.cmpi` that of the operands. `operand_constant` is true if one operand is a
    /// constant (for `arith.select`: one of the two values). Operations unknown to the model cost nothing.
    fn cost(&self, op: &str, width_bits: u32, operand_constant: bool) -> Cost;
}

/// A model of a generic device with look-up tables and carry chains.
///
/// Units: area in look-up tables, delay in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct GenericCost;

impl CostModel for GenericCost {
    fn cost(&self, op: &str, width_bits: u32, operand_constant: bool) -> Cost {
        let width = f64::from(width_bits);
        let levels = f64::from(32 - width_bits.saturating_sub(1).leading_zeros());
        let (area, delay_ns) = match (op, operand_constant) {
            (arith::Addi::NAME | arith::Subi::NAME, _) => (width, 0.35 + 0.015 * width),
            (arith::Muli::NAME, false) => (0.5 * width * width + width, 1.0 + 0.05 * width),
            (arith::Muli::NAME, true) => (0.25 * width * width + width, 0.8 + 0.04 * width),
            (arith::Andi::NAME | arith::Ori::NAME | arith::Xori::NAME, false) => (0.5 * width, 0.2),
            (arith::Xori::NAME, true) => (0.1 * width, 0.05),
            (arith::Shli::NAME | arith::Shrui::NAME | arith::Shrsi::NAME, false) => {
                (0.5 * width * levels, 0.2 * levels)
            }
            (arith::Cmpi::NAME, _) => (0.5 * width, 0.3 + 0.01 * width),
            (arith::Select::NAME, false) => (0.5 * width, 0.2),
            (arith::Select::NAME, true) => (0.3 * width, 0.2),
            (
                arith::Maxsi::NAME | arith::Minsi::NAME | arith::Maxui::NAME | arith::Minui::NAME,
                _,
            ) => (width, 0.5 + 0.01 * width),
            _ => (0.0, 0.0),
        };
        Cost { area, delay_ns }
    }
}
