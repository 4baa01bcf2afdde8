//! `share-accesses`: lets mutually exclusive accesses of one memory share a port and not wait for each other.
//!
//! Branches of an if-converted conditional access memories under mutually exclusive conditions. As separate operations, each
//! takes a port for a cycle of the initiation interval; as one access with a selected address, they take one together. The pass
//! changes loops in which a memory has more accesses than the interval required by the other accesses permits.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::ANY;
use sluice_dialects::{
    memref, scf, sluice,
    storage::{Ports, storage_of},
    synthesis_form::{is_any, is_compound, outer_operation},
};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use crate::analysis::dependence::{Edge, write_edges, written_edges};
use crate::analysis::exclusive::{Implications, either, is_needed_only_where};
use crate::analysis::value_ranges::Analysis;
use crate::build::{constant, is_pure, select};

/// Maximum number of guarded accesses of a loop whose conditions are compared pairwise.
const MAX_GUARDS: usize = 256;

/// An access directly in a block, or in a guard there.
#[derive(Clone, Debug)]
struct Access {
    op: OperationId,
    /// The guard, or the access itself.
    outer: OperationId,
    condition: Option<ValueId>,
    memory: ValueId,
    is_load: bool,
    /// The number that identifies the access in dependences.
    number: i64,
    /// The port group it competes in; `None` if each access has its own port.
    group: Option<Group>,
    /// True if the access has no attributes besides its number.
    is_plain: bool,
}

/// Pairs of access numbers of which at most one executes in an iteration.
type Exclusive = BTreeSet<(i64, i64)>;

/// Transforms every innermost loop whose dependences are known.
pub fn share_accesses(context: &Context, body: &mut Body) {
    let loops: Vec<_> = body
        .walk_all()
        .into_iter()
        .filter(|op| is_innermost(context, body, *op))
        .map(|op| (op, accesses(context, body, op)))
        .filter(|(_, accesses)| has_candidates(accesses))
        .collect();
    if loops.is_empty() {
        return;
    }
    let known = Analysis::of(context, body);
    let exclusive: Vec<_> = loops
        .iter()
        .map(|(_, accesses)| pairs(&known, body, accesses))
        .collect();
    for ((op, accesses), exclusive) in loops.into_iter().zip(exclusive) {
        let mut sharing = Sharing {
            context,
            body: &mut *body,
            edges: Vec::new(),
            accesses,
            exclusive,
        };
        sharing.work(op);
    }
}

fn is_innermost(context: &Context, body: &Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let mut blocks = view.regions().iter().flat_map(|r| body.blocks(*r));
    matches!(view.name(), scf::For::NAME | scf::While::NAME)
        && view.attribute(sluice::DEPENDENCES).is_some()
        && blocks.all(|block| {
            let mut ops = body.operations(*block);
            ops.all(|op| !is_compound(view.at(op)))
        })
}

/// Returns the accesses of an innermost loop, in text order.
fn accesses(context: &Context, body: &Body, loop_op: OperationId) -> Vec<Access> {
    let inside = body.walk(loop_op).into_iter();
    let of_one = |op: OperationId| {
        let view = View::new(context, body, op);
        let (memory, is_load) = match view.name() {
            memref::Load::NAME => (view.operand(0), true),
            memref::Store::NAME => (view.operand(1), false),
            _ => return None,
        };
        let outer = outer_operation(view);
        let storage = storage_of(context, body, memory);
        let known = [sluice::GUARD, sluice::ACCESS, ANY];
        let mut attributes = view.attributes().iter().chain(view.at(outer).attributes());
        Some(Access {
            op,
            outer,
            condition: (outer != op).then(|| body.operand(outer, 0)),
            memory,
            is_load,
            number: view.attribute(sluice::ACCESS)?.as_i64(context)?,
            group: Group::of(memory, is_load, storage.map(|storage| storage.ports)),
            is_plain: attributes.all(|(name, _)| known.contains(&context.text(*name))),
        })
    };
    inside.filter_map(of_one).collect()
}

fn has_candidates(accesses: &[Access]) -> bool {
    let mut guarded = BTreeMap::new();
    for access in accesses.iter().filter(|access| access.condition.is_some()) {
        *guarded.entry(access.memory).or_insert(0) += 1;
    }
    let total: usize = guarded.values().sum();
    guarded.values().any(|n| *n > 1) && total <= MAX_GUARDS
}

fn pairs(known: &Analysis<'_>, body: &Body, accesses: &[Access]) -> Exclusive {
    let guarded: Vec<&Access> = accesses.iter().filter(|a| a.condition.is_some()).collect();
    let conditions: Vec<ValueId> = guarded.iter().filter_map(|a| a.condition).collect();
    let implications = Implications::of(known, &conditions);
    let mut found = Exclusive::new();
    for (i, a) in guarded.iter().enumerate() {
        for (j, b) in guarded.iter().enumerate().skip(i + 1) {
            let together = body.parent_block(a.outer) == body.parent_block(b.outer);
            if a.memory == b.memory && together && implications.exclude(i, j) {
                found.insert((a.number, b.number));
                found.insert((b.number, a.number));
            }
        }
    }
    found
}

/// A group of accesses that compete for the same ports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Group {
    memory: ValueId,
    /// True if they are loads; `None` if a port serves both loads and stores.
    are_loads: Option<bool>,
    n_ports: usize,
}

impl Group {
    /// Returns the group of an access, given the ports of its memory; by default a read port and a write port.
    fn of(memory: ValueId, is_load: bool, ports: Option<Ports>) -> Option<Self> {
        let (are_loads, n_ports) = match ports.unwrap_or(Ports::Separate { reads: 1 }) {
            Ports::Each => return None,
            Ports::TrueDual => (None, 2),
            Ports::Separate { reads } if is_load => (Some(true), reads),
            Ports::Separate { .. } => (Some(false), 1),
        };
        Some(Self {
            memory,
            are_loads,
            n_ports: usize::try_from(n_ports).expect("few ports"),
        })
    }
}

/// The numbers of accesses that compete.
#[derive(Default)]
struct AccessCounts {
    all: usize,
    always: usize,
    /// Minimum number after merging the guarded ones: one, if there are any.
    under_conditions: usize,
}

struct Sharing<'a> {
    context: &'a Context,
    body: &'a mut Body,
    edges: Vec<Edge>,
    accesses: Vec<Access>,
    exclusive: Exclusive,
}

impl Sharing<'_> {
    fn work(&mut self, loop_op: OperationId) {
        let exclusive = &self.exclusive;
        self.edges = written_edges(self.context, self.body, loop_op);
        self.edges
            .retain(|[from, to, distance]| *distance > 0 || !exclusive.contains(&(*from, *to)));
        for (group, interval) in self.overloaded_groups() {
            self.share(group, interval);
        }
        write_edges(self.context, self.body, loop_op, &self.edges);
    }

    /// Returns the groups with more accesses than the interval that other accesses require permits, each with that interval.
    fn overloaded_groups(&self) -> Vec<(Group, usize)> {
        let mut groups: BTreeMap<Group, AccessCounts> = BTreeMap::new();
        for access in &self.accesses {
            let Some(group) = access.group else {
                continue;
            };
            let counts = groups.entry(group).or_default();
            counts.all += 1;
            match access.condition {
                Some(_) => counts.under_conditions = 1,
                None => counts.always += 1,
            }
        }
        let least = |(group, counts): (&Group, &AccessCounts)| {
            (counts.always + counts.under_conditions).div_ceil(group.n_ports)
        };
        let interval = groups.iter().map(least).max().unwrap_or(1);
        let overloaded_groups = groups.into_iter();
        let mut overloaded_groups: Vec<(Group, usize)> = overloaded_groups
            .filter(|(group, counts)| counts.all.div_ceil(group.n_ports) > interval)
            .map(|(group, _)| (group, interval))
            .collect();
        // Stores come last: a merged store may depend on loads that must be merged first.
        overloaded_groups.sort_by_key(|(group, _)| group.are_loads == Some(false));
        overloaded_groups
    }

    /// Merges pairs of accesses while there are more than the interval permits.
    fn share(&mut self, group: Group, interval: usize) {
        let n_in = |accesses: &[Access]| {
            let inside = accesses.iter().filter(|a| a.group == Some(group));
            inside.count()
        };
        let mut failed = BTreeSet::new();
        while n_in(&self.accesses) > interval * group.n_ports
            && let Some((a, b)) = self.last_pair(group, &failed)
        {
            if !self.merge(a, b) {
                failed.insert((self.accesses[a].number, self.accesses[b].number));
            }
        }
    }

    /// Returns the indices of the next two accesses to merge: the last possible one, with the nearest before it. Branches of an
    /// inner conditional are then merged before those of the outer one, and the merged condition is the outer one.
    fn last_pair(&self, group: Group, failed: &BTreeSet<(i64, i64)>) -> Option<(usize, usize)> {
        let may = |access: &Access| access.is_plain && access.group == Some(group);
        let all = self.accesses.iter().enumerate();
        let open: Vec<(usize, &Access)> = all.filter(|(_, access)| may(access)).collect();
        for (behind, (j, b)) in open.iter().enumerate().rev() {
            let fits = |(_, a): &&(usize, &Access)| {
                let numbers = (a.number, b.number);
                a.is_load == b.is_load
                    && self.exclusive.contains(&numbers)
                    && !failed.contains(&numbers)
            };
            if let Some((i, _)) = open[..behind].iter().rev().find(fits) {
                return Some((*i, *j));
            }
        }
        None
    }

    /// Merges two accesses, of which `a` comes first; returns whether it could.
    fn merge(&mut self, a: usize, b: usize) -> bool {
        let (first, second) = (self.accesses[a].clone(), self.accesses[b].clone());
        let (Some(p), Some(q)) = (first.condition, second.condition) else {
            return false;
        };
        let merged = match first.is_load {
            true => self.merge_loads(&first, &second, (p, q)),
            false => self.merge_stores(&first, &second, (p, q)),
        };
        let Some(merged) = merged else {
            return false;
        };
        let (kept, gone) = if first.is_load { (a, b) } else { (b, a) };
        let (to, from) = (merged.number, self.accesses[gone].number);
        self.accesses[kept] = merged;
        self.accesses.remove(gone);
        self.rename(from, to);
        true
    }

    /// Puts an access under another condition, or moves it before its guard if it always executes; returns its outer operation.
    fn put_under(&mut self, access: &Access, condition: Option<ValueId>) -> OperationId {
        match condition {
            Some(condition) => {
                self.body.set_operand(access.outer, 0, condition);
                access.outer
            }
            None => {
                self.body.move_before(access.outer, access.op);
                access.op
            }
        }
    }

    /// Transfers the dependences and exclusions of access `from` to the merged access `to`.
    fn rename(&mut self, from: i64, to: i64) {
        let renamed = |number: i64| if number == from { to } else { number };
        let mut least: BTreeMap<(i64, i64), i64> = BTreeMap::new();
        for [source, sink, distance] in &self.edges {
            let least = least
                .entry((renamed(*source), renamed(*sink)))
                .or_insert(*distance);
            *least = (*least).min(*distance);
        }
        self.edges = least.into_iter().map(|((a, b), d)| [a, b, d]).collect();
        let others: BTreeSet<i64> = self.accesses.iter().map(|a| a.number).collect();
        for other in others {
            let both = [from, to].map(|n| self.exclusive.contains(&(n, other)));
            if both != [true, true] {
                self.exclusive.remove(&(to, other));
                self.exclusive.remove(&(other, to));
            }
        }
    }

    /// Returns whether an access between two others depends on one of them, or is depended on, within the same iteration.
    fn is_held(&self, a: &Access, b: &Access, of: i64) -> bool {
        let Some(block) = self.body.parent_block(a.outer) else {
            return true;
        };
        let between: BTreeSet<OperationId> = self
            .body
            .operations(block)
            .skip_while(|op| *op != a.outer)
            .take_while(|op| *op != b.outer)
            .skip(1)
            .collect();
        let others = self.accesses.iter().filter(|x| between.contains(&x.outer));
        let numbers: BTreeSet<i64> = others.map(|x| x.number).collect();
        self.edges.iter().any(|[from, to, distance]| {
            *distance == 0
                && (*from == of && numbers.contains(to) || *to == of && numbers.contains(from))
        })
    }

    /// Puts the merged load in the place of the first one, after the operations that compute the second address.
    fn merge_loads(
        &mut self,
        a: &Access,
        b: &Access,
        (p, q): (ValueId, ValueId),
    ) -> Option<Access> {
        if self.is_held(a, b, b.number) {
            return None;
        }
        let addresses = [a, b].map(|access| self.body.operand(access.op, 1));
        let slice = self.slice(a.outer, &[q, addresses[1]])?;
        let needed = [(a, p), (b, q)].map(|(access, condition)| {
            let value = self.body.result(access.outer, 0);
            is_any(View::new(self.context, self.body, access.outer))
                || is_needed_only_where(self.context, self.body, value, condition)
        });
        for op in slice {
            self.body.move_before(a.outer, op);
        }
        let mut builder = Builder::before(self.context, self.body, a.outer);
        let address = chosen(&mut builder, p, addresses);
        let condition = either(&mut builder, p, q);
        self.body.set_operand(a.op, 1, address);
        let outer = self.put_under(a, condition);
        self.read_instead(a.outer, p, outer, needed[0]);
        self.read_instead(b.outer, q, outer, needed[1]);
        self.body.erase(b.outer);
        let any = self.context.name(ANY);
        if outer != a.outer {
            self.body.erase(a.outer);
        } else if needed == [true, true] {
            self.body
                .set_attribute(outer, any, self.context.unit_attribute());
        } else {
            self.body.remove_attribute(outer, any);
        }
        Some(Access {
            outer,
            condition,
            ..a.clone()
        })
    }

    /// Makes users of the guarded load read another load; if its value is used without the condition, it is 0 there.
    fn read_instead(
        &mut self,
        guard: OperationId,
        condition: ValueId,
        other: OperationId,
        is_needed_only: bool,
    ) {
        let (value, mut read) = (self.body.result(guard, 0), self.body.result(other, 0));
        let uses: Vec<_> = self.body.uses(value).collect();
        if !is_needed_only {
            let behind = self.body.next(guard).expect("a block ends in a yield");
            let mut builder = Builder::before(self.context, self.body, behind);
            let ty = builder.body.ty(value);
            let zero = constant(&mut builder, ty, 0);
            read = select(&mut builder, condition, read, zero);
        }
        for (user, operand) in uses {
            self.body.set_operand(user, operand, read);
        }
    }

    /// Returns the operations after `anchor`, in its block, that compute the values; `None` if they cannot all move before it.
    fn slice(&self, anchor: OperationId, values: &[ValueId]) -> Option<Vec<OperationId>> {
        let block = self.body.parent_block(anchor)?;
        let place: BTreeMap<OperationId, usize> = self
            .body
            .operations(block)
            .skip_while(|op| *op != anchor)
            .enumerate()
            .map(|(place, op)| (op, place))
            .collect();
        let mut found = BTreeMap::new();
        let mut waiting = values.to_vec();
        while let Some(value) = waiting.pop() {
            let Some(op) = self.body.defining_operation(value) else {
                continue;
            };
            let Some(place) = place.get(&op) else {
                continue;
            };
            if op == anchor || !is_pure(View::new(self.context, self.body, op)) {
                return None;
            }
            if found.insert(*place, op).is_none() {
                waiting.extend(self.body.operands(op));
            }
        }
        Some(found.into_values().collect())
    }

    /// Puts the merged store in the place of the second one.
    fn merge_stores(
        &mut self,
        a: &Access,
        b: &Access,
        (p, q): (ValueId, ValueId),
    ) -> Option<Access> {
        if self.is_held(a, b, a.number) {
            return None;
        }
        let of = |access: &Access, i| self.body.operand(access.op, i);
        let values = [of(a, 0), of(b, 0)];
        let addresses = [of(a, 2), of(b, 2)];
        let mut builder = Builder::before(self.context, self.body, b.outer);
        let value = chosen(&mut builder, p, values);
        let address = chosen(&mut builder, p, addresses);
        let condition = either(&mut builder, p, q);
        self.body.set_operand(b.op, 0, value);
        self.body.set_operand(b.op, 2, address);
        let outer = self.put_under(b, condition);
        if outer != b.outer {
            self.body.erase(b.outer);
        }
        self.body.erase(a.outer);
        Some(Access {
            outer,
            condition,
            ..b.clone()
        })
    }
}

/// Emits the first of two values if a condition holds, else the second.
fn chosen(builder: &mut Builder<'_>, condition: ValueId, [a, b]: [ValueId; 2]) -> ValueId {
    if a == b {
        return a;
    }
    select(builder, condition, a, b)
}
