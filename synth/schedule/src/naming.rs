//! Names of operations and periods in explanations: those of a problem file, or those of the source of a kernel.

use crate::problem::{OperationId, Problem};

/// Maximum number of operations of a list that are named.
const SHOWN: usize = 6;

/// The way in which an explanation names operations and periods.
pub(crate) enum Naming<'a> {
    /// By the names and the usable period of the problem.
    OfProblem,
    /// By names and lines of the source, and by the clock period of the user. The function returns the clock period that leaves a
    /// usable period.
    OfSource {
        clock_period_ns: f64,
        clock_for_usable: &'a dyn Fn(f64) -> f64,
    },
}

impl Naming<'_> {
    /// Returns the name of an operation.
    pub(crate) fn name(&self, problem: &Problem, id: OperationId) -> String {
        let operation = problem.operation(id);
        match self {
            Self::OfProblem => operation.short_name().to_owned(),
            Self::OfSource { .. } => {
                let (name, line) = source_name(&operation.name);
                match line {
                    Some(line) => format!("{name} in line {line}"),
                    None => name.to_owned(),
                }
            }
        }
    }

    /// Returns the names of the operations of a path. In the source, operations without a name that follow each other in one line are
    /// one entry, and a copy is the value that it copies.
    pub(crate) fn path(&self, problem: &Problem, operations: &[OperationId]) -> String {
        let names: Vec<String> = match self {
            Self::OfProblem => operations
                .iter()
                .map(|id| self.name(problem, *id))
                .collect(),
            Self::OfSource { .. } => source_path(problem, operations),
        };
        names.join(" -> ")
    }

    /// Returns the first few operations by name, and how many more there are.
    pub(crate) fn list(&self, problem: &Problem, operations: &[OperationId]) -> String {
        let mut names: Vec<String> = Vec::new();
        for id in operations.iter().take(SHOWN) {
            names.push(format!("`{}`", self.name(problem, *id)));
        }
        match operations.len().saturating_sub(SHOWN) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// Returns the reason why a path needs a register.
    pub(crate) fn period(&self, usable_ns: f64) -> String {
        match self {
            Self::OfProblem => format!("at the clock period of {usable_ns} ns"),
            Self::OfSource {
                clock_period_ns, ..
            } => format!(
                "because logic has {:.2} ns of the clock period of {clock_period_ns} ns",
                usable_ns
            ),
        }
    }

    /// Returns a change to a longer period.
    pub(crate) fn longer_period(&self, usable_ns: f64, instead_of_ns: f64) -> String {
        match self {
            Self::OfProblem => {
                format!("a usable clock period of {usable_ns:.2} ns instead of {instead_of_ns} ns")
            }
            Self::OfSource {
                clock_period_ns,
                clock_for_usable,
            } => {
                let longer_ns = (clock_for_usable(usable_ns) * 100.0 - 1e-6).ceil() / 100.0;
                format!("a clock period of {longer_ns:.2} ns instead of {clock_period_ns} ns")
            }
        }
    }
}

/// Returns the first few operations by the names of the problem, and how many more there are.
pub(crate) fn list(problem: &Problem, operations: &[OperationId]) -> String {
    Naming::OfProblem.list(problem, operations)
}

/// Returns a number of cycles in words.
pub(crate) fn cycles(count: u32) -> String {
    if count == 1 {
        "1 cycle".to_owned()
    } else {
        format!("{count} cycles")
    }
}

/// Returns the value that an operation such as `%sum = arith.addi kernel.mlir:12` makes; for one without a name what it does, with
/// its line.
fn source_name(name: &str) -> (&str, Option<&str>) {
    if let Some((result, _)) = name.split_once(" = ") {
        return (result.trim(), None);
    }
    let place = name.rsplit_once(' ');
    let line = place.and_then(|(_, place)| place.rsplit_once(':'));
    let line = line.map(|(_, line)| line);
    let line = line.filter(|line| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()));
    let what = match (place, line) {
        (Some((what, _)), Some(_)) => what,
        _ => name,
    };
    let copied = what
        .strip_prefix("copy(")
        .and_then(|of| of.strip_suffix(')'));
    match copied {
        Some(copied) => (copied, None),
        None if what.starts_with("end ") => ("end", line),
        None => (what, line),
    }
}

fn source_path(problem: &Problem, operations: &[OperationId]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let all = operations
        .iter()
        .map(|id| source_name(&problem.operation(*id).name));
    let mut run: Option<(&str, &str, u32)> = None;
    let told = |(what, line, n): (&str, &str, u32)| match n {
        1 => format!("{what} in line {line}"),
        n => format!("{n} operations in line {line}"),
    };
    for (what, line) in all {
        match (line, &mut run) {
            (Some(line), Some((_, known, n))) if *known == line => *n += 1,
            (line, _) => {
                names.extend(run.take().map(told));
                match line {
                    Some(line) => run = Some((what, line, 1)),
                    None if names.last().is_some_and(|last| last == what) => {}
                    None => names.push(what.to_owned()),
                }
            }
        }
    }
    names.extend(run.map(told));
    names
}

#[cfg(test)]
mod tests {
    use super::{Naming, source_name};
    use crate::problem::{Initiation, Operation, OperationId, Problem};

    #[test]
    fn a_path_has_names_and_lines_of_the_source() {
        let names = [
            "%y = arith.addi k.mlir:7",
            "copy(%y) k.mlir:7",
            "arith.cmpi k.mlir:3",
            "arith.andi k.mlir:3",
            "memref.store k.mlir:9",
            "issue of the next iteration",
        ];
        let operation = |name: &&str| Operation::combinational(*name, "wire", 0.0);
        let problem = Problem {
            name: String::new(),
            clock_period_ns: 4.55,
            operations: names.iter().map(operation).collect(),
            dependences: Vec::new(),
            resources: Vec::new(),
            initiation: Initiation::Once,
        };
        let all: Vec<OperationId> = problem.operation_ids().collect();
        let naming = Naming::OfSource {
            clock_period_ns: 5.0,
            clock_for_usable: &|ns| ns + 0.45,
        };
        let path =
            "%y -> 2 operations in line 3 -> memref.store in line 9 -> issue of the next iteration";
        assert_eq!(naming.path(&problem, &all), path);
        let longer = "a clock period of 6.05 ns instead of 5 ns";
        assert_eq!(naming.longer_period(5.6, 4.55), longer);
        let period = "because logic has 4.55 ns of the clock period of 5 ns";
        assert_eq!(naming.period(4.55), period);
    }

    #[test]
    fn a_name_without_a_place_is_whole() {
        for name in ["issue of the next iteration", "a:b c", "x", "%x"] {
            assert_eq!(source_name(name), (name, None));
        }
    }
}
