//! The certificate of a solution: the result, the proved bounds, the constraint that prevents a better result, and changes that
//! would help.

use std::fmt::Write;

use crate::constraints::{Constraints, Origin, late_path};
use crate::longest_path::PositiveCycle;
use crate::naming::{Naming, cycles};
use crate::problem::{OperationId, Problem, ResourceId};

/// Results and proved bounds of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The initiation interval; none for operations that run once.
    pub ii: Option<IiCertificate>,
    /// The length of one iteration.
    pub length: LengthCertificate,
    /// The register bits.
    pub registers: RegisterCertificate,
    /// Steps that were skipped or not finished, one sentence each.
    pub remarks: Vec<String>,
}

impl Certificate {
    /// Returns true if II and length are both proved minimal.
    pub fn proved_optimal(&self) -> bool {
        self.ii.as_ref().is_none_or(|ii| ii.proved_optimal) && self.length.proved_optimal
    }
}

/// Result and proved bounds of the II.
#[derive(Clone, Debug, PartialEq)]
pub struct IiCertificate {
    /// The II achieved.
    pub ii: u32,
    /// Proved lower bound: no smaller II is possible within the constraints.
    pub lower_bound: u32,
    /// The least II that the recurrences allow.
    pub rec_mii: u32,
    /// The least II that the units allow.
    pub res_mii: u32,
    /// The constraint that prevents a smaller II.
    pub culprit: Culprit,
    /// True if `ii` equals `lower_bound`.
    pub proved_optimal: bool,
    /// Changes that would lower the II, each re-solved.
    pub relaxations: Vec<Relaxation>,
}

/// Result and proved bounds of the length at the II achieved.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthCertificate {
    /// Cycles of one iteration.
    pub cycles: u32,
    /// Proved lower bound: no smaller length is possible at this II.
    pub lower_bound: u32,
    /// The constraint that prevents a smaller length.
    pub culprit: Culprit,
    /// True if `cycles` equals `lower_bound`.
    pub proved_optimal: bool,
}

/// Result and proved optimality of the registers at the length achieved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterCertificate {
    /// Sum over all values of width times cycles of lifetime.
    pub bits: u64,
    /// True if no starts with this length and this order on the units need fewer.
    pub proved_optimal: bool,
}

/// The constraint that prevents a smaller value.
#[derive(Clone, Debug, PartialEq)]
pub enum Culprit {
    /// None: no smaller value exists, or the user asked for none.
    None,
    /// Operations that wait for each other across iterations.
    Recurrence {
        /// The operations in order, chaining cuts expanded.
        operations: Vec<OperationId>,
        /// Cycles that one pass over the recurrence takes.
        latency_cycles: u32,
        /// Iterations that one pass over the recurrence spans.
        distance: u32,
        /// Longest combinational path of the recurrence that a register cuts, in ns, if any.
        cut_path_ns: Option<f64>,
    },
    /// A kind of unit that is in use all the time.
    Resource {
        /// The resource.
        resource: ResourceId,
        /// Cycles of unit time that the operations need.
        uses: u32,
        /// Number of available units.
        count: u32,
    },
    /// Starts that are fixed by earliest and latest starts.
    Window {
        /// The operations between the two limits.
        operations: Vec<OperationId>,
    },
    /// Recurrences and units together, although neither of them alone prevents a smaller value.
    Interaction {
        /// The operations that compete for units and wait for each other.
        operations: Vec<OperationId>,
    },
    /// The longest path of operations.
    Path {
        /// The operations in order.
        operations: Vec<OperationId>,
        /// Cycles from the start of the first to the end of the last.
        latency_cycles: u32,
    },
}

/// A change that lowers the II, found by solving the changed problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    /// The change.
    pub change: Change,
    /// II with the change.
    pub ii: u32,
}

/// The kind of a change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// More units: for each resource, the number of added units.
    Units(Vec<(ResourceId, u32)>),
    /// A longer usable clock period.
    ClockPeriodNs(f64),
}

impl Certificate {
    /// Returns the certificate in words, one finding per line.
    pub fn explain(&self, problem: &Problem) -> String {
        self.explain_with(problem, &Naming::OfProblem)
    }

    /// Returns the certificate in words, with these names of operations and periods.
    pub(crate) fn explain_with(&self, problem: &Problem, naming: &Naming<'_>) -> String {
        let mut text = String::new();
        if let Some(ii) = &self.ii {
            ii.explain(problem, naming, &mut text);
        }
        let length = &self.length;
        let _ = write!(text, "length {}", cycles(length.cycles));
        match length.culprit.describe_with(problem, naming) {
            Some(cause) if length.proved_optimal => {
                let _ = writeln!(text, ": {cause}");
            }
            None if length.proved_optimal => text.push('\n'),
            Some(_) | None => {
                let _ = writeln!(text, ", at least {} proved", length.lower_bound);
            }
        }
        let minimal = if self.registers.proved_optimal {
            "minimal for this length and order on the units"
        } else {
            "not proved minimal"
        };
        let _ = writeln!(text, "registers {} bits, {minimal}", self.registers.bits);
        for remark in &self.remarks {
            let _ = writeln!(text, "remark: {remark}");
        }
        text
    }
}

impl IiCertificate {
    fn explain(&self, problem: &Problem, naming: &Naming<'_>, text: &mut String) {
        let ii = self.ii;
        let cause = match &self.culprit {
            Culprit::None => None,
            culprit => culprit.describe_with(problem, naming),
        };
        let _ = match (cause, self.proved_optimal) {
            (Some(cause), true) => writeln!(text, "II {ii}: {cause}"),
            (Some(cause), false) => writeln!(
                text,
                "II {ii}, at least {} proved: {cause}",
                self.lower_bound
            ),
            (None, true) if ii == 1 => {
                writeln!(text, "II 1: a new iteration starts in every cycle")
            }
            (None, true) => writeln!(text, "II {ii}: no smaller II was requested"),
            (None, false) => writeln!(text, "II {ii}, at least {} proved", self.lower_bound),
        };
        for relaxation in &self.relaxations {
            let _ = writeln!(
                text,
                "{}: II {ii} -> {}",
                relaxation.change.describe_with(problem, naming),
                relaxation.ii
            );
        }
    }
}

impl Culprit {
    /// Returns the culprit as a clause, or none if there is none.
    pub fn describe(&self, problem: &Problem) -> Option<String> {
        self.describe_with(problem, &Naming::OfProblem)
    }

    fn describe_with(&self, problem: &Problem, naming: &Naming<'_>) -> Option<String> {
        let names = |operations: &[OperationId]| naming.path(problem, operations);
        match self {
            Self::None => None,
            Self::Recurrence {
                operations,
                latency_cycles,
                distance,
                cut_path_ns,
            } => {
                let needed = latency_cycles.div_ceil(*distance);
                let first = operations.first();
                let first = first.map_or_else(String::new, |&id| naming.name(problem, id));
                let cut = cut_path_ns.map_or(String::new(), |path_ns| {
                    let period = naming.period(problem.clock_period_ns);
                    format!("; a register cuts its path of {path_ns:.2} ns {period}")
                });
                Some(format!(
                    "`{first}` needs II >= {needed}: recurrence `{}` takes {} over distance {distance}{cut}",
                    names(operations),
                    cycles(*latency_cycles),
                ))
            }
            Self::Resource {
                resource,
                uses,
                count,
            } => {
                let name = &problem.resource(*resource).name;
                let users = problem
                    .operations
                    .iter()
                    .filter(|operation| operation.resource == Some(*resource))
                    .count();
                let operations = if users == 1 {
                    "operation"
                } else {
                    "operations"
                };
                let held = if usize::try_from(*uses) == Ok(users) {
                    String::new()
                } else {
                    format!(", which hold it for {}", cycles(*uses))
                };
                let units = if *count == 1 {
                    String::new()
                } else {
                    format!(" ({count} units)")
                };
                Some(format!(
                    "{name}{units} is used by {users} {operations} per iteration{held}"
                ))
            }
            Self::Window { operations } => Some(format!(
                "earliest and latest starts leave no room: `{}`",
                names(operations)
            )),
            Self::Interaction { operations } => Some(format!(
                "units and dependences together forbid less, although neither does alone; among them: {}",
                naming.list(problem, operations)
            )),
            Self::Path {
                operations,
                latency_cycles,
            } => Some(format!(
                "path `{}` takes {}",
                names(operations),
                cycles(*latency_cycles)
            )),
        }
    }
}

impl Change {
    /// Returns the change in words.
    pub fn describe(&self, problem: &Problem) -> String {
        self.describe_with(problem, &Naming::OfProblem)
    }

    fn describe_with(&self, problem: &Problem, naming: &Naming<'_>) -> String {
        match self {
            Self::Units(more) => {
                let parts: Vec<String> = more
                    .iter()
                    .map(|&(resource, count)| {
                        let name = &problem.resource(resource).name;
                        if count == 1 {
                            format!("one more {name}")
                        } else {
                            format!("{count} more {name}")
                        }
                    })
                    .collect();
                parts.join(" and ")
            }
            Self::ClockPeriodNs(period_ns) => {
                naming.longer_period(*period_ns, problem.clock_period_ns)
            }
        }
    }
}

/// Turns a cycle of constraints into a culprit in terms of the operations of the problem.
pub(crate) fn cycle_culprit(
    problem: &Problem,
    constraints: &Constraints,
    cycle: &PositiveCycle,
) -> Culprit {
    let operations = cycle_operations(problem, constraints, cycle);
    let latency = u32::try_from(cycle.weight());
    let distance = u32::try_from(cycle.distance());
    let through_zero = cycle
        .edges
        .iter()
        .any(|edge| edge.from == constraints.zero());
    match (latency, distance) {
        (Ok(latency_cycles), Ok(distance)) if distance > 0 && !through_zero => {
            let cut_path_ns = cycle
                .edges
                .iter()
                .filter(|edge| edge.origin == Origin::Timing)
                .map(|edge| late_path(problem, constraints, edge).delay_ns)
                .reduce(f64::max);
            Culprit::Recurrence {
                operations,
                latency_cycles,
                distance,
                cut_path_ns,
            }
        }
        _ => Culprit::Window { operations },
    }
}

/// Returns the operations of a cycle of constraints in order, starting with the lowest id.
pub(crate) fn cycle_operations(
    problem: &Problem,
    constraints: &Constraints,
    cycle: &PositiveCycle,
) -> Vec<OperationId> {
    let mut operations = Vec::new();
    for edge in &cycle.edges {
        if edge.from == constraints.zero() {
            continue;
        }
        if edge.origin == Origin::Timing {
            let path = late_path(problem, constraints, edge).operations;
            operations.extend_from_slice(&path[..path.len() - 1]);
        } else {
            operations.push(OperationId::from_index(edge.from));
        }
    }
    let first = (0..operations.len())
        .min_by_key(|&position| operations[position])
        .unwrap_or(0);
    operations.rotate_left(first);
    operations
}
