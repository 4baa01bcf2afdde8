//! Scheduling of the steps of a cycle: each store comes right after the last read of the old value, and words that only a
//! conditional store needs are computed under its condition.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Node, Word};
use crate::program::{Program, Update};
use crate::rows::{Part, Row, by_slot};

/// One step of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Computes a word.
    Compute(Word),
    /// Runs a call; its results are separate words.
    Call(u32),
    /// Stores a word in a slot.
    Store(u32, Word),
    /// Stores a word in a slot if another word is not 0: slot, condition, word.
    StoreWhere(u32, Word, Word),
    /// Replaces a word of an array.
    Write {
        /// Number of the array.
        array: u32,
        /// The index of the word.
        index: Word,
        /// Its limbs.
        limbs: Vec<Word>,
    },
    /// Skips this many steps if the word is 0.
    SkipUnless(Word, usize),
    /// Stores the words of the row with this number in its slots; only if rows are given.
    Row(usize),
}

#[cfg_attr(
    not(feature = "native"),
    allow(dead_code, reason = "machine code asks for it")
)]
impl Step {
    /// Calls `each` with the words that a step reads.
    pub(crate) fn for_words(&self, graph: &Graph, rows: &[Row], mut each: impl FnMut(Word)) {
        match self {
            Self::Compute(word) => {
                if !matches!(graph.node(*word), Node::Result { .. }) {
                    graph.for_operands(*word, each);
                }
            }
            Self::Call(call) => graph.calls[*call as usize]
                .operands
                .iter()
                .copied()
                .for_each(each),
            Self::Row(row) => rows[*row].words().for_each(each),
            Self::Store(_, word) | Self::SkipUnless(word, _) => each(*word),
            Self::StoreWhere(_, condition, word) => {
                each(*condition);
                each(*word);
            }
            Self::Write { index, limbs, .. } => {
                each(*index);
                limbs.iter().copied().for_each(each);
            }
        }
    }
}

/// Returns the number of reads of each word.
#[cfg_attr(
    not(feature = "native"),
    allow(dead_code, reason = "machine code asks for it")
)]
pub(crate) fn n_readers(graph: &Graph, steps: &[Step], rows: &[Row]) -> Vec<u32> {
    let mut n_readers = vec![0; graph.len()];
    for step in steps {
        step.for_words(graph, rows, |word| n_readers[word.at()] += 1);
    }
    n_readers
}

/// The requested parts of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The outputs.
    pub outputs: bool,
    /// Stores and writes.
    pub updates: bool,
}

/// The fewest operators and stores for which a branch pays off.
const WORTH_A_BRANCH: usize = 3;

/// The groups that need a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    /// Only the group with this number.
    Group(u32),
    Everybody,
}

impl Owner {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nobody, one) | (one, Self::Nobody) => one,
            (one, same) if one == same => one,
            _ => Self::Everybody,
        }
    }
}

struct Planner<'a> {
    graph: &'a Graph,
    steps: Vec<Step>,
    /// Words that have been computed for all later steps.
    is_done: Vec<bool>,
    is_called: Vec<bool>,
    owner: Vec<Owner>,
    /// The words that read each word, among those that are needed.
    readers: Vec<Vec<Word>>,
    /// The word of each slot.
    slot_words: FxHashMap<u32, Word>,
    /// For each word, the groups that store it or use it as a condition.
    sinks: FxHashMap<Word, Vec<u32>>,
    /// Whether the stores of a group have been emitted.
    is_past: Vec<bool>,
    rows: &'a [Row],
    /// Slots that have been stored to.
    stored: FxHashSet<u32>,
}

/// Returns the steps of a cycle, without rows.
pub(crate) fn plan(program: &Program, parts: Parts) -> Vec<Step> {
    plan_rows(program, parts, &[])
}

/// Returns the steps of a cycle; each of the given rows is one step.
pub(crate) fn plan_rows(program: &Program, parts: Parts, rows: &[Row]) -> Vec<Step> {
    let mut groups: Vec<Update> = Vec::new();
    let mut by_condition: FxHashMap<Word, usize> = FxHashMap::default();
    if parts.updates {
        let row_of = by_slot(rows);
        let empty = Update {
            when: None,
            stores: Vec::new(),
        };
        // A row is the group with the same number.
        groups.resize(rows.len(), empty);
        for update in &program.updates {
            let in_row = |slot: u32| row_of.get(&slot).copied();
            for (slot, word) in &update.stores {
                if let Some(row) = in_row(*slot) {
                    groups[row].stores.push((*slot, *word));
                }
            }
            let update = Update {
                when: update.when,
                stores: update
                    .stores
                    .iter()
                    .filter(|(slot, _)| in_row(*slot).is_none())
                    .copied()
                    .collect(),
            };
            if update.stores.is_empty() {
                continue;
            }
            match update.when {
                None => groups.extend(update.stores.iter().map(|store| Update {
                    when: None,
                    stores: vec![*store],
                })),
                Some(when) => {
                    let at = *by_condition.entry(when).or_insert(groups.len());
                    if at == groups.len() {
                        groups.push(Update {
                            when: Some(when),
                            stores: Vec::new(),
                        });
                    }
                    groups[at].stores.extend(&update.stores);
                }
            }
        }
    }
    let mut planner = Planner::new(program, parts, &groups, rows);
    if parts.outputs {
        for (slot, word) in &program.outputs {
            planner.need(*word, None);
            planner.steps.push(Step::Store(*slot, *word));
        }
    }
    if parts.updates {
        // Writes to arrays come last: no array is read after them.
        for write in &program.writes {
            for word in [write.when, write.index].iter().chain(&write.limbs) {
                planner.need(*word, None);
            }
        }
        planner.groups(&groups);
        for write in &program.writes {
            planner.steps.push(Step::SkipUnless(write.when, 1));
            planner.steps.push(Step::Write {
                array: write.array,
                index: write.index,
                limbs: write.limbs.clone(),
            });
        }
    }
    planner.steps
}

impl<'a> Planner<'a> {
    fn new(program: &'a Program, parts: Parts, groups: &[Update], rows: &'a [Row]) -> Self {
        let graph = &program.graph;
        let n = graph.len();
        let mut owner = vec![Owner::Nobody; n];
        let mut sinks: FxHashMap<Word, Vec<u32>> = FxHashMap::default();
        let number = |group: usize| u32::try_from(group).expect("fewer than 2^32 groups");
        for (group, unit) in groups.iter().enumerate() {
            let own = match unit.when {
                Some(_) => Owner::Group(number(group)),
                None => Owner::Everybody,
            };
            for (_, word) in &unit.stores {
                owner[word.at()] = owner[word.at()].and(own);
                sinks.entry(*word).or_default().push(number(group));
            }
            if let Some(when) = unit.when {
                owner[when.at()] = Owner::Everybody;
                sinks.entry(when).or_default().push(number(group));
            }
        }
        for (group, row) in rows.iter().enumerate().filter(|_| parts.updates) {
            for word in row.words() {
                owner[word.at()] = Owner::Everybody;
                sinks.entry(word).or_default().push(number(group));
            }
        }
        if parts.outputs {
            for (_, word) in &program.outputs {
                owner[word.at()] = Owner::Everybody;
            }
        }
        if parts.updates {
            for write in &program.writes {
                for word in [write.when, write.index].iter().chain(&write.limbs) {
                    owner[word.at()] = Owner::Everybody;
                }
            }
        }
        let mut readers = vec![Vec::new(); n];
        let mut slot_words = FxHashMap::default();
        for word in graph.words().rev() {
            let own = owner[word.at()];
            if own == Owner::Nobody {
                continue;
            }
            if let Node::Slot(slot) = graph.node(word) {
                slot_words.insert(slot, word);
            }
            // A call computes all of its results at once.
            let own = match graph.node(word) {
                Node::Result { .. } => Owner::Everybody,
                _ => own,
            };
            owner[word.at()] = own;
            graph.for_operands(word, |operand| {
                owner[operand.at()] = owner[operand.at()].and(own);
                readers[operand.at()].push(word);
            });
        }
        Self {
            graph,
            steps: Vec::new(),
            is_done: vec![false; n],
            is_called: vec![false; graph.calls.len()],
            owner,
            readers,
            slot_words,
            sinks,
            is_past: vec![false; groups.len()],
            rows,
            stored: FxHashSet::default(),
        }
    }

    /// Emits the steps that compute a word and everything it needs. Under the condition of a group, everything that other groups
    /// need too has been computed already.
    fn need(&mut self, word: Word, group: Option<u32>) {
        let mut stack = vec![word];
        while let Some(top) = stack.last().copied() {
            if self.is_done[top.at()] {
                stack.pop();
                continue;
            }
            let before = stack.len();
            // The last operand is pushed first, so the word that is needed first is computed last.
            self.graph.for_operands(top, |operand| {
                let is_mine = match group {
                    Some(group) => self.owner[operand.at()] == Owner::Group(group),
                    None => true,
                };
                debug_assert!(is_mine || self.is_done[operand.at()] || self.is_leaf(operand));
                if !self.is_done[operand.at()] {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if let Node::Result { call, .. } = self.graph.node(top)
                && !std::mem::replace(&mut self.is_called[call as usize], true)
            {
                self.steps.push(Step::Call(call));
            }
            self.is_done[top.at()] = true;
            self.steps.push(Step::Compute(top));
        }
    }

    fn is_leaf(&self, word: Word) -> bool {
        matches!(self.graph.node(word), Node::Slot(_) | Node::Constant(_))
    }

    /// Emits all groups; readers of a slot come before the groups that store to it, unless they form a cycle.
    fn groups(&mut self, groups: &[Update]) {
        let before = |planner: &Self, group: usize| planner.readers_of(&groups[group]);
        in_order(self, groups.len(), before, |planner, group| {
            let number = u32::try_from(group).expect("fewer than 2^32 groups");
            match planner.rows.get(group) {
                Some(row) => planner.row(number, row, &groups[group]),
                None => planner.group(number, &groups[group]),
            }
            let slots = groups[group].stores.iter().map(|(slot, _)| *slot);
            planner.stored.extend(slots);
        });
    }

    /// Returns the groups that still need the old value of a slot that this group stores to.
    fn readers_of(&self, unit: &Update) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let slots = unit.stores.iter();
        let mut stack: Vec<Word> = slots
            .filter_map(|(slot, _)| self.slot_words.get(slot).copied())
            .collect();
        while let Some(word) = stack.pop() {
            if !seen.insert(word) || (self.is_done[word.at()] && !self.is_leaf(word)) {
                continue;
            }
            let groups = self.sinks.get(&word).into_iter().flatten();
            found.extend(groups.map(|group| *group as usize));
            stack.extend(&self.readers[word.at()]);
        }
        found.sort_unstable();
        found.dedup();
        found.reverse();
        found
    }

    /// Emits a row, if none of the slots it reads has been stored to yet.
    fn row(&mut self, number: u32, row: &Row, unit: &Update) {
        if row.read().any(|slot| self.stored.contains(&slot)) {
            // If groups read each other's slots in a cycle, the old values must be saved, so the words are stored one by one.
            self.group(number, &scattered(row, unit));
            return;
        }
        for word in row.words() {
            self.need(word, None);
        }
        self.take_replaced(number, unit);
        self.steps.push(Step::Row(number as usize));
        self.is_past[number as usize] = true;
    }

    /// Emits one group: first the shared words, then, under the condition, the words that only this group needs, and its stores.
    fn group(&mut self, number: u32, unit: &Update) {
        if let Some(when) = unit.when {
            self.need(when, None);
        }
        let own = Owner::Group(number);
        // The shared words that it needs, and the number of operators that only this group needs.
        let (mut shared, mut alone) = (Vec::new(), 0);
        let mut seen = FxHashSet::default();
        let mut stack: Vec<Word> = unit.stores.iter().map(|(_, word)| *word).collect();
        while let Some(word) = stack.pop() {
            if !seen.insert(word) {
                continue;
            }
            if self.owner[word.at()] == own {
                if !self.is_leaf(word) {
                    alone += 1;
                }
                self.graph.for_operands(word, |operand| stack.push(operand));
            } else {
                shared.push(word);
            }
        }
        let has_branch = unit.when.is_some() && alone + unit.stores.len() >= WORTH_A_BRANCH;
        shared.sort_unstable();
        for word in shared {
            self.need(word, None);
        }
        self.take_replaced(number, unit);
        let start = self.steps.len();
        match unit.when {
            Some(when) if has_branch => {
                self.steps.push(Step::SkipUnless(when, 0));
                self.stores(Some(number), None, unit);
                let inside = self.steps.len() - start - 1;
                self.steps[start] = Step::SkipUnless(when, inside);
            }
            when => self.stores(None, when, unit),
        }
        self.is_past[number as usize] = true;
    }

    /// Reads the old values of the slots that are needed later.
    fn take_replaced(&mut self, number: u32, unit: &Update) {
        for (slot, _) in &unit.stores {
            if let Some(word) = self.slot_words.get(slot).copied()
                && !self.is_done[word.at()]
                && self.is_read_later(word, number)
            {
                self.need(word, None);
            }
        }
    }

    /// Returns whether a word still has a read outside of a group.
    fn is_read_later(&self, word: Word, group: u32) -> bool {
        let is_open = |other: u32| other != group && !self.is_past[other as usize];
        let is_stored = self
            .sinks
            .get(&word)
            .is_some_and(|groups| groups.iter().any(|group| is_open(*group)));
        let is_read = |reader: &Word| {
            !self.is_done[reader.at()]
                && match self.owner[reader.at()] {
                    Owner::Group(owner) => is_open(owner),
                    Owner::Nobody | Owner::Everybody => true,
                }
        };
        is_stored || self.readers[word.at()].iter().any(is_read)
    }

    /// Emits the stores of a group in an order in which each slot is stored after the words of the group that read it.
    ///
    /// With a group, the stores are inside its branch; with a condition, each of them is a conditional store.
    fn stores(&mut self, group: Option<u32>, when: Option<Word>, unit: &Update) {
        let waiting = &unit.stores;
        let place: FxHashMap<u32, usize> = waiting
            .iter()
            .enumerate()
            .map(|(i, (slot, _))| (*slot, i))
            .collect();
        // Stores whose words read a slot of the group come before the store to that slot.
        let mut reads: Vec<Vec<usize>> = vec![Vec::new(); waiting.len()];
        if waiting.len() > 1 {
            for (i, (_, word)) in waiting.iter().enumerate() {
                let mut seen = FxHashSet::default();
                let mut stack = vec![*word];
                while let Some(word) = stack.pop() {
                    if !seen.insert(word) || (self.is_done[word.at()] && !self.is_leaf(word)) {
                        continue;
                    }
                    if let Node::Slot(slot) = self.graph.node(word)
                        && let Some(at) = place.get(&slot)
                        && *at != i
                    {
                        reads[*at].push(i);
                    }
                    self.graph.for_operands(word, |operand| stack.push(operand));
                }
            }
        }
        let mut order = Vec::new();
        let before = |_: &Vec<usize>, i: usize| reads[i].clone();
        in_order(&mut order, waiting.len(), before, |order, i| order.push(i));
        let mut is_stored = vec![false; waiting.len()];
        let mut done_inside: Vec<Word> = Vec::new();
        for i in order {
            let (slot, word) = waiting[i];
            let from = self.steps.len();
            self.need(word, group);
            // If another store of the group still reads the slot, its old value is read first.
            if let Some(old) = self.slot_words.get(&slot).copied()
                && !self.is_done[old.at()]
                && reads[i].iter().any(|reader| !is_stored[*reader])
            {
                self.need(old, group);
            }
            done_inside.extend(self.steps[from..].iter().filter_map(|step| match step {
                Step::Compute(word) => Some(*word),
                _ => None,
            }));
            self.steps.push(match when {
                Some(when) => Step::StoreWhere(slot, when, word),
                None => Step::Store(slot, word),
            });
            is_stored[i] = true;
        }
        // Words computed under a condition are not available after the branch.
        if group.is_some() {
            for word in done_inside {
                self.is_done[word.at()] = false;
            }
        }
    }
}

/// Returns the group of a row whose words are stored one by one.
fn scattered(row: &Row, unit: &Update) -> Update {
    let mut conditions = row.parts.iter().filter_map(|part| match part {
        Part::Choose(when, ..) => Some(*when),
        _ => None,
    });
    Update {
        when: conditions.next_back(),
        stores: unit.stores.clone(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Not,
    Open,
    Done,
}

/// Calls `each` for `n` items in depth-first order, so that the items that `before` returns come first unless they form a cycle.
fn in_order<C>(
    context: &mut C,
    n: usize,
    before: impl Fn(&C, usize) -> Vec<usize>,
    mut each: impl FnMut(&mut C, usize),
) {
    let mut state = vec![Visit::Not; n];
    for first in 0..n {
        let mut stack = vec![first];
        while let Some(top) = stack.last().copied() {
            match state[top] {
                Visit::Not => {
                    state[top] = Visit::Open;
                    let earlier = before(context, top).into_iter();
                    stack.extend(earlier.filter(|other| state[*other] == Visit::Not));
                }
                Visit::Open => {
                    state[top] = Visit::Done;
                    stack.pop();
                    each(context, top);
                }
                Visit::Done => {
                    stack.pop();
                }
            }
        }
    }
}
