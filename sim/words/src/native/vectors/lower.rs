//! Lowering of the steps of a cycle to vector instructions, for one machine or for a group.

use rustc_hash::FxHashMap;

use crate::demand::is_low_half_enough;
use crate::graph::{Binary, Graph, Node, Word, mask};
use crate::plan::{Step, n_readers};
use crate::program::Program;
use crate::rows::{Part, ROW_SLOTS, Row};

use super::InstructionSet;
use super::code::{Code, Instruction, Kind, Logic, Operand, Operator, Relation, Shift, Value};
use super::layout::{Lanes, Layout, Place};

/// A representation of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    /// As a value of a kind.
    Of(Word, Kind),
    /// As bits: whether it is not 0.
    Truth(Word),
    /// As the element number for an array with this many limbs per word.
    Elements(Word, usize),
}

/// The state of the lowering of a cycle.
pub(super) struct Lowering<'p> {
    pub(super) set: InstructionSet,
    pub(super) program: &'p Program,
    pub(super) graph: &'p Graph,
    rows: &'p [Row],
    /// For slots that are stored as part of a row, the first slot of the row.
    row_of: FxHashMap<u32, u32>,
    layout: &'p Layout,
    /// The kind of each word.
    pub(super) kinds: Vec<Kind>,
    /// The number of reads of each word.
    pub(super) n_readers: Vec<u32>,
    pub(super) code: Code,
    values: FxHashMap<Form, Value>,
    /// Representations computed under the current condition, and the bits of that condition.
    inside: Option<(Vec<Form>, Value)>,
}

/// Returns the instructions of a cycle.
pub(super) fn lower(
    set: InstructionSet,
    program: &Program,
    steps: &[Step],
    rows: &[Row],
    layout: &Layout,
) -> Code {
    let graph = &program.graph;
    let is_narrow = is_low_half_enough(program);
    let kinds = graph.words().zip(is_narrow);
    let kinds = kinds.map(|(word, is_narrow)| match graph.bits(word) {
        0..=1 => Kind::Bits,
        _ if is_narrow => Kind::Narrow,
        _ => Kind::Wide,
    });
    let mut lowering = Lowering {
        set,
        program,
        graph,
        rows,
        row_of: steps
            .iter()
            .filter_map(|step| match step {
                Step::Row(row) => Some(&rows[*row]),
                _ => None,
            })
            .flat_map(|row| row.slots().map(|slot| (slot, row.slot)))
            .collect(),
        layout,
        kinds: kinds.collect(),
        n_readers: n_readers(graph, steps, rows),
        code: Code::default(),
        values: FxHashMap::default(),
        inside: None,
    };
    lowering.steps(steps);
    lowering.code.drop_unread();
    lowering.code
}

impl Lowering<'_> {
    fn steps(&mut self, steps: &[Step]) {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            at += 1;
            match step {
                Step::Compute(word) => self.compute(*word),
                Step::Call(call) => self.call(*call),
                Step::Store(slot, word) => {
                    let when = self.inside.as_ref().map(|(_, when)| *when);
                    self.store(*slot, when, *word);
                }
                Step::StoreWhere(slot, condition, word) => {
                    let when = self.truth(*condition);
                    self.store(*slot, Some(when), *word);
                }
                Step::Write {
                    array,
                    index,
                    limbs,
                } => self.write(*array, *index, limbs),
                Step::Row(row) => self.row(*row),
                Step::SkipUnless(word, n) => {
                    let unless = self.truth(*word);
                    self.put(Instruction::Skip { unless });
                    self.inside = Some((Vec::new(), unless));
                    self.steps(&steps[at..at + n]);
                    let inside = self.inside.take().into_iter();
                    for form in inside.flat_map(|(forms, _)| forms) {
                        self.values.remove(&form);
                    }
                    self.put(Instruction::End);
                    at += n;
                }
            }
        }
    }

    fn put(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    /// Appends an instruction, and returns the value of `kind` that it defines.
    pub(super) fn made(
        &mut self,
        kind: Kind,
        instruction: impl FnOnce(Value) -> Instruction,
    ) -> Value {
        self.code.give(kind, instruction)
    }

    fn remember(&mut self, form: Form, value: Value) -> Value {
        self.values.insert(form, value);
        if let Some((inside, _)) = &mut self.inside {
            inside.push(form);
        }
        value
    }

    pub(super) fn kind(&self, word: Word) -> Kind {
        self.kinds[word.at()]
    }

    pub(super) fn constant(&mut self, value: u64, kind: Kind) -> Value {
        self.made(kind, |to| Instruction::Constant { to, value })
    }

    /// Returns the value of a computed word in a given kind.
    pub(super) fn value(&mut self, word: Word, kind: Kind) -> Value {
        let form = Form::Of(word, kind);
        if let Some(value) = self.values.get(&form) {
            return *value;
        }
        if let Some(value) = self.graph.constant_of(word) {
            return self.constant(value, kind);
        }
        let own = self.kind(word);
        // For a group of machines, recomputing the narrow value costs as much as a conversion, and the wide one may then be
        // unused.
        if own == Kind::Wide
            && kind == Kind::Narrow
            && self.layout.lanes != Lanes::One
            && let Some(value) = self.signed(word)
        {
            return self.remember(form, value);
        }
        let known = self.values.get(&Form::Of(word, own)).copied();
        let value = known.expect("words are computed before they are read");
        let value = self.converted(value, kind);
        self.remember(form, value)
    }

    /// Converts a value to a kind; a narrower kind keeps the low bits.
    fn converted(&mut self, value: Value, kind: Kind) -> Value {
        match (self.code.kind(value), kind) {
            (own, kind) if own == kind => value,
            (Kind::Bits, _) => self.made(kind, |to| Instruction::Spread { to, when: value }),
            (_, Kind::Bits) => self.made(kind, |to| Instruction::Test {
                has: true,
                to,
                a: value,
                b: Operand::Constant(1),
            }),
            _ => self.made(kind, |to| Instruction::Convert { to, from: value }),
        }
    }

    fn operand(&mut self, word: Word, kind: Kind) -> Operand {
        match self.graph.constant_of(word) {
            Some(value) => Operand::Constant(value),
            None => Operand::Value(self.value(word, kind)),
        }
    }

    /// Returns bits: whether a word is not 0.
    fn truth(&mut self, word: Word) -> Value {
        if self.kind(word) == Kind::Bits {
            return self.value(word, Kind::Bits);
        }
        if let Some(value) = self.graph.constant_of(word) {
            return self.constant(u64::from(value != 0), Kind::Bits);
        }
        if let Some(value) = self.values.get(&Form::Truth(word)) {
            return *value;
        }
        let of = self.value(word, self.kind(word));
        let value = self.nonzero(of);
        self.remember(Form::Truth(word), value)
    }

    fn nonzero(&mut self, of: Value) -> Value {
        self.made(Kind::Bits, |to| Instruction::Test {
            has: true,
            to,
            a: of,
            b: Operand::Value(of),
        })
    }

    pub(super) fn binary_in(
        &mut self,
        kind: Kind,
        operator: Operator,
        a: Value,
        b: Operand,
    ) -> Value {
        self.made(kind, |to| Instruction::Binary { operator, to, a, b })
    }

    fn logic(&mut self, logic: Logic, a: Value, b: Value) -> Value {
        self.made(Kind::Bits, |to| Instruction::Logic { logic, to, a, b })
    }

    fn not(&mut self, of: Value) -> Value {
        self.made(Kind::Bits, |to| Instruction::Not { to, of })
    }

    /// Selects `a` where the bits are set, else `b`.
    fn chosen(&mut self, when: Value, a: Value, b: Value) -> Value {
        match self.code.kind(a) {
            Kind::Bits => {
                let differ = self.logic(Logic::Xor, a, b);
                let changed = self.logic(Logic::And, when, differ);
                self.logic(Logic::Xor, b, changed)
            }
            kind => self.made(kind, |to| Instruction::Choose { to, when, a, b }),
        }
    }

    fn store(&mut self, slot: u32, when: Option<Value>, word: Word) {
        let Place { at, kind, .. } = self.layout.slot(slot);
        let mut from = self.value(word, kind);
        // Stores of whole bytes must truncate here, because the stored vectors are wider.
        let bits = self.program.slot_bits[slot as usize];
        if matches!(bits, 8 | 16) && self.graph.bits(word) > bits {
            let kept = Operand::Constant(mask(bits));
            from = self.binary_in(kind, Operator::And, from, kept);
        }
        if let Some(when) = when {
            let old = self.made(kind, |to| Instruction::Load { to, at });
            from = self.chosen(when, from, old);
        }
        self.put(Instruction::Store { at, from });
    }

    fn compute(&mut self, word: Word) {
        let value = match self.graph.node(word) {
            Node::Constant(_) | Node::Result { .. } => return,
            Node::Slot(slot) => self.slot(slot),
            Node::Binary(op, a, b) => match self.ternary(word) {
                Some((table, leaves)) => {
                    let kind = self.kind(word);
                    let of = leaves.map(|leaf| self.value(leaf, kind));
                    self.made(kind, |to| Instruction::Ternary { table, to, of })
                }
                None => self.binary(op, word, a, b),
            },
            Node::Select(c, a, b) => {
                let (when, kind) = (self.truth(c), self.kind(word));
                let (a, b) = (self.value(a, kind), self.value(b, kind));
                self.chosen(when, a, b)
            }
            Node::Load { array, index, limb } => self.read(array, index, limb as usize),
        };
        self.computed(word, value);
    }

    /// Defines a word, converted to its kind.
    fn computed(&mut self, word: Word, value: Value) {
        let kind = self.kind(word);
        let value = self.converted(value, kind);
        self.remember(Form::Of(word, kind), value);
    }

    /// Returns whether a word is a single bit.
    fn is_bit(&self, word: Word) -> bool {
        self.kind(word) == Kind::Bits
    }

    fn binary(&mut self, op: Binary, word: Word, a: Word, b: Word) -> Value {
        let of_bits = self.is_bit(a) && self.is_bit(b);
        // The kind of operand on which the low half of the result depends.
        let kind = match self.kind(word) {
            Kind::Bits => Kind::Narrow,
            kind => kind,
        };
        let operator = match op {
            Binary::Eq | Binary::Ltu | Binary::Lts => return self.compared(op, a, b),
            Binary::And | Binary::Or | Binary::Xor if of_bits && self.is_bit(word) => {
                return self.of_bits(op, a, b);
            }
            Binary::And if self.is_bit(word) && self.graph.constant_of(b) == Some(1) => {
                return self.lowest(a);
            }
            Binary::Shl | Binary::Shr | Binary::Sar | Binary::Rotl => {
                return self.shifted(op, kind, a, b);
            }
            Binary::MulHigh => return self.high(a, b),
            Binary::Udiv | Binary::Urem => {
                let (a, b) = (self.value(a, Kind::Wide), self.value(b, Kind::Wide));
                let is_remainder = op == Binary::Urem;
                return self.made(Kind::Wide, |to| Instruction::Divide {
                    is_remainder,
                    to,
                    a,
                    b,
                });
            }
            Binary::Mul if kind == Kind::Wide => {
                match self.graph.bits(a) <= 32 && self.graph.bits(b) <= 32 {
                    true => Operator::MulHalves,
                    false => Operator::Mul,
                }
            }
            Binary::Mul => Operator::Mul,
            Binary::Add => Operator::Add,
            Binary::Sub => Operator::Sub,
            Binary::And => Operator::And,
            Binary::Or => Operator::Or,
            Binary::Xor => Operator::Xor,
        };
        let (a, b) = (self.value(a, kind), self.operand(b, kind));
        self.binary_in(kind, operator, a, b)
    }

    /// Computes a logic operator on bits.
    fn of_bits(&mut self, op: Binary, a: Word, b: Word) -> Value {
        // A constant is the second operand, and constants that decide the result have been folded.
        if op == Binary::Xor && self.graph.constant_of(b) == Some(1) {
            let of = self.value(a, Kind::Bits);
            return self.not(of);
        }
        if op == Binary::And {
            for (one, other) in [(a, b), (b, a)] {
                if let Node::Binary(Binary::Xor, under, ones) = self.graph.node(one)
                    && self.graph.constant_of(ones) == Some(1)
                    && self.is_bit(under)
                {
                    let (under, other) =
                        (self.value(under, Kind::Bits), self.value(other, Kind::Bits));
                    return self.logic(Logic::NotAnd, under, other);
                }
            }
        }
        let (a, b) = (self.value(a, Kind::Bits), self.value(b, Kind::Bits));
        let logic = match op {
            Binary::And => Logic::And,
            Binary::Or => Logic::Or,
            _ => Logic::Xor,
        };
        self.logic(logic, a, b)
    }

    /// Returns the lowest bit of a word; for a word shifted right, the bit that becomes the lowest.
    fn lowest(&mut self, of: Word) -> Value {
        let (mut word, mut bit) = (of, 1);
        if let Node::Binary(Binary::Shr, under, by) = self.graph.node(of)
            && let Some(by) = self.graph.constant_of(by)
            && self.graph.constant_of(under).is_none()
        {
            let room = match self.kind(under) {
                Kind::Bits => 0,
                Kind::Narrow => 32,
                Kind::Wide | Kind::Row | Kind::Half => 64,
            };
            if by < room {
                (word, bit) = (under, 1 << by);
            }
            if (32..room).contains(&by)
                && let Some(a) = self.top(under)
            {
                return self.has(a, 1 << (by - 32));
            }
        }
        let a = self.value(word, self.kind(word));
        if self.is_bit(word) {
            return a;
        }
        self.has(a, bit)
    }

    /// Returns whether any of these bits of a value is 1.
    fn has(&mut self, a: Value, bits: u64) -> Value {
        self.made(Kind::Bits, |to| Instruction::Test {
            has: true,
            to,
            a,
            b: Operand::Constant(bits),
        })
    }

    fn compared(&mut self, op: Binary, a: Word, b: Word) -> Value {
        if self.is_bit(a) && self.is_bit(b) {
            let (a, b) = (self.value(a, Kind::Bits), self.value(b, Kind::Bits));
            return match op {
                Binary::Eq => {
                    let differ = self.logic(Logic::Xor, a, b);
                    self.not(differ)
                }
                _ => self.logic(Logic::NotAnd, a, b),
            };
        }
        let is_wide = self.kind(a) == Kind::Wide || self.kind(b) == Kind::Wide;
        if op == Binary::Lts
            && is_wide
            && let Some((a, b)) = self.both_signed(a, b)
        {
            let relation = Relation::Less;
            return self.made(Kind::Bits, |to| Instruction::Compare { relation, to, a, b });
        }
        let kind = if is_wide { Kind::Wide } else { Kind::Narrow };
        if op == Binary::Eq && self.graph.constant_of(b) == Some(0) {
            let a = self.value(a, kind);
            return self.made(Kind::Bits, |to| Instruction::Test {
                has: false,
                to,
                a,
                b: Operand::Value(a),
            });
        }
        let bits = if is_wide { 64 } else { 32 };
        let is_positive = |word: Word| self.graph.bits(word) < bits;
        let relation = match op {
            Binary::Eq => Relation::Equal,
            // AVX2 has only signed comparisons.
            Binary::Ltu | Binary::Lts
                if self.set == InstructionSet::Avx2 && is_positive(a) && is_positive(b) =>
            {
                Relation::Less
            }
            // Words of at most 32 bits are zero-extended, so they are not negative.
            Binary::Lts if is_wide => Relation::Less,
            _ => Relation::Below,
        };
        let (a, b) = (self.value(a, kind), self.operand(b, kind));
        self.made(Kind::Bits, |to| Instruction::Compare { relation, to, a, b })
    }

    /// Returns the high half of a product, computed from products of 32-bit halves.
    fn high(&mut self, a: Word, b: Word) -> Value {
        let kind = Kind::Wide;
        let (a, b) = (self.value(a, kind), self.value(b, kind));
        let [a_high, b_high] = [a, b].map(|of| self.shift(Shift::Shr, of, 32));
        let mut product =
            |a: Value, b: Value| self.binary_in(kind, Operator::MulHalves, a, Operand::Value(b));
        let (low, middle) = (product(a, b), product(a_high, b));
        let (other, high) = (product(a, b_high), product(a_high, b_high));
        let carried = self.shift(Shift::Shr, low, 32);
        let middle = self.binary_in(kind, Operator::Add, middle, Operand::Value(carried));
        let kept = Operand::Constant(mask(32));
        let rest = self.binary_in(kind, Operator::And, middle, kept);
        let other = self.binary_in(kind, Operator::Add, other, Operand::Value(rest));
        let above = [middle, other].map(|of| self.shift(Shift::Shr, of, 32));
        above.into_iter().fold(high, |sum, above| {
            self.binary_in(kind, Operator::Add, sum, Operand::Value(above))
        })
    }

    /// Returns the element numbers of an array at an index, and bits that tell whether the index is less than the depth; `None`
    /// if it always is.
    fn elements(&mut self, array: u32, index: Word) -> (Value, Option<Value>) {
        let depth = u64::from(self.program.arrays[array as usize].depth);
        let when = (depth <= mask(self.graph.bits(index))).then(|| {
            let kind = match self.kind(index) {
                Kind::Wide => Kind::Wide,
                _ => Kind::Narrow,
            };
            let a = self.value(index, kind);
            self.made(Kind::Bits, |to| Instruction::Compare {
                relation: Relation::Below,
                to,
                a,
                b: Operand::Constant(depth),
            })
        });
        let n_limbs = self.layout.n_limbs(array);
        let form = Form::Elements(index, n_limbs);
        if let Some(value) = self.values.get(&form) {
            return (*value, when);
        }
        let index = self.value(index, Kind::Narrow);
        let number = match n_limbs {
            1 => index,
            _ => {
                let n_limbs = u64::try_from(n_limbs).expect("few limbs");
                let by = Operand::Constant(n_limbs);
                self.binary_in(Kind::Narrow, Operator::Mul, index, by)
            }
        };
        let value = match self.layout.lanes {
            Lanes::One => number,
            lanes @ (Lanes::Eight | Lanes::Sixteen) => {
                let of = self.shift(Shift::Shl, number, u64::from(lanes.n().ilog2()));
                self.made(Kind::Narrow, |to| Instruction::AddLane { to, of })
            }
        };
        (self.remember(form, value), when)
    }

    fn read(&mut self, array: u32, index: Word, limb: usize) -> Value {
        let Place { at, kind, .. } = self.layout.limb(array, limb);
        if self.program.arrays[array as usize].depth == 0 {
            return self.constant(0, kind);
        }
        let (index, when) = self.elements(array, index);
        self.made(kind, |to| Instruction::Gather {
            to,
            at,
            index,
            when,
        })
    }

    fn write(&mut self, array: u32, index: Word, limbs: &[Word]) {
        let of = &self.program.arrays[array as usize];
        if of.depth == 0 {
            return;
        }
        let (index, within) = self.elements(array, index);
        let inside = self.inside.as_ref().map(|(_, when)| *when);
        let when = match (inside, within) {
            (Some(inside), Some(within)) => Some(self.logic(Logic::And, inside, within)),
            (inside, within) => inside.or(within),
        };
        for (limb, word) in limbs.iter().enumerate() {
            let Place { at, kind, .. } = self.layout.limb(array, limb);
            let bits = of.limb_bits(u32::try_from(limb).expect("few limbs"));
            let mut from = self.value(*word, kind);
            // Stores of whole bytes must truncate here, because the elements are wider.
            if matches!(bits, 8 | 16 | 32) && self.graph.bits(*word) > bits {
                let kept = Operand::Constant(mask(bits));
                from = self.binary_in(kind, Operator::And, from, kept);
            }
            self.put(Instruction::Scatter {
                from,
                at,
                index,
                when,
            });
        }
    }

    fn slot(&mut self, slot: u32) -> Value {
        let Place { at, kind, .. } = self.layout.slot(slot);
        let Some(row) = self.row_of.get(&slot).copied() else {
            return self.made(kind, |to| Instruction::Load { to, at });
        };
        let of = self.load_row(row);
        let number = u8::try_from(slot - row).expect("few words");
        match kind {
            Kind::Bits => {
                let word = self.made(Kind::Wide, |to| Instruction::Pick { to, of, number });
                self.converted(word, kind)
            }
            _ => self.made(kind, |to| Instruction::Pick { to, of, number }),
        }
    }

    /// Returns the values of eight adjacent slots. They are combined from whole rows, so that every load reads what one store
    /// wrote.
    fn slots(&mut self, first: u32) -> Value {
        let length = ROW_SLOTS;
        let row_at = |slot: u32| self.row_of.get(&slot) == Some(&slot);
        let next = (first + 1..first + length).find(|slot| row_at(*slot));
        let Some(next) = next.filter(|_| !row_at(first)) else {
            return self.load_row(first);
        };
        let from = length - (next - first);
        let before = next.checked_sub(length).filter(|slot| row_at(*slot));
        let low = match before {
            Some(before) => self.load_row(before),
            None if next == first + 1 => {
                let alone = self.slot(first);
                let of = self.converted(alone, Kind::Wide);
                self.made(Kind::Row, |to| Instruction::Repeat { to, of })
            }
            None => return self.load_row(first),
        };
        let high = self.load_row(next);
        let from = u8::try_from(from).expect("few words");
        self.made(Kind::Row, |to| Instruction::Join {
            to,
            low,
            high,
            from,
        })
    }

    fn load_row(&mut self, first: u32) -> Value {
        let at = self.layout.slot(first).at;
        self.made(Kind::Row, |to| Instruction::Load { to, at })
    }

    /// Computes and stores the words of a row, of one machine.
    fn row(&mut self, number: usize) {
        let row = &self.rows[number];
        let kind = Kind::Row;
        let mut values: Vec<Value> = Vec::new();
        for part in &row.parts {
            let value = match part {
                Part::Slots(first) => self.slots(*first),
                Part::Same(word) => match self.graph.constant_of(*word) {
                    Some(value) => self.constant(value, kind),
                    None => {
                        let of = self.value(*word, Kind::Wide);
                        self.made(kind, |to| Instruction::Repeat { to, of })
                    }
                },
                Part::Constants(values) => {
                    let values = *values;
                    self.made(kind, |to| Instruction::Constants { to, values })
                }
                Part::Product(a, b) => {
                    let b = Operand::Value(values[*b]);
                    self.binary_in(kind, Operator::MulHalves, values[*a], b)
                }
                Part::Binary(op, a, b) => {
                    let operator = match op {
                        Binary::Add => Operator::Add,
                        Binary::Sub => Operator::Sub,
                        Binary::And => Operator::And,
                        Binary::Or => Operator::Or,
                        Binary::Xor => Operator::Xor,
                        Binary::Mul => Operator::Mul,
                        Binary::Shl => Operator::Shl,
                        Binary::Shr => Operator::Shr,
                        Binary::Sar => Operator::Sar,
                        Binary::Rotl => Operator::Rotl,
                        Binary::MulHigh
                        | Binary::Eq
                        | Binary::Ltu
                        | Binary::Lts
                        | Binary::Udiv
                        | Binary::Urem => unreachable!("there are no rows of it"),
                    };
                    let mut b = values[*b];
                    if matches!(op, Binary::Shl | Binary::Shr | Binary::Sar) {
                        b = self.binary_in(kind, Operator::And, b, Operand::Constant(63));
                    }
                    self.binary_in(kind, operator, values[*a], Operand::Value(b))
                }
                Part::Choose(word, a, b) => {
                    let when = self.truth(*word);
                    let (a, b) = (values[*a], values[*b]);
                    self.made(kind, |to| Instruction::Choose { to, when, a, b })
                }
            };
            values.push(value);
        }
        let mut from = *values.last().expect("a row has parts");
        if row.is_cut {
            let kept = mask(self.program.slot_bits[row.slot as usize]);
            from = self.binary_in(kind, Operator::And, from, Operand::Constant(kept));
        }
        let at = self.layout.slot(row.slot).at;
        self.put(Instruction::Store { at, from });
    }

    fn call(&mut self, number: u32) {
        let of = &self.graph.calls[number as usize];
        let operands = of.operands.iter();
        let operands = operands.map(|word| self.value(*word, Kind::Wide)).collect();
        let results: Vec<Value> = (0..of.n_results)
            .map(|_| self.code.value(Kind::Wide))
            .collect();
        self.put(Instruction::Call {
            call: number as usize,
            operands,
            results: results.clone(),
        });
        for (index, result) in (0..).zip(results) {
            let node = Node::Result {
                call: number,
                index,
            };
            if let Some(word) = self.graph.known_word(node) {
                self.computed(word, result);
            }
        }
    }
}
