//! Which form of machine code is faster: both take turns, once so many cycles are left that a second one is worth making.
//!
//! An estimate chooses the first form; it knows one processor, and is wrong at times. Time comes from the machine's clock, and what is
//! computed does not depend on it.

use std::time::Duration;

use super::{Backend, Clock, Code, Machine, native};
use crate::native::Native;

/// Cycles of a turn.
const TURN: u64 = 4096;

/// Turns of each form; the shortest one counts, since what disturbs a turn makes it longer.
const N_TURNS: usize = 3;

/// How many times as long as making code took, its cycles must take still.
const WORTH: u32 = 20;

/// What came of a turn.
struct Turn {
    n_cycles: u64,
    taken: Duration,
    /// Whether it ended early, or with something else than 0 in the slot to stop at.
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
    /// Runs so many cycles with machine code that was made, or with the other form of it; says how many.
    pub(super) fn run_native(&mut self, at: usize, n_cycles: u64) -> u64 {
        let made = &mut self.made[at];
        let stop = made.wish.stop;
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

    /// Words where code is in vectors, and the other way round; `None` where this machine has one of them.
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
        let mut program = self.prepared(made.wish, made.switches.as_deref());
        let other = native(&mut program, form, made.wish).ok()?;
        self.make_room(other.n_words());
        Some(other)
    }

    /// Turns of the chosen form, which took so long in one, and of another; the faster one stays. Says how many cycles were run, and
    /// whether a turn ended early.
    fn contest(&mut self, at: usize, other: Native, taken: Duration, clock: Clock) -> (u64, bool) {
        let stop = self.made[at].wish.stop;
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

    /// A counter and what it makes of another slot; the third one says whether the counter has come to a number.
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
            // Else the next contest goes on behind.
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
