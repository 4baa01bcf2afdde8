//! The results of data sets, for reports on files and folders.

use std::path::{Path, PathBuf};
use std::time::Instant;

use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Watch};
use sluice_verify::circuit::{CycleSimulator, Observe};

use crate::companion::Parted;
use crate::output::Stop;

/// Notes about the runs of a kernel or circuit.
#[derive(Default)]
pub(super) struct Log {
    /// Warnings and notes of the compilation and of the drawing of data.
    pub(super) notes: String,
    /// Warnings of data that exercise nothing, of all data or of the data set with this number.
    pub(super) warnings: Vec<(Option<usize>, String)>,
    /// The file that has the data sets.
    pub(super) data_file: Option<PathBuf>,
    /// The data sets, in order; a run without a data file has one.
    pub(super) data_sets: Vec<DataSet>,
    /// Unmet expectations about all data sets together, or about the circuit.
    pub(super) unmet: Vec<String>,
}

/// A data set and its result.
pub(super) struct DataSet {
    /// Its name, or its number.
    pub(super) name: String,
    /// Its line in the data file.
    pub(super) line: Option<usize>,
    /// `file:line:column` of the expectation that it does not meet.
    pub(super) place: Option<String>,
    /// The iterations that it runs of each loop, in words; nothing where they are not counted.
    pub(super) exercised: String,
    pub(super) seconds: f64,
    pub(super) came: Came,
}

/// The result of a data set.
pub(super) enum Came {
    /// It was not run.
    Nothing,
    Passed,
    /// It failed for this reason.
    Failed(String),
}

impl Log {
    /// Starts the log with the names and lines of the data sets to run.
    pub(super) fn begin(
        &mut self,
        file: Option<&Path>,
        sets: impl Iterator<Item = (Option<String>, Option<usize>)>,
    ) {
        self.data_file = file.map(Path::to_owned);
        let sets = sets.enumerate().map(|(number, (name, line))| DataSet {
            name: name.unwrap_or_else(|| format!("data set {number}")),
            line,
            place: None,
            exercised: String::new(),
            seconds: 0.0,
            came: Came::Nothing,
        });
        self.data_sets = sets.collect();
    }

    /// Notes the failure of a data set, unless it already has one.
    pub(super) fn failed(&mut self, number: usize, why: &str) {
        if let Some(set) = self.data_sets.get_mut(number)
            && !matches!(set.came, Came::Failed(_))
        {
            set.came = Came::Failed(why.to_owned());
        }
    }

    /// As [`Log::failed`], of an expectation that is written at `place`.
    pub(super) fn failed_at(&mut self, number: usize, place: Option<&str>, why: &str) {
        self.failed(number, why);
        if let (Some(set), Some(place)) = (self.data_sets.get_mut(number), place) {
            set.place.get_or_insert_with(|| place.to_owned());
        }
    }

    /// Notes what a data set exercises.
    pub(super) fn exercises(&mut self, number: usize, what: String) {
        if let Some(set) = self.data_sets.get_mut(number) {
            set.exercised = what;
        }
    }

    /// Warns of a kernel, or of its data set with this number.
    pub(super) fn warn(&mut self, number: Option<usize>, warning: String) {
        self.warnings.push((number, warning));
    }

    /// Notes and warnings, in lines.
    pub(super) fn said(&self) -> String {
        let warnings = self
            .warnings
            .iter()
            .map(|(_, warning)| format!("{warning}\n"));
        self.notes.clone() + &warnings.collect::<String>()
    }

    /// A model parts from the simulator, or says no more.
    pub(super) fn parted(&mut self, parted: Parted) -> Stop {
        if let Some(number) = parted.data_set {
            self.failed(number, &parted.message);
            self.passed_before(number);
        }
        parted.into()
    }

    /// Notes the failure of the only run, and returns it.
    pub(super) fn failed_alone(&mut self, stop: Stop) -> Stop {
        self.failed(0, stop.message.trim_end());
        stop
    }

    /// Marks the data sets before index `end` without a result as passed.
    pub(super) fn passed_before(&mut self, end: usize) {
        for set in self.data_sets.iter_mut().take(end) {
            if matches!(set.came, Came::Nothing) {
                set.came = Came::Passed;
            }
        }
    }

    /// Notes the durations of the data sets.
    pub(super) fn took(&mut self, seconds: &[f64]) {
        for (set, seconds) in self.data_sets.iter_mut().zip(seconds) {
            set.seconds = *seconds;
        }
    }

    /// Returns whether a data set failed, or an expectation is not met.
    pub(super) fn has_failures(&self) -> bool {
        let is_failed = |set: &DataSet| matches!(set.came, Came::Failed(_));
        !self.unmet.is_empty() || self.data_sets.iter().any(is_failed)
    }
}

/// Forwards to another watch, and measures the duration of each data set.
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

    /// Returns the durations in seconds of the data sets so far, the last of which ends now.
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
