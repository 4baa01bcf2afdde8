//! Explains why a signal has its value in a cycle, by going back through the operations and registers that produced it.
//!
//! Only the values that decided are followed: the selected input of a mux, an operand of `and` that is 0, an operand of `or` that
//! is all ones. For a register, the cycle in which it loaded its value; for a memory, the write of the word.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;
use sluice_dialects::comb;
use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;

use super::flat::{Elaborated, MemoryModel, Register, Table, UnclockedRead};
use super::lowering::Slots;
use super::{CycleSimulator, SourcePlace};
use crate::cycle::flat::Origin;

/// Operations that are left out if they have no name.
const LOGIC: [&str; 8] = [
    comb::And::NAME,
    comb::Or::NAME,
    comb::Xor::NAME,
    comb::Mux::NAME,
    comb::Concat::NAME,
    comb::Extract::NAME,
    comb::Replicate::NAME,
    comb::Icmp::NAME,
];

impl Origin {
    pub(crate) fn is_shown(&self, limits: Limits) -> bool {
        limits.with_logic || self.name.is_some() || !LOGIC.contains(&self.operation.as_str())
    }
}

/// The parts of a flattened circuit that explanations need.
pub(super) struct Parts {
    terms: Terms,
    registers: Vec<Register>,
    memories: Vec<MemoryModel>,
    tables: Vec<Table>,
    unclocked_reads: Vec<UnclockedRead>,
    /// Variables that functions of models compute, and the arguments.
    calls: Vec<(Vec<u32>, Vec<TermId>)>,
    origins: FxHashMap<TermId, Origin>,
    slots: FxHashMap<TermId, Slots>,
}

impl Parts {
    pub(super) fn new(flat: &mut Elaborated) -> Self {
        Self {
            terms: flat.terms.clone(),
            registers: flat.registers.clone(),
            memories: flat.memories.clone(),
            tables: flat.tables.clone(),
            unclocked_reads: flat.unclocked_reads.clone(),
            calls: flat
                .calls
                .iter()
                .map(|call| (call.variables.clone(), call.inputs.clone()))
                .collect(),
            origins: std::mem::take(&mut flat.origins),
            slots: FxHashMap::default(),
        }
    }

    /// Returns all terms whose values are observed.
    pub(super) fn all_terms(&self) -> Vec<TermId> {
        let all = (0..self.terms.len()).map(|at| u32::try_from(at).expect("32 bits name a term"));
        let all = all.map(TermId);
        all.filter(|term| !matches!(self.terms.node(*term), TermNode::Constant(_)))
            .collect()
    }

    pub(super) fn set_slots(&mut self, slots: &FxHashMap<TermId, Slots>) {
        self.slots.clone_from(slots);
    }
}

/// The origin of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Computed in this cycle.
    Computed,
    /// Loaded, by a register or a memory read, at the end of this cycle.
    TakenOver(u64),
    /// Unchanged since the first cycle.
    FromTheStart,
    /// Given from outside.
    Given,
    /// Explained at another place in the result.
    Elsewhere,
}

/// The limits of an explanation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most steps from the signal to a value.
    pub max_depth: usize,
    /// The most values; the nearest ones are kept.
    pub max_values: usize,
    /// Whether unnamed logic, muxes and wiring are included.
    pub with_logic: bool,
}

/// A value in an explanation.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The number of steps from the signal to it.
    pub depth: usize,
    /// Its name with the instances around it, if it has a name.
    pub name: Option<String>,
    /// The operation that defines it; empty for a port.
    pub operation: String,
    /// Its source location.
    pub place: Option<SourcePlace>,
    /// The value.
    pub value: Bits,
    /// The cycle in which it had this value.
    pub cycle: u64,
    /// Its origin.
    pub how: How,
    /// A further detail, for example which word of a memory was read.
    pub note: String,
    /// Whether values that it depends on were left out.
    pub is_cut: bool,
}

/// Returns an address as a number.
fn format_address(address: &Bits) -> String {
    let small = address.to_u64();
    small.map_or_else(|| address.to_string(), |small| small.to_string())
}

/// Cycles whose values are computed again together.
const SEGMENT_CYCLES: u64 = 64;

/// The most segments of these cycles that are kept.
const MAX_SEGMENTS: usize = 64;

/// The most cycles that the search for the origin of a value goes back.
const MAX_CYCLES_BACK: u64 = 1 << 20;

struct Search<'a> {
    simulator: &'a mut CycleSimulator,
    parts: &'a Parts,
    segments: BTreeMap<u64, Vec<Vec<u64>>>,
    n_slots: u32,
    /// The visited values, each with the value that it was first found for.
    seen: FxHashMap<(TermId, u64), Option<usize>>,
}

/// Orders the values in pre-order: each value before those that it depends on.
fn in_order(found: Vec<(Cause, Option<usize>)>) -> Vec<Cause> {
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    for (at, (_, parent)) in found.iter().enumerate() {
        if let Some(parent) = parent {
            inside[*parent].push(at);
        }
    }
    let mut all: Vec<Option<Cause>> = found.into_iter().map(|(cause, _)| Some(cause)).collect();
    let mut open: Vec<usize> = (0..all.len().min(1)).collect();
    let mut ordered = Vec::new();
    while let Some(at) = open.pop() {
        ordered.extend(all[at].take());
        open.extend(inside[at].iter().rev());
    }
    ordered
}

/// The origin of a value, and the values that it depends on.
struct Derivation {
    how: How,
    note: String,
    of: Vec<(TermId, u64)>,
}

impl Derivation {
    fn new(how: How, of: Vec<(TermId, u64)>) -> Self {
        let note = String::new();
        Self { how, note, of }
    }
}

impl CycleSimulator {
    /// Explains the value of signal number `index` in a cycle of the recorded run: first the signal, then the values that it
    /// depends on, in pre-order. Empty if the cycle was not run, or if the simulator does not observe everything.
    pub fn why(&mut self, index: usize, cycle: u64, limits: Limits) -> Vec<Cause> {
        let (true, Some(parts)) = (cycle < self.cycle, self.parts.take()) else {
            return Vec::new();
        };
        let signal = &self.signals[index].0;
        let (term, name) = (signal.term, signal.path());
        let ends = parts.slots.values().map(|s| s.first + s.n_limbs());
        let mut search = Search {
            n_slots: ends.max().unwrap_or(0),
            simulator: self,
            parts: &parts,
            segments: BTreeMap::new(),
            seen: FxHashMap::default(),
        };
        let mut causes = search.explain(term, cycle, limits);
        if let Some(first) = causes.first_mut() {
            first.name = Some(name);
        }
        self.parts = Some(parts);
        causes
    }
}

impl Search<'_> {
    /// Returns the value of a term before the edge of a cycle.
    fn value(&mut self, term: TermId, cycle: u64) -> Bits {
        let width_bits = self.parts.terms.width(&term);
        if let TermNode::Constant(value) = self.parts.terms.node(term) {
            return value.clone();
        }
        let slots = self.parts.slots[&term];
        let first = cycle - cycle % SEGMENT_CYCLES;
        if !self.segments.contains_key(&first) {
            if self.segments.len() >= MAX_SEGMENTS {
                self.segments.clear();
            }
            let mut cycles = Vec::new();
            let all = 0..self.n_slots;
            let machine =
                |simulator: &CycleSimulator| simulator.machine.slots(all.clone()).to_vec();
            self.simulator
                .replay(first, first + SEGMENT_CYCLES, |simulator| {
                    cycles.push(machine(simulator));
                });
            self.segments.insert(first, cycles);
        }
        let at = usize::try_from(cycle - first).expect("within a segment");
        let words = &self.segments[&first][at];
        let start = slots.first as usize;
        Bits::from_limbs(width_bits, &words[start..start + slots.n_limbs() as usize])
    }

    fn is_set(&mut self, term: TermId, cycle: u64) -> bool {
        !self.value(term, cycle).is_zero()
    }

    /// Searches breadth-first for the values that a value depends on, up to the limits.
    fn explain(&mut self, term: TermId, cycle: u64, limits: Limits) -> Vec<Cause> {
        let mut found: Vec<(Cause, Option<usize>)> = Vec::new();
        let mut open = VecDeque::from([(term, cycle, None)]);
        while let Some((term, cycle, parent)) = open.pop_front() {
            if matches!(self.parts.terms.node(term), TermNode::Constant(_)) {
                continue;
            }
            let origin = self.parts.origins.get(&term);
            let is_shown = origin.is_some_and(|origin| origin.is_shown(limits)) || parent.is_none();
            let depth = parent.map_or(0, |parent: usize| found[parent].0.depth + 1);
            if is_shown && (found.len() >= limits.max_values || depth >= limits.max_depth) {
                if let Some(parent) = parent {
                    found[parent].0.is_cut = true;
                }
                continue;
            }
            let made = match self.seen.get(&(term, cycle)) {
                None => self.made(term, cycle),
                Some(before) if !is_shown || *before == parent => continue,
                Some(_) => Derivation::new(How::Elsewhere, Vec::new()),
            };
            self.seen.entry((term, cycle)).or_insert(parent);
            let mut at = parent;
            if is_shown {
                at = Some(found.len());
                let origin = origin.cloned().unwrap_or_default();
                let cause = Cause {
                    depth,
                    name: origin.name,
                    operation: origin.operation,
                    place: origin.place,
                    value: self.value(term, cycle),
                    cycle,
                    how: made.how,
                    note: made.note,
                    is_cut: false,
                };
                found.push((cause, parent));
            } else if let (Some(parent), false) = (parent, made.note.is_empty()) {
                // The note on a memory word belongs to its port.
                found[parent].0.note = made.note;
            }
            let of = made.of.into_iter();
            open.extend(of.map(|(term, cycle)| (term, cycle, at)));
        }
        in_order(found)
    }

    /// Returns the values that decided the value of a term in a cycle.
    fn made(&mut self, term: TermId, cycle: u64) -> Derivation {
        let computed = |of: &[TermId]| {
            let of = of.iter().map(|term| (*term, cycle));
            Derivation::new(How::Computed, of.collect())
        };
        match self.parts.terms.node(term).clone() {
            TermNode::Constant(_) => computed(&[]),
            TermNode::Variable { index, .. } => self.variable(term, index, cycle),
            TermNode::Binary(op, a, b) => {
                let decides = |value: &Bits| match op {
                    Binary::And | Binary::Mul => value.is_zero(),
                    Binary::Or => value.is_all_ones(),
                    _ => false,
                };
                if decides(&self.value(a, cycle)) {
                    computed(&[a])
                } else if decides(&self.value(b, cycle)) {
                    computed(&[b])
                } else {
                    computed(&[a, b])
                }
            }
            TermNode::Ite(condition, a, b) => match self.is_set(condition, cycle) {
                true => computed(&[a, condition]),
                false => computed(&[b, condition]),
            },
            TermNode::Not(a)
            | TermNode::Neg(a)
            | TermNode::Zext(a, _)
            | TermNode::Sext(a, _)
            | TermNode::Extract { of: a, .. } => computed(&[a]),
            TermNode::Concat(high, low) => computed(&[high, low]),
            TermNode::Float(_, _, operands) => computed(&operands),
        }
    }

    fn variable(&mut self, term: TermId, variable: u32, cycle: u64) -> Derivation {
        let parts = self.parts;
        if let Some(table) = parts.tables.iter().find(|t| t.variable == variable) {
            let word = format_address(&self.value(table.address, cycle));
            let note = format!("word {word} of a table");
            let of = vec![(table.address, cycle)];
            return Derivation {
                note,
                ..Derivation::new(How::Computed, of)
            };
        }
        let mut reads = parts.unclocked_reads.iter();
        if let Some(read) = reads.find(|read| read.variable == variable) {
            return self.word(read.memory, read.address, cycle, How::Computed);
        }
        if let Some(register) = parts.registers.iter().find(|r| r.variable == variable) {
            return match self.simulator.stepping.is_plain() {
                true => self.register(register, cycle),
                false => self.changed_register(term, register, cycle),
            };
        }
        for (number, memory) in parts.memories.iter().enumerate() {
            let mut reads = memory.reads.iter();
            if let Some((_, address, enable)) = reads.find(|(read, ..)| *read == variable) {
                // If edges settle within a cycle, enables are not visible at the time of the edge.
                let is_plain = self.simulator.stepping.is_plain();
                let enable = enable.filter(|_| is_plain);
                let at = match is_plain {
                    true => self.back(cycle, |search, at| {
                        enable.is_none_or(|enable| search.is_set(enable, at))
                    }),
                    false => self.last_change(term, cycle),
                };
                return match at {
                    Some(at) => {
                        let mut made = self.word(number, *address, at, How::TakenOver(at));
                        made.of.extend(enable.map(|enable| (enable, at)));
                        made
                    }
                    None => Derivation::new(How::FromTheStart, Vec::new()),
                };
            }
        }
        let mut calls = parts.calls.iter();
        if let Some((_, inputs)) = calls.find(|(given, _)| given.contains(&variable)) {
            let of = inputs.iter().map(|input| (*input, cycle));
            return Derivation::new(How::Computed, of.collect());
        }
        Derivation::new(How::Given, Vec::new())
    }

    /// Returns the last cycle before `cycle` in which a condition holds.
    fn back(&mut self, cycle: u64, mut is: impl FnMut(&mut Self, u64) -> bool) -> Option<u64> {
        let first = cycle.saturating_sub(MAX_CYCLES_BACK);
        (first..cycle).rev().find(|at| is(self, *at))
    }

    fn register(&mut self, register: &Register, cycle: u64) -> Derivation {
        let Register {
            next,
            enable,
            reset,
            ..
        } = *register;
        let is_reset = |search: &mut Self, at| reset.is_some_and(|(is, _)| search.is_set(is, at));
        let at = self.back(cycle, |search, at| {
            enable.is_none_or(|enable| search.is_set(enable, at)) || is_reset(search, at)
        });
        let Some(at) = at else {
            return Derivation::new(How::FromTheStart, Vec::new());
        };
        let mut of = Vec::new();
        match reset {
            Some((is, value)) if self.is_set(is, at) => of.extend([(is, at), (value, at)]),
            _ => {
                of.push((next, at));
                of.extend(enable.map(|enable| (enable, at)));
            }
        }
        Derivation::new(How::TakenOver(at), of)
    }

    /// Returns the last cycle before `cycle` in which the value was different.
    fn last_change(&mut self, term: TermId, cycle: u64) -> Option<u64> {
        let value = self.value(term, cycle);
        self.back(cycle, |search, at| search.value(term, at) != value)
    }

    /// Explains a register of a circuit with edges that settle within a cycle: the edges themselves are not visible, only the
    /// change of the value.
    fn changed_register(&mut self, term: TermId, register: &Register, cycle: u64) -> Derivation {
        let Some(at) = self.last_change(term, cycle) else {
            return Derivation::new(How::FromTheStart, Vec::new());
        };
        // An asynchronous reset is visible in the cycle of the change or in the next.
        let reset = register.reset.and_then(|(is, value)| {
            let mut seen = [at, at + 1].into_iter();
            let seen = seen.find(|cycle| self.is_set(is, *cycle))?;
            Some(vec![(is, seen), (value, seen)])
        });
        let of = reset.unwrap_or_else(|| vec![(register.next, at)]);
        Derivation::new(How::TakenOver(at), of)
    }

    /// Finds the write of the memory word that a cycle reads.
    fn word(&mut self, memory: usize, address: TermId, cycle: u64, how: How) -> Derivation {
        let parts = self.parts;
        let word = self.value(address, cycle);
        if !self.simulator.stepping.is_plain() {
            // The edges of writes are not visible.
            let note = format!("word {}", format_address(&word));
            let of = vec![(address, cycle)];
            return Derivation { how, note, of };
        }
        let writes = &parts.memories[memory].writes;
        let mut data = None;
        let written = self.back(cycle, |search, at| {
            // Among several writes in one cycle, the last one wins.
            let found = writes.iter().rev().find(|(address, _, enable)| {
                search.is_set(*enable, at) && {
                    let to = search.value(*address, at);
                    let width = to.width().max(word.width());
                    to.zext(width) == word.zext(width)
                }
            });
            data = found.map(|(_, data, _)| *data);
            data.is_some()
        });
        let mut of = vec![(address, cycle)];
        let note = match (written, data) {
            (Some(at), Some(data)) => {
                of.push((data, at));
                format!("word {}, written in cycle {at}", format_address(&word))
            }
            _ => format!("word {}, not written in the run", format_address(&word)),
        };
        Derivation { how, note, of }
    }
}
