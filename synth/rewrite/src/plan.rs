//! A plan: the chosen classes in an order that is valid for every user, and the costs of the block before and after.

use std::collections::BTreeMap;
use std::sync::Arc;

use egg::Id;
use sluice_dialects::scf;
use sluice_ir::{Body, Context, OperationId, ValueDefinition, ValueId};

use crate::RewriteOptions;
use crate::chosen::Chosen;
use crate::cost::CostModel;
use crate::graph::BlockGraph;
use crate::language::{Node, Op};
use crate::pace::{EPSILON, Pace};

/// One step in the order of the new block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The chosen node of a class.
    Emit(Id),
    /// The user with this index.
    User(usize),
}

/// The new block.
pub(crate) struct Plan {
    pub(crate) chosen: Arc<Chosen>,
    pub(crate) steps: Vec<Step>,
}

/// The cost of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) n_operations: usize,
    pub(crate) area: f64,
    pub(crate) critical_path_ns: f64,
    /// For each operand that the terminator of a loop body yields, the longest path from each loop-carried value; not finite if
    /// there is none.
    paths_ns: Vec<Vec<f64>>,
    /// True for each of these paths that is on a dependence cycle: only those bound the time per iteration.
    is_on_cycle: Vec<Vec<bool>>,
    /// For each value of the original block, the longest path from a carried value; not finite if there is none.
    pub(crate) carried_ns: BTreeMap<ValueId, f64>,
    /// True if a carried value and the operand that is yielded for it have the same place, as in bodies of `scf.for`.
    has_places: bool,
    /// Timing of the places.
    pace: Pace,
}

impl Metrics {
    /// Returns the time per iteration that recurrences need; if values have no places, the longest path from one to the next; 0
    /// without one.
    pub(crate) fn recurrence_ns(&self) -> f64 {
        if self.has_places {
            return self.pace.iteration_ns.iter().copied().fold(0.0, f64::max);
        }
        let paths = self.paths_ns.iter().flatten();
        let on_cycles = paths.zip(self.is_on_cycle.iter().flatten());
        on_cycles
            .filter(|(_, is_on_cycle)| **is_on_cycle)
            .fold(0.0, |longest, (path, _)| longest.max(*path))
    }

    /// Returns true if some path of a recurrence is longer than in `before`, and too long for the previous pace.
    pub(crate) fn deepens_a_recurrence(&self, before: &Self) -> bool {
        let rows = self.paths_ns.iter().zip(&before.paths_ns);
        let mut rows = rows.zip(&self.is_on_cycle).enumerate();
        rows.any(|(to, ((after, before_row), is_on_cycle))| {
            let paths = after.iter().zip(before_row).zip(is_on_cycle);
            let mut paths = paths.enumerate().filter(|(_, (_, on))| **on);
            paths.any(|(from, ((after, before_ns), _))| {
                let in_time = || before.has_places && before.pace.allows(from, to, *after);
                *after > *before_ns + EPSILON && !in_time()
            })
        })
    }

    /// Returns the arrival time of a carried value in ns, relative to the latest value that determines the pace.
    pub(crate) fn head_ns(&self, place: usize) -> f64 {
        self.pace.head_ns.get(place).copied().unwrap_or(0.0)
    }

    /// Computes the pace from the marked paths.
    fn set_pace(&mut self) {
        if self.has_places {
            let path = |from: usize, to: usize| self.paths_ns[to][from];
            self.pace = Pace::of(self.paths_ns.len(), &self.recurrences(), path);
        }
    }

    /// Returns the carried values of every recurrence, as places among the carried values and the yielded operands; without empty
    /// recurrences.
    pub(crate) fn recurrences(&self) -> Vec<Vec<usize>> {
        if !self.has_places {
            let n_carried = self.is_on_cycle.first().map_or(0, Vec::len);
            return vec![(0..n_carried.max(self.is_on_cycle.len())).collect()];
        }
        let mut all: Vec<Vec<usize>> = Vec::new();
        for (to, row) in self.is_on_cycle.iter().enumerate() {
            if all.iter().any(|known| known.contains(&to)) || !row.contains(&true) {
                continue;
            }
            // The members of a recurrence are all values connected to `to` by paths on cycles.
            let mut members = vec![to];
            let mut next = 0;
            while let Some(at) = members.get(next).copied() {
                next += 1;
                let from = self.is_on_cycle[at].iter().enumerate();
                let new = from.filter(|(place, on)| **on && !members.contains(place));
                let new: Vec<usize> = new.map(|(place, _)| place).collect();
                members.extend(new);
            }
            all.push(members);
        }
        all
    }

    /// Marks the paths from a carried value to one that leads back to it.
    ///
    /// If a value and the operand yielded for it have no common place, every path counts.
    fn mark_cycles(&mut self) {
        let there: Vec<Vec<bool>> = self
            .paths_ns
            .iter()
            .map(|row| row.iter().map(|path| path.is_finite()).collect())
            .collect();
        if !self.has_places {
            self.is_on_cycle = there;
            return;
        }
        let n = there.len();
        // For each place, the places that can be reached from it.
        let mut reached: Vec<Vec<bool>> = vec![vec![false; n]; n];
        for (to, row) in there.iter().enumerate() {
            for (from, _) in row.iter().enumerate().filter(|(_, there)| **there) {
                reached[from][to] = true;
            }
        }
        for middle in 0..n {
            let onwards = reached[middle].clone();
            for from in reached.iter_mut().filter(|from| from[middle]) {
                for (to, onwards) in from.iter_mut().zip(&onwards) {
                    *to |= onwards;
                }
            }
        }
        let mark = |(to, row): (usize, Vec<bool>)| {
            let on = row.into_iter().enumerate();
            on.map(|(from, there)| there && (from == to || reached[to][from]))
                .collect()
        };
        self.is_on_cycle = there.into_iter().enumerate().map(mark).collect();
    }

    /// Returns true if this is strictly better than `other`; the number of operations decides between equal prices.
    pub(crate) fn is_better(&self, other: &Self, options: &RewriteOptions) -> bool {
        let price = |metrics: &Self| {
            metrics.area
                + options.area_per_ns * metrics.critical_path_ns
                + options.recurrence_area_per_ns * metrics.recurrence_ns()
        };
        let (own, others) = (price(self), price(other));
        own < others - EPSILON
            || (own <= others + EPSILON && self.n_operations < other.n_operations)
    }
}

/// Orders the chosen nodes; `None` if the choice is cyclic or uses a value before its definition.
pub(crate) fn plan(graph: &BlockGraph, chosen: Arc<Chosen>) -> Option<Plan> {
    let mut steps = Vec::new();
    // False while a class waits for its operands, true once it is emitted.
    let mut done: BTreeMap<Id, bool> = BTreeMap::new();
    for (position, user) in graph.users.iter().enumerate() {
        for (number, _, _) in &user.demands {
            let root = graph.egraph().find(graph.originals[*number].class);
            let mut stack = vec![(root, false)];
            while let Some((class, operands_done)) = stack.pop() {
                if operands_done {
                    done.insert(class, true);
                    steps.push(Step::Emit(class));
                    continue;
                }
                match done.get(&class) {
                    Some(true) => continue,
                    Some(false) => return None,
                    None => {}
                }
                let node = chosen.get(&class)?;
                if let Op::Leaf(number) = node.op {
                    let number = usize::try_from(number).expect("a leaf number is an index");
                    // A leaf made by user `p` has position `p + 1`.
                    if graph.leaf_positions[number] > position {
                        return None;
                    }
                }
                done.insert(class, false);
                stack.push((class, true));
                for child in node.value_children().iter().rev() {
                    match done.get(child) {
                        Some(true) => {}
                        Some(false) => return None,
                        None => stack.push((*child, false)),
                    }
                }
            }
        }
        steps.push(Step::User(position));
    }
    Some(Plan { chosen, steps })
}

/// Longest paths to a value: from any input, and from each loop-carried value.
#[derive(Clone)]
struct Arrival {
    any_ns: f64,
    carried_ns: Vec<f64>,
}

struct Clock<K> {
    arrivals: BTreeMap<K, Arrival>,
    n_carried: usize,
    metrics: Metrics,
}

impl<K: Ord + Copy> Clock<K> {
    fn combine(&self, inputs: impl Iterator<Item = K>, delay_ns: f64) -> Arrival {
        let mut result = Arrival {
            any_ns: 0.0,
            carried_ns: vec![f64::NEG_INFINITY; self.n_carried],
        };
        for input in inputs {
            let Some(input) = self.arrivals.get(&input) else {
                continue;
            };
            result.any_ns = result.any_ns.max(input.any_ns);
            for (longest, path) in result.carried_ns.iter_mut().zip(&input.carried_ns) {
                *longest = longest.max(*path);
            }
        }
        result.any_ns += delay_ns;
        result
            .carried_ns
            .iter_mut()
            .for_each(|path| *path += delay_ns);
        result
    }
}

/// A value of the block, or a class of the plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Value(ValueId),
    Class(Id),
}

/// Computes the costs of the block before the plan.
pub(crate) fn metrics_before(
    context: &Context,
    body: &Body,
    graph: &BlockGraph,
    cost: &dyn CostModel,
) -> Metrics {
    let mut clock = start(context, body, graph);
    let originals: BTreeMap<OperationId, usize> = graph
        .originals
        .iter()
        .enumerate()
        .map(|(i, o)| (o.operation, i))
        .collect();
    let users: BTreeMap<OperationId, usize> = graph
        .users
        .iter()
        .enumerate()
        .map(|(i, u)| (u.operation, i))
        .collect();
    for op in body.operations(graph.block) {
        if let Some(number) = originals.get(&op) {
            let original = &graph.originals[*number];
            count(
                &mut clock,
                graph,
                &original.node,
                Key::Value(original.value),
                body.operands(op).map(Key::Value),
                cost,
            );
        } else {
            use_values(
                context,
                body,
                graph,
                &mut clock,
                users[&op],
                cost,
                &Key::Value,
            );
        }
    }
    finish(context, body, graph, clock)
}

/// Computes the costs of the block after the plan.
pub(crate) fn metrics_after(
    context: &Context,
    body: &Body,
    graph: &BlockGraph,
    plan: &Plan,
    cost: &dyn CostModel,
) -> Metrics {
    let mut clock = start(context, body, graph);
    let classes: BTreeMap<ValueId, Id> = graph
        .originals
        .iter()
        .map(|original| (original.value, graph.egraph().find(original.class)))
        .collect();
    let class_key = |class: Id| match plan.chosen[&class].op {
        Op::Leaf(number) => {
            Key::Value(graph.leaves[usize::try_from(number).expect("a leaf number is an index")])
        }
        _ => Key::Class(class),
    };
    let value_key = |value: ValueId| {
        classes
            .get(&value)
            .map_or(Key::Value(value), |class| class_key(*class))
    };
    for step in &plan.steps {
        match step {
            Step::Emit(class) => {
                let node = &plan.chosen[class];
                if !matches!(node.op, Op::Leaf(_)) {
                    let inputs = node.value_children().iter().map(|id| class_key(*id));
                    count(&mut clock, graph, node, Key::Class(*class), inputs, cost);
                }
            }
            Step::User(number) => {
                use_values(context, body, graph, &mut clock, *number, cost, &value_key)
            }
        }
    }
    finish(context, body, graph, clock)
}

fn finish(context: &Context, body: &Body, graph: &BlockGraph, clock: Clock<Key>) -> Metrics {
    let mut metrics = clock.metrics;
    for (key, arrival) in &clock.arrivals {
        if let Key::Value(value) = key {
            let paths = arrival.carried_ns.iter().copied();
            let longest = paths.fold(f64::NEG_INFINITY, f64::max);
            metrics.carried_ns.insert(*value, longest);
        }
    }
    let around = body.block_parent_operation(graph.block);
    metrics.has_places =
        around.is_some_and(|op| context.operation_text(body.name(op)) == scf::For::NAME);
    metrics.mark_cycles();
    metrics.set_pace();
    metrics
}

fn count(
    clock: &mut Clock<Key>,
    graph: &BlockGraph,
    node: &Node,
    output: Key,
    inputs: impl Iterator<Item = Key>,
    cost: &dyn CostModel,
) {
    let Some((name, width, constant)) = graph.cost_key(node) else {
        return;
    };
    let price = cost.cost(name, width, constant);
    let arrival = clock.combine(inputs, price.delay_ns);
    clock.metrics.n_operations += 1;
    clock.metrics.area += price.area;
    clock.metrics.critical_path_ns = clock.metrics.critical_path_ns.max(arrival.any_ns);
    clock.arrivals.insert(output, arrival);
}

fn use_values(
    context: &Context,
    body: &Body,
    graph: &BlockGraph,
    clock: &mut Clock<Key>,
    number: usize,
    cost: &dyn CostModel,
    key: &dyn Fn(ValueId) -> Key,
) {
    let user = &graph.users[number];
    let op = user.operation;
    if number + 1 == graph.users.len() {
        for operand in body.operands(op) {
            let arrival = clock.combine([key(operand)].into_iter(), 0.0);
            clock.metrics.paths_ns.push(arrival.carried_ns);
        }
        return;
    }
    let integer = |value: &ValueId| body.ty(*value).integer_width_bits(context);
    let delay_ns = match body.results(op).first().and_then(integer) {
        Some(width) if body.regions(op).is_empty() => {
            cost.cost(context.operation_text(body.name(op)), width, false)
                .delay_ns
        }
        _ => 0.0,
    };
    let demanded = user
        .demands
        .iter()
        .map(|(number, _, _)| graph.originals[*number].value);
    let arrival = clock.combine(body.operands(op).chain(demanded).map(key), delay_ns);
    clock.metrics.critical_path_ns = clock.metrics.critical_path_ns.max(arrival.any_ns);
    for result in body.results(op) {
        clock.arrivals.insert(Key::Value(*result), arrival.clone());
    }
}

fn start(context: &Context, body: &Body, graph: &BlockGraph) -> Clock<Key> {
    let carried = graph.carried_arguments(context, body);
    let n_carried = carried.len();
    let arrivals = carried.iter().enumerate().map(|(number, value)| {
        let mut carried_ns = vec![f64::NEG_INFINITY; n_carried];
        carried_ns[number] = 0.0;
        (
            Key::Value(*value),
            Arrival {
                any_ns: 0.0,
                carried_ns,
            },
        )
    });
    Clock {
        arrivals: arrivals.collect(),
        n_carried,
        metrics: Metrics::default(),
    }
}

impl BlockGraph {
    /// Returns the block arguments that carry a value from one iteration to the next: not the induction variable of `scf.for`.
    ///
    /// Arguments of `cf` blocks may be carried by a loop and count; those of an entry block do not.
    pub(crate) fn carried_arguments<'a>(&self, context: &Context, body: &'a Body) -> &'a [ValueId] {
        let arguments = body.arguments(self.block);
        let parent = body
            .block_parent_operation(self.block)
            .map(|op| context.operation_text(body.name(op)));
        match parent {
            Some(scf::For::NAME) => arguments.get(1..).unwrap_or_default(),
            Some(scf::While::NAME) => arguments,
            _ => {
                let region = body.parent_region(self.block);
                let is_entry =
                    region.is_some_and(|region| body.blocks(region).first() == Some(&self.block));
                if is_entry { &[] } else { arguments }
            }
        }
    }

    /// Finds for each leaf the places of the carried values that it is or that a non-arithmetic operation of this block makes it
    /// from.
    pub(crate) fn mark_recurrent(&mut self, context: &Context, body: &Body) {
        let carried = self.carried_arguments(context, body);
        let place = |value: ValueId| carried.iter().position(|known| *known == value);
        let recurrent = self
            .leaves
            .iter()
            .map(|leaf| match body.value_definition(*leaf) {
                ValueDefinition::Argument { .. } => place(*leaf).into_iter().collect(),
                ValueDefinition::Result { operation, .. }
                    if body.parent_block(operation) == Some(self.block) =>
                {
                    body.operands(operation).filter_map(place).collect()
                }
                ValueDefinition::Result { .. } => Vec::new(),
            });
        self.recurrent = recurrent.collect();
    }
}
