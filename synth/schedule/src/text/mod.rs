//! The YAML form of problems and schedules; `docs/SCHEDULING.md` shows it.
//!
//! A file holds one problem, or several separated by `---`. Reading reports all faults at once, each with its line and column.
//! Operations and resources keep their names from the file; printing calls them `o0`, `o1`, ... and `r0`, `r1`, ... by their
//! position, so that any problem can be printed.

mod place;
mod read;

use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use crate::problem::{
    Dependence, DependenceKind, Initiation, Operation, OperationId, Problem, ResourceId, Schedule,
};

pub use read::read;

/// One problem of a file, with its schedule if the file gives one.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The problem.
    pub problem: Problem,
    /// Start times to check; units may be missing.
    pub schedule: Option<Schedule>,
    /// Line and column of the problem.
    pub place: (usize, usize),
}

/// One fault in a text, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Fault {
    /// Line number, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// The expected text.
    pub message: String,
}

/// All faults in a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Faults(pub Vec<Fault>);

impl FromStr for Problem {
    type Err = Faults;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut instances = read(text)?;
        if instances.len() != 1 {
            return Err(Faults(vec![Fault {
                line: 1,
                column: 1,
                message: format!("expected one problem, found {}", instances.len()),
            }]));
        }
        Ok(instances.remove(0).problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "problem: {}", quoted(&self.name))?;
        writeln!(f, "clock_period_ns: {}", self.clock_period_ns)?;
        match self.initiation {
            Initiation::Once => writeln!(f, "initiation: once")?,
            Initiation::Every {
                min_ii,
                max_ii,
                fixed,
            } => {
                write!(f, "initiation: {{min_ii: {min_ii}")?;
                if max_ii != u32::MAX {
                    write!(f, ", max_ii: {max_ii}")?;
                }
                writeln!(f, "{}}}", if fixed { ", fixed: true" } else { "" })?;
            }
        }
        if !self.resources.is_empty() {
            writeln!(f, "resources:")?;
        }
        for (index, resource) in self.resources.iter().enumerate() {
            let id = ResourceId::from_index(index);
            let name = quoted(&resource.name);
            writeln!(f, "  {id}: {{count: {}, name: {name}}}", resource.count)?;
        }
        if !self.operations.is_empty() {
            writeln!(f, "operations:")?;
        }
        for (index, operation) in self.operations.iter().enumerate() {
            write_operation(f, OperationId::from_index(index), operation)?;
        }
        if !self.dependences.is_empty() {
            writeln!(f, "dependences:")?;
        }
        for dependence in &self.dependences {
            write_dependence(f, dependence)?;
        }
        Ok(())
    }
}

fn write_operation(
    f: &mut fmt::Formatter<'_>,
    id: OperationId,
    operation: &Operation,
) -> fmt::Result {
    write!(f, "  {id}: {{")?;
    if !operation.class.is_empty() {
        write!(f, "class: {}, ", quoted(&operation.class))?;
    }
    if operation.latency_cycles != 0 {
        write!(f, "latency: {}, ", operation.latency_cycles)?;
    }
    if operation.input_delay_ns != 0.0 {
        write!(f, "input_delay_ns: {}, ", operation.input_delay_ns)?;
    }
    if operation.output_delay_ns != 0.0 {
        write!(f, "output_delay_ns: {}, ", operation.output_delay_ns)?;
    }
    if let Some(resource) = operation.resource {
        write!(f, "resource: {resource}, ")?;
    }
    if operation.occupancy_cycles != 1 {
        write!(f, "occupancy: {}, ", operation.occupancy_cycles)?;
    }
    if operation.width_bits != 1 {
        write!(f, "width: {}, ", operation.width_bits)?;
    }
    if let Some(earliest) = operation.earliest {
        write!(f, "earliest: {earliest}, ")?;
    }
    if let Some(latest) = operation.latest {
        write!(f, "latest: {latest}, ")?;
    }
    writeln!(f, "name: {}}}", quoted(&operation.name))
}

fn write_dependence(f: &mut fmt::Formatter<'_>, dependence: &Dependence) -> fmt::Result {
    let Dependence {
        from, to, distance, ..
    } = dependence;
    let mut more = String::new();
    if *distance != 0 {
        let _ = write!(more, ", distance: {distance}");
    }
    match dependence.kind {
        DependenceKind::Data { chained: true } => {}
        DependenceKind::Data { chained: false } => more += ", chained: false",
        DependenceKind::Order { min_gap_cycles } => {
            let _ = write!(more, ", min_gap: {min_gap_cycles}");
        }
    }
    if dependence.unchanged {
        more += ", unchanged: true";
    }
    if dependence.forwarded {
        more += ", forwarded: true";
    }
    if more.is_empty() {
        writeln!(f, "  - {from} -> {to}")
    } else {
        writeln!(f, "  - {{from: {from}, to: {to}{more}}}")
    }
}

impl fmt::Display for Schedule {
    /// Writes the section `schedule:` of the file of a problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "schedule:")?;
        if let Some(ii) = self.ii {
            writeln!(f, "  ii: {ii}")?;
        }
        let entries = |values: Vec<Option<u32>>| {
            let entries = (0..).zip(values).filter_map(|(index, value)| {
                Some(format!("{}: {}", OperationId::from_index(index), value?))
            });
            entries.collect::<Vec<_>>().join(", ")
        };
        let start = entries(self.start.iter().copied().map(Some).collect());
        writeln!(f, "  start: {{{start}}}")?;
        let unit = entries(self.unit.clone());
        if unit.is_empty() {
            Ok(())
        } else {
            writeln!(f, "  unit: {{{unit}}}")
        }
    }
}

/// Quotes a text as a YAML scalar.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Unicode line breaks, the byte order mark and control characters.
            '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            other if other.is_control() => {
                let _ = write!(out, "\\x{:02X}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
