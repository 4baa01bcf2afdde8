//! Random simulation of many runs at once: nodes that differ in a run are not always equal.

use sluice_ir::watch::Watch;

use crate::classes::Sample;
use crate::logic::{Literal, Logic, Node};

/// xorshift64*, a random number generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn words(&mut self) -> Sample {
        std::array::from_fn(|_| self.word())
    }

    /// Returns words whose bits are 1 with probability 1/2, 7/8, 1/8 and 1/2.
    fn biased(&mut self) -> Sample {
        let [a, b, c, d] = self.words();
        let e = self.word();
        [a, b | c | e, b & c & e, d]
    }
}

/// Probabilities of free variables, which stay the same for some cycles and differ between runs. Otherwise states that need many
/// equal choices in sequence, such as a full FIFO, would seldom be reached.
struct Chances {
    /// For each node, the runs in which the probability is not 1/2; and of these, the runs in which it is 7/8 instead of 1/8.
    of: Vec<[Sample; 2]>,
    n_cycles: usize,
}

/// Cycles for which probabilities stay the same.
const PERIOD: usize = 64;

impl Chances {
    fn new(logic: &Logic) -> Self {
        Self {
            of: vec![[[0; 4]; 2]; logic.nodes.len()],
            n_cycles: 0,
        }
    }

    /// Draws new probabilities at the start of each period.
    fn next_cycle(&mut self, logic: &Logic, random: &mut Random) {
        if self.n_cycles.is_multiple_of(PERIOD) {
            let nodes = self.of.iter_mut().zip(&logic.nodes);
            for (chances, _) in nodes.filter(|(_, node)| **node == Node::Free) {
                *chances = [random.words(), random.words()];
            }
        }
        self.n_cycles += 1;
    }

    fn draw(&self, node: usize, random: &mut Random) -> Sample {
        let [is_uneven, is_high] = self.of[node];
        let (even, b, c) = (random.words(), random.words(), random.words());
        std::array::from_fn(|word| {
            let high = even[word] | b[word] | c[word];
            let low = even[word] & b[word] & c[word];
            let uneven = is_high[word] & high | !is_high[word] & low;
            is_uneven[word] & uneven | !is_uneven[word] & even[word]
        })
    }
}

/// Returns the value of a literal in all cases.
fn literal_value(sample: &[Sample], literal: Literal) -> Sample {
    let flip = 0u64.wrapping_sub(u64::from(literal.is_inverse()));
    sample[literal.node()].map(|word| word ^ flip)
}

/// Evaluates all nodes, given the values of registers and free variables.
pub(crate) fn evaluate(
    logic: &Logic,
    held: &dyn Fn(usize) -> Sample,
    free: &mut dyn FnMut(usize) -> Sample,
    sample: &mut Vec<Sample>,
) {
    sample.clear();
    for (number, node) in logic.nodes.iter().enumerate() {
        let words = match node {
            Node::And(a, b) => {
                let (a, b) = (literal_value(sample, *a), literal_value(sample, *b));
                std::array::from_fn(|word| a[word] & b[word])
            }
            _ if number == 0 => [0; 4],
            Node::Free => free(number),
            Node::Held(register) => held(*register),
        };
        sample.push(words);
    }
}

/// Simulates from the reset on, and calls `look` with all nodes in every cycle; after the time limit, only in the first.
pub(crate) fn run(
    logic: &Logic,
    n_cycles: usize,
    random: &mut Random,
    watch: &Watch,
    look: &mut dyn FnMut(&[Sample]),
) {
    let mut held: Vec<Sample> = logic
        .registers
        .iter()
        .map(|register| match register.first {
            Some(true) => [u64::MAX; 4],
            Some(false) => [0; 4],
            None => random.words(),
        })
        .collect();
    let mut sample = Vec::with_capacity(logic.nodes.len());
    let mut chances = Chances::new(logic);
    for _ in 0..n_cycles {
        chances.next_cycle(logic, random);
        let mut free = |node: usize| chances.draw(node, random);
        step(logic, &mut held, &mut free, &mut sample);
        look(&sample);
        if watch.is_up() {
            break;
        }
    }
}

/// Simulates a cycle: evaluates all nodes, and updates the registers.
pub(crate) fn step(
    logic: &Logic,
    held: &mut [Sample],
    free: &mut dyn FnMut(usize) -> Sample,
    sample: &mut Vec<Sample>,
) {
    evaluate(logic, &|register| held[register], free, sample);
    for (register, held) in logic.registers.iter().zip(held) {
        *held = literal_value(sample, register.next);
    }
}

/// Cycles of a simulation that continues from a state.
const FEW_CYCLES: usize = 16;

/// Simulates from a state on. `first` gives the free variables of its cycle, and `second` those of the next cycle in the first
/// case. Calls `look` from that next cycle on.
pub(crate) fn run_on(
    logic: &Logic,
    state: &[bool],
    first: &dyn Fn(usize) -> bool,
    second: &dyn Fn(usize) -> bool,
    random: &mut Random,
    look: &mut dyn FnMut(&[Sample]),
) {
    let all = |is_set: bool| [if is_set { u64::MAX } else { 0 }; 4];
    let mut held: Vec<Sample> = state.iter().copied().map(all).collect();
    let mut sample = Vec::with_capacity(logic.nodes.len());
    step(logic, &mut held, &mut |node| all(first(node)), &mut sample);
    for cycle in 0..FEW_CYCLES {
        let mut free = |node: usize| {
            let mut words = random.biased();
            if cycle == 0 {
                words[0] = (words[0] & !1) | u64::from(second(node));
            }
            words
        };
        step(logic, &mut held, &mut free, &mut sample);
        look(&sample);
    }
}
