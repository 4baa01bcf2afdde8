//! Encoding of AVX2 instructions: 256-bit vectors in which sign bits select lanes. A word of 64 bits of eight machines takes two
//! vectors.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::{CONSTANTS, Encoder, STATE, Source, memory, word};
use crate::native::vectors::code::{Kind, Match, Operator, Shift};

/// The opcodes of one instruction: for narrow vectors and for halves.
pub(super) type Codes = [Code; 2];

pub(super) const LOAD: Codes = [Code::VEX_Vmovdqu_ymm_ymmm256; 2];
pub(super) const STORE: Codes = [Code::VEX_Vmovdqu_ymmm256_ymm; 2];
pub(super) const COPY: Codes = [Code::VEX_Vmovdqa_ymm_ymmm256; 2];
pub(super) const SET: Codes = [
    Code::VEX_Vpbroadcastd_ymm_xmmm32,
    Code::VEX_Vpbroadcastq_ymm_xmmm64,
];

/// Returns the opcode for a kind.
pub(super) fn of_kind(kind: Kind, codes: Codes) -> Code {
    let [narrow, half] = codes;
    match kind {
        Kind::Narrow => narrow,
        Kind::Half => half,
        Kind::Bits | Kind::Wide | Kind::Row => {
            unreachable!("vectors of AVX2 are narrow, or halves")
        }
    }
}

/// Returns the opcode of a binary vector operator.
pub(super) fn of_operator(operator: Operator, kind: Kind) -> Code {
    let codes = match operator {
        Operator::Add => [
            Code::VEX_Vpaddd_ymm_ymm_ymmm256,
            Code::VEX_Vpaddq_ymm_ymm_ymmm256,
        ],
        Operator::Sub => [
            Code::VEX_Vpsubd_ymm_ymm_ymmm256,
            Code::VEX_Vpsubq_ymm_ymm_ymmm256,
        ],
        Operator::And => [Code::VEX_Vpand_ymm_ymm_ymmm256; 2],
        Operator::Or => [Code::VEX_Vpor_ymm_ymm_ymmm256; 2],
        Operator::Xor => [Code::VEX_Vpxor_ymm_ymm_ymmm256; 2],
        Operator::NotAnd => [Code::VEX_Vpandn_ymm_ymm_ymmm256; 2],
        Operator::Max => [Code::VEX_Vpmaxud_ymm_ymm_ymmm256; 2],
        Operator::Mul => [Code::VEX_Vpmulld_ymm_ymm_ymmm256; 2],
        Operator::MulHalves => [Code::VEX_Vpmuludq_ymm_ymm_ymmm256; 2],
        Operator::Shl => [
            Code::VEX_Vpsllvd_ymm_ymm_ymmm256,
            Code::VEX_Vpsllvq_ymm_ymm_ymmm256,
        ],
        Operator::Shr => [
            Code::VEX_Vpsrlvd_ymm_ymm_ymmm256,
            Code::VEX_Vpsrlvq_ymm_ymm_ymmm256,
        ],
        Operator::Sar => [Code::VEX_Vpsravd_ymm_ymm_ymmm256; 2],
        Operator::Rotl => unreachable!("AVX2 has no rotations"),
    };
    let is_of_all = match kind {
        Kind::Half => !matches!(operator, Operator::Max | Operator::Mul | Operator::Sar),
        _ => operator != Operator::MulHalves,
    };
    assert!(is_of_all, "AVX2 has no {operator:?} of {kind:?} words");
    of_kind(kind, codes)
}

/// Returns the opcode of a shift by a constant.
pub(super) fn of_shift(shift: Shift, kind: Kind) -> Code {
    match (shift, kind) {
        (Shift::Shl, _) => of_kind(
            kind,
            [Code::VEX_Vpslld_ymm_ymm_imm8, Code::VEX_Vpsllq_ymm_ymm_imm8],
        ),
        (Shift::Shr, _) => of_kind(
            kind,
            [Code::VEX_Vpsrld_ymm_ymm_imm8, Code::VEX_Vpsrlq_ymm_ymm_imm8],
        ),
        (Shift::Sar, Kind::Narrow) => Code::VEX_Vpsrad_ymm_ymm_imm8,
        (Shift::Sar | Shift::Rotl, _) => unreachable!("AVX2 has no {shift:?} of {kind:?} words"),
    }
}

/// Returns the lower 128 bits of a vector register.
fn lower(of: Register) -> Register {
    Register::XMM0 + (of as u32 - Register::YMM0 as u32)
}

impl Encoder {
    /// Returns the location of a constant that fills a vector.
    pub(super) fn repeated(&mut self, kind: Kind, value: u64) -> MemoryOperand {
        let word = match kind {
            Kind::Narrow => value << 32 | value & 0xFFFF_FFFF,
            _ => value,
        };
        let next = self.constants.len();
        let at = *self.known_repeated.entry(word).or_insert(next);
        if at == next {
            self.constants.extend([word; 4]);
        }
        memory(CONSTANTS, super::LANES_BYTES + 8 * at)
    }

    /// Compares vectors: all ones where the comparison holds, else 0.
    pub(in crate::native::vectors) fn matched(
        &mut self,
        is: Match,
        kind: Kind,
        to: u8,
        a: u8,
        b: Source,
    ) {
        let codes = match is {
            Match::Equal => [
                Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256,
                Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256,
            ],
            Match::Greater => [
                Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256,
                Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256,
            ],
        };
        let (code, to, a) = (
            of_kind(kind, codes),
            self.vector(kind, to),
            self.vector(kind, a),
        );
        let made = self.with_source(kind, b, |b| match b {
            Ok(b) => Instruction::with3(code, to, a, b),
            Err(b) => Instruction::with3(code, to, a, b),
        });
        self.put(made);
    }

    /// Collects the sign bits of eight narrow words as bits.
    pub(in crate::native::vectors) fn word_of_signs(&mut self, to: u8, of: u8) {
        let of = self.vector(Kind::Narrow, of);
        self.put(Instruction::with2(
            Code::VEX_Vmovmskps_r32_ymm,
            word(to),
            of,
        ));
    }

    /// Collects the sign bits of two halves as bits.
    pub(in crate::native::vectors) fn word_of_halves(&mut self, to: u8, of: [u8; 2]) {
        let [low, high] = of.map(|number| self.vector(Kind::Half, number));
        let eax = Register::EAX;
        self.put(Instruction::with2(Code::VEX_Vmovmskpd_r32_ymm, eax, high));
        self.put(Instruction::with2(
            Code::VEX_Vmovmskpd_r32_ymm,
            word(to),
            low,
        ));
        self.put(Instruction::with2(Code::Shl_rm32_imm8, eax, 4));
        self.put(Instruction::with2(Code::Or_r32_rm32, word(to), eax));
    }

    /// Turns bits into the sign bits of narrow words; the other bits are undefined.
    pub(in crate::native::vectors) fn signs_of_word(&mut self, to: u8, from: u8) {
        let vector = self.vector(Kind::Narrow, to);
        self.put(Instruction::with2(
            Code::VEX_Vmovd_xmm_rm32,
            lower(vector),
            word(from),
        ));
        self.put(Instruction::with2(
            Code::VEX_Vpbroadcastd_ymm_xmmm32,
            vector,
            lower(vector),
        ));
        self.shift_to_signs(vector);
    }

    /// Turns bits in memory into the sign bits of narrow words.
    pub(in crate::native::vectors) fn signs_of_byte(&mut self, to: u8, at: usize) {
        let vector = self.vector(Kind::Narrow, to);
        self.put(Instruction::with2(
            Code::VEX_Vpbroadcastb_ymm_xmmm8,
            vector,
            memory(STATE, at),
        ));
        self.shift_to_signs(vector);
    }

    /// Shifts the bit of each machine to the sign position.
    fn shift_to_signs(&mut self, of: Register) {
        let by = memory(CONSTANTS, super::LANES_BYTES / 2);
        self.put(Instruction::with3(
            Code::VEX_Vpsllvd_ymm_ymm_ymmm256,
            of,
            of,
            by,
        ));
    }

    /// Selects `a` where the signs are set, else `b`.
    pub(in crate::native::vectors) fn blend(
        &mut self,
        kind: Kind,
        to: u8,
        signs: u8,
        a: u8,
        b: u8,
    ) {
        let codes = [
            Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm,
            Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm,
        ];
        let [to, signs, a, b] = [to, signs, a, b].map(|number| self.vector(kind, number));
        self.put(Instruction::with4(of_kind(kind, codes), to, b, a, signs));
    }

    /// Extends the lower four narrow words to a half, with zeros or with their signs.
    pub(in crate::native::vectors) fn extend(&mut self, is_signed: bool, to: u8, of: u8) {
        let code = match is_signed {
            true => Code::VEX_Vpmovsxdq_ymm_xmmm128,
            false => Code::VEX_Vpmovzxdq_ymm_xmmm128,
        };
        let (to, of) = (self.vector(Kind::Half, to), self.vector(Kind::Narrow, of));
        self.put(Instruction::with2(code, to, lower(of)));
    }

    /// Moves the upper four narrow words to the lower positions.
    pub(in crate::native::vectors) fn upper(&mut self, to: u8, of: u8) {
        let (to, of) = (self.vector(Kind::Narrow, to), self.vector(Kind::Narrow, of));
        let code = Code::VEX_Vextracti128_xmmm128_ymm_imm8;
        self.put(Instruction::with3(code, lower(to), of, 1));
    }

    /// Packs the lower or the upper 32 bits of the words of two halves.
    pub(in crate::native::vectors) fn pack(&mut self, is_upper: bool, to: u8, of: [u8; 2]) {
        let [low, high] = of.map(|number| self.vector(Kind::Half, number));
        let to = self.vector(Kind::Narrow, to);
        let picked = if is_upper { 0xDD } else { 0x88 };
        let code = Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8;
        self.put(Instruction::with4(code, to, low, high, picked));
        // The shuffle works in 128-bit lanes, so its result is two words of each half in turn.
        self.put(Instruction::with3(
            Code::VEX_Vpermq_ymm_ymmm256_imm8,
            to,
            to,
            0xD8,
        ));
    }

    /// Gathers elements by all indices, or by the lower four for a half. `signs` selects the lanes and is overwritten.
    pub(in crate::native::vectors) fn gather_by_signs(
        &mut self,
        kind: Kind,
        to: u8,
        at: usize,
        index: u8,
        signs: u8,
    ) {
        let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
        let all = self.vector(Kind::Narrow, index);
        let (code, index, scale) = match kind {
            Kind::Half => (Code::VEX_Vpgatherdq_ymm_vm32x_ymm, lower(all), 8),
            _ => (Code::VEX_Vpgatherdd_ymm_vm32y_ymm, all, 4),
        };
        let [to, signs] = [to, signs].map(|number| self.vector(kind, number));
        self.put(Instruction::with3(
            Code::VEX_Vpxor_ymm_ymm_ymmm256,
            to,
            to,
            to,
        ));
        let from = MemoryOperand::with_base_index_scale_displ_size(STATE, index, scale, at, 1);
        self.put(Instruction::with3(code, to, from, signs));
    }

    pub(in crate::native::vectors) fn set_signs(&mut self, of: u8) {
        let of = self.vector(Kind::Narrow, of);
        self.put(Instruction::with3(
            Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256,
            of,
            of,
            of,
        ));
    }

    /// Scatters words in memory to the elements whose indices are in memory.
    pub(in crate::native::vectors) fn scatter_from(
        &mut self,
        kind: Kind,
        from: usize,
        at: usize,
        indices: usize,
    ) {
        let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
        let (n_lanes, bytes, scale) = if kind == Kind::Half {
            (4, 8, 8)
        } else {
            (8, 4, 4)
        };
        for lane in 0..n_lanes {
            let index = memory(STATE, indices + 4 * lane);
            self.put(Instruction::with2(Code::Mov_r32_rm32, Register::EAX, index));
            let to =
                MemoryOperand::with_base_index_scale_displ_size(STATE, Register::RAX, scale, at, 1);
            let word = memory(STATE, from + bytes * lane);
            if kind == Kind::Half {
                self.put(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, word));
                self.put(Instruction::with2(Code::Mov_rm64_r64, to, Register::RCX));
            } else {
                self.put(Instruction::with2(Code::Mov_r32_rm32, Register::ECX, word));
                self.put(Instruction::with2(Code::Mov_rm32_r32, to, Register::ECX));
            }
        }
    }
}
