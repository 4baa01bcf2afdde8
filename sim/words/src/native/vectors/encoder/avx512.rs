//! Encoding of AVX-512 instructions: mask registers, comparisons that give masks, logic of three operands, rows of one machine.

use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

use super::{CONSTANTS, Encoder, FIRST_MASK, SPARE_MASK, STATE, Source, mask, memory, word};
use crate::native::vectors::code::{Kind, Operator, Relation, Shift};
use crate::native::vectors::layout::Lanes;
use crate::rows::ROW;

/// The opcodes of one instruction: narrow for one, eight and sixteen machines; wide for one and eight machines.
pub(super) type Codes = [Code; 5];

/// Names the opcodes that differ only in the vector length.
macro_rules! codes {
    ($narrow_one:ident, $narrow:ident, $narrow_long:ident, $wide_one:ident, $wide:ident) => {
        [
            Code::$narrow_one,
            Code::$narrow,
            Code::$narrow_long,
            Code::$wide_one,
            Code::$wide,
        ]
    };
}

pub(super) const LOAD: Codes = codes!(
    EVEX_Vmovd_xmm_rm32,
    EVEX_Vmovdqu32_ymm_k1z_ymmm256,
    EVEX_Vmovdqu32_zmm_k1z_zmmm512,
    EVEX_Vmovq_xmm_xmmm64,
    EVEX_Vmovdqu64_zmm_k1z_zmmm512
);
pub(super) const STORE: Codes = codes!(
    EVEX_Vmovd_rm32_xmm,
    EVEX_Vmovdqu32_ymmm256_k1z_ymm,
    EVEX_Vmovdqu32_zmmm512_k1z_zmm,
    EVEX_Vmovq_xmmm64_xmm,
    EVEX_Vmovdqu64_zmmm512_k1z_zmm
);
pub(super) const SET: Codes = codes!(
    EVEX_Vpbroadcastd_xmm_k1z_xmmm32,
    EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
    EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
    EVEX_Vpbroadcastq_xmm_k1z_xmmm64,
    EVEX_Vpbroadcastq_zmm_k1z_xmmm64
);
pub(super) const COPY: Codes = codes!(
    EVEX_Vmovdqa32_xmm_k1z_xmmm128,
    EVEX_Vmovdqa32_ymm_k1z_ymmm256,
    EVEX_Vmovdqa32_zmm_k1z_zmmm512,
    EVEX_Vmovdqa64_xmm_k1z_xmmm128,
    EVEX_Vmovdqa64_zmm_k1z_zmmm512
);

/// Returns the opcodes of a binary vector operator.
pub(super) fn of_operator(operator: Operator) -> Codes {
    match operator {
        Operator::Add => codes!(
            EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Sub => codes!(
            EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpsubd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::And => codes!(
            EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Or => codes!(
            EVEX_Vpord_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpord_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpord_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vporq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vporq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Xor => codes!(
            EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Mul => codes!(
            EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpmulld_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::MulHalves => codes!(
            EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpmuludq_ymm_k1z_ymm_ymmm256b64,
            EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64,
            EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Shl => codes!(
            EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpsllvd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Shr => codes!(
            EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpsrlvd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Sar => codes!(
            EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vpsravd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::Rotl => codes!(
            EVEX_Vprolvd_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vprolvd_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vprolvd_zmm_k1z_zmm_zmmm512b32,
            EVEX_Vprolvq_xmm_k1z_xmm_xmmm128b64,
            EVEX_Vprolvq_zmm_k1z_zmm_zmmm512b64
        ),
        Operator::NotAnd | Operator::Max => unreachable!("made for AVX2 alone"),
    }
}

/// Returns the opcodes of a shift by a constant.
pub(super) fn of_shift(shift: Shift) -> Codes {
    match shift {
        Shift::Shl => codes!(
            EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8,
            EVEX_Vpslld_ymm_k1z_ymmm256b32_imm8,
            EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8,
            EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8,
            EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8
        ),
        Shift::Shr => codes!(
            EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8,
            EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8,
            EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
            EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8,
            EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8
        ),
        Shift::Sar => codes!(
            EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8,
            EVEX_Vpsrad_ymm_k1z_ymmm256b32_imm8,
            EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8,
            EVEX_Vpsraq_xmm_k1z_xmmm128b64_imm8,
            EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8
        ),
        Shift::Rotl => codes!(
            EVEX_Vprold_xmm_k1z_xmmm128b32_imm8,
            EVEX_Vprold_ymm_k1z_ymmm256b32_imm8,
            EVEX_Vprold_zmm_k1z_zmmm512b32_imm8,
            EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8,
            EVEX_Vprolq_zmm_k1z_zmmm512b64_imm8
        ),
    }
}

impl Encoder {
    fn put_where(&mut self, when: Register, zeroes: bool, of: Result<Instruction, IcedError>) {
        let of = of.map(|mut instruction| {
            instruction.set_op_mask(when);
            instruction.set_zeroing_masking(zeroes);
            instruction
        });
        self.put(of);
    }

    /// Returns the location of a row of constants.
    pub(super) fn row(&mut self, values: [u64; ROW]) -> MemoryOperand {
        self.rows.push(values);
        let before = i64::try_from(64 * self.rows.len()).expect("fewer than 2^32 rows");
        MemoryOperand::with_base_displ(CONSTANTS, -before)
    }

    pub(in crate::native::vectors) fn set_row(&mut self, to: u8, values: [u64; ROW]) {
        let from = self.row(values);
        let to = self.vector(Kind::Row, to);
        self.put(Instruction::with2(
            Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
            to,
            from,
        ));
    }

    /// Broadcasts a word to all words of a row.
    pub(in crate::native::vectors) fn repeat(&mut self, to: u8, of: u8) {
        let (to, of) = (self.vector(Kind::Row, to), self.vector(Kind::Wide, of));
        self.put(Instruction::with2(
            Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64,
            to,
            of,
        ));
    }

    /// Joins the words of `low` from number `from` on, and the first words of `high`.
    pub(in crate::native::vectors) fn join(&mut self, to: u8, low: u8, high: u8, from: u8) {
        let code = Code::EVEX_Valignq_zmm_k1z_zmm_zmmm512b64_imm8;
        let [to, low, high] = [to, low, high].map(|number| self.vector(Kind::Row, number));
        self.put(Instruction::with4(code, to, high, low, u32::from(from)));
    }

    /// Selects row `a` if the bit of the one machine is set, else row `b`.
    pub(in crate::native::vectors) fn choose_row(&mut self, to: u8, when: u8, a: u8, b: u8) {
        let eax = Register::EAX;
        self.put(Instruction::with2(Code::Mov_r32_rm32, eax, word(when)));
        self.put(Instruction::with1(Code::Neg_rm32, eax));
        self.put(Instruction::with2(Code::VEX_Kmovb_kr_r32, SPARE_MASK, eax));
        let [to, a, b] = [to, a, b].map(|number| self.vector(Kind::Row, number));
        let made = Instruction::with3(Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64, to, b, a);
        self.put_where(SPARE_MASK, false, made);
    }

    /// Sets the mask with which comparisons of one machine ignore the unused words of a vector.
    pub(super) fn set_first_mask(&mut self) {
        if self.lanes == Lanes::One {
            let eax = Register::EAX;
            self.put(Instruction::with2(Code::Mov_r32_imm32, eax, 1));
            self.put(Instruction::with2(Code::VEX_Kmovb_kr_r32, FIRST_MASK, eax));
        }
    }

    /// Bitwise logic of three operands, of which the first is also the result.
    pub(in crate::native::vectors) fn ternary(
        &mut self,
        table: u8,
        kind: Kind,
        to: u8,
        b: u8,
        c: u8,
    ) {
        let code = self.code(
            kind,
            codes!(
                EVEX_Vpternlogd_xmm_k1z_xmm_xmmm128b32_imm8,
                EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8,
                EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8,
                EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8,
                EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8
            ),
        );
        let [to, b, c] = [to, b, c].map(|number| self.vector(kind, number));
        self.put(Instruction::with4(code, to, b, c, u32::from(table)));
    }

    pub(in crate::native::vectors) fn compare(
        &mut self,
        relation: Relation,
        kind: Kind,
        to: u8,
        a: u8,
        b: Source,
    ) {
        let (codes, predicate) = match relation {
            Relation::Equal => (
                codes!(
                    EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8,
                    EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8,
                    EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8,
                    EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8,
                    EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8
                ),
                0,
            ),
            Relation::Below => (
                codes!(
                    EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8,
                    EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8,
                    EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8,
                    EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8,
                    EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8
                ),
                1,
            ),
            Relation::Less => (
                codes!(
                    EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8,
                    EVEX_Vpcmpd_kr_k1_ymm_ymmm256b32_imm8,
                    EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8,
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

    pub(in crate::native::vectors) fn test(
        &mut self,
        has: bool,
        kind: Kind,
        to: u8,
        a: u8,
        b: Source,
    ) {
        let code = match has {
            true => self.code(
                kind,
                codes!(
                    EVEX_Vptestmd_kr_k1_xmm_xmmm128b32,
                    EVEX_Vptestmd_kr_k1_ymm_ymmm256b32,
                    EVEX_Vptestmd_kr_k1_zmm_zmmm512b32,
                    EVEX_Vptestmq_kr_k1_xmm_xmmm128b64,
                    EVEX_Vptestmq_kr_k1_zmm_zmmm512b64
                ),
            ),
            false => self.code(
                kind,
                codes!(
                    EVEX_Vptestnmd_kr_k1_xmm_xmmm128b32,
                    EVEX_Vptestnmd_kr_k1_ymm_ymmm256b32,
                    EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32,
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

    /// Emits an instruction that gives a mask; for one machine only the first bit is kept.
    fn put_mask(&mut self, made: Result<Instruction, IcedError>) {
        match self.lanes {
            Lanes::One => self.put_where(FIRST_MASK, false, made),
            Lanes::Eight | Lanes::Sixteen => self.put(made),
        }
    }

    pub(in crate::native::vectors) fn choose(
        &mut self,
        kind: Kind,
        to: u8,
        when: u8,
        a: u8,
        b: u8,
    ) {
        let code = self.code(
            kind,
            codes!(
                EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpblendmd_ymm_k1z_ymm_ymmm256b32,
                EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32,
                EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64,
                EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64
            ),
        );
        let [to, a, b] = [to, a, b].map(|number| self.vector(kind, number));
        let made = Instruction::with3(code, to, b, a);
        self.put_where(mask(when), false, made);
    }

    /// Converts a mask to words.
    pub(in crate::native::vectors) fn spread(&mut self, kind: Kind, to: u8, when: u8) {
        let from = self.constant(1);
        let codes = codes!(
            EVEX_Vpbroadcastd_xmm_k1z_xmmm32,
            EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
            EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
            EVEX_Vpbroadcastq_xmm_k1z_xmmm64,
            EVEX_Vpbroadcastq_zmm_k1z_xmmm64
        );
        let made = Instruction::with2(self.code(kind, codes), self.vector(kind, to), from);
        self.put_where(mask(when), true, made);
    }

    /// Moves a general register to a vector; one machine only.
    pub(in crate::native::vectors) fn vector_of_word(&mut self, to: u8, from: u8) {
        let to = self.vector(Kind::Narrow, to);
        self.put(Instruction::with2(
            Code::EVEX_Vmovd_xmm_rm32,
            to,
            word(from),
        ));
    }

    /// Converts narrow to wide, or wide to narrow.
    pub(in crate::native::vectors) fn convert(&mut self, to_kind: Kind, to: u8, from: u8) {
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
            // The low half is already in place.
            (_, Lanes::One) => return self.copy(narrow, to, from),
            (_, Lanes::Sixteen) => unreachable!("sixteen have no wide words"),
        };
        self.put(made);
    }

    pub(in crate::native::vectors) fn mask_of_word(&mut self, to: u8, from: u8) {
        let code = self.of_mask(Code::VEX_Kmovb_kr_r32, Code::VEX_Kmovw_kr_r32);
        self.put(Instruction::with2(code, mask(to), word(from)));
    }

    pub(in crate::native::vectors) fn word_of_mask(&mut self, to: u8, from: u8) {
        let code = self.of_mask(Code::VEX_Kmovb_r32_kr, Code::VEX_Kmovw_r32_kr);
        self.put(Instruction::with2(code, word(to), mask(from)));
    }

    pub(in crate::native::vectors) fn load_mask(&mut self, to: u8, at: usize) {
        let code = self.of_mask(Code::VEX_Kmovb_kr_km8, Code::VEX_Kmovw_kr_km16);
        self.put(Instruction::with2(code, mask(to), memory(STATE, at)));
    }

    pub(in crate::native::vectors) fn store_mask(&mut self, at: usize, from: u8) {
        let code = self.of_mask(Code::VEX_Kmovb_m8_kr, Code::VEX_Kmovw_m16_kr);
        self.put(Instruction::with2(code, memory(STATE, at), mask(from)));
    }

    /// Copies a mask to the spare mask register, because gathers and scatters clear their mask.
    fn spare_mask(&mut self, when: Option<u8>) {
        let spare = SPARE_MASK;
        let copy = self.of_mask(Code::VEX_Kmovb_kr_km8, Code::VEX_Kmovw_kr_km16);
        let ones = self.of_mask(Code::VEX_Kxnorb_kr_kr_kr, Code::VEX_Kxnorw_kr_kr_kr);
        self.put(match when {
            Some(when) => Instruction::with2(copy, spare, mask(when)),
            None => Instruction::with3(ones, spare, spare, spare),
        });
    }

    /// Returns the opcode of an instruction on masks of eight or of sixteen bits.
    fn of_mask(&self, eight: Code, sixteen: Code) -> Code {
        match self.lanes {
            Lanes::Sixteen => sixteen,
            Lanes::One | Lanes::Eight => eight,
        }
    }

    /// Returns the memory operand of the elements of a group of machines.
    fn elements(&self, kind: Kind, at: usize, index: u8) -> MemoryOperand {
        let at = i64::try_from(at).expect("a state is shorter than 2 GiB");
        let scale = if kind == Kind::Wide { 8 } else { 4 };
        let index = self.vector(Kind::Narrow, index);
        MemoryOperand::with_base_index_scale_displ_size(STATE, index, scale, at, 1)
    }

    /// Returns the memory operand of the element of one machine.
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

    /// Gathers elements. Precondition: `to` is not `index`.
    pub(in crate::native::vectors) fn gather(
        &mut self,
        kind: Kind,
        to: u8,
        at: usize,
        index: u8,
        when: Option<u8>,
    ) {
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
            Kind::Narrow if self.lanes == Lanes::Sixteen => Code::EVEX_Vpgatherdd_zmm_k1_vm32z,
            Kind::Narrow => Code::EVEX_Vpgatherdd_ymm_k1_vm32y,
            _ => Code::EVEX_Vpgatherdq_zmm_k1_vm32y,
        };
        let from = self.elements(kind, at, index);
        let made = Instruction::with2(code, self.vector(kind, to), from);
        self.put_where(SPARE_MASK, false, made);
    }

    pub(in crate::native::vectors) fn scatter(
        &mut self,
        kind: Kind,
        from: u8,
        at: usize,
        index: u8,
        when: Option<u8>,
    ) {
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
            Kind::Narrow if self.lanes == Lanes::Sixteen => Code::EVEX_Vpscatterdd_vm32z_k1_zmm,
            Kind::Narrow => Code::EVEX_Vpscatterdd_vm32y_k1_ymm,
            _ => Code::EVEX_Vpscatterdq_vm32y_k1_zmm,
        };
        let to = self.elements(kind, at, index);
        let made = Instruction::with2(code, to, self.vector(kind, from));
        self.put_where(SPARE_MASK, false, made);
    }
}
