//! Instructions of x86-64 with AVX-512, as bytes. The only place that knows of iced-x86.

use iced_x86::{Code, Encoder as Bytes, IcedError, Instruction, MemoryOperand, Register};

use super::code::{Kind, Logic, Operator, Relation, Shift};
use super::layout::Lanes;
use crate::rows::ROW;

/// Where bytes are that say how far a jump goes.
#[must_use]
pub(super) struct Jump {
    /// Behind the bytes.
    end: usize,
}

/// Registers that hold something all the time, and those that hold nothing from one instruction to the next.
const STATE: Register = Register::RBX;
const CONSTANTS: Register = Register::RBP;
const CYCLES: Register = Register::R15;

/// General registers that hold bits.
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

/// How many registers there are for each purpose.
pub(super) const N_WORDS: usize = WORDS.len();
pub(super) const N_VECTORS: usize = 32;
/// The last one holds nothing from one instruction to the next, the one before it the first lane alone, and the first one cannot choose.
pub(super) const N_MASKS: usize = 5;
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

/// Bytes at the start of the constants: the numbers of the machines.
const LANES_BYTES: usize = 64;

/// The second operand of a vector instruction.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Register(u8),
    Constant(u64),
    /// The numbers of the machines.
    Lanes,
    /// Bytes from the start of the state.
    State(usize),
    /// Constants of a row.
    Row([u64; ROW]),
}

/// A function that is being written.
pub(super) struct Encoder {
    lanes: Lanes,
    bytes: Bytes,
    length: usize,
    /// Where jumps go, by where they are.
    jumps: Vec<(usize, usize)>,
    /// Different constants, in the order in which they came.
    constants: Vec<u64>,
    /// Rows of them, which lie in front of the others.
    rows: Vec<[u64; ROW]>,
    known: rustc_hash::FxHashMap<u64, usize>,
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

fn memory(base: Register, at: usize) -> MemoryOperand {
    let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
    MemoryOperand::with_base_displ(base, at)
}

/// The codes of one instruction: of narrow and of wide words, each for one machine and for eight.
type Codes = [Code; 4];

/// Names of codes, where they differ in the length of vectors alone.
macro_rules! codes {
    ($narrow_one:ident, $narrow:ident, $wide_one:ident, $wide:ident) => {
        [
            Code::$narrow_one,
            Code::$narrow,
            Code::$wide_one,
            Code::$wide,
        ]
    };
}

impl Encoder {
    pub(super) fn new(lanes: Lanes) -> Self {
        Self {
            lanes,
            bytes: Bytes::new(64),
            length: 0,
            jumps: Vec::new(),
            constants: Vec::new(),
            rows: Vec::new(),
            known: rustc_hash::FxHashMap::default(),
        }
    }

    fn vector(&self, kind: Kind, number: u8) -> Register {
        let first = match (kind, self.lanes) {
            (Kind::Bits, _) => unreachable!("bits are in general registers"),
            (Kind::Row, _) | (Kind::Wide, Lanes::Eight) => Register::ZMM0,
            (Kind::Narrow, Lanes::Eight) => Register::YMM0,
            (Kind::Narrow | Kind::Wide, Lanes::One) => Register::XMM0,
        };
        first + u32::from(number)
    }

    fn code(&self, kind: Kind, codes: Codes) -> Code {
        let [narrow_one, narrow, wide_one, wide] = codes;
        match (kind, self.lanes) {
            (Kind::Bits, _) => unreachable!("bits are no vectors"),
            (Kind::Row, _) | (Kind::Wide, Lanes::Eight) => wide,
            (Kind::Narrow, Lanes::Eight) => narrow,
            (Kind::Narrow, Lanes::One) => narrow_one,
            (Kind::Wide, Lanes::One) => wide_one,
        }
    }

    /// The bits of all machines.
    fn ones(&self) -> i32 {
        match self.lanes {
            Lanes::One => 1,
            Lanes::Eight => 0xFF,
        }
    }

    /// The function, and the constants it reads at the address that it was told.
    ///
    /// The address that it is told is that of the number of them which is given last.
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
        constants.extend((0..4_u64).map(|pair| (2 * pair) | ((2 * pair + 1) << 32)));
        constants.resize(first + LANES_BYTES / 8, 0);
        constants.extend(self.constants);
        (bytes, constants, first)
    }

    fn put(&mut self, instruction: Result<Instruction, IcedError>) {
        let instruction = instruction.expect("operands are those of the code");
        let length = self.bytes.encode(&instruction, 0);
        self.length += length.expect("the processor has the instruction");
    }

    fn put_where(&mut self, when: Register, zeroes: bool, of: Result<Instruction, IcedError>) {
        let of = of.map(|mut instruction| {
            instruction.set_op_mask(when);
            instruction.set_zeroing_masking(zeroes);
            instruction
        });
        self.put(of);
    }

    fn constant(&mut self, value: u64) -> MemoryOperand {
        let next = self.constants.len();
        let at = *self.known.entry(value).or_insert(next);
        if at == next {
            self.constants.push(value);
        }
        memory(CONSTANTS, LANES_BYTES + 8 * at)
    }

    /// Where a row of constants is.
    fn row(&mut self, values: [u64; ROW]) -> MemoryOperand {
        self.rows.push(values);
        let before = i64::try_from(64 * self.rows.len()).expect("fewer than 2^32 rows");
        MemoryOperand::with_base_displ(CONSTANTS, -before)
    }

    pub(super) fn set_row(&mut self, to: u8, values: [u64; ROW]) {
        let from = self.row(values);
        let to = self.vector(Kind::Row, to);
        self.put(Instruction::with2(
            Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
            to,
            from,
        ));
    }

    /// A word as each of a row.
    pub(super) fn repeat(&mut self, to: u8, of: u8) {
        let (to, of) = (self.vector(Kind::Row, to), self.vector(Kind::Wide, of));
        self.put(Instruction::with2(
            Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64,
            to,
            of,
        ));
    }

    /// The words of a row from a number on, then those of another.
    pub(super) fn join(&mut self, to: u8, low: u8, high: u8, from: u8) {
        let code = Code::EVEX_Valignq_zmm_k1z_zmm_zmmm512b64_imm8;
        let [to, low, high] = [to, low, high].map(|number| self.vector(Kind::Row, number));
        self.put(Instruction::with4(code, to, high, low, u32::from(from)));
    }

    /// The first row where the bits of one machine are set, else the second.
    pub(super) fn choose_row(&mut self, to: u8, when: u8, a: u8, b: u8) {
        let eax = Register::EAX;
        self.put(Instruction::with2(Code::Mov_r32_rm32, eax, word(when)));
        self.put(Instruction::with1(Code::Neg_rm32, eax));
        self.put(Instruction::with2(Code::VEX_Kmovb_kr_r32, SPARE_MASK, eax));
        let [to, a, b] = [to, a, b].map(|number| self.vector(Kind::Row, number));
        let made = Instruction::with3(Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64, to, b, a);
        self.put_where(SPARE_MASK, false, made);
    }

    /// What goes on before the first instruction of a cycle: state and number of cycles are given.
    pub(super) fn begin(&mut self, prepare: impl FnOnce(&mut Self)) -> (usize, Jump, usize) {
        for register in SAVED {
            self.put(Instruction::with1(Code::Push_r64, register));
        }
        // Calls want a stack of 16 bytes at a time.
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

    /// Lets comparisons of one machine leave out what stands behind its word in a vector.
    fn set_first_mask(&mut self) {
        if self.lanes == Lanes::One {
            let eax = Register::EAX;
            self.put(Instruction::with2(Code::Mov_r32_imm32, eax, 1));
            self.put(Instruction::with2(Code::VEX_Kmovb_kr_r32, FIRST_MASK, eax));
        }
    }

    /// What goes on behind the last one: the next cycle, or the end with the number of those that were done.
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

    /// Lets a jump come here.
    pub(super) fn land(&mut self, jump: Jump) {
        self.jumps.push((jump.end, self.length));
    }

    /// Goes on elsewhere where no bit is set.
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
            self.put(Instruction::with2(Code::Movzx_r32_rm8, word(to), from));
            return;
        }
        let codes = codes!(
            EVEX_Vmovd_xmm_rm32,
            EVEX_Vmovdqu32_ymm_k1z_ymmm256,
            EVEX_Vmovq_xmm_xmmm64,
            EVEX_Vmovdqu64_zmm_k1z_zmmm512
        );
        let made = Instruction::with2(self.code(kind, codes), self.vector(kind, to), from);
        self.put(made);
    }

    pub(super) fn store(&mut self, kind: Kind, at: usize, from: u8) {
        let to = memory(STATE, at);
        if kind == Kind::Bits {
            self.put(Instruction::with2(Code::Mov_rm8_r8, to, byte(from)));
            return;
        }
        let codes = codes!(
            EVEX_Vmovd_rm32_xmm,
            EVEX_Vmovdqu32_ymmm256_k1z_ymm,
            EVEX_Vmovq_xmmm64_xmm,
            EVEX_Vmovdqu64_zmmm512_k1z_zmm
        );
        let made = Instruction::with2(self.code(kind, codes), to, self.vector(kind, from));
        self.put(made);
    }

    pub(super) fn copy(&mut self, kind: Kind, to: u8, from: u8) {
        let code = self.code(
            kind,
            codes!(
                EVEX_Vmovdqa32_xmm_k1z_xmmm128,
                EVEX_Vmovdqa32_ymm_k1z_ymmm256,
                EVEX_Vmovdqa64_xmm_k1z_xmmm128,
                EVEX_Vmovdqa64_zmm_k1z_zmmm512
            ),
        );
        self.put(Instruction::with2(
            code,
            self.vector(kind, to),
            self.vector(kind, from),
        ));
    }

    pub(super) fn set(&mut self, kind: Kind, to: u8, value: u64) {
        if kind == Kind::Bits {
            let value = if value & 1 == 0 { 0 } else { self.ones() };
            self.put(Instruction::with2(Code::Mov_r32_imm32, word(to), value));
            return;
        }
        let from = self.constant(value);
        let code = self.code(
            kind,
            codes!(
                EVEX_Vpbroadcastd_xmm_k1z_xmmm32,
                EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
                EVEX_Vpbroadcastq_xmm_k1z_xmmm64,
                EVEX_Vpbroadcastq_zmm_k1z_xmmm64
            ),
        );
        self.put(Instruction::with2(code, self.vector(kind, to), from));
    }

    /// An instruction on two vectors, the second of which may be a constant.
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
                // No more is read than the word.
                from.is_broadcast = self.lanes == Lanes::One && kind != Kind::Row;
                of(Err(from))
            }
            Source::Constant(value) => {
                let mut from = self.constant(value);
                from.is_broadcast = true;
                of(Err(from))
            }
        }
    }

    pub(super) fn binary(&mut self, operator: Operator, kind: Kind, to: u8, a: u8, b: Source) {
        let codes = match operator {
            Operator::Add => codes!(
                EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Sub => codes!(
                EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsubd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::And => codes!(
                EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Or => codes!(
                EVEX_Vpord_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpord_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vporq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vporq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Xor => codes!(
                EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Mul => codes!(
                EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpmulld_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::MulHalves => codes!(
                EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpmuludq_ymm_k1z_ymm_ymmm256b64,
                EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Shl => codes!(
                EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsllvd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Shr => codes!(
                EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsrlvd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Sar => codes!(
                EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsravd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64
            ),
            Operator::Rotl => codes!(
                EVEX_Vprolvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vprolvd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vprolvq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vprolvq_zmm_k1z_zmm_zmmm512b64
            ),
        };
        let code = self.code(kind, codes);
        let (to, a) = (self.vector(kind, to), self.vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with3(code, to, a, b),
            Err(b) => Instruction::with3(code, to, a, b),
        });
        self.put(made);
    }

    pub(super) fn shift(&mut self, shift: Shift, kind: Kind, to: u8, of: u8, by: u8) {
        let codes = match shift {
            Shift::Shl => codes!(
                EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8,
                EVEX_Vpslld_ymm_k1z_ymmm256b32_imm8,
                EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8,
                EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8
            ),
            Shift::Shr => codes!(
                EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8,
                EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8,
                EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8,
                EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8
            ),
            Shift::Sar => codes!(
                EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8,
                EVEX_Vpsrad_ymm_k1z_ymmm256b32_imm8,
                EVEX_Vpsraq_xmm_k1z_xmmm128b64_imm8,
                EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8
            ),
            Shift::Rotl => codes!(
                EVEX_Vprold_xmm_k1z_xmmm128b32_imm8,
                EVEX_Vprold_ymm_k1z_ymmm256b32_imm8,
                EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8,
                EVEX_Vprolq_zmm_k1z_zmmm512b64_imm8
            ),
        };
        let code = self.code(kind, codes);
        let (to, of) = (self.vector(kind, to), self.vector(kind, of));
        self.put(Instruction::with3(code, to, of, u32::from(by)));
    }

    /// The first of the three operands is replaced.
    pub(super) fn ternary(&mut self, table: u8, kind: Kind, to: u8, b: u8, c: u8) {
        let code = self.code(
            kind,
            codes!(
                EVEX_Vpternlogd_xmm_k1z_xmm_xmmm128b32_imm8,
                EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8,
                EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8,
                EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8
            ),
        );
        let [to, b, c] = [to, b, c].map(|number| self.vector(kind, number));
        self.put(Instruction::with4(code, to, b, c, u32::from(table)));
    }

    pub(super) fn compare(&mut self, relation: Relation, kind: Kind, to: u8, a: u8, b: Source) {
        let (codes, predicate) = match relation {
            Relation::Equal => (
                codes!(
                    EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8,
                    EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8,
                    EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8,
                    EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8
                ),
                0,
            ),
            Relation::Below => (
                codes!(
                    EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8,
                    EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8,
                    EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8,
                    EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8
                ),
                1,
            ),
            Relation::Less => (
                codes!(
                    EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8,
                    EVEX_Vpcmpd_kr_k1_ymm_ymmm256b32_imm8,
                    EVEX_Vpcmpq_kr_k1_xmm_xmmm128b64_imm8,
                    EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8
                ),
                1,
            ),
        };
        let code = self.code(kind, codes);
        let (to, a) = (mask(to), self.vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with4(code, to, a, b, predicate),
            Err(b) => Instruction::with4(code, to, a, b, predicate),
        });
        self.put_mask(made);
    }

    pub(super) fn test(&mut self, has: bool, kind: Kind, to: u8, a: u8, b: Source) {
        let code = match has {
            true => self.code(
                kind,
                codes!(
                    EVEX_Vptestmd_kr_k1_xmm_xmmm128b32,
                    EVEX_Vptestmd_kr_k1_ymm_ymmm256b32,
                    EVEX_Vptestmq_kr_k1_xmm_xmmm128b64,
                    EVEX_Vptestmq_kr_k1_zmm_zmmm512b64
                ),
            ),
            false => self.code(
                kind,
                codes!(
                    EVEX_Vptestnmd_kr_k1_xmm_xmmm128b32,
                    EVEX_Vptestnmd_kr_k1_ymm_ymmm256b32,
                    EVEX_Vptestnmq_kr_k1_xmm_xmmm128b64,
                    EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64
                ),
            ),
        };
        let (to, a) = (mask(to), self.vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with3(code, to, a, b),
            Err(b) => Instruction::with3(code, to, a, b),
        });
        self.put_mask(made);
    }

    /// An instruction that gives a mask: of one machine, the first bit.
    fn put_mask(&mut self, made: Result<Instruction, IcedError>) {
        match self.lanes {
            Lanes::One => self.put_where(FIRST_MASK, false, made),
            Lanes::Eight => self.put(made),
        }
    }

    pub(super) fn choose(&mut self, kind: Kind, to: u8, when: u8, a: u8, b: u8) {
        let code = self.code(
            kind,
            codes!(
                EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpblendmd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64
            ),
        );
        let [to, a, b] = [to, a, b].map(|number| self.vector(kind, number));
        let made = Instruction::with3(code, to, b, a);
        self.put_where(mask(when), false, made);
    }

    /// From a mask.
    pub(super) fn spread(&mut self, kind: Kind, to: u8, when: u8) {
        let from = self.constant(1);
        let codes = codes!(
            EVEX_Vpbroadcastd_xmm_k1z_xmmm32,
            EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
            EVEX_Vpbroadcastq_xmm_k1z_xmmm64,
            EVEX_Vpbroadcastq_zmm_k1z_xmmm64
        );
        let made = Instruction::with2(self.code(kind, codes), self.vector(kind, to), from);
        self.put_where(mask(when), true, made);
    }

    /// From a general register, of one machine.
    pub(super) fn vector_of_word(&mut self, to: u8, from: u8) {
        let to = self.vector(Kind::Narrow, to);
        self.put(Instruction::with2(
            Code::EVEX_Vmovd_xmm_rm32,
            to,
            word(from),
        ));
    }

    /// Narrow to wide, or the other way round.
    pub(super) fn convert(&mut self, to_kind: Kind, to: u8, from: u8) {
        let (narrow, wide) = (Kind::Narrow, Kind::Wide);
        let made = match (to_kind, self.lanes) {
            (Kind::Wide, Lanes::Eight) => {
                let code = Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256;
                Instruction::with2(code, self.vector(wide, to), self.vector(narrow, from))
            }
            (_, Lanes::Eight) => {
                let code = Code::EVEX_Vpmovqd_ymmm256_k1z_zmm;
                Instruction::with2(code, self.vector(narrow, to), self.vector(wide, from))
            }
            (Kind::Wide, Lanes::One) => {
                let code = Code::EVEX_Vpmovzxdq_xmm_k1z_xmmm64;
                Instruction::with2(code, self.vector(wide, to), self.vector(narrow, from))
            }
            // The low half is where it was.
            (_, Lanes::One) => return self.copy(narrow, to, from),
        };
        self.put(made);
    }

    /// `to` may be `a` or `b`.
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

    pub(super) fn mask_of_word(&mut self, to: u8, from: u8) {
        self.put(Instruction::with2(
            Code::VEX_Kmovb_kr_r32,
            mask(to),
            word(from),
        ));
    }

    pub(super) fn word_of_mask(&mut self, to: u8, from: u8) {
        self.put(Instruction::with2(
            Code::VEX_Kmovb_r32_kr,
            word(to),
            mask(from),
        ));
    }

    pub(super) fn load_mask(&mut self, to: u8, at: usize) {
        self.put(Instruction::with2(
            Code::VEX_Kmovb_kr_km8,
            mask(to),
            memory(STATE, at),
        ));
    }

    pub(super) fn store_mask(&mut self, at: usize, from: u8) {
        self.put(Instruction::with2(
            Code::VEX_Kmovb_m8_kr,
            memory(STATE, at),
            mask(from),
        ));
    }

    /// The mask for what gathers and scatters: they clear it.
    fn spare_mask(&mut self, when: Option<u8>) {
        let spare = SPARE_MASK;
        self.put(match when {
            Some(when) => Instruction::with2(Code::VEX_Kmovb_kr_km8, spare, mask(when)),
            None => Instruction::with3(Code::VEX_Kxnorb_kr_kr_kr, spare, spare, spare),
        });
    }

    /// The elements of eight machines.
    fn elements(&self, kind: Kind, at: usize, index: u8) -> MemoryOperand {
        let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
        let scale = if kind == Kind::Wide { 8 } else { 4 };
        let index = self.vector(Kind::Narrow, index);
        MemoryOperand::with_base_index_scale_displ_size(STATE, index, scale, at, 1)
    }

    /// The element of one machine.
    fn element(&mut self, at: usize, index: u8) -> MemoryOperand {
        let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
        let index = self.vector(Kind::Narrow, index);
        self.put(Instruction::with2(
            Code::EVEX_Vmovd_rm32_xmm,
            Register::EAX,
            index,
        ));
        MemoryOperand::with_base_index_scale_displ_size(STATE, Register::RAX, 8, at, 1)
    }

    /// `to` is not `index`.
    pub(super) fn gather(&mut self, kind: Kind, to: u8, at: usize, index: u8, when: Option<u8>) {
        if self.lanes == Lanes::One {
            let from = self.element(at, index);
            let to = self.vector(kind, to);
            let (plain, masked) = match kind {
                Kind::Narrow => (
                    Code::EVEX_Vmovd_xmm_rm32,
                    Code::EVEX_Vmovdqu32_xmm_k1z_xmmm128,
                ),
                _ => (
                    Code::EVEX_Vmovq_xmm_xmmm64,
                    Code::EVEX_Vmovdqu64_xmm_k1z_xmmm128,
                ),
            };
            return match when {
                None => self.put(Instruction::with2(plain, to, from)),
                Some(when) => {
                    let made = Instruction::with2(masked, to, from);
                    self.put_where(mask(when), true, made);
                }
            };
        }
        self.spare_mask(when);
        self.binary(Operator::Xor, kind, to, to, Source::Register(to));
        let code = match kind {
            Kind::Narrow => Code::EVEX_Vpgatherdd_ymm_k1_vm32y,
            _ => Code::EVEX_Vpgatherdq_zmm_k1_vm32y,
        };
        let from = self.elements(kind, at, index);
        let made = Instruction::with2(code, self.vector(kind, to), from);
        self.put_where(SPARE_MASK, false, made);
    }

    pub(super) fn scatter(&mut self, kind: Kind, from: u8, at: usize, index: u8, when: Option<u8>) {
        if self.lanes == Lanes::One {
            let to = self.element(at, index);
            let from = self.vector(kind, from);
            let (plain, masked) = match kind {
                Kind::Narrow => (
                    Code::EVEX_Vmovd_rm32_xmm,
                    Code::EVEX_Vmovdqu32_xmmm128_k1z_xmm,
                ),
                _ => (
                    Code::EVEX_Vmovq_xmmm64_xmm,
                    Code::EVEX_Vmovdqu64_xmmm128_k1z_xmm,
                ),
            };
            return match when {
                None => self.put(Instruction::with2(plain, to, from)),
                Some(when) => {
                    let made = Instruction::with2(masked, to, from);
                    self.put_where(mask(when), false, made);
                }
            };
        }
        self.spare_mask(when);
        let code = match kind {
            Kind::Narrow => Code::EVEX_Vpscatterdd_vm32y_k1_ymm,
            _ => Code::EVEX_Vpscatterdq_vm32y_k1_zmm,
        };
        let to = self.elements(kind, at, index);
        let made = Instruction::with2(code, to, self.vector(kind, from));
        self.put_where(SPARE_MASK, false, made);
    }

    /// One word of memory divided by another, into a third; a division by zero gives all ones, or the dividend.
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
        // What a division by zero gives is where the result is: the dividend in front of it as the remainder.
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

    /// A word of memory to another place.
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

    /// Calls a function with a number and the addresses of two places; registers hold nothing behind it but what they hold all the time.
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
