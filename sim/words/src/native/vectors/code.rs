//! The intermediate representation of vector code, in SSA form, before register allocation.

use crate::rows::ROW;

/// The kind of a value: what it holds for each machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// One bit for each machine: a byte for eight machines, two bytes for sixteen.
    Bits,
    /// The low 32 bits of a word, which are all of it or all that is used.
    Narrow,
    /// A word of 64 bits.
    Wide,
    /// Eight words of a row, of one machine.
    Row,
    /// The words of four of eight machines.
    Half,
}

impl Kind {
    /// Returns the kind of words of this width.
    pub(crate) fn of(bits: u32) -> Self {
        match bits {
            0..=1 => Self::Bits,
            2..=32 => Self::Narrow,
            _ => Self::Wide,
        }
    }
}

/// A value, numbered in the order of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Value(pub(super) u32);

impl Value {
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// The second operand of a vector instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Value(Value),
    /// A constant that is the same for all machines.
    Constant(u64),
}

/// Binary vector operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Sub,
    And,
    Or,
    Xor,
    /// The low half of a product.
    Mul,
    /// Products of the low 32 bits of each word; wide only.
    MulHalves,
    /// Shifts by variable amounts.
    Shl,
    Shr,
    Sar,
    /// Rotation; wide only.
    Rotl,
    /// `!a & b`; AVX2 only.
    NotAnd,
    /// The unsigned maximum; narrow, AVX2 only.
    Max,
}

/// Shifts by a constant amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Shl,
    Shr,
    Sar,
    /// Rotation; wide only.
    Rotl,
}

/// Comparisons of vectors that give bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Below,
    /// Signed less.
    Less,
}

/// Comparisons of AVX2, which give vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Equal,
    /// Signed greater.
    Greater,
}

/// Operators on bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logic {
    And,
    Or,
    Xor,
    /// `!a & b`.
    NotAnd,
}

/// An instruction. Unless stated otherwise, vector operands have the kind of the result.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    /// Loads a slot.
    Load {
        to: Value,
        at: usize,
    },
    Store {
        at: usize,
        from: Value,
    },
    Constant {
        to: Value,
        value: u64,
    },
    /// A row of constants.
    Constants {
        to: Value,
        values: [u64; ROW],
    },
    /// The words of row `low` from number `from` on, followed by the first words of row `high`.
    Join {
        to: Value,
        low: Value,
        high: Value,
        from: u8,
    },
    /// Extracts one word of a row.
    Pick {
        to: Value,
        of: Value,
        number: u8,
    },
    /// A row in which all words are the same wide word.
    Repeat {
        to: Value,
        of: Value,
    },
    Binary {
        operator: Operator,
        to: Value,
        a: Value,
        b: Operand,
    },
    Shift {
        shift: Shift,
        to: Value,
        of: Value,
        by: u8,
    },
    /// Bitwise logic of three operands by a truth table. The bits of the operands form the index, the first operand the highest
    /// bit.
    Ternary {
        table: u8,
        to: Value,
        of: [Value; 3],
    },
    /// Compares two vectors of one kind; gives bits.
    Compare {
        relation: Relation,
        to: Value,
        a: Value,
        b: Operand,
    },
    /// Tests whether two words have a common 1 bit (`has`), or have none; gives bits.
    Test {
        has: bool,
        to: Value,
        a: Value,
        b: Operand,
    },
    /// Selects `a` where the bits are set, else `b`.
    Choose {
        to: Value,
        when: Value,
        a: Value,
        b: Value,
    },
    /// Converts bits to words: 1 where the bits are set, else 0.
    Spread {
        to: Value,
        when: Value,
    },
    /// Zero-extends narrow to wide, or truncates wide to narrow.
    Convert {
        to: Value,
        from: Value,
    },
    /// Adds the number of the machine in each lane; narrow.
    AddLane {
        to: Value,
        of: Value,
    },
    Logic {
        logic: Logic,
        to: Value,
        a: Value,
        b: Value,
    },
    Not {
        to: Value,
        of: Value,
    },
    /// Compares vectors; gives all ones where the comparison holds, else 0.
    Match {
        is: Match,
        to: Value,
        a: Value,
        b: Operand,
    },
    /// Collects the sign bits of a narrow vector, or of two halves, as bits.
    Signs {
        to: Value,
        of: Value,
        upper: Option<Value>,
    },
    /// Turns bits into the sign bits of a narrow vector; the other bits are undefined.
    Sign {
        to: Value,
        of: Value,
    },
    /// Selects `a` where the signs are set, else `b`.
    Blend {
        to: Value,
        signs: Value,
        a: Value,
        b: Value,
    },
    /// Extends the lower four words of a narrow vector to a half, with zeros or with their signs.
    Extend {
        is_signed: bool,
        to: Value,
        of: Value,
    },
    /// Moves the upper four words of a narrow vector to the lower positions.
    Upper {
        to: Value,
        of: Value,
    },
    /// Packs the low or the high 32 bits of the words of two halves into a narrow vector.
    Pack {
        is_high: bool,
        to: Value,
        of: [Value; 2],
    },
    /// Gathers elements of an array; 0 where the bits are not set. The array begins at byte `at` of the state, and the indices
    /// are narrow. For a half, only the lower four indices are used. In AVX2, signs select the lanes: signs of the kind that is
    /// gathered here, those of narrow words for [`Self::Scatter`].
    Gather {
        to: Value,
        at: usize,
        index: Value,
        when: Option<Value>,
    },
    /// Scatters elements to an array.
    Scatter {
        from: Value,
        at: usize,
        index: Value,
        when: Option<Value>,
    },
    /// Divides wide words as [`crate::Binary::Udiv`] and [`crate::Binary::Urem`].
    Divide {
        is_remainder: bool,
        to: Value,
        a: Value,
        b: Value,
    },
    /// Calls a function on wide words.
    Call {
        call: usize,
        operands: Vec<Value>,
        results: Vec<Value>,
    },
    /// Jumps past the next [`Instruction::End`] if no bit is set; skips are not nested.
    Skip {
        unless: Value,
    },
    End,
}

impl Instruction {
    /// Returns the values that it defines.
    pub(super) fn results(&self) -> &[Value] {
        match self {
            Self::Load { to, .. }
            | Self::Constant { to, .. }
            | Self::Constants { to, .. }
            | Self::Repeat { to, .. }
            | Self::Pick { to, .. }
            | Self::Join { to, .. }
            | Self::Binary { to, .. }
            | Self::Shift { to, .. }
            | Self::Ternary { to, .. }
            | Self::Compare { to, .. }
            | Self::Test { to, .. }
            | Self::Choose { to, .. }
            | Self::Spread { to, .. }
            | Self::Convert { to, .. }
            | Self::Logic { to, .. }
            | Self::AddLane { to, .. }
            | Self::Not { to, .. }
            | Self::Match { to, .. }
            | Self::Signs { to, .. }
            | Self::Sign { to, .. }
            | Self::Blend { to, .. }
            | Self::Extend { to, .. }
            | Self::Upper { to, .. }
            | Self::Pack { to, .. }
            | Self::Gather { to, .. }
            | Self::Divide { to, .. } => std::slice::from_ref(to),
            Self::Call { results, .. } => results,
            Self::Store { .. } | Self::Scatter { .. } | Self::Skip { .. } | Self::End => &[],
        }
    }

    /// Calls `each` with the values that it reads.
    pub(super) fn for_operands(&self, mut each: impl FnMut(Value)) {
        let second = |each: &mut dyn FnMut(Value), b: &Operand| {
            if let Operand::Value(b) = b {
                each(*b);
            }
        };
        match self {
            Self::Load { .. } | Self::Constant { .. } | Self::Constants { .. } | Self::End => {}
            Self::Store { from: of, .. }
            | Self::Shift { of, .. }
            | Self::Repeat { of, .. }
            | Self::Pick { of, .. }
            | Self::Spread { when: of, .. }
            | Self::Convert { from: of, .. }
            | Self::AddLane { of, .. }
            | Self::Not { of, .. }
            | Self::Sign { of, .. }
            | Self::Extend { of, .. }
            | Self::Upper { of, .. }
            | Self::Skip { unless: of } => each(*of),
            Self::Signs { of, upper, .. } => {
                each(*of);
                upper.iter().copied().for_each(each);
            }
            Self::Pack { of, .. } => of.iter().copied().for_each(each),
            Self::Binary { a, b, .. }
            | Self::Compare { a, b, .. }
            | Self::Match { a, b, .. }
            | Self::Test { a, b, .. } => {
                each(*a);
                second(&mut each, b);
            }
            Self::Ternary { of, .. } => of.iter().copied().for_each(each),
            Self::Choose { when, a, b, .. }
            | Self::Blend {
                signs: when, a, b, ..
            } => [*when, *a, *b].into_iter().for_each(each),
            Self::Join {
                low: a, high: b, ..
            }
            | Self::Logic { a, b, .. }
            | Self::Divide { a, b, .. } => {
                each(*a);
                each(*b);
            }
            Self::Gather { index, when, .. } => {
                each(*index);
                when.iter().copied().for_each(each);
            }
            Self::Scatter {
                from, index, when, ..
            } => {
                each(*from);
                each(*index);
                when.iter().copied().for_each(each);
            }
            Self::Call { operands, .. } => operands.iter().copied().for_each(each),
        }
    }

    fn is_needed_by_itself(&self) -> bool {
        matches!(
            self,
            Self::Store { .. }
                | Self::Scatter { .. }
                | Self::Call { .. }
                | Self::Skip { .. }
                | Self::End
        )
    }
}

/// The instructions of a cycle.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    /// The kind of each value.
    pub(super) kinds: Vec<Kind>,
}

impl Code {
    /// Creates a value without a definition.
    pub(super) fn value(&mut self, kind: Kind) -> Value {
        let value = Value(u32::try_from(self.kinds.len()).expect("fewer than 2^32 values"));
        self.kinds.push(kind);
        value
    }

    /// Appends an instruction, and returns the value that it defines.
    pub(super) fn give(
        &mut self,
        kind: Kind,
        instruction: impl FnOnce(Value) -> Instruction,
    ) -> Value {
        let to = self.value(kind);
        self.instructions.push(instruction(to));
        to
    }

    pub(super) fn kind(&self, value: Value) -> Kind {
        self.kinds[value.at()]
    }

    /// Removes instructions whose results are not used.
    pub(super) fn drop_unread(&mut self) {
        let mut is_read = vec![false; self.kinds.len()];
        let mut kept = Vec::new();
        for instruction in std::mem::take(&mut self.instructions).into_iter().rev() {
            let is_needed = instruction.results().iter().any(|to| is_read[to.at()]);
            if is_needed || instruction.is_needed_by_itself() {
                instruction.for_operands(|operand| is_read[operand.at()] = true);
                kept.push(instruction);
            }
        }
        kept.reverse();
        self.instructions = kept;
    }
}
