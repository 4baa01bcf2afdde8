//! Moves operations within a fixed length so that values live as few register bits times cycles as possible.
//!
//! With the order on the units fixed, all constraints are differences. A value lives from the cycle in which it appears to its
//! last reader, one more difference per reader, so the linear program is totally unimodular and its optimum integral. Among all
//! optimal starts the least are taken, so that the result is the same for every solver.

use good_lp::variable;

use crate::constraints::Edge;
use crate::linear::{Budget, Column, Model, Outcome};
use crate::longest_path::{earliest_starts, latest_starts};
use crate::optimal_face::{Difference, Potentials};
use crate::problem::{DependenceKind, Problem};
use crate::task::ends;
use crate::unit_order::Ordered;

/// Starts with few register bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Start cycles.
    pub start: Vec<i64>,
    /// Sum over all values of width times cycles of lifetime.
    pub register_bits: u64,
    /// True if no starts with this length and order on the units need fewer.
    pub proved: bool,
    /// The reason why the linear program was not used or not trusted, if so.
    pub remark: Option<String>,
}

/// The readers of each value: operation, distance in cycles.
type Readers = Vec<Vec<(usize, i64)>>;

/// The flow check of local moves may run on this many times `lp_operations` operations: 2,500 take 30 ms, 48,000 take 20 s.
const FLOW_TO_PROGRAM: usize = 4;

/// Minimises register bits at the length of `ordered`; uses only local moves above `lp_operations` operations.
pub fn minimise(
    problem: &Problem,
    ordered: &Ordered,
    ii: Option<i64>,
    lp_operations: usize,
) -> Assignment {
    let period = ii.unwrap_or(0);
    let readers = readers(problem, period);
    let constraints = &ordered.constraints;
    let bounded = constraints.with(ends(constraints, ordered.length));
    let mut head =
        earliest_starts(&bounded, period).expect("the least starts end within the length");
    head.truncate(constraints.operation_count);
    let latest: Vec<i64> = latest_starts(&bounded, period)
        .into_iter()
        .map(|latest| latest.expect("the length bounds every start"))
        .collect();
    let edges: Vec<Edge> = bounded
        .edges
        .iter()
        .filter(|edge| {
            edge.from < bounded.operation_count
                && edge.to < bounded.operation_count
                && edge.from != edge.to
        })
        .filter(|edge| latest[edge.from] + edge.gap(period) > head[edge.to])
        .copied()
        .collect();
    let sweeps = Sweeps {
        problem,
        readers: &readers,
        edges: &edges,
        period,
        head: &head,
        latest: &latest,
    };
    let mut by_moves = Assignment {
        start: sweeps.run(),
        register_bits: 0,
        proved: false,
        remark: None,
    };
    by_moves.register_bits = register_bits(problem, &readers, &by_moves.start);
    if by_moves.register_bits == 0 {
        by_moves.proved = true;
        return by_moves;
    }
    let program = Program::new(problem, &readers, &edges, period, &head, &latest);
    let optimum = |start: Vec<i64>| Assignment {
        register_bits: register_bits(problem, &readers, &start),
        start,
        proved: true,
        remark: None,
    };
    let is_looked_at = problem.operations.len() <= lp_operations.saturating_mul(FLOW_TO_PROGRAM);
    let least = is_looked_at.then(|| program.least_optimum(&by_moves.start));
    if let Some(start) = least.flatten() {
        return optimum(start);
    }
    if problem.operations.len() > lp_operations {
        by_moves.remark = Some(format!(
            "register lifetimes are shortened by local moves only: {} operations are more than the {lp_operations} of the linear program",
            problem.operations.len()
        ));
        return by_moves;
    }
    let solved =
        by_linear_program(problem, &readers, &edges, period, &head, &latest).and_then(|start| {
            program
                .least_optimum(&start)
                .ok_or_else(|| "the linear solver returned an inexact solution".to_owned())
        });
    match solved {
        Ok(start) => optimum(start),
        Err(reason) => {
            by_moves.remark = Some(format!(
                "register lifetimes are shortened by local moves only: {reason}"
            ));
            by_moves
        }
    }
}

/// The lifetimes as potentials: node 0 is cycle 0, then the operations, then the last reader of each value that needs registers.
struct Program<'a> {
    potentials: Potentials,
    problem: &'a Problem,
    readers: &'a Readers,
    /// Operations whose values need registers.
    values: Vec<usize>,
}

impl<'a> Program<'a> {
    fn new(
        problem: &'a Problem,
        readers: &'a Readers,
        edges: &[Edge],
        period: i64,
        head: &[i64],
        latest: &[i64],
    ) -> Self {
        let count = head.len();
        let values: Vec<usize> = (0..count)
            .filter(|index| {
                problem.operations[*index].width_bits > 0 && !readers[*index].is_empty()
            })
            .collect();
        let mut weights = vec![0; 1 + count + values.len()];
        let mut differences = Vec::new();
        let mut differ = |from, to, gap| differences.push(Difference { from, to, gap });
        for index in 0..count {
            differ(0, 1 + index, head[index]);
            differ(1 + index, 0, -latest[index]);
        }
        for edge in edges {
            differ(1 + edge.from, 1 + edge.to, edge.gap(period));
        }
        for (place, index) in values.iter().enumerate() {
            let end = 1 + count + place;
            for &(reader, shift) in &readers[*index] {
                differ(1 + reader, end, shift);
            }
            // With an unchanged value, the latest one available may be from many iterations earlier.
            let latency = problem.operations[*index].latency_cycles;
            differ(1 + index, end, i64::from(latency));
            let width = i64::from(problem.operations[*index].width_bits);
            weights[end] += width;
            weights[1 + index] -= width;
        }
        Self {
            potentials: Potentials {
                weights,
                differences,
            },
            problem,
            readers,
            values,
        }
    }

    /// Returns the least starts among all that need as few register bits as `start`, if `start` is optimal.
    fn least_optimum(&self, start: &[i64]) -> Option<Vec<i64>> {
        let ends = self.values.iter().map(|index| {
            let reads = self.readers[*index]
                .iter()
                .map(|&(reader, shift)| start[reader] + shift);
            let appears = start[*index] + i64::from(self.problem.operations[*index].latency_cycles);
            reads.max().unwrap_or(0).max(appears)
        });
        let values: Vec<i64> = [0]
            .into_iter()
            .chain(start.iter().copied())
            .chain(ends)
            .collect();
        let least = self.potentials.least_optimum(&values)?;
        Some(least[1..=start.len()].to_vec())
    }
}

/// Returns the starts of `ordered` unchanged, with their register bits.
pub fn unchanged(problem: &Problem, ordered: &Ordered, ii: Option<i64>) -> Assignment {
    let readers = readers(problem, ii.unwrap_or(0));
    let register_bits = register_bits(problem, &readers, &ordered.start);
    Assignment {
        start: ordered.start.clone(),
        register_bits,
        proved: register_bits == 0,
        remark: None,
    }
}

fn readers(problem: &Problem, period: i64) -> Readers {
    let mut readers = vec![Vec::new(); problem.operations.len()];
    for dependence in &problem.dependences {
        if matches!(dependence.kind, DependenceKind::Data { .. }) {
            let distance = match dependence.unchanged {
                true => dependence.distance.min(1),
                false => dependence.distance,
            };
            let shift = period * i64::from(distance);
            readers[dependence.from.index()].push((dependence.to.index(), shift));
        }
    }
    readers
}

/// Returns the cycles from the appearance of a value to its last reader; 0 if the last reader takes the value of a much earlier
/// iteration.
fn lifetime(problem: &Problem, readers: &Readers, start: &[i64], index: usize) -> i64 {
    let appears = start[index] + i64::from(problem.operations[index].latency_cycles);
    let last = readers[index]
        .iter()
        .map(|&(reader, shift)| start[reader] + shift)
        .max();
    last.map_or(0, |last| (last - appears).max(0))
}

fn register_bits(problem: &Problem, readers: &Readers, start: &[i64]) -> u64 {
    let bits = |index: usize| {
        let cycles = u64::try_from(lifetime(problem, readers, start, index))
            .expect("lifetimes are not negative");
        cycles * u64::from(problem.operations[index].width_bits)
    };
    (0..start.len()).map(bits).sum()
}

fn by_linear_program(
    problem: &Problem,
    readers: &Readers,
    edges: &[Edge],
    period: i64,
    head: &[i64],
    latest: &[i64],
) -> Result<Vec<i64>, String> {
    let mut model = Model::default();
    let movable = |index: usize| head[index] < latest[index];
    let start: Vec<Option<Column>> = (0..head.len())
        .map(|index| {
            movable(index)
                .then(|| model.column(variable().min(float(head[index])).max(float(latest[index]))))
        })
        .collect();
    // An operation that cannot move is a constant.
    let term = |index: usize| match start[index] {
        Some(column) => good_lp::Expression::from(column.variable),
        None => good_lp::Expression::from(float(head[index])),
    };
    for edge in edges {
        if movable(edge.from) || movable(edge.to) {
            model.row((term(edge.to) - term(edge.from)).geq(float(edge.gap(period))));
        }
    }
    for (index, operation) in problem.operations.iter().enumerate() {
        let moves = movable(index) || readers[index].iter().any(|&(reader, _)| movable(reader));
        if operation.width_bits == 0 || readers[index].is_empty() || !moves {
            continue;
        }
        let width = f64::from(operation.width_bits);
        let end = model.column(variable().min(float(head[index])));
        for &(reader, shift) in &readers[index] {
            model.row((end.variable - term(reader)).geq(float(shift)));
        }
        let latency = float(i64::from(operation.latency_cycles));
        model.row((end.variable - term(index)).geq(latency));
        model.cost(end, width);
        if let Some(column) = start[index] {
            model.cost(column, -width);
        }
    }
    // The program has no integer variables: it needs no node limit, and no time limit makes the result depend on the machine.
    let values = match model.solve(Budget {
        nodes: u32::MAX,
        time_limit_s: None,
    }) {
        Outcome::Optimal(values) => values,
        Outcome::Feasible(_) => {
            return Err("the linear program was not solved to its optimum".to_owned());
        }
        Outcome::Infeasible => return Err("the linear solver wrongly found no solution".to_owned()),
        Outcome::Unknown(reason) => return Err(reason),
    };
    let mut rounded = head.to_vec();
    for (index, column) in start.iter().enumerate() {
        if let Some(column) = column {
            rounded[index] = values[column.index].round() as i64;
        }
    }
    let within =
        (0..head.len()).all(|index| (head[index]..=latest[index]).contains(&rounded[index]));
    let kept = edges
        .iter()
        .all(|edge| rounded[edge.to] - rounded[edge.from] >= edge.gap(period));
    if within && kept {
        Ok(rounded)
    } else {
        Err("the linear solver returned an inexact solution".to_owned())
    }
}

/// Converts to `f64`, exactly for every number of cycles below 2^53.
fn float(value: i64) -> f64 {
    value as f64
}

/// Local moves: each operation moves to its best place between its neighbours until no move gains.
struct Sweeps<'a> {
    problem: &'a Problem,
    readers: &'a Readers,
    edges: &'a [Edge],
    period: i64,
    head: &'a [i64],
    latest: &'a [i64],
}

impl Sweeps<'_> {
    /// Number of sweeps, enough for chains to settle; each sweep runs once forwards and once backwards.
    const SWEEPS: usize = 16;

    /// Limit of readers visited by all sweeps: a value with n readers costs n^2 visits in each direction.
    const EFFORT: usize = 200_000_000;

    fn run(&self) -> Vec<i64> {
        let count = self.head.len();
        let mut start = self.head.to_vec();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&index| (self.head[index], index));
        let mut touching: Vec<Vec<Edge>> = vec![Vec::new(); count];
        for edge in self.edges {
            touching[edge.from].push(*edge);
            touching[edge.to].push(*edge);
        }
        let mut producers: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (producer, readers) in self.readers.iter().enumerate() {
            for &(reader, _) in readers {
                producers[reader].push(producer);
            }
        }
        for list in &mut producers {
            list.sort_unstable();
            list.dedup();
        }
        let squares = self.readers.iter().map(|readers| readers.len().pow(2));
        let sweep = 2 * squares.sum::<usize>();
        for _ in 0..Self::SWEEPS.min(Self::EFFORT / sweep.max(1)) {
            let mut moved = false;
            for &index in order.iter().rev().chain(&order) {
                moved |= self.improve(index, &mut start, &touching[index], &producers[index]);
            }
            if !moved {
                break;
            }
        }
        start
    }

    fn improve(
        &self,
        index: usize,
        start: &mut [i64],
        touching: &[Edge],
        producers: &[usize],
    ) -> bool {
        let (mut low, mut high) = (self.head[index], self.latest[index]);
        for edge in touching {
            if edge.to == index {
                low = low.max(start[edge.from] + edge.gap(self.period));
            } else {
                high = high.min(start[edge.to] - edge.gap(self.period));
            }
        }
        let before = start[index];
        // The cost is convex and piecewise linear; it bends only at the ends of other lifetimes.
        let mut places = vec![before, low, high];
        let mut values = Vec::with_capacity(producers.len() + 1);
        for &producer in producers {
            let mut value = self.value(producer, index);
            for &(reader, shift) in &self.readers[producer] {
                if reader == index {
                    value.own_shift = value.own_shift.max(Some(shift));
                } else {
                    let read = start[reader] + shift;
                    value.last_of_others = value.last_of_others.max(Some(read));
                }
            }
            if producer != index {
                value.appears += start[producer];
            }
            let own = self.readers[producer].iter();
            for (_, own_shift) in own.filter(|(reader, _)| *reader == index) {
                let reads = self.readers[producer]
                    .iter()
                    .filter(|(reader, _)| *reader != index);
                let bends = reads.map(|&(reader, shift)| start[reader] + shift - own_shift);
                places.extend(bends.filter(|place| (low..=high).contains(place)));
            }
            values.push(value);
        }
        if !producers.contains(&index) {
            let mut value = self.value(index, index);
            let reads = self.readers[index].iter();
            value.last_of_others = reads.map(|&(reader, shift)| start[reader] + shift).max();
            values.push(value);
        }
        places.retain(|place| (low..=high).contains(place));
        places.sort_unstable();
        places.dedup();
        let cost = |place: i64| values.iter().map(|value| value.bits(place)).sum::<i64>();
        let mut best = (cost(before), before);
        for place in places {
            let cost = cost(place);
            if cost < best.0 {
                best = (cost, place);
            }
        }
        start[index] = best.1;
        best.1 != before
    }

    /// Returns the value that operation `of` makes, without its readers, for a move of operation `moving`.
    fn value(&self, of: usize, moving: usize) -> Value {
        let operation = &self.problem.operations[of];
        Value {
            width: i64::from(operation.width_bits),
            appears: i64::from(operation.latency_cycles),
            moves: of == moving,
            last_of_others: None,
            own_shift: None,
        }
    }
}

/// A value whose lifetime depends on the start of the operation that is moved: it makes the value, reads it, or both.
struct Value {
    width: i64,
    /// The cycle in which the value appears; relative to the start of the moved operation if that operation makes it.
    appears: i64,
    /// True if the moved operation makes it.
    moves: bool,
    /// The last cycle in which another operation reads it.
    last_of_others: Option<i64>,
    /// The offset from the start of the moved operation to its last read, if it reads the value.
    own_shift: Option<i64>,
}

impl Value {
    /// Returns the register bits times cycles with the moved operation at `place`.
    fn bits(&self, place: i64) -> i64 {
        let own = self.own_shift.map(|shift| place + shift);
        let Some(last) = self.last_of_others.max(own) else {
            return 0;
        };
        let appears = self.appears + if self.moves { place } else { 0 };
        self.width * (last - appears).max(0)
    }
}
