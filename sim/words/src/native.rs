//! Machine code by Cranelift: a loop over cycles, cut into functions where the steps of a cycle are many.

use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Signature, Type, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use rustc_hash::FxHashMap;

use crate::graph::{Binary, Call, Graph, Node, Word, mask};
use crate::plan::Step;
use crate::program::Program;

/// Most steps of a function: longer ones take more than their share of time to compile.
const MOST_STEPS: usize = 1200;

/// Bytes of addresses that are kept free for code, and for each step and word: only what is used takes memory.
const ROOM: usize = 1 << 20;
const ROOM_PER_STEP: usize = 512;

/// Bytes of a word.
const BYTES: i32 = 8;

/// The code of the cycles of a program.
pub(crate) struct Native {
    /// Holds the memory of the code; taken when it is dropped.
    module: Option<JITModule>,
    /// What the code calls, at addresses that it knows.
    _calls: Arc<[Call]>,
    entry: *const u8,
    /// Words of the state, with those that the code keeps between its functions.
    n_words: usize,
}

// SAFETY: the code is not changed after it was made, and it works on the state that it is given alone; what it calls is `Send + Sync`.
#[allow(unsafe_code)]
unsafe impl Send for Native {}

/// Takes the state and a number of cycles, gives the number of cycles that were run.
type Entry = unsafe extern "C" fn(*mut u64, u64) -> u64;

/// Calls a function: its address, its operands, room for its results.
#[allow(unsafe_code)]
unsafe extern "C" fn outside(call: *const Call, operands: *const u64, results: *mut u64) {
    // SAFETY: the code passes the address of a call that `Native` holds, and room for its operands and results.
    unsafe {
        let call = &*call;
        let operands = std::slice::from_raw_parts(operands, call.operands.len());
        let results = std::slice::from_raw_parts_mut(results, call.n_results as usize);
        (call.function)(operands, results);
    }
}

impl Drop for Native {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nothing else has the entry, and it does not run while `self` is dropped.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// Code for the steps of a cycle; with a slot to stop at, cycles end after the one that leaves something else than 0 there.
    ///
    /// # Errors
    /// What Cranelift cannot do on this machine.
    pub(crate) fn new(
        program: &Program,
        steps: &[Step],
        stop: Option<u32>,
    ) -> Result<Self, String> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            ("opt_level", "speed"),
            ("enable_verifier", "false"),
        ] {
            flags.set(name, value).map_err(|why| why.to_string())?;
        }
        let isa = cranelift_native::builder()?
            .finish(settings::Flags::new(flags))
            .map_err(|why| why.to_string())?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        // Functions call each other at distances of 31 bits: all of them are in one piece of memory.
        let room = ROOM + ROOM_PER_STEP * (steps.len() + program.graph.len());
        let memory = ArenaMemoryProvider::new_with_size(room).map_err(|why| why.to_string())?;
        builder.memory_provider(Box::new(memory));
        builder.symbol("outside", outside as *const u8);
        let mut module = JITModule::new(builder);
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(I64); 3]);
        let outside = module
            .declare_function("outside", Linkage::Import, &signature)
            .map_err(|why| why.to_string())?;
        let (starts, n_words) = program.layout();
        // Words that are kept between functions, and what calls take, come on top.
        let most_words = n_words + 4 * program.graph.len();
        if i32::try_from(most_words)
            .ok()
            .and_then(|n| n.checked_mul(BYTES))
            .is_none()
        {
            return Err("the state is longer than the 2 GiB that machine code reaches".to_owned());
        }
        let calls: Arc<[Call]> = program.graph.calls.clone().into();
        let mut maker = Maker {
            program,
            starts,
            calls: calls.clone(),
            outside,
            kept: FxHashMap::default(),
            n_words,
            shared: Context::new(),
            frontend: FunctionBuilderContext::new(),
        };
        let parts = pieces(steps);
        maker.keep(&parts);
        let mut inner = Vec::new();
        if parts.len() > 1 {
            for part in &parts {
                inner.push(maker.part(&mut module, part)?);
            }
        }
        let entry = maker.entry(&mut module, &inner, steps, stop)?;
        module
            .finalize_definitions()
            .map_err(|why| why.to_string())?;
        Ok(Self {
            entry: module.get_finalized_function(entry),
            module: Some(module),
            _calls: calls,
            n_words: maker.n_words,
        })
    }

    /// Words that the state must have.
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Runs so many cycles, or fewer where one ends with something else than 0 in the slot to stop at; says how many.
    #[allow(unsafe_code)]
    pub(crate) fn run(&self, state: &mut [u64], n_cycles: u64) -> u64 {
        assert!(
            state.len() >= self.n_words,
            "the state has what the code needs"
        );
        // SAFETY: the entry has this signature, and the code reads and writes the first `n_words` words alone: slots and limbs are
        // below the layout's end (`Program::check`), indices of arrays are compared with the depth or bounded by their bits, and nothing
        // puts more bits into a slot or an array than it has.
        unsafe {
            let entry: Entry = std::mem::transmute::<*const u8, Entry>(self.entry);
            entry(state.as_mut_ptr(), n_cycles)
        }
    }
}

/// Steps in pieces that branches do not leave.
fn pieces(steps: &[Step]) -> Vec<&[Step]> {
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    while at < steps.len() {
        let length = match &steps[at] {
            Step::SkipUnless(_, n) => n + 1,
            _ => 1,
        };
        if at > start && at + length - start > MOST_STEPS {
            pieces.push(&steps[start..at]);
            start = at;
        }
        at += length;
    }
    pieces.push(&steps[start..]);
    pieces
}

struct Maker<'a> {
    program: &'a Program,
    starts: Vec<usize>,
    calls: Arc<[Call]>,
    outside: FuncId,
    /// Where words are kept that another piece reads.
    kept: FxHashMap<Word, usize>,
    /// Words of the state so far.
    n_words: usize,
    shared: Context,
    frontend: FunctionBuilderContext,
}

impl Maker<'_> {
    /// Finds room for words that one piece computes and another reads.
    fn keep(&mut self, parts: &[&[Step]]) {
        if parts.len() < 2 {
            return;
        }
        let graph = &self.program.graph;
        let mut home: FxHashMap<Word, usize> = FxHashMap::default();
        for (number, part) in parts.iter().enumerate() {
            let mut read = |word: Word, home: &FxHashMap<Word, usize>| {
                if home.get(&word).is_some_and(|home| *home != number)
                    && graph.constant_of(word).is_none()
                    && !self.kept.contains_key(&word)
                {
                    self.kept.insert(word, self.n_words);
                    self.n_words += 1;
                }
            };
            for step in *part {
                match step {
                    Step::Compute(word) => {
                        if !matches!(graph.node(*word), Node::Result { .. }) {
                            graph.for_operands(*word, |operand| read(operand, &home));
                            home.insert(*word, number);
                        }
                    }
                    Step::Call(call) => {
                        let of = &graph.calls[*call as usize];
                        of.operands.iter().for_each(|word| read(*word, &home));
                        let results = (0..of.n_results).filter_map(|index| {
                            let call = *call;
                            graph.known_word(Node::Result { call, index })
                        });
                        home.extend(results.map(|word| (word, number)));
                    }
                    Step::Store(_, word) | Step::SkipUnless(word, _) => read(*word, &home),
                    Step::StoreWhere(_, condition, word) => {
                        read(*condition, &home);
                        read(*word, &home);
                    }
                    Step::Write { index, limbs, .. } => {
                        read(*index, &home);
                        limbs.iter().for_each(|word| read(*word, &home));
                    }
                }
            }
        }
    }

    /// A function for a piece.
    fn part(&mut self, module: &mut JITModule, steps: &[Step]) -> Result<FuncId, String> {
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(I64));
        self.function(module, signature, |maker, module, builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let state = builder.block_params(block)[0];
            let mut body = Body::new(maker, module, builder, state);
            body.steps(steps);
            body.builder.ins().return_(&[]);
        })
    }

    /// The loop over cycles: the pieces in turn, or the steps themselves.
    fn entry(
        &mut self,
        module: &mut JITModule,
        parts: &[FuncId],
        steps: &[Step],
        stop: Option<u32>,
    ) -> Result<FuncId, String> {
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(I64); 2]);
        signature.returns.push(AbiParam::new(I64));
        self.function(module, signature, |maker, module, builder| {
            let first = builder.create_block();
            let [header, cycle, next, end] = [(); 4].map(|()| builder.create_block());
            builder.append_block_params_for_function_params(first);
            for block in [header, end] {
                builder.append_block_param(block, I64);
            }
            builder.switch_to_block(first);
            let (state, n_cycles) = (
                builder.block_params(first)[0],
                builder.block_params(first)[1],
            );
            let zero = builder.ins().iconst(I64, 0);
            builder.ins().jump(header, &[zero.into()]);
            builder.switch_to_block(header);
            let done = builder.block_params(header)[0];
            let is_over = builder.ins().icmp(IntCC::Equal, done, n_cycles);
            builder.ins().brif(is_over, end, &[done.into()], cycle, &[]);
            builder.switch_to_block(cycle);
            if parts.is_empty() {
                Body::new(maker, module, builder, state).steps(steps);
            } else {
                for part in parts {
                    let part = module.declare_func_in_func(*part, builder.func);
                    builder.ins().call(part, &[state]);
                }
            }
            let done = builder.ins().iadd_imm_s(done, 1);
            match stop {
                Some(slot) => {
                    let at = offset(slot as usize);
                    let value = builder.ins().load(I64, MemFlagsData::trusted(), state, at);
                    builder.ins().brif(value, end, &[done.into()], next, &[]);
                }
                None => {
                    builder.ins().jump(next, &[]);
                }
            }
            builder.switch_to_block(next);
            builder.ins().jump(header, &[done.into()]);
            builder.switch_to_block(end);
            let done = builder.block_params(end)[0];
            builder.ins().return_(&[done]);
        })
    }

    fn function(
        &mut self,
        module: &mut JITModule,
        signature: Signature,
        body: impl FnOnce(&mut Self, &mut JITModule, &mut FunctionBuilder<'_>),
    ) -> Result<FuncId, String> {
        let id = module
            .declare_anonymous_function(&signature)
            .map_err(|why| why.to_string())?;
        let mut context = std::mem::replace(&mut self.shared, Context::new());
        let mut frontend = std::mem::take(&mut self.frontend);
        module.clear_context(&mut context);
        context.func.signature = signature;
        let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        body(self, module, &mut builder);
        builder.seal_all_blocks();
        builder.finalize(module.target_config());
        let outcome = module.define_function(id, &mut context);
        self.shared = context;
        self.frontend = frontend;
        outcome.map(|()| id).map_err(|why| why.to_string())
    }
}

fn offset(word: usize) -> i32 {
    i32::try_from(word)
        .ok()
        .and_then(|word| word.checked_mul(BYTES))
        .expect("a state is shorter than 2 GiB")
}

/// A function that is being made.
struct Body<'m, 'p, 'f> {
    maker: &'m mut Maker<'p>,
    module: &'m mut JITModule,
    builder: &'m mut FunctionBuilder<'f>,
    graph: &'p Graph,
    state: Value,
    values: FxHashMap<Word, Value>,
    /// Words that are 0 or 1, 8 bits wide.
    flags: FxHashMap<Word, Value>,
    /// Words that came to be under a condition.
    inside: Option<Vec<Word>>,
}

impl<'m, 'p, 'f> Body<'m, 'p, 'f> {
    fn new(
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

    fn steps(&mut self, steps: &[Step]) {
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

    fn store_slot(&mut self, slot: u32, value: Value) {
        let bits = self.maker.program.slot_bits[slot as usize];
        let state = self.state;
        self.store_bits(bits, value, state, offset(slot as usize));
    }

    /// A load of so many bits: as long as the store was, which the machine forwards from its buffer.
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

    /// A store of so many bits: of whole bytes the others stay as they are, 0.
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

    /// The value of a word that was computed here or in another piece.
    fn value(&mut self, word: Word) -> Value {
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

    /// Something that is 0 where the word is.
    fn condition(&mut self, word: Word) -> Value {
        match self.flags.get(&word) {
            Some(flag) => *flag,
            None => self.value(word),
        }
    }

    fn compute(&mut self, word: Word) {
        let value = match self.graph.node(word) {
            Node::Constant(_) | Node::Result { .. } => return,
            Node::Slot(slot) => {
                let bits = self.maker.program.slot_bits[slot as usize];
                let state = self.state;
                self.load_bits(bits, state, offset(slot as usize))
            }
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
            Binary::Udiv | Binary::Urem => self.division(op, a, b),
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

    /// A word that is a flag.
    fn flag(&mut self, word: Word, flag: Value) -> Value {
        self.flags.insert(word, flag);
        self.builder.ins().uextend(I64, flag)
    }

    /// Logic on flags is a flag.
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

    /// A division by zero does not trap: all ones, or the dividend.
    fn division(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ins = &mut self.builder;
        let is_zero = ins.ins().icmp_imm_s(IntCC::Equal, b, 0);
        let one = ins.ins().iconst(I64, 1);
        let divisor = ins.ins().select(is_zero, one, b);
        if op == Binary::Udiv {
            let quotient = ins.ins().udiv(a, divisor);
            let ones = ins.ins().iconst(I64, -1);
            ins.ins().select(is_zero, ones, quotient)
        } else {
            let rest = ins.ins().urem(a, divisor);
            ins.ins().select(is_zero, a, rest)
        }
    }

    /// Whether an index is below the depth of an array; nothing where it always is.
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

    /// The address of the first limb of a word, but for the start of the array.
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

    /// Operands and results go through words of the state that nothing else uses.
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
