//! Simulates the steps of a nest at compile time, using only its counters: the number of steps and the dependence distances.
//!
//! The result is exact if bounds and addresses depend only on counters and constants: every step is visited. Any other address
//! may be any word of its memory.

mod accesses;
mod repeat;

use std::collections::BTreeMap;

use sluice_dialects::synthesis_form::divides;
use sluice_ir::exact::{Exact, trips};
use sluice_ir::{Body, Context, OperationId, View};
use smallvec::SmallVec;

use self::accesses::Access;
use super::access_history::AccessHistory;
use super::around::{LoopAround, around};
use super::expression::Expression;
use super::nest::{Bound, Child, GroupIndex, LoopIndex, Nest, Place, VariableIndex};
use super::run::{CounterFacts, Recall, Run};

/// Maximum number of steps of a nest that is flattened as a whole.
pub(super) const MAX_STEPS: u64 = 1 << 21;

/// Maximum number of combinations of outer counter values.
const MAX_ENTRIES: usize = 1 << 12;

/// Maximum magnitude of bounds and steps, so that the sum of two fits.
const MAX_BOUND: u64 = 1 << 61;

/// The state in step 0 of an entry.
#[derive(Clone)]
struct First {
    group: GroupIndex,
    counters: Vec<i64>,
    in_last: Vec<bool>,
    works: Vec<bool>,
}

struct StepSimulator<'a> {
    nest: &'a Nest,
    around: Vec<LoopAround>,
    entries: Vec<(Vec<i64>, u64)>,
    firsts: Vec<First>,
    /// The loop whose iterations are the unit of distances, instead of steps.
    clock: Option<LoopIndex>,
    iterations: u64,
    bounds: Vec<(Expression, Expression)>,
    accesses: Vec<Access>,
    of_group: Vec<Vec<usize>>,
    counters: Vec<i64>,
    seen: Vec<Option<CounterFacts>>,
    steps: u64,
    busy_steps: u64,
    /// The first step of the current entry.
    first: Option<First>,
    cells: AccessHistory,
    /// True if each group divides.
    divides: Vec<bool>,
    last_division: Option<u64>,
    division_gap: u64,
    /// The variables that each group reads.
    reads: Vec<Vec<VariableIndex>>,
    /// For each variable: the last step in which it was assigned, and the assigning group.
    last_assigned: Vec<Option<(u64, GroupIndex)>>,
    recalls: BTreeMap<Recall, u64>,
    /// For each access: the last step in which it ran.
    last_run: Vec<Option<u64>>,
    distances: BTreeMap<(usize, usize), u64>,
    /// For each memory: its accesses, and whether one has an unknown address.
    of_memory: Vec<(Vec<usize>, bool)>,
    /// For each memory: the first and last word that was touched.
    touched: Vec<Option<(i64, i64)>>,
    /// For each access: statistics of its writes.
    writes: Vec<Writes>,
    /// For each loop: the step of the groups that will run in its first step, until it starts.
    awaited: Vec<Option<u64>>,
    /// For each loop: the step after its last one.
    left_at: Vec<u64>,
}

/// How often an access wrote, how often the word was overwritten, and whether it was ever read.
#[derive(Clone, Copy, Default)]
struct Writes {
    done: u64,
    overwritten: u64,
    is_read: bool,
}

/// Returns the minimum number of iterations, within one entry of a loop, between accesses that may touch the same word and of
/// which one writes; `None` if a bound is unknown or there are too many steps.
///
/// 0 is the same iteration. Other entries run completely before or after this one.
pub(super) fn iterations_between(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &Nest,
    index: LoopIndex,
) -> Option<BTreeMap<(OperationId, OperationId), u64>> {
    let mut simulator = StepSimulator::new(context, body, root, nest)?;
    simulator.clock = Some(index);
    simulator.run_around(0)?;
    Some(simulator.dependences())
}

/// Simulates all steps; `None` if a bound is unknown or there are too many.
pub(super) fn run(context: &Context, body: &Body, root: OperationId, nest: &Nest) -> Option<Run> {
    let mut simulator = StepSimulator::new(context, body, root, nest)?;
    simulator.run_around(0)?;
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
    let counters = simulator.seen.iter().map(|seen| match *seen {
        Some(facts) if facts.least <= facts.greatest => facts,
        Some(facts) => CounterFacts {
            entries: facts.entries,
            empty_entries: facts.empty_entries,
            ..never
        },
        None => never,
    });
    let first_group = simulator.firsts.first().map(|first| first.group);
    if simulator
        .firsts
        .iter()
        .any(|first| Some(first.group) != first_group)
    {
        return None;
    }
    let dependences = simulator.dependences();
    let dead_stores = simulator.dead_stores();
    let first_counters = simulator.in_all(0, |first, index| first.counters[index]);
    let first_in_last = simulator.in_all(false, |first, index| first.in_last[index]);
    let first_works = simulator.in_all(false, |first, index| first.works[index]);
    Some(Run {
        steps: simulator.steps,
        idle_steps: simulator.steps - simulator.busy_steps,
        dependences,
        division_gap: simulator.division_gap,
        recalls: simulator.recalls,
        counters: counters.collect(),
        first_counters,
        first_in_last,
        first_works,
        first_group,
        dead_stores,
        around: simulator.around.iter().map(|outer| outer.counter).collect(),
        entries: simulator.entries,
    })
}

impl<'a> StepSimulator<'a> {
    /// Creates a walker before its first step; `None` if a bound is unknown.
    fn new(context: &Context, body: &Body, root: OperationId, nest: &'a Nest) -> Option<Self> {
        let (around, positions) = around(context, body, root, nest);
        let n_counters = around.iter().map(|outer| outer.position + 1).max();
        let of = |bound: Bound| match bound {
            Bound::Value(value) => Expression::of(context, body, &positions, value),
            Bound::Number(number) => Some(Expression::Constant(number)),
        };
        let bounds: Option<Vec<_>> = nest
            .loops
            .iter()
            .map(|node| Some((of(node.lower)?, of(node.upper)?)))
            .collect();
        let mut simulator = Self {
            nest,
            clock: None,
            iterations: 0,
            around,
            entries: Vec::new(),
            firsts: Vec::new(),
            bounds: bounds?,
            accesses: Vec::new(),
            of_group: Vec::new(),
            counters: vec![0; n_counters.unwrap_or(nest.loops.len())],
            seen: vec![None; nest.loops.len()],
            steps: 0,
            busy_steps: 0,
            first: None,
            cells: AccessHistory::default(),
            divides: nest
                .groups
                .iter()
                .map(|group| {
                    let mut ops = group.ops.iter();
                    ops.any(|op| divides(View::new(context, body, *op)))
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
            touched: Vec::new(),
            writes: Vec::new(),
            awaited: vec![None; nest.loops.len()],
            left_at: vec![0; nest.loops.len()],
        };
        simulator.collect(context, body, root, &positions);
        simulator.writes = vec![Writes::default(); simulator.accesses.len()];
        Some(simulator)
    }

    /// Returns the stores whose words are all overwritten before they are read.
    fn dead_stores(&self) -> Vec<OperationId> {
        let numbered = self.accesses.iter().zip(&self.writes);
        let dead = numbered.filter(|(access, writes)| {
            let (_, any_unknown) = self.of_memory[access.memory];
            let certain = access.writes && !access.guarded && !any_unknown;
            certain && !writes.is_read && writes.done > 0 && writes.overwritten == writes.done
        });
        dead.map(|(access, _)| access.op).collect()
    }

    fn dependences(&self) -> BTreeMap<(OperationId, OperationId), u64> {
        let named = self.distances.iter().map(|((a, b), distance)| {
            let key = (self.accesses[*a].op, self.accesses[*b].op);
            (key, *distance)
        });
        named.collect()
    }

    /// Simulates the nest for every combination of the outer counters, from outer loop `at` inwards.
    fn run_around(&mut self, at: usize) -> Option<()> {
        let Some(outer) = self.around.get(at) else {
            return self.run_entry();
        };
        let (position, step) = (outer.position, outer.step);
        let mut value = outer.lower.evaluate(&self.counters)?;
        let upper = outer.upper.evaluate(&self.counters)?;
        while value < upper {
            self.counters[position] = value;
            self.run_around(at + 1)?;
            value = value.checked_add(step)?;
        }
        Some(())
    }

    /// Clears the history of the simulation.
    fn forget(&mut self) {
        self.cells.clear();
        self.last_division = None;
        self.last_assigned.fill(None);
        self.last_run.fill(None);
        self.touched = vec![None; self.of_memory.len()];
    }

    /// Simulates one entry; it does not depend on earlier entries.
    fn run_entry(&mut self) -> Option<()> {
        self.counters[..self.nest.loops.len()].fill(0);
        self.forget();
        let before = self.steps;
        self.run_loop(0)?;
        if self.entries.len() == MAX_ENTRIES {
            return None;
        }
        let of = |outer: &LoopAround| self.counters[outer.position];
        let counters = self.around.iter().map(of).collect();
        self.entries.push((counters, self.steps - before));
        self.firsts.extend(self.first.take());
        Some(())
    }

    fn first_step(&self, group: GroupIndex) -> First {
        let (mut in_last, mut works) = (Vec::new(), Vec::new());
        for (index, node) in self.nest.loops.iter().enumerate() {
            let (lower, upper) = &self.bounds[index];
            let upper = upper.evaluate(&self.counters);
            let filled = i64::try_from(node.min_iterations).unwrap_or(i64::MAX);
            let lower = lower.evaluate(&self.counters);
            let filled = lower.map(|lower| lower.saturating_add(node.step.saturating_mul(filled)));
            let counter = self.counters[index];
            in_last.push(upper.zip(filled).is_some_and(|(upper, filled)| {
                counter.saturating_add(node.step) >= upper.max(filled)
            }));
            works.push(upper.is_some_and(|upper| counter < upper));
        }
        First {
            group,
            counters: self.counters.clone(),
            in_last,
            works,
        }
    }

    /// Returns a property of each loop in the first step of the entries; `None` if it differs between entries, `never` if there
    /// are none.
    fn in_all<T: Copy + PartialEq>(
        &self,
        never: T,
        of: impl Fn(&First, LoopIndex) -> T,
    ) -> Vec<Option<T>> {
        let in_all = |index: LoopIndex| {
            let mut all = self.firsts.iter().map(|first| of(first, index));
            let first = all.next().unwrap_or(never);
            all.all(|other| other == first).then_some(first)
        };
        (0..self.nest.loops.len()).map(in_all).collect()
    }

    fn run_loop(&mut self, index: LoopIndex) -> Option<()> {
        let node = &self.nest.loops[index];
        let lower = self.bounds[index].0.evaluate(&self.counters)?;
        let upper = self.bounds[index].1.evaluate(&self.counters)?;
        let numbers = [lower, upper, node.step];
        if numbers.iter().any(|n| n.unsigned_abs() > MAX_BOUND) {
            return None;
        }
        if self.clock == Some(index) {
            self.forget();
        }
        // An additional step would separate a group from the step that it shares.
        let awaited = self.awaited[index].take();
        if awaited.is_some_and(|step| step != self.steps) {
            return None;
        }
        let mut value = lower;
        let mut n: u64 = 0;
        let moves = (index == 0).then(|| self.moves()).flatten();
        if moves.is_none() && self.steps_of(index, lower, upper) > Exact::from(MAX_STEPS) {
            return None;
        }
        let mut different = u64::MAX;
        while value < upper || n < node.min_iterations {
            let before = moves.as_ref().map(|_| self.counts());
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
            if let (Some(moves), Some(before)) = (&moves, &before) {
                if n == 1 {
                    different = self.different_iterations(moves);
                }
                if n == different && value < upper {
                    let left = upper.abs_diff(value).div_ceil(node.step.unsigned_abs());
                    self.count_again(before, left)?;
                    n += left;
                    value = value.checked_add(node.step.checked_mul(i64::try_from(left).ok()?)?)?;
                }
            }
        }
        self.left_at[index] = self.steps;
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
        facts.always_one &= n <= 1;
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

    /// Returns the number of steps after the loop has run, without the steps of inner loops.
    fn steps_of(&self, index: LoopIndex, lower: i64, upper: i64) -> Exact {
        let node = &self.nest.loops[index];
        let is_own = |child: &&Child| match child {
            Child::Loop(_) => false,
            Child::Group(group) => self.nest.groups[*group].place == Place::Own,
        };
        let n_own = node.children.iter().filter(is_own).count();
        let n = trips(lower.into(), upper.into(), node.step.into()).unwrap_or_default();
        n.times(n_own).plus(self.steps)
    }

    /// Returns the step in which a group runs.
    fn step_of(&mut self, index: GroupIndex) -> Option<u64> {
        Some(match self.nest.groups[index].place {
            Place::Own => {
                let step = self.steps;
                if self.first.is_none() {
                    self.first = Some(self.first_step(index));
                }
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    return None;
                }
                step
            }
            Place::First(behind) => {
                self.awaited[behind] = Some(self.steps);
                self.steps
            }
            Place::Last(before) if self.left_at[before] == self.steps => {
                self.steps.checked_sub(1)?
            }
            Place::Last(_) => return None,
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
        let Access { memory, writes, .. } = self.accesses[number];
        let happens = self.accesses[number].happens(&self.counters);
        if happens == Some(false) {
            return;
        }
        let address = self.accesses[number]
            .address
            .as_ref()
            .and_then(|a| a.evaluate(&self.counters));
        let (all, any_unknown) = &self.of_memory[memory];
        let mut met: SmallVec<[(usize, u64); 8]> = SmallVec::new();
        for other in all {
            // An unknown address may be any word.
            let either_unknown = address.is_none() || self.accesses[*other].address.is_none();
            let one_writes = writes || self.accesses[*other].writes;
            if *any_unknown && either_unknown && one_writes {
                met.extend(self.last_run[*other].map(|at| (*other, at)));
            }
        }
        if let Some(address) = address {
            let (first, last) = self.touched[memory].get_or_insert((address, address));
            (*first, *last) = (address.min(*first), address.max(*last));
            let cell = self.cells.at(memory, address);
            met.extend(cell.written.iter().copied());
            if writes {
                self.writes[number].done += 1;
                met.extend(cell.read.iter().copied());
                if happens == Some(true) {
                    for (over, _) in &cell.written {
                        self.writes[*over].overwritten += 1;
                    }
                    cell.written.clear();
                    cell.read.clear();
                }
                cell.written.retain(|(access, _)| *access != number);
                cell.written.push((number, time));
            } else {
                for (read, _) in &cell.written {
                    self.writes[*read].is_read = true;
                }
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
