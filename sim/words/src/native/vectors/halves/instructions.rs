//! Translation of each instruction for AVX2.

use super::{Bits, Form, Halving, Inside, SIGN, Signs, opposite};
use crate::graph::mask;
use crate::native::vectors::code::{
    Instruction, Kind, Logic, Match, Operand, Operator, Relation, Shift, Value,
};

/// Bytes of a half.
const HALF_BYTES: usize = 32;

/// Returns the kind of the vectors that a value is split into.
fn kind_of_part(kind: Kind) -> Kind {
    match kind {
        Kind::Wide => Kind::Half,
        kind => kind,
    }
}

impl Halving<'_> {
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Load { to, at } => match self.code.kind(*to) {
                Kind::Bits => {
                    let at = *at;
                    let byte = self.give(Kind::Bits, |to| Instruction::Load { to, at });
                    self.set_byte(*to, byte);
                }
                Kind::Wide => {
                    let halves = [*at, at + HALF_BYTES];
                    let halves =
                        halves.map(|at| self.give(Kind::Half, |to| Instruction::Load { to, at }));
                    self.set(*to, &halves);
                }
                kind => {
                    let at = *at;
                    let made = self.give(kind, |to| Instruction::Load { to, at });
                    self.set(*to, &[made]);
                }
            },
            Instruction::Store { at, from } => {
                let parts = match self.code.kind(*from) {
                    Kind::Bits => vec![self.byte(*from)],
                    _ => self.vectors(*from),
                };
                for (part, from) in parts.into_iter().enumerate() {
                    let at = at + HALF_BYTES * part;
                    self.put(Instruction::Store { at, from });
                }
            }
            Instruction::Constant { to, value } => match self.code.kind(*to) {
                Kind::Bits => {
                    let byte = self.constant(Kind::Bits, *value);
                    let ones = if value & 1 == 0 { 0 } else { mask(64) };
                    let of = self.constant(Kind::Narrow, ones);
                    let is_opposite = false;
                    let bits = Bits {
                        byte: Some(byte),
                        narrow: Some(Signs { of, is_opposite }),
                        halves: None,
                    };
                    self.set_bits(*to, bits);
                }
                Kind::Wide => {
                    let half = self.constant(Kind::Half, *value);
                    self.set(*to, &[half, half]);
                }
                kind => {
                    let made = self.constant(kind, *value);
                    self.set(*to, &[made]);
                }
            },
            Instruction::Binary { operator, to, a, b } => {
                let of = self.vectors(*a);
                let with = self.operands(*b, of.len());
                let of = of.into_iter().zip(with);
                let made: Vec<Value> = of.map(|(a, b)| self.operator(*operator, a, b)).collect();
                self.set(*to, &made);
            }
            Instruction::Shift { shift, to, of, by } => {
                self.each(*to, *of, |this, of| this.shifted(*shift, of, *by));
            }
            Instruction::Compare { relation, to, a, b } => self.compare(*relation, *to, *a, *b),
            Instruction::Test { has, to, a, b } => self.test(*has, *to, *a, *b),
            Instruction::Choose { to, when, a, b } => {
                let kind = self.code.kind(*to);
                let Signs { of, is_opposite } = self.signs_of(*when, kind);
                let (a, b) = (self.vectors(*a), self.vectors(*b));
                let (a, b) = if is_opposite { (b, a) } else { (a, b) };
                let all = of.into_iter().zip(a.into_iter().zip(b));
                let made: Vec<Value> = all
                    .map(|(signs, (a, b))| {
                        let kind = self.made.kind(a);
                        self.give(kind, |to| Instruction::Blend { to, signs, a, b })
                    })
                    .collect();
                self.set(*to, &made);
            }
            Instruction::Spread { to, when } => {
                let kind = self.code.kind(*to);
                let Signs { of, is_opposite } = self.signs_of(*when, kind);
                let mut made = Vec::new();
                for of in of {
                    let by = self.room(of) - 1;
                    let bit = self.shift(Shift::Shr, of, by);
                    made.push(match is_opposite {
                        true => self.binary(Operator::Xor, bit, Operand::Constant(1)),
                        false => bit,
                    });
                }
                self.set(*to, &made);
            }
            Instruction::Convert { to, from } => {
                let made = match self.code.kind(*to) {
                    Kind::Wide => {
                        let of = self.narrow(*from);
                        self.extended(of, false).to_vec()
                    }
                    _ => {
                        let of = self.wide(*from);
                        vec![self.packed(of, false)]
                    }
                };
                self.set(*to, &made);
            }
            Instruction::AddLane { to, of } => {
                let of = self.narrow(*of);
                let made = self.give(Kind::Narrow, |to| Instruction::AddLane { to, of });
                self.set(*to, &[made]);
            }
            Instruction::Logic { logic, to, a, b } => self.logic(*logic, *to, *a, *b),
            Instruction::Not { to, of } => {
                let bits = self.bits(*of);
                match bits.has_signs() {
                    true => {
                        let bits = Bits {
                            byte: None,
                            narrow: bits.narrow.map(opposite),
                            halves: bits.halves.map(opposite),
                        };
                        self.set_bits(*to, bits);
                    }
                    false => {
                        let of = self.byte(*of);
                        let byte = self.give(Kind::Bits, |to| Instruction::Not { to, of });
                        self.set_byte(*to, byte);
                    }
                }
            }
            Instruction::Gather {
                to,
                at,
                index,
                when,
            } => {
                let kind = self.code.kind(*to);
                let signs = when.map(|when| self.signs_of(when, kind));
                let signs = signs.map(|signs| self.straight(signs));
                let made: Vec<Value> = (0..)
                    .zip(self.indices(*index, kind))
                    .map(|(number, index)| {
                        let when = signs.as_ref().map(|signs: &Vec<Value>| signs[number]);
                        let (at, kind) = (*at, kind_of_part(kind));
                        self.give(kind, |to| Instruction::Gather {
                            to,
                            at,
                            index,
                            when,
                        })
                    })
                    .collect();
                self.set(*to, &made);
            }
            Instruction::Scatter {
                from,
                at,
                index,
                when,
            } => {
                let kind = self.code.kind(*from);
                let signs = when.map(|when| self.signs_of(when, Kind::Narrow));
                let signs = signs.map(|signs| self.straight(signs)[0]);
                let from = self.vectors(*from);
                for (number, index) in self.indices(*index, kind).into_iter().enumerate() {
                    let when = signs.map(|signs| match number {
                        0 => signs,
                        _ => self.upper(signs),
                    });
                    let (at, from) = (*at, from[number]);
                    self.put(Instruction::Scatter {
                        from,
                        at,
                        index,
                        when,
                    });
                }
            }
            Instruction::Divide {
                is_remainder,
                to,
                a,
                b,
            } => {
                let is_remainder = *is_remainder;
                let all = self.wide(*a).into_iter().zip(self.wide(*b));
                let made: Vec<Value> = all
                    .map(|(a, b)| {
                        self.give(Kind::Half, |to| Instruction::Divide {
                            is_remainder,
                            to,
                            a,
                            b,
                        })
                    })
                    .collect();
                self.set(*to, &made);
            }
            Instruction::Call {
                call,
                operands,
                results,
            } => {
                let operands = operands.iter().flat_map(|of| self.wide(*of)).collect();
                let made: Vec<Value> = (0..2 * results.len())
                    .map(|_| self.made.value(Kind::Half))
                    .collect();
                for (result, halves) in results.iter().zip(made.chunks(2)) {
                    self.set(*result, halves);
                }
                self.put(Instruction::Call {
                    call: *call,
                    operands,
                    results: made,
                });
            }
            Instruction::Skip { unless } => {
                let unless = self.byte(*unless);
                self.put(Instruction::Skip { unless });
                self.inside = Some(Inside::default());
            }
            Instruction::End => {
                self.put(Instruction::End);
                let inside = self.inside.take().unwrap_or_default();
                for derived in inside.derived {
                    self.derived.remove(&derived);
                }
                for (value, bits) in inside.bits.into_iter().rev() {
                    self.forms[value.at()] = Form::Bits(bits);
                }
            }
            Instruction::Constants { .. }
            | Instruction::Join { .. }
            | Instruction::Pick { .. }
            | Instruction::Repeat { .. } => unreachable!("rows are of one machine"),
            Instruction::Ternary { .. }
            | Instruction::Match { .. }
            | Instruction::Signs { .. }
            | Instruction::Sign { .. }
            | Instruction::Blend { .. }
            | Instruction::Extend { .. }
            | Instruction::Upper { .. }
            | Instruction::Pack { .. } => unreachable!("the code is of long vectors"),
        }
    }

    /// Returns the indices for each vector of elements.
    fn indices(&mut self, index: Value, kind: Kind) -> Vec<Value> {
        let index = self.narrow(index);
        match kind {
            Kind::Wide => vec![index, self.upper(index)],
            _ => vec![index],
        }
    }

    fn operator(&mut self, operator: Operator, a: Value, b: Operand) -> Value {
        let is_half = self.made.kind(a) == Kind::Half;
        let ones = mask(u32::from(self.room(a)));
        match operator {
            Operator::Xor => {
                let made = self.binary(operator, a, b);
                if matches!(b, Operand::Constant(value) if value & ones == ones) {
                    self.opposites.insert(made, a);
                }
                made
            }
            Operator::And => {
                if let Some(of) = self.opposites.get(&a).copied() {
                    return self.binary(Operator::NotAnd, of, b);
                }
                if let Operand::Value(b) = b
                    && let Some(of) = self.opposites.get(&b).copied()
                {
                    return self.binary(Operator::NotAnd, of, Operand::Value(a));
                }
                self.binary(operator, a, b)
            }
            Operator::Mul if is_half => self.product(a, b),
            Operator::Sar if is_half => {
                let sign = self.constant(Kind::Half, SIGN);
                let (sign, of) = (
                    self.binary(Operator::Shr, sign, b),
                    self.binary(Operator::Shr, a, b),
                );
                self.with_sign(of, Operand::Value(sign))
            }
            Operator::Rotl => {
                let by = self.value_of(Kind::Half, b);
                let all = self.constant(Kind::Half, 64);
                let rest = self.binary(Operator::Sub, all, Operand::Value(by));
                let high = self.binary(Operator::Shl, a, Operand::Value(by));
                let low = self.binary(Operator::Shr, a, Operand::Value(rest));
                self.binary(Operator::Or, high, Operand::Value(low))
            }
            _ => self.binary(operator, a, b),
        }
    }

    /// Returns the low half of a 64-bit product, computed from products of 32-bit halves.
    fn product(&mut self, a: Value, b: Operand) -> Value {
        let b = self.value_of(Kind::Half, b);
        let [a_high, b_high] = [a, b].map(|of| self.shift(Shift::Shr, of, 32));
        let mut product =
            |a: Value, b: Value| self.binary(Operator::MulHalves, a, Operand::Value(b));
        let (low, one, other) = (product(a, b), product(a_high, b), product(a, b_high));
        let middle = self.binary(Operator::Add, one, Operand::Value(other));
        let middle = self.shift(Shift::Shl, middle, 32);
        self.binary(Operator::Add, low, Operand::Value(middle))
    }

    /// Sign-extends words that were shifted right logically; `sign` has the position of their sign bit.
    fn with_sign(&mut self, of: Value, sign: Operand) -> Value {
        let turned = self.binary(Operator::Xor, of, sign);
        self.binary(Operator::Sub, turned, sign)
    }

    fn shifted(&mut self, shift: Shift, of: Value, by: u8) -> Value {
        let is_half = self.made.kind(of) == Kind::Half;
        match shift {
            Shift::Sar if is_half => {
                let down = self.shift(Shift::Shr, of, by);
                self.with_sign(down, Operand::Constant(SIGN >> by))
            }
            Shift::Rotl if by == 0 => of,
            Shift::Rotl => {
                let (high, low) = (
                    self.shift(Shift::Shl, of, by),
                    self.shift(Shift::Shr, of, 64 - by),
                );
                self.binary(Operator::Or, high, Operand::Value(low))
            }
            _ => self.shift(shift, of, by),
        }
    }

    fn compare(&mut self, relation: Relation, to: Value, a: Value, b: Operand) {
        let is_wide = self.code.kind(a) == Kind::Wide;
        let of = self.vectors(a);
        let with = self.operands(b, of.len());
        let mut made = Vec::new();
        for (a, b) in of.into_iter().zip(with) {
            let kind = self.made.kind(a);
            made.push(match relation {
                Relation::Equal => self.matched(Match::Equal, a, b),
                // `a` is not less than `b` exactly if it is the maximum of both.
                Relation::Below if !is_wide => {
                    let greater = self.binary(Operator::Max, a, b);
                    self.matched(Match::Equal, greater, Operand::Value(a))
                }
                Relation::Below => {
                    let (a, b) = (self.turned(Operand::Value(a)), self.turned(b));
                    let b = self.value_of(kind, b);
                    self.matched(Match::Greater, b, a)
                }
                Relation::Less => {
                    let b = self.value_of(kind, b);
                    self.matched(Match::Greater, b, Operand::Value(a))
                }
            });
        }
        self.set_signs(to, &made, relation == Relation::Below && !is_wide);
    }

    fn test(&mut self, has: bool, to: Value, a: Value, b: Operand) {
        let of = self.vectors(a);
        let bits = of.first().map_or(0, |of| self.room(*of));
        if let Operand::Constant(value) = b
            && (value & mask(u32::from(bits))).is_power_of_two()
        {
            // Shifts the tested bit to the sign position.
            let by = u32::from(bits) - 1 - value.trailing_zeros();
            let by = u8::try_from(by).expect("below 64");
            let of = of.into_iter().map(|of| match by {
                0 => of,
                _ => self.shift(Shift::Shl, of, by),
            });
            let of: Vec<Value> = of.collect();
            self.set_signs(to, &of, !has);
            return;
        }
        let with = self.operands(b, of.len());
        let is_itself = matches!(b, Operand::Value(b) if b == a);
        let of = of.into_iter().zip(with).map(|(a, b)| {
            let common = match is_itself {
                true => a,
                false => self.binary(Operator::And, a, b),
            };
            self.matched(Match::Equal, common, Operand::Constant(0))
        });
        let of: Vec<Value> = of.collect();
        self.set_signs(to, &of, has);
    }

    /// Computes logic on sign bits, unless both operands are already bytes.
    fn logic(&mut self, logic: Logic, to: Value, a: Value, b: Value) {
        let [of_a, of_b] = [a, b].map(|value| self.bits(value));
        let has_bytes = of_a.byte.is_some() && of_b.byte.is_some();
        if has_bytes || !of_a.has_signs() || !of_b.has_signs() {
            let (a, b) = (self.byte(a), self.byte(b));
            let byte = self.give(Kind::Bits, |to| Instruction::Logic { logic, to, a, b });
            self.set_byte(to, byte);
            return;
        }
        let (mut a, b) = (self.signs(a), self.signs(b));
        if logic == Logic::NotAnd {
            a = opposite(a);
        }
        let (operator, first, second, is_opposite) = match (logic, a.is_opposite, b.is_opposite) {
            (Logic::Xor, of_a, of_b) => (Operator::Xor, a, b, of_a != of_b),
            (Logic::And | Logic::NotAnd, false, false) => (Operator::And, a, b, false),
            (Logic::And | Logic::NotAnd, true, false) => (Operator::NotAnd, a, b, false),
            (Logic::And | Logic::NotAnd, false, true) => (Operator::NotAnd, b, a, false),
            (Logic::And | Logic::NotAnd, true, true) => (Operator::Or, a, b, true),
            (Logic::Or, false, false) => (Operator::Or, a, b, false),
            (Logic::Or, true, false) => (Operator::NotAnd, b, a, true),
            (Logic::Or, false, true) => (Operator::NotAnd, a, b, true),
            (Logic::Or, true, true) => (Operator::And, a, b, true),
        };
        let made = self.binary(operator, first.of, Operand::Value(second.of));
        self.set_signs(to, &[made], is_opposite);
    }
}
