//! The difference constraints of a problem: dependences, chaining cuts and windows as one weighted graph.
//!
//! Every constraint reads `s_to >= s_from + weight - II * distance`. Chaining is exact: for every operation whose output
//! starts a combinational path longer than the clock period, the first operation at which the path is too long must
//! start at least one cycle later. Starts never fall along such a path, so a schedule keeps these differences if and only
//! if no path within one cycle is too long.

use std::collections::BTreeMap;

use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::problem::{
    Dependence, DependenceKind, OperationId, Problem, ResourceId, TIMING_TOLERANCE_NS,
};

/// Where a constraint comes from.
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
    /// What demands it.
    pub origin: Origin,
}

impl Edge {
    /// Least difference of the starts at an II.
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
    /// Cycles of each operation until it needs nothing more.
    pub span: Vec<i64>,
}

impl Constraints {
    /// Derives the constraints of a checked problem.
    ///
    /// Complexity: the timing part visits, from each operation, only what fits into one clock period.
    pub fn new(problem: &Problem) -> Self {
        let operation_count = problem.operations.len();
        let rank = data_rank(problem);
        let mut edges = Vec::new();
        for (index, dependence) in problem.dependences.iter().enumerate() {
            edges.push(Edge {
                from: dependence.from.index(),
                to: dependence.to.index(),
                weight: least_gap(problem, dependence),
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

    /// The node that stands for cycle 0.
    pub fn zero(&self) -> usize {
        self.operation_count
    }

    /// These constraints and some more.
    pub fn with(&self, more: impl IntoIterator<Item = Edge>) -> Self {
        let mut constraints = self.clone();
        constraints.edges.extend(more);
        constraints.sort();
        constraints
    }

    /// Keeps, of equal constraints, only the tightest, and sorts them by the rank of their source.
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

fn least_gap(problem: &Problem, dependence: &Dependence) -> i64 {
    let latency = i64::from(problem.operation(dependence.from).latency_cycles);
    match dependence.kind {
        DependenceKind::Order { min_gap_cycles } => min_gap_cycles,
        DependenceKind::Data { chained } => {
            let registered = !chained || (latency == 0 && dependence.distance > 0);
            latency + i64::from(registered)
        }
    }
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

/// Chained readers of each operation's result, with the distance.
fn chained_readers(problem: &Problem) -> Vec<Vec<(usize, u32)>> {
    let mut readers = vec![Vec::new(); problem.operations.len()];
    for dependence in &problem.dependences {
        let combinational = problem.operation(dependence.from).latency_cycles == 0;
        if dependence.kind == (DependenceKind::Data { chained: true })
            && (dependence.distance == 0 || !combinational)
        {
            readers[dependence.from.index()].push((dependence.to.index(), dependence.distance));
        }
    }
    readers
}

/// Adds, for each source of a path, the nearest operations that the path reaches too late.
fn timing_edges(problem: &Problem, rank: &[usize], edges: &mut Vec<Edge>) {
    let readers = chained_readers(problem);
    let mut order: Vec<usize> = (0..problem.operations.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(rank[index]));
    // Targets already cut from each combinational source; a longer path through it needs no cut of its own.
    let mut cut: Vec<Vec<usize>> = vec![Vec::new(); problem.operations.len()];
    let combinational = |index: usize| problem.operations[index].latency_cycles == 0;
    // Combinational sources first: a registered source may be read by an earlier one across iterations.
    let (first, second): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|&index| combinational(index));
    for source in first.into_iter().chain(second) {
        let mut distances: Vec<u32> = readers[source]
            .iter()
            .map(|&(_, distance)| distance)
            .collect();
        distances.sort_unstable();
        distances.dedup();
        for distance in distances {
            let targets = late_targets(problem, rank, &readers, source, distance).late;
            for target in targets.keys().copied() {
                let implied = readers[source].iter().any(|&(reader, reader_distance)| {
                    reader_distance == distance
                        && combinational(reader)
                        && cut[reader].binary_search(&target).is_ok()
                });
                if !implied {
                    let weight = i64::from(problem.operations[source].latency_cycles) + 1;
                    let distance = i64::from(distance);
                    edges.push(Edge {
                        from: source,
                        to: target,
                        weight,
                        distance,
                        origin: Origin::Timing,
                    });
                }
            }
            if combinational(source) {
                cut[source] = targets.into_keys().collect();
            }
        }
    }
}

/// What the paths from one source reach within a cycle, or just too late.
struct Cone {
    /// The operations reached too late, with the time of arrival in ns.
    late: BTreeMap<usize, f64>,
    /// For each operation reached, who sends its latest operand.
    sender: BTreeMap<usize, usize>,
}

/// Follows the paths from `source`, whose first hop crosses `distance` iterations, until they are too long.
fn late_targets(
    problem: &Problem,
    rank: &[usize],
    readers: &[Vec<(usize, u32)>],
    source: usize,
    distance: u32,
) -> Cone {
    let producer = &problem.operations[source];
    let limit_ns = problem.clock_period_ns + TIMING_TOLERANCE_NS / 2.0;
    let mut cone = Cone {
        late: BTreeMap::new(),
        sender: BTreeMap::new(),
    };
    // Operations still to visit by rank, with the latest arrival of an operand so far.
    let mut open: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut send =
        |open: &mut BTreeMap<(usize, usize), f64>, to: usize, arrival_ns: f64, from: usize| {
            let entry = open.entry((rank[to], to)).or_insert(f64::NEG_INFINITY);
            if arrival_ns > *entry {
                *entry = arrival_ns;
                cone.sender.insert(to, from);
            }
        };
    let departure_ns = if producer.latency_cycles == 0 {
        producer.input_delay_ns
    } else {
        producer.output_delay_ns
    };
    for &(reader, reader_distance) in &readers[source] {
        if reader_distance == distance {
            send(&mut open, reader, departure_ns, source);
        }
    }
    while let Some(((_, index), operand_ns)) = open.pop_first() {
        let operation = &problem.operations[index];
        let arrival_ns = operand_ns + operation.input_delay_ns;
        if arrival_ns > limit_ns {
            cone.late.insert(index, arrival_ns);
        } else if operation.latency_cycles == 0 {
            for &(reader, _) in &readers[index] {
                send(&mut open, reader, arrival_ns, index);
            }
        }
    }
    cone
}

/// A combinational path that is longer than the clock period.
#[derive(Clone, Debug, PartialEq)]
pub struct LatePath {
    /// The operations from the source to the one that is reached too late.
    pub operations: Vec<OperationId>,
    /// Delay of the path in ns.
    pub delay_ns: f64,
}

/// The path behind a timing constraint.
pub fn late_path(problem: &Problem, constraints: &Constraints, edge: &Edge) -> LatePath {
    let readers = chained_readers(problem);
    let distance =
        u32::try_from(edge.distance).expect("timing constraints have the distance of a dependence");
    let cone = late_targets(problem, &constraints.rank, &readers, edge.from, distance);
    let mut operations = vec![OperationId::from_index(edge.to)];
    let mut at = edge.to;
    loop {
        at = cone.sender[&at];
        operations.push(OperationId::from_index(at));
        if at == edge.from {
            break;
        }
    }
    operations.reverse();
    LatePath {
        operations,
        delay_ns: cone.late[&edge.to],
    }
}
