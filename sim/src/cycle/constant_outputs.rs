//! Proofs that outputs stay 0 for ever, by an inductive invariant of the registers.
//!
//! The analysis starts from the present state and computes the known bits of each register in the next cycle. Bits that may
//! change become unknown, until a fixpoint is reached. The result holds in every later cycle, for all values of the free inputs
//! and all writes to memories. The data of a register without a token may change for ever. They prevent a proof only if a `valid`
//! or `ready` depends on them.
//!
//! If parts of a circuit repeat a cycle of states, each state of the cycle has its own invariant. The length of the cycle is the
//! number of steps until all registers of one bit have their first values again.
//!
//! Source: known bits as an abstract domain (Cousot, Cousot, POPL 1977), over the terms of the circuit.

use std::collections::BTreeMap;

use sluice_ir::algebra::{Algebra, KnownBits, KnownBitsWord, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;

use super::flat::{Elaborated, MemoryModel, Register};

/// The most terms that one proof evaluates; each 64 bits of a term count as one.
const MAX_WORK: usize = 4_000_000;

/// The longest cycle of states that is searched for.
const LONGEST_CYCLE: usize = 64;

/// After more changes than these, a register becomes unknown.
const MAX_CHANGES: u8 = 2;

/// The parts of a circuit that a proof needs.
pub(super) struct Model {
    terms: Terms,
    outputs: Vec<TermId>,
    registers: Vec<Register>,
    memories: Vec<Ports>,
    /// The variables that are not state, with the reads that give their values.
    looked_up: BTreeMap<u32, LookUp>,
}

/// The ports of a memory.
struct Ports {
    /// Reads: variable of the data, address, enable.
    reads: Vec<(u32, TermId, Option<TermId>)>,
    /// Writes: enables.
    writes: Vec<TermId>,
}

/// The source of the value of a variable.
enum LookUp {
    Table { words: Vec<Bits>, address: TermId },
    Memory { number: usize, address: TermId },
}

/// The present state of a circuit.
pub(super) struct Present<'a> {
    /// Returns the value of a variable that is state, by its number.
    pub(super) value: &'a dyn Fn(usize) -> Bits,
    /// Returns a word of a memory, by the numbers of both; `None` beyond its end.
    pub(super) word: &'a dyn Fn(usize, u64) -> Option<Bits>,
    /// Inputs that may have any value in every cycle; the others keep their values.
    pub(super) free: &'a [usize],
}

impl Model {
    /// Creates the model of a circuit; `None` if functions of models compute values, or if a tick is more than one machine cycle.
    pub(super) fn of(flat: &Elaborated) -> Option<Self> {
        let is_plain = flat.calls.is_empty()
            && !flat.timing.has_halves
            && flat.timing.advance.is_none()
            && flat.timing.pending.is_none();
        let ports = |memory: &MemoryModel| Ports {
            reads: memory.reads.clone(),
            writes: memory.writes.iter().map(|(_, _, when)| *when).collect(),
        };
        let tables = flat.tables.iter().map(|table| {
            let (words, address) = (table.words.clone(), table.address);
            (table.variable, LookUp::Table { words, address })
        });
        let reads = flat.unclocked_reads.iter().map(|read| {
            let (number, address) = (read.memory, read.address);
            (read.variable, LookUp::Memory { number, address })
        });
        is_plain.then(|| Self {
            terms: flat.terms.clone(),
            outputs: flat.outputs.iter().map(|(_, term)| *term).collect(),
            registers: flat.registers.clone(),
            memories: flat.memories.iter().map(ports).collect(),
            looked_up: tables.chain(reads).collect(),
        })
    }

    /// Returns the variables of the registers of one bit.
    pub(super) fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = self.registers.iter().filter(|r| r.width_bits == 1);
        bits.map(|register| register.variable as usize)
    }

    /// Returns whether these outputs are proved to be 0 in this cycle and in all later ones; `false` means that nothing is
    /// proved.
    pub(super) fn stay_zero(
        &self,
        outputs: &[usize],
        widths: &[u32],
        present: &Present<'_>,
    ) -> bool {
        let known = |(variable, width_bits): (usize, &u32)| {
            let is_known = !present.free.contains(&variable)
                && u32::try_from(variable).is_ok_and(|n| !self.looked_up.contains_key(&n));
            match is_known {
                true => KnownBitsWord::known(&(present.value)(variable)),
                false => KnownBitsWord::unknown(*width_bits),
            }
        };
        let first: State = widths.iter().enumerate().map(known).collect();
        let mut proof = Proof {
            model: self,
            present,
            outputs: outputs.iter().map(|output| self.outputs[*output]).collect(),
            values: Vec::new(),
            is_written: vec![false; self.memories.len()],
            left: MAX_WORK,
        };
        if proof.of_cycle(&first, 1) == Some(true) {
            return true;
        }
        proof.is_written.fill(false);
        let length = proof.length(&first);
        length.is_some_and(|length| {
            proof.is_written.fill(false);
            proof.of_cycle(&first, length) == Some(true)
        })
    }
}

/// The known bits of each variable.
type State = Vec<KnownBitsWord>;

struct Proof<'a> {
    model: &'a Model,
    present: &'a Present<'a>,
    outputs: Vec<TermId>,
    /// The known bits of each term in the state that was evaluated last.
    values: Vec<KnownBitsWord>,
    /// For each memory, whether a word may have been written.
    is_written: Vec<bool>,
    left: usize,
}

impl Proof<'_> {
    /// Returns whether the outputs are 0 in every state of a cycle of `length` states, of which the first contains `first`;
    /// `None` if the work limit is reached.
    fn of_cycle(&mut self, first: &State, length: usize) -> Option<bool> {
        let mut begin = first.clone();
        let mut changes = vec![0_u8; begin.len()];
        loop {
            let n_written = self.n_written();
            let mut state = begin.clone();
            for _ in 0..length {
                state = match self.step(&state)? {
                    Some(next) => next,
                    None => return Some(false),
                };
            }
            // Words that were read before the memory was known to be written may be wrong, so another iteration is needed.
            let mut is_whole = n_written == self.n_written();
            for ((known, next), n) in begin.iter_mut().zip(&state).zip(&mut changes) {
                let joined = known.join(next);
                if joined == *known {
                    continue;
                }
                is_whole = false;
                *n += 1;
                *known = match *n > MAX_CHANGES {
                    true => KnownBitsWord::unknown(known.ones.width()),
                    false => joined,
                };
            }
            if is_whole {
                return Some(true);
            }
        }
    }

    fn n_written(&self) -> usize {
        self.is_written.iter().filter(|written| **written).count()
    }

    /// Returns the number of cycles, at least two, after which the registers of one bit have their first values again.
    fn length(&mut self, first: &State) -> Option<usize> {
        let bits: Vec<usize> = self.model.bits().collect();
        let mut state = first.clone();
        for length in 1..=LONGEST_CYCLE {
            state = self.step(&state)??;
            if length > 1 && bits.iter().all(|bit| state[*bit] == first[*bit]) {
                return Some(length);
            }
        }
        None
    }

    /// Computes the state of the next cycle. The result is `Some(None)` if an output may be other than 0 in this cycle, and
    /// `None` if the work limit is reached.
    fn step(&mut self, state: &State) -> Option<Option<State>> {
        self.evaluate(state)?;
        if !self.outputs.iter().all(|term| self.is_zero(*term)) {
            return Some(None);
        }
        let mut next = state.clone();
        for register in &self.model.registers {
            let at = register.variable as usize;
            let mut value = self.known(register.next).clone();
            if let Some(enable) = register.enable {
                value = chosen(self.known(enable), &value, &state[at]);
            }
            if let Some((reset, first)) = register.reset {
                value = chosen(self.known(reset), self.known(first), &value);
            }
            next[at] = value;
        }
        for (number, ports) in self.model.memories.iter().enumerate() {
            for (variable, address, enable) in &ports.reads {
                let at = *variable as usize;
                let word = self.word(number, *address, state[at].ones.width());
                next[at] = match enable {
                    Some(enable) => chosen(self.known(*enable), &word, &state[at]),
                    None => word,
                };
            }
        }
        for (number, ports) in self.model.memories.iter().enumerate() {
            let writes = ports.writes.iter();
            self.is_written[number] |= !writes.copied().all(|enable| self.is_zero(enable));
        }
        Some(Some(next))
    }

    fn known(&self, term: TermId) -> &KnownBitsWord {
        &self.values[term.0 as usize]
    }

    fn is_zero(&self, term: TermId) -> bool {
        self.known(term).value().is_some_and(Bits::is_zero)
    }

    /// Returns the known bits of a memory word.
    fn word(&self, memory: usize, address: TermId, width_bits: u32) -> KnownBitsWord {
        let address = self.known(address).value().and_then(Bits::to_u64);
        let address = address.filter(|_| !self.is_written[memory]);
        let word = address.and_then(|address| (self.present.word)(memory, address));
        word.map_or_else(
            || KnownBitsWord::unknown(width_bits),
            |word| KnownBitsWord::known(&word),
        )
    }

    /// Returns the known bits of a variable that is not state.
    fn found(&self, look_up: &LookUp, width_bits: u32) -> KnownBitsWord {
        match look_up {
            LookUp::Memory { number, address } => self.word(*number, *address, width_bits),
            LookUp::Table { words, address } => {
                let address = self.known(*address).value().and_then(Bits::to_u64);
                let address = address.and_then(|address| usize::try_from(address).ok());
                let word = address.and_then(|address| words.get(address));
                word.map_or_else(|| KnownBitsWord::unknown(width_bits), KnownBitsWord::known)
            }
        }
    }

    /// Evaluates all terms.
    fn evaluate(&mut self, state: &State) -> Option<()> {
        let terms = &self.model.terms;
        let n_terms = u32::try_from(terms.len()).ok()?;
        self.values.clear();
        let mut algebra = KnownBits::new();
        for term in (0..n_terms).map(TermId) {
            let width_bits = terms.width(&term);
            let work = 1 + usize::try_from(width_bits / 64).ok()?;
            self.left = self.left.checked_sub(work)?;
            let value = match terms.node(term) {
                TermNode::Variable { index, .. } => match self.model.looked_up.get(index) {
                    Some(look_up) => self.found(look_up, width_bits),
                    None => state[*index as usize].clone(),
                },
                node => Terms::compute_in(&mut algebra, node, |t| self.known(t).clone()),
            };
            self.values.push(value);
        }
        Some(())
    }
}

/// Returns `a` if the condition is 1, `b` if it is 0, and the bits that both have in common if it is unknown.
fn chosen(condition: &KnownBitsWord, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
    KnownBits::new().ite(condition, a, b)
}
