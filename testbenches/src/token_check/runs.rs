//! Runs of a graph alone: untimed in any firing order, and timed with random stalls.

use sluice_dialects::interface::ArgumentPorts;
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_kernel::compiled::Compiled;
use sluice_sim::interpreter::Argument;
use sluice_sim::testbench::{CircuitOutcome, banked, scatter};
use sluice_sim::tokens::{Leftover, TokenSimulator};
use sluice_verify::data::Case;

/// Cycles after which a run fails.
const MAX_CYCLES: u64 = Limit::SimulatedCycles.row().default;

/// The graph of an elastic kernel, with data.
pub struct Tokens<'a> {
    compiled: &'a Compiled,
    simulator: TokenSimulator<'a>,
    arguments: Vec<Argument>,
}

impl<'a> Tokens<'a> {
    /// Creates the graph of a kernel.
    ///
    /// # Errors
    /// The reason why it cannot be run.
    pub fn new(compiled: &'a Compiled, case: &Case) -> Result<Self, String> {
        let context = &compiled.context;
        let simulator = TokenSimulator::new(context, &compiled.scheduled, &compiled.top);
        Ok(Self {
            compiled,
            simulator: simulator.map_err(|found| found.to_text(context))?,
            arguments: banked(&compiled.interface, &case.arguments),
        })
    }

    /// Checks that an untimed run gives the same results: in first-in, first-out order, or in a random one.
    ///
    /// # Errors
    /// The first difference.
    pub fn without_time(
        &mut self,
        seed: Option<u64>,
        wanted: &CircuitOutcome,
    ) -> Result<(), String> {
        self.simulator.firing_seed = seed;
        let ran = self.simulator.run_untimed(&self.arguments);
        let ran = ran.map_err(|why| format!("without time, seed {seed:?}: {why}"))?;
        let outcome = CircuitOutcome {
            results: ran.outcome.results,
            memories: ran.outcome.memories,
            cycles: wanted.cycles,
        };
        match unlike(self.compiled, &outcome, &ran.leftover, wanted) {
            Some(found) => Err(format!("without time, seed {seed:?}: {found}")),
            None => Ok(()),
        }
    }

    /// Checks that a run with random stalls gives the same results; returns its number of cycles.
    ///
    /// # Errors
    /// The first difference.
    pub fn stalled(&mut self, seed: u64, wanted: &CircuitOutcome) -> Result<u64, String> {
        self.simulator.stall_seed = Some(seed);
        let ran = self.simulator.run(&self.arguments, MAX_CYCLES);
        self.simulator.stall_seed = None;
        let ran = ran.map_err(|why| format!("waiting at random, seed {seed}: {why}"))?;
        let cycles = ran.outcome.cycles;
        let outcome = CircuitOutcome {
            cycles: wanted.cycles,
            ..ran.outcome
        };
        match unlike(self.compiled, &outcome, &ran.leftover, wanted) {
            Some(found) => Err(format!("waiting at random, seed {seed}: {found}")),
            None => Ok(cycles),
        }
    }
}

/// Returns the first difference between the results of a graph and those of the circuit.
pub(super) fn unlike(
    compiled: &Compiled,
    graph: &CircuitOutcome,
    leftover: &[Leftover],
    circuit: &CircuitOutcome,
) -> Option<String> {
    if graph.cycles != circuit.cycles {
        let (graph, circuit) = (graph.cycles, circuit.cycles);
        return Some(format!(
            "`done` in cycle {graph} of the graph, {circuit} of the circuit"
        ));
    }
    if graph.results != circuit.results {
        let (graph, circuit) = (&graph.results, &circuit.results);
        return Some(format!(
            "results {graph:?} of the graph, {circuit:?} of the circuit"
        ));
    }
    let memories = compiled.interface.arguments.iter();
    let memories = memories.filter(|ports| matches!(ports, ArgumentPorts::Memory { .. }));
    let contents = memories.zip(&circuit.memories);
    let expected: Vec<Vec<Bits>> = contents
        .flat_map(|(ports, cells)| scatter(ports, cells))
        .collect();
    if let Some(place) = (0..expected.len()).find(|i| graph.memories.get(*i) != expected.get(*i)) {
        return Some(format!(
            "memory {place} of the graph has other words than in the circuit"
        ));
    }
    let left = leftover.first()?;
    Some(format!(
        "`{}` holds {} tokens at the end, {} before the start",
        left.name, left.n_tokens, left.n_before
    ))
}
