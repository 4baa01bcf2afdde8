//! Comparison of an elastic circuit with its dataflow graph: in every cycle, channels and memory ports must agree with the token
//! simulator.

mod ports;
mod probes;
mod runs;

use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::CycleSimulator;
use sluice_sim::testbench::{self, CircuitOutcome};
use sluice_sim::tokens::{Cycle, TokenSimulator};
use sluice_verify::data::Case;

use ports::MemoryPort;
use probes::{Probe, Probes, Signal};

pub use runs::Tokens;

/// Cycles after which a run fails.
const MAX_CYCLES: u64 = Limit::SimulatedCycles.row().default;

/// Cycles that are buffered before they are compared.
const CHUNK_CYCLES: usize = 256;

/// The most differences that are reported.
const MAX_DIFFERENCES: usize = 12;

/// Cycles of a testbench before the first one with valid arguments: two of reset, one with `start`.
const FIRST_CYCLE: u64 = 2;

/// The result of a successful comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The results of the circuit, which are available in the same cycle as those of the graph.
    pub outcome: CircuitOutcome,
    /// The number of compared signals: nets of the circuit that are signals of channels.
    pub n_signals: usize,
    /// Channels of the graph.
    pub n_channels: usize,
}

/// Runs an elastic kernel as a graph and as a circuit. The signals are compared in the first `most_cycles` cycles, and the
/// results at the end.
///
/// # Errors
/// The reason why one of them does not finish, or the first differences, one per line.
pub fn compare(compiled: &Compiled, case: &Case, most_cycles: u64) -> Result<Compared, String> {
    let context = &compiled.context;
    let mut graph = TokenSimulator::new(context, &compiled.scheduled, &compiled.top)
        .map_err(|found| found.to_text(context))?;
    let (probes, mut circuit) = Probes::new(compiled)?;
    circuit.record();
    let arguments = &case.arguments;
    let outcome = testbench::run(&mut circuit, &compiled.interface, arguments, MAX_CYCLES);
    let outcome = outcome.map_err(|why| format!("circuit: {why}"))?;
    let channels = graph.channels().iter();
    let channels =
        channels.map(|channel| format!("`{}` ({} -> {})", channel.name, channel.from, channel.to));
    let mut comparison = Comparison {
        channels: channels.collect(),
        ports: ports::read_ports(compiled, graph.channels(), &circuit)?,
        probes,
        circuit,
        chunk: Vec::new(),
        differences: Vec::new(),
    };
    let ran = graph.run_watched(
        &testbench::banked(&compiled.interface, arguments),
        MAX_CYCLES,
        &mut |cycle| {
            if cycle.number <= most_cycles {
                comparison.add(cycle);
            }
        },
    );
    comparison.flush();
    let mut differences = comparison.differences;
    match ran {
        Ok(ran) => differences.extend(runs::unlike(
            compiled,
            &ran.outcome,
            &ran.leftover,
            &outcome,
        )),
        Err(why) => differences.push(format!("graph: {why}")),
    }
    match differences.is_empty() {
        true => Ok(Compared {
            outcome,
            n_signals: comparison.probes.all.len(),
            n_channels: comparison.channels.len(),
        }),
        false => Err(differences.join("\n")),
    }
}

/// A channel in a cycle; `data` is `None` if there is no token or if it is undefined.
#[derive(Clone, Debug)]
struct Seen {
    is_valid: bool,
    is_ready: bool,
    data: Option<Bits>,
}

/// A cycle that has not been compared yet.
struct Kept {
    number: u64,
    channels: Vec<Seen>,
    /// For each port, whether a call uses it.
    called: Vec<bool>,
}

struct Comparison {
    channels: Vec<String>,
    ports: Vec<MemoryPort>,
    probes: Probes,
    circuit: CycleSimulator,
    chunk: Vec<Kept>,
    differences: Vec<String>,
}

impl Comparison {
    fn add(&mut self, cycle: &Cycle<'_>) {
        if self.differences.len() >= MAX_DIFFERENCES {
            return;
        }
        let channels = 0..self.channels.len();
        let all = channels.map(|channel| {
            let is_valid = cycle.valid(channel);
            let data = is_valid.then(|| cycle.data(channel));
            let data = data.and_then(|(parts, is_defined)| {
                let first = parts
                    .iter()
                    .cloned()
                    .reduce(|high, low| Bits::concat(&high, &low));
                first.filter(|_| is_defined)
            });
            Seen {
                is_valid,
                is_ready: cycle.ready(channel),
                data,
            }
        });
        let called = self.ports.iter().map(|port| {
            let (id, writes) = port.called;
            cycle.is_called(id, writes)
        });
        self.chunk.push(Kept {
            number: cycle.number,
            channels: all.collect(),
            called: called.collect(),
        });
        if self.chunk.len() == CHUNK_CYCLES {
            self.flush();
        }
    }

    /// Runs the circuit through the buffered cycles, and compares them.
    fn flush(&mut self) {
        let chunk = std::mem::take(&mut self.chunk);
        let (Some(first), Some(last)) = (chunk.first(), chunk.last()) else {
            return;
        };
        let (from, to) = (FIRST_CYCLE + first.number, FIRST_CYCLE + last.number + 1);
        let mut cycles = chunk.iter();
        let (probes, ports, channels) = (&self.probes, &self.ports, &self.channels);
        let differences = &mut self.differences;
        self.circuit.replay(from, to, |circuit| {
            let Some(kept) = cycles.next() else {
                return;
            };
            let (number, seen) = (kept.number, &kept.channels);
            let mut lines: Vec<String> = Vec::new();
            for probe in &probes.all {
                lines.extend(difference(probe, &seen[probe.channel], circuit, channels));
            }
            for (port, called) in ports.iter().zip(&kept.called) {
                lines.extend(port.difference(seen, *called, circuit));
            }
            let room = MAX_DIFFERENCES.saturating_sub(differences.len());
            let lines = lines.iter().take(room);
            differences.extend(lines.map(|lines| format!("cycle {number}: {lines}")));
        });
    }
}

/// Returns the difference between a net and the signal of a channel, if there is one.
fn difference(
    probe: &Probe,
    seen: &Seen,
    circuit: &CycleSimulator,
    channels: &[String],
) -> Option<String> {
    let bit = |value: bool| Bits::from_u64(1, u64::from(value));
    let (name, wanted) = match probe.signal {
        Signal::Valid => ("valid", bit(seen.is_valid)),
        // Without a token, `ready` is meaningless.
        Signal::Ready if !seen.is_valid => return None,
        Signal::Ready => ("ready", bit(seen.is_ready)),
        Signal::Data => ("data", seen.data.clone()?),
    };
    let is_equal = probe.net.is(&wanted, circuit);
    (!is_equal).then(|| {
        let found = probe.net.value(wanted.width(), circuit);
        let channel = &channels[probe.channel];
        format!("{name} of {channel} is {wanted} in the graph, {found} in the circuit")
    })
}
