//! The places of values that structured control flow passes on: they are kept or removed together.

use std::collections::BTreeSet;

use sluice_dialects::{affine, scf};
use sluice_ir::definition::RegionPoint;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueId, View};

use super::{remove_operands, without_results};

/// A place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// An operand of the operation.
    Operand(usize),
    /// An operand of the terminator of a region.
    Passed(usize, usize),
    /// An argument of a region.
    Argument(usize, usize),
    /// A result.
    Result(usize),
}

/// The places of values of an operation, in groups that are kept or removed together.
pub(super) struct Slots {
    op: OperationId,
    regions: Vec<(BlockId, OperationId)>,
    /// Places whose values are not passed on.
    fixed: Vec<Slot>,
    groups: Vec<BTreeSet<Slot>>,
}

impl Slots {
    /// Returns the places of a loop or conditional whose values may be removed; `None` for other operations.
    pub(super) fn of(view: View<'_>) -> Option<Self> {
        let is_known = matches!(
            view.name(),
            scf::For::NAME
                | scf::If::NAME
                | scf::While::NAME
                | scf::ExecuteRegion::NAME
                | scf::IndexSwitch::NAME
                | affine::For::NAME
                | affine::If::NAME
        );
        let flow = view.definition()?.region_flow.filter(|_| is_known)?;
        let body = view.body;
        let mut regions = Vec::new();
        for region in view.regions() {
            match body.blocks(*region) {
                [block] => regions.push((*block, body.last_operation(*block)?)),
                // An absent `else`.
                [] => {}
                _ => return None,
            }
        }
        let mut slots = Self {
            op: view.id,
            regions,
            fixed: Vec::new(),
            groups: Vec::new(),
        };
        let mut passed = BTreeSet::new();
        let mut tie = |slots: &mut Self, a: Slot, b: Slot| {
            passed.insert(a);
            slots.tie(a, b);
        };
        let n = slots.regions.len();
        let points = std::iter::once(None).chain((0..n).map(Some));
        for point in points {
            let (from, terminator) = match point {
                None => (RegionPoint::Parent, None),
                Some(region) => (
                    RegionPoint::Region(region),
                    Some(view.at(slots.regions[region].1)),
                ),
            };
            let n_operands = terminator.unwrap_or(view).operands().len();
            for edge in flow(view, from, terminator, &vec![None; n_operands]) {
                for i in 0..edge.n_operands {
                    let source = match point {
                        None => Slot::Operand(edge.first_operand + i),
                        Some(region) => Slot::Passed(region, edge.first_operand + i),
                    };
                    let input = match edge.to {
                        RegionPoint::Parent => Slot::Result(edge.first_input + i),
                        RegionPoint::Region(region) => Slot::Argument(region, edge.first_input + i),
                    };
                    tie(&mut slots, source, input);
                }
            }
        }
        // A loop has each carried value once in all of these places, also where no control flow passes it on.
        if matches!(view.name(), scf::For::NAME | affine::For::NAME) {
            let first = view.operands().len().checked_sub(view.results().len())?;
            for i in 0..view.results().len() {
                tie(&mut slots, Slot::Operand(first + i), Slot::Result(i));
                tie(&mut slots, Slot::Passed(0, i), Slot::Result(i));
                slots.tie(Slot::Argument(0, i + 1), Slot::Result(i));
            }
        }
        let operands = (0..view.operands().len()).map(Slot::Operand);
        slots
            .fixed
            .extend(operands.filter(|slot| !passed.contains(slot)));
        for region in 0..n {
            let last = slots.regions[region].1;
            let operands = (0..body.n_operands(last)).map(|i| Slot::Passed(region, i));
            slots
                .fixed
                .extend(operands.filter(|slot| !passed.contains(slot)));
        }
        Some(slots)
    }

    fn tie(&mut self, a: Slot, b: Slot) {
        let has = |group: &BTreeSet<Slot>| group.contains(&a) || group.contains(&b);
        let (mut tied, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.groups).into_iter().partition(has);
        self.groups = others;
        tied.push(BTreeSet::from([a, b]));
        self.groups.push(tied.into_iter().flatten().collect());
    }

    fn value(&self, body: &Body, slot: Slot) -> Option<ValueId> {
        match slot {
            Slot::Operand(i) => body.operands(self.op).nth(i),
            Slot::Passed(region, i) => body.operands(self.regions.get(region)?.1).nth(i),
            Slot::Argument(region, i) => {
                body.arguments(self.regions.get(region)?.0).get(i).copied()
            }
            Slot::Result(i) => body.results(self.op).get(i).copied(),
        }
    }

    fn is_live(&self, body: &Body, group: &BTreeSet<Slot>, live: &BTreeSet<ValueId>) -> bool {
        let mut inputs = group
            .iter()
            .filter(|slot| matches!(slot, Slot::Argument(..) | Slot::Result(_)));
        inputs.any(|slot| {
            let value = self.value(body, *slot);
            value.is_some_and(|value| live.contains(&value))
        })
    }

    /// Returns the values that the operation needs if it stays.
    pub(super) fn needed(&self, body: &Body, live: &BTreeSet<ValueId>) -> Vec<ValueId> {
        let groups = self.groups.iter();
        let kept = groups.filter(|group| self.is_live(body, group, live));
        let slots = kept.flatten().chain(&self.fixed);
        let sources = slots.filter(|slot| matches!(slot, Slot::Operand(_) | Slot::Passed(..)));
        sources.filter_map(|slot| self.value(body, *slot)).collect()
    }

    /// Returns the places that are not needed.
    pub(super) fn dead(&self, body: &Body, live: &BTreeSet<ValueId>) -> Vec<Slot> {
        let groups = self.groups.iter();
        let dead = groups.filter(|group| !self.is_live(body, group, live));
        dead.flatten().copied().collect()
    }

    /// Removes dead operands of the operation and of its terminators.
    pub(super) fn remove_operands(&self, context: &Context, body: &mut Body, dead: &[Slot]) {
        let own = dead.iter().filter_map(|slot| match slot {
            Slot::Operand(i) => Some(*i),
            _ => None,
        });
        let own: Vec<usize> = own.collect();
        if !own.is_empty() {
            remove_operands(context, body, self.op, 0, &own);
        }
        for (region, (_, last)) in self.regions.iter().enumerate() {
            let passed = dead.iter().filter_map(|slot| match slot {
                Slot::Passed(of, i) if *of == region => Some(*i),
                _ => None,
            });
            let passed: Vec<usize> = passed.collect();
            if !passed.is_empty() {
                remove_operands(context, body, *last, 0, &passed);
            }
        }
    }

    /// Removes dead arguments and results, which have no uses any more.
    pub(super) fn remove_inputs(&self, context: &Context, body: &mut Body, dead: &[Slot]) {
        let mut sorted: Vec<Slot> = dead.to_vec();
        sorted.sort_unstable();
        for slot in sorted.iter().rev() {
            if let Slot::Argument(region, i) = slot {
                body.remove_argument(self.regions[*region].0, *i);
            }
        }
        let results = sorted.iter().filter_map(|slot| match slot {
            Slot::Result(i) => Some(*i),
            _ => None,
        });
        let results: Vec<usize> = results.collect();
        if !results.is_empty() {
            without_results(context, body, self.op, &results);
        }
    }
}
