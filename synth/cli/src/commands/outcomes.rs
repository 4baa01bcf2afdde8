//! What came of each data set, for reports on files and folders.

use std::path::{Path, PathBuf};
use std::time::Instant;

use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Watch};
use sluice_verify::circuit::{CycleSimulator, Observe};

use crate::companion::Parted;
use crate::output::Stop;

/// What is noted of the runs of a kernel or circuit.
#[derive(Default)]
pub(super) struct Log {
    /// Warnings and notes.
    pub(super) notes: String,
    /// The file that has the data sets.
    pub(super) data_file: Option<PathBuf>,
    /// The data sets, in their order; those of a run without a data file are one.
    pub(super) data_sets: Vec<DataSet>,
    /// What was expected of all data sets together, or of the circuit, and not found.
    pub(super) unmet: Vec<String>,
}

/// A data set, and what came of it.
pub(super) struct DataSet {
    /// Its name, or its number.
    pub(super) name: String,
    /// Where it stands in the data file.
    pub(super) line: Option<usize>,
    pub(super) seconds: f64,
    pub(super) came: Came,
}

/// What came of a data set.
pub(super) enum Came {
    /// It was not run.
    Nothing,
    Passed,
    /// This is wrong with it.
    Failed(String),
}

impl Log {
    /// The data sets that are to be run, by names and lines.
    pub(super) fn begin(
        &mut self,
        file: Option<&Path>,
        sets: impl Iterator<Item = (Option<String>, Option<usize>)>,
    ) {
        self.data_file = file.map(Path::to_owned);
        let sets = sets.enumerate().map(|(number, (name, line))| DataSet {
            name: name.unwrap_or_else(|| format!("data set {number}")),
            line,
            seconds: 0.0,
            came: Came::Nothing,
        });
        self.data_sets = sets.collect();
    }

    /// Something is wrong with a data set. What was said first stays.
    pub(super) fn failed(&mut self, number: usize, why: &str) {
        if let Some(set) = self.data_sets.get_mut(number)
            && !matches!(set.came, Came::Failed(_))
        {
            set.came = Came::Failed(why.to_owned());
        }
    }

    /// A model parts from the simulator, or says no more.
    pub(super) fn parted(&mut self, parted: Parted) -> Stop {
        if let Some(number) = parted.data_set {
            self.failed(number, &parted.message);
            self.passed_before(number);
        }
        parted.into()
    }

    /// The only run is wrong, and stops for this.
    pub(super) fn failed_alone(&mut self, stop: Stop) -> Stop {
        self.failed(0, stop.message.trim_end());
        stop
    }

    /// The data sets before number `end` of which nothing is said passed.
    pub(super) fn passed_before(&mut self, end: usize) {
        for set in self.data_sets.iter_mut().take(end) {
            if matches!(set.came, Came::Nothing) {
                set.came = Came::Passed;
            }
        }
    }

    /// Notes how long the data sets took.
    pub(super) fn took(&mut self, seconds: &[f64]) {
        for (set, seconds) in self.data_sets.iter_mut().zip(seconds) {
            set.seconds = *seconds;
        }
    }

    /// Whether something is wrong with a data set, or was expected and not found.
    pub(super) fn has_failures(&self) -> bool {
        let is_failed = |set: &DataSet| matches!(set.came, Came::Failed(_));
        !self.unmet.is_empty() || self.data_sets.iter().any(is_failed)
    }
}

/// Runs cycles as another one does, and notes how long each data set takes.
pub(super) struct Timed<'a> {
    within: &'a mut dyn Watch,
    begun: Vec<Instant>,
}

impl<'a> Timed<'a> {
    pub(super) fn new(within: &'a mut dyn Watch) -> Self {
        Self {
            within,
            begun: Vec::new(),
        }
    }

    /// The seconds of the data sets that were begun, the last of which is over now.
    pub(super) fn seconds(&self) -> Vec<f64> {
        let ends = self.begun.iter().skip(1).copied().chain([Instant::now()]);
        let pairs = self.begun.iter().zip(ends);
        pairs
            .map(|(begin, end)| (end - *begin).as_secs_f64())
            .collect()
    }
}

impl Watch for Timed<'_> {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.begun.push(Instant::now());
        self.within.data_set(number)
    }

    fn observe(&self) -> Observe {
        self.within.observe()
    }

    fn records(&self) -> bool {
        self.within.records()
    }

    fn begin(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        self.within.begin(simulator)
    }

    fn end(
        &mut self,
        simulator: &mut CycleSimulator,
        outcome: Result<&CircuitOutcome, &TestbenchError>,
    ) -> Result<(), String> {
        self.within.end(simulator, outcome)
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        self.within.cycle(simulator)
    }

    fn until(
        &mut self,
        simulator: &mut CycleSimulator,
        output: usize,
        most_cycles: u64,
    ) -> Result<u64, String> {
        self.within.until(simulator, output, most_cycles)
    }
}
