//! Collects the memory accesses of the groups of a nest.

use std::collections::BTreeMap;

use sluice_dialects::{memref, synthesis_form::guarded_access};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::StepSimulator;
use crate::analysis::linear::is_invariant;
use crate::build::name;
use crate::loops::coalesce::expression::Expression;

/// One access of a group.
pub(super) struct Access {
    pub(super) op: OperationId,
    pub(super) memory: usize,
    pub(super) address: Option<Expression>,
    pub(super) writes: bool,
    /// True if the access is guarded.
    pub(super) guarded: bool,
    /// The condition of the guard, if it depends only on counters.
    pub(super) condition: Option<Expression>,
}

impl StepSimulator<'_> {
    /// Collects the accesses of all groups, with their addresses.
    pub(super) fn collect(
        &mut self,
        context: &Context,
        body: &Body,
        root: OperationId,
        positions: &BTreeMap<ValueId, usize>,
    ) {
        let mut memories: Vec<ValueId> = Vec::new();
        for group in &self.nest.groups {
            let mut here = Vec::new();
            for op in &group.ops {
                let view = View::new(context, body, *op);
                let inner = guarded_access(view);
                let access = inner.unwrap_or(*op);
                let (memory, index, writes) = match name(context, body, access) {
                    memref::Load::NAME => (0, 1, false),
                    memref::Store::NAME => (1, 2, true),
                    _ => continue,
                };
                let memory = body.operand(access, memory);
                debug_assert!(
                    is_invariant(body, root, memory),
                    "memories are made outside"
                );
                let number = memories.iter().position(|m| *m == memory);
                let number = number.unwrap_or_else(|| {
                    memories.push(memory);
                    self.of_memory.push((Vec::new(), false));
                    memories.len() - 1
                });
                let address = body.operand(access, index);
                let address = Expression::of(context, body, positions, address);
                let condition = inner
                    .and_then(|_| Expression::of(context, body, positions, body.operand(*op, 0)));
                let position = self.accesses.len();
                self.of_memory[number].0.push(position);
                self.of_memory[number].1 |= address.is_none();
                self.accesses.push(Access {
                    op: access,
                    memory: number,
                    address,
                    writes,
                    guarded: inner.is_some(),
                    condition,
                });
                self.last_run.push(None);
                here.push(position);
            }
            self.of_group.push(here);
        }
        // Accesses of a memory that is only read are not ordered.
        for (accesses, _) in &self.of_memory {
            if !accesses.iter().any(|a| self.accesses[*a].writes) {
                for group in &mut self.of_group {
                    group.retain(|a| !accesses.contains(a));
                }
            }
        }
    }
}

impl Access {
    /// Returns whether the access executes for these counters; `None` if unknown.
    pub(super) fn happens(&self, counters: &[i64]) -> Option<bool> {
        match &self.condition {
            Some(condition) => condition.evaluate(counters).map(|holds| holds != 0),
            None => (!self.guarded).then_some(true),
        }
    }
}
