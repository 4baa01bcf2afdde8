//! Results of simulating the steps of a nest.

use std::collections::BTreeMap;

use sluice_ir::{OperationId, ValueId};

use super::nest::{GroupIndex, VariableIndex};

/// Observed facts about a counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterFacts {
    pub(super) least: i64,
    pub(super) greatest: i64,
    pub(super) entries: u64,
    pub(super) empty_entries: u64,
    /// The last value in each entry, if it is the same in all.
    pub(super) last: Option<i64>,
    /// True if no entry has more than one iteration.
    pub(super) always_one: bool,
    /// Minimum number of iterations of a non-empty entry, including padding iterations.
    pub(super) fewest: u64,
    /// True if there are padding iterations.
    pub(super) idles: bool,
}

/// The results of the simulation of all steps.
pub(super) struct Run {
    /// Number of steps of all entries of the nest.
    pub(super) steps: u64,
    /// The outer counters that bounds depend on.
    pub(super) around: Vec<ValueId>,
    /// The number of steps for each combination of their values; a single entry if there are no such counters.
    pub(super) entries: Vec<(Vec<i64>, u64)>,
    /// Number of steps without an operation of the source.
    pub(super) idle_steps: u64,
    pub(super) counters: Vec<CounterFacts>,
    /// The counter values in step 0. A counter that differs between entries is at its lower bound.
    pub(super) first_counters: Vec<Option<i64>>,
    pub(super) first_group: Option<GroupIndex>,
    /// True if each loop is in its last iteration in step 0, if that is the same in all entries.
    pub(super) first_in_last: Vec<Option<bool>>,
    /// True if each loop is in a proper iteration, not a padding one, in step 0, if that is the same in all entries.
    pub(super) first_works: Vec<Option<bool>>,
    /// Minimum number of steps from an access to a later one that may touch the same word, if one of them writes.
    pub(super) dependences: BTreeMap<(OperationId, OperationId), u64>,
    /// Stores whose words are all overwritten before they are read.
    pub(super) dead_stores: Vec<OperationId>,
    /// Minimum number of steps between two divisions.
    pub(super) division_gap: u64,
    /// Minimum number of steps, at least 1, from the assignment of a variable in one group to its read in another.
    pub(super) recalls: BTreeMap<Recall, u64>,
}

/// A dependence through a variable from one step to a later one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Recall {
    pub(super) reader: GroupIndex,
    pub(super) variable: VariableIndex,
    /// The group that assigned the variable last.
    pub(super) writer: GroupIndex,
}

impl Run {
    /// Returns the groups that assign a variable that a group reads, with the minimum number of steps between.
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
