//! The part of the report about an elastic circuit: the intervals of its loops and the purposes of its buffers.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use sluice_dialects::sluice::DEADLOCK_FREE;
use sluice_dialects::{handshake, sluice};
use sluice_ir::View;
use sluice_kernel::compiled::Compiled;

use super::markup::{escape, file_of};
use super::place;

/// A loop of a dataflow graph.
struct NetworkLoop {
    source: String,
    interval_cycles: i64,
    /// The cycle that limits the interval, if the interval is more than 1.
    ring: Option<String>,
    /// Otherwise the operations that share the limiting unit, or the operation that keeps its unit busy.
    busy: Option<String>,
}

/// Buffers with the same purpose.
#[derive(Default)]
struct Buffers {
    n_buffers: usize,
    n_slots: i64,
    n_bits: i64,
}

/// The report data of the graph of a kernel, or of graphs that are the input.
#[derive(Default)]
pub struct Network {
    loops: Vec<NetworkLoop>,
    buffers: BTreeMap<&'static str, Buffers>,
    /// The proof that there is no deadlock.
    proof: Option<String>,
}

/// Descriptions of the buffers' reasons.
const REASONS: &[(&str, &str)] = &[
    ("ring", "registers on rings"),
    ("clock", "registers on paths that are longer than the clock"),
    (
        "clock of ready",
        "slots on paths of `ready` that are longer than the clock",
    ),
    ("throughput", "room for tokens that come before others"),
    ("store", "addresses of stores that wait for their data"),
    ("linear_program", "buffers by a linear program"),
    ("", OF_LOOPS),
];

/// Description of buffers that lowering creates.
const OF_LOOPS: &str = "conditions of loops";

impl Network {
    /// Returns the data of the kernel's graph; `None` if the kernel has a static schedule.
    pub(super) fn of(compiled: &Compiled) -> Option<Self> {
        let mut network = Self::default();
        network.add(crate::dataflow::function(compiled)?);
        Some(network)
    }

    /// Returns the data of graphs that are the input; buffers without a reason are those of the input.
    pub fn of_given<'a>(functions: impl Iterator<Item = View<'a>>) -> Self {
        let mut network = Self::default();
        functions.for_each(|function| network.add(function));
        if let Some(own) = network.buffers.remove(OF_LOOPS) {
            network
                .buffers
                .insert("buffers of the graph that was given", own);
        }
        network
    }

    /// Returns the proof that there is no deadlock, if there is one.
    pub fn proof(&self) -> Option<&str> {
        self.proof.as_deref()
    }

    /// Adds the data of a graph.
    fn add(&mut self, function: View<'_>) {
        let (context, body) = (function.context, function.inner());
        let proof = function
            .attribute(DEADLOCK_FREE)
            .and_then(|a| a.as_str(context));
        self.proof = self.proof.take().or_else(|| proof.map(str::to_owned));
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() != handshake::Buffer::NAME {
                continue;
            }
            let text = |name: &str| view.attribute(name).and_then(|a| a.as_str(context));
            let number = |name: &str| view.attribute(name).and_then(|a| a.as_i64(context));
            if let Some(interval_cycles) = number(sluice::II) {
                self.loops.push(NetworkLoop {
                    source: place(view),
                    interval_cycles,
                    ring: text(sluice::RING).map(str::to_owned),
                    busy: text(sluice::BUSY).map(str::to_owned),
                });
            }
            let reason = text(sluice::REASON).unwrap_or_default();
            let known = REASONS.iter().find(|(name, _)| *name == reason);
            let sum = self
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
    }

    /// Formats one line for each loop.
    pub fn summary(&self) -> String {
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

    /// Formats a line about the proof.
    pub fn deadlock_freedom(&self) -> String {
        match &self.proof {
            Some(proof) => format!("no deadlock: {proof}\n"),
            None => "freedom from deadlock is not proved\n".to_owned(),
        }
    }

    /// Formats proof, loops and buffers for a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("\n{}", self.deadlock_freedom());
        text += &match self.loops[..] {
            [] => "\nelastic circuit without loops: operations run as soon as their operands are there\n".to_owned(),
            _ => format!(
                "\nelastic circuit: operations run as soon as their operands are there; if no choice takes longer than another and nothing else waits\n{}",
                self.summary()
            ),
        };
        if self.buffers.is_empty() {
            return text + "\nno buffers\n";
        }
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

    /// Returns proof, loops and buffers as JSON.
    pub fn to_json(&self) -> Value {
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
        json!({ "deadlock_free": self.proof, "loops": loops, "buffers": buffers })
    }

    /// Returns loops and buffers as a part of an HTML page.
    pub(super) fn html(&self) -> String {
        let mut page = self.proof.as_ref().map_or_else(String::new, |proof| {
            format!("<p>Free from deadlock: {}.</p>\n", escape(proof))
        });
        if !self.loops.is_empty() {
            page.push_str(
                "<h2>Loops of tokens</h2>\n<p class=\"faint\">If no choice takes longer than another and nothing else waits.</p>\n\
                 <div class=\"wide\"><table>\n<tr><th>loop</th><th class=\"n\">cycles per iteration</th><th>limit</th></tr>\n",
            );
        }
        for found in &self.loops {
            let limit = limit(found);
            let _ = writeln!(
                page,
                "<tr><td class=\"code\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
                escape(file_of(&found.source)),
                found.interval_cycles,
                escape(limit.trim_start_matches(", "))
            );
        }
        if !self.loops.is_empty() {
            page.push_str("</table></div>\n");
        }
        if self.buffers.is_empty() {
            return page + "<p>There are no buffers.</p>\n";
        }
        page.push_str(
            "<h2>Buffers</h2>\n<div class=\"wide\"><table>\n<tr><th>reason</th><th class=\"n\">buffers</th>\
             <th class=\"n\">slots</th><th class=\"n\">bits</th></tr>\n",
        );
        for (what, sum) in &self.buffers {
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                escape(what),
                sum.n_buffers,
                sum.n_slots,
                sum.n_bits
            );
        }
        page + "</table></div>\n"
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
