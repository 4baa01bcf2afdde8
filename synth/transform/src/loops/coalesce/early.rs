//! Moves copies between variables to the earliest point at which the old value is no longer read.
//!
//! A loop passes a value to its next iteration at the end of the iteration. If the value is available earlier, and no later group
//! reads the old value, an earlier group makes the copy. This increases the number of steps between the copy and its first use.

use sluice_ir::Body;

use super::nest::{Child, GroupIndex, LoopIndex, Nest, VariableIndex};

/// Moves every copy at the end of an iteration to the earliest possible group of its loop.
pub(super) fn copy_early(body: &Body, nest: &mut Nest) {
    for index in 0..nest.loops.len() {
        for at in (0..nest.loops[index].children.len()).rev() {
            let Child::Group(group) = nest.loops[index].children[at] else {
                continue;
            };
            for (to, value) in nest.groups[group].assignments.clone() {
                let copied = nest.copies(body, group).get(&to).copied();
                let is_read = nest.reads(body, group).contains(&to);
                let Some(from) = copied.filter(|_| !is_read) else {
                    continue;
                };
                let copy = Copy { to, from };
                if let Some(earlier) = copy.earliest(body, nest, index, at) {
                    let assignments = &mut nest.groups[group].assignments;
                    assignments.retain(|(known, _)| *known != to);
                    nest.groups[earlier].assignments.push((to, value));
                }
            }
        }
    }
}

/// A copy of one variable to another.
struct Copy {
    to: VariableIndex,
    from: VariableIndex,
}

impl Copy {
    /// Returns the first group before child `at` after which nothing reads the old value or assigns either variable.
    fn earliest(
        &self,
        body: &Body,
        nest: &Nest,
        index: LoopIndex,
        at: usize,
    ) -> Option<GroupIndex> {
        let mut found = None;
        for child in nest.loops[index].children[..at].iter().rev() {
            let group = match child {
                Child::Loop(inner) if self.is_touched_in(body, nest, *inner) => break,
                Child::Loop(_) => continue,
                Child::Group(group) => *group,
            };
            // Stops at a group that assigns the source: a copy there would extend the live range of an intermediate variable up
            // to the old place of the copy.
            if [self.to, self.from]
                .into_iter()
                .any(|variable| self.is_assigned(nest, group, variable))
            {
                break;
            }
            found = Some(group);
            if nest.reads(body, group).contains(&self.to) {
                break;
            }
        }
        found
    }

    fn is_assigned(&self, nest: &Nest, group: GroupIndex, variable: VariableIndex) -> bool {
        let mut assignments = nest.groups[group].assignments.iter();
        assignments.any(|(known, _)| *known == variable)
    }

    /// Returns whether anything in a loop reads the destination, or assigns the source or destination.
    fn is_touched_in(&self, body: &Body, nest: &Nest, index: LoopIndex) -> bool {
        nest.loops[index].children.iter().any(|child| match child {
            Child::Loop(inner) => self.is_touched_in(body, nest, *inner),
            Child::Group(group) => {
                self.is_assigned(nest, *group, self.to)
                    || self.is_assigned(nest, *group, self.from)
                    || nest.reads(body, *group).contains(&self.to)
            }
        })
    }
}
