//! Translation of vector code for eight machines to AVX2: a vector of 64-bit words becomes two halves of four machines each, and
//! sign bits replace masks.
//!
//! Bits have up to three forms: a byte in a general register, the signs of narrow words, the signs of two halves. Comparisons
//! give signs; stores and skips need bytes. A form is computed from another when it is first needed. Signs may also be stored
//! inverted.

mod instructions;

use rustc_hash::FxHashMap;

use crate::graph::mask;

use super::code::{Code, Instruction, Kind, Match, Operand, Operator, Shift, Value};

/// The sign bit of a word.
const SIGN: u64 = 1 << 63;

/// Translates the instructions to vectors of half the length.
pub(super) fn halves(code: &Code) -> Code {
    let mut halving = Halving {
        code,
        made: Code::default(),
        forms: vec![Form::Bits(Bits::default()); code.kinds.len()],
        derived: FxHashMap::default(),
        opposites: FxHashMap::default(),
        inside: None,
    };
    for instruction in &code.instructions {
        halving.instruction(instruction);
    }
    halving.made.drop_unread();
    halving.made
}

/// Bits as the sign bits of vectors.
#[derive(Clone, Copy)]
struct Signs<V> {
    of: V,
    /// Whether the signs are inverted.
    is_opposite: bool,
}

/// The available forms of bits.
#[derive(Clone, Copy, Default)]
struct Bits {
    byte: Option<Value>,
    narrow: Option<Signs<Value>>,
    halves: Option<Signs<[Value; 2]>>,
}

impl Bits {
    fn has_signs(&self) -> bool {
        self.narrow.is_some() || self.halves.is_some()
    }
}

#[derive(Clone, Copy)]
enum Form {
    Bits(Bits),
    Narrow(Value),
    Wide([Value; 2]),
}

/// A vector derived from another, which is computed only once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Derived {
    /// The upper four words.
    Upper(Value),
    /// The lower four words, zero-extended or sign-extended.
    Extended(Value, bool),
    /// The vector with inverted sign bits, so that a signed comparison gives the unsigned order.
    Turned(Value),
}

/// The values derived under a condition, which are not available after it.
#[derive(Default)]
struct Inside {
    derived: Vec<Derived>,
    /// Forms of bits from before the condition.
    bits: Vec<(Value, Bits)>,
}

struct Halving<'a> {
    code: &'a Code,
    made: Code,
    /// The form of each value of the source code.
    forms: Vec<Form>,
    derived: FxHashMap<Derived, Value>,
    /// Values whose bits are inverted in other values.
    opposites: FxHashMap<Value, Value>,
    inside: Option<Inside>,
}

impl Halving<'_> {
    fn put(&mut self, instruction: Instruction) {
        self.made.instructions.push(instruction);
    }

    fn give(&mut self, kind: Kind, instruction: impl FnOnce(Value) -> Instruction) -> Value {
        self.made.give(kind, instruction)
    }

    fn constant(&mut self, kind: Kind, value: u64) -> Value {
        self.give(kind, |to| Instruction::Constant { to, value })
    }

    fn binary(&mut self, operator: Operator, a: Value, b: Operand) -> Value {
        let kind = self.made.kind(a);
        self.give(kind, |to| Instruction::Binary { operator, to, a, b })
    }

    fn shift(&mut self, shift: Shift, of: Value, by: u8) -> Value {
        let kind = self.made.kind(of);
        self.give(kind, |to| Instruction::Shift { shift, to, of, by })
    }

    fn matched(&mut self, is: Match, a: Value, b: Operand) -> Value {
        let kind = self.made.kind(a);
        self.give(kind, |to| Instruction::Match { is, to, a, b })
    }

    /// Returns the width of a word of a vector in bits.
    fn room(&self, of: Value) -> u8 {
        match self.made.kind(of) {
            Kind::Half => 64,
            _ => 32,
        }
    }

    fn narrow(&self, value: Value) -> Value {
        match self.forms[value.at()] {
            Form::Narrow(of) => of,
            _ => unreachable!("the value is narrow"),
        }
    }

    fn wide(&self, value: Value) -> [Value; 2] {
        match self.forms[value.at()] {
            Form::Wide(of) => of,
            _ => unreachable!("the value is wide"),
        }
    }

    /// Returns the vectors of a value: one, or two halves.
    fn vectors(&self, value: Value) -> Vec<Value> {
        match self.forms[value.at()] {
            Form::Narrow(of) => vec![of],
            Form::Wide(of) => of.to_vec(),
            Form::Bits(_) => unreachable!("bits are no vectors"),
        }
    }

    /// Returns the operands that match the vectors of a value.
    fn operands(&self, b: Operand, n: usize) -> Vec<Operand> {
        match b {
            Operand::Constant(_) => vec![b; n],
            Operand::Value(value) => {
                let of = self.vectors(value).into_iter();
                of.map(Operand::Value).collect()
            }
        }
    }

    fn set(&mut self, value: Value, vectors: &[Value]) {
        self.forms[value.at()] = match vectors {
            [of] => Form::Narrow(*of),
            [low, high] => Form::Wide([*low, *high]),
            _ => unreachable!("a value has one vector or two"),
        };
    }

    /// Applies an operation to each vector of a value.
    fn each(&mut self, to: Value, of: Value, mut make: impl FnMut(&mut Self, Value) -> Value) {
        let of = self.vectors(of);
        let made: Vec<Value> = of.into_iter().map(|of| make(self, of)).collect();
        self.set(to, &made);
    }

    fn derive(&mut self, derived: Derived, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some(value) = self.derived.get(&derived) {
            return *value;
        }
        let value = make(self);
        self.derived.insert(derived, value);
        if let Some(inside) = &mut self.inside {
            inside.derived.push(derived);
        }
        value
    }

    fn upper(&mut self, of: Value) -> Value {
        self.derive(Derived::Upper(of), |this| {
            this.give(Kind::Narrow, |to| Instruction::Upper { to, of })
        })
    }

    /// Extends a narrow vector to two halves.
    fn extended(&mut self, of: Value, is_signed: bool) -> [Value; 2] {
        let upper = self.upper(of);
        [of, upper].map(|of| {
            self.derive(Derived::Extended(of, is_signed), |this| {
                this.give(Kind::Half, |to| Instruction::Extend { is_signed, to, of })
            })
        })
    }

    fn packed(&mut self, of: [Value; 2], is_high: bool) -> Value {
        self.give(Kind::Narrow, |to| Instruction::Pack { is_high, to, of })
    }

    fn turned(&mut self, b: Operand) -> Operand {
        match b {
            Operand::Constant(value) => Operand::Constant(value ^ SIGN),
            Operand::Value(of) => Operand::Value(self.derive(Derived::Turned(of), |this| {
                this.binary(Operator::Xor, of, Operand::Constant(SIGN))
            })),
        }
    }

    fn value_of(&mut self, kind: Kind, operand: Operand) -> Value {
        match operand {
            Operand::Value(value) => value,
            Operand::Constant(value) => self.constant(kind, value),
        }
    }

    fn bits(&self, value: Value) -> Bits {
        match self.forms[value.at()] {
            Form::Bits(bits) => bits,
            _ => unreachable!("the value is of bits"),
        }
    }

    fn set_bits(&mut self, value: Value, bits: Bits) {
        if let Some(inside) = &mut self.inside
            && let Form::Bits(before) = self.forms[value.at()]
        {
            inside.bits.push((value, before));
        }
        self.forms[value.at()] = Form::Bits(bits);
    }

    fn set_byte(&mut self, value: Value, byte: Value) {
        let bits = Bits {
            byte: Some(byte),
            ..Bits::default()
        };
        self.set_bits(value, bits);
    }

    fn set_signs(&mut self, value: Value, of: &[Value], is_opposite: bool) {
        let bits = match of {
            [of] => Bits {
                narrow: Some(Signs {
                    of: *of,
                    is_opposite,
                }),
                ..Bits::default()
            },
            [low, high] => Bits {
                halves: Some(Signs {
                    of: [*low, *high],
                    is_opposite,
                }),
                ..Bits::default()
            },
            _ => unreachable!("a value has one vector or two"),
        };
        self.set_bits(value, bits);
    }

    /// Returns bits as a byte.
    fn byte(&mut self, value: Value) -> Value {
        let bits = self.bits(value);
        if let Some(byte) = bits.byte {
            return byte;
        }
        let (of, upper, is_opposite) = match (bits.narrow, bits.halves) {
            (Some(narrow), _) => (narrow.of, None, narrow.is_opposite),
            (None, Some(halves)) => (halves.of[0], Some(halves.of[1]), halves.is_opposite),
            (None, None) => unreachable!("bits have a form"),
        };
        let mut byte = self.give(Kind::Bits, |to| Instruction::Signs { to, of, upper });
        if is_opposite {
            let of = byte;
            byte = self.give(Kind::Bits, |to| Instruction::Not { to, of });
        }
        let form = Some(byte);
        self.set_bits(value, Bits { byte: form, ..bits });
        byte
    }

    /// Returns bits as signs of narrow words.
    fn signs(&mut self, value: Value) -> Signs<Value> {
        let bits = self.bits(value);
        if let Some(narrow) = bits.narrow {
            return narrow;
        }
        let narrow = match (bits.halves, bits.byte) {
            (Some(halves), _) => Signs {
                of: self.packed(halves.of, true),
                is_opposite: halves.is_opposite,
            },
            (None, Some(of)) => Signs {
                of: self.give(Kind::Narrow, |to| Instruction::Sign { to, of }),
                is_opposite: false,
            },
            (None, None) => unreachable!("bits have a form"),
        };
        let form = Some(narrow);
        self.set_bits(
            value,
            Bits {
                narrow: form,
                ..bits
            },
        );
        narrow
    }

    /// Returns bits as signs of two halves.
    fn signs_of_halves(&mut self, value: Value) -> Signs<[Value; 2]> {
        if let Some(halves) = self.bits(value).halves {
            return halves;
        }
        let narrow = self.signs(value);
        let halves = Signs {
            of: self.extended(narrow.of, true),
            is_opposite: narrow.is_opposite,
        };
        let form = Some(halves);
        let bits = self.bits(value);
        self.set_bits(
            value,
            Bits {
                halves: form,
                ..bits
            },
        );
        halves
    }

    /// Returns signs in vectors of the kind that matches words of `kind`.
    fn signs_of(&mut self, value: Value, kind: Kind) -> Signs<Vec<Value>> {
        match kind {
            Kind::Wide => {
                let Signs { of, is_opposite } = self.signs_of_halves(value);
                let of = of.to_vec();
                Signs { of, is_opposite }
            }
            _ => {
                let Signs { of, is_opposite } = self.signs(value);
                let of = vec![of];
                Signs { of, is_opposite }
            }
        }
    }

    /// Returns signs that are not inverted.
    fn straight(&mut self, signs: Signs<Vec<Value>>) -> Vec<Value> {
        let Signs { of, is_opposite } = signs;
        if !is_opposite {
            return of;
        }
        let ones = Operand::Constant(mask(64));
        let of = of.into_iter();
        of.map(|of| self.binary(Operator::Xor, of, ones)).collect()
    }
}

fn opposite<V>(signs: Signs<V>) -> Signs<V> {
    Signs {
        of: signs.of,
        is_opposite: !signs.is_opposite,
    }
}
