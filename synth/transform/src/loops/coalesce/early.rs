//! Copies of one variable to another, made as soon as nobody reads the old value any more.
//!
//! A loop hands its next iteration a value at its end. Where the value is there before, and what it replaces is not read behind some
//! group, that group copies it: more steps lie between the copy and its first use then.

use sluice_ir::Body;

use super::nest::{Child, GroupIndex, LoopIndex, Nest, VariableIndex};

/// Moves every copy at the end of an iteration to the earliest group of its loop that allows it.
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

/// An assignment of a variable to another.
struct Copy {
    to: VariableIndex,
    from: VariableIndex,
}

impl Copy {
    /// The first group of a loop in front of child `at` behind which nothing reads the old value or changes the new one.
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
            // Not where the new value is made: a variable in between lives through all the steps up to the copy.
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

    /// Whether anything in a loop reads the variable that is assigned, or assigns one of the two.
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
