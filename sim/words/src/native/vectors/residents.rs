//! Slots that stay in vector registers from cycle to cycle.
//!
//! Otherwise a value that is stored in one cycle and loaded in the next goes through memory, which takes longer than most of the
//! computation in between.

use rustc_hash::FxHashMap;

use crate::rows::ROW;

use super::InstructionSet;
use super::code::{Code, Instruction, Kind};
use super::layout::Lanes;

/// Registers that are left for computed values.
const N_FREE: usize = 10;

/// A slot, or a row of slots, that stays in a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resident {
    pub(super) register: u8,
    pub(super) kind: Kind,
}

/// The uses of a place in the state.
struct Use {
    kind: Kind,
    n_loads: u32,
    n_stores: u32,
    is_alike: bool,
    /// Whether a row begins there.
    is_row: bool,
}

/// Resident slots, by their place in the state.
pub(super) type Residents = FxHashMap<usize, Resident>;

/// Chooses the slots of one machine that are loaded and stored most often; they get the last registers.
pub(super) fn residents(code: &Code, lanes: Lanes) -> Residents {
    if lanes != Lanes::One {
        return Residents::default();
    }
    let mut uses: FxHashMap<usize, Use> = FxHashMap::default();
    for instruction in &code.instructions {
        let (at, kind, is_store) = match instruction {
            Instruction::Load { to, at } => (*at, code.kind(*to), false),
            Instruction::Store { at, from } => (*at, code.kind(*from), true),
            // Calls use all registers.
            Instruction::Call { .. } => return Residents::default(),
            _ => continue,
        };
        let of = uses.entry(at).or_insert(Use {
            kind,
            n_loads: 0,
            n_stores: 0,
            is_alike: true,
            is_row: false,
        });
        of.is_alike &= of.kind == kind;
        of.is_row |= kind == Kind::Row;
        match is_store {
            true => of.n_stores += 1,
            false => of.n_loads += 1,
        }
    }
    let overlaps = |at: usize, kind: Kind| {
        (1..ROW).any(|slot| {
            let is_in = kind == Kind::Row && uses.contains_key(&(at + 8 * slot));
            let before = at.checked_sub(8 * slot).and_then(|at| uses.get(&at));
            is_in || before.is_some_and(|before| before.is_row)
        })
    };
    let mut worth: Vec<(u32, usize)> = uses
        .iter()
        .filter(|(at, of)| {
            let is_both = of.n_loads > 0 && of.n_stores > 0;
            of.kind != Kind::Bits && of.is_alike && is_both && !overlaps(**at, of.kind)
        })
        .map(|(at, of)| (of.n_loads + of.n_stores, *at))
        .collect();
    worth.sort_unstable_by_key(|(n, at)| (std::cmp::Reverse(*n), *at));
    let n_vectors = InstructionSet::Avx512.n_vectors();
    worth.truncate(n_vectors - N_FREE);
    let registers = (0..n_vectors).rev();
    let chosen = worth.into_iter().zip(registers);
    chosen
        .map(|((_, at), register)| {
            let resident = Resident {
                register: u8::try_from(register).expect("few registers"),
                kind: uses[&at].kind,
            };
            (at, resident)
        })
        .collect()
}
