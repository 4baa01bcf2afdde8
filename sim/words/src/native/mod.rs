//! Machine code for a loop over cycles: compiled by Cranelift, in several functions if a cycle has many steps, or encoded for
//! AVX-512 or AVX2 vectors ([`vectors`]).

pub(crate) mod lanes;
mod packed;
mod scalar;
pub(crate) mod vectors;

use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use rustc_hash::FxHashMap;

use crate::demand::is_low_half_enough;
use crate::graph::{Call, Node, Word};
use crate::plan::{Parts, Step, n_readers, plan_rows};
use crate::program::Program;
use crate::rows::Row;

/// The most steps of a function: the compile time grows faster than the size of a function.
const MAX_STEPS: usize = 1200;

/// Bytes of address space to reserve for code: a base, and an amount for each step and word. Only the used part takes memory.
const ROOM: usize = 1 << 20;
const ROOM_PER_STEP: usize = 512;

/// Bytes of a word.
const BYTES: i32 = 8;

/// The machine code of the cycles of a program.
pub(crate) struct Native {
    /// Owns the memory of the code; `None` only while it is dropped.
    module: Option<JITModule>,
    /// The calls, whose addresses are in the code.
    _calls: Arc<[Call]>,
    /// The constants, whose address is in the code.
    _constants: Vec<u64>,
    entry: *const u8,
    /// Words of the state, including those that the code uses as temporaries between its functions.
    n_words: usize,
    is_in_vectors: bool,
}

/// Reasons why there is no code in vectors.
pub(crate) const NO_VECTORS: &str = "this machine has no AVX-512";
pub(crate) const NO_HALVES: &str = "this machine has no AVX2";

const TOO_LONG: &str = "the state is longer than the 2 GiB that machine code reaches";

/// Creates a module for machine code with this many bytes of address space.
fn module(room: usize) -> Result<JITModule, String> {
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
    let memory = ArenaMemoryProvider::new_with_size(room).map_err(|why| why.to_string())?;
    builder.memory_provider(Box::new(memory));
    builder.symbol("outside", outside as *const u8);
    Ok(JITModule::new(builder))
}

/// The number of words that are computed at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// One word.
    Scalar,
    /// One word of each of [`N_LANES`] machines that run the same program.
    Lanes,
}

/// Machines that share 128-bit vectors: words of 32 bits fill one vector, wider ones two.
pub(crate) const N_LANES: usize = 4;

// SAFETY: the code never changes once compiled. It works only on the state it is given, and the functions it calls are `Send + Sync`.
#[allow(unsafe_code)]
unsafe impl Send for Native {}

// SAFETY: as for `Send`. Each thread passes its own state.
#[allow(unsafe_code)]
unsafe impl Sync for Native {}

/// Takes the state and a number of cycles; returns the number of cycles run.
type Entry = unsafe extern "C" fn(*mut u64, u64) -> u64;

/// Calls a function, given the address of the call, its operands and a buffer for its results.
#[allow(unsafe_code)]
unsafe extern "C" fn outside(call: *const Call, operands: *const u64, results: *mut u64) {
    // SAFETY: the code passes the address of a `Call` that `Native` owns, and buffers large enough for its operands and results.
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
            // SAFETY: nothing else holds the entry point, and it cannot be running while `self` is dropped.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// Compiles some parts of a cycle of one machine, in general registers or in vectors, whichever is estimated to be faster.
    /// With a slot to stop at, the loop ends after a cycle that leaves the slot other than 0.
    ///
    /// # Errors
    /// The code cannot be generated on this computer.
    pub(crate) fn of_one(
        program: &mut Program,
        parts: Parts,
        stop: Option<u32>,
    ) -> Result<Self, String> {
        let rows = packed::packable(program);
        let steps = plan_rows(program, parts, &rows);
        if vectors::InstructionSet::Avx512.is_there() {
            let cycle = vectors::Cycle::of_one(program, parts);
            if cycle.pays(program, &steps, &rows) {
                return Self::in_vectors(program, &cycle, stop);
            }
        }
        Self::new(program, &steps, &rows, stop, Width::Scalar)
    }

    /// Compiles some parts of a cycle of one machine in general registers.
    pub(crate) fn in_words(
        program: &mut Program,
        parts: Parts,
        stop: Option<u32>,
    ) -> Result<Self, String> {
        let rows = packed::packable(program);
        let steps = plan_rows(program, parts, &rows);
        Self::new(program, &steps, &rows, stop, Width::Scalar)
    }

    /// Compiles some parts of a cycle of one machine in AVX-512 vectors.
    pub(crate) fn of_one_in_vectors(
        program: &mut Program,
        parts: Parts,
        stop: Option<u32>,
    ) -> Result<Self, String> {
        if !vectors::InstructionSet::Avx512.is_there() {
            return Err(NO_VECTORS.to_owned());
        }
        let cycle = vectors::Cycle::of_one(program, parts);
        Self::in_vectors(program, &cycle, stop)
    }

    /// Compiles the steps of a cycle; for one machine, some of them may be rows ([`packed`]). With a slot to stop at, the loop
    /// ends after a cycle that leaves the slot other than 0.
    ///
    /// # Errors
    /// Cranelift does not support this computer.
    pub(crate) fn new(
        program: &Program,
        steps: &[Step],
        rows: &[Row],
        stop: Option<u32>,
        width: Width,
    ) -> Result<Self, String> {
        // Functions call each other with relative offsets of 32 bits, so all of them must be in one block of memory.
        let mut module = module(ROOM + ROOM_PER_STEP * (steps.len() + program.graph.len()))?;
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(I64); 3]);
        let outside = module
            .declare_function("outside", Linkage::Import, &signature)
            .map_err(|why| why.to_string())?;
        let (starts, n_words) = program.layout();
        // Words that are kept between functions, and operands and results of calls, are added to the state.
        let max_words = n_words + 4 * program.graph.len();
        if i32::try_from(max_words)
            .ok()
            .and_then(|n| n.checked_mul(BYTES * i32::try_from(N_LANES).ok()?))
            .is_none()
        {
            return Err(TOO_LONG.to_owned());
        }
        let calls: Arc<[Call]> = program.graph.calls.clone().into();
        let (packed, n_words) = packed::Packed::new(rows, steps, n_words);
        let mut maker = Maker {
            program,
            starts,
            calls: calls.clone(),
            outside,
            kept: FxHashMap::default(),
            classes: match width {
                Width::Scalar => Vec::new(),
                Width::Lanes => is_low_half_enough(program),
            },
            width,
            n_readers: n_readers(&program.graph, steps, rows),
            packed,
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
        let n_words = match width {
            Width::Scalar => maker.n_words,
            Width::Lanes => maker.n_words * N_LANES,
        };
        Self::finished(module, entry, n_words, calls, Vec::new())
    }

    /// Finalises a module in which all functions are defined.
    fn finished(
        mut module: JITModule,
        entry: FuncId,
        n_words: usize,
        calls: Arc<[Call]>,
        constants: Vec<u64>,
    ) -> Result<Self, String> {
        module
            .finalize_definitions()
            .map_err(|why| why.to_string())?;
        Ok(Self {
            entry: module.get_finalized_function(entry),
            module: Some(module),
            _calls: calls,
            _constants: constants,
            n_words,
            is_in_vectors: false,
        })
    }

    /// Compiles a cycle in vectors, with a slot to stop at as in [`Native::new`]. Precondition:
    /// [`vectors::InstructionSet::is_there`].
    ///
    /// # Errors
    /// The state does not fit in the addressable range, or memory for the code cannot be reserved.
    pub(crate) fn in_vectors(
        program: &Program,
        cycle: &vectors::Cycle,
        stop: Option<u32>,
    ) -> Result<Self, String> {
        // An upper bound that includes all temporaries.
        let max_bytes = cycle.layout.end + 64 * (program.graph.len() + cycle.n_values());
        if i32::try_from(max_bytes).is_err() {
            return Err(TOO_LONG.to_owned());
        }
        let calls: Arc<[Call]> = program.graph.calls.clone().into();
        let address = |of: *const u8| u64::try_from(of as usize).expect("addresses have 64 bits");
        let addresses = vectors::Calls {
            function: address(outside as *const u8),
            numbers: calls
                .iter()
                .map(|call| address((&raw const *call).cast()))
                .collect(),
        };
        let mut made = cycle.function(stop, &addresses);
        let at = made.constants_at;
        let first = &raw const made.constants[made.first_constant];
        let constants = address(first.cast());
        made.bytes[at..at + 8].copy_from_slice(&constants.to_le_bytes());
        let mut module = module(ROOM + made.bytes.len())?;
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(I64); 2]);
        let entry = module
            .declare_anonymous_function(&signature)
            .map_err(|why| why.to_string())?;
        module
            .define_function_bytes(entry, 64, &made.bytes, &[])
            .map_err(|why| why.to_string())?;
        let n_words = made.state_bytes.div_ceil(8);
        let mut code = Self::finished(module, entry, n_words, calls, made.constants)?;
        code.is_in_vectors = true;
        Ok(code)
    }

    /// Returns whether the code is in AVX vectors.
    pub(crate) fn is_in_vectors(&self) -> bool {
        self.is_in_vectors
    }

    /// Returns the number of words that the state must have.
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Runs `n_cycles` cycles, but stops after one that leaves the slot to stop at other than 0; returns the number of cycles
    /// run.
    #[allow(unsafe_code)]
    pub(crate) fn run(&self, state: &mut [u64], n_cycles: u64) -> u64 {
        assert!(
            state.len() >= self.n_words,
            "the state has what the code needs"
        );
        // SAFETY: the entry has this signature, and the code reads and writes only the first `n_words` words of the state: slots and
        // limbs lie below the layout's end (`Program::check`), array indices are compared with the depth or bounded by their width, and
        // no value has more bits than its slot or array. The only constants it reads are those that `self` owns. Vector code is
        // generated only if the processor has the instructions, and it saves the callee-saved registers.
        unsafe {
            let entry: Entry = std::mem::transmute::<*const u8, Entry>(self.entry);
            entry(state.as_mut_ptr(), n_cycles)
        }
    }
}

/// Splits steps into pieces, so that no branch leaves its piece.
fn pieces(steps: &[Step]) -> Vec<&[Step]> {
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    while at < steps.len() {
        let length = match &steps[at] {
            Step::SkipUnless(_, n) => n + 1,
            _ => 1,
        };
        if at > start && at + length - start > MAX_STEPS {
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
    /// The word of the state in which a word is kept for other pieces.
    kept: FxHashMap<Word, usize>,
    /// Whether 32 bits of a word are enough, for code in lanes.
    classes: Vec<bool>,
    width: Width,
    /// The number of reads of each word.
    n_readers: Vec<u32>,
    packed: packed::Packed<'a>,
    /// Words of the state so far.
    n_words: usize,
    shared: Context,
    frontend: FunctionBuilderContext,
}

impl Maker<'_> {
    /// Allocates words of the state for words that one piece computes and another reads.
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
                step.for_words(graph, self.packed.rows, |word| read(word, &home));
                match step {
                    Step::Compute(word) => {
                        if !matches!(graph.node(*word), Node::Result { .. }) {
                            home.insert(*word, number);
                        }
                    }
                    Step::Call(call) => {
                        let results = 0..graph.calls[*call as usize].n_results;
                        let results = results.filter_map(|index| {
                            let call = *call;
                            graph.known_word(Node::Result { call, index })
                        });
                        home.extend(results.map(|word| (word, number)));
                    }
                    Step::Store(..)
                    | Step::StoreWhere(..)
                    | Step::Write { .. }
                    | Step::SkipUnless(..)
                    | Step::Row(_) => {}
                }
            }
        }
    }

    /// Creates a function for a piece.
    fn part(&mut self, module: &mut JITModule, steps: &[Step]) -> Result<FuncId, String> {
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(I64));
        self.function(module, signature, |maker, module, builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let state = builder.block_params(block)[0];
            maker.body(module, builder, state, steps);
            builder.ins().return_(&[]);
        })
    }

    /// Emits the steps in the function under construction.
    fn body(
        &mut self,
        module: &mut JITModule,
        builder: &mut FunctionBuilder<'_>,
        state: Value,
        steps: &[Step],
    ) {
        match self.width {
            Width::Scalar => scalar::Body::new(self, module, builder, state).steps(steps),
            Width::Lanes => lanes::Body::new(self, module, builder, state).steps(steps),
        }
    }

    /// Creates the loop over cycles, which calls the pieces in order or contains the steps.
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
            maker.packed.moved(builder, state, false);
            let zero = builder.ins().iconst(I64, 0);
            builder.ins().jump(header, &[zero.into()]);
            builder.switch_to_block(header);
            let done = builder.block_params(header)[0];
            let is_over = builder.ins().icmp(IntCC::Equal, done, n_cycles);
            builder.ins().brif(is_over, end, &[done.into()], cycle, &[]);
            builder.switch_to_block(cycle);
            if parts.is_empty() {
                maker.body(module, builder, state, steps);
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
            maker.packed.moved(builder, state, true);
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
