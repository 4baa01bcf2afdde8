//! The part of the report that is about an elastic circuit: how fast its loops go, and what its buffers are for.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use sluice_ir::View;

use crate::pipeline::Compiled;

use super::place;

/// A loop of a graph.
struct NetworkLoop {
    source: String,
    interval_cycles: i64,
    /// What sets the interval, if it is more than 1.
    ring: Option<String>,
    /// Or else the operations whose turns at a unit do, or the one with which a unit is busy.
    busy: Option<String>,
}

/// Buffers that are there for one reason.
#[derive(Default)]
struct Buffers {
    n_buffers: usize,
    n_slots: i64,
    n_bits: i64,
}

/// What is said of the graph of a kernel.
pub(super) struct Network {
    loops: Vec<NetworkLoop>,
    buffers: BTreeMap<&'static str, Buffers>,
}

/// What the reasons of buffers mean.
const REASONS: &[(&str, &str)] = &[
    ("ring", "registers on rings"),
    ("clock", "registers on paths that are longer than the clock"),
    (
        "clock of ready",
        "slots on paths of `ready` that are longer than the clock",
    ),
    ("throughput", "room for tokens that come before others"),
    ("store", "addresses of stores that wait for their data"),
    ("programme", "buffers by a programme"),
    ("", "conditions of loops"),
];

impl Network {
    /// The graph of the kernel; `None` where it has a schedule.
    pub(super) fn of(compiled: &Compiled) -> Option<Self> {
        let context = &compiled.context;
        let kernel = crate::dataflow::function(compiled)?;
        let body = kernel.inner();
        let mut network = Self {
            loops: Vec::new(),
            buffers: BTreeMap::new(),
        };
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() != "handshake.buffer" {
                continue;
            }
            let text = |name: &str| view.attribute(name).and_then(|a| a.as_str(context));
            let number = |name: &str| view.attribute(name).and_then(|a| a.as_i64(context));
            if let Some(interval_cycles) = number("sluice.ii") {
                network.loops.push(NetworkLoop {
                    source: place(view),
                    interval_cycles,
                    ring: text("sluice.ring").map(str::to_owned),
                    busy: text("sluice.busy").map(str::to_owned),
                });
            }
            let reason = text("sluice.reason").unwrap_or_default();
            let known = REASONS.iter().find(|(name, _)| *name == reason);
            let sum = network
                .buffers
                .entry(known.map_or("", |(_, what)| *what))
                .or_default();
            let slots = number("slots").unwrap_or(1);
            let width = view
                .ty(view.result(0))
                .integer_width_bits(context)
                .unwrap_or(0);
            sum.n_buffers += 1;
            sum.n_slots += slots;
            sum.n_bits += slots * i64::from(width);
        }
        Some(network)
    }

    /// A line for each loop.
    pub(super) fn summary(&self) -> String {
        let mut text = String::new();
        for found in &self.loops {
            let _ = write!(text, "  loop at {}: an iteration every ", found.source);
            match found.interval_cycles {
                1 => text.push_str("cycle\n"),
                n => {
                    let _ = writeln!(text, "{n} cycles{}", limit(found));
                }
            }
        }
        text
    }

    /// Loops and buffers for a terminal.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "\nelastic circuit: operations run as soon as their operands are there; if no choice takes longer than another and nothing else waits\n{}",
            self.summary()
        );
        let _ = writeln!(
            text,
            "\nbuffers\n  {:55} {:>6} {:>6} {:>8}",
            "reason", "count", "slots", "bits"
        );
        for (what, sum) in &self.buffers {
            let _ = writeln!(
                text,
                "  {what:55} {:6} {:6} {:8}",
                sum.n_buffers, sum.n_slots, sum.n_bits
            );
        }
        text
    }

    /// The same for scripts.
    pub(super) fn to_json(&self) -> Value {
        let loops: Vec<Value> = self
            .loops
            .iter()
            .map(|found| {
                json!({
                    "source": found.source,
                    "interval_cycles": found.interval_cycles,
                    "ring": found.ring,
                    "busy": found.busy,
                })
            })
            .collect();
        let buffers: Vec<Value> = self
            .buffers
            .iter()
            .map(|(what, sum)| {
                json!({ "reason": what, "count": sum.n_buffers, "slots": sum.n_slots, "bits": sum.n_bits })
            })
            .collect();
        json!({ "loops": loops, "buffers": buffers })
    }
}

fn limit(found: &NetworkLoop) -> String {
    match found.ring.as_deref().filter(|ring| !ring.is_empty()) {
        Some(ring) => format!(", the time that a token takes round {ring}"),
        None => match found.busy.as_deref() {
            Some(one) if !one.contains(", ") => {
                format!(", the time for which its unit is busy with {one}")
            }
            Some(turns) => format!(", the turns of these at one unit: {turns}"),
            None => String::new(),
        },
    }
}
