//! Running the steps of a nest with its counters alone: how many there are, and which accesses meet after how many.
//!
//! Nothing is approximated where bounds and addresses are functions of counters and constants: every step is visited. An address
//! that is not may be any cell of its memory.

use std::collections::BTreeMap;

use sluice_dialects::synthesis_form::{guarded_access, is_division};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::nest::{Bound, Child, GroupIndex, LoopIndex, Nest, Place, VariableIndex};
use crate::build::{constant_i64, name};
use crate::linear::is_invariant;

/// A nest with more steps is not flattened as a whole.
pub(super) const MOST_STEPS: u64 = 1 << 21;

/// A nest with greater bounds or steps is not flattened, so that sums of two of them fit.
const GREATEST_BOUND: u64 = 1 << 61;

/// What a counter was seen to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterFacts {
    pub(super) least: i64,
    pub(super) greatest: i64,
    pub(super) entries: u64,
    pub(super) empty_entries: u64,
    /// The last value of each entry, if it is the same for all.
    pub(super) last: Option<i64>,
    /// Whether each entry has exactly one iteration.
    pub(super) always_one: bool,
    /// Fewest iterations of an entry that has some, idle ones included.
    pub(super) fewest: u64,
    /// Whether there are idle iterations.
    pub(super) idles: bool,
}

/// What a run of all steps told.
pub(super) struct Run {
    pub(super) steps: u64,
    /// Steps in which nothing runs that the source asks for.
    pub(super) idle_steps: u64,
    pub(super) counters: Vec<CounterFacts>,
    /// Counters and the group of step 0.
    pub(super) first_counters: Vec<i64>,
    pub(super) first_group: Option<GroupIndex>,
    /// Whether each loop is in its last iteration in step 0.
    pub(super) first_in_last: Vec<bool>,
    /// Whether the iteration of each loop in step 0 is none that only fills up.
    pub(super) first_works: Vec<bool>,
    /// Smallest number of steps from an access to one that may touch the same cell later, where one of them writes.
    pub(super) dependences: BTreeMap<(OperationId, OperationId), u64>,
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

/// An integer expression over counters.
enum Expression {
    Constant(i64),
    Counter(LoopIndex),
    Binary(
        fn(i64, i64) -> Option<i64>,
        Box<Expression>,
        Box<Expression>,
    ),
}

impl Expression {
    fn evaluate(&self, counters: &[i64]) -> Option<i64> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Counter(index) => Some(counters[*index]),
            Self::Binary(apply, a, b) => apply(a.evaluate(counters)?, b.evaluate(counters)?),
        }
    }

    /// The expression of a value; `None` if it is made in another way.
    fn of(context: &Context, body: &Body, nest: &Nest, value: ValueId, depth: u32) -> Option<Self> {
        if let Some(constant) = constant_i64(context, body, value) {
            return Some(Self::Constant(constant));
        }
        if let Some(index) = nest.loop_of_counter(value) {
            return Some(Self::Counter(index));
        }
        let op = body.defining_operation(value)?;
        if depth > 32 {
            return None;
        }
        let operand = |i: usize| Self::of(context, body, nest, body.operand(op, i), depth + 1);
        let apply: fn(i64, i64) -> Option<i64> = match name(context, body, op) {
            "arith.addi" | "index.add" => i64::checked_add,
            "arith.subi" | "index.sub" => i64::checked_sub,
            "arith.muli" | "index.mul" => i64::checked_mul,
            "arith.minsi" | "index.mins" => |a, b| Some(a.min(b)),
            "arith.maxsi" | "index.maxs" => |a, b| Some(a.max(b)),
            "arith.shli" | "index.shl" => {
                |a, b| a.checked_mul(1i64.checked_shl(u32::try_from(b).ok().filter(|b| *b < 62)?)?)
            }
            "arith.shrsi" => |a, b| a.checked_shr(u32::try_from(b).ok()?),
            "arith.floordivsi" => |a, b| (b > 0).then(|| a.div_euclid(b)),
            "arith.ceildivsi" => |a, b| a.checked_neg().filter(|_| b > 0).map(|a| -a.div_euclid(b)),
            "arith.andi" => |a, b| Some(a & b),
            "arith.index_cast" if body.ty(value).is_index(context) => return operand(0),
            _ => return None,
        };
        // Anything but an index could wrap at its width.
        body.ty(value).is_index(context).then(|| {
            Some(Self::Binary(
                apply,
                Box::new(operand(0)?),
                Box::new(operand(1)?),
            ))
        })?
    }
}

/// One access of a group.
struct Access {
    op: OperationId,
    memory: usize,
    address: Option<Expression>,
    writes: bool,
    /// It may not happen although its group runs.
    conditional: bool,
}

/// What happened to a cell.
#[derive(Default)]
struct Cell {
    written: Vec<(usize, u64)>,
    read: Vec<(usize, u64)>,
}

struct Walker<'a> {
    nest: &'a Nest,
    /// The loop whose iterations are counted in distances, instead of steps.
    clock: Option<LoopIndex>,
    iterations: u64,
    bounds: Vec<(Expression, Expression)>,
    accesses: Vec<Access>,
    of_group: Vec<Vec<usize>>,
    counters: Vec<i64>,
    seen: Vec<Option<CounterFacts>>,
    steps: u64,
    busy_steps: u64,
    first: Option<(GroupIndex, Vec<i64>)>,
    cells: BTreeMap<(usize, i64), Cell>,
    /// Whether each group divides, and the last step in which one did.
    divides: Vec<bool>,
    last_division: Option<u64>,
    division_gap: u64,
    /// Variables that each group reads.
    reads: Vec<Vec<VariableIndex>>,
    /// Per variable: the last step in which it was assigned, and by which group.
    last_assigned: Vec<Option<(u64, GroupIndex)>>,
    recalls: BTreeMap<Recall, u64>,
    /// Per access: the last step in which it ran.
    last_run: Vec<Option<u64>>,
    distances: BTreeMap<(usize, usize), u64>,
    /// Per memory: the accesses to it, and whether one has an address that is not known.
    of_memory: Vec<(Vec<usize>, bool)>,
}

/// Smallest number of iterations of a loop, from wherever it is entered, between accesses that may touch the same cell, where one
/// of them writes; `None` if a bound is not known or there are too many steps.
///
/// 0 is the same iteration. Where the loop is left and entered again, its iterations are counted on.
pub(super) fn iterations_between(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &Nest,
    index: LoopIndex,
) -> Option<BTreeMap<(OperationId, OperationId), u64>> {
    let mut walker = Walker::new(context, body, root, nest)?;
    walker.clock = Some(index);
    walker.run_loop(0)?;
    Some(walker.dependences())
}

/// Runs all steps; `None` if a bound is not known or there are too many.
pub(super) fn run(context: &Context, body: &Body, root: OperationId, nest: &Nest) -> Option<Run> {
    let mut walker = Walker::new(context, body, root, nest)?;
    walker.run_loop(0)?;
    let never = CounterFacts {
        least: 0,
        greatest: 0,
        entries: 0,
        empty_entries: 0,
        last: None,
        always_one: false,
        fewest: u64::MAX,
        idles: false,
    };
    let counters = walker.seen.iter().map(|seen| match *seen {
        Some(facts) if facts.least <= facts.greatest => facts,
        Some(facts) => CounterFacts {
            entries: facts.entries,
            empty_entries: facts.empty_entries,
            ..never
        },
        None => never,
    });
    let (first_group, first_counters) = walker.first.clone().unzip();
    let first_counters = first_counters.unwrap_or_else(|| vec![0; nest.loops.len()]);
    let in_last = |(index, node): (usize, &super::nest::LoopNode)| {
        let upper = walker.bounds[index].1.evaluate(&first_counters);
        let filled = i64::try_from(node.least_iterations).unwrap_or(i64::MAX);
        let lower = walker.bounds[index].0.evaluate(&first_counters);
        let filled = lower.map(|lower| lower.saturating_add(node.step.saturating_mul(filled)));
        upper
            .zip(filled)
            .is_some_and(|(upper, filled)| first_counters[index] + node.step >= upper.max(filled))
    };
    let works = |(index, _): (usize, &super::nest::LoopNode)| {
        let upper = walker.bounds[index].1.evaluate(&first_counters);
        upper.is_some_and(|upper| first_counters[index] < upper)
    };
    let first_in_last = nest.loops.iter().enumerate().map(in_last).collect();
    let first_works = nest.loops.iter().enumerate().map(works).collect();
    let dependences = walker.dependences();
    Some(Run {
        steps: walker.steps,
        idle_steps: walker.steps - walker.busy_steps,
        dependences,
        division_gap: walker.division_gap,
        recalls: walker.recalls,
        counters: counters.collect(),
        first_counters,
        first_in_last,
        first_works,
        first_group,
    })
}

impl<'a> Walker<'a> {
    /// A walker before its first step; `None` if a bound is not known.
    fn new(context: &Context, body: &Body, root: OperationId, nest: &'a Nest) -> Option<Self> {
        let of = |bound: Bound| match bound {
            Bound::Value(value) => Expression::of(context, body, nest, value, 0),
            Bound::Number(number) => Some(Expression::Constant(number)),
        };
        let bounds: Option<Vec<_>> = nest
            .loops
            .iter()
            .map(|node| Some((of(node.lower)?, of(node.upper)?)))
            .collect();
        let mut walker = Self {
            nest,
            clock: None,
            iterations: 0,
            bounds: bounds?,
            accesses: Vec::new(),
            of_group: Vec::new(),
            counters: vec![0; nest.loops.len()],
            seen: vec![None; nest.loops.len()],
            steps: 0,
            busy_steps: 0,
            first: None,
            cells: BTreeMap::new(),
            divides: nest
                .groups
                .iter()
                .map(|group| {
                    let mut ops = group.ops.iter();
                    ops.any(|op| is_division(View::new(context, body, *op)))
                })
                .collect(),
            last_division: None,
            division_gap: u64::MAX,
            reads: (0..nest.groups.len())
                .map(|group| nest.reads(body, group).into_iter().collect())
                .collect(),
            last_assigned: vec![None; nest.variables.len()],
            recalls: BTreeMap::new(),
            last_run: Vec::new(),
            distances: BTreeMap::new(),
            of_memory: Vec::new(),
        };
        walker.collect(context, body, root);
        Some(walker)
    }

    fn dependences(&self) -> BTreeMap<(OperationId, OperationId), u64> {
        let named = self.distances.iter().map(|((a, b), distance)| {
            let key = (self.accesses[*a].op, self.accesses[*b].op);
            (key, *distance)
        });
        named.collect()
    }

    fn collect(&mut self, context: &Context, body: &Body, root: OperationId) {
        let mut memories: Vec<ValueId> = Vec::new();
        for group in &self.nest.groups {
            let mut here = Vec::new();
            for op in &group.ops {
                let view = View::new(context, body, *op);
                let inner = guarded_access(view);
                let access = inner.unwrap_or(*op);
                let (memory, index, writes) = match name(context, body, access) {
                    "memref.load" => (0, 1, false),
                    "memref.store" => (1, 2, true),
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
                let address = Expression::of(context, body, self.nest, address, 0);
                let position = self.accesses.len();
                self.of_memory[number].0.push(position);
                self.of_memory[number].1 |= address.is_none();
                self.accesses.push(Access {
                    op: access,
                    memory: number,
                    address,
                    writes,
                    conditional: inner.is_some(),
                });
                self.last_run.push(None);
                here.push(position);
            }
            self.of_group.push(here);
        }
        // A memory that is only read has no order.
        for (accesses, _) in &self.of_memory {
            if !accesses.iter().any(|a| self.accesses[*a].writes) {
                for group in &mut self.of_group {
                    group.retain(|a| !accesses.contains(a));
                }
            }
        }
    }

    fn run_loop(&mut self, index: LoopIndex) -> Option<()> {
        let node = &self.nest.loops[index];
        let lower = self.bounds[index].0.evaluate(&self.counters)?;
        let upper = self.bounds[index].1.evaluate(&self.counters)?;
        let numbers = [lower, upper, node.step];
        if numbers.iter().any(|n| n.unsigned_abs() > GREATEST_BOUND) {
            return None;
        }
        let mut value = lower;
        let mut n: u64 = 0;
        while value < upper || n < node.least_iterations {
            self.counters[index] = value;
            n += 1;
            self.iterations += u64::from(self.clock == Some(index));
            for child in &node.children {
                match child {
                    Child::Loop(inner) => self.run_loop(*inner)?,
                    Child::Group(group) => {
                        let step = self.step_of(*group)?;
                        if value < upper {
                            self.run_group(*group, step);
                        }
                    }
                }
            }
            value = value.checked_add(node.step)?;
        }
        let last = value - node.step;
        let facts = self.seen[index].get_or_insert(CounterFacts {
            least: i64::MAX,
            greatest: i64::MIN,
            entries: 0,
            empty_entries: 0,
            last: (n > 0).then_some(last),
            always_one: true,
            fewest: u64::MAX,
            idles: false,
        });
        facts.entries += 1;
        facts.idles |= last >= upper && n > 0;
        facts.always_one &= n == 1;
        if n == 0 {
            facts.empty_entries += 1;
        } else {
            if facts.last.is_some_and(|known| known != last) {
                facts.last = None;
            }
            facts.fewest = facts.fewest.min(n);
            facts.least = facts.least.min(lower);
            facts.greatest = facts.greatest.max(last);
        }
        Some(())
    }

    /// The step in which a group runs whose turn it is.
    fn step_of(&mut self, index: GroupIndex) -> Option<u64> {
        Some(match self.nest.groups[index].place {
            Place::Own => {
                let step = self.steps;
                if self.first.is_none() {
                    self.first = Some((index, self.counters.clone()));
                }
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return None;
                }
                step
            }
            Place::First(_) => self.steps,
            Place::Last(_) => self.steps.checked_sub(1)?,
        })
    }

    fn run_group(&mut self, index: GroupIndex, step: u64) {
        let group = &self.nest.groups[index];
        let works = !group.ops.is_empty() || !group.assignments.is_empty();
        self.busy_steps += u64::from(works && group.place == Place::Own);
        if self.divides[index] {
            if let Some(before) = self.last_division {
                self.division_gap = self.division_gap.min(step - before);
            }
            self.last_division = Some(step);
        }
        for variable in &self.reads[index] {
            if let Some((at, by)) = self.last_assigned[*variable]
                && at < step
            {
                let recall = Recall {
                    reader: index,
                    variable: *variable,
                    writer: by,
                };
                let known = self.recalls.entry(recall).or_insert(step - at);
                *known = (step - at).min(*known);
            }
        }
        let time = match self.clock {
            Some(_) => self.iterations,
            None => step,
        };
        for position in 0..self.of_group[index].len() {
            let access = self.of_group[index][position];
            self.run_access(access, time);
        }
        for (variable, _) in &self.nest.groups[index].assignments {
            self.last_assigned[*variable] = Some((step, index));
        }
    }

    fn run_access(&mut self, number: usize, time: u64) {
        let Access {
            memory,
            writes,
            conditional,
            ..
        } = self.accesses[number];
        let address = self.accesses[number]
            .address
            .as_ref()
            .and_then(|a| a.evaluate(&self.counters));
        let (all, any_unknown) = &self.of_memory[memory];
        let mut met: Vec<(usize, u64)> = Vec::new();
        for other in all {
            // Either address may be any.
            let either_unknown = address.is_none() || self.accesses[*other].address.is_none();
            let one_writes = writes || self.accesses[*other].writes;
            if *any_unknown && either_unknown && one_writes {
                met.extend(self.last_run[*other].map(|at| (*other, at)));
            }
        }
        if let Some(address) = address {
            let cell = self.cells.entry((memory, address)).or_default();
            met.extend(&cell.written);
            if writes {
                met.extend(&cell.read);
                if !conditional {
                    cell.written.clear();
                    cell.read.clear();
                }
                cell.written.retain(|(access, _)| *access != number);
                cell.written.push((number, time));
            } else {
                cell.read.retain(|(access, _)| *access != number);
                cell.read.push((number, time));
            }
        }
        for (other, at) in met {
            let distance = time - at;
            let known = self.distances.entry((other, number)).or_insert(distance);
            *known = distance.min(*known);
        }
        self.last_run[number] = Some(time);
    }
}
