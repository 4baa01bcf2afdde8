//! The difference constraints of a problem: dependences, chaining limits and start windows as one weighted graph.
//!
//! Every constraint reads `s_to >= s_from + weight - II * distance`. Chaining is exact: for every operation whose output starts a
//! combinational path longer than the clock period, the first operation at which the path is too long must start at least one
//! cycle later. Starts never decrease along a combinational path, so a schedule keeps these differences if and only if no path
//! within one cycle is too long.

use std::collections::BTreeMap;

use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::problem::{
    Dependence, DependenceKind, OperationId, Problem, ResourceId, TIMING_TOLERANCE_NS,
};

/// The origin of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A dependence of the problem, by position.
    Dependence(usize),
    /// A combinational path that a register must cut.
    Timing,
    /// The earliest start of an operation, or cycle 0.
    Earliest,
    /// The latest start of an operation.
    Latest,
    /// The order of two operations on one unit.
    Unit(ResourceId),
    /// The length within which all operations must end.
    Length,
}

/// The constraint `s_to >= s_from + weight - II * distance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Node that comes first.
    pub from: usize,
    /// Node that waits.
    pub to: usize,
    /// Least difference in cycles at distance 0.
    pub weight: i64,
    /// Iterations between the two; negative only for the order of operations on one unit.
    pub distance: i64,
    /// The reason for the constraint.
    pub origin: Origin,
}

impl Edge {
    /// Returns the least difference of the starts at an II.
    pub fn gap(&self, ii: i64) -> i64 {
        self.weight - ii * self.distance
    }
}

/// All difference constraints of a problem; the last node is cycle 0.
#[derive(Clone, Debug)]
pub struct Constraints {
    /// Operations, without the node of cycle 0.
    pub operation_count: usize,
    /// The constraints, ordered so that one pass over them settles most of an acyclic problem.
    pub edges: Vec<Edge>,
    /// Position of each operation in an order in which data flows forwards.
    pub rank: Vec<usize>,
    /// Span of each operation in cycles, from its start until it has ended.
    pub span: Vec<i64>,
}

impl Constraints {
    /// Derives the constraints of a checked problem.
    ///
    /// Complexity: the timing part visits, from each operation, only the operations that fit into one clock period.
    pub fn new(problem: &Problem) -> Self {
        let operation_count = problem.operations.len();
        let rank = data_rank(problem);
        let mut edges = Vec::new();
        for (index, dependence) in problem.dependences.iter().enumerate() {
            edges.push(Edge {
                from: dependence.from.index(),
                to: dependence.to.index(),
                weight: min_gap(problem, dependence),
                distance: i64::from(dependence.distance),
                origin: Origin::Dependence(index),
            });
        }
        timing_edges(problem, &rank, &mut edges);
        let zero = operation_count;
        for (index, operation) in problem.operations.iter().enumerate() {
            let weight = i64::from(operation.earliest.unwrap_or(0));
            edges.push(Edge {
                from: zero,
                to: index,
                weight,
                distance: 0,
                origin: Origin::Earliest,
            });
            if let Some(latest) = operation.latest {
                let weight = -i64::from(latest);
                edges.push(Edge {
                    from: index,
                    to: zero,
                    weight,
                    distance: 0,
                    origin: Origin::Latest,
                });
            }
        }
        let mut constraints = Self {
            operation_count,
            edges,
            rank,
            span: problem
                .operations
                .iter()
                .map(|operation| i64::from(operation.span_cycles()))
                .collect(),
        };
        constraints.sort();
        constraints
    }

    /// Returns the node that represents cycle 0.
    pub fn zero(&self) -> usize {
        self.operation_count
    }

    /// Returns these constraints with `more` added.
    pub fn with(&self, more: impl IntoIterator<Item = Edge>) -> Self {
        let mut constraints = self.clone();
        constraints.edges.extend(more);
        constraints.sort();
        constraints
    }

    /// Keeps only the tightest of equal constraints, and sorts them by the rank of their source.
    fn sort(&mut self) {
        let (rank, zero) = (&self.rank, self.zero());
        let place = |node: usize| if node == zero { 0 } else { rank[node] + 1 };
        self.edges.sort_by_key(|edge| {
            (
                place(edge.from),
                edge.from,
                edge.to,
                edge.distance,
                -edge.weight,
            )
        });
        self.edges
            .dedup_by_key(|edge| (edge.from, edge.to, edge.distance));
    }
}

/// Returns the cycles that a dependence keeps between the starts of its operations, at distance 0.
pub(crate) fn min_gap(problem: &Problem, dependence: &Dependence) -> i64 {
    let latency = i64::from(problem.operation(dependence.from).latency_cycles);
    match dependence.kind {
        DependenceKind::Order { min_gap_cycles } => min_gap_cycles,
        DependenceKind::Data { chained } => {
            latency + i64::from(!chained || is_registered(problem, dependence))
        }
    }
}

/// Returns true if a register holds the value where a combinational result crosses iterations.
fn is_registered(problem: &Problem, dependence: &Dependence) -> bool {
    let combinational = problem.operation(dependence.from).latency_cycles == 0;
    combinational && dependence.distance > 0 && !dependence.forwarded
}

fn data_rank(problem: &Problem) -> Vec<usize> {
    let mut graph =
        DiGraph::<(), ()>::with_capacity(problem.operations.len(), problem.dependences.len());
    for _ in &problem.operations {
        graph.add_node(());
    }
    for dependence in &problem.dependences {
        if dependence.distance == 0 && matches!(dependence.kind, DependenceKind::Data { .. }) {
            graph.add_edge(
                NodeIndex::new(dependence.from.index()),
                NodeIndex::new(dependence.to.index()),
                (),
            );
        }
    }
    let order =
        toposort(&graph, None).expect("checked problems have no cycle of data at distance 0");
    let mut rank = vec![0; order.len()];
    for (position, node) in order.into_iter().enumerate() {
        rank[node.index()] = position;
    }
    rank
}

/// Returns the chained readers of each operation's result, with the distance.
fn chained_readers(problem: &Problem) -> Vec<Vec<(usize, u32)>> {
    let mut readers = vec![Vec::new(); problem.operations.len()];
    for dependence in &problem.dependences {
        if dependence.kind == (DependenceKind::Data { chained: true })
            && !is_registered(problem, dependence)
        {
            readers[dependence.from.index()].push((dependence.to.index(), dependence.distance));
        }
    }
    readers
}

/// An operation that a path reaches, and the number of iterations by which it is later.
type Reached = (usize, u32);

/// Iterations that a path may cross after its first hop. A register cuts any path that crosses more.
const MAX_CROSSED: u32 = 8;

/// Adds, for each source of a path, the nearest operations that the path reaches too late.
fn timing_edges(problem: &Problem, rank: &[usize], edges: &mut Vec<Edge>) {
    let readers = chained_readers(problem);
    let mut order: Vec<usize> = (0..problem.operations.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(rank[index]));
    // Targets already cut from each combinational source; a longer path through that source needs no cut of its own.
    let mut cut: Vec<Vec<Reached>> = vec![Vec::new(); problem.operations.len()];
    let combinational = |index: usize| problem.operations[index].latency_cycles == 0;
    // Combinational sources first: a registered source may be read by an earlier one across iterations.
    let (first, second): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|&index| combinational(index));
    for source in first.into_iter().chain(second) {
        let late = late_targets(problem, rank, &readers, source).late;
        for (target, distance) in late.keys().copied() {
            let implied = readers[source].iter().any(|&(reader, crossed)| {
                let rest = distance.checked_sub(crossed);
                let is_cut = |rest| cut[reader].binary_search(&(target, rest)).is_ok();
                combinational(reader) && rest.is_some_and(is_cut)
            });
            if !implied {
                edges.push(Edge {
                    from: source,
                    to: target,
                    weight: i64::from(problem.operations[source].latency_cycles) + 1,
                    distance: i64::from(distance),
                    origin: Origin::Timing,
                });
            }
        }
        if combinational(source) {
            cut[source] = late.into_keys().collect();
        }
    }
}

/// The operations that the paths from one source reach within a cycle, or just too late.
struct Cone {
    /// The operations reached too late, with the time of arrival in ns.
    late: BTreeMap<Reached, f64>,
    /// For each operation reached, the sender of its latest operand.
    sender: BTreeMap<Reached, Reached>,
}

/// Follows the paths from `source` until they are too long. No path within one cycle returns to a combinational source, because
/// two iterations would then start in the same cycle.
fn late_targets(
    problem: &Problem,
    rank: &[usize],
    readers: &[Vec<Reached>],
    source: usize,
) -> Cone {
    let producer = &problem.operations[source];
    let limit_ns = problem.clock_period_ns + TIMING_TOLERANCE_NS / 2.0;
    let mut cone = Cone {
        late: BTreeMap::new(),
        sender: BTreeMap::new(),
    };
    // Operations still to visit by iteration and rank, with the latest arrival of an operand so far.
    let mut open: BTreeMap<(u32, usize, usize), f64> = BTreeMap::new();
    let first_hops = readers[source].iter().map(|&(_, distance)| distance);
    let furthest = first_hops.max().unwrap_or(0).saturating_add(MAX_CROSSED);
    let mut at = (source, 0);
    let mut operand_ns = if producer.latency_cycles == 0 {
        producer.input_delay_ns
    } else {
        producer.output_delay_ns
    };
    loop {
        let is_source = at == (source, 0);
        let operation = &problem.operations[at.0];
        let arrival_ns = operand_ns
            + if is_source {
                0.0
            } else {
                operation.input_delay_ns
            };
        if !is_source && (arrival_ns > limit_ns || at.1 > furthest) {
            cone.late.insert(at, arrival_ns);
        } else if is_source || operation.latency_cycles == 0 {
            for &(reader, crossed) in &readers[at.0] {
                if reader == source && producer.latency_cycles == 0 {
                    continue;
                }
                let reached = (reader, at.1 + crossed);
                let entry = open
                    .entry((reached.1, rank[reader], reader))
                    .or_insert(f64::NEG_INFINITY);
                if arrival_ns > *entry {
                    *entry = arrival_ns;
                    cone.sender.insert(reached, at);
                }
            }
        }
        let Some(((distance, _, index), ns)) = open.pop_first() else {
            return cone;
        };
        (at, operand_ns) = ((index, distance), ns);
    }
}

/// A combinational path that is longer than the clock period.
#[derive(Clone, Debug, PartialEq)]
pub struct LatePath {
    /// The operations from the source to the one that is reached too late.
    pub operations: Vec<OperationId>,
    /// Delay of the path in ns.
    pub delay_ns: f64,
}

/// Returns the path that causes a timing constraint.
pub fn late_path(problem: &Problem, constraints: &Constraints, edge: &Edge) -> LatePath {
    let readers = chained_readers(problem);
    let distance =
        u32::try_from(edge.distance).expect("timing constraints have the distance of a path");
    let cone = late_targets(problem, &constraints.rank, &readers, edge.from);
    let mut operations = vec![OperationId::from_index(edge.to)];
    let mut at = (edge.to, distance);
    loop {
        at = cone.sender[&at];
        operations.push(OperationId::from_index(at.0));
        if at == (edge.from, 0) {
            break;
        }
    }
    operations.reverse();
    LatePath {
        operations,
        delay_ns: cone.late[&(edge.to, distance)],
    }
}
