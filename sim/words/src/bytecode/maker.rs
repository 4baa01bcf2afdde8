//! Translation of steps to bytecode instructions.

use super::fusion::Whole;
use super::ops::{Op, Place};
use super::uses::Uses;
use super::{CallOp, Code, WriteOp};
use crate::graph::{Binary, Graph, Node, Word};
use crate::plan::Step;
use crate::program::{Program, is_cut};

/// The state of the translation: the place of each word so far.
pub(super) struct Maker<'a, P> {
    program: &'a Program,
    graph: &'a Graph,
    uses: Uses,
    place: Vec<Option<P>>,
    code: Code<P>,
}

fn small(bits: u32) -> u8 {
    u8::try_from(bits).expect("at most 64")
}

impl<P: Place> Maker<'_, P> {
    /// Translates steps; temporary words begin at `base` in the state.
    pub(super) fn code(program: &Program, steps: &[Step], base: usize) -> Code<P> {
        let graph = &program.graph;
        let mut maker = Maker {
            program,
            graph,
            uses: Uses::of(program, steps),
            place: vec![None; graph.len()],
            code: Code {
                ops: Vec::new(),
                writes: Vec::new(),
                calls: Vec::new(),
                constants: Vec::new(),
                n_words: base,
            },
        };
        // Steps without an instruction shorten the distances of skips.
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
            let length = position[end] - at - 1;
            if let Op::SkipUnless { n, .. } | Op::SkipWhere { n, .. } = &mut code.ops[at] {
                *n = P::new(length);
            }
        }
        code
    }

    fn new_place(&mut self) -> P {
        self.code.n_words += 1;
        P::new(self.code.n_words - 1)
    }

    /// Returns the place for the result of a word: its slot, or a temporary.
    fn make(&mut self, word: Word) -> P {
        let place = match self.uses.made_in(word) {
            Some(slot) => P::new(slot as usize),
            None => self.new_place(),
        };
        self.place[word.at()] = Some(place);
        place
    }

    fn of(&mut self, word: Word) -> P {
        match (self.place[word.at()], self.graph.constant_of(word)) {
            (Some(place), _) => place,
            (None, Some(value)) => {
                let place = self.make(word);
                self.code.constants.push((place, value));
                place
            }
            (None, None) => unreachable!("words are made before they are read"),
        }
    }

    fn step(&mut self, at: usize, step: &Step) {
        let bits = |slot: u32| self.program.slot_bits[slot as usize];
        match step {
            Step::Compute(word) => self.compute(at, *word),
            Step::Call(call) => self.call(*call),
            Step::Store(slot, word) => {
                if self.uses.made_in(*word) == Some(*slot) {
                    return;
                }
                let (to, bits) = (P::new(*slot as usize), bits(*slot));
                let from = self.of(*word);
                if !is_cut(bits) || self.graph.bits(*word) <= bits {
                    self.code.ops.push(Op::Copy { to, from });
                    return;
                }
                let bits = small(bits);
                let last = self.code.ops.last_mut();
                let last = last.filter(|_| self.uses.is_read_once(*word));
                match last.and_then(|last| Some((last.cut(from, to, bits)?, last))) {
                    Some((op, last)) => *last = op,
                    None => self.code.ops.push(Op::Cut { to, from, bits }),
                }
            }
            Step::StoreWhere(slot, condition, word) => {
                let bits = bits(*slot).min(self.graph.bits(*word)).max(1);
                let (to, bits) = (P::new(*slot as usize), small(bits));
                let inverse = self.uses.complement(self.graph, *condition);
                let from = self.of(*word);
                let condition = self.of(inverse.unwrap_or(*condition));
                let op = match inverse {
                    None => Op::CopyWhere {
                        to,
                        condition,
                        from,
                        bits,
                    },
                    Some(_) => Op::CopyUnless {
                        to,
                        condition,
                        from,
                        bits,
                    },
                };
                self.code.ops.push(op);
            }
            Step::Write {
                array,
                index,
                limbs,
            } => {
                if let [word] = limbs.as_slice() {
                    let op = Op::WriteWord {
                        array: P::new(*array as usize),
                        index: self.of(*index),
                        from: self.of(*word),
                    };
                    self.code.ops.push(op);
                    return;
                }
                let write = WriteOp {
                    array: *array as usize,
                    index: self.of(*index).at(),
                    limbs: limbs.iter().map(|word| self.of(*word).at()).collect(),
                };
                let number = P::new(self.code.writes.len());
                self.code.ops.push(Op::Write { write: number });
                self.code.writes.push(write);
            }
            Step::Row(_) => unreachable!("only callers that know rows ask for them"),
            Step::SkipUnless(word, _) => {
                let inverse = self.uses.complement(self.graph, *word);
                let (condition, n) = (self.of(inverse.unwrap_or(*word)), P::new(0));
                self.code.ops.push(match inverse {
                    None => Op::SkipUnless { condition, n },
                    Some(_) => Op::SkipWhere { condition, n },
                });
            }
        }
    }

    fn compute(&mut self, at: usize, word: Word) {
        if self.uses.is_fused(word) {
            return;
        }
        let whole = self.uses.fusion(word).map(|fusion| fusion.whole);
        let op = match whole {
            Some(whole) => self.whole(word, whole),
            None => match self.single(at, word) {
                Some(op) => op,
                None => return,
            },
        };
        self.code.ops.push(op);
    }

    /// Returns the instruction of a fused operation.
    fn whole(&mut self, word: Word, whole: Whole) -> Op<P> {
        let (a, b, c) = match whole {
            Whole::Field { of, .. } | Whole::Signed { of, .. } => (of, of, of),
            Whole::Join { of, other, .. } => (of, other, other),
            Whole::AndNot(a, b)
            | Whole::OrNot(a, b)
            | Whole::Sum(a, b, _)
            | Whole::Product(a, b, _) => (a, b, b),
            Whole::And(a, b, c)
            | Whole::Or(a, b, c)
            | Whole::Xor(a, b, c)
            | Whole::AndOr(a, b, c)
            | Whole::OrAnd(a, b, c)
            | Whole::MulAdd(a, b, c) => (a, b, c),
        };
        let (a, b, c) = (self.of(a), self.of(b), self.of(c));
        let to = self.make(word);
        match whole {
            Whole::Field { by, bits, .. } => Op::Field { to, a, by, bits },
            Whole::Signed { bits, .. } => Op::Signed { to, a, bits },
            Whole::Join { by, .. } => Op::Join { to, a, b, by },
            Whole::AndNot(..) => Op::AndNot { to, a, b },
            Whole::OrNot(..) => Op::OrNot { to, a, b },
            Whole::Sum(_, _, bits) => Op::AddCut { to, a, b, bits },
            Whole::Product(_, _, bits) => Op::MulCut { to, a, b, bits },
            Whole::And(..) => Op::And3 { to, a, b, c },
            Whole::Or(..) => Op::Or3 { to, a, b, c },
            Whole::Xor(..) => Op::Xor3 { to, a, b, c },
            Whole::AndOr(..) => Op::AndOr { to, a, b, c },
            Whole::OrAnd(..) => Op::OrAnd { to, a, b, c },
            Whole::MulAdd(..) => Op::MulAdd { to, a, b, c },
        }
    }

    /// Returns the instruction of a single operator; `None` if its uses can read the value where it already is.
    fn single(&mut self, at: usize, word: Word) -> Option<Op<P>> {
        Some(match self.graph.node(word) {
            Node::Constant(_) | Node::Result { .. } => return None,
            Node::Slot(slot) => {
                let from = P::new(slot as usize);
                if self.uses.stays(slot, at) {
                    self.place[word.at()] = Some(from);
                    return None;
                }
                let to = self.make(word);
                Op::Copy { to, from }
            }
            Node::Binary(op, a, b) => {
                let fixed = self.graph.constant_of(b).filter(|by| *by < 64);
                let by = fixed.map(|by| u8::try_from(by).expect("below 64"));
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
                    (Binary::Sar, Some(by)) => Op::SarBy {
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
                        Op::binary(op, self.make(word), a, b)
                    }
                }
            }
            Node::Select(c, a, b) => {
                let (condition, a, b) = (self.of(c), self.of(a), self.of(b));
                let to = self.make(word);
                Op::Select {
                    to,
                    condition,
                    a,
                    b,
                }
            }
            Node::Load { array, index, limb } => {
                let index = self.of(index);
                let (array, limb) = (P::new(array as usize), P::new(limb as usize));
                let to = self.make(word);
                if self.program.arrays[array.at()].n_limbs() == 1 {
                    return Some(Op::LoadWord { to, array, index });
                }
                Op::Load {
                    to,
                    array,
                    index,
                    limb,
                }
            }
        })
    }

    fn call(&mut self, call: u32) {
        let of = self.graph.calls[call as usize].clone();
        let operands = of.operands.iter().map(|word| self.of(*word).at()).collect();
        let results = (0..of.n_results).map(|index| {
            let word = self.graph.known_word(Node::Result { call, index })?;
            Some(self.make(word).at())
        });
        let results = results.collect();
        let number = P::new(self.code.calls.len());
        self.code.ops.push(Op::Call { call: number });
        self.code.calls.push(CallOp {
            call: of,
            operands,
            results,
        });
    }
}
