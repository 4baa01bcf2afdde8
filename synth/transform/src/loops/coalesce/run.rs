//! What running the steps of a nest told.

use std::collections::BTreeMap;

use sluice_ir::{OperationId, ValueId};

use super::nest::{GroupIndex, VariableIndex};

/// What a counter was seen to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterFacts {
    pub(super) least: i64,
    pub(super) greatest: i64,
    pub(super) entries: u64,
    pub(super) empty_entries: u64,
    /// The last value of each entry, if it is the same for all.
    pub(super) last: Option<i64>,
    /// Whether no entry has more than one iteration.
    pub(super) always_one: bool,
    /// Fewest iterations of an entry that has some, idle ones included.
    pub(super) fewest: u64,
    /// Whether there are idle iterations.
    pub(super) idles: bool,
}

/// What a run of all steps told.
pub(super) struct Run {
    /// Steps of all entries.
    pub(super) steps: u64,
    /// The counters around that bounds depend on.
    pub(super) around: Vec<ValueId>,
    /// How many steps there are for each of their values. One entry if there are none.
    pub(super) entries: Vec<(Vec<i64>, u64)>,
    /// Steps in which nothing runs that the source asks for.
    pub(super) idle_steps: u64,
    pub(super) counters: Vec<CounterFacts>,
    /// Counters and the group of step 0. A counter that differs between entries is at its lower bound.
    pub(super) first_counters: Vec<Option<i64>>,
    pub(super) first_group: Option<GroupIndex>,
    /// Whether each loop is in its last iteration in step 0, if that is the same for all entries.
    pub(super) first_in_last: Vec<Option<bool>>,
    /// Whether the iteration of each loop in step 0 is none that only fills up, if that is the same for all entries.
    pub(super) first_works: Vec<Option<bool>>,
    /// Smallest number of steps from an access to one that may touch the same cell later, where one of them writes.
    pub(super) dependences: BTreeMap<(OperationId, OperationId), u64>,
    /// Stores of which every cell is written again before anything reads it.
    pub(super) dead_stores: Vec<OperationId>,
    /// Smallest number of steps between two divisions.
    pub(super) division_gap: u64,
    /// Smallest number of steps, at least 1, from the step in which a group assigns a variable to one in which another reads it.
    pub(super) recalls: BTreeMap<Recall, u64>,
}

/// A variable that lives from a step to a later one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Recall {
    pub(super) reader: GroupIndex,
    pub(super) variable: VariableIndex,
    /// The group that assigned it last.
    pub(super) writer: GroupIndex,
}

impl Run {
    /// The writers of a variable that a group reads, with the smallest number of steps between.
    pub(super) fn recalls_of(
        &self,
        reader: GroupIndex,
        variable: VariableIndex,
    ) -> impl Iterator<Item = (GroupIndex, u64)> + '_ {
        let of = |writer| Recall {
            reader,
            variable,
            writer,
        };
        let all = self.recalls.range(of(0)..=of(GroupIndex::MAX));
        all.map(|(recall, distance)| (recall.writer, *distance))
    }
}
