//! Instructions on the words of one machine or of a group, each word named once, before registers are chosen.

use crate::rows::ROW;

/// What a value holds of each machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A bit: those of eight machines are a byte, of sixteen two.
    Bits,
    /// The low 32 bits of a word, which are all of it or all that is read.
    Narrow,
    /// A word.
    Wide,
    /// Eight words in a row of one machine.
    Row,
    /// The words of four machines of eight.
    Half,
}

impl Kind {
    /// The kind of words of so many bits.
    pub(crate) fn of(bits: u32) -> Self {
        match bits {
            0..=1 => Self::Bits,
            2..=32 => Self::Narrow,
            _ => Self::Wide,
        }
    }
}

/// What an instruction gives; numbered in the order in which they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Value(pub(super) u32);

impl Value {
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// The second operand of vectors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Value(Value),
    /// The same for all machines.
    Constant(u64),
}

/// Operators on two vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Sub,
    And,
    Or,
    Xor,
    /// The low bits of a product.
    Mul,
    /// Products of the low 32 bits of each word; wide only.
    MulHalves,
    /// Shifts by amounts that differ.
    Shl,
    Shr,
    Sar,
    /// Wide only.
    Rotl,
    /// The second one where the first one is not; AVX2 only.
    NotAnd,
    /// The greater one, without a sign; narrow, AVX2 only.
    Max,
}

/// Shifts by one amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Shl,
    Shr,
    Sar,
    /// Wide only.
    Rotl,
}

/// Comparisons of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Below,
    /// As numbers with a sign.
    Less,
}

/// Comparisons that AVX2 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Equal,
    /// As numbers with a sign.
    Greater,
}

/// Operators on bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logic {
    And,
    Or,
    Xor,
    /// The second one where the first one is not.
    NotAnd,
}

/// An instruction. Vectors that it reads are of the kind of what it gives, if nothing else is said.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    /// Reads a slot.
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
    /// A row of them.
    Constants {
        to: Value,
        values: [u64; ROW],
    },
    /// A row of the last words of one, from number `from` on, and the first ones of another.
    Join {
        to: Value,
        low: Value,
        high: Value,
        from: u8,
    },
    /// The word of a row that has a number.
    Pick {
        to: Value,
        of: Value,
        number: u8,
    },
    /// A wide one as each of a row.
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
    /// Bit by bit, the bit of the table that those of the three operands are the number of, the first one's the highest.
    Ternary {
        table: u8,
        to: Value,
        of: [Value; 3],
    },
    /// Bits of vectors of one kind.
    Compare {
        relation: Relation,
        to: Value,
        a: Value,
        b: Operand,
    },
    /// Bits: whether words have a bit in common, or none.
    Test {
        has: bool,
        to: Value,
        a: Value,
        b: Operand,
    },
    /// The first one where the bits are set, else the second.
    Choose {
        to: Value,
        when: Value,
        a: Value,
        b: Value,
    },
    /// 1 where the bits are set, else 0.
    Spread {
        to: Value,
        when: Value,
    },
    /// Narrow to wide with zeros, or the low halves of wide.
    Convert {
        to: Value,
        from: Value,
    },
    /// The number of each machine on top; narrow.
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
    /// All ones where it is so, else 0.
    Match {
        is: Match,
        to: Value,
        a: Value,
        b: Operand,
    },
    /// Bits: the signs of narrow words, or of two halves.
    Signs {
        to: Value,
        of: Value,
        upper: Option<Value>,
    },
    /// Narrow words with bits as their signs, and anything below.
    Sign {
        to: Value,
        of: Value,
    },
    /// The first one where signs are set, else the second.
    Blend {
        to: Value,
        signs: Value,
        a: Value,
        b: Value,
    },
    /// A half of the lower four of narrow words, with zeros or their signs above.
    Extend {
        is_signed: bool,
        to: Value,
        of: Value,
    },
    /// The upper four of narrow words as the lower ones.
    Upper {
        to: Value,
        of: Value,
    },
    /// Narrow words of the low or the high 32 bits of those of two halves.
    Pack {
        is_high: bool,
        to: Value,
        of: [Value; 2],
    },
    /// Words of an array, 0 where the bits are not set: elements in bytes from `at` on times narrow indices. Of a half, the lower four
    /// indices; in AVX2 signs say where, those of narrow words for [`Self::Scatter`] and of the kind that is gathered here.
    Gather {
        to: Value,
        at: usize,
        index: Value,
        when: Option<Value>,
    },
    /// The other way round.
    Scatter {
        from: Value,
        at: usize,
        index: Value,
        when: Option<Value>,
    },
    /// Wide, as [`crate::Binary::Udiv`] and [`crate::Binary::Urem`].
    Divide {
        is_remainder: bool,
        to: Value,
        a: Value,
        b: Value,
    },
    /// A call of wide words.
    Call {
        call: usize,
        operands: Vec<Value>,
        results: Vec<Value>,
    },
    /// Goes behind the next [`Instruction::End`] where no bit is set; no skip stands in another one.
    Skip {
        unless: Value,
    },
    End,
}

impl Instruction {
    /// What it gives.
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

    /// What it reads.
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
    /// By value.
    pub(super) kinds: Vec<Kind>,
}

impl Code {
    /// A value that nothing gives yet.
    pub(super) fn value(&mut self, kind: Kind) -> Value {
        let value = Value(u32::try_from(self.kinds.len()).expect("fewer than 2^32 values"));
        self.kinds.push(kind);
        value
    }

    /// What an instruction gives that is put behind the others.
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

    /// Leaves out what nothing reads.
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
