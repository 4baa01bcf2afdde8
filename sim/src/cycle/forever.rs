//! Proof that outputs stay 0 for ever: an invariant of the registers that holds now and in every cycle to come.
//!
//! Starting from the present state, registers that may change lose what is known of them until nothing more is lost. What is left holds
//! in every later cycle, whatever the free inputs and the words of memories are. So the data of a register without a token, which may
//! change for ever, keep nothing from being proved unless a `valid` or `ready` depends on them.
//!
//! Where parts of a circuit go round in a cycle of states, each state of the cycle has an invariant of its own: a cycle is taken to be as
//! long as it takes until all registers of one bit are the same again.
//!
//! Source: known bits as an abstract domain (Cousot, Cousot, POPL 1977), over the terms of the circuit.

use std::collections::BTreeMap;

use sluice_ir::algebra::{Algebra, KnownBits, KnownBitsWord, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;

use super::flat::{Elaborated, MemoryModel, Register};

/// Terms that are computed in one proof at most, 64 bits of each counted as one.
const MOST_WORK: usize = 4_000_000;

/// The longest cycle of states that is looked for.
const LONGEST_CYCLE: usize = 64;

/// Changes of a register after which nothing is known of it any more.
const MOST_CHANGES: u8 = 2;

/// What a proof needs of a circuit.
pub(super) struct Model {
    terms: Terms,
    outputs: Vec<TermId>,
    registers: Vec<Register>,
    memories: Vec<Ports>,
    /// How variables are found that are no state.
    looked_up: BTreeMap<u32, LookUp>,
}

/// The ports of a memory.
struct Ports {
    /// Variable of the data, address, enable.
    reads: Vec<(u32, TermId, Option<TermId>)>,
    /// Enables of writes.
    writes: Vec<TermId>,
}

/// Where the value of a variable is found.
enum LookUp {
    Table { words: Vec<Bits>, address: TermId },
    Memory { number: usize, address: TermId },
}

/// The present state of a circuit.
pub(super) struct Present<'a> {
    /// The value of a variable by its number, of all that are state.
    pub(super) value: &'a dyn Fn(usize) -> Bits,
    /// The word of a memory by the numbers of both; nothing beyond its end.
    pub(super) word: &'a dyn Fn(usize, u64) -> Option<Bits>,
    /// Inputs that may be anything in every cycle; the others stay as they are.
    pub(super) free: &'a [usize],
}

impl Model {
    /// The model of a circuit; nothing where functions outside of the terms give values, or ticks are more than a step.
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

    /// The variables of the registers of one bit.
    pub(super) fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = self.registers.iter().filter(|r| r.width_bits == 1);
        bits.map(|register| register.variable as usize)
    }

    /// Whether these outputs are 0 in this cycle and in all that follow; `false` says nothing.
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
            left: MOST_WORK,
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

/// What is known of each variable.
type State = Vec<KnownBitsWord>;

struct Proof<'a> {
    model: &'a Model,
    present: &'a Present<'a>,
    outputs: Vec<TermId>,
    /// Of every term, for the state that was looked at last.
    values: Vec<KnownBitsWord>,
    /// By memory, whether a word of it may have been written.
    is_written: Vec<bool>,
    left: usize,
}

impl Proof<'_> {
    /// Whether the outputs are 0 in a cycle of so many states, the first of which holds `first`; nothing where it is too much work.
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
            // What was read before a memory was known to be written may have been another word.
            let mut is_whole = n_written == self.n_written();
            for ((known, next), n) in begin.iter_mut().zip(&state).zip(&mut changes) {
                let joined = known.join(next);
                if joined == *known {
                    continue;
                }
                is_whole = false;
                *n += 1;
                *known = match *n > MOST_CHANGES {
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

    /// After how many cycles, more than one, the registers of one bit are the same again for the first time.
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

    /// The state of the next cycle; nothing within where an output may be other than 0 in this one, nothing at all where it is too much
    /// work.
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

    /// What a memory holds at an address, as far as that is known.
    fn word(&self, memory: usize, address: TermId, width_bits: u32) -> KnownBitsWord {
        let address = self.known(address).value().and_then(Bits::to_u64);
        let address = address.filter(|_| !self.is_written[memory]);
        let word = address.and_then(|address| (self.present.word)(memory, address));
        word.map_or_else(
            || KnownBitsWord::unknown(width_bits),
            |word| KnownBitsWord::known(&word),
        )
    }

    /// What a variable is that is no state.
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

    /// Computes all terms.
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

/// `a` where the condition is 1, `b` where it is 0, what both have in common where that is not known.
fn chosen(condition: &KnownBitsWord, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
    KnownBits::new().ite(condition, a, b)
}
