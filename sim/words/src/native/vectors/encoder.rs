//! Instructions of x86-64 with AVX-512, as bytes. The only place that knows of iced-x86.

use iced_x86::{Code, Encoder as Bytes, IcedError, Instruction, MemoryOperand, Register};

use super::code::{Kind, Logic, Operator, Relation, Shift};

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
/// The last one holds nothing from one instruction to the next, the first one cannot choose.
pub(super) const N_MASKS: usize = 6;
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
}

/// A function that is being written.
pub(super) struct Encoder {
    bytes: Bytes,
    length: usize,
    /// Where jumps go, by where they are.
    jumps: Vec<(usize, usize)>,
    /// Different constants, in the order in which they came.
    constants: Vec<u64>,
    known: rustc_hash::FxHashMap<u64, usize>,
}

fn vector(kind: Kind, number: u8) -> Register {
    let first = match kind {
        Kind::Bits => unreachable!("bits are in general registers"),
        Kind::Narrow => Register::YMM0,
        Kind::Wide => Register::ZMM0,
    };
    first + u32::from(number)
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

/// One of two codes, by the kind of the vectors.
fn by_kind(kind: Kind, narrow: Code, wide: Code) -> Code {
    match kind {
        Kind::Bits => unreachable!("bits are no vectors"),
        Kind::Narrow => narrow,
        Kind::Wide => wide,
    }
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self {
            bytes: Bytes::new(64),
            length: 0,
            jumps: Vec::new(),
            constants: Vec::new(),
            known: rustc_hash::FxHashMap::default(),
        }
    }

    /// The function, and the constants it reads at the address that it was told.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u64>) {
        let mut bytes = self.bytes.take_buffer();
        for (end, target) in self.jumps {
            let distance = i64::try_from(target).expect("code is shorter than 2 GiB")
                - i64::try_from(end).expect("code is shorter than 2 GiB");
            let distance = i32::try_from(distance).expect("code is shorter than 2 GiB");
            bytes[end - 4..end].copy_from_slice(&distance.to_le_bytes());
        }
        let lanes = (0..4_u64).map(|pair| 2 * pair | (2 * pair + 1) << 32);
        let mut constants: Vec<u64> = lanes.collect();
        constants.resize(LANES_BYTES / 8, 0);
        constants.extend(self.constants);
        (bytes, constants)
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

    /// What goes on before the first instruction of a cycle: state and number of cycles are given.
    pub(super) fn begin(&mut self) -> (usize, Jump, usize) {
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
        self.put(Instruction::with2(Code::Test_rm64_r64, CYCLES, CYCLES));
        let over = self.jump(Code::Je_rel32_64);
        (constants_end, over, self.length)
    }

    /// What goes on behind the last one.
    pub(super) fn end(&mut self, over: Jump, start: usize) {
        self.put(Instruction::with1(Code::Dec_rm64, CYCLES));
        let again = self.jump(Code::Jne_rel32_64);
        self.jumps.push((again.end, start));
        self.land(over);
        self.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
        self.put(Instruction::with1(Code::Pop_r64, Register::RAX));
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
        self.put(match kind {
            Kind::Bits => Instruction::with2(Code::Movzx_r32_rm8, word(to), from),
            Kind::Narrow => {
                Instruction::with2(Code::EVEX_Vmovdqu32_ymm_k1z_ymmm256, vector(kind, to), from)
            }
            Kind::Wide => {
                Instruction::with2(Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512, vector(kind, to), from)
            }
        });
    }

    pub(super) fn store(&mut self, kind: Kind, at: usize, from: u8) {
        let to = memory(STATE, at);
        self.put(match kind {
            Kind::Bits => Instruction::with2(Code::Mov_rm8_r8, to, byte(from)),
            Kind::Narrow => {
                Instruction::with2(Code::EVEX_Vmovdqu32_ymmm256_k1z_ymm, to, vector(kind, from))
            }
            Kind::Wide => {
                Instruction::with2(Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm, to, vector(kind, from))
            }
        });
    }

    pub(super) fn copy(&mut self, kind: Kind, to: u8, from: u8) {
        let code = by_kind(
            kind,
            Code::EVEX_Vmovdqa32_ymm_k1z_ymmm256,
            Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512,
        );
        self.put(Instruction::with2(
            code,
            vector(kind, to),
            vector(kind, from),
        ));
    }

    pub(super) fn set(&mut self, kind: Kind, to: u8, value: u64) {
        if kind == Kind::Bits {
            let value = if value & 1 == 0 { 0 } else { 0xFF };
            self.put(Instruction::with2(Code::Mov_r32_imm32, word(to), value));
            return;
        }
        let from = self.constant(value);
        let code = by_kind(
            kind,
            Code::EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
            Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64,
        );
        self.put(Instruction::with2(code, vector(kind, to), from));
    }

    /// An instruction on two vectors, the second of which may be a constant.
    fn with_source(
        &mut self,
        kind: Kind,
        source: Source,
        of: impl FnOnce(Result<Register, MemoryOperand>) -> Result<Instruction, IcedError>,
    ) -> Result<Instruction, IcedError> {
        match source {
            Source::Register(number) => of(Ok(vector(kind, number))),
            Source::Lanes => of(Err(memory(CONSTANTS, 0))),
            Source::State(at) => of(Err(memory(STATE, at))),
            Source::Constant(value) => {
                let mut from = self.constant(value);
                from.is_broadcast = true;
                of(Err(from))
            }
        }
    }

    pub(super) fn binary(&mut self, operator: Operator, kind: Kind, to: u8, a: u8, b: Source) {
        let (narrow, wide) = match operator {
            Operator::Add => (
                Code::EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Sub => (
                Code::EVEX_Vpsubd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::And => (
                Code::EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Or => (
                Code::EVEX_Vpord_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Xor => (
                Code::EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Mul => (
                Code::EVEX_Vpmulld_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::MulHalves => (
                Code::EVEX_Vpmuludq_ymm_k1z_ymm_ymmm256b64,
                Code::EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Shl => (
                Code::EVEX_Vpsllvd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Shr => (
                Code::EVEX_Vpsrlvd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Sar => (
                Code::EVEX_Vpsravd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64,
            ),
            Operator::Rotl => (
                Code::EVEX_Vprolvd_ymm_k1z_ymm_ymmm256b32,
                Code::EVEX_Vprolvq_zmm_k1z_zmm_zmmm512b64,
            ),
        };
        let code = by_kind(kind, narrow, wide);
        let (to, a) = (vector(kind, to), vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with3(code, to, a, b),
            Err(b) => Instruction::with3(code, to, a, b),
        });
        self.put(made);
    }

    pub(super) fn shift(&mut self, shift: Shift, kind: Kind, to: u8, of: u8, by: u8) {
        let (narrow, wide) = match shift {
            Shift::Shl => (
                Code::EVEX_Vpslld_ymm_k1z_ymmm256b32_imm8,
                Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
            ),
            Shift::Shr => (
                Code::EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8,
                Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8,
            ),
            Shift::Sar => (
                Code::EVEX_Vpsrad_ymm_k1z_ymmm256b32_imm8,
                Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8,
            ),
            Shift::Rotl => (
                Code::EVEX_Vprold_ymm_k1z_ymmm256b32_imm8,
                Code::EVEX_Vprolq_zmm_k1z_zmmm512b64_imm8,
            ),
        };
        let code = by_kind(kind, narrow, wide);
        let (to, of) = (vector(kind, to), vector(kind, of));
        self.put(Instruction::with3(code, to, of, u32::from(by)));
    }

    /// The first of the three operands is replaced.
    pub(super) fn ternary(&mut self, table: u8, kind: Kind, to: u8, b: u8, c: u8) {
        let code = by_kind(
            kind,
            Code::EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8,
            Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8,
        );
        let [to, b, c] = [to, b, c].map(|number| vector(kind, number));
        self.put(Instruction::with4(code, to, b, c, u32::from(table)));
    }

    pub(super) fn compare(&mut self, relation: Relation, kind: Kind, to: u8, a: u8, b: Source) {
        let (narrow, wide, predicate) = match relation {
            Relation::Equal => (
                Code::EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8,
                Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8,
                0,
            ),
            Relation::Below => (
                Code::EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8,
                Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8,
                1,
            ),
            Relation::Less => (
                Code::EVEX_Vpcmpd_kr_k1_ymm_ymmm256b32_imm8,
                Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8,
                1,
            ),
        };
        let code = by_kind(kind, narrow, wide);
        let (to, a) = (mask(to), vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with4(code, to, a, b, predicate),
            Err(b) => Instruction::with4(code, to, a, b, predicate),
        });
        self.put(made);
    }

    pub(super) fn test(&mut self, has: bool, kind: Kind, to: u8, a: u8, b: Source) {
        let code = match has {
            true => by_kind(
                kind,
                Code::EVEX_Vptestmd_kr_k1_ymm_ymmm256b32,
                Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64,
            ),
            false => by_kind(
                kind,
                Code::EVEX_Vptestnmd_kr_k1_ymm_ymmm256b32,
                Code::EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64,
            ),
        };
        let (to, a) = (mask(to), vector(kind, a));
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with3(code, to, a, b),
            Err(b) => Instruction::with3(code, to, a, b),
        });
        self.put(made);
    }

    pub(super) fn choose(&mut self, kind: Kind, to: u8, when: u8, a: u8, b: u8) {
        let code = by_kind(
            kind,
            Code::EVEX_Vpblendmd_ymm_k1z_ymm_ymmm256b32,
            Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64,
        );
        let [to, a, b] = [to, a, b].map(|number| vector(kind, number));
        let made = Instruction::with3(code, to, b, a);
        self.put_where(mask(when), false, made);
    }

    pub(super) fn spread(&mut self, kind: Kind, to: u8, when: u8) {
        let from = self.constant(1);
        let code = by_kind(
            kind,
            Code::EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
            Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64,
        );
        let made = Instruction::with2(code, vector(kind, to), from);
        self.put_where(mask(when), true, made);
    }

    /// Narrow to wide, or the other way round.
    pub(super) fn convert(&mut self, to_kind: Kind, to: u8, from: u8) {
        let (narrow, wide) = (Kind::Narrow, Kind::Wide);
        self.put(match to_kind {
            Kind::Wide => {
                let code = Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256;
                Instruction::with2(code, vector(wide, to), vector(narrow, from))
            }
            Kind::Bits | Kind::Narrow => {
                let code = Code::EVEX_Vpmovqd_ymmm256_k1z_zmm;
                Instruction::with2(code, vector(narrow, to), vector(wide, from))
            }
        });
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
        self.put(Instruction::with2(Code::Xor_rm32_imm32, word(to), 0xFF));
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

    fn elements(kind: Kind, at: usize, index: u8) -> MemoryOperand {
        let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
        let scale = if kind == Kind::Wide { 8 } else { 4 };
        let index = vector(Kind::Narrow, index);
        MemoryOperand::with_base_index_scale_displ_size(STATE, index, scale, at, 1)
    }

    /// `to` is not `index`.
    pub(super) fn gather(&mut self, kind: Kind, to: u8, at: usize, index: u8, when: Option<u8>) {
        self.spare_mask(when);
        self.binary(Operator::Xor, kind, to, to, Source::Register(to));
        let code = by_kind(
            kind,
            Code::EVEX_Vpgatherdd_ymm_k1_vm32y,
            Code::EVEX_Vpgatherdq_zmm_k1_vm32y,
        );
        let from = Self::elements(kind, at, index);
        let made = Instruction::with2(code, vector(kind, to), from);
        self.put_where(SPARE_MASK, false, made);
    }

    pub(super) fn scatter(&mut self, kind: Kind, from: u8, at: usize, index: u8, when: Option<u8>) {
        self.spare_mask(when);
        let code = by_kind(
            kind,
            Code::EVEX_Vpscatterdd_vm32y_k1_ymm,
            Code::EVEX_Vpscatterdq_vm32y_k1_zmm,
        );
        let to = Self::elements(kind, at, index);
        let made = Instruction::with2(code, to, vector(kind, from));
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
    }
}
