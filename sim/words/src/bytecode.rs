//! The interpreter: steps with their operands as places in one array, the state at its start and words behind it.
//!
//! A word that is read from a slot before anything is stored there has no instruction: readers take it from the slot.

use rustc_hash::FxHashMap;

use crate::graph::{Binary, Call, Graph, Node, Word, compute, mask};
use crate::plan::Step;
use crate::program::{Program, is_cut};

/// One instruction; numbers are places, or as said.
#[derive(Clone, Copy, Debug)]
enum Op {
    Copy {
        to: u32,
        from: u32,
    },
    Add {
        to: u32,
        a: u32,
        b: u32,
    },
    Sub {
        to: u32,
        a: u32,
        b: u32,
    },
    Mul {
        to: u32,
        a: u32,
        b: u32,
    },
    And {
        to: u32,
        a: u32,
        b: u32,
    },
    Or {
        to: u32,
        a: u32,
        b: u32,
    },
    Xor {
        to: u32,
        a: u32,
        b: u32,
    },
    Eq {
        to: u32,
        a: u32,
        b: u32,
    },
    Ltu {
        to: u32,
        a: u32,
        b: u32,
    },
    Lts {
        to: u32,
        a: u32,
        b: u32,
    },
    Shl {
        to: u32,
        a: u32,
        b: u32,
    },
    Shr {
        to: u32,
        a: u32,
        b: u32,
    },
    Sar {
        to: u32,
        a: u32,
        b: u32,
    },
    /// Shifts by constants.
    ShlBy {
        to: u32,
        a: u32,
        by: u32,
    },
    ShrBy {
        to: u32,
        a: u32,
        by: u32,
    },
    RotlBy {
        to: u32,
        a: u32,
        by: u32,
    },
    /// The first and the complement of the second.
    AndNot {
        to: u32,
        a: u32,
        b: u32,
    },
    Xor3 {
        to: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    /// A product and a sum.
    MulAdd {
        to: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    /// A sum that is stored without all but so many low bits.
    AddCut {
        to: u32,
        a: u32,
        b: u32,
        bits: u32,
    },
    /// So many bits of a word from a place on.
    Field {
        to: u32,
        a: u32,
        by: u32,
        bits: u32,
    },
    /// A word shifted to the left, and another in its place.
    Join {
        to: u32,
        a: u32,
        b: u32,
        by: u32,
    },
    /// The other operators.
    Binary {
        op: Binary,
        to: u32,
        a: u32,
        b: u32,
    },
    Select {
        to: u32,
        condition: u32,
        a: u32,
        b: u32,
    },
    /// A limb of a word of array number `array`.
    Load {
        to: u32,
        array: u32,
        index: u32,
        limb: u32,
    },
    /// Call number `call`.
    Call {
        call: u32,
    },
    /// A store that leaves out all but so many low bits.
    Cut {
        to: u32,
        from: u32,
        bits: u32,
    },
    CopyWhere {
        to: u32,
        condition: u32,
        from: u32,
        bits: u32,
    },
    /// Write number `write`.
    Write {
        write: u32,
    },
    SkipUnless {
        condition: u32,
        n: u32,
    },
}

impl Op {
    /// The same, where it gives a word that is stored at once and read by nobody else, with its result in the slot.
    fn storing(&self, from: u32, slot: u32, cut: Option<u32>) -> Option<Self> {
        let mut op = *self;
        if let (Self::Add { to, a, b }, Some(bits)) = (op, cut) {
            let to = (to == from).then_some(slot)?;
            return Some(Self::AddCut { to, a, b, bits });
        }
        let to = match &mut op {
            Self::Add { to, .. }
            | Self::Sub { to, .. }
            | Self::Mul { to, .. }
            | Self::And { to, .. }
            | Self::Or { to, .. }
            | Self::Xor { to, .. }
            | Self::Eq { to, .. }
            | Self::Ltu { to, .. }
            | Self::Lts { to, .. }
            | Self::Shl { to, .. }
            | Self::Shr { to, .. }
            | Self::Sar { to, .. }
            | Self::ShlBy { to, .. }
            | Self::ShrBy { to, .. }
            | Self::RotlBy { to, .. }
            | Self::AndNot { to, .. }
            | Self::Xor3 { to, .. }
            | Self::MulAdd { to, .. }
            | Self::Field { to, .. }
            | Self::Join { to, .. }
            | Self::Binary { to, .. }
            | Self::Select { to, .. }
            | Self::Load { to, .. } => to,
            Self::Copy { .. }
            | Self::AddCut { .. }
            | Self::Call { .. }
            | Self::Cut { .. }
            | Self::CopyWhere { .. }
            | Self::Write { .. }
            | Self::SkipUnless { .. } => return None,
        };
        if cut.is_some() || *to != from {
            return None;
        }
        *to = slot;
        Some(op)
    }
}

/// A write of an array: its number, the place of the index, those of the limbs.
#[derive(Clone, Debug)]
struct WriteOp {
    array: usize,
    index: u32,
    limbs: Vec<u32>,
}

/// A function with the places of its operands and results.
#[derive(Clone, Debug)]
struct CallOp {
    call: Call,
    operands: Vec<u32>,
    /// Places of the results, by their number, as far as they are read.
    results: Vec<Option<u32>>,
}

/// Where an array is in the state.
#[derive(Clone, Debug)]
struct Place {
    start: usize,
    depth: u64,
    n_limbs: usize,
    /// What stays of each limb that is written.
    masks: Vec<u64>,
}

impl Place {
    fn limb(&self, index: u64, limb: u32) -> Option<usize> {
        (index < self.depth).then(|| {
            let index = usize::try_from(index).expect("below the depth");
            self.start + index * self.n_limbs + limb as usize
        })
    }
}

/// The steps of a cycle as bytecode.
#[derive(Clone, Debug)]
pub(crate) struct Bytecode {
    ops: Vec<Op>,
    writes: Vec<WriteOp>,
    calls: Vec<CallOp>,
    arrays: Vec<Place>,
    /// Places of constants.
    constants: Vec<(u32, u64)>,
    /// Words of the state, those of the code included.
    n_words: usize,
}

/// Where each word is while the steps become instructions.
struct Maker<'a> {
    program: &'a Program,
    graph: &'a Graph,
    /// For each slot the step that stores there.
    stored_at: Vec<usize>,
    /// For each step that computes, the last that reads what it computes.
    last_use: Vec<usize>,
    /// How many steps read each word.
    n_uses: Vec<u32>,
    /// Words that are part of the one instruction that reads them.
    is_fused: Vec<bool>,
    /// Words that are made of two operators at once.
    fusions: FxHashMap<Word, Fusion>,
    place: Vec<u32>,
    code: Bytecode,
}

/// An operator that only one other reads, as part of that.
struct Fusion {
    /// The one inside.
    inner: Word,
    whole: Whole,
}

/// What both are together.
#[derive(Clone, Copy)]
enum Whole {
    /// So many bits of a word from a place on.
    Field {
        of: Word,
        by: u32,
        bits: u32,
    },
    /// A word shifted to the left, joined with another.
    Join {
        of: Word,
        by: u32,
        other: Word,
    },
    /// The first and the complement of the second.
    AndNot(Word, Word),
    Xor(Word, Word, Word),
    /// The product of the first two, and the third.
    MulAdd(Word, Word, Word),
}

impl Fusion {
    /// That of a word; what is itself two operators is not part of a third.
    fn of(
        graph: &Graph,
        word: Word,
        n_uses: &[u32],
        known: &FxHashMap<Word, Self>,
    ) -> Option<Self> {
        let Node::Binary(op, a, b) = graph.node(word) else {
            return None;
        };
        // The operands of an operator that nobody else reads.
        let only = |inner: Word, wanted: Binary| match graph.node(inner) {
            Node::Binary(op, of, by) if op == wanted => {
                let is_free = n_uses[inner.at()] == 1 && !known.contains_key(&inner);
                is_free.then_some((of, by))
            }
            _ => None,
        };
        let shift = |inner: Word, wanted: Binary| -> Option<(Word, u32)> {
            let (of, by) = only(inner, wanted)?;
            let by = graph.constant_of(by).filter(|by| *by < 64)?;
            Some((of, u32::try_from(by).expect("below 64")))
        };
        let mut either = [(a, b), (b, a)].into_iter();
        let (inner, whole) = match op {
            Binary::And => match graph.constant_of(b) {
                Some(kept) => {
                    let is_low = kept & kept.wrapping_add(1) == 0;
                    let (of, by) = shift(a, Binary::Shr).filter(|_| is_low)?;
                    let bits = kept.count_ones();
                    (a, Whole::Field { of, by, bits })
                }
                None => either.find_map(|(inner, other)| {
                    let (of, ones) = only(inner, Binary::Xor)?;
                    let is_complement = graph.constant_of(ones)? == u64::MAX;
                    is_complement.then_some((inner, Whole::AndNot(other, of)))
                })?,
            },
            Binary::Or => either.find_map(|(inner, other)| {
                let (of, by) = shift(inner, Binary::Shl)?;
                Some((inner, Whole::Join { of, by, other }))
            })?,
            Binary::Xor => either.find_map(|(inner, other)| {
                let (one, two) = only(inner, Binary::Xor)?;
                Some((inner, Whole::Xor(one, two, other)))
            })?,
            Binary::Add => either.find_map(|(inner, other)| {
                let (one, two) = only(inner, Binary::Mul)?;
                Some((inner, Whole::MulAdd(one, two, other)))
            })?,
            _ => return None,
        };
        Some(Self { inner, whole })
    }
}

const NOWHERE: u32 = u32::MAX;

fn number(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32 words")
}

/// The words that a step reads.
fn reads(graph: &Graph, step: &Step, mut each: impl FnMut(Word)) {
    match step {
        Step::Compute(word) => {
            if !matches!(graph.node(*word), Node::Result { .. }) {
                graph.for_operands(*word, each);
            }
        }
        Step::Call(call) => {
            let operands = graph.calls[*call as usize].operands.iter();
            operands.copied().for_each(each);
        }
        Step::Row(_) => unreachable!("rows are asked for by those who know them alone"),
        Step::Store(_, word) | Step::SkipUnless(word, _) => each(*word),
        Step::StoreWhere(_, condition, word) => {
            each(*condition);
            each(*word);
        }
        Step::Write { index, limbs, .. } => {
            each(*index);
            limbs.iter().copied().for_each(each);
        }
    }
}

impl Bytecode {
    /// The code of steps; its own words begin at `base` of the state.
    pub(crate) fn new(program: &Program, steps: &[Step], base: usize) -> Self {
        let graph = &program.graph;
        let (starts, _) = program.layout();
        let arrays = program.arrays.iter().zip(starts);
        let arrays = arrays.map(|(array, start)| Place {
            start,
            depth: u64::from(array.depth),
            n_limbs: array.n_limbs() as usize,
            masks: (0..array.n_limbs())
                .map(|limb| mask(array.limb_bits(limb)))
                .collect(),
        });
        let mut n_uses = vec![0_u32; graph.len()];
        for step in steps {
            reads(graph, step, |word| n_uses[word.at()] += 1);
        }
        let mut is_fused = vec![false; graph.len()];
        let mut fusions: FxHashMap<Word, Fusion> = FxHashMap::default();
        for step in steps {
            if let Step::Compute(word) = step
                && let Some(fusion) = Fusion::of(graph, *word, &n_uses, &fusions)
            {
                is_fused[fusion.inner.at()] = true;
                fusions.insert(*word, fusion);
            }
        }
        let mut stored_at = vec![usize::MAX; program.slot_bits.len()];
        let mut last_use = vec![0; steps.len()];
        let mut made_at = vec![usize::MAX; graph.len()];
        for (at, step) in steps.iter().enumerate() {
            let mut used = |word: Word| {
                if let Some(made) = last_use.get_mut(made_at[word.at()]) {
                    *made = at;
                }
            };
            reads(graph, step, |word| {
                used(word);
                if is_fused[word.at()] {
                    graph.for_operands(word, &mut used);
                }
            });
            match step {
                Step::Compute(word) => made_at[word.at()] = at,
                Step::Store(slot, _) | Step::StoreWhere(slot, ..) => {
                    stored_at[*slot as usize] = at;
                }
                _ => {}
            }
        }
        let mut maker = Maker {
            program,
            graph,
            stored_at,
            last_use,
            n_uses,
            is_fused,
            fusions,
            place: vec![NOWHERE; graph.len()],
            code: Self {
                ops: Vec::new(),
                writes: Vec::new(),
                calls: Vec::new(),
                arrays: arrays.collect(),
                constants: Vec::new(),
                n_words: base,
            },
        };
        // Steps that become no instruction make skips shorter.
        let mut position = Vec::with_capacity(steps.len() + 1);
        let mut skips = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            position.push(maker.code.ops.len());
            if let Step::SkipUnless(_, n) = step {
                skips.push((maker.code.ops.len(), at + 1 + n));
            }
            maker.step(at, step);
        }
        let mut code = maker.code;
        position.push(code.ops.len());
        for (at, end) in skips {
            let length = number(position[end] - at - 1);
            if let Op::SkipUnless { n, .. } = &mut code.ops[at] {
                *n = length;
            }
        }
        code
    }

    /// Makes room in the state for the words of the code.
    pub(crate) fn prepare(&self, state: &mut Vec<u64>) {
        let length = state.len().max(self.n_words);
        state.resize(length, 0);
        for (place, value) in &self.constants {
            state[*place as usize] = *value;
        }
    }

    /// One cycle.
    pub(crate) fn cycle(&self, words: &mut [u64]) {
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            macro_rules! word {
                ($place:expr) => {
                    words[$place as usize]
                };
            }
            match *op {
                Op::Copy { to, from } => word!(to) = word!(from),
                Op::Add { to, a, b } => word!(to) = word!(a).wrapping_add(word!(b)),
                Op::Sub { to, a, b } => word!(to) = word!(a).wrapping_sub(word!(b)),
                Op::Mul { to, a, b } => word!(to) = word!(a).wrapping_mul(word!(b)),
                Op::And { to, a, b } => word!(to) = word!(a) & word!(b),
                Op::Or { to, a, b } => word!(to) = word!(a) | word!(b),
                Op::Xor { to, a, b } => word!(to) = word!(a) ^ word!(b),
                Op::Eq { to, a, b } => word!(to) = u64::from(word!(a) == word!(b)),
                Op::Ltu { to, a, b } => word!(to) = u64::from(word!(a) < word!(b)),
                Op::Lts { to, a, b } => {
                    word!(to) = u64::from(word!(a).cast_signed() < word!(b).cast_signed());
                }
                Op::Shl { to, a, b } => word!(to) = compute(Binary::Shl, word!(a), word!(b)),
                Op::Shr { to, a, b } => word!(to) = compute(Binary::Shr, word!(a), word!(b)),
                Op::Sar { to, a, b } => word!(to) = compute(Binary::Sar, word!(a), word!(b)),
                Op::ShlBy { to, a, by } => word!(to) = word!(a) << by,
                Op::ShrBy { to, a, by } => word!(to) = word!(a) >> by,
                Op::AndNot { to, a, b } => word!(to) = word!(a) & !word!(b),
                Op::Xor3 { to, a, b, c } => word!(to) = word!(a) ^ word!(b) ^ word!(c),
                Op::MulAdd { to, a, b, c } => {
                    word!(to) = word!(a).wrapping_mul(word!(b)).wrapping_add(word!(c));
                }
                Op::RotlBy { to, a, by } => word!(to) = word!(a).rotate_left(by),
                Op::AddCut { to, a, b, bits } => {
                    word!(to) = word!(a).wrapping_add(word!(b)) & mask(bits);
                }
                Op::Field { to, a, by, bits } => word!(to) = (word!(a) >> by) & mask(bits),
                Op::Join { to, a, b, by } => word!(to) = (word!(a) << by) | word!(b),
                Op::Binary { op, to, a, b } => word!(to) = compute(op, word!(a), word!(b)),
                Op::Select {
                    to,
                    condition,
                    a,
                    b,
                } => {
                    let from = if word!(condition) == 0 { b } else { a };
                    word!(to) = word!(from);
                }
                Op::Load {
                    to,
                    array,
                    index,
                    limb,
                } => {
                    let cell = self.arrays[array as usize].limb(word!(index), limb);
                    word!(to) = cell.map_or(0, |cell| words[cell]);
                }
                Op::Call { call } => self.call(call as usize, words),
                Op::Cut { to, from, bits } => word!(to) = word!(from) & mask(bits),
                Op::CopyWhere {
                    to,
                    condition,
                    from,
                    bits,
                } => {
                    if word!(condition) != 0 {
                        word!(to) = word!(from) & mask(bits);
                    }
                }
                Op::Write { write } => {
                    let write = &self.writes[write as usize];
                    let place = &self.arrays[write.array];
                    if let Some(cell) = place.limb(word!(write.index), 0) {
                        for (limb, (from, mask)) in write.limbs.iter().zip(&place.masks).enumerate()
                        {
                            words[cell + limb] = word!(*from) & mask;
                        }
                    }
                }
                Op::SkipUnless { condition, n } => {
                    if word!(condition) == 0 {
                        at += n as usize;
                    }
                }
            }
        }
    }

    fn call(&self, number: usize, words: &mut [u64]) {
        let CallOp {
            call,
            operands,
            results,
        } = &self.calls[number];
        let given: Vec<u64> = operands
            .iter()
            .map(|place| words[*place as usize])
            .collect();
        let mut found = vec![0; results.len()];
        (call.function)(&given, &mut found);
        for (place, value) in results.iter().zip(found) {
            if let Some(place) = place {
                words[*place as usize] = value;
            }
        }
    }
}

impl Maker<'_> {
    fn new_place(&mut self) -> u32 {
        self.code.n_words += 1;
        number(self.code.n_words - 1)
    }

    /// The place of a word of the code's own.
    fn make(&mut self, word: Word) -> u32 {
        let is_own = |place: u32| place as usize >= self.program.slot_bits.len();
        if self.place[word.at()] == NOWHERE || !is_own(self.place[word.at()]) {
            self.place[word.at()] = self.new_place();
        }
        self.place[word.at()]
    }

    fn of(&mut self, word: Word) -> u32 {
        if self.place[word.at()] == NOWHERE
            && let Some(value) = self.graph.constant_of(word)
        {
            let place = self.make(word);
            self.code.constants.push((place, value));
        }
        self.place[word.at()]
    }

    fn step(&mut self, at: usize, step: &Step) {
        let bits = |slot: u32| self.program.slot_bits[slot as usize];
        match step {
            Step::Compute(word) => self.compute(at, *word),
            Step::Call(call) => self.call(*call),
            Step::Store(slot, word) => {
                let (to, bits) = (*slot, bits(*slot));
                let from = self.of(*word);
                let cut = is_cut(bits) && self.graph.bits(*word) > bits;
                let op = match cut {
                    true => Op::Cut { to, from, bits },
                    false => Op::Copy { to, from },
                };
                let last = self.code.ops.last_mut();
                let last = last.filter(|_| self.n_uses[word.at()] == 1);
                match last.and_then(|last| {
                    last.storing(from, to, cut.then_some(bits))
                        .map(|op| (last, op))
                }) {
                    Some((last, op)) => *last = op,
                    None => self.code.ops.push(op),
                }
            }
            Step::StoreWhere(slot, condition, word) => {
                let (to, bits) = (*slot, bits(*slot));
                let (condition, from) = (self.of(*condition), self.of(*word));
                self.code.ops.push(Op::CopyWhere {
                    to,
                    condition,
                    from,
                    bits,
                });
            }
            Step::Write {
                array,
                index,
                limbs,
            } => {
                let write = WriteOp {
                    array: *array as usize,
                    index: self.of(*index),
                    limbs: limbs.iter().map(|word| self.of(*word)).collect(),
                };
                self.code.ops.push(Op::Write {
                    write: number(self.code.writes.len()),
                });
                self.code.writes.push(write);
            }
            Step::Row(_) => unreachable!("rows are asked for by those who know them alone"),
            Step::SkipUnless(word, _) => {
                let condition = self.of(*word);
                self.code.ops.push(Op::SkipUnless { condition, n: 0 });
            }
        }
    }

    fn compute(&mut self, at: usize, word: Word) {
        if self.is_fused[word.at()] {
            return;
        }
        if let Some(fusion) = self.fusions.get(&word) {
            let whole = fusion.whole;
            let op = match whole {
                Whole::Field { of, by, bits } => Op::Field {
                    a: self.of(of),
                    to: self.make(word),
                    by,
                    bits,
                },
                Whole::Join { of, by, other } => Op::Join {
                    a: self.of(of),
                    b: self.of(other),
                    to: self.make(word),
                    by,
                },
                Whole::AndNot(a, b) => Op::AndNot {
                    a: self.of(a),
                    b: self.of(b),
                    to: self.make(word),
                },
                Whole::Xor(a, b, c) => Op::Xor3 {
                    a: self.of(a),
                    b: self.of(b),
                    c: self.of(c),
                    to: self.make(word),
                },
                Whole::MulAdd(a, b, c) => Op::MulAdd {
                    a: self.of(a),
                    b: self.of(b),
                    c: self.of(c),
                    to: self.make(word),
                },
            };
            self.code.ops.push(op);
            return;
        }
        let op = match self.graph.node(word) {
            Node::Constant(_) | Node::Result { .. } => return,
            Node::Slot(slot) => {
                if self.last_use[at] <= self.stored_at[slot as usize] {
                    self.place[word.at()] = slot;
                    return;
                }
                Op::Copy {
                    to: self.make(word),
                    from: slot,
                }
            }
            Node::Binary(op, a, b) => {
                let fixed = self.graph.constant_of(b).filter(|by| *by < 64);
                let by = fixed.map(|by| u32::try_from(by).expect("below 64"));
                let a = self.of(a);
                match (op, by) {
                    (Binary::Shl, Some(by)) => Op::ShlBy {
                        to: self.make(word),
                        a,
                        by,
                    },
                    (Binary::Shr, Some(by)) => Op::ShrBy {
                        to: self.make(word),
                        a,
                        by,
                    },
                    (Binary::Rotl, Some(by)) => Op::RotlBy {
                        to: self.make(word),
                        a,
                        by,
                    },
                    _ => {
                        let b = self.of(b);
                        let to = self.make(word);
                        binary(op, to, a, b)
                    }
                }
            }
            Node::Select(c, a, b) => Op::Select {
                condition: self.of(c),
                a: self.of(a),
                b: self.of(b),
                to: self.make(word),
            },
            Node::Load { array, index, limb } => Op::Load {
                index: self.of(index),
                to: self.make(word),
                array,
                limb,
            },
        };
        self.code.ops.push(op);
    }

    fn call(&mut self, call: u32) {
        let of = self.graph.calls[call as usize].clone();
        let operands = of.operands.iter().map(|word| self.of(*word)).collect();
        let results = (0..of.n_results).map(|index| {
            let word = self.graph.known_word(Node::Result { call, index })?;
            Some(self.make(word))
        });
        let results = results.collect();
        self.code.ops.push(Op::Call {
            call: number(self.code.calls.len()),
        });
        self.code.calls.push(CallOp {
            call: of,
            operands,
            results,
        });
    }
}

fn binary(op: Binary, to: u32, a: u32, b: u32) -> Op {
    match op {
        Binary::Add => Op::Add { to, a, b },
        Binary::Sub => Op::Sub { to, a, b },
        Binary::Mul => Op::Mul { to, a, b },
        Binary::And => Op::And { to, a, b },
        Binary::Or => Op::Or { to, a, b },
        Binary::Xor => Op::Xor { to, a, b },
        Binary::Eq => Op::Eq { to, a, b },
        Binary::Ltu => Op::Ltu { to, a, b },
        Binary::Lts => Op::Lts { to, a, b },
        Binary::Shl => Op::Shl { to, a, b },
        Binary::Shr => Op::Shr { to, a, b },
        Binary::Sar => Op::Sar { to, a, b },
        Binary::MulHigh | Binary::Rotl | Binary::Udiv | Binary::Urem => Op::Binary { op, to, a, b },
    }
}
