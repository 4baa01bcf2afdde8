//! The task of running a kernel or circuit, and its result.

use sluice_verify::assertions::Assertion;

use crate::commands::kernel::{Data, Kernel, Runs};
use crate::commands::looks::Looks;
use crate::models::Models;

/// Options that are the same for every kernel.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The user's command, for the command line that repeats a failure.
    pub(crate) command: &'static str,
    /// The path, and the options of the compilation.
    pub(crate) kernel: &'a Kernel,
    pub(crate) data: &'a Data,
    pub(crate) runs: &'a Runs,
    /// Assertions in addition to those of the data file.
    pub(crate) assertions: &'a [Assertion],
    pub(crate) with: With<'a>,
    /// Where data exercise nothing.
    pub(crate) idle_data: IdleData,
}

/// The answer to a kernel that has no data, or whose data run no iteration of any loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdleData {
    /// It is an error, as in a folder: a run that checks nothing is not to pass.
    Fails,
    /// It is a warning.
    Warns,
}

/// Work in addition to the cycle simulation.
#[derive(Clone, Copy)]
pub(crate) enum With<'a> {
    /// Write waves and answer questions about the run, as far as requested.
    Looks(&'a Looks),
    /// Run Verilator too, and compare every port in every cycle.
    Verilator(&'a Models),
}

/// The result of a kernel whose circuit agrees with all expected results on all its data.
pub(crate) struct Checked {
    /// The text to print.
    pub(crate) text: String,
    /// Name of the source of the expected results.
    pub(crate) reference: &'static str,
    pub(crate) n_cases: usize,
    /// Total cycles of all data sets.
    pub(crate) n_cycles: u64,
    /// Cycles of each data set that a kernel has in its data file.
    pub(crate) own_cycles: Vec<u64>,
}
