//! Measurement of which form of machine code is faster: both run in turn, once enough cycles are left for compiling the second
//! form to pay off.
//!
//! A cost estimate chooses the first form. It is calibrated for one processor and is sometimes wrong. The time comes from the
//! machine's clock; the computed values do not depend on it.

use std::time::Duration;

use super::{Backend, Clock, Code, Machine, native};
use crate::native::Native;

/// Cycles of one measurement.
const TURN: u64 = 4096;

/// Measurements of each form; the shortest counts, because a disturbance makes a measurement longer.
const N_TURNS: usize = 3;

/// The other form is tried if the remaining cycles take at least this many times as long as compiling took.
const WORTH: u32 = 20;

/// The result of one measurement.
struct Turn {
    n_cycles: u64,
    taken: Duration,
    /// Whether the run is over: it ended early, or the slot to stop at is not 0.
    is_over: bool,
}

fn turn(code: &Native, state: &mut [u64], stop: Option<u32>, clock: Clock) -> Turn {
    let begin = clock();
    let n_cycles = code.run(state, TURN);
    Turn {
        n_cycles,
        taken: clock().saturating_sub(begin),
        is_over: n_cycles < TURN || stop.is_some_and(|slot| state[slot as usize] != 0),
    }
}

impl Machine {
    /// Runs `n_cycles` cycles with compiled code, and measures the other form if that pays off; returns the number of cycles run.
    pub(super) fn run_native(&mut self, at: usize, n_cycles: u64) -> u64 {
        let made = &mut self.made[at];
        let stop = made.request.stop;
        let n_turns = 1 + 2 * N_TURNS as u64;
        let clock = self
            .clock
            .filter(|_| self.backend == Backend::Native && !made.is_settled);
        let Code::Native(chosen) = &made.code else {
            return made.code.run(&mut self.state, n_cycles, stop);
        };
        let Some(clock) = clock.filter(|_| n_cycles > n_turns * TURN) else {
            return chosen.run(&mut self.state, n_cycles);
        };
        let first = turn(chosen, &mut self.state, stop, clock);
        if first.is_over {
            return first.n_cycles;
        }
        let turns_left = u32::try_from(n_cycles / TURN - 1).unwrap_or(u32::MAX);
        let mut done = first.n_cycles;
        if first.taken.saturating_mul(turns_left) >= WORTH * made.making {
            made.is_settled = true;
            if let Some(other) = self.other_form(at) {
                let (n, is_over) = self.contest(at, other, first.taken, clock);
                done += n;
                if is_over {
                    return done;
                }
            }
        }
        done + self.made[at]
            .code
            .run(&mut self.state, n_cycles - done, stop)
    }

    /// Compiles the other form: general registers for code in vectors, and vectors for other code. `None` if this computer has
    /// only one form.
    fn other_form(&mut self, at: usize) -> Option<Native> {
        let made = &self.made[at];
        let Code::Native(chosen) = &made.code else {
            return None;
        };
        let form = match chosen.is_in_vectors() {
            true => Backend::Words,
            false => Backend::Vectors,
        };
        if !Backend::machine_code().any(|other| other == form) {
            return None;
        }
        let mut program = self.prepared(made.request, made.switches.as_deref());
        let other = native(&mut program, form, made.request).ok()?;
        self.make_room(other.n_words());
        Some(other)
    }

    /// Measures the chosen form, of which one measurement already took `taken`, and the other form; keeps the faster one. Returns
    /// the number of cycles run, and whether the run is over.
    fn contest(&mut self, at: usize, other: Native, taken: Duration, clock: Clock) -> (u64, bool) {
        let stop = self.made[at].request.stop;
        let Code::Native(chosen) = &self.made[at].code else {
            return (0, false);
        };
        let mut least = [taken, Duration::MAX];
        let mut done = 0;
        for _ in 0..N_TURNS {
            for (code, least) in [chosen.as_ref(), &other].into_iter().zip(&mut least) {
                let turn = turn(code, &mut self.state, stop, clock);
                done += turn.n_cycles;
                *least = turn.taken.min(*least);
                if turn.is_over {
                    return (done, true);
                }
            }
        }
        if least[1] < least[0] {
            self.made[at].code = Code::Native(Box::new(other));
        }
        (done, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Program, Update};

    /// A program with a counter, a slot computed from it, and a flag that tells whether the counter has reached a number.
    fn counter(end: u64) -> Program {
        let mut program = Program {
            slot_bits: vec![32, 64, 1],
            initial: vec![(1, 1)],
            ..Program::default()
        };
        let graph = &mut program.graph;
        let (count, other) = (graph.slot(0, 32), graph.slot(1, 64));
        let (one, factor) = (graph.constant(1), graph.constant(0x9E37_79B9_7F4A_7C15));
        let (next, end) = (graph.binary(Binary::Add, count, one), graph.constant(end));
        let (product, is_end) = (
            graph.binary(Binary::Mul, other, factor),
            graph.binary(Binary::Eq, count, end),
        );
        let mixed = graph.binary(Binary::Xor, product, count);
        program.updates.push(Update {
            when: None,
            stores: vec![(0, next), (1, mixed)],
        });
        program.outputs.push((2, is_end));
        program
    }

    fn check(end: u64, n_cycles: u64, is_over: bool) {
        let mut machine = Machine::new(counter(end), Backend::Native);
        let mut slow = Machine::new(counter(end), Backend::Bytecode);
        assert_eq!(machine.run_until(2, 1), 1);
        slow.run_until(2, 1);
        for _ in 0..2 {
            let Some(other) = machine.other_form(0) else {
                return;
            };
            let done = machine.contest(0, other, Duration::ZERO, || Duration::ZERO);
            assert_eq!(done, (n_cycles, is_over));
            assert_eq!(slow.run_until(2, n_cycles), n_cycles);
            assert_eq!(machine.state(), slow.state());
            // A run that is not over is continued by the second measurement.
            if is_over {
                return;
            }
        }
    }

    #[test]
    fn turns_add_up() {
        check(1 << 30, 2 * N_TURNS as u64 * TURN, false);
    }

    #[test]
    fn a_turn_that_ends_early_is_the_last() {
        check(1, 1, true);
        check(TURN - 1, TURN - 1, true);
        check(TURN, TURN, true);
        check(TURN + 1, TURN + 1, true);
        check(2 * TURN + 100, 2 * TURN + 100, true);
    }
}
