//! Searches for deadlocks: bits for which a graph stops before it returns.
//!
//! Simulations with pseudo-random bits come first, because most graphs that can deadlock do so soon. Then SAT formulas ask
//! whether nothing moves after a number of cycles. The machine replays what they find with concrete bits.

use sluice_sat::{Answer, Limits};

use super::logic::{ConcreteLogic, Formula, Logic, Term};
use super::machine::{Cycle, Machine, Registers, State};
use super::network::Kind;

/// Number of simulations.
const RUNS: usize = 24;

/// Maximum number of cycles of a simulation; maximum of cycles times channels of all together.
const RUN_CYCLES: usize = 3000;
const MAX_RUN_WORK: usize = 4_000_000;

/// Maximum number of cycles of a formula, and the interval at which it is solved.
const FORMULA_CYCLES: usize = 64;
const ASKED_EVERY: usize = 16;

/// Work limits: channels times cycles, and the effort of the solver.
const MAX_WORK: usize = 20_000;
const EFFORT: u64 = 1_000_000;

/// A state in which nothing moves.
pub(super) struct DeadlockState {
    pub(super) state: State<bool>,
    pub(super) cycle: Cycle<bool>,
}

/// The result of a simulation.
enum Ran {
    Returned,
    Deadlocked(Box<DeadlockState>),
    /// It was still moving after all cycles.
    On,
}

/// Returns whether the end was reached.
pub(super) fn is_over(machine: &Machine<'_>, state: &State<bool>) -> bool {
    let nodes = machine.network.nodes.iter().zip(&state.registers);
    let mut ends = nodes.filter(|(node, _)| node.kind == Kind::Return);
    !machine.is_endless && ends.all(|(_, registers)| *registers == Registers::Flag(true))
}

fn run(machine: &Machine<'_>, mut logic: ConcreteLogic, n_cycles: usize) -> Ran {
    let mut state = machine.start(&mut logic);
    for _ in 0..n_cycles {
        if is_over(machine, &state) {
            return Ran::Returned;
        }
        let cycle = machine.settle(&mut logic, &state);
        if !cycle.moves {
            return Ran::Deadlocked(Box::new(DeadlockState { state, cycle }));
        }
        state = machine.edge(&mut logic, &state, &cycle);
    }
    Ran::On
}

/// Returns pseudo-random bits of a xorshift generator, the same in every search.
///
/// Source: G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 2003.
fn drawn(seed: u64, n: usize) -> Vec<bool> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let bit = |_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x >> 40 & 1 == 1
    };
    (0..n).map(bit).collect()
}

/// Returns a deadlock, if one is found within the limits.
pub(super) fn find_deadlock(machine: &Machine<'_>) -> Option<DeadlockState> {
    let n_free = machine.network.channels.len() * 64;
    let each = MAX_RUN_WORK / machine.network.channels.len().max(1) / RUNS;
    let n_cycles = each.min(RUN_CYCLES);
    for seed in 0..RUNS as u64 {
        let choices = match seed {
            // First all bits equal: every loop ends immediately, or continues.
            0 => vec![false; n_free],
            1 => vec![true; n_free],
            seed => drawn(seed, n_free),
        };
        let logic = ConcreteLogic { choices, n_used: 0 };
        if let Ran::Deadlocked(found) = run(machine, logic, n_cycles) {
            return Some(*found);
        }
    }
    by_formula(machine)
}

fn by_formula(machine: &Machine<'_>) -> Option<DeadlockState> {
    let mut formula = Formula::new(Limits {
        effort: EFFORT,
        ..Limits::default()
    });
    let mut state = machine.start(&mut formula);
    for n_cycles in 1..=FORMULA_CYCLES {
        if n_cycles * machine.network.channels.len() > MAX_WORK {
            return None;
        }
        let cycle = machine.settle(&mut formula, &state);
        if n_cycles % ASKED_EVERY == 0 {
            let stands = formula.not(cycle.moves);
            let mut wanted = vec![stands];
            for (node, registers) in machine.network.nodes.iter().zip(&state.registers) {
                if let (Kind::Return, Registers::Flag(is_over)) = (&node.kind, registers) {
                    wanted.push(formula.not(*is_over));
                }
            }
            let wanted = formula.all(&wanted);
            let assumed = match wanted {
                Term::Constant(false) => Vec::new(),
                Term::Constant(true) => Vec::new(),
                Term::Literal(literal) => vec![literal],
            };
            if wanted != Term::Constant(false)
                && formula.solver.solve(&assumed) == Answer::Satisfied
            {
                let logic = ConcreteLogic {
                    choices: formula.chosen(),
                    n_used: 0,
                };
                // The checker is not the solver: only a replayed deadlock counts.
                return match run(machine, logic, n_cycles) {
                    Ran::Deadlocked(found) => Some(*found),
                    Ran::Returned | Ran::On => None,
                };
            }
        }
        state = machine.edge(&mut formula, &state, &cycle);
    }
    None
}
