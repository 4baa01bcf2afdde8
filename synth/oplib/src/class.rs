//! Operator classes: the kinds of hardware operators that operations need.

use std::fmt;

/// A kind of operator. The width of an operator is that of its widest operand or result, unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperatorClass {
    /// `a + b`.
    Add,
    /// `a - b`, and `-a`.
    Subtract,
    /// `a * b`, low half: operands and result have one width. Signed and unsigned use the same circuit.
    Multiply,
    /// Unsigned quotient.
    DivideUnsigned,
    /// Signed quotient, rounded towards zero.
    DivideSigned,
    /// Unsigned remainder.
    RemainderUnsigned,
    /// Signed remainder, with the sign of the dividend.
    RemainderSigned,
    /// Two-operand and, or, xor, and one-operand not, bitwise.
    Logic,
    /// And, or, xor over all the bits of one operand; the width is that of the operand.
    Reduce,
    /// `a == b`, `a != b`; the width is that of the operands.
    CompareEqual,
    /// Any other integer comparison; the width is that of the operands.
    CompareOrder,
    /// Multiplexer with two inputs.
    Mux,
    /// Shift by a constant: wiring.
    ShiftConstant,
    /// Shift by a value less than the width: logical or arithmetic, left or right.
    ///
    /// The amount has ceil(log2(width)) bits. The emitter truncates it to that size; otherwise the synthesis tool builds a much
    /// larger circuit that also handles amounts of the width and more.
    ShiftVariable,
    /// Minimum or maximum: a comparison and a multiplexer.
    MinimumMaximum,
    /// Absolute value: a negation and a multiplexer.
    Absolute,
    /// Population count, count of leading zeros, count of trailing zeros.
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

/// The section of a device file that states the cost of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostOrigin {
    /// Rows under `operators`.
    Operators,
    /// The row `register`.
    Register,
    /// Rows under `memories`.
    Memories,
    /// No section: the class costs nothing.
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

    /// Returns the class with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Returns the section in which a device states the cost of this class.
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

    /// Returns true if the class is only wiring: no delay and no area.
    pub fn is_free(self) -> bool {
        self.cost_origin() == CostOrigin::Free
    }

    /// Returns the class for a literal second operand: a shift becomes wiring, all other classes stay.
    pub fn with_constant_operand(self) -> Self {
        if self == Self::ShiftVariable {
            Self::ShiftConstant
        } else {
            self
        }
    }

    /// Returns true if operations should share instances: the operator is more expensive than the multiplexers at its inputs.
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
