//! Cost model: estimates of the time of a cycle in vectors and in general registers, to choose the faster form.
//!
//! Units: clock cycles of the processor. An estimate is the greater of two bounds. The first is the issue time of all
//! instructions. The second is the critical path from slots to slots. Latencies and throughputs are those of Zen 4, rounded (A.
//! Abel, J. Reineke, uops.info, ASPLOS 2019). Two factors are fitted so that the faster form is chosen for most circuits of the
//! examples; docs/BENCHMARKS.md has the measurements.

use crate::graph::{Binary, Node};
use crate::plan::Step;
use crate::program::Program;
use crate::rows::{Part, Row};

use super::super::packed;
use super::code::{Code, Instruction, Kind, Operator};
use super::residents::Residents;

/// Instructions issued in a clock cycle.
const PER_TICK: f64 = 5.0;

/// Latency of a load.
const LOAD_TICKS: f64 = 5.0;
/// Latency from a store to a load of the same slot.
const SLOT_TICKS: f64 = 8.0;
/// Correction factors for vector code: of the critical path, and of the issue time.
const CHAINS_OF_VECTORS: f64 = 1.3;
const MANY_VECTORS: f64 = 0.9;
/// Latency of moves between general registers, masks and vectors.
const CROSS_TICKS: f64 = 3.0;

/// Estimates the time of steps in general registers.
pub(super) fn in_words(program: &Program, steps: &[Step], rows: &[Row]) -> f64 {
    let graph = &program.graph;
    let mut n = 0.0;
    let mut at = vec![0.0_f64; graph.len()];
    let mut longest = 0.0_f64;
    let quads = packed::quads(rows.iter());
    for step in steps {
        match step {
            Step::Compute(word) => {
                let (instructions, ticks) = match graph.node(*word) {
                    Node::Constant(_) | Node::Result { .. } => (0.0, 0.0),
                    Node::Slot(_) => (0.5, SLOT_TICKS),
                    Node::Select(..) => (3.0, 2.0),
                    Node::Load { .. } => (3.0, LOAD_TICKS + 1.0),
                    Node::Binary(op, ..) => match op {
                        Binary::Mul | Binary::MulHigh => (2.0, 3.0),
                        Binary::Udiv | Binary::Urem => (10.0, 15.0),
                        Binary::Eq | Binary::Ltu | Binary::Lts => (3.0, 2.0),
                        Binary::Shl | Binary::Shr | Binary::Sar
                            if graph.bits(*word) > 1 && n_constants(program, *word) == 0 =>
                        {
                            (3.0, 1.0)
                        }
                        _ => (1.7, 1.0),
                    },
                };
                n += instructions;
                let mut start = 0.0_f64;
                graph.for_operands(*word, |operand| start = start.max(at[operand.at()]));
                at[word.at()] = start + ticks;
            }
            Step::Store(_, word) => {
                n += 1.0;
                longest = longest.max(at[word.at()]);
            }
            Step::StoreWhere(_, condition, word) => {
                n += 3.0;
                longest = longest.max(at[word.at()].max(at[condition.at()]) + 2.0);
            }
            Step::Write { .. } => n += 4.0,
            Step::SkipUnless(..) => n += 1.5,
            Step::Call(_) => n += 20.0,
            Step::Row(row) => {
                let row = &rows[*row];
                n += packed::in_vectors(row, &quads);
                longest = longest.max(of_row(row, &at));
            }
        }
    }
    longest.max(n / PER_TICK)
}

/// Returns when the next values of a row are available, in 128-bit vectors.
fn of_row(row: &Row, words: &[f64]) -> f64 {
    let mut at: Vec<f64> = Vec::new();
    for part in &row.parts {
        at.push(match part {
            Part::Slots(_) => SLOT_TICKS + 1.0,
            Part::Same(word) => words[word.at()] + CROSS_TICKS,
            Part::Constants(_) => 0.0,
            Part::Product(a, b) | Part::Binary(Binary::Mul, a, b) => at[*a].max(at[*b]) + 4.0,
            Part::Binary(_, a, b) => at[*a].max(at[*b]) + 1.0,
            Part::Choose(word, a, b) => {
                let chosen = words[word.at()] + CROSS_TICKS;
                chosen.max(at[*a]).max(at[*b]) + 2.0
            }
        });
    }
    at.last().copied().unwrap_or(0.0)
}

fn n_constants(program: &Program, word: crate::graph::Word) -> usize {
    let mut n = 0;
    program.graph.for_operands(word, |operand| {
        n += usize::from(program.graph.constant_of(operand).is_some());
    });
    n
}

/// Estimates the time of instructions in vectors.
pub(super) fn in_vectors(code: &Code, residents: &Residents) -> f64 {
    let is_resident = |at: usize| residents.contains_key(&at);
    let mut n = 0.0;
    // When each value is available in a register of its own kind; `in_mask` tells that bits are in a mask register, where
    // comparisons put them.
    let mut at = vec![0.0_f64; code.kinds.len()];
    let mut in_mask = vec![false; code.kinds.len()];
    let mut longest = 0.0_f64;
    for instruction in &code.instructions {
        let of_row = instruction
            .results()
            .first()
            .is_some_and(|to| code.kind(*to) == Kind::Row);
        let twice = if of_row { 2.0 } else { 1.0 };
        let (instructions, ticks) = match instruction {
            Instruction::Load { at, .. } if is_resident(*at) => (0.0, 0.0),
            Instruction::Load { .. } => (0.5, SLOT_TICKS),
            Instruction::Store { at, .. } if is_resident(*at) => (0.3, 0.0),
            Instruction::Store { .. } => (1.0, 0.0),
            Instruction::Constant { .. } | Instruction::Constants { .. } => (0.0, 0.0),
            Instruction::Binary { operator, .. } => match operator {
                Operator::Mul | Operator::MulHalves => (2.0 * twice, 3.0),
                _ => (twice, 1.0),
            },
            Instruction::Shift { .. } | Instruction::Convert { .. } => (2.0 * twice, 1.0),
            Instruction::AddLane { .. } | Instruction::Not { .. } => (1.0, 1.0),
            Instruction::Ternary { .. } => (2.0, 1.0),
            Instruction::Compare { .. } | Instruction::Test { .. } => (2.0, CROSS_TICKS),
            Instruction::Choose { .. } => (2.0 * twice, 1.0),
            Instruction::Spread { .. } => (1.0, CROSS_TICKS),
            Instruction::Join { .. } | Instruction::Pick { .. } | Instruction::Repeat { .. } => {
                (2.0 * twice, 3.0)
            }
            Instruction::Logic { .. } => (1.0, 1.0),
            Instruction::Gather { .. } => (5.0, CROSS_TICKS + LOAD_TICKS + 1.0),
            Instruction::Scatter { .. } => (5.0, 0.0),
            Instruction::Divide { .. } => (12.0, 30.0),
            Instruction::Call { .. } => (60.0, 60.0),
            Instruction::Skip { .. } => (1.0, 0.0),
            Instruction::End => (0.0, 0.0),
            Instruction::Match { .. }
            | Instruction::Signs { .. }
            | Instruction::Sign { .. }
            | Instruction::Blend { .. }
            | Instruction::Extend { .. }
            | Instruction::Upper { .. }
            | Instruction::Pack { .. } => unreachable!("of one machine there is no code in AVX2"),
        };
        n += instructions;
        let wants_mask = matches!(
            instruction,
            Instruction::Choose { .. } | Instruction::Gather { .. } | Instruction::Scatter { .. }
        );
        let mut start = 0.0_f64;
        let mut crossings = 0.0;
        instruction.for_operands(|operand| {
            let is_bits = code.kind(operand) == Kind::Bits;
            let crosses = is_bits && in_mask[operand.at()] != wants_mask;
            let cross = if crosses { CROSS_TICKS } else { 0.0 };
            crossings += if crosses { 1.0 } else { 0.0 };
            start = start.max(at[operand.at()] + cross);
        });
        n += crossings;
        for to in instruction.results() {
            at[to.at()] = start + ticks;
            in_mask[to.at()] = matches!(
                instruction,
                Instruction::Compare { .. } | Instruction::Test { .. }
            );
        }
        if matches!(instruction, Instruction::Store { .. }) {
            longest = longest.max(start);
        }
    }
    (CHAINS_OF_VECTORS * longest).max(MANY_VECTORS * n / PER_TICK)
}
