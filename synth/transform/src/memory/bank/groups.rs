//! Finds accesses of an array that go to different banks in every iteration, although the bank of each is computed.
//!
//! The indices of such accesses differ by constants, and the remainders of these constants by the number of banks differ. So `x[i]`
//! and `x[i + 5]` never meet in one of four cyclic banks. As a group, they need one access per bank.
//!
//! Source: J. Cong, W. Jiang, B. Liu, Y. Zou, "Automatic memory partitioning and scheduling for throughput and power optimization",
//! TODAES 2011 (accesses without conflicts in cyclic banks).

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::memref;
use sluice_ir::{Attribute, BlockId, Body, Context, Name, OperationId, ValueId, View};

use super::Array;
use super::place::{Place, place_of};
use crate::analysis::linear::{Linear, linear};

/// Accesses of one block, all loads or all stores, whose banks differ in every iteration.
pub(super) struct Group {
    pub(super) is_load: bool,
    /// The member at whose place the group accesses the banks: the first load, or the last store.
    pub(super) position: OperationId,
    pub(super) members: Vec<Member>,
    /// For each split, the place of the least index.
    pub(super) places: Vec<Place>,
}

/// An access of a group.
pub(super) struct Member {
    pub(super) access: OperationId,
    /// For each split, the distance of the index from the least index of the group.
    pub(super) distances: Vec<u64>,
    /// Loads of the same element.
    pub(super) equal: Vec<OperationId>,
}

/// Returns the groups with at least two members.
pub(super) fn groups(context: &Context, body: &Body, array: &Array) -> Vec<Group> {
    if array.partition.splits.iter().any(|split| split.block != 1) {
        return Vec::new();
    }
    let users: BTreeSet<OperationId> = body.uses(array.value).map(|(user, _)| user).collect();
    let blocks: BTreeSet<BlockId> = users
        .iter()
        .filter_map(|op| body.parent_block(*op))
        .collect();
    let mut found = Vec::new();
    for block in blocks {
        let search = Search {
            context,
            body,
            array,
            users: &users,
            loads: Vec::new(),
            stores: None,
            found: Vec::new(),
        };
        found.extend(search.of_block(block));
    }
    found
}

/// Everything about an access that is equal in all members of a group.
#[derive(PartialEq, Eq)]
struct Form {
    attributes: Vec<(Name, Attribute)>,
    /// Indices of the dimensions that are not split.
    whole: Vec<Linear>,
    /// For each split, the terms of the index.
    terms: Vec<BTreeMap<ValueId, i64>>,
}

/// A group that can still grow: its members with the constants of their indices.
struct Open {
    form: Form,
    members: Vec<(OperationId, Vec<i64>, Vec<OperationId>)>,
}

struct Search<'a> {
    context: &'a Context,
    body: &'a Body,
    array: &'a Array,
    users: &'a BTreeSet<OperationId>,
    /// Groups of loads without a store since their first member.
    loads: Vec<Open>,
    /// The group of stores without another access since its first member.
    stores: Option<Open>,
    found: Vec<Group>,
}

impl Search<'_> {
    fn of_block(mut self, block: BlockId) -> Vec<Group> {
        for op in self.body.operations(block) {
            let view = View::new(self.context, self.body, op);
            if self.users.contains(&op) {
                match view.name() == memref::Load::NAME {
                    true => self.load(op),
                    false => self.store(op),
                }
            } else if !view.regions().is_empty() {
                self.pass_regions(op);
            }
        }
        self.close_loads();
        self.close_stores();
        self.found
    }

    fn load(&mut self, op: OperationId) {
        self.close_stores();
        let (form, constants) = self.form(op, 1);
        for open in &mut self.loads {
            if open.form == form && open.add(op, &constants, &self.array.partition.splits) {
                return;
            }
        }
        self.loads.push(Open::new(form, op, constants));
    }

    fn store(&mut self, op: OperationId) {
        self.close_loads();
        let (form, constants) = self.form(op, 2);
        if let Some(open) = &mut self.stores
            && open.form == form
            && open.members.iter().all(|(_, own, _)| *own != constants)
            && open.add(op, &constants, &self.array.partition.splits)
        {
            return;
        }
        self.close_stores();
        self.stores = Some(Open::new(form, op, constants));
    }

    /// Closes the groups that accesses inside of `op` forbid to move past it.
    fn pass_regions(&mut self, op: OperationId) {
        for inner in self.body.walk(op) {
            if self.users.contains(&inner) {
                self.close_stores();
                if View::new(self.context, self.body, inner).name() == memref::Store::NAME {
                    self.close_loads();
                }
            }
        }
    }

    fn form(&self, op: OperationId, first_index: usize) -> (Form, Vec<i64>) {
        let mut attributes = self.body.attributes(op).to_vec();
        attributes.sort_unstable_by_key(|(name, _)| *name);
        let splits = &self.array.partition.splits;
        let (mut whole, mut terms, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, index) in self.body.operands(op).skip(first_index).enumerate() {
            let index = linear(self.context, self.body, index);
            if splits.iter().any(|split| split.dim == dim) {
                constants.push(index.constant);
                terms.push(index.terms);
            } else {
                whole.push(index);
            }
        }
        let form = Form {
            attributes,
            whole,
            terms,
        };
        (form, constants)
    }

    fn close_loads(&mut self) {
        for open in std::mem::take(&mut self.loads) {
            self.found.extend(self.group(open, true));
        }
    }

    fn close_stores(&mut self) {
        if let Some(open) = self.stores.take() {
            self.found.extend(self.group(open, false));
        }
    }

    /// Returns the group, unless it has one member or all its banks are known.
    fn group(&self, open: Open, is_load: bool) -> Option<Group> {
        let ends = [open.members.first()?.0, open.members.last()?.0];
        if open.members.len() < 2 {
            return None;
        }
        let splits = self.array.partition.splits.iter();
        let mut places = Vec::new();
        let mut least = Vec::new();
        for ((number, split), terms) in splits.enumerate().zip(open.form.terms) {
            let constants = open
                .members
                .iter()
                .map(|(_, constants, _)| constants[number]);
            let constant = constants.min()?;
            least.push(constant);
            let index = Linear { constant, terms };
            places.push(place_of(self.context, self.body, *split, &index)?);
        }
        if places
            .iter()
            .all(|place| matches!(place, Place::Straight { .. }))
        {
            return None;
        }
        let mut members = Vec::new();
        for (access, constants, equal) in open.members {
            let distances = constants.iter().zip(&least);
            members.push(Member {
                access,
                distances: distances.map(|(own, least)| own.abs_diff(*least)).collect(),
                equal,
            });
        }
        Some(Group {
            is_load,
            position: ends[usize::from(!is_load)],
            members,
            places,
        })
    }
}

impl Open {
    fn new(form: Form, op: OperationId, constants: Vec<i64>) -> Self {
        Self {
            form,
            members: vec![(op, constants, Vec::new())],
        }
    }

    /// Adds an access of the same form if its bank differs from the banks of all members, or if its element is that of a member.
    ///
    /// Members with the same bank along one split also have the same index there. So the bank along a split determines the address
    /// along it.
    fn add(
        &mut self,
        op: OperationId,
        constants: &[i64],
        splits: &[sluice_dialects::partition::Split],
    ) -> bool {
        if let Some((.., equal)) = self.members.iter_mut().find(|(_, own, _)| own == constants) {
            equal.push(op);
            return true;
        }
        let remainder =
            |constant: i64, factor: u64| i128::from(constant).rem_euclid(i128::from(factor.max(1)));
        let fits = self.members.iter().all(|(_, own, _)| {
            let mut pairs = own.iter().zip(constants).zip(splits);
            let is_consistent = pairs.clone().all(|((a, b), split)| {
                a == b || remainder(*a, split.factor) != remainder(*b, split.factor)
            });
            is_consistent && pairs.any(|((a, b), _)| a != b)
        });
        if fits {
            self.members.push((op, constants.to_vec(), Vec::new()));
        }
        fits
    }
}
