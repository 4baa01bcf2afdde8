//! Execution of bytecode.

use std::hint::select_unpredictable;
use std::ops::IndexMut;

use super::ops::{Op, Place};
use super::{Array, CallOp, Code};
use crate::graph::{Binary, compute};

/// The state. If it is an array with as many words as a place can address, no access needs a bounds check.
pub(super) trait Words: IndexMut<usize, Output = u64> + AsMut<[u64]> {}

impl<W: IndexMut<usize, Output = u64> + AsMut<[u64]> + ?Sized> Words for W {}

impl<P: Place> Code<P> {
    /// Runs cycles, but stops after the first one that leaves the slot `stop` other than 0; returns the number of cycles run.
    pub(super) fn run<W: Words + ?Sized>(
        &self,
        arrays: &[Array],
        words: &mut W,
        n_cycles: u64,
        stop: Option<u32>,
    ) -> u64 {
        for cycle in 0..n_cycles {
            self.cycle(arrays, words);
            if stop.is_some_and(|slot| words[slot as usize] != 0) {
                return cycle + 1;
            }
        }
        n_cycles
    }

    /// Runs one cycle.
    fn cycle<W: Words + ?Sized>(&self, arrays: &[Array], words: &mut W) {
        let mut ops = self.ops.iter();
        macro_rules! set {
            ($to:ident, $value:expr) => {{
                let value = $value;
                words[$to.at()] = value;
            }};
        }
        macro_rules! of {
            ($place:ident) => {
                words[$place.at()]
            };
        }
        macro_rules! next {
            () => {{
                let Some(op) = ops.next() else { break };
                match *op {
                    Op::Copy { to, from } => set!(to, of!(from)),
                    Op::Add { to, a, b } => set!(to, of!(a).wrapping_add(of!(b))),
                    Op::Sub { to, a, b } => set!(to, of!(a).wrapping_sub(of!(b))),
                    Op::Mul { to, a, b } => set!(to, of!(a).wrapping_mul(of!(b))),
                    Op::And { to, a, b } => set!(to, of!(a) & of!(b)),
                    Op::Or { to, a, b } => set!(to, of!(a) | of!(b)),
                    Op::Xor { to, a, b } => set!(to, of!(a) ^ of!(b)),
                    Op::Eq { to, a, b } => set!(to, u64::from(of!(a) == of!(b))),
                    Op::Ltu { to, a, b } => set!(to, u64::from(of!(a) < of!(b))),
                    Op::Lts { to, a, b } => {
                        set!(to, u64::from(of!(a).cast_signed() < of!(b).cast_signed()));
                    }
                    Op::Shl { to, a, b } => set!(to, compute(Binary::Shl, of!(a), of!(b))),
                    Op::Shr { to, a, b } => set!(to, compute(Binary::Shr, of!(a), of!(b))),
                    Op::Sar { to, a, b } => set!(to, compute(Binary::Sar, of!(a), of!(b))),
                    Op::Binary { op, to, a, b } => set!(to, compute(op, of!(a), of!(b))),
                    Op::ShlBy { to, a, by } => set!(to, of!(a) << (by & 63)),
                    Op::ShrBy { to, a, by } => set!(to, of!(a) >> (by & 63)),
                    Op::SarBy { to, a, by } => set!(to, signed(of!(a), by)),
                    Op::RotlBy { to, a, by } => set!(to, of!(a).rotate_left(u32::from(by))),
                    Op::AndNot { to, a, b } => set!(to, of!(a) & !of!(b)),
                    Op::OrNot { to, a, b } => set!(to, of!(a) | (of!(b) ^ 1)),
                    Op::And3 { to, a, b, c } => set!(to, of!(a) & of!(b) & of!(c)),
                    Op::Or3 { to, a, b, c } => set!(to, of!(a) | of!(b) | of!(c)),
                    Op::Xor3 { to, a, b, c } => set!(to, of!(a) ^ of!(b) ^ of!(c)),
                    Op::AndOr { to, a, b, c } => set!(to, of!(a) & of!(b) | of!(c)),
                    Op::OrAnd { to, a, b, c } => set!(to, (of!(a) | of!(b)) & of!(c)),
                    Op::MulAdd { to, a, b, c } => {
                        set!(to, of!(a).wrapping_mul(of!(b)).wrapping_add(of!(c)));
                    }
                    Op::Field { to, a, by, bits } => set!(to, low(of!(a) >> (by & 63), bits)),
                    Op::Signed { to, a, bits } => {
                        let up = (64 - bits) & 63;
                        set!(to, signed(of!(a) << up, up));
                    }
                    Op::Join { to, a, b, by } => set!(to, of!(a) << (by & 63) | of!(b)),
                    Op::Select {
                        to,
                        condition,
                        a,
                        b,
                    } => {
                        let (a, b) = (of!(a), of!(b));
                        set!(to, select_unpredictable(of!(condition) == 0, b, a));
                    }
                    Op::LoadWord { to, array, index } => {
                        let array = &arrays[array.at()];
                        let cell = array.word(of!(index));
                        set!(to, cell.map_or(0, |cell| words[cell]));
                    }
                    Op::Load {
                        to,
                        array,
                        index,
                        limb,
                    } => {
                        let cell = arrays[array.at()].limb(of!(index), limb.at());
                        set!(to, cell.map_or(0, |cell| words[cell]));
                    }
                    Op::Cut { to, from, bits } => set!(to, low(of!(from), bits)),
                    Op::AddCut { to, a, b, bits } => {
                        set!(to, low(of!(a).wrapping_add(of!(b)), bits));
                    }
                    Op::MulCut { to, a, b, bits } => {
                        set!(to, low(of!(a).wrapping_mul(of!(b)), bits))
                    }
                    Op::MulAddCut { to, a, b, c, bits } => {
                        set!(
                            to,
                            low(of!(a).wrapping_mul(of!(b)).wrapping_add(of!(c)), bits)
                        );
                    }
                    Op::CopyWhere {
                        to,
                        condition,
                        from,
                        bits,
                    } => {
                        let (old, new) = (of!(to), low(of!(from), bits));
                        set!(to, select_unpredictable(of!(condition) == 0, old, new));
                    }
                    Op::CopyUnless {
                        to,
                        condition,
                        from,
                        bits,
                    } => {
                        let (old, new) = (of!(to), low(of!(from), bits));
                        set!(to, select_unpredictable(of!(condition) == 0, new, old));
                    }
                    Op::Call { call } => self.calls[call.at()].run(words.as_mut()),
                    Op::WriteWord { array, index, from } => {
                        let array = &arrays[array.at()];
                        let word = of!(from) & array.masks[0];
                        if let Some(cell) = array.word(of!(index)) {
                            words[cell] = word;
                        }
                    }
                    Op::Write { write } => {
                        let write = &self.writes[write.at()];
                        arrays[write.array].write(write.index, &write.limbs, words.as_mut());
                    }
                    Op::SkipWhere { condition, n } => {
                        if of!(condition) != 0 {
                            ops = ops.as_slice()[n.at()..].iter();
                        }
                    }
                    Op::SkipUnless { condition, n } => {
                        if of!(condition) == 0 {
                            ops = ops.as_slice()[n.at()..].iter();
                        }
                    }
                }
            }};
        }
        // Several indirect jumps, each with its own history, are predicted better than a single one.
        loop {
            next!();
            next!();
            next!();
            next!();
            next!();
            next!();
            next!();
            next!();
        }
    }
}

/// Shifts right arithmetically.
#[inline(always)]
fn signed(value: u64, by: u8) -> u64 {
    (value.cast_signed() >> (by & 63)).cast_unsigned()
}

/// Returns the low bits of a word, 1 to 64 of them.
#[inline(always)]
fn low(value: u64, bits: u8) -> u64 {
    debug_assert!((1..=64).contains(&bits), "a word has bits");
    value & (u64::MAX >> (64_u8.wrapping_sub(bits) & 63))
}

impl Array {
    /// Returns the position of a word with one limb; `None` beyond the end of the array.
    #[inline(always)]
    fn word(&self, index: u64) -> Option<usize> {
        (index < self.depth).then(|| self.start + usize::try_from(index).unwrap_or(0))
    }

    /// Returns the position of a limb of a word; `None` beyond the end of the array.
    fn limb(&self, index: u64, limb: usize) -> Option<usize> {
        (index < self.depth).then(|| {
            let index = usize::try_from(index).expect("below the depth");
            self.start + index * self.n_limbs + limb
        })
    }

    fn write(&self, index: usize, limbs: &[usize], words: &mut [u64]) {
        if let Some(cell) = self.limb(words[index], 0) {
            for (limb, (from, mask)) in limbs.iter().zip(&self.masks).enumerate() {
                words[cell + limb] = words[*from] & mask;
            }
        }
    }
}

impl CallOp {
    fn run(&self, words: &mut [u64]) {
        let given: Vec<u64> = self.operands.iter().map(|place| words[*place]).collect();
        let mut found = vec![0; self.results.len()];
        (self.call.function)(&given, &mut found);
        for (place, value) in self.results.iter().zip(found) {
            if let Some(place) = place {
                words[*place] = value;
            }
        }
    }
}
