//! Properties as what watches a testbench: a run in which one does not hold ends there.

use std::fmt::Write as _;

use sluice_ir::bits::Bits;

use super::monitor::{Monitor, Verdict};
use super::{PortOfProperty, Property, PropertyError};
use crate::cycle::{CycleSimulator, Observe};
use crate::testbench::{CircuitOutcome, TestbenchError, Watch};

/// Runs cycles as another one does, and asserts properties of the ports.
pub struct Asserting<'a> {
    within: &'a mut dyn Watch,
    properties: Vec<(String, Monitor)>,
    n_inputs: usize,
    /// Ports that are read.
    read: Vec<usize>,
    /// The input that is 1 in cycles that are not looked at.
    reset: Option<usize>,
    /// Values of all ports, the inputs first.
    values: Vec<Bits>,
    cycle: u64,
    n_looked_at: u64,
}

/// The ports of a simulator that properties can speak of: inputs, clocks left out, and outputs.
fn ports_of(simulator: &CycleSimulator) -> Vec<PortOfProperty> {
    let ports = simulator.inputs().chain(simulator.outputs());
    ports
        .map(|port| PortOfProperty::new(&port.name, port.width_bits))
        .collect()
}

impl<'a> Asserting<'a> {
    /// Asserts `properties`, but not in cycles in which the input `reset` is not 0; `simulator` is as those that will run.
    ///
    /// # Errors
    /// The properties that say nothing of these ports, by their numbers.
    pub fn new(
        properties: &[Property],
        reset: Option<&str>,
        simulator: &CycleSimulator,
        within: &'a mut dyn Watch,
    ) -> Result<Self, Vec<(usize, PropertyError)>> {
        let ports = ports_of(simulator);
        let (mut resolved, mut errors) = (Vec::new(), Vec::new());
        for (number, property) in properties.iter().enumerate() {
            match property.resolve(&ports) {
                Ok(monitor) => resolved.push((property.text().trim().to_owned(), monitor)),
                Err(why) => errors.push((number, why)),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let read = resolved.iter().flat_map(|(_, monitor)| monitor.ports());
        let mut read: Vec<usize> = read.map(|(port, _)| *port).collect();
        read.sort_unstable();
        read.dedup();
        Ok(Self {
            within,
            properties: resolved,
            values: ports.iter().map(|p| Bits::zero(p.width_bits)).collect(),
            n_inputs: simulator.inputs().len(),
            read,
            reset: reset.and_then(|name| simulator.input_index(name)),
            cycle: 0,
            n_looked_at: 0,
        })
    }

    /// Cycles that were looked at, of all runs together.
    pub fn n_cycles(&self) -> u64 {
        self.n_looked_at
    }

    /// The properties whose left side was true in no cycle: nothing was asserted of the right one.
    pub fn vacuous(&self) -> impl Iterator<Item = &str> {
        let vacuous = |(_, monitor): &&(String, Monitor)| monitor.n_asked() == 0;
        self.properties
            .iter()
            .filter(vacuous)
            .map(|(text, _)| text.as_str())
    }

    /// Looks at the cycle that was run last.
    ///
    /// # Errors
    /// The properties that do not hold, a line each.
    fn look(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        let cycle = self.cycle;
        self.cycle += 1;
        if let Some(reset) = self.reset
            && !simulator.input(reset).is_zero()
        {
            self.restart();
            return Ok(());
        }
        self.n_looked_at += 1;
        for port in &self.read {
            self.values[*port] = match port.checked_sub(self.n_inputs) {
                Some(output) => simulator.output(output),
                None => simulator.input(*port),
            };
        }
        let mut found = Vec::new();
        for (text, monitor) in &mut self.properties {
            if let Verdict::Broken { since } = monitor.step(cycle, &self.values) {
                found.push(broken(text, monitor, &self.values, cycle, since));
            }
        }
        match found[..] {
            [] => Ok(()),
            _ => Err(found.join("\n")),
        }
    }

    fn restart(&mut self) {
        for (_, monitor) in &mut self.properties {
            monitor.restart();
        }
    }

    /// What had to come before the run ended, which it has.
    ///
    /// # Errors
    /// The properties for which it did not, a line each.
    pub fn over(&self) -> Result<(), String> {
        let missing = self.properties.iter().filter_map(|(text, monitor)| {
            let Verdict::Broken { since } = monitor.end() else {
                return None;
            };
            Some(format!(
                "assertion `{text}` does not hold: cycle {since} asks for what has not come when the run ends, after {} cycles",
                self.cycle
            ))
        });
        let missing: Vec<String> = missing.collect();
        match missing[..] {
            [] => Ok(()),
            _ => Err(missing.join("\n")),
        }
    }
}

/// What is said of a property that does not hold.
fn broken(text: &str, monitor: &Monitor, values: &[Bits], cycle: u64, since: u64) -> String {
    let mut said = format!("cycle {cycle}: assertion `{text}` does not hold");
    if since < cycle {
        let _ = write!(said, ", which cycle {since} asks for");
    }
    let ports = monitor.ports().iter();
    let ports: Vec<String> = ports
        .map(|(port, name)| format!("{name} = 0x{}", values[*port].to_hex_string()))
        .collect();
    if !ports.is_empty() {
        let _ = write!(said, ": {}", ports.join(", "));
    }
    said
}

impl Watch for Asserting<'_> {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.within.data_set(number)
    }

    fn observe(&self) -> Observe {
        self.within.observe()
    }

    fn begin(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        self.restart();
        self.cycle = 0;
        self.within.begin(simulator)
    }

    fn end(
        &mut self,
        simulator: &mut CycleSimulator,
        outcome: Result<&CircuitOutcome, &TestbenchError>,
    ) -> Result<(), String> {
        let over = outcome.map_or(Ok(()), |_| self.over());
        self.within.end(simulator, outcome)?;
        over
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        self.within.cycle(simulator)?;
        self.look(simulator)
    }
}
