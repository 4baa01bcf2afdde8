//! Machine code for four machines at once: vectors of 128 bits hold a word of each machine.
//!
//! Words of which the low 32 bits are enough are one vector of four; other words are two vectors of two. Operations without a
//! vector instruction are done lane by lane.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::V128Imm;
use cranelift_codegen::ir::types::{I8X16, I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Type, Value};
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::JITModule;
use cranelift_module::Module;
use rustc_hash::FxHashMap;

use super::{BYTES, Maker, N_LANES, offset};
use crate::demand::is_low_half_enough;
use crate::graph::{Binary, Graph, Node, Word, mask};
use crate::plan::Step;
use crate::program::Program;

/// Returns whether four machines in lanes need fewer instructions than four machines one after the other.
pub(crate) fn pays(program: &Program, steps: &[Step]) -> bool {
    let (graph, classes) = (&program.graph, is_low_half_enough(program));
    let (mut alone, mut together) = (0, 0);
    for step in steps {
        let (one, four) = match step {
            Step::Compute(word) => {
                let is_narrow = classes[word.at()];
                match graph.node(*word) {
                    Node::Constant(_) | Node::Result { .. } => (0, 0),
                    Node::Slot(_) => (1, if is_narrow { 1 } else { 2 }),
                    // For each lane, the index is extracted, the word is loaded, and the result is inserted.
                    Node::Load { .. } => (3, 18),
                    Node::Select(..) => (2, if is_narrow { 2 } else { 6 }),
                    Node::Binary(op, a, b) => (1, of_lanes(graph, &classes, op, (*word, a, b))),
                }
            }
            Step::Store(slot, _) | Step::StoreWhere(slot, ..) => {
                let is_narrow = program.slot_bits[*slot as usize] <= 32;
                (1, if is_narrow { 2 } else { 4 })
            }
            Step::Write { .. } => (4, 28),
            Step::Row(_) => unreachable!("only callers that know rows ask for them"),
            Step::SkipUnless(..) => (1, 3),
            Step::Call(_) => (10, 60),
        };
        alone += 4 * one;
        together += four;
    }
    together < alone
}

/// Returns the number of instructions of an operator on four lanes.
fn of_lanes(graph: &Graph, classes: &[bool], op: Binary, (word, a, b): (Word, Word, Word)) -> u32 {
    let is_narrow = classes[word.at()];
    let (narrow, wide) = match op {
        Binary::Add | Binary::Sub | Binary::And | Binary::Or | Binary::Xor => (1, 2),
        Binary::Mul => (2, 16),
        Binary::Eq | Binary::Ltu | Binary::Lts => match classes[a.at()] && classes[b.at()] {
            true => (3, 3),
            false => (9, 9),
        },
        Binary::Shl | Binary::Shr | Binary::Sar | Binary::Rotl
            if graph.constant_of(b).is_some() =>
        {
            match op {
                Binary::Rotl => (6, 6),
                Binary::Sar => (2, 8),
                _ => (1, 2),
            }
        }
        _ => (20, 20),
    };
    if is_narrow { narrow } else { wide }
}

/// A word of each of the four machines.
#[derive(Clone, Copy)]
enum Lanes {
    /// The low 32 bits of the four words.
    Narrow(Value),
    /// The first two words, and the other two.
    Wide([Value; 2]),
}

/// A function under construction.
pub(super) struct Body<'m, 'p, 'f> {
    maker: &'m mut Maker<'p>,
    module: &'m mut JITModule,
    builder: &'m mut FunctionBuilder<'f>,
    graph: &'p Graph,
    state: Value,
    values: FxHashMap<Word, Lanes>,
    /// Words that are 0 or 1, as masks: all ones in a lane whose word is 1.
    masks: FxHashMap<Word, Value>,
    /// Words computed under the current condition, and the mask of that condition.
    inside: Option<(Vec<Word>, Value)>,
}

/// Bytes of a slot for all lanes.
const SLOT_BYTES: i32 = BYTES * 4;

fn place(word: usize) -> i32 {
    // The layout has checked that the sum does not overflow.
    offset(word * N_LANES)
}

impl<'m, 'p, 'f> Body<'m, 'p, 'f> {
    pub(super) fn new(
        maker: &'m mut Maker<'p>,
        module: &'m mut JITModule,
        builder: &'m mut FunctionBuilder<'f>,
        state: Value,
    ) -> Self {
        Self {
            graph: &maker.program.graph,
            maker,
            module,
            builder,
            state,
            values: FxHashMap::default(),
            masks: FxHashMap::default(),
            inside: None,
        }
    }

    pub(super) fn steps(&mut self, steps: &[Step]) {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            at += 1;
            match step {
                Step::Compute(word) => self.compute(*word),
                Step::Call(call) => self.call(*call),
                Step::Store(slot, word) => {
                    let value = self.value(*word);
                    let value = match self.inside.as_ref().map(|(_, mask)| *mask) {
                        Some(mask) => {
                            let old = self.slot(*slot);
                            self.choose(mask, value, old)
                        }
                        None => value,
                    };
                    self.store_slot(*slot, value);
                }
                Step::StoreWhere(slot, condition, word) => {
                    let mask = self.mask(*condition);
                    let value = self.value(*word);
                    let old = self.slot(*slot);
                    let value = self.choose(mask, value, old);
                    self.store_slot(*slot, value);
                }
                Step::Write {
                    array,
                    index,
                    limbs,
                } => self.write(*array, *index, limbs),
                Step::Row(_) => unreachable!("only callers that know rows ask for them"),
                Step::SkipUnless(word, n) => {
                    let mask = self.mask(*word);
                    let any = self.builder.ins().vany_true(mask);
                    let (then, after) = self.branch(any);
                    self.builder.switch_to_block(then);
                    self.inside = Some((Vec::new(), mask));
                    self.steps(&steps[at..at + n]);
                    let inside = self.inside.take().into_iter();
                    for word in inside.flat_map(|(words, _)| words) {
                        self.values.remove(&word);
                        self.masks.remove(&word);
                    }
                    self.builder.ins().jump(after, &[]);
                    self.builder.switch_to_block(after);
                    at += n;
                }
            }
        }
    }

    fn branch(&mut self, condition: Value) -> (Block, Block) {
        let (then, after) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(condition, then, &[], after, &[]);
        (then, after)
    }

    fn is_narrow(&self, word: Word) -> bool {
        self.maker.classes[word.at()]
    }

    fn load(&mut self, is_narrow: bool, word: usize) -> Lanes {
        let (flags, at) = (MemFlagsData::trusted(), place(word));
        let mut load = |ty, at| self.builder.ins().load(ty, flags, self.state, at);
        match is_narrow {
            true => Lanes::Narrow(load(I32X4, at)),
            false => Lanes::Wide([load(I64X2, at), load(I64X2, at + SLOT_BYTES / 2)]),
        }
    }

    fn store(&mut self, word: usize, value: Lanes) {
        let (flags, at) = (MemFlagsData::trusted(), place(word));
        let mut store = |value, at| {
            self.builder.ins().store(flags, value, self.state, at);
        };
        match value {
            Lanes::Narrow(value) => store(value, at),
            Lanes::Wide([low, high]) => {
                store(low, at);
                store(high, at + SLOT_BYTES / 2);
            }
        }
    }

    fn slot_bits(&self, slot: u32) -> u32 {
        self.maker.program.slot_bits[slot as usize]
    }

    fn slot(&mut self, slot: u32) -> Lanes {
        self.load(self.slot_bits(slot) <= 32, slot as usize)
    }

    fn store_slot(&mut self, slot: u32, value: Lanes) {
        let bits = self.slot_bits(slot);
        let value = match bits {
            0..=32 => {
                let narrow = self.narrow(value);
                Lanes::Narrow(match bits {
                    // Stores of whole bytes must truncate here, because the lanes are wider.
                    8 | 16 => {
                        let kept = self.splat(I32X4, mask(bits));
                        self.builder.ins().band(narrow, kept)
                    }
                    _ => narrow,
                })
            }
            _ => Lanes::Wide(self.wide(value)),
        };
        self.store(slot as usize, value);
    }

    fn splat(&mut self, ty: Type, value: u64) -> Value {
        let lane = ty.lane_type();
        let value = match lane {
            // Only the low bits are used.
            I32 => i64::from(u32::try_from(value & mask(32)).expect("32 bits")),
            _ => value.cast_signed(),
        };
        let value = self.builder.ins().iconst(lane, value);
        self.builder.ins().splat(ty, value)
    }

    /// Returns the low 32 bits of the words.
    fn narrow(&mut self, value: Lanes) -> Value {
        match value {
            Lanes::Narrow(value) => value,
            Lanes::Wide(pair) => self.halves(pair),
        }
    }

    /// Returns the low halves of four words in two vectors.
    fn halves(&mut self, pair: [Value; 2]) -> Value {
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        let [low, high] = pair.map(|value| self.builder.ins().bitcast(I8X16, flags, value));
        let picked = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27_u8];
        let picked = V128Imm(picked);
        let constant = self
            .builder
            .func
            .dfg
            .immediates
            .push(picked.0.to_vec().into());
        let made = self.builder.ins().shuffle(low, high, constant);
        self.builder.ins().bitcast(I32X4, flags, made)
    }

    /// Returns the words zero-extended to 64 bits.
    fn wide(&mut self, value: Lanes) -> [Value; 2] {
        match value {
            Lanes::Wide(pair) => pair,
            Lanes::Narrow(value) => {
                let low = self.builder.ins().uwiden_low(value);
                [low, self.builder.ins().uwiden_high(value)]
            }
        }
    }

    fn define(&mut self, word: Word, value: Lanes) {
        self.values.insert(word, value);
        if let Some((inside, _)) = &mut self.inside {
            inside.push(word);
        }
    }

    /// Returns the value of a word that was computed in this piece or in another one.
    fn value(&mut self, word: Word) -> Lanes {
        if let Some(value) = self.values.get(&word) {
            return *value;
        }
        if let Some(value) = self.graph.constant_of(word) {
            return match self.is_narrow(word) || value <= mask(32) {
                true => Lanes::Narrow(self.splat(I32X4, value)),
                false => Lanes::Wide([self.splat(I64X2, value); 2]),
            };
        }
        let kept = self.maker.kept.get(&word).copied();
        let kept = kept.expect("words are computed before they are read");
        let value = self.load(self.is_narrow(word), kept);
        self.define(word, value);
        value
    }

    /// Returns a mask: all ones in the lanes in which the word is not 0.
    fn mask(&mut self, word: Word) -> Value {
        if let Some(mask) = self.masks.get(&word) {
            return *mask;
        }
        match self.value(word) {
            Lanes::Narrow(value) => {
                let zero = self.splat(I32X4, 0);
                self.builder.ins().icmp(IntCC::NotEqual, value, zero)
            }
            Lanes::Wide(pair) => {
                let zero = self.splat(I64X2, 0);
                let is = pair.map(|value| self.builder.ins().icmp(IntCC::NotEqual, value, zero));
                self.halves(is)
            }
        }
    }

    /// Selects one of two values in each lane.
    fn choose(&mut self, mask: Value, a: Lanes, b: Lanes) -> Lanes {
        match (a, b) {
            (Lanes::Narrow(a), Lanes::Narrow(b)) => {
                Lanes::Narrow(self.builder.ins().bitselect(mask, a, b))
            }
            (a, b) => {
                let low = self.builder.ins().swiden_low(mask);
                let masks = [low, self.builder.ins().swiden_high(mask)];
                let (a, b) = (self.wide(a), self.wide(b));
                let mut one = |at: usize| {
                    let (mask, a, b) = (masks[at], a[at], b[at]);
                    self.builder.ins().bitselect(mask, a, b)
                };
                Lanes::Wide([one(0), one(1)])
            }
        }
    }

    fn compute(&mut self, word: Word) {
        let value = match self.graph.node(word) {
            Node::Constant(_) | Node::Result { .. } => return,
            Node::Slot(slot) => self.slot(slot),
            Node::Binary(op, a, b) => self.binary(op, word, a, b),
            Node::Select(c, a, b) => {
                let mask = self.mask(c);
                let (a, b) = (self.value(a), self.value(b));
                match self.is_narrow(word) {
                    true => {
                        let (a, b) = (self.narrow(a), self.narrow(b));
                        Lanes::Narrow(self.builder.ins().bitselect(mask, a, b))
                    }
                    false => self.choose(mask, a, b),
                }
            }
            Node::Load { array, index, limb } => self.read(array, index, limb),
        };
        self.computed(word, value);
    }

    /// Defines a word, converted to its class.
    fn computed(&mut self, word: Word, value: Lanes) {
        let value = match self.is_narrow(word) {
            true => Lanes::Narrow(self.narrow(value)),
            false => Lanes::Wide(self.wide(value)),
        };
        self.define(word, value);
        if let Some(kept) = self.maker.kept.get(&word).copied() {
            self.store(kept, value);
        }
    }

    fn binary(&mut self, op: Binary, word: Word, a: Word, b: Word) -> Lanes {
        match op {
            Binary::Eq | Binary::Ltu | Binary::Lts => return self.compared(op, word, a, b),
            Binary::And | Binary::Or | Binary::Xor => {
                if let (Some(a), Some(b)) = (self.masks.get(&a), self.masks.get(&b)) {
                    let (a, b, ins) = (*a, *b, self.builder.ins());
                    let mask = match op {
                        Binary::And => ins.band(a, b),
                        Binary::Or => ins.bor(a, b),
                        _ => ins.bxor(a, b),
                    };
                    return self.of_mask(word, mask);
                }
            }
            Binary::Shl | Binary::Shr | Binary::Sar => {
                if let Some(amount) = self.graph.constant_of(b) {
                    return self.shifted(op, word, a, amount & 63);
                }
                return self.by_lanes(op, a, b);
            }
            Binary::Rotl => {
                let Some(amount) = self.graph.constant_of(b) else {
                    return self.by_lanes(op, a, b);
                };
                let by = (amount & 63).cast_signed();
                let value = self.value(a);
                let pair = self.wide(value);
                return Lanes::Wide(pair.map(|value| {
                    let high = self.builder.ins().ishl_imm_s(value, by);
                    let low = self.builder.ins().ushr_imm_s(value, (64 - by) & 63);
                    self.builder.ins().bor(high, low)
                }));
            }
            Binary::Udiv | Binary::Urem | Binary::MulHigh => return self.by_lanes(op, a, b),
            Binary::Add | Binary::Sub | Binary::Mul => {}
        }
        let (a, b) = (self.value(a), self.value(b));
        let one = |body: &mut Self, a: Value, b: Value| {
            let ins = body.builder.ins();
            match op {
                Binary::Add => ins.iadd(a, b),
                Binary::Sub => ins.isub(a, b),
                Binary::Mul => ins.imul(a, b),
                Binary::And => ins.band(a, b),
                Binary::Or => ins.bor(a, b),
                _ => ins.bxor(a, b),
            }
        };
        if self.is_narrow(word) {
            let (a, b) = (self.narrow(a), self.narrow(b));
            return Lanes::Narrow(one(self, a, b));
        }
        let ([a, a_high], [b, b_high]) = (self.wide(a), self.wide(b));
        Lanes::Wide([one(self, a, b), one(self, a_high, b_high)])
    }

    /// Defines a word that is 1 in the lanes in which the mask is set.
    fn of_mask(&mut self, word: Word, mask: Value) -> Lanes {
        self.masks.insert(word, mask);
        Lanes::Narrow(self.builder.ins().ushr_imm_s(mask, 31))
    }

    fn compared(&mut self, op: Binary, word: Word, a: Word, b: Word) -> Lanes {
        let (a, b) = (self.value(a), self.value(b));
        let mask = match (a, b) {
            (Lanes::Narrow(a), Lanes::Narrow(b)) => {
                // Words of at most 32 bits are zero-extended, so they are not negative.
                let condition = match op {
                    Binary::Eq => IntCC::Equal,
                    _ => IntCC::UnsignedLessThan,
                };
                self.builder.ins().icmp(condition, a, b)
            }
            (a, b) => {
                let (mut a, mut b) = (self.wide(a), self.wide(b));
                if op == Binary::Ltu {
                    let sign = self.splat(I64X2, 1 << 63);
                    let mut flip = |value| self.builder.ins().bxor(value, sign);
                    (a, b) = (a.map(&mut flip), b.map(&mut flip));
                }
                let condition = match op {
                    Binary::Eq => IntCC::Equal,
                    _ => IntCC::SignedLessThan,
                };
                let mut one = |at: usize| self.builder.ins().icmp(condition, a[at], b[at]);
                let is = [one(0), one(1)];
                self.halves(is)
            }
        };
        self.of_mask(word, mask)
    }

    fn shifted(&mut self, op: Binary, word: Word, of: Word, amount: u64) -> Lanes {
        let by = amount.cast_signed();
        let shift = |body: &mut Self, value: Value, by: i64| {
            let ins = body.builder.ins();
            match op {
                Binary::Shl => ins.ishl_imm_s(value, by),
                Binary::Shr => ins.ushr_imm_s(value, by),
                _ => ins.sshr_imm_s(value, by),
            }
        };
        if op == Binary::Shl && self.is_narrow(word) {
            let value = self.value(of);
            let value = self.narrow(value);
            return Lanes::Narrow(match amount {
                32.. => self.splat(I32X4, 0),
                _ => shift(self, value, by),
            });
        }
        // Sign extension of the low bits, for which 32 bits are enough.
        if let (Binary::Sar, true, Node::Binary(Binary::Shl, under, same)) =
            (op, self.is_narrow(word), self.graph.node(of))
            && self.graph.constant_of(same) == Some(amount)
            && amount >= 32
        {
            // If the operand was computed in another piece, the 64-bit shifts below are used.
            if let Some(value) = self.values.get(&under).copied() {
                let value = self.narrow(value);
                let high = self.builder.ins().ishl_imm_s(value, by - 32);
                return Lanes::Narrow(self.builder.ins().sshr_imm_s(high, by - 32));
            }
        }
        match self.value(of) {
            // Words of at most 32 bits are zero-extended, so they are not negative.
            Lanes::Narrow(value) if op != Binary::Shl => Lanes::Narrow(match amount {
                32.. => self.splat(I32X4, 0),
                _ => self.builder.ins().ushr_imm_s(value, by),
            }),
            value => {
                let [low, high] = self.wide(value);
                Lanes::Wide([shift(self, low, by), shift(self, high, by)])
            }
        }
    }

    /// Extracts the words of the lanes.
    fn scalars(&mut self, value: Lanes) -> [Value; N_LANES] {
        match value {
            Lanes::Narrow(value) => [0, 1, 2, 3].map(|lane| {
                let word = self.builder.ins().extractlane(value, lane);
                self.builder.ins().uextend(I64, word)
            }),
            Lanes::Wide(pair) => [0_u8, 1, 2, 3].map(|lane| {
                let half = pair[usize::from(lane / 2)];
                self.builder.ins().extractlane(half, lane % 2)
            }),
        }
    }

    fn gathered(&mut self, words: [Value; N_LANES]) -> Lanes {
        let pair = [0, 2].map(|first| {
            let low = self.builder.ins().splat(I64X2, words[first]);
            self.builder.ins().insertlane(low, words[first + 1], 1)
        });
        Lanes::Wide(pair)
    }

    /// Computes an operator without a vector instruction lane by lane.
    fn by_lanes(&mut self, op: Binary, a: Word, b: Word) -> Lanes {
        let (a, b) = (self.value(a), self.value(b));
        let (a, b) = (self.scalars(a), self.scalars(b));
        let words = [0, 1, 2, 3].map(|lane| {
            let (a, b) = (a[lane], b[lane]);
            match op {
                Binary::Udiv | Binary::Urem => super::scalar::division(self.builder, op, a, b),
                Binary::MulHigh => self.builder.ins().umulhi(a, b),
                Binary::Shl => self.builder.ins().ishl(a, b),
                Binary::Shr => self.builder.ins().ushr(a, b),
                Binary::Sar => self.builder.ins().sshr(a, b),
                _ => self.builder.ins().rotl(a, b),
            }
        });
        self.gathered(words)
    }

    fn address(&mut self, array: u32, index: Value) -> Value {
        let n_limbs = self.maker.program.arrays[array as usize].n_limbs();
        let bytes = i64::from(n_limbs) * i64::from(SLOT_BYTES);
        let from = self.builder.ins().imul_imm_s(index, bytes);
        self.builder.ins().iadd(self.state, from)
    }

    /// Returns whether an index is less than the depth of an array; `None` if it always is.
    fn is_within(&mut self, array: u32, index: Word, at: Value) -> Option<Value> {
        let depth = u64::from(self.maker.program.arrays[array as usize].depth);
        (depth <= mask(self.graph.bits(index))).then(|| {
            let below = IntCC::UnsignedLessThan;
            self.builder
                .ins()
                .icmp_imm_s(below, at, depth.cast_signed())
        })
    }

    fn read(&mut self, array: u32, index: Word, limb: u32) -> Lanes {
        let start = self.maker.starts[array as usize];
        let zero = self.builder.ins().iconst(I64, 0);
        if self.maker.program.arrays[array as usize].depth == 0 {
            return self.gathered([zero; N_LANES]);
        }
        let indices = self.value(index);
        let indices = self.scalars(indices);
        // An array of words of 32 bits is read with loads of 32 bits; other elements are loaded as 64 bits and combined.
        let bits = self.maker.program.arrays[array as usize].limb_bits(limb);
        let ty = if bits <= 32 { I32 } else { I64 };
        let none = self.builder.ins().iconst(ty, 0);
        let words = [0, 1, 2, 3].map(|lane| {
            let within = self.is_within(array, index, indices[lane]);
            let mut at = indices[lane];
            if let Some(within) = within {
                at = self.builder.ins().select(within, at, zero);
            }
            let address = self.address(array, at);
            let of_lane = place(start + limb as usize) + BYTES * i32::try_from(lane).expect("few");
            let flags = MemFlagsData::trusted();
            let word = self.builder.ins().load(ty, flags, address, of_lane);
            match within {
                Some(within) => self.builder.ins().select(within, word, none),
                None => word,
            }
        });
        if ty == I64 {
            return self.gathered(words);
        }
        let mut vector = self.builder.ins().splat(I32X4, words[0]);
        for (lane, word) in (0..).zip(words).skip(1) {
            vector = self.builder.ins().insertlane(vector, word, lane);
        }
        Lanes::Narrow(vector)
    }

    fn write(&mut self, array: u32, index: Word, limbs: &[Word]) {
        let start = self.maker.starts[array as usize];
        let of = &self.maker.program.arrays[array as usize];
        if of.depth == 0 {
            return;
        }
        let widths: Vec<u32> = (0..of.n_limbs()).map(|limb| of.limb_bits(limb)).collect();
        let values: Vec<[Value; N_LANES]> = limbs
            .iter()
            .zip(&widths)
            .map(|(limb, bits)| {
                let value = self.value(*limb);
                let words = self.scalars(value);
                match bits {
                    // Stores of whole bytes must truncate here, because the elements are wider.
                    8 | 16 | 32 => words.map(|word| {
                        let kept = mask(*bits).cast_signed();
                        self.builder.ins().band_imm_s(word, kept)
                    }),
                    _ => words,
                }
            })
            .collect();
        let indices = self.value(index);
        let indices = self.scalars(indices);
        let when = self.inside.as_ref().map(|(_, mask)| *mask);
        for lane in 0..N_LANES {
            let number = u8::try_from(lane).expect("few");
            let within = self.is_within(array, index, indices[lane]);
            let held = when.map(|mask| self.builder.ins().extractlane(mask, number));
            let condition = match (held, within) {
                (Some(held), Some(within)) => {
                    let zero = self.builder.ins().icmp_imm_s(IntCC::NotEqual, held, 0);
                    Some(self.builder.ins().band(zero, within))
                }
                (held, within) => held.or(within),
            };
            let after = condition.map(|condition| {
                let (then, after) = self.branch(condition);
                self.builder.switch_to_block(then);
                after
            });
            let address = self.address(array, indices[lane]);
            for (limb, words) in values.iter().enumerate() {
                let at = place(start + limb) + BYTES * i32::from(number);
                let flags = MemFlagsData::trusted();
                self.builder.ins().store(flags, words[lane], address, at);
            }
            if let Some(after) = after {
                self.builder.ins().jump(after, &[]);
                self.builder.switch_to_block(after);
            }
        }
    }

    /// Passes operands and results through unused words of the state, lane after lane.
    fn call(&mut self, number: u32) {
        let call = self.maker.calls[number as usize].clone();
        let first = self.maker.n_words;
        let n_results = call.n_results as usize;
        // A slot has room for the words of all lanes, which is more than one lane needs.
        self.maker.n_words += call.operands.len() + n_results;
        let operands: Vec<[Value; N_LANES]> = call
            .operands
            .iter()
            .map(|operand| {
                let value = self.value(*operand);
                self.scalars(value)
            })
            .collect();
        let results_at = place(first) + offset(call.operands.len());
        let pointer = &raw const self.maker.calls[number as usize];
        let function = self
            .module
            .declare_func_in_func(self.maker.outside, self.builder.func);
        let address = (pointer as usize).cast_signed() as i64;
        let address = self.builder.ins().iconst(I64, address);
        let flags = MemFlagsData::trusted();
        let mut results: Vec<Vec<Value>> = vec![Vec::new(); n_results];
        for lane in 0..N_LANES {
            for (at, operand) in operands.iter().enumerate() {
                let to = place(first) + offset(at);
                let value = operand[lane];
                self.builder.ins().store(flags, value, self.state, to);
            }
            let ins =
                |body: &mut Self, at: i32| body.builder.ins().iadd_imm_s(body.state, i64::from(at));
            let given = ins(self, place(first));
            let found = ins(self, results_at);
            self.builder.ins().call(function, &[address, given, found]);
            for (at, results) in results.iter_mut().enumerate() {
                let from = results_at + offset(at);
                results.push(self.builder.ins().load(I64, flags, self.state, from));
            }
        }
        for index in 0..call.n_results {
            let node = Node::Result {
                call: number,
                index,
            };
            if let Some(word) = self.graph.known_word(node) {
                let words = &results[index as usize];
                let value = self.gathered([words[0], words[1], words[2], words[3]]);
                self.computed(word, value);
            }
        }
    }
}
