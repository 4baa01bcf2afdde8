//! Demanded bits: removes masks from operators of which only the low bits are used.

use rustc_hash::FxHashMap;

use crate::graph::{Binary, Graph, Node, Word};
use crate::program::{Program, is_cut};

/// Removes the words that nothing reads, and the masks that no use needs.
///
/// Slots in `known` are replaced by the values that they hold.
pub(crate) fn without_masks(program: &mut Program, known: &FxHashMap<u32, u64>) {
    program.cut_stores();
    let old = std::mem::take(&mut program.graph);
    let demanded = demanded(&old, program);
    let mut graph = Graph::default();
    let mut new: Vec<Option<Word>> = vec![None; old.len()];
    let mut calls: Vec<Option<Vec<Word>>> = vec![None; old.calls.len()];
    for word in old.words() {
        let bits = demanded[word.at()];
        if bits == 0 {
            continue;
        }
        // The new operand of a use that needs only its low `bits` bits.
        let taken = |of: Word, bits: u32| new[stripped(&old, of, bits).at()];
        let of_operands = operand_bits(&old, word, bits);
        let made = match old.node(word) {
            Node::Constant(value) => Some(graph.constant(value)),
            Node::Slot(slot) => Some(match known.get(&slot) {
                Some(value) => graph.constant(*value),
                None => graph.slot(slot, old.bits(word)),
            }),
            Node::Binary(op, a, b) => {
                let (a, b) = (taken(a, of_operands[0]), taken(b, of_operands[1]));
                a.zip(b).map(|(a, b)| graph.binary(op, a, b))
            }
            Node::Select(c, a, b) => {
                let c = taken(c, 64);
                let (a, b) = (taken(a, bits), taken(b, bits));
                c.zip(a.zip(b)).map(|(c, (a, b))| graph.select(c, a, b))
            }
            Node::Load { array, index, limb } => {
                taken(index, 64).map(|index| graph.load(array, index, limb, old.bits(word)))
            }
            Node::Result { call, index } => {
                let results = calls[call as usize].get_or_insert_with(|| {
                    let call = &old.calls[call as usize];
                    let operands = call
                        .operands
                        .iter()
                        .filter_map(|operand| taken(*operand, 64));
                    let bits = vec![64; call.n_results as usize];
                    graph.call(call.function.clone(), operands.collect(), &bits)
                });
                Some(graph.low(results[index as usize], old.bits(word)))
            }
        };
        new[word.at()] = made;
    }
    program.map_sinks(|word, bits| {
        let word = stripped(&old, word, bits_stored(bits));
        new[word.at()].expect("a sink is demanded, and so is all it needs")
    });
    program.graph = graph;
    drop_what_never_happens(program);
}

/// Removes stores and writes whose condition is constantly 0, and conditions that are constantly true.
fn drop_what_never_happens(program: &mut Program) {
    let graph = &program.graph;
    let condition = |when: Word| graph.constant_of(when).map(|value| value != 0);
    program
        .updates
        .retain(|update| update.when.and_then(condition) != Some(false));
    program
        .writes
        .retain(|write| condition(write.when) != Some(false));
    for update in &mut program.updates {
        if update.when.and_then(condition) == Some(true) {
            update.when = None;
        }
    }
}

/// Returns the word that a use may read instead, if it needs only the low `bits` bits: the word without its masks.
fn stripped(graph: &Graph, word: Word, bits: u32) -> Word {
    let mut word = word;
    while let Some((under, kept)) = low_mask(graph, word)
        && bits <= kept
    {
        word = under;
    }
    word
}

/// Returns the word under a mask of low bits, and how many bits the mask keeps.
fn low_mask(graph: &Graph, word: Word) -> Option<(Word, u32)> {
    let Node::Binary(Binary::And, under, mask) = graph.node(word) else {
        return None;
    };
    let mask = graph.constant_of(mask)?;
    (mask & mask.wrapping_add(1) == 0).then(|| (under, mask.count_ones()))
}

/// Returns how many low bits of a word a store of this width reads.
fn bits_stored(bits: u32) -> u32 {
    if is_cut(bits) { bits } else { 64 }
}

/// Returns how many low bits of each word are used; 0 for a word without uses.
pub(crate) fn demanded(graph: &Graph, program: &mut Program) -> Vec<u32> {
    let mut demanded = vec![0_u32; graph.len()];
    program.map_sinks(|word, bits| {
        let bits = bits_stored(bits);
        let at = &mut demanded[stripped(graph, word, bits).at()];
        *at = (*at).max(bits.max(1));
        word
    });
    for word in graph.words().rev() {
        let bits = demanded[word.at()];
        if bits == 0 {
            continue;
        }
        let of_operands = operand_bits(graph, word, bits);
        let mut i = 0;
        graph.for_operands(word, |operand| {
            let bits = of_operands.get(i).copied().unwrap_or(64);
            i += 1;
            // A use of fewer bits than a mask keeps does not use the mask.
            let at = &mut demanded[stripped(graph, operand, bits).at()];
            *at = (*at).max(bits.max(1));
        });
    }
    demanded
}

/// Returns for each word whether its low 32 bits are enough: it has no more bits, or no use needs more.
#[cfg_attr(
    not(feature = "native"),
    allow(dead_code, reason = "machine code asks for it")
)]
pub(crate) fn is_low_half_enough(program: &Program) -> Vec<bool> {
    let mut program = program.clone();
    let graph = program.graph.clone();
    let demanded = demanded(&graph, &mut program);
    let words = graph.words().zip(demanded);
    words
        .map(|(word, bits)| graph.bits(word) <= 32 || (1..=32).contains(&bits))
        .collect()
}

/// Returns how many low bits of its operands a word needs for `bits` low bits of its result.
fn operand_bits(graph: &Graph, word: Word, bits: u32) -> [u32; 3] {
    match graph.node(word) {
        Node::Binary(op, _, b) => {
            let by = graph.constant_of(b);
            let amount = by.map(|by| u32::try_from(by & 63).unwrap_or(0));
            match (op, amount) {
                (Binary::Add | Binary::Sub | Binary::Mul | Binary::Or | Binary::Xor, _) => {
                    [bits, bits, 0]
                }
                (Binary::And, _) => {
                    let kept = by.map_or(64, |mask| 64 - mask.leading_zeros());
                    [bits.min(kept), bits, 0]
                }
                (Binary::Shl, Some(amount)) => [bits.saturating_sub(amount).max(1), 64, 0],
                (Binary::Shl, None) => [bits, 64, 0],
                (Binary::Shr, Some(amount)) => [(bits + amount).min(64), 64, 0],
                _ => [64, 64, 0],
            }
        }
        Node::Select(..) => [64, bits, bits],
        _ => [64; 3],
    }
}
