//! Compares all backends, cycle by cycle, with a reference model that computes every word before any store.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use sluice_words::{
    Array, Backend, Batch, Binary, Graph, Machine, Node, Packing, Program, Update, Word, Write,
    compute,
};

/// Random numbers for programs.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // Source: S. Vigna, "xorshift64*".
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % n
    }

    fn bits(&mut self) -> u32 {
        let all = [1, 1, 1, 2, 7, 8, 16, 31, 32, 33, 63, 64];
        all[self.below(all.len())]
    }
}

const BINARIES: [Binary; 16] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::MulHigh,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Eq,
    Binary::Ltu,
    Binary::Lts,
    Binary::Shl,
    Binary::Shr,
    Binary::Sar,
    Binary::Udiv,
    Binary::Urem,
    Binary::Rotl,
];

/// Returns a word that needs no more than 32 bits of its operands.
fn narrow_word(random: &mut Random, graph: &mut Graph, [a, b, c]: [Word; 3]) -> Word {
    let signed = |graph: &mut Graph, of: Word| {
        let top = graph.shift(Binary::Shl, of, 32);
        graph.shift(Binary::Sar, top, 32)
    };
    let word = match random.below(12) {
        0..=5 => {
            let all = [
                Binary::Add,
                Binary::Sub,
                Binary::Mul,
                Binary::And,
                Binary::Or,
                Binary::Xor,
                Binary::Eq,
                Binary::Ltu,
            ];
            graph.binary(all[random.below(all.len())], a, b)
        }
        6 => graph.select(a, b, c),
        7 => {
            let (a, b) = (signed(graph, a), signed(graph, b));
            graph.binary(Binary::Lts, a, b)
        }
        8 => {
            let (a, b) = (
                graph.shift(Binary::Shl, a, 40),
                graph.shift(Binary::Shl, b, 32),
            );
            graph.binary(Binary::Lts, a, b)
        }
        9 => {
            let amount = u32::try_from(random.below(65)).expect("small");
            let of = signed(graph, a);
            graph.shift([Binary::Shl, Binary::Sar][random.below(2)], of, amount)
        }
        10 => {
            let by = graph.low(b, [5, 6, 7][random.below(3)]);
            let of = signed(graph, a);
            graph.binary(Binary::Sar, of, by)
        }
        _ => {
            let amount = u32::try_from(random.below(32)).expect("small");
            graph.shift(Binary::Shr, a, amount)
        }
    };
    graph.low(word, 32)
}

/// Returns a random program with `n_slots` slots that are stored to, as many that are not, and `n_words` words; or one in which
/// no more than 32 bits of any word are used.
fn random_program(
    random: &mut Random,
    n_slots: u32,
    n_words: usize,
    is_narrow: bool,
) -> (Program, Vec<u32>) {
    let mut program = Program {
        ..Program::default()
    };
    let graph = &mut program.graph;
    let most = if is_narrow { 32 } else { 64 };
    let widths: Vec<u32> = (0..3 * n_slots).map(|_| random.bits().min(most)).collect();
    program.slot_bits.clone_from(&widths);
    let mut words: Vec<Word> = Vec::new();
    for (slot, bits) in (0..2 * n_slots).zip(&widths) {
        words.push(graph.slot(slot, *bits));
    }
    for value in [0, 1, 2, 0xFF, 0xFFFF_FFFF, u64::MAX, 31, 63] {
        words.push(graph.constant(low(value, most)));
    }
    for (depth, width_bits) in [(1, 32), (16, 13), (5, if is_narrow { 31 } else { 80 })] {
        let array = Array {
            depth,
            width_bits,
            initial: Vec::new(),
        };
        let limbs = (0..depth).flat_map(|_| 0..array.n_limbs());
        program.arrays.push(Array {
            initial: limbs
                .map(|limb| random.next() >> (64 - array.limb_bits(limb)))
                .collect(),
            ..array
        });
    }
    let arrays = program.arrays.clone();
    for _ in 0..n_words {
        let any = |random: &mut Random, words: &[Word]| {
            // Most operands are recent words, which gives long chains.
            let n = words.len();
            let reach = if random.below(3) == 0 { n } else { n.min(12) };
            words[n - 1 - random.below(reach)]
        };
        let [a, b, c] = [(); 3].map(|()| any(random, &words));
        let graph = &mut program.graph;
        let word = match random.below(16) {
            0..=8 if is_narrow => narrow_word(random, graph, [a, b, c]),
            0..=8 => {
                let op = BINARIES[random.below(BINARIES.len())];
                graph.binary(op, a, b)
            }
            9 | 10 => {
                let bits = random.bits();
                graph.low(a, bits)
            }
            11 => graph.select(a, b, c),
            12 => {
                let amount = u32::try_from(random.below(65)).expect("small");
                let op = [Binary::Shl, Binary::Shr, Binary::Sar][random.below(3)];
                let word = graph.shift(op, a, amount);
                graph.low(word, most)
            }
            13 => {
                let array = random.below(3);
                let limb = random.below(arrays[array].n_limbs() as usize) as u32;
                let index = graph.low(a, [1, 3, 4, 8][random.below(4)]);
                graph.load(array as u32, index, limb, arrays[array].limb_bits(limb))
            }
            14 => graph.is_zero(a),
            _ if random.below(4) == 0 && !is_narrow => {
                let function: sluice_words::Function =
                    Arc::new(|given: &[u64], found: &mut [u64]| {
                        found[0] = given[0].rotate_left(5) ^ given[1];
                        found[1] = given[0] & 1;
                    });
                let results = graph.call(function, vec![a, b], &[64, 1]);
                words.push(results[0]);
                results[1]
            }
            _ => {
                let is = graph.binary(Binary::Ltu, a, b);
                graph.select(is, b, c)
            }
        };
        words.push(word);
    }
    let recent = |random: &mut Random, words: &[Word]| {
        words[words.len() - 1 - random.below(words.len() / 2)]
    };
    let mut conditions = Vec::new();
    for _ in 0..3 {
        let word = recent(random, &words);
        let zero = program.graph.constant(0);
        let is = program.graph.binary(Binary::Eq, word, zero);
        conditions.push(program.graph.select(is, zero, word));
    }
    for (slot, bits) in (0..n_slots).zip(&widths) {
        let word = if random.below(4) == 0 {
            // A shift register, or two slots that swap their values.
            let other = random.below(2 * n_slots as usize);
            program
                .graph
                .slot(u32::try_from(other).expect("small"), widths[other])
        } else {
            recent(random, &words)
        };
        let _ = bits;
        let when = (random.below(3) > 0).then(|| conditions[random.below(3)]);
        program.updates.push(Update {
            when,
            stores: vec![(slot, word)],
        });
    }
    for _ in 0..2 {
        let array = random.below(3);
        let index = recent(random, &words);
        let index = program.graph.low(index, 4);
        let limbs = (0..arrays[array].n_limbs()).map(|_| recent(random, &words));
        let limbs = limbs.collect();
        program.writes.push(Write {
            when: conditions[random.below(3)],
            array: array as u32,
            index,
            limbs,
        });
    }
    for slot in 2 * n_slots..3 * n_slots {
        let word = recent(random, &words);
        program.outputs.push((slot, word));
    }
    (program, widths)
}

fn low(value: u64, bits: u32) -> u64 {
    value & (u64::MAX >> (64 - bits))
}

/// The reference model: slots and arrays; a cycle is computed word by word.
struct Reference {
    slots: Vec<u64>,
    arrays: Vec<Vec<u64>>,
}

impl Reference {
    fn cycle(&mut self, program: &Program) {
        let graph = &program.graph;
        let mut of: HashMap<Word, u64> = HashMap::new();
        for word in graph.words() {
            let value = match graph.node(word) {
                Node::Constant(value) => value,
                Node::Slot(slot) => self.slots[slot as usize],
                Node::Binary(op, a, b) => compute(op, of[&a], of[&b]),
                Node::Select(c, a, b) => {
                    if of[&c] == 0 {
                        of[&b]
                    } else {
                        of[&a]
                    }
                }
                Node::Load { array, index, limb } => {
                    let n_limbs = u64::from(program.arrays[array as usize].n_limbs());
                    let at = of[&index]
                        .checked_mul(n_limbs)
                        .map(|at| at + u64::from(limb));
                    let at = at.and_then(|at| usize::try_from(at).ok());
                    let cell = at.and_then(|at| self.arrays[array as usize].get(at));
                    cell.copied().unwrap_or(0)
                }
                Node::Result { .. } => graph.result(word, |operand| of[&operand]),
            };
            of.insert(word, value);
            assert!(
                graph.bits(word) == 64 || value >> graph.bits(word) == 0,
                "{word:?}: {:?} has {value:#x} and is said to have {} bits",
                graph.node(word),
                graph.bits(word)
            );
        }
        for (slot, word) in &program.outputs {
            self.slots[*slot as usize] = low(of[word], program.slot_bits[*slot as usize]);
        }
        for update in &program.updates {
            if update.when.is_none_or(|when| of[&when] != 0) {
                for (slot, word) in &update.stores {
                    self.slots[*slot as usize] = low(of[word], program.slot_bits[*slot as usize]);
                }
            }
        }
        for write in &program.writes {
            let array = &program.arrays[write.array as usize];
            if of[&write.when] != 0 && of[&write.index] < u64::from(array.depth) {
                let at = usize::try_from(of[&write.index]).expect("below the depth");
                let at = at * array.n_limbs() as usize;
                for (limb, word) in write.limbs.iter().enumerate() {
                    let bits = array.limb_bits(limb as u32);
                    self.arrays[write.array as usize][at + limb] = low(of[word], bits);
                }
            }
        }
    }
}

fn check(seed: u64, n_slots: u32, n_words: usize) {
    let mut random = Random(seed | 1);
    let (program, _) = random_program(&mut random, n_slots, n_words, seed.is_multiple_of(2));
    check_program(&program, 2 * n_slots, seed);
}

/// Runs a program on all backends; the first `n_drawn` slots get random values.
fn check_program(program: &Program, n_drawn: u32, seed: u64) {
    let widths = &program.slot_bits;
    let n_slots = u32::try_from(widths.len()).expect("few slots");
    let stored = program.updates.iter().flat_map(|update| &update.stores);
    let stored: Vec<u32> = stored.map(|(slot, _)| *slot).collect();
    for backend in std::iter::once(Backend::Bytecode).chain(Backend::machine_code()) {
        let mut machine = Machine::new(program.clone(), backend);
        let mut together = Machine::new(program.clone(), backend);
        let mut reference = Reference {
            slots: vec![0; widths.len()],
            arrays: program.arrays.iter().map(|a| a.initial.clone()).collect(),
        };
        let mut stimulus = Random(seed ^ 0x1234_5678_9abc_def1);
        for (slot, bits) in (0..n_drawn).zip(widths) {
            let value = stimulus.next() >> (64 - bits);
            reference.slots[slot as usize] = value;
            machine.set_slot(slot, value);
            together.set_slot(slot, value);
        }
        for cycle in 0..20 {
            reference.cycle(program);
            if cycle % 2 == 0 {
                machine.cycle();
            } else {
                machine.show();
                machine.run(1);
            }
            for slot in 0..n_slots {
                assert_eq!(
                    machine.slot(slot),
                    reference.slots[slot as usize],
                    "slot {slot} after cycle {cycle}, {backend:?}"
                );
            }
            for (array, limbs) in (0..).zip(&reference.arrays) {
                assert_eq!(machine.array(array), limbs);
            }
        }
        together.run(20);
        for slot in &stored {
            assert_eq!(
                together.slot(*slot),
                reference.slots[*slot as usize],
                "slot {slot} after 20 cycles at once, {backend:?}"
            );
        }
        assert_eq!(machine.why_not_native(), None);
    }
}

/// Operators whose low result bits depend only on the low bits of their operands.
const OF_LOW_BITS: [Binary; 6] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::And,
    Binary::Or,
    Binary::Xor,
];

/// Returns a program whose slots have isomorphic next values: of neighbours at some distances, of constants, of shared words. A
/// narrow program has words of at most 32 bits, and uses no more of any.
fn regular_program(random: &mut Random, is_narrow: bool) -> (Program, u32) {
    let n_regular = 8 + u32::try_from(random.below(40)).expect("small");
    let n_others = 4;
    let (bits, operators): (u32, &[Binary]) = match is_narrow {
        true => ([1, 7, 16, 20, 31, 32, 32][random.below(7)], &OF_LOW_BITS),
        false => (random.bits(), &BINARIES),
    };
    let mut program = Program {
        slot_bits: vec![bits; n_regular as usize],
        ..Program::default()
    };
    program
        .slot_bits
        .extend((0..n_others).map(|_| random.bits()));
    let graph = &mut program.graph;
    let all: Vec<Word> = (0..)
        .zip(&program.slot_bits)
        .map(|(slot, bits)| graph.slot(slot, *bits))
        .collect();
    let shared: Vec<Word> = (0..3)
        .map(|_| {
            let [a, b] = [(); 2].map(|()| all[random.below(all.len())]);
            graph.binary(BINARIES[random.below(BINARIES.len())], a, b)
        })
        .collect();
    let n_patterns = 1 + random.below(3);
    let patterns: Vec<[usize; 6]> = (0..n_patterns)
        .map(|_| [(); 6].map(|()| random.below(1000)))
        .collect();
    for slot in 0..n_regular {
        // Stretches of slots with the same pattern.
        let [op, other_op, distance, kind, when, start] = patterns[slot as usize / 12 % n_patterns];
        let at = |by: usize| all[(slot as usize + start + by) % n_regular as usize];
        let operand = match kind % 4 {
            0 => graph.constant(random.next() >> random.below(64)),
            1 => shared[kind % 3],
            2 => at(distance % 3),
            _ => graph.constant(3),
        };
        let word = graph.binary(operators[op % operators.len()], at(0), operand);
        let other = [at(distance % 5), shared[distance % 3], operand][other_op % 3];
        let word = graph.binary(operators[other_op % operators.len()], word, other);
        program.updates.push(Update {
            when: (when % 3 == 0).then(|| shared[when % 2]),
            stores: vec![(slot, word)],
        });
    }
    for slot in n_regular..n_regular + n_others {
        let [a, b] = [(); 2].map(|()| all[random.below(all.len())]);
        let word = graph.binary(BINARIES[random.below(BINARIES.len())], a, b);
        program.updates.push(Update {
            when: None,
            stores: vec![(slot, word)],
        });
    }
    (program, n_regular + n_others)
}

/// Checks machines that run together, each with its own state.
fn check_batch(seed: u64, n_slots: u32, n_words: usize, packing: Packing) {
    const N_MACHINES: usize = 19;
    let mut random = Random(seed | 1);
    let is_narrow = packing == Packing::Sixteen || seed.is_multiple_of(2);
    let (program, widths) = random_program(&mut random, n_slots, n_words, is_narrow);
    let mut batch = match Batch::new(program.clone(), N_MACHINES, 2, packing) {
        Ok(batch) => batch,
        // Constant folding may leave a word of which more bits are used.
        Err(why) if packing == Packing::Sixteen && why.contains("more than 32 bits") => return,
        Err(why) => panic!("machine code can be made: {why}"),
    };
    let mut references = Vec::new();
    for machine in 0..N_MACHINES {
        let mut reference = Reference {
            slots: vec![0; program.slot_bits.len()],
            arrays: program.arrays.iter().map(|a| a.initial.clone()).collect(),
        };
        for (slot, bits) in (0..2 * n_slots).zip(&widths) {
            let value = random.next() >> (64 - bits);
            reference.slots[slot as usize] = value;
            batch.set_slot(machine, slot, value);
            assert_eq!(batch.slot(machine, slot), value);
        }
        let limbs: Vec<u64> = reference.arrays[2].iter().map(|_| random.next()).collect();
        batch.set_array(machine, 2, limbs);
        reference.arrays[2] = batch.array(machine, 2);
        references.push(reference);
    }
    for cycle in 0..12 {
        batch.show();
        batch.run(1);
        for (machine, reference) in references.iter_mut().enumerate() {
            reference.cycle(&program);
            for slot in 0..3 * n_slots {
                assert_eq!(
                    batch.slot(machine, slot),
                    reference.slots[slot as usize],
                    "slot {slot} of machine {machine} after cycle {cycle}"
                );
            }
            for array in 0..3 {
                assert_eq!(
                    batch.array(machine, array),
                    reference.arrays[array as usize],
                    "array {array} of machine {machine} after cycle {cycle}"
                );
            }
        }
    }
}

/// Returns how often a property is checked; `SLUICE_SWEEP` multiplies it.
fn n_cases() -> u32 {
    let factor = std::env::var("SLUICE_SWEEP").ok();
    let factor = factor.map_or(1, |text| text.parse().expect("a number"));
    100 * factor
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(n_cases()))]

    #[test]
    fn machines_in_lanes_run_the_same(seed: u64, n_slots in 1_u32..20, n_words in 2_usize..150) {
        for packing in [
            Packing::Sixteen,
            Packing::Vectors,
            Packing::Halves,
            Packing::Lanes,
            Packing::Alone,
        ] {
            if packing.is_there() {
                check_batch(seed, n_slots, n_words, packing);
            }
        }
    }

    #[test]
    fn alike_slots_run_the_same(seed: u64, is_narrow: bool) {
        let (program, n_slots) = regular_program(&mut Random(seed | 1), is_narrow);
        check_program(&program, n_slots, seed);
    }

    #[test]
    fn random_programs_run_the_same(seed: u64, n_slots in 1_u32..20, n_words in 2_usize..150) {
        check(seed, n_slots, n_words);
    }
}

/// A program with more steps than fit in one function of machine code.
#[test]
fn long_programs_run_the_same() {
    for seed in 1..4 {
        check(seed, 200, 6000);
        for packing in [
            Packing::Lanes,
            Packing::Halves,
            Packing::Vectors,
            Packing::Sixteen,
        ] {
            if packing.is_there() {
                check_batch(seed, 200, 6000, packing);
            }
        }
    }
}

#[test]
fn cycles_stop_where_an_output_says() {
    let mut graph = Graph::default();
    let count = graph.slot(0, 32);
    let one = graph.constant(1);
    let next = graph.binary(Binary::Add, count, one);
    let next = graph.low(next, 32);
    let hundred = graph.constant(100);
    let is = graph.binary(Binary::Eq, count, hundred);
    let program = Program {
        graph,
        slot_bits: vec![32, 1],
        updates: vec![Update {
            when: None,
            stores: vec![(0, next)],
        }],
        outputs: vec![(1, is)],
        ..Program::default()
    };
    for backend in std::iter::once(Backend::Bytecode).chain(Backend::machine_code()) {
        let mut machine = Machine::new(program.clone(), backend);
        assert_eq!(machine.run_until(1, 1000), 101, "{backend:?}");
        assert_eq!(machine.slot(0), 101);
        assert_eq!(machine.run_until(1, 1000), 1000);
        assert_eq!(machine.slot(0), 1101);
    }
}

/// A call whose second result is needed only under a condition, and whose first is always needed.
#[test]
fn a_call_is_made_where_any_of_its_results_is_needed() {
    let mut graph = Graph::default();
    let count = graph.slot(0, 8);
    let function: sluice_words::Function = Arc::new(|given: &[u64], found: &mut [u64]| {
        found[0] = given[0] / 3;
        found[1] = given[0] % 3;
    });
    let one = graph.constant(1);
    let next = graph.binary(Binary::Add, count, one);
    let odd = graph.low(count, 1);
    for conditional_first in [false, true] {
        let mut graph = graph.clone();
        let results = graph.call(function.clone(), vec![count], &[8, 2]);
        let (always, sometimes) = match conditional_first {
            true => (results[1], results[0]),
            false => (results[0], results[1]),
        };
        let program = Program {
            graph,
            slot_bits: vec![8, 8, 8],
            updates: vec![
                Update {
                    when: Some(odd),
                    stores: vec![(1, sometimes)],
                },
                Update {
                    when: None,
                    stores: vec![(0, next), (2, always)],
                },
            ],
            ..Program::default()
        };
        for backend in std::iter::once(Backend::Bytecode).chain(Backend::machine_code()) {
            let mut machine = Machine::new(program.clone(), backend);
            for cycle in 0..20_u64 {
                machine.run(1);
                let of = |cycle: u64, is_quotient| match is_quotient {
                    true => cycle / 3,
                    false => cycle % 3,
                };
                let last_odd = if cycle % 2 == 1 {
                    cycle
                } else {
                    cycle.saturating_sub(1)
                };
                assert_eq!(machine.slot(1), of(last_odd, conditional_first));
                assert_eq!(
                    machine.slot(2),
                    of(cycle, !conditional_first),
                    "{backend:?}"
                );
            }
        }
    }
}

/// Chains of operators, some of which are fused.
#[test]
fn chains_of_operators_run_the_same() {
    for length in 1..12 {
        for op in [
            Binary::Xor,
            Binary::Add,
            Binary::Mul,
            Binary::And,
            Binary::Or,
        ] {
            let mut graph = Graph::default();
            let mut word = graph.slot(0, 64);
            let mut expected = 0x1234_5678_9abc_def1_u64;
            let ones = graph.constant(u64::MAX);
            for at in 0..length {
                let other = graph.slot(1 + at % 2, 64);
                let value = [3, 0xffff_0000_ff00_f0f1][at as usize % 2];
                word = graph.binary(op, word, other);
                expected = compute(op, expected, value);
                if at % 3 == 2 {
                    word = graph.binary(Binary::Xor, word, ones);
                    expected = !expected;
                }
            }
            let program = Program {
                graph,
                slot_bits: vec![64; 4],
                initial: vec![
                    (0, 0x1234_5678_9abc_def1),
                    (1, 3),
                    (2, 0xffff_0000_ff00_f0f1),
                ],
                updates: vec![Update {
                    when: None,
                    stores: vec![(3, word)],
                }],
                ..Program::default()
            };
            for backend in std::iter::once(Backend::Bytecode).chain(Backend::machine_code()) {
                let mut machine = Machine::new(program.clone(), backend);
                machine.run(1);
                assert_eq!(machine.slot(3), expected, "{op:?} {length} {backend:?}");
            }
        }
    }
}

/// Sums, products, and signed comparisons, whose operands are widened.
#[test]
fn narrow_words_fit_sixteen_machines() {
    if !Packing::Sixteen.is_there() {
        return;
    }
    let mut graph = Graph::default();
    let [count, sum] = [0, 1].map(|slot| graph.slot(slot, 32));
    let three = graph.constant(3);
    let product = graph.binary(Binary::Mul, count, three);
    let next = graph.binary(Binary::Add, sum, product);
    let next = graph.low(next, 32);
    let [a, b] = [next, count].map(|word| {
        let top = graph.shift(Binary::Shl, word, 32);
        graph.shift(Binary::Sar, top, 32)
    });
    let is_less = graph.binary(Binary::Lts, a, b);
    let one = graph.constant(1);
    let more = graph.binary(Binary::Add, count, one);
    let more = graph.low(more, 32);
    let chosen = graph.select(is_less, next, more);
    // A shift amount is taken modulo 64, so 6 bits of the value 100 are used.
    let top = graph.shift(Binary::Shl, count, 32);
    let hundred = graph.constant(100);
    let bit = graph.binary(Binary::Shr, top, hundred);
    let bit = graph.low(bit, 1);
    let program = Program {
        graph,
        slot_bits: vec![32, 32, 1],
        updates: vec![Update {
            when: None,
            stores: vec![(0, chosen), (1, next), (2, bit)],
        }],
        ..Program::default()
    };
    let mut batch = Batch::new(program.clone(), 33, 2, Packing::Sixteen).expect("it is narrow");
    for machine in 0..33 {
        batch.set_slot(machine, 0, machine as u64 * 0x0765_4321);
    }
    batch.run(1000);
    for machine in 0..33 {
        let mut alone = Machine::new(program.clone(), Backend::Bytecode);
        alone.set_slot(0, (machine as u64 * 0x0765_4321) & 0xFFFF_FFFF);
        alone.run(1000);
        let alone = [0, 1, 2].map(|slot| alone.slot(slot));
        assert_eq!([0, 1, 2].map(|slot| batch.slot(machine, slot)), alone);
    }
    // Words of 64 bits do not fit.
    let mut graph = Graph::default();
    let count = graph.slot(0, 64);
    let next = graph.binary(Binary::Add, count, count);
    let wide = Program {
        graph,
        slot_bits: vec![64],
        updates: vec![Update {
            when: None,
            stores: vec![(0, next)],
        }],
        ..Program::default()
    };
    let wide = Batch::new(wide, 33, 2, Packing::Sixteen);
    assert!(wide.is_err_and(|why| why.contains("more than 32 bits")));
}
