//! The program: terms in evaluation order over two arrays, one of machine words and one of wide values.

use sluice_ir::algebra::{Algebra, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;

use super::elaborate::{Elaborated, MemoryModel, Register};

/// What one step computes; operands are term numbers.
enum Step {
    /// A term of at most 64 bits whose operands are, too.
    Narrow(NarrowOp),
    /// Any other term.
    Wide,
    /// A look-up in table number `table`.
    Lookup { table: usize },
    /// A read of a memory without a clock, number `read`.
    Read { read: usize },
}

enum NarrowOp {
    Add(u32, u32),
    Sub(u32, u32),
    Mul(u32, u32),
    And(u32, u32),
    Or(u32, u32),
    Xor(u32, u32),
    Eq(u32, u32),
    Ult(u32, u32),
    /// With the width of the operands.
    Slt(u32, u32, u32),
    Not(u32),
    Neg(u32),
    Ite(u32, u32, u32),
    Zext(u32),
    /// From a width.
    Sext(u32, u32),
    Extract(u32, u32),
    /// High, low, width of low.
    Concat(u32, u32, u32),
}

/// An evaluated module.
pub(crate) struct Program {
    terms: Terms,
    steps: Vec<(u32, Step)>,
    masks: Vec<u64>,
    words: Vec<u64>,
    wide: Vec<Option<Bits>>,
    /// Term of each variable.
    variables: Vec<Option<TermId>>,
    outputs: Vec<TermId>,
    registers: Vec<Register>,
    memories: Vec<MemoryModel>,
    tables: Vec<(Vec<Bits>, TermId)>,
    /// Reads without a clock: memory and address.
    unclocked_reads: Vec<(usize, TermId)>,
    pending: Vec<(u32, Bits)>,
}

fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The number of the word at an address, if there is one.
fn position(address: &Bits, words: &[Bits]) -> Option<usize> {
    let at = address.to_u64().and_then(|a| usize::try_from(a).ok());
    at.filter(|at| *at < words.len())
}

/// The word at an address, zeros beyond the end.
fn word(address: &Bits, words: &[Bits]) -> Bits {
    let at = position(address, words);
    at.map_or_else(|| Bits::zero(words[0].width()), |at| words[at].clone())
}

impl Program {
    pub(crate) fn new(elaborated: Elaborated) -> Self {
        let Elaborated {
            mut terms,
            outputs,
            variables,
            registers,
            memories,
            tables,
            unclocked_reads,
            ..
        } = elaborated;
        let variable_terms: Vec<_> = variables
            .iter()
            .enumerate()
            .map(|(i, width)| {
                Some(terms.variable(u32::try_from(i).expect("few variables"), *width))
            })
            .collect();
        let n = terms.len();
        let mut program = Self {
            steps: Vec::new(),
            masks: Vec::new(),
            words: vec![0; n],
            wide: vec![None; n],
            variables: variable_terms,
            outputs: outputs.into_iter().map(|(_, term)| term).collect(),
            registers,
            memories,
            tables: tables
                .iter()
                .map(|t| (t.words.clone(), t.address))
                .collect(),
            unclocked_reads: unclocked_reads
                .iter()
                .map(|read| (read.memory, read.address))
                .collect(),
            pending: Vec::new(),
            terms,
        };
        let table_of = |variable: u32| tables.iter().position(|t| t.variable == variable);
        let read_of = |variable: u32| {
            let mut reads = unclocked_reads.iter();
            reads.position(|read| read.variable == variable)
        };
        for i in 0..n {
            let term = TermId(u32::try_from(i).expect("fewer than 2^32 terms"));
            let width = program.terms.width(&term);
            program.masks.push(mask(width));
            match program.terms.node(term).clone() {
                TermNode::Constant(value) => program.set(term, &value),
                TermNode::Variable { index, width } => {
                    program.set(term, &Bits::zero(width));
                    if let Some(table) = table_of(index) {
                        program.steps.push((term.0, Step::Lookup { table }));
                    } else if let Some(read) = read_of(index) {
                        program.steps.push((term.0, Step::Read { read }));
                    }
                }
                node => {
                    if width > 64 {
                        program.set(term, &Bits::zero(width));
                    }
                    let step = program.step(&node, width);
                    program.steps.push((term.0, step));
                }
            }
        }
        program
    }

    fn step(&self, node: &TermNode, width: u32) -> Step {
        use sluice_ir::algebra::Binary as B;
        let narrow = |t: &TermId| self.terms.width(t) <= 64;
        let op = match node {
            TermNode::Binary(op, a, b) if narrow(a) => match op {
                B::Add => NarrowOp::Add(a.0, b.0),
                B::Sub => NarrowOp::Sub(a.0, b.0),
                B::Mul => NarrowOp::Mul(a.0, b.0),
                B::And => NarrowOp::And(a.0, b.0),
                B::Or => NarrowOp::Or(a.0, b.0),
                B::Xor => NarrowOp::Xor(a.0, b.0),
                B::Eq => NarrowOp::Eq(a.0, b.0),
                B::Ult => NarrowOp::Ult(a.0, b.0),
                B::Slt => NarrowOp::Slt(a.0, b.0, self.terms.width(a)),
                B::Udiv | B::Urem | B::Sdiv | B::Srem | B::Shl | B::Lshr | B::Ashr => {
                    return Step::Wide;
                }
            },
            TermNode::Not(a) if narrow(a) => NarrowOp::Not(a.0),
            TermNode::Neg(a) if narrow(a) => NarrowOp::Neg(a.0),
            TermNode::Ite(c, a, b) if narrow(a) => NarrowOp::Ite(c.0, a.0, b.0),
            TermNode::Zext(a, to) if *to <= 64 => NarrowOp::Zext(a.0),
            TermNode::Sext(a, to) if *to <= 64 => NarrowOp::Sext(a.0, self.terms.width(a)),
            TermNode::Extract { of, low, .. } if narrow(of) => NarrowOp::Extract(of.0, *low),
            TermNode::Concat(high, low) if width <= 64 => {
                NarrowOp::Concat(high.0, low.0, self.terms.width(low))
            }
            _ => return Step::Wide,
        };
        Step::Narrow(op)
    }

    fn get(&self, term: TermId) -> Bits {
        let i = term.0 as usize;
        match &self.wide[i] {
            Some(value) => value.clone(),
            None => Bits::from_u64(self.terms.width(&term), self.words[i]),
        }
    }

    fn set(&mut self, term: TermId, value: &Bits) {
        let i = term.0 as usize;
        if value.width() <= 64 {
            self.words[i] = value.low_u64();
        } else {
            self.wide[i] = Some(value.clone());
        }
    }

    fn flag(&self, term: TermId) -> bool {
        self.words[term.0 as usize] != 0
    }

    pub(crate) fn set_variable(&mut self, variable: usize, value: &Bits) {
        if let Some(term) = self.variables[variable] {
            self.set(term, value);
        }
    }

    pub(crate) fn output(&self, index: usize) -> Bits {
        self.get(self.outputs[index])
    }

    pub(crate) fn registers(&self) -> impl Iterator<Item = (&str, Bits)> {
        self.registers.iter().map(|register| {
            let term =
                self.variables[register.variable as usize].expect("a register is a variable");
            (register.name.as_str(), self.get(term))
        })
    }

    pub(crate) fn evaluate(&mut self) {
        for i in 0..self.steps.len() {
            let (at, step) = &self.steps[i];
            let at = *at;
            match step {
                Step::Narrow(op) => {
                    let value = self.narrow(op) & self.masks[at as usize];
                    self.words[at as usize] = value;
                }
                Step::Wide => {
                    let term = TermId(at);
                    let value = self
                        .terms
                        .compute(self.terms.node(term), |_, operand| self.get(operand));
                    self.set(term, &value);
                }
                Step::Lookup { table } => {
                    let (words, address) = &self.tables[*table];
                    let word = word(&self.get(*address), words);
                    self.set(TermId(at), &word);
                }
                Step::Read { read } => {
                    let (memory, address) = self.unclocked_reads[*read];
                    let word = word(&self.get(address), &self.memories[memory].words);
                    self.set(TermId(at), &word);
                }
            }
        }
    }

    #[inline]
    fn narrow(&self, op: &NarrowOp) -> u64 {
        let x = |t: &u32| self.words[*t as usize];
        let signed = |value: u64, width: u32| {
            let shift = 64 - width.clamp(1, 64);
            (value << shift).cast_signed() >> shift
        };
        match op {
            NarrowOp::Add(a, b) => x(a).wrapping_add(x(b)),
            NarrowOp::Sub(a, b) => x(a).wrapping_sub(x(b)),
            NarrowOp::Mul(a, b) => x(a).wrapping_mul(x(b)),
            NarrowOp::And(a, b) => x(a) & x(b),
            NarrowOp::Or(a, b) => x(a) | x(b),
            NarrowOp::Xor(a, b) => x(a) ^ x(b),
            NarrowOp::Eq(a, b) => u64::from(x(a) == x(b)),
            NarrowOp::Ult(a, b) => u64::from(x(a) < x(b)),
            NarrowOp::Slt(a, b, width) => u64::from(signed(x(a), *width) < signed(x(b), *width)),
            NarrowOp::Not(a) => !x(a),
            NarrowOp::Neg(a) => x(a).wrapping_neg(),
            NarrowOp::Ite(c, a, b) => {
                if x(c) != 0 {
                    x(a)
                } else {
                    x(b)
                }
            }
            NarrowOp::Zext(a) => x(a),
            NarrowOp::Sext(a, width) => signed(x(a), *width).cast_unsigned(),
            NarrowOp::Extract(a, low) => x(a).checked_shr(*low).unwrap_or(0),
            NarrowOp::Concat(high, low, width) => x(high).checked_shl(*width).unwrap_or(0) | x(low),
        }
    }

    /// Registers, read data and memories take over what was evaluated; all old values are read before any is changed.
    pub(crate) fn commit(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        for register in &self.registers {
            if let Some((reset, value)) = register.reset
                && self.flag(reset)
            {
                pending.push((register.variable, self.get(value)));
                continue;
            }
            if register.enable.is_none_or(|enable| self.flag(enable)) {
                pending.push((register.variable, self.get(register.next)));
            }
        }
        for memory in &self.memories {
            for (variable, address, enable) in &memory.reads {
                if enable.is_none_or(|enable| self.flag(enable)) {
                    let word = word(&self.get(*address), &memory.words);
                    pending.push((*variable, word));
                }
            }
        }
        let mut writes = Vec::new();
        for (i, memory) in self.memories.iter().enumerate() {
            for (address, data, enable) in &memory.writes {
                if self.flag(*enable)
                    && let Some(at) = position(&self.get(*address), &memory.words)
                {
                    writes.push((i, at, self.get(*data)));
                }
            }
        }
        for (i, at, word) in writes {
            self.memories[i].words[at] = word;
        }
        for (variable, value) in &pending {
            if let Some(term) = self.variables[*variable as usize] {
                self.set(term, value);
            }
        }
        self.pending = pending;
        debug_assert!(
            self.registers.iter().all(|r| r.width_bits > 0),
            "registers carry bits"
        );
    }
}
