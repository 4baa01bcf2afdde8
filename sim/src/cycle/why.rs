//! Why a signal has its value in a cycle: back through the operations and registers that made it.
//!
//! Only what decided is followed: of a choice the arm that was taken, of `and` an operand that is 0, of `or` one that is all ones, of a
//! register the cycle in which it took its value over, of a memory the write that put the word there.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;
use sluice_dialects::comb;
use sluice_ir::algebra::{Algebra, Binary, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;

use super::flat::{Elaborated, MemoryModel, Register, Table, UnclockedRead};
use super::lowering::Slots;
use super::{CycleSimulator, SourcePlace};
use crate::cycle::flat::Origin;

/// Operations that are left out where they have no name.
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

/// The parts of a flattened circuit that answers are made of.
pub(super) struct Parts {
    terms: Terms,
    registers: Vec<Register>,
    memories: Vec<MemoryModel>,
    tables: Vec<Table>,
    unclocked_reads: Vec<UnclockedRead>,
    /// Variables that functions give, and of what.
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

    /// Everything whose value is looked at.
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

/// How a value came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// It was computed in the cycle.
    Computed,
    /// A register, or what a memory read, that took it over at the end of this cycle.
    TakenOver(u64),
    /// It is there since the first cycle, or as it was then.
    FromTheStart,
    /// The outside gives it.
    Given,
    /// The answer says it at another place.
    Elsewhere,
}

/// How much an answer says.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most values between the question and the last that is said.
    pub most_depth: usize,
    /// Most values; the nearest ones are said.
    pub most_values: usize,
    /// Whether logic, choices and wiring without a name are said too.
    pub with_logic: bool,
}

/// A value that had a part in an answer.
#[derive(Clone, Debug)]
pub struct Cause {
    /// How many values stand between it and the question.
    pub depth: usize,
    /// Its name with the instances around it; none for a value without.
    pub name: Option<String>,
    /// The operation that made it; empty for a port.
    pub operation: String,
    /// Where the source has it.
    pub place: Option<SourcePlace>,
    /// The value.
    pub value: Bits,
    /// The cycle in which it had it.
    pub cycle: u64,
    /// How it came to be.
    pub how: How,
    /// What more there is to say, such as the word of a memory that was read.
    pub note: String,
    /// Whether something behind it was left out.
    pub is_cut: bool,
}

/// An address as a number.
fn number(address: &Bits) -> String {
    let small = address.to_u64();
    small.map_or_else(|| address.to_string(), |small| small.to_string())
}

/// Cycles whose values are computed again at once.
const SEGMENT_CYCLES: u64 = 64;

/// Most segments that are kept.
const MOST_SEGMENTS: usize = 64;

/// Cycles in which the origin of a word or value is looked for.
const MOST_CYCLES_BACK: u64 = 1 << 20;

struct Search<'a> {
    simulator: &'a mut CycleSimulator,
    parts: &'a Parts,
    segments: BTreeMap<u64, Vec<Vec<u64>>>,
    n_slots: u32,
    /// Values that were looked at, with the value that each is behind.
    seen: FxHashMap<(TermId, u64), Option<usize>>,
}

/// Puts each value before what is behind it.
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

/// What a value was made of.
struct Made {
    how: How,
    note: String,
    of: Vec<(TermId, u64)>,
}

impl Made {
    fn new(how: How, of: Vec<(TermId, u64)>) -> Self {
        let note = String::new();
        Self { how, note, of }
    }
}

impl CycleSimulator {
    /// Why signal number `index` has its value in a cycle of the run that was recorded: it first, then what it was made of, each value
    /// before what is behind it. Nothing where the cycle was not run, or the simulator does not observe everything.
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
    /// The value of a term before the edge of a cycle.
    fn value(&mut self, term: TermId, cycle: u64) -> Bits {
        let width_bits = self.parts.terms.width(&term);
        if let TermNode::Constant(value) = self.parts.terms.node(term) {
            return value.clone();
        }
        let slots = self.parts.slots[&term];
        let first = cycle - cycle % SEGMENT_CYCLES;
        if !self.segments.contains_key(&first) {
            if self.segments.len() >= MOST_SEGMENTS {
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

    /// Finds a value and what is behind it, the nearest first, until there are enough.
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
            if is_shown && (found.len() >= limits.most_values || depth >= limits.most_depth) {
                if let Some(parent) = parent {
                    found[parent].0.is_cut = true;
                }
                continue;
            }
            let made = match self.seen.get(&(term, cycle)) {
                None => self.made(term, cycle),
                Some(before) if !is_shown || *before == parent => continue,
                Some(_) => Made::new(How::Elsewhere, Vec::new()),
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
                // A word of a memory behind its port.
                found[parent].0.note = made.note;
            }
            let of = made.of.into_iter();
            open.extend(of.map(|(term, cycle)| (term, cycle, at)));
        }
        in_order(found)
    }

    /// What decided the value of a term in a cycle.
    fn made(&mut self, term: TermId, cycle: u64) -> Made {
        let computed = |of: &[TermId]| {
            let of = of.iter().map(|term| (*term, cycle));
            Made::new(How::Computed, of.collect())
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

    fn variable(&mut self, term: TermId, variable: u32, cycle: u64) -> Made {
        let parts = self.parts;
        if let Some(table) = parts.tables.iter().find(|t| t.variable == variable) {
            let word = number(&self.value(table.address, cycle));
            let note = format!("word {word} of a table");
            let of = vec![(table.address, cycle)];
            return Made {
                note,
                ..Made::new(How::Computed, of)
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
                // Between two cycles nothing is seen of what enables.
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
                    None => Made::new(How::FromTheStart, Vec::new()),
                };
            }
        }
        let mut calls = parts.calls.iter();
        if let Some((_, inputs)) = calls.find(|(given, _)| given.contains(&variable)) {
            let of = inputs.iter().map(|input| (*input, cycle));
            return Made::new(How::Computed, of.collect());
        }
        Made::new(How::Given, Vec::new())
    }

    /// The last cycle before one in which something was so.
    fn back(&mut self, cycle: u64, mut is: impl FnMut(&mut Self, u64) -> bool) -> Option<u64> {
        let first = cycle.saturating_sub(MOST_CYCLES_BACK);
        (first..cycle).rev().find(|at| is(self, *at))
    }

    fn register(&mut self, register: &Register, cycle: u64) -> Made {
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
            return Made::new(How::FromTheStart, Vec::new());
        };
        let mut of = Vec::new();
        match reset {
            Some((is, value)) if self.is_set(is, at) => of.extend([(is, at), (value, at)]),
            _ => {
                of.push((next, at));
                of.extend(enable.map(|enable| (enable, at)));
            }
        }
        Made::new(How::TakenOver(at), of)
    }

    /// The last cycle before one behind which a value was another one.
    fn last_change(&mut self, term: TermId, cycle: u64) -> Option<u64> {
        let value = self.value(term, cycle);
        self.back(cycle, |search, at| search.value(term, at) != value)
    }

    /// A register of a circuit whose edges follow from others within a cycle: between two cycles nothing is seen of them, only what came of it.
    fn changed_register(&mut self, term: TermId, register: &Register, cycle: u64) -> Made {
        let Some(at) = self.last_change(term, cycle) else {
            return Made::new(How::FromTheStart, Vec::new());
        };
        // One that waits for no clock is seen with its value.
        let reset = register.reset.and_then(|(is, value)| {
            let mut seen = [at, at + 1].into_iter();
            let seen = seen.find(|cycle| self.is_set(is, *cycle))?;
            Some(vec![(is, seen), (value, seen)])
        });
        let of = reset.unwrap_or_else(|| vec![(register.next, at)]);
        Made::new(How::TakenOver(at), of)
    }

    /// The word of a memory that a cycle reads: what put it there.
    fn word(&mut self, memory: usize, address: TermId, cycle: u64, how: How) -> Made {
        let parts = self.parts;
        let word = self.value(address, cycle);
        if !self.simulator.stepping.is_plain() {
            // Nothing is seen of the edges that write.
            let note = format!("word {}", number(&word));
            let of = vec![(address, cycle)];
            return Made { how, note, of };
        }
        let writes = &parts.memories[memory].writes;
        let mut data = None;
        let written = self.back(cycle, |search, at| {
            // Of several writes of a cycle, the last one stays.
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
                format!("word {}, written in cycle {at}", number(&word))
            }
            _ => format!("word {}, not written in the run", number(&word)),
        };
        Made { how, note, of }
    }
}
