//! Compares the solvers with an exhaustive search on small random problems, and checks that the checker rejects mutated
//! schedules.

use proptest::prelude::*;
use sluice_schedule::checker::verify;
use sluice_schedule::error::ScheduleError;
use sluice_schedule::options::SolverOptions;
use sluice_schedule::problem::{
    Dependence, DependenceKind, Initiation, Operation, OperationId, Problem, Resource, ResourceId,
    Schedule,
};
use sluice_schedule::solve::solve;
use sluice_schedule::task::Method;

const CLOCK_PERIOD_NS: f64 = 10.0;

/// A problem that is printed as its text when a property fails.
#[derive(Clone)]
struct Shown(Problem);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", self.0)
    }
}

/// Latency, input delay, output delay, resource choice, occupancy, width, earliest, latest.
type RawOperation = (u32, u32, u32, usize, u32, u32, Option<u32>, Option<u32>);

/// From, to, distance, kind choice, gap.
type RawDependence = (usize, usize, u32, u32, i64);

fn raw_operation() -> impl Strategy<Value = RawOperation> {
    (
        prop_oneof![3 => Just(0u32), 2 => Just(1), 1 => Just(2)],
        1u32..7,
        1u32..5,
        0usize..4,
        prop_oneof![4 => Just(1u32), 1 => Just(2)],
        0u32..33,
        proptest::option::weighted(0.1, 0u32..3),
        proptest::option::weighted(0.1, 3u32..7),
    )
}

fn problem(pipelined: bool) -> impl Strategy<Value = Shown> {
    let dependence = (0usize..6, 0usize..6, 0u32..3, 0u32..12, -3i64..3);
    (
        proptest::collection::vec(raw_operation(), 1..=6),
        proptest::collection::vec(dependence, 0..9),
        1u32..3,
    )
        .prop_map(move |(operations, dependences, count)| {
            Shown(build(pipelined, operations, dependences, count))
        })
}

fn build(
    pipelined: bool,
    operations: Vec<RawOperation>,
    dependences: Vec<RawDependence>,
    count: u32,
) -> Problem {
    let size = operations.len();
    let operations = operations.into_iter().enumerate().map(|(index, raw)| {
        let (latency, input, output, resource, occupancy, width_bits, earliest, latest) = raw;
        let resource = (resource < 2).then(|| ResourceId::from_index(resource));
        Operation {
            name: format!("%{index} = random"),
            class: "random".to_owned(),
            latency_cycles: latency,
            input_delay_ns: f64::from(input),
            output_delay_ns: if latency == 0 { 0.0 } else { f64::from(output) },
            resource,
            occupancy_cycles: if resource.is_some() { occupancy } else { 1 },
            width_bits,
            earliest,
            latest,
        }
    });
    let dependences = dependences
        .into_iter()
        .map(|(from, to, distance, kind, gap)| {
            let forwarded = kind >= 8;
            let (mut from, mut to) = (from % size, to % size);
            let mut distance = if pipelined { distance } else { 0 };
            let kind = match kind {
                0..5 | 8.. => DependenceKind::Data { chained: true },
                5 => DependenceKind::Data { chained: false },
                _ => DependenceKind::Order {
                    min_gap_cycles: gap,
                },
            };
            if distance == 0 && matches!(kind, DependenceKind::Data { .. }) {
                // Within one iteration, data flows from lower to higher ids.
                (from, to) = (from.min(to), from.max(to));
                distance = u32::from(pipelined && from == to);
            }
            Dependence {
                from: OperationId::from_index(from),
                to: OperationId::from_index(to),
                distance,
                kind,
                unchanged: false,
                forwarded,
            }
        });
    let dependences = dependences
        .filter(|dependence| {
            pipelined
                || dependence.from != dependence.to
                || matches!(dependence.kind, DependenceKind::Order { .. })
        })
        .collect();
    Problem {
        name: "random".to_owned(),
        clock_period_ns: CLOCK_PERIOD_NS,
        operations: operations.collect(),
        dependences,
        resources: vec![
            Resource {
                name: "first unit".to_owned(),
                count: 1,
            },
            Resource {
                name: "second unit".to_owned(),
                count,
            },
        ],
        initiation: if pipelined {
            Initiation::pipelined()
        } else {
            Initiation::Once
        },
    }
}

/// Depth-first enumeration of all starts and units.
struct Enumeration<'a> {
    problem: &'a Problem,
    ii: Option<i64>,
    length: i64,
    start: Vec<i64>,
    unit: Vec<u32>,
}

impl Enumeration<'_> {
    fn finds_schedule(problem: &Problem, ii: Option<i64>, length: i64) -> bool {
        Enumeration {
            problem,
            ii,
            length,
            start: Vec::new(),
            unit: Vec::new(),
        }
        .extend()
    }

    fn extend(&mut self) -> bool {
        let index = self.start.len();
        if index == self.problem.operations.len() {
            return self.paths_fit();
        }
        let operation = &self.problem.operations[index];
        let units = operation
            .resource
            .map_or(1, |resource| self.problem.resource(resource).count);
        let last = self.length - i64::from(operation.span_cycles());
        for start in i64::from(operation.earliest.unwrap_or(0))
            ..=last.min(operation.latest.map_or(last, i64::from))
        {
            for unit in 0..units {
                self.start.push(start);
                self.unit.push(unit);
                if self.fits() && self.extend() {
                    return true;
                }
                self.start.pop();
                self.unit.pop();
            }
        }
        false
    }

    /// Returns true if the last placed operation is compatible with those before it.
    fn fits(&self) -> bool {
        let newest = self.start.len() - 1;
        let dependences_hold = self.problem.dependences.iter().all(|dependence| {
            let (from, to) = (dependence.from.index(), dependence.to.index());
            if from.max(to) != newest {
                return true;
            }
            let latency = i64::from(self.problem.operations[from].latency_cycles);
            let gap = match dependence.kind {
                DependenceKind::Data { chained: true }
                    if dependence.distance == 0 || dependence.forwarded =>
                {
                    latency
                }
                DependenceKind::Data { chained: true } => latency.max(1),
                DependenceKind::Data { chained: false } => latency + 1,
                DependenceKind::Order { min_gap_cycles } => min_gap_cycles,
            };
            self.start[to] + self.ii.unwrap_or(0) * i64::from(dependence.distance)
                >= self.start[from] + gap
        });
        dependences_hold && (0..=newest).all(|other| self.units_agree(newest, other))
    }

    fn units_agree(&self, one: usize, other: usize) -> bool {
        let (a, b) = (
            &self.problem.operations[one],
            &self.problem.operations[other],
        );
        if a.resource.is_none() || a.resource != b.resource || self.unit[one] != self.unit[other] {
            return true;
        }
        if one == other {
            return self.ii.is_none_or(|ii| i64::from(a.occupancy_cycles) <= ii);
        }
        (0..i64::from(a.occupancy_cycles)).all(|first| {
            (0..i64::from(b.occupancy_cycles)).all(|second| {
                let apart = self.start[one] + first - self.start[other] - second;
                match self.ii {
                    Some(ii) => apart.rem_euclid(ii) != 0,
                    None => apart != 0,
                }
            })
        })
    }

    fn paths_fit(&self) -> bool {
        (0..self.start.len()).all(|index| {
            self.arrival_ns(index, self.problem.operations.len()) <= CLOCK_PERIOD_NS + 1e-3
        })
    }

    /// Computes the arrival time at the end of an operation's first cycle, by recursion over all paths of at most `depth`
    /// operations.
    fn arrival_ns(&self, index: usize, depth: usize) -> f64 {
        let mut operand_ns: f64 = 0.0;
        for dependence in self
            .problem
            .dependences
            .iter()
            .filter(|dependence| dependence.to.index() == index)
        {
            if dependence.kind != (DependenceKind::Data { chained: true }) {
                continue;
            }
            let from = dependence.from.index();
            let producer = &self.problem.operations[from];
            let appears = self.start[from] + i64::from(producer.latency_cycles);
            if appears != self.start[index] + self.ii.unwrap_or(0) * i64::from(dependence.distance)
            {
                continue;
            }
            if producer.latency_cycles > 0 {
                operand_ns = operand_ns.max(producer.output_delay_ns);
            } else if depth > 0 {
                operand_ns = operand_ns.max(self.arrival_ns(from, depth - 1));
            }
        }
        operand_ns + self.problem.operations[index].input_delay_ns
    }
}

fn check_against_enumeration(problem: &Problem) -> Result<(), TestCaseError> {
    let read_back: Result<Problem, _> = problem.to_string().parse();
    prop_assert_eq!(read_back.as_ref(), Ok(problem));
    let pipelined = problem.initiation != Initiation::Once;
    match solve(problem, &SolverOptions::default()) {
        Ok(solution) => {
            let schedule = &solution.schedule;
            prop_assert_eq!(verify(problem, schedule), Ok(()));
            prop_assert!(
                solution.certificate.proved_optimal(),
                "{}",
                solution.certificate.explain(problem)
            );
            let ii = schedule.ii.map(i64::from);
            for smaller in 1..ii.unwrap_or(1) {
                let horizon = i64::from(schedule.length_cycles).min(5) + 2;
                prop_assert!(
                    !Enumeration::finds_schedule(problem, Some(smaller), horizon),
                    "II {} is possible:\n{}{}",
                    smaller,
                    schedule,
                    solution.certificate.explain(problem)
                );
            }
            prop_assert!(
                !Enumeration::finds_schedule(problem, ii, i64::from(schedule.length_cycles) - 1),
                "a shorter schedule is possible:\n{}",
                schedule
            );
            prop_assert!(Enumeration::finds_schedule(
                problem,
                ii,
                i64::from(schedule.length_cycles)
            ));
        }
        Err(ScheduleError::Infeasible(infeasible)) => {
            for ii in if pipelined { 1..6 } else { 1..2 } {
                prop_assert!(
                    !Enumeration::finds_schedule(problem, pipelined.then_some(ii), 7),
                    "possible after all: {}",
                    infeasible
                );
            }
        }
        Err(error) => return Err(TestCaseError::fail(format!("unexpected error: {error}"))),
    }
    Ok(())
}

/// Compares each single solver with all solvers together: exact ones find the same II, the others no better one.
fn check_method(problem: &Problem, method: Method) -> Result<(), TestCaseError> {
    let together = solve(problem, &SolverOptions::default());
    let options = SolverOptions {
        method: Some(method),
        relaxations: false,
        ..SolverOptions::default()
    };
    let is_exact = matches!(method, Method::TimeRow | Method::Pairwise | Method::Sat);
    match (together, solve(problem, &options)) {
        (Ok(together), Ok(alone)) => {
            prop_assert_eq!(verify(problem, &alone.schedule), Ok(()));
            let (best, found) = (together.schedule.ii, alone.schedule.ii);
            prop_assert!(found >= best, "{:?}: {:?} below {:?}", method, found, best);
            prop_assert!(
                !is_exact || found == best,
                "{:?}: {:?} for {:?}",
                method,
                found,
                best
            );
            if let Some(ii) = &alone.certificate.ii {
                prop_assert!(Some(ii.lower_bound) <= best, "{:?}: {:?}", method, ii);
            }
        }
        (Err(ScheduleError::Infeasible(_)), Err(ScheduleError::Infeasible(_))) => {}
        (_, Err(ScheduleError::Unsolved(_))) if method != Method::Sat => {}
        (together, alone) => {
            let message = format!("{method:?}: {alone:?}, together {together:?}");
            return Err(TestCaseError::fail(message));
        }
    }
    Ok(())
}

/// No constraint bounds the stages of the recurrence from above: the search of the integer program must still end.
#[test]
fn stages_without_a_length_have_an_end() {
    let text = "problem: recurrence
clock_period_ns: 10
initiation: {min_ii: 1}
resources:
  unit: {count: 2}
operations:
  first: {latency: 1, input_delay_ns: 1, output_delay_ns: 1, resource: unit}
  turn: {input_delay_ns: 4, resource: unit}
  other: {input_delay_ns: 1, resource: unit}
  back: {latency: 2, input_delay_ns: 6, output_delay_ns: 1, resource: unit}
dependences:
  - turn -> back
  - {from: back, to: turn, distance: 2}
  - first -> turn
";
    let problem: Problem = text.parse().expect("a problem");
    check_method(&problem, Method::Pairwise).expect("the same interval");
}

/// Moves one operation, its unit, the II or the length; the checker must reject a broken schedule.
fn check_mutations(problem: &Problem, choice: usize, shift: i64) -> Result<(), TestCaseError> {
    let Ok(solution) = solve(problem, &SolverOptions::default()) else {
        return Ok(());
    };
    let schedule = solution.schedule;
    let count = schedule.start.len();
    let index = choice % count;
    let mut moved = schedule.clone();
    let Ok(start) = u32::try_from(i64::from(moved.start[index]) + shift) else {
        return Ok(());
    };
    moved.start[index] = start;
    moved.length_cycles = problem
        .operations
        .iter()
        .zip(&moved.start)
        .map(|(operation, start)| start + operation.span_cycles())
        .max()
        .unwrap_or(0);
    let legal = is_legal(problem, &moved);
    prop_assert_eq!(verify(problem, &moved).is_ok(), legal, "{}", moved);
    let mut longer = schedule.clone();
    longer.length_cycles += 1;
    prop_assert!(verify(problem, &longer).is_err());
    let mut other_unit = schedule.clone();
    other_unit.unit[index] = match schedule.unit[index] {
        Some(_) => None,
        None => Some(0),
    };
    prop_assert!(verify(problem, &other_unit).is_err());
    let mut other_ii = schedule.clone();
    other_ii.ii = if schedule.ii.is_some() { None } else { Some(1) };
    prop_assert!(verify(problem, &other_ii).is_err());
    let mut short = schedule;
    short.start.pop();
    prop_assert!(verify(problem, &short).is_err());
    Ok(())
}

/// Returns true if the enumeration accepts a schedule.
fn is_legal(problem: &Problem, schedule: &Schedule) -> bool {
    let mut partial = Enumeration {
        problem,
        ii: schedule.ii.map(i64::from),
        length: i64::from(schedule.length_cycles),
        start: Vec::new(),
        unit: Vec::new(),
    };
    for (index, operation) in problem.operations.iter().enumerate() {
        let start = schedule.start[index];
        partial.start.push(i64::from(start));
        partial.unit.push(schedule.unit[index].unwrap_or(0));
        let early = operation.earliest.is_some_and(|earliest| start < earliest);
        let late = operation.latest.is_some_and(|latest| start > latest);
        if early || late || !partial.fits() {
            return false;
        }
    }
    partial.paths_fit()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_are_as_short_as_enumeration_finds(problem in problem(false)) {
        check_against_enumeration(&problem.0)?;
    }

    #[test]
    fn loops_have_the_least_ii_and_length_enumeration_finds(problem in problem(true)) {
        check_against_enumeration(&problem.0)?;
    }

    #[test]
    fn every_solver_alone_agrees(problem in problem(true)) {
        for (_, method) in Method::ALL {
            check_method(&problem.0, method)?;
        }
    }

    #[test]
    fn instances_of_ssp_read_back(pipelined in any::<bool>(), loops in problem(true), block in problem(false)) {
        let problem = if pipelined { loops.0 } else { block.0 };
        let text = sluice_schedule::ssp::module_text(&problem, None);
        let context = sluice_dialects::context();
        let mut diagnostics = sluice_ir::Diagnostics::new();
        let module = sluice_ir::text::parse_module(&context, &text, "problem.mlir", &mut diagnostics);
        let module = module.unwrap_or_else(|| panic!("{}\n{text}", diagnostics.to_text(&context)));
        sluice_ir::verifier::verify(&context, &module, &mut diagnostics);
        prop_assert!(!diagnostics.has_errors(), "{}\n{}", diagnostics.to_text(&context), text);
        let found = sluice_schedule::ssp::instances(&context, &module, Default::default());
        let found = found.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let mut back = found[0].problem.clone();
        // The order of dependences has no meaning; neither has the clock period if there are no delays.
        let key = |d: &Dependence| (d.to, d.from, d.distance, format!("{:?}", d.kind));
        let mut given = problem.clone();
        given.dependences.sort_by_key(key);
        back.dependences.sort_by_key(key);
        prop_assert_eq!(back, given, "{}", text);
    }

    #[test]
    fn broken_schedules_are_noticed(pipelined in any::<bool>(), choice in 0usize..6, shift in -3i64..4, seed in problem(true)) {
        let mut problem = seed.0;
        if !pipelined {
            problem.initiation = Initiation::Once;
            problem.dependences.retain(|dependence| dependence.distance == 0);
        }
        check_mutations(&problem, choice, shift)?;
    }
}
