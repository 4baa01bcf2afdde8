//! Emission of each instruction, with the registers of its operands and results.

use super::{Allocation, Before, Constant, File, Home, LINE_BYTES};
use crate::native::vectors::InstructionSet;
use crate::native::vectors::code::{Instruction, Kind, Operator, Value};
use crate::native::vectors::encoder::Source;
use crate::native::vectors::layout::Lanes;

impl Allocation<'_> {
    pub(super) fn instructions(&mut self) {
        let code = self.code;
        for instruction in &code.instructions {
            self.instruction(instruction);
            for (kind, at) in self.left.drain(..) {
                self.room.free[kind as usize].push(at);
            }
            for value in instruction.results() {
                self.have_given(*value);
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Load { to, at } => {
                // It is loaded at its first use.
                self.homes.insert(*to, Home::Slot(*at));
                self.loaded.entry(*at).or_default().push(*to);
            }
            Instruction::Constant { to, value } => {
                self.constants.insert(*to, Constant::Word(*value));
            }
            Instruction::Constants { to, values } => {
                self.constants.insert(*to, Constant::Row(*values));
            }
            Instruction::Join {
                to,
                low,
                high,
                from,
            } => {
                let (low, high) = (self.read(*low), self.read(*high));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.join(register, low, high, *from);
            }
            Instruction::Pick { to, of, number } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.join(register, of, of, *number);
            }
            Instruction::Repeat { to, of } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.repeat(register, of);
            }
            Instruction::Store { at, from } => {
                let register = self.read(*from);
                let kind = self.kind(*from);
                self.overwrite(*at, kind);
                self.have_read(instruction);
                match self.residents.get(at) {
                    Some(resident) if resident.register == register => {}
                    Some(resident) => self.encoder.copy(kind, resident.register, register),
                    None => self.encoder.store(kind, *at, register),
                }
            }
            Instruction::Binary { operator, to, a, b } => {
                let (a, b) = (self.read(*a), self.source(*b));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let kind = self.kind(*to);
                self.encoder.binary(*operator, kind, register, a, b);
            }
            Instruction::AddLane { to, of } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let (operator, lanes) = (Operator::Add, Source::Lanes);
                self.encoder
                    .binary(operator, Kind::Narrow, register, of, lanes);
            }
            Instruction::Shift { shift, to, of, by } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let kind = self.kind(*to);
                self.encoder.shift(*shift, kind, register, of, *by);
            }
            Instruction::Convert { to, from } => {
                let from = self.read(*from);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let kind = self.kind(*to);
                self.encoder.convert(kind, register, from);
            }
            Instruction::Ternary { table, to, of } => {
                self.ternary(instruction, *table, *to, *of);
            }
            Instruction::Compare { relation, to, a, b } => {
                let kind = self.kind(*a);
                let (a, b) = (self.read(*a), self.source(*b));
                self.have_read(instruction);
                let register = self.give(File::Masks, *to);
                self.encoder.compare(*relation, kind, register, a, b);
            }
            Instruction::Test { has, to, a, b } => {
                let kind = self.kind(*a);
                let (a, b) = (self.read(*a), self.source(*b));
                self.have_read(instruction);
                let register = self.give(File::Masks, *to);
                self.encoder.test(*has, kind, register, a, b);
            }
            Instruction::Choose { to, when, a, b } if self.kind(*to) == Kind::Row => {
                let when = self.read(*when);
                let (a, b) = (self.read(*a), self.read(*b));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.choose_row(register, when, a, b);
            }
            Instruction::Choose { to, when, a, b } => {
                let when = self.mask(*when);
                let (a, b) = (self.read(*a), self.read(*b));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let kind = self.kind(*to);
                self.encoder.choose(kind, register, when, a, b);
            }
            Instruction::Spread { to, when } => {
                let is_alone = self.room.lanes == Lanes::One;
                let when = match is_alone {
                    true => self.read(*when),
                    false => self.mask(*when),
                };
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let kind = self.kind(*to);
                match is_alone {
                    true => self.encoder.vector_of_word(register, when),
                    false => self.encoder.spread(kind, register, when),
                }
            }
            Instruction::Logic { logic, to, a, b } => {
                let (a, b) = (self.read(*a), self.read(*b));
                self.have_read(instruction);
                let register = self.give(File::Words, *to);
                self.encoder.logic(*logic, register, a, b);
            }
            Instruction::Not { to, of } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Words, *to);
                self.encoder.not(register, of);
            }
            Instruction::Match { is, to, a, b } => {
                let kind = self.kind(*to);
                let (a, b) = (self.read(*a), self.source(*b));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.matched(*is, kind, register, a, b);
            }
            Instruction::Signs { to, of, upper } => {
                let (of, upper) = (self.read(*of), upper.map(|of| self.read(of)));
                self.have_read(instruction);
                let register = self.give(File::Words, *to);
                match upper {
                    Some(upper) => self.encoder.word_of_halves(register, [of, upper]),
                    None => self.encoder.word_of_signs(register, of),
                }
            }
            Instruction::Sign { to, of } => self.sign(instruction, *to, *of),
            Instruction::Blend { to, signs, a, b } => {
                let (signs, a, b) = (self.read(*signs), self.read(*a), self.read(*b));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                let kind = self.kind(*to);
                self.encoder.blend(kind, register, signs, a, b);
            }
            Instruction::Extend { is_signed, to, of } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.extend(*is_signed, register, of);
            }
            Instruction::Upper { to, of } => {
                let of = self.read(*of);
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.upper(register, of);
            }
            Instruction::Pack { is_high, to, of } => {
                let of = of.map(|of| self.read(of));
                self.have_read(instruction);
                let register = self.give(File::Vectors, *to);
                self.encoder.pack(*is_high, register, of);
            }
            Instruction::Gather {
                to,
                at,
                index,
                when,
            } if self.set == InstructionSet::Avx2 => {
                self.gather_by_signs(instruction, *to, *at, *index, *when);
            }
            Instruction::Scatter {
                from,
                at,
                index,
                when,
            } if self.set == InstructionSet::Avx2 => {
                self.scatter_by_signs(instruction, *from, *at, *index, *when);
            }
            Instruction::Gather {
                to,
                at,
                index,
                when,
            } => {
                let index = self.read(*index);
                let when = when.map(|when| self.mask(when));
                // The result must not be in the register of the index.
                let register = self.give(File::Vectors, *to);
                self.have_read(instruction);
                let kind = self.kind(*to);
                self.encoder.gather(kind, register, *at, index, when);
            }
            Instruction::Scatter {
                from,
                at,
                index,
                when,
            } => {
                let kind = self.kind(*from);
                let (from, index) = (self.read(*from), self.read(*index));
                let when = when.map(|when| self.mask(when));
                self.have_read(instruction);
                self.encoder.scatter(kind, from, *at, index, when);
            }
            Instruction::Divide {
                is_remainder,
                to,
                a,
                b,
            } => {
                let (a, b) = (self.read(*a), self.read(*b));
                self.have_read(instruction);
                let kind = self.kind(*to);
                let [of_a, of_b] = [a, b].map(|register| {
                    let at = self.room.take(kind);
                    self.encoder.store(kind, at, register);
                    at
                });
                for lane in 0..self.room.lanes.bytes(kind) / 8 {
                    let [a, b] = [of_a, of_b].map(|at| at + 8 * lane);
                    self.encoder.divide(*is_remainder, a, a, b);
                }
                let register = self.give(File::Vectors, *to);
                self.encoder.load(kind, register, of_a);
                self.room.free[kind as usize].extend([of_a, of_b]);
            }
            Instruction::Call {
                call,
                operands,
                results,
            } => self.call(instruction, *call, operands, results),
            Instruction::Skip { unless } => {
                let unless = self.read(*unless);
                self.have_read(instruction);
                let jump = self.encoder.skip_unless(unless);
                self.before = Some(Before {
                    jump,
                    files: self.files.clone(),
                    first: self.next,
                });
            }
            Instruction::End => self.come_together(),
        }
    }

    fn ternary(&mut self, instruction: &Instruction, table: u8, to: Value, of: [Value; 3]) {
        let registers = of.map(|value| self.read(value));
        let kind = self.kind(to);
        // The instruction overwrites its first operand, so an operand without a later use is put first, if there is one.
        let n_reads = |value: Value| of.iter().filter(|other| **other == value).count();
        let is_last = |value: Value| {
            let has_own = self.register(File::Vectors, value).is_some();
            has_own && self.reads[value.at()].len() == n_reads(value)
        };
        let first = (0..3).find(|at| is_last(of[*at])).unwrap_or(0);
        let order = [first, (first + 1) % 3, (first + 2) % 3];
        let table = turned(table, order);
        let [a, b, c] = order.map(|at| registers[at]);
        let dies = is_last(of[first]);
        if dies {
            self.have_read(instruction);
            let file = self.file(File::Vectors);
            file.put(a, to);
            self.encoder.ternary(table, kind, a, b, c);
        } else {
            let register = self.give(File::Vectors, to);
            self.have_read(instruction);
            self.encoder.copy(kind, register, a);
            self.encoder.ternary(table, kind, register, b, c);
        }
    }

    /// Turns bits into signs; reads the bits from memory if this is their only remaining use.
    fn sign(&mut self, instruction: &Instruction, to: Value, of: Value) {
        let is_last = self.reads[of.at()].len() == 1;
        let in_memory = match self.register(File::Words, of) {
            None if is_last => self.homes.get(&of).map(|home| home.at()),
            _ => None,
        };
        let Some(at) = in_memory else {
            let of = self.read(of);
            self.have_read(instruction);
            let register = self.give(File::Vectors, to);
            return self.encoder.signs_of_word(register, of);
        };
        self.have_read(instruction);
        let register = self.give(File::Vectors, to);
        self.encoder.signs_of_byte(register, at);
    }

    fn gather_by_signs(
        &mut self,
        instruction: &Instruction,
        to: Value,
        at: usize,
        index: Value,
        when: Option<Value>,
    ) {
        let index = self.read(index);
        let when = when.map(|when| self.read(when));
        // The result and the copy of the signs, which the instruction overwrites, must not be in the register of the index.
        let register = self.give(File::Vectors, to);
        self.pinned.push(to);
        let signs = self.take(File::Vectors);
        self.have_read(instruction);
        let kind = self.kind(to);
        match when {
            Some(when) => self.encoder.copy(kind, signs, when),
            None => self.encoder.set_signs(signs),
        }
        self.encoder
            .gather_by_signs(kind, register, at, index, signs);
    }

    /// Scatters word by word; lanes that are not selected write to a place that is never read.
    fn scatter_by_signs(
        &mut self,
        instruction: &Instruction,
        from: Value,
        at: usize,
        index: Value,
        when: Option<Value>,
    ) {
        let kind = self.kind(from);
        let (from, mut index) = (self.read(from), self.read(index));
        if let Some(when) = when {
            let when = self.read(when);
            let nowhere = match self.nowhere {
                Some(nowhere) => nowhere,
                None => self.room.take(Kind::Wide),
            };
            self.nowhere = Some(nowhere);
            let scale = if kind == Kind::Half { 8 } else { 4 };
            let number = u64::try_from((nowhere - at) / scale).expect("a state is in memory");
            let chosen = self.take(File::Vectors);
            self.encoder.set(Kind::Narrow, chosen, number);
            self.encoder
                .blend(Kind::Narrow, chosen, when, index, chosen);
            index = chosen;
        }
        self.have_read(instruction);
        let [words, indices] = [Kind::Half, Kind::Half].map(|kind| self.room.take(kind));
        self.encoder.store(Kind::Half, words, from);
        self.encoder.store(Kind::Half, indices, index);
        self.encoder.scatter_from(kind, words, at, indices);
        self.room.free[Kind::Half as usize].extend([words, indices]);
    }

    /// Emits a call for each lane. All registers are caller-saved, so live values are stored to memory before it.
    fn call(
        &mut self,
        instruction: &Instruction,
        call: usize,
        operands: &[Value],
        results: &[Value],
    ) {
        // With AVX-512, a word of all machines is one value; with AVX2 it is two.
        let kind = match self.set {
            InstructionSet::Avx512 => Kind::Wide,
            InstructionSet::Avx2 => Kind::Half,
        };
        let n_lanes = self.room.lanes.n();
        let of_value = self.room.lanes.bytes(kind) / 8;
        let n_values = n_lanes / of_value;
        let places: Vec<usize> = operands
            .iter()
            .map(|operand| {
                let register = self.read(*operand);
                self.pinned.clear();
                let at = self.room.take(kind);
                self.encoder.store(kind, at, register);
                at
            })
            .collect();
        self.have_read(instruction);
        for file in [File::Vectors, File::Words, File::Masks] {
            let all = (0..).zip(self.files[file as usize].values.clone());
            for (register, value) in all {
                if let Some(value) = value {
                    // A value that is also in a mask register has been saved already.
                    let is_saved = self.is_in_memory(value);
                    if !is_saved {
                        self.save(file, register, value);
                    }
                    self.file(file).drop(value);
                }
            }
        }
        let words = |n: usize| (8 * n).next_multiple_of(LINE_BYTES);
        let given = self.room.end.next_multiple_of(LINE_BYTES);
        let found = given + words(operands.len() / n_values);
        self.room.end = found + words(results.len() / n_values);
        let of_results: Vec<usize> = results.iter().map(|_| self.room.take(kind)).collect();
        for lane in 0..n_lanes {
            let of_lane = |places: &[usize]| {
                let places = places.chunks(n_values);
                let places: Vec<usize> = places
                    .map(|of| of[lane / of_value] + 8 * (lane % of_value))
                    .collect();
                (0..).zip(places)
            };
            for (number, at) in of_lane(&places) {
                self.encoder.move_word(given + 8 * number, at);
            }
            let (function, number) = (self.calls.function, self.calls.numbers[call]);
            self.encoder.call(function, number, given, found);
            for (number, at) in of_lane(&of_results) {
                self.encoder.move_word(at, found + 8 * number);
            }
        }
        self.room.free[kind as usize].extend(places);
        for (result, at) in results.iter().zip(of_results) {
            let register = self.give(File::Vectors, *result);
            self.encoder.load(kind, register, at);
            match self.reads[result.at()].is_empty() {
                true => {
                    self.file(File::Vectors).drop(*result);
                    self.room.free[kind as usize].push(at);
                }
                false => {
                    self.homes.insert(*result, Home::Saved(at));
                }
            }
        }
    }

    /// Merges the states after a skip: a value from before the skip stays in a register only if that register did not change.
    /// Otherwise it is read from memory.
    fn come_together(&mut self) {
        let Some(before) = self.before.take() else {
            return;
        };
        self.encoder.land(before.jump);
        for (now, then) in self.files.iter_mut().zip(&before.files) {
            let all: Vec<(Value, u8)> = now.of.iter().map(|(v, r)| (*v, *r)).collect();
            for (value, register) in all {
                if value >= before.first || then.of(value) != Some(register) {
                    now.drop(value);
                }
            }
        }
    }
}

/// Returns the truth table of the same function with its operands permuted.
fn turned(table: u8, order: [usize; 3]) -> u8 {
    let mut made = 0;
    for new in 0..8_usize {
        let mut old = 0;
        for (at, operand) in order.iter().enumerate() {
            let bit = new >> (2 - at) & 1;
            old |= bit << (2 - operand);
        }
        made |= (table >> old & 1) << new;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::turned;

    #[test]
    fn logic_of_turned_operands_is_the_same() {
        // The first operand and (the second or the third).
        let table = 0xF0 & (0xCC | 0xAA);
        assert_eq!(turned(table, [0, 1, 2]), table);
        assert_eq!(turned(table, [1, 2, 0]), 0xAA & (0xF0 | 0xCC));
        assert_eq!(turned(table, [2, 0, 1]), 0xCC & (0xF0 | 0xAA));
    }
}
