//! The monitor of a property: checks it cycle by cycle.

use std::collections::VecDeque;

use sluice_ir::bits::Bits;

use super::Window;
use super::resolve::{Computed, Memory, Term, Word};
use super::subjects::Values;
use super::syntax::{Binary, Unary};

/// The result of checking a property in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property is not violated.
    Holds,
    /// The property is violated.
    Broken {
        /// The cycle in which the left side was true.
        since: u64,
    },
}

/// A property whose names are resolved, with the past values that it needs.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// The condition of `disable iff`.
    disabled: Option<Term>,
    left: Option<Term>,
    window: Window,
    right: Term,
    memories: Vec<Memory>,
    values: Vec<(usize, String)>,
    words: Vec<Word>,
    depth: u64,
    /// The past values of each memory, the oldest first.
    histories: Vec<VecDeque<Bits>>,
    /// Cycles since the start, or since the last reset.
    n_cycles: u64,
    /// Cycles in which the left side was true and whose right side is still pending.
    waiting: VecDeque<u64>,
    n_asked: u64,
}

impl Monitor {
    pub(super) fn new(
        disabled: Option<Term>,
        (left, window, right): (Option<Term>, Window, Term),
        memories: Vec<Memory>,
        (values, words): (Vec<(usize, String)>, Vec<Word>),
        depth: u64,
    ) -> Self {
        let histories = memories.iter().map(|_| VecDeque::new()).collect();
        Self {
            disabled,
            left,
            window,
            right,
            memories,
            values,
            words,
            depth,
            histories,
            n_cycles: 0,
            waiting: VecDeque::new(),
            n_asked: 0,
        }
    }

    /// Returns the numbers of the ports and signals that it reads.
    pub fn values(&self) -> impl Iterator<Item = usize> {
        self.values.iter().map(|(number, _)| *number)
    }

    /// Returns whether it reads words of memories.
    pub fn reads_memories(&self) -> bool {
        !self.words.is_empty()
    }

    /// Returns the values that it reads in a cycle, with their names.
    pub fn read(&self, now: &dyn Values) -> Vec<(String, Bits)> {
        let values = self.values.iter();
        let values = values.map(|(number, name)| (name.clone(), now.value(*number)));
        let words = self.words.iter().map(|word| {
            let indices = self.indices(word, now);
            let indices = indices.map(|(index, _)| format!("[{}]", index.to_signed_string()));
            let name = word.name.clone() + &indices.collect::<String>();
            (name, self.word(word, now))
        });
        let mut found: Vec<(String, Bits)> = values.collect();
        for word in words {
            if !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }

    /// Returns the number of cycles, since it was created, in which the left side was true; without a left side, of all checked
    /// cycles.
    pub fn n_asked(&self) -> u64 {
        self.n_asked
    }

    /// Returns how many past cycles must exist before a cycle is checked.
    pub fn depth_cycles(&self) -> u64 {
        self.depth
    }

    /// Clears the past values and the pending checks.
    pub fn restart(&mut self) {
        self.histories.iter_mut().for_each(VecDeque::clear);
        self.waiting.clear();
        self.n_cycles = 0;
    }

    /// Checks the next cycle, whose number is `cycle`, with these values; [`Monitor::advance`] ends the cycle.
    pub fn look(&mut self, cycle: u64, now: &dyn Values) -> Verdict {
        match self.n_cycles >= self.depth {
            true => self.judge(cycle, now),
            false => Verdict::Holds,
        }
    }

    /// Ends the cycle: its values become past values.
    pub fn advance(&mut self, now: &dyn Values) {
        let held: Vec<Bits> = self
            .memories
            .iter()
            .map(|memory| self.value(&memory.of, now))
            .collect();
        for ((memory, history), value) in self.memories.iter().zip(&mut self.histories).zip(held) {
            history.push_back(value);
            if history.len() as u64 > memory.cycles {
                history.pop_front();
            }
        }
        self.n_cycles += 1;
    }

    /// Checks, at the end of the run, that no check with an unbounded window is still pending.
    pub fn end(&self) -> Verdict {
        match (self.window.last, self.waiting.front()) {
            (None, Some(since)) => Verdict::Broken { since: *since },
            _ => Verdict::Holds,
        }
    }

    fn judge(&mut self, cycle: u64, now: &dyn Values) -> Verdict {
        let disabled = self.disabled.as_ref();
        if disabled.is_some_and(|when| !self.value(when, now).is_zero()) {
            self.waiting.clear();
            return Verdict::Holds;
        }
        let left = self.left.as_ref();
        if left.is_none_or(|left| !self.value(left, now).is_zero()) {
            self.n_asked += 1;
            self.waiting.push_back(cycle);
        }
        let Window { first, last } = self.window;
        let has_begun = |asked: &u64| asked + first <= cycle;
        let Some(since) = self.waiting.front().copied().filter(has_begun) else {
            return Verdict::Holds;
        };
        if !self.value(&self.right, now).is_zero() {
            while self.waiting.front().is_some_and(has_begun) {
                self.waiting.pop_front();
            }
            return Verdict::Holds;
        }
        // Without an upper limit, all checks whose window has begun are satisfied by the same cycle, so the oldest is enough.
        while last.is_none() && self.waiting.get(1).is_some_and(has_begun) {
            self.waiting.remove(1);
        }
        match last.is_some_and(|last| since + last <= cycle) {
            true => {
                self.waiting.pop_front();
                Verdict::Broken { since }
            }
            false => Verdict::Holds,
        }
    }

    fn value(&self, term: &Term, now: &dyn Values) -> Bits {
        let width = term.width;
        match &term.form {
            Computed::Value(number) => now.value(*number).zext(width),
            Computed::Word(word) => self.word(word, now).zext(width),
            Computed::Constant(value) => value.clone(),
            Computed::Past(memory) => {
                let held = self.histories[*memory].front();
                held.cloned().unwrap_or_else(|| Bits::zero(width))
            }
            Computed::Unary(unary, of) => unary_of(*unary, &self.value(of, now), width),
            Computed::Binary(binary, left, right) => {
                self.binary(*binary, (left, right), now, width)
            }
            Computed::Choice(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let chosen = match self.value(condition, now).is_zero() {
                    true => no,
                    false => yes,
                };
                self.value(chosen, now).sext(width)
            }
            Computed::Slice(of, low) => self.value(of, now).extract(*low, width - 1).zext(width),
            Computed::Concat(parts) => {
                let bits = parts.iter().map(|part| {
                    let value = self.value(part, now);
                    value.trunc(part.width - 1)
                });
                let whole = bits.reduce(|high, low| Bits::concat(&high, &low));
                whole.unwrap_or_else(|| Bits::zero(0)).zext(width)
            }
            Computed::Repeat(times, of) => {
                let bits = self.value(of, now).trunc(of.width - 1);
                bits.replicate(*times).zext(width)
            }
        }
    }

    /// Returns the indices of a word, each with the size of its dimension.
    fn indices<'a>(
        &'a self,
        word: &'a Word,
        now: &'a dyn Values,
    ) -> impl Iterator<Item = (Bits, u64)> + 'a {
        let indices = word.indices.iter();
        indices.map(|(index, size)| (self.value(index, now), *size))
    }

    /// Returns a word of a memory; 0 where an index is outside.
    fn word(&self, word: &Word, now: &dyn Values) -> Bits {
        let mut number = 0;
        for (index, size) in self.indices(word, now) {
            let index = match index.sign_bit() {
                true => None,
                false => index.to_u64().filter(|index| *index < size),
            };
            let Some(index) = index else {
                return Bits::zero(word.width_bits);
            };
            number = number * size + index;
        }
        now.word(word.memory, number)
    }

    fn binary(
        &self,
        binary: Binary,
        (left, right): (&Term, &Term),
        now: &dyn Values,
        width: u32,
    ) -> Bits {
        let truth = |value: bool| Bits::from_u64(width, u64::from(value));
        let l = self.value(left, now);
        // The right side is not computed where the left side decides the result.
        match binary {
            Binary::Implies if l.is_zero() => return truth(true),
            Binary::LogicAnd if l.is_zero() => return truth(false),
            Binary::LogicOr if !l.is_zero() => return truth(true),
            _ => {}
        }
        let r = self.value(right, now);
        let common = left.width.max(right.width);
        let order = || l.sext(common).scmp(&r.sext(common));
        let both = || (l.sext(width), r.sext(width));
        match binary {
            Binary::Implies | Binary::LogicAnd | Binary::LogicOr => truth(!r.is_zero()),
            Binary::Equal => truth(order().is_eq()),
            Binary::Unequal => truth(order().is_ne()),
            Binary::Less => truth(order().is_lt()),
            Binary::LessOrEqual => truth(order().is_le()),
            Binary::Greater => truth(order().is_gt()),
            Binary::GreaterOrEqual => truth(order().is_ge()),
            Binary::Or => {
                let (l, r) = both();
                l.or(&r)
            }
            Binary::Xor => {
                let (l, r) = both();
                l.xor(&r)
            }
            Binary::And => {
                let (l, r) = both();
                l.and(&r)
            }
            Binary::Add => {
                let (l, r) = both();
                l.add(&r)
            }
            Binary::Subtract => {
                let (l, r) = both();
                l.sub(&r)
            }
            Binary::Multiply => {
                let (l, r) = both();
                l.mul(&r)
            }
            Binary::Divide | Binary::Remainder => {
                let wide = common.max(width);
                let (x, y) = (l.sext(wide), r.sext(wide));
                let by_zero = || match binary {
                    Binary::Divide => Bits::zero(wide),
                    _ => x.clone(),
                };
                let found = match binary {
                    Binary::Divide => x.sdiv(&y),
                    _ => x.srem(&y),
                };
                found.unwrap_or_else(by_zero).trunc(width)
            }
            Binary::ShiftLeft => l.sext(width).shl_by(amount(&r)),
            Binary::ShiftRight => l.ashr_by(amount(&r)),
        }
    }
}

/// Values for terms that read no ports and no memories.
struct Nothing;

impl Values for Nothing {
    fn value(&self, _: usize) -> Bits {
        Bits::zero(0)
    }

    fn word(&self, _: usize, _: u64) -> Bits {
        Bits::zero(0)
    }
}

/// Evaluates a term that reads no signals and is therefore the same in every cycle; `None` for other terms.
pub(super) fn constant(term: &Term) -> Option<Bits> {
    let now = Window {
        first: 0,
        last: Some(0),
    };
    is_closed(term).then(|| {
        let monitor = Monitor::new(
            None,
            (None, now, term.clone()),
            Vec::new(),
            (Vec::new(), Vec::new()),
            0,
        );
        monitor.value(term, &Nothing)
    })
}

fn is_closed(term: &Term) -> bool {
    match &term.form {
        Computed::Constant(_) => true,
        Computed::Value(_) | Computed::Word(_) | Computed::Past(_) => false,
        Computed::Unary(_, of) | Computed::Slice(of, _) | Computed::Repeat(_, of) => is_closed(of),
        Computed::Binary(_, left, right) => is_closed(left) && is_closed(right),
        Computed::Choice(parts) => parts.iter().all(is_closed),
        Computed::Concat(parts) => parts.iter().all(is_closed),
    }
}

fn amount(value: &Bits) -> u32 {
    u32::try_from(value.low_u64()).unwrap_or(u32::MAX)
}

fn unary_of(unary: Unary, of: &Bits, width: u32) -> Bits {
    let truth = |value: bool| Bits::from_u64(width, u64::from(value));
    match unary {
        Unary::Not => truth(of.is_zero()),
        Unary::Complement => of.trunc(width - 1).not().zext(width),
        Unary::Minus => of.sext(width).neg(),
        Unary::Signed => of.trunc(width),
        Unary::OneHot => truth(of.count_ones() == 1),
        Unary::OneHotOrZero => truth(of.count_ones() <= 1),
        Unary::All => truth(of.trunc(of.width() - 1).is_all_ones()),
        Unary::Any => truth(!of.is_zero()),
        Unary::Odd => truth(of.count_ones() % 2 == 1),
        Unary::CountOnes => Bits::from_u64(width, u64::from(of.count_ones())),
    }
}
