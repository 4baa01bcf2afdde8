//! Rows of one machine in 128-bit vectors: four words of at most 32 bits in one vector.
//!
//! While cycles run, the slots of these rows are packed into vectors after the rest of the state. A vector is loaded with the
//! same width as it was stored, which the processor can forward from its store buffer. Four slots that are not aligned to a
//! vector are combined from two vectors.

use cranelift_codegen::ir::types::{I8X16, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashMap;

use super::offset;
use super::scalar::Body;
use crate::graph::{Binary, mask};
use crate::plan::Step;
use crate::program::Program;
use crate::rows::{Part, ROW, Row, rows};

/// Words in a vector, and bytes of a word.
const QUAD: u32 = 4;
const LANE_BYTES: i32 = 4;

/// A row is packed if its estimated cost in vectors is at most this share of its cost word by word.
const WORTH: f64 = 0.75;

/// Returns whether this computer has the vector instructions that rows need.
fn is_there() -> bool {
    // The numbering of lanes relies on little-endian order.
    if !cfg!(target_endian = "little") {
        return false;
    }
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("ssse3")
            && std::arch::is_x86_feature_detected!("sse4.1")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        cfg!(target_arch = "aarch64")
    }
}

/// Returns the rows of a program for which 32 bits are enough and which cost less in vectors.
pub(super) fn packable(program: &mut Program) -> Vec<Row> {
    if !is_there() {
        return Vec::new();
    }
    let mut rows = rows(program);
    rows.retain(|row| is_narrow(program, row));
    loop {
        let quads = quads(rows.iter());
        let before = rows.len();
        rows.retain(|row| in_vectors(row, &quads) <= WORTH * in_words(row));
        if rows.len() == before {
            return rows;
        }
    }
}

/// Returns whether the low 32 bits of the stored words depend only on the low 32 bits of the parts.
fn is_narrow(program: &Program, row: &Row) -> bool {
    let is_short = |slot: u32| program.slot_bits[slot as usize] <= 32;
    row.slots().chain(row.read()).all(is_short)
        && row.parts.iter().all(|part| match part {
            Part::Binary(op, ..) => matches!(
                op,
                Binary::Add | Binary::Sub | Binary::Mul | Binary::And | Binary::Or | Binary::Xor
            ),
            Part::Slots(_)
            | Part::Same(_)
            | Part::Constants(_)
            | Part::Product(..)
            | Part::Choose(..) => true,
        })
}

/// Returns the first slot of each vector, with the number of the vector.
pub(in crate::native) fn quads<'r>(rows: impl Iterator<Item = &'r Row>) -> FxHashMap<u32, usize> {
    let mut firsts: Vec<u32> = rows
        .flat_map(|row| row.slots().step_by(QUAD as usize))
        .collect();
    firsts.sort_unstable();
    firsts.into_iter().zip(0..).collect()
}

/// Estimates the number of instructions of a row, word by word.
fn in_words(row: &Row) -> f64 {
    let of_parts = row.parts.iter().map(|part| match part {
        Part::Slots(_) => 0.5,
        Part::Same(_) | Part::Constants(_) => 0.0,
        Part::Binary(..) | Part::Product(..) => 1.0,
        Part::Choose(..) => 2.0,
    });
    let n: f64 = of_parts.sum();
    8.0 * (n + 1.0)
}

/// Estimates the number of instructions of a row in vectors; `quads` has the first slots of the vectors.
pub(in crate::native) fn in_vectors(row: &Row, quads: &FxHashMap<u32, usize>) -> f64 {
    let of_parts = row.parts.iter().map(|part| match part {
        Part::Slots(first) => {
            let of_quad = |first: u32| match source(first, |slot| quads.contains_key(&slot)) {
                Source::Quad => 0.5,
                Source::Two(_) => 2.0,
                Source::Alone(k) => 3.0 + f64::from(k),
                Source::Scattered => 8.0,
            };
            of_quad(*first) + of_quad(*first + QUAD)
        }
        Part::Same(_) => 1.0,
        Part::Constants(_) => 1.0,
        Part::Product(..) | Part::Binary(Binary::Mul, ..) => 4.0,
        Part::Binary(..) => 2.0,
        Part::Choose(..) => 6.0,
    });
    let n: f64 = of_parts.sum();
    n + if row.is_cut { 4.0 } else { 2.0 }
}

/// The source of four adjacent slots.
enum Source {
    /// A vector.
    Quad,
    /// The last words of one vector, as many as given, and the first words of the next.
    Two(u32),
    /// As many words from elsewhere as given, and the first words of a vector.
    Alone(u32),
    /// Four words that are not in vectors.
    Scattered,
}

/// Returns the source of four slots; `is_quad` tells whether a vector begins at a slot.
fn source(first: u32, is_quad: impl Fn(u32) -> bool) -> Source {
    let next = (0..QUAD).find(|k| is_quad(first + k));
    match next {
        Some(0) => Source::Quad,
        Some(k) => match (first + k).checked_sub(QUAD) {
            Some(before) if is_quad(before) => Source::Two(k),
            _ => Source::Alone(k),
        },
        None => Source::Scattered,
    }
}

/// The packed layout of the slots of rows while cycles run.
#[derive(Default)]
pub(super) struct Packed<'r> {
    pub(super) rows: &'r [Row],
    /// The position of each vector, by its first slot, in bytes from the start of the state.
    quads: FxHashMap<u32, i32>,
}

impl<'r> Packed<'r> {
    /// Lays out the rows of some steps from word `n_words` of the state on; also returns the number of words in use after them.
    pub(super) fn new(rows: &'r [Row], steps: &[Step], n_words: usize) -> (Self, usize) {
        let of_steps = steps.iter().filter_map(|step| match step {
            Step::Row(row) => Some(&rows[*row]),
            _ => None,
        });
        let numbers = quads(of_steps);
        let words = QUAD as usize / 2;
        let end = n_words + words * numbers.len();
        let places = numbers.into_iter();
        let quads = places
            .map(|(first, number)| (first, offset(n_words + words * number)))
            .collect();
        (Self { rows, quads }, end)
    }

    /// Returns the byte position of a slot, if it is packed.
    pub(super) fn place(&self, slot: u32) -> Option<i32> {
        (0..QUAD.min(slot + 1)).find_map(|lane| {
            let at = self.quads.get(&(slot - lane))?;
            Some(at + LANE_BYTES * i32::try_from(lane).expect("few lanes"))
        })
    }

    /// Copies the slots to their packed positions, or back.
    pub(super) fn moved(&self, builder: &mut FunctionBuilder<'_>, state: Value, is_back: bool) {
        let mut quads: Vec<(u32, i32)> = self.quads.iter().map(|(f, at)| (*f, *at)).collect();
        quads.sort_unstable();
        let flags = MemFlagsData::trusted();
        for (first, at) in quads {
            for (slot, at) in (first..first + QUAD).zip((at..).step_by(LANE_BYTES as usize)) {
                let home = offset(slot as usize);
                if is_back {
                    let value = builder.ins().uload32(flags, state, at);
                    builder.ins().store(flags, value, state, home);
                } else {
                    let value = builder.ins().load(I64, flags, state, home);
                    builder.ins().istore32(flags, value, state, at);
                }
            }
        }
    }
}

/// The state is aligned for words, but not for vectors.
fn unaligned() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Body<'_, '_, '_> {
    /// Computes and stores the words of a row.
    pub(super) fn row(&mut self, number: usize) {
        let row = &self.maker.packed.rows[number];
        let mut values: Vec<[Value; 2]> = Vec::new();
        for part in &row.parts {
            let value = self.part(part, &values);
            values.push(value);
        }
        let mut all = *values.last().expect("a row has parts");
        let bits = self.maker.program.slot_bits[row.slot as usize];
        if row.is_cut && bits < 32 {
            let kept = self.lanes([mask(bits); QUAD as usize]);
            all = all.map(|value| self.builder.ins().band(value, kept));
        }
        for (value, first) in all.into_iter().zip(row.slots().step_by(QUAD as usize)) {
            let at = self.maker.packed.quads[&first];
            let state = self.state;
            self.builder.ins().store(unaligned(), value, state, at);
        }
    }

    /// Returns eight words as two vectors.
    fn part(&mut self, part: &Part, values: &[[Value; 2]]) -> [Value; 2] {
        match part {
            Part::Slots(first) => [*first, *first + QUAD].map(|first| self.quad(first)),
            Part::Same(word) => {
                let word = self.value(*word);
                let low = self.builder.ins().ireduce(I32, word);
                [self.builder.ins().splat(I32X4, low); 2]
            }
            Part::Constants(words) => {
                let half = |from: usize| std::array::from_fn(|lane| words[from + lane]);
                [0, ROW / 2].map(|from| self.lanes(half(from)))
            }
            Part::Product(a, b) => self.of_both(Binary::Mul, values[*a], values[*b]),
            Part::Binary(op, a, b) => self.of_both(*op, values[*a], values[*b]),
            Part::Choose(word, a, b) => {
                let condition = self.condition(*word);
                let ones = self.builder.ins().bmask(I32, condition);
                let mask = self.builder.ins().splat(I32X4, ones);
                let (a, b) = (values[*a], values[*b]);
                [0, 1].map(|half| self.builder.ins().bitselect(mask, a[half], b[half]))
            }
        }
    }

    fn of_both(&mut self, op: Binary, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        [0, 1].map(|half| {
            let (a, b) = (a[half], b[half]);
            let ins = self.builder.ins();
            match op {
                Binary::Add => ins.iadd(a, b),
                Binary::Sub => ins.isub(a, b),
                Binary::Mul => ins.imul(a, b),
                Binary::And => ins.band(a, b),
                Binary::Or => ins.bor(a, b),
                Binary::Xor => ins.bxor(a, b),
                _ => unreachable!("32 bits are not enough for {op:?}"),
            }
        })
    }

    /// Returns a vector of constants, of which the low 32 bits are used.
    fn lanes(&mut self, words: [u64; QUAD as usize]) -> Value {
        let lanes = words.map(|word| (word & mask(32)) as u32);
        let bytes: Vec<u8> = lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
        let constant = self.builder.func.dfg.constants.insert(bytes.into());
        self.builder.ins().vconst(I32X4, constant)
    }

    /// Returns the values of four adjacent slots.
    fn quad(&mut self, first: u32) -> Value {
        let is_quad = |slot: u32| self.maker.packed.quads.contains_key(&slot);
        match source(first, is_quad) {
            Source::Quad => self.load_quad(first),
            Source::Two(k) => {
                let low = self.load_quad(first + k - QUAD);
                let high = self.load_quad(first + k);
                self.joined(low, high, QUAD - k)
            }
            Source::Alone(k) => {
                let low = self.gathered(first + k - 1, (first..first + k - 1).zip(QUAD - k..));
                let high = self.load_quad(first + k);
                self.joined(low, high, QUAD - k)
            }
            Source::Scattered => self.gathered(first, (first + 1..first + QUAD).zip(1..)),
        }
    }

    fn load_quad(&mut self, first: u32) -> Value {
        let at = self.maker.packed.quads[&first];
        let state = self.state;
        self.builder.ins().load(I32X4, unaligned(), state, at)
    }

    /// Returns a slot in all lanes, except the lanes given for other slots.
    fn gathered(&mut self, of: u32, others: impl Iterator<Item = (u32, u32)>) -> Value {
        let low = |body: &mut Self, slot: u32| {
            let value = body.slot(slot);
            body.builder.ins().ireduce(I32, value)
        };
        let first = low(self, of);
        let mut all = self.builder.ins().splat(I32X4, first);
        for (slot, lane) in others {
            let value = low(self, slot);
            let lane = u8::try_from(lane).expect("few lanes");
            all = self.builder.ins().insertlane(all, value, lane);
        }
        all
    }

    /// Returns the words of one vector from a lane on, followed by the first words of another.
    fn joined(&mut self, low: Value, high: Value, lane: u32) -> Value {
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        let [low, high] = [low, high].map(|value| self.builder.ins().bitcast(I8X16, flags, value));
        let from = u8::try_from(lane).expect("few lanes") * LANE_BYTES as u8;
        let picked: Vec<u8> = (from..from + 16).collect();
        let picked = self.builder.func.dfg.immediates.push(picked.into());
        let made = self.builder.ins().shuffle(low, high, picked);
        self.builder.ins().bitcast(I32X4, flags, made)
    }
}
