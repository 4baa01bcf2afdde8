//! A graph of operators on 64-bit words: hash-consed, folded during construction, with an upper bound of the significant bits of
//! each word.

use rustc_hash::FxHashMap;

/// A word of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Word(pub(crate) u32);

impl Word {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

/// Operators on two words. Arithmetic is modulo 2^64, comparisons give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Low half of the product.
    Mul,
    /// High half of the unsigned product.
    MulHigh,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Equality.
    Eq,
    /// Unsigned less.
    Ltu,
    /// Signed less.
    Lts,
    /// Left shift by an amount modulo 64.
    Shl,
    /// Logical right shift by an amount modulo 64.
    Shr,
    /// Arithmetic right shift by an amount modulo 64.
    Sar,
    /// Left rotation by an amount modulo 64.
    Rotl,
    /// Unsigned quotient; all ones for a divisor of 0.
    Udiv,
    /// Unsigned remainder; the dividend for a divisor of 0.
    Urem,
}

/// An operator of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Constant(u64),
    /// The word in a slot of the state, before the stores of the cycle.
    Slot(u32),
    /// A binary operator.
    Binary(Binary, Word, Word),
    /// The second word if the first is not 0, else the third.
    Select(Word, Word, Word),
    /// A limb of the word at an index of an array, before the writes of the cycle; 0 beyond the end.
    Load {
        /// Number of the array.
        array: u32,
        /// The index of the word.
        index: Word,
        /// The number of the limb.
        limb: u32,
    },
    /// A result of a call.
    Result {
        /// Number of the call.
        call: u32,
        /// The number of the result.
        index: u32,
    },
}

/// An external function; it reads and writes the declared numbers of words.
pub type Function = std::sync::Arc<dyn Fn(&[u64], &mut [u64]) + Send + Sync>;

/// A call of a function on words.
#[derive(Clone)]
pub struct Call {
    /// The function.
    pub function: Function,
    /// Its operands.
    pub operands: Vec<Word>,
    /// The number of its results.
    pub n_results: u32,
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Call({:?} -> {})", self.operands, self.n_results)
    }
}

/// A graph of operators in topological order, operands first.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    /// For each word, the number of low bits that may be other than 0.
    bits: Vec<u8>,
    known: FxHashMap<Node, Word>,
    pub(crate) calls: Vec<Call>,
}

/// Returns a word whose low `bits` bits are 1.
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

fn bits_of(value: u64) -> u32 {
    64 - value.leading_zeros()
}

/// Evaluates an operator.
#[inline]
pub fn compute(op: Binary, a: u64, b: u64) -> u64 {
    let amount = u32::try_from(b & 63).unwrap_or(0);
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::MulHigh => high(a, b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Eq => u64::from(a == b),
        Binary::Ltu => u64::from(a < b),
        Binary::Lts => u64::from(a.cast_signed() < b.cast_signed()),
        Binary::Shl => a << amount,
        Binary::Shr => a >> amount,
        Binary::Sar => (a.cast_signed() >> amount).cast_unsigned(),
        Binary::Rotl => a.rotate_left(amount),
        Binary::Udiv => a.checked_div(b).unwrap_or(u64::MAX),
        Binary::Urem => a.checked_rem(b).unwrap_or(a),
    }
}

fn high(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    u64::try_from(product >> 64).unwrap_or(0)
}

impl Graph {
    /// Returns the operator of a word.
    pub fn node(&self, word: Word) -> Node {
        self.nodes[word.at()]
    }

    /// Returns how many low bits of a word may be other than 0.
    pub fn bits(&self, word: Word) -> u32 {
        u32::from(self.bits[word.at()])
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns every word, operands first.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = Word> + use<> {
        (0..u32::try_from(self.nodes.len()).expect("fewer than 2^32 words")).map(Word)
    }

    fn intern(&mut self, node: Node, bits: u32) -> Word {
        let next = Word(u32::try_from(self.nodes.len()).expect("fewer than 2^32 words"));
        let word = *self.known.entry(node).or_insert(next);
        if word == next {
            self.nodes.push(node);
            self.bits
                .push(u8::try_from(bits.min(64)).expect("at most 64"));
        }
        word
    }

    /// Returns a constant.
    pub fn constant(&mut self, value: u64) -> Word {
        self.intern(Node::Constant(value), bits_of(value))
    }

    /// Returns the word in a slot that has at most `bits` bits.
    pub fn slot(&mut self, slot: u32, bits: u32) -> Word {
        self.intern(Node::Slot(slot), bits)
    }

    /// Returns a limb of a word of an array; it has at most `bits` bits.
    pub fn load(&mut self, array: u32, index: Word, limb: u32, bits: u32) -> Word {
        self.intern(Node::Load { array, index, limb }, bits)
    }

    /// Adds a call, and returns its results; `bits` are their widths.
    pub fn call(&mut self, function: Function, operands: Vec<Word>, bits: &[u32]) -> Vec<Word> {
        let call = u32::try_from(self.calls.len()).expect("fewer than 2^32 calls");
        let n_results = u32::try_from(bits.len()).expect("few results");
        self.calls.push(Call {
            function,
            operands,
            n_results,
        });
        (0..n_results)
            .zip(bits)
            .map(|(index, bits)| self.intern(Node::Result { call, index }, *bits))
            .collect()
    }

    /// Returns the word with this operator, if it exists.
    pub(crate) fn known_word(&self, node: Node) -> Option<Word> {
        self.known.get(&node).copied()
    }

    /// Returns the value of a constant.
    pub fn constant_of(&self, word: Word) -> Option<u64> {
        match self.node(word) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the low bits of a word.
    pub fn low(&mut self, word: Word, bits: u32) -> Word {
        if self.bits(word) <= bits {
            return word;
        }
        let mask = self.constant(mask(bits));
        self.binary(Binary::And, word, mask)
    }

    /// Returns a shift by a constant, at most 64.
    pub fn shift(&mut self, op: Binary, word: Word, amount: u32) -> Word {
        if amount >= 64 {
            return match op {
                Binary::Sar => self.shift(op, word, 63),
                _ => self.constant(0),
            };
        }
        let amount = self.constant(u64::from(amount));
        self.binary(op, word, amount)
    }

    /// Returns 1 if a word is 0, else 0.
    pub fn is_zero(&mut self, word: Word) -> Word {
        let zero = self.constant(0);
        self.binary(Binary::Eq, word, zero)
    }

    /// Returns a binary operator on two words, simplified where possible.
    pub fn binary(&mut self, op: Binary, a: Word, b: Word) -> Word {
        if let (Some(a), Some(b)) = (self.constant_of(a), self.constant_of(b)) {
            return self.constant(compute(op, a, b));
        }
        let is_commutative = matches!(
            op,
            Binary::Add
                | Binary::Mul
                | Binary::MulHigh
                | Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::Eq
        );
        // Canonical order of the operands: a constant is the second one, two words are in the order of their creation.
        let swap = is_commutative
            && (self.constant_of(a).is_some() || (self.constant_of(b).is_none() && a > b));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        if let Some(word) = self.simpler(op, a, b) {
            return word;
        }
        let (of_a, of_b) = (self.bits(a), self.bits(b));
        let amount = self
            .constant_of(b)
            .map_or(0, |b| u32::try_from(b & 63).unwrap_or(0));
        let is_fixed = self.constant_of(b).is_some();
        let bits = match op {
            Binary::Add => of_a.max(of_b) + 1,
            Binary::Mul => of_a + of_b,
            Binary::MulHigh => (of_a + of_b).saturating_sub(64),
            Binary::And => of_a.min(of_b),
            Binary::Or | Binary::Xor => of_a.max(of_b),
            Binary::Eq | Binary::Ltu | Binary::Lts => 1,
            Binary::Shl if is_fixed => of_a + amount,
            Binary::Shr if is_fixed => of_a.saturating_sub(amount),
            Binary::Shr => of_a,
            Binary::Sar if of_a < 64 => of_a.saturating_sub(amount),
            Binary::Urem => of_a,
            Binary::Sub | Binary::Shl | Binary::Sar | Binary::Rotl | Binary::Udiv => 64,
        };
        self.intern(Node::Binary(op, a, b), bits)
    }

    /// Returns a simpler word with the same value; a constant operand is the second one.
    fn simpler(&mut self, op: Binary, a: Word, b: Word) -> Option<Word> {
        let same = a == b;
        let constant = self.constant_of(b);
        match (op, constant) {
            (
                Binary::Add
                | Binary::Sub
                | Binary::Or
                | Binary::Xor
                | Binary::Shl
                | Binary::Shr
                | Binary::Sar,
                Some(0),
            )
            | (Binary::Mul | Binary::Udiv, Some(1)) => Some(a),
            (Binary::Mul | Binary::MulHigh | Binary::And | Binary::Ltu, Some(0)) => {
                Some(self.constant(0))
            }
            (Binary::And, Some(value)) => {
                if mask(self.bits(a)) & !value == 0 {
                    return Some(a);
                }
                if let Node::Binary(Binary::And, x, inner) = self.node(a)
                    && let Some(inner) = self.constant_of(inner)
                {
                    let both = self.constant(inner & value);
                    return Some(self.binary(Binary::And, x, both));
                }
                None
            }
            (Binary::Eq, Some(value)) => {
                if value & !mask(self.bits(a)) != 0 {
                    return Some(self.constant(0));
                }
                match (self.bits(a), value) {
                    (1, 1) => Some(a),
                    (1, 0) => {
                        let one = self.constant(1);
                        Some(self.binary(Binary::Xor, a, one))
                    }
                    _ => None,
                }
            }
            (Binary::Xor, Some(value)) => match self.node(a) {
                Node::Binary(Binary::Xor, x, inner) => {
                    let both = self.constant(self.constant_of(inner)? ^ value);
                    Some(self.binary(Binary::Xor, x, both))
                }
                _ => None,
            },
            (Binary::Mul, Some(value)) if value.is_power_of_two() => {
                Some(self.shift(Binary::Shl, a, value.trailing_zeros()))
            }
            (Binary::Shl | Binary::Shr, Some(value)) => self.shift_of_shift(op, a, value),
            (Binary::Ltu, Some(value)) if value > mask(self.bits(a)) => Some(self.constant(1)),
            (Binary::Or, None) if !same => self.rotation(a, b),
            (Binary::And | Binary::Or, None) if same => Some(a),
            (Binary::Xor | Binary::Sub | Binary::Ltu | Binary::Lts, None) if same => {
                Some(self.constant(0))
            }
            (Binary::Eq, None) if same => Some(self.constant(1)),
            _ => None,
        }
    }

    /// Recognises a rotation: `(x << n) | (x >> (64 - n))`.
    fn rotation(&mut self, a: Word, b: Word) -> Option<Word> {
        let (Node::Binary(op_a, x, by_a), Node::Binary(op_b, y, by_b)) =
            (self.node(a), self.node(b))
        else {
            return None;
        };
        let (by_a, by_b) = (self.constant_of(by_a)?, self.constant_of(by_b)?);
        let by = match (op_a, op_b) {
            (Binary::Shl, Binary::Shr) => by_a,
            (Binary::Shr, Binary::Shl) => by_b,
            _ => return None,
        };
        (x == y && by_a + by_b == 64).then(|| {
            let by = self.constant(by);
            self.binary(Binary::Rotl, x, by)
        })
    }

    /// Combines two shifts into one.
    fn shift_of_shift(&mut self, op: Binary, a: Word, amount: u64) -> Option<Word> {
        let amount = u32::try_from(amount & 63).ok()?;
        if op == Binary::Shr && self.bits(a) <= amount {
            return Some(self.constant(0));
        }
        let Node::Binary(inner, x, by) = self.node(a) else {
            return None;
        };
        let by = u32::try_from(self.constant_of(by)? & 63).ok()?;
        match (inner, op) {
            (Binary::Shl, Binary::Shl) | (Binary::Shr, Binary::Shr) => {
                Some(self.shift(op, x, by + amount))
            }
            // Valid only if the inner shift lost no bits.
            (Binary::Shl, Binary::Shr) if self.bits(x) + by <= 64 => Some(if by >= amount {
                self.shift(Binary::Shl, x, by - amount)
            } else {
                self.shift(Binary::Shr, x, amount - by)
            }),
            _ => None,
        }
    }

    /// Returns whether a bit is the complement of another.
    fn inverts(&self, bit: Word, of: Word) -> bool {
        match self.node(bit) {
            Node::Binary(Binary::Xor, other, one) => {
                other == of && self.constant_of(one) == Some(1)
            }
            _ => false,
        }
    }

    /// Returns `a` if the condition is not 0, else `b`.
    pub fn select(&mut self, condition: Word, a: Word, b: Word) -> Word {
        if a == b {
            return a;
        }
        if let Some(value) = self.constant_of(condition) {
            return if value == 0 { b } else { a };
        }
        if self.bits(condition) == 1 {
            if let Node::Binary(Binary::Xor, other, one) = self.node(condition)
                && self.constant_of(one) == Some(1)
                && self.bits(other) == 1
            {
                return self.select(other, b, a);
            }
            let is_bit = self.bits(a) <= 1 && self.bits(b) <= 1;
            match (self.constant_of(a), self.constant_of(b)) {
                (Some(1), Some(0)) => return condition,
                (Some(0), Some(1)) => {
                    let one = self.constant(1);
                    return self.binary(Binary::Xor, condition, one);
                }
                (None, Some(0)) if is_bit => return self.binary(Binary::And, condition, a),
                (Some(1), None) if is_bit => return self.binary(Binary::Or, condition, b),
                (Some(0), None) if is_bit => {
                    let one = self.constant(1);
                    let not = self.binary(Binary::Xor, condition, one);
                    return self.binary(Binary::And, not, b);
                }
                (None, None) if is_bit && (self.inverts(a, b) || self.inverts(b, a)) => {
                    return self.binary(Binary::Xor, condition, b);
                }
                _ => {}
            }
        }
        let bits = self.bits(a).max(self.bits(b));
        self.intern(Node::Select(condition, a, b), bits)
    }

    /// Evaluates a result of a call, given the values of its operands; 0 for other words.
    pub fn result(&self, word: Word, mut of: impl FnMut(Word) -> u64) -> u64 {
        let Node::Result { call, index } = self.node(word) else {
            return 0;
        };
        let call = &self.calls[call as usize];
        let given: Vec<u64> = call.operands.iter().map(|word| of(*word)).collect();
        let mut found = vec![0; call.n_results as usize];
        (call.function)(&given, &mut found);
        found[index as usize]
    }

    /// Calls `each` with the operands of a word; for a result, with the operands of its call.
    pub(crate) fn for_operands(&self, word: Word, mut each: impl FnMut(Word)) {
        match self.node(word) {
            Node::Constant(_) | Node::Slot(_) => {}
            Node::Binary(_, a, b) => {
                each(a);
                each(b);
            }
            Node::Select(c, a, b) => {
                each(c);
                each(a);
                each(b);
            }
            Node::Load { index, .. } => each(index),
            Node::Result { call, .. } => {
                let call = &self.calls[call as usize];
                call.operands.iter().copied().for_each(each);
            }
        }
    }
}
