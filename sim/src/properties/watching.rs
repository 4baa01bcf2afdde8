//! Assertions on a testbench: a run ends at the first property that does not hold.

use std::fmt::Write as _;

use sluice_dialects::interface::Interface;
use sluice_ir::bits::Bits;

use super::monitor::{Monitor, Verdict};
use super::seen::{Places, Seen};
use super::{Property, PropertyError};
use crate::cycle::{CycleSimulator, Observe};
use crate::testbench::{CircuitOutcome, TestbenchError, Watch};

/// An input that resets a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// Its name.
    pub input: String,
    /// Whether the reset is active low.
    pub is_low: bool,
}

impl Reset {
    /// Creates a reset that is active high.
    pub fn high(input: &str) -> Self {
        Self {
            input: input.to_owned(),
            is_low: false,
        }
    }
}

/// A `Watch` that runs the cycles through another `Watch` and checks properties in each of them.
pub struct Asserting<'a> {
    within: &'a mut dyn Watch,
    /// The text of each property, and its monitor.
    properties: Vec<(String, Monitor)>,
    places: Places,
    /// Whether a property reads an internal signal.
    reads_signals: bool,
    /// Whether a property reads a value that the edge at the end of a cycle changes.
    is_inside: bool,
    /// The inputs that reset the circuit, and whether each is active low; cycles of a reset are not checked.
    resets: Vec<(usize, bool)>,
    cycle: u64,
    n_looked_at: u64,
    /// The number of times a memory has been filled from outside.
    n_fills: u64,
}

impl<'a> Asserting<'a> {
    /// Checks `properties` in all cycles but those of a reset.
    ///
    /// `simulator` has the same circuit as those that will run, with its signals observed; array arguments of `interface` are
    /// memories.
    ///
    /// # Errors
    /// The properties that do not fit this circuit, by their numbers.
    pub fn new(
        properties: &[Property],
        resets: &[Reset],
        simulator: &CycleSimulator,
        interface: Option<&Interface>,
        within: &'a mut dyn Watch,
    ) -> Result<Self, Vec<(usize, PropertyError)>> {
        let places = Places::new(simulator, interface);
        let subjects = places.subjects(simulator, interface);
        let (mut resolved, mut errors) = (Vec::new(), Vec::new());
        for (number, property) in properties.iter().enumerate() {
            let mut before = properties[..number].iter();
            if let Some(name) = property.name()
                && before.any(|other| other.name() == Some(name))
            {
                let message = format!("another assertion is called `{name}`");
                errors.push((number, PropertyError { column: 1, message }));
            }
            match property.resolve(&subjects) {
                Ok(monitor) => resolved.push((property.text().trim().to_owned(), monitor)),
                Err(why) => errors.push((number, why)),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let monitors = || resolved.iter().map(|(_, monitor)| monitor);
        let n_ports = subjects.ports.len();
        let reads_signals = monitors().any(|m| m.values().any(|number| number >= n_ports));
        let reads_memories = monitors().any(Monitor::reads_memories);
        // The memories and streams around a kernel drive inputs. After the edge these inputs hold the values of the next cycle.
        let is_around = |number: usize| interface.is_some() && number < simulator.inputs().len();
        let reads_around = monitors().any(|m| m.values().any(is_around));
        Ok(Self {
            within,
            properties: resolved,
            places,
            reads_signals,
            is_inside: reads_signals || reads_memories || reads_around,
            resets: resets
                .iter()
                .filter_map(|reset| Some((simulator.input_index(&reset.input)?, reset.is_low)))
                .collect(),
            cycle: 0,
            n_looked_at: 0,
            n_fills: 0,
        })
    }

    /// Returns the number of cycles that were checked, over all runs.
    pub fn n_cycles(&self) -> u64 {
        self.n_looked_at
    }

    /// Returns the properties whose left side was true in no checked cycle, so their right side was never required. With each
    /// comes the number of past cycles that its check needs.
    pub fn vacuous(&self) -> impl Iterator<Item = (&str, u64)> {
        let vacuous = |(_, monitor): &&(String, Monitor)| monitor.n_asked() == 0;
        let vacuous = self.properties.iter().filter(vacuous);
        vacuous.map(|(text, monitor)| (text.as_str(), monitor.depth_cycles()))
    }

    /// Checks the properties in a cycle, before its edge.
    ///
    /// # Errors
    /// The properties that do not hold, one per line.
    fn look(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        let cycle = self.cycle;
        self.cycle += 1;
        let n_fills = std::mem::replace(&mut self.n_fills, simulator.n_fills());
        if n_fills != self.n_fills {
            // Words from before the filling are no past values of the memory.
            let all = self.properties.iter_mut();
            let monitors = all.map(|(_, monitor)| monitor);
            let on_words = monitors.filter(|monitor| monitor.reads_memories());
            on_words.for_each(Monitor::restart);
        }
        let mut resets = self.resets.iter();
        if resets.any(|(input, is_low)| simulator.input(*input).is_zero() == *is_low) {
            self.restart();
            return Ok(());
        }
        self.n_looked_at += 1;
        let now = Seen {
            simulator,
            places: &self.places,
        };
        let mut found = Vec::new();
        for (text, monitor) in &mut self.properties {
            if let Verdict::Broken { since } = monitor.look(cycle, &now) {
                found.push(broken(text, &monitor.read(&now), cycle, since));
            }
            monitor.advance(&now);
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

    /// Checks, after the end of a run, that no property is still pending.
    ///
    /// # Errors
    /// The properties that are still pending, one per line.
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

/// Returns the message of a property that does not hold, with the values that it read.
fn broken(text: &str, read: &[(String, Bits)], cycle: u64, since: u64) -> String {
    let mut said = format!("cycle {cycle}: assertion `{text}` does not hold");
    if since < cycle {
        let _ = write!(said, ", which cycle {since} asks for");
    }
    let read = read.iter();
    let read = read.map(|(name, value)| format!("{name} = 0x{}", value.to_hex_string()));
    let read: Vec<String> = read.collect();
    if !read.is_empty() {
        let _ = write!(said, ": {}", read.join(", "));
    }
    said
}

impl Watch for Asserting<'_> {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.within.data_set(number)
    }

    fn observe(&self) -> Observe {
        match self.within.observe() {
            Observe::Ports if self.reads_signals => Observe::Signals,
            observe => observe,
        }
    }

    fn records(&self) -> bool {
        self.within.records()
    }

    fn begin(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        self.restart();
        self.cycle = 0;
        self.n_fills = simulator.n_fills();
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
        if self.is_inside {
            simulator.settle();
            let found = self.look(simulator);
            // The recorder of waves must see this cycle too, even if a property fails.
            self.within.cycle(simulator)?;
            return found;
        }
        self.within.cycle(simulator)?;
        self.look(simulator)
    }
}
