//! Encoding of x86-64 instructions with AVX-512 or AVX2 as bytes. This is the only module that uses iced-x86.

mod avx2;
mod avx512;

use iced_x86::{Code, Encoder as Bytes, IcedError, Instruction, MemoryOperand, Register};
use rustc_hash::FxHashMap;

use super::InstructionSet;
use super::code::{Kind, Logic, Operator, Shift};
use super::layout::Lanes;
use crate::rows::ROW;

/// The place of a relative jump offset that is still to be written.
#[must_use]
pub(super) struct Jump {
    /// The position after the offset.
    end: usize,
}

/// Registers with a fixed use for the whole function.
const STATE: Register = Register::RBX;
const CONSTANTS: Register = Register::RBP;
const CYCLES: Register = Register::R15;

/// General registers for bits.
const WORDS: [Register; 9] = [
    Register::ESI,
    Register::EDI,
    Register::R8D,
    Register::R9D,
    Register::R10D,
    Register::R11D,
    Register::R12D,
    Register::R13D,
    Register::R14D,
];

/// The number of allocatable registers of each kind.
pub(super) const N_WORDS: usize = WORDS.len();

impl InstructionSet {
    pub(super) fn n_vectors(self) -> usize {
        match self {
            Self::Avx512 => 32,
            Self::Avx2 => 16,
        }
    }

    pub(super) fn n_masks(self) -> usize {
        match self {
            // Of the eight mask registers, K7 is a scratch register, K6 selects the first lane, and K0 cannot be used as a write
            // mask.
            Self::Avx512 => 5,
            Self::Avx2 => 0,
        }
    }
}

const FIRST_MASK: Register = Register::K6;
const SPARE_MASK: Register = Register::K7;

const SAVED: [Register; 6] = [
    Register::RBX,
    Register::RBP,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];

/// Bytes at the start of the constants: the numbers of the machines. For eight machines, also the distance from each machine's
/// bit in a byte to the sign bit of a word.
const LANES_BYTES: usize = 64;

/// The second operand of a vector instruction.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Register(u8),
    Constant(u64),
    /// The numbers of the machines.
    Lanes,
    /// A position in the state, in bytes.
    State(usize),
    /// A row of constants.
    Row([u64; ROW]),
}

/// A function under construction.
pub(super) struct Encoder {
    set: InstructionSet,
    lanes: Lanes,
    bytes: Bytes,
    length: usize,
    /// Jumps: the end of the offset, and the target.
    jumps: Vec<(usize, usize)>,
    /// Distinct constants, in the order of their first use.
    constants: Vec<u64>,
    /// Rows of constants, which are stored before the others.
    rows: Vec<[u64; ROW]>,
    known: FxHashMap<u64, usize>,
    /// Constants that fill a vector, by their word: the position of the first copy.
    known_repeated: FxHashMap<u64, usize>,
}

fn mask(number: u8) -> Register {
    Register::K1 + u32::from(number)
}

fn word(number: u8) -> Register {
    WORDS[usize::from(number)]
}

fn byte(number: u8) -> Register {
    const BYTES: [Register; N_WORDS] = [
        Register::SIL,
        Register::DIL,
        Register::R8L,
        Register::R9L,
        Register::R10L,
        Register::R11L,
        Register::R12L,
        Register::R13L,
        Register::R14L,
    ];
    BYTES[usize::from(number)]
}

fn half(number: u8) -> Register {
    const HALVES: [Register; N_WORDS] = [
        Register::SI,
        Register::DI,
        Register::R8W,
        Register::R9W,
        Register::R10W,
        Register::R11W,
        Register::R12W,
        Register::R13W,
        Register::R14W,
    ];
    HALVES[usize::from(number)]
}

fn memory(base: Register, at: usize) -> MemoryOperand {
    let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
    MemoryOperand::with_base_displ(base, at)
}

impl Encoder {
    pub(super) fn new(set: InstructionSet, lanes: Lanes) -> Self {
        Self {
            set,
            lanes,
            bytes: Bytes::new(64),
            length: 0,
            jumps: Vec::new(),
            constants: Vec::new(),
            rows: Vec::new(),
            known: FxHashMap::default(),
            known_repeated: FxHashMap::default(),
        }
    }

    fn vector(&self, kind: Kind, number: u8) -> Register {
        let first = match (kind, self.lanes) {
            (Kind::Bits, _) => unreachable!("bits are in general registers"),
            (Kind::Wide | Kind::Half, Lanes::Sixteen) => unreachable!("sixteen have no wide words"),
            (Kind::Row, _) | (Kind::Wide, Lanes::Eight) | (Kind::Narrow, Lanes::Sixteen) => {
                Register::ZMM0
            }
            (Kind::Narrow | Kind::Half, Lanes::Eight) => Register::YMM0,
            (Kind::Narrow | Kind::Half | Kind::Wide, Lanes::One) => Register::XMM0,
        };
        first + u32::from(number)
    }

    fn code(&self, kind: Kind, codes: avx512::Codes) -> Code {
        let [narrow_one, narrow, narrow_long, wide_one, wide] = codes;
        match (kind, self.lanes) {
            (Kind::Wide, Lanes::Sixteen) => unreachable!("sixteen have no wide words"),
            (Kind::Bits | Kind::Half, _) => unreachable!("vectors of AVX-512 are of no halves"),
            (Kind::Row, _) | (Kind::Wide, Lanes::Eight) => wide,
            (Kind::Narrow, Lanes::Eight) => narrow,
            (Kind::Narrow, Lanes::Sixteen) => narrow_long,
            (Kind::Narrow, Lanes::One) => narrow_one,
            (Kind::Wide, Lanes::One) => wide_one,
        }
    }

    /// Returns the opcode of an instruction that exists for every kind of vector.
    fn plain(&self, kind: Kind, avx512: avx512::Codes, avx2: avx2::Codes) -> Code {
        match self.set {
            InstructionSet::Avx512 => self.code(kind, avx512),
            InstructionSet::Avx2 => avx2::of_kind(kind, avx2),
        }
    }

    /// Returns the value of bits that are set for all machines.
    fn ones(&self) -> i32 {
        match self.lanes {
            Lanes::One => 1,
            Lanes::Eight => 0xFF,
            Lanes::Sixteen => 0xFFFF,
        }
    }

    /// Returns the bytes of the function, its constants, and the number of the constant whose address the function expects as the
    /// base of the constants.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u64>, usize) {
        let mut bytes = self.bytes.take_buffer();
        for (end, target) in self.jumps {
            let distance = i64::try_from(target).expect("code is shorter than 2 GiB")
                - i64::try_from(end).expect("code is shorter than 2 GiB");
            let distance = i32::try_from(distance).expect("code is shorter than 2 GiB");
            bytes[end - 4..end].copy_from_slice(&distance.to_le_bytes());
        }
        let mut constants: Vec<u64> = self.rows.into_iter().rev().flatten().collect();
        let first = constants.len();
        let pairs = |n: u64| (0..n).step_by(2);
        let numbers = |lane: u64| lane | (lane + 1) << 32;
        match self.lanes {
            Lanes::Sixteen => constants.extend(pairs(16).map(numbers)),
            Lanes::One | Lanes::Eight => {
                constants.extend(pairs(8).map(numbers));
                constants.extend(pairs(8).map(|lane| (31 - lane) | (30 - lane) << 32));
            }
        }
        constants.extend(self.constants);
        (bytes, constants, first)
    }

    fn put(&mut self, instruction: Result<Instruction, IcedError>) {
        let instruction = instruction.expect("operands are those of the code");
        let length = self.bytes.encode(&instruction, 0);
        self.length += length.expect("the processor has the instruction");
    }

    fn constant(&mut self, value: u64) -> MemoryOperand {
        let next = self.constants.len();
        let at = *self.known.entry(value).or_insert(next);
        if at == next {
            self.constants.push(value);
        }
        memory(CONSTANTS, LANES_BYTES + 8 * at)
    }

    /// Emits the prologue: state and number of cycles are arguments.
    pub(super) fn begin(&mut self, prepare: impl FnOnce(&mut Self)) -> (usize, Jump, usize) {
        for register in SAVED {
            self.put(Instruction::with1(Code::Push_r64, register));
        }
        // The stack must be aligned to 16 bytes at calls.
        self.put(Instruction::with1(Code::Push_r64, Register::RSI));
        self.put(Instruction::with2(Code::Mov_r64_rm64, STATE, Register::RDI));
        self.put(Instruction::with2(
            Code::Mov_r64_rm64,
            CYCLES,
            Register::RSI,
        ));
        self.put(Instruction::with2(Code::Mov_r64_imm64, CONSTANTS, u64::MAX));
        let constants_end = self.length;
        self.set_first_mask();
        prepare(self);
        self.put(Instruction::with2(Code::Test_rm64_r64, CYCLES, CYCLES));
        let over = self.jump(Code::Je_rel32_64);
        (constants_end, over, self.length)
    }

    /// Emits the end of a cycle: the jump to the next one, and the epilogue, which returns the number of cycles run.
    pub(super) fn end(
        &mut self,
        over: Jump,
        start: usize,
        stop_at: Option<usize>,
        finish: impl FnOnce(&mut Self),
    ) {
        self.put(Instruction::with1(Code::Dec_rm64, CYCLES));
        let stop = stop_at.map(|at| {
            self.put(Instruction::with2(
                Code::Cmp_rm64_imm8,
                memory(STATE, at),
                0,
            ));
            self.jump(Code::Jne_rel32_64)
        });
        self.put(Instruction::with2(Code::Test_rm64_r64, CYCLES, CYCLES));
        let again = self.jump(Code::Jne_rel32_64);
        self.jumps.push((again.end, start));
        self.land(over);
        if let Some(stop) = stop {
            self.land(stop);
        }
        finish(self);
        self.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
        self.put(Instruction::with1(Code::Pop_r64, Register::RAX));
        self.put(Instruction::with2(
            Code::Sub_r64_rm64,
            Register::RAX,
            CYCLES,
        ));
        for register in SAVED.into_iter().rev() {
            self.put(Instruction::with1(Code::Pop_r64, register));
        }
        self.put(Ok(Instruction::with(Code::Retnq)));
    }

    fn jump(&mut self, code: Code) -> Jump {
        self.put(Instruction::with_branch(code, 0x1000_0000));
        Jump { end: self.length }
    }

    /// Sets the target of a jump to the current position.
    pub(super) fn land(&mut self, jump: Jump) {
        self.jumps.push((jump.end, self.length));
    }

    /// Emits a jump that is taken if no bit is set.
    pub(super) fn skip_unless(&mut self, bits: u8) -> Jump {
        self.put(Instruction::with2(
            Code::Test_rm32_r32,
            word(bits),
            word(bits),
        ));
        self.jump(Code::Je_rel32_64)
    }

    pub(super) fn load(&mut self, kind: Kind, to: u8, at: usize) {
        let from = memory(STATE, at);
        if kind == Kind::Bits {
            let code = match self.lanes {
                Lanes::Sixteen => Code::Movzx_r32_rm16,
                Lanes::One | Lanes::Eight => Code::Movzx_r32_rm8,
            };
            self.put(Instruction::with2(code, word(to), from));
            return;
        }
        let code = self.plain(kind, avx512::LOAD, avx2::LOAD);
        let made = Instruction::with2(code, self.vector(kind, to), from);
        self.put(made);
    }

    pub(super) fn store(&mut self, kind: Kind, at: usize, from: u8) {
        let to = memory(STATE, at);
        if kind == Kind::Bits {
            let made = match self.lanes {
                Lanes::Sixteen => Instruction::with2(Code::Mov_rm16_r16, to, half(from)),
                Lanes::One | Lanes::Eight => Instruction::with2(Code::Mov_rm8_r8, to, byte(from)),
            };
            self.put(made);
            return;
        }
        let code = self.plain(kind, avx512::STORE, avx2::STORE);
        let made = Instruction::with2(code, to, self.vector(kind, from));
        self.put(made);
    }

    pub(super) fn set(&mut self, kind: Kind, to: u8, value: u64) {
        if kind == Kind::Bits {
            let value = if value & 1 == 0 { 0 } else { self.ones() };
            self.put(Instruction::with2(Code::Mov_r32_imm32, word(to), value));
            return;
        }
        let from = self.constant(value);
        let code = self.plain(kind, avx512::SET, avx2::SET);
        self.put(Instruction::with2(code, self.vector(kind, to), from));
    }

    pub(super) fn copy(&mut self, kind: Kind, to: u8, from: u8) {
        let code = self.plain(kind, avx512::COPY, avx2::COPY);
        self.put(Instruction::with2(
            code,
            self.vector(kind, to),
            self.vector(kind, from),
        ));
    }

    /// Emits a vector instruction whose second operand may be in memory or a constant.
    fn with_source(
        &mut self,
        kind: Kind,
        source: Source,
        of: impl FnOnce(Result<Register, MemoryOperand>) -> Result<Instruction, IcedError>,
    ) -> Result<Instruction, IcedError> {
        match source {
            Source::Register(number) => of(Ok(self.vector(kind, number))),
            Source::Lanes => of(Err(memory(CONSTANTS, 0))),
            Source::Row(values) => of(Err(self.row(values))),
            Source::State(at) => {
                let mut from = memory(STATE, at);
                // A broadcast reads only the word itself.
                from.is_broadcast = self.lanes == Lanes::One && kind != Kind::Row;
                of(Err(from))
            }
            Source::Constant(value) if self.set == InstructionSet::Avx2 => {
                of(Err(self.repeated(kind, value)))
            }
            Source::Constant(value) => {
                let mut from = self.constant(value);
                from.is_broadcast = true;
                of(Err(from))
            }
        }
    }

    pub(super) fn binary(&mut self, operator: Operator, kind: Kind, to: u8, a: u8, b: Source) {
        let code = match self.set {
            InstructionSet::Avx512 => self.code(kind, avx512::of_operator(operator)),
            InstructionSet::Avx2 => avx2::of_operator(operator, kind),
        };
        let (to, a) = (self.vector(kind, to), self.vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with3(code, to, a, b),
            Err(b) => Instruction::with3(code, to, a, b),
        });
        self.put(made);
    }

    pub(super) fn shift(&mut self, shift: Shift, kind: Kind, to: u8, of: u8, by: u8) {
        let code = match self.set {
            InstructionSet::Avx512 => self.code(kind, avx512::of_shift(shift)),
            InstructionSet::Avx2 => avx2::of_shift(shift, kind),
        };
        let (to, of) = (self.vector(kind, to), self.vector(kind, of));
        self.put(Instruction::with3(code, to, of, u32::from(by)));
    }

    /// `to` may be the same register as `a` or `b`.
    pub(super) fn logic(&mut self, logic: Logic, to: u8, a: u8, b: u8) {
        let code = match logic {
            Logic::NotAnd => {
                let [to, a, b] = [to, a, b].map(word);
                return self.put(Instruction::with3(Code::VEX_Andn_r32_r32_rm32, to, a, b));
            }
            Logic::And => Code::And_r32_rm32,
            Logic::Or => Code::Or_r32_rm32,
            Logic::Xor => Code::Xor_r32_rm32,
        };
        let (a, b) = if to == b { (b, a) } else { (a, b) };
        self.copy_word(to, a);
        self.put(Instruction::with2(code, word(to), word(b)));
    }

    fn copy_word(&mut self, to: u8, from: u8) {
        if to != from {
            self.put(Instruction::with2(Code::Mov_r32_rm32, word(to), word(from)));
        }
    }

    pub(super) fn not(&mut self, to: u8, of: u8) {
        self.copy_word(to, of);
        let ones = self.ones();
        self.put(Instruction::with2(Code::Xor_rm32_imm32, word(to), ones));
    }

    /// Divides two words in memory and stores the result; for a divisor of 0 it is all ones, or the dividend.
    pub(super) fn divide(&mut self, is_remainder: bool, to: usize, a: usize, b: usize) {
        let (rax, rcx, rdx) = (Register::RAX, Register::RCX, Register::RDX);
        self.put(Instruction::with2(
            Code::Mov_r64_rm64,
            rax,
            memory(STATE, a),
        ));
        self.put(Instruction::with2(
            Code::Mov_r64_rm64,
            rcx,
            memory(STATE, b),
        ));
        // For a divisor of 0 the division is skipped, so the results are set by moves: the dividend is already in the register of
        // the remainder.
        self.put(Instruction::with2(Code::Mov_r64_rm64, rdx, rax));
        self.put(Instruction::with2(Code::Test_rm64_r64, rcx, rcx));
        let by_zero = self.jump(Code::Je_rel32_64);
        self.put(Instruction::with2(
            Code::Xor_r32_rm32,
            Register::EDX,
            Register::EDX,
        ));
        self.put(Instruction::with1(Code::Div_rm64, rcx));
        let done = self.jump(Code::Jmp_rel32_64);
        self.land(by_zero);
        self.put(Instruction::with2(Code::Mov_rm64_imm32, rax, -1));
        self.land(done);
        let found = if is_remainder { rdx } else { rax };
        self.put(Instruction::with2(
            Code::Mov_rm64_r64,
            memory(STATE, to),
            found,
        ));
    }

    /// Copies a word in memory.
    pub(super) fn move_word(&mut self, to: usize, from: usize) {
        let rax = Register::RAX;
        self.put(Instruction::with2(
            Code::Mov_r64_rm64,
            rax,
            memory(STATE, from),
        ));
        self.put(Instruction::with2(
            Code::Mov_rm64_r64,
            memory(STATE, to),
            rax,
        ));
    }

    /// Calls a function with a number and the addresses of operands and results. Afterwards, only registers with a fixed use are
    /// valid.
    pub(super) fn call(&mut self, function: u64, number: u64, operands: usize, results: usize) {
        let (rdi, rsi, rdx, rax) = (Register::RDI, Register::RSI, Register::RDX, Register::RAX);
        self.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
        self.put(Instruction::with2(Code::Mov_r64_imm64, rdi, number));
        self.put(Instruction::with2(
            Code::Lea_r64_m,
            rsi,
            memory(STATE, operands),
        ));
        self.put(Instruction::with2(
            Code::Lea_r64_m,
            rdx,
            memory(STATE, results),
        ));
        self.put(Instruction::with2(Code::Mov_r64_imm64, rax, function));
        self.put(Instruction::with1(Code::Call_rm64, rax));
        self.set_first_mask();
    }
}
