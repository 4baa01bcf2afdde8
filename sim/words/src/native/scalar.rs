//! Machine code for one machine in general registers, one word at a time.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Type, Value};
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::JITModule;
use cranelift_module::Module;
use rustc_hash::FxHashMap;

use super::{BYTES, Maker, offset};
use crate::graph::{Binary, Graph, Node, Word, mask};
use crate::plan::Step;

/// A function under construction.
pub(super) struct Body<'m, 'p, 'f> {
    pub(super) maker: &'m mut Maker<'p>,
    module: &'m mut JITModule,
    pub(super) builder: &'m mut FunctionBuilder<'f>,
    graph: &'p Graph,
    pub(super) state: Value,
    values: FxHashMap<Word, Value>,
    /// Words that are 0 or 1, as 8-bit flags.
    flags: FxHashMap<Word, Value>,
    /// Words computed under the current condition.
    inside: Option<Vec<Word>>,
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
            flags: FxHashMap::default(),
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
                    self.store_slot(*slot, value);
                }
                Step::StoreWhere(slot, condition, word) => {
                    let condition = self.condition(*condition);
                    let value = self.value(*word);
                    let old = self.load(*slot as usize);
                    let value = self.builder.ins().select(condition, value, old);
                    self.store_slot(*slot, value);
                }
                Step::Write {
                    array,
                    index,
                    limbs,
                } => self.write(*array, *index, limbs),
                Step::Row(row) => self.row(*row),
                Step::SkipUnless(word, n) => {
                    let condition = self.condition(*word);
                    let (then, after) = self.branch(condition);
                    self.builder.switch_to_block(then);
                    self.inside = Some(Vec::new());
                    self.steps(&steps[at..at + n]);
                    for word in self.inside.take().into_iter().flatten() {
                        self.values.remove(&word);
                        self.flags.remove(&word);
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

    fn load(&mut self, word: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.builder
            .ins()
            .load(I64, flags, self.state, offset(word))
    }

    fn store(&mut self, word: usize, value: Value) {
        let flags = MemFlagsData::trusted();
        self.builder
            .ins()
            .store(flags, value, self.state, offset(word));
    }

    /// Returns the value of a slot.
    pub(super) fn slot(&mut self, slot: u32) -> Value {
        let state = self.state;
        match self.maker.packed.place(slot) {
            Some(at) => self.load_bits(32, state, at),
            None => {
                let bits = self.maker.program.slot_bits[slot as usize];
                self.load_bits(bits, state, offset(slot as usize))
            }
        }
    }

    fn store_slot(&mut self, slot: u32, value: Value) {
        let bits = self.maker.program.slot_bits[slot as usize];
        let state = self.state;
        self.store_bits(bits, value, state, offset(slot as usize));
    }

    /// Loads a value with the width with which it was stored, so that the processor can forward it from its store buffer.
    fn load_bits(&mut self, bits: u32, address: Value, at: i32) -> Value {
        let flags = MemFlagsData::trusted();
        let ins = self.builder.ins();
        match bits {
            8 => ins.uload8(I64, flags, address, at),
            16 => ins.uload16(I64, flags, address, at),
            32 => ins.uload32(flags, address, at),
            _ => ins.load(I64, flags, address, at),
        }
    }

    /// Stores a value of this width; if that is whole bytes, the remaining bytes of the word stay 0.
    fn store_bits(&mut self, bits: u32, value: Value, address: Value, at: i32) {
        let flags = MemFlagsData::trusted();
        let ins = self.builder.ins();
        match bits {
            8 => ins.istore8(flags, value, address, at),
            16 => ins.istore16(flags, value, address, at),
            32 => ins.istore32(flags, value, address, at),
            _ => ins.store(flags, value, address, at),
        };
    }

    fn define(&mut self, word: Word, value: Value) {
        self.values.insert(word, value);
        if let Some(inside) = &mut self.inside {
            inside.push(word);
        }
    }

    /// Returns the value of a word that was computed in this piece or in another one.
    pub(super) fn value(&mut self, word: Word) -> Value {
        if let Some(value) = self.values.get(&word) {
            return *value;
        }
        if let Some(value) = self.graph.constant_of(word) {
            return self.builder.ins().iconst(I64, value.cast_signed());
        }
        let kept = self.maker.kept.get(&word).copied();
        let value = self.load(kept.expect("words are computed before they are read"));
        self.define(word, value);
        value
    }

    /// Returns a value that is 0 exactly if the word is 0.
    pub(super) fn condition(&mut self, word: Word) -> Value {
        match self.flags.get(&word) {
            Some(flag) => *flag,
            None => self.value(word),
        }
    }

    fn compute(&mut self, word: Word) {
        let value = match self.graph.node(word) {
            Node::Constant(_) | Node::Result { .. } => return,
            // The old value would be read before it is replaced, but only rows read it.
            Node::Slot(_) if self.maker.n_readers[word.at()] == 0 => return,
            Node::Slot(slot) => self.slot(slot),
            Node::Binary(op, a, b) => self.binary(op, word, a, b),
            Node::Select(c, a, b) => {
                let condition = self.condition(c);
                let (a, b) = (self.value(a), self.value(b));
                self.builder.ins().select(condition, a, b)
            }
            Node::Load { array, index, limb } => self.read(array, index, limb),
        };
        self.computed(word, value);
    }

    fn computed(&mut self, word: Word, value: Value) {
        self.define(word, value);
        if let Some(kept) = self.maker.kept.get(&word).copied() {
            self.store(kept, value);
        }
    }

    fn binary(&mut self, op: Binary, word: Word, a: Word, b: Word) -> Value {
        let compared = match op {
            Binary::Eq => Some(IntCC::Equal),
            Binary::Ltu => Some(IntCC::UnsignedLessThan),
            Binary::Lts => Some(IntCC::SignedLessThan),
            _ => None,
        };
        let constant = self.graph.constant_of(b).map(u64::cast_signed);
        if let Some(condition) = compared {
            let value = self.value(a);
            let flag = match constant {
                Some(b) => self.builder.ins().icmp_imm_s(condition, value, b),
                None => {
                    let b = self.value(b);
                    self.builder.ins().icmp(condition, value, b)
                }
            };
            return self.flag(word, flag);
        }
        if let Some(flag) = self.of_flags(op, a, b) {
            return self.flag(word, flag);
        }
        let a = self.value(a);
        if let Some(b) = constant {
            let ins = self.builder.ins();
            let short = match op {
                Binary::Add => Some(ins.iadd_imm_s(a, b)),
                Binary::Mul => Some(ins.imul_imm_s(a, b)),
                Binary::And => Some(ins.band_imm_s(a, b)),
                Binary::Or => Some(ins.bor_imm_s(a, b)),
                Binary::Xor => Some(ins.bxor_imm_s(a, b)),
                Binary::Shl => Some(ins.ishl_imm_s(a, b)),
                Binary::Shr => Some(ins.ushr_imm_s(a, b)),
                Binary::Sar => Some(ins.sshr_imm_s(a, b)),
                Binary::Rotl => Some(ins.rotl_imm_s(a, b)),
                _ => None,
            };
            if let Some(value) = short {
                return value;
            }
        }
        let b = self.value(b);
        match op {
            Binary::Udiv | Binary::Urem => division(self.builder, op, a, b),
            Binary::Add => self.builder.ins().iadd(a, b),
            Binary::Sub => self.builder.ins().isub(a, b),
            Binary::Mul => self.builder.ins().imul(a, b),
            Binary::MulHigh => self.builder.ins().umulhi(a, b),
            Binary::And => self.builder.ins().band(a, b),
            Binary::Or => self.builder.ins().bor(a, b),
            Binary::Xor => self.builder.ins().bxor(a, b),
            Binary::Shl => self.builder.ins().ishl(a, b),
            Binary::Shr => self.builder.ins().ushr(a, b),
            Binary::Sar => self.builder.ins().sshr(a, b),
            Binary::Rotl => self.builder.ins().rotl(a, b),
            Binary::Eq | Binary::Ltu | Binary::Lts => unreachable!("compared above"),
        }
    }

    /// Defines a word from a flag.
    fn flag(&mut self, word: Word, flag: Value) -> Value {
        self.flags.insert(word, flag);
        self.builder.ins().uextend(I64, flag)
    }

    /// Logic on flags gives a flag; `None` for other operands or operators.
    fn of_flags(&mut self, op: Binary, a: Word, b: Word) -> Option<Value> {
        let one = self.flags.get(&a).copied()?;
        let other = match self.graph.constant_of(b) {
            Some(value @ 0..=1) => self.builder.ins().iconst(I8, value.cast_signed()),
            Some(_) => return None,
            None => self.flags.get(&b).copied()?,
        };
        let ins = self.builder.ins();
        match op {
            Binary::And => Some(ins.band(one, other)),
            Binary::Or => Some(ins.bor(one, other)),
            Binary::Xor => Some(ins.bxor(one, other)),
            _ => None,
        }
    }

    /// Returns whether an index is less than the depth of an array; `None` if it always is.
    fn is_within(&mut self, array: u32, index: Word) -> Option<Value> {
        let depth = u64::from(self.maker.program.arrays[array as usize].depth);
        if depth > mask(self.graph.bits(index)) {
            return None;
        }
        let index = self.value(index);
        let below = IntCC::UnsignedLessThan;
        Some(
            self.builder
                .ins()
                .icmp_imm_s(below, index, depth.cast_signed()),
        )
    }

    /// Returns the address of the first limb of a word, without the offset of the array.
    fn address(&mut self, array: u32, index: Value) -> Value {
        let n_limbs = self.maker.program.arrays[array as usize].n_limbs();
        let bytes = i64::from(n_limbs) * i64::from(BYTES);
        let from = self.builder.ins().imul_imm_s(index, bytes);
        self.builder.ins().iadd(self.state, from)
    }

    fn read(&mut self, array: u32, index: Word, limb: u32) -> Value {
        let start = self.maker.starts[array as usize];
        let within = self.is_within(array, index);
        let mut at = self.value(index);
        let zero = self.builder.ins().iconst(I64, 0);
        if let Some(within) = within {
            at = self.builder.ins().select(within, at, zero);
        }
        if self.maker.program.arrays[array as usize].depth == 0 {
            return zero;
        }
        let address = self.address(array, at);
        let bits = self.maker.program.arrays[array as usize].limb_bits(limb);
        let value = self.load_bits(bits, address, offset(start + limb as usize));
        match within {
            Some(within) => self.builder.ins().select(within, value, zero),
            None => value,
        }
    }

    fn write(&mut self, array: u32, index: Word, limbs: &[Word]) {
        let start = self.maker.starts[array as usize];
        if self.maker.program.arrays[array as usize].depth == 0 {
            return;
        }
        let values: Vec<Value> = limbs.iter().map(|limb| self.value(*limb)).collect();
        let at = self.value(index);
        let after = self.is_within(array, index).map(|within| {
            let (then, after) = self.branch(within);
            self.builder.switch_to_block(then);
            after
        });
        let address = self.address(array, at);
        for (limb, value) in (0..).zip(values) {
            let bits = self.maker.program.arrays[array as usize].limb_bits(limb);
            self.store_bits(bits, value, address, offset(start + limb as usize));
        }
        if let Some(after) = after {
            self.builder.ins().jump(after, &[]);
            self.builder.switch_to_block(after);
        }
    }

    /// Passes operands and results through unused words of the state.
    fn call(&mut self, number: u32) {
        let call = self.maker.calls[number as usize].clone();
        let first = self.maker.n_words;
        let n_results = call.n_results as usize;
        self.maker.n_words += call.operands.len() + n_results;
        for (at, operand) in call.operands.iter().enumerate() {
            let value = self.value(*operand);
            self.store(first + at, value);
        }
        let results = first + call.operands.len();
        let address = &raw const self.maker.calls[number as usize];
        let function = self
            .module
            .declare_func_in_func(self.maker.outside, self.builder.func);
        let pointer: Type = I64;
        let address = self
            .builder
            .ins()
            .iconst(pointer, (address as usize).cast_signed() as i64);
        let [operands_at, results_at] = [first, results].map(|word| {
            self.builder
                .ins()
                .iadd_imm_s(self.state, i64::from(offset(word)))
        });
        self.builder
            .ins()
            .call(function, &[address, operands_at, results_at]);
        for index in 0..call.n_results {
            let node = Node::Result {
                call: number,
                index,
            };
            if let Some(word) = self.graph.known_word(node) {
                let value = self.load(results + index as usize);
                self.computed(word, value);
            }
        }
    }
}

/// Divides without a trap: for a divisor of 0, the quotient is all ones and the remainder is the dividend.
pub(super) fn division(builder: &mut FunctionBuilder<'_>, op: Binary, a: Value, b: Value) -> Value {
    let is_zero = builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
    let one = builder.ins().iconst(I64, 1);
    let divisor = builder.ins().select(is_zero, one, b);
    if op == Binary::Udiv {
        let quotient = builder.ins().udiv(a, divisor);
        let ones = builder.ins().iconst(I64, -1);
        builder.ins().select(is_zero, ones, quotient)
    } else {
        let rest = builder.ins().urem(a, divisor);
        builder.ins().select(is_zero, a, rest)
    }
}
