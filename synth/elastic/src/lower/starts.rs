//! Finds constant initial values of loops that would let loads execute before the call begins.
//!
//! A constant initial value is always available. A load that waits for nothing else, neither the counter nor an order token,
//! would read a memory of the kernel before the call signals that its words are valid.

use std::collections::BTreeSet;

use sluice_dialects::memref;
use sluice_ir::{OperationId, ValueId, View};

use super::Lowering;
use super::memories::Holder;

impl<'a> Lowering<'a, '_> {
    /// Returns the indices of carried values of a counting loop that must wait for its start if they begin as constants:
    /// addresses of unordered loads of external memories depend on them, and not on the counter.
    pub(super) fn waiting_for_start(
        &self,
        view: View<'a>,
        counter: ValueId,
        carried: &[ValueId],
    ) -> BTreeSet<usize> {
        let mut inside: BTreeSet<OperationId> = self.source.walk(view.id).into_iter().collect();
        inside.remove(&view.id);
        let mut found = BTreeSet::new();
        for op in &inside {
            let load = self.view(*op);
            let is_early = load.name() == memref::Load::NAME
                && self.memories.get(&load.operand(0)).is_some_and(|memory| {
                    matches!(memory.holder, Holder::External(_)) && !memory.is_written
                });
            if !is_early {
                continue;
            }
            let address: Vec<ValueId> = load.operands().skip(1).collect();
            if self.sources(&inside, &address, false).contains(&counter) {
                continue;
            }
            let all = self.sources(&inside, &address, true);
            found.extend((0..carried.len()).filter(|i| all.contains(&carried[*i])));
        }
        found
    }

    /// Returns the values in a loop that others are computed from. Without regions, only values that are certainly needed; with
    /// regions, all that may be.
    fn sources(
        &self,
        inside: &BTreeSet<OperationId>,
        values: &[ValueId],
        with_regions: bool,
    ) -> BTreeSet<ValueId> {
        let mut found: BTreeSet<ValueId> = values.iter().copied().collect();
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            let op = self.source.defining_operation(value).or_else(|| {
                let block = self.source.defining_block(value)?;
                self.source.block_parent_operation(block)
            });
            let Some(op) = op.filter(|op| inside.contains(op)) else {
                continue;
            };
            let view = self.view(op);
            let has_regions = view.entry_block(0).is_some();
            if has_regions && !with_regions {
                continue;
            }
            let nested = match has_regions {
                true => self.source.walk(op),
                false => vec![op],
            };
            for op in nested.into_iter().chain([op]) {
                let operands = self.view(op).operands();
                open.extend(operands.filter(|operand| found.insert(*operand)));
            }
        }
        found
    }
}
