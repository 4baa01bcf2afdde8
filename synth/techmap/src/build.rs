//! Technology mapping, first step: builds a network of gates and blocks from the terms of a flattened circuit.
//!
//! Sums and comparisons become carry chains. Sums of three or more operands use carry-save adders before one chain. Products
//! become multiplier blocks or, on devices without blocks, sums of partial products. Everything else becomes gates. Registers
//! that are constant, duplicated or unread are removed.

use rustc_hash::FxHashMap;
use sluice_dialects::storage::Storage;
use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode};
use sluice_ir::bits::Bits;
use sluice_sim::cycle::flat::Elaborated;

use super::Technology;
use super::network::{Block, Network, Node, NodeId, Signal};

/// One bit of a register.
#[derive(Clone, Debug)]
pub(crate) struct Flop {
    /// Index of the register in the flattened circuit.
    pub register: usize,
    /// Position of the bit in the register.
    pub bit: u32,
    pub output: NodeId,
    pub next: Signal,
    /// Clock enable; true if the register has none.
    pub enable: Signal,
    /// Synchronous reset; false if the register has none.
    pub reset: Signal,
}

/// A circuit as gates between registers.
#[derive(Debug)]
pub struct Circuit {
    pub network: Network,
    pub flops: Vec<Flop>,
    pub outputs: Vec<Signal>,
    /// Inputs of memories: addresses, data, enables.
    pub(crate) memory_inputs: Vec<Signal>,
    /// Outputs of memories.
    pub(crate) memory_outputs: Vec<NodeId>,
    /// Memories and constant tables that are not built from gates.
    pub memories: Vec<Held>,
}

/// A memory that is an array of cells.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The requested storage, if any.
    pub storage: Option<Storage>,
    pub words: u32,
    pub width_bits: u32,
    /// Number of read ports.
    pub n_reads: u32,
    /// Number of bits that are read combinationally; each is a look-up table in the network.
    pub(crate) unclocked_bits: u32,
}

/// The replacement of a redundant register bit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Constant(bool),
    SameAs(u32, u32),
}

/// Maximum number of iterations that remove constant or duplicated registers.
const N_ITERATIONS: usize = 6;

/// Builds the circuit of a flattened module.
pub fn circuit(flat: &Elaborated, technology: &Technology) -> Circuit {
    let mut fates: FxHashMap<(u32, u32), Fate> = FxHashMap::default();
    for _ in 0..N_ITERATIONS {
        let built = Builder::new(flat, technology, &fates).build();
        if !decide(flat, &built, &mut fates) {
            return built;
        }
    }
    Builder::new(flat, technology, &fates).build()
}

/// Next value, enable, reset, and the constant reset value. Bits for which all of these are equal have equal values.
type Behaviour = (Signal, Signal, Signal, Option<bool>);

/// Records register bits that are constant or equal to another bit. Returns true if it found a new one.
fn decide(flat: &Elaborated, built: &Circuit, fates: &mut FxHashMap<(u32, u32), Fate>) -> bool {
    let mut seen: FxHashMap<Behaviour, (u32, u32)> = FxHashMap::default();
    let mut found = false;
    for flop in &built.flops {
        let register = &flat.registers[flop.register];
        let place = (register.variable, flop.bit);
        let reset_value = register
            .reset
            .and_then(|(_, value)| match flat.terms.node(value) {
                TermNode::Constant(value) => Some(bit_of(value, flop.bit)),
                _ => None,
            });
        let holds = flop.next == Signal::of(flop.output) || flop.enable == Signal::FALSE;
        let constant = match (flop.next.is_constant(), flop.reset == Signal::FALSE) {
            (true, true) => Some(flop.next == Signal::TRUE),
            (true, false) if reset_value == Some(flop.next == Signal::TRUE) => reset_value,
            _ if holds && flop.reset == Signal::FALSE => Some(false),
            _ if holds => reset_value,
            _ => None,
        };
        if let Some(value) = constant {
            fates.insert(place, Fate::Constant(value));
            found = true;
            continue;
        }
        let key = (flop.next, flop.enable, flop.reset, reset_value);
        match seen.get(&key) {
            Some((variable, other)) => {
                fates.insert(place, Fate::SameAs(*variable, *other));
                found = true;
            }
            None => {
                seen.insert(key, place);
            }
        }
    }
    found
}

fn bit_of(value: &Bits, bit: u32) -> bool {
    !value.extract(bit, 1).is_zero()
}

fn index(number: u32) -> usize {
    usize::try_from(number).expect("a number of 32 bits is an index")
}

fn bits_of(n: usize) -> u32 {
    u32::try_from(n).expect("a word is short")
}

struct Builder<'a> {
    flat: &'a Elaborated,
    technology: &'a Technology,
    fates: &'a FxHashMap<(u32, u32), Fate>,
    network: Network,
    /// The bits of each term, least significant first.
    words: Vec<Vec<Signal>>,
    /// How often each term is read.
    uses: Vec<u32>,
    variables: Vec<Vec<Signal>>,
    memory_outputs: Vec<NodeId>,
    memories: Vec<Held>,
}

impl<'a> Builder<'a> {
    fn new(
        flat: &'a Elaborated,
        technology: &'a Technology,
        fates: &'a FxHashMap<(u32, u32), Fate>,
    ) -> Self {
        let mut network = Network::new();
        let mut variables: Vec<Vec<Signal>> = flat
            .variables
            .iter()
            .map(|width| (0..*width).map(|_| network.source()).collect())
            .collect();
        // Follow chains of equal bits to the last one.
        for place in fates.keys() {
            let mut at = *place;
            let mut value = None;
            for _ in 0..fates.len() {
                match fates.get(&at) {
                    Some(Fate::Constant(constant)) => {
                        value = Some(Signal::constant(*constant));
                        break;
                    }
                    Some(Fate::SameAs(variable, bit)) => at = (*variable, *bit),
                    None => break,
                }
            }
            let value = value.unwrap_or_else(|| variables[index(at.0)][index(at.1)]);
            variables[index(place.0)][index(place.1)] = value;
        }
        Self {
            flat,
            technology,
            fates,
            network,
            words: Vec::with_capacity(flat.terms.len()),
            uses: uses(flat),
            variables,
            memory_outputs: Vec::new(),
            memories: Vec::new(),
        }
    }

    fn build(mut self) -> Circuit {
        let flat = self.flat;
        let mut tables: FxHashMap<u32, usize> = FxHashMap::default();
        for (i, table) in flat.tables.iter().enumerate() {
            tables.insert(table.variable, i);
        }
        let mut unclocked: FxHashMap<u32, TermId> = FxHashMap::default();
        for read in &flat.unclocked_reads {
            unclocked.insert(read.variable, read.address);
        }
        for i in 0..flat.terms.len() {
            let term = TermId(bits_of(i));
            let word = match flat.terms.node(term) {
                TermNode::Variable {
                    index: variable, ..
                } => match tables.get(variable) {
                    Some(table) => self.table(*table),
                    None if unclocked.contains_key(variable) => {
                        self.unclocked(unclocked[variable], index(*variable))
                    }
                    None => self.variables[index(*variable)].clone(),
                },
                node => self.word(term, node),
            };
            self.words.push(word);
        }
        let mut memory_inputs = Vec::new();
        // `memories` already contains the constant tables that are memories.
        let n_tables = self.memories.len();
        for memory in &flat.memories {
            let width = memory.words.first().map_or(1, Bits::width);
            self.memories.push(Held {
                storage: memory.storage,
                words: bits_of(memory.words.len()),
                width_bits: width,
                n_reads: bits_of(memory.reads.len()),
                unclocked_bits: 0,
            });
            for (variable, address, enable) in &memory.reads {
                for signal in &self.variables[index(*variable)] {
                    self.memory_outputs.push(signal.node());
                }
                memory_inputs.extend(self.read(*address));
                memory_inputs.extend(enable.iter().flat_map(|enable| self.read(*enable)));
            }
            for (address, data, enable) in &memory.writes {
                for term in [address, data, enable] {
                    memory_inputs.extend(self.read(*term));
                }
            }
        }
        for read in &flat.unclocked_reads {
            let held = &mut self.memories[n_tables + read.memory];
            held.n_reads += 1;
            held.unclocked_bits += held.width_bits;
        }
        let mut flops = Vec::new();
        for (number, register) in flat.registers.iter().enumerate() {
            self.register(number, register.variable, &mut flops);
        }
        let outputs = flat
            .outputs
            .iter()
            .flat_map(|(_, term)| self.read(*term))
            .collect();
        Circuit {
            network: self.network,
            flops,
            outputs,
            memory_inputs,
            memory_outputs: self.memory_outputs,
            memories: self.memories,
        }
    }

    /// Models a combinational memory read: two levels of look-up tables from address to data, the second with one table per bit.
    fn unclocked(&mut self, address: TermId, variable: usize) -> Vec<Signal> {
        let parity = self.read(address).into_iter();
        let parity = parity.fold(Signal::FALSE, |sum, bit| self.network.xor(sum, bit));
        let bits = self.variables[variable].clone();
        let bits = bits.into_iter();
        bits.map(|bit| self.network.xor(parity, bit)).collect()
    }

    fn read(&self, term: TermId) -> Vec<Signal> {
        self.words[index(term.0)].clone()
    }

    /// Adds the flip-flops of a register. A multiplexer that keeps the old value becomes part of the enable.
    fn register(&mut self, number: usize, variable: u32, flops: &mut Vec<Flop>) {
        let register = &self.flat.registers[number];
        let enable = register
            .enable
            .map_or(Signal::TRUE, |term| self.words[index(term.0)][0]);
        let reset = register
            .reset
            .map_or(Signal::FALSE, |(term, _)| self.words[index(term.0)][0]);
        let next = self.read(register.next);
        for (bit, next) in next.into_iter().enumerate() {
            let place = (variable, bits_of(bit));
            if self.fates.contains_key(&place) {
                continue;
            }
            let output = self.variables[index(variable)][bit];
            let mut flop = Flop {
                register: number,
                bit: place.1,
                output: output.node(),
                next,
                enable,
                reset,
            };
            self.absorb(&mut flop, output);
            flops.push(flop);
        }
    }

    fn absorb(&mut self, flop: &mut Flop, own: Signal) {
        while let Node::Mux(condition, a, b) = self.network.nodes[index(flop.next.node())] {
            let flip = |signal: Signal| {
                if flop.next.inverted() {
                    signal.not()
                } else {
                    signal
                }
            };
            let (a, b) = (flip(a), flip(b));
            let (keeps_unless, value) = if b == own {
                (condition, a)
            } else if a == own {
                (condition.not(), b)
            } else {
                break;
            };
            flop.enable = self.network.and(flop.enable, keeps_unless);
            flop.next = value;
        }
    }

    /// Returns the output of a constant table: a multiplexer tree over its words, or a memory if the table is large.
    fn table(&mut self, number: usize) -> Vec<Signal> {
        let table = &self.flat.tables[number];
        let address = self.words.get(index(table.address.0)).cloned();
        let width = table.words.first().map_or(1, Bits::width);
        let (Some(address), true) = (
            address,
            u64::from(width) * (table.words.len() as u64) <= self.technology.max_table_bits,
        ) else {
            let outputs: Vec<Signal> = (0..width).map(|_| self.network.source()).collect();
            self.memories.push(Held {
                storage: None,
                words: bits_of(table.words.len()),
                width_bits: width,
                n_reads: 1,
                unclocked_bits: 0,
            });
            self.memory_outputs
                .extend(outputs.iter().map(|signal| signal.node()));
            return outputs;
        };
        (0..width)
            .map(|bit| {
                let mut level: Vec<Signal> = table
                    .words
                    .iter()
                    .map(|word| Signal::constant(bit_of(word, bit)))
                    .collect();
                for select in &address {
                    level = level
                        .chunks(2)
                        .map(|pair| match pair {
                            [low, high] => self.network.mux(*select, *high, *low),
                            _ => pair[0],
                        })
                        .collect();
                }
                level.first().copied().unwrap_or(Signal::FALSE)
            })
            .collect()
    }

    fn word(&mut self, term: TermId, node: &TermNode) -> Vec<Signal> {
        let width = self.flat.terms.width(&term);
        match node {
            TermNode::Constant(value) => (0..width)
                .map(|bit| Signal::constant(bit_of(value, bit)))
                .collect(),
            TermNode::Variable { .. } => unreachable!("variables are made by the caller"),
            TermNode::Not(a) => self.read(*a).into_iter().map(Signal::not).collect(),
            TermNode::Neg(a) => {
                let b: Vec<Signal> = self.read(*a).into_iter().map(Signal::not).collect();
                let zeros = vec![Signal::FALSE; b.len()];
                self.chain_sum(&zeros, &b, true)
            }
            TermNode::Ite(condition, a, b) => {
                let condition = self.words[index(condition.0)][0];
                let (a, b) = (self.read(*a), self.read(*b));
                a.iter()
                    .zip(&b)
                    .map(|(a, b)| self.network.mux(condition, *a, *b))
                    .collect()
            }
            TermNode::Zext(a, to) => {
                let mut word = self.read(*a);
                word.resize(index(*to), Signal::FALSE);
                word
            }
            TermNode::Sext(a, to) => {
                let mut word = self.read(*a);
                let top = word.last().copied().unwrap_or(Signal::FALSE);
                word.resize(index(*to), top);
                word
            }
            TermNode::Extract { of, low, width } => {
                self.words[index(of.0)][index(*low)..index(low + width)].to_vec()
            }
            TermNode::Concat(high, low) => {
                let mut word = self.read(*low);
                word.extend(self.read(*high));
                word
            }
            TermNode::Binary(op, a, b) => self.binary(term, *op, *a, *b),
            // Floating-point operations are lowered earlier. Any that is left counts only as its wires.
            TermNode::Float(..) => (0..width).map(|_| self.network.source()).collect(),
        }
    }

    fn binary(&mut self, term: TermId, op: Binary, a: TermId, b: TermId) -> Vec<Signal> {
        let (left, right) = (self.read(a), self.read(b));
        let each = |network: &mut Network, f: fn(&mut Network, Signal, Signal) -> Signal| {
            left.iter()
                .zip(&right)
                .map(|(a, b)| f(network, *a, *b))
                .collect::<Vec<_>>()
        };
        match op {
            Binary::And => each(&mut self.network, Network::and),
            Binary::Or => each(&mut self.network, Network::or),
            Binary::Xor => each(&mut self.network, Network::xor),
            Binary::Add | Binary::Sub => self.sum(term),
            Binary::Mul => self.product(&left, &right),
            Binary::Eq => {
                let same: Vec<Signal> = left
                    .iter()
                    .zip(&right)
                    .map(|(a, b)| self.network.xor(*a, *b).not())
                    .collect();
                vec![self.network.all(&same)]
            }
            Binary::Ult | Binary::Slt if self.is_difference(op == Binary::Slt, &left, &right) => {
                vec![self.difference(op == Binary::Slt, &left, &right)]
            }
            Binary::Ult => vec![self.less(&left, &right, false)],
            Binary::Slt => {
                let flip = |word: &[Signal]| {
                    let mut word = word.to_vec();
                    if let Some(top) = word.last_mut() {
                        *top = top.not();
                    }
                    word
                };
                let zero = |word: &[Signal]| word.iter().all(|bit| *bit == Signal::FALSE);
                match left.last() {
                    Some(sign) if zero(&right) => vec![*sign],
                    _ => vec![self.less(&flip(&left), &flip(&right), true)],
                }
            }
            Binary::Shl | Binary::Lshr | Binary::Ashr => self.shift(op, &left, &right),
            Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem => {
                self.quotient(op, &left, &right)
            }
        }
    }

    /// Builds a sum from its signed operands. An operand that is itself a sum is expanded if nothing else reads it.
    fn sum(&mut self, term: TermId) -> Vec<Signal> {
        let mut plus = vec![(term, false)];
        let mut parts: Vec<(TermId, bool)> = Vec::new();
        while let Some((part, negative)) = plus.pop() {
            match self.flat.terms.node(part) {
                TermNode::Binary(op @ (Binary::Add | Binary::Sub), a, b)
                    if part == term || self.uses[index(part.0)] <= 1 =>
                {
                    plus.push((*b, negative ^ (*op == Binary::Sub)));
                    plus.push((*a, negative));
                }
                _ => parts.push((part, negative)),
            }
        }
        if let [(a, false), (b, negative)] = parts.as_slice() {
            let (a, mut b) = (self.read(*a), self.read(*b));
            if *negative {
                b.iter_mut().for_each(|bit| *bit = bit.not());
            }
            return self.chain_sum(&a, &b, *negative);
        }
        let width = index(self.flat.terms.width(&term));
        let mut ones: u64 = 0;
        let mut words: Vec<Vec<Signal>> = Vec::new();
        for (part, negative) in parts {
            let mut word = self.read(part);
            if negative {
                word.iter_mut().for_each(|bit| *bit = bit.not());
                ones += 1;
            }
            words.push(word);
        }
        let carry = ones > 0;
        if ones > 1 {
            words.push(
                (0..width)
                    .map(|bit| Signal::constant(bit < 63 && ((ones - 1) >> bit) & 1 == 1))
                    .collect(),
            );
        }
        self.add_all(words, carry)
    }

    /// Adds words: carry-save adders until two words are left, then a carry chain.
    fn add_all(&mut self, mut words: Vec<Vec<Signal>>, carry: bool) -> Vec<Signal> {
        while words.len() > 2 {
            let mut after = Vec::new();
            for three in words.chunks(3) {
                let [a, b, c] = three else {
                    after.extend(three.iter().cloned());
                    continue;
                };
                let mut sums = Vec::new();
                let mut carries = vec![Signal::FALSE];
                for ((a, b), c) in a.iter().zip(b).zip(c) {
                    let half = self.network.xor(*a, *b);
                    sums.push(self.network.xor(half, *c));
                    carries.push(self.network.mux(half, *c, *a));
                }
                carries.truncate(sums.len());
                after.push(sums);
                after.push(carries);
            }
            words = after;
        }
        match words.as_slice() {
            [a, b] => self.chain_sum(a, b, carry),
            [a] => a.clone(),
            _ => Vec::new(),
        }
    }

    /// Computes `a + b + carry`. Low bits without an addition are wires, and narrow sums are gates.
    fn chain_sum(&mut self, a: &[Signal], b: &[Signal], carry: bool) -> Vec<Signal> {
        let width = a.len();
        let mut result = Vec::new();
        let mut low = 0;
        let nothing = Signal::constant(carry);
        while low < width && (a[low] == nothing || b[low] == nothing) {
            let other = if a[low] == nothing { b[low] } else { a[low] };
            result.push(other);
            low += 1;
        }
        let mut high = width;
        while high > low
            && a[high - 1] == Signal::FALSE
            && b[high - 1] == Signal::FALSE
            && high >= low + 2
            && a[high - 2] == Signal::FALSE
            && b[high - 2] == Signal::FALSE
        {
            high -= 1;
        }
        let pairs: Vec<[Signal; 2]> = (low..high).map(|bit| [a[bit], b[bit]]).collect();
        if pairs.len() <= self.technology.unchained_bits {
            let mut c = Signal::constant(carry);
            for [a, b] in pairs {
                let half = self.network.xor(a, b);
                result.push(self.network.xor(half, c));
                c = self.network.mux(half, c, a);
            }
        } else {
            let n = pairs.len();
            result.extend(self.network.block(Block::Chain(pairs), n));
        }
        result.resize(width, Signal::FALSE);
        result
    }

    /// Returns whether the Verilog of a comparison is the sign of a difference; comparisons with 0 and with powers of two are tests of
    /// bits.
    fn is_difference(&self, is_signed: bool, a: &[Signal], b: &[Signal]) -> bool {
        let [variable_bits, constant_bits] = self.technology.mapping.difference_bits;
        let constant = |word: &[Signal]| word.iter().all(|bit| bit.is_constant());
        let known = match (constant(a), constant(b)) {
            (true, true) => return false,
            (true, false) => Some(a),
            (false, true) => Some(b),
            (false, false) => None,
        };
        let least = known.map_or(variable_bits, |_| constant_bits);
        let is_bit_test = known.is_some_and(|word| {
            let ones = word.iter().filter(|bit| **bit == Signal::TRUE).count();
            let is_mask = word[..ones].iter().all(|bit| *bit == Signal::TRUE);
            match is_signed {
                true => ones == 0 || ones == word.len(),
                false => ones <= 1 || is_mask,
            }
        });
        least > 0 && !is_bit_test && a.len() >= index(least)
    }

    /// Builds the sign of a difference of one more bit than the operands.
    fn difference(&mut self, is_signed: bool, a: &[Signal], b: &[Signal]) -> Signal {
        let wide = |word: &[Signal]| {
            let top = match is_signed {
                true => word.last().copied().unwrap_or(Signal::FALSE),
                false => Signal::FALSE,
            };
            [word, &[top]].concat()
        };
        let inverted: Vec<Signal> = wide(b).iter().map(|bit| bit.not()).collect();
        let difference = self.chain_sum(&wide(a), &inverted, true);
        difference.last().copied().unwrap_or(Signal::FALSE)
    }

    /// Compares unsigned numbers. If `is_signed`, the top bits are inverted sign bits.
    fn less(&mut self, a: &[Signal], b: &[Signal], is_signed: bool) -> Signal {
        let mut n = a.len();
        while n > 0 && a[n - 1] == b[n - 1] {
            n -= 1;
        }
        let (a, b) = (&a[..n], &b[..n]);
        let constant = |word: &[Signal]| word.iter().all(|bit| bit.is_constant());
        let n_ones = |word: &[Signal]| word.iter().filter(|bit| **bit == Signal::TRUE).count();
        if constant(b) && n_ones(b) == 1 {
            let place = b.iter().position(|bit| *bit == Signal::TRUE).unwrap_or(0);
            return self.network.any(&a[place..]).not();
        }
        if constant(a) {
            let ones = n_ones(a);
            if a[..ones].iter().all(|bit| *bit == Signal::TRUE) {
                return self.network.any(&b[ones..]);
            }
        }
        let is_narrow = n <= self.technology.unchained_bits
            || (n <= self.technology.lut_inputs && (constant(a) || constant(b)));
        if is_narrow {
            let mut less = Signal::FALSE;
            for (a, b) in a.iter().zip(b) {
                let differ = self.network.xor(*a, *b);
                less = self.network.mux(differ, *b, less);
            }
            return less;
        }
        let pairs: Vec<[Signal; 2]> = a.iter().zip(b).map(|(a, b)| [*a, *b]).collect();
        let results = self.network.block(Block::Chain(pairs), n + 1);
        // The final carry depends on sum bits and operands: a function of three inputs, or of five for a signed comparison.
        let (top, sum, carry) = (n - 1, results[n - 1], results[n]);
        let half = self.network.xor(a[top], b[top]);
        let last = self.network.mux(half, carry, a[top]);
        if is_signed {
            let differ = self.network.xor(last, sum);
            self.network.xor(differ, results[n - 2])
        } else {
            last
        }
    }

    /// Builds multiplier blocks for all pairs of limbs that affect the result, and adds their results.
    fn product(&mut self, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
        let width = a.len();
        let used = |word: &[Signal]| {
            let top = word.iter().rposition(|bit| *bit != Signal::FALSE);
            word[..top.map_or(0, |top| top + 1)].to_vec()
        };
        let low = |word: &[Signal]| {
            word.iter()
                .position(|bit| *bit != Signal::FALSE)
                .unwrap_or(0)
        };
        let (a, b) = (used(a), used(b));
        let (below_a, below_b) = (low(&a), low(&b));
        let (a, b) = (&a[below_a..], &b[below_b..]);
        let below = (below_a + below_b).min(width);
        let mut words: Vec<Vec<Signal>> = Vec::new();
        // A block also multiplies signed numbers of the same width. In a signed product, an unsigned operand needs one bit more.
        let limb = self.technology.multiplier_bits;
        let below_sign = |word: &[Signal]| {
            let top = word.last().copied().unwrap_or(Signal::FALSE);
            let same = word.iter().rev().take_while(|bit| **bit == top).count();
            word.len() - same + 1
        };
        let extended =
            |word: &[Signal]| word.len() == width - below && below_sign(word) < word.len();
        let (signed_a, signed_b) = (below_sign(a), below_sign(b));
        let is_signed = extended(a) || extended(b);
        let (a, b) = if extended(a) && extended(b) {
            (&a[..signed_a], &b[..signed_b])
        } else if extended(a) && b.len() < limb[1] {
            (&a[..signed_a], b)
        } else if extended(b) && a.len() < limb[0] {
            (a, &b[..signed_b])
        } else {
            (a, b)
        };
        if a.len() <= 1 || b.len() <= 1 {
            let (one, many) = if a.len() <= 1 { (a, b) } else { (b, a) };
            let Some(one) = one.first() else {
                return vec![Signal::FALSE; width];
            };
            let many: Vec<Signal> = many
                .iter()
                .map(|bit| self.network.and(*one, *bit))
                .collect();
            let word = place(many, below, width);
            if !is_signed {
                return word;
            }
            // A one-bit signed number is 0 or -1.
            let inverted: Vec<Signal> = word.iter().map(|bit| bit.not()).collect();
            return self.chain_sum(&vec![Signal::FALSE; width], &inverted, true);
        }
        if limb.contains(&0) {
            return self.soft_product(a, b, below, width);
        }
        for (i, left) in a.chunks(limb[0]).enumerate() {
            for (j, right) in b.chunks(limb[1]).enumerate() {
                let weight = below + limb[0] * i + limb[1] * j;
                if weight >= width {
                    continue;
                }
                let n = (left.len() + right.len()).min(width - weight);
                let operands = left.iter().chain(right).copied().collect();
                let results = self.network.block(Block::Product(operands), n);
                let top = results.last().copied().unwrap_or(Signal::FALSE);
                let mut word = place(results, weight, width);
                if is_signed {
                    word[weight + n..].fill(top);
                }
                words.push(word);
            }
        }
        match words.len() {
            0 => vec![Signal::FALSE; width],
            1 => words.swap_remove(0),
            // A sequence of carry chains: these sums are not merged into carry-save adders.
            _ => words
                .into_iter()
                .reduce(|sum, word| self.chain_sum(&sum, &word, false))
                .unwrap_or_default(),
        }
    }

    /// Builds a product without multiplier blocks: one partial product per bit of the narrower operand, and their sum. Sign bits
    /// make no partial products; cells and delays are those of an unsigned product.
    fn soft_product(
        &mut self,
        a: &[Signal],
        b: &[Signal],
        below: usize,
        width: usize,
    ) -> Vec<Signal> {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut rows = Vec::new();
        for (weight, bit) in (below..width).zip(short) {
            let row = long.iter().map(|other| self.network.and(*bit, *other));
            rows.push(place(row.collect(), weight, width));
        }
        self.add_all(rows, false)
    }

    fn shift(&mut self, op: Binary, word: &[Signal], amount: &[Signal]) -> Vec<Signal> {
        let width = word.len();
        let fill = match op {
            Binary::Ashr => word.last().copied().unwrap_or(Signal::FALSE),
            _ => Signal::FALSE,
        };
        let n_stages = width.next_power_of_two().trailing_zeros();
        let mut word = word.to_vec();
        for (stage, select) in amount.iter().take(index(n_stages)).enumerate() {
            let distance = 1 << stage;
            word = (0..width)
                .map(|bit| {
                    let from = if op == Binary::Shl {
                        bit.checked_sub(distance)
                    } else {
                        Some(bit + distance)
                    };
                    let moved = from.and_then(|from| word.get(from)).copied();
                    self.network.mux(*select, moved.unwrap_or(fill), word[bit])
                })
                .collect();
        }
        let beyond = amount.get(index(n_stages)..).unwrap_or_default();
        let beyond = self.network.any(beyond);
        word.iter()
            .map(|bit| self.network.mux(beyond, fill, *bit))
            .collect()
    }

    /// Builds an unsigned restoring array divider. Negations for signed operands are not modelled.
    fn quotient(&mut self, op: Binary, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
        let width = a.len();
        let mut rest = vec![Signal::FALSE; width];
        let mut quotient = vec![Signal::FALSE; width];
        for bit in (0..width).rev() {
            let mut shifted = vec![a[bit]];
            shifted.extend(&rest[..width - 1]);
            let fits = self.less(&shifted, b, false).not();
            let inverted: Vec<Signal> = b.iter().map(|bit| bit.not()).collect();
            let less = self.chain_sum(&shifted, &inverted, true);
            rest = shifted
                .iter()
                .zip(&less)
                .map(|(keep, less)| self.network.mux(fits, *less, *keep))
                .collect();
            quotient[bit] = fits;
        }
        match op {
            Binary::Urem | Binary::Srem => rest,
            _ => quotient,
        }
    }
}

/// Returns a word shifted to a weight and extended to `width` bits.
fn place(word: Vec<Signal>, weight: usize, width: usize) -> Vec<Signal> {
    let mut out = vec![Signal::FALSE; weight];
    out.extend(word);
    out.resize(width, Signal::FALSE);
    out
}

/// Counts how often each term is read.
fn uses(flat: &Elaborated) -> Vec<u32> {
    let mut uses = vec![0; flat.terms.len()];
    let mut read = |term: &TermId| uses[index(term.0)] += 1;
    for i in 0..flat.terms.len() {
        match flat.terms.node(TermId(bits_of(i))) {
            TermNode::Constant(_) | TermNode::Variable { .. } => {}
            TermNode::Binary(_, a, b) | TermNode::Concat(a, b) => {
                read(a);
                read(b);
            }
            TermNode::Not(a) | TermNode::Neg(a) | TermNode::Zext(a, _) | TermNode::Sext(a, _) => {
                read(a);
            }
            TermNode::Extract { of, .. } => read(of),
            TermNode::Ite(a, b, c) => {
                read(a);
                read(b);
                read(c);
            }
            TermNode::Float(_, _, operands) => operands.iter().for_each(&mut read),
        }
    }
    for register in &flat.registers {
        read(&register.next);
        register.enable.iter().for_each(&mut read);
        if let Some((reset, value)) = &register.reset {
            read(reset);
            read(value);
        }
    }
    for (_, term) in &flat.outputs {
        read(term);
    }
    for memory in &flat.memories {
        for (_, address, enable) in &memory.reads {
            read(address);
            enable.iter().for_each(&mut read);
        }
        for (address, data, enable) in &memory.writes {
            [address, data, enable].into_iter().for_each(&mut read);
        }
    }
    flat.tables.iter().for_each(|table| read(&table.address));
    let unclocked = flat.unclocked_reads.iter();
    unclocked.for_each(|unclocked| read(&unclocked.address));
    uses
}
