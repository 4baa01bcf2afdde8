//! Charts of schedules: the rows that are drawn, their dependences without the wires between them, and their JSON for the script.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sluice_ir::printable::printable_lines;

use crate::timing::{Delays, Edge, Limit, Timed, UnitUse};
use crate::{Row, Section};

/// Maximum number of rows of a chart, in the order of their start.
const MAX_ROWS: usize = 2000;

/// Maximum distance of a dependence over wires: wires that only exchange values would never end.
const MAX_DISTANCE: u32 = 64;

/// Maximum number of dependences of a chart.
const MAX_EDGES: usize = 6000;

/// A section with the rows of its chart.
pub(super) struct Chart<'a> {
    pub(super) section: &'a Section,
    /// The rows that are drawn, with their delays: conversions are only wires and are left out.
    pub(super) rows: Vec<(&'a Row, Option<Delays>)>,
    /// Dependences between drawn rows.
    pub(super) edges: Vec<Edge>,
    /// The constraint that sets the II or the length, in drawn rows.
    pub(super) limit: Option<Limit>,
    pub(super) units: Vec<UnitUse>,
    /// Rows of the longest path within a cycle, with the times in ns at which each step begins and ends.
    pub(super) path: Vec<(usize, f64, f64)>,
    /// Part of the clock period that is usable for logic, in ns; `None` if the delays of the section are not known.
    pub(super) usable_ns: Option<f64>,
    /// Number of rows before those of logic without a name.
    pub(super) n_major: usize,
    /// Number of rows that are not drawn because there are too many.
    pub(super) n_hidden: usize,
}

impl<'a> Chart<'a> {
    pub(super) fn new(section: &'a Section, timed: &Timed) -> Self {
        let all = section.rows.iter().zip(&timed.delays);
        let drawn = all.enumerate().filter(|(_, (row, _))| row.class != "wire");
        let mut order: Vec<usize> = drawn.map(|(at, _)| at).collect();
        // Logic without a name is mostly of the control of the loop, and would hide the other rows between it. Within a cycle,
        // rows are in the order in which their operands arrive.
        let limiting: BTreeSet<usize> = match (&timed.limit, section.ii) {
            (Some(limit), Some(_)) => limit.rows().iter().copied().collect(),
            _ => BTreeSet::new(),
        };
        let is_minor = |at: usize| is_logic(&section.rows[at]) && !limiting.contains(&at);
        let arrival = |at: usize| timed.delays[at].map_or(0.0, |delays| delays.arrival_ns);
        order.sort_by(|a, b| {
            let key = |at: usize| (is_minor(at), section.rows[at].start);
            let starts = key(*a).cmp(&key(*b));
            starts.then_with(|| arrival(*a).total_cmp(&arrival(*b)))
        });
        let n_hidden = order.len().saturating_sub(MAX_ROWS);
        order.truncate(MAX_ROWS);
        let position: BTreeMap<usize, usize> = order
            .iter()
            .enumerate()
            .map(|(to, from)| (*from, to))
            .collect();
        let drawn = |rows: &[usize]| -> Vec<usize> {
            let rows = rows.iter().filter_map(|row| position.get(row).copied());
            rows.collect()
        };
        let limit = timed.limit.as_ref().map(|limit| match limit {
            Limit::Recurrence {
                rows,
                latency_cycles,
                distance,
            } => Limit::Recurrence {
                rows: drawn(rows),
                latency_cycles: *latency_cycles,
                distance: *distance,
            },
            Limit::Unit { name, rows } => Limit::Unit {
                name: name.clone(),
                rows: drawn(rows),
            },
            Limit::Together { rows } => Limit::Together { rows: drawn(rows) },
            Limit::Path { rows } => Limit::Path { rows: drawn(rows) },
        });
        let units = timed.units.iter().map(|unit| UnitUse {
            slots: unit.slots.iter().map(|rows| drawn(rows)).collect(),
            ..unit.clone()
        });
        let path = timed.path.iter().filter_map(|step| {
            let row = position.get(&step.row)?;
            Some((*row, step.from_ns, step.to_ns))
        });
        Self {
            section,
            edges: without_wires(&timed.edges, &position),
            limit,
            units: units.collect(),
            path: path.collect(),
            usable_ns: timed.usable_ns,
            n_hidden,
            n_major: order.iter().filter(|at| !is_minor(**at)).count(),
            rows: order
                .into_iter()
                .map(|at| (&section.rows[at], timed.delays[at]))
                .collect(),
        }
    }

    /// Returns the source lines of the operations that set the II.
    pub(super) fn critical_lines(&self) -> BTreeSet<u32> {
        let is_pipelined = self.section.ii.is_some();
        let limit = self.limit.iter().filter(|_| is_pipelined);
        let rows = limit.flat_map(|limit| limit.rows());
        rows.filter_map(|row| self.rows[*row].0.line).collect()
    }

    /// Returns the chart for the script.
    pub(super) fn to_json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|(row, delays)| operation(row, *delays))
            .collect();
        let edges: Vec<Value> = self
            .edges
            .iter()
            .map(|edge| {
                json!([
                    edge.from,
                    edge.to,
                    edge.distance,
                    edge.gap_cycles,
                    edge.spare_cycles,
                    u8::from(edge.is_data)
                ])
            })
            .collect();
        json!({
            "title": printable_lines(&self.section.title),
            "line": self.section.line,
            "ii": self.section.ii,
            "depth": self.section.depth,
            "usable_ns": self.usable_ns.map(rounded),
            "operations": rows,
            "n_major": self.n_major,
            "dependences": edges,
            "limit": self.limit.as_ref().map(limit_json),
            "path": self.path.iter().map(|step| step.0).collect::<Vec<_>>(),
        })
    }
}

/// Returns whether a row is of logic within a cycle that has no name in the source.
fn is_logic(row: &Row) -> bool {
    row.latency == 0 && !row.name.contains(" = ") && !row.class.starts_with("memory")
}

fn operation(row: &Row, delays: Option<Delays>) -> Value {
    let mut value = json!({
        "name": printable_lines(&row.label),
        "line": row.line,
        "unit": row.class,
        "kind": super::colour(&row.class),
        "start": row.start,
        "latency": row.latency,
    });
    if let (Some(delays), Value::Object(entries)) = (delays, &mut value) {
        entries.insert("from_ns".to_owned(), json!(rounded(delays.arrival_ns)));
        let end_ns = match delays.latency_cycles {
            0 => delays.taken_ns,
            _ => delays.result_ns,
        };
        entries.insert("to_ns".to_owned(), json!(rounded(end_ns)));
        entries.insert("slack_ns".to_owned(), json!(rounded(delays.slack_ns)));
    }
    value
}

fn limit_json(limit: &Limit) -> Value {
    match limit {
        Limit::Recurrence {
            rows,
            latency_cycles,
            distance,
        } => {
            json!({"kind": "recurrence", "rows": rows, "cycles": latency_cycles, "distance": distance})
        }
        Limit::Unit { name, rows } => {
            json!({"kind": "unit", "rows": rows, "name": printable_lines(name)})
        }
        Limit::Together { rows } => json!({"kind": "together", "rows": rows}),
        Limit::Path { rows } => json!({"kind": "path", "rows": rows}),
    }
}

/// Returns a time in whole ps, so that sums of table values print short.
pub(super) fn rounded(ns: f64) -> f64 {
    (ns * 1000.0).round() / 1000.0
}

/// Returns the dependences between drawn rows: those over wires become direct, and of two between the same rows the tighter one stays.
fn without_wires(edges: &[Edge], position: &BTreeMap<usize, usize>) -> Vec<Edge> {
    let mut from: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        from.entry(edge.from).or_default().push(edge);
    }
    let mut found: BTreeMap<(usize, usize, u32), Edge> = BTreeMap::new();
    for (row, drawn) in position {
        let mut open: Vec<Edge> = from.get(row).into_iter().flatten().map(|e| **e).collect();
        let mut seen = BTreeSet::new();
        while let Some(edge) = open.pop() {
            if let Some(to) = position.get(&edge.to) {
                let key = (*drawn, *to, edge.distance);
                let edge = Edge {
                    from: *drawn,
                    to: *to,
                    ..edge
                };
                let known = found.entry(key).or_insert(edge);
                if (edge.spare_cycles, !edge.is_data) < (known.spare_cycles, !known.is_data) {
                    *known = edge;
                }
            } else if edge.distance <= MAX_DISTANCE && seen.insert((edge.to, edge.distance)) {
                let next = from.get(&edge.to).into_iter().flatten();
                open.extend(next.map(|next| Edge {
                    from: *row,
                    to: next.to,
                    distance: edge.distance + next.distance,
                    gap_cycles: edge.gap_cycles + next.gap_cycles,
                    spare_cycles: edge.spare_cycles + next.spare_cycles,
                    is_data: edge.is_data && next.is_data,
                }));
            }
        }
    }
    found.into_values().take(MAX_EDGES).collect()
}
