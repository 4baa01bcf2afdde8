//! Many runs at once, with free variables drawn at random: what differs in one of them is not always equal.

use sluice_ir::watch::Watch;

use crate::classes::Sample;
use crate::logic::{Literal, Logic, Node};

/// xorshift64*.
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

    /// Bits that are 1 with a chance of 1/2, 7/8, 1/8 and 1/2.
    fn biased(&mut self) -> Sample {
        let [a, b, c, d] = self.words();
        let e = self.word();
        [a, b | c | e, b & c & e, d]
    }
}

/// Chances of free variables that stay the same for some cycles, other ones for each run: what takes many alike choices one after the other,
/// as filling a queue does, is seldom met by others.
struct Chances {
    /// For each node, runs in which it is not 1 with a chance of 1/2; and of these, those in which it is with one of 7/8, not 1/8.
    of: Vec<[Sample; 2]>,
    n_cycles: usize,
}

/// Cycles for which chances stay the same.
const PERIOD: usize = 64;

impl Chances {
    fn new(logic: &Logic) -> Self {
        Self {
            of: vec![[[0; 4]; 2]; logic.nodes.len()],
            n_cycles: 0,
        }
    }

    /// Draws other chances where it is time.
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

/// What a literal is in a word of cases.
fn of(sample: &[Sample], literal: Literal) -> Sample {
    let flip = 0u64.wrapping_sub(u64::from(literal.is_inverse()));
    sample[literal.node()].map(|word| word ^ flip)
}

/// All nodes, given what registers hold and the free variables.
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
                let (a, b) = (of(sample, *a), of(sample, *b));
                std::array::from_fn(|word| a[word] & b[word])
            }
            _ if number == 0 => [0; 4],
            Node::Free => free(number),
            Node::Held(register) => held(*register),
        };
        sample.push(words);
    }
}

/// Calls `look` with all nodes in every cycle of runs from the reset on; in the first one alone where the time is up.
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

/// A cycle: all nodes, and what registers hold behind it.
pub(crate) fn step(
    logic: &Logic,
    held: &mut [Sample],
    free: &mut dyn FnMut(usize) -> Sample,
    sample: &mut Vec<Sample>,
) {
    evaluate(logic, &|register| held[register], free, sample);
    for (register, held) in logic.registers.iter().zip(held) {
        *held = of(sample, register.next);
    }
}

/// Cycles of runs from a state on.
const FEW_CYCLES: usize = 16;

/// The same from behind a state on, whose free variables are said, and those of the next one for the first case.
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
