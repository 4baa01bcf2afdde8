//! Occupancy of the buffers of an elastic circuit in simulated runs of its graph, which match the circuit cycle by cycle.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sluice_dialects::handshake;
use sluice_ir::{OperationId, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::testbench::banked;
use sluice_sim::tokens::TokenSimulator;
use sluice_verify::check::most_cycles;
use sluice_verify::data::Case;

use crate::dataflow::{described, function, maker, reason, simulator};
use crate::place;

/// The occupancy of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// The buffer, in the graph of the kernel.
    pub operation: OperationId,
    /// Description of its tokens: the nearest operation before it that has a name or computes something, with its location.
    pub holds: String,
    /// Source location that the buffer serves.
    pub source: String,
    /// Reason for the buffer.
    pub reason: String,
    /// Maximum number of tokens it can hold.
    pub capacity: usize,
    /// Number of tokens in it, summed over the cycles.
    pub token_cycles: u64,
    /// Largest number of tokens in it at the end of a cycle.
    pub most_tokens: usize,
}

/// Returns whether a kernel has a dataflow graph instead of a static schedule.
pub fn is_elastic(compiled: &Compiled) -> bool {
    function(compiled).is_some()
}

/// The buffers of a kernel in all simulated runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// The buffers in the order of the graph.
    pub buffers: Vec<Occupancy>,
    /// Number of runs.
    pub n_runs: usize,
    /// Total cycles of the runs, each from the arrival of the arguments to the transfer of the results.
    pub n_cycles: u64,
}

impl Traffic {
    /// Runs the graph of a kernel on data sets.
    ///
    /// # Errors
    /// The reason why a run does not finish; also a kernel with a static schedule.
    pub fn of(compiled: &Compiled, cases: &[Case]) -> Result<Self, String> {
        let function = function(compiled).ok_or("there is no graph of the kernel")?;
        let mut tokens = simulator(compiled)?;
        let mut traffic = Self::default();
        for (i, case) in cases.iter().enumerate() {
            let arguments = banked(&compiled.interface, &case.arguments);
            let ran = tokens.run(&arguments, most_cycles(compiled));
            let ran = ran.map_err(|why| format!("data set {i}: {why}"))?;
            traffic.add(function, &tokens, ran.outcome.cycles);
        }
        Ok(traffic)
    }

    /// Adds the last run of a graph, which took `n_cycles`.
    pub fn add(&mut self, function: View<'_>, tokens: &TokenSimulator<'_>, n_cycles: u64) {
        let buffers = tokens.statistics().buffers.iter();
        let buffers = buffers.filter_map(|found| {
            let channel = tokens.channels()[found.channel].value;
            let view = maker(function, channel)?;
            (view.name() == handshake::Buffer::NAME).then_some((found, channel, view))
        });
        for (i, (found, channel, view)) in buffers.enumerate() {
            if i == self.buffers.len() {
                self.buffers.push(Occupancy {
                    operation: view.id,
                    holds: described(function, view.operand(0)),
                    source: place(view),
                    reason: match reason(function, channel) {
                        "" => "condition of a loop".to_owned(),
                        reason => reason.to_owned(),
                    },
                    capacity: found.capacity,
                    token_cycles: 0,
                    most_tokens: 0,
                });
            }
            let buffer = &mut self.buffers[i];
            buffer.token_cycles += found.token_cycles;
            buffer.most_tokens = buffer.most_tokens.max(found.most_tokens);
        }
        self.n_runs += 1;
        // `done` comes one cycle after the last counted one.
        self.n_cycles += n_cycles.saturating_sub(1);
    }

    /// Returns the mean number of tokens in a buffer over all cycles.
    pub fn mean(&self, buffer: &Occupancy) -> f64 {
        buffer.token_cycles as f64 / self.n_cycles.max(1) as f64
    }

    /// Formats a table for a terminal, with a line for each buffer.
    pub fn text(&self) -> String {
        let mut text = format!(
            "\ntokens in buffers, in {} cycles of {}\n  {:19} {:>4} {:>6} {:>5}  after\n",
            self.n_cycles,
            match self.n_runs {
                1 => "1 data set".to_owned(),
                n => format!("{n} data sets"),
            },
            "reason",
            "room",
            "mean",
            "most"
        );
        for buffer in &self.buffers {
            let Occupancy {
                holds,
                reason,
                capacity,
                most_tokens,
                ..
            } = buffer;
            let mean = self.mean(buffer);
            let _ = writeln!(
                text,
                "  {reason:19} {capacity:4} {mean:6.2} {most_tokens:5}  {holds}"
            );
        }
        text
    }

    /// Returns the table as JSON.
    pub fn to_json(&self) -> Value {
        let buffers: Vec<Value> = self
            .buffers
            .iter()
            .map(|buffer| {
                json!({
                    "holds": buffer.holds,
                    "source": buffer.source,
                    "reason": buffer.reason,
                    "capacity": buffer.capacity,
                    "mean_tokens": self.mean(buffer),
                    "most_tokens": buffer.most_tokens,
                })
            })
            .collect();
        json!({ "data_sets": self.n_runs, "cycles": self.n_cycles, "buffers": buffers })
    }
}
