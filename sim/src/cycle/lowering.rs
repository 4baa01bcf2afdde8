//! Lowers the terms of a flattened circuit to a program on words: one word for each 64 bits; registers and ports are in slots.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sluice_ir::algebra::{Algebra, Binary as Operator, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;
use sluice_words::{
    Array, Binary, Function, Graph, Program, Update, Word, Write, limb_bits, mask, n_limbs,
};
use smallvec::{SmallVec, smallvec};

use super::flat::Elaborated;
use super::models::Computed;

/// The limbs of a value, the least significant first; bits above its width are 0.
pub(crate) type Limbs = SmallVec<[Word; 2]>;

/// Maximum number of words of a product or variable shift that is expanded into operations on words; a larger one calls a function.
const MAX_LIMBS: usize = 8;

/// The slots of a port or register: the first, and how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    pub(crate) first: u32,
    pub(crate) width_bits: u32,
}

impl Slots {
    pub(crate) fn n_limbs(self) -> u32 {
        n_limbs(self.width_bits)
    }
}

/// A program, and the slots of ports and registers in its state.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    pub(crate) inputs: Vec<Slots>,
    pub(crate) outputs: Vec<Slots>,
    /// Names and slots of the registers.
    pub(crate) registers: Vec<(String, Slots)>,
    /// Slots of the observed terms.
    pub(crate) observed: FxHashMap<TermId, Slots>,
    /// Slots of each variable.
    pub(crate) places: Vec<Slots>,
    /// The slot that tells whether there are edges that have not taken effect yet.
    pub(crate) pending: Option<u32>,
    /// The slot that tells whether time advances.
    pub(crate) advance: Option<u32>,
}

/// Returns the number of bits in the last limb of a value.
fn top_bits(width_bits: u32) -> u32 {
    limb_bits(width_bits, n_limbs(width_bits) - 1)
}

/// The source of a variable.
#[derive(Clone, Copy)]
enum Variable {
    /// State that begins at this slot.
    Slot(u32),
    /// A word of a table or a memory: the array and the address.
    Read(u32, TermId),
    /// A result of a function of a model: the number of the call, and of the result.
    Called(usize, usize),
}

struct Lowering {
    terms: Terms,
    graph: Graph,
    values: Vec<Limbs>,
    /// Terms that are copies of one bit, with that bit.
    replicas: FxHashMap<TermId, TermId>,
    /// The calls of functions of models.
    calls: Vec<Called>,
}

/// A call of a function of a model, and the limbs of its results after lowering.
struct Called {
    inputs: Vec<TermId>,
    widths: Vec<u32>,
    function: Computed,
    limbs: Vec<Limbs>,
}

/// Lowers a flattened circuit; the values of the terms in `observe` also get slots.
pub(crate) fn lower(flat: Elaborated, observe: impl Iterator<Item = TermId>) -> Lowered {
    let mut variables: Vec<Option<Variable>> = vec![None; flat.variables.len()];
    let number = |n: usize| u32::try_from(n).expect("fewer than 2^32 arrays");
    let mut arrays: Vec<Array> = Vec::new();
    for memory in &flat.memories {
        arrays.push(array(&memory.words));
    }
    for table in &flat.tables {
        let at = Variable::Read(number(arrays.len()), table.address);
        variables[table.variable as usize] = Some(at);
        arrays.push(array(&table.words));
    }
    for read in &flat.unclocked_reads {
        let at = Variable::Read(number(read.memory), read.address);
        variables[read.variable as usize] = Some(at);
    }
    for (call, called) in flat.calls.iter().enumerate() {
        for (at, variable) in called.variables.iter().enumerate() {
            variables[*variable as usize] = Some(Variable::Called(call, at));
        }
    }
    let mut slot_bits = Vec::new();
    let room = |slot_bits: &mut Vec<u32>, width_bits: u32| {
        let first = number(slot_bits.len());
        slot_bits.extend((0..n_limbs(width_bits)).map(|limb| limb_bits(width_bits, limb)));
        first
    };
    let mut places = Vec::new();
    for (variable, width_bits) in variables.iter_mut().zip(&flat.variables) {
        let first = number(slot_bits.len());
        places.push(Slots {
            first,
            width_bits: *width_bits,
        });
        if variable.is_none() {
            *variable = Some(Variable::Slot(room(&mut slot_bits, *width_bits)));
        }
    }
    let mut outputs = Vec::new();
    for (port, _) in &flat.outputs {
        outputs.push(Slots {
            first: room(&mut slot_bits, port.width_bits),
            width_bits: port.width_bits,
        });
    }
    let mut observed: FxHashMap<TermId, Slots> = FxHashMap::default();
    let mut shown = Vec::new();
    for term in observe {
        let is_state = match flat.terms.node(term) {
            TermNode::Variable { index, .. } => {
                let at = *index as usize;
                matches!(variables[at], Some(Variable::Slot(_))).then(|| places[at])
            }
            _ => None,
        };
        observed.entry(term).or_insert_with(|| {
            is_state.unwrap_or_else(|| {
                let width_bits = flat.terms.width(&term);
                let first = room(&mut slot_bits, width_bits);
                let slots = Slots { first, width_bits };
                shown.push((term, slots));
                slots
            })
        });
    }
    let pending = flat.timing.pending.map(|_| room(&mut slot_bits, 1));
    let width = |variable: &u32| flat.variables[*variable as usize];
    let calls = flat.calls.iter().map(|call| Called {
        inputs: call.inputs.clone(),
        widths: call.variables.iter().map(width).collect(),
        function: Arc::clone(&call.function),
        limbs: Vec::new(),
    });
    let mut lowering = Lowering {
        calls: calls.collect(),
        graph: Graph::default(),
        values: Vec::with_capacity(flat.terms.len()),
        replicas: FxHashMap::default(),
        terms: flat.terms,
    };
    for term in 0..lowering.terms.len() {
        let limbs = lowering.term(TermId(number(term)), &variables, &arrays);
        lowering.values.push(limbs);
    }
    let mut program = Program {
        slot_bits,
        arrays,
        ..Program::default()
    };
    for (slots, (_, term)) in outputs.iter().zip(&flat.outputs) {
        let limbs = lowering.value(*term);
        program.outputs.extend((slots.first..).zip(limbs));
    }
    for (term, slots) in shown {
        let limbs = lowering.value(term);
        program.observed.extend((slots.first..).zip(limbs));
    }
    if let (Some(slot), Some(term)) = (pending, flat.timing.pending) {
        program.outputs.push((slot, lowering.value(term)[0]));
    }
    let mut registers = Vec::new();
    for register in &flat.registers {
        let slots = places[register.variable as usize];
        let first = (0..slots.n_limbs() as usize).map(|limb| register.first.limb(limb));
        let first = (slots.first..).zip(first).filter(|(_, value)| *value != 0);
        program.initial.extend(first);
        if !register.name.is_empty() {
            registers.push((register.name.clone(), slots));
        }
        let update = lowering.register(register, slots);
        program.updates.push(update);
    }
    for (number, memory) in (0..).zip(&flat.memories) {
        for (variable, address, enable) in &memory.reads {
            let slots = places[*variable as usize];
            let limbs = lowering.read(number, *address, slots.width_bits, &program.arrays);
            program.updates.push(Update {
                when: enable.map(|enable| lowering.value(enable)[0]),
                stores: (slots.first..).zip(limbs).collect(),
            });
        }
        for (address, data, enable) in &memory.writes {
            program.writes.push(Write {
                when: lowering.value(*enable)[0],
                array: number,
                index: lowering.index(*address),
                limbs: lowering.value(*data).to_vec(),
            });
        }
    }
    program.graph = lowering.graph;
    // An input that an outside memory drives is not a switch.
    let is_driven = |slot: u32| {
        let mut updates = program.updates.iter();
        updates.any(|update| update.stores.iter().any(|(stored, _)| *stored == slot))
    };
    let inputs = &places[..flat.inputs.len()];
    let of_one_bit = inputs.iter().filter(|slots| slots.width_bits == 1);
    let advance = flat.timing.advance;
    let advance = advance.map(|variable| places[variable as usize].first);
    let switches = of_one_bit.map(|slots| slots.first).chain(advance);
    program.switches = switches.filter(|slot| !is_driven(*slot)).collect();
    Lowered {
        program,
        inputs: places[..flat.inputs.len()].to_vec(),
        outputs,
        registers,
        observed,
        places,
        pending,
        advance,
    }
}

/// Splits limbs into values of these widths.
fn split(mut limbs: &[u64], widths: &[u32]) -> Vec<Bits> {
    let mut values = Vec::new();
    for width in widths {
        let (own, after) = limbs.split_at(n_limbs(*width) as usize);
        values.push(Bits::from_limbs(*width, own));
        limbs = after;
    }
    values
}

fn array(words: &[Bits]) -> Array {
    let width_bits = words.first().map_or(1, Bits::width);
    let n_limbs = n_limbs(width_bits);
    let limbs = words
        .iter()
        .flat_map(|word| (0..n_limbs as usize).map(|limb| word.limb(limb)));
    Array {
        depth: u32::try_from(words.len()).expect("memories have fewer than 2^32 words"),
        width_bits,
        initial: limbs.collect(),
    }
}

impl Lowering {
    fn value(&self, term: TermId) -> Limbs {
        self.values[term.0 as usize].clone()
    }

    fn width(&self, term: TermId) -> u32 {
        self.terms.width(&term)
    }

    /// Returns the bit of which a term is a replication.
    fn replica(&self, term: TermId) -> Option<TermId> {
        let is_bit = self.width(term) == 1;
        is_bit
            .then_some(term)
            .or_else(|| self.replicas.get(&term).copied())
    }

    /// Returns whether a term replicates the top bit of another.
    fn is_sign(&mut self, term: TermId, of: TermId) -> bool {
        let (Some(bit), width) = (self.replica(term), self.width(of)) else {
            return false;
        };
        let bit = self.value(bit).first().copied();
        let top = self.value(of).last().copied();
        let top = top.map(|top| self.graph.shift(Binary::Shr, top, top_bits(width) - 1));
        width > 1 && bit.is_some() && bit == top
    }

    /// Returns an address as one word. If it has bits above the first limb, the word is larger than any memory.
    fn index(&mut self, address: TermId) -> Word {
        let limbs = self.value(address);
        let graph = &mut self.graph;
        let Some((low, high)) = limbs.split_first() else {
            return graph.constant(0);
        };
        let mut any = graph.constant(0);
        for limb in high {
            any = graph.binary(Binary::Or, any, *limb);
        }
        let beyond = graph.constant(u64::MAX);
        graph.select(any, beyond, *low)
    }

    fn read(&mut self, array: u32, address: TermId, width_bits: u32, arrays: &[Array]) -> Limbs {
        let index = self.index(address);
        (0..arrays[array as usize].n_limbs())
            .map(|limb| {
                let bits = limb_bits(width_bits, limb);
                self.graph.load(array, index, limb, bits)
            })
            .collect()
    }

    fn register(&mut self, register: &super::flat::Register, slots: Slots) -> Update {
        let mut limbs = self.value(register.next);
        let mut when = register.enable.map(|enable| self.value(enable)[0]);
        if let Some((reset, value)) = register.reset {
            let reset = self.value(reset)[0];
            let value = self.value(value);
            for (limb, value) in limbs.iter_mut().zip(value) {
                *limb = self.graph.select(reset, value, *limb);
            }
            when = when.map(|when| self.graph.binary(Binary::Or, reset, when));
        }
        Update {
            when,
            stores: (slots.first..).zip(limbs).collect(),
        }
    }

    fn term(&mut self, term: TermId, variables: &[Option<Variable>], arrays: &[Array]) -> Limbs {
        let width = self.width(term);
        let node = self.terms.node(term).clone();
        match &node {
            TermNode::Constant(value) => (0..n_limbs(width) as usize)
                .map(|limb| self.graph.constant(value.limb(limb)))
                .collect(),
            TermNode::Variable { index, .. } => match variables.get(*index as usize) {
                Some(Some(Variable::Read(array, address))) => {
                    self.read(*array, *address, width, arrays)
                }
                Some(Some(Variable::Called(call, at))) => self.called(*call, *at),
                Some(Some(Variable::Slot(first))) => (0..n_limbs(width))
                    .zip(*first..)
                    .map(|(limb, slot)| self.graph.slot(slot, limb_bits(width, limb)))
                    .collect(),
                _ => unreachable!("every variable has a place"),
            },
            TermNode::Binary(op, a, b) => self.binary(*op, *a, *b, &node),
            TermNode::Not(a) => {
                let limbs = self.value(*a);
                self.complement(&limbs, width)
            }
            TermNode::Neg(a) => {
                let zero: Limbs = smallvec![self.graph.constant(0); n_limbs(width) as usize];
                let limbs = self.value(*a);
                self.difference(&zero, &limbs, width).0
            }
            TermNode::Ite(c, a, b) => {
                let condition = self.value(*c)[0];
                let (a, b) = (self.value(*a), self.value(*b));
                self.select(condition, &a, &b)
            }
            TermNode::Zext(a, _) => {
                let mut limbs = self.value(*a);
                limbs.resize(n_limbs(width) as usize, self.graph.constant(0));
                limbs
            }
            TermNode::Sext(a, _) => self.sign_extended(*a, width),
            TermNode::Extract { of, low, .. } => {
                let limbs = self.value(*of);
                let limbs = self.shifted_right(&limbs, *low, n_limbs(width) as usize);
                self.cut(limbs, width)
            }
            TermNode::Concat(high, low)
                if self.width(*high) > 0
                    && self.width(*low) > 0
                    && self.replica(*high) == self.replica(*low)
                    && self.replica(*high).is_some() =>
            {
                let bit = self.replica(*high).expect("checked above");
                self.replicas.insert(term, bit);
                let bit = self.value(bit)[0];
                let zero = self.graph.constant(0);
                let ones = self.graph.binary(Binary::Sub, zero, bit);
                self.cut(smallvec![ones; n_limbs(width) as usize], width)
            }
            TermNode::Concat(high, low) if self.is_sign(*high, *low) => {
                self.sign_extended(*low, width)
            }
            TermNode::Concat(high, low) => {
                let below = self.width(*low);
                let (high, low) = (self.value(*high), self.value(*low));
                let n = n_limbs(width) as usize;
                let high = self.shifted_left(&high, below, n);
                (0..n)
                    .map(|limb| match low.get(limb) {
                        Some(low) => self.graph.binary(Binary::Or, high[limb], *low),
                        None => high[limb],
                    })
                    .collect()
            }
            TermNode::Float(_, _, operands) => self.call(&node, operands, width),
        }
    }

    /// Truncates a value.
    fn cut(&mut self, mut limbs: Limbs, width: u32) -> Limbs {
        limbs.truncate(n_limbs(width) as usize);
        if let Some(last) = limbs.last_mut() {
            *last = self.graph.low(*last, top_bits(width));
        }
        limbs
    }

    fn complement(&mut self, limbs: &Limbs, width: u32) -> Limbs {
        let flip = |(at, limb): (u32, &Word)| {
            let ones = self.graph.constant(mask(limb_bits(width, at)));
            self.graph.binary(Binary::Xor, *limb, ones)
        };
        (0..).zip(limbs).map(flip).collect()
    }

    fn select(&mut self, condition: Word, a: &Limbs, b: &Limbs) -> Limbs {
        let both = a.iter().zip(b);
        both.map(|(a, b)| self.graph.select(condition, *a, *b))
            .collect()
    }

    fn bitwise(&mut self, op: Binary, a: &Limbs, b: &Limbs) -> Limbs {
        let both = a.iter().zip(b);
        both.map(|(a, b)| self.graph.binary(op, *a, *b)).collect()
    }

    fn sum(&mut self, a: &Limbs, b: &Limbs, width: u32) -> Limbs {
        let mut carry = None;
        let mut limbs = Limbs::new();
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            let graph = &mut self.graph;
            let mut sum = graph.binary(Binary::Add, *a, *b);
            let is_last = at + 1 == n_limbs(width) as usize;
            let mut over = (!is_last).then(|| graph.binary(Binary::Ltu, sum, *a));
            if let Some(carry) = carry {
                let with = graph.binary(Binary::Add, sum, carry);
                over = over.map(|over| {
                    let again = graph.binary(Binary::Ltu, with, sum);
                    graph.binary(Binary::Or, over, again)
                });
                sum = with;
            }
            carry = over;
            limbs.push(sum);
        }
        self.cut(limbs, width)
    }

    /// Returns the difference, and 1 if the second operand is greater.
    fn difference(&mut self, a: &Limbs, b: &Limbs, width: u32) -> (Limbs, Word) {
        let mut borrow = self.graph.constant(0);
        let mut limbs = Limbs::new();
        for (a, b) in a.iter().zip(b) {
            let graph = &mut self.graph;
            let difference = graph.binary(Binary::Sub, *a, *b);
            let under = graph.binary(Binary::Ltu, *a, *b);
            let with = graph.binary(Binary::Sub, difference, borrow);
            let again = graph.binary(Binary::Ltu, difference, borrow);
            borrow = graph.binary(Binary::Or, under, again);
            limbs.push(with);
        }
        (self.cut(limbs, width), borrow)
    }

    /// Shifts right by a constant; returns `n` limbs.
    fn shifted_right(&mut self, limbs: &Limbs, amount: u32, n: usize) -> Limbs {
        let (skip, by) = ((amount / 64) as usize, amount % 64);
        let graph = &mut self.graph;
        (0..n)
            .map(|at| {
                let Some(low) = limbs.get(at + skip) else {
                    return graph.constant(0);
                };
                let low = graph.shift(Binary::Shr, *low, by);
                match limbs.get(at + skip + 1) {
                    Some(high) if by > 0 => {
                        let high = graph.shift(Binary::Shl, *high, 64 - by);
                        graph.binary(Binary::Or, low, high)
                    }
                    _ => low,
                }
            })
            .collect()
    }

    /// Shifts left by a constant; returns `n` limbs without clearing the bits above the width.
    fn shifted_left(&mut self, limbs: &Limbs, amount: u32, n: usize) -> Limbs {
        let (skip, by) = ((amount / 64) as usize, amount % 64);
        let graph = &mut self.graph;
        (0..n)
            .map(|at| {
                let of = |at: Option<usize>| at.and_then(|at| limbs.get(at)).copied();
                let high = match of(at.checked_sub(skip)) {
                    Some(high) => graph.shift(Binary::Shl, high, by),
                    None => graph.constant(0),
                };
                match of(at.checked_sub(skip + 1)) {
                    Some(low) if by > 0 => {
                        let low = graph.shift(Binary::Shr, low, 64 - by);
                        graph.binary(Binary::Or, high, low)
                    }
                    _ => high,
                }
            })
            .collect()
    }

    /// Sign-extends the low bits of a word.
    fn signed_word(&mut self, word: Word, bits: u32) -> Word {
        let up = self.graph.shift(Binary::Shl, word, 64 - bits);
        self.graph.shift(Binary::Sar, up, 64 - bits)
    }

    fn sign_extended(&mut self, a: TermId, width: u32) -> Limbs {
        let narrow = self.width(a);
        let mut limbs = self.value(a);
        if narrow == 0 {
            return smallvec![self.graph.constant(0); n_limbs(width) as usize];
        }
        let last = limbs.len() - 1;
        limbs[last] = self.signed_word(limbs[last], top_bits(narrow));
        let sign = self.graph.shift(Binary::Sar, limbs[last], 63);
        limbs.resize(n_limbs(width) as usize, sign);
        self.cut(limbs, width)
    }

    fn binary(&mut self, op: Operator, a: TermId, b: TermId, node: &TermNode) -> Limbs {
        let width = self.width(a);
        let (left, right) = (self.value(a), self.value(b));
        match op {
            Operator::And => self.bitwise(Binary::And, &left, &right),
            Operator::Or => self.bitwise(Binary::Or, &left, &right),
            Operator::Xor => self.bitwise(Binary::Xor, &left, &right),
            Operator::Add => self.sum(&left, &right, width),
            Operator::Sub => self.difference(&left, &right, width).0,
            Operator::Mul if left.len() <= MAX_LIMBS => self.product(&left, &right, width),
            Operator::Eq => {
                let differ = self.bitwise(Binary::Xor, &left, &right);
                smallvec![match (left.as_slice(), right.as_slice()) {
                    ([left], [right]) => self.graph.binary(Binary::Eq, *left, *right),
                    _ => {
                        let any = differ
                            .into_iter()
                            .reduce(|any, limb| self.graph.binary(Binary::Or, any, limb));
                        let any = any.unwrap_or_else(|| self.graph.constant(0));
                        self.graph.is_zero(any)
                    }
                }]
            }
            Operator::Ult => match (left.as_slice(), right.as_slice()) {
                ([left], [right]) => smallvec![self.graph.binary(Binary::Ltu, *left, *right)],
                _ => smallvec![self.difference(&left, &right, width).1],
            },
            Operator::Slt => self.signed_less(&left, &right, width),
            Operator::Shl | Operator::Lshr | Operator::Ashr if left.len() <= MAX_LIMBS => {
                self.shift(op, a, &left, b)
            }
            Operator::Udiv | Operator::Urem | Operator::Sdiv | Operator::Srem
                if left.len() == 1 =>
            {
                smallvec![self.division(op, left[0], right[0], width)]
            }
            _ => {
                let width = match op {
                    Operator::Eq | Operator::Ult | Operator::Slt => 1,
                    _ => width,
                };
                self.call(node, &[a, b], width)
            }
        }
    }

    fn signed_less(&mut self, a: &Limbs, b: &Limbs, width: u32) -> Limbs {
        if let ([a], [b]) = (a.as_slice(), b.as_slice()) {
            let up = 64 - width.clamp(1, 64);
            let a = self.graph.shift(Binary::Shl, *a, up);
            let b = self.graph.shift(Binary::Shl, *b, up);
            return smallvec![self.graph.binary(Binary::Lts, a, b)];
        }
        // Adding half of the range to both operands turns the signed comparison into an unsigned one.
        let last = a.len() - 1;
        let sign = self.graph.constant(1 << ((width - 1) % 64));
        let mut flip = |limbs: &Limbs| {
            let mut limbs = limbs.clone();
            limbs[last] = self.graph.binary(Binary::Xor, limbs[last], sign);
            limbs
        };
        let (a, b) = (flip(a), flip(b));
        smallvec![self.difference(&a, &b, width).1]
    }

    /// Multiplies limb by limb, with carries.
    fn product(&mut self, a: &Limbs, b: &Limbs, width: u32) -> Limbs {
        let n = a.len();
        let zero = self.graph.constant(0);
        let mut total: Limbs = smallvec![zero; n];
        for (i, a) in a.iter().enumerate() {
            let mut carry = zero;
            for j in 0..n - i {
                let graph = &mut self.graph;
                let low = graph.binary(Binary::Mul, *a, b[j]);
                let sum = graph.binary(Binary::Add, total[i + j], low);
                let is_last = i + j + 1 == n;
                let mut next = zero;
                if !is_last {
                    let high = graph.binary(Binary::MulHigh, *a, b[j]);
                    let over = graph.binary(Binary::Ltu, sum, low);
                    next = graph.binary(Binary::Add, high, over);
                }
                let with = graph.binary(Binary::Add, sum, carry);
                if !is_last {
                    let over = graph.binary(Binary::Ltu, with, sum);
                    next = graph.binary(Binary::Add, next, over);
                }
                carry = next;
                total[i + j] = with;
            }
        }
        self.cut(total, width)
    }

    /// Shifts by a variable amount; an amount of at least the width gives zeros, or copies of the sign.
    fn shift(&mut self, op: Operator, of: TermId, limbs: &Limbs, amount: TermId) -> Limbs {
        let width = self.width(of);
        let amount = self.index(amount);
        let n = limbs.len();
        let whole = self.graph.constant(u64::from(width));
        let is_within = self.graph.binary(Binary::Ltu, amount, whole);
        if let [word] = limbs.as_slice() {
            let shifted = match op {
                Operator::Shl => self.graph.binary(Binary::Shl, *word, amount),
                Operator::Lshr => self.graph.binary(Binary::Shr, *word, amount),
                _ => {
                    let signed = self.signed_word(*word, width.max(1));
                    let most = self.graph.constant(63);
                    let amount = self.graph.select(is_within, amount, most);
                    let shifted = self.graph.binary(Binary::Sar, signed, amount);
                    return self.cut(smallvec![shifted], width);
                }
            };
            let zero = self.graph.constant(0);
            let shifted = self.graph.select(is_within, shifted, zero);
            return self.cut(smallvec![shifted], width);
        }
        // A barrel shifter: one stage for each power of two. An arithmetic right shift of a negative value is a logical shift of
        // its complement.
        let sign = match op {
            Operator::Ashr => {
                let top = self
                    .graph
                    .shift(Binary::Shr, limbs[n - 1], (width - 1) % 64);
                let zero = self.graph.constant(0);
                Some(self.graph.binary(Binary::Sub, zero, top))
            }
            _ => None,
        };
        let flip = |lowering: &mut Self, limbs: Limbs| match sign {
            Some(sign) => {
                let flipped = limbs
                    .iter()
                    .map(|limb| lowering.graph.binary(Binary::Xor, *limb, sign));
                let flipped = flipped.collect();
                lowering.cut(flipped, width)
            }
            None => limbs,
        };
        let mut value = flip(self, limbs.clone());
        for stage in 0..width.next_power_of_two().trailing_zeros() {
            let bit = self.graph.shift(Binary::Shr, amount, stage);
            let bit = self.graph.low(bit, 1);
            let moved = match op {
                Operator::Shl => {
                    let moved = self.shifted_left(&value, 1 << stage, n);
                    self.cut(moved, width)
                }
                _ => self.shifted_right(&value, 1 << stage, n),
            };
            value = self.select(bit, &moved, &value);
        }
        let zeros: Limbs = smallvec![self.graph.constant(0); n];
        let value = self.select(is_within, &value, &zeros);
        flip(self, value)
    }

    /// Divides values of one limb: signed operands become magnitudes, and the result gets its sign at the end.
    fn division(&mut self, op: Operator, a: Word, b: Word, width: u32) -> Word {
        let is_signed = matches!(op, Operator::Sdiv | Operator::Srem);
        let of = match op {
            Operator::Udiv | Operator::Sdiv => Binary::Udiv,
            _ => Binary::Urem,
        };
        if !is_signed {
            let word = self.graph.binary(of, a, b);
            return self.graph.low(word, width);
        }
        let mut magnitude = |word: Word| {
            let signed = self.signed_word(word, width);
            let sign = self.graph.shift(Binary::Sar, signed, 63);
            let flipped = self.graph.binary(Binary::Xor, signed, sign);
            (self.graph.binary(Binary::Sub, flipped, sign), sign)
        };
        let ((a, sign_a), (b, sign_b)) = (magnitude(a), magnitude(b));
        let graph = &mut self.graph;
        let sign = match of {
            Binary::Udiv => graph.binary(Binary::Xor, sign_a, sign_b),
            _ => sign_a,
        };
        let word = graph.binary(of, a, b);
        let flipped = graph.binary(Binary::Xor, word, sign);
        let word = graph.binary(Binary::Sub, flipped, sign);
        graph.low(word, width)
    }

    /// Returns a result of a call.
    fn called(&mut self, call: usize, at: usize) -> Limbs {
        if self.calls[call].limbs.is_empty() {
            let inputs = self.calls[call].inputs.clone();
            let given = inputs.iter().flat_map(|term| self.value(*term)).collect();
            let given_widths: Vec<u32> = inputs.iter().map(|term| self.width(*term)).collect();
            let widths = self.calls[call].widths.clone();
            let of_model = Arc::clone(&self.calls[call].function);
            let bits: Vec<u32> = widths
                .iter()
                .flat_map(|width| (0..n_limbs(*width)).map(|limb| limb_bits(*width, limb)))
                .collect();
            let found_widths = widths.clone();
            let function: Function = Arc::new(move |given: &[u64], found: &mut [u64]| {
                let results = of_model(&split(given, &given_widths));
                let mut rest = found;
                for (at, width) in found_widths.iter().enumerate() {
                    let value = results.get(at).cloned();
                    let value = value.unwrap_or_else(|| Bits::zero(*width));
                    let value = value.zext(value.width().max(*width)).trunc(*width);
                    let (limbs, after) = rest.split_at_mut(n_limbs(*width) as usize);
                    for (at, limb) in limbs.iter_mut().enumerate() {
                        *limb = value.limb(at);
                    }
                    rest = after;
                }
            });
            let mut words = self.graph.call(function, given, &bits).into_iter();
            self.calls[call].limbs = widths
                .iter()
                .map(|width| words.by_ref().take(n_limbs(*width) as usize).collect())
                .collect();
        }
        self.calls[call].limbs[at].clone()
    }

    /// Calls the algebra for an operation that has no expansion into words.
    fn call(&mut self, node: &TermNode, operands: &[TermId], width: u32) -> Limbs {
        let node = node.clone();
        let operands = operands.to_vec();
        let widths: Vec<u32> = operands.iter().map(|term| self.width(*term)).collect();
        let given = operands.iter().flat_map(|term| self.value(*term)).collect();
        let function: Function = Arc::new(move |given: &[u64], found: &mut [u64]| {
            let values = split(given, &widths);
            let value = Terms::new().compute(&node, |_, term| {
                let at = operands.iter().position(|operand| *operand == term);
                values[at.expect("it is an operand")].clone()
            });
            for (at, limb) in found.iter_mut().enumerate() {
                *limb = value.limb(at);
            }
        });
        let bits: Vec<u32> = (0..n_limbs(width))
            .map(|limb| limb_bits(width, limb))
            .collect();
        self.graph.call(function, given, &bits).into()
    }
}
