//! Operator classes: what an operation asks of the hardware.

use std::fmt;

/// A kind of operator. The width of an operator is that of its widest operand or result, unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperatorClass {
    /// `a + b`.
    Add,
    /// `a - b`, and `-a`.
    Subtract,
    /// `a * b`, low half: operands and result of one width. Signed and unsigned are the same circuit.
    Multiply,
    /// Unsigned quotient.
    DivideUnsigned,
    /// Signed quotient, rounded towards zero.
    DivideSigned,
    /// Unsigned remainder.
    RemainderUnsigned,
    /// Signed remainder, with the sign of the dividend.
    RemainderSigned,
    /// Two-operand and, or, xor, and one-operand not, bit by bit.
    Logic,
    /// And, or, xor over all the bits of one operand; the width is that of the operand.
    Reduce,
    /// `a == b`, `a != b`; the width is that of the operands.
    CompareEqual,
    /// Any other integer comparison; the width is that of the operands.
    CompareOrder,
    /// Choice between two values.
    Mux,
    /// Shift by a constant: wiring.
    ShiftConstant,
    /// Shift by a value less than the width: logical or arithmetic, either way.
    ///
    /// The amount has ceil(log2(width)) bits: the emitter cuts it to that, or the synthesis tool builds the far dearer
    /// circuit that also answers for amounts of the width and more.
    ShiftVariable,
    /// Minimum or maximum: a comparison and a choice.
    MinimumMaximum,
    /// Absolute value: a negation and a choice.
    Absolute,
    /// Number of ones, of leading zeros, of trailing zeros.
    BitCount,
    /// Extension, truncation, extraction, concatenation, replication: wiring.
    Wire,
    /// A literal.
    Constant,
    /// A read through a memory port; the width is that of an element.
    MemoryRead,
    /// A write through a memory port; the width is that of an element.
    MemoryWrite,
    /// A register.
    Register,
}

/// Where the figures of a class come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostOrigin {
    /// From rows under `operators` in the device.
    Operators,
    /// From the `register` row of the device.
    Register,
    /// From the rows under `memories` in the device.
    Memories,
    /// It costs nothing.
    Free,
}

impl OperatorClass {
    /// Every class, in the order of the declaration.
    pub const ALL: [Self; 22] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::DivideUnsigned,
        Self::DivideSigned,
        Self::RemainderUnsigned,
        Self::RemainderSigned,
        Self::Logic,
        Self::Reduce,
        Self::CompareEqual,
        Self::CompareOrder,
        Self::Mux,
        Self::ShiftConstant,
        Self::ShiftVariable,
        Self::MinimumMaximum,
        Self::Absolute,
        Self::BitCount,
        Self::Wire,
        Self::Constant,
        Self::MemoryRead,
        Self::MemoryWrite,
        Self::Register,
    ];

    /// Returns the name in device files, configurations and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Multiply => "multiply",
            Self::DivideUnsigned => "divide_unsigned",
            Self::DivideSigned => "divide_signed",
            Self::RemainderUnsigned => "remainder_unsigned",
            Self::RemainderSigned => "remainder_signed",
            Self::Logic => "logic",
            Self::Reduce => "reduce",
            Self::CompareEqual => "compare_equal",
            Self::CompareOrder => "compare_order",
            Self::Mux => "mux",
            Self::ShiftConstant => "shift_constant",
            Self::ShiftVariable => "shift_variable",
            Self::MinimumMaximum => "minimum_maximum",
            Self::Absolute => "absolute",
            Self::BitCount => "bit_count",
            Self::Wire => "wire",
            Self::Constant => "constant",
            Self::MemoryRead => "memory_read",
            Self::MemoryWrite => "memory_write",
            Self::Register => "register",
        }
    }

    /// Returns the class of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Where a device states the cost of this class.
    pub fn cost_origin(self) -> CostOrigin {
        match self {
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::DivideUnsigned
            | Self::DivideSigned
            | Self::RemainderUnsigned
            | Self::RemainderSigned
            | Self::Logic
            | Self::Reduce
            | Self::CompareEqual
            | Self::CompareOrder
            | Self::Mux
            | Self::ShiftVariable
            | Self::MinimumMaximum
            | Self::Absolute
            | Self::BitCount => CostOrigin::Operators,
            Self::Register => CostOrigin::Register,
            Self::MemoryRead | Self::MemoryWrite => CostOrigin::Memories,
            Self::ShiftConstant | Self::Wire | Self::Constant => CostOrigin::Free,
        }
    }

    /// Returns true if the class is mere wiring: no delay and no area.
    pub fn is_free(self) -> bool {
        self.cost_origin() == CostOrigin::Free
    }

    /// Returns the class where the second operand is a literal: a shift becomes wiring, all else stays.
    pub fn with_constant_operand(self) -> Self {
        if self == Self::ShiftVariable {
            Self::ShiftConstant
        } else {
            self
        }
    }

    /// Returns true if instances are worth sharing between operations: the operator is dearer than the multiplexers before it.
    pub fn is_worth_sharing(self) -> bool {
        match self {
            Self::Multiply
            | Self::DivideUnsigned
            | Self::DivideSigned
            | Self::RemainderUnsigned
            | Self::RemainderSigned => true,
            Self::Add
            | Self::Subtract
            | Self::Logic
            | Self::Reduce
            | Self::CompareEqual
            | Self::CompareOrder
            | Self::Mux
            | Self::ShiftConstant
            | Self::ShiftVariable
            | Self::MinimumMaximum
            | Self::Absolute
            | Self::BitCount
            | Self::Wire
            | Self::Constant
            | Self::MemoryRead
            | Self::MemoryWrite
            | Self::Register => false,
        }
    }
}

impl fmt::Display for OperatorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
